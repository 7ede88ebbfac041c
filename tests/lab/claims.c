/* Every number in a caption of a built-in lesson is read out and held against the trace of its
 * step. A number that nothing accounts for fails too. */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "bench.h"
#include "claim_why.h"
#include "lab/explain/cell.h"
#include "lab/lesson/lessons.h"
#include "lab/run/cache.h"
#include "lab/run/flash.h"
#include "lab/run/measure.h"
#include "learn/activations.h"
#include "learn/weight_rebuilder.h"

/* What the numbers of a caption are, in their order:
 *
 *     X:i,c  Q  K  V  S  A (α)  A% (in percent)  SC (scaled)  Z  O  R (X + O)
 *     n m d dk dv hdv h T head     sizes, heads · d_v, temperature, the head counted from 1
 *     layers                       how many there are
 *     layer head0                  of the chosen head, as in L0H2
 *     term:t                       a product of the selected sum
 *     max%:i  even%                the largest share of a row; that of each key if all are alike
 *     rms  rmssc                   how large scores, and scaled scores, are on average
 *     E:i,c  P  Q0  M:i,t  L:i,t   embeddings, waves, Q before it is turned; the running maximum
 *                                  and sum of row i after tile t
 *     nm pairs pairs% seen:i W D   pairs, those that are seen, keys that i sees; the mask's numbers
 *     kv R bytes weights           keys and values there are, the latent, cached bytes a token
 *     br bc tiles skip plainb tileb    tiles: sizes, how many, how many skipped, bytes
 *
 *     hit%:i                       the chance of the right word behind i
 *     loss:i dA:i,j dS:i,j  weights that learn: −log p of the word behind i, and gradients of the
 *                           mean of all words but the last, which asks for the likeliest
 *     says p%:w sum        the likeliest of the next words, the chance of w, what two numbers add
 * to right% test%          how much of the batch, and of what was kept back, is answered rightly
 *     kinds circles%         how far kinds of words are apart; what three frequencies have
 *     #k                   the number of an MLP or of an attention, as in its name
 *     lead adds:P lost:P path:P>P lens%:s,w  of parts (claim_why.h)
 *     without:k            the line of its text that a run goes without, from 0
 *     vocab numbers largest  words that are known; those of them that are numbers from 0; the last
 *
 * base. in front: of the lesson's own experiment. Behind | stand values that are the same
 * numbers. */
static const struct claim {
    const char *lesson, *numbers[9];
} claims[] = {
    {"cats",
     {"term:0 term:1 term:2 S:1,0", "d X:0,0 X:0,1 X:0,2 X:1,0 X:1,1 X:1,2", "S:2,2 term:1",
      "A%:1,1 A%:1,0 A%:1,3", "A:1,0 A:1,1 A:1,2 Z:1,0 Z:1,1 Z:1,2",
      "A:1,0 A:1,1 A:1,2 Z:1,0 Z:1,1 Z:1,2", "n O:1,0 O:1,1 O:1,2 X:1,2", "A%:1,0 A%:1,1"}},
    {"race",
     {"A%:1,1 A%:1,2", "Q:1,0 Q:1,1 K:1,0 K:1,1 S:1,1 K:2,0 K:2,1", "S:1,2 S:1,1 K:0,0 K:0,1 S:1,0",
      "A%:0,0 A%:0,1 V:0,0 V:1,0 V:2,0 Z:0,0 | A%:0,0 A%:0,2",
      "A%:1,0 V:0,0 A%:1,1 V:1,0 A%:1,2 V:2,0 Z:1,0", "V:1,0 base.V:1,0 base.Z:0,0 Z:0,0",
      "T A%:0,0 Z:0,0"}},
    {"ten",
     {"n h head A%:3,2", "n d d", "d dk d", "n dk n n dk", "dk S:3,2 SC:3,2", "n dv",
      "h n hdv hdv d", "h d dk max%:3"}},
    {"hammer",
     {"d", "S:4,3 S:4,4", "Q:4,0 Q:4,1", "K:3,0 K:3,1", "", "S:4,3 S:4,8 S:4,0",
      "A%:4,3 V:3,0 V:3,1 Z:4,0 Z:4,1", "R:4,0 R:4,1 R:4,2 R:4,3"}},
    {"library",
     {"Q:0,0 Q:0,1 Q:0,2", "K:1,0 K:1,1 K:1,2", "S:0,1 S:0,2 K:0,0 K:0,1 K:0,2",
      "A%:0,0 A%:0,1 A%:0,2", "V:0,0 V:0,1", "Z:0,0 Z:0,1", "A%:0,0 V:0,0 Z:0,0 | base.A%:0,0"}},
    {"root",
     {"n dk max%:5", "dk max%:5", "dk rms", "dk rms", "dk max%:5", "dk rms rmssc", "", "max%:5"}},
    {"temperature",
     {"T A%:1,1 A%:1,0", "dk T SC:1,1", "T A%:1,1", "T A%:1,1", "T A%:1,2",
      "T A%:1,2 A%:1,1 even%"}},
    {"order",
     {"A%:1,0 A%:1,3", "n", "A%:2,3 S:2,3 | base.A%:1,0 base.S:1,0",
      "O:2,0 O:2,1 O:2,2 | base.O:1,0 base.O:1,1 base.O:1,2", "A%:1,0", "A%:2,3 A%:2,0"}},
    {"bank",
     {"d X:1,0 X:1,1", "", "S:1,4 S:1,2", "A%:1,4 O:1,0 O:1,1",
      "X:1,0 X:1,1 | base.X:1,0 base.X:1,1", "A%:1,4 | base.A%:1,4", "O:1,0 O:1,1"}},
    {"causal",
     {"A%:1,2 A%:1,3", "nm pairs", "base.A%:1,0", "A%:0,0 Z:0,0 Z:0,1 Z:0,2", "n A%:3,3", "n"}},
    {"translate",
     {"Q:0,0 Q:0,1", "n m", "S:0,0 S:0,2 S:0,1",
      "A%:0,0 A%:0,1 Z:0,0 Z:0,1 | A%:0,2 A%:0,1 Z:0,0 Z:0,1", "Q:0,0 Q:0,1 A%:0,1", "m n"}},
    {"window",
     {"n nm", "W pairs pairs%", "seen:2 A%:2,2 | seen:2 max%:2", "seen:0", "W pairs",
      "before pairs"}},
    {"sparse", {"W D pairs nm", "W pairs", "W W pairs", "pairs", "A:0,0 A:0,1 A:0,2"}},
    {"fewer",
     {"h dk kept bytes", "kv kept bytes", "kv kept bytes h", "kv kv bytes base.weights weights",
      "h head", "kv bytes"}},
    {"latent",
     {"h dk bytes", "R bytes", "R", "term:0 term:1 term:2 term:3", "S:1,2", "R bytes",
      "R bytes base.bytes"}},
    {"flash",
     {"n m plainb br bc tileb", "M:2,0 L:2,0", "SC:2,2", "M:2,2 L:2,2", "Z:2,0 Z:2,1 Z:2,2",
      "skip tiles"}},
    {"positions",
     {"A%:1,0", "A%:1,3", "E:1,0 P:1,0 X:1,0", "A%:1,0", "A%:1,3", "Q0:1,0 Q0:1,1 Q:1,0 Q:1,1",
      "S:1,0 S:2,1 S:3,2 S:2,0 S:3,1"}},
    {"learned",
     {"", "step A%:7,4 right%", "kinds", "step layer head0 A%:7,2", "layer head0 step", "A%:7,1",
      "step A%:7,1 kinds"}},
    {"reverse", {"", "", "step A%:1,6", "step", "A%:1,6"}},
    {"induction", {"", "", "step layer head0 A%:8,7", "step A%:8,7", "layer head0", "A%:7,3", ""}},
    {"grokking",
     {"numbers largest", "", "step right% test%", "", "step test% sum p%:18", "",
      "step test% circles%"}},
    {"onestep",
     {"step hit%:7 loss:7", "layer head0 A:7,4", "dA:7,4", "dS:7,4", "", "base.W:7,3 W:7,3",
      "step A:7,4", "hit%:7", "step A%:7,4"}},
    {"own-text", {"", "", "step A%:7,6", "step A%:7,6", "step", "A%:7,1", ""}},
    {"taught",
     {"", "", "step", "p%:4 p%:6", "without:0 p%:4 without:0", "p%:16 p%:17", "without:0 p%:16",
      "p%:21", "p%:27"}},
    {"real-heads",
     {"vocab layer head0", "layer head0", "A%:7,4 layers h", "A%:7,1", "layer head0 A%:3,2",
      "layer head0 A%:5,4", "layer head0 A%:5,3", "A%:7,4"}},
    {"away",
     {"p%:34 p%:36 layer head0 A%:7,4", "layer head0", "p%:43 p%:34", "layer head0 p%:34",
      "layer head0 A%:7,4 p%:34", "layer head0 p%:8 p%:10", ""}},
    {"which-head",
     {"", "p%:34 p%:36", "lead #1 adds:MLP1 #0 adds:MLP0 layer head0 adds:L0H2",
      "#1 lost:MLP1 layer head0 lost:L0H2",
      "A%:7,4 #0 layer head0 #0 path:L0H2>MLP0 #1 path:MLP0>MLP1", "layer head0 -lead", "",
      "p%:10"}},
    {"half-way",
     {"p%:34", "lens%:0,32", "#0 lens%:1,32", "#0 lens%:2,34", "#1 lens%:3,34 #1 lens%:4,34",
      "layer head0 #0 lens%:2,43", "", "p%:16 #0 lens%:2,6"}},
};

/* A step and what was computed for it. */
struct scene {
    const struct lab_lesson *lesson;
    size_t step;
};

/* What masks, kinds and tiles count. */
static bool count_named(const struct lab_trace *trace, const char *name, size_t i, double *value)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    const struct lab_mask_rule mask = lab_experiment_mask(experiment);
    const struct lab_cost cost = lab_graph_cost(lab_trace_graph(trace), lab_trace_pairs(trace));
    struct lab_flash flash = {.tiles = 0};
    struct arena arena = {0};
    size_t seen = 0;
    for (size_t j = 0; j < s.m; j++) {
        seen += i < s.n && lab_trace_sees(trace, i, j) ? 1 : 0;
    }
    if (experiment->flash_rows > 0) {
        assert_true(lab_flash_replay(trace, 0, experiment->flash_rows, experiment->flash_cols,
                                     &arena, &flash, NULL));
    }
    const double pairs = (double)lab_trace_pairs(trace), all = (double)(s.n * s.m);
    const struct {
        const char *name;
        double value;
    } counts[] = {{"nm", all},
                  {"pairs", pairs},
                  {"pairs%", 100 * pairs / all},
                  {"seen", (double)seen},
                  {"W", (double)mask.size},
                  {"before", (double)mask.size - 1},
                  {"D", (double)mask.step},
                  {"kv", (double)s.kv_heads},
                  {"R", (double)s.latent},
                  {"bytes", (double)cost.cache_bytes},
                  {"kept", (double)cost.cache_bytes / sizeof(float)},
                  {"weights", (double)cost.weights},
                  {"br", (double)flash.block_rows},
                  {"bc", (double)flash.block_cols},
                  {"tiles", (double)flash.tiles},
                  {"skip", (double)flash.skipped},
                  {"plainb", (double)flash.bytes_plain},
                  {"tileb", (double)flash.bytes_tiled}};
    arena_free(&arena);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        if (strcmp(counts[c].name, name) == 0) {
            *value = counts[c].value;
            return true;
        }
    }
    return false;
}

/* The running maximum (M) or sum (L) of row i after tile t. */
static double running(const struct lab_trace *trace, char which, size_t i, size_t t)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    struct lab_flash flash;
    struct arena arena = {0};
    assert_true(lab_flash_replay(trace, 0, experiment->flash_rows, experiment->flash_cols, &arena,
                                 &flash, NULL));
    const size_t place = i * flash.col_blocks + t;
    const double value = (double)(which == 'M' ? flash.running_max : flash.running_sum)[place];
    arena_free(&arena);
    return value;
}

static bool size_named(const struct lab_trace *trace, const struct lab_step *step, const char *name,
                       double *value)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    const struct {
        const char *name;
        double value;
    } sizes[] = {{"n", (double)s.n},
                 {"m", (double)s.m},
                 {"even%", 100 / (double)s.m},
                 {"d", (double)s.d_model},
                 {"dk", (double)s.d_k},
                 {"dv", (double)s.d_v},
                 {"hdv", (double)(s.heads * s.d_v)},
                 {"h", (double)s.heads},
                 {"layers", (double)lab_trace_experiment(trace)->layers},
                 {"T", (double)lab_trace_experiment(trace)->temperature},
                 {"head", (double)step->selection.head + 1},
                 {"rms", rms_of(trace, false)},
                 {"rmssc", rms_of(trace, true)}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        if (strcmp(sizes[k].name, name) == 0) {
            *value = sizes[k].value;
            return true;
        }
    }
    return false;
}

static double cell_named(const struct lab_trace *trace, const struct lab_step *step,
                         const char *name, size_t i, size_t c)
{
    static const struct {
        const char *name;
        enum lab_part part;
        double times;
    } parts[] = {{"X", LAB_EMBEDDINGS_X, 1},
                 {"Q", LAB_Q, 1},
                 {"K", LAB_K, 1},
                 {"V", LAB_V, 1},
                 {"S", LAB_SCORES, 1},
                 {"A", LAB_ALPHA, 1},
                 {"A%", LAB_ALPHA, 100},
                 {"Z", LAB_Z, 1},
                 {"W", LAB_W_Q, 1},
                 {"O", LAB_OUTPUT_O, 1},
                 {"R", LAB_RESIDUAL, 1},
                 {"E", LAB_EMBEDDED, 1},
                 {"P", LAB_WAVES, 1},
                 {"Q0", LAB_Q_BEFORE, 1}};
    const size_t head = step->selection.head;
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, head);
    const float *const row = alpha.values + i * alpha.stride;
    if (strcmp(name, "max%") == 0) {
        return 100 * (double)lab_measure_largest(row, alpha.cols, NULL);
    }
    if (strcmp(name, "M") == 0 || strcmp(name, "L") == 0) {
        return running(trace, name[0], i, c);
    }
    if (strcmp(name, "SC") == 0) {
        return (double)lab_trace_scaled(trace, head, i, c);
    }
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        const struct lab_matrix matrix = lab_trace_part(trace, parts[p].part, head);
        if (strcmp(parts[p].name, name) == 0) {
            assert_non_null(matrix.values);
            assert_true(i < matrix.rows && c < matrix.cols);
            return parts[p].times * (double)lab_matrix_at(&matrix, i, c);
        }
    }
    fail_msg("%s is no value that a caption can name", name);
    return 0;
}

/* Weights that were learned are made again, by learning. */
static struct learn_weight_rebuilder maker;

static struct lab_trace *trace_of_learned(const struct lab_experiment *experiment)
{
    struct lab_experiment own;
    struct error error = {ERROR_NONE, 0, ""};
    lab_experiment_copy(&own, experiment);
    if (!learn_weight_rebuilder_fill(&maker, &own, NULL, &error)) {
        fail_msg("%s", error.text);
    }
    struct lab_trace *const trace = trace_of(&own);
    lab_experiment_release(&own);
    return trace;
}

/* The step of training that an experiment shows, and a line that its run goes without. */
static double run_named(const struct lab_experiment *experiment, const char *name, size_t place)
{
    const struct lab_training *training = lab_training_keep(experiment->learned);
    const struct learn_learned *const learned = learn_training_read(&training, NULL);
    assert_non_null(learned);
    const struct record_list *const without = &learned->recipe.without;
    const bool is_step = strcmp(name, "step") == 0;
    assert_true(is_step || place < without->count);
    const double number = is_step ? (double)learned->step : (double)without->number[place];
    lab_training_release(training);
    return number;
}

/* The words of an experiment as the window asks them: each for the next. */
static struct learn_activations *asked(const struct lab_experiment *experiment)
{
    int32_t ids[64], targets[64];
    struct learn_activations *sentence = NULL;
    const size_t count = lab_words_count(experiment->tokens);
    assert_true(count < 64);
    lab_trace_release(trace_of_learned(experiment)); /* the maker has gone there */
    const struct learn_data *const data = learn_run_data(maker.run);
    for (size_t w = 0; w < count; w++) {
        size_t id = 0;
        while (strcmp(learn_data_words(data)[id], lab_words_list(experiment->tokens)[w]) != 0) {
            id++;
        }
        ids[w] = (int32_t)id;
        targets[w] = LEARN_NOT_ASKED;
        if (w > 0) {
            targets[w - 1] = ids[w];
        }
    }
    for (int round = 0; round < 2; round++) { /* the likeliest is known behind the first */
        learn_activations_free(sentence);
        sentence = learn_activations_make(learn_run_network(maker.run),
                                          learn_run_weights(maker.run), ids, targets, count, NULL);
        assert_non_null(sentence);
        const struct lab_matrix p = learn_activations_part(sentence, LEARN_P, 0, 0);
        size_t best = 0;
        (void)lab_measure_largest(p.values + (count - 1) * p.stride, p.cols, &best);
        targets[count - 1] = (int32_t)best;
    }
    return sentence;
}

/* The loss of a word, and gradients; false: the code names something else. */
static bool slope_named(const struct lab_step *step, const char *name, const size_t index[2],
                        double *value)
{
    const enum learn_part part = strcmp(name, "dA") == 0   ? LEARN_ALPHA
                                 : strcmp(name, "dS") == 0 ? LEARN_SCORES
                                                           : LEARN_PARTS;
    const bool chance = strcmp(name, "hit%") == 0;
    if (part == LEARN_PARTS && !chance && strcmp(name, "loss") != 0) {
        return false;
    }
    struct learn_activations *const sentence = asked(&step->experiment);
    if (part == LEARN_PARTS) {
        const double loss = (double)learn_activations_loss(sentence, index[0]);
        *value = chance ? 100 * exp(-loss) : loss;
    } else {
        const struct lab_matrix slopes = learn_activations_gradient(
            sentence, part, step->experiment.layer, step->selection.head);
        *value = (double)lab_matrix_at(&slopes, index[0], index[1]);
    }
    learn_activations_free(sentence);
    return true;
}

/* What is said behind the last word; false: the code names something else. */
static bool said_named(const struct lab_experiment *experiment, const char *name, size_t word,
                       double *value)
{
    const bool says = strcmp(name, "says") == 0;
    if (!says && strcmp(name, "p%") != 0) {
        return false;
    }
    struct learn_activations *const sentence = asked(experiment);
    const struct lab_matrix p = learn_activations_part(sentence, LEARN_P, 0, 0);
    if (says) {
        word = (size_t)learn_activations_targets(sentence)[p.rows - 1];
    }
    assert_true(word < p.cols);
    *value = says ? (double)word : 100 * (double)lab_matrix_at(&p, p.rows - 1, word);
    learn_activations_free(sentence);
    return true;
}

/* How much is answered rightly, or how well the weights do at a score, at the step that is shown;
 * false: the code names something else. */
static bool measured(const struct lab_experiment *experiment, const char *name, double *value)
{
    static const char *const names[] = {"right%", "test%", "kinds", "circles%"};
    enum { NAMES = sizeof names / sizeof *names };
    struct learn_point point;
    struct error error = {ERROR_NONE, 0, ""};
    size_t n = 0;
    while (n < NAMES && strcmp(names[n], name) != 0) {
        n++;
    }
    if (n == NAMES) {
        return false;
    }
    lab_trace_release(trace_of_learned(experiment)); /* the maker has gone there */
    if (!learn_run_measure(maker.run, &point, &error)) {
        fail_msg("%s", error.text);
    }
    const double values[NAMES] = {100 * (double)point.accuracy, 100 * (double)point.test_accuracy,
                                  (double)point.best[LEARN_SCORE_KINDS],
                                  100 * (double)point.best[LEARN_SCORE_FREQUENCIES]};
    *value = values[n];
    return true;
}

/* What the words are that the weights know; false: the code names something else. */
static bool word_named(const struct lab_experiment *experiment, const char *name, double *value)
{
    const bool vocabulary = strcmp(name, "vocab") == 0, largest = strcmp(name, "largest") == 0;
    if (!vocabulary && !largest && strcmp(name, "numbers") != 0) {
        return false;
    }
    lab_trace_release(trace_of_learned(experiment)); /* the maker has gone there */
    const struct learn_data *const data = learn_run_data(maker.run);
    size_t numbers = 0;
    for (size_t w = 0; w < learn_data_vocabulary(data); w++) {
        char *end = NULL;
        numbers += strtoul(learn_data_words(data)[w], &end, 10) == numbers && *end == '\0';
    }
    *value = vocabulary ? (double)learn_data_vocabulary(data) : (double)(numbers - largest);
    return true;
}

static double value_of(const struct scene *scene, const char *code)
{
    if (strcmp(code, "step") == 0) {
        return run_named(&scene->lesson->step[scene->step].experiment, code, 0);
    }
    static const char without[] = "without:";
    if (strncmp(code, without, strlen(without)) == 0) {
        return run_named(&scene->lesson->step[scene->step].experiment, "without",
                         strtoul(code + strlen(without), NULL, 10));
    }
    if (code[0] == '#') { /* the number of an MLP or of an attention that is named */
        return strtod(code + 1, NULL);
    }
    if (strcmp(code, "layer") == 0) {
        return (double)scene->lesson->step[scene->step].experiment.layer;
    }
    if (strcmp(code, "head0") == 0) {
        return (double)scene->lesson->step[scene->step].selection.head;
    }
    if (strcmp(code, "sum") == 0) {
        const char *const *const word =
            lab_words_list(scene->lesson->step[scene->step].experiment.tokens);
        return (double)(strtoul(word[0], NULL, 10) + strtoul(word[1], NULL, 10));
    }
    double of_parts = 0;
    const bool is_less = code[0] == '-';
    if (strcmp(code + is_less, "lead") == 0 || strstr(code, "adds:") == code ||
        strstr(code, "lost:") == code || strstr(code, "path:") == code ||
        strstr(code, "lens%:") == code) {
        lab_trace_release(trace_of_learned(&scene->lesson->step[scene->step].experiment));
        assert_true(claim_why_value(&scene->lesson->step[scene->step], maker.run, code + is_less,
                                    &of_parts));
        return is_less ? -of_parts : of_parts;
    }
    static const char base[] = "base.";
    struct lab_step step = scene->lesson->step[scene->step];
    const struct lab_experiment *experiment = &step.experiment;
    if (strncmp(code, base, sizeof base - 1) == 0) {
        code += sizeof base - 1;
        experiment = &scene->lesson->experiment;
    }
    struct lab_trace *const trace = trace_of_learned(experiment);
    struct arena arena = {0};
    char name[16] = "";
    size_t index[2] = {0, 0};
    const char *const colon = strchr(code, ':');
    const size_t letters = colon == NULL ? strlen(code) : (size_t)(colon - code);
    memcpy(name, code, letters);
    double value = 0;
    if (colon != NULL) {
        char *end = NULL;
        index[0] = strtoul(colon + 1, &end, 10);
        index[1] = *end == ',' ? strtoul(end + 1, NULL, 10) : 0;
    }
    if (strcmp(name, "term") == 0) {
        const struct lab_terms terms = lab_terms(trace, step.stage, &step.selection, &arena);
        assert_true(index[0] < terms.count);
        value = terms.term[index[0]].product;
    } else if (!slope_named(&step, name, index, &value) &&
               !measured(&step.experiment, name, &value) &&
               !said_named(&step.experiment, name, index[0], &value) &&
               !word_named(&step.experiment, name, &value) &&
               !size_named(trace, &step, name, &value) &&
               (strchr(code, ':') != NULL || !count_named(trace, name, 0, &value)) &&
               (strcmp(name, "seen") != 0 || !count_named(trace, name, index[0], &value))) {
        value = cell_named(trace, &step, name, index[0], index[1]);
    }
    arena_free(&arena);
    lab_trace_release(trace);
    return value;
}

/* Whether the space here stands between thousands: three digits follow, and no fourth. */
static bool is_gap(const char *at)
{
    return *at == ' ' && strspn(at + 1, "0123456789") == 3;
}

/* The next number of a caption from *at on: its value, and half of its last place. */
static bool next_number(const char **at, double *value, double *half)
{
    static const char minus[] = "−";
    const char *c = *at;
    while (*c != '\0' && !(*c >= '0' && *c <= '9')) {
        c++;
    }
    if (*c == '\0') {
        return false;
    }
    const bool negative = c - *at >= (ptrdiff_t)(sizeof minus - 1) &&
                          memcmp(c - (sizeof minus - 1), minus, sizeof minus - 1) == 0;
    const char *end = c;
    *half = 0.5;
    *value = 0;
    for (; *end >= '0' && *end <= '9'; end += is_gap(end + 1) ? 2 : 1) {
        *value = *value * 10 + (*end - '0');
    }
    if (end[0] == '.' && end[1] >= '0' && end[1] <= '9') {
        for (end++; *end >= '0' && *end <= '9'; end++) {
            *half /= 10;
            *value += 2 * *half * (*end - '0');
        }
    }
    *value = negative ? -*value : *value;
    *at = end;
    return true;
}

/* Holds the caption against one list of codes; returns how many of its numbers they cover. */
static size_t hold(const struct scene *scene, const char *caption, const char *codes)
{
    char list[200];
    size_t numbers = 0;
    assert_true(strlen(codes) < sizeof list);
    strcpy(list, codes);
    for (char *code = strtok(list, " "); code != NULL; code = strtok(NULL, " ")) {
        double said = 0, half = 0;
        if (!next_number(&caption, &said, &half)) {
            fail_msg("%s, step %zu: no number is left for %s", scene->lesson->name, scene->step,
                     code);
        }
        const double value = value_of(scene, code);
        if (!(fabs(value - said) <= half * 1.001)) {
            fail_msg("%s, step %zu says %g, but %s is %.6g", scene->lesson->name, scene->step, said,
                     code, value);
        }
        /* Whole numbers are exact unless they are percents. */
        assert_true(half < 0.4 || strchr(code, '%') != NULL || fabs(value - said) < 1e-4);
        numbers++;
    }
    double more = 0, half = 0;
    return next_number(&caption, &more, &half) ? SIZE_MAX : numbers;
}

static void every_number_in_every_caption_is_computed(void **state)
{
    (void)state;
    size_t checked = 0;
    for (size_t c = 0; c < sizeof claims / sizeof claims[0]; c++) {
        size_t index = 0;
        struct arena arena = {0};
        struct lab_lesson lesson;
        struct error error = {ERROR_NONE, 0, ""};
        assert_true(lab_lesson_find(claims[c].lesson, &index));
        lab_lesson_load(index, &arena, &lesson, &error);
        assert_string_equal(error.text, "");
        for (size_t s = 0; s < lesson.steps; s++) {
            const struct scene scene = {&lesson, s};
            char first[200] = "";
            assert_true(s < 9 && claims[c].numbers[s] != NULL);
            const char *const same = strstr(claims[c].numbers[s], " | ");
            const size_t letters =
                same == NULL ? strlen(claims[c].numbers[s]) : (size_t)(same - claims[c].numbers[s]);
            memcpy(first, claims[c].numbers[s], letters);
            const size_t numbers = hold(&scene, lesson.step[s].caption, first);
            if (numbers == SIZE_MAX) {
                fail_msg("%s, step %zu has more numbers than are accounted for: %s", lesson.name, s,
                         lesson.step[s].caption);
            }
            if (same != NULL) {
                hold(&scene, lesson.step[s].caption, same + 3);
            }
            checked += numbers;
        }
        lab_lesson_release(&lesson);
        arena_free(&arena);
    }
    assert_true(checked > 120);
    assert_int_equal(sizeof claims / sizeof claims[0], lab_lesson_count());
    learn_weight_rebuilder_close(&maker);
}

/* "A little more of it, and the loss falls; it rises with any other word of the row." */
static void of_its_row_only_hammer_lowers_the_loss(void **state)
{
    (void)state;
    size_t index = 0;
    struct arena arena = {0};
    struct lab_step step;
    assert_true(lab_lesson_find("onestep", &index));
    assert_true(lab_lesson_step(index, 1, &arena, &step, NULL));
    struct learn_activations *const sentence = asked(&step.experiment);
    const struct lab_matrix slopes =
        learn_activations_gradient(sentence, LEARN_ALPHA, 0, step.selection.head);
    for (size_t key = 0; key <= step.selection.query; key++) {
        assert_int_equal(lab_matrix_at(&slopes, step.selection.query, key) < 0,
                         key == step.selection.key);
    }
    learn_activations_free(sentence);
    lab_experiment_release(&step.experiment);
    arena_free(&arena);
    learn_weight_rebuilder_close(&maker);
}

/* The key that is framed while the class guesses the winner must not be the winner. */
static void no_guess_is_told_by_what_is_framed(void **state)
{
    (void)state;
    size_t guesses = 0;
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        struct arena arena = {0};
        struct lab_lesson lesson;
        assert_true(lab_lesson_load(l, &arena, &lesson, NULL));
        for (size_t s = 0; s < lesson.steps; s++) {
            const struct lab_step *const step = &lesson.step[s];
            if (step->guess != LAB_GUESS_WINNER) {
                continue;
            }
            struct lab_trace *const trace = trace_of_learned(&step->experiment);
            const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, step->selection.head);
            size_t key = 0;
            lab_measure_largest(alpha.values + step->selection.query * alpha.stride, alpha.cols,
                                &key);
            if (key == step->selection.key) {
                fail_msg("%s, step %zu frames the word that is to be guessed", lesson.name, s + 1);
            }
            lab_trace_release(trace);
            guesses++;
        }
        lab_lesson_release(&lesson);
        arena_free(&arena);
    }
    assert_true(guesses >= 8);
    learn_weight_rebuilder_close(&maker);
}

/* Which of the codes name numbers of the stage that stands there: of the chosen row, and whether
 * one of them is the framed cell. */
static size_t spoken_of(const struct lab_step *step, const char *codes, bool *framed)
{
    static const char *const parts[LAB_STAGES][2] = {[LAB_SCORE] = {"S", "S"},
                                                     [LAB_SCALE] = {"SC", "SC"},
                                                     [LAB_SOFTMAX] = {"A", "A%"},
                                                     [LAB_BLEND] = {"Z", "Z"},
                                                     [LAB_OUTPUT] = {"O", "O"}};
    const char *const *const part = parts[step->stage];
    const struct lab_selection *const at = &step->selection;
    const size_t column =
        step->stage == LAB_BLEND || step->stage == LAB_OUTPUT ? at->channel : at->key;
    char list[200];
    size_t count = 0;
    strcpy(list, codes);
    for (char *code = strtok(list, " "); code != NULL; code = strtok(NULL, " ")) {
        char *const colon = strchr(code, ':');
        size_t row = 0, cell = 0;
        if (colon == NULL || part[0] == NULL || sscanf(colon + 1, "%zu,%zu", &row, &cell) != 2) {
            continue;
        }
        *colon = '\0';
        if (row == at->query && (strcmp(code, part[0]) == 0 || strcmp(code, part[1]) == 0)) {
            count++;
            *framed = *framed || cell == column;
        }
    }
    return count;
}

/* A caption that says numbers of the chosen row says the one that is framed. */
static void what_is_framed_is_among_what_is_said(void **state)
{
    (void)state;
    size_t checked = 0;
    for (size_t c = 0; c < sizeof claims / sizeof claims[0]; c++) {
        size_t index = 0;
        struct arena arena = {0};
        struct lab_lesson lesson;
        assert_true(lab_lesson_find(claims[c].lesson, &index));
        assert_true(lab_lesson_load(index, &arena, &lesson, NULL));
        for (size_t s = 0; s < lesson.steps; s++) {
            bool framed = false;
            const size_t count = lesson.step[s].guess != LAB_GUESS_NONE
                                     ? 0
                                     : spoken_of(&lesson.step[s], claims[c].numbers[s], &framed);
            checked += count > 0;
            if (count > 0 && !framed) {
                fail_msg("%s, step %zu frames another number than it speaks of: %s", lesson.name,
                         s + 1, lesson.step[s].caption);
            }
        }
        lab_lesson_release(&lesson);
        arena_free(&arena);
    }
    assert_true(checked > 40);
}

/* Heads of what was learned are called L0H0 on every panel: never the first, the second. */
static void learned_heads_are_called_as_the_panels_call_them(void **state)
{
    static const char *const counted[] = {"first head", "second head", "third head", "last head",
                                          "the last one looks"};
    (void)state;
    size_t called = 0;
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        struct arena arena = {0};
        struct lab_lesson lesson;
        assert_true(lab_lesson_load(l, &arena, &lesson, NULL));
        for (size_t s = 0; s < lesson.steps && lesson.experiment.learned != NULL; s++) {
            const char *const caption = lesson.step[s].caption;
            char name[48];
            snprintf(name, sizeof name, "L%zuH%zu", lesson.step[s].experiment.layer,
                     lesson.step[s].selection.head);
            called += strstr(caption, name) != NULL;
            for (size_t w = 0; w < sizeof counted / sizeof *counted; w++) {
                if (strstr(caption, counted[w]) != NULL) {
                    fail_msg("%s, step %zu, %s: %s", lesson.name, s + 1, name, caption);
                }
            }
        }
        lab_lesson_release(&lesson);
        arena_free(&arena);
    }
    assert_true(called >= 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_in_every_caption_is_computed),
        cmocka_unit_test(what_is_framed_is_among_what_is_said),
        cmocka_unit_test(learned_heads_are_called_as_the_panels_call_them),
        cmocka_unit_test(no_guess_is_told_by_what_is_framed),
        cmocka_unit_test(of_its_row_only_hammer_lowers_the_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
