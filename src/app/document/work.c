/* Counts the references to lessons and works. */
#include "app/document/work.h"

#include <stdatomic.h>
#include <stdlib.h>

/* ---- works ---- */

struct document_work *document_work_new(void)
{
    struct document_work *const work = calloc(1, sizeof *work);
    if (work != NULL) {
        work->holders = 1;
    }
    return work;
}

struct document_work *document_work_keep(struct document_work *work)
{
    work->holders++;
    return work;
}

void document_work_release(struct document_work *work)
{
    if (work != NULL && --work->holders == 0) {
        free(work);
    }
}

/* ---- lessons ---- */

/* The lesson stands first, so that a pointer to it is one to all of this. Threads that write a
 * session hold it, too. */
struct counted_lesson {
    struct lab_lesson lesson;
    struct arena texts;
    atomic_size_t holders;
};

const struct lab_lesson document_no_lesson = {.title = "", .summary = ""};

const struct lab_lesson *document_lesson_new(struct lab_lesson *lesson, struct arena *texts)
{
    struct counted_lesson *const counted = calloc(1, sizeof *counted);
    if (counted == NULL) {
        lab_lesson_release(lesson);
        arena_free(texts);
        return NULL;
    }
    counted->lesson = *lesson;
    counted->texts = *texts;
    atomic_init(&counted->holders, 1);
    *lesson = document_no_lesson;
    *texts = (struct arena){0};
    return &counted->lesson;
}

const struct lab_lesson *document_lesson_keep(const struct lab_lesson *lesson)
{
    if (lesson != &document_no_lesson) {
        atomic_fetch_add(&((struct counted_lesson *)lesson)->holders, 1);
    }
    return lesson;
}

void document_lesson_release(const struct lab_lesson *lesson)
{
    struct counted_lesson *const counted = (struct counted_lesson *)lesson;
    if (lesson != NULL && lesson != &document_no_lesson &&
        atomic_fetch_sub(&counted->holders, 1) == 1) {
        lab_lesson_release(&counted->lesson);
        arena_free(&counted->texts);
        free(counted);
    }
}
