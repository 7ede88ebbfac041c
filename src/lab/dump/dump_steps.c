/* What generate() saves: one array for each step (12 × 12 for the words that were given, then 1 ×
 * 13, 1 × 14 …), which are rows of one square. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/translate.h"
#include "file/npz.h"
#include "lab/dump/dump_internal.h"

/* An array by its name with # in the place of one of its numbers: perhaps a step. */
struct step {
    const char *name;
    const struct array *array;
    size_t number;
    size_t index; /* of the arrays */
};

static int by_name_and_number(const void *a, const void *b)
{
    const struct step *const one = a, *const other = b;
    const int order = strcmp(one->name, other->name);
    return order != 0 ? order : one->number < other->number ? -1 : one->number > other->number;
}

/* The name with # for its number after `skipped` others; false: it has none. */
static bool name_step(const struct array *array, size_t skipped, struct arena *arena,
                      struct step *out)
{
    size_t at = 0, length = 0, number = 0;
    for (size_t from = 0, n = 0; n <= skipped; n++, from = at + length) {
        if (!dump_find_number(array->name, from, &at, &length, &number)) {
            return false;
        }
    }
    out->name = arena_format(arena, "%.*s#%s", (int)at, array->name, array->name + at + length);
    out->array = array;
    out->number = number;
    return out->name != NULL;
}

/* Sizes of the last two axes. */
static size_t queries_of(const struct array *array)
{
    return array->shape[array->rank - 2];
}

static size_t keys_of(const struct array *array)
{
    return array->shape[array->rank - 1];
}

static bool is_alike_before(const struct array *one, const struct array *other)
{
    bool alike = one->rank == other->rank && one->rank >= 2 && one->type == other->type;
    for (size_t axis = 0; alike && axis + 2 < one->rank; axis++) {
        alike = one->shape[axis] == other->shape[axis];
    }
    return alike;
}

/* Each step sees the keys of those before it and its own; of another text: always the same. */
static bool grows(const struct step *step, size_t count, bool keys_stay)
{
    size_t rows = 0;
    bool fits = count >= 2;
    for (size_t s = 0; fits && s < count; s++) {
        fits = is_alike_before(step[0].array, step[s].array) &&
               step[s].number == step[0].number + s && queries_of(step[s].array) > 0;
        rows += fits ? queries_of(step[s].array) : 0;
        fits = fits && keys_of(step[s].array) == (keys_stay ? keys_of(step[0].array) : rows);
    }
    return fits;
}

/* Arrays that are taken, and what they become. */
struct joining {
    struct lab_dump *dump;
    struct step *step; /* sorted */
    size_t steps;
    bool *taken; /* [arrays] */
    struct array *made;
    struct dump_join *join;
    size_t count;
    const struct step *grown; /* the first that were joined */
    size_t grown_steps;
};

/* The rows come step by step as those of the text that is written do. */
static bool goes_along(const struct joining *joining, const struct step *step, size_t count)
{
    bool along = count == joining->grown_steps;
    for (size_t s = 0; along && s < count; s++) {
        along = step[s].array->rank >= 2 &&
                queries_of(step[s].array) == queries_of(joining->grown[s].array);
    }
    return along;
}

static bool join(struct joining *joining, const struct step *step, size_t count)
{
    struct arena *const arena = &joining->dump->arena;
    const struct array **const part = arena_array(arena, count, sizeof *part);
    struct array *const made = &joining->made[joining->count];
    const char *const hash = strchr(step[0].name, '#');
    const size_t before = (size_t)(hash - step[0].name);
    size_t rows = 0;
    *made = *step[count - 1].array;
    /* "attentions_#" is "attentions" then, "step_#.layer_3" "step.layer_3" */
    const size_t cut = before > 0 && strchr("._-", hash[-1]) != NULL ? before - 1 : before;
    made->name = arena_format(arena, "%.*s%s", (int)cut, step[0].name, hash + 1);
    for (size_t s = 0; part != NULL && s < count; s++) {
        part[s] = step[s].array;
        rows += queries_of(step[s].array);
        joining->taken[step[s].index] = true;
    }
    made->shape[made->rank - 2] = rows;
    made->bytes = (struct bytes){NULL, 0};
    joining->join[joining->count++] = (struct dump_join){part, count};
    return part != NULL && made->name != NULL;
}

/* All sets of equal names; those whose keys stay only beside others that grow. */
static bool join_sets(struct joining *joining, bool keys_stay)
{
    bool room = true;
    for (size_t first = 0, end = 0; room && first < joining->steps; first = end) {
        const struct step *const step = joining->step + first;
        for (end = first + 1;
             end < joining->steps && strcmp(step->name, joining->step[end].name) == 0; end++) {
        }
        const size_t count = end - first;
        const bool fits = !joining->taken[step->index] && step->array->rank >= 2 &&
                          grows(step, count, keys_stay) &&
                          (!keys_stay || (dump_side_of(step->name) == DUMP_CROSS &&
                                          goes_along(joining, step, count)));
        if (fits && joining->grown == NULL) {
            joining->grown = step;
            joining->grown_steps = count;
        }
        room = !fits || join(joining, step, count);
    }
    return room;
}

/* All that have a number after `skipped` others, sorted. False: no memory. */
static bool name_steps(struct joining *joining, size_t skipped)
{
    struct lab_dump *const dump = joining->dump;
    joining->steps = 0;
    for (size_t a = 0; a < dump->arrays; a++) {
        struct step *const step = &joining->step[joining->steps];
        step->index = a;
        joining->steps += name_step(&dump->array[a], skipped, &dump->arena, step);
    }
    qsort(joining->step, joining->steps, sizeof *joining->step, by_name_and_number);
    return !dump->arena.lacking;
}

/* Joins by the number after `skipped` others. */
static bool join_by_number(struct joining *joining, size_t skipped)
{
    return name_steps(joining, skipped) && join_sets(joining, false) &&
           (joining->grown == NULL || join_sets(joining, true));
}

/* The layers of each step one behind the other under one row of numbers, as savez(*arrays) has
 * them: "arr_5" of 2 layers is layer 1 of step 2. */
static bool join_by_turns(struct joining *joining)
{
    struct arena *const arena = &joining->dump->arena;
    bool room = true;
    for (size_t first = 0, end = 0; room && first < joining->steps; first = end) {
        struct step *const step = joining->step + first;
        const struct array *const array = step->array;
        const char *const name = step->name, *const hash = strchr(name, '#');
        size_t layers = 0;
        for (end = first; end < joining->steps && strcmp(name, joining->step[end].name) == 0;
             end++) {
            const struct array *const other = joining->step[end].array;
            const bool begins = layers == end - first && is_alike_before(array, other);
            layers += begins && queries_of(array) == queries_of(other) &&
                      keys_of(array) == keys_of(other);
        }
        for (size_t s = 0; layers > 1 && room && s < end - first; s++) {
            step[s].name =
                arena_format(arena, "%.*s#_%zu%s", (int)(hash - name), name, s % layers, hash + 1);
            step[s].number = s / layers;
            room = step[s].name != NULL;
        }
    }
    if (!room) { /* a step lacks its name */
        return false;
    }
    qsort(joining->step, joining->steps, sizeof *joining->step, by_name_and_number);
    return join_sets(joining, false);
}

static void tell(struct joining *joining)
{
    struct lab_dump *const dump = joining->dump;
    const size_t first = queries_of(joining->grown[0].array);
    const struct array *const last = joining->grown[joining->grown_steps - 1].array;
    dump_doubt(dump,
               arena_format(&dump->arena, "%zu steps of writing are joined: from %zu to %zu words.",
                            joining->grown_steps, first, keys_of(last)));
}

bool dump_join_steps(struct lab_dump *dump)
{
    struct joining joining = {.dump = dump};
    const size_t most = dump->arrays;
    if (most < 2 || most > LAB_DUMP_ARRAYS_MAX) {
        return true;
    }
    joining.step = arena_array(&dump->arena, most, sizeof *joining.step);
    joining.taken = arena_array(&dump->arena, most, sizeof *joining.taken);
    joining.made = arena_array(&dump->arena, most, sizeof *joining.made);
    joining.join = arena_array(&dump->arena, most, sizeof *joining.join);
    bool room = joining.step != NULL && joining.taken != NULL && joining.made != NULL &&
                joining.join != NULL;
    for (size_t skipped = 0; room && skipped < 2 && joining.grown == NULL; skipped++) {
        room = join_by_number(&joining, skipped);
    }
    if (room && joining.grown == NULL) {
        room = name_steps(&joining, 0) && join_by_turns(&joining);
    }
    if (!room || joining.grown == NULL) {
        return room;
    }
    tell(&joining);
    for (size_t a = 0; a < most; a++) { /* no more than there were */
        if (!joining.taken[a]) {
            joining.made[joining.count++] = dump->array[a];
        }
    }
    dump->array = joining.made;
    dump->arrays = joining.count;
    dump->join = joining.join;
    return true;
}

/* ---- read ----------------------------------------------------------------------------------- */

/* The tables of one step into the rows it brought: before that many others. */
static void put_step(const struct array *part, size_t row, size_t rows, size_t cols, float *out)
{
    const size_t tables = array_count(part) / (queries_of(part) * keys_of(part));
    for (size_t t = 0; t < tables; t++) {
        for (size_t i = 0; i < queries_of(part); i++) {
            array_copy_floats(part, (t * queries_of(part) + i) * keys_of(part), keys_of(part),
                              out + (t * rows + row + i) * cols);
        }
    }
}

bool dump_join_read(const struct lab_dump *dump, const struct array *array,
                    const struct dump_join *join, struct arena *arena, struct array *out,
                    struct error *error)
{
    const size_t count = array_count(array), rows = queries_of(array), cols = keys_of(array);
    const bool scores = dump->tensor[0].group != NULL && dump->tensor[0].group->role == DUMP_SCORES;
    float *const values = arena_array(arena, count, sizeof *values);
    if (values == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to open this file.");
    }
    for (size_t i = 0; scores && i < count; i++) {
        values[i] = -INFINITY;
    }
    size_t row = 0;
    for (size_t s = 0; s < join->steps; s++) {
        struct arena packed = {0};
        struct array part = *join->part[s];
        if (part.bytes.at == NULL &&
            !npz_read_one(dump->map.bytes, part.name, &packed, &part, error)) {
            arena_free(&packed);
            return false;
        }
        put_step(&part, row, rows, cols, values);
        row += queries_of(&part);
        arena_free(&packed);
    }
    *out = array_of_floats(array->name, array->rank, array->shape, values);
    return true;
}
