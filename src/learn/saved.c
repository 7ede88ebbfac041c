/* learn/saved.c — see saved.h. */
#include "learn/saved.h"

#include <string.h>

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "learn/checkpoint.h"

bool learn_saved_mark(const struct learn_learned *learned, const float *weights, size_t floats,
                      uint64_t *mark, struct error *error)
{
    struct learn_learned way = *learned; /* not what is compared with it, or comes behind it */
    way.until = 0;
    way.is_pinned = false;
    struct lab_words *const words = learn_learned_lines(&way, error);
    uint64_t parts[2] = {0, random_hash(weights, floats * sizeof *weights)};
    for (size_t w = 0; w < lab_words_count(words); w++) {
        const char *const line = lab_words_list(words)[w];
        const uint64_t both[2] = {parts[0], random_hash(line, strlen(line))};
        parts[0] = random_hash(both, sizeof both);
    }
    *mark = random_hash(parts, sizeof parts);
    lab_words_release(words);
    return words != NULL;
}

/* As a run has it at the step: its rate is that of the last change. */
static struct learn_recipe recipe_at(const struct learn_recipe *recipe,
                                     const struct learn_learned *learned)
{
    struct learn_recipe now = *recipe;
    for (size_t e = 0; e < learned->edits; e++) {
        const struct learn_edit *const edit = &learned->edit[e];
        if (edit->kind == LEARN_EDIT_RATE && edit->step <= learned->step) {
            now.optimiser.rate = edit->value;
        }
    }
    return now;
}

/* Without a mark the recipe and the step must say all. */
static bool says_all(const struct learn_learned *learned)
{
    return learned->edits == 0 && learned->text.size == 0;
}

static bool check_recipe(const struct learn_saved *saved, const struct learn_recipe *recipe,
                         const struct learn_learned *learned, struct learn_model *model,
                         struct error *error)
{
    const char *const name = file_name(saved->folder);
    const struct learn_recipe wanted = recipe_at(recipe, learned);
    char is[TEXT_NUMBER_MAX], asked[TEXT_NUMBER_MAX];
    uint64_t mark = 0;
    if (wanted.shape.family == LEARN_GPT2) { /* learned positions do not turn */
        model->recipe.shape.theta = wanted.shape.theta;
    }
    if (!learn_recipe_same(&model->recipe, &wanted) ||
        !learn_shape_equal(&model->recipe.shape, &wanted.shape)) {
        return error_set(error, ERROR_INPUT, "“%.60s” holds a model of another recipe.", name);
    }
    if (model->step != learned->step) {
        return error_set(error, ERROR_INPUT, "“%.60s” holds step %s of the training, not %s.", name,
                         text_count(is, (size_t)model->step),
                         text_count(asked, (size_t)learned->step));
    }
    if (!saved->has_mark) {
        return says_all(learned) ||
               error_set(error, ERROR_INPUT,
                         "“%.60s” may be of another training: the session has no mark of it.",
                         name);
    }
    return learn_saved_mark(learned, model->weights, model->tensors.floats, &mark, error) &&
           (mark == saved->mark ||
            error_set(error, ERROR_INPUT,
                      "“%.60s” holds other weights than those that were saved with it.", name));
}

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for the weights.");
}

const float *learn_saved_read(const struct learn_saved *saved, const struct learn_recipe *recipe,
                              const struct learn_learned *learned, struct arena *arena,
                              struct error *error)
{
    struct learn_model *const model = arena_array(arena, 1, sizeof *model);
    if (model == NULL) {
        (void)no_memory(error);
        return NULL;
    }
    struct file_handle *const folder = file_handle_open(saved->folder);
    const bool is_read = folder != NULL && learn_model_read(folder, arena, model, error) &&
                         check_recipe(saved, recipe, learned, model, error);
    (void)(folder != NULL || no_memory(error));
    file_handle_release(folder);
    return is_read ? model->weights : NULL;
}
