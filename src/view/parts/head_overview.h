/* view/parts/head_overview.h — all heads of a model or of a file of attention at a
 * head_overview, and the words that may come next: what the app hands the view, and what the view
 * may action.
 *
 * The experiment on the stages is always one layer of what is open here. */
#ifndef VIEW_PARTS_HEAD_OVERVIEW_H
#define VIEW_PARTS_HEAD_OVERVIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/run/block.h"
#include "lab/run/thumbnails.h"
#include "view/parts/view.h"

enum { VIEW_NEXT_MAX = 8 };

struct view_next {
    const char *word; /* as people read it: "␣engines" */
    double share;     /* 0 … 1, at the temperature */
};

struct view_head_overview {
    const char *title;                       /* "GPT-2 · 12 × 12 heads", or the file's name */
    const struct lab_thumbnails *thumbnails; /* NULL until it is made the first time */
    size_t attention, attentions; /* which one of a model of two texts: 0 of the second to itself, 1
                                     of the first to itself, 2 of the second to the first; there
                                     are 3, else 1 */
    unsigned lacks_attentions;    /* bits of those that a file does not hold */
    size_t layer;                 /* that stands on the stages */
    const float *stream;          /* [stream_rows][stream_cols]: the residual stream before this
                                     layer; NULL: there is none */
    size_t stream_rows, stream_cols;
    const struct lab_block *block; /* that layer around its attention; NULL: it is not known */
    const bool *off;               /* [layers · heads]: switched off; NULL: none can be */
    const size_t *order;           /* [layers · heads] places, sorted; NULL: by layer and head */
    bool grouped;                  /* order is by what heads do, with a heading for each kind */
    bool sinks_aside;              /* left out of colours and measures */
    size_t groups;                 /* of keys and values, shared by heads; 0: it is not known */
    enum lab_head_measure head_measure; /* sorted by; LAB_HEAD_MEASURES: by layer and head */
    bool opened;                        /* what is there stands on the stages … */
    bool busy;                          /* something is being computed */
    size_t computed, cached; /* rows of the last run; rows of keys and values from before */
    struct view_next next[VIEW_NEXT_MAX];
    size_t next_count;  /* 0: there is no next word: a file of attention */
    bool expects_next;  /* there are some when the last layer is computed */
    const char *mask;   /* "[MASK]": the words are those that may stand in its place; NULL: next */
    const char *closes; /* "[SEP]": a second sentence begins behind it; NULL: the model does not
                           tell two apart */
    size_t second;      /* the first word of the second sentence; 0: there is one sentence */
    size_t ids; /* the model came without a tokenizer: one types numbers of tokens, which are below
                   this; 0: one types words */
    bool offers_chat;    /* texts may be read as a message of a chat … */
    const char *no_chat; /* … but not of this model, and why; NULL: they may */
    const char *chat; /* the form of the chat that it is a message of; NULL: of none. The template's
                         own tokens stand before the word at chat_first, and from chat_end to
                         chat_behind */
    size_t chat_first, chat_end, chat_behind;
    double temperature; /* of the next word */
    uint64_t seed;      /* of the draw */
};

/* VIEW_ACTION_HEAD_OVERVIEW: what action.overview.act asks for, and what with. */
enum view_head_overview_act {
    VIEW_HEAD_OVERVIEW_OPEN,  /* layer selection.layer and head selection.head onto the stages */
    VIEW_HEAD_OVERVIEW_SORT,  /* which: enum lab_head_measure, LAB_HEAD_MEASURES for layer and head,
                          one more for   what heads do */
    VIEW_HEAD_OVERVIEW_SINKS, /* set aside, or not any more */
    VIEW_HEAD_OVERVIEW_SWITCH,      /* which: layer · heads + head, on or off */
    VIEW_HEAD_OVERVIEW_ALL_ON,      /* every head */
    VIEW_HEAD_OVERVIEW_TAKE,        /* which: which of the next words joins the text */
    VIEW_HEAD_OVERVIEW_DRAW,        /* one of them at random, by its share */
    VIEW_HEAD_OVERVIEW_TEMPERATURE, /* number */
    VIEW_HEAD_OVERVIEW_ATTENTION,   /* which: of the attentions of two texts */
    VIEW_HEAD_OVERVIEW_WRITE,       /* the second text of two, by the model */
    VIEW_HEAD_OVERVIEW_CHAT,        /* the text as a message of a chat, or as it is */
    VIEW_HEAD_OVERVIEW_CANCEL,      /* what is being computed */
};

/* All heads, and nothing else: for a file. */
void view_head_overview_figure(struct view *view, struct rect area);

/* Notes VIEW_ACTION_HEAD_OVERVIEW. */
void view_head_overview_action(struct view *view, enum view_head_overview_act act, size_t other);

#endif
