/* model/tokenizer.h — text into tokens and back, as a pipeline of parts that a file names:
 *
 *     "Héllo  Wörld" ─ normalise ─► "héllo  wörld" ─ split ─► héllo | wörld ─ model ─► ids
 *                                                  ─ post-process ─► [CLS] … [SEP]
 *
 * Added tokens (<|endoftext|>) are looked for before. The parts and what they do are those of
 * Hugging Face's library (github.com/huggingface/tokenizers): a part that is not known is refused
 * by its name, for other ids would be untrue. */
#ifndef MODEL_TOKENIZER_H
#define MODEL_TOKENIZER_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "model/vocabulary.h"

enum {
    TOKENIZER_ADDED_MAX = 16384,
    TOKENIZER_PARTS_MAX = 32, /* of one kind */
    TOKENIZER_TEXT_MAX = 64 * 1024 * 1024,
    TOKENIZER_LINE_MAX = 4096, /* bytes of a line of merges.txt */
};

struct file_handle;
struct tokenizer;

/* Reads the tokenizer of a folder: tokenizer.json; vocab.json and merges.txt (those of some
 * classes, model/tokenizer_pair.c), or encoder.json and vocab.bpe (GPT-2's); tokenizer.model,
 * spiece.model or sentencepiece.bpe.model (SentencePiece's, of some families,
 * model/tokenizer_families.c), the last with vocab.json (M2M100's); source.spm with vocab.json
 * (Marian's); vocab.txt (BERT's). `vocabulary`: how many tokens the model has. NULL and a sentence
 * that names the file: it is damaged, or (ERROR_FILE) there is none. The caller closes it. */
struct tokenizer *tokenizer_open(struct file_handle *folder, size_t vocabulary,
                                 struct error *error);

/* Opens the tokenizer of the text that a model of two texts writes, where that has one of its
 * own: target.spm with target_vocab.json, or else vocab.json (Marian's). NULL and no error: it
 * has none. */
struct tokenizer *tokenizer_open_target(struct file_handle *folder, size_t vocabulary,
                                        struct error *error);

/* The tokenizer in the keys of a GGUF file: tokenizer.ggml.model gpt2, llama, t5 or bert. `name` is
 * the file's, for sentences. The caller closes it. */
struct gguf;
struct tokenizer *tokenizer_open_gguf(const struct gguf *gguf, const char *name, size_t vocabulary,
                                      struct error *error);
void tokenizer_close(struct tokenizer *tokenizer); /* NULL is fine */

/* Why its ids may be others than those that the model was trained with, in English; "": nothing
 * is known that speaks for that. */
const char *tokenizer_doubt(const struct tokenizer *tokenizer);

struct tokenizer_input {
    struct bytes text;
    struct bytes pair; /* a second text, where has_pair */
    bool has_pair;
    bool bare; /* without the tokens that the post-processor adds */
};

struct tokenizer_output {
    const uint32_t *ids;  /* [count] */
    const uint8_t *types; /* [count]: 0, or 1 in a second text */
    size_t count;
    size_t steps; /* of merging: letters laid out, and moves in the heap of pairs */
};

/* The ids of a text, or of two, owned by the arena. */
bool tokenizer_encode_as(const struct tokenizer *tokenizer, const struct tokenizer_input *input,
                         struct arena *arena, struct tokenizer_output *output, struct error *error);

/* The ids of one text with the tokens that the post-processor adds, and without them. */
bool tokenizer_encode(const struct tokenizer *tokenizer, const char *text, size_t length,
                      struct arena *arena, const uint32_t **ids, size_t *count,
                      struct error *error);
bool tokenizer_encode_bare(const struct tokenizer *tokenizer, const char *text, size_t length,
                           struct arena *arena, const uint32_t **ids, size_t *count,
                           struct error *error);

/* The text of several tokens, with a 0 behind it; owned by the arena. */
bool tokenizer_decode(const struct tokenizer *tokenizer, const uint32_t *ids, size_t count,
                      struct arena *arena, struct bytes *text, struct error *error);

/* The token as people can read it, owned by the arena: a space is ␣, a line break ↵, a tab ⇥; bytes
 * that are no whole letter, and controls, are written as ⟨E2⟩, an id without text as #50300. NULL:
 * no memory. */
const char *tokenizer_shown(const struct tokenizer *tokenizer, uint32_t id, struct arena *arena);

/* The id of a token by its text as the file writes it, added ones too; false: there is none. */
bool tokenizer_find(const struct tokenizer *tokenizer, const char *token, uint32_t *id);

#endif
