/* Joins what generate() saves: one array for each step (12 × 12 for the words that were given, then
 * 1 × 13, 1 × 14 and so on), which are rows of one square. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/translate.h"
#include "file/npz.h"
#include "lab/dump/dump_lists.h"

/* An array that may be a step, named with # in the place of one of its numbers. */
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
    if (order != 0 || one->number != other->number) {
        return order != 0 ? order : one->number < other->number ? -1 : 1;
    }
    return one->index < other->index ? -1 : one->index > other->index;
}

/* Replaces by # the number that follows `skipped` others. Returns false where there is none. */
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

/* The sizes of the last two axes. */
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

/* How arrays of one name change from step to step. */
enum growth {
    NO_STEPS,
    BY_ROWS, /* each step adds rows, which see the keys so far */
    WHOLE,   /* each step has all rows anew, as without a cache; the last step is enough */
    STAYING  /* each step adds rows, which see the keys of another text */
};

/* Replaces every number of a name by #, so that names that differ only in the layer become
 * equal. */
static const char *skeleton_of(const char *name, struct arena *arena)
{
    size_t at = 0, length = 0, number = 0;
    const char *text = name;
    while (text != NULL && dump_find_number(text, 0, &at, &length, &number)) {
        text = arena_format(arena, "%.*s#%s", (int)at, text, text + at + length);
    }
    return text;
}

/* Returns the first number that is left out; SIZE_MAX: none is. */
static size_t missing_number(const struct step *step, size_t count)
{
    for (size_t s = 1; s < count; s++) {
        if (step[s].number != step[s - 1].number + 1) {
            return step[s - 1].number + 1;
        }
    }
    return SIZE_MAX;
}

/* The arrays that are joined, and the arrays that are made of them. */
struct joining {
    struct lab_dump *dump;
    struct step *step; /* sorted */
    size_t steps;
    bool *taken; /* [arrays] */
    struct array *made;
    struct dump_join *join;
    size_t count;
    enum growth growth;               /* of the first set that was joined; NO_STEPS: none was */
    const struct array *const *grown; /* [grown_steps] the steps of that set */
    size_t grown_steps;
    const char
        *joined[2]; /* names without numbers: of the sets that grow, and of those that stay */
    size_t first_number;
    struct error *error;
};

/* Says whether one of the words stands before the place, as "layer" does in "layer_#.attn". */
static bool is_behind(const char *name, size_t place, const char *const *words)
{
    bool behind = false;
    while (place > 0 && strchr("._-/[]()'\" ", name[place - 1]) != NULL) {
        place--;
    }
    for (size_t w = 0; !behind && words[w] != NULL; w++) {
        const size_t length = strlen(words[w]);
        behind = place >= length && strncmp(name + place - length, words[w], length) == 0;
    }
    return behind;
}

/* Says whether the number of a name is that of a step. generate() gives a tuple of steps, each a
 * tuple of layers, so the first of two numbers is the step unless a word says otherwise. */
static bool names_a_step(const char *name)
{
    static const char *const layers[] = {"layer", "layers", "Layer", "Layers",
                                         "block", "blocks", NULL};
    static const char *const steps[] = {"step", "steps", "Step", "token", "time", NULL};
    const size_t place = (size_t)(strchr(name, '#') - name);
    size_t at = 0, length = 0, number = 0;
    const bool has_other = dump_find_number(name, 0, &at, &length, &number);
    return is_behind(name, place, steps) || (!is_behind(name, place, layers) && has_other &&
                                             (at > place || is_behind(name, at, layers)));
}

/* Says whether the steps add as many rows as those of the text that is written. */
static bool goes_along(const struct joining *joining, const struct step *step, size_t count)
{
    bool along = count == joining->grown_steps;
    for (size_t s = 0; along && s < count; s++) {
        along = queries_of(step[s].array) == queries_of(joining->grown[s]);
    }
    return along;
}

/* Says whether these are rows of cross-attention, which see another text. They count as steps
 * together with others that grow, or where their number, names or tokens show that they are no
 * layers. */
static bool is_cross_growth(const struct joining *joining, const struct step *step, size_t count)
{
    const struct array *const first = step[0].array;
    size_t rows = queries_of(first);
    bool one_by_one = true;
    if (dump_side_of(step->name) != DUMP_CROSS) {
        return false;
    }
    for (size_t s = 1; s < count; s++) {
        if (!is_alike_before(first, step[s].array) || keys_of(step[s].array) != keys_of(first)) {
            return false;
        }
        one_by_one = one_by_one && queries_of(step[s].array) == 1;
        rows += queries_of(step[s].array);
    }
    if (joining->growth != NO_STEPS) {
        return goes_along(joining, step, count);
    }
    return one_by_one && (queries_of(first) > 1 || first->rank >= 5 ||
                          (first->rank >= 3 && names_a_step(step->name)) ||
                          (rows != keys_of(first) && dump_lists_have(joining->dump, rows, 1)));
}

/* Says whether each step has all rows and one more, which see those so far, or another text. */
static bool is_whole(const struct step *step, size_t count)
{
    const struct array *const first = step[0].array;
    const bool crosses = dump_side_of(step->name) == DUMP_CROSS;
    bool whole = count > 2 || names_a_step(step->name);
    for (size_t s = 0; whole && s < count; s++) {
        const struct array *const array = step[s].array;
        whole = is_alike_before(first, array) && queries_of(array) == queries_of(first) + s &&
                keys_of(array) == (crosses ? keys_of(first) : queries_of(array));
    }
    return whole;
}

/* Says whether each step sees the keys of the steps before it and its own. */
static bool is_growing(const struct step *step, size_t count)
{
    size_t rows = 0;
    bool fits = true;
    for (size_t s = 0; fits && s < count; s++) {
        fits = is_alike_before(step[0].array, step[s].array) && queries_of(step[s].array) > 0;
        rows += fits ? queries_of(step[s].array) : 0;
        fits = fits && keys_of(step[s].array) == rows;
    }
    return fits;
}

static enum growth growth_of(const struct joining *joining, const struct step *step, size_t count)
{
    return count < 2 || step->array->rank < 2      ? NO_STEPS
           : is_growing(step, count)               ? BY_ROWS
           : is_whole(step, count)                 ? WHOLE
           : is_cross_growth(joining, step, count) ? STAYING
                                                   : NO_STEPS;
}

/* Reports that a step between the others is missing. */
static bool refuse_gap(const struct joining *joining, const struct step *step, size_t count,
                       size_t missing)
{
    return dump_refuse(joining->dump, joining->error,
                       "These are steps of generate(), and step %zu is missing: %.40s and %.40s do "
                       "not join.",
                       missing, step[0].array->name, step[count - 1].array->name);
}

static bool lacks_memory(const struct joining *joining)
{
    return error_set(joining->error, ERROR_MEMORY, "There is not enough memory to open this file.");
}

/* Joins the steps to one array; where each step has all rows, the last one is enough. */
static bool join_set(struct joining *joining, const struct step *step, size_t count,
                     enum growth growth)
{
    struct arena *const arena = &joining->dump->arena;
    const struct array **const part = arena_array(arena, count, sizeof *part);
    struct array *const made = &joining->made[joining->count];
    const char *const hash = strchr(step[0].name, '#');
    const size_t before = (size_t)(hash - step[0].name);
    const bool whole = growth == WHOLE || joining->growth == WHOLE;
    size_t rows = 0;
    *made = *step[count - 1].array;
    /* The number goes with its separator: "attentions_#" becomes "attentions", "step_#.layer_3"
     * "step.layer_3", and "cross[#][0]" "cross[0]". */
    const bool in_brackets = before > 0 && hash[-1] == '[' && hash[1] == ']';
    const bool is_apart = before > 0 && (in_brackets || strchr("._-", hash[-1]) != NULL);
    made->name = arena_format(arena, "%.*s%s", (int)(before - is_apart), step[0].name,
                              hash + 1 + in_brackets);
    for (size_t s = 0; part != NULL && s < count; s++) {
        part[s] = step[s].array;
        rows += queries_of(step[s].array);
        joining->taken[step[s].index] = true;
    }
    if (part == NULL || made->name == NULL) {
        return lacks_memory(joining);
    }
    made->shape[made->rank - 2] = whole ? queries_of(step[count - 1].array) : rows;
    made->bytes = (struct bytes){NULL, 0};
    joining->join[joining->count++] =
        whole ? (struct dump_join){part + count - 1, 1} : (struct dump_join){part, count};
    if (joining->growth == NO_STEPS) {
        joining->growth = growth;
        joining->grown = part;
        joining->grown_steps = count;
        joining->first_number = step[0].number;
    }
    const char **const joined = &joining->joined[growth == STAYING];
    *joined = *joined == NULL ? skeleton_of(step[0].name, arena) : *joined;
    return *joined != NULL || lacks_memory(joining);
}

/* Returns the place after the last step of that name. */
static size_t end_of_set(const struct joining *joining, size_t first)
{
    size_t end = first + 1;
    while (end < joining->steps &&
           strcmp(joining->step[first].name, joining->step[end].name) == 0) {
        end++;
    }
    return end;
}

/* Joins each set of equal names. Sets that stay are joined in a second pass, with `staying`, since
 * they are known by the sets that grow. */
static bool join_sets(struct joining *joining, bool staying)
{
    bool fine = true;
    for (size_t first = 0, end = 0; fine && first < joining->steps; first = end) {
        const struct step *const step = joining->step + first;
        end = end_of_set(joining, first);
        const size_t count = end - first;
        const enum growth growth =
            joining->taken[step->index] ? NO_STEPS : growth_of(joining, step, count);
        const size_t missing = missing_number(step, count);
        if (growth != NO_STEPS && (growth == STAYING) == staying) {
            fine = missing == SIZE_MAX ? join_set(joining, step, count, growth)
                                       : refuse_gap(joining, step, count, missing);
        }
    }
    return fine;
}

/* Says whether these are steps of another layer of what was joined. */
static bool is_joined_elsewhere(const struct joining *joining, const struct step *step,
                                struct arena *arena)
{
    const char *const skeleton = skeleton_of(step->name, arena);
    bool is_layer = false;
    for (size_t j = 0; skeleton != NULL && j < 2; j++) {
        is_layer =
            is_layer || (joining->joined[j] != NULL && strcmp(skeleton, joining->joined[j]) == 0);
    }
    return is_layer;
}

/* Checks that all layers of what was joined have the same number of steps. */
static bool check_layers(const struct joining *joining)
{
    struct arena arena = {0};
    bool fine = true;
    for (size_t first = 0, end = 0; fine && first < joining->steps; first = end) {
        const struct step *const step = joining->step + first;
        end = end_of_set(joining, first);
        const size_t count = end - first;
        if ((!joining->taken[step->index] || count != joining->grown_steps) &&
            is_joined_elsewhere(joining, step, &arena)) {
            size_t missing = 0;
            while (missing < count && step[missing].number == joining->first_number + missing) {
                missing++;
            }
            fine = refuse_gap(joining, step, count, joining->first_number + missing);
        }
    }
    fine = fine && (!arena.lacking || lacks_memory(joining));
    arena_free(&arena);
    return fine;
}

/* Collects all arrays that have a number after `skipped` others, sorted. Returns false without
 * memory. */
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
    return !dump->arena.lacking || lacks_memory(joining);
}

/* Joins by the number that follows `skipped` others. */
static bool join_by_number(struct joining *joining, size_t skipped)
{
    return name_steps(joining, skipped) && join_sets(joining, false) && join_sets(joining, true) &&
           (joining->growth == NO_STEPS || check_layers(joining));
}

/* Returns how many layers each step has where steps and layers are numbered together: as many as
 * have equal sizes before the sizes change. Where the sizes never change, the number of other steps
 * or of tokens decides. */
static size_t layers_in_turn(const struct joining *joining, const struct step *step, size_t count)
{
    size_t layers = 1;
    while (layers < count && is_alike_before(step[0].array, step[layers].array) &&
           queries_of(step[0].array) == queries_of(step[layers].array) &&
           keys_of(step[0].array) == keys_of(step[layers].array)) {
        layers++;
    }
    for (size_t all = layers, l = 1; layers == count && count > 1 && l < all; l++) {
        const size_t steps = all / l, keys = keys_of(step[0].array);
        const bool tells = joining->growth != NO_STEPS
                               ? steps == joining->grown_steps
                               : steps != keys && dump_lists_have(joining->dump, steps, 1);
        if (all % l == 0 && tells && queries_of(step[0].array) == 1 &&
            dump_side_of(step->name) == DUMP_CROSS) {
            return l;
        }
    }
    return layers;
}

/* Joins layers of steps that are numbered together, as savez(*arrays) does it: with 2 layers
 * "arr_5" is layer 1 of step 2. */
static bool join_by_turns(struct joining *joining, bool staying)
{
    struct arena *const arena = &joining->dump->arena;
    bool fine = name_steps(joining, 0);
    for (size_t first = 0, end = 0; fine && first < joining->steps; first = end) {
        struct step *const step = joining->step + first;
        const char *const name = step->name, *const hash = strchr(name, '#');
        end = end_of_set(joining, first);
        const size_t layers =
            step->array->rank < 2 ? 0 : layers_in_turn(joining, step, end - first);
        for (size_t s = 0; layers > 1 && fine && s < end - first; s++) {
            step[s].name =
                arena_format(arena, "%.*s#_%zu%s", (int)(hash - name), name, s % layers, hash + 1);
            step[s].number = s / layers;
            fine = step[s].name != NULL || lacks_memory(joining);
        }
    }
    if (fine) { /* otherwise a step has no name */
        qsort(joining->step, joining->steps, sizeof *joining->step, by_name_and_number);
        fine = join_sets(joining, staying);
    }
    return fine;
}

static void report_steps(struct joining *joining)
{
    struct lab_dump *const dump = joining->dump;
    const size_t steps = joining->grown_steps;
    const struct array *const last = joining->grown[steps - 1];
    size_t rows = 0;
    for (size_t s = 0; s < steps; s++) {
        rows += queries_of(joining->grown[s]);
    }
    dump_doubt(
        dump,
        joining->growth == WHOLE
            ? arena_format(&dump->arena,
                           "%zu steps of writing are there, each with all words so far: the "
                           "last one is shown.",
                           steps)
        : joining->growth == STAYING
            ? arena_format(&dump->arena, "%zu steps of writing are joined: %zu words.", steps, rows)
            : arena_format(&dump->arena, "%zu steps of writing are joined: from %zu to %zu words.",
                           steps, queries_of(joining->grown[0]), keys_of(last)));
}

/* Tries every way in which steps may be named until one fits. */
static bool join_any_way(struct joining *joining)
{
    bool fine = true;
    for (size_t skipped = 0; fine && skipped < 2 && joining->growth == NO_STEPS; skipped++) {
        fine = join_by_number(joining, skipped);
    }
    if (fine && joining->growth == NO_STEPS) {
        fine = join_by_turns(joining, false) && join_by_turns(joining, true);
    }
    return fine;
}

bool dump_join_steps(struct lab_dump *dump, struct error *error)
{
    struct joining joining = {.dump = dump, .error = error};
    const size_t count = dump->arrays;
    if (count < 2 || count > LAB_DUMP_ARRAYS_MAX) {
        return true;
    }
    joining.step = arena_array(&dump->arena, count, sizeof *joining.step);
    joining.taken = arena_array(&dump->arena, count, sizeof *joining.taken);
    joining.made = arena_array(&dump->arena, count, sizeof *joining.made);
    joining.join = arena_array(&dump->arena, count, sizeof *joining.join);
    const bool room = joining.step != NULL && joining.taken != NULL && joining.made != NULL &&
                      joining.join != NULL;
    if (!room || !join_any_way(&joining)) {
        return room ? false : lacks_memory(&joining);
    }
    if (joining.growth == NO_STEPS) {
        return true;
    }
    report_steps(&joining);
    for (size_t a = 0; a < count; a++) { /* joining makes no more arrays than there were */
        if (!joining.taken[a]) {
            joining.made[joining.count++] = dump->array[a];
        }
    }
    dump->array = joining.made;
    dump->arrays = joining.count;
    dump->join = joining.join;
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Copies the tables of one step to its rows of the joined tables, from `row` on. */
static void copy_step(const struct array *part, size_t row, size_t rows, size_t cols, float *out)
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
        if (part.bytes.at == NULL && !npz_read_one(dump->bytes, part.name, &packed, &part, error)) {
            arena_free(&packed);
            return false;
        }
        copy_step(&part, row, rows, cols, values);
        row += queries_of(&part);
        arena_free(&packed);
    }
    *out = array_of_floats(array->name, array->rank, array->shape, values);
    return true;
}
