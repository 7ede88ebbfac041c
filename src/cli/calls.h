/* cli/calls.h — what the calls share: errors on one line, output, and the experiment. */
#ifndef CLI_CALLS_H
#define CLI_CALLS_H

#include "base/arena.h"
#include "base/bytes.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "file/growing.h"
#include "lab/lesson/lessons.h"
#include "lab/run/trace.h"
#include "learn/weight_rebuilder.h"
#include "subject/subject.h"
#include "view/parts/head_overview.h"

enum { CLI_TEXT_BYTES_MAX = 1 << 20 /* of a file of text */ };

struct cli_model;
struct cli_learned;

/* A call's options, and the experiment that they make. */
struct cli_context {
    struct lab_experiment experiment;
    enum lab_stage stage;
    struct lab_selection selection;
    struct lab_lesson lesson; /* named or read from a file; steps 0: none */
    struct arena arena;       /* of its texts */
    struct file_mark mark;    /* of its file when that was read */
    bool is_picture;          /* it is inside one */
    size_t step;              /* of the lesson */
    const char *fallback;     /* the lesson where neither one nor a FILE is named; NULL: none */
    bool is_model; /* the experiment is a layer of a model that has read its text, or of a dump */
    size_t layer;  /* of the model, from 0 */
    struct cli_model *model;     /* stays open for its other layers; NULL: none */
    struct cli_learned *learned; /* the open folder that train wrote, at a step of it; NULL: none */
    struct subject subject;      /* what is open, held; its kind is NULL where nothing is */
    struct learn_weight_rebuilder rebuilder; /* of a session with trained weights; has their run */
    struct subject_sizes sizes;              /* of the model or the file; 0: of none */
    size_t head;                /* where the experiment is one head of its layer: that one */
    struct lab_display display; /* how weights are looked at */
    bool of_block;              /* the layer around its attention is shown */
    struct cli_block *block;    /* that layer; NULL: not made so far */
};
void cli_context_release(struct cli_context *context);

/* Prints "attnscope: " and the error's sentence as one line to standard error; returns the exit
 * status that belongs to it. */
int cli_fail(const struct error *error);

/* Prints a warning, unless --quiet. */
void cli_warn(const struct cli_options *options, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* A text or a file that is written while it is made: to a file, which in the end holds all of it or
 * what it held before, or to standard output ("-"). */
struct cli_sink {
    struct growing_sink to;
    struct file_writer *writer;
    bool to_output;
    bool was_held; /* Ctrl+C, before the sink held it back */
};
bool cli_sink_open(struct cli_sink *sink, const char *path, bool binary, struct error *error);

/* Closes the sink; keep: everything has been written. Returns false where the file does not hold
 * it, with a sentence unless the caller has one. */
bool cli_sink_close(struct cli_sink *sink, bool keep, struct error *error);

/* Returns what a file's name ends in, behind the point; "" where there is no point. */
const char *cli_suffix_of(const char *path);

/* Refuses the name of a file whose suffix belongs to another format than the one that --format asks
 * for; `suffix` is the one of that format. (cli/figures.c) */
bool cli_check_suffix(const char *path, const char *format, const char *suffix,
                      struct error *error);
const char *cli_result_suffix(size_t format); /* of a format of results */

/* Writes content to a file or ("-") standard output; binary content is never written to a terminal.
 * Returns an exit status; a closed pipe ends quietly. */
int cli_write_file(const char *path, struct bytes content, bool binary);

/* Computes the experiment with the set of --isa, ATTN_ISA, or the best: all give the same bits.
 * Returns NULL with a sentence on failure. */
struct lab_trace *cli_compute_trace(const struct cli_options *options,
                                    const struct lab_experiment *experiment, struct error *error);

/* With --verbose, prints to standard error what was computed, by what and how long it took. */
void cli_print_trace_facts(const struct cli_options *options, const struct lab_trace *trace);

/* Prints one line to standard error, with --verbose. */
void cli_print_verbose(const struct cli_options *options, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Spells out control characters ("\\n", "\\u001b"), so that the text moves no cursor. The result is
 * owned by the arena. */
const char *cli_escape_controls(const char *text, struct arena *arena);

/* The same of a cell of a table, which no spreadsheet takes for a formula then. */
const char *cli_escape_csv(const char *text, struct arena *arena);

/* Appends words as a row of a table, each of them so that no spreadsheet takes it for a formula. */
void cli_append_words(struct growing *out, const char *name, const char *const *words,
                      size_t count);

/* Prints a text to standard output. */
int cli_print_text(const char *text);

/* Makes the experiment, stage and selection of lesson and options. fallback_lesson: the lesson to
 * open when neither a lesson nor any other option of the experiment is given; NULL: the defaults.
 * On success the caller releases *context. */
bool cli_experiment(const struct cli_options *options, const char *fallback_lesson,
                    struct cli_context *context, struct error *error);

/* Makes the experiment of a lesson, a session, or options alone. */
bool cli_lesson_experiment(const struct cli_options *options, struct cli_context *context,
                           struct error *error);

/* Reads --head, a number from 1 or as papers write it, into *head, which counts from 0. Without the
 * option *head stays. */
bool cli_read_head_option(const struct cli_options *options, size_t layer, size_t heads,
                          size_t *head, struct error *error);

/* Reads --mask into the experiment, where it is given (cli/variants.c). */
bool cli_read_mask_option(const struct cli_options *options, struct lab_experiment *experiment,
                          struct error *error);

/* Reads mask, kind, positions and tiles into the experiment (cli/variants.c). */
bool cli_read_variant_options(const struct cli_options *options, struct lab_experiment *experiment,
                              struct error *error);

/* All heads of FILE, or of trained weights, for a picture of them, with the layer and head that are
 * asked for. The state refers to `own` while it is drawn. (cli/head_overview.c) */
struct app_state;
struct cli_overview {
    struct view_head_overview shown;
    char title[160];
    struct arena arena; /* of circuits, and of two texts */
};
bool cli_open_head_overview(const struct cli_options *options, const struct cli_context *context,
                            struct app_state *state, struct cli_overview *own, struct error *error);

/* Returns whether a picture is of why a model says a word. */
bool cli_view_is_of_why(const char *view);

/* Asks which line taught the next word, or another of them (--word), for the picture of it. False
 * and a sentence: there is nothing to ask. */
bool cli_show_blame(const struct cli_options *options, struct app_state *state,
                    struct error *error);

/* Computes what that picture shows, of the options' word and rival. False and a sentence: the model
 * is no sum of its parts, it has no such word, or it is none. */
bool cli_show_why(const struct cli_options *options, const struct cli_context *context,
                  struct app_state *state, struct error *error);

/* False and a sentence where --without, --edge, --set or --patch is given. */
bool cli_refuse_interventions(const struct cli_options *options, struct error *error);

/* Computes circuits of the weights for a picture, of the options' head; own owns them. False and a
 * sentence: it is no model, or one without circuits. (cli/circuit_view.c) */
bool cli_show_circuit(const struct cli_options *options, const struct cli_context *context,
                      struct app_state *state, struct cli_overview *own, struct error *error);

/* Computes what each part of the text restores in that of --changed, for a picture; own owns it.
 * False and a sentence: it is no model, or as why_patch. (cli/why_view.c) */
bool cli_show_patch(const struct cli_options *options, const struct cli_context *context,
                    struct app_state *state, struct cli_overview *own, struct error *error);

void cli_overview_release(struct cli_overview *own);

/* Sets how weights are looked at: as the lesson's step says, then as the options say
 * (cli/display.c). */
bool cli_read_display_options(const struct cli_options *options, struct cli_context *context,
                              struct error *error);

/* Check the values of options of a picture's look before anything is computed; and set the state as
 * they say (cli/display.c). */
bool cli_check_display(const struct cli_options *options, struct error *error);
bool cli_apply_display(const struct cli_options *options, struct app_state *state,
                       struct error *error);

/* Read files into the experiment (cli/inputs.c). */
bool cli_read_embedding(const struct cli_options *options, struct lab_experiment *experiment,
                        struct error *error);
bool cli_read_weights(const struct cli_options *options, struct lab_experiment *experiment,
                      struct error *error);
bool cli_read_mask(const struct cli_options *options, struct lab_experiment *experiment,
                   struct error *error);
bool cli_read_raw(const struct cli_options *options, struct lab_experiment *experiment,
                  struct error *error);

/* ---- files of attention (cli/dump.c) -------------------------------------------------------- */

/* Makes an experiment of a layer of the file, or of a head. */
bool cli_dump_experiment(const struct cli_options *options, struct cli_context *context,
                         struct error *error);

/* Write the answers of compute and of info; info returns false where it is a file of other
 * arrays. */
struct cli_target;
bool cli_dump_results(const struct cli_options *options, const struct cli_target *target,
                      struct arena *arena, struct error *error);
bool cli_dump_info(const struct cli_options *options, struct arena *arena, struct bytes *content,
                   struct error *error);

/* Names FILE to the window, which opens it itself; false and a sentence where it cannot be
 * opened. */
bool cli_dump_window(const struct cli_options *options, struct cli_window *window,
                     struct error *error);

/* Writes the answer of compute for an experiment. (cli/experiment_results.c) */
bool cli_experiment_results(const struct cli_options *options, const struct cli_target *target,
                            struct arena *arena, struct error *error);

/* Refuse options of a picture that do nothing in its view, at its stage, and options of the
 * experiment on what is not one. False and a sentence that says where the option works.
 * (cli/effects.c) */
bool cli_check_picture(const struct cli_options *options, enum lab_stage stage,
                       struct error *error);
enum cli_source {
    CLI_SOURCE_MODEL,   /* compute of a model */
    CLI_SOURCE_ARRAYS,  /* compute of a file of attention */
    CLI_SOURCE_WEIGHTS, /* pictures and sentences of a file of weights or scores */
    CLI_SOURCES
};
bool cli_check_given(const struct cli_options *options, enum cli_source source,
                     struct error *error);

/* Refuse options that FILE's kind does not know, and parameters that mean nothing in the experiment
 * that was made of it. (cli/effects.c) */
bool cli_check_source(const struct cli_options *options, struct error *error);
bool cli_check_params(const struct cli_options *options, const struct lab_experiment *experiment,
                      struct error *error);

/* Makes the experiment of a layer (or head) of what the context has open; and the same with the
 * options applied to it. The caller releases it. (cli/experiment.c) */
bool cli_make_layer(const struct cli_options *options, const struct cli_context *context,
                    size_t layer, size_t head, struct lab_experiment *experiment,
                    struct error *error);
bool cli_context_layer(const struct cli_options *options, const struct cli_context *context,
                       size_t layer, size_t head, struct lab_experiment *experiment,
                       struct error *error);

/* ---- models (cli/model.c, cli/model_results.c) --------------------------------------------- */

/* Makes an experiment of a layer of the model in the folder, after it has read its text. */
bool cli_model_experiment(const struct cli_options *options, struct cli_context *context,
                          struct error *error);
void cli_model_free(struct cli_model *model); /* NULL is fine */
struct cli_block;
void cli_block_free(struct cli_block *block); /* NULL is fine */

/* Reads --layer, or the layer of --head L4H0, into *layer. */
bool cli_model_layer(const struct cli_options *options, size_t layers, size_t *layer,
                     struct error *error);

/* Write the answers of compute and of info for a folder. */
bool cli_model_results(const struct cli_options *options, const struct cli_target *target,
                       struct arena *arena, struct error *error);
struct model;
const char *cli_model_head(const char *path, const struct model *model, struct arena *arena);
const char *cli_tensor_row(const char *name, const char *type, size_t rank, const size_t *sides,
                           struct arena *arena);
void cli_write_config(struct json_writer *json, const struct model *model);

/* Writes "ignored": the members of its configuration that are on no list. */
void cli_write_ignored_members(struct json_writer *json, const struct model *model);

/* Writes the model's note, whether it is a part of another model, whether it gives words, and which
 * of its tensors nothing reads. */
void cli_write_unread_parts(struct json_writer *json, const struct model *model,
                            struct arena *arena);

/* Write the answer of info: of a GGUF its keys and tensors, also of a model that cannot be
 * computed. */
bool cli_gguf_info(const struct cli_options *options, struct arena *arena, struct bytes *content,
                   struct error *error);
bool cli_model_info(const struct cli_options *options, struct arena *arena, struct bytes *content,
                    struct error *error);

/* The calls. Each returns an exit status. */
int cli_compute(const struct cli_options *options);
int cli_ablate(const struct cli_options *options);
int cli_patch(const struct cli_options *options);
int cli_heads(const struct cli_options *options);
int cli_circuits(const struct cli_options *options);
int cli_why(const struct cli_options *options);
int cli_render(const struct cli_options *options);
int cli_describe(const struct cli_options *options);
int cli_lessons(const struct cli_options *options);
int cli_train(const struct cli_options *options);
/* Replaces the file by the path of the model that `attnscope models` lists under that name. False
 * and a sentence: several are listed so. */
bool cli_resolve_listed_model(struct cli_options *options, struct error *error);

/* Finds what FILE of a call that was read is, and who reads it. False and a sentence: options do
 * not go with it. (cli/cli.c) */
bool cli_options_resolve(struct cli_options *options, struct error *error);

/* Replaces a file of a model's weights by the folder that it lies in. */
void cli_resolve_model_folder(struct cli_options *options);
int cli_models(const struct cli_options *options);
int cli_list(const struct cli_options *options);
int cli_blame(const struct cli_options *options);
int cli_bench(const struct cli_options *options);
int cli_version(const struct cli_options *options);
int cli_register(const struct cli_options *options);
int cli_unregister(const struct cli_options *options);

int cli_info(const struct cli_options *options);

/* A row of the table of calls. */
struct cli_call {
    const char *name; /* "compute"; "" is the call that opens the window */
    unsigned call;    /* its bit */
    int (*run)(const struct cli_options *options); /* NULL: the window */
    const char *arguments;                         /* "[FILE] [options] [-o OUT]" */
    const char *does;                              /* in a few words */
    const char *more;                              /* in sentences */
};

/* Returns the table (cli/cli.c), whose first row is the window and whose last has no name. Help,
 * manual and completion are given it, because the table refers to them. */
const struct cli_call *cli_calls(void);

/* Prints the options of a call; for the window's call all other calls follow. */
int cli_help(const struct cli_call *call);

/* Print the page of the manual, for man(1), and the script for the shell that the argument
 * names. */
int cli_manual(const struct cli_call *calls);
int cli_icons(const char *folder);
int cli_completion(const struct cli_options *options, const struct cli_call *calls);

/* Returns "for everything random (42)", with the names that the option takes. Owned by the arena.
 */
const char *cli_option_help(const struct cli_option_row *row, struct arena *arena);

/* Writes every size of the icon into the folder of an icon theme, and says where each belongs from
 * 0 on. False: behind the last, or the path is longer than size. (cli/icons.c) */
bool cli_write_icons(const char *folder, struct error *error);
bool cli_icon_path(const char *folder, size_t index, char *path, size_t size);

/* Makes the folders that lead to a file. */
bool cli_make_folder_of(const char *path, struct error *error);

extern const char cli_about_files[]; /* what FILE may be, in sentences */

#endif
