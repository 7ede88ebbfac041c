/* lab/explain/display.h — how weights are looked at: which queries are grouped, which keys are set
 * aside, and colours and marks. No computation uses this: experiment and trace stay as they are. */
#ifndef LAB_EXPLAIN_DISPLAY_H
#define LAB_EXPLAIN_DISPLAY_H

#include "base/arena.h"
#include "lab/explain/explain.h"
#include "lab/run/trace.h"

enum { LAB_PLACES_MAX = 64 };

/* Places of words, each once, in rising order. */
struct lab_places {
    size_t count;
    size_t place[LAB_PLACES_MAX];
};

bool lab_places_has(const struct lab_places *places, size_t place);

/* Adds the place or, if it is there, removes it. Returns false where there is no room for one
 * more. */
bool lab_places_turn(struct lab_places *places, size_t place);

/* Removes every place that is not below count. */
void lab_places_clamp(struct lab_places *places, size_t count);

/* Moves places after words were added, moved or removed: each goes with its word (the second “the”
 * with the second “the”); places of removed words are removed. */
void lab_places_follow(struct lab_places *places, const char *const *from, size_t from_count,
                       const char *const *to, size_t to_count);

enum lab_line { LAB_LINE_NONE, LAB_LINE_QUERY, LAB_LINE_KEY };

struct lab_display {
    struct lab_places queries; /* seen as a group; with fewer than two, the selected one alone */
    struct lab_places aside;   /* keys that are left out of colours and sums */
    bool logarithmic;          /* weights are coloured by powers of ten */
    bool discs;                /* small matrices of scores as discs */
    enum lab_line line;        /* one line is shown alone and the others faintly */
    size_t line_place;         /* the word of that line */
    bool change;               /* Scale, Softmax: show what the stage changed */
    bool lines;                /* heads as lines between words, not as heatmaps */
    bool flow;                 /* the whole flow on one sheet, in place of the stage */
};

/* Shows all lines again where the word of the single one is gone. */
void lab_display_clamp_line(struct lab_display *display, const struct lab_sizes *sizes);

/* Returns how many queries are grouped, at least 2; else 0. */
size_t lab_display_query_count(const struct lab_display *display);

/* Returns α as it is shown: 0 where a key is set aside. It is the trace's own matrix where nothing
 * is set aside, else owned by the arena; values NULL: no memory. */
struct lab_matrix lab_display_weights(const struct lab_trace *trace, size_t head,
                                      const struct lab_display *display, struct arena *arena);

/* Sums for every key the shown weights over the grouped queries into sum [m]. */
void lab_display_sums(const struct lab_matrix *weights, const struct lab_display *display,
                      double *sum);

/* Returns "cat is set aside: rows no longer sum to 1". NULL: nothing is set aside. The arena owns
 * it. */
const char *lab_display_aside(const struct lab_trace *trace, const struct lab_display *display,
                              struct arena *arena);

/* Returns "cat is set aside in the picture only: in what is computed dog still gives it 0.394."
 * NULL: the selected key is not set aside. The arena owns it. */
const char *lab_display_aside_share(const struct lab_trace *trace,
                                    const struct lab_display *display,
                                    const struct lab_selection *at, struct arena *arena);

/* Returns "dog and lion together give cat 0.712 of their 2.000: 0.356 each on average." NULL: fewer
 * than two queries are grouped. The arena owns it. */
const char *lab_display_sentence(const struct lab_trace *trace, const struct lab_display *display,
                                 const struct lab_selection *selection, struct arena *arena);

/* Returns both sentences as the end of a description; "" where there is nothing to say. selection
 * NULL: no key is selected. The arena owns them. */
const char *lab_display_describe(const struct lab_trace *trace, const struct lab_display *display,
                                 const struct lab_selection *selection, struct arena *arena);

#endif
