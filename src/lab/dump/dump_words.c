/* Finds the tokens of a file of attention: the lists that name its rows and columns. Where there
 * are none, rows and columns are counted. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "lab/dump/dump_lists.h"

/* The usual names of lists, the likeliest first; whole numbers are tried last. A model that reads
 * one text and writes another has two lists: the text that is read has names of its own, or is
 * called tokens next to the list of what is written. */
#define TARGETS "decoder_tokens", "target_tokens", "query_tokens", "queries"
#define SOURCES "source_tokens", "encoder_tokens", "context", "key_tokens", "keys"
#define TARGET_IDS "decoder_input_ids", "target_ids"
#define SOURCE_IDS "source_ids", "encoder_input_ids"
#define IDS "token_ids", "input_ids"
enum { NAMES_MAX = 16 };
static const char *const query_names[][NAMES_MAX] = {
    [DUMP_NO_SIDE] = {"tokens", "queries", "query_tokens", "decoder_tokens", "target_tokens",
                      "source_tokens", "encoder_tokens", IDS, TARGET_IDS},
    [DUMP_DECODER] = {TARGETS, "tokens", TARGET_IDS, IDS},
    [DUMP_ENCODER] = {"source_tokens", "encoder_tokens", "tokens", SOURCE_IDS, IDS},
    [DUMP_CROSS] = {TARGETS, "tokens", TARGET_IDS, IDS},
};
static const char *const key_names[][NAMES_MAX] = {
    [DUMP_NO_SIDE] = {"context", "keys", "key_tokens", "encoder_tokens", "source_tokens"},
    [DUMP_DECODER] = {NULL},
    [DUMP_ENCODER] = {NULL},
    [DUMP_CROSS] = {SOURCES, "tokens", SOURCE_IDS, IDS},
};
/* Other names that people give to lists of texts; numbers of these names are something else. */
static const char *const row_names[NAMES_MAX] = {"rows",    "row_labels", "row_names", "y_labels",
                                                 "ylabels", "words",      "labels"};
static const char *const column_names[NAMES_MAX] = {
    "columns", "cols", "column_labels", "col_labels", "column_names", "x_labels", "xlabels"};
static const char *const plain_names[NAMES_MAX] = {"words", "labels"};

static bool is_among(const char *const *names, const char *name)
{
    bool among = false;
    for (size_t n = 0; !among && n < NAMES_MAX && names[n] != NULL; n++) {
        among = strcmp(names[n], name) == 0;
    }
    return among;
}

bool dump_list_is_named(const struct dump_list *list)
{
    bool named =
        !list->are_ids && (is_among(row_names, list->name) || is_among(column_names, list->name));
    for (size_t side = 0; !named && side < sizeof query_names / sizeof *query_names; side++) {
        named = is_among(query_names[side], list->name) || is_among(key_names[side], list->name);
    }
    return named;
}

bool dump_lists_have_own(const struct lab_dump *dump, size_t length, size_t texts)
{
    bool have = false;
    for (size_t l = 0; !have && l < dump->lists; l++) {
        const struct dump_list *const list = &dump->list[l];
        have = dump_list_is_named(list) && !is_among(key_names[DUMP_NO_SIDE], list->name) &&
               list->source != DUMP_LIST_SAID_OF_KEYS && dump_list_length(list, texts, 0) == length;
    }
    return have;
}

/* Returns whose lists are meant. Weights of no stated side are the decoder's where other arrays are
 * its cross-attention. */
static enum dump_side side_of(const struct lab_dump *dump)
{
    const enum dump_side side = dump->tensor[0].group->side;
    for (size_t g = 0; side == DUMP_NO_SIDE && g < dump->groups; g++) {
        if (dump->group[g].side == DUMP_CROSS && dump->group[g].role != DUMP_UNKNOWN) {
            return DUMP_DECODER;
        }
    }
    return side;
}

/* ---- which list names what ------------------------------------------------------------------- */

enum { ROWS, COLUMNS, NAMED };

/* The lists of rows and of columns that are found so far. */
struct naming {
    struct lab_dump *dump;
    struct arena arena;
    struct dump_list *list[NAMED];
    const char *const *word[NAMED];
    size_t count[NAMED];
};

static bool has_length_of(const struct naming *naming, size_t which, size_t length)
{
    const struct lab_dump *const dump = naming->dump;
    return which == COLUMNS ? length == dump->facts.m
                            : length == dump->facts.n || /* the last token looked at nothing */
                                  (dump->join != NULL && length == dump->facts.n + 1);
}

/* Says whether rows and columns are certainly different words. */
static bool are_different_texts(const struct lab_dump *dump)
{
    return dump->facts.n != dump->facts.m || dump->tensor[0].group->side == DUMP_CROSS;
}

static bool try_list(struct naming *naming, size_t which, struct dump_list *list)
{
    const struct lab_dump_facts *const facts = &naming->dump->facts;
    const bool taken =
        naming->list[which] == NULL && naming->list[1 - which] != list &&
        has_length_of(naming, which, dump_list_length(list, facts->batches, facts->batch)) &&
        dump_list_read(naming->dump, list, facts->batches, facts->batch, &naming->arena,
                       &naming->word[which], &naming->count[which]);
    naming->list[which] = taken ? list : naming->list[which];
    return taken;
}

/* Takes a list of one of the names, the likeliest first. */
static void find_named(struct naming *naming, size_t which, const char *const *names, bool ids)
{
    struct lab_dump *const dump = naming->dump;
    for (size_t n = 0; n < NAMES_MAX && names[n] != NULL; n++) {
        for (size_t l = 0; l < dump->lists; l++) {
            if (strcmp(dump->list[l].name, names[n]) == 0 && (ids || !dump->list[l].are_ids)) {
                (void)try_list(naming, which, &dump->list[l]);
            }
        }
    }
}

/* Takes texts of any name by their number alone: only several texts are sure to be tokens. */
static void find_unnamed(struct naming *naming, size_t which)
{
    struct lab_dump *const dump = naming->dump;
    const struct lab_dump_facts *const facts = &dump->facts;
    for (size_t l = 0; l < dump->lists; l++) {
        struct dump_list *const list = &dump->list[l];
        if (!list->are_ids && !dump_list_is_named(list) &&
            dump_list_length(list, facts->batches, facts->batch) > 1) {
            (void)try_list(naming, which, list);
        }
    }
}

static void find_source(struct naming *naming, size_t which, enum dump_list_source source)
{
    for (size_t l = 0; l < naming->dump->lists; l++) {
        if (naming->dump->list[l].source == source) {
            (void)try_list(naming, which, &naming->dump->list[l]);
        }
    }
}

static void find_by_names(struct naming *naming)
{
    const struct lab_dump_facts *const facts = &naming->dump->facts;
    const enum dump_side side = side_of(naming->dump);
    const bool apart = are_different_texts(naming->dump);
    find_named(naming, ROWS, query_names[side], true);
    find_named(naming, COLUMNS, key_names[side], true);
    if (facts->m != facts->n) { /* "tokens" are those of the keys of one query */
        find_named(naming, COLUMNS, query_names[side], true);
    }
    find_named(naming, ROWS, row_names, false);
    find_named(naming, COLUMNS, column_names, false);
    if (apart) {
        find_named(naming, COLUMNS, plain_names, false);
    }
    find_unnamed(naming, ROWS);
    if (apart) {
        find_unnamed(naming, COLUMNS);
    }
}

static const struct dump_list *requested_list(const struct lab_dump *dump,
                                              enum dump_list_source source)
{
    for (size_t l = 0; l < dump->lists; l++) {
        if (dump->list[l].source == source) {
            return &dump->list[l];
        }
    }
    return NULL;
}

/* Checks that the lists a person gave fit the rows or the columns. */
static bool find_requested_lists(struct naming *naming, struct error *error)
{
    const struct lab_dump *const dump = naming->dump;
    const struct lab_dump_facts *const facts = &dump->facts;
    const struct dump_list *const said = requested_list(dump, DUMP_LIST_SAID);
    const struct dump_list *const of_keys = requested_list(dump, DUMP_LIST_SAID_OF_KEYS);
    find_source(naming, COLUMNS, DUMP_LIST_SAID_OF_KEYS);
    if (of_keys != NULL && naming->list[COLUMNS] == NULL) {
        return dump_ask(dump, error, "--context holds %zu tokens, but there are %zu columns.",
                        dump_list_length(of_keys, 1, 0), facts->m);
    }
    if (said == NULL) {
        return true;
    }
    find_source(naming, ROWS, DUMP_LIST_SAID);
    if (facts->m != facts->n) {
        find_source(naming, COLUMNS, DUMP_LIST_SAID);
    }
    const size_t length = dump_list_length(said, facts->batches, facts->batch);
    return naming->list[ROWS] != NULL || (of_keys == NULL && naming->list[COLUMNS] != NULL) ||
           dump_ask(dump, error, "%.60s holds %zu tokens, but there are %zu rows.", said->shown,
                    length, facts->n);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Makes words that count from 1 where there are no names. */
static struct lab_words *count_words(size_t count, const char *prefix, struct error *error)
{
    struct arena arena = {0};
    const char **const word = arena_array(&arena, count + 1, sizeof *word);
    bool room = word != NULL;
    for (size_t w = 0; room && w < count; w++) {
        word[w] = arena_format(&arena, "%s%zu", prefix, w + 1);
        room = word[w] != NULL;
    }
    struct lab_words *const made = room ? lab_words_make(word, count, error) : NULL;
    if (!room) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for %zu words.", count);
    }
    arena_free(&arena);
    return made;
}

/* Copies words as people read them: bytes of tokens are decoded, the marks that tokenizers write
 * for a space become a space, and an empty word becomes a point. */
static struct lab_words *keep_words(const char *const *word, size_t count, struct error *error)
{
    struct arena arena = {0};
    const char **const shown = arena_array(&arena, count + 1, sizeof *shown);
    static const char *const marks[] = {"\u0120", "\u2581"};
    if (shown != NULL) {
        memcpy(shown, word, count * sizeof *shown);
        (void)dump_read_bytes(shown, count, &arena); /* failure is seen in the arena */
    }
    for (size_t w = 0; shown != NULL && !arena.lacking && w < count; w++) {
        const char *const read = shown[w];
        shown[w] = read[strspn(read, " \t\r\n")] == '\0' ? "\u00b7" : read;
        for (size_t m = 0; m < 2; m++) {
            if (strncmp(read, marks[m], strlen(marks[m])) == 0) {
                shown[w] = arena_format(&arena, "\u2423%s", read + strlen(marks[m]));
            }
        }
        shown[w] = shown[w] == NULL ? "" : shown[w];
    }
    struct lab_words *const made = arena.lacking ? NULL : lab_words_make(shown, count, error);
    if (arena.lacking) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for %zu words.", count);
    }
    arena_free(&arena);
    return made;
}

/* Keeps the words of the lists that were found, and counted ones for the rest. */
static bool keep_names(struct naming *naming, struct error *error)
{
    struct lab_dump *const dump = naming->dump;
    struct lab_dump_facts *const facts = &dump->facts;
    const bool apart = are_different_texts(dump) || naming->list[COLUMNS] != NULL;
    facts->queries = naming->list[ROWS] != NULL ? keep_words(naming->word[ROWS], facts->n, error)
                                                : count_words(facts->n, apart ? "q" : "", error);
    if (facts->queries == NULL) {
        return false;
    }
    facts->keys = !apart ? lab_words_keep(facts->queries)
                  : naming->list[COLUMNS] != NULL
                      ? keep_words(naming->word[COLUMNS], facts->m, error)
                      : count_words(facts->m, "k", error);
    facts->words_from = naming->list[ROWS] != NULL ? naming->list[ROWS]->from : NULL;
    for (size_t which = 0; which < NAMED; which++) {
        if (naming->list[which] != NULL) {
            naming->list[which]->is_used = true;
        }
    }
    return facts->keys != NULL;
}

bool dump_find_words(struct lab_dump *dump, struct error *error)
{
    struct naming naming = {.dump = dump};
    bool done = find_requested_lists(&naming, error);
    if (done && requested_list(dump, DUMP_LIST_SAID) == NULL) {
        find_by_names(&naming);
    }
    if (done && (naming.arena.lacking ||
                 dump->arena.lacking)) { /* having no tokens would be another answer */
        done = error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
    }
    done = done && keep_names(&naming, error);
    arena_free(&naming.arena);
    return done;
}
