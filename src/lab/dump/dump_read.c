/* Numbers of a file of attention, read where they lie. */
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

/* So much of an array is unpacked. */
static bool tell_unpacked(void *owner, size_t done, size_t all)
{
    const struct lab_dump_page *const page = owner;
    return page->on_rows(page->owner, done, all + all / 9);
}

/* The array with its numbers: where it stands, or unpacked into the page. */
static const struct array *numbers_of(const struct lab_dump *dump, const struct array *array,
                                      size_t which, struct lab_dump_page *page, struct error *error)
{
    struct error reason = {ERROR_NONE, 0, ""};
    if (array->bytes.at != NULL) {
        if (!file_map_is_whole(&dump->map)) {
            refuse_cut(dump, error);
            return NULL;
        }
        return array;
    }
    if (page->holds[which] == array) {
        return &page->unpacked[which];
    }
    if (which == 0) {
        lab_dump_page_free(page); /* another layer: nothing of the former is needed */
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
        return file_map_is_whole(&dump->map) || refuse_cut(dump, error) ? &page->unpacked[which]
                                                                        : NULL;
    }
    const struct file_progress progress =
        page->on_rows != NULL ? (struct file_progress){tell_unpacked, page} : dump->progress;
    if (!npz_read_one_with_progress(dump->map.bytes, array->name, &progress, &page->arena,
                                    &page->unpacked[which], &reason)) {
        if (reason.code != ERROR_NONE) { /* it was not stopped */
            dump_refuse(dump, error, "%s", reason.text);
        }
        return NULL;
    }
    page->has_unpacked = true;
    page->holds[which] = array;
    return &page->unpacked[which];
}

/* The table of rows × DUMP_KEY at a layer, batch and head, as an array of its own. */
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
        table.strides[a] = array->strides[tensor->axis[DUMP_QUERY + a]];
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

/* Every so many rows; false: it was given up. */
static bool tell(struct lab_dump_page *page)
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
        if (!tell(page)) {
            return false;
        }
    }
    return file_map_is_whole(&dump->map) || refuse_cut(dump, error);
}

bool dump_check_sums(const struct lab_dump *dump, size_t which, enum dump_sums *sums,
                     struct error *error)
{
    /* Columns of a large table lie all over its file, and a row may be all of it. */
    enum { ROWS_READ = 64, ROW_MOST = 16 * LAB_TOKENS_MAX, COLUMN_MOST = LAB_TOKENS_MAX };
    const struct dump_tensor *const tensor = &dump->tensor[which];
    struct lab_dump_page page = {.holds = {NULL}};
    const struct array *const array =
        numbers_of(dump, dump->member[tensor->group->first].array, which, &page, error);
    bool good[2] = {tensor->size[DUMP_KEY] <= ROW_MOST, tensor->size[DUMP_QUERY] <= COLUMN_MOST};
    for (size_t side = 0; side < 2 && array != NULL; side++) {
        struct array table = table_of(tensor, array, 0, 0, 0);
        if (side == 1) {
            table.shape[0] = tensor->size[DUMP_KEY];
            table.shape[1] = tensor->size[DUMP_QUERY];
            table.strides[0] = array->strides[tensor->axis[DUMP_KEY]];
            table.strides[1] = array->strides[tensor->axis[DUMP_QUERY]];
        }
        for (size_t i = 0; i < table.shape[0] && i < ROWS_READ && good[side]; i++) {
            const struct array row = row_of(&table, i);
            double sum = 0;
            for (size_t j = 0; j < row.shape[0] && good[side]; j++) {
                const double number = array_number(&row, j);
                good[side] = number >= -BELOW_ZERO; /* false for NaN too */
                sum += number;
            }
            good[side] = good[side] && (fabs(sum - 1) < SUM_SLACK || sum == 0);
        }
    }
    lab_dump_page_free(&page);
    *sums = good[0] ? DUMP_SUMS_ROWS : good[1] ? DUMP_SUMS_COLUMNS : DUMP_SUMS_NEITHER;
    return array != NULL;
}

/* Weights are finite and not below 0; scores may be −∞ where a pair is hidden. */
static bool are_possible(const struct lab_dump *dump, size_t layer, size_t head, const float *value,
                         struct error *error)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    const bool scores = facts->content == LAB_DUMP_SCORES;
    for (size_t c = 0; c < facts->n * facts->m; c++) {
        const double number = (double)value[c];
        const bool possible =
            scores ? number < (double)INFINITY : isfinite(number) && number >= -BELOW_ZERO;
        if (!possible) {
            const char *const name = facts->array[0] == '\0' ? tr("the array") : facts->array;
            const size_t row = c / facts->m + 1, column = c % facts->m + 1;
            return scores ? dump_refuse(dump, error,
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

/* Scores of Q and K into out, scaled, and hidden where the text looks back. */
static bool score(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer,
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

bool lab_dump_weights(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer,
                      size_t head, float *out, struct error *error)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    const bool read = facts->content == LAB_DUMP_QK
                          ? score(dump, page, layer, head, out, error)
                          : dump_read(dump, 0, page, layer, head, out, error) &&
                                are_possible(dump, layer, head, out, error);
    if (read && facts->content != LAB_DUMP_WEIGHTS) {
        dump_softmax(dump, out);
    }
    return read;
}

/* ---- an experiment -------------------------------------------------------------------------- */

/* The heads first … first + count − 1 of one tensor (or of α) as numbers. */
static struct lab_numbers *take(const struct lab_dump *dump, struct lab_dump_page *page, int which,
                                size_t layer, size_t first, size_t count, struct error *error)
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
                   ? lab_dump_weights(dump, page, layer, first + h, out, error)
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

static bool fill(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer, size_t head,
                 struct lab_experiment *experiment, struct error *error)
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
    if (facts->content != LAB_DUMP_QK) {
        experiment->alpha = take(dump, page, -1, layer, first, count, error);
        return experiment->alpha != NULL;
    }
    lab_experiment_set_mask(experiment, &dump->mask);
    experiment->q = take(dump, page, 0, layer, first, count, error);
    experiment->k = experiment->q == NULL ? NULL : take(dump, page, 1, layer, first, count, error);
    if (experiment->k != NULL && dump->tensor[2].group != NULL) {
        experiment->v = take(dump, page, 2, layer, first, count, error);
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
    const bool done =
        fill(dump, page, layer, head, experiment, error) && lab_experiment_check(experiment, error);
    if (!done) {
        lab_experiment_release(experiment);
    }
    return done;
}

/* ---- all heads ------------------------------------------------------------------------------ */

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

/* Inside a head: whether it goes on. */
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
        *error = scan.error; /* which says more than that it cannot be read */
    }
    lab_dump_page_free(&scan.page);
    return thumbnails;
}
