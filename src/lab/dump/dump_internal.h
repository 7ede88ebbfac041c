/* lab/dump/dump_internal.h — what the files of lab/dump share. */
#ifndef LAB_DUMP_DUMP_INTERNAL_H
#define LAB_DUMP_DUMP_INTERNAL_H

#include <stdatomic.h>

#include "base/file.h"
#include "file/kinds.h"
#include "lab/dump/dump.h"

/* The role of an array in attention. */
enum dump_role {
    DUMP_WEIGHTS,
    DUMP_SCORES,
    DUMP_Q,
    DUMP_K,
    DUMP_V,
    DUMP_RAW,
    DUMP_UNKNOWN,
    DUMP_ROLES
};

/* Whose attention it is in a model that reads one text and writes another, the likeliest first. */
enum dump_side { DUMP_NO_SIDE, DUMP_DECODER, DUMP_ENCODER, DUMP_CROSS };

/* Arrays whose names differ only in the number of the layer: one tensor of attention. */
struct dump_group {
    const char *name; /* with # for the number */
    enum dump_role role;
    size_t rank;         /* the likeliest has the lowest; 0 first */
    bool numbered;       /* one array for each layer */
    bool heads_last;     /* [batch, pos, head, d], as TransformerLens keeps Q and K */
    bool causal;         /* the name is one of a model that looks back */
    enum dump_side side; /* by its name */
    size_t first, count; /* of dump.sorted */
};

struct dump_member {
    const struct array *array;
    size_t group, number;
};

/* One tensor as it is read, with the place of each axis; −1: there is none. */
enum dump_axis { DUMP_LAYER, DUMP_BATCH, DUMP_HEAD, DUMP_QUERY, DUMP_KEY, DUMP_AXES };
struct dump_tensor {
    const struct dump_group *group; /* NULL: there is none */
    int axis[DUMP_AXES];            /* DUMP_KEY is d in Q, K and V; DUMP_QUERY their rows */
    char axes[ARRAY_RANK_MAX + 1];
    size_t size[DUMP_AXES]; /* 1 where there is no axis */
};

/* Arrays that a model wrote token by token, joined to one: step s adds rows that see the keys of
 * all steps so far. Query and key are the last two axes. */
struct dump_join {
    const struct array *const *part; /* [steps] */
    size_t steps;
};

struct lab_dump {
    atomic_size_t holders;
    struct arena arena;
    struct file_handle *file; /* held; NULL: there is no memory for it */
    struct bytes bytes;       /* of it */
    enum file_kind kind;
    const char *path;
    const struct array *array;
    size_t arrays;
    const struct array_unread *unread; /* [unread_count] whose numbers cannot be read */
    size_t unread_count;
    const struct dump_join *join; /* [arrays]; 0 steps: not joined. NULL: none is joined */
    struct dump_member *member;   /* [arrays], by group and number */
    struct dump_group *group;
    size_t groups;
    bool apart;                   /* arrays are not grouped by their numbers */
    struct dump_tensor tensor[3]; /* weights or scores; or Q, K, V */
    const char *const *note;      /* of a safetensors header */
    size_t notes;
    const struct array_texts *text_array; /* of an npz */
    size_t text_arrays;
    struct dump_list *list; /* [lists] that may be tokens: dump_lists.h */
    size_t lists;
    const char *const *text; /* names of what may be tokens; NULL: not collected yet */
    size_t texts;
    struct lab_dump_facts facts;
    const struct attn_kernels *kernels;
    struct file_progress progress; /* while it is opened */
    struct lab_dump_page *page;    /* likewise: where arrays are unpacked */
    const bool *empty_row;         /* [facts.n] rows of NaN alone in the first head; NULL: none */
    struct lab_mask_rule mask;     /* of Q and K; the dump owns its custom_mask */
};

/* lab/dump/dump_names.c: checks that the arrays of all layers have one shape; the sentence names
 * the one that differs. */
bool dump_shapes_agree(const struct lab_dump *dump, const struct dump_group *group,
                       struct error *error);

/* lab/dump/dump_names.c: sorts the arrays into groups and finds the role of each. */
bool dump_group_arrays(struct lab_dump *dump, struct error *error);

/* lab/dump/dump_steps.c: replaces the arrays that generate() made step by step by one, and says so
 * in facts.doubt. Returns false and a sentence where a step is missing or memory is lacking. */
bool dump_join_steps(struct lab_dump *dump, struct error *error);

/* lab/dump/dump_steps.c: reads a joined array as float32 into out, whose name, shape and strides
 * are set. Keys that were not written yet are seen by nobody: they are 0, in scores −∞. Returns
 * false and a sentence where a part cannot be unpacked or memory is lacking. */
bool dump_join_read(const struct lab_dump *dump, const struct array *array,
                    const struct dump_join *join, struct arena *arena, struct array *out,
                    struct error *error);

/* lab/dump/dump_names.c: finds the first number from there on that stands between separators ("3"
 * of "attentions_3"), its length and its value. Returns false where there is none. */
bool dump_find_number(const char *name, size_t from, size_t *at, size_t *length, size_t *number);

/* lab/dump/dump_names.c: says whether an array of that name is weights or scores. */
bool dump_is_name_of_attention(const char *name);

/* lab/dump/dump_names.c: says whose attention an array of that name is. */
enum dump_side dump_side_of(const char *name);

/* lab/dump/dump_axes.c: returns the usual order of a group's axes. NULL: it is not known. */
const char *dump_guess_axes(const struct dump_group *group, const struct array *array);

/* lab/dump/dump_axes.c: returns an order of axes that gives as many queries as there are tokens.
 * keys: the group of K, or NULL. NULL: the usual order stands. */
const char *dump_axes_by_tokens(const struct lab_dump *dump, const struct dump_group *group,
                                const struct dump_group *keys);

/* lab/dump/dump_axes.c: says in facts.doubt how the axes were taken where tokens decided them, or
 * could not. */
void dump_tell_axes(struct lab_dump *dump, const struct dump_group *group, const char *by_tokens);

/* lab/dump/dump_axes.c: finds which axis is what; `axes` NULL: they are guessed. The sentence names
 * the array. */
bool dump_place_axes(const struct lab_dump *dump, const struct dump_group *group, const char *axes,
                     struct dump_tensor *out, struct error *error);

/* lab/dump/dump_words.c: fills facts.queries, keys and words_from, and marks the lists that are
 * used. */
bool dump_find_words(struct lab_dump *dump, struct error *error);

/* lab/dump/dump_used.c: fills facts.used and facts.unused. */
bool dump_tell_used(struct lab_dump *dump, struct error *error);

/* lab/dump/dump_read.c: reads the rows × DUMP_KEY of one tensor into out; `which` is its place in
 * the page. */
bool dump_read(const struct lab_dump *dump, size_t which, struct lab_dump_page *page, size_t layer,
               size_t head, float *out, struct error *error);

/* lab/dump/run_dump.c: computes the scaled scores of q [n][d] and k [m][d] into s [n][m], −∞ where
 * dump->mask hides; and takes the softmax of each row of s in place. */
void dump_score(const struct lab_dump *dump, const float *q, const float *k, float *s);
void dump_softmax(const struct lab_dump *dump, float *s);

/* How the first rows of a tensor sum: whether rows or columns sum to 1. */
enum dump_sums { DUMP_SUMS_NEITHER, DUMP_SUMS_ROWS, DUMP_SUMS_COLUMNS };
bool dump_check_sums(const struct lab_dump *dump, size_t which, enum dump_sums *sums,
                     struct error *error);

/* lab/dump/dump_read.c: finds rows of NaN alone in the first head, and empty cells of a table, and
 * reports them in facts.doubt. Returns false where it cannot be read. */
bool dump_find_gaps(struct lab_dump *dump, struct error *error);

/* Adds a sentence to facts.doubt. */
void dump_doubt(struct lab_dump *dump, const char *sentence);

/* A name such as that of a saved tuple says no more than that there are several arrays. */
bool dump_is_plain_tuple(const char *name);

/* Both refuse with the file's name before the sentence; dump_ask refuses what a request can
 * answer. */
bool dump_refuse(const struct lab_dump *dump, struct error *error, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
bool dump_ask(const struct lab_dump *dump, struct error *error, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
