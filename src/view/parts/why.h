/* view/parts/why.h — why a model says a word: what the app gives the view. The next word is split
 * into what each part adds to its logit, and compared with what is lost without that part. */
#ifndef VIEW_PARTS_WHY_H
#define VIEW_PARTS_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/parts/view.h"

enum { VIEW_WHY_TERMS = 3, VIEW_WHY_TOLD = 4, VIEW_WHY_TOP = 10, VIEW_WHY_PATHS = 3 };

#define VIEW_WHY_NO_RIVAL UINT32_MAX

enum view_why_kind { VIEW_WHY_HEAD, VIEW_WHY_MLP, VIEW_WHY_OTHER };

struct view_why_part {
    const char *name; /* "L0H2", "MLP 1", "embedding" */
    enum view_why_kind kind;
    size_t layer, head;
    bool is_off;      /* a person has switched it off, at all words */
    bool is_replaced; /* of a head: what it gives at the word is not made of its weights and values,
                       * but its mean, another text's, or numbers by hand */
    double adds;      /* to the logit, or to word − rival */
    bool has_lost;
    double lost; /* before − after, with this part alone at zero; positive: it helped */
    /* Of an MLP: its largest terms, a number of it times how the words read it. */
    double term[VIEW_WHY_TERMS][2];
};

struct view_why_word {
    const char *word; /* NULL: there is none */
    uint32_t id;
    double share;
};

/* A row of what the person has changed in the model. */
struct view_why_row {
    const char *name; /* "L0H2" */
    enum {
        VIEW_WHY_ROW_OFF,     /* it adds nothing */
        VIEW_WHY_ROW_MEAN,    /* each word has its mean over all words */
        VIEW_WHY_ROW_MASKED,  /* a pair of words that a head does not see */
        VIEW_WHY_ROW_PATCHED, /* its numbers are those of another text */
        VIEW_WHY_ROW_SET      /* a number: value */
    } kind;
    size_t layer, head;
    size_t word; /* the one at which alone it is so; SIZE_MAX: at all */
    double value;
    bool is_of_run; /* a head that is off in the run that learns, and is switched on again there */
};

/* Of a model as it is changed, a text, a word and its rival. */
struct view_why_answer {
    size_t layers, heads, width, n, position; /* behind which word of the text it would stand */
    const char *const *words;                 /* [n] of the text */
    struct view_why_word word, rival;
    double logit, remainder; /* of the word, or of word − rival */
    const struct view_why_part *part;
    size_t parts;
    const double *of_words; /* [layers][heads][n] what a head adds through each word */
    /* [layers][heads][n] of the word at the position; by output NULL: not known yet */
    const float *weight[VIEW_WEIGHINGS];
    const bool *masked; /* [layers][heads][n] words that a person has masked at the position */
    const struct view_why_word *lens;   /* [2 · layers + 1][n][top] likeliest behind each part */
    size_t top;                         /* at most VIEW_WHY_TOP */
    const double *lens_share;           /* [2 · layers + 1] of the word, at the position */
    const struct view_why_word *choice; /* words that may be asked for, the likeliest first */
    size_t choices;
    size_t done, all; /* parts that were left out in turn, of all */
    struct {
        size_t sender, receiver; /* parts */
        double lost;             /* when the receiver alone reads the stream without the sender */
    } path[VIEW_WHY_PATHS];
    size_t paths;                      /* who told whom; 0 until all were left out */
    const struct view_why_row *change; /* [changes] with which all of these numbers are computed */
    size_t changes;
};

/* The next words of the model before it was changed, and now. */
struct view_why_change {
    struct {
        const char *word;
        double before, after;
    } told[VIEW_WHY_TOLD];
    size_t count;
    double before, after; /* the logit, or word − rival */
    double kl;            /* KL(before ‖ after) of the next words, in nats */
};

struct view_why {
    const char *refused; /* why there is nothing to see; NULL: there is */
    bool has_model;      /* a model is open, or weights learn: there is something to ask */
    const struct view_why_answer *answer; /* NULL: it is being computed */
    bool is_old;                          /* it is of what was asked before */
    bool learns;                          /* it is of weights that learn */
    bool is_given_up;                     /* the rest of its heads is not left out in turn */
    const struct view_why_row *row;       /* [rows] what is changed now */
    size_t rows;
    const struct view_why_change *change; /* NULL: nothing is changed, or it is not known yet */
    const char *no_circuit;               /* why its weights have no circuits; NULL: they have */
    const char *text;                     /* of the model, as it is typed; NULL: not known */
    const char *no_patch;                 /* why no other text is compared with it; NULL: one is */
};

/* One of its panels alone, as a figure: what each part adds, every head in turn, the lens. */
void view_why_attribution(struct view *view, struct rect area);
void view_why_effects(struct view *view, struct rect area);
void view_why_through_lens(struct view *view, struct rect area);

/* Say how a part is changed, "L0H2 off", and how all of them are, "L0H2 off, MLP 1 at its mean";
 * the arena owns it. */
const char *view_why_change_words(const struct view_why_row *row, struct arena *arena);
const char *view_why_list_changes(const struct view_why_row *row, size_t rows, struct arena *arena);

/* The alternative text of a picture of them; "": there is no answer yet. */
const char *view_why_describe(const struct view_why *why, struct arena *arena);

/* The sizes that these have by themselves. */
struct point view_why_size(struct view *view);
struct point view_why_attribution_size(struct view *view);
struct point view_why_effects_size(struct view *view);
struct point view_why_through_lens_size(struct view *view);

/* The tabs of the panels of why (view_why), which a small window shows one at a time. */
void view_why_tabs(struct view *view, struct rect area);

#endif
