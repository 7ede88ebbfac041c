/* Tensors that come in two (MXFP4), or may be missing, and a second tokenizer: what is wrong with
 * them is said in one sentence that names file, tensor and rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../opened.h"
#include "checkpoint.h"
#include "model/model.h"

static const char *fixtures;

static void open_family(struct checkpoint *checkpoint, const char *family)
{
    static char path[4096]; /* which the checkpoint keeps */
    snprintf(path, sizeof path, "%s/%s", fixtures, family);
    checkpoint_open(checkpoint, path);
    checkpoint_put(checkpoint, "config.json", checkpoint_source(checkpoint, "config.json"));
}

/* As it is now, it is refused with these words; NULL: it opens. */
static void expect(struct checkpoint *checkpoint, const char *says)
{
    struct error error = {ERROR_NONE, 0, ""};
    checkpoint_put(checkpoint, "model.safetensors",
                   checkpoint_file(checkpoint, 0, checkpoint->count, ""));
    struct model *const model = open_model(checkpoint->folder, &error);
    if ((model == NULL) != (says != NULL) || strstr(error.text, says == NULL ? "" : says) == NULL) {
        fail_msg("“%s” does not say “%s”", error.text, says == NULL ? "" : says);
    }
    model_close(model);
}

/* It opens, reads no text, and says why with these words. */
static void expect_ids_only(const struct checkpoint *checkpoint, const char *says)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct model *const model = open_model(checkpoint->folder, &error);
    if (model == NULL) {
        fail_msg("“%s” in place of “%s”", error.text, says);
    }
    assert_false(model_reads_text(model, &error));
    if (strstr(error.text, says) == NULL) {
        fail_msg("“%s” does not say “%s”", error.text, says);
    }
    model_close(model);
}

static void blocks_need_their_scales(void **state)
{
    static const char blocks[] = "model.layers.0.mlp.experts.down_proj_blocks",
                      scales[] = "model.layers.0.mlp.experts.down_proj_scales";
    struct checkpoint checkpoint;
    (void)state;
    open_family(&checkpoint, "gpt-oss-mxfp4");
    expect(&checkpoint, NULL);
    struct tensor *const scale = checkpoint_find(&checkpoint, scales);
    struct tensor *const block = checkpoint_find(&checkpoint, blocks);
    const struct tensor scale_was = *scale, block_was = *block;
    scale->name = "another";
    expect(&checkpoint,
           "model.safetensors: the tensor model.layers.0.mlp.experts.down_proj_scales is missing.");
    *scale = scale_was;
    scale->shape[1] /= 2;
    scale->bytes.size /= 2;
    expect(&checkpoint,
           "down_proj_scales must have one uint8 for each block of model.layers.0.mlp.experts."
           "down_proj_blocks.");
    *scale = scale_was;
    scale->type = "F16";
    scale->shape[2] /= 2;
    expect(&checkpoint, "must have one uint8 for each block");
    *scale = scale_was;
    block->shape[0] /= 2; /* of half as many experts, in both */
    block->bytes.size /= 2;
    scale->shape[0] /= 2;
    scale->bytes.size /= 2;
    expect(&checkpoint, "model.safetensors: model.layers.0.mlp.experts.down_proj is 2 × ");
    *scale = scale_was;
    *block = block_was;
    block->shape[3] = 8; /* no blocks of the format */
    block->shape[2] *= 2;
    expect(&checkpoint, "the tensor model.layers.0.mlp.experts.down_proj is missing.");
    checkpoint_close(&checkpoint);
}

static void norms_that_the_configuration_names_are_there(void **state)
{
    struct checkpoint checkpoint;
    (void)state;
    open_family(&checkpoint, "phi-normed");
    expect(&checkpoint, NULL);
    struct tensor *const norm =
        checkpoint_find(&checkpoint, "model.layers.1.self_attn.k_layernorm.weight");
    const struct tensor was = *norm;
    norm->name = "another";
    expect(&checkpoint, "the tensor model.layers.1.self_attn.k_layernorm.weight is missing.");
    *norm = was;
    norm->shape[0] /= 2;
    norm->bytes.size /= 2;
    expect(&checkpoint, "k_layernorm.weight is 2, expected 4.");
    checkpoint_close(&checkpoint);
}

static void what_writes_is_read_as_carefully_as_what_reads(void **state)
{
    static const char *const files[] = {"source.spm", "vocab.json", "target.spm",
                                        "target_vocab.json"};
    struct checkpoint checkpoint;
    (void)state;
    open_family(&checkpoint, "marian-apart");
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        checkpoint_put(&checkpoint, files[f], checkpoint_source(&checkpoint, files[f]));
    }
    expect(&checkpoint, NULL);
    struct bytes cut = checkpoint_source(&checkpoint, "target.spm");
    cut.size -= 3;
    checkpoint_put(&checkpoint, "target.spm", cut);
    expect_ids_only(&checkpoint, "target.spm");
    checkpoint_put(&checkpoint, "target.spm", checkpoint_source(&checkpoint, "target.spm"));
    checkpoint_put_text(&checkpoint, "target_vocab.json", "{\"a\":0}");
    expect_ids_only(&checkpoint, "target_vocab.json: it has no tokens <unk> and </s>.");
    checkpoint_put_text(&checkpoint, "target_vocab.json", "{\"</s>\":0,\"<unk>\":99}");
    expect_ids_only(&checkpoint, "target_vocab.json");
    checkpoint_close(&checkpoint);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_need_their_scales),
        cmocka_unit_test(norms_that_the_configuration_names_are_there),
        cmocka_unit_test(what_writes_is_read_as_carefully_as_what_reads),
    };
    if (count != 2) {
        return 1;
    }
    fixtures = arguments[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
