/* Hostile files cost little: each comes in by each way, in a process of its own, which may take so
 * much memory, read so much and compute so long. None of it depends on what else the machine does:
 * memory is counted by the system, time is that of the processor. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../file/zips.h"
#include "../npy_header.h"
#include "../rounds.h"
#include "openers.h"

enum {
    PATH_BYTES = 512,
    MEGABYTES_MAX = 256,
    SECONDS_MAX = 60, /* of the processor; a tenth of one is usual */
};

/* ---- hostile files --------------------------------------------------------------------------- */

static FILE *begin_table(const char *path)
{
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    return file;
}

static void end_at(FILE *file, off_t size)
{
    assert_int_equal(fflush(file), 0);
    assert_int_equal(ftruncate(fileno(file), size), 0);
    assert_int_equal(fclose(file), 0);
}

/* Bytes 0 that take no room on the disk. */
static void make_nothing(const char *path)
{
    end_at(begin_table(path), (off_t)38 << 30);
}

static void make_npy(const char *path, const char *shape, off_t size)
{
    FILE *const file = npy_create(path, "<f4", shape);
    assert_non_null(file);
    end_at(file, size);
}

static void make_large_array(const char *path)
{
    make_npy(path, "(40, 16000, 16000)", 128 + ((off_t)40 * 16000 * 16000 * 4));
}

static void make_array_that_is_not_there(const char *path)
{
    make_npy(path, "(524288, 524288)", 192);
}

/* `text` again and again. */
static void put_repeated(FILE *file, const char *text, size_t times)
{
    for (size_t i = 0; i < times; i++) {
        assert_true(fputs(text, file) >= 0);
    }
}

static void make_many_objects(const char *path)
{
    FILE *const file = begin_table(path);
    fputs("[", file);
    put_repeated(file, "{},", 20 << 20);
    fputs("{}]", file);
    fclose(file);
}

static void make_many_lists(const char *path)
{
    FILE *const file = begin_table(path);
    put_repeated(file, "[", 8 << 20);
    fclose(file);
}

static void make_one_long_text(const char *path)
{
    FILE *const file = begin_table(path);
    fputs("{\"a\": \"", file);
    put_repeated(file, "sixteen letters ", 3 << 20);
    fputs("\"}", file);
    fclose(file);
}

/* As many numbers as a session has room for, in one row. */
static void make_one_long_row(const char *path)
{
    FILE *const file = begin_table(path);
    fputs("{\"format\": \"attnscope-lesson\", \"embedding\": [[", file);
    put_repeated(file, "0,1,2,3,", 7 << 20);
    fputs("0]]}", file);
    fclose(file);
}

static void make_one_long_line(const char *path)
{
    FILE *const file = begin_table(path);
    put_repeated(file, "1.5 ", 12 << 20);
    fclose(file);
}

static void make_many_lines(const char *path)
{
    FILE *const file = begin_table(path);
    put_repeated(file, "a b\n", 8 << 20);
    fclose(file);
}

/* A header of so many tensors of one byte whose names begin with as many equal letters; the last
 * one lies elsewhere. */
static void put_tensors(const char *path, size_t count, size_t equal_letters, bool damaged)
{
    FILE *const file = begin_table(path);
    char *const name = malloc(equal_letters + 1);
    assert_non_null(name);
    memset(name, 'n', equal_letters);
    name[equal_letters] = '\0';
    fwrite("\0\0\0\0\0\0\0\0", 1, 8, file);
    for (size_t t = 0; t < count; t++) {
        const size_t at = damaged && t + 1 == count ? 0 : t;
        fprintf(file, "%s\"%s%zux\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[%zu,%zu]}",
                t == 0 ? "{" : ",", name, t, at, at + 1);
    }
    fputc('}', file);
    const off_t end = ftello(file);
    uint8_t length[8];
    for (size_t b = 0; b < 8; b++) {
        length[b] = (uint8_t)((uint64_t)(end - 8) >> (8 * b));
    }
    rewind(file);
    fwrite(length, 1, 8, file);
    free(name);
    end_at(file, end + (off_t)count);
}

static void make_overlapping_tensors(const char *path)
{
    put_tensors(path, 100 * 1000, 1, true);
}

static void make_too_many_arrays(const char *path)
{
    put_tensors(path, 20 * 1000, 1, false);
}

static void make_long_equal_names(const char *path)
{
    put_tensors(path, 8192, 4000, false);
}

static void put_zip(const char *path, const struct zip_member *members, size_t count,
                    struct arena *arena)
{
    const struct bytes zip = zip_of("", members, count, arena);
    FILE *const file = begin_table(path);
    assert_int_equal(fwrite(zip.at, 1, zip.size, file), zip.size);
    fclose(file);
    arena_free(arena);
}

/* Attention of 512 MB in 3 MB, whose checksum is wrong: that is known when all is unpacked. */
static void make_bomb(const char *path)
{
    enum { BYTES = 8 * 4096 * 4096 * 4 };
    struct arena arena = {0};
    char header[NPY_HEADER_BYTES];
    npy_header(header, "<f4", "(8, 4096, 4096)");
    const struct zip_member member = {.name = "attentions.npy",
                                      .content =
                                          zip_deflate_of_one(header, sizeof header, BYTES, &arena),
                                      .method = ZIP_DEFLATED,
                                      .unpacked = sizeof header + BYTES};
    put_zip(path, &member, 1, &arena);
}

static void make_many_packed_arrays(const char *path)
{
    enum { MEMBERS = 4096 };
    struct arena arena = {0};
    struct zip_member *const member = arena_array(&arena, MEMBERS, sizeof *member);
    char *const npy = arena_alloc(&arena, NPY_HEADER_BYTES + 64);
    assert_true(member != NULL && npy != NULL);
    npy_header(npy, "<f4", "(4, 4)");
    memset(npy + NPY_HEADER_BYTES, 0x3f, 64); /* rows that do not sum to 1 */
    const struct bytes content =
        zip_unpacked_deflate((struct bytes){(const uint8_t *)npy, NPY_HEADER_BYTES + 64}, &arena);
    for (size_t m = 0; m < MEMBERS; m++) {
        member[m] = (struct zip_member){.name = arena_format(&arena, "a%zux.npy", m),
                                        .content = content,
                                        .method = ZIP_DEFLATED,
                                        .unpacked = NPY_HEADER_BYTES + 64};
    }
    put_zip(path, member, MEMBERS, &arena);
}

static const struct hostile {
    const char *name; /* its end tells what it pretends to be */
    void (*make)(const char *path);
} files[] = {
    {"nothing.json", make_nothing},
    {"nothing.npy", make_nothing},
    {"nothing.safetensors", make_nothing},
    {"nothing.txt", make_nothing},
    {"large.npy", make_large_array},
    {"absent.npy", make_array_that_is_not_there},
    {"objects.json", make_many_objects},
    {"lists.json", make_many_lists},
    {"text.json", make_one_long_text},
    {"row.json", make_one_long_row},
    {"line.txt", make_one_long_line},
    {"lines.txt", make_many_lines},
    {"overlap.safetensors", make_overlapping_tensors},
    {"many.safetensors", make_too_many_arrays},
    {"names.safetensors", make_long_equal_names},
    {"packed.npz", make_many_packed_arrays},
    {"bomb.npz", make_bomb},
};

/* ---- what it costs --------------------------------------------------------------------------- */

/* Bytes that this process had the system read; 0 where it does not say. */
static unsigned long long bytes_read(void)
{
    unsigned long long bytes = 0;
    FILE *const file = fopen("/proc/self/io", "r");
    if (file != NULL) {
        (void)!fscanf(file, "rchar: %llu", &bytes);
        fclose(file);
    }
    return bytes;
}

/* An emulator of another processor needs memory of its own for a file that is mapped. */
static bool is_emulated(void)
{
    return getenv("MESON_EXE_WRAPPER") != NULL;
}

/* In a process of its own. Returns its exit status: 0: it was cheap, and what was refused was so
 * with a sentence. What one way refuses another may take. */
static int open_alone(const struct opener *opener, const char *path)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct rusage before, after;
    const struct rlimit time = {SECONDS_MAX, SECONDS_MAX + 1};
    assert_int_equal(setrlimit(RLIMIT_CPU, &time), 0);
    const unsigned long long read_before = bytes_read();
    assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
    const bool refused = opener->refuses(path, &error);
    assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
    const long memory = (after.ru_maxrss - before.ru_maxrss) >> 10;
    const unsigned long long read = (bytes_read() - read_before) >> 20;
    const bool cheap =
        (TEST_SANITIZED || is_emulated() || memory <= MEGABYTES_MAX) && read <= MEGABYTES_MAX;
    if (getenv("ATTNSCOPE_TELL") != NULL || !cheap) {
        fprintf(stderr, "%-20s %-16s %4ld MB of memory, %4llu MB read, %ld.%03ld s: %s\n", path,
                opener->name, memory, read, (long)after.ru_utime.tv_sec,
                (long)after.ru_utime.tv_usec / 1000, refused ? error.text : "it was taken");
    }
    return cheap && (!refused || error.text[0] != '\0' || opener->looks) ? 0 : 1;
}

static int wait_for(pid_t child)
{
    int status = -1;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static size_t try_file(const struct hostile *hostile)
{
    size_t wrong = 0;
    const pid_t maker = fork();
    if (maker == 0) {
        hostile->make(hostile->name);
        _exit(0);
    }
    assert_int_equal(wait_for(maker), 0);
    for (size_t o = 0; o < opener_count; o++) {
        if (openers[o].takes_all) {
            continue;
        }
        const pid_t child = fork();
        if (child == 0) {
            _exit(open_alone(&openers[o], hostile->name));
        }
        const int status = wait_for(child);
        if (status != 0) {
            fprintf(stderr, "%s, %s: status %d\n", hostile->name, openers[o].name, status);
            wrong++;
        }
    }
    assert_int_equal(unlink(hostile->name), 0);
    return wrong;
}

static void what_is_hostile_costs_little(void **state)
{
    (void)state;
    char folder[] = "costs-XXXXXX", former[PATH_BYTES];
    size_t wrong = 0;
    assert_non_null(getcwd(former, sizeof former));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f += test_stride()) {
        wrong += try_file(&files[f]);
    }
    assert_int_equal(chdir(former), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_hostile_costs_little)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
