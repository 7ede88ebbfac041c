/* Finds which queries are grouped, which keys are set aside, and the weights that are left. */
#include "lab/explain/display.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/explain/explain_internal.h"

static const int DECIMALS = 3;

static size_t find_index(const struct lab_places *places, size_t place)
{
    size_t at = 0;
    while (at < places->count && places->place[at] < place) {
        at++;
    }
    return at;
}

bool lab_places_has(const struct lab_places *places, size_t place)
{
    const size_t at = find_index(places, place);
    return at < places->count && places->place[at] == place;
}

bool lab_places_turn(struct lab_places *places, size_t place)
{
    const size_t at = find_index(places, place);
    size_t *const here = places->place + at;
    const size_t behind = places->count - at;
    if (behind > 0 && *here == place) {
        memmove(here, here + 1, (behind - 1) * sizeof *here);
        places->place[--places->count] = 0;
        return true;
    }
    if (places->count == LAB_PLACES_MAX) {
        return false;
    }
    memmove(here + 1, here, behind * sizeof *here);
    *here = place;
    places->count++;
    return true;
}

void lab_places_clamp(struct lab_places *places, size_t count)
{
    while (places->count > 0 && places->place[places->count - 1] >= count) {
        places->place[--places->count] = 0;
    }
}

/* Counts the words before `place` that are the same. */
static size_t count_same_before(const char *const *words, size_t place)
{
    size_t same = 0;
    for (size_t i = 0; i < place; i++) {
        same += strcmp(words[i], words[place]) == 0;
    }
    return same;
}

void lab_places_follow(struct lab_places *places, const char *const *from, size_t from_count,
                       const char *const *to, size_t to_count)
{
    struct lab_places moved = {0};
    for (size_t p = 0; p < places->count; p++) {
        const size_t place = places->place[p];
        size_t left = place < from_count ? count_same_before(from, place) + 1 : 0;
        for (size_t i = 0; left > 0 && i < to_count; i++) {
            left -= strcmp(to[i], from[place]) == 0;
            if (left == 0) {
                lab_places_turn(&moved, i);
            }
        }
    }
    *places = moved;
}

void lab_display_clamp_line(struct lab_display *display, const struct lab_sizes *sizes)
{
    const size_t words = display->line == LAB_LINE_KEY ? sizes->m : sizes->n;
    if (display->line != LAB_LINE_NONE && display->line_place >= words) {
        display->line = LAB_LINE_NONE;
        display->line_place = 0;
    }
}

size_t lab_display_query_count(const struct lab_display *display)
{
    return display->queries.count > 1 ? display->queries.count : 0;
}

struct lab_matrix lab_display_weights(const struct lab_trace *trace, size_t head,
                                      const struct lab_display *display, struct arena *arena)
{
    struct lab_matrix weights = lab_trace_part(trace, LAB_ALPHA, head);
    const struct lab_matrix alpha = weights;
    if (display->aside.count == 0 || alpha.values == NULL) {
        return weights;
    }
    float *const values = arena_array(arena, alpha.rows * alpha.cols, sizeof *values);
    weights.values = values;
    weights.stride = alpha.cols;
    for (size_t i = 0; values != NULL && i < alpha.rows; i++) {
        float *const row = values + i * alpha.cols;
        for (size_t j = 0; j < alpha.cols; j++) {
            row[j] = lab_matrix_at(&alpha, i, j);
        }
        for (size_t p = 0; p < display->aside.count && display->aside.place[p] < alpha.cols; p++) {
            row[display->aside.place[p]] = 0;
        }
    }
    return weights;
}

void lab_display_sums(const struct lab_matrix *weights, const struct lab_display *display,
                      double *sum)
{
    for (size_t j = 0; j < weights->cols; j++) {
        sum[j] = 0;
        for (size_t p = 0; p < display->queries.count; p++) {
            const size_t i = display->queries.place[p];
            sum[j] += i < weights->rows ? (double)lab_matrix_at(weights, i, j) : 0;
        }
    }
}

/* Names the words: “cat”, “cat” and “dog”, “cat”, “dog” and 3 more. */
static const char *name_places(const struct lab_places *places, const char *const *words,
                               struct arena *arena)
{
    enum { NAMED_MAX = 4 };
    const size_t named = places->count > NAMED_MAX ? NAMED_MAX - 1 : places->count;
    const char *names = "";
    for (size_t p = 0; p < named; p++) {
        const char *const between = p == 0 ? "" : p + 1 == places->count ? tr(" and ") : ", ";
        names = arena_words(arena, "%s%s%s", names, between,
                            lab_quoted(arena, lab_topic_word(arena, words[places->place[p]])));
    }
    return named == places->count
               ? names
               : arena_words(arena, "%s and %zu more", names, places->count - named);
}

const char *lab_display_aside(const struct lab_trace *trace, const struct lab_display *display,
                              struct arena *arena)
{
    struct lab_places aside = display->aside;
    lab_places_clamp(&aside, lab_trace_sizes(trace).m);
    if (aside.count == 0) {
        return NULL;
    }
    return arena_words(arena,
                       tr_n("%s is set aside: rows no longer sum to 1",
                            "%s are set aside: rows no longer sum to 1", aside.count),
                       name_places(&aside, lab_trace_keys(trace), arena));
}

const char *lab_display_aside_share(const struct lab_trace *trace,
                                    const struct lab_display *display,
                                    const struct lab_selection *at, struct arena *arena)
{
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, at->head);
    if (!lab_places_has(&display->aside, at->key) || at->query >= alpha.rows ||
        at->key >= alpha.cols) {
        return NULL;
    }
    char number[TEXT_NUMBER_MAX];
    text_nonzero_number(number, (double)lab_matrix_at(&alpha, at->query, at->key), DECIMALS);
    return arena_words(
        arena, "%s is set aside in the picture only: in what is computed %s still gives it %s.",
        lab_quoted(arena, lab_topic_word(arena, lab_trace_keys(trace)[at->key])),
        lab_quoted(arena, lab_topic_word(arena, lab_trace_queries(trace)[at->query])), number);
}

const char *lab_display_sentence(const struct lab_trace *trace, const struct lab_display *display,
                                 const struct lab_selection *selection, struct arena *arena)
{
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    struct lab_display here = *display;
    lab_places_clamp(&here.queries, sizes.n);
    const size_t query_count = lab_display_query_count(&here);
    double *const sum = arena_array(arena, sizes.m, sizeof *sum);
    if (query_count == 0 || sum == NULL || selection->key >= sizes.m) {
        return NULL;
    }
    const struct lab_matrix weights = lab_display_weights(trace, selection->head, &here, arena);
    if (weights.values == NULL) {
        return NULL;
    }
    const char *const names = name_places(&here.queries, lab_trace_queries(trace), arena);
    const char *const key =
        lab_quoted(arena, lab_topic_word(arena, lab_trace_keys(trace)[selection->key]));
    if (lab_places_has(&here.aside, selection->key)) {
        return arena_words(arena, "%s are looked at together; %s is set aside.", names, key);
    }
    lab_display_sums(&weights, &here, sum);
    double whole = 0;
    for (size_t j = 0; j < sizes.m; j++) {
        whole += sum[j];
    }
    const double given = sum[selection->key];
    char part[TEXT_NUMBER_MAX], all[TEXT_NUMBER_MAX], mean[TEXT_NUMBER_MAX];
    return arena_words(arena, "%s together give %s %s of their %s: %s each on average.", names, key,
                       text_number(part, given, DECIMALS), text_number(all, whole, DECIMALS),
                       text_number(mean, given / (double)query_count, DECIMALS));
}

/* Names the grouped queries that give weight to no visible key. */
static const char *queries_alone(const struct lab_trace *trace, const struct lab_display *display,
                                 struct arena *arena)
{
    struct lab_display here = *display;
    lab_places_clamp(&here.queries, lab_trace_sizes(trace).n);
    return lab_display_query_count(&here) == 0
               ? NULL
               : arena_format(arena, "%s are looked at together.",
                              name_places(&here.queries, lab_trace_queries(trace), arena));
}

const char *lab_display_describe(const struct lab_trace *trace, const struct lab_display *display,
                                 const struct lab_selection *selection, struct arena *arena)
{
    const char *const sentence = selection == NULL
                                     ? queries_alone(trace, display, arena)
                                     : lab_display_sentence(trace, display, selection, arena);
    const char *const aside = lab_display_aside(trace, display, arena);
    return arena_words(arena, "%s%s%s%s%s", sentence != NULL ? " " : "",
                       sentence != NULL ? sentence : "",
                       aside != NULL ? tr(" In the picture ") : "", aside != NULL ? aside : "",
                       aside != NULL ? "." : "");
}
