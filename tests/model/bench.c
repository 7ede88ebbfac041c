/* How fast a model of GPT-2 small's sizes is: 124 million random weights in a file of its own.
 *
 *     bench_model [FOLDER]     the file is made in FOLDER (TMPDIR, else the working directory)
 *
 * Nine tokens are bound by reading the weights once: their bytes in that time, against what one
 * thread reads from memory in the same run. 1024 tokens are bound by multiplying: their operations
 * in that time, against the multiply-add peak of the set. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../opened.h"
#include "attn/measure.h"
#include "model/model.h"

enum { LAYERS = 12, HEADS = 12, WIDTH = 768, POSITIONS = 1024, VOCABULARY = 50257, ROUNDS = 7 };

enum { FOLDER_BYTES = 4096, PATH_BYTES = FOLDER_BYTES + 32 };

/* This thread's own time, so that other load counts little; with a pool, that of the clock. */
static double seconds_on(clockid_t clock)
{
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double now(void)
{
    return seconds_on(CLOCK_THREAD_CPUTIME_ID);
}

/* ---- the files ------------------------------------------------------------------------------ */

static const struct tensor {
    const char *name;
    size_t rows, cols; /* cols 0: a vector */
    float mean;        /* of a layer norm's weights */
} outer[] = {{"wte.weight", VOCABULARY, WIDTH, 0},
             {"wpe.weight", POSITIONS, WIDTH, 0},
             {"ln_f.weight", WIDTH, 0, 1},
             {"ln_f.bias", WIDTH, 0, 0}},
  inner[] = {{"ln_1.weight", WIDTH, 0, 1},
             {"ln_1.bias", WIDTH, 0, 0},
             {"attn.c_attn.weight", WIDTH, 3 * WIDTH, 0},
             {"attn.c_attn.bias", 3 * WIDTH, 0, 0},
             {"attn.c_proj.weight", WIDTH, WIDTH, 0},
             {"attn.c_proj.bias", WIDTH, 0, 0},
             {"ln_2.weight", WIDTH, 0, 1},
             {"ln_2.bias", WIDTH, 0, 0},
             {"mlp.c_fc.weight", WIDTH, 4 * WIDTH, 0},
             {"mlp.c_fc.bias", 4 * WIDTH, 0, 0},
             {"mlp.c_proj.weight", 4 * WIDTH, WIDTH, 0},
             {"mlp.c_proj.bias", WIDTH, 0, 0}};

enum { OUTER = sizeof outer / sizeof *outer, INNER = sizeof inner / sizeof *inner };

static size_t floats_of(const struct tensor *tensor)
{
    return tensor->rows * (tensor->cols == 0 ? 1 : tensor->cols);
}

/* The next tensor in the order of the file; NULL behind the last. */
static const struct tensor *tensor_at(size_t index, char name[64])
{
    if (index < OUTER) {
        snprintf(name, 64, "%s", outer[index].name);
        return &outer[index];
    }
    const size_t layer = (index - OUTER) / INNER;
    const struct tensor *const tensor = &inner[(index - OUTER) % INNER];
    snprintf(name, 64, "h.%zu.%s", layer, tensor->name);
    return layer < LAYERS ? tensor : NULL;
}

static bool put_header(FILE *file)
{
    static char header[64 * 1024];
    char name[64];
    size_t length = 1, at = 0;
    header[0] = '{';
    for (size_t t = 0; tensor_at(t, name) != NULL; t++) {
        const struct tensor *const tensor = tensor_at(t, name);
        char cols[32] = "";
        if (tensor->cols > 0) {
            snprintf(cols, sizeof cols, ",%zu", tensor->cols);
        }
        length += (size_t)snprintf(
            header + length, sizeof header - length,
            "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[%zu%s],\"data_offsets\":[%zu,%zu]}",
            t == 0 ? "" : ",", name, tensor->rows, cols, at, at + 4 * floats_of(tensor));
        at += 4 * floats_of(tensor);
    }
    header[length++] = '}';
    while (length % 64 != 56) { /* so that numbers are aligned as usual files have them */
        header[length++] = ' ';
    }
    uint8_t prefix[8];
    for (size_t i = 0; i < 8; i++) {
        prefix[i] = (uint8_t)((uint64_t)length >> (8 * i));
    }
    return fwrite(prefix, 1, 8, file) == 8 && fwrite(header, 1, length, file) == length;
}

/* Numbers of size 0.02, as models begin with (Marsaglia's xorshift, 2003). */
static bool put_numbers(FILE *file, const struct tensor *tensor, uint64_t *state)
{
    static float block[4096];
    for (size_t left = floats_of(tensor); left > 0;) {
        const size_t count = left < 4096 ? left : 4096;
        for (size_t i = 0; i < count; i++) {
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            block[i] = tensor->mean + ((float)(*state >> 40) / (float)(1 << 23) - 1.0F) * 0.035F;
        }
        if (fwrite(block, sizeof *block, count, file) != count) {
            return false;
        }
        left -= count;
    }
    return true;
}

static FILE *create(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "wb");
}

static bool put_weights(const char *folder)
{
    FILE *const file = create(folder, "model.safetensors");
    uint64_t state = 88172645463325252U;
    char name[64];
    bool done = file != NULL && put_header(file);
    for (size_t t = 0; done && tensor_at(t, name) != NULL; t++) {
        done = put_numbers(file, tensor_at(t, name), &state);
    }
    return file != NULL && fclose(file) == 0 && done;
}

/* Letters that are repeated a hundred thousand times; each has merges of its own, up to 64 in one
 * token. */
static const struct letter {
    const char *name, *text;
} letters[] = {
    {"one letter", "a"}, {"one CJK sign", "\u732b"}, {"spaces", " "}, {"one emoji", "\U0001F642"}};

enum { LETTERS = sizeof letters / sizeof *letters, DOUBLINGS = 6, WRITTEN_MAX = 2 * 4 * 64 + 1 };

/* The letter that stands for a byte in vocabularies of GPT-2. */
static unsigned letter_of(unsigned byte)
{
    unsigned next = 256;
    for (unsigned b = 0; b < 256; b++) {
        const bool own = (b >= 33 && b <= 126) || (b >= 161 && b != 173);
        if (b == byte) {
            return own ? b : next;
        }
        next += !own;
    }
    return byte;
}

/* Behind what is written already, as UTF-8 of two bytes at most. */
static void add_byte(char written[WRITTEN_MAX], unsigned byte)
{
    const unsigned code = letter_of(byte);
    const size_t length = strlen(written);
    const char two[3] = {(char)(code < 128 ? code : 0xc0 | code >> 6),
                         (char)(code < 128 ? 0 : 0x80 | (code & 63)), 0};
    snprintf(written + length, WRITTEN_MAX - length, "%s", two);
}

static void put_merge(FILE *vocab, FILE *merges, char left[WRITTEN_MAX], const char *right,
                      unsigned *id)
{
    char joined[2 * WRITTEN_MAX];
    snprintf(joined, sizeof joined, "%s%s", left, right);
    fprintf(merges, "%s %s\n", left, right);
    fprintf(vocab, ",\"%s\":%u", joined, (*id)++);
    memcpy(left, joined, WRITTEN_MAX);
}

static void put_letter(FILE *vocab, FILE *merges, const char *text, unsigned *id)
{
    char written[WRITTEN_MAX] = "", right[WRITTEN_MAX];
    add_byte(written, (uint8_t)text[0]);
    for (size_t i = 1; text[i] != '\0'; i++) {
        right[0] = '\0';
        add_byte(right, (uint8_t)text[i]);
        put_merge(vocab, merges, written, right, id);
    }
    for (int times = 0; times < DOUBLINGS; times++) {
        memcpy(right, written, sizeof right);
        put_merge(vocab, merges, written, right, id);
    }
}

static bool put_tokenizer(const char *folder)
{
    FILE *const vocab = create(folder, "vocab.json"), *const merges = create(folder, "merges.txt");
    FILE *const config = create(folder, "config.json");
    if (vocab == NULL || merges == NULL || config == NULL) {
        return false;
    }
    fprintf(config, "{\"model_type\":\"gpt2\",\"n_layer\":12,\"n_head\":12,\"n_embd\":768,"
                    "\"n_positions\":1024,\"vocab_size\":50257}");
    fputc('{', vocab);
    for (unsigned byte = 0; byte < 256; byte++) {
        fprintf(vocab, "%s\"\\u%04x\":%u", byte == 0 ? "" : ",", letter_of(byte), byte);
    }
    unsigned id = 256;
    for (size_t l = 0; l < LETTERS; l++) {
        put_letter(vocab, merges, letters[l].text, &id);
    }
    fputc('}', vocab);
    return fclose(vocab) == 0 && fclose(merges) == 0 && fclose(config) == 0;
}

static void remove_files(const char *folder)
{
    static const char *const names[] = {"model.safetensors", "vocab.json", "merges.txt",
                                        "config.json"};
    for (size_t i = 0; i < 4; i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
}

/* ---- measuring ------------------------------------------------------------------------------ */

static struct model_run *run(const struct model *model, struct attn_pool *pool, size_t tokens,
                             float *logits)
{
    static uint32_t ids[POSITIONS];
    struct error error = {ERROR_NONE, 0, ""};
    for (size_t i = 0; i < tokens; i++) {
        ids[i] = (uint32_t)(i * 7919 % VOCABULARY);
    }
    struct model_run *const started = model_run_start(
        model, &(struct model_request){.ids = ids, .count = tokens, .engine.pool = pool}, &error);
    if (started == NULL ||
        (logits != NULL && !model_run_logits(started, 0, tokens, logits, &error))) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return started;
}

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* A limit for one round, measured just before it: other load slows both. */
typedef double limit_function(const struct attn_kernels *kernels);

static double bandwidth_of(const struct attn_kernels *kernels)
{
    (void)kernels;
    return attn_measure_bandwidth();
}

struct timing {
    double seconds, share; /* medians; share of the limit at `work` (10⁹ of it) a run */
};

static struct timing time_run(const struct model *model, struct attn_pool *pool, size_t tokens,
                              float *logits, double work, limit_function *limit)
{
    const struct attn_kernels *const kernels = attn_kernels_choose(getenv("ATTN_ISA"));
    const clockid_t clock = pool == NULL ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    double seconds[ROUNDS], shares[ROUNDS];
    model_run_close(run(model, pool, tokens, logits));
    for (size_t r = 0; r < ROUNDS; r++) {
        const double most = limit == NULL ? 1 : limit(kernels);
        const double start = seconds_on(clock);
        model_run_close(run(model, pool, tokens, logits));
        seconds[r] = seconds_on(clock) - start;
        shares[r] = work / seconds[r] / most;
    }
    qsort(seconds, ROUNDS, sizeof *seconds, compare);
    qsort(shares, ROUNDS, sizeof *shares, compare);
    return (struct timing){seconds[ROUNDS / 2], shares[ROUNDS / 2]};
}

static void print_run(const char *name, const char *unit, double work, struct timing timing)
{
    printf("%-28s %9.2f ms", name, timing.seconds * 1e3);
    if (unit != NULL) {
        printf("  %.1f %s, %.0f %% of the most", work / timing.seconds, unit, 100 * timing.share);
    }
    putchar('\n');
}

/* work: what is read of the weights, each of them once, 10⁹ bytes. */
static struct timing time_append(const struct model *model, size_t tokens, double work)
{
    struct model_run *const started = run(model, NULL, tokens, NULL);
    double seconds[ROUNDS], shares[ROUNDS];
    (void)model_run_append(started, 0, NULL);
    for (uint32_t r = 0; r < ROUNDS; r++) {
        const double most = bandwidth_of(NULL), start = seconds_on(CLOCK_THREAD_CPUTIME_ID);
        (void)model_run_append(started, r, NULL);
        seconds[r] = seconds_on(CLOCK_THREAD_CPUTIME_ID) - start;
        shares[r] = work / seconds[r] / most;
    }
    model_run_close(started);
    qsort(seconds, ROUNDS, sizeof *seconds, compare);
    qsort(shares, ROUNDS, sizeof *shares, compare);
    return (struct timing){seconds[ROUNDS / 2], shares[ROUNDS / 2]};
}

/* Seconds for so many of a letter, and into how many tokens. */
static double time_letters(const struct tokenizer *bpe, const char *letter, size_t times,
                           size_t *tokens)
{
    const size_t each = strlen(letter);
    struct arena arena = {0};
    const uint32_t *ids = NULL;
    char *const text = arena_array(&arena, times, each);
    for (size_t i = 0; text != NULL && i < times; i++) {
        memcpy(text + i * each, letter, each);
    }
    const double start = now();
    const bool done =
        text != NULL && tokenizer_encode(bpe, text, times * each, &arena, &ids, tokens, NULL);
    const double took = now() - start;
    arena_free(&arena);
    return done ? took : NAN;
}

/* Where time grows by the square, twice as many take four times as long. */
static void measure_tokenizer(const struct tokenizer *bpe)
{
    enum { TIMES = 100000 };
    for (size_t l = 0; l < LETTERS; l++) {
        size_t tokens = 0, more = 0;
        (void)time_letters(bpe, letters[l].text, TIMES, &tokens);
        const double once = time_letters(bpe, letters[l].text, TIMES, &tokens);
        const double twice = time_letters(bpe, letters[l].text, 2 * TIMES, &more);
        printf("tokenise %-19s %9.2f ms  %d times, %zu tokens; twice as many take %.1f times as "
               "long\n",
               letters[l].name, once * 1e3, TIMES, tokens, twice / once);
    }
}

static void measure(const char *folder)
{
    struct error error = {ERROR_NONE, 0, ""};
    const double opening = now();
    struct model *const model = open_model(folder, &error);
    if (model == NULL) {
        fprintf(stderr, "%s\n", error.text);
        return;
    }
    printf("%-28s %9.2f ms  %zu weights\n", "open", (now() - opening) * 1e3,
           model_parameters(model));
    measure_tokenizer(model_tokenizer(model));
    const struct attn_kernels *const kernels = attn_kernels_choose(getenv("ATTN_ISA"));
    struct attn_pool *const pool = attn_pool_open(0);
    float *const logits = malloc((size_t)9 * VOCABULARY * sizeof *logits);
    const double peak = attn_measure_peak(kernels), bandwidth = attn_measure_bandwidth();
    const double bytes = 4e-9 * (double)model_parameters(model);
    const double layers =
        1e-9 * ((double)model_parameters(model) - (double)(VOCABULARY + POSITIONS) * WIDTH);
    const double pairs = POSITIONS * (POSITIONS + 1.0) / 2;
    const double operations = 2 * POSITIONS * layers + 4e-9 * pairs * WIDTH * LAYERS;
    printf("%s, peak %.0f GFLOP/s, reads %.1f GB/s, %zu threads\n", attn_kernels_title(kernels),
           peak, bandwidth, attn_pool_threads(pool));
    print_run("9 tokens and logits", "GB/s", bytes,
              time_run(model, NULL, 9, logits, bytes, bandwidth_of));
    print_run("  all threads", NULL, 0, time_run(model, pool, 9, logits, 0, NULL));
    print_run("9 tokens", "GB/s", 4 * layers,
              time_run(model, NULL, 9, NULL, 4 * layers, bandwidth_of));
    print_run("one token more, of 64", "GB/s", 4 * layers, time_append(model, 64, 4 * layers));
    print_run("1024 tokens", "GFLOP/s", operations,
              time_run(model, NULL, POSITIONS, NULL, operations, attn_measure_peak));
    print_run("  all threads", NULL, 0, time_run(model, pool, POSITIONS, NULL, 0, NULL));
    attn_pool_close(pool);
    free(logits);
    model_close(model);
}

int main(int argc, char **argv)
{
    const char *const place = argc > 1                   ? argv[1]
                              : getenv("TMPDIR") != NULL ? getenv("TMPDIR")
                                                         : ".";
    char folder[FOLDER_BYTES];
    snprintf(folder, sizeof folder, "%s/model-XXXXXX", place);
    if (mkdtemp(folder) == NULL) {
        fprintf(stderr, "%s cannot be made.\n", folder);
        return 1;
    }
    const bool made = put_tokenizer(folder) && put_weights(folder);
    if (made) {
        measure(folder);
    } else {
        fprintf(stderr, "%s cannot be filled: 500 MB are needed.\n", folder);
    }
    remove_files(folder);
    return made ? 0 : 1;
}
