/* file/folder.h — the files of a model's folder by their names. */
#ifndef FILE_FOLDER_H
#define FILE_FOLDER_H

#include "base/file.h"
#include "base/file_set.h"
#include "file/json.h"

enum { FOLDER_PATH_MAX = FILE_SET_PATH_MAX };

/* Returns whether the folder has a file of that name, of whatever kind; a link that leads nowhere
 * counts: it shall be told. */
bool folder_has(const char *folder, const char *name);

/* "folder/name" in path, or where a file lies that is being replaced (base/file_set.h); false and a
 * sentence: that is too long. */
bool folder_path(const char *folder, const char *name, char path[FOLDER_PATH_MAX],
                 struct error *error);

/* Returns whether it holds an adapter of PEFT, and a sentence that says what becomes a model;
 * false. */
bool folder_has_adapter(const char *folder);
bool folder_refuse_adapter(const char *folder, struct error *error);

/* Reads one file, at most limit bytes. The sentence begins with the file's name. */
bool folder_read(const char *folder, const char *name, size_t limit, struct arena *arena,
                 struct bytes *out, struct error *error);

/* Reads one file as JSON, with NaN and Infinity as Python writes them (file/json.h). The caller
 * releases the tree; NULL and a sentence that begins with the file's name. */
struct json *folder_json(const char *folder, const char *name, struct error *error);

/* Does the same for a file with long texts and, unless whole numbers have to be exact, numbers of
 * any size, as tokenizer_config.json has them ("model_max_length": 10^30). */
struct json *folder_json_loose(const char *folder, const char *name, bool is_exact,
                               struct error *error);

#endif
