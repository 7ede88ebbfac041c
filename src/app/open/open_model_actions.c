/* Applies actions about words, layers and heads of what is open: each becomes a text that is to be
 * read (open_model_ask_for), or another layer that is wanted (app_open_model_want). Nothing is
 * computed here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "base/translate.h"

/* The text that is edited: of two the first, or the second. */
struct edited {
    const uint32_t *ids;
    size_t count;
    bool source, second; /* the first of two, or the second, which begins with its start */
    bool chat;           /* a message in the model's chat template */
};

/* Returns whether words of the first text of two are meant. */
static bool is_of_source(const struct app_open_model *model, const struct view_action *action)
{
    return model_has_target(model->subject.model) &&
           (action->token.of_keys || model->which == MODEL_ENCODER);
}

static enum model_text text_of(const struct edited *edited)
{
    return edited->source ? MODEL_READ : MODEL_WRITTEN;
}

/* As it was read last, which is what the window shows. */
static struct edited text_shown(const struct app_open_model *model, bool source)
{
    const bool pair = model_has_target(model->subject.model);
    return source ? (struct edited){model_run_source_ids(model->subject.run),
                                    model_run_source_count(model->subject.run), .source = true}
                  : (struct edited){model_run_ids(model->subject.run),
                                    model_run_count(model->subject.run), .second = pair,
                                    .chat = model->head_overview.chat != NULL};
}

/* As it will be when what is being read has been read, unless that was given up; what a model is
 * still writing as it was. */
static struct edited text_to_be(const struct app_open_model *model, bool source)
{
    const bool pair = model_has_target(model->subject.model);
    const struct open_model_reading read = open_model_to_be(model);
    return source ? (struct edited){read.source, read.source_count, .source = true}
           : read.ids == NULL || (pair && read.origin == TEXT_WRITTEN)
               ? text_shown(model, false)
               : (struct edited){.ids = read.ids,
                                 .count = read.count,
                                 .second = pair,
                                 .chat = read.origin == TEXT_OF_CHAT &&
                                         model->head_overview.no_chat == NULL};
}

static struct edited edited_by(const struct app_open_model *model, const struct view_action *action)
{
    return text_to_be(model, is_of_source(model, action));
}

static bool read_edited(struct app_state *state, const struct edited *edited, const uint32_t *ids,
                        size_t count, const char *name, double time)
{
    const struct app_open_model *const model = state->model;
    const uint32_t start = (uint32_t)model_config(model->subject.model)->start;
    if (edited->second && (count == 0 || ids[0] != start)) {
        struct arena arena = {0};
        const char *const shown = model_shown(model->subject.model, start, &arena);
        app_state_show_message(state, time,
                               "What the decoder writes begins with “%.40s”: that stays first.",
                               shown == NULL ? "" : shown);
        arena_free(&arena);
        return false;
    }
    return (edited->source ? open_model_read_source : open_model_read)(state, ids, count, name,
                                                                       time);
}

/* How many tokens close the text: what is typed behind all words stands before them. */
static size_t closing_tokens(const struct app_open_model *model, const struct edited *edited,
                             struct arena *arena)
{
    static const char PROBE[] = "a";
    const struct tokenizer *const tokenizer =
        model_tokenizer_of(model->subject.model, text_of(edited));
    const uint32_t *whole = NULL, *bare = NULL;
    size_t all = 0, few = 0, before = 0;
    if (tokenizer == NULL || !tokenizer_encode(tokenizer, PROBE, 1, arena, &whole, &all, NULL) ||
        !tokenizer_encode_bare(tokenizer, PROBE, 1, arena, &bare, &few, NULL) || all <= few) {
        return 0;
    }
    while (before + few < all && memcmp(whole + before, bare, few * sizeof *bare) != 0) {
        before++;
    }
    const size_t behind = all - few - before;
    const bool closed = behind > 0 && edited->count > behind &&
                        memcmp(edited->ids + edited->count - behind, whole + all - behind,
                               behind * sizeof *whole) == 0;
    return closed ? behind : 0;
}

/* Encodes text that is typed as ids. A whole text gets the tokens that open and close it. */
static bool encode_typed(const struct app_open_model *model, enum model_text which,
                         const char *text, bool whole, struct arena *arena, const uint32_t **ids,
                         size_t *count, struct error *error)
{
    const struct tokenizer *const tokenizer = model_tokenizer_of(model->subject.model, which);
    return tokenizer == NULL
               ? open_model_read_ids(model->subject.model, which, text, arena, ids, count, error)
               : (whole ? tokenizer_encode : tokenizer_encode_bare)(tokenizer, text, strlen(text),
                                                                    arena, ids, count, error);
}

/* Which tokens a change is of: `gone` of them from `index` on, or all. */
struct spot {
    size_t index, gone;
    bool whole;  /* of one text: what is typed stands in place of all of it */
    bool opens;  /* nothing that it is set apart from stands before it */
    bool refuse; /* the chat template's own: it stays */
};

/* In a chat words go in where the message or what answers it is. */
static struct spot spot_in_chat(const struct app_open_model *model, const struct edited *edited,
                                struct spot spot)
{
    const struct model_message message =
        model_message_find(model->subject.model, edited->ids, edited->count);
    const size_t end = spot.index + spot.gone;
    const bool in_message = spot.index >= message.first && end <= message.end;
    spot.refuse = spot.gone > 0 && !spot.whole && !in_message && spot.index < message.behind;
    if (spot.gone == 0 && spot.index < message.first) {
        spot.index = message.first;
    } else if (spot.gone == 0 && spot.index > message.end &&
               (spot.index < message.behind || message.behind == edited->count)) {
        spot.index = message.end;
    }
    if (spot.gone == 0 && message.blank && spot.index >= message.first &&
        spot.index <= message.end) { /* its first word */
        spot.index = message.first;
        spot.gone = message.end - message.first;
    }
    spot.opens = spot.whole || (spot.index == message.first && !message.spaced) ||
                 (spot.index == message.behind && message.behind > message.end);
    return spot;
}

/* Where a change of the text goes. */
static struct spot spot_of(const struct app_open_model *model, const struct edited *edited,
                           const struct view_action *action, size_t gone)
{
    const size_t count = edited->count;
    struct spot spot = {.index = action->token.at < count ? action->token.at : count};
    const bool typed = action->token.text != NULL && action->token.text[0] != '\0';
    spot.gone = gone < count - spot.index ? gone : count - spot.index;
    if (typed && edited->second && spot.index == 0) { /* behind its start */
        spot.gone -= spot.gone > 0 ? 1 : 0;
        spot.index = 1;
    }
    spot.whole = !edited->second && spot.index == 0 && spot.gone == count;
    spot.opens = spot.index == 0;
    return edited->chat ? spot_in_chat(model, edited, spot) : spot;
}

/* Says which of the chat template's tokens was meant. */
static bool refuse_template(struct app_state *state, uint32_t id, double time)
{
    struct arena arena = {0};
    const char *const shown = model_shown(state->model->subject.model, id, &arena);
    app_state_show_message(
        state, time, "“%.40s” is the chat template's and stays: the text is no message without it.",
        shown == NULL ? "" : shown);
    arena_free(&arena);
    return false;
}

/* The ids of what stands at the spot from now on. */
static bool encode_at(const struct app_open_model *model, const struct edited *edited,
                      const struct spot *spot, const char *typed, struct arena *arena,
                      const uint32_t **ids, size_t *count, struct error *error)
{
    const bool spaced = !spot->opens && typed[0] != '\0' && typed[0] != ' ';
    const char *const text = arena_format(arena, "%s%s", spaced ? " " : "", typed);
    if (text == NULL) {
        return false;
    }
    return edited->chat && spot->whole
               ? model_message_encode(model->subject.model, text, arena, ids, count, error)
               : text[0] == '\0' || encode_typed(model, text_of(edited), text, spot->whole, arena,
                                                 ids, count, error);
}

/* The ids with `gone` of them at index replaced by those of text, a space before each word but the
 * first of all. */
static bool splice_ids(struct app_state *state, const struct view_action *action, size_t gone,
                       double time)
{
    struct app_open_model *const model = state->model;
    const struct edited edited = edited_by(model, action);
    const uint32_t *const old = edited.ids;
    const size_t count = edited.count;
    const char *const typed = action->token.text == NULL ? "" : action->token.text;
    struct spot spot = spot_of(model, &edited, action, gone);
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    const uint32_t *fresh = NULL;
    size_t added = 0;
    if (spot.refuse) {
        return refuse_template(state, old[spot.index], time);
    }
    bool done = encode_at(model, &edited, &spot, typed, &arena, &fresh, &added, &error);
    if (done && typed[0] != '\0' && spot.gone == 0 && spot.index == count && !edited.chat) {
        spot.index -= closing_tokens(model, &edited, &arena);
    }
    uint32_t *const ids = arena_array(&arena, count + added + 1, sizeof *ids);
    if (!done || ids == NULL) {
        app_state_show_message(state, time, "%s",
                               error.code != ERROR_NONE ? error.text
                                                        : "There is not enough memory.");
    } else if (added + spot.gone > 0) {
        memcpy(ids, old, spot.index * sizeof *ids);
        if (added > 0) {
            memcpy(ids + spot.index, fresh, added * sizeof *ids);
        }
        memcpy(ids + spot.index + added, old + spot.index + spot.gone,
               (count - spot.index - spot.gone) * sizeof *ids);
        const char *const what = typed[0] == '\0' ? "remove" : spot.gone > 0 ? "change" : "add";
        const char *const name =
            arena_format(&arena, "%s %.30s", what,
                         model_shown_of(model->subject.model, text_of(&edited),
                                        added > 0 ? fresh[0] : old[spot.index], &arena));
        done = read_edited(state, &edited, ids, count - spot.gone + added,
                           name == NULL ? what : name, time);
    }
    arena_free(&arena);
    return done;
}

static bool move_word(struct app_state *state, const struct view_action *action, double time)
{
    const struct edited edited = edited_by(state->model, action);
    const uint32_t *const old = edited.ids;
    const size_t count = edited.count, from = action->token.at;
    size_t before = action->token.before;
    if (edited.chat && from < count && before <= count) {
        const struct model_message message =
            model_message_find(state->model->subject.model, old, count);
        if (from < message.first || (from >= message.end && from < message.behind)) {
            return refuse_template(state, old[from], time);
        }
        before = spot_in_chat(state->model, &edited, (struct spot){.index = before}).index;
    }
    uint32_t *const ids = malloc((count + 1) * sizeof *ids);
    if (ids == NULL || from >= count || before > count || before == from || before == from + 1) {
        free(ids);
        return false;
    }
    size_t at = 0;
    for (size_t i = 0; i <= count; i++) {
        if (i == before) {
            ids[at++] = old[from];
        }
        if (i < count && i != from) {
            ids[at++] = old[i];
        }
    }
    const bool done = read_edited(state, &edited, ids, count, "move a word", time);
    free(ids);
    return done;
}

/* Where the place `at` of what is shown is in what is edited: what stands behind it tells it. */
static size_t place_in(const struct edited *edited, const uint32_t *shown, size_t count, size_t at)
{
    size_t same = 0;
    while (same < count && same < edited->count &&
           shown[count - 1 - same] == edited->ids[edited->count - 1 - same]) {
        same++;
    }
    const size_t behind = count - (at < count ? at : count);
    return behind <= same ? edited->count - behind : at;
}

/* The word joins the text, or stands where the masked one was; words that are being read stay. */
static bool add_id(struct app_state *state, uint32_t id, double time)
{
    const struct app_open_model *const model = state->model;
    const struct edited text = text_to_be(model, false);
    const struct open_model_reading *const shown = open_model_shown_reading(state);
    size_t at = text.count, masked = 0;
    if (shown != NULL &&
        open_model_guesses(model->subject.model, shown->ids, shown->count, &masked) &&
        masked != SIZE_MAX) {
        at = place_in(&text, shown->ids, shown->count, open_model_next_place(state, shown));
        at =
            open_model_masked(model->subject.model, text.ids, text.count, at < text.count ? at : 0);
    }
    if (at == SIZE_MAX) {
        return false; /* by now another word stands there */
    }
    struct arena arena = {0};
    uint32_t *const ids = arena_array(&arena, text.count + 1, sizeof *ids);
    bool done = false;
    if (ids != NULL) {
        memcpy(ids, text.ids, text.count * sizeof *ids);
        ids[at] = id;
        const char *const word = model_shown(model->subject.model, id, &arena);
        char name[APP_NAME_MAX];
        snprintf(name, sizeof name, tr("add %.36s"), word == NULL ? "" : word);
        done =
            open_model_read(state, ids, at < text.count ? text.count : text.count + 1, name, time);
    }
    arena_free(&arena);
    return done;
}

/* Another layer is wanted: now, where it is small, and of what a person gave up all the same. */
static void want_layer(struct app_state *state, double time)
{
    struct app_open_model *const model = state->model;
    if (!open_model_is_reading(model) && !open_model_has_layer(model)) {
        results_take_up(state->results, &model->missing.want);
    }
    app_open_model_want(state, time);
}

static bool open_head(struct app_state *state, size_t place, double time)
{
    struct app_open_model *const model = state->model;
    if (place >= model->layers * model->heads) {
        return false;
    }
    model->layer = model->head_overview.layer = place / model->heads;
    model->head = state->view.pinned.head = place % model->heads;
    state->view.let_go = false;
    if (open_model_is_reading(model)) {
        atomic_store(&open_model_pending(model)->first_layer, model->layer);
    }
    want_layer(state, time);
    return true;
}

/* Another attention of a model of two texts, at the same layer and head where it has them. */
static bool choose_attention(struct app_state *state, size_t which, double time)
{
    struct app_open_model *const model = state->model;
    if (model->subject.dump != NULL) {
        return open_model_show_side(state, which, time);
    }
    if (which >= model->head_overview.attentions || which == (size_t)model->which) {
        return false;
    }
    model->which = (enum model_attention)which;
    open_model_look(model);
    model->layer = model->layer < model->layers ? model->layer : model->layers - 1;
    model->head_overview.layer = model->layer;
    state->view.let_go = false;
    want_layer(state, time);
    return true;
}

/* The same text as a message of a chat, or as it is; of a message that was answered, the message.
 */
static bool turn_chat(struct app_state *state, const struct view_action *action, double time)
{
    struct app_open_model *const model = state->model;
    const struct edited edited = edited_by(model, action);
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    const uint32_t *ids = NULL;
    size_t count = 0;
    bool done = model_message_turn(model->subject.model, !edited.chat, edited.ids, edited.count,
                                   &arena, &ids, &count, &error);
    if (!done) {
        app_state_show_message(state, time, "%s", error.text);
    } else {
        struct open_model_reading asked = open_model_to_be(model);
        asked.ids = (uint32_t *)ids;
        asked.count = count;
        asked.origin = edited.chat ? TEXT_TYPED : TEXT_OF_CHAT;
        done = open_model_fits(state, count, time) &&
               open_model_ask_for(state, &asked,
                                  tr(edited.chat ? "read as plain text" : "read as a chat message"),
                                  time);
    }
    arena_free(&arena);
    return done;
}

/* Returns whether the act asks for words, or for heads of what reads them. */
static bool is_of_words(unsigned act)
{
    static const enum view_head_overview_act acts[] = {
        VIEW_HEAD_OVERVIEW_SWITCH, VIEW_HEAD_OVERVIEW_SWITCH_MLP, VIEW_HEAD_OVERVIEW_MASK,
        VIEW_HEAD_OVERVIEW_MEAN,   VIEW_HEAD_OVERVIEW_AT,         VIEW_HEAD_OVERVIEW_SET,
        VIEW_HEAD_OVERVIEW_ALL_ON, VIEW_HEAD_OVERVIEW_TAKE_BACK,  VIEW_HEAD_OVERVIEW_TAKE,
        VIEW_HEAD_OVERVIEW_DRAW,   VIEW_HEAD_OVERVIEW_WRITE,      VIEW_HEAD_OVERVIEW_TEMPERATURE,
        VIEW_HEAD_OVERVIEW_SEED,   VIEW_HEAD_OVERVIEW_CHAT};
    bool is = false;
    for (size_t a = 0; a < sizeof acts / sizeof *acts; a++) {
        is = is || acts[a] == (enum view_head_overview_act)act;
    }
    return is;
}

static bool apply_head_overview(struct app_state *state, const struct view_action *action,
                                double time)
{
    struct app_open_model *const model = state->model;
    struct view_head_overview *const head_overview = &model->head_overview;
    const bool of_words = is_of_words(action->overview.act);
    uint32_t drawn = 0;
    if ((of_words && !model->subject.kind->reads) ||
        ((action->overview.act == VIEW_HEAD_OVERVIEW_SORT ||
          action->overview.act == VIEW_HEAD_OVERVIEW_SINKS) &&
         model->head_overview.thumbnails == NULL)) {
        return false; /* nothing is computed of a file, nothing sorted that is not looked at yet */
    }
    switch ((enum view_head_overview_act)action->overview.act) {
    case VIEW_HEAD_OVERVIEW_OPEN:
        return open_head(state, action->overview.which, time);
    case VIEW_HEAD_OVERVIEW_SORT:
        head_overview->head_measure = action->overview.which < LAB_HEAD_MEASURES
                                          ? (enum lab_head_measure)action->overview.which
                                          : LAB_HEAD_MEASURES;
        head_overview->grouped = action->overview.which == LAB_HEAD_MEASURES + 1;
        results_take_up(state->results, &model->missing.want); /* the order is of all heads */
        open_model_sort(model);
        return true;
    case VIEW_HEAD_OVERVIEW_SINKS:
        head_overview->sinks_aside = !head_overview->sinks_aside;
        open_model_sort(model);
        return true;
    case VIEW_HEAD_OVERVIEW_ATTENTION:
        return choose_attention(state, action->overview.which, time);
    case VIEW_HEAD_OVERVIEW_WRITE:
        return model->head_overview.attentions > 1 && open_model_write(state, time);
    case VIEW_HEAD_OVERVIEW_SWITCH:
    case VIEW_HEAD_OVERVIEW_SWITCH_MLP:
    case VIEW_HEAD_OVERVIEW_MASK:
    case VIEW_HEAD_OVERVIEW_MEAN:
    case VIEW_HEAD_OVERVIEW_AT:
    case VIEW_HEAD_OVERVIEW_SET:
    case VIEW_HEAD_OVERVIEW_TAKE_BACK:
    case VIEW_HEAD_OVERVIEW_ALL_ON:
        return open_model_change(state, action, time);
    case VIEW_HEAD_OVERVIEW_TAKE:
        return action->overview.which < head_overview->next_count &&
               add_id(state, head_overview->next[action->overview.which].id, time);
    case VIEW_HEAD_OVERVIEW_DRAW:
        return open_model_draw_next(state, &drawn, time) && add_id(state, drawn, time);
    case VIEW_HEAD_OVERVIEW_TEMPERATURE:
        head_overview->temperature = fmin(100, fmax(0.01, action->overview.number));
        return true;
    case VIEW_HEAD_OVERVIEW_SEED:
        if (action->overview.number < 0) {
            app_state_show_message(state, time, "A seed is a whole number, 0 or more.");
            return true;
        }
        open_model_begin_draws(model, (uint64_t)action->overview.number);
        return true;
    case VIEW_HEAD_OVERVIEW_CHAT:
        return head_overview->offers_chat && turn_chat(state, action, time);
    case VIEW_HEAD_OVERVIEW_CANCEL:
        break; /* below, for it is the only one that needs no model yet */
    }
    return false;
}

void app_open_model_set_sinks(struct app_state *state, bool aside)
{
    struct app_open_model *const model = state->model;
    if (model != NULL && model->head_overview.thumbnails != NULL) {
        model->head_overview.sinks_aside = aside;
        open_model_sort(model);
    }
}

/* Words that are typed while a text is being read go into that text: none of it is lost. */
static void go_on(struct app_state *state, struct view_action *action, double time)
{
    const struct open_model_work *const work = open_model_pending(state->model);
    const struct edited shown =
        work->aim == OPEN_MODEL_APPEND && !is_of_source(state->model, action)
            ? (struct edited){.ids = work->read.ids, /* all but one */
                              .count = work->read.count - 1}
            : text_shown(state->model, is_of_source(state->model, action));
    uint32_t *const former = malloc((shown.count + 1) * sizeof *former);
    const size_t count = former == NULL ? 0 : shown.count;
    if (count > 0) {
        memcpy(former, shown.ids, count * sizeof *former);
    }
    if (work->aim == OPEN_MODEL_APPEND) { /* one more token: what comes next stands on its row */
        open_model_finish_reading(state, time);
    }
    if (state->model != NULL && former != NULL) {
        const struct edited edited = edited_by(state->model, action);
        const bool all = action->kind == VIEW_ACTION_REPLACE && action->token.at == 0 &&
                         action->token.before >= count;
        action->token.at = all ? 0 : place_in(&edited, former, count, action->token.at);
        if (all) {
            action->token.before = edited.count;
        } else if (action->kind == VIEW_ACTION_MOVE) {
            action->token.before = place_in(&edited, former, count, action->token.before);
        }
    }
    free(former);
}

static bool apply_words(struct app_state *state, const struct view_action *action, double time)
{
    struct view_action meant = *action;
    if (open_model_is_reading(state->model)) {
        go_on(state, &meant, time);
    }
    const size_t many = meant.token.before > 0 ? meant.token.before : 1;
    return state->model == NULL                ? false
           : meant.kind == VIEW_ACTION_MOVE    ? move_word(state, &meant, time)
           : meant.kind == VIEW_ACTION_INSERT  ? splice_ids(state, &meant, 0, time)
           : meant.kind == VIEW_ACTION_REPLACE ? splice_ids(state, &meant, many, time)
                                               : splice_ids(state, &meant, 1, time);
}

bool app_open_model_has_words(const struct app_state *state, const struct view_action *action)
{
    const struct app_open_model *const model = state->model;
    return model != NULL && model->layers > 0 && state->view.head_overview != NULL &&
           model->subject.kind->reads && (!action->token.of_keys || model->which == MODEL_CROSS);
}

bool app_open_model_apply(struct app_state *state, const struct view_action *action, double time)
{
    const struct app_open_model *const model = state->model;
    const enum view_head_overview_act act = action->overview.act;
    if (action->kind != VIEW_ACTION_HEAD_OVERVIEW) {
        return apply_words(state, action, time);
    }
    if (model != NULL && act == VIEW_HEAD_OVERVIEW_CANCEL) {
        return app_open_model_give_up(state, time);
    }
    if (model == NULL || model->layers == 0 || state->view.head_overview == NULL) {
        return false;
    }
    if (open_model_is_reading(model) && open_model_pending(model)->aim == OPEN_MODEL_APPEND &&
        (act == VIEW_HEAD_OVERVIEW_TAKE || act == VIEW_HEAD_OVERVIEW_DRAW)) {
        open_model_finish_reading(state, time); /* what comes next stands on its row */
    }
    return apply_head_overview(state, action, time);
}

bool app_open_model_step(struct app_state *state, int steps, double time)
{
    struct app_open_model *const model = state->model;
    if (model == NULL || model->layers == 0 || state->view.head_overview == NULL) {
        return false;
    }
    const size_t step = steps < 0 ? model->layers - 1 : 1;
    const size_t layer = (model->layer + step) % model->layers;
    return open_head(state, layer * model->heads + state->view.pinned.head, time);
}
