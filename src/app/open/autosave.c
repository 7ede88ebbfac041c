/* Writes work that is in no file aside, by a task, and asks about it at the next start. */
#include "app/open/autosave.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/session.h"
#include "app/open/lesson.h"
#include "app/open/recovery.h"
#include "base/file.h"
#include "base/system/clock.h"
#include "base/system/file.h"
#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/differ.h"
#include "ui/ui.h"
#include "view/parts/head_overview.h"

enum { QUESTION_BYTES = 400, NAME_SHOWN = 60 };

static const double LOOK_SECONDS = 0.05, SURVIVED_SECONDS = 2;

struct app_autosave {
    char folder[RECOVERY_PATH_MAX - 64];
    struct recovery_place own, found;
    size_t kept_step;                  /* the step that the note of `own` says */
    char kept_name[RECOVERY_NAME_MAX]; /* the name that it says */
    char typed[UI_TYPED_MAX];          /* the word that is being typed; "": none */
    struct app_autosave_word word;     /* where it stands; its text is not used */
    size_t letters;                    /* counts how often it changed */
    size_t stored;                     /* changes_of of what is on the disk */
    size_t changes;                    /* changes_by_hand of the same */
    double begun;                      /* when it was written last; below 0: never */
    bool on_disk;
    bool reported;      /* that nothing can be written; once is enough */
    double survived_at; /* when what was restored counts as harmless; 0: it does */
    struct task *task;  /* writes the file; NULL: none is under way */
    struct arena arena; /* of what it writes */
    struct bytes text;
    struct app_lesson_copy *copy; /* that makes the text first; NULL: it is there */
    char path[RECOVERY_PATH_MAX];
    size_t writes, writes_changes; /* of that */
    bool written;
    struct error error;
    char question[QUESTION_BYTES];
};

/* Counts the changes of the document and of the word that is being typed. */
static size_t changes_by_hand(const struct app_state *state)
{
    return state->document.changes + state->autosave->letters;
}

/* Counts the same and the steps of weights that learn. */
static size_t changes_of(const struct app_state *state)
{
    return changes_by_hand(state) + state->document.moves;
}

static bool is_unsaved(const struct app_state *state)
{
    return document_is_unsaved(&state->document) || state->autosave->typed[0] != '\0';
}

/* --- writing --- */

static void write_aside(struct app_job *job, void *subject)
{
    struct app_autosave *const autosave = subject;
    (void)job;
    autosave->written = (autosave->copy == NULL ||
                         app_lesson_text(app_lesson_copy_content(autosave->copy), NULL,
                                         &autosave->arena, &autosave->text, &autosave->error)) &&
                        file_write_private(autosave->path, autosave->text, &autosave->error);
}

static void forget_text(struct app_autosave *autosave)
{
    app_lesson_copy_free(autosave->copy);
    autosave->copy = NULL;
    arena_reset(&autosave->arena);
}

/* The words with that which is being typed, owned by the arena. NULL: it is none, or no memory. */
static const char **with_typed(const struct app_autosave *autosave, const struct lab_words *words,
                               struct arena *arena, size_t *count)
{
    const char *const *typed = NULL;
    const size_t more = text_split(arena, autosave->typed, strlen(autosave->typed), &typed);
    const size_t all = lab_words_count(words), gone = autosave->word.replaced;
    const size_t at = autosave->word.at < all ? autosave->word.at : all;
    const size_t behind = at + gone < all ? at + gone : all;
    const char **const out = arena_array(arena, all + more + 1, sizeof *out);
    if (more == 0 || out == NULL) {
        return NULL;
    }
    memcpy(out, lab_words_list(words), at * sizeof *out);
    memcpy(out + at, typed, more * sizeof *out);
    memcpy(out + at + more, lab_words_list(words) + behind, (all - behind) * sizeof *out);
    *count = at + more + all - behind;
    return out;
}

/* The experiment as it will be when the word that is being typed is one. False: there is none, or
 * it fits nowhere; made is empty then. Words of a model are asked of it, and numbers that were
 * given belong to the words that there are. */
static bool copy_with_typed(const struct app_state *state, struct lab_experiment *made)
{
    const struct app_autosave *const autosave = state->autosave;
    const struct lab_experiment *const present = document_present(&state->document);
    const bool of_keys = autosave->word.of_keys;
    struct arena arena = {0};
    size_t count = 0;
    const bool given = present->q != NULL || present->alpha != NULL ||
                       (present->embeddings != NULL && present->learned == NULL);
    const char **const words =
        autosave->typed[0] == '\0' || state->model != NULL || given
            ? NULL
            : with_typed(autosave, of_keys ? present->context : present->tokens, &arena, &count);
    bool done = words != NULL;
    if (done) {
        lab_experiment_copy(made, present);
        lab_numbers_release(made->score_bias);
        made->score_bias = NULL;
        done = of_keys ? lab_experiment_set_context(made, words, count, NULL)
                       : lab_experiment_set_tokens(made, words, count, NULL);
        if (!done) {
            lab_experiment_release(made);
        }
    }
    arena_free(&arena);
    return done;
}

void app_autosave_note_word(struct app_state *state, const struct app_autosave_word *word)
{
    struct app_autosave *const autosave = state->autosave;
    const char *const text = word->text != NULL ? word->text : "";
    if (autosave != NULL && strcmp(autosave->typed, text) != 0) {
        snprintf(autosave->typed, sizeof autosave->typed, "%s", text);
        autosave->letters++;
    }
    if (autosave != NULL) {
        autosave->word = *word;
    }
}

/* Collects what is to be written: a long text of one's own is left to the task. */
static bool prepare_note(struct app_state *state)
{
    struct app_autosave *const autosave = state->autosave;
    const struct lab_experiment *const present = document_present(&state->document);
    if (app_session_fits(present)) {
        struct app_lesson_content content = app_lesson_content(state);
        struct lab_experiment typed;
        const bool types = copy_with_typed(state, &typed);
        content.scene.pending = types ? &typed : content.scene.pending;
        const bool done =
            app_lesson_text(&content, NULL, &autosave->arena, &autosave->text, &autosave->error);
        if (types) {
            lab_experiment_release(&typed);
        }
        return done;
    }
    if (!app_session_fits_but_text(present)) {
        autosave->reported = autosave->reported || state->model != NULL; /* they lie in its file */
        return error_set(&autosave->error, ERROR_INPUT, "It has too many numbers for that.");
    }
    autosave->copy = app_lesson_copy(state);
    return autosave->copy != NULL ||
           error_set(&autosave->error, ERROR_MEMORY, "There is not enough memory for that.");
}

/* As much of a text as the name has room for, in whole letters. False: it was cut. */
static bool append_text(char name[RECOVERY_NAME_MAX], const char *text)
{
    enum { SIGN = 4 }; /* "…" and its end */
    size_t used = strlen(name), at = 0;
    const size_t length = strlen(text);
    while (at < length) {
        const size_t from = at;
        (void)text_next(text, length, &at);
        if (used + (at - from) + SIGN > RECOVERY_NAME_MAX) {
            memcpy(name + used, "…", SIGN);
            return false;
        }
        memcpy(name + used, text + from, at - from);
        used += at - from;
        name[used] = '\0';
    }
    return true;
}

/* Names the work for whoever is asked about it: the model or the lesson, and the words. */
static void name_work(const struct app_state *state, char name[RECOVERY_NAME_MAX])
{
    struct lab_experiment typed;
    const bool types = copy_with_typed(state, &typed);
    const struct lab_words *const words =
        types ? typed.tokens : document_present(&state->document)->tokens;
    const struct view_head_overview *const model = state->view.head_overview;
    const char *const title = model != NULL                      ? model->title
                              : state->view.lesson_title != NULL ? tr(state->view.lesson_title)
                                                                 : "";
    name[0] = '\0';
    bool whole = append_text(name, title);
    for (size_t i = 0; whole && i < lab_words_count(words); i++) {
        whole = append_text(name, i > 0              ? " "
                                  : title[0] != '\0' ? ": "
                                                     : "") &&
                append_text(name, lab_words_list(words)[i]);
    }
    if (types) {
        lab_experiment_release(&typed);
    }
}

static void note_work(struct app_state *state)
{
    struct app_autosave *const autosave = state->autosave;
    char name[RECOVERY_NAME_MAX];
    name_work(state, name);
    if (state->document.step != autosave->kept_step || strcmp(name, autosave->kept_name) != 0) {
        struct recovery_note note = recovery_note_read(&autosave->own);
        note.step = autosave->kept_step = state->document.step;
        memcpy(note.name, name, sizeof note.name);
        memcpy(autosave->kept_name, name, sizeof name);
        recovery_note_write(&autosave->own, note);
    }
}

static void take_result(struct app_state *state, double time)
{
    struct app_autosave *const autosave = state->autosave;
    autosave->task = NULL;
    forget_text(autosave);
    if (autosave->written) {
        autosave->stored = autosave->writes;
        autosave->changes = autosave->writes_changes;
        autosave->on_disk = true;
        autosave->reported = false;
    } else if (!autosave->reported) {
        autosave->reported = true;
        app_state_show_message(state, time,
                               "Your work could not be kept aside; save it (Ctrl+S). %.140s",
                               autosave->error.text);
    }
}

static void take_written(struct app_state *state, void *subject, double time)
{
    (void)subject;
    take_result(state, time);
}

static const struct task_kind kind = {
    .work = write_aside, .apply = take_written, .concurrency = TASK_WAITS, .completes = true};

/* at_once: waits until it is on the disk. */
static void write_now(struct app_state *state, double time, bool at_once)
{
    struct app_autosave *const autosave = state->autosave;
    recovery_path(autosave->folder, &autosave->own, autosave->path);
    autosave->writes = changes_of(state);
    autosave->writes_changes = changes_by_hand(state);
    autosave->begun = time;
    autosave->error = (struct error){0};
    autosave->written = false;
    note_work(state);
    if (!prepare_note(state)) {
        take_result(state, time);
        return;
    }
    autosave->task = at_once ? NULL : task_submit(&state->tasks, &kind, autosave, time);
    if (autosave->task == NULL) {
        write_aside(NULL, autosave);
        take_result(state, time);
    }
}

static void forget_file(struct app_state *state)
{
    struct app_autosave *const autosave = state->autosave;
    if (autosave->on_disk) {
        recovery_path(autosave->folder, &autosave->own, autosave->path);
        (void)system_remove(autosave->path);
        autosave->on_disk = false;
    }
    autosave->stored = changes_of(state);
    autosave->changes = changes_by_hand(state);
}

/* The restored work has been shown for a while: it does no harm. */
static void note_survival(struct app_autosave *autosave)
{
    autosave->survived_at = 0;
    struct recovery_note note = {.step = autosave->kept_step};
    memcpy(note.name, autosave->kept_name, sizeof note.name);
    recovery_note_write(&autosave->own, note);
}

static double when_due(struct app_state *state, double time)
{
    struct app_autosave *const autosave = state->autosave;
    if (!is_unsaved(state)) {
        forget_file(state);
        return 0;
    }
    if (changes_of(state) == autosave->stored && autosave->on_disk) {
        return 0;
    }
    const bool by_hand = changes_by_hand(state) != autosave->changes || !autosave->on_disk;
    const double gap =
        by_hand && !autosave->reported ? APP_AUTOSAVE_SECONDS : APP_AUTOSAVE_STEPS_SECONDS;
    return autosave->begun < 0 || autosave->begun > time ? time : fmax(time, autosave->begun + gap);
}

double app_autosave_advance(struct app_state *state, double time)
{
    struct app_autosave *const autosave = state->autosave;
    if (autosave == NULL || autosave->own.number == 0) {
        return 0;
    }
    if (autosave->survived_at > 0 && time >= autosave->survived_at) {
        note_survival(autosave);
    }
    if (autosave->task != NULL && !task_is_done(autosave->task)) {
        return time + LOOK_SECONDS;
    }
    if (autosave->task != NULL) {
        task_complete(&state->tasks, autosave->task, state, time);
    }
    const double due = when_due(state, time);
    if (due > 0 && due <= time) {
        write_now(state, time, false);
        return time + LOOK_SECONDS;
    }
    return autosave->survived_at > 0 && (due <= 0 || autosave->survived_at < due)
               ? autosave->survived_at
               : due;
}

/* Numbers that lie in the file of a model are not kept aside and not lost. */
static bool lies_in_a_file(const struct app_state *state)
{
    return state->model != NULL && !app_session_fits_but_text(document_present(&state->document));
}

bool app_autosave_flush(struct app_state *state)
{
    struct app_autosave *const autosave = state->autosave;
    if (autosave == NULL || autosave->own.number == 0) {
        return !document_is_unsaved(&state->document) || lies_in_a_file(state);
    }
    if (autosave->task != NULL) {
        task_complete(&state->tasks, autosave->task, state, 0);
    }
    if (!document_is_unsaved(&state->document)) {
        forget_file(state);
    } else if (changes_of(state) != autosave->stored || !autosave->on_disk) {
        write_now(state, 0, true);
        return autosave->written || lies_in_a_file(state);
    }
    return true;
}

const char *app_autosave_lack(struct app_state *state)
{
    const struct app_autosave *const autosave = state->autosave;
    snprintf(state->question, sizeof state->question,
             tr("Your work is in no file, and could not be kept aside either. %.200s"),
             autosave != NULL ? autosave->error.text : "");
    return state->question;
}

/* --- what a former run left --- */

static void say_when(const char *path, char *text, size_t size)
{
    struct system_facts facts = {0};
    struct tm then = {0}, now = {0};
    const time_t present = time(NULL);
    (void)system_path_facts(path, &facts);
    (void)system_local_time((time_t)facts.seconds, &then);
    (void)system_local_time(present, &now);
    const bool today = then.tm_year == now.tm_year && then.tm_yday == now.tm_yday;
    if (strftime(text, size, today ? "%H:%M" : "%Y-%m-%d %H:%M", &then) == 0) {
        text[0] = '\0';
    }
}

static void ask_about_work(struct app_state *state)
{
    struct app_autosave *const autosave = state->autosave;
    struct view_prompt *const prompt = &state->view.prompt;
    char path[RECOVERY_PATH_MAX], when[32];
    recovery_path(autosave->folder, &autosave->found, path);
    say_when(path, when, sizeof when);
    *prompt = (struct view_prompt){.text = autosave->question, .is_private = true};
    const struct recovery_note note = recovery_note_read(&autosave->found);
    if (note.tries < APP_AUTOSAVE_TRIES_MAX) {
        snprintf(autosave->question, QUESTION_BYTES, tr("Work from %s was kept."), when);
        if (note.name[0] != '\0') {
            snprintf(autosave->question, QUESTION_BYTES, tr("Work from %s was kept. It is of: %s"),
                     when, note.name);
        }
        prompt->act[prompt->count++] = (struct view_prompt_act){
            "Restore", "restore", "Opens it; Undo returns to what is here now"};
    } else {
        snprintf(autosave->question, QUESTION_BYTES,
                 tr("Work from %s was kept, but could not be opened. It is the file %.250s"), when,
                 path);
    }
    prompt->act[prompt->count++] =
        (struct view_prompt_act){"Discard", "discard", "Deletes the kept work for good"};
}

static const char *name_of_file(const struct app_state *state)
{
    const char *const slash = strrchr(state->document.work->path, '/');
    return slash != NULL ? slash + 1 : state->document.work->path;
}

static void ask_about_file(struct app_state *state)
{
    snprintf(state->question, sizeof state->question, tr("%.*s was changed by someone else."),
             NAME_SHOWN, name_of_file(state));
    state->view.prompt = (struct view_prompt){
        .text = state->question,
        .count = 3,
        .act = {{"Overwrite", "overwrite", "Your work replaces what is in the file"},
                {"Save as new", "save as", "Both stay: yours under a new name"},
                {"Reload", "reload", "Opens what is in the file; Undo returns to your work"}}};
}

/* Says what the file would take from what was tried in class. */
static void ask_about_lesson(struct app_state *state)
{
    struct document *const document = &state->document;
    struct arena arena = {0};
    const char *const differs = lab_differ(&arena, document_present(document),
                                           &document->lesson->step[document->step].experiment);
    const bool same = differs == NULL || differs[0] == '\0';
    snprintf(state->question, sizeof state->question,
             tr("%.*s holds a lesson. Its step %zu would become what is here now: %.160s."),
             NAME_SHOWN, name_of_file(state), document->step + 1,
             same ? tr("what is selected, and how it is looked at") : differs);
    arena_free(&arena);
    state->view.prompt = (struct view_prompt){
        .text = state->question,
        .count = 3,
        .act = {{"Save as new", "save as", "Both stay: yours under a new name"},
                {"Overwrite", "overwrite", "The lesson takes what is here now"},
                {"Cancel", "stay", "Nothing is saved"}}};
}

static void ask_about_closing(struct app_state *state)
{
    state->view.prompt = (struct view_prompt){
        .text = app_autosave_lack(state),
        .count = 3,
        .act = {{"Save and close", "save and close", "Saves it to a file, then closes"},
                {"Close anyway", "close anyway", "The work is lost"},
                {"Stay", "stay", "The window stays as it is"}}};
}

void app_autosave_ask(struct app_state *state)
{
    static void (*const asks[])(struct app_state *) = {
        [DOCUMENT_ASKS_CHANGED_FILE] = ask_about_file,
        [DOCUMENT_ASKS_LESSON] = ask_about_lesson,
        [DOCUMENT_ASKS_CLOSE] = ask_about_closing,
    };
    if (state->document.asks != DOCUMENT_ASKS_NOTHING) {
        asks[state->document.asks](state);
    } else if (state->autosave != NULL && state->autosave->found.number != 0) {
        ask_about_work(state);
    } else {
        state->view.prompt = (struct view_prompt){0};
    }
}

void app_autosave_begin(struct app_state *state, double time)
{
    struct app_autosave *const autosave = calloc(1, sizeof *autosave);
    if (autosave == NULL) {
        app_state_show_message(state, time,
                               "There is not enough memory to keep your work aside; save it.");
        return;
    }
    state->autosave = autosave;
    if (!recovery_folder(autosave->folder, sizeof autosave->folder, &autosave->error)) {
        app_state_show_message(state, time, "%s", autosave->error.text);
        return; /* with no place of its own */
    }
    recovery_enter(autosave->folder, &autosave->own, &autosave->found);
    recovery_note_write(&autosave->own, (struct recovery_note){0});
    autosave->stored = changes_of(state);
    autosave->changes = changes_by_hand(state);
    autosave->begun = -1;
    app_autosave_ask(state);
}

void app_autosave_end(struct app_state *state)
{
    if (state->autosave == NULL) {
        return;
    }
    (void)app_autosave_flush(state);
    if (state->autosave->survived_at > 0) {
        note_survival(state->autosave);
    }
    app_autosave_abandon(state);
}

void app_autosave_abandon(struct app_state *state)
{
    struct app_autosave *const autosave = state->autosave;
    if (autosave->task != NULL) {
        task_end(&state->tasks, autosave->task);
    }
    recovery_leave(&autosave->own);
    recovery_leave(&autosave->found);
    app_lesson_copy_free(autosave->copy);
    arena_free(&autosave->arena);
    free(autosave);
    state->autosave = NULL;
    app_autosave_ask(state);
}

/* The place of what was offered becomes this window's own: its file stays until it is written
 * again, saved or discarded. */
static void move_over(struct app_state *state, const struct recovery_note *note)
{
    struct app_autosave *const autosave = state->autosave;
    if (autosave->task != NULL) {
        task_complete(&state->tasks, autosave->task, state, 0);
    }
    forget_file(state); /* of the former place: what was here is one undo away */
    recovery_leave(&autosave->own);
    autosave->own = autosave->found;
    autosave->found = (struct recovery_place){0, -1};
    autosave->kept_step = note->step;
    memcpy(autosave->kept_name, note->name, sizeof note->name);
    autosave->on_disk = true;
    autosave->stored = changes_of(state);
    autosave->changes = changes_by_hand(state);
}

void app_autosave_restore(struct app_state *state, double time)
{
    struct app_autosave *const autosave = state->autosave;
    if (autosave == NULL || autosave->found.number == 0) {
        app_state_show_message(state, time, "There is no kept work.");
        return;
    }
    struct recovery_note note = recovery_note_read(&autosave->found);
    if (note.tries >= APP_AUTOSAVE_TRIES_MAX) {
        return;
    }
    note.tries++;
    recovery_note_write(&autosave->found, note); /* before: who dies of it has tried */
    char path[RECOVERY_PATH_MAX];
    struct error error = {0};
    recovery_path(autosave->folder, &autosave->found, path);
    if (!app_lesson_read(state, path, time, &error)) {
        note.tries = APP_AUTOSAVE_TRIES_MAX;
        recovery_note_write(&autosave->found, note);
        app_state_show_message(state, time, "The kept work cannot be opened: %.200s", error.text);
    } else {
        app_lesson_go(state, note.step, time);
        state->document.work->path[0] = '\0'; /* saving goes to a file of the person's own */
        state->document.restored = true;
        move_over(state, &note);
        autosave->survived_at = time + SURVIVED_SECONDS;
        app_state_show_message(state, time, "The kept work is here again.");
    }
    app_autosave_ask(state);
}

void app_autosave_discard(struct app_state *state, double time)
{
    struct app_autosave *const autosave = state->autosave;
    if (autosave == NULL || autosave->found.number == 0) {
        app_state_show_message(state, time, "There is no kept work.");
        return;
    }
    char path[RECOVERY_PATH_MAX];
    recovery_path(autosave->folder, &autosave->found, path);
    (void)system_remove(path);
    recovery_note_write(&autosave->found, (struct recovery_note){0});
    recovery_leave(&autosave->found);
    app_state_show_message(state, time, "The kept work is gone.");
    app_autosave_ask(state);
}
