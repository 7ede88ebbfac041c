/* file/kinds.h — the kinds of files: by what each is recognised, what people call it, its suffixes,
 * what it may be opened as, how its arrays are listed, and what to say where it is none. One table,
 * read by info, by every way to open a file, by the desktop's dialogs and by standard input.
 *
 * A kind is recognised by what stands in the file; suffixes are for names that are offered. */
#ifndef FILE_KINDS_H
#define FILE_KINDS_H

#include "file/array.h"

/* In the order in which they are tried. */
enum file_kind {
    FILE_PNG,
    FILE_SVG,
    FILE_PDF,
    FILE_WEBP,
    FILE_GIF,
    FILE_POINTER, /* what Git leaves where a large file was not fetched */
    FILE_RESULTS, /* what compute printed as JSON */
    FILE_JSON,    /* arrays, as json.dump writes them */
    FILE_CONFIG,  /* of a model */
    FILE_LESSON,  /* a session too: any other object of JSON */
    FILE_SAFETENSORS,
    FILE_PYTORCH, /* what torch.save writes: an archive, or a pickle with a mark of its own */
    FILE_PICKLE,  /* any other pickle of Python */
    FILE_GGUF,
    FILE_NPY,
    FILE_NPZ,
    FILE_TABLE,
    FILE_VECTORS,
    FILE_MODEL,  /* a folder with a config.json */
    FILE_FOLDER, /* another folder */
    FILE_KINDS   /* none of them */
};

/* Ways to open a file, as bits. */
enum {
    FILE_AS_LESSON = 1,    /* by itself, or what lies inside a picture */
    FILE_AS_ATTENTION = 2, /* its arrays are */
    FILE_AS_ROWS = 4,      /* numbers of words */
    FILE_AS_MODEL = 8
};

enum { FILE_SUFFIX_MAX = 16 };

struct file_arrays {
    const struct array *array; /* names, types and shapes; numbers where they lie in the file */
    size_t count;
    const struct array_unread *unread; /* what is there beside them and cannot be read */
    size_t unread_count;
    const char *const *note; /* [2 · notes]: name and text by turns, of safetensors;
                                of a table the names of rows and columns */
    size_t notes;
    const struct array_texts *texts; /* [text_count] of npz */
    size_t text_count;
};

struct file_kind_row {
    const char *name;     /* "npz" */
    const char *title;    /* "arrays of NumPy" */
    const char *suffixes; /* "txt vec"; "": of a folder */
    unsigned as;
    bool (*is)(struct bytes file); /* NULL: a folder */
    /* The arrays in it, owned by the arena; NULL: it is not for arrays. */
    bool (*list)(struct bytes file, struct arena *arena, struct file_arrays *out,
                 struct error *error);
    const char *refusal; /* see file_kind_refusal */
};

/* kind < FILE_KINDS */
const struct file_kind_row *file_kind_row(enum file_kind kind);

/* Of a file that was read (its beginning is enough for all but a few), or of a path ("-": standard
 * input). FILE_KINDS: of no kind that is known, or it cannot be read. */
enum file_kind file_kind_of(struct bytes file);
enum file_kind file_kind_of_path(const char *path);

/* The kind by the beginning of a file that is mapped, of which no more is looked at. */
enum file_kind file_kind_of_beginning(struct bytes file);

/* The folder of the model whose weights lie in this file, or in part: model.safetensors, a shard or
 * their index, beside a config.json. False: it is no such file, or the path has no room. */
bool file_kind_model_folder(const char *path, char *folder, size_t size);

/* Returns whether a kind may be opened in one of these ways. FILE_KINDS may not. */
bool file_kind_opens(enum file_kind kind, unsigned as);

/* Returns whether a name ends in one of the suffixes of the kind. */
bool file_kind_has_suffix(enum file_kind kind, const char *name);

/* Returns the suffixes of everything that can be opened, each once, as "json"; NULL behind the
 * last. */
const char *file_kind_suffix_at(size_t index, char suffix[FILE_SUFFIX_MAX]);

/* Why no experiment can be had from a file of that kind, and what helps; NULL: it can be tried. The
 * path tells weights of a folder from others. */
const char *file_kind_refusal(enum file_kind kind, const char *path);

/* False and a sentence that names the file: it is of this kind, which cannot be opened at all. */
bool file_kind_check(const char *path, enum file_kind kind, struct error *error);

/* One array of numbers: an npy or a table as text. */
bool file_kind_read_array(struct bytes file, struct arena *arena, struct array *out,
                          struct error *error);

#endif
