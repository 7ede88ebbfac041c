/* lab/experiment/params.c — the rows of lab/experiment/params.inc as a table, and the operations on
 * their values. */
#include "lab/experiment/params.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/kind.h"

/* ---- names of choices ----------------------------------------------------------------------- */

#define NAMES(function, ...)                                                                       \
    static const char *function(size_t index)                                                      \
    {                                                                                              \
        static const char *const names[] = {__VA_ARGS__};                                          \
        return index < sizeof names / sizeof names[0] ? names[index] : NULL;                       \
    }

/* These are in the order of enum lab_embedding, lab_weights, lab_normalise and lab_positions. */
NAMES(embedding_name, "toy", "random", "onehot", "numbers")
NAMES(embedding_title, "Toy 3-D", "Random", "One-hot", "Own numbers")
NAMES(embedding_differs, "toy embedding", "random embedding", "one-hot embedding",
      "embedding of its own")
NAMES(weights_name, "identity", "random", "numbers")
NAMES(weights_title, "Identity", "Random", "Own numbers")
NAMES(normalise_name, "softmax", "share", "none")
NAMES(normalise_title, "softmax", "plain share", "as given")
NAMES(pairs_name, "neighbours", "halves")
NAMES(pairs_title, "Neighbours turn", "Halves turn")
NAMES(pairs_differ, "neighbours turn together", "halves turn together")
NAMES(positions_title, "No positions", "Sinusoidal positions", "Rotary positions")

/* Each function returns a text of another table's row. A painted mask has a title, but no name that
 * could be written. */
#define TEXTS(function, count, text)                                                               \
    static const char *function(size_t index)                                                      \
    {                                                                                              \
        return index < (count) ? (text) : NULL;                                                    \
    }

TEXTS(positions_name, LAB_POSITIONS_KINDS, lab_positions_row((enum lab_positions)index)->name)
TEXTS(positions_tip, LAB_POSITIONS_KINDS, lab_positions_row((enum lab_positions)index)->sentence)
TEXTS(kind_name, LAB_KINDS, lab_kind_row((enum lab_kind)index)->name)
TEXTS(kind_title, LAB_KINDS, lab_kind_row((enum lab_kind)index)->title)
TEXTS(kind_tip, LAB_KINDS, lab_kind_row((enum lab_kind)index)->sentence)
TEXTS(mask_name, LAB_MASK_CUSTOM, lab_mask_row((enum lab_mask)index)->name)
TEXTS(mask_title, LAB_MASKS, lab_mask_row((enum lab_mask)index)->title)
TEXTS(mask_tip, LAB_MASKS, lab_mask_row((enum lab_mask)index)->sentence)

const char *lab_embedding_name(enum lab_embedding embedding)
{
    return embedding_name(embedding);
}

const char *lab_weights_name(enum lab_weights weights)
{
    return weights_name(weights);
}

/* Says whether the seed decides any number. */
static bool is_random(const struct lab_experiment *experiment)
{
    return !lab_experiment_sizes(experiment).raw && (experiment->weights == LAB_WEIGHTS_RANDOM ||
                                                     experiment->embedding == LAB_EMBEDDING_RANDOM);
}

/* ---- numbers of a mask ---------------------------------------------------------------------- */

static bool mask_has_size(const struct lab_experiment *experiment)
{
    return lab_mask_row(experiment->mask)->size_name != NULL;
}

static bool mask_has_step(const struct lab_experiment *experiment)
{
    return lab_mask_row(experiment->mask)->step_name != NULL;
}

static const char *mask_size_label(struct arena *arena, const struct lab_experiment *experiment)
{
    return arena_format(arena, "mask %s", lab_mask_row(experiment->mask)->size_name);
}

static const char *mask_step_label(struct arena *arena, const struct lab_experiment *experiment)
{
    return arena_format(arena, "mask %s", lab_mask_row(experiment->mask)->step_name);
}

static double mask_size_that_holds(const struct lab_experiment *experiment)
{
    return (double)lab_experiment_mask(experiment).size;
}

static double mask_step_that_holds(const struct lab_experiment *experiment)
{
    return (double)lab_experiment_mask(experiment).step;
}

static double rope_theta_that_holds(const struct lab_experiment *experiment)
{
    return lab_experiment_rotary(experiment).theta;
}

static double rope_share_that_holds(const struct lab_experiment *experiment)
{
    return lab_experiment_rotary(experiment).share;
}

/* ---- changes that need others ---------------------------------------------------------------- */

/* Rounds a number into a range; NaN becomes the minimum. */
static size_t round_into(double number, size_t min, size_t max)
{
    const double rounded = floor(number + 0.5);
    return !(rounded > (double)min) ? min : rounded >= (double)max ? max : (size_t)rounded;
}

static void change_heads(struct lab_experiment *experiment, double number)
{
    experiment->heads = round_into(number, 1, LAB_HEADS_MAX);
    experiment->groups = 0; /* the former groups may not divide the heads */
}

/* Takes the number of groups nearest to the requested one that divides the heads. */
static void change_groups(struct lab_experiment *experiment, double number)
{
    const size_t heads = experiment->heads, requested = round_into(number, 1, heads);
    experiment->groups = 1;
    for (size_t gap = 0; gap < heads; gap++) {
        if (requested > gap && heads % (requested - gap) == 0) {
            experiment->groups = requested - gap;
            return;
        }
        if (requested + gap <= heads && heads % (requested + gap) == 0) {
            experiment->groups = requested + gap;
            return;
        }
    }
}

static void change_mask(struct lab_experiment *experiment, double number)
{
    const enum lab_mask mask = (enum lab_mask)round_into(number, 0, LAB_MASKS - 1);
    if (mask != experiment->mask) { /* the same mask again keeps its numbers */
        experiment->mask_size = experiment->mask_step = 0;
    }
    experiment->mask = mask;
}

/* Given speeds do not follow a base, so they go. */
static void change_theta(struct lab_experiment *experiment, double number)
{
    experiment->rope_theta = (float)number;
    lab_numbers_release(experiment->rope_speeds);
    experiment->rope_speeds = NULL;
}

/* The words for keys and values begin as the same words. */
static void change_context(struct lab_experiment *experiment, double number)
{
    lab_words_release(experiment->context);
    experiment->context = number != 0 ? lab_words_keep(experiment->tokens) : NULL;
}

/* Takes tiles so large that about three by three make the matrix. */
static void change_flash(struct lab_experiment *experiment, double number)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    experiment->flash_rows = number != 0 ? round_into(ceil((double)sizes.n / 3), 1, 64) : 0;
    experiment->flash_cols = number != 0 ? round_into(ceil((double)sizes.m / 3), 1, 64) : 0;
}

/* ---- differences that are more than a value ------------------------------------------------- */

static const char *weights_differ(struct arena *arena, const struct lab_experiment *one,
                                  const struct lab_experiment *other)
{
    if (one->weights == other->weights &&
        (one->weights != LAB_WEIGHTS_RANDOM || one->seed == other->seed)) {
        return NULL;
    }
    return one->weights == LAB_WEIGHTS_IDENTITY ? tr("identity weights")
           : one->weights == LAB_WEIGHTS_RANDOM
               ? arena_format(arena, "random weights, seed %llu", (unsigned long long)one->seed)
               : tr("weights of its own");
}

static const char *kind_differs(struct arena *arena, const struct lab_experiment *one,
                                const struct lab_experiment *other)
{
    (void)arena;
    const struct lab_sizes ones = lab_experiment_sizes(one), others = lab_experiment_sizes(other);
    /* Where every head has its own, or all share one, the number of heads is enough. */
    const bool same = one->kind == other->kind &&
                      (one->kind != LAB_GROUPED || ones.kv_heads == others.kv_heads) &&
                      (one->kind != LAB_LATENT || ones.latent == others.latent);
    return same ? NULL : tr(lab_kind_row(one->kind)->title);
}

static const char *positions_differ(struct arena *arena, const struct lab_experiment *one,
                                    const struct lab_experiment *other)
{
    const enum lab_positions positions = one->positions;
    return positions == other->positions ? NULL
           : positions == LAB_POSITIONS_NONE
               ? tr("No positions")
               : arena_format(arena, "positions: %s", tr(lab_positions_row(positions)->title));
}

static const char *mask_differs(struct arena *arena, const struct lab_experiment *one_of,
                                const struct lab_experiment *other_of)
{
    const struct lab_mask_rule one = lab_experiment_mask(one_of);
    const struct lab_mask_rule other = lab_experiment_mask(other_of);
    char text[LAB_MASK_TEXT_MAX], others[LAB_MASK_TEXT_MAX];
    if (strcmp(lab_mask_text(&one, text), lab_mask_text(&other, others)) == 0 &&
        one_of->custom_mask == other_of->custom_mask) {
        return NULL;
    }
    const struct lab_mask_row *const row = lab_mask_row(one.kind);
    const char *const title = tr(row->title);
    return one.kind == LAB_MASK_NONE ? tr("no mask")
           : row->size_name == NULL  ? arena_format(arena, "mask: %s", title)
           : row->step_name == NULL
               ? arena_format(arena, "mask: %s, %s %zu", title, row->size_name, one.size)
               : arena_format(arena, "mask: %s, %s %zu, %s %zu", title, row->size_name, one.size,
                              row->step_name, one.step);
}

static const char *tiles_differ(struct arena *arena, const struct lab_experiment *one,
                                const struct lab_experiment *other)
{
    const size_t rows = one->flash_rows, cols = one->flash_cols;
    return rows == other->flash_rows && cols == other->flash_cols ? NULL
           : rows == 0                                            ? tr("not tile by tile")
           : other->flash_rows == 0                               ? tr("tile by tile")
                                    : arena_format(arena, "tiles of %zu × %zu", rows, cols);
}

static const char *edits_differ(struct arena *arena, const struct lab_experiment *one,
                                const struct lab_experiment *other)
{
    const struct lab_edits_told told =
        lab_edits_tell(one->edits, other->edits, lab_experiment_sizes(one).m);
    if (lab_edits_equal(one->edits, other->edits)) {
        return NULL;
    }
    if (told.numbers + told.rows == 0) {
        return lab_edits_count(one->edits) == 0 ? tr("nothing typed by hand")
                                                : tr("fewer numbers typed by hand");
    }
    const char *const numbers = arena_format(
        arena, tr_n("%zu number typed by hand", "%zu numbers typed by hand", told.numbers),
        told.numbers);
    const char *const rows = arena_format(
        arena, tr_n("%zu row changed by hand", "%zu rows changed by hand", told.rows), told.rows);
    return told.rows == 0      ? numbers
           : told.numbers == 0 ? rows
                               : arena_format(arena, "%s, %s", numbers, rows);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct lab_param params[] = {
#define LAB_PARAM(NAME, member, ...) {.at = offsetof(struct lab_experiment, member), __VA_ARGS__},
#include "lab/experiment/params.inc"
};

enum { PARAMS = sizeof params / sizeof params[0] };

_Static_assert((int)PARAMS <= (int)LAB_PARAM_NONE, "there is room for every row");

size_t lab_param_count(void)
{
    return PARAMS;
}

const struct lab_param *lab_param_row(enum lab_param_id id)
{
    return &params[id];
}

enum lab_param_id lab_param_id_of(const struct lab_param *param)
{
    return (enum lab_param_id)(param - params);
}

static bool tells_differences(const struct lab_param *param)
{
    return param->differs != NULL || param->differs_at != NULL || param->differs_text != NULL;
}

static const struct record record = {params, PARAMS, sizeof params[0]};

/* Rows without a rank come after those with one. */
static size_t option_rank(const struct record_row *row)
{
    return row->option == NULL ? 0 : row->option_rank > 0 ? row->option_rank : PARAMS + 1;
}

static size_t difference_rank(const struct record_row *row)
{
    const struct lab_param *const param = &params[record_index(&record, row)];
    return !tells_differences(param) ? 0
           : param->differs_rank > 0 ? param->differs_rank
                                     : PARAMS + 1;
}

const struct lab_param *lab_param_in_order(enum lab_param_order order, size_t place)
{
    const struct record_row *const row =
        record_in_order(&record, order == LAB_ORDER_OPTIONS ? option_rank : difference_rank, place);
    return row == NULL ? NULL : &params[record_index(&record, row)];
}

/* ---- values --------------------------------------------------------------------------------- */

void *lab_param_place(const struct lab_param *param, struct lab_experiment *experiment)
{
    return (char *)experiment + param->at;
}

const void *lab_param_value(const struct lab_param *param, const struct lab_experiment *experiment)
{
    return (const char *)experiment + param->at;
}

static const void *reference_of(const struct lab_param *param,
                                const struct lab_experiment *experiment)
{
    return *(const void *const *)lab_param_value(param, experiment);
}

/* Kinds and masks are enums, whose own numbers stand in members beside them. */
static bool is_enum(const struct lab_param *param)
{
    return param->type == LAB_TYPE_KIND || param->type == LAB_TYPE_MASK;
}

bool lab_param_is_number(const struct lab_param *param)
{
    return param->type < RECORD_TYPES || is_enum(param) || param->change != NULL;
}

double lab_param_get(const struct lab_param *param, const struct lab_experiment *experiment)
{
    return param->type < RECORD_TYPES      ? record_get(&param->row, experiment)
           : is_enum(param)                ? *(const unsigned *)lab_param_value(param, experiment)
           : param->type == LAB_TYPE_TILES ? experiment->flash_rows > 0
                                           : reference_of(param, experiment) != NULL;
}

static double size_at(const struct lab_experiment *experiment, size_t offset)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    return (double)*(const size_t *)(const void *)((const char *)&sizes + offset);
}

double lab_param_holds(const struct lab_param *param, const struct lab_experiment *experiment)
{
    return param->holds != NULL    ? param->holds(experiment)
           : param->size_index > 0 ? size_at(experiment, param->size_index - 1)
                                   : lab_param_get(param, experiment);
}

double lab_param_slider_max(const struct lab_param *param, const struct lab_experiment *experiment)
{
    const double max =
        param->slider_max > 0 || param->slider_max_index > 0 ? param->slider_max : param->high;
    const double size =
        param->slider_max_index > 0 ? size_at(experiment, param->slider_max_index - 1) : param->low;
    return fmax(fmax(max, size), lab_param_holds(param, experiment));
}

bool lab_param_applies(const struct lab_param *param, const struct lab_experiment *experiment)
{
    if (param->applies != NULL) {
        return param->applies(experiment);
    }
    return param->needs == 0 ||
           !(lab_param_get(lab_param_row(param->needs), experiment) < param->needs_value ||
             lab_param_get(lab_param_row(param->needs), experiment) > param->needs_value);
}

const char *lab_param_idle(const struct lab_param *param, struct arena *arena)
{
    if (param->idle != NULL) {
        return tr(param->idle);
    }
    if (param->needs == 0) {
        return arena_format(arena, "“%s” changes nothing here.", tr(param->title));
    }
    const struct lab_param *const other = lab_param_row(param->needs);
    char value[LAB_PARAM_TEXT_MAX];
    return arena_format(arena, "“%s” changes nothing here; it does with: %s %s.", tr(param->title),
                        tr(other->title),
                        other->type == LAB_TYPE_TILES
                            ? tr("on")
                            : lab_param_text(other, param->needs_value, value));
}

void lab_param_put(const struct lab_param *param, struct lab_experiment *experiment, double number)
{
    if (is_enum(param)) {
        *(unsigned *)lab_param_place(param, experiment) = (unsigned)number;
    } else {
        record_put(&param->row, experiment, number);
    }
}

static size_t last_choice(const struct lab_param *param)
{
    size_t count = 0;
    while (param->title_at(count) != NULL) {
        count++;
    }
    return count - 1;
}

void lab_param_change(const struct lab_param *param, struct lab_experiment *experiment,
                      double number)
{
    const bool is_choice = param->title_at != NULL;
    const bool is_whole =
        is_choice || param->type == LAB_TYPE_COUNT || param->type == LAB_TYPE_SEED;
    if (param->change != NULL) {
        param->change(experiment, number);
    } else if (is_whole) {
        const double min = param->automatic ? 0 : param->low;
        const double max = is_choice ? (double)last_choice(param) : param->high;
        const double rounded = floor(number + 0.5);
        lab_param_put(param, experiment, rounded > min ? fmin(rounded, max) : min);
    } else {
        lab_param_put(param, experiment, number);
    }
}

void lab_param_reset(const struct lab_param *param, struct lab_experiment *experiment)
{
    if (param->type == LAB_TYPE_TEXT || param->type == LAB_TYPE_TOKENS) {
        return;
    }
    if (param->type == LAB_TYPE_COUNT && !(param->standard > 0)) { /* open */
        lab_param_put(param, experiment, 0);
        return;
    }
    if (lab_param_is_number(param)) {
        lab_param_change(param, experiment, param->standard);
        return;
    }
    lab_param_release(param, experiment);
    *(const void **)lab_param_place(param, experiment) = NULL;
}

/* ---- references ----------------------------------------------------------------------------- */

/* Takes or gives back one reference. */
static void count_reference(const struct lab_param *param, const void *reference, bool more)
{
    switch (param->type) {
    case LAB_TYPE_TOKENS:
    case LAB_TYPE_WORDS:
        more ? (void)lab_words_keep(reference) : lab_words_release(reference);
        break;
    case LAB_TYPE_TRAINING:
        more ? (void)lab_training_keep(reference) : lab_training_release(reference);
        break;
    case LAB_TYPE_NUMBERS:
        more ? (void)lab_numbers_keep(reference) : lab_numbers_release(reference);
        break;
    case LAB_TYPE_CUSTOM_MASK:
        more ? (void)lab_custom_mask_keep(reference) : lab_custom_mask_release(reference);
        break;
    case LAB_TYPE_EDITS:
        more ? (void)lab_edits_keep(reference) : lab_edits_release(reference);
        break;
    default:
        break;
    }
}

static bool is_reference(const struct lab_param *param)
{
    return param->type == LAB_TYPE_TOKENS || param->type == LAB_TYPE_WORDS ||
           param->type == LAB_TYPE_TRAINING || param->type == LAB_TYPE_NUMBERS ||
           param->type == LAB_TYPE_CUSTOM_MASK || param->type == LAB_TYPE_EDITS;
}

void lab_param_keep(const struct lab_param *param, const struct lab_experiment *experiment)
{
    if (is_reference(param)) {
        count_reference(param, reference_of(param, experiment), true);
    }
}

void lab_param_release(const struct lab_param *param, const struct lab_experiment *experiment)
{
    if (is_reference(param)) {
        count_reference(param, reference_of(param, experiment), false);
    }
}

/* ---- equality ------------------------------------------------------------------------------- */

static bool numbers_equal(const struct lab_numbers *a, const struct lab_numbers *b)
{
    if (a == b) {
        return true;
    }
    if (a == NULL || b == NULL || lab_numbers_rank(a) != lab_numbers_rank(b)) {
        return false;
    }
    const size_t *const shape = lab_numbers_shape(a);
    if (memcmp(shape, lab_numbers_shape(b), 3 * sizeof *shape) != 0) {
        return false;
    }
    const size_t count = shape[0] * shape[1] * shape[2];
    const float *const one = lab_numbers_values(a), *const other = lab_numbers_values(b);
    return lab_numbers_read_alike(a, b) || (one != NULL && other != NULL && /* without values they
                                                                               rest */
                                            memcmp(one, other, count * sizeof(float)) == 0);
}

/* Compares kinds; numbers that a kind does not use are ignored. */
static bool kinds_equal(const struct lab_experiment *a, const struct lab_experiment *b)
{
    return a->kind == b->kind && (a->groups == b->groups || a->kind != LAB_GROUPED) &&
           (a->latent == b->latent || a->kind != LAB_LATENT);
}

static bool same_number(double a, double b)
{
    return !(a < b) && !(a > b);
}

bool lab_param_is_made(const struct lab_param *param)
{
    return param->type == LAB_TYPE_NUMBERS || param->made == LAB_MADE_AGAIN;
}

bool lab_param_equal(const struct lab_param *param, const struct lab_experiment *a,
                     const struct lab_experiment *b)
{
    if (a->learned != NULL && b->learned != NULL && lab_param_is_made(param)) {
        return true;
    }
    const struct lab_mask_rule one = lab_experiment_mask(a), other = lab_experiment_mask(b);
    switch (param->type) {
    case LAB_TYPE_TEXT:
        return strcmp(lab_param_value(param, a), lab_param_value(param, b)) == 0;
    case LAB_TYPE_TOKENS:
    case LAB_TYPE_WORDS:
        return lab_words_equal(reference_of(param, a), reference_of(param, b));
    case LAB_TYPE_TRAINING:
        return lab_training_equal(a->learned, b->learned);
    case LAB_TYPE_NUMBERS:
        return numbers_equal(reference_of(param, a), reference_of(param, b));
    case LAB_TYPE_KIND:
        return kinds_equal(a, b);
    case LAB_TYPE_MASK: /* numbers that a mask does not use are ignored */
        return one.kind == other.kind && one.size == other.size && one.step == other.step;
    case LAB_TYPE_CUSTOM_MASK:
        return lab_custom_mask_equal(one.custom_mask, other.custom_mask);
    case LAB_TYPE_TILES:
        return a->flash_rows == b->flash_rows && a->flash_cols == b->flash_cols;
    case LAB_TYPE_EDITS:
        return lab_edits_equal(a->edits, b->edits);
    case LAB_TYPE_NUMBER: /* an open value equals the one that holds */
        return same_number(lab_param_holds(param, a), lab_param_holds(param, b));
    default:
        return record_equal(&param->row, a, b);
    }
}

/* ---- values as texts, and their range ------------------------------------------------------- */

const char *lab_param_text(const struct lab_param *param, double number,
                           char text[LAB_PARAM_TEXT_MAX])
{
    return record_number_text(&param->row, number, text);
}

/* Compares letters without their case. */
static bool reads_alike(const char *a, const char *b)
{
    while (*a != '\0' && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* Beyond 2⁵³ a double cannot hold every whole number. */
static const double whole_max = 9007199254740992.0;

static bool parse_switch(const struct lab_param *param, const char *text, double *number)
{
    static const char *const names[] = {"off", "on", "no", "yes", "false", "true"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        if (reads_alike(text, names[n])) {
            *number = (n % 2 == 1) != (param->inverted && param->type == LAB_TYPE_SWITCH);
            return true;
        }
    }
    return false;
}

bool lab_param_parse(const struct lab_param *param, const char *text, double *number)
{
    if (param->title_at != NULL) {
        for (size_t c = 0; param->title_at(c) != NULL; c++) {
            const char *const name = param->name_at(c);
            if ((name != NULL && reads_alike(text, name)) ||
                reads_alike(text, param->title_at(c)) ||
                reads_alike(text, tr(param->title_at(c)))) {
                *number = (double)c;
                return true;
            }
        }
        return false;
    }
    if (param->type == LAB_TYPE_COUNT || param->type == LAB_TYPE_SEED ||
        param->type == LAB_TYPE_NUMBER) {
        const double high = fmin(param->high, whole_max);
        return text_to_double(text, number) && *number >= param->low && *number <= high &&
               (param->type == LAB_TYPE_NUMBER || !(*number > floor(*number)));
    }
    return lab_param_is_number(param) && parse_switch(param, text, number);
}

/* Reads a mask or a kind with its numbers after a colon or a space. */
static bool read_numbered(const struct lab_param *param, const char *text,
                          struct lab_experiment *experiment, struct error *error)
{
    struct lab_mask_rule rule = {.kind = LAB_MASK_NONE};
    enum lab_kind kind = LAB_MULTI_HEAD;
    char written[LAB_MASK_TEXT_MAX];
    size_t number = 0;
    snprintf(written, sizeof written, "%s", text);
    for (char *at = written; *at != '\0'; at++) {
        *at = *at == ' ' ? ':' : (char)tolower((unsigned char)*at);
    }
    if (strlen(text) >= sizeof written) {
        return false;
    }
    if (param->type == LAB_TYPE_MASK && lab_mask_parse(written, &rule, error)) {
        lab_experiment_set_mask(experiment, &rule);
        return true;
    }
    if (param->type == LAB_TYPE_KIND && lab_kind_parse(written, &kind, &number, error)) {
        lab_param_change(param, experiment, (double)kind);
        experiment->groups = kind == LAB_GROUPED ? number : experiment->groups;
        experiment->latent = kind == LAB_LATENT ? number : experiment->latent;
        return true;
    }
    return false;
}

bool lab_param_read(const struct lab_param *param, const char *text,
                    struct lab_experiment *experiment)
{
    double number = 0;
    struct error error = {ERROR_NONE, 0, ""};
    if (lab_param_parse(param, text, &number)) {
        lab_param_change(param, experiment, number);
        return true;
    }
    return read_numbered(param, text, experiment, &error);
}

bool lab_param_refuses(const struct lab_param *param, const char *text, struct error *error)
{
    struct lab_experiment trial = {0};
    struct error reason = {ERROR_NONE, 0, ""};
    double number = 0;
    const bool is_value =
        lab_param_parse(param, text, &number) || read_numbered(param, text, &trial, &reason);
    lab_experiment_release(&trial);
    *error = reason;
    return !is_value && reason.code != ERROR_NONE;
}

const char *lab_param_range(const struct lab_param *param, struct arena *arena)
{
    const char *const range = record_range(&param->row, arena);
    return range[0] == '\0' && lab_param_is_number(param) ? tr("on or off") : range;
}
