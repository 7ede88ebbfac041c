/* learn/checkpoint.h — what was learned as a folder of files that others open too: config.json,
 * model.safetensors, tokenizer.json and tokenizer_config.json, as transformers and tokenizers read
 * them. How it was learned stands in config.json under "attnscope", which marks the folder as one
 * of this program. What training needs besides to go on to the same bits stands in
 * training.safetensors, which others leave alone.
 *
 * transformers has no GPT-2 or Llama without an MLP: an absent one is saved as zeros of width 1,
 * which adds nothing. Without norm, or where words see what follows, a model has no counterpart
 * there; its config.json names an architecture of this program. */
#ifndef LEARN_CHECKPOINT_H
#define LEARN_CHECKPOINT_H

#include "file/json.h"
#include "learn/run.h"

/* A model as it is kept. */
struct learn_model {
    struct learn_recipe recipe;
    uint64_t step;
    struct learn_tensors tensors;
    const float *weights;     /* [tensors.floats] */
    const char *const *words; /* [recipe.shape.vocabulary] */
    bool letters;             /* texts are split letter by letter, else at white space */
};

/* Whether `folder` may be written: it is not there, empty, or one that learn_model_write wrote.
 * False and a sentence. */
bool learn_folder_check(const char *folder, struct error *error);

/* Takes such a folder for one who will write it later, and makes it. False and a sentence: also
 * where somebody else has taken it. It is left at the end, written or not. */
struct learn_folder {
    int file; /* held; −1: none */
    bool was_made;
    char path[4096];
};
bool learn_folder_take(const char *folder, struct learn_folder *taken, struct error *error);
void learn_folder_leave(const char *folder, struct learn_folder *taken);

/* What a run needs besides its model to go on as if it had never stopped: batches follow from the
 * recipe and the step. */
struct learn_state {
    const float *m, *v; /* of the optimiser, [tensors.floats] each */
    float first_loss;   /* of the run's first step */
    const char *data; /* where own text was read, an absolute path, or "-"; NULL: it has none … */
    uint64_t data_hash; /* … and random_hash of it */
};

/* Writes the files into a folder that was taken: whenever this fails or is killed, the folder holds
 * the former model or the new one (base/file_set.h). state NULL: the model alone is saved. */
bool learn_model_write(const char *folder, const struct learn_model *model,
                       const struct learn_state *state, struct error *error);

/* The same into a folder that nobody else may have taken. */
bool learn_model_save(const char *folder, const struct learn_model *model, struct error *error);

/* The state beside a model that was read; all is owned by the arena. False and a sentence: there is
 * none, it is a link, or it belongs to other weights. */
bool learn_state_read(const char *folder, const struct learn_model *model, struct arena *arena,
                      struct learn_state *state, struct error *error);

/* The model of a run where it stands; words and weights are the run's. */
struct learn_model learn_model_of(const struct learn_run *run);
struct learn_model learn_model_of_moment(const struct learn_moment *moment);

/* Whether a folder holds one of these: its config.json says so. */
bool learn_model_probe(const char *folder);

/* Reads such a folder; all is owned by the arena. False and a sentence naming file and rule. */
bool learn_model_read(const char *folder, struct arena *arena, struct learn_model *model,
                      struct error *error);

/* Whether others than this program can open it. */
bool learn_shape_is_common(const struct learn_shape *shape);

/* The files one by one, for whoever has them elsewhere than in a folder (learn/shipped.h). */
bool learn_model_parse(struct bytes config, struct bytes tensors, struct bytes tokenizer,
                       struct arena *arena, struct learn_model *model, struct error *error);

/* A recipe as a value of JSON, and back: for sessions and folders. */
void learn_recipe_put(struct json_writer *json, const struct learn_recipe *recipe);
bool learn_recipe_take(const struct json *json, struct learn_recipe *recipe, struct error *error);
void learn_edit_put(struct json_writer *json, const struct learn_edit *edit);
bool learn_edit_take(const struct json *json, struct learn_edit *edit, struct error *error);

/* One step for checking elsewhere: an NPZ with p.NAME (weights before), g.NAME (gradients of the
 * mean loss; none of an absent MLP), q.NAME (weights after), tokens and targets [batch][context],
 * loss, logits [batch][context][vocabulary]. The run stands one step further afterwards. */
bool learn_step_dump(struct learn_run *run, const char *path, struct error *error);

#endif
