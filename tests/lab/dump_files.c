/* Files of attention as people save them, and as they come damaged: made here array by array. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tensors.h"

static const char path[] = "attention-of-one.safetensors";

struct one_file {
    struct tensor tensors[ARRAYS_MAX];
    struct lab_dump_request request;
    const char
        *says; /* what it is refused with; or what is doubted, or not used; or NULL: nothing */
    const char *axes; /* as it is opened; NULL: it is refused */
};

static void try(const struct one_file *one)
{
    struct error error = {ERROR_NONE, 0, ""};
    save(path, one->tensors, used(one->tensors), NULL);
    struct lab_dump *const dump = lab_dump_open(path, &one->request, &error);
    char said[1024];
    snprintf(said, sizeof said, "%s%s", dump != NULL ? lab_dump_facts(dump)->doubt : error.text,
             dump != NULL ? lab_dump_facts(dump)->unused : "");
    if ((one->axes != NULL) != (dump != NULL) ||
        (one->says == NULL ? said[0] != '\0' : strstr(said, one->says) == NULL)) {
        fail_msg("%s: \"%s\", where \"%s\" is meant", one->tensors[0].name, said,
                 one->says != NULL ? one->says : "nothing");
    }
    if (dump != NULL) {
        assert_string_equal(lab_dump_facts(dump)->axes, one->axes);
    }
    lab_dump_close(dump);
    unlink(path);
}

static void arrays_lie_in_many_ways(void **state)
{
    static const struct one_file files[] = {
        /* a single text in front of the layers, and the layers in front of the texts */
        {{{"attentions", 5, {1, 2, 3, 4, 4}, EVEN}}, {0}, NULL, "BLHQK"},
        {{{"attentions", 5, {2, 1, 3, 4, 4}, EVEN}}, {0}, NULL, "LBHQK"},
        {{{"q", 5, {1, 2, 3, 4, 8}, EVEN}, {"k", 5, {1, 2, 3, 4, 8}, EVEN}},
         {0},
         "all are taken as seen",
         "BLHQD"},
        {{{"blocks.0.attn.hook_q", 3, {4, 3, 8}, EVEN},
          {"blocks.0.attn.hook_k", 3, {4, 3, 8}, EVEN},
          {"blocks.0.attn.hook_v", 3, {4, 3, 6}, EVEN}},
         {0},
         "taken as hidden",
         "QHD"},
        {{{"attentions", 2, {4, 4}, EVEN}, {"other", 3, {2, 4, 4}, EVEN}},
         {.array = "other"},
         "attentions (4 \u00d7 4)",
         "HQK"},
        {{{"layer_0.other", 2, {4, 4}, EVEN},
          {"attentions", 3, {2, 4, 4}, EVEN},
          {"layer_7.other", 2, {4, 4}, EVEN}},
         {.array = "layer_#.other"},
         "attentions (2 \u00d7 4 \u00d7 4)",
         "QK"},
        {{{"attentions", 2, {4, 4}, EVEN}, {"cross_attentions", 2, {4, 6}, EVEN}},
         {0},
         "cross_attentions (4 \u00d7 6)",
         "QK"},
        /* names that say nothing, and numbers without anything before them */
        {{{"mine", 3, {3, 4, 4}, EVEN}, {"yours", 3, {3, 4, 4}, EVEN}},
         {0},
         "yours (3 \u00d7 4 \u00d7 4)",
         "HQK"},
        {{{"Layer0", 3, {3, 4, 4}, EVEN}, {"Layer1", 3, {3, 4, 4}, EVEN}},
         {.array = "Layer#"},
         NULL,
         "HQK"},
        {{{"t5.step0_layer0", 4, {1, 3, 4, 4}, EVEN},
          {"t5.step0_layer1", 4, {1, 3, 4, 4}, EVEN},
          {"t5.step1_layer0", 4, {1, 3, 1, 5}, EVEN},
          {"t5.step1_layer1", 4, {1, 3, 1, 5}, EVEN}},
         {0},
         "2 steps of writing are joined: from 4 to 5 words.",
         "BHQK"},
        /* what is said of the axes holds, and what the numbers say of it is told */
        {{{"attentions", 2, {4, 6}, TURNED}}, {.axes = "QK"}, "may be turned round", "QK"},
        {{{"attentions", 2, {4, 6}, TURNED}}, {0}, "taken for the queries", "KQ"},
        {{{"of_mine", 3, {2, 4, 4}, EVEN}}, {0}, NULL, "HQK"},
    };
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        try(&files[f]);
    }
}

static void a_step_that_is_missing_is_named(void **state)
{
    static const struct one_file files[] = {
        {{{"attentions_0", 3, {3, 4, 4}, EVEN},
          {"attentions_1", 3, {3, 1, 5}, EVEN},
          {"attentions_3", 3, {3, 1, 7}, EVEN}},
         {0},
         "step 2 is missing",
         NULL},
        {{{"cross_attentions_0_0", 4, {1, 3, 1, 6}, EVEN},
          {"cross_attentions_1_0", 4, {1, 3, 1, 6}, EVEN},
          {"cross_attentions_3_0", 4, {1, 3, 1, 6}, EVEN}},
         {0},
         "step 2 is missing",
         NULL},
        {{{"cross_attentions_0_0", 4, {1, 3, 1, 6}, EVEN},
          {"cross_attentions_1_0", 4, {1, 3, 1, 6}, EVEN},
          {"cross_attentions_2_0", 4, {1, 3, 1, 6}, EVEN},
          {"cross_attentions_0_1", 4, {1, 3, 1, 6}, EVEN},
          {"cross_attentions_2_1", 4, {1, 3, 1, 6}, EVEN}},
         {0},
         "step 1 is missing: cross_attentions_0_1 and cross_attentions_2_1",
         NULL},
        {{{"attentions_0_0", 4, {1, 3, 1, 1}, EVEN},
          {"attentions_1_0", 4, {1, 3, 1, 2}, EVEN},
          {"attentions_0_1", 4, {1, 3, 1, 1}, EVEN}},
         {0},
         "step 1 is missing",
         NULL},
        {{{"attentions_1_0", 4, {1, 3, 1, 5}, EVEN}, {"attentions_2_0", 4, {1, 3, 1, 6}, EVEN}},
         {0},
         "step 0 is missing",
         NULL},
    };
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        try(&files[f]);
    }
}

static void what_does_not_fit_is_refused_by_its_names(void **state)
{
    static const struct one_file files[] = {
        {{{"attentions_1", 3, {3, 4, 4}, EVEN}, {"attentions_01", 3, {3, 4, 4}, EVEN}},
         {0},
         "is there twice, as",
         NULL},
        {{{"attentions", 3, {3, 4, 4}, EVEN}}, {.axes = "HQQ"}, "at most once", NULL},
        {{{"attentions", 3, {3, 4, 4}, EVEN}}, {.axes = "HQx"}, "each of L, B, H, Q and K", NULL},
        {{{"attentions", 3, {3, 4, 4}, EVEN}}, {.axes = "LBH"}, "must be among them", NULL},
        {{{"attentions", 3, {3, 4, 4}, EVEN}}, {.axes = "LHQ"}, "must be among them", NULL},
        {{{"attentions_0", 3, {3, 4, 4}, EVEN}, {"attentions_1", 3, {3, 4, 4}, EVEN}},
         {.axes = "LQK"},
         "no L where layers are arrays",
         NULL},
        {{{"q", 3, {3, 4, 8}, EVEN}}, {.reading = LAB_DUMP_AS_QUERIES}, "but no keys", NULL},
        {{{"q", 3, {3, 4, 8}, EVEN}, {"k", 3, {2, 4, 8}, EVEN}}, {0}, "do not fit together", NULL},
        {{{"q", 3, {3, 4, 8}, EVEN}, {"k", 3, {3, 4, 6}, EVEN}}, {0}, "do not fit together", NULL},
        {{{"q", 4, {2, 3, 4, 8}, EVEN}, {"k", 4, {1, 3, 4, 8}, EVEN}},
         {0},
         "do not fit together",
         NULL},
        {{{"q", 5, {2, 2, 3, 4, 8}, EVEN}, {"k", 5, {2, 1, 3, 4, 8}, EVEN}},
         {0},
         "do not fit together",
         NULL},
        {{{"q", 3, {3, 4, 8}, EVEN}, {"k", 3, {3, 6, 8}, EVEN}, {"v", 3, {3, 4, 8}, EVEN}},
         {0},
         "q and v do not fit together",
         NULL},
        {{{"q", 2, {4, 8}, EVEN}, {"far", 6, {1, 1, 1, 1, 4, 8}, EVEN}},
         {.array = "q", .keys = "far"},
         "say with --axes which axis is what",
         NULL},
        {{{"attentions", 4, {2, 10000, 2, 2}, EVEN}}, {0}, "at most 16384 heads", NULL},
        {{{"attentions", 4, {20000, 1, 2, 2}, EVEN}}, {0}, "at most 16384 heads", NULL},
        {{{"attentions", 3, {20000, 2, 2}, EVEN}}, {0}, "at most 16384 heads", NULL},
        {{{"attentions", 2, {5000, 1}, EVEN}}, {0}, "5000 queries", NULL},
        {{{"of_mine", 2, {2, 5000}, EVEN}}, {0}, "5000 keys", NULL},
        {{{"of_mine", 2, {1, 70000}, EVEN}}, {0}, "no attention in it", NULL},
        {{{"of_mine", 2, {5000, 2}, TURNED}}, {0}, "no attention in it", NULL},
        {{{"attentions", 2, {4, 4}, EVEN}}, {.batch = 1}, "one text", NULL},
        {{{"attentions", 5, {1, 2, 3, 4, 4}, EVEN}}, {.batch = 1}, "one text", NULL},
        {{{"attentions", 5, {2, 2, 3, 4, 4}, EVEN}}, {.batch = 2}, "--batch is 1 to 2", NULL},
        {{{"bias", 1, {4}, EVEN}}, {0}, "no attention in it, but bias (4)", NULL},
        {{{"attentions", 1, {4}, EVEN}}, {0}, "no attention in it", NULL},
        /* of many, those that fit, each whole */
        {{{"bias_of_the_first_of_all_layers", 1, {40000}, EVEN},
          {"bias_of_the_other_of_the_layers", 1, {40000}, EVEN},
          {"gain_of_the_norm_behind_those_two", 1, {40000}, EVEN}},
         {0},
         "of_the_layer (40000), ….",
         NULL},
    };
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        try(&files[f]);
    }
}

/* ---- numbers -------------------------------------------------------------------------------- */

static bool give_up_at_once(void *owner, size_t done, size_t all)
{
    (void)all;
    *(size_t *)owner = done;
    return false;
}

static void rows_are_told_while_they_are_read_and_one_may_give_up(void **state)
{
    (void)state;
    static const struct tensor large = {"attentions", 2, {400, 400}, EVEN};
    struct error error = {ERROR_NONE, 0, ""};
    size_t told = 0;
    struct lab_dump_page page = {.on_rows = give_up_at_once, .owner = &told};
    struct lab_experiment experiment;
    save(path, &large, 1, NULL);
    struct lab_dump *const dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_false(lab_dump_experiment(dump, &page, 0, 0, &experiment, &error));
    assert_int_equal(error.code, ERROR_NONE); /* no fault: it was wished */
    assert_true(told > 0 && told < 400);
    lab_dump_page_free(&page);
    lab_dump_close(dump);
    unlink(path);
}

static void values_are_used_and_a_number_that_is_none_is_named(void **state)
{
    (void)state;
    static const struct tensor tensors[] = {{"q", 3, {2, 4, 8}, EVEN},
                                            {"k", 3, {1, 4, 8}, EVEN},
                                            {"v", 3, {1, 4, 6}, EVEN}},
                               wrong[] = {{"attentions", 2, {3, 3}, NOT_A_NUMBER}};
    struct lab_dump_page page = {.holds = {NULL}};
    struct lab_experiment experiment;
    struct error error = {ERROR_NONE, 0, ""};
    save(path, tensors, 3, NULL);
    struct lab_dump *dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_true(lab_dump_experiment(dump, &page, 0, 0, &experiment, &error));
    struct lab_trace *const trace = trace_of(&experiment);
    assert_int_equal(lab_trace_part(trace, LAB_V, 1).cols, 6); /* of one head, shared by both */
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
    lab_dump_close(dump);

    save(path, wrong, 1, NULL);
    dump = lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_false(lab_dump_experiment(dump, &page, 0, 0, &experiment, &error));
    assert_non_null(strstr(error.text, "row 1, column 1 is nan: no weight is"));
    lab_dump_page_free(&page);
    lab_dump_close(dump);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_lie_in_many_ways),
        cmocka_unit_test(a_step_that_is_missing_is_named),
        cmocka_unit_test(what_does_not_fit_is_refused_by_its_names),
        cmocka_unit_test(rows_are_told_while_they_are_read_and_one_may_give_up),
        cmocka_unit_test(values_are_used_and_a_number_that_is_none_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
