/* The kinds of what a call can be about, a row for each. */
#include "cli/subject.h"

#include "cli/learned.h"

static bool is_experiment(const struct cli_options *options)
{
    (void)options;
    return true;
}

static bool dump_layer(const struct cli_context *context, size_t layer, size_t head,
                       struct lab_experiment *experiment, struct error *error)
{
    return cli_dump_layer(context->dump, layer, head, experiment, error);
}

static bool learned_layer(const struct cli_context *context, size_t layer, size_t head,
                          struct lab_experiment *experiment, struct error *error)
{
    (void)head;
    return cli_learned_layer(context->learned, layer, experiment, error);
}

static bool model_layer(const struct cli_context *context, size_t layer, size_t head,
                        struct lab_experiment *experiment, struct error *error)
{
    (void)head;
    return cli_model_layer_of(context->model, layer, experiment, error);
}

/* The first row that fits holds: a folder that train wrote is a model too. */
static const struct {
    bool (*is)(const struct cli_options *options);
    struct cli_subject subject;
} rows[] = {
    {cli_is_learned,
     {.experiment = cli_learned_experiment,
      .layer = learned_layer,
      .results = cli_experiment_results,
      .reads_text = true}},
    {cli_is_model,
     {.experiment = cli_model_experiment,
      .layer = model_layer,
      .results = cli_model_results,
      .reads_text = true}},
    {cli_is_dump,
     {.experiment = cli_dump_experiment,
      .layer = dump_layer,
      .results = cli_dump_results,
      .has_arrays = true}},
    {is_experiment,
     {.experiment = cli_lesson_experiment,
      .layer = learned_layer, /* of a session whose weights are learned */
      .results = cli_experiment_results}},
};

const struct cli_subject *cli_subject_of(const struct cli_options *options)
{
    size_t r = 0;
    while (!rows[r].is(options)) {
        r++;
    }
    return &rows[r].subject;
}
