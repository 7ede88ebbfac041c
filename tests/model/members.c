/* The effect of each member of config.json, family by family: the configurations that transformers
 * saves (tests/model/fixtures) with one member changed. A member that is read is refused where its
 * value is senseless, one without effect is ignored, one that is not computed is refused by name,
 * and an unknown one is named. */
#include <dirent.h>
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
#include "file/json.h"
#include "model/model_config_members.h"

static const char *fixtures;

/* A folder with a config.json that changes. */
struct place {
    char folder[16], path[32];
};

static struct place make_place(void)
{
    struct place place = {.folder = "members-XXXXXX"};
    assert_non_null(mkdtemp(place.folder));
    snprintf(place.path, sizeof place.path, "%s/config.json", place.folder);
    return place;
}

static void drop_place(const struct place *place)
{
    unlink(place->path);
    rmdir(place->folder);
}

static bool read_text(const struct place *place, const char *text, struct model_config *config,
                      struct error *error)
{
    FILE *const file = fopen(place->path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    *error = (struct error){ERROR_NONE, 0, ""};
    return read_config(place->folder, config, error);
}

/* A configuration with one member in place of its own and of another, which would count before it.
 */
static const char *with(const struct json *tree, const char *name, const char *value,
                        const char *without, struct arena *arena)
{
    struct json_writer json = json_writer_start(arena);
    struct bytes text;
    void *place = NULL;
    const char *key = NULL;
    json_begin_object(&json);
    for (const struct json *member; (member = json_next_member(tree, &place, &key)) != NULL;) {
        if (strcmp(key, name) != 0 && strcmp(key, without) != 0) {
            json_key(&json, key);
            json_put_value(&json, member);
        }
    }
    json_end_object(&json);
    assert_true(json_writer_finish(&json, &text, NULL));
    const char *const rest = arena_text(arena, (const char *)text.at, text.size);
    return arena_format(arena, "{\"%s\": %s,%s", name, value, rest + 1);
}

/* The configurations of all fixtures, one after the other. */
struct tree {
    const char *fixture;
    struct json *json;
    const struct model_family *family;
};

static size_t read_trees(struct tree *trees, size_t most, struct arena *arena)
{
    DIR *const folder = opendir(fixtures);
    size_t count = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        struct bytes text;
        const char *type = NULL;
        const char *const path = arena_format(arena, "%s/%s/config.json", fixtures, entry->d_name);
        if (entry->d_name[0] == '.' || !file_read(path, 1 << 20, arena, &text, NULL)) {
            continue;
        }
        assert_in_range(count, 0, most - 1);
        trees[count].fixture = arena_format(arena, "%s", entry->d_name);
        trees[count].json = json_parse(text, NULL);
        assert_true(json_text(json_member(trees[count].json, "model_type"), &type));
        trees[count].family = model_family_of_type(type);
        assert_non_null(trees[count].family);
        count++;
    }
    closedir(folder);
    return count;
}

/* Members that other files read: where tensors are looked for, and heads named. */
static bool is_read_elsewhere(const char *name)
{
    return model_list_has("architectures|quantization_config|compression_config", name);
}

/* The member that counts before this one where both are said. */
static const char *before(const char *name)
{
    static const char *const rows[][2] = {{"n_ctx", "n_positions"},
                                          {"num_local_experts", "num_experts"},
                                          {"n_routed_experts", "num_experts"},
                                          {"pad_token_id", "decoder_start_token_id"},
                                          {"sliding_window_pattern", "layer_types"},
                                          {"global_attn_every_n_layers", "layer_types"},
                                          {"max_window_layers", "layer_types"},
                                          {"rope_parameters", "rope_scaling"},
                                          {"attention_types", "attention_layers"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (strcmp(rows[r][0], name) == 0) {
            return rows[r][1];
        }
    }
    return "";
}

/* Reads a configuration in which the member has another value. */
static bool reads(const struct place *place, const struct tree *tree, const char *name,
                  const char *value, struct model_config *config, struct error *error)
{
    struct arena arena = {0};
    const bool read =
        read_text(place, with(tree->json, name, value, before(name), &arena), config, error);
    arena_free(&arena);
    return read;
}

/* The first of several values, as JSON. */
static void write_usual(const char *usual, char text[64])
{
    const int length = (int)strcspn(usual, "|");
    const bool word = strchr("tf0123456789", usual[0]) == NULL;
    if (strcmp(usual, "empty") == 0) {
        snprintf(text, 64, "{}");
    } else {
        snprintf(text, 64, "%s%.*s%s", word ? "\"" : "", length, usual, word ? "\"" : "");
    }
}

/* A member that is read, or refused, where it is NaN as Python's json writes it. */
static void look_at(const struct place *place, const struct tree *tree, const char *name,
                    enum config_effect effect, const char *usual)
{
    struct model_config config;
    struct error error;
    char text[64];
    if (reads(place, tree, name, "NaN", &config, &error) || strstr(error.text, name) == NULL) {
        fail_msg("%s: %s is NaN: %s", tree->fixture, name,
                 error.code == ERROR_NONE ? "it is read" : error.text);
    }
    if (effect != CONFIG_REFUSED) {
        return;
    }
    write_usual(usual, text);
    if (!reads(place, tree, name, text, &config, &error) ||
        !reads(place, tree, name, "null", &config, &error)) {
        fail_msg("%s: %s is %s: %s", tree->fixture, name, text, error.text);
    }
    write_usual(strcmp(usual, "false") == 0 ? "true" : "other", text);
    assert_false(reads(place, tree, name, text, &config, &error));
}

/* All members without effect at once: whatever they hold, the configuration is read. */
static void look_at_the_rest(const struct place *place, const struct tree *tree,
                             const char *const *names, size_t count)
{
    struct arena arena = {0};
    struct model_config config;
    struct error error;
    struct growing text = growing_start(&arena);
    struct bytes whole;
    void *at = NULL;
    const char *key = NULL;
    struct json_writer json = json_writer_start(&arena);
    json_begin_object(&json);
    for (const struct json *member; (member = json_next_member(tree->json, &at, &key)) != NULL;) {
        bool named = false;
        for (size_t n = 0; n < count && !named; n++) {
            named = strcmp(names[n], key) == 0;
        }
        if (!named) {
            json_key(&json, key);
            json_put_value(&json, member);
        }
    }
    json_end_object(&json);
    assert_true(json_writer_finish(&json, &whole, NULL));
    growing_put_text(&text, "{");
    for (size_t n = 0; n < count; n++) {
        growing_put_text(&text, arena_format(&arena, "\"%s\": NaN, ", names[n]));
    }
    growing_put_text(&text, arena_text(&arena, (const char *)whole.at + 1, whole.size - 1));
    assert_true(growing_finish(&text, &whole, NULL));
    if (!read_text(place, arena_text(&arena, (const char *)whole.at, whole.size), &config,
                   &error)) {
        fail_msg("%s: %s", tree->fixture, error.text);
    }
    arena_free(&arena);
}

static void look_at_all(const struct place *place, const struct tree *tree, size_t count[4])
{
    struct arena arena = {0};
    enum { NAMES = 512 };
    const char *rest[NAMES], *usual = NULL;
    char name[CONFIG_NAME_MAX];
    size_t rest_count = 0;
    for (size_t i = 0; config_name_at(tree->family, CONFIG_TOP, i, name) != NULL; i++) {
        const enum config_effect effect = config_effect_of(tree->family, CONFIG_TOP, name, &usual);
        bool seen = false;
        for (size_t r = 0; r < rest_count && !seen; r++) {
            seen = strcmp(rest[r], name) == 0;
        }
        count[effect]++;
        if (effect == CONFIG_NO_EFFECT || is_read_elsewhere(name)) {
            assert_in_range(rest_count, 0, NAMES - 1);
            rest[rest_count] = arena_text(&arena, name, strlen(name));
            rest_count += seen ? 0 : 1;
        } else {
            look_at(place, tree, name, effect, usual);
        }
    }
    look_at_the_rest(place, tree, rest, rest_count);
    arena_free(&arena);
}

static void each_member_does_what_its_row_says(void **state)
{
    (void)state;
    enum { TREES = 128, FAMILIES = 25 };
    static struct tree trees[TREES];
    struct arena arena = {0};
    struct place place = make_place();
    size_t count[4] = {0}, families = 0;
    const size_t tree_count = read_trees(trees, TREES, &arena);
    for (size_t t = 0; t < tree_count; t++) {
        bool seen = false;
        for (size_t before_it = 0; before_it < t; before_it++) {
            seen = seen || trees[before_it].family == trees[t].family;
        }
        families += seen ? 0 : 1;
        if (!seen) {
            look_at_all(&place, &trees[t], count);
        }
    }
    for (size_t t = 0; t < tree_count; t++) {
        json_release(trees[t].json);
    }
    assert_true(families >= FAMILIES && count[CONFIG_UNKNOWN] == 0);
    assert_true(count[CONFIG_READ] > 500 && count[CONFIG_NO_EFFECT] > 2000 &&
                count[CONFIG_REFUSED] > 100);
    drop_place(&place);
    arena_free(&arena);
}

/* ---- single rules -------------------------------------------------------------------------- */

#define SIZES                                                                                      \
    "\"num_hidden_layers\": 2, \"num_attention_heads\": 2, \"intermediate_size\": 8, "             \
    "\"max_position_embeddings\": 20, \"vocab_size\": 9, "
#define LLAMA "{\"model_type\": \"llama\", \"hidden_size\": 8, " SIZES
#define BERT "{\"model_type\": \"bert\", \"hidden_size\": 8, " SIZES
#define T5                                                                                         \
    "{\"model_type\": \"t5\", \"d_model\": 8, \"num_layers\": 2, \"num_heads\": 2, \"d_ff\": 8, "  \
    "\"vocab_size\": 9, "

/* The refusal of a configuration; NULL: it is read. */
static const struct {
    const char *text, *refusal;
} rules[] = {
    {LLAMA "\"x\": 0}", NULL},
    {LLAMA "\"rope_scaling\": {\"type\": \"spiral\"}}", "“spiral”"},
    {LLAMA "\"rope_scaling\": {\"type\": \"proportional\", \"factor\": 2}}", "“proportional”"},
    {LLAMA "\"rope_scaling\": {\"type\": \"dynamic\"}}", "factor"},
    {LLAMA "\"rope_scaling\": {\"type\": \"mrope\", \"mrope_section\": [1, 1]}}", NULL},
    {LLAMA "\"rope_scaling\": {\"type\": \"linear\", \"factor\": NaN}}", "factor"},
    {LLAMA "\"rope_parameters\": {\"partial_rotary_factor\": 0.5}}",
     "rope_parameters.partial_rotary_factor is 0.5"},
    {LLAMA "\"rope_parameters\": {\"partial_rotary_factor\": 1.0}}", NULL},
    {LLAMA "\"partial_rotary_factor\": 0.5}", "partial_rotary_factor is 0.5"},
    {LLAMA "\"rms_norm_eps\": NaN}", "rms_norm_eps must be a number between 0 and 1"},
    {LLAMA "\"initializer_range\": Infinity, \"attention_dropout\": -Infinity}", NULL},
    {LLAMA "\"head_dim\": 5}", "5 numbers of a head of 5 cannot turn"},
    {LLAMA "\"hidden_act\": \"gelu_python\"}", NULL},
    {LLAMA "\"hidden_act\": \"quick_gelu\"}", "“quick_gelu”"},
    {LLAMA "\"hidden_act\": \"gelu_10\"}", "“gelu_10”"},
    {LLAMA "\"hidden_act\": \"relu2\"}", "“relu2”"},
    {LLAMA "\"per_layer_config\": {\"0\": {\"head_dim\": 2}}}", "per_layer_config is not empty"},
    {LLAMA "\"pruned_heads\": {\"0\": [1]}}", "pruned_heads is not empty"},
    {BERT "\"position_embedding_type\": \"relative_key\"}",
     "position_embedding_type is relative_key"},
    {BERT "\"position_embedding_type\": \"relative_key_query\"}", "relative_key_query"},
    {BERT "\"add_cross_attention\": true, \"is_decoder\": true}", "add_cross_attention is true"},
    {T5 "\"feed_forward_proj\": \"gated-quick_gelu\"}", "“gated-quick_gelu”"},
    {T5 "\"feed_forward_proj\": 3}", "feed_forward_proj must be a text"},
    {"{\"model_type\": \"phi\", \"hidden_size\": 24, \"partial_rotary_factor\": 0.25, " SIZES
     "\"x\": 0}",
     "3 numbers of a head of 12 cannot turn"},
    {"{\"model_type\": \"gpt_neox\", \"hidden_size\": 24, \"rotary_pct\": 0.25, " SIZES
     "\"rope_scaling\": {\"type\": \"yarn\", \"factor\": 2}}",
     "3 numbers of a head of 12 cannot turn"},
    {"{\"model_type\": \"gpt_neox\", \"hidden_size\": 10, \"rotary_pct\": 1, " SIZES "\"x\": 0}",
     "5 numbers of a head of 5 cannot turn"},
    {"{\"model_type\": \"qwen2\", \"hidden_size\": 8, " SIZES
     "\"layer_types\": [\"full_attention\", \"chunked_attention\"]}",
     "layer_types names “chunked_attention”"},
    {"{\"model_type\": \"qwen2\", \"hidden_size\": 8, " SIZES
     "\"layer_types\": [\"full_attention\", \"sliding_attention\"]}",
     "layer 1 has a window"},
    {"{\"model_type\": \"gemma2\", \"hidden_size\": 8, \"head_dim\": 4, " SIZES
     "\"sliding_window\": null}",
     "layer 0 has a window"},
    {"{\"model_type\": \"mistral\", \"hidden_size\": 8, " SIZES "\"sliding_window\": null}", NULL},
    {"{\"model_type\": \"gpt_neo\", \"hidden_size\": 8, " SIZES
     "\"attention_types\": [[[\"global\", \"elsewhere\"], 1]]}",
     "attention_types names “elsewhere”"},
};

static void what_is_not_computed_is_refused_by_name(void **state)
{
    (void)state;
    struct place place = make_place();
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        struct model_config config;
        struct error error;
        const bool read = read_text(&place, rules[r].text, &config, &error);
        if (read != (rules[r].refusal == NULL) ||
            (!read && strstr(error.text, rules[r].refusal) == NULL)) {
            fail_msg("%s\n  %s", rules[r].text, read ? "is read" : error.text);
        }
    }
    drop_place(&place);
}

/* Unknown members are named, in the order of the file, as far as there is room; all are counted. */
static void what_nobody_knows_is_named(void **state)
{
    (void)state;
    enum { MANY = 400 };
    static char text[16384];
    struct place place = make_place();
    struct arena arena = {0};
    struct model_config config;
    struct error error;
    assert_true(read_text(&place,
                          LLAMA "\"foo\": 1, \"use_cache\": 0, \"logit_scale\": 2, "
                                "\"rope_parameters\": {\"rope_type\": \"default\", \"bar\": {}}}",
                          &config, &error));
    assert_string_equal(model_config_ignored(&config, &arena),
                        "foo, logit_scale, rope_parameters.bar");
    size_t at = (size_t)snprintf(text, sizeof text, LLAMA);
    for (int i = 0; i < MANY; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "\"member_%03d\": %d%s", i, i,
                               i + 1 < MANY ? ", " : "}");
    }
    assert_true(read_text(&place, text, &config, &error));
    assert_int_equal(config.ignored_count, MANY);
    assert_in_range(config.ignored_listed, 100, MANY - 1);
    assert_string_equal(model_config_ignored_at(&config, config.ignored_listed - 1),
                        arena_format(&arena, "member_%03zu", config.ignored_listed - 1));
    assert_null(model_config_ignored_at(&config, config.ignored_listed));
    const char *const more =
        arena_format(&arena, "(%zu more)", (size_t)MANY - config.ignored_listed);
    assert_non_null(strstr(model_config_ignored(&config, &arena), more));
    drop_place(&place);
    arena_free(&arena);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_member_does_what_its_row_says),
        cmocka_unit_test(what_is_not_computed_is_refused_by_name),
        cmocka_unit_test(what_nobody_knows_is_named),
    };
    if (count != 2) {
        return 1;
    }
    fixtures = arguments[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
