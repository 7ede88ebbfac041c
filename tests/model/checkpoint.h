/* tests/model/checkpoint.h — the tiny checkpoint in memory, to be changed and written elsewhere. */
#ifndef TESTS_MODEL_CHECKPOINT_H
#define TESTS_MODEL_CHECKPOINT_H

#include "base/arena.h"
#include "base/bytes.h"

enum { TENSORS_MAX = 128 };

struct tensor {
    const char *name, *type; /* "F32" … */
    size_t rank, shape[4];
    struct bytes bytes;
};

struct checkpoint {
    struct arena arena;
    struct tensor tensors[TENSORS_MAX];
    size_t count;
    const char *source; /* the folder it was read from */
    char folder[32];    /* the one it is written to */
};

/* Reads the tensors of a folder and makes an empty folder in the working directory. */
void checkpoint_open(struct checkpoint *checkpoint, const char *source);

/* Removes the folder, and forgets everything. */
void checkpoint_close(struct checkpoint *checkpoint);

/* A file of the source; NULL content: it ends the test. */
struct bytes checkpoint_source(struct checkpoint *checkpoint, const char *name);

/* Writes a file of the folder. */
void checkpoint_put(const struct checkpoint *checkpoint, const char *name, struct bytes content);
void checkpoint_put_text(const struct checkpoint *checkpoint, const char *name, const char *text);
void checkpoint_remove(const struct checkpoint *checkpoint, const char *name);

/* Copies config.json, vocab.json and merges.txt, and writes all tensors to model.safetensors. */
void checkpoint_write(struct checkpoint *checkpoint);

/* The tensors first … end − 1 as a safetensors file, with every name behind prefix. */
struct bytes checkpoint_file(struct checkpoint *checkpoint, size_t first, size_t end,
                             const char *prefix);

struct tensor *checkpoint_find(struct checkpoint *checkpoint, const char *name);

/* Rounds every F32 tensor towards zero to F16 or BF16; back: the values after that, as F32. */
void checkpoint_narrow(struct checkpoint *checkpoint, const char *type);
void checkpoint_widen(struct checkpoint *checkpoint);

#endif
