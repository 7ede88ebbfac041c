/* Large damaged files are refused having read little of them, and where memory is short that is
 * said; what was there stays. Each file is tried in a process of its own, so that what it took can
 * be asked of the system. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../npy_header.h"
#include "../rounds.h"
#include "app/open/drop.h"
#include "app/open/open_model.h"
#include "checkpoint.h"
#include "hands.h"

#define GIGA ((off_t)1 << 30)
enum { TAKEN_MAX = 48 << 20 /* bytes */ };

/* A file that begins so and goes on with zeros, which take no room on the disk. */
static void write_sparse(const char *path, const void *beginning, size_t size, off_t bytes)
{
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(beginning, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate(path, bytes), 0);
}

static void write_npy(const char *path, const char *shape, off_t bytes)
{
    char header[NPY_HEADER_BYTES];
    npy_header(header, "<f4", shape);
    write_sparse(path, header, sizeof header, bytes);
}

static void write_safetensors(const char *path, const char *header, off_t bytes)
{
    uint8_t file[1024] = {0};
    const size_t length = strlen(header);
    file[0] = (uint8_t)length;
    file[1] = (uint8_t)(length >> 8);
    memcpy(file + 8, header, length);
    write_sparse(path, file, 8 + length, bytes);
}

static void npy_cut(const char *path)
{
    write_npy(path, "(32, 32, 4096, 4096)", 8 * GIGA);
}

static void npy_overflows(const char *path)
{
    write_npy(path, "(4294967296, 4294967296, 2, 2)", 8 * GIGA);
}

static void npy_too_wide(const char *path)
{
    write_npy(path, "(1, 1, 40000, 40000)", 8 * GIGA);
}

static void tensors_cut(const char *path)
{
    write_safetensors(path,
                      "{\"attentions\":{\"dtype\":\"F32\",\"shape\":[12,12,4096,4096],"
                      "\"data_offsets\":[0,9663676416]}}",
                      8 * GIGA);
}

static void tensors_of_a_long_header(const char *path)
{
    static const uint8_t length[8] = {0, 0, 0, 0, 1};
    write_sparse(path, length, sizeof length, 8 * GIGA);
}

static void npz_without_list(const char *path)
{
    write_sparse(path, "PK\x03\x04", 4, 8 * GIGA);
}

static void session_of_zeros(const char *path)
{
    write_sparse(path, "{\"format\": \"attnscope-lesson\",", 29, 8 * GIGA);
}

static void model_with_overlap(const char *folder)
{
    char path[600];
    struct checkpoint checkpoint;
    checkpoint_open(&checkpoint, getenv("TINY_MODEL"));
    checkpoint_write(&checkpoint);
    snprintf(path, sizeof path, "%s/model.safetensors", checkpoint.folder);
    write_safetensors(path,
                      "{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[1000000000],\"data_offsets\":["
                      "0,4000000000]},"
                      "\"wpe.weight\":{\"dtype\":\"F32\",\"shape\":[1000000000],"
                      "\"data_offsets\":[2000000000,6000000000]}}",
                      8 * GIGA);
    assert_int_equal(rename(checkpoint.folder, folder), 0);
    arena_free(&checkpoint.arena);
}

static const struct damaged {
    const char *name;
    void (*write)(const char *path);
    const char *says;
} files[] = {
    {"cut.npy", npy_cut, "bytes of numbers"},
    {"overflows.npy", npy_overflows, "overflows.npy"},
    {"wide.npy", npy_too_wide, "40000"},
    {"cut.safetensors", tensors_cut, "attentions"},
    {"header.safetensors", tensors_of_a_long_header, "header"},
    {"list.npz", npz_without_list, "list.npz"},
    {"session.json", session_of_zeros, "session.json"},
    {"model", model_with_overlap, "wpe.weight"},
};

static void remove_file(const char *path)
{
    static const char *const parts[] = {"config.json", "vocab.json", "merges.txt",
                                        "model.safetensors"};
    char inside[600];
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        snprintf(inside, sizeof inside, "%s/%s", path, parts[p]);
        unlink(inside);
    }
    if (unlink(path) != 0) {
        rmdir(path);
    }
}

/* The most memory that this process ever had. */
static size_t peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss << 10;
}

static void drop_file(struct hands *hands, const char *path)
{
    hands_drop(hands, path);
    hands_settle(hands);
    hands_settle(hands);
}

/* The result of one process: the sentence that was said. */
struct outcome {
    char said[sizeof((struct app_state *)NULL)->message];
    size_t taken; /* bytes of memory, beyond what there was */
    bool is_same; /* the experiment, and its place in the history */
};

/* In the process: opens the window, drops the file; room > 0: where only so many bytes more can be
 * had. */
static struct outcome open_refused(const char *path, size_t room)
{
    struct outcome outcome = {.taken = 0};
    struct hands *const hands = hands_open("cats", 960, 600);
    const struct lab_words *const words = hands->state->document.experiment.tokens;
    size_t pages = 0;
    FILE *const sizes = room > 0 ? fopen("/proc/self/statm", "r") : NULL;
    if (sizes != NULL && fscanf(sizes, "%zu", &pages) == 1) {
        const rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + room;
        fclose(sizes);
        setrlimit(RLIMIT_AS, &(const struct rlimit){most, RLIM_INFINITY});
    }
    const size_t before = peak_bytes();
    drop_file(hands, path);
    outcome.taken = peak_bytes() - before;
    setrlimit(RLIMIT_AS, &(const struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    snprintf(outcome.said, sizeof outcome.said, "%s", hands->state->message);
    outcome.is_same =
        hands->state->document.experiment.tokens == words && hands->state->document.at == 0;
    hands_key(hands, "Ctrl+R"); /* and the work goes on */
    outcome.is_same = outcome.is_same && hands->state->document.at == 1;
    hands_close(hands);
    return outcome;
}

static struct outcome refuse_alone(const char *path, size_t room)
{
    int ends[2], status = 0;
    struct outcome outcome = {.taken = SIZE_MAX};
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        outcome = open_refused(path, room);
        const bool told = write(ends[1], &outcome, sizeof outcome) == sizeof outcome;
        _exit(told ? 0 : 1);
    }
    close(ends[1]);
    const bool heard = read(ends[0], &outcome, sizeof outcome) == sizeof outcome;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!heard || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fail_msg("%s: the process came to an end of its own", path);
    }
    return outcome;
}

static void large_damaged_files_are_refused_having_read_little_of_them(void **state)
{
    (void)state;
    char folder[] = "sparing-XXXXXX", path[512];
    assert_non_null(mkdtemp(folder));
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[f].name);
        files[f].write(path);
        const struct outcome outcome = refuse_alone(path, 0);
        remove_file(path);
        if (strstr(outcome.said, files[f].says) == NULL || !outcome.is_same ||
            (!TEST_SANITIZED && outcome.taken > TAKEN_MAX)) {
            fail_msg("%s: “%s”, %zu KB taken%s", files[f].name, outcome.said, outcome.taken >> 10,
                     outcome.is_same ? "" : ", and what was there has changed");
        }
    }
    rmdir(folder);
}

/* A file that is fine, and one whose room can be had while that of its numbers cannot. */
static void where_memory_is_short_it_is_said_and_nothing_is_lost(void **state)
{
    (void)state;
    static const struct {
        const char *name, *shape;
        off_t bytes;
    } tried[] = {{"large.npy", "(1, 32, 4096, 4096)", 2 * GIGA + NPY_HEADER_BYTES},
                 {"head.npy", "(1, 2, 3000, 3000)", 2 * 36000000 + NPY_HEADER_BYTES}};
    enum { ROOM = 96 << 20 };
    char folder[] = "sparing-XXXXXX", path[512];
    if (TEST_SANITIZED) {
        skip();
    }
    assert_non_null(mkdtemp(folder));
    for (size_t f = 0; f < sizeof tried / sizeof *tried; f++) {
        snprintf(path, sizeof path, "%s/%s", folder, tried[f].name);
        write_npy(path, tried[f].shape, tried[f].bytes);
        const struct outcome outcome = refuse_alone(path, ROOM);
        unlink(path);
        if (strstr(outcome.said, "not enough memory") == NULL || !outcome.is_same) {
            fail_msg("%s: “%s”%s", tried[f].name, outcome.said,
                     outcome.is_same ? "" : ", and what was there has changed");
        }
    }
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_damaged_files_are_refused_having_read_little_of_them),
        cmocka_unit_test(where_memory_is_short_it_is_said_and_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
