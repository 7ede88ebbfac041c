/* learn/task.c — see task.h. */
#include "learn/task.h"

#include <string.h>

#include "base/translate.h"

/* All recipes share AdamW with .9 and .98, weight decay .01, and 50 steps of warm-up. */
#define ADAMW(RATE, DECAY)                                                                         \
    {                                                                                              \
        .method = LEARN_ADAMW, .rate = (RATE), .beta1 = .9F, .beta2 = .98F, .epsilon = 1e-8F,      \
        .weight_decay = (DECAY), .warmup = 50                                                      \
    }

/* One layer with one head that sees the whole list. */
#define LIST_RECIPE(TASK, SEED)                                                                    \
    {                                                                                              \
        .task = (TASK),                                                                            \
        .shape = {.family = LEARN_GPT2,                                                            \
                  .layers = 1,                                                                     \
                  .heads = 1,                                                                      \
                  .d_model = 32,                                                                   \
                  .d_k = 32,                                                                       \
                  .context = 8,                                                                    \
                  .norm = true},                                                                   \
        .optimiser = ADAMW(5e-3F, .01F), .batch = 64, .steps = 600, .seed = (SEED)                 \
    }

/* clang-format off */
static const struct learn_task tasks[LEARN_TASKS] = {
    {LEARN_TASK_COPY, "copy", "Copy", "At each place of a list of letters, say the letter of the place before it; at the first, the last one.", NULL,
     LIST_RECIPE(LEARN_TASK_COPY, 1),
     {{LEARN_SCORE_ANSWER, .5F, "attention finds the place before"}}, 1, false, false,
     {{300, .99F, 0, .8F}}, 1},
    {LEARN_TASK_REVERSE, "reverse", "Reverse", "Say a list of letters backwards.", "reverse",
     LIST_RECIPE(LEARN_TASK_REVERSE, 1),
     {{LEARN_SCORE_ANSWER, .5F, "attention becomes the anti-diagonal"}}, 1, false, false,
     {{300, .99F, 0, .8F}}, 1},
    {LEARN_TASK_SORT, "sort", "Sort", "At each place of a list of different letters, say the next one of the alphabet that is in the list; at the last one, the first.", NULL,
     LIST_RECIPE(LEARN_TASK_SORT, 1),
     {{LEARN_SCORE_ANSWER, .5F, "attention finds the next larger one"}}, 1, false, false,
     {{600, .95F, 0, .5F}}, 1},
    {LEARN_TASK_SMALL_WORLD, "small-world", "Small world", "Say the next word of sentences about animals, cities, tools and food: \"the man buys a hammer . it is heavy .\"", "learned",
     {.task = LEARN_TASK_SMALL_WORLD,
      .shape = {.family = LEARN_GPT2, .layers = 1, .heads = 2, .d_model = 16, .d_k = 8, .context = 24, .norm = true},
      .optimiser = ADAMW(5e-3F, .01F), .batch = 64, .steps = 1500, .seed = 19},
     {{LEARN_SCORE_NOUN, .5F, "attention finds the noun"}, {LEARN_SCORE_KINDS, .3F, "kinds of words move apart"}, {LEARN_SCORE_PREVIOUS, .5F, "a head looks at the word before"}}, 3, false, false,
     {{300, .7F, 0, 0}, {1000, .7F, 0, .7F}}, 2},
    {LEARN_TASK_INDUCTION, "induction", "Induction", "A run of different letters comes again and again: say the next letter where the present one has been seen.", "induction",
     {.task = LEARN_TASK_INDUCTION,
      .shape = {.family = LEARN_LLAMA, .layers = 2, .heads = 4, .d_model = 64, .d_k = 16, .context = 32, .norm = true, .tied = false, .theta = 100},
      .optimiser = ADAMW(3e-3F, .01F), .batch = 32, .steps = 1000, .seed = 5},
     {{LEARN_SCORE_INDUCTION, .5F, "a head looks behind the last time"}, {LEARN_SCORE_PREVIOUS, .5F, "a head looks at the letter before"}}, 2, false, true,
     {{1000, .98F, 0, .75F}}, 1},
    {LEARN_TASK_BRACKETS, "brackets", "Brackets", "Say which bracket closes, wherever the next one is a closing one.", NULL,
     {.task = LEARN_TASK_BRACKETS,
      .shape = {.family = LEARN_GPT2, .layers = 2, .heads = 2, .d_model = 32, .d_k = 16, .context = 24, .inner = 128, .norm = true},
      .optimiser = ADAMW(3e-3F, .01F), .batch = 64, .steps = 900, .seed = 6},
     {{LEARN_SCORE_MATCH, .4F, "attention finds the bracket to close"}, {LEARN_SCORE_PREVIOUS, .5F, "a head looks at the bracket before"}}, 2, false, false,
     {{300, .93F, 0, .4F}, {900, .98F, 0, .5F}}, 2},
    {LEARN_TASK_ADDITION, "addition", "Addition modulo 31", "Say a + b modulo 31; half of all pairs are learned, the others are the test.", "grokking",
     {.task = LEARN_TASK_ADDITION,
      .shape = {.family = LEARN_GPT2, .layers = 1, .heads = 4, .d_model = 64, .d_k = 16, .context = 3, .inner = 256, .norm = false, .tied = true},
      .optimiser = ADAMW(3e-3F, 1.0F), .sigma = .125F, .batch = 480, .steps = 1200, .seed = 1},
     {{LEARN_SCORE_FREQUENCIES, .7F, "the numbers stand on circles"}}, 1, true, true,
     {{240, .99F, 0, 0}, {1200, .99F, .98F, .7F}}, 2},
    {LEARN_TASK_NAMES, "names", "Names", "Say the next letter of first names, and where they end.", NULL,
     {.task = LEARN_TASK_NAMES,
      .shape = {.family = LEARN_GPT2, .layers = 1, .heads = 4, .d_model = 16, .d_k = 4, .context = 10, .inner = 64, .norm = true},
      .optimiser = ADAMW(5e-3F, .01F), .batch = 32, .steps = 1000, .seed = 1},
     {{LEARN_SCORE_PREVIOUS, .5F, "a head looks at the letter before"}}, 1, true, false,
     {{1000, .3F, 0, 0}}, 1},
    {LEARN_TASK_TEXT, "text", "Own text", "Say the next word, or the next letter, of a text of your own.", "own-text",
     {.task = LEARN_TASK_TEXT,
      .shape = {.family = LEARN_GPT2, .layers = 2, .heads = 4, .d_model = 64, .d_k = 16, .context = 64, .inner = 256, .norm = true, .tied = true},
      .optimiser = ADAMW(2e-3F, .01F), .batch = 16, .steps = 2000, .seed = 1},
     {{LEARN_SCORE_PREVIOUS, .5F, "a head looks at the one before"}, {LEARN_SCORE_INDUCTION, .5F, "a head looks behind the last time"}}, 2, true, true,
     {{0, 0, 0, 0}}, 0},
};

/* Of own text in rows of lines: it stops where the order of rows does not matter yet. */
static const struct learn_recipe line_recipe =
    {.task = LEARN_TASK_TEXT,
     .units = LEARN_WORDS,
     .rows = LEARN_ROWS_LINES,
     .shape = {.family = LEARN_GPT2, .layers = 1, .heads = 2, .d_model = 32, .d_k = 16, .context = LEARN_CONTEXT_MAX, .norm = true},
     .optimiser = ADAMW(5e-3F, .01F), .batch = LEARN_BATCH_MAX, .steps = 200, .seed = 1};

static const struct {
    const char *name, *about;
} scores[LEARN_SCORE_ROWS] = {
    [LEARN_SCORE_ANSWER] = {"answer", "the mean of α(i, the place whose letter is the answer at i)"},
    [LEARN_SCORE_NOUN] = {"noun", "the mean of α(\"is\", the noun before)"},
    [LEARN_SCORE_PREVIOUS] = {"previous", "the mean of α(i, i − 1)"},
    [LEARN_SCORE_INDUCTION] = {"induction", "the mean of α(i, the place behind the last time the same one stood there)"},
    [LEARN_SCORE_MATCH] = {"match", "the mean of α(the place before a closing bracket, its opening one)"},
    [LEARN_SCORE_KINDS] = {"kinds", "the mean cosine of two nouns of one kind, less that of two of different kinds"},
    [LEARN_SCORE_FREQUENCIES] = {"frequencies", "the share of the embedding's power in its three strongest frequencies"},
};
/* clang-format on */

const struct learn_task *learn_task_at(size_t index)
{
    return index < LEARN_TASKS ? &tasks[index] : NULL;
}

const struct learn_task *learn_task_find(const char *name)
{
    for (size_t t = 0; t < LEARN_TASKS; t++) {
        if (strcmp(tasks[t].name, name) == 0) {
            return &tasks[t];
        }
    }
    return NULL;
}

const char *learn_task_name(size_t index)
{
    return index < LEARN_TASKS ? tasks[index].name : NULL;
}

const char *learn_score_name(size_t index)
{
    return index < LEARN_SCORE_ROWS ? scores[index].name : NULL;
}

const char *learn_score_about(enum learn_score score)
{
    return scores[score].about;
}

const char *learn_language_name(size_t index)
{
    static const char *const names[LEARN_LANGUAGES] = {"en", "de", "zh_CN"};
    return index < LEARN_LANGUAGES ? names[index] : NULL;
}

const char *learn_units_name(size_t index)
{
    static const char *const names[LEARN_UNITS] = {"auto", "words", "letters"};
    return index < LEARN_UNITS ? names[index] : NULL;
}

const char *learn_rows_name(size_t index)
{
    static const char *const names[LEARN_ROWS] = {"windows", "lines"};
    return index < LEARN_ROWS ? names[index] : NULL;
}

struct learn_recipe learn_recipe_in_rows(const struct learn_recipe *recipe, enum learn_rows rows)
{
    struct learn_recipe other = rows == LEARN_ROWS_LINES ? line_recipe : tasks[recipe->task].recipe;
    if (recipe->rows == rows || recipe->task != LEARN_TASK_TEXT) {
        other = *recipe;
        other.rows = rows;
        return other;
    }
    other.units = recipe->units != LEARN_UNITS_AUTO ? recipe->units : other.units;
    other.seed = recipe->seed;
    return other;
}

static struct learn_data_request request_of(const struct learn_recipe *recipe)
{
    return (struct learn_data_request){
        .task = recipe->task,
        .language = recipe->language,
        .units = recipe->units,
        .rows = recipe->rows,
        .without = recipe->without,
        .context = recipe->shape.context,
        .batch = recipe->batch,
        .seed = recipe->seed,
    };
}

struct learn_data *learn_recipe_data(const struct learn_recipe *recipe, struct bytes text,
                                     struct error *error)
{
    struct learn_data_request request = request_of(recipe);
    request.text = text;
    return learn_data_make(&request, error);
}

struct learn_data *learn_recipe_data_of(const struct learn_recipe *recipe,
                                        const struct learn_data *cut, struct error *error)
{
    struct learn_data_request request = request_of(recipe);
    request.cut = cut;
    return learn_data_make(&request, error);
}

void learn_recipe_fit(struct learn_recipe *recipe, const struct learn_data *data)
{
    const struct learn_data_request *const request = learn_data_request_of(data);
    recipe->shape.vocabulary = learn_data_vocabulary(data);
    recipe->shape.causal = learn_data_is_causal(data);
    recipe->shape.context = request->context;
    recipe->batch = request->batch;
    recipe->units = request->units;
    if (recipe->optimiser.steps == 0) {
        recipe->optimiser.steps = recipe->steps;
    }
}
