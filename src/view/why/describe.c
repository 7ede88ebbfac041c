/* The alternative text of a picture of why a model says a word. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "view/parts/why.h"

enum { NAMED = 3 }; /* parts that are named with their number */

static const char *number_text(double value, struct arena *arena)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, value, 2);
    return arena_words(arena, "%s%s", value >= 0.005 ? "+" : "", text);
}

/* "MLP 1 +6.07, MLP 0 +1.78": those that add most. */
static const char *list_parts(const struct view_why_answer *answer, struct arena *arena)
{
    const char *words = "";
    size_t named[NAMED];
    for (size_t n = 0; n < NAMED && n < answer->parts; n++) {
        size_t best = SIZE_MAX;
        for (size_t p = 0; p < answer->parts; p++) {
            bool is_named = false;
            for (size_t before = 0; before < n; before++) {
                is_named = is_named || named[before] == p;
            }
            if (!is_named &&
                (best == SIZE_MAX || fabs(answer->part[p].adds) > fabs(answer->part[best].adds))) {
                best = p;
            }
        }
        named[n] = best;
        words =
            arena_words(arena, "%s%s%s %s", words, n == 0 ? "" : ", ", tr(answer->part[best].name),
                        number_text(answer->part[best].adds, arena));
        if (words == NULL) {
            return "";
        }
    }
    return words;
}

static const struct view_why_part *weightiest_head(const struct view_why_answer *answer)
{
    const struct view_why_part *best = NULL;
    for (size_t p = 0; p < answer->parts; p++) {
        const struct view_why_part *const one = &answer->part[p];
        best =
            one->kind == VIEW_WHY_HEAD && one->has_lost && (best == NULL || one->lost > best->lost)
                ? one
                : best;
    }
    return best;
}

const char *view_why_change_words(const struct view_why_row *row, struct arena *arena)
{
    static const char *const forms[] = {[VIEW_WHY_ROW_OFF] = "%s off",
                                        [VIEW_WHY_ROW_MEAN] = "%s at its mean",
                                        [VIEW_WHY_ROW_MASKED] = "%s masked",
                                        [VIEW_WHY_ROW_PATCHED] = "%s of another text"};
    char number[TEXT_NUMBER_MAX];
    const char *const words =
        row->kind == VIEW_WHY_ROW_SET
            ? arena_words(arena, "%s = %s", row->name, text_number(number, row->value, 2))
            : arena_words(arena, tr(forms[row->kind]), row->name);
    return words == NULL ? "" : words;
}

const char *view_why_list_changes(const struct view_why_row *row, size_t rows, struct arena *arena)
{
    const char *list = "";
    for (size_t r = 0; r < rows && list != NULL; r++) {
        list = arena_format(arena, "%s%s%s", list, r == 0 ? "" : ", ",
                            view_why_change_words(&row[r], arena));
    }
    return list == NULL ? "" : list;
}

const char *view_why_describe(const struct view_why *why, struct arena *arena)
{
    const struct view_why_answer *const answer = why->answer;
    if (answer == NULL) {
        return "";
    }
    const struct view_why_part *const head = weightiest_head(answer);
    const char *const with = view_why_list_changes(answer->change, answer->changes, arena);
    const char *const asked =
        answer->rival.word == NULL
            ? arena_words(arena, "“%s”", answer->word.word)
            : arena_words(arena, "“%s” − “%s”", answer->word.word, answer->rival.word);
    const char *const changed =
        with[0] == '\0'
            ? ""
            : arena_format(arena, "%s ", arena_words(arena, "The model is changed: %s.", with));
    const char *const adds =
        arena_words(arena, tr("%sThe logit of %s is %s; most of it is added by %s."), changed,
                    asked, number_text(answer->logit, arena), list_parts(answer, arena));
    const char *const text = head == NULL
                                 ? adds
                                 : arena_words(arena, tr("%s Most is lost without %s: %s."), adds,
                                               head->name, number_text(head->lost, arena));
    return text == NULL ? "" : text;
}
