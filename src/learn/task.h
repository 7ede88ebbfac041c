/* learn/task.h — the table of tasks: a row names the task, the network and optimiser that learn it,
 * its scores, and the results that were reached. */
#ifndef LEARN_TASK_H
#define LEARN_TASK_H

#include "learn/recipe.h"

/* A score at a step of the built-in recipe, which a test checks. */
struct learn_promise {
    size_t step;
    float accuracy, test; /* at least; 0: not promised */
    float score;          /* of the task's first score */
};

/* A score of the task. */
struct learn_task_score {
    enum learn_score score;
    float threshold;   /* the event happens above this */
    const char *event; /* "attention finds the noun"; to be translated by tr() */
};

enum { LEARN_TASK_SCORES_MAX = 3, LEARN_PROMISES_MAX = 3 };

struct learn_task {
    enum learn_task_id id;
    const char *name;   /* "small-world", as files and the command line write it */
    const char *title;  /* for people; to be translated by tr() */
    const char *about;  /* describes the task in one sentence; to be translated by tr() */
    const char *lesson; /* the name of its lesson; NULL: none */
    struct learn_recipe recipe;
    struct learn_task_score score[LEARN_TASK_SCORES_MAX]; /* the first is the task's own */
    size_t scores;
    bool has_test; /* it keeps rows that are never trained on */
    bool is_long;  /* it takes more than seconds */
    struct learn_promise promise[LEARN_PROMISES_MAX];
    size_t promises;
};

/* Returns a task, from 0; NULL behind the last. The index is enum learn_task_id. */
const struct learn_task *learn_task_at(size_t index);
const struct learn_task *learn_task_find(const char *name); /* NULL: there is none */

/* Return names for lists, NULL behind the last: "copy" or "reverse"; "previous" or "induction";
 * "en", "de" or "zh_CN"; "auto", "words" or "letters". */
const char *learn_task_name(size_t index);
const char *learn_score_name(size_t index);
const char *learn_language_name(size_t index);
const char *learn_units_name(size_t index);
const char *learn_rows_name(size_t index); /* "windows" or "lines" */

/* Describes a score in one sentence with its formula; to be translated by tr(). */
const char *learn_score_about(enum learn_score score);

/* Returns a recipe of own text in other rows. Those of lines have the task's recipe for them, with
 * which what a single line teaches can be told (learn/blame.h); windows have the task's own. The
 * seed stays, and so do units, unless they are chosen automatically: lines are learned as words. A
 * recipe of another task, or of these rows, stays as it is. */
struct learn_recipe learn_recipe_in_rows(const struct learn_recipe *recipe, enum learn_rows rows);

/* Makes the data of a recipe; text: own text, else empty. NULL and a sentence: it failed. */
struct learn_data *learn_recipe_data(const struct learn_recipe *recipe, struct bytes text,
                                     struct error *error);

/* Makes the data likewise of own text that was cut before; for another task cut is NULL. */
struct learn_data *learn_recipe_data_of(const struct learn_recipe *recipe,
                                        const struct learn_data *cut, struct error *error);

/* Sets vocabulary, causal and whatever else the data decides, and lets the rate fall until the last
 * step. */
void learn_recipe_fit(struct learn_recipe *recipe, const struct learn_data *data);

#endif
