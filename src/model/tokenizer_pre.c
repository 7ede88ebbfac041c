/* model/tokenizer_pre.c — the published patterns by which byte-level tokenizers cut a text, by the
 * name that GGUF files have for them (tokenizer.ggml.pre; llama.cpp, src/llama-vocab.cpp). */
#include <string.h>

#include "model/tokenizer_internal.h"

/* openai/gpt-2, encoder.py. */
#define GPT2 "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"
/* GPT-2's pattern without its last alternative: what is left over is a piece too. */
#define GPT2_OPEN "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)"
/* BLOOM's pattern, which sets apart what ends a word. */
#define BLOOM " ?[^(\\s|[.,!?…。，、।۔،])]+"
/* GPT-4's (openai/tiktoken, cl100k_base), which Llama 3 took over; digits by up to `digits`. */
#define ENDINGS "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define WORD "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|"
#define SIGNS "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|"
#define SPACE "\\s+(?!\\S)|\\s+"
#define CL100K(digits) ENDINGS "|" WORD digits SIGNS SPACE
/* White space by powers of two. */
#define CASCADE                                                                                    \
    "\\s{512}(?!\\S)|\\s{256}(?!\\S)|\\s{128}(?!\\S)|\\s{64}(?!\\S)|\\s{32}(?!\\S)"                \
    "|\\s{16}(?!\\S)|\\s{8}(?!\\S)|\\s{4}(?!\\S)|\\s{1,2}(?!\\S)|\\s"
/* GPT-4o's (o200k_base): words are cut where small letters become capital. */
#define UPPER "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define LOWER "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define O200K(endings, digits)                                                                     \
    "[^\\r\\n\\p{L}\\p{N}]?" UPPER "*" LOWER "+" endings "|[^\\r\\n\\p{L}\\p{N}]?" UPPER "+" LOWER \
    "*" endings "|" digits "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

/* Qwen 3.5's: marks belong to their letters. */
#define QWEN35                                                                                     \
    ENDINGS "|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*"   \
            "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
/* Kimi K2's: GPT-4o's of letters that are no Han, which are cut off before. */
#define NO_HAN(letters) "(?:(?!\\p{Han})" letters ")"
#define KIMI_SMALL NO_HAN(LOWER)
#define KIMI_LARGE NO_HAN(UPPER)
#define KIMI                                                                                       \
    "\\p{Han}+|[^\\r\\n\\p{L}\\p{N}]?" KIMI_LARGE "*" KIMI_SMALL "+" ENDINGS "?"                   \
    "|[^\\r\\n\\p{L}\\p{N}]?" KIMI_LARGE "+" KIMI_SMALL "*" ENDINGS "?"                            \
    "|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
/* DeepSeek V3's: scripts without spaces stand apart before. */
#define DEEPSEEK_WORD                                                                              \
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+"                                        \
    "|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+"
#define DEEPSEEK_HAN "[一-龥぀-ゟ゠-ヿ]+"
/* Youtu's: Korean, signs of full width, Bopomofo, Han with kana. */
#define YOUTU                                                                                      \
    "[\\x{AC00}-\\x{D7A3}\\x{3131}-\\x{318E}]+|[！…“”‘’—：；，\\x{3001}-\\x{303F}" \
    "\\x{FE30}-\\x{FE4F}]+|[\\x{3105}-\\x{312F}]+|[\\x{4E00}-\\x{9FA5}\\x{3040}-\\x{30FF}]+"
/* Each place from which digits come in threes. */
#define BEFORE_THREES "(?=(\\d{3})+(?!\\d))"
/* DeepSeek's cased letters, as its first tokenizer lists them. */
#define CASED                                                                                      \
    "A-Za-z\\x{B5}\\x{C0}-\\x{D6}\\x{D8}-\\x{F6}\\x{F8}-\\x{1BA}\\x{1BC}-\\x{1BF}"                 \
    "\\x{1C4}-\\x{293}\\x{295}-\\x{2AF}\\x{370}-\\x{373}\\x{376}\\x{377}\\x{37B}-\\x{37D}"         \
    "\\x{37F}\\x{386}\\x{388}-\\x{38A}\\x{38C}\\x{38E}-\\x{3A1}\\x{3A3}-\\x{3F5}"                  \
    "\\x{3F7}-\\x{481}\\x{48A}-\\x{52F}\\x{531}-\\x{556}\\x{10A0}-\\x{10C5}"                       \
    "\\x{13A0}-\\x{13F5}\\x{13F8}-\\x{13FD}\\x{1C90}-\\x{1CBA}\\x{1CBD}-\\x{1CBF}"                 \
    "\\x{1D00}-\\x{1D2B}\\x{1D6B}-\\x{1D77}\\x{1D79}-\\x{1D9A}\\x{1E00}-\\x{1F15}"                 \
    "\\x{1F18}-\\x{1F1D}\\x{1F20}-\\x{1F45}\\x{1F48}-\\x{1F4D}\\x{1F50}-\\x{1F57}\\x{1F59}"        \
    "\\x{1F5B}\\x{1F5D}\\x{1F5F}-\\x{1F7D}\\x{1F80}-\\x{1FB4}\\x{1FB6}-\\x{1FBC}\\x{1FBE}"         \
    "\\x{1FC2}-\\x{1FC4}\\x{1FC6}-\\x{1FCC}\\x{1FD0}-\\x{1FD3}\\x{1FD6}-\\x{1FDB}"                 \
    "\\x{1FE0}-\\x{1FEC}\\x{1FF2}-\\x{1FF4}\\x{1FF6}-\\x{1FFC}\\x{2102}\\x{2107}"                  \
    "\\x{210A}-\\x{2113}\\x{2115}\\x{2119}-\\x{211D}\\x{2124}\\x{2126}\\x{2128}"                   \
    "\\x{212A}-\\x{212D}\\x{212F}-\\x{2134}\\x{2139}\\x{213C}-\\x{213F}\\x{2145}-\\x{2149}"        \
    "\\x{214E}\\x{2183}\\x{2184}\\x{2C00}-\\x{2C7B}\\x{2C7E}-\\x{2CE4}\\x{2CEB}-\\x{2CEE}"         \
    "\\x{2CF2}\\x{2CF3}\\x{A640}-\\x{A66D}\\x{A680}-\\x{A69B}\\x{A722}-\\x{A76F}"                  \
    "\\x{A771}-\\x{A787}\\x{A78B}-\\x{A78E}\\x{AB70}-\\x{ABBF}\\x{FB00}-\\x{FB06}"                 \
    "\\x{FB13}-\\x{FB17}\\x{FF21}-\\x{FF3A}\\x{FF41}-\\x{FF5A}\\x{10400}-\\x{1044F}"               \
    "\\x{104B0}-\\x{104D3}\\x{104D8}-\\x{104FB}\\x{10C80}-\\x{10CB2}\\x{10CC0}-\\x{10CF2}"         \
    "\\x{118A0}-\\x{118DF}\\x{1E900}-\\x{1E943}"

enum { PATTERNS_MAX = 6 };

static const struct pre_row {
    const char *names; /* between spaces */
    bool whole;        /* a piece that is a token is not merged */
    bool first;        /* texts begin with the token for a beginning, if no key says otherwise */
    const char *patterns[PATTERNS_MAX];
} rows[] = {
    {" gpt-2 phi-2 mpt olmo jina-es jina-de jina-v2-es jina-v2-de jina-v2-code mellum trillion "
     "gigachat roberta-bpe jais jina-v1-en a.x-4.0 modern-bert exaone4 granite-docling ",
     false,
     false,
     {GPT2}},
    {" smollm starcoder refact command-r codeshell exaone minerva-7b mellum2 ",
     false,
     false,
     {"\\p{N}", GPT2}},
    {" llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano ",
     true,
     true,
     {CL100K("\\p{N}{1,3}")}},
    {" dbrx smaug-bpe olmo2 chatglm-bpe glm4 ", false, false, {CL100K("\\p{N}{1,3}")}},
    {" qwen2 stablelm2 hunyuan deepseek-r1-qwen megrez kormo f2llmv2 grok-2 solar-open ",
     false,
     false,
     {CL100K("\\p{N}")}},
    {" gpt-4o llama4 granite-embed-multi-97m ", true, false, {O200K(ENDINGS "?", "\\p{N}{1,3}")}},
    {" kanana2 talkie minimax-m2 ", false, false, {O200K(ENDINGS "?", "\\p{N}{1,3}")}},
    {" youtu ", true, false, {YOUTU, O200K(ENDINGS "?", "\\p{N}")}},
    {" jais-2 ", false, false, {ENDINGS "|" WORD "\\p{N}{1,3}" SIGNS CASCADE}},
    {" minicpm5 ", true, false, {"\\p{N}{1,3}", CL100K("\\p{N}+")}},
    {" ufakzeka ", false, false, {WORD "\\p{N}" SIGNS SPACE}},
    {" superbpe ", false, false, {"\\p{N}+", BEFORE_THREES}},
    {" tekken ", true, true, {O200K("", "\\p{N}")}},
    {" falcon ", false, false, {"[\\p{P}\\$\\+<=>\\^~\\|`]+", GPT2_OPEN, "[0-9][0-9][0-9]"}},
    {" default ",
     false,
     false,
     {"[\\p{P}\\$\\+<=>\\^~\\|]+", GPT2_OPEN, "\\p{N}+", "[0-9][0-9][0-9]"}},
    {" deepseek-coder ",
     false,
     false,
     {"[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", "[一-龥ࠀ-一가-퟿]+", "\\p{N}"}},
    {" deepseek-llm ",
     false,
     false,
     {"[\\r\\n]", "\\s?[" CASED "]+", "\\s?[!-/:-~！-／：-～‘-‟\\x{3000}-。]+", "\\s+$",
      "[一-龥ࠀ-一가-\\x{D7FF}]+", "\\p{N}+"}},
    {" deepseek-v3 hunyuan-dense joyai-llm hy_v4 ",
     false,
     false,
     {"\\p{N}{1,3}", DEEPSEEK_HAN, DEEPSEEK_WORD "[\\r\\n]*|\\s*[\\r\\n]+|" SPACE}},
    {" spark2_5 ",
     false,
     false,
     {"\\p{N}{1,3}", DEEPSEEK_HAN, DEEPSEEK_WORD "|[\\r\\n]|" SPACE, "\\p{N}"}},
    {" bloom poro-chat gpt3-finnish ", false, false, {BLOOM}},
    {" viking ", false, false, {BLOOM, "\\p{N}"}},
    {" kimi-k2 ", false, false, {KIMI}},
    {" qwen35 ", false, false, {QWEN35}},
    {" laguna ", false, false, {"[^\\n]+|\\n+", CL100K("\\p{N}")}},
    {" bailingmoe bailingmoe2 llada-moe ",
     false,
     false,
     {ENDINGS "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]"
              "|\\s+(?!\\S)|\\s+"}},
    {" seed-coder ",
     false,
     false,
     {ENDINGS "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}\\r\\n]+|\\s*[\\r\\n]+"
              "|\\s+(?!\\S)|\\s+"}},
    {" exaone-moe ",
     false,
     false,
     {ENDINGS "|[^\\r\\n\\p{L}\\p{N}]?(?:\\p{L}\\p{M}*(?: \\p{L}\\p{M}*)*)+|\\p{N}"
              "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]?|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+"}},
    {" tiny_aya cohere2moe ",
     false,
     false,
     {"\\d{1,3}(?=(?:\\d{3})*\\b)", O200K(ENDINGS "?", "\\p{N}{1,3}")}},
    {" chameleon ",
     false,
     true,
     {"<sentinel:[0-9]+>", "IMGIMG[A-I]{1,4}Z", "[\\t\\n]|    |  ", "\\p{N}",
      "[\\p{P}!-/:-@\\[-`{-~]", GPT2}},
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
