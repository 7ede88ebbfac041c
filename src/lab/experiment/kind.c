/* lab/experiment/kind.c — the table of kinds. Grouped keys and values: Ainslie et
 * al. (2023); one for all heads: Shazeer (2019); latent: DeepSeek-V2 (2024). */
#include "lab/experiment/kind.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const struct lab_kind_row kinds[LAB_KINDS] = {
    [LAB_MULTI_HEAD] = {"mha", "mha", "Multi-head", "K = X·W_K, V = X·W_V for every head",
                        "every head has keys and values of its own", NULL},
    [LAB_GROUPED] = {"gqa", "gqa:G", "Grouped-query", "head h uses K and V of group ⌈h ÷ (H ÷ G)⌉",
                     "groups of heads share their keys and values", "G"},
    [LAB_MULTI_QUERY] = {"mqa", "mqa", "Multi-query", "K = X·W_K, V = X·W_V once for all heads",
                         "all heads share the same keys and values", NULL},
    [LAB_LATENT] = {"latent", "latent:R", "Latent", "C = X·W_DKV, K = C·W_UK, V = C·W_UV",
                    "every head rebuilds its keys and values from one short latent row for each "
                    "token",
                    "R"},
};

const struct lab_kind_row *lab_kind_row(enum lab_kind kind)
{
    return &kinds[kind];
}

const char *lab_kind_text(enum lab_kind kind, size_t number, char text[LAB_KIND_TEXT_MAX])
{
    if (kinds[kind].number_name == NULL) {
        snprintf(text, LAB_KIND_TEXT_MAX, "%s", kinds[kind].name);
    } else {
        snprintf(text, LAB_KIND_TEXT_MAX, "%s:%zu", kinds[kind].name, number);
    }
    return text;
}

bool lab_kind_parse(const char *text, enum lab_kind *kind, size_t *number, struct error *error)
{
    const size_t letters = strcspn(text, ":");
    for (size_t k = 0; k < LAB_KINDS; k++) {
        const struct lab_kind_row *const row = &kinds[k];
        uint64_t whole = 0;
        if (strlen(row->name) != letters || strncmp(row->name, text, letters) != 0) {
            continue;
        }
        if (text[letters] == ':' &&
            (row->number_name == NULL || !text_to_u64(text + letters + 1, &whole) || whole < 1 ||
             whole > UINT32_MAX)) {
            return error_set(error, ERROR_INPUT, "The attention \"%.40s\" is written %s%s%s%s.",
                             text, row->pattern, row->number_name == NULL ? "" : ", ",
                             row->number_name == NULL ? "" : row->number_name,
                             row->number_name == NULL ? "" : " being 1 or more");
        }
        *kind = (enum lab_kind)k;
        *number = (size_t)whole;
        return true;
    }
    return error_set(error, ERROR_INPUT,
                     "There is no attention \"%.40s\"; there are mha, gqa:G, mqa and latent:R.",
                     text);
}

size_t lab_kind_preset(enum lab_kind kind, size_t heads, size_t d_model)
{
    switch (kind) {
    case LAB_GROUPED:
        return heads % 2 == 0 && heads > 0 ? heads / 2 : 1;
    case LAB_LATENT:
        return d_model > 1 ? d_model / 2 : 1;
    case LAB_MULTI_HEAD:
    case LAB_MULTI_QUERY:
    case LAB_KINDS:
        break;
    }
    return 0;
}
