/* monkey [SEED [EVENTS]] — random hands at the whole program: pointer, wheel, keys, letters,
 * pastes, sizes, scales, files, lessons and commands, through app/frame without a window. A round
 * of ROUND events begins anew with the next seed, which is printed before it, so that any round can
 * be had again alone: monkey SEED ROUND. After each event there are numbers or a reason, nothing on
 * the list is beyond reach, and the work can be computed. Built with MONKEY_FAULTS (tests/faults),
 * allocations and calls that read and write fail at random, too: a picture may then lack something,
 * but the next one is whole again. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../rounds.h"
#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/actions/startup.h"
#include "app/actions/step.h"
#include "app/draw/frame.h"
#include "app/export/export.h"
#include "app/learn/learn.h"
#include "app/open/drop.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "base/random.h"
#include "folder.h"
#include "lab/lesson/lessons.h"
#include "learn/task.h"
#include "view/parts/head_overview.h"
#include "view/parts/learn.h"
#include "view/sheets/export.h"

#ifdef MONKEY_FAULTS
#include "../faults/fail.h"
#endif

enum {
    ROUND = 2000,
    WORK_ROUND = 400,
    TOKENS_MANY = 48,
    PATHS_MAX = 256,
    MODELS_MAX = 64,
    PATH_BYTES = 512
};

static const uint64_t AT_WORK = 1000000000;

struct monkey {
    struct random dice;
    struct app_frame *frame;
    struct app_state *state;
    struct ui_input input;
    char path[PATHS_MAX][PATH_BYTES], model[MODELS_MAX][PATH_BYTES];
    size_t paths, models, events, faults;
    bool at_work;
    const char *last; /* what was done last */
    char text[64];
};

/* Faults that were found and mended: their rounds are played first, each time. */
static const uint64_t found[] = {1, 52, 500001, 500150, 500152, 1000007008, 1000007010};

static size_t pick_below(struct monkey *monkey, size_t count)
{
    return count == 0 ? 0 : (size_t)(random_bits(&monkey->dice) % count);
}

static bool happens_once_in(struct monkey *monkey, size_t of)
{
    return pick_below(monkey, of) == 0;
}

static size_t collect_files(char path[][PATH_BYTES], size_t paths, size_t most, const char *folder)
{
    DIR *const files = opendir(folder);
    const struct dirent *file = NULL;
    while (files != NULL && (file = readdir(files)) != NULL && paths < most) {
        if (file->d_name[0] != '.') {
            snprintf(path[paths++], PATH_BYTES, "%.250s/%.250s", folder, file->d_name);
        }
    }
    if (files != NULL) {
        closedir(files);
    }
    return paths;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* --- what a monkey does --- */

static void move_pointer(struct monkey *monkey)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, -1, 1e9f, -1e9f, 0};
    struct ui_input *const input = &monkey->input;
    const struct canvas *const canvas = app_frame_canvas(monkey->frame);
    const struct canvas_command *const command =
        canvas_count(canvas) > 0
            ? canvas_command_at(canvas, pick_below(monkey, canvas_count(canvas)))
            : NULL;
    if (happens_once_in(monkey, 40)) {
        input->x = odd[pick_below(monkey, sizeof odd / sizeof *odd)];
        input->y = odd[pick_below(monkey, sizeof odd / sizeof *odd)];
    } else if (command != NULL && !happens_once_in(monkey, 4)) {
        const bool text = command->kind == CANVAS_TEXT;
        input->x = command->rect.x + command->rect.w * (float)random_uniform(&monkey->dice);
        input->y = command->rect.y +
                   (text ? -0.3f : (float)random_uniform(&monkey->dice)) * command->rect.h;
    } else {
        input->x = input->width * (float)random_uniform(&monkey->dice);
        input->y = input->height * (float)random_uniform(&monkey->dice);
    }
    input->inside =
        input->x >= 0 && input->y >= 0 && input->x < input->width && input->y < input->height;
}

static void press_button(struct monkey *monkey)
{
    static const unsigned buttons[] = {UI_LEFT_BUTTON, UI_LEFT_BUTTON,  UI_LEFT_BUTTON,
                                       UI_LEFT_BUTTON, UI_RIGHT_BUTTON, UI_MIDDLE_BUTTON};
    const unsigned button = buttons[pick_below(monkey, sizeof buttons / sizeof *buttons)];
    move_pointer(monkey);
    monkey->input.down |= button;
    monkey->input.pressed |= button;
    monkey->input.clicks = 1 + (int)pick_below(monkey, 3);
    monkey->input.mods = happens_once_in(monkey, 6) ? (unsigned)pick_below(monkey, 8) : 0;
}

static void release_button(struct monkey *monkey)
{
    monkey->input.released |= monkey->input.down;
    monkey->input.down = 0;
}

static void click_somewhere(struct monkey *monkey)
{
    press_button(monkey);
    if (!happens_once_in(monkey, 3)) {
        release_button(monkey);
    }
}

static void turn_wheel(struct monkey *monkey)
{
    static const float turns[] = {1, -1, 0.01f, 3, -3, 1e6f, -1e6f};
    monkey->input.wheel_y = turns[pick_below(monkey, sizeof turns / sizeof *turns)];
    monkey->input.wheel_x = happens_once_in(monkey, 5) ? turns[pick_below(monkey, 7)] : 0;
    monkey->input.mods = happens_once_in(monkey, 4) ? UI_CTRL : 0;
}

static void strike_key(struct monkey *monkey)
{
    static const uint32_t named[] = {UI_KEY_BACKSPACE, UI_KEY_TAB,      UI_KEY_ENTER, UI_KEY_ESCAPE,
                                     UI_KEY_SPACE,     UI_KEY_DELETE,   UI_KEY_LEFT,  UI_KEY_RIGHT,
                                     UI_KEY_UP,        UI_KEY_DOWN,     UI_KEY_HOME,  UI_KEY_END,
                                     UI_KEY_PAGE_UP,   UI_KEY_PAGE_DOWN};
    struct ui_input *const input = &monkey->input;
    if (input->strokes == UI_STROKES_MAX) {
        return;
    }
    const size_t kind = pick_below(monkey, 4);
    const uint32_t key = kind == 0   ? ' ' + (uint32_t)pick_below(monkey, 95)
                         : kind == 1 ? UI_KEY_F1 + (uint32_t)pick_below(monkey, 12)
                                     : named[pick_below(monkey, sizeof named / sizeof *named)];
    const unsigned mods = happens_once_in(monkey, 3) ? (unsigned)pick_below(monkey, 8) : 0;
    input->mods = mods;
    input->stroke[input->strokes++] = (struct ui_stroke){key, mods};
}

static void type_text(struct monkey *monkey)
{
    static const char *const texts[] = {"a",
                                        "7",
                                        "-0.5",
                                        " ",
                                        "cat ",
                                        "1e38",
                                        "nan",
                                        "inf",
                                        "0,5",
                                        "\xe6\xbc\xa2",
                                        "\xf0\x9f\x99\x82",
                                        "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9",
                                        "e\xcc\x81",
                                        "\xd7\xa9\xd7\x9c",
                                        "\xff\xfe",
                                        "\xe2\x80\xae",
                                        "\t",
                                        "\n",
                                        "<&\"'>",
                                        "%n%s",
                                        "\\"};
    monkey->input.text = texts[pick_below(monkey, sizeof texts / sizeof *texts)];
}

static void paste_text(struct monkey *monkey)
{
    static const char *const texts[] = {"",
                                        "one two three",
                                        "1 2\n3 4",
                                        "[[0.1, 0.2], [0.3, 0.4]]",
                                        "1\t2\t3\n4\t5",
                                        "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}",
                                        "nan inf -inf",
                                        "\xff\xff\xff",
                                        "0.25",
                                        "a\nb\nc\nd\ne\nf\ng",
                                        "1,5;2,5\n3,5;4,5"};
    monkey->input.paste = texts[pick_below(monkey, sizeof texts / sizeof *texts)];
}

static void resize_window(struct monkey *monkey)
{
    static const float sides[] = {1, 2, 3, 47, 200, 480, 600, 960, 1440, 2560, 8192, 16384};
    static const float scales[] = {0.5f, 1, 1, 1.25f, 2, 4};
    const bool usual = !happens_once_in(monkey, 3);
    monkey->input.width = usual ? 1440 : sides[pick_below(monkey, sizeof sides / sizeof *sides)];
    monkey->input.height = usual ? 900 : sides[pick_below(monkey, sizeof sides / sizeof *sides)];
    monkey->input.scale = scales[pick_below(monkey, sizeof scales / sizeof *scales)];
    monkey->input.reduce_motion = happens_once_in(monkey, 2);
}

/* Waits for what was begun, so that the order of things can be had again; weights that learn play
 * on, as they do before a person. */
static void settle_window(struct monkey *monkey)
{
    const struct app_input nothing = {.ui = {.width = monkey->input.width,
                                             .height = monkey->input.height,
                                             .scale = monkey->input.scale,
                                             .time = monkey->input.time,
                                             .x = -1,
                                             .y = -1,
                                             .reduce_motion = monkey->input.reduce_motion}};
    app_step(monkey->frame, monkey->state, &nothing);
    while (app_waits_for_tasks(monkey->state)) {
        app_wait(monkey->state, 0.005);
        app_step(monkey->frame, monkey->state, &nothing);
    }
}

static void drop_file(struct monkey *monkey)
{
    if (monkey->paths > 0) {
        const char *const paths[2] = {monkey->path[pick_below(monkey, monkey->paths)],
                                      monkey->path[pick_below(monkey, monkey->paths)]};
        app_step(monkey->frame, monkey->state,
                 &(struct app_input){
                     .ui = monkey->input, .dropped = paths, .drops = 1 + pick_below(monkey, 2)});
        monkey->state->document.work->path[0] =
            '\0'; /* Ctrl+S must not write over what was dropped */
        settle_window(monkey);
    }
}

static void open_lesson(struct monkey *monkey)
{
    app_lesson_open(monkey->state, pick_below(monkey, lab_lesson_count()), monkey->input.time);
    app_lesson_go(monkey->state, pick_below(monkey, 9), monkey->input.time);
}

static void run_command(struct monkey *monkey)
{
    size_t count = 0;
    while (app_command_at(count) != NULL) {
        count++;
    }
    const struct app_command *const row = app_command_at(pick_below(monkey, count));
    snprintf(monkey->text, sizeof monkey->text, "command %s", row->name);
    monkey->last = monkey->text;
    app_command_do(monkey->state, row, monkey->input.time);
    if (!monkey->at_work) {
        settle_window(monkey);
    }
}

static void set_field(struct monkey *monkey)
{
    static const double numbers[] = {-1, 0, 1, 2, 3, 4, 8, 0.1, 100, 1e-30, NAN, INFINITY};
    const struct view_action action = {
        .kind = VIEW_ACTION_FIELD,
        .setting = {.field = (enum lab_param_id)pick_below(monkey, lab_param_count()),
                    .number = numbers[pick_below(monkey, sizeof numbers / sizeof *numbers)]}};
    if (action.setting.field == LAB_PARAM_D_MODEL || action.setting.field == LAB_PARAM_HEADS) {
        return; /* by the hand only: sizes of thousands are for benchmarks */
    }
    app_state_apply(monkey->state, &action, monkey->input.time);
}

static void wait_frames(struct monkey *monkey)
{
    monkey->input.time += happens_once_in(monkey, 8) ? 30 : 0.3;
}

/* --- what one at work does besides --- */

static void send_action(struct monkey *monkey, struct view_action action)
{
    app_state_apply(monkey->state, &action, monkey->input.time);
}

static void open_model(struct monkey *monkey)
{
    static const char *const texts[] = {NULL, "the cat sat", "a", "one two three four five six"};
    if (monkey->models > 0) {
        (void)app_open_model_open(monkey->state, monkey->model[pick_below(monkey, monkey->models)],
                                  texts[pick_below(monkey, sizeof texts / sizeof *texts)],
                                  monkey->input.time);
    }
}

static void edit_words(struct monkey *monkey)
{
    static const char *const texts[] = {
        "the", "cat sat", "J\xc3\xbcrgen zebra", "heavy", " ", "is it", "", "a\\ b"};
    static const enum view_action_kind kinds[] = {VIEW_ACTION_INSERT,  VIEW_ACTION_INSERT,
                                                  VIEW_ACTION_INSERT,  VIEW_ACTION_REMOVE,
                                                  VIEW_ACTION_REPLACE, VIEW_ACTION_MOVE};
    const size_t words = lab_words_count(monkey->state->document.experiment.tokens);
    send_action(monkey,
                (struct view_action){
                    .kind = kinds[pick_below(monkey, sizeof kinds / sizeof *kinds)],
                    .token = {.of_keys = happens_once_in(monkey, 6),
                              .at = pick_below(monkey, words + 2),
                              .before = pick_below(monkey, words + 2),
                              .text = texts[pick_below(monkey, sizeof texts / sizeof *texts)]}});
}

static void ask_heads(struct monkey *monkey)
{
    send_action(monkey,
                (struct view_action){
                    .kind = VIEW_ACTION_HEAD_OVERVIEW,
                    .overview = {.act = (unsigned)pick_below(monkey, VIEW_HEAD_OVERVIEW_CANCEL + 1),
                                 .which = pick_below(monkey, 10),
                                 .number = 0.1 * (double)pick_below(monkey, 20)}});
}

static void train_somehow(struct monkey *monkey)
{
    static const struct {
        enum learn_recipe_member member;
        double max; /* small and quick */
    } settings[] = {{LEARN_RECIPE_LAYERS, 3},         {LEARN_RECIPE_HEADS, 4},
                    {LEARN_RECIPE_D_MODEL, 32},       {LEARN_RECIPE_MLP, 1},
                    {LEARN_RECIPE_RATE, 0.1},         {LEARN_RECIPE_BATCH, 16},
                    {LEARN_RECIPE_WEIGHT_DECAY, 0.5}, {LEARN_RECIPE_SEED, 9}};
    enum { SETTINGS = sizeof settings / sizeof *settings };
    const unsigned act = (unsigned)pick_below(monkey, VIEW_LEARN_LEAVE + 1);
    const size_t which = act == VIEW_LEARN_START  ? pick_below(monkey, LEARN_TASKS)
                         : act == VIEW_LEARN_SEEK ? pick_below(monkey, 150)
                         : act == VIEW_LEARN_SET  ? pick_below(monkey, SETTINGS)
                                                  : pick_below(monkey, 10);
    const double share = random_uniform(&monkey->dice);
    send_action(
        monkey,
        (struct view_action){
            .kind = VIEW_ACTION_LEARN,
            .learn = {.act = act,
                      .which = act == VIEW_LEARN_SET ? settings[which].member : which,
                      .number = share * (act == VIEW_LEARN_SET ? settings[which].max : 1)}});
}

static void learn_text(struct monkey *monkey)
{
    static const char text[] = "the cat sat on the mat and the dog sat on the cat and so on ";
    struct error error = {0};
    (void)app_learn_text(monkey->state, (struct bytes){(const uint8_t *)text, sizeof text - 1},
                         monkey->input.time, &error);
}

static void turn_view(struct monkey *monkey)
{
    if (happens_once_in(monkey, 2)) {
        send_action(monkey,
                    (struct view_action){.kind = VIEW_ACTION_MAIN,
                                         .main = (enum view_main)pick_below(monkey, VIEW_MAINS)});
    } else {
        app_state_turn_extra_stage(
            monkey->state, (enum view_extra_stage)pick_below(monkey, VIEW_EXTRA_STAGE_LOSS + 1),
            monkey->input.time);
    }
}

static void walk_lesson(struct monkey *monkey)
{
    static const char *const names[] = {"undo", "undo", "redo", "next layer", "compare"};
    app_command_run(monkey->state, names[pick_below(monkey, sizeof names / sizeof *names)], 0,
                    monkey->input.time);
}

static void animate_stage(struct monkey *monkey)
{
    enum { GIF = 5, CONTENTS = 7 };
    struct view_action asked = {
        .kind = VIEW_ACTION_EXPORT,
        .export = {.act = VIEW_EXPORT_CHOOSE, .which = VIEW_EXPORT_FORMAT, .number = GIF}};
    app_export_open(monkey->state, monkey->input.time);
    send_action(monkey, asked);
    asked.export.which = VIEW_EXPORT_CONTENT;
    asked.export.number = (double)pick_below(monkey, CONTENTS);
    send_action(monkey, asked);
    app_export_prepare(monkey->state);
    asked.export.act = VIEW_EXPORT_SAVE;
    send_action(monkey, asked);
}

/* Threads come as far as they can in some milliseconds. */
static void let_work(struct monkey *monkey)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000L * (long)pick_below(monkey, 8)}, NULL);
}

struct act {
    const char *name;
    void (*run)(struct monkey *monkey);
    size_t weight;
};

static const struct act acts[] = {
    {"point", move_pointer, 20},    {"press", press_button, 8}, {"release", release_button, 8},
    {"click", click_somewhere, 30}, {"wheel", turn_wheel, 6},   {"key", strike_key, 24},
    {"type", type_text, 8},         {"paste", paste_text, 3},   {"resize", resize_window, 2},
    {"drop", drop_file, 1},         {"lesson", open_lesson, 1}, {"command", run_command, 6},
    {"field", set_field, 4},        {"wait", wait_frames, 6}};

static const struct act work[] = {{"click", click_somewhere, 12},
                                  {"release", release_button, 4},
                                  {"key", strike_key, 8},
                                  {"type", type_text, 4},
                                  {"lesson", open_lesson, 2},
                                  {"command", run_command, 4},
                                  {"field", set_field, 2},
                                  {"wait", wait_frames, 4},
                                  {"open a model", open_model, 6},
                                  {"edit words", edit_words, 16},
                                  {"ask heads", ask_heads, 10},
                                  {"learn", train_somehow, 20},
                                  {"learn from a text", learn_text, 1},
                                  {"turn the view", turn_view, 4},
                                  {"walk", walk_lesson, 8},
                                  {"animate", animate_stage, 1},
                                  {"let work", let_work, 8}};

static void act_of(struct monkey *monkey, const struct act *row, size_t count)
{
    size_t all = 0;
    for (size_t a = 0; a < count; a++) {
        all += row[a].weight;
    }
    size_t lot = pick_below(monkey, all);
    while (lot >= row->weight) {
        lot -= row++->weight;
    }
    monkey->last = row->name;
    row->run(monkey);
}

static void do_something(struct monkey *monkey)
{
    if (monkey->at_work) {
        act_of(monkey, work, sizeof work / sizeof *work);
    } else {
        act_of(monkey, acts, sizeof acts / sizeof *acts);
    }
}

/* --- what must hold --- */

static bool is_within_reach(const struct canvas *canvas)
{
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct rect area = canvas_command_at(canvas, i)->rect;
        if (!isfinite(area.x) || !isfinite(area.y) || !isfinite(area.w) || !isfinite(area.h)) {
            return false;
        }
    }
    return true;
}

static const char *trouble_of(const struct monkey *monkey)
{
    const struct app_state *const state = monkey->state;
    if (state->document.trace == NULL && state->document.error.code == ERROR_NONE &&
        lab_words_count(state->document.experiment.tokens) > 0) {
        return "there are words, but neither numbers nor a reason";
    }
    if (state->document.trace == NULL && state->document.error.code != ERROR_NONE &&
        state->document.error.text[0] == '\0') {
        return "there is a reason without a sentence";
    }
    if (!app_frame_is_whole(monkey->frame)) {
        return "something is missing on the list";
    }
    if (!is_within_reach(app_frame_canvas(monkey->frame))) {
        return "something on the list is at no place";
    }
    if (state->document.at >= state->document.history.count ||
        state->document.history.count > DOCUMENT_STEPS_MAX) {
        return "the history has no present";
    }
    return NULL;
}

/* One record, and what comes of it; then nothing of it is left but where the hands are. */
static void step_frame(struct monkey *monkey)
{
    struct ui_input *const input = &monkey->input;
    input->time += 0.016;
    app_step(monkey->frame, monkey->state, &(struct app_input){.ui = *input});
    monkey->state->request = (struct app_request){0};
    input->pressed = input->released = 0;
    input->clicks = 0;
    input->wheel_x = input->wheel_y = 0;
    input->strokes = 0;
    input->mods = 0;
    input->text = input->paste = NULL;
    if (lab_words_count(monkey->state->document.experiment.tokens) > TOKENS_MANY) {
        open_lesson(monkey);
    }
}

#ifdef MONKEY_FAULTS
/* In one step of three some call will fail, once or from then on. */
static void begin_fault(struct monkey *monkey)
{
    static const struct {
        unsigned calls;
        int reason;
        size_t most; /* its number is drawn below this */
    } faults[] = {{FAIL_MEMORY, ENOMEM, 40}, {FAIL_ARENA, ENOMEM, 4000}, {FAIL_OPEN, EMFILE, 3},
                  {FAIL_READ, EIO, 6},       {FAIL_WRITE, ENOSPC, 3},    {FAIL_SYNC, EIO, 2},
                  {FAIL_CLOSE, EIO, 3},      {FAIL_RENAME, EACCES, 2},   {FAIL_STAT, EIO, 3},
                  {FAIL_MAP, ENOMEM, 2},     {FAIL_THREAD, EAGAIN, 2}};
    if (happens_once_in(monkey, 3)) {
        const size_t f = happens_once_in(monkey, 2)
                             ? pick_below(monkey, 2)
                             : pick_below(monkey, sizeof faults / sizeof *faults);
        fail_begin(faults[f].calls, 1 + pick_below(monkey, 1 + pick_below(monkey, faults[f].most)),
                   faults[f].reason, happens_once_in(monkey, 3) ? FAIL_EVER : FAIL_ONCE);
    }
}

/* Says whether something failed. */
static bool end_fault(struct monkey *monkey)
{
    const size_t failed = fail_end().failed;
    monkey->faults += failed > 0;
    return failed > 0;
}
#else
static void begin_fault(struct monkey *monkey)
{
    (void)monkey;
}

static bool end_fault(struct monkey *monkey)
{
    (void)monkey;
    return false;
}
#endif

/* What is wanted may take so long that threads compute it; the step is made when it has come.
 * Returns whether it was waited for. */
static bool settle_document(struct monkey *monkey)
{
    const bool is_pending = document_is_pending(&monkey->state->document);
    const struct app_input rest = {.ui = {.width = monkey->input.width,
                                          .height = monkey->input.height,
                                          .scale = monkey->input.scale,
                                          .time = monkey->input.time,
                                          .x = -1,
                                          .y = -1}};
    while (document_is_pending(&monkey->state->document)) {
        app_wait(monkey->state, 1);
        app_step(monkey->frame, monkey->state, &rest);
    }
    return is_pending;
}

static bool redo_everything(struct monkey *monkey)
{
    bool waited = false;
    while (document_can_redo(&monkey->state->document)) {
        document_redo(&monkey->state->document, 0);
        waited = settle_document(monkey) || waited;
    }
    return waited;
}

/* Undo to the beginning and all the way back: the last step is the same, but for weights that have
 * learned meanwhile. */
static const char *walk_history(struct monkey *monkey)
{
    struct document *const document = &monkey->state->document;
    const char *trouble = NULL;
    struct lab_experiment last;
    bool waited = settle_document(monkey);
    waited = redo_everything(monkey) || waited;
    lab_experiment_copy(&last, &document->experiment);
    while (trouble == NULL && document->at > 0) {
        const size_t before = document->at;
        document_undo(document, 0);
        waited = settle_document(monkey) || waited;
        trouble = document->at < before ? NULL : "undo does not lead back to the beginning";
    }
    waited = redo_everything(monkey) || waited;
    if (trouble == NULL && !(waited && last.learned != NULL) &&
        !lab_experiment_equal(&last, &document->experiment)) {
        trouble = "undone and done again, the work is another";
    }
    lab_experiment_release(&last);
    return trouble;
}

/* The round that is played, for who has to say that it does not end. */
static struct {
    char text[160];
    size_t size;
} under_way;

static void stop_hanging(int signal)
{
    (void)signal;
    (void)!write(STDERR_FILENO, under_way.text, under_way.size);
    abort();
}

/* An event and its frame take milliseconds, a minute beside other work under a sanitizer. */
static void watch_event(const struct monkey *monkey, uint64_t seed, size_t event)
{
    enum { SECONDS = 600 };
    alarm(0);
    const int size = snprintf(
        under_way.text, sizeof under_way.text, "FAILED: seed %llu hangs after event %zu (%s)\n",
        (unsigned long long)seed, event, monkey->last == NULL ? "the beginning" : monkey->last);
    under_way.size = (size_t)size;
    alarm(SECONDS);
}

static bool render_round(struct monkey *monkey, struct fonts *fonts, uint64_t seed, size_t events)
{
    struct error error = {0};
    const char *trouble = NULL;
    random_start(&monkey->dice, seed, "monkey");
    monkey->state = calloc(1, sizeof *monkey->state);
    monkey->frame = app_frame_open(fonts, &error);
    monkey->input =
        (struct ui_input){.width = 1440, .height = 900, .scale = 1, .time = 100, .x = -1, .y = -1};
    if (monkey->state == NULL || monkey->frame == NULL ||
        !app_state_open(monkey->state, NULL, NULL, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return false;
    }
    size_t event = 0;
    while (event < events && trouble == NULL) {
        watch_event(monkey, seed, event);
        const size_t together = 1 + pick_below(monkey, 3);
        begin_fault(monkey);
        for (size_t i = 0; i < together && event < events; i++, event++) {
            do_something(monkey);
        }
        step_frame(monkey);
        if (end_fault(monkey)) {
            step_frame(monkey);
        }
        trouble = trouble_of(monkey);
    }
    watch_event(monkey, seed, event);
    if (trouble == NULL && !monkey->at_work) {
        trouble = walk_history(monkey);
    }
    if (trouble != NULL) {
        fprintf(stderr, "FAILED: seed %llu, event %zu (%s): %s\n", (unsigned long long)seed, event,
                monkey->last, trouble);
    }
    watch_event(monkey, seed, event);
    app_frame_close(monkey->frame);
    app_state_close(monkey->state);
    free(monkey->state);
    alarm(0);
    return trouble == NULL;
}

static bool play_round(struct monkey *monkey, struct fonts *fonts, const char *home, uint64_t seed,
                       size_t events)
{
    printf("seed %llu\n", (unsigned long long)seed);
    fflush(stdout);
    monkey->at_work = seed >= AT_WORK;
    const bool fine = render_round(monkey, fonts, seed, events);
    folder_empty(home);
    monkey->events += events;
    return fine;
}

int main(int count, char **words)
{
    static struct monkey monkey;
    static char home[] = "monkey-XXXXXX";
    struct error error = {0};
    const uint64_t seed = count > 1 ? strtoull(words[1], NULL, 10) : 2026;
    const size_t events =
        count > 2 ? (size_t)atol(words[2]) : test_rounds(TEST_SANITIZED ? 6000 : 20000);
    const char *const folders[] = {getenv("DUMPS"), getenv("CORPUS_ACCEPT"),
                                   getenv("CORPUS_REFUSE"), getenv("CORPUS_EITHER")};
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        if (folders[f] != NULL) {
            monkey.paths = collect_files(monkey.path, monkey.paths, PATHS_MAX, folders[f]);
        }
    }
    if (getenv("MODELS") != NULL) {
        monkey.models = collect_files(monkey.model, 0, MODELS_MAX - 1, getenv("MODELS"));
        qsort(monkey.model, monkey.models, sizeof monkey.model[0], by_name);
    }
    if (getenv("TINY_MODEL") != NULL && monkey.paths < PATHS_MAX) {
        snprintf(monkey.path[monkey.paths++], PATH_BYTES, "%.500s", getenv("TINY_MODEL"));
        snprintf(monkey.model[monkey.models++], PATH_BYTES, "%.500s", getenv("TINY_MODEL"));
    }
    qsort(monkey.path, monkey.paths, sizeof monkey.path[0], by_name);
    struct fonts *const fonts = fonts_open(&error);
    signal(SIGALRM, stop_hanging);
    if (fonts == NULL || mkdtemp(home) == NULL || setenv("ATTNSCOPE_HOME", home, 1) != 0) {
        return 2;
    }
    size_t failures = 0;
    for (size_t f = 0; count < 2 && f < sizeof found / sizeof *found; f += test_stride()) {
        failures +=
            !play_round(&monkey, fonts, home, found[f], found[f] < AT_WORK ? ROUND : WORK_ROUND);
    }
    for (uint64_t round = 0; monkey.events < events; round++) {
        failures += !play_round(&monkey, fonts, home, seed + round,
                                events - monkey.events < ROUND ? events - monkey.events : ROUND);
    }
    for (uint64_t round = 0; seed < AT_WORK && events > ROUND && round * ROUND * 5 < events;
         round++) {
        failures += !play_round(&monkey, fonts, home, AT_WORK + seed + round, WORK_ROUND);
    }
    fonts_close(fonts);
    (void)rmdir(home);
    printf("%zu events, %zu faults, %zu rounds failed\n", monkey.events, monkey.faults, failures);
    return failures == 0 ? 0 : 1;
}
