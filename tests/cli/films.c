/* render's animations and numbered pictures, as a shell asks for them. */
#include "stand.h"

#include <stdio.h>
#include <string.h>

static uint32_t little_endian(struct bytes file, size_t at, size_t bytes)
{
    uint32_t number = 0;
    for (size_t i = bytes; i > 0; i--) {
        number = number << 8 | file.at[at + i - 1];
    }
    return number;
}

#define SMALL "render --lesson cats --view stage --size 300x280 --fps 4 "

static void a_gif_has_the_size_that_was_asked_for(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, SMALL "--from score --to softmax -o x.gif");
    const struct bytes file = stand_content(stand, "x.gif");
    assert_memory_equal(file.at, "GIF89a", 6);
    assert_int_equal(little_endian(file, 6, 2), 300);
    assert_int_equal(little_endian(file, 8, 2), 280);
}

static void a_webp_grows_with_its_stages(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, SMALL "--stage score -o one.webp");
    stand_call(stand, SMALL "--from score --to blend -o more.webp --scale 1");
    const struct bytes one = stand_content(stand, "one.webp");
    const struct bytes more = stand_content(stand, "more.webp");
    assert_memory_equal(one.at + 8, "WEBPVP8X", 8);
    assert_int_equal(little_endian(one, 24, 3) + 1, 300);
    assert_int_equal(little_endian(one, 27, 3) + 1, 280);
    assert_true(more.size > 2 * one.size);
}

static void the_same_call_makes_the_same_file(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, SMALL "-o one.gif -o one.webp");
    stand_call(stand, SMALL "-o two.gif -o two.webp");
    assert_int_equal(stand_other(stand, "cmp one.gif two.gif && cmp one.webp two.webp"), 0);
}

/* Stages are laid out, drawn and packed by all processors. */
static void one_processor_makes_the_same_file(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, SMALL "--from score --to blend --fps 20 -o all.gif -o all.webp");
    assert_int_equal(stand_other(stand, "taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//') "
                                        "\"$ATTNSCOPE_BINARY\" " SMALL
                                        "--from score --to blend --fps 20 -o one.gif -o one.webp"),
                     0);
    assert_int_equal(stand_other(stand, "cmp one.gif all.gif && cmp one.webp all.webp"), 0);
}

/* Pixels of all parts of a WebP but the first, in pictures as large as the film. */
static double pictures_packed(struct bytes file)
{
    const double whole =
        (double)(little_endian(file, 24, 3) + 1) * (double)(little_endian(file, 27, 3) + 1);
    double pixels = 0;
    for (size_t at = 12; at + 24 <= file.size;
         at += 8 + ((size_t)little_endian(file, at + 4, 4) + 1) / 2 * 2) {
        if (memcmp(file.at + at, "ANMF", 4) == 0) {
            pixels += (double)(little_endian(file, at + 14, 3) + 1) *
                      (double)(little_endian(file, at + 17, 3) + 1);
        }
    }
    return pixels / whole - 1;
}

/* The ribbon above does not move with each of sixty pictures: of most only a small part changes. */
static void the_ribbon_of_a_film_ticks(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson cats --stage score --fps 20 --size 1440x900 -o x.webp");
    const double packed = pictures_packed(stand_content(stand, "x.webp"));
    assert_true(packed > 0.5 && packed < 11);
}

static void numbered_pictures_last_as_long_as_the_animation(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, SMALL "--from score --to scale -o 'film-%03d.png'");
    /* 2 stages of 3.9 seconds and 0.2 between them, 4 pictures a second */
    assert_int_equal(stand_other(stand, "test $(ls film-*.png | wc -l) -eq 33"), 0);
    assert_int_equal(stand_other(stand, "test -e film-001.png && test -e film-033.png"), 0);
    assert_int_equal(stand_other(stand, "cmp -s film-032.png film-033.png"), 0);
    assert_int_not_equal(stand_other(stand, "cmp -s film-001.png film-033.png"), 0);
}

static uint32_t png_side(struct stand *stand, const char *name, size_t at)
{
    const uint8_t *const side = stand_content(stand, name).at + at;
    return (uint32_t)side[0] << 24 | (uint32_t)side[1] << 16 | (uint32_t)side[2] << 8 | side[3];
}

/* As stills are: nothing is empty at the edges of a film. */
static void a_film_is_cropped_as_its_picture_is(void **state)
{
    struct stand *const stand = *state;
    static const char *const asks[] = {"--figure --view matrix",
                                       "--crop --view matrix --size 300x280"};
    for (size_t a = 0; a < sizeof asks / sizeof *asks; a++) {
        stand_call(stand, arena_format(&stand->arena,
                                       "render --lesson cats --stage softmax %s --scale 1 "
                                       "-o x.gif -o x.webp -o x.png",
                                       asks[a]));
        const struct bytes gif = stand_content(stand, "x.gif");
        const struct bytes webp = stand_content(stand, "x.webp");
        const uint32_t wide = png_side(stand, "x.png", 16), high = png_side(stand, "x.png", 20);
        assert_int_equal(little_endian(gif, 6, 2), wide);
        assert_int_equal(little_endian(gif, 8, 2), high);
        assert_int_equal(little_endian(webp, 24, 3) + 1, wide);
        assert_int_equal(little_endian(webp, 27, 3) + 1, high);
    }
}

/* The stages are of several sizes, and nothing jumps; the largest has all of its room. */
static void pictures_of_a_film_are_cropped_alike(void **state)
{
    struct stand *const stand = *state;
    static const char figure[] = "render --lesson cats --figure --view stage --scale 1 --fps 1 ";
    uint32_t largest = 0;
    stand_call(stand, arena_format(&stand->arena,
                                   "%s--from embed --to softmax -o 'n-%%03d.png' "
                                   "-o x.gif",
                                   figure));
    for (size_t n = 1; n <= 20; n++) {
        const char *const name = arena_format(&stand->arena, "n-%03zu.png", n);
        assert_int_equal(png_side(stand, name, 16),
                         little_endian(stand_content(stand, "x.gif"), 6, 2));
        assert_int_equal(png_side(stand, name, 20),
                         little_endian(stand_content(stand, "x.gif"), 8, 2));
    }
    stand_call(stand, arena_format(&stand->arena, "%s--all-stages -o '{stage}.gif'", figure));
    static const char *const stages[] = {"embed", "project", "score", "scale", "softmax"};
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
        const char *const name = arena_format(&stand->arena, "%s.gif", stages[s]);
        const uint32_t wide = little_endian(stand_content(stand, name), 6, 2);
        largest = wide > largest ? wide : largest;
    }
    assert_int_equal(little_endian(stand_content(stand, "x.gif"), 6, 2), largest);
}

static void every_stage_may_have_a_file_of_its_own(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, SMALL "--all-stages -o '{stage}.gif'");
    assert_true(stand_content(stand, "embed.gif").size > 0);
    assert_true(stand_content(stand, "output.gif").size > 0);
}

static void an_animation_goes_down_a_pipe_too(void **state)
{
    struct stand *const stand = *state;
    stand_run(stand, SMALL "--format gif -o -");
    assert_int_equal(stand->status, 0);
    assert_memory_equal(stand->output, "GIF89a", 6);
}

static void an_animation_says_what_it_was_made_of(void **state)
{
    struct stand *const stand = *state;
    static const char *const names[] = {"x.gif", "x.webp"};
    static const char arguments[] =
        "--tokens 'Ada \xd0\x91\xd0\xb5\xd0\xbd <&>' --embedding onehot "
        "--temperature 0.5 --stage softmax";
    stand_call(stand, arena_format(&stand->arena, "describe %s", arguments));
    const char *const said = arena_text(&stand->arena, stand->output, strlen(stand->output));
    const char *const draws =
        arena_format(&stand->arena,
                     "render %s --view head --size 300x280 --fps 2 -o x.gif -o x.webp", arguments);
    stand_call(stand, draws);
    for (size_t n = 0; n < 2; n++) {
        stand_call(stand, arena_format(&stand->arena, "describe %s", names[n]));
        assert_string_equal(stand->output, said);
        stand_call(stand, arena_format(&stand->arena, "info %s", names[n]));
        assert_non_null(strstr(stand->output, "an animation"));
    }
    /* The alternative text, whole letters only. */
    assert_int_equal(stand_other(stand, "grep -aq 'Softmax: scores become shares' x.gif"), 0);
    assert_int_equal(stand_other(stand, "grep -aq '<dc:description>.*Softmax: ' x.webp"), 0);
    stand_call(stand, arena_format(&stand->arena, "%s --metadata off", draws));
    assert_int_equal(stand_other(stand, "grep -aq Ada x.gif || grep -aq Ada x.webp"), 1);
    stand_refused(stand, "describe x.gif", 1, "does not say what it was made from");
    stand_refused(stand, "describe x.webp", 1, "does not say what it was made from");
}

/* Cut anywhere, a file is refused or read, never trusted. */
static void half_an_animation_is_read_or_refused(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --view head --size 90x90 --fps 1 -o x.gif -o x.webp");
    for (int cut = 4; cut < 2000; cut += 83) {
        stand_other(stand, arena_format(&stand->arena,
                                        "head -c %d x.gif >y.gif; "
                                        "tail -c %d x.webp >tail; "
                                        "{ head -c 12 x.webp; cat tail; } >y.webp",
                                        cut, cut));
        stand_run(stand, "describe y.gif"); /* the words stand in front and may be whole */
        assert_in_range(stand->status, 0, 1);
        stand_run(stand, "describe y.webp");
        assert_in_range(stand->status, 0, 1);
    }
}

/* Also where the step of the lesson goes on to train when it is opened in the window. */
static void a_film_of_training_shows_the_steps_that_it_names(void **state)
{
    static const char *const calls[] = {"--from-step 0 --to-step 3 -o a-%04d.png",
                                        "--from-step 3 --to-step 4 -o b-%04d.png"};
    struct stand *const stand = *state;
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        char call[160];
        snprintf(call, sizeof call,
                 "render --lesson induction --step 2 --view stage --size 300x280 --fps 2 "
                 "--title film %s",
                 calls[c]);
        stand_call(stand, call);
    }
    assert_int_equal(stand_other(stand, "cmp -s a-0001.png a-0004.png"), 1);
    assert_int_equal(stand_other(stand, "cmp -s a-0004.png b-0001.png"), 0);
}

static void wrong_calls_are_told(void **state)
{
    struct stand *const stand = *state;
    stand_refused(stand, SMALL "-o still.png", 2, "make an animation");
    stand_refused(stand, SMALL "--from blend --to score -o x.gif", 2, "comes after");
    stand_refused(stand, "render --size 8000x8000 -o x.gif", 2, "too large");
    stand_refused(stand, SMALL "-o gone/x.gif", 1, "gone/x.gif");
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, stand_open, stand_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        a_test(a_gif_has_the_size_that_was_asked_for),
        a_test(a_webp_grows_with_its_stages),
        a_test(the_same_call_makes_the_same_file),
        a_test(one_processor_makes_the_same_file),
        a_test(the_ribbon_of_a_film_ticks),
        a_test(numbered_pictures_last_as_long_as_the_animation),
        a_test(a_film_is_cropped_as_its_picture_is),
        a_test(pictures_of_a_film_are_cropped_alike),
        a_test(every_stage_may_have_a_file_of_its_own),
        a_test(an_animation_goes_down_a_pipe_too),
        a_test(an_animation_says_what_it_was_made_of),
        a_test(half_an_animation_is_read_or_refused),
        a_test(a_film_of_training_shows_the_steps_that_it_names),
        a_test(wrong_calls_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
