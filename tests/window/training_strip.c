/* The views of training, drawn from a run that is made up here: whole at every size and in every
 * theme, and what hands ask of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hands.h"
#include "learn/task.h"
#include "view/parts/learn.h"

enum { POINTS = 911, TRAIL = 12, WORDS = 20, HEADS = 2, N = 8 };

/* A run of 910 of 3000 steps, as arithmetic gives it. */
struct made_up {
    float at[POINTS], loss[POINTS], score[POINTS];
    struct point place[WORDS][TRAIL];
    struct view_learn_word word[WORDS];
    float alpha[VIEW_LEARN_MOMENTS][HEADS * N * N];
    struct view_learn learn;
};

static const char *const words[WORDS] = {
    "cat",   "dog",    "hamster", "rabbit", "lion",  "tiger", "wolf", "bear",  "NYC",  "Paris",
    "Tokyo", "London", "hammer",  "saw",    "drill", "axe",   "cake", "bread", "soup", "apple"};
static const char *const tasks[] = {"Copy", "Small world · 46 words", "Induction"};

static void fill_run(struct made_up *run)
{
    for (size_t i = 0; i < POINTS; i++) {
        const double step = 910.0 * (double)i / (POINTS - 1);
        run->at[i] = (float)step;
        run->loss[i] = (float)(0.4 + 3.5 * exp(-step / 40));
        run->score[i] = (float)(0.85 / (1 + exp(-(step - 300) / 90)) + 0.02 * sin(step));
    }
    for (size_t w = 0; w < WORDS; w++) {
        for (size_t t = 0; t < TRAIL; t++) {
            const double angle = 1.25 * (double)(w / 4) + 0.1 * (double)(w % 4);
            run->place[w][t] = (struct point){(float)(cos(angle) * (double)t / TRAIL),
                                              (float)(sin(angle) * (double)t / TRAIL)};
        }
        run->word[w] = (struct view_learn_word){words[w], 1 + w / 4, run->place[w], TRAIL, false};
    }
    for (size_t m = 0; m < VIEW_LEARN_MOMENTS; m++) {
        for (size_t i = 0; i < HEADS * N * N; i++) {
            const size_t row = i / N % N, column = i % N;
            run->alpha[m][i] = column <= row ? 1.0f / (float)(row + 1) : 0;
        }
    }
}

static void make_up(struct made_up *run)
{
    fill_run(run);
    run->learn = (struct view_learn){
        .task = tasks[1],
        .task_at = 1,
        .tasks = tasks,
        .tasks_count = 3,
        .step = 910,
        .reached = 910,
        .steps = 3000,
        .training = true,
        .per_second = 2700,
        .speed = 3,
        .loss = 0.407,
        .right = 0.82,
        .at = run->at,
        .points = POINTS,
        .curve = {{"loss", LAB_ROLE_NONE, run->loss, 0, 4, false},
                  {"is → hammer, L0H0", LAB_ROLE_QUERY, run->score, 0, 1, false}},
        .curves = 2,
        .event = {{200, "kinds of words move apart"}, {640, "attention finds the noun"}},
        .events = 2,
        .next_title = "next word after “it is”",
        .next_writes = true,
        .next_joins = true,
        .next = {{"useful", .share = 0.518}, {"heavy", .share = 0.48}, {"strong", .share = 0.001}},
        .next_count = 3,
        .layers = 1,
        .heads = HEADS,
        .n = N,
        .moment = {{0, run->alpha[0]}, {200, run->alpha[1]}, {910, run->alpha[2]}},
        .word = run->word,
        .words = WORDS,
        .recipe_rows = learn_recipe_record(),
        .recipe = &learn_task_find("small-world")->recipe,
        .weights = 3008,
    };
}

static struct hands *open_run(struct made_up *run, float width, float height)
{
    struct hands *const hands = hands_open("cats", width, height);
    make_up(run);
    hands->state->view.learn = &run->learn;
    hands_frame(hands);
    return hands;
}

static void what_is_asked_stands_there(void **unused)
{
    (void)unused;
    struct made_up *const run = calloc(1, sizeof *run);
    assert_non_null(run);
    struct hands *const hands = open_run(run, 1440, 900);
    static const char *const seen[] = {"Training",
                                       "step 910 of 3 000",
                                       "loss 0.407 · right 82 %",
                                       "2 700 steps/s ×",
                                       "1/10",
                                       "loss",
                                       "is → hammer, L0H0",
                                       "kinds of words move apart",
                                       "attention finds the noun",
                                       "next word after “it is”",
                                       "useful",
                                       "51.8 %",
                                       "LEARN FROM",
                                       "Small world · 46 words",
                                       "weight decay",
                                       "gradient",
                                       "change",
                                       "Heads — then and now",
                                       "L0H1",
                                       "step 0",
                                       "Where words have moved",
                                       "hamster",
                                       "0",
                                       "10",
                                       "30",
                                       "100",
                                       "300",
                                       "3 000"};
    for (size_t s = 0; s < sizeof seen / sizeof *seen; s++) {
        hands_expect(hands, seen[s]);
    }
    hands_close(hands);
    free(run);
}

/* Slower than it could, its own pace is told too, from the first run on. */
static void a_slow_run_tells_its_pace(void **unused)
{
    (void)unused;
    struct made_up *const run = calloc(1, sizeof *run);
    assert_non_null(run);
    struct hands *const hands = open_run(run, 960, 600);
    run->learn.per_second = 0; /* it has not gone at full speed yet */
    run->learn.pace = 203.4;
    hands_frame(hands);
    hands_expect(hands, "200 steps/s at ×");
    run->learn.pace = 2.04;
    hands_frame(hands);
    hands_expect(hands, "2.0 steps/s at ×");
    run->learn.training = false;
    hands_frame(hands);
    hands_expect(hands, "speed ×");
    hands_close(hands);
    free(run);
}

/* Each speed can be told from the others in the closed menu. */
static void each_speed_is_whole(void **unused)
{
    (void)unused;
    struct made_up *const run = calloc(1, sizeof *run);
    assert_non_null(run);
    for (size_t room = 0; room < 2; room++) {
        struct hands *const hands = open_run(run, room == 0 ? 1440 : 960, room == 0 ? 900 : 600);
        for (size_t speed = 0; speed < VIEW_LEARN_SPEEDS; speed++) {
            run->learn.speed = speed;
            hands_frame(hands);
            hands_expect(hands, view_learn_speed_name(speed));
        }
        run->learn.training = false; /* no speed of what stands still */
        hands_frame(hands);
        hands_expect(hands, "speed ×");
        hands_close(hands);
    }
    free(run);
}

/* Where all words of an event find no room, fewer stand there. */
static void an_event_is_told_in_fewer_words(void **unused)
{
    (void)unused;
    struct made_up *const run = calloc(1, sizeof *run);
    assert_non_null(run);
    struct hands *const hands = open_run(run, 1440, 900);
    run->learn.event[0] = (struct view_learn_event){
        .step = 70,
        .words = "attention finds the answer, on average: L0H0, and a word more, and one more",
        .sentence = "attention finds the answer, on average: L0H0, at step 70",
        .brief = "attention finds the answer"};
    run->learn.event[1] = (struct view_learn_event){
        .step = 80, .words = "all are right", .sentence = "all are right, at step 80"};
    hands_frame(hands);
    hands_expect(hands, "all are right");
    hands_expect(hands, "attention finds the answer");
    hands_close(hands);
    free(run);
}

/* A number on the way that would touch a neighbour's is left out. */
static void numbers_of_moments_keep_apart(void **unused)
{
    (void)unused;
    struct made_up *const run = calloc(1, sizeof *run);
    assert_non_null(run);
    struct hands *const hands = open_run(run, 1280, 720);
    run->learn.moment[1].step = 1200;
    run->learn.moment[2].step = 1910;
    hands_frame(hands);
    hands_expect(hands, "1 200");
    run->learn.moment[1].step = 2200200200200200;
    run->learn.moment[2].step = 9910910910910910;
    hands_frame(hands);
    hands_expect_not(hands, "2 200 200 200 200 200");
    hands_expect(hands, "9 910 910 910 910 910");
    hands_close(hands);
    free(run);
}

static void all_of_it_is_whole_everywhere(void **unused)
{
    (void)unused;
    static const struct {
        float width, height;
        bool presenter;
    } rooms[] = {{1440, 900, false}, {960, 600, false},   {1024, 768, true},
                 {1280, 720, true},  {1280, 1440, false}, {2560, 1440, false}};
    struct made_up *const run = calloc(1, sizeof *run);
    assert_non_null(run);
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        for (size_t theme = 0; theme < 2; theme++) {
            struct hands *const hands = open_run(run, rooms[r].width, rooms[r].height);
            if (rooms[r].presenter) {
                hands_key(hands, "F5");
            }
            for (size_t t = 0; t < theme; t++) {
                hands_key(hands, "t");
            }
            hands_expect(hands, "step 910 of 3 000");
            hands_expect(hands, "attention finds the noun");
            hands_expect(hands, "useful");
            if (hands_collisions(hands) != 0) {
                fail_msg("%g × %g", (double)rooms[r].width, (double)rooms[r].height);
            }
            hands_close(hands);
        }
    }
    free(run);
}

/* Points of the longest line on screen. */
static size_t longest_line(const struct hands *hands)
{
    const struct canvas *const canvas = hands_canvas(hands);
    size_t longest = 0;
    for (size_t c = 0; c < canvas_count(canvas); c++) {
        const struct canvas_command *const command = canvas_command_at(canvas, c);
        if (command->kind == CANVAS_PATH && !command->closed && command->length > longest) {
            longest = command->length;
        }
    }
    return longest;
}

/* Steps that stand closer than the columns of the screen leave no hole, evenly or by logarithm. */
static void curves_begin_where_training_does(void **unused)
{
    (void)unused;
    struct made_up *const run = calloc(1, sizeof *run);
    assert_non_null(run);
    struct hands *const hands = open_run(run, 1440, 900);
    assert_true(longest_line(hands) > 150);
    hands_click(hands, "log");
    hands_expect(hands, "linear");
    assert_true(longest_line(hands) > 150);
    hands_close(hands);
    free(run);
}

/* There is a strip in the smallest window. */
static void small_windows_have_the_track(void **unused)
{
    (void)unused;
    struct made_up *const run = calloc(1, sizeof *run);
    assert_non_null(run);
    struct hands *const hands = open_run(run, 640, 480);
    hands_expect(hands, "step 910 of 3 000");
    hands_expect(hands, "3 000");
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
    free(run);
}

static bool has_text(const struct canvas *canvas, const struct canvas_command *command,
                     const char *text)
{
    return command->kind == CANVAS_TEXT && command->length == strlen(text) &&
           memcmp(canvas_text_of(canvas, command), text, command->length) == 0;
}

/* How many points of lines lie on a text. */
static size_t points_on(const struct hands *hands, const char *text)
{
    const struct canvas *const canvas = hands_canvas(hands);
    struct rect place = {0, 0, 0, 0};
    size_t on = 0;
    for (size_t c = 0; c < canvas_count(canvas); c++) {
        const struct canvas_command *const command = canvas_command_at(canvas, c);
        place = has_text(canvas, command, text) ? command->rect : place; /* y: baseline, h: size */
    }
    assert_true(place.w > 0);
    for (size_t c = 0; c < canvas_count(canvas); c++) {
        const struct canvas_command *const command = canvas_command_at(canvas, c);
        const struct point *const point =
            command->kind == CANVAS_PATH ? canvas_points_of(canvas, command) : NULL;
        for (size_t p = 0; point != NULL && command->length > 20 && p < command->length; p++) {
            on += point[p].x > place.x && point[p].x < place.x + place.w &&
                  point[p].y > place.y - 0.7f * place.h && point[p].y < place.y;
        }
    }
    return on;
}

/* Names stand beside lines: in the middle of a run, at its end, and where time is linear. */
static void no_name_lies_on_a_line(void **unused)
{
    (void)unused;
    static const size_t ends[] = {3000, 1400, 910};
    struct made_up *const run = calloc(1, sizeof *run);
    assert_non_null(run);
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        struct hands *const hands = open_run(run, 1440, 900);
        run->learn.steps = ends[e];
        for (size_t scale = 0; scale < 2; scale++) {
            hands_frame(hands);
            assert_int_equal(points_on(hands, "loss"), 0);
            assert_int_equal(points_on(hands, "is → hammer, L0H0"), 0);
            hands_click(hands, scale == 0 ? "log" : "linear"); /* covered by nothing */
            hands_expect(hands, scale == 0 ? "linear" : "log");
        }
        hands_close(hands);
    }
    free(run);
}

/* Where there is little room, a name stands further from its line, or is told in brief. */
static void names_of_four_curves_find_room_in_a_small_window(void **unused)
{
    (void)unused;
    struct made_up *const run = calloc(1, sizeof *run);
    float *const right = calloc(POINTS, sizeof *right), *const kinds =
                                                            calloc(POINTS, sizeof *kinds);
    assert_non_null(run);
    assert_non_null(right);
    assert_non_null(kinds);
    struct hands *const hands = open_run(run, 960, 600);
    for (size_t i = 0; i < POINTS; i++) {
        right[i] = (float)(0.85 * (1 - exp(-(double)run->at[i] / 40)));
        kinds[i] = (float)(0.75 * (1 - exp(-(double)run->at[i] / 60)));
    }
    run->learn.curve[1].brief = "is → hammer";
    run->learn.curve[2] =
        (struct view_learn_curve){.name = "right", .role = LAB_ROLE_X, .value = right, .high = 1};
    run->learn.curve[3] = (struct view_learn_curve){
        .name = "kinds apart", .role = LAB_ROLE_VALUE, .value = kinds, .high = 1};
    run->learn.curves = 4;
    run->learn.steps = 910;
    hands_frame(hands);
    const bool brief = hands_count(hands, "is → hammer") > 0;
    assert_int_equal(points_on(hands, "loss"), 0);
    assert_int_equal(points_on(hands, "right"), 0);
    assert_int_equal(points_on(hands, "kinds apart"), 0);
    assert_int_equal(points_on(hands, brief ? "is → hammer" : "is → hammer, L0H0"), 0);
    hands_close(hands);
    free(kinds);
    free(right);
    free(run);
}

/* The number of the present step stands beside a name: a share that is neither all nor nothing does
 * not read as such. */
static void numbers_stand_beside_names(void **unused)
{
    (void)unused;
    struct made_up *const run = calloc(1, sizeof *run);
    assert_non_null(run);
    struct hands *const hands = open_run(run, 1440, 900);
    run->learn.curve[0].now = 0.407f;
    run->learn.curve[1].unit = VIEW_LEARN_SHARE;
    static const struct {
        float now;
        const char *text;
    } told[] = {{0.85f, "85 %"}, {0.998f, "99.8 %"}, {0.9999f, "99.9 %"},
                {1, "100 %"},    {0.003f, "0.3 %"},  {0, "0 %"}};
    for (size_t t = 0; t < sizeof told / sizeof *told; t++) {
        run->learn.curve[1].now = told[t].now;
        hands_frame(hands);
        hands_expect(hands, told[t].text);
        hands_expect(hands, "0.407");
        assert_int_equal(hands_collisions(hands), 0);
    }
    run->learn.curve[1].now = NAN;
    hands_frame(hands);
    hands_expect(hands, "—");
    hands_close(hands);
    free(run);
}

/* Before a class: the plot gives way before the numbers of what heads look at. */
static void before_a_class_each_curve_has_its_number(void **state)
{
    (void)state;
    struct hands *const hands = hands_open_presenter("induction", 1024, 768);
    hands_show_settled(hands);
    assert_int_equal(hands_count(hands, "mean:"), 2);
    hands_close(hands);
}

/* Weights that come with the program are their end alone: nothing says that there is more. */
static void heads_of_one_step_are_not_then_and_now(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("real-heads", 1440, 900);
    hands_settle(hands);
    hands_frame(hands);
    hands_expect(hands, "Learned before");
    hands_expect(hands, "step 1 500");
    hands_expect_not(hands, "Heads — then and now");
    assert_int_equal(hands_count(hands, "1 500"), 1); /* at the curve */
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_of_one_step_are_not_then_and_now),
        cmocka_unit_test(names_of_four_curves_find_room_in_a_small_window),
        cmocka_unit_test(what_is_asked_stands_there),
        cmocka_unit_test(a_slow_run_tells_its_pace),
        cmocka_unit_test(each_speed_is_whole),
        cmocka_unit_test(an_event_is_told_in_fewer_words),
        cmocka_unit_test(numbers_of_moments_keep_apart),
        cmocka_unit_test(all_of_it_is_whole_everywhere),
        cmocka_unit_test(curves_begin_where_training_does),
        cmocka_unit_test(no_name_lies_on_a_line),
        cmocka_unit_test(small_windows_have_the_track),
        cmocka_unit_test(numbers_stand_beside_names),
        cmocka_unit_test(before_a_class_each_curve_has_its_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
