#include "limits_lab.h"
#include "app/actions/startup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../file/zips.h"
#include "app/open/lesson.h"
#include "base/file.h"
#include "file/limits.h"
#include "file/npy.h"
#include "file/npz.h"
#include "lab/dump/dump.h"
#include "lab/experiment/edits.h"
#include "lab/lesson/lessons.h"

static char *repeat_letter(struct arena *arena, size_t count, int letter)
{
    char *const text = arena_alloc(arena, count + 1);
    assert_non_null(text);
    memset(text, letter, count);
    return text;
}

bool takes_typed_numbers(size_t count)
{
    struct lab_edits *edits = NULL;
    bool taken = true;
    for (size_t e = 0; taken && e < count; e++) {
        const struct lab_edit edit = {.part = LAB_EMBEDDINGS_X, .row = e, .value = 1};
        struct lab_edits *const more = lab_edits_with(edits, &edit, NULL);
        taken = more != NULL;
        if (taken) {
            lab_edits_release(edits);
            edits = more;
        }
    }
    lab_edits_release(edits);
    return taken;
}

bool takes_word_bytes(size_t count)
{
    struct arena arena = {0};
    const char *const word = repeat_letter(&arena, count, 'w');
    struct lab_words *const words = lab_words_make(&word, 1, NULL);
    const bool taken = words != NULL;
    lab_words_release(words);
    arena_free(&arena);
    return taken;
}

/* A lesson of so many bytes, most of them white space, read as the window reads it. */
bool takes_lesson_bytes(size_t count)
{
    static const char lesson[] =
        "{\"format\":\"attnscope-lesson\",\"version\":1,\"name\":\"a\",\"title\":\"A\","
        "\"experiment\":{\"tokens\":[\"a\"]},\"steps\":[{\"caption\":\"\"}]}";
    char name[] = "limits-XXXXXX";
    const int file = mkstemp(name);
    struct arena arena = {0};
    char *const text = repeat_letter(&arena, count, ' ');
    struct app_state *const state = calloc(1, sizeof *state);
    assert_true(file >= 0 && state != NULL);
    memcpy(text, lesson, sizeof lesson - 1);
    assert_true(file_write(name, (struct bytes){(const uint8_t *)text, count}, NULL));
    assert_true(app_state_open(state, "cats", NULL, NULL));
    const bool taken = app_lesson_read(state, name, 1, NULL);
    app_state_close(state);
    free(state);
    arena_free(&arena);
    remove(name);
    return taken;
}

static bool is_lesson(const char *step, size_t count, const char *caption)
{
    struct arena arena = {0};
    const size_t each = strlen(step) + strlen(caption) + 16, room = 200 + count * each;
    char *const text = repeat_letter(&arena, room, ' ');
    size_t at = (size_t)snprintf(
        text, room,
        "{\"format\":\"attnscope-lesson\",\"version\":1,\"name\":\"a\",\"title\":\"A\","
        "\"experiment\":{\"tokens\":[\"a\"]},\"steps\":[");
    for (size_t s = 0; s < count; s++) {
        at += (size_t)snprintf(text + at, room - at, "%s%s%s\"}", s == 0 ? "" : ",", step, caption);
    }
    at += (size_t)snprintf(text + at, room - at, "]}");
    struct lab_lesson lesson = {0};
    const bool taken =
        lab_lesson_parse((struct bytes){(const uint8_t *)text, at}, &arena, &lesson, NULL);
    if (taken) {
        lab_lesson_release(&lesson);
    }
    arena_free(&arena);
    return taken;
}

bool takes_steps(size_t count)
{
    return is_lesson("{\"caption\":\"", count, "");
}

bool takes_caption_bytes(size_t count)
{
    struct arena arena = {0};
    const bool taken = is_lesson("{\"caption\":\"", 1, repeat_letter(&arena, count, 'c'));
    arena_free(&arena);
    return taken;
}

bool takes_text_letters(size_t count)
{
    struct arena arena = {0};
    char *const file = repeat_letter(&arena, 128 + count, 'a');
    const char *const *texts = NULL;
    size_t found = 0;
    memset(file, ' ', 128);
    memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
    const int length = snprintf(
        file + 10, 100, "{'descr': '|S%zu', 'fortran_order': False, 'shape': (1,), }", count);
    file[10 + length] = ' ';
    const bool taken = npy_read_texts((struct bytes){(const uint8_t *)file, 128 + count}, &arena,
                                      &texts, &found, NULL) &&
                       strlen(texts[0]) == count;
    arena_free(&arena);
    return taken;
}

/* Of a packed member that says it is so large. Its bytes unpack to nothing, so that what is not
 * refused for its size is refused as damaged. */
static bool may_unpack(size_t packed, size_t unpacked)
{
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct array array;
    const struct zip_member member = {
        .name = "a.npy",
        .content = {(const uint8_t *)repeat_letter(&arena, packed, '\xff'), packed},
        .method = ZIP_DEFLATED,
        .unpacked = unpacked};
    assert_false(npz_read_one(zip_of("", &member, 1, &arena), "a", &arena, &array, &error));
    arena_free(&arena);
    const bool refused = strstr(error.text, "expands to far more") != NULL;
    assert_true(refused || strstr(error.text, "is damaged") != NULL);
    return !refused;
}

bool takes_growth(size_t times)
{
    return may_unpack(1000, 1000 * times);
}

bool takes_unpacked(size_t megabytes)
{
    return may_unpack(1 << 20, megabytes << 20);
}

/* Writes a safetensors file of attention, [layers][heads][1][1] a tensor, and opens it. */
static bool is_opened(size_t arrays, size_t heads, const char *words)
{
    struct arena arena = {0};
    char name[] = "limits-XXXXXX";
    const int made = mkstemp(name);
    const size_t room = 8 + 128 * (arrays + 1) + 4 * heads * arrays;
    char *const file = repeat_letter(&arena, room, ' ');
    size_t at = 8;
    assert_true(made >= 0);
    for (size_t a = 0; a < arrays; a++) {
        at += (size_t)snprintf(file + at, room - at,
                               "%s\"%s%zu\":{\"dtype\":\"F32\",\"shape\":[%zu,1,1],"
                               "\"data_offsets\":[%zu,%zu]}",
                               a == 0 ? "{" : ",", a == 0 ? "weights." : "other.", a, heads,
                               4 * a * heads, 4 * (a + 1) * heads);
    }
    file[at++] = '}';
    for (size_t b = 0; b < 8; b++) {
        file[b] = (char)(uint8_t)((at - 8) >> (8 * b));
    }
    for (size_t n = 0; n < heads * arrays; n++, at += 4) {
        memcpy(file + at, "\0\0\x80\x3F", 4); /* 1, little-endian */
    }
    assert_true(file_write(name, (struct bytes){(const uint8_t *)file, at}, NULL));
    struct lab_dump *const dump =
        lab_dump_open(name, &(const struct lab_dump_request){.words = words}, NULL);
    const bool taken = dump != NULL;
    lab_dump_close(dump);
    arena_free(&arena);
    remove(name);
    return taken;
}

bool takes_attention_arrays(size_t count)
{
    return is_opened(count, 1, NULL);
}

bool takes_attention_heads(size_t count)
{
    return is_opened(1, count, NULL);
}

bool takes_token_file(size_t bytes)
{
    struct arena arena = {0};
    char name[] = "limits-XXXXXX";
    const int made = mkstemp(name);
    char *const text = repeat_letter(&arena, bytes, ' ');
    assert_true(made >= 0);
    memcpy(text, "a\n", 2);
    assert_true(file_write(name, (struct bytes){(const uint8_t *)text, bytes}, NULL));
    const bool taken = is_opened(1, 1, name);
    arena_free(&arena);
    remove(name);
    return taken;
}
