/* cli/effects.c — where each option works. An option that would change nothing is an error that
 * says where it works, because silence would look like success. */
#include <stdio.h>
#include <string.h>

#include "canvas/types/colour.h"
#include "cli/calls.h"
#include "cli/subject.h"

/* ---- pictures -------------------------------------------------------------------------------- */

/* Stages as bits, for effects that depend on the stage. */
enum {
    AT_ALL = (1 << LAB_STAGES) - 1,
    AT_SCORES = 1 << LAB_SCORE | 1 << LAB_SCALE,
    AT_CHANGES = 1 << LAB_SCALE | 1 << LAB_SOFTMAX,
    AT_SHARES = 1 << LAB_SOFTMAX | 1 << LAB_BLEND,
    AT_NUMBERS = AT_ALL & ~(1 << LAB_SOFTMAX)
};

static const char WEIGHTS[] = "weights", SIGNED[] = "signed numbers";
static const char OFF[] = "off"; /* another text in its place works everywhere */

/* A view that is not named here does not know the option. The stage counts in those that show one
 * stage: stage and matrix. */
static const struct effect {
    enum cli_option option;
    const char *views;
    unsigned stages;
    const char *of; /* of --colormap and --range: which colours they mean; of --caption: OFF */
} effects[] = {
    {CLI_LINES, "window heads head", AT_ALL, NULL},
    {CLI_CELLS, "window stage", AT_SCORES, NULL},
    {CLI_OVERVIEW, "window stage", AT_ALL, NULL},
    {CLI_CHANGE, "window stage", AT_CHANGES, NULL},
    {CLI_CAMERA, "window space", AT_ALL, NULL},
    {CLI_MARKS, "window stage space heads head matrix formula glance kinds costs training", AT_ALL,
     NULL},
    {CLI_PRESENTER, "window stage space heads head matrix formula decode", AT_ALL, NULL},
    {CLI_VALUES, "window stage heads head matrix", AT_ALL, NULL},
    {CLI_NUMBERS, "window stage heads head matrix", AT_ALL, NULL},
    {CLI_DECIMALS, "window stage heads head matrix", AT_ALL, NULL},
    {CLI_COLOURBAR, "window heads head matrix glance", AT_ALL, NULL},
    {CLI_TITLE,
     "window stage space heads head matrix glance kinds decode costs training "
     "attribution effects lens patch",
     AT_ALL, NULL},
    {CLI_CAPTION, "window stage matrix kinds", AT_ALL, OFF},
    {CLI_AGAINST, "matrix", AT_ALL, NULL},
    {CLI_AGAINST_LESSON, "matrix", AT_ALL, NULL},
    {CLI_X_TITLE, "heads head matrix training", AT_ALL, NULL},
    {CLI_Y_TITLE, "heads head matrix", AT_ALL, NULL},
    {CLI_BAR_TITLE, "matrix", AT_ALL, NULL},
    {CLI_STEP_AXIS, "window training", AT_ALL, NULL},
    {CLI_GAP, "stage heads head matrix kinds", AT_ALL, NULL},
    {CLI_COLOURS, "window stage heads head matrix kinds glance", AT_SHARES, NULL},
    {CLI_SINKS, "glance", AT_ALL, NULL},
    {CLI_WEIGHING, "glance", AT_ALL, NULL},
    {CLI_PROGRESS, "window stage space heads head", AT_ALL, NULL},
    {CLI_HEAD, "window stage space heads head matrix formula kinds decode glance circuit", AT_ALL,
     NULL},
    {CLI_LAYER, "window stage space heads head matrix formula kinds decode costs glance", AT_ALL,
     NULL},
    {CLI_ALL_HEADS, "window stage space heads head matrix formula kinds decode glance", AT_ALL,
     NULL},
    {CLI_ALL_LAYERS, "window stage space heads head matrix formula kinds decode", AT_ALL, NULL},
    {CLI_ALL_STAGES, "window stage space matrix formula", AT_ALL, NULL},
    {CLI_QUERY, "window stage space heads head matrix formula", AT_ALL, NULL},
    {CLI_KEY, "window stage space heads head matrix formula", AT_ALL, NULL},
    {CLI_WORD, "why attribution effects lens patch blame", AT_ALL, NULL},
    {CLI_RIVAL, "why attribution effects patch", AT_ALL, NULL},
    {CLI_CHANGED, "patch", AT_ALL, NULL},
    {CLI_WHAT, "patch", AT_ALL, NULL},
    {CLI_QUERIES, "window stage space heads head matrix formula", AT_ALL, NULL},
    {CLI_ASIDE, "window stage space heads head matrix", AT_ALL, NULL},
    {CLI_COLORMAP, "window stage heads head matrix kinds decode glance", AT_SHARES, WEIGHTS},
    {CLI_COLORMAP, "window stage matrix", AT_NUMBERS, SIGNED},
    {CLI_RANGE, "window stage heads head matrix kinds glance", AT_SHARES, WEIGHTS},
    {CLI_RANGE, "window stage matrix", AT_NUMBERS, SIGNED},
};

enum { EFFECTS = sizeof effects / sizeof effects[0] };

static bool is_listed(const char *list, const char *name)
{
    const size_t letters = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += letters) {
        if ((at == list || at[-1] == ' ') && (at[letters] == ' ' || at[letters] == '\0')) {
            return true;
        }
    }
    return false;
}

/* "window, heads and head" of "window heads head". */
static void write_list(char *list, size_t size, const char *names)
{
    list[0] = '\0';
    for (const char *at = names; *at != '\0';) {
        const size_t letters = strcspn(at, " ");
        const bool last = at[letters] == '\0';
        const size_t length = strlen(list);
        snprintf(list + length, size - length, "%s%.*s",
                 at == names ? ""
                 : last      ? " and "
                             : ", ",
                 (int)letters, at);
        at += letters + (last ? 0 : 1);
    }
}

/* The stages of an option in a view: the matrix that blending ends in is of signed numbers. */
static unsigned stages_in(const struct effect *effect, const char *view)
{
    const bool is_matrix = strcmp(view, "matrix") == 0;
    return is_matrix && effect->stages == AT_SHARES ? 1u << LAB_SOFTMAX : effect->stages;
}

/* Says whether a matrix is shown as it is given, in the colours of signed numbers. */
static bool is_raw(const struct cli_options *options)
{
    const struct cli_value *const reading = &options->value[CLI_READING];
    return reading->given && reading->whole + 1 == LAB_DUMP_AS_RAW;
}

/* Says which numbers the given range or map is for. */
static const char *numbers_of(const struct cli_options *options, enum cli_option option)
{
    const char *const text = options->value[option].text;
    if (option == CLI_CAPTION) {
        return strcmp(text, OFF) == 0 ? OFF : "";
    }
    if (option == CLI_COLORMAP) {
        return colourmap_find(text)->kind == COLOURMAP_SIGNED ? SIGNED : WEIGHTS;
    }
    return text[0] == '-' ? SIGNED : WEIGHTS;
}

/* Says which numbers they are in the picture: a raw matrix stands where weights do. */
static const char *numbers_as_drawn(const struct cli_options *options, enum cli_option option)
{
    return is_raw(options) && option != CLI_CAPTION ? WEIGHTS : numbers_of(options, option);
}

/* Refuses what is for shares in a matrix that has none. */
static bool check_raw(const struct cli_options *options, struct error *error)
{
    static const struct {
        enum cli_option option;
        const char *text; /* that is refused; NULL: any */
        const char *why;
    } shares[] = {
        {CLI_COLOURS, "log", "numbers on both sides of 0 have no logarithm"},
        {CLI_COLORMAP, "", "its numbers have signed colours: --colormap rdbu or puor"},
        {CLI_RANGE, "", "its colours go as far on both sides of 0: --range -4,4"},
        {CLI_SINKS, NULL, "only weights have sinks"},
    };
    for (size_t s = 0; is_raw(options) && s < sizeof shares / sizeof *shares; s++) {
        const enum cli_option option = shares[s].option;
        const char *const text = shares[s].text;
        const struct cli_value *const value = &options->value[option];
        const bool is_meant = text == NULL ? value->given
                              : text[0] == '\0'
                                  ? value->given && numbers_of(options, option) == WEIGHTS
                                  : value->given && strcmp(value->text, text) == 0;
        if (is_meant) {
            return error_set(error, ERROR_USAGE, "--%s does not go with --reading raw: %s.",
                             cli_option_row(option)->name, shares[s].why);
        }
    }
    return true;
}

/* Says whether the option's value is its default, which is accepted everywhere. */
static bool is_preset(const struct cli_options *options, enum cli_option option)
{
    const char *const preset = cli_option_row(option)->preset;
    return !options->value[option].given ||
           (preset != NULL && strcmp(options->value[option].text, preset) == 0);
}

static bool is_of_cells(enum cli_option option)
{
    return option == CLI_VALUES || option == CLI_NUMBERS || option == CLI_DECIMALS ||
           option == CLI_COLOURBAR || option == CLI_COLOURS || option == CLI_COLORMAP ||
           option == CLI_RANGE || option == CLI_X_TITLE || option == CLI_Y_TITLE;
}

/* Refuses an option that another one leaves nothing to do. */
static bool check_pairs(const struct cli_value *value, const char *view, struct error *error)
{
    static const struct {
        enum cli_option option, other;
        const char *text; /* of the other */
        const char *views, *why;
    } pairs[] = {
        {CLI_DECIMALS, CLI_VALUES, "off", "window stage heads head matrix", "there are no numbers"},
        {CLI_DECIMALS, CLI_NUMBERS, "none", "window stage heads head matrix",
         "there are no numbers"},
        {CLI_BAR_TITLE, CLI_COLOURBAR, "off", "matrix", "there is no bar"},
        {CLI_QUERY, CLI_MARKS, "off", "heads head matrix", "nothing is marked"},
        {CLI_KEY, CLI_MARKS, "off", "heads head matrix", "nothing is marked"},
        {CLI_HEAD, CLI_MARKS, "off", "heads glance", "nothing is marked"},
        {CLI_ALL_HEADS, CLI_MARKS, "off", "heads glance", "nothing is marked"},
    };
    const bool lines = value[CLI_LINES].given; /* those of one head */
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        const enum cli_option option = pairs[p].option;
        const struct cli_value *const other = &value[pairs[p].other];
        const bool of_head = option == CLI_HEAD || option == CLI_ALL_HEADS;
        const bool says = other->text != NULL && strcmp(other->text, pairs[p].text) == 0;
        if (value[option].given && says && !(lines && of_head) && is_listed(pairs[p].views, view)) {
            return error_set(error, ERROR_USAGE, "--%s changes nothing with --%s %s: %s.",
                             cli_option_row(pairs[p].option)->name,
                             cli_option_row(pairs[p].other)->name, pairs[p].text, pairs[p].why);
        }
    }
    if (value[CLI_CROP].given && value[CLI_SIZE].given && !(value[CLI_SIZE].second > 0)) {
        return error_set(error, ERROR_USAGE,
                         "--crop changes nothing with a width alone, which is as high as what is "
                         "drawn: it is for --size WxH.");
    }
    /* A view that does not follow the play is the same in every picture of one stage. */
    static const char moving[] = "window stage space heads head";
    if (value[CLI_FROM].given && value[CLI_TO].given &&
        value[CLI_FROM].whole == value[CLI_TO].whole && !is_listed(moving, view)) {
        return error_set(
            error, ERROR_USAGE,
            "All pictures of one stage are the same in --view %s: it is window, stage, "
            "space, heads or head that move.",
            view);
    }
    return true;
}

/* Refuses what would change an experiment that the view does not compute. */
static bool check_fixed(const struct cli_options *options, struct error *error)
{
    static const struct {
        const char *view, *why;
        bool has_words; /* the call names them all the same */
    } fixed[] = {
        {"training", "whose curves are of the weights as they were learned", false},
        {"blame", "whose lines taught the weights as they were learned", false},
        {"circuit", "which is of a head's weights alone", true},
    };
    for (size_t f = 0; f < sizeof fixed / sizeof *fixed; f++) {
        const bool here = strcmp(options->value[CLI_VIEW].text, fixed[f].view) == 0;
        for (size_t o = CLI_TOKENS; here && o < CLI_ISA; o++) {
            const enum cli_option option = (enum cli_option)o;
            const struct cli_value *const value = &options->value[o];
            const bool is_word = option == CLI_TOKENS || option == CLI_TEXT_FILE;
            const bool is_param = o >= CLI_PARAMS || option == CLI_GENERATE;
            /* A number is the picture's scale. */
            const bool own = option == CLI_PARAM(SCALE) ? value->second > 0 : value->given;
            if (value->given && own && !is_preset(options, option) &&
                (is_param || (is_word && !fixed[f].has_words))) {
                return error_set(error, ERROR_USAGE,
                                 "--%s changes nothing in --view %s, %s: it is for views of what "
                                 "is computed, such as stage and matrix.",
                                 cli_option_row(option)->name, fixed[f].view, fixed[f].why);
            }
        }
    }
    return true;
}

bool cli_check_picture(const struct cli_options *options, enum lab_stage stage, struct error *error)
{
    const struct cli_value *const value = options->value;
    const char *const view = value[CLI_VIEW].text;
    const bool one_stage = strcmp(view, "stage") == 0 || strcmp(view, "matrix") == 0;
    const bool moves = value[CLI_ALL_STAGES].given || value[CLI_FROM].given || value[CLI_TO].given;
    const bool glance = strcmp(view, "glance") == 0;
    const bool lines = value[CLI_LINES].given && strcmp(view, "window") != 0;
    char list[160];
    if (!check_pairs(value, view, error) || !check_raw(options, error) ||
        !check_fixed(options, error)) {
        return false;
    }
    for (size_t e = 0; e < EFFECTS; e++) {
        const struct effect *const effect = &effects[e];
        const char *const name = cli_option_row(effect->option)->name;
        const char *const linked = effect->of == NULL ? "" : effect->of == OFF ? " " : " of ";
        if (is_preset(options, effect->option) || value[CLI_WORKSHEET].given ||
            (effect->of != NULL && effect->of != numbers_as_drawn(options, effect->option))) {
            continue;
        }
        if (lines && is_of_cells(effect->option)) {
            return error_set(error, ERROR_USAGE,
                             "--%s changes nothing with --lines: it is for cells.", name);
        }
        if (effect->option == CLI_COLOURBAR && glance && !value[CLI_FIGURE].given) {
            return error_set(error, ERROR_USAGE,
                             "--%s changes nothing in --view glance: it is for --figure there.",
                             name);
        }
        write_list(list, sizeof list, effect->views);
        if (!is_listed(effect->views, view)) {
            return error_set(error, ERROR_USAGE,
                             "--%s%s%s changes nothing in --view %s: it is for %s.", name, linked,
                             effect->of == NULL ? "" : effect->of, view, list);
        }
        const bool of_stage = one_stage || (effect->of == SIGNED && strcmp(view, "window") == 0);
        if (of_stage && !moves && (stages_in(effect, view) & 1u << stage) == 0) {
            return error_set(
                error, ERROR_USAGE, "--%s%s%s changes nothing at the stage %s of --view %s.", name,
                linked, effect->of == NULL ? "" : effect->of, lab_stage_row(stage)->name, view);
        }
    }
    return true;
}

/* ---- computing ------------------------------------------------------------------------------- */

enum { IDLE_MAX = 80 };

static bool refuse_option(enum cli_option option, const char *what, struct error *error)
{
    return error_set(error, ERROR_USAGE, "--%s changes nothing here: %s",
                     cli_option_row(option)->name, what);
}

bool cli_check_given(const struct cli_options *options, enum cli_source source, struct error *error)
{
    static const char *const sentences[CLI_SOURCES] = {
        [CLI_SOURCE_MODEL] =
            "compute gives what the model computes; render and describe lay it over "
            "a layer.",
        [CLI_SOURCE_ARRAYS] = "compute gives what the file holds; it is for experiments.",
        [CLI_SOURCE_WEIGHTS] = "the file holds the weights themselves; it is for experiments.",
    };
    for (size_t p = 0; p < lab_param_count(); p++) {
        const enum cli_option option = (enum cli_option)(CLI_PARAMS + (int)p);
        const struct cli_value *const value = &options->value[option];
        /* A number is the picture's scale. */
        const bool own = option == CLI_PARAM(SCALE) ? value->second > 0 : value->given;
        /* The mask's own check says where it works; --context names keys. */
        const bool taken = (option == CLI_PARAM(MASK) || option == CLI_PARAM(CONTEXT)) &&
                           source != CLI_SOURCE_MODEL;
        if (own && value->given && !taken) {
            return refuse_option(option, sentences[source], error);
        }
    }
    static const enum cli_option others[] = {CLI_LESSON, CLI_STEP};
    for (size_t o = 0; o < sizeof others / sizeof others[0]; o++) {
        if (options->value[others[o]].given) {
            return refuse_option(others[o], sentences[source], error);
        }
    }
    return true;
}

/* Options that only one kind of FILE knows. */
static const struct source {
    enum cli_option option;
    bool dump, model, experiment;
    const char *what; /* what they are for */
} sources[] = {
    {CLI_ARRAY, true, false, false, "a file of attention (.npy, .npz, .safetensors)"},
    {CLI_AXES, true, false, false, "a file of attention (.npy, .npz, .safetensors)"},
    {CLI_READING, true, false, false, "a file of attention (.npy, .npz, .safetensors)"},
    {CLI_KEYS_ARRAY, true, false, false, "a file of attention (.npy, .npz, .safetensors)"},
    {CLI_TOKENS_ARRAY, true, false, false, "a file of attention (.npy, .npz, .safetensors)"},
    {CLI_BATCH, true, false, false, "a file of attention (.npy, .npz, .safetensors)"},
    {CLI_WITHOUT, false, true, false, "a model"},
    {CLI_EDGE, false, true, false, "a model"},
    {CLI_SET, false, true, false, "a model"},
    {CLI_PATCH, false, true, false, "a model"},
    {CLI_HEADS_OF, false, true, false, "a model that reads one text and writes another"},
    {CLI_PARAM(CONTEXT), true, false, true, "experiments; a model reads one text"},
};

/* Refuses a second text for a model, which reads one. */
static bool check_texts(const struct cli_options *options, struct error *error)
{
    static const enum cli_option texts[] = {CLI_PROMPT, CLI_TOKENS, CLI_TEXT_FILE};
    const char *first = NULL;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        if (!options->value[texts[t]].given) {
            continue;
        }
        if (first != NULL) {
            return error_set(error, ERROR_USAGE, "A model reads one text: either --%s or --%s.",
                             first, cli_option_row(texts[t])->name);
        }
        first = cli_option_row(texts[t])->name;
    }
    return true;
}

bool cli_check_source(const struct cli_options *options, struct error *error)
{
    const struct cli_subject *const subject = options->subject;
    const bool model = subject->reads_text;
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
        const struct source *const source = &sources[s];
        const bool known = model                 ? source->model
                           : subject->has_arrays ? source->dump
                                                 : source->experiment;
        if (options->value[source->option].given && !known) {
            return error_set(error, ERROR_USAGE, "--%s changes nothing here: it is for %s.",
                             cli_option_row(source->option)->name, source->what);
        }
    }
    if (options->value[CLI_RENORMALISE].given && !options->value[CLI_ASIDE].given) {
        return refuse_option(CLI_RENORMALISE, "it goes with --aside.", error);
    }
    return !model || check_texts(options, error);
}

/* Says why a parameter changes nothing in this experiment; NULL: it may. */
static const char *idle_text(const struct lab_param *param, const struct lab_experiment *experiment,
                             char text[IDLE_MAX])
{
    const bool raw = lab_experiment_sizes(experiment).raw;
    const enum lab_param_id id = lab_param_id_of(param);
    char value[LAB_PARAM_TEXT_MAX];
    if (raw && (id == LAB_PARAM_SKIP_W_O || id == LAB_PARAM_RESIDUAL || id == LAB_PARAM_D_MODEL)) {
        return "raw queries, keys and values have no embeddings and no output projection.";
    }
    if (lab_param_applies(param, experiment)) {
        return NULL;
    }
    if (id == LAB_PARAM_SEED) {
        return "nothing is random; it is for --embedding random and --weights random.";
    }
    if (param->needs == 0) {
        return "it means nothing in this experiment.";
    }
    const struct lab_param *const other = lab_param_row(param->needs);
    snprintf(text, IDLE_MAX, "it is for --%s %s.", other->option,
             lab_param_text(other, param->needs_value, value));
    return text;
}

bool cli_check_params(const struct cli_options *options, const struct lab_experiment *experiment,
                      struct error *error)
{
    for (size_t p = 0; p < lab_param_count(); p++) {
        const enum cli_option option = (enum cli_option)(CLI_PARAMS + (int)p);
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        char text[IDLE_MAX];
        const char *const why = param->option == NULL || is_preset(options, option)
                                    ? NULL
                                    : idle_text(param, experiment, text);
        if (why != NULL) {
            return refuse_option(option, why, error);
        }
    }
    return true;
}
