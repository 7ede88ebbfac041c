/* model/tokenizer_sentence.c — tokenizers as SentencePiece makes them (Kudo and Richardson 2018):
 * tokens with scores, a space is ▁. GGUF has their lists in its keys (model/tokenizer_gguf.c). */
#include <math.h>
#include <string.h>

#include "model/tokenizer_internal.h"

static const struct bytes sign_of_space = {(const uint8_t *)"▁", sizeof "▁" - 1};
static const struct bytes space = {(const uint8_t *)" ", 1};

bool tokenizer_put_ends(struct tokenizer *tokenizer, int64_t first, int64_t last)
{
    const int64_t ids[2] = {first, last};
    struct tokenizer_template single = {.count = 0}, pair = {.count = 0};
    for (size_t part = 0; part < 3; part++) {
        if (part == 1) {
            single.at[single.count++].kind = TEMPLATE_FIRST;
            pair.at[pair.count++].kind = TEMPLATE_FIRST;
        } else if (ids[part / 2] >= 0) {
            single.at[single.count].kind = TEMPLATE_TOKEN;
            single.at[single.count++].id = (uint32_t)ids[part / 2];
            pair.at[pair.count].kind = TEMPLATE_TOKEN;
            pair.at[pair.count++].id = (uint32_t)ids[part / 2];
        }
    }
    pair.at[pair.count].type = 1;
    pair.at[pair.count++].kind = TEMPLATE_SECOND;
    if (last >= 0) {
        pair.at[pair.count].type = 1;
        pair.at[pair.count].kind = TEMPLATE_TOKEN;
        pair.at[pair.count++].id = (uint32_t)last;
    }
    tokenizer->single = single;
    tokenizer->pair = pair;
    return true;
}

/* A token that is looked for before a text is cut; its spaces as they stand in a text. */
static bool add_token(struct tokenizer *tokenizer, struct bytes text, size_t id,
                      enum token_type type, struct error *error)
{
    const struct tokenizer_norm spaces = {.from = sign_of_space, .to = space};
    struct tokenizer_added added = {
        .text = text, .id = (uint32_t)id, .special = type == TOKEN_CONTROL};
    return tokenizer_norm_replace(&spaces, &tokenizer->arena, &added.text, error) &&
           tokenizer_add(tokenizer, &added, error);
}

bool tokenizer_read_list(struct tokenizer *tokenizer, const struct token_list *list,
                         const char *file, struct error *error)
{
    if (list->count == 0 || list->count > tokenizer->limit) {
        return error_set(error, ERROR_INPUT, "%s: it has %zu tokens, but the model has %zu.", file,
                         list->count, tokenizer->limit);
    }
    for (size_t id = 0; id < list->count; id++) {
        const struct bytes text = list->text(list->owner, id);
        const enum token_type type = list->type(list->owner, id);
        if (!tokenizer_put_token(tokenizer, file, (const char *)text.at, text.size, id, error)) {
            return false;
        }
        if ((type == TOKEN_CONTROL || type == TOKEN_OF_USER) && text.size > 0) {
            if (tokenizer->added_count == TOKENIZER_ADDED_MAX) {
                return error_set(error, ERROR_INPUT, "%s: it has more than %d added tokens.", file,
                                 TOKENIZER_ADDED_MAX);
            }
            if (!add_token(tokenizer, text, id, type, error)) {
                return false;
            }
        }
    }
    return vocabulary_finish(&tokenizer->vocabulary, &tokenizer->arena) ||
           tokenizer_no_memory(error);
}

/* Only tokens that a text can become are merged or chosen: those of control and for what is unknown
 * never are, nor those that are not used; what users added is found before. */
static bool is_chosen(const struct token_list *list, size_t id)
{
    const enum token_type type = list->type(list->owner, id);
    return type == TOKEN_NORMAL || type == TOKEN_OF_USER;
}

/* The pieces of a list that is numbered otherwise are merged by their own numbers. */
static bool read_own_numbers(struct tokenizer *tokenizer, const struct token_list *list,
                             int64_t unknown)
{
    struct vocabulary *const pieces = &tokenizer->pieces;
    bool fine = vocabulary_start(pieces, list->count, &tokenizer->arena);
    for (size_t id = 0; fine && id < list->count; id++) {
        const struct bytes text = list->text(list->owner, id);
        fine = text.size > VOCABULARY_TOKEN_BYTES_MAX ||
               vocabulary_add(pieces, (const char *)text.at, text.size, id, &tokenizer->arena);
    }
    tokenizer->bpe.vocabulary = pieces;
    tokenizer->bpe.unknown =
        unknown >= 0 && (uint64_t)unknown < list->count ? (uint32_t)unknown : BPE_NOWHERE;
    return fine && vocabulary_finish(pieces, &tokenizer->arena);
}

static bool read_scores(struct tokenizer *tokenizer, const struct token_list *list, int64_t unknown,
                        struct error *error)
{
    float *const scores = arena_array(&tokenizer->arena, list->count, sizeof *scores);
    for (size_t id = 0; scores != NULL && id < list->count; id++) {
        scores[id] = list->score(list->owner, id);
    }
    tokenizer->model = MODEL_BPE;
    tokenizer->bpe.scores = scores;
    tokenizer->bpe.bytes = true;
    tokenizer->bpe.fuse_unknown = true;
    tokenizer->bpe.unknown = tokenizer->unknown;
    if (tokenizer->piece_ids != NULL && !read_own_numbers(tokenizer, list, unknown)) {
        return tokenizer_no_memory(error);
    }
    bpe_letters(&tokenizer->bpe);
    return scores != NULL || tokenizer_no_memory(error);
}

static bool read_unigram(struct tokenizer *tokenizer, const struct token_list *list,
                         struct error *error)
{
    struct tokenizer_unigram *const unigram = &tokenizer->unigram;
    double min_score = INFINITY;
    unigram->count = list->count;
    double *const scores = arena_array(&tokenizer->arena, list->count, sizeof *scores);
    unigram->words.at = arena_array(&tokenizer->arena, list->count, sizeof *unigram->words.at);
    if (scores == NULL || unigram->words.at == NULL) {
        return tokenizer_no_memory(error);
    }
    for (size_t id = 0; id < list->count; id++) {
        const struct bytes text = list->text(list->owner, id);
        scores[id] = (double)list->score(list->owner, id);
        tokenizer->byte_tokens =
            tokenizer->byte_tokens || list->type(list->owner, id) == TOKEN_BYTE;
        if (is_chosen(list, id) && text.size > 0 && text.size <= VOCABULARY_TOKEN_BYTES_MAX) {
            min_score = scores[id] < min_score ? scores[id] : min_score;
            unigram->words.at[unigram->words.count++] =
                (struct word){(const char *)text.at, (uint32_t)text.size, (uint32_t)id};
        }
    }
    unigram->scores = scores;
    tokenizer->model = MODEL_UNIGRAM;
    tokenizer_unigram_sort(tokenizer, min_score);
    return true;
}

/* Reads what happens to a text before it is cut. */
static bool read_norms(struct tokenizer *tokenizer, const struct sentence_rules *rules,
                       const char *file, struct error *error)
{
    struct tokenizer_norm *const norms = tokenizer->norms;
    if (rules->map.size > 0) {
        struct tokenizer_norm *const map = &norms[tokenizer->norm_count++];
        *map = (struct tokenizer_norm){.apply = tokenizer_norm_map, .longest = true};
        if (!charsmap_read(rules->map, &tokenizer->arena, &map->map)) {
            return error_set(error, ERROR_INPUT,
                             "%s: normalizer Precompiled: its precompiled_charsmap is damaged.",
                             file);
        }
    }
    if (rules->one_space) {
        struct error reason = {ERROR_NONE, 0, ""};
        struct tokenizer_norm *const several = &norms[tokenizer->norm_count++];
        *several = (struct tokenizer_norm){
            .apply = tokenizer_norm_replace, .to = space, .regex = regex_open(" {2,}", &reason)};
        if (several->regex == NULL) {
            return tokenizer_no_memory(error);
        }
        norms[tokenizer->norm_count++] =
            (struct tokenizer_norm){.apply = tokenizer_norm_strip, .left = true, .right = true};
    }
    norms[tokenizer->norm_count++] = (struct tokenizer_norm){
        .apply = tokenizer_norm_replace, .from = space, .to = sign_of_space};
    if (rules->space_before) {
        norms[tokenizer->norm_count++] = (struct tokenizer_norm){
            .apply = tokenizer_norm_prepend, .to = sign_of_space, .first_only = rules->first_only};
    }
    return true;
}

bool tokenizer_cut_by_list(struct tokenizer *tokenizer, const struct token_list *list,
                           const struct sentence_rules *rules, const char *file,
                           struct error *error)
{
    tokenizer->space = sign_of_space;
    tokenizer->bytes_by_name = true;
    tokenizer->first_space = rules->space_before;
    return read_norms(tokenizer, rules, file, error) &&
           (rules->unigram ? read_unigram(tokenizer, list, error)
                           : read_scores(tokenizer, list, rules->unknown, error));
}

bool tokenizer_read_sentence(struct tokenizer *tokenizer, const struct token_list *list,
                             const struct sentence_rules *rules, const char *file,
                             struct error *error)
{
    if (!tokenizer_read_list(tokenizer, list, file, error)) {
        return false;
    }
    tokenizer->unknown = rules->unknown >= 0 && (uint64_t)rules->unknown < list->count
                             ? (uint32_t)rules->unknown
                             : TOKENIZER_TEXT;
    return tokenizer_cut_by_list(tokenizer, list, rules, file, error);
}
