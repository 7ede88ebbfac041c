/* Words by which people look for what bears another name here. */
#include <stddef.h>
#include <string.h>

#include "app/actions/find_parts.h"
#include "base/translate.h"

static const struct {
    const char *title, *words; /* as it is called; what else it may be called */
} others[] = {
    {"Embed", "embedding X input vectors"},
    {"Project", "projection query key value W_Q W_K W_V neuron bias"},
    {"Score", "dot product similarity Q K"},
    {"Scale · mask", "square root causal hide"},
    {"Softmax", "attention weights probabilities alpha exp"},
    {"Blend", "weighted average sum values Z"},
    {"Output", "W_O concat residual"},
    {"Window", "mask sliding local Longformer"},
    {"Causal window", "mask sliding local Mistral"},
    {"Causal", "mask triangle decoder GPT"},
    {"Dilated window", "mask sliding gaps Longformer"},
    {"Blocks", "mask block sparse"},
    {"Strided", "mask sparse transformer"},
    {"Global + window", "mask BigBird Longformer sparse"},
    {"Painted by hand", "mask draw own"},
    {"Cross", "encoder decoder translation context"},
    {"Grouped-query", "GQA shared keys Llama"},
    {"Multi-query", "MQA shared keys"},
    {"Latent", "MLA compressed DeepSeek"},
    {"Sinusoidal positions", "positional encoding waves order"},
    {"Rotary positions", "RoPE positional encoding turn"},
    {"Flash, tile by tile", "FlashAttention memory tiles online softmax"},
};

const char *app_find_also(const char *title)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(others[i].title, title) == 0) {
            return others[i].words;
        }
    }
    return "";
}
