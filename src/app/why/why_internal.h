/* app/why/why_internal.h — what the computations behind the view are asked for. */
#ifndef APP_WHY_WHY_INTERNAL_H
#define APP_WHY_WHY_INTERNAL_H

#include "app/open/open_model.h"
#include "app/results/results.h"
#include "app/why/why.h"
#include "learn/learned.h"
#include "learn/run.h"
#include "model/model.h"
#include "view/parts/circuit.h"
#include "view/parts/patch.h"
#include "view/parts/why.h"
#include "why/attribution.h"

/* The content of a want: immutable. */
struct why_asked {
    struct value value;
    struct model *model; /* held */
    struct lab_engine engine;
    uint32_t *ids, *source; /* [count], [source_count] owned; source NULL: there is one text */
    size_t count, source_count;
    size_t position;                   /* as in struct why_question */
    uint32_t word, rival;              /* as the view has them */
    struct model_intervention *change; /* [changes] owned: what the person has changed */
    size_t changes;
    size_t
        offs; /* the first of them, of weights that learn: heads that are off in the run itself */
};

/* Returns the changes of the person, as a run has them. */
struct model_interventions why_changes_of(const struct why_asked *asked);

/* The run of its text with these changes, as many layers as the slice has time for. *run is NULL
 * before the first. SLICE_DONE: all layers are there. */
enum slice_end why_go_on(struct slice *slice, const struct why_asked *asked,
                         struct model_interventions changes, struct model_run **run);

/* Says whether the slice that owns a computation is not stopped; done and all are not looked at. */
bool why_goes_on(void *slice, size_t done, size_t all);

/* The question with the words that are meant: those not given are the likeliest of these logits,
 * which are of the model as it is changed. */
void why_complete_question(const struct why_asked *asked, const float *logits,
                           struct why_question *question);

/* The changes as they are shown, owned by the arena; NULL: no memory. */
struct view_why_row *why_rows_shown(const struct why_asked *asked, struct arena *arena);

/* Returns what is asked now; NULL: nothing. (why.c) */
const struct why_asked *why_asked_now(const struct app_state *state);

/* --- learned_change.c --- */

/* Lists what is changed of weights that learn, as far as it fits them and a text of n words; out:
 * [LEARN_CHANGES_MAX]. Returns how many. */
size_t why_learned_changes(const struct app_state *state, const struct model_config *config,
                           size_t n, struct arena *arena, struct model_intervention *out);

/* --- learned.c --- */

/* Weights that learn, at a moment, as a model. */
struct why_learned {
    const struct learn_snapshot *moment; /* held; NULL: none yet */
    struct model *model;                 /* of it, held */
    uint32_t source, branch;             /* of its run */
    struct model_intervention *off;      /* [offs] the heads that are off there */
    size_t offs;
    struct arena arena, words; /* of that; of the ids of the words that stand there */
};

/* Fills what of weights that learn is asked. While they train and an answer is being computed
 * (is_asking), the moment stays the one that it is of, since another one would come with every
 * frame. False: the moment is not there yet, or a sentence. */
bool why_learned_text(struct app_state *state, struct why_learned *learned, bool is_asking,
                      struct app_open_model_text *text, struct error *error);
void why_learned_forget(struct why_learned *learned);

/* Returns why nothing can be asked of weights that learn; NULL: it can. */
const char *why_learned_refuse(const struct app_state *state);

/* The content of WANT_PATCH: what is asked, and the text that is compared with. */
struct why_other_asked {
    struct value value;
    const struct why_asked *asked; /* held */
    char text[VIEW_WHY_TEXT_MAX];
};

/* Values of WANT_WHY, WANT_WHY_CHANGE, WANT_CIRCUIT and WANT_PATCH. */
struct why_answered {
    struct value value;
    struct arena arena;
    struct view_why_answer shown;
};
struct why_changed {
    struct value value;
    struct arena arena;
    struct view_why_change shown;
};
struct why_circuit_shown {
    struct value value;
    struct arena arena;
    uint32_t source; /* of the model, or the run, that it is of */
    struct view_circuit shown;
};
struct why_patch_shown {
    struct value value;
    struct arena arena;
    struct view_patch shown;
};
extern const struct result_kind why_answer_kind, why_change_kind, why_circuit_kind, why_patch_kind;

/* Returns the token that is called so: 1 + its id; 0: none. (why.c) */
uint32_t why_find_named(const struct model *model, const char *name);

/* --- remembered.c --- */

/* The text and the words that were asked about in the frame before. */
struct why_remembered {
    const struct lab_words *tokens; /* held; NULL: none yet */
    const struct lab_lesson *lesson;
    size_t step;
    uint32_t word, rival; /* as the view has them */
    char named[2][48];
};

/* Forgets words that were chosen for another text. */
void why_forget_words(struct why_remembered *remembered, struct app_state *state);

/* --- patch.c --- */

/* NULL: no memory. */
const struct why_other_asked *why_new_other(const struct why_asked *asked, const char *text);

/* The text of a model as it is typed, owned by the arena; NULL: it has no tokenizer, or memory. */
const char *why_text_typed(const struct why_asked *asked, struct arena *arena);

/* The request that computes a text. */
struct model_request why_request_of(const struct why_asked *asked);

#endif
