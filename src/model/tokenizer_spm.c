/* model/tokenizer_spm.c — SentencePiece's own files (spiece.model, tokenizer.model, source.spm): a
 * message of protocol buffers (google/sentencepiece, src/sentencepiece_model.proto).
 *
 *     1  pieces: 1 text, 2 score (float32), 3 type           again and again
 *     2  how it was trained: 3 kind (1 Unigram, 2 BPE), 24 space behind, 40 unknown, 41 beginning,
 *        42 end
 *     3  normaliser: 2 the map of letters, 3 space before, 4 one space in place of several, 5
 * spaces are ▁ */
#include "model/tokenizer_spm.h"

#include <string.h>

#include "file/folder.h"

enum { UNIGRAM = 1, BPE = 2, WIRE_NUMBER = 0, WIRE_8 = 1, WIRE_BYTES = 2, WIRE_4 = 5 };

/* One field of a message. */
struct field {
    uint64_t number; /* of the field */
    uint64_t value;  /* of a whole number, or the bits of 4 or 8 bytes */
    struct bytes bytes;
};

static bool read_number(struct bytes *message, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; shift < 64 && message->size > 0; shift += 7) {
        const uint8_t byte = message->at[0];
        message->at++;
        message->size--;
        *number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

/* The next field; false: the message is damaged. At its end nobody asks. */
static bool read_field(struct bytes *message, struct field *field)
{
    uint64_t tag = 0, length = 0;
    *field = (struct field){.number = 0};
    if (!read_number(message, &tag)) {
        return false;
    }
    field->number = tag >> 3;
    switch (tag & 7) {
    case WIRE_NUMBER:
        return read_number(message, &field->value);
    case WIRE_BYTES:
        if (!read_number(message, &length)) {
            return false;
        }
        break;
    case WIRE_4:
    case WIRE_8:
        length = (tag & 7) == WIRE_4 ? 4 : 8;
        break;
    default:
        return false;
    }
    if (length > message->size) {
        return false;
    }
    field->bytes = (struct bytes){message->at, (size_t)length};
    message->at += length;
    message->size -= (size_t)length;
    for (size_t i = field->bytes.size; i-- > 0 && (tag & 7) != WIRE_BYTES;) {
        field->value = field->value << 8 | field->bytes.at[i];
    }
    return true;
}

static bool read_piece(struct bytes message, struct spm_piece *piece)
{
    struct field field;
    *piece = (struct spm_piece){.text = {(const uint8_t *)"", 0}, .type = TOKEN_NORMAL};
    while (message.size > 0) {
        if (!read_field(&message, &field)) {
            return false;
        }
        if (field.number == 1) {
            piece->text = field.bytes;
        } else if (field.number == 2) {
            const uint32_t bits = (uint32_t)field.value;
            memcpy(&piece->score, &bits, sizeof bits);
        } else if (field.number == 3 && field.value >= 1 && field.value <= TOKEN_BYTE) {
            piece->type = (enum token_type)field.value;
        }
    }
    return piece->text.at != NULL;
}

static bool read_training(struct bytes message, struct spm *spm)
{
    struct field field;
    while (message.size > 0) {
        if (!read_field(&message, &field)) {
            return false;
        }
        const int64_t id = (int64_t)field.value;
        spm->kind = field.number == 3 ? field.value : spm->kind;
        spm->space_behind = field.number == 24 ? field.value != 0 : spm->space_behind;
        spm->unknown = field.number == 40 ? id : spm->unknown;
        spm->first = field.number == 41 ? id : spm->first;
        spm->last = field.number == 42 ? id : spm->last;
    }
    return true;
}

static bool read_rules(struct bytes message, struct spm *spm)
{
    struct field field;
    while (message.size > 0) {
        if (!read_field(&message, &field)) {
            return false;
        }
        if (field.number == 2) {
            spm->rules.map = field.bytes;
        } else if (field.number == 3) {
            spm->rules.space_before = field.value != 0;
        } else if (field.number == 4) {
            spm->rules.one_space = field.value != 0;
        } else if (field.number == 5 && field.value == 0) {
            spm->space_behind = true; /* or is no sign of its own: neither is done here */
        }
    }
    return true;
}

static bool read_message(struct bytes message, struct arena *arena, struct spm *spm)
{
    struct field field;
    struct bytes rest = message;
    size_t count = 0;
    *spm = (struct spm){.kind = UNIGRAM,
                        .unknown = 0,
                        .first = 1,
                        .last = 2,
                        .rules = {.space_before = true, .one_space = true}};
    while (rest.size > 0) {
        if (!read_field(&rest, &field)) {
            return false;
        }
        count += field.number == 1;
    }
    spm->pieces = arena_array(arena, count + 1, sizeof *spm->pieces);
    if (spm->pieces == NULL || count > VOCABULARY_TOKENS_MAX) {
        return false;
    }
    bool fine = true;
    while (fine && message.size > 0) {
        fine = read_field(&message, &field);
        if (fine && field.number == 1) {
            fine = read_piece(field.bytes, &spm->pieces[spm->count++]);
        } else if (fine && field.number == 2) {
            fine = read_training(field.bytes, spm);
        } else if (fine && field.number == 3) {
            fine = read_rules(field.bytes, spm);
        }
    }
    return fine && spm->count > 0;
}

static struct bytes text_at(const void *owner, size_t index)
{
    return ((const struct spm *)owner)->pieces[index].text;
}

static float score_at(const void *owner, size_t index)
{
    return ((const struct spm *)owner)->pieces[index].score;
}

static enum token_type type_at(const void *owner, size_t index)
{
    return ((const struct spm *)owner)->pieces[index].type;
}

struct token_list spm_list(const struct spm *spm)
{
    return (struct token_list){spm, spm->count, text_at, score_at, type_at};
}

bool spm_read(struct tokenizer *tokenizer, const char *folder, const char *file, struct spm *spm,
              struct error *error)
{
    struct bytes message;
    if (!folder_read(folder, file, TOKENIZER_TEXT_MAX, &tokenizer->arena, &message, error)) {
        return false;
    }
    if (!read_message(message, &tokenizer->arena, spm)) {
        return error_set(error, ERROR_INPUT, "%s: it is no model of SentencePiece, or damaged.",
                         file);
    }
    if (spm->kind != UNIGRAM && spm->kind != BPE) {
        return error_set(error, ERROR_INPUT,
                         "%s: it cuts words or letters; models of the kinds unigram and bpe can "
                         "be read.",
                         file);
    }
    if (spm->space_behind) {
        return error_set(error, ERROR_INPUT,
                         "%s: its pieces end with the space of a word, which cannot be read here; "
                         "tokenizer.json would do.",
                         file);
    }
    spm->rules.unigram = spm->kind == UNIGRAM;
    spm->rules.unknown = spm->unknown;
    return true;
}
