/* The flow overview: what stands on the sheet is what the experiment computes, and no text of it
 * lies over another or outside. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stand.h"

enum { TEXTS_MAX = 96, TEXT_MAX = 48, TOLD_MAX = 8, WIDE = 640, HIGH = 560 };

/* A line of text of an SVG: its baseline begins at (x, y). */
struct text {
    double x, y, size, length;
    char words[TEXT_MAX];
};

static double number_after(const char *at, const char *name)
{
    const char *const value = strstr(at, name);
    assert_non_null(value);
    return strtod(value + strlen(name), NULL);
}

/* A text is one piece, or has pieces of its own where letters come from several fonts. */
static void read_text(const char *at, struct text *text)
{
    const char *const end = strstr(at, "</text>");
    const char *piece = at;
    *text = (struct text){.x = number_after(at, " x=\""),
                          .y = number_after(at, " y=\""),
                          .size = number_after(at, "font-size=\"")};
    for (piece = strstr(at, "textLength=\""); piece != NULL && piece < end;
         piece = strstr(piece + 1, "textLength=\"")) {
        const char *const words = strchr(piece, '>') + 1;
        const size_t length = strcspn(words, "<"), before = strlen(text->words);
        assert_true(before + length < TEXT_MAX);
        memcpy(text->words + before, words, length);
        text->length += number_after(piece, "textLength=\"");
    }
}

static size_t read_texts(struct stand *stand, const char *file, struct text texts[TEXTS_MAX])
{
    size_t count = 0;
    const char *at = (const char *)stand_content(stand, file).at;
    for (at = strstr(at, "<text "); at != NULL; at = strstr(at + 1, "<text ")) {
        assert_true(count < TEXTS_MAX);
        read_text(at, &texts[count++]);
    }
    return count;
}

/* Capitals are about so high. */
static double top_of(const struct text *text)
{
    return text->y - 0.7 * text->size;
}

static void assert_apart(const struct text *texts, size_t count, double wide, double high)
{
    for (size_t a = 0; a < count; a++) {
        const struct text *const one = &texts[a];
        if (one->x < 0 || top_of(one) < 0 || one->x + one->length > wide || one->y > high) {
            fail_msg("“%s” leaves the sheet", one->words);
        }
        for (size_t b = 0; b < a; b++) {
            const struct text *const other = &texts[b];
            if (one->x < other->x + other->length && other->x < one->x + one->length &&
                top_of(one) < other->y && top_of(other) < one->y) {
                fail_msg("“%s” lies over “%s”", one->words, other->words);
            }
        }
    }
}

/* Below its title stands the shape of a matrix. */
static bool has_entry(const struct text *texts, size_t count, const char *title, const char *shape)
{
    for (size_t t = 0; t + 1 < count; t++) {
        if (strcmp(texts[t].words, title) == 0) {
            return strcmp(texts[t + 1].words, shape) == 0;
        }
    }
    return false;
}

#define RANDOM                                                                                     \
    "--embedding random --d-model 8 --weights random --heads 4 --tokens 'the cat saw it' "
#define OTHERS "--context 'the big red city of light now' "

/* How an experiment is asked for; titles and shapes that stand there, titles that must not. */
static const struct {
    const char *call;
    const char *told[TOLD_MAX][2];
    const char *absent[TOLD_MAX];
} sheets[] = {
    {"--lesson cats",
     {{"X", "4 × 3"}, {"W_Q", "3 × 3"}, {"S ÷ √dₖ", "4 × 4"}, {"O", "4 × 3"}},
     {"concat", "X′", "C", "E", "Q₀", "X + O"}},
    {RANDOM OTHERS,
     {{"X", "4 × 8"},
      {"X′", "7 × 8"},
      {"Q", "4 × 2"},
      {"K", "7 × 2"},
      {"V", "7 × 2"},
      {"α", "4 × 7"}},
     {"C"}},
    {RANDOM "--attention latent:3",
     {{"W_DKV", "8 × 3"},
      {"C", "4 × 3"},
      {"W_UK ×4", "3 × 2"},
      {"W_UV ×4", "3 × 2"},
      {"K", "4 × 2"}},
     {"W_K", "W_K ×4", "W_V", "W_V ×4"}},
    {RANDOM,
     {{"W_Q ×4", "8 × 2"}, {"Z", "4 × 2"}, {"concat", "4 × 8"}, {"W_O", "8 × 8"}, {"O", "4 × 8"}},
     {"X′", "X + O"}},
    {RANDOM "--attention gqa:2",
     {{"W_Q ×4", "8 × 2"}, {"W_K ×2", "8 × 2"}, {"S ×4", "4 × 4"}},
     {0}},
    {RANDOM "--positions sinusoidal", {{"E", "4 × 8"}, {"P", "4 × 8"}, {"X", "4 × 8"}}, {"Q₀"}},
    {RANDOM "--positions rope", {{"Q₀", "4 × 2"}, {"K₀", "4 × 2"}, {"Q", "4 × 2"}}, {"E", "P"}},
    {RANDOM "--residual on", {{"O", "4 × 8"}, {"X + O", "4 × 8"}}, {0}},
    {RANDOM "--w-o off", {{"concat", "4 × 8"}, {"O = concat(Z)", "4 × 8"}}, {"W_O", "O"}},
    {RANDOM "--heads 1 --normalise share --scale off --mask causal",
     {{"S + mask", "4 × 4"}, {"α = S′ ÷ ΣS′", "4 × 4"}},
     {"S ÷ √dₖ"}},
    {RANDOM OTHERS "--attention latent:3 --positions rope --residual on --temperature 2",
     {{"C", "7 × 3"}, {"K₀", "7 × 2"}, {"S ÷ √dₖ ÷ τ", "4 × 7"}, {"X + O", "4 × 8"}},
     {"W_K"}},
    {RANDOM OTHERS "--positions sinusoidal --residual on --flash 2,2",
     {{"E", "4 × 8"}, {"X′", "7 × 8"}, {"α", "4 × 7"}},
     {0}},
    {"--lesson race", {{"Q", "2 × 2"}, {"K", "3 × 2"}, {"V", "3 × 1"}, {"Z", "2 × 1"}}, {"X", "O"}},
};

enum { SHEETS = sizeof sheets / sizeof sheets[0] };

static void what_stands_there_is_what_is_computed(void **state)
{
    struct stand *const stand = *state;
    struct text texts[TEXTS_MAX];
    for (size_t s = 0; s < SHEETS; s++) {
        stand_call(stand, arena_format(&stand->arena,
                                       "render %s --overview --view stage --metadata off --size "
                                       "%dx%d -o a.svg",
                                       sheets[s].call, WIDE, HIGH));
        const size_t count = read_texts(stand, "a.svg", texts);
        for (size_t t = 0; t < TOLD_MAX && sheets[s].told[t][0] != NULL; t++) {
            if (!has_entry(texts, count, sheets[s].told[t][0], sheets[s].told[t][1])) {
                fail_msg("%s: no %s of %s", sheets[s].call, sheets[s].told[t][0],
                         sheets[s].told[t][1]);
            }
        }
        for (size_t t = 0; t < TOLD_MAX && sheets[s].absent[t] != NULL; t++) {
            for (size_t w = 0; w < count; w++) {
                if (strcmp(texts[w].words, sheets[s].absent[t]) == 0) {
                    fail_msg("%s: there is no %s", sheets[s].call, texts[w].words);
                }
            }
        }
    }
}

static void no_text_lies_over_another(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        int wide, high;
    } sizes[] = {{WIDE, HIGH}, {448, 345}, {1256, 470}, {1500, 1300}};
    struct text texts[TEXTS_MAX];
    for (size_t s = 0; s < SHEETS; s++) {
        for (size_t z = 0; z < sizeof sizes / sizeof sizes[0]; z++) {
            stand_call(stand, arena_format(&stand->arena,
                                           "render %s --overview --view stage --metadata off "
                                           "--values off --size %dx%d -o a.svg",
                                           sheets[s].call, sizes[z].wide, sizes[z].high));
            const size_t count = read_texts(stand, "a.svg", texts);
            assert_apart(texts, count, sizes[z].wide, sizes[z].high);
        }
    }
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

/* In the colour of keys: one line over them, and its two feet. */
static void heads_that_share_keys_have_a_bracket_in_a_figure(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *family;
        size_t lines;
    } rows[] = {{"llama3", 3}, {"mistral", 3}, {"phi", 0}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        stand_call(stand, arena_format(&stand->arena,
                                       "render '%s/../fixtures/%s' --ids '5 17 3 8' --view glance "
                                       "--figure --size 85mm -o a.svg",
                                       getenv("ATTNSCOPE_TINY"), rows[r].family));
        const char *const svg = (const char *)stand_content(stand, "a.svg").at;
        assert_int_equal(count_of(svg, "stroke=\"#856200\""), rows[r].lines);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(what_stands_there_is_what_is_computed),
        STAND(no_text_lies_over_another),
        STAND(heads_that_share_keys_have_a_bracket_in_a_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
