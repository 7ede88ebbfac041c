/* learn/data_cut.c — cuts own text into words or letters: its own, or those that a run knows
 * already. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "learn/data_internal.h"
#include "learn/learned.h"

enum {
    WORDS_MAX = 2000,   /* kinds of words, where the units are chosen automatically, */
    WORDS_OFTEN = 4,    /* and how often a word must occur on average */
    TEXT_SHARE = 3,     /* where a third is no text, the rest is none either */
    NAMED = 3,          /* so many unknown words are named, */
    NAMED_BYTES = 24,   /* with so many bytes of each */
    ASK_EACH = 1 << 14, /* tokens, or letters, between two questions whether to go on */
    PIECE = 1 << 16     /* bytes that are cut at a time */
};

static const uint32_t damaged = 0xFFFD; /* what text_next returns for bytes that are no text */

/* A text that grows. */
struct part {
    char *text;
    size_t length, room;
};

/* A text that is cut piece by piece, so that a long one takes no more memory than its tokens. */
struct cut {
    struct learn_data *data;
    struct bytes raw; /* as it was given */
    const struct learn_data *known;
    const struct learn_cutting *cutting;
    struct error *error;
    size_t at;                /* in raw: the next byte */
    struct part piece, whole; /* cleaned: the present piece; everything so far, where it is kept */
};

/* Asks at some places of the text whether to go on. */
static bool goes_on(const struct cut *cut, size_t count, size_t at)
{
    return count % ASK_EACH != 0 || cut->cutting == NULL ||
           cut->cutting->goes_on(cut->cutting->owner, at, cut->raw.size);
}

/* ---- pieces --------------------------------------------------------------------------------- */

static bool append_text(struct part *part, const char *text, size_t length)
{
    if (length == 0) {
        return true;
    }
    if (part->length + length > part->room) {
        const size_t room = 2 * (part->length + length);
        char *const more = realloc(part->text, room);
        if (more == NULL) {
            return false;
        }
        part->text = more;
        part->room = room;
    }
    memcpy(part->text + part->length, text, length);
    part->length += length;
    return true;
}

/* Skips line ends of other systems and the mark at a file's start, and counts bytes that are no
 * text. */
static bool is_left_out(uint32_t letter, size_t *no_text)
{
    if (letter == '\r' || letter == 0xFEFF) {
        return true;
    }
    const bool space = letter == '\n' || letter == '\t';
    const bool out = letter == damaged || (!space && text_is_control(letter));
    *no_text += out ? 1 : 0;
    return out;
}

/* Counts the bytes that are left out. Returns false where cutting was given up. */
static bool count_left_out(struct cut *cut)
{
    size_t letters = 0;
    for (size_t at = 0; at < cut->raw.size; letters++) {
        const uint32_t letter = text_next((const char *)cut->raw.at, cut->raw.size, &at);
        (void)is_left_out(letter, &cut->data->left_out);
        if (!goes_on(cut, letters, 0)) {
            return false;
        }
    }
    return true;
}

/* Returns where a piece ends: before a letter that neither changes nor is changed by what precedes
 * it. */
static size_t piece_end(struct bytes raw, size_t at)
{
    size_t end = at + PIECE < raw.size ? at + PIECE : raw.size;
    while (end < raw.size) {
        const uint8_t former = raw.at[end - 1], next = raw.at[end];
        const bool plain = former < 0x80 && next < 0x80;
        const bool ideograph = next >= 0xE5 && next <= 0xE8 && end - at > 2 * PIECE;
        if (plain || ideograph) {
            break;
        }
        end++;
    }
    return end;
}

/* Appends the next piece to the rest of the former, without bytes that are no text. Returns false
 * without memory. */
static bool add_piece(struct cut *cut)
{
    const char *const text = (const char *)cut->raw.at;
    const size_t end = piece_end(cut->raw, cut->at);
    struct arena arena = {0};
    char *const sound = malloc(end - cut->at + 1);
    size_t kept = 0, no_text = 0, length = 0;
    for (size_t at = cut->at; sound != NULL && at < end;) {
        const size_t former = at;
        if (!is_left_out(text_next(text, end, &at), &no_text)) {
            memcpy(sound + kept, text + former, at - former);
            kept += at - former;
        }
    }
    const char *const clean = sound == NULL ? NULL : text_clean(&arena, sound, kept, &length);
    const bool keeps = cut->raw.size <= LEARN_LEARNED_TEXT_MAX;
    const bool done = clean != NULL && append_text(&cut->piece, clean, length) &&
                      (!keeps || append_text(&cut->whole, clean, length));
    cut->at = end;
    free(sound);
    arena_free(&arena);
    return done || learn_no_memory(cut->error);
}

/* Receives one word or letter of the text. Returns false with an error, or where cutting was given
 * up. */
typedef bool token_listener(struct cut *cut, const char *word, size_t size, void *owner);

/* Calls the listener for all words or letters of the text from its beginning. */
static bool each_token(struct cut *cut, bool letters, token_listener *listener, void *owner)
{
    cut->at = cut->piece.length = cut->whole.length = 0;
    learn_pages_empty(cut->data);
    cut->data->letters = letters;
    for (bool last = false; !last;) {
        size_t at = 0, start = 0, size = 0, used = 0;
        if (!add_piece(cut)) {
            return false;
        }
        last = cut->at == cut->raw.size;
        while (learn_next_word(cut->piece.text, cut->piece.length, letters, &at, &start, &size)) {
            const bool may_go_on = !last && !letters && start + size == cut->piece.length;
            if (size > LEARN_WORD_BYTES_MAX) {
                return error_set(cut->error, ERROR_INPUT,
                                 "A word of this text has %zu bytes, more than %d: learn its "
                                 "letters instead.",
                                 size, LEARN_WORD_BYTES_MAX);
            }
            if (may_go_on) {
                break;
            }
            if (!listener(cut, cut->piece.text + start, size, owner)) {
                return false;
            }
            used = at;
        }
        cut->piece.length -= used;
        if (used == 0 || cut->piece.length == 0) {
            continue;
        }
        memmove(cut->piece.text, cut->piece.text + used, cut->piece.length);
    }
    return true;
}

/* ---- cutting into a vocabulary of its own ---------------------------------------------------- */

/* The number of kinds of tokens that a text may have, and whether it has more. */
struct kinds {
    size_t max;
    bool too_many;
};

static bool add_new_token(struct cut *cut, const char *word, size_t size, void *owner)
{
    struct learn_data *const data = cut->data;
    struct kinds *const kinds = owner;
    size_t token = 0;
    if (!learn_data_add_word(data, word, size, &token, cut->error)) {
        return false;
    }
    kinds->too_many = data->vocabulary > kinds->max;
    return !kinds->too_many && learn_pages_add(data, token, cut->error) &&
           goes_on(cut, data->stream_count, cut->at);
}

/* Cuts the text into words or letters. *too_many: it has more kinds than `max`. */
static bool cut_into(struct cut *cut, bool letters, size_t max, bool *too_many)
{
    struct kinds kinds = {max, false};
    cut->data->vocabulary = cut->data->slot_count = 0;
    const bool done = each_token(cut, letters, add_new_token, &kinds);
    *too_many = kinds.too_many;
    return done || kinds.too_many;
}

static bool cut_anew(struct cut *cut)
{
    struct learn_data *const data = cut->data;
    struct error *const error = cut->error;
    bool too_many = false;
    if (data->request.units == LEARN_UNITS_AUTO) {
        struct error reason = {ERROR_NONE, 0, ""};
        cut->error = &reason;
        const bool cuts = cut_into(cut, false, WORDS_MAX, &too_many);
        cut->error = error;
        const bool words =
            cuts && !too_many && data->stream_count >= WORDS_OFTEN * data->vocabulary;
        data->request.units = words ? LEARN_WORDS : LEARN_LETTERS;
        if (words) {
            return true;
        }
    }
    const bool letters = data->request.units == LEARN_LETTERS;
    return cut_into(cut, letters, LEARN_KINDS_MAX, &too_many) &&
           (!too_many ||
            error_set(error, ERROR_INPUT,
                      letters
                          ? "This text has more than %d kinds of letters: is it "
                            "a text?"
                          : "This text has more than %d kinds of words: learn its letters instead.",
                      LEARN_KINDS_MAX));
}

/* ---- cutting into known words ---------------------------------------------------------------- */

/* Names the first words that the run lacks: “fox”, “quick”. */
static const char *names_of(const struct learn_data *lacks, struct arena *arena)
{
    const char *names = "";
    for (size_t w = 0; names != NULL && w < lacks->vocabulary && w < NAMED; w++) {
        const char *const word = lacks->words[w];
        const char *const name = strcmp(word, "\n") == 0   ? "↵"
                                 : strcmp(word, "\t") == 0 ? "⇥"
                                                           : word;
        size_t length = strlen(name);
        if (length > NAMED_BYTES) {
            length = text_former_letter(name, length, NAMED_BYTES);
        }
        names = arena_format(arena, tr("%s%s“%.*s”"), names, w > 0 ? ", " : "", (int)length, name);
    }
    return names == NULL ? "" : names;
}

static bool refuse_unknown_words(const struct cut *cut, const struct learn_data *lacks,
                                 size_t kinds)
{
    struct arena arena = {0};
    char few[TEXT_NUMBER_MAX], all[TEXT_NUMBER_MAX];
    text_count(few, lacks->vocabulary);
    text_count(all, kinds + lacks->vocabulary);
    error_set(cut->error, ERROR_INPUT,
              cut->data->letters
                  ? "Unknown to this run: %s of the %s kinds of letters in this text (%s%s)."
                  : "Unknown to this run: %s of the %s kinds of words in this text (%s%s).",
              few, all, names_of(lacks, &arena), lacks->vocabulary > NAMED ? " …" : "");
    arena_free(&arena);
    return false;
}

/* The words of a text, divided into those that a run knows and those that it does not. */
struct knowing {
    struct learn_data *lacks; /* the unknown words */
    bool *seen;               /* [known.vocabulary]: the known words that occur, */
    size_t kinds, count;      /* their number, and that of all words so far */
};

static bool add_known_token(struct cut *cut, const char *word, size_t size, void *owner)
{
    struct knowing *const knowing = owner;
    size_t token = learn_data_find(cut->known, word, size);
    if (token == SIZE_MAX) {
        if (!learn_data_add_word(knowing->lacks, word, size, &token, cut->error)) {
            return false;
        }
    } else {
        knowing->kinds += knowing->seen[token] ? 0 : 1;
        knowing->seen[token] = true;
        if (!learn_pages_add(cut->data, token, cut->error)) {
            return false;
        }
    }
    return goes_on(cut, ++knowing->count, cut->at);
}

/* Every token is one of the run's, whose words the data uses from now on. */
static bool cut_as_known(struct cut *cut, struct learn_data *lacks)
{
    struct learn_data *const data = cut->data;
    const struct learn_data *const known = cut->known;
    struct knowing knowing = {.lacks = lacks};
    knowing.seen = arena_array(&data->arena, known->vocabulary, sizeof *knowing.seen);
    if (knowing.seen == NULL) {
        return learn_no_memory(cut->error);
    }
    if (!each_token(cut, known->letters, add_known_token, &knowing)) {
        return false;
    }
    if (lacks->vocabulary > 0) {
        return refuse_unknown_words(cut, lacks, knowing.kinds);
    }
    const struct learn_data *owner = known;
    while (owner->shares != NULL) {
        owner = owner->shares;
    }
    data->shares = learn_data_keep(owner);
    data->words = known->words;
    data->vocabulary = known->vocabulary;
    data->slots = known->slots;
    data->slot_count = known->slot_count;
    data->request.units = known->letters ? LEARN_LETTERS : LEARN_WORDS;
    return true;
}

static bool cut_text(struct cut *cut)
{
    struct learn_data *const data = cut->data;
    if (cut->raw.size > LEARN_TEXT_BYTES_MAX) {
        return error_set(cut->error, ERROR_INPUT,
                         "This text has %zu MB, more than %d: give a part of it.",
                         (cut->raw.size + (1 << 20) - 1) >> 20, LEARN_TEXT_BYTES_MAX >> 20);
    }
    if (!count_left_out(cut)) {
        return false;
    }
    if (data->left_out * TEXT_SHARE > cut->raw.size) {
        return error_set(cut->error, ERROR_INPUT,
                         "This is no text in UTF-8: %zu of %zu bytes belong to no letter.",
                         data->left_out, cut->raw.size);
    }
    if (cut->known != NULL) {
        struct learn_data *const lacks = learn_data_empty(cut->known->letters, cut->error);
        const bool done = lacks != NULL && cut_as_known(cut, lacks);
        learn_data_release(lacks);
        return done;
    }
    return cut_anew(cut);
}

/* Keeps the cleaned text where a session may hold it. */
static bool keep_text(struct cut *cut)
{
    if (cut->whole.text == NULL) {
        return true;
    }
    const char *const text = arena_text(&cut->data->arena, cut->whole.text, cut->whole.length);
    cut->data->request.text = (struct bytes){(const uint8_t *)text, cut->whole.length};
    return text != NULL || learn_no_memory(cut->error);
}

struct learn_data *learn_data_cut(struct bytes text, enum learn_units units,
                                  const struct learn_data *known,
                                  const struct learn_cutting *cutting, struct error *error)
{
    struct learn_data *const data = learn_data_empty(false, error);
    if (data == NULL) {
        return NULL;
    }
    data->request = (struct learn_data_request){.task = LEARN_TASK_TEXT, .units = units};
    struct cut cut = {
        .data = data, .raw = text, .known = known, .cutting = cutting, .error = error};
    bool done = cut_text(&cut) && keep_text(&cut);
    free(cut.piece.text);
    free(cut.whole.text);
    if (done && (data->stream_count < 2 || data->vocabulary < 2)) {
        done =
            error_set(error, ERROR_INPUT,
                      data->letters ? "There is nothing to learn from: the text has fewer than two "
                                      "different letters."
                                    : "There is nothing to learn from: the text has fewer than two "
                                      "different words.");
    }
    if (!done) {
        learn_data_release(data);
        return NULL;
    }
    return data;
}

size_t learn_data_length(const struct learn_data *data)
{
    return data->stream_count;
}

bool learn_data_has_own_words(const struct learn_data *data)
{
    return data->shares == NULL;
}
