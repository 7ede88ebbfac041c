/* cli/options.c — the table of options, and reading arguments by it. */
#include "cli/options.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "lab/experiment.h"

enum option_type {
    TYPE_TEXT,
    TYPE_WHOLE,  /* low … high */
    TYPE_NUMBER, /* low … high */
    TYPE_NAME,   /* one of name_at */
    TYPE_FLAG,   /* no value */
    TYPE_SCALE,  /* on, off, or pixels per point */
    TYPE_SIZE,   /* WxH in points */
    TYPE_LATER,  /* known, but nothing other than its default is supported yet */
    TYPE_LATER_FLAG,
};

static const char *name_of_switch(size_t index)
{
    static const char *const names[] = {"on", "off"};
    return index < 2 ? names[index] : NULL;
}

static const char *name_of_background(size_t index)
{
    static const char *const names[] = {"theme", "white", "transparent"};
    return index < 3 ? names[index] : NULL;
}

static const char *name_of_text(size_t index)
{
    static const char *const names[] = {"text", "outlines"};
    return index < 2 ? names[index] : NULL;
}

static const char *name_of_range(size_t index)
{
    static const char *const names[] = {"auto", "0,1", "content"};
    return index < 3 ? names[index] : NULL;
}

static const char *name_of_normalise(size_t index)
{
    return index < LAB_NORMALISES ? lab_normalise_name((enum lab_normalise)index) : NULL;
}

static const char *name_of_list(size_t index)
{
    static const char *const names[] = {"stages", "views",   "colormaps",
                                        "masks",  "lessons", "themes"};
    return index < 6 ? names[index] : NULL;
}

static const char *name_of_renderer(size_t index)
{
    static const char *const names[] = {"auto", "gpu", "cpu"};
    return index < 3 ? names[index] : NULL;
}

/* clang-format off */
static const struct cli_option_row rows[CLI_OPTIONS] = {
    [CLI_LESSON] = {"lesson", TYPE_NAME, "NAME", NULL, CALL_EXPERIMENT, 0, 0, cli_lesson_name, "start from a built-in lesson; other options change it"},
    [CLI_TOKENS] = {"tokens", TYPE_TEXT, "\"a b c\"", NULL, CALL_EXPERIMENT, 0, 0, NULL, "words, split at white space; \\ before a space keeps it (cat dog lion)"},
    [CLI_TEXT_FILE] = {"text-file", TYPE_TEXT, "FILE", NULL, CALL_EXPERIMENT, 0, 0, NULL, "the same, read from a file; - is standard input"},
    [CLI_EMBEDDING] = {"embedding", TYPE_TEXT, "toy|random|onehot|FILE", "toy", CALL_EXPERIMENT, 0, 0, NULL, "where positions come from; FILE: .npy, or word vectors as text"},
    [CLI_D_MODEL] = {"d-model", TYPE_WHOLE, "N", "64", CALL_EXPERIMENT, 1, 4096, NULL, "dimensions of random embeddings"},
    [CLI_POSITIONS] = {"positions", TYPE_LATER, "none", "none", CALL_EXPERIMENT, 0, 0, NULL, NULL},
    [CLI_WEIGHTS] = {"weights", TYPE_TEXT, "identity|random|FILE.npz", "identity", CALL_EXPERIMENT, 0, 0, NULL, "FILE holds W_Q, W_K, W_V, W_O"},
    [CLI_SEED] = {"seed", TYPE_WHOLE, "N", "42", CALL_EXPERIMENT, 0, 9007199254740992.0, NULL, "for everything random"},
    [CLI_HEADS] = {"heads", TYPE_WHOLE, "H", "1", CALL_EXPERIMENT, 1, 64, NULL, "how many heads"},
    [CLI_ATTENTION] = {"attention", TYPE_LATER, "mha", "mha", CALL_EXPERIMENT, 0, 0, NULL, NULL},
    [CLI_D_K] = {"d-k", TYPE_WHOLE, "N", NULL, CALL_EXPERIMENT, 1, 4096, NULL, "size of queries and keys (d_model / heads if that divides)"},
    [CLI_D_V] = {"d-v", TYPE_WHOLE, "N", NULL, CALL_EXPERIMENT, 1, 4096, NULL, "size of values (the same)"},
    [CLI_SCALE] = {"scale", TYPE_SCALE, "on|off|S", "on", CALL_EXPERIMENT, 0.1, 16, name_of_switch, "divide scores by the root of d_k; a number: pixels per point (render: 2)"},
    [CLI_TEMPERATURE] = {"temperature", TYPE_NUMBER, "T", "1", CALL_EXPERIMENT, 0.01, 100, NULL, "scores are divided by it too"},
    [CLI_MASK] = {"mask", TYPE_TEXT, "none|causal", "none", CALL_EXPERIMENT, 0, 0, cli_mask_name, "which keys a query may see"},
    [CLI_CONTEXT] = {"context", TYPE_TEXT, "\"a b c\"", NULL, CALL_EXPERIMENT, 0, 0, NULL, "cross-attention: keys and values come from these words"},
    [CLI_Q] = {"q", TYPE_TEXT, "FILE.npy", NULL, CALL_EXPERIMENT, 0, 0, NULL, "raw queries [n,d] or [H,n,d]; goes with --k and --v"},
    [CLI_K] = {"k", TYPE_TEXT, "FILE.npy", NULL, CALL_EXPERIMENT, 0, 0, NULL, "raw keys"},
    [CLI_V] = {"v", TYPE_TEXT, "FILE.npy", NULL, CALL_EXPERIMENT, 0, 0, NULL, "raw values"},
    [CLI_FLASH] = {"flash", TYPE_LATER, "off", "off", CALL_EXPERIMENT, 0, 0, NULL, NULL},
    [CLI_NORMALISE] = {"normalise", TYPE_NAME, "softmax|share", "softmax", CALL_EXPERIMENT, 0, 0, name_of_normalise, "how a row of scores becomes weights; share: score / sum of scores"},
    [CLI_SUBTRACT_MAX] = {"subtract-max", TYPE_NAME, "on|off", "on", CALL_EXPERIMENT, 0, 0, name_of_switch, "off: softmax without subtracting the maximum may overflow"},
    [CLI_W_O] = {"w-o", TYPE_NAME, "on|off", "on", CALL_EXPERIMENT, 0, 0, name_of_switch, "off: leave the output projection out, where sizes allow it"},
    [CLI_RESIDUAL] = {"residual", TYPE_NAME, "on|off", "off", CALL_EXPERIMENT, 0, 0, name_of_switch, "on: add the input to the output, as X_plus_output"},
    [CLI_ISA] = {"isa", TYPE_TEXT, "NAME", NULL, CALL_EXPERIMENT | CALL_BENCH, 0, 0, NULL, "force an instruction set: ref, sse2, avx2, avx512, neon (the best)"},
    [CLI_THREADS] = {"threads", TYPE_WHOLE, "N", "1", CALL_EXPERIMENT | CALL_BENCH, 1, 1024, NULL, "at most so many threads; results do not depend on it"},
    [CLI_FORMAT] = {"format", TYPE_NAME, "F", NULL, CALL_COMPUTE | CALL_RENDER, 0, 0, cli_format_name, "what to write: json, csv, npz; of render png, svg, pdf (by the suffix of -o)"},
    [CLI_SELECT] = {"select", TYPE_TEXT, "A,B", NULL, CALL_COMPUTE, 0, 0, NULL, "only these results: weights,Z"},
    [CLI_OUT] = {"o", TYPE_TEXT, "OUT", NULL, CALL_COMPUTE | CALL_RENDER, 0, 0, NULL, "where to; - is standard output; render takes several"},
    [CLI_STAGE] = {"stage", TYPE_NAME, "S", NULL, CALL_SELECTION, 0, 0, cli_stage_name, "embed, project, score, scale, softmax, blend or output (score)"},
    [CLI_VIEW] = {"view", TYPE_NAME, "V", "window", CALL_RENDER, 0, 0, cli_view_name, "the whole window, or one panel of it"},
    [CLI_HEAD] = {"head", TYPE_TEXT, "H", NULL, CALL_SELECTION, 0, 0, NULL, "the selected head, from 1; L0H0 counts from 0"},
    [CLI_LAYER] = {"layer", TYPE_LATER, "1", "1", CALL_SELECTION, 0, 0, NULL, NULL},
    [CLI_QUERY] = {"query", TYPE_TEXT, "I", NULL, CALL_SELECTION, 0, 0, NULL, "the selected query: a number from 1, or a token"},
    [CLI_KEY] = {"key", TYPE_TEXT, "J", NULL, CALL_SELECTION, 0, 0, NULL, "the selected key: a number from 1, or a token"},
    [CLI_PROGRESS] = {"progress", TYPE_NUMBER, "T", "1", CALL_RENDER, 0, 1, NULL, "moment inside the stage"},
    [CLI_SIZE] = {"size", TYPE_SIZE, "WxH", "1440x900", CALL_PICTURE, 1, 8192, NULL, "points; or 85mmx60mm, 6x4in, 12x8cm"},
    [CLI_THEME] = {"theme", TYPE_NAME, "light|dark", NULL, CALL_PICTURE, 0, 0, cli_theme_name, "colours (light; the window: as the desktop)"},
    [CLI_COLORMAP] = {"colormap", TYPE_NAME, "NAME", NULL, CALL_RENDER, 0, 0, cli_colormap_name, "for weights or for signed numbers (by theme); see --list colormaps"},
    [CLI_CAMERA] = {"camera", TYPE_TEXT, "AZ,EL,ZOOM", NULL, CALL_RENDER, 0, 0, NULL, "the 3-D view, in degrees (as the window starts)"},
    [CLI_RENDERER] = {"renderer", TYPE_NAME, "auto|gpu|cpu", "auto", CALL_WINDOW, 0, 0, name_of_renderer, "what draws the window"},
    [CLI_DPI] = {"dpi", TYPE_NUMBER, "D", NULL, CALL_RENDER, 7.2, 1152, NULL, "pixels an inch instead of --scale: 72 is one pixel per point"},
    [CLI_BACKGROUND] = {"background", TYPE_NAME, "B", "theme", CALL_RENDER, 0, 0, name_of_background, "theme, white or transparent"},
    [CLI_CROP] = {"crop", TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "only what there is to see, and a little margin"},
    [CLI_TEXT] = {"text", TYPE_NAME, "text|outlines", "text", CALL_RENDER, 0, 0, name_of_text, "letters in SVG and PDF: as text, or as shapes"},
    [CLI_METADATA] = {"metadata", TYPE_NAME, "on|off", "on", CALL_RENDER, 0, 0, name_of_switch, "the experiment and an alternative text inside the picture"},
    [CLI_RANGE] = {"range", TYPE_NAME, "auto|0,1|content", "auto", CALL_RENDER, 0, 0, name_of_range, "what the colours of weights reach to: 1, or the largest weight"},
    [CLI_VALUES] = {"values", TYPE_LATER, "auto", "auto", CALL_RENDER, 0, 0, NULL, NULL},
    [CLI_DECIMALS] = {"decimals", TYPE_LATER, "2", "2", CALL_RENDER, 0, 0, NULL, NULL},
    [CLI_PRESENTER] = {"presenter", TYPE_LATER_FLAG, NULL, NULL, CALL_PICTURE, 0, 0, NULL, NULL},
    [CLI_ALL_HEADS] = {"all-heads", TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "a picture of every head; the name in -o holds {head}"},
    [CLI_ALL_LAYERS] = {"all-layers", TYPE_LATER_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, NULL},
    [CLI_ALL_STAGES] = {"all-stages", TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "a picture of every stage; the name in -o holds {stage}"},
    [CLI_WORKSHEET] = {"worksheet", TYPE_LATER_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, NULL},
    [CLI_FROM] = {"from", TYPE_LATER, "S", NULL, CALL_RENDER, 0, 0, NULL, NULL},
    [CLI_TO] = {"to", TYPE_LATER, "S", NULL, CALL_RENDER, 0, 0, NULL, NULL},
    [CLI_FPS] = {"fps", TYPE_LATER, "N", NULL, CALL_RENDER, 0, 0, NULL, NULL},
    [CLI_JSON] = {"json", TYPE_FLAG, NULL, NULL, CALL_LESSONS | CALL_LIST | CALL_WINDOW | CALL_BENCH, 0, 0, NULL, "as JSON (with --version, --list, lessons and bench)"},
    [CLI_LIST] = {"list", TYPE_NAME, "WHAT", NULL, CALL_WINDOW, 0, 0, name_of_list, "list stages, views, colormaps, masks, lessons or themes"},
    [CLI_QUIET] = {"quiet", TYPE_FLAG, NULL, NULL, CALL_ALL, 0, 0, NULL, "no warnings"},
    [CLI_VERBOSE] = {"verbose", TYPE_FLAG, NULL, NULL, CALL_ALL, 0, 0, NULL, "say how long it took"},
    [CLI_HELP] = {"help", TYPE_FLAG, NULL, NULL, CALL_ALL, 0, 0, NULL, "this text"},
    [CLI_VERSION] = {"version", TYPE_FLAG, NULL, NULL, CALL_WINDOW, 0, 0, NULL, "version, libraries and instruction sets"},
};
/* clang-format on */

const struct cli_option_row *cli_option_row(enum cli_option option)
{
    return &rows[option];
}

static const char *option_name(size_t index)
{
    return index < CLI_OPTIONS ? rows[index].name : NULL;
}

static const char *dashes(enum cli_option option)
{
    return option == CLI_OUT ? "-" : "--";
}

static bool out_of_range(struct error *error, enum cli_option option, const char *written,
                         const char *kind)
{
    return error_set(error, ERROR_USAGE, "%s%s must be a %s from %g to %g, not \"%.40s\".",
                     dashes(option), rows[option].name, kind, rows[option].low, rows[option].high,
                     written);
}

static bool read_whole(struct cli_value *value, enum cli_option option, struct error *error)
{
    if (!text_to_u64(value->text, &value->whole) || (double)value->whole < rows[option].low ||
        (double)value->whole > rows[option].high) {
        return out_of_range(error, option, value->text, "whole number");
    }
    return true;
}

static bool read_number(struct cli_value *value, enum cli_option option, struct error *error)
{
    if (!text_to_double(value->text, &value->number) || !(value->number >= rows[option].low) ||
        !(value->number <= rows[option].high)) {
        return out_of_range(error, option, value->text, "number");
    }
    return true;
}

static bool read_name(struct cli_value *value, enum cli_option option, struct error *error)
{
    for (size_t n = 0; rows[option].name_at(n) != NULL; n++) {
        if (strcmp(rows[option].name_at(n), value->text) == 0) {
            value->whole = n;
            return true;
        }
    }
    return cli_unknown(error, rows[option].name, value->text, rows[option].name_at);
}

/* on and off are the experiment's, and stand in `whole` with `second` 1; a number is the picture's
 * and stands in `number`, so that both may be given. */
static bool read_scale(struct cli_value *value, enum cli_option option, struct error *error)
{
    double number = 0;
    if (text_to_double(value->text, &number)) {
        value->number = number;
        return (number >= rows[option].low && number <= rows[option].high) ||
               out_of_range(error, option, value->text, "number");
    }
    for (uint64_t n = 0; n < 2; n++) {
        if (strcmp(name_of_switch(n), value->text) == 0) {
            value->whole = n;
            value->second = 1;
            return true;
        }
    }
    return error_set(error, ERROR_USAGE, "--scale is on, off or pixels per point, not \"%.40s\".",
                     value->text);
}

/* "85mm" in points. The unit that is named first, from the end, holds for what names none: *unit. */
static bool read_length(const char *text, size_t letters, double *unit, double *points)
{
    static const struct {
        const char *name;
        double points;
    } units[] = {{"mm", 72 / 25.4}, {"cm", 72 / 2.54}, {"in", 72}, {"pt", 1}};
    char number[24] = "";
    if (letters >= sizeof number) {
        return false;
    }
    memcpy(number, text, letters);
    for (size_t u = 0; letters > 2 && u < sizeof units / sizeof units[0]; u++) {
        if (strcmp(number + letters - 2, units[u].name) == 0) {
            number[letters - 2] = '\0';
            *unit = units[u].points;
        }
    }
    if (!text_to_double(number, points)) {
        return false;
    }
    *points *= *unit;
    return true;
}

static bool read_size(struct cli_value *value, enum cli_option option, struct error *error)
{
    const double low = rows[option].low, high = rows[option].high;
    const char *const cross = strchr(value->text, 'x');
    double unit = 1;
    const bool reads =
        cross != NULL && read_length(cross + 1, strlen(cross + 1), &unit, &value->second) &&
        read_length(value->text, (size_t)(cross - value->text), &unit, &value->number);
    if (reads && value->number >= low && value->number <= high && value->second >= low &&
        value->second <= high) {
        return true;
    }
    return error_set(error, ERROR_USAGE,
                     "--size is WxH in points (or mm, cm, in), each from %g to %g points, not "
                     "\"%.40s\".",
                     low, high, value->text);
}

static bool read_later(struct cli_value *value, enum cli_option option, struct error *error)
{
    if (value->text != NULL && rows[option].preset != NULL &&
        strcmp(value->text, rows[option].preset) == 0) {
        return true;
    }
    return error_set(error, ERROR_USAGE, "--%s%s%.60s is not supported in this version.",
                     rows[option].name, value->text == NULL ? "" : " ",
                     value->text == NULL ? "" : value->text);
}

static bool read_value(struct cli_value *value, enum cli_option option, struct error *error)
{
    switch ((enum option_type)rows[option].type) {
    case TYPE_WHOLE:
        return read_whole(value, option, error);
    case TYPE_NUMBER:
        return read_number(value, option, error);
    case TYPE_NAME:
        return read_name(value, option, error);
    case TYPE_SCALE:
        return read_scale(value, option, error);
    case TYPE_SIZE:
        return read_size(value, option, error);
    case TYPE_LATER:
    case TYPE_LATER_FLAG:
        return read_later(value, option, error);
    case TYPE_TEXT:
    case TYPE_FLAG:
        break;
    }
    return true;
}

/* The option an argument names; CLI_OPTIONS: none. *value: behind "=", or NULL. */
static enum cli_option find_option(const char *argument, const char **value)
{
    static const char *const short_names[][2] = {{"-o", "o"}, {"-h", "help"}};
    *value = NULL;
    for (size_t s = 0; s < sizeof short_names / sizeof short_names[0]; s++) {
        if (strcmp(argument, short_names[s][0]) == 0) {
            return s == 0 ? CLI_OUT : CLI_HELP;
        }
    }
    if (strncmp(argument, "--", 2) != 0) {
        return CLI_OPTIONS;
    }
    const char *const name = argument + 2;
    const char *const equals = strchr(name, '=');
    const size_t letters = equals == NULL ? strlen(name) : (size_t)(equals - name);
    for (size_t o = 0; o < CLI_OPTIONS; o++) {
        if (o != CLI_OUT && strlen(rows[o].name) == letters &&
            memcmp(rows[o].name, name, letters) == 0) {
            *value = equals == NULL ? NULL : equals + 1;
            return (enum cli_option)o;
        }
    }
    return CLI_OPTIONS;
}

static bool unknown_option(const char *argument, struct error *error)
{
    char name[65] = "";
    const char *const letters = argument + strspn(argument, "-");
    const size_t length = strcspn(letters, "=");
    memcpy(name, letters, length < sizeof name ? length : sizeof name - 1);
    const char *const nearest = cli_nearest(name, option_name);
    if (nearest != NULL && strcmp(nearest, "o") != 0) {
        return error_set(error, ERROR_USAGE, "There is no option %.66s; did you mean --%s?",
                         argument, nearest);
    }
    return error_set(error, ERROR_USAGE, "There is no option %.66s; --help lists them.", argument);
}

static void set_presets(struct cli_options *options)
{
    *options = (struct cli_options){.file = NULL};
    for (size_t o = 0; o < CLI_OPTIONS; o++) {
        options->value[o].text = rows[o].preset;
        if (rows[o].preset != NULL && rows[o].type != TYPE_SCALE) {
            read_value(&options->value[o], (enum cli_option)o, NULL);
        }
    }
}

/* --scale may be given twice, once for the scores and once for the pixels; the last of each counts.
 */
static bool take_option(struct cli_options *options, enum cli_option option, const char *text,
                        struct error *error)
{
    struct cli_value *const value = &options->value[option];
    if (option == CLI_OUT) {
        if (options->outs == CLI_OUTS_MAX) {
            return error_set(error, ERROR_USAGE, "At most %d times -o.", CLI_OUTS_MAX);
        }
        options->out[options->outs++] = text;
    }
    value->text = text;
    value->given = true;
    return read_value(value, option, error);
}

bool cli_options_read(struct cli_options *options, unsigned call, int argc, char **argv, int first,
                      struct error *error)
{
    set_presets(options);
    bool only_files = false;
    for (int a = first; a < argc; a++) {
        const char *const argument = argv[a];
        if (only_files || argument[0] != '-' || argument[1] == '\0') {
            if (options->file != NULL) {
                return error_set(error, ERROR_USAGE,
                                 "One file at a time: \"%.60s\" is one too many.", argument);
            }
            options->file = argument;
            continue;
        }
        if (strcmp(argument, "--") == 0) {
            only_files = true;
            continue;
        }
        const char *text = NULL;
        const enum cli_option option = find_option(argument, &text);
        if (option == CLI_OPTIONS) {
            return unknown_option(argument, error);
        }
        if ((rows[option].calls & call) == 0) {
            return error_set(error, ERROR_USAGE,
                             "%s%s does not belong to this call; see its --help.", dashes(option),
                             rows[option].name);
        }
        if (rows[option].argument == NULL && text != NULL) {
            return error_set(error, ERROR_USAGE, "--%s takes no value.", rows[option].name);
        }
        if (rows[option].argument != NULL && text == NULL) {
            if (a + 1 >= argc) {
                return error_set(error, ERROR_USAGE, "%s%s needs a value: %s.", dashes(option),
                                 rows[option].name, rows[option].argument);
            }
            text = argv[++a];
        }
        if (!take_option(options, option, text, error)) {
            return false;
        }
        if (options->value[CLI_SCALE].number > 0 && (call & CALL_PICTURE) == 0) {
            return error_set(error, ERROR_USAGE, "--scale is on or off here, not \"%.40s\".", text);
        }
        if (options->outs > 1 && (call & CALL_RENDER) == 0) {
            return error_set(error, ERROR_USAGE, "One -o is enough: only render takes several.");
        }
    }
    return true;
}
