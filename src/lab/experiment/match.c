/* lab/experiment/match.c — which word of a changed list was which before. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lab/experiment/edits.h"

static bool same(const struct lab_words *before, size_t b, const struct lab_words *now, size_t n)
{
    return strcmp(lab_words_list(before)[b], lab_words_list(now)[n]) == 0;
}

/* The longest common subsequence of before[first … before_end) and now[first … now_end).
 * length [i][j] is that of the rests from i and j on (Wagner and Fischer, 1974). */
static bool match_in_order(const struct lab_words *before, const struct lab_words *now,
                           size_t first, size_t before_end, size_t now_end, size_t *from_row)
{
    const size_t rows = before_end - first, cols = now_end - first;
    uint16_t *const length = calloc((rows + 1) * (cols + 1), sizeof *length);
    if (length == NULL) {
        return false;
    }
    for (size_t i = rows; i-- > 0;) {
        for (size_t j = cols; j-- > 0;) {
            const uint16_t down = length[(i + 1) * (cols + 1) + j];
            const uint16_t right = length[i * (cols + 1) + j + 1];
            const uint16_t both = length[(i + 1) * (cols + 1) + j + 1];
            length[i * (cols + 1) + j] = same(before, first + i, now, first + j)
                                             ? (uint16_t)(both + 1)
                                         : down > right ? down
                                                        : right;
        }
    }
    for (size_t i = 0, j = 0; i < rows && j < cols;) {
        if (same(before, first + i, now, first + j)) {
            from_row[first + j++] = first + i++;
        } else if (length[(i + 1) * (cols + 1) + j] >= length[i * (cols + 1) + j + 1]) {
            i++;
        } else {
            j++;
        }
    }
    free(length);
    return true;
}

/* Words that stand elsewhere now: the first equal one that nobody has taken. */
static bool match_moved(const struct lab_words *before, const struct lab_words *now,
                        size_t *from_row)
{
    const size_t old_count = lab_words_count(before), count = lab_words_count(now);
    bool *const taken = calloc(old_count + 1, sizeof *taken);
    if (taken == NULL) {
        return false;
    }
    for (size_t r = 0; r < count; r++) {
        if (from_row[r] != SIZE_MAX) {
            taken[from_row[r]] = true;
        }
    }
    for (size_t r = 0; r < count; r++) {
        for (size_t b = 0; from_row[r] == SIZE_MAX && b < old_count; b++) {
            if (!taken[b] && same(before, b, now, r)) {
                taken[b] = true;
                from_row[r] = b;
            }
        }
    }
    free(taken);
    return true;
}

bool lab_words_match(const struct lab_words *before, const struct lab_words *now, size_t *from_row)
{
    size_t before_end = lab_words_count(before), now_end = lab_words_count(now), first = 0;
    for (size_t r = 0; r < now_end; r++) {
        from_row[r] = SIZE_MAX;
    }
    /* Most changes are small: what is the same at both ends needs no table. */
    while (first < before_end && first < now_end && same(before, first, now, first)) {
        from_row[first] = first;
        first++;
    }
    while (before_end > first && now_end > first &&
           same(before, before_end - 1, now, now_end - 1)) {
        from_row[--now_end] = --before_end;
    }
    return match_in_order(before, now, first, before_end, now_end, from_row) &&
           match_moved(before, now, from_row);
}
