#include "limits_gguf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "file/gguf.h"

enum { U8 = 0, U16 = 2, U32 = 4, TEXT = 8, LIST = 9, F32 = 0, ALIGNMENT = 32 };

/* A file that is put together; little-endian. */
struct file {
    uint8_t *at;
    size_t size, room;
};

static void put_number(struct file *file, uint64_t value, size_t bytes)
{
    assert_true(bytes <= file->room - file->size);
    for (size_t b = 0; b < bytes; b++) {
        file->at[file->size++] = (uint8_t)(value >> (8 * b));
    }
}

static void put_text(struct file *file, const char *text, size_t size)
{
    put_number(file, size, 8);
    assert_true(size <= file->room - file->size);
    memcpy(file->at + file->size, text, size);
    file->size += size;
}

static void put_letters(struct file *file, size_t size)
{
    put_number(file, size, 8);
    assert_true(size <= file->room - file->size);
    memset(file->at + file->size, 'a', size);
    file->size += size;
}

static struct file begin_file(size_t room, size_t tensors, size_t keys)
{
    struct file file = {calloc(room + 256, 1), 0, room + 256};
    assert_non_null(file.at);
    put_number(&file, 0x46554747, 4); /* GGUF */
    put_number(&file, 3, 4);
    put_number(&file, tensors, 8);
    put_number(&file, keys, 8);
    return file;
}

/* Frees the file. */
static bool is_read(struct file file)
{
    struct arena arena = {0};
    struct gguf gguf;
    const bool taken = gguf_read((struct bytes){file.at, file.size}, &arena, &gguf, NULL);
    arena_free(&arena);
    free(file.at);
    return taken;
}

bool takes_gguf_keys(size_t count)
{
    struct file file = begin_file(count * 40, 0, count);
    for (size_t k = 0; k < count; k++) {
        char key[32];
        put_text(&file, key, (size_t)snprintf(key, sizeof key, "k%zu", k));
        put_number(&file, U8, 4);
        put_number(&file, 1, 1);
    }
    return is_read(file);
}

bool takes_gguf_key_bytes(size_t count)
{
    struct file file = begin_file(count + 32, 0, 1);
    put_letters(&file, count);
    put_number(&file, U8, 4);
    put_number(&file, 1, 1);
    return is_read(file);
}

bool takes_gguf_text(size_t bytes)
{
    struct file file = begin_file(bytes + 64, 0, 1);
    put_text(&file, "k", 1);
    put_number(&file, TEXT, 4);
    put_letters(&file, bytes);
    return is_read(file);
}

bool takes_gguf_items(size_t count)
{
    struct file file = begin_file(count + 64, 0, 1);
    put_text(&file, "k", 1);
    put_number(&file, LIST, 4);
    put_number(&file, U8, 4);
    put_letters(&file, count); /* a number of items, and as many bytes */
    return is_read(file);
}

bool takes_gguf_lists(size_t depth)
{
    struct file file = begin_file(depth * 16 + 64, 0, 1);
    put_text(&file, "k", 1);
    put_number(&file, LIST, 4);
    for (size_t d = 1; d < depth; d++) {
        put_number(&file, LIST, 4);
        put_number(&file, 1, 8);
    }
    put_number(&file, U8, 4);
    put_number(&file, 1, 8);
    put_number(&file, 7, 1);
    return is_read(file);
}

bool takes_gguf_alignment(size_t bytes)
{
    static const char key[] = "general.alignment";
    struct file file = begin_file(64, 0, 1);
    put_text(&file, key, sizeof key - 1);
    put_number(&file, U32, 4);
    put_number(&file, bytes, 4);
    return is_read(file);
}

/* Vectors of one number each; data begins at the next multiple of the alignment. */
static bool reads_with_data(struct file file, size_t tensors)
{
    while (file.size % ALIGNMENT != 0) {
        put_number(&file, 0, 1);
    }
    for (size_t t = 0; t < tensors; t++) {
        put_number(&file, 0, 8);
        put_number(&file, 0, 8);
        put_number(&file, 0, 8);
        put_number(&file, 0, 8);
    }
    return is_read(file);
}

bool takes_gguf_tensors(size_t count)
{
    struct file file = begin_file(count * (64 + ALIGNMENT), count, 0);
    for (size_t t = 0; t < count; t++) {
        char name[32];
        put_text(&file, name, (size_t)snprintf(name, sizeof name, "t%zu", t));
        put_number(&file, 1, 4);
        put_number(&file, 1, 8);
        put_number(&file, F32, 4);
        put_number(&file, t * ALIGNMENT, 8);
    }
    return reads_with_data(file, count);
}

bool takes_gguf_name(size_t bytes)
{
    struct file file = begin_file(bytes + 128, 1, 0);
    put_letters(&file, bytes);
    put_number(&file, 1, 4);
    put_number(&file, 1, 8);
    put_number(&file, F32, 4);
    put_number(&file, 0, 8);
    return reads_with_data(file, 1);
}

bool takes_gguf_dimensions(size_t count)
{
    struct file file = begin_file(count * 8 + 128, 1, 0);
    put_text(&file, "t", 1);
    put_number(&file, count, 4);
    for (size_t d = 0; d < count; d++) {
        put_number(&file, 1, 8);
    }
    put_number(&file, F32, 4);
    put_number(&file, 0, 8);
    return reads_with_data(file, 1);
}

/* Of all files only the first is there: what is said of the others tells which rule spoke. */
bool takes_gguf_files(size_t count)
{
    static const char key[] = "split.count", name[] = "limits-00001-of-00002.gguf";
    struct file file = begin_file(64, 0, 1);
    struct arena arena = {0};
    struct gguf_files files;
    struct error error = {ERROR_NONE, 0, ""};
    put_text(&file, key, sizeof key - 1);
    put_number(&file, U16, 4);
    put_number(&file, count, 2);
    assert_true(file_write(name, (struct bytes){file.at, file.size}, NULL));
    assert_false(gguf_files_open(name, (struct bytes){file.at, file.size}, &arena, &files, &error));
    (void)remove(name);
    arena_free(&arena);
    free(file.at);
    const bool refused = strstr(error.text, "files, at most") != NULL;
    assert_true(refused || strstr(error.text, "-of-") != NULL);
    return !refused;
}
