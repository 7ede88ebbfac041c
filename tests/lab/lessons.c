/* Lessons and sessions as files: what stands in them comes back, what is wrong is named. */
#include <stdio.h>
#include <stdlib.h>

#include "../experiment_text.h"
#include "base/file.h"
#include "bench.h"
#include "lab/experiment/edits.h"
#include "lab/lesson/lessons.h"
#include "lab/run/trace.h"

static const char *const words[] = {"cat", "dog", "lion"};

static struct bytes bytes_of(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static size_t sentences_of(const char *text)
{
    size_t sentences = 0;
    for (const char *c = text; *c != '\0'; c++) {
        const bool stops = *c == '.' || *c == '?' || *c == '!';
        /* “Who won?” inside a sentence ends in a quotation mark. */
        sentences += stops && (c[1] == '\0' || (c[1] == ' ' && c[2] != '\0'));
    }
    return sentences;
}

static void every_built_in_lesson_has_five_to_nine_steps_with_short_captions(void **state)
{
    (void)state;
    assert_int_equal(lab_lesson_count(), 28);
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        struct arena arena = {0};
        struct lab_lesson lesson;
        struct error error = {ERROR_NONE, 0, ""};
        lab_lesson_load(l, &arena, &lesson, &error);
        assert_string_equal(error.text, "");
        assert_string_equal(lesson.name, lab_lesson_name(l));
        assert_string_equal(lesson.title, lab_lesson_title(l));
        assert_string_equal(lesson.summary, lab_lesson_summary(l));
        assert_string_equal(lesson.experiment.lesson, lab_lesson_name(l));
        assert_int_equal(lab_lesson_steps(l), lesson.steps);
        assert_in_range(lesson.steps, 5, 9);
        for (size_t s = 0; s < lesson.steps; s++) {
            const char *const caption = lesson.step[s].caption;
            if (sentences_of(caption) < 1 || sentences_of(caption) > 2 || strlen(caption) > 160) {
                fail_msg("%s, step %zu is too long: %s", lesson.name, s, caption);
            }
            if (lesson.step[s].experiment.learned == NULL) { /* else it is made again first */
                struct lab_trace *const trace = trace_of(&lesson.step[s].experiment);
                lab_trace_release(trace);
            }
        }
        lab_lesson_release(&lesson);
        arena_free(&arena);
    }
}

static void the_first_lessons_open_where_they_always_did(void **state)
{
    (void)state;
    static const struct {
        const char *name, *query, *key;
        enum lab_stage stage;
    } opens[] = {{"cats", "dog", "cat", LAB_SCORE},
                 {"ten", "chases", "dog", LAB_SOFTMAX},
                 {"race", "Who stumbled?", "Jerry finished first", LAB_SOFTMAX}};
    for (size_t l = 0; l < 3; l++) {
        size_t index = 0;
        struct lab_experiment experiment;
        enum lab_stage stage;
        struct lab_selection at;
        assert_true(lab_lesson_find(opens[l].name, &index));
        assert_true(lab_lesson_open(index, &experiment, &stage, &at, NULL));
        assert_int_equal(stage, opens[l].stage);
        assert_string_equal(lab_words_list(experiment.tokens)[at.query], opens[l].query);
        const struct lab_words *const keys =
            experiment.context == NULL ? experiment.tokens : experiment.context;
        assert_string_equal(lab_words_list(keys)[at.key], opens[l].key);
        lab_experiment_release(&experiment);
    }
}

/* By members: what stands behind the last in memory is nobody's. */
static void assert_same_selection(const struct lab_selection *a, const struct lab_selection *b)
{
    assert_int_equal(a->head, b->head);
    assert_int_equal(a->query, b->query);
    assert_int_equal(a->key, b->key);
    assert_int_equal(a->channel, b->channel);
    assert_int_equal(a->weight, b->weight);
    assert_int_equal(a->projected, b->projected);
}

static void assert_same_lesson(const struct lab_lesson *a, const struct lab_lesson *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->title, b->title);
    assert_true(lab_experiment_equal(&a->experiment, &b->experiment));
    assert_int_equal(a->steps, b->steps);
    for (size_t s = 0; s < a->steps; s++) {
        const struct lab_step *const x = &a->step[s], *const y = &b->step[s];
        assert_string_equal(x->caption, y->caption);
        assert_int_equal(x->stage, y->stage);
        assert_same_selection(&x->selection, &y->selection);
        assert_true(x->has_camera == y->has_camera);
        assert_memory_equal(x->camera, y->camera, sizeof x->camera);
        assert_true(x->has_position == y->has_position && fabsf(x->position - y->position) < 1e-6f);
        assert_int_equal(x->hide, y->hide);
        assert_string_equal(x->theme, y->theme);
        assert_int_equal(x->guess, y->guess);
        assert_true(lab_experiment_equal(&x->experiment, &y->experiment));
    }
}

static void a_lesson_that_is_written_reads_back_the_same(void **state)
{
    (void)state;
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        struct arena arena = {0};
        struct lab_lesson lesson, again;
        struct bytes text;
        struct error error = {ERROR_NONE, 0, ""};
        assert_true(lab_lesson_load(l, &arena, &lesson, &error));
        struct lab_step *const step = &lesson.step[1];
        step->has_camera = true;
        step->camera[0] = -32.5f;
        step->camera[2] = 1.25f;
        step->has_position = true;
        step->position = 0.25f;
        step->hide = LAB_HIDE_SETTINGS | LAB_HIDE_FORMULA;
        step->guess = LAB_GUESS_CELL;
        strcpy(step->theme, "dark");
        assert_true(lab_lesson_write(&lesson, &arena, &text, &error));
        lab_lesson_parse(text, &arena, &again, &error);
        assert_string_equal(error.text, "");
        assert_same_lesson(&lesson, &again);
        lab_lesson_release(&lesson);
        lab_lesson_release(&again);
        arena_free(&arena);
    }
}

static void an_experiment_comes_back_from_its_text_to_the_bit(void **state)
{
    (void)state;
    static const float numbers[] = {0.1f, -2.7f, 1e-30f, 3.4e38f, 0, 16777216, -0.3333333f, 7, 8};
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct lab_experiment experiment = experiment_of(words, 3), again;
    experiment.embedding = LAB_EMBEDDING_NUMBERS;
    experiment.embeddings = lab_numbers_make(numbers, 2, (size_t[]){3, 3, 1}, &error);
    experiment.seed = UINT64_MAX;
    experiment.temperature = 0.3f;
    experiment.scale = false;
    experiment.mask = LAB_MASK_CAUSAL;
    experiment.normalise = LAB_PLAIN_SHARE;
    experiment.keep_maximum = true;
    experiment.residual = true;
    assert_true(lab_experiment_edit(
        &experiment,
        &(struct lab_edit){.part = LAB_Q, .head = 0, .row = 1, .column = 2, .value = 0.7f},
        &error));
    assert_true(lab_experiment_edit(
        &experiment,
        &(struct lab_edit){.part = LAB_ALPHA, .head = 0, .row = 2, .column = 0, .value = -1e-7f},
        &error));
    struct bytes text;
    assert_true(experiment_to_text(&experiment, &arena, &text, &error));
    assert_true(lab_experiment_default(&again, &error));
    experiment_from_text(text, &again, &error);
    assert_string_equal(error.text, "");
    assert_true(lab_experiment_equal(&experiment, &again));
    lab_experiment_release(&experiment);
    lab_experiment_release(&again);
    arena_free(&arena);
}

static void edits_of_a_step_follow_the_words_it_changes(void **state)
{
    (void)state;
    static const char text[] =
        "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"mine\",\n"
        "\"experiment\": {\"edits\": [{\"part\": \"Q\", \"row\": 1, \"column\": 0, \"value\": "
        "5}]},\n"
        "\"steps\": [{\"caption\": \"a\"},\n"
        "{\"experiment\": {\"tokens\": [\"dog\", \"cat\"]}, \"query\": \"dog\"}]}";
    struct arena arena = {0};
    struct lab_lesson lesson;
    struct error error = {ERROR_NONE, 0, ""};
    lab_lesson_parse(bytes_of(text), &arena, &lesson, &error);
    assert_string_equal(error.text, "");
    size_t found = 0;
    assert_true(lab_edits_find(lesson.step[1].experiment.edits, LAB_Q, 0, 0, 0, &found));
    assert_false(lesson.step[0].changes);
    assert_true(lesson.step[1].changes);
    lab_lesson_release(&lesson);
    arena_free(&arena);
}

/* Every name of the schema is taken by the reader, which may only find its value wrong. */
static void assert_names_are_known(const struct json *properties, const char *around)
{
    void *place = NULL;
    const char *name = NULL;
    assert_true(json_count(properties) > 4);
    while (json_next_member(properties, &place, &name) != NULL) {
        char text[400], object[200];
        struct arena arena = {0};
        struct lab_lesson lesson;
        struct error error = {ERROR_NONE, 0, ""};
        snprintf(object, sizeof object, "{\"%s\": {\"-\": 0}}", name);
        snprintf(text, sizeof text, around, object);
        if (lab_lesson_parse(bytes_of(text), &arena, &lesson, &error)) {
            assert_string_equal(lesson.unknown, "-"); /* kept inside of what has the name */
            lab_lesson_release(&lesson);
        } else if (strstr(error.text, "“-”") == NULL && strstr(error.text, name) == NULL) {
            fail_msg("%s: %s", text, error.text);
        }
        assert_true(strstr(error.text, "“-”") != NULL || strstr(error.text, "nothing") == NULL);
        arena_free(&arena);
    }
}

/* Every name that is written stands in the schema. */
static void assert_names_are_in(const struct json *object, const struct json *properties)
{
    void *place = NULL;
    const char *name = NULL;
    while (json_next_member(object, &place, &name) != NULL) {
        if (json_member(properties, name) == NULL) {
            fail_msg("%s is not in the schema", name);
        }
    }
}

static void the_schema_and_the_reader_know_the_same_names(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct bytes text;
    const char *const path = getenv("LESSON_SCHEMA");
    assert_non_null(path);
    assert_true(file_read(path, 1 << 20, &arena, &text, NULL));
    struct json *const schema = json_parse(text, NULL);
    assert_non_null(schema);
    const struct json *const all = json_member(schema, "$defs");
    const struct json *const step = json_member(json_member(all, "step"), "properties");
    const struct json *const asked = json_member(json_member(all, "experiment"), "properties");
    assert_names_are_known(step, "{\"format\": \"attnscope-lesson\", \"version\": 1, "
                                 "\"name\": \"mine\", \"steps\": [%s]}");
    assert_names_are_known(asked, "{\"format\": \"attnscope-lesson\", \"version\": 1, "
                                  "\"name\": \"mine\", \"experiment\": %s, \"steps\": [{}]}");
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        struct lab_lesson lesson;
        struct bytes written;
        assert_true(lab_lesson_load(l, &arena, &lesson, NULL));
        assert_true(lab_lesson_write(&lesson, &arena, &written, NULL));
        struct json *const tree = json_parse(written, NULL);
        const struct json *const steps = json_member(tree, "steps");
        assert_names_are_in(tree, json_member(schema, "properties"));
        assert_names_are_in(json_member(tree, "experiment"), asked);
        for (size_t s = 0; s < json_count(steps); s++) {
            assert_names_are_in(json_element(steps, s), step);
            assert_names_are_in(json_member(json_element(steps, s), "experiment"), asked);
        }
        json_release(tree);
        lab_lesson_release(&lesson);
    }
    json_release(schema);
    arena_free(&arena);
}

/* What the reader says to `"name": value` where `around` holds it. */
static const char *answer_to(const char *around, const char *name, const char *value,
                             struct error *error)
{
    char member[300], text[700];
    struct arena arena = {0};
    struct lab_lesson lesson;
    *error = (struct error){ERROR_NONE, 0, ""};
    snprintf(member, sizeof member, "\"%s\": %s", name, value);
    snprintf(text, sizeof text, around, member);
    if (lab_lesson_parse(bytes_of(text), &arena, &lesson, error)) {
        lab_lesson_release(&lesson);
        error->text[0] = '\0';
    }
    arena_free(&arena);
    return error->text;
}

/* The names of the schema are those that the reader lists, one by one. */
static void assert_same_choices(const struct json *choices, const char *around, const char *name,
                                const char *wrong)
{
    char listed[300] = "one of these is expected: ";
    struct error error;
    for (size_t c = 0; c < json_count(choices); c++) {
        const char *choice = NULL;
        const size_t length = strlen(listed);
        assert_true(json_text(json_element(choices, c), &choice));
        snprintf(listed + length, sizeof listed - length, "%s%s", c == 0 ? "" : ", ", choice);
    }
    strncat(listed, ".", sizeof listed - strlen(listed) - 1);
    if (strstr(answer_to(around, name, wrong, &error), listed) == NULL) {
        fail_msg("%s: the schema has “%s”, the reader says: %s", name, listed, error.text);
    }
}

/* What lies just outside the reach of the schema is refused, by name; its ends are not. */
static void assert_same_reach(const struct json *property, const char *around, const char *name)
{
    static const struct {
        const char *end;
        double step;
    } ends[] = {{"minimum", -1}, {"maximum", 1}};
    for (size_t e = 0; e < 2; e++) {
        double end = 0;
        char value[40], quoted[60];
        struct error error;
        if (!json_number(json_member(property, ends[e].end), &end)) {
            continue;
        }
        snprintf(quoted, sizeof quoted, "“%s”", name);
        snprintf(value, sizeof value, "%.17g", end + ends[e].step);
        if (strstr(answer_to(around, name, value, &error), quoted) == NULL) {
            fail_msg("%s %s is beyond the schema, the reader says: %s", name, value, error.text);
        }
        snprintf(value, sizeof value, "%.17g", end);
        if (strstr(answer_to(around, name, value, &error), "is expected") != NULL &&
            strstr(error.text, quoted) != NULL) {
            fail_msg("%s %s is in the schema, the reader says: %s", name, value, error.text);
        }
    }
}

static void assert_same_values(const struct json *schema, const struct json *properties,
                               const char *around)
{
    void *place = NULL;
    const char *name = NULL;
    for (const struct json *property = json_next_member(properties, &place, &name);
         property != NULL; property = json_next_member(properties, &place, &name)) {
        const char *ref = NULL;
        if (json_text(json_member(property, "$ref"), &ref) && strstr(ref, "size") != NULL) {
            property = json_member(json_member(schema, "$defs"), "size");
        }
        const struct json *const choices = json_member(property, "enum");
        const struct json *const listed = json_member(json_member(property, "items"), "enum");
        if (choices != NULL) {
            assert_same_choices(choices, around, name, "\"-\"");
        }
        if (listed != NULL) {
            assert_same_choices(listed, around, name, "[\"-\"]");
        }
        assert_same_reach(property, around, name);
    }
}

#define INSIDE "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"mine\", "

static void the_schema_and_the_reader_take_the_same_values(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct bytes text;
    assert_true(file_read(getenv("LESSON_SCHEMA"), 1 << 20, &arena, &text, NULL));
    struct json *const schema = json_parse(text, NULL);
    assert_non_null(schema);
    const struct json *const all = json_member(schema, "$defs");
    const struct json *const step = json_member(json_member(all, "step"), "properties");
    const struct json *const display = json_member(json_member(step, "display"), "properties");
    const struct json *const window = json_member(json_member(step, "window"), "properties");
    const struct json *const guess = json_member(json_member(step, "guess"), "properties");
    const struct json *const asked = json_member(json_member(all, "experiment"), "properties");
    const struct json *const edit = json_member(json_member(all, "edit"), "properties");
    assert_same_values(schema, step, INSIDE "\"steps\": [{%s}]}");
    assert_same_values(schema, display, INSIDE "\"steps\": [{\"display\": {%s}}]}");
    assert_same_values(schema, window, INSIDE "\"steps\": [{\"window\": {%s}}]}");
    assert_same_values(schema, guess, INSIDE "\"steps\": [{\"guess\": {%s}}]}");
    assert_same_values(schema, asked, INSIDE "\"experiment\": {%s}, \"steps\": [{}]}");
    assert_same_values(schema, edit,
                       INSIDE "\"experiment\": {\"edits\": [{%s}]}, \"steps\": [{}]}");
    json_release(schema);
    arena_free(&arena);
}

#define HEAD "{\"format\": \"attnscope-lesson\",\n\"version\": 1,\n\"name\": \"mine\",\n"

static void what_is_wrong_is_named_with_its_line_and_key(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says[3];
    } cases[] = {
        {"", {"Line 1", "", ""}},
        {"[1]", {"Line 1", "braces", ""}},
        {"{\"format\": \"attnscope-lesson\"}", {"“version” is missing", "", ""}},
        {"{\"format\": \"x\", \"version\": 1, \"name\": \"a\", \"steps\": [{}]}",
         {"Line 1, “format”", "attnscope-lesson", ""}},
        {HEAD "\"steps\": []}", {"Line 4, “steps”", "1 to 1000", ""}},
        {HEAD "\"steps\": [{},\n\n{\"stgae\": \"score\"}]}",
         {"Line 6, “stgae”", "is “stage” meant?", ""}},
        {HEAD "\"steps\": [{},\n{\"stage\": \"sofmax\"}]}", {"Line 5, “stage”", "softmax", ""}},
        {HEAD "\"steps\": [{\"query\": \"dgo\"}]}", {"Line 4, “query”", "“dgo”", ""}},
        {HEAD "\"steps\": [{\"query\": 3}]}", {"Line 4, “query”", "below 3", ""}},
        {HEAD "\"steps\": [{\"head\": 2}]}", {"Line 4, “head”", "there are 1", ""}},
        {HEAD "\"steps\": [{\"channel\": 5}]}", {"“channel”", "there are 3", ""}},
        {HEAD "\"experiment\": {\n\"heads\": \"two\"},\n\"steps\": [{}]}",
         {"Line 5, “heads”", "whole number from 1 to 256", ""}},
        {HEAD "\"experiment\": {\"tokens\": [\"a\",\n7]}, \"steps\": [{}]}",
         {"Line 5, “tokens”", "word 2", ""}},
        {HEAD "\"experiment\": {\"temperature\": 0}, \"steps\": [{}]}",
         {"“temperature”", "0.01 to 100", ""}},
        {HEAD "\"experiment\": {\"skip_w_o\": true, \"d_v\": 5}, \"steps\": [{}]}",
         {"“experiment”", "W_O can only be left out", ""}},
        {HEAD "\"steps\": [{},\n{\"experiment\": {\"edits\": [{\"part\": \"Q\", \"row\": 9,"
              " \"column\": 0, \"value\": 1}]}}]}",
         {"Line 5, “edits”", "Q has no row 9", ""}},
        {HEAD "\"experiment\": {\"edits\": [{\"part\": \"S\"}]}, \"steps\": [{}]}",
         {"“part”", "W_O", "alpha"}},
        {HEAD "\"experiment\": {\"q\": [[1, 2], [3]]}, \"steps\": [{}]}", {"“q”", "rows", ""}},
        {HEAD "\"experiment\": {\"weights\": \"numbers\"}, \"steps\": [{}]}",
         {"“experiment”", "W_Q is missing", ""}},
        {HEAD "\"steps\": [{\"moment\": 2}]}", {"“moment”", "0 to 1", ""}},
        {HEAD "\"steps\": [{\"camera\": [1, 2]}]}", {"“camera”", "[30, 20, 1]", ""}},
        {HEAD "\"steps\": [{\"hide\": [\"everything\"]}]}", {"“hide”", "settings", ""}},
        {HEAD "\"steps\": [{\"guess\": {\"hide\": \"row\"}}]}", {"“hide”", "winner", ""}},
        {HEAD "\"steps\": [{}], \"open\": 1}", {"Line 4, “open”", "0 to 0", ""}},
        {HEAD "\"steps\": [{\"window\": {\"map\": \"blue\"}}]}", {"Line 4, “map”", "blues", ""}},
        {HEAD "\"steps\": [{\"window\": {\"axes\": [1, 2]}}]}", {"“axes”", "[0, 1, 2]", ""}},
        {HEAD "\"steps\": [{\"window\": {\"pan\": 3}}]}", {"“pan”", "[0, 20]", ""}},
        {HEAD "\"steps\": [{\"theme\": \"pink\"}]}", {"“theme”", "dark", ""}},
        {"\n\n{\"version\": 2, \"format\": \"attnscope-lesson\",\n\"name\": \"a\", \"steps\": "
         "[{}]}",
         {"Line 3, “version”", "reads version 1", ""}},
        {"{\"format\": \"attnscope-lesson\", \"version\": 99, \"nmae\": 1}",
         {"“version”", "reads version 1", ""}},
        {HEAD "\"steps\": [{\"experiment\": {\"edits\": [{\"part\": \"Q\", \"row\": 0,"
              " \"column\": 0, \"value\": 1,\n\"unit\": 1}]}}]}",
         {"Line 5, “unit”", "means nothing here", ""}},
        {"{\"a\": 1,}", {"Line 1", "", ""}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct arena arena = {0};
        struct lab_lesson lesson;
        struct error error = {ERROR_NONE, 0, ""};
        assert_false(lab_lesson_parse(bytes_of(cases[c].text), &arena, &lesson, &error));
        for (size_t k = 0; k < 3; k++) {
            if (strstr(error.text, cases[c].says[k]) == NULL) {
                fail_msg("case %zu says: %s; not: %s", c, error.text, cases[c].says[k]);
            }
        }
        arena_free(&arena);
    }
}

/* What a later version may write is there again after reading and writing, where it stood. */
static void what_is_unknown_is_kept_where_it_stood(void **state)
{
    (void)state;
    const char *const text =
        HEAD "\"x-lesson\": 1.5, \"experiment\": {\"x-experiment\": [1, [2, \"ü\"], {}]},\n"
             "\"steps\": [{\"x-steps\": true, \"experiment\": {\"x-its-own\": null},\n"
             "\"display\": {\"x-display\": 9007199254740993}, \"window\": {\"x-window\": -0.1},\n"
             "\"guess\": {\"x-guess\": \"a\"}}]}";
    struct arena arena = {0};
    struct lab_lesson lesson;
    struct bytes first = {NULL, 0}, second = {NULL, 0};
    struct error error = {ERROR_NONE, 0, ""};
    for (int round = 0; round < 2; round++) {
        struct bytes *const out = round == 0 ? &first : &second;
        if (!lab_lesson_parse(round == 0 ? bytes_of(text) : first, &arena, &lesson, &error)) {
            fail_msg("%s", error.text);
        }
        assert_non_null(lesson.unknown);
        assert_true(lab_lesson_write(&lesson, &arena, out, &error));
        lab_lesson_release(&lesson);
    }
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.at, second.at, first.size);
    struct json *const tree = json_parse(first, NULL);
    const struct json *const step = json_element(json_member(tree, "steps"), 0);
    double number = 0;
    int64_t whole = 0;
    bool truth = false;
    assert_true(json_number(json_member(tree, "x-lesson"), &number) && number == 1.5);
    const struct json *const list = json_member(json_member(tree, "experiment"), "x-experiment");
    assert_int_equal(json_count(list), 3);
    assert_int_equal(json_count(json_element(list, 1)), 2);
    assert_int_equal(json_kind_of(json_element(list, 2)), JSON_KIND_OBJECT);
    assert_true(json_truth(json_member(step, "x-steps"), &truth) && truth);
    assert_int_equal(json_kind_of(json_member(json_member(step, "experiment"), "x-its-own")),
                     JSON_KIND_NULL);
    assert_true(json_whole_number(json_member(json_member(step, "display"), "x-display"), &whole));
    assert_true(whole == INT64_C(9007199254740993));
    assert_true(json_number(json_member(json_member(step, "window"), "x-window"), &number));
    assert_true(number == -0.1);
    assert_non_null(json_member(json_member(step, "guess"), "x-guess"));
    json_release(tree);
    arena_free(&arena);
}

static void bad_text_leaves_an_experiment_as_it_was(void **state)
{
    (void)state;
    static const char *const texts[] = {"{\"tokens\": [\"a\"], \"heads\": 0}", "{", "7",
                                        "{\"mask\": \"casual\"}", "{\"seed\": 1, \"d_k\": 100000}"};
    struct lab_experiment experiment = experiment_of(words, 3), before;
    lab_experiment_copy(&before, &experiment);
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        struct error error = {ERROR_NONE, 0, ""};
        assert_false(experiment_from_text(bytes_of(texts[t]), &experiment, &error));
        assert_non_null(strstr(error.text, "Line 1"));
        assert_true(lab_experiment_equal(&experiment, &before));
    }
    lab_experiment_release(&experiment);
    lab_experiment_release(&before);
}

static void a_lesson_cut_off_or_damaged_anywhere_is_refused_or_read_but_never_breaks(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct lab_lesson lesson;
    struct bytes text;
    assert_true(lab_lesson_load(0, &arena, &lesson, NULL));
    assert_true(lab_lesson_write(&lesson, &arena, &text, NULL));
    lab_lesson_release(&lesson);
    uint8_t *const damaged = arena_alloc(&arena, text.size);
    memcpy(damaged, text.at, text.size);
    for (size_t b = 0; b < text.size - 2; b++) {
        struct arena own = {0};
        struct lab_lesson read;
        assert_false(lab_lesson_parse((struct bytes){text.at, b}, &own, &read, NULL));
        damaged[b] = (uint8_t)("\"[]{}:,0-\\"[b % 10]);
        if (lab_lesson_parse((struct bytes){damaged, text.size}, &own, &read, NULL)) {
            lab_lesson_release(&read);
        }
        damaged[b] = text.at[b];
        arena_free(&own);
    }
    arena_free(&arena);
}

static struct lab_trace *trace_of_step(struct lab_lesson *lesson, struct arena *arena,
                                       const char *name, size_t step)
{
    size_t index = 0;
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(lab_lesson_find(name, &index));
    assert_true(lab_lesson_load(index, arena, lesson, &error));
    struct lab_trace *const trace = lab_run(&lesson->step[step].experiment, NULL, &error);
    assert_non_null(trace);
    return trace;
}

static void dimensions_made_by_hand_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *lesson;
        size_t step;
        enum lab_part part;
        size_t column;
        const char *name;
    } rows[] = {
        {"hammer", 0, LAB_EMBEDDINGS_X, 3, "person"},
        {"hammer", 2, LAB_Q, 0, "thing"},
        {"hammer", 2, LAB_K, 1, "person"},
        {"hammer", 2, LAB_V, 1, "use"},
        {"hammer", 1, LAB_Q, 3, "person"}, /* identity weights carry the embedding's over */
        {"bank", 0, LAB_EMBEDDINGS_X, 1, "money"},
        {"bank", 0, LAB_V, 0, "nature"},
        {"library", 0, LAB_K, 2, "kitchens"},
        {"library", 0, LAB_V, 1, "motors"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena arena = {0};
        struct lab_lesson lesson;
        struct lab_trace *const trace =
            trace_of_step(&lesson, &arena, rows[i].lesson, rows[i].step);
        const struct lab_matrix matrix = lab_trace_part(trace, rows[i].part, 0);
        assert_non_null(matrix.column_words);
        assert_string_equal(matrix.column_words[rows[i].column], rows[i].name);
        lab_trace_release(trace);
        lab_lesson_release(&lesson);
        arena_free(&arena);
    }
}

static void what_root_says_of_the_strongest_key_is_pinned(void **state)
{
    (void)state;
    static const size_t steps[] = {0, 1, 4, 6};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct arena arena = {0};
        struct lab_lesson lesson;
        struct lab_trace *const trace = trace_of_step(&lesson, &arena, "root", steps[i]);
        const struct lab_selection *const at = &lesson.step[steps[i]].selection;
        const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 0);
        for (size_t j = 0; j < alpha.cols; j++) {
            assert_true(lab_matrix_at(&alpha, at->query, j) <=
                        lab_matrix_at(&alpha, at->query, at->key));
        }
        lab_trace_release(trace);
        lab_lesson_release(&lesson);
        arena_free(&arena);
    }
}

static void names_that_are_too_few_are_left_aside(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct lab_lesson lesson;
    struct lab_trace *trace = trace_of_step(&lesson, &arena, "hammer", 2);
    lab_trace_release(trace);
    struct lab_experiment *const experiment = &lesson.step[2].experiment;
    experiment->weights = LAB_WEIGHTS_RANDOM;
    experiment->d_k = 3;
    trace = lab_run(experiment, NULL, NULL);
    assert_non_null(trace);
    assert_null(lab_trace_part(trace, LAB_Q, 0).column_words);
    assert_non_null(lab_trace_part(trace, LAB_EMBEDDINGS_X, 0).column_words);
    lab_trace_release(trace);
    lab_lesson_release(&lesson);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dimensions_made_by_hand_have_names),
        cmocka_unit_test(what_root_says_of_the_strongest_key_is_pinned),
        cmocka_unit_test(names_that_are_too_few_are_left_aside),
        cmocka_unit_test(every_built_in_lesson_has_five_to_nine_steps_with_short_captions),
        cmocka_unit_test(the_first_lessons_open_where_they_always_did),
        cmocka_unit_test(a_lesson_that_is_written_reads_back_the_same),
        cmocka_unit_test(an_experiment_comes_back_from_its_text_to_the_bit),
        cmocka_unit_test(edits_of_a_step_follow_the_words_it_changes),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line_and_key),
        cmocka_unit_test(the_schema_and_the_reader_know_the_same_names),
        cmocka_unit_test(the_schema_and_the_reader_take_the_same_values),
        cmocka_unit_test(what_is_unknown_is_kept_where_it_stood),
        cmocka_unit_test(bad_text_leaves_an_experiment_as_it_was),
        cmocka_unit_test(a_lesson_cut_off_or_damaged_anywhere_is_refused_or_read_but_never_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
