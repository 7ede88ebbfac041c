/* cli/variants.c — options of the kind of attention: mask, kind and tiles. */
#include <string.h>

#include "base/text.h"
#include "cli/calls.h"

/* Turns the reason into an error of the call. */
static bool refuse_usage(const struct error *reason, struct error *error)
{
    return error_set(error, reason->code == ERROR_INPUT ? ERROR_USAGE : reason->code, "%s",
                     reason->text);
}

bool cli_read_mask_option(const struct cli_options *options, struct lab_experiment *experiment,
                          struct error *error)
{
    const struct cli_value *const value = &options->value[CLI_PARAM(MASK)];
    struct lab_mask_rule rule;
    struct error reason = {ERROR_NONE, 0, ""};
    char name[LAB_MASK_TEXT_MAX] = "";
    if (!value->given) {
        return true;
    }
    const size_t letters = strcspn(value->text, ":"), written = strlen(value->text);
    if (written >= 4 && strcmp(value->text + written - 4, ".npy") == 0) {
        return cli_read_mask(options, experiment, error);
    }
    memcpy(name, value->text, letters < sizeof name ? letters : sizeof name - 1);
    enum lab_mask kind;
    if (!lab_mask_find(name, &kind) || kind == LAB_MASK_CUSTOM) {
        return cli_refuse_unknown(error, "mask", name, cli_mask_name);
    }
    if (!lab_mask_parse(value->text, &rule, &reason)) {
        return refuse_usage(&reason, error);
    }
    lab_experiment_set_mask(experiment, &rule);
    return true;
}

static bool read_kind_option(const struct cli_options *options, struct lab_experiment *experiment,
                             struct error *error)
{
    const struct cli_value *const value = &options->value[CLI_PARAM(KIND)];
    size_t number = 0;
    struct error reason = {ERROR_NONE, 0, ""};
    if (!value->given) {
        return true;
    }
    if (!lab_kind_parse(value->text, &experiment->kind, &number, &reason)) {
        return refuse_usage(&reason, error);
    }
    experiment->groups = experiment->kind == LAB_GROUPED ? number : 0;
    experiment->latent = experiment->kind == LAB_LATENT ? number : 0;
    return true;
}

/* Reads "64,32", or "off". */
static bool read_flash_option(const struct cli_options *options, struct lab_experiment *experiment,
                              struct error *error)
{
    const struct cli_value *const value = &options->value[CLI_PARAM(FLASH)];
    uint64_t sizes[2] = {0, 0};
    if (!value->given) {
        return true;
    }
    if (strcmp(value->text, "off") != 0) {
        char rows[8] = "";
        const char *const comma = strchr(value->text, ',');
        const size_t letters = comma == NULL ? 0 : (size_t)(comma - value->text);
        memcpy(rows, value->text, letters < sizeof rows ? letters : 0);
        if (comma == NULL || !text_to_u64(rows, &sizes[0]) || !text_to_u64(comma + 1, &sizes[1]) ||
            sizes[0] < 1 || sizes[1] < 1 || sizes[0] > LAB_TOKENS_MAX ||
            sizes[1] > LAB_TOKENS_MAX) {
            return error_set(error, ERROR_USAGE,
                             "--flash is rows and columns of a tile, 1 to %d each, like 16,16; or "
                             "off; not \"%.40s\".",
                             LAB_TOKENS_MAX, value->text);
        }
    }
    experiment->flash_rows = (size_t)sizes[0];
    experiment->flash_cols = (size_t)sizes[1];
    return true;
}

bool cli_read_variant_options(const struct cli_options *options, struct lab_experiment *experiment,
                              struct error *error)
{
    return cli_read_mask_option(options, experiment, error) &&
           read_kind_option(options, experiment, error) &&
           read_flash_option(options, experiment, error);
}
