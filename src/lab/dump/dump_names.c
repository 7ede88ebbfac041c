/* Finds what an array is by its name, from a table of the names that Hugging Face, TransformerLens
 * and people give. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/dump/dump_internal.h"

/* Returns the missing number among steps of generate(), each of which grows by its own rows.
 * SIZE_MAX: these are no such steps. */
static size_t missing_step(const struct dump_member *member, size_t count)
{
    const struct array *const first = member[0].array;
    const size_t axes = first->rank;
    const bool begins = axes >= 2 && first->shape[axes - 2] >= first->shape[axes - 1];
    size_t missing = begins || member[0].number == 0 ? SIZE_MAX : member[0].number - 1;
    for (size_t m = 1; m < count; m++) {
        const struct array *const before = member[m - 1].array, *const array = member[m].array;
        const size_t rank = array->rank, step = member[m].number;
        if (rank < 2 || rank != first->rank ||
            array->shape[rank - 1] <=
                before->shape[rank - 1] || /* each step sees more keys than the former */
            array->shape[rank - 2] >= array->shape[rank - 1]) {
            return SIZE_MAX;
        }
        missing = missing == SIZE_MAX && step != member[m - 1].number + 1 ? member[m - 1].number + 1
                                                                          : missing;
    }
    return missing;
}

bool dump_shapes_agree(const struct lab_dump *dump, const struct dump_group *group,
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
        const size_t missing = same ? SIZE_MAX : missing_step(member, group->count);
        if (missing != SIZE_MAX) {
            return dump_refuse(dump, error,
                               "These are steps of generate(), and step %zu is missing: %.40s and "
                               "%.40s do not join.",
                               missing, first->name, member[group->count - 1].array->name);
        }
        if (!same) {
            struct arena arena = {0};
            const char *const one = array_shape_text(array, " × ", &arena);
            const char *const other = array_shape_text(first, " × ", &arena);
            dump_ask(dump, error, "%.40s is %s, but %.40s is %s: layers are alike.", array->name,
                     one == NULL ? "" : one, first->name, other == NULL ? "" : other);
            arena_free(&arena);
            return false;
        }
    }
    return true;
}

/* The table matches the end of a name whose separators are made points and whose layer number is
 * left out, so that "attentions.3", "attentions_3" and "blocks.3.attn.hook_pattern" are all found.
 * The first row that fits counts. */
static const struct name_row {
    const char *end;
    enum dump_role role;
    size_t rank;
    bool heads_last, causal;
} rows[] = {
    {"hook.pattern", DUMP_WEIGHTS, 0, false, false}, /* TransformerLens */
    {"hook.attn.scores", DUMP_SCORES, 7, false, false},
    {"hook.rot.q", DUMP_Q, 8, true, true}, /* turned by rotary positions, as the scores need it */
    {"hook.rot.k", DUMP_K, 8, true, true},
    {"hook.q", DUMP_Q, 9, true, true},
    {"hook.k", DUMP_K, 9, true, true},
    {"hook.v", DUMP_V, 9, true, true},
    {"attentions", DUMP_WEIGHTS, 0, false, false},
    {"attention", DUMP_WEIGHTS, 0, false, false},
    {"attention.weights", DUMP_WEIGHTS, 0, false, false},
    {"attention.probs", DUMP_WEIGHTS, 0, false, false},
    {"attn.weights", DUMP_WEIGHTS, 0, false, false},
    {"attn.probs", DUMP_WEIGHTS, 0, false, false},
    {"attn", DUMP_WEIGHTS, 0, false, false},
    {"weights", DUMP_WEIGHTS, 0, false, false},
    {"pattern", DUMP_WEIGHTS, 0, false, false},
    {"patterns", DUMP_WEIGHTS, 0, false, false},
    {"alpha", DUMP_WEIGHTS, 0, false, false},
    {"attention.scores", DUMP_SCORES, 7, false, false},
    {"attn.scores", DUMP_SCORES, 7, false, false},
    {"attn.logits", DUMP_SCORES, 7, false, false},
    {"scaled", DUMP_SCORES, 7, false, false}, /* as compute writes them */
    {"w.q", DUMP_UNKNOWN, 20, false, false},  /* weights of a projection */
    {"w.k", DUMP_UNKNOWN, 20, false, false},
    {"w.v", DUMP_UNKNOWN, 20, false, false},
    {"query", DUMP_Q, 9, false, false},
    {"queries", DUMP_Q, 9, false, false},
    {"q", DUMP_Q, 9, false, false},
    {"key", DUMP_K, 9, false, false},
    {"keys", DUMP_K, 9, false, false},
    {"k", DUMP_K, 9, false, false},
    {"value", DUMP_V, 9, false, false},
    {"values", DUMP_V, 9, false, false},
    {"v", DUMP_V, 9, false, false},
};

static char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_between(char c)
{
    return c == '\0' || (c != '\0' && strchr("._-/[]()'\" ", c) != NULL);
}

static bool is_word(const char *name, const char *word)
{
    size_t l = 0;
    while (word[l] != '\0' && lower_case(name[l]) == word[l]) {
        l++;
    }
    return word[l] == '\0';
}

/* A number right after a word counts: "layer0" is read as "layer_0". The 5 of "t5" does not. */
static bool is_behind_word(const char *name, size_t digits)
{
    static const char *const words[] = {"layer", "layers",  "block",     "step",
                                        "attn",  "weights", "attention", "attentions"};
    bool behind = false;
    for (size_t w = 0; !behind && w < sizeof words / sizeof words[0]; w++) {
        const size_t length = strlen(words[w]);
        behind = digits >= length && is_word(name + digits - length, words[w]) &&
                 (digits == length || is_between(name[digits - length - 1]));
    }
    return behind;
}

bool dump_find_number(const char *name, size_t from, size_t *at, size_t *length, size_t *number)
{
    char digits[8];
    for (size_t i = from; name[i] != '\0'; i++) {
        size_t end = i;
        while (is_digit(name[end])) {
            end++;
        }
        if (end > i && end - i < sizeof digits && is_between(name[end]) &&
            (i == 0 || is_between(name[i - 1]) || is_behind_word(name, i))) {
            uint64_t whole = 0;
            memcpy(digits, name + i, end - i);
            digits[end - i] = '\0';
            *at = i;
            *length = end - i;
            *number = text_to_u64(digits, &whole) ? (size_t)whole : 0;
            return true;
        }
        i = end > i ? end - 1 : i;
    }
    return false;
}

/* Makes "attentions" of "attentions_#", and "blocks.attn.hook.q" of "blocks.#.attn.hook_q". */
static void plain_name(const char *name, char *out, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; name[i] != '\0' && length + 1 < size; i++) {
        const bool gap = is_between(name[i]) || name[i] == '#';
        if (!gap) {
            out[length++] = lower_case(name[i]);
        } else if (length > 0 && out[length - 1] != '.') {
            out[length++] = '.';
        }
    }
    while (length > 0 && out[length - 1] == '.') {
        length--;
    }
    out[length] = '\0';
}

static const struct name_row *find_row(const char *name)
{
    char plain[256];
    plain_name(name, plain, sizeof plain);
    size_t length = strlen(plain);
    while (length > 0 && (is_digit(plain[length - 1]) || plain[length - 1] == '.')) {
        length--; /* of a tuple in a tuple: "layers.attention.weights.0" */
    }
    plain[length] = '\0';
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const size_t end = strlen(rows[r].end);
        if (length >= end && strcmp(plain + length - end, rows[r].end) == 0 &&
            (length == end || plain[length - end - 1] == '.')) {
            return &rows[r];
        }
    }
    return NULL;
}

bool dump_is_name_of_attention(const char *name)
{
    const struct name_row *const row = find_row(name);
    return row != NULL && (row->role == DUMP_WEIGHTS || row->role == DUMP_SCORES);
}

/* Returns the side that a plain name states. */
static enum dump_side side_of(const char *plain)
{
    const char *const decoder = strstr(plain, "decoder");
    const char *const encoder = strstr(plain, "encoder");
    if (strstr(plain, "cross") != NULL || (decoder != NULL && encoder != NULL)) {
        return DUMP_CROSS; /* "decoder.layers.encoder.attn" is the decoder's cross-attention */
    }
    return decoder != NULL ? DUMP_DECODER : encoder != NULL ? DUMP_ENCODER : DUMP_NO_SIDE;
}

enum dump_side dump_side_of(const char *name)
{
    char plain[256];
    plain_name(name, plain, sizeof plain);
    return side_of(plain);
}

bool dump_is_plain_tuple(const char *name)
{
    static const char *const names[] = {"", "arr", "layer", "layers", "block", "blocks"};
    char plain[256];
    plain_name(name, plain, sizeof plain);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        if (strcmp(plain, names[n]) == 0) {
            return true;
        }
    }
    return false;
}

static int by_group(const void *a, const void *b)
{
    const struct dump_member *const one = a, *const other = b;
    if (one->group != other->group) {
        return one->group < other->group ? -1 : 1;
    }
    if (one->number != other->number) { /* layer.1 and layer.01 have the same */
        return one->number < other->number ? -1 : 1;
    }
    return one->array < other->array ? -1 : one->array > other->array;
}

/* An array's name without its number. */
struct named {
    const char *name;    /* with # for the number */
    size_t index, first; /* of the arrays; the first one that is called so */
    size_t number;
    bool numbered;
};

static bool read_name(struct lab_dump *dump, size_t index, struct named *out)
{
    const char *const name = dump->array[index].name;
    size_t at = 0, length = 0, number = 0;
    const bool numbered = !dump->apart && dump_find_number(name, 0, &at, &length, &number);
    *out = (struct named){.name = !numbered ? name
                                            : arena_format(&dump->arena, "%.*s#%s", (int)at, name,
                                                           name + at + length),
                          .index = index,
                          .number = number,
                          .numbered = numbered};
    return out->name != NULL;
}

static int by_name(const void *a, const void *b)
{
    const struct named *const one = a, *const other = b;
    const int order = strcmp(one->name, other->name);
    return order != 0 ? order : one->index < other->index ? -1 : one->index > other->index;
}

static int by_index(const void *a, const void *b)
{
    const struct named *const one = a, *const other = b;
    return one->index < other->index ? -1 : one->index > other->index;
}

/* The array is sorted, so that equal names among thousands of long ones are found as fast as among
 * few. */
static void find_equal_names(struct named *named, size_t count)
{
    qsort(named, count, sizeof *named, by_name);
    for (size_t n = 0; n < count; n++) {
        const bool again = n > 0 && strcmp(named[n - 1].name, named[n].name) == 0;
        named[n].first = again ? named[n - 1].first : named[n].index;
    }
    qsort(named, count, sizeof *named, by_index);
}

/* A layer of a model that generates text, as transformers names it, looks back.
 * "encoder.layer.#.attention.self" does not. */
static bool is_generative(const char *name)
{
    static const char *const begins[] = {"model.layers.", "transformer.h.", "gpt.neox.layers.",
                                         "model.decoder.layers.", "decoder."};
    char plain[256];
    plain_name(name, plain, sizeof plain);
    bool writes = false;
    for (size_t b = 0; !writes && b < sizeof begins / sizeof *begins; b++) {
        writes = strncmp(plain, begins[b], strlen(begins[b])) == 0;
    }
    return writes && side_of(plain) != DUMP_CROSS;
}

/* Puts one array into its group; the first array makes the group. */
static void join_group(struct lab_dump *dump, const struct named *named)
{
    size_t g = dump->groups;
    if (named->first == named->index) {
        const struct name_row *const row = find_row(named->name);
        const enum dump_side side = dump_side_of(named->name);
        const bool is_first =
            row != NULL && row->rank == 0; /* the arrays of the decoder are meant */
        dump->group[dump->groups++] = (struct dump_group){
            .name = named->name,
            .role = row != NULL ? row->role : DUMP_UNKNOWN,
            .rank = row == NULL ? 20
                    : is_first  ? (size_t)side
                                : row->rank,
            .numbered = named->numbered,
            .heads_last = row != NULL && row->heads_last,
            .causal = row != NULL && (row->causal || is_generative(named->name)),
            .side = side,
        };
    } else {
        g = dump->member[named->first].group;
    }
    dump->group[g].count++;
    dump->member[named->index] = (struct dump_member){&dump->array[named->index], g, named->number};
}

bool dump_group_arrays(struct lab_dump *dump, struct error *error)
{
    if (dump->arrays > LAB_DUMP_ARRAYS_MAX) {
        return dump_refuse(dump, error, "it holds %zu arrays; at most %d are looked at.",
                           dump->arrays, LAB_DUMP_ARRAYS_MAX);
    }
    dump->groups = 0;
    dump->member = arena_array(&dump->arena, dump->arrays + 1, sizeof *dump->member);
    dump->group = arena_array(&dump->arena, dump->arrays + 1, sizeof *dump->group);
    struct named *const named = arena_array(&dump->arena, dump->arrays + 1, sizeof *named);
    bool room = dump->member != NULL && dump->group != NULL && named != NULL;
    for (size_t a = 0; room && a < dump->arrays; a++) {
        room = read_name(dump, a, &named[a]);
    }
    if (!room) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to open this file.");
    }
    find_equal_names(named, dump->arrays);
    for (size_t a = 0; a < dump->arrays; a++) {
        join_group(dump, &named[a]);
    }
    qsort(dump->member, dump->arrays, sizeof *dump->member, by_group);
    for (size_t g = 0, first = 0; g < dump->groups; g++) {
        struct dump_group *const group = &dump->group[g];
        group->first = first;
        first += group->count;
        if (group->numbered && group->count == 1 && dump_is_plain_tuple(group->name)) {
            group->numbered = false; /* numpy.savez calls a single array arr_0 */
        }
    }
    return true;
}

/* ---- items ----------------------------------------------------------------------------------- */

size_t lab_dump_items(const struct lab_dump *dump)
{
    return dump->groups;
}

struct lab_dump_item lab_dump_item(struct lab_dump *dump, size_t index)
{
    static const enum lab_dump_reading readings[DUMP_ROLES] = {
        [DUMP_WEIGHTS] = LAB_DUMP_AS_WEIGHTS,
        [DUMP_SCORES] = LAB_DUMP_AS_SCORES,
        [DUMP_Q] = LAB_DUMP_AS_QUERIES,
    };
    const struct dump_group *const group = &dump->group[index];
    const struct array *const array = dump->member[group->first].array;
    const char *const axes = dump_guess_axes(group, array);
    const char *const shape = array_shape_text(array, " × ", &dump->arena);
    struct lab_dump_item item = {.name = group->name,
                                 .shape = shape == NULL ? "" : shape,
                                 .type = array_type_name(array->type),
                                 .axes = axes == NULL ? "" : axes,
                                 .arrays = group->count,
                                 .rank = array->rank,
                                 .reading = readings[group->role],
                                 .numbered = group->numbered};
    memcpy(item.size, array->shape, array->rank * sizeof *item.size);
    return item;
}
