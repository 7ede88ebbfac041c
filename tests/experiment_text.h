/* tests/experiment_text.h — an experiment as a text of JSON of its own, as a step of a session
 * holds it. */
#ifndef TESTS_EXPERIMENT_TEXT_H
#define TESTS_EXPERIMENT_TEXT_H

#include "lab/experiment/experiment_json.h"
#include "lab/experiment/reading.h"

/* Writes the whole text, owned by the arena. */
static inline bool experiment_to_text(const struct lab_experiment *experiment, struct arena *arena,
                                      struct bytes *text, struct error *error)
{
    struct lab_experiment from;
    if (!lab_experiment_default(&from, error)) {
        return false;
    }
    struct json_writer json = json_writer_start(arena);
    lab_experiment_put(&json, experiment, &from, NULL);
    lab_experiment_release(&from);
    return json_writer_finish(&json, text, error);
}

/* Reads the text over *experiment. Returns false with a sentence that names line and key, and
 * changes nothing. */
static inline bool experiment_from_text(struct bytes text, struct lab_experiment *experiment,
                                        struct error *error)
{
    struct error own = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct lab_reading reading = {
        .text = text, .arena = &arena, .error = error == NULL ? &own : error};
    struct json *const tree =
        json_parse_within(text, &(struct json_limits){.row = LAB_ROW_MAX}, reading.error);
    if (tree == NULL) {
        return false;
    }
    struct lab_experiment next;
    lab_experiment_copy(&next, experiment);
    const bool read = lab_experiment_read(&reading, tree, &next);
    if (read) {
        lab_experiment_release(experiment);
        *experiment = next;
    } else {
        lab_experiment_release(&next);
    }
    json_release(tree);
    arena_free(&arena);
    return read;
}

#endif
