/* Pictures of the window: where they go, what they are called, and that nothing is ever lost by
 * one. */
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

#include "app/export/export.h"
#include "base/file.h"
#include "hands.h"

enum { PATH_BYTES = 512 };

/* A home of its own for every test, and a program with a picture to save. */
struct desk {
    char home[PATH_BYTES], start[PATH_BYTES];
    struct hands *hands;
};

static void make_folder(const struct desk *desk, const char *name)
{
    char path[2 * PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", desk->home, name);
    assert_int_equal(mkdir(path, 0777), 0);
}

static void write_text(const struct desk *desk, const char *name, const char *text)
{
    char path[2 * PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", desk->home, name);
    assert_true(file_write(path, (struct bytes){(const uint8_t *)text, strlen(text)}, NULL));
}

static size_t size_of(const struct desk *desk, const char *name)
{
    char path[2 * PATH_BYTES];
    struct stat facts;
    snprintf(path, sizeof path, "%s/%s", desk->home, name);
    return stat(path, &facts) == 0 ? (size_t)facts.st_size : 0;
}

static int sit_down(void **state)
{
    struct desk *desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    assert_non_null(getcwd(desk->start, sizeof desk->start));
    snprintf(desk->home, sizeof desk->home, "%.480s/saving-XXXXXX", desk->start);
    assert_non_null(mkdtemp(desk->home));
    setenv("HOME", desk->home, 1);
    unsetenv("XDG_CONFIG_HOME");
    desk->hands = hands_open("cats", 480, 320);
    unsetenv("ATTNSCOPE_HOME"); /* here the folders of the person are meant */
    *state = desk;
    return 0;
}

static int stand_up(void **state)
{
    struct desk *desk = *state;
    char command[PATH_BYTES + 32];
    assert_int_equal(chdir(desk->start), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", desk->home);
    assert_int_equal(system(command), 0);
    hands_close(desk->hands);
    free(desk);
    return 0;
}

static const char *save_session(struct desk *desk)
{
    hands_key(desk->hands, "Ctrl+Shift+E");
    return desk->hands->state->message;
}

static void a_picture_goes_where_the_desktop_keeps_pictures(void **state)
{
    struct desk *desk = *state;
    make_folder(desk, "Pictures");
    make_folder(desk, "Bilder");
    make_folder(desk, ".config");
    write_text(desk, ".config/user-dirs.dirs",
               "# written by the desktop\nXDG_DESKTOP_DIR=\"$HOME/Desktop\"\n"
               "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n");
    char said[2 * PATH_BYTES];
    snprintf(said, sizeof said, "Saved %s/Bilder/attnscope-cats-score.png", desk->home);
    assert_string_equal(save_session(desk), said);
    assert_true(size_of(desk, "Bilder/attnscope-cats-score.png") > 1000);
}

static void a_session_goes_where_the_desktop_keeps_documents(void **state)
{
    struct desk *desk = *state;
    make_folder(desk, "Documents");
    make_folder(desk, "Dokumente");
    make_folder(desk, ".config");
    write_text(desk, ".config/user-dirs.dirs",
               "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n"
               "XDG_DOCUMENTS_DIR=\"$HOME/Dokumente\"\n");
    hands_key(desk->hands, "Ctrl+Shift+S");
    hands_key(desk->hands, "Enter");
    assert_true(size_of(desk, "Dokumente/attnscope-cats.json") > 100);
}

static void a_session_may_lead_home(void **state)
{
    struct desk *desk = *state;
    make_folder(desk, "Documents");
    hands_key(desk->hands, "Ctrl+Shift+S");
    hands_key(desk->hands, "Ctrl+A");
    hands_type(desk->hands, "~/mine");
    hands_key(desk->hands, "Enter");
    assert_true(size_of(desk, "mine.json") > 100);
}

static void without_such_a_setting_it_goes_to_pictures(void **state)
{
    struct desk *desk = *state;
    make_folder(desk, "Pictures");
    make_folder(desk, ".config");
    write_text(desk, ".config/user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOME/gone\"\n");
    save_session(desk);
    assert_true(size_of(desk, "Pictures/attnscope-cats-score.png") > 1000);
}

static void without_a_folder_for_pictures_it_goes_where_the_program_was_started(void **state)
{
    struct desk *desk = *state;
    make_folder(desk, "work");
    char folder[2 * PATH_BYTES];
    snprintf(folder, sizeof folder, "%s/work", desk->home);
    assert_int_equal(chdir(folder), 0);
    save_session(desk);
    assert_true(size_of(desk, "work/attnscope-cats-score.png") > 1000);
}

static void no_picture_is_written_over_another(void **state)
{
    struct desk *desk = *state;
    make_folder(desk, "Pictures");
    write_text(desk, "Pictures/attnscope-cats-score.png", "holiday");
    save_session(desk);
    assert_non_null(strstr(save_session(desk), "attnscope-cats-score-3.png"));
    assert_int_equal(size_of(desk, "Pictures/attnscope-cats-score.png"), strlen("holiday"));
    assert_true(size_of(desk, "Pictures/attnscope-cats-score-2.png") > 1000);
    assert_true(size_of(desk, "Pictures/attnscope-cats-score-3.png") > 1000);
}

static void what_cannot_be_saved_is_said_in_a_sentence(void **state)
{
    struct desk *desk = *state;
    make_folder(desk, "gone");
    char folder[2 * PATH_BYTES];
    snprintf(folder, sizeof folder, "%s/gone", desk->home);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_non_null(strstr(save_session(desk), "No file could be saved as"));
    hands_expect_part(desk->hands, "No file could be saved as");
}

static void own_words_make_a_name_that_every_disk_takes(void **state)
{
    struct desk *desk = *state;
    static const struct {
        const char *words[3];
        const char *name;
    } cases[] = {
        {{"a/b", "..", "c d"}, "attnscope-a-b-c-d-score"},
        {{"猫", "犬", "鳥"}, "attnscope-猫-犬-鳥-score"},
        {{"café", "für", "हिंदी"}, "attnscope-café-für-हिंदी-score"},
        {{"!", "\"", "\\"}, "attnscope-score"},
        {{"averyveryverylongword", "averyveryverylongword", "averyveryverylongword"}, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lab_experiment next;
        lab_experiment_copy(&next, &desk->hands->state->document.experiment);
        next.lesson[0] = '\0';
        assert_true(lab_experiment_set_tokens(&next, cases[i].words, 3, NULL));
        document_change(&desk->hands->state->document, &next, "a change", 1);
        lab_experiment_release(&next);
        char name[64];
        app_export_name(desk->hands->state, name, sizeof name);
        if (cases[i].name) {
            assert_string_equal(name, cases[i].name);
        }
        assert_true(strlen(name) < sizeof name - 1);
        assert_string_equal(name + strlen(name) - strlen("-score"), "-score");
    }
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, sit_down, stand_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        a_test(a_picture_goes_where_the_desktop_keeps_pictures),
        a_test(a_session_goes_where_the_desktop_keeps_documents),
        a_test(a_session_may_lead_home),
        a_test(without_such_a_setting_it_goes_to_pictures),
        a_test(without_a_folder_for_pictures_it_goes_where_the_program_was_started),
        a_test(no_picture_is_written_over_another),
        a_test(what_cannot_be_saved_is_said_in_a_sentence),
        a_test(own_words_make_a_name_that_every_disk_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
