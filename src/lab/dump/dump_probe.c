/* lab/dump/dump_probe.c — whether a file looks like one of attention, before anybody opens it. */
#include "lab/dump/dump.h"

/* Returns whether it is an array of two axes, which may be weights or rows of words. */
static bool is_matrix(struct file_handle *file)
{
    struct file_arrays arrays;
    return file_handle_arrays(file, &arrays, NULL) && arrays.count > 0 && arrays.array[0].rank == 2;
}

bool lab_dump_probe(struct file_handle *file)
{
    const enum file_kind kind = file_handle_kind(file);
    bool looks = file_kind_opens(kind, FILE_AS_ATTENTION);
    if (looks && (kind == FILE_TABLE || (kind == FILE_NPY && is_matrix(file)))) {
        struct lab_dump *const dump = lab_dump_open(
            file_handle_path(file), &(const struct lab_dump_request){.file = file}, NULL);
        looks = dump != NULL && (lab_dump_facts(dump)->n == lab_dump_facts(dump)->m ||
                                 !lab_dump_facts(dump)->is_guess);
        lab_dump_close(dump);
    }
    return looks;
}
