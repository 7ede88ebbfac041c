/* Opens a file of attention, finds its arrays, and reports what is doubtful. */
#include "lab/dump/dump.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/file.h"
#include "base/translate.h"
#include "file/npy.h"
#include "lab/dump/dump_lists.h"

enum { LAYER_FLOATS_MAX = 1 << 24 };

const char *lab_dump_content_name(enum lab_dump_content content)
{
    static const char *const names[LAB_DUMP_CONTENTS] = {"weights", "scores", "queries and keys",
                                                         "a raw matrix"};
    return names[content];
}

const char *lab_dump_reading_name(size_t reading)
{
    static const char *const names[LAB_DUMP_READINGS] = {
        [LAB_DUMP_AS_WEIGHTS] = "weights",
        [LAB_DUMP_AS_SCORES] = "scores",
        [LAB_DUMP_AS_QUERIES] = "queries",
        [LAB_DUMP_AS_RAW] = "raw",
    };
    return reading + 1 < LAB_DUMP_READINGS ? names[reading + 1] : NULL;
}

bool dump_refuse(const struct lab_dump *dump, struct error *error, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, tr(format), arguments);
    va_end(arguments);
    const enum error_code code = dump->arena.lacking ? ERROR_MEMORY : ERROR_INPUT;
    return error_set(error, code, "%.60s: %s", file_name(dump->path), text);
}

bool dump_ask(const struct lab_dump *dump, struct error *error, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, tr(format), arguments);
    va_end(arguments);
    return error_set(error, ERROR_UNCLEAR, "%.60s: %s", file_name(dump->path), text);
}

void dump_doubt(struct lab_dump *dump, const char *sentence)
{
    struct lab_dump_facts *const facts = &dump->facts;
    const char *const both =
        arena_format(&dump->arena, "%s%s%s", facts->doubt, facts->doubt[0] == '\0' ? "" : " ",
                     sentence == NULL ? "" : tr(sentence));
    facts->doubt = both == NULL ? facts->doubt : both;
}

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to open this file.");
}

/* ---- which array is meant -------------------------------------------------------------------- */

/* Some models give an empty array in place of attention that they do not keep. */
static bool refuse_nothing(const struct lab_dump *dump, const char *name, struct error *error)
{
    return dump_refuse(dump, error,
                       "%.60s holds nothing: load the model with attn_implementation=\"eager\", or "
                       "it gives no attention.",
                       name);
}

/* The array is in the file, but its numbers cannot be read. */
static bool refuse_unread(const struct lab_dump *dump, const struct array_unread *unread,
                          struct error *error)
{
    return strcmp(unread->type, ARRAY_NOTHING) == 0
               ? refuse_nothing(dump, unread->array.name, error)
           : unread->why != NULL
               ? dump_refuse(dump, error, "%.60s cannot be read: %s", unread->array.name,
                             unread->why)
               : dump_refuse(dump, error,
                             "%.60s is of type %s, which is not read: save it as float32.",
                             unread->array.name, unread->type);
}

/* Lists what there is to choose from, as much as fits: "attentions (12 × 12 × 9 × 9), tokens
 * (9)". */
static bool refuse_all(const struct lab_dump *dump, struct error *error)
{
    enum { LIST_BYTES = 112 };
    for (size_t g = 0; g < dump->groups; g++) {
        const struct array *const array = dump->member[dump->group[g].first].array;
        if (dump->group[g].role == DUMP_WEIGHTS && array_count(array) == 0) {
            return refuse_nothing(dump, dump->group[g].name, error);
        }
    }
    for (size_t u = 0; u < dump->unread_count; u++) {
        if (u + 1 == dump->unread_count || dump_is_name_of_attention(dump->unread[u].array.name)) {
            return refuse_unread(dump, &dump->unread[u], error);
        }
    }
    if (dump->groups == 0) {
        return dump_refuse(dump, error, "there are no arrays of numbers in it.");
    }
    char list[LIST_BYTES + 8] = "";
    size_t length = 0;
    struct arena arena = {0};
    for (size_t g = 0; g < dump->groups; g++) {
        if (strstr(dump->group[g].name, ".lora_") != NULL) {
            return dump_refuse(dump, error,
                               "these are weights of an adapter of PEFT. In Python: "
                               "model.merge_and_unload().save_pretrained(folder) makes a model.");
        }
    }
    for (size_t g = 0; g < dump->groups; g++) {
        const struct array *const array = dump->member[dump->group[g].first].array;
        const char *const shape = array_shape_text(array, " × ", &arena);
        const char *const name = dump->group[g].name;
        const char *const item =
            arena_format(&arena, "%s%.30s (%s)", g == 0 ? "" : ", ",
                         name[0] == '\0' ? tr("the array") : name, shape == NULL ? "" : shape);
        if (item == NULL || length + strlen(item) > LIST_BYTES) {
            snprintf(list + length, sizeof list - length, "%s…", g == 0 ? "" : ", ");
            break;
        }
        length += (size_t)snprintf(list + length, sizeof list - length, "%s", item);
    }
    arena_free(&arena);
    return dump_ask(dump, error, "there is no attention in it, but %s.", list);
}

static const struct dump_group *find_role(const struct lab_dump *dump, enum dump_role role,
                                          size_t rank)
{
    for (size_t g = 0; g < dump->groups; g++) {
        if (dump->group[g].role == role && dump->group[g].rank == rank) {
            return &dump->group[g];
        }
    }
    return NULL;
}

/* One axis alone is taken as the keys of one query where the file has tokens of them. */
static bool has_axes(const struct lab_dump *dump, const struct dump_group *group)
{
    const struct array *const array = dump->member[group->first].array;
    return array->rank >= 2 || (array->rank == 1 && group->role == DUMP_WEIGHTS &&
                                dump_axes_by_tokens(dump, group, NULL) != NULL);
}

/* Prefers weights by their name, then scores, then queries with their keys. NULL: there are
 * none. */
static const struct dump_group *find_likeliest_group(const struct lab_dump *dump)
{
    const struct dump_group *best = NULL;
    for (size_t g = 0; g < dump->groups; g++) {
        const struct dump_group *const group = &dump->group[g];
        const bool fits = group->role == DUMP_WEIGHTS || group->role == DUMP_SCORES ||
                          (group->role == DUMP_Q && find_role(dump, DUMP_K, group->rank) != NULL);
        if (fits && has_axes(dump, group) && (best == NULL || group->rank < best->rank)) {
            best = group;
        }
    }
    return best;
}

/* Checks that so many rows and columns can be shown. Sums are taken only after this, since the
 * columns of a large table lie all over its file. */
static bool has_room(const struct lab_dump *dump, size_t n, size_t m, struct error *error)
{
    return (n <= LAB_TOKENS_MAX && m <= LAB_TOKENS_MAX) ||
           dump_refuse(dump, error, "%zu queries and %zu keys; at most %d can be shown.", n, m,
                       LAB_TOKENS_MAX);
}

static bool heads_have_room(const struct lab_dump *dump, size_t layers, size_t heads,
                            struct error *error)
{
    enum { HEADS_MAX = LAB_THUMBNAILS_HEADS_MAX };
    return (layers <= HEADS_MAX && heads <= HEADS_MAX && layers * heads <= HEADS_MAX) ||
           dump_refuse(dump, error, "%zu layers of %zu heads; at most %d heads can be shown.",
                       layers, heads, HEADS_MAX);
}

/* Finds how rows and columns sum. Returns false where the array cannot be read so; lack of memory
 * is kept in dump->arena.lacking instead. */
static bool check_sums_of(struct lab_dump *dump, enum dump_sums *sums)
{
    struct error reason = {ERROR_NONE, 0, ""};
    const bool read = dump_check_sums(dump, 0, sums, &reason);
    dump->arena.lacking = dump->arena.lacking || reason.code == ERROR_MEMORY;
    return read;
}

static bool tensor_has_room(const struct lab_dump *dump, const struct dump_tensor *tensor,
                            struct error *error)
{
    return has_room(dump, tensor->size[DUMP_QUERY], tensor->size[DUMP_KEY], error) &&
           heads_have_room(dump, tensor->size[DUMP_LAYER], tensor->size[DUMP_HEAD], error);
}

/* Finds an array of no known name whose rows or columns sum to 1. The one array of an npy, or of
 * lists of JSON, has no name at all, and with three axes it can only be attention. No more than
 * UNPACKED_MAX packed arrays are unpacked for this. */
static const struct dump_group *find_group_by_numbers(struct lab_dump *dump)
{
    enum { UNPACKED_MAX = 128 };
    size_t unpacked = 0;
    for (size_t g = 0; g < dump->groups; g++) {
        const struct dump_group *const group = &dump->group[g];
        const size_t rank = dump->member[group->first].array->rank;
        enum dump_sums sums = DUMP_SUMS_NEITHER;
        if (group->name[0] == '\0' && rank >= 3) {
            return group;
        }
        const bool packed = dump->member[group->first].array->bytes.at == NULL;
        unpacked += packed;
        if (group->role == DUMP_UNKNOWN && rank >= 2 && rank <= 5 && unpacked <= UNPACKED_MAX &&
            dump_place_axes(dump, group, NULL, &dump->tensor[0], NULL) &&
            (!packed || tensor_has_room(dump, &dump->tensor[0], NULL)) &&
            check_sums_of(dump, &sums) && sums != DUMP_SUMS_NEITHER) {
            return group;
        }
    }
    return NULL;
}

/* Finds the array of that name, which is not NULL. One of several layers becomes a group of its
 * own. Returns NULL with a sentence where there is none. */
static const struct dump_group *find_named(struct lab_dump *dump, const char *name,
                                           struct error *error)
{
    for (size_t g = 0; g < dump->groups; g++) {
        if (strcmp(dump->group[g].name, name) == 0) {
            return &dump->group[g];
        }
    }
    for (size_t m = 0; m < dump->arrays; m++) {
        const size_t g = dump->member[m].group;
        if (strcmp(dump->member[m].array->name, name) == 0) {
            dump->group[g].count = 1;
            dump->group[g].first = m;
            return &dump->group[g];
        }
    }
    for (size_t u = 0; u < dump->unread_count; u++) {
        if (strcmp(dump->unread[u].array.name, name) == 0) {
            refuse_unread(dump, &dump->unread[u], error);
            return NULL;
        }
    }
    dump_ask(dump, error, "it holds no array \"%.110s\".", name);
    return NULL;
}

static bool is_given(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* Where an array that is called attention cannot be read, no other array is taken for it. */
static bool misses_attention(const struct lab_dump *dump)
{
    bool misses = false;
    for (size_t u = 0; !misses && u < dump->unread_count; u++) {
        misses = dump_is_name_of_attention(dump->unread[u].array.name);
    }
    return misses;
}

/* Where a request describes an array without naming it, the only array is meant. */
static bool is_requested(const struct lab_dump *dump, const struct lab_dump_request *request)
{
    return is_given(request->array) ||
           (dump->groups == 1 && !misses_attention(dump) &&
            (is_given(request->axes) || request->reading != LAB_DUMP_BY_NAME));
}

static const struct dump_group *
choose_group(struct lab_dump *dump, const struct lab_dump_request *request, struct error *error)
{
    if (is_requested(dump, request)) {
        return is_given(request->array) ? find_named(dump, request->array, error) : &dump->group[0];
    }
    const struct dump_group *group = find_likeliest_group(dump);
    if (group == NULL &&
        (misses_attention(dump) || (group = find_group_by_numbers(dump)) == NULL)) {
        refuse_all(dump, error);
        return NULL;
    }
    dump->facts.is_guess = group->role == DUMP_UNKNOWN && dump->kind != FILE_NPY &&
                           dump->kind != FILE_TABLE && !dump_is_plain_tuple(group->name);
    return group;
}

/* Gives the group the role that the request asks for. */
static void set_group_role(struct lab_dump *dump, const struct dump_group *chosen,
                           enum lab_dump_reading reading)
{
    static const enum dump_role roles[LAB_DUMP_READINGS] = {
        [LAB_DUMP_AS_WEIGHTS] = DUMP_WEIGHTS,
        [LAB_DUMP_AS_SCORES] = DUMP_SCORES,
        [LAB_DUMP_AS_QUERIES] = DUMP_Q,
        [LAB_DUMP_AS_RAW] = DUMP_RAW,
    };
    if (reading != LAB_DUMP_BY_NAME) {
        dump->group[chosen - dump->group].role = roles[reading];
    }
}

/* Returns the name by which a request finds a group. */
static const char *request_name_of(const struct lab_dump *dump, const struct dump_group *group)
{
    return group->numbered ? group->name : dump->member[group->first].array->name;
}

/* Notes which arrays belong to the decoder, to the encoder and to cross-attention where there are
 * several. An array that does not say is counted as the decoder's. */
static void find_sides(struct lab_dump *dump, const struct dump_group *chosen)
{
    struct lab_dump_facts *const facts = &dump->facts;
    const struct dump_group *of[LAB_DUMP_SIDES] = {NULL};
    size_t sides = 0;
    const bool has_rows =
        chosen->role == DUMP_WEIGHTS || chosen->role == DUMP_SCORES || chosen->role == DUMP_RAW;
    for (size_t g = 0; has_rows && g < dump->groups; g++) {
        const struct dump_group *const group = &dump->group[g];
        const size_t side = group->side == DUMP_NO_SIDE ? LAB_DUMP_DECODER : group->side - 1;
        const bool fits =
            group->role == chosen->role && dump->member[group->first].array->rank >= 2;
        if (fits && (of[side] == NULL || group == chosen)) {
            sides += of[side] == NULL;
            of[side] = group;
        }
    }
    for (size_t s = 0; sides > 1 && s < LAB_DUMP_SIDES; s++) {
        facts->side[s] = of[s] == NULL ? NULL : request_name_of(dump, of[s]);
        facts->shown = of[s] == chosen ? (enum lab_dump_side)s : facts->shown;
    }
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Tries the axes in another order, such as QKLH: the first order counts that has as many queries as
 * keys, or tokens for both, and whose rows sum to 1. *found is false where none fits. Returns false
 * where an array cannot be read. */
static bool find_axes(struct lab_dump *dump, bool *found, struct error *error)
{
    struct error unfit = {ERROR_NONE, 0, ""}; /* why these axes do not fit */
    const size_t *const shape = dump->member[dump->tensor[0].group->first].array->shape;
    const struct dump_tensor usual = dump->tensor[0];
    const size_t rank = strlen(usual.axes);
    for (size_t query = 0; rank > 2 && query < rank; query++) {
        for (size_t key = 0; key < rank; key++) {
            char axes[ARRAY_RANK_MAX + 1] = "";
            size_t next = 0;
            const bool fits =
                key != query &&
                (shape[key] == shape[query] ||
                 (dump_lists_have(dump, shape[query], 1) && dump_lists_have(dump, shape[key], 1)));
            for (size_t a = 0; fits && a < rank; a++) {
                while (a != query && a != key && strchr("QK", usual.axes[next]) != NULL) {
                    next++;
                }
                axes[a] = a == query ? 'Q' : a == key ? 'K' : usual.axes[next++];
            }
            enum dump_sums sums = DUMP_SUMS_NEITHER;
            if (!fits || !dump_place_axes(dump, usual.group, axes, &dump->tensor[0], &unfit) ||
                !tensor_has_room(dump, &dump->tensor[0], &unfit)) {
                continue;
            }
            if (!dump_check_sums(dump, 0, &sums, error)) {
                return false;
            }
            *found = sums == DUMP_SUMS_ROWS;
            if (*found) {
                dump_doubt(dump, arena_format(&dump->arena,
                                              "Its axes are taken for %s: along them rows sum to "
                                              "1.",
                                              axes));
                return true;
            }
        }
    }
    dump->tensor[0] = usual;
    return true;
}

/* Where columns sum to 1 and rows do not, queries are the last axis. */
static bool check_sums(struct lab_dump *dump, bool axes_given, struct error *error)
{
    enum dump_sums sums = DUMP_SUMS_NEITHER;
    if (!tensor_has_room(dump, &dump->tensor[0], error) ||
        !dump_check_sums(dump, 0, &sums, error)) {
        return false;
    }
    const struct dump_tensor *const read = &dump->tensor[0];
    const bool square = read->size[DUMP_QUERY] == read->size[DUMP_KEY];
    if (sums != DUMP_SUMS_ROWS && !axes_given && !square) {
        bool found = false;
        if (!find_axes(dump, &found, error)) {
            return false;
        }
        if (found) {
            dump->facts.is_guess = true;
            return true;
        }
    }
    if (sums == DUMP_SUMS_COLUMNS && !axes_given) {
        char axes[ARRAY_RANK_MAX + 1];
        memcpy(axes, dump->tensor[0].axes, sizeof axes);
        for (size_t a = 0; axes[a] != '\0'; a++) {
            axes[a] = axes[a] == 'Q' ? 'K' : axes[a] == 'K' ? 'Q' : axes[a];
        }
        dump_doubt(dump, "Its columns sum to 1, not its rows: they are taken for the queries.");
        dump->facts.is_guess = dump->facts.is_guess || strlen(axes) > 2;
        return dump_place_axes(dump, dump->tensor[0].group, axes, &dump->tensor[0], error);
    }
    if (sums == DUMP_SUMS_COLUMNS) {
        dump_doubt(dump, "Its columns sum to 1, not its rows: query and key may be turned round.");
    } else if (sums == DUMP_SUMS_NEITHER) {
        dump_doubt(dump, "Its rows do not sum to 1, as weights do.");
        dump->facts.is_guess = true;
    }
    return true;
}

/* Q is chosen: finds K, and V where it is there, of the same kind. */
static bool join_keys(struct lab_dump *dump, const struct lab_dump_request *request,
                      struct error *error)
{
    static const enum dump_role roles[] = {DUMP_Q, DUMP_K, DUMP_V};
    const struct dump_tensor *const q = &dump->tensor[0], *const k = &dump->tensor[1];
    for (size_t t = 1; t < 3; t++) {
        const bool named = t == 1 && is_given(request->keys);
        const struct dump_group *const group = named ? find_named(dump, request->keys, error)
                                                     : find_role(dump, roles[t], q->group->rank);
        if (group == NULL && t == 2) {
            return true;
        }
        if (group == NULL) {
            return !named && dump_ask(dump, error, "there are queries, but no keys.");
        }
        struct dump_tensor *const tensor = &dump->tensor[t];
        const bool lies_alike = dump->member[group->first].array->rank == strlen(q->axes);
        if (named) {
            set_group_role(dump, group, LAB_DUMP_AS_QUERIES); /* rows of d_k numbers too */
        }
        if (!dump_place_axes(dump, group, lies_alike ? q->axes : NULL, tensor, error)) {
            return false;
        }
        const bool fits = tensor->size[DUMP_LAYER] == q->size[DUMP_LAYER] &&
                          tensor->size[DUMP_BATCH] == q->size[DUMP_BATCH] &&
                          q->size[DUMP_HEAD] % tensor->size[DUMP_HEAD] == 0 &&
                          (t == 1 ? tensor->size[DUMP_KEY] == q->size[DUMP_KEY]
                                  : tensor->size[DUMP_QUERY] == k->size[DUMP_QUERY]);
        if (!fits) {
            return dump_ask(dump, error, "%.40s and %.40s do not fit together.", q->group->name,
                            group->name);
        }
    }
    return true;
}

static bool check_sizes(const struct lab_dump *dump, const struct lab_dump_request *request,
                        struct error *error)
{
    const struct lab_dump_facts *const f = &dump->facts;
    if (!has_room(dump, f->n, f->m, error)) {
        return false;
    }
    if (!heads_have_room(dump, f->layers, f->heads, error)) {
        return false;
    }
    if (request->batch < f->batches) {
        return true;
    }
    return f->batches == 1
               ? dump_ask(dump, error, "there is one text in it: --batch is 1, or left out.")
               : dump_ask(dump, error, "there are %zu texts in it: --batch is 1 to %zu.",
                          f->batches, f->batches);
}

/* Models whose heads share keys generate text, so their queries look back only. */
static bool shares_keys(const struct lab_dump_facts *facts)
{
    return facts->groups < facts->heads;
}

static bool looks_back(const struct lab_dump_facts *facts, const struct dump_group *group,
                       enum lab_dump_sight sight)
{
    const bool back = sight == LAB_DUMP_SEES_BY_NAME
                          ? group->causal || (shares_keys(facts) && group->side == DUMP_NO_SIDE)
                          : sight == LAB_DUMP_SEES_BACK;
    return back && facts->n == facts->m;
}

/* Says which keys queries were taken to see where nobody said it. */
static const char *describe_sight(const struct lab_dump_facts *facts,
                                  const struct dump_group *group)
{
    return facts->causal && group->causal ? "The keys behind each query are taken as hidden."
           : facts->causal ? "Heads share keys, as in models that look back: the keys behind each "
                             "query are taken as hidden."
                           : "No name says which keys a query sees: all are taken as seen.";
}

static bool fill_facts(struct lab_dump *dump, const struct lab_dump_request *request,
                       struct error *error)
{
    const struct dump_tensor *const tensor = &dump->tensor[0];
    const struct dump_group *const group = tensor->group;
    const struct array *const array = dump->member[group->first].array;
    struct lab_dump_facts *const facts = &dump->facts;
    const bool rows = group->role == DUMP_Q;
    facts->content = rows                         ? LAB_DUMP_QK
                     : group->role == DUMP_SCORES ? LAB_DUMP_SCORES
                     : group->role == DUMP_RAW    ? LAB_DUMP_RAW
                                                  : LAB_DUMP_WEIGHTS;
    facts->array = request_name_of(dump, group);
    memcpy(facts->axes, tensor->axes, sizeof facts->axes);
    facts->shape = array_shape_text(array, " × ", &dump->arena);
    facts->type = array->type;
    facts->layers = tensor->size[DUMP_LAYER];
    facts->heads = tensor->size[DUMP_HEAD];
    facts->n = tensor->size[DUMP_QUERY];
    facts->m = rows ? dump->tensor[1].size[DUMP_QUERY] : tensor->size[DUMP_KEY];
    facts->groups = rows ? dump->tensor[1].size[DUMP_HEAD] : 0;
    facts->d = rows ? tensor->size[DUMP_KEY] : 0;
    facts->batches = tensor->size[DUMP_BATCH];
    facts->batch = request->batch;
    facts->causal = rows && looks_back(facts, group, request->sight);
    size_t *const number = arena_array(&dump->arena, facts->layers, sizeof *number);
    for (size_t l = 0; number != NULL && l < facts->layers; l++) {
        number[l] = group->numbered ? dump->member[group->first + l].number : l;
    }
    facts->number = group->numbered ? number : NULL;
    if (!check_sizes(dump, request, error)) {
        return false;
    }
    const size_t floats = facts->heads * facts->n * facts->m; /* below 2^12 · 2^24 */
    facts->whole_layers = facts->heads <= LAB_HEADS_MAX && floats <= LAYER_FLOATS_MAX;
    if (facts->batches > 1) {
        dump_doubt(dump, arena_format(&dump->arena, "Text %zu of %zu is shown.", facts->batch + 1,
                                      facts->batches));
    }
    dump->mask.kind = facts->causal ? LAB_MASK_CAUSAL : LAB_MASK_NONE;
    const bool says = group->side == DUMP_ENCODER || group->side == DUMP_CROSS;
    if (rows && request->sight == LAB_DUMP_SEES_BY_NAME && !says) {
        dump_doubt(dump, describe_sight(facts, group));
    }
    return true;
}

/* Returns the keys that go with queries. NULL: there are none, or the group is no queries. */
static const struct dump_group *find_keys_of(struct lab_dump *dump, const struct dump_group *group,
                                             const struct lab_dump_request *request)
{
    return group->role != DUMP_Q     ? NULL
           : is_given(request->keys) ? find_named(dump, request->keys, NULL)
                                     : find_role(dump, DUMP_K, group->rank);
}

static bool read_attention(struct lab_dump *dump, const struct lab_dump_request *request,
                           struct error *error)
{
    if (!dump_group_arrays(dump, error)) {
        return false;
    }
    const struct dump_group *const group = choose_group(dump, request, error);
    const bool axes_given = is_given(request->axes);
    if (group == NULL) {
        return false;
    }
    dump->facts.batch = request->batch;
    set_group_role(dump, group, is_given(request->keys) ? LAB_DUMP_AS_QUERIES : request->reading);
    const char *const by_tokens =
        axes_given ? NULL : dump_axes_by_tokens(dump, group, find_keys_of(dump, group, request));
    if (!dump_place_axes(dump, group, axes_given ? request->axes : by_tokens, &dump->tensor[0],
                         error)) {
        return false;
    }
    if (!axes_given) {
        dump_tell_axes(dump, group, by_tokens);
    }
    if (group->role == DUMP_Q ? !join_keys(dump, request, error)
                              : group->role != DUMP_SCORES && group->role != DUMP_RAW &&
                                    !check_sums(dump, axes_given, error)) {
        return false;
    }
    find_sides(dump, group);
    return fill_facts(dump, request, error) && dump_find_gaps(dump, error) &&
           dump_find_words(dump, error) && dump_tell_used(dump, error);
}

/* Groups the arrays, so that a person can say what they are. Arrays of different shapes cannot be
 * layers of one another and stand one by one. */
static bool list_arrays(struct lab_dump *dump, struct error *error)
{
    bool listed = dump_group_arrays(dump, error);
    for (size_t g = 0; listed && !dump->apart && g < dump->groups; g++) {
        dump->apart = !dump_shapes_agree(dump, &dump->group[g], NULL);
    }
    return listed && (!dump->apart || dump_group_arrays(dump, error));
}

/* Keeps the file as a list of arrays, without anything of the reading that failed. */
static void keep_as_list(struct lab_dump *dump, struct lab_dump **list)
{
    if (list_arrays(dump, NULL)) {
        *list = dump;
    } else {
        lab_dump_close(dump);
    }
}

/* Joins steps of generate() into one array unless the request asks for one of them. */
static bool join_steps(struct lab_dump *dump, const struct lab_dump_request *request,
                       struct error *error)
{
    for (size_t a = 0; request != NULL && is_given(request->array) && a < dump->arrays; a++) {
        if (strcmp(dump->array[a].name, request->array) == 0) {
            return true;
        }
    }
    return dump_join_steps(dump, error) || (request == NULL && !dump->arena.lacking);
}

/* Reads the file and finds what the request means; without a request only the arrays are found. */
static bool read_content(struct lab_dump *dump, const struct lab_dump_request *request,
                         struct error *error)
{
    struct error reason = {ERROR_NONE, 0, ""};
    struct file_arrays arrays = {.count = 0};
    dump->kind = file_kind_of(dump->bytes);
    dump->facts.name = file_name(dump->path);
    dump->facts.bytes = dump->bytes.size;
    if (!file_kind_opens(dump->kind, FILE_AS_ATTENTION)) {
        return dump_refuse(
            dump, error,
            "it is neither .npy nor .npz nor .safetensors, nor arrays as JSON, nor a table.");
    }
    const struct file_kind_row *const row = file_kind_row(dump->kind);
    dump->facts.format = row->name;
    const bool listed = file_handle_arrays(dump->file, &arrays, &reason);
    dump->array = arrays.array;
    dump->arrays = arrays.count;
    dump->text_array = arrays.texts;
    dump->text_arrays = arrays.text_count;
    dump->unread = arrays.unread;
    dump->unread_count = arrays.unread_count;
    dump->note = arrays.note;
    dump->notes = arrays.notes;
    if (listed && request != NULL && dump->kind == FILE_TABLE && dump->arrays > 0 &&
        dump->array[0].bytes.at == NULL) {
        return dump_refuse(dump, error,
                           "several tables are in it; one alone is read, as compute --select "
                           "weights -o weights.csv writes it.");
    }
    const bool read = !listed           ? dump_refuse(dump, error, "%s", reason.text)
                      : request == NULL ? join_steps(dump, NULL, error) && list_arrays(dump, error)
                                        : dump_find_lists(dump, request, error) &&
                                              join_steps(dump, request, error) &&
                                              read_attention(dump, request, error);
    /* Without memory something was left out, so what was read would be another answer. */
    return reason.code == ERROR_MEMORY || dump->arena.lacking ? no_memory(error) : read;
}

struct lab_dump *lab_dump_open(const char *path, const struct lab_dump_request *request,
                               struct error *error)
{
    struct lab_dump *const dump = calloc(1, sizeof *dump);
    struct lab_dump_page page = {.holds = {NULL}};
    if (dump == NULL) {
        no_memory(error);
        return NULL;
    }
    dump->file = request != NULL && request->file != NULL ? file_handle_keep(request->file)
                                                          : file_handle_open(path);
    dump->progress = request == NULL ? (struct file_progress){NULL, NULL} : request->progress;
    dump->kernels = request != NULL && request->kernels != NULL ? request->kernels
                                                                : lab_engine_kernels(NULL, NULL);
    dump->facts.doubt = dump->facts.used = dump->facts.unused = "";
    atomic_init(&dump->holders, 1);
    dump->path = arena_format(&dump->arena, "%s", path);
    dump->page = &page;
    bool opened = dump->path == NULL || dump->file == NULL
                      ? no_memory(error)
                      : file_handle_map(dump->file, &dump->bytes, error) &&
                            read_content(dump, request, error);
    if (opened && dump->arena.lacking) { /* something that is to be said would be left out */
        opened = no_memory(error);
    }
    dump->progress = (struct file_progress){NULL, NULL};
    dump->page = NULL;
    lab_dump_page_free(&page);
    if (opened) {
        return dump;
    }
    if (request != NULL && request->unclear != NULL && error != NULL &&
        error->code == ERROR_UNCLEAR) {
        keep_as_list(dump, request->unclear);
    } else {
        lab_dump_close(dump);
    }
    return NULL;
}

struct lab_dump *lab_dump_list(const char *path, struct error *error)
{
    return lab_dump_open(path, NULL, error);
}

bool lab_dump_set_mask(struct lab_dump *dump, const struct lab_mask_rule *rule, struct error *error)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    const struct lab_custom_mask *const custom_mask = rule->custom_mask;
    if (facts->content != LAB_DUMP_QK) {
        return dump_refuse(dump, error,
                           "a mask is for queries and keys; these are %s, masked or not.",
                           lab_dump_content_name(facts->content));
    }
    if (custom_mask != NULL && (lab_custom_mask_rows(custom_mask) != facts->n ||
                                lab_custom_mask_cols(custom_mask) != facts->m)) {
        return dump_refuse(dump, error, "the mask is %zu × %zu, it has %zu queries and %zu keys.",
                           lab_custom_mask_rows(custom_mask), lab_custom_mask_cols(custom_mask),
                           facts->n, facts->m);
    }
    lab_custom_mask_release(dump->mask.custom_mask);
    dump->mask = *rule;
    dump->mask.custom_mask = lab_custom_mask_keep(custom_mask);
    return true;
}

struct lab_dump *lab_dump_keep(struct lab_dump *dump)
{
    atomic_fetch_add_explicit(&dump->holders, 1, memory_order_relaxed);
    return dump;
}

void lab_dump_close(struct lab_dump *dump)
{
    if (dump != NULL && atomic_fetch_sub_explicit(&dump->holders, 1, memory_order_acq_rel) == 1) {
        lab_words_release(dump->facts.queries);
        lab_words_release(dump->facts.keys);
        lab_custom_mask_release(dump->mask.custom_mask);
        file_handle_release(dump->file);
        arena_free(&dump->arena);
        free(dump);
    }
}

const struct lab_dump_facts *lab_dump_facts(const struct lab_dump *dump)
{
    return &dump->facts;
}

const struct array *lab_dump_arrays(const struct lab_dump *dump, size_t *count)
{
    *count = dump->arrays;
    return dump->array;
}

const struct array_unread *lab_dump_unread(const struct lab_dump *dump, size_t *count)
{
    *count = dump->unread_count;
    return dump->unread;
}

struct file_handle *lab_dump_file(const struct lab_dump *dump)
{
    return dump->file;
}
