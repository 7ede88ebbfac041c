/* Tokens as convert_ids_to_tokens gives them: byte-level tokenizers write each byte as a letter of
 * their own alphabet. A list that is written so is decoded as a whole. */
#include <string.h>

#include "base/readable.h"
#include "base/text.h"
#include "lab/dump/dump_lists.h"

enum { TOKEN_BYTES_MAX = 1024 };

/* Decodes a token to bytes. Returns false where a letter stands for no byte, as in special
 * tokens. */
static bool read_bytes(const char *token, uint8_t *bytes, size_t *size)
{
    const size_t length = strlen(token);
    *size = 0;
    for (size_t at = 0; at < length;) {
        const int byte = readable_byte_of(text_next(token, length, &at));
        if (byte < 0 || *size == TOKEN_BYTES_MAX) {
            return false;
        }
        bytes[(*size)++] = (uint8_t)byte;
    }
    return length > 0;
}

/* The signs that a list is written in the byte alphabet, collected over its tokens in order. */
struct evidence {
    bool has_mark;   /* Ġ before a word, or Ċ */
    bool has_letter; /* a letter of several bytes: ä½ł */
    bool has_broken; /* bytes that form no letter although no token is cut there */
    bool has_cut;    /* a letter whose remaining bytes are in a token that is not there */
    uint8_t left;    /* bytes that the current letter still needs */
    bool begins;     /* nothing is read yet: a text may begin within a letter */
    bool at_edge;    /* of the token only the end of a letter is read */
};

/* Returns how many bytes follow one that begins a letter; -1: it begins none. */
static int bytes_behind(uint8_t byte)
{
    return byte >= 0xC2 && byte <= 0xDF   ? 1
           : byte >= 0xE0 && byte <= 0xEF ? 2
           : byte >= 0xF0 && byte <= 0xF4 ? 3
                                          : -1;
}

static void collect_evidence(struct evidence *evidence, uint8_t byte, bool is_first)
{
    const bool continues = byte >= 0x80 && byte < 0xC0;
    const bool at_edge = is_first || evidence->at_edge;
    if (evidence->left > 0 &&
        !continues) { /* the previous letter was cut, which may happen at an edge */
        evidence->has_cut = evidence->has_cut || is_first;
        evidence->has_broken = evidence->has_broken || !is_first;
        evidence->left = 0;
    }
    if (byte < 0x80) {
        const bool is_space = byte == '\t' || byte == '\n' || byte == '\r';
        evidence->has_broken = evidence->has_broken || (byte < 0x20 && !is_space) || byte == 0x7F;
        evidence->has_mark = evidence->has_mark || byte == '\n' || (byte == ' ' && is_first);
    } else if (!continues) {
        const int behind = bytes_behind(byte);
        evidence->has_broken = evidence->has_broken || behind < 0;
        evidence->left = behind < 0 ? 0 : (uint8_t)behind;
    } else if (evidence->left > 0) {
        evidence->left--;
        evidence->has_letter = evidence->has_letter || evidence->left == 0;
    } else {
        evidence->has_cut = evidence->has_cut || !evidence->begins;
        evidence->has_broken = evidence->has_broken || !at_edge;
    }
    evidence->begins = evidence->begins && continues;
    evidence->at_edge = at_edge && continues;
}

static bool is_of_bytes(const char *const *word, size_t count)
{
    struct evidence evidence = {.begins = true};
    uint8_t bytes[TOKEN_BYTES_MAX];
    for (size_t w = 0; w < count; w++) {
        size_t size = 0;
        if (!read_bytes(word[w], bytes, &size)) {
            evidence.has_cut = evidence.has_cut || evidence.left > 0;
            evidence.left = 0;
            evidence.begins = true; /* after a special token */
            continue;
        }
        for (size_t b = 0; b < size; b++) {
            collect_evidence(&evidence, bytes[b], b == 0);
        }
    }
    return !evidence.has_broken &&
           (evidence.has_mark || (evidence.has_letter && !evidence.has_cut));
}

bool dump_read_bytes(const char **word, size_t count, struct arena *arena)
{
    uint8_t bytes[TOKEN_BYTES_MAX];
    const bool of_bytes = is_of_bytes(word, count);
    for (size_t w = 0; of_bytes && w < count; w++) {
        size_t size = 0;
        if (read_bytes(word[w], bytes, &size)) {
            word[w] = readable_bytes((struct bytes){bytes, size}, arena);
        }
        if (word[w] == NULL) {
            return false;
        }
    }
    return true;
}
