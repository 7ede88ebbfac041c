/* A GGUF as a model: keys, tensors, tokenizer, chat template; then a few tokens through it. */
#include "../opened.h"
#include "base/arena.h"
#include "folder.h"
#include "fuzz.h"
#include "model/message.h"

enum { SMALL = 512 };

/* All of it but what takes long. */
static void run(const struct model *model)
{
    static const uint32_t ids[] = {1, 0, 2};
    static float numbers[SMALL * SMALL];
    const struct model_config *const config = model_config(model);
    struct error error = {0};
    if (config->vocabulary > SMALL || config->width > SMALL || config->layers > 4 ||
        config->vocabulary < 3 || config->inner > SMALL) {
        return;
    }
    struct model_run *const run =
        model_run_start(model, &(const struct model_request){.ids = ids, .count = 3}, &error);
    if (run != NULL) {
        (void)model_run_append(run, 1, &error);
        (void)(model_has_logits(model) && model_run_logits(run, 0, 1, numbers, &error));
        model_run_weights(run, 0, 0, numbers);
    }
    model_run_close(run);
}

static void read_text(const struct model *model)
{
    static const char text[] = "The naïve cat's 12 mats.\n";
    struct arena arena = {0};
    struct error error = {0};
    const uint32_t *ids = NULL;
    size_t count = 0;
    if (model_reads_text(model, &error) &&
        tokenizer_encode(model_tokenizer(model), text, sizeof text - 1, &arena, &ids, &count,
                         &error)) {
        (void)model_message_find(model, ids, count);
        for (size_t i = 0; i < count; i++) {
            (void)model_shown(model, ids[i], &arena);
        }
    }
    (void)model_message_encode(model, text, &arena, &ids, &count, &error);
    arena_free(&arena);
}

bool fuzz_reads(struct bytes file)
{
    static const char *const names[] = {"model.gguf"};
    char folder[FOLDER_PATH_MAX];
    struct arena arena = {0};
    struct error error = {0};
    folder_make(folder);
    folder_put(folder, names[0], file);
    struct model *const model = open_model(arena_format(&arena, "%s/%s", folder, names[0]), &error);
    if (model != NULL) {
        read_text(model);
        run(model);
    }
    model_close(model);
    folder_drop(folder, names, 1);
    arena_free(&arena);
    return model != NULL;
}
