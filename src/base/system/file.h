/* base/system/file.h — what the operating system does with files. Paths are UTF-8 and have slashes,
 * whatever the system calls them. A file that is open is a number, as in C's library; 0, 1 and 2
 * are standard input, output and errors. Functions that fail say why in errno; what a signal
 * interrupts is done again. */
#ifndef BASE_SYSTEM_FILE_H
#define BASE_SYSTEM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SYSTEM_INPUT, SYSTEM_OUTPUT, SYSTEM_ERRORS, SYSTEM_PATH_MAX = 4096 };

enum system_kind { SYSTEM_REGULAR, SYSTEM_FOLDER, SYSTEM_LINK, SYSTEM_SPECIAL };

struct system_facts {
    enum system_kind kind;
    uint64_t device, number, size;
    int64_t seconds, nanoseconds; /* of its last change */
    uint32_t owner, group,
        may_what; /* who may do what with it; 0 where the system has no such thing */
};

/* Fill in the facts of what a path leads to, of the link itself at its end, or of an open file.
 * False: there is none, or they may not be read. */
bool system_path_facts(const char *path, struct system_facts *facts);
bool system_link_facts(const char *path, struct system_facts *facts);
bool system_file_facts(int file, struct system_facts *facts);

/* Answer in short for what the path leads to. */
bool system_is_regular(const char *path);
bool system_is_folder(const char *path);
bool system_exists(const char *path);
bool system_may_read(const char *path);
bool system_may_write(const char *path);

/* Gives it the owner and the rights of another file, as far as this program may. False: not the
 * rights. The right to run as its owner (setuid) is never passed on. */
bool system_file_take_rights(int file, const struct system_facts *former);

enum system_open {
    SYSTEM_READ,           /* of a pipe no writer is waited for */
    SYSTEM_CREATE,         /* to write; fails where the name is taken (EEXIST) */
    SYSTEM_CREATE_PRIVATE, /* the same, and only the person may read it */
    SYSTEM_WRITE           /* a device that is there, as it stands */
};

/* Returns a file that child processes do not get; -1: it cannot be opened. */
int system_open(const char *path, enum system_open how);

/* A file without a name, which is gone once it is closed; -1: none can be made. */
int system_open_unnamed(void);

/* Creates and opens a file whose name ends in six letters that no other has; path ends in XXXXXX,
 * which they replace. -1: it cannot be. The same as a folder. */
int system_open_unique(char *path);
bool system_make_unique_folder(char *path);

/* Another number for the same open file, with one place in it for both; -1: none is left. */
int system_duplicate(int file);

/* Standard input is this file from now on. */
bool system_become_input(int file);

/* How many bytes were read or written, which may be fewer; -1: it failed. At the end 0 are read. */
ptrdiff_t system_read(int file, void *out, size_t size);
ptrdiff_t system_write(int file, const void *content, size_t size);
ptrdiff_t system_read_at(int file, uint64_t at, void *out, size_t size);
ptrdiff_t system_write_at(int file, uint64_t at, const void *content, size_t size);

bool system_rewind(int file);
bool system_set_size(int file, uint64_t size);

/* Waits until all that was written is on the disk. A device that cannot tell counts as written. */
bool system_flush(int file);
bool system_close(int file);

/* Opens a file to read and write, made where it is missing, never through a link, and locks it. -1:
 * it cannot be opened, or (*taken) another has the lock, which ends with its process, however that
 * ends. is_private: only the person may read the file. */
int system_open_locked(const char *path, bool is_private, bool *taken);

/* Both names lie on one disk; at every moment `to` is the former file or the new one. */
bool system_rename(const char *from, const char *to);
bool system_remove(const char *path);

/* Where the links lead that a path ends in, without following those on its way. Returns 0 or an
 * errno: nothing needs to be there. */
int system_follow_links(const char *path, char target[SYSTEM_PATH_MAX]);

#endif
