/* openers.c — see openers.h. */
#include "openers.h"
#include "../opened.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/actions/step.h"
#include "app/open/drop.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "base/file.h"
#include "desk.h"
#include "file/safetensors.h"
#include "file/vectors.h"
#include "lab/dump/dump.h"
#include "model/model.h"

enum { PATH_BYTES = 512 };

static bool refuses_to_read(const char *path, struct error *error)
{
    struct arena arena = {0};
    struct bytes content;
    const bool read = file_read(path, 1 << 20, &arena, &content, error);
    arena_free(&arena);
    return !read;
}

static bool refuses_to_map(const char *path, struct error *error)
{
    struct file_map map;
    const bool mapped = file_map_open(path, &map, error);
    file_map_close(&map);
    return !mapped;
}

static bool refuses_tensors(const char *path, struct error *error)
{
    struct arena arena = {0};
    struct file_map map;
    struct safetensors tensors;
    const bool read = safetensors_open(path, &map, &arena, &tensors, error);
    arena_free(&arena);
    return !read;
}

static bool refuses_vectors(const char *path, struct error *error)
{
    static const char *const words[] = {"cat"};
    struct arena arena = {0};
    struct vectors vectors;
    struct file_handle *const file = file_handle_open(path);
    const bool read = file != NULL && vectors_open(file, words, 1, NULL, &arena, &vectors, error);
    file_handle_release(file);
    arena_free(&arena);
    return !read;
}

static bool refuses_attention(const char *path, struct error *error)
{
    struct lab_dump *const dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, error);
    lab_dump_close(dump);
    return dump == NULL;
}

static bool refuses_arrays(const char *path, struct error *error)
{
    struct lab_dump *const dump = lab_dump_list(path, error);
    lab_dump_close(dump);
    return dump == NULL;
}

static bool refuses_words(const char *path, struct error *error)
{
    char heads[PATH_BYTES];
    snprintf(heads, sizeof heads, "%s/heads.npy", getenv("ATTNSCOPE_DUMPS"));
    struct lab_dump *const dump =
        lab_dump_open(heads, &(const struct lab_dump_request){.words = path}, error);
    lab_dump_close(dump);
    return dump == NULL;
}

static bool refuses_lesson(const char *path, struct error *error)
{
    struct app_state *const state = opened("cats");
    const bool read = app_lesson_read(state, path, 1, error);
    closed(state);
    return !read;
}

/* The words stay as they were, and the message says why. */
static bool refuses_drop(const char *path, struct error *error)
{
    struct app_state *const state = opened("cats");
    app_drop_files(state, &path, 1, 1);
    app_settle_tasks(state, 1);
    expect_words(state, "cat dog lion NYC");
    error_set(error, ERROR_FILE, "%s", state->message);
    closed(state);
    return true;
}

/* The tiny checkpoint with this in place of one of its files. */
static bool refuses_model(const char *path, const char *name, struct error *error)
{
    static const char *const names[] = {"config.json", "model.safetensors", "vocab.json",
                                        "merges.txt"};
    enum { NAMES = sizeof names / sizeof names[0] };
    char folder[] = "model-XXXXXX", file[PATH_BYTES], target[PATH_BYTES];
    assert_non_null(mkdtemp(folder));
    for (size_t n = 0; n < NAMES; n++) {
        snprintf(file, sizeof file, "%s/%s", folder, names[n]);
        snprintf(target, sizeof target, "%s/%s", getenv("ATTNSCOPE_TINY"), names[n]);
        if (strcmp(names[n], name) == 0) {
            snprintf(target, sizeof target, "../%s", path);
        }
        assert_int_equal(symlink(target, file), 0);
    }
    struct model *const model = open_model(folder, error);
    /* Without a tokenizer it takes ids, and says why it takes no text. */
    const bool refused = model == NULL || !model_reads_text(model, error);
    model_close(model);
    for (size_t n = 0; n < NAMES; n++) {
        snprintf(file, sizeof file, "%s/%s", folder, names[n]);
        unlink(file);
    }
    rmdir(folder);
    return refused;
}

static bool refuses_config(const char *path, struct error *error)
{
    return refuses_model(path, "config.json", error);
}

static bool refuses_weights(const char *path, struct error *error)
{
    return refuses_model(path, "model.safetensors", error);
}

static bool refuses_vocabulary(const char *path, struct error *error)
{
    return refuses_model(path, "vocab.json", error);
}

static bool refuses_merges(const char *path, struct error *error)
{
    return refuses_model(path, "merges.txt", error);
}

const struct opener openers[] = {
    {"read", refuses_to_read, false, true},
    {"map", refuses_to_map, false, true},
    {"safetensors", refuses_tensors, false, false},
    {"word vectors", refuses_vectors, false, false},
    {"attention", refuses_attention, false, false},
    {"list of arrays", refuses_arrays, false, false},
    {"words of attention", refuses_words, false, false},
    {"lesson", refuses_lesson, false, false},
    {"drop", refuses_drop, true, false},
    {"config", refuses_config, true, false},
    {"weights", refuses_weights, true, false},
    {"vocabulary", refuses_vocabulary, true, false},
    {"merges", refuses_merges, true, false},
};

const size_t opener_count = sizeof openers / sizeof openers[0];
