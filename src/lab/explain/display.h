/* lab/explain/display.h — how weights are looked at: which queries together, which keys are set
 * aside, in what colours and marks. Nothing of this is computed with: experiment and trace stay as
 * they are.
 */
#ifndef LAB_EXPLAIN_DISPLAY_H
#define LAB_EXPLAIN_DISPLAY_H

#include "base/arena.h"
#include "lab/explain/explain.h"
#include "lab/run/trace.h"

enum { LAB_PLACES_MAX = 64 };

/* Words by their places, each once, in rising order. */
struct lab_places {
    size_t count;
    size_t place[LAB_PLACES_MAX];
};

bool lab_places_has(const struct lab_places *places, size_t place);

/* What is out comes in, what is in goes out. False: there is no room for one more. */
bool lab_places_turn(struct lab_places *places, size_t place);

/* Lets go of every place that is not below count. */
void lab_places_clamp(struct lab_places *places, size_t count);

/* After words were added, moved or taken away: each place goes with its word (the second “the” with
 * the second “the”); places of words that are gone go too. */
void lab_places_follow(struct lab_places *places, const char *const *from, size_t from_count,
                       const char *const *to, size_t to_count);

enum lab_line { LAB_LINE_NONE, LAB_LINE_QUERY, LAB_LINE_KEY };

struct lab_display {
    struct lab_places queries; /* looked at together; below two of them the selected one alone */
    struct lab_places aside;   /* keys that are left out of colours and sums */
    bool logarithmic;          /* colours of weights: a step for every power of ten */
    bool discs;                /* small matrices of scores as discs */
    enum lab_line line;        /* one line alone, the others faint … */
    size_t line_place;         /* … of this word */
    bool change;               /* Scale, Softmax: what changed since the former stage */
    bool lines;                /* heads as lines between words, not as heatmaps */
    bool flow;                 /* the whole flow on one sheet, in place of the stage */
};

/* No line is alone any more when its word is gone. */
void lab_display_clamp_line(struct lab_display *display, const struct lab_sizes *sizes);

/* How many queries are looked at together, at least 2; else 0. */
size_t lab_display_query_count(const struct lab_display *display);

/* α as it is shown: 0 where a key is set aside. The trace's own
 * matrix when nothing is set aside, else owned by the arena; values NULL: no memory. */
struct lab_matrix lab_display_weights(const struct lab_trace *trace, size_t head,
                                      const struct lab_display *display, struct arena *arena);

/* For every key the sum of the weights shown over the queries that are looked at together, sum [m].
 */
void lab_display_sums(const struct lab_matrix *weights, const struct lab_display *display,
                      double *sum);

/* "cat is set aside: rows no longer sum to 1". NULL: nothing is set aside. Owned by the arena. */
const char *lab_display_aside(const struct lab_trace *trace, const struct lab_display *display,
                              struct arena *arena);

/* "dog and lion together give cat 0.712 of their 2.000: 0.356 each on average." NULL: fewer than
 * two. Owned by the arena. */
const char *lab_display_sentence(const struct lab_trace *trace, const struct lab_display *display,
                                 const struct lab_selection *selection, struct arena *arena);

/* Both as they follow on a description; "" when there is nothing to say. selection NULL: no key
 * stands out. Owned by the arena. */
const char *lab_display_describe(const struct lab_trace *trace, const struct lab_display *display,
                                 const struct lab_selection *selection, struct arena *arena);

#endif
