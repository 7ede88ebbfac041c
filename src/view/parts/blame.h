/* view/parts/blame.h — which line of its text taught weights a word: what the app gives the sheet.
 */
#ifndef VIEW_PARTS_BLAME_H
#define VIEW_PARTS_BLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of a line. */
enum view_blame_state {
    VIEW_BLAME_RANKED,   /* by its gradient alone */
    VIEW_BLAME_REPEATED, /* the run was trained without it, */
    VIEW_BLAME_DRAWN,    /* likewise, as one that was drawn at random to compare with */
    VIEW_BLAME_LEFT_OUT  /* the run itself goes without it */
};

/* The ways out of a refusal. */
enum view_blame_way {
    VIEW_BLAME_NO_WAY,
    VIEW_BLAME_ROWS,    /* rows of lines */
    VIEW_BLAME_AS_MADE, /* the run without changes by hand */
    VIEW_BLAME_WAYS
};

struct view_blame_line {
    size_t number; /* in the text, from 1 */
    const char *text;
    size_t count;     /* how often the text has it */
    size_t same_as;   /* another line of the text that says the same; 0: none */
    float similarity; /* of its gradient to the word's, −1 to 1: of the largest there is */
    enum view_blame_state state;
    float without; /* REPEATED and DRAWN: the word's probability then; NaN: not known yet */
    bool is_cause; /* without it the word is said differently: it taught it, or works against it */
};

struct view_blame {
    const char *refused;     /* why there is nothing to see; NULL: there is */
    enum view_blame_way way; /* then: what would do, and can be chosen */
    const char *word, *behind;
    size_t next;          /* which of the next words it is; more than there are: none */
    float probability;    /* of the word */
    const char *sentence; /* what the lines tell; "": nothing yet */
    const char *doubt;    /* what is to be known about the words that it is asked behind; NULL:
                             nothing */
    const struct view_blame_line *line; /* those without which the run is, those that are
                                           repeated, the others */
    size_t lines, lines_all;            /* lines that are listed; lines in all */
    size_t done, all;                   /* lines that were left out, of those that are to be */
    float progress;                     /* of all that is trained for it, 0 to 1; < 0: not begun */
    double seconds_left;                /* of that; < 0: not known yet */
    uint64_t steps;                     /* of the run, which each time is trained again */
    bool is_old;                        /* more lines of the same word are asked by now */
    bool is_given_up;                   /* the rest is not left out */
    bool can_repeat_each;               /* more lines can be left out in turn */
};

#endif
