/* tests/learn/steps.c — some steps of a run written down, a file each, for torch_step.py:
 *     steps FOLDER gpt2|llama mlp|plain norm|bare tied|untied past|all STEPS
 * Says on standard output what a reader must know beside the files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/checkpoint.h"
#include "shapes.h"

static bool is(const char *word, const char *known)
{
    return strcmp(word, known) == 0;
}

static struct learn_recipe recipe_of(char **words)
{
    const bool llama = is(words[0], "llama"), all = is(words[4], "all");
    struct learn_recipe recipe = learn_task_find(all ? "reverse" : "small-world")->recipe;
    recipe.shape.family = llama ? LEARN_LLAMA : LEARN_GPT2;
    recipe.shape.layers = 2;
    recipe.shape.heads = 2;
    recipe.shape.d_model = 16;
    recipe.shape.d_k = llama ? 6 : 8;
    recipe.shape.theta = 100;
    recipe.shape.inner = is(words[1], "mlp") ? 40 : 0;
    recipe.shape.norm = is(words[2], "norm");
    recipe.shape.tied = is(words[3], "tied");
    recipe.optimiser = usual_optimiser;
    recipe.optimiser.rate = 3e-3F;
    recipe.optimiser.warmup = 4;
    recipe.sigma = 0.2F;
    recipe.batch = 8;
    recipe.seed = 9;
    return recipe;
}

int main(int argc, char **argv)
{
    struct error error = {0};
    if (argc != 8) {
        return 2;
    }
    const struct learn_recipe recipe = recipe_of(argv + 2);
    const struct bytes none = {0};
    struct learn_run *const run = learn_run_make(&recipe, none, NULL, &error);
    if (run == NULL) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    const unsigned long steps = strtoul(argv[7], NULL, 10);
    for (unsigned long s = 0; s < steps; s++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%lu.npz", argv[1], s);
        if (!learn_step_dump(run, path, &error)) {
            fprintf(stderr, "%s\n", error.text);
            learn_run_free(run);
            return 1;
        }
    }
    const struct learn_shape *const shape = &learn_run_recipe(run)->shape;
    printf("{\"family\": \"%s\", \"layers\": %zu, \"heads\": %zu, \"d_k\": %zu, \"mlp\": %s, "
           "\"norm\": %s, \"tied\": %s, \"causal\": %s, \"theta\": %g, \"rate\": %g, "
           "\"beta1\": %g, \"beta2\": %g, \"weight_decay\": %g, \"warmup\": %zu}\n",
           learn_family_name(shape->family), shape->layers, shape->heads, shape->d_k,
           shape->inner > 0 ? "true" : "false", shape->norm ? "true" : "false",
           shape->tied ? "true" : "false", shape->causal ? "true" : "false", (double)shape->theta,
           (double)recipe.optimiser.rate, (double)recipe.optimiser.beta1,
           (double)recipe.optimiser.beta2, (double)recipe.optimiser.weight_decay,
           recipe.optimiser.warmup);
    learn_run_free(run);
    return 0;
}
