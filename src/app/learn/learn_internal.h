/* app/learn/learn_internal.h — the state of a run beside the window, and the functions that the
 * files of this room call in each other. */
#ifndef APP_LEARN_LEARN_INTERNAL_H
#define APP_LEARN_LEARN_INTERNAL_H

#include "app/learn/learn.h"
#include "app/learn/plane.h"
#include "app/results/results.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/params.h"
#include "learn/activations.h"
#include "learn/saved.h"
#include "learn/trainer.h"
#include "subject/trained.h"
#include "view/parts/blame.h"
#include "view/parts/learn.h"

enum {
    APP_LEARN_TASKS_MAX = LEARN_TASKS,
    APP_LEARN_PROBE_MAX = 32,
    APP_LEARN_FIRST_SPEED = 3,
    APP_LEARN_CUTS = 4,
    APP_LEARN_LEAVING = 8
};

/* The plane of a keyframe. */
struct learn_placed_plane {
    const struct learn_keyframe *keyframe; /* held */
    struct app_learn_plane *plane;         /* owned; NULL: there was no memory for it */
};

/* What results have of the same recipe from another seed, while the stages are compared with it.
 * Each is held; NULL: it is not there yet. */
struct learn_beside {
    const struct value *run, *moment;
};

/* Of a step; NaN: not known (yet), or there is no such thing. */
struct learn_measured {
    float loss, right; /* of the batch that comes next */
    float test;        /* right among the rows that are never trained on */
};

/* The key of wants: the last exact moment that stood on the stages. */
struct learn_key {
    const struct learn_snapshot *snapshot; /* held; NULL: there was none yet */
    uint64_t number;                       /* of the view that it was in */
    uint32_t source, branch;               /* 0: not known yet, for lack of memory */
    uint32_t other;                        /* the source that has another seed; likewise */
    struct learn_passed {
        uint64_t number; /* of the view whose first edits lead to the branch; 0: of none */
        size_t edits;    /* how many */
        uint32_t branch;
    } passed[2]; /* the branch of step 0, and that of another step that was passed */
};

/* A batch, by now: the first rows of it. */
struct learn_batch_rows {
    struct value value;
    size_t count, width;
    struct learn_batch_cell {
        int32_t token;
        float loss; /* −log p of the right one; −1: nothing is asked */
    } cell[];       /* [count][width] */
};

/* A text, by now. */
struct learn_written {
    struct value value;
    size_t given, count; /* tokens that were given; of id */
    int32_t id[];
};

/* Weights that lie in a folder; learned: how (a reference, or NULL: there are none). */
struct learn_given {
    const struct lab_training *learned;
    struct lab_step_weights weights; /* whose folder is `folder` */
    char folder[LAB_MODEL_PATH_MAX];
};

/* All that the stages show of a run, besides the document: where none of it is another, nothing is
 * looked at again. Without padding. */
struct learn_seen {
    uint64_t number; /* of the view */
    uint64_t edits;  /* steps of history, counted; UINT64_MAX: nothing was seen yet */
    uint64_t show;   /* values, gradients or changes */
    uint64_t pinned; /* the step that is kept to compare with, from 1; 0: none */
    uint64_t other;  /* the step of the run from another seed, from 1; 0: none */
    uint64_t course, goal;
    uint64_t training, hidden; /* as the button and its note say */
    const struct learn_reading *offer;
};

/* The question about lines beside the run and the words: a key of wants, without padding. */
struct learn_blame_key {
    int32_t word;  /* below 0: the likeliest */
    uint32_t each; /* 1: every line is left out in turn, not the likeliest alone */
    uint32_t language;
};

/* Which line taught a word, as it is asked. */
struct learn_blaming {
    struct learn_blame_key asked;
    struct view_blame shown;
    struct want timed; /* the answer whose pace is measured: */
    double since;      /* the time at which it had come as far as `from` */
    float from;
};

/* How a run stands to the document's step. */
enum learn_course {
    LEARN_STANDS,  /* nothing is left to be reached */
    LEARN_GOES,    /* it is on its way there */
    LEARN_GIVES_UP /* it stays where it has come to, as soon as its thread hears of it */
};

struct app_learn {
    struct learn_trainer *trainer;
    struct learn_trainer *leaving[APP_LEARN_LEAVING]; /* told to end, after the step they are at */
    struct learn_beside beside;
    struct learn_learned *learned; /* the run that the trainer has; `held` is a reference */
    struct learn_given given;
    const struct learn_view *view; /* the newest, held */
    struct learn_network *network; /* for looking, not for training */
    /* Of the experiment that was put last; references. */
    const struct lab_training *placed;
    const struct lab_words *tokens;
    size_t layer;
    struct learn_seen seen; /* of what was put last */
    size_t followed;        /* the head that the last event led to: layer · heads + head */
    uint64_t until;         /* it is to train up to there; 0: it is to stand still */
    const struct learn_data *cut[APP_LEARN_CUTS]; /* texts that were cut last; references */
    enum learn_units cut_asked[APP_LEARN_CUTS];   /* how each was to be cut */
    struct learn_reading *offer; /* a text that the run may go on with; NULL: none */
    uint32_t returned_to;        /* the step of history behind a change that was taken back last */
    double full_speed;           /* steps a second at ×1, as measured */
    struct learn_placed_plane
        *plane; /* [planes] of the view's keyframes, the first of them; owned */
    size_t planes, planes_room;
    struct learn_key key;
    struct learn_measured measured; /* of what is shown */
    uint64_t pinned;                /* the step that is kept to compare with */
    size_t pin_edits; /* how many edits lead to `pinned`; more than there are: others did */
    enum learn_course course;
    uint64_t goal;        /* the document's step, where the run does not stand */
    struct view_work way; /* what is told of it; doing NULL: nothing so far */
    char way_text[96];
    struct learn_activations *sentence; /* of what is shown */
    struct learn_blaming blaming;
    int32_t asked; /* the token that a gradient asks for behind the words; −1: none */
    const struct lab_trace *former; /* of these words a step before; a reference, or NULL */
    struct arena formula;

    /* Told to the view; texts stand in `texts`. */
    struct view_learn shown;
    struct learn_recipe recipe_shown; /* what its settings are read from */
    struct arena texts, points, sheets;
    const char *tasks[APP_LEARN_TASKS_MAX + 1]; /* the last: own text, line by line */
    const char **word;                 /* [vocabulary of words_of] as people can read them; owned */
    const struct learn_data *words_of; /* held */
    uint32_t next_id[VIEW_NEXT_MAX];
    size_t next_at;     /* the place that they are shown of */
    size_t guess_at;    /* the place of the word that a step asks behind */
    struct arena said;  /* of the sentence below the title */
    struct error error; /* as it was said last */
};

/* Returns false, with the sentence that there is no memory to learn. */
static inline bool app_learn_no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to learn.");
}

/* The place holds this training, and its former one no more. */
static inline void learn_hold_training(const struct lab_training **place,
                                       const struct lab_training *training)
{
    const struct lab_training *const former = *place;
    *place = lab_training_keep(training);
    lab_training_release(former);
}

/* --- run.c --- */

/* Goes where the document is. False and a sentence: that cannot be. */
bool learn_go_to(struct app_state *state, const struct lab_experiment *present, double time,
                 struct error *error);

/* Nothing of the run is shown; what is placed next is gone to anew. */
void learn_leave_run(struct app_state *state);

/* Frees all that was made of the run. */
void learn_forget_run(struct app_learn *learn);

void app_learn_take_speed(struct app_learn *learn);

/* A run ends, and nobody waits for the step that it is at. NULL is fine. */
void learn_leave(struct app_learn *learn, struct learn_trainer *trainer);

/* Those whose threads are over are forgotten; waits: for all of them. */
void learn_see_off(struct app_learn *learn, bool waits);

/* --- learn.c --- */

/* Returns how the weights of the step that is shown were learned, to change something of it. */
struct learn_learned learn_copy_now(const struct app_learn *learn);

/* The document's experiment with weights that were learned so, and with these words (NULL: its
 * own), as a step of history (name NULL: in place). False: said to the person. */
bool app_learn_change(struct app_state *state, const struct learn_learned *learned,
                      const char *const *words, size_t count, const char *name, double time);

/* Room for a run. False: no memory. */
bool app_learn_open(struct app_state *state);

/* --- save.c --- */

/* Where the weights lie that a run comes to; folder NULL: nowhere. Until the next change. */
struct lab_step_weights learn_saved_of(const struct app_learn *learn,
                                       const struct learn_learned *learned);

/* Of a run that was just begun: weights that were saved for what is placed are shown at once.
 * False: there are none, or (said to the person) not these; it is to be gone to by training, as
 * where a moment is kept to compare with. */
bool learn_stand_on_saved(struct app_state *state, struct learn_learned *wanted, double time);

/* --- way.c --- */

/* The run stands where the document says, or where it was given up. */
void learn_end_way(struct app_learn *learn);

/* --- begin.c --- */

/* A run that begins: with the words that its task is looked at with. cut: own text; of another
 * task NULL. False and a sentence. */
bool learn_begin(struct app_state *state, const struct learn_recipe *recipe,
                 const struct learn_data *cut, bool plays, const char *name, double time,
                 struct error *error);

/* Tells the sheet of a text that the run may go on with, and of what was chosen there. */
void learn_tell_offer(struct app_state *state);
bool learn_take_offer(struct app_state *state, bool goes_on_with_it, double time);

/* The own text that is learned from is cut otherwise, and learned from the beginning. */
bool learn_set_units(struct app_state *state, enum learn_units units, double time);

/* The same of its rows. */
bool learn_set_rows(struct app_state *state, enum learn_rows rows, double time);

/* --- cuts.c --- */

/* Texts that are cut are kept for the runs that learn from them, the last few. */
void learn_keep_cut(struct app_learn *learn, const struct learn_data *cut, enum learn_units asked);
void learn_drop_cuts(struct app_learn *learn);

/* A text in words of its own as a recipe asks for them, where that is known; NULL: it is to be cut.
 */
const struct learn_data *learn_find_cut(const struct app_learn *learn, struct bytes text,
                                        enum learn_units asked);

/* The texts of edits in the words of the run that is there, likewise. */
void learn_find_cuts(const struct app_learn *learn, struct learn_learned *learned);

/* --- actions.c --- */

/* The present moment is kept to compare with. */
void learn_pin(struct app_state *state);

/* From the step that is shown on otherwise, as a step of history. */
bool app_learn_edit(struct app_state *state, const struct learn_edit *edit, const char *name,
                    double time);

/* The stages show the head at this place (layer · heads + head). */
void app_learn_show_head(struct app_state *state, size_t place, double time);

/* A number that was typed over a matrix becomes an edit of the weight: from here on otherwise. */
void app_learn_take_edit(struct app_state *state, const struct lab_experiment *present,
                         double time);

/* --- look.c: what a step makes of the words --- */

/* On its way to its goal the run comes by a moment first that is to be kept to compare with. */
bool learn_goes_to_pin(const struct app_state *state);

/* How weights are learned by a recipe, at a step. The caller holds one reference. NULL and a
 * sentence: no memory. */
struct lab_training *learn_training_of(const struct app_state *state,
                                       const struct learn_recipe *recipe, uint64_t step,
                                       struct error *error);

/* Returns a sentence with the moment whose weights it was computed with, and its words. */
struct subject_trained learn_trained(const struct learn_activations *sentence,
                                     const struct learn_snapshot *moment,
                                     const struct lab_words *words);

/* The experiment of the layer that is shown, at the view's moment; the caller releases it. False
 * and a sentence. */
bool learn_look(struct app_state *state, const struct lab_words *tokens,
                struct lab_experiment *experiment, struct error *error);

/* The same words at the weights that the last step began from; the caller holds one reference.
 * NULL: no step has led here, or nobody watches. */
const struct lab_trace *learn_look_back(struct app_state *state);

/* Returns how many brackets are open behind these tokens; one that is odd closes. */
size_t learn_open_brackets(const int32_t *ids, size_t count);

/* Where the cell of a head's matrix stands among the weights. */
bool learn_find_weight(const struct learn_snapshot *moment, size_t layer,
                       const struct lab_edit *edit, struct learn_edit *out);

/* The tensor of the stage that stands there, and what its matrices are called; NULL: none. */
const struct learn_tensor *learn_stage_tensor(const struct app_state *state, const char **name);

/* Returns whether a change is looked at that the last step made: what it is made of is told then.
 */
bool learn_watches(const struct app_state *state);

/* Returns whether the stages are compared with a step of the run that was kept. */
bool learn_is_pinned(const struct app_state *state);

/* The step from which a change is told. */
uint64_t learn_change_from(const struct app_state *state);

/* --- tell.c: what the views are told --- */

/* Tells the view of the moment and the run: all of state->learn->shown. */
void learn_tell(struct app_state *state);

/* Tells it of the results that are wanted and may have come meanwhile: each frame. */
void learn_tell_results(struct app_state *state);

/* --- curves.c: curves, and what stands on their axis --- */

void learn_tell_curves(struct app_learn *learn);

/* The events that the run found by itself, each with its head and its sentence. */
void learn_tell_events(struct app_learn *learn);

/* The changes by hand on the way to the step that is shown. */
void learn_tell_edits(struct app_learn *learn);

/* The word that is to find the noun, in the language of the data: "is". */
const char *learn_asking_word(const struct learn_data *data);

/* --- sentence.c --- */

/* The sentence below the title, of the stage and the head that are shown: each frame. */
void learn_tell_sentence(struct app_state *state);

/* --- places.c: where words stand --- */
void learn_tell_places(struct app_learn *learn);
void learn_forget_planes(struct app_learn *learn);

/* Returns whether the run has come by the steps up to the one that is shown: not where its weights
 * are known without. */
bool learn_has_past(const struct app_learn *learn);

/* Returns whether planes of keyframes are still to be found. */
bool learn_places_lag(const struct app_learn *learn);

/* --- gradients.c: gradients and changes --- */

/* Returns the gradient or the change of a part of the state that owns it, as view_learn.instead. */
const float *learn_values_instead(const void *owner, enum lab_part part, size_t head,
                                  struct arena *arena);

/* The chosen cell of a gradient or a change, spelled out; follows the selection. */
void learn_tell_formula(struct app_state *state);

/* --- sheets.c: the batch of a step, and text that its weights write --- */

/* Tells the sheet that is open. */
void learn_tell_sheets(struct app_state *state);

bool learn_take_row(struct app_state *state, size_t row, double time);
bool learn_set_draw(struct app_state *state, size_t which, double number);
bool learn_keep_text(struct app_state *state, double time);

/* The ids of words; NULL and the first that the vocabulary lacks in the sentence. */
const int32_t *learn_ids(const struct learn_data *data, const struct lab_words *tokens,
                         struct arena *arena, size_t *count, struct error *error);

/* The words of the vocabulary as people can read them: ␣ for a space. */
const char *const *learn_words_shown(struct app_learn *learn);
void learn_words_forget(struct app_learn *learn);

/* --- wants.c --- */

/* The key of what the last exact moment comes to. False: there was none, or there is no memory. */
bool learn_key_want(struct app_state *state, uint32_t kind, struct want *want);

/* Fills run, branch and step of a want of a step that led to that moment, by the edits before it.
 * False likewise. */
bool learn_key_want_at(struct app_state *state, uint64_t step, struct want *want);
void learn_forget_key(struct app_learn *learn);

extern const struct result_kind learn_snapshot_kind;

/* Lists the needs of wants of a moment: its snapshot is the first of them. */
size_t learn_list_snapshot(const struct want *want, struct want needs[RESULTS_NEEDS_MAX]);

/* The value of the slice is this snapshot, which it takes over (NULL: there was no memory for it).
 * False and a sentence: no memory. */
bool learn_give_snapshot(struct slice *slice, const struct learn_snapshot *snapshot);

/* Return the snapshot of such a value, and the number of the run that it is of. */
const struct learn_snapshot *learn_snapshot_of(const struct value *value);
uint32_t learn_source_of(const struct value *value);

/* The network looks with the heads that are on at a moment. */
void learn_switch_heads(struct learn_network *network, const struct learn_snapshot *moment);

/* A network for one thread, with the heads that are on at the moment. NULL and a sentence: no
 * memory. */
struct learn_network *learn_open_network(const struct learn_snapshot *moment, struct error *error);

/* --- writing.c --- */

extern const struct result_kind learn_writing_kind;

/* Returns the text that the weights write behind the words on the stages, with the draw that is
 * shown. NULL: nothing yet. is_old: it is what was wanted before. */
const struct learn_written *learn_write(struct app_state *state, bool *is_old);

/* --- blame.c: which line taught a word --- */

extern const struct result_kind learn_blame_kind;

/* Tells the sheet. */
void learn_tell_blame(struct app_state *state);

/* The sheet opens, and asks about the likeliest word. */
void learn_begin_blame(struct app_learn *learn);

/* It asks about another of the next words; about every line. */
bool learn_ask_blame(struct app_state *state, size_t next);
bool learn_blame_each(struct app_state *state);

/* Cancel: what is there stays, and the rest is not wanted; or it is wanted again. */
bool learn_turn_blame(struct app_state *state);

/* --- batch.c --- */

extern const struct result_kind learn_batch_kind;

/* The batch that the last exact moment learns from. NULL: nothing is there yet. */
const struct learn_batch_rows *learn_batch_rows(struct app_state *state);

/* --- measured.c: of a step that no curve has a point of --- */

extern const struct result_kind learn_measured_kind;

/* Of the moment that is shown. False: it is not there yet. */
bool learn_measure(struct app_state *state, struct learn_measured *out);

/* --- beside.c: the same recipe from another seed --- */

extern const struct result_kind learn_run_kind, learn_moment_kind;

/* Where the stages are compared with it, it is wanted at the step that they show: each frame. */
void learn_follow_beside(struct app_state *state, double time);
void learn_forget_beside(struct app_learn *learn);

/* What the stages show is compared with the same of the other run. */
void learn_compare_beside(struct app_state *state, double time);

/* Returns the moment that it is compared with; NULL: none is there yet. */
const struct learn_snapshot *learn_beside_moment(const struct app_learn *learn);

/* Returns a copy of the other run's points so far, the arena's. NULL: there are none. */
const struct learn_point *learn_beside_points(const struct app_learn *learn, struct arena *arena,
                                              size_t *count);

/* --- passed_heads.c --- */

extern const struct result_kind learn_passed_heads_kind;

/* Tells the first step, one on the way, and the present one. */
void learn_tell_moments(struct app_state *state);

/* Wants the former two, as each frame does. Returns whether they are those that were told. */
bool learn_moments_are_told(struct app_state *state);

#endif
