/* file/gguf.h — the format of models of llama.cpp, Ollama and LM Studio: keys with values, then
 * tensors, whose numbers mostly stand in blocks of few bits (ggml-org/ggml, docs/gguf.md).
 *
 * Read: versions 2 and 3, little endian, all kinds of values, models in one file or in several
 * (NAME-00001-of-00003.gguf). Nothing of the numbers is copied: a tensor is a view into the file.
 *
 *     struct gguf_files files;
 *     if (gguf_files_open("model.gguf", map.bytes, &arena, &files, &error)) {
 *         const struct gguf_tensor *wte = gguf_find(&files.whole, "token_embd.weight");
 *         const struct gguf_value *family = gguf_key(&files.whole, "general.architecture");
 *         …
 *         gguf_files_close(&files);
 *     } */
#ifndef FILE_GGUF_H
#define FILE_GGUF_H

#include "base/file.h"
#include "file/gguf_blocks.h"

enum {
    GGUF_KEYS_MAX = 65536,
    GGUF_TENSORS_MAX = 100 * 1000,
    GGUF_NAME_MAX = 256,          /* bytes of a tensor's name */
    GGUF_KEY_MAX = 65535,         /* bytes */
    GGUF_TEXT_MAX = 64 << 20,     /* bytes of one text */
    GGUF_ITEMS_MAX = 16 << 20,    /* of one list */
    GGUF_DEPTH_MAX = 4,           /* lists in lists */
    GGUF_ALIGNMENT_MAX = 1 << 20, /* bytes */
    GGUF_RANK_MAX = 4,
    GGUF_FILES_MAX = 1000, /* of one model */
};

/* In the order of their numbers in a file. */
enum gguf_value_type {
    GGUF_UINT8,
    GGUF_INT8,
    GGUF_UINT16,
    GGUF_INT16,
    GGUF_UINT32,
    GGUF_INT32,
    GGUF_FLOAT32,
    GGUF_TRUTH,
    GGUF_TEXT,
    GGUF_LIST,
    GGUF_UINT64,
    GGUF_INT64,
    GGUF_FLOAT64,
    GGUF_VALUE_TYPES
};

struct gguf_value {
    const char *key; /* 0-ended; of an item of a list: that of the list */
    enum gguf_value_type type;
    double number;     /* of numbers, and of truths 0 or 1; 64-bit ones are rounded */
    uint64_t bits;     /* of whole numbers, exactly; a negative one in two's complement */
    struct bytes text; /* of a text; not 0-ended, may be no UTF-8 */
    enum gguf_value_type item_type; /* of a list */
    size_t count;                   /* of a list */
    struct bytes items;             /* as they stand in the file */
    const uint64_t *starts; /* [count] of texts and lists in items; NULL: all are of one size */
};

struct gguf_tensor {
    const char *name; /* 0-ended */
    const struct gguf_kind *kind;
    size_t rank;                 /* 1 to GGUF_RANK_MAX */
    size_t shape[GGUF_RANK_MAX]; /* slowest first (the file has it the other way round) */
    size_t count;                /* numbers */
    size_t part;                 /* the file of several that it lies in */
    struct bytes bytes;
};

struct gguf {
    uint32_t version;
    size_t alignment;
    const struct gguf_value *keys; /* [key_count] by their names */
    size_t key_count;
    const struct gguf_tensor *tensors; /* [count] by their names */
    size_t count;
};

/* Reads a file. Names, keys and lists of them are owned by the arena, texts and numbers are those
 * of `file`, which must live as long as they are used. The sentence of a refusal names key or
 * tensor, and rule. */
bool gguf_read(struct bytes file, struct arena *arena, struct gguf *out, struct error *error);

/* Reads only the keys before those of the tokenizer, which are long lists, and no tensors. This is
 * for lists of models, which read many files. */
bool gguf_read_first_keys(struct bytes file, struct arena *arena, struct gguf *out,
                          struct error *error);

/* Return the value under that key, the tensor of that name; NULL: there is none. */
const struct gguf_value *gguf_key(const struct gguf *gguf, const char *key);
const struct gguf_tensor *gguf_find(const struct gguf *gguf, const char *name);

/* The item of a list at an index below its count. */
struct gguf_value gguf_item(const struct gguf_value *list, size_t index);

/* "uint32", "text", "list". */
const char *gguf_value_name(enum gguf_value_type type);

/* ---- files of one model ---------------------------------------------------------------------- */

struct gguf_files {
    struct gguf whole;        /* the first file's keys, the tensors of all */
    struct file_map *maps;    /* of the others; the one that it was opened by is the caller's */
    const char *const *names; /* [count] without their folder */
    size_t count;
};

/* Reads a file that is mapped, and maps those that belong to it. The sentence begins with the name
 * of the file that is wrong. On success the caller closes them, before its own. */
bool gguf_files_open(const char *path, struct bytes file, struct arena *arena,
                     struct gguf_files *out, struct error *error);
void gguf_files_close(struct gguf_files *files);

/* Copies the numbers first … first + count − 1 of a readable tensor in row-major order as float32;
 * both are multiples of kind->numbers. */
void gguf_copy_floats(const struct gguf_tensor *tensor, size_t first, size_t count, float *out);

#endif
