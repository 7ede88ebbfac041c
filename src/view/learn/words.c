/* The movement of tokens: each token of the vocabulary at its place in the plane in which the
 * embedding is widest, or in which its kinds are apart, with its trail. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"

static const float HEADER = 40, DOT = 6, NAME = 12, LINE = 14, AROUND = 26;

/* The projection of places onto the panel. */
struct plane {
    struct rect area;
    struct point middle;
    float scale;
};

static struct plane fit_plane(const struct view_learn *learn, struct rect area)
{
    float low_x = 0, high_x = 0, low_y = 0, high_y = 0;
    for (size_t w = 0; w < learn->words; w++) {
        const struct view_learn_word *const word = &learn->word[w];
        for (size_t t = word->kind > 0 ? 0 : word->trail - 1; t < word->trail; t++) {
            low_x = fminf(low_x, word->place[t].x);
            high_x = fmaxf(high_x, word->place[t].x);
            low_y = fminf(low_y, word->place[t].y);
            high_y = fmaxf(high_y, word->place[t].y);
        }
    }
    const float wide = fmaxf(high_x - low_x, 1e-6f), high = fmaxf(high_y - low_y, 1e-6f);
    const float names = fminf(90, area.w * 0.2f); /* room for names right of the dots */
    return (struct plane){
        area,
        {(low_x + high_x) / 2, (low_y + high_y) / 2},
        fminf((area.w - 2 * AROUND - names) / wide, (area.h - 2 * AROUND) / high)};
}

static struct point place_on_panel(const struct plane *plane, struct point place)
{
    const float names = fminf(90, plane->area.w * 0.2f);
    return (struct point){
        plane->area.x + (plane->area.w - names) / 2 + (place.x - plane->middle.x) * plane->scale,
        plane->area.y + plane->area.h / 2 - (place.y - plane->middle.y) * plane->scale};
}

/* The colour of a token: kinds have the colours of the roles, which colour-blind people can tell
 * apart. */
static struct colour word_colour(const struct view *view, const struct view_learn_word *word)
{
    const size_t kind = word->kind;
    const struct ui_theme *const theme = view->ui->theme;
    const struct colour colours[] = {theme->muted,  theme->value,
                                     theme->key,    theme->query,
                                     theme->output, colour_mix(theme->key, theme->ink, 0.35f),
                                     theme->accent};
    const size_t count = sizeof colours / sizeof *colours;
    return colours[kind == 0 ? (word->is_here ? count - 1 : 0) : 1 + (kind - 1) % (count - 1)];
}

static void draw_trail(struct view *view, const struct plane *plane,
                       const struct view_learn_word *word, struct colour colour)
{
    struct point *const point = arena_array(view->arena, word->trail + 1, sizeof *point);
    for (size_t t = 0; point != NULL && t < word->trail; t++) {
        point[t] = place_on_panel(plane, word->place[t]);
    }
    if (point != NULL && word->trail > 1) {
        canvas_path(view->ui->canvas, point, word->trail, false,
                    &(struct paint){.stroke = colour_fade(colour, 0.35f), .width = 1.2f});
    }
}

/* The areas that names and dots occupy so far. */
struct names {
    struct rect *taken;
    size_t count, room;
};

static bool is_place_free(const struct names *names, struct rect place)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct rect other = names->taken[i];
        if (place.x < other.x + other.w && other.x < place.x + place.w &&
            place.y < other.y + other.h && other.y < place.y + place.h) {
            return false;
        }
    }
    return true;
}

/* Finds a place for a name: beside its dot, or as near below and above as there is room. */
static bool find_name_place(const struct names *names, struct rect area, struct point dot,
                            float wide, struct rect *place)
{
    enum { TRIES = 25 };
    for (int i = 0; i < TRIES * 2; i++) {
        const int far = i / 2;
        const float up = (float)((far + 1) / 2) * LINE * (far % 2 == 0 ? 1.0f : -1.0f);
        const float x = i % 2 == 0 ? dot.x + DOT + 6 : dot.x - DOT - 6 - wide;
        *place = (struct rect){x, dot.y - LINE / 2 + up, wide, LINE};
        const bool inside = x >= area.x && x + wide <= area.x + area.w && place->y >= area.y &&
                            place->y + LINE <= area.y + area.h;
        if (inside && is_place_free(names, *place)) {
            return true;
        }
    }
    return false;
}

/* Finds a place for a name outside the circle, on the ray from its middle through the dot. */
static bool find_radial_place(const struct names *names, const struct plane *plane,
                              struct point dot, float wide, struct rect *place)
{
    const struct point zero = place_on_panel(plane, (struct point){0, 0});
    const float x = dot.x - zero.x, y = dot.y - zero.y, length = fmaxf(hypotf(x, y), 1e-3f);
    const float out = DOT + 2 + fabsf(x) / length * wide / 2 + fabsf(y) / length * LINE / 2;
    *place = (struct rect){dot.x + x / length * out - wide / 2, dot.y + y / length * out - LINE / 2,
                           wide, LINE};
    return is_place_free(names, *place);
}

static size_t draw_name(struct view *view, struct names *names, const struct plane *plane,
                        struct point dot, const struct view_learn_word *word, struct colour colour)
{
    const float wide = canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, NAME, word->word) + 2;
    const bool round = view->state->learn->frequency > 0;
    struct rect place;
    if (names->count >= names->room ||
        !((round && find_radial_place(names, plane, dot, wide, &place)) ||
          find_name_place(names, plane->area, dot, wide, &place))) {
        return 0;
    }
    names->taken[names->count++] = place;
    if (fabsf(place.y + LINE / 2 - dot.y) > 2 * LINE) {
        const bool right = place.x > dot.x;
        canvas_line(view->ui->canvas, dot.x, dot.y, right ? place.x - 1 : place.x + place.w,
                    place.y + LINE / 2, 0.8f, colour_fade(colour, 0.4f));
    }
    canvas_text(view->ui->canvas, place.x, place.y + LINE - 3, FONT_WORDS_BOLD, NAME,
                colour_contrast(colour, view->ui->theme->panel) < 4.5f
                    ? colour_mix(colour, view->ui->theme->ink, 0.3f)
                    : colour,
                CANVAS_LEFT, word->word);
    return 1;
}

static void draw_dot(struct view *view, size_t index, const struct view_learn_word *word,
                     struct point at, struct colour colour)
{
    const struct rect place = {at.x - DOT, at.y - DOT, 2 * DOT, 2 * DOT};
    canvas_circle(view->ui->canvas, at.x, at.y, word->kind > 0 || word->is_here ? DOT : DOT * 0.6f,
                  &(struct paint){.fill = colour, .stroke = view->ui->theme->panel, .width = 1.5f});
    ui_tip(view->ui, ui_id_number(view->ui, "moved", index), place, word->word);
}

/* The distance of numbers that are neighbours on the circle: j with frequency · j = 1 modulo the
 * count; 0: there is none. */
static size_t neighbour_distance(const struct view_learn *learn)
{
    size_t neighbour = 1;
    while (neighbour < learn->words && learn->frequency * neighbour % learn->words != 1) {
        neighbour++;
    }
    return neighbour < learn->words ? neighbour : 0;
}

/* Draws the line from number to number; before they form a circle, it is a tangle. */
static void draw_circle(struct view *view, const struct plane *plane)
{
    const struct view_learn *const learn = view->state->learn;
    const size_t neighbour = learn->frequency > 0 ? neighbour_distance(learn) : 0;
    struct point *const point = arena_array(view->arena, learn->words + 1, sizeof *point);
    for (size_t w = 0; point != NULL && w < learn->words; w++) {
        const struct view_learn_word *const word = &learn->word[w * neighbour % learn->words];
        point[w] = place_on_panel(plane, word->place[word->trail - 1]);
    }
    if (point != NULL && neighbour > 0) {
        canvas_path(
            view->ui->canvas, point, learn->words, true,
            &(struct paint){.stroke = colour_fade(view->ui->theme->accent, 0.45f), .width = 1.2f});
    }
}

static void draw_token_map(struct view *view, struct rect area)
{
    const struct view_learn *const learn = view->state->learn;
    const struct plane plane = fit_plane(learn, area);
    const struct ui_theme *const theme = view->ui->theme;
    struct names names = {arena_array(view->arena, 2 * learn->words + 1, sizeof(struct rect)), 0,
                          2 * learn->words + 1};
    const struct point zero = place_on_panel(&plane, (struct point){0, 0});
    canvas_line(view->ui->canvas, area.x + 10, zero.y, area.x + area.w - 10, zero.y, 1,
                theme->line);
    canvas_line(view->ui->canvas, zero.x, area.y + 4, zero.x, area.y + area.h - 4, 1, theme->line);
    if (names.taken == NULL) {
        return;
    }
    const char *const longest =
        arena_words(view->arena, tr("%zu of %zu names are shown"), learn->words, learn->words);
    const float wide = canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_TINY, longest);
    names.taken[names.count++] = (struct rect){area.x + area.w - wide, area.y + area.h - LINE, wide,
                                               LINE}; /* the note on how many are named */
    draw_circle(view, &plane);
    for (size_t w = 0; w < learn->words; w++) {
        if (learn->word[w].kind > 0) {
            draw_trail(view, &plane, &learn->word[w], word_colour(view, &learn->word[w]));
        }
    }
    for (size_t w = 0; w < learn->words; w++) {
        const struct view_learn_word *const word = &learn->word[w];
        const struct point at = place_on_panel(&plane, word->place[word->trail - 1]);
        names.taken[names.count++] = (struct rect){at.x - DOT, at.y - DOT, 2 * DOT, 2 * DOT};
        draw_dot(view, w, word, at, word_colour(view, word));
    }
    size_t named = 0;
    for (size_t pass = 0; pass < 2; pass++) { /* those with a kind come first */
        for (size_t w = 0; w < learn->words; w++) {
            const struct view_learn_word *const word = &learn->word[w];
            if ((word->kind > 0) == (pass == 0)) {
                const struct point at = place_on_panel(&plane, word->place[word->trail - 1]);
                named += draw_name(view, &names, &plane, at, word, word_colour(view, word));
            }
        }
    }
    if (named < learn->words) {
        const char *const text =
            arena_words(view->arena, tr("%zu of %zu names are shown"), named, learn->words);
        canvas_text(view->ui->canvas, area.x + area.w, area.y + area.h - 2, FONT_WORDS,
                    UI_TEXT_TINY, theme->faint, CANVAS_RIGHT, text);
    }
}

void view_learn_words(struct view *view, struct rect area)
{
    const struct view_learn *const learn = view->state->learn;
    char number[TEXT_NUMBER_MAX];
    view_panel(view, area, "3-D view");
    canvas_clip(view->ui->canvas, area);
    ui_push(view->ui, "moved words");
    const bool trails = learn->words > 0 && learn->word[0].kind > 0;
    const char *const hint =
        learn->frequency > 0 ? arena_words(view->arena, tr("%zu times round · next to a: a + %zu"),
                                           learn->frequency, neighbour_distance(learn))
        : trails             ? arena_words(view->arena,
                               learn->at_angle
                                               ? tr_n("PC 1–3, at an angle · trail: %s step",
                                                      "PC 1–3, at an angle · trail: %s steps", learn->step)
                                               : tr_n("PC 1, 2 · trail: %s step", "PC 1, 2 · trail: %s steps",
                                                      learn->step),
                                           text_count(number, learn->step))
                             : "PC 1, 2";
    view_panel_header(view, area,
                      learn->frequency > 0 ? "The numbers on a circle"
                      : trails             ? "Where words have moved"
                                           : "Where they stand",
                      hint);
    const struct rect inner = {area.x + 14, area.y + HEADER, area.w - 28,
                               fmaxf(area.h - HEADER - 10, 1)};
    if (learn->words > 0 && learn->word[0].trail > 0) {
        draw_token_map(view, inner);
    }
    ui_pop(view->ui);
    canvas_unclip(view->ui->canvas);
    canvas_ungroup(view->ui->canvas);
}
