/* Weights that learn by the command line: what is written, what is refused, and what a folder is
 * good for afterwards. */
#include "stand.h"

#include <signal.h>
#include <string.h>

#define WORLD "train --task small-world --batch 4 --steps 12 --quiet "
#define SENTENCE "--tokens 'the man buys a hammer . it is' "

static void a_folder_holds_what_was_learned(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, WORLD "-o world");
    assert_int_equal(stand_other(stand, "test \"$(ls world | tr '\\n' ' ')\" = "
                                        "'config.json model.safetensors tokenizer.json "
                                        "tokenizer_config.json training.safetensors '"),
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

#define LINES "train --task text --data lines.txt --rows lines --steps 20 "

/* A folder of rows of lines holds its text; a line that is left out is part of its recipe. */
static void lines_of_own_text_are_rows(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(stand_other(stand, "printf 'the cat eats fish .\\n\\nthe dog eats meat .\\n"
                                        "the cow eats grass .\\n' > lines.txt"),
                     0);
    stand_run(stand, LINES "--probe 'the cow eats' -o all");
    assert_int_equal(stand->status, 0);
    assert_non_null(strstr(stand->complaint, "Learned word by word: 15 words of 9 kinds."));
    assert_non_null(strstr(stand->complaint, "Each of 3 lines is a row."));
    assert_int_equal(stand_other(stand, "cmp lines.txt all/data.txt"), 0);
    assert_int_equal(stand_other(stand, "grep -q '\"rows\": \"lines\"' all/config.json"), 0);
    stand_call(stand, LINES "--quiet --without-line 4,1 -o less");
    assert_int_equal(stand_other(stand, "grep -q '\"without\": \\[1, 4\\]' less/config.json"), 0);
    assert_int_not_equal(stand_other(stand, "cmp -s all/model.safetensors less/model.safetensors"),
                         0);
    /* Training goes on to the same bits, with the line left out. */
    stand_call(stand, "train --task text --data lines.txt --rows lines --steps 30 --quiet "
                      "--without-line 1,4 -o whole");
    stand_call(stand, "train --resume less --steps 30 --quiet");
    assert_int_equal(stand_other(stand, "cmp less/model.safetensors whole/model.safetensors"), 0);
    stand_refused(stand, LINES "--without-line 2 -o x", 1, "There is no line 2 to leave out");
    stand_refused(stand, LINES "--without-line 1-3 -o x", 2, "such as 3,7, not \"1-3\"");
    stand_refused(stand, "train --task text --data lines.txt --without-line 3 -o x", 2,
                  "it goes with --rows lines");
    stand_refused(stand, "train --task copy --rows lines -o x", 2, "it goes with --task text");
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
    stand_refused(stand, "compute --lesson cats --train-anyway", 2,
                  "--train-anyway changes nothing here");
    stand_refused(stand, "compute --lesson cats --step-of-training 4", 2,
                  "a session whose weights are learned");
}

/* Says whether a picture with letters as text says it. */
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
                      "--size 900x320 --text text -o curves.svg");
    assert_true(is_said(stand, "curves.svg", ">40<")); /* the axis ends there */
    stand_call(stand, WORLD "-o world");
    stand_call(stand, "render world --step-of-training 12 --view training --size 900x320 "
                      "--text text -o folder.svg");
    assert_true(is_said(stand, "folder.svg", ">12<"));
    stand_call(stand, "render --lesson onestep --step 3 --view window --text text -o dl.svg");
    assert_true(is_said(stand, "dl.svg", "dL/d"));
}

/* A class guesses first: the picture hides what the window hides. */
static void a_picture_of_a_guess_does_not_tell(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson bank --step 2 --presenter --text text -o asks.svg");
    assert_true(is_said(stand, "asks.svg", ">Reveal<"));
    assert_false(is_said(stand, "asks.svg", "The answer is "));
    stand_call(stand, "render --lesson bank --step 2 --presenter --reveal --text text -o told.svg");
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

static void stopped_training_writes_what_there_is(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *name;
        int status;
    } signals[] = {{"INT", 130}, {"TERM", 143}, {"HUP", 129}};
    signal(SIGHUP, SIG_DFL); /* nohup would hand down that it is not heard */
    /* Once it has said something it is told to stop. */
    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++) {
        assert_int_equal(
            stand_other(stand, arena_format(&stand->arena,
                                            "rm -rf world said; sh -c 'trap - INT; exec "
                                            "\"$ATTNSCOPE_BINARY\" train --task small-world "
                                            "--batch 1 --steps 1000000000 --quiet --probe the "
                                            "--every 1 -o world > said & until grep -q \"step 9\" "
                                            "said 2> /dev/null; do sleep .05; done; kill -%s $!; "
                                            "wait $!; test $? -eq %d'",
                                            signals[s].name, signals[s].status)),
            0);
        stand_call(stand, "describe world --tokens 'the cat'");
        assert_int_not_equal(stand_other(stand, "grep '\"step\": 0' world/config.json"), 0);
    }
}

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

/* The sizes are small, and the numbers odd, so that nothing falls on a round one. */
#define RESUMED "train --task %s --batch 4 --quiet --every 7 "

static void killed_behind(struct stand *stand, const char *call, const char *line)
{
    const char *const command =
        arena_format(&stand->arena,
                     "sh -c 'exec \"$ATTNSCOPE_BINARY\" %s > said & "
                     "until grep -q \"%s\" said 2> /dev/null; do sleep .02; done; kill -9 $!; "
                     "wait $!; test $? -eq 137' 2> /dev/null",
                     call, line);
    assert_int_equal(stand_other(stand, command), 0);
}

/* Killed or ended early, training goes on to the bits of a run that was never stopped: weights,
 * what the optimiser knows, and the table of curves. */
static void training_that_goes_on_has_the_same_bits(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *task, *probe;
    } rows[] = {{"small-world", "the"},
                {"copy --optimizer sgd --rate .01", "a"},
                {"addition --decay cosine", "1"},
                {"induction --clip .1 --d-model 8 --heads 2", "a"},
                {"text --data words.txt --context 8", "one"}};
    static const char same[] = "for f in model.safetensors training.safetensors config.json; do "
                               "cmp whole/$f parts/$f || exit 1; done; cmp whole.csv parts.csv";
    assert_int_equal(stand_other(stand, "yes 'one two three five' | head -90 > words.txt"), 0);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const char *const call = arena_format(&stand->arena, RESUMED, rows[r].task);
        assert_int_equal(stand_other(stand, "rm -rf whole parts whole.csv parts.csv said"), 0);
        stand_call(stand,
                   arena_format(&stand->arena, "%s --steps 40 --log whole.csv -o whole", call));
        killed_behind(stand,
                      arena_format(&stand->arena,
                                   "%s --steps 40 --log parts.csv --save-every 3 --probe %s -o "
                                   "parts",
                                   call, rows[r].probe),
                      "step 14");
        stand_call(stand, "train --resume parts --log parts.csv --every 7 --quiet");
        assert_int_equal(stand_other(stand, same), 0);
    }
}

/* Training stops at the steps that were asked for, and more steps give the same as if they had been
 * asked for at once. */
static void training_goes_on_beyond_its_end(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "train --task small-world --batch 4 --quiet --steps 30 -o whole");
    stand_call(stand, "train --task small-world --batch 4 --quiet --steps 11 -o parts");
    stand_run(stand, "train --resume parts");
    assert_int_equal(stand->status, 0);
    assert_non_null(strstr(stand->complaint, "at its last step, 11"));
    stand_call(stand, "train --resume parts --steps 30 --quiet");
    assert_int_equal(stand_other(stand, "cmp whole/model.safetensors parts/model.safetensors && "
                                        "cmp whole/config.json parts/config.json"),
                     0);
    stand_refused(stand, "train --resume parts --steps 20", 2, "stands at step 30");
    stand_refused(stand, "train --resume parts --rate .1", 2, "--rate belongs to a training that");
    stand_refused(stand, "train --resume parts --seed 3", 2, "--seed belongs to a training that");
    stand_refused(stand, "train --resume parts --data x", 2, "it goes with --task text");
    stand_refused(stand, "train --resume parts -o other", 2, "leave -o out");
    stand_refused(stand, "train --resume nowhere", 1, "no folder that train wrote");
    assert_int_not_equal(stand_other(stand, "test -e nowhere"), 0);
    stand_call(stand, "train --task copy --decay linear --batch 4 --steps 5 --quiet -o falls");
    stand_refused(stand, "train --resume falls --steps 9", 2, "falls until step 5");
    assert_int_equal(stand_other(stand, "cp whole/model.safetensors falls/"), 0);
    stand_refused(stand, "train --resume falls", 1, "model.safetensors");
    assert_int_equal(stand_other(stand, "rm parts/training.safetensors"), 0);
    stand_refused(stand, "train --resume parts", 1, "holds no training.safetensors");
}

/* Own text is found again where it was, and it must be that. */
static void own_text_is_found_again(void **state)
{
    struct stand *const stand = *state;
    static const char begun[] = "train --task text --context 8 --batch 2 --steps 4 --quiet ";
    assert_int_equal(stand_other(stand, "yes 'one two three five' | head -90 > words.txt"), 0);
    stand_call(stand, arena_format(&stand->arena, "%s --data words.txt -o text", begun));
    assert_int_equal(stand_other(stand, "mkdir deep && cd deep && \"$ATTNSCOPE_BINARY\" train "
                                        "--resume ../text --steps 6 --quiet"),
                     0);
    assert_int_equal(stand_other(stand, "mv words.txt moved.txt"), 0);
    stand_refused(stand, "train --resume text --steps 8 --quiet", 1, "words.txt");
    stand_call(stand, "train --resume text --data moved.txt --steps 8 --quiet");
    assert_int_equal(stand_other(stand, "echo more >> moved.txt"), 0);
    stand_refused(stand, "train --resume text --steps 9 --quiet", 1, "not the text");
    assert_int_equal(stand_other(stand, "head -80 moved.txt | \"$ATTNSCOPE_BINARY\" train --task "
                                        "text --data - --context 8 --steps 2 --quiet -o piped"),
                     0);
    stand_refused(stand, "train --resume piped --steps 3", 2, "came from standard input");
}

/* A long text takes no more than its bytes and those of its tokens, however it comes: here 30 MB of
 * letters, and what else the program needs. */
static void a_long_text_takes_little_memory(void **state)
{
    struct stand *const stand = *state;
    static const char *const calls[] = {"--data long.txt", "--data - < long.txt",
                                        "--units letters --data long.txt"};
    assert_int_equal(
        stand_other(stand,
                    "yes 'one two three five six seven äöü 漢字' | head -700000 | awk '{ print "
                    "$0, NR }' > long.txt && test $(wc -c < long.txt) -gt 30000000"),
        0);
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        assert_int_equal(
            stand_other(
                stand, arena_format(&stand->arena,
                                    "(ulimit -v 150000 && \"$ATTNSCOPE_BINARY\" --version > "
                                    "version) 2> none || exit 0; ulimit -v 150000 && "
                                    "\"$ATTNSCOPE_BINARY\" train --task text --context 8 --steps 2 "
                                    "--quiet --threads 1 -o long %s",
                                    calls[c])),
            0);
    }
    assert_int_equal(stand_other(stand, "rm long.txt"), 0);
}

/* A link that lies in the folder leads nowhere: neither what is written nor what is read. */
static void links_in_a_folder_are_not_followed(void **state)
{
    struct stand *const stand = *state;
    static const char *const names[] = {
        "config.json",           "model.safetensors", "training.safetensors", "tokenizer.json",
        "tokenizer_config.json", ".attnscope-new",    ".attnscope-new.part"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        stand_call(stand, WORLD "--quiet -o world");
        assert_int_equal(
            stand_other(stand, arena_format(&stand->arena,
                                            "rm -rf else && mkdir else && cp -R world/. else/ && "
                                            "ln -sfn \"$PWD/else%s%s\" world/%s",
                                            names[n][0] == '.' ? "" : "/",
                                            names[n][0] == '.' ? "" : names[n], names[n])),
            0);
        stand_call(stand, "train --task small-world --steps 2 --batch 4 --quiet -o world");
        assert_int_equal(stand_other(stand, "test -z \"$(find world -type l)\" && "
                                            "test $(ls -A else | wc -l) -eq 5 && "
                                            "grep -q '\"step\": 12' else/config.json && "
                                            "grep -q '\"step\": 2' world/config.json"),
                         0);
    }
    assert_int_equal(stand_other(stand, "mv world/training.safetensors kept && "
                                        "ln -s ../kept world/training.safetensors"),
                     0);
    stand_refused(stand, "train --resume world --steps 3", 1, "is a link");
    assert_int_equal(stand_other(stand, "rm world/training.safetensors; touch outside; "
                                        "ln -sf ../made world/.attnscope-training"),
                     0);
    stand_run(stand, WORLD "--quiet -o world");
    assert_int_equal(stand->status, 1);
    assert_int_not_equal(stand_other(stand, "test -e made"), 0);
}

/* A session of a few hundred bytes, with what it says of its weights, and of where they lie. */
static void write_session_of(struct stand *stand, const char *path, const char *learned,
                             const char *beside)
{
    assert_int_equal(
        stand_other(
            stand,
            arena_format(&stand->arena,
                         "printf '%%s' '{\"format\": \"attnscope-lesson\", \"version\": 1, "
                         "\"name\": \"session\", \"title\": \"A session\", \"summary\": \"\", "
                         "\"experiment\": {\"lesson\": \"\", \"tokens\": [\"the\", \"man\", "
                         "\"buys\"], \"learned\": [%s], \"layers\": 1, \"heads\": 2}, \"steps\": "
                         "[{\"caption\": \"\", \"stage\": \"softmax\", \"query\": 2, \"key\": 1, "
                         "\"head\": 1%s}]}' > %s",
                         learned, beside, path)),
        0);
}

static void write_session(struct stand *stand, const char *path, const char *learned)
{
    write_session_of(stand, path, learned, "");
}

/* A session is trained without asking up to a fixed number of multiply-adds, and bytes. */
static void a_session_that_takes_too_much_is_refused(void **state)
{
    struct stand *const stand = *state;
    static const char *const calls[] = {"compute long.json --select weights",
                                        "describe long.json",
                                        "render long.json -o x.png",
                                        "render long.json --view matrix -o x.svg",
                                        "render long.json --view glance -o x.svg",
                                        "render long.json --worksheet -o x.pdf"};
    static const char *const learned[] = {
        "\"task small-world\", \"seed 19\", \"step 1000000000\"",
        "\"task small-world\", \"step 2\", \"edit 1000000000 rate 0.1\"",
    };
    static const char large[] =
        "\"task small-world\", \"layers 6\", \"heads 4\", \"d_model 256\", \"d_k 64\", "
        "\"inner 1024\", \"context 256\", \"step 0\"";
    for (size_t l = 0; l < sizeof learned / sizeof *learned; l++) {
        write_session(stand, "long.json", learned[l]);
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
            if (l == 0 || c < 3) {
                stand_refused(stand, calls[c], 1,
                              l == 0 ? "1 000 000 000 steps of training"
                                     : "1 000 000 002 steps of training");
            }
        }
        stand_call(stand, "info long.json");
    }
    stand_refused(stand, "compute long.json --select weights", 1, "--train-anyway");
    stand_refused(stand, "describe long.json --step-of-training 900000000", 2, "ends at step");
    write_session(stand, "long.json", "\"task small-world\", \"steps 900000000\", \"step 3\"");
    stand_refused(stand, "describe long.json --step-of-training 900000000", 1, "900 000 000 steps");
    stand_refused(stand, "render long.json --to-step 900000000 -o x.webp", 1, "900 000 000 steps");
    stand_call(stand, "describe long.json --step-of-training 5");
    write_session(stand, "large.json", large);
    stand_refused(stand, "compute large.json --select weights", 1, "MB of memory");
    stand_call(stand, "compute large.json --select weights --train-anyway");
    stand_call(stand, "train --task small-world --batch 4 --steps 2 --quiet -o world");
    assert_int_equal(
        stand_other(stand, "sed -i 's/\"steps\": 2,/\"steps\": 900000000,/' world/config.json"), 0);
    stand_refused(stand, "describe world --tokens 'the man' --step-of-training 900000000", 1,
                  "900 000 000 steps");
    assert_int_not_equal(stand_other(stand, "ls x.* 2> /dev/null"), 0);
}

#define FAR_AWAY "\"task small-world\", \"batch 4\", \"steps 12\", \"step 1000000000\""
#define BESIDE(FOLDER) ", \"saved_weights\": {\"folder\": \"" FOLDER "\"}"

/* Weights that would take too long to be learned again lie beside the session: the call does not
 * ask, and the numbers are those of the folder. */
static void weights_beside_a_session_are_not_learned_again(void **state)
{
    struct stand *const stand = *state;
    static const char *const calls[] = {
        "describe far/s.json",
        "render far/s.json --view matrix -o far/m.svg",
        "render far/s.json --view glance -o far/g.svg",
        "render far/s.json -o far/w.svg",
        "render far/s.json --worksheet -o far/w.pdf",
        "render far/s.json --step-of-training 1000000000 --view matrix -o far/same.svg"};
    assert_int_equal(stand_other(stand, "mkdir far"), 0);
    stand_call(stand, WORLD "-o far/world");
    write_session(stand, "far/near.json",
                  "\"task small-world\", \"batch 4\", \"steps 12\", \"step 12\"");
    stand_call(stand, "compute far/near.json --select weights -o far/near.npy");
    assert_int_equal(
        stand_other(stand, "sed -i 's/\"step\": 12,/\"step\": 1000000000,/' far/world/config.json"),
        0);
    write_session_of(stand, "far/s.json", FAR_AWAY, BESIDE("world"));
    stand_call(stand, "compute far/s.json --select weights -o far/far.npy");
    assert_int_equal(stand_other(stand, "cmp far/near.npy far/far.npy"), 0);
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        stand_run(stand, calls[c]);
        assert_int_equal(stand->status, 0);
        assert_true((strstr(stand->complaint, "drawn without curves") != NULL) == (c == 3));
    }
    assert_int_equal(stand_other(stand, "cmp far/m.svg far/same.svg"), 0);
    /* Where they are drawn themselves curves are trained, as any other step is. */
    stand_refused(stand, "render far/s.json --view training -o x.svg", 1, "--train-anyway");
    stand_refused(stand, "describe far/s.json --step-of-training 900000000", 1,
                  "900 000 000 steps");
    write_session_of(stand, "above.json", FAR_AWAY, BESIDE("far/world"));
    stand_call(stand, "describe above.json");
}

/* One sentence says why the folder is not used, and the weights are learned again. */
static void a_folder_that_does_not_fit_its_session_is_not_used(void **state)
{
    struct stand *const stand = *state;
    static const char three[] = "\"task small-world\", \"batch 4\", \"steps 12\", \"step 3\"";
    static const struct {
        const char *learned, *beside, *change, *says;
    } rows[] = {
        {three, BESIDE("nowhere"), "true", "No such file"},
        {three, BESIDE("other"), "true", "another recipe"},
        {three, BESIDE("world"), "true", "holds step 12 of the training, not 3"},
        {three, ", \"saved_weights\": {\"folder\": \"three\", \"mark\": \"7\"}", "true",
         "holds other weights"},
        {"\"task small-world\", \"batch 4\", \"steps 12\", \"step 3\", \"edit 1 off 0 1 1\"",
         BESIDE("three"), "true", "no mark"},
        {three, BESIDE("three"), "echo [] > three/tokenizer.json", "tokenizer.json"},
        {three, BESIDE("three"),
         "head -c 900 three/model.safetensors > t; mv t "
         "three/model.safetensors",
         "model.safetensors"},
        {three, BESIDE("three"), "echo 1 > three/config.json", "config.json"},
    };
    stand_call(stand, WORLD "-o world");
    stand_call(stand, WORLD "--seed 5 -o other");
    stand_call(stand, WORLD "-o three");
    assert_int_equal(stand_other(stand, "sed -i 's/\"step\": 12,/\"step\": 3,/' three/config.json"),
                     0);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        assert_int_equal(stand_other(stand, rows[r].change), 0);
        write_session(stand, "plain.json", rows[r].learned);
        write_session_of(stand, "beside.json", rows[r].learned, rows[r].beside);
        stand_call(stand, "compute plain.json --select weights -o plain.npy");
        stand_run(stand, "compute beside.json --select weights -o beside.npy");
        assert_int_equal(stand->status, 0);
        if (strstr(stand->complaint, "the weights saved with it are not used: ") == NULL ||
            strstr(stand->complaint, rows[r].says) == NULL ||
            strchr(stand->complaint, '\n') != strrchr(stand->complaint, '\n')) {
            fail_msg("row %zu says: %s", r, stand->complaint);
        }
        assert_int_equal(stand_other(stand, "cmp plain.npy beside.npy"), 0);
    }
    /* Without the saved weights it is still refused. */
    write_session_of(stand, "far.json", FAR_AWAY, BESIDE("world"));
    stand_run(stand, "describe far.json");
    assert_int_equal(stand->status, 1);
    assert_non_null(strstr(stand->complaint, "holds step 12"));
    assert_non_null(strstr(stand->complaint, "--train-anyway"));
    write_session_of(stand, "wrong.json", three, ", \"saved_weights\": {\"mark\": \"7\"}");
    stand_refused(stand, "describe wrong.json", 1, "is missing");
    write_session_of(stand, "wrong.json", three,
                     ", \"saved_weights\": {\"folder\": \"world\", \"mark\": 7}");
    stand_refused(stand, "describe wrong.json", 1, "mark");
}

/* Bytes that a session takes are bounded by what the system gives. */
static void a_session_takes_no_more_memory_than_it_may(void **state)
{
    struct stand *const stand = *state;
    static const char text[] =
        "\"task text\", \"units words\", \"layers 2\", \"d_model 128\", \"heads 4\", \"d_k 32\", "
        "\"inner 512\", "
        "\"context 32\", \"batch 4\", \"step 80\", \"text one two three one two four five one two "
        "six seven three one two eight nine one two three ten one two three the man buys seven\"";
    write_session(stand, "text.json", text);
    /* 80 moments of 5 MB each are not all kept. */
    assert_int_equal(
        stand_other(stand,
                    "(ulimit -v 300000 && \"$ATTNSCOPE_BINARY\" --version > version) 2> none "
                    "|| exit 0; " /* under a sanitizer it does not even begin */
                    "ulimit -v 300000 && \"$ATTNSCOPE_BINARY\" describe text.json "
                    "--threads 1 > described && grep -q buys described"),
        0);
}

/* The model that comes inside is a model: all of its heads, without training it again. */
static void all_heads_of_learned_weights_are_drawn(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson real-heads --view glance --text text -o heads.svg");
    assert_true(is_said(stand, "heads.svg", ">L1<"));
    assert_true(is_said(stand, "heads.svg", ">H3<"));
    stand_call(stand, "render --lesson learned --step 4 --view glance --figure -o some.svg");
    stand_call(stand, "render --lesson learned --step-of-training 3 --view glance -o few.svg");
    stand_refused(stand, "render --lesson cats --view glance -o x.svg", 2, "--view glance takes");
    /* A picture that cannot be drawn is refused before anything is trained. */
    stand_refused(stand, "render --lesson real-heads --step 3 --range 3,1 -o x.svg", 2, "--range");
    stand_refused(stand, "render --lesson real-heads --view kinds --lines -o x.svg", 2, "--lines");
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
        STAND(lines_of_own_text_are_rows),
        STAND(bad_calls_are_one_sentence),
        STAND(steps_of_training_are_drawn),
        STAND(a_film_ends_in_the_picture_of_its_last_step),
        STAND(a_learned_lesson_is_learned_again),
        STAND(a_picture_has_the_run_of_its_weights),
        STAND(a_picture_of_a_guess_does_not_tell),
        STAND(a_model_of_our_own_opens_here),
        STAND(a_folder_is_taken_while_it_is_trained_for),
        STAND(a_loss_far_above_the_first_is_told),
        STAND(weights_beside_a_session_are_not_learned_again),
        STAND(a_folder_that_does_not_fit_its_session_is_not_used),
        STAND(stopped_training_writes_what_there_is),
        STAND(training_that_goes_on_has_the_same_bits),
        STAND(training_goes_on_beyond_its_end),
        STAND(own_text_is_found_again),
        STAND(links_in_a_folder_are_not_followed),
        STAND(a_long_text_takes_little_memory),
        STAND(a_session_that_takes_too_much_is_refused),
        STAND(a_session_takes_no_more_memory_than_it_may),
        STAND(all_heads_of_learned_weights_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
