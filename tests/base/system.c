/* base/system by what it promises on every operating system: files, folders, locks, maps, threads.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/system/clock.h"
#include "base/system/file.h"
#include "base/system/folder.h"
#include "base/system/map.h"
#include "base/system/process.h"
#include "base/system/thread.h"
#include "base/system/user.h"

/* A folder of its own, whose name no code page has. */
static char root[SYSTEM_PATH_MAX], home[SYSTEM_PATH_MAX];

static const char *path_of(const char *name)
{
    static char path[4][SYSTEM_PATH_MAX];
    static size_t next;
    char *const out = path[next++ % 4];
    (void)snprintf(out, SYSTEM_PATH_MAX, "%.2000s/%.1000s", home, name);
    return out;
}

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(root, sizeof root, "%.2000s/base-system-XXXXXX", system_temporary_folder());
    (void)snprintf(home, sizeof home, "%.2000s", root);
    if (!system_make_unique_folder(root)) {
        return -1;
    }
    (void)snprintf(home, sizeof home, "%.2000s/дом – 家", root);
    return system_make_folder(home) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    system_remove_folder_with_files(home);
    return system_remove_folder(root) ? 0 : -1;
}

static void put(const char *path, const char *text)
{
    const int file = system_open(path, SYSTEM_CREATE);
    assert_true(file >= 0);
    assert_int_equal(system_write(file, text, strlen(text)), strlen(text));
    assert_true(system_flush(file));
    assert_true(system_close(file));
}

static void expect(int file, const char *text)
{
    char got[64] = "";
    assert_true(system_rewind(file));
    assert_int_equal(system_read(file, got, sizeof got - 1), strlen(text));
    assert_string_equal(got, text);
}

static void a_name_is_taken_once(void **state)
{
    (void)state;
    put(path_of("once"), "a\r\nb\n\x1a");
    errno = 0;
    assert_int_equal(system_open(path_of("once"), SYSTEM_CREATE), -1);
    assert_int_equal(errno, EEXIST);
    const int file = system_open(path_of("once"), SYSTEM_READ);
    expect(file, "a\r\nb\n\x1a"); /* no byte is anybody's sign */
    assert_true(system_close(file));
    errno = 0;
    assert_int_equal(system_open(path_of("never"), SYSTEM_READ), -1);
    assert_int_equal(errno, ENOENT);
}

static void facts_tell_what_lies_there(void **state)
{
    struct system_facts facts, again;
    (void)state;
    put(path_of("facts"), "12345");
    assert_true(system_path_facts(path_of("facts"), &facts));
    assert_int_equal(facts.kind, SYSTEM_REGULAR);
    assert_int_equal(facts.size, 5);
    const int file = system_open(path_of("facts"), SYSTEM_READ);
    assert_true(system_file_facts(file, &again));
    assert_true(system_close(file));
    assert_int_equal(facts.device, again.device);
    assert_int_equal(facts.number, again.number);
    assert_int_equal(facts.seconds, again.seconds);
    assert_true(facts.seconds > 1700000000);
    assert_true(system_is_folder(home));
    assert_false(system_is_regular(home));
    assert_true(system_exists(path_of("facts")) && system_may_write(path_of("facts")));
    assert_false(system_exists(path_of("never")));
}

/* Whoever reads the former content goes on reading it. */
static void a_file_is_replaced_under_its_readers(void **state)
{
    (void)state;
    put(path_of("target"), "former");
    put(path_of("part"), "new");
    const int reader = system_open(path_of("target"), SYSTEM_READ);
    assert_true(reader >= 0);
    assert_true(system_rename(path_of("part"), path_of("target")));
    expect(reader, "former");
    assert_true(system_close(reader));
    const int file = system_open(path_of("target"), SYSTEM_READ);
    expect(file, "new");
    assert_true(system_close(file));
    assert_false(system_exists(path_of("part")));
}

static void what_is_written_at_a_place_moves_none(void **state)
{
    char got[8] = "";
    (void)state;
    const int file = system_open_unnamed();
    assert_true(file >= 0);
    assert_int_equal(system_write(file, "abcd", 4), 4);
    assert_int_equal(system_write_at(file, 1, "X", 1), 1);
    assert_int_equal(system_read_at(file, 0, got, 2), 2);
    assert_int_equal(system_write(file, "e", 1), 1);
    expect(file, "aXcde");
    assert_string_equal(got, "aX");
    assert_true(system_close(file));
}

static void a_map_has_the_bytes_of_its_file(void **state)
{
    (void)state;
    put(path_of("mapped"), "of the disk");
    const int file = system_open(path_of("mapped"), SYSTEM_READ);
    const char *const map = system_map(file, 11);
    assert_non_null(map);
    assert_memory_equal(map, "of the disk", 11);
    system_unmap(map, 11);
    assert_true(system_close(file));
}

static void a_lock_is_given_once(void **state)
{
    bool is_taken = true;
    (void)state;
    const int first = system_open_locked(path_of("lock"), true, &is_taken);
    assert_true(first >= 0);
    assert_false(is_taken);
    assert_int_equal(system_write_at(first, 0, "note", 4), 4); /* it has content beside */
    assert_int_equal(system_open_locked(path_of("lock"), true, &is_taken), -1);
    assert_true(is_taken);
    assert_true(system_close(first));
    const int second = system_open_locked(path_of("lock"), true, &is_taken);
    assert_true(second >= 0);
    expect(second, "note");
    assert_true(system_close(second));
}

static void names_are_listed_in_order_as_they_were_given(void **state)
{
    const char *const given[] = {"ключ.json", "鍵 1.json", "clé.txt"};
    size_t found = 0;
    const char *name = NULL;
    char before[SYSTEM_PATH_MAX] = "";
    (void)state;
    for (size_t g = 0; g < sizeof given / sizeof given[0]; g++) {
        put(path_of(given[g]), "");
    }
    struct system_names *const names = system_names_open(home);
    assert_non_null(names);
    while ((name = system_names_next(names)) != NULL) {
        assert_string_not_equal(name, ".");
        assert_string_not_equal(name, "..");
        assert_true(strcmp(before, name) < 0);
        strcpy(before, name);
        for (size_t g = 0; g < sizeof given / sizeof given[0]; g++) {
            found += strcmp(name, given[g]) == 0;
        }
    }
    system_names_close(names);
    assert_int_equal(found, sizeof given / sizeof given[0]);
    assert_null(system_names_open(path_of("never")));
}

static void paths_have_slashes_and_a_root(void **state)
{
    char here[SYSTEM_PATH_MAX];
    (void)state;
    assert_true(system_working_folder(here, sizeof here));
    assert_true(system_path_is_whole(here));
    assert_null(strchr(here, '\\'));
    assert_false(system_path_is_whole("lesson.json"));
    char *const real = system_real_path(path_of("once"));
    assert_non_null(real);
    assert_true(system_path_is_whole(real));
    assert_non_null(strstr(real, "дом – 家/once"));
    free(real);
    assert_null(system_real_path(path_of("never")));
    assert_true(system_state_folder("attnscope-test", here, sizeof here));
    assert_true(system_path_is_whole(here) && strstr(here, "/attnscope-test") != NULL);
    assert_true(system_process_is_there(system_process()));
}

struct meeting {
    struct system_mutex lock;
    struct system_condition news;
    int said;
};

static void answer(void *subject)
{
    struct meeting *const meeting = subject;
    system_mutex_lock(&meeting->lock);
    meeting->said = 42;
    system_condition_broadcast(&meeting->news);
    system_mutex_unlock(&meeting->lock);
}

static void threads_meet(void **state)
{
    struct meeting meeting = {.said = 0};
    struct system_thread thread;
    (void)state;
    assert_true(system_mutex_open(&meeting.lock));
    system_condition_open(&meeting.news);
    system_mutex_lock(&meeting.lock);
    const double start = system_seconds();
    while (system_seconds() - start < 0.02) { /* nobody tells anything: it ends by itself */
        system_condition_wait_seconds(&meeting.news, &meeting.lock, 0.02);
    }
    assert_true(system_thread_start(&thread, 1 << 20, answer, &meeting));
    while (meeting.said == 0) {
        system_condition_wait(&meeting.news, &meeting.lock);
    }
    system_mutex_unlock(&meeting.lock);
    system_thread_join(&thread);
    assert_int_equal(meeting.said, 42);
    system_condition_close(&meeting.news);
    system_mutex_close(&meeting.lock);
    assert_true(system_processors() > 0);
}

static int acts;

static void act(void)
{
    acts++;
}

static void once_is_once(void **state)
{
    struct system_once once = {false};
    (void)state;
    system_once(&once, act);
    system_once(&once, act);
    assert_int_equal(acts, 1);
}

static void moments_have_dates(void **state)
{
    struct tm parts;
    (void)state;
    assert_true(system_universal_time(1234567890, &parts));
    assert_int_equal(parts.tm_year, 109);
    assert_int_equal(parts.tm_yday, 43);
    assert_int_equal(parts.tm_hour, 23);
    assert_true(system_local_time(1234567890, &parts));
    assert_int_equal(parts.tm_min % 15, 1); /* zones are quarters of an hour apart */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_taken_once),
        cmocka_unit_test(facts_tell_what_lies_there),
        cmocka_unit_test(a_file_is_replaced_under_its_readers),
        cmocka_unit_test(what_is_written_at_a_place_moves_none),
        cmocka_unit_test(a_map_has_the_bytes_of_its_file),
        cmocka_unit_test(a_lock_is_given_once),
        cmocka_unit_test(names_are_listed_in_order_as_they_were_given),
        cmocka_unit_test(paths_have_slashes_and_a_root),
        cmocka_unit_test(threads_meet),
        cmocka_unit_test(once_is_once),
        cmocka_unit_test(moments_have_dates),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
