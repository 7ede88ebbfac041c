/* tests/ui/chips_desk.h — a token field with words in it, for the tests of chips. */
#ifndef TESTS_UI_CHIPS_DESK_H
#define TESTS_UI_CHIPS_DESK_H

#include "base/arena.h"
#include "hands.h"

enum { WORDS_MAX = 16000, WORD_MAX = 600 };

static const struct rect field = {100, 20, 500, 36};

struct words {
    struct arena arena;
    const char **word;
    size_t count, chosen, hovered;
    bool marked;
    bool previews; /* the chip under the pointer is shown as if it were chosen */
};

struct desk {
    struct hands hands;
    struct words words;
};

void put_words(struct words *words, size_t at, const char *text);
void expect_words(const struct desk *desk, const char *expected);
void click_into_field(struct desk *desk);
int set_up(void **state);
int tear_down(void **state);
void page(struct hands *hands);

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
