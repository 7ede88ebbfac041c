/* learn/blame.c — see blame.h: a run with what ranking needs, and its repetitions. */
#include "learn/blame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attn/pool.h"
#include "base/random.h"
#include "learn/blame_internal.h"
#include "learn/symbol_tokens.h"

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY,
                     "There is not enough memory to train this again without its lines.");
}

/* ---- making and freeing ---------------------------------------------------------------------- */

static bool allocate_buffers(struct learn_blame *blame, struct error *error)
{
    const size_t floats = blame->floats, n = blame->recipe.shape.context;
    const size_t lines = learn_data_lines(blame->data);
    struct arena *const arena = &blame->arena;
    blame->weights = arena_array(arena, floats, sizeof(float));
    blame->checkpoints = arena_array(arena, LEARN_BLAME_CHECKPOINTS * floats, sizeof(float));
    blame->logits = arena_array(arena, n * blame->recipe.shape.vocabulary, sizeof(float));
    blame->without = arena_array(arena, lines, sizeof *blame->without);
    blame->line = arena_array(arena, lines, sizeof *blame->line);
    blame->asked_tokens = arena_array(arena, n, sizeof(int32_t));
    for (size_t i = 0; i < 2; i++) {
        blame->gradient[i] = arena_array(arena, floats, sizeof(float));
        blame->row[i] = arena_array(arena, n, sizeof(int32_t));
    }
    if (arena->lacking) {
        return no_memory(error);
    }
    memset(blame->without, 0, lines * sizeof *blame->without);
    return true;
}

static bool start_blame(struct learn_blame *blame, struct error *error)
{
    struct learn_recipe *const recipe = &blame->recipe;
    if (recipe->task == LEARN_TASK_TEXT && recipe->rows != LEARN_ROWS_LINES) {
        return error_set(error, ERROR_INPUT,
                         "It was trained on windows, in which every line has a share of all "
                         "others: train it on rows of lines to ask which line taught a word.");
    }
    blame->data = learn_recipe_data_of(recipe, blame->cut, error);
    if (blame->data == NULL) {
        return false;
    }
    if (learn_data_lines(blame->data) == 0) {
        return error_set(error, ERROR_INPUT,
                         "This is not learned from lines that can be left out.");
    }
    learn_recipe_fit(recipe, blame->data);
    const struct lab_engine alone = {.kernels = blame->engine.kernels};
    blame->network = learn_recipe_check(recipe, error)
                         ? learn_network_open(&recipe->shape, &alone, error)
                         : NULL;
    if (blame->network == NULL) {
        return false;
    }
    blame->floats = learn_network_tensors(blame->network)->floats;
    return allocate_buffers(blame, error);
}

struct learn_blame *learn_blame_make(const struct learn_recipe *recipe,
                                     const struct learn_data *cut, uint64_t step,
                                     const struct lab_engine *engine, struct error *error)
{
    struct learn_blame *const blame = calloc(1, sizeof *blame);
    if (blame == NULL) {
        no_memory(error);
        return NULL;
    }
    blame->recipe = *recipe;
    blame->cut = learn_data_keep(cut);
    blame->step = step;
    if (engine != NULL) {
        blame->engine = *engine;
    }
    if (!start_blame(blame, error)) {
        learn_blame_free(blame);
        return NULL;
    }
    return blame;
}

void learn_blame_free(struct learn_blame *blame)
{
    if (blame == NULL) {
        return;
    }
    for (size_t l = 0; blame->without != NULL && l < learn_data_lines(blame->data); l++) {
        free(blame->without[l]);
    }
    learn_run_free(blame->training);
    learn_network_close(blame->network);
    learn_data_release(blame->data);
    learn_data_release(blame->cut);
    arena_free(&blame->arena);
    free(blame);
}

const float *learn_blame_weights(const struct learn_blame *blame)
{
    return blame->is_trained ? blame->weights : NULL;
}

const float *learn_blame_weights_without(const struct learn_blame *blame, size_t line)
{
    return blame->without[line];
}

const struct learn_recipe *learn_blame_recipe(const struct learn_blame *blame)
{
    return &blame->recipe;
}

const struct learn_data *learn_blame_data(const struct learn_blame *blame)
{
    return blame->data;
}

/* ---- training -------------------------------------------------------------------------------- */

/* Makes a run of which the last weights alone are wanted. */
static struct learn_run *make_run(const struct learn_blame *blame,
                                  const struct learn_recipe *recipe,
                                  const struct lab_engine *engine, struct error *error)
{
    struct learn_run *const run = learn_run_make_of(recipe, blame->cut, engine, error);
    if (run != NULL) {
        learn_run_keep_at_most(run, 0);
        learn_run_keep_points(run, false);
    }
    return run;
}

/* Returns the step of a checkpoint: they lie in the middle of equal parts of the run. */
static uint64_t checkpoint_step(const struct learn_blame *blame, size_t checkpoint)
{
    return (2 * checkpoint + 1) * blame->step / (2 * (uint64_t)LEARN_BLAME_CHECKPOINTS);
}

bool learn_blame_train(struct learn_blame *blame, const struct learn_progress *progress,
                       struct error *error)
{
    const size_t floats = blame->floats;
    if (blame->training == NULL) {
        blame->training = make_run(blame, &blame->recipe, &blame->engine, error);
        blame->checkpoints_kept = 0;
    }
    struct learn_run *const run = blame->training;
    bool done = run != NULL;
    while (done && blame->checkpoints_kept < LEARN_BLAME_CHECKPOINTS) {
        const size_t c = blame->checkpoints_kept;
        done = learn_run_go(run, checkpoint_step(blame, c), progress, error);
        if (done) {
            memcpy(blame->checkpoints + c * floats, learn_run_weights(run), floats * sizeof(float));
            blame->checkpoints_kept++;
        }
    }
    done = done && learn_run_go(run, blame->step, progress, error);
    if (done) {
        memcpy(blame->weights, learn_run_weights(run), floats * sizeof(float));
        blame->is_trained = true;
        learn_run_free(run);
        blame->training = NULL;
    }
    return done;
}

/* ---- asking ---------------------------------------------------------------------------------- */

bool learn_blame_probability(struct learn_blame *blame, const float *weights, float *probability,
                             int32_t *says, struct error *error)
{
    const struct learn_question *const question = &blame->question;
    const size_t vocabulary = blame->recipe.shape.vocabulary;
    const struct learn_batch batch = {1, question->count, question->tokens, NULL};
    struct learn_result result;
    if (!learn_network_run(blame->network, weights, &batch, NULL, blame->logits, &result, error)) {
        return false;
    }
    const float *const last = blame->logits + (question->count - 1) * vocabulary;
    size_t best = 0;
    double sum = 0;
    for (size_t w = 1; w < vocabulary; w++) {
        best = last[w] > last[best] ? w : best;
    }
    for (size_t w = 0; w < vocabulary; w++) {
        sum += exp((double)last[w] - (double)last[best]);
    }
    const size_t word = question->word < 0 ? best : (size_t)question->word;
    *probability = (float)(exp((double)last[word] - (double)last[best]) / sum);
    if (says != NULL) {
        *says = (int32_t)best;
    }
    return true;
}

static double dot(const float *a, const float *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)a[i] * (double)b[i];
    }
    return sum;
}

/* Adds a checkpoint's share to the similarity of each line. asked: the targets of all lines, so
 * that a line counts as much as it does in the loss. */
static bool add_checkpoint(struct learn_blame *blame, size_t checkpoint, size_t asked,
                           const struct learn_progress *progress, struct error *error)
{
    const float *const weights = blame->checkpoints + checkpoint * blame->floats;
    const double rate =
        (double)learn_optimiser_rate(&blame->recipe.optimiser, checkpoint_step(blame, checkpoint));
    const size_t n = blame->recipe.shape.context, count = blame->question.count;
    int32_t *const tokens = blame->row[0], *const targets = blame->row[1];
    struct learn_result result;
    for (size_t i = 0; i < count; i++) {
        targets[i] = i + 1 == count ? blame->question.word : LEARN_NOT_ASKED;
    }
    const struct learn_batch word = {1, count, blame->question.tokens, targets};
    bool done =
        learn_network_run(blame->network, weights, &word, blame->gradient[0], NULL, &result, error);
    const struct learn_batch row = {1, n, tokens, targets};
    const size_t lines = blame->question.line_count;
    for (size_t l = 0; done && l < lines; l++) {
        if (progress != NULL && !progress->goes_on(progress->owner, checkpoint * lines + l)) {
            return false;
        }
        (void)learn_data_line(blame->data, blame->line[l].line, tokens, targets);
        done = learn_network_run(blame->network, weights, &row, blame->gradient[1], NULL, &result,
                                 error);
        blame->line[l].similarity +=
            (float)(rate * (double)result.asked *
                    (double)learn_data_line_times(blame->data, blame->line[l].line) /
                    (double)asked * dot(blame->gradient[0], blame->gradient[1], blame->floats));
    }
    return done;
}

/* A line's own words, to find those that are alike. */
struct wording {
    const char *text;
    size_t length, line;
};

static int compare_wordings(const void *a, const void *b)
{
    const struct wording *const x = a, *const y = b;
    return x->length != y->length ? (x->length < y->length ? -1 : 1)
                                  : memcmp(x->text, y->text, x->length);
}

/* Counts how often the text has each line. count: [lines]. */
static bool count_lines(const struct learn_data *data, size_t *count, struct error *error)
{
    const size_t lines = learn_data_lines(data);
    struct wording *const wording = calloc(lines + 1, sizeof *wording);
    if (wording == NULL) {
        return no_memory(error);
    }
    const struct bytes text = learn_data_all_lines(data);
    const char *at = (const char *)text.at, *const text_end = at + text.size;
    for (size_t l = 0, number = 1; l < lines; number++) { /* once through the text */
        const char *const found = memchr(at, '\n', (size_t)(text_end - at));
        const char *const end = found == NULL ? text_end : found;
        if (number == learn_data_line_number(data, l)) {
            wording[l] = (struct wording){at, (size_t)(end - at), l};
            l++;
        }
        at = end < text_end ? end + 1 : text_end;
    }
    qsort(wording, lines, sizeof *wording, compare_wordings);
    for (size_t first = 0, end = 0; first < lines; first = end) {
        while (end < lines && compare_wordings(&wording[first], &wording[end]) == 0) {
            end++;
        }
        for (size_t l = first; l < end; l++) {
            count[wording[l].line] = end - first;
        }
    }
    free(wording);
    return true;
}

/* Lists the lines that are asked, with how often the text has each. asked: the number of targets of
 * all. */
static bool list_lines(struct learn_blame *blame, size_t *asked, struct error *error)
{
    const struct learn_data *const data = blame->data;
    const size_t lines = learn_data_lines(data), n = blame->recipe.shape.context;
    struct learn_question *const question = &blame->question;
    size_t *const count = calloc(lines + 1, sizeof *count);
    *asked = question->line_count = 0;
    if (count == NULL || !count_lines(data, count, error)) {
        free(count);
        return count != NULL ? false : no_memory(error);
    }
    for (size_t l = 0; l < lines; l++) {
        const size_t number = learn_data_line_number(data, l);
        if (record_list_has(&blame->recipe.without, number)) {
            continue;
        }
        (void)learn_data_line(data, l, blame->row[0], blame->row[1]);
        const size_t times = learn_data_line_times(data, l);
        for (size_t i = 0; i < n; i++) {
            *asked += blame->row[1][i] >= 0 ? times : 0;
        }
        blame->line[question->line_count++] =
            (struct learn_blame_line){.line = l, .number = number, .count = count[l] * times};
    }
    free(count);
    return true;
}

static int compare_similarity(const void *a, const void *b)
{
    const struct learn_blame_line *const x = a, *const y = b;
    const float one = fabsf(x->similarity), other = fabsf(y->similarity);
    return one > other ? -1 : one < other ? 1 : x->line < y->line ? -1 : x->line > y->line;
}

/* Draws lines behind the likeliest, the same each time: the seed and the lines decide. */
static void draw_lines(struct learn_blame *blame)
{
    const size_t count = blame->question.line_count;
    size_t left = count > LEARN_BLAME_LIKELIEST ? count - LEARN_BLAME_LIKELIEST : 0;
    size_t wanted = left < LEARN_BLAME_DRAWN ? left : LEARN_BLAME_DRAWN;
    struct random random;
    random_start(&random, blame->recipe.seed, "lines to compare with");
    for (size_t l = LEARN_BLAME_LIKELIEST; l < count; l++, left--) {
        /* Each line is drawn with the chance that all that are left have. */
        const bool is_drawn = random_uniform(&random) * (double)left < (double)wanted;
        blame->line[l].is_drawn = is_drawn;
        wanted -= is_drawn ? 1 : 0;
    }
}

/* Says whether a line begins with the question and its word. */
static bool is_in_text(const struct learn_blame *blame)
{
    const struct learn_question *const question = &blame->question;
    const size_t count = question->count;
    for (size_t l = 0; l < question->line_count; l++) {
        const size_t used =
            learn_data_line(blame->data, blame->line[l].line, blame->row[0], blame->row[1]);
        if (used >= count && blame->row[1][count - 1] == question->word &&
            memcmp(blame->row[0], question->tokens, count * sizeof *question->tokens) == 0) {
            return true;
        }
    }
    return false;
}

/* Copies what stands before the first place of the word in the text. */
static bool find_beginning(struct learn_blame *blame, const char *name, struct error *error)
{
    struct learn_question *const question = &blame->question;
    for (size_t l = 0; l < question->line_count; l++) {
        const size_t used =
            learn_data_line(blame->data, blame->line[l].line, blame->row[0], blame->row[1]);
        for (size_t i = 0; i < used; i++) {
            if (blame->row[1][i] == question->word) {
                question->count = i + 1;
                memcpy(blame->asked_tokens, blame->row[0], (i + 1) * sizeof(int32_t));
                return true;
            }
        }
    }
    return error_set(error, ERROR_INPUT,
                     "No line says “%.60s” behind another word: give the beginning of a line "
                     "that it might come behind.",
                     name);
}

/* Keeps the tokens that it asks behind. */
static bool keep_beginning(struct learn_blame *blame, const int32_t *tokens, size_t count,
                           struct error *error)
{
    const size_t max = blame->recipe.shape.context;
    if (count == 0 || count > max) {
        return error_set(error, ERROR_INPUT,
                         "The beginning of a line has 1 to %zu tokens here, not %zu.", max, count);
    }
    blame->question.count = count;
    memcpy(blame->asked_tokens, tokens, count * sizeof *tokens);
    return true;
}

/* Reads the beginning of a line and the word. */
static bool read_question(struct learn_blame *blame, const char *beginning, const char *word,
                          struct error *error)
{
    struct learn_question *const question = &blame->question;
    const size_t token = word == NULL ? SIZE_MAX : learn_token_of(blame->data, word);
    question->word = token == SIZE_MAX ? LEARN_NOT_ASKED : (int32_t)token;
    if (word != NULL && token == SIZE_MAX) {
        return error_set(error, ERROR_INPUT, "No line has the word “%.60s”.", word);
    }
    if (beginning == NULL) {
        return word != NULL ? find_beginning(blame, word, error)
                            : error_set(error, ERROR_USAGE,
                                        "Which word is it about? Name it, or the beginning of the "
                                        "line that it comes behind.");
    }
    struct arena arena = {0};
    const int32_t *tokens = NULL;
    size_t count = 0;
    const bool done = learn_data_encode_line(blame->data, beginning, strlen(beginning), &arena,
                                             &tokens, &count, error) &&
                      keep_beginning(blame, tokens, count, error);
    arena_free(&arena);
    return done;
}

/* Begins with a new question. asked: the number of targets of all lines. */
static bool begin_question(struct learn_blame *blame, size_t *asked, struct error *error)
{
    blame->question = (struct learn_question){.lines = blame->line, .tokens = blame->asked_tokens};
    return blame->is_trained
               ? list_lines(blame, asked, error)
               : error_set(error, ERROR_USAGE, "There is nothing to ask before it is trained.");
}

/* Answers the question that was read as far as it can without repeating a line. */
static bool rank_lines(struct learn_blame *blame, size_t asked,
                       const struct learn_progress *progress, struct error *error)
{
    struct learn_question *const question = &blame->question;
    int32_t says = LEARN_NOT_ASKED;
    bool done =
        learn_blame_probability(blame, blame->weights, &question->probability, &says, error);
    question->word = question->word < 0 ? says : question->word;
    for (size_t c = 0; done && c < LEARN_BLAME_CHECKPOINTS; c++) {
        done = add_checkpoint(blame, c, asked, progress, error);
    }
    if (!done) {
        question->line_count = 0;
        return false;
    }
    qsort(blame->line, question->line_count, sizeof *blame->line, compare_similarity);
    draw_lines(blame);
    question->is_in_text = is_in_text(blame);
    return learn_blame_judge(blame, error);
}

bool learn_blame_ask(struct learn_blame *blame, const char *beginning, const char *word,
                     struct error *error)
{
    size_t asked = 0;
    if (!begin_question(blame, &asked, error) || !read_question(blame, beginning, word, error)) {
        blame->question.line_count = 0;
        return false;
    }
    return rank_lines(blame, asked, NULL, error);
}

bool learn_blame_ask_tokens(struct learn_blame *blame, const int32_t *tokens, size_t count,
                            int32_t word, const struct learn_progress *progress,
                            struct error *error)
{
    size_t asked = 0;
    if (!begin_question(blame, &asked, error) || !keep_beginning(blame, tokens, count, error)) {
        blame->question.line_count = 0;
        return false;
    }
    blame->question.word = word < 0 ? LEARN_NOT_ASKED : word;
    return rank_lines(blame, asked, progress, error);
}

const struct learn_question *learn_blame_question(const struct learn_blame *blame)
{
    return &blame->question;
}

/* ---- repeating ------------------------------------------------------------------------------- */

size_t learn_blame_choose(const struct learn_blame *blame, size_t lines[LEARN_BLAME_CHOSEN])
{
    size_t count = 0;
    for (size_t l = 0; l < blame->question.line_count && count < LEARN_BLAME_CHOSEN; l++) {
        if (l < LEARN_BLAME_LIKELIEST || blame->line[l].is_drawn) {
            lines[count++] = blame->line[l].line;
        }
    }
    return count;
}

/* The lines that are repeated at once. */
struct repeating {
    struct learn_blame *blame;
    const size_t *lines;
    const struct learn_progress *progress;
    atomic_bool stopped;
    atomic_uint_fast64_t steps;
    struct error *errors; /* [lines] */
};

/* One job, and whether it runs on the calling thread. */
struct repetition {
    struct repeating *all;
    bool is_caller;
};

static bool goes_on(void *owner, uint64_t step)
{
    const struct repetition *const one = owner;
    struct repeating *const all = one->all;
    (void)step;
    const uint64_t steps = atomic_fetch_add(&all->steps, 1) + 1;
    if (one->is_caller && all->progress != NULL &&
        !all->progress->goes_on(all->progress->owner, steps)) {
        atomic_store(&all->stopped, true);
    }
    return !atomic_load(&all->stopped);
}

/* Trains with more lines left out; weights [floats] are allocated for the caller. NULL: it failed,
 * with a sentence, or was given up. */
static float *train_without(struct learn_blame *blame, const struct record_list *numbers,
                            const struct learn_progress *progress, const struct lab_engine *engine,
                            struct error *error)
{
    struct learn_recipe recipe = blame->recipe;
    for (uint32_t n = 0; n < numbers->count; n++) {
        if (!record_list_has(&recipe.without, numbers->number[n]) &&
            !record_list_add(&recipe.without, numbers->number[n])) {
            error_set(error, ERROR_INPUT, "At most %d lines can be left out together.",
                      RECORD_LIST_MAX);
            return NULL;
        }
    }
    struct learn_run *const run = make_run(blame, &recipe, engine, error);
    float *weights = NULL;
    if (run != NULL && learn_run_go(run, blame->step, progress, error)) {
        weights = malloc(blame->floats * sizeof *weights);
        if (weights == NULL) {
            no_memory(error);
        } else {
            memcpy(weights, learn_run_weights(run), blame->floats * sizeof *weights);
        }
    }
    learn_run_free(run);
    return weights;
}

static void repeat_line(void *context, size_t job, size_t worker)
{
    struct repeating *const all = context;
    struct learn_blame *const blame = all->blame;
    const size_t line = all->lines[job];
    struct repetition one = {all, worker == 0};
    const struct learn_progress progress = {goes_on, &one};
    const struct lab_engine alone = {.kernels = blame->engine.kernels};
    struct record_list numbers = {.count = 0};
    (void)record_list_add(&numbers, learn_data_line_number(blame->data, line));
    if (blame->without[line] == NULL && !atomic_load(&all->stopped)) {
        blame->without[line] = train_without(blame, &numbers, &progress, &alone, &all->errors[job]);
    }
}

bool learn_blame_repeat(struct learn_blame *blame, const size_t *lines, size_t count,
                        const struct learn_progress *progress, struct error *error)
{
    struct repeating all = {.blame = blame, .lines = lines, .progress = progress};
    const double work = HUGE_VAL; /* always worth a thread for each line */
    bool done = true;
    all.errors = calloc(count > 0 ? count : 1, sizeof *all.errors);
    if (all.errors == NULL) {
        return no_memory(error);
    }
    atomic_init(&all.stopped, false);
    atomic_init(&all.steps, 0);
    attn_pool_run(blame->engine.pool, work, count, repeat_line, &all);
    for (size_t l = 0; l < count && done; l++) {
        if (all.errors[l].code != ERROR_NONE && error != NULL) {
            *error = all.errors[l];
        }
        done = blame->without[lines[l]] != NULL;
    }
    free(all.errors);
    return learn_blame_judge(blame, done ? error : NULL) && done;
}
