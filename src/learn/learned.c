/* learn/learned.c — see learned.h. */
#include "learn/learned.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"

enum { TEXT_PIECE = LAB_WORD_BYTES_MAX - 64, LINE_MAX_BYTES = 96 };

/* ---- the fields of a recipe, a row each ------------------------------------------------------ */

enum form { OF_SIZE, OF_FLOAT, OF_BOOL, OF_U64, OF_NAME };

#define AT(member) offsetof(struct learn_recipe, member)

static const struct field {
    const char *name;
    enum form form;
    size_t at;
    const char *(*name_at)(size_t index); /* OF_NAME */
} fields[] = {
    {"seed", OF_U64, AT(seed), NULL},
    {"language", OF_NAME, AT(language), learn_language_name},
    {"units", OF_NAME, AT(units), learn_units_name},
    {"family", OF_NAME, AT(shape.family), learn_family_name},
    {"layers", OF_SIZE, AT(shape.layers), NULL},
    {"heads", OF_SIZE, AT(shape.heads), NULL},
    {"d_model", OF_SIZE, AT(shape.d_model), NULL},
    {"d_k", OF_SIZE, AT(shape.d_k), NULL},
    {"context", OF_SIZE, AT(shape.context), NULL},
    {"inner", OF_SIZE, AT(shape.inner), NULL},
    {"norm", OF_BOOL, AT(shape.norm), NULL},
    {"tied", OF_BOOL, AT(shape.tied), NULL},
    {"theta", OF_FLOAT, AT(shape.theta), NULL},
    {"sigma", OF_FLOAT, AT(sigma), NULL},
    {"batch", OF_SIZE, AT(batch), NULL},
    {"steps", OF_SIZE, AT(steps), NULL},
    {"method", OF_NAME, AT(optimiser.method), learn_method_name},
    {"rate", OF_FLOAT, AT(optimiser.rate), NULL},
    {"beta1", OF_FLOAT, AT(optimiser.beta1), NULL},
    {"beta2", OF_FLOAT, AT(optimiser.beta2), NULL},
    {"epsilon", OF_FLOAT, AT(optimiser.epsilon), NULL},
    {"weight-decay", OF_FLOAT, AT(optimiser.weight_decay), NULL},
    {"momentum", OF_FLOAT, AT(optimiser.momentum), NULL},
    {"warmup", OF_SIZE, AT(optimiser.warmup), NULL},
    {"schedule", OF_NAME, AT(optimiser.schedule), learn_schedule_name},
    {"decay-steps", OF_SIZE, AT(optimiser.steps), NULL},
    {"clip", OF_FLOAT, AT(optimiser.clip), NULL},
};

enum { FIELDS = sizeof fields / sizeof *fields };

static bool find_name(const char *(*name_at)(size_t), const char *text, unsigned *out)
{
    for (unsigned i = 0; name_at(i) != NULL; i++) {
        if (strcmp(name_at(i), text) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

static bool read_field(const struct field *field, const char *text, struct learn_recipe *recipe)
{
    void *const place = (char *)recipe + field->at;
    uint64_t whole = 0;
    double number = 0;
    switch (field->form) {
    case OF_NAME:
        return find_name(field->name_at, text, place);
    case OF_FLOAT:
        if (!text_to_double(text, &number) || !text_fits_float(number)) {
            return false;
        }
        *(float *)place = (float)number;
        return true;
    default:
        break;
    }
    if (!text_to_u64(text, &whole)) {
        return false;
    }
    if (field->form == OF_BOOL) {
        *(bool *)place = whole != 0;
    } else if (field->form == OF_SIZE) {
        *(size_t *)place = (size_t)whole;
    } else {
        *(uint64_t *)place = whole;
    }
    return true;
}

static void put_field(const struct field *field, const struct learn_recipe *recipe,
                      char out[LINE_MAX_BYTES])
{
    const void *const place = (const char *)recipe + field->at;
    char number[TEXT_NUMBER_MAX];
    switch (field->form) {
    case OF_NAME:
        snprintf(out, LINE_MAX_BYTES, "%s %s", field->name,
                 field->name_at(*(const unsigned *)place));
        break;
    case OF_FLOAT:
        snprintf(out, LINE_MAX_BYTES, "%s %s", field->name,
                 text_number_exact(number, *(const float *)place));
        break;
    case OF_BOOL:
        snprintf(out, LINE_MAX_BYTES, "%s %d", field->name, *(const bool *)place ? 1 : 0);
        break;
    case OF_SIZE:
        snprintf(out, LINE_MAX_BYTES, "%s %zu", field->name, *(const size_t *)place);
        break;
    case OF_U64:
        snprintf(out, LINE_MAX_BYTES, "%s %" PRIu64, field->name, *(const uint64_t *)place);
        break;
    }
}

static bool field_equal(const struct field *field, const struct learn_recipe *a,
                        const struct learn_recipe *b)
{
    static const size_t bytes[] = {[OF_SIZE] = sizeof(size_t),
                                   [OF_FLOAT] = sizeof(float),
                                   [OF_BOOL] = sizeof(bool),
                                   [OF_U64] = sizeof(uint64_t),
                                   [OF_NAME] = sizeof(unsigned)};
    return memcmp((const char *)a + field->at, (const char *)b + field->at, bytes[field->form]) ==
           0;
}

struct learn_recipe learn_learned_recipe(const struct learn_task *task)
{
    struct learn_recipe recipe = task->recipe;
    const char *const code = language_current() == NULL ? "en" : language_current()->code;
    unsigned language = LEARN_ENGLISH;
    (void)find_name(learn_language_name, code, &language);
    recipe.language =
        task->id == LEARN_TASK_SMALL_WORLD ? (enum learn_language)language : recipe.language;
    return recipe;
}

/* ---- edits ----------------------------------------------------------------------------------- */

static const char *const edit_names[LEARN_EDIT_KINDS] = {[LEARN_EDIT_WEIGHT] = "weight",
                                                         [LEARN_EDIT_FREEZE_TENSOR] =
                                                             "freeze-tensor",
                                                         [LEARN_EDIT_FREEZE_HEAD] = "freeze-head",
                                                         [LEARN_EDIT_HEAD_OFF] = "off",
                                                         [LEARN_EDIT_RATE] = "rate",
                                                         [LEARN_EDIT_DATA] = "data",
                                                         [LEARN_EDIT_TEXT] = "text"};

/* Writes "300 weight 4 2 7 0.5": step, kind, place, value; or "300 text", whose text follows at the
 * end. */
static void put_edit(const struct learn_edit *edit, char out[LINE_MAX_BYTES])
{
    char number[TEXT_NUMBER_MAX], which[48] = "";
    text_number_exact(number, edit->value);
    switch (edit->kind) {
    case LEARN_EDIT_WEIGHT:
        snprintf(which, sizeof which, " %zu %zu %zu", edit->tensor, edit->row, edit->col);
        break;
    case LEARN_EDIT_FREEZE_TENSOR:
        snprintf(which, sizeof which, " %zu", edit->tensor);
        break;
    case LEARN_EDIT_FREEZE_HEAD:
    case LEARN_EDIT_HEAD_OFF:
        snprintf(which, sizeof which, " %zu %zu", edit->layer, edit->head);
        break;
    case LEARN_EDIT_DATA:
        snprintf(number, sizeof number, "%" PRIu64, edit->seed);
        break;
    default:
        break;
    }
    const bool has_number = edit->kind != LEARN_EDIT_TEXT;
    snprintf(out, LINE_MAX_BYTES, "edit %" PRIu64 " %s%s%s%s", edit->step, edit_names[edit->kind],
             which, has_number ? " " : "", has_number ? number : "");
}

static bool read_edit(const char *text, struct learn_edit *edit)
{
    char kind[24] = "", number[32] = "";
    int used = 0;
    double value = 0;
    *edit = (struct learn_edit){.kind = LEARN_EDIT_KINDS};
    if (sscanf(text, "%" SCNu64 " %23s %n", &edit->step, kind, &used) < 2) {
        return false;
    }
    for (int k = 0; k < LEARN_EDIT_KINDS; k++) {
        edit->kind = strcmp(edit_names[k], kind) == 0 ? (enum learn_edit_kind)k : edit->kind;
    }
    text += used;
    bool read = false;
    switch (edit->kind) {
    case LEARN_EDIT_WEIGHT:
        read = sscanf(text, "%zu %zu %zu %31s", &edit->tensor, &edit->row, &edit->col, number) == 4;
        break;
    case LEARN_EDIT_FREEZE_TENSOR:
        read = sscanf(text, "%zu %31s", &edit->tensor, number) == 2;
        break;
    case LEARN_EDIT_FREEZE_HEAD:
    case LEARN_EDIT_HEAD_OFF:
        read = sscanf(text, "%zu %zu %31s", &edit->layer, &edit->head, number) == 3;
        break;
    case LEARN_EDIT_RATE:
        read = sscanf(text, "%31s", number) == 1;
        break;
    case LEARN_EDIT_DATA:
        return sscanf(text, "%31s", number) == 1 && text_to_u64(number, &edit->seed);
    case LEARN_EDIT_TEXT:
        return true;
    case LEARN_EDIT_KINDS:
        break;
    }
    if (!read || !text_to_double(number, &value) || !text_fits_float(value)) {
        return false;
    }
    edit->value = (float)value;
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_line(const char *line, struct learn_learned *out, struct error *error)
{
    const size_t length = strcspn(line, " ");
    const char *const rest = line[length] == ' ' ? line + length + 1 : "";
    for (size_t f = 0; f < FIELDS; f++) {
        if (strlen(fields[f].name) == length && strncmp(fields[f].name, line, length) == 0 &&
            read_field(&fields[f], rest, &out->recipe)) {
            return true;
        }
    }
    if ((strncmp(line, "step ", 5) == 0 && text_to_u64(rest, &out->step)) ||
        (strncmp(line, "until ", 6) == 0 && text_to_u64(rest, &out->until))) {
        return true;
    }
    if (strncmp(line, "pin ", 4) == 0 &&
        sscanf(rest, "%" SCNu64 " %zu", &out->pinned, &out->pin_edits) == 2) {
        out->is_pinned = true;
        return true;
    }
    if (strncmp(line, "edit ", 5) == 0 && out->edits < LEARN_EDITS_MAX &&
        read_edit(rest, &out->edit[out->edits])) {
        out->edits++;
        return true;
    }
    return error_set(error, ERROR_INPUT,
                     "This says nothing about how weights are learned: “%.60s”.", line);
}

/* Returns the length of the mark before a piece of text: "text" for the text that the run begins
 * with, "text.2" for that of the second of the edits that change it. 0: there is no mark. *which:
 * 0, or the number of the edit among those. */
static size_t text_mark(const char *line, size_t *which)
{
    enum { WORD = 4, WHICH_MAX = 10000 };
    size_t at = WORD;
    *which = 0;
    if (strncmp(line, "text", WORD) != 0) {
        return 0;
    }
    for (at += line[WORD] == '.';
         at > WORD && line[at] >= '0' && line[at] <= '9' && *which < WHICH_MAX; at++) {
        *which = 10 * *which + (size_t)(line[at] - '0');
    }
    return line[at] == ' ' ? at + 1 : 0;
}

static bool is_text(const char *line)
{
    size_t which = 0;
    return text_mark(line, &which) > 0;
}

/* Joins the pieces of a text. */
static bool join_text(const char *const *line, size_t count, size_t which, struct arena *arena,
                      struct bytes *out, struct error *error)
{
    size_t size = 0, of = 0;
    for (size_t l = 0; l < count; l++) {
        const size_t mark = text_mark(line[l], &of);
        size += mark > 0 && of == which ? strlen(line[l]) - mark : 0;
    }
    char *const text = arena_array(arena, size + 1, 1);
    if (text == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory.");
    }
    *out = (struct bytes){(const uint8_t *)text, 0};
    for (size_t l = 0; l < count; l++) {
        const size_t mark = text_mark(line[l], &of);
        if (mark > 0 && of == which) {
            const size_t length = strlen(line[l]) - mark;
            memcpy(text + out->size, line[l] + mark, length);
            out->size += length;
        }
    }
    return true;
}

/* Joins own text, and the texts of the edits that change it. */
static bool join_texts(const char *const *line, size_t count, struct arena *arena,
                       struct learn_learned *out, struct error *error)
{
    size_t which = 0;
    bool done = join_text(line, count, 0, arena, &out->text, error);
    for (size_t e = 0; done && e < out->edits; e++) {
        if (out->edit[e].kind == LEARN_EDIT_TEXT) {
            done = join_text(line, count, ++which, arena, &out->edit[e].text, error);
        }
    }
    return done;
}

bool learn_learned_read(const struct lab_words *words, struct arena *arena,
                        struct learn_learned *out, struct error *error)
{
    const char *const *const line = lab_words_list(words);
    const size_t count = lab_words_count(words);
    const struct learn_task *const task =
        count > 0 && strncmp(line[0], "task ", 5) == 0 ? learn_task_find(line[0] + 5) : NULL;
    *out = (struct learn_learned){.edits = 0};
    if (task == NULL) {
        return error_set(error, ERROR_INPUT,
                         "What weights are learned from begins with a task: “task small-world”.");
    }
    out->recipe = task->recipe;
    for (size_t l = 1; l < count; l++) {
        if (!is_text(line[l]) && !read_line(line[l], out, error)) {
            return false;
        }
    }
    out->is_pinned = out->is_pinned && out->pin_edits <= out->edits;
    return join_texts(line, count, arena, out, error);
}

/* ---- writing --------------------------------------------------------------------------------- */

struct lines {
    struct arena arena;
    const char **line;
    size_t count, room;
};

static void add_line(struct lines *lines, const char *text, size_t length)
{
    if (lines->count < lines->room) {
        lines->line[lines->count++] = arena_text(&lines->arena, text, length);
    }
}

/* Adds a text, cut between code points; which: as in text_mark. */
static void add_text(struct lines *lines, size_t which, struct bytes text)
{
    char mark[32];
    const size_t marked = (size_t)(which == 0 ? snprintf(mark, sizeof mark, "text ")
                                              : snprintf(mark, sizeof mark, "text.%zu ", which));
    for (size_t at = 0; at < text.size;) {
        size_t end = at + TEXT_PIECE < text.size ? at + TEXT_PIECE : text.size;
        while (end < text.size && end > at + 1 && (text.at[end] & 0xC0) == 0x80) {
            end--;
        }
        char *const piece = arena_array(&lines->arena, end - at + marked + 1, 1);
        if (piece != NULL) {
            memcpy(piece, mark, marked);
            memcpy(piece + marked, text.at + at, end - at);
            add_line(lines, piece, end - at + marked);
        }
        at = end;
    }
}

static void add_texts(struct lines *lines, const struct learn_learned *learned)
{
    size_t which = 0;
    add_text(lines, 0, learned->text);
    for (size_t e = 0; e < learned->edits; e++) {
        if (learned->edit[e].kind == LEARN_EDIT_TEXT) {
            add_text(lines, ++which, learned->edit[e].text);
        }
    }
}

size_t learn_learned_text_size(const struct learn_learned *learned)
{
    size_t size = learned->text.size;
    for (size_t e = 0; e < learned->edits; e++) {
        size += learned->edit[e].kind == LEARN_EDIT_TEXT ? learned->edit[e].text.size : 0;
    }
    return size;
}

static size_t count_texts(const struct learn_learned *learned)
{
    size_t count = 0;
    for (size_t e = 0; e < learned->edits; e++) {
        count += learned->edit[e].kind == LEARN_EDIT_TEXT ? 1 : 0;
    }
    return count;
}

bool learn_learned_fits(size_t text_size, struct error *error)
{
    const size_t max = LEARN_LEARNED_TEXT_MAX, megabyte = 1 << 20;
    return text_size <= max ||
           error_set(error, ERROR_INPUT, "This text has %zu MB, more than %d: give a part of it.",
                     (text_size + megabyte - 1) / megabyte, (int)(max / megabyte));
}

/* Returns where the pieces of own text begin, if they are at the end, nothing else stands among
 * them, and they belong to as many texts as `learned` has. */
static bool text_is_last(const struct lab_words *words, const struct learn_learned *learned,
                         size_t *first)
{
    const size_t count = lab_words_count(words);
    size_t last = 0, which = 0;
    *first = 0;
    while (*first < count && !is_text(lab_words_list(words)[*first])) {
        ++*first;
    }
    for (size_t w = *first; w < count; w++) {
        if (text_mark(lab_words_list(words)[w], &which) == 0) {
            return false;
        }
        last = which > last ? which : last;
    }
    return words != NULL && last == count_texts(learned);
}

struct lab_words *learn_learned_words(const struct learn_learned *learned, struct error *error)
{
    return learn_learned_words_like(learned, NULL, error);
}

struct lab_words *learn_learned_words_like(const struct learn_learned *learned,
                                           const struct lab_words *like, struct error *error)
{
    const size_t text_size = learn_learned_text_size(learned);
    if (!learn_learned_fits(text_size, error)) {
        return NULL;
    }
    const struct learn_task *const task = learn_task_at(learned->recipe.task);
    struct lines lines = {.room = FIELDS + 5 + 2 * learned->edits + text_size / 2 / TEXT_PIECE +
                                  text_size / TEXT_PIECE + 2};
    char line[LINE_MAX_BYTES];
    lines.line = arena_array(&lines.arena, lines.room, sizeof *lines.line);
    if (lines.line == NULL) {
        (void)error_set(error, ERROR_MEMORY, "There is not enough memory.");
        return NULL;
    }
    add_line(&lines, line, (size_t)snprintf(line, sizeof line, "task %s", task->name));
    for (size_t f = 0; f < FIELDS; f++) {
        if (!field_equal(&fields[f], &learned->recipe, &task->recipe) || f == 0) {
            put_field(&fields[f], &learned->recipe, line);
            add_line(&lines, line, strlen(line));
        }
    }
    add_line(&lines, line, (size_t)snprintf(line, sizeof line, "step %" PRIu64, learned->step));
    if (learned->until > 0) {
        add_line(&lines, line,
                 (size_t)snprintf(line, sizeof line, "until %" PRIu64, learned->until));
    }
    if (learned->is_pinned) {
        add_line(&lines, line,
                 (size_t)snprintf(line, sizeof line, "pin %" PRIu64 " %zu", learned->pinned,
                                  learned->pin_edits));
    }
    for (size_t e = 0; e < learned->edits; e++) {
        put_edit(&learned->edit[e], line);
        add_line(&lines, line, strlen(line));
    }
    size_t first = 0;
    const bool shares = text_is_last(like, learned, &first);
    if (!shares) {
        add_texts(&lines, learned);
    }
    struct lab_words *const words =
        lines.arena.lacking
            ? NULL
            : lab_words_make_before(lines.line, lines.count, shares ? like : NULL, first, error);
    arena_free(&lines.arena);
    return words;
}

bool learn_recipe_same(const struct learn_recipe *a, const struct learn_recipe *b)
{
    bool same = a->task == b->task;
    for (size_t f = 0; same && f < FIELDS; f++) {
        same = field_equal(&fields[f], a, b);
    }
    return same;
}

bool learn_learned_same_recipe(const struct learn_learned *a, const struct learn_learned *b)
{
    return learn_recipe_same(&a->recipe, &b->recipe) && bytes_equal(a->text, b->text);
}

bool learn_learned_same_run(const struct learn_learned *a, const struct learn_learned *b)
{
    char one[LINE_MAX_BYTES], other[LINE_MAX_BYTES];
    bool same = a->edits == b->edits && learn_learned_same_recipe(a, b);
    for (size_t e = 0; same && e < a->edits; e++) {
        put_edit(&a->edit[e], one);
        put_edit(&b->edit[e], other);
        same = strcmp(one, other) == 0 && (a->edit[e].kind != LEARN_EDIT_TEXT ||
                                           bytes_equal(a->edit[e].text, b->edit[e].text));
    }
    return same;
}
