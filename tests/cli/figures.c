/* Figures as writers ask for them: each row is a call, what must stand in its picture, and what
 * must not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stand.h"

enum { SAID = 6 };

/* Texts are whole ones of the SVG. */
static const struct row {
    const char *call;
    const char *says[SAID], *says_not[SAID];
} rows[] = {
    {"--lesson reverse --step 4 --view training --size 85mm --reveal",
     {"Reverse", "loss (nats)", "share (%)", "step of training", "right"},
     {"Paused", "Training", "speed ×"}},
    {"--lesson reverse --step 4 --view training --figure --size 85mm",
     {"loss (nats)", "right", "→ ?", "0", "100"}, /* a guess is asked there */
     {"Reverse", "L0H0"}},
    {"--lesson reverse --step 4 --view training --figure --size 120mm --step-axis log",
     {"1", "10", "100"},
     {"30", "50"}},
    {"--lesson reverse --step 4 --view training --figure --size 160mm --step-axis linear",
     {"0", "30", "50", "100"},
     {NULL}},
    {"--lesson reverse --step 4 --view training --figure --size 85mm --language de",
     {"Verlust (Nats)", "Anteil (%)", "Trainingsschritt"},
     {"loss (nats)"}},
    {"--lesson learned --step 3 --view training --figure --size 85mm",
     {"cosine", "kinds of words move apart", "kinds apart", "loss (nats)"},
     {"Random weights"}},
    {"--lesson learned --step 3 --view training --figure --size 85mmx70mm --theme grey",
     {"cosine", "kinds apart"},
     {NULL}},
    {"--lesson learned --step 3 --view training --figure --size 85mm --x-title updates "
     "--title 'A small world'",
     {"updates", "A small world"},
     {"step of training"}},
    {"--tokens 'the cat' --mask causal --stage softmax --size 40mm", {"masked", "query"}, {NULL}},
    {"--tokens 'the cat sat on a mat' --mask causal --stage softmax --size 85mmx25mm",
     {"masked", "query", "key", "mat"},
     {NULL}},
    {"--lesson ten --stage softmax --view heads --figure --size 160mm", {"key", "query"}, {NULL}},
    {"--lesson cats --stage softmax --view head --figure --size 85mm", {"key", "query"}, {NULL}},
    {"--lesson ten --stage softmax --view heads --figure --size 160mm --x-title looked --y-title "
     "off",
     {"looked"},
     {"key", "query"}},
    {"--lesson cats --stage softmax --view head --figure --size 85mm --caption Weights",
     {"Weights"},
     {"key", "query"}},
    {"--lesson own-text --step 5 --view training --size 960x540 --theme dark",
     {"loss (nats)", "share (%)"},
     {"Paused"}},
};

static bool is_said(const char *svg, const char *text, struct arena *arena)
{
    return strstr(svg, arena_format(arena, ">%s</text>", text)) != NULL;
}

static void figures_say_what_they_are_asked_for(void **state)
{
    struct stand *const stand = *state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct row *const row = &rows[r];
        stand_call(stand, arena_format(&stand->arena, "render %s -o a.svg", row->call));
        const char *const svg = (const char *)stand_content(stand, "a.svg").at;
        for (size_t s = 0; s < SAID; s++) {
            if (row->says[s] != NULL && !is_said(svg, row->says[s], &stand->arena)) {
                fail_msg("\"%s\" is not in the picture of %s.", row->says[s], row->call);
            }
            if (row->says_not[s] != NULL && is_said(svg, row->says_not[s], &stand->arena)) {
                fail_msg("\"%s\" is in the picture of %s.", row->says_not[s], row->call);
            }
        }
    }
}

/* The width of the widest path of many points: a curve. */
static double width_of_curves(const char *svg)
{
    double widest = 0;
    for (const char *at = svg; (at = strstr(at, "<path d=\"M")) != NULL; at++) {
        const char *const end = strchr(at + 10, '"');
        double low = 1e9, high = -1e9;
        size_t points = 0;
        for (const char *number = at + 9; number < end; number++) {
            char *after = NULL;
            if (*number == 'M' || *number == 'L') {
                const double x = strtod(number + 1, &after);
                low = x < low ? x : low;
                high = x > high ? x : high;
                points++;
            }
        }
        widest = points > 20 && high - low > widest ? high - low : widest;
    }
    return widest;
}

/* The curves take the room, at the widths of a column, of one and a half, and of a page. */
static void curves_take_the_room(void **state)
{
    struct stand *const stand = *state;
    static const double widths[] = {85, 120, 160}, shares[] = {0.5, 0.55, 0.6};
    for (size_t w = 0; w < 3; w++) {
        stand_call(stand, arena_format(&stand->arena,
                                       "render --lesson reverse --step 4 --view training --reveal "
                                       "--figure --size %.0fmm -o a.svg",
                                       widths[w]));
        const double points = widths[w] * 72 / 25.4;
        const double wide = width_of_curves((const char *)stand_content(stand, "a.svg").at);
        assert_true(wide > shares[w] * points);
    }
}

/* Nothing is empty in the middle of a figure, nor at its right. */
static void cells_take_the_room(void **state)
{
    struct stand *const stand = *state;
    double wide = 0, high = 0;
    stand_call(stand, "render --lesson cats --mask causal --view decode --figure --size 160mm "
                      "-o a.svg");
    const char *const svg = (const char *)stand_content(stand, "a.svg").at;
    assert_int_equal(
        sscanf(strstr(svg, " width="), " width=\"%lfpt\" height=\"%lfpt", &wide, &high), 2);
    assert_true(high < 0.6 * wide);
}

/* Whole numbers, and those with decimals, that a picture shows. */
static size_t numbers_in(struct stand *stand, const char *call)
{
    stand_call(stand, arena_format(&stand->arena, "render %s -o a.svg", call));
    size_t count = 0;
    for (const char *at = (const char *)stand_content(stand, "a.svg").at;
         (at = strchr(at, '>')) != NULL;) {
        static const char minus[] = "\xe2\x88\x92";
        at += 1 + (strncmp(at + 1, minus, sizeof minus - 1) == 0 ? sizeof minus - 1 : 0);
        const size_t digits = strspn(at, "0123456789.");
        count += digits > 0 && strncmp(at + digits, "</text>", 7) == 0;
    }
    return count;
}

/* Names shrink and lack their middle before the numbers of a small matrix are left out. */
static void numbers_are_the_last_to_go(void **state)
{
    struct stand *const stand = *state;
    static const char *const words[] = {
        "internationalization", "counterrevolutionaries", "incomprehensibility",
        "uncharacteristically", "deinstitutionalization", "misinterpretations",
        "disproportionately",   "intercontinental",       "telecommunications",
        "electroencephalogram", "oversimplification",     "parallelogrammatic"};
    enum { OF_KEYS = 12 * 8, OF_SCORES = 12 * 12 };
    static const struct {
        size_t words;
        const char *call;
        size_t numbers;
    } figures[] = {
        {9, "--view matrix --stage score --size 85mm", 9 * 9},
        {12, "--view matrix --stage score --size 85mm", OF_SCORES},
        {12, "--view matrix --stage softmax --size 85mm", OF_SCORES},
        {12, "--view head --stage softmax --size 85mm", OF_SCORES},
        {6, "--view heads --heads 2 --stage softmax --size 85mm", 2 * 6 * 6},
        {10, "--view heads --heads 2 --stage softmax --size 120mm", 2 * 10 * 10},
        {12, "--view stage --stage scale --size 85mm", OF_SCORES},
        {12, "--view stage --heads 2 --stage score --size 85mm", OF_KEYS + OF_SCORES},
        {12, "--view stage --heads 2 --stage blend --size 85mm", 2 * OF_KEYS},
        {12, "--view stage --heads 2 --stage softmax --size 85mmx230mm", OF_SCORES + 3 * 12},
        {10, "--view decode --heads 2 --mask causal --size 85mm", 10},
        {12, "--view decode --heads 2 --mask causal --size 85mm", 12}};
    for (size_t r = 0; r < sizeof figures / sizeof *figures; r++) {
        const char *text = words[0];
        for (size_t w = 1; w < figures[r].words; w++) {
            text = arena_format(&stand->arena, "%s %s", text, words[w]);
        }
        const char *const call = arena_format(
            &stand->arena,
            "--tokens '%s' --embedding random --weights random --d-model 16 %s --figure", text,
            figures[r].call);
        const size_t numbers = numbers_in(stand, call);
        if (numbers < figures[r].numbers) {
            fail_msg("%s: %zu numbers", call, numbers);
        }
    }
}

/* A bar of colours is a gradient where there are no pixels, and has none of its own. */
static void bars_are_gradients(void **state)
{
    struct stand *const stand = *state;
    static const char *const calls[] = {
        "--lesson ten --stage softmax", "--lesson cats --stage score",
        "--lesson cats --stage softmax --colours log", "--lesson cats --stage blend --view stage"};
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        stand_call(stand, arena_format(&stand->arena, "render %s --size 85mm -o a.svg -o a.pdf",
                                       calls[c]));
        const char *const svg = (const char *)stand_content(stand, "a.svg").at;
        assert_non_null(strstr(svg, "<linearGradient id=\"ramp-"));
        assert_null(strstr(svg, "<image"));
        assert_int_equal(stand_other(stand, "grep -aq ShadingType a.pdf"), 0);
    }
}

/* Eight heads stand in rows of four, none of which is left open. */
static void rows_of_heads_are_full(void **state)
{
    struct stand *const stand = *state;
    static const char *const words[] = {"--lesson ten", "--tokens 'the cat sat' --heads 8 "
                                                        "--embedding random --weights random"};
    for (size_t w = 0; w < 2; w++) {
        stand_call(stand, arena_format(&stand->arena,
                                       "render %s --stage softmax --view heads --figure --size "
                                       "160mm -o a.svg",
                                       words[w]));
        const char *const svg = (const char *)stand_content(stand, "a.svg").at;
        double y[8];
        for (size_t h = 0; h < 8; h++) {
            const char *at = strstr(svg, arena_format(&stand->arena, ">head %zu</text>", h + 1));
            assert_non_null(at);
            while (strncmp(at, " y=\"", 4) != 0) {
                at--;
            }
            y[h] = strtod(at + 4, NULL);
        }
        assert_true(fabs(y[0] - y[3]) < 0.1 && fabs(y[4] - y[7]) < 0.1 && y[4] > y[3] + 10);
    }
}

/* The size of the largest letters of a picture. */
static double largest_letters(struct stand *stand, const char *call)
{
    double largest = 0;
    stand_call(stand, arena_format(&stand->arena, "render --lesson cats %s -o a.svg", call));
    const char *at = (const char *)stand_content(stand, "a.svg").at;
    while ((at = strstr(at, " font-size=\"")) != NULL) {
        const double size = strtod(at + strlen(" font-size=\""), NULL);
        largest = size > largest ? size : largest;
        at++;
    }
    return largest;
}

/* A slide twice as large has letters twice as large, unless their size is told. */
static void letters_follow_a_slide(void **state)
{
    struct stand *const stand = *state;
    static const char *const views[] = {"stage", "matrix", "heads", "kinds", "matrix --figure"};
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        const char *const sizes[] = {"960x540", "1920x1080", "1920x1080 --letters 13"};
        double letters[3];
        for (size_t s = 0; s < 3; s++) {
            letters[s] = largest_letters(
                stand, arena_format(&stand->arena, "--view %s --size %s", views[v], sizes[s]));
        }
        assert_true(letters[1] > 1.9 * letters[0]);
        assert_true(letters[2] < 0.75 * letters[1]);
    }
    const double window = largest_letters(stand, "--size 1440x900");
    assert_true(fabs(largest_letters(stand, "--size 1920x1200") / window - 4.0 / 3) < 0.01);
    assert_true(fabs(largest_letters(stand, "--size 1200x800") / window - 1) < 0.01);
}

static void a_figure_of_curves_describes_them(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson learned --step 3 --view training --size 85mm -o a.svg");
    const char *const svg = (const char *)stand_content(stand, "a.svg").at;
    assert_non_null(strstr(svg, "<title>Curves of training</title>"));
    assert_non_null(strstr(svg, "loss from 3.9"));
    assert_non_null(strstr(svg, "kinds of words move apart, at step"));
    stand_refused(stand, "render --lesson learned --step 1 --view training -o x.svg", 1,
                  "training has not made its first step. The first step with a curve is --step 2.");
    stand_refused(stand, "render --lesson ten --view heads --lines --x-title X -o x.svg", 2,
                  "--x-title changes nothing with --lines: it is for cells");
    stand_refused(stand, "render --lesson cats --view training -o x.svg", 1,
                  "whose weights learn has curves");
    stand_refused(stand, "render --lesson cats --step-axis log --view matrix -o x.svg", 2,
                  "--step-axis changes nothing in --view matrix: it is for window and training");
}

/* A folder of train needs neither a step nor a text: its curves go as far as it was trained. */
static void a_folder_of_train_has_curves(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "train --task reverse --steps 30 -o run --quiet");
    stand_call(stand, "render run --view training --figure --size 85mm -o a.svg");
    const char *const svg = (const char *)stand_content(stand, "a.svg").at;
    assert_true(is_said(svg, "loss (nats)", &stand->arena));
    assert_true(is_said(svg, "30", &stand->arena));
    stand_run(stand, "render run --view training --step-of-training 20 --size 85mm -o b.svg");
    assert_int_equal(stand->status, 0);
    assert_false(is_said((const char *)stand_content(stand, "b.svg").at, "30", &stand->arena));
}

/* From which file a picture is, which head, and of which tokens, stands in it in every format. */
static void a_picture_says_where_it_is_from(void **state)
{
    struct stand *const stand = *state;
    const char *const dumps = getenv("ATTNSCOPE_DUMPS"), *const tiny = getenv("ATTNSCOPE_TINY");
    stand_call(stand,
               arena_format(&stand->arena,
                            "render '%s/heads.npy' --head 2 --figure -o a.svg -o a.png", dumps));
    assert_non_null(
        strstr((const char *)stand_content(stand, "a.svg").at, "heads.npy: L0H1.</desc>"));
    assert_int_equal(stand_other(stand, "grep -aq 'heads.npy: L0H1' a.png"), 0);
    stand_call(stand, arena_format(&stand->arena,
                                   "render '%s' --ids '5 17 3' --view matrix --head L1H0 -o a.svg "
                                   "--language de",
                                   tiny));
    assert_non_null(strstr((const char *)stand_content(stand, "a.svg").at,
                           "tiny: L1H0, Nummern der Tokens 5 17 3.</desc>"));
    stand_call(stand, arena_format(&stand->arena,
                                   "render '%s' --ids '5 17 3' --view glance -o a.svg", tiny));
    assert_non_null(strstr((const char *)stand_content(stand, "a.svg").at, "tiny: L0, token ids"));
    stand_call(stand, "render --lesson cats --figure -o a.svg");
    assert_null(strstr((const char *)stand_content(stand, "a.svg").at, "From "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(figures_say_what_they_are_asked_for),
        STAND(curves_take_the_room),
        STAND(cells_take_the_room),
        STAND(rows_of_heads_are_full),
        STAND(numbers_are_the_last_to_go),
        STAND(letters_follow_a_slide),
        STAND(bars_are_gradients),
        STAND(a_figure_of_curves_describes_them),
        STAND(a_folder_of_train_has_curves),
        STAND(a_picture_says_where_it_is_from),
    };
    return cmocka_run_group_tests_name("figures", tests, NULL, NULL);
}
