/* page/page_numbers.c — what the script is given: the steps, and each experiment as a graph whose
 * nodes say how they are made and what of, with their numbers as float32 in base64. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "canvas/formats/xml.h"
#include "canvas/types/colour.h"
#include "file/json.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/positions.h"
#include "page/page_internal.h"

enum {
    NUMBERS_MAX = 4 << 20, /* of a page: 16 MB, 22 in base64 */
    LIVE_TOKENS_MAX = 32,  /* larger experiments are shown and not computed again */
    LIVE_WIDTH_MAX = 64,
    SHEETS_MAX = 1024 /* experiments · matrices */
};

/* Numbers that stand in the file once. */
struct sheet {
    const float *values;
    size_t count;
};

struct writer {
    const struct page *page;
    struct arena *arena;
    struct json_writer json;
    struct sheet *sheet;
    size_t sheets, numbers;
    bool is_full; /* there are more numbers than a page may hold */
};

/* ---- numbers --------------------------------------------------------------------------------- */

/* Puts the place of the numbers among those of the file. */
static void put_sheet(struct writer *w, const float *values, size_t count)
{
    size_t s = 0;
    while (s < w->sheets && (w->sheet[s].count != count ||
                             memcmp(w->sheet[s].values, values, count * sizeof *values) != 0)) {
        s++;
    }
    w->is_full = w->is_full || s == SHEETS_MAX || count > NUMBERS_MAX - w->numbers;
    if (s == w->sheets && !w->is_full) {
        w->sheet[w->sheets++] = (struct sheet){values, count};
        w->numbers += count;
    }
    json_put_whole_number(&w->json, (int64_t)s);
}

/* Puts bytes of the lowest order first, whatever the machine has. */
static void put_base64(struct writer *w, const void *values, size_t count, size_t size)
{
    const uint16_t one = 1;
    const bool is_little = *(const uint8_t *)&one == 1;
    const uint8_t *const from = values;
    uint8_t *const bytes = arena_array(w->arena, count, size);
    struct xml text = {0};
    for (size_t b = 0; bytes != NULL && b < count * size; b++) {
        bytes[b] = from[is_little ? b : b / size * size + (size - 1 - b % size)];
    }
    if (bytes != NULL) {
        xml_put_base64(&text, bytes, count * size);
    }
    xml_put_bytes(&text, "", 1);
    json_put_text(&w->json, text.failed ? "" : text.at);
    w->json.text.failed = w->json.text.failed || text.failed || bytes == NULL;
    xml_free(&text);
}

/* ---- small members --------------------------------------------------------------------------- */

static void put_whole(struct writer *w, const char *key, size_t value)
{
    json_key(&w->json, key);
    json_put_whole_number(&w->json, (int64_t)value);
}

static void put_text(struct writer *w, const char *key, const char *text)
{
    json_key(&w->json, key);
    json_put_text(&w->json, page_plain_text(w->arena, text));
}

static void put_texts(struct writer *w, const char *const *texts, size_t count)
{
    json_begin_array(&w->json, JSON_ONE_LINE);
    for (size_t t = 0; t < count; t++) {
        json_put_text(&w->json, page_plain_text(w->arena, texts[t]));
    }
    json_end_array(&w->json);
}

/* ---- an experiment --------------------------------------------------------------------------- */

/* Returns why the script must not compute an experiment; NULL: it may. */
static const char *refuse_computing(const struct lab_trace *trace)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    const struct lab_sizes s = lab_trace_sizes(trace);
    const bool is_model = experiment->layers > 0 || experiment->learned != NULL ||
                          experiment->score_cap != NULL || experiment->score_bias != NULL ||
                          experiment->sinks != NULL || s.partial;
    const bool is_large = s.n > LIVE_TOKENS_MAX || s.m > LIVE_TOKENS_MAX ||
                          s.d_model > LIVE_WIDTH_MAX || s.d_k > LIVE_WIDTH_MAX ||
                          s.d_v > LIVE_WIDTH_MAX || s.heads * s.d_v > LIVE_WIDTH_MAX;
    return is_model ? tr("A model computed these numbers: this page shows them. To change words or "
                         "weights, open the model in attnscope.")
           : is_large ? tr("This experiment is too large to be computed here: its numbers can be "
                           "looked at.")
           : experiment->keep_maximum
               ? tr("Without the maximum taken off, e to the score is the processor’s own: the "
                    "program computes it, this page shows it.")
               : NULL;
}

static const char *role_name(enum lab_role role)
{
    static const char *const names[] = {
        [LAB_ROLE_NONE] = "ink",      [LAB_ROLE_X] = "x",         [LAB_ROLE_QUERY] = "query",
        [LAB_ROLE_KEY] = "key",       [LAB_ROLE_VALUE] = "value", [LAB_ROLE_WEIGHT] = "query",
        [LAB_ROLE_OUTPUT] = "output", [LAB_ROLE_RESULT] = "ink"};
    return names[role];
}

/* Returns all scaled scores, which no trace keeps; NULL: it has none, or no memory. */
static const float *scaled_scores(struct writer *w, const struct lab_trace *trace)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    float *const values = arena_array(w->arena, s.heads * s.n * s.m, sizeof *values);
    for (size_t at = 0; values != NULL && at < s.heads * s.n * s.m; at++) {
        values[at] = lab_trace_scaled(trace, at / (s.n * s.m), at / s.m % s.n, at % s.m);
    }
    return values;
}

/* Puts the names of heads: those of a model by their layer, as everywhere. */
static void put_head_names(struct writer *w, const struct lab_trace *trace)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    json_key(&w->json, "names");
    json_begin_array(&w->json, JSON_ONE_LINE);
    for (size_t h = 0; h < lab_trace_sizes(trace).heads; h++) {
        json_put_text(&w->json, experiment->layers > 0
                                    ? arena_format(w->arena, "L%zuH%zu", experiment->layer, h)
                                    : arena_words(w->arena, "Head %zu", h + 1));
    }
    json_end_array(&w->json);
}

/* Puts the words of rows or columns: q and k stand for those of queries and keys. */
static void put_extent(struct writer *w, const char *key, enum lab_extent extent,
                       const char *const *words, size_t count)
{
    json_key(&w->json, key);
    if (extent == LAB_EXTENT_QUERIES || extent == LAB_EXTENT_KEYS) {
        json_put_text(&w->json, extent == LAB_EXTENT_QUERIES ? "q" : "k");
    } else if (words == NULL) {
        json_put_null(&w->json);
    } else {
        put_texts(w, words, count);
    }
}

static void put_node(struct writer *w, const struct lab_trace *trace, size_t node, bool is_live)
{
    const struct lab_graph *const graph = lab_trace_graph(trace);
    const struct lab_node *const made = &graph->node[node];
    const struct lab_node_row *const row = lab_node_row(node);
    const bool is_scaled = node == LAB_SCALED;
    const struct lab_matrix matrix =
        is_scaled ? (struct lab_matrix){0} : lab_trace_part(trace, (enum lab_part)node, 0);
    const float *const values = !is_scaled ? matrix.values
                                : is_live  ? NULL
                                           : scaled_scores(w, trace);
    json_begin_object_in_line(&w->json);
    put_whole(w, "id", node);
    put_text(w, "symbol", lab_graph_symbol(graph, node));
    put_text(w, "meaning", tr(lab_graph_meaning(graph, node)));
    put_text(w, "formula",
             w->page->weights_alone ? lab_graph_symbol(graph, node)
                                    : lab_graph_formula(graph, node, w->arena));
    put_text(w, "role", role_name(row->role));
    put_whole(w, "stage", row->stage);
    put_text(w, "op",
             lab_operation_row(w->page->weights_alone ? LAB_GIVEN : made->operation)->name);
    json_key(&w->json, "in");
    json_begin_array(&w->json, JSON_ONE_LINE);
    for (size_t i = 0; i < made->inputs && !w->page->weights_alone; i++) {
        json_put_whole_number(&w->json, made->input[i]);
    }
    json_end_array(&w->json);
    put_whole(w, "matrices", made->matrices);
    put_whole(w, "rows", made->rows);
    put_whole(w, "cols", made->cols);
    put_extent(w, "rowWords", row->rows, matrix.row_words, made->rows);
    put_extent(w, "colWords", row->cols, matrix.column_words, made->cols);
    if (values != NULL) {
        json_key(&w->json, "numbers");
        put_sheet(w, values, made->matrices * made->rows * made->cols);
    }
    json_key(&w->json, "editable");
    json_put_truth(&w->json, is_live && !is_scaled && lab_edits_may((enum lab_part)node));
    json_end_object(&w->json);
}

static void put_nodes(struct writer *w, const struct lab_trace *trace, bool is_live)
{
    const struct lab_graph *const graph = lab_trace_graph(trace);
    json_key(&w->json, "nodes");
    json_begin_array(&w->json, JSON_ONE_LINE);
    for (size_t node = 0; node < LAB_NODES; node++) {
        const bool is_wanted = !w->page->weights_alone || node == LAB_ALPHA;
        if (is_wanted && lab_graph_has(graph, node) &&
            (node == LAB_SCALED || lab_trace_part(trace, (enum lab_part)node, 0).values != NULL)) {
            put_node(w, trace, node, is_live);
        }
    }
    json_end_array(&w->json);
}

/* Puts the numbers that were typed over computed ones, each as node, matrix, row, column, value. */
static void put_edits(struct writer *w, const struct lab_trace *trace)
{
    const struct lab_edits *const edits = lab_trace_experiment(trace)->edits;
    const struct lab_sizes s = lab_trace_sizes(trace);
    json_key(&w->json, "typed");
    json_begin_array(&w->json, JSON_ONE_LINE);
    for (size_t e = 0; e < lab_edits_count(edits); e++) {
        const struct lab_edit edit = lab_edits_at(edits, e);
        const size_t matrices = lab_trace_matrices(trace, edit.part);
        if (!lab_edits_fits(&edit, &s) || matrices == 0) {
            continue;
        }
        json_begin_array(&w->json, JSON_ONE_LINE);
        json_put_whole_number(&w->json, edit.part);
        json_put_whole_number(&w->json, (int64_t)(edit.head / (s.heads / matrices)));
        json_put_whole_number(&w->json, (int64_t)edit.row);
        json_put_whole_number(&w->json, (int64_t)edit.column);
        json_put_float(&w->json, edit.value);
        json_end_array(&w->json);
    }
    json_end_array(&w->json);
}

static void put_mask(struct writer *w, const struct lab_trace *trace)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    char *const seen = lab_trace_hides(trace) ? arena_alloc(w->arena, s.n * s.m + 1) : NULL;
    for (size_t at = 0; seen != NULL && at < s.n * s.m; at++) {
        seen[at] = lab_trace_sees(trace, at / s.m, at % s.m) ? '1' : '0';
    }
    json_key(&w->json, "mask");
    json_put_text(&w->json, seen);
}

/* Puts how rotary positions turn: for each row and pair the cosine, the sine and the factor. */
static void put_turns(struct writer *w, const struct lab_trace *trace)
{
    enum { EACH = 3 };
    const struct lab_rotary rotary = lab_experiment_rotary(lab_trace_experiment(trace));
    const struct lab_sizes s = lab_trace_sizes(trace);
    const size_t rows = s.n > s.m ? s.n : s.m, pairs = lab_rotary_width(&rotary, s.d_k) / 2;
    double *const turns = arena_array(w->arena, rows * pairs * EACH, sizeof *turns);
    for (size_t at = 0; turns != NULL && at < rows * pairs; at++) {
        const double angle = lab_rotary_angle(&rotary, at / pairs, at % pairs, s.d_k);
        turns[EACH * at] = cos(angle);
        turns[EACH * at + 1] = sin(angle);
        turns[EACH * at + 2] = lab_rotary_stretch(&rotary, at % pairs, s.d_k);
    }
    put_whole(w, "pairs", pairs);
    json_key(&w->json, "halves");
    json_put_truth(&w->json, rotary.pairs == LAB_PAIRS_HALVES);
    json_key(&w->json, "turns");
    put_base64(w, turns, turns == NULL ? 0 : rows * pairs * EACH, sizeof *turns);
}

static void put_stages(struct writer *w, const struct lab_graph *graph)
{
    json_key(&w->json, "stages");
    json_begin_array(&w->json, JSON_ONE_LINE);
    for (size_t s = 0; s < LAB_STAGES; s++) {
        const char *const texts[] = {tr(lab_stage_title(graph, (enum lab_stage)s)),
                                     tr(lab_stage_headline(graph, (enum lab_stage)s)),
                                     tr(lab_stage_sentence(graph, (enum lab_stage)s))};
        put_texts(w, texts, sizeof texts / sizeof *texts);
    }
    json_end_array(&w->json);
}

static void put_experiment(struct writer *w, const struct lab_trace *trace)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    const struct lab_sizes s = lab_trace_sizes(trace);
    const char *const refusal = refuse_computing(trace);
    json_begin_object_in_line(&w->json);
    json_key(&w->json, "queries");
    put_texts(w, lab_trace_queries(trace), s.n);
    json_key(&w->json, "keys");
    put_texts(w, lab_trace_keys(trace), s.m);
    put_whole(w, "heads", s.heads);
    put_head_names(w, trace);
    put_whole(w, "dk", s.d_k);
    json_key(&w->json, "scale");
    json_put_truth(&w->json, experiment->scale);
    json_key(&w->json, "temperature");
    json_put_float(&w->json, experiment->temperature);
    json_key(&w->json, "smear");
    json_put_float(&w->json, experiment->smear);
    json_key(&w->json, "share");
    json_put_truth(&w->json, experiment->normalise == LAB_PLAIN_SHARE);
    json_key(&w->json, "refusal");
    json_put_text(&w->json, refusal);
    put_mask(w, trace);
    put_stages(w, lab_trace_graph(trace));
    put_nodes(w, trace, refusal == NULL);
    put_edits(w, trace);
    if (experiment->positions == LAB_POSITIONS_ROPE) {
        put_turns(w, trace);
    }
    json_end_object(&w->json);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static const char *question_name(enum page_question question)
{
    static const char *const names[] = {[PAGE_ASKS_CELL] = "cell",
                                        [PAGE_ASKS_WEIGHT] = "bar",
                                        [PAGE_ASKS_WINNER] = "winner",
                                        [PAGE_ASKS_MATRIX] = "matrix"};
    return names[question];
}

/* Returns the place of a step's experiment among those of the file, and whether it is new. */
static size_t experiment_of(const struct page *page, size_t step, bool *is_new)
{
    size_t count = 0;
    for (size_t s = 0; s < page->steps; s++) {
        size_t first = 0;
        while (page->step[first].trace != page->step[s].trace) {
            first++;
        }
        if (s <= step && page->step[s].trace == page->step[step].trace) {
            *is_new = s == step;
            return count;
        }
        count += first == s ? 1 : 0;
    }
    return count;
}

/* Returns the first step with the same next words. */
static size_t next_of(const struct page *page, size_t step)
{
    size_t first = 0;
    while (page->step[first].next != page->step[step].next) {
        first++;
    }
    return first;
}

/* Puts the likeliest words behind each word of the text, with their shares; null: as another step
 * has them. */
static void put_next(struct writer *w, const struct lab_block *block)
{
    json_begin_array(&w->json, JSON_ONE_LINE);
    for (size_t row = 0; row < lab_block_facts(block).n; row++) {
        size_t count = 0;
        const struct lab_block_word *const word = lab_block_words(block, row, &count);
        json_begin_array(&w->json, JSON_ONE_LINE);
        for (size_t n = 0; word != NULL && n < count; n++) {
            json_begin_array(&w->json, JSON_ONE_LINE);
            json_put_text(&w->json, page_plain_text(w->arena, word[n].word));
            json_put_float(&w->json, (float)word[n].share);
            json_end_array(&w->json);
        }
        json_end_array(&w->json);
    }
    json_end_array(&w->json);
}

static void put_all_next(struct writer *w)
{
    json_key(&w->json, "next");
    json_begin_array(&w->json, JSON_ONE_LINE);
    for (size_t s = 0; s < w->page->steps; s++) {
        const struct lab_block *const next = w->page->step[s].next;
        if (next != NULL && next_of(w->page, s) == s) {
            put_next(w, next);
        } else {
            json_put_null(&w->json);
        }
    }
    json_end_array(&w->json);
}

static void put_run(struct writer *w, const struct page_run *run)
{
    json_key(&w->json, "run");
    json_begin_object_in_line(&w->json);
    json_key(&w->json, "curves");
    json_begin_array(&w->json, JSON_ONE_LINE);
    for (size_t c = 0; c < run->curves; c++) {
        json_begin_object_in_line(&w->json);
        put_text(w, "name", run->curve[c].name);
        json_key(&w->json, "numbers");
        put_sheet(w, run->curve[c].value, w->page->steps);
        json_end_object(&w->json);
    }
    json_end_array(&w->json);
    json_key(&w->json, "words");
    put_texts(w, run->word, run->words);
    json_key(&w->json, "places");
    put_sheet(w, run->place, w->page->steps * run->words * 2);
    json_end_object(&w->json);
}

static void put_steps(struct writer *w)
{
    json_key(&w->json, "steps");
    json_begin_array(&w->json, JSON_ONE_LINE);
    for (size_t s = 0; s < w->page->steps; s++) {
        const struct page_step *const step = &w->page->step[s];
        bool is_new = false;
        json_begin_object_in_line(&w->json);
        put_text(w, "caption", step->caption);
        put_whole(w, "experiment", experiment_of(w->page, s, &is_new));
        put_whole(w, "stage", step->stage);
        put_whole(w, "head", step->selection.head);
        put_whole(w, "query", step->selection.query);
        put_whole(w, "key", step->selection.key);
        put_whole(w, "channel", step->selection.channel);
        put_whole(w, "projected", step->selection.projected);
        put_whole(w, "next", next_of(w->page, s));
        json_key(&w->json, "guess");
        json_put_text(&w->json, question_name(step->question));
        json_end_object(&w->json);
    }
    json_end_array(&w->json);
}

static void put_experiments(struct writer *w)
{
    json_key(&w->json, "experiments");
    json_begin_array(&w->json, JSON_ONE_LINE);
    for (size_t s = 0; s < w->page->steps; s++) {
        bool is_new = false;
        (void)experiment_of(w->page, s, &is_new);
        if (is_new) {
            put_experiment(w, w->page->step[s].trace);
        }
    }
    json_end_array(&w->json);
}

/* ---- colours and texts ----------------------------------------------------------------------- */

static void put_map(struct writer *w, const char *key, enum colourmap_kind kind, bool dark)
{
    const struct colourmap *const map = colourmap_default(kind, dark);
    json_key(&w->json, key);
    json_begin_array(&w->json, JSON_ONE_LINE);
    for (size_t s = 0; s < map->stops; s++) {
        json_put_whole_number(&w->json, (int64_t)map->stop[s]);
    }
    json_end_array(&w->json);
}

static void put_maps(struct writer *w)
{
    json_key(&w->json, "maps");
    json_begin_object_in_line(&w->json);
    put_map(w, "light", COLOURMAP_UNSIGNED, false);
    put_map(w, "dark", COLOURMAP_UNSIGNED, true);
    put_map(w, "lightSigned", COLOURMAP_SIGNED, false);
    put_map(w, "darkSigned", COLOURMAP_SIGNED, true);
    json_end_object(&w->json);
}

static void put_sentences(struct writer *w)
{
    const struct {
        const char *key, *text;
    } texts[] = {
        {"stages", tr("Stages of attention")},
        {"heads", tr("Heads")},
        {"back", tr("Back")},
        {"step", tr("Step %s of %s")},
        {"former", tr("Former step")},
        {"following", tr("Next step")},
        {"temperature", tr("Temperature")},
        {"mask", tr("Mask")},
        {"own", tr("As given")},
        {"none", tr("None")},
        {"causal", tr("Causal")},
        {"reset", tr("Start again")},
        {"pair", tr("Hide or show this pair")},
        {"value", tr("Value")},
        {"after", tr("next word after “%s”")},
        {"cell", tr("%s, row %s, column %s: %s")},
        {"hidden", tr("hidden by the mask")},
        {"blind", tr("this query sees no key")},
        {"typed", tr("typed by hand")},
        {"others", tr("%s others")},
        {"matrix", tr("%s: arrows move, Enter goes to what the number is made of, Escape back")},
        {"guess", tr("Your guess")},
        {"check", tr("Check")},
        {"show", tr("Show the answer")},
        {"right", tr("Right: %s")},
        {"wrong", tr("Not quite: another try, or show the answer")},
        {"noNumber", tr("A number is wanted, such as 0.25 or 1/4")},
        {"answer", tr("The answer: %s")},
        {"winner", tr("Which key gets the largest weight?")},
    };
    json_key(&w->json, "say");
    json_begin_object_in_line(&w->json);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        put_text(w, texts[t].key, texts[t].text);
    }
    json_end_object(&w->json);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void put_numbers(struct writer *w)
{
    json_key(&w->json, "numbers");
    json_begin_array(&w->json, JSON_LINES);
    for (size_t s = 0; s < w->sheets; s++) {
        put_base64(w, w->sheet[s].values, w->sheet[s].count, sizeof(float));
    }
    json_end_array(&w->json);
}

/* Returns the JSON with nothing in it that could end a script element, or a line of script. */
static bool escape_markup(struct bytes text, struct arena *arena, struct bytes *out,
                          struct error *error)
{
    struct growing safe = growing_start(arena);
    for (size_t at = 0; at < text.size; at++) {
        if (text.at[at] == '<') {
            growing_put_text(&safe, "\\u003c");
        } else {
            growing_put_byte(&safe, (char)text.at[at]);
        }
    }
    return growing_finish(&safe, out, error);
}

bool page_numbers(const struct page *page, struct arena *arena, struct bytes *json,
                  struct error *error)
{
    struct writer w = {.page = page,
                       .arena = arena,
                       .json = json_writer_start(arena),
                       .sheet = arena_array(arena, SHEETS_MAX, sizeof(struct sheet))};
    struct bytes text = {NULL, 0};
    if (w.sheet == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for a page.");
    }
    json_begin_object(&w.json);
    put_whole(&w, "start", page->start);
    json_key(&w.json, "layers");
    json_put_truth(&w.json, page->has_layers);
    put_steps(&w);
    put_experiments(&w);
    put_all_next(&w);
    if (page->run != NULL) {
        put_run(&w, page->run);
    }
    if (w.is_full) {
        return error_set(error, ERROR_INPUT,
                         "A page of these numbers would be too large for a browser: take fewer "
                         "tokens, heads or steps, or draw a PNG.");
    }
    put_maps(&w);
    put_sentences(&w);
    put_numbers(&w);
    json_end_object(&w.json);
    return json_writer_finish(&w.json, &text, error) && escape_markup(text, arena, json, error);
}
