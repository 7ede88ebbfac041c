/* app/open/open_model.h — what is open beside the experiment: a model in a folder, with the text it
 * reads.
 *
 * The experiment on the stages is one of its layers; all heads stand in thumbnails. Opening, a
 * forward pass and the thumbnails are long work: threads of results do it, the window goes on, and
 * what was there stays until the new is whole. */
#ifndef APP_OPEN_OPEN_MODEL_H
#define APP_OPEN_OPEN_MODEL_H

#include "app/document/state.h"
#include "app/open/dump_options.h"
#include "file/kinds.h"
#include "lab/dump/dump.h"

/* Returns whether a path is something that this opens: a folder with a config.json, or a file of
 * attention. */
bool app_open_model_probe(const char *path);

/* True and why: the path is a model's, but it cannot be opened, as its first lines say already. */
bool app_open_model_refuses(const char *path, struct error *error);

/* Starts to open a model on a text (NULL: a sentence that stands in for one), or a file of
 * attention with the path of its tokens (NULL: in it, beside it, or counted). What came of it shows
 * in a later frame; a refusal is said in one line at the bottom, and nothing else has changed then.
 * False: there is no memory for that either. */
bool app_open_model_open(struct app_state *state, const char *path, const char *text, double time);

/* The same where it was looked at: its kind, and the file as it is open, are known. */
struct subject;
bool app_open_model_open_found(struct app_state *state, const struct subject *found,
                               const char *path, const char *text, double time);

/* The same with a model that is open already, or begun. run: what has read a text with it (chat: as
 * a message of a chat); NULL: `text` is read. The state holds both once more. */
struct model;
struct model_run;
bool app_open_model_adopt(struct app_state *state, const char *path, struct model *model,
                          struct model_run *run, const char *text, bool chat, double time);

/* Starts to open a file of attention whose arrays are as it is said; dump: that file, where it is
 * open already, which the state holds once more; else NULL.
 */
bool app_open_model_open_as(struct app_state *state, const char *path,
                            const struct lab_dump_request *request, enum app_dump_doubt doubt,
                            struct lab_dump *dump, double time);

/* Puts up the panel about the arrays of the file that is open; without one, about the table whose
 * rows the words took last. False: there is neither. */
bool app_open_model_ask(struct app_state *state);

/* Where what is being opened for the call begins, with nothing before it to be undone: which
 * attention of a model of two texts (0 of the second to itself, 1 of the first, 2 of the second to
 * the first), layer and head from 0, and the stage. */
void app_open_model_begin_at(struct app_state *state, size_t attention, size_t layer, size_t head,
                             enum lab_stage stage);

/* Tells what a session keeps of the model whose layer is shown: it borrows, until the model is
 * closed or another text is read. path NULL: the layer is of none. */
void app_open_model_kept(const struct app_state *state, struct lab_step_model *kept);

/* The model of a session beside its layer, which stands on the stages by now: as it was kept, with
 * all its heads. Where it is not there or is another one by now, that is said and the layer stands
 * alone. */
void app_open_model_restore(struct app_state *state, const struct lab_step_model *kept,
                            double time);

/* What the model that is open has read, as it is shown; borrowed until the next frame. */
struct app_open_model_text {
    struct model *model;
    uint32_t number;        /* of what is open, and of nothing else */
    const uint32_t *ids;    /* [count] of two texts the second */
    const uint32_t *source; /* [source_count] the first of two; NULL: there is one */
    const struct model_intervention *change; /* [changes] what is changed in it */
    size_t count, source_count, changes;
    size_t offs; /* of weights that learn: the first of these are heads that are off in the run */
    size_t position; /* behind which the next word stands, or of a masked word; SIZE_MAX: none */
};

/* False: no model is open, or its text is not read yet. */
bool app_open_model_text(const struct app_state *state, struct app_open_model_text *text);

/* Returns the number of ids of both texts and of what is changed, for keys; 0: no memory. */
struct results;
uint32_t app_open_model_number(struct results *results, const struct app_open_model_text *text);

/* Everything it holds. */
void app_open_model_close(struct app_state *state);

/* Follows the experiment where undo, redo or a lesson took it. Once a frame. */
void app_open_model_follow(struct app_state *state, double time);

/* Asks for the layer that is wanted on the stages, and for what is around the one that stands
 * there. In each pass of a frame, since an act asks for another. */
void app_open_model_want(struct app_state *state, double time);

/* What is told of layers that are on their way, NULL: none are; and Cancel: the one that stands
 * there is wanted, and those that are not computed yet when they are asked for. False: none are. */
const struct view_work *app_open_model_work(struct app_state *state);
bool app_open_model_give_up(struct app_state *state, double time);

/* Returns whether a task of what is open is under way, or will be. */
bool app_open_model_waits(const struct app_state *state);

/* Returns whether the next words of what is shown could not be computed: a message says why. */
bool app_open_model_lacks_next(const struct app_state *state);

/* Sets sinks aside among all heads, or brings them back; nothing where none are shown. */
void app_open_model_set_sinks(struct app_state *state, bool aside);

/* Returns whether the words that an action is about are those of a text that a model reads; else
 * they are the experiment's own. */
bool app_open_model_has_words(const struct app_state *state, const struct view_action *action);

/* Applies an action about such words, or about layers and heads of what is open. Returns whether
 * anything became another. */
bool app_open_model_apply(struct app_state *state, const struct view_action *action, double time);

/* The layer next to the present one (steps 1 or −1); false: nothing with layers is open. */
bool app_open_model_step(struct app_state *state, int steps, double time);

#endif
