/* learn/checkpoint.h — a trained model as a folder of files that other programs open too:
 * config.json, model.safetensors, tokenizer.json and tokenizer_config.json, as transformers and
 * tokenizers read them. config.json describes the training under "attnscope", which marks the
 * folder as one of this program. The further state that training needs to continue with the same
 * bits stands in training.safetensors, which other programs ignore; so does own text in data.txt,
 * where its lines were the rows.
 *
 * transformers has no GPT-2 or Llama without an MLP, so an absent MLP is saved as zeros of width 1,
 * which add nothing. Models without norms, or whose words see later ones, have no counterpart
 * there; their config.json names an architecture of this program. */
#ifndef LEARN_CHECKPOINT_H
#define LEARN_CHECKPOINT_H

#include "file/handle.h"
#include "file/json.h"
#include "learn/run.h"

/* A model as it is saved. */
struct learn_model {
    struct learn_recipe recipe;
    uint64_t step;
    struct learn_tensors tensors;
    const float *weights;     /* [tensors.floats] */
    const char *const *words; /* [recipe.shape.vocabulary] */
    bool letters;             /* texts are split into letters; else at white space */
    struct bytes text;        /* own text whose lines are rows, kept as data.txt; at NULL: none.
                                 Reading leaves it out: learn_model_text */
};

/* Checks that `folder` may be written: it does not exist, is empty, or was written by
 * learn_model_write. Returns false and a sentence otherwise. */
bool learn_folder_check(const char *folder, struct error *error);

/* Makes such a folder and reserves it for a later writer. Returns false and a sentence, also where
 * another program has reserved it. It must be left at the end, written or not. */
struct learn_folder {
    int file; /* held open; −1: none */
    bool was_made;
    char path[4096];
};
bool learn_folder_take(const char *folder, struct learn_folder *taken, struct error *error);
void learn_folder_leave(const char *folder, struct learn_folder *taken);

/* The state that a run needs besides its model to continue as if it had never stopped; batches
 * follow from the recipe and the step. */
struct learn_state {
    const float *m, *v; /* of the optimiser, [tensors.floats] each */
    float first_loss;   /* of the run's first step */
    const char *data;   /* where own text was read, an absolute path, or "-"; NULL: the run has
                           none */
    uint64_t data_hash; /* random_hash of own text */
};

/* Makes its config.json and model.safetensors in memory, owned by the arena. False and a sentence:
 * no memory. */
bool learn_model_store(const struct learn_model *model, struct arena *arena, struct bytes *config,
                       struct bytes *tensors, struct error *error);

/* Writes the files into a reserved folder. When this fails or is killed, the folder holds the
 * former model or the new one (base/file_set.h). state NULL: only the model is saved. */
bool learn_model_write(const char *folder, const struct learn_model *model,
                       const struct learn_state *state, struct error *error);

/* Writes likewise into a folder that nobody has reserved. */
bool learn_model_save(const char *folder, const struct learn_model *model, struct error *error);

/* Reads the state of a model that was read; the arena owns everything. Returns false and a sentence
 * where there is none, it is a link, or it belongs to other weights. */
bool learn_state_read(const char *folder, const struct learn_model *model, struct arena *arena,
                      struct learn_state *state, struct error *error);

/* Returns the model of a run as it stands; words and weights are the run's. */
struct learn_model learn_model_of(const struct learn_run *run);
struct learn_model learn_model_of_snapshot(const struct learn_snapshot *snapshot);

/* Says whether a folder holds such a model, as its config.json tells. */
bool learn_model_probe(struct file_handle *folder);

/* How it was trained, without reading its weights. False: it does not say so. */
bool learn_model_recipe(struct file_handle *folder, struct learn_recipe *recipe);

/* Reads such a folder; the arena owns everything. Returns false and a sentence that names file and
 * rule. */
bool learn_model_read(struct file_handle *folder, struct arena *arena, struct learn_model *model,
                      struct error *error);

/* Reads the text whose lines were the rows of a model's training, from its folder. Returns false
 * and a sentence where there is none. */
bool learn_model_text(const char *folder, struct arena *arena, struct bytes *text,
                      struct error *error);

/* Why other programs cannot open a shape. */
struct learn_oddity {
    bool (*applies)(const struct learn_shape *shape);
    const char *opens_here; /* of its folder */
    const char *lacks_next; /* of the question why it says a word; to be translated by tr() */
};

/* Returns the first reason; NULL: they can. */
const struct learn_oddity *learn_shape_oddity(const struct learn_shape *shape);

/* Reads the files from memory, for those that do not stand in a folder (learn/shipped.h). */
bool learn_model_parse(struct bytes config, struct bytes tensors, struct bytes tokenizer,
                       struct arena *arena, struct learn_model *model, struct error *error);

/* Writes one step as an NPZ so that it can be checked elsewhere: p.NAME (weights before), g.NAME
 * (gradients of the mean loss; none of an absent MLP), q.NAME (weights after), tokens and targets
 * [batch][context], loss, logits [batch][context][vocabulary]. Afterwards the run stands one step
 * further. */
bool learn_step_dump(struct learn_run *run, const char *path, struct error *error);

#endif
