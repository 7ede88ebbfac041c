/* learn/blame.h — which line taught it that: a run on rows of lines is trained again from the same
 * start with one line left out, and what it says then is compared with what it says now.
 *
 *     struct learn_blame *blame = learn_blame_make(&recipe, cut, step, &engine, &error);
 *     learn_blame_train(blame, NULL, &error);               once
 *     learn_blame_ask(blame, "the bear eats", "cake", &error);   as often as wanted
 *     size_t count = learn_blame_choose(blame, lines);
 *     learn_blame_repeat(blame, lines, count, NULL, &error);
 *     learn_blame_sentence(blame, &arena);
 *
 * The left-out line keeps its row and is not asked, so that a repeated run has the bits of `train
 * --without-line N`. Which lines are worth it is estimated first: Σ rate · ∇loss(line) ·
 * ∇loss(word) over a few steps of the run (TracIn, Pruthi et al. 2020). What was repeated is kept,
 * and answers the next question too. One thread at a time uses a blame. */
#ifndef LEARN_BLAME_H
#define LEARN_BLAME_H

#include "learn/run.h"

enum {
    LEARN_BLAME_CHECKPOINTS = 8, /* steps of the run at which lines are ranked */
    LEARN_BLAME_LIKELIEST = 8,   /* lines that are repeated, the likeliest first, */
    LEARN_BLAME_DRAWN = 4,       /* and lines drawn at random among the others */
    LEARN_BLAME_CHOSEN = LEARN_BLAME_LIKELIEST + LEARN_BLAME_DRAWN
};

/* A line is a cause where without it the probability differs by more than this, and by more than
 * so many times what the lines drawn at random change (the median). */
#define LEARN_BLAME_CHANGE_MIN 0.05F
#define LEARN_BLAME_CHANGE_TIMES 3

/* A line that the run learned from. */
struct learn_blame_line {
    size_t line;      /* learn_data_line */
    size_t number;    /* in the text, from 1 */
    size_t count;     /* how often the text has the same line */
    float similarity; /* of its gradient to the word's: positive where learning it made the word
                         more likely */
    bool is_drawn;    /* one of those drawn at random */
    bool is_repeated; /* the run was trained without it: */
    float without;    /* the word's probability then */
    bool is_cause;
};

struct learn_blame;

/* Makes it for a run of rows of lines up to a step. cut: own text (learn_data_cut), shared. engine:
 * as in learn_network_open; its threads repeat a line each. NULL and a sentence: the recipe has
 * other rows or breaks a rule, or memory is lacking. */
struct learn_blame *learn_blame_make(const struct learn_recipe *recipe,
                                     const struct learn_data *cut, uint64_t step,
                                     const struct lab_engine *engine, struct error *error);
void learn_blame_free(struct learn_blame *blame); /* NULL is fine */

/* Trains the run itself and keeps what ranking needs. progress: asked after each step, as in
 * learn_run_go; NULL: never. Returns false with a sentence, or without one where it was given up:
 * the next call goes on with the step where it was. */
bool learn_blame_train(struct learn_blame *blame, const struct learn_progress *progress,
                       struct error *error);

/* Returns the weights at the step [floats of learn_tensors_list], NULL before training. */
const float *learn_blame_weights(const struct learn_blame *blame);

/* Returns the weights likewise without a line; NULL: it is not repeated. */
const float *learn_blame_weights_without(const struct learn_blame *blame, size_t line);

/* Return the recipe as it fits the data, and the data, whose lines are meant. */
const struct learn_recipe *learn_blame_recipe(const struct learn_blame *blame);
const struct learn_data *learn_blame_data(const struct learn_blame *blame);

/* Asks why a word comes behind the beginning of a line, and ranks the lines. beginning NULL: what
 * stands before the word where it first stands in the text; word NULL: the likeliest one. Returns
 * false and a sentence: it is not trained, a word is unknown, or the beginning is too long. */
bool learn_blame_ask(struct learn_blame *blame, const char *beginning, const char *word,
                     struct error *error);

/* The same of tokens [count] as they are, without a token before the line, and of a token; below 0:
 * the likeliest. progress: asked before each of its steps, of LEARN_BLAME_CHECKPOINTS times the
 * lines; NULL: never. Returns false without a sentence where it was given up. */
bool learn_blame_ask_tokens(struct learn_blame *blame, const int32_t *tokens, size_t count,
                            int32_t word, const struct learn_progress *progress,
                            struct error *error);

/* The question as it was asked. */
struct learn_question {
    const int32_t *tokens; /* [count], with the token before each line in front */
    size_t count;
    int32_t word;
    float probability; /* of the word after training on all lines */
    bool is_in_text;   /* a line begins with these tokens and the word */
    size_t repeated;   /* lines that were repeated */
    size_t drawn;      /* of these, those drawn at random; 0: all are among the likeliest */
    bool is_judged;    /* the likeliest lines and those drawn at random are all repeated: before
                          that there is no cause and no median */
    float unrelated;   /* the median change by those drawn at random; of all repeated, where none
                          is drawn; NaN: it is not judged yet */
    const struct learn_blame_line *lines; /* [line_count], the largest |similarity| first */
    size_t line_count;
    const struct learn_blame_line *cause; /* the cause without which the word loses most, else the
                                             one that held it back most; NULL: no single line */
};
const struct learn_question *learn_blame_question(const struct learn_blame *blame);

/* Chooses the lines worth repeating: the likeliest, then those drawn at random. Returns their
 * number. lines receives them as learn_data_line counts. */
size_t learn_blame_choose(const struct learn_blame *blame, size_t lines[LEARN_BLAME_CHOSEN]);

/* Trains again without each of these lines, as many at once as the engine has threads; a line that
 * is repeated already is skipped. progress->goes_on is asked on the calling thread with the steps
 * of all lines so far, of count times the run's. Returns false with a sentence, or without one
 * where it was given up; the lines that were done by then are kept. */
bool learn_blame_repeat(struct learn_blame *blame, const size_t *lines, size_t count,
                        const struct learn_progress *progress, struct error *error);

/* Returns the words that it asks behind, without the token before each line; NULL: no memory. Owned
 * by the arena. */
const char *learn_blame_behind(const struct learn_blame *blame, struct arena *arena);

/* Says in one to four sentences, translated, what the repeated lines tell; "" before any is.
 * Owned by the arena. */
const char *learn_blame_sentence(const struct learn_blame *blame, struct arena *arena);

#endif
