/* The window survives: screens that forget their pixels, textures and surfaces that cannot be had,
 * sizes and scales that change, hundreds of files dropped and megabytes pasted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SDL_MAIN_HANDLED
#include "app/actions/actions.h"
#include "base/file.h"
#include "base/system/process.h"
#include "file/pasted.h"
#include "folder.h"
#include "pretend.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const struct app_window by_gpu = {960, 600, 1, APP_RENDERER_GPU, "en"};
static const struct app_window by_cairo = {960, 600, 1, APP_RENDERER_CPU, "en"};
static const struct app_window as_the_desktop = {960, 600, 0, APP_RENDERER_CPU, "en"};

/* --- pictures of an undisturbed window --- */

static void keep_picture(struct pretend *pretend)
{
    struct picture *const picture = pretend->subject;
    assert_int_equal(pretend->state->view.prompt.count, 0); /* it tells the time of the day */
    *picture = pretend_look(pretend);
}

static void press_5(struct pretend *pretend)
{
    (void)pretend;
    pretend_key('5', KMOD_NONE);
}

/* So many words that the matrix is an image. */
static void press_4_with_many_words(struct pretend *pretend)
{
    char words[2 * 120 + 1] = "";
    for (size_t i = 0; i + 1 < sizeof words; i += 2) {
        words[i] = (char)('a' + i / 2 % 26);
        words[i + 1] = ' ';
    }
    const struct view_action action = {.kind = VIEW_ACTION_INSERT, .token = {.text = words}};
    app_state_apply(pretend->state, &action, 100);
    pretend_key('4', KMOD_NONE);
}

/* Behind that act; NULL: as it opens. */
static struct picture draw_undisturbed(const struct app_window *action, pretend_act act)
{
    struct picture picture = {0};
    const struct pretend with = {.subject = &picture};
    const pretend_act acts[] = {act, keep_picture};
    const size_t first = act == NULL ? 1 : 0;
    pretend_run(action, "cats", acts + first, 2 - first, &with);
    return picture;
}

static void expect_picture(struct pretend *pretend)
{
    pretend_expect(pretend, pretend->subject, "at rest");
}

/* --- what was on the GPU is gone --- */

static void spoil_textures(struct pretend *pretend)
{
    assert_true(pretend->textures > 0);
    for (size_t t = 0; t < pretend->textures; t++) {
        int width = 0, height = 0;
        assert_int_equal(SDL_QueryTexture(pretend->texture[t], NULL, NULL, &width, &height), 0);
        uint32_t *const noise = malloc((size_t)width * (size_t)height * 4);
        assert_non_null(noise);
        memset(noise, 0x5a, (size_t)width * (size_t)height * 4);
        assert_int_equal(SDL_UpdateTexture(pretend->texture[t], NULL, noise, width * 4), 0);
        free(noise);
    }
    pretend_window_event(pretend, SDL_WINDOWEVENT_EXPOSED);
}

static void expect_another(struct pretend *pretend)
{
    struct picture present = pretend_look(pretend);
    assert_false(picture_equal(&present, pretend->subject)); /* the fault is there */
    free(present.pixels);
}

static void lose_targets(struct pretend *pretend)
{
    (void)pretend;
    pretend_event(SDL_RENDER_TARGETS_RESET);
}

static void lose_device(struct pretend *pretend)
{
    (void)pretend;
    pretend_event(SDL_RENDER_DEVICE_RESET);
}

static void expose_window(struct pretend *pretend)
{
    pretend_window_event(pretend, SDL_WINDOWEVENT_EXPOSED);
}

static void a_reset_of_the_renderer_brings_the_picture_back(void **unused)
{
    (void)unused;
    struct picture picture = {0};
    const struct pretend with = {.subject = &picture};
    static const pretend_act acts[] = {keep_picture,   spoil_textures, expect_another,
                                       lose_targets,   expect_picture, spoil_textures,
                                       expect_another, lose_device,    expect_picture};
    pretend_run(&by_gpu, "cats", acts, COUNT(acts), &with);
    free(picture.pixels);
}

static void without_a_renderer_such_news_change_nothing(void **unused)
{
    (void)unused;
    struct picture picture = {0};
    const struct pretend with = {.subject = &picture};
    static const pretend_act acts[] = {keep_picture, lose_targets, expect_picture, lose_device,
                                       expect_picture};
    pretend_run(&by_cairo, "cats", acts, COUNT(acts), &with);
    free(picture.pixels);
}

/* --- what cannot be had --- */

static void no_renderer_is_no_harm(void **unused)
{
    (void)unused;
    struct picture picture = draw_undisturbed(&by_cairo, NULL);
    const struct pretend with = {.subject = &picture, .fails_from = {[PRETEND_RENDERER] = 1}};
    static const pretend_act acts[] = {expect_picture};
    pretend_run(&by_gpu, "cats", acts, COUNT(acts), &with);
    free(picture.pixels);
}

static void note_textures(struct pretend *pretend)
{
    size_t *const made = pretend->subject;
    *made = pretend->calls[PRETEND_TEXTURE];
}

/* The N-th texture that is made fails, for every N. Where it is the one of the letters at the start
 * there is no renderer, and Cairo draws. */
static void a_texture_that_fails_is_made_again(void **unused)
{
    (void)unused;
    size_t made = 0;
    const struct pretend counts = {.subject = &made};
    static const pretend_act count[] = {press_4_with_many_words, note_textures};
    pretend_run(&by_gpu, "cats", count, COUNT(count), &counts);
    assert_true(made >= 2); /* letters, and an image */
    struct picture by_renderer = draw_undisturbed(&by_gpu, press_4_with_many_words),
                   drawn = draw_undisturbed(&by_cairo, press_4_with_many_words);
    for (size_t number = 1; number <= made; number++) {
        const struct pretend with = {.subject = number == 1 ? &drawn : &by_renderer,
                                     .fails_from = {[PRETEND_TEXTURE] = number},
                                     .fails_most = {[PRETEND_TEXTURE] = 1}};
        static const pretend_act acts[] = {press_4_with_many_words, expect_picture};
        pretend_run(&by_gpu, "cats", acts, COUNT(acts), &with);
    }
    free(by_renderer.pixels);
    free(drawn.pixels);
}

static void no_texture_once(struct pretend *pretend)
{
    pretend_fail(pretend, PRETEND_TEXTURE, 1);
    pretend_event(SDL_RENDER_DEVICE_RESET);
}

static void a_texture_that_fails_behind_a_reset_is_made_again(void **unused)
{
    (void)unused;
    struct picture picture = draw_undisturbed(&by_gpu, press_5);
    const struct pretend with = {.subject = &picture};
    static const pretend_act acts[] = {no_texture_once, press_5, expect_picture};
    pretend_run(&by_gpu, "cats", acts, COUNT(acts), &with);
    free(picture.pixels);
}

static void no_textures_any_more(struct pretend *pretend)
{
    pretend_fail(pretend, PRETEND_TEXTURE, 0);
    SDL_SetWindowPosition(pretend->window, 40, 30);
    pretend_event(SDL_RENDER_DEVICE_RESET);
}

static void expect_the_same_window(struct pretend *pretend)
{
    int x = 0, y = 0;
    assert_null(pretend->renderer);
    SDL_GetWindowPosition(pretend->window, &x, &y);
    assert_int_equal(x, 40);
    assert_int_equal(y, 30);
    assert_non_null(strstr(SDL_GetWindowTitle(pretend->window), "attnscope"));
    assert_true((SDL_GetWindowFlags(pretend->window) & SDL_WINDOW_SHOWN) != 0);
}

static void a_renderer_that_is_gone_for_good_is_left_for_cairo(void **unused)
{
    (void)unused;
    struct picture picture = draw_undisturbed(&by_cairo, press_5);
    const struct pretend with = {.subject = &picture};
    static const pretend_act acts[] = {
        no_textures_any_more, expect_the_same_window, press_5,
        expect_picture,       expose_window,          expect_picture};
    pretend_run(&by_gpu, "cats", acts, COUNT(acts), &with);
    free(picture.pixels);
}

static void no_textures_and_no_window(struct pretend *pretend)
{
    pretend_fail(pretend, PRETEND_WINDOW, 0);
    no_textures_any_more(pretend);
}

static void all_is_there_again(struct pretend *pretend)
{
    assert_non_null(pretend->renderer);
    pretend_mend(pretend, PRETEND_TEXTURE);
    pretend_mend(pretend, PRETEND_WINDOW);
}

static void where_there_is_no_other_window_the_present_one_waits(void **unused)
{
    (void)unused;
    struct picture picture = draw_undisturbed(&by_gpu, press_5);
    const struct pretend with = {.subject = &picture};
    static const pretend_act acts[] = {no_textures_and_no_window, all_is_there_again, press_5,
                                       expect_picture};
    pretend_run(&by_gpu, "cats", acts, COUNT(acts), &with);
    free(picture.pixels);
}

static void no_surface_for_a_while(struct pretend *pretend)
{
    pretend->frames = pretend->calls[PRETEND_SURFACE] = 0;
    pretend_fail(pretend, PRETEND_SURFACE, 0);
    pretend_key('5', KMOD_NONE);
}

/* Ten tries a second, not thousands. */
static void surface_again(struct pretend *pretend)
{
    assert_int_equal(pretend->frames, 0);
    assert_true(pretend->calls[PRETEND_SURFACE] >= 10 && pretend->calls[PRETEND_SURFACE] <= 100);
    pretend_mend(pretend, PRETEND_SURFACE);
}

static void a_window_without_pixels_waits_for_them(void **unused)
{
    (void)unused;
    struct picture picture = draw_undisturbed(&by_cairo, press_5);
    static const pretend_act waits[] = {no_surface_for_a_while, surface_again, expect_picture};
    const struct pretend with = {.subject = &picture};
    pretend_run(&by_cairo, "cats", waits, COUNT(waits), &with);
    for (size_t number = 1; number <= 6; number++) {
        static const pretend_act acts[] = {press_5, expect_picture};
        const struct pretend once = {.subject = &picture,
                                     .fails_from = {[PRETEND_SURFACE] = number},
                                     .fails_most = {[PRETEND_SURFACE] = 1}};
        pretend_run(&by_cairo, "cats", acts, COUNT(acts), &once);
    }
    free(picture.pixels);
}

/* --- sizes --- */

static const int sizes[][2] = {{1, 1},     {2, 2},     {3, 3},      {47, 47},   {480, 480},
                               {960, 960}, {1, 3840},  {3840, 2},   {16384, 3}, {47, 16384},
                               {8192, 48}, {959, 601}, {3840, 3840}};
/* Gigabytes of pixels: in the long suite. */
static const int large_sizes[][2] = {{8192, 8192}, {16384, 16384}, {16383, 8191}};

struct measures {
    const int (*size)[2];
    size_t at;
    struct picture first, partly;
};

static void begin_sizes(struct pretend *pretend)
{
    struct measures *const measures = pretend->subject;
    SDL_SetWindowMinimumSize(pretend->window, 1, 1);
    measures->first = pretend_look(pretend);
}

static void next_size(struct pretend *pretend)
{
    struct measures *const measures = pretend->subject;
    const int *const size = measures->size[measures->at++];
    SDL_SetWindowSize(pretend->window, size[0], size[1]);
}

/* As large as the window; then drawn from nothing. */
static void expect_size(struct pretend *pretend)
{
    struct measures *const measures = pretend->subject;
    const int *const size = measures->size[measures->at - 1];
    measures->partly = pretend_look(pretend);
    assert_int_equal(measures->partly.width, size[0]);
    assert_int_equal(measures->partly.height, size[1]);
    pretend_window_event(pretend, SDL_WINDOWEVENT_EXPOSED);
}

static void expect_the_same(struct pretend *pretend)
{
    struct measures *const measures = pretend->subject;
    pretend_expect(pretend, &measures->partly, "drawn from nothing");
    free(measures->partly.pixels);
    measures->partly.pixels = NULL;
}

static void first_size(struct pretend *pretend)
{
    SDL_SetWindowSize(pretend->window, 960, 600);
}

static void expect_first(struct pretend *pretend)
{
    struct measures *const measures = pretend->subject;
    pretend_expect(pretend, &measures->first, "as large as it was");
    free(measures->first.pixels);
    measures->first.pixels = NULL;
}

static void walk_sizes(const struct app_window *action, const int (*size)[2], size_t count)
{
    struct measures measures = {.size = size};
    const struct pretend with = {.subject = &measures};
    pretend_act acts[3 * COUNT(sizes) + 3];
    size_t n = 0;
    acts[n++] = begin_sizes;
    for (size_t s = 0; s < count; s++) {
        acts[n++] = next_size;
        acts[n++] = expect_size;
        acts[n++] = expect_the_same;
    }
    acts[n++] = first_size;
    acts[n++] = expect_first;
    pretend_run(action, "cats", acts, n, &with);
}

static void any_size_is_drawn_whole_and_the_first_comes_back(void **unused)
{
    (void)unused;
    walk_sizes(&by_cairo, sizes, COUNT(sizes));
    walk_sizes(&by_gpu, sizes, COUNT(sizes));
}

static void gigabytes_of_pixels_are_drawn_too(void **unused)
{
    (void)unused;
    walk_sizes(&by_cairo, large_sizes, COUNT(large_sizes));
}

/* --- away and back --- */

static void minimise_window(struct pretend *pretend)
{
    pretend_window_event(pretend, SDL_WINDOWEVENT_MINIMIZED);
}

static void press_5_unseen(struct pretend *pretend)
{
    pretend->frames = 0;
    pretend_key('5', KMOD_NONE);
}

static void restore_window(struct pretend *pretend)
{
    assert_int_equal(pretend->frames, 0); /* nobody looked */
    pretend_window_event(pretend, SDL_WINDOWEVENT_RESTORED);
}

static void what_happened_while_it_was_small_is_there_when_it_is_back(void **unused)
{
    (void)unused;
    const struct app_window *const actions[] = {&by_cairo, &by_gpu};
    for (size_t w = 0; w < COUNT(actions); w++) {
        struct picture picture = draw_undisturbed(actions[w], press_5);
        const struct pretend with = {.subject = &picture};
        static const pretend_act acts[] = {minimise_window, press_5_unseen, restore_window,
                                           expect_picture};
        pretend_run(actions[w], "cats", acts, COUNT(acts), &with);
        free(picture.pixels);
    }
}

/* --- another screen with another scale --- */

static void to_a_finer_screen(struct pretend *pretend)
{
    SDL_setenv("GDK_SCALE", "2", 1);
    SDL_SetWindowSize(pretend->window, 1920, 1200);
    pretend_window_event(pretend, SDL_WINDOWEVENT_DISPLAY_CHANGED);
}

static void back_to_the_first(struct pretend *pretend)
{
    SDL_setenv("GDK_SCALE", "1", 1);
    SDL_SetWindowSize(pretend->window, 960, 600);
    pretend_window_event(pretend, SDL_WINDOWEVENT_DISPLAY_CHANGED);
}

static void between_screens_of_different_scale_it_stays_sharp(void **unused)
{
    (void)unused;
    SDL_setenv("GDK_SCALE", "2", 1);
    struct picture fine = draw_undisturbed(&as_the_desktop, NULL);
    assert_int_equal(fine.width, 1920);
    SDL_setenv("GDK_SCALE", "1", 1);
    struct picture plain = draw_undisturbed(&as_the_desktop, NULL);
    static const pretend_act there[] = {to_a_finer_screen, expect_picture};
    const struct pretend to = {.subject = &fine};
    pretend_run(&as_the_desktop, "cats", there, COUNT(there), &to);
    SDL_setenv("GDK_SCALE", "1", 1);
    static const pretend_act back[] = {to_a_finer_screen, back_to_the_first, expect_picture};
    const struct pretend from = {.subject = &plain};
    pretend_run(&as_the_desktop, "cats", back, COUNT(back), &from);
    free(fine.pixels);
    free(plain.pixels);
}

/* --- hundreds of files, megabytes of text --- */

enum { DROPPED = 500, USABLE = 300 };

static void drop_many(struct pretend *pretend)
{
    (void)pretend;
    for (int f = 0; f < DROPPED; f++) {
        SDL_Event event = {.type = SDL_DROPFILE};
        event.drop.file = SDL_strdup(f == USABLE ? "usable.json" : "useless.png");
        assert_int_equal(SDL_PushEvent(&event), 1);
    }
    pretend_event(SDL_DROPCOMPLETE);
}

static void expect_one_and_the_rest_counted(struct pretend *pretend)
{
    assert_non_null(pretend->state->view.message);
    assert_string_equal(pretend->state->view.message, "usable.json is open; 499 more were left.");
}

static void of_five_hundred_files_the_usable_one_is_opened(void **unused)
{
    (void)unused;
    static const char session[] =
        "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"own\", \"title\": \"Own\","
        " \"summary\": \"\", \"experiment\": {\"tokens\": [\"sun\", \"moon\"],"
        " \"embedding\": \"toy\", \"weights\": \"identity\"},"
        " \"steps\": [{\"caption\": \"It is.\", \"stage\": \"score\", \"query\": \"sun\","
        " \"key\": \"moon\"}]}";
    static const char useless[] = "no picture";
    assert_true(file_write("usable.json",
                           (struct bytes){(const uint8_t *)session, sizeof session - 1}, NULL));
    assert_true(file_write("useless.png",
                           (struct bytes){(const uint8_t *)useless, sizeof useless - 1}, NULL));
    static const pretend_act acts[] = {drop_many, expect_one_and_the_rest_counted};
    pretend_run(&by_cairo, "cats", acts, COUNT(acts), NULL);
}

enum { PASTED = 100 << 20, WORD = 2000 };

/* 100 MB of words. */
static void fill_clipboard(const char *letter, size_t spaced)
{
    char *const text = malloc(PASTED + 1);
    assert_non_null(text);
    memset(text, letter[0], PASTED);
    for (size_t i = spaced - 1; i < PASTED; i += spaced) {
        text[i] = ' ';
    }
    text[PASTED] = '\0';
    assert_int_equal(SDL_SetClipboardText(text), 0);
    free(text);
}

static void copy_words(struct pretend *pretend)
{
    (void)pretend;
    fill_clipboard("a", WORD);
}

static void press_1(struct pretend *pretend)
{
    (void)pretend;
    pretend_key('1', KMOD_NONE);
}

static void copy_numbers(struct pretend *pretend)
{
    (void)pretend;
    fill_clipboard("0", 1000);
}

static void into_the_words(struct pretend *pretend)
{
    (void)pretend;
    pretend_click(560, 32); /* the token field */
}

static void paste_text(struct pretend *pretend)
{
    pretend->state->view.message = NULL;
    pretend_key('v', KMOD_LCTRL);
}

static void expect_the_beginning(struct pretend *pretend)
{
    assert_non_null(pretend->state->view.message);
    assert_string_equal(pretend->state->view.message,
                        "Only the first 64 KB of the text were taken.");
    assert_int_equal(lab_words_count(pretend->state->document.experiment.tokens),
                     4 + (64 << 10) / WORD + 1);
}

static void expect_a_refusal(struct pretend *pretend)
{
    assert_non_null(pretend->state->view.message);
    assert_non_null(strstr(pretend->state->view.message, "more than can be pasted"));
}

static void of_a_hundred_megabytes_the_beginning_is_pasted(void **unused)
{
    (void)unused;
    static const pretend_act words[] = {copy_words, into_the_words, paste_text,
                                        expect_the_beginning};
    pretend_run(&by_cairo, "cats", words, COUNT(words), NULL);
    static const pretend_act numbers[] = {press_1, copy_numbers, paste_text, expect_a_refusal};
    pretend_run(&by_cairo, "cats", numbers, COUNT(numbers), NULL);
}

static void expect_no_answer(struct pretend *pretend)
{
    assert_non_null(pretend->state->view.message);
    assert_string_equal(pretend->state->view.message, "The clipboard did not answer.");
    assert_int_equal(lab_words_count(pretend->state->document.experiment.tokens), 4);
}

static void a_clipboard_that_does_not_answer_is_told(void **unused)
{
    (void)unused;
    const struct pretend with = {.fails_from = {[PRETEND_CLIPBOARD] = 1}};
    static const pretend_act acts[] = {into_the_words, paste_text, expect_no_answer};
    pretend_run(&by_cairo, "cats", acts, COUNT(acts), &with);
}

static void expect_no_text(struct pretend *pretend)
{
    assert_non_null(pretend->state->view.message);
    assert_non_null(strstr(pretend->state->view.message, "more than can be had at once"));
    assert_int_equal(lab_words_count(pretend->state->document.experiment.tokens), 4);
}

/* In a field and over numbers alike. */
static void a_clipboard_too_large_for_the_screen_s_server_is_told(void **unused)
{
    (void)unused;
    const struct pretend with = {.fails_from = {[PRETEND_PIECES] = 1}};
    static const pretend_act words[] = {copy_words, into_the_words, paste_text, expect_no_text};
    pretend_run(&by_cairo, "cats", words, COUNT(words), &with);
    static const pretend_act numbers[] = {press_1, copy_numbers, paste_text, expect_no_text};
    pretend_run(&by_cairo, "cats", numbers, COUNT(numbers), &with);
}

int main(int count, char **words)
{
    static char home[] = "survives-XXXXXX";
    char path[4096];
    system_ends_hold(); /* as the program does */
    if (mkdtemp(home) == NULL || chdir(home) != 0 || getcwd(path, sizeof path) == NULL ||
        setenv("ATTNSCOPE_HOME", path, 1) != 0 ||
        setenv("ATTNSCOPE_REDUCE_MOTION", "1", 1) != 0) { /* fewer frames on the way */
        return 2;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_of_the_renderer_brings_the_picture_back),
        cmocka_unit_test(without_a_renderer_such_news_change_nothing),
        cmocka_unit_test(no_renderer_is_no_harm),
        cmocka_unit_test(a_texture_that_fails_is_made_again),
        cmocka_unit_test(a_texture_that_fails_behind_a_reset_is_made_again),
        cmocka_unit_test(a_renderer_that_is_gone_for_good_is_left_for_cairo),
        cmocka_unit_test(where_there_is_no_other_window_the_present_one_waits),
        cmocka_unit_test(a_window_without_pixels_waits_for_them),
        cmocka_unit_test(any_size_is_drawn_whole_and_the_first_comes_back),
        cmocka_unit_test(what_happened_while_it_was_small_is_there_when_it_is_back),
        cmocka_unit_test(between_screens_of_different_scale_it_stays_sharp),
        cmocka_unit_test(of_five_hundred_files_the_usable_one_is_opened),
        cmocka_unit_test(of_a_hundred_megabytes_the_beginning_is_pasted),
        cmocka_unit_test(a_clipboard_that_does_not_answer_is_told),
        cmocka_unit_test(a_clipboard_too_large_for_the_screen_s_server_is_told),
    };
    const struct CMUnitTest large[] = {cmocka_unit_test(gigabytes_of_pixels_are_drawn_too)};
    const bool is_large = count > 1 && strcmp(words[1], "large") == 0;
    const int failed = is_large ? cmocka_run_group_tests(large, NULL, NULL)
                                : cmocka_run_group_tests(tests, NULL, NULL);
    folder_empty(path);
    return chdir("..") == 0 && rmdir(home) == 0 ? failed : 1;
}
