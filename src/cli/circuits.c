/* cli/circuits.c — circuits of the weights: all heads of a model, or one of them over the
 * vocabulary. */
#include <math.h>

#include "cli/cause.h"
#include "why/circuit.h"
#include "why/intervention_text.h"

/* A model whose weights are looked at, and its answer. */
struct circuits {
    struct arena arena;
    struct model *model;
    struct cli_answer answer;
    struct why_circuits all;
    bool has_head;
    size_t head; /* layer · heads + head */
    struct why_circuit one;
};

static const char *name_of(struct circuits *c, size_t place)
{
    return arena_words(&c->arena, "L%zuH%zu", place / c->all.heads, place % c->all.heads);
}

static void put_head(struct circuits *c, const char *key, size_t place)
{
    json_key(&c->answer.json, key);
    json_put_text(&c->answer.json, name_of(c, place));
}

/* ---- all heads ------------------------------------------------------------------------------- */

/* The earlier head that this one reads most by a reading; MODEL_EACH: there is none. */
static size_t strongest_of(const struct why_circuits *all, enum why_reading reading, size_t to)
{
    size_t best = MODEL_EACH;
    for (size_t from = 0; from < to / all->heads * all->heads; from++) {
        if (best == MODEL_EACH || all->composition[why_circuits_at(all, reading, from, to)] >
                                      all->composition[why_circuits_at(all, reading, best, to)]) {
            best = from;
        }
    }
    return best;
}

/* A row a head: whether it copies, and what it reads most. */
static void put_heads(struct circuits *c)
{
    struct cli_answer *const answer = &c->answer;
    struct json_writer *const json = &answer->json;
    json_key(json, "heads");
    json_begin_array(json, JSON_LINES);
    cli_answer_add_column(answer, "name", true);
    cli_answer_add_column(answer, "layer", false);
    cli_answer_add_column(answer, "head", false);
    cli_answer_add_column(answer, "copying", false);
    for (size_t r = 0; r < WHY_READINGS; r++) {
        const char *const name = why_reading_name((enum why_reading)r);
        cli_answer_add_column(answer, arena_words(&c->arena, "%s reads", name), true);
        cli_answer_add_column(answer, arena_words(&c->arena, "by %s", name), false);
    }
    for (size_t h = 0; h < c->all.layers * c->all.heads; h++) {
        json_begin_object_in_line(json);
        json_key(json, "layer");
        json_put_whole_number(json, (int64_t)(h / c->all.heads));
        json_key(json, "head");
        json_put_whole_number(json, (int64_t)(h % c->all.heads));
        cli_cause_put_number(json, "copying", c->all.copying[h]);
        json_end_object(json);
        cli_answer_put_text(answer, name_of(c, h));
        cli_answer_put_number(answer, (double)(h / c->all.heads));
        cli_answer_put_number(answer, (double)(h % c->all.heads));
        cli_answer_put_number(answer, c->all.copying[h]);
        for (size_t r = 0; r < WHY_READINGS; r++) {
            const enum why_reading reading = (enum why_reading)r;
            const size_t from = strongest_of(&c->all, reading, h);
            const bool is_one = from != MODEL_EACH;
            cli_answer_put_text(answer, is_one ? name_of(c, from) : "");
            cli_answer_put_number(
                answer, is_one
                            ? (double)c->all.composition[why_circuits_at(&c->all, reading, from, h)]
                            : NAN);
        }
    }
    json_end_array(json);
}

/* Writes the asked pairs of an earlier and a later head; in_table: as rows of the table too. */
static void put_composition(struct circuits *c, bool in_table)
{
    const struct why_circuits *const all = &c->all;
    struct json_writer *const json = &c->answer.json;
    const size_t heads = all->layers * all->heads;
    json_key(json, "composition");
    json_begin_array(json, JSON_LINES);
    for (size_t p = 0; p < heads * heads; p++) {
        const size_t from = p / heads, to = p % heads;
        if (isnan(all->composition[why_circuits_at(all, WHY_BY_QUERIES, from, to)])) {
            continue;
        }
        json_begin_object_in_line(json);
        put_head(c, "from", from);
        put_head(c, "to", to);
        for (size_t r = 0; r < WHY_READINGS; r++) {
            const char *const name = why_reading_name((enum why_reading)r);
            const double value =
                (double)all->composition[why_circuits_at(all, (enum why_reading)r, from, to)];
            cli_cause_put_number(json, name, value);
            if (in_table) {
                cli_answer_put_text(&c->answer, name);
                cli_answer_put_text(&c->answer, name_of(c, from));
                cli_answer_put_text(&c->answer, name_of(c, to));
                cli_answer_put_number(&c->answer, value);
            }
        }
        json_end_object(json);
    }
    json_end_array(json);
}

static void add_arrays(struct circuits *c)
{
    const struct why_circuits *const all = &c->all;
    const size_t shape[] = {all->layers, all->heads, all->layers, all->heads};
    const size_t heads = shape[0] * shape[1];
    float *const copying =
        c->has_head ? NULL : cli_answer_add_floats(&c->answer, "copying", 2, shape);
    for (size_t h = 0; copying != NULL && h < heads; h++) {
        copying[h] = (float)all->copying[h];
    }
    for (size_t r = 0; r < WHY_READINGS; r++) {
        const enum why_reading reading = (enum why_reading)r;
        float *const out = cli_answer_add_floats(
            &c->answer, arena_words(&c->arena, "composition_%s", why_reading_name(reading)), 4,
            shape);
        for (size_t p = 0; out != NULL && p < heads * heads; p++) {
            out[p] = all->composition[why_circuits_at(all, reading, p / heads, p % heads)];
        }
    }
}

/* ---- one head -------------------------------------------------------------------------------- */

static void put_pairs(struct circuits *c, const char *of, const char *key,
                      const struct why_pair *pairs, size_t count)
{
    struct json_writer *const json = &c->answer.json;
    json_key(json, key);
    json_begin_array(json, JSON_LINES);
    for (size_t p = 0; p < count; p++) {
        const char *const from = model_shown(c->model, pairs[p].from, &c->arena),
                          *const to =
                              model_shown_of(c->model, MODEL_WRITTEN, pairs[p].to, &c->arena);
        json_begin_array(json, JSON_ONE_LINE);
        json_put_text(json, from);
        json_put_text(json, to);
        json_put_float(json, (float)pairs[p].value);
        json_end_array(json);
        cli_answer_put_text(&c->answer, of);
        cli_answer_put_text(&c->answer, from);
        cli_answer_put_text(&c->answer, to);
        cli_answer_put_number(&c->answer, pairs[p].value);
    }
    json_end_array(json);
}

static void put_words(struct circuits *c, const char *key, const char *of,
                      const struct why_over_words *words)
{
    const size_t shape[] = {c->one.vocabulary, c->one.vocabulary};
    struct json_writer *const json = &c->answer.json;
    json_key(json, key);
    json_begin_object(json);
    put_pairs(c, of, "top", words->top, words->pairs);
    put_pairs(c, of, "bottom", words->bottom, words->pairs);
    json_end_object(json);
    float *const out =
        words->whole == NULL ? NULL : cli_answer_add_floats(&c->answer, key, 2, shape);
    for (size_t i = 0; out != NULL && i < shape[0] * shape[1]; i++) {
        out[i] = words->whole[i];
    }
}

static void put_one(struct circuits *c)
{
    struct json_writer *const json = &c->answer.json;
    cli_answer_add_column(&c->answer, "matrix", true);
    cli_answer_add_column(&c->answer, "from", true);
    cli_answer_add_column(&c->answer, "to", true);
    cli_answer_add_column(&c->answer, "value", false);
    json_key(json, "layer");
    json_put_whole_number(json, (int64_t)(c->head / c->all.heads));
    json_key(json, "head");
    json_put_whole_number(json, (int64_t)(c->head % c->all.heads));
    cli_cause_put_number(json, "copying", c->one.copying);
    json_key(json, "sought");
    json_put_whole_number(json, (int64_t)c->one.sought);
    put_words(c, "qk", "QK", &c->one.qk);
    put_words(c, "ov", "OV", &c->one.ov);
}

/* ---- the call -------------------------------------------------------------------------------- */

/* Reads --head L0H1; without it all heads are meant. */
static bool read_head(const struct cli_options *options, struct circuits *c, struct error *error)
{
    const struct cli_value *const value = &options->value[CLI_HEAD];
    const struct model_config *const config = model_config(c->model);
    struct why_place place;
    const char *rest = NULL;
    c->has_head = value->given;
    c->head = MODEL_EACH;
    if (!value->given) {
        return true;
    }
    if (!why_place_read(value->text, &place, &rest) || *rest != '\0' ||
        place.node != MODEL_NODE_Z) {
        return error_set(error, ERROR_USAGE,
                         "--head names layer and head from 0 here, such as L0H1, not “%.40s”.",
                         value->text);
    }
    c->head = place.layer * config->heads + place.head;
    return (place.layer < config->layers && place.head < config->heads) ||
           error_set(error, ERROR_INPUT,
                     "There is no head %zu in layer %zu: the model has %zu layers of %zu heads, "
                     "counted from 0.",
                     place.head, place.layer, config->layers, config->heads);
}

static bool compute_circuits(const struct cli_options *options, struct circuits *c,
                             struct error *error)
{
    if (!read_head(options, c, error)) {
        return false;
    }
    const struct why_circuits_asked asked = {
        .model = c->model, .engine = options->engine, .head = c->head, .has_copying = !c->has_head};
    return why_circuits_make(&asked, &c->all, error) &&
           (!c->has_head || why_circuit_make(c->model, &options->engine, c->head / c->all.heads,
                                             c->head % c->all.heads, &c->one, error));
}

static void put_answer(struct circuits *c)
{
    json_begin_object(&c->answer.json);
    if (c->has_head) {
        put_one(c);
    } else {
        put_heads(c);
    }
    put_composition(c, c->has_head);
    json_end_object(&c->answer.json);
    add_arrays(c);
}

int cli_circuits(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct circuits c = {.has_head = false};
    if (!cli_answer_check(options, &error)) {
        return cli_fail(&error);
    }
    if (!cli_reads_text(options)) {
        error_set(&error, ERROR_USAGE, "This call is about a model: name its folder or a GGUF.");
        return cli_fail(&error);
    }
    c.answer = cli_answer_start(&c.arena);
    c.model = model_open(options->opened, &error);
    bool done = c.model != NULL && compute_circuits(options, &c, &error);
    if (done) {
        put_answer(&c);
        done = cli_answer_write(options, &c.answer, &error);
    }
    why_circuit_free(&c.one);
    why_circuits_free(&c.all);
    model_close(c.model);
    arena_free(&c.arena);
    return done ? CLI_DONE : cli_fail(&error);
}
