/* Which axis of an array is what. */
#include <string.h>

#include "base/translate.h"
#include "lab/dump/dump_parts.h"

static const char letters[] = "LBHQK"; /* as enum dump_axis */

/* How arrays usually lie. */
static const struct axes_row {
    enum { OF_WEIGHTS, OF_ROWS, OF_HEADS_LAST } kind;
    bool numbered;
    size_t rank;
    const char *axes;
} usual[] = {
    {OF_WEIGHTS, false, 2, "QK"},       {OF_WEIGHTS, false, 3, "HQK"},
    {OF_WEIGHTS, false, 4, "LHQK"},     {OF_WEIGHTS, false, 5, "LBHQK"},
    {OF_WEIGHTS, true, 2, "QK"},        {OF_WEIGHTS, true, 3, "HQK"},
    {OF_WEIGHTS, true, 4, "BHQK"},      {OF_ROWS, false, 2, "QD"},
    {OF_ROWS, false, 3, "HQD"},         {OF_ROWS, false, 4, "LHQD"},
    {OF_ROWS, false, 5, "LBHQD"},       {OF_ROWS, true, 2, "QD"},
    {OF_ROWS, true, 3, "HQD"},          {OF_ROWS, true, 4, "BHQD"},
    {OF_HEADS_LAST, false, 3, "QHD"},   {OF_HEADS_LAST, false, 4, "BQHD"},
    {OF_HEADS_LAST, true, 3, "QHD"},    {OF_HEADS_LAST, true, 4, "BQHD"},
    {OF_HEADS_LAST, false, 5, "LBQHD"},
};

static bool is_of_rows(const struct dump_group *group)
{
    return group->role == DUMP_Q || group->role == DUMP_K || group->role == DUMP_V;
}

const char *dump_guess_axes(const struct dump_group *group, const struct array *array)
{
    const int kind = !is_of_rows(group) ? OF_WEIGHTS : group->heads_last ? OF_HEADS_LAST : OF_ROWS;
    if (!group->numbered && kind != OF_HEADS_LAST && array->rank == 5 && array->shape[0] == 1 &&
        array->shape[1] > 1) {
        return kind == OF_WEIGHTS ? "BLHQK" : "BLHQD"; /* a single text stands in front */
    }
    for (size_t r = 0; r < sizeof usual / sizeof usual[0]; r++) {
        if ((int)usual[r].kind == kind && usual[r].numbered == group->numbered &&
            usual[r].rank == array->rank) {
            return usual[r].axes;
        }
    }
    return NULL;
}

/* Every layer's array is of one shape. */
static bool shapes_agree(const struct lab_dump *dump, const struct dump_group *group,
                         struct error *error)
{
    const struct dump_member *const member = dump->member + group->first;
    const struct array *const first = member->array;
    for (size_t m = 1; m < group->count; m++) {
        const struct array *const array = member[m].array;
        if (member[m].number == member[m - 1].number) {
            return dump_refuse(dump, error, "%.50s is there twice, as %.50s.",
                               member[m - 1].array->name, array->name);
        }
        bool same = array->rank == first->rank;
        for (size_t axis = 0; same && axis < first->rank; axis++) {
            same = array->shape[axis] == first->shape[axis];
        }
        if (!same) {
            struct arena arena = {0};
            const char *const one = array_shape_text(array, " × ", &arena);
            const char *const other = array_shape_text(first, " × ", &arena);
            dump_refuse(dump, error, "%.40s is %s, but %.40s is %s: layers are alike.", array->name,
                        one == NULL ? "" : one, first->name, other == NULL ? "" : other);
            arena_free(&arena);
            return false;
        }
    }
    return true;
}

static int place_of(char letter)
{
    const char *const at = letter == '\0' ? NULL : strchr(letters, letter == 'D' ? 'K' : letter);
    return at == NULL ? -1 : (int)(at - letters);
}

bool dump_place_axes(const struct lab_dump *dump, const struct dump_group *group, const char *axes,
                     struct dump_tensor *out, struct error *error)
{
    const struct array *const array = dump->member[group->first].array;
    const char *const name = array->name[0] == '\0' ? tr("the array") : array->name;
    struct arena arena = {0};
    const char *const text = array_shape_text(array, " × ", &arena);
    char shape[128] = "";
    strncat(shape, text == NULL ? "" : text, sizeof shape - 1);
    arena_free(&arena);
    const char *const chosen =
        axes != NULL && axes[0] != '\0' ? axes : dump_guess_axes(group, array);
    *out = (struct dump_tensor){.group = group, .axis = {-1, -1, -1, -1, -1}};
    if (!shapes_agree(dump, group, error)) {
        return false;
    }
    if (chosen == NULL || strlen(chosen) != array->rank) {
        return dump_ask(dump, error,
                        "%.50s is %s: say with --axes which axis is what, a letter each, as LHQK "
                        "(or B).",
                        name, shape);
    }
    for (size_t axis = 0; axis < array->rank; axis++) {
        const int place = place_of(chosen[axis]);
        if (place < 0 || out->axis[place] >= 0 || (place == DUMP_LAYER && group->numbered)) {
            return dump_ask(dump, error,
                            "axes %.12s: each of L, B, H, Q and K (or D) at most once, and no L "
                            "where layers are arrays.",
                            chosen);
        }
        if (array->shape[axis] == 0) {
            return dump_refuse(dump, error, "%.50s is %s: there is nothing in it.", name, shape);
        }
        out->axis[place] = (int)axis;
        out->axes[axis] = chosen[axis];
    }
    if (out->axis[DUMP_QUERY] < 0 || out->axis[DUMP_KEY] < 0) {
        return dump_ask(dump, error, "axes %.12s: Q and K (or D) must be among them.", chosen);
    }
    for (size_t a = 0; a < DUMP_AXES; a++) {
        out->size[a] = out->axis[a] < 0 ? 1 : array->shape[out->axis[a]];
    }
    out->size[DUMP_LAYER] = group->numbered ? group->count : out->size[DUMP_LAYER];
    return true;
}
