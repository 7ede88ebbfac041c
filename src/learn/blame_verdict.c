/* learn/blame_verdict.c — see blame.h: what the repeated lines tell, and how it is said. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "learn/blame_internal.h"

enum { LINE_BYTES = 80 /* of a line that is quoted */, OTHERS = 4 /* causes that are named */ };

static float change_of(const struct learn_question *question, const struct learn_blame_line *line)
{
    return fabsf(line->without - question->probability);
}

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

/* Returns the median change by the repeated lines, of those drawn at random alone or of all. */
static bool find_median(const struct learn_question *question, bool drawn_alone, float *median,
                        struct error *error)
{
    float *const changes = calloc(question->line_count + 1, sizeof *changes);
    size_t count = 0;
    if (changes == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory.");
    }
    for (size_t l = 0; l < question->line_count; l++) {
        const struct learn_blame_line *const line = &question->lines[l];
        if (line->is_repeated && (line->is_drawn || !drawn_alone)) {
            changes[count++] = change_of(question, line);
        }
    }
    qsort(changes, count, sizeof *changes, compare_floats);
    *median = count == 0 ? NAN : (changes[(count - 1) / 2] + changes[count / 2]) / 2;
    free(changes);
    return true;
}

/* Says whether a line is the cause rather than another: one without which the word is less likely
 * comes before one that held it back, and then the larger change. */
static bool is_rather(const struct learn_question *question, const struct learn_blame_line *line,
                      const struct learn_blame_line *other)
{
    const bool taught = line->without < question->probability;
    const bool other_taught = other != NULL && other->without < question->probability;
    return other == NULL ||
           (taught != other_taught ? taught
                                   : change_of(question, line) > change_of(question, other));
}

/* Finds the causes and the median, which need all lines that they rest on. */
static bool find_causes(struct learn_blame *blame, struct error *error)
{
    struct learn_question *const question = &blame->question;
    if (!find_median(question, question->drawn > 0, &question->unrelated, error)) {
        return false;
    }
    for (size_t l = 0; l < question->line_count; l++) {
        struct learn_blame_line *const line = &blame->line[l];
        const float change = line->is_repeated ? change_of(question, line) : 0;
        line->is_cause = change > LEARN_BLAME_CHANGE_MIN &&
                         change > LEARN_BLAME_CHANGE_TIMES * question->unrelated;
        if (line->is_cause && is_rather(question, line, question->cause)) {
            question->cause = line;
        }
    }
    return true;
}

bool learn_blame_judge(struct learn_blame *blame, struct error *error)
{
    struct learn_question *const question = &blame->question;
    question->repeated = question->drawn = 0;
    question->cause = NULL;
    question->unrelated = NAN;
    question->is_judged = true;
    for (size_t l = 0; l < question->line_count; l++) {
        struct learn_blame_line *const line = &blame->line[l];
        const float *const weights = blame->without[line->line];
        line->is_repeated = weights != NULL;
        if (line->is_repeated &&
            !learn_blame_probability(blame, weights, &line->without, NULL, error)) {
            return false;
        }
        line->is_cause = false;
        question->is_judged =
            question->is_judged &&
            (line->is_repeated || (l >= LEARN_BLAME_LIKELIEST && !line->is_drawn));
        question->repeated += line->is_repeated ? 1 : 0;
        question->drawn += line->is_repeated && line->is_drawn ? 1 : 0;
    }
    return !question->is_judged || find_causes(blame, error);
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* Says a change in percentage points, whole ones: whoever computes it from the table, where each
 * number is rounded, comes to the same. */
static const char *points_of(float change, struct arena *arena)
{
    const double points = 100 * (double)change;
    char digits[TEXT_NUMBER_MAX];
    return points < 0.5   ? tr("less than 1 point")
           : points < 1.5 ? tr("about 1 point")
                          : arena_format(arena, "about %s points", text_number(digits, points, 0));
}

/* Returns the repeated line that changes the word most; NULL: none is repeated. */
static const struct learn_blame_line *largest_change(const struct learn_question *question)
{
    const struct learn_blame_line *largest = NULL;
    for (size_t l = 0; l < question->line_count; l++) {
        const struct learn_blame_line *const line = &question->lines[l];
        if (line->is_repeated &&
            (largest == NULL || change_of(question, line) > change_of(question, largest))) {
            largest = line;
        }
    }
    return largest;
}

/* Returns whether a line is a cause that made the word less likely: without it there is more. */
static bool is_against(const struct learn_question *question, const struct learn_blame_line *line)
{
    return line->is_cause && line->without > question->probability;
}

/* Names the other causes that taught the word, or those that work against it, with what the word
 * has without each. */
static const char *other_causes(const struct learn_question *question, bool against,
                                struct arena *arena)
{
    const char *list = "";
    char share[TEXT_NUMBER_MAX];
    size_t count = 0;
    for (size_t l = 0; list != NULL && l < question->line_count && count < OTHERS; l++) {
        const struct learn_blame_line *const line = &question->lines[l];
        if (line->is_cause && line != question->cause && is_against(question, line) == against) {
            list = arena_format(arena, tr("%s%sline %zu (%s %%)"), list, count++ > 0 ? ", " : "",
                                line->number, text_percent(share, (double)line->without));
        }
    }
    return count == 0 || list == NULL
               ? ""
               : arena_format(arena, against ? " Works against it: %s." : " Causes too: %s.", list);
}

const char *learn_blame_behind(const struct learn_blame *blame, struct arena *arena)
{
    const struct learn_question *const question = &blame->question;
    const int32_t start = learn_data_line_start(blame->data);
    const size_t before = question->count > 1 && question->tokens[0] == start ? 1 : 0;
    const char *const gap = learn_data_is_letters(blame->data) ? "" : " ";
    const char *text = "";
    for (size_t t = before; text != NULL && t < question->count; t++) {
        text = arena_format(arena, "%s%s%s", text, t > before ? gap : "",
                            learn_data_words(blame->data)[question->tokens[t]]);
    }
    return text;
}

/* Says what the lines change that have nothing to do with it. */
static const char *unrelated_sentence(const struct learn_question *question, struct arena *arena)
{
    const char *const points = points_of(question->unrelated, arena);
    return points == NULL ? NULL
           : question->drawn > 0
               ? arena_format(arena,
                              " %zu lines drawn at random to compare with change it by %s (the "
                              "median: half change it less, half more).",
                              question->drawn, points)
               : arena_format(arena,
                              " The %zu lines left out change it by %s (the median: half change it "
                              "less, half more).",
                              question->repeated, points);
}

/* Says what the word has without a line; where all is there to tell, that no line taught it. */
static const char *main_sentence(const struct learn_blame *blame,
                                 const struct learn_blame_line *line, struct arena *arena)
{
    const struct learn_question *const question = &blame->question;
    char now[TEXT_NUMBER_MAX], without[TEXT_NUMBER_MAX];
    size_t length = 0;
    const char *const text = learn_data_line_text(blame->data, line->line, &length);
    const int shown =
        (int)(length <= LINE_BYTES ? length : text_former_letter(text, length, LINE_BYTES));
    const char *const word = learn_data_words(blame->data)[question->word];
    text_percent(without, (double)line->without);
    text_percent(now, (double)question->probability);
    return question->cause != NULL || !question->is_judged
               ? arena_format(arena,
                              "Trained again from the same start without line %zu (“%.*s”), it "
                              "says “%s” with %s %% instead of %s %%.",
                              line->number, shown, text, word, without, now)
               : arena_format(arena,
                              "None of the %zu lines left out taught it alone: without line %zu "
                              "(“%.*s”), which changes it most, it says “%s” with %s %% instead of "
                              "%s %%.",
                              question->repeated, line->number, shown, text, word, without, now);
}

const char *learn_blame_sentence(const struct learn_blame *blame, struct arena *arena)
{
    const struct learn_question *const question = &blame->question;
    const struct learn_blame_line *const line =
        question->cause != NULL ? question->cause : largest_change(question);
    if (line == NULL) {
        return "";
    }
    const char *const main = main_sentence(blame, line, arena);
    const char *const unrelated =
        question->is_judged ? unrelated_sentence(question, arena)
                            : tr(" Whether that is more than chance shows when the lines to "
                                 "compare with are done.");
    const char *const others = other_causes(question, false, arena);
    const char *const against = other_causes(question, true, arena);
    const char *const stable =
        question->is_in_text
            ? ""
            : tr(" No line of the text says this itself: what a line changes then differs from "
                 "seed to seed.");
    return main == NULL || unrelated == NULL
               ? NULL
               : arena_format(arena, "%s%s%s%s%s", main, unrelated, others, against, stable);
}
