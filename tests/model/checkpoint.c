/* tests/model/checkpoint.c — see checkpoint.h. */
#include "checkpoint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/system/file.h"
#include "base/system/folder.h"
#include "file/growing.h"
#include "file/safetensors.h"

static void path_of(char path[4096], const char *folder, const char *name)
{
    snprintf(path, 4096, "%s/%s", folder, name);
}

struct bytes checkpoint_source(struct checkpoint *checkpoint, const char *name)
{
    char path[4096];
    struct bytes content = {NULL, 0};
    path_of(path, checkpoint->source, name);
    assert_true(file_read(path, 1 << 24, &checkpoint->arena, &content, NULL));
    return content;
}

void checkpoint_put(const struct checkpoint *checkpoint, const char *name, struct bytes content)
{
    char path[4096];
    path_of(path, checkpoint->folder, name);
    /* Hundreds of small files: none of them has to outlive a power cut. */
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content.at, 1, content.size, file), content.size);
    assert_int_equal(fclose(file), 0);
}

void checkpoint_put_text(const struct checkpoint *checkpoint, const char *name, const char *text)
{
    checkpoint_put(checkpoint, name, (struct bytes){(const uint8_t *)text, strlen(text)});
}

void checkpoint_remove(const struct checkpoint *checkpoint, const char *name)
{
    char path[4096];
    path_of(path, checkpoint->folder, name);
    assert_int_equal(unlink(path), 0);
}

void checkpoint_open(struct checkpoint *checkpoint, const char *source)
{
    *checkpoint = (struct checkpoint){.source = source, .folder = "checkpoint-XXXXXX"};
    struct safetensors tensors;
    const struct bytes file = checkpoint_source(checkpoint, "model.safetensors");
    assert_true(safetensors_read(file, &checkpoint->arena, &tensors, NULL));
    assert_in_range(tensors.count, 1, TENSORS_MAX);
    for (size_t t = 0; t < tensors.count; t++) {
        const struct array *const array = &tensors.tensors[t];
        struct tensor *const tensor = &checkpoint->tensors[checkpoint->count++];
        *tensor = (struct tensor){array->name,
                                  array->type == ARRAY_FLOAT32   ? "F32"
                                  : array->type == ARRAY_FLOAT16 ? "F16"
                                                                 : "U8",
                                  array->rank,
                                  {0},
                                  array->bytes};
        memcpy(tensor->shape, array->shape, sizeof tensor->shape);
    }
    assert_non_null(mkdtemp(checkpoint->folder));
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    system_remove_folder_with_files(checkpoint->folder);
    assert_false(system_exists(checkpoint->folder));
    arena_free(&checkpoint->arena);
}

struct tensor *checkpoint_find(struct checkpoint *checkpoint, const char *name)
{
    for (size_t t = 0; t < checkpoint->count; t++) {
        if (strcmp(checkpoint->tensors[t].name, name) == 0) {
            return &checkpoint->tensors[t];
        }
    }
    fail_msg("there is no tensor %s", name);
    return NULL;
}

static void put_entry(struct growing *header, struct arena *arena, const struct tensor *tensor,
                      const char *prefix, size_t at)
{
    growing_put_text(header, arena_format(arena, "\"%s%s\":{\"dtype\":\"%s\",\"shape\":[", prefix,
                                          tensor->name, tensor->type));
    for (size_t axis = 0; axis < tensor->rank; axis++) {
        growing_put_text(header,
                         arena_format(arena, "%s%zu", axis == 0 ? "" : ",", tensor->shape[axis]));
    }
    growing_put_text(
        header, arena_format(arena, "],\"data_offsets\":[%zu,%zu]}", at, at + tensor->bytes.size));
}

struct bytes checkpoint_file(struct checkpoint *checkpoint, size_t first, size_t end,
                             const char *prefix)
{
    struct arena *const arena = &checkpoint->arena;
    struct growing header = growing_start(arena), file = growing_start(arena);
    struct bytes text, out;
    size_t at = 0;
    for (size_t t = first; t < end; t++) {
        growing_put_text(&header, t == first ? "{" : ",");
        put_entry(&header, arena, &checkpoint->tensors[t], prefix, at);
        at += checkpoint->tensors[t].bytes.size;
    }
    growing_put_text(&header, "}");
    assert_true(growing_finish(&header, &text, NULL));
    for (size_t i = 0; i < 8; i++) {
        growing_put_byte(&file, (char)(uint8_t)(text.size >> (8 * i)));
    }
    growing_put(&file, text.at, text.size);
    for (size_t t = first; t < end; t++) {
        growing_put(&file, checkpoint->tensors[t].bytes.at, checkpoint->tensors[t].bytes.size);
    }
    assert_true(growing_finish(&file, &out, NULL));
    return out;
}

void checkpoint_write(struct checkpoint *checkpoint)
{
    static const char *const others[] = {"config.json", "vocab.json", "merges.txt"};
    for (size_t i = 0; i < 3; i++) {
        checkpoint_put(checkpoint, others[i], checkpoint_source(checkpoint, others[i]));
    }
    checkpoint_put(checkpoint, "model.safetensors",
                   checkpoint_file(checkpoint, 0, checkpoint->count, ""));
}

/* The nearest half towards zero of a float that is a normal number in it, or 0. */
static uint16_t half_of(uint32_t bits)
{
    const int exponent = (int)((bits >> 23) & 0xFF) - 127;
    const uint32_t sign = (bits >> 16) & 0x8000U;
    assert_true(exponent < 16);
    return exponent < -14
               ? (uint16_t)sign
               : (uint16_t)(sign | (uint32_t)(exponent + 15) << 10 | ((bits >> 13) & 0x3FFU));
}

void checkpoint_narrow(struct checkpoint *checkpoint, const char *type)
{
    for (size_t t = 0; t < checkpoint->count; t++) {
        struct tensor *const tensor = &checkpoint->tensors[t];
        if (strcmp(tensor->type, "F32") != 0) {
            continue;
        }
        uint8_t *const narrow = arena_alloc(&checkpoint->arena, tensor->bytes.size / 2);
        for (size_t i = 0; i < tensor->bytes.size / 4; i++) {
            const uint8_t *const from = tensor->bytes.at + 4 * i;
            const uint32_t bits = (uint32_t)from[0] | (uint32_t)from[1] << 8 |
                                  (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
            const uint16_t half = type[0] == 'B' ? (uint16_t)(bits >> 16) : half_of(bits);
            narrow[2 * i] = (uint8_t)half;
            narrow[2 * i + 1] = (uint8_t)(half >> 8);
        }
        tensor->type = type;
        tensor->bytes = (struct bytes){narrow, tensor->bytes.size / 2};
    }
}

void checkpoint_widen(struct checkpoint *checkpoint)
{
    for (size_t t = 0; t < checkpoint->count; t++) {
        struct tensor *const tensor = &checkpoint->tensors[t];
        const bool brain = strcmp(tensor->type, "BF16") == 0;
        if (!brain && strcmp(tensor->type, "F16") != 0) {
            continue;
        }
        uint8_t *const wide = arena_alloc(&checkpoint->arena, tensor->bytes.size * 2);
        for (size_t i = 0; i < tensor->bytes.size / 2; i++) {
            const uint32_t half =
                (uint32_t)tensor->bytes.at[2 * i] | (uint32_t)tensor->bytes.at[2 * i + 1] << 8;
            const uint32_t exponent = (half >> 10) & 0x1FU;
            const uint32_t usual =
                exponent == 0 ? 0 : (exponent + 112) << 23 | (half & 0x3FFU) << 13;
            const uint32_t bits = brain ? half << 16 : (half & 0x8000U) << 16 | usual;
            for (size_t b = 0; b < 4; b++) {
                wide[4 * i + b] = (uint8_t)(bits >> (8 * b));
            }
        }
        tensor->type = "F32";
        tensor->bytes = (struct bytes){wide, tensor->bytes.size * 2};
    }
}
