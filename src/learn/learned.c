/* learn/learned.c — see learned.h. */
#include "learn/learned.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"

enum { TEXT_PIECE = LAB_WORD_BYTES_MAX - 64, LINE_MAX_BYTES = 96 };

/* ---- the members of a recipe ------------------------------------------------------------------
 */

static void put_member(const struct learn_recipe_row *of, const struct learn_recipe *recipe,
                       char out[LINE_MAX_BYTES])
{
    const struct record_row *const row = &of->row;
    char text[RECORD_TEXT_MAX];
    snprintf(out, LINE_MAX_BYTES, "%s %s", of->line,
             row->type == RECORD_SWITCH ? (record_get(row, recipe) != 0 ? "1" : "0")
                                        : record_text(row, recipe, text));
}

struct learn_recipe learn_learned_recipe(const struct learn_task *task)
{
    struct learn_recipe recipe = task->recipe;
    if (task->id == LEARN_TASK_SMALL_WORLD && language_current() != NULL) {
        (void)record_read(learn_recipe_row(LEARN_RECIPE_LANGUAGE), language_current()->code,
                          &recipe);
    }
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
    const struct learn_recipe_row *const member = learn_recipe_find_line(line, length);
    if (member != NULL && record_read(&member->row, rest, &out->recipe)) {
        return true;
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
    struct lines lines = {.room = LEARN_RECIPE_MEMBERS + 5 + 2 * learned->edits +
                                  text_size / 2 / TEXT_PIECE + text_size / TEXT_PIECE + 2};
    char line[LINE_MAX_BYTES];
    const struct learn_recipe_row *member = NULL;
    lines.line = arena_array(&lines.arena, lines.room, sizeof *lines.line);
    if (lines.line == NULL) {
        (void)error_set(error, ERROR_MEMORY, "There is not enough memory.");
        return NULL;
    }
    add_line(&lines, line, (size_t)snprintf(line, sizeof line, "task %s", task->name));
    for (size_t m = 0; (member = learn_recipe_line(m)) != NULL; m++) {
        if (m == 0 || !record_equal(&member->row, &learned->recipe, &task->recipe)) {
            put_member(member, &learned->recipe, line);
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
