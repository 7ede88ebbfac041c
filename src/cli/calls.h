/* cli/calls.h — what the calls share: one line for what went wrong, output, and the experiment. */
#ifndef CLI_CALLS_H
#define CLI_CALLS_H

#include <signal.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "file/growing.h"
#include "lab/dump/dump.h"
#include "lab/lesson/lessons.h"
#include "lab/run/trace.h"
#include "learn/weight_rebuilder.h"
#include "view/parts/head_overview.h"

enum { CLI_TEXT_BYTES_MAX = 1 << 20 /* of a file of text */ };

struct cli_model;
struct cli_learned;

/* Everything a call has been told, and what its options make. */
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
    bool is_model;            /* it is a layer of a model, whose text has been read, or of a dump */
    size_t layer;             /* of the model, from 0 */
    struct cli_model *model;  /* which stays open for its other layers; NULL: none */
    struct lab_dump *dump;    /* the same of a file of attention */
    struct cli_learned *learned; /* the same of a folder that train wrote, at a step of it */
    struct learn_weight_rebuilder maker; /* of a session with trained weights: has their run */
    size_t layers, heads;                /* of either; 0: of none */
    bool one_head;                       /* the experiment is one head of its layer: */
    size_t head;                         /* this one */
    struct lab_display display;          /* how weights are looked at */
    bool of_block;                       /* the layer around its attention is shown … */
    struct cli_block *block;             /* … which is this; NULL: not made so far */
};
void cli_context_release(struct cli_context *context);

/* Prints "attnscope: " and the error's sentence as one line to standard error; returns the exit
 * status that belongs to it. */
int cli_fail(const struct error *error);

/* A warning, unless --quiet. */
void cli_warn(const struct cli_options *options, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* A text or a file that goes out while it is made: to a file, which holds all of it in the end or
 * what it held before, or to standard output ("-"). */
struct cli_sink {
    struct growing_sink to;
    struct file_writer *writer;
    bool to_output;
    sigset_t former; /* signals that were held back */
};
bool cli_sink_open(struct cli_sink *sink, const char *path, bool binary, struct error *error);

/* keep: all is there. False, and a sentence unless the caller has one: it is not. */
bool cli_sink_close(struct cli_sink *sink, bool keep, struct error *error);

/* What a file's name ends in, behind the point; "": nothing. */
const char *cli_suffix_of(const char *path);

/* Whether a file's name may be given to a format that is asked for with --format, whose files end
 * in suffix: a name that ends as those of another format was not meant. (cli/figures.c) */
bool cli_check_suffix(const char *path, const char *format, const char *suffix,
                      struct error *error);
const char *cli_result_suffix(size_t format); /* of a format of results */

/* Writes content to a file or ("-") standard output; binary content never to a terminal. Returns an
 * exit status; a closed pipe ends quietly. */
int cli_write(const char *path, struct bytes content, bool binary);

/* Computes for a file, with the set of --isa, ATTN_ISA, or the best: all give the same bits. NULL
 * and a sentence on failure. */
struct lab_trace *cli_trace(const struct cli_options *options,
                            const struct lab_experiment *experiment, struct error *error);

/* What was computed, by what and how long it took, with --verbose to standard error. */
void cli_say_trace(const struct cli_options *options, const struct lab_trace *trace);

/* One line to standard error, with --verbose. */
void cli_say(const struct cli_options *options, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The text with control characters spelled out ("\\n", "\\u001b"), so that it moves no cursor; and
 * the same for a cell of a table, which no spreadsheet takes for a formula. Owned by the arena. */
const char *cli_visible(const char *text, struct arena *arena);
const char *cli_harmless(const char *text, struct arena *arena);

/* Appends words as a row of a table, harmless each. */
void cli_put_words(struct growing *out, const char *name, const char *const *words, size_t count);

/* A text to standard output. */
int cli_print(const char *text);

/* The experiment, stage and selection of lesson and options. fallback_lesson: what stands there
 * when neither a lesson nor any other option of the experiment is given; NULL: the defaults. On
 * success the caller releases *asked. */
bool cli_experiment(const struct cli_options *options, const char *fallback_lesson,
                    struct cli_context *context, struct error *error);

/* The same of a lesson, a session, or options alone. */
bool cli_lesson_experiment(const struct cli_options *options, struct cli_context *context,
                           struct error *error);

/* The head of --head, from 0: a number, or as papers write it. Not given: *head stays. */
bool cli_take_head(const struct cli_options *options, size_t layer, size_t heads, size_t *head,
                   struct error *error);

/* The mask of --mask, where it is given (cli/variants.c). */
bool cli_take_mask(const struct cli_options *options, struct lab_experiment *experiment,
                   struct error *error);

/* Mask, kind, positions and tiles into the experiment (cli/variants.c). */
bool cli_take_variants(const struct cli_options *options, struct lab_experiment *experiment,
                       struct error *error);

/* All heads of FILE, or of weights that were learned, for a picture of them, with the layer and
 * head that are asked for. The state looks at `own` while it is drawn. (cli/head_overview.c) */
struct app_state;
struct cli_overview {
    struct view_head_overview shown;
    char title[160];
};
bool cli_open_head_overview(const struct cli_options *options, const struct cli_context *context,
                            struct app_state *state, struct cli_overview *own, struct error *error);
void cli_overview_release(struct cli_overview *own);

/* How weights are looked at: of the lesson's step, and the options laid over it (cli/display.c). */
bool cli_take_display(const struct cli_options *options, struct cli_context *context,
                      struct error *error);

/* Files into the experiment (cli/inputs.c). */
bool cli_read_embedding(const struct cli_options *options, struct lab_experiment *experiment,
                        struct error *error);
bool cli_read_weights(const struct cli_options *options, struct lab_experiment *experiment,
                      struct error *error);
bool cli_read_mask(const struct cli_options *options, struct lab_experiment *experiment,
                   struct error *error);
bool cli_read_raw(const struct cli_options *options, struct lab_experiment *experiment,
                  struct error *error);

/* ---- files of attention (cli/dump.c) -------------------------------------------------------- */

/* A layer of it, or a head, as an experiment. */
bool cli_dump_experiment(const struct cli_options *options, struct cli_context *context,
                         struct error *error);
bool cli_dump_layer(const struct lab_dump *dump, size_t layer, size_t head,
                    struct lab_experiment *experiment, struct error *error);

/* compute; and info, false: it is a file of other arrays. */
struct cli_target;
bool cli_dump_results(const struct cli_options *options, const struct cli_target *target,
                      struct arena *arena, struct error *error);
bool cli_dump_info(const struct cli_options *options, struct arena *arena, struct bytes *content,
                   struct error *error);

/* FILE for the window, which opens it itself; refused here where it cannot be opened. */
bool cli_dump_window(const struct cli_options *options, struct cli_window *window,
                     struct error *error);

/* compute of everything else. (cli/experiment_results.c) */
bool cli_experiment_results(const struct cli_options *options, const struct cli_target *target,
                            struct arena *arena, struct error *error);

/* Whether every option of a picture works in its view, at its stage; and, of the experiment, on
 * what is not one. False and a sentence: where it works. (cli/effects.c) */
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

/* Whether FILE is of a kind that all given options know; and whether those of the experiment that
 * was made of them mean something in it. (cli/effects.c) */
bool cli_check_source(const struct cli_options *options, struct error *error);
bool cli_check_params(const struct cli_options *options, const struct lab_experiment *experiment,
                      struct error *error);

/* Another layer (or head) of what was asked for, with the options laid over it; the caller releases
 * it. (cli/experiment.c) */
bool cli_context_layer(const struct cli_options *options, const struct cli_context *context,
                       size_t layer, size_t head, struct lab_experiment *experiment,
                       struct error *error);

/* Everything but words that options change of an experiment. (cli/experiment.c) */
bool cli_lay_over(const struct cli_options *options, struct lab_experiment *experiment,
                  struct error *error);

/* ---- models (cli/model.c, cli/model_results.c) --------------------------------------------- */

/* A layer of the model in the folder, after it has read its text, as an experiment. */
bool cli_model_experiment(const struct cli_options *options, struct cli_context *context,
                          struct error *error);
bool cli_model_layer_of(const struct cli_model *model, size_t layer,
                        struct lab_experiment *experiment, struct error *error);
void cli_model_drop(struct cli_model *model); /* NULL is fine */
struct cli_block;
void cli_block_drop(struct cli_block *block); /* the same */

/* The layer of --layer, or of --head L4H0. */
bool cli_model_layer(const struct cli_options *options, size_t layers, size_t *layer,
                     struct error *error);

/* compute and info of a folder. */
bool cli_model_results(const struct cli_options *options, const struct cli_target *target,
                       struct arena *arena, struct error *error);
struct model;
const char *cli_model_head(const char *path, const struct model *model, struct arena *arena);
const char *cli_tensor_row(const char *name, const char *type, size_t rank, const size_t *sides,
                           struct arena *arena);
void cli_put_config(struct json_writer *json, const struct model *model);

/* "ignored": the members of its configuration that are on no list. */
void cli_put_ignored(struct json_writer *json, const struct model *model);

/* Its note, whether it is a part of another, gives words, and which of its tensors nothing reads.
 */
void cli_put_left_out(struct json_writer *json, const struct model *model, struct arena *arena);

/* info of a GGUF: its keys and tensors, also of a model that cannot be computed. */
bool cli_gguf_info(const struct cli_options *options, struct arena *arena, struct bytes *content,
                   struct error *error);
bool cli_model_info(const struct cli_options *options, struct arena *arena, struct bytes *content,
                    struct error *error);

/* The calls. Each returns an exit status. */
int cli_compute(const struct cli_options *options);
int cli_render(const struct cli_options *options);
int cli_describe(const struct cli_options *options);
int cli_lessons(const struct cli_options *options);
int cli_train(const struct cli_options *options);
/* A model on this machine may be named as `attnscope models` lists it. False: several are. */
bool cli_take_listed(struct cli_options *options, struct error *error);

/* Weights of a model become the folder that they lie in. */
void cli_take_folder(struct cli_options *options);
int cli_models(const struct cli_options *options);
int cli_list(const struct cli_options *options);
int cli_bench(const struct cli_options *options);
int cli_version(const struct cli_options *options);

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

/* The table (cli/cli.c), which ends with a row without a name; the window is the first. Those who
 * write about the calls are given it, for it stands above them. */
const struct cli_call *cli_calls(void);

/* The options of a call; the window's call is followed by all others. */
int cli_help(const struct cli_call *call);

/* The page of the manual, for man(1), and the script for the shell that the argument names. */
int cli_manual(const struct cli_call *calls);
int cli_completion(const struct cli_options *options, const struct cli_call *calls);

/* "--seed N"; "for everything random (42)", with the names it takes. Owned by the arena. */
const char *cli_option_usage(enum cli_option option, const struct cli_option_row *row,
                             struct arena *arena);
const char *cli_option_help(const struct cli_option_row *row, struct arena *arena);

extern const char cli_about_files[]; /* what FILE may be, in sentences */

#endif
