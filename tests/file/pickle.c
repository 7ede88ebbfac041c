/* Texts out of pickled arrays: what NumPy writes is read, everything else is refused and never run.
 */
#include "file/pickle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* An array of two texts, as protocols 2, 3 and 4 begin it; the list follows. */
#define BYTES_2 "c_codecs\nencode\nX\1\0\0\0bX\6\0\0\0latin1\x86R"
#define STATE(list)                                                                                \
    "(K\1K\2\x85"                                                                                  \
    "cnumpy\ndtype\nX\2\0\0\0O8\x89\x88\x87R"                                                      \
    "(K\3X\1\0\0\0|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK?tb\x89" list "tb."
#define RECONSTRUCT "cnumpy.core.multiarray\n_reconstruct\n"
#define ARRAY "cnumpy\nndarray\nK\0\x85"
#define PROTOCOL_3(list) "\x80\3" RECONSTRUCT ARRAY "C\1b\x87R" STATE(list)
#define CALLS(what) "\x80\3" what "X\2\0\0\0ls\x85R."

struct pickle {
    const char *code;
    size_t size;
    const char *says; /* what it is refused with; NULL: it is "a" and "b" */
};
#define PICKLE(code, says)                                                                         \
    {                                                                                              \
        code, sizeof code - 1, says                                                                \
    }

static void try(const struct pickle *pickle)
{
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    const char *const *texts = NULL;
    size_t count = 0;
    const struct bytes content = {(const uint8_t *)pickle->code, pickle->size};
    const bool read =
        pickle_read_texts(content, 1, (const size_t[]){2}, &arena, &texts, &count, &error);
    if (read != (pickle->says == NULL) ||
        (pickle->says != NULL && strstr(error.text, pickle->says) == NULL)) {
        fail_msg("\"%s\", where \"%s\" is meant", error.text,
                 pickle->says == NULL ? "" : pickle->says);
    }
    if (read) {
        assert_int_equal(count, 2);
        assert_string_equal(texts[0], "a");
        assert_string_equal(texts[1], "b");
    }
    arena_free(&arena);
}

static void what_numpy_writes_is_read(void **state)
{
    static const struct pickle pickles[] = {
        PICKLE(PROTOCOL_3("](X\1\0\0\0aX\1\0\0\0be"), NULL),
        PICKLE(PROTOCOL_3("]X\1\0\0\0aaX\1\0\0\0ba"), NULL), /* one by one */
        PICKLE(PROTOCOL_3("](\x8c\1a\x8d\1\0\0\0\0\0\0\0be"), NULL),
        PICKLE(PROTOCOL_3("](\x8c\1aq\5\x8c\1bj\5\0\0\0"
                          "0"),
               "no plain texts"), /* POP */
        PICKLE("\x80\2" RECONSTRUCT ARRAY BYTES_2 "\x87R" STATE("](X\1\0\0\0aX\1\0\0\0be"), NULL),
        PICKLE("\x80\4\x95\0\0\0\0\0\0\0\0\x8c\x16numpy._core.multiarray\x94\x8c\x0c_reconstruct"
               "\x94\x93\x94\x8c\5numpy\x94\x8c\7ndarray\x94\x93\x94K\0\x85\x94"
               "C\1b\x94\x87\x94R\x94"
               "(K\1K\2\x85\x94h\3\x8c\5dtype\x94\x93\x94\x8c\2O8\x94\x89\x88\x87\x94R\x94"
               "(K\3\x8c\1|\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK?t\x94"
               "b\x89]\x94(\x8c\1a\x94\x8c\1b\x94"
               "et\x94"
               "b.",
               NULL),
    };
    (void)state;
    for (size_t p = 0; p < sizeof pickles / sizeof *pickles; p++) {
        try(&pickles[p]);
    }
}

static void everything_else_is_refused_and_never_run(void **state)
{
    static const struct pickle pickles[] = {
        PICKLE(CALLS("cos\nsystem\n"), "(os.system); of these only plain texts are read"),
        PICKLE("\x80\4\x8c\2os\x8c\6system\x93\x8c\2ls\x85R.", "(os.system)"),
        PICKLE(CALLS("cbuiltins\neval\n"), "(builtins.eval)"),
        PICKLE(CALLS("cnumpy.core.multiarray\nscalar\n"), "(numpy.core.multiarray.scalar)"),
        PICKLE(CALLS("cnumpy\ndtype\n"), "no plain texts"),
        PICKLE(CALLS("cnumpy.core.multiarray\n_reconstruct\n"), "no plain texts"),
        PICKLE("\x80\3(ios\nsystem\n.", "no plain texts"), /* INST */
        PICKLE("\x80\3}.", "no plain texts"),              /* EMPTY_DICT */
        PICKLE("\x80\3NP1\n.", "no plain texts"),          /* PERSID */
        PICKLE(PROTOCOL_3("](X\1\0\0\0aK\1e"), "number 2 is no plain text"),
        PICKLE(PROTOCOL_3("](X\1\0\0\0a]e"), "number 2 is no plain text"),
        PICKLE(PROTOCOL_3("](X\1\0\0\0aC\1be"), "number 2 is no plain text"),
        PICKLE(PROTOCOL_3("](X\1\0\0\0aX\1\0\0\0bX\1\0\0\0ce"), "damaged"), /* three */
        PICKLE(PROTOCOL_3("](X\1\0\0\0ae"), "damaged"),
        PICKLE(PROTOCOL_3("](X\xff\xff\xff\xff"
                          "ae"),
               "damaged"),
        PICKLE(PROTOCOL_3("](\x8d\xff\xff\xff\xff\xff\xff\xff\xff"
                          "ae"),
               "damaged"),
        PICKLE(PROTOCOL_3("h\7"), "damaged"), /* what nobody remembered */
        PICKLE(PROTOCOL_3("]e"), "damaged"),
        PICKLE("\x80\7N.", "damaged"),
        PICKLE("\x80\3K\1.", "damaged"),
        PICKLE("\x80\3ttt", "damaged"),
        PICKLE("\x80\3R", "damaged"),
        PICKLE("\x80\3"
               "b",
               "damaged"),
        PICKLE("\x80\3"
               "Nr\xff\xff\xff\xff",
               "more Python objects"),
        PICKLE("", "damaged"),
    };
    (void)state;
    for (size_t p = 0; p < sizeof pickles / sizeof *pickles; p++) {
        try(&pickles[p]);
    }
}

/* A text that stands there a hundred thousand times takes its room once; a list that grows by
 * single items is not copied each time. */
static void what_is_there_often_takes_its_room_once(void **state)
{
    enum { LETTERS = 1 << 16, TIMES = 100000, BYTES = LETTERS + 3 * TIMES + 1024 };
    static const char begin[] = "\x80\3" RECONSTRUCT ARRAY "C\1b\x87R(K\1J\xa0\x86\1\0\x85"
                                "cnumpy\ndtype\nX\2\0\0\0O8\x89\x88\x87R(K\3tb\x89";
    (void)state;
    struct arena arena = {0}, read = {0};
    struct error error = {ERROR_NONE, 0, ""};
    uint8_t *const code = arena_alloc(&arena, BYTES);
    const char *const *texts = NULL;
    size_t size = 0, count = 0;
    memcpy(code, begin, sizeof begin - 1);
    size += sizeof begin - 1;
    memcpy(code + size, "]X\0\0\1\0", 6);
    size += 6;
    memset(code + size, 'a', LETTERS);
    size += LETTERS;
    memcpy(code + size, "q\1a", 3);
    size += 3;
    for (size_t t = 1; t < TIMES; t++) {
        memcpy(code + size, "h\1a", 3);
        size += 3;
    }
    memcpy(code + size, "tb.", 3);
    size += 3;
    assert_true(pickle_read_texts((struct bytes){code, size}, 1, (const size_t[]){TIMES}, &read,
                                  &texts, &count, &error));
    assert_int_equal(count, TIMES);
    assert_int_equal(strlen(texts[TIMES - 1]), LETTERS);
    assert_ptr_equal(texts[0], texts[TIMES - 1]);
    arena_free(&read);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_numpy_writes_is_read),
        cmocka_unit_test(everything_else_is_refused_and_never_run),
        cmocka_unit_test(what_is_there_often_takes_its_room_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
