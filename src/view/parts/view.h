/* view/parts/view.h — what every picture is given and what it may give back.
 *
 * A picture is a function `void view_NAME(struct view *view, struct rect area)`: it reads the
 * trace, the selection, the moment and the theme, appends drawing commands to view->ui->canvas, and
 * notes actions. It changes nothing: the app decides what becomes of a action. */
#ifndef VIEW_PARTS_VIEW_H
#define VIEW_PARTS_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "canvas/draw/canvas.h"
#include "canvas/types/colour.h"
#include "lab/experiment/params.h"
#include "lab/experiment/stage.h"
#include "lab/explain/cause.h"
#include "lab/explain/display.h"
#include "lab/explain/explain.h"
#include "lab/lesson/lessons.h"
#include "lab/run/measure.h"
#include "lab/run/trace.h"
#include "ui/ui.h"
#include "view/parts/playback.h"
#include "view/parts/view_prefs.h"

/* How an experiment that was kept stands beside the present one. */
enum view_compare { VIEW_COMPARE_NOT, VIEW_COMPARE_SIDE, VIEW_COMPARE_DIFFERENCE };

/* What shines alone, everywhere: one key, or one query. */

/* What stands in the middle of the window: the row of views names them in this order. */
enum view_main {
    VIEW_MAIN_STAGE,
    VIEW_MAIN_FLOW,
    VIEW_MAIN_COMPARE,
    VIEW_MAIN_KINDS,
    VIEW_MAIN_COSTS,
    VIEW_MAIN_DECODE,
    VIEW_MAIN_LEARN,
    VIEW_MAINS
};

/* What comes behind the seven stages, where weights are those of a model. */
enum view_behind {
    VIEW_BEHIND_NOTHING,
    VIEW_BEHIND_BLOCK, /* the layer around its attention */
    VIEW_BEHIND_LOSS   /* logits, shares and −log p of the right word, where weights learn */
};

/* Numbers of a word at the loss. */
enum view_loss_part { VIEW_LOSS_LOSS, VIEW_LOSS_LOGIT, VIEW_LOSS_SHARE };

/* What lies over the panels: one at a time. While it is there, pointer and keys are its own. */
enum view_overlay {
    VIEW_OVERLAY_NONE,
    VIEW_OVERLAY_HELP,   /* the sheet of keys */
    VIEW_OVERLAY_FIND,   /* anything by its name */
    VIEW_OVERLAY_EXPORT, /* saving: export_sheet */
    VIEW_OVERLAY_IMPORT, /* the arrays of a file: import */
    VIEW_OVERLAY_COSTS,  /* what each kind costs */
    VIEW_OVERLAY_KINDS,  /* every kind on these words */
    VIEW_OVERLAY_DECODE, /* word by word, with a cache */
    VIEW_OVERLAY_SAVE,   /* the name and folder of a session: save */
    VIEW_OVERLAY_BATCH,  /* what a step of training learns from: learn */
    VIEW_OVERLAY_WRITE,  /* what weights that learn would write: learn */
    VIEW_OVERLAY_TEXT,   /* a text that weights may go on to learn from: learn */
    VIEW_OVERLAYS
};

/* What stands round a picture in a file; all zero: what it has by itself. */
struct view_figure_frame {
    const char *title, *caption; /* in place of its own; NULL: its own */
    bool no_title, no_caption;
    bool no_bar; /* the colours of weights are not explained */
    bool bare;   /* nothing but what there is to see: no card, no border, no title of a panel */
};

/* What is seen before a class: the panels that the step speaks of, or one of them alone. A small
 * window has room for one: there the stage is first. */
enum view_front {
    VIEW_FRONT_PANELS,
    VIEW_FRONT_SPACE,
    VIEW_FRONT_HEADS,
    VIEW_FRONT_STAGE,
    VIEW_FRONTS
};

enum {
    VIEW_HEAD = 1,
    VIEW_QUERY = 2,
    VIEW_KEY = 4,
    VIEW_CHANNEL = 8,
    VIEW_PROJECTED = 16,
    VIEW_WEIGHT = 32
};

/* One line of the sheet of keys. */
struct view_key_row {
    const char *keys, *title; /* "Ctrl+Z", "Undo the last change"; keys NULL: a group's title */
};

/* One line of what was found by name. */
struct view_find_row {
    const char *title, *hint; /* "Light or dark", "T" */
};

struct view_import; /* view/sheets/import_dialog.h */
struct view_export; /* view/sheets/export.h */
struct view_save;   /* view/sheets/save.h */
/* Long work that is under way beside what is open. */
struct view_work {
    const char *doing; /* "Computing this step" */
    double began;
    float progress; /* 0 … 1; < 0: nobody knows */
};

struct view_head_overview; /* view/parts/head_overview.h */
struct view_learn;         /* view/parts/learn.h */

/* What stands on a page beside the stage of the state. */
struct view_sheet {
    const char *title;    /* of the lesson */
    const char *caption;  /* of the step; NULL: none */
    size_t number, count; /* of the task */
    bool answers;         /* else the boxes are empty */
};

/* A question over the panels, and what can be answered. */
struct view_prompt_act {
    const char *label, *command, *tip; /* command: a name in the table of commands */
};
struct view_prompt {
    const char *text; /* NULL: nothing is asked */
    struct view_prompt_act act[3];
    size_t count;
};

/* What of a line of cells is seen. */
struct view_viewport {
    size_t first, count;
};

/* Which stretch of many weights is looked at closely; rows 0: all of them. */
struct view_zoom {
    float row, column; /* where it begins, in cells */
    size_t rows, columns;
};

/* What app remembers and views read. */
struct view_state {
    struct playback playback;     /* which moment of the computation is shown */
    struct view_prefs prefs;      /* how it is looked at */
    struct lab_selection pinned;  /* chosen by a click or a key */
    struct lab_selection hovered; /* under the pointer; its parts say which indices count */
    unsigned hovered_parts;       /* 0: nothing */
    bool let_go;                  /* Esc: nothing is emphasised until the next choice */
    struct view_figure_frame frame;
    bool settings_open; /* over the stage, where the window is too narrow for them */
    bool armed, edit_open,
        edit_new;         /* edit_cell was clicked; is a field; is one since this frame */
    bool dragging_number; /* a number follows the pointer … */
    bool drag_given_up;   /* … or did until Esc; until the next press */
    struct lab_cell edit_cell;
    uint32_t edit_matrix;          /* id of the matrix that the field stands in */
    size_t step, steps;            /* of the lesson that is open; steps 0: none */
    const char *lesson_title;      /* of that lesson; NULL: none */
    bool unsaved;                  /* the experiment is in no file and no lesson */
    bool lesson_changed;           /* the experiment is no longer the step's own … */
    char lesson_differs[160];      /* … but has this: "5 words · causal" */
    bool lesson_lost;              /* the caption was written for numbers that nobody has here */
    bool ended;                    /* beyond the last step: what may come next is offered … */
    bool ended_new;                /* … and takes the focus, as the keyboard led there */
    const char *next_lesson;       /* title of the lesson below this one; NULL: none */
    const char *caption;           /* of the step; NULL: none */
    unsigned hide;                 /* bits of enum lab_hide: what the step hides */
    enum lab_guess guess;          /* what is to be guessed at this step … */
    bool revealed;                 /* … and whether it has been shown */
    char guessed[64];              /* what the class said; as it is shown */
    char guess_refused[160];       /* why what was said last is no guess; "": it is one */
    enum lab_stage guess_stage;    /* what the step asks for: of this stage, */
    struct lab_selection guess_at; /* … this element */
    enum view_front front;         /* before a class, and in a small window: what is seen */
    unsigned panels;               /* bits of enum lab_panel: what the step speaks of; 0: unsaid */
    enum lab_stage caption_stage;  /* … and at which stage, */
    enum view_behind caption_behind; /* or behind the stages */
    bool blank;                      /* an empty screen (.) */
    bool stroke_shows;               /* the stroke that paints the mask shows; else it hides */
    struct view_zoom zoom;           /* on the weights, where they are many */
    size_t zoom_query, zoom_key;     /* that were pinned when it was moved last */
    size_t scale_step; /* Scale, where the steps do not fit: which one; SIZE_MAX: the last */
    enum view_compare compare; /* only with a kept experiment */
    bool can_undo, can_redo;
    struct view_prompt prompt; /* a question over the panels */
    const char *message;       /* a line at the bottom, or over it where it is long; NULL: none */
    bool message_is_toast;     /* it stands near what was done instead, below … */
    struct point toast_at;     /* … this place */
    const char *isa_note; /* NULL, or what replaces the facts at the right of the status line */
    float settings_scroll, help_scroll;
    enum view_overlay overlay;     /* what lies over the panels */
    bool tokens_begin, keys_begin; /* the row of words, or that of words for keys and values,
                                      was just opened: it takes the focus */
    bool keys_empty;        /* the latter has lost its last word, and stays while one types there */
    bool find_new;          /* the field for names was just opened */
    const char *find_hint;  /* what can be typed there */
    const char *find_typed; /* what stands there when it is opened */
    const struct view_find_row *find_rows; /* what matches */
    size_t find_count, find_at;            /* find_at: the row under the keyboard */
    const char *find_note;                 /* why nothing matches, where more is known; or NULL */
    const char *undo_name, *redo_name;     /* what would be taken back, done again; NULL: nothing */
    const struct view_export
        *export_sheet;                /* what the overlay for saving shows (view/sheets/export.h) */
    const struct view_import *import; /* … the one about arrays (view/sheets/import_dialog.h) */
    const struct view_save *save;     /* … the one for saving a session (view/sheets/save.h) */
    const struct view_sheet *sheet;   /* for printing (view/sheets/worksheet.h); NULL: none */
    const struct view_head_overview
        *head_overview;             /* a model or a file of attention is open; NULL: none */
    const struct view_learn *learn; /* weights that learn are on the stages; NULL: none */
    const struct view_work *work;   /* takes long; NULL: nothing does */
    float head_overview_scroll;     /* of its pictures, where they do not fit */
    float batch_scroll;
    enum view_behind behind;         /* in place of a stage */
    size_t block_step, block_column; /* which number of the block is spelled out */
    bool given_rows;  /* at Project: rows as they are given, not the steps that made them */
    size_t loss_word; /* of the loss: 1 + its id; 0: the right word, else the likeliest … */
    enum view_loss_part loss_part;       /* … and which number of it */
    size_t decode_tokens;                /* decoding: how many words are there; 0: all */
    bool decode_off;                     /* … and without a cache */
    const struct view_key_row *key_rows; /* what stands on it */
    size_t key_count;
};

/* The name of the chips where words of keys and values stand. */
#define VIEW_WORDS_OF_KEYS "keys from"

/* What a view may ask for. What each carries is the member of struct view_action that its line
 * names. */
enum view_action_kind {
    VIEW_ACTION_SELECT,        /* select: pin `parts` of `to` */
    VIEW_ACTION_HOVER,         /* select: preview them */
    VIEW_ACTION_KEEP_QUERY,    /* query: joins those looked at together, or leaves them */
    VIEW_ACTION_CLEAR_QUERIES, /* no queries are looked at together */
    VIEW_ACTION_FILTER,        /* line: the key or query shines alone; again: no longer */
    VIEW_ACTION_ASIDE,         /* key: is set aside, or comes back */
    VIEW_ACTION_STAGE,         /* stage: to go to */
    VIEW_ACTION_MAIN,          /* main: that view */
    VIEW_ACTION_COMMAND,       /* command: name in the table of commands */
    VIEW_ACTION_LESSON,        /* lesson */
    VIEW_ACTION_LESSON_STEP,   /* step */
    VIEW_ACTION_GUESS,         /* text */
    VIEW_ACTION_FIELD,         /* setting: of the experiment becomes a number */
    VIEW_ACTION_INSERT,        /* token: the words of text before `at` */
    VIEW_ACTION_REPLACE,       /* token: `at` becomes the words of text */
    VIEW_ACTION_REMOVE,        /* token: `at` */
    VIEW_ACTION_MOVE,          /* token: `at` to before `before` */
    VIEW_ACTION_CAMERA,        /* camera */
    VIEW_ACTION_SET,           /* member: of the view's state becomes value (view_action_set) */
    VIEW_ACTION_ARM,           /* edit: a number was clicked: the next click opens it */
    VIEW_ACTION_OPEN,          /* edit: the field over the cell of the matrix with that id */
    VIEW_ACTION_GRAB,          /* a number was pressed: what follows is one change */
    VIEW_ACTION_EDIT,          /* edit: the cell becomes number */
    VIEW_ACTION_RESTORE,       /* edit: the cell, or all of its matrix, is what it was */
    VIEW_ACTION_CLOSE,         /* edit: the field; what was typed stays or goes */
    VIEW_ACTION_NO_NUMBER,     /* text: was typed where a number belongs */
    VIEW_ACTION_WALK,          /* walk: back to a cause */
    VIEW_ACTION_PAINT,         /* paint: the query sees the key from now on, or does not */
    VIEW_ACTION_VARIANT,       /* variant: the experiment becomes that kind */
    VIEW_ACTION_KEEP,          /* variant: the same, kept to compare with */
    VIEW_ACTION_COMPARE,       /* compare */
    VIEW_ACTION_FIND,          /* text: what is typed into the field for names */
    VIEW_ACTION_FIND_ROW,      /* found: to that row, or do it */
    VIEW_ACTION_COLOURMAP,     /* text: its name */
    VIEW_ACTION_LANGUAGE,      /* text: its code */
    VIEW_ACTION_THEME,         /* text: its name */
    VIEW_ACTION_AXES,          /* axes: of the 3-D view */
    VIEW_ACTION_SPEED,         /* speed: of play */
    VIEW_ACTION_SEEK,          /* moment: a place among all stages (view/parts/playback.h) */
    VIEW_ACTION_HEAD_OVERVIEW, /* overview: what view/parts/head_overview.h says */
    VIEW_ACTION_LEARN,         /* learn: what view/parts/learn.h says */
    VIEW_ACTION_EXPORT,        /* export: what view/sheets/export.h says */
    VIEW_ACTION_IMPORT,        /* import: what view/sheets/import_dialog.h says */
    VIEW_ACTION_SAVE,          /* save: what view/sheets/save.h says */
    VIEW_ACTIONS
};

enum { VIEW_MEMBER_MAX = 24 }; /* bytes of what VIEW_ACTION_SET sets */

/* Texts live as long as the frame. */
struct view_action {
    enum view_action_kind kind;
    union {
        struct {
            unsigned parts;
            struct lab_selection to;
        } select;
        struct {
            unsigned part; /* VIEW_KEY or VIEW_QUERY */
            size_t place;
        } line;
        size_t query, key, lesson, step;
        enum lab_stage stage;
        enum view_main main;
        const char *command, *text;
        struct {
            enum lab_param_id field; /* the parameter that takes number */
            double number;
        } setting;
        struct {
            bool of_keys;      /* of the words that keys and values come from */
            size_t at, before; /* before: of MOVE; of REPLACE how many words go, 0: one */
            const char *text;
        } token;
        struct view_camera camera;
        struct {
            size_t offset, size;
            unsigned char value[VIEW_MEMBER_MAX];
        } member;
        struct {
            struct lab_cell cell;
            uint32_t matrix; /* id of the one that the field stands in */
            double number;
            bool shares;      /* the rest of its row of weights shares what is left */
            bool whole;       /* all of its matrix */
            bool stays;       /* what was typed; else it goes */
            const char *name; /* of the change; NULL: "type …" */
        } edit;
        struct {
            enum lab_stage stage;
            struct lab_selection to;
        } walk;
        struct {
            size_t query, key;
            bool shows, begins; /* begins: else the stroke goes on straight from the last pair */
        } paint;
        size_t variant; /* of lab/experiment/variant.h */
        enum view_compare compare;
        struct {
            size_t row;
            bool now;
        } found;
        struct {
            bool raw; /* the dimensions `of`; else components */
            size_t of[3];
        } axes;
        double position;
        float speed;
        struct {
            unsigned act; /* enum view_head_overview_act */
            size_t which;
            double number;
        } overview;
        struct {
            unsigned act; /* enum view_learn_act */
            size_t which;
            double number;
        } learn;
        struct {
            unsigned act; /* enum view_export_act */
            size_t which;
            double number;
            const char *text;
        } export;
        struct {
            unsigned act; /* enum view_import_act */
            size_t row, choice;
        } import;
        struct {
            unsigned act; /* enum view_save_act */
            const char *text;
        } save;
    };
};

enum { VIEW_ACTIONS_MAX = 32 };

struct view_axes;             /* view/space/space_axes.h */
struct view_morph;            /* view/parts/morph.h */
struct view_downsample_cache; /* view/parts/downsample.h */
struct view_thumbnail_cache;  /* view/overview/thumbnail.h */
struct view_tiles;            /* view/stage/tiles.h */
struct view_kinds;            /* view/sheets/kinds.h */

struct view {
    struct ui *ui;
    struct arena *arena;                     /* of the frame */
    const struct lab_experiment *experiment; /* what is asked */
    const struct lab_experiment *pending;    /* … as the settings show it, with the change that is
                                                being computed; NULL: experiment */
    const struct lab_trace *trace;    /* what came out; NULL: there are no tokens, or `why` */
    const struct lab_trace *baseline; /* of the experiment kept to compare; NULL: none */
    const char *why;                  /* why there is no trace; NULL: no tokens */
    const struct view_state *state;
    struct lab_selection selection; /* pinned, with what is hovered laid over it; clamped */
    float share_low, share_top;     /* the weights that the map's first and last colour stand for */
    bool still;                     /* a panel alone, for a figure: there is nothing to press */
    bool fills_width;               /* of a figure: heads take all of it */
    float least_text;               /* of a figure: letters are no smaller; 0: any */
    size_t names_every;             /* of a figure: one name of so many is shown; 0, 1: every */
    bool crowded;                   /* of a figure: not all of it has room */
    size_t names_listed;            /* … and how many of them the figure says */
    uint64_t drawn;                 /* bits of enum lab_part: what the stage has drawn so far */
    const char *notice;  /* of a figure: why there is nothing to see; NULL: there is something */
    bool numbers_poor;   /* of a figure: they would stand in all cells, if letters were smaller */
    bool numbers_lack;   /* of a figure: cells have no room for the decimals asked for */
    bool masked_strokes; /* the masked cells of the last matrix have strokes, or are grey */
    bool names_by_turns; /* of a figure: words stand at two distances, as lines are too low */
    size_t points_named, points; /* of a figure: points with a name, of those that have one */
    bool points_listed;          /* … and whether the figure says so */
    bool points_poor; /* of a figure: smaller letters might bring every name to its few points */
    bool share_over;  /* some weights are larger than share_top: the bar says so */
    bool share_under; /* some are smaller than share_low */
    bool message_overflows; /* the status line has no room for it: it stands over the lower edge */
    bool in_panel;          /* a sheet stands in a panel beside others, not over them */
    bool emphasis;          /* false: nothing is selected (let_go and nothing hovered) */
    struct view_morph *morph; /* while a stage comes out of the former; NULL: not */
    struct view_axes *axes;   /* of the 3-D view, kept between frames; NULL: found each time */
    struct view_downsample_cache *downsamples; /* of large matrices, likewise */
    struct view_thumbnail_cache *thumbnails;   /* of all heads at a head_overview, likewise */
    struct view_tiles *tiles;                  /* of the flash picture, likewise */
    struct view_kinds *kinds;                  /* of the sheet of all kinds, likewise; NULL: none */
    size_t head_overview_over;      /* layer · heads + head + 1 under the pointer; 0: none */
    struct rect head_overview_cell; /* … and where its picture is */
    struct view_action action[VIEW_ACTIONS_MAX];
    size_t actions;
};

/* Notes an action; beyond VIEW_ACTIONS_MAX the last is replaced. */
void view_action(struct view *view, const struct view_action *action);

/* Shorthands. */
void view_action_select(struct view *view, unsigned parts, struct lab_selection selection);
void view_action_hover(struct view *view, unsigned parts, struct lab_selection selection);
void view_action_command(struct view *view, const char *name);

/* A member of the view's state becomes value: for what changes only how things are looked at. */
#define view_action_set(view, name, to)                                                            \
    view_action_member((view), offsetof(struct view_state, name),                                  \
                       sizeof(((struct view_state *)NULL)->name),                                  \
                       &(const struct view_state){.name = (to)}.name)
void view_action_member(struct view *view, size_t offset, size_t size, const void *value);

bool view_selection_equal(const struct lab_selection *a, const struct lab_selection *b);

/* A panel: ground, border, and the area inside; its group is open until canvas_ungroup. */
struct rect view_panel(struct view *view, struct rect area, const char *label);

/* --- the pictures, one a file --- */
void view_topbar(struct view *view, struct rect area);  /* logo, lessons, tokens, commands */
void view_prompt(struct view *view, struct rect area);  /* a question over the panels */
void view_caption(struct view *view, struct rect area); /* the lesson's strip */
void view_views(struct view *view, struct rect area);   /* the row of views; what is switched on */
void view_ribbon(struct view *view, struct rect area);  /* stages and stepper */
void view_settings(struct view *view, struct rect area);
void view_stage(struct view *view, struct rect area); /* the operands and the result */
void view_formula(struct view *view, struct rect area);
void view_space(struct view *view, struct rect area); /* the 3-D view */
void view_heads(struct view *view, struct rect area);
void view_head(struct view *view, struct rect area); /* the selected head alone, large */
void view_single_matrix(struct view *view,
                        struct rect area);               /* the matrix that the stage ends with */
struct point view_single_matrix_size(struct view *view); /* the room that it takes by itself */
void view_status(struct view *view, struct rect area);
bool view_work_is_told(const struct view *view);      /* it takes so long that it is announced */
void view_costs(struct view *view, struct rect area); /* what each kind costs, over everything */
bool view_costs_fit(const struct view *view, float high); /* more than a heading, in such a panel */
void view_decode(struct view *view,
                 struct rect area); /* word by word with a cache, over everything */
void view_kinds_sheet(struct view *view,
                      struct rect area);               /* every kind on these words, over all */
void view_help(struct view *view, struct rect area);   /* all keys, over everything */
void view_find(struct view *view, struct rect area);   /* anything by its name, over everything */
void view_export(struct view *view, struct rect area); /* the sheet for saving, over everything */
void view_save(struct view *view, struct rect area);   /* name and folder of a session, likewise */
void view_toast(struct view *view, struct rect area);  /* a message near what was done */
void view_screen(struct view *view, struct rect area); /* all of them at their places */

/* Which of the views is there. */
enum view_main view_main_of(const struct view_state *state);

/* How high the lesson's strip is in this width; 0: there is none. */
float view_caption_height(struct view *view, float width);
float view_prompt_height(const struct view *view, float width);

/* Whether the settings are ahead of the picture: what they say is being computed. */
bool view_is_computing(const struct view *view);

/* What the step's guess hides and nobody has revealed yet. */
enum lab_guess view_guess(const struct view *view);

/* Whether the window has room for one panel at a time: 300 % of an ordinary screen. */
bool view_is_small(const struct view_state *state, float width, float height);

/* Whether the caption is about what stands there, not about another stage. */
bool view_caption_is_here(const struct view_state *state);

/* Narrower windows have no place of their own for the settings. */
#define VIEW_FOLD_BELOW 1200.0f

/* Whether the settings have no place of their own: the person folded them, or the window is narrow.
 */
bool view_settings_are_folded(const struct view *view);

/* One picture alone, by name, for a figure: window stage space heads head formula. */
struct view_picture {
    const char *name;
    void (*draw)(struct view *view, struct rect area);
    bool has_caption;                        /* a caption has its own place in it */
    bool is_scene;                           /* what lies outside it is simply not seen */
    struct point (*size)(struct view *view); /* the room it takes by itself; NULL: any */
};

/* Draws it, and below it the caption that was asked for where it has no place for one. */
void view_figure(struct view *view, const struct view_picture *picture, struct rect area);
const struct view_picture *view_picture_find(const char *name);
const struct view_picture *view_picture_at(size_t index); /* NULL behind the last */

#endif
