/* cli/options.c — reads arguments by the table of options. */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/system/folder.h"
#include "base/text.h"
#include "base/translate.h"

static const char *option_name(size_t index)
{
    const enum cli_option option = cli_option_at(index);
    return option < CLI_OPTIONS ? cli_option_row(option)->name : NULL;
}

const char *cli_option_dashes(enum cli_option option)
{
    return option == CLI_OUT ? "-" : "--";
}

/* Returns the row whose range a number of the option is checked against. */
static struct record_row range_of(enum cli_option option)
{
    const struct cli_option_row *const row = cli_option_row(option);
    const struct record_row *const member = cli_option_member(option);
    return (struct record_row){.type = row->type == CLI_TYPE_WHOLE ? RECORD_COUNT : RECORD_NUMBER,
                               .low = row->low,
                               .high = row->high,
                               .above_low = member != NULL && member->above_low,
                               .below_high = member != NULL && member->below_high};
}

/* Says whether the number that was written is one, and in the range of the option. */
static bool check_number(enum cli_option option, const char *written, bool is_number, double number,
                         struct error *error)
{
    const struct record_row range = range_of(option);
    const char *const kind = range.type == RECORD_COUNT ? "whole number" : "number";
    const bool is_closed = !range.above_low && range.high < RECORD_UNBOUNDED;
    struct arena arena = {0};
    const bool fits = is_number && record_is_in_range(&range, number);
    if (!fits) {
        (void)error_set(error, ERROR_USAGE,
                        is_closed ? "%s%s must be a %s from %s, not \"%.40s\"."
                                  : "%s%s must be a %s, %s, not \"%.40s\".",
                        cli_option_dashes(option), cli_option_row(option)->name, kind,
                        record_range(&range, &arena), written);
    }
    arena_free(&arena);
    return fits;
}

static bool read_whole(struct cli_value *value, enum cli_option option, struct error *error)
{
    const bool is_whole = text_to_u64(value->text, &value->whole);
    return check_number(option, value->text, is_whole, (double)value->whole, error);
}

static bool read_number(struct cli_value *value, enum cli_option option, struct error *error)
{
    const bool is_number = text_to_double(value->text, &value->number);
    return check_number(option, value->text, is_number, value->number, error);
}

static bool read_name(struct cli_value *value, enum cli_option option, struct error *error)
{
    for (size_t n = 0; cli_option_row(option)->name_at(n) != NULL; n++) {
        if (strcasecmp(cli_option_row(option)->name_at(n), value->text) == 0) {
            value->whole = n;
            value->text = cli_option_row(option)->name_at(n); /* "SOFTMAX" is softmax */
            return true;
        }
    }
    const struct language *const language =
        option == CLI_LANGUAGE ? language_find(value->text) : NULL;
    if (language != NULL) { /* "zh" is Chinese, "de_AT" German */
        value->text = language->code;
        return true;
    }
    if (option == CLI_TEXT) {
        return error_set(
            error, ERROR_USAGE,
            "--text is text, outlines or embedded here: how letters are written. What a model "
            "reads is given with --tokens or --text-file.");
    }
    const char *const kind = option == CLI_AGAINST_LESSON ? "lesson" : cli_option_row(option)->name;
    return cli_refuse_unknown(error, kind, value->text, cli_option_row(option)->name_at);
}

/* Reads --scale: on and off are the experiment's, in `whole` with `second` 1; a number is the
 * picture's, in `number`. So both may be given. */
static bool read_scale(struct cli_value *value, enum cli_option option, struct error *error)
{
    double number = 0;
    if (text_to_double(value->text, &number)) {
        value->number = number;
        return check_number(option, value->text, true, number, error);
    }
    for (uint64_t n = 0; cli_switch_name(n) != NULL; n++) {
        if (strcmp(cli_switch_name(n), value->text) == 0) {
            value->whole = n;
            value->second = 1;
            return true;
        }
    }
    return error_set(error, ERROR_USAGE, "--scale is on, off or pixels per point, not \"%.40s\".",
                     value->text);
}

/* Reads "85mm" in points. The unit of the last number also holds for numbers before it that have
 * none (*unit). */
static bool read_length(const char *text, size_t letters, double *unit, double *points)
{
    static const struct {
        const char *name;
        double points;
    } units[] = {{"mm", 72 / 25.4}, {"cm", 72 / 2.54}, {"in", 72}, {"pt", 1}};
    char number[24] = "";
    for (; letters > 0 && *text == ' '; text++) { /* "85mm x 60mm" */
        letters--;
    }
    while (letters > 0 && text[letters - 1] == ' ') {
        letters--;
    }
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
    const double low = cli_option_row(option)->low, high = cli_option_row(option)->high;
    const char *const cross = strchr(value->text, 'x');
    const double point = 1;
    double unit = point;
    const size_t letters = cross == NULL ? strlen(value->text) : (size_t)(cross - value->text);
    value->second = low;
    const bool reads =
        (cross == NULL || read_length(cross + 1, strlen(cross + 1), &unit, &value->second)) &&
        read_length(value->text, letters, &unit, &value->number);
    if (reads && value->number >= low && value->number <= high && value->second >= low &&
        value->second <= high) {
        value->second = cross == NULL ? 0 : value->second;
        value->whole = unit != point;
        return true;
    }
    return error_set(
        error, ERROR_USAGE,
        "--size is WxH in points (or mm, cm, in), or a width alone, from %g to %g points, not "
        "\"%.40s\".",
        low, high, value->text);
}

static bool read_value(struct cli_value *value, enum cli_option option, struct error *error)
{
    switch (cli_option_row(option)->type) {
    case CLI_TYPE_WHOLE:
        return read_whole(value, option, error);
    case CLI_TYPE_NUMBER:
        return read_number(value, option, error);
    case CLI_TYPE_NAME:
        return read_name(value, option, error);
    case CLI_TYPE_SCALE:
        return read_scale(value, option, error);
    case CLI_TYPE_SIZE:
        return read_size(value, option, error);
    case CLI_TYPE_TEXT:
    case CLI_TYPE_PATH:
    case CLI_TYPE_FLAG:
        break;
    }
    return true;
}

/* Finds the option that an argument names; CLI_OPTIONS: none. *value: behind "=", or NULL. Of two
 * options with one name it is the call's own. */
static enum cli_option find_option(const char *argument, unsigned call, const char **value)
{
    static const char *const short_names[] = {"-o", "-h", "-V"};
    static const enum cli_option options[] = {CLI_OUT, CLI_HELP, CLI_VERSION};
    *value = NULL;
    for (size_t s = 0; s < sizeof short_names / sizeof short_names[0]; s++) {
        if (strcmp(argument, short_names[s]) == 0) {
            return options[s];
        }
    }
    if (strncmp(argument, "-o", 2) == 0 &&
        argument[2] != '=') { /* "-oFILE", as compilers have it */
        *value = argument + 2;
        return CLI_OUT;
    }
    if (strncmp(argument, "--", 2) != 0) {
        return CLI_OPTIONS;
    }
    const char *const name = argument + 2;
    const char *const equals = strchr(name, '=');
    const size_t letters = equals == NULL ? strlen(name) : (size_t)(equals - name);
    enum cli_option found = CLI_OPTIONS;
    for (size_t p = 0; cli_option_at(p) != CLI_OPTIONS; p++) {
        const enum cli_option o = cli_option_at(p);
        const struct cli_option_row *const row = cli_option_row(o);
        if (o != CLI_OUT && strlen(row->name) == letters && memcmp(row->name, name, letters) == 0 &&
            (found == CLI_OPTIONS || (row->calls & call) != 0)) {
            *value = equals == NULL ? NULL : equals + 1;
            found = o;
        }
    }
    return found;
}

static bool refuse_option(enum cli_option option, struct error *error)
{
    return error_set(error, ERROR_USAGE, "%s%s does not belong to this call; see its --help.",
                     cli_option_dashes(option), cli_option_row(option)->name);
}

bool cli_options_check_call(const struct cli_options *options, unsigned call, struct error *error)
{
    for (size_t o = 0; o < CLI_OPTIONS; o++) {
        const enum cli_option option = (enum cli_option)o;
        if (options->value[o].given && (cli_option_row(option)->calls & call) == 0) {
            return refuse_option(option, error);
        }
    }
    return true;
}

static bool unknown_option(const char *argument, struct error *error)
{
    char name[65] = "";
    if (argument[0] == '-' && argument[1] != '-' && argument[1] != '\0' && argument[2] == '=') {
        return error_set(error, ERROR_USAGE,
                         "“=” goes with long options: write -%c %.60s (or -%c ./%.60s for a name "
                         "that begins with it).",
                         argument[1], argument + 3, argument[1], argument + 2);
    }
    const char *const letters = argument + strspn(argument, "-");
    const size_t length = strcspn(letters, "=");
    memcpy(name, letters, length < sizeof name ? length : sizeof name - 1);
    const char *const nearest = cli_nearest_name(name, option_name);
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
        options->value[o].text = cli_option_row((enum cli_option)o)->preset;
        if (cli_option_row((enum cli_option)o)->preset != NULL &&
            cli_option_row((enum cli_option)o)->type != CLI_TYPE_SCALE) {
            read_value(&options->value[o], (enum cli_option)o, NULL);
        }
    }
}

/* Sets the value of an option. --scale may be given twice, once for the scores and once for the
 * pixels; the last of each counts. */
static bool set_option(struct cli_options *options, enum cli_option option, const char *text,
                       struct error *error)
{
    struct cli_value *const value = &options->value[option];
    if (option >= CLI_WITHOUT && option <= CLI_PATCH) {
        if (options->wishes == CLI_WISHES_MAX) {
            return error_set(error, ERROR_USAGE,
                             "At most %d times --without, --edge, --set, --patch.", CLI_WISHES_MAX);
        }
        options->wish[options->wishes++] = (struct cli_wish){option, text};
    }
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

/* Checks what holds between an option and the call it is given to. */
static bool check_call(const struct cli_options *options, unsigned call, const char *text,
                       struct error *error)
{
    if (options->value[CLI_PARAM(SCALE)].number > 0 && (call & CALL_PICTURE) == 0) {
        return error_set(error, ERROR_USAGE, "--scale is on or off here, not \"%.40s\".", text);
    }
    if (!(options->value[CLI_SIZE].second > 0) && (call & CALL_RENDER) == 0) {
        return error_set(error, ERROR_USAGE, "--size is WxH here, not \"%.40s\".", text);
    }
    return options->outs <= 1 || (call & CALL_RENDER) != 0 ||
           error_set(error, ERROR_USAGE, "One -o is enough: only render takes several.");
}

/* Sets an option that another one implies, unless it is given. */
static void set_implied(struct cli_options *options, enum cli_option option, const char *text)
{
    struct cli_value *const value = &options->value[option];
    if (!value->given) {
        value->text = text;
        read_value(value, option, NULL);
    }
}

/* Says whether it is a figure of panels, which are never a whole window. */
static bool asks_for_panels(const struct cli_value *value)
{
    return value[CLI_PANELS].given || value[CLI_AGAINST].given || value[CLI_AGAINST_LESSON].given;
}

/* Makes a size in millimetres one of paper: of a figure, unless another view is named. */
static void set_paper_figure(struct cli_options *options, unsigned call)
{
    static const enum cli_option other[] = {CLI_VIEW, CLI_WORKSHEET, CLI_PRESENTER};
    const struct cli_value *const value = options->value;
    bool paper = (call & CALL_RENDER) != 0 && value[CLI_SIZE].given && value[CLI_SIZE].whole != 0;
    for (size_t o = 0; o < sizeof other / sizeof *other; o++) {
        paper = paper && !value[other[o]].given;
    }
    options->value[CLI_FIGURE].given =
        value[CLI_FIGURE].given || paper || asks_for_panels(options->value);
}

/* Sets the options that --figure stands for, and --lines, which the whole window has no room
 * for. */
static void set_figure_options(struct cli_options *options)
{
    static const struct {
        enum cli_option option;
        const char *text;
    } presets[] = {{CLI_TITLE, "off"},
                   {CLI_CAPTION, "off"},
                   {CLI_MARKS, "off"},
                   {CLI_RANGE, "content"},
                   {CLI_SIZE, "160mmx110mm"}};
    const struct cli_value *const value = options->value;
    const bool figure = value[CLI_FIGURE].given, lines = value[CLI_LINES].given;
    const bool stage = value[CLI_OVERVIEW].given || value[CLI_CHANGE].given;
    if (figure || lines) {
        set_implied(options, CLI_VIEW, lines ? "heads" : stage ? "stage" : "matrix");
    }
    if (asks_for_panels(value)) { /* as high as they need */
        set_implied(options, CLI_SIZE, "160mm");
    }
    const bool formula = strcmp(value[CLI_VIEW].text, "formula") == 0; /* of what is selected */
    for (size_t p = 0; figure && p < sizeof presets / sizeof *presets; p++) {
        if (presets[p].option == CLI_MARKS && formula) {
            continue;
        }
        if (presets[p].option != CLI_SIZE || !asks_for_panels(value)) {
            set_implied(options, presets[p].option, presets[p].text);
        }
    }
}

/* Reads an option and, where it takes one, its value: in the same argument or in `next` (*used is
 * true then). */
static bool read_option(struct cli_options *options, unsigned call, const char *argument,
                        const char *next, bool *used, struct error *error)
{
    const char *text = NULL;
    const enum cli_option option = find_option(argument, call, &text);
    *used = false;
    if (option == CLI_OPTIONS) {
        return unknown_option(argument, error);
    }
    const struct cli_option_row *const row = cli_option_row(option);
    if ((row->calls & call) == 0) {
        return refuse_option(option, error);
    }
    if (row->argument == NULL && text != NULL) {
        return error_set(error, ERROR_USAGE, "--%s takes no value.", row->name);
    }
    if (row->argument != NULL && text == NULL) {
        if (next == NULL) {
            return error_set(error, ERROR_USAGE, "%s%s needs a value: %s.",
                             cli_option_dashes(option), row->name, row->argument);
        }
        const char *value = NULL;
        if (next[0] == '-' && next[1] != '\0' && find_option(next, call, &value) != CLI_OPTIONS) {
            return error_set(error, ERROR_USAGE,
                             "%s%s needs a value: %s. What follows it is the option %.40s; a value "
                             "like that is joined: %s%s=%.40s.",
                             cli_option_dashes(option), row->name, row->argument, next,
                             cli_option_dashes(option), row->name, next);
        }
        text = next;
        *used = true;
    }
    return set_option(options, option, text, error) && check_call(options, call, text, error);
}

bool cli_refuse_loose_word(struct error *error, const char *word)
{
    return error_set(error, ERROR_USAGE,
                     "%.40s is no file; a text of several words stands in quotes: --tokens \"the "
                     "cat sat\".",
                     word);
}

static bool set_file(struct cli_options *options, unsigned call, const char *argument,
                     struct error *error)
{
    if ((call & CALL_FILE) == 0) {
        return error_set(error, ERROR_USAGE, "This call takes no file: \"%.60s\".", argument);
    }
    if (options->file != NULL && options->value[CLI_TOKENS].given) {
        return cli_refuse_loose_word(error, argument);
    }
    if (options->file != NULL && options->value[CLI_SIZE].given &&
        strcmp(options->file, "x") == 0) {
        return error_set(error, ERROR_USAGE, "A size is one word: --size %.20sx%.20s.",
                         options->value[CLI_SIZE].text, argument);
    }
    if (options->file != NULL) {
        return error_set(error, ERROR_USAGE, "One file at a time: \"%.60s\" is one too many.",
                         argument);
    }
    options->file = argument;
    return true;
}

/* Writes the path that an option takes, in its own word or the next one, with slashes. */
static void normalise_path(unsigned call, char *argument, char *next)
{
    const char *value = NULL;
    const enum cli_option option = find_option(argument, call, &value);
    if (option != CLI_OPTIONS && cli_option_row(option)->type == CLI_TYPE_PATH &&
        (value != NULL || next != NULL)) {
        system_path_normalise(value != NULL ? argument + (value - argument) : next);
    }
}

bool cli_options_read(struct cli_options *options, unsigned call, int argc, char **argv, int first,
                      struct error *error)
{
    set_presets(options);
    options->call = call;
    bool only_files = false;
    for (int a = first; a < argc; a++) {
        const char *const argument = argv[a];
        bool used = false;
        normalise_path(call, argv[a], a + 1 < argc ? argv[a + 1] : NULL);
        if (only_files || argument[0] != '-' || argument[1] == '\0') {
            system_path_normalise(argv[a]);
            if (!set_file(options, call, argument, error)) {
                return false;
            }
        } else if (strcmp(argument, "--") == 0) {
            only_files = true;
        } else if (!read_option(options, call, argument, a + 1 < argc ? argv[a + 1] : NULL, &used,
                                error)) {
            return false;
        }
        a += used ? 1 : 0;
    }
    set_paper_figure(options, call);
    set_figure_options(options);
    return true;
}
