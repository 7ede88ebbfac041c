/* app/state.h — what the person is doing: the experiment, its trace, the selection, the moment, the
 * history. No SDL. */
#ifndef APP_STATE_H
#define APP_STATE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "lab/experiment/experiment.h"
#include "lab/experiment/stage.h"
#include "lab/explain/explain.h"
#include "lab/run/trace.h"
#include "ui/theme.h"
#include "view/parts/view.h"

enum { APP_BACK_MAX = 64 };

/* A place one has been: where Backspace returns to. */
struct app_location {
    enum lab_stage stage;
    struct lab_selection selection;
};

enum {
    APP_HISTORY_MAX = 1001,
    APP_HISTORY_BYTES_MAX = 256 << 20,
    APP_KEY_ROWS_MAX = 56,
    APP_FIND_MAX = 12,
    APP_NAME_MAX = 48
};

/* What the app asks of whoever holds the window; done and cleared by them after a frame. */
struct app_request {
    bool quit;
    bool fullscreen;           /* toggle */
    bool paste;                /* feed the clipboard's text in the next record */
    const char *copy;          /* to the clipboard; owned by the state */
    struct bytes copy_picture; /* to the clipboard; owned by the state; NULL: none */
    const char *copy_type;     /* of what kind it is: "image/png" */
    const char *copy_text;     /* what goes there where no pictures are taken; NULL: nothing */
    float ui_scale_step;       /* Ctrl + / − : +1, −1; 0: none */
    bool ui_scale_reset;       /* Ctrl 0 */
    bool choose_file;          /* ask for a file with the desktop's own dialog */
    bool open_manual;          /* show the manual with what the desktop has for it */
};

/* What a row of the field for names stands for. */
struct app_find_action {
    enum {
        APP_FIND_COMMAND,
        APP_FIND_DIRECTED, /* index: of a command with a direction */
        APP_FIND_STAGE,
        APP_FIND_LESSON,
        APP_FIND_VARIANT, /* index: of the kinds of attention */
        APP_FIND_QUERY,
        APP_FIND_KEY,
        APP_FIND_HEAD,
        APP_FIND_ASIDE,
        APP_FIND_WORD,   /* index: of the text */
        APP_FIND_FILE,   /* command: the path */
        APP_FIND_CHOOSE, /* a file, in the desktop's own dialog */
    } kind;
    size_t index;
    const char *command;
};

/* What the field for names looks for. */
enum app_finds { APP_FINDS_NAMES, APP_FINDS_FILES, APP_FINDS_WORDS };

struct app_import;     /* app/import_dialog_internal.h */
struct app_autosave;   /* app/autosave.c */
struct app_change;     /* app/change.c */
struct app_errand;     /* app/errand.c */
struct app_export;     /* app/export_parts.h */
struct app_open_model; /* app/open_model_internal.h */
struct app_travel;     /* app/travel.c */

struct app_state {
    struct lab_experiment experiment;
    const struct lab_trace *trace; /* of experiment; NULL when it has none */
    struct error trouble;          /* why it has none; code NONE: no tokens */
    const struct ui_theme *theme;
    struct view_state view;
    const struct lab_trace *baseline; /* of the experiment kept to compare; NULL: none */
    char isa[16];                     /* forced instruction set, or "" */

    struct lab_experiment history[APP_HISTORY_MAX];   /* former experiments, oldest first */
    char history_name[APP_HISTORY_MAX][APP_NAME_MAX]; /* the change that led to each: "add bird" */
    size_t history_count, history_at; /* history_at: how many of them are the past */
    enum view_field last_field;       /* the last change, to fold a drag into one step */
    double last_change;

    struct lab_lesson lesson;  /* that is open, with its steps; steps 0: none */
    struct arena lesson_arena; /* of its texts */
    size_t step;
    char path[4096];               /* the file of the session; "": none yet */
    char rows_path[4096];          /* of the table whose rows the words took last; "": none */
    struct file_mark path_mark;    /* of that file when it was read or written last */
    struct lab_experiment saved;   /* as a file or a lesson has it */
    bool unsaved;                  /* the experiment is in no file and no lesson */
    bool restored;                 /* it was kept aside by a former run */
    bool conflict;                 /* the file of the session was changed by somebody else: asked */
    char question[160];            /* about that */
    size_t changes, edits;         /* counted: experiments that were put; steps of history */
    struct app_autosave *autosave; /* NULL: nothing is kept aside */
    int ended_by;                  /* the signal that ended the window; 0: the person did */
    struct app_location
        back_stack[APP_BACK_MAX]; /* left behind by walking back to causes, oldest first */
    size_t back_count;
    bool awaits_paste;               /* the next record's paste is a matrix, not text for a field */
    bool edit_refused;               /* what is typed into the open field cannot be taken */
    float drag_row[LAB_TOKENS_MAX];  /* the weights of a row when one of them began to be dragged */
    size_t stroke_query, stroke_key; /* the last pair of the stroke that paints the mask */
    bool stroke_begun;               /* it has its step of history */
    bool edit_begun; /* the field or drag that is going on has its step of history */
    const struct lab_trace *edit_former; /* before that step; a reference, or NULL */
    double play_from;                    /* when play started this stage */
    double arrival_from; /* when the stage began to come out of the former one … */
    bool arrives;        /* … and it still does by itself */
    float play_speed;
    double glide_from; /* when the last thing began to move by itself */
    char message[256];
    double message_until;
    struct arena copied;  /* what request.copy points into */
    bool remembers;       /* files that are opened and saved are kept (app/settings_store.h) */
    bool can_choose;      /* the desktop has a dialog for files */
    enum app_finds finds; /* what the field for names offers */
    char find_word[128];  /* the word of the text that was looked for last */
    char find_text[4096]; /* typed into the field for names, and what matches it */
    struct arena found;
    struct view_find_row find_rows[APP_FIND_MAX];
    struct app_find_action find_actions[APP_FIND_MAX];
    struct view_key_row key_rows[APP_KEY_ROWS_MAX];
    float width, height, scale;    /* of the window: points, and pixels a point */
    const struct lab_trace *ready; /* of the experiment that comes next; NULL: it is computed */
    struct app_open_model *model;  /* a model that is open (app/open_model.h); NULL: none */
    struct app_travel *travel;     /* a step of undo that takes long (app/travel.h); NULL: none */
    struct app_change *change;     /* that takes long (app/change.h); NULL: none */
    struct app_errand *errand;     /* long work that ends in something (app/errand.h); NULL: none */
    struct app_import *dialog; /* the panel about arrays (app/import_dialog.h); NULL: it is down */
    struct app_export *export; /* NULL until something is saved */
    struct app_request request;
};

/* Opens on a lesson (by name; NULL: cats). */
bool app_state_open(struct app_state *state, const char *lesson, const char *isa,
                    struct error *error);
void app_state_close(struct app_state *state);

/* The experiment becomes a copy of *experiment; the former goes to the history, under the name of
 * the change ("add bird"; cut when long). Never fails for a reason of numbers: an experiment that
 * cannot be computed keeps its trouble as a sentence. */
void app_state_change(struct app_state *state, const struct lab_experiment *experiment,
                      const char *name, double time);

/* This experiment is in a file or a lesson: the present one, or what it was when writing began. */
void app_state_note_saved(struct app_state *state, const struct lab_experiment *experiment);

/* As app_state_change, replacing the present without a step of history. */
void app_state_put(struct app_state *state, const struct lab_experiment *experiment);

/* Takes the last change back for good: it was given up before it was done. */
void app_state_cancel(struct app_state *state);

/* Goes to a step of the history, at < history_count. trace: of it, where it has been computed
 * already (the caller keeps its reference); NULL: it is computed here. */
void app_state_visit(struct app_state *state, size_t at, const struct lab_trace *trace);

void app_state_undo(struct app_state *state);
void app_state_redo(struct app_state *state);

bool app_state_lesson(struct app_state *state, size_t lesson, double time);

/* Applies one action of a view. True when it changed anything that is drawn. */
bool app_state_apply(struct app_state *state, const struct view_action *action, double time);

/* Keeps selection and hover inside what exists. */
void app_state_clamp(struct app_state *state);

/* What is selected now: what is pinned with what is hovered laid over it, inside what this stage
 * has. */
struct lab_selection app_state_selection(const struct app_state *state);

/* Moves what moves by itself to this time: play, glide, the line at the bottom. True while anything
 * still moves. */
bool app_state_advance(struct app_state *state, double time, bool reduce_motion);

void app_state_go(struct app_state *state, enum lab_stage stage, double time);

/* Goes to a moment of the whole way through the stages (view/parts/playback.h) and stays there. */
void app_state_scrub(struct app_state *state, double place, double time);

/* Starts play at the moment that is shown, or at another speed. */
void app_state_play(struct app_state *state, double time);
void app_state_set_theme(struct app_state *state, const struct ui_theme *theme);

/* One line for the person at the bottom, for some seconds. */
void app_state_show_message(struct app_state *state, double time, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* In presenter mode everything is drawn for a smaller window than this one and made so many times
 * larger; else 1. */
float app_state_zoom(const struct app_state *state, float width, float height);

#endif
