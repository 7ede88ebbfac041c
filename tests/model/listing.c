/* Models on this machine: made-up folders of Ollama, Hugging Face and LM Studio, with links that go
 * out of them, damaged manifests, and many of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/listing.h"

static const char HASH[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
static const char CONFIG[] = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";

/* Makes the folders of a path, then the file. */
static void put(const char *root, const char *path, const char *text)
{
    char whole[1024];
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    for (char *slash = strchr(whole + strlen(root) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(whole, 0700);
        *slash = '/';
    }
    FILE *const file = fopen(whole, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void put_link(const char *root, const char *path, const char *to)
{
    char whole[1024];
    put(root, path, "");
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    assert_int_equal(unlink(whole), 0);
    assert_int_equal(symlink(to, whole), 0);
}

static void put_manifest(const char *home, const char *path, const char *hash)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"config\": {\"digest\": \"sha256:%s\"}, \"layers\": ["
             "{\"mediaType\": \"application/vnd.ollama.image.license\", \"digest\": \"sha256:%s\"},"
             "{\"mediaType\": \"application/vnd.ollama.image.model\", \"digest\": \"sha256:%s\"}]}",
             CONFIG, CONFIG, hash);
    put(home, path, text);
}

struct read {
    char home[64];
    struct arena arena;
    struct model_listing listing;
};

static void start(struct read *read)
{
    snprintf(read->home, sizeof read->home, "listing-XXXXXX");
    assert_non_null(mkdtemp(read->home));
    read->arena = (struct arena){0};
}

static void look(struct read *read)
{
    const struct model_environment environment = {.home = read->home, .ollama_models = ""};
    struct model_place all[MODEL_PLACES_MAX], own[MODEL_PLACES_MAX];
    const size_t places = model_places(&environment, &read->arena, all);
    size_t kept = 0;
    for (size_t p = 0; p < places; p++) { /* what this machine has elsewhere is nobody's test */
        own[kept] = all[p];
        kept += strncmp(all[p].folder, read->home, strlen(read->home)) == 0;
    }
    assert_int_equal(kept, 4);
    assert_true(model_listing_read(own, kept, &read->arena, &read->listing));
}

static void end(struct read *read)
{
    char command[128];
    arena_free(&read->arena);
    snprintf(command, sizeof command, "rm -r %s", read->home);
    assert_int_equal(system(command), 0);
}

static const struct model_listed *find(const struct read *read, const char *name)
{
    for (size_t m = 0; m < read->listing.count; m++) {
        if (strcmp(read->listing.model[m].name, name) == 0) {
            return &read->listing.model[m];
        }
    }
    return NULL;
}

static void each_shelf_is_read_as_its_program_keeps_it(void **state)
{
    (void)state;
    struct read read;
    char blob[200], text[400];
    start(&read);
    snprintf(blob, sizeof blob, ".ollama/models/blobs/sha256-%s", HASH);
    put(read.home, blob, "GGUF0123456789");
    snprintf(blob, sizeof blob, ".ollama/models/blobs/sha256-%s", CONFIG);
    put(read.home, blob, "{\"model_family\": \"llama\", \"file_type\": \"Q4_K_M\"}");
    put_manifest(read.home, ".ollama/models/manifests/registry.ollama.ai/library/llama3.2/3b",
                 HASH);
    put_manifest(read.home, ".ollama/models/manifests/registry.ollama.ai/somebody/own/latest",
                 HASH);
    static const char hub[] = ".cache/huggingface/hub/models--openai-community--gpt2/";
    snprintf(text, sizeof text, "%sblobs/one", hub);
    put(read.home, text,
        "{\"model_type\": \"gpt2\", \"n_layer\": 12, \"n_head\": 12, \"n_embd\": 768, "
        "\"vocab_size\": 50257, \"torch_dtype\": \"float32\"}");
    snprintf(text, sizeof text, "%sblobs/two", hub);
    put(read.home, text, "0123456789");
    snprintf(text, sizeof text, "%srefs/main", hub);
    put(read.home, text, "aaa\n");
    snprintf(text, sizeof text, "%ssnapshots/aaa/config.json", hub);
    put_link(read.home, text, "../../blobs/one");
    snprintf(text, sizeof text, "%ssnapshots/aaa/model.safetensors", hub);
    put_link(read.home, text, "../../blobs/two");
    put(read.home, ".lmstudio/models/pub/repo/Qwen3-8B-Q5_K_S.gguf", "12345");
    put(read.home, ".cache/lm-studio/models/pub/big/L-IQ4_XS-00001-of-00002.gguf", "123");
    put(read.home, ".cache/lm-studio/models/pub/big/L-IQ4_XS-00002-of-00002.gguf", "4567");
    look(&read);
    assert_int_equal(read.listing.count, 5);
    const struct model_listed *const ollama = find(&read, "llama3.2:3b");
    assert_non_null(ollama);
    assert_string_equal(ollama->family, "llama");
    assert_string_equal(ollama->kind, "Q4_K_M");
    assert_int_equal(ollama->bytes, 14);
    assert_int_equal(access(ollama->path, R_OK), 0);
    assert_non_null(find(&read, "somebody/own:latest"));
    const struct model_listed *const gpt2 = find(&read, "openai-community/gpt2");
    assert_non_null(gpt2);
    assert_int_equal(gpt2->layers, 12);
    assert_int_equal(gpt2->width, 768);
    assert_int_equal(gpt2->bytes, 10);
    assert_int_equal(gpt2->memory, 4 * (256 * 768 * 49 + 50257));
    assert_string_equal(model_listed_facts(gpt2, &read.arena),
                        "gpt2 · 12 × 12 · float32 · 1 MB, and 39 MB of memory for 256 words");
    assert_string_equal(find(&read, "pub/repo/Qwen3-8B-Q5_K_S")->kind, "Q5_K_S");
    const struct model_listed *const parts = find(&read, "pub/big/L-IQ4_XS-00001-of-00002");
    assert_int_equal(parts->bytes, 7);
    assert_string_equal(parts->kind, "IQ4_XS");
    end(&read);
}

static void both_stacks_of_a_model_of_two_texts_are_counted(void **state)
{
    (void)state;
    static const char hub[] = ".cache/huggingface/hub/models--%s/snapshots/aaa/%s";
    static const struct {
        const char *name, *config, *says;
    } rows[] = {{"t5-small", "{\"model_type\": \"t5\", \"num_layers\": 6, \"num_heads\": 8}",
                 "t5 · (6 + 6) × 8 · 1 MB"},
                {"t5-other",
                 "{\"model_type\": \"mt5\", \"num_layers\": 6, \"num_decoder_layers\": 4, "
                 "\"num_heads\": 8}",
                 "mt5 · (6 + 4) × 8 · 1 MB"}};
    struct read read;
    char path[200];
    start(&read);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        snprintf(path, sizeof path, hub, rows[r].name, "config.json");
        put(read.home, path, rows[r].config);
        snprintf(path, sizeof path, hub, rows[r].name, "model.safetensors");
        put(read.home, path, "0123456789");
    }
    look(&read);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const struct model_listed *const listed = find(&read, rows[r].name);
        assert_non_null(listed);
        assert_string_equal(model_listed_facts(listed, &read.arena), rows[r].says);
    }
    end(&read);
}

static void put_bits(FILE *file, uint64_t bits, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++) {
        fputc((int)(bits >> 8 * b & 255), file);
    }
}

static void put_key(FILE *file, const char *key, uint64_t type)
{
    put_bits(file, strlen(key), 8);
    fputs(key, file);
    put_bits(file, type, 4);
}

/* Without tensors, and cut inside its tokenizer: what stands before that is told. */
static void the_first_keys_of_a_gguf_say_what_it_is(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        uint64_t number;
    } keys[] = {{"llama.block_count", 28},
                {"llama.attention.head_count", 24},
                {"llama.attention.head_count_kv", 8},
                {"llama.embedding_length", 3072},
                {"general.file_type", 15}};
    struct read read;
    char path[200];
    start(&read);
    put(read.home, ".lmstudio/models/pub/repo/model.gguf", "");
    snprintf(path, sizeof path, "%s/.lmstudio/models/pub/repo/model.gguf", read.home);
    FILE *const file = fopen(path, "wb");
    fputs("GGUF", file);
    put_bits(file, 3, 4);
    put_bits(file, 1, 8);
    put_bits(file, 7, 8);
    put_key(file, "general.architecture", 8);
    put_bits(file, 5, 8);
    fputs("llama", file);
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        put_key(file, keys[k].key, 4);
        put_bits(file, keys[k].number, 4);
    }
    put_key(file, "tokenizer.ggml.tokens", 9);
    fclose(file);
    look(&read);
    assert_int_equal(read.listing.count, 1);
    assert_string_equal(
        model_listed_facts(&read.listing.model[0], &read.arena),
        "llama · 28 × 24 heads, 8 of keys · Q4_K_M · 1 MB, and 355 MB of memory for 256 words");
    end(&read);
}

static void nothing_outside_is_followed_and_damage_is_left_out(void **state)
{
    (void)state;
    struct read read;
    char text[400];
    start(&read);
    put(read.home, "elsewhere/secret.gguf", "GGUF");
    put(read.home, "elsewhere/config.json", "{\"model_type\": \"secret\"}");
    put_link(read.home, ".lmstudio/models/pub/repo/secret.gguf",
             "../../../../elsewhere/secret.gguf");
    put_link(read.home, ".lmstudio/models/linked", "../../elsewhere");
    snprintf(text, sizeof text, ".ollama/models/blobs/sha256-%s", HASH);
    put_link(read.home, text, "../../../elsewhere/secret.gguf");
    put_manifest(read.home, ".ollama/models/manifests/r/library/out/latest", HASH);
    put_manifest(read.home, ".ollama/models/manifests/r/library/gone/latest", CONFIG);
    put_manifest(read.home, ".ollama/models/manifests/r/library/dots/latest",
                 "../../../../elsewhere/secret.gguf");
    put(read.home, ".ollama/models/manifests/r/library/broken/latest", "{\"layers\": [");
    put(read.home, ".cache/huggingface/hub/models--a--b/snapshots/x/model.safetensors", "1");
    put_link(read.home, ".cache/huggingface/hub/models--a--b/snapshots/x/config.json",
             "../../../../../../elsewhere/config.json");
    put(read.home, ".cache/huggingface/hub/models--a--empty/refs/main", "x");
    look(&read);
    assert_int_equal(read.listing.count, 1);
    assert_string_equal(read.listing.model[0].name, "a/b");
    assert_string_equal(read.listing.model[0].family, "");
    end(&read);
}

static void a_hundred_are_listed_in_their_order(void **state)
{
    (void)state;
    struct read read;
    start(&read);
    for (size_t m = 0; m < 100; m++) {
        char path[200];
        snprintf(path, sizeof path, ".lmstudio/models/pub/r%02zu/m.gguf", m);
        put(read.home, path, "GGUF");
    }
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    look(&read);
    clock_gettime(CLOCK_MONOTONIC, &to);
    print_message("%.2f ms\n", (double)(to.tv_sec - from.tv_sec) * 1e3 +
                                   (double)(to.tv_nsec - from.tv_nsec) / 1e6);
    assert_int_equal(read.listing.count, 100);
    assert_string_equal(read.listing.model[0].name, "pub/r00/m");
    assert_string_equal(read.listing.model[99].name, "pub/r99/m");
    end(&read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_shelf_is_read_as_its_program_keeps_it),
        cmocka_unit_test(both_stacks_of_a_model_of_two_texts_are_counted),
        cmocka_unit_test(the_first_keys_of_a_gguf_say_what_it_is),
        cmocka_unit_test(nothing_outside_is_followed_and_damage_is_left_out),
        cmocka_unit_test(a_hundred_are_listed_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
