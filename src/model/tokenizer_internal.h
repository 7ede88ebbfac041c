/* model/tokenizer_internal.h — what a tokenizer is made of; for the files of the tokenizer only. */
#ifndef MODEL_TOKENIZER_INTERNAL_H
#define MODEL_TOKENIZER_INTERNAL_H

#include "file/handle.h"
#include "file/json.h"
#include "model/bpe.h"
#include "model/regex.h"
#include "model/tokenizer.h"

/* ---- normalisers: text becomes other text --------------------------------------------------- */

/* SentencePiece's map of letters: a double array (Aoe 1989, as darts-clone stores it) of what is
 * replaced, and the texts in its place. */
struct charsmap {
    const uint32_t *units; /* [unit_count] */
    size_t unit_count;
    const char *texts; /* each ends in a 0 */
    size_t text_bytes;
};

struct tokenizer_norm {
    bool (*apply)(const struct tokenizer_norm *norm, struct arena *arena, struct bytes *text,
                  struct error *error);
    int form;            /* enum unicode_form */
    struct regex *regex; /* what is replaced; NULL: `from` */
    struct bytes from, to;
    bool left, right;                    /* of Strip */
    bool first_only;                     /* it is for the beginning of a text alone */
    bool clean, chinese, accents, lower; /* of BertNormalizer; accents: they are taken off */
    bool longest; /* of the map: the longest beginning, as SentencePiece itself takes it */
    struct charsmap map;
};

/* Reads a base64 text, or the bytes of a model's file, as a map. The bytes must live on. */
bool charsmap_read(struct bytes bytes, struct arena *arena, struct charsmap *map);

/* Normalisers out of JSON, "type" by type; false and a sentence: one is not known. */
bool tokenizer_norm_read(struct tokenizer *tokenizer, const struct json *json, const char *file,
                         struct error *error);

/* Those that are not only made from JSON. */
bool tokenizer_norm_form(const struct tokenizer_norm *norm, struct arena *arena, struct bytes *text,
                         struct error *error);
bool tokenizer_norm_replace(const struct tokenizer_norm *norm, struct arena *arena,
                            struct bytes *text, struct error *error);
bool tokenizer_norm_prepend(const struct tokenizer_norm *norm, struct arena *arena,
                            struct bytes *text, struct error *error);
bool tokenizer_norm_map(const struct tokenizer_norm *norm, struct arena *arena, struct bytes *text,
                        struct error *error);
bool tokenizer_norm_bert(const struct tokenizer_norm *norm, struct arena *arena, struct bytes *text,
                         struct error *error);
bool tokenizer_norm_strip(const struct tokenizer_norm *norm, struct arena *arena,
                          struct bytes *text, struct error *error);

/* ---- pre-tokenizers: a text becomes pieces --------------------------------------------------- */

#define TOKENIZER_TEXT UINT32_MAX /* the id of a piece that is text */

struct tokenizer_piece {
    const char *text;
    size_t length;
    uint32_t id; /* of an added token; TOKENIZER_TEXT: still text */
    bool first;  /* it begins where the whole text does */
};

struct tokenizer_pieces {
    struct arena *arena;
    struct tokenizer_piece *at;
    size_t count, room;
};

bool tokenizer_pieces_put(struct tokenizer_pieces *pieces, struct tokenizer_piece piece);

enum split_behaviour {
    SPLIT_REMOVED,
    SPLIT_ISOLATED,
    SPLIT_WITH_PREVIOUS,
    SPLIT_WITH_NEXT,
    SPLIT_CONTIGUOUS
};

struct tokenizer_split {
    /* Puts the pieces of one piece. */
    bool (*apply)(const struct tokenizer_split *split, const struct tokenizer_piece *piece,
                  struct tokenizer_pieces *out, struct error *error);
    struct regex *regex;             /* NULL: GPT-2's pattern, or a text, or a class of letters */
    struct bytes text;               /* what is looked for */
    size_t letters;                  /* of a piece of FixedLength */
    bool (*is)(uint32_t code_point); /* the class */
    enum split_behaviour behaviour;
    bool invert;
    bool prefix, use_pattern;       /* of ByteLevel */
    bool always, first_only, parts; /* of Metaspace; the text is its sign */
};

bool tokenizer_split_read(struct tokenizer *tokenizer, const struct json *json, const char *file,
                          struct error *error);

/* ByteLevel, for tokenizers that are not made from JSON, and by a pattern. */
bool tokenizer_split_bytes(const struct tokenizer_split *split, const struct tokenizer_piece *piece,
                           struct tokenizer_pieces *out, struct error *error);
bool tokenizer_split_bert(const struct tokenizer_split *split, const struct tokenizer_piece *piece,
                          struct tokenizer_pieces *out, struct error *error);
bool tokenizer_split_pattern(const struct tokenizer_split *split,
                             const struct tokenizer_piece *piece, struct tokenizer_pieces *out,
                             struct error *error);

/* ---- models: a piece becomes ids ------------------------------------------------------------- */

enum tokenizer_model { MODEL_BPE, MODEL_WORDPIECE, MODEL_UNIGRAM, MODEL_WORDLEVEL };

struct tokenizer_unigram {
    const double *scores; /* [vocabulary's size] */
    size_t count;         /* of pieces */
    struct words words;   /* value: the id */
    double unknown_score;
};

/* Reads "model" with its vocabulary. */
bool tokenizer_model_read(struct tokenizer *tokenizer, const struct json *json, const char *file,
                          struct error *error);

/* The ids of one piece: *count grows by at most its bytes and one. False and a sentence: memory, or
 * a word that is not in the vocabulary of a model without a token for such. */
struct tokenizer_bench {
    struct bpe_bench bpe;
    struct arena arena; /* of Unigram's lattice */
};
bool tokenizer_model_piece(const struct tokenizer *tokenizer, struct tokenizer_bench *bench,
                           const char *piece, size_t length, uint32_t *ids, size_t *count,
                           struct error *error);

/* The parts of a vocabulary that several readers share. */
void tokenizer_unigram_sort(struct tokenizer *tokenizer, double min_score); /* the smallest score */
bool tokenizer_put_token(struct tokenizer *tokenizer, const char *file, const char *text,
                         size_t length, size_t id, struct error *error);
bool tokenizer_no_memory(struct error *error);

/* vocab.json with merges.txt, in a folder (model/tokenizer_pair.c), and the lines of merges.txt. */
bool tokenizer_read_pair(struct tokenizer *tokenizer, struct file_handle *folder, const char *vocab,
                         const char *merges, struct error *error);
bool tokenizer_read_merge_lines(struct tokenizer *tokenizer, struct bytes text, const char *file,
                                struct error *error);
bool tokenizer_read_vocabulary(struct tokenizer *tokenizer, const struct json *vocab,
                               const char *file, struct error *error);
bool tokenizer_read_merges(struct tokenizer *tokenizer, const struct json *merges, const char *file,
                           struct error *error);

/* Room for merges, then each as "left right". */
bool tokenizer_merges_start(struct tokenizer *tokenizer, size_t count, const char *file,
                            struct error *error);
bool tokenizer_merges_put(struct tokenizer *tokenizer, struct bytes line, const char *file,
                          struct error *error);
bool tokenizer_every_byte(const struct tokenizer *tokenizer, const char *file, struct error *error);

/* ---- tokenizers that are no tokenizer.json --------------------------------------------------- */

/* In the order of SentencePiece's numbers, from 1. */
enum token_type {
    TOKEN_NORMAL = 1,
    TOKEN_UNKNOWN,
    TOKEN_CONTROL,
    TOKEN_OF_USER,
    TOKEN_UNUSED,
    TOKEN_BYTE
};

/* A vocabulary as SentencePiece's own files and GGUF have it, token by token. */
struct token_list {
    const void *owner;
    size_t count;
    struct bytes (*text)(const void *owner, size_t index);
    float (*score)(const void *owner, size_t index);
    enum token_type (*type)(const void *owner, size_t index);
};

/* Tokens with their scores: byte-pair encoding by score, or Unigram; spaces are ▁. */
struct sentence_rules {
    bool unigram;
    bool space_before; /* one is put before the text */
    bool first_only;   /* but none is put behind an added token */
    bool one_space;    /* several become one, those at the ends are left out */
    struct bytes map;  /* of letters; size 0: none */
    int64_t unknown;   /* −1: none */
};
bool tokenizer_cut_by_list(struct tokenizer *tokenizer, const struct token_list *list,
                           const struct sentence_rules *rules, const char *file,
                           struct error *error);

/* The same, and the list is the vocabulary. */
bool tokenizer_read_sentence(struct tokenizer *tokenizer, const struct token_list *list,
                             const struct sentence_rules *rules, const char *file,
                             struct error *error);

/* Puts the tokens of a list into the vocabulary, those of control and of users as added ones. */
bool tokenizer_read_list(struct tokenizer *tokenizer, const struct token_list *list,
                         const char *file, struct error *error);

/* Sets what a text begins and ends with; −1: nothing. */
bool tokenizer_put_ends(struct tokenizer *tokenizer, int64_t first, int64_t last);

/* Splits by GPT-2-like patterns, by the name that GGUF has for them. */
bool tokenizer_read_pre(struct tokenizer *tokenizer, const char *name, const char *file,
                        struct error *error);

/* ---- the whole ------------------------------------------------------------------------------- */

struct tokenizer_added {
    struct bytes text;
    uint32_t id;
    bool alone;       /* no letter before or behind it ("single_word") */
    bool left, right; /* white space beside it is part of it */
    bool normalised;  /* it is looked for in the normalised text */
    bool special;
};

enum template_kind { TEMPLATE_TOKEN, TEMPLATE_FIRST, TEMPLATE_SECOND };

struct tokenizer_template {
    struct {
        enum template_kind kind;
        uint32_t id;
        uint8_t type;
    } at[TOKENIZER_PARTS_MAX];
    size_t count;
};

struct tokenizer {
    struct arena arena; /* everything below stands here */
    struct vocabulary vocabulary;
    size_t limit; /* how many tokens the model has */
    struct tokenizer_norm norms[TOKENIZER_PARTS_MAX];
    size_t norm_count;
    struct tokenizer_split splits[TOKENIZER_PARTS_MAX];
    size_t split_count;
    enum tokenizer_model model;
    struct bpe bpe;
    struct tokenizer_unigram unigram;
    struct vocabulary pieces;  /* of byte-pair encoding by a list that piece_ids numbers */
    const uint32_t *piece_ids; /* of a list that is numbered otherwise; NULL: its indices */
    uint32_t unknown;          /* TOKENIZER_TEXT: there is none */
    const char *doubt;         /* why ids may be wrong; NULL: nothing is known */
    bool begins;               /* texts begin with a token for that */
    bool byte_tokens;          /* of Unigram: an unknown letter becomes bytes: <0xE2> */
    const char *prefix;        /* of WordPiece: "##" */
    size_t word_letters_max;
    struct tokenizer_added *added;
    size_t added_count;
    struct words raw, normalised; /* added tokens by their text; value: the index */
    struct tokenizer_template single, pair;
    /* how tokens become text again */
    bool letters_are_bytes; /* Ġ is a space */
    struct bytes space;     /* the sign of a space: ▁ */
    bool bytes_by_name;     /* <0xE2> is a byte */
    struct bytes joined;    /* a token with this beginning stands at the former one: ## */
    struct bytes ending;    /* of a word's last token: </w> */
    bool words_apart;       /* a space between tokens */
    bool first_space;       /* the space before the first word is not part of the text */
};

/* Other files than tokenizer.json, in a folder. */
bool tokenizer_read_spm(struct tokenizer *tokenizer, struct file_handle *folder, const char *file,
                        const char *unused, struct error *error);
bool tokenizer_read_m2m(struct tokenizer *tokenizer, struct file_handle *folder, const char *file,
                        const char *vocab, struct error *error);
bool tokenizer_read_marian(struct tokenizer *tokenizer, struct file_handle *folder,
                           const char *file, const char *vocab, struct error *error);
bool tokenizer_read_lines(struct tokenizer *tokenizer, struct file_handle *folder, const char *file,
                          const char *unused, struct error *error);

/* Sets the parts that BERT's vocab.txt and GGUF leave out: everything but the vocabulary. −1: no
 * token. */
void tokenizer_set_bert(struct tokenizer *tokenizer, bool lower, int64_t unknown, int64_t first,
                        int64_t between);

/* The parts behind the model: added tokens, post-processor, decoder. */
bool tokenizer_read_added(struct tokenizer *tokenizer, const struct json *json, const char *file,
                          struct error *error);

/* One entry of them, by its content and its id. */
bool tokenizer_add_token(struct tokenizer *tokenizer, const struct json *entry, const char *text,
                         int64_t id, const char *file, struct error *error);
bool tokenizer_add(struct tokenizer *tokenizer, const struct tokenizer_added *added,
                   struct error *error);
bool tokenizer_read_template(struct tokenizer *tokenizer, const struct json *json, const char *file,
                             struct error *error);
bool tokenizer_read_decoder(struct tokenizer *tokenizer, const struct json *json, const char *file,
                            struct error *error);

/* After everything was read. */
bool tokenizer_finish(struct tokenizer *tokenizer, struct error *error);

/* A tokenizer without parts; NULL: memory. */
struct tokenizer *tokenizer_new(size_t vocabulary, struct error *error);

#endif
