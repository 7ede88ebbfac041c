/* lab/experiment/training.h — how the weights of an experiment were trained: a value that never
 * changes, shared by counting references. What it says is known to the room that trains, whose
 * record it is (learn/learned.h). In files it is a list of short texts, and until that room reads
 * it, it is that list. */
#ifndef LAB_EXPERIMENT_TRAINING_H
#define LAB_EXPERIMENT_TRAINING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;
struct lab_training;
struct lab_words;

/* What a record has to answer. */
struct lab_training_form {
    bool (*equal)(const struct lab_training *a, const struct lab_training *b); /* two records */
    size_t (*bytes)(const struct lab_training *training);
    struct lab_words *(*lines)(const struct lab_training *training); /* see below */
    const char *(*changes)(const struct lab_training *training, struct arena *arena);
    void (*free)(struct lab_training *training);
};

/* A record begins with it. */
struct lab_training {
    atomic_size_t references;
    const struct lab_training_form *form; /* NULL: nobody has read */
    const struct lab_words *unread;       /* this list, which it holds */
};

/* Makes it of a list that was not read, which it holds. The caller holds one reference. NULL: no
 * memory. */
struct lab_training *lab_training_of_lines(const struct lab_words *lines);

/* Return one reference more; give one back. NULL is fine. */
const struct lab_training *lab_training_keep(const struct lab_training *training);
void lab_training_release(const struct lab_training *training);

/* Says whether both mean the same; NULL equals NULL alone. */
bool lab_training_equal(const struct lab_training *a, const struct lab_training *b);

/* Returns the bytes that it takes; NULL: 0. */
size_t lab_training_bytes(const struct lab_training *training);

/* Returns the list that files have of it; the caller holds one reference. NULL: no memory. */
struct lab_words *lab_training_lines(const struct lab_training *training);

/* Tells what was changed by hand before the step that is shown, in translated sentences, "From step
 * 120 on, switched off: L0H1."; owned by the arena. "": nothing, or nobody has read it; NULL is
 * fine. */
const char *lab_training_changes(const struct lab_training *training, struct arena *arena);

#endif
