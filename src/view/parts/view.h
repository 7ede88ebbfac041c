/* view/parts/view.h — what every view is given and what it may give back.
 *
 * A view is a function `void view_NAME(struct view *view, struct rect area)`: it reads the trace,
 * the selection, the position of playback and the theme, appends drawing commands to
 * view->ui->canvas, and appends actions. It changes nothing: the app decides what an action does.
 */
#ifndef VIEW_PARTS_VIEW_H
#define VIEW_PARTS_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "canvas/draw/canvas.h"
#include "canvas/types/colour.h"
#include "lab/experiment/params.h"
#include "lab/experiment/stage.h"
#include "lab/explain/cell.h"
#include "lab/explain/display.h"
#include "lab/explain/explain.h"
#include "lab/lesson/lessons.h"
#include "lab/run/block.h"
#include "lab/run/measure.h"
#include "lab/run/trace.h"
#include "ui/ui.h"
#include "view/parts/playback.h"
#include "view/parts/style.h"
#include "view/parts/view_prefs.h"

/* The comparison of the present experiment with the kept one. */
enum view_compare { VIEW_COMPARE_NOT, VIEW_COMPARE_SIDE, VIEW_COMPARE_DIFFERENCE };

/* The view in the middle of the window. The row of views names them in this order. */
enum view_main {
    VIEW_MAIN_STAGE,
    VIEW_MAIN_FLOW,
    VIEW_MAIN_COMPARE,
    VIEW_MAIN_KINDS,
    VIEW_MAIN_COSTS,
    VIEW_MAIN_DECODE,
    VIEW_MAIN_LEARN,
    VIEW_MAIN_WHY,
    VIEW_MAINS
};

/* The stages that follow the seven where the weights are those of a model. */
enum view_extra_stage {
    VIEW_EXTRA_STAGE_NONE,
    VIEW_EXTRA_STAGE_BLOCK, /* the layer around its attention */
    VIEW_EXTRA_STAGE_LOSS   /* logits, shares and −log p of the right word, where weights learn */
};

/* The numbers of a token at the loss. */
enum view_loss_part { VIEW_LOSS_LOSS, VIEW_LOSS_LOGIT, VIEW_LOSS_SHARE };

/* One overlay at a time lies over the panels. While it is open, pointer and keys belong to it. */
enum view_overlay {
    VIEW_OVERLAY_NONE,
    VIEW_OVERLAY_HELP,   /* the list of keys */
    VIEW_OVERLAY_FIND,   /* anything by its name */
    VIEW_OVERLAY_EXPORT, /* saving a file: export_dialog */
    VIEW_OVERLAY_IMPORT, /* the arrays of a file: import */
    VIEW_OVERLAY_COSTS,  /* what each kind costs */
    VIEW_OVERLAY_KINDS,  /* every kind on these tokens */
    VIEW_OVERLAY_DECODE, /* word by word, with a cache */
    VIEW_OVERLAY_SAVE,   /* the name and folder of a session: save */
    VIEW_OVERLAY_BATCH,  /* what a step of training learns from: learn */
    VIEW_OVERLAY_WRITE,  /* text that the trained weights write: learn */
    VIEW_OVERLAY_BLAME,  /* which line taught the trained weights a word: learn */
    VIEW_OVERLAY_TEXT,   /* a text that training may go on with: learn */
    VIEW_OVERLAYS
};

/* Lengths on paper that a figure may be given, in points; all zero: its own. */
struct view_look {
    bool has_gap, has_corner;
    float gap, corner; /* between cells; the radius of their corners */
    float lines;       /* the width of ticks and of the selection's frames; 0: their own */
    float outline;     /* around the cells and the colour bar; 0: none */
};

/* The colours of a matrix: which numbers they stand for. Panels of a figure share one. */
struct view_scale {
    const struct colourmap *map;
    bool is_share, logarithmic;
    float low, top;   /* of shares */
    float peak;       /* of signed numbers: from -peak to peak */
    float largest;    /* that there is, of shares */
    bool over, under; /* some shares are beyond the ends */
    bool hides;       /* a mask hides something */
};

/* The texts and the frame around a figure; all zero: its own title and caption. */
struct view_figure_frame {
    const char *title, *caption; /* in place of its own; NULL: its own */
    bool no_title, no_caption;
    bool no_bar;                   /* without the colour bar of the weights */
    bool borderless;               /* only the content: no card, no border, no title of a panel */
    const char *x_title, *y_title; /* of the columns and the rows of a matrix; NULL: its own; "":
                                      none */
    const char *bar_title;         /* beside the colour bar; NULL or "": none */
    struct view_look look;
    const struct view_scale *scale; /* in place of its own; NULL: its own */
};

/* The panel that the presenter view, or a small window, shows alone. A small window has room for
 * one panel: there NONE is the stage. */
enum view_small_panel {
    VIEW_SMALL_PANEL_NONE, /* the panels that the step names */
    VIEW_SMALL_PANEL_SPACE,
    VIEW_SMALL_PANEL_HEADS, /* of a model: all of them, in a small window */
    VIEW_SMALL_PANEL_STAGE, /* in the presenter view alone */
    VIEW_SMALL_PANEL_NEXT,  /* the rest in a small window alone */
    VIEW_SMALL_PANEL_FORMULA,
    VIEW_SMALL_PANELS
};

enum {
    VIEW_HEAD = 1,
    VIEW_QUERY = 2,
    VIEW_KEY = 4,
    VIEW_CHANNEL = 8,
    VIEW_PROJECTED = 16,
    VIEW_WEIGHT = 32,
    VIEW_FORM = 64 /* a number of another form than the one the stage is about, as of X + O */
};

/* Steps of a block that other views lead to, whatever their places are in that layer. */
enum view_block_led {
    VIEW_BLOCK_X = LAB_BLOCK_STEPS_MAX + 1, /* the stream before the layer */
    VIEW_BLOCK_ADDED,                       /* with attention added */
    VIEW_BLOCK_MLP,                         /* what the MLP gives */
    VIEW_BLOCK_Y                            /* the stream behind the layer */
};

/* One line of the list of keys. */
struct view_key_row {
    const char *keys, *title; /* "Ctrl+Z", "Undo the last change"; keys NULL: a group's title */
};

/* One result of a search by name. */
struct view_find_row {
    const char *title, *hint; /* "Light or dark", "T" */
};

struct view_import; /* view/sheets/import_dialog.h */
struct view_export; /* view/sheets/export.h */
struct view_save;   /* view/sheets/save.h */

/* Long work that runs in the background. */
struct view_work {
    const char *doing; /* "Computing this step" */
    double began;
    float progress; /* from 0 to 1; < 0: unknown */
};

struct view_head_overview; /* view/parts/head_overview.h */
struct view_learn;         /* view/parts/learn.h */
struct view_why;           /* view/parts/why.h */
struct view_circuit;       /* view/parts/circuit.h */
struct view_patch;         /* view/parts/patch.h */

/* How much a head takes from a word: its weight, or that times how long the word's value is, or
 * what W_O makes of that. */
enum view_weighing { VIEW_BY_ALPHA, VIEW_BY_VALUE, VIEW_BY_OUTPUT, VIEW_WEIGHINGS };

enum { VIEW_WHY_TEXT_MAX = 512 }; /* bytes of a text that is compared with */
enum view_why_page { VIEW_WHY_ANSWER, VIEW_WHY_CIRCUITS, VIEW_WHY_TEXTS };

/* The texts of a printed page. Its matrices are those of the state's stage. */
struct view_page {
    const char *title;    /* of the lesson */
    const char *caption;  /* of the step; NULL: none */
    size_t number, count; /* of the task */
    bool answers;         /* the boxes are filled in; else they are empty */
};

/* A question over the panels, with its possible answers. */
struct view_prompt_act {
    const char *label, *command, *tip; /* command: a name in the table of commands */
};
struct view_prompt {
    const char *text; /* NULL: nothing is asked */
    bool is_private;  /* it can wait, and is not for a class */
    struct view_prompt_act act[3];
    size_t count;
};

/* The visible range of a line of cells. */
struct view_viewport {
    size_t first, count;
};

/* The part of a large matrix that is zoomed into; rows 0: all of it. */
struct view_zoom {
    float row, column; /* where it begins, in cells */
    size_t rows, columns;
};

/* The state that the app keeps and the views read. */
struct view_state {
    struct playback playback;     /* the position in the computation */
    struct view_prefs prefs;      /* the display options */
    struct lab_selection pinned;  /* chosen by a click or a key */
    struct lab_selection hovered; /* under the pointer; its parts say which indices count */
    unsigned hovered_parts;       /* 0: nothing */
    bool let_go;                  /* by Esc: nothing is emphasised until the next choice */
    struct view_figure_frame frame;
    bool settings_open;   /* over the stage, where the window is too narrow for a column */
    bool armed;           /* edit_cell was clicked once */
    bool edit_open;       /* a field is open over edit_cell */
    bool edit_new;        /* that field was opened in this frame */
    bool dragging_number; /* a number follows the pointer */
    bool drag_given_up;   /* Esc ended the drag; until the next press */
    struct lab_cell edit_cell;
    uint32_t edit_matrix;       /* id of the matrix that has the field */
    size_t step, steps;         /* of the lesson that is open; steps 0: none */
    const char *lesson_title;   /* of that lesson; NULL: none */
    bool unsaved;               /* the experiment is in no file and no lesson */
    bool lesson_changed;        /* the experiment is no longer the step's own */
    char lesson_differs[160];   /* how it differs: "5 words · causal" */
    bool lesson_lost;           /* the caption's numbers belong to weights that are missing here */
    bool ended;                 /* beyond the last step: the next lesson is offered */
    bool ended_new;             /* that offer takes the focus: the keyboard led there */
    const char *next_lesson;    /* title of the lesson below this one; NULL: none */
    const char *caption;        /* of the step; NULL: none */
    unsigned hide;              /* what the step hides: bits of enum lab_hide */
    enum lab_guess guess;       /* what is to be guessed at this step */
    bool revealed;              /* the answer has been shown */
    char guessed[64];           /* the guess as it is shown */
    char guess_refused[160];    /* why the last input is no guess; "": it is one */
    enum lab_stage guess_stage; /* the stage of the number that the step asks for */
    struct lab_selection guess_at; /* the element of that stage */
    enum view_small_panel small_panel;
    unsigned panels; /* that the step names: bits of enum lab_panel; 0: none is named */
    enum lab_stage caption_stage;              /* the stage that the caption is about */
    enum view_extra_stage caption_extra_stage; /* or the extra stage */
    bool caption_why;                          /* or why a word is said */
    bool blank;                                /* an empty screen, by the key "." */
    bool stroke_shows;           /* painting the mask shows pairs; else it hides them */
    struct view_zoom zoom;       /* into the weights, where they are many */
    size_t zoom_query, zoom_key; /* the pinned ones when it was moved last */
    size_t scale_step;           /* which step Scale shows where not all fit; SIZE_MAX: the last */
    enum view_compare compare;   /* only with a kept experiment */
    bool can_undo, can_redo;
    struct view_prompt prompt; /* a question over the panels */
    const char *message;       /* at the bottom, or over it where it is long; NULL: none */
    unsigned hints_left;       /* not shown so far, a bit each (view/parts/hints.h) */
    size_t hint;               /* 1 + the one that is shown; 0: none */
    bool message_is_toast;     /* it is shown below toast_at, where the change was made */
    struct point toast_at;
    const char
        *isa_note; /* replaces the facts at the right of the status line; NULL: nothing does */
    float settings_scroll, help_scroll;
    enum view_overlay overlay;     /* the one that is open */
    bool tokens_begin, keys_begin; /* the row of tokens, or that of tokens for keys and values, was
                                      just opened: it takes the focus */
    bool keys_empty;               /* the latter has lost its last token, and stays during typing */
    bool find_new;                 /* the search field was just opened */
    const char *find_hint;         /* what can be typed into it */
    const char *find_typed;        /* its text when it is opened */
    const struct view_find_row *find_rows; /* the matches */
    size_t find_count, find_at;            /* find_at: the row with the focus */
    const char *find_note;                 /* why nothing matches; NULL: unknown */
    const char *change_name; /* of the last change, which can be compared; NULL: there is none */
    const char *undo_name, *redo_name;       /* of the next undo and redo; NULL: there is none */
    const struct view_export *export_dialog; /* of VIEW_OVERLAY_EXPORT (view/sheets/export.h) */
    const struct view_import *import; /* of VIEW_OVERLAY_IMPORT (view/sheets/import_dialog.h) */
    const struct view_save *save;     /* of VIEW_OVERLAY_SAVE (view/sheets/save.h) */
    const struct view_page *page;     /* to be printed (view/sheets/worksheet.h); NULL: none */
    const struct view_head_overview
        *head_overview;             /* a model or a file of attention is open; NULL: none */
    const struct view_learn *learn; /* a training run is on the stages; NULL: none */
    const struct view_work *work;   /* in the background; NULL: none */
    float head_overview_scroll;     /* of its tiles, where they do not fit */
    float batch_scroll;
    enum view_extra_stage extra_stage; /* shown in place of a stage */
    /* The number of the block that is explained: 1 + its step, or an enum view_block_led; 0: that
     * of the stage. */
    size_t block_step, block_column;
    bool given_rows;  /* Project shows rows as they are given, not the steps that made them */
    size_t loss_word; /* at the loss: 1 + its id; 0: the right token, else the likeliest */
    enum view_loss_part loss_part;      /* which number of that token */
    size_t decode_tokens;               /* how many tokens Decode has so far; 0: all */
    bool decode_off;                    /* Decode works without a cache */
    const struct view_why *why;         /* while it is shown (view/parts/why.h); else NULL */
    const struct view_circuit *circuit; /* while it is shown (view/parts/circuit.h); else NULL */
    const struct view_patch *patch;     /* while it is shown (view/parts/patch.h); else NULL */
    bool why_shown;                     /* the view of why the model says a word */
    bool why_returns;                   /* Backspace leads back there */
    enum view_weighing weighing;        /* how words are weighed, in all heads and in Why */
    bool why_given_up;                  /* Cancel: the rest is not computed */
    uint32_t why_word, why_rival;       /* 1 + id; 0: the likeliest, VIEW_WHY_NO_RIVAL: none */
    char why_named[2][48]; /* a word 0 and a rival 0 by their names, as a step has them; "": none */
    size_t why_part;       /* 1 + its index; 0: the head without which most is lost */
    bool why_by_lost;      /* parts are sorted by what is lost without them */
    float why_scroll;      /* of the parts, points */
    size_t why_typed;      /* 1 + layer, head and word of the α that is typed; 0: none */
    size_t why_cell;       /* 1 + its index in the lens; 0: none is selected */
    enum view_why_page why_page;         /* what stands below the question */
    size_t why_circuit;                  /* of 1 + layer · heads + head; 0: of all heads */
    char why_changed[VIEW_WHY_TEXT_MAX]; /* the text that is compared with; "": none */
    unsigned why_patched;                /* enum view_patched: what is put there in turn */
    size_t why_patch_cell;               /* 1 + its index; 0: the one that restores most */
    const struct view_key_row *key_rows; /* of VIEW_OVERLAY_HELP */
    size_t key_count;
};

/* The name of the chips with the tokens of keys and values. */
#define VIEW_WORDS_OF_KEYS "keys from"

/* The actions that a view may ask for. Each line names the member of struct view_action that it
 * uses. */
enum view_action_kind {
    VIEW_ACTION_SELECT,        /* select: pin `parts` of `to` */
    VIEW_ACTION_HOVER,         /* select: preview them */
    VIEW_ACTION_KEEP_QUERY,    /* query: joins the pinned queries, or leaves them */
    VIEW_ACTION_CLEAR_QUERIES, /* no queries are pinned together */
    VIEW_ACTION_FILTER,        /* line: only this key or query is emphasised; again: no longer */
    VIEW_ACTION_ASIDE,         /* key: is set aside, or comes back */
    VIEW_ACTION_STAGE,         /* stage: to go to */
    VIEW_ACTION_MAIN,          /* main: that view */
    VIEW_ACTION_COMMAND,       /* command: name in the table of commands */
    VIEW_ACTION_LESSON,        /* lesson */
    VIEW_ACTION_LESSON_STEP,   /* step */
    VIEW_ACTION_GUESS,         /* text */
    VIEW_ACTION_GUESS_TYPED,   /* text, while it is being typed */
    VIEW_ACTION_FIELD,         /* setting: a parameter of the experiment becomes number */
    VIEW_ACTION_INSERT,        /* token: the tokens of text go before `at` */
    VIEW_ACTION_REPLACE,       /* token: `at` becomes the tokens of text */
    VIEW_ACTION_REMOVE,        /* token: `at` */
    VIEW_ACTION_MOVE,          /* token: `at` to before `before` */
    VIEW_ACTION_CAMERA,        /* camera */
    VIEW_ACTION_SET,           /* member: of the view's state becomes value (view_action_set) */
    VIEW_ACTION_ARM,           /* edit: a number was clicked: the next click opens it */
    VIEW_ACTION_OPEN,          /* edit: the field over the cell of the matrix with that id */
    VIEW_ACTION_GRAB,          /* a number was pressed: the drag that follows is one change */
    VIEW_ACTION_EDIT,          /* edit: the cell becomes number */
    VIEW_ACTION_RESTORE,       /* edit: the cell, or all of its matrix, is as computed again */
    VIEW_ACTION_CLOSE,         /* edit: the field closes; its text is applied or discarded */
    VIEW_ACTION_NO_NUMBER,     /* text: it was typed but is no number */
    VIEW_ACTION_WALK,          /* walk: to a cause of the selected number */
    VIEW_ACTION_PAINT,         /* paint: whether the query sees the key from now on */
    VIEW_ACTION_VARIANT,       /* variant: the experiment becomes that kind */
    VIEW_ACTION_KEEP,          /* variant: that kind is kept to compare with */
    VIEW_ACTION_COMPARE,       /* compare */
    VIEW_ACTION_CHANGED,       /* text: that Why compares with; "": none */
    VIEW_ACTION_FIND,          /* text: as typed into the search field */
    VIEW_ACTION_FIND_ROW,      /* found: moves to that row, or executes it */
    VIEW_ACTION_COLOURMAP,     /* text: its name */
    VIEW_ACTION_LANGUAGE,      /* text: its code */
    VIEW_ACTION_THEME,         /* text: its name */
    VIEW_ACTION_AXES,          /* axes: of the 3-D view */
    VIEW_ACTION_SPEED,         /* speed: of playback */
    VIEW_ACTION_SEEK,          /* position: among all stages (view/parts/playback.h) */
    VIEW_ACTION_HEAD_OVERVIEW, /* overview: see view/parts/head_overview.h */
    VIEW_ACTION_LEARN,         /* learn: see view/parts/learn.h */
    VIEW_ACTION_EXPORT,        /* export: see view/sheets/export.h */
    VIEW_ACTION_IMPORT,        /* import: see view/sheets/import_dialog.h */
    VIEW_ACTION_SAVE,          /* save: see view/sheets/save.h */
    VIEW_ACTIONS
};

enum { VIEW_MEMBER_MAX = 24 }; /* bytes of the largest member that VIEW_ACTION_SET sets */

/* Its texts live as long as the frame. */
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
            bool of_keys; /* the tokens are those of keys and values */
            size_t at,
                before; /* before: the target of MOVE; how many tokens REPLACE removes, 0: one */
            const char *text;
        } token;
        struct view_camera camera;
        struct {
            size_t offset, size;
            unsigned char value[VIEW_MEMBER_MAX];
        } member;
        struct {
            struct lab_cell cell;
            uint32_t matrix; /* id of the one that has the field */
            double number;
            bool shares;      /* the other weights of its row share the remainder */
            bool whole;       /* the whole matrix */
            bool stays;       /* the text is applied; else it is discarded */
            const char *name; /* of the change, for undo; NULL: "type" with the number */
        } edit;
        struct {
            enum lab_stage stage;
            struct lab_selection to;
        } walk;
        struct {
            size_t query, key;
            bool shows, begins; /* begins: a new stroke; else it goes on from the last pair */
        } paint;
        size_t variant; /* of lab/experiment/variant.h */
        enum view_compare compare;
        struct {
            size_t row;
            bool now;
        } found;
        struct {
            bool raw; /* the dimensions `of`; else principal components */
            size_t of[3];
        } axes;
        double position;
        float speed;
        struct {
            unsigned act; /* enum view_head_overview_act */
            size_t which, query, key;
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

/* The things that a figure had no room for, a bit each. */
enum view_lack {
    VIEW_LACKS_ROOM = 1,     /* something that smaller letters would leave room for */
    VIEW_LACKS_NUMBERS = 2,  /* smaller letters might bring every number to a matrix of few cells */
    VIEW_LACKS_DECIMALS = 4, /* those that were asked for have no room in the cells */
    VIEW_LACKS_ONE_LINE = 8, /* names stand at two distances by turns, with lines to their cells */
    VIEW_LACKS_POINTS = 16,  /* smaller letters might bring every name to its few points */
    VIEW_LACKS_RESULT = 32 /* they might bring numbers to a result of few cells, not to operands */
};

struct view_axes;             /* view/space/space_axes.h */
struct view_morph;            /* view/parts/morph.h */
struct view_downsample_cache; /* view/parts/downsample.h */
struct view_thumbnail_cache;  /* view/overview/thumbnail.h */
struct view_tiles;            /* view/stage/tiles.h */
struct view_kinds;            /* view/sheets/kinds.h */

struct view {
    struct ui *ui;
    struct arena *arena;                     /* of the frame */
    const struct lab_experiment *experiment; /* that was computed */
    const struct lab_experiment *pending;    /* with the changes that are being computed, as the
                                                settings show it; NULL: experiment */
    const struct lab_trace *trace;           /* its results; NULL: there are no tokens, or `why` */
    const struct lab_trace *baseline; /* of the experiment that is compared with; NULL: none */
    bool compares_change;             /* which is what was before the last change */
    const char *why;                  /* why there is no trace; NULL: no tokens */
    const struct view_state *state;
    struct lab_selection selection; /* the pinned one, overlaid with the hovered one; clamped */
    bool is_signed;                 /* its matrix holds no shares but any numbers: lab_has_shares */
    float share_low, share_top;     /* the weights at the ends of the colour map */
    const struct colourmap *share_map; /* this map: of weights, or of signed numbers */
    bool is_logarithmic;               /* it follows the logarithm of a weight */
    struct view_style style;           /* of the window, the presenter view or a figure */
    bool fills_width;                  /* of a figure: heads fill its width */
    float min_font_size;               /* of a figure; 0: any */
    struct rect cells;                 /* of the matrix that stands alone; w 0: there is none */
    size_t cell_rows, cell_columns;    /* of that matrix */
    float zoom;                        /* points on paper or screen that a length of 1 becomes */
    size_t names_every;                /* of a figure: one name of so many is shown; 0, 1: each */
    unsigned lacks;                    /* of a figure: enum view_lack */
    size_t names_listed;               /* what the figure says about names_every */
    uint64_t drawn;              /* parts that the stage has drawn so far: bits of enum lab_part */
    const char *notice;          /* of a figure: why it is empty; NULL: it is not */
    bool masked_strokes;         /* masked cells of the last matrix are hatched; else grey */
    size_t points_named, points; /* of a figure: named points, of those that have a name */
    bool points_listed;          /* the figure says how many are named */
    bool share_over;             /* some weights exceed share_top: the bar says so */
    bool share_under;            /* some are below share_low */
    bool message_overflows;      /* the status line lacks room: it stands over the lower edge */
    bool in_panel;               /* an overlay is drawn as a panel beside others */
    bool emphasis;               /* false: nothing is selected (let_go and nothing hovered) */
    struct view_morph *morph;    /* during the transition between stages; else NULL */
    struct view_axes *axes; /* of the 3-D view, kept between frames; NULL: computed each time */
    struct view_downsample_cache *downsamples; /* of large matrices, kept likewise */
    struct view_thumbnail_cache *thumbnails;   /* of all heads, kept likewise */
    struct view_tiles *tiles;                  /* of tiled attention, kept likewise */
    struct view_kinds *kinds;       /* of the overlay of all kinds, kept likewise; NULL: none */
    size_t head_overview_over;      /* layer · heads + head + 1 under the pointer; 0: none */
    struct rect head_overview_cell; /* the area of its tile */
    size_t hint;                    /* 1 + the first hint that would help now; 0: none would */
    struct rect hint_place;         /* what that is about */
    struct view_action action[VIEW_ACTIONS_MAX];
    size_t actions;
};

static inline void view_note_lack(struct view *view, enum view_lack what, bool lacks)
{
    view->lacks |= lacks ? (unsigned)what : 0;
}

/* Appends an action; beyond VIEW_ACTIONS_MAX it replaces the last. */
void view_action(struct view *view, const struct view_action *action);

/* Appends an action of one kind. */
void view_action_select(struct view *view, unsigned parts, struct lab_selection selection);
void view_action_hover(struct view *view, unsigned parts, struct lab_selection selection);
void view_action_command(struct view *view, const char *name);

/* Appends an action that sets a member of the view's state: for what only changes the display. */
#define view_action_set(view, name, to)                                                            \
    view_action_member((view), offsetof(struct view_state, name),                                  \
                       sizeof(((struct view_state *)NULL)->name),                                  \
                       &(const struct view_state){.name = (to)}.name)
void view_action_member(struct view *view, size_t offset, size_t size, const void *value);

bool view_selection_equal(const struct lab_selection *a, const struct lab_selection *b);

/* Draws the background and border of a panel and returns the area inside. Its group is open until
 * canvas_ungroup. */
struct rect view_panel(struct view *view, struct rect area, const char *label);

/* --- The views, one a file. --- */
void view_topbar(struct view *view, struct rect area);     /* logo, lessons, tokens, commands */
void view_prompt(struct view *view, struct rect area);     /* a question over the panels */
void view_caption(struct view *view, struct rect area);    /* the lesson's caption */
void view_views(struct view *view, struct rect area);      /* the row of views and switches */
void view_views_menu(struct view *view, struct rect area); /* the views where it has no room */
void view_ribbon(struct view *view, struct rect area);     /* stages and stepper */
void view_settings(struct view *view, struct rect area);
void view_stage(struct view *view, struct rect area); /* the operands and the result */
void view_formula(struct view *view, struct rect area);
void view_space(struct view *view, struct rect area); /* the 3-D view */
void view_heads(struct view *view, struct rect area);
void view_head(struct view *view, struct rect area);          /* the selected head alone, large */
void view_single_matrix(struct view *view, struct rect area); /* the result of the stage */
struct point view_single_matrix_size(struct view *view);      /* its natural size */

/* Its colours; false: there is no such matrix. */
bool view_single_matrix_scale(struct view *view, struct view_scale *scale);

/* Subtracts the kept from the present result of the stage; false: they have no difference. */
bool view_difference(struct view *view, struct lab_matrix *difference);
void view_status(struct view *view, struct rect area);
bool view_work_is_told(const struct view *view);      /* it takes long enough to be announced */
void view_costs(struct view *view, struct rect area); /* the costs of each kind */
bool view_costs_fit(const struct view *view,
                    float high);                       /* a panel so high has more than a heading */
void view_decode(struct view *view, struct rect area); /* token by token, with a cache */
void view_why(struct view *view, struct rect area);    /* why the model says a word */
void view_kinds_overlay(struct view *view, struct rect area); /* every kind on these tokens */
void view_help(struct view *view, struct rect area);          /* all keys */
void view_find(struct view *view, struct rect area);          /* search by name */
void view_export(struct view *view, struct rect area);        /* the export dialog */
void view_save(struct view *view, struct rect area);          /* the dialog for saving a session */
void view_toast(struct view *view, struct rect area);  /* a message near the change it is about */
void view_screen(struct view *view, struct rect area); /* the whole window */

/* The main view that is open. */
enum view_main view_main_of(const struct view_state *state);

/* The height of the lesson's caption at this width, and of the question; 0: there is none. */
float view_caption_height(struct view *view, float width);
float view_prompt_height(const struct view *view, float width);

/* Says whether the settings are ahead of the results: what they say is being computed. */
bool view_is_computing(const struct view *view);

/* The step's guess of a number, until it is revealed; and whether the next words are to be guessed.
 */
enum lab_guess view_guess(const struct view *view);
bool view_guess_hides_next(const struct view *view);

/* Says whether the window has room for only one panel, as at 300 % on an ordinary screen. */
bool view_is_small(const struct view_state *state, float width, float height);

/* Says whether 3-D view and heads share a place in a window of that width. */
bool view_is_narrow(float width);

/* The panels (view/chrome/panels.c) that a small window shows one at a time, in the order of its
 * tabs; the stage is first. Returns how many. */
size_t view_small_panels(const struct view_state *state,
                         enum view_small_panel panels[VIEW_SMALL_PANELS]);

/* The place among them of the one it shows: the first where the chosen one is not there. */
size_t view_small_panel_shown(const struct view_state *state);

/* Says whether the caption is about the present stage. */
bool view_caption_is_here(const struct view_state *state);

/* Narrower windows have no column for the settings. */
#define VIEW_FOLD_BELOW 1200.0f

/* Says whether the settings have no column: they were folded, or the window is narrow. */
bool view_settings_are_folded(const struct view *view);

/* A view that can be drawn alone, by name, as a figure: window stage space heads head formula. */
struct view_picture {
    const char *name;
    void (*draw)(struct view *view, struct rect area);
    bool has_caption;                        /* it draws the caption itself */
    bool is_scene;                           /* it is cut at the edges rather than fitted */
    struct point (*size)(struct view *view); /* its natural size; NULL: any */
    bool (*scale)(struct view *view, struct view_scale *scale); /* NULL: it shares none */
};

/* Draws it, with the caption below where it does not draw one itself. */
void view_figure(struct view *view, const struct view_picture *picture, struct rect area);
const struct view_picture *view_picture_find(const char *name);
const struct view_picture *view_picture_at(size_t index); /* NULL beyond the last */

#endif
