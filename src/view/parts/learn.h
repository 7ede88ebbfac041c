/* view/parts/learn.h — training: what the app gives the views of training, and what the views may
 * ask for.
 *
 * Everything here belongs to the step that is shown, except the curves and the trails, which cover
 * all steps so far. The experiment on the stages is one layer of what the weights of that step
 * compute from the tokens. */
#ifndef VIEW_PARTS_LEARN_H
#define VIEW_PARTS_LEARN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/record.h"
#include "lab/explain/explain.h"
#include "view/parts/head_overview.h"
#include "view/parts/view.h"

enum {
    VIEW_LEARN_CURVES_MAX = 8,
    VIEW_LEARN_EVENTS_MAX = 8,
    VIEW_LEARN_EDITS_MAX = 32,
    VIEW_LEARN_MOMENTS = 3, /* snapshots that show all heads: the first, an event, the present */
    VIEW_LEARN_SPEEDS = 8,
    VIEW_LEARN_MATRICES = LAB_PARTS
};

/* The content of the matrices on the stages. */
enum view_learn_show {
    VIEW_LEARN_VALUE,
    VIEW_LEARN_GRADIENT, /* the gradient of the loss of the present tokens */
    VIEW_LEARN_CHANGE,   /* since the step before, or since the pinned snapshot */
    VIEW_LEARN_SHOWS
};

/* The unit of a value: of the loss; a percentage; a difference of cosines. */
enum view_learn_unit {
    VIEW_LEARN_NATS,
    VIEW_LEARN_SHARE,
    VIEW_LEARN_COSINE,
    VIEW_LEARN_UNIT_COUNT
};

/* One curve over the steps of training. */
struct view_learn_curve {
    const char *name;   /* "loss", "is → hammer, L0H0" */
    enum lab_role role; /* its colour */
    const float *value; /* [points] */
    float low, high;    /* bottom and top of the plot */
    bool dashed;
    const char *brief; /* a short name: "is → hammer"; NULL: the same */
    const char *about; /* what is measured: "the mean of α(i, i − 1)"; NULL: see name */
    float now;         /* at the step that is shown; NaN: not known */
    enum view_learn_unit unit;
    bool attends; /* a score of attention: its name says where a head looks */
};

struct view_learn_event {
    size_t step;
    const char *words; /* "attention finds the noun, on average: L0H1" */
    bool has_head;
    size_t head;          /* layer · heads + head that it is about */
    const char *sentence; /* words, with their step and the texts whose mean crossed a threshold */
    const char *brief;    /* a shorter sentence; NULL: none */
};

/* A change by hand, at which a branch began. */
struct view_learn_edit {
    size_t step;
    const char *sentence; /* "From step 316 on, frozen: L0H1." */
};

/* A snapshot of all heads: α [layers · heads][n · n]; NULL: not known yet. */
struct view_learn_moment {
    size_t step;
    const float *alpha;
};

/* A token that has moved: its places [trail] from the first to the present one. */
struct view_learn_word {
    const char *word;
    size_t kind;               /* tokens of one kind share a colour; 0: none */
    const struct point *place; /* [trail] */
    size_t trail;
    bool is_here; /* it is one of the tokens on the stages */
};

/* A line that it learns from. */
struct view_learn_line {
    size_t number; /* in the text, from 1 */
    const char *text;
    bool is_left_out; /* the run goes without it */
};

/* A sequence of the step's batch. */
struct view_learn_row {
    const char *const *word; /* [words] */
    const float *loss;       /* [words]: −log p of the right token; below 0: nothing is asked */
    size_t words;
    float mean; /* mean loss of what is asked */
};

/* The settings of the text that the weights of the step write, and that text. */
enum view_learn_draw { VIEW_DRAW_TEMPERATURE, VIEW_DRAW_TOP_P, VIEW_DRAW_SEED, VIEW_DRAW_WORDS };
enum { VIEW_DRAWS = VIEW_DRAW_WORDS + 1 };

/* A setting of it: what it may be, and where its slider ends. */
struct view_draw_row {
    const char *label, *tip;
    double low, high, slider_low, slider_high, step;
    bool logarithmic;
    int decimals;
};

struct view_learn_text {
    const char *const *word; /* [given + words] */
    size_t given, words;     /* tokens of the stages; tokens that were written */
    double draw[VIEW_DRAWS]; /* temperature, top p, seed, number of tokens */
    bool none;               /* this task predicts no next token */
    bool is_old;             /* it is of what was asked for before */
};

/* A text that was opened, which the run may go on with. */
struct view_learn_offer {
    size_t step;       /* the first step with it */
    const char *about; /* what it is, or why the run cannot use it; NULL: there is none */
    bool refused;
};

/* The end of the forward pass: what is asked of each token on the stages, and the logits. */
struct view_learn_loss {
    size_t n;                       /* tokens; 0: not known */
    const char *const *kind;        /* the vocabulary: [logit.cols] */
    struct lab_matrix logit, share; /* [n][vocabulary] */
    const int32_t *right;           /* [n]: id of the right token; below 0: nothing is asked */
    const float *loss;              /* [n]: −log p of it */
    float mean;                     /* mean loss of what is asked */
};

struct lab_block;
struct view_blame;
struct view_learn {
    struct view_learn_loss at_end;
    const struct lab_block *block; /* the layer on the stages, around its attention; or NULL */
    const char *task;              /* "Small world" */
    size_t task_at;                /* its index in tasks */
    const char *const *tasks;
    size_t tasks_count;
    size_t step;    /* the one that is shown */
    size_t reached; /* the last step computed so far */
    size_t steps;   /* of the whole run */
    bool training;  /* training is running */
    bool replays;   /* the step that is shown is being computed again */
    size_t awaited; /* the step that the document asks for, while the run is on its way; 0: there */
    const char *note;   /* why it is paused: "paused: the window is hidden"; NULL: no reason */
    double per_second;  /* steps per second at ×1; 0: not measured yet */
    double pace;        /* present steps per second; 0: not measured yet */
    size_t speed;       /* index of the speed; 0 is the fastest */
    double loss, right; /* of the last batch; right: share from 0 to 1; NaN: not known */
    const float *at;    /* [points]: steps of the curves' values */
    size_t points;
    struct view_learn_curve curve[VIEW_LEARN_CURVES_MAX];
    size_t curves;
    struct view_learn_event event[VIEW_LEARN_EVENTS_MAX];
    size_t events;
    struct view_learn_edit edit[VIEW_LEARN_EDITS_MAX]; /* the latest ones */
    size_t edits;
    const char *next_title; /* "next word after “it is”" */
    bool next_writes;       /* text may be written with them */
    bool next_joins;        /* a token of `next` may be appended: they are behind the last one */
    struct view_next next[VIEW_NEXT_MAX];
    size_t next_count;
    struct view_next guessed; /* the likeliest word where a step asks for it, whatever word is
                                 chosen meanwhile; word NULL: there is none */
    size_t layers, heads, n;  /* of the snapshots */
    size_t layer;             /* the one on the stages */
    struct view_learn_moment moment[VIEW_LEARN_MOMENTS];
    const bool *off;    /* [layers · heads]: switched off; NULL: none is */
    const bool *frozen; /* [layers · heads]: no longer trained; NULL: all are */
    const char *matrix; /* the stage's matrix that can be frozen: "W_O"; NULL: none */
    bool matrix_frozen;
    const char *sentence; /* the event that is told */
    const struct view_learn_word *word;
    size_t words;
    size_t frequency; /* tokens are numbers modulo something, shown at this frequency; 0: by PCA */
    bool at_angle;    /* three components are shown, from where kinds are apart */
    enum view_learn_show show;
    /* Returns the gradient or change [rows][cols] that is shown in place of a part's values, owned
     * by the arena; NULL: there is none. */
    const float *(*instead)(const void *owner, enum lab_part part, size_t head,
                            struct arena *arena);
    const void *instead_owner;
    const struct record
        *recipe_rows;   /* the settings: rows, of which those with a group are shown */
    const void *recipe; /* their values */
    bool letters;       /* tokens are single characters, written without spaces */
    bool cuts;          /* own text, split into words or characters */
    const struct view_learn_row *row;   /* sequences of the batch, while they are shown */
    size_t rows, rows_all;              /* rows that are shown; rows in all */
    struct view_learn_text text;        /* while it is shown */
    const struct view_blame *blame;     /* while it is shown (view/parts/blame.h); else NULL */
    bool has_lines;                     /* it learns from lines that can be left out */
    const struct view_learn_line *line; /* while a step speaks of them: the first ones */
    size_t lines, lines_all;            /* lines that are listed; lines in all */
    struct view_learn_offer offer;
    size_t weights; /* how many numbers are trained */
    size_t branch;  /* number of changes by hand so far */
    bool beside;    /* another seed is trained beside this one */
    bool pinned;    /* a snapshot is pinned to compare with */
    size_t pinned_step;
    /* The explanation of the chosen cell of a gradient or change; pieces 0: none. */
    struct lab_explanation explanation;
};

/* VIEW_ACTION_LEARN: the values of action.learn.act, and the member that each uses. */
enum view_learn_act {
    VIEW_LEARN_START,       /* which: the task to be learned; SIZE_MAX: the first */
    VIEW_LEARN_PLAY,        /* training goes on, or pauses */
    VIEW_LEARN_ONE,         /* one step */
    VIEW_LEARN_SEEK,        /* which: the step to be shown */
    VIEW_LEARN_SPEED,       /* which: index of the speed */
    VIEW_LEARN_AGAIN,       /* training starts again */
    VIEW_LEARN_SET,         /* which: the index of a row of recipe_rows becomes number */
    VIEW_LEARN_SHOW,        /* which: enum view_learn_show */
    VIEW_LEARN_HEAD,        /* which: layer · heads + head, to be shown on the stages */
    VIEW_LEARN_EVENT,       /* which: index of the event to be told */
    VIEW_LEARN_SWITCH,      /* which: layer · heads + head, switched off or on */
    VIEW_LEARN_TAKE,        /* which: the token of `next` that is appended */
    VIEW_LEARN_ROW,         /* which: the sequence of the batch to be shown on the stages */
    VIEW_LEARN_DRAW,        /* which: enum view_learn_draw becomes number */
    VIEW_LEARN_KEEP,        /* the written text is shown on the stages */
    VIEW_LEARN_BESIDE,      /* another seed is trained beside this one, or no longer */
    VIEW_LEARN_PIN,         /* the present snapshot is pinned to compare with */
    VIEW_LEARN_FREEZE,      /* the matrix of the stage is frozen, or trained again */
    VIEW_LEARN_FREEZE_HEAD, /* which: layer · heads + head, frozen or trained again */
    VIEW_LEARN_DATA,        /* other data from this step on */
    VIEW_LEARN_UNITS, /* which: own text is split into words (0) or characters (1), from the start
                       */
    VIEW_LEARN_ROWS,  /* which: its rows are windows (0) or lines (1), from the start */
    VIEW_LEARN_BLAME, /* which: the token of `next` of which the sheet asks who taught it */
    VIEW_LEARN_BLAME_EACH, /* every line is left out in turn */
    VIEW_LEARN_BLAME_REST, /* no more lines are left out in turn, or they are again */
    VIEW_LEARN_LEAVE_OUT,  /* which: the line, by its number, that the run is trained without, or
                              with again */
    VIEW_LEARN_AS_MADE,    /* the run without the changes by hand, at the same step */
    VIEW_LEARN_TEXT,  /* which: the run goes on with the new text (0), or a new one begins (1) */
    VIEW_LEARN_LEAVE, /* training ends; the weights stay as they are */
};

/* Returns the seed of the recipe, whose row has the key "seed". */
double view_learn_seed(const struct view_learn *learn);

/* The name of a speed: "×1", "1/10". */
const char *view_learn_speed_name(size_t speed);

/* Appends VIEW_ACTION_LEARN. */
void view_learn_action(struct view *view, enum view_learn_act act, size_t which, double number);

/* Says whether a training run is on the stages and its panel is open. */
bool view_learn_is_shown(const struct view_state *state);

/* --- The views of view/learn. --- */
void view_learn_strip(struct view *view, struct rect area);   /* curves, track, next tokens */
void view_learn_picture(struct view *view, struct rect area); /* the curves alone, as a figure */
struct point view_learn_picture_size(struct view *view);      /* its size where none is told */
/* The curves and events as a sentence, owned by the arena. asks: without what would answer a guess.
 */
const char *view_learn_describe(const struct view_learn *learn, bool asks, struct arena *arena);
void view_learn_lines(struct view *view, struct rect area); /* the lines of its text */
void view_learn_heads(struct view *view, struct rect area); /* every head, at several snapshots */
void view_learn_words(struct view *view, struct rect area); /* where tokens have moved */

/* The chosen token of a row of the loss: the right one, or if nothing is asked the likeliest
 * (view/parts/view.c). */
size_t view_loss_word(const struct view_state *state, size_t row);

/* Says whether the loss is shown in place of a stage, its view, its title and its sentence
 * (view/stage/loss.c). */
bool view_loss_shown(const struct view *view);
void view_loss(struct view *view, struct rect area);
const char *view_loss_title(struct view *view);
const char *view_loss_sentence(struct view *view);

/* --- The overlays of view/sheets. --- */
void view_learn_batch(struct view *view, struct rect area); /* the batch of a step */
void view_learn_write(struct view *view, struct rect area); /* the text that the weights write */
const struct view_draw_row *view_draw_row(size_t which);    /* NULL: there is no such setting */
void view_learn_blame(struct view *view, struct rect area); /* which line taught a word */
struct point view_learn_blame_size(struct view *view);      /* as a figure */
void view_learn_text_choice(struct view *view,
                            struct rect area); /* the question about a text that was opened */

/* Draws the matrices of the stage as gradients or changes, in its place (view/stage/learned.c).
 * False: values are shown. */
bool view_learned_instead(struct view *view, struct rect area);

/* The height of the training panel in a window of this height; small: one that shows its panels in
 * turn. */
float view_learn_strip_height(const struct view *view, float height, bool small);

/* Draws the settings of training; draw false: only measures them. Returns the position of the next
 * control. */
float view_learn_settings(struct view *view, struct point at, float width, float tight, bool draw);

#endif
