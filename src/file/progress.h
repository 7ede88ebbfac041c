/* file/progress.h — a report of how much of a long reading is done, which can stop it. */
#ifndef FILE_PROGRESS_H
#define FILE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct file_progress {
    bool (*goes_on)(void *owner, size_t done,
                    size_t all); /* bytes; returning false stops the reading, without a sentence.
                                    NULL: no report */
    void *owner;
};

#endif
