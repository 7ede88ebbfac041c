/* view/parts/head_overview.h — all heads of a model or of a file of attention, and the tokens that
 * may come next: what the app gives the view, and what the view may ask for.
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
    const char *word; /* as shown: "␣engines" */
    uint32_t id;
    double share; /* probability at the temperature */
};

/* Pictures of all heads whose words are weighed by more than α (view->state->weighing). */
struct view_weighed_heads {
    const struct lab_thumbnails *thumbnails;
    const float *top, *rest_top; /* [layers] the largest of each, by which its numbers are divided
                                    for their colours; the same without the sinks of α */
};

struct view_head_overview {
    const char *title;                        /* "GPT-2 · 12 × 12 heads", or the file's name */
    const struct lab_thumbnails *thumbnails;  /* NULL until it is computed first */
    const struct view_weighed_heads *weighed; /* the same, weighed otherwise; NULL: by α, or it is
                                                 not computed yet */
    bool may_weigh;                           /* its words have values, so there are other weighings
                                               */
    size_t attention, attentions; /* which attention of a model of two texts: 0 of the second text
                                     to itself, 1 of the first to itself, 2 of the second to the
                                     first; there are 3 of them, else 1 */
    unsigned lacks_attentions;    /* bits of those that are missing in a file */
    size_t layer;                 /* the one on the stages */
    const float *stream;          /* [stream_rows][stream_cols]: the residual stream before this
                                     layer; NULL: there is none */
    size_t stream_rows, stream_cols;
    const struct lab_block *block; /* that layer around its attention; NULL: not known */
    const bool *off;               /* [layers · heads]: switched off; NULL: none can be switched */
    const bool *kept_off; /* the same where it was kept to compare with; NULL: it was not */
    bool kept_differs;    /* something was changed in the model since, heads or anything else */
    const size_t *order;  /* [layers · heads]: sorted places; NULL: by layer and head */
    bool grouped;         /* sorted by what heads do, with a heading for each kind */
    bool sinks_aside;     /* sinks are left out of colours and measures */
    size_t groups;        /* of heads that share keys and values; 0: not known */
    enum lab_head_measure head_measure; /* the sort key; LAB_HEAD_MEASURES: layer and head */
    bool opened;                        /* a layer of it is on the stages */
    bool busy;                          /* something is being computed */
    size_t computed, cached;            /* rows of the last run; cached rows of keys and values */
    struct view_next next[VIEW_NEXT_MAX];
    size_t next_count;                    /* 0: there is no next token, as in a file of attention */
    struct view_next kept[VIEW_NEXT_MAX]; /* what came next where it was kept to compare with */
    size_t kept_count;                    /* 0: nothing was kept */
    bool expects_next;                    /* there will be some when the last layer is computed */
    const char
        *mask; /* "[MASK]": `next` are the tokens that may replace it; NULL: those that follow */
    size_t mask_number, masks; /* which of them `next` is of, from 1, and how many there are */
    const char *closes; /* "[SEP]": a second sentence begins after it; NULL: the model does not
                           distinguish two */
    size_t second;      /* first token of the second sentence; 0: there is one sentence */
    size_t ids;       /* without a tokenizer, one types token ids below this; 0: one types words */
    bool offers_chat; /* texts may be read as a chat message */
    const char *no_chat; /* why this model has no chat; NULL: it has */
    const char *chat; /* form of the chat that the text is a message of; NULL: none. The template's
                         own tokens are those before the token at chat_first, and from chat_end to
                         chat_behind */
    size_t chat_first, chat_end, chat_behind;
    double temperature; /* of the draw of the next token */
    uint64_t seed;      /* of that draw */
};

/* VIEW_ACTION_HEAD_OVERVIEW: the values of action.overview.act, and the member that each uses. */
enum view_head_overview_act {
    VIEW_HEAD_OVERVIEW_OPEN, /* which: layer · heads + head, to be shown on the stages */
    VIEW_HEAD_OVERVIEW_SORT, /* which: enum lab_head_measure; LAB_HEAD_MEASURES: layer and head; one
                                more: what heads do */
    VIEW_HEAD_OVERVIEW_SINKS,      /* sinks are set aside, or no longer */
    VIEW_HEAD_OVERVIEW_SWITCH,     /* which: layer · heads + head, switched on or off */
    VIEW_HEAD_OVERVIEW_ALL_ON,     /* every head is switched on */
    VIEW_HEAD_OVERVIEW_SWITCH_MLP, /* which: the layer whose MLP is switched on or off */
    VIEW_HEAD_OVERVIEW_MASK,       /* which: layer · heads + head, query, key: a pair that it does
                                      not see, or sees again */
    VIEW_HEAD_OVERVIEW_MEAN,       /* which: a row of what is changed; what is off has its mean over
                                      all words, or is off again */
    VIEW_HEAD_OVERVIEW_AT,        /* which: a row of what is changed, query: the word at which alone
                                     it is; at all words again where it is at that one */
    VIEW_HEAD_OVERVIEW_SET,       /* which: layer · heads + head, query, key, number: α by hand */
    VIEW_HEAD_OVERVIEW_TAKE_BACK, /* which: a row of what is changed (view/parts/why.h) */
    VIEW_HEAD_OVERVIEW_TAKE,      /* which: the token of `next` that is appended to the text */
    VIEW_HEAD_OVERVIEW_DRAW,      /* a token drawn at random, by its probability */
    VIEW_HEAD_OVERVIEW_TEMPERATURE, /* number: the temperature */
    VIEW_HEAD_OVERVIEW_SEED,        /* number: draws begin anew with it; negative: it is none */
    VIEW_HEAD_OVERVIEW_ATTENTION,   /* which: one of the attentions of two texts */
    VIEW_HEAD_OVERVIEW_WRITE,       /* the model writes the second text */
    VIEW_HEAD_OVERVIEW_CHAT,        /* the text becomes a chat message, or plain */
    VIEW_HEAD_OVERVIEW_CANCEL,      /* the computation in progress */
};

/* Draws all heads and nothing else, as a figure. */
void view_head_overview_figure(struct view *view, struct rect area);

/* Appends VIEW_ACTION_HEAD_OVERVIEW. */
void view_head_overview_action(struct view *view, enum view_head_overview_act act, size_t other);

#endif
