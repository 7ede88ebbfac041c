/* Finds which line of its text taught the weights a word: it trains the run of the shown moment
 * again without the likeliest lines, one after the other, as a result that grows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "app/results/wants.h"
#include "attn/attn.h"
#include "base/system/clock.h"
#include "base/translate.h"
#include "learn/blame.h"
#include "learn/symbol_tokens.h"

enum { LINES_SHOWN = 200, LINE_BYTES = 160 };

/* A value of WANT_BLAME. */
struct learn_blamed {
    struct value value;
    struct arena arena;
    struct view_blame shown;
    struct want want;
    int32_t word, asked; /* asked: below 0, the likeliest */
};

/* Between slices. */
struct blaming {
    struct learn_blame *blame;
    struct lab_engine engine; /* of the lines that are left out at once, a thread each */
    size_t *line;             /* [count] those that are left out in turn */
    size_t count, done;
};

/* ---- slices ---------------------------------------------------------------------------------- */

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY,
                     "There is not enough memory to train this again without its lines.");
}

static struct learn_blame_key key_of(const struct slice *slice)
{
    struct learn_blame_key key;
    memcpy(&key, slice->asked.at, sizeof key);
    return key;
}

static bool goes_on(void *owner, uint64_t step)
{
    const struct slice *const slice = owner;
    (void)step;
    return slice->is_stopped == NULL || !atomic_load(slice->is_stopped);
}

static size_t threads_of(const struct blaming *blaming)
{
    const size_t threads = attn_pool_threads(blaming->engine.pool);
    return threads > 0 ? threads : 1;
}

/* Returns how many lines the next slice leaves out: one on each thread. */
static size_t count_at_once(const struct blaming *blaming)
{
    const size_t left = blaming->count - blaming->done, threads = threads_of(blaming);
    return left < threads ? left : threads;
}

/* Training once more, and then again, a run on each thread at once: in all as many times as long as
 * one run takes. */
static float times_of(const struct blaming *blaming, size_t count)
{
    const size_t threads = threads_of(blaming);
    return (float)((count + threads - 1) / threads);
}

/* Tells how much is done while the run itself is trained. It comes before ranking, which chooses
 * the lines: these are as many as are chosen at most. */
static bool trains_on(void *owner, uint64_t step)
{
    const struct slice *const slice = owner;
    const struct blaming *const blaming = slice->state;
    const size_t lines = learn_data_lines(learn_blame_data(blaming->blame));
    const size_t most = key_of(slice).each != 0 ? LINES_SHOWN : LEARN_BLAME_CHOSEN;
    const uint64_t steps = learn_snapshot_of(slice->need[0])->step;
    slice_report(slice, (float)step / (float)(steps > 0 ? steps : 1) /
                            (1 + times_of(blaming, lines < most ? lines : most)));
    return goes_on(owner, step);
}

/* The same while lines are left out; steps: of all that are left out at once. */
static bool repeats_on(void *owner, uint64_t steps)
{
    const struct slice *const slice = owner;
    const struct blaming *const blaming = slice->state;
    const uint64_t run = learn_snapshot_of(slice->need[0])->step * count_at_once(blaming);
    slice_report(slice, (1 + times_of(blaming, blaming->done) + (float)steps / (float)run) /
                            (1 + times_of(blaming, blaming->count)));
    return goes_on(owner, steps);
}

static void drop_blaming(void *state)
{
    struct blaming *const blaming = state;
    learn_blame_free(blaming->blame);
    lab_engine_close(&blaming->engine);
    free(blaming->line);
    free(blaming);
}

/* NULL and a sentence: memory, or the text cannot be cut. */
static struct blaming *create_blaming(struct slice *slice)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    struct blaming *const blaming = calloc(1, sizeof *blaming);
    const bool is_text = moment->recipe->task == LEARN_TASK_TEXT;
    struct learn_data *const cut =
        blaming == NULL || !is_text
            ? NULL
            : learn_data_cut(learn_data_request_of(moment->data)->text, moment->recipe->units, NULL,
                             NULL, &slice->error);
    if (blaming == NULL) {
        (void)no_memory(&slice->error);
        return NULL;
    }
    const bool can_begin =
        (cut != NULL || !is_text) && lab_engine_open(&blaming->engine, NULL, 0, &slice->error);
    blaming->blame = can_begin ? learn_blame_make(moment->recipe, cut, moment->step,
                                                  &blaming->engine, &slice->error)
                               : NULL;
    learn_data_release(cut);
    blaming->line =
        blaming->blame == NULL
            ? NULL
            : calloc(learn_data_lines(learn_blame_data(blaming->blame)) + LEARN_BLAME_CHOSEN,
                     sizeof *blaming->line);
    if (blaming->line == NULL) {
        if (blaming->blame != NULL) {
            (void)no_memory(&slice->error);
        }
        drop_blaming(blaming);
        return NULL;
    }
    return blaming;
}

static bool is_chosen(const struct blaming *blaming, size_t line)
{
    for (size_t l = 0; l < blaming->count; l++) {
        if (blaming->line[l] == line) {
            return true;
        }
    }
    return false;
}

/* Trains the run itself, which must come to the weights that are shown, and ranks the lines. False:
 * with a sentence, or without one where the slice was stopped. */
static bool begin_blaming(struct blaming *blaming, struct slice *slice)
{
    const struct learn_snapshot *const moment = learn_snapshot_of(slice->need[0]);
    const struct learn_progress training = {trains_on, slice}, progress = {goes_on, slice};
    const struct learn_blame_key key = key_of(slice);
    if (learn_blame_weights(blaming->blame) == NULL &&
        !learn_blame_train(blaming->blame, &training, &slice->error)) {
        return false;
    }
    if (memcmp(learn_blame_weights(blaming->blame), moment->weights,
               moment->tensors->floats * sizeof(float)) != 0) {
        return error_set(&slice->error, ERROR_INPUT,
                         "These weights are not those that their recipe gives: none of their lines "
                         "can be left out in turn.");
    }
    if (!learn_blame_ask_tokens(blaming->blame, (const int32_t *)(const void *)slice->reading.at,
                                slice->reading.size / sizeof(int32_t), key.word, &progress,
                                &slice->error)) {
        return false;
    }
    const struct learn_question *const question = learn_blame_question(blaming->blame);
    blaming->count = learn_blame_choose(blaming->blame, blaming->line);
    /* What a verdict rests on comes first. */
    for (size_t l = 0; key.each != 0 && l < question->line_count && blaming->count < LINES_SHOWN;
         l++) {
        if (!is_chosen(blaming, question->lines[l].line)) {
            blaming->line[blaming->count++] = question->lines[l].line;
        }
    }
    return true;
}

/* ---- what is published ----------------------------------------------------------------------- */

static void drop_blamed(struct value *value)
{
    struct learn_blamed *const blamed = (struct learn_blamed *)value;
    arena_free(&blamed->arena);
    free(blamed);
}

static const char *copy_line(const struct learn_data *data, size_t line, struct arena *arena)
{
    size_t length = 0;
    const char *const text = learn_data_line_text(data, line, &length);
    return arena_text(arena, text, length < LINE_BYTES ? length : LINE_BYTES);
}

/* Returns the number of another line that says the same; 0: there is none. */
static size_t find_same(const struct learn_data *data, size_t line)
{
    size_t length = 0, other_length = 0;
    const char *const text = learn_data_line_text(data, line, &length);
    for (size_t l = 0; l < learn_data_lines(data); l++) {
        const char *const other = learn_data_line_text(data, l, &other_length);
        if (l != line && other_length == length && memcmp(other, text, length) == 0) {
            return learn_data_line_number(data, l);
        }
    }
    return 0;
}

static struct view_blame_line shown_line(const struct blaming *blaming,
                                         const struct learn_blame_line *line, struct arena *arena)
{
    const struct learn_data *const data = learn_blame_data(blaming->blame);
    const bool is_chosen_line = is_chosen(blaming, line->line);
    const float most = fabsf(learn_blame_question(blaming->blame)->lines[0].similarity);
    return (struct view_blame_line){
        .number = line->number,
        .text = copy_line(data, line->line, arena),
        .count = line->count,
        .same_as = line->count > 1 ? find_same(data, line->line) : 0,
        .similarity = most > 0 ? line->similarity / most : 0,
        .state = !is_chosen_line  ? VIEW_BLAME_RANKED
                 : line->is_drawn ? VIEW_BLAME_DRAWN
                                  : VIEW_BLAME_REPEATED,
        .without = line->is_repeated ? line->without : NAN,
        .is_cause = line->is_cause,
    };
}

/* Once all are left out, those that change most come first. */
static int compare_changes(const struct view_blame *shown, const struct view_blame_line *a,
                           const struct view_blame_line *b)
{
    const float one = fabsf(a->without - shown->probability);
    const float other = fabsf(b->without - shown->probability);
    return one > other ? -1 : one < other;
}

static void sort_by_change(struct view_blame *shown, struct view_blame_line *line, size_t count)
{
    for (size_t l = 1; l < count; l++) {
        const struct view_blame_line moved = line[l];
        size_t at = l;
        while (at > 0 && compare_changes(shown, &moved, &line[at - 1]) < 0) {
            line[at] = line[at - 1];
            at--;
        }
        line[at] = moved;
    }
}

/* Lists the lines that the run itself goes without. Returns how many. */
static size_t list_left_out(const struct blaming *blaming, struct view_blame_line *line,
                            struct arena *arena)
{
    const struct learn_data *const data = learn_blame_data(blaming->blame);
    const struct record_list *const without = &learn_blame_recipe(blaming->blame)->without;
    size_t count = 0;
    for (size_t l = 0; without->count > 0 && l < learn_data_lines(data); l++) {
        const size_t number = learn_data_line_number(data, l);
        if (record_list_has(without, number)) {
            line[count++] = (struct view_blame_line){.number = number,
                                                     .text = copy_line(data, l, arena),
                                                     .count = 1,
                                                     .state = VIEW_BLAME_LEFT_OUT,
                                                     .without = NAN};
        }
    }
    return count;
}

/* Lists those, then the lines that are left out in turn, then the others, the likeliest first. */
static bool list_lines(const struct blaming *blaming, struct learn_blamed *blamed)
{
    const struct learn_question *const question = learn_blame_question(blaming->blame);
    const size_t all = question->line_count + learn_blame_recipe(blaming->blame)->without.count;
    struct view_blame_line *const line = arena_array(&blamed->arena, all + 1, sizeof *line);
    size_t count = line == NULL ? 0 : list_left_out(blaming, line, &blamed->arena);
    const size_t first = count;
    for (int others = 0; line != NULL && others < 2; others++) {
        for (size_t l = 0; l < question->line_count && count < LINES_SHOWN; l++) {
            if (is_chosen(blaming, question->lines[l].line) == (others == 0)) {
                line[count++] = shown_line(blaming, &question->lines[l], &blamed->arena);
            }
        }
    }
    if (line != NULL && blaming->done == blaming->count) {
        sort_by_change(&blamed->shown, line + first, blaming->count);
    }
    blamed->shown.line = line;
    blamed->shown.lines = count;
    blamed->shown.lines_all = all;
    return line != NULL && !blamed->arena.lacking;
}

/* Says what a class must know of the words that it asks behind; NULL: nothing. */
static const char *find_doubt(const struct learn_blame *blame, struct arena *arena)
{
    const struct learn_question *const question = learn_blame_question(blame);
    const struct learn_data *const data = learn_blame_data(blame);
    const int32_t start = learn_data_line_start(data);
    return start >= 0 && question->tokens[0] != start
               ? arena_format(arena,
                              "Each line was learned behind “%s”: put it in front of these words.",
                              learn_shown_word(learn_data_words(data)[start]))
               : NULL;
}

static bool publish_blame(const struct blaming *blaming, struct slice *slice)
{
    const struct learn_question *const question = learn_blame_question(blaming->blame);
    struct learn_blamed *const made = calloc(1, sizeof *made);
    if (made == NULL) {
        return no_memory(&slice->error);
    }
    struct arena *const arena = &made->arena;
    struct view_blame *const shown = &made->shown;
    value_begin(&made->value, sizeof *made + LINES_SHOWN * LINE_BYTES, drop_blamed);
    made->want = *slice->want;
    made->word = question->word;
    made->asked = key_of(slice).word;
    const char *const word =
        learn_shown_word(learn_data_words(learn_blame_data(blaming->blame))[question->word]);
    shown->word = arena_text(arena, word, strlen(word));
    shown->behind = learn_blame_behind(blaming->blame, arena);
    shown->probability = question->probability;
    shown->sentence = learn_blame_sentence(blaming->blame, arena);
    shown->doubt = find_doubt(blaming->blame, arena);
    shown->done = blaming->done;
    shown->all = blaming->count;
    shown->can_repeat_each =
        blaming->count < question->line_count && question->line_count <= LINES_SHOWN;
    if (!list_lines(blaming, made)) {
        value_release(&made->value);
        return no_memory(&slice->error);
    }
    slice->value = &made->value;
    return true;
}

/* The first slice ranks the lines, each of the others leaves some out. */
static enum slice_end blame_slice(struct slice *slice)
{
    slice->state = slice->state != NULL ? slice->state : create_blaming(slice);
    struct blaming *const blaming = slice->state;
    if (blaming == NULL) {
        return SLICE_FAILED;
    }
    slice->state_bytes = (blaming->done + 2 * LEARN_BLAME_CHOSEN) *
                         learn_snapshot_of(slice->need[0])->tensors->floats * sizeof(float);
    const struct learn_progress progress = {repeats_on, slice};
    const bool begins = blaming->count == 0;
    const size_t at_once = count_at_once(blaming);
    const bool done = begins ? begin_blaming(blaming, slice)
                             : learn_blame_repeat(blaming->blame, &blaming->line[blaming->done],
                                                  at_once, &progress, &slice->error);
    if (!done) {
        return slice->error.code == ERROR_NONE ? SLICE_MORE : SLICE_FAILED;
    }
    blaming->done += begins ? 0 : at_once;
    if (!publish_blame(blaming, slice)) {
        return SLICE_FAILED;
    }
    return blaming->done < blaming->count ? SLICE_MORE : SLICE_DONE;
}

const struct result_kind learn_blame_kind = {
    .list_needs = learn_list_snapshot, .work = blame_slice, .drop_state = drop_blaming};

/* ---- what is shown --------------------------------------------------------------------------- */

/* Says why there is nothing to ask; NULL: there is. */
static const char *refuse(const struct app_state *state, enum view_blame_way *way)
{
    const struct app_learn *const learn = state->learn;
    const struct learn_snapshot *const moment = learn->view->moment;
    const struct learn_recipe *const recipe = moment->recipe;
    const bool is_text = recipe->task == LEARN_TASK_TEXT;
    if (!is_text && learn_data_lines(moment->data) == 0) {
        return tr("It learns from no text of lines: drop one on the window to ask which line "
                  "taught a word.");
    }
    if (is_text && recipe->rows != LEARN_ROWS_LINES) {
        *way = VIEW_BLAME_ROWS;
        return tr("It learns windows from anywhere in the text, in which every line has a share of "
                  "all others: let it learn line by line.");
    }
    if (learn->view->edit_count > 0) {
        *way = VIEW_BLAME_AS_MADE;
        return tr("Something was changed by hand while it learned, such as a head that is switched "
                  "off. What a line taught can be told only without such changes.");
    }
    if (moment->step == 0) {
        return tr("These weights are random, no line has taught them anything yet: train them.");
    }
    return state->view.guess == LAB_GUESS_NEXT && !state->view.revealed
               ? tr("The next word is to be guessed here: reveal it first.")
               : NULL;
}

/* Returns the place of the language that is spoken: sentences are made with the answer. */
static uint32_t find_language(void)
{
    uint32_t place = 0;
    while (language_at(place) != NULL && language_at(place) != language_current()) {
        place++;
    }
    return place;
}

static bool fill_want(struct app_state *state, struct want *want)
{
    struct app_learn *const learn = state->learn;
    struct learn_blame_key key = learn->blaming.asked;
    key.language = find_language();
    if (!learn_key_want(state, WANT_BLAME, want)) {
        return false;
    }
    want->reading = results_number(state->results, learn_activations_tokens(learn->sentence),
                                   (learn->next_at + 1) * sizeof(int32_t));
    want->asked = results_number(state->results, &key, sizeof key);
    return want->reading != 0 && want->asked != 0;
}

/* Returns how many seconds the rest takes, from the pace since it was first seen to go on; below
 * 0: it is not known yet. */
static double find_rest(struct learn_blaming *blaming, const struct want *want, float progress)
{
    static const double FROM_SECONDS = 0.5; /* before that a pace is chance */
    const double now = system_seconds();
    if (progress < 0 || memcmp(&blaming->timed, want, sizeof *want) != 0) {
        blaming->timed = progress < 0 ? (struct want){.kind = 0} : *want;
        blaming->since = now;
        blaming->from = progress;
    }
    const double spent = now - blaming->since, done = (double)(progress - blaming->from);
    return progress < 0 || spent < FROM_SECONDS || !(done > 0)
               ? -1
               : spent / done * (1 - (double)progress);
}

/* Says whether what was wanted before is an answer to the question that is asked now, of fewer
 * lines: all else that the slot had is of another word. */
static bool is_of_question(const struct learn_blamed *blamed, const struct want *want, int32_t word)
{
    struct want same = blamed->want;
    same.asked = want->asked;
    return memcmp(&same, want, sizeof same) == 0 && blamed->asked == word;
}

void learn_tell_blame(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    struct view_blame *const shown = &learn->blaming.shown;
    struct want want;
    *shown = (struct view_blame){.next = SIZE_MAX, .sentence = ""};
    learn->shown.blame = shown;
    shown->refused = refuse(state, &shown->way);
    if (shown->refused != NULL || !fill_want(state, &want)) {
        return;
    }
    const struct finding finding = results_want(state->results, &want, SLOT_BLAME);
    const int32_t asked = learn->blaming.asked.word;
    const struct learn_blamed *blamed = (const struct learn_blamed *)finding.value;
    if (finding.found == FOUND_FAILED) {
        shown->refused = arena_text(&learn->sheets, finding.error.text, strlen(finding.error.text));
        return;
    }
    blamed = blamed != NULL && is_of_question(blamed, &want, asked) ? blamed : NULL;
    if (blamed != NULL) {
        *shown = blamed->shown;
    }
    const int32_t word = blamed != NULL ? blamed->word : asked;
    shown->is_old = finding.found == FOUND_OLD;
    shown->is_given_up = finding.found == FOUND_GIVEN_UP;
    shown->progress = finding.progress;
    shown->seconds_left =
        find_rest(&learn->blaming, &want, shown->is_given_up ? -1 : finding.progress);
    shown->steps = learn->view->moment->step;
    shown->next = word < 0 && learn->shown.next_count > 0 ? 0 : SIZE_MAX;
    for (size_t i = 0; i < learn->shown.next_count; i++) {
        shown->next = (int32_t)learn->next_id[i] == word ? i : shown->next;
    }
}

void learn_begin_blame(struct app_learn *learn)
{
    learn->blaming.asked = (struct learn_blame_key){.word = -1};
    learn->blaming.shown.next = SIZE_MAX;
}

/* ---- what is asked there --------------------------------------------------------------------- */

bool learn_ask_blame(struct app_state *state, size_t next)
{
    struct app_learn *const learn = state->learn;
    if (next >= learn->shown.next_count) {
        return false;
    }
    if (next == learn->blaming.shown.next) { /* the likeliest, which was asked without its name */
        return true;
    }
    learn->blaming.asked.word = (int32_t)learn->next_id[next];
    state->view.batch_scroll = 0;
    return true;
}

bool learn_blame_each(struct app_state *state)
{
    state->learn->blaming.asked.each = 1;
    state->view.batch_scroll = 0;
    return true;
}

bool learn_turn_blame(struct app_state *state)
{
    struct want want;
    if (!fill_want(state, &want)) {
        return false;
    }
    const enum found found = results_want(state->results, &want, SLOT_BLAME).found;
    if (found == FOUND_PART || found == FOUND_OLD || found == FOUND_NOTHING) {
        results_give_up(state->results, &want);
    } else if (found == FOUND_GIVEN_UP) {
        results_take_up(state->results, &want);
    }
    return true;
}
