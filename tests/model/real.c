/* The real GPT-2, where ATTNSCOPE_GPT2 names its folder: tokens, patterns of all heads, logits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../opened.h"
#include "model/model.h"

enum { SKIPPED = 77, TOKENS_MAX = 64 };

static const char sentence[] = "Aerodynamics are for people who can't build engines.";

/* Words that are so common that each is a token. */
static void expect_tokens(const struct tokenizer *bpe, const uint32_t *ids, size_t count)
{
    static const char *const words[] = {"␣are", "␣for", "␣people", "␣who",
                                        "␣can", "'t",   "␣build",  "."};
    struct arena arena = {0};
    struct bytes back;
    size_t at = 0;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        while (at < count && strcmp(tokenizer_shown(bpe, ids[at], &arena), words[w]) != 0) {
            at++;
        }
        if (at == count) {
            fail_msg("“%s” is no token of the sentence", words[w]);
        }
    }
    assert_true(tokenizer_decode(bpe, ids, count, &arena, &back, NULL));
    assert_string_equal((const char *)back.at, sentence);
    arena_free(&arena);
}

static void expect_patterns(const struct model_run *run, const struct model_config *config)
{
    static float weights[TOKENS_MAX * TOKENS_MAX];
    const size_t n = model_run_count(run);
    for (size_t h = 0; h < config->layers * config->heads; h++) {
        model_run_weights(run, h / config->heads, h % config->heads, weights);
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++) {
                sum += (double)weights[i * n + j];
                assert_true(weights[i * n + j] >= 0 && (j <= i || weights[i * n + j] == 0));
            }
            assert_true(fabs(sum - 1) < 1e-5);
        }
    }
}

static void the_real_model_reads_a_sentence(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    struct model_request request = {.count = 0};
    struct model *const model = open_model(getenv("ATTNSCOPE_GPT2"), &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    const struct model_config *const config = model_config(model);
    assert_true(tokenizer_encode(model_tokenizer(model), sentence, strlen(sentence), &arena,
                                 &request.ids, &request.count, NULL));
    assert_in_range(request.count, 9, TOKENS_MAX);
    expect_tokens(model_tokenizer(model), request.ids, request.count);
    struct model_run *const run = model_run_start(model, &request, &error);
    if (run == NULL) {
        fail_msg("%s", error.text);
    }
    expect_patterns(run, config);
    float *const logits = arena_array(&arena, request.count * config->vocabulary, sizeof *logits);
    assert_true(model_run_logits(run, 0, request.count, logits, NULL));
    for (size_t i = 0; i < request.count * config->vocabulary; i++) {
        assert_true(isfinite(logits[i]));
    }
    model_run_close(run);
    model_close(model);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_real_model_reads_a_sentence)};
    return getenv("ATTNSCOPE_GPT2") == NULL ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
