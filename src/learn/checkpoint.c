/* learn/checkpoint.c — see checkpoint.h: writing the folder. */
#include "learn/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file_set.h"
#include "base/system/file.h"
#include "base/system/folder.h"
#include "file/safetensors.h"
#include "learn/checkpoint_internal.h"

enum { SPARE_TENSORS = 8 * LEARN_LAYERS_MAX, NAME_BYTES = 64 };

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to save the model.");
}

static bool is_smeared(const struct learn_shape *shape)
{
    return shape->smear > 0;
}

static bool has_no_norm(const struct learn_shape *shape)
{
    return !shape->norm;
}

static bool is_bidirectional(const struct learn_shape *shape)
{
    return !shape->causal;
}

const struct learn_oddity *learn_shape_oddity(const struct learn_shape *shape)
{
    static const struct learn_oddity rows[] = {
        {is_smeared, "Its keys are smeared: it opens in this program only.",
         "Its keys are smeared: Why asks weights that say a next word as other programs do."},
        {has_no_norm, "It has no norm: it opens in this program only.",
         "Its layers have no norms: Why asks weights that say a next word as other programs do."},
        {is_bidirectional, "Words see what follows in it: it opens in this program only.",
         "The words of this task see those behind them: Why asks weights that say a next word as "
         "other programs do."},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (rows[r].applies(shape)) {
            return &rows[r];
        }
    }
    return NULL;
}

/* ---- config.json --------------------------------------------------------------------------- */

static void put_size(struct json_writer *json, const char *key, size_t size)
{
    json_key(json, key);
    json_put_whole_number(json, (int64_t)size);
}

static void put_name(struct json_writer *json, const char *key, const char *name)
{
    json_key(json, key);
    json_put_text(json, name);
}

static void put_gpt2(struct json_writer *json, const struct learn_shape *shape)
{
    put_size(json, "n_positions", shape->context);
    put_size(json, "n_embd", shape->d_model);
    put_size(json, "n_layer", shape->layers);
    put_size(json, "n_head", shape->heads);
    put_size(json, "n_inner", shape->inner > 0 ? shape->inner : 1);
    put_name(json, "activation_function", "gelu_new");
    json_key(json, "layer_norm_epsilon");
    json_put_float(json, LEARN_EPSILON);
    for (size_t i = 0; i < 3; i++) { /* nothing is dropped at random */
        static const char *const dropped[] = {"attn_pdrop", "embd_pdrop", "resid_pdrop"};
        put_size(json, dropped[i], 0);
    }
}

static void put_llama(struct json_writer *json, const struct learn_shape *shape)
{
    put_size(json, "max_position_embeddings", shape->context);
    put_size(json, "hidden_size", shape->d_model);
    put_size(json, "num_hidden_layers", shape->layers);
    put_size(json, "num_attention_heads", shape->heads);
    put_size(json, "num_key_value_heads", shape->heads);
    put_size(json, "head_dim", shape->d_k);
    put_size(json, "intermediate_size", shape->inner > 0 ? shape->inner : 1);
    put_name(json, "hidden_act", "silu");
    json_key(json, "rms_norm_eps");
    json_put_float(json, LEARN_EPSILON);
    json_key(json, "rope_theta");
    json_put_float(json, shape->theta);
}

static bool make_config(const struct learn_model *model, struct arena *arena, struct bytes *out,
                        struct error *error)
{
    const struct learn_shape *const shape = &model->recipe.shape;
    const bool gpt2 = shape->family == LEARN_GPT2;
    const bool common = learn_shape_oddity(shape) == NULL;
    struct json_writer json = json_writer_start(arena);
    json_begin_object(&json);
    json_key(&json, "architectures");
    json_begin_array(&json, JSON_ONE_LINE);
    json_put_text(&json, !common ? "AttnscopeModel"
                         : gpt2  ? "GPT2LMHeadModel"
                                 : "LlamaForCausalLM");
    json_end_array(&json);
    put_name(&json, "model_type", !common ? "attnscope" : learn_family_name(shape->family));
    put_size(&json, "vocab_size", shape->vocabulary);
    (gpt2 ? put_gpt2 : put_llama)(&json, shape);
    json_key(&json, "tie_word_embeddings");
    json_put_truth(&json, shape->tied);
    put_name(&json, "torch_dtype", "float32");
    json_key(&json, "bos_token_id");
    json_put_null(&json);
    json_key(&json, "eos_token_id");
    json_put_null(&json);
    json_key(&json, LEARN_CONFIG_KEY);
    json_begin_object(&json);
    put_size(&json, "step", model->step);
    json_key(&json, "recipe");
    learn_recipe_put(&json, &model->recipe);
    json_end_object(&json);
    json_end_object(&json);
    return json_writer_finish(&json, out, error);
}

/* ---- tokenizer.json ------------------------------------------------------------------------ */

static void put_type(struct json_writer *json, const char *key, const char *type)
{
    json_key(json, key);
    json_begin_object(json);
    put_name(json, "type", type);
}

static void put_none(struct json_writer *json, const char *key)
{
    json_key(json, key);
    json_put_null(json);
}

static bool make_tokenizer(const struct learn_model *model, struct arena *arena, struct bytes *out,
                           struct error *error)
{
    struct json_writer json = json_writer_start(arena);
    json_begin_object(&json);
    put_name(&json, "version", "1.0");
    put_none(&json, "truncation");
    put_none(&json, "padding");
    json_key(&json, "added_tokens");
    json_begin_array(&json, JSON_ONE_LINE);
    json_end_array(&json);
    put_none(&json, "normalizer");
    if (model->letters) {
        put_type(&json, "pre_tokenizer", "Split");
        json_key(&json, "pattern");
        json_begin_object_in_line(&json);
        put_name(&json, "Regex", "[\\s\\S]"); /* any letter, also a line break */
        json_end_object(&json);
        put_name(&json, "behavior", "Isolated");
        json_key(&json, "invert");
        json_put_truth(&json, false);
    } else {
        put_type(&json, "pre_tokenizer", "WhitespaceSplit");
    }
    json_end_object(&json);
    put_none(&json, "post_processor");
    if (model->letters) {
        put_type(&json, "decoder", "Fuse");
        json_end_object(&json);
    } else {
        put_none(&json, "decoder");
    }
    put_type(&json, "model", "WordLevel");
    json_key(&json, "vocab");
    json_begin_object(&json);
    for (size_t w = 0; w < model->recipe.shape.vocabulary; w++) {
        put_size(&json, model->words[w], w);
    }
    json_end_object(&json);
    put_name(&json, "unk_token", "<unk>"); /* it has none: unknown words are refused */
    json_end_object(&json);
    json_end_object(&json);
    return json_writer_finish(&json, out, error);
}

/* Without this file transformers would take the class that model_type names, which splits texts
 * differently. */
static bool make_tokenizer_config(const struct learn_model *model, struct arena *arena,
                                  struct bytes *out, struct error *error)
{
    struct json_writer json = json_writer_start(arena);
    json_begin_object(&json);
    put_name(&json, "tokenizer_class", "PreTrainedTokenizerFast");
    put_size(&json, "model_max_length", model->recipe.shape.context);
    json_key(&json, "clean_up_tokenization_spaces");
    json_put_truth(&json, false);
    json_end_object(&json);
    return json_writer_finish(&json, out, error);
}

/* ---- model.safetensors --------------------------------------------------------------------- */

/* Replaces a missing MLP or second norm, a row for each tensor. */
static const struct spare {
    enum learn_family family;
    const char *name; /* with %zu for the number of a layer */
    size_t rank;
    bool rows_d, cols_d; /* true: d_model, false: 1 */
    bool is_gain, is_norm;
} spares[] = {
    {LEARN_GPT2, "transformer.h.%zu.ln_2.weight", 1, true, false, true, true},
    {LEARN_GPT2, "transformer.h.%zu.ln_2.bias", 1, true, false, false, true},
    {LEARN_GPT2, "transformer.h.%zu.mlp.c_fc.weight", 2, true, false, false, false},
    {LEARN_GPT2, "transformer.h.%zu.mlp.c_fc.bias", 1, false, false, false, false},
    {LEARN_GPT2, "transformer.h.%zu.mlp.c_proj.weight", 2, false, true, false, false},
    {LEARN_GPT2, "transformer.h.%zu.mlp.c_proj.bias", 1, true, false, false, false},
    {LEARN_LLAMA, "model.layers.%zu.post_attention_layernorm.weight", 1, true, false, true, true},
    {LEARN_LLAMA, "model.layers.%zu.mlp.gate_proj.weight", 2, false, true, false, false},
    {LEARN_LLAMA, "model.layers.%zu.mlp.up_proj.weight", 2, false, true, false, false},
    {LEARN_LLAMA, "model.layers.%zu.mlp.down_proj.weight", 2, true, false, false, false},
};

size_t learn_spare_arrays(const struct learn_shape *shape, const char *before, struct arena *arena,
                          struct array *out)
{
    const size_t d = shape->d_model;
    float *const zeros = arena_array(arena, d, sizeof *zeros);
    float *const ones = arena_array(arena, d, sizeof *ones);
    size_t count = 0;
    if (zeros == NULL || ones == NULL || shape->inner > 0) {
        return 0;
    }
    for (size_t i = 0; i < d; i++) {
        ones[i] = 1;
    }
    for (size_t layer = 0; layer < shape->layers; layer++) {
        for (size_t s = 0; s < sizeof spares / sizeof spares[0]; s++) {
            const struct spare *const spare = &spares[s];
            const size_t sides[2] = {spare->rows_d ? d : 1, spare->cols_d ? d : 1};
            char name[NAME_BYTES];
            if (spare->family != shape->family || (spare->is_norm && !shape->norm)) {
                continue;
            }
            (void)snprintf(name, sizeof name, spare->name, layer);
            out[count++] = array_of_floats(arena_format(arena, "%s%s", before, name), spare->rank,
                                           sides, spare->is_gain ? ones : zeros);
        }
    }
    return count;
}

static bool make_tensors(const struct learn_model *model, struct arena *arena, struct bytes *out,
                         struct error *error)
{
    static const char *const notes[] = {"format", "pt"};
    struct array *const arrays =
        arena_array(arena, LEARN_TENSORS_MAX + SPARE_TENSORS, sizeof *arrays);
    if (arrays == NULL) {
        return no_memory(error);
    }
    for (size_t t = 0; t < model->tensors.count; t++) {
        const struct learn_tensor *const tensor = &model->tensors.tensor[t];
        arrays[t] = learn_tensor_array(tensor, tensor->name, model->weights);
    }
    const size_t count = model->tensors.count + learn_spare_arrays(&model->recipe.shape, "", arena,
                                                                   arrays + model->tensors.count);
    return arena->lacking ? no_memory(error)
                          : safetensors_write(arrays, count, notes, 1, arena, out, error);
}

bool learn_model_store(const struct learn_model *model, struct arena *arena, struct bytes *config,
                       struct bytes *tensors, struct error *error)
{
    return make_config(model, arena, config, error) && make_tensors(model, arena, tensors, error);
}

/* ---- the folder ---------------------------------------------------------------------------- */

/* Returns own text whose lines are rows; of other data nothing. */
static struct bytes kept_text(const struct learn_data *data)
{
    return learn_data_lines(data) > 0 ? learn_data_request_of(data)->text
                                      : (struct bytes){.at = NULL};
}

struct learn_model learn_model_of(const struct learn_run *run)
{
    const struct learn_data *const data = learn_run_data(run);
    return (struct learn_model){
        .recipe = *learn_run_recipe(run),
        .step = learn_run_step(run),
        .tensors = *learn_run_tensors(run),
        .weights = learn_run_weights(run),
        .words = learn_data_words(data),
        .letters = learn_data_is_letters(data),
        .text = kept_text(data),
    };
}

struct learn_model learn_model_of_snapshot(const struct learn_snapshot *snapshot)
{
    return (struct learn_model){
        .recipe = *snapshot->recipe,
        .step = snapshot->step,
        .tensors = *snapshot->tensors,
        .weights = snapshot->weights,
        .words = learn_data_words(snapshot->data),
        .letters = learn_data_is_letters(snapshot->data),
        .text = kept_text(snapshot->data),
    };
}

/* This file reserves a folder for a later writer. */
static const char taken_name[] = ".attnscope-training";

static bool is_empty(const char *folder)
{
    struct system_names *const open = system_names_open(folder);
    const char *name = NULL;
    bool empty = open != NULL;
    if (open == NULL) {
        return false;
    }
    while ((name = system_names_next(open)) != NULL) {
        empty = empty && (strcmp(name, taken_name) == 0 || file_set_is_part(name));
    }
    system_names_close(open);
    return empty;
}

/* Returns whether train wrote the folder. */
static bool is_own(const char *path)
{
    struct file_handle *const folder = file_handle_open(path);
    const bool is = folder != NULL && learn_model_probe(folder);
    file_handle_release(folder);
    return is;
}

bool learn_folder_check(const char *folder, struct error *error)
{
    struct system_facts facts;
    if (!system_path_facts(folder, &facts)) {
        return errno == ENOENT ||
               error_set(error, ERROR_FILE, "%.120s: %s.", folder, strerror(errno));
    }
    if (facts.kind != SYSTEM_FOLDER) {
        return error_set(error, ERROR_FILE,
                         "%.120s is a file: name a new folder, for a model is several files.",
                         folder);
    }
    return is_empty(folder) || is_own(folder) ||
           error_set(error, ERROR_FILE,
                     "%.100s holds other files: name a new folder, an empty one, or one that was "
                     "written by train.",
                     folder);
}

bool learn_folder_take(const char *folder, struct learn_folder *taken, struct error *error)
{
    bool is_taken = false;
    *taken = (struct learn_folder){.file = -1};
    if (!learn_folder_check(folder, error)) {
        return false;
    }
    taken->was_made = system_make_folder(folder);
    const int length = snprintf(taken->path, sizeof taken->path, "%s/%s", folder, taken_name);
    taken->file = length > 0 && (size_t)length < sizeof taken->path
                      ? system_open_locked(taken->path, false, &is_taken)
                      : -1;
    if (is_taken) {
        return error_set(error, ERROR_FILE,
                         "Another training writes into %.120s: name another folder, or wait.",
                         folder);
    }
    if (taken->file < 0) {
        (void)error_set(error, ERROR_FILE, "%.120s: %s.", folder, strerror(errno));
        learn_folder_leave(folder, taken);
        return false;
    }
    return true;
}

void learn_folder_leave(const char *folder, struct learn_folder *taken)
{
    if (taken->file >= 0) {
        (void)system_remove(taken->path);
        (void)system_close(taken->file);
        taken->file = -1;
    }
    if (taken->was_made) {
        (void)system_remove_folder(folder); /* it stays where it is not empty */
        taken->was_made = false;
    }
}

bool learn_model_write(const char *folder, const struct learn_model *model,
                       const struct learn_state *state, struct error *error)
{
    struct arena arena = {0};
    /* Weights come first, since a disk may have no room for them; config.json comes last, since
     * other programs look at it first. */
    struct file_set_part parts[] = {
        {.name = "model.safetensors"}, {.name = LEARN_STATE_NAME},
        {.name = "tokenizer.json"},    {.name = "tokenizer_config.json"},
        {.name = "config.json"},       {.name = LEARN_TEXT_NAME, .content = model->text}};
    const size_t count = sizeof parts / sizeof *parts - (model->text.at == NULL ? 1 : 0);
    const bool done =
        make_tensors(model, &arena, &parts[0].content, error) &&
        (state == NULL || learn_state_make(model, state, &arena, &parts[1].content, error)) &&
        make_tokenizer(model, &arena, &parts[2].content, error) &&
        make_tokenizer_config(model, &arena, &parts[3].content, error) &&
        make_config(model, &arena, &parts[4].content, error) &&
        file_set_replace(folder, parts, count, error);
    arena_free(&arena);
    return done;
}

bool learn_model_save(const char *folder, const struct learn_model *model, struct error *error)
{
    struct learn_folder taken = {.file = -1};
    const bool done =
        learn_folder_take(folder, &taken, error) && learn_model_write(folder, model, NULL, error);
    learn_folder_leave(folder, &taken);
    return done;
}
