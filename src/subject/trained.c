/* subject/trained.c — the kind of weights that were learned here: each layer was computed when the
 * words were read, so that all of it is at hand. */
#include "subject/trained.h"

#include <string.h>

#include "learn/block.h"

static struct learn_layer_view view_of(const struct subject *subject,
                                       const struct subject_spot *spot)
{
    struct learn_layer_view view = ((const struct subject_trained *)subject->owner)->view;
    view.layer = spot->layer;
    return view;
}

static struct subject_sizes sizes_of(const struct subject *subject, enum model_attention which)
{
    const struct subject_trained *const trained = subject->owner;
    const struct learn_shape *const shape = learn_activations_shape(trained->view.sentence);
    const size_t n = learn_activations_count(trained->view.sentence);
    (void)which;
    return (struct subject_sizes){
        .layers = shape->layers, .heads = shape->heads, .n = n, .m = n, .width = shape->d_model};
}

static bool make_experiment(const struct subject *subject, const struct subject_spot *spot,
                            const struct file_progress *progress, struct lab_experiment *experiment,
                            struct error *error)
{
    const struct subject_trained *const trained = subject->owner;
    const struct learn_layer_view view = view_of(subject, spot);
    (void)progress; /* its numbers are in memory */
    if (!learn_experiment(&view, experiment, error)) {
        return false;
    }
    experiment->learned = lab_training_keep(trained->learned);
    return true;
}

static struct lab_block *make_block(const struct subject *subject, const struct subject_spot *spot,
                                    struct error *error)
{
    const struct subject_trained *const trained = subject->owner;
    const struct learn_layer_view view = view_of(subject, spot);
    return trained->vocabulary == NULL ? NULL : learn_block(&view, trained->vocabulary, error);
}

static bool weights_of(void *owner, size_t layer, size_t head, float *out)
{
    const struct lab_matrix alpha = learn_activations_part(owner, LEARN_ALPHA, layer, head);
    for (size_t i = 0; i < alpha.rows; i++) {
        memcpy(out + i * alpha.cols, alpha.values + i * alpha.stride, alpha.cols * sizeof *out);
    }
    return true;
}

/* All layers are looked at together. */
static bool look_at_heads(const struct subject *subject, const struct subject_look *look,
                          size_t layers, struct lab_thumbnails **thumbnails, struct error *error)
{
    const struct subject_trained *const trained = subject->owner;
    const struct subject_sizes sizes = sizes_of(subject, look->which);
    const struct lab_thumbnails_source source = {.layers = sizes.layers,
                                                 .heads = sizes.heads,
                                                 .n = sizes.n,
                                                 .m = sizes.m,
                                                 .queries = trained->view.words,
                                                 .keys = trained->view.words,
                                                 .weights = weights_of,
                                                 .any_thread = true,
                                                 .engine = look->engine,
                                                 .owner = (void *)trained->view.sentence};
    (void)layers;
    if (*thumbnails == NULL) {
        *thumbnails = lab_thumbnails_make(&source, error);
    }
    return *thumbnails != NULL;
}

static const struct subject_kind trained_kind = {
    .sizes = sizes_of, .experiment = make_experiment, .block = make_block, .heads = look_at_heads};

struct subject subject_of_trained(struct subject_trained *trained)
{
    return (struct subject){.kind = &trained_kind, .owner = trained};
}
