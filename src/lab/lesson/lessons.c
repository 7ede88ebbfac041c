/* lab/lesson/lessons.c — the table of built-in lessons. */
#include "lab/lesson/lessons.h"

#include <string.h>

#include "base/embedded.h"

static const struct built_in {
    const char *name, *title, *summary, *file;
} lessons[] = {
    {"cats", "Cats, dogs and a lion",
     "Four words placed by hand: which of them attend to which, and why?",
     "assets/lessons/cats.json"},
    {"ten", "Ten tokens, 64 dimensions",
     "A sentence as a real layer sees it: 64 dimensions, eight heads, random weights.",
     "assets/lessons/ten.json"},
    {"race", "Who won the race?",
     "Two questions look up three facts: queries, keys and values small enough to do by hand.",
     "assets/lessons/race.json"},
    {"hammer", "It is a great tool",
     "Why match and content are separate: weights made by hand let “It” find “hammer”.",
     "assets/lessons/hammer.json"},
    {"library", "A library with index cards",
     "A question is compared with the cards; what is handed out is the content of the books.",
     "assets/lessons/library.json"},
    {"root", "Why divide by √d_k",
     "Random vectors with more and more numbers: without the root softmax sees one key only.",
     "assets/lessons/root.json"},
    {"temperature", "Hot and cold softmax",
     "The same scores, from one winner that takes all to equal shares for everyone.",
     "assets/lessons/temperature.json"},
    {"order", "Order does not matter",
     "Shuffle the words: the rows move, and nothing else changes.", "assets/lessons/order.json"},
    {"bank", "One word, two meanings",
     "“Bank” starts at the same place in two sentences and lands at two.",
     "assets/lessons/bank.json"},
    {"causal", "Only look back",
     "A model that writes cannot look at words that are not there yet: the causal mask.",
     "assets/lessons/causal.json"},
    {"translate", "Two languages: “The cat sat”",
     "Cross-attention: the query comes from one text, keys and values from another.",
     "assets/lessons/translate.json"},
    {"window", "Look near",
     "A sliding window: cost grows with the number of words, and no longer with its square.",
     "assets/lessons/window.json"},
    {"sparse", "Sparse patterns",
     "Which pairs are worth their cost? Five answers on the same words.",
     "assets/lessons/sparse.json"},
    {"fewer", "Fewer keys, fewer values",
     "From a key and a value for every head to one for all: what is shared need not be kept.",
     "assets/lessons/fewer.json"},
    {"latent", "Latent attention",
     "Keep one short row for each token and rebuild keys and values from it.",
     "assets/lessons/latent.json"},
    {"flash", "Flash: same answer, less memory",
     "Tile after tile, a running maximum and a running sum: the whole matrix of scores is never "
     "there.",
     "assets/lessons/flash.json"},
    {"positions", "Order, and how positions bring it back",
     "Attention knows no order of its own; waves or turns give every word its place.",
     "assets/lessons/positions.json"},
};

enum { LESSONS = sizeof lessons / sizeof lessons[0] };

size_t lab_lesson_count(void)
{
    return LESSONS;
}

const char *lab_lesson_name(size_t index)
{
    return lessons[index].name;
}

const char *lab_lesson_title(size_t index)
{
    return lessons[index].title;
}

const char *lab_lesson_summary(size_t index)
{
    return lessons[index].summary;
}

bool lab_lesson_find(const char *name, size_t *index)
{
    for (size_t l = 0; l < LESSONS; l++) {
        if (strcmp(lessons[l].name, name) == 0) {
            *index = l;
            return true;
        }
    }
    return false;
}

bool lab_lesson_load(size_t index, struct arena *arena, struct lab_lesson *lesson,
                     struct error *error)
{
    const struct embedded *const text = embedded_find(lessons[index].file);
    struct error reason = {ERROR_NONE, 0, ""};
    if (text == NULL) {
        return error_set(error, ERROR_INPUT, "The lesson %s is not part of this program.",
                         lessons[index].name);
    }
    return lab_lesson_parse((struct bytes){text->bytes, text->size}, arena, lesson, &reason) ||
           error_set(error, reason.code, "%s: %s", lessons[index].file, reason.text);
}

size_t lab_lesson_steps(size_t index)
{
    struct arena arena = {0};
    struct lab_lesson lesson;
    size_t steps = 0;
    if (lab_lesson_load(index, &arena, &lesson, NULL)) {
        steps = lesson.steps;
        lab_lesson_release(&lesson);
    }
    arena_free(&arena);
    return steps;
}

bool lab_lesson_step(size_t index, size_t step, struct arena *arena, struct lab_step *out,
                     struct error *error)
{
    struct lab_lesson lesson;
    if (!lab_lesson_load(index, arena, &lesson, error)) {
        return false;
    }
    const bool found = step < lesson.steps;
    if (found) {
        *out = lesson.step[step];
        lab_experiment_copy(&out->experiment, &lesson.step[step].experiment);
    }
    const size_t steps = lesson.steps;
    lab_lesson_release(&lesson);
    return found || error_set(error, ERROR_INPUT, "The lesson %s has %zu steps.",
                              lessons[index].name, steps);
}

bool lab_lesson_open(size_t index, struct lab_experiment *experiment, enum lab_stage *stage,
                     struct lab_selection *selection, struct error *error)
{
    struct arena arena = {0};
    struct lab_step step;
    const bool opened = lab_lesson_step(index, 0, &arena, &step, error);
    if (opened) {
        *experiment = step.experiment;
        *stage = step.stage;
        *selection = step.selection;
    }
    arena_free(&arena);
    return opened;
}
