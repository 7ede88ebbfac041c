/* lab/dump/dump_lists.c — see dump_lists.h. */
#include "lab/dump/dump_lists.h"

#include <math.h>
#include <string.h>

#include "base/system/file.h"
#include "base/text.h"
#include "file/json.h"
#include "file/npz.h"

/* ---- lengths --------------------------------------------------------------------------------- */

/* Returns the number of tokens along the axes from `first` on; 0: more than one is longer than
 * 1. */
static size_t tokens_along(const struct dump_list *list, size_t first)
{
    size_t tokens = 1, longer = 0;
    for (size_t axis = first; axis < list->rank; axis++) {
        longer += list->shape[axis] != 1;
        tokens = list->shape[axis] != 1 ? list->shape[axis] : tokens;
    }
    return longer <= 1 ? tokens : 0;
}

static bool is_of_texts(const struct dump_list *list, size_t texts)
{
    return texts > 1 && list->rank >= 2 && list->shape[0] == texts;
}

size_t dump_list_length(const struct dump_list *list, size_t texts, size_t text)
{
    if (!is_of_texts(list, texts)) {
        return list->start == NULL ? tokens_along(list, 0) : 0;
    }
    return list->start != NULL ? list->start[text + 1] - list->start[text] : tokens_along(list, 1);
}

bool dump_lists_are_there(const struct lab_dump *dump)
{
    bool are_there = false;
    for (size_t l = 0; !are_there && l < dump->lists; l++) {
        are_there = dump_list_is_named(&dump->list[l]);
    }
    return are_there;
}

bool dump_lists_have(const struct lab_dump *dump, size_t length, size_t texts)
{
    bool have = false;
    for (size_t l = 0; !have && l < dump->lists; l++) {
        have = dump_list_is_named(&dump->list[l]) &&
               dump_list_length(&dump->list[l], texts, 0) == length;
    }
    return have;
}

bool dump_lists_have_texts(const struct lab_dump *dump, size_t texts, size_t length)
{
    bool have = false;
    for (size_t l = 0; !have && l < dump->lists; l++) {
        const struct dump_list *const list = &dump->list[l];
        have = dump_list_is_named(list) && is_of_texts(list, texts) &&
               (list->start != NULL || tokens_along(list, 1) == length);
    }
    return have;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads whole numbers as words. */
static bool read_ids(const struct lab_dump *dump, const struct dump_list *list, size_t first,
                     size_t count, struct arena *arena, const char **word)
{
    enum { UNPACKED_MAX = 1 << 24 }; /* numbers, of which those of one text are wanted */
    struct array one = *list->ids;
    bool read =
        one.bytes.at != NULL || (array_count(&one) <= UNPACKED_MAX &&
                                 npz_read_one(dump->bytes, list->ids->name, arena, &one, NULL));
    for (size_t w = 0; read && w < count; w++) {
        const double id = array_number(&one, first + w);
        word[w] = id == trunc(id) ? arena_format(arena, "%.0f", id) : NULL;
        read = word[w] != NULL;
    }
    return read;
}

bool dump_list_read(const struct lab_dump *dump, const struct dump_list *list, size_t texts,
                    size_t text, struct arena *arena, const char *const **words, size_t *count)
{
    const size_t length = dump_list_length(list, texts, text);
    const bool several = is_of_texts(list, texts);
    const size_t first = !several ? 0 : list->start != NULL ? list->start[text] : text * length;
    const char *const *all = list->word;
    size_t read = 0;
    *count = length;
    if (length == 0 || length > LAB_TOKENS_MAX) {
        return false;
    }
    if (list->ids != NULL) {
        const char **const word = arena_array(arena, length, sizeof *word);
        *words = word;
        return word != NULL && read_ids(dump, list, first, length, arena, word);
    }
    struct error reason = {ERROR_NONE, 0, ""};
    if (all == NULL && !npz_read_texts(dump->bytes, list->name, arena, &all, &read, &reason)) {
        arena->lacking = arena->lacking || reason.code == ERROR_MEMORY;
        return false;
    }
    *words = all + first;
    return true;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Appends a list. NULL: no memory. */
static struct dump_list *append_list(struct lab_dump *dump, const char *name, const char *from,
                                     enum dump_list_source source)
{
    if ((dump->lists & (dump->lists - 1)) == 0) { /* the room is full at every power of two */
        struct dump_list *const more =
            arena_array(&dump->arena, dump->lists == 0 ? 1 : 2 * dump->lists, sizeof *more);
        if (more == NULL) {
            return NULL;
        }
        if (dump->lists > 0) {
            memcpy(more, dump->list, dump->lists * sizeof *more);
        }
        dump->list = more;
    }
    struct dump_list *const list = &dump->list[dump->lists++];
    *list = (struct dump_list){.name = name, .from = from, .shown = from, .source = source};
    return list;
}

/* Appends a list of that many words, which are in memory. */
static bool add_words(struct lab_dump *dump, const char *name, const char *from,
                      enum dump_list_source source, const char *const *word, size_t count)
{
    struct dump_list *const list = count == 0 ? NULL : append_list(dump, name, from, source);
    if (list != NULL) {
        list->rank = 1;
        list->shape[0] = count;
        list->word = word;
    }
    return list != NULL || count == 0;
}

/* Appends the words of one list of JSON, which are texts or ids. Returns false where it is no
 * list. */
static bool append_json_words(const struct json *value, struct arena *arena, const char **word,
                              bool *ids)
{
    for (size_t w = 0; w < json_count(value); w++) {
        const struct json *const element = json_element(value, w);
        const char *text = NULL;
        int64_t id = 0;
        if (json_whole_number(element, &id)) {
            word[w] = arena_format(arena, "%lld", (long long)id);
        } else if (json_text(element, &text)) {
            word[w] = arena_text(arena, text, strlen(text));
            *ids = false;
        } else {
            return false;
        }
        if (word[w] == NULL) {
            return false;
        }
    }
    return true;
}

/* Counts the words of several lists and where each list starts; 0: these are no lists. */
static size_t count_json_words(const struct json *value, size_t *start)
{
    size_t words = 0;
    for (size_t t = 0; t < json_count(value); t++) {
        const struct json *const text = json_element(value, t);
        start[t] = words;
        if (json_kind_of(text) != JSON_KIND_ARRAY || json_count(text) > LAB_TOKENS_MAX) {
            return 0;
        }
        words += json_count(text);
    }
    start[json_count(value)] = words;
    return words;
}

/* Adds a list of JSON, or one for each of several texts; anything else adds nothing. */
static void add_json(struct lab_dump *dump, const char *name, const char *from, const char *shown,
                     enum dump_list_source source, const struct json *value)
{
    struct arena *const arena = &dump->arena;
    const size_t count = json_kind_of(value) == JSON_KIND_ARRAY ? json_count(value) : 0;
    const bool several = json_kind_of(json_element(value, 0)) == JSON_KIND_ARRAY;
    size_t *const start = several ? arena_array(arena, count + 1, sizeof *start) : NULL;
    const size_t words = !several ? count : start == NULL ? 0 : count_json_words(value, start);
    const char **const word = words == 0 ? NULL : arena_array(arena, words, sizeof *word);
    bool ids = true, read = word != NULL;
    for (size_t t = 0; read && several && t < count; t++) {
        read = append_json_words(json_element(value, t), arena, word + start[t], &ids);
    }
    read = read && (several || append_json_words(value, arena, word, &ids));
    struct dump_list *const list = read ? append_list(dump, name, from, source) : NULL;
    if (list != NULL) {
        list->rank = several && count > 1 ? 2 : 1;
        list->shape[0] = several && count > 1 ? count : words;
        list->shape[1] = words / count; /* the average length */
        list->word = word;
        list->start = several && count > 1 ? start : NULL;
        list->are_ids = ids;
        list->shown = shown;
    }
}

/* Names the array in a sentence. */
static const char *describe_array(struct lab_dump *dump, const char *name)
{
    return arena_format(&dump->arena, "the array %s", name);
}

static bool may_be_ids(const struct array *array)
{
    const bool whole = array->type <= ARRAY_UINT64 && array->type != ARRAY_BOOLEAN;
    const size_t length = strlen(array->name);
    const bool called_ids =
        (length >= 3 && strcmp(array->name + length - 3, "ids") == 0) ||
        strcmp(array->name, "tokens") == 0; /* these may also be kept as other numbers */
    return array->rank >= 1 && array->rank <= 3 && (whole || called_ids);
}

/* Adds the lists inside the file that have this name, or all for NULL. */
static void add_inside(struct lab_dump *dump, const char *name, enum dump_list_source source)
{
    for (size_t t = 0; t < dump->text_arrays; t++) {
        const struct array_texts *const texts = &dump->text_array[t];
        struct dump_list *const list =
            texts->rank == 0 || (name != NULL && strcmp(name, texts->name) != 0)
                ? NULL
                : append_list(dump, texts->name, describe_array(dump, texts->name), source);
        if (list != NULL) {
            list->shown = texts->name;
            list->rank = texts->rank;
            memcpy(list->shape, texts->shape, sizeof list->shape);
        }
    }
    for (size_t n = 0; n < dump->notes; n++) {
        const char *const called = dump->note[2 * n], *const text = dump->note[2 * n + 1];
        if (name != NULL && strcmp(name, called) != 0) {
            continue;
        }
        const size_t before = dump->lists;
        struct error reason = {ERROR_NONE, 0, ""};
        struct json *const tree =
            json_parse((struct bytes){(const uint8_t *)text, strlen(text)}, &reason);
        dump->arena.lacking = dump->arena.lacking || reason.code == ERROR_MEMORY;
        add_json(dump, called, describe_array(dump, called), called, source, tree);
        json_release(tree);
        const struct dump_list list = {.name = called};
        if (dump->lists == before && (name != NULL || dump_list_is_named(&list))) {
            const char *const *word = NULL;
            const size_t count = text_split(&dump->arena, text, strlen(text), &word);
            add_words(dump, called, describe_array(dump, called), source, word, count);
        }
    }
    for (size_t a = 0; a < dump->arrays; a++) {
        const struct array *const array = &dump->array[a];
        struct dump_list *const list =
            (name == NULL ? !may_be_ids(array) : strcmp(name, array->name) != 0 || array->rank == 0)
                ? NULL
                : append_list(dump, array->name, describe_array(dump, array->name), source);
        if (list != NULL) {
            list->shown = array->name;
            list->are_ids = true;
            list->ids = array;
            list->rank = array->rank;
            memcpy(list->shape, array->shape, sizeof list->shape);
        }
    }
}

/* Splits a text into tokens by lines or by white space, whichever fits. */
static void add_text(struct lab_dump *dump, struct bytes text, const char *from,
                     enum dump_list_source source)
{
    const char *const at = (const char *)text.at;
    const char **const line = arena_array(&dump->arena, LAB_TOKENS_MAX, sizeof *line);
    const char *const *word = NULL;
    size_t lines = 0, start = 0;
    while (start < text.size && lines <= LAB_TOKENS_MAX && line != NULL) {
        const char *const end = memchr(at + start, '\n', text.size - start);
        const size_t length = end == NULL ? text.size - start : (size_t)(end - at) - start;
        if (lines < LAB_TOKENS_MAX) {
            const bool returns =
                length > 0 && at[start + length - 1] == '\r'; /* line ends of Windows */
            line[lines] = arena_text(&dump->arena, at + start, length - returns);
        }
        lines++;
        start += length + 1;
    }
    if (lines <= LAB_TOKENS_MAX) {
        add_words(dump, "tokens", from, source, line, lines);
    }
    const size_t words = text_split(&dump->arena, at, text.size, &word);
    add_words(dump, "tokens", from, source, word, words);
}

/* Reads a file of tokens; its name says whether it is JSON (a list, or lists by their names) or
 * text. */
static bool add_file(struct lab_dump *dump, const char *path, enum dump_list_source source,
                     struct error *error)
{
    struct bytes text;
    struct error reason = {ERROR_NONE, 0, ""};
    const size_t length = strlen(path), before = dump->lists;
    if (!file_read(path, LAB_DUMP_WORDS_BYTES_MAX, &dump->arena, &text, error)) {
        return false;
    }
    const char *const from = arena_format(&dump->arena, "%s", file_name(path));
    if (length <= 5 || strcmp(path + length - 5, ".json") != 0) {
        add_text(dump, text, from, source);
        return true;
    }
    struct json *const tree = json_parse(text, &reason);
    void *place = NULL;
    const char *name = NULL;
    add_json(dump, "tokens", from, from, source, tree);
    for (const struct json *member = json_next_member(tree, &place, &name); member != NULL;
         member = json_next_member(tree, &place, &name)) {
        const char *const kept = arena_text(&dump->arena, name, strlen(name));
        if (kept != NULL) {
            add_json(dump, kept, from, from, source, member);
        }
    }
    json_release(tree);
    if (dump->lists == before && reason.code == ERROR_NONE) {
        error_set(&reason, ERROR_INPUT, "It holds no list of tokens.");
    }
    return reason.code == ERROR_NONE ||
           error_set(error, reason.code, "%.80s: %.110s", from, reason.text);
}

/* Reads name.tokens.json, name.json or name.txt in the file's folder. A file of the same name that
 * is larger than a list of words holds something else, such as the numbers that compute writes. */
static bool add_folder_lists(struct lab_dump *dump, struct error *error)
{
    static const char *const ends[] = {".tokens.json", ".tokens.txt", ".json", ".txt"};
    const char *const slash = strrchr(dump->path, '/');
    const char *const dot = strrchr(slash == NULL ? dump->path : slash, '.');
    const size_t stem = dot == NULL ? strlen(dump->path) : (size_t)(dot - dump->path);
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
        const char *const path =
            arena_format(&dump->arena, "%.*s%s", (int)stem, dump->path, ends[e]);
        const bool is_called_so = strncmp(ends[e], ".tokens", 7) == 0;
        struct system_facts facts;
        if (path != NULL && strcmp(path, dump->path) != 0 && system_path_facts(path, &facts) &&
            facts.kind == SYSTEM_REGULAR &&
            (is_called_so || facts.size <= LAB_DUMP_WORDS_BYTES_MAX)) {
            return add_file(dump, path, DUMP_LIST_BESIDE, error);
        }
    }
    return true;
}

static bool is_given(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* Splits words at white space. */
static void add_split(struct lab_dump *dump, const char *text, const char *from,
                      enum dump_list_source source)
{
    const char *const *word = NULL;
    const size_t count = text_split(&dump->arena, text, strlen(text), &word);
    add_words(dump, "tokens", from, source, word, count);
}

static bool add_requested_lists(struct lab_dump *dump, const struct lab_dump_request *request,
                                struct error *error)
{
    const size_t before = dump->lists;
    if (is_given(request->words) && !add_file(dump, request->words, DUMP_LIST_SAID, error)) {
        return false;
    }
    if (is_given(request->inside)) {
        add_inside(dump, request->inside, DUMP_LIST_SAID);
    }
    if (is_given(request->tokens)) {
        add_split(dump, request->tokens, "--tokens", DUMP_LIST_SAID);
    }
    return dump->lists > before || !is_given(request->inside) ||
           dump_ask(dump, error, "%.60s holds no tokens.", request->inside);
}

/* Reads lists in the file's folder where the file itself has none of the usual names. Nobody asked
 * for them, so damage is only reported. */
static void add_optional_folder_lists(struct lab_dump *dump)
{
    struct error reason = {ERROR_NONE, 0, ""};
    if (dump_lists_are_there(dump) || add_folder_lists(dump, &reason)) {
        return;
    }
    dump->arena.lacking = dump->arena.lacking || reason.code == ERROR_MEMORY;
    if (reason.code != ERROR_MEMORY) {
        dump_doubt(dump, arena_format(&dump->arena, "The tokens beside it: %s", reason.text));
    }
}

bool dump_find_lists(struct lab_dump *dump, const struct lab_dump_request *request,
                     struct error *error)
{
    if (request->counted) {
        return true;
    }
    if (is_given(request->words) || is_given(request->inside) || is_given(request->tokens)) {
        if (!add_requested_lists(dump, request, error)) {
            return false;
        }
    } else {
        add_inside(dump, NULL, DUMP_LIST_INSIDE);
        add_optional_folder_lists(dump);
    }
    if (is_given(request->context)) {
        add_split(dump, request->context, "--context", DUMP_LIST_SAID_OF_KEYS);
    }
    return !dump->arena.lacking ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
}

/* ---- what may be tokens ---------------------------------------------------------------------- */

const char *const *lab_dump_texts(struct lab_dump *dump, size_t *count)
{
    if (dump->text == NULL) {
        const char **const names = arena_array(
            &dump->arena, dump->text_arrays + dump->notes + dump->arrays + 1, sizeof *names);
        dump->texts = 0;
        for (size_t t = 0; names != NULL && t < dump->text_arrays; t++) {
            names[dump->texts++] = dump->text_array[t].name;
        }
        for (size_t n = 0; names != NULL && n < dump->notes; n++) {
            names[dump->texts++] = dump->note[2 * n];
        }
        for (size_t a = 0; names != NULL && a < dump->arrays; a++) {
            const struct array *const array = &dump->array[a];
            const bool whole = array->type <= ARRAY_UINT64 && array->type != ARRAY_BOOLEAN;
            if (whole && array->rank >= 1 && array->rank <= 2 &&
                array->shape[array->rank - 1] <= LAB_TOKENS_MAX) {
                names[dump->texts++] = array->name;
            }
        }
        dump->text = names;
        dump->texts = names == NULL ? 0 : dump->texts;
    }
    *count = dump->texts;
    return dump->text;
}
