/* lab/experiment/params.h — the parameters of an experiment, a row each
 * (lab/experiment/params.inc), and what can be done with any of them. Sessions, options, help,
 * settings, palette, undo, differences and range checks are made of these rows: a parameter's name,
 * range and default stand here and nowhere else. */
#ifndef LAB_EXPERIMENT_PARAMS_H
#define LAB_EXPERIMENT_PARAMS_H

#include "base/arena.h"
#include "lab/experiment/experiment.h"
#include "lab/experiment/stage.h"

/* LAB_PARAM_HEADS …: the index of each row. */
enum lab_param_id {
#define LAB_PARAM(NAME, member, ...) LAB_PARAM_##NAME,
#include "lab/experiment/params.inc"
    LAB_PARAM_NONE = 96 /* no row; there is room for fewer */
};

/* What a value is, in memory and as JSON. */
enum lab_param_type {
    LAB_TYPE_TEXT,        /* char [high] */
    LAB_TYPE_TOKENS,      /* struct lab_words *: the words that typed numbers and masks belong to */
    LAB_TYPE_WORDS,       /* struct lab_words *, or null */
    LAB_TYPE_NUMBERS,     /* struct lab_numbers *, or null */
    LAB_TYPE_SWITCH,      /* bool */
    LAB_TYPE_COUNT,       /* size_t */
    LAB_TYPE_SEED,        /* uint64_t; a text where JSON would lose digits */
    LAB_TYPE_NUMBER,      /* float */
    LAB_TYPE_CHOICE,      /* an enum, by name */
    LAB_TYPE_KIND,        /* enum lab_kind with its number: "gqa:2" */
    LAB_TYPE_MASK,        /* enum lab_mask with its numbers: "window:2" */
    LAB_TYPE_CUSTOM_MASK, /* struct lab_custom_mask *: rows of 0 and 1, or null */
    LAB_TYPE_TILES,       /* flash_rows and flash_cols: [2, 2], or null */
    LAB_TYPE_EDITS,       /* struct lab_edits * */
    LAB_TYPES
};

/* Where the settings show it, from top to bottom. */
enum lab_param_group {
    LAB_GROUP_NONE,
    LAB_GROUP_WORDS,
    LAB_GROUP_WEIGHTS,
    LAB_GROUP_ATTENTION,
    LAB_GROUPS
};

/* The stages that use it, as bits. */
enum {
    LAB_AT_EMBED = 1 << LAB_EMBED,
    LAB_AT_PROJECT = 1 << LAB_PROJECT,
    LAB_AT_SCORE = 1 << LAB_SCORE,
    LAB_AT_SCALE = 1 << LAB_SCALE,
    LAB_AT_SOFTMAX = 1 << LAB_SOFTMAX,
    LAB_AT_BLEND = 1 << LAB_BLEND,
    LAB_AT_OUTPUT = 1 << LAB_OUTPUT
};

/* Fields that are left out are 0 or NULL and mean: not there. Texts are English; who shows them
 * translates. */
struct lab_param {
    enum lab_param_type type;
    size_t at;       /* of the member in struct lab_experiment */
    const char *key; /* in JSON; NULL: part of another row's value, or nobody's */
    double low, high, standard;
    bool automatic;   /* 0 means: by itself */
    const char *what; /* what a sentence about its range begins with */

    /* Of choices: names as they are written, titles as they are read; NULL behind the last. */
    const char *(*name_at)(size_t index);
    const char *(*title_at)(size_t index);
    const char *(*tip_at)(size_t index);

    /* On the command line. */
    const char *option, *argument, *help;
    unsigned option_rank; /* place among the options, from 1; 0: behind all that have one */
    bool inverted;        /* "on" stands for false: the option says what the member leaves out */

    /* In the window. */
    const char *title;  /* in the palette, and what a change of it is called */
    const char *symbol; /* in formulas */
    const char *also;   /* other words by which people look for it */
    enum lab_param_group group;
    unsigned stages;              /* LAB_AT_…: the settings show it there by themselves */
    const char *id, *label, *tip; /* of its control; no id: the label */
    const char *(*label_of)(struct arena *arena, const struct lab_experiment *experiment);
    const char *seeded; /* what a choice of random numbers is called, with %llu for its seed */
    bool toggle;        /* a choice of two, shown as a switch */
    bool half;          /* shares its line with the next or former such row */
    float wider;        /* … and takes so many points of it from the other */
    double most, step;  /* of a slider: how far it goes at least; 0: to `high` */
    size_t most_index;  /* … or a member of struct lab_sizes: its offset + 1 */
    bool logarithmic;
    int decimals;
    /* Only where another parameter has that value, or where applies says so. */
    enum lab_param_id needs;
    double needs_value;
    bool (*applies)(const struct lab_experiment *experiment);
    const char *idle; /* said where it does not; NULL: made of `needs` */

    /* In what differs between two experiments: a format of the value (COUNT: %zu, NUMBER: %s), what
     * a switch says on and off, a name for each choice, or a text of its own. */
    const char *differs, *differs_one, *differs_off;
    const char *(*differs_at)(size_t index);
    const char *(*differs_text)(struct arena *arena, const struct lab_experiment *one,
                                const struct lab_experiment *other);
    unsigned differs_rank;            /* place among them, from 1; 0: behind all that have one */
    enum lab_param_id differs_unless; /* says nothing where that differs already */
    bool from_one;                    /* people count it from 1 */

    /* The value that holds where the member leaves it open: a member of struct lab_sizes (its
     * offset
     * + 1), or what the function says; neither: the member. */
    size_t size_index;
    double (*holds)(const struct lab_experiment *experiment);
    /* Takes a number with what goes along with it; NULL: lab_param_put. */
    void (*change)(struct lab_experiment *experiment, double number);
};

size_t lab_param_count(void);
const struct lab_param *lab_param_row(enum lab_param_id id); /* id < lab_param_count() */

/* The row at a place of an order, the first from 0: as options are listed, or as differences are
 * told. NULL behind the last. */
enum lab_param_order { LAB_ORDER_OPTIONS, LAB_ORDER_DIFFERENCES };
const struct lab_param *lab_param_in_order(enum lab_param_order order, size_t place);
enum lab_param_id lab_param_id_of(const struct lab_param *param);

/* Where the value stands; to be read as the type says. */
void *lab_param_place(const struct lab_param *param, struct lab_experiment *experiment);
const void *lab_param_value(const struct lab_param *param, const struct lab_experiment *experiment);

/* Whether a number says the value: switches (0, 1), counts, seeds, numbers, choices (an index), and
 * the context (1: there is one) and tiles (1: there are). */
bool lab_param_is_number(const struct lab_param *param);

/* The value as such a number. get: the member; holds: what it comes to. */
double lab_param_get(const struct lab_param *param, const struct lab_experiment *experiment);
double lab_param_holds(const struct lab_param *param, const struct lab_experiment *experiment);

/* How far a slider over it goes, and whether it means something at all, for this experiment. */
double lab_param_most(const struct lab_param *param, const struct lab_experiment *experiment);
bool lab_param_applies(const struct lab_param *param, const struct lab_experiment *experiment);

/* put: the member alone, as it is. change: as the window does, whole numbers rounded into the
 * range, with what goes along with it (other heads: the groups are open again). */
void lab_param_put(const struct lab_param *param, struct lab_experiment *experiment, double number);
void lab_param_change(const struct lab_param *param, struct lab_experiment *experiment,
                      double number);

/* Back to the default; lists, numbers and masks are taken away. Words stay. */
void lab_param_reset(const struct lab_param *param, struct lab_experiment *experiment);

bool lab_param_equal(const struct lab_param *param, const struct lab_experiment *a,
                     const struct lab_experiment *b);

/* Whether the value follows from how the weights were learned (experiment.learned): it is neither
 * compared nor written then. */
bool lab_param_is_made(const struct lab_param *param);

/* Takes one more reference to what the value holds, or gives it back. */
void lab_param_keep(const struct lab_param *param, const struct lab_experiment *experiment);
void lab_param_release(const struct lab_param *param, const struct lab_experiment *experiment);

/* "4", "0.5", "on", "rope": a number of this parameter as options write it, into text; returns it.
 */
enum { LAB_PARAM_TEXT_MAX = 32 };
const char *lab_param_text(const struct lab_param *param, double number,
                           char text[LAB_PARAM_TEXT_MAX]);

/* The other way round; a choice may also be called by its title. False: it is none, or out of
 * range. */
bool lab_param_parse(const struct lab_param *param, const char *text, double *number);

/* Sets a value as options write it, with what goes along with it: "4", "off", "window:2", "gqa 2".
 * False: there is no such value, nothing changed. */
bool lab_param_read(const struct lab_param *param, const char *text,
                    struct lab_experiment *experiment);

/* Whether it is written as a mask or a kind whose numbers do not fit, and how they would: "W of the
 * mask window:W must be 1 to 1024 …". */
bool lab_param_refuses(const struct lab_param *param, const char *text, struct error *error);

/* The values there are: "1 to 256", "on or off", "none, sinusoidal, rope"; "": not to be said.
 * Owned by the arena. */
const char *lab_param_range(const struct lab_param *param, struct arena *arena);

/* "The number of heads must be 1 to 256, not 0." for a value that a row with `what` does not allow;
 * true: it does. */
bool lab_param_check(const struct lab_param *param, double value, struct error *error);

#endif
