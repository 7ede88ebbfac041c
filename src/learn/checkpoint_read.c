/* learn/checkpoint_read.c — see checkpoint.h: reading a folder back. */
#include <string.h>

#include "base/file.h"
#include "base/file_set.h"
#include "file/safetensors.h"
#include "learn/checkpoint_internal.h"
#include "learn/learned.h"

enum { WEIGHTS_BYTES_MAX = 1 << 28 };

static const char *const names[] = {"config.json", "model.safetensors", "tokenizer.json"};

static bool refuse_file(struct error *error, const char *file, const struct error *reason)
{
    return error_set(error, reason->code, "%s: %s", file, reason->text);
}

static bool read_file(const char *folder, size_t which, size_t limit, struct arena *arena,
                      struct bytes *out, struct error *error)
{
    char path[FILE_SET_PATH_MAX];
    return file_set_path(folder, names[which], path, error) &&
           file_read(path, limit, arena, out, error);
}

bool learn_model_probe(struct file_handle *folder)
{
    const struct json *const tree = file_handle_settings(folder, names[0], NULL);
    return json_kind_of(json_member(tree, LEARN_CONFIG_KEY)) == JSON_KIND_OBJECT;
}

static bool read_config(const struct json *tree, struct learn_model *model, struct error *error)
{
    const struct json *const own = json_member(tree, LEARN_CONFIG_KEY);
    int64_t step = 0;
    const bool done =
        (own != NULL || error_set(error, ERROR_INPUT, "It does not say how it was learned.")) &&
        learn_recipe_read(json_member(own, "recipe"), &model->recipe, error) &&
        learn_recipe_check(&model->recipe, error) &&
        ((json_whole_number(json_member(own, "step"), &step) && step >= 0) ||
         error_set(error, ERROR_INPUT, "It does not say at which step it was saved."));
    model->step = (uint64_t)step;
    return done;
}

bool learn_model_recipe(struct file_handle *folder, struct learn_recipe *recipe)
{
    const struct json *const tree = file_handle_settings(folder, names[0], NULL);
    struct learn_model model = {.words = NULL};
    const bool is_read = tree != NULL && read_config(tree, &model, NULL);
    *recipe = model.recipe;
    return is_read;
}

static bool read_tensors(struct bytes file, struct arena *arena, struct learn_model *model,
                         struct error *error)
{
    struct safetensors tensors;
    learn_tensors_list(&model->recipe.shape, &model->tensors);
    float *const weights = arena_array(arena, model->tensors.floats, sizeof *weights);
    if (weights == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the weights.");
    }
    if (!safetensors_read(file, arena, &tensors, error)) {
        return false;
    }
    for (size_t t = 0; t < model->tensors.count; t++) {
        const struct learn_tensor *const tensor = &model->tensors.tensor[t];
        const struct array *const array = safetensors_find(&tensors, tensor->name);
        const struct array wanted = learn_tensor_array(tensor, tensor->name, weights);
        if (array == NULL) {
            return error_set(error, ERROR_INPUT, "%s is missing.", tensor->name);
        }
        if (array->rank != wanted.rank ||
            memcmp(array->shape, wanted.shape, wanted.rank * sizeof *wanted.shape) != 0) {
            return error_set(error, ERROR_INPUT, "%s has another shape than its recipe says.",
                             tensor->name);
        }
        array_copy_floats(array, 0, learn_tensor_floats(tensor), weights + tensor->offset);
    }
    model->weights = weights;
    return true;
}

static bool read_tokenizer(struct bytes text, struct arena *arena, struct learn_model *model,
                           struct error *error)
{
    const size_t count = model->recipe.shape.vocabulary;
    static const char *const large[] = {"model", "vocab", NULL};
    const char **const words = arena_array(arena, count, sizeof *words);
    struct json *const tree = json_parse_within(text, &(struct json_limits){.large = large}, error);
    const struct json *const vocabulary = json_member(json_member(tree, "model"), "vocab");
    const char *split = NULL, *word = NULL;
    (void)json_text(json_member(json_member(tree, "pre_tokenizer"), "type"), &split);
    model->letters = split != NULL && strcmp(split, "Split") == 0;
    model->words = words;
    bool done = tree != NULL &&
                (words != NULL || error_set(error, ERROR_MEMORY, "There is not enough memory."));
    size_t found = 0;
    void *place = NULL;
    for (const struct json *member = json_next_member(vocabulary, &place, &word);
         done && member != NULL; member = json_next_member(vocabulary, &place, &word)) {
        int64_t number = -1;
        if (!json_whole_number(member, &number) || number < 0 || (size_t)number >= count ||
            words[number] != NULL) {
            done = error_set(error, ERROR_INPUT,
                             "The number of \"%.40s\" is not one of the model's.", word);
        } else {
            words[number] = arena_text(arena, word, strlen(word));
            found += words[number] != NULL;
        }
    }
    json_release(tree);
    return done && (found == count ||
                    error_set(error, ERROR_INPUT, "It names %zu of the %zu tokens of the model.",
                              found, count));
}

static bool read_parts(const struct json *config, struct bytes tensors, struct bytes tokenizer,
                       struct arena *arena, struct learn_model *model, struct error *error)
{
    struct error reason = {ERROR_NONE, 0, ""};
    *model = (struct learn_model){.words = NULL};
    if (!read_config(config, model, &reason)) {
        return refuse_file(error, names[0], &reason);
    }
    if (!read_tensors(tensors, arena, model, &reason)) {
        return refuse_file(error, names[1], &reason);
    }
    return read_tokenizer(tokenizer, arena, model, &reason) ||
           refuse_file(error, names[2], &reason);
}

bool learn_model_parse(struct bytes config, struct bytes tensors, struct bytes tokenizer,
                       struct arena *arena, struct learn_model *model, struct error *error)
{
    struct error reason = {ERROR_NONE, 0, ""};
    struct json *const tree = json_parse(config, &reason);
    const bool is_read = tree == NULL ? refuse_file(error, names[0], &reason)
                                      : read_parts(tree, tensors, tokenizer, arena, model, error);
    json_release(tree);
    return is_read;
}

bool learn_model_read(struct file_handle *folder, struct arena *arena, struct learn_model *model,
                      struct error *error)
{
    const struct json *const config = file_handle_settings(folder, names[0], error);
    const char *const path = file_handle_path(folder);
    struct bytes tensors, tokenizer;
    return config != NULL && read_file(path, 1, WEIGHTS_BYTES_MAX, arena, &tensors, error) &&
           read_file(path, 2, WEIGHTS_BYTES_MAX, arena, &tokenizer, error) &&
           read_parts(config, tensors, tokenizer, arena, model, error);
}

bool learn_model_text(const char *folder, struct arena *arena, struct bytes *text,
                      struct error *error)
{
    char path[FILE_SET_PATH_MAX];
    return file_set_path(folder, LEARN_TEXT_NAME, path, error) &&
           file_read(path, LEARN_LEARNED_TEXT_MAX, arena, text, error);
}
