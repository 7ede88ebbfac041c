/* learn/learned.c — see learned.h. */
#include "learn/learned.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"

enum { TEXT_PIECE = LAB_WORD_BYTES_MAX - 64 };

/* ---- the members of a recipe ------------------------------------------------------------------
 */

static const char *member_line(const struct learn_recipe_row *of, const struct learn_recipe *recipe,
                               struct arena *arena)
{
    const struct record_row *const row = &of->row;
    char text[RECORD_TEXT_MAX];
    return arena_format(arena, "%s %s", of->line,
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

static const char *edit_name(size_t kind)
{
    static const char *const names[LEARN_EDIT_KINDS] = {
        "weight", "freeze-tensor", "freeze-head", "off", "rate", "data", "text"};
    return kind < LEARN_EDIT_KINDS ? names[kind] : NULL;
}

/* Sets of kinds of edits, as bits. */
enum {
    OF_WEIGHT = 1 << LEARN_EDIT_WEIGHT,
    OF_TENSOR = OF_WEIGHT | 1 << LEARN_EDIT_FREEZE_TENSOR,
    OF_HEAD = 1 << LEARN_EDIT_FREEZE_HEAD | 1 << LEARN_EDIT_HEAD_OFF,
    OF_DATA = 1 << LEARN_EDIT_DATA,
    OF_VALUE = OF_TENSOR | OF_HEAD | 1 << LEARN_EDIT_RATE,
    OF_ALL = (1 << LEARN_EDIT_KINDS) - 1
};

/* What a line says of an edit, in its order: "300 weight 4 2 7 0.5", or "300 text", whose text
 * follows at the end. */
#define AT(TYPE, MEMBER) .type = (TYPE), .at = offsetof(struct learn_edit, MEMBER)
static const struct {
    unsigned kinds;
    struct record_row row;
} edit_rows[] = {
    {OF_ALL, {AT(RECORD_SEED, step)}},
    {OF_ALL, {AT(RECORD_CHOICE, kind), .name_at = edit_name}},
    {OF_TENSOR, {AT(RECORD_COUNT, tensor)}},
    {OF_WEIGHT, {AT(RECORD_COUNT, row)}},
    {OF_WEIGHT, {AT(RECORD_COUNT, col)}},
    {OF_HEAD, {AT(RECORD_COUNT, layer)}},
    {OF_HEAD, {AT(RECORD_COUNT, head)}},
    {OF_VALUE, {AT(RECORD_NUMBER, value)}},
    {OF_DATA, {AT(RECORD_SEED, seed)}},
};

enum { EDIT_ROWS = sizeof edit_rows / sizeof *edit_rows };

static const char *edit_line(const struct learn_edit *edit, struct arena *arena)
{
    const char *line = "edit";
    char text[RECORD_TEXT_MAX];
    for (size_t r = 0; line != NULL && r < EDIT_ROWS; r++) {
        if ((edit_rows[r].kinds >> edit->kind & 1) != 0) {
            line = arena_format(arena, "%s %s", line, record_text(&edit_rows[r].row, edit, text));
        }
    }
    return line;
}

static bool read_edit(const char *text, struct learn_edit *edit)
{
    char word[RECORD_TEXT_MAX];
    int used = 0;
    *edit = (struct learn_edit){.step = 0};
    for (size_t r = 0; r < EDIT_ROWS; r++, text += used) {
        const bool is_part = r < 2 || (edit_rows[r].kinds >> edit->kind & 1) != 0;
        used = 0;
        if (is_part && (sscanf(text, "%47s%n", word, &used) != 1 ||
                        !record_read(&edit_rows[r].row, word, edit))) {
            return false;
        }
    }
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
    if (strncmp(line, "change ", 7) == 0 && out->changes < LEARN_CHANGES_MAX && rest[0] != '\0' &&
        strlen(rest) < sizeof out->change->text) {
        (void)snprintf(out->change[out->changes].text, sizeof out->change->text, "%s", rest);
        out->changes++;
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

/* The arena owns the text; NULL: it lacks memory. */
static void add_line(struct lines *lines, const char *text)
{
    if (lines->count < lines->room) {
        lines->line[lines->count++] = text;
    }
}

/* Adds a text, cut between code points; which: as in text_mark. */
static void add_text(struct lines *lines, size_t which, struct bytes text)
{
    const char *const mark = which == 0 ? "text" : arena_format(&lines->arena, "text.%zu", which);
    for (size_t at = 0, end = 0; mark != NULL && at < text.size; at = end) {
        end = at + TEXT_PIECE < text.size ? at + TEXT_PIECE : text.size;
        while (end < text.size && end > at + 1 && (text.at[end] & 0xC0) == 0x80) {
            end--;
        }
        add_line(lines, arena_format(&lines->arena, "%s %.*s", mark, (int)(end - at),
                                     (const char *)text.at + at));
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

/* The bytes of all its texts. */
static size_t count_text_bytes(const struct learn_learned *learned)
{
    size_t size = learned->text.size;
    for (size_t e = 0; e < learned->edits; e++) {
        size += learned->edit[e].kind == LEARN_EDIT_TEXT ? learned->edit[e].text.size : 0;
    }
    return size;
}

bool learn_learned_fits(size_t text_size, struct error *error)
{
    const size_t max = LEARN_LEARNED_TEXT_MAX, megabyte = 1 << 20;
    return text_size <= max ||
           error_set(error, ERROR_INPUT, "This text has %zu MB, more than %d: give a part of it.",
                     (text_size + megabyte - 1) / megabyte, (int)(max / megabyte));
}

struct lab_words *learn_learned_lines(const struct learn_learned *learned, struct error *error)
{
    const size_t text_size = count_text_bytes(learned);
    if (!learn_learned_fits(text_size, error)) {
        return NULL;
    }
    const struct learn_task *const task = learn_task_at(learned->recipe.task);
    struct lines lines = {.room = LEARN_RECIPE_ROOM + 5 + 2 * learned->edits + learned->changes +
                                  text_size / 2 / TEXT_PIECE + text_size / TEXT_PIECE + 2};
    struct arena *const arena = &lines.arena;
    const struct learn_recipe_row *member = NULL;
    lines.line = arena_array(arena, lines.room, sizeof *lines.line);
    if (lines.line == NULL) {
        (void)error_set(error, ERROR_MEMORY, "There is not enough memory.");
        return NULL;
    }
    add_line(&lines, arena_format(arena, "task %s", task->name));
    for (size_t m = 0; (member = learn_recipe_line(m)) != NULL; m++) {
        if (m == 0 || !record_equal(&member->row, &learned->recipe, &task->recipe)) {
            add_line(&lines, member_line(member, &learned->recipe, arena));
        }
    }
    add_line(&lines, arena_format(arena, "step %" PRIu64, learned->step));
    if (learned->until > 0) {
        add_line(&lines, arena_format(arena, "until %" PRIu64, learned->until));
    }
    if (learned->is_pinned) {
        add_line(&lines,
                 arena_format(arena, "pin %" PRIu64 " %zu", learned->pinned, learned->pin_edits));
    }
    for (size_t e = 0; e < learned->edits; e++) {
        add_line(&lines, edit_line(&learned->edit[e], arena));
    }
    for (size_t c = 0; c < learned->changes; c++) {
        add_line(&lines, arena_format(arena, "change %s", learned->change[c].text));
    }
    add_texts(&lines, learned);
    struct lab_words *const words =
        lines.arena.lacking ? NULL : lab_words_make(lines.line, lines.count, error);
    arena_free(&lines.arena);
    return words;
}

/* ---- comparing ------------------------------------------------------------------------------- */

bool learn_learned_same_recipe(const struct learn_learned *a, const struct learn_learned *b)
{
    return learn_recipe_same(&a->recipe, &b->recipe) && bytes_equal(a->text, b->text);
}

static bool are_same_edits(const struct learn_edit *a, const struct learn_edit *b)
{
    bool same = a->kind == b->kind;
    for (size_t r = 0; same && r < EDIT_ROWS; r++) {
        same = (edit_rows[r].kinds >> a->kind & 1) == 0 || record_equal(&edit_rows[r].row, a, b);
    }
    return same && (a->kind != LEARN_EDIT_TEXT || bytes_equal(a->text, b->text));
}

bool learn_learned_same_run(const struct learn_learned *a, const struct learn_learned *b)
{
    bool same = a->edits == b->edits && learn_learned_same_recipe(a, b);
    for (size_t e = 0; same && e < a->edits; e++) {
        same = are_same_edits(&a->edit[e], &b->edit[e]);
    }
    return same;
}

/* ---- what experiments hold ------------------------------------------------------------------- */

struct held_record {
    struct lab_training training;
    const struct lab_training *texts_of; /* the one that owns its texts; a reference, or NULL: */
    struct arena texts;
    struct learn_learned learned;
};

static struct held_record *record_of(const struct lab_training *training)
{
    return (struct held_record *)training;
}

static bool are_equal(const struct lab_training *one, const struct lab_training *other)
{
    const struct learn_learned *const a = &record_of(one)->learned;
    const struct learn_learned *const b = &record_of(other)->learned;
    bool same = a->step == b->step && a->until == b->until && a->is_pinned == b->is_pinned &&
                a->pinned == b->pinned && a->pin_edits == b->pin_edits &&
                a->changes == b->changes && learn_learned_same_run(a, b);
    for (size_t c = 0; same && c < a->changes; c++) {
        same = strcmp(a->change[c].text, b->change[c].text) == 0;
    }
    return same;
}

static size_t count_bytes(const struct lab_training *training)
{
    return sizeof(struct held_record) + count_text_bytes(&record_of(training)->learned);
}

static struct lab_words *write_lines(const struct lab_training *training)
{
    return learn_learned_lines(&record_of(training)->learned, NULL);
}

static void free_record(struct lab_training *training)
{
    struct held_record *const record = record_of(training);
    lab_training_release(record->texts_of);
    arena_free(&record->texts);
    free(record);
}

static const char *tell_changes(const struct lab_training *training, struct arena *arena)
{
    const struct learn_learned *const learned = &record_of(training)->learned;
    const struct learn_shape *const shape = &learned->recipe.shape;
    struct learn_tensors *const tensors = arena_array(arena, 1, sizeof *tensors);
    const char *told = "";
    if (tensors == NULL) {
        return told;
    }
    learn_tensors_list(shape, tensors);
    for (size_t e = 0; told != NULL && e < learned->edits; e++) {
        const char *const sentence =
            learned->edit[e].step > learned->step
                ? ""
                : learn_edit_sentence(&learned->edit[e], shape, tensors, arena);
        told = sentence == NULL ? NULL
               : sentence[0] == '\0'
                   ? told
                   : arena_format(arena, "%s%s%s", told, told[0] == '\0' ? "" : " ", sentence);
    }
    return told == NULL ? "" : told;
}

static const struct lab_training_form record_form = {are_equal, count_bytes, write_lines,
                                                     tell_changes, free_record};

static bool is_text_of(struct bytes text, const struct learn_learned *other)
{
    bool found = text.size == 0 || text.at == other->text.at;
    for (size_t e = 0; !found && e < other->edits; e++) {
        found = text.at == other->edit[e].text.at;
    }
    return found;
}

/* Says whether all its texts are those of the value that it was copied from. */
static bool has_held_texts(const struct learn_learned *learned)
{
    const struct learn_learned *const former = learn_training_record(learned->held);
    bool all = former != NULL && is_text_of(learned->text, former);
    for (size_t e = 0; all && e < learned->edits; e++) {
        all = is_text_of(learned->edit[e].text, former);
    }
    return all;
}

/* Copies a text as files have it. */
static bool copy_text(struct arena *arena, struct bytes *text)
{
    const char *const clean =
        text->size == 0 ? "" : text_clean(arena, (const char *)text->at, text->size, &text->size);
    text->at = (const uint8_t *)clean;
    return clean != NULL;
}

/* from: what it is a copy of. */
static bool hold_texts(struct held_record *record, const struct learn_learned *from)
{
    struct learn_learned *const learned = &record->learned;
    if (has_held_texts(from)) {
        const struct lab_training *const owner = record_of(from->held)->texts_of;
        record->texts_of = lab_training_keep(owner != NULL ? owner : from->held);
        return true;
    }
    bool done = copy_text(&record->texts, &learned->text);
    for (size_t e = 0; done && e < learned->edits; e++) {
        done = copy_text(&record->texts, &learned->edit[e].text);
    }
    return done;
}

struct lab_training *learn_training_make(const struct learn_learned *learned, struct error *error)
{
    if (!learn_learned_fits(count_text_bytes(learned), error)) {
        return NULL;
    }
    struct held_record *const record = malloc(sizeof *record);
    if (record == NULL) {
        (void)error_set(error, ERROR_MEMORY, "There is not enough memory.");
        return NULL;
    }
    *record = (struct held_record){.training.form = &record_form, .learned = *learned};
    atomic_init(&record->training.references, 1);
    struct learn_learned *const made = &record->learned;
    made->recipe = learn_recipe_unfitted(&learned->recipe);
    made->held = &record->training;
    made->is_pinned = learned->is_pinned && learned->pin_edits <= learned->edits;
    made->pinned = made->is_pinned ? learned->pinned : 0;
    made->pin_edits = made->is_pinned ? learned->pin_edits : 0;
    for (size_t e = 0; e < made->edits; e++) {
        made->edit[e].cut = NULL;
    }
    if (!hold_texts(record, learned)) {
        free_record(&record->training);
        (void)error_set(error, ERROR_MEMORY, "There is not enough memory.");
        return NULL;
    }
    return &record->training;
}

const struct learn_learned *learn_training_record(const struct lab_training *training)
{
    return training != NULL && training->form == &record_form ? &record_of(training)->learned
                                                              : NULL;
}

const struct learn_learned *learn_training_read(const struct lab_training **place,
                                                struct error *error)
{
    if (learn_training_record(*place) == NULL) {
        struct arena arena = {0};
        struct learn_learned learned;
        struct lab_training *const made =
            learn_learned_read((*place)->unread, &arena, &learned, error)
                ? learn_training_make(&learned, error)
                : NULL;
        if (made != NULL) {
            lab_training_release(*place);
            *place = made;
        }
        arena_free(&arena);
    }
    return learn_training_record(*place);
}
