/* The interface in other languages: all of it is translated, all of it fits, and what is saved is
 * the same as in English. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/actions/commands.h"
#include "app/document/session.h"
#include "app/open/lesson.h"
#include "base/translate.h"
#include "hands.h"
#include "lab/experiment/stage.h"
#include "lab/explain/explain.h"
#include "lab/lesson/lessons.h"

enum { TEXTS_MAX = 600, LONGEST = 400 };

/* Words of the field that are the same in every language, and names. */
static const char *const same_everywhere[] = {
    "attnscope", "concat",  "softmax", "Softmax", "exp",     "max",        "query",
    "Score",     "English", "Deutsch", "Viridis", "Cividis", "Magma",      "bench",
    "avx2",      "avx512",  "sse2",    "neon",    "Latent",  "Matrix",     "d_model",
    "Global",    "Format",  "Name",    "thread",  "petness", "animalness", "cityness",
    "Flash",     "plain",   "Multi",   "token",   "Token",
};

static int speak_english(void **state)
{
    (void)state;
    language_speak(NULL);
    return 0;
}

/* Says whether a text of the screen has the beginning of a word in it that the person or the
 * lesson gave, of a token or a dimension, or is a line of such a word. */
static bool is_content(const struct hands *hands, const char *shown)
{
    enum { FEW = 5 };
    const struct lab_experiment *experiment = &hands->state->document.experiment;
    const struct lab_words *const words[] = {experiment->tokens, experiment->context,
                                             experiment->axes, experiment->key_axes,
                                             experiment->value_axes};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        for (size_t i = 0; i < lab_words_count(words[w]); i++) {
            char start[FEW + 1];
            const char *const word = lab_words_list(words[w])[i];
            snprintf(start, sizeof start, "%s", word);
            if (strstr(shown, start) != NULL || strstr(word, shown) != NULL) {
                return true;
            }
        }
    }
    return false;
}

/* A word of four letters or more that belongs to no language in particular does not count. */
static bool has_a_word(const char *text)
{
    for (const char *at = text; *at != '\0';) {
        size_t letters = 0;
        while (isalpha((unsigned char)at[letters])) {
            letters++;
        }
        bool known = letters < 4;
        for (size_t i = 0; !known && i < sizeof same_everywhere / sizeof *same_everywhere; i++) {
            known = strncmp(at, same_everywhere[i], letters) == 0;
        }
        if (!known) {
            return true;
        }
        at += letters + (at[letters] != '\0');
    }
    return false;
}

struct texts {
    char text[TEXTS_MAX][LONGEST];
    size_t count;
};

static void collect_texts(struct hands *hands, struct texts *texts)
{
    const struct canvas *canvas = hands_canvas(hands);
    texts->count = 0;
    for (size_t i = 0; i < canvas_count(canvas) && texts->count < TEXTS_MAX; i++) {
        const struct canvas_command *command = canvas_command_at(canvas, i);
        float wide = 0;
        const size_t length = command->kind == CANVAS_TEXT ? canvas_text_said(command, &wide) : 0;
        if (length > 0 && length < LONGEST) {
            snprintf(texts->text[texts->count++], LONGEST, "%.*s", (int)length,
                     canvas_text_of(canvas, command));
        }
    }
}

/* Texts that read the same in both languages though they hold words. */
static size_t report_untranslated(const struct hands *hands, const struct texts *english,
                                  const struct texts *other, const char *where)
{
    size_t found = 0;
    for (size_t i = 0; i < other->count; i++) {
        const char *const text = other->text[i];
        bool same = false;
        for (size_t e = 0; !same && e < english->count; e++) {
            same = strcmp(english->text[e], text) == 0;
        }
        if (same && has_a_word(text) && !is_content(hands, text)) {
            fprintf(stderr,
                    "%s, %s: \"%s\" is not translated: assets/po/*.po lack it, or it is drawn "
                    "without say().\n",
                    language_current()->code, where, text);
            found++;
        }
    }
    return found;
}

static const char *const lessons[] = {"cats",  "race",      "ten",   "latent",
                                      "fewer", "positions", "flash", "translate"};
enum { LESSONS = sizeof lessons / sizeof *lessons };

typedef void (*visit)(struct hands *hands, const char *where, size_t *faults);

/* Every stage of the lessons, as the language has it. */
static void visit_everything(const struct language *language, float width, float height, visit look,
                             size_t *faults)
{
    for (size_t l = 0; l < LESSONS; l++) {
        language_speak(language);
        struct hands *hands = hands_open(lessons[l], width, height);
        for (size_t stage = 0; stage < LAB_STAGES; stage++) {
            char where[64];
            const char key[] = {(char)('1' + stage), 0};
            snprintf(where, sizeof where, "%s, stage %s, %.0f x %.0f", lessons[l], key,
                     (double)width, (double)height);
            hands_key(hands, key);
            hands_wait(hands, 0.5);
            look(hands, where, faults);
        }
        hands_close(hands);
    }
}

static void look_for_english(struct hands *hands, const char *where, size_t *faults)
{
    static struct texts english, other;
    const struct language *const spoken = language_current();
    collect_texts(hands, &other);
    language_speak(NULL);
    hands_frame(hands);
    collect_texts(hands, &english);
    language_speak(spoken);
    hands_frame(hands);
    *faults += report_untranslated(hands, &english, &other, where);
}

static void look_for_collisions(struct hands *hands, const char *where, size_t *faults)
{
    const size_t found = hands_collisions(hands);
    if (found > 0) {
        fprintf(stderr, "%s: %zu of these in %s\n", where, found, language_current()->code);
    }
    *faults += found;
}

static void every_word_on_the_screen_is_translated(void **state)
{
    (void)state;
    size_t faults = 0;
    for (size_t l = 1; language_at(l) != NULL; l++) {
        visit_everything(language_at(l), 1440, 900, look_for_english, &faults);
    }
    assert_int_equal(faults, 0);
}

/* As a class sees them, with what stands there while it guesses. Words that weights know are not
 * translated, so that in lessons of learning only the room is looked at. */
static void every_step_before_a_class_is_translated_and_fits(void **state)
{
    (void)state;
    size_t faults = 0;
    for (size_t at = 0; at < 2 * lab_lesson_count(); at++) {
        const struct language *const language = language_at(1 + at % 2);
        language_speak(hands_can_read(language) ? language : language_at(1));
        struct hands *hands = hands_open_presenter(lab_lesson_name(at / 2), 1024, 768);
        for (size_t step = 0; step < hands->state->document.lesson->steps; step++) {
            char where[80];
            snprintf(where, sizeof where, "%s, step %zu", lab_lesson_name(at / 2), step + 1);
            hands_show_step(hands, step);
            look_for_collisions(hands, where, &faults);
            if (hands->state->document.experiment.learned == NULL) {
                look_for_english(hands, where, &faults);
            }
        }
        hands_close(hands);
    }
    assert_int_equal(faults, 0);
}

static void kinds_are_told_in_every_language(void **state)
{
    (void)state;
    size_t faults = 0;
    for (size_t l = 1; language_at(l) != NULL; l++) {
        language_speak(NULL);
        struct hands *const hands = hands_open("cats", 2000, 1200); /* all formulas are whole */
        hands_click(hands, "Kinds");
        hands_wait(hands, 0.5);
        hands_expect(hands, "|i − j| ≤ W·D, D divides i − j");
        language_speak(language_at(l));
        hands_frame(hands);
        hands_expect_not(hands, "i < G or j < G or |i − j| ≤ W");
        look_for_english(hands, "kinds", &faults);
        hands_close(hands);
    }
    assert_int_equal(faults, 0);
}

static void every_command_and_key_has_a_name_in_every_language(void **state)
{
    (void)state;
    for (size_t l = 1; language_at(l) != NULL; l++) {
        language_speak(language_at(l));
        for (size_t c = 0; app_command_at(c) != NULL; c++) {
            const char *const title = app_command_at(c)->title;
            if (title != NULL && tr(title) == title) {
                fail_msg("%s lacks \"%s\".", language_at(l)->code, title);
            }
        }
        for (size_t s = 0; s < LAB_STAGES; s++) {
            const struct lab_stage_row *const row = lab_stage_row((enum lab_stage)s);
            assert_ptr_not_equal(tr(row->headline), row->headline);
            assert_ptr_not_equal(tr(row->sentence), row->sentence);
        }
    }
}

static void expect_translated(const char *text)
{
    if (text[0] != '\0' && tr(text) == text) {
        fail_msg("%s lacks \"%s\".", language_current()->code, text);
    }
}

static void every_lesson_is_told_in_every_language(void **state)
{
    (void)state;
    for (size_t i = 0; i < lab_lesson_count(); i++) {
        struct arena arena = {0};
        struct error error = {0};
        struct lab_lesson lesson;
        language_speak(NULL);
        assert_true(lab_lesson_load(i, &arena, &lesson, &error));
        assert_string_equal(lesson.title, lab_lesson_title(i));
        for (size_t l = 1; language_at(l) != NULL; l++) {
            language_speak(language_at(l));
            expect_translated(lesson.title);
            expect_translated(lab_lesson_summary(i));
            for (size_t s = 0; s < lesson.steps; s++) {
                expect_translated(lesson.step[s].caption);
            }
        }
        lab_lesson_release(&lesson);
        arena_free(&arena);
    }
}

static void a_lesson_is_found_read_and_saved_whatever_is_spoken(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    struct bytes text = {0};
    language_speak(language_find("de"));
    struct hands *hands = hands_open("ten", 1440, 900);
    hands_key(hands, "Ctrl+k");
    hands_type(hands, "rennen gewonnen");
    hands_expect(hands, "Lektion: Wer hat das Rennen gewonnen?");
    hands_key(hands, "Enter");
    assert_true(hands_count_part(hands, "Wer hat das Rennen") > 0);
    assert_true(hands_count_part(hands, "Haben die Schlüssel das verdient?") > 0);
    const struct app_lesson_content content = app_lesson_content(hands->state);
    assert_true(app_lesson_text(&content, NULL, &arena, &text, &error));
    char *const saved = arena_text(&arena, (const char *)text.at, text.size);
    assert_non_null(strstr(saved, "\"title\": \"Who won the race?\""));
    assert_non_null(strstr(saved, "Do the keys deserve it?"));
    language_speak(NULL);
    hands_frame(hands);
    assert_true(hands_count_part(hands, "Do the keys deserve it?") > 0);
    hands_close(hands);
    arena_free(&arena);
}

/* The sentences that copying, alternative texts and the call `describe` give. */
static void a_description_is_in_one_language(void **state)
{
    (void)state;
    static const char *const english[] = {"every", "pairs",  "weights", "Stage",
                                          "query", "keys",   "scale",   "Attention",
                                          "head ", "tokens", "Tile",    "goes to"};
    static const char *const described[] = {"cats",  "causal", "latent",
                                            "fewer", "flash",  "positions"};
    language_speak(language_find("de"));
    for (size_t l = 0; l < sizeof described / sizeof described[0]; l++) {
        struct hands *const hands = hands_open(described[l], 1440, 900);
        for (size_t stage = 0; stage < LAB_STAGES; stage++) {
            struct arena arena = {0};
            const char *const text =
                lab_describe(hands->state->document.trace, (enum lab_stage)stage,
                             &hands->state->view.pinned, &arena);
            for (size_t w = 0; w < sizeof english / sizeof english[0]; w++) {
                if (strstr(text, english[w]) != NULL) {
                    fail_msg("%s: \"%s\" has \"%s\".", described[l], text, english[w]);
                }
            }
            assert_non_null(strstr(text, "Stufe"));
            arena_free(&arena);
        }
        hands_close(hands);
    }
}

/* A verb agrees with one head and with several. */
static void what_one_head_or_all_found_is_said_in_whole_german(void **state)
{
    (void)state;
    static const struct {
        const char *lesson, *german;
    } cases[] = {{"hammer", "was von dem Kopf über „It“ gefunden wurde"},
                 {"ten", "was von allen Köpfen über „chases“ gefunden wurde"}};
    language_speak(language_find("de"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct hands *hands = hands_open(cases[i].lesson, 1440, 900);
        hands_key(hands, "7");
        hands_key(hands, "End"); /* nothing of the sum is still to come */
        hands_wait(hands, 1);
        hands_expect_part(hands, cases[i].german);
        hands_close(hands);
    }
}

static void what_is_wrong_with_a_file_is_said_in_the_language(void **state)
{
    (void)state;
    static const struct {
        const char *file, *german;
    } cases[] = {
        {"{\"format\": \"attnscope-lesson\"}", "„version“ fehlt."},
        {"[1, 2]", "eine Lektion ist ein Objekt in geschweiften Klammern."},
        {"{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"a\", \"title\": \"b\", "
         "\"summary\": \"\", \"experiment\": {\"tokens\": [\"cat\"], \"mask\": 7}, \"steps\": "
         "[{}]}",
         "der Name einer Maske wird erwartet"},
    };
    language_speak(language_find("de"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena = {0};
        struct error error = {0};
        struct lab_lesson lesson = {0};
        const struct bytes text = {(const uint8_t *)cases[i].file, strlen(cases[i].file)};
        assert_false(lab_lesson_parse(text, &arena, &lesson, &error));
        assert_non_null(strstr(error.text, "Zeile 1"));
        if (strstr(error.text, cases[i].german) == NULL) {
            fail_msg("\"%s\" should say \"%s\".", error.text, cases[i].german);
        }
        arena_free(&arena);
    }
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click_number(hands, "−2.7", 0);
    hands_paste(hands, "1 2\n3");
    hands_expect_part(hands, "Zeile 2 hat 1 Zahlen, die erste hat 2.");
    hands_close(hands);
}

static void no_word_lies_over_another_in_any_language(void **state)
{
    (void)state;
    size_t faults = 0;
    for (size_t l = 1; language_at(l) != NULL; l++) {
        if (hands_can_read(language_at(l))) {
            visit_everything(language_at(l), 960, 600, look_for_collisions, &faults);
            visit_everything(language_at(l), 1440, 900, look_for_collisions, &faults);
        }
    }
    assert_int_equal(faults, 0);
}

static void what_a_stage_says_of_itself_is_in_the_language(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    language_speak(language_find("de"));
    hands_frame(hands);
    hands_hover(hands, "Einbetten");
    hands->input.time += 2;
    hands_frame(hands);
    hands_expect_part(hands, "Einbetten: jedes Wort wird ein Punkt");
    hands_expect(hands, "X — jede Zeile ist ein Wort, in Zahlen geschrieben.");
    hands_close(hands);
}

static void the_language_is_chosen_in_the_settings(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_expect(hands, "Undo");
    hands_click(hands, "English");
    hands_click(hands, "Deutsch");
    hands_expect(hands, "Einbetten");
    hands_expect_not(hands, "Undo");
    hands_click(hands, "Deutsch");
    hands_click(hands, "English");
    hands_expect(hands, "Undo");
    hands_close(hands);
}

/* Where no font has the letters of a language, the palette does not turn the window into boxes. */
static void a_language_without_a_font_says_what_to_install(void **state)
{
    (void)state;
    const char *const usual = getenv("FONTCONFIG_FILE");
    char *const kept = usual == NULL ? NULL : strdup(usual);
    const char *const place = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/no-fonts-XXXXXX", place != NULL ? place : "/tmp");
    static const char none[] = "<fontconfig><dir>/nowhere</dir></fontconfig>";
    const int file = mkstemp(path);
    assert_true(file >= 0 && write(file, none, sizeof none - 1) == sizeof none - 1);
    assert_int_equal(close(file), 0);
    assert_int_equal(setenv("FONTCONFIG_FILE", path, 1), 0);
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+K");
    hands_type(hands, "Chinese");
    hands_key(hands, "Enter");
    hands_expect(hands, "Undo");
    hands_expect(hands, "No font on this machine has the letters of Chinese: install "
                        "fonts-noto-cjk.");
    hands_close(hands);
    assert_int_equal(
        kept == NULL ? unsetenv("FONTCONFIG_FILE") : setenv("FONTCONFIG_FILE", kept, 1), 0);
    free(kept);
    unlink(path);
}

/* One and two of a thing, in each language; no English word in a sentence of another. */
static void numbers_go_with_the_plural_of_the_language(void **state)
{
    (void)state;
    static const struct {
        const char *code, *one, *two;
    } rows[] = {{"en", "at most 1 place away", "at most 2 places away"},
                {"de", "höchstens 1 Platz entfernt", "höchstens 2 Plätze entfernt"},
                {"zh_CN", "至多 1 位", "至多 2 位"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        language_speak(language_find(rows[r].code));
        for (size_t size = 1; size <= 2; size++) {
            char text[LAB_MASK_SENTENCE_MAX];
            const struct lab_mask_rule rule = {.kind = LAB_MASK_WINDOW, .size = size};
            assert_non_null(
                strstr(lab_mask_sentence(&rule, text), size == 1 ? rows[r].one : rows[r].two));
        }
    }
    language_speak(language_find("de"));
    for (int kind = LAB_MASK_NONE + 1; kind < LAB_MASKS; kind++) { /* causal stayed English */
        char text[LAB_MASK_SENTENCE_MAX];
        const struct lab_mask_rule rule = {.kind = (enum lab_mask)kind, .size = 2, .step = 2};
        assert_null(strstr(lab_mask_sentence(&rule, text), "every query"));
    }
    assert_string_equal(language_find("zh")->code, "zh_CN");
}

/* The words that a class chooses from stay what they are, though “share” has a German name as the
 * title of a chart. */
static void words_of_the_document_are_not_translated_in_menus(void **state)
{
    (void)state;
    static const char *const words[] = {"share", "keys"};
    language_speak(language_find("de"));
    struct hands *hands = hands_open("cats", 1440, 900);
    struct lab_experiment next;
    struct error error = {0};
    lab_experiment_copy(&next, &hands->state->document.experiment);
    assert_true(lab_experiment_set_tokens(&next, words, 2, &error));
    document_change(&hands->state->document, &next, "words", 1);
    lab_experiment_release(&next);
    hands->state->view.guess = LAB_GUESS_WINNER;
    hands_wait(hands, 1);
    const size_t before = hands_count(hands, "share");
    hands_click(hands, tr("your guess"));
    assert_true(hands_count(hands, "share") > before);
    hands_close(hands);
}

static void commands_are_found_by_their_translated_names(void **state)
{
    (void)state;
    language_speak(language_find("de"));
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+k");
    hands_type(hands, "hell dunkel");
    hands_expect(hands, "Hell oder dunkel");
    hands_key(hands, "Escape");
    hands_key(hands, "F1");
    hands_expect(hands, "Strg+O");
    assert_int_equal(hands_count(hands, "Leertaste"), 1);
    hands_key(hands, "Escape");
    hands_key(hands, "Ctrl+k");
    hands_type(hands, "hell dunkel");
    hands_key(hands, "Enter");
    assert_true(hands->state->theme->dark);
    hands_close(hands);
}

/* The size of the text that reads exactly so; 0: there is none. */
static float size_of_text(struct hands *hands, const char *text)
{
    const struct canvas *const canvas = hands_canvas(hands);
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_TEXT && command->length == strlen(text) &&
            strncmp(canvas_text_of(canvas, command), text, command->length) == 0) {
            return command->rect.h;
        }
    }
    return 0;
}

static void expect_whole_summaries(float width, float height)
{
    struct hands *const hands = hands_open("cats", width, height);
    size_t seen = 0;
    hands_click(hands, tr("Cats, dogs and a lion"));
    hands_wait(hands, 0.3);
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        if (size_of_text(hands, tr(lab_lesson_title(l))) > 0) {
            seen++;
            assert_float_equal(size_of_text(hands, tr(lab_lesson_summary(l))), 12, 0.01);
        }
    }
    assert_true(seen > 12);
    hands_close(hands);
}

/* The menu is as wide as the window before its letters become smaller, on a projector too. */
static void summaries_of_lessons_are_whole_and_of_one_size(void **state)
{
    (void)state;
    for (size_t l = 0; language_at(l) != NULL; l++) {
        if (hands_can_read(language_at(l))) {
            language_speak(language_at(l));
            expect_whole_summaries(1280, 720);
            expect_whole_summaries(1024, 768);
        }
    }
}

static void numbers_and_sessions_are_the_same_in_every_language(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct bytes first = {0};
    for (size_t l = 0; language_at(l) != NULL; l++) {
        struct error error = {0};
        struct bytes text = {0};
        language_speak(language_at(l));
        struct hands *hands = hands_open("cats", 1440, 900);
        hands_key(hands, "5");
        hands_expect(hands, "0.476");
        const struct app_scene scene = app_state_scene(hands->state);
        assert_true(app_session_text(&scene, &arena, &text, &error));
        if (l > 0) {
            assert_int_equal(text.size, first.size);
            assert_memory_equal(text.at, first.at, text.size);
        } else {
            first = text;
        }
        hands_close(hands);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_word_on_the_screen_is_translated, speak_english),
        cmocka_unit_test_teardown(every_step_before_a_class_is_translated_and_fits, speak_english),
        cmocka_unit_test_teardown(kinds_are_told_in_every_language, speak_english),
        cmocka_unit_test_teardown(every_command_and_key_has_a_name_in_every_language,
                                  speak_english),
        cmocka_unit_test_teardown(every_lesson_is_told_in_every_language, speak_english),
        cmocka_unit_test_teardown(a_lesson_is_found_read_and_saved_whatever_is_spoken,
                                  speak_english),
        cmocka_unit_test_teardown(a_description_is_in_one_language, speak_english),
        cmocka_unit_test_teardown(what_one_head_or_all_found_is_said_in_whole_german,
                                  speak_english),
        cmocka_unit_test_teardown(what_is_wrong_with_a_file_is_said_in_the_language, speak_english),
        cmocka_unit_test_teardown(no_word_lies_over_another_in_any_language, speak_english),
        cmocka_unit_test_teardown(what_a_stage_says_of_itself_is_in_the_language, speak_english),
        cmocka_unit_test_teardown(the_language_is_chosen_in_the_settings, speak_english),
        cmocka_unit_test_teardown(a_language_without_a_font_says_what_to_install, speak_english),
        cmocka_unit_test_teardown(numbers_go_with_the_plural_of_the_language, speak_english),
        cmocka_unit_test_teardown(words_of_the_document_are_not_translated_in_menus, speak_english),
        cmocka_unit_test_teardown(commands_are_found_by_their_translated_names, speak_english),
        cmocka_unit_test_teardown(summaries_of_lessons_are_whole_and_of_one_size, speak_english),
        cmocka_unit_test_teardown(numbers_and_sessions_are_the_same_in_every_language,
                                  speak_english),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
