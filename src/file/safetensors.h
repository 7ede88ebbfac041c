/* file/safetensors.h — the format model weights are given away in: a header of JSON that says name,
 * type, shape and place of every tensor, then the numbers.
 * (github.com/huggingface/safetensors, README, "Format")
 *
 * Read: F64 F32 F16 BF16, I8 I16 I32 I64, U8 U16 U32 U64, BOOL; tensors of other types, such as
 * F8_E4M3, are named. Nothing is copied: a tensor is a view into the file. Every size is checked
 * against the file before it is used; tensors must lie one behind the other without overlap, hole
 * or rest.
 *
 *     struct safetensors tensors;
 *     struct file_map map;
 *     if (safetensors_open("model.safetensors", &map, &arena, &tensors, &error)) {
 *         const struct array *wte = safetensors_find(&tensors, "wte.weight");
 *         …
 *         file_map_close(&map);
 *     } */
#ifndef FILE_SAFETENSORS_H
#define FILE_SAFETENSORS_H

#include "base/file.h"
#include "file/array.h"

enum {
    SAFETENSORS_HEADER_MAX = 100 * 1000 * 1000, /* bytes */
    SAFETENSORS_TENSORS_MAX = 100 * 1000,
    SAFETENSORS_NAME_MAX = 4096,     /* bytes */
    SAFETENSORS_NOTE_MAX = 16 << 20, /* bytes of a text of the header */
    SAFETENSORS_DEPTH_MAX = 8,
};

struct safetensors {
    const struct array *tensors; /* [count], in the order of their names */
    size_t count;
    const struct array_unread *unread; /* [unread_count], whose numbers cannot be read */
    size_t unread_count;
    const char *const
        *notes; /* [2 · note_count]: name and text by turns, of the header's "__metadata__" */
    size_t note_count;
};

/* Returns whether the file begins as one of these: a length, then a brace. */
bool safetensors_probe(struct bytes file);

/* Names, texts and the list are owned by the arena, the numbers are those of `file`, which must
 * live as long as the tensors are used. The sentence of a refusal names tensor and rule. */
bool safetensors_read(struct bytes file, struct arena *arena, struct safetensors *out,
                      struct error *error);

/* Maps the file and reads it; the sentence begins with the file's name. On success the caller
 * closes the map. */
bool safetensors_open(const char *path, struct file_map *map, struct arena *arena,
                      struct safetensors *out, struct error *error);

/* The tensor of that name; NULL: there is none. */
const struct array *safetensors_find(const struct safetensors *tensors, const char *name);

/* The arrays as a file, owned by the arena: float32, in the order they are given, with notes as
 * above (0: none). (file/safetensors_write.c) */
bool safetensors_write(const struct array *arrays, size_t count, const char *const *notes,
                       size_t note_count, struct arena *arena, struct bytes *out,
                       struct error *error);

#endif
