/* Damaged and foreign folders: each is refused in one sentence that names file, tensor and rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../opened.h"
#include "base/system/folder.h"
#include "checkpoint.h"
#include "file/growing.h"
#include "model/model.h"

static const char *tiny; /* the folder of the checkpoint */

/* The folder is refused with these words. */
static void expect_refusal(const struct checkpoint *checkpoint, const char *what, const char *says)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct model *const model = open_model(checkpoint->folder, &error);
    const size_t length = strlen(error.text);
    if (model != NULL || strstr(error.text, says) == NULL) {
        fail_msg("%s: “%s” does not say “%s”", what, error.text, says);
    }
    /* One sentence, whole. */
    assert_in_range(length, 1, 199);
    assert_null(strchr(error.text, '\n'));
    assert_int_equal(error.text[length - 1], '.');
}

/* Without a tokenizer that can be read a model takes ids, and says why it takes no text. */
static void expect_ids_only(const struct checkpoint *checkpoint, const char *says)
{
    struct error error = {ERROR_NONE, 0, ""};
    const uint32_t ids[] = {1, 2};
    struct model *const model = open_model(checkpoint->folder, &error);
    if (model == NULL) {
        fail_msg("“%s” in place of “%s”", error.text, says);
    }
    struct model_run *const run =
        model_run_start(model, &(struct model_request){.ids = ids, .count = 2}, &error);
    assert_non_null(run);
    assert_false(model_reads_text(model, &error));
    if (strstr(error.text, says) == NULL) {
        fail_msg("“%s” does not say “%s”", error.text, says);
    }
    assert_null(model_tokenizer(model));
    assert_null(model_chat(model, NULL));
    model_run_close(run);
    model_close(model);
}

/* ---- config.json ---------------------------------------------------------------------------- */

static void configurations_are_refused_by_rule(void **state)
{
    (void)state;
#define SIZES "\"n_layer\":2,\"n_head\":2,\"n_embd\":12,\"n_positions\":32,\"vocab_size\":300"
    static const struct {
        const char *config, *says;
    } cases[] = {
        {"", "config.json: Line 1"},
        {"{\"n_layer\":", "config.json: Line 1"},
        {"[1]", "config.json: it is no object."},
        {"{\"model_type\":\"seen\"," SIZES "}", "config.json: its model_type “seen”"},
        {"{\"model_type\":\"falcon\"}", "(manual, For researchers)."},
        {"{\"model_type\":\"llama\"," SIZES "}", "config.json: it does not say num_hidden_layers."},
        {"{\"model_type\":\"bert\"}", "config.json: it does not say num_hidden_layers."},
        {"{}", "config.json: it does not say n_layer."},
        {"{\"n_layer\":2,\"n_head\":2,\"n_embd\":12,\"vocab_size\":300}", "does not say n_ctx"},
        {"{" SIZES ",\"layer_norm_epsilon\":1}", "layer_norm_epsilon must be a number between"},
        {"{" SIZES ",\"scale_attn_by_inverse_layer_idx\":1}",
         "scale_attn_by_inverse_layer_idx must be true or false"},
        {"{" SIZES ",\"tie_word_embeddings\":\"no\"}", "tie_word_embeddings must be true or"},
        {"{" SIZES ",\"activation_function\":\"swish\",\"n_inner\":null,\"layer_norm_epsilon\":0}",
         "layer_norm_epsilon must be a number between"},
        {"{\"n_layer\":0,\"n_head\":2}", "config.json: n_layer must be a whole number from 1 to"},
        {"{\"n_layer\":-2}", "config.json: n_layer must be"},
        {"{\"n_layer\":2.5}", "config.json: n_layer must be"},
        {"{\"n_layer\":\"2\"}", "config.json: n_layer must be"},
        {"{\"n_layer\":1000000000}", "config.json: n_layer must be"},
        {"{\"n_layer\":2,\"n_head\":0}", "config.json: n_head must be"},
        {"{\"n_layer\":2,\"n_head\":1000}",
         "config.json: n_head must be a whole number from 1 to 256"},
        {"{\"n_layer\":2,\"n_head\":5,\"n_embd\":12,\"n_ctx\":32,\"vocab_size\":300}",
         "config.json: n_head 5 does not divide n_embd 12."},
        {"{\"n_layer\":2,\"n_head\":2,\"n_embd\":99999999,\"n_ctx\":32,\"vocab_size\":300}",
         "config.json: n_embd must be"},
        {"{\"n_layer\":2,\"n_head\":2,\"n_embd\":12,\"n_ctx\":32,\"vocab_size\":9000000000}",
         "config.json: vocab_size must be"},
        {"{" SIZES ",\"n_inner\":0}", "config.json: n_inner must be"},
        {"{" SIZES ",\"n_inner\":\"x\"}", "config.json: n_inner must be"},
        {"{" SIZES ",\"activation_function\":\"mish\"}", "activation_function “mish” is not known"},
        {"{" SIZES ",\"activation_function\":7}",
         "config.json: activation_function must be a text."},
        {"{" SIZES ",\"layer_norm_epsilon\":0}", "config.json: layer_norm_epsilon must be"},
        {"{" SIZES ",\"layer_norm_epsilon\":-1e-5}", "config.json: layer_norm_epsilon must be"},
        {"{" SIZES ",\"layer_norm_epsilon\":\"1e-5\"}", "config.json: layer_norm_epsilon must be"},
        {"{" SIZES ",\"scale_attn_weights\":1}", "config.json: scale_attn_weights must be true or"},
        {"{" SIZES ",\"add_cross_attention\":true}", "config.json: add_cross_attention is true"},
        /* Sizes that are right for another model. */
        {"{\"n_layer\":3,\"n_head\":2,\"n_embd\":12,\"n_ctx\":32,\"vocab_size\":300}",
         "model.safetensors: the tensor h.2.attn.c_attn.weight is missing."},
        {"{\"n_layer\":2,\"n_head\":2,\"n_embd\":12,\"n_ctx\":33,\"vocab_size\":300}",
         "model.safetensors: wpe.weight is 32 × 12, expected 33 × 12."},
        {"{\"n_layer\":2,\"n_head\":2,\"n_embd\":12,\"n_ctx\":32,\"vocab_size\":301}",
         "model.safetensors: wte.weight is 300 × 12, expected 301 × 12."},
        {"{\"n_layer\":2,\"n_head\":2,\"n_embd\":16,\"n_ctx\":32,\"vocab_size\":300}",
         "model.safetensors: wte.weight is 300 × 12, expected 300 × 16."},
        {"{" SIZES ",\"n_inner\":64}", "h.0.mlp.c_fc.weight is 12 × 48, expected 12 × 64."},
        {"{" SIZES ",\"tie_word_embeddings\":false}", "the tensor lm_head.weight is missing."},
    };
    struct checkpoint checkpoint;
    checkpoint_open(&checkpoint, tiny);
    checkpoint_write(&checkpoint);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        checkpoint_put_text(&checkpoint, "config.json", cases[c].config);
        expect_refusal(&checkpoint, cases[c].config, cases[c].says);
    }
    checkpoint_close(&checkpoint);
}

static void a_configuration_is_refused_by_folder_and_file(void **state)
{
    (void)state;
    struct checkpoint checkpoint;
    char says[96];
    checkpoint_open(&checkpoint, tiny);
    checkpoint_write(&checkpoint);
    checkpoint_put_text(&checkpoint, "config.json", "{}");
    snprintf(says, sizeof says, "%s/config.json: it does not say n_layer.", checkpoint.folder);
    expect_refusal(&checkpoint, "folder and file", says);
    checkpoint_close(&checkpoint);
}

/* ---- model.safetensors ---------------------------------------------------------------------- */

static void tensors_are_refused_by_name_and_rule(void **state)
{
    (void)state;
    static const struct {
        const char *tensor, *type;
        size_t rank, shape[3];
        const char *says;
    } cases[] = {
        {"h.1.attn.c_attn.weight",
         "F32",
         2,
         {36, 12},
         "model.safetensors: h.1.attn.c_attn.weight is 36 × 12, expected 12 × 36."},
        {"h.0.mlp.c_fc.weight",
         "F32",
         2,
         {48, 12},
         "h.0.mlp.c_fc.weight is 48 × 12, expected 12 × 48"},
        {"h.0.attn.c_attn.weight", "F32", 1, {432}, "is 432, expected 12 × 36."},
        {"h.0.attn.c_attn.weight", "F32", 3, {1, 12, 36}, "is 1 × 12 × 36, expected 12 × 36."},
        {"h.0.attn.c_attn.weight", "F32", 2, {24, 18}, "is 24 × 18, expected 12 × 36."},
        {"h.1.ln_2.bias", "F32", 2, {1, 12}, "h.1.ln_2.bias is 1 × 12, expected 12."},
        {"ln_f.weight", "F32", 2, {12, 1}, "ln_f.weight is 12 × 1, expected 12."},
        {"wpe.weight", "I32", 2, {32, 12}, "wpe.weight holds int32, expected float32"},
        {"wte.weight", "U32", 2, {300, 12}, "wte.weight holds uint32, expected float32"},
        {"h.1.mlp.c_proj.bias", "I32", 1, {12}, "h.1.mlp.c_proj.bias holds int32"},
        {"wte.weight", "F8_E4M3", 2, {1200, 12}, "wte.weight is 1200 × 12, expected 300 × 12"},
        {"wte.weight", "F32", 2, {300, 13}, "wte.weight: its shape 300 × 13 needs 15600 bytes"},
        {"wte.weight", "F64", 2, {300, 12}, "wte.weight: its shape 300 × 12 needs 28800 bytes"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct checkpoint checkpoint;
        checkpoint_open(&checkpoint, tiny);
        struct tensor *const tensor = checkpoint_find(&checkpoint, cases[c].tensor);
        tensor->type = cases[c].type;
        tensor->rank = cases[c].rank;
        memcpy(tensor->shape, cases[c].shape, sizeof cases[c].shape);
        checkpoint_write(&checkpoint);
        expect_refusal(&checkpoint, cases[c].tensor, cases[c].says);
        checkpoint_close(&checkpoint);
    }
}

/* Every tensor that the model needs is missed. */
static void a_missing_tensor_is_named(void **state)
{
    (void)state;
    struct checkpoint checkpoint;
    checkpoint_open(&checkpoint, tiny);
    checkpoint_write(&checkpoint);
    size_t missed = 0;
    for (size_t t = 0; t < checkpoint.count; t++) {
        const struct tensor kept = checkpoint.tensors[t],
                            last = checkpoint.tensors[checkpoint.count - 1];
        char says[128];
        if (strcmp(kept.type, "U8") == 0) {
            continue; /* attn.bias, which nobody needs */
        }
        snprintf(says, sizeof says, "model.safetensors: the tensor %s is missing.", kept.name);
        checkpoint.tensors[t] = last;
        checkpoint_put(&checkpoint, "model.safetensors",
                       checkpoint_file(&checkpoint, 0, checkpoint.count - 1, ""));
        expect_refusal(&checkpoint, kept.name, says);
        checkpoint.tensors[t] = kept;
        missed++;
    }
    assert_int_equal(missed, 28);
    checkpoint_close(&checkpoint);
}

/* A changed byte of the header, or a cut anywhere: refused, or the same model as before. */
static void a_file_that_was_cut_is_refused(void **state)
{
    (void)state;
    struct checkpoint checkpoint;
    checkpoint_open(&checkpoint, tiny);
    checkpoint_write(&checkpoint);
    const struct bytes whole = checkpoint_file(&checkpoint, 0, checkpoint.count, "");
    for (size_t cut = 0; cut < 200; cut++) {
        const size_t size = whole.size * cut / 200;
        checkpoint_put(&checkpoint, "model.safetensors", (struct bytes){whole.at, size});
        expect_refusal(&checkpoint, "a cut", "model.safetensors: ");
    }
    checkpoint_close(&checkpoint);
}

static void no_changed_byte_of_a_header_does_harm(void **state)
{
    (void)state;
    struct checkpoint checkpoint;
    checkpoint_open(&checkpoint, tiny);
    checkpoint_write(&checkpoint);
    const struct bytes whole = checkpoint_file(&checkpoint, 0, checkpoint.count, "");
    uint8_t *const changed = arena_alloc(&checkpoint.arena, whole.size);
    uint64_t random = 3;
    for (size_t round = 0; round < 300; round++) {
        memcpy(changed, whole.at, whole.size);
        random = random * 6364136223846793005U + 1442695040888963407U;
        changed[(random >> 33) % 2400] ^= (uint8_t)(1U << (random >> 61));
        checkpoint_put(&checkpoint, "model.safetensors", (struct bytes){changed, whole.size});
        struct error error = {ERROR_NONE, 0, ""};
        struct model *const model = open_model(checkpoint.folder, &error);
        assert_true(model != NULL || error.text[0] != '\0');
        model_close(model);
    }
    checkpoint_close(&checkpoint);
}

/* ---- the index of shards -------------------------------------------------------------------- */

static void indices_are_refused_by_rule(void **state)
{
    (void)state;
    static const struct {
        const char *index, *says;
    } cases[] = {
        {"{", "model.safetensors.index.json: Line 1"},
        {"{}", "model.safetensors.index.json: it has no weight_map"},
        {"{\"weight_map\":{}}", "model.safetensors.index.json: it has no weight_map"},
        {"{\"weight_map\":{\"wte.weight\":3}}", "the file of wte.weight is no text"},
        {"{\"weight_map\":{\"wte.weight\":\"../a.safetensors\"}}",
         "“../a.safetensors” is no name of"},
        {"{\"weight_map\":{\"wte.weight\":\"/etc/passwd\"}}", "“/etc/passwd” is no name of a file"},
        {"{\"weight_map\":{\"wte.weight\":\"\"}}", "is no name of a file in this folder"},
        {"{\"weight_map\":{\"wte.weight\":\"gone.safetensors\"}}", "gone.safetensors"},
        {"{\"weight_map\":{\"wte.weights\":\"a.safetensors\"}}",
         "a.safetensors: the tensor wte.weights is missing, which the index says it has."},
        {"{\"weight_map\":{\"wte.weight\":\"a.safetensors\"}}",
         "model.safetensors.index.json: the tensor h.1.attn.c_attn.weight is missing."},
    };
    struct checkpoint checkpoint;
    checkpoint_open(&checkpoint, tiny);
    checkpoint_write(&checkpoint);
    checkpoint_remove(&checkpoint, "model.safetensors");
    /* a.safetensors holds all but one tensor of layer 1. */
    struct tensor *const gone = checkpoint_find(&checkpoint, "h.1.attn.c_attn.weight");
    *gone = checkpoint.tensors[--checkpoint.count];
    checkpoint_put(&checkpoint, "a.safetensors",
                   checkpoint_file(&checkpoint, 0, checkpoint.count, ""));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        checkpoint_put_text(&checkpoint, "model.safetensors.index.json", cases[c].index);
        if (c + 1 == sizeof cases / sizeof *cases) {
            /* One shard alone is called by its own name. */
            expect_refusal(&checkpoint, cases[c].index,
                           "a.safetensors: the tensor h.1.attn.c_attn");
            continue;
        }
        expect_refusal(&checkpoint, cases[c].index, cases[c].says);
    }
    checkpoint_close(&checkpoint);
}

/* So many files of weights are opened, and one more is not. */
static void more_files_than_are_allowed_are_refused(void **state)
{
    (void)state;
    struct checkpoint checkpoint;
    checkpoint_open(&checkpoint, tiny);
    checkpoint_write(&checkpoint);
    checkpoint_remove(&checkpoint, "model.safetensors");
    for (size_t files = MODEL_FILES_MAX; files <= MODEL_FILES_MAX + 1; files++) {
        struct growing index = growing_start(&checkpoint.arena);
        struct bytes text;
        growing_put_text(&index, "{\"weight_map\":{");
        for (size_t f = 0; f < files; f++) {
            const char *const name = arena_format(&checkpoint.arena, "%zu.safetensors", f);
            const char *const header = arena_format(
                &checkpoint.arena,
                "{\"t%zu\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", f);
            struct growing file = growing_start(&checkpoint.arena);
            growing_put_byte(&file, (char)strlen(header));
            growing_put(&file, "\0\0\0\0\0\0", 7);
            growing_put_text(&file, header);
            growing_put_byte(&file, 1);
            assert_true(growing_finish(&file, &text, NULL));
            checkpoint_put(&checkpoint, name, text);
            growing_put_text(&index, arena_format(&checkpoint.arena, "%s\"t%zu\":\"%s\"",
                                                  f == 0 ? "" : ",", f, name));
        }
        growing_put_text(&index, "}}");
        assert_true(growing_finish(&index, &text, NULL));
        checkpoint_put(&checkpoint, "model.safetensors.index.json", text);
        expect_refusal(&checkpoint, "many files",
                       files > MODEL_FILES_MAX ? "it names more than 1024 files"
                                               : "the tensor wte.weight is missing");
    }
    checkpoint_close(&checkpoint);
}

/* ---- folders -------------------------------------------------------------------------------- */

static void other_folders_are_refused(void **state)
{
    (void)state;
    struct checkpoint checkpoint;
    char path[128];
    checkpoint_open(&checkpoint, tiny);
    expect_refusal(&checkpoint, "an empty folder", "is a folder without config.json, so no model.");
    checkpoint_put(&checkpoint, "config.json", checkpoint_source(&checkpoint, "config.json"));
    expect_refusal(&checkpoint, "only a configuration", ": the folder holds no weights");
    checkpoint_put_text(&checkpoint, "pytorch_model.bin", "PK");
    expect_refusal(&checkpoint, "pickled weights", "The weights are in pytorch_model.bin");
    checkpoint_put_text(&checkpoint, "model.safetensors",
                        "version https://git-lfs.github.com/spec/v1");
    expect_refusal(
        &checkpoint, "a pointer to a file",
        "model.safetensors: This only points to a file that Git LFS keeps elsewhere: “git lfs "
        "pull” fetches it.");
    checkpoint_put_text(&checkpoint, "model.safetensors", "these are no tensors");
    expect_refusal(&checkpoint, "a text", "model.safetensors: It is no safetensors file.");
    checkpoint_write(&checkpoint);
    checkpoint_remove(&checkpoint, "vocab.json");
    expect_ids_only(&checkpoint, "The folder holds no tokenizer");
    checkpoint_write(&checkpoint);
    checkpoint_put_text(&checkpoint, "merges.txt", "q z q");
    expect_ids_only(&checkpoint, "merges.txt: merge 1");
    checkpoint_put_text(&checkpoint, "tokenizer.json",
                        "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}},"
                        "\"pre_tokenizer\":{\"type\":\"UnicodeScripts\"}}");
    expect_ids_only(&checkpoint,
                    "tokenizer.json: its pre_tokenizer UnicodeScripts is not known here.");
    checkpoint_remove(&checkpoint, "tokenizer.json");
    checkpoint_write(&checkpoint);
    checkpoint_remove(&checkpoint, "model.safetensors");
    snprintf(path, sizeof path, "%s/model.safetensors", checkpoint.folder);
#ifndef _WIN32
    assert_int_equal(mkfifo(path, 0600), 0); /* nobody will ever write to it */
    expect_refusal(&checkpoint, "a pipe", "model.safetensors");
    checkpoint_remove(&checkpoint, "model.safetensors");
#endif
    assert_true(system_make_folder(path));
    expect_refusal(&checkpoint, "a folder in place of a file", "is a folder");
    assert_true(system_remove_folder(path));
    checkpoint_remove(&checkpoint, "config.json");
#ifndef _WIN32
    snprintf(path, sizeof path, "%s/config.json", checkpoint.folder);
    assert_int_equal(symlink("config.json", path), 0);
    expect_refusal(&checkpoint, "a link to itself", "config.json");
#endif
    checkpoint_close(&checkpoint);
}

#ifndef _WIN32 /* which cuts no file that is mapped */

/* A file that is cut while it is open is not read any more. */
static void a_file_that_shrinks_is_noticed(void **state)
{
    (void)state;
    struct checkpoint checkpoint;
    char path[128];
    const uint32_t ids[] = {1, 2};
    checkpoint_open(&checkpoint, tiny);
    checkpoint_write(&checkpoint);
    struct model *const model = open_model(checkpoint.folder, NULL);
    struct model_run *const run =
        model_run_start(model, &(struct model_request){.ids = ids, .count = 2}, NULL);
    assert_non_null(run);
    snprintf(path, sizeof path, "%s/model.safetensors", checkpoint.folder);
    assert_int_equal(truncate(path, 100), 0);
    struct error error = {ERROR_NONE, 0, ""};
    assert_false(model_run_append(run, 3, &error));
    assert_non_null(strstr(error.text, "model.safetensors: the file became shorter"));
    assert_int_equal(model_run_count(run), 2);
    model_run_close(run);
    model_close(model);
    checkpoint_close(&checkpoint);
}

static bool cut_at_the_second_layer(void *path, size_t layer, size_t layers)
{
    (void)layers;
    return layer != 1 || truncate(path, 100) == 0;
}

/* One that is cut while a layer is being computed ends in a sentence, not in death. */
static void a_file_that_shrinks_while_it_is_read_is_noticed(void **state)
{
    (void)state;
    struct checkpoint checkpoint;
    char path[128];
    const uint32_t ids[] = {1, 2};
    struct error error = {ERROR_NONE, 0, ""};
    checkpoint_open(&checkpoint, tiny);
    checkpoint_write(&checkpoint);
    struct model *const model = open_model(checkpoint.folder, NULL);
    snprintf(path, sizeof path, "%s/model.safetensors", checkpoint.folder);
    assert_null(model_run_start(
        model,
        &(struct model_request){
            .ids = ids, .count = 2, .on_layer = cut_at_the_second_layer, .listener = path},
        &error));
    assert_non_null(strstr(error.text, "model.safetensors: the file became shorter"));
    model_close(model);
    checkpoint_close(&checkpoint);
}

#endif

int main(int argc, char **argv)
{
    tiny = argc > 1 ? argv[1] : "tests/model/tiny";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configurations_are_refused_by_rule),
        cmocka_unit_test(a_configuration_is_refused_by_folder_and_file),
        cmocka_unit_test(tensors_are_refused_by_name_and_rule),
        cmocka_unit_test(a_missing_tensor_is_named),
        cmocka_unit_test(a_file_that_was_cut_is_refused),
        cmocka_unit_test(no_changed_byte_of_a_header_does_harm),
        cmocka_unit_test(indices_are_refused_by_rule),
        cmocka_unit_test(more_files_than_are_allowed_are_refused),
        cmocka_unit_test(other_folders_are_refused),
#ifndef _WIN32
        cmocka_unit_test(a_file_that_shrinks_is_noticed),
        cmocka_unit_test(a_file_that_shrinks_while_it_is_read_is_noticed),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
