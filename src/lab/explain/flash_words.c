/* lab/explain/flash_words.c — what a tile did, as sentences. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/explain/explain_internal.h"
#include "lab/run/flash.h"

int lab_flash_decimals(float factor)
{
    return factor <= 0 || factor >= 0.01f ? 2 : factor >= 0.0001f ? 4 : 6;
}

/* 2.4e-7 as "2·10⁻⁷". */
const char *lab_small_number(struct arena *arena, float value)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (!(value > 0)) {
        return "0";
    }
    int exponent = (int)floor(log10((double)value));
    int leading = (int)((double)value / pow(10, exponent) + 0.5);
    if (leading == 10) {
        leading = 1;
        exponent++;
    }
    if (exponent >= 0 || exponent < -99) {
        return arena_format(arena, "%.2g", (double)value);
    }
    const int tens = -exponent / 10, ones = -exponent % 10;
    return arena_format(arena, "%d·10⁻%s%s", leading, tens > 0 ? digits[tens] : "", digits[ones]);
}

/* "lion and NYC", or "queries 1 to 32". */
static const char *names(struct arena *arena, const char *const *words, size_t from, size_t count,
                         const char *what)
{
    if (count == 1) {
        return arena_format(arena, "%s", lab_topic_word(arena, words[from]));
    }
    if (count == 2) {
        return arena_format(arena, "%s and %s", lab_topic_word(arena, words[from]),
                            lab_topic_word(arena, words[from + 1]));
    }
    return arena_format(arena, "%s %zu to %zu", what, from + 1, from + count);
}

/* The row whose maximum grew: the chosen one if it did, else the first; SIZE_MAX: none. */
static size_t growing_row(const struct lab_flash_tile *tile, size_t query)
{
    size_t found = SIZE_MAX;
    for (size_t r = tile->rows; r-- > 0;) {
        const bool grew = tile->rescale[r] < 1 && !isinf(tile->max_before[r]);
        if (grew && !(found != SIZE_MAX && tile->row + found == query)) {
            found = r;
        }
    }
    return found;
}

/* What this tile did to the rows it belongs to. */
static const char *tile_effect(const struct lab_trace *trace, const struct lab_flash_tile *tile,
                               size_t query, struct arena *arena)
{
    if (tile->skipped) {
        return tr("Nobody here sees anybody: the tile is skipped, nothing is computed.");
    }
    const size_t r = growing_row(tile, query);
    if (r == SIZE_MAX) {
        return tile->col == 0
                   ? tr("The rows begin: m is the largest score so far, l and O are summed "
                        "up below it.")
                   : tr("No maximum grows: what was summed up before stays as it is.");
    }
    char before[TEXT_NUMBER_MAX], after[TEXT_NUMBER_MAX], factor[TEXT_NUMBER_MAX];
    text_number(before, (double)tile->max_before[r], 2);
    text_number(after, (double)tile->max[r], 2);
    text_number(factor, (double)tile->rescale[r], lab_flash_decimals(tile->rescale[r]));
    const bool below = tile->max[r] < 0;
    /* The spaces of the power are some that no line breaks at. */
    return arena_format(arena,
                        "The maximum of %s grows from %s to %s: what was summed up before is "
                        "multiplied by e^(%s − %s%s%s) = %s.",
                        lab_topic_word(arena, lab_trace_queries(trace)[tile->row + r]), before,
                        after, before, below ? "(" : "", after, below ? ")" : "", factor);
}

const char *lab_flash_sentence(const struct lab_trace *trace, const struct lab_flash *flash,
                               const struct lab_flash_tile *tile, size_t query, struct arena *arena)
{
    if (tile == NULL) {
        const char *const skipped =
            flash->skipped > 0
                ? arena_format(arena, " %zu of %zu tiles were skipped: nobody there sees anybody.",
                               flash->skipped, flash->tiles)
                : "";
        return arena_format(arena,
                            "All tiles are done and let go; every row is divided by its sum l. "
                            "Largest difference to the plain result: %s.%s",
                            lab_small_number(arena, flash->difference), skipped);
    }
    return arena_format(
        arena, tr_n("%s meets %s. %s", "%s meet %s. %s", tile->rows),
        names(arena, lab_trace_queries(trace), tile->row, tile->rows, tr("Queries")),
        names(arena, lab_trace_keys(trace), tile->col, tile->cols, tr("keys")),
        tile_effect(trace, tile, query, arena));
}
