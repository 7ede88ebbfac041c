/* A folder as a model: config.json up to the first byte 0, then model.safetensors; names of tensors
 * and what of them is left out; then a few tokens through it. */
#include <string.h>

#include "../opened.h"
#include "base/arena.h"
#include "folder.h"
#include "fuzz.h"
#include "model/model.h"

enum { SMALL = 512 };

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
    struct model_run *const made =
        model_run_start(model, &(const struct model_request){.ids = ids, .count = 3}, &error);
    if (made != NULL) {
        (void)(model_has_logits(model) && model_run_logits(made, 0, 1, numbers, &error));
        model_run_weights(made, 0, 0, numbers);
    }
    model_run_close(made);
}

bool fuzz_reads(struct bytes file)
{
    static const char *const names[] = {"config.json", "model.safetensors"};
    char folder[FOLDER_PATH_MAX];
    struct arena arena = {0};
    struct error error = {0};
    const uint8_t *const end = file.size == 0 ? NULL : memchr(file.at, 0, file.size);
    const size_t length = end == NULL ? file.size : (size_t)(end - file.at);
    const size_t rest = end == NULL ? 0 : file.size - length - 1;
    folder_make(folder);
    folder_put(folder, names[0], (struct bytes){file.at, length});
    folder_put(folder, names[1], (struct bytes){end == NULL ? file.at : end + 1, rest});
    struct model *const model = open_model(folder, &error);
    if (model != NULL) {
        (void)model_note(model, &arena);
        run(model);
    }
    model_close(model);
    folder_drop(folder, names, 2);
    arena_free(&arena);
    return model != NULL;
}
