/* lab/dump/dump.h — a file of attention that was computed elsewhere (.npy, .npz, .safetensors):
 * weights of every head of every layer, scores before the softmax, or queries and keys alone.
 *
 * The name of an array (as Hugging Face and TransformerLens give it), its shape and its first rows
 * tell what it is. What they do not decide is guessed, and lab_dump_facts.doubt says so. The file
 * is mapped and read where it is looked at; it is never copied as a whole. */
#ifndef LAB_DUMP_DUMP_H
#define LAB_DUMP_DUMP_H

#include "file/array.h"
#include "file/handle.h"
#include "file/kinds.h"
#include "file/progress.h"
#include "lab/experiment/experiment.h"
#include "lab/run/thumbnails.h"

/* The kinds of numbers that a file of attention holds. */
enum lab_dump_content {
    LAB_DUMP_WEIGHTS, /* α */
    LAB_DUMP_SCORES,  /* scaled and masked; the softmax is taken here */
    LAB_DUMP_QK,      /* Q and K; scores and softmax are computed here */
    LAB_DUMP_RAW,     /* a matrix that is no attention, shown as it is */
    LAB_DUMP_CONTENTS
};

/* The readings of an array, and the rules by which a query sees keys where the file has Q and K
 * alone. */
enum lab_dump_reading {
    LAB_DUMP_BY_NAME,
    LAB_DUMP_AS_WEIGHTS,
    LAB_DUMP_AS_SCORES,
    LAB_DUMP_AS_QUERIES, /* and another array as keys */
    LAB_DUMP_AS_RAW,     /* any numbers, without a softmax */
    LAB_DUMP_READINGS
};
enum lab_dump_sight { LAB_DUMP_SEES_BY_NAME, LAB_DUMP_SEES_ALL, LAB_DUMP_SEES_BACK };

/* The caller's choices where the file does not decide. All zero: the likeliest is taken. */
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
    bool counted;                 /* tokens are counted even where the file names them */
    struct lab_dump **unclear; /* receives the file as lab_dump_list opens it where a request could
                                  say what is meant; the caller closes it. NULL: not wanted */
    struct file_handle *file;  /* where it is open already; NULL: it is opened here */
    const struct attn_kernels *kernels; /* NULL: the best; all give the same bits */
    struct file_progress progress; /* told how much of a packed array is unpacked; when it stops,
                                      NULL is returned without a sentence */
};

/* Returns "weights", "scores", "queries", "raw" as options write it, from 0; NULL behind the last.
 */
const char *lab_dump_reading_name(size_t reading);

struct lab_dump;

enum {
    LAB_DUMP_ARRAYS_MAX = 8192,
    LAB_DUMP_WORDS_BYTES_MAX = 4 << 20, /* of a file of tokens */
};

/* Opens a file. Returns NULL and one sentence that names the file and what is wrong: it is no file
 * of attention, damaged or too large. ERROR_UNCLEAR: a request could say what is meant. The caller
 * closes it. */
struct lab_dump *lab_dump_open(const char *path, const struct lab_dump_request *request,
                               struct error *error);

/* Opens a file of arrays without asking which of them is attention. Only its items and its name can
 * be read from it. */
struct lab_dump *lab_dump_list(const char *path, struct error *error);

/* Arrays whose names differ only in the number of the layer. */
struct lab_dump_item {
    const char *name;  /* as in the request; "" in an npy */
    const char *shape; /* of one of them: "12 × 9 × 9" */
    const char *type;  /* "float16" */
    const char *axes;  /* their usual order; "" where it is not known */
    size_t arrays;     /* 1, or a number for each layer */
    size_t rank, size[ARRAY_RANK_MAX];
    enum lab_dump_reading reading; /* as the name says; LAB_DUMP_BY_NAME: it does not */
    bool numbered;                 /* there is one for each layer, so no axis is the layer */
};
size_t lab_dump_items(const struct lab_dump *dump);
struct lab_dump_item lab_dump_item(struct lab_dump *dump, size_t index);

/* Lists the arrays that may be tokens: texts, notes, and short arrays of whole numbers. The names
 * are owned by the dump. */
const char *const *lab_dump_texts(struct lab_dump *dump, size_t *count);
struct lab_dump *lab_dump_keep(struct lab_dump *dump); /* holds it once more, to be closed so */
void lab_dump_close(struct lab_dump *dump);            /* NULL is fine */

/* Says quickly whether a file looks like one of attention; opening may still refuse it. */
bool lab_dump_probe(struct file_handle *file);

/* The file that it holds. */
struct file_handle *lab_dump_file(const struct lab_dump *dump);

/* Whose attention an array may be, in a model that reads one text and writes another. */
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
    const size_t *number;                   /* [layers] the file's own; NULL: they count from 0 */
    const struct lab_words *queries, *keys; /* n and m words */
    const char *words_from;                 /* "the array tokens"; NULL: they are counted */
    const char *side[LAB_DUMP_SIDES];       /* arrays of each, as in the request, where the file
                                               holds several by their names; NULL: none */
    enum lab_dump_side shown;               /* the side that `array` belongs to */
    const char *doubt;                      /* a sentence on what was guessed; "": nothing */
    const char *used, *unused; /* arrays and lists of tokens that are shown, and those that are not,
                                  with the reason: "attentions, tokens"; "labels (5, but there are 8
                                  rows and 8 columns)" */
    size_t unused_count;
    bool is_guess; /* neither names nor numbers say that it is attention, so a person should be
                      asked */
};
const struct lab_dump_facts *lab_dump_facts(const struct lab_dump *dump);

/* Sets which keys a query sees where the file has Q and K alone; this replaces what facts.causal
 * says. Returns false and a sentence where there are weights or scores, or the mask has another
 * shape. */
bool lab_dump_set_mask(struct lab_dump *dump, const struct lab_mask_rule *rule,
                       struct error *error);

/* Returns "used: attentions, tokens; not used: labels", owned by the arena. NULL: no memory. */
const char *lab_dump_usage(const struct lab_dump *dump, struct arena *arena);

/* Returns "weights", "scores", "queries and keys" or "a raw matrix". */
const char *lab_dump_content_name(enum lab_dump_content content);

/* All arrays of the file, and those whose numbers cannot be read. */
const struct array *lab_dump_arrays(const struct lab_dump *dump, size_t *count);
const struct array_unread *lab_dump_unread(const struct lab_dump *dump, size_t *count);

/* The memory into which packed arrays are unpacked: one for each thread that reads, all zero to
 * begin with. on_rows, where it is not NULL, is told how many of the wanted rows are read, and
 * stops the reading by returning false. */
struct lab_dump_page {
    bool (*on_rows)(void *owner, size_t done, size_t all);
    void *owner;
    size_t rows, wanted; /* read so far, of how many */
    bool has_unpacked;   /* unpacking counts as nine tenths of the progress */
    size_t unnoted; /* rows of NaN alone, in heads read so far, that facts.doubt does not name */
    struct arena arena;
    const struct array *holds[3]; /* the arrays that are unpacked */
    struct array unpacked[3];
};
void lab_dump_page_free(struct lab_dump_page *page);

/* Reads α of one head into out [n][m]. It is 0 where a row holds NaN alone (all of its keys were
 * hidden), and in an empty cell of a table. Returns false and a sentence where a number cannot be a
 * weight, a member is damaged, or memory is lacking. */
bool lab_dump_weights(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer,
                      size_t head, float *out, struct error *error);

/* Reads a layer, or where facts.whole_layers is false one head of it, as an experiment. It is
 * computed only as far as it must be, and pairs for which no head has a number are masked. The
 * caller releases it. */
bool lab_dump_experiment(const struct lab_dump *dump, struct lab_dump_page *page, size_t layer,
                         size_t head, struct lab_experiment *experiment, struct error *error);

/* Reduces every head to a thumbnail; on_head and owner are as in lab/run/thumbnails.h. */
struct lab_thumbnails *lab_dump_thumbnails(const struct lab_dump *dump,
                                           const struct lab_engine *engine,
                                           bool (*on_head)(void *owner, size_t done, size_t all),
                                           void *owner, struct error *error);

#endif
