/* cli/style.c — the file of --style: groups of members, a row each. */
#include "cli/style.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/calls.h"
#include "file/json.h"

enum { STYLE_BYTES_MAX = 1 << 20 };

/* A style that is being read, and how sentences name its file. */
struct reading {
    struct cli_style *style;
    const char *name;
    size_t folder; /* letters of the name before the file's own */
    struct error *error;
};

/* A group of the file: its members, and what reads each. */
struct group {
    const char *name;
    const char *const *member; /* ends with NULL */
    bool (*read)(struct reading *reading, const struct json *value, size_t member);
};

static const char *const font_members[] = {"words", "bold", "numbers", NULL};
static const char *const size_members[] = {"letters", "smallest", NULL};
static const char *const line_members[] = {"ticks", "outline", NULL};
static const char *const cell_members[] = {"gap", "corner", NULL};

/* The maps come first. */
static const char *const colour_members[] = {"weights", "signed", "ink",   "muted", "faint",
                                             "line",    "ground", "panel", "query", "key",
                                             "value",   "output", NULL};
enum { MAPS = CLI_STYLE_MAPS };

static struct colour *colour_of(struct ui_theme *theme, size_t index)
{
    struct colour *const colours[] = {&theme->ink,    &theme->muted, &theme->faint, &theme->line,
                                      &theme->ground, &theme->panel, &theme->query, &theme->key,
                                      &theme->value,  &theme->output};
    return index < sizeof colours / sizeof *colours ? colours[index] : NULL;
}

static bool refuse_member(const struct reading *reading, const char *group, const char *member,
                          const char *expected)
{
    return error_set(reading->error, ERROR_INPUT, "%.60s: \"%s\" in \"%s\" must be %s.",
                     reading->name, member, group, expected);
}

/* A font is a file where its name looks like one; it lies beside the style. */
static bool read_font(struct reading *reading, const struct json *value, size_t member)
{
    static const char *const suffixes[] = {".ttf", ".otf", ".ttc"};
    struct cli_style *const style = reading->style;
    const char *text = NULL;
    if (!json_text(value, &text) || text[0] == '\0') {
        return refuse_member(reading, "fonts", font_members[member],
                             "the name of a family or of a file, such as \"Times New Roman\"");
    }
    const size_t letters = strlen(text);
    bool is_file = strchr(text, '/') != NULL;
    for (size_t s = 0; s < sizeof suffixes / sizeof *suffixes; s++) {
        is_file = is_file || (letters > 4 && strcmp(text + letters - 4, suffixes[s]) == 0);
    }
    style->is_file[member] = is_file;
    style->font[member] =
        is_file && text[0] != '/'
            ? arena_format(&style->arena, "%.*s%s", (int)reading->folder, reading->name, text)
            : arena_text(&style->arena, text, letters);
    return style->font[member] != NULL ||
           error_set(reading->error, ERROR_MEMORY, "There is not enough memory for the style.");
}

static bool read_points(struct reading *reading, const struct json *value, const char *group,
                        const char *member, double low, double high, float *out)
{
    double number = 0;
    if (!json_number(value, &number) || !(number >= low && number <= high)) {
        char range[64];
        snprintf(range, sizeof range, "a number of points from %g to %g", low, high);
        return refuse_member(reading, group, member, range);
    }
    *out = (float)number;
    return true;
}

static bool read_letters(struct reading *reading, const struct json *value, size_t member)
{
    float *const sizes[] = {&reading->style->letters, &reading->style->smallest};
    return read_points(reading, value, "sizes", size_members[member], 3, 72, sizes[member]);
}

static bool read_line(struct reading *reading, const struct json *value, size_t member)
{
    struct view_look *const look = &reading->style->look;
    float *const lines[] = {&look->lines, &look->outline};
    return read_points(reading, value, "lines", line_members[member], member == 0 ? 0.5 : 0, 10,
                       lines[member]);
}

static bool read_cell(struct reading *reading, const struct json *value, size_t member)
{
    struct view_look *const look = &reading->style->look;
    float *const lengths[] = {&look->gap, &look->corner};
    bool *const given[] = {&look->has_gap, &look->has_corner};
    *given[member] = true;
    return read_points(reading, value, "cells", cell_members[member], 0, 20, lengths[member]);
}

/* Reads "#0b63c5". */
static bool read_hex(const struct json *value, unsigned *rgb)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *text = NULL;
    *rgb = 0;
    if (!json_text(value, &text) || text[0] != '#' || strlen(text) != 7) {
        return false;
    }
    for (const char *at = text + 1; *at != '\0'; at++) {
        const char *const digit = strchr(digits, *at);
        if (digit == NULL) {
            return false;
        }
        *rgb = *rgb << 4 | ((unsigned)(digit - digits) & 15);
    }
    return true;
}

static bool read_map(struct reading *reading, const struct json *value, size_t map)
{
    struct cli_style *const style = reading->style;
    const size_t count = json_count(value);
    bool reads =
        json_kind_of(value) == JSON_KIND_ARRAY && count >= 2 && count <= CLI_STYLE_STOPS_MAX;
    for (size_t s = 0; reads && s < count; s++) {
        reads = read_hex(json_element(value, s), &style->stop[map][s]);
    }
    if (!reads) {
        return refuse_member(
            reading, "colours", colour_members[map],
            "a list of 2 to 32 colours from low to high: [\"#ffffff\", \"#08519c\"]");
    }
    style->map[map] = (struct colourmap){
        .name = "style",
        .title = "Style",
        .kind = map == 0 ? COLOURMAP_UNSIGNED : COLOURMAP_SIGNED,
        .stops = count,
        .stop = style->stop[map],
    };
    return true;
}

static bool read_colour(struct reading *reading, const struct json *value, size_t member)
{
    unsigned rgb = 0;
    if (member < MAPS) {
        return read_map(reading, value, member);
    }
    if (!read_hex(value, &rgb)) {
        return refuse_member(reading, "colours", colour_members[member],
                             "a colour as #rrggbb, such as \"#1d2129\"");
    }
    *colour_of(&reading->style->theme, member - MAPS) = colour_hex(rgb);
    reading->style->given[member - MAPS] = reading->style->has_colours = true;
    return true;
}

static const struct group groups[] = {
    {"fonts", font_members, read_font},       {"sizes", size_members, read_letters},
    {"colours", colour_members, read_colour}, {"lines", line_members, read_line},
    {"cells", cell_members, read_cell},
};
enum { GROUPS = sizeof groups / sizeof *groups };

/* Refuses a name that is none, with those that there are. */
static bool refuse_name(const struct reading *reading, const char *written, const char *where,
                        const char *(*name_at)(const struct group *group, size_t index),
                        const struct group *group)
{
    char names[110] = "";
    for (size_t n = 0; name_at(group, n) != NULL; n++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", n == 0 ? "" : ", ",
                 name_at(group, n));
    }
    return error_set(reading->error, ERROR_INPUT, "%.40s: there is no \"%.20s\" in %s; it has %s.",
                     reading->name, written, where, names);
}

static const char *group_name(const struct group *group, size_t index)
{
    (void)group;
    return index < GROUPS ? groups[index].name : NULL;
}

static const char *member_name(const struct group *group, size_t index)
{
    return group->member[index];
}

static bool read_group(struct reading *reading, const struct group *group, const struct json *value)
{
    void *place = NULL;
    const char *key = NULL;
    const struct json *member = NULL;
    if (json_kind_of(value) != JSON_KIND_OBJECT) {
        return error_set(reading->error, ERROR_INPUT,
                         "%.60s: \"%s\" must be an object: {\"%s\": ...}.", reading->name,
                         group->name, group->member[0]);
    }
    while ((member = json_next_member(value, &place, &key)) != NULL) {
        size_t m = 0;
        while (group->member[m] != NULL && strcmp(group->member[m], key) != 0) {
            m++;
        }
        if (group->member[m] == NULL) {
            return refuse_name(reading, key, group->name, member_name, group);
        }
        if (!group->read(reading, member, m)) {
            return false;
        }
    }
    return true;
}

static bool read_groups(struct reading *reading, const struct json *tree)
{
    void *place = NULL;
    const char *key = NULL;
    const struct json *value = NULL;
    if (json_kind_of(tree) != JSON_KIND_OBJECT) {
        return error_set(reading->error, ERROR_INPUT,
                         "%.60s: a style is an object: {\"fonts\": {\"words\": \"Times New "
                         "Roman\"}}.",
                         reading->name);
    }
    while ((value = json_next_member(tree, &place, &key)) != NULL) {
        size_t g = 0;
        while (g < GROUPS && strcmp(groups[g].name, key) != 0) {
            g++;
        }
        if (g == GROUPS) {
            return refuse_name(reading, key, "a style", group_name, NULL);
        }
        if (!read_group(reading, &groups[g], value)) {
            return false;
        }
    }
    const struct cli_style *const style = reading->style;
    return !(style->letters > 0 && style->smallest > style->letters) ||
           error_set(reading->error, ERROR_INPUT,
                     "%.60s: \"smallest\" in \"sizes\" must not be larger than \"letters\".",
                     reading->name);
}

bool cli_style_parse(struct bytes text, const char *name, struct cli_style *style,
                     struct error *error)
{
    const char *const slash = strrchr(name, '/');
    struct error reason = {ERROR_NONE, 0, ""};
    struct json *const tree = json_parse(text, &reason);
    *style = (struct cli_style){0};
    struct reading reading = {style, name, slash == NULL ? 0 : (size_t)(slash - name) + 1, error};
    if (tree == NULL) {
        return error_set(error, reason.code, "%.60s: %s", name, reason.text);
    }
    const bool reads = read_groups(&reading, tree);
    json_release(tree);
    if (!reads) {
        cli_style_release(style);
    }
    return reads;
}

bool cli_style_read(const struct cli_options *options, struct cli_style *style, struct error *error)
{
    struct arena arena = {0};
    struct bytes text = {NULL, 0};
    const struct cli_value *const value = &options->value[CLI_STYLE];
    *style = (struct cli_style){0};
    const bool reads =
        !value->given || (file_read(value->text, STYLE_BYTES_MAX, &arena, &text, error) &&
                          cli_style_parse(text, value->text, style, error));
    arena_free(&arena);
    return reads;
}

void cli_style_release(struct cli_style *style)
{
    arena_free(&style->arena);
    *style = (struct cli_style){0};
}

bool cli_style_use_fonts(const struct cli_style *style, struct app_figure_renderer *renderer,
                         struct error *error)
{
    static const struct {
        enum font_face face;
        size_t font, otherwise; /* its own member, and the one in its place */
    } faces[] = {{FONT_WORDS, 0, 0},
                 {FONT_WORDS_MEDIUM, 0, 0},
                 {FONT_WORDS_BOLD, 1, 0},
                 {FONT_NUMBERS, 2, 2},
                 {FONT_NUMBERS_BOLD, 2, 2}};
    for (size_t f = 0; f < sizeof faces / sizeof *faces; f++) {
        const size_t font = style->font[faces[f].font] != NULL ? faces[f].font : faces[f].otherwise;
        if (style->font[font] != NULL &&
            !app_figure_renderer_use_font(renderer, faces[f].face, style->font[font],
                                          style->is_file[font], error)) {
            return false;
        }
    }
    return true;
}

void cli_style_apply(struct cli_style *style, struct app_state *state)
{
    const struct view_look asked = state->view.frame.look; /* by options */
    struct ui_theme theme = *state->theme;
    for (size_t c = 0; colour_of(&theme, c) != NULL; c++) {
        if (style->given[c]) {
            *colour_of(&theme, c) = *colour_of(&style->theme, c);
        }
    }
    if (style->has_colours) {
        style->theme = theme;
        state->theme = &style->theme;
    }
    if (style->map[0].stops > 0) {
        state->view.prefs.weights_map = &style->map[0];
    }
    if (style->map[1].stops > 0) {
        state->view.prefs.signed_map = &style->map[1];
    }
    state->view.frame.look = style->look;
    if (asked.has_gap) {
        state->view.frame.look.has_gap = true;
        state->view.frame.look.gap = asked.gap;
    }
}
