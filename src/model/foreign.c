/* model/foreign.c — see foreign.h. */
#include "model/foreign.h"

#include <string.h>

#include "file/folder.h"

/* ---- families ------------------------------------------------------------------------------- */

/* Types, or their beginnings, of models without attention. */
static const char *const states[] = {"mamba", "falcon_mamba", "rwkv", "arwkv", "xlstm"};

enum model_foreign model_foreign_of(const struct json *config, const char *type)
{
    bool pair = false;
    for (size_t s = 0; s < sizeof states / sizeof *states; s++) {
        if (strncmp(type, states[s], strlen(states[s])) == 0) {
            return MODEL_FOREIGN_STATE;
        }
    }
    (void)json_truth(json_member(config, "is_encoder_decoder"), &pair);
    if (json_member(config, "num_mel_bins") != NULL || json_member(config, "conv_dim") != NULL) {
        return pair ? MODEL_FOREIGN_SPEECH : MODEL_FOREIGN_SOUND;
    }
    if (json_member(config, "image_size") != NULL || json_member(config, "patch_size") != NULL) {
        return MODEL_FOREIGN_IMAGE;
    }
    return pair ? MODEL_FOREIGN_PAIR : MODEL_FOREIGN_TEXT;
}

bool model_foreign_refuse(enum model_foreign foreign, const char *type, struct error *error)
{
    return foreign == MODEL_FOREIGN_STATE
               ? error_set(error, ERROR_INPUT,
                           "config.json: models of type “%.24s” have no attention: a state goes "
                           "from word to word, and there are no weights to show.",
                           type)
               : error_set(error, ERROR_INPUT,
                           "config.json: its model_type “%.24s” is not known; a few lines of "
                           "Python save what can be opened (manual, For researchers).",
                           type);
}

/* ---- quantised weights ---------------------------------------------------------------------- */

/* As people call a method; else as the file does. */
static const char *title_of(const char *method)
{
    static const struct {
        const char *method, *title;
    } titles[] = {{"gptq", "GPTQ"},
                  {"awq", "AWQ"},
                  {"hqq", "HQQ"},
                  {"fp8", "FP8"},
                  {"fbgemm_fp8", "FP8"},
                  {"eetq", "EETQ"},
                  {"aqlm", "AQLM"},
                  {"vptq", "VPTQ"},
                  {"spqr", "SpQR"},
                  {"higgs", "HIGGS"},
                  {"auto-round", "AutoRound"},
                  {"bitnet", "BitNet"},
                  {"exl2", "EXL2"},
                  {"modelopt", "ModelOpt"}};
    for (size_t t = 0; t < sizeof titles / sizeof *titles; t++) {
        if (strcmp(titles[t].method, method) == 0) {
            return titles[t].title;
        }
    }
    return method;
}

/* Returns what config.json says; NULL: nothing, or a way that is read (MXFP4, as gpt-oss has
 * it). */
static const char *method_said(const struct json *config)
{
    const struct json *const said = json_member(config, "quantization_config");
    const char *method = NULL;
    bool small = false;
    if (json_kind_of(json_member(config, "compression_config")) == JSON_KIND_OBJECT) {
        return "compressed-tensors";
    }
    if (json_kind_of(json_member(config, "quantization")) == JSON_KIND_OBJECT) {
        return "MLX"; /* which says only how many bits */
    }
    if (json_kind_of(said) != JSON_KIND_OBJECT || json_count(said) == 0) {
        return NULL;
    }
    if (json_text(json_member(said, "quant_method"), &method) ||
        json_text(json_member(said, "quant_algo"), &method)) {
        return strcmp(method, "mxfp4") == 0 ? NULL : title_of(method);
    }
    (void)(json_truth(json_member(said, "load_in_4bit"), &small) && small);
    (void)(small || json_truth(json_member(said, "load_in_8bit"), &small));
    return small ? "bitsandbytes" : "an unnamed method";
}

/* Older tools leave a file of their own. */
static const char *method_beside(const char *folder)
{
    static const struct {
        const char *file, *method;
    } files[] = {{"quantize_config.json", "GPTQ"},
                 {"quant_config.json", "AWQ"},
                 {"hf_quant_config.json", "ModelOpt"}};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        if (folder_has(folder, files[f].file)) {
            return files[f].method;
        }
    }
    return NULL;
}

bool model_foreign_check_weights(const struct json *config, const char *folder, struct error *error)
{
    const char *const said = method_said(config);
    const char *const method = said != NULL ? said : method_beside(folder);
    return method == NULL ||
           error_set(error, ERROR_INPUT,
                     "config.json: its weights are quantised by %.24s, which is not read: take the "
                     "original or a GGUF, or save it dequantised (manual, For researchers).",
                     method);
}
