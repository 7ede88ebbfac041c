/* cli/train_list.c — lists the tasks that can be learned. */
#include "cli/calls.h"
#include "cli/train.h"
#include "learn/checkpoint.h"

static void put_recipe(struct growing *lines, const struct learn_recipe *recipe,
                       struct arena *arena)
{
    const struct learn_shape *const shape = &recipe->shape;
    const struct learn_optimiser *const how = &recipe->optimiser;
    const char *const mlp =
        shape->inner > 0 ? arena_format(arena, ", MLP %zu", shape->inner) : ", no MLP";
    const char *const text = arena_format(
        arena,
        "  %s: %zu %s, %zu %s, d_model %zu%s%s, context %zu\n"
        "  %s, rate %g, weight decay %g, batch %zu, %zu steps, seed %zu\n",
        learn_family_name(shape->family), shape->layers, shape->layers == 1 ? "layer" : "layers",
        shape->heads, shape->heads == 1 ? "head" : "heads", shape->d_model, mlp == NULL ? "" : mlp,
        shape->norm ? "" : ", no norm", shape->context, learn_method_name(how->method),
        (double)how->rate, (double)how->weight_decay, recipe->batch, recipe->steps,
        (size_t)recipe->seed);
    growing_put_text(lines, text == NULL ? "" : text);
}

static bool as_text(struct arena *arena, struct bytes *out, struct error *error)
{
    struct growing lines = growing_start(arena);
    for (size_t t = 0; t < LEARN_TASKS; t++) {
        const struct learn_task *const task = learn_task_at(t);
        growing_put_text(&lines, task->name);
        growing_put_text(&lines, "\n  ");
        growing_put_text(&lines, task->about);
        growing_put_text(&lines, "\n");
        put_recipe(&lines, &task->recipe, arena);
    }
    return growing_finish(&lines, out, error);
}

static bool as_json(struct arena *arena, struct bytes *out, struct error *error)
{
    struct json_writer json = json_writer_start(arena);
    json_begin_array(&json, JSON_LINES);
    for (size_t t = 0; t < LEARN_TASKS; t++) {
        const struct learn_task *const task = learn_task_at(t);
        json_begin_object(&json);
        json_key(&json, "name");
        json_put_text(&json, task->name);
        json_key(&json, "about");
        json_put_text(&json, task->about);
        json_key(&json, "recipe");
        learn_recipe_put(&json, &task->recipe);
        json_end_object(&json);
    }
    json_end_array(&json);
    return json_writer_finish(&json, out, error);
}

int cli_train_list(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct bytes out;
    const bool done = (options->value[CLI_JSON].given ? as_json : as_text)(&arena, &out, &error);
    const int status = done ? cli_write_file("-", out, false) : cli_fail(&error);
    arena_free(&arena);
    return status;
}
