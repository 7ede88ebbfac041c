/* unpack FILE TENSOR — the numbers of a tensor of a GGUF file as float32 on standard output;
 * unpack FILE TENSOR SET — by the instructions of a set; unpack sets — those of this processor;
 * unpack FILE time — of each of its tensors, the bytes of the file that are unpacked in a second,
 * against those that are read from memory, and the bytes of float32 that come out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "file/gguf.h"

/* This thread's own time, so that other load counts little. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* All numbers, a row at a time as a runner takes them. */
static void unpack_rows(const struct gguf_tensor *tensor, float *row)
{
    const size_t cols = tensor->shape[tensor->rank - 1];
    for (size_t at = 0; at < tensor->count; at += cols) {
        gguf_copy_floats(tensor, at, cols, row);
    }
}

static void time_tensor(const struct gguf_tensor *tensor, double memory)
{
    enum { TIMES = 9 };
    /* where a line begins, as a runner's rows do */
    const size_t row_bytes = (tensor->shape[tensor->rank - 1] * sizeof(float) + 63) / 64 * 64;
    float *const row = aligned_alloc(64, row_bytes);
    double best = 1e9;
    if (row == NULL) {
        exit(1);
    }
    for (int i = 0; i < TIMES; i++) {
        const double begin = now();
        unpack_rows(tensor, row);
        const double took = now() - begin;
        best = took < best ? took : best;
    }
    free(row);
    const double read = (double)tensor->bytes.size / best, made = (double)tensor->count * 4 / best;
    printf(
        "%-8s %6.2f GB/s read (%3.0f %% of memory), %6.2f GB/s of float32 made, %5.2f Gnumbers/s\n",
        tensor->kind->name, read * 1e-9, 100 * read / memory, made * 1e-9, made * 0.25e-9);
}

/* Bytes that the processor reads from memory in a second: of the sum of 128 MB of whole numbers, as
 * it comes, and with what comes later fetched as the unpackers fetch it; whichever is faster. */
static double memory_speed(void)
{
    enum { NUMBERS = 1 << 24, LINE = 8, AHEAD = 512 /* numbers */ };
    uint64_t *const numbers = calloc(NUMBERS + AHEAD, sizeof *numbers);
    volatile uint64_t kept = 0;
    double best = 1e9;
    if (numbers == NULL) {
        exit(1);
    }
    for (size_t i = 0; i < NUMBERS; i++) {
        numbers[i] = i;
    }
    for (int times = 0; times < 16; times++) {
        const double begin = now();
        uint64_t sum[LINE] = {0};
        for (size_t i = 0; i < NUMBERS; i += LINE) {
            if (times % 2 == 1) {
                __builtin_prefetch(numbers + i + AHEAD);
            }
            for (size_t j = 0; j < LINE; j++) {
                sum[j] += numbers[i + j];
            }
        }
        const double took = now() - begin;
        for (size_t j = 0; j < LINE; j++) {
            kept += sum[j];
        }
        best = took < best ? took : best;
    }
    free(numbers);
    return NUMBERS * 8.0 / best;
}

static const struct unpack_set *set_named(const char *name)
{
    const struct unpack_set *set = unpack_best();
    for (size_t i = 0; name != NULL && unpack_set_at(i) != NULL; i++) {
        set = strcmp(unpack_set_at(i)->name, name) == 0 ? unpack_set_at(i) : set;
    }
    return set;
}

static bool put_tensor(const struct gguf_tensor *tensor, const struct unpack_set *set)
{
    float *const numbers = malloc(tensor->count * sizeof *numbers);
    if (numbers == NULL) {
        return false;
    }
    const struct gguf_kind *const kind = tensor->kind;
    if (kind->blocks == UNPACK_NONE) {
        gguf_copy_floats(tensor, 0, tensor->count, numbers);
    } else {
        set->blocks[kind->blocks](tensor->bytes.at, tensor->count / kind->numbers, numbers);
    }
    const bool done = fwrite(numbers, sizeof *numbers, tensor->count, stdout) == tensor->count;
    free(numbers);
    return done;
}

static void time_all(const struct gguf *gguf)
{
    const double memory = memory_speed();
    printf("%s, memory %6.2f GB/s\n", unpack_best()->name, memory * 1e-9);
    for (size_t i = 0; i < gguf->count; i++) {
        time_tensor(&gguf->tensors[i], memory);
    }
}

static bool run(int argc, char **argv, const struct gguf *gguf)
{
    const bool timed = strcmp(argv[2], "time") == 0;
    const struct gguf_tensor *const tensor = gguf_find(gguf, argv[2]);
    if (timed) {
        time_all(gguf);
    }
    return timed || (tensor != NULL && put_tensor(tensor, set_named(argc > 3 ? argv[3] : NULL)));
}

int main(int argc, char **argv)
{
    struct arena arena = {0};
    struct file_map map;
    struct gguf_files files;
    struct error error = {ERROR_NONE, 0, "unpack FILE TENSOR [SET] | FILE time | sets"};
    if (argc == 2 && strcmp(argv[1], "sets") == 0) {
        for (size_t i = 0; unpack_set_at(i) != NULL; i++) {
            puts(unpack_set_at(i)->name);
        }
        return 0;
    }
    if (argc < 3 || !file_map_open(argv[1], &map, &error) ||
        !gguf_files_open(argv[1], map.bytes, &arena, &files, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    const bool done = run(argc, argv, &files.whole);
    gguf_files_close(&files);
    file_map_close(&map);
    arena_free(&arena);
    return done ? 0 : 1;
}
