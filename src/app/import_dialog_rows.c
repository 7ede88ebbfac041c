/* The rows of the panel: what can be chosen, and what a choice changes. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "app/import_dialog_internal.h"

enum { TEXTS_MOST = 512 /* of several texts, as a menu */ };

static const char weights_letters[] = "LBHQK", rows_letters[] = "LBHQD";
static const char *const weights_words[] = {"layer", "text", "head", "query", "key"};
static const char *const rows_words[] = {"layer", "text", "head", "word", "number (dₖ)"};

static bool is_of_queries(const struct app_import *ask)
{
    return ask->asked.reading == LAB_DUMP_AS_QUERIES;
}

static const char *letters_of(const struct app_import *ask)
{
    return is_of_queries(ask) ? rows_letters : weights_letters;
}

/* The chosen array among the items, or 0. */
static size_t find_item(const struct app_import *ask, const char *name)
{
    for (size_t i = 0; i < lab_dump_items(ask->list); i++) {
        if (strcmp(lab_dump_item(ask->list, i).name, name) == 0) {
            return i;
        }
    }
    return 0;
}

/* The letters of as many axes, from the last to the first: K, Q, H, L, B; D in place of K. */
static void usual_axes(const struct lab_dump_item *item, bool queries, char *axes)
{
    static const char order[] = "KQHLB", numbered[] = "KQHB";
    const char *const letters = item->numbered ? numbered : order;
    const size_t known = strlen(item->axes);
    for (size_t a = 0; a < item->rank; a++) {
        const size_t back = item->rank - 1 - a;
        const char letter = known == item->rank      ? item->axes[a]
                            : back < strlen(letters) ? letters[back]
                                                     : 'B';
        axes[a] = letter == 'K' || letter == 'D' ? (queries ? 'D' : 'K') : letter;
    }
    axes[item->rank] = '\0';
}

static void take_item(struct app_import *ask, size_t index)
{
    const struct lab_dump_item item = lab_dump_item(ask->list, index);
    snprintf(ask->asked.array, sizeof ask->asked.array, "%s", item.name);
    usual_axes(&item, is_of_queries(ask), ask->asked.axes);
    ask->asked.batch = 0;
}

/* How likely the array is meant: by its name, else by its axes. */
static size_t likeliness(const struct lab_dump_item *item)
{
    return item->reading != LAB_DUMP_BY_NAME    ? 10 + item->rank
           : item->rank >= 2 && item->rank <= 5 ? item->rank
                                                : 0;
}

void ask_begin(struct app_import *ask)
{
    struct app_dump_options *const asked = &ask->asked;
    size_t best = find_item(ask, asked->array), most = 0;
    for (size_t i = 0; asked->array[0] == '\0' && i < lab_dump_items(ask->list); i++) {
        const struct lab_dump_item item = lab_dump_item(ask->list, i);
        if (likeliness(&item) > most) {
            most = likeliness(&item);
            best = i;
        }
    }
    const struct lab_dump_item item = lab_dump_item(ask->list, best);
    if (asked->reading == LAB_DUMP_BY_NAME) {
        asked->reading = item.reading != LAB_DUMP_BY_NAME ? item.reading : LAB_DUMP_AS_WEIGHTS;
    }
    char axes[sizeof asked->axes];
    const bool given = strlen(asked->axes) == item.rank;
    memcpy(axes, asked->axes, sizeof axes);
    take_item(ask, best);
    if (given) {
        memcpy(asked->axes, axes, sizeof axes);
    }
}

/* ---- what stands in the rows ---- */

/* A row more, with room for so many words; NULL: no memory, or no room. */
static const char **add_row(struct app_import *ask, enum ask_kind kind, size_t axis, size_t count,
                            size_t current, const char *title, const char *tip)
{
    const char **const words = arena_array(&ask->arena, count, sizeof *words);
    if (words == NULL || title == NULL || ask->sheet.rows == VIEW_IMPORT_ROWS) {
        return NULL;
    }
    for (size_t w = 0; w < count; w++) {
        words[w] = "";
    }
    ask->kind[ask->sheet.rows] = kind;
    ask->axis[ask->sheet.rows] = axis;
    ask->sheet.row[ask->sheet.rows++] = (struct view_import_row){title, tip, words, count, current};
    return words;
}

static const char *or_nothing(const char *text)
{
    return text == NULL ? "" : text;
}

static void add_arrays(struct app_import *ask, enum ask_kind kind, const char *title,
                       const char *tip, const char *chosen)
{
    const size_t count = lab_dump_items(ask->list);
    const char **const words = add_row(ask, kind, 0, count, find_item(ask, chosen), title, tip);
    for (size_t i = 0; words != NULL && i < count; i++) {
        const struct lab_dump_item item = lab_dump_item(ask->list, i);
        const char *const many =
            item.arrays > 1 ? arena_format(&ask->arena, "%zu of ", item.arrays) : "";
        words[i] = or_nothing(arena_format(&ask->arena, "%s%s%s%s", item.name,
                                           item.name[0] == '\0' ? "" : " · ", or_nothing(many),
                                           item.shape));
    }
}

static void add_words(struct app_import *ask, enum ask_kind kind, const char *title,
                      const char *tip, const char *const *from, size_t count, size_t current)
{
    const char **const words = add_row(ask, kind, 0, count, current, title, tip);
    for (size_t w = 0; words != NULL && w < count; w++) {
        words[w] = from[w];
    }
}

static void add_axes(struct app_import *ask)
{
    const struct lab_dump_item item = lab_dump_item(ask->list, find_item(ask, ask->asked.array));
    const char *const letters = letters_of(ask);
    const char *const *const names = is_of_queries(ask) ? rows_words : weights_words;
    for (size_t a = 0; a < item.rank && a < 6; a++) {
        const char *const at = strchr(letters, ask->asked.axes[a]);
        const char **const words =
            add_row(ask, ASK_AXIS, a, 5, at == NULL || *at == '\0' ? 5 : (size_t)(at - letters),
                    arena_format(&ask->arena, "Axis %zu: %zu", a + 1, item.size[a]),
                    "What is counted along this axis of the array");
        for (size_t w = 0; words != NULL && w < 5; w++) {
            words[w] = names[w];
        }
    }
}

/* How many texts the array holds, by the axis that counts them. */
static size_t count_texts(struct app_import *ask)
{
    const struct lab_dump_item item = lab_dump_item(ask->list, find_item(ask, ask->asked.array));
    const char *const at = strchr(ask->asked.axes, 'B');
    const size_t axis = at == NULL ? item.rank : (size_t)(at - ask->asked.axes);
    return axis < item.rank ? item.size[axis] : 1;
}

static void add_texts(struct app_import *ask)
{
    const size_t texts = count_texts(ask), count = texts < TEXTS_MOST ? texts : TEXTS_MOST;
    const char **const words = count < 2
                                   ? NULL
                                   : add_row(ask, ASK_BATCH, 0, count, ask->asked.batch, "Text",
                                             "Which of the texts that stand in the file");
    for (size_t t = 0; words != NULL && t < count; t++) {
        words[t] = or_nothing(arena_format(&ask->arena, "%zu of %zu", t + 1, texts));
    }
}

/* Tokens: as found, counted, an array of the file, a file beside it. */
static void add_tokens(struct app_import *ask)
{
    size_t texts = 0;
    const char *const *const inside = lab_dump_texts(ask->list, &texts);
    const struct app_dump_options *const asked = &ask->asked;
    const char **const words =
        add_row(ask, ASK_TOKENS, 0, 2 + texts + ask->file_count, asked->counted ? 1 : 0, "Tokens",
                "Where the words are that belong to the rows and columns");
    if (words == NULL) {
        return;
    }
    struct view_import_row *const row = &ask->sheet.row[ask->sheet.rows - 1];
    words[0] = "where they usually are";
    words[1] = "none: count them";
    for (size_t t = 0; t < texts; t++) {
        words[2 + t] = or_nothing(arena_format(&ask->arena, "the array %s", inside[t]));
        row->current = strcmp(inside[t], asked->inside) == 0 ? 2 + t : row->current;
    }
    for (size_t f = 0; f < ask->file_count; f++) {
        const char *const slash = strrchr(ask->files[f], '/');
        words[2 + texts + f] =
            or_nothing(arena_format(&ask->arena, "the file %s", slash == NULL ? "" : slash + 1));
        row->current = strcmp(ask->files[f], asked->words) == 0 ? 2 + texts + f : row->current;
    }
}

/* .txt and .json of the same folder. */
static void find_files(struct app_import *ask)
{
    const char *const slash = strrchr(ask->path, '/');
    const int length = slash == NULL ? 0 : (int)(slash - ask->path);
    const char *const folder =
        slash == NULL ? "." : arena_format(&ask->arena, "%.*s", length, ask->path);
    DIR *const files = folder == NULL ? NULL : opendir(folder[0] == '\0' ? "/" : folder);
    const struct dirent *file = NULL;
    ask->file_count = 0;
    while (files != NULL && ask->file_count < ASK_FILES_MAX && (file = readdir(files)) != NULL) {
        const char *const end = strrchr(file->d_name, '.');
        if (end != NULL && file->d_name[0] != '.' &&
            (strcmp(end, ".txt") == 0 || strcmp(end, ".json") == 0)) {
            const char *const path = arena_format(&ask->arena, "%s/%s", folder, file->d_name);
            ask->files[ask->file_count] = path;
            ask->file_count += path != NULL;
        }
    }
    if (files != NULL) {
        closedir(files);
    }
}

void ask_fill_rows(struct app_import *ask)
{
    static const char *const readings[] = {
        "weights α: rows that sum to 1", "scores, before the softmax", "queries, to go with keys"};
    static const char *const sights[] = {"every word", "itself and the words before it"};
    arena_reset(&ask->arena);
    ask->sheet.rows = 0;
    find_files(ask);
    add_arrays(ask, ASK_ARRAY, "Array", "Which array of the file is shown", ask->asked.array);
    add_words(ask, ASK_READING, "It holds", "What the numbers of this array are", readings, 3,
              (size_t)ask->asked.reading - 1);
    if (is_of_queries(ask)) {
        add_arrays(ask, ASK_KEYS, "Keys", "The array of the keys that these queries meet",
                   ask->asked.keys);
        add_words(ask, ASK_SIGHT, "A word sees", "Which keys a query may look at", sights, 2,
                  ask->asked.sight == LAB_DUMP_SEES_BACK);
    }
    add_axes(ask);
    add_texts(ask);
    add_tokens(ask);
}

/* ---- a choice ---- */

/* The axis gets this letter; the one that had it gets the former. */
static void choose_axis(struct app_import *ask, size_t axis, size_t word)
{
    char *const axes = ask->asked.axes;
    const char wanted = letters_of(ask)[word], former = axes[axis];
    for (size_t a = 0; axes[a] != '\0'; a++) {
        axes[a] = axes[a] == wanted ? former : axes[a];
    }
    axes[axis] = wanted;
    ask->asked.batch = 0;
}

static void choose_tokens(struct app_import *ask, size_t word)
{
    struct app_dump_options *const asked = &ask->asked;
    size_t texts = 0;
    const char *const *const inside = lab_dump_texts(ask->list, &texts);
    asked->words[0] = asked->inside[0] = '\0';
    asked->counted = word == 1;
    if (word >= 2 && word < 2 + texts) {
        snprintf(asked->inside, sizeof asked->inside, "%s", inside[word - 2]);
    } else if (word >= 2 + texts && word - 2 - texts < ask->file_count) {
        snprintf(asked->words, sizeof asked->words, "%s", ask->files[word - 2 - texts]);
    }
}

/* Queries go with the first other array that has as many axes, until another is chosen. */
static void choose_reading(struct app_import *ask, size_t word)
{
    struct app_dump_options *const asked = &ask->asked;
    const size_t own = find_item(ask, asked->array);
    asked->reading = (enum lab_dump_reading)(word + 1);
    asked->keys[0] = '\0';
    asked->sight = LAB_DUMP_SEES_ALL;
    for (size_t i = lab_dump_items(ask->list); is_of_queries(ask) && i-- > 0;) {
        const struct lab_dump_item item = lab_dump_item(ask->list, i);
        if (i != own && item.rank == lab_dump_item(ask->list, own).rank) {
            snprintf(asked->keys, sizeof asked->keys, "%s", item.name);
        }
    }
    take_item(ask, own);
}

void ask_choose(struct app_import *ask, size_t row, size_t word)
{
    struct app_dump_options *const asked = &ask->asked;
    if (row >= ask->sheet.rows || word >= ask->sheet.row[row].count) {
        return;
    }
    switch (ask->kind[row]) {
    case ASK_ARRAY:
        take_item(ask, word);
        break;
    case ASK_READING:
        choose_reading(ask, word);
        break;
    case ASK_KEYS:
        snprintf(asked->keys, sizeof asked->keys, "%s", lab_dump_item(ask->list, word).name);
        break;
    case ASK_AXIS:
        choose_axis(ask, ask->axis[row], word);
        break;
    case ASK_BATCH:
        asked->batch = word;
        break;
    case ASK_SIGHT:
        asked->sight = word == 1 ? LAB_DUMP_SEES_BACK : LAB_DUMP_SEES_ALL;
        break;
    case ASK_TOKENS:
        choose_tokens(ask, word);
        break;
    }
}
