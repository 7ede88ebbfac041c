/* A file that is dropped on the window is looked at once, to know what it is, and opened once; so
 * is each file of a folder. The linker puts system_open aside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/system/file.h"
#include "hands.h"

enum { OPENED_MAX = 64 };

static char opened[OPENED_MAX][4096];
static atomic_size_t opened_count;

int __real_system_open(const char *path, enum system_open how);
int __wrap_system_open(const char *path, enum system_open how);

int __wrap_system_open(const char *path, enum system_open how)
{
    if (how == SYSTEM_READ) {
        const size_t at = atomic_fetch_add(&opened_count, 1);
        assert_true(at < OPENED_MAX);
        snprintf(opened[at], sizeof opened[at], "%s", path);
    }
    return __real_system_open(path, how);
}

static size_t count_opened(const char *path)
{
    size_t count = 0;
    for (size_t i = 0; i < atomic_load(&opened_count); i++) {
        count += strcmp(opened[i], path) == 0;
    }
    return count;
}

/* From the drop to all heads. */
static void show_heads(struct hands *hands, const char *path)
{
    atomic_store(&opened_count, 0);
    hands_drop(hands, path);
    hands_show_settled(hands);
    assert_non_null(hands->state->view.head_overview);
}

/* The file `of` what is dropped is opened so often from the drop to all heads, and none more often
 * than twice. */
static void expect_opens(const char *folder, const char *path, const char *of, size_t times)
{
    char dropped[2048], whole[4096];
    struct hands *const hands = hands_open("cats", 1440, 900);
    snprintf(dropped, sizeof dropped, "%s%s", getenv(folder), path);
    snprintf(whole, sizeof whole, "%s%s", dropped, of);
    show_heads(hands, dropped);
    assert_int_equal(count_opened(whole), times);
    for (size_t i = 0; i < atomic_load(&opened_count); i++) {
        if (count_opened(opened[i]) > 2) {
            fail_msg("%s is opened %zu times", opened[i], count_opened(opened[i]));
        }
    }
    hands_close(hands);
}

static void a_file_is_looked_at_and_opened_once(void **state)
{
    (void)state;
    expect_opens("MODELS", "/llama3/model.gguf", "", 2);
    expect_opens("DUMPS", "/pair.npz", "", 2);
}

/* The tokenizer asks the configuration for the model's type. */
static void each_file_of_a_folder_is_opened_once(void **state)
{
    (void)state;
    expect_opens("TINY_MODEL", "", "/model.safetensors", 1);
    expect_opens("TINY_MODEL", "", "/vocab.json", 1);
    expect_opens("TINY_MODEL", "", "/config.json", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_looked_at_and_opened_once),
        cmocka_unit_test(each_file_of_a_folder_is_opened_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
