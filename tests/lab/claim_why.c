/* See claim_why.h. */
#include "claim_why.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lab/run/sample.h"
#include "learn/checkpoint.h"
#include "learn/learned.h"
#include "why/lens.h"
#include "why/patching.h"

/* A model that has read the words of a step, with the heads off that are off there. */
struct asked {
    struct arena arena;
    struct model *model;
    struct model_run *run;
    struct why_question question;
};

static uint32_t id_of(const struct learn_model *saved, const char *word)
{
    uint32_t id = 0;
    while (strcmp(saved->words[id], word) != 0) {
        id++;
        assert_true(id < saved->recipe.shape.vocabulary);
    }
    return id;
}

static struct model_interventions heads_off(const struct lab_step *step, struct arena *arena)
{
    const struct lab_training *training = lab_training_keep(step->experiment.learned);
    const struct learn_learned *const learned = learn_training_read(&training, NULL);
    struct model_intervention *const off = arena_array(arena, 8, sizeof *off);
    size_t count = 0;
    assert_non_null(learned);
    for (size_t e = 0; e < learned->edits; e++) {
        assert_int_equal(learned->edit[e].kind, LEARN_EDIT_HEAD_OFF);
        off[count++] = model_head_off(learned->edit[e].layer, learned->edit[e].head);
    }
    lab_training_release(training);
    return (struct model_interventions){off, count};
}

static struct asked ask(const struct lab_step *step, const struct learn_run *run)
{
    const struct learn_model saved = learn_model_of(run);
    struct model_in_memory stored = {.words = saved.words};
    struct asked asked = {.model = NULL};
    uint32_t ids[64];
    const size_t count = lab_words_count(step->experiment.tokens);
    assert_true(count < 64);
    for (size_t w = 0; w < count; w++) {
        ids[w] = id_of(&saved, lab_words_list(step->experiment.tokens)[w]);
    }
    assert_true(learn_model_store(&saved, &asked.arena, &stored.config, &stored.tensors, NULL));
    asked.model = model_open_memory(&stored, NULL);
    assert_non_null(asked.model);
    asked.run = model_run_start(
        asked.model,
        &(struct model_request){
            .ids = ids, .count = count, .interventions = heads_off(step, &asked.arena)},
        NULL);
    assert_non_null(asked.run);
    asked.question.position = count - 1;
    if (step->view_prefs.rival[0] != '\0') {
        asked.question.word = id_of(&saved, step->view_prefs.word);
        asked.question.rival = id_of(&saved, step->view_prefs.rival);
        asked.question.has_rival = true;
    } else {
        float *const logits =
            arena_array(&asked.arena, saved.recipe.shape.vocabulary, sizeof *logits);
        assert_true(model_run_logits(asked.run, count - 1, 1, logits, NULL));
        (void)lab_find_largest(logits, saved.recipe.shape.vocabulary, 1, &asked.question.word);
    }
    return asked;
}

static struct why_node node_of(const char *name)
{
    const bool is_head = name[0] == 'L';
    return (struct why_node){is_head ? MODEL_NODE_Z : MODEL_NODE_MLP,
                             strtoul(name + (is_head ? 1 : 3), NULL, 10),
                             is_head ? strtoul(strchr(name, 'H') + 1, NULL, 10) : 0};
}

static double added_by(const struct asked *asked, const char *name)
{
    struct why_attribution attribution;
    double value = 0;
    bool is_found = false;
    assert_true(why_attribute(asked->run, asked->model, &asked->question, &attribution, NULL));
    for (size_t p = 0; p < attribution.parts; p++) {
        const struct why_part *const part = &attribution.part[p];
        const struct why_node node = node_of(name);
        const bool fits =
            part->layer == node.layer &&
            (node.node == MODEL_NODE_MLP ? part->kind == WHY_MLP
                                         : part->kind == WHY_HEAD && part->head == node.head);
        value = fits ? part->value : value;
        is_found = is_found || fits;
    }
    why_attribution_free(&attribution);
    assert_true(is_found);
    return value;
}

static double lost_without(const struct asked *asked, const char *name)
{
    const struct why_node node = node_of(name);
    const struct model_intervention off = node.node == MODEL_NODE_Z
                                              ? model_head_off(node.layer, node.head)
                                              : (struct model_intervention){.node = MODEL_NODE_MLP,
                                                                            .by = MODEL_BY_VALUE,
                                                                            .layer = node.layer,
                                                                            .row = MODEL_EACH,
                                                                            .column = MODEL_EACH};
    const struct model_interventions variant = {&off, 1};
    const struct why_ablation of = {
        .run = asked->run, .model = asked->model, .question = asked->question};
    struct why_state before, without;
    assert_true(why_ablate(&of, &variant, 1, &before, &without, NULL));
    return before.logit - without.logit;
}

static double lost_on_path(const struct asked *asked, const char *sender)
{
    const struct why_node from = node_of(sender), to = node_of(strchr(sender, '>') + 1);
    const struct why_ablation of = {
        .run = asked->run, .model = asked->model, .question = asked->question};
    struct why_state before, without;
    assert_true(why_path(&of, NULL, &from, &to, &before, &without, NULL));
    return before.logit - without.logit;
}

static double chance_behind(const struct asked *asked, const char *cell)
{
    char *end = NULL;
    const size_t stage = strtoul(cell, &end, 10);
    const uint32_t word = (uint32_t)strtoul(end + 1, NULL, 10);
    struct why_lens lens;
    assert_true(
        why_lens_make(asked->run, asked->model, asked->question.position, word, &lens, NULL));
    const double chance = 100 * lens.cell[stage * lens.n + asked->question.position].probability;
    why_lens_free(&lens);
    return chance;
}

bool claim_why_value(const struct lab_step *step, const struct learn_run *run, const char *code,
                     double *value)
{
    static const char *const names[] = {"lead", "adds:", "lost:", "path:", "lens%:"};
    enum { NAMES = sizeof names / sizeof *names };
    size_t n = 0;
    while (n < NAMES && strncmp(code, names[n], strlen(names[n])) != 0) {
        n++;
    }
    if (n == NAMES) {
        return false;
    }
    struct asked asked = ask(step, run);
    const char *const what = code + strlen(names[n]);
    const struct why_ablation of = {
        .run = asked.run, .model = asked.model, .question = asked.question};
    struct why_state before;
    assert_true(why_ablate(&of, NULL, 0, &before, NULL, NULL));
    *value = n == 0   ? before.logit
             : n == 1 ? added_by(&asked, what)
             : n == 2 ? lost_without(&asked, what)
             : n == 3 ? lost_on_path(&asked, what)
                      : chance_behind(&asked, what);
    model_run_close(asked.run);
    model_close(asked.model);
    arena_free(&asked.arena);
    return true;
}
