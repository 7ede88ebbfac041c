/* app/learn/learn.h — weights that learn, on the stages: a run on a thread of its own, and each
 * frame what its present step makes of the words.
 *
 * The experiment says how its weights were learned (experiment.learned): what the document shows is
 * what is gone to here, so that undo, lessons and sessions need nothing of their own; what training
 * reaches becomes the document's experiment, in place. */
#ifndef APP_LEARN_LEARN_H
#define APP_LEARN_LEARN_H

#include "app/document/state.h"
#include "base/bytes.h"

struct app_learn;

/* Begins to learn from a task (its place in the table; SIZE_MAX: the small world), as a change of
 * the document that undo takes back; plays: it trains at once. False: said to the person. */
bool app_learn_start(struct app_state *state, size_t task, bool plays, double time);

/* The same from a text, or from a file of text, now: where there is no window yet. What was done
 * with it is said. False and a sentence: nothing has changed. */
bool app_learn_text(struct app_state *state, struct bytes text, double time, struct error *error);
bool app_learn_text_file(struct app_state *state, const char *path, double time,
                         struct error *error);

/* A text that comes while there is a window: a long one is read and cut beside it. The run from
 * another text that stands there may go on with it (VIEW_OVERLAY_TEXT asks); else one begins. False
 * and a sentence: nothing has changed. */
bool app_learn_bring(struct app_state *state, struct bytes text, double time, struct error *error);
bool app_learn_bring_file(struct app_state *state, const char *path, double time,
                          struct error *error);
void app_learn_offer_close(struct app_state *state);

/* Says again how the text that is learned from was taken, in the language that is spoken: of one
 * that was begun with before there was a window to say it in. Of another task: nothing. */
void app_learn_greet(struct app_state *state, double time);

/* The run that stands there ends: what is shown next begins its own, though it may have the same
 * weights. */
void app_learn_end_run(struct app_state *state);

/* Returns whether a file is a text to learn from, by its name: .txt, .md. */
bool app_learn_is_text(const char *path);

/* Follows the document and the training. Before each picture; cheap when nothing is new. */
void app_learn_follow(struct app_state *state, double time);

/* When to be called again: at once while it trains; 0: not before something is done. */
double app_learn_wake(const struct app_state *state, double time);

/* The weights that stand on the stages, and what they have read; borrowed until the next frame. */
struct app_learn_moment {
    const struct learn_snapshot *snapshot;
    uint32_t source, branch;  /* numbers of the run and of its edits, for wants */
    const int32_t *tokens;    /* [count] */
    size_t count, position;   /* behind which the next word stands */
    const char *const *words; /* [vocabulary] as people can read them */
};

/* Returns whether what is open trains, or will as soon as it stands where it is to begin: a view
 * may be older than that. Something has to be open. */
bool app_learn_is_training(const struct app_state *state);

/* False: nothing learns, or its exact moment is not there yet. */
bool app_learn_moment(struct app_state *state, struct app_learn_moment *moment);

/* What a person has changed beside the run, to ask why; borrowed until the next frame. */
struct learn_change;
const struct learn_change *app_learn_changes(const struct app_state *state, size_t *count);

/* Makes these the changes, as a step of history. False and a message: no memory. */
bool app_learn_set_changes(struct app_state *state, const struct learn_change *change, size_t count,
                           const char *name, double time);

/* A head that is off in the run is on again there, and changed beside it instead, to ask why: one
 * step of history. */
void app_learn_ask_of_head(struct app_state *state, size_t layer, size_t head,
                           const struct learn_change *change, const char *name, double time);

/* Returns why these weights say no next word that could be asked about; NULL: they do. */
const char *app_learn_lacks_next(const struct app_state *state);

/* Returns the sentence and the progress while the run is on its way to the step that the document
 * asks for; NULL: it is there. Until the next frame. */
const struct view_work *app_learn_work(struct app_state *state, double time);

/* It stays where it has come to, which becomes the document's step. */
void app_learn_give_up(struct app_state *state);

/* Applies an action about training, and returns whether anything became another. */
bool app_learn_apply(struct app_state *state, const struct view_action *action, double time);

/* Chooses what the stages show of weights that learn, by its place in enum view_learn_show. */
void app_learn_show(struct app_state *state, size_t which);

/* Opens a sheet of training, VIEW_OVERLAY_BATCH, _WRITE or _BLAME; training pauses. */
void app_learn_look_closely(struct app_state *state, enum view_overlay sheet, double time);

/* Reads how the weights of a lesson's steps were trained: from then on experiments hold records of
 * it, which are equal where they mean the same. */
void app_learn_read_lesson(struct lab_lesson *lesson);

/* Returns whether the weights of all steps of a lesson are known without training, as those of the
 * model that comes with the program are. */
bool app_learn_knows_lesson(const struct lab_lesson *lesson);

/* Fills these weights in; the steps' experiments are the caller's. False and a sentence: one would
 * have to be trained. */
bool app_learn_fill_lesson(struct lab_lesson *lesson, const struct lab_engine *engine,
                           struct error *error);

/* Weights of the run and step that an experiment names as its own lie in a folder: they are shown
 * without training, where they are what it says. folder NULL: none do. */
void app_learn_use_saved(struct app_state *state, const struct lab_training *learned,
                         const struct lab_step_weights *weights);

/* Returns whether the document's weights take so long to be learned again that they are worth
 * saving with a session (learn/cost.h). Not where a step is kept to compare with, which is gone to
 * first. */
bool app_learn_is_long(const struct app_state *state);

/* Returns whether weights of this document were saved with it, at this step or another. */
bool app_learn_was_saved(const struct app_state *state);

/* Returns whether this is the folder where they were. */
bool app_learn_saves_to(const struct app_state *state, const char *folder);

/* The folder for the weights of a session of this path. False: it is too long. */
bool app_learn_weights_folder(const char *path, char *folder, size_t size);

/* Writes the document's weights there, and notes it for the session that is written next. False and
 * a sentence: they are not there yet, or the folder cannot be written. */
bool app_learn_save_weights(struct app_state *state, const char *path, struct error *error);

/* Where those of the document's experiment lie; folder NULL: nowhere. Until the next call. */
struct lab_step_weights app_learn_saved(const struct app_state *state);

/* Writes the folder of the step that is shown. False and a sentence. */
bool app_learn_save_model(struct app_state *state, const char *folder, struct error *error);

/* Returns whether anything that was asked for is left to do. */
bool app_learn_waits(const struct app_state *state);

/* The run with its past, trained from its beginning though its weights may be known without, and
 * standing still: for pictures, which have curves, trails and heads then and now. last: a step
 * behind the present one that will be shown too, else 0. Nothing where no weights are learned.
 * False and a sentence. */
bool app_learn_watch(struct app_state *state, uint64_t last, double time, struct error *error);

/* The same without its past: weights that came with the program need no training then. */
bool app_learn_stand(struct app_state *state, double time, struct error *error);

/* Tells the view of the same step again: another stage or head is looked at. */
void app_learn_tell(struct app_state *state);

/* How what is wanted of weights that learn is computed; once, before the first frame. */
void app_learn_set_kinds(struct app_state *state);

void app_learn_close(struct app_state *state);

#endif
