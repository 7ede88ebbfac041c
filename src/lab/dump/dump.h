/* lab/dump/dump.h — a file of attention that was computed elsewhere (.npy, .npz, .safetensors):
 * weights of every head of every layer, scores before the softmax, or queries and keys alone.
 *
 * What an array is, is read off its name (as Hugging Face and TransformerLens give them), its shape
 * and its first rows; what cannot be decided is guessed, and lab_dump_facts.doubt says so. The file
 * is mapped and read where it is looked at; nothing is copied as a whole. */
#ifndef LAB_DUMP_DUMP_H
#define LAB_DUMP_DUMP_H

#include "file/array.h"
#include "file/progress.h"
#include "lab/experiment/experiment.h"
#include "lab/run/thumbnails.h"

/* What the numbers are. */
enum lab_dump_content {
    LAB_DUMP_WEIGHTS, /* α */
    LAB_DUMP_SCORES,  /* scaled and masked; the softmax is taken here */
    LAB_DUMP_QK,      /* Q and K; scores and softmax are computed here */
    LAB_DUMP_CONTENTS
};

/* What an array is taken for; which keys a query sees, where Q and K alone are there. */
enum lab_dump_reading {
    LAB_DUMP_BY_NAME,
    LAB_DUMP_AS_WEIGHTS,
    LAB_DUMP_AS_SCORES,
    LAB_DUMP_AS_QUERIES, /* and another array as keys */
    LAB_DUMP_READINGS
};
enum lab_dump_sight { LAB_DUMP_SEES_BY_NAME, LAB_DUMP_SEES_ALL, LAB_DUMP_SEES_BACK };

/* What is meant, where the file does not say; all zero: the likeliest. */
struct lab_dump_request {
    const char *array; /* its name; of arrays for each layer with # for the number. NULL or "" */
    const char *axes;  /* a letter for each axis: L layer, B batch, H head, Q query, K key (D: d_k):
                          "LHQK". NULL or "" */
    enum lab_dump_reading reading;
    const char *keys; /* the array of keys, where `array` is queries. NULL or "": by its name */
    enum lab_dump_sight sight;
    size_t batch;                 /* which of several texts, from 0 */
    const char *words;            /* path of a text or JSON with the tokens. NULL or "" */
    const char *tokens, *context; /* the tokens themselves, and those of the keys, split at white
                                     space. NULL or "" */
    const char *inside;           /* the array of the file that is the tokens. NULL or "" */
    bool counted;                 /* the tokens are counted, whatever there is */
    struct lab_dump **unclear;    /* gets the file, as lab_dump_list opens it, where a request could
                                     say what is meant: the caller closes it. NULL: nobody asks */
    const struct attn_kernels *kernels; /* that compute weights; NULL: the best. Same bits */
    struct file_progress
        progress; /* told how much of a packed array is unpacked; stopped: NULL, and no sentence */
};

/* "weights", "scores", "queries" as options write it, from 0; NULL behind the last. */
const char *lab_dump_reading_name(size_t reading);

struct lab_dump;

enum {
    LAB_DUMP_ARRAYS_MAX = 8192,
    LAB_DUMP_WORDS_BYTES_MAX = 4 << 20, /* of a file of tokens */
};

/* Opens a file. NULL and one sentence that names the file and what is wrong: not a file of
 * attention, damaged, too large; ERROR_UNCLEAR: a request could say what is meant. The caller
 * closes it. */
struct lab_dump *lab_dump_open(const char *path, const struct lab_dump_request *request,
                               struct error *error);

/* Opens a file of arrays without asking what of it is attention: nothing can be had from it but its
 * items and its name. */
struct lab_dump *lab_dump_list(const char *path, struct error *error);

/* Arrays of one name but for the number of the layer. */
struct lab_dump_item {
    const char *name;  /* as in the request; "" in an npy */
    const char *shape; /* of one of them: "12 × 9 × 9" */
    const char *type;  /* "float16" */
    const char *axes;  /* as they usually lie; "" where nobody knows */
    size_t arrays;     /* 1, or a number for each layer */
    size_t rank, size[ARRAY_RANK_MAX];
    enum lab_dump_reading reading; /* by its name; LAB_DUMP_BY_NAME: it says nothing */
    bool numbered;                 /* there is one for each layer: no axis is that */
};
size_t lab_dump_items(const struct lab_dump *dump);
struct lab_dump_item lab_dump_item(struct lab_dump *dump, size_t index);

/* The arrays that may be tokens: of texts, notes, and few whole numbers. Names, owned by the dump.
 */
const char *const *lab_dump_texts(struct lab_dump *dump, size_t *count);
void lab_dump_close(struct lab_dump *dump); /* NULL is fine */

/* Whether a file looks like one of attention; it may still be refused. Quick. */
bool lab_dump_probe(const char *path);

/* Whose attention it may be, in a model that reads one text and writes another. */
enum lab_dump_side { LAB_DUMP_DECODER, LAB_DUMP_ENCODER, LAB_DUMP_CROSS, LAB_DUMP_SIDES };

struct lab_dump_facts {
    const char *name;   /* of the file, without its folder */
    const char *format; /* "npy", "npz", "safetensors" */
    size_t bytes;       /* of the file */
    enum lab_dump_content content;
    const char *array;             /* as in the request; "" in an npy */
    char axes[ARRAY_RANK_MAX + 1]; /* as in the request */
    const char *shape;             /* "12 × 12 × 1024 × 1024" */
    enum array_type type;
    size_t layers, heads, n, m, d; /* d: width of Q and K; 0 without */
    size_t groups; /* of keys: fewer than heads where heads share them; 0: it is not known */
    size_t batches, batch;
    bool whole_layers; /* an experiment is a layer; else it is one head, since a layer is large */
    bool causal;       /* of Q and K: taken as causal */
    const size_t *number;                   /* [layers] the file's own; NULL: 0, 1 … */
    const struct lab_words *queries, *keys; /* n and m words */
    const char *words_from;                 /* "the array tokens"; NULL: they are counted */
    const char *side[LAB_DUMP_SIDES];       /* arrays of each, as in the request, where the file
                                               holds several by their names; NULL: none */
    enum lab_dump_side shown;               /* the one that `array` is of, then */
    const char *doubt;                      /* a sentence on what was guessed; "": nothing */
    const char *used, *unused; /* arrays and lists of tokens that are shown, and those that are not,
                                  with what says why: "attentions, tokens"; "labels (5, but …)" */
    size_t unused_count;
    bool is_guess; /* neither names nor numbers say that it is attention: better ask */
};
const struct lab_dump_facts *lab_dump_facts(const struct lab_dump *dump);

/* Which keys a query sees, where Q and K alone are there: in place of what facts.causal says. False
 * and a sentence: there are weights or scores, or the mask has another shape. */
bool lab_dump_set_mask(struct lab_dump *dump, const struct lab_mask_rule *rule,
                       struct error *error);

/* "used: attentions, tokens; not used: labels (5, but …)", owned by the arena. NULL: no memory. */
const char *lab_dump_usage(const struct lab_dump *dump, struct arena *arena);

/* "weights", "scores", "queries and keys". */
const char *lab_dump_content_name(enum lab_dump_content content);

/* All arrays of the file, and those whose numbers cannot be read. */
const struct array *lab_dump_arrays(const struct lab_dump *dump, size_t *count);
const struct array_unread *lab_dump_unread(const struct lab_dump *dump, size_t *count);

/* Where a packed array is unpacked to: one for each thread that reads. All zero to begin with.
 * on_rows, where it is not NULL, is told how many rows of those wanted are read; false: give up. */
struct lab_dump_page {
    bool (*on_rows)(void *owner, size_t done, size_t all);
    void *owner;
    size_t rows, wanted; /* read so far, of how many */
    bool has_unpacked;   /* which takes most of the time: nine tenths of what is told */
    size_t unnoted; /* rows of NaN alone of the heads read so far that facts.doubt does not name */
    struct arena arena;
    const struct array *holds[3]; /* whose numbers they are */
    struct array unpacked[3];
};
void lab_dump_page_free(struct lab_dump_page *page);

/* α of one head into out [n][m]; 0 where a row holds NaN alone (all of its keys were hidden), and
 * in an empty cell of a table. False and a sentence: a number that no weight can be, a damaged
 * member, no memory. */
bool lab_dump_weights(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer,
                      size_t head, float *out, struct error *error);

/* A layer, or where facts.whole_layers is false one head of it, as an experiment: computed no
 * further than it must be; what no head of it has a number for is masked. The caller releases it.
 */
bool lab_dump_experiment(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer,
                         size_t head, struct lab_experiment *experiment, struct error *error);

/* Every head at a head_overview. on_head and owner as in lab/run/thumbnails.h. */
struct lab_thumbnails *lab_dump_thumbnails(const struct lab_dump *dump,
                                           const struct lab_engine *engine,
                                           bool (*on_head)(void *owner, size_t done, size_t all),
                                           void *owner, struct error *error);

#endif
