/* Reads numbers of a file of attention where they lie. */
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "base/translate.h"
#include "file/npz.h"
#include "lab/dump/dump_internal.h"

/* How far a row of float16 or bfloat16 may be from a sum of 1, and a weight below 0. */
static const double SUM_SLACK = 0.03, BELOW_ZERO = 1e-6;

void lab_dump_page_free(struct lab_dump_page *page)
{
    arena_free(&page->arena);
    page->arena = (struct arena){0};
    memset(page->holds, 0, sizeof page->holds);
}

static bool refuse_cut(const struct lab_dump *dump, struct error *error)
{
    return dump_refuse(dump, error, "it was cut while it was open: open it again.");
}

/* Unpacking counts as nine tenths of the progress. */
static bool report_unpacked(void *owner, size_t done, size_t all)
{
    const struct lab_dump_page *const page = owner;
    return page->on_rows(page->owner, done, all + all / 9);
}

/* Returns the array with its numbers: where it stands in the file, or unpacked into the page. */
static const struct array *numbers_of(const struct lab_dump *dump, const struct array *array,
                                      size_t which, struct lab_dump_page *page, struct error *error)
{
    struct error reason = {ERROR_NONE, 0, ""};
    if (array->bytes.at != NULL) {
        if (!file_handle_is_whole(dump->file)) {
            refuse_cut(dump, error);
            return NULL;
        }
        return array;
    }
    if (page->holds[which] == array) {
        return &page->unpacked[which];
    }
    if (which == 0) {
        lab_dump_page_free(page); /* another layer needs nothing of the former */
    }
    const struct dump_join *const join =
        dump->join == NULL ? NULL : &dump->join[array - dump->array];
    if (join != NULL && join->steps > 0) {
        if (!dump_join_read(dump, array, join, &page->arena, &page->unpacked[which], &reason)) {
            dump_refuse(dump, error, "%s", reason.text);
            return NULL;
        }
        page->has_unpacked = true;
        page->holds[which] = array;
        return file_handle_is_whole(dump->file) || refuse_cut(dump, error) ? &page->unpacked[which]
                                                                           : NULL;
    }
    const struct file_progress progress =
        page->on_rows != NULL ? (struct file_progress){report_unpacked, page} : dump->progress;
    if (!npz_read_one_with_progress(dump->bytes, array->name, &progress, &page->arena,
                                    &page->unpacked[which], &reason)) {
        if (reason.code != ERROR_NONE) { /* it was not stopped by the listener */
            dump_refuse(dump, error, "%s", reason.text);
        }
        return NULL;
    }
    page->has_unpacked = true;
    page->holds[which] = array;
    return &page->unpacked[which];
}

/* Returns the table of rows × DUMP_KEY at a layer, batch and head as an array of its own. */
static struct array table_of(const struct dump_tensor *tensor, const struct array *array,
                             size_t layer, size_t batch, size_t head)
{
    const size_t at[DUMP_AXES] = {[DUMP_LAYER] = layer, [DUMP_BATCH] = batch, [DUMP_HEAD] = head};
    struct array table = {.name = "", .type = array->type, .order = array->order, .rank = 2};
    ptrdiff_t offset = 0;
    for (size_t a = 0; a < DUMP_QUERY; a++) {
        offset += tensor->axis[a] < 0 ? 0 : (ptrdiff_t)at[a] * array->strides[tensor->axis[a]];
    }
    for (size_t a = 0; a < 2; a++) {
        table.shape[a] = tensor->size[DUMP_QUERY + a];
        const int axis = tensor->axis[DUMP_QUERY + a]; /* without the axis there is one query */
        table.strides[a] = axis < 0 ? 0 : array->strides[axis];
    }
    table.bytes = (struct bytes){array->bytes.at + offset, array->bytes.size - (size_t)offset};
    return table;
}

static struct array row_of(const struct array *table, size_t row)
{
    struct array one = *table;
    const size_t offset = row * (size_t)table->strides[0];
    one.rank = 1;
    one.shape[0] = table->shape[1];
    one.strides[0] = table->strides[1];
    one.bytes = (struct bytes){table->bytes.at + offset, table->bytes.size - offset};
    return one;
}

/* Reports progress once in EACH rows. Returns false where the listener stops the reading. */
static bool report_row(struct lab_dump_page *page)
{
    enum { EACH = 128 };
    page->rows++;
    const size_t before = page->has_unpacked ? 9 * page->wanted : 0;
    return page->on_rows == NULL || page->rows % EACH != 0 ||
           page->on_rows(page->owner, before + page->rows, before + page->wanted);
}

bool dump_read(const struct lab_dump *dump, size_t which, struct lab_dump_page *page, size_t layer,
               size_t head, float *out, struct error *error)
{
    const struct dump_tensor *const tensor = &dump->tensor[which];
    const struct dump_group *const group = tensor->group;
    const struct array *const stored =
        dump->member[group->first + (group->numbered ? layer : 0)].array;
    const struct array *const array = numbers_of(dump, stored, which, page, error);
    if (array == NULL) {
        return false;
    }
    const struct array table = table_of(tensor, array, layer, dump->facts.batch, head);
    for (size_t i = 0; i < table.shape[0]; i++) {
        const struct array row = row_of(&table, i);
        array_copy_floats(&row, 0, table.shape[1], out + i * table.shape[1]);
        if (!report_row(page)) {
            return false;
        }
    }
    return file_handle_is_whole(dump->file) || refuse_cut(dump, error);
}

/* Returns the table of the first head of the text that is shown, read where it lies. */
static bool first_table(const struct lab_dump *dump, size_t which, struct array *out,
                        struct error *error)
{
    const struct dump_tensor *const tensor = &dump->tensor[which];
    const size_t batch = dump->facts.batch < tensor->size[DUMP_BATCH] ? dump->facts.batch : 0;
    const struct array *const array =
        numbers_of(dump, dump->member[tensor->group->first].array, which, dump->page, error);
    if (array != NULL) {
        *out = table_of(tensor, array, 0, batch, 0);
    }
    return array != NULL;
}

static struct array transpose_table(const struct array *table)
{
    struct array other = *table;
    for (size_t side = 0; side < 2; side++) {
        other.shape[side] = table->shape[1 - side];
        other.strides[side] = table->strides[1 - side];
    }
    return other;
}

static bool is_nan(const struct array *row, size_t place)
{
    return isnan(array_number(row, place));
}

/* Says whether a row holds nothing but NaN; for most rows one number is enough to know. */
static bool is_empty(const struct array *table, size_t row)
{
    const struct array one = row_of(table, row);
    bool empty = one.shape[0] > 0;
    for (size_t j = 0; empty && j < one.shape[0]; j++) {
        empty = is_nan(&one, j);
    }
    return empty;
}

/* Says whether a number may be missing: anywhere in a table that people write, else only in an
 * empty column. `looked` remembers each column: 0 not looked at, 1 empty, 2 not empty. */
static bool may_miss(const struct lab_dump *dump, const struct array *across, size_t column,
                     uint8_t *looked)
{
    if (looked != NULL && looked[column] == 0) {
        looked[column] = is_empty(across, column) ? 1 : 2;
    }
    return dump->kind == FILE_TABLE || (looked != NULL && looked[column] == 1);
}

/* Says whether the first rows that are not empty sum to 1. */
static bool sum_to_one(const struct lab_dump *dump, const struct array *table)
{
    enum { ROWS_READ = 64 };
    const struct array across = transpose_table(table);
    struct arena arena = {0};
    uint8_t *const looked = arena_array(&arena, across.shape[0], sizeof *looked);
    size_t read = 0;
    bool good = true;
    for (size_t i = 0; good && i < table->shape[0] && read < ROWS_READ; i++) {
        const struct array row = row_of(table, i);
        double sum = 0;
        if (is_empty(table, i)) {
            continue;
        }
        for (size_t j = 0; good && j < row.shape[0]; j++) {
            const double number = array_number(&row, j);
            good = isnan(number) ? may_miss(dump, &across, j, looked) : number >= -BELOW_ZERO;
            sum += isnan(number) ? 0 : number;
        }
        good = good && (fabs(sum - 1) < SUM_SLACK || sum == 0);
        read++;
    }
    arena_free(&arena);
    return good && read > 0;
}

bool dump_check_sums(const struct lab_dump *dump, size_t which, enum dump_sums *sums,
                     struct error *error)
{
    /* A larger table is not summed: its columns lie all over the file, and a row may be all of
     * it. */
    enum { ROW_MAX = 16 * LAB_TOKENS_MAX, COLUMN_MAX = LAB_TOKENS_MAX };
    const struct dump_tensor *const tensor = &dump->tensor[which];
    struct array table = {.rank = 0};
    if (!first_table(dump, which, &table, error)) {
        return false;
    }
    const struct array across = transpose_table(&table);
    *sums = tensor->size[DUMP_KEY] <= ROW_MAX && sum_to_one(dump, &table) ? DUMP_SUMS_ROWS
            : tensor->size[DUMP_QUERY] <= COLUMN_MAX && sum_to_one(dump, &across)
                ? DUMP_SUMS_COLUMNS
                : DUMP_SUMS_NEITHER;
    return true;
}

/* Names the marked rows, counted from 1, as "3, 5–7, 9" and an ellipsis where there are more
 * runs. */
static const char *name_rows(const bool *marked, size_t rows, struct arena *arena)
{
    enum { RUNS = 8 };
    const char *text = "";
    size_t runs = 0;
    for (size_t row = 0, end = 0; text != NULL && row < rows; row = end) {
        for (end = row; end < rows && marked[end]; end++) {
        }
        if (end == row) {
            end++;
            continue;
        }
        if (runs++ == RUNS) {
            return arena_format(arena, "%s …", text);
        }
        const char *const comma = text[0] == '\0' ? "" : ", ";
        text = end == row + 1 ? arena_format(arena, "%s%s%zu", text, comma, row + 1)
                              : arena_format(arena, "%s%s%zu\u2013%zu", text, comma, row + 1, end);
    }
    return text;
}

static void report_empty_rows(struct lab_dump *dump, size_t count)
{
    const char *const names = name_rows(dump->empty_row, dump->facts.n, &dump->arena);
    if (names != NULL) {
        dump_doubt(dump, count == 1 ? arena_format(&dump->arena,
                                                   "Row %s holds NaN alone, as where all keys are "
                                                   "padding: it stays empty.",
                                                   names)
                                    : arena_format(&dump->arena,
                                                   "Rows %s hold NaN alone, as where all keys are "
                                                   "padding: they stay empty.",
                                                   names));
    }
}

/* Says whether single cells may be empty: in a table, and in a matrix that is no attention, unless
 * its heads differ in them. */
static bool may_have_gaps(const struct lab_dump *dump)
{
    return dump->kind == FILE_TABLE ||
           (dump->facts.content == LAB_DUMP_RAW && dump->facts.heads == 1);
}

bool dump_find_gaps(struct lab_dump *dump, struct error *error)
{
    struct array table = {.rank = 0};
    size_t rows = 0, cells = 0;
    if (dump->facts.content == LAB_DUMP_QK) {
        return true;
    }
    if (!first_table(dump, 0, &table, error)) {
        return false;
    }
    bool *const empty_row = arena_array(&dump->arena, dump->facts.n, sizeof *empty_row);
    for (size_t i = 0; empty_row != NULL && i < dump->facts.n; i++) {
        const struct array row = row_of(&table, i);
        empty_row[i] = is_empty(&table, i);
        rows += empty_row[i];
        for (size_t j = 0; may_have_gaps(dump) && !empty_row[i] && j < row.shape[0]; j++) {
            cells += is_nan(&row, j);
        }
    }
    dump->empty_row = rows > 0 ? empty_row : NULL;
    if (rows > 0) {
        report_empty_rows(dump, rows);
    }
    if (cells > 0) {
        dump_doubt(dump,
                   arena_format(&dump->arena, "Its empty cells (%zu) are taken as masked.", cells));
    }
    return true;
}

/* Fills in numbers that are missing: rows of NaN alone, whose keys were all hidden, and each empty
 * cell of a table. They become weights of 0, or scores that hide. `seen`, where it is not NULL, is
 * set at all other cells. */
static void fill_gaps(const struct lab_dump *dump, struct lab_dump_page *page, float *value,
                      uint8_t *seen)
{
    const size_t n = dump->facts.n, m = dump->facts.m;
    const float gap = dump->facts.content == LAB_DUMP_SCORES ? -INFINITY : 0;
    for (size_t i = 0; i < n; i++) {
        float *const row = value + i * m;
        size_t missing = 0;
        for (size_t j = 0; j < m; j++) {
            missing += isnan(row[j]) != 0;
        }
        const bool is_filled =
            missing == m || may_have_gaps(dump); /* other gaps are refused afterwards */
        page->unnoted += missing == m && (dump->empty_row == NULL || !dump->empty_row[i]);
        for (size_t j = 0; j < m && (seen != NULL || missing > 0); j++) {
            const bool is_there = !isnan(row[j]);
            row[j] = !is_there && is_filled ? gap : row[j];
            if (is_there && seen != NULL) {
                seen[i * m + j] = 1;
            }
        }
    }
}

/* Checks that numbers are finite, and that weights are not below 0; scores may be −∞ where a pair
 * is hidden. */
static bool are_possible(const struct lab_dump *dump, size_t layer, size_t head, const float *value,
                         struct error *error)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    const bool scores = facts->content == LAB_DUMP_SCORES, raw = facts->content == LAB_DUMP_RAW;
    for (size_t c = 0; c < facts->n * facts->m; c++) {
        const double number = (double)value[c];
        const bool possible =
            scores ? number < (double)INFINITY : isfinite(number) && (raw || number >= -BELOW_ZERO);
        if (!possible) {
            const char *const name = facts->array[0] == '\0' ? tr("the array") : facts->array;
            const size_t row = c / facts->m + 1, column = c % facts->m + 1;
            return raw      ? dump_refuse(dump, error,
                                          "%.40s, L%zuH%zu, row %zu, column %zu is %g: it has no "
                                               "colour.",
                                          name, layer, head, row, column, number)
                   : scores ? dump_refuse(dump, error,
                                          "%.40s, L%zuH%zu, row %zu, column %zu is %g: no "
                                          "score is.",
                                          name, layer, head, row, column, number)
                            : dump_refuse(dump, error,
                                          "%.40s, L%zuH%zu, row %zu, column %zu is %g: no "
                                          "weight is.",
                                          name, layer, head, row, column, number);
        }
    }
    return true;
}

/* Computes scores of Q and K into out, scaled, and hidden where the text looks back. */
static bool compute_scores(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer,
                           size_t head, float *out, struct error *error)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    const size_t sharing = facts->heads / dump->tensor[1].size[DUMP_HEAD];
    struct arena arena = {0};
    float *const q = arena_array(&arena, facts->n * facts->d, sizeof *q);
    float *const k = arena_array(&arena, facts->m * facts->d, sizeof *k);
    bool done = q != NULL && k != NULL;
    if (!done) {
        dump_refuse(dump, error, "there is not enough memory for one head.");
    } else if (dump_read(dump, 0, page, layer, head, q, error) &&
               dump_read(dump, 1, page, layer, head / sharing, k, error)) {
        dump_score(dump, q, k, out);
    } else {
        done = false;
    }
    arena_free(&arena);
    return done;
}

/* Reads α of one head; `seen` [n][m] is as in fill_gaps. */
static bool read_weights(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer,
                         size_t head, float *out, uint8_t *seen, struct error *error)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    bool read = false;
    if (facts->content == LAB_DUMP_QK) {
        read = compute_scores(dump, page, layer, head, out, error);
    } else if (dump_read(dump, 0, page, layer, head, out, error)) {
        fill_gaps(dump, page, out, seen);
        read = are_possible(dump, layer, head, out, error);
    }
    if (read && facts->content != LAB_DUMP_WEIGHTS && facts->content != LAB_DUMP_RAW) {
        dump_softmax(dump, out);
    }
    return read;
}

bool lab_dump_weights(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer,
                      size_t head, float *out, struct error *error)
{
    return read_weights(dump, page, layer, head, out, NULL, error);
}

/* ---- an experiment --------------------------------------------------------------------------- */

/* Reads `count` heads from `first` on of one tensor, or of α for which = −1, as numbers; `seen` is
 * as in fill_gaps, of all heads together. */
static struct lab_numbers *read_heads(const struct lab_dump *dump, struct lab_dump_page *page,
                                      int which, size_t layer, size_t first, size_t count,
                                      uint8_t *seen, struct error *error)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    const bool alpha = which < 0;
    const size_t rows = which <= 0 ? facts->n : facts->m;
    const size_t cols = alpha ? facts->m : dump->tensor[which].size[DUMP_KEY];
    const size_t sharing = alpha ? 1 : facts->heads / dump->tensor[which].size[DUMP_HEAD];
    struct arena arena = {0};
    float *const values = arena_array(&arena, count, rows * cols * sizeof *values);
    bool done =
        values != NULL || dump_refuse(dump, error, "there is not enough memory for a head.");
    for (size_t h = 0; done && h < count; h++) {
        float *const out = values + h * rows * cols;
        done = alpha
                   ? read_weights(dump, page, layer, first + h, out, seen, error)
                   : dump_read(dump, (size_t)which, page, layer, (first + h) / sharing, out, error);
    }
    struct error reason = {ERROR_NONE, 0, ""};
    struct lab_numbers *const made =
        done ? lab_numbers_make(values, 3, (size_t[3]){count, rows, cols}, &reason) : NULL;
    if (done && made == NULL) {
        dump_refuse(dump, error, "%s", reason.text);
    }
    arena_free(&arena);
    return made;
}

/* Reads α, and masks the pairs for which no head has a number. */
static bool read_alpha(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer,
                       size_t first, struct lab_experiment *experiment, struct error *error)
{
    const size_t n = dump->facts.n, m = dump->facts.m;
    struct arena arena = {0};
    uint8_t *const seen = arena_array(&arena, n, m);
    experiment->alpha =
        seen != NULL ? read_heads(dump, page, -1, layer, first, experiment->heads, seen, error)
                     : NULL;
    bool done = experiment->alpha != NULL;
    if (seen == NULL) {
        dump_refuse(dump, error, "there is not enough memory for a head.");
    }
    if (done && memchr(seen, 0, n * m) != NULL) {
        struct lab_custom_mask *const mask = lab_custom_mask_make(seen, n, m, error);
        const struct lab_mask_rule rule = {.kind = LAB_MASK_CUSTOM, .custom_mask = mask};
        done = mask != NULL;
        if (done) {
            lab_experiment_set_mask(experiment, &rule);
        }
        lab_custom_mask_release(mask);
    }
    arena_free(&arena);
    return done;
}

static bool fill_experiment(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer,
                            size_t head, struct lab_experiment *experiment, struct error *error)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    const size_t first = facts->whole_layers ? 0 : head;
    const size_t count = facts->whole_layers ? facts->heads : 1;
    experiment->heads = count;
    page->rows = 0;
    page->wanted = count * (facts->content == LAB_DUMP_QK
                                ? facts->n + facts->m * (dump->tensor[2].group != NULL ? 2 : 1)
                                : facts->n);
    experiment->layer = layer;
    experiment->layers = facts->layers;
    experiment->normalise = facts->content == LAB_DUMP_RAW ? LAB_AS_GIVEN : experiment->normalise;
    if (facts->content != LAB_DUMP_QK) {
        return read_alpha(dump, page, layer, first, experiment, error);
    }
    lab_experiment_set_mask(experiment, &dump->mask);
    experiment->q = read_heads(dump, page, 0, layer, first, count, NULL, error);
    experiment->k =
        experiment->q == NULL ? NULL : read_heads(dump, page, 1, layer, first, count, NULL, error);
    if (experiment->k != NULL && dump->tensor[2].group != NULL) {
        experiment->v = read_heads(dump, page, 2, layer, first, count, NULL, error);
        return experiment->v != NULL;
    }
    return experiment->k != NULL;
}

bool lab_dump_experiment(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer,
                         size_t head, struct lab_experiment *experiment, struct error *error)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    if (!lab_experiment_default(experiment, error)) {
        return false;
    }
    lab_words_release(experiment->tokens);
    experiment->tokens = lab_words_keep(facts->queries);
    experiment->context = facts->keys == facts->queries ? NULL : lab_words_keep(facts->keys);
    const bool done = fill_experiment(dump, page, layer, head, experiment, error) &&
                      lab_experiment_check(experiment, error);
    if (!done) {
        lab_experiment_release(experiment);
    }
    return done;
}

/* ---- all heads ------------------------------------------------------------------------------- */

struct scan {
    const struct lab_dump *dump;
    struct lab_dump_page page;
    struct error error;
    bool (*on_head)(void *owner, size_t done, size_t all);
    void *owner;
    size_t done, all; /* heads */
};

static bool weights_of(void *owner, size_t layer, size_t head, float *out)
{
    struct scan *const scan = owner;
    return lab_dump_weights(scan->dump, &scan->page, layer, head, out, &scan->error);
}

static bool on_head(void *owner, size_t done, size_t all)
{
    struct scan *const scan = owner;
    scan->done = done;
    scan->all = all;
    return scan->on_head == NULL || scan->on_head(scan->owner, done, all);
}

/* Inside a head nothing is counted, but the listener may stop. */
static bool inside_head(void *owner, size_t done, size_t all)
{
    const struct scan *const scan = owner;
    (void)done;
    (void)all;
    return scan->on_head == NULL || scan->on_head(scan->owner, scan->done, scan->all);
}

struct lab_thumbnails *lab_dump_thumbnails(const struct lab_dump *dump,
                                           const struct lab_engine *engine,
                                           bool (*listener)(void *owner, size_t done, size_t all),
                                           void *owner, struct error *error)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    struct scan scan = {
        .dump = dump, .on_head = listener, .owner = owner, .all = facts->layers * facts->heads};
    scan.page.on_rows = inside_head;
    scan.page.owner = &scan;
    const struct lab_thumbnails_source source = {
        .layers = facts->layers,
        .heads = facts->heads,
        .n = facts->n,
        .m = facts->m,
        .queries = lab_words_list(facts->queries),
        .keys = lab_words_list(facts->keys),
        .weights = weights_of,
        .engine = engine == NULL ? (struct lab_engine){.pool = NULL} : *engine,
        .on_head = on_head,
        .owner = &scan};
    struct lab_thumbnails *const thumbnails = lab_thumbnails_make(&source, error);
    if (thumbnails == NULL && scan.error.code != ERROR_NONE && error != NULL) {
        *error = scan.error; /* says more than that the weights cannot be read */
    }
    lab_dump_page_free(&scan.page);
    return thumbnails;
}
