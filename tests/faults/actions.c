/* actions TESTS [N [NAME]] — what a hand can do in the window, each again and again with one more
 * allocation, or one more call that reads or writes, made to fail. Either it is done, or a sentence
 * says why not and the work is as it was; what lies on the disk is whole, and the next thing works.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../rounds.h"
#include "../window/folder.h"
#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/actions/startup.h"
#include "app/actions/step.h"
#include "app/draw/frame.h"
#include "app/export/export.h"
#include "app/learn/learn.h"
#include "app/open/autosave.h"
#include "app/open/drop.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "base/file.h"
#include "fail.h"
#include "lab/lesson/lessons.h"
#include "learn/recipe.h"
#include "view/parts/head_overview.h"
#include "view/parts/learn.h"
#include "view/sheets/export.h"

enum { LEARN_SMALL_WORLD = 3, PLACES = 8, PATH_BYTES = 1024, SESSION_MAX = 1 << 20 };

struct desk {
    char tests[PATH_BYTES], home[PATH_BYTES - 64], session[PATH_BYTES];
    struct fonts *fonts;
    struct app_frame *frame;
    struct app_state *state;
    struct lab_experiment before, expected; /* before it; after it, undisturbed */
    size_t places, runs, failures;
    double time;
};

struct action {
    const char *name;
    void (*run)(struct desk *desk, const char *subject);
    const char *subject;
    void (*first)(struct desk *desk); /* done before it; NULL: nothing */
};

static void send_action(struct desk *desk, struct view_action asked)
{
    app_state_apply(desk->state, &asked, desk->time);
}

static void insert_text(struct desk *desk, const char *text)
{
    send_action(desk,
                (struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = 1, .text = text}});
}

static void replace_text(struct desk *desk, const char *text)
{
    send_action(
        desk, (struct view_action){.kind = VIEW_ACTION_REPLACE, .token = {.at = 0, .text = text}});
}

static void remove_word(struct desk *desk, const char *text)
{
    (void)text;
    send_action(desk, (struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 1}});
}

static void move_word(struct desk *desk, const char *text)
{
    (void)text;
    send_action(desk,
                (struct view_action){.kind = VIEW_ACTION_MOVE, .token = {.at = 0, .before = 2}});
}

static void paint_text(struct desk *desk, const char *text)
{
    (void)text;
    send_action(desk, (struct view_action){.kind = VIEW_ACTION_PAINT,
                                           .paint = {.query = 2, .key = 1, .begins = true}});
}

static void type_number(struct desk *desk, const char *text)
{
    (void)text;
    send_action(desk, (struct view_action){.kind = VIEW_ACTION_EDIT,
                                           .edit = {.cell = {LAB_Q, 0, 1, 1}, .number = 7}});
}

static void drag_weight(struct desk *desk, const char *text)
{
    (void)text;
    send_action(desk, (struct view_action){.kind = VIEW_ACTION_GRAB});
    send_action(desk, (struct view_action){
                          .kind = VIEW_ACTION_EDIT,
                          .edit = {.cell = {LAB_ALPHA, 0, 1, 1}, .number = 0.25, .shares = true}});
    send_action(desk, (struct view_action){.kind = VIEW_ACTION_CLOSE, .edit = {.stays = true}});
}

static void set_heads(struct desk *desk, const char *text)
{
    (void)text;
    send_action(desk, (struct view_action){.kind = VIEW_ACTION_FIELD,
                                           .setting = {.field = LAB_PARAM_HEADS, .number = 2}});
}

static void set_kind(struct desk *desk, const char *text)
{
    (void)text;
    send_action(desk, (struct view_action){.kind = VIEW_ACTION_VARIANT, .variant = 5});
}

static void run_command(struct desk *desk, const char *name)
{
    app_command_run(desk->state, name, 1, desk->time);
}

static void drop_file(struct desk *desk, const char *name)
{
    char path[2 * PATH_BYTES];
    const char *paths[1] = {path};
    snprintf(path, sizeof path, "%s/%s", desk->tests, name);
    if (access(path, F_OK) != 0) { /* no call of those that fail */
        fprintf(stderr, "FAILED: there is no %s to drop\n", path);
        desk->failures++;
    }
    app_drop_files(desk->state, paths, 1, desk->time);
    app_settle(desk->state, desk->time);
}

/* A model, and then a switch of its heads, for whose state there may have been no memory. */
static void switch_heads(struct desk *desk, const char *name)
{
    drop_file(desk, name);
    send_action(desk, (struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                           .overview = {.act = VIEW_HEAD_OVERVIEW_ALL_ON}});
    app_settle(desk->state, desk->time);
}

static void open_a_model(struct desk *desk)
{
    drop_file(desk, "model/tiny");
}

static void keep_aside(struct desk *desk, const char *text)
{
    (void)text;
    app_autosave_begin(desk->state, desk->time);
    insert_text(desk, "tiger");
    app_autosave_flush(desk->state);
}

static void walk_lesson(struct desk *desk, const char *name)
{
    size_t index = 0;
    if (lab_lesson_find(name, &index)) {
        app_lesson_open(desk->state, index, desk->time);
        app_lesson_go(desk->state, 1, desk->time);
    }
}

static void draw_one(struct desk *desk)
{
    const struct ui_input input = {
        .width = 960, .height = 600, .scale = 1, .time = desk->time, .x = -1, .y = -1};
    app_step(desk->frame, desk->state, &(struct app_input){.ui = input});
}

/* Draws something for the first time in a frame, which lacks room for it. */
static void draw_file(struct desk *desk, const char *name)
{
    run_command(desk, name);
    draw_one(desk);
}

static void export_as(struct desk *desk, const char *format)
{
    struct view_action asked = {.kind = VIEW_ACTION_EXPORT, .export = {.act = VIEW_EXPORT_CHOOSE}};
    app_export_open(desk->state, desk->time);
    asked.export.which = VIEW_EXPORT_FORMAT;
    asked.export.number = atof(format);
    app_export_apply(desk->state, &asked, desk->time);
    app_export_prepare(desk->state);
    asked.export.act = VIEW_EXPORT_SAVE;
    app_export_apply(desk->state, &asked, desk->time);
    for (int i = 0; i < 3; i++) {
        (void)app_export_advance(desk->state, desk->time);
    }
}

/* A word that was undone can be redone after a change that takes long was given up, or refused. */
static void give_up_a_change(struct desk *desk, const char *text)
{
    enum { MANY = 600 };
    struct document *const document = &desk->state->document;
    static const char *word[MANY];
    struct lab_experiment many;
    for (size_t w = 0; w < MANY; w++) {
        word[w] = text;
    }
    document_undo(document, desk->time);
    lab_experiment_copy(&many, document_present(document));
    if (lab_experiment_set_tokens(&many, word, MANY, NULL)) {
        desk->state->view.message = NULL;
        document_change(document, &many, "many words", desk->time);
        if (document->wanted == 0 && desk->state->view.message == NULL) {
            fprintf(stderr, "a change was refused without a word\n");
            desk->failures++;
        }
    }
    lab_experiment_release(&many);
    if (!document_cancel(document) && document->at > 0) { /* computed at once, without a thread */
        document_undo(document, desk->time);
        lab_experiment_release(&desk->expected);
        lab_experiment_copy(&desk->expected, &document->experiment);
        return;
    }
    document_redo(document, desk->time);
}

static void begin_anew(struct desk *desk, const char *text)
{
    struct error error = {0};
    struct fonts *const fonts = fonts_open(&error);
    struct app_frame *const frame = fonts == NULL ? NULL : app_frame_open(fonts, &error);
    (void)text;
    if (frame != NULL) {
        struct app_frame *const former = desk->frame;
        desk->frame = frame;
        draw_one(desk);
        desk->frame = former;
    } else if (error.text[0] == '\0') {
        abort();
    }
    app_frame_close(frame);
    fonts_close(fonts);
}

static void begin_to_learn(struct desk *desk)
{
    (void)app_learn_start(desk->state, LEARN_SMALL_WORLD, false, desk->time);
    app_settle(desk->state, desk->time);
}

/* A thread of its own answers actions about weights that learn. */
static void send_learn_action(struct desk *desk, enum view_learn_act act, size_t which)
{
    send_action(desk, (struct view_action){.kind = VIEW_ACTION_LEARN,
                                           .learn = {.act = act, .which = which, .number = 9}});
    app_settle(desk->state, desk->time);
}

static void learn_a_step(struct desk *desk, const char *text)
{
    (void)text;
    send_learn_action(desk, VIEW_LEARN_ONE, 0);
}

static void learn_to_a_step(struct desk *desk, const char *text)
{
    send_learn_action(desk, VIEW_LEARN_SEEK, (size_t)atoi(text));
}

static void learn_without_a_head(struct desk *desk, const char *text)
{
    send_learn_action(desk, VIEW_LEARN_SWITCH, (size_t)atoi(text));
}

static void learn_with_a_seed(struct desk *desk, const char *text)
{
    (void)text;
    send_learn_action(desk, VIEW_LEARN_SET, LEARN_RECIPE_SEED);
}

static const struct action actions[] = {
    {"insert", insert_text, "tiger", NULL},
    {"replace", replace_text, "two words", NULL},
    {"remove", remove_word, NULL, NULL},
    {"move", move_word, NULL, NULL},
    {"paint", paint_text, NULL, NULL},
    {"type a number", type_number, NULL, NULL},
    {"drag a weight", drag_weight, NULL, NULL},
    {"heads", set_heads, NULL, NULL},
    {"kind", set_kind, NULL, NULL},
    {"lesson", walk_lesson, "causal", NULL},
    {"lesson", walk_lesson, "flash", NULL},
    {"drop a session", drop_file, "corpus/accept/session-lesson.json", NULL},
    {"drop a picture", drop_file, "corpus/accept/picture-session.json", NULL},
    {"drop vectors", drop_file, "corpus/accept/vectors-glove", NULL},
    {"drop attention", drop_file, "lab/dumps/heads.npy", NULL},
    {"drop what is unclear", drop_file, "lab/dumps/foreign.npz", NULL},
    {"drop a model", drop_file, "model/tiny", NULL},
    {"drop a model and switch its heads", switch_heads, "model/tiny", NULL},
    {"drop a second model", drop_file, "model/fixtures/neo", open_a_model},
    {"keep aside", keep_aside, NULL, NULL},
    {"draw", draw_file, "flow", NULL},
    {"draw", draw_file, "costs", NULL},
    {"draw", draw_file, "help", NULL},
    {"give up a change", give_up_a_change, "cat", NULL},
    {"begin anew", begin_anew, NULL, NULL},
    {"export", export_as, "0", NULL},
    {"export", export_as, "1", NULL},
    {"export", export_as, "2", NULL},
    {"export", export_as, "3", NULL},
    {"export", export_as, "4", NULL},
    {"export", export_as, "5", NULL},
    {"export", export_as, "6", NULL},
    {"export", export_as, "7", NULL},
    {"export", export_as, "8", NULL},
    {"learn a step", learn_a_step, NULL, begin_to_learn},
    {"learn to a step", learn_to_a_step, "1", begin_to_learn},
    {"learn without a head", learn_without_a_head, "0", begin_to_learn},
    {"learn with a seed", learn_with_a_seed, NULL, begin_to_learn},
};

enum { ACTIONS = sizeof actions / sizeof actions[0] };

static void exit_failed(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

static void open_frame(struct desk *desk)
{
    struct error error = {0};
    desk->frame = desk->fonts == NULL ? NULL : app_frame_open(desk->fonts, &error);
    if (desk->frame == NULL) {
        exit_failed(error.text);
    }
}

/* A state with some work that was saved once, and a change since. */
static void lay_out(struct desk *desk, const struct action *action)
{
    struct error error = {0};
    folder_empty(".");
    if (action->run == draw_file) {
        app_frame_close(desk->frame);
        open_frame(desk);
    }
    desk->state = calloc(1, sizeof *desk->state);
    desk->time = 100;
    if (desk->state == NULL || !app_state_open(desk->state, "cats", NULL, &error)) {
        exit_failed(error.text);
    }
    if (!app_lesson_save(desk->state, desk->session, &error)) {
        exit_failed(error.text);
    }
    insert_text(desk, "bird");
    if (action->first != NULL) {
        action->first(desk);
    }
    draw_one(desk);
    desk->state->message[0] = '\0';
    desk->state->view.message = NULL;
    lab_experiment_copy(&desk->before, &desk->state->document.experiment);
}

static void clear_up(struct desk *desk)
{
    app_settle_tasks(desk->state, desk->time); /* a training that plays is ended instead */
    app_state_close(desk->state);
    free(desk->state);
    desk->state = NULL;
    lab_experiment_release(&desk->before);
}

/* Says whether the program has said something in any of its places. */
static bool has_said(const struct desk *desk)
{
    const struct app_state *const state = desk->state;
    return state->view.message != NULL || state->document.error.code != ERROR_NONE ||
           state->view.prompt.text != NULL || state->view.overlay == VIEW_OVERLAY_EXPORT ||
           state->dialog != NULL || (state->view.learn != NULL && state->view.learn->note != NULL);
}

/* The session on the disk can be read: the former one or the new one. */
static bool session_is_whole(const struct desk *desk)
{
    struct arena arena = {0};
    struct bytes file = {0};
    struct lab_lesson lesson = {0};
    struct error error = {0};
    const bool whole = file_read(desk->session, SESSION_MAX, &arena, &file, &error) &&
                       lab_lesson_parse(file, &arena, &lesson, &error);
    if (whole) {
        lab_lesson_release(&lesson);
    }
    arena_free(&arena);
    return whole;
}

static const char *trouble_of(struct desk *desk, const char *name, const char *next)
{
    struct app_state *const state = desk->state;
    const bool as_before = lab_experiment_equal(&state->document.experiment, &desk->before);
    const bool as_expected = lab_experiment_equal(&state->document.experiment, &desk->expected);
    struct error error = {0};
    if (!as_before && !as_expected && strncmp(name, "lesson", 6) != 0 &&
        strncmp(name, "drop", 4) != 0) {
        return "the work is neither as it was nor as it should be";
    }
    if (!lab_experiment_check(&state->document.experiment, &error)) {
        return "the work cannot be computed any more";
    }
    if (!as_expected && !has_said(desk)) {
        return "nothing was done, and nothing said";
    }
    if (state->document.trace == NULL && state->document.error.code == ERROR_NONE) {
        return "there are no numbers, and nothing says why";
    }
    if (!session_is_whole(desk)) {
        return "the session on the disk is damaged";
    }
    desk->time += 1;
    const struct view_head_overview *const heads = state->view.head_overview;
    insert_text(desk, heads != NULL && heads->ids > 0 ? "5" : next); /* it may read numbers */
    app_settle(state, desk->time); /* of a model the words are its text */
    draw_one(desk);
    if (state->document.trace == NULL ||
        lab_experiment_equal(&state->document.experiment, &desk->before) ||
        !app_frame_is_whole(desk->frame)) {
        return "the next word could not be typed";
    }
    while (state->document.at > 0) {
        const size_t at = state->document.at;
        document_undo(&state->document, 0);
        if (state->document.at >= at) {
            return "it cannot be taken back";
        }
    }
    return NULL;
}

static const struct fault {
    const char *name;
    unsigned calls;
    int reason;
    enum fail_how how;
} faults[] = {
    {"allocation", FAIL_MEMORY, ENOMEM, FAIL_ONCE},
    {"allocations from", FAIL_MEMORY, ENOMEM, FAIL_EVER},
    {"open", FAIL_OPEN, EMFILE, FAIL_ONCE},
    {"stat", FAIL_STAT, EIO, FAIL_ONCE},
    {"map", FAIL_MAP, ENOMEM, FAIL_ONCE},
    {"read", FAIL_READ, EIO, FAIL_ONCE},
    {"write", FAIL_WRITE, ENOSPC, FAIL_ONCE},
    {"short write", FAIL_WRITE, 0, FAIL_SHORT},
    {"writes from", FAIL_WRITE, ENOSPC, FAIL_EVER},
    {"fsync", FAIL_SYNC, EIO, FAIL_ONCE},
    {"close", FAIL_CLOSE, EIO, FAIL_ONCE},
    {"rename", FAIL_RENAME, EACCES, FAIL_ONCE},
    {"thread", FAIL_THREAD, EAGAIN, FAIL_EVER},
};

static struct fail_count run_action(struct desk *desk, const struct action *action,
                                    const struct fault *fault, size_t number)
{
    fail_begin(fault->calls, number, fault->reason, fault->how);
    action->run(desk, action->subject);
    return fail_end();
}

static void try_fault(struct desk *desk, const struct action *action, const struct fault *fault)
{
    lay_out(desk, action);
    const size_t all = run_action(desk, action, fault, 0).calls;
    lab_experiment_copy(&desk->expected, &desk->state->document.experiment);
    clear_up(desk);
    const char *const next = action->first != NULL ? "it" : "next"; /* a word that is learned */
    const size_t step = all > desk->places ? all / desk->places : 1;
    for (size_t number = 1; number <= all; number += step) {
        lay_out(desk, action);
        const struct fail_count count = run_action(desk, action, fault, number);
        const char *const trouble = count.failed > 0 ? trouble_of(desk, action->name, next) : NULL;
        desk->runs++;
        if (trouble != NULL) {
            desk->failures++;
            fprintf(stderr, "FAILED: %s %s, %s %zu of %zu: %s. It said \"%s\" \"%s\"\n",
                    action->name, action->subject == NULL ? "" : action->subject, fault->name,
                    number, all, trouble, desk->state->message, desk->state->document.error.text);
        }
        clear_up(desk);
    }
    lab_experiment_release(&desk->expected);
}

static void try_action(struct desk *desk, const struct action *action)
{
    const size_t before = desk->runs;
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
        try_fault(desk, action, &faults[f]);
    }
    printf("%s: %zu runs\n", action->name, desk->runs - before);
    fflush(stdout);
}

/* All commands, or those whose name begins so. */
static void try_commands(struct desk *desk, const char *named)
{
    for (size_t c = 0; app_command_at(c) != NULL; c++) {
        const char *const name = app_command_at(c)->name;
        const struct action action = {name, run_command, name, NULL};
        if (named == NULL || strncmp(name, named, strlen(named)) == 0) {
            try_action(desk, &action);
        }
    }
}

int main(int count, char **words)
{
    static struct desk desk;
    struct error error = {0};
    if (count < 2) {
        return 2;
    }
    desk.places = test_rounds(PLACES);
    char *const tests = realpath(words[1], NULL); /* the working folder changes below */
    if (tests == NULL || strlen(tests) >= sizeof desk.tests) {
        fprintf(stderr, "FAILED: there is no folder %s\n", words[1]);
        free(tests);
        return 2;
    }
    strcpy(desk.tests, tests);
    free(tests);
    if (getcwd(desk.home, sizeof desk.home - 16) == NULL) {
        return 2;
    }
    strcat(desk.home, "/actions-XXXXXX"); /* what is saved goes there, too */
    if (mkdtemp(desk.home) == NULL || chdir(desk.home) != 0 ||
        setenv("ATTNSCOPE_HOME", desk.home, 1) != 0) {
        return 2;
    }
    snprintf(desk.session, sizeof desk.session, "%s/session.json", desk.home);
    desk.fonts = fonts_open(&error);
    if (desk.fonts == NULL) {
        exit_failed(error.text);
    }
    open_frame(&desk);
    for (size_t i = 0; i < ACTIONS; i++) {
        if (count < 3 || (size_t)atoi(words[2]) == i) {
            const size_t runs = desk.runs;
            try_action(&desk, &actions[i]);
            if (desk.runs == runs) { /* nothing was tested */
                desk.failures++;
                fprintf(stderr, "FAILED: %s makes no run\n", actions[i].name);
            }
        }
    }
    if (count < 3 || (size_t)atoi(words[2]) == ACTIONS) {
        try_commands(&desk, count > 3 ? words[3] : NULL);
    }
    app_frame_close(desk.frame);
    fonts_close(desk.fonts);
    folder_empty(".");
    (void)(chdir("..") == 0 && rmdir(desk.home) == 0);
    printf("%zu runs, %zu failed\n", desk.runs, desk.failures);
    return desk.runs > 0 && desk.failures == 0 ? 0 : 1;
}
