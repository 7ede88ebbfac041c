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
#include <unistd.h>

#include <cmocka.h>

#include "app/actions/commands.h"
#include "app/open/autosave.h"
#include "base/file.h"
#include "hands.h"

enum { PATH_BYTES = 512, LONGER = PATH_BYTES + 48 };

struct desk {
    char home[PATH_BYTES];
    struct hands *hands;
};

/* A program that keeps its work in the desk's folder. */
static struct hands *start(const struct desk *desk)
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
    desk->hands = start(desk);
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

static const char *kept(const struct desk *desk, int number)
{
    static char path[LONGER];
    snprintf(path, sizeof path, "%s/unsaved/work-%d.json", desk->home, number);
    return path;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool holds(const char *path, const char *what)
{
    struct arena arena = {0};
    struct bytes text = {0};
    const bool found = file_read(path, 1 << 20, &arena, &text, NULL) &&
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
static void crash(struct desk *desk)
{
    app_autosave_abandon(desk->hands->state);
    hands_close(desk->hands);
    desk->hands = start(desk);
}

static void every_change_is_on_the_disk_within_ten_seconds(void **state)
{
    struct desk *desk = *state;
    struct stat facts;
    hands_wait(desk->hands, 20);
    assert_false(is_there(kept(desk, 1)));
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 9);
    app_autosave_flush(desk->hands->state); /* waits for the thread that writes */
    assert_true(holds(kept(desk, 1), "\"tiger\""));
    assert_int_equal(stat(kept(desk, 1), &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    char folder[LONGER];
    snprintf(folder, sizeof folder, "%s/unsaved", desk->home);
    assert_int_equal(stat(folder, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0700);
}

static void work_of_a_window_that_died_is_offered_and_restored(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    hands_key(desk->hands, "5");
    hands_wait(desk->hands, 10);
    crash(desk);
    hands_expect_part(desk->hands, "was kept.");
    hands_expect_not(desk->hands, "tiger");
    hands_click(desk->hands, "Restore");
    hands_expect(desk->hands, "tiger");
    hands_expect(desk->hands, "The kept work is here again.");
    assert_int_equal(hands_count_part(desk->hands, "was kept."), 0);
    assert_true(desk->hands->state->document.unsaved);
    assert_true(is_there(kept(desk, 1))); /* until it is saved */
    hands_key(desk->hands, "Ctrl+S");
    hands_wait(desk->hands, 1);
    assert_false(desk->hands->state->document.unsaved);
    assert_false(is_there(kept(desk, 1)));
    hands_key(desk->hands, "Ctrl+Z");
    hands_expect_not(desk->hands, "tiger");
}

static void kept_work_can_be_discarded_by_the_keyboard_alone(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 10);
    crash(desk);
    hands_key(desk->hands, "Ctrl+K");
    hands_type(desk->hands, "discard the work");
    hands_key(desk->hands, "Enter");
    hands_expect(desk->hands, "The kept work is gone.");
    assert_false(is_there(kept(desk, 1)));
    crash(desk);
    assert_int_equal(hands_count_part(desk->hands, "was kept."), 0);
}

static void who_does_not_answer_is_asked_again(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 10);
    crash(desk);
    hands_expect_part(desk->hands, "was kept.");
    hands_close(desk->hands);
    desk->hands = start(desk);
    hands_expect_part(desk->hands, "was kept.");
}

static void a_quit_with_unsaved_work_keeps_it_and_without_leaves_nothing(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    app_autosave_end(desk->hands->state);
    assert_true(holds(kept(desk, 1), "\"tiger\""));
    hands_close(desk->hands);
    desk->hands = start(desk);
    hands_click(desk->hands, "Restore");
    hands_key(desk->hands, "Ctrl+S");
    app_autosave_end(desk->hands->state);
    assert_false(is_there(kept(desk, 1)));
}

static void work_that_kills_the_program_twice_is_offered_as_a_file_only(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 10);
    for (int times = 0; times < 2; times++) {
        crash(desk);
        hands_click(desk->hands, "Restore"); /* and dies before two seconds are over */
    }
    crash(desk);
    hands_expect_part(desk->hands, "could not be opened");
    hands_expect_part(desk->hands, "work-1.json");
    hands_expect_not(desk->hands, "Restore");
    app_command_run(desk->hands->state, "restore", 0, desk->hands->input.time);
    hands_frame(desk->hands);
    hands_expect_not(desk->hands, "tiger");
    assert_true(is_there(kept(desk, 1)));
}

static void damaged_work_is_said_in_a_sentence_and_changes_nothing(void **state)
{
    struct desk *desk = *state;
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 10);
    app_autosave_flush(desk->hands->state);
    assert_int_equal(truncate(kept(desk, 1), 100), 0);
    crash(desk);
    hands_click(desk->hands, "Restore");
    hands_expect_part(desk->hands, "The kept work cannot be opened:");
    hands_expect_part(desk->hands, "could not be opened. It is the file");
    assert_false(desk->hands->state->document.unsaved);
    hands_expect(desk->hands, "Discard");
}

static void two_windows_do_not_write_over_each_other(void **state)
{
    struct desk *desk = *state;
    struct hands *second = start(desk);
    assert_int_equal(hands_count_part(second, "was kept."), 0);
    add_word(desk->hands, "tiger");
    add_word(second, "whale");
    app_autosave_flush(desk->hands->state);
    app_autosave_flush(second->state);
    assert_true(holds(kept(desk, 1), "\"tiger\""));
    assert_true(holds(kept(desk, 2), "\"whale\""));
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
    assert_true(holds(kept(desk, 1), "\"tiger\""));
}

static void write_over(const char *path, const char *text)
{
    assert_true(file_write(path, (struct bytes){(const uint8_t *)text, strlen(text)}, NULL));
}

static void a_file_that_somebody_changed_is_asked_about(void **state)
{
    struct desk *desk = *state;
    char former[PATH_BYTES];
    hands_key(desk->hands, "Ctrl+S");
    snprintf(former, sizeof former, "%.500s", desk->hands->state->document.path);
    assert_true(is_there(former));
    add_word(desk->hands, "tiger");
    hands_key(desk->hands, "Ctrl+S"); /* nobody touched it */
    hands_expect_not(desk->hands, "Overwrite");
    assert_true(holds(former, "\"tiger\""));
    write_over(former, "from somebody else");
    add_word(desk->hands, "whale");
    hands_key(desk->hands, "Ctrl+S");
    hands_expect_part(desk->hands, "was changed by someone else.");
    assert_true(holds(former, "from somebody else"));
    hands_click(desk->hands, "Save as new");
    hands_expect_not(desk->hands, "Overwrite");
    assert_true(holds(former, "from somebody else"));
    assert_true(strcmp(former, desk->hands->state->document.path) != 0);
    assert_true(holds(desk->hands->state->document.path, "\"whale\""));
}

static void overwriting_and_reloading_do_what_they_say(void **state)
{
    struct desk *desk = *state;
    struct arena arena = {0};
    struct bytes first = {0};
    hands_key(desk->hands, "Ctrl+S");
    assert_true(file_read(desk->hands->state->document.path, 1 << 20, &arena, &first, NULL));
    add_word(desk->hands, "tiger");
    write_over(desk->hands->state->document.path, "from somebody else");
    hands_key(desk->hands, "Ctrl+S");
    hands_click(desk->hands, "Overwrite");
    assert_true(holds(desk->hands->state->document.path, "\"tiger\""));
    hands_expect_not(desk->hands, "Overwrite");
    write_over(desk->hands->state->document.path, (const char *)first.at);
    hands_key(desk->hands, "Ctrl+S");
    hands_click(desk->hands, "Reload");
    hands_expect_not(desk->hands, "tiger");
    hands_expect_not(desk->hands, "Reload");
    hands_key(desk->hands, "Ctrl+Z");
    hands_expect(desk->hands, "tiger");
    arena_free(&arena);
}

static void the_question_fits_every_window(void **state)
{
    struct desk *desk = *state;
    static const float sizes[][2] = {{1440, 900}, {960, 600}, {640, 480}, {320, 240}, {1, 1}};
    add_word(desk->hands, "tiger");
    hands_wait(desk->hands, 10);
    crash(desk);
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
        a_test(every_change_is_on_the_disk_within_ten_seconds),
        a_test(work_of_a_window_that_died_is_offered_and_restored),
        a_test(kept_work_can_be_discarded_by_the_keyboard_alone),
        a_test(who_does_not_answer_is_asked_again),
        a_test(a_quit_with_unsaved_work_keeps_it_and_without_leaves_nothing),
        a_test(work_that_kills_the_program_twice_is_offered_as_a_file_only),
        a_test(damaged_work_is_said_in_a_sentence_and_changes_nothing),
        a_test(two_windows_do_not_write_over_each_other),
        a_test(what_cannot_be_kept_is_said_once),
        a_test(a_file_that_somebody_changed_is_asked_about),
        a_test(overwriting_and_reloading_do_what_they_say),
        a_test(the_question_fits_every_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
