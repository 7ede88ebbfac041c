/* cli/display.c — options of how weights are looked at: several queries together, keys set aside,
 * colours, marks. */
#include <string.h>

#include "base/text.h"
#include "cli/calls.h"

static bool find_place(enum cli_option option, const char *text, const struct lab_words *words,
                       size_t *place, struct error *error)
{
    uint64_t number = 0;
    const size_t found = lab_words_find(words, text);
    if (found < lab_words_count(words)) {
        *place = found;
        return true;
    }
    if (!text_to_u64(text, &number) || number < 1 || number > lab_words_count(words)) {
        return error_set(error, ERROR_USAGE,
                         "--%s lists tokens, or numbers from 1 to %zu, with commas between them, "
                         "not \"%.40s\".",
                         cli_option_row(option)->name, lab_words_count(words), text);
    }
    *place = (size_t)number - 1;
    return true;
}

/* Reads a list like "dog,2", which names each place once, in any order. */
static bool read_places(const struct cli_options *options, enum cli_option option,
                        const struct lab_words *words, struct lab_places *places,
                        struct arena *arena, struct error *error)
{
    const struct cli_value *const value = &options->value[option];
    if (!value->given) {
        return true;
    }
    *places = (struct lab_places){0};
    for (const char *at = value->text;; at++) {
        const size_t letters = strcspn(at, ",");
        const char *const text = arena_text(arena, at, letters);
        size_t place = 0;
        if (text == NULL) {
            return error_set(error, ERROR_MEMORY, "There is not enough memory for the options.");
        }
        if (!find_place(option, text, words, &place, error)) {
            return false;
        }
        if (!lab_places_has(places, place) && !lab_places_turn(places, place)) {
            return error_set(error, ERROR_USAGE, "--%s lists at most %d.",
                             cli_option_row(option)->name, LAB_PLACES_MAX);
        }
        at += letters;
        if (*at == '\0') {
            return true;
        }
    }
}

bool cli_read_display_options(const struct cli_options *options, struct cli_context *context,
                              struct error *error)
{
    const struct cli_value *const value = options->value;
    struct lab_experiment *const experiment = &context->experiment;
    struct lab_display *const shown = &context->display;
    if (context->lesson.steps > 0 && context->lesson.step[context->step].has_display) {
        *shown = context->lesson.step[context->step].display;
    }
    shown->lines = shown->lines || value[CLI_LINES].given;
    shown->flow = shown->flow || value[CLI_OVERVIEW].given;
    shown->change = shown->change || value[CLI_CHANGE].given;
    shown->logarithmic =
        value[CLI_COLOURS].given ? value[CLI_COLOURS].whole == 1 : shown->logarithmic;
    shown->discs = value[CLI_CELLS].given ? value[CLI_CELLS].whole == 1 : shown->discs;
    const struct lab_words *const keys =
        experiment->context == NULL ? experiment->tokens : experiment->context;
    bool taken = read_places(options, CLI_QUERIES, experiment->tokens, &shown->queries,
                             &context->arena, error) &&
                 read_places(options, CLI_ASIDE, keys, &shown->aside, &context->arena, error);
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    lab_places_clamp(&shown->queries, sizes.n);
    lab_places_clamp(&shown->aside, sizes.m);
    if (taken && value[CLI_RENORMALISE].given && shown->aside.count > 0) {
        taken = lab_experiment_hide_keys(experiment, shown->aside.place, shown->aside.count, error);
        shown->aside = (struct lab_places){0};
    }
    lab_display_clamp_line(shown, &sizes);
    if (taken && value[CLI_QUERIES].given && !value[CLI_QUERY].given) {
        context->selection.query = shown->queries.place[0];
    }
    return taken;
}
