/* app/why/circuit.h — circuits of a model's weights, for the view and for pictures. */
#ifndef APP_WHY_CIRCUIT_H
#define APP_WHY_CIRCUIT_H

#include "model/model.h"
#include "view/parts/circuit.h"

struct app_why_circuit_asked {
    const struct model *model;
    struct lab_engine engine;
    size_t head; /* layer · heads + head: over its vocabulary too; MODEL_EACH: which of all copy */
    bool (*goes_on)(void *owner); /* NULL: it does */
    void *owner;
};

/* Fills what is shown; the arena owns its texts. False and a sentence: such weights cannot be read
 * so, or memory; without a sentence (ERROR_NONE): it was given up. From any thread. */
bool app_why_circuit_fill(const struct app_why_circuit_asked *asked, struct arena *arena,
                          struct view_circuit *shown, struct error *error);

#endif
