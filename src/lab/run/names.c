/* lab/run/names.c — names the dimensions of a trace. */
#include <string.h>

#include "lab/experiment/embed.h"
#include "lab/experiment/vocab.h"
#include "lab/experiment/weights.h"
#include "lab/run/trace_internal.h"

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for the names.");
}

/* Returns the given names where there are as many as dimensions; NULL: there are none. */
static const char *const *names_for(const struct lab_words *words, size_t count)
{
    return words != NULL && lab_words_count(words) == count ? lab_words_list(words) : NULL;
}

/* Repeats the names for each of the heads. */
static bool repeat_names(struct lab_trace *trace, const char *const *names, size_t count,
                         const char *const **place)
{
    const size_t heads = trace->sizes.heads;
    const char **const all = arena_array(&trace->arena, heads * count, sizeof *all);
    for (size_t c = 0; all != NULL && c < heads * count; c++) {
        all[c] = names[c % count];
    }
    *place = all;
    return all != NULL;
}

/* Numbers columns that are copies of one dimension within a head, except the first. */
static bool number_copies(struct lab_trace *trace, const char **names, size_t wide)
{
    struct arena scratch = {0};
    const size_t d_model = trace->sizes.d_model;
    size_t *const times = arena_array(&scratch, d_model, sizeof *times);
    bool done = times != NULL;
    for (size_t c = 0; done && c < trace->sizes.heads * wide; c++) {
        if (c % wide == 0) {
            memset(times, 0, d_model * sizeof *times);
        }
        size_t axis = 0;
        while (trace->axis[axis] != names[c]) {
            axis++;
        }
        if (++times[axis] > 1) {
            names[c] = arena_format(&trace->arena, "%s %zu", names[c], times[axis]);
            done = names[c] != NULL;
        }
    }
    arena_free(&scratch);
    return done;
}

/* Identity weights copy dimensions to columns, so their names go with them. */
static bool copy_axis_names(struct lab_trace *trace, struct error *error)
{
    const struct lab_sizes *const s = &trace->sizes;
    const char **const q_names = arena_array(&trace->arena, s->heads * s->d_k, sizeof *q_names);
    const char **const k_names = arena_array(&trace->arena, s->heads * s->d_k, sizeof *k_names);
    const char **const v_names = arena_array(&trace->arena, s->heads * s->d_v, sizeof *v_names);
    if (q_names == NULL || k_names == NULL || v_names == NULL) {
        return no_memory(error);
    }
    for (size_t c = 0; c < s->heads * s->d_k; c++) {
        q_names[c] = trace->axis[c % s->d_model];
        k_names[c] = trace->axis[lab_weights_key_dimension(s, c / s->d_k, c % s->d_k)];
    }
    for (size_t c = 0; c < s->heads * s->d_v; c++) {
        v_names[c] = trace->axis[lab_weights_value_dimension(s, c / s->d_v, c % s->d_v)];
    }
    if (!number_copies(trace, q_names, s->d_k) || !number_copies(trace, k_names, s->d_k) ||
        !number_copies(trace, v_names, s->d_v)) {
        return no_memory(error);
    }
    trace->q_names = q_names;
    trace->k_names = k_names;
    trace->v_names = v_names;
    return true;
}

/* Names the dimensions of the embedding. */
static bool name_axes(struct lab_trace *trace, struct error *error)
{
    const struct lab_experiment *const experiment = &trace->experiment;
    const size_t d_model = trace->sizes.d_model;
    const bool toy = experiment->embedding == LAB_EMBEDDING_TOY;
    if (experiment->embedding == LAB_EMBEDDING_NUMBERS) {
        trace->axis = names_for(experiment->axes, d_model);
        return true;
    }
    if (!toy && experiment->embedding != LAB_EMBEDDING_ONEHOT) {
        return true;
    }
    const char **const axis = arena_array(&trace->arena, d_model, sizeof *axis);
    if (axis == NULL) {
        return no_memory(error);
    }
    for (size_t a = 0; toy && a < d_model; a++) {
        axis[a] = lab_vocab_axis(a);
    }
    if (!toy) {
        lab_embed_distinct_names(experiment->tokens, experiment->context, axis);
    }
    trace->axis = axis;
    return true;
}

bool lab_trace_name_columns(struct lab_trace *trace, struct error *error)
{
    const struct lab_experiment *const experiment = &trace->experiment;
    const struct lab_sizes *const s = &trace->sizes;
    if (!s->raw && !name_axes(trace, error)) {
        return false;
    }
    if (!s->raw && experiment->weights == LAB_WEIGHTS_IDENTITY) {
        return trace->axis == NULL || copy_axis_names(trace, error);
    }
    const bool own = s->raw || experiment->weights == LAB_WEIGHTS_NUMBERS;
    const char *const *const keys = own ? names_for(experiment->key_axes, s->d_k) : NULL;
    const char *const *const values = own ? names_for(experiment->value_axes, s->d_v) : NULL;
    if (keys != NULL && !repeat_names(trace, keys, s->d_k, &trace->q_names)) {
        return no_memory(error);
    }
    if (values != NULL && !repeat_names(trace, values, s->d_v, &trace->v_names)) {
        return no_memory(error);
    }
    trace->k_names = keys != NULL ? trace->q_names : trace->k_names;
    return true;
}
