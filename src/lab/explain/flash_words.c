/* lab/explain/flash_words.c — describes what a tile did, in sentences and as a sum. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/explain/explain_internal.h"
#include "lab/run/flash.h"

int lab_flash_decimals(float factor)
{
    return factor <= 0 || factor >= 0.01f ? 2 : factor >= 0.0001f ? 4 : 6;
}

/* Writes 2.4e-7 as "2·10⁻⁷". */
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
        return arena_words(arena, "%.2g", (double)value);
    }
    const int tens = -exponent / 10, ones = -exponent % 10;
    return arena_words(arena, "%d·10⁻%s%s", leading, tens > 0 ? digits[tens] : "", digits[ones]);
}

/* Names the words, "“lion” and “NYC”", or counts them, "queries 1 to 32". */
static const char *name_range(struct arena *arena, const char *const *words, size_t from,
                              size_t count, const char *what)
{
    if (count == 1) {
        return lab_quoted(arena, lab_topic_word(arena, words[from]));
    }
    if (count == 2) {
        return arena_format(arena, "%s and %s",
                            lab_quoted(arena, lab_topic_word(arena, words[from])),
                            lab_quoted(arena, lab_topic_word(arena, words[from + 1])));
    }
    return arena_format(arena, "%s %zu to %zu", what, from + 1, from + count);
}

/* Returns the row whose maximum grew: the chosen one if it did, else the first; SIZE_MAX: none. */
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

/* Says what this tile did to its rows. */
static const char *tile_effect(const struct lab_trace *trace, const struct lab_flash_tile *tile,
                               size_t query, struct arena *arena)
{
    if (tile->skipped) {
        return tr("No query here sees a key: the tile is skipped, nothing is computed.");
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
    /* The spaces around the power do not break, so the number stays on one line. */
    return arena_format(
        arena,
        "The maximum of %s grows from %s to %s: what was summed up before is "
        "multiplied by e^(%s − %s%s%s) = %s.",
        lab_quoted(arena, lab_topic_word(arena, lab_trace_queries(trace)[tile->row + r])), before,
        after, before, below ? "(" : "", after, below ? ")" : "", factor);
}

const char *lab_flash_sentence(const struct lab_trace *trace, const struct lab_flash *flash,
                               const struct lab_flash_tile *tile, size_t query, struct arena *arena)
{
    if (tile == NULL) {
        const char *const skipped =
            flash->skipped > 0
                ? arena_format(arena, " %zu of %zu tiles were skipped: no query there sees a key.",
                               flash->skipped, flash->tiles)
                : "";
        return arena_format(arena,
                            "All tiles are done and let go; every row is divided by its sum l. "
                            "Largest difference to the plain result: %s.%s",
                            lab_small_number(arena, flash->difference), skipped);
    }
    return arena_format(
        arena, tr_n("%s meets %s. %s", "%s meet %s. %s", tile->rows),
        name_range(arena, lab_trace_queries(trace), tile->row, tile->rows, tr("Queries")),
        name_range(arena, lab_trace_keys(trace), tile->col, tile->cols, tr("keys")),
        tile_effect(trace, tile, query, arena));
}

/* Returns the sum of the row before this tile: l, or a number of O; 0 at its first tile. */
static double before_tile(const struct lab_trace *trace, const struct lab_flash *flash,
                          size_t number, bool of_output, const struct lab_selection *at,
                          struct arena *arena)
{
    struct lab_flash_tile former;
    const size_t col = number % flash->col_blocks;
    if (col == 0) {
        return 0;
    }
    if (!of_output) {
        return (double)flash->running_sum[at->query * flash->col_blocks + col - 1];
    }
    return lab_flash_tile_of(trace, flash, number - 1, arena, &former)
               ? (double)former
                     .output[(at->query - former.row) * lab_trace_sizes(trace).d_v + at->channel]
               : 0;
}

/* Returns "l(lion) = l · e^(m − m′) + Σ e^(S − m′), m′ = 15.011"; the first tile has no former
 * l. */
static const char *sum_title(const struct lab_topic *topic, bool of_output, bool first, float max)
{
    struct arena *const arena = topic->arena;
    const char *const powers = of_output ? "Σ e^(S − m′) · v" : "Σ e^(S − m′)";
    const char *const former = first ? "" : of_output ? "O · e^(m − m′) + " : "l · e^(m − m′) + ";
    return arena_format(arena, "%s(%s) = %s%s,  m′ = %s", of_output ? "O" : "l", topic->query,
                        former, powers, lab_formula_digits(arena, (double)max, LAB_DECIMALS_MAX));
}

/* Says how much of the row is summed so far. */
static const char *sum_sentence(const struct lab_topic *topic, const struct lab_flash *flash,
                                size_t number)
{
    const size_t left = flash->col_blocks - 1 - number % flash->col_blocks;
    return left == 0
               ? arena_format(topic->arena, "%s has met every key: at the end O is divided by l.",
                              topic->quoted_query)
               : arena_format(topic->arena,
                              tr_n("%s has %zu tile more to come: these are not its last numbers.",
                                   "%s has %zu tiles more to come: these are not its last numbers.",
                                   left),
                              topic->quoted_query, left);
}

struct lab_explanation lab_flash_sum(const struct lab_trace *trace, const struct lab_flash *flash,
                                     size_t number, bool of_output, const struct lab_selection *at,
                                     size_t max_terms, struct arena *arena)
{
    const struct lab_topic topic =
        lab_topic_of(trace, of_output ? LAB_BLEND : LAB_SOFTMAX, at, arena);
    struct lab_formula formula = lab_formula_start(arena, lab_formula_room(max_terms) + 8);
    struct lab_flash_tile tile;
    if (!lab_flash_tile_of(trace, flash, number, arena, &tile) || topic.at.query < tile.row ||
        topic.at.query >= tile.row + tile.rows) {
        return (struct lab_explanation){.title = "", .sentence = ""};
    }
    const size_t row = topic.at.query - tile.row, d_v = lab_trace_sizes(trace).d_v;
    const struct lab_matrix v = lab_trace_part(trace, LAB_V, flash->head);
    const bool first = tile.col == 0;
    const struct lab_sum sum = {
        .left = {tile.power + row * tile.cols, 1, LAB_ROLE_WEIGHT, LAB_DECIMALS_MAX,
                 .cells = {.known = false}},
        .right = {of_output ? v.values + tile.col * v.stride + topic.at.channel : NULL, v.stride,
                  LAB_ROLE_VALUE, lab_decimals(&v, LAB_DECIMALS_MAX), .cells = {.known = false}},
        .count = tile.cols,
    };
    if (!first) {
        const double before = before_tile(trace, flash, number, of_output, &topic.at, arena);
        const double rescale = (double)tile.rescale[row];
        lab_formula_spell(&formula, LAB_DECIMALS_MAX, "%n · ", &before);
        lab_formula_spell(&formula, lab_flash_decimals(tile.rescale[row]), "%k + ", &rescale);
    }
    const double after =
        (double)(of_output ? tile.output[row * d_v + topic.at.channel] : tile.sum[row]);
    lab_formula_text(&formula, LAB_ROLE_NONE, "(");
    lab_formula_sum(&formula, &sum, max_terms);
    lab_formula_spell(&formula, LAB_DECIMALS_MAX, ") = %r", &after);
    const char *const title = sum_title(&topic, of_output, first, tile.max[row]);
    return lab_formula_explanation(&formula, title, sum_sentence(&topic, flash, number));
}
