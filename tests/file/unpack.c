/* unpack FILE TENSOR — the numbers of a tensor of a GGUF file as float32 on standard output;
 * unpack FILE time — bytes a second of memory, of unpacking each of its tensors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "file/gguf.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
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
    enum { TIMES = 5 };
    float *const row = malloc(tensor->shape[tensor->rank - 1] * sizeof *row);
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

/* What the processor reads from memory: the sum of a gigabyte of whole numbers. */
static double memory_speed(void)
{
    enum { NUMBERS = 1 << 24 };
    uint64_t *const numbers = calloc(NUMBERS, sizeof *numbers);
    volatile uint64_t kept = 0;
    double best = 1e9;
    if (numbers == NULL) {
        exit(1);
    }
    for (size_t i = 0; i < NUMBERS; i++) {
        numbers[i] = i;
    }
    for (int times = 0; times < 8; times++) {
        const double begin = now();
        uint64_t sum = 0;
        for (size_t i = 0; i < NUMBERS; i++) {
            sum += numbers[i];
        }
        const double took = now() - begin;
        kept = sum;
        best = took < best ? took : best;
    }
    (void)kept;
    free(numbers);
    return NUMBERS * 8.0 / best;
}

int main(int argc, char **argv)
{
    struct arena arena = {0};
    struct gguf_files files;
    struct error error = {ERROR_NONE, 0, ""};
    if (argc != 3 || !gguf_files_open(argv[1], &arena, &files, &error)) {
        fprintf(stderr, "%s\n", argc != 3 ? "unpack FILE TENSOR|time" : error.text);
        return 1;
    }
    const bool timed = strcmp(argv[2], "time") == 0;
    const double memory = timed ? memory_speed() : 0;
    if (timed) {
        printf("memory   %6.2f GB/s\n", memory * 1e-9);
    }
    for (size_t i = 0; i < files.whole.count; i++) {
        const struct gguf_tensor *const tensor = &files.whole.tensors[i];
        if (timed) {
            time_tensor(tensor, memory);
        } else if (strcmp(tensor->name, argv[2]) == 0) {
            float *const numbers = malloc(tensor->count * sizeof *numbers);
            if (numbers == NULL) {
                return 1;
            }
            gguf_copy_floats(tensor, 0, tensor->count, numbers);
            fwrite(numbers, sizeof *numbers, tensor->count, stdout);
            free(numbers);
        }
    }
    gguf_files_close(&files);
    arena_free(&arena);
    return 0;
}
