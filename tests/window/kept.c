/* Nothing is lost: what was not saved is kept, offered, restored; nobody's file is overwritten
 * unasked. */
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

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/learn/learn.h"
#include "app/open/autosave.h"
#include "app/open/lesson.h"
#include "app/open/save.h"
#include "base/file.h"
#include "hands.h"
#include "view/parts/learn.h"

enum { PATH_BYTES = 512, LONGER = PATH_BYTES + 48 };

struct desk {
    char home[PATH_BYTES];
    struct hands *hands;
};

/* A program that keeps its work in the desk's folder. */
static struct hands *start_window(const struct desk *desk)
{
    struct hands *hands = hands_open("cats", 1440, 900);
    assert_int_equal(setenv("ATTNSCOPE_HOME", desk->home, 1), 0);
    app_autosave_begin(hands->state, hands->input.time);
    hands_frame(hands);
    return hands;
}

static int sit_down(void **state)
{
    struct desk *desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    assert_non_null(getcwd(desk->home, sizeof desk->home - 16));
    strcat(desk->home, "/kept-XXXXXX");
    assert_non_null(mkdtemp(desk->home));
    desk->hands = start_window(desk);
    *state = desk;
    return 0;
}

static int stand_up(void **state)
{
    struct desk *desk = *state;
    char command[2 * LONGER];
    hands_close(desk->hands);
    snprintf(command, sizeof command, "chmod -R u+rwx '%s'; rm -rf '%s'", desk->home, desk->home);
    assert_int_equal(system(command), 0);
    free(desk);
    return 0;
}

static const char *kept_path(const struct desk *desk, int number)
{
    static char path[LONGER];
    snprintf(path, sizeof path, "%s/unsaved/work-%d.json", desk->home, number);
    return path;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool file_holds(const char *path, const char *what)
{
    struct arena arena = {0};
    struct bytes text = {0};
    const bool found = file_read(path, 8 << 20, &arena, &text, NULL) &&
                       strstr((const char *)text.at, what) != NULL;
    arena_free(&arena);
    return found;
}

static void add_word(struct hands *hands, const char *word)
{
    hands_click(hands, "type a token…");
    hands_type(hands, word);
    hands_key(hands, "Enter");
    hands_key(hands, "Escape");
}

/* As a crash: the process is gone, nothing was put in order. */
static void crash_window(struct desk *desk)
{
    app_autosave_abandon(desk->hands->state);
    hands_close(desk->hands);
    desk->hands = start_window(desk);
}

/* The thread that writes takes real time; so many seconds of the program's own may go by. False: by
 * then it is not there. */
static bool wait_until_shown(struct desk *desk, const char *what, double seconds)
{
    const struct timespec moment = {0, 1000000};
    for (size_t looks = 0; looks < 60000 && !file_holds(kept_path(desk, 1), what); looks++) {
        nanosleep(&moment, NULL);
        if (seconds > 0) {
            hands_wait(desk->hands, 0.05);
            seconds -= 0.05;
        } else {
            hands_frame(desk->hands);
        }
    }
    return file_holds(kept_path(desk, 1), what);
}

/* The first at once, in the frame that sees it; and none of those that follow waits for quiet. */
static void every_change_is_on_the_disk_within_five_seconds(void **state)
{
    struct desk *desk = *state;
    struct stat facts;
    hands_wait(desk->hands, 20);
    assert_false(is_there(kept_path(desk, 1)));
    add_word(desk->hands, "tiger");
    assert_true(wait_until_shown(desk, "\"tiger\"", 0));
    add_word(desk->hands, "lion");
    assert_true(wait_until_shown(desk, "\"lion\"", APP_AUTOSAVE_SECONDS + 0.2));
    hands_click(desk->hands, "type a token…");
    for (size_t word = 0; word < 60; word++) { /* typed on and on, two a second */
        char name[16], former[16];
        snprintf(name, sizeof name, "w%zu", word);
        snprintf(former, sizeof former, "\"w%zu\"", word - 8);
        hands_type(desk->hands, name);
        hands_key(desk->hands, "Enter");
        hands_wait(desk->hands, 0.5);
        assert_true(word < 8 || wait_until_shown(desk, former, 0));
    }
    assert_int_equal(stat(kept_path(desk, 1), &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    char folder[LONGER];
    snprintf(folder, sizeof folder, "%s/unsaved", desk->home);
    assert_int_equal(stat(folder, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0700);
}

/* A word that has no end yet is kept as one, where it stands; what is not typed on is not kept. */
static void a_word_that_is_being_typed_is_kept(void **state)
{
    struct desk *desk = *state;
    hands_click(desk->hands, "type a token…");
    hands_type(desk->hands, "e");
    assert_true(wait_until_shown(desk, "\"e\"", 0));
    hands_type(desk->hands, "leph");
    assert_true(wait_until_shown(desk, "\"eleph\"", APP_AUTOSAVE_SECONDS + 0.2));
    assert_false(document_present(&desk->hands->state->document)->tokens == NULL);
    crash_window(desk);
    hands_expect_part(desk->hands, "cat dog lion NYC eleph");
    hands_click(desk->hands, "Restore");
    hands_frame(desk->hands);
    const struct lab_words *const words = document_present(&desk->hands->state->document)->tokens;
    assert_string_equal(lab_words_list(words)[lab_words_count(words) - 1], "eleph");
    hands_click(desk->hands, "type a token…");
    hands_type(desk->hands, "an");
    assert_true(wait_until_shown(desk, "\"an\"", APP_AUTOSAVE_SECONDS + 0.2));
    hands_key(desk->hands, "Escape"); /* nothing is typed any more */
    hands_key(desk->hands, "Escape");
    hands_wait(desk->hands, APP_AUTOSAVE_SECONDS + 0.2);
    app_autosave_flush(desk->hands->state);
    assert_false(file_holds(kept_path(desk, 1), "\"an\""));
}

/* Weights that learn by themselves change nothing in the document, and are kept all the same. */
static void a_run_is_kept_where_it_has_come_to(void **state)
{
    struct desk *desk = *state;
    struct app_state *const program = desk->hands->state;
    const struct view_action one = {.kind = VIEW_ACTION_LEARN, .learn = {.act = VIEW_LEARN_ONE}};
    assert_true(app_learn_start(program, SIZE_MAX, false, desk->hands->input.time));
    hands_settle(desk->hands);
    hands_wait(desk->hands, 11);
    app_autosave_flush(program);
    assert_true(file_holds(kept_path(desk, 1), "\"step 0\""));
    app_state_apply(program, &one, desk->hands->input.time);
    hands_settle(desk->hands);
    hands_wait(desk->hands, 11);
    app_autosave_flush(program);
    assert_true(file_holds(kept_path(desk, 1), "\"step 1\""));
}

/* A novel of one's own lies in no other file that the program knows. */
static void a_run_from_a_long_text_is_kept_and_restored(void **state)
{
    enum { BYTES = 2 << 20 };
    static const char line[] = "the cat sees the dog and the dog sees the cat\n";
    struct desk *desk = *state;
    struct app_state *program = desk->hands->state;
    const struct view_action pause = {.kind = VIEW_ACTION_LEARN, .learn = {.act = VIEW_LEARN_PLAY}};
    struct error error = {ERROR_NONE, 0, ""};
    char *const novel = malloc(BYTES);
    assert_non_null(novel);
    for (size_t i = 0; i < BYTES; i++) {
        novel[i] = line[i % (sizeof line - 1)];
    }
    assert_true(app_learn_text(program, (struct bytes){(const uint8_t *)novel, BYTES},
                               desk->hands->input.time, &error));
    app_state_apply(program, &pause, desk->hands->input.time);
    hands_settle(desk->hands);
    hands_wait(desk->hands, 11);
    app_autosave_flush(program);
    assert_true(file_holds(kept_path(desk, 1), "\"task text\""));
    assert_int_equal(hands_count_part(desk->hands, "could not be kept aside"), 0);
    crash_window(desk);
    hands_click(desk->hands, "Restore");
    program = desk->hands->state;
    hands_settle(desk->hands);
    hands_expect(desk->hands, "The kept work is here again.");
    hands_expect(desk->hands, "Own text");
    free(novel);
}

static void work_of_a_window_that_died_is_offered_and_restored(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    hands_key(desk->hands, "5");
    hands_wait(desk->hands, 10);
    crash_window(desk);
    hands_expect_part(desk->hands, "was kept. It is of: Cats, dogs and a lion: ");
    assert_non_null(strstr(desk->hands->state->view.prompt.text, "lion NYC tiger"));
    hands_expect_not(desk->hands, "tiger");
    hands_click(desk->hands, "Restore");
    hands_expect(desk->hands, "tiger");
    hands_expect(desk->hands, "The kept work is here again.");
    assert_int_equal(hands_count_part(desk->hands, "was kept."), 0);
    assert_true(document_is_unsaved(&desk->hands->state->document));
    assert_true(is_there(kept_path(desk, 1))); /* until it is saved */
    hands_save(desk->hands);
    hands_wait(desk->hands, 1);
    assert_false(document_is_unsaved(&desk->hands->state->document));
    assert_false(is_there(kept_path(desk, 1)));
    hands_key(desk->hands, "Ctrl+Z");
    hands_expect_not(desk->hands, "tiger");
}

static void kept_work_can_be_discarded_by_the_keyboard_alone(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 10);
    crash_window(desk);
    hands_key(desk->hands, "Ctrl+K");
    hands_type(desk->hands, "discard the work");
    hands_key(desk->hands, "Enter");
    hands_expect(desk->hands, "The kept work is gone.");
    assert_false(is_there(kept_path(desk, 1)));
    crash_window(desk);
    assert_int_equal(hands_count_part(desk->hands, "was kept."), 0);
}

static void who_does_not_answer_is_asked_again(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 10);
    crash_window(desk);
    hands_expect_part(desk->hands, "was kept.");
    hands_close(desk->hands);
    desk->hands = start_window(desk);
    hands_expect_part(desk->hands, "was kept.");
}

/* A class is not asked about what its teacher did yesterday; the teacher is, afterwards. */
static void nothing_is_asked_before_a_class(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 10);
    crash_window(desk);
    hands_key(desk->hands, "F5");
    assert_int_equal(hands_count_part(desk->hands, "was kept."), 0);
    hands_key(desk->hands, "F5");
    hands_expect_part(desk->hands, "was kept.");
    assert_true(is_there(kept_path(desk, 1)));
}

static void a_quit_with_unsaved_work_keeps_it_and_without_leaves_nothing(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    app_autosave_end(desk->hands->state);
    assert_true(file_holds(kept_path(desk, 1), "\"tiger\""));
    hands_close(desk->hands);
    desk->hands = start_window(desk);
    hands_click(desk->hands, "Restore");
    hands_save(desk->hands);
    app_autosave_end(desk->hands->state);
    assert_false(is_there(kept_path(desk, 1)));
}

static void work_that_kills_the_program_twice_is_offered_as_a_file_only(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 10);
    for (int times = 0; times < 2; times++) {
        crash_window(desk);
        hands_click(desk->hands, "Restore"); /* and dies before two seconds are over */
    }
    crash_window(desk);
    hands_expect_part(desk->hands, "could not be opened");
    hands_expect_part(desk->hands, "work-1.json");
    hands_expect_not(desk->hands, "Restore");
    app_command_run(desk->hands->state, "restore", 0, desk->hands->input.time);
    hands_frame(desk->hands);
    hands_expect_not(desk->hands, "tiger");
    assert_true(is_there(kept_path(desk, 1)));
}

static void damaged_work_is_said_in_a_sentence_and_changes_nothing(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 10);
    app_autosave_flush(desk->hands->state);
    assert_int_equal(truncate(kept_path(desk, 1), 100), 0);
    crash_window(desk);
    hands_click(desk->hands, "Restore");
    hands_expect_part(desk->hands, "The kept work cannot be opened:");
    hands_expect_part(desk->hands, "could not be opened. It is the file");
    assert_false(document_is_unsaved(&desk->hands->state->document));
    hands_expect(desk->hands, "Discard");
}

static void two_windows_do_not_write_over_each_other(void **state)
{
    struct desk *desk = *state;
    struct hands *second = start_window(desk);
    assert_int_equal(hands_count_part(second, "was kept."), 0);
    add_word(desk->hands, "tiger");
    add_word(second, "whale");
    app_autosave_flush(desk->hands->state);
    app_autosave_flush(second->state);
    assert_true(file_holds(kept_path(desk, 1), "\"tiger\""));
    assert_true(file_holds(kept_path(desk, 2), "\"whale\""));
    hands_close(second);
}

static void what_cannot_be_kept_is_said_once(void **state)
{
    struct desk *desk = *state;
    char folder[LONGER];
    snprintf(folder, sizeof folder, "%s/unsaved", desk->home);
    char gone[LONGER + 16];
    snprintf(gone, sizeof gone, "%s-gone", folder);
    assert_int_equal(rename(folder, gone), 0);
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 10);
    app_autosave_flush(desk->hands->state);
    assert_non_null(strstr(desk->hands->state->message, "Your work could not be kept aside"));
    desk->hands->state->message[0] = '\0';
    hands_wait(desk->hands, 30);
    app_autosave_flush(desk->hands->state);
    assert_int_equal(desk->hands->state->message[0], '\0');
    assert_int_equal(rename(gone, folder), 0);
    hands_wait(desk->hands, 10);
    app_autosave_flush(desk->hands->state);
    assert_true(file_holds(kept_path(desk, 1), "\"tiger\""));
}

static void write_over(const char *path, const char *text)
{
    assert_true(file_write(path, (struct bytes){(const uint8_t *)text, strlen(text)}, NULL));
}

static void a_file_that_somebody_changed_is_asked_about(void **state)
{
    struct desk *desk = *state;
    char former[PATH_BYTES];
    hands_save(desk->hands);
    snprintf(former, sizeof former, "%.500s", desk->hands->state->document.work->path);
    assert_true(is_there(former));
    add_word(desk->hands, "tiger");
    hands_save(desk->hands); /* nobody touched it */
    hands_expect_not(desk->hands, "Overwrite");
    assert_true(file_holds(former, "\"tiger\""));
    write_over(former, "from somebody else");
    add_word(desk->hands, "whale");
    hands_save(desk->hands);
    hands_expect_part(desk->hands, "was changed by someone else.");
    assert_true(file_holds(former, "from somebody else"));
    hands_click(desk->hands, "Save as new");
    hands_key(desk->hands, "Enter");
    hands_expect_not(desk->hands, "Overwrite");
    assert_true(file_holds(former, "from somebody else"));
    assert_true(strcmp(former, desk->hands->state->document.work->path) != 0);
    assert_true(file_holds(desk->hands->state->document.work->path, "\"whale\""));
}

static void overwriting_and_reloading_do_what_they_say(void **state)
{
    struct desk *desk = *state;
    struct arena arena = {0};
    struct bytes first = {0};
    hands_save(desk->hands);
    assert_true(file_read(desk->hands->state->document.work->path, 1 << 20, &arena, &first, NULL));
    add_word(desk->hands, "tiger");
    write_over(desk->hands->state->document.work->path, "from somebody else");
    hands_save(desk->hands);
    hands_click(desk->hands, "Overwrite");
    assert_true(file_holds(desk->hands->state->document.work->path, "\"tiger\""));
    hands_expect_not(desk->hands, "Overwrite");
    write_over(desk->hands->state->document.work->path, (const char *)first.at);
    hands_save(desk->hands);
    hands_click(desk->hands, "Reload");
    hands_expect_not(desk->hands, "tiger");
    hands_expect_not(desk->hands, "Reload");
    hands_key(desk->hands, "Ctrl+Z");
    hands_expect(desk->hands, "tiger");
    arena_free(&arena);
}

static void the_first_save_asks_for_name_and_folder(void **state)
{
    struct desk *desk = *state;
    char folder[LONGER], path[LONGER + 16];
    snprintf(folder, sizeof folder, "%s/class", desk->home);
    snprintf(path, sizeof path, "%s/mine.json", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    add_word(desk->hands, "tiger");
    hands_key(desk->hands, "Ctrl+S");
    hands_expect(desk->hands, "Save the session");
    assert_int_equal(desk->hands->state->document.work->path[0], '\0'); /* nothing is saved yet */
    hands_type(desk->hands, "mine");
    hands_key(desk->hands, "Tab");
    hands_type(desk->hands, folder);
    hands_key(desk->hands, "Enter");
    assert_true(file_holds(path, "\"tiger\""));
    assert_string_equal(desk->hands->state->document.work->path, path);
    add_word(desk->hands, "whale");
    hands_key(desk->hands, "Ctrl+S"); /* now it is known where */
    hands_expect_not(desk->hands, "Save the session");
    assert_true(file_holds(path, "\"whale\""));
}

static void a_name_that_is_taken_is_replaced_only_when_that_is_said(void **state)
{
    struct desk *desk = *state;
    char path[LONGER];
    snprintf(path, sizeof path, "%s/mine.json", desk->home);
    write_over(path, "from somebody else");
    hands_key(desk->hands, "Ctrl+S");
    hands_type(desk->hands, "mine");
    hands_expect(desk->hands, "There is a file of that name: Replace writes over it.");
    hands_click(desk->hands, "Cancel");
    assert_true(file_holds(path, "from somebody else"));
    hands_key(desk->hands, "Ctrl+S");
    hands_type(desk->hands, "mine");
    hands_click(desk->hands, "Replace");
    assert_true(file_holds(path, "\"cat\""));
}

static void what_cannot_be_saved_leaves_the_sheet_open_and_says_why(void **state)
{
    struct desk *desk = *state;
    hands_key(desk->hands, "Ctrl+S");
    hands_type(desk->hands, "no/such/folder");
    hands_key(desk->hands, "Enter");
    hands_expect(desk->hands, "Save the session");
    hands_expect_part(desk->hands, "No such file or directory");
    hands_key(desk->hands, "Escape");
    hands_key(desk->hands, "Escape");
    hands_expect_not(desk->hands, "Save the session");
}

/* Near the button that was pressed, not at the other end of the screen. */
static void that_it_is_saved_is_said_near_the_hand(void **state)
{
    struct desk *desk = *state;
    hands_key(desk->hands, "Ctrl+S");
    const struct point pressed = hands_find(desk->hands, "Save", 0);
    hands_click(desk->hands, "Save");
    const struct point said = hands_find(desk->hands, desk->hands->state->message, 0);
    assert_true(said.x > pressed.x - 300 && said.x < pressed.x + 300);
    assert_true(said.y > pressed.y - 80 && said.y < pressed.y + 80);
}

/* A lesson that somebody wrote, in the desk's folder. */
static void open_own_lesson(struct desk *desk, const char *file, const char *name, char *path)
{
    static const char text[] = "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": "
                               "\"%s\", \"title\": \"Unit\", \"summary\": \"\",\n"
                               " \"experiment\": {\"tokens\": [\"cat\", \"dog\"]},\n"
                               " \"steps\": [{\"caption\": \"First.\", \"stage\": \"score\"},\n"
                               "           {\"caption\": \"Then.\", \"stage\": \"softmax\"}]}\n";
    char whole[1024];
    struct error error = {0};
    snprintf(whole, sizeof whole, text, name);
    snprintf(path, LONGER, "%s/%s", desk->home, file);
    write_over(path, whole);
    if (!app_lesson_read(desk->hands->state, path, desk->hands->input.time, &error)) {
        fail_msg("%s", error.text);
    }
    hands_frame(desk->hands);
}

static void a_lesson_called_unit_1_of_2_can_be_saved(void **state)
{
    struct desk *desk = *state;
    char path[LONGER];
    open_own_lesson(desk, "unit.json", "unit 1/2", path);
    hands_key(desk->hands, "Ctrl+Shift+S");
    hands_key(desk->hands, "Enter");
    snprintf(path, sizeof path, "%s/attnscope-unit-1-2.json", desk->home);
    assert_true(file_holds(path, "unit 1/2"));
}

static void a_lesson_that_was_opened_is_not_written_over_unasked(void **state)
{
    struct desk *desk = *state;
    char path[LONGER];
    open_own_lesson(desk, "unit.json", "unit", path);
    add_word(desk->hands, "tiger");
    hands_key(desk->hands, "Ctrl+S");
    hands_expect_part(desk->hands, "unit.json holds a lesson.");
    hands_expect_part(desk->hands, "Its step 1 would become");
    assert_false(file_holds(path, "\"tiger\""));
    hands_click(desk->hands, "Cancel");
    assert_false(file_holds(path, "\"tiger\""));
    hands_key(desk->hands, "Ctrl+S");
    hands_click(desk->hands, "Save as new");
    hands_key(desk->hands, "Enter");
    assert_false(file_holds(path, "\"tiger\""));
    assert_true(file_holds(desk->hands->state->document.work->path, "\"tiger\""));
    open_own_lesson(desk, "unit.json", "unit", path);
    add_word(desk->hands, "whale");
    hands_key(desk->hands, "Ctrl+S");
    hands_click(desk->hands, "Overwrite");
    assert_true(file_holds(path, "\"whale\""));
    add_word(desk->hands, "bird");
    hands_key(desk->hands, "Ctrl+S"); /* who answered once is asked no more */
    assert_true(file_holds(path, "\"bird\""));
}

/* As with no home, one that cannot be written, a full disk. */
static void forbid_keeping(const struct desk *desk)
{
    char folder[LONGER], gone[LONGER + 16];
    snprintf(folder, sizeof folder, "%s/unsaved", desk->home);
    snprintf(gone, sizeof gone, "%s-gone", folder);
    assert_int_equal(rename(folder, gone), 0);
}

static void a_window_asks_before_it_closes_on_work_that_is_kept_nowhere(void **state)
{
    struct desk *desk = *state;
    struct app_state *const app = desk->hands->state;
    assert_true(app_save_may_close(app));
    add_word(desk->hands, "tiger");
    assert_true(app_save_may_close(app)); /* it is kept aside */
    add_word(desk->hands, "whale");
    forbid_keeping(desk);
    for (int times = 0; times < 2; times++) {
        assert_false(app_save_may_close(app));
        hands_frame(desk->hands);
        hands_expect_part(desk->hands, "Your work is in no file, and could not be kept aside");
        hands_click(desk->hands, "Stay");
        assert_int_equal(hands_count_part(desk->hands, "Your work is in no file"), 0);
        assert_int_equal(app->request.asks & (APP_ASKS_QUIT | APP_ASKS_QUIT_ANYWAY), 0);
    }
    assert_false(app_save_may_close(app));
    hands_frame(desk->hands);
    hands_click(desk->hands, "Close anyway");
    assert_true(app->request.asks & APP_ASKS_QUIT_ANYWAY);
    app->request.asks &= ~(unsigned)APP_ASKS_QUIT_ANYWAY;
    hands_click(desk->hands, "Save and close");
    assert_false(app->request.asks & APP_ASKS_QUIT);
    hands_key(desk->hands, "Enter");
    assert_true((app->request.asks & APP_ASKS_QUIT) &&
                file_holds(app->document.work->path, "\"whale\""));
    assert_true(app_save_may_close(app));
}

/* Opening a session is a step that undo takes back: what stands there then is in the file that it
 * was in before, and saving writes over no other. */
static void undo_returns_to_the_file_of_the_work_before(void **state)
{
    struct desk *desk = *state;
    struct app_state *const app = desk->hands->state;
    char other[LONGER], copy[8 * LONGER];
    struct error error = {ERROR_NONE, 0, ""};
    add_word(desk->hands, "whale");
    hands_save(desk->hands);
    char *const own = strdup(app->document.work->path);
    assert_true(file_holds(own, "\"whale\""));
    snprintf(other, sizeof other, "%s/other.json", desk->home);
    snprintf(copy, sizeof copy, "sed s/whale/heron/g '%.560s' > '%s'", own, other);
    assert_int_equal(system(copy), 0);
    struct file_handle *const file = file_handle_open(other);
    if (!app_lesson_open_file(app, file, desk->hands->input.time, &error)) {
        fail_msg("%s", error.text);
    }
    file_handle_release(file);
    hands_frame(desk->hands);
    hands_expect(desk->hands, "heron");
    assert_string_equal(app->document.work->path, other);
    hands_key(desk->hands, "Ctrl+Z");
    hands_expect(desk->hands, "whale");
    assert_string_equal(app->document.work->path, own);
    add_word(desk->hands, "stork");
    hands_save(desk->hands);
    assert_true(file_holds(own, "\"stork\""));
    assert_false(file_holds(other, "\"stork\""));
    hands_key(desk->hands, "Ctrl+Z");
    hands_key(desk->hands, "Ctrl+Y");
    assert_string_equal(app->document.work->path, own);
    free(own);
}

/* A text that comes while a session is open is other work: the session's file stays as it is. */
static void a_text_to_learn_from_is_not_saved_over_a_session(void **state)
{
    struct desk *desk = *state;
    struct app_state *const app = desk->hands->state;
    static const char text[] = "the owl sees the mouse and the mouse sees the owl at night";
    struct error error = {ERROR_NONE, 0, ""};
    add_word(desk->hands, "whale");
    hands_save(desk->hands);
    char *const own = strdup(app->document.work->path);
    assert_true(file_holds(own, "\"whale\""));
    if (!app_learn_text(app, (struct bytes){(const uint8_t *)text, sizeof text - 1},
                        desk->hands->input.time, &error)) {
        fail_msg("%s", error.text);
    }
    hands_frame(desk->hands);
    assert_string_equal(app->document.work->path, "");
    hands_key(desk->hands, "Ctrl+Z");
    hands_expect(desk->hands, "whale");
    assert_string_equal(app->document.work->path, own);
    free(own);
}

static void without_a_home_a_window_asks_too(void **state)
{
    struct desk *desk = *state;
    app_autosave_abandon(desk->hands->state);
    assert_int_equal(setenv("ATTNSCOPE_HOME", "", 1), 0);
    char *const home = strdup(getenv("HOME") != NULL ? getenv("HOME") : "");
    unsetenv("HOME");
    unsetenv("XDG_STATE_HOME");
    app_autosave_begin(desk->hands->state, desk->hands->input.time);
    setenv("HOME", home, 1);
    free(home);
    assert_true(app_save_may_close(desk->hands->state));
    add_word(desk->hands, "tiger");
    assert_false(app_save_may_close(desk->hands->state));
    hands_frame(desk->hands);
    hands_expect_part(desk->hands, "there is no home folder");
}

/* Some keep their state on another disk. */
static void a_folder_that_is_a_link_is_used(void **state)
{
    struct desk *desk = *state;
    char folder[LONGER], other[LONGER + 16];
    snprintf(folder, sizeof folder, "%s/unsaved", desk->home);
    snprintf(other, sizeof other, "%s/elsewhere", desk->home);
    app_autosave_abandon(desk->hands->state);
    assert_int_equal(rename(folder, other), 0);
    assert_int_equal(symlink(other, folder), 0);
    app_autosave_begin(desk->hands->state, desk->hands->input.time);
    add_word(desk->hands, "tiger");
    app_autosave_flush(desk->hands->state);
    assert_true(file_holds(kept_path(desk, 1), "\"tiger\""));
}

static void the_question_fits_every_window(void **state)
{
    struct desk *desk = *state;
    static const float sizes[][2] = {{1440, 900}, {960, 600}, {640, 480}, {320, 240}, {1, 1}};
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 10);
    crash_window(desk);
    hands_expect_part(desk->hands, "was kept.");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hands_resize(desk->hands, sizes[i][0], sizes[i][1]);
        assert_true(sizes[i][0] < 960 || hands_collisions(desk->hands) == 0);
    }
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, sit_down, stand_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        a_test(every_change_is_on_the_disk_within_five_seconds),
        a_test(a_word_that_is_being_typed_is_kept),
        a_test(a_run_is_kept_where_it_has_come_to),
        a_test(a_run_from_a_long_text_is_kept_and_restored),
        a_test(work_of_a_window_that_died_is_offered_and_restored),
        a_test(kept_work_can_be_discarded_by_the_keyboard_alone),
        a_test(who_does_not_answer_is_asked_again),
        a_test(nothing_is_asked_before_a_class),
        a_test(a_quit_with_unsaved_work_keeps_it_and_without_leaves_nothing),
        a_test(work_that_kills_the_program_twice_is_offered_as_a_file_only),
        a_test(damaged_work_is_said_in_a_sentence_and_changes_nothing),
        a_test(two_windows_do_not_write_over_each_other),
        a_test(what_cannot_be_kept_is_said_once),
        a_test(a_file_that_somebody_changed_is_asked_about),
        a_test(overwriting_and_reloading_do_what_they_say),
        a_test(the_first_save_asks_for_name_and_folder),
        a_test(a_name_that_is_taken_is_replaced_only_when_that_is_said),
        a_test(what_cannot_be_saved_leaves_the_sheet_open_and_says_why),
        a_test(that_it_is_saved_is_said_near_the_hand),
        a_test(a_lesson_called_unit_1_of_2_can_be_saved),
        a_test(a_lesson_that_was_opened_is_not_written_over_unasked),
        a_test(a_window_asks_before_it_closes_on_work_that_is_kept_nowhere),
        a_test(undo_returns_to_the_file_of_the_work_before),
        a_test(a_text_to_learn_from_is_not_saved_over_a_session),
        a_test(without_a_home_a_window_asks_too),
        a_test(a_folder_that_is_a_link_is_used),
        a_test(the_question_fits_every_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
