/* base/file_set.h — files of a folder that belong together and are replaced together: a config
 * and the weights that it describes.
 *
 * No call of POSIX replaces several files at once, so one rename decides. The new files are written
 * and flushed in FOLDER/.attnscope-new.part; renaming that folder to FOLDER/.attnscope-new is the
 * moment from which they count. Then each is moved to its place, and the empty folder goes. Where
 * the program or the machine stops before that moment, all former files are there; where it stops
 * behind it, file_set_path finds each new file where it lies, and the next replacement finishes the
 * moving. Other programs see a mixture in that case alone, between two moves.
 *
 * Links are never followed: one that has the name of a file is replaced, not what it leads to. */
#ifndef BASE_FILE_SET_H
#define BASE_FILE_SET_H

#include "base/bytes.h"
#include "base/error.h"

enum { FILE_SET_PATH_MAX = 4096 };

struct file_set_part {
    const char *name;     /* without a folder */
    struct bytes content; /* at NULL: there is no such file any more */
};

/* Replaces the files of these names, in this order; the folder is there, and others keep away from
 * it. Permissions of former files stay. True: all are in their places. False and a sentence: the
 * former files stay as they are, or (the sentence says so) the new ones count and could not be
 * moved. */
bool file_set_replace(const char *folder, const struct file_set_part *parts, size_t count,
                      struct error *error);

/* "folder/name", or where that file lies while it waits to be moved. False and a sentence: the path
 * is too long. Whether there is such a file is not asked. */
bool file_set_path(const char *folder, const char *name, char path[FILE_SET_PATH_MAX],
                   struct error *error);

/* Returns whether a name in a folder is of the files that are being replaced, not yet the folder's
 * own. */
bool file_set_is_part(const char *name);

#endif
