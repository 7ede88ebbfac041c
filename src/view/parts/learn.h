/* view/parts/learn.h — weights that learn: what the app hands the views of training, and what the
 * views may ask for.
 *
 * Everything here is of one step of the training, the one that is shown, but for the curves and the
 * trails, which are of all steps so far. The experiment on the stages is one layer of what the
 * weights of that step make of the words. */
#ifndef VIEW_PARTS_LEARN_H
#define VIEW_PARTS_LEARN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/explain/explain.h"
#include "view/parts/head_overview.h"
#include "view/parts/view.h"

enum {
    VIEW_LEARN_CURVES_MAX = 8,
    VIEW_LEARN_EVENTS_MAX = 8,
    VIEW_LEARN_EDITS_MAX = 32,
    VIEW_LEARN_MOMENTS = 3, /* at which all heads are shown: the first, an event, the present */
    VIEW_LEARN_SPEEDS = 8,
    VIEW_LEARN_MATRICES = LAB_PARTS
};

/* What a matrix of the stages shows. */
enum view_learn_show {
    VIEW_LEARN_VALUE,
    VIEW_LEARN_GRADIENT, /* dL/d of it, for the words on screen */
    VIEW_LEARN_CHANGE,   /* since the step before, or since the moment that was pinned */
    VIEW_LEARN_SHOWS
};

/* How a value is written: a plain number, or a share of 1 in percent. */
enum view_learn_unit { VIEW_LEARN_NUMBER, VIEW_LEARN_SHARE };

/* One line over time. */
struct view_learn_curve {
    const char *name;   /* "loss", "is → hammer, L0H0" */
    enum lab_role role; /* its colour */
    const float *value; /* [points] */
    float low, high;    /* the bottom and the top of the strip */
    bool dashed;
    const char *brief; /* where there is little room: "is → hammer"; NULL: the same */
    const char *about; /* what is measured: "the mean of α(i, i − 1)"; NULL: its name says it */
    float now;         /* at the step that is shown; NaN: not known */
    enum view_learn_unit unit;
    bool attends; /* a score of attention: its name tells where a head looks */
};

struct view_learn_event {
    size_t step;
    const char *words; /* "attention finds the noun, on average: L0H1" */
    bool has_head;
    size_t head;          /* layer · heads + head that did it */
    const char *sentence; /* words with their step and the texts whose mean crossed its threshold */
    const char *brief;    /* the same in fewer words, for where there is little room; NULL: none */
};

/* Something was changed by hand, and a branch began there. */
struct view_learn_edit {
    size_t step;
    const char *sentence; /* "From step 316 on, frozen: L0H1." */
};

/* All heads at one moment: α [layers · heads][n · n]; NULL: it is not known yet. */
struct view_learn_moment {
    size_t step;
    const float *alpha;
};

/* A word that has moved: its places [trail] from the first to the present one. */
struct view_learn_word {
    const char *word;
    size_t kind;               /* words of one kind have one colour; 0: none */
    const struct point *place; /* [trail] */
    size_t trail;
    bool is_here; /* it is one of the words that are looked at */
};

/* Sliders and switches of the settings. */
enum view_learn_setting {
    VIEW_LEARN_LAYERS,
    VIEW_LEARN_HEADS,
    VIEW_LEARN_WIDTH,
    VIEW_LEARN_MLP,
    VIEW_LEARN_RATE,
    VIEW_LEARN_BATCH,
    VIEW_LEARN_DECAY,
    VIEW_LEARN_SEED,
    VIEW_LEARN_SETTINGS
};

/* A sequence that the step learns from. */
struct view_learn_row {
    const char *const *word; /* [words] */
    const float *loss; /* [words]: −log p of what is right there; below 0: nothing is asked */
    size_t words;
    float mean; /* loss of what is asked */
};

/* What the weights of the step write by themselves. */
enum view_learn_draw { VIEW_DRAW_TEMPERATURE, VIEW_DRAW_TOP_P, VIEW_DRAW_SEED, VIEW_DRAW_WORDS };
enum { VIEW_DRAWS = VIEW_DRAW_WORDS + 1 };
struct view_learn_text {
    const char *const *word; /* [given + words] */
    size_t given, words;     /* those that stand on the stages; those that were written */
    double draw[VIEW_DRAWS]; /* temperature, top p, seed, how many words */
    bool none;               /* this task asks for no next word */
};

/* A text that came, which the run may go on with. */
struct view_learn_offer {
    size_t step;       /* from which on */
    const char *about; /* what it is, or why the run cannot; NULL: there is none */
    bool refused;
};

/* Where the pass ends: what is asked of each word on the stages, and what the weights say. */
struct view_learn_loss {
    size_t n;                       /* words; 0: not known */
    const char *const *kind;        /* the vocabulary: [logit.cols] */
    struct lab_matrix logit, share; /* [n][vocabulary] */
    const int32_t *right;           /* [n]: the word that is right; below 0: nothing is asked */
    const float *loss;              /* [n]: −log p of it */
    float mean;                     /* of what is asked */
};

struct lab_block;
struct view_learn {
    struct view_learn_loss at_end;
    const struct lab_block *block; /* the layer that stands there, around its attention; or NULL */
    const char *task;              /* "Small world" */
    size_t task_at;                /* which row of tasks */
    const char *const *tasks;
    size_t tasks_count;
    size_t step;        /* that is shown */
    size_t reached;     /* the furthest step there is */
    size_t steps;       /* of the whole run */
    bool training;      /* it goes on by itself */
    bool replays;       /* the step that was asked for is still computed again */
    const char *note;   /* why it stands still: "paused: the window is hidden"; NULL: no reason */
    double per_second;  /* steps a second at ×1; 0: not measured yet */
    double pace;        /* steps a second as it trains at present; 0: not measured yet */
    size_t speed;       /* which of the speeds: 0 is the fastest */
    double loss, right; /* of the last batch; right: 0 … 1; NaN: not known at this step */
    const float *at;    /* [points]: the steps of the curves' values */
    size_t points;
    struct view_learn_curve curve[VIEW_LEARN_CURVES_MAX];
    size_t curves;
    struct view_learn_event event[VIEW_LEARN_EVENTS_MAX];
    size_t events;
    struct view_learn_edit edit[VIEW_LEARN_EDITS_MAX]; /* the last of them */
    size_t edits;
    const char *next_title; /* "next word after “it is”" */
    bool next_joins;        /* what comes next may be taken */
    struct view_next next[VIEW_NEXT_MAX];
    size_t next_count;
    size_t layers, heads, n; /* of the moments */
    size_t layer;            /* on the stages */
    struct view_learn_moment moment[VIEW_LEARN_MOMENTS];
    const bool *off;    /* [layers · heads]: switched off; NULL: none is */
    const bool *frozen; /* [layers · heads]: learns no more; NULL: none is */
    const char *matrix; /* of this stage, which can be frozen: "W_O"; NULL: there is none */
    bool matrix_frozen;
    const char *sentence; /* "L0H0 at step 910 — nobody told it …" */
    const struct view_learn_word *word;
    size_t words;
    size_t frequency; /* words are numbers that go round so many times; 0: by PCA */
    bool at_angle;    /* three components are seen, from where kinds are apart */
    enum view_learn_show show;
    /* [LAB_PARTS]: what stands in place of a part's values while gradient or change is shown, laid
     * out as the part is, all heads one behind the other; NULL: there is none of it. */
    const float *const *instead;
    double setting[VIEW_LEARN_SETTINGS];
    bool letters; /* words are single letters or signs, and stand without spaces */
    bool cuts;    /* own text, of which words or letters may be learned */
    const struct view_learn_row *row; /* while they are looked at: of the batch … */
    size_t rows, rows_all;            /* … those that are shown, of all */
    struct view_learn_text text;      /* while it is looked at */
    struct view_learn_offer offer;
    size_t weights; /* how many numbers learn */
    size_t branch;  /* how many times something was changed on the way */
    bool beside;    /* another seed is compared with */
    bool pinned;    /* a moment is kept to compare with … */
    size_t pinned_step;
    /* While a gradient or a change is shown: the chosen cell spelled out; pieces 0: none. */
    struct lab_explanation explanation;
};

/* VIEW_ACTION_LEARN: what action.learn.act asks for, and what with. */
enum view_learn_act {
    VIEW_LEARN_START,       /* weights that learn from the task `which`; SIZE_MAX: from the first */
    VIEW_LEARN_PLAY,        /* on, or pause */
    VIEW_LEARN_ONE,         /* one step and no more */
    VIEW_LEARN_SEEK,        /* step `which` is shown */
    VIEW_LEARN_SPEED,       /* which: of the speeds */
    VIEW_LEARN_AGAIN,       /* from the beginning */
    VIEW_LEARN_SET,         /* which: enum view_learn_setting becomes number */
    VIEW_LEARN_SHOW,        /* which: enum view_learn_show */
    VIEW_LEARN_HEAD,        /* which: layer · heads + head stands on the stages */
    VIEW_LEARN_EVENT,       /* which: of the events is said */
    VIEW_LEARN_SWITCH,      /* which: layer · heads + head, off or on */
    VIEW_LEARN_TAKE,        /* which: of the next words joins the words */
    VIEW_LEARN_ROW,         /* which: a sequence of the batch stands on the stages */
    VIEW_LEARN_DRAW,        /* which: enum view_learn_draw becomes number */
    VIEW_LEARN_KEEP,        /* what was written stands on the stages */
    VIEW_LEARN_BESIDE,      /* another seed beside this one, or no more */
    VIEW_LEARN_PIN,         /* the present moment is kept to compare with */
    VIEW_LEARN_FREEZE,      /* the matrix of the stage learns no more, or again */
    VIEW_LEARN_FREEZE_HEAD, /* which: layer · heads + head learns no more, or again */
    VIEW_LEARN_DATA,        /* other data from here on */
    VIEW_LEARN_UNITS, /* which: words (0) or letters (1) of own text are learned, from the start */
    VIEW_LEARN_TEXT,  /* the text that came: which 0: the run goes on with it, 1: one begins */
    VIEW_LEARN_LEAVE, /* the weights stay as they are, and learn no more */
};

/* How fast, in words: "×1", "1/10". */
const char *view_learn_speed_name(size_t speed);

/* Notes VIEW_ACTION_LEARN. */
void view_learn_action(struct view *view, enum view_learn_act act, size_t which, double number);

/* Whether weights that learn are on the stages and their strip is open. */
bool view_learn_is_shown(const struct view_state *state);

/* --- the pictures (view/learn) --- */
void view_learn_strip(struct view *view, struct rect area);   /* curves, track, next words */
void view_learn_picture(struct view *view, struct rect area); /* the strip alone, for a figure */
void view_learn_heads(struct view *view, struct rect area);   /* every head, then and now */
void view_learn_words(struct view *view, struct rect area);   /* where words have moved */

/* The word of a row of the loss that is chosen: the right one, where nothing is asked the likeliest
 * (view/parts/view.c). */
size_t view_loss_word(const struct view_state *state, size_t row);

/* The loss in place of a stage (view/stage/loss.c); whether it stands there. */
bool view_loss_shown(const struct view *view);
void view_loss(struct view *view, struct rect area);
const char *view_loss_title(struct view *view);
const char *view_loss_sentence(struct view *view);

/* --- the sheets (view/sheets) --- */
void view_learn_batch(struct view *view, struct rect area);       /* what a step learns from */
void view_learn_write(struct view *view, struct rect area);       /* text that the weights write */
void view_learn_text_choice(struct view *view, struct rect area); /* a text that came */

/* The matrices of the stage as gradients or changes, in its place (view/stage/learned.c). False:
 * values are shown. */
bool view_learned_instead(struct view *view, struct rect area);

/* How high the strip is in a window of this size; small: one that shows its panels by turns. */
float view_learn_strip_height(float width, float height, bool small);

/* The settings of training; draw false: only the height is found. Returns where the next control
 * goes. */
float view_learn_settings(struct view *view, struct point at, float width, float tight, bool draw);

#endif
