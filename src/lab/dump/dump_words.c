/* The tokens of a file of attention: in the file, in a file beside it, or counted. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "file/json.h"
#include "file/npz.h"
#include "lab/dump/dump_internal.h"

/* Words of queries, and of keys where they are others. */
struct found_words {
    const char *const *query, *const *key;
    size_t queries, keys;
    const char *from;
};

/* What lists are called, the likeliest first; whole numbers are looked at last. A model that reads
 * one text and writes another has two lists: what is read stands under names of its own, or is
 * called tokens beside the list of what is written. */
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

/* Whose lists are meant: weights without a word on it are the decoder's where others are its
 * cross-attention. */
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

/* A list of texts of JSON; numbers are ids. False: it is none. */
static bool list_of(const struct json *value, struct arena *arena, const char *const **words,
                    size_t *count)
{
    const size_t all = json_kind_of(value) == JSON_KIND_ARRAY ? json_count(value) : 0;
    const char **const list = arena_array(arena, all + 1, sizeof *list);
    for (size_t w = 0; list != NULL && w < all; w++) {
        const char *text = NULL;
        int64_t id = 0;
        if (json_whole_number(json_element(value, w), &id)) {
            list[w] = arena_format(arena, "%lld", (long long)id);
        } else if (json_text(json_element(value, w), &text)) {
            list[w] = arena_text(arena, text, strlen(text));
        }
        if (list[w] == NULL) {
            return false;
        }
    }
    *words = list;
    *count = all;
    return list != NULL && all > 0;
}

/* Where lists of tokens are looked up by their names. */
struct lists {
    const struct lab_dump *dump;
    const struct json *tree; /* of a file beside it; NULL: inside the dump */
    struct arena *arena;
};

static bool read_inside(const struct lab_dump *dump, const char *name, struct arena *arena,
                        const char *const **words, size_t *count);

/* The first list under one of the names that has `wanted` words; where none has, the first that is
 * there. NULL: there is none, or it is `except`. */
static const char *find_list(const struct lists *lists, const char *const *names,
                             const char *except, size_t wanted, const char *const **words,
                             size_t *count)
{
    const char *found = NULL;
    for (size_t n = 0; n < NAMES_MAX && names[n] != NULL; n++) {
        const char *const *list = NULL;
        size_t holds = 0;
        const bool is_other = except == NULL || strcmp(names[n], except) != 0;
        const bool is_there =
            is_other &&
            (lists->tree != NULL
                 ? list_of(json_member(lists->tree, names[n]), lists->arena, &list, &holds)
                 : read_inside(lists->dump, names[n], lists->arena, &list, &holds));
        if (is_there && (found == NULL || holds == wanted)) {
            found = names[n];
            *words = list;
            *count = holds;
        }
        if (is_there && holds == wanted) {
            break;
        }
    }
    return found;
}

/* The lists of queries and keys; NULL: there is none of queries. */
static const char *find_both(const struct lists *lists, struct found_words *out)
{
    const struct lab_dump_facts *const facts = &lists->dump->facts;
    const enum dump_side side = side_of(lists->dump);
    const char *const name =
        find_list(lists, query_names[side], NULL, facts->n, &out->query, &out->queries);
    const bool taken = out->queries == facts->n;
    const char *const other =
        find_list(lists, key_names[side], taken ? name : NULL, facts->m, &out->key, &out->keys);
    if (!taken && name != NULL && out->keys == facts->m && other == name) {
        out->queries = 0; /* the one list there is belongs to the keys */
    }
    return name;
}

static bool read_json(const struct lab_dump *dump, struct bytes text, struct arena *arena,
                      struct found_words *out, struct error *error)
{
    struct json *const tree = json_parse(text, error);
    const struct lists lists = {dump, tree, arena};
    const bool found = tree != NULL && (list_of(tree, arena, &out->query, &out->queries) ||
                                        find_both(&lists, out) != NULL);
    json_release(tree);
    return found ||
           (error->code == ERROR_NONE ? error_set(error, ERROR_INPUT, "It holds no list of tokens.")
                                      : false);
}

static void read_text(struct bytes text, size_t wanted, struct arena *arena,
                      struct found_words *out)
{
    const char *const at = (const char *)text.at;
    size_t lines = 0, start = 0;
    const char **const line = arena_array(arena, wanted + 1, sizeof *line);
    while (start < text.size && lines <= wanted && line != NULL) { /* one a line? */
        const char *const end = memchr(at + start, '\n', text.size - start);
        const size_t length = end == NULL ? text.size - start : (size_t)(end - at) - start;
        if (lines < wanted) {
            const bool returns = length > 0 && at[start + length - 1] == '\r'; /* of Windows */
            line[lines] = arena_text(arena, at + start, length - returns);
        }
        lines++;
        start += length + 1;
    }
    out->query = line;
    out->queries = lines;
    if (lines != wanted) {
        out->queries = text_split(arena, at, text.size, &out->query);
    }
}

/* A file of tokens; JSON or text, by its name. */
static bool read_file(const struct lab_dump *dump, const char *path, struct arena *arena,
                      struct found_words *out, struct error *error)
{
    struct bytes text;
    struct error reason = {ERROR_NONE, 0, ""};
    const size_t length = strlen(path);
    if (!file_read(path, LAB_DUMP_WORDS_BYTES_MAX, arena, &text, error)) {
        return false;
    }
    const char *const slash = strrchr(path, '/');
    out->from = arena_format(arena, "%s", slash == NULL ? path : slash + 1);
    if (length > 5 && strcmp(path + length - 5, ".json") == 0) {
        return read_json(dump, text, arena, out, &reason) ||
               error_set(error, reason.code, "%.80s: %.110s", out->from, reason.text);
    }
    read_text(text, dump->facts.n, arena, out);
    return true;
}

/* Numbers of an array as words: ids, which are whole. */
static bool read_ids(const struct lab_dump *dump, const struct array *array, struct arena *arena,
                     const char *const **words, size_t *count)
{
    struct array one = *array;
    const size_t all = array_count(array);
    if (all == 0 || all > LAB_TOKENS_MAX ||
        (array->bytes.at == NULL &&
         !npz_read_one(dump->map.bytes, array->name, arena, &one, NULL))) {
        return false;
    }
    const char **const list = arena_array(arena, all, sizeof *list);
    for (size_t w = 0; list != NULL && w < all; w++) {
        const double id = array_number(&one, w);
        list[w] = id == trunc(id) ? arena_format(arena, "%.0f", id) : NULL;
        if (list[w] == NULL) {
            return false;
        }
    }
    *words = list;
    *count = all;
    return list != NULL;
}

/* One list under one of its names inside the file. */
static bool read_inside(const struct lab_dump *dump, const char *name, struct arena *arena,
                        const char *const **words, size_t *count)
{
    struct error reason = {ERROR_NONE, 0, ""};
    if (dump->kind == FILE_NPZ &&
        npz_read_texts(dump->map.bytes, name, LAB_TOKENS_MAX, arena, words, count, &reason)) {
        return true;
    }
    arena->lacking = arena->lacking || reason.code == ERROR_MEMORY;
    for (size_t n = 0; n < dump->notes; n++) {
        if (strcmp(dump->note[2 * n], name) == 0) {
            const char *const text = dump->note[2 * n + 1];
            const struct bytes bytes = {(const uint8_t *)text, strlen(text)};
            struct json *const tree = json_parse(bytes, &reason);
            arena->lacking = arena->lacking || reason.code == ERROR_MEMORY;
            const bool is_list = list_of(tree, arena, words, count);
            json_release(tree);
            *count = is_list ? *count : text_split(arena, text, bytes.size, words);
            return *count > 0;
        }
    }
    for (size_t a = 0; a < dump->arrays; a++) {
        if (strcmp(dump->array[a].name, name) == 0) {
            return read_ids(dump, &dump->array[a], arena, words, count);
        }
    }
    return false;
}

static bool find_inside(const struct lab_dump *dump, struct arena *arena, struct found_words *out)
{
    const struct lists lists = {dump, NULL, arena};
    const char *const name = find_both(&lists, out);
    out->from = name != NULL ? arena_format(arena, "the array %s", name) : NULL;
    return name != NULL;
}

/* name.tokens.json, name.json, name.txt beside it. False: none of them is there. What bears only
 * its name and is larger than words are is something else: its numbers, as compute writes them. */
static bool find_beside(const struct lab_dump *dump, struct arena *arena, struct found_words *out,
                        struct error *error)
{
    static const char *const ends[] = {".tokens.json", ".tokens.txt", ".json", ".txt"};
    const char *const slash = strrchr(dump->path, '/');
    const char *const dot = strrchr(slash == NULL ? dump->path : slash, '.');
    const size_t stem = dot == NULL ? strlen(dump->path) : (size_t)(dot - dump->path);
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
        struct stat status;
        const char *const path = arena_format(arena, "%.*s%s", (int)stem, dump->path, ends[e]);
        const bool is_called_so = strncmp(ends[e], ".tokens", 7) == 0;
        const bool is_itself = path != NULL && strcmp(path, dump->path) == 0;
        if (path != NULL && !is_itself && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
            (is_called_so || status.st_size <= LAB_DUMP_WORDS_BYTES_MAX)) {
            return read_file(dump, path, arena, out, error);
        }
    }
    return false;
}

/* Words that stand for what has no name: 1, 2, 3 … */
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

/* Copies; the marks that tokenizers write for a space are shown as one, and nothing as a point. */
static struct lab_words *keep_words(const char *const *word, size_t count, struct error *error)
{
    struct arena arena = {0};
    const char **const shown = arena_array(&arena, count + 1, sizeof *shown);
    static const char *const marks[] = {"\u0120", "\u2581"};
    for (size_t w = 0; shown != NULL && w < count; w++) {
        shown[w] = word[w][strspn(word[w], " \t\r\n")] == '\0' ? "\u00b7" : word[w];
        for (size_t m = 0; m < 2; m++) {
            if (strncmp(word[w], marks[m], strlen(marks[m])) == 0) {
                shown[w] = arena_format(&arena, "\u2423%s", word[w] + strlen(marks[m]));
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

static bool take(struct lab_dump *dump, const struct found_words *found, struct error *error)
{
    struct lab_dump_facts *const facts = &dump->facts;
    const bool fits = found->queries == facts->n || /* the last one written looked at nothing */
                      (dump->join != NULL && found->queries == facts->n + 1);
    const bool keys_fit = found->keys == facts->m;
    const bool apart =
        keys_fit || facts->m != facts->n || dump->tensor[0].group->side == DUMP_CROSS;
    facts->queries = fits ? keep_words(found->query, facts->n, error)
                          : count_words(facts->n, apart ? "q" : "", error);
    if (facts->queries == NULL) {
        return false;
    }
    facts->keys = !apart     ? lab_words_keep(facts->queries)
                  : keys_fit ? keep_words(found->key, found->keys, error)
                             : count_words(facts->m, "k", error);
    facts->words_from = fits ? arena_format(&dump->arena, "%s", found->from) : NULL;
    if (found->queries > 0 && !fits) {
        dump_doubt(dump,
                   arena_format(&dump->arena,
                                "%s holds %zu tokens for %zu rows, so that the rows are counted.",
                                found->from, found->queries, facts->n));
    }
    return facts->keys != NULL;
}

/* The array that was named as the tokens. */
static bool read_named(const struct lab_dump *dump, const char *name, struct arena *arena,
                       struct found_words *out, struct error *error)
{
    if (!read_inside(dump, name, arena, &out->query, &out->queries)) {
        return dump_ask(dump, error, "%.60s holds no tokens.", name);
    }
    out->from = arena_format(arena, "the array %s", name);
    return true;
}

static bool is_said(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* Tokens that the request has itself. */
static bool read_said(const struct lab_dump *dump, const struct lab_dump_request *request,
                      struct arena *arena, struct found_words *out, struct error *error)
{
    if (is_said(request->tokens)) {
        out->queries = text_split(arena, request->tokens, strlen(request->tokens), &out->query);
        out->from = "--tokens";
    }
    if (is_said(request->context)) {
        out->keys = text_split(arena, request->context, strlen(request->context), &out->key);
    }
    return !is_said(request->context) || out->keys == dump->facts.m ||
           dump_ask(dump, error, "--context holds %zu tokens, but there are %zu columns.",
                    out->keys, dump->facts.m);
}

/* Tokens that somebody named or gave. */
static bool read_asked(const struct lab_dump *dump, const struct lab_dump_request *request,
                       struct arena *arena, struct found_words *out, struct error *error)
{
    const bool read = is_said(request->words) ? read_file(dump, request->words, arena, out, error)
                      : is_said(request->inside)
                          ? read_named(dump, request->inside, arena, out, error)
                          : true;
    if (!read || !read_said(dump, request, arena, out, error)) {
        return false;
    }
    return out->from == NULL || out->queries == dump->facts.n ||
           dump_ask(dump, error, "%.60s holds %zu tokens, but there are %zu rows.", out->from,
                    out->queries, dump->facts.n);
}

bool dump_find_words(struct lab_dump *dump, const struct lab_dump_request *request,
                     struct error *error)
{
    const bool is_asked = is_said(request->words) || is_said(request->inside) ||
                          is_said(request->tokens) || is_said(request->context);
    struct found_words found = {.queries = 0};
    struct error reason = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    bool done = true;
    if (request->counted) {
        done = true;
    } else if (is_asked) {
        done = read_asked(dump, request, &arena, &found, error);
    } else if (!find_inside(dump, &arena, &found)) {
        found = (struct found_words){.queries = 0};
        if (!find_beside(dump, &arena, &found, &reason) && reason.code != ERROR_NONE) {
            found = (struct found_words){.queries = 0};
            dump_doubt(dump, arena_format(&dump->arena, "The tokens beside it: %s", reason.text));
        }
    }
    if (done && (arena.lacking || dump->arena.lacking)) { /* no tokens is another answer */
        done = error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
    }
    done = done && take(dump, &found, error);
    arena_free(&arena);
    return done;
}

/* ---- what may be tokens ---- */

static bool is_ids(const struct array *array)
{
    return array->type <= ARRAY_UINT64 && array->type != ARRAY_BOOLEAN && array->rank >= 1 &&
           array->rank <= 2 && array_count(array) <= LAB_TOKENS_MAX;
}

const char *const *lab_dump_texts(struct lab_dump *dump, size_t *count)
{
    const char *const *lists = NULL;
    size_t listed = 0;
    if (dump->text == NULL) {
        if (dump->kind == FILE_NPZ) {
            (void)npz_name_texts(dump->map.bytes, &dump->arena, &lists, &listed);
        }
        const char **const names =
            arena_array(&dump->arena, listed + dump->notes + dump->arrays + 1, sizeof *names);
        dump->texts = 0;
        for (size_t t = 0; names != NULL && t < listed; t++) {
            names[dump->texts++] = lists[t];
        }
        for (size_t n = 0; names != NULL && n < dump->notes; n++) {
            names[dump->texts++] = dump->note[2 * n];
        }
        for (size_t a = 0; names != NULL && a < dump->arrays; a++) {
            if (is_ids(&dump->array[a])) {
                names[dump->texts++] = dump->array[a].name;
            }
        }
        dump->text = dump->arena.lacking ? NULL : names; /* then it is tried again */
        dump->texts = dump->text == NULL ? 0 : dump->texts;
    }
    *count = dump->texts;
    return dump->text;
}
