/* app/document/work.h — what steps of history share: the lesson that was open, and the work with
 * its file. Both are counted, so that undo returns to them for as long as any step knows them. */
#ifndef APP_DOCUMENT_WORK_H
#define APP_DOCUMENT_WORK_H

#include <stddef.h>

#include "base/arena.h"
#include "base/file.h"
#include "lab/lesson/lessons.h"

enum { DOCUMENT_PATH_BYTES = 4096 };

/* A work is what is saved into one file. */
struct document_work {
    size_t holders;
    char path[DOCUMENT_PATH_BYTES]; /* the file of the session; "": none yet */
    struct file_mark mark;          /* of that file when it was read or written last */
    bool is_written;                /* this file was written from here, not only opened */
};

/* A work in no file, held once. NULL: no memory. */
struct document_work *document_work_new(void);
struct document_work *document_work_keep(struct document_work *work);
void document_work_release(struct document_work *work); /* NULL is fine */

/* The lesson of no steps that stands where none is open; it is held by nobody. */
extern const struct lab_lesson document_no_lesson;

/* A lesson with its texts, held once and never changed again. It takes both over, also where it
 * fails. NULL: no memory. */
const struct lab_lesson *document_lesson_new(struct lab_lesson *lesson, struct arena *texts);
const struct lab_lesson *document_lesson_keep(const struct lab_lesson *lesson);
void document_lesson_release(const struct lab_lesson *lesson); /* NULL is fine */

#endif
