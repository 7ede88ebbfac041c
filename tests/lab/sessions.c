/* Sessions and lessons drawn by chance, written, read and written again: they read as they were,
 * and the second file is the first, byte for byte. A thousand each day, a million in the long
 * suite. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "../rounds.h"
#include "base/random.h"
#include "bench.h"
#include "lab/experiment/edits.h"
#include "lab/lesson/lessons.h"

enum { SESSIONS = 1000, SEED = 1, STEPS_MAX = 3, WORDS_MAX = 6, WIDTH_MAX = 5 };

static size_t below(struct random *random, size_t count)
{
    return count == 0 ? 0 : (size_t)(random_bits(random) % count);
}

static bool chance(struct random *random, size_t of)
{
    return below(random, of) == 0;
}

/* Any finite float32, and often a small plain number. */
static float draw_number(struct random *random)
{
    if (chance(random, 2)) {
        return (float)((double)below(random, 2001) / 100 - 10);
    }
    if (chance(random, 100)) {
        return chance(random, 2) ? FLT_MAX : -FLT_MAX;
    }
    float number = 0;
    do {
        const uint32_t bits = (uint32_t)random_bits(random);
        memcpy(&number, &bits, sizeof number);
    } while (!isfinite(number));
    return number;
}

static size_t draw_words(struct random *random, const char **word)
{
    static const char *const some[] = {"cat",       "the",
                                       "NYC",       "\"",
                                       "\\n",       "a b",
                                       "/",         "\xe6\xbc\xa2",
                                       "e\xcc\x81", "\xe2\x80\xae",
                                       "\t",        "0.5",
                                       "-",         "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9",
                                       "\x7f",      "\xef\xbb\xbf"};
    const size_t count = 1 + below(random, WORDS_MAX);
    for (size_t w = 0; w < count; w++) {
        word[w] = some[below(random, sizeof some / sizeof some[0])];
    }
    return count;
}

static struct lab_numbers *draw_numbers(struct random *random, size_t rank, size_t heads,
                                        size_t rows, size_t cols)
{
    float values[4 * WORDS_MAX * 2 * WIDTH_MAX];
    for (size_t i = 0; i < heads * rows * cols; i++) {
        values[i] = draw_number(random);
    }
    const size_t of_two[3] = {rows, cols, 1}, of_three[3] = {heads, rows, cols};
    struct lab_numbers *const numbers =
        lab_numbers_make(values, rank, rank == 2 ? of_two : of_three, NULL);
    assert_non_null(numbers);
    return numbers;
}

static void draw_sizes(struct random *random, struct lab_experiment *e)
{
    e->seed = chance(random, 3) ? random_bits(random) >> below(random, 64) : below(random, 100);
    e->d_model = 1 + below(random, WIDTH_MAX);
    e->heads = 1 + below(random, 4);
    e->kind = (enum lab_kind)below(random, LAB_KINDS);
    e->groups = e->kind == LAB_GROUPED && chance(random, 2) ? 1 : 0;
    e->latent = e->kind == LAB_LATENT ? below(random, 4) : 0;
    e->d_k = below(random, WIDTH_MAX);
    e->d_v = below(random, WIDTH_MAX);
    e->positions = (enum lab_positions)below(random, LAB_POSITIONS_KINDS);
    e->rope_theta = 1 + (float)below(random, 1000000);
    e->rope_pairs = (enum lab_rotary_pairs)below(random, LAB_PAIRS_KINDS);
    e->rope_share = (float)(1 + below(random, 100)) / 100;
    e->scale = chance(random, 2);
    e->temperature = 0.01f + (float)random_uniform(random) * (chance(random, 2) ? 1.0f : 99.0f);
    e->normalise = (enum lab_normalise)below(random, LAB_NORMALISES);
    e->keep_maximum = chance(random, 3);
    e->residual = chance(random, 3);
    e->smear = chance(random, 3) ? (float)below(random, 101) / 100 : 0;
    e->flash_rows = chance(random, 3) ? 1 + below(random, 4) : 0;
    e->flash_cols = e->flash_rows > 0 ? 1 + below(random, 4) : 0;
}

static void draw_mask(struct random *random, struct lab_experiment *e)
{
    e->mask = (enum lab_mask)below(random, LAB_MASKS);
    e->mask_size = below(random, 4);
    e->mask_step = below(random, 4);
    if (e->mask == LAB_MASK_CUSTOM && lab_words_count(e->tokens) > 0) {
        const struct lab_sizes sizes = lab_experiment_sizes(e);
        uint8_t visible[WORDS_MAX * WORDS_MAX];
        for (size_t p = 0; p < sizes.n * sizes.m; p++) {
            visible[p] = chance(random, 2);
        }
        e->custom_mask = lab_custom_mask_make(visible, sizes.n, sizes.m, NULL);
    }
}

static void draw_given(struct random *random, struct lab_experiment *e)
{
    const size_t words = lab_words_count(e->tokens); /* 0: none of them had a letter */
    e->embedding = (enum lab_embedding)below(random, LAB_EMBEDDING_NUMBERS + (words > 0));
    e->weights = (enum lab_weights)below(random, LAB_WEIGHTS_NUMBERS);
    if (e->embedding == LAB_EMBEDDING_NUMBERS) {
        e->embeddings = draw_numbers(random, 2, 1, words, e->d_model);
    }
    const struct lab_sizes s = lab_experiment_sizes(e);
    if (e->kind == LAB_MULTI_HEAD && chance(random, 3) && s.d_model > 0 && s.d_model <= WIDTH_MAX &&
        s.d_k <= WIDTH_MAX && s.d_v <= WIDTH_MAX) {
        e->weights = LAB_WEIGHTS_NUMBERS;
        e->w_q = draw_numbers(random, 3, s.heads, s.d_model, s.d_k);
        e->w_k = draw_numbers(random, 3, s.heads, s.d_model, s.d_k);
        e->w_v = draw_numbers(random, 3, s.heads, s.d_model, s.d_v);
        if (chance(random, 2)) {
            e->b_q = draw_numbers(random, 3, s.heads, 1, s.d_k);
        }
    }
}

static void draw_edits(struct random *random, struct lab_experiment *e)
{
    static const enum lab_part parts[] = {LAB_EMBEDDINGS_X, LAB_W_Q, LAB_Q, LAB_K, LAB_V,
                                          LAB_ALPHA};
    for (size_t count = chance(random, 2) ? below(random, 6) : 0; count > 0; count--) {
        const struct lab_edit edit = {parts[below(random, 6)], below(random, 3),
                                      below(random, 3),        below(random, 3),
                                      draw_number(random),     false};
        (void)lab_experiment_edit(e, &edit, NULL); /* where there is no such cell, none is typed */
    }
}

/* An experiment that could be computed; most draws are one. */
static void draw_experiment(struct random *random, struct lab_experiment *e)
{
    const char *word[WORDS_MAX];
    for (bool fits = false; !fits;) {
        struct error error = {ERROR_NONE, 0, ""};
        *e = experiment_of(word, draw_words(random, word));
        if (chance(random, 4)) {
            const size_t count = draw_words(random, word);
            assert_true(lab_experiment_set_context(e, word, count, &error));
        }
        draw_sizes(random, e);
        draw_given(random, e);
        draw_mask(random, e);
        draw_edits(random, e);
        fits = lab_experiment_check(e, &error);
        if (!fits) {
            lab_experiment_release(e);
        }
    }
}

static void draw_places(struct random *random, struct lab_places *places, size_t count)
{
    for (size_t place = 0; place < count; place++) {
        if (chance(random, 3)) {
            places->place[places->count++] = place;
        }
    }
}

static void draw_shown(struct random *random, struct lab_step *step)
{
    const struct lab_sizes sizes = lab_experiment_sizes(&step->experiment);
    struct lab_display *const shown = &step->display;
    step->has_display = true;
    draw_places(random, &shown->queries, sizes.n);
    draw_places(random, &shown->aside, sizes.m);
    shown->logarithmic = chance(random, 2);
    shown->discs = chance(random, 2);
    shown->lines = chance(random, 2);
    shown->flow = chance(random, 2);
    shown->change = chance(random, 2);
}

static void draw_view_prefs(struct random *random, struct lab_step *step)
{
    struct lab_view_prefs *const view_prefs = &step->view_prefs;
    const char *const map = lab_view_prefs_map(below(random, 3));
    step->has_view_prefs = true;
    snprintf(view_prefs->map, sizeof view_prefs->map, "%s", map == NULL ? "" : map);
    const char *const signed_map = lab_view_prefs_signed_map(below(random, 5));
    snprintf(view_prefs->signed_map, sizeof view_prefs->signed_map, "%s",
             signed_map == NULL ? "" : signed_map);
    view_prefs->to_largest = chance(random, 2);
    view_prefs->has_axes = chance(random, 2);
    for (size_t a = 0; view_prefs->has_axes && a < 3; a++) {
        view_prefs->axes[a] = below(random, 3);
    }
    view_prefs->nothing_selected = chance(random, 2);
    view_prefs->all_alpha = chance(random, 2);
    view_prefs->learned = (unsigned)below(random, 3);
    view_prefs->behind = (unsigned)below(random, 3);
    view_prefs->latent = chance(random, 2);
    view_prefs->pan[0] = (float)(random_uniform(random) * 100 - 50);
    view_prefs->pan[1] = (float)below(random, 100);
}

static void draw_step(struct random *random, struct lab_step *step)
{
    static const char *const captions[] = {"", "Dog asks.", "\"q\" \\ k \xe2\x88\x92 2.5",
                                           "two\nlines", "\xd7\xa9\xd7\x9c"};
    static const char *const themes[] = {"", "light", "dark", "grey"};
    draw_experiment(random, &step->experiment);
    const struct lab_sizes sizes = lab_experiment_sizes(&step->experiment);
    step->changes = true;
    step->caption = captions[below(random, 5)];
    step->stage = (enum lab_stage)below(random, LAB_STAGES);
    step->selection =
        (struct lab_selection){.head = below(random, sizes.heads),
                               .query = below(random, sizes.n),
                               .key = below(random, sizes.m),
                               .channel = 0,
                               .projected = (enum lab_part)((size_t)LAB_Q + below(random, 3)),
                               .weight = 0};
    step->has_camera = chance(random, 2);
    if (step->has_camera) {
        step->camera[0] = (float)(random_uniform(random) * 7200 - 3600);
        step->camera[1] = (float)(random_uniform(random) * 180 - 90);
        step->camera[2] = (float)(0.01 + random_uniform(random) * 99);
    }
    step->has_position = chance(random, 3);
    step->position = step->has_position ? (float)random_uniform(random) : 0;
    step->hide = (unsigned)below(random, 128);
    snprintf(step->theme, sizeof step->theme, "%s", themes[below(random, 4)]);
    step->guess = (enum lab_guess)below(random, LAB_GUESSES);
    if (chance(random, 2)) {
        draw_shown(random, step);
    }
    if (chance(random, 2)) {
        draw_view_prefs(random, step);
    }
}

static void draw(struct random *random, struct lab_lesson *lesson, struct lab_step *step)
{
    *lesson = (struct lab_lesson){.title = chance(random, 2) ? "A \"title\"" : "\xe6\xbc\xa2",
                                  .summary = chance(random, 2) ? "" : "One sentence.",
                                  .step = step,
                                  .steps = 1 + below(random, STEPS_MAX)};
    snprintf(lesson->name, sizeof lesson->name, "drawn-%zu", below(random, 1000));
    lesson->open = below(random, lesson->steps);
    draw_experiment(random, &lesson->experiment);
    memcpy(lesson->experiment.lesson, lesson->name, sizeof lesson->name);
    memset(step, 0, lesson->steps * sizeof *step);
    for (size_t s = 0; s < lesson->steps; s++) {
        draw_step(random, &step[s]);
        memcpy(step[s].experiment.lesson, lesson->name, sizeof lesson->name);
    }
}

/* What failed, and all of the session: no line of cmocka's holds it. */
static void complain(const char *what, struct bytes text)
{
    fprintf(stderr, "%.*s\n", (int)text.size, (const char *)text.at);
    fail_msg("%s", what);
}

static void the_same_steps(const struct lab_lesson *a, const struct lab_lesson *b,
                           struct bytes text)
{
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->open, b->open);
    for (size_t s = 0; s < a->steps; s++) {
        const struct lab_step *const one = &a->step[s], *const other = &b->step[s];
        assert_string_equal(one->caption, other->caption);
        assert_string_equal(one->theme, other->theme);
        assert_int_equal(one->stage, other->stage);
        assert_int_equal(one->selection.query, other->selection.query);
        assert_int_equal(one->selection.head, other->selection.head);
        assert_int_equal(one->hide, other->hide);
        assert_int_equal(one->guess, other->guess);
        assert_memory_equal(one->camera, other->camera, sizeof one->camera);
        assert_true(one->has_position == other->has_position &&
                    !(one->position < other->position) && !(one->position > other->position));
        assert_memory_equal(&one->view_prefs.pan, &other->view_prefs.pan,
                            sizeof one->view_prefs.pan);
        assert_int_equal(one->view_prefs.learned, other->view_prefs.learned);
        assert_int_equal(one->view_prefs.behind, other->view_prefs.behind);
        assert_int_equal(one->view_prefs.latent, other->view_prefs.latent);
        assert_int_equal(one->display.aside.count, other->display.aside.count);
        if (!lab_experiment_equal(&one->experiment, &other->experiment)) {
            complain("a step has another experiment", text);
        }
    }
}

static void try_one(struct random *random, struct arena *arena)
{
    struct lab_step step[STEPS_MAX];
    struct lab_lesson lesson, again = {0};
    struct bytes first = {0}, second = {0};
    struct error error = {ERROR_NONE, 0, ""};
    draw(random, &lesson, step);
    assert_true(lab_lesson_write(&lesson, arena, &first, &error));
    if (!lab_lesson_parse(first, arena, &again, &error)) {
        complain(error.text, first);
    }
    the_same_steps(&lesson, &again, first);
    if (!lab_experiment_equal(&lesson.experiment, &again.experiment)) {
        complain("the lesson has another experiment", first);
    }
    assert_true(lab_lesson_write(&again, arena, &second, &error));
    if (first.size != second.size || memcmp(first.at, second.at, first.size) != 0) {
        fprintf(stderr, "%.*s\n", (int)second.size, (const char *)second.at);
        complain("written again it differs", first);
    }
    lab_lesson_release(&lesson);
    lab_lesson_release(&again);
}

/* Each draw has a seed of its own, so that one that failed can be had again alone. */
static void a_session_that_is_read_is_written_as_it_was(void **state)
{
    (void)state;
    const char *const only = getenv("ATTN_TEST_SEED");
    const size_t seed = only == NULL ? SEED : (size_t)strtoull(only, NULL, 10);
    const size_t sessions = only == NULL ? test_rounds(SESSIONS) : 1;
    struct arena arena = {0};
    for (size_t s = 0; s < sessions; s++) {
        struct random random;
        if (sessions > SESSIONS && s % 10000 == 0) {
            printf("ATTN_TEST_SEED=%zu\n", seed + s);
            fflush(stdout);
        }
        random_start(&random, seed + s, "sessions");
        try_one(&random, &arena);
        arena_reset(&arena);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_that_is_read_is_written_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
