/* lab/experiment/vocab_table.h — the rows of assets/vocab.txt as constants; vocab_compile.c writes
 * them. */
#ifndef LAB_EXPERIMENT_VOCAB_TABLE_H
#define LAB_EXPERIMENT_VOCAB_TABLE_H

#include <stddef.h>

#include "lab/experiment/vocab.h"

struct lab_vocab_entry {
    const char *word;
    float position[LAB_VOCAB_AXES];
};

extern const struct lab_vocab_entry lab_vocab_entries[];
extern const size_t lab_vocab_entry_count;

#endif
