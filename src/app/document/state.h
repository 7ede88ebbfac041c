/* app/document/state.h — all that one window shows: the document, how it is looked at, what moves,
 * what is asked. No SDL. */
#ifndef APP_DOCUMENT_STATE_H
#define APP_DOCUMENT_STATE_H

#include "app/document/document.h"
#include "app/draw/scene.h"
#include "app/tasks/tasks.h"
#include "base/bytes.h"

struct fonts;

enum { APP_BACK_MAX = 64 };

/* A place one has been: where Backspace returns to. */
struct app_back_entry {
    enum lab_stage stage;
    struct lab_selection selection;
};

enum { APP_GUESSES_MAX = 64 };
enum { APP_FIND_MAX = 12, APP_NAME_MAX = DOCUMENT_NAME_MAX };

/* The things that the app may ask of whoever holds the window, a bit each. */
enum app_asks {
    APP_ASKS_QUIT = 1, /* where nothing is lost by it, else it is asked */
    APP_ASKS_QUIT_ANYWAY = 2,
    APP_ASKS_FULLSCREEN = 4,  /* toggle */
    APP_ASKS_PASTE = 8,       /* feed the clipboard's text in the next record */
    APP_ASKS_MANUAL = 16,     /* show the manual with what the desktop has for it */
    APP_ASKS_FILE = 32,       /* ask for a file with the desktop's own dialog */
    APP_ASKS_FIRST_SCALE = 64 /* Ctrl 0: the scale of the beginning */
};

/* Facts of whoever holds the window, a bit each. */
enum app_hosts {
    APP_HOST_STORES_SETTINGS = 1, /* files that are opened and saved are kept
                                     (app/document/settings_store.h) */
    APP_HOST_CHOOSES_FILES = 2,   /* the desktop has a dialog for files */
    APP_HOST_IS_PICTURE = 4,      /* nobody looks on: what is kept for going back may take less */
    APP_HOST_IS_SLOW = 8,         /* a model shows its first layer alone, however fast it is */
    APP_HOST_IS_HIDDEN = 16       /* nobody can see the window: training rests, and says so */
};

/* Requests of the app to whoever holds the window; done and cleared by them after a frame. */
struct app_request {
    unsigned asks;             /* enum app_asks */
    const char *copy;          /* to the clipboard; owned by the state */
    struct bytes copy_picture; /* to the clipboard; owned by the state; NULL: none */
    const char *copy_type;     /* of what kind it is: "image/png" */
    const char *copy_text;     /* what goes there where no pictures are taken; NULL: nothing */
    float ui_scale_step;       /* Ctrl + / − : +1, −1; 0: none */
};

/* The action of a row of the field for names. */
struct app_find_action {
    enum {
        APP_FIND_COMMAND, /* index: of the commands */
        APP_FIND_STAGE,
        APP_FIND_LESSON,
        APP_FIND_STEP, /* index: of the step of the lesson; command: its name, "": the open one */
        APP_FIND_VARIANT,  /* index: of the kinds of attention */
        APP_FIND_LANGUAGE, /* index: of the languages */
        APP_FIND_QUERY,
        APP_FIND_KEY,
        APP_FIND_HEAD,
        APP_FIND_PLACE, /* index: layer · heads + head, of another layer */
        APP_FIND_ASIDE,
        APP_FIND_VALUE,  /* index: of the parameter; command: its value as it was typed */
        APP_FIND_WORD,   /* index: of the text */
        APP_FIND_TEXT,   /* command: words that become the text */
        APP_FIND_FILE,   /* command: the path */
        APP_FIND_CHOOSE, /* a file, in the desktop's own dialog */
    } kind;
    size_t index;
    const char *command;
    unsigned rank; /* rows of a lower one stand higher (app/actions/find_internal.h) */
};

/* The things that the field for names looks for. */
enum app_finds { APP_FINDS_NAMES, APP_FINDS_FILES, APP_FINDS_WORDS };

/* An action for the time when a step of history is shown. */
struct app_arrival {
    void (*arrive)(struct app_state *state); /* NULL: nothing */
    uint32_t step;                           /* its number */
    size_t shown;                            /* document.shown when it was begun */
};

struct results;        /* app/results/results.h */
struct app_import;     /* app/open/import_dialog.c */
struct app_save;       /* app/open/save.c */
struct app_autosave;   /* app/open/autosave.c */
struct app_export;     /* app/export/export_internal.h */
struct app_learn;      /* app/learn/learn_internal.h */
struct app_open_model; /* app/open/open_model_internal.h */
struct app_why;        /* app/why/why.c */

/* How weights among many words are seen: nearly all may be so small that none is, and then colours
 * reach up to the largest, unless that was chosen before. */
enum app_faintness { WEIGHTS_SHOW, WEIGHTS_ARE_FAINT, WEIGHTS_ARE_FITTED };

struct app_state {
    struct document document;
    struct view_state view;
    const struct ui_theme *theme;
    struct fonts *fonts; /* that the frame draws with, borrowed; NULL before the first */
    struct tasks tasks;
    struct results *results; /* what was computed, by what is wanted */

    enum lab_param_id last_field; /* the last change of the document, to fold a drag */
    struct app_arrival arrival;
    double arrival_time;
    struct lab_selection next_pinned; /* pinned when the words that are computed are there */
    char question[400];               /* what the strip over the panels asks about the document */
    struct app_save *save;            /* app/open/save.c; NULL: the overlay is closed */
    bool begins_with_file;            /* the call named one, and it is not open yet */
    bool closing;                     /* the window closes when the work is saved */
    struct app_autosave *autosave;    /* NULL: nothing is kept aside */
    int ended_by;                     /* the signal that ended the window; 0: the person did */
    struct app_back_entry
        back_stack[APP_BACK_MAX]; /* left behind by walking back to causes, oldest first */
    size_t back_count;
    size_t lessons_behind; /* how many lessons were walked through to the open one */
    /* Takes the next record's paste, which was asked for; NULL: it is text for a field. */
    void (*take_paste)(struct app_state *state, const char *text, double time);
    enum app_faintness faintness;
    float *drag_row;                 /* the weights of a row when one of them began to be dragged;
                                        owned; NULL: none was */
    size_t drag_row_count;           /* so many weights */
    size_t stroke_query, stroke_key; /* the last pair of the stroke that paints the mask */
    uint32_t own_step; /* of history, of the field, drag or stroke that is going on; 0: none yet */
    char message[640]; /* whole sentences: what is said of a model takes several */
    double message_until;
    double hint_begins;      /* the time when the shown hint appeared */
    struct point pressed_at; /* where the pointer was pressed last, in points of the window */
    double
        pressed_time; /* when it was pressed; what is done soon after is confirmed at that place */
    struct arena copied;  /* what request.copy points into */
    unsigned host;        /* enum app_hosts */
    enum app_finds finds; /* what the field for names offers */
    char find_word[128];  /* the word of the text that was looked for last */
    struct app_kept_guess {
        uint64_t question; /* of one step of one lesson */
        char text[64];
        bool answered; /* the class has seen the answer beside it */
    } guesses[APP_GUESSES_MAX];
    size_t guess_count;
    char find_text[4096]; /* typed into the field for names, and what matches it */
    struct arena found;
    struct view_find_row find_rows[APP_FIND_MAX];
    struct app_find_action find_actions[APP_FIND_MAX];
    float width, height, scale;   /* of the window: points, and pixels a point */
    struct app_open_model *model; /* a model that is open (app/open/open_model.h); NULL: none */
    struct app_learn *learn;      /* weights that learn; NULL: none have */
    struct app_why *why;          /* why a model says a word; NULL: nobody has asked */
    struct app_import
        *dialog; /* the panel about arrays (app/open/import_dialog.h); NULL: it is down */
    struct app_export *export; /* NULL until something is saved */
    struct app_request request;
};

/* Returns what is drawn of it; borrows. */
struct app_scene app_state_scene(const struct app_state *state);

/* Submits a task, which owns the subject from now on. False, and a sentence for the person: another
 * one is under way, or there is no memory; the subject is forgotten then. */
bool app_state_submit(struct app_state *state, const struct task_kind *kind, void *subject,
                      double time);

/* Fills the present place (document.look). */
void app_state_look(void *owner, struct document_view_position *position);

/* Fills the view's state from the document (document.follow). */
void app_state_follow(void *owner, const struct lab_trace *former, bool is_elsewhere);

/* Says how the shown experiment differs from that of the step's caption, in the language that is
 * spoken. */
void app_state_say_differences(struct app_state *state);

/* Says that a change of the document was not taken (document.refuse). */
void app_state_refuse(void *owner, double time);

/* Tells the view of the lesson: the step's caption, what it hides, what is to be guessed. */
void app_state_show_step(struct app_state *state);

/* Notes view.guessed for the step, which has it again when it is shown anew. */
void app_state_keep_guess(struct app_state *state);

/* The guesses at a lesson whose answers were shown: the next class makes its own. */
void app_state_forget_answered_guesses(struct app_state *state, const struct lab_lesson *lesson);

/* Forgets the lesson's steps; the experiment stays. */
void app_state_close_lesson(struct app_state *state);

/* Does it when what the document wants is shown: now, or when it has been computed; never where
 * that is given up. */
void app_state_when_shown(struct app_state *state, void (*arrive)(struct app_state *), double time);

/* Returns whether the field, drag or stroke that is going on has its step of history, which is the
 * wanted one: what it does goes into that. */
bool app_state_edit_begun(const struct app_state *state);

/* Lets go of an open field and of the number that was clicked. */
void app_state_leave_number(struct app_state *state);

/* Keeps selection and hover inside what exists. */
void app_state_clamp(struct app_state *state);

/* Returns the present selection: the hovered one laid over the pinned one, inside what this stage
 * has. */
struct lab_selection app_state_selection(const struct app_state *state);

/* Moves what moves by itself to this time: play, glide, the line at the bottom. True while anything
 * still moves. */
bool app_state_advance(struct app_state *state, double time, bool reduce_motion);

void app_state_go(struct app_state *state, enum lab_stage stage, double time);

/* Turns to a view that comes behind the stages, in place of them, or to the stage again. */
void app_state_turn_extra_stage(struct app_state *state, enum view_extra_stage which, double time);

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

/* The same near what was clicked just now, else below the top bar: of saving and copying. */
void app_state_show_toast(struct app_state *state, double time, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
