/* lab/experiment/params.h — the parameters of an experiment, a row each
 * (lab/experiment/params.inc), and the operations on any of them. Sessions, options, help,
 * settings, palette, undo, differences and range checks are made of these rows, so that a
 * parameter's name, range and default stand only here. */
#ifndef LAB_EXPERIMENT_PARAMS_H
#define LAB_EXPERIMENT_PARAMS_H

#include "base/record.h"
#include "lab/experiment/experiment.h"
#include "lab/experiment/stage.h"

/* The index of each row, such as LAB_PARAM_HEADS. */
enum lab_param_id {
#define LAB_PARAM(NAME, member, ...) LAB_PARAM_##NAME,
#include "lab/experiment/params.inc"
    LAB_PARAM_NONE = 96 /* no row; there are fewer rows than this */
};

/* The type of a value in memory and in JSON. */
enum lab_param_type {
    LAB_TYPE_SWITCH = RECORD_SWITCH,
    LAB_TYPE_COUNT = RECORD_COUNT,
    LAB_TYPE_SEED = RECORD_SEED,
    LAB_TYPE_NUMBER = RECORD_NUMBER,
    LAB_TYPE_CHOICE = RECORD_CHOICE,
    LAB_TYPE_KIND = RECORD_TYPES, /* enum lab_kind with its number: "gqa:2" */
    LAB_TYPE_MASK,                /* enum lab_mask with its numbers: "window:2" */
    LAB_TYPE_TEXT,                /* char [high] */
    LAB_TYPE_TOKENS,      /* struct lab_words *: the words that typed numbers and masks belong to */
    LAB_TYPE_WORDS,       /* struct lab_words *, or null */
    LAB_TYPE_TRAINING,    /* struct lab_training *, or null: a list of texts in JSON */
    LAB_TYPE_NUMBERS,     /* struct lab_numbers *, or null */
    LAB_TYPE_CUSTOM_MASK, /* struct lab_custom_mask *: rows of 0 and 1, or null */
    LAB_TYPE_TILES,       /* flash_rows and flash_cols: [2, 2], or null */
    LAB_TYPE_EDITS,       /* struct lab_edits * */
    LAB_TYPES
};

/* The part of the settings that shows it, from top to bottom. */
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

/* A row: what every record has (base/record_row.inc), and what is particular to experiments. Fields
 * that are left out are 0 or NULL and mean: absent. */
/* How a value follows from how the weights were trained. Arrays of numbers are always made again.
 */
enum lab_made {
    LAB_MADE_NOT,
    LAB_MADE_HELD, /* sessions hold it all the same */
    LAB_MADE_AGAIN /* it is neither compared nor written */
};

struct lab_param {
    union {
        struct record_row row;
        struct { /* the same, so that both param->low and &param->row can be written */
#include "base/record_row.inc"
        };
    };

    /* Of the window. */
    unsigned stages; /* LAB_AT_ bits: the settings show it at these stages */
    const char *(*label_of)(struct arena *arena, const struct lab_experiment *experiment);
    const char *seeded;      /* the title of a choice of random numbers, with %llu for its seed */
    size_t slider_max_index; /* offset + 1 of a member of struct lab_sizes it must reach; or 0 */
    bool (*applies)(const struct lab_experiment *experiment); /* in place of `needs` */
    const char *idle; /* shown where it does not apply; NULL: a sentence is made of `needs` */

    /* Of the differences between two experiments: a format of the value (COUNT: %zu, NUMBER: %s),
     * the texts of a switch on and off, a name for each choice, or a text of its own. */
    const char *differs, *differs_one, *differs_off;
    const char *(*differs_at)(size_t index);
    const char *(*differs_text)(struct arena *arena, const struct lab_experiment *one,
                                const struct lab_experiment *other);
    unsigned differs_rank;            /* place among them, from 1; 0: after all that have one */
    enum lab_param_id differs_unless; /* left out where that parameter differs already */
    bool from_one;                    /* people count it from 1 */

    enum lab_made made; /* where the weights were trained (experiment.learned) */

    /* The value that holds where the member leaves it open: a member of struct lab_sizes (offset +
     * 1), or the result of the function; with neither it is the member itself. */
    size_t size_index;
    double (*holds)(const struct lab_experiment *experiment);
    /* Sets a number together with what depends on it; NULL: lab_param_put is enough. */
    void (*change)(struct lab_experiment *experiment, double number);
};

size_t lab_param_count(void);
const struct lab_param *lab_param_row(enum lab_param_id id); /* id < lab_param_count() */

/* Returns the row at a place of an order, the first from 0: the order in which options are listed,
 * or differences named. NULL behind the last. */
enum lab_param_order { LAB_ORDER_OPTIONS, LAB_ORDER_DIFFERENCES };
const struct lab_param *lab_param_in_order(enum lab_param_order order, size_t place);
enum lab_param_id lab_param_id_of(const struct lab_param *param);

/* Returns where the value stands; it has the type of the row. */
void *lab_param_place(const struct lab_param *param, struct lab_experiment *experiment);
const void *lab_param_value(const struct lab_param *param, const struct lab_experiment *experiment);

/* Says whether a number stands for the value. It does for switches (0, 1), counts, seeds, numbers,
 * choices (an index), and also for the context and tiles (1: there are any). */
bool lab_param_is_number(const struct lab_param *param);

/* Return the value as such a number: lab_param_get that of the member, lab_param_holds the one that
 * holds. */
double lab_param_get(const struct lab_param *param, const struct lab_experiment *experiment);
double lab_param_holds(const struct lab_param *param, const struct lab_experiment *experiment);

/* Return where a slider over it ends, and whether the parameter applies, for this experiment. */
double lab_param_slider_max(const struct lab_param *param, const struct lab_experiment *experiment);
bool lab_param_applies(const struct lab_param *param, const struct lab_experiment *experiment);

/* Returns a sentence that says with which other setting one that does not apply would. The arena
 * owns it; NULL: no memory. */
const char *lab_param_idle(const struct lab_param *param, struct arena *arena);

/* lab_param_put sets the member alone, as it is. lab_param_change sets it as the window does: whole
 * numbers are rounded into the range, and what depends on the value changes too (with other heads
 * the groups are open again). */
void lab_param_put(const struct lab_param *param, struct lab_experiment *experiment, double number);
void lab_param_change(const struct lab_param *param, struct lab_experiment *experiment,
                      double number);

/* Restores the default; lists, numbers and masks are removed. Words stay. */
void lab_param_reset(const struct lab_param *param, struct lab_experiment *experiment);

bool lab_param_equal(const struct lab_param *param, const struct lab_experiment *a,
                     const struct lab_experiment *b);

/* Says whether trained weights come with the value, which is then neither compared nor written. */
bool lab_param_is_made(const struct lab_param *param);

/* Take one more reference to a value that is shared, or give it back. */
void lab_param_keep(const struct lab_param *param, const struct lab_experiment *experiment);
void lab_param_release(const struct lab_param *param, const struct lab_experiment *experiment);

/* Writes a number of this parameter as options write it ("4", "0.5", "on", "rope") into text and
 * returns it. */
enum { LAB_PARAM_TEXT_MAX = RECORD_TEXT_MAX };
const char *lab_param_text(const struct lab_param *param, double number,
                           char text[LAB_PARAM_TEXT_MAX]);

/* Reads such a text; a choice may also be given by its title. Returns false where there is no such
 * value or it is out of range. */
bool lab_param_parse(const struct lab_param *param, const char *text, double *number);

/* Sets a value as options write it, together with what depends on it: "4", "off", "window:2", "gqa
 * 2". Returns false, and changes nothing, where there is no such value. */
bool lab_param_read(const struct lab_param *param, const char *text,
                    struct lab_experiment *experiment);

/* Says whether the text is a mask or a kind whose numbers do not fit; the error then says how they
 * would: "W of the mask window:W must be 1 to 1024, not 0." */
bool lab_param_refuses(const struct lab_param *param, const char *text, struct error *error);

/* Returns the possible values, as record_range does, also of tiles and the context. */
const char *lab_param_range(const struct lab_param *param, struct arena *arena);

#endif
