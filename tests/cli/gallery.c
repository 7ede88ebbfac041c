/* The gallery: the figures of products of inputs, views, sizes and options, each held to rules that
 * a machine can check. Where ATTN_GALLERY names a folder, each is kept there as a PNG too, and as
 * a line of its list, to be looked at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../rounds.h"
#include "drawing.h"
#include "stand.h"

enum { NAMES_MAX = 16, FIGURES_MIN = 400, BYTES_AGAIN = 7 };

static const double LETTERS_MIN = 5; /* points, of figures for paper */

#define RANDOM "--embedding random --weights random --d-model 16 "

/* What is drawn, and the names of its words. */
static const struct input {
    const char *call, *names;
} inputs[] = {
    {"--lesson cats", "cat|dog|lion|NYC"},
    {"--lesson ten --mask causal", "A|small|dog|chases|the|big|cat|through|our|garden"},
    {"--tokens 'the cat sat on the mat' --mask causal --seed 3 --heads 4 " RANDOM,
     "the|cat|sat|on|mat"},
    {"--tokens 'le chat dort ici' --context 'the cat is asleep' --heads 2 " RANDOM,
     "le|chat|dort|ici|the|cat|is|asleep"},
    {"--tokens 'internationalization of counterrevolutionaries went unnoticed' --heads 2 "
     "--mask causal " RANDOM,
     "internationalization|of|counterrevolutionaries|went|unnoticed"},
    {"--tokens 'a b' --mask causal --heads 8 --attention gqa:2 " RANDOM, "a|b"},
    {"\"$ATTNSCOPE_DUMPS/heads.npy\" --tokens 'one two three four'", "one|two|three|four"},
    {"raw.csv --reading raw", "height|width|weight|age|income"},
    {"\"$ATTNSCOPE_TINY\" --tokens 'the cat sat'", "the|␣cat|␣sat"},
    {"\"$ATTNSCOPE_TINY/../fixtures/llama3\" --ids '5 17 3 8'", ""},
    {"--lesson reverse --step 4 --reveal", ""},
    {"--lesson learned --step 3", ""},
    {"--panels two.json", "cat|dog|lion|NYC"},
    {"--panels views.json", "cat|dog|lion|NYC"},
};

/* Inputs by their places above, each with each view, size and option of its group. */
static const struct group {
    const char *inputs, *views, *sizes, *options;
    double empty_max; /* share of the page that may be empty in one piece */
    bool names;       /* each name stands in the figure */
} groups[] = {
    {"0|1|2|3|4|5", "matrix --stage score|matrix --stage softmax", "85mm|174mm", "", 0.3, true},
    {"0|1|2|4|5", "matrix --stage blend", "85mm|174mm", "", 0.3, true},
    /* a product has an empty corner, which is large where its result is small */
    {"0|1|2|4|5", "stage --stage embed|stage --stage project|stage --stage output", "120mm|174mm",
     "", 0.65, true},
    {"0|1|2|3|4|5", "stage --stage score|stage --stage blend", "120mm|174mm", "", 0.45, true},
    {"0|1|2|3|4|5", "stage --stage scale", "120mm|174mm", "", 0.3, true},
    {"0|1|2|3|4|5", "stage --stage softmax", "120mm|174mm", "", 0.42, true},
    {"3", "stage --stage embed|stage --stage project|stage --stage output|matrix --stage blend",
     "120mm", "", 0.45, false},
    {"0|1|2|3|4|5", "heads --stage softmax|head --stage softmax", "85mm|160mm", "", 0.3, true},
    {"0|1|2|3|4|5", "kinds|costs", "85mm|160mm", "", 0.3, false},
    {"0|1|2|3|4|5", "formula --stage blend", "85mm|160mm", "", 0.5, false},
    {"0|1|3|4|5", "space --stage score|space --stage blend", "85mm|160mm", "", 0.45, true},
    {"0 --mask causal|1|2|4|5", "decode", "85mm|120mm|160mm", "", 0.3, true},
    {"2|4", "matrix --stage softmax|stage --stage blend|heads --stage softmax", "120mm",
     "--theme dark|--theme grey|--language de|--title 'A title'|--caption 'One sentence.'|"
     "--decimals 3|--numbers none|--gap 0|--letters 7|--colormap viridis|--colours log|"
     "--range 0,0.5|--aside 1|--queries 2,3|--marks on|--colourbar off|--lines|--presenter|"
     "--x-title 'looked at' --y-title looking|--bar-title weight|--x-title off --y-title off",
     0.4, false},
    {"0|2", "stage --overview|stage --stage scale --change", "120mm|174mm", "|--language de", 0.3,
     false},
    {"6|7|8", "matrix", "85mm|120mm", "|--theme grey|--numbers largest:3|--language de", 0.3, true},
    {"6", "heads|head|stage", "85mm|160mm", "|--theme dark", 0.35, false},
    {"6", "glance", "85mm|120mm|160mm", "|--theme dark", 0.2, false},
    {"8|9", "glance|matrix|head|heads|stage --stage block", "85mm|120mm", "|--theme grey", 0.4,
     false},
    {"8", "why|attribution|effects|lens", "120mm|174mm", "", 0.6, false},
    {"8", "patch --changed 'the sat cat'|patch --changed 'the sat cat' --what head",
     "85mm|120mm|174mm", "|--language de", 0.6, false},
    {"10|11", "training", "85mm|120mm|160mm",
     "|--step-axis log|--language de|--theme grey|--x-title updates", 0.3, false},
    {"0 --mask causal --stage softmax|0 --temperature 2 --stage scale|6",
     "matrix --against-lesson cats", "120mm|174mm", "|--decimals 1", 0.35, true},
    {"12|13", "", "120mm|174mm", "|--theme dark|--language de|--letters 7", 0.35, true},
};

/* ---- lists ----------------------------------------------------------------------------------- */

/* The part of "a|b|c" at a place, owned by the arena; NULL: there is none. */
static const char *part_at(const char *list, size_t place, struct arena *arena)
{
    for (size_t p = 0; list != NULL && p < place; p++) {
        list = strchr(list, '|');
        list = list == NULL ? NULL : list + 1;
    }
    return list == NULL ? NULL : arena_text(arena, list, strcspn(list, "|"));
}

static size_t parts_of(const char *list, const char *part[NAMES_MAX], struct arena *arena)
{
    size_t count = 0;
    while (list[0] != '\0' && (part[count] = part_at(list, count, arena)) != NULL) {
        count++;
        assert_true(count < NAMES_MAX);
    }
    return count;
}

/* ---- one figure ------------------------------------------------------------------------------ */

/* A figure of a group: a call without the option, and with it. */
struct figure {
    const struct group *group;
    const struct input *input;
    const char *bare, *option;
};

static size_t walked, drawn, refused;

static void keep(struct stand *stand, const char *call)
{
    const char *const folder = getenv("ATTN_GALLERY");
    if (folder != NULL) {
        stand_run(stand, arena_format(&stand->arena, "render %s --dpi 130 -o '%s/%03zu.png'", call,
                                      folder, drawn));
        printf("%03zu %s\n", drawn, call);
    }
}

/* Draws an SVG; NULL: the call is refused, which says why. */
static const char *draw(struct stand *stand, const char *call)
{
    stand_run(stand, arena_format(&stand->arena, "render %s -o a.svg", call));
    if (stand->status != 0) {
        assert_true(stand->status == 1 || stand->status == 2);
        return NULL;
    }
    return (const char *)stand_content(stand, "a.svg").at;
}

/* What is refused for its size is drawn in the size that the refusal names. */
static void check_advice(struct stand *stand, const char *call)
{
    const char *const advice = strstr(stand->complaint, "points; ");
    int wide = 0, high = 0;
    if (advice != NULL &&
        sscanf(advice, "points; %*f × %*f points (%d × %d mm) would do", &wide, &high) == 2) {
        const char *const other =
            arena_format(&stand->arena, "%s --size %dmmx%dmm", call, wide, high);
        if (draw(stand, other) == NULL) {
            fail_msg("%s: %s", other, stand->complaint);
        }
    } else if (strstr(stand->complaint, "a wider figure") != NULL) {
        assert_non_null(draw(stand, arena_format(&stand->arena, "%s --size 250mm", call)));
    } else if (strstr(stand->complaint, "changes nothing") == NULL) {
        fail_msg("%s: %s", call, stand->complaint);
    }
    refused++;
}

static void check_bytes(struct stand *stand, const char *call, const char *svg)
{
    const char *const again = draw(stand, call);
    assert_non_null(again);
    assert_string_equal(svg, again);
}

/* Whatever option is given changes the picture. */
static void check_option(struct stand *stand, const struct figure *figure, const char *call,
                         const char *svg)
{
    const char *const plain = draw(stand, figure->bare);
    if (plain != NULL && strcmp(plain, svg) == 0) {
        fail_msg("%s: %s changes nothing, and is not refused", call, figure->option);
    }
}

static void check_figure(struct stand *stand, const struct figure *figure)
{
    const char *const call = arena_format(&stand->arena, "%s %s", figure->bare, figure->option);
    const char *const svg = draw(stand, call);
    const char *name[NAMES_MAX];
    struct drawing_rules rules = {
        .smallest = LETTERS_MIN, .empty_max = figure->group->empty_max, .names = name};
    if (svg == NULL) {
        check_advice(stand, call);
        return;
    }
    rules.names_count =
        figure->group->names ? parts_of(figure->input->names, name, &stand->arena) : 0;
    const struct drawing drawing = drawing_read(svg, &stand->arena);
    const char *const fault = drawing_fault(&drawing, &rules, &stand->arena);
    keep(stand, call);
    if (fault != NULL && getenv("ATTN_GALLERY") != NULL) {
        printf("FAULT %03zu %s: %s\n", drawn, call, fault);
    } else if (fault != NULL) {
        fail_msg("%s: %s", call, fault);
    }
    drawn++;
    if (drawn % BYTES_AGAIN == 0) {
        check_bytes(stand, call, svg);
    }
    if (figure->option[0] != '\0') {
        check_option(stand, figure, call, svg);
    }
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void write_inputs(struct stand *stand)
{
    static const char *const files[][2] = {
        {"raw.csv", ",height,width,weight,age,income\n"
                    "height,1,0.42,0.71,-0.08,0.12\nwidth,0.42,1,0.38,0.21,-0.31\n"
                    "weight,0.71,0.38,1,0.05,-0.22\nage,-0.08,0.21,0.05,1,0.64\n"
                    "income,0.12,-0.31,-0.22,0.64,1\n"},
        {"two.json",
         "{\"columns\": 2, \"panels\": [{\"call\": [\"--lesson\", \"cats\", \"--stage\", "
         "\"softmax\", \"--bar-title\", \"weight\"]}, {\"call\": [\"--lesson\", "
         "\"cats\", \"--stage\", \"softmax\", \"--mask\", \"causal\"]}]}"},
        {"views.json", "{\"columns\": 2, \"panels\": [{\"call\": [\"--lesson\", \"cats\"]}, "
                       "{\"call\": [\"--lesson\", \"cats\", \"--view\", \"space\"]}, {\"call\": "
                       "[\"--lesson\", \"ten\", \"--view\", \"heads\"]}, {\"call\": [\"--lesson\", "
                       "\"cats\", \"--stage\", \"softmax\"]}]}"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        FILE *const file = fopen(stand_path(stand, files[f][0]), "w");
        assert_non_null(file);
        assert_true(fputs(files[f][1], file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
}

static void walk_input(struct stand *stand, const struct group *group, const char *chosen,
                       const char *view)
{
    char *rest = NULL;
    const struct input *const input = &inputs[strtoul(chosen, &rest, 10)];
    const char *size = NULL, *option = NULL;
    for (size_t s = 0; (size = part_at(group->sizes, s, &stand->arena)) != NULL; s++) {
        for (size_t o = 0; (option = part_at(group->options, o, &stand->arena)) != NULL; o++) {
            const struct figure figure = {
                .group = group,
                .input = input,
                .option = option,
                .bare = arena_format(&stand->arena, "%s%s %s%s %s --size %s", input->call, rest,
                                     view[0] != '\0' ? "--view " : "", view,
                                     view[0] != '\0' ? "--figure" : "", size)};
            if (walked++ % test_stride() == 0) {
                check_figure(stand, &figure);
            }
        }
    }
}

static void each_figure_keeps_the_rules(void **state)
{
    struct stand *const stand = *state;
    write_inputs(stand);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        const struct group *const group = &groups[g];
        const char *chosen = NULL, *view = NULL;
        for (size_t v = 0; (view = part_at(group->views, v, &stand->arena)) != NULL; v++) {
            for (size_t i = 0; (chosen = part_at(group->inputs, i, &stand->arena)) != NULL; i++) {
                struct arena kept = stand->arena; /* of one row of figures, which is large */
                stand->arena = (struct arena){0};
                walk_input(stand, group, chosen, view);
                arena_free(&stand->arena);
                stand->arena = kept;
            }
        }
    }
    printf("%zu figures are drawn, %zu refused, of %zu.\n", drawn, refused, walked);
    assert_true(drawn >= FIGURES_MIN / test_stride());
}

/* A rule that cannot fail is none: each of these drawings breaks one. */
static void each_rule_finds_what_breaks_it(void **state)
{
    struct stand *const stand = *state;
    static const char *const name[] = {"cat", "sleeping"};
    static const char *const ground = "<rect x=\"0\" y=\"0\" width=\"100\" height=\"100\"/>"
                                      "<rect x=\"5\" y=\"30\" width=\"90\" height=\"60\"/>";
    static const struct {
        const char *marks, *says;
    } rows[] = {
        {"", NULL},
        {"<text x=\"10\" y=\"20\" font-size=\"8\" textLength=\"20\">a &amp; b</text>", NULL},
        {"<text x=\"10\" y=\"20\" font-size=\"8\" textLength=\"20\">one</text>"
         "<text x=\"25\" y=\"22\" font-size=\"8\" textLength=\"20\">two</text>",
         "“two” lies over “one”"},
        {"<text x=\"40\" y=\"25\" font-size=\"8\" textLength=\"20\" transform=\"rotate(-90 40 "
         "25)\">one</text>"
         "<text y=\"20\" font-size=\"8\"><tspan x=\"10\" textLength=\"10\">t</tspan><tspan "
         "x=\"20\" "
         "textLength=\"18\">wo</tspan></text>",
         "“two” lies over “one”"},
        {"<text x=\"90\" y=\"20\" font-size=\"8\" textLength=\"20\">one</text>",
         "“one” leaves the page"},
        {"<text x=\"10\" y=\"4\" font-size=\"8\" textLength=\"20\">one</text>",
         "“one” leaves the page"},
        {"<text x=\"10\" y=\"20\" font-size=\"4.9\" textLength=\"20\">one</text>",
         "“one” has letters of 4.90 points"},
        {"<text x=\"10\" y=\"20\" font-size=\"8\" textLength=\"20\">0.1</text>"
         "<text x=\"31\" y=\"20\" font-size=\"8\" textLength=\"20\">−0.2</text>",
         "“−0.2” touches “0.1”"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct drawing drawing = drawing_read(
            arena_format(&stand->arena, "<svg width=\"100pt\" height=\"100pt\">%s%s</svg>", ground,
                         rows[r].marks),
            &stand->arena);
        const struct drawing_rules rules = {.smallest = 5, .empty_max = 0.4};
        const char *const fault = drawing_fault(&drawing, &rules, &stand->arena);
        if (rows[r].says == NULL ? fault != NULL
                                 : fault == NULL || strcmp(fault, rows[r].says) != 0) {
            fail_msg("%s: %s", rows[r].marks, fault == NULL ? "nothing is found" : fault);
        }
    }
    static const struct {
        const char *marks, *says;
    } named[] = {
        {"<text x=\"1\" y=\"20\" font-size=\"8\" textLength=\"9\">cat</text>",
         "“sleeping” is not named"},
        {"<text x=\"1\" y=\"20\" font-size=\"8\" textLength=\"9\">q(cat)</text>"
         "<text x=\"30\" y=\"20\" font-size=\"8\" textLength=\"9\">sl…ng</text>",
         NULL},
        {"<text x=\"1\" y=\"20\" font-size=\"8\" textLength=\"9\">cats</text>"
         "<text x=\"30\" y=\"20\" font-size=\"8\" textLength=\"9\">sleeping</text>",
         "“cat” is not named"},
        {"<text x=\"1\" y=\"20\" font-size=\"8\" textLength=\"60\">1 of 2 names are shown</text>",
         NULL},
    };
    for (size_t n = 0; n < sizeof named / sizeof *named; n++) {
        const struct drawing drawing = drawing_read(
            arena_format(&stand->arena, "<svg width=\"100pt\" height=\"100pt\">%s%s</svg>", ground,
                         named[n].marks),
            &stand->arena);
        const struct drawing_rules rules = {5, 0.4, name, 2};
        const char *const fault = drawing_fault(&drawing, &rules, &stand->arena);
        assert_true((fault == NULL) == (named[n].says == NULL));
        assert_true(fault == NULL || strcmp(fault, named[n].says) == 0);
    }
    const char *const half = "<svg width=\"100pt\" height=\"100pt\"><rect x=\"0\" y=\"0\" "
                             "width=\"100\" height=\"50\"/></svg>";
    const struct drawing empty = drawing_read(half, &stand->arena);
    assert_true(drawing_empty(&empty) > 0.45 && drawing_empty(&empty) < 0.5);
    const char *const faulty =
        drawing_fault(&empty, &(struct drawing_rules){.empty_max = 0.4}, &stand->arena);
    assert_non_null(faulty);
    assert_non_null(strstr(faulty, "of the page in one piece are empty"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(each_rule_finds_what_breaks_it),
        STAND(each_figure_keeps_the_rules),
    };
    return cmocka_run_group_tests_name("gallery", tests, NULL, NULL);
}
