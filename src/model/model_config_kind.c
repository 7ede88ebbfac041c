/* model/model_config_kind.c — which model a config.json describes: its family, the text part of one
 * that sees or hears too, and whether its architecture has a head for words. Facts of classes as in
 * Hugging Face's transformers (models/X/configuration_X.py, modeling_X.py). */
#include <string.h>

#include "model/model_config_json.h"

/* ---- models with a text part --------------------------------------------------------------- */

/* Model types whose text part computes a text without pictures or sound as a family alone does. Its
 * sizes stand in an object of their own, text_config, or, in files of some, among the others. */
static const struct composite {
    const char *types;
    const char *text; /* the model_type of the part where it says none */
    bool flat;        /* its sizes may stand among the others */
} composites[] = {
    {"llava|llava_next|llava_next_video|vipllava|video_llava|idefics3|smolvlm|deepseek_vl|"
     "deepseek_vl_hybrid|janus|voxtral",
     "llama", false},
    {"mistral3|idefics2", "mistral", false},
    {"llava_onevision|internvl|got_ocr2|ovis2|qwen2_audio|audioflamingo3|video_llama_3", "qwen2",
     false},
    {"lighton_ocr", "qwen3", false},
    {"gemma3", "gemma3_text", false},
    {"qwen3_vl", "qwen3_vl_text", false},
    {"qwen2_vl", "qwen2_vl_text", true},
    {"qwen2_5_vl", "qwen2_5_vl_text", true},
    {"llava_llama", "llama", true},
    {"llava_mistral", "mistral", true},
    {"llava_qwen", "qwen2", true},
};

/* Values of a text part's class that hold where its config.json has none: files of composites leave
 * out the usual ones. */
static const struct usual {
    const char *types, *members;
} usuals[] = {
    {"llama",
     "{\"vocab_size\":32000,\"hidden_size\":4096,\"intermediate_size\":11008,"
     "\"num_hidden_layers\":32,\"num_attention_heads\":32,\"max_position_embeddings\":2048}"},
    {"mistral", "{\"vocab_size\":32000,\"hidden_size\":4096,\"intermediate_size\":14336,"
                "\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":8,"
                "\"max_position_embeddings\":131072,\"sliding_window\":4096}"},
    {"qwen2", "{\"vocab_size\":151936,\"hidden_size\":4096,\"intermediate_size\":22016,"
              "\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":32,"
              "\"max_position_embeddings\":32768,\"use_sliding_window\":false}"},
    {"qwen2_vl_text|qwen2_5_vl_text",
     "{\"vocab_size\":152064,\"hidden_size\":8192,\"intermediate_size\":29568,"
     "\"num_hidden_layers\":80,\"num_attention_heads\":64,\"num_key_value_heads\":8,"
     "\"max_position_embeddings\":32768,\"rms_norm_eps\":1e-5,\"rope_theta\":1000000,"
     "\"use_sliding_window\":false}"},
    {"qwen3", "{\"vocab_size\":151936,\"hidden_size\":4096,\"intermediate_size\":22016,"
              "\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":32,"
              "\"head_dim\":128,\"max_position_embeddings\":32768,\"use_sliding_window\":false}"},
    {"qwen3_vl_text",
     "{\"vocab_size\":151936,\"hidden_size\":4096,\"intermediate_size\":22016,"
     "\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":32,"
     "\"head_dim\":128,\"max_position_embeddings\":128000,\"rope_theta\":500000}"},
    {"gemma2",
     "{\"vocab_size\":256000,\"hidden_size\":2304,\"intermediate_size\":9216,"
     "\"num_hidden_layers\":26,\"num_attention_heads\":8,\"num_key_value_heads\":4,"
     "\"head_dim\":256,\"max_position_embeddings\":8192,\"query_pre_attn_scalar\":256,"
     "\"sliding_window\":4096,\"final_logit_softcapping\":30,\"attn_logit_softcapping\":50}"},
    {"gemma3_text",
     "{\"vocab_size\":262208,\"hidden_size\":2304,\"intermediate_size\":9216,"
     "\"num_hidden_layers\":26,\"num_attention_heads\":8,\"num_key_value_heads\":4,"
     "\"head_dim\":256,\"max_position_embeddings\":131072,\"query_pre_attn_scalar\":256,"
     "\"sliding_window\":4096}"},
};

static const struct composite *composite_of(const char *type)
{
    for (size_t c = 0; c < sizeof composites / sizeof *composites; c++) {
        if (model_list_has(composites[c].types, type)) {
            return &composites[c];
        }
    }
    return NULL;
}

static bool add_usual(struct json *text, const char *type)
{
    bool fine = true;
    for (size_t u = 0; u < sizeof usuals / sizeof *usuals; u++) {
        if (model_list_has(usuals[u].types, type)) {
            const char *const members = usuals[u].members;
            struct json *const tree =
                json_parse((struct bytes){(const uint8_t *)members, strlen(members)}, NULL);
            fine = fine && tree != NULL && json_add_members(text, tree, NULL);
            json_release(tree);
        }
    }
    return fine;
}

/* Puts members of the whole before those of its text part. */
static struct json *join_text_part(const struct json *whole, const struct json *part,
                                   const char *type, struct error *error)
{
    static const char *const of_whole[] = {"architectures",       "eos_token_id",
                                           "quantization_config", "quantization",
                                           "compression_config",  NULL};
    static const char *const tied[] = {"tie_word_embeddings", NULL};
    struct json *const text = json_make_object();
    bool ties = false;
    (void)json_truth(json_member(whole, tied[0]), &ties);
    if (text == NULL || !json_add_members(text, whole, of_whole) ||
        (ties && !json_add_members(text, whole, tied)) || !json_add_members(text, part, NULL) ||
        !add_usual(text, type)) {
        json_release(text);
        error_set(error, ERROR_MEMORY, "There is not enough memory for this model.");
        return NULL;
    }
    return text;
}

/* ---- families ------------------------------------------------------------------------------ */

/* Refuses a type of model that is no text of a family. */
static enum model_foreign refuse_type(const struct json *tree, const char *type, bool is_part,
                                      struct error *error)
{
    const bool prompt = strcmp(type, "paligemma") == 0;
    const enum model_foreign foreign =
        prompt || is_part ? MODEL_FOREIGN_TEXT : model_foreign_of(tree, type);
    if (prompt) {
        error_set(error, ERROR_INPUT,
                  "config.json: PaliGemma sees its whole prompt in both directions, which is not "
                  "computed; a few lines of Python save what can be opened (manual, For "
                  "researchers).");
    } else if (is_part) {
        error_set(error, ERROR_INPUT,
                  "config.json: the model_type “%.24s” of its text part is not known; a few lines "
                  "of Python save what can be opened (manual, For researchers).",
                  type);
    } else {
        (void)model_foreign_refuse(foreign, type, error);
    }
    return foreign;
}

bool config_choose_text_part(const struct json *tree, const struct model_family **family,
                             struct json **text, enum model_foreign *foreign, struct error *error)
{
    const char *type = "gpt2";
    const struct json *part = NULL;
    *text = NULL;
    if (json_kind_of(tree) != JSON_KIND_OBJECT) {
        return error_set(error, ERROR_INPUT, "config.json: it is no object.");
    }
    (void)json_text(json_member(tree, "model_type"), &type);
    const struct composite *const composite = composite_of(type);
    if (composite != NULL) {
        part = json_member(tree, "text_config");
        const bool apart = json_kind_of(part) == JSON_KIND_OBJECT;
        if (!apart && !composite->flat) {
            return error_set(error, ERROR_INPUT, "config.json: it does not say %s.", "text_config");
        }
        part = apart ? part : tree;
        type = composite->text;
        (void)(apart && json_text(json_member(part, "model_type"), &type));
    }
    *family = model_family_of_type(type);
    if (*family == NULL) {
        *foreign = refuse_type(tree, type, composite != NULL, error);
        return false;
    }
    *text = composite == NULL ? NULL : join_text_part(tree, part, type, error);
    return composite == NULL || *text != NULL;
}

/* ---- heads --------------------------------------------------------------------------------- */

bool config_is_headless(const struct json *config)
{
    static const char *const marks[] = {"LMHead",  "CausalLM",    "MaskedLM",   "ConditionalGen",
                                        "MTModel", "PreTraining", "DoubleHeads"};
    const struct json *const names = json_member(config, "architectures");
    bool speaks = json_count(names) == 0;
    for (size_t n = 0; n < json_count(names); n++) {
        const char *name = "";
        (void)json_text(json_element(names, n), &name);
        for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
            speaks = speaks || strstr(name, marks[m]) != NULL;
        }
    }
    return !speaks;
}
