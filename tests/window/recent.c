/* Kept from one run to the next: the files opened lately, and the place of the window. */
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

#include "app/actions/startup.h"
#include "app/document/settings_store.h"
#include "base/file.h"
#include "hands.h"

enum { PATH_BYTES = 600 };

static struct hands *sit_down(void)
{
    struct hands *hands = hands_open("cats", 1440, 900);
    hands->state->host |= APP_HOST_STORES_SETTINGS;
    return hands;
}

/* The same folder, the program started anew. */
static struct hands *start_again(struct hands *hands)
{
    app_state_close(hands->state);
    struct error error = {0};
    memset(hands->state, 0, sizeof *hands->state);
    assert_true(app_state_open(hands->state, "cats", NULL, &error));
    hands->state->host |= APP_HOST_STORES_SETTINGS;
    hands_frame(hands);
    return hands;
}

static void a_session_that_was_saved_is_first_the_next_time(void **state)
{
    (void)state;
    struct hands *hands = sit_down();
    hands_save(hands);
    start_again(hands);
    hands_key(hands, "Ctrl+O");
    hands_expect(hands, "attnscope-cats.json");
    hands_expect(hands, hands->folder); /* once, and where it lies */
    assert_int_equal(hands_count(hands, "attnscope-cats.json"), 1);
    hands_key(hands, "Enter");
    hands_expect_not(hands, hands->folder);
    assert_non_null(strstr(hands->state->document.work->path, "attnscope-cats.json"));
    hands_close(hands);
}

static void a_damaged_model_is_refused_and_the_list_stays(void **state)
{
    (void)state;
    struct hands *const hands = sit_down();
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/bad.gguf", hands->folder);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    fwrite("GGUF\3\0\0\0", 1, 8, file);
    fclose(file);
    hands_key(hands, "Ctrl+O");
    hands_type(hands, path);
    hands_key(hands, "Enter");
    assert_non_null(strstr(hands->state->message, "bad.gguf"));
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_FIND);
    hands_key(hands, "Escape");
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_NONE);
    unlink(path);
    hands_close(hands);
}

static void models_on_this_machine_stand_among_what_can_be_opened(void **state)
{
    (void)state;
    struct hands *const hands = sit_down();
    char path[PATH_BYTES];
    const char *const folders[] = {"", "/.lmstudio", "/.lmstudio/models", "/.lmstudio/models/pub",
                                   "/.lmstudio/models/pub/repo"};
    const char *const home = getenv("HOME");
    char *const former = home == NULL ? NULL : strdup(home);
    char own[PATH_BYTES];
    snprintf(own, sizeof own, "%s/home", hands->folder);
    for (size_t f = 0; f < sizeof folders / sizeof folders[0]; f++) {
        snprintf(path, sizeof path, "%.500s%s", own, folders[f]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    snprintf(path, sizeof path, "%.500s/.lmstudio/models/pub/repo/tiny-Q4_0.gguf", own);
    FILE *const file = fopen(path, "wb");
    fputs("no model", file);
    fclose(file);
    assert_int_equal(setenv("HOME", own, 1), 0);
    hands_key(hands, "Ctrl+O");
    hands_type(hands, "lm studio");
    hands_expect(hands, "Model: pub/repo/tiny-Q4_0");
    hands_expect(hands, "LM Studio · Q4_0 · 1 MB");
    hands_click(hands, "Model: pub/repo/tiny-Q4_0");
    assert_int_equal(hands->state->view.overlay, VIEW_OVERLAY_NONE); /* it is taken */
    assert_int_equal(former == NULL ? unsetenv("HOME") : setenv("HOME", former, 1), 0);
    free(former);
    unlink(path);
    for (size_t f = sizeof folders / sizeof folders[0]; f-- > 0;) {
        snprintf(path, sizeof path, "%.500s%s", own, folders[f]);
        rmdir(path);
    }
    hands_close(hands);
}

static void the_file_opened_last_stands_above_the_others(void **state)
{
    (void)state;
    struct hands *hands = sit_down();
    char first[PATH_BYTES], second[PATH_BYTES];
    snprintf(first, sizeof first, "%s/one.json", hands->folder);
    snprintf(second, sizeof second, "%s/two.json", hands->folder);
    app_store_file(first);
    app_store_file(second);
    app_store_file(first);
    hands_key(hands, "Ctrl+O");
    assert_true(hands_find(hands, "one.json", 0).y < hands_find(hands, "two.json", 0).y);
    assert_int_equal(hands_count(hands, "one.json"), 1);
    hands_expect(hands, "no longer there"); /* neither was ever written */
    hands_close(hands);
}

static void ten_files_are_kept(void **state)
{
    (void)state;
    struct hands *hands = sit_down();
    struct arena arena = {0};
    const char *paths[APP_RECENT_MAX];
    for (int i = 0; i < 15; i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "/somewhere/%d.json", i);
        app_store_file(path);
    }
    app_store_file("/somewhere/two\nlines.json"); /* a list of lines cannot hold it */
    assert_int_equal(app_stored_files(&arena, paths), 10);
    assert_string_equal(paths[0], "/somewhere/14.json");
    assert_string_equal(paths[9], "/somewhere/5.json");
    arena_free(&arena);
    hands_close(hands);
}

static void the_dialog_of_the_desktop_is_offered_where_there_is_one(void **state)
{
    (void)state;
    struct hands *hands = sit_down();
    hands_key(hands, "Ctrl+O");
    hands_expect_not(hands, "Choose…");
    hands_key(hands, "Escape");
    hands->state->host |= APP_HOST_CHOOSES_FILES;
    hands_key(hands, "Ctrl+O");
    hands_click(hands, "Choose…");
    assert_true(hands->state->request.asks & APP_ASKS_FILE);
    hands_close(hands);
}

static void nothing_is_kept_unless_it_is_asked_for(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    struct arena arena = {0};
    const char *paths[APP_RECENT_MAX];
    hands_save(hands);
    assert_int_equal(app_stored_files(&arena, paths), 0);
    arena_free(&arena);
    hands_close(hands);
}

static void only_the_person_can_look_into_the_folder(void **state)
{
    (void)state;
    struct hands *hands = sit_down();
    char home[PATH_BYTES], kept[2 * PATH_BYTES];
    struct stat facts;
    snprintf(home, sizeof home, "%s/deep", hands->folder);
    snprintf(kept, sizeof kept, "%s/attnscope", home);
    unsetenv("ATTNSCOPE_HOME");
    setenv("XDG_STATE_HOME", home, 1);
    app_store_file("/somewhere/a.json");
    assert_int_equal(stat(kept, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0700);
    snprintf(kept, sizeof kept, "%s/attnscope/recent", home);
    assert_int_equal(remove(kept), 0);
    snprintf(kept, sizeof kept, "%s/attnscope", home);
    assert_int_equal(rmdir(kept), 0);
    assert_int_equal(rmdir(home), 0);
    unsetenv("XDG_STATE_HOME");
    hands_close(hands);
}

static void every_screen_has_its_place_and_the_last_one_counts(void **state)
{
    (void)state;
    struct hands *hands = sit_down();
    const char *const screens[] = {"Laptop 1920x1080", "Projector 1024x768"};
    struct app_spot spot = {0, 0, 0, 0};
    assert_int_equal(app_stored_place(screens, 2, &spot), 2); /* nothing is known */
    app_store_place(screens[1], (struct app_spot){-5, 7, 800, 600});
    app_store_place(screens[0], (struct app_spot){10, 20, 1440, 900});
    assert_int_equal(app_stored_place(screens, 2, &spot), 0);
    assert_int_equal(spot.width, 1440);
    assert_int_equal(app_stored_place(screens + 1, 1, &spot), 0); /* only the projector is there */
    assert_int_equal(spot.x, -5);
    assert_int_equal(spot.y, 7);
    assert_int_equal(spot.height, 600);
    hands_close(hands);
}

static void a_window_comes_back_inside_what_can_be_seen(void **state)
{
    (void)state;
    const struct app_spot visible = {100, 0, 1000, 700};
    static const struct {
        struct app_spot kept, wanted;
    } cases[] = {
        {{150, 50, 800, 600}, {150, 50, 800, 600}},   /* it fits */
        {{5000, 50, 800, 600}, {300, 50, 800, 600}},  /* its screen was further right */
        {{-900, -40, 800, 600}, {100, 0, 800, 600}},  /* the other side */
        {{150, 50, 3000, 2000}, {100, 0, 1000, 700}}, /* its screen was larger */
        {{150, 650, 800, 600}, {150, 100, 800, 600}}, /* its foot was below the edge */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct app_spot found = app_spot_inside(cases[i].kept, visible);
        assert_memory_equal(&found, &cases[i].wanted, sizeof found);
    }
}

static void a_damaged_list_is_no_harm(void **state)
{
    (void)state;
    struct hands *hands = sit_down();
    char path[PATH_BYTES];
    static const char rubbish[] = "\n\n\xff\xfe+1x\n99999999999x1+0+0 Laptop\n-5x-5+0+0 Laptop";
    const char *const screens[] = {"Laptop"};
    struct app_spot spot;
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", hands->folder, i == 0 ? "recent" : "window");
        assert_true(
            file_write(path, (struct bytes){(const uint8_t *)rubbish, sizeof rubbish - 1}, NULL));
    }
    assert_int_equal(app_stored_place(screens, 1, &spot), 1);
    hands_key(hands, "Ctrl+O");
    app_store_file("/somewhere/a.json");
    hands_key(hands, "Escape");
    hands_key(hands, "Ctrl+O");
    hands_expect(hands, "a.json");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_that_was_saved_is_first_the_next_time),
        cmocka_unit_test(a_damaged_model_is_refused_and_the_list_stays),
        cmocka_unit_test(models_on_this_machine_stand_among_what_can_be_opened),
        cmocka_unit_test(the_file_opened_last_stands_above_the_others),
        cmocka_unit_test(ten_files_are_kept),
        cmocka_unit_test(the_dialog_of_the_desktop_is_offered_where_there_is_one),
        cmocka_unit_test(nothing_is_kept_unless_it_is_asked_for),
        cmocka_unit_test(only_the_person_can_look_into_the_folder),
        cmocka_unit_test(every_screen_has_its_place_and_the_last_one_counts),
        cmocka_unit_test(a_window_comes_back_inside_what_can_be_seen),
        cmocka_unit_test(a_damaged_list_is_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
