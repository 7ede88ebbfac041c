/* cli/options.h — the table of options, and the values that were given. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "file/handle.h"
#include "lab/experiment/params.h"
#include "lab/run/engine.h"
#include "learn/recipe.h"

/* The calls, as bits: the calls that an option belongs to. */
enum {
    CALL_WINDOW = 1,
    CALL_COMPUTE = 2,
    CALL_RENDER = 4,
    CALL_DESCRIBE = 8,
    CALL_LESSONS = 16,
    CALL_LIST = 32, /* --list, --version and the like */
    CALL_BENCH = 64,
    CALL_INFO = 128,
    CALL_COMPLETION = 256, /* its argument is the name of a shell */
    CALL_TRAIN = 512,
    CALL_MODELS = 1024,
    CALL_WHY = 2048,
    CALL_ABLATE = 4096,
    CALL_PATCH = 8192,
    CALL_HEADS = 16384,
    CALL_BLAME = 32768,
    CALL_CIRCUITS = 65536,
    CALL_CAUSE = CALL_WHY | CALL_ABLATE | CALL_PATCH, /* of a model: from attention to cause */
    CALL_EXPERIMENT = CALL_WINDOW | CALL_COMPUTE | CALL_RENDER | CALL_DESCRIBE,
    CALL_PICTURE = CALL_WINDOW | CALL_RENDER,
    CALL_SELECTION = CALL_WINDOW | CALL_RENDER | CALL_DESCRIBE,
    CALL_READING = CALL_EXPERIMENT | CALL_CAUSE, /* a model reads a text */
    CALL_CHANGING = CALL_COMPUTE | CALL_RENDER | CALL_DESCRIBE | CALL_CAUSE,
    CALL_FILE =
        CALL_READING | CALL_HEADS | CALL_CIRCUITS | CALL_BLAME | CALL_INFO | CALL_COMPLETION,
    CALL_ALL = 511 | CALL_TRAIN | CALL_MODELS | CALL_CAUSE | CALL_HEADS | CALL_BLAME | CALL_CIRCUITS
};

enum cli_option {
    CLI_LESSON,
    CLI_STEP,
    CLI_TOKENS,
    CLI_TEXT_FILE,
    CLI_PROMPT, /* the text of a model; written --text, as another option of render is */
    CLI_PAIR,   /* from here to --chat: of a model */
    CLI_IDS,
    CLI_TARGET,
    CLI_TARGET_IDS,
    CLI_GENERATE,
    CLI_SPECIAL,
    CLI_CHAT,
    CLI_WITHOUT, /* from here to --patch: interventions, in the order of enum why_kind */
    CLI_EDGE,
    CLI_SET,
    CLI_PATCH,
    CLI_WORD,
    CLI_RIVAL,
    CLI_RANDOM_PROBE, /* written --probe, of heads */
    CLI_TEXTS,
    CLI_THRESHOLD,
    CLI_CHANGED,
    CLI_WHAT,
    CLI_SENDER,   /* written --from, of patch */
    CLI_RECEIVER, /* written --to */
    CLI_LOSS,
    CLI_HEAD_SET, /* written --heads, of ablate */
    CLI_REPEAT,
    CLI_ARRAY, /* from here to --batch: of a file of attention */
    CLI_AXES,
    CLI_READING,
    CLI_KEYS_ARRAY,
    CLI_TOKENS_ARRAY,
    CLI_BATCH,
    CLI_PARAMS, /* from here on the parameters of the experiment: CLI_PARAM(HEADS) */
    CLI_ISA = CLI_PARAMS + LAB_PARAM_NONE,
    CLI_THREADS,
    CLI_FORMAT,
    CLI_ANSWER, /* written --format, of calls that answer with a table */
    CLI_SELECT,
    CLI_OUT,
    CLI_STAGE,
    CLI_VIEW,
    CLI_HEAD,
    CLI_LAYER,
    CLI_QUERY,
    CLI_KEY,
    CLI_QUERIES,
    CLI_ASIDE,
    CLI_RENORMALISE,
    CLI_PROGRESS,
    CLI_SIZE,
    CLI_THEME,
    CLI_LANGUAGE,
    CLI_COLORMAP,
    CLI_CAMERA,
    CLI_RENDERER,
    CLI_DPI,
    CLI_LETTERS,
    CLI_BACKGROUND,
    CLI_CROP,
    CLI_TEXT,
    CLI_METADATA,
    CLI_RANGE,
    CLI_COLOURS,
    CLI_SINKS,
    CLI_WEIGHING,
    CLI_HEADS_OF,
    CLI_CELLS,
    CLI_FIGURE,
    CLI_LINES,
    CLI_OVERVIEW,
    CLI_CHANGE,
    CLI_VALUES,
    CLI_NUMBERS,
    CLI_DECIMALS,
    CLI_TITLE,
    CLI_CAPTION,
    CLI_COLOURBAR,
    CLI_X_TITLE,
    CLI_Y_TITLE,
    CLI_BAR_TITLE,
    CLI_STEP_AXIS,
    CLI_GAP,
    CLI_STYLE,
    CLI_AGAINST,
    CLI_AGAINST_LESSON,
    CLI_PANELS,
    CLI_MARKS,
    CLI_PRESENTER,
    CLI_ALL_HEADS,
    CLI_ALL_LAYERS,
    CLI_ALL_STAGES,
    CLI_REVEAL,
    CLI_PAGE_OPERANDS,
    CLI_WORKSHEET,
    CLI_FROM,
    CLI_TO,
    CLI_FPS,
    CLI_JSON,
    CLI_STEP_OF_TRAINING,
    CLI_FROM_STEP,
    CLI_TO_STEP,
    CLI_TRAIN_ANYWAY,
    CLI_TASK, /* from here to --list of tasks: of train */
    CLI_DATA,
    CLI_RECIPES, /* from here on the members of a recipe: CLI_RECIPE(HEADS) */
    CLI_LOG = CLI_RECIPES + LEARN_RECIPE_ROOM,
    CLI_PROBE,
    CLI_EVERY,
    CLI_RESUME,
    CLI_SAVE_EVERY,
    CLI_DUMP_STEP,
    CLI_TASKS,
    CLI_LIST,
    CLI_LIMITS,
    CLI_REGISTER,
    CLI_UNREGISTER,
    CLI_QUIET,
    CLI_VERBOSE,
    CLI_HELP,
    CLI_VERSION,
    CLI_OPTIONS
};

/* The option of a parameter by the name of its row in lab/experiment/params.inc. */
#define CLI_PARAM(NAME) ((enum cli_option)(CLI_PARAMS + (int)LAB_PARAM_##NAME))

/* The option of a member by the name of its row in learn/recipe.inc. */
#define CLI_RECIPE(NAME) ((enum cli_option)(CLI_RECIPES + (int)LEARN_RECIPE_##NAME))

struct cli_value {
    bool given;
    const char *text; /* as it was written; the default when not given, or NULL */
    uint64_t whole;   /* a whole number, or the place among the names; of a size: 1 on paper */
    double number, second;
};

enum { CLI_OUTS_MAX = 32, CLI_WISHES_MAX = 256 };

/* One of the options that may be given as often as wanted. */
struct cli_wish {
    enum cli_option option;
    const char *text;
};

struct cli_subject;

struct cli_options {
    unsigned call; /* the bit of the call */
    struct cli_value value[CLI_OPTIONS];
    const char *out[CLI_OUTS_MAX]; /* every -o, in their order */
    size_t outs;
    struct cli_wish wish[CLI_WISHES_MAX]; /* every --without, --edge, --set, --patch, in order */
    size_t wishes;
    const char *file;                  /* the one argument that is no option, or NULL */
    struct file_handle *opened;        /* that file, to be released; NULL: there is none */
    const struct cli_subject *subject; /* who reads it (cli/subject.h) */
    char listed[4096]; /* the path of a model on this machine that it named; file is this then */
    struct lab_engine engine; /* of --isa and --threads; the call's caller opens and closes it */
};

enum cli_option_type {
    CLI_TYPE_TEXT,
    CLI_TYPE_PATH,
    CLI_TYPE_WHOLE,  /* low to high */
    CLI_TYPE_NUMBER, /* low to high, or as the record's row says */
    CLI_TYPE_NAME,   /* one of name_at */
    CLI_TYPE_FLAG,   /* no value */
    CLI_TYPE_SCALE,  /* on, off, or pixels per point */
    CLI_TYPE_SIZE,   /* WxH in points */
};

/* A row of the table, for help. */
struct cli_option_row {
    const char *name; /* "seed": written --seed; "o" is written -o */
    enum cli_option_type type;
    const char *argument; /* "N"; NULL: takes none */
    const char *preset;   /* the default as text, or NULL */
    unsigned calls;
    double low, high;
    const char *(*name_at)(size_t index); /* the names it may be; NULL behind the last */
    const char *help;                     /* NULL: not offered yet */
};
const struct cli_option_row *cli_option_row(enum cli_option option);

/* Returns the row of the parameter or of the recipe that the option is made of; NULL: it is of
 * neither. */
const struct record_row *cli_option_member(enum cli_option option);

/* Returns "--", or "-" for the one option that is a letter. */
const char *cli_option_dashes(enum cli_option option);

/* Returns the option at a place of the order that all lists of options have; CLI_OPTIONS behind the
 * last. */
enum cli_option cli_option_at(size_t place);

/* Returns the row as one call's help, completion and page of the manual have it. */
struct cli_option_row cli_option_row_in(enum cli_option option, unsigned call);

/* Reads the arguments of a call from argv[first] on. False and one sentence: the call is wrong. */
bool cli_options_read(struct cli_options *options, unsigned call, int argc, char **argv, int first,
                      struct error *error);

/* Refuses options that mean nothing to this call. */
bool cli_options_check_call(const struct cli_options *options, unsigned call, struct error *error);

/* Returns the name nearest to the one that was written, where one is near; else NULL. */
const char *cli_nearest_name(const char *written, const char *(*name_at)(size_t index));

/* Returns false and sets "there is no lesson “cat”; did you mean cats?" (or which there are) as an
 * ERROR_USAGE. */
bool cli_refuse_unknown(struct error *error, const char *kind, const char *written,
                        const char *(*name_at)(size_t index));

/* Writes "light, dark, grey": as many names as there is room for, and "…" behind them where some
 * are missing. */
void cli_write_name_list(char *list, size_t size, const char *(*name_at)(size_t index));

/* Lists of names: each gives NULL behind the last. */
const char *cli_lesson_name(size_t index);
const char *cli_stage_name(size_t index);
const char *cli_view_name(size_t index);
const char *cli_colormap_name(size_t index);
const char *cli_mask_name(size_t index);
const char *cli_theme_name(size_t index);
const char *cli_sinks_name(size_t index);
const char *cli_weighing_name(size_t index);
const char *cli_heads_of_name(size_t index);
const char *cli_step_name(size_t index); /* stages, and behind them the block around attention */
const char *cli_language_name(size_t index);
const char *cli_format_name(size_t index); /* those of results, then those of pictures */
const char *cli_result_format_name(size_t index);
const char *cli_answer_format_name(size_t index); /* of answers with a table */
const char *cli_result_name(size_t index);        /* all that --select may name */
const char *cli_picture_format_name(size_t index);
const char *cli_switch_name(size_t index); /* on off */
const char *cli_shell_name(size_t index);  /* bash zsh fish */

/* The place among the names of switches. */
enum { CLI_SWITCH_ON = 0 };

enum { CLI_FORMAT_PICTURES = 11 }; /* the first format that is one of a picture */

/* Refuses a word that was to belong to a text without quotes. Returns false. */
bool cli_refuse_loose_word(struct error *error, const char *word);

#endif
