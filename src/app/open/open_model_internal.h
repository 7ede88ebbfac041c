/* app/open/open_model_internal.h — the state of an open model, its readings and requests, and the
 * functions that the files open_model_*.c call in each other. */
#ifndef APP_OPEN_OPEN_MODEL_INTERNAL_H
#define APP_OPEN_OPEN_MODEL_INTERNAL_H

#include <stdatomic.h>

#include "app/open/dump_options.h"
#include "app/open/open_model.h"
#include "app/results/results.h"
#include "base/random.h"
#include "model/message.h"
#include "subject/subject.h"
#include "view/parts/head_overview.h"

enum { OPEN_MODEL_ATTENTIONS = MODEL_CROSS + 1 };

struct app_open_model;

struct open_model_work;
struct open_model_kept; /* app/open/open_model_kept.c */
struct lab_step_model;

/* Which layer, or which head of it, of what is open. */
struct layer_ref {
    struct subject subject; /* borrowed */
    struct subject_spot spot;
    bool residual; /* X + O is shown */
    struct lab_engine engine;
};

/* A layer as the stages take it: the experiment, and all that follows from it. Where it was not
 * read, the experiment has no tokens. */
struct open_model_ready {
    struct layer_ref layer_ref; /* that is asked for */
    struct lab_experiment experiment;
    const struct lab_trace *trace;
    struct error error; /* of what could not be read */
};

/* A layer that a frame asks for (app/open/layer_want.c); content NULL: none. */
struct open_model_ask {
    struct want want;
    const struct value *content; /* that stands behind it, held */
    enum found found;            /* by the last frame */
    struct view_work work;       /* what is told of it */
};

/* What stands behind WANT_HEADS and WANT_WEIGHED. */
struct open_model_heads_request {
    struct value value;
    struct subject subject; /* held, with its run */
    struct lab_engine engine;
    struct lab_thumbnails *thumbnails; /* held: one thread looks, and the window reads */
};

/* Values of WANT_LAYER and WANT_AROUND. */
struct open_model_layer {
    struct value value;
    struct open_model_ready ready; /* borrows no subject */
};

struct open_model_around {
    struct value value;
    struct subject subject;        /* held, without its run: the block's weights are there */
    const struct lab_block *block; /* NULL: its steps cannot be shown */
    size_t rows, cols;
    float *stream; /* [rows][cols] before the layer; NULL: heads that read two texts */
};

/* What stands behind their keys; the caller holds one reference. NULL: no memory. A request for a
 * layer also stands behind the logits of a place, which its head names then. */
const struct value *open_model_request_layer(const struct layer_ref *ref);
const struct layer_ref *open_model_requested(const struct value *content);

/* Who wrote a text, of two the second. */
enum text_origin {
    TEXT_WRITTEN, /* the model, or nobody: it stands in for one */
    TEXT_TYPED,
    TEXT_OF_CHAT /* typed, as a message in the model's chat template */
};

/* Some of the heads of the attention that has the most, layer · heads + head. */
struct head_set {
    size_t places;
    bool has[];
};

/* How the words of a step of history were read, which undo and redo return to: a text of a model
 * with what was changed in it, or one side of a file of attention. */
struct open_model_reading {
    struct value value;
    uint32_t owner;                /* app_open_model.number */
    uint32_t number;               /* of the text and what is changed, for keys; 0: no memory */
    size_t side;                   /* of a file of attention; what follows is of a model */
    const struct lab_words *words; /* the very list, through all its layers */
    uint32_t *ids;
    size_t count;
    struct model_intervention *change; /* [changes] what was changed in the model */
    size_t changes;
    struct arena arena;         /* of what sessions keep of these: */
    const struct head_set *off; /* heads that are off */
    const char *const *written; /* [written_count] the others */
    size_t written_count;
    uint32_t *source; /* [source_count] of a model of two texts; else NULL */
    size_t source_count;
    const struct lab_words *source_words; /* the very list of those; NULL: there is one text */
    enum text_origin origin;
};

/* The parts that the progress of a reading is told in: layers, and then their heads, or both by
 * turns. */
enum open_model_part { OPEN_MODEL_OPENS, OPEN_MODEL_COMPUTES, OPEN_MODEL_SCANS, OPEN_MODEL_FILLS };

/* The things that a reading is wanted for. */
enum open_model_aim {
    OPEN_MODEL_READ,   /* opens what is not open, and reads */
    OPEN_MODEL_APPEND, /* the last id is one more for `run` */
    OPEN_MODEL_SCAN    /* looks at every head of a file of attention that is open */
};

/* What stands behind WANT_READING, and its value: whoever computes it fills it, and the window
 * takes it when it is whole. */
struct open_model_work {
    struct value value;
    enum open_model_aim aim;
    uint32_t number;        /* of what will have been read, for keys */
    struct subject subject; /* held; before it is open only its kind and its file are known */
    char *path;             /* owned */
    struct lab_engine engine;
    const struct app_dump_options *options; /* of a file of attention; held */
    char *text;                     /* to be made into ids; NULL: ids are given, or nothing is */
    struct open_model_reading read; /* what is to be read; its lists are owned, and it has no words.
                                       ids NULL: they are made of `text`, or the model writes */
    double at_once; /* seconds until a text that is read is handed over, with the layers by then */
    char name[APP_NAME_MAX];          /* of the step of history; "": it makes none */
    atomic_size_t first_layer;        /* wanted on the stages: the first that is handed over */
    atomic_size_t part, done, all;    /* how far it is: enum open_model_part, and of that */
    enum open_model_part layers_part; /* in which layers are told */
    struct lab_dump *list;            /* its arrays, where it has to be asked what they are */
    struct lab_thumbnails *thumbnails[OPEN_MODEL_ATTENTIONS]; /* [MODEL_SELF] where there is one */
    struct open_model_ready ready; /* the layer and head that stand on the stages first, made ready
                                      with the rest */
    struct error error;
    char title[64]; /* what is being opened */
};

/* The token that stands for a word to be guessed, in models that guess such; false: others. */
bool open_model_mask(const struct model *model, uint32_t *id, const char **name);

/* The same, also of models that were saved without the weights that guess. */
bool open_model_mask_token(const struct model *model, uint32_t *id, const char **name);

/* Finds what closes a sentence, of a model that tells two apart: the second begins behind it.
 * False: it tells none apart, or (of some) no memory. */
bool open_model_closes(const struct model *model, struct arena *arena, uint32_t *id);

/* Numbers of tokens that are typed to a model without a tokenizer; false and what can be typed. */
bool open_model_read_ids(const struct model *model, enum model_text which, const char *text,
                         struct arena *arena, const uint32_t **ids, size_t *count,
                         struct error *error);

/* Returns whether such a text has a word to be guessed: the next one, or the first masked one, at
 * *masked (SIZE_MAX: none). */
bool open_model_guesses(const struct model *model, const uint32_t *ids, size_t count,
                        size_t *masked);

/* The first masked word from `place` on, else of all; SIZE_MAX: there is none. */
size_t open_model_masked(const struct model *model, const uint32_t *ids, size_t count,
                         size_t place);

/* Reads and computes the layer; what is wrong stands in ready->error or the trace. False: there is
 * no experiment; without a sentence the listener has stopped it. */
bool open_model_make_ready(const struct layer_ref *ref, const struct file_progress *progress,
                           struct open_model_ready *ready);
void open_model_ready_free(struct open_model_ready *ready);

void open_model_drop_work(struct value *work);

/* How far it is, from 0 to 1; text: in words. */
float open_model_say(const struct open_model_work *work, char *text, size_t size);

/* A person gave it up: all is as it was. */
void open_model_leave_work(struct app_state *state, double time);

/* --- model.c, for the other two --- */

/* All of it, with what results have of it, and what was open before. NULL is fine. */
void open_model_free(struct results *results, struct app_open_model *model);

/* The former model stands there again. */
void open_model_bring_back(struct app_state *state);

/* Nobody wants the reading any more that is under way, if one is. */
void open_model_cancel(struct app_state *state, struct app_open_model *model);

/* Makes what every reading needs; what is to be read is copied (NULL: nothing). name is of the
 * step of history that it makes ("": none). NULL: no memory. */
struct open_model_work *open_model_new_work(struct app_state *state,
                                            const struct open_model_reading *asked,
                                            const char *name);

/* Returns what will have been read when the present reading ends; it borrows. ids NULL: they are
 * being written. */
struct open_model_reading open_model_to_be(const struct app_open_model *model);

/* Says it where a text is too short or too long. */
bool open_model_fits(struct app_state *state, size_t count, double time);

/* Reads that from now on; where it is what was read and one token more, only that. */
bool open_model_ask_for(struct app_state *state, const struct open_model_reading *asked,
                        const char *name, double time);

/* It is wanted from now on; the model holds it. NULL, where memory lacked, is said to the person.
 */
bool open_model_begin(struct app_state *state, struct open_model_work *work, double time);

/* ---- what is changed in it (open_model_changes.c) ---------------------------------------------
 */

/* A list of its own, to be freed; *count: of its rows, fewer where one takes numbers of another
 * text. NULL: no memory. */
struct model_intervention *open_model_copy_changes(const struct model_intervention *change,
                                                   size_t *count);

/* The list that is wanted from now on becomes a copy of this one. False: no memory. */
bool open_model_want_changes(struct app_open_model *model, const struct model_intervention *change,
                             size_t count);

/* Returns whether the run was computed with these. */
bool open_model_has_changes(const struct app_open_model *model,
                            const struct model_intervention *change, size_t count);

/* Keeps those of a list that a text of so many words has places for. Returns how many. */
size_t open_model_fitting_changes(struct model_intervention *change, size_t count, size_t heads,
                                  size_t words);

/* Changes the list as one of the acts about it asks. False: it does not. */
bool open_model_change(struct app_state *state, const struct view_action *action, double time);

/* For sessions: a reading's list becomes the heads that are off and texts of the rest, owned by the
 * reading; and what a session keeps becomes the list of a reading, owned by the arena. False: no
 * memory, or (a sentence) a text that is none. */
bool open_model_write_changes(struct open_model_reading *reading, size_t heads, size_t places);
bool open_model_read_changes(const struct lab_step_model *kept, struct arena *arena,
                             struct open_model_reading *reading, struct error *error);

/* Returns whether a run has read the first text that this one belongs to. */
bool open_model_same_source(const struct open_model_reading *reading, const struct model_run *run);

/* Returns whether the run has read just that, with these heads. */
bool open_model_is_of_run(const struct app_open_model *model,
                          const struct open_model_reading *reading);

/* A text of these ids from now on; of a model of two texts: the second. */
bool open_model_read(struct app_state *state, const uint32_t *ids, size_t count, const char *name,
                     double time);

/* The first text of two, of these ids from now on; the second is written anew where it was not
 * typed. */
bool open_model_read_source(struct app_state *state, const uint32_t *ids, size_t count,
                            const char *name, double time);

/* The second text of two, written by the model. */
bool open_model_write(struct app_state *state, double time);

/* Another of the attentions that a file holds, at the same layer and head where it has them. False:
 * it has no such one, or it is open. */
bool open_model_show_side(struct app_state *state, size_t side, double time);

/* Returns whether the layer that stands on the stages was read from this attention of the file. */
bool open_model_shows_side(const struct app_state *state, size_t side);

/* ---- what comes after the first layer: layer_want.c, open_model_next.c ----------------------- */

/* From now on next words are drawn with this seed, from its first draw on. */
void open_model_begin_draws(struct app_open_model *model, uint64_t seed);

/* Tells the overview the likeliest next words at the temperature, and those of what is compared
 * with. In each pass of a frame. */
void open_model_follow_next(struct app_state *state, double time);

/* Tells the overview whether its heads can be weighed by more than α, and the pictures of heads as
 * they are weighed. In each pass of a frame. (weighed_want.c) */
void open_model_follow_weighed(struct app_state *state, double time);

/* The heads of what is open, to be looked at. NULL: no memory. (layer_want.c) */
const struct value *open_model_request_heads(const struct app_state *state);

/* Draws one at random by its share. False: they are not known. */
bool open_model_draw_next(struct app_state *state, uint32_t *id, double time);

/* The place behind which the next word of a text stands, or of the masked one that is chosen, else
 * of the first one behind what is; SIZE_MAX: no word is guessed. */
size_t open_model_next_place(const struct app_state *state,
                             const struct open_model_reading *reading);

/* Returns whether the wanted layer can be shown. */
bool open_model_has_layer(const struct app_open_model *model);

/* Heads that were looked at since show in the overview, and layers that are missing are wanted.
 * Once a frame. */
void open_model_go_ahead(struct app_state *state, double time);

/* Returns whether such layers are on their way, or will be from the next frame on. */
bool open_model_awaits_heads(const struct app_state *state);

/* --- open_model_first.c --- */

/* Says it where a word is masked that the model cannot guess. */
void open_model_tell_no_guess(struct app_state *state, double time);

/* Finds the message of a chat, and where the template's tokens stand in it; and, as these come
 * before the words or go, keeps the same words chosen: `former` came before them. */
void open_model_look_at_message(struct app_open_model *model);
void open_model_follow_message(struct app_state *state, const struct lab_selection *was,
                               size_t former);

/* Selects, among the heads, the one that was asked for, and in what is causal the last token. */
void open_model_select_first_head(struct app_state *state, double time);

/* Says all that is particular of a model, when it is shown for the first time, in one message: a
 * second one would take the place of the first. any_text: of a text that nobody gave. */
void open_model_tell_opened(struct app_state *state, bool any_text, double time);

/* --- open_model_take.c --- */

/* A layer that is ready onto the stages: as a step of history with a name, else ("") in place. */
void open_model_put_ready(struct app_state *state, const struct open_model_ready *ready,
                          const char *name, double time);

/* Which layer is wanted, of what is open. */
struct layer_ref open_model_wanted_layer(const struct app_state *state);

/* The wanted layer is the one that stands there. */
void open_model_stay_at_layer(struct app_open_model *model);

/* Returns whether the wanted layer is shown when it is computed. */
bool open_model_awaits_layer(const struct app_state *state);

/* The layer that the document shows is the one that was looked at last. */
void open_model_note_followed(struct app_state *state);

/* A word that was to be one more for the run was given up, of a text of `count` (0: there was
 * none): where the run has it all the same, it reads again what is shown. */
void open_model_leave_word(struct app_open_model *model, size_t count);

/* Starts to open what a session names, to stand beside its layer. */
bool open_model_open_kept(struct app_state *state, const struct lab_step_model *kept,
                          struct file_handle *file, double time);

/* --- open_model_kept.c --- */

/* How its words were read; borrows. */
struct open_model_reading open_model_kept_reading(const struct lab_step_model *kept);

/* How it will be looked at. False: no memory. */
bool open_model_ask_kept(struct app_open_model *model, const struct lab_step_model *kept);

/* A session's model is open: what it read belongs to the experiment that stands there. False: it
 * is another model by now, or there is no memory. */
bool open_model_take_kept(struct app_state *state, struct open_model_work *work);
void open_model_forget_kept(struct open_model_kept *kept); /* NULL is fine */

/* --- open_model_sides.c: a file that holds the attentions of both texts --- */

/* Notes how the file was opened first. */
void open_model_note_side(struct app_open_model *model);

/* A message: what was guessed of a file of attention, and what of it is not used; of much how much,
 * since the panel about arrays names it. */
void open_model_tell_dump(struct app_state *state, double time);

/* Tells the overview of the attentions it offers. */
void open_model_look_at_sides(struct app_open_model *model);

/* ---- layer_want.c -------------------------------------------------------------------------------
 */

void open_model_forget_ask(struct open_model_ask *ask);
bool open_model_is_on_its_way(const struct open_model_ask *ask);

/* Nothing reads or computes layers of the run any more, for it is to grow or to go. */
void open_model_stop_layers(struct app_state *state);

void open_model_forget_asks(struct app_open_model *model);

/* The reading that is under way is wanted. In each pass of a frame. */
struct finding open_model_want_reading(struct app_state *state);

/* Computes what is left of it, and takes it. */
void open_model_finish_reading(struct app_state *state, double time);

/* Returns whether what is around the layer that stands there is on its way. */
bool open_model_awaits_around(const struct app_open_model *model);

extern const struct result_kind open_model_layer_kind, open_model_around_kind,
    open_model_heads_kind, open_model_weighed_kind, open_model_reading_kind, open_model_logits_kind,
    open_model_next_kind;

/* --- open_model_take.c --- */

/* Tells the overview its heads: those of the attention that is wanted on the stages. */
void open_model_look(struct app_open_model *model);

/* The order of the heads, by the head_measure that was chosen. */
void open_model_sort(struct app_open_model *model);

/* --- open_model_texts.c --- */

/* Words of ids; NULL: no memory. */
const struct lab_words *open_model_words(const struct app_open_model *model, enum model_text text,
                                         const uint32_t *ids, size_t count);

/* In place of its lists of ids, and of what is changed, copies of them. False: no memory; those
 * that there are can be freed. */
bool open_model_copy_lists(struct open_model_reading *reading);
void open_model_free_lists(struct open_model_reading *reading);

/* A copy for the open model; it takes the lists of words over. The caller holds one reference.
 * NULL: no memory. */
const struct open_model_reading *open_model_new_reading(const struct app_state *state,
                                                        const struct open_model_reading *reading);

/* Returns the reading of the run or the file of which this is an experiment: the present reading
 * where it is no other. The caller holds one reference; NULL: no memory. */
const struct open_model_reading *open_model_read_now(const struct app_state *state,
                                                     const struct lab_experiment *experiment);

/* How what is shown, or what is present, was read of what is open; NULL: of something else. */
const struct open_model_reading *open_model_shown_reading(const struct app_state *state);
const struct open_model_reading *open_model_present_reading(const struct app_state *state);

/* Whose attention an experiment is that was read so. */
enum model_attention open_model_attention_of(const struct open_model_reading *reading,
                                             const struct lab_experiment *experiment);

/* In place of a list of words the very one that is there already, where it reads the same. */
void open_model_share_words(const struct lab_words **words, const struct lab_words *there);

struct app_open_model {
    struct subject subject; /* what is open, held */
    struct arena arena;     /* of its paths */
    const char *path;
    const char *full_path; /* from the root, for sessions; "": there is none */
    char name[64];
    const struct app_dump_options *options;    /* what is meant by the arrays of a file; held */
    enum model_attention which;                /* of a model of two texts, wanted on the stages */
    size_t layers, heads;                      /* of that; 0 before it is open */
    struct open_model_reading read;            /* how its run has read; its lists are the run's */
    const struct app_dump_options *said;       /* those with which it was opened; held */
    enum lab_dump_side said_of;                /* the side that was shown first */
    struct open_model_ask next, next_around;   /* a layer on its way to the stages */
    struct open_model_ask around;              /* what is around the one that stands there */
    char told[64];                             /* of what is on its way */
    struct open_model_ask missing;             /* layers and heads that are not there yet */
    struct open_model_ask weighed;             /* pictures of heads by more than α */
    struct open_model_ask logits, kept_logits; /* of the next word; of what is compared with */
    struct lab_thumbnails *thumbnails[OPEN_MODEL_ATTENTIONS];
    struct model_intervention *change; /* [changes] wanted of the only attention, or of the second
                                          text to itself; owned */
    size_t changes;
    struct head_set *off;         /* of these the heads that are off; owned */
    size_t *order;                /* [off->places] */
    size_t layer, head;           /* wanted on the stages */
    enum lab_stage first_stage;   /* the stage at which it begins */
    uint32_t number;              /* of what is open, and of nothing else */
    uint32_t held;                /* of what of it is read, as far as that is computed */
    const struct value *followed; /* reading of what was last looked at, held; and its layer: where
                                     that is not the wanted one, that one is waited for */
    struct subject_spot followed_spot;
    struct random draw;
    struct open_model_ask reading;    /* under way; content: struct open_model_work */
    struct open_model_kept *restored; /* it is opened for a session; owned; NULL: by a person */
    struct app_open_model *former; /* what was open before, until this is; owned; NULL: nothing */
    char title[96];
    struct arena told_next;             /* words that are told of what comes next, of each pass */
    const struct lab_trace *kept_trace; /* what is compared with, held; NULL: nothing is */
    const struct value *kept_reading;   /* how its words were read, held; NULL: not */
    struct view_head_overview head_overview;
};

/* A reading is under way after which something else stands there; NULL: none is. */
static inline struct open_model_work *open_model_pending(const struct app_open_model *model)
{
    return (struct open_model_work *)model->reading.content;
}

static inline bool open_model_is_reading(const struct app_open_model *model)
{
    return model->reading.content != NULL;
}

#endif
