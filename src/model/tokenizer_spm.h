/* model/tokenizer_spm.h — a model of SentencePiece as its file holds it. */
#ifndef MODEL_TOKENIZER_SPM_H
#define MODEL_TOKENIZER_SPM_H

#include "model/tokenizer_internal.h"

struct spm_piece {
    struct bytes text;
    float score;
    enum token_type type;
};

struct spm {
    struct spm_piece *pieces; /* [count] */
    size_t count;
    uint64_t kind;                /* 1 Unigram, 2 byte-pair encoding */
    int64_t unknown, first, last; /* pieces; −1: none */
    bool space_behind;            /* words end with their space */
    struct sentence_rules rules;
};

/* All of it stands in the tokenizer's arena. */
bool spm_read(struct tokenizer *tokenizer, const char *folder, const char *file, struct spm *spm,
              struct error *error);

/* Its pieces with their own numbers. */
struct token_list spm_list(const struct spm *spm);

#endif
