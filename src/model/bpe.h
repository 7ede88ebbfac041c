/* model/bpe.h — byte-level byte-pair encoding as GPT-2 has it: text into tokens and back.
 *
 *     "won't  fit"  ─ split ─►  won | 't | ␣ | ␣fit  ─ bytes, merged by rank ─►  token ids
 *
 * Text is split by a published pattern (openai/gpt-2, encoder.py), each piece is a row of bytes,
 * and the pair of neighbours that stands first in the list of merges becomes one token, until no
 * pair is in the list (Sennrich, Haddow and Birch 2016). Any bytes can be encoded, and decode to
 * the same. */
#ifndef MODEL_BPE_H
#define MODEL_BPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

enum {
    BPE_TOKENS_MAX = 1000000, /* entries of a vocabulary, and merges */
    BPE_IDS_MAX = 2000000,    /* ids are below */
    BPE_TOKEN_BYTES_MAX = 1024,
    BPE_LINE_BYTES_MAX = 4096, /* of the list of merges */
    BPE_SPECIALS_MAX = 256,    /* added tokens */
    BPE_FILE_MAX = 64 * 1024 * 1024,
};

struct bpe;

/* Reads the tokenizer of a folder: vocab.json and merges.txt, or encoder.json and vocab.bpe, or
 * tokenizer.json. Ids must be below `vocabulary`. NULL and a sentence that names the file: it is
 * damaged, or (ERROR_FILE) there is none. The caller closes it. */
struct bpe *bpe_open(const char *folder, size_t vocabulary, struct error *error);
void bpe_close(struct bpe *bpe); /* NULL is fine */

/* The ids of a text, owned by the arena. Takes time in proportion to length · log(length). */
bool bpe_encode(const struct bpe *bpe, const char *text, size_t length, struct arena *arena,
                const uint32_t **ids, size_t *count, struct error *error);

/* The same, and how many steps the merging took: letters laid out, and moves in the heap of pairs.
 */
bool bpe_encode_counted(const struct bpe *bpe, const char *text, size_t length, struct arena *arena,
                        const uint32_t **ids, size_t *count, size_t *steps, struct error *error);

/* The bytes of several tokens, one behind the other, with a 0 behind them; owned by the arena. */
bool bpe_decode(const struct bpe *bpe, const uint32_t *ids, size_t count, struct arena *arena,
                struct bytes *text, struct error *error);

/* The token as people can read it, owned by the arena: a space is ␣, a line break ↵, a tab ⇥; bytes
 * that are no whole letter, and controls, are written as ⟨E2⟩, an id without text as #50300. NULL:
 * no memory. */
const char *bpe_shown(const struct bpe *bpe, uint32_t id, struct arena *arena);

/* The end of the piece that begins at text[at], at < length: what merging never crosses. */
size_t bpe_piece_end(const char *text, size_t length, size_t at);

#endif
