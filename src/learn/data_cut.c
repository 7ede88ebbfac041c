/* learn/data_cut.c — own text cut into words or letters: into those that it has, or into those that
 * a run knows already. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "learn/data_internal.h"

enum {
    WORDS_MOST = 2000, /* kinds of words, where nobody says that it shall be words */
    WORDS_OFTEN = 4,   /* and how often a word comes, on average */
    TEXT_SHARE = 3,    /* where a third is no text, the rest is none either */
    NAMED = 3,         /* of the words that a run does not know … */
    NAMED_BYTES = 24,  /* … and what is told of each */
    ASK_EACH = 1 << 14 /* tokens, or letters, from one question whether to go on to the next */
};

static const uint32_t damaged = 0xFFFD; /* what text_next gives for bytes that are no text */

/* A text on its way to tokens. */
struct cut {
    struct learn_data *data;
    struct bytes raw; /* as it was given */
    const char *text; /* what is left of it */
    size_t length;
    const struct learn_data *known;
    const struct learn_cutting *cutting;
    struct error *error;
};

/* Whether to go on, asked at some of the places of the text. */
static bool goes_on(const struct cut *cut, size_t count, size_t at)
{
    return count % ASK_EACH != 0 || cut->cutting == NULL ||
           cut->cutting->goes_on(cut->cutting->owner, at, cut->length);
}

/* The text without what is no text: bytes that are no letters, and controls. False: no memory, or
 * given up. */
static bool take_sound_text(struct cut *cut)
{
    struct learn_data *const data = cut->data;
    const char *const text = (const char *)cut->raw.at;
    const size_t size = cut->raw.size;
    char *const sound = malloc(size + 1);
    size_t kept = 0, letters = 0;
    cut->length = size;
    bool on = sound != NULL;
    for (size_t at = 0; on && at < size; letters++) {
        const size_t former = at;
        const uint32_t letter = text_next(text, size, &at);
        const bool space = letter == '\n' || letter == '\t';
        on = goes_on(cut, letters, 0);
        if (letter == '\r' || letter == 0xFEFF) {
            continue; /* ends of lines of other systems, the mark of a file's start */
        }
        if (letter == damaged || (!space && text_is_control(letter))) {
            data->left_out++;
            continue;
        }
        memcpy(sound + kept, text + former, at - former);
        kept += at - former;
    }
    cut->text = on ? text_clean(&data->arena, sound, kept, &cut->length) : NULL;
    data->request.text = (struct bytes){(const uint8_t *)cut->text, cut->length};
    free(sound);
    return cut->text != NULL || (sound == NULL || on ? learn_no_memory(cut->error) : false);
}

static size_t count_words(const struct cut *cut, bool letters)
{
    size_t at = 0, start = 0, size = 0, count = 0;
    while (learn_next_word(cut->text, cut->length, letters, &at, &start, &size)) {
        count++;
    }
    return count;
}

static bool make_room(struct cut *cut, bool letters)
{
    struct learn_data *const data = cut->data;
    const size_t room = count_words(cut, letters);
    data->letters = letters;
    data->stream_count = 0;
    data->stream = arena_array(&data->arena, room > 0 ? room : 1, sizeof *data->stream);
    return data->stream != NULL || learn_no_memory(cut->error);
}

/* Tokens of the text as words or letters. *too_many: it has more kinds than `most`. */
static bool cut_into(struct cut *cut, bool letters, size_t most, bool *too_many)
{
    struct learn_data *const data = cut->data;
    size_t at = 0, start = 0, size = 0;
    *too_many = false;
    data->vocabulary = data->slot_count = 0;
    if (!make_room(cut, letters)) {
        return false;
    }
    while (learn_next_word(cut->text, cut->length, letters, &at, &start, &size)) {
        size_t token = 0;
        if (size > LEARN_WORD_BYTES_MAX) {
            return error_set(
                cut->error, ERROR_INPUT,
                "A word of this text has %zu bytes, more than %d: learn its letters instead.", size,
                LEARN_WORD_BYTES_MAX);
        }
        if (!learn_data_add_word(data, cut->text + start, size, &token, cut->error)) {
            return false;
        }
        if (data->vocabulary > most) {
            *too_many = true;
            return true;
        }
        data->stream[data->stream_count++] = (int32_t)token;
        if (!goes_on(cut, data->stream_count, at)) {
            return false;
        }
    }
    return true;
}

static bool cut_anew(struct cut *cut)
{
    struct learn_data *const data = cut->data;
    struct error *const error = cut->error;
    bool too_many = false;
    if (data->request.units == LEARN_UNITS_AUTO) {
        struct error reason = {ERROR_NONE, 0, ""};
        cut->error = &reason;
        const bool cuts = cut_into(cut, false, WORDS_MOST, &too_many);
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

/* ---- into what a run knows ------------------------------------------------------------------ */

/* The first words that the run lacks, as they are read: “fox”, “quick”. */
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

static bool tell_lacking(const struct cut *cut, const struct learn_data *lacks, size_t kinds)
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

/* Every token is one of the run's, whose words these are from now on. */
static bool cut_as_known(struct cut *cut, struct learn_data *lacks)
{
    struct learn_data *const data = cut->data;
    const struct learn_data *const known = cut->known;
    size_t at = 0, start = 0, size = 0, token = 0, kinds = 0, count = 0;
    bool *const seen = arena_array(&data->arena, known->vocabulary, sizeof *seen);
    if (seen == NULL || !make_room(cut, known->letters)) {
        return learn_no_memory(cut->error);
    }
    while (learn_next_word(cut->text, cut->length, known->letters, &at, &start, &size)) {
        token = learn_data_find(known, cut->text + start, size);
        if (token == SIZE_MAX) {
            if (!learn_data_add_word(lacks, cut->text + start, size, &token, cut->error)) {
                return false;
            }
        } else {
            kinds += seen[token] ? 0 : 1;
            seen[token] = true;
            data->stream[data->stream_count++] = (int32_t)token;
        }
        if (!goes_on(cut, ++count, at)) {
            return false;
        }
    }
    if (lacks->vocabulary > 0) {
        return tell_lacking(cut, lacks, kinds);
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
    if (!take_sound_text(cut)) {
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
    bool done = cut_text(&cut);
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
