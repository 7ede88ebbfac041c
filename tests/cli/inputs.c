/* Files of numbers that a call is given: of the right shape they are taken, and of any other it is
 * said which shape is needed, with the name of the file. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "file/npy.h"
#include "file/npz.h"
#include "stand.h"

static const float numbers[64] = {1, 0, 0, 1, 0.5f, -1, 2, 3, 1, 1, 0, 0, 1, 2, 3, 4};

static void put_npy(struct stand *stand, const char *name, size_t rank, const size_t *shape)
{
    struct bytes bytes;
    const struct array array = array_of_floats("", rank, shape, numbers);
    assert_true(npy_write(&array, &stand->arena, &bytes, NULL));
    assert_true(file_write(stand_path(stand, name), bytes, NULL));
}

static void put_npz(struct stand *stand, const char *name, const struct array *arrays, size_t count)
{
    struct bytes bytes;
    assert_true(npz_write(arrays, count, &stand->arena, &bytes, NULL));
    assert_true(file_write(stand_path(stand, name), bytes, NULL));
}

/* row.npy 3, two.npy 2 × 2, three.npy 3 × 2, heads.npy 2 × 3 × 2, cube.npy of four axes, cut.npy
 * not whole, notes.txt no numbers. */
static void put_all(struct stand *stand)
{
    put_npy(stand, "row.npy", 1, (size_t[]){3});
    put_npy(stand, "two.npy", 2, (size_t[]){2, 2});
    put_npy(stand, "three.npy", 2, (size_t[]){3, 2});
    put_npy(stand, "heads.npy", 3, (size_t[]){2, 3, 2});
    put_npy(stand, "cube.npy", 4, (size_t[]){1, 1, 2, 2});
    assert_int_equal(stand_other(stand, "head -c 140 three.npy >cut.npy; printf 'not numbers\n' "
                                        ">notes.txt; printf 'cat 1 2\ndog 3\n' >uneven.txt"),
                     0);
    const struct array parts[] = {
        array_of_floats("W_Q", 2, (size_t[]){2, 2}, numbers),
        array_of_floats("W_O", 2, (size_t[]){2, 2}, numbers),
        array_of_floats("W_K", 2, (size_t[]){2, 2}, numbers),
        array_of_floats("W_V", 2, (size_t[]){2, 2}, numbers),
        array_of_floats("W_DKV", 2, (size_t[]){2, 1}, numbers),
        array_of_floats("W_UK", 2, (size_t[]){1, 2}, numbers),
        array_of_floats("W_UV", 2, (size_t[]){1, 2}, numbers),
    };
    const struct array flat = array_of_floats("W_Q", 1, (size_t[]){4}, numbers);
    put_npz(stand, "all.npz", parts, 7);
    put_npz(stand, "some.npz", parts, 3);
    put_npz(stand, "flat.npz", &flat, 1);
}

static void numbers_of_the_right_shape_are_taken(void **state)
{
    static const char *const calls[] = {
        "--embedding three.npy --tokens 'a b c'",
        "--embedding three.npy",
        "--embedding two.npy",
        "--embedding three.npy --tokens 'a b' --context 'c'",
        "--embedding two.npy --tokens 'a b' --weights all.npz",
        "--embedding two.npy --tokens 'a b' --weights all.npz --attention latent:1",
        "--tokens 'a b' --mask two.npy",
        "--q two.npy --k three.npy --v three.npy",
        "--q heads.npy --k heads.npy --v heads.npy --heads 2",
        "--q two.npy --k two.npy --v two.npy",
        "--q three.npy --k two.npy --v two.npy --tokens 'a b c' --context 'd e'",
    };
    struct stand *const stand = *state;
    put_all(stand);
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        stand_call(stand, arena_format(&stand->arena, "compute --select weights %s", calls[c]));
    }
    stand_call(stand, "compute --embedding two.npy --select weights");
    assert_non_null(strstr(stand->output, "\"tokens\": [\"1\", \"2\"]"));
    stand_call(stand, "compute --q two.npy --k three.npy --v three.npy --select weights");
    assert_non_null(strstr(stand->output, "\"q1\", \"q2\""));
    assert_non_null(strstr(stand->output, "\"k1\", \"k2\", \"k3\""));
}

static void of_any_other_shape_it_is_said_what_is_needed(void **state)
{
    static const struct {
        const char *call, *says;
        int status;
    } cases[] = {
        {"--embedding row.npy", "row.npy: It has 1 dimensions; 2 or 3 are needed.", 1},
        {"--embedding cube.npy", "cube.npy: It has 4 dimensions", 1},
        {"--embedding cut.npy", "cut.npy: Its header says 24 bytes of numbers, it holds 12.", 1},
        {"--embedding notes.txt", "notes.txt: Its first line is not a word", 1},
        {"--tokens 'dog' --embedding uneven.txt", "uneven.txt: Line 2", 1},
        {"--embedding three.npy --tokens 'a b'", "The embeddings have 3 rows for 2 words", 2},
        {"--weights two.npy", "two.npy: It is no npz file", 1},
        {"--weights some.npz", "some.npz: It holds no array \"W_V\".", 1},
        {"--weights some.npz --attention latent:1", "some.npz: It holds no array \"W_DKV\".", 1},
        {"--weights flat.npz", "flat.npz: It has 1 dimensions; 2 or 3 are needed.", 1},
        {"--mask heads.npy", "heads.npy: a mask is one table: queries × keys.", 1},
        {"--mask cut.npy", "cut.npy: Its header says", 1},
        {"--mask three.npy --tokens 'a b'", "3 × 2", 2},
        {"--q two.npy --k two.npy", "--v is missing", 2},
        {"--k two.npy --v two.npy", "--q is missing", 2},
        {"--q two.npy --k cut.npy --v two.npy", "cut.npy: Its header says", 1},
        {"--q row.npy --k two.npy --v two.npy", "row.npy: It has 1 dimensions", 1},
        {"--q two.npy --k three.npy --v two.npy", "2 × 2", 2},
    };
    struct stand *const stand = *state;
    put_all(stand);
    size_t wrong = 0;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        stand_run(stand, arena_format(&stand->arena, "compute %s", cases[c].call));
        if (stand->status != cases[c].status || strstr(stand->complaint, cases[c].says) == NULL) {
            wrong++;
            print_error("%s: status %d, said: %s", cases[c].call, stand->status, stand->complaint);
        }
    }
    assert_int_equal(wrong, 0);
}

/* No word at all is told; one attends to itself, and thousands are drawn in every format. */
static void any_number_of_words_is_drawn_at_every_stage(void **state)
{
    static const size_t counts[] = {1, 2, 3, 17, 64, 1023, 4096};
    struct stand *const stand = *state;
    stand_refused(stand, "render --tokens '' -o none.png", 2, "--tokens holds no word");
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        const size_t count = counts[c];
        const char *const words = arena_format(&stand->arena, "seq -s ' ' %zu >words.txt", count);
        assert_int_equal(stand_other(stand, words), 0);
        stand_call(stand, "render --text-file words.txt --all-stages --size 480x320 "
                          "-o '{stage}.svg' -o '{stage}.png' -o '{stage}.pdf'");
        assert_int_equal(stand_other(stand, "test $(ls *.svg *.png *.pdf | wc -l) = 21"), 0);
        assert_int_equal(stand_other(stand, "for f in *.svg; do tail -c 8 $f | grep -q '</svg>' || "
                                            "exit 1; done; for f in *.pdf; do tail -c 8 $f | "
                                            "grep -q '%%EOF' || exit 1; done; rm *.svg *.png "
                                            "*.pdf"),
                         0);
        stand_call(stand, "describe --text-file words.txt");
        assert_non_null(strstr(stand->output, arena_format(&stand->arena, "%zu token", count)));
    }
    stand_call(stand,
               "render --tokens one --stage softmax --view window --size 960x600 -o one.svg");
    assert_int_equal(stand_other(stand, "grep -qE '>(1|1[.]0*)<' one.svg"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(numbers_of_the_right_shape_are_taken),
        STAND(of_any_other_shape_it_is_said_what_is_needed),
        STAND(any_number_of_words_is_drawn_at_every_stage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
