/* A text cut into items. Directions follow the Unicode Bidirectional Algorithm (UAX 9) as far as
 * one line of words and numbers needs it: first strong letter gives the direction of the line
 * (P2, P3), numbers within right-to-left text keep their own order (W2, W4, W7, I1), neutral
 * characters follow their neighbours (N1, N2). Explicit embeddings and isolates are left out. */
#include <string.h>

#include "base/text.h"
#include "canvas/text/font_internal.h"

enum bidi { BIDI_LEFT, BIDI_RIGHT, BIDI_NUMBER, BIDI_NEUTRAL };

static bool is_digit(hb_unicode_funcs_t *unicode, uint32_t code_point)
{
    return hb_unicode_general_category(unicode, code_point) ==
           HB_UNICODE_GENERAL_CATEGORY_DECIMAL_NUMBER;
}

/* Rule W4, with the true minus sign. */
static bool is_separator(uint32_t code_point)
{
    return code_point == '.' || code_point == ',' || code_point == ':' || code_point == '/' ||
           code_point == '+' || code_point == '-' || code_point == 0x2212;
}

static bool has_script(const struct font_item *item)
{
    return item->script != HB_SCRIPT_COMMON && item->script != HB_SCRIPT_INHERITED &&
           item->script != HB_SCRIPT_UNKNOWN;
}

static enum bidi bidi_of(hb_unicode_funcs_t *unicode, const struct font_item *item)
{
    if (is_digit(unicode, item->code_point)) {
        return BIDI_NUMBER;
    }
    if (!has_script(item)) {
        return BIDI_NEUTRAL;
    }
    return hb_script_get_horizontal_direction(item->script) == HB_DIRECTION_RTL ? BIDI_RIGHT
                                                                                : BIDI_LEFT;
}

/* Classes are kept in `level` until neutrals are settled. Returns whether anything reads
 * leftward. */
static bool classify(struct font_item *item, size_t items, enum bidi *base)
{
    hb_unicode_funcs_t *unicode = hb_unicode_funcs_get_default();
    bool any_right = false;
    bool base_known = false;
    for (size_t i = 0; i < items; i++) {
        /* A mark goes with what it marks (W1). */
        const bool mark = i > 0 && item[i].script == HB_SCRIPT_INHERITED;
        const enum bidi kind = mark ? (enum bidi)item[i - 1].level : bidi_of(unicode, &item[i]);
        item[i].level = (uint8_t)kind;
        any_right = any_right || kind == BIDI_RIGHT;
        if (!base_known && (kind == BIDI_LEFT || kind == BIDI_RIGHT)) {
            *base = kind;
            base_known = true;
        }
    }
    for (size_t i = 1; i + 1 < items; i++) {
        if (is_separator(item[i].code_point) && item[i - 1].level == BIDI_NUMBER &&
            item[i + 1].level == BIDI_NUMBER) {
            item[i].level = BIDI_NUMBER;
        }
    }
    return any_right;
}

/* Numbers behind leftward letters stay numbers, the others read as letters (W7). */
static void settle_numbers(struct font_item *item, size_t items, enum bidi base)
{
    enum bidi strong = base;
    for (size_t i = 0; i < items; i++) {
        if (item[i].level == BIDI_LEFT || item[i].level == BIDI_RIGHT) {
            strong = (enum bidi)item[i].level;
        } else if (item[i].level == BIDI_NUMBER && strong == BIDI_LEFT) {
            item[i].level = BIDI_LEFT;
        }
    }
}

/* To a neutral a number reads as the leftward text it stands in (N1). */
static enum bidi as_neighbour(uint8_t kind)
{
    return kind == BIDI_NUMBER ? BIDI_RIGHT : (enum bidi)kind;
}

static void settle_neutrals(struct font_item *item, size_t items, enum bidi base)
{
    for (size_t i = 0; i < items;) {
        if (item[i].level != BIDI_NEUTRAL) {
            i++;
            continue;
        }
        size_t end = i;
        while (end < items && item[end].level == BIDI_NEUTRAL) {
            end++;
        }
        const enum bidi before = i == 0 ? base : as_neighbour(item[i - 1].level);
        const enum bidi behind = end == items ? base : as_neighbour(item[end].level);
        for (; i < end; i++) {
            item[i].level = (uint8_t)(before == behind ? before : base);
        }
    }
}

static void find_levels(struct font_item *item, size_t items)
{
    enum bidi base = BIDI_LEFT;
    if (!classify(item, items, &base)) {
        for (size_t i = 0; i < items; i++) {
            item[i].level = 0;
        }
        return;
    }
    settle_numbers(item, items, base);
    settle_neutrals(item, items, base);
    const uint8_t level[] = {
        [BIDI_LEFT] = base == BIDI_LEFT ? 0 : 2,
        [BIDI_RIGHT] = 1,
        [BIDI_NUMBER] = 2,
    };
    for (size_t i = 0; i < items; i++) {
        item[i].level = level[item[i].level];
    }
}

/* What belongs to no script is shaped with its neighbours, in front of them all with the first;
 * alone as Latin, because DejaVu Sans keeps its kerning there. */
static void spread_scripts(struct font_item *item, size_t items)
{
    hb_script_t script = HB_SCRIPT_LATIN;
    for (size_t i = 0; i < items; i++) {
        if (has_script(&item[i])) {
            script = item[i].script;
            break;
        }
    }
    for (size_t i = 0; i < items; i++) {
        script = has_script(&item[i]) ? item[i].script : script;
        item[i].script = script;
    }
}

/* One file for every letter, so that marks stay on what they mark. */
static void find_files(struct fonts *fonts, enum font_face face, struct font_item *item,
                       size_t items, const char *text, size_t length)
{
    for (size_t i = 0; i < items;) {
        const size_t next = text_next_letter(text, length, item[i].at);
        size_t end = i + 1;
        while (end < items && item[end].at < next) {
            end++;
        }
        const uint32_t file = font_source_for(fonts, face, item + i, end - i);
        const bool missing = file == FONT_NOWHERE;
        const bool apart = missing || fonts->source[file].coloured;
        const size_t letter_apart = apart ? (size_t)item[i].at + 1 : 0;
        for (; i < end; i++) {
            item[i].file = missing ? (uint32_t)face : file;
            item[i].letter_apart = letter_apart;
            item[i].missing = missing;
        }
    }
}

size_t font_items(struct fonts *fonts, enum font_face face, const char *text, size_t length)
{
    void *store = fonts->item;
    if (length == 0 || !font_reserve(&store, &fonts->item_room, length, sizeof *fonts->item)) {
        return 0;
    }
    fonts->item = store;
    hb_unicode_funcs_t *unicode = hb_unicode_funcs_get_default();
    size_t items = 0;
    for (size_t at = 0; at < length;) {
        struct font_item *item = &fonts->item[items++];
        item->at = (uint32_t)at;
        const uint32_t code_point = text_next(text, length, &at);
        const bool blank = code_point == '\t' || code_point == '\n' || code_point == '\r';
        item->code_point = blank ? ' ' : code_point == 0 ? 0xfffd : code_point;
        item->script = hb_unicode_script(unicode, item->code_point);
    }
    find_files(fonts, face, fonts->item, items, text, length);
    find_levels(fonts->item, items);
    spread_scripts(fonts->item, items);
    return items;
}
