/* learn/recipe_json.c — reads and writes recipes as JSON: a row for each member. */
#include <stddef.h>
#include <string.h>

#include "learn/checkpoint.h"

enum form { FORM_SIZE, FORM_SEED, FORM_NUMBER, FORM_SWITCH, FORM_NAME };

struct member {
    const char *name;
    enum form form;
    size_t offset;
    const char *(*name_at)(size_t index); /* FORM_NAME: an enum's names; NULL behind the last */
};

#define OF(TYPE, MEMBER) offsetof(struct TYPE, MEMBER)
static const struct member recipe_members[] = {
    {"task", FORM_NAME, OF(learn_recipe, task), learn_task_name},
    {"language", FORM_NAME, OF(learn_recipe, language), learn_language_name},
    {"units", FORM_NAME, OF(learn_recipe, units), learn_units_name},
    {"family", FORM_NAME, OF(learn_recipe, shape.family), learn_family_name},
    {"layers", FORM_SIZE, OF(learn_recipe, shape.layers), NULL},
    {"heads", FORM_SIZE, OF(learn_recipe, shape.heads), NULL},
    {"d_model", FORM_SIZE, OF(learn_recipe, shape.d_model), NULL},
    {"d_k", FORM_SIZE, OF(learn_recipe, shape.d_k), NULL},
    {"context", FORM_SIZE, OF(learn_recipe, shape.context), NULL},
    {"vocabulary", FORM_SIZE, OF(learn_recipe, shape.vocabulary), NULL},
    {"mlp", FORM_SIZE, OF(learn_recipe, shape.inner), NULL},
    {"norm", FORM_SWITCH, OF(learn_recipe, shape.norm), NULL},
    {"tied", FORM_SWITCH, OF(learn_recipe, shape.tied), NULL},
    {"causal", FORM_SWITCH, OF(learn_recipe, shape.causal), NULL},
    {"theta", FORM_NUMBER, OF(learn_recipe, shape.theta), NULL},
    {"optimizer", FORM_NAME, OF(learn_recipe, optimiser.method), learn_method_name},
    {"rate", FORM_NUMBER, OF(learn_recipe, optimiser.rate), NULL},
    {"beta1", FORM_NUMBER, OF(learn_recipe, optimiser.beta1), NULL},
    {"beta2", FORM_NUMBER, OF(learn_recipe, optimiser.beta2), NULL},
    {"epsilon", FORM_NUMBER, OF(learn_recipe, optimiser.epsilon), NULL},
    {"weight_decay", FORM_NUMBER, OF(learn_recipe, optimiser.weight_decay), NULL},
    {"momentum", FORM_NUMBER, OF(learn_recipe, optimiser.momentum), NULL},
    {"warmup", FORM_SIZE, OF(learn_recipe, optimiser.warmup), NULL},
    {"decay", FORM_NAME, OF(learn_recipe, optimiser.schedule), learn_schedule_name},
    {"decay_steps", FORM_SIZE, OF(learn_recipe, optimiser.steps), NULL},
    {"clip", FORM_NUMBER, OF(learn_recipe, optimiser.clip), NULL},
    {"sigma", FORM_NUMBER, OF(learn_recipe, sigma), NULL},
    {"batch", FORM_SIZE, OF(learn_recipe, batch), NULL},
    {"steps", FORM_SIZE, OF(learn_recipe, steps), NULL},
    {"seed", FORM_SEED, OF(learn_recipe, seed), NULL},
};

enum { RECIPE_MEMBERS = sizeof recipe_members / sizeof recipe_members[0] };

static void put_members(struct json_writer *json, const struct member *members, size_t count,
                        const void *value)
{
    json_begin_object(json);
    for (size_t m = 0; m < count; m++) {
        const void *const at = (const char *)value + members[m].offset;
        size_t size = 0;
        uint64_t whole = 0;
        float number = 0;
        bool on = false;
        unsigned name = 0;
        json_key(json, members[m].name);
        switch (members[m].form) {
        case FORM_SIZE:
            memcpy(&size, at, sizeof size);
            json_put_whole_number(json, (int64_t)size);
            break;
        case FORM_SEED:
            memcpy(&whole, at, sizeof whole);
            json_put_whole_number(json, (int64_t)whole);
            break;
        case FORM_NUMBER:
            memcpy(&number, at, sizeof number);
            json_put_float(json, number);
            break;
        case FORM_SWITCH:
            memcpy(&on, at, sizeof on);
            json_put_truth(json, on);
            break;
        case FORM_NAME:
            memcpy(&name, at, sizeof name);
            json_put_text(json, members[m].name_at(name));
            break;
        }
    }
    json_end_object(json);
}

static bool read_name(const struct json *json, const struct member *member, void *at)
{
    const char *text = NULL;
    if (!json_text(json, &text)) {
        return false;
    }
    for (unsigned name = 0; member->name_at(name) != NULL; name++) {
        if (strcmp(member->name_at(name), text) == 0) {
            memcpy(at, &name, sizeof name);
            return true;
        }
    }
    return false;
}

static bool read_member(const struct json *json, const struct member *member, void *at)
{
    int64_t whole = 0;
    double number = 0;
    bool on = false;
    switch (member->form) {
    case FORM_SIZE: {
        if (!json_whole_number(json, &whole) || whole < 0 || whole > INT32_MAX) {
            return false;
        }
        const size_t size = (size_t)whole;
        memcpy(at, &size, sizeof size);
        return true;
    }
    case FORM_SEED: {
        if (!json_whole_number(json, &whole)) {
            return false;
        }
        const uint64_t seed = (uint64_t)whole;
        memcpy(at, &seed, sizeof seed);
        return true;
    }
    case FORM_NUMBER: {
        if (!json_number(json, &number) || !(number >= -3.4e38 && number <= 3.4e38)) {
            return false;
        }
        const float value = (float)number;
        memcpy(at, &value, sizeof value);
        return true;
    }
    case FORM_SWITCH:
        if (!json_truth(json, &on)) {
            return false;
        }
        memcpy(at, &on, sizeof on);
        return true;
    case FORM_NAME:
        break;
    }
    return read_name(json, member, at);
}

static bool read_members(const struct json *json, const struct member *members, size_t count,
                         void *value, const char *what, struct error *error)
{
    if (json_kind_of(json) != JSON_KIND_OBJECT) {
        return error_set(error, ERROR_INPUT, "A %s must be an object.", what);
    }
    for (size_t m = 0; m < count; m++) {
        const struct json *const member = json_member(json, members[m].name);
        if (!read_member(member, &members[m], (char *)value + members[m].offset)) {
            return error_set(error, ERROR_INPUT,
                             member == NULL ? "A %s must say its \"%s\"."
                                            : "The %s says a \"%s\" that it cannot have.",
                             what, members[m].name);
        }
    }
    return true;
}

void learn_recipe_put(struct json_writer *json, const struct learn_recipe *recipe)
{
    put_members(json, recipe_members, RECIPE_MEMBERS, recipe);
}

bool learn_recipe_take(const struct json *json, struct learn_recipe *recipe, struct error *error)
{
    memset(recipe, 0, sizeof *recipe);
    return read_members(json, recipe_members, RECIPE_MEMBERS, recipe, "recipe", error);
}
