/* model/tokenizer_pre.c — the published patterns by which byte-level tokenizers cut a text, by the
 * name that GGUF files have for them (tokenizer.ggml.pre; llama.cpp, src/llama-vocab.cpp). */
#include <string.h>

#include "model/tokenizer_internal.h"

/* openai/gpt-2, encoder.py. */
#define GPT2 "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"
/* The same without the last alternative: what is left over is a piece too. */
#define GPT2_OPEN "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)"
/* GPT-4's (openai/tiktoken, cl100k_base), which Llama 3 took over; digits by up to `digits`. */
#define ENDINGS "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define CL100K(digits)                                                                             \
    ENDINGS "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|" digits                                               \
            "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
/* GPT-4o's (o200k_base): words are cut where small letters become capital. */
#define UPPER "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define LOWER "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define O200K(endings, digits)                                                                     \
    "[^\\r\\n\\p{L}\\p{N}]?" UPPER "*" LOWER "+" endings "|[^\\r\\n\\p{L}\\p{N}]?" UPPER "+" LOWER \
    "*" endings "|" digits "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

enum { PATTERNS_MAX = 5 };

static const struct pre_row {
    const char *names; /* between spaces */
    bool whole;        /* a piece that is a token is not merged */
    bool first;        /* texts begin with the token for a beginning, if no key says otherwise */
    const char *patterns[PATTERNS_MAX];
} rows[] = {
    {" gpt-2 phi-2 mpt olmo jina-es jina-de jina-v2-es jina-v2-de jina-v2-code mellum trillion "
     "gigachat roberta-bpe ",
     false,
     false,
     {GPT2}},
    {" smollm starcoder refact command-r codeshell exaone minerva-7b ",
     false,
     false,
     {"\\p{N}", GPT2}},
    {" llama-bpe llama3 llama-v3 falcon3 pixtral lfm2 ", true, true, {CL100K("\\p{N}{1,3}")}},
    {" dbrx smaug-bpe olmo2 chatglm-bpe glm4 ", false, false, {CL100K("\\p{N}{1,3}")}},
    {" qwen2 stablelm2 hunyuan deepseek-r1-qwen megrez ", false, false, {CL100K("\\p{N}")}},
    {" gpt-4o llama4 ", true, false, {O200K(ENDINGS "?", "\\p{N}{1,3}")}},
    {" tekken ", true, false, {O200K("", "\\p{N}")}},
    {" falcon ", false, false, {"[\\p{P}\\$\\+<=>\\^~\\|`]+", GPT2_OPEN, "[0-9][0-9][0-9]"}},
    {" default ",
     false,
     false,
     {"[\\p{P}\\$\\+<=>\\^~\\|]+", GPT2_OPEN, "\\p{N}+", "[0-9][0-9][0-9]"}},
    {" deepseek-coder ",
     false,
     false,
     {"[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", "[一-龥ࠀ-一가-퟿]+", "\\p{N}"}},
    {" deepseek-v3 ",
     false,
     false,
     {"\\p{N}{1,3}", "[一-龥぀-ゟ゠-ヿ]+",
      "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?"
      "[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}},
    {" bloom viking poro-chat gpt3-finnish ", false, false, {" ?[^(\\s|.,!?…。，、।۔،)]+"}},
};

static const struct pre_row *row_of(const char *name)
{
    const size_t length = strlen(name);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        for (const char *at = rows[row].names; (at = strchr(at, ' ')) != NULL && at[1] != '\0';
             at++) {
            if (strncmp(at + 1, name, length) == 0 && at[1 + length] == ' ' && length > 0) {
                return &rows[row];
            }
        }
    }
    return NULL;
}

bool tokenizer_read_pre(struct tokenizer *tokenizer, const char *name, const char *file,
                        struct error *error)
{
    const struct pre_row *const row = row_of(name);
    if (row == NULL) {
        return error_set(error, ERROR_INPUT,
                         "%s: tokenizer.ggml.pre: the pattern %.40s is not known here.", file,
                         name);
    }
    for (size_t p = 0; p < PATTERNS_MAX && row->patterns[p] != NULL; p++) {
        struct tokenizer_split *const split = &tokenizer->splits[tokenizer->split_count++];
        *split =
            (struct tokenizer_split){.apply = tokenizer_split_pattern, .behaviour = SPLIT_ISOLATED};
        /* GPT-2's own is split without a general pattern, which is faster */
        if (strcmp(row->patterns[p], GPT2) != 0) {
            split->regex = regex_open(row->patterns[p], error);
            if (split->regex == NULL) {
                return false;
            }
        }
    }
    tokenizer->splits[tokenizer->split_count++] =
        (struct tokenizer_split){.apply = tokenizer_split_bytes};
    tokenizer->bpe.whole = row->whole;
    tokenizer->begins = row->first;
    return true;
}
