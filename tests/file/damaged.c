/* Archives as they come out of broken downloads, other programs and bad hands: each is read as
 * NumPy would, or refused with a sentence that says what is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../npy_header.h"
#include "file/limits.h"
#include "file/npy.h"
#include "file/npz.h"
#include "zips.h"

enum { NUMBERS = 5, MEGABYTE = 1 << 20 };

static int open_arena(void **state)
{
    *state = calloc(1, sizeof(struct arena));
    return *state == NULL;
}

static int close_arena(void **state)
{
    arena_free(*state);
    free(*state);
    return 0;
}

/* Read, listed, and read one by one: the array `name` holds 1, 2, 3 …; whether the list finds its
 * numbers where they stand in the file. */
static void expect_array(struct bytes file, const char *name, size_t count, bool stands,
                         struct arena *arena)
{
    struct error error = {ERROR_NONE, 0, ""};
    const struct array *arrays = NULL;
    struct array one;
    size_t found = 0;
    if (!npz_read(file, arena, &arrays, &found, &error)) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(found, count);
    assert_string_equal(arrays[count - 1].name, name);
    assert_true(array_number(&arrays[count - 1], NUMBERS - 1) == NUMBERS);
    struct npz_list list;
    assert_true(npz_list(file, arena, &list, &error));
    assert_int_equal(list.count, count);
    assert_int_equal(list.unread_count, 0);
    const struct array *const last = &list.array[count - 1];
    assert_string_equal(last->name, name);
    assert_int_equal(last->shape[0], NUMBERS);
    const uint8_t *const at = last->bytes.at;
    assert_true(at == NULL || (array_number(last, NUMBERS - 1) == NUMBERS && at >= file.at &&
                               at < file.at + file.size));
    assert_int_equal(at != NULL, stands);
    assert_true(npz_read_one(file, name, arena, &one, &error));
    assert_true(array_number(&one, NUMBERS - 1) == NUMBERS);
}

/* By whatever way it is read, the sentence holds these words. */
static void expect_refusal(struct bytes file, const char *words, struct arena *arena)
{
    struct error error[4] = {{ERROR_NONE, 0, ""}};
    const struct array *arrays = NULL;
    const char *const *texts = NULL;
    struct array one;
    size_t count = 0;
    assert_false(npz_read(file, arena, &arrays, &count, &error[0]));
    struct npz_list list;
    assert_false(npz_list(file, arena, &list, &error[1]));
    assert_false(npz_read_one(file, "a", arena, &one, &error[2]));
    assert_false(npz_read_texts(file, "a", arena, &texts, &count, &error[3]));
    assert_null(texts);
    for (size_t e = 0; e < 4; e++) {
        assert_int_equal(error[e].code, ERROR_INPUT);
        if (strstr(error[e].text, words) == NULL) {
            fail_msg("%zu: not “%s”: %s", e, words, error[e].text);
        }
    }
}

static void what_other_programs_pack_is_read(void **state)
{
    struct arena *const arena = *state;
    const struct bytes npy = zip_npy(NUMBERS, arena);
    const struct bytes packed = zip_unpacked_deflate(npy, arena);
    const struct zip_member stored = {.name = "a.npy", .content = npy};
    const struct zip_member deflated = {.name = "a.npy", .content = packed, .method = ZIP_DEFLATED};
    const struct zip_member streamed = {
        .name = "a.npy", .content = packed, .method = ZIP_DEFLATED, .flags = ZIP_FLAG_LATE};
    const struct zip_member note = {.name = "read me", .content = {(const uint8_t *)"hello", 5}};
    const struct zip_member no_name = {.name = ".npy", .content = npy};
    const struct zip_member other = {.name = "b.npy", .content = npy};
    expect_array(zip_of("", &stored, 1, arena), "a", 1, true, arena);
    expect_array(zip_of("", &deflated, 1, arena), "a", 1, false, arena);
    expect_array(zip_of("", &streamed, 1, arena), "a", 1, false, arena);
    expect_array(zip_of("", (const struct zip_member[]){streamed, other}, 2, arena), "b", 2, false,
                 arena);
    expect_array(zip_of("", (const struct zip_member[]){note, no_name, stored}, 3, arena), "a", 1,
                 true, arena);
}

/* Half a megabyte becomes 70, and is unpacked once before there is memory for it. */
static void what_grows_large_is_checked_before_it_is_kept(void **state)
{
    struct arena *const arena = *state;
    enum { BYTES = 70 * 512 * 512 * 4 };
    char header[NPY_HEADER_BYTES], objects[NPY_HEADER_BYTES], texts[NPY_HEADER_BYTES];
    char less[NPY_HEADER_BYTES];
    npy_header(header, "<f4", "(70, 512, 512)");
    npy_header(objects, "|O", "(70, 512, 512)");
    npy_header(texts, "<U4", "(4587520,)");
    npy_header(less, "<f4", "(69, 512, 512)");
    const uint32_t checksum = zip_checksum_of_one(header, sizeof header, BYTES);
    const struct zip_member whole = {.name = "a.npy",
                                     .content =
                                         zip_deflate_of_one(header, sizeof header, BYTES, arena),
                                     .method = ZIP_DEFLATED,
                                     .unpacked = sizeof header + BYTES,
                                     .checksum = checksum};
    struct zip_member wrong[] = {whole, whole, whole, whole, whole, whole};
    wrong[0].checksum++;
    wrong[1].unpacked += 100; /* more than comes out of it */
    wrong[2].unpacked -= 100; /* less */
    wrong[3].content = zip_deflate_of_one(objects, sizeof objects, BYTES, arena);
    wrong[4].content = zip_deflate_of_one(texts, sizeof texts, BYTES, arena);
    wrong[5].content = zip_deflate_of_one(less, sizeof less, BYTES, arena);
    wrong[5].unpacked -= 512 * 512 * 4; /* as its header says, but more comes out of it */
    static const char *const says[] = {"\"a.npy\" is damaged", "\"a.npy\" is damaged",
                                       "it holds 73400220",    "Python objects",
                                       "\"a.npy\" is damaged", "\"a.npy\" is damaged"};
    struct array array;
    struct error error = {ERROR_NONE, 0, ""};
    struct arena own = {0};
    if (!npz_read_one(zip_of("", &whole, 1, arena), "a", &own, &array, &error)) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(array_count(&array), BYTES / 4);
    arena_free(&own);
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        assert_false(npz_read_one(zip_of("", &wrong[w], 1, arena), "a", &own, &array, &error));
        if (strstr(error.text, says[w]) == NULL) {
            fail_msg("%zu: %s", w, error.text);
        }
        arena_free(&own);
    }
}

/* Gives up when so much of a hundred is told. */
struct patience {
    size_t most, told;
};

static bool is_patient(void *owner, size_t done, size_t all)
{
    struct patience *const patience = owner;
    patience->told = 100 * done / all;
    return patience->told < patience->most;
}

/* While it is looked at before it is kept (the first half of the way), and while it is unpacked. */
static void unpacking_is_told_and_can_be_given_up(void **state)
{
    struct arena *const arena = *state;
    enum { BYTES = 70 * 512 * 512 * 4 };
    static const size_t places[] = {0, 20, 60, 99};
    char header[NPY_HEADER_BYTES];
    npy_header(header, "<f4", "(70, 512, 512)");
    const struct zip_member large = {.name = "a.npy",
                                     .content =
                                         zip_deflate_of_one(header, sizeof header, BYTES, arena),
                                     .method = ZIP_DEFLATED,
                                     .unpacked = sizeof header + BYTES,
                                     .checksum = zip_checksum_of_one(header, sizeof header, BYTES)};
    const struct bytes file = zip_of("", &large, 1, arena);
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        struct patience patience = {.most = places[p]};
        const struct file_progress progress = {is_patient, &patience};
        struct error error = {ERROR_NONE, 0, ""};
        struct arena own = {0};
        struct array array;
        assert_false(npz_read_one_with_progress(file, "a", &progress, &own, &array, &error));
        assert_int_equal(error.code, ERROR_NONE); /* it is no fault of the file */
        assert_in_range(patience.told, places[p], places[p] + 5);
        arena_free(&own);
    }
}

/* As an archive lists them from which members were taken and put in again. */
static void members_may_be_listed_in_another_order(void **state)
{
    struct arena *const arena = *state;
    enum { ENTRY = 46 + 5, END = 22 };
    const struct zip_member two[] = {{.name = "a.npy", .content = zip_npy(NUMBERS, arena)},
                                     {.name = "b.npy", .content = zip_npy(2, arena)}};
    const struct bytes file = zip_of("", two, 2, arena);
    uint8_t *const turned = arena_alloc(arena, file.size);
    const size_t list = file.size - END - 2 * ENTRY;
    memcpy(turned, file.at, file.size);
    memcpy(turned + list, file.at + list + ENTRY, ENTRY);
    memcpy(turned + list + ENTRY, file.at + list, ENTRY);
    struct error error = {ERROR_NONE, 0, ""};
    struct npz_list found;
    struct array one;
    assert_true(npz_list((struct bytes){turned, file.size}, arena, &found, &error));
    assert_int_equal(found.count, 2);
    assert_string_equal(found.array[0].name, "b");
    assert_int_equal(found.array[0].shape[0], 2);
    assert_int_equal(found.array[1].shape[0], NUMBERS);
    assert_true(npz_read_one((struct bytes){turned, file.size}, "b", arena, &one, &error));
    assert_float_equal(array_number(&one, 1), 2, 0);
}

/* As of a download that broke off, a file that was changed as text, a list that was forged. */
static void what_is_damaged_is_refused(void **state)
{
    struct arena *const arena = *state;
    const struct bytes npy = zip_npy(NUMBERS, arena);
    const struct {
        struct zip_member member;
        const char *words;
    } cases[] = {
        {{.name = "a.npy",
          .content = npy,
          .flags = ZIP_FLAG_ENCRYPTED,
          .unpacked = npy.size - 12 /* of its key */},
         "It is encrypted"},
        {{.name = "a.npy", .content = npy, .method = ZIP_BZIP2}, "a way NumPy does not use"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        expect_refusal(zip_of("", &cases[c].member, 1, arena), cases[c].words, arena);
    }
    const struct zip_member twice[] = {{.name = "a.npy", .content = npy},
                                       {.name = "a.npy", .content = npy}};
    expect_refusal(zip_of("", twice, 2, arena), "Two of its members have one name", arena);
    const struct bytes whole = zip_of("", twice, 1, arena);
    expect_refusal((struct bytes){whole.at, whole.size - 30}, "was not copied whole", arena);
    expect_refusal((struct bytes){whole.at, 10}, "it has only 10 bytes", arena);
    const struct zip_member elsewhere = {.name = "a.npy", .content = npy, .local_name = "b.npy"};
    expect_refusal(zip_of("", &elsewhere, 1, arena), "contradict each other", arena);
    const struct zip_member beyond = {.name = "a.npy", .content = npy, .extra = 0xFFFF};
    expect_refusal(zip_of("", &beyond, 1, arena), "it ends before what it says it holds", arena);
    /* The bytes behind the member's name are a note, not the member. */
    enum { NOTE = 64 };
    uint8_t *const note = arena_alloc(arena, NOTE);
    memcpy(note, "\xAA\xAA", 2);
    note[2] = NOTE - 4;
    const struct zip_member hidden = {.name = "a.npy", .content = {note, NOTE}, .extra = NOTE};
    expect_refusal(zip_of("", &hidden, 1, arena), "", arena);
    uint8_t *const split = arena_alloc(arena, whole.size);
    memcpy(split, whole.at, whole.size);
    split[whole.size - 18] = 1; /* the list is on another disk */
    expect_refusal((struct bytes){split, whole.size}, "npz file", arena); /* libraries differ */
}

/* Only unpacking finds these faults. */
static void what_does_not_unpack_is_refused(void **state)
{
    struct arena *const arena = *state;
    const struct bytes npy = zip_npy(NUMBERS, arena);
    const struct bytes packed = zip_unpacked_deflate(npy, arena);
    const struct bytes cut = {packed.at, packed.size - 3};
    const struct bytes none = {(const uint8_t *)"\xff\xff\xff\xff\xff\xff\xff\xff", 8};
    const struct {
        struct zip_member member;
        const char *words;
    } cases[] = {
        {{.name = "a.npy", .content = npy, .checksum_error = 1}, "\"a.npy\" is damaged"},
        {{.name = "a.npy", .content = packed, .method = ZIP_DEFLATED, .checksum_error = 1},
         "\"a.npy\" is damaged"},
        {{.name = "a.npy", .content = cut, .method = ZIP_DEFLATED, .unpacked = npy.size},
         "\"a.npy\" is damaged"},
        {{.name = "a.npy", .content = none, .method = ZIP_DEFLATED, .unpacked = 100},
         "\"a.npy\" is damaged"},
        {{.name = "a.npy", .content = packed, .method = ZIP_DEFLATED, .unpacked = npy.size - 4},
         "\"a.npy\" is damaged"},
        {{.name = "a.npy", .content = packed, .method = ZIP_DEFLATED, .unpacked = npy.size + 4},
         "\"a.npy\" is damaged"},
        {{.name = "a.npy", .content = {npy.at, npy.size - 4}}, "cannot be read: Its header says"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const struct bytes file = zip_of("", &cases[c].member, 1, arena);
        struct error error = {ERROR_NONE, 0, ""};
        struct array one;
        assert_false(npz_read_one(file, "a", arena, &one, &error));
        if (strstr(error.text, cases[c].words) == NULL) {
            fail_msg("%zu: not “%s”: %s", c, cases[c].words, error.text);
        }
    }
    const struct zip_member broken = {
        .name = "a.npy", .content = none, .method = ZIP_DEFLATED, .unpacked = 100};
    expect_refusal(zip_of("", &broken, 1, arena), "", arena);
}

/* Sizes that lie are refused before anything is made of them. */
static void what_would_grow_too_far_is_refused(void **state)
{
    struct arena *const arena = *state;
    const struct bytes ten = {(const uint8_t *)"0123456789", 10};
    const struct bytes large = {arena_alloc(arena, MEGABYTE), MEGABYTE};
    const struct zip_member far = {
        .name = "a.npy", .content = ten, .method = ZIP_DEFLATED, .unpacked = 11 * NPZ_RATIO_MAX};
    const struct zip_member giant = {.name = "a.npy",
                                     .content = large,
                                     .method = ZIP_DEFLATED,
                                     .unpacked = ((size_t)1 << 30) + 1};
    const struct zip_member half = {
        .name = "a.npy", .content = large, .method = ZIP_DEFLATED, .unpacked = (size_t)700 << 20};
    struct zip_member two[] = {half, half};
    two[1].name = "b.npy";
    expect_refusal(zip_of("", &far, 1, arena), "expands to far more than its size", arena);
    expect_refusal(zip_of("", &giant, 1, arena), "expands to far more than its size", arena);
    struct error error = {ERROR_NONE, 0, ""};
    const struct array *arrays = NULL;
    size_t count = 0;
    assert_false(npz_read(zip_of("", two, 2, arena), arena, &arrays, &count, &error));
    assert_string_equal(error.text, "It expands to more than 1 GiB; not opened.");
}

static void more_members_than_are_allowed_are_refused(void **state)
{
    struct arena *const arena = *state;
    struct zip_member *const members = arena_array(arena, NPZ_MEMBERS_MAX + 1, sizeof *members);
    for (size_t m = 0; m <= NPZ_MEMBERS_MAX; m++) {
        members[m].name = arena_format(arena, "%zu", m);
    }
    const struct bytes file = zip_of("", members, NPZ_MEMBERS_MAX + 1, arena);
    expect_refusal(file, "more than 4096 members", arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_other_programs_pack_is_read, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(what_grows_large_is_checked_before_it_is_kept, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(unpacking_is_told_and_can_be_given_up, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(members_may_be_listed_in_another_order, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(what_is_damaged_is_refused, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(what_does_not_unpack_is_refused, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(what_would_grow_too_far_is_refused, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(more_members_than_are_allowed_are_refused, open_arena,
                                        close_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
