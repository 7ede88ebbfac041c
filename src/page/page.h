/* page/page.h — one HTML file that any browser opens. Without script it is a figure with its
 * captions and a table; with script it shows the same numbers stage by stage, tells how each is
 * made, and computes them again, to the bit, when one of them is changed.
 *
 * The file asks for nothing outside of it. Words of people are text in it and never markup. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "lab/experiment/stage.h"
#include "lab/explain/explain.h"
#include "lab/lesson/lessons.h"
#include "lab/run/block.h"
#include "lab/run/trace.h"

/* The numbers that a step asks for before it shows them. */
enum page_question {
    PAGE_ASKS_NOTHING,
    PAGE_ASKS_CELL,   /* the selected number of the stage's result */
    PAGE_ASKS_WEIGHT, /* the selected weight */
    PAGE_ASKS_WINNER, /* the key with the largest weight in the selected row */
    PAGE_ASKS_MATRIX  /* every number of the stage's result, one by one */
};

/* One step of a page. Steps of the same experiment share their trace, whose numbers then stand in
 * the file once. */
struct page_step {
    const char *caption; /* "": there is none */
    const struct lab_trace *trace;
    enum lab_stage stage;
    struct lab_selection selection;
    enum page_question question;
    const struct lab_block *next; /* has the likeliest next words; NULL: they are not told */
    struct bytes figure; /* shows what no matrix of the page does, as SVG, and stays in sight with
                            the step; size 0: there is none */
};

/* The part of a training run that is shown besides heads, step by step. */
struct page_run {
    struct {
        const char *name;
        const float *value; /* [steps] */
    } curve[2];
    size_t curves;
    const char *const *word; /* [words] */
    const float *place;      /* [steps][words][2]: where each word stands in the plane */
    size_t words;
};

struct page {
    const char *title;   /* "Cats, dogs and a lion" */
    const char *summary; /* a sentence below it; NULL: there is none */
    struct bytes figure; /* the step it starts with, as SVG, with or without its declaration of
                            XML; not shown where that step has one of its own */
    const struct page_step *step;
    size_t steps;    /* at least 1 */
    bool has_layers; /* the steps are the layers of a model: from one to the next the head stays */
    bool weights_alone;         /* α is there, and nothing that it is made of or makes */
    const struct page_run *run; /* NULL: the steps are not those of training */
    size_t start;               /* the step that is shown first, and that the figure is of */
};

/* Writes the file, owned by the arena. Texts of the page itself are in the language that is spoken.
 * Returns false with a sentence where there are more numbers than a browser should be given, or no
 * memory. */
bool page_write(const struct page *page, struct arena *arena, struct bytes *html,
                struct error *error);

#endif
