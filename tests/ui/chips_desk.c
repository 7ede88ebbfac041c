#include "chips_desk.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

void put_words(struct words *words, size_t at, const char *text)
{
    const char *const *added = NULL;
    const size_t count = text_split(&words->arena, text, strlen(text), &added);
    assert_true(words->count + count <= WORDS_MAX);
    memmove(words->word + at + count, words->word + at, (words->count - at) * sizeof *words->word);
    for (size_t i = 0; i < count; i++) {
        words->word[at + i] = added[i];
    }
    words->count += count;
}

static void drop_word(struct words *words, size_t at)
{
    memmove(words->word + at, words->word + at + 1, (words->count - at - 1) * sizeof *words->word);
    words->count--;
}

static void answer(struct words *words, const struct ui_chips_answer *answer)
{
    words->hovered = SIZE_MAX;
    switch (answer->event) {
    case UI_CHIPS_CHOOSE:
        words->chosen = answer->index;
        break;
    case UI_CHIPS_HOVER:
        words->hovered = answer->index;
        break;
    case UI_CHIPS_INSERT:
        put_words(words, answer->index, answer->text);
        break;
    case UI_CHIPS_REPLACE:
        drop_word(words, answer->index);
        put_words(words, answer->index, answer->text);
        break;
    case UI_CHIPS_REMOVE:
        drop_word(words, answer->index);
        break;
    case UI_CHIPS_MOVE: {
        const char *moved = words->word[answer->index];
        drop_word(words, answer->index);
        const size_t to = answer->other > answer->index ? answer->other - 1 : answer->other;
        memmove(words->word + to + 1, words->word + to, (words->count - to) * sizeof *words->word);
        words->word[to] = moved;
        words->count++;
        break;
    }
    default:
        break;
    }
}

void page(struct hands *hands)
{
    static struct ui_chip chip[WORDS_MAX];
    struct words *words = hands->state;
    const bool previews = words->previews && words->hovered != SIZE_MAX;
    for (size_t i = 0; i < words->count; i++) {
        chip[i] =
            (struct ui_chip){.word = words->word[i],
                             .chosen = previews ? words->hovered == i : words->chosen == i,
                             .hovered = previews && words->hovered == i,
                             .marked = words->marked,
                             .tip = words->marked ? "its position comes from its letters" : NULL};
    }
    const struct ui_chips_answer what =
        ui_chips(&hands->ui, "tokens", field,
                 &(struct ui_chips){.chip = chip, .count = words->count, .hint = "type a token…"});
    answer(words, &what);
    ui_button(&hands->ui, "next", (struct rect){620, 20, 100, 36},
              &(struct ui_button){.label = "Next"});
}

int set_up(void **state)
{
    static const char *room[WORDS_MAX];
    struct desk *desk = test_calloc(1, sizeof *desk);
    desk->words.word = room;
    desk->words.chosen = desk->words.hovered = SIZE_MAX;
    put_words(&desk->words, 0, "cat dog lion NYC");
    hands_open(&desk->hands, page, &desk->words);
    *state = desk;
    return 0;
}

int tear_down(void **state)
{
    struct desk *desk = *state;
    hands_close(&desk->hands);
    arena_free(&desk->words.arena);
    test_free(desk);
    return 0;
}

void expect_words(const struct desk *desk, const char *expected)
{
    char all[WORD_MAX] = "";
    for (size_t i = 0; i < desk->words.count; i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? "|" : "", desk->words.word[i]);
    }
    assert_string_equal(all, expected);
}

void click_into_field(struct desk *desk)
{
    hands_click(&desk->hands, field.x + field.w - 20, field.y + 18);
}
