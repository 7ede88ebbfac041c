/* Words by which people look for what bears another name here. */
#include <stddef.h>
#include <string.h>

#include "app/find_parts.h"
#include "base/translate.h"

static const struct {
    const char *title, *words; /* as it is called; what else it may be called */
} others[] = {
    {"Interface larger", "bigger zoom font letters text size"},
    {"Interface smaller", "zoom font letters text size"},
    {"Light or dark", "theme night mode bright colours"},
    {"Presenter: captions large, no settings", "projector beamer class slides lecture"},
    {"Save a picture, an animation or numbers",
     "export print paper worksheet figure image screenshot film video png pdf svg csv"},
    {"Save the session under a new name", "save as"},
    {"Open a lesson or session", "load file model gpt folder npz import"},
    {"Next language: English, Deutsch, 中文", "german chinese translation"},
    {"All keys", "help shortcuts keyboard"},
    {"Open the manual", "help documentation guide"},
    {"Other random numbers", "dice seed shuffle roll"},
    {"Setting: causal mask, on or off", "triangle future decoder autoregressive"},
    {"Setting: scale by 1/√dₖ, on or off", "square root divide"},
    {"Setting: residual X + O, on or off", "skip connection add"},
    {"Keep this experiment and compare", "difference beside side A | B A − B"},
    {"The whole flow on one sheet", "overview diagram architecture"},
    {"Heads as matrices or as lines", "bipartite bertviz links"},
    {"What each kind of attention costs", "memory flops complexity"},
    {"Decoding word by word, with a cache", "KV cache generate inference"},
    {"Every kind of attention on these words", "variants gallery all masks"},
    {"Space or heads, where they share a place", "3-D 3D view points"},
    {"Let go of the selection", "deselect clear"},
    {"Copy the clicked matrix, or the stage's result", "clipboard excel table"},
    {"Play or pause", "animate animation start stop"},
    {"Embed", "embedding X input vectors"},
    {"Project", "projection query key value W_Q W_K W_V neuron"},
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
