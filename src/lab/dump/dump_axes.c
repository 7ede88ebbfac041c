/* Finds which axis of an array is what, from its usual order and from the tokens of the file. */
#include <string.h>

#include "base/translate.h"
#include "lab/dump/dump_lists.h"

static const char letters[] = "LBHQK"; /* as enum dump_axis */

/* The usual order of axes. */
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

static int kind_of(const struct dump_group *group)
{
    return !is_of_rows(group) ? OF_WEIGHTS : group->heads_last ? OF_HEADS_LAST : OF_ROWS;
}

const char *dump_guess_axes(const struct dump_group *group, const struct array *array)
{
    const int kind = kind_of(group);
    if (!group->numbered && kind != OF_HEADS_LAST && array->rank == 5 && array->shape[0] == 1 &&
        array->shape[1] > 1) {
        return kind == OF_WEIGHTS ? "BLHQK"
                                  : "BLHQD"; /* a single text has its batch axis in front */
    }
    for (size_t r = 0; r < sizeof usual / sizeof usual[0]; r++) {
        if ((int)usual[r].kind == kind && usual[r].numbered == group->numbered &&
            usual[r].rank == array->rank) {
            return usual[r].axes;
        }
    }
    return NULL;
}

/* Other orders, the likeliest first, tried where the tokens agree with them. Without Q there is one
 * query, and 1 stands for an axis of length 1. */
static const struct axes_row others[] = {
    {OF_WEIGHTS, false, 1, "K"},      {OF_WEIGHTS, false, 2, "HK"},
    {OF_WEIGHTS, false, 2, "BK"},     {OF_WEIGHTS, false, 3, "BQK"},
    {OF_WEIGHTS, false, 3, "QHK"},    {OF_WEIGHTS, false, 3, "LHK"},
    {OF_WEIGHTS, false, 3, "BHK"},    {OF_WEIGHTS, false, 4, "BHQK"},
    {OF_WEIGHTS, false, 4, "BQHK"},   {OF_WEIGHTS, false, 4, "LQHK"},
    {OF_WEIGHTS, false, 4, "LBQK"},   {OF_WEIGHTS, false, 5, "BLHQK"},
    {OF_WEIGHTS, false, 5, "QLH1K"},  {OF_WEIGHTS, false, 5, "LBQHK"},
    {OF_WEIGHTS, false, 5, "BLQHK"},  {OF_WEIGHTS, false, 6, "QLBH1K"},
    {OF_WEIGHTS, true, 1, "K"},       {OF_WEIGHTS, true, 2, "HK"},
    {OF_WEIGHTS, true, 2, "BK"},      {OF_WEIGHTS, true, 3, "BQK"},
    {OF_WEIGHTS, true, 3, "QHK"},     {OF_WEIGHTS, true, 3, "BHK"},
    {OF_WEIGHTS, true, 4, "BQHK"},    {OF_ROWS, false, 3, "QHD"},
    {OF_ROWS, false, 3, "BQD"},       {OF_ROWS, false, 4, "BQHD"},
    {OF_ROWS, false, 4, "LQHD"},      {OF_ROWS, false, 4, "BHQD"},
    {OF_ROWS, false, 5, "BLHQD"},     {OF_ROWS, false, 5, "LBQHD"},
    {OF_ROWS, false, 5, "BLQHD"},     {OF_ROWS, true, 3, "QHD"},
    {OF_ROWS, true, 3, "BQD"},        {OF_ROWS, true, 4, "BQHD"},
    {OF_HEADS_LAST, false, 3, "HQD"}, {OF_HEADS_LAST, false, 4, "BHQD"},
    {OF_HEADS_LAST, true, 3, "HQD"},  {OF_HEADS_LAST, true, 4, "BHQD"},
};

/* Returns the size of the axis of that letter; 1 where there is none. */
static size_t size_of(const struct array *array, const char *axes, char letter)
{
    const char *const at = strchr(axes, letter);
    return at == NULL ? 1 : array->shape[at - axes];
}

static bool can_lie_so(const struct array *array, const char *axes)
{
    bool can = strlen(axes) == array->rank;
    for (size_t a = 0; can && a < array->rank; a++) {
        can = axes[a] != '1' || array->shape[a] == 1;
    }
    return can;
}

/* With these axes there are as many keys as queries, and heads that share keys. */
static bool shares_keys(const struct dump_group *group, const struct array *q,
                        const struct array *k, const char *axes)
{
    const size_t heads = size_of(q, axes, 'H');
    const size_t groups = k->rank == q->rank ? size_of(k, axes, 'H') : 0;
    return is_of_rows(group) && group->side != DUMP_CROSS && groups > 0 && groups < heads &&
           heads % groups == 0 && size_of(q, axes, 'Q') == size_of(k, axes, 'Q');
}

/* Scores how well the lists of tokens agree with axes: a match of texts counts most, then as many
 * queries as tokens, then keys; shared heads add a little. keys: the array of K, or the array
 * itself. */
static int score_axes(const struct lab_dump *dump, const struct dump_group *group,
                      const struct array *array, const struct array *keys, const char *axes,
                      bool is_usual)
{
    const bool has_queries = strchr(axes, 'Q') != NULL;
    const size_t texts = size_of(array, axes, 'B'), n = size_of(array, axes, 'Q');
    const size_t m =
        keys->rank != array->rank ? 0 : size_of(keys, axes, is_of_rows(group) ? 'Q' : 'K');
    const bool lists_texts = texts > 1 && dump_lists_have_texts(dump, texts, has_queries ? n : m);
    int score = lists_texts ? 16 : texts > 1 ? -1 : 0;
    if (has_queries) {
        score += dump_lists_have(dump, n, texts) ? 8 : n == 1 && is_usual ? 6 : 0;
    } else if (dump->kind != FILE_TABLE && group->side != DUMP_CROSS &&
               dump_lists_have_own(dump, m, texts) && (texts == 1 || lists_texts)) {
        score += 6; /* a list of the keys alone names another text */
    } else {
        return -1;
    }
    return score + (dump_lists_have(dump, m, texts) ? 4 : 0) +
           (shares_keys(group, array, keys, axes) ? 2 : 0);
}

/* Weights with as many queries as keys keep that property. */
static bool stays_square(const struct dump_group *group, const struct array *array,
                         const char *usually, const char *axes)
{
    const size_t n = usually == NULL ? 0 : size_of(array, usually, 'Q');
    return is_of_rows(group) || n < 2 || n != size_of(array, usually, 'K') ||
           size_of(array, axes, 'Q') == size_of(array, axes, 'K');
}

const char *dump_axes_by_tokens(const struct lab_dump *dump, const struct dump_group *group,
                                const struct dump_group *keys)
{
    const struct array *const array = dump->member[group->first].array;
    const struct array *const k = keys == NULL ? array : dump->member[keys->first].array;
    const char *const usually = dump_guess_axes(group, array), *best = NULL;
    int max = usually == NULL ? -1 : score_axes(dump, group, array, k, usually, true);
    for (size_t o = 0; o < sizeof others / sizeof others[0]; o++) {
        const char *const axes = others[o].axes;
        if ((int)others[o].kind != kind_of(group) || others[o].numbered != group->numbered ||
            !can_lie_so(array, axes) || !stays_square(group, array, usually, axes)) {
            continue;
        }
        const int score = score_axes(dump, group, array, k, axes, false);
        best = score > max ? axes : best;
        max = score > max ? score : max;
    }
    return best;
}

void dump_tell_axes(struct lab_dump *dump, const struct dump_group *group, const char *by_tokens)
{
    const struct array *const array = dump->member[group->first].array;
    const char *const usually = dump_guess_axes(group, array);
    if (by_tokens != NULL && is_of_rows(group) && !dump_lists_are_there(dump)) {
        dump_doubt(dump,
                   arena_format(&dump->arena, "Its axes are taken for %s: so heads share keys.",
                                by_tokens));
    } else if (by_tokens != NULL) {
        dump_doubt(dump, arena_format(&dump->arena, "Its axes are taken for %s: so the tokens fit.",
                                      by_tokens));
    } else if (is_of_rows(group) && usually != NULL && strchr(usually, 'H') != NULL) {
        const size_t heads = size_of(array, usually, 'H'), n = size_of(array, usually, 'Q');
        if (heads == n && n > 1 && dump_lists_have(dump, n, size_of(array, usually, 'B'))) {
            dump_doubt(dump,
                       arena_format(&dump->arena,
                                    "It has as many heads as tokens: its axes are taken for %s.",
                                    usually));
        }
    }
}

static int axis_of_letter(char letter)
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
    if (!dump_shapes_agree(dump, group, error)) {
        return false;
    }
    if (chosen == NULL || strlen(chosen) != array->rank) {
        return dump_ask(dump, error,
                        "%.50s is %s: say with --axes which axis is what, a letter each, as LHQK "
                        "(or B).",
                        name, shape);
    }
    for (size_t axis = 0; axis < array->rank; axis++) {
        const int place = axis_of_letter(chosen[axis]);
        out->axes[axis] = chosen[axis];
        if (chosen[axis] == '1' && array->shape[axis] == 1) {
            continue;
        }
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
    }
    if ((out->axis[DUMP_QUERY] < 0 && is_of_rows(group)) || out->axis[DUMP_KEY] < 0) {
        return dump_ask(dump, error, "axes %.12s: Q and K (or D) must be among them.", chosen);
    }
    for (size_t a = 0; a < DUMP_AXES; a++) {
        out->size[a] = out->axis[a] < 0 ? 1 : array->shape[out->axis[a]];
    }
    out->size[DUMP_LAYER] = group->numbered ? group->count : out->size[DUMP_LAYER];
    return true;
}
