/* Before a class a number or a name that a caption speaks of is read from the last row, wherever
 * the panels show it: a walk over every step of every lesson. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "hands.h"
#include "lab/lesson/lessons.h"

static const float READABLE = 15.95f; /* pixels */
enum { WORDS_MAX = 128 };

/* A number as captions and panels write it. */
struct written {
    double value;
    int decimals; /* of a share in percent: of its hundredths */
    bool is_share;
    size_t length; /* 0: there is none */
};

static struct written read_number(const char *text)
{
    static const char minus[] = "−";
    char digits[24] = "";
    struct written number = {.length = 0};
    size_t at = strncmp(text, minus, strlen(minus)) == 0 ? strlen(minus) : 0, count = 0;
    const bool negative = at > 0;
    bool point = false;
    while (count + 1 < sizeof digits &&
           (isdigit((unsigned char)text[at]) ||
            (text[at] == '.' && !point && count > 0 && isdigit((unsigned char)text[at + 1])))) {
        number.decimals += point;
        point = point || text[at] == '.';
        digits[count++] = text[at++];
    }
    if (count > 0) {
        static const char *const percents[] = {" %", "%", "\u00a0%", "\u202f%"};
        number.value = (negative ? -1 : 1) * strtod(digits, NULL);
        for (size_t p = 0; p < sizeof percents / sizeof *percents; p++) {
            number.is_share |= strncmp(text + at, percents[p], strlen(percents[p])) == 0;
        }
        number.length = at;
    }
    return number;
}

/* Says whether one is the other, rounded. */
static bool is_same(const struct written *spoken, const struct written *shown)
{
    const double factor = spoken->is_share && !shown->is_share ? 100 : 1;
    const int decimals = shown->decimals - (factor > 1 ? 2 : 0);
    const bool kinds = spoken->is_share || !shown->is_share;
    return kinds && decimals >= spoken->decimals &&
           fabs(shown->value * factor - spoken->value) <= 0.501 * pow(10, -spoken->decimals);
}

/* The largest font in which a number is shown outside the caption; 0: it is not. */
static float size_of_number(const struct hands *hands, const struct written *spoken)
{
    const struct canvas *const canvas = hands_canvas(hands);
    const char *const caption = hands->state->view.caption;
    float most = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        char text[256];
        if (command->kind != CANVAS_TEXT) {
            continue;
        }
        snprintf(text, sizeof text, "%.*s", (int)command->length, canvas_text_of(canvas, command));
        const bool alone = read_number(text).length > 0;
        if (!alone && strstr(caption, text) != NULL) {
            continue;
        }
        for (const char *at = text; *at != '\0';) {
            const bool begins = at == text || !isalnum((unsigned char)at[-1]);
            const struct written shown = begins ? read_number(at) : (struct written){0};
            if (shown.length > 0 && is_same(spoken, &shown)) {
                most = fmaxf(most, command->rect.h);
            }
            at += shown.length > 0 ? shown.length : 1;
        }
    }
    return most;
}

/* The largest font in which a word is named, or its beginning where the rest stands below. */
static float size_of_name(const struct hands *hands, const char *word)
{
    const struct canvas *const canvas = hands_canvas(hands);
    float most = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_TEXT && command->length > 1 &&
            strncmp(canvas_text_of(canvas, command), word, command->length) == 0) {
            most = fmaxf(most, command->rect.h);
        }
    }
    return most;
}

/* Counts of words, of steps and the like stand in names of things, too: decimals and shares are
 * what is computed. */
static size_t expect_numbers(struct hands *hands, const char *lesson)
{
    const char *const caption = hands->state->view.caption;
    size_t read = 0;
    for (const char *at = caption; *at != '\0';) {
        const bool begins = at == caption || !isalnum((unsigned char)at[-1]);
        const struct written spoken = begins ? read_number(at) : (struct written){0};
        if (spoken.length > 0 && (spoken.decimals > 0 || spoken.is_share)) {
            const float size = size_of_number(hands, &spoken);
            if (size > 0 && size < READABLE) {
                fail_msg("%s, step %zu, %g × %g: %.*s is %g high", lesson,
                         hands->state->view.step + 1, (double)hands->input.width,
                         (double)hands->input.height, (int)spoken.length, at, (double)size);
            }
            read += size > 0;
        }
        at += spoken.length > 0 ? spoken.length : 1;
    }
    return read;
}

static size_t expect_names(struct hands *hands, const char *lesson)
{
    const struct lab_trace *const trace = hands->state->document.trace;
    size_t read = 0;
    for (int side = 0; trace != NULL && side < 2; side++) {
        const char *const *const words =
            side == 0 ? lab_trace_queries(trace) : lab_trace_keys(trace);
        const struct lab_sizes sizes = lab_trace_sizes(trace);
        for (size_t w = 0; w < (side == 0 ? sizes.n : sizes.m); w++) {
            char quoted[WORDS_MAX];
            snprintf(quoted, sizeof quoted, "“%s”", words[w]);
            if (strstr(hands->state->view.caption, quoted) == NULL) {
                continue;
            }
            const float size = size_of_name(hands, words[w]);
            if (size > 0 && size < READABLE) {
                fail_msg("%s, step %zu, %g × %g: %s is %g high", lesson,
                         hands->state->view.step + 1, (double)hands->input.width,
                         (double)hands->input.height, quoted, (double)size);
            }
            read += size > 0;
        }
    }
    return read;
}

static void what_captions_speak_of_is_read(void **state)
{
    static const float rooms[][2] = {{1024, 768}, {1280, 720}};
    size_t read = 0;
    (void)state;
    for (size_t l = 0; l < lab_lesson_count(); l += test_stride()) {
        const char *const lesson = lab_lesson_name(l);
        for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
            struct hands *const hands = hands_open_presenter(lesson, rooms[r][0], rooms[r][1]);
            if (hands->state->document.experiment.learned != NULL && r > 0) {
                hands_close(hands); /* they train for long: the narrower room is enough */
                continue;
            }
            for (size_t step = 0; step < hands->state->document.lesson->steps; step++) {
                hands_show_step(hands, step);
                if (hands->state->view.guess != LAB_GUESS_NONE) {
                    hands_key(hands, "PageDown");
                }
                hands_settle(hands);
                hands_frame(hands);
                read += expect_numbers(hands, lesson) + expect_names(hands, lesson);
            }
            hands_close(hands);
        }
    }
    assert_true(read > 300 / test_stride());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_captions_speak_of_is_read)};
    return cmocka_run_group_tests_name("readable", tests, NULL, NULL);
}
