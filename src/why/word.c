/* why/word.c — words that people write, and tokens. */
#include "why/word.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* Encodes `text` without the tokens that a tokenizer adds around a text. */
static bool encode_bare(const struct model *model, const char *text, struct arena *arena,
                        struct tokenizer_output *out, struct error *error)
{
    const struct tokenizer_input input = {.text = {(const uint8_t *)text, strlen(text)},
                                          .bare = true};
    return tokenizer_encode_as(model_tokenizer_of(model, MODEL_WRITTEN), &input, arena, out, error);
}

/* Says whether a word that follows this token begins with a space. */
static bool calls_for_space(const char *shown)
{
    static const char *const open[] = {" ", "\n", "\t", "␣", "↵", "⏎", "(", "\"", "“", "‘"};
    const size_t length = strlen(shown);
    for (size_t o = 0; o < sizeof open / sizeof *open; o++) {
        const size_t letters = strlen(open[o]);
        if (length >= letters && strcmp(shown + length - letters, open[o]) == 0) {
            return false;
        }
    }
    return length > 0;
}

static bool refuse_word(const char *written, struct error *error)
{
    return error_set(error, ERROR_INPUT, "The model has no token for the word “%.60s”.", written);
}

/* Reads "#7". */
static bool read_number(const struct model *model, const char *written, uint32_t *id)
{
    uint64_t number = 0;
    if (written[0] != '#' || !text_to_u64(written + 1, &number) ||
        number >= model_config(model)->vocabulary) {
        return false;
    }
    *id = (uint32_t)number;
    return true;
}

/* The word without the marks that vocabularies put before it. */
static const char *bare_word(const char *shown)
{
    static const char *const marks[] = {"␣", "▁", "##", "Ġ"};
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
        if (strncmp(shown, marks[m], strlen(marks[m])) == 0 && shown[strlen(marks[m])] != '\0') {
            return shown + strlen(marks[m]);
        }
    }
    return shown;
}

/* Says whether a written word begins with the token: the one for unknown words does not. Letters
 * beyond ASCII may be tokens by bytes. */
static bool is_begin_of(const struct model *model, uint32_t id, const char *written,
                        struct arena *arena)
{
    const char *const shown = model_shown_of(model, MODEL_WRITTEN, id, arena);
    const char *const bare = shown == NULL ? "" : bare_word(shown);
    for (const char *at = written; *at != '\0'; at++) {
        if ((unsigned char)*at >= 0x80) {
            return true;
        }
    }
    return strncasecmp(bare, written, strlen(bare)) == 0;
}

static bool find_token(const struct model *model, const char *before, const char *written,
                       struct arena *arena, struct why_word *out, struct error *error)
{
    struct tokenizer_output plain = {.count = 0}, spaced = {.count = 0};
    const char *const with_space = arena_format(arena, " %s", written);
    if (with_space == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
    }
    if (!encode_bare(model, written, arena, &plain, error) ||
        !encode_bare(model, with_space, arena, &spaced, error)) {
        return false;
    }
    const bool wanted = calls_for_space(before);
    const bool fits = spaced.count > 0 && (plain.count == 0 || spaced.count <= plain.count);
    const bool alone = plain.count == 0 || (spaced.count > 0 && spaced.count < plain.count);
    const struct tokenizer_output *const chosen = (wanted ? fits : alone) ? &spaced : &plain;
    out->tokens = chosen->count;
    out->id = chosen->count > 0 ? chosen->ids[0] : 0;
    return (chosen->count > 0 && is_begin_of(model, out->id, written, arena)) ||
           refuse_word(written, error);
}

bool why_word_find(const struct model_run *run, const struct model *model, size_t position,
                   const char *written, struct arena *arena, struct why_word *out,
                   struct error *error)
{
    const bool has_words = model_tokenizer_of(model, MODEL_WRITTEN) != NULL;
    const char *const before =
        model_shown_of(model, MODEL_WRITTEN, model_run_ids(run)[position], arena);
    *out = (struct why_word){.tokens = 1};
    if (written[0] == '\0' || (!has_words && !read_number(model, written, &out->id))) {
        return refuse_word(written, error);
    }
    if (before != NULL && has_words && !find_token(model, before, written, arena, out, error)) {
        return false;
    }
    out->shown = model_shown_of(model, MODEL_WRITTEN, out->id, arena);
    return (before != NULL && out->shown != NULL) ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
}

const char *const *why_words_shown(const struct model_run *run, const struct model *model,
                                   struct arena *arena)
{
    const size_t n = model_run_count(run);
    const char **const words = arena_array(arena, n, sizeof *words);
    for (size_t i = 0; words != NULL && i < n; i++) {
        words[i] = model_shown_of(model, MODEL_WRITTEN, model_run_ids(run)[i], arena);
        if (words[i] == NULL) {
            return NULL;
        }
    }
    return words;
}

bool why_place_find(const char *const *words, size_t count, const char *written, size_t *place,
                    struct error *error)
{
    uint64_t number = 0;
    char list[80] = "";
    size_t found = 0, at = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], written) == 0 || strcmp(bare_word(words[i]), written) == 0) {
            const int wrote = at < sizeof list ? snprintf(list + at, sizeof list - at, "%s%zu",
                                                          found > 0 ? ", " : "", i + 1)
                                               : 0;
            at += wrote > 0 ? (size_t)wrote : 0;
            *place = i;
            found++;
        }
    }
    if (found > 1) {
        return error_set(
            error, ERROR_INPUT,
            "“%.40s” stands in the text %zu times, as words %s: name it by its number.", written,
            found, list);
    }
    if (found == 0 && text_to_u64(written, &number) && number >= 1 && number <= count) {
        *place = (size_t)number - 1;
        return true;
    }
    return found == 1 ||
           error_set(error, ERROR_INPUT,
                     "There is no word “%.40s” in the text: it has %zu, counted from 1.", written,
                     count);
}
