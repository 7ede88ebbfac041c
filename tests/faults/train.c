/* train — a training that replaces an older model, again and again with one more call of the
 * system, or one more allocation, made to fail. The folder holds the older model or the new one,
 * whole; where train says that it is done it is the new one; else one sentence says what is wrong,
 * and the new one lies elsewhere if its own folder could not take it.
 * The next training into the folder works whatever was left there. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../window/folder.h"
#include "base/file.h"
#include "cli/cli.h"
#include "fail.h"
#include "learn/checkpoint.h"

enum { WORDS_MAX = 16, OLD_STEP = 3, NEW_STEP = 2 };

static const struct fault {
    const char *name;
    unsigned calls;
    int reason;
    enum fail_how how;
} faults[] = {
    {"open", FAIL_OPEN, EIO, FAIL_ONCE},          {"opens from", FAIL_OPEN, EMFILE, FAIL_EVER},
    {"stat", FAIL_STAT, EIO, FAIL_ONCE},          {"write", FAIL_WRITE, EIO, FAIL_ONCE},
    {"full disk", FAIL_WRITE, ENOSPC, FAIL_EVER}, {"short write", FAIL_WRITE, 0, FAIL_SHORT},
    {"fsync", FAIL_SYNC, EIO, FAIL_ONCE},         {"close", FAIL_CLOSE, EIO, FAIL_ONCE},
    {"rename", FAIL_RENAME, EACCES, FAIL_ONCE},   {"renames from", FAIL_RENAME, ENOSPC, FAIL_EVER},
    {"memory", FAIL_MEMORY, ENOMEM, FAIL_ONCE},   {"arena", FAIL_ARENA, ENOMEM, FAIL_ONCE},
};

static size_t runs, failures;

static bool is_of_disk(const struct fault *fault)
{
    return fault->how == FAIL_ONCE &&
           (fault->calls & (FAIL_WRITE | FAIL_SYNC | FAIL_RENAME | FAIL_CLOSE)) != 0;
}

static int run_training(const char *steps, const char *layers)
{
    char *words[WORDS_MAX] = {NULL};
    const char *const given[] = {"attnscope", "train",   "--task",  "small-world", "--batch",
                                 "2",         "--quiet", "--steps", steps,         "--layers",
                                 layers,      "-o",      "world",   "--threads",   "1"};
    const int count = sizeof given / sizeof *given;
    struct cli_window window;
    for (int w = 0; w < count; w++) {
        words[w] = (char *)(uintptr_t)given[w];
    }
    return cli_main(count, words, &window);
}

/* With call `number` of a fault failing (0: none). Standard error goes to a file meanwhile. */
static int train_new(const struct fault *fault, size_t number, size_t *calls)
{
    const int former = dup(STDERR_FILENO);
    const int file = open("said", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (former < 0 || file < 0 || dup2(file, STDERR_FILENO) < 0) {
        abort();
    }
    close(file);
    fail_begin(fault->calls, number, fault->reason, fault->how);
    const int status = run_training("2", "2");
    *calls = fail_end().calls;
    fflush(stderr);
    if (dup2(former, STDERR_FILENO) < 0) {
        abort();
    }
    close(former);
    return status;
}

static void prepare_folder(void)
{
    mkdir("world", 0777);
    folder_empty("world");
    folder_empty("elsewhere");
    if (run_training("3", "1") != CLI_DONE) {
        abort();
    }
}

static bool read_model(const char *path, struct arena *arena, struct learn_model *model,
                       struct error *error)
{
    struct file_handle *const folder = file_handle_open(path);
    const bool is_read = folder != NULL && learn_model_read(folder, arena, model, error);
    file_handle_release(folder);
    return is_read;
}

/* The step of the model that the folder holds, with all that belongs to it; 0: it holds none. */
static uint64_t step_of_folder(struct error *error)
{
    struct arena arena = {0};
    struct learn_model model;
    struct learn_state state;
    const bool whole = read_model("world", &arena, &model, error) &&
                       learn_state_read("world", &model, &arena, &state, error);
    const uint64_t step = !whole                                                     ? 0
                          : model.recipe.shape.layers == 1 && model.step == OLD_STEP ? OLD_STEP
                          : model.recipe.shape.layers == 2 && model.step == NEW_STEP ? NEW_STEP
                                                                                     : 0;
    arena_free(&arena);
    return step;
}

static bool is_sentence(void)
{
    static const char head[] = "attnscope: ";
    char said[1024] = "";
    FILE *const file = fopen("said", "r");
    const size_t size = file == NULL ? 0 : fread(said, 1, sizeof said - 1, file);
    if (file != NULL) {
        fclose(file);
    }
    return size > sizeof head && strncmp(said, head, sizeof head - 1) == 0 &&
           said[size - 1] == '\n' && said[size - 2] == '.';
}

/* A model that has no room in its folder lies in another, where that is not full too. */
static bool is_elsewhere(void)
{
    struct arena arena = {0};
    struct learn_model model;
    glob_t found;
    const bool any = glob("elsewhere/attnscope-*", 0, NULL, &found) == 0;
    const bool whole = any && found.gl_pathc == 1 &&
                       read_model(found.gl_pathv[0], &arena, &model, NULL) &&
                       model.step == NEW_STEP;
    if (any) {
        globfree(&found);
    }
    folder_empty("elsewhere");
    arena_free(&arena);
    return whole;
}

static void judge_outcome(const struct fault *fault, size_t number, int status)
{
    struct error error = {ERROR_NONE, 0, ""};
    size_t calls = 0;
    const uint64_t step = step_of_folder(&error);
    const char *const wrong =
        step == 0                                    ? "the folder holds neither model"
        : status == CLI_DONE && step != NEW_STEP     ? "it is done, and is not"
        : status == CLI_FAILED && !is_sentence()     ? "no sentence says why"
        : status != CLI_DONE && status != CLI_FAILED ? "a strange status"
        : status == CLI_FAILED && step != NEW_STEP && is_of_disk(fault) && !is_elsewhere()
            ? "what was learned is lost"
        : train_new(fault, 0, &calls) != CLI_DONE || step_of_folder(&error) != NEW_STEP
            ? "the next training does not work"
            : NULL;
    runs++;
    if (wrong != NULL) {
        failures++;
        fprintf(stderr, "FAILED: %s %zu: %s (status %d) %s\n", fault->name, number, wrong, status,
                error.text);
    }
}

static void try_fault(const struct fault *fault)
{
    enum { PLACES = 40 };
    size_t all = 0, calls = 0;
    prepare_folder();
    (void)train_new(fault, 0, &all);
    const bool each = (fault->calls & (FAIL_MEMORY | FAIL_ARENA)) == 0;
    const size_t step = each || all < PLACES ? 1 : all / PLACES;
    for (size_t number = 1; number <= all; number += step) {
        prepare_folder();
        const int status = train_new(fault, number, &calls);
        judge_outcome(fault, number, status);
    }
    printf("%s: %zu calls\n", fault->name, all);
}

int main(void)
{
    char place[] = "faults-train-XXXXXX";
    char folder[1024];
    if (mkdtemp(place) == NULL || chdir(place) != 0 || mkdir("elsewhere", 0777) != 0 ||
        getcwd(folder, sizeof folder - 16) == NULL ||
        setenv("TMPDIR", strcat(folder, "/elsewhere"), 1) != 0) {
        return 2;
    }
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        try_fault(&faults[f]);
    }
    folder_empty(".");
    printf("%zu runs, %zu failed\n", runs, failures);
    return chdir("..") == 0 && rmdir(place) == 0 && runs > 100 && failures == 0 ? 0 : 1;
}
