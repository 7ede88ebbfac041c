/* app/document/document.h — what the person works on: the experiment with what is computed of it,
 * its history, its lesson, its file, and what of it is in no file yet.
 *
 * document_change is the only door by which the experiment changes. The change is a step of history
 * at once; what is computed of it follows: before the call returns where it is small, else when
 * results have it, and what stands there stays until then. Each change is made to document_present,
 * so that changes that come meanwhile add up. Which of the two it was is no matter to the caller.
 */
#ifndef APP_DOCUMENT_DOCUMENT_H
#define APP_DOCUMENT_DOCUMENT_H

#include "app/document/work.h"
#include "base/error.h"
#include "lab/experiment/experiment.h"
#include "lab/explain/display.h"
#include "lab/run/trace.h"
#include "view/parts/view.h"

struct results; /* app/results/results.h */
struct value;   /* app/results/value.h */

enum { DOCUMENT_STEPS_MAX = 1001, DOCUMENT_BYTES_MAX = 256 << 20, DOCUMENT_NAME_MAX = 48 };

/* The stage, the selection, the keys set aside and the text that Why compares with, of a step of
 * history when it was left. */
struct document_view_position {
    bool known; /* it was left, and nobody came back to it yet */
    enum lab_stage stage;
    struct lab_selection selection;
    struct lab_places aside;
    char changed[VIEW_WHY_TEXT_MAX];
};

#define DOCUMENT_NO_STEP SIZE_MAX

/* While something is computed steps are a tree, of which each knows the one it was made from and
 * the one that redo comes to; else they stand in one line. */
struct document_step {
    struct lab_experiment experiment;
    uint32_t number;                  /* of the step, and of nothing else */
    uint32_t asked;                   /* of its present experiment: the key of its trace */
    size_t parent, redo, former_redo; /* former_redo: the parent's, before this one was made */
    char name[DOCUMENT_NAME_MAX];     /* the change that led to it: "add bird" */
    const struct lab_lesson *lesson;  /* that was open, held; steps 0: none */
    size_t at;                        /* and its step */
    bool keeps_run;                   /* the change left what weights have learned as it was */
    struct document_work *work;       /* that it is a step of, held */
    const struct value *reading;      /* how its words were read (app/open), held; NULL: not */
    struct document_view_position position;
};

/* Oldest first. */
struct document_steps {
    struct document_step *step;
    size_t count, room;
};

/* The experiment to compare with: document.baseline is its trace. */
enum document_compares {
    DOCUMENT_COMPARES_NOTHING,
    DOCUMENT_COMPARES_KEPT,   /* an experiment that a person kept */
    DOCUMENT_COMPARES_CHANGE, /* the one before the last change, whichever that is */
    DOCUMENT_COMPARES_STEP,   /* weights that learn, at a step that was kept (app/learn) */
    DOCUMENT_COMPARES_SEED    /* the same recipe from another seed, at the same step (app/learn) */
};

/* Decisions that a person has to make before anything is written. */
enum document_asks {
    DOCUMENT_ASKS_NOTHING,
    DOCUMENT_ASKS_CHANGED_FILE, /* somebody else wrote the file meanwhile */
    DOCUMENT_ASKS_LESSON,       /* it holds a lesson, and would take what was only tried */
    DOCUMENT_ASKS_CLOSE,        /* the window is to close, and the work is kept nowhere */
};

struct document {
    struct lab_experiment experiment; /* that is shown */
    const struct lab_trace *trace;    /* of it; NULL when it has none */
    struct error error;               /* why it has none; code NONE: no tokens */
    const struct value *reading;      /* of the step that is shown, held; NULL: none */
    enum document_compares compares;
    const struct lab_trace *baseline; /* of what is compared with; NULL: none, or not there yet */
    uint32_t baseline_asked; /* of a change: the key of its trace; 0: it is not there yet */
    const struct value *baseline_request; /* for it, where it takes long, held; NULL: none */
    struct lab_engine engine;             /* what computes it */

    struct document_steps history;
    size_t at;            /* the step of history that is shown */
    size_t wanted;        /* the one that is there when all is computed */
    size_t settled;       /* steps from here on go when what is computed is given up */
    uint32_t numbers;     /* the last one that a step or an experiment got */
    uint32_t shown_asked; /* of the experiment that is shown */
    struct results *results;
    const struct value *request; /* for the trace of what is wanted, held; NULL: none */
    struct view_work computing;  /* its progress */
    bool glides; /* what is wanted is a change: what is seen of it moves to its place */

    size_t changes, edits; /* counted: experiments that were wanted; steps of history */
    size_t moves;          /* and how often one went on by itself, as weights that learn do */
    double last_change;    /* of a field, to fold a drag into one step */
    size_t shown;          /* counted: steps that came to be shown */
    double glide_from;     /* when what is seen of the last change began to move */

    const struct lab_lesson *lesson; /* that is open, held; steps 0: none */
    size_t step;                     /* of it */

    struct document_work *work;  /* the present one, with its file; held */
    char rows_path[4096];        /* of the table whose rows the words took last; "": none */
    struct lab_experiment saved; /* as a file or a lesson has it */
    bool restored;               /* it was kept aside by a former run */
    enum document_asks asks;     /* what the person is asked about it */

    /* Called when another step is shown or wanted; former: the trace that was shown, NULL: none.
     * is_elsewhere: it is of another lesson, step or work, so what was seen of it returns. */
    void (*follow)(void *owner, const struct lab_trace *former, bool is_elsewhere);
    /* Called when a change was not taken for lack of memory; all is as it was. */
    void (*refuse)(void *owner, double time);
    /* Called to find what is seen now. NULL: it is not known. */
    void (*look)(void *owner, struct document_view_position *position);
    void *owner;
};

/* Begins with an experiment, in place; the history is that alone. The results outlive it. False: no
 * memory. */
bool document_open(struct document *document, const struct lab_experiment *experiment,
                   struct results *results);
void document_close(struct document *document);

/* The experiment becomes a copy of this one. name: of the step of history ("add bird"; cut when
 * long); NULL: it goes on with the last change, without a step of its own. What cannot be computed
 * keeps its error as a sentence. */
void document_change(struct document *document, const struct lab_experiment *experiment,
                     const char *name, double time);

/* The same where the trace of it is known, and its words were read so (NULL: they were not): as a
 * step also where the experiment stays alike and is read otherwise, as by other heads. The caller
 * keeps its references. */
void document_change_read(struct document *document, const struct lab_experiment *experiment,
                          const struct lab_trace *trace, const struct value *reading,
                          const char *name, double time);

/* A step of history at which the experiment stays as it is and is looked at otherwise, as with a
 * key set aside: called before that is so. */
void document_change_look(struct document *document, const char *name, double time);

/* The same in place, and not counted as a change: what moves by itself, as weights that learn do.
 */
void document_move_known(struct document *document, const struct lab_experiment *experiment,
                         const struct lab_trace *trace, double time);

/* Returns what the next change is a change of: the experiment as it will be when all is
 * computed. */
const struct lab_experiment *document_present(const struct document *document);

/* Returns how its words were read; NULL: they were not. A change that leaves the words leaves that,
 * too. */
const struct value *document_present_reading(const struct document *document);

/* The words that are shown were read so: it was only not known. */
void document_note_reading(struct document *document, const struct value *reading);

/* Returns whether anything of it is being computed, and what is told of that; NULL: nothing is. */
bool document_is_pending(const struct document *document);
const struct view_work *document_work(const struct document *document);

/* Returns the number of the wanted step; and whether the step of a number is shown, or one that was
 * made behind it. */
uint32_t document_wanted_number(const struct document *document);
bool document_shows(const struct document *document, uint32_t number);

/* Returns whether a frame cannot wait for its trace. */
bool document_is_long(const struct lab_experiment *experiment);

/* Returns false where there is no memory for weights that rest while only history holds them. */
bool document_wake_weights(const struct lab_experiment *experiment);

/* Each frame: what is wanted is wanted of the results, and shown when it has come. */
void document_follow(struct document *document, double time);

/* Returns the step before the one shown, where that is a change of the person's own: of the same
 * work, at the same step of a lesson. NULL: nothing was changed. */
const struct document_step *document_step_before(const struct document *document);

/* The name of that change, NULL where there is none. */
const char *document_change_name(const struct document *document);

/* From now on the experiment is compared with this, whose trace the document holds (NULL: nothing,
 * or it comes). Each frame: that of a change is computed, or wanted of the results. */
void document_compare(struct document *document, enum document_compares compares,
                      const struct lab_trace *trace);
void document_follow_baseline(struct document *document);

/* Once a frame: weights of a model's layers that only former steps, or later ones, hold give their
 * memory back, and are read again when those come to be wanted. */
void document_rest(const struct document *document);

/* A change that is being computed is taken back by undo, and nothing else is; redo begins it anew.
 */
void document_undo(struct document *document, double time);
void document_redo(struct document *document, double time);
bool document_can_undo(const struct document *document);
bool document_can_redo(const struct document *document);
const char *document_undo_name(const struct document *document); /* NULL: there is none */
const char *document_redo_name(const struct document *document);

/* The history begins with the step that is shown: those before it are forgotten. Nothing happens
 * while anything is computed. */
void document_begin_here(struct document *document);

/* Takes the last change back for good: it was given up before it was done. */
void document_take_back(struct document *document, double time);

/* Gives up all that is being computed: what is shown stays. False: nothing is. */
bool document_cancel(struct document *document);

/* Returns whether the present experiment is one that no file and no step of the lesson has. */
bool document_is_unsaved(const struct document *document);

/* This experiment is in a file or a lesson: the present one, or what it was when writing began. */
void document_note_saved(struct document *document, const struct lab_experiment *experiment);

/* Another lesson (of app/document/work.h; &document_no_lesson: none), which the document holds,
 * too. What was kept to compare belonged to the former, and goes. */
void document_set_lesson(struct document *document, const struct lab_lesson *lesson);

/* Everything from now on is another work, in no file yet; that of the former is known again when
 * undo returns to it, so that nothing is saved over another file. False: no memory, and nothing
 * changed. */
bool document_begin_work(struct document *document);

/* The present step of history is one of the lesson that is open, at its present step: undo and redo
 * come back to that. A new step of history is so by itself. */
void document_note_lesson(struct document *document);

#endif
