/* Damaged and foreign files dropped on the window: each is refused in one sentence that names the
 * file, what of it, and the rule; what was there stays, with its undo. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../npy_header.h"
#include "app/open/drop.h"
#include "app/open/open_model.h"
#include "checkpoint.h"
#include "hands.h"

static void narrow_one(struct checkpoint *checkpoint)
{
    struct tensor *const tensor = checkpoint_find(checkpoint, "h.1.attn.c_attn.weight");
    tensor->shape[0] = 36;
    tensor->shape[1] = 12;
    checkpoint_write(checkpoint);
}

static void lose_one(struct checkpoint *checkpoint)
{
    struct tensor *const tensor = checkpoint_find(checkpoint, "h.0.ln_1.weight");
    *tensor = checkpoint->tensors[--checkpoint->count];
    checkpoint_write(checkpoint);
}

static void put_bytes(const struct checkpoint *checkpoint, const char *header, size_t numbers)
{
    uint8_t file[4096] = {0};
    const size_t length = strlen(header);
    assert_true(8 + length + numbers <= sizeof file && length < 256 * 256);
    file[0] = (uint8_t)length;
    file[1] = (uint8_t)(length >> 8);
    memcpy(file + 8, header, length);
    checkpoint_put(checkpoint, "model.safetensors", (struct bytes){file, 8 + length + numbers});
}

static void overlap_tensors(struct checkpoint *checkpoint)
{
    put_bytes(checkpoint,
              "{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]},"
              "\"wpe.weight\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[8,24]}}",
              24);
}

static void wrap_offsets(struct checkpoint *checkpoint)
{
    put_bytes(checkpoint,
              "{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967297],"
              "\"data_offsets\":[0,16]}}",
              16);
}

static void cut_file(struct checkpoint *checkpoint)
{
    const struct bytes whole = checkpoint_source(checkpoint, "model.safetensors");
    checkpoint_put(checkpoint, "model.safetensors", (struct bytes){whole.at, whole.size / 2});
}

static void name_unknown_family(struct checkpoint *checkpoint)
{
    checkpoint_put_text(checkpoint, "config.json",
                        "{\"architectures\":[\"RwkvModel\"],\"model_type\":\"rwkv\","
                        "\"hidden_size\":768,\"num_hidden_layers\":12}");
}

static void set_llama_family(struct checkpoint *checkpoint)
{
    checkpoint_put_text(checkpoint, "config.json",
                        "{\"architectures\":[\"LlamaForCausalLM\"],\"model_type\":\"llama\","
                        "\"hidden_size\":4096,\"num_key_value_heads\":8}");
}

static void overflow_shape(struct checkpoint *checkpoint)
{
    checkpoint_put_text(checkpoint, "config.json",
                        "{\"n_layer\":2,\"n_head\":2,\"n_embd\":18446744073709551628,"
                        "\"n_positions\":32,\"vocab_size\":300}");
}

static void multiply_sizes(struct checkpoint *checkpoint)
{
    checkpoint_put_text(checkpoint, "config.json",
                        "{\"n_layer\":2,\"n_head\":2,\"n_embd\":4611686018427387904,"
                        "\"n_positions\":4611686018427387904,\"vocab_size\":300}");
}

static void point_outside(struct checkpoint *checkpoint)
{
    checkpoint_remove(checkpoint, "model.safetensors");
    checkpoint_put_text(checkpoint, "model.safetensors.index.json",
                        "{\"weight_map\":{\"wte.weight\":\"../../secret.safetensors\"}}");
}

static void shard_gone(struct checkpoint *checkpoint)
{
    checkpoint_remove(checkpoint, "model.safetensors");
    checkpoint_put_text(checkpoint, "model.safetensors.index.json",
                        "{\"weight_map\":{\"wte.weight\":\"model-00001-of-00002.safetensors\"}}");
}

static void ids_beyond(struct checkpoint *checkpoint)
{
    checkpoint_put_text(checkpoint, "vocab.json", "{\"a\":0,\"b\":300}");
}

static void merge_of_strangers(struct checkpoint *checkpoint)
{
    checkpoint_put_text(checkpoint, "merges.txt", "#version: 0.2\nqq zz\n");
}

static void no_weights(struct checkpoint *checkpoint)
{
    checkpoint_remove(checkpoint, "model.safetensors");
}

static const struct wrong {
    const char *what;
    void (*spoil)(struct checkpoint *checkpoint);
    const char *file, *says; /* what the sentence names, and the rule */
} wrongs[] = {
    {"wrong shape", narrow_one, "model.safetensors",
     "h.1.attn.c_attn.weight is 36 × 12, expected 12 × 36"},
    {"missing tensor", lose_one, "model.safetensors", "the tensor h.0.ln_1.weight is missing"},
    {"overlap", overlap_tensors, "model.safetensors", "wpe.weight"},
    {"a shape that overflows", wrap_offsets, "model.safetensors", "wte.weight"},
    {"truncated", cut_file, "model.safetensors", ""},
    {"an unknown family", name_unknown_family, "config.json", "rwkv"},
    {"LLaMA", set_llama_family, "config.json", "num_hidden_layers"},
    {"a size that overflows", overflow_shape, "config.json", "n_embd must be"},
    {"sizes whose product overflows", multiply_sizes, "config.json", "n_embd"},
    {"a shard outside", point_outside, "model.safetensors.index.json",
     "is no name of a file in this folder"},
    {"a shard that is not there", shard_gone, "model-00001-of-00002.safetensors", ""},
    {"no weights", no_weights, "", ": the folder holds no weights"},
};

/* With these a model opens, and its words are numbers of tokens. */
static const struct wrong wordless[] = {
    {"ids out of range", ids_beyond, "vocab.json", "300"},
    {"merges of strangers", merge_of_strangers, "merges.txt", "merge 1"},
};

/* The state that must not change. */
struct present {
    uint64_t reading;
    const struct lab_words *words;
    const struct lab_trace *trace;
    size_t at, count;
};

static struct present present_of(struct hands *hands)
{
    hands_wait(hands, 21); /* what was said is gone by then */
    return (struct present){hands_reading(hands), hands->state->document.experiment.tokens,
                            hands->state->document.trace, hands->state->document.at,
                            hands->state->document.history.count};
}

static void expect_present(struct hands *hands, const struct present *was, const char *what)
{
    const struct present is = present_of(hands);
    if (is.reading != was->reading || is.words != was->words || is.trace != was->trace ||
        is.at != was->at || is.count != was->count) {
        fail_msg("%s: what was there has changed", what);
    }
}

static void drop_file(struct hands *hands, const char *path)
{
    hands_drop(hands, path);
    hands_settle(hands);
    hands_frame(hands);
}

static void expect_sentence(const struct hands *hands, const struct wrong *wrong)
{
    const char *const said = hands->state->view.message;
    const size_t length = said == NULL ? 0 : strlen(said);
    if (length == 0 || strstr(said, wrong->file) == NULL || strstr(said, wrong->says) == NULL ||
        said[length - 1] != '.' || strchr(said, '\n') != NULL) {
        fail_msg("%s: “%s” does not name “%s” and say “%s”", wrong->what, said == NULL ? "" : said,
                 wrong->file, wrong->says);
    }
}

/* On the lesson, and beside a model that is open; a change stands behind, to be undone. */
static void a_broken_model_is_refused_and_nothing_is_lost(void **state)
{
    (void)state;
    for (int beside_a_model = 0; beside_a_model < 2; beside_a_model++) {
        struct hands *const hands = hands_open("cats", 1440, 900);
        hands_key(hands, "Ctrl+R");
        if (beside_a_model) {
            drop_file(hands, getenv("TINY_MODEL"));
        }
        const struct present was = present_of(hands);
        assert_true(was.at > 0);
        for (size_t w = 0; w < sizeof wrongs / sizeof wrongs[0]; w++) {
            struct checkpoint checkpoint;
            checkpoint_open(&checkpoint, getenv("TINY_MODEL"));
            checkpoint_write(&checkpoint);
            wrongs[w].spoil(&checkpoint);
            drop_file(hands, checkpoint.folder);
            expect_sentence(hands, &wrongs[w]);
            expect_present(hands, &was, wrongs[w].what);
            checkpoint_close(&checkpoint);
        }
        hands_key(hands, "Ctrl+Z");
        hands_settle(hands);
        assert_int_equal(hands->state->document.at, was.at - 1);
        hands_close(hands);
    }
}

static void a_broken_tokenizer_leaves_the_numbers_of_its_tokens(void **state)
{
    (void)state;
    for (size_t w = 0; w < sizeof wordless / sizeof wordless[0]; w++) {
        struct hands *const hands = hands_open("cats", 1440, 900);
        const struct present was = present_of(hands);
        struct checkpoint checkpoint;
        checkpoint_open(&checkpoint, getenv("TINY_MODEL"));
        checkpoint_write(&checkpoint);
        wordless[w].spoil(&checkpoint);
        drop_file(hands, checkpoint.folder);
        expect_sentence(hands, &wordless[w]);
        hands_expect_part(hands, "#1");
        hands_key(hands, "Ctrl+Z");
        hands_settle(hands);
        assert_int_equal(present_of(hands).reading, was.reading);
        checkpoint_close(&checkpoint);
        hands_close(hands);
    }
}

/* A file of so many zeros behind its header; they take no room on the disk. */
static void write_sparse(const char *path, const char *shape, off_t bytes)
{
    FILE *const file = npy_create(path, "<f4", shape);
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate(path, NPY_HEADER_BYTES + bytes), 0);
}

static void a_broken_file_of_attention_is_refused_and_nothing_is_lost(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        off_t bytes;
        struct wrong wrong;
    } files[] = {
        {"(12, 12, 1024, 1024)", 4096, {"cut", NULL, "broken.npy", "603979776 bytes of numbers"}},
        {"(4294967296, 4294967296, 2, 2)", 4096, {"overflow", NULL, "broken.npy", ""}},
        {"(2, 0, 3, 3)", 0, {"nothing in it", NULL, "broken.npy", "there is nothing in it"}},
        {"(1, 1, 5000, 5000)", 100000000, {"too many words", NULL, "broken.npy", "5000 keys"}},
        {"(170, 170, 2, 2)", 462400, {"too many heads", NULL, "broken.npy", "heads"}},
    };
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+R");
    const struct present was = present_of(hands);
    char path[512];
    snprintf(path, sizeof path, "%s/broken.npy", hands->folder);
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        write_sparse(path, files[f].shape, files[f].bytes);
        drop_file(hands, path);
        expect_sentence(hands, &files[f].wrong);
        expect_present(hands, &was, files[f].wrong.what);
    }
    unlink(path);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broken_model_is_refused_and_nothing_is_lost),
        cmocka_unit_test(a_broken_tokenizer_leaves_the_numbers_of_its_tokens),
        cmocka_unit_test(a_broken_file_of_attention_is_refused_and_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
