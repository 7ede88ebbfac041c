/* why/intervention_text.h — interventions as people write them: one table of kinds.
 *
 *     without  L0H1  MLP3=mean  L0H1@8  MLP0N17           off: zero, or the mean over the words
 *     edge     L0H1:is>hammer                              a pair (query > key) that is masked
 *     set      L0H1.alpha[8,5]=0.4  residual 3[8,1]=0      a number, by the name of its node
 *     patch    L0H1 from A text.  L0H1.alpha@8 from …      the same numbers of another text
 *
 * Layers, heads and neurons count from 0, words and columns from 1. */
#ifndef WHY_INTERVENTION_TEXT_H
#define WHY_INTERVENTION_TEXT_H

#include "model/model.h"

enum why_kind { WHY_WITHOUT, WHY_EDGE, WHY_SET, WHY_PATCH, WHY_KINDS };

struct why_wish {
    enum why_kind kind;
    const char *text;
};

/* A text that interventions are of: the request that runs it, without them; and how another text
 * becomes one with as many tokens. */
struct why_subject {
    const struct model *model;
    struct model_request request;
    bool bare; /* texts have no tokens such as [CLS] around them */
};

/* "without": the name of an option, and the form it takes. */
const char *why_kind_name(enum why_kind kind);
const char *why_kind_form(enum why_kind kind);

/* Reads interventions in their order; runs the other texts of patches. The list, owned by the
 * arena, is checked where it is used. False and a sentence that says what a kind looks like, or
 * which word is not in the text. */
bool why_interventions_read(const struct why_subject *subject, const struct why_wish *wishes,
                            size_t count, struct arena *arena, struct model_interventions *out,
                            struct error *error);

/* Reads "L0H1", "MLP 3", "residual 2", "L0H1.alpha": a node, and of an MLP's neuron its column.
 * *rest: what follows it. False: it is none. */
struct why_place {
    enum model_node node;
    size_t layer, head, column;
};
bool why_place_read(const char *text, struct why_place *place, const char **rest);

/* "L0H1", "MLP 3@8": as an intervention is called; owned by the arena, NULL: no memory. */
const char *why_intervention_name(const struct model_intervention *one, struct arena *arena);

/* An intervention as it is kept in a file, with words and columns by their numbers: "L0H1",
 * "MLP3=mean@8", "L0H1:8>5", "L0H1.alpha[8,5]=0.4"; and such a text read again, for a text of n
 * words. Owned by the arena, NULL: no memory, or it takes numbers of another text. False and a
 * sentence: it is none of these. */
const char *why_intervention_written(const struct model_intervention *one, struct arena *arena);
bool why_intervention_parse(const char *text, size_t n, struct arena *arena,
                            struct model_intervention *one, struct error *error);

/* The subject's request with the tokens of another text, owned by the arena. False and a sentence:
 * it has another number of them (than the request, unless that has none). */
bool why_other_text(const struct why_subject *subject, const char *text, struct arena *arena,
                    struct model_request *out, struct error *error);

/* Runs another text as the subject's is, without interventions: the caller closes it. NULL and a
 * sentence: as why_other_text. */
struct model_run *why_other_run(const struct why_subject *subject, const char *text,
                                struct arena *arena, struct error *error);

#endif
