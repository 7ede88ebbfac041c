/* lab/experiment/experiment_members.c — masks, kinds and tiles as JSON. */
#include "lab/experiment/experiment_members.h"

#include <string.h>

#include "lab/experiment/experiment.h"

bool lab_read_mask(struct lab_reading *reading, const struct json *value, void *place,
                   const struct lab_member *member)
{
    (void)member;
    struct lab_experiment *const experiment = place;
    const char *text = NULL;
    struct lab_mask_rule rule;
    struct error reason = {ERROR_NONE, 0, ""};
    if (!json_text(value, &text)) {
        return lab_reading_refuse(reading, "the name of a mask is expected: \"causal\".");
    }
    if (!lab_mask_parse(text, &rule, &reason)) {
        return lab_reading_refuse(reading, "%s", reason.text);
    }
    rule.custom_mask = rule.kind == LAB_MASK_CUSTOM ? experiment->custom_mask : NULL;
    lab_experiment_set_mask(experiment, &rule);
    return true;
}

void lab_put_mask(struct json_writer *json, const void *place)
{
    const struct lab_mask_rule rule = lab_experiment_mask(place);
    char text[LAB_MASK_TEXT_MAX];
    json_put_text(json, lab_mask_text(&rule, text));
}

bool lab_read_custom_mask(struct lab_reading *reading, const struct json *value, void *place,
                          const struct lab_member *member)
{
    (void)member;
    struct lab_experiment *const experiment = place;
    struct lab_custom_mask *made = NULL;
    const bool is_none = json_kind_of(value) == JSON_KIND_NULL ||
                         (json_kind_of(value) == JSON_KIND_ARRAY && json_count(value) == 0);
    if (!is_none) {
        struct array array;
        struct error reason = {ERROR_NONE, 0, ""};
        if (!json_floats(value, reading->arena, &array, &reason)) {
            return lab_reading_refuse(reading, "%s", reason.text);
        }
        const size_t pairs = array.rank == 2 ? array.shape[0] * array.shape[1] : 0;
        const float *const shown = array_floats(&array, reading->arena, &reason);
        uint8_t *const visible = arena_array(reading->arena, pairs + 1, sizeof *visible);
        if (shown == NULL || visible == NULL) {
            return error_set(reading->error, ERROR_MEMORY,
                             "There is not enough memory to read it.");
        }
        if (array.rank != 2) {
            return lab_reading_refuse(reading,
                                      "rows of 0 (hidden) and 1 (seen) are expected: [[1, 0]].");
        }
        for (size_t p = 0; p < pairs; p++) {
            visible[p] = shown[p] < 0 || shown[p] > 0;
        }
        made = lab_custom_mask_make(visible, array.shape[0], array.shape[1], &reason);
        if (made == NULL) {
            return lab_reading_refuse(reading, "%s", reason.text);
        }
    }
    lab_custom_mask_release(experiment->custom_mask);
    experiment->custom_mask = made;
    return true;
}

void lab_put_custom_mask(struct json_writer *json, const void *place)
{
    const struct lab_experiment *const experiment = place;
    const struct lab_custom_mask *const custom_mask = experiment->custom_mask;
    if (custom_mask == NULL || experiment->mask != LAB_MASK_CUSTOM) {
        json_put_null(json);
        return;
    }
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t i = 0; i < lab_custom_mask_rows(custom_mask); i++) {
        json_begin_array(json, JSON_ONE_LINE);
        for (size_t j = 0; j < lab_custom_mask_cols(custom_mask); j++) {
            json_put_whole_number(json, lab_custom_mask_sees(custom_mask, i, j) ? 1 : 0);
        }
        json_end_array(json);
    }
    json_end_array(json);
}

bool lab_read_kind(struct lab_reading *reading, const struct json *value, void *place,
                   const struct lab_member *member)
{
    (void)member;
    struct lab_experiment *const experiment = place;
    const char *text = NULL;
    size_t number = 0;
    struct error reason = {ERROR_NONE, 0, ""};
    if (!json_text(value, &text)) {
        return lab_reading_refuse(reading, "a kind of attention is expected: \"gqa:2\".");
    }
    if (!lab_kind_parse(text, &experiment->kind, &number, &reason)) {
        return lab_reading_refuse(reading, "%s", reason.text);
    }
    experiment->groups = experiment->kind == LAB_GROUPED ? number : 0;
    experiment->latent = experiment->kind == LAB_LATENT ? number : 0;
    return true;
}

void lab_put_kind(struct json_writer *json, const void *place)
{
    const struct lab_experiment *const experiment = place;
    const size_t number = experiment->kind == LAB_GROUPED  ? experiment->groups
                          : experiment->kind == LAB_LATENT ? experiment->latent
                                                           : 0;
    char text[LAB_KIND_TEXT_MAX];
    json_put_text(json, number == 0 ? lab_kind_row(experiment->kind)->name
                                    : lab_kind_text(experiment->kind, number, text));
}

bool lab_read_flash(struct lab_reading *reading, const struct json *value, void *place,
                    const struct lab_member *member)
{
    (void)member;
    struct lab_experiment *const experiment = place;
    size_t *const sizes[] = {&experiment->flash_rows, &experiment->flash_cols};
    int64_t whole[2] = {0, 0};
    if (json_kind_of(value) != JSON_KIND_NULL) {
        bool read = json_kind_of(value) == JSON_KIND_ARRAY && json_count(value) == 2;
        for (size_t k = 0; read && k < 2; k++) {
            read = json_whole_number(json_element(value, k), &whole[k]) && whole[k] >= 1 &&
                   whole[k] <= LAB_TOKENS_MAX;
        }
        if (!read) {
            return lab_reading_refuse(
                reading, "rows and columns of a tile are expected, 1 to %d each: [2, 2].",
                LAB_TOKENS_MAX);
        }
    }
    for (size_t k = 0; k < 2; k++) {
        *sizes[k] = (size_t)whole[k];
    }
    return true;
}

void lab_put_flash(struct json_writer *json, const void *place)
{
    const struct lab_experiment *const experiment = place;
    if (experiment->flash_rows == 0) {
        json_put_null(json);
        return;
    }
    json_begin_array(json, JSON_ONE_LINE);
    json_put_whole_number(json, (int64_t)experiment->flash_rows);
    json_put_whole_number(json, (int64_t)experiment->flash_cols);
    json_end_array(json);
}
