/* Computes scores and softmax for a file of attention that holds only Q and K. */
#include <math.h>

#include "attn/attn.h"
#include "lab/dump/dump_internal.h"

static struct attn_matrix matrix_of(const struct lab_dump_facts *facts, float *s)
{
    return (struct attn_matrix){
        .values = s, .rows = facts->n, .cols = facts->m, .stride = facts->m};
}

void dump_score(const struct lab_dump *dump, const float *q, const float *k, float *s)
{
    const struct lab_dump_facts *const facts = &dump->facts;
    const struct attn_operand queries = {q, facts->n, facts->d, facts->d};
    const struct attn_operand keys = {k, facts->m, facts->d, facts->d};
    const float factor = 1 / sqrtf((float)facts->d);
    attn_scores(dump->kernels, queries, keys, matrix_of(facts, s));
    for (size_t c = 0; c < facts->n * facts->m; c++) {
        const bool seen = lab_mask_sees(&dump->mask, c / facts->m, c % facts->m);
        s[c] = seen ? s[c] * factor : -INFINITY;
    }
}

void dump_softmax(const struct lab_dump *dump, float *s)
{
    attn_softmax(dump->kernels, matrix_of(&dump->facts, s));
}
