/* lab/experiment/edits.c — lists of numbers typed by hand. */
#include "lab/experiment/edits.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct lab_edits {
    atomic_size_t references;
    size_t count;
    struct lab_edit edit[];
};

/* The parts that can be edited, as files name them. */
static const char *const names[LAB_PARTS] = {
    [LAB_EMBEDDINGS_X] = "X",
    [LAB_CONTEXT_X] = "X_context",
    [LAB_W_Q] = "W_Q",
    [LAB_W_K] = "W_K",
    [LAB_W_V] = "W_V",
    [LAB_W_O] = "W_O",
    [LAB_W_DKV] = "W_DKV",
    [LAB_W_UK] = "W_UK",
    [LAB_W_UV] = "W_UV",
    [LAB_C] = "C",
    [LAB_Q] = "Q",
    [LAB_K] = "K",
    [LAB_V] = "V",
    [LAB_ALPHA] = "alpha",
};

bool lab_edits_may(enum lab_part part)
{
    return (unsigned)part < LAB_PARTS && names[part] != NULL;
}

const char *lab_edits_part_name(enum lab_part part)
{
    return names[part];
}

bool lab_edits_find_part(const char *name, enum lab_part *part)
{
    for (size_t p = 0; p < LAB_PARTS; p++) {
        if (names[p] != NULL && strcmp(names[p], name) == 0) {
            *part = (enum lab_part)p;
            return true;
        }
    }
    return false;
}

struct lab_edits *lab_edits_keep(const struct lab_edits *edits)
{
    struct lab_edits *shared = (struct lab_edits *)edits; /* only the count changes */
    if (shared != NULL) {
        atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
    }
    return shared;
}

void lab_edits_release(const struct lab_edits *edits)
{
    struct lab_edits *shared = (struct lab_edits *)edits;
    if (shared != NULL &&
        atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1) {
        free(shared);
    }
}

size_t lab_edits_count(const struct lab_edits *edits)
{
    return edits == NULL ? 0 : edits->count;
}

struct lab_edit lab_edits_at(const struct lab_edits *edits, size_t index)
{
    return edits->edit[index];
}

/* Orders edits by part, head, row and column. */
static int compare_cells(const struct lab_edit *a, const struct lab_edit *b)
{
    const size_t left[] = {(size_t)a->part, a->head, a->row, a->column};
    const size_t right[] = {(size_t)b->part, b->head, b->row, b->column};
    for (size_t k = 0; k < 4; k++) {
        if (left[k] != right[k]) {
            return left[k] < right[k] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_edits(const void *a, const void *b)
{
    return compare_cells(a, b);
}

bool lab_edits_equal(const struct lab_edits *a, const struct lab_edits *b)
{
    const size_t count = lab_edits_count(a);
    if (a == b || count != lab_edits_count(b)) {
        return a == b;
    }
    for (size_t e = 0; e < count; e++) {
        if (compare_cells(&a->edit[e], &b->edit[e]) != 0 ||
            memcmp(&a->edit[e].value, &b->edit[e].value, sizeof(float)) != 0) {
            return false;
        }
    }
    return true;
}

bool lab_edits_all_go_on(const struct lab_edits *edits)
{
    bool all = true;
    for (size_t e = 0; e < lab_edits_count(edits); e++) {
        all = all && edits->edit[e].goes_on;
    }
    return all;
}

/* Returns the place of a cell, or the place where it would be inserted. */
static size_t find_place(const struct lab_edits *edits, const struct lab_edit *cell)
{
    size_t low = 0, high = lab_edits_count(edits);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_cells(&edits->edit[middle], cell) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct lab_edit cell_of(enum lab_part part, size_t head, size_t row, size_t column)
{
    const bool has_heads = lab_edits_may(part) && lab_node_has_heads(part);
    return (struct lab_edit){
        .part = part, .head = has_heads ? head : 0, .row = row, .column = column};
}

bool lab_edits_find(const struct lab_edits *edits, enum lab_part part, size_t head, size_t row,
                    size_t column, size_t *index)
{
    const struct lab_edit cell = cell_of(part, head, row, column);
    *index = find_place(edits, &cell);
    return *index < lab_edits_count(edits) && compare_cells(&edits->edit[*index], &cell) == 0;
}

/* Counts the edits from `at` on that have the same part, head and row. */
static size_t row_length(const struct lab_edits *edits, size_t at)
{
    const struct lab_edit *const first = &edits->edit[at];
    size_t end = at;
    while (end < edits->count && edits->edit[end].part == first->part &&
           edits->edit[end].head == first->head && edits->edit[end].row == first->row) {
        end++;
    }
    return end - at;
}

struct lab_edits_told lab_edits_tell(const struct lab_edits *edits, const struct lab_edits *others,
                                     size_t columns)
{
    struct lab_edits_told told = {0, 0};
    for (size_t at = 0, length = 0; at < lab_edits_count(edits); at += length) {
        length = row_length(edits, at);
        size_t anew = 0, index = 0;
        for (size_t i = at; i < at + length; i++) {
            const struct lab_edit *const edit = &edits->edit[i];
            anew +=
                !lab_edits_find(others, edit->part, edit->head, edit->row, edit->column, &index) ||
                others->edit[index].value != edit->value;
        }
        const bool whole = edits->edit[at].part == LAB_ALPHA && length == columns && anew > 1;
        told.rows += whole;
        told.numbers += whole ? 0 : anew;
    }
    return told;
}

static struct lab_edits *make_list(size_t room, struct error *error)
{
    struct lab_edits *const made = malloc(sizeof *made + room * sizeof made->edit[0]);
    if (made == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for %zu edited numbers.", room);
        return NULL;
    }
    atomic_init(&made->references, 1);
    made->count = 0;
    return made;
}

struct lab_edits *lab_edits_with(const struct lab_edits *edits, const struct lab_edit *edit,
                                 struct error *error)
{
    const size_t count = lab_edits_count(edits);
    if (!lab_edits_may(edit->part)) {
        error_set(error, ERROR_INPUT, "This number is a result: it cannot be typed.");
        return NULL;
    }
    if (!isfinite(edit->value)) {
        error_set(error, ERROR_INPUT, "A number that is typed must be finite.");
        return NULL;
    }
    struct lab_edit added = cell_of(edit->part, edit->head, edit->row, edit->column);
    added.value = edit->value;
    const size_t place = find_place(edits, &added);
    const bool replaces = place < count && compare_cells(&edits->edit[place], &added) == 0;
    if (!replaces && count >= LAB_EDITS_MAX) {
        error_set(error, ERROR_INPUT, "At most %d numbers can be edited: restore some first.",
                  LAB_EDITS_MAX);
        return NULL;
    }
    struct lab_edits *const made = make_list(count + 1, error);
    if (made == NULL) {
        return NULL;
    }
    for (size_t e = 0; e < place; e++) {
        made->edit[made->count++] = edits->edit[e];
    }
    made->edit[made->count++] = added;
    for (size_t e = place + replaces; e < count; e++) {
        made->edit[made->count++] = edits->edit[e];
    }
    return made;
}

/* An empty list is NULL. */
static struct lab_edits *none_if_empty(struct lab_edits *edits)
{
    if (edits != NULL && edits->count == 0) {
        lab_edits_release(edits);
        return NULL;
    }
    return edits;
}

struct lab_edits *lab_edits_without(const struct lab_edits *edits, enum lab_part part, size_t head,
                                    size_t row, size_t column, struct error *error)
{
    size_t gone = 0;
    if (!lab_edits_find(edits, part, head, row, column, &gone)) {
        return lab_edits_keep(edits);
    }
    struct lab_edits *const made = make_list(edits->count, error);
    for (size_t e = 0; made != NULL && e < edits->count; e++) {
        if (e != gone) {
            made->edit[made->count++] = edits->edit[e];
        }
    }
    return none_if_empty(made);
}

bool lab_edits_fits(const struct lab_edit *edit, const struct lab_sizes *sizes)
{
    /* All other parts that are absent have no rows or no columns. */
    const bool rebuilt = sizes->latent > 0 && (edit->part == LAB_W_K || edit->part == LAB_W_V);
    const struct lab_node_row *const row = lab_node_row(edit->part);
    return !rebuilt && (edit->part != LAB_CONTEXT_X || sizes->cross) &&
           edit->head < (lab_node_has_heads(edit->part) ? sizes->heads : 1) &&
           edit->row < lab_extent_of(sizes, row->rows) &&
           edit->column < lab_extent_of(sizes, row->cols);
}

static bool moves_with_words(enum lab_extent extent, enum lab_followers who)
{
    return (extent == LAB_EXTENT_QUERIES && who != LAB_FOLLOW_KEYS) ||
           (extent == LAB_EXTENT_KEYS && who != LAB_FOLLOW_QUERIES);
}

/* Finds where the word with this index stands now. Returns false where it is gone. */
static bool find_moved_word(const size_t *from_row, size_t count, size_t *index)
{
    for (size_t r = 0; r < count; r++) {
        if (from_row[r] == *index) {
            *index = r;
            return true;
        }
    }
    return false;
}

struct lab_edits *lab_edits_moved(const struct lab_edits *edits, enum lab_followers who,
                                  const size_t *from_row, size_t count, struct error *error)
{
    if (edits == NULL) {
        return NULL;
    }
    struct lab_edits *const made = make_list(edits->count, error);
    for (size_t e = 0; made != NULL && e < edits->count; e++) {
        struct lab_edit edit = edits->edit[e];
        const struct lab_node_row *const part = lab_node_row(edit.part);
        if ((!moves_with_words(part->rows, who) || find_moved_word(from_row, count, &edit.row)) &&
            (!moves_with_words(part->cols, who) ||
             find_moved_word(from_row, count, &edit.column))) {
            made->edit[made->count++] = edit;
        }
    }
    if (made != NULL) {
        qsort(made->edit, made->count, sizeof made->edit[0], compare_edits);
    }
    return none_if_empty(made);
}

/* Returns how many heads of queries share the numbers of a part. */
static size_t sharing_of(const struct lab_sizes *sizes, enum lab_part part)
{
    const bool shared = lab_node_row(part)->matrices == LAB_EXTENT_KV_HEADS;
    return shared && sizes->kv_heads > 0 && sizes->heads >= sizes->kv_heads
               ? sizes->heads / sizes->kv_heads
               : 1;
}

/* Returns in *edits the list without every edit of this number: among the keys and values of a
 * group it may have been typed in any head. The caller releases *edits in either case. Returns
 * false without memory. */
static bool drop_edits_of_number(const struct lab_experiment *experiment,
                                 const struct lab_edit *cell, struct lab_edits **edits,
                                 struct error *error)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    const size_t sharing = sharing_of(&sizes, cell->part);
    const size_t first = cell->head / sharing * sharing;
    struct error reason = {ERROR_NONE, 0, ""};
    *edits = lab_edits_keep(experiment->edits);
    for (size_t h = first; h < first + sharing && reason.code == ERROR_NONE; h++) {
        struct lab_edits *const fewer =
            lab_edits_without(*edits, cell->part, h, cell->row, cell->column, &reason);
        lab_edits_release(*edits);
        *edits = fewer;
    }
    return reason.code == ERROR_NONE || error_set(error, reason.code, "%s", reason.text);
}

/* A matrix that is no attention is not computed, so nothing of it can be typed over. */
static bool may_edit(const struct lab_experiment *experiment, enum lab_part part,
                     struct error *error)
{
    return part != LAB_ALPHA || lab_has_shares(experiment) ||
           error_set(error, ERROR_INPUT,
                     "A matrix that is no attention is shown as it was given: its numbers are "
                     "changed in its file.");
}

bool lab_experiment_edit(struct lab_experiment *experiment, const struct lab_edit *edit,
                         struct error *error)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    if (lab_edits_may(edit->part) && !lab_edits_fits(edit, &sizes)) {
        return error_set(error, ERROR_INPUT, "%s has no row %zu, column %zu in head %zu.",
                         lab_edits_part_name(edit->part), edit->row + 1, edit->column + 1,
                         edit->head + 1);
    }
    if (!may_edit(experiment, edit->part, error)) {
        return false;
    }
    struct lab_edits *fewer = NULL;
    struct lab_edits *const edits = drop_edits_of_number(experiment, edit, &fewer, error)
                                        ? lab_edits_with(fewer, edit, error)
                                        : NULL;
    lab_edits_release(fewer);
    if (edits == NULL) {
        return false;
    }
    lab_edits_release(experiment->edits);
    experiment->edits = edits;
    return true;
}

bool lab_experiment_restore(struct lab_experiment *experiment, enum lab_part part, size_t head,
                            size_t row, size_t column, struct error *error)
{
    const struct lab_edit cell = {.part = part, .head = head, .row = row, .column = column};
    struct lab_edits *edits = NULL;
    if (!drop_edits_of_number(experiment, &cell, &edits, error)) {
        lab_edits_release(edits);
        return false;
    }
    lab_edits_release(experiment->edits);
    experiment->edits = edits;
    return true;
}

static bool block_has(const struct lab_edit_block *block, size_t sharing,
                      const struct lab_edit *edit)
{
    return edit->part == block->part && edit->head / sharing == block->head / sharing &&
           edit->row >= block->row && edit->row - block->row < block->rows &&
           edit->column >= block->column && edit->column - block->column < block->columns;
}

/* Returns the edits outside of the block, and those that the block makes. NULL with a reason: it is
 * refused. NULL without a reason: no edits are left. */
static struct lab_edits *edits_with_block(const struct lab_edits *edits, size_t sharing,
                                          const struct lab_edit_block *block, struct error *reason)
{
    const size_t cells = block->values != NULL ? block->rows * block->columns : 0;
    struct lab_edits *const made = make_list(lab_edits_count(edits) + cells, reason);
    for (size_t e = 0; made != NULL && e < lab_edits_count(edits); e++) {
        if (!block_has(block, sharing, &edits->edit[e])) {
            made->edit[made->count++] = edits->edit[e];
        }
    }
    for (size_t i = 0; made != NULL && i < cells; i++) {
        const float value = block->values[i];
        if (!isfinite(value)) {
            error_set(reason, ERROR_INPUT, "A number that is typed must be finite.");
        }
        if (block->computed == NULL || memcmp(&block->computed[i], &value, sizeof value) != 0) {
            struct lab_edit edit =
                cell_of(block->part, block->head, block->row + i / block->columns,
                        block->column + i % block->columns);
            edit.value = value;
            edit.goes_on = block->goes_on;
            made->edit[made->count++] = edit;
        }
    }
    if (made != NULL && made->count > LAB_EDITS_MAX) {
        error_set(reason, ERROR_INPUT, "At most %d numbers can be edited: restore some first.",
                  LAB_EDITS_MAX);
    }
    if (made != NULL && reason->code == ERROR_NONE) {
        qsort(made->edit, made->count, sizeof made->edit[0], compare_edits);
        return none_if_empty(made);
    }
    lab_edits_release(made);
    return NULL;
}

bool lab_experiment_edit_block(struct lab_experiment *experiment,
                               const struct lab_edit_block *block, struct error *error)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    if (block->rows == 0 || block->columns == 0) {
        return true;
    }
    const struct lab_edit last = cell_of(block->part, block->head, block->row + block->rows - 1,
                                         block->column + block->columns - 1);
    if (!may_edit(experiment, block->part, error)) {
        return false;
    }
    if (!lab_edits_may(block->part) || !lab_edits_fits(&last, &sizes)) {
        return error_set(error, ERROR_INPUT, "There are no such numbers to be typed over.");
    }
    struct error reason = {ERROR_NONE, 0, ""};
    struct lab_edits *const edits =
        edits_with_block(experiment->edits, sharing_of(&sizes, block->part), block, &reason);
    if (reason.code != ERROR_NONE) {
        return error_set(error, reason.code, "%s", reason.text);
    }
    lab_edits_release(experiment->edits);
    experiment->edits = edits;
    return true;
}
