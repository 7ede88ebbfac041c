/* file/progress.h — who is told how much of a long reading is done, and can stop it. */
#ifndef FILE_PROGRESS_H
#define FILE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct file_progress {
    bool (*goes_on)(void *owner, size_t done,
                    size_t all); /* bytes; false: stop, and say nothing. NULL: nobody listens */
    void *owner;
};

#endif
