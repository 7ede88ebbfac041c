/* No option is without effect: where it works the picture is another one, elsewhere it is refused
 * with the places where it works. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../rounds.h"
#include "base/file.h"
#include "file/npz.h"
#include "stand.h"

#define MODEL "\"$ATTNSCOPE_TINY\" --tokens 'the cat sat'"

/* Each view, and what it is a picture of. */
static const struct {
    const char *name, *input;
} views[] = {
    {"window", NULL},
    {"stage", NULL},
    {"space", NULL},
    {"heads", NULL},
    {"head", NULL},
    {"matrix", NULL},
    {"formula", NULL},
    {"kinds", NULL},
    {"decode", NULL},
    {"costs", NULL},
    {"window", MODEL},
    {"glance", MODEL},
    {"attribution", MODEL},
    {"effects", MODEL},
    {"lens", MODEL},
    {"training", "--lesson reverse --step 4 --reveal"},
    {"why", MODEL},
    {"circuit", MODEL},
    {"blame", "--lesson taught --step 5"},
};

enum { VIEWS = sizeof views / sizeof *views };

/* On a lesson of at most 12 words, at a stage where the option means something. */
static const struct {
    const char *written, *stage;
} options[] = {
    {"--lines", "softmax"},
    {"--cells discs", "score"},
    {"--overview", "softmax"},
    {"--change", "softmax"},
    {"--camera 10,10,1", "score"},
    {"--marks off", "softmax"},
    {"--presenter", "softmax"},
    {"--values off", "softmax"},
    {"--decimals 4", "softmax"},
    {"--colours log", "softmax"},
    {"--queries 1,2", "softmax"},
    {"--aside 2", "softmax"},
    {"--colormap viridis", "softmax"},
    {"--colormap puor", "score"},
    {"--range 0,0.5", "softmax"},
    {"--range -9,9", "score"},
    {"--query 2", "softmax"},
    {"--key 1", "softmax"},
    {"--head 2", "softmax"},
    {"--layer 2", "softmax"},
    {"--numbers none", "softmax"},
    {"--caption X", "softmax"},
    {"--x-title X", "softmax"},
    {"--y-title X", "softmax"},
    {"--bar-title X", "softmax"},
    {"--step-axis log", "softmax"},
    {"--gap 0", "softmax"},
    {"--sinks aside", "softmax"},
    {"--weighing value", "softmax"},
    {"--word C", "softmax"},
    {"--rival C", "softmax"},
    {"--theme dark", "softmax"},
    {"--language de", "softmax"},
    {"--text outlines", "softmax"},
    {"--background transparent", "softmax"},
    {"--title X", "softmax"},
    {"--colourbar off", "softmax"},
    {"--progress 0.4", "score"},
    {"--style look.json", "softmax"},
    {"--letters 9", "softmax"},
    {"--size 700x900 --crop", "softmax"},
    {"--figure", "softmax"},
    {"--heads-of encoder", "softmax"},
    {"--temperature 2", "softmax"},
    {"--positions sinusoidal", "softmax"},
    {"--mask causal-window:2", "softmax"},
    {"--smear 0.5", "softmax"},
};

/* Every other option of render, and why it is not laid over every view here. */
static const struct {
    const char *names, *why;
} others[] = {
    {"--help --quiet --verbose --threads --isa --train-anyway --metadata", "the picture stays"},
    {"--format -o --all-heads --all-layers --all-stages --from --to --fps --from-step --to-step "
     "--worksheet --page-operands",
     "which files are written: the test of several pictures, and films.c"},
    {"--stage --view --against --against-lesson --panels", "which picture: gallery.c, panels.c"},
    {"--size --dpi --scale", "the size of any picture: pictures.c"},
    {"--lesson --step --tokens --text-file --text-pair --ids --target --target-ids --generate "
     "--special --chat --step-of-training --reveal",
     "what is read: models.c, inputs.c, train.c"},
    {"--array --axes --reading --keys-array --tokens-array --batch",
     "a file of attention: dumps.c"},
    {"--without --edge --set --patch --changed --what", "a model or a text that is changed: why.c"},
    {"--embedding --d-model --weights --seed --heads --attention --d-k --d-v --context --q --k --v "
     "--flash --normalise --subtract-max --w-o --residual --unit-qk --rope-theta --rope-pairs "
     "--rope-share",
     "another experiment, which the picture holds: as --temperature here"},
    {"--renormalise", "goes with --aside"},
};

static const char *drawn_of(struct stand *stand, const char *lesson, const char *view,
                            const char *stage, const char *written)
{
    stand_run(stand, arena_format(&stand->arena,
                                  "render --lesson %s --mask causal --view %s --stage %s %s "
                                  "--metadata off --format svg -o -",
                                  lesson, view, stage, written));
    return stand->output;
}

/* The same with the experiment inside. */
static const char *draw_held(struct stand *stand, size_t view, const char *stage,
                             const char *written)
{
    stand_run(stand, arena_format(&stand->arena,
                                  "render --lesson ten --mask causal --view %s --stage %s %s "
                                  "--format svg -o -",
                                  views[view].name, stage, written));
    return stand->output;
}

static const char *draw_view(struct stand *stand, size_t view, const char *stage,
                             const char *written)
{
    if (views[view].input == NULL) {
        return drawn_of(stand, "ten", views[view].name, stage, written);
    }
    const bool of_model = strstr(views[view].input, "TINY") != NULL;
    stand_run(stand, arena_format(&stand->arena,
                                  "render %s --view %s %s%s %s --metadata off --format svg -o -",
                                  views[view].input, views[view].name, of_model ? "--stage " : "",
                                  of_model ? stage : "", written));
    return stand->output;
}

/* Says whether the option changes a picture of one head, where it did not of eight. */
static bool changes_cats(struct stand *stand, const char *view, const char *stage,
                         const char *written)
{
    const char *const plain = drawn_of(stand, "cats", view, stage, "");
    return strcmp(plain, drawn_of(stand, "cats", view, stage, written)) != 0;
}

/* A refusal says where the option works, or what it is for. */
static bool is_refused(const struct stand *stand)
{
    const char *const complaint = stand->complaint;
    const bool says =
        strstr(complaint, "--") != NULL &&
        (strstr(complaint, " is for ") != NULL || strstr(complaint, "is no figure") != NULL);
    /* A word that may come next depends on what a model has learned. */
    const bool is_of_word = strstr(complaint, "among the likeliest next words") != NULL;
    return (stand->status == 2 && says) || (stand->status == 1 && is_of_word);
}

/* Says whether the picture holds another experiment, though it shows nothing of that. */
static bool changes_what_is_held(struct stand *stand, size_t view, const char *stage,
                                 const char *written)
{
    if (views[view].input != NULL) {
        return false;
    }
    const char *const plain = draw_held(stand, view, stage, "");
    return strcmp(plain, draw_held(stand, view, stage, written)) != 0;
}

/* Every option in every view: one of the two, and nothing else. */
static void an_option_changes_the_picture_or_is_refused(void **state)
{
    struct stand *const stand = *state;
    size_t changes = 0, refusals = 0, walked = 0;
    static const char *const stages[] = {"score", "softmax"};
    const char *plain_of[2][VIEWS];
    static const char look[] = "{\"colours\": {\"ink\": \"#ff0000\", \"muted\": \"#aa0000\", "
                               "\"panel\": \"#ddffdd\"}}";
    assert_true(file_write(stand_path(stand, "look.json"),
                           (struct bytes){(const uint8_t *)look, sizeof look - 1}, NULL));
    for (size_t p = 0; p < (size_t)2 * VIEWS; p++) {
        plain_of[p % 2][p / 2] = draw_view(stand, p / 2, stages[p % 2], "");
        assert_int_equal(stand->status, 0);
    }
    for (size_t o = 0; o < sizeof options / sizeof options[0]; o++) {
        for (size_t v = 0; v < VIEWS; v++) {
            const char *const plain = plain_of[strcmp(options[o].stage, "score") != 0][v];
            if (walked++ % test_stride() != 0) {
                continue;
            }
            const char *const other = draw_view(stand, v, options[o].stage, options[o].written);
            if (is_refused(stand)) {
                refusals++;
            } else if (stand->status != 0 ||
                       (strcmp(plain, other) == 0 &&
                        (views[v].input != NULL ||
                         (!changes_cats(stand, views[v].name, options[o].stage,
                                        options[o].written) &&
                          !changes_what_is_held(stand, v, options[o].stage,
                                                options[o].written))))) {
                fail_msg("%s in %s: %s", options[o].written, views[v].name,
                         stand->status == 0 ? "the same picture" : stand->complaint);
            } else {
                changes++;
            }
        }
    }
    assert_true(changes > 160 / test_stride() && refusals > 160 / test_stride());
}

static bool has_word(const char *text, const char *word, size_t letters)
{
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += letters) {
        if ((at == text || at[-1] == ' ') && (at[letters] == ' ' || at[letters] == '\0')) {
            return true;
        }
    }
    return false;
}

/* An option that is new stands in one of the two lists above. */
static void every_option_of_render_is_tried(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --help");
    size_t count = 0;
    for (const char *at = stand->output; (at = strstr(at, "\n  -")) != NULL; at++) {
        const size_t letters = strcspn(at + 3, " \n");
        const char *const name = arena_text(&stand->arena, at + 3, letters);
        size_t lists = 0;
        for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
            lists += has_word(options[o].written, name, letters);
        }
        for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
            lists += has_word(others[o].names, name, letters);
        }
        if (lists == 0) {
            fail_msg("%s is on no list", name);
        }
        count++;
    }
    assert_true(count > 100);
}

/* One picture of each head, layer or stage: all different, or the view shows none of these. */
static void several_pictures_differ_or_are_refused(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *option, *field, *input;
    } kinds[] = {{"--all-heads", "head", "--lesson ten --mask causal --stage softmax"},
                 {"--all-stages", "stage", "--lesson ten --mask causal"},
                 {"--all-layers", "layer", MODEL " --stage softmax"}};
    size_t drawn = 0, refusals = 0;
    for (size_t p = 0; p < (size_t)VIEWS * 3; p += test_stride()) {
        const size_t v = p / 3, k = p % 3;
        const bool is_plain = views[v].input == NULL;
        const char *const input = is_plain ? kinds[k].input : views[v].input;
        stand_other(stand, "rm -f all-*");
        stand_run(stand, arena_format(&stand->arena,
                                      "render %s --view %s %s --metadata off -o 'all-{%s}.svg'",
                                      input, views[v].name, kinds[k].option, kinds[k].field));
        const bool no_layers = strstr(stand->complaint, "There are no layers here") != NULL;
        if (is_refused(stand) || no_layers) {
            refusals++;
        } else if (stand->status != 0 ||
                   stand_other(stand, "test $(ls all-* | wc -l) -gt 1 && test $(cat all-* | wc -c) "
                                      "-gt 0 && test -z \"$(md5sum all-* | cut -c1-32 | sort | "
                                      "uniq -d)\"") != 0) {
            fail_msg("%s in %s: %s", kinds[k].option, views[v].name,
                     stand->status == 0 ? "the same picture" : stand->complaint);
        } else {
            drawn++;
        }
    }
    assert_true(drawn > 15 / test_stride() && refusals > 15 / test_stride());
}

/* The same at stages where an option means nothing in most views. */
static void an_option_changes_every_stage_or_is_refused(void **state)
{
    struct stand *const stand = *state;
    static const char *const asked[] = {"--progress 0.4", "--aside 2", "--colours log",
                                        "--colormap magma", "--range 0,0.5"};
    static const char *const seen[] = {"stage", "matrix", "space", "heads"};
    static const char *const stages[] = {"embed", "blend", "output"};
    for (size_t v = 0; v < sizeof seen / sizeof *seen; v++) {
        for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
            const char *const plain = drawn_of(stand, "cats", seen[v], stages[s], "");
            for (size_t a = 0; a < sizeof asked / sizeof *asked; a++) {
                const char *const other = drawn_of(stand, "cats", seen[v], stages[s], asked[a]);
                if (stand->status == 0 ? strcmp(plain, other) == 0
                                       : strstr(stand->complaint, "changes nothing") == NULL) {
                    fail_msg("%s in %s at %s: %s", asked[a], seen[v], stages[s],
                             stand->status == 0 ? "the same picture" : stand->complaint);
                }
            }
        }
    }
}

static void lines_of_one_head_say_which(void **state)
{
    struct stand *const stand = *state;
    static const char call[] = "render --lesson ten --stage softmax --view heads --lines --figure "
                               "-o x.svg";
    stand_run(stand, call);
    assert_non_null(strstr(stand->complaint, "Head 1 of 8 is drawn; --head chooses another."));
    stand_call(stand, arena_format(&stand->arena, "%s --head 2", call));
    stand_call(stand, "render --lesson ten --stage softmax --view heads --lines -o x.svg");
}

static void colours_of_another_stage_are_refused(void **state)
{
    struct stand *const stand = *state;
    stand_refused(stand, "render --stage softmax --view matrix --colormap rdbu -o x.svg", 2,
                  "at the stage softmax");
    stand_refused(stand, "render --stage score --view matrix --colormap viridis -o x.svg", 2,
                  "at the stage score");
    stand_call(stand, "render --view matrix --from score --to softmax --fps 1 --colormap viridis "
                      "-o x.gif");
    stand_call(stand, "render --stage score --view matrix --colours linear --marks on -o x.svg");
}

/* Where another option leaves it nothing to do, both are named; so is a film that would not move,
 * and a window as wide as a column of print. */
static void options_that_stand_in_each_others_way_are_refused(void **state)
{
    struct stand *const stand = *state;
    stand_refused(stand, "render --view matrix --values off --decimals 3 -o x.svg", 2,
                  "--decimals changes nothing with --values off");
    stand_refused(stand, "render --figure --query dog -o x.svg", 2,
                  "--query changes nothing with --marks off");
    stand_call(stand, "render --figure --query dog --marks on -o x.svg");
    stand_refused(stand, "render --lesson ten --view heads --figure --head 2 -o x.svg", 2,
                  "--head changes nothing with --marks off");
    stand_call(stand, "render --lesson ten --view heads --figure --lines --head 2 -o x.svg");
    stand_refused(stand, "render --lesson cats --figure --size 85mm --crop -o x.svg", 2,
                  "--crop changes nothing with a width alone");
    stand_refused(stand,
                  "render --lesson reverse --step 4 --view training --mask window:1 -o x.svg", 2,
                  "--mask changes nothing in --view training");
    stand_refused(stand, "render " MODEL " --view circuit --temperature 2 -o x.svg", 2,
                  "--temperature changes nothing in --view circuit");
    stand_refused(stand, "render " MODEL " --view lens --temperature 2 -o x.svg", 2,
                  "--view lens takes the folder of a model");
    stand_refused(stand, "render --view matrix --from softmax --to softmax -o x.gif", 2,
                  "All pictures of one stage are the same");
    stand_refused(stand, "render --size 85 -o x.png", 2, "--size 85mm");
}

/* Weights that are given were not computed here: what another kind or its computation would take
 * is not known, and nothing is drawn instead. */
static void given_weights_have_no_other_kinds_and_no_costs(void **state)
{
    struct stand *const stand = *state;
    static const char *const cases[][2] = {
        {"kinds", "other kinds of attention need queries and keys"},
        {"costs", "what it takes to compute them is not known here"},
    };
    for (size_t c = 0; c < 2; c++) {
        stand_refused(stand,
                      arena_format(&stand->arena, "render '%s/heads.npy' --view %s -o x.svg",
                                   getenv("ATTNSCOPE_DUMPS"), cases[c][0]),
                      1, cases[c][1]);
    }
}

/* A bar whose ends are not the least and the largest weight says so. */
static void a_range_that_cuts_says_so(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --stage softmax --view matrix --range 0.1,0.33 -o x.svg");
    const char *const cut = (const char *)stand_content(stand, "x.svg").at;
    assert_non_null(strstr(cut, ">≥0.33<"));
    assert_non_null(strstr(cut, ">≤0.10<"));
    stand_call(stand, "render --stage softmax --view matrix --range 0,1 -o x.svg");
    assert_null(strstr((const char *)stand_content(stand, "x.svg").at, "≥"));
    /* Rows that look at one key of all are no rows that see few: their weights are not rare. */
    static const char sparse[] = "0.5,0.5,0,0,0\n0,1,0,0,0\n0,0,1,0,0\n0,0.25,0.25,0.5,0\n"
                                 "0,0,0,0,1\n";
    assert_true(file_write(stand_path(stand, "sparse.csv"),
                           (struct bytes){(const uint8_t *)sparse, sizeof sparse - 1}, NULL));
    stand_call(stand, "render sparse.csv --size 85mm -o x.svg");
    assert_null(strstr((const char *)stand_content(stand, "x.svg").at, "≥"));
}

/* Numbers of a file or a model are not computed again as something else. */
static void parameters_of_an_experiment_are_for_experiments(void **state)
{
    struct stand *const stand = *state;
    const char *const tiny = getenv("ATTNSCOPE_TINY"), *const dumps = getenv("ATTNSCOPE_DUMPS");
    const char *const calls[] = {
        arena_format(&stand->arena, "compute '%s' --text 'the cat' --temperature 2", tiny),
        arena_format(&stand->arena, "compute '%s' --text 'the cat' --mask window:1", tiny),
        arena_format(&stand->arena, "compute '%s/heads.npy' --heads 2", dumps),
        arena_format(&stand->arena, "compute '%s/heads.npy' --scale off", dumps),
        arena_format(&stand->arena, "render '%s/heads.npy' --temperature 2 -o x.svg", dumps),
        arena_format(&stand->arena, "describe '%s/heads.npy' --seed 2", dumps),
    };
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        stand_refused(stand, calls[c], 2, "changes nothing here");
    }
    stand_call(stand,
               arena_format(&stand->arena,
                            "render '%s/heads.npy' --head 1 --view matrix --scale 3 -o x.png",
                            dumps));
    /* Weights that are given stay: a mask may only say why some are 0. */
    stand_refused(
        stand, arena_format(&stand->arena, "render '%s/heads.npy' --mask window:1 -o x.svg", dumps),
        2, "weights that are given are not computed anew");
    stand_call(stand, "compute --lesson cats --mask causal --select weights -o causal.npy");
    stand_call(stand, "render causal.npy --mask causal --view matrix --stage softmax -o x.svg");
    assert_non_null(strstr((const char *)stand_content(stand, "x.svg").at, "masked"));
}

/* A figure explains hidden cells where a mask hides any. */
static void what_hides_nothing_needs_no_legend(void **state)
{
    struct stand *const stand = *state;
    static const char *const panels[] = {"matrix", "heads", "head"};
    for (size_t v = 0; v < sizeof panels / sizeof *panels; v++) {
        const char *const rest =
            arena_format(&stand->arena,
                         "--mask causal --view %s --stage softmax --figure --size 85mm "
                         "--metadata off",
                         panels[v]);
        stand_call(stand, arena_format(&stand->arena, "render --tokens cat %s -o a.svg", rest));
        stand_call(stand,
                   arena_format(&stand->arena, "render --tokens 'cat dog' %s -o b.svg", rest));
        assert_null(strstr((const char *)stand_content(stand, "a.svg").at, ">masked<"));
        assert_non_null(strstr((const char *)stand_content(stand, "b.svg").at, ">masked<"));
    }
}

/* A view that shows less than the whole is not changed by what it does not show. */
static bool shows_less(const char *call, const char *option)
{
    static const char *const of_outputs[] = {"--residual on", "--w-o off"};
    for (size_t o = 0; o < 2 && strncmp(call, "compute", 7) != 0; o++) {
        if (strcmp(option, of_outputs[o]) == 0) {
            return true; /* weights do not depend on it; what is computed does */
        }
    }
    return false;
}

/* Each kind of FILE with options that it may not know: another result, or a refusal; and, for a
 * value that holds there anyhow, the same. */
static void an_option_changes_the_result_or_is_refused(void **state)
{
    struct stand *const stand = *state;
    const char *const tiny = getenv("ATTNSCOPE_TINY"), *const dumps = getenv("ATTNSCOPE_DUMPS");
    const char *const sources[] = {
        "--lesson cats", "session.svg", arena_format(&stand->arena, "'%s/heads.npy'", dumps),
        arena_format(&stand->arena, "'%s' --tokens 'the cat sat'", tiny)};
    static const char *const laid_over[] = {
        "--array a",         "--axes LHQK",      "--reading scores", "--keys-array k",
        "--tokens-array t",  "--batch 2",        "--seed 7",         "--d-model 7",
        "--rope-theta 5",    "--rope-share 0.5", "--renormalise",    "--context 'p q'",
        "--temperature 3",   "--unit-qk on",     "--residual on",    "--w-o off",
        "--text-file words", "--title X",        "--dpi 100",        "--caption off"};
    static const char *const calls[] = {"compute",
                                        "render --view heads --metadata off --format svg"};
    stand_call(stand, "render --tokens 'a b c' --view matrix -o session.svg");
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
            const char *const call =
                arena_format(&stand->arena, "%s %s -o -", calls[c], sources[s]);
            stand_run(stand, call);
            assert_int_equal(stand->status, 0);
            const char *const plain =
                arena_text(&stand->arena, stand->output, strlen(stand->output));
            for (size_t o = 0; o < sizeof laid_over / sizeof *laid_over; o++) {
                stand_run(stand, arena_format(&stand->arena, "%s %s", call, laid_over[o]));
                if (stand->status == 0 && strcmp(plain, stand->output) == 0 &&
                    !shows_less(calls[c], laid_over[o])) {
                    fail_msg("%s %s: the same", call, laid_over[o]);
                }
                assert_in_range(stand->status, 0, 2);
            }
        }
    }
}

static void a_refusal_says_where_it_works(void **state)
{
    struct stand *const stand = *state;
    const char *const tiny = getenv("ATTNSCOPE_TINY");
    static const struct {
        const char *call, *says;
    } rows[] = {
        {"compute --lesson cats --seed 7", "--embedding random and --weights random"},
        {"compute --lesson cats --d-model 7", "it is for --embedding random"},
        {"compute --lesson cats --rope-theta 5", "it is for --positions rope"},
        {"compute --lesson cats --batch 2", "a file of attention"},
        {"describe --lesson cats --renormalise", "--aside"},
        {"render " MODEL " --aside cat --renormalise -o x.png", "it is for --view stage"},
        {"render --lesson cats --lines --decimals 2 -o x.svg", "it is for cells"},
        {"compute --select weights --decimals 2 -o x.csv", "it is for latex, tikz, bmatrix"},
        {"render --lesson cats --view stage --dpi 300 -o x.svg -o x.pdf", "PNG, WebP and GIF"},
        {"render --lesson cats --view heads --caption off -o x.svg", "it is for window"},
        {"render --lesson cats --view formula --title X -o x.svg", "it is for window"},
        {"render --lesson cats --view costs --progress 0.5 -o x.svg", "it is for window"},
        {"render --lesson ten --view costs --head 3 -o x.svg", "it is for window"},
        {"render --lesson cats --view head --stage softmax --progress 0.5 -o x.svg",
         "--view stage, space"},
        {"render --lesson cats --view costs --presenter -o x.svg", "it is for window"},
        {"render --lesson cats --view stage --text outlines -o x.png", "it is for SVG and PDF"},
        {"render --lesson cats --view stage --text embedded -o x.pdf", "it is for SVG"},
        {"render --lesson cats --figure -o x.tikz", "--select weights -o x.tikz"},
        {"render --lesson cats --figure -o x.tex", "is what compute writes"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        stand_refused(stand, rows[r].call, 2, rows[r].says);
    }
    stand_refused(stand,
                  arena_format(&stand->arena, "compute '%s' --text 'the cat' --head 2", tiny), 2,
                  "L0H1");
    stand_refused(stand,
                  arena_format(&stand->arena, "compute '%s' --text 'the cat' --tokens cat", tiny),
                  2, "either --text or --tokens");
    stand_refused(
        stand, arena_format(&stand->arena, "render '%s' --tokens 'a b' --context c -o x.svg", tiny),
        2, "a model reads one text");
    stand_call(stand, "compute --lesson cats --seed 42 -o x.json"); /* as it is anyhow */
    stand_call(stand, "render --lesson cats --view stage --dpi 300 -o x.svg -o x.png");
}

static void what_cannot_be_decoded_is_no_picture(void **state)
{
    struct stand *const stand = *state;
    stand_run(stand, "render --lesson cats --mask none --view decode -o x.svg");
    assert_int_equal(stand->status, 1);
    assert_int_equal(stand_other(stand, "test ! -e x.svg"), 0);
    stand_call(stand, "render --lesson cats --mask causal --view decode -o x.svg");
    /* In a column of a page, too: gaps, sentences and numbers of what is kept give way. */
    stand_call(stand, "render --lesson cats --mask causal --view decode --size 85mmx100mm --figure "
                      "-o x.svg");
    stand_call(stand, "render --lesson ten --mask causal --view decode --size 85mm --figure "
                      "-o x.svg");
}

static void letters_that_no_font_has_are_named(void **state)
{
    struct stand *const stand = *state;
    stand_run(stand, "render --tokens 'a\xf4\x8f\xbf\xbd b' --view stage -o x.svg -o y.pdf");
    assert_int_equal(stand->status, 0);
    const char *const warned = strstr(stand->complaint, "U+10FFFD");
    assert_non_null(warned);
    assert_null(strstr(warned + 1, "U+10FFFD"));
    stand_call(stand, "render --tokens 'a\xf4\x8f\xbf\xbd b' --view stage --quiet -o x.svg");
    stand_call(stand, "render --tokens 'a b' --view stage -o x.svg");
}

/* The figure of the session inside a figure is the figure. */
static void nothing_selected_is_kept_with_the_session(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "render --lesson cats --stage softmax --marks off --view matrix -o x.svg");
    stand_call(stand, "render x.svg --view matrix -o y.svg");
    assert_int_equal(stand_other(stand, "cmp x.svg y.svg"), 0);
    stand_call(stand, "render --lesson cats --stage softmax --view matrix -o z.svg");
    assert_int_not_equal(stand_other(stand, "cmp -s x.svg z.svg"), 0);
}

/* The first word that means nothing is told, and short options may hold their value. */
static void calls_are_read_as_they_are_meant(void **state)
{
    struct stand *const stand = *state;
    stand_refused(stand, "rendr -o x.svg", 2, "\"rendr\"; did you mean render?");
    stand_refused(stand, "rendr --view stage", 2, "\"rendr\"; did you mean render?");
    stand_call(stand, "compute -ox.json");
    assert_true(stand_content(stand, "x.json").size > 100);
    stand_call(stand, "help");
    assert_non_null(strstr(stand->output, "attnscope CALL --help"));
    stand_call(stand, "help render");
    assert_non_null(strstr(stand->output, "--colourbar"));
    stand_refused(stand, "help rendr", 2, "did you mean render?");
}

/* Whoever has an array and its words needs no file of words. */
static void an_array_gets_its_words_from_the_call(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute --tokens 'a b c' --embedding random --select weights -o own.npy");
    stand_call(stand, "compute own.npy --tokens 'one two three' --select weights -o own.csv");
    assert_non_null(
        strstr((const char *)stand_content(stand, "own.csv").at, ",\"one\",\"two\",\"three\""));
    stand_call(stand, "render own.npy --tokens 'one two three' --view matrix -o own.svg");
    assert_non_null(strstr((const char *)stand_content(stand, "own.svg").at, ">three<"));
    stand_refused(stand, "render own.npy --tokens 'one two' --view matrix -o x.svg", 1,
                  "--tokens holds 2 tokens, but there are 3 rows");
    stand_call(stand, "compute --tokens 'a b' --context 'c d e' --embedding random "
                      "--select weights -o cross.npy");
    stand_call(stand, "compute cross.npy --tokens 'p q' --context 'x y z' --select weights "
                      "-o cross.csv");
    assert_non_null(
        strstr((const char *)stand_content(stand, "cross.csv").at, ",\"x\",\"y\",\"z\"\n\"p\","));
    stand_refused(stand, "compute cross.npy --tokens 'p q' --context x -o x.json", 1,
                  "--context holds 1 tokens, but there are 3 columns");
    stand_call(stand, "compute --tokens 'a b c' --embedding random --select scores -o s.npy");
    stand_refused(stand, "render s.npy --view matrix -o x.svg", 1,
                  "with a softmax: --reading scores");
    stand_call(stand, "render s.npy --reading scores --view matrix -o x.svg");
    /* Advice must be of a call that can be read. */
    struct bytes odd = stand_content(stand, "s.npy");
    const float no_number = NAN;
    memcpy((void *)(uintptr_t)(odd.at + odd.size - sizeof no_number), &no_number, sizeof no_number);
    assert_true(file_write(stand_path(stand, "odd.npy"), odd, NULL));
    stand_refused(stand, "render odd.npy --view matrix -o x.svg", 1, ": no weight is.");
    assert_null(strstr(stand->complaint, "--reading scores"));
}

static void arrays_come_from_standard_input(void **state)
{
    struct stand *const stand = *state;
    const char *const file =
        arena_format(&stand->arena, "'%s/half.npz'", getenv("ATTNSCOPE_DUMPS"));
    static const char *const calls[] = {"render - --view matrix -o x.svg", "compute - -o x.json",
                                        "describe - > x.txt", "info - > x.txt"};
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        const char *const line = arena_format(
            &stand->arena, "cat %s | \"$ATTNSCOPE_BINARY\" %s && \"$ATTNSCOPE_BINARY\" %s < %s",
            file, calls[c], calls[c], file);
        if (stand_other(stand, line) != 0) {
            fail_msg("%s", line);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(an_option_changes_the_picture_or_is_refused),
        STAND(every_option_of_render_is_tried),
        STAND(several_pictures_differ_or_are_refused),
        STAND(an_option_changes_every_stage_or_is_refused),
        STAND(lines_of_one_head_say_which),
        STAND(colours_of_another_stage_are_refused),
        STAND(options_that_stand_in_each_others_way_are_refused),
        STAND(given_weights_have_no_other_kinds_and_no_costs),
        STAND(a_range_that_cuts_says_so),
        STAND(parameters_of_an_experiment_are_for_experiments),
        STAND(what_hides_nothing_needs_no_legend),
        STAND(an_option_changes_the_result_or_is_refused),
        STAND(a_refusal_says_where_it_works),
        STAND(what_cannot_be_decoded_is_no_picture),
        STAND(letters_that_no_font_has_are_named),
        STAND(nothing_selected_is_kept_with_the_session),
        STAND(calls_are_read_as_they_are_meant),
        STAND(an_array_gets_its_words_from_the_call),
        STAND(arrays_come_from_standard_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
