/* Weights that take long to be learned again are saved with a session, in a folder beside it, and
 * are there at once when it is opened; whatever else lies in that folder is not used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/open/lesson.h"
#include "base/file.h"
#include "learn/checkpoint.h"
#include "learn/saved.h"
#include "learning.h"

enum { FAR = 1000000000, PATH = 600 };

#define LEARNED                                                                                    \
    "task small-world", "seed 19", "batch 4", "steps 12", "step 1000000000", "edit 2 off 0 1 1",   \
        "edit 3 rate 0.01"

static const char *const lines[] = {LEARNED};
enum { LINES = sizeof lines / sizeof *lines };

static const char *path_in(const struct hands *hands, const char *name)
{
    static char path[4][PATH];
    static size_t next;
    char *const out = path[next++ % 4];
    snprintf(out, PATH, "%s/%s", hands->folder, name);
    return out;
}

static void write_text(const struct hands *hands, const char *name, const char *text)
{
    assert_true(file_write(path_in(hands, name),
                           (struct bytes){(const uint8_t *)text, strlen(text)}, NULL));
}

static struct bytes content_of(const struct hands *hands, const char *name, struct arena *arena)
{
    struct bytes content = {NULL, 0};
    assert_true(file_read(path_in(hands, name), 1 << 20, arena, &content, NULL));
    return content;
}

static bool file_holds(const struct hands *hands, const char *name, const char *words)
{
    struct arena arena = {0};
    const bool there = strstr((const char *)content_of(hands, name, &arena).at, words) != NULL;
    arena_free(&arena);
    return there;
}

/* The session of a thousand million steps; weights: what it says of its folder. */
static void write_session(const struct hands *hands, const char *name, const char *weights)
{
    char text[2048];
    int length =
        snprintf(text, sizeof text,
                 "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"session\", "
                 "\"title\": \"A session\", \"summary\": \"\", \"experiment\": {\"tokens\": "
                 "[\"the\", \"man\", \"buys\"], \"learned\": [");
    for (size_t l = 0; l < LINES; l++) {
        length += snprintf(text + length, sizeof text - (size_t)length, "%s\"%s\"",
                           l > 0 ? ", " : "", lines[l]);
    }
    snprintf(text + length, sizeof text - (size_t)length,
             "], \"layers\": 1, \"heads\": 2}, \"steps\": [{\"caption\": \"\", \"stage\": "
             "\"softmax\", \"query\": 2, \"key\": 1, \"head\": 1%s}]}",
             weights);
    write_text(hands, name, text);
}

/* Weights of a run of six steps, which the folder says are those of the last one. */
static void write_folder(const struct hands *hands, const char *name, char weights[200])
{
    struct arena arena = {0};
    static struct learn_learned learned;
    struct lab_words *const words = lab_words_make(lines, LINES, NULL);
    uint64_t mark = 0;
    assert_true(learn_learned_read(words, &arena, &learned, NULL));
    struct learn_run *const run =
        learn_run_make(&learned.recipe, (struct bytes){NULL, 0}, NULL, NULL);
    assert_true(learn_run_go(run, 6, NULL, NULL));
    struct learn_model model = learn_model_of(run);
    model.step = FAR;
    model.recipe.optimiser.rate = .01F; /* as it is behind the last edit */
    assert_true(learn_model_save(path_in(hands, name), &model, NULL));
    assert_true(learn_saved_mark(&learned, model.weights, model.tensors.floats, &mark, NULL));
    snprintf(weights, 200, ", \"saved_weights\": {\"folder\": \"%s\", \"mark\": \"%llu\"}", name,
             (unsigned long long)mark);
    learn_run_free(run);
    lab_words_release(words);
    arena_free(&arena);
}

static void open_file(struct hands *hands, const char *name)
{
    struct error error = {0};
    if (!app_lesson_read(hands->state, path_in(hands, name), hands->input.time, &error)) {
        fail_msg("%s", error.text);
    }
    hands_frame(hands);
}

/* With the session and its folder, open. */
static struct hands *open_saved(void)
{
    struct hands *const hands = hands_open("cats", 1440, 900);
    char weights[200];
    write_folder(hands, "far-weights", weights);
    write_session(hands, "far.json", weights);
    open_file(hands, "far.json");
    return hands;
}

/* Nothing is trained for it. */
static void expect_there(struct hands *hands)
{
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->step, FAR);
    assert_int_equal(learn_of(hands)->points, 0);
    assert_false(learn_of(hands)->training);
    assert_null(hands->state->view.work);
}

/* It is learned again; that can be given up. */
static void expect_learning(struct hands *hands)
{
    const struct timespec moment = {0, 2000000};
    for (size_t tries = 0; hands->state->view.work == NULL ||
                           strstr(hands->state->view.work->doing, "1 000 000 000") == NULL ||
                           learn_of(hands)->step < 3 || learn_of(hands)->step == FAR;
         tries++) {
        assert_true(tries < 20000);
        nanosleep(&moment, NULL);
        hands_wait(hands, 0.05);
    }
    hands_wait(hands, 0.5);
    hands_click(hands, "Cancel");
    hands_show_settled(hands);
    assert_null(hands->state->view.work);
    assert_in_range(learn_of(hands)->step, 1, FAR - 1);
}

static void they_are_there_at_once(void **state)
{
    (void)state;
    struct hands *const hands = open_saved();
    expect_there(hands);
    hands_expect_part(hands, "L0H1 at step 1 000 000 000");
    assert_true(learn_of(hands)->off[1]);
    hands_key(hands, "Ctrl+Space"); /* it goes on from there when it has come there */
    expect_learning(hands);
    hands_close(hands);
}

static void one_step_more_comes_there_first(void **state)
{
    (void)state;
    struct hands *const hands = open_saved();
    expect_there(hands);
    hands_key(hands, "Ctrl+Right");
    expect_learning(hands);
    hands_close(hands);
}

/* Another step of the same run is open, and no way leads from there to what was saved. */
static void a_run_that_is_there_is_not_trained_to_them(void **state)
{
    (void)state;
    struct hands *const hands = open_saved();
    expect_there(hands);
    ask_learn(hands, VIEW_LEARN_SEEK, 5, 0);
    assert_int_equal(learn_of(hands)->step, 5);
    open_file(hands, "far.json");
    expect_there(hands);
    ask_learn(hands, VIEW_LEARN_AGAIN, 0, 0);
    assert_int_equal(learn_of(hands)->step, 0);
    hands_key(hands, "Ctrl+Z");
    expect_there(hands);
    hands_close(hands);
}

/* Saved under another name, with weights and without. */
static void the_sheet_offers_them(void **state)
{
    (void)state;
    struct hands *const hands = open_saved();
    struct arena arena = {0};
    expect_there(hands);
    hands_key(hands, "Ctrl+Shift+S");
    hands_expect(hands, "Save with weights");
    hands_type(hands, "again");
    hands_key(hands, "Enter");
    assert_true(file_holds(hands, "again.json", "\"saved_weights\""));
    assert_true(file_holds(hands, "again.json", "\"folder\": \"again-weights\""));
    assert_true(file_holds(hands, "again-weights/config.json", "1000000000"));
    hands_key(hands, "Ctrl+Shift+S");
    hands_type(hands, "plain");
    hands_click(hands, "Save with weights");
    hands_click(hands, "Save");
    hands_expect_not(hands, "Save the session");
    assert_false(file_holds(hands, "plain.json", "saved_weights"));
    assert_int_not_equal(access(path_in(hands, "plain-weights"), F_OK), 0);
    /* But for that the two are the same, byte for byte. */
    const struct bytes with = content_of(hands, "again.json", &arena);
    const struct bytes without = content_of(hands, "plain.json", &arena);
    const char *const from = strstr((const char *)with.at, "\"saved_weights\"");
    const size_t before = (size_t)(from - (const char *)with.at);
    assert_memory_equal(with.at, without.at, before);
    const char *const behind = strchr(from, '}') + 1;
    const char *const rest = behind + strspn(behind, ", \n");
    const size_t left = strlen(rest);
    assert_string_equal(rest, (const char *)without.at + without.size - left);
    arena_free(&arena);

    open_file(hands, "again.json");
    expect_there(hands);
    hands_close(hands);
}

static void saving_again_keeps_them(void **state)
{
    (void)state;
    struct hands *const hands = open_saved();
    struct stat former, now;
    expect_there(hands);
    assert_int_equal(stat(path_in(hands, "far-weights/model.safetensors"), &former), 0);
    hands_click(hands, "type a token…");
    hands_type(hands, "a ");
    hands_key(hands, "Escape");
    hands_show_settled(hands);
    hands_key(hands, "Ctrl+S");
    hands_expect_not(hands, "Save the session");
    assert_true(file_holds(hands, "far.json", "\"folder\": \"far-weights\""));
    assert_true(file_holds(hands, "far.json", "\"a\""));
    assert_int_equal(stat(path_in(hands, "far-weights/model.safetensors"), &now), 0);
    assert_int_not_equal(former.st_ino, now.st_ino);
    open_file(hands, "far.json");
    expect_there(hands);
    hands_close(hands);
}

/* Kept work lies in another folder: it names theirs from the root. */
static void kept_work_finds_them(void **state)
{
    (void)state;
    struct hands *const hands = open_saved();
    struct arena arena = {0};
    struct bytes text = {NULL, 0};
    expect_there(hands);
    hands_click(hands, "type a token…");
    hands_type(hands, "a ");
    hands_key(hands, "Escape");
    hands_show_settled(hands);
    const struct app_lesson_content content = app_lesson_content(hands->state);
    assert_true(app_lesson_text(&content, NULL, &arena, &text, NULL));
    const char *const folder = strstr((const char *)text.at, "\"folder\": \"/");
    assert_non_null(folder);
    assert_non_null(strstr(folder, "/far-weights\""));
    assert_true(file_write("kept-elsewhere.json", text, NULL));
    struct hands *const other = hands_open("cats", 1440, 900);
    struct error error = {0};
    assert_true(app_lesson_read(other->state, "kept-elsewhere.json", 0, &error));
    hands_frame(other);
    expect_there(other);
    hands_close(other);
    assert_int_equal(unlink("kept-elsewhere.json"), 0);
    arena_free(&arena);
    hands_close(hands);
}

static void what_would_be_written_over_is_said(void **state)
{
    (void)state;
    struct hands *const hands = open_saved();
    char weights[200];
    write_folder(hands, "other-weights", weights);
    expect_there(hands);
    hands_key(hands, "Ctrl+Shift+S");
    hands_type(hands, "other");
    hands_expect(hands, "There are weights of that name: Replace writes over them.");
    hands_click(hands, "Save with weights");
    hands_expect_not(hands, "There are weights of that name: Replace writes over them.");
    hands_click(hands, "Save with weights");
    write_text(hands, "strange-weights", "a file");
    hands_key(hands, "Escape");
    hands_key(hands, "Escape");
    hands_key(hands, "Ctrl+Shift+S");
    hands_type(hands, "strange");
    hands_click(hands, "Replace");
    hands_expect_part(hands, "is a file"); /* and nothing was saved */
    assert_int_not_equal(access(path_in(hands, "strange.json"), F_OK), 0);
    hands_close(hands);
}

static void what_is_still_learned_is_not_saved(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    write_session(hands, "far.json", "");
    open_file(hands, "far.json");
    hands_key(hands, "Ctrl+Shift+S");
    hands_type(hands, "early");
    hands_click(hands, "Save with weights");
    hands_click(hands, "Save");
    hands_expect(hands, "The weights of this step are not there yet: wait.");
    assert_int_not_equal(access(path_in(hands, "early.json"), F_OK), 0);
    assert_int_not_equal(access(path_in(hands, "early-weights"), F_OK), 0);
    hands_click(hands, "Save with weights");
    hands_click(hands, "Save");
    assert_false(file_holds(hands, "early.json", "saved_weights"));
    expect_learning(hands);
    hands_close(hands);
}

static void what_is_soon_learned_offers_none(void **state)
{
    (void)state;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 5, 0);
    hands_key(hands, "Ctrl+Shift+S");
    hands_expect(hands, "Save the session");
    hands_expect_not(hands, "Save with weights");
    hands_close(hands);
}

/* In the folder is none, one that was changed, or one of something else. */
static void what_does_not_fit_is_learned_again(void **state)
{
    (void)state;
    static const struct {
        const char *change, *says;
    } rows[] = {
        {"rm -r '%s/far-weights'", "No such file"},
        {"sed -i 's/\"seed\": 19/\"seed\": 5/' '%s/far-weights/config.json'", "another recipe"},
        {"sed -i 's/\"step\": 1000000000/\"step\": 12/' '%s/far-weights/config.json'",
         "holds step 12"},
        {"sed -i 's/\"mark\": \"[0-9]*/\"mark\": \"7/' '%s/far.json'", "other weights"},
        {"cd '%s/far-weights' && printf '\\001\\002\\003' | dd of=model.safetensors bs=1 seek=9000 "
         "conv=notrunc 2> /dev/null",
         "other weights"},
        {"sed -i 's/edit 3 rate/edit 4 rate/' '%s/far.json'", "other weights"},
        {"head -c 900 /dev/zero > '%s/far-weights/model.safetensors'", "model.safetensors"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct hands *const hands = hands_open("cats", 1440, 900);
        char weights[200], command[PATH * 2];
        write_folder(hands, "far-weights", weights);
        write_session(hands, "far.json", weights);
        snprintf(command, sizeof command, rows[r].change, hands->folder);
        assert_int_equal(system(command), 0);
        open_file(hands, "far.json");
        if (strstr(hands->state->message, "Its saved weights are not used: ") == NULL ||
            strstr(hands->state->message, rows[r].says) == NULL) {
            fail_msg("row %zu says: %s", r, hands->state->message);
        }
        expect_learning(hands);
        hands_close(hands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_there_at_once),
        cmocka_unit_test(one_step_more_comes_there_first),
        cmocka_unit_test(a_run_that_is_there_is_not_trained_to_them),
        cmocka_unit_test(the_sheet_offers_them),
        cmocka_unit_test(saving_again_keeps_them),
        cmocka_unit_test(kept_work_finds_them),
        cmocka_unit_test(what_would_be_written_over_is_said),
        cmocka_unit_test(what_is_still_learned_is_not_saved),
        cmocka_unit_test(what_is_soon_learned_offers_none),
        cmocka_unit_test(what_does_not_fit_is_learned_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
