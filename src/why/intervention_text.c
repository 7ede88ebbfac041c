/* why/intervention_text.c — texts become interventions. */
#include "why/intervention_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "why/source.h"
#include "why/word.h"

/* An intervention that is being read. */
struct reading {
    const struct why_subject *subject;
    const char *const *words; /* [n] of the text */
    size_t n;
    enum why_kind kind;
    struct arena *arena;
    struct model_intervention *row;
    size_t count, room;
    struct error *error;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

static bool add_row(struct reading *reading, struct model_intervention one)
{
    if (reading->count == reading->room) {
        const size_t room = 2 * reading->room + 8;
        struct model_intervention *const rows = arena_array(reading->arena, room, sizeof *rows);
        if (rows == NULL) {
            return no_memory(reading->error);
        }
        if (reading->count > 0) {
            memcpy(rows, reading->row, reading->count * sizeof *rows);
        }
        reading->row = rows;
        reading->room = room;
    }
    reading->row[reading->count++] = one;
    return true;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Reads a whole number; false: there is none. */
static bool read_number(const char **text, size_t *number)
{
    const char *at = *text;
    size_t value = 0;
    if (*at < '0' || *at > '9') {
        return false;
    }
    for (; *at >= '0' && *at <= '9'; at++) {
        value = value < 1000000 ? 10 * value + (size_t)(*at - '0') : value;
    }
    *text = at;
    *number = value;
    return true;
}

/* Reads a word of letters, and the spaces behind it. */
static bool skip_name(const char **text, const char *name)
{
    const size_t letters = strlen(name);
    if (strncasecmp(*text, name, letters) != 0) {
        return false;
    }
    *text += letters;
    *text += strspn(*text, " ");
    return true;
}

/* Names that stand behind the point of "L0H1." (of a head) or "L0.". */
static const struct {
    const char *name;
    enum model_node node;
    bool of_head;
} nodes[] = {
    {"alpha", MODEL_NODE_ALPHA, true},
    {"weights", MODEL_NODE_ALPHA, true},
    {"scores", MODEL_NODE_SCORES, true},
    {"scaled", MODEL_NODE_SCALED, true},
    {"Q", MODEL_NODE_Q, true},
    {"K", MODEL_NODE_K, true},
    {"V", MODEL_NODE_V, true},
    {"Z", MODEL_NODE_Z, true},
    {"output", MODEL_NODE_OUTPUT, false},
    {"attention", MODEL_NODE_ATTENTION, false},
    {"cross", MODEL_NODE_CROSS, false},
    {"neurons", MODEL_NODE_NEURONS, false},
    {"mlp", MODEL_NODE_MLP, false},
    {"residual", MODEL_NODE_RESIDUAL, false},
};

/* Reads the name behind the point. */
static bool read_node(const char **text, bool of_head, struct why_place *place)
{
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        const size_t letters = strlen(nodes[i].name);
        const char after = strncasecmp(*text, nodes[i].name, letters) == 0 ? (*text)[letters] : 'a';
        if (nodes[i].of_head == of_head && strchr("[@ =", after) != NULL) {
            place->node = nodes[i].node;
            *text += letters;
            return true;
        }
    }
    return false;
}

bool why_place_read(const char *text, struct why_place *place, const char **rest)
{
    static const struct {
        const char *name;
        enum model_node node;
    } parts[] = {{"MLP", MODEL_NODE_MLP},
                 {"residual", MODEL_NODE_RESIDUAL},
                 {"attention", MODEL_NODE_ATTENTION}};
    *place = (struct why_place){.column = MODEL_EACH};
    text += strspn(text, " ");
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        if (skip_name(&text, parts[p].name)) {
            place->node = parts[p].node;
            if (!read_number(&text, &place->layer)) {
                return false;
            }
            if (place->node == MODEL_NODE_MLP && (*text == 'N' || *text == 'n')) {
                text++;
                place->node = MODEL_NODE_NEURONS;
                if (!read_number(&text, &place->column)) {
                    return false;
                }
            }
            *rest = text;
            return true;
        }
    }
    if (!skip_name(&text, "L") || !read_number(&text, &place->layer)) {
        return false;
    }
    const bool of_head = *text == 'H' || *text == 'h';
    place->node = MODEL_NODE_Z;
    text += of_head ? 1 : 0;
    if (of_head && !read_number(&text, &place->head)) {
        return false;
    }
    const bool has_node = *text == '.';
    text += has_node ? 1 : 0;
    *rest = text;
    const bool done = has_node ? read_node(&text, of_head, place) : of_head;
    *rest = text;
    return done;
}

const char *why_intervention_name(const struct model_intervention *one, struct arena *arena)
{
    const char *const name = model_node_name(one->node);
    const bool of_head =
        one->node == MODEL_NODE_Z || (one->node >= MODEL_NODE_Q && one->node <= MODEL_NODE_ALPHA);
    const char *const at = one->row == MODEL_EACH ? "" : arena_format(arena, "@%zu", one->row + 1);
    if (at == NULL) {
        return NULL;
    }
    if (one->node == MODEL_NODE_Z) {
        return arena_format(arena, "L%zuH%zu%s", one->layer, one->head, at);
    }
    if (one->node == MODEL_NODE_NEURONS && one->column != MODEL_EACH) {
        return arena_format(arena, "MLP %zuN%zu%s", one->layer, one->column, at);
    }
    return of_head ? arena_format(arena, "L%zuH%zu.%s%s", one->layer, one->head, name, at)
                   : arena_format(arena, "%s %zu%s", one->node == MODEL_NODE_MLP ? "MLP" : name,
                                  one->layer, at);
}

/* "L0H1.alpha", "L0.mlp", "residual 3": as numbers that are set are called. */
static const char *node_written(const struct model_intervention *one, struct arena *arena)
{
    const char *const name = model_node_name(one->node);
    const bool of_head = one->node >= MODEL_NODE_Q && one->node <= MODEL_NODE_Z;
    return one->node == MODEL_NODE_RESIDUAL ? arena_format(arena, "residual %zu", one->layer)
           : of_head ? arena_format(arena, "L%zuH%zu.%s", one->layer, one->head, name)
                     : arena_format(arena, "L%zu.%s", one->layer, name);
}

/* "8" from 1, or ":" for each. */
static const char *index_written(size_t index, struct arena *arena)
{
    return index == MODEL_EACH ? ":" : arena_format(arena, "%zu", index + 1);
}

const char *why_intervention_written(const struct model_intervention *one, struct arena *arena)
{
    const bool is_zero = !(one->value < 0) && !(one->value > 0);
    const bool is_part = one->node == MODEL_NODE_NEURONS
                             ? one->column != MODEL_EACH
                             : one->column == MODEL_EACH &&
                                   (one->node == MODEL_NODE_Z || one->node == MODEL_NODE_MLP);
    if (one->by == MODEL_BY_SOURCE) {
        return NULL;
    }
    if (is_part && (one->by == MODEL_BY_MEAN || is_zero)) {
        const char *const part = one->node == MODEL_NODE_Z
                                     ? arena_format(arena, "L%zuH%zu", one->layer, one->head)
                                 : one->node == MODEL_NODE_MLP
                                     ? arena_format(arena, "MLP%zu", one->layer)
                                     : arena_format(arena, "MLP%zuN%zu", one->layer, one->column);
        return part == NULL
                   ? NULL
                   : arena_format(arena, "%s%s%s%s", part, one->by == MODEL_BY_MEAN ? "=mean" : "",
                                  one->row == MODEL_EACH ? "" : "@",
                                  one->row == MODEL_EACH ? "" : index_written(one->row, arena));
    }
    if (one->node == MODEL_NODE_SCALED && isinf(one->value) && one->row != MODEL_EACH &&
        one->column != MODEL_EACH) {
        return arena_format(arena, "L%zuH%zu:%zu>%zu", one->layer, one->head, one->row + 1,
                            one->column + 1);
    }
    char value[TEXT_NUMBER_MAX];
    (void)snprintf(value, sizeof value, isinf(one->value) ? "-inf" : "%.9g", (double)one->value);
    return arena_format(arena, "%s[%s,%s]=%s", node_written(one, arena),
                        index_written(one->row, arena), index_written(one->column, arena), value);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static bool refuse_text(const struct reading *reading, const char *text)
{
    return error_set(reading->error, ERROR_USAGE, "--%s takes %s, not “%.60s”.",
                     why_kind_name(reading->kind), why_kind_form(reading->kind), text);
}

/* A word of the text by its number or by itself, `letters` long. */
static bool read_word(const struct reading *reading, const char *text, size_t letters, size_t *word)
{
    const char *const written = arena_text(reading->arena, text, letters);
    return written == NULL
               ? no_memory(reading->error)
               : why_place_find(reading->words, reading->n, written, word, reading->error);
}

/* L0H1, MLP3=mean, L0H1@8 */
static bool read_one_off(struct reading *reading, const char *text)
{
    struct why_place place;
    struct model_intervention one = {.row = MODEL_EACH, .by = MODEL_BY_VALUE};
    const char *rest = NULL;
    if (!why_place_read(text, &place, &rest) ||
        (place.node != MODEL_NODE_Z && place.node != MODEL_NODE_MLP &&
         place.node != MODEL_NODE_NEURONS)) {
        return refuse_text(reading, text);
    }
    one.node = place.node;
    one.layer = place.layer;
    one.head = place.head;
    one.column = place.column;
    if (skip_name(&rest, "=mean")) {
        one.by = MODEL_BY_MEAN;
    } else {
        (void)skip_name(&rest, "=zero");
    }
    rest += strspn(rest, " ");
    if (*rest == '@') {
        return read_word(reading, rest + 1, strlen(rest + 1), &one.row) && add_row(reading, one);
    }
    return *rest == '\0' ? add_row(reading, one) : refuse_text(reading, text);
}

static bool read_without(struct reading *reading, const char *text)
{
    bool done = true;
    for (const char *at = text; done; at++) {
        const size_t letters = strcspn(at, ",");
        const char *const one = arena_text(reading->arena, at, letters);
        done = one == NULL ? no_memory(reading->error) : read_one_off(reading, one);
        at += letters;
        if (*at == '\0') {
            break;
        }
    }
    return done;
}

/* L0H1:is>hammer */
static bool read_edge(struct reading *reading, const char *text)
{
    struct why_place place;
    const char *rest = NULL;
    struct model_intervention one = {.node = MODEL_NODE_SCALED, .value = -INFINITY};
    if (!why_place_read(text, &place, &rest) || place.node != MODEL_NODE_Z || *rest != ':') {
        return refuse_text(reading, text);
    }
    const char *const query = rest + 1;
    const size_t letters = strcspn(query + (*query == '\0' ? 0 : 1), ">:") + 1;
    if (*query == '\0' || query[letters] == '\0' || query[letters + 1] == '\0') {
        return refuse_text(reading, text);
    }
    one.layer = place.layer;
    one.head = place.head;
    return read_word(reading, query, letters, &one.row) &&
           read_word(reading, query + letters + 1, strlen(query + letters + 1), &one.column) &&
           add_row(reading, one);
}

/* "8" from 1, or ":" for each; up to `end`. */
static bool read_index(const char **text, char end, size_t *index)
{
    *text += strspn(*text, " ");
    if (**text == ':') {
        *text += 1;
        *index = MODEL_EACH;
    } else if (read_number(text, index) && *index > 0) {
        *index -= 1;
    } else {
        return false;
    }
    *text += strspn(*text, " ");
    return *(*text)++ == end;
}

/* L0H1.alpha[8,5]=0.4 */
static bool read_set(struct reading *reading, const char *text)
{
    struct why_place place;
    const char *rest = NULL;
    struct model_intervention one = {.by = MODEL_BY_VALUE};
    double value = 0;
    if (!why_place_read(text, &place, &rest) || place.column != MODEL_EACH || *rest++ != '[' ||
        !read_index(&rest, ',', &one.row) || !read_index(&rest, ']', &one.column)) {
        return refuse_text(reading, text);
    }
    rest += strspn(rest, " ");
    const bool minus_infinity = strcmp(rest, "=-inf") == 0 && place.node == MODEL_NODE_SCALED;
    if (*rest != '=' ||
        (!minus_infinity && (!text_to_double(rest + 1, &value) || !text_fits_float(value)))) {
        return refuse_text(reading, text);
    }
    one.node = place.node;
    one.layer = place.layer;
    one.head = place.head;
    one.value = minus_infinity ? -INFINITY : (float)value;
    return add_row(reading, one);
}

bool why_other_text(const struct why_subject *subject, const char *text, struct arena *arena,
                    struct model_request *out, struct error *error)
{
    struct model_request request = subject->request;
    struct tokenizer_output output = {.count = 0};
    const struct tokenizer_input input = {.text = {(const uint8_t *)text, strlen(text)},
                                          .bare = subject->bare};
    if (!model_reads_text(subject->model, error) ||
        !tokenizer_encode_as(model_tokenizer(subject->model), &input, arena, &output, error)) {
        return false;
    }
    if (request.count > 0 && output.count != request.count) {
        return error_set(error, ERROR_INPUT,
                         "The texts are of different lengths: %zu tokens and %zu; a part can be "
                         "taken from a text with as many tokens.",
                         request.count, output.count);
    }
    request.ids = output.ids;
    request.types = output.types;
    request.count = output.count;
    *out = request;
    return true;
}

struct model_run *why_other_run(const struct why_subject *subject, const char *text,
                                struct arena *arena, struct error *error)
{
    struct model_request request;
    if (!why_other_text(subject, text, arena, &request, error)) {
        return NULL;
    }
    request.interventions = model_no_interventions;
    request.layers = 0;
    return model_run_start(subject->model, &request, error);
}

/* L0H1 from A text. */
static bool read_patch(struct reading *reading, const char *text)
{
    struct why_place place;
    const char *rest = NULL;
    struct model_intervention one = {.by = MODEL_BY_SOURCE, .row = MODEL_EACH};
    const char *const from = strstr(text, " from ");
    if (!why_place_read(text, &place, &rest) || from == NULL || from < rest ||
        place.node == MODEL_NODE_SCORES || place.node == MODEL_NODE_SCALED) {
        return refuse_text(reading, text);
    }
    if ((*rest == '@' && !read_word(reading, rest + 1, (size_t)(from - rest - 1), &one.row)) ||
        (*rest != '@' && rest + strspn(rest, " ") < from)) {
        return *rest == '@' ? false : refuse_text(reading, text);
    }
    one.node = place.node;
    one.layer = place.layer;
    one.head = place.head;
    one.column = place.column;
    one.source_rows = reading->n;
    const struct model_intervention there = {.node = one.node,
                                             .layer = one.layer,
                                             .head = one.head,
                                             .row = one.row,
                                             .column = one.column};
    struct model_request request = reading->subject->request;
    request.interventions = (struct model_interventions){&there, 1};
    struct model_run *const run =
        model_request_check(reading->subject->model, &request, reading->error)
            ? why_other_run(reading->subject, from + 6, reading->arena, reading->error)
            : NULL;
    const struct why_node node = {one.node, one.layer, one.head};
    float *values = NULL;
    const bool done =
        run != NULL && why_sources_read(run, reading->subject->model, model_no_interventions, &node,
                                        1, reading->arena, &values, reading->error);
    model_run_close(run);
    one.source = values;
    return done && add_row(reading, one);
}

static const struct {
    const char *name, *form;
    bool (*read)(struct reading *reading, const char *text);
} kinds[WHY_KINDS] = {
    [WHY_WITHOUT] = {"without", "parts such as L0H1,MLP3=mean,L0H1@8,MLP0N17", read_without},
    [WHY_EDGE] = {"edge", "a pair such as L0H1:is>hammer (query > key)", read_edge},
    [WHY_SET] = {"set",
                 "a number such as L0H1.alpha[8,5]=0.4 or residual 3[8,1]=0 (alpha, scores, "
                 "scaled, Q, K, V, Z; L0.output, mlp, neurons)",
                 read_set},
    [WHY_PATCH] = {"patch", "a part and a text, such as \"L0H1 from A text.\"", read_patch},
};

const char *why_kind_name(enum why_kind kind)
{
    return kinds[kind].name;
}

const char *why_kind_form(enum why_kind kind)
{
    return kinds[kind].form;
}

/* The words that interventions name: of the second text, where there are two. */
static bool show_words(struct reading *reading)
{
    const struct model_request *const request = &reading->subject->request;
    const bool pair = model_has_target(reading->subject->model);
    const uint32_t start = (uint32_t)model_config(reading->subject->model)->start;
    const uint32_t *const ids = !pair                       ? request->ids
                                : request->target_count > 0 ? request->target_ids
                                                            : &start;
    reading->n = !pair ? request->count : request->target_count > 0 ? request->target_count : 1;
    const char **const words = arena_array(reading->arena, reading->n, sizeof *words);
    for (size_t i = 0; words != NULL && i < reading->n; i++) {
        words[i] = model_shown_of(reading->subject->model, MODEL_WRITTEN, ids[i], reading->arena);
        if (words[i] == NULL) {
            return no_memory(reading->error);
        }
    }
    reading->words = words;
    return words != NULL || no_memory(reading->error);
}

bool why_interventions_read(const struct why_subject *subject, const struct why_wish *wishes,
                            size_t count, struct arena *arena, struct model_interventions *out,
                            struct error *error)
{
    struct reading reading = {.subject = subject, .arena = arena, .error = error};
    bool done = count == 0 || show_words(&reading);
    for (size_t w = 0; done && w < count; w++) {
        reading.kind = wishes[w].kind;
        done = kinds[wishes[w].kind].read(&reading, wishes[w].text);
    }
    *out = (struct model_interventions){reading.row, reading.count};
    return done;
}

bool why_intervention_parse(const char *text, size_t n, struct arena *arena,
                            struct model_intervention *one, struct error *error)
{
    struct reading reading = {.n = n, .arena = arena, .error = error};
    const char **const words = arena_array(arena, n + 1, sizeof *words);
    for (size_t i = 0; words != NULL && i < n; i++) {
        words[i] = ""; /* by their numbers alone */
    }
    reading.words = words;
    reading.kind = strchr(text, '[') != NULL   ? WHY_SET
                   : strchr(text, '>') != NULL ? WHY_EDGE
                                               : WHY_WITHOUT;
    if (words == NULL) {
        return no_memory(error);
    }
    if (!kinds[reading.kind].read(&reading, text)) {
        return false;
    }
    *one = reading.row[0];
    return reading.count == 1 || refuse_text(&reading, text);
}
