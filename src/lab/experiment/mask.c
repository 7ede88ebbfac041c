/* lab/experiment/mask.c — the table of mask kinds. Sliding windows, dilated and global ones follow
 * Beltagy et al., Longformer (2020), strided ones Child et al., Sparse Transformers (2019). */
#include "lab/experiment/mask.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"

static size_t place_distance(size_t i, size_t j)
{
    return i > j ? i - j : j - i;
}

static bool sees_all(const struct lab_mask_rule *rule, size_t i, size_t j)
{
    (void)rule;
    (void)i;
    (void)j;
    return true;
}

static bool sees_past(const struct lab_mask_rule *rule, size_t i, size_t j)
{
    (void)rule;
    return j <= i;
}

static bool sees_window(const struct lab_mask_rule *rule, size_t i, size_t j)
{
    return place_distance(i, j) <= rule->size;
}

static bool sees_causal_window(const struct lab_mask_rule *rule, size_t i, size_t j)
{
    return j <= i && i - j < rule->size;
}

static bool sees_dilated(const struct lab_mask_rule *rule, size_t i, size_t j)
{
    return place_distance(i, j) <= rule->size * rule->step &&
           place_distance(i, j) % rule->step == 0;
}

static bool sees_block(const struct lab_mask_rule *rule, size_t i, size_t j)
{
    return i / rule->size == j / rule->size;
}

static bool sees_strided(const struct lab_mask_rule *rule, size_t i, size_t j)
{
    return j <= i && (i - j < rule->size || (i - j) % rule->size == 0);
}

static bool sees_global(const struct lab_mask_rule *rule, size_t i, size_t j)
{
    return i < rule->size || j < rule->size || place_distance(i, j) <= rule->step;
}

static bool sees_custom(const struct lab_mask_rule *rule, size_t i, size_t j)
{
    return lab_custom_mask_sees(rule->custom_mask, i, j);
}

static const struct lab_mask_row masks[LAB_MASKS] = {
    [LAB_MASK_NONE] = {"none", "none", "None", "all", "every query sees every key", NULL, NULL, 0,
                       0, false, sees_all},
    [LAB_MASK_CAUSAL] = {"causal", "causal", "Causal", "j ≤ i",
                         "every query sees itself and what came before it", NULL, NULL, 0, 0, true,
                         sees_past},
    [LAB_MASK_WINDOW] = {"window", "window:W", "Window", "|i − j| ≤ W",
                         "every query sees its neighbours on both sides", "W", NULL, 1, 0, false,
                         sees_window},
    [LAB_MASK_CAUSAL_WINDOW] = {"causal-window", "causal-window:W", "Causal window",
                                "i − W < j ≤ i", "every query sees itself and the last few keys",
                                "W", NULL, 2, 0, true, sees_causal_window},
    [LAB_MASK_DILATED] = {"dilated", "dilated:W,D", "Dilated window",
                          "|i − j| ≤ W·D, D divides i − j",
                          "every query sees keys around it at equal distances", "W", "D", 1, 2,
                          false, sees_dilated},
    [LAB_MASK_BLOCK] = {"block", "block:B", "Blocks", "⌊i/B⌋ = ⌊j/B⌋",
                        "every query sees the keys of its own block", "B", NULL, 2, 0, false,
                        sees_block},
    [LAB_MASK_STRIDED] = {"strided", "strided:S", "Strided", "j ≤ i, i − j < S or S divides i − j",
                          "every query sees the last keys and, further back, every few", "S", NULL,
                          2, 0, true, sees_strided},
    [LAB_MASK_GLOBAL] = {"global", "global:G+window:W", "Global + window",
                         "i < G or j < G or |i − j| ≤ W",
                         "the first words see all and are seen by all, the others see their "
                         "neighbours",
                         "G", "W", 1, 1, false, sees_global},
    [LAB_MASK_CUSTOM] = {"painted", "painted", "Painted by hand", "as painted",
                         "every query sees the keys that were left to it by hand", NULL, NULL, 0, 0,
                         false, sees_custom},
};

const struct lab_mask_row *lab_mask_row(enum lab_mask mask)
{
    return &masks[mask];
}

bool lab_mask_find(const char *name, enum lab_mask *mask)
{
    for (size_t m = 0; m < LAB_MASKS; m++) {
        if (strcmp(masks[m].name, name) == 0) {
            *mask = (enum lab_mask)m;
            return true;
        }
    }
    return false;
}

bool lab_mask_sees(const struct lab_mask_rule *rule, size_t i, size_t j)
{
    return masks[rule->kind].sees(rule, i, j);
}

size_t lab_mask_pairs(const struct lab_mask_rule *rule, size_t n, size_t m)
{
    size_t pairs = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < m; j++) {
            pairs += lab_mask_sees(rule, i, j) ? 1 : 0;
        }
    }
    return pairs;
}

size_t lab_mask_blind(const struct lab_mask_rule *rule, size_t n, size_t m)
{
    size_t blind = 0;
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;
        while (j < m && !lab_mask_sees(rule, i, j)) {
            j++;
        }
        blind += j == m ? 1 : 0;
    }
    return blind;
}

const char *lab_mask_text(const struct lab_mask_rule *rule, char text[LAB_MASK_TEXT_MAX])
{
    const struct lab_mask_row *const row = &masks[rule->kind];
    if (row->size_name == NULL) {
        snprintf(text, LAB_MASK_TEXT_MAX, "%s", row->name);
    } else if (rule->kind == LAB_MASK_GLOBAL) {
        snprintf(text, LAB_MASK_TEXT_MAX, "global:%zu+window:%zu", rule->size, rule->step);
    } else if (row->step_name != NULL) {
        snprintf(text, LAB_MASK_TEXT_MAX, "%s:%zu,%zu", row->name, rule->size, rule->step);
    } else {
        snprintf(text, LAB_MASK_TEXT_MAX, "%s:%zu", row->name, rule->size);
    }
    return text;
}

/* Reads a whole number from the first `letters` letters. */
static bool read_number(const char *text, size_t letters, size_t *number)
{
    char digits[12] = "";
    uint64_t whole = 0;
    if (letters == 0 || letters >= sizeof digits) {
        return false;
    }
    memcpy(digits, text, letters);
    if (!text_to_u64(digits, &whole)) {
        return false;
    }
    *number = (size_t)whole;
    return true;
}

/* Reads the numbers after the colon. */
static bool read_numbers(const char *text, struct lab_mask_rule *rule)
{
    static const char window[] = "+window:";
    const struct lab_mask_row *const row = &masks[rule->kind];
    const char *const between = rule->kind == LAB_MASK_GLOBAL ? window : ",";
    if (row->size_name == NULL) {
        return false;
    }
    if (row->step_name == NULL) {
        return read_number(text, strlen(text), &rule->size);
    }
    const char *const second = strstr(text, between);
    if (second == NULL) {
        return false;
    }
    const char *const step = second + strlen(between);
    return read_number(text, (size_t)(second - text), &rule->size) &&
           read_number(step, strlen(step), &rule->step);
}

bool lab_mask_parse(const char *text, struct lab_mask_rule *rule, struct error *error)
{
    const size_t letters = strcspn(text, ":");
    for (size_t m = 0; m < LAB_MASKS; m++) {
        const struct lab_mask_row *const row = &masks[m];
        if (strlen(row->name) != letters || strncmp(row->name, text, letters) != 0) {
            continue;
        }
        *rule = (struct lab_mask_rule){(enum lab_mask)m, row->size, row->step, NULL};
        if (text[letters] == ':' && !read_numbers(text + letters + 1, rule)) {
            return error_set(error, ERROR_INPUT, "The mask \"%.40s\" is written %s.", text,
                             row->pattern);
        }
        return lab_mask_check(rule, error);
    }
    return error_set(error, ERROR_INPUT,
                     "There is no mask \"%.40s\"; there are none, causal, window:W, "
                     "causal-window:W, dilated:W,D, block:B, strided:S and global:G+window:W.",
                     text);
}

bool lab_mask_check(const struct lab_mask_rule *rule, struct error *error)
{
    if ((unsigned)rule->kind >= LAB_MASKS) {
        return error_set(error, ERROR_INPUT, "There is no mask number %u.", (unsigned)rule->kind);
    }
    const struct lab_mask_row *const row = &masks[rule->kind];
    const struct {
        const char *name;
        size_t value;
    } numbers[] = {{row->size_name, rule->size}, {row->step_name, rule->step}};
    for (size_t k = 0; k < 2; k++) {
        if (numbers[k].name != NULL &&
            (numbers[k].value < 1 || numbers[k].value > LAB_MASK_NUMBER_MAX)) {
            return error_set(error, ERROR_INPUT, "%s of the mask %s must be 1 to %d, not %zu.",
                             numbers[k].name, row->pattern, LAB_MASK_NUMBER_MAX, numbers[k].value);
        }
    }
    return true;
}

const char *lab_mask_sentence(const struct lab_mask_rule *rule, char text[LAB_MASK_SENTENCE_MAX])
{
    const size_t s = rule->size, step = rule->step, room = LAB_MASK_SENTENCE_MAX;
    char keys[48];
    switch (rule->kind) {
    case LAB_MASK_WINDOW:
        snprintf(text, room,
                 tr_n("every query sees the keys at most %zu place away",
                      "every query sees the keys at most %zu places away", s),
                 s);
        break;
    case LAB_MASK_CAUSAL_WINDOW:
        if (s == 1) {
            snprintf(text, room, tr("every query sees itself alone"));
            break;
        }
        snprintf(text, room, tr("every query sees itself and the %zu before it"), s - 1);
        break;
    case LAB_MASK_DILATED:
        snprintf(keys, sizeof keys, tr_n("%zu key", "%zu keys", s), s);
        snprintf(text, room,
                 tr_n("every query sees itself and, on both sides, %s that stand %zu place apart",
                      "every query sees itself and, on both sides, %s that stand %zu places apart",
                      step),
                 keys, step);
        break;
    case LAB_MASK_BLOCK:
        snprintf(text, room, tr("every query sees the keys of its own block of %zu"), s);
        break;
    case LAB_MASK_STRIDED:
        snprintf(keys, sizeof keys, tr_n("%zu key", "%zu keys", s), s);
        snprintf(text, room,
                 tr("every query sees the last %s up to itself and, further back, one of every "
                    "%zu"),
                 keys, s);
        break;
    case LAB_MASK_GLOBAL:
        if (s == 1) {
            snprintf(
                text, room,
                tr_n("the first word sees all and is seen by all, the others see the keys at most "
                     "%zu place away",
                     "the first word sees all and is seen by all, the others see the keys at most "
                     "%zu places away",
                     step),
                step);
            break;
        }
        snprintf(
            text, room,
            tr_n("the first %zu words see all and are seen by all, the others see the keys at most "
                 "%zu place away",
                 "the first %zu words see all and are seen by all, the others see the keys at most "
                 "%zu places away",
                 step),
            s, step);
        break;
    default:
        snprintf(text, room, "%s", tr(masks[rule->kind].sentence));
    }
    return text;
}
