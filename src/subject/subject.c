/* subject/subject.c — what all kinds have in common: which kind a file is, holding it, and how its
 * row of functions is called. */
#include "subject/subject.h"

#include "file/kinds.h"

const struct subject_kind *subject_kind_of(struct file_handle *file)
{
    return file_kind_opens(file_handle_kind(file), FILE_AS_MODEL) ? &subject_checkpoint
           : lab_dump_probe(file)                                 ? &subject_attention_file
                                                                  : NULL;
}

struct subject subject_keep(const struct subject *subject)
{
    struct subject held = *subject;
    held.file = held.file == NULL ? NULL : file_handle_keep(held.file);
    held.model = held.model == NULL ? NULL : model_keep(held.model);
    held.run = held.run == NULL ? NULL : model_run_keep(held.run);
    held.dump = held.dump == NULL ? NULL : lab_dump_keep(held.dump);
    return held;
}

void subject_release(struct subject *subject)
{
    model_run_close(subject->run);
    model_close(subject->model);
    lab_dump_close(subject->dump);
    file_handle_release(subject->file);
    *subject = (struct subject){.kind = subject->kind};
}

bool subject_open(struct subject *subject, const char *path, const struct lab_dump_request *request,
                  struct error *error)
{
    const bool opened = subject->kind->open(subject, path, request, error);
    if (!opened) {
        subject_release(subject);
    }
    file_handle_release(subject->file); /* what is open holds what it needs of it */
    subject->file = NULL;
    return opened;
}

struct subject_sizes subject_sizes(const struct subject *subject, enum model_attention which)
{
    return subject->kind->sizes(subject, which);
}

bool subject_is_computed(const struct subject *subject, const struct subject_spot *spot)
{
    return subject->kind->is_computed == NULL || subject->kind->is_computed(subject, spot);
}

bool subject_compute(const struct subject *subject, const struct subject_spot *spot,
                     struct error *error)
{
    return subject->kind->compute == NULL || subject->kind->compute(subject, spot, error);
}

bool subject_experiment(const struct subject *subject, const struct subject_spot *spot,
                        const struct file_progress *progress, struct lab_experiment *experiment,
                        struct error *error)
{
    if (!subject->kind->experiment(subject, spot, progress, experiment, error)) {
        *experiment = (struct lab_experiment){.tokens = NULL};
        return false;
    }
    experiment->layer = spot->layer;
    experiment->layers = subject_sizes(subject, spot->which).layers;
    return true;
}

struct lab_block *subject_block(const struct subject *subject, const struct subject_spot *spot,
                                struct error *error)
{
    return subject->kind->block == NULL ? NULL : subject->kind->block(subject, spot, error);
}

bool subject_look_at_heads(const struct subject *subject, const struct subject_look *look,
                           size_t layers, struct lab_thumbnails **thumbnails, struct error *error)
{
    return subject->kind->heads(subject, look, layers, thumbnails, error);
}

bool subject_logits(const struct subject *subject, size_t first, size_t count, float *out,
                    struct error *error)
{
    return subject->kind->logits(subject, first, count, out, error);
}
