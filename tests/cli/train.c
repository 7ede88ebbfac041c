/* Weights that learn by the command line: what is written, what is refused, and what a folder is
 * good for afterwards. */
#include "stand.h"

#include <string.h>

#define WORLD "train --task small-world --batch 4 --steps 12 --quiet "
#define SENTENCE "--tokens 'the man buys a hammer . it is' "

static void a_folder_holds_what_was_learned(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, WORLD "-o world");
    assert_int_equal(stand_other(stand, "test \"$(ls world | tr '\\n' ' ')\" = "
                                        "'config.json model.safetensors tokenizer.json "
                                        "tokenizer_config.json '"),
                     0);
    /* The same recipe gives the same bits, with any number of threads. */
    stand_call(stand, WORLD "--threads 2 -o again");
    assert_int_equal(stand_other(stand, "cmp world/model.safetensors again/model.safetensors"), 0);
    stand_call(stand, WORLD "--seed 5 -o other");
    assert_int_not_equal(
        stand_other(stand, "cmp -s world/model.safetensors other/model.safetensors"), 0);
    stand_call(stand, WORLD "-o world"); /* one that train wrote may be written again */
    stand_call(stand, "describe world " SENTENCE "--stage softmax --query is");
    assert_non_null(strstr(stand->output, "hammer"));
    stand_call(stand, "compute world --text 'the cat' --select logits");
    assert_non_null(strstr(stand->output, "\"logits\""));
}

static void curves_are_a_table(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, WORLD "--log curves.csv --every 5 -o world");
    const struct bytes table = stand_content(stand, "curves.csv");
    const char *const text = (const char *)table.at;
    assert_memory_equal(text, "step,loss,accuracy,noun,previous,kinds\n0,", 41);
    assert_int_equal(stand_other(stand, "test \"$(cut -d, -f1 curves.csv | tr '\\n' ' ')\" = "
                                        "'step 0 5 10 12 '"),
                     0);
    stand_call(stand, "train --task addition --batch 8 --steps 2 --quiet --log sums.csv --every 1");
    assert_memory_equal(stand_content(stand, "sums.csv").at,
                        "step,loss,accuracy,test_accuracy,frequencies\n", 45);
    stand_call(stand, WORLD "--probe 'the man buys a hammer . it is' --every 12 -o world");
    assert_non_null(strstr(stand->output, "step 0: "));
    assert_non_null(strstr(stand->output, "\nstep 12: "));
}

static void own_text_learns_words_or_letters(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(
        stand_other(
            stand,
            "yes 'one two three' | head -40 > words.txt; printf '\\300\\200 ab cd' > odd.txt"),
        0);
    stand_run(stand, "train --task text --data words.txt --context 8 --steps 2 -o words");
    assert_int_equal(stand->status, 0);
    assert_non_null(strstr(stand->complaint, "Learned word by word: 120 words of 3 kinds."));
    stand_run(stand, "train --task text --data odd.txt --steps 2 -o letters");
    assert_non_null(strstr(stand->complaint, "Learned letter by letter: 6 letters of 5 kinds."));
    assert_non_null(strstr(stand->complaint, "Left out: 2 bytes"));
}

static void bad_calls_are_one_sentence(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *call;
        int status;
        const char *says;
    } rows[] = {
        {"train", 2, "Name it with --task"},
        {"train --task cups -o x", 2, "cups"},
        {"train --task copy", 2, "Name a folder with -o."},
        {"train --task text -o x", 2, "--data FILE"},
        {"train --task copy --data y -o x", 2, "it goes with --task text"},
        {"train --task copy --momentum .5 -o x", 2, "it goes with --optimizer sgd"},
        {"train --task copy --every 3 -o x", 2, "it goes with --log or --probe"},
        {"train --task copy --heads 3 -o x", 2, "d_model 32"},
        {"train --task addition --context 5 -o x", 1, "no other number"},
        {"train --task copy --rate 100 --optimizer sgd --warmup 0 --quiet -o x", 1,
         "Training diverged at step"},
        {"train --task copy --rate 100 --optimizer sgd --warmup 0 --quiet -o x", 1, "--clip 1."},
        {"train --task copy --steps 1 -o full", 1, "holds other files"},
        {"train --task copy --steps 1 -o full/file", 1, "is a file"},
        {"train --task text --data empty --steps 1 -o x", 1, "nothing to learn from"},
        {"train --task text --data missing --steps 1 -o x", 1, "missing"},
        {"train --task small-world --steps 1 --probe 'the zebra' -o x", 1, "zebra"},
        {"train --task copy --steps 1 --probe '' -o x", 2, "--probe has 0 tokens"},
        {"describe --step-of-training 3", 2, "a folder that attnscope train wrote"},
    };
    assert_int_equal(stand_other(stand, "mkdir full && touch full/file empty"), 0);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        stand_refused(stand, rows[r].call, rows[r].status, rows[r].says);
        assert_int_not_equal(stand_other(stand, "test -e x"), 0); /* nothing was begun */
    }
}

/* A moment of training is looked at, and the film of it. */
static void steps_of_training_are_drawn(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, WORLD "-o world");
    stand_call(stand,
               "compute world " SENTENCE "--layer 1 --select weights --format csv -o saved.csv");
    stand_call(stand,
               "compute world " SENTENCE "--step-of-training 12 --select weights --format csv "
               "-o last.csv");
    stand_call(stand,
               "compute world " SENTENCE "--step-of-training 0 --select weights --format csv "
               "-o first.csv");
    /* The engine of models and that of learning agree to five digits; the first step is another. */
    assert_int_equal(
        stand_other(stand, "paste -d, saved.csv last.csv | awk -F, 'NR > 1 { for (i = 3; i <= 10; "
                           "i++) { d = $i - $(i + 10); if (d * d > 1e-9) exit 1 } }'"),
        0);
    assert_int_not_equal(stand_other(stand, "cmp -s first.csv last.csv"), 0);
    stand_call(stand, "render world " SENTENCE "--view heads --size 300x240 --fps 4 --from-step 0 "
                      "--to-step 6 -o 'film-%02d.png'");
    /* 7 steps, the last one for 2 seconds more */
    assert_int_equal(stand_other(stand, "test $(ls film-*.png | wc -l) -eq 15"), 0);
    assert_int_not_equal(stand_other(stand, "cmp -s film-01.png film-07.png"), 0);
    assert_int_equal(stand_other(stand, "cmp film-07.png film-15.png"), 0);
    /* Drawn by all processors, it is the file that one makes. */
    stand_call(stand, "render world " SENTENCE "--view heads --size 300x240 --from-step 0 "
                      "--to-step 12 -o all.gif -o all.webp");
    assert_int_equal(stand_other(stand, "taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//') "
                                        "\"$ATTNSCOPE_BINARY\" render world " SENTENCE
                                        "--view heads --size 300x240 --from-step 0 --to-step 12 "
                                        "-o one.gif -o one.webp && cmp one.gif all.gif && "
                                        "cmp one.webp all.webp"),
                     0);
    stand_refused(stand, "render world " SENTENCE "--from-step 5 --to-step 2 -o x.webp", 2,
                  "does not come before");
    stand_refused(stand, "render world " SENTENCE "--step-of-training 99999 -o x.png", 2,
                  "--step-of-training 99999: its training ends at step 12.");
    stand_refused(stand, "render world " SENTENCE "--to-step 13 -o x.webp", 2, "ends at step 12.");
    stand_refused(stand, "render world " SENTENCE "--from-step 5 -o x.png", 2, "make an animation");
}

/* A film goes where the still of a step has come to: ways of words and all. */
static void a_film_ends_in_the_picture_of_its_last_step(void **state)
{
    struct stand *const stand = *state;
    static const char *const drawn[] = {"render --lesson learned --step 4 --view window ",
                                        "render world " SENTENCE "--view window "};
    stand_call(stand, WORLD "-o world");
    for (size_t d = 0; d < 2; d++) {
        stand_call(stand,
                   arena_format(&stand->arena,
                                "%s --size 960x640 --scale 1 --title x --metadata off --fps 1 "
                                "--from-step 0 --to-step 12 -o 'film-%%02d.png'",
                                drawn[d]));
        stand_call(stand, arena_format(&stand->arena,
                                       "%s --size 960x640 --scale 1 --title x --metadata off "
                                       "--step-of-training 12 -o still.png",
                                       drawn[d]));
        assert_int_equal(stand_other(stand, "cmp film-12.png still.png"), 0);
    }
}

/* A lesson of learning shows what it says: weights that were learned up to its step, or another. */
static void a_learned_lesson_is_learned_again(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute --lesson learned --step 1 --step-of-training 40 --select weights "
                      "--format csv -o then.csv");
    stand_call(stand, "compute --lesson learned --step 1 --step-of-training 40 --select weights "
                      "--format csv -o again.csv");
    stand_call(stand, "compute --lesson learned --step 1 --step-of-training 0 --select weights "
                      "--format csv -o first.csv");
    assert_int_equal(stand_other(stand, "cmp then.csv again.csv"), 0);
    assert_int_not_equal(stand_other(stand, "cmp -s then.csv first.csv"), 0);
    stand_refused(stand, "compute --lesson cats --step-of-training 4", 2,
                  "a session whose weights are learned");
}

/* Whether a picture of letters as text says it. */
static bool is_said(struct stand *stand, const char *picture, const char *words)
{
    const struct bytes svg = stand_content(stand, picture);
    return strstr((const char *)svg.at, words) != NULL;
}

/* The strip, the heads at three moments and the ways of words stand in a picture of the window as
 * they do in the window that has watched it. */
static void a_picture_has_the_run_of_its_weights(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson learned --step 4 --view window --text text -o step.svg");
    assert_true(is_said(stand, "step.svg", "step 200 of 1"));
    assert_true(is_said(stand, "step.svg", "kinds of words move apart"));
    assert_true(is_said(stand, "step.svg", "trail: 200 steps"));
    assert_true(is_said(stand, "step.svg", ">step 0<")); /* then … */
    assert_true(is_said(stand, "step.svg", ">200<"));    /* … and now */
    stand_call(stand, "render --lesson learned --step 4 --view window --text text -o again.svg");
    assert_int_equal(stand_other(stand, "cmp step.svg again.svg"), 0);
    stand_call(stand, "render --lesson learned --step 4 --view window --presenter --text text "
                      "--size 1280x720 -o class.svg");
    assert_true(is_said(stand, "class.svg", "step 200 of 1"));
    assert_true(is_said(stand, "class.svg", "At step 200 head L0H0")); /* the caption */
    stand_call(stand, "render --lesson learned --step 1 --step-of-training 40 --view training "
                      "--size 900x120 --text text -o strip.svg");
    assert_true(is_said(stand, "strip.svg", "step 40 of 1"));
    stand_call(stand, WORLD "-o world");
    stand_call(stand, "render world " SENTENCE "--step-of-training 12 --view training "
                      "--size 900x120 --text text -o folder.svg");
    assert_true(is_said(stand, "folder.svg", "step 12 of 12"));
    stand_call(stand, "render --lesson onestep --step 3 --view window --text text -o dl.svg");
    assert_true(is_said(stand, "dl.svg", "dL/d"));
}

/* A class guesses first: the picture hides what the window hides. */
static void a_picture_of_a_guess_does_not_tell(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson bank --step 3 --presenter --text text -o asks.svg");
    assert_true(is_said(stand, "asks.svg", ">Reveal<"));
    assert_false(is_said(stand, "asks.svg", "The answer is "));
    stand_call(stand, "render --lesson bank --step 3 --presenter --reveal --text text -o told.svg");
    assert_false(is_said(stand, "told.svg", ">Reveal<"));
    assert_true(is_said(stand, "told.svg", "The answer is "));
    stand_refused(stand, "render --lesson bank --step 1 --reveal -o x.svg", 2,
                  "a step that asks for a guess");
}

/* Where words see what follows, the folder opens here and says so. */
static void a_model_of_our_own_opens_here(void **state)
{
    struct stand *const stand = *state;
    stand_run(stand, "train --task copy --steps 5 -o copy");
    assert_non_null(strstr(stand->complaint, "opens in this program only"));
    stand_call(stand, "describe copy --tokens 'a b c d e f g h' --stage softmax --query a");
    assert_non_null(strstr(stand->output, "8 tokens"));
}

static void interrupted_training_writes_what_there_is(void **state)
{
    struct stand *const stand = *state;
    /* Once it has said something it is told to stop. */
    assert_int_equal(
        stand_other(
            stand,
            "sh -c 'trap - INT; exec \"$ATTNSCOPE_BINARY\" train --task small-world --batch 1 "
            "--steps 1000000000 --quiet --probe the --every 1 -o world > said & "
            "until grep -q step said 2> /dev/null; do sleep .05; done; kill -INT $!; wait $!; "
            "test $? -eq 130'"),
        0);
    stand_call(stand, "describe world --tokens 'the cat'");
}

/* What one training is going to write no other one writes meanwhile. */
static void a_folder_is_taken_while_it_is_trained_for(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(
        stand_other(
            stand,
            "sh -c 'trap - INT; exec \"$ATTNSCOPE_BINARY\" train --task small-world --batch 1 "
            "--steps 1000000000 --quiet --probe the --every 1 -o world > said & "
            "until grep -q step said 2> /dev/null; do sleep .05; done; "
            "\"$ATTNSCOPE_BINARY\" train --task copy --steps 2 -o world 2> told; echo $? >> told; "
            "kill -INT $!; wait $!; test $? -eq 130'"),
        0);
    assert_int_equal(stand_other(stand,
                                 "grep -q 'Another training writes into world' told && "
                                 "test $(tail -1 told) = 1 && grep -q small world/config.json"),
                     0);
    stand_call(stand, WORLD "-o world"); /* it is free again */
}

static void a_loss_far_above_the_first_is_told(void **state)
{
    struct stand *const stand = *state;
    stand_run(stand, "train --task copy --rate 100 --steps 60 -o wild");
    assert_int_equal(stand->status, 0);
    assert_non_null(strstr(stand->complaint, "lower the rate (now 100)"));
    stand_run(stand, "train --task copy --steps 60 -o tame");
    assert_null(strstr(stand->complaint, "lower the rate"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(a_folder_holds_what_was_learned),
        STAND(curves_are_a_table),
        STAND(own_text_learns_words_or_letters),
        STAND(bad_calls_are_one_sentence),
        STAND(steps_of_training_are_drawn),
        STAND(a_film_ends_in_the_picture_of_its_last_step),
        STAND(a_learned_lesson_is_learned_again),
        STAND(a_picture_has_the_run_of_its_weights),
        STAND(a_picture_of_a_guess_does_not_tell),
        STAND(a_model_of_our_own_opens_here),
        STAND(a_folder_is_taken_while_it_is_trained_for),
        STAND(a_loss_far_above_the_first_is_told),
        STAND(interrupted_training_writes_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
