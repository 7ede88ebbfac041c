/* cli/subject.c — the kinds of what a call can be about, a row for each. */
#include "cli/subject.h"

#include <string.h>

#include "cli/learned.h"
#include "cli/model.h"

static bool is_experiment(const struct cli_options *options)
{
    (void)options;
    return true;
}

static bool is_dump(const struct cli_options *options)
{
    return file_kind_opens(file_handle_kind(options->opened), FILE_AS_ATTENTION);
}

static bool is_gguf(const struct cli_options *options)
{
    return file_handle_kind(options->opened) == FILE_GGUF;
}

/* A folder without a model counts: it is refused with the error of opening a model. */
static bool is_folder(const struct cli_options *options)
{
    const enum file_kind kind = file_handle_kind(options->opened);
    return kind == FILE_MODEL || kind == FILE_FOLDER;
}

static bool is_learned(const struct cli_options *options)
{
    return is_folder(options) ? cli_asks_for_step(options) || cli_asks_for_curves(options) ||
                                    cli_learned_is_own_format(options->opened)
                              : is_gguf(options) && cli_asks_for_step(options);
}

#define MODEL                                                                                      \
    .experiment = cli_model_experiment, .results = cli_model_results, .window = cli_model_window,  \
    .reads_text = true

/* The first row that fits is used: a folder that train wrote is a model too. */
static const struct {
    bool (*is)(const struct cli_options *options);
    struct cli_subject subject;
} rows[] = {
    {is_learned,
     {.experiment = cli_learned_experiment,
      .results = cli_experiment_results,
      .info = cli_model_info,
      .window = cli_model_window,
      .reads_text = true}},
    {is_gguf, {MODEL, .info = cli_gguf_info}},
    {is_folder, {MODEL, .info = cli_model_info}},
    {is_dump,
     {.experiment = cli_dump_experiment,
      .results = cli_dump_results,
      .info = cli_dump_info,
      .window = cli_dump_window,
      .has_arrays = true}},
    {is_experiment, {.experiment = cli_lesson_experiment, .results = cli_experiment_results}},
};

void cli_choose_subject(struct cli_options *options)
{
    size_t r = 0;
    if (options->file == NULL) {
        options->opened = NULL;
    } else if (options->opened == NULL ||
               strcmp(file_handle_path(options->opened), options->file) != 0) {
        options->opened = file_handle_open(options->file);
    }
    while (!rows[r].is(options)) {
        r++;
    }
    options->subject = &rows[r].subject;
}
