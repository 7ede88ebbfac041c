/* lab/experiment/training.c — see training.h. */
#include "lab/experiment/training.h"

#include <stdlib.h>

#include "lab/experiment/experiment.h"

struct lab_training *lab_training_of_lines(const struct lab_words *lines)
{
    struct lab_training *const training = malloc(sizeof *training);
    if (training != NULL) {
        *training = (struct lab_training){.unread = lab_words_keep(lines)};
        atomic_init(&training->references, 1);
    }
    return training;
}

const struct lab_training *lab_training_keep(const struct lab_training *training)
{
    struct lab_training *const shared = (struct lab_training *)training; /* the count changes */
    if (shared != NULL) {
        atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
    }
    return training;
}

void lab_training_release(const struct lab_training *training)
{
    struct lab_training *const shared = (struct lab_training *)training;
    if (shared != NULL &&
        atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1) {
        lab_words_release(shared->unread);
        shared->form != NULL ? shared->form->free(shared) : free(shared);
    }
}

bool lab_training_equal(const struct lab_training *a, const struct lab_training *b)
{
    if (a == NULL || b == NULL || a->form != b->form) {
        return a == b;
    }
    return a->form == NULL ? lab_words_equal(a->unread, b->unread) : a->form->equal(a, b);
}

size_t lab_training_bytes(const struct lab_training *training)
{
    return training == NULL         ? 0
           : training->form == NULL ? lab_words_bytes(training->unread)
                                    : training->form->bytes(training);
}

struct lab_words *lab_training_lines(const struct lab_training *training)
{
    return training->form == NULL ? lab_words_keep(training->unread)
                                  : training->form->lines(training);
}

const char *lab_training_changes(const struct lab_training *training, struct arena *arena)
{
    return training == NULL || training->form == NULL ? ""
                                                      : training->form->changes(training, arena);
}
