/* tests/window/asked.h — steps of a lesson that ask the class for something. */
#ifndef TESTS_WINDOW_ASKED_H
#define TESTS_WINDOW_ASKED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "hands.h"
#include "lab/lesson/lessons.h"

/* On the first step of a lesson that has something to guess of that kind. */
static inline void go_to_guess(struct hands *hands, enum lab_guess kind)
{
    for (size_t i = 0; i < hands->state->document.lesson->steps; i++) {
        if (hands->state->view.guess == kind) {
            hands_show_settled(hands); /* a question waits for its weights */
            return;
        }
        hands_key(hands, "PageDown");
        if (hands->state->view.revealed) {
            hands_key(hands, "PageDown");
        }
    }
    assert_int_equal(hands->state->view.guess, kind);
}

/* A lesson of one step that asks for something. */
static inline struct hands *open_asking(const char *stage, const char *guess)
{
    struct hands *hands = hands_open("cats", 1440, 900);
    char path[300], text[500];
    snprintf(path, sizeof path, "%s/asked.json", hands->folder);
    snprintf(text, sizeof text,
             "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"asked\","
             " \"title\": \"What do you think?\", \"steps\": [{\"caption\": \"Well?\","
             " \"stage\": \"%s\", \"query\": \"dog\", \"key\": \"cat\", \"channel\": 1,"
             " \"guess\": {\"hide\": \"%s\"}}]}",
             stage, guess);
    const struct bytes bytes = {(const uint8_t *)text, strlen(text)};
    struct error error = {0};
    assert_true(file_write(path, bytes, NULL));
    assert_true(app_lesson_read(hands->state, path, 0, &error));
    remove(path);
    hands_wait(hands, 1);
    return hands;
}

#endif
