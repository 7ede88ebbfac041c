/* Other programs cannot hold this one up by what they do with the clipboard. */
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

#include "app/desktop/clipboard_owner.h"
#include "base/file.h"

enum { LARGE = 1 << 20, LIMIT = 300 };

static const struct bytes word = {(const uint8_t *)"picture", 7};

static double read_clock(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void what_is_fed_arrives_whole(void **state)
{
    (void)state;
    static uint8_t large[LARGE];
    for (size_t i = 0; i < LARGE; i++) {
        large[i] = (uint8_t)(i * 7 + i / 251);
    }
    const char *const keep[] = {"sh", "-c", "cat > kept.bin", NULL};
    assert_true(app_clipboard_owner_feed(keep, (struct bytes){large, LARGE}, 60000));
    struct arena arena = {0};
    struct bytes kept = {0};
    assert_true(file_read("kept.bin", 2 * LARGE, &arena, &kept, NULL));
    assert_int_equal(kept.size, LARGE);
    assert_memory_equal(kept.at, large, LARGE);
    arena_free(&arena);
    unlink("kept.bin");
}

static void one_that_is_not_there_or_fails_has_kept_nothing(void **state)
{
    (void)state;
    const char *const absent[] = {"attnscope-no-such-keeper", NULL};
    const char *const fails[] = {"sh", "-c", "cat > /dev/null; exit 1", NULL};
    const char *const deaf[] = {"sh", "-c", "exec 0<&-; exit 0", NULL};
    static uint8_t large[LARGE];
    assert_false(app_clipboard_owner_feed(absent, word, 60000));
    assert_false(app_clipboard_owner_feed(fails, word, 60000));
    assert_false(app_clipboard_owner_feed(deaf, (struct bytes){large, LARGE}, 60000));
}

/* One that never ends, and one that never reads: both are ended after the time. The bound on the
 * clock is far beyond the limit, and far below how long they would take. */
static void one_that_hangs_is_given_up(void **state)
{
    (void)state;
    const char *const never_ends[] = {"sh", "-c", "cat > /dev/null; exec sleep 600", NULL};
    const char *const never_reads[] = {"sleep", "600", NULL};
    static uint8_t large[LARGE];
    const double start = read_clock();
    assert_false(app_clipboard_owner_feed(never_ends, word, LIMIT));
    assert_false(app_clipboard_owner_feed(never_reads, (struct bytes){large, LARGE}, LIMIT));
    assert_true(read_clock() - start < 300000);
    assert_true(read_clock() - start >= 2 * LIMIT);
}

/* Asks a program and waits for it to the end: how it ended, and how much came. */
static enum app_clipboard_news read_clipboard(const char *const *argument, char *text, size_t most,
                                              int milliseconds, size_t *looks)
{
    struct app_clipboard_request request;
    if (!app_clipboard_request_start(&request, argument, text, most, milliseconds)) {
        return APP_CLIPBOARD_NOTHING;
    }
    enum app_clipboard_news news = APP_CLIPBOARD_WAITS;
    for (*looks = 0; news == APP_CLIPBOARD_WAITS; (*looks)++) {
        news = app_clipboard_request_look(&request, 5);
    }
    return news;
}

/* A long text is taken up to what is wanted of it; one that says nothing is given up. */
static void what_is_heard_ends_where_it_is_enough(void **state)
{
    (void)state;
    enum { TEXT_MAX = 100000 };
    static char text[TEXT_MAX + 1];
    const char *const says[] = {"printf", "a text", NULL};
    const char *const never_ends[] = {"yes", "words", NULL};
    const char *const silent[] = {"sleep", "600", NULL};
    const char *const empty[] = {"true", NULL};
    const char *const absent[] = {"attnscope-no-such-keeper", NULL};
    size_t looks = 0;
    assert_int_equal(read_clipboard(says, text, TEXT_MAX, 60000, &looks), APP_CLIPBOARD_CAME);
    assert_string_equal(text, "a text");
    assert_int_equal(read_clipboard(never_ends, text, TEXT_MAX, 60000, &looks), APP_CLIPBOARD_CAME);
    assert_int_equal(strlen(text), TEXT_MAX);
    assert_memory_equal(text, "words\nwords\n", 12);
    const double start = read_clock();
    assert_int_equal(read_clipboard(silent, text, TEXT_MAX, LIMIT, &looks), APP_CLIPBOARD_LATE);
    assert_string_equal(text, "");
    assert_int_equal(read_clipboard(empty, text, TEXT_MAX, 60000, &looks), APP_CLIPBOARD_NOTHING);
    assert_int_equal(read_clipboard(absent, text, TEXT_MAX, LIMIT, &looks), APP_CLIPBOARD_NOTHING);
    assert_true(read_clock() - start < 300000);
}

/* Who waits for a slow one has its hands free meanwhile; what it has said so far is not lost when
 * it is given up. */
static void what_waits_has_its_hands_free(void **state)
{
    (void)state;
    char text[16];
    const char *const slow[] = {"sh", "-c", "sleep 0.2; printf word", NULL};
    const char *const stops[] = {"sh", "-c", "printf word; exec sleep 600", NULL};
    const char *const silent[] = {"sleep", "600", NULL};
    struct app_clipboard_request request;
    size_t looks = 0;
    assert_int_equal(read_clipboard(slow, text, 15, 60000, &looks), APP_CLIPBOARD_CAME);
    assert_string_equal(text, "word");
    assert_true(looks > 1);
    assert_int_equal(read_clipboard(stops, text, 15, 1000, &looks), APP_CLIPBOARD_CAME);
    assert_string_equal(text, "word");
    assert_true(app_clipboard_request_start(&request, silent, text, 15, 600000));
    assert_int_equal(app_clipboard_request_look(&request, 0), APP_CLIPBOARD_WAITS);
    const double start = read_clock();
    app_clipboard_request_drop(&request); /* waits for nothing */
    assert_true(read_clock() - start < 300000);
}

/* The keeper of the desktop is found by its name and told what it gets. */
static void the_keeper_is_told_the_type(void **state)
{
    (void)state;
    static const char script[] = "#!/bin/sh\necho \"$@\" > told; cat > given\n";
    struct arena arena = {0};
    struct bytes told = {0}, given = {0};
    char folder[256], path[1024];
    assert_non_null(getcwd(folder, sizeof folder));
    mkdir("keepers", 0777);
    assert_true(
        file_write("keepers/xclip", (struct bytes){(const uint8_t *)script, strlen(script)}, NULL));
    chmod("keepers/xclip", 0777);
    snprintf(path, sizeof path, "%s/keepers:%s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
    setenv("DISPLAY", ":9", 1);
    unsetenv("WAYLAND_DISPLAY");
    const bool taken = app_clipboard_owner_take(word, "image/svg+xml");
    const bool read = file_read("told", 1000, &arena, &told, NULL) &&
                      file_read("given", 1000, &arena, &given, NULL);
    unlink("keepers/xclip");
    rmdir("keepers");
    unlink("told");
    unlink("given");
    assert_true(taken && read);
    assert_int_equal(given.size, word.size);
    assert_non_null(strstr((const char *)told.at, "image/svg+xml"));
    unsetenv("DISPLAY");
    assert_false(app_clipboard_owner_take(word, "image/png"));
    arena_free(&arena);
}

int main(void)
{
    char place[] = "keeper-XXXXXX";
    if (mkdtemp(place) == NULL || chdir(place) != 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_fed_arrives_whole),
        cmocka_unit_test(one_that_is_not_there_or_fails_has_kept_nothing),
        cmocka_unit_test(one_that_hangs_is_given_up),
        cmocka_unit_test(what_is_heard_ends_where_it_is_enough),
        cmocka_unit_test(what_waits_has_its_hands_free),
        cmocka_unit_test(the_keeper_is_told_the_type),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return chdir("..") == 0 && rmdir(place) == 0 ? failed : 1;
}
