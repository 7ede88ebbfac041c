/* A file of attention, whatever its format: what is opened can be listed, read and made an
 * experiment of. */
#include "lab/dump/dump.h"
#include "file/kinds.h"

#include <stdio.h>
#include <string.h>

#include "folder.h"
#include "fuzz.h"

static const struct lab_dump_request requests[] = {
    {.batch = 0},
    {.batch = 1},
    {.axes = "QK"},
    {.reading = LAB_DUMP_AS_SCORES},
    {.reading = LAB_DUMP_AS_QUERIES, .keys = "k", .sight = LAB_DUMP_SEES_BACK},
    {.inside = "tokens"},
    {.counted = true},
};

static void use(const struct lab_dump *dump)
{
    const struct lab_dump_facts *const facts = lab_dump_facts(dump);
    struct lab_dump_page page = {.holds = {NULL}};
    struct arena arena = {0};
    struct lab_experiment experiment;
    struct error error = {0};
    float *const weights = arena_array(&arena, facts->n * facts->m, sizeof *weights);
    if (facts->n == 0 || facts->m == 0 || lab_words_count(facts->queries) != facts->n) {
        __builtin_trap(); /* rows that nobody can point at */
    }
    if (weights != NULL) {
        (void)lab_dump_weights(dump, &page, facts->layers - 1, facts->heads - 1, weights, &error);
    }
    if (lab_dump_experiment(dump, &page, 0, 0, &experiment, &error)) {
        lab_experiment_release(&experiment);
    }
    lab_dump_page_free(&page);
    arena_free(&arena);
}

/* A file that stays unclear is listed as if nothing had been tried. */
static void look_through(struct lab_dump *given, struct lab_dump *list)
{
    size_t texts = 0;
    for (size_t i = 0; list != NULL && i < lab_dump_items(list); i++) {
        const struct lab_dump_item item = lab_dump_item(list, i);
        if (given != NULL && (lab_dump_items(given) != lab_dump_items(list) ||
                              strcmp(lab_dump_item(given, i).name, item.name) != 0 ||
                              lab_dump_item(given, i).reading != item.reading)) {
            __builtin_trap();
        }
    }
    if (list != NULL) {
        (void)lab_dump_texts(list, &texts);
    }
    lab_dump_close(given);
    lab_dump_close(list);
}

bool fuzz_reads(struct bytes file)
{
    static const char *const names[] = {"file"};
    char folder[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX + 8];
    struct error error = {0};
    struct lab_dump *given = NULL;
    bool read = false;
    folder_make(folder);
    folder_put(folder, names[0], file);
    snprintf(path, sizeof path, "%s/%s", folder, names[0]);
    enum { OTHERS = sizeof requests / sizeof requests[0] - 1 };
    const size_t asked[] = {0, 1 + (file.size > 0 ? file.at[file.size / 2] : 0u) % OTHERS};
    for (size_t r = 0; r < 2; r++) {
        struct lab_dump_request request = requests[asked[r]];
        request.unclear = r == 0 ? &given : NULL;
        struct lab_dump *const dump = lab_dump_open(path, &request, &error);
        if (dump != NULL) {
            use(dump);
        }
        read = read || dump != NULL;
        lab_dump_close(dump);
    }
    look_through(given, lab_dump_list(path, &error));
    struct file_handle *const handle = file_handle_open(path);
    (void)(handle != NULL && lab_dump_probe(handle));
    file_handle_release(handle);
    folder_drop(folder, names, 1);
    return read;
}
