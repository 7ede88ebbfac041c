/* subject/checkpoint.c — the kind of models that are computed here, layer after layer, once they
 * have a text. */
#include "subject/subject.h"

static bool open_model(struct subject *subject, const char *path,
                       const struct lab_dump_request *request, struct error *error)
{
    (void)request;
    if (subject->model == NULL) {
        subject->file = subject->file != NULL ? subject->file : file_handle_open(path);
        if (subject->file == NULL) {
            return error_set(error, ERROR_MEMORY, "There is not enough memory for this model.");
        }
        subject->model = model_begin(subject->file, error);
    }
    return subject->model != NULL && model_complete(subject->model, error);
}

static struct subject_sizes sizes_of(const struct subject *subject, enum model_attention which)
{
    const struct model_config *const config = model_config(subject->model);
    struct subject_sizes sizes = {.layers = model_layers_of(subject->model, which),
                                  .heads = config->heads,
                                  .groups = config->groups < config->heads ? config->groups : 0,
                                  .width = config->width};
    if (subject->run != NULL) {
        const size_t source = model_run_source_count(subject->run);
        const size_t count = model_run_count(subject->run);
        sizes.n = which == MODEL_ENCODER ? source : count;
        sizes.m = which == MODEL_SELF ? count : source;
    }
    return sizes;
}

/* The first of two texts is read whole before the second begins. */
static bool is_computed(const struct subject *subject, const struct subject_spot *spot)
{
    return spot->which == MODEL_ENCODER || spot->layer < model_run_layers(subject->run);
}

static bool compute_layer(const struct subject *subject, const struct subject_spot *spot,
                          struct error *error)
{
    return spot->which == MODEL_ENCODER || model_run_go_on(subject->run, spot->layer + 1, error);
}

static bool make_experiment(const struct subject *subject, const struct subject_spot *spot,
                            const struct file_progress *progress, struct lab_experiment *experiment,
                            struct error *error)
{
    (void)progress; /* its numbers are in memory */
    return model_experiment(subject->run, spot->which, spot->layer, experiment, error);
}

static struct lab_block *make_block(const struct subject *subject, const struct subject_spot *spot,
                                    struct error *error)
{
    return model_block(subject->run, spot->which, spot->layer, error);
}

/* The owner for weights_of and on_head. */
struct head_reader {
    const struct subject *subject;
    const struct subject_look *look;
};

static bool weights_of(void *owner, size_t layer, size_t head, float *out)
{
    const struct head_reader *const reader = owner;
    model_run_weights_of(reader->subject->run, reader->look->which, layer, head, out);
    return true;
}

static bool on_head(void *owner, size_t done, size_t all)
{
    const struct subject_look *const look = ((const struct head_reader *)owner)->look;
    return look->on_head(look->owner, done, all);
}

static bool look_at_heads(const struct subject *subject, const struct subject_look *look,
                          size_t layers, struct lab_thumbnails **thumbnails, struct error *error)
{
    struct arena arena = {0};
    struct head_reader reader = {subject, look};
    struct lab_thumbnails_source source;
    if (!model_thumbnails_source(subject->run, look->which, &arena, &source)) {
        arena_free(&arena);
        return error_set(error, ERROR_MEMORY, "There is not enough memory for this text.");
    }
    source.weights = weights_of;
    source.engine = look->engine;
    source.on_head = look->on_head == NULL ? NULL : on_head;
    source.owner = &reader;
    struct lab_thumbnails *const looked =
        *thumbnails != NULL ? *thumbnails : lab_thumbnails_begin(&source, error);
    const bool done = looked != NULL && lab_thumbnails_look(looked, &source, layers, error);
    if (done) {
        *thumbnails = looked;
    } else if (*thumbnails == NULL) {
        lab_thumbnails_release(looked);
    }
    arena_free(&arena);
    return done;
}

static bool find_logits(const struct subject *subject, size_t first, size_t count, float *out,
                        struct error *error)
{
    return model_run_logits(subject->run, first, count, out, error);
}

const struct subject_kind subject_checkpoint = {.reads = true,
                                                .open = open_model,
                                                .sizes = sizes_of,
                                                .is_computed = is_computed,
                                                .compute = compute_layer,
                                                .experiment = make_experiment,
                                                .block = make_block,
                                                .heads = look_at_heads,
                                                .logits = find_logits};
