/* Says which arrays of a file are used, which are not, and why; all who show a file need this. */
#include <string.h>

#include "lab/dump/dump_lists.h"

/* A list of names in a sentence: the first few names, and how many more there are. */
struct listed {
    struct arena *arena;
    const char *text;
    size_t count;
};

enum { NAMED_MAX = 12 };

static void append_name(struct listed *listed, const char *item)
{
    if (listed->count++ < NAMED_MAX && item != NULL && listed->text != NULL) {
        listed->text = arena_format(listed->arena, "%s%s%.300s", listed->text,
                                    listed->text[0] == '\0' ? "" : ", ", item);
    }
}

static const char *finish_list(const struct listed *listed)
{
    return listed->count <= NAMED_MAX || listed->text == NULL
               ? listed->text
               : arena_format(listed->arena, "%s and %zu more", listed->text,
                              listed->count - NAMED_MAX);
}

static bool is_shown(const struct lab_dump *dump, const struct dump_group *group)
{
    bool shown = false;
    for (size_t t = 0; !shown && t < sizeof dump->tensor / sizeof *dump->tensor; t++) {
        shown = dump->tensor[t].group == group;
    }
    return shown;
}

static const char *display_name_of(const struct array *array, const struct dump_group *group)
{
    const char *const name = group->count > 1 ? group->name : array->name;
    return name[0] == '\0' ? "array" : name;
}

/* Describes a list of tokens that names neither rows nor columns, and why: "tokens (6, but there
 * are 8 rows and 8 columns)". */
static const char *describe_list(struct lab_dump *dump, const struct dump_list *list)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    const size_t length = dump_list_length(list, facts->batches, facts->batch);
    const struct array shape = {.rank = list->rank,
                                .shape = {list->rank > 0 ? list->shape[0] : 0,
                                          list->rank > 1 ? list->shape[1] : 0,
                                          list->rank > 2 ? list->shape[2] : 0}};
    const bool short_enough = list->rank <= 3;
    const char *const sizes = length > 0 || !short_enough
                                  ? arena_format(&dump->arena, "%zu", length)
                                  : array_shape_text(&shape, " \u00d7 ", &dump->arena);
    return length == facts->n || length == facts->m
               ? arena_format(&dump->arena, "%s (%zu, other names are used)", list->shown, length)
               : arena_format(&dump->arena, "%s (%s, but there are %zu rows and %zu columns)",
                              list->shown, sizes == NULL ? "" : sizes, facts->n, facts->m);
}

/* Returns the list that is an array of that name. NULL: there is none. */
static const struct dump_list *list_called(const struct lab_dump *dump, const char *name)
{
    for (size_t l = 0; l < dump->lists; l++) {
        if (dump->list[l].ids != NULL && strcmp(dump->list[l].name, name) == 0) {
            return &dump->list[l];
        }
    }
    return NULL;
}

/* Adds arrays of numbers; the layers of one array count as one. */
static void add_arrays(struct lab_dump *dump, struct listed *used, struct listed *unused)
{
    size_t left_of = SIZE_MAX; /* the group of which some arrays are already listed as left out */
    for (size_t m = 0; m < dump->arrays; m++) {
        const size_t g = dump->member[m].group;
        const struct dump_group *const group = &dump->group[g];
        const struct array *const array = dump->member[m].array;
        const bool inside = m >= group->first && m < group->first + group->count;
        const bool shown = inside && is_shown(dump, group);
        const struct dump_list *const list = list_called(dump, array->name);
        const bool is_first = inside ? m == group->first : left_of != g;
        if (shown || (list != NULL && list->is_used)) {
            if (is_first) {
                append_name(used, display_name_of(array, group));
            }
        } else if (list != NULL && dump_list_is_named(list)) {
            append_name(unused, describe_list(dump, list));
        } else if (is_first) {
            const char *const shape = array_shape_text(array, " \u00d7 ", &dump->arena);
            append_name(unused, arena_format(&dump->arena, "%s (%s)",
                                             inside ? display_name_of(array, group) : group->name,
                                             shape == NULL ? "" : shape));
            left_of = g;
        }
    }
}

/* The same source may be read in two ways, so it is used where another list of it is used. */
static bool is_used_elsewhere(const struct lab_dump *dump, const struct dump_list *list)
{
    bool used = false;
    for (size_t l = 0; !used && l < dump->lists; l++) {
        used = dump->list[l].is_used && strcmp(dump->list[l].from, list->from) == 0;
    }
    return used;
}

/* Adds lists of tokens that are no arrays of numbers; a text that is read in two ways counts
 * once. */
static void add_lists(struct lab_dump *dump, struct listed *used, struct listed *unused)
{
    const char *former = "";
    for (size_t l = 0; l < dump->lists; l++) {
        const struct dump_list *const list = &dump->list[l];
        const bool again = list->source != DUMP_LIST_INSIDE && strcmp(list->from, former) == 0;
        if (list->ids != NULL || again) {
            continue;
        }
        if (list->is_used || is_used_elsewhere(dump, list)) {
            append_name(used, list->shown);
        } else {
            append_name(unused, describe_list(dump, list));
        }
        former = list->from;
    }
}

/* Adds the name of a text that is no list. */
static void add_text(struct lab_dump *dump, const char *name, struct listed *unused)
{
    bool listed = false;
    for (size_t l = 0; !listed && l < dump->lists; l++) {
        listed = strcmp(dump->list[l].name, name) == 0;
    }
    if (!listed) {
        append_name(unused, name);
    }
}

/* Adds texts that are no lists, such as a title; a note about a file of tensors is none. */
static void add_texts(struct lab_dump *dump, struct listed *unused)
{
    for (size_t t = 0; t < dump->text_arrays; t++) {
        add_text(dump, dump->text_array[t].name, unused);
    }
    for (size_t n = 0; dump->kind == FILE_JSON && n < dump->notes; n++) {
        add_text(dump, dump->note[2 * n], unused);
    }
}

static void add_unread(struct lab_dump *dump, struct listed *unused)
{
    for (size_t u = 0; u < dump->unread_count; u++) {
        const struct array_unread *const unread = &dump->unread[u];
        const size_t letters = unread->why == NULL ? 0 : strlen(unread->why);
        const bool stops = letters > 0 && unread->why[letters - 1] ==
                                              '.'; /* it goes into brackets without its full stop */
        append_name(unused, unread->why == NULL
                                ? arena_format(&dump->arena, "%s (%s is not read)",
                                               unread->array.name, unread->type)
                                : arena_format(&dump->arena, "%s (%.*s)", unread->array.name,
                                               (int)(letters - stops), unread->why));
    }
}

const char *lab_dump_usage(const struct lab_dump *dump, struct arena *arena)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    return facts->unused[0] == '\0'
               ? arena_format(arena, "used: %s", facts->used)
               : arena_format(arena, "used: %s; not used: %s", facts->used, facts->unused);
}

bool dump_tell_used(struct lab_dump *dump, struct error *error)
{
    struct listed used = {&dump->arena, "", 0}, unused = {&dump->arena, "", 0};
    add_arrays(dump, &used, &unused);
    add_lists(dump, &used, &unused);
    add_texts(dump, &unused);
    add_unread(dump, &unused);
    dump->facts.used = finish_list(&used);
    dump->facts.unused = finish_list(&unused);
    dump->facts.unused_count = unused.count;
    return (dump->facts.used != NULL && dump->facts.unused != NULL) ||
           error_set(error, ERROR_MEMORY, "There is not enough memory to open this file.");
}
