/* Words that come, go and move: numbers given for them follow, and so does what is selected. */
#include "app/document/token_edit.h"

#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/embed.h"

/* Returns the row that a word had among `words`: a word that stays is the very same text, else it
 * is one that reads alike. Where there are as many words as before, rows stay where they are but
 * for words that were moved. SIZE_MAX: it had none. */
static size_t former_row(const struct lab_words *words, const char *const *word, size_t count,
                         size_t at)
{
    const size_t former = lab_words_count(words);
    const char *const *const old = lab_words_list(words);
    for (size_t i = 0; i < former; i++) {
        if (old[i] == word[at]) {
            return i;
        }
    }
    if (count == former) {
        return at;
    }
    const size_t found = lab_words_find(words, word[at]);
    return found < former ? found : SIZE_MAX;
}

/* Words that stay keep the rows that were given for them; a word without one gets random numbers,
 * which *fresh names (NULL: none did). False: a sentence. */
static bool keep_given_rows(const struct lab_experiment *present, struct lab_experiment *next,
                            const char *const *word, size_t count, bool of_keys, const char **fresh,
                            struct error *error)
{
    const size_t d = lab_numbers_shape(present->embeddings)[1];
    const size_t tokens = lab_words_count(present->tokens);
    const size_t context = lab_words_count(present->context);
    const size_t before = of_keys ? tokens : 0, behind = of_keys ? 0 : context;
    const float *const rows = lab_numbers_values(present->embeddings);
    if (before + count + behind == 0) { /* words that come get random rows of the same length */
        lab_numbers_release(next->embeddings);
        next->embeddings = NULL;
        next->embedding = LAB_EMBEDDING_RANDOM;
        next->d_model = d;
        next->lesson[0] = 0;
        return true;
    }
    const size_t shape[3] = {before + count + behind, d};
    float *room = NULL;
    struct lab_numbers *const kept = lab_numbers_room(2, shape, &room, error);
    if (kept == NULL) {
        return false;
    }
    memcpy(room, rows, before * d * sizeof *room);
    for (size_t w = 0; w < count; w++) {
        float *const row = room + (before + w) * d;
        const size_t former =
            former_row(of_keys ? present->context : present->tokens, word, count, w);
        if (former == SIZE_MAX) {
            lab_embed_random(present->seed, word[w], d, row);
            *fresh = word[w];
        } else {
            memcpy(row, rows + (before + former) * d, d * sizeof *room);
        }
    }
    memcpy(room + (before + count) * d, rows + (tokens + context - behind) * d,
           behind * d * sizeof *room);
    const bool is_same = count + before + behind == tokens + context &&
                         memcmp(room, rows, (tokens + context) * d * sizeof *room) == 0;
    if (!is_same) {
        next->lesson[0] = 0;
    }
    lab_numbers_release(is_same ? kept : next->embeddings);
    next->embeddings = is_same ? next->embeddings : kept;
    return true;
}

/* Where numbers were given for every word, other words cannot keep them: the toy vocabulary takes
 * over. */
static void leave_given_numbers(struct lab_experiment *next, size_t count, bool of_keys)
{
    if (next->learned != NULL) { /* what the weights make of other words is found anew */
        lab_numbers_release(next->embeddings);
        next->embeddings = NULL;
        return;
    }
    const bool given =
        next->q != NULL || next->alpha != NULL || next->embedding == LAB_EMBEDDING_NUMBERS;
    if (!given || count == lab_words_count(of_keys ? next->context : next->tokens)) {
        return;
    }
    lab_numbers_release(next->q);
    lab_numbers_release(next->k);
    lab_numbers_release(next->v);
    lab_numbers_release(next->alpha);
    lab_numbers_release(next->embeddings);
    next->q = next->k = next->v = next->alpha = next->embeddings = NULL;
    next->embedding = LAB_EMBEDDING_TOY;
    next->lesson[0] = 0;
}

/* Returns what was left with the numbers that other words cannot keep; NULL: nothing was. */
static const char *left_with(const struct lab_experiment *former, const struct lab_experiment *next)
{
    return former->q != NULL && next->q == NULL
               ? "The Q, K and V that were given belonged to the former words and are left; the "
                 "words stand where the toy vocabulary has them. Undo brings them back."
           : former->alpha != NULL && next->alpha == NULL
               ? "The weights that were given belonged to the former words and are left; the words "
                 "stand where the toy vocabulary has them. Undo brings them back."
               : NULL;
}

static void pin_next(struct app_state *state)
{
    state->view.pinned = state->next_pinned;
}

/* Says whether the words have rows of their own, that belong to no model. */
static bool has_given_rows(const struct lab_experiment *experiment)
{
    return experiment->embedding == LAB_EMBEDDING_NUMBERS && experiment->embeddings != NULL &&
           experiment->learned == NULL && experiment->layers == 0 && experiment->q == NULL &&
           experiment->alpha == NULL;
}

/* Says whether the words and their numbers are of a layer of a model, which is not open here: else
 * it would have read them. */
static bool is_of_model(const struct lab_experiment *experiment)
{
    return experiment->layers > 0 && experiment->learned == NULL;
}

/* Says whether what other numbers have taken over can be computed. */
static bool fits(const struct lab_experiment *present, const struct lab_experiment *next,
                 struct error *error)
{
    return lab_experiment_check(next, error) ||
           (is_of_model(present) &&
            error_set(error, ERROR_INPUT,
                      "The numbers of this layer belong to its words: open its model to read "
                      "others."));
}

/* The experiment with these words, as one step of history; then what is chosen is `chosen`. False:
 * a sentence, and nothing changed. */
static bool take_words(struct app_state *state, const char *const *word, size_t count, bool of_keys,
                       const char *name, const struct lab_selection *chosen, double time)
{
    const struct lab_experiment *const present = document_present(&state->document);
    struct lab_experiment next;
    lab_experiment_copy(&next, present);
    const bool cut = count > LAB_TOKENS_MAX;
    count = cut ? LAB_TOKENS_MAX : count;
    const char *fresh = NULL;
    struct error error = {0};
    if (count != lab_words_count(of_keys ? next.context : next.tokens)) {
        lab_numbers_release(next.score_bias); /* of pairs of the former words */
        next.score_bias = NULL;
    }
    bool taken = true;
    if (has_given_rows(present)) {
        taken = keep_given_rows(present, &next, word, count, of_keys, &fresh, &error);
    } else {
        leave_given_numbers(&next, count, of_keys);
    }
    const char *const left = left_with(present, &next);
    taken = taken &&
            (of_keys ? lab_experiment_set_context(&next, word, count, &error)
                     : lab_experiment_set_tokens(&next, word, count, &error)) &&
            ((left == NULL && !is_of_model(present)) || fits(present, &next, &error));
    state->last_field = LAB_PARAM_NONE;
    if (taken) {
        state->view.keys_empty = of_keys && count == 0;
        document_change(&state->document, &next, name, time);
        state->view.let_go = false;
        state->next_pinned = *chosen;
        app_state_when_shown(state, pin_next, time);
        app_state_clamp(state);
    } else {
        app_state_show_message(state, time, "%s", error.text);
    }
    if (taken && cut) {
        app_state_show_message(state, time, "Only the first %d words were taken.", LAB_TOKENS_MAX);
    } else if (taken && left != NULL) {
        app_state_show_message(state, time, "%s", tr(left));
    } else if (taken && fresh != NULL) {
        app_state_show_message(
            state, time,
            "No numbers are given for “%.60s”: it has random ones until you type others.", fresh);
    }
    lab_experiment_release(&next);
    return true;
}

static const struct lab_words *words_of(const struct app_state *state, bool of_keys)
{
    const struct lab_experiment *const present = document_present(&state->document);
    return of_keys ? present->context : present->tokens;
}

/* Where the word at `at` stands after `added` words came for `gone` ones at index. */
static size_t place_after_splice(size_t at, size_t index, size_t gone, size_t added)
{
    return at >= index + gone ? at + added - gone : at;
}

/* Returns the selection for the time when all words that are computed are there. */
static struct lab_selection chosen_next(const struct app_state *state)
{
    return state->arrival.arrive == pin_next ? state->next_pinned : state->view.pinned;
}

static bool say_no_memory(struct app_state *state, double time)
{
    app_state_show_message(state, time, "There is not enough memory for these words.");
    return true;
}

/* The words with those of text in place of `gone` words at index. */
static bool splice_tokens(struct app_state *state, const struct view_action *action, size_t gone,
                          double time)
{
    struct arena arena = {0};
    const char *const text = action->token.text;
    const char *const *fresh = NULL;
    size_t index = action->token.at;
    const size_t added = text == NULL ? 0 : text_split(&arena, text, strlen(text), &fresh);
    const struct lab_words *const words = words_of(state, action->token.of_keys);
    const size_t count = lab_words_count(words);
    const char *const *old = lab_words_list(words);
    index = index < count ? index : count;
    gone = gone < count - index ? gone : count - index;
    const char **all = arena_array(&arena, count + added + 1, sizeof *all);
    bool changed = arena.lacking && say_no_memory(state, time);
    if (!arena.lacking && added + gone > 0) {
        size_t at = 0;
        for (size_t i = 0; i < index; i++) {
            all[at++] = old[i];
        }
        for (size_t i = 0; i < added; i++) {
            all[at++] = fresh[i];
        }
        for (size_t i = index + gone; i < count; i++) {
            all[at++] = old[i];
        }
        const char *name = added == 0 ? arena_format(&arena, "remove %s", old[index])
                           : gone > 0 ? arena_format(&arena, "change %s", old[index])
                                      : arena_format(&arena, "add %s", fresh[0]);
        struct lab_selection chosen = chosen_next(state);
        if (!action->token.of_keys) {
            chosen.query = place_after_splice(chosen.query, index, gone, added);
        }
        if (action->token.of_keys || document_present(&state->document)->context == NULL) {
            chosen.key = place_after_splice(chosen.key, index, gone, added);
        }
        changed = take_words(state, (const char *const *)all, at, action->token.of_keys,
                             name != NULL ? name : "words", &chosen, time);
    }
    arena_free(&arena);
    return changed;
}

/* Where the word at `at` stands after the one at `from` went before the one at `before`. */
static size_t place_after_move(size_t at, size_t from, size_t before)
{
    const size_t to = before > from ? before - 1 : before;
    const size_t closed = at > from ? at - 1 : at;
    return at == from ? to : closed >= to ? closed + 1 : closed;
}

static bool move_word(struct app_state *state, const struct view_action *action, double time)
{
    const struct lab_words *const words = words_of(state, action->token.of_keys);
    const size_t count = lab_words_count(words);
    const char *const *old = lab_words_list(words);
    const size_t from = action->token.at, before = action->token.before;
    if (from >= count || before > count || before == from || before == from + 1) {
        return false;
    }
    struct arena arena = {0};
    const char **all = arena_array(&arena, count, sizeof *all);
    size_t at = 0;
    for (size_t i = 0; all != NULL && i <= count; i++) {
        if (i == before) {
            all[at++] = old[from];
        }
        if (i < count && i != from) {
            all[at++] = old[i];
        }
    }
    struct lab_selection chosen = chosen_next(state);
    if (!action->token.of_keys) {
        chosen.query = place_after_move(from, from, before);
    }
    if (action->token.of_keys || document_present(&state->document)->context == NULL) {
        chosen.key = place_after_move(action->token.of_keys ? from : chosen.key, from, before);
    }
    const bool changed = all == NULL
                             ? say_no_memory(state, time)
                             : take_words(state, (const char *const *)all, count,
                                          action->token.of_keys, "move a word", &chosen, time);
    arena_free(&arena);
    return changed;
}

/* At most APP_TOKEN_EDIT_BYTES_MAX bytes of a longer text, up to the end of a letter. */
static size_t whole_letters(const char *text, size_t length)
{
    enum { LONGEST_LETTER = 64 };
    const size_t room = APP_TOKEN_EDIT_BYTES_MAX, seen = room + LONGEST_LETTER;
    size_t size = room;
    while (size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80) {
        size--;
    }
    const size_t last = text_former_letter(text, size, size);
    return text_next_letter(text, length < seen ? length : seen, last) > size ? last : size;
}

const char *app_token_edit_cut(struct app_state *state, const struct view_action *action,
                               struct arena *arena, double time)
{
    const bool has_text = action->kind == VIEW_ACTION_INSERT || action->kind == VIEW_ACTION_REPLACE;
    const size_t length = has_text && action->token.text != NULL ? strlen(action->token.text) : 0;
    if (length <= APP_TOKEN_EDIT_BYTES_MAX) {
        return action->token.text;
    }
    app_state_show_message(state, time, "Only the first %d KB of the text were taken.",
                           APP_TOKEN_EDIT_BYTES_MAX >> 10);
    return arena_text(arena, action->token.text, whole_letters(action->token.text, length));
}

bool app_token_edit_apply(struct app_state *state, const struct view_action *action, double time)
{
    if (action->token.of_keys && !state->view.keys_empty &&
        document_present(&state->document)->context == NULL) {
        return false;
    }
    if (action->kind == VIEW_ACTION_MOVE) {
        return move_word(state, action, time);
    }
    const bool many = action->kind == VIEW_ACTION_REPLACE && action->token.before > 0;
    const size_t gone = action->kind == VIEW_ACTION_INSERT ? 0 : many ? action->token.before : 1;
    return splice_tokens(state, action, gone, time);
}
