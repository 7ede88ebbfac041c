/* model/model.c — a folder, or a GGUF, becomes a model. */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/system/file.h"
#include "base/translate.h"
#include "file/folder.h"
#include "file/kinds.h"
#include "model/model_internal.h"

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for this model.");
}

/* Without a tokenizer that can be read, or with one of two, the model takes ids. False: there is no
 * memory for it. */
static bool open_tokenizer(struct model *model, struct file_handle *folder, struct error *error)
{
    const struct gguf *const gguf = model_source_gguf_of(model->source);
    struct error *const why = &model->no_words;
    if (gguf != NULL) {
        model->tokenizer =
            tokenizer_open_gguf(gguf, model->source->name, model->config.vocabulary, why);
    } else {
        model->tokenizer = tokenizer_open(folder, model->config.source_vocabulary, why);
    }
    if (gguf == NULL && model->tokenizer != NULL && model_has_target(model)) {
        model->target_tokenizer = tokenizer_open_target(folder, model->config.vocabulary, why);
    }
    if (why->code != ERROR_NONE) {
        tokenizer_close(model->tokenizer);
        model->tokenizer = NULL;
    }
    return why->code != ERROR_MEMORY || error_set(error, why->code, "%s", why->text);
}

/* Files of two stacks may hold the encoder alone (T5EncoderModel): it is a model of one text. */
static void leave_decoder_out(struct model *model)
{
    const struct model_tensor *tensor = NULL;
    for (size_t t = 0; (tensor = model->source->calls->at(model->source, t)) != NULL; t++) {
        if (strstr(tensor->name, "decoder.") != NULL) {
            return;
        }
    }
    model_config_leave_decoder_out(&model->config);
}

/* Opens configuration and source, of a folder or of a GGUF. */
static bool open_source(struct model *model, bool is_gguf, struct error *error)
{
    if (is_gguf) {
        model->source = model_source_gguf(model->file, error);
        return model->source != NULL &&
               model_config_of_source(model->source, &model->config, error);
    }
    if (!model_config_read(model->file, &model->config, error)) {
        return false;
    }
    model->source = model_source_safetensors(file_handle_path(model->file), error);
    if (model->source != NULL && model->config.family->encoder != NULL) {
        leave_decoder_out(model);
    }
    return model->source != NULL;
}

static bool read_chat(struct model *model, struct file_handle *folder, struct error *error)
{
    const struct gguf *const gguf = model_source_gguf_of(model->source);
    const bool done = gguf != NULL ? model_chat_of_gguf(gguf, &model->arena, &model->chat)
                                   : model_chat_of_folder(folder, &model->arena, &model->chat);
    return done || no_memory(error);
}

static void refuse_path(const char *path, struct error *error)
{
    if (folder_has_adapter(path)) {
        (void)folder_refuse_adapter(path, error);
    } else {
        error_set(error, ERROR_FILE, "\"%.100s\" is a folder without config.json, so no model.",
                  path);
    }
}

/* file NULL: it stands in memory. */
static struct model *new_model(struct file_handle *file, struct error *error)
{
    struct model *const model = calloc(1, sizeof *model);
    if (model == NULL) {
        (void)no_memory(error);
        return NULL;
    }
    atomic_init(&model->holders, 1);
    atomic_init(&model->references, 1);
    model->unpacked = model_unpacked_open();
    model->file = file == NULL ? NULL : file_handle_keep(file);
    if (model->unpacked == NULL) {
        (void)no_memory(error);
        model_close(model);
        return NULL;
    }
    return model;
}

struct model *model_begin(struct file_handle *file, struct error *error)
{
    const bool is_gguf = file_handle_kind(file) == FILE_GGUF;
    if (!is_gguf && !folder_has(file_handle_path(file), "config.json")) {
        refuse_path(file_handle_path(file), error);
        return NULL;
    }
    struct model *const model = new_model(file, error);
    if (model == NULL || open_source(model, is_gguf, error)) {
        return model;
    }
    model_close(model);
    return NULL;
}

/* ---- from memory --------------------------------------------------------------------------- */

static bool copy_words(struct model *model, const char *const *words, struct error *error)
{
    const size_t count = model->config.vocabulary;
    const char **const own = arena_array(&model->arena, count, sizeof *own);
    for (size_t w = 0; own != NULL && w < count; w++) {
        own[w] = arena_text(&model->arena, words[w], strlen(words[w]));
    }
    model->words = own;
    return !model->arena.lacking || no_memory(error);
}

static bool copy_tensors(struct model *model, struct bytes tensors, struct error *error)
{
    uint8_t *const own = arena_alloc(&model->arena, tensors.size);
    if (own == NULL) {
        return no_memory(error);
    }
    memcpy(own, tensors.at, tensors.size);
    model->source = model_source_safetensors_of((struct bytes){own, tensors.size}, error);
    return model->source != NULL;
}

struct model *model_open_memory(const struct model_in_memory *stored, struct error *error)
{
    struct model *const model = new_model(NULL, error);
    if (model != NULL &&
        !(model_config_parse(stored->config, &model->config, error) &&
          copy_tensors(model, stored->tensors, error) && model_tensors_find(model, error) &&
          copy_words(model, stored->words, error))) {
        model_close(model);
        return NULL;
    }
    if (model != NULL) {
        (void)error_set(&model->no_words, ERROR_USAGE,
                        "A model that stands in memory has no tokenizer.");
    }
    return model;
}

bool model_complete(struct model *model, struct error *error)
{
    struct file_handle *const file = model->file;
    const bool done =
        file == NULL || (model_tensors_find(model, error) && open_tokenizer(model, file, error) &&
                         read_chat(model, file, error));
    model->file = NULL;
    file_handle_release(file);
    return done;
}

struct model *model_open(struct file_handle *file, struct error *error)
{
    struct model *const model = model_begin(file, error);
    if (model != NULL && !model_complete(model, error)) {
        model_close(model);
        return NULL;
    }
    return model;
}

static void add_reference(void *owner)
{
    struct model *const model = owner;
    atomic_fetch_add_explicit(&model->references, 1, memory_order_relaxed);
}

static void drop_reference(void *owner)
{
    struct model *const model = owner;
    if (atomic_fetch_sub_explicit(&model->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    if (model->source != NULL) {
        model->source->calls->close(model->source);
    }
    arena_free(&model->arena);
    free(model);
}

struct model *model_keep(struct model *model)
{
    atomic_fetch_add_explicit(&model->holders, 1, memory_order_relaxed);
    return model;
}

void model_close(struct model *model)
{
    if (model != NULL && atomic_fetch_sub_explicit(&model->holders, 1, memory_order_acq_rel) == 1) {
        file_handle_release(model->file);
        model_unpacked_close(model->unpacked);
        tokenizer_close(model->tokenizer);
        tokenizer_close(model->target_tokenizer);
        drop_reference(model); /* former steps of history may hold what can be read of it */
    }
}

static void read_matrix(const void *what, size_t rank, const size_t shape[3], float *out)
{
    const size_t matrices = rank == 3 ? shape[0] : 1, cols = shape[rank - 1];
    for (size_t m = 0; m < matrices; m++) {
        model_matrix_columns(what, m * cols, cols, out + m * shape[rank - 2] * cols);
    }
}

struct lab_numbers_source model_matrix_source(const struct model *model,
                                              const struct model_matrix *matrix)
{
    return (struct lab_numbers_source){.read = read_matrix,
                                       .what = matrix,
                                       .owner = (struct model *)model,
                                       .keep = add_reference,
                                       .release = drop_reference};
}

const struct model_config *model_config(const struct model *model)
{
    return &model->config;
}

const struct tokenizer *model_tokenizer(const struct model *model)
{
    return model->tokenizer;
}

const struct tokenizer *model_tokenizer_of(const struct model *model, enum model_text text)
{
    return text == MODEL_WRITTEN && model->target_tokenizer != NULL ? model->target_tokenizer
                                                                    : model->tokenizer;
}

const char *model_chat_lack(const struct model *model)
{
    return model->tokenizer == NULL   ? model->no_words.text
           : model->chat.form != NULL ? NULL
           : !model->chat.is_template
               ? "No chat template came with this model."
               : "Its chat template is none of those that are known: chatml, "
                 "llama3, gemma, mistral, phi, harmony.";
}

const struct model_chat *model_chat(const struct model *model, struct error *error)
{
    const char *const lack = model_chat_lack(model);
    if (lack != NULL) {
        error_set(error, ERROR_USAGE, "%s", tr(lack));
    }
    return lack == NULL ? &model->chat : NULL;
}

const struct model_tensor *model_tensor_at(const struct model *model, size_t index)
{
    return model->source->calls->at(model->source, index);
}

const char *model_shown(const struct model *model, uint32_t id, struct arena *arena)
{
    return model_shown_of(model, MODEL_WRITTEN, id, arena);
}

const char *model_shown_of(const struct model *model, enum model_text text, uint32_t id,
                           struct arena *arena)
{
    const struct tokenizer *const tokenizer = model_tokenizer_of(model, text);
    return tokenizer != NULL      ? tokenizer_shown(tokenizer, id, arena)
           : model->words != NULL ? arena_text(arena, model->words[id], strlen(model->words[id]))
                                  : arena_format(arena, "#%lu", (unsigned long)id);
}

size_t model_parameters(const struct model *model)
{
    return model->parameters;
}

const char *model_tensor_type(const struct model *model)
{
    return model->main.layer[0].matrix[MODEL_M_Q].tensor->type;
}

/* A type that files store numbers as, and of how many. */
struct stored_type {
    const char *name;
    size_t count;
};

static int compare_stored(const void *a, const void *b)
{
    const struct stored_type *const one = a, *const other = b;
    return one->count != other->count ? (one->count > other->count ? -1 : 1)
                                      : strcmp(one->name, other->name);
}

const char *model_stored_type(const struct model *model, size_t index, size_t *count)
{
    enum { TYPES_MAX = 64 }; /* more than any format has */
    struct stored_type types[TYPES_MAX];
    size_t known = 0;
    const struct model_tensor *tensor = NULL;
    for (size_t t = 0; (tensor = model_tensor_at(model, t)) != NULL; t++) {
        size_t type = 0;
        while (type < known && strcmp(types[type].name, tensor->type) != 0) {
            type++;
        }
        if (!tensor->readable) { /* as the halves of MXFP4, which are read together */
            continue;
        }
        if (type == known && known < TYPES_MAX) {
            types[known++] = (struct stored_type){tensor->type, 0};
        }
        if (type < known) {
            types[type].count += model_tensor_count(tensor);
        }
    }
    qsort(types, known, sizeof types[0], compare_stored);
    *count = index < known ? types[index].count : 0;
    return index < known ? types[index].name : NULL;
}

bool model_has_mlp(const struct model *model)
{
    bool has = false;
    for (size_t l = 0; l < model->main.count; l++) {
        has = has || !model->main.layer[l].is_without_mlp;
    }
    return has;
}

bool model_has_logits(const struct model *model)
{
    return model->output.tensor != NULL;
}

const struct model_left_out *model_left_out(const struct model *model, size_t *count)
{
    *count = model->left_out_count;
    return model->left_out;
}

/* "classifier (2 tensors), pooler (2)". */
static const char *left_out_text(const struct model *model, struct arena *arena)
{
    enum { SHOWN = 6 };
    const char *text = "";
    for (size_t i = 0; text != NULL && i < model->left_out_count && i < SHOWN; i++) {
        const struct model_left_out *const left = &model->left_out[i];
        const int letters = strlen(left->name) < 40 ? (int)strlen(left->name) : 40;
        text =
            i > 0 ? arena_format(arena, "%s, %.*s (%zu)", text, letters, left->name, left->tensors)
            : left->tensors == 1
                ? arena_format(arena, tr("%.*s (1 tensor)"), letters, left->name)
                : arena_format(arena, tr("%.*s (%zu tensors)"), letters, left->name, left->tensors);
    }
    return text == NULL || model->left_out_count <= SHOWN ? text
                                                          : arena_format(arena, "%s …", text);
}

const char *model_note(const struct model *model, struct arena *arena)
{
    const char *const left = left_out_text(model, arena);
    const char *const ignored = model_config_ignored(&model->config, arena);
    const char *const sentences[] = {
        model->config.text_part ? tr("Its text part is computed, without pictures or sound.") : "",
        model_has_logits(model) ? "" : tr("It has no head that gives words."),
        left == NULL || left[0] == '\0' ? left : arena_format(arena, tr("Left out: %s."), left),
        ignored == NULL || ignored[0] == '\0'
            ? ignored
            : arena_format(arena, tr("Members of its configuration that mean nothing here: %s."),
                           ignored),
        model->tokenizer == NULL ? "" : tr(tokenizer_doubt(model->tokenizer))};
    const char *note = "";
    for (size_t i = 0; note != NULL && i < sizeof sentences / sizeof *sentences; i++) {
        const char *const one = sentences[i];
        note = one == NULL ? NULL
               : one[0] == '\0'
                   ? note
                   : arena_format(arena, "%s%s%s", note, note[0] == '\0' ? "" : " ", one);
    }
    return note;
}

bool model_has_target(const struct model *model)
{
    return model->encoder.count > 0;
}

size_t model_layers_of(const struct model *model, enum model_attention which)
{
    return which == MODEL_ENCODER ? model->encoder.count : model->main.count;
}

bool model_reads_text(const struct model *model, struct error *error)
{
    return model->tokenizer != NULL ||
           error_set(error, model->no_words.code, "%s", tr(model->no_words.text));
}
