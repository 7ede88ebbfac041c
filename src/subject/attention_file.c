/* subject/attention_file.c — the kind of files whose attention was computed elsewhere. Nothing of
 * them is computed before it can be shown, and nothing around their attention is known. */
#include "subject/subject.h"

static bool open_file(struct subject *subject, const char *path,
                      const struct lab_dump_request *request, struct error *error)
{
    if (subject->dump == NULL) {
        struct lab_dump_request asked = *request;
        asked.file = subject->file;
        subject->dump = lab_dump_open(path, &asked, error);
    }
    return subject->dump != NULL;
}

static struct subject_sizes sizes_of(const struct subject *subject, enum model_attention which)
{
    const struct lab_dump_facts *const facts = lab_dump_facts(subject->dump);
    (void)which; /* one of them is open at a time */
    return (struct subject_sizes){.layers = facts->layers,
                                  .heads = facts->heads,
                                  .groups = facts->groups,
                                  .n = facts->n,
                                  .m = facts->m,
                                  .one_head = !facts->whole_layers};
}

static bool make_experiment(const struct subject *subject, const struct subject_spot *spot,
                            const struct file_progress *progress, struct lab_experiment *experiment,
                            struct error *error)
{
    struct lab_dump_page page = {.on_rows = progress == NULL ? NULL : progress->goes_on,
                                 .owner = progress == NULL ? NULL : progress->owner};
    const bool made =
        lab_dump_experiment(subject->dump, &page, spot->layer, spot->head, experiment, error);
    lab_dump_page_free(&page);
    return made;
}

/* Its layers are looked at together. */
static bool look_at_heads(const struct subject *subject, const struct subject_look *look,
                          size_t layers, struct lab_thumbnails **thumbnails, struct error *error)
{
    (void)layers;
    if (*thumbnails == NULL) {
        *thumbnails =
            lab_dump_thumbnails(subject->dump, &look->engine, look->on_head, look->owner, error);
    }
    return *thumbnails != NULL;
}

const struct subject_kind subject_attention_file = {
    .open = open_file, .sizes = sizes_of, .experiment = make_experiment, .heads = look_at_heads};
