/* learn/recipe.c — the rows of learn/recipe.inc as a table, and what is made of them. */
#include "learn/recipe.h"

#include <math.h>
#include <string.h>

#include "file/record_json.h"
#include "learn/task.h"

#define LINE(name, rank) .line = (name), .line_rank = (rank)
#define LATER_LINE(name, rank) LINE(name, rank), .may_lack = true
#define NO_LINE .line = NULL
#define NEEDS(NAME, value) .needs = LEARN_RECIPE_##NAME, .needs_value = (value)

static const struct learn_recipe_row rows[] = {
    [LEARN_RECIPE_NONE] = {.line = NULL},
#define LEARN_MEMBER(NAME, member, line, ...)                                                      \
    {line, .row = {.at = offsetof(struct learn_recipe, member), __VA_ARGS__}},
#include "learn/recipe.inc"
};

enum { ROWS = sizeof rows / sizeof *rows };

_Static_assert((int)ROWS <= (int)LEARN_RECIPE_ROOM, "there is room for every row");

static const struct record record = {rows, ROWS, sizeof *rows};

const struct record *learn_recipe_record(void)
{
    return &record;
}

const struct record_row *learn_recipe_row(enum learn_recipe_member member)
{
    return record_row(&record, member);
}

/* ---- changes --------------------------------------------------------------------------------- */

enum { MLP_TIMES = 4 /* as wide as d_model */ };

/* Makes the width the nearest one above that the heads divide. */
static void fit_width(struct learn_shape *shape)
{
    const size_t parts = shape->heads * (shape->family == LEARN_LLAMA ? 2 : 1);
    const size_t times = (shape->d_model + parts - 1) / parts;
    shape->d_model =
        times * parts > LEARN_WIDTH_MAX ? LEARN_WIDTH_MAX / parts * parts : times * parts;
    shape->d_k = shape->d_model / shape->heads;
}

bool learn_recipe_change(struct learn_recipe *recipe, enum learn_recipe_member member,
                         double number, struct error *error)
{
    const struct record_row *const row = &rows[member].row;
    const bool is_whole = row->type == RECORD_COUNT || row->type == RECORD_SEED;
    const bool is_times = row->toggle && row->type == RECORD_COUNT;
    const double value = is_times   ? (number > 0 ? MLP_TIMES * (double)recipe->shape.d_model : 0)
                         : is_whole ? floor(number + 0.5)
                                    : number;
    if (!record_check_number(row, value, error)) {
        return false;
    }
    record_put(row, recipe, value);
    if (member == LEARN_RECIPE_HEADS || member == LEARN_RECIPE_D_MODEL) {
        fit_width(&recipe->shape);
    }
    return true;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Checks what members of a shape say together. */
static bool check_heads(const struct learn_shape *shape, struct error *error)
{
    if (shape->family == LEARN_GPT2 && shape->d_k * shape->heads != shape->d_model) {
        return error_set(error, ERROR_USAGE,
                         "d_model %zu is not %zu heads of d_k %zu: in the family gpt2 heads times "
                         "d_k is d_model.",
                         shape->d_model, shape->heads, shape->d_k);
    }
    if (shape->family == LEARN_LLAMA && shape->d_k % 2 != 0) {
        return error_set(error, ERROR_USAGE,
                         "d_k is %zu; rotary positions turn pairs, so take an even number.",
                         shape->d_k);
    }
    return true;
}

bool learn_recipe_check(const struct learn_recipe *recipe, struct error *error)
{
    const struct learn_optimiser *const optimiser = &recipe->optimiser;
    if (optimiser->schedule != LEARN_CONSTANT && optimiser->steps == 0) {
        return error_set(error, ERROR_USAGE,
                         "A rate that decays needs the number of steps after which it is 0.");
    }
    return record_check(&record, recipe, error) && check_heads(&recipe->shape, error);
}

bool learn_shape_check(const struct learn_shape *shape, struct error *error)
{
    struct learn_recipe recipe = learn_task_at(0)->recipe;
    recipe.shape = *shape;
    return learn_recipe_check(&recipe, error);
}

bool learn_shape_equal(const struct learn_shape *a, const struct learn_shape *b)
{
    const struct learn_recipe one = {.shape = *a}, other = {.shape = *b};
    const size_t first = offsetof(struct learn_recipe, shape);
    bool same = true;
    for (size_t r = 1; same && r < ROWS; r++) {
        const struct record_row *const row = &rows[r].row;
        const bool is_of_shape = row->at >= first && row->at < first + sizeof one.shape;
        same =
            !is_of_shape || !record_applies(&record, row, &one) || record_equal(row, &one, &other);
    }
    return same;
}

bool learn_recipe_same(const struct learn_recipe *a, const struct learn_recipe *b)
{
    bool same = a->task == b->task;
    for (size_t r = 0; same && r < ROWS; r++) {
        same = rows[r].line == NULL || record_equal(&rows[r].row, a, b);
    }
    return same;
}

struct learn_recipe learn_recipe_unfitted(const struct learn_recipe *recipe)
{
    struct learn_recipe unfitted = *recipe;
    const struct learn_task *const task = learn_task_at(recipe->task);
    for (size_t r = 1; r < ROWS; r++) {
        if (rows[r].line == NULL) {
            record_put(&rows[r].row, &unfitted, record_get(&rows[r].row, &task->recipe));
        }
    }
    return unfitted;
}

/* ---- the list of a session ------------------------------------------------------------------- */

static size_t line_rank(const struct record_row *row)
{
    return rows[record_index(&record, row)].line_rank;
}

const struct learn_recipe_row *learn_recipe_line(size_t place)
{
    const struct record_row *const row = record_in_order(&record, line_rank, place);
    return row == NULL ? NULL : &rows[record_index(&record, row)];
}

const struct learn_recipe_row *learn_recipe_find_line(const char *name, size_t length)
{
    for (size_t r = 0; r < ROWS; r++) {
        const char *const line = rows[r].line;
        if (line != NULL && strlen(line) == length && strncmp(line, name, length) == 0) {
            return &rows[r];
        }
    }
    return NULL;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

void learn_recipe_put(struct json_writer *json, const struct learn_recipe *recipe)
{
    json_begin_object(json);
    for (size_t r = 1; r < ROWS; r++) {
        if (rows[r].may_lack && record_get(&rows[r].row, recipe) == 0) {
            continue;
        }
        json_key(json, rows[r].row.key);
        record_json_put(json, &rows[r].row, recipe);
    }
    json_end_object(json);
}

bool learn_recipe_read(const struct json *json, struct learn_recipe *recipe, struct error *error)
{
    *recipe = (struct learn_recipe){.batch = 0};
    if (json_kind_of(json) != JSON_KIND_OBJECT) {
        return error_set(error, ERROR_INPUT, "A recipe must be an object.");
    }
    for (size_t r = 1; r < ROWS; r++) {
        const char *const key = rows[r].row.key;
        const struct json *const value = json_member(json, key);
        const bool is_lacking = value == NULL && rows[r].may_lack;
        if (!is_lacking && !record_json_read(value, &rows[r].row, recipe)) {
            return error_set(error, ERROR_INPUT,
                             value == NULL ? "A recipe must say its \"%s\"."
                                           : "The recipe says a \"%s\" that it cannot have.",
                             key);
        }
    }
    return true;
}
