/* model/source.h — where the numbers of a model come from: the tensors of a file or of several, by
 * name, as they lie there. Safetensors (model/source_safetensors.c) and GGUF
 * (model/source_gguf.c) are sources; the runner knows neither.
 *
 * A source maps its files and copies nothing: numbers are read, widened or unpacked when a row of
 * them is asked for. Several threads may read at once. */
#ifndef MODEL_SOURCE_H
#define MODEL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "attn/attn.h"
#include "base/error.h"
#include "file/array.h"

enum { MODEL_RANK_MAX = ARRAY_RANK_MAX, MODEL_FILES_MAX = 1024 /* of weights */ };
enum { MODEL_MULTIPLY_X = 31 /* rows of x */, MODEL_MULTIPLY_ROWS = 64 /* of a tensor */ };

/* One tensor. Numbers stand in row-major order, the last side is the fastest (GGUF writes its
 * dimensions the other way round: a source turns them). */
struct model_tensor {
    const char *name;             /* as the file writes it */
    const char *file;             /* the file's name without its folder, for sentences */
    const char *type;             /* "float32", "bfloat16", "Q4_K" */
    size_t rank;                  /* 1 to MODEL_RANK_MAX */
    size_t shape[MODEL_RANK_MAX]; /* slowest first; up to 4 the rest is 1 */
    bool readable;                /* numbers of a kind that can be read; else only for lists */
    bool by_rows;                 /* out × in, where its family has in × out: as it was packed */
    const float *in_place;        /* the numbers where they lie, as float32; NULL: to be copied */
    size_t step;                  /* copies begin and end at multiples of it: 1, or the numbers of
                                     a block (32, 256), which divides the last side */
    /* Copies the numbers first … first + count − 1 of row-major order as float32, exactly. */
    void (*copy)(const struct model_tensor *tensor, size_t first, size_t count, float *out);
    /* out [x rows][rows] = x times so many rows of the tensor's last side, the numbers from
     * first[r] on, without a copy of them: the bits of attn_scores with what `copy` gives. Of at
     * most MODEL_MULTIPLY_X rows of x and MODEL_MULTIPLY_ROWS of the tensor. NULL: there is no
     * such way. */
    void (*multiply)(const struct model_tensor *tensor, const size_t *first, size_t rows,
                     struct attn_operand x, struct attn_matrix out);
    const void *data; /* the source's own */
};

/* A value that a file has under a name (GGUF's key-values). */
struct model_value {
    enum model_value_kind {
        MODEL_VALUE_NONE,
        MODEL_VALUE_NUMBER, /* whole numbers too; exact up to 2⁵³ */
        MODEL_VALUE_TRUTH,
        MODEL_VALUE_TEXT,
        MODEL_VALUE_LIST
    } kind;
    double number;    /* of a truth: 0 or 1 */
    const char *text; /* 0-ended */
    size_t count;     /* items of a list */
};

struct file_handle;
struct model_source;

/* The functions of a kind of source. */
struct model_source_calls {
    /* The tensor of that name; NULL: there is none. It lives as long as the source. */
    const struct model_tensor *(*find)(const struct model_source *source, const char *name);
    /* Returns the tensor at an index; NULL behind the last. */
    const struct model_tensor *(*at)(const struct model_source *source, size_t index);
    /* False and a sentence when a file became shorter since it was opened. */
    bool (*whole)(const struct model_source *source, struct error *error);
    /* Return the value under a key, and an item of a list; kind NONE: there is none. Both NULL: the
     * source has no values, a config.json stands beside it. */
    struct model_value (*value)(const struct model_source *source, const char *key);
    struct model_value (*item)(const struct model_source *source, const char *key, size_t index);
    void (*close)(struct model_source *source);
};

/* The beginning of every source. */
struct model_source {
    const struct model_source_calls *calls;
    const char *name; /* of the file, or of the index of several, for sentences */
};

/* The weights of a folder: model.safetensors, or its shards by their index. NULL and one sentence
 * that names file and rule. The caller closes it by calls->close. */
struct model_source *model_source_safetensors(const char *folder, struct error *error);

/* The same of a model.safetensors that stands in memory, which must live as long as the source. */
struct model_source *model_source_safetensors_of(struct bytes file, struct error *error);

/* A GGUF, which it holds, with the other files of the same model. The sentence begins with the name
 * of the file that is wrong. (model/source_gguf.c) */
struct model_source *model_source_gguf(struct file_handle *file, struct error *error);

/* The file itself, for what reads its other keys, as a tokenizer does; NULL: it is none. */
struct gguf;
const struct gguf *model_source_gguf_of(const struct model_source *source);

/* How many numbers a tensor has. */
size_t model_tensor_count(const struct model_tensor *tensor);

#endif
