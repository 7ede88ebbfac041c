/* Digests of everything that is said of each layer of a small model, one for each family. Without
 * an argument it is compared with the file that TRANSCRIPT names; “write” prints that file anew,
 * and a folder's name the text itself. FIXTURES names the folders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../environment.h"
#include "../opened.h"
#include "../transcript.h"
#include "base/system/folder.h"
#include "model/model.h"

enum { TOKENS = 7, FOLDERS_MAX = 256, PATH = 512 };

static void put_layer(struct transcript *transcript, const struct model_run *run,
                      enum model_attention which, size_t layer)
{
    static const char *const words[TOKENS] = {"a", "b", "c", "d", "e", "f", "g"};
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_block *const block = model_block(run, which, layer, &error);
    put(transcript, error.text);
    if (block != NULL) {
        put_block_words(transcript, block, words);
        lab_block_release(block);
    }
}

static void put_folder(struct transcript *transcript, const char *name)
{
    struct error error = {ERROR_NONE, 0, ""};
    char path[PATH];
    const uint32_t ids[TOKENS] = {5, 17, 3, 17, 8, 21, 4};
    snprintf(path, sizeof path, "%s/%s", getenv("FIXTURES"), name);
    struct model *const model = open_model(path, &error);
    const size_t targets = model != NULL && model_config(model)->source_layers > 0 ? 4 : 0;
    const struct model_request request = {
        .ids = ids, .count = TOKENS, .target_ids = ids, .target_count = targets};
    struct model_run *const run = model == NULL ? NULL : model_run_start(model, &request, &error);
    put(transcript, error.text);
    for (size_t l = 0; run != NULL && l < model_layers_of(model, MODEL_ENCODER); l++) {
        put_layer(transcript, run, MODEL_ENCODER, l);
    }
    for (size_t l = 0; run != NULL && l < model_config(model)->layers; l++) {
        put_layer(transcript, run, MODEL_SELF, l);
    }
    model_run_close(run);
    model_close(model);
}

/* Prints a line for each folder, or the text of one of them. */
static void print_folders(FILE *out, const char *asked)
{
    struct system_names *const folders = system_names_open(getenv("FIXTURES"));
    assert_non_null(folders);
    for (const char *name; (name = system_names_next(folders)) != NULL;) {
        struct transcript transcript = {14695981039346656037U, asked != NULL};
        if (asked == NULL || strcmp(asked, name) == 0) {
            put_folder(&transcript, name);
        }
        if (asked == NULL) {
            fprintf(out, "%016llx %s\n", (unsigned long long)transcript.digest, name);
        }
    }
    system_names_close(folders);
}

static void every_layer_is_spelled_as_it_was(void **state)
{
    (void)state;
    char line[LINE], known[LINE];
    FILE *const now = tmpfile(), *const then = fopen(getenv("TRANSCRIPT"), "r");
    assert_true(now != NULL && then != NULL);
    print_folders(now, NULL);
    rewind(now);
    while (fgets(line, sizeof line, now) != NULL) {
        if (fgets(known, sizeof known, then) == NULL || strcmp(line, known) != 0) {
            fail_msg("something else is said of %s", line);
        }
    }
    fclose(now);
    fclose(then);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_layer_is_spelled_as_it_was)};
    environment_set("ATTN_ISA", "ref"); /* every machine has it */
    if (argc > 1) {
        print_folders(stdout, strcmp(argv[1], "write") == 0 ? NULL : argv[1]);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
