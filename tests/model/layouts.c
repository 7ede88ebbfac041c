/* The same weights under other names: whoever saved a model, under whichever prefix, as the base
 * class, as a classifier, as the text part of a model that sees, gives the same bits; what is not
 * computed is named. Every family's fixture is written anew in each of these layouts. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../opened.h"
#include "checkpoint.h"
#include "model/model.h"

static const char *fixtures;

enum { IDS = 5, TARGETS = 3, FAMILIES_MIN = 30, BARE_MAX = 4 };

static const uint32_t ids[IDS] = {3, 5, 7, 2, 9}, targets[TARGETS] = {0, 4, 6};

/* ---- names --------------------------------------------------------------------------------- */

static bool begins_with(const char *name, const char *beginning)
{
    return strncmp(name, beginning, strlen(beginning)) == 0;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), letters = strlen(end);
    return length >= letters && strcmp(name + length - letters, end) == 0;
}

/* Returns the length of the prefix before a body's names where transformers saves the model with
 * its head. */
static size_t stem_of(const char *name)
{
    static const char *const stems[] = {"transformer.", "gpt_neox.",   "bert.",
                                        "roberta.",     "distilbert.", "model."};
    for (size_t s = 0; s < sizeof stems / sizeof *stems; s++) {
        if (begins_with(name, stems[s])) {
            return strlen(stems[s]);
        }
    }
    return 0;
}

/* T5's body has no such prefix. */
static bool is_head(const char *name)
{
    return stem_of(name) == 0 && !begins_with(name, "encoder.") &&
           !begins_with(name, "decoder.block.") && !begins_with(name, "decoder.final_layer_norm") &&
           !begins_with(name, "shared.");
}

/* ---- layouts ------------------------------------------------------------------------------- */

struct layout {
    const char *name;
    const char *body,
        *head;          /* in place of the stem, and before names of the head; NULL: as it is */
    bool renames_norms; /* weight and bias of norms are gamma and beta */
    bool wraps_layers;  /* behind the first number stands _orig_mod */
    bool drops_head;
    const char *beside; /* a tensor that nothing reads */
    const char *left;   /* and what it is called */
    const char *class;  /* in place of the architecture */
    const char *around; /* what stands around the configuration, "text_config" */
};

static const struct layout layouts[] = {
    {.name = "torch.compile", .body = "_orig_mod.+", .head = "_orig_mod."},
    {.name = "DistributedDataParallel", .body = "module.+", .head = "module."},
    {.name = "PEFT", .body = "base_model.model.+", .head = "base_model.model."},
    {.name = "a prefix twice", .body = "model.+", .head = "model."},
    {.name = "several prefixes",
     .body = "model.net._orig_mod.module.+",
     .head = "model.net._orig_mod.module."},
    {.name = "compiled layers", .wraps_layers = true},
    {.name = "gamma and beta", .renames_norms = true},
    {.name = "without a prefix", .body = "", .head = ""},
    {.name = "a head within the body's prefix", .body = "net.body.", .head = "net.body."},
    {.name = "the base class",
     .body = "",
     .drops_head = true,
     .beside = "pooler.dense.weight",
     .left = "pooler",
     .class = "XModel"},
    {.name = "a classifier",
     .drops_head = true,
     .beside = "score.weight",
     .left = "score",
     .class = "XForSequenceClassification"},
    {.name = "a classifier of tokens, compiled",
     .body = "_orig_mod.+",
     .drops_head = true,
     .beside = "_orig_mod.classifier.weight",
     .left = "classifier",
     .class = "XForTokenClassification"},
    {.name = "a reward model",
     .drops_head = true,
     .beside = "v_head.summary.weight",
     .left = "v_head",
     .class = "XRewardModel"},
    {.name = "a value head",
     .beside = "v_head.summary.weight",
     .left = "v_head",
     .class = "XForCausalLMWithValueHead"},
    {.name = "a text part",
     .body = "model.language_model.",
     .head = "",
     .beside = "model.vision_tower.patch.weight",
     .left = "vision_tower",
     .class = "LlavaForConditionalGeneration",
     .around = "llava"},
    {.name = "an older text part",
     .body = "language_model.model.",
     .head = "language_model.",
     .beside = "multi_modal_projector.linear_1.weight",
     .left = "multi_modal_projector",
     .class = "Mistral3ForConditionalGeneration",
     .around = "mistral3"},
    {.name = "a compiled text part",
     .body = "_orig_mod.model.text_model.",
     .head = "_orig_mod.",
     .beside = "_orig_mod.model.vision_model.encoder.layers.0.self_attn.out_proj.weight",
     .left = "vision_model",
     .class = "Idefics3ForConditionalGeneration",
     .around = "idefics3"},
};

/* A name of rank 1 whose last part is weight belongs to a norm, and so does the bias beside it. */
static bool is_of_norm(const struct checkpoint *from, const struct tensor *tensor)
{
    const char *const dot = strrchr(tensor->name, '.');
    for (size_t t = 0; dot != NULL && t < from->count; t++) {
        const struct tensor *const other = &from->tensors[t];
        const size_t letters = (size_t)(dot - tensor->name);
        if (other->rank == 1 && strncmp(other->name, tensor->name, letters) == 0 &&
            strcmp(other->name + letters, ".weight") == 0) {
            return true;
        }
    }
    return false;
}

static const char *renamed(const struct layout *layout, const struct checkpoint *from,
                           const struct tensor *tensor, struct arena *arena)
{
    const char *const name = tensor->name;
    const char *const prefix = is_head(name) ? layout->head : layout->body;
    const size_t plus = prefix == NULL ? 0 : strcspn(prefix, "+");
    const bool keeps = prefix == NULL || is_head(name) || prefix[plus] == '+';
    const char *out = prefix == NULL ? name
                                     : arena_format(arena, "%.*s%s", (int)plus, prefix,
                                                    keeps ? name : name + stem_of(name));
    if (layout->wraps_layers && strpbrk(out, "0123456789") != NULL) {
        const size_t end =
            strcspn(out, "0123456789") + strspn(strpbrk(out, "0123456789"), "0123456789");
        out = out[end] == '.' ? arena_format(arena, "%.*s._orig_mod%s", (int)end, out, out + end)
                              : out;
    }
    if (layout->renames_norms && is_of_norm(from, tensor)) {
        const size_t before = (size_t)(strrchr(out, '.') - out);
        out = arena_format(arena, "%.*s.%s", (int)before, out,
                           ends_with(out, ".weight") ? "gamma" : "beta");
    }
    return out;
}

/* The configuration with another architecture, or inside another. */
static const char *configuration(const struct layout *layout, struct checkpoint *of)
{
    static const char mark[] = "\"architectures\": [";
    const struct bytes content = checkpoint_source(of, "config.json");
    const char *const text = arena_text(&of->arena, (const char *)content.at, content.size);
    const char *const at = text == NULL ? NULL : strstr(text, mark);
    assert_non_null(at);
    const char *const from = strchr(at, '"') + sizeof mark - 1, *const to = strchr(from, ']');
    if (layout->class == NULL) {
        return text;
    }
    const char *const inner =
        arena_format(&of->arena, "%.*s\"%s\"%s", (int)(from - text), text, layout->class, to);
    return layout->around == NULL
               ? inner
               : arena_format(
                     &of->arena,
                     "{\"model_type\":\"%s\",\"architectures\":[\"%s\"],\"text_config\":%s}",
                     layout->around, layout->class, inner);
}

static void write_layout(struct checkpoint *checkpoint, const struct layout *layout)
{
    static const uint8_t zeros[8];
    struct checkpoint *const made = malloc(sizeof *made);
    assert_non_null(made);
    *made = *checkpoint;
    made->count = 0;
    for (size_t t = 0; t < checkpoint->count; t++) {
        const struct tensor *const tensor = &checkpoint->tensors[t];
        if (!layout->drops_head || !is_head(tensor->name)) {
            made->tensors[made->count] = *tensor;
            made->tensors[made->count++].name = renamed(layout, checkpoint, tensor, &made->arena);
        }
    }
    if (layout->beside != NULL) {
        made->tensors[made->count++] =
            (struct tensor){layout->beside, "F32", 2, {1, 2}, {zeros, sizeof zeros}};
    }
    checkpoint_put(checkpoint, "model.safetensors", checkpoint_file(made, 0, made->count, ""));
    checkpoint->arena = made->arena; /* which has grown meanwhile */
    free(made);
    checkpoint_put_text(checkpoint, "config.json", configuration(layout, checkpoint));
}

/* ---- numbers ------------------------------------------------------------------------------- */

struct numbers {
    float *residual, *weights, *logits;
    size_t residuals, weight, logit;
};

static struct numbers numbers_of(const struct model *model, const char *name)
{
    struct error error = {ERROR_NONE, 0, ""};
    const struct model_config *const config = model_config(model);
    const bool pair = model_has_target(model);
    struct model_run *const run = model_run_start(
        model,
        &(struct model_request){
            .ids = ids, .count = IDS, .target_ids = targets, .target_count = pair ? TARGETS : 0},
        &error);
    if (run == NULL) {
        fail_msg("%s: %s", name, error.text);
    }
    const size_t n = model_run_count(run), words = model_has_logits(model) ? config->vocabulary : 0;
    struct numbers out = {.residuals = n * config->width,
                          .weight = config->layers * config->heads * n * n,
                          .logit = n * words};
    out.residual = malloc(out.residuals * sizeof(float));
    out.weights = malloc(out.weight * sizeof(float));
    out.logits = malloc((out.logit + 1) * sizeof(float));
    assert_true(out.residual != NULL && out.weights != NULL && out.logits != NULL);
    memcpy(out.residual, model_run_residual(run, config->layers), out.residuals * sizeof(float));
    for (size_t h = 0; h < config->layers * config->heads; h++) {
        model_run_weights(run, h / config->heads, h % config->heads, out.weights + h * n * n);
    }
    assert_true(words == 0 || model_run_logits(run, 0, n, out.logits, &error));
    model_run_close(run);
    return out;
}

static void forget(struct numbers *numbers)
{
    free(numbers->residual);
    free(numbers->weights);
    free(numbers->logits);
}

static void expect_bits(const char *where, const char *what, const float *got, size_t count,
                        const float *wanted, size_t wanted_count)
{
    if (count != wanted_count || memcmp(got, wanted, count * sizeof *got) != 0) {
        fail_msg("%s: other %s", where, what);
    }
}

/* The tensors beside the model are named, and its own only under their usual names. */
static void expect_left_out(const char *where, const struct model *model,
                            const struct layout *layout, size_t usual)
{
    size_t count = 0, beside = 0;
    const struct model_left_out *const left = model_left_out(model, &count);
    for (size_t i = 0; layout->left != NULL && i < count; i++) {
        beside += strcmp(left[i].name, layout->left) == 0 && left[i].tensors == 1;
    }
    if (beside != (layout->left == NULL ? 0 : 1) || count - beside > usual) {
        fail_msg("%s: left out are %zu, the first is %s", where, count,
                 count > 0 ? left[0].name : "none");
    }
}

static void expect_layout(struct checkpoint *checkpoint, const char *family,
                          const struct layout *layout, const struct numbers *wanted, size_t usual)
{
    char where[128];
    struct error error = {ERROR_NONE, 0, ""};
    snprintf(where, sizeof where, "%.60s, %.60s", family, layout->name);
    write_layout(checkpoint, layout);
    struct model *const model = open_model(checkpoint->folder, &error);
    if (model == NULL) {
        fail_msg("%s: %s", where, error.text);
    }
    assert_int_equal(model_config(model)->text_part, layout->around != NULL);
    expect_left_out(where, model, layout, usual);
    struct numbers got = numbers_of(model, where);
    expect_bits(where, "residual", got.residual, got.residuals, wanted->residual,
                wanted->residuals);
    expect_bits(where, "weights", got.weights, got.weight, wanted->weights, wanted->weight);
    expect_bits(where, "logits", got.logits, got.logit, wanted->logits,
                layout->drops_head ? 0 : wanted->logit);
    forget(&got);
    model_close(model);
}

static void every_layout_of_every_family_is_the_same_model(void **state)
{
    (void)state;
    DIR *const folder = opendir(fixtures);
    size_t families = 0, whole = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        static struct checkpoint checkpoint;
        char source[4096];
        struct error error = {ERROR_NONE, 0, ""};
        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(source, sizeof source, "%s/%s", fixtures, entry->d_name);
        checkpoint_open(&checkpoint, source);
        struct model *const model = open_model(source, &error);
        if (model == NULL) {
            fail_msg("%s: %s", entry->d_name, error.text);
        }
        struct numbers wanted = numbers_of(model, entry->d_name);
        size_t left = 0;
        (void)model_left_out(model, &left);
        whole += left == 0 ? 1 : 0;
        model_close(model);
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
            expect_layout(&checkpoint, entry->d_name, &layouts[l], &wanted, left);
        }
        forget(&wanted);
        checkpoint_close(&checkpoint);
        families++;
    }
    closedir(folder);
    assert_true(whole >= FAMILIES_MIN && families - whole <= BARE_MAX);
}

/* ---- configurations ------------------------------------------------------------------------ */

/* Members that a text part leaves out have the values of its class. */
static void a_text_part_may_leave_out_what_is_usual(void **state)
{
    (void)state;
#define WHOLE(type, part) "{\"model_type\":\"" type "\",\"text_config\":{" part "}}"
    static const struct {
        const char *config, *family;
        size_t layers, heads, groups, d_k, width, inner, positions, vocabulary, window;
        double theta;
    } rows[] = {
        /* As Gemma 3 4B was published. */
        {WHOLE("gemma3",
               "\"hidden_size\":2560,\"intermediate_size\":10240,\"model_type\":"
               "\"gemma3_text\",\"num_hidden_layers\":34,\"rope_scaling\":{\"factor\":8.0,"
               "\"rope_type\":\"linear\"},\"sliding_window\":1024"),
         "gemma3", 34, 8, 4, 256, 2560, 10240, 131072, 262208, 1024, 1e6},
        /* LLaVA 1.5 7B. */
        {WHOLE("llava",
               "\"max_position_embeddings\":4096,\"model_type\":\"llama\",\"rms_norm_eps\":"
               "1e-05,\"vocab_size\":32064"),
         "llama", 32, 32, 32, 128, 4096, 11008, 4096, 32064, 0, 1e4},
        /* LLaVA-NeXT with Mistral. */
        {WHOLE("llava_next", "\"intermediate_size\":14336,\"max_position_embeddings\":32768,"
                             "\"model_type\":\"mistral\",\"num_key_value_heads\":8,"
                             "\"sliding_window\":null,\"vocab_size\":32064"),
         "mistral", 32, 32, 8, 128, 4096, 14336, 32768, 32064, 0, 1e4},
        {WHOLE("llava", "\"model_type\":\"mistral\""), "mistral", 32, 32, 8, 128, 4096, 14336,
         131072, 32000, 4096, 1e4},
        {WHOLE("llava_onevision", "\"hidden_size\":896,\"num_attention_heads\":14,"
                                  "\"num_key_value_heads\":2"),
         "qwen2", 32, 14, 2, 64, 896, 22016, 32768, 151936, 0, 1e4},
        {WHOLE("qwen3_vl", "\"num_key_value_heads\":8"), "qwen3", 32, 32, 8, 128, 4096, 22016,
         128000, 151936, 0, 5e5},
        {WHOLE("qwen2_5_vl", "\"num_hidden_layers\":2"), "qwen2", 2, 64, 8, 128, 8192, 29568, 32768,
         152064, 0, 1e6},
        /* Qwen2-VL as it was published: its sizes stand among the others. */
        {"{\"model_type\":\"qwen2_vl\",\"hidden_size\":1536,\"num_attention_heads\":12,"
         "\"num_key_value_heads\":2,\"intermediate_size\":8960,\"num_hidden_layers\":28,"
         "\"rope_theta\":1000000.0,\"sliding_window\":32768,\"use_sliding_window\":false,"
         "\"rope_scaling\":{\"type\":\"mrope\",\"mrope_section\":[16,24,24]},\"vocab_size\":151936,"
         "\"tie_word_embeddings\":true,\"vision_config\":{\"depth\":32}}",
         "qwen2", 28, 12, 2, 128, 1536, 8960, 32768, 151936, 0, 1e6},
    };
    struct checkpoint checkpoint = {.folder = "checkpoint-XXXXXX"};
    assert_non_null(mkdtemp(checkpoint.folder));
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        static struct model_config config;
        struct error error = {ERROR_NONE, 0, ""};
        checkpoint_put_text(&checkpoint, "config.json", rows[r].config);
        if (!read_config(checkpoint.folder, &config, &error)) {
            fail_msg("%s: %s", rows[r].config, error.text);
        }
        assert_string_equal(config.family->name, rows[r].family);
        assert_true(config.text_part);
        const size_t got[] = {config.layers,    config.heads,      config.groups,
                              config.d_k,       config.width,      config.inner,
                              config.positions, config.vocabulary, config.window};
        const size_t wanted[] = {rows[r].layers,    rows[r].heads,      rows[r].groups,
                                 rows[r].d_k,       rows[r].width,      rows[r].inner,
                                 rows[r].positions, rows[r].vocabulary, rows[r].window};
        for (size_t i = 0; i < sizeof got / sizeof *got; i++) {
            if (got[i] != wanted[i]) {
                fail_msg("%s: size %zu is %zu, expected %zu", rows[r].config, i, got[i], wanted[i]);
            }
        }
        assert_true(config.rotary[0].theta >= rows[r].theta &&
                    config.rotary[0].theta <= rows[r].theta);
    }
    checkpoint_close(&checkpoint);
}

/* A text part that no family computes is refused by its name; so is a whole one of another kind. */
static void other_text_parts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *config, *says;
    } rows[] = {
        {WHOLE("mistral3", "\"model_type\":\"ministral3\""),
         "config.json: the model_type “ministral3” of its text part is not known; a few lines of"},
        {WHOLE("llava", "\"model_type\":\"cohere\""), "the model_type “cohere” of its text part"},
        {WHOLE("paligemma", "\"model_type\":\"gemma\""),
         "config.json: PaliGemma sees its whole prompt in both directions, which is not computed;"},
        {WHOLE("gemma3n", "\"model_type\":\"gemma3n_text\""), "its model_type “gemma3n” is not"},
        {WHOLE("mllama", "\"model_type\":\"mllama_text_model\""), "its model_type “mllama” is not"},
        {"{\"model_type\":\"gemma3\"}", "config.json: it does not say text_config."},
        {"{\"model_type\":\"llava\",\"text_config\":null}", "it does not say text_config."},
        {"{\"model_type\":\"llava\",\"text_config\":[]}", "it does not say text_config."},
        {WHOLE("llava", "\"num_hidden_layers\":0"),
         "config.json: num_hidden_layers must be a whole"},
    };
    struct checkpoint checkpoint = {.folder = "checkpoint-XXXXXX"};
    assert_non_null(mkdtemp(checkpoint.folder));
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        static struct model_config config;
        struct error error = {ERROR_NONE, 0, ""};
        checkpoint_put_text(&checkpoint, "config.json", rows[r].config);
        assert_false(read_config(checkpoint.folder, &config, &error));
        if (strstr(error.text, rows[r].says) == NULL || strlen(error.text) > 200) {
            fail_msg("%s: “%s” does not say “%s”", rows[r].config, error.text, rows[r].says);
        }
    }
    checkpoint_close(&checkpoint);
}

/* ---- files that are no such model ---------------------------------------------------------- */

/* The refusal says what helps: for adapters, for two models in one file, and for unknown names. */
static void other_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *prefix, *again, *beside, *says;
    } rows[] = {
        {"base_model.model.", NULL,
         "base_model.model.model.layers.0.self_attn.q_proj.lora_A.default.weight",
         "that are not merged; in Python: model.merge_and_unload().save_pretrained(folder)."},
        {"document.", "query.", NULL,
         "it holds two models, “document.model.” and “query.model.”; save one of them alone."},
        {"", NULL, NULL,
         "as are all that the Llama family has; the first one is called lm_head/weight."},
    };
    static struct checkpoint checkpoint;
    char source[4096];
    snprintf(source, sizeof source, "%s/llama2", fixtures);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct error error = {ERROR_NONE, 0, ""};
        checkpoint_open(&checkpoint, source);
        checkpoint_put(&checkpoint, "config.json", checkpoint_source(&checkpoint, "config.json"));
        const size_t count = checkpoint.count;
        for (size_t t = 0; t < count; t++) {
            struct tensor *const tensor = &checkpoint.tensors[t];
            if (rows[r].again != NULL) {
                checkpoint.tensors[checkpoint.count] = *tensor;
                checkpoint.tensors[checkpoint.count++].name =
                    arena_format(&checkpoint.arena, "%s%s", rows[r].again, tensor->name);
            }
            char *const name =
                arena_format(&checkpoint.arena, "%s%s", rows[r].prefix, tensor->name);
            for (char *dot = name; rows[r].prefix[0] == '\0' && (dot = strchr(dot, '.')) != NULL;) {
                *dot = '/'; /* as other libraries part names */
            }
            tensor->name = name;
        }
        if (rows[r].beside != NULL) {
            checkpoint.tensors[checkpoint.count] = checkpoint.tensors[0];
            checkpoint.tensors[checkpoint.count++].name = rows[r].beside;
        }
        checkpoint_put(&checkpoint, "model.safetensors",
                       checkpoint_file(&checkpoint, 0, checkpoint.count, ""));
        assert_null(open_model(checkpoint.folder, &error));
        if (strstr(error.text, rows[r].says) == NULL || strlen(error.text) > 200) {
            fail_msg("“%s” does not say “%s”", error.text, rows[r].says);
        }
        checkpoint_close(&checkpoint);
    }
}

static void an_adapter_alone_is_refused(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct checkpoint checkpoint = {.folder = "checkpoint-XXXXXX"};
    static const char says[] = "an adapter of PEFT without its model. In Python: "
                               "model.merge_and_unload().save_pretrained(other)";
    assert_non_null(mkdtemp(checkpoint.folder));
    checkpoint_put_text(&checkpoint, "adapter_config.json", "{\"peft_type\":\"LORA\"}");
    assert_null(open_model(checkpoint.folder, &error));
    assert_non_null(strstr(error.text, says));
    checkpoint_put_text(&checkpoint, "adapter_model.safetensors", "");
    checkpoint_put_text(&checkpoint, "config.json",
                        "{\"model_type\":\"llama\",\"num_hidden_layers\":1,"
                        "\"num_attention_heads\":2,\"hidden_size\":8,"
                        "\"max_position_embeddings\":9,\"vocab_size\":5}");
    assert_null(open_model(checkpoint.folder, &error));
    assert_non_null(strstr(error.text, says));
    checkpoint_close(&checkpoint);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_part_may_leave_out_what_is_usual),
        cmocka_unit_test(other_text_parts_are_refused),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(an_adapter_alone_is_refused),
        cmocka_unit_test(every_layout_of_every_family_is_the_same_model),
    };
    if (count != 2) {
        return 1;
    }
    fixtures = arguments[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
