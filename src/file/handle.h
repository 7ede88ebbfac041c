/* file/handle.h — a file or a folder that was looked at, held open for whoever reads it next: the
 * bytes of a file, the arrays in it, the keys and tensors of a GGUF, the settings of a model's
 * folder. Each is opened and parsed when it is first asked for, and never again.
 *
 * A handle is counted; one thread at a time asks it for what it does not have yet. All that it
 * gives lives as long as it is held. */
#ifndef FILE_HANDLE_H
#define FILE_HANDLE_H

#include "base/file.h"
#include "file/gguf.h"
#include "file/json.h"
#include "file/kinds.h"

struct file_handle;

/* Opens what lies at a path ("-": standard input), of whatever kind; what cannot be opened says so
 * when its bytes are asked for. The caller releases the handle. NULL: no memory. */
struct file_handle *file_handle_open(const char *path);
struct file_handle *file_handle_keep(struct file_handle *handle);
void file_handle_release(struct file_handle *handle); /* NULL is fine */

const char *file_handle_path(const struct file_handle *handle);
enum file_kind file_handle_kind(const struct file_handle *handle); /* of NULL: FILE_KINDS */

/* The facts of the file as they were before it was opened: who writes meanwhile is noticed. */
struct file_mark file_handle_mark(const struct file_handle *handle);

/* Its bytes as they lie on the disk. False and the reason; of NULL: no memory. */
bool file_handle_map(struct file_handle *handle, struct bytes *out, struct error *error);

/* Returns whether a file that is mapped is still as long as it was. */
bool file_handle_is_whole(const struct file_handle *handle);

/* Copies its bytes into the arena, as file_read does. */
bool file_handle_read(struct file_handle *handle, size_t limit, struct arena *arena,
                      struct bytes *out, struct error *error);

/* The arrays in it, by the kind of all its bytes; of a kind that has arrays. False and the reason.
 */
bool file_handle_arrays(struct file_handle *handle, struct file_arrays *out, struct error *error);

/* A GGUF with the files that belong to it, as gguf_files_open reads them. NULL and the reason. */
const struct gguf_files *file_handle_gguf(struct file_handle *handle, struct error *error);

/* A file of settings in the folder: config.json, tokenizer_config.json, special_tokens_map.json,
 * with long texts and numbers of any size. NULL and a sentence that begins with its name. */
const struct json *file_handle_settings(struct file_handle *folder, const char *name,
                                        struct error *error);

#endif
