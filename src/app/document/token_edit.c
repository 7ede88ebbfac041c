/* Words that come, go and move: numbers given for them follow, and so does what is selected. */
#include "app/document/token_edit.h"

#include <string.h>

#include "base/text.h"
#include "base/translate.h"

/* Where numbers were given for every word, other words cannot keep them: the toy vocabulary takes
 * over. */
static void leave_given_numbers(struct lab_experiment *next, size_t count, bool of_keys)
{
    if (next->learned != NULL) { /* what the weights make of other words is found anew */
        lab_numbers_release(next->embeddings);
        next->embeddings = NULL;
        return;
    }
    if (count != lab_words_count(of_keys ? next->context : next->tokens)) {
        lab_numbers_release(next->score_bias); /* of pairs of the former words */
        next->score_bias = NULL;
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
    const bool had_rows = former->embedding == LAB_EMBEDDING_NUMBERS;
    return former->q != NULL && next->q == NULL
               ? "The Q, K and V that were given belonged to the former words and are left; the "
                 "words stand where the toy vocabulary has them. Undo brings them back."
           : former->alpha != NULL && next->alpha == NULL
               ? "The weights that were given belonged to the former words and are left; the words "
                 "stand where the toy vocabulary has them. Undo brings them back."
           : had_rows && next->embedding != LAB_EMBEDDING_NUMBERS
               ? "The rows that were given belonged to the former words and are left; the words "
                 "stand where the toy vocabulary has them. Undo brings them back."
               : NULL;
}

static void pin_next(struct app_state *state)
{
    state->view.pinned = state->next_pinned;
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
    leave_given_numbers(&next, count, of_keys);
    const char *const left = left_with(present, &next);
    struct error error = {0};
    const bool taken = of_keys ? lab_experiment_set_context(&next, word, count, &error)
                               : lab_experiment_set_tokens(&next, word, count, &error);
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
