/* What the header of a packed array says is judged before it is unpacked: a file of a few kilobytes
 * must not cost what it pretends to hold. The arrays here are damaged, which shows in the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <unistd.h>

#include "../file/zips.h"
#include "../npy_header.h"
#include "base/file.h"
#include "lab/dump/dump.h"

enum { MANY = 5000 };

static struct zip_member packed(const char *name, const char *type, const char *shape, size_t bytes,
                                struct arena *arena)
{
    static char header[NPY_HEADER_BYTES];
    npy_header(header, type, shape);
    return (struct zip_member){.name = name,
                               .content = zip_deflate_of_one(header, sizeof header, bytes, arena),
                               .method = ZIP_DEFLATED,
                               .unpacked = sizeof header + bytes,
                               .checksum = zip_checksum_of_one(header, sizeof header, bytes) + 1};
}

static struct lab_dump *opened(const struct zip_member *members, size_t count, struct arena *arena,
                               struct error *error)
{
    static const char name[] = "headers.npz";
    const struct lab_dump_request request = {.batch = 0};
    assert_true(file_write(name, zip_of("", members, count, arena), NULL));
    struct lab_dump *const dump = lab_dump_open(name, &request, error);
    assert_int_equal(unlink(name), 0);
    return dump;
}

static void too_many_heads_are_not_unpacked(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    const struct zip_member heads =
        packed("attentions.npy", "<f4", "(20000, 2, 2)", 4 * MANY * 16, &arena);
    assert_null(opened(&heads, 1, &arena, &error));
    assert_non_null(strstr(error.text, "at most 16384 heads"));
    arena_free(&arena);
}

static void too_many_words_are_counted_and_not_unpacked(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    char header[NPY_HEADER_BYTES + 16] = "";
    static const float even[] = {.5f, .5f, .5f, .5f};
    npy_header(header, "<f4", "(1, 2, 2)");
    memcpy(header + NPY_HEADER_BYTES, even, sizeof even);
    const struct zip_member members[] = {
        {.name = "attentions.npy", .content = {(const uint8_t *)header, sizeof header}},
        packed("tokens.npy", "<U4", "(5000,)", MANY * 16, &arena)};
    struct lab_dump *const dump = opened(members, 2, &arena, &error);
    assert_non_null(dump);
    assert_non_null(strstr(lab_dump_facts(dump)->unused, "tokens (5000"));
    lab_dump_close(dump);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_many_heads_are_not_unpacked),
        cmocka_unit_test(too_many_words_are_counted_and_not_unpacked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
