/* Models that are refused: by what, and what helps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "file/json.h"
#include "stand.h"

static void write_file(struct stand *stand, const char *name, const void *content, size_t size)
{
    assert_true(file_write(stand_path(stand, name), (struct bytes){content, size}, NULL));
}

static void put_text(struct stand *stand, const char *name, const char *text)
{
    write_file(stand, name, text, strlen(text));
}

/* A folder of that name with a config.json, and with tensors where they are given. */
static void put_folder(struct stand *stand, const char *name, const char *config,
                       const char *header, size_t bytes)
{
    uint8_t file[512] = {0};
    assert_int_equal(stand_other(stand, arena_format(&stand->arena, "mkdir -p %s", name)), 0);
    put_text(stand, arena_format(&stand->arena, "%s/config.json", name), config);
    if (header != NULL) {
        const size_t length = strlen(header);
        assert_true(8 + length + bytes <= sizeof file);
        file[0] = (uint8_t)length;
        file[1] = (uint8_t)(length >> 8);
        memcpy(file + 8, header, length);
        write_file(stand, arena_format(&stand->arena, "%s/model.safetensors", name), file,
                   8 + length + bytes);
    }
}

static bool has_text(const char *text, const char *wanted)
{
    return strstr(text, wanted) != NULL;
}

/* The refusal names the family; below are the lines that save its attention, for its kind of input.
 * (tests/model/recipes.py runs them.) */
static void a_family_that_is_not_known_comes_with_the_lines_that_save_its_attention(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *config, *says[4];
    } kinds[] = {
        {"{\"model_type\": \"seen\"}",
         {"AutoModel.from_pretrained(folder, attn_implementation=\"eager\")", "AutoTokenizer",
          "tokens=reader.convert_ids_to_tokens", "reader(\"A text.\""}},
        {"{\"model_type\": \"seen\", \"is_encoder_decoder\": true}",
         {"AutoModelForSeq2SeqLM", "inputs[\"decoder_input_ids\"] = model.generate(**inputs)",
          "source_tokens=", "target_tokens="}},
        {"{\"model_type\": \"seen\", \"is_encoder_decoder\": true, \"num_mel_bins\": 80}",
         {"AutoModelForSpeechSeq2Seq", "AutoProcessor", "import soundfile", "target_tokens="}},
        {"{\"model_type\": \"seen\", \"image_size\": 224, \"patch_size\": 16}",
         {"AutoImageProcessor", "from PIL import Image", "Image.open(", "**arrays)\n"}},
        {"{\"model_type\": \"seen\", \"conv_dim\": [8, 8]}",
         {"AutoFeatureExtractor", "import soundfile", "sampling_rate=16000", "**arrays)\n"}},
    };
    static const char *const calls[] = {"info %s", "compute %s --text 'a b'",
                                        "render %s --tokens 'a b' -o x.png", "%s"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        put_folder(stand, "foreign", kinds[k].config, NULL, 0);
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
            stand_run(stand, arena_format(&stand->arena, calls[c], "foreign"));
            assert_int_equal(stand->status, 1);
            const char *const second = strchr(stand->complaint, '\n');
            const char *const named = strstr(
                stand->complaint, "its model_type “seen” is not known; a few lines of Python");
            assert_true(second != NULL && named != NULL && named < second);
            assert_true(strncmp(second + 1, "import numpy, transformers\n", 27) == 0);
            assert_true(has_text(second, "folder = \"foreign\"\n"));
            assert_true(has_text(second, "output_attentions=True") &&
                        has_text(second, "numpy.savez("));
            for (size_t s = 0; s < 4; s++) {
                if (!has_text(second, kinds[k].says[s])) {
                    fail_msg("“%s” is not in %s", kinds[k].says[s], second);
                }
            }
        }
    }
    stand_refused(stand, "info nowhere", 1, "nowhere");
}

/* There is nothing that could be saved. */
static void a_model_without_attention_is_told_so(void **state)
{
    struct stand *const stand = *state;
    static const char *const types[] = {"mamba", "mamba2", "falcon_mamba", "rwkv"};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        put_folder(stand, "state",
                   arena_format(&stand->arena, "{\"model_type\": \"%s\"}", types[t]), NULL, 0);
        stand_refused(
            stand, "compute state --text a", 1,
            arena_format(&stand->arena, "models of type “%s” have no attention", types[t]));
        assert_false(has_text(stand->complaint, "import"));
    }
}

static void quantised_folders_are_refused_by_their_method(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *member, *method;
    } kinds[] = {
        {"\"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": 4}", "GPTQ"},
        {"\"quantization_config\": {\"quant_method\": \"awq\"}", "AWQ"},
        {"\"quantization_config\": {\"quant_method\": \"bitsandbytes\"}", "bitsandbytes"},
        {"\"quantization_config\": {\"load_in_8bit\": true}", "bitsandbytes"},
        {"\"quantization_config\": {\"quant_method\": \"compressed-tensors\"}",
         "compressed-tensors"},
        {"\"compression_config\": {\"format\": \"pack-quantized\"}", "compressed-tensors"},
        {"\"quantization_config\": {\"quant_method\": \"fp8\"}", "FP8"},
        {"\"quantization_config\": {\"quant_method\": \"hqq\"}", "HQQ"},
        {"\"quantization_config\": {\"quant_method\": \"of_later_times\"}", "of_later_times"},
        {"\"quantization\": {\"bits\": 4, \"group_size\": 64}", "MLX"},
        {"\"quantization_config\": {\"bits\": 4}", "an unnamed method"},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        put_folder(stand, "small",
                   arena_format(&stand->arena, "{\"model_type\": \"llama\", %s}", kinds[k].member),
                   NULL, 0);
        stand_refused(stand, "compute small --text a", 1,
                      arena_format(&stand->arena,
                                   "its weights are quantised by %s, which is not read: take the "
                                   "original or a GGUF, or save it dequantised",
                                   kinds[k].method));
    }
    put_folder(stand, "small", "{\"model_type\": \"llama\"}", NULL, 0);
    put_text(stand, "small/quantize_config.json", "{}"); /* as older tools leave it */
    stand_refused(stand, "compute small --text a", 1, "quantised by GPTQ");
    static const char *const read[] = {"{\"model_type\": \"llama\", \"quantization_config\": null}",
                                       "{\"model_type\": \"gpt_oss\", \"quantization_config\": "
                                       "{\"quant_method\": \"mxfp4\"}}"};
    assert_int_equal(stand_other(stand, "rm small/quantize_config.json"), 0);
    for (size_t r = 0; r < 2; r++) {
        put_folder(stand, "small", read[r], NULL, 0);
        stand_refused(stand, "compute small --text a", 1, "it does not say num_hidden_layers");
    }
}

/* The tensors can be listed whatever is wrong with the folder. */
static void info_lists_the_tensors_of_a_folder_that_is_refused(void **state)
{
    struct stand *const stand = *state;
    static const char header[] =
        "{\"a.weight\":{\"dtype\":\"BF16\",\"shape\":[2,3],\"data_offsets\":[0,12]},"
        "\"b\":{\"dtype\":\"F8_E4M3\",\"shape\":[4],\"data_offsets\":[12,16]},"
        "\"conv\":{\"dtype\":\"F32\",\"shape\":[1,2,1,1,1],\"data_offsets\":[16,24]}}";
    put_folder(stand, "seen", "{\"model_type\": \"seen\"}", header, 24);
    stand_call(stand, "info seen");
    assert_true(has_text(stand->output, "seen: a folder with a model, which cannot be computed\n"
                                        "  seen/config.json: its model_type “seen” is not known"));
    assert_true(has_text(stand->output, "a.weight                     bfloat16  2 × 3\n"));
    assert_true(has_text(stand->output, "b                            F8_E4M3   4\n"));
    assert_true(
        has_text(stand->output, "conv                         float32   1 × 2 × 1 × 1 × 1\n"));
    stand_call(stand, "info seen --json");
    struct json *const tree =
        json_parse((struct bytes){(const uint8_t *)stand->output, strlen(stand->output)}, NULL);
    const char *refusal = NULL;
    assert_true(json_text(json_member(tree, "refusal"), &refusal) && has_text(refusal, "“seen”"));
    assert_int_equal(json_count(json_member(tree, "arrays")), 3);
    json_release(tree);
    put_folder(stand, "seen",
               "{\"model_type\": \"llama\", \"quantization_config\": "
               "{\"quant_method\": \"gptq\"}}",
               NULL, 0);
    stand_call(stand, "info seen");
    assert_true(has_text(stand->output, "quantised by GPTQ") && has_text(stand->output, "2 × 3"));
    stand_refused(stand, "compute seen --text a", 1, "quantised by GPTQ");
}

/* ---- a GGUF --------------------------------------------------------------------------------- */

struct gguf_file {
    uint8_t at[2048];
    size_t size;
};

static void put_number(struct gguf_file *file, uint64_t value, size_t bytes)
{
    assert_true(file->size + bytes <= sizeof file->at);
    for (size_t b = 0; b < bytes; b++) {
        file->at[file->size++] = (uint8_t)(value >> (8 * b));
    }
}

static void put_name(struct gguf_file *file, const char *text)
{
    const size_t length = strlen(text);
    put_number(file, length, 8);
    assert_true(file->size + length <= sizeof file->at);
    memcpy(file->at + file->size, text, length);
    file->size += length;
}

/* Llama's sizes, and the first tensor of it: 4 rows of 256 numbers in blocks of that kind. */
static void put_gguf(struct stand *stand, unsigned kind, size_t block)
{
    static const struct {
        const char *key;
        uint32_t value;
    } sizes[] = {{"llama.block_count", 1},
                 {"llama.embedding_length", 256},
                 {"llama.attention.head_count", 2},
                 {"llama.feed_forward_length", 4},
                 {"llama.context_length", 8},
                 {"llama.vocab_size", 4},
                 {"llama.attention.layer_norm_rms_epsilon", 0x3727C5AC}};
    enum { COUNT = sizeof sizes / sizeof *sizes, UINT32 = 4, FLOAT32 = 6, TEXT = 8 };
    struct gguf_file file = {.size = 0};
    put_number(&file, 0x46554747, 4);
    put_number(&file, 3, 4);
    put_number(&file, 1, 8);
    put_number(&file, COUNT + 1, 8);
    put_name(&file, "general.architecture");
    put_number(&file, TEXT, 4);
    put_name(&file, "llama");
    for (size_t k = 0; k < COUNT; k++) {
        put_name(&file, sizes[k].key);
        put_number(&file, k + 1 < COUNT ? UINT32 : FLOAT32, 4);
        put_number(&file, sizes[k].value, 4);
    }
    put_name(&file, "token_embd.weight");
    put_number(&file, 2, 4);
    put_number(&file, 256, 8);
    put_number(&file, 4, 8);
    put_number(&file, kind, 4);
    put_number(&file, 0, 8);
    while (file.size % 32 != 0) {
        put_number(&file, 0, 1);
    }
    file.size += 4 * block;
    assert_true(file.size <= sizeof file.at);
    write_file(stand, "small.gguf", file.at, file.size);
}

/* A kind that stays unread, so that this stands whatever else is read one day. */
static void a_kind_that_is_not_read_is_told_with_those_that_are(void **state)
{
    enum { Q8_K = 15 };
    struct stand *const stand = *state;
    put_gguf(stand, Q8_K, 292);
    stand_refused(stand, "compute small.gguf --ids 1", 1,
                  "small.gguf: token_embd.weight holds Q8_K; floats are read, and Q4_0/1 Q5_0/1 ");
    assert_true(has_text(stand->complaint, " Q2_K Q3_K Q4_K Q5_K Q6_K"));
    stand_call(stand, "info small.gguf");
    assert_true(has_text(stand->output, "holds Q8_K; floats are read, and Q4_0/1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(a_family_that_is_not_known_comes_with_the_lines_that_save_its_attention),
        STAND(a_model_without_attention_is_told_so),
        STAND(quantised_folders_are_refused_by_their_method),
        STAND(info_lists_the_tensors_of_a_folder_that_is_refused),
        STAND(a_kind_that_is_not_read_is_told_with_those_that_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
