/* learn/task.h — the table of what can be learned: a row says what is asked, with which network and
 * optimiser it is learned, what to look at and what was reached. */
#ifndef LEARN_TASK_H
#define LEARN_TASK_H

#include "learn/data.h"
#include "learn/optimiser.h"
#include "learn/shape.h"

/* All that a run follows from, but own text: the same recipe gives the same bits. */
struct learn_recipe {
    enum learn_task_id task;
    enum learn_language language; /* of the small world */
    enum learn_units units;       /* of own text */
    struct learn_shape shape;     /* vocabulary and causal are the data's: see learn_recipe_fit */
    struct learn_optimiser optimiser;
    float sigma;   /* of the initial values; 0: 0.1 where d_model ≤ 32, 0.02 above */
    size_t batch;  /* rows of a step */
    size_t steps;  /* at which a run stops by itself */
    uint64_t seed; /* of the initial values and of the data */
};

/* A score at a step of the built-in recipe that a test holds it to. */
struct learn_promise {
    size_t step;
    float accuracy, test; /* at least; 0: not promised */
    float score;          /* of the task's first score */
};

/* A score that the task is looked at by. */
struct learn_task_score {
    enum learn_score score;
    float threshold;   /* where it is said that it happened */
    const char *event; /* in words: "attention finds the noun"; tr() it */
};

enum { LEARN_TASK_SCORES_MAX = 3, LEARN_PROMISES_MAX = 3 };

struct learn_task {
    enum learn_task_id id;
    const char *name;   /* "small-world", as files and the command line write it */
    const char *title;  /* for people; tr() it */
    const char *about;  /* one sentence: what is asked; tr() it */
    const char *lesson; /* the name of its lesson; NULL: none */
    struct learn_recipe recipe;
    struct learn_task_score score[LEARN_TASK_SCORES_MAX]; /* the first is the task's own */
    size_t scores;
    bool has_test; /* rows are kept back that are never trained on */
    bool is_long;  /* takes more than seconds */
    struct learn_promise promise[LEARN_PROMISES_MAX];
    size_t promises;
};

/* The tasks, from 0; NULL behind the last. Their number is enum learn_task_id. */
const struct learn_task *learn_task_at(size_t index);
const struct learn_task *learn_task_find(const char *name); /* NULL: there is none */

/* Names for lists, NULL behind the last: "copy", "reverse" …; "previous", "induction" …;
 * "en" "de" "zh_CN"; "auto" "words" "letters". */
const char *learn_task_name(size_t index);
const char *learn_score_name(size_t index);
const char *learn_language_name(size_t index);
const char *learn_units_name(size_t index);

/* What a score is, in one sentence with its formula; tr() it. */
const char *learn_score_about(enum learn_score score);

/* Makes the data of a recipe; text: own text, else empty. NULL and a sentence. */
struct learn_data *learn_recipe_data(const struct learn_recipe *recipe, struct bytes text,
                                     struct error *error);

/* The same of own text that was cut before; of another task: cut NULL. */
struct learn_data *learn_recipe_data_of(const struct learn_recipe *recipe,
                                        const struct learn_data *cut, struct error *error);

/* Vocabulary, causal and what else the data decides; and the rate falls until the last step. */
void learn_recipe_fit(struct learn_recipe *recipe, const struct learn_data *data);

/* Every rule about a recipe: of its shape (once it fits the data), its optimiser and its sizes.
 * False and one sentence with the way out. */
bool learn_recipe_check(const struct learn_recipe *recipe, struct error *error);

#endif
