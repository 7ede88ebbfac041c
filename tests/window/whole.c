/* Before a class nothing is cut, covered or outside: every step of every lesson, as large rooms and
 * small ones show it, in languages with short words and with long ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "base/translate.h"
#include "hands.h"
#include "lab/lesson/lessons.h"

/* Texts of the screen that end in an ellipsis that is not their own. */
static size_t say_cuts(const struct canvas *canvas, const char *where)
{
    static const char dots[] = "\xe2\x80\xa6";
    size_t cut = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        const size_t length = command->length;
        const char *const text =
            command->kind == CANVAS_TEXT ? canvas_text_of(canvas, command) : "";
        /* What goes on says so behind a space, which a cut leaves out. */
        if (length > 3 && memcmp(text + length - 3, dots, 3) == 0 && text[length - 4] != ' ') {
            fprintf(stderr, "%s: cut: \"%.*s\"\n", where, (int)length, text);
            cut++;
        }
    }
    return cut;
}

static size_t look_at_steps(const char *name, float width, float height, const char *language)
{
    char where[100];
    size_t faults = 0;
    struct hands *hands = hands_open(name, width, height);
    hands_key(hands, "F5");
    for (size_t step = 0; step < hands->state->document.lesson.steps; step++) {
        app_state_apply(hands->state,
                        &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = step},
                        hands->input.time);
        hands_wait(hands, 0.35);
        snprintf(where, sizeof where, "%s %zu, %g × %g, %s", name, step + 1, (double)width,
                 (double)height, language);
        const size_t cuts = say_cuts(hands_canvas(hands), where);
        const size_t collisions = hands_collisions(hands);
        if (cuts + collisions > 0) {
            fprintf(stderr, "%s: %zu cut, %zu collide\n", where, cuts, collisions);
        }
        faults += cuts + collisions;
    }
    hands_close(hands);
    return faults;
}

static void nothing_is_cut_before_a_class(void **state)
{
    static const float rooms[][2] = {{1024, 768}, {1280, 720}, {1440, 900}};
    static const char *const languages[] = {"en", "de"};
    size_t faults = 0;
    (void)state;
    for (size_t l = 0; l < sizeof languages / sizeof *languages; l++) {
        language_speak(language_find(languages[l]));
        for (size_t n = 0; n < lab_lesson_count(); n++) {
            if (lab_lesson_group(n) == LAB_LESSONS_LEARNING) {
                continue; /* what they show while a thread trains is no matter of the window's time
                           */
            }
            for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
                faults += look_at_steps(lab_lesson_name(n), rooms[r][0], rooms[r][1], languages[l]);
            }
        }
    }
    language_speak(NULL);
    assert_int_equal(faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_cut_before_a_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
