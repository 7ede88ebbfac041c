/* Fills the panel about the arrays of a file: its rows, the effect of each choice, and a preview
 * that a task reads. */
#include "app/open/import_dialog.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/dump_options.h"
#include "app/open/open_model.h"
#include "base/system/folder.h"
#include "base/translate.h"
#include "view/sheets/import_dialog.h"

enum { ASK_SIDE = 96, ASK_FILES_MAX = 24, NAME_BYTES_MAX = 511 };

/* One head, small, and what the file would be read as. */
struct dialog_preview {
    size_t version; /* of the choices that it is of */
    struct error error;
    struct lab_dump *dump; /* NULL: refused */
    float *values;         /* [rows][cols], owned */
    size_t rows, cols;
};

/* The reading of a preview, on a thread of its own. */
struct preview_reading {
    const struct app_dump_options *options; /* held */
    struct file_handle *file;               /* held */
    struct dialog_preview preview;
};

/* The choice of a row of the panel. */
enum dialog_kind { ASK_ARRAY, ASK_READING, ASK_KEYS, ASK_AXIS, ASK_BATCH, ASK_SIGHT, ASK_TOKENS };

struct app_import {
    struct arena kept; /* of its path, and of texts that were chosen */
    const char *path;
    char why[256], title[128];
    struct lab_dump_request options;
    char axes[ARRAY_RANK_MAX + 1];    /* of the options */
    struct lab_dump *list;            /* whose names the options have */
    struct arena arena;               /* of what stands in the rows */
    const char *files[ASK_FILES_MAX]; /* paths of files beside it that may be tokens */
    size_t file_count;
    struct arena said; /* facts and words of the preview */
    enum dialog_kind kind[VIEW_IMPORT_ROWS];
    size_t axis[VIEW_IMPORT_ROWS];
    size_t version; /* counts choices */
    struct dialog_preview shown;
    struct task *next; /* which reads the one of the present choices; NULL: it is at rest */
    struct view_import overlay;
};

/* --- The rows of the panel: what can be chosen, and what a choice changes --- */

enum { TEXTS_MAX = 512 /* of several texts, as a menu */ };

static const char weights_letters[] = "LBHQK", rows_letters[] = "LBHQD";
static const char *const weights_words[] = {"layer", "text", "head", "query", "key"};
static const char *const rows_words[] = {"layer", "text", "head", "word", "number (dₖ)"};

static bool is_of_queries(const struct app_import *dialog)
{
    return dialog->options.reading == LAB_DUMP_AS_QUERIES;
}

static const char *letters_of(const struct app_import *dialog)
{
    return is_of_queries(dialog) ? rows_letters : weights_letters;
}

/* The chosen array among the items, or 0. */
static size_t find_item(const struct app_import *dialog, const char *name)
{
    for (size_t i = 0; i < lab_dump_items(dialog->list); i++) {
        if (strcmp(lab_dump_item(dialog->list, i).name, name) == 0) {
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

static void take_item(struct app_import *dialog, size_t index)
{
    const struct lab_dump_item item = lab_dump_item(dialog->list, index);
    dialog->options.array = item.name;
    usual_axes(&item, is_of_queries(dialog), dialog->axes);
    dialog->options.batch = 0;
}

/* How likely the array is meant: by its name, else by its axes. */
static size_t item_likeliness(const struct lab_dump_item *item)
{
    return item->reading != LAB_DUMP_BY_NAME    ? 10 + item->rank
           : item->rank >= 2 && item->rank <= 5 ? item->rank
                                                : 0;
}

/* Where nothing is chosen so far: the likeliest array, its axes as they usually lie. */
static void dialog_begin(struct app_import *dialog)
{
    struct lab_dump_request *const options = &dialog->options;
    size_t best = find_item(dialog, options->array), max_likeliness = 0;
    for (size_t i = 0; options->array[0] == '\0' && i < lab_dump_items(dialog->list); i++) {
        const struct lab_dump_item item = lab_dump_item(dialog->list, i);
        if (item_likeliness(&item) > max_likeliness) {
            max_likeliness = item_likeliness(&item);
            best = i;
        }
    }
    const struct lab_dump_item item = lab_dump_item(dialog->list, best);
    if (options->reading == LAB_DUMP_BY_NAME) {
        options->reading = item.reading != LAB_DUMP_BY_NAME ? item.reading : LAB_DUMP_AS_WEIGHTS;
    }
    char axes[sizeof dialog->axes];
    const bool given = strlen(dialog->axes) == item.rank;
    memcpy(axes, dialog->axes, sizeof axes);
    take_item(dialog, best);
    if (given) {
        memcpy(dialog->axes, axes, sizeof axes);
    }
}

/* ---- what stands in the rows ---- */

/* A row more, with room for so many words; NULL: no memory, or no room. */
static const char **add_row(struct app_import *dialog, enum dialog_kind kind, size_t axis,
                            size_t count, size_t current, const char *title, const char *tip)
{
    const char **const words = arena_array(&dialog->arena, count, sizeof *words);
    if (words == NULL || title == NULL || dialog->overlay.rows == VIEW_IMPORT_ROWS) {
        return NULL;
    }
    for (size_t w = 0; w < count; w++) {
        words[w] = "";
    }
    dialog->kind[dialog->overlay.rows] = kind;
    dialog->axis[dialog->overlay.rows] = axis;
    dialog->overlay.row[dialog->overlay.rows++] =
        (struct view_import_row){title, tip, words, count, current};
    return words;
}

static const char *or_nothing(const char *text)
{
    return text == NULL ? "" : text;
}

static void add_arrays(struct app_import *dialog, enum dialog_kind kind, const char *title,
                       const char *tip, const char *chosen)
{
    const size_t count = lab_dump_items(dialog->list);
    const char **const words =
        add_row(dialog, kind, 0, count, find_item(dialog, chosen), title, tip);
    for (size_t i = 0; words != NULL && i < count; i++) {
        const struct lab_dump_item item = lab_dump_item(dialog->list, i);
        const char *const many =
            item.arrays > 1 ? arena_format(&dialog->arena, "%zu of ", item.arrays) : "";
        /* A hostile file has thousands of names so long that no request could hold them. */
        words[i] = or_nothing(arena_format(&dialog->arena, "%.*s%s%s%s", NAME_BYTES_MAX, item.name,
                                           item.name[0] == '\0' ? "" : " · ", or_nothing(many),
                                           item.shape));
    }
}

static void add_words(struct app_import *dialog, enum dialog_kind kind, const char *title,
                      const char *tip, const char *const *from, size_t count, size_t current)
{
    const char **const words = add_row(dialog, kind, 0, count, current, title, tip);
    for (size_t w = 0; words != NULL && w < count; w++) {
        words[w] = from[w];
    }
}

static void add_axes(struct app_import *dialog)
{
    const struct lab_dump_item item =
        lab_dump_item(dialog->list, find_item(dialog, dialog->options.array));
    const char *const letters = letters_of(dialog);
    const char *const *const names = is_of_queries(dialog) ? rows_words : weights_words;
    for (size_t a = 0; a < item.rank && a < 6; a++) {
        const char *const at = strchr(letters, dialog->axes[a]);
        const char **const words =
            add_row(dialog, ASK_AXIS, a, 5, at == NULL || *at == '\0' ? 5 : (size_t)(at - letters),
                    arena_format(&dialog->arena, "Axis %zu: %zu", a + 1, item.size[a]),
                    "What is counted along this axis of the array");
        for (size_t w = 0; words != NULL && w < 5; w++) {
            words[w] = names[w];
        }
    }
}

/* How many texts the array holds, by the axis that counts them. */
static size_t count_texts(struct app_import *dialog)
{
    const struct lab_dump_item item =
        lab_dump_item(dialog->list, find_item(dialog, dialog->options.array));
    const char *const at = strchr(dialog->axes, 'B');
    const size_t axis = at == NULL ? item.rank : (size_t)(at - dialog->axes);
    return axis < item.rank ? item.size[axis] : 1;
}

static void add_texts(struct app_import *dialog)
{
    const size_t texts = count_texts(dialog), count = texts < TEXTS_MAX ? texts : TEXTS_MAX;
    const char **const words = count < 2
                                   ? NULL
                                   : add_row(dialog, ASK_BATCH, 0, count, dialog->options.batch,
                                             "Text", "Which of the texts that stand in the file");
    for (size_t t = 0; words != NULL && t < count; t++) {
        words[t] = or_nothing(arena_format(&dialog->arena, "%zu of %zu", t + 1, texts));
    }
}

/* Tokens: as found, counted, an array of the file, a file beside it. */
static void add_tokens(struct app_import *dialog)
{
    size_t texts = 0;
    const char *const *const inside = lab_dump_texts(dialog->list, &texts);
    const struct lab_dump_request *const options = &dialog->options;
    const char **const words =
        add_row(dialog, ASK_TOKENS, 0, 2 + texts + dialog->file_count, options->counted ? 1 : 0,
                "Tokens", "Where the words are that belong to the rows and columns");
    if (words == NULL) {
        return;
    }
    struct view_import_row *const row = &dialog->overlay.row[dialog->overlay.rows - 1];
    words[0] = "where they usually are";
    words[1] = "none: count them";
    for (size_t t = 0; t < texts; t++) {
        words[2 + t] = or_nothing(arena_format(&dialog->arena, "the array %s", inside[t]));
        row->current = strcmp(inside[t], options->inside) == 0 ? 2 + t : row->current;
    }
    for (size_t f = 0; f < dialog->file_count; f++) {
        const char *const slash = strrchr(dialog->files[f], '/');
        words[2 + texts + f] =
            or_nothing(arena_format(&dialog->arena, "the file %s", slash == NULL ? "" : slash + 1));
        row->current = strcmp(dialog->files[f], options->words) == 0 ? 2 + texts + f : row->current;
    }
}

/* .txt and .json of the same folder. */
static void find_files(struct app_import *dialog)
{
    const char *const slash = strrchr(dialog->path, '/');
    const int length = slash == NULL ? 0 : (int)(slash - dialog->path);
    const char *const folder =
        slash == NULL ? "." : arena_format(&dialog->arena, "%.*s", length, dialog->path);
    struct system_names *const files =
        folder == NULL ? NULL : system_names_open(folder[0] == '\0' ? "/" : folder);
    const char *file = NULL;
    dialog->file_count = 0;
    while (files != NULL && dialog->file_count < ASK_FILES_MAX &&
           (file = system_names_next(files)) != NULL) {
        const char *const end = strrchr(file, '.');
        if (end != NULL && file[0] != '.' &&
            (strcmp(end, ".txt") == 0 || strcmp(end, ".json") == 0)) {
            const char *const path = arena_format(&dialog->arena, "%s/%s", folder, file);
            dialog->files[dialog->file_count] = path;
            dialog->file_count += path != NULL;
        }
    }
    system_names_close(files);
}

/* The rows of the panel as the choices are. */
static void dialog_fill_rows(struct app_import *dialog)
{
    static const char *const readings[] = {"weights α: rows that sum to 1",
                                           "scores, before the softmax", "queries, to go with keys",
                                           "any numbers, as they are"};
    static const char *const sights[] = {"every word", "itself and the words before it"};
    arena_reset(&dialog->arena);
    dialog->overlay.rows = 0;
    find_files(dialog);
    add_arrays(dialog, ASK_ARRAY, "Array", "Which array of the file is shown",
               dialog->options.array);
    add_words(dialog, ASK_READING, "It holds", "What the numbers of this array are", readings, 4,
              (size_t)dialog->options.reading - 1);
    if (is_of_queries(dialog)) {
        add_arrays(dialog, ASK_KEYS, "Keys", "The array of the keys that these queries meet",
                   dialog->options.keys);
        add_words(dialog, ASK_SIGHT, "A word sees", "Which keys a query may look at", sights, 2,
                  dialog->options.sight == LAB_DUMP_SEES_BACK);
    }
    add_axes(dialog);
    add_texts(dialog);
    add_tokens(dialog);
}

/* ---- a choice ---- */

/* A text of the panel's own; "" where there is none, or no memory. */
static const char *keep_text(struct app_import *dialog, const char *text)
{
    return text == NULL ? "" : or_nothing(arena_text(&dialog->kept, text, strlen(text)));
}

/* The axis gets this letter; the one that had it gets the former. */
static void choose_axis(struct app_import *dialog, size_t axis, size_t word)
{
    char *const axes = dialog->axes;
    const char wanted = letters_of(dialog)[word], former = axes[axis];
    for (size_t a = 0; axes[a] != '\0'; a++) {
        axes[a] = axes[a] == wanted ? former : axes[a];
    }
    axes[axis] = wanted;
    dialog->options.batch = 0;
}

static void choose_tokens(struct app_import *dialog, size_t word)
{
    struct lab_dump_request *const options = &dialog->options;
    size_t texts = 0;
    const char *const *const inside = lab_dump_texts(dialog->list, &texts);
    options->words = options->inside = "";
    options->counted = word == 1;
    if (word >= 2 && word < 2 + texts) {
        options->inside = inside[word - 2];
    } else if (word >= 2 + texts && word - 2 - texts < dialog->file_count) {
        options->words = keep_text(dialog, dialog->files[word - 2 - texts]);
    }
}

/* Queries go with the first other array that has as many axes, until another is chosen. */
static void choose_reading(struct app_import *dialog, size_t word)
{
    struct lab_dump_request *const options = &dialog->options;
    const size_t own = find_item(dialog, options->array);
    options->reading = (enum lab_dump_reading)(word + 1);
    options->keys = "";
    options->sight = LAB_DUMP_SEES_ALL;
    for (size_t i = lab_dump_items(dialog->list); is_of_queries(dialog) && i-- > 0;) {
        const struct lab_dump_item item = lab_dump_item(dialog->list, i);
        if (i != own && item.rank == lab_dump_item(dialog->list, own).rank) {
            options->keys = item.name;
        }
    }
    take_item(dialog, own);
}

/* One of the words of a row. */
static void dialog_choose(struct app_import *dialog, size_t row, size_t word)
{
    struct lab_dump_request *const options = &dialog->options;
    if (row >= dialog->overlay.rows || word >= dialog->overlay.row[row].count) {
        return;
    }
    switch (dialog->kind[row]) {
    case ASK_ARRAY:
        take_item(dialog, word);
        break;
    case ASK_READING:
        choose_reading(dialog, word);
        break;
    case ASK_KEYS:
        options->keys = lab_dump_item(dialog->list, word).name;
        break;
    case ASK_AXIS:
        choose_axis(dialog, dialog->axis[row], word);
        break;
    case ASK_BATCH:
        options->batch = word;
        break;
    case ASK_SIGHT:
        options->sight = word == 1 ? LAB_DUMP_SEES_BACK : LAB_DUMP_SEES_ALL;
        break;
    case ASK_TOKENS:
        choose_tokens(dialog, word);
        break;
    }
}

/* ---- the preview ---- */

static void forget_preview(struct dialog_preview *preview)
{
    lab_dump_close(preview->dump);
    free(preview->values);
    preview->dump = NULL;
    preview->values = NULL;
}

/* The first head, each cell the number of the largest size of those that share it. */
static bool read_list(struct dialog_preview *preview, struct error *error)
{
    const struct lab_dump_facts *const facts = lab_dump_facts(preview->dump);
    struct lab_dump_page page = {.holds = {NULL}};
    const size_t n = facts->n, m = facts->m;
    preview->rows = n < ASK_SIDE ? n : ASK_SIDE;
    preview->cols = m < ASK_SIDE ? m : ASK_SIDE;
    float *const whole = malloc(n * m * sizeof *whole);
    preview->values = calloc(preview->rows * preview->cols, sizeof *preview->values);
    bool done = whole != NULL && preview->values != NULL;
    if (!done) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for one head.");
    }
    done = done && lab_dump_weights(preview->dump, &page, 0, 0, whole, error);
    for (size_t i = 0; done && i < n * m; i++) {
        float *const cell =
            preview->values + i / m * preview->rows / n * preview->cols + i % m * preview->cols / m;
        *cell = fabsf(whole[i]) > fabsf(*cell) ? whole[i] : *cell;
    }
    lab_dump_page_free(&page);
    free(whole);
    return done;
}

static void read_preview(struct app_job *job, void *subject)
{
    struct preview_reading *const reading = subject;
    struct dialog_preview *const preview = &reading->preview;
    (void)job;
    struct lab_dump_request request = reading->options->request;
    request.file = reading->file;
    preview->dump = lab_dump_open(file_handle_path(reading->file), &request, &preview->error);
    if (preview->dump != NULL && !read_list(preview, &preview->error)) {
        forget_preview(preview);
    }
}

/* "tokens: The cat sat on the …" */
static const char *say_tokens(struct app_import *dialog, const struct lab_dump_facts *facts)
{
    enum { SHOWN = 8 };
    const char *text = facts->words_from == NULL ? tr("tokens are counted: ") : tr("tokens: ");
    const size_t count = lab_words_count(facts->queries);
    for (size_t w = 0; w < count && w < SHOWN && text != NULL; w++) {
        text = arena_format(&dialog->said, "%s%s%.40s", text, w == 0 ? "" : "  ",
                            lab_words_list(facts->queries)[w]);
    }
    return text == NULL || count <= SHOWN ? text : arena_format(&dialog->said, "%s  …", text);
}

static void say_sheet(struct app_import *dialog)
{
    struct view_import *const overlay = &dialog->overlay;
    const struct dialog_preview *const shown = &dialog->shown;
    arena_reset(&dialog->said);
    overlay->facts = overlay->tokens = overlay->usage = overlay->note = NULL;
    overlay->values = shown->values;
    overlay->values_rows = shown->rows;
    overlay->values_cols = shown->cols;
    overlay->values_peak = 0;
    if (shown->dump == NULL) {
        overlay->note = shown->error.code != ERROR_NONE ? shown->error.text : NULL;
        return;
    }
    const struct lab_dump_facts *const facts = lab_dump_facts(shown->dump);
    for (size_t i = 0; facts->content == LAB_DUMP_RAW && i < shown->rows * shown->cols; i++) {
        overlay->values_peak = fmaxf(overlay->values_peak, fabsf(shown->values[i]));
    }
    const struct {
        const char *one, *many;
        size_t count;
    } counts[] = {{"%zu layer", "%zu layers", facts->layers},
                  {"%zu head", "%zu heads", facts->heads},
                  {"%zu query", "%zu queries", facts->n},
                  {"%zu key", "%zu keys", facts->m}};
    const char *text[4];
    for (size_t c = 0; c < 4; c++) {
        text[c] = arena_format(&dialog->said, tr_n(counts[c].one, counts[c].many, counts[c].count),
                               counts[c].count);
    }
    overlay->facts =
        arena_format(&dialog->said, "%s × %s, %s × %s", text[0], text[1], text[2], text[3]);
    overlay->tokens = say_tokens(dialog, facts);
    overlay->usage = lab_dump_usage(shown->dump, &dialog->said);
    overlay->note = facts->doubt[0] == '\0' ? NULL : facts->doubt;
}

static void take_preview(struct app_state *state, void *subject, double time)
{
    struct app_import *const dialog = state->dialog;
    struct preview_reading *const reading = subject;
    (void)time;
    dialog->next = NULL;
    forget_preview(&dialog->shown);
    dialog->shown = reading->preview;
    reading->preview.dump = NULL;
    reading->preview.values = NULL;
    say_sheet(dialog);
}

static void release_reading(void *subject)
{
    struct preview_reading *const reading = subject;
    app_dump_options_release(reading->options);
    file_handle_release(reading->file);
    forget_preview(&reading->preview);
    free(reading);
}

static const struct task_kind preview_kind = {.work = read_preview,
                                              .apply = take_preview,
                                              .release = release_reading,
                                              .concurrency = TASK_CONCURRENT};

/* Begins to read the preview of the present choices. */
static void begin_preview(struct app_state *state, double time)
{
    struct app_import *const dialog = state->dialog;
    struct preview_reading *const reading = malloc(sizeof *reading);
    if (reading != NULL) {
        *reading = (struct preview_reading){.options = app_dump_options_new(&dialog->options, true),
                                            .file = file_handle_keep(lab_dump_file(dialog->list)),
                                            .preview = {.version = dialog->version}};
        dialog->next = reading->options == NULL
                           ? NULL
                           : task_submit(&state->tasks, &preview_kind, reading, time);
    }
    if (dialog->next == NULL) {
        if (reading != NULL) {
            release_reading(reading);
        }
        dialog->shown.version = dialog->version; /* no preview, then */
    }
}

/* An array of a long name is not read: a hostile file has thousands of such, and to read it again
 * would take their memory twice. False: it is looked at. */
static bool refuse_long_name(struct app_import *dialog)
{
    if (strlen(dialog->options.array) < NAME_BYTES_MAX &&
        strlen(dialog->options.keys) < NAME_BYTES_MAX) {
        return false;
    }
    forget_preview(&dialog->shown);
    dialog->shown = (struct dialog_preview){.version = dialog->version};
    error_set(&dialog->shown.error, ERROR_INPUT,
              "The name of this array is too long to be chosen.");
    say_sheet(dialog);
    return true;
}

void app_import_advance(struct app_state *state, double time)
{
    struct app_import *const dialog = state->dialog;
    if (dialog == NULL) {
        return;
    }
    if (dialog->next == NULL && dialog->shown.version != dialog->version &&
        !refuse_long_name(dialog)) {
        begin_preview(state, time);
    }
    dialog->overlay.busy = dialog->next != NULL;
}

bool app_import_waits(const struct app_state *state)
{
    return state->dialog != NULL && state->dialog->overlay.busy;
}

/* ---- the panel ---- */

void app_import_close(struct app_state *state)
{
    struct app_import *const dialog = state->dialog;
    if (dialog != NULL) {
        if (dialog->next != NULL) {
            task_end(&state->tasks, dialog->next);
        }
        forget_preview(&dialog->shown);
        lab_dump_close(dialog->list);
        arena_free(&dialog->arena);
        arena_free(&dialog->said);
        arena_free(&dialog->kept);
        free(dialog);
    }
    state->dialog = NULL;
    if (state->view.overlay == VIEW_OVERLAY_IMPORT) {
        state->view.overlay = VIEW_OVERLAY_NONE;
    }
}

static void take_request(struct app_import *dialog, const struct lab_dump_request *request)
{
    dialog->options = (struct lab_dump_request){.array = keep_text(dialog, request->array),
                                                .axes = dialog->axes,
                                                .reading = request->reading,
                                                .keys = keep_text(dialog, request->keys),
                                                .sight = request->sight,
                                                .batch = request->batch,
                                                .words = keep_text(dialog, request->words),
                                                .tokens = keep_text(dialog, request->tokens),
                                                .context = keep_text(dialog, request->context),
                                                .inside = keep_text(dialog, request->inside),
                                                .counted = request->counted};
    snprintf(dialog->axes, sizeof dialog->axes, "%s", request->axes == NULL ? "" : request->axes);
}

bool app_import_open(struct app_state *state, const char *path, struct lab_dump *list,
                     const struct lab_dump_request *request, const char *why)
{
    struct app_import *const dialog = calloc(1, sizeof *dialog);
    list = list == NULL && dialog != NULL ? lab_dump_list(path, NULL) : list;
    if (dialog == NULL || list == NULL || lab_dump_items(list) == 0) {
        lab_dump_close(list);
        free(dialog);
        return false;
    }
    app_import_close(state);
    const char *const slash = strrchr(path, '/');
    dialog->list = list;
    dialog->path = keep_text(dialog, path);
    take_request(dialog, request);
    dialog->version = 1;
    snprintf(dialog->why, sizeof dialog->why, "%s", why);
    snprintf(dialog->title, sizeof dialog->title, tr("What is in %.80s?"),
             slash == NULL ? path : slash + 1);
    dialog->overlay.title = dialog->title;
    dialog->overlay.why = dialog->why;
    dialog_begin(dialog);
    dialog_fill_rows(dialog);
    state->dialog = dialog;
    state->view.import = &dialog->overlay;
    state->view.overlay = VIEW_OVERLAY_IMPORT;
    return true;
}

static void open_with_options(struct app_state *state, double time)
{
    struct app_import *const dialog = state->dialog;
    if (dialog->overlay.busy || dialog->shown.version != dialog->version ||
        dialog->shown.dump == NULL) {
        return; /* not known to be one so */
    }
    struct lab_dump *const dump = lab_dump_keep(dialog->shown.dump);
    state->dialog = NULL; /* its texts are asked with */
    app_open_model_open_as(state, dialog->path, &dialog->options, DUMP_DOUBT_IS_SETTLED, dump,
                           time);
    state->dialog = dialog;
    app_import_close(state);
    lab_dump_close(dump);
}

void app_import_apply(struct app_state *state, const struct view_action *action, double time)
{
    struct app_import *const dialog = state->dialog;
    if (dialog == NULL) {
        return;
    }
    switch ((enum view_import_act)action->import.act) {
    case VIEW_IMPORT_CHOOSE:
        dialog_choose(dialog, action->import.row, action->import.choice);
        dialog_fill_rows(dialog);
        dialog->version++;
        break;
    case VIEW_IMPORT_OPEN:
        open_with_options(state, time);
        break;
    case VIEW_IMPORT_CLOSE:
        app_import_close(state);
        break;
    }
}
