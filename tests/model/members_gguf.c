/* The effect of keys that only some GGUF files have: one with an effect that is not computed is
 * refused by name, others are honoured. The models are those of tests/model/fixtures, with keys
 * added. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../opened.h"
#include "base/file.h"
#include "file/gguf.h"
#include "file/growing.h"
#include "model/model.h"

static const char *fixtures;

enum { HEADER = 24, BLOCK = 32, PAD = 8 + 4 + 4 + 8 };

static void put_number(struct growing *out, uint64_t number, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++) {
        const uint8_t byte = (uint8_t)(number >> (8 * b));
        growing_put(out, &byte, 1);
    }
}

static void put_key(struct growing *out, const char *key, enum gguf_value_type type)
{
    put_number(out, strlen(key), 8);
    growing_put_text(out, key);
    put_number(out, type, 4);
}

/* One key with a value: "true", "7", "0.5" or a text; "[1,0]": truths. */
static void put_value(struct growing *out, const char *key, const char *value)
{
    uint32_t bits = 0;
    const float number = strtof(value, NULL);
    memcpy(&bits, &number, sizeof bits);
    if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0) {
        put_key(out, key, GGUF_TRUTH);
        put_number(out, value[0] == 't', 1);
    } else if (value[0] == '[') {
        const size_t count = strlen(value) / 2;
        put_key(out, key, GGUF_LIST);
        put_number(out, GGUF_TRUTH, 4);
        put_number(out, count, 8);
        for (size_t i = 0; i < count; i++) {
            put_number(out, value[1 + 2 * i] == '1', 1);
        }
    } else if (strspn(value, "0123456789") == strlen(value)) {
        put_key(out, key, GGUF_UINT32);
        put_number(out, strtoul(value, NULL, 10), 4);
    } else if (strspn(value, "0123456789.") == strlen(value)) {
        put_key(out, key, GGUF_FLOAT32);
        put_number(out, bits, 4);
    } else {
        put_key(out, key, GGUF_TEXT);
        put_number(out, strlen(value), 8);
        growing_put_text(out, value);
    }
}

/* A fixture's GGUF with keys more, "key=value key=value"; a text of the right length behind them
 * keeps the numbers of tensors where a block begins. */
static void write_with(const char *fixture, const char *keys, const char *path)
{
    struct arena arena = {0};
    struct bytes old, more, whole;
    struct growing added = growing_start(&arena), out = growing_start(&arena);
    char *const list = arena_text(&arena, keys, strlen(keys));
    size_t count = 1;
    assert_true(file_read(arena_format(&arena, "%s/%s/model.gguf", fixtures, fixture), 1 << 20,
                          &arena, &old, NULL));
    for (char *key = strtok(list, " "); key != NULL; key = strtok(NULL, " "), count++) {
        char *const value = strchr(key, '=') + 1;
        value[-1] = '\0';
        put_value(&added, key, value);
    }
    assert_true(growing_finish(&added, &more, NULL));
    const size_t fill = (BLOCK - (more.size + PAD) % BLOCK) % BLOCK;
    growing_put(&out, old.at, HEADER - 8);
    put_number(&out, old.at[HEADER - 8] + (uint64_t)old.at[HEADER - 7] * 256 + count, 8);
    growing_put(&out, more.at, more.size);
    put_key(&out, "fill", GGUF_TEXT);
    put_number(&out, fill, 8);
    for (size_t i = 0; i < fill; i++) {
        growing_put_text(&out, "x");
    }
    growing_put(&out, old.at + HEADER, old.size - HEADER);
    assert_true(growing_finish(&out, &whole, NULL));
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(whole.at, 1, whole.size, file), whole.size);
    assert_int_equal(fclose(file), 0);
    arena_free(&arena);
}

/* refusal NULL: the model opens; ignored: what is named of it then. */
static const struct {
    const char *fixture, *keys, *refusal, *ignored;
} rows[] = {
    {"qwen3", "x=1", NULL, ""},
    {"qwen3", "qwen3.nobody_knows=3 qwen3.vocab_size=31", NULL, "nobody_knows"},
    {"qwen3", "qwen3.logit_scale=0.5", "logit_scale is 0.5", NULL},
    {"qwen3", "qwen3.logit_scale=1 qwen3.attention.clamp_kqv=0", NULL, ""},
    {"qwen3", "qwen3.attention.clamp_kqv=8.0", "attention.clamp_kqv is 8", NULL},
    {"qwen3", "qwen3.attention.max_alibi_bias=8.0", "attention.max_alibi_bias is 8", NULL},
    {"qwen3", "qwen3.attention.scale=0.25", "attention.scale is 0.25", NULL},
    {"qwen3", "qwen3.expert_count=4", "expert_count is 4", NULL},
    {"qwen3", "qwen3.rope.scaling.type=spiral", "“spiral” are not known", NULL},
    {"qwen3", "qwen3.rope.scaling.type=longrope", "“longrope” are not known", NULL},
    {"qwen3", "qwen3.rope.scaling.type=none qwen3.rope.scaling.factor=4.0", NULL, ""},
    {"qwen3", "qwen3.rope.scaling.yarn_ext_factor=0.5", "yarn_ext_factor is 0.5", NULL},
    {"qwen3", "qwen3.swin_norm=true", "swin_norm is true", NULL},
    {"gemma", "gemma.rope.dimension_count=3", "3 numbers of a head of 8 cannot turn", NULL},
    {"phi3", "phi3.attention.causal=false", "attention.causal is false", NULL},
    {"mixtral", "llama.expert_gating_func=2", "expert_gating_func is 2", NULL},
    {"mixtral", "llama.expert_gating_func=1", NULL, ""},
    {"gpt-oss", "gpt-oss.expert_gating_func=1", "expert_gating_func is 1", NULL},
    {"deepseek-v3", "deepseek2.attention.temperature_scale=0.1", "temperature_scale is 0.1", NULL},
    {"t5", "t5.attention.causal=true", NULL, ""},
};

static char path[] = "members-gguf-XXXXXX";

static void keys_with_an_effect_are_honoured_or_refused(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct error error = {ERROR_NONE, 0, ""};
        struct arena arena = {0};
        write_with(rows[r].fixture, rows[r].keys, path);
        struct model *const model = open_model(path, &error);
        const bool opened = model != NULL;
        if (opened != (rows[r].refusal == NULL) ||
            (!opened && strstr(error.text, rows[r].refusal) == NULL)) {
            fail_msg("%s with %s: %s", rows[r].fixture, rows[r].keys,
                     opened ? "it opens" : error.text);
        }
        if (opened) {
            assert_string_equal(model_config_ignored(model_config(model), &arena), rows[r].ignored);
        }
        model_close(model);
        arena_free(&arena);
    }
}

/* A file's model, opened with keys more. */
static struct model *open_with(const char *fixture, const char *keys)
{
    struct error error = {ERROR_NONE, 0, ""};
    write_with(fixture, keys, path);
    struct model *const model = open_model(path, &error);
    if (model == NULL) {
        fail_msg("%s with %s: %s", fixture, keys, error.text);
    }
    return model;
}

static void what_is_honoured_is_what_the_key_says(void **state)
{
    (void)state;
    struct model *model = open_with("qwen3", "qwen3.attention.causal=false");
    assert_true(model_config(model)->bidirectional);
    model_close(model);
    /* A factor without a type stretches linearly, as in llama.cpp; an older key says the same. */
    static const char *const linear[] = {
        "qwen3.rope.scaling.factor=4.0", "qwen3.rope.scale_linear=4.0",
        "qwen3.rope.scaling.type=linear qwen3.rope.scaling.factor=4.0"};
    for (size_t l = 0; l < 3; l++) {
        model = open_with("qwen3", linear[l]);
        assert_int_equal(model_config(model)->rotary[0].scaling, MODEL_SCALING_LINEAR);
        assert_true(model_config(model)->rotary[0].factor == 4);
        model_close(model);
    }
    model = open_with("qwen3", "qwen3.rope.scaling.type=yarn qwen3.rope.scaling.factor=4.0 "
                               "qwen3.rope.scaling.yarn_beta_fast=16.0 "
                               "qwen3.rope.scaling.yarn_beta_slow=2.0");
    assert_true(model_config(model)->rotary[0].high == 16 &&
                model_config(model)->rotary[0].low == 2);
    model_close(model);
    model = open_with("gpt-oss", "gpt-oss.attention.sliding_window_pattern=[0,1]");
    assert_int_equal(model_config(model)->layer[0] & MODEL_LAYER_LOCAL, 0);
    assert_int_not_equal(model_config(model)->layer[1] & MODEL_LAYER_LOCAL, 0);
    model_close(model);
}

static int begin(void **state)
{
    (void)state;
    const int made = mkstemp(path);
    return made < 0 || close(made) != 0;
}

static int end(void **state)
{
    (void)state;
    return unlink(path);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_with_an_effect_are_honoured_or_refused),
        cmocka_unit_test(what_is_honoured_is_what_the_key_says),
    };
    if (count != 2) {
        return 1;
    }
    fixtures = arguments[1];
    return cmocka_run_group_tests(tests, begin, end);
}
