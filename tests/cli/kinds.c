/* One sample of every kind of file: the table recognises it, and info, compute and standard input
 * agree with the table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#endif

#include "base/file.h"
#include "file/kinds.h"
#include "file/npy.h"
#include "stand.h"

static void write_file(struct stand *stand, const char *name, const void *content, size_t size)
{
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(file_write(stand_path(stand, name), (struct bytes){content, size}, &error));
}

#define PUT(stand, name, text) write_file(stand, name, text, sizeof(text) - 1)

static const char *copy_of(struct stand *stand, const char *variable, const char *file)
{
    return arena_format(&stand->arena, "cp '%s/%s' .", getenv(variable), file);
}

/* A sample of each kind, and whether compute can be had from it. */
static const struct sample {
    const char *name;
    enum file_kind kind;
    const char *computes; /* options, or NULL: it cannot */
} samples[] = {
    {"a.png", FILE_PNG, ""},
    {"a.svg", FILE_SVG, ""},
    {"a.pdf", FILE_PDF, ""},
    {"a.webp", FILE_WEBP, ""},
    {"a.gif", FILE_GIF, ""},
    {"lfs.gguf", FILE_POINTER, NULL},
    {"results.json", FILE_RESULTS, NULL},
    {"attention.json", FILE_JSON, ""},
    {"config.json", FILE_CONFIG, NULL},
    {"lesson.json", FILE_LESSON, ""},
    {"pattern.safetensors", FILE_SAFETENSORS, ""},
    {"a.pt", FILE_PYTORCH, NULL},
    {"pytorch_model.bin", FILE_PYTORCH, NULL},
    {"b.bin", FILE_PYTORCH, NULL},
    {"a.pkl", FILE_PICKLE, NULL},
    {"a.gguf", FILE_GGUF, "--ids '3 4'"},
    {"heads.npy", FILE_NPY, ""},
    {"half.npz", FILE_NPZ, ""},
    {"a.csv", FILE_TABLE, NULL},
    {"vectors.txt", FILE_VECTORS, NULL},
    {"folder", FILE_FOLDER, NULL},
    {"model", FILE_MODEL, "--tokens 'the cat'"},
};

enum { SAMPLES = sizeof samples / sizeof samples[0] };

static void put_samples(struct stand *stand)
{
    stand_call(stand, "render --size 300x200 -o a.png -o a.svg -o a.pdf");
    stand_call(stand, "render --size 120x90 --view head --fps 2 -o a.webp -o a.gif");
    stand_call(stand, "compute -o results.json");
    PUT(stand, "attention.json",
        "{\"attention\": [[[0.5, 0.5], [1, 0]]], \"tokens\": [\"the\", \"cat\"]}");
    PUT(stand, "config.json", "{\"n_layer\": 2, \"model_type\" : \"gpt2\"}");
    PUT(stand, "lesson.json",
        "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"x\", \"steps\": [{}]}");
    PUT(stand, "lfs.gguf",
        "version https://git-lfs.github.com/spec/v1\noid sha256:0123456789\nsize 4661211808\n");
    PUT(stand, "a.pt",
        "PK\x03\x04\0\0\x08\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0f\0\0\0"
        "archive/data.pkl\x80\x02}q");
    PUT(stand, "b.bin", "\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\x02M");
    PUT(stand, "a.pkl", "\x80\x04\x95\x08\0\0\0\0\0\0\0}\x94.");
    PUT(stand, "pytorch_model.bin", "\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\x02M");
    assert_int_equal(
        stand_other(stand, "cp \"$ATTNSCOPE_TINY/../fixtures/llama3/model.gguf\" a.gguf"), 0);
    PUT(stand, "a.csv", "1,2,3\n4,5,6\n");
    PUT(stand, "vectors.txt", "2 3\ncat 1 2 3\ndog 4 5 6\n");
    assert_int_equal(stand_other(stand, copy_of(stand, "ATTNSCOPE_DUMPS", "pattern.safetensors")),
                     0);
    assert_int_equal(stand_other(stand, copy_of(stand, "ATTNSCOPE_DUMPS", "half.npz")), 0);
    assert_int_equal(stand_other(stand, copy_of(stand, "ATTNSCOPE_DUMPS", "heads.npy")), 0);
    assert_int_equal(stand_other(stand, "mkdir folder"), 0);
    assert_int_equal(stand_other(stand, arena_format(&stand->arena, "cp -r '%s' model",
                                                     getenv("ATTNSCOPE_TINY"))),
                     0);
}

static void each_is_recognised_by_what_is_in_it(void **state)
{
    struct stand *const stand = *state;
    size_t seen[FILE_KINDS] = {0};
    put_samples(stand);
    for (size_t s = 0; s < SAMPLES; s++) {
        const char *const path = stand_path(stand, samples[s].name);
        const char *const other = arena_format(&stand->arena, "mv %s unnamed", samples[s].name);
        assert_int_equal(file_kind_of_path(path), samples[s].kind);
        assert_int_equal(stand_other(stand, other), 0);
        assert_int_equal(file_kind_of_path(stand_path(stand, "unnamed")), samples[s].kind);
        assert_int_equal(
            stand_other(stand, arena_format(&stand->arena, "mv unnamed %s", samples[s].name)), 0);
        seen[samples[s].kind]++;
    }
    for (size_t kind = 0; kind < FILE_KINDS; kind++) {
        assert_true(seen[kind] > 0); /* a row of the table without a sample */
    }
}

static void info_and_compute_say_what_the_table_says(void **state)
{
    struct stand *const stand = *state;
    put_samples(stand);
    for (size_t s = 0; s < SAMPLES; s++) {
        const struct sample *const sample = &samples[s];
        const struct file_kind_row *const row = file_kind_row(sample->kind);
        const char *const kind = arena_format(&stand->arena, "\"kind\": \"%s\"",
                                              sample->kind == FILE_GGUF ? "model" : row->name);
        if (sample->kind != FILE_FOLDER) {
            stand_call(stand, arena_format(&stand->arena, "info %s --json", sample->name));
            assert_non_null(strstr(stand->output, kind));
        }
        stand_run(stand, arena_format(&stand->arena, "compute %s %s", sample->name,
                                      sample->computes == NULL ? "" : sample->computes));
        assert_int_equal(stand->status == 0, sample->computes != NULL);
        assert_true(sample->computes == NULL || row->as != 0);
    }
}

/* How often the file is opened while the call runs; 0 where the system does not tell. */
static size_t count_opens(struct stand *stand, const char *file, const char *call)
{
    size_t count = 0;
#ifdef __linux__
    _Alignas(struct inotify_event) char events[4096];
    const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    assert_true(inotify_add_watch(watch, stand_path(stand, file), IN_OPEN) >= 0);
    stand_call(stand, call);
    ssize_t bytes = 0;
    while ((bytes = read(watch, events, sizeof events)) > 0) {
        for (ssize_t at = 0; at < bytes; count++) {
            at += (ssize_t)sizeof(struct inotify_event) +
                  (ssize_t)((struct inotify_event *)(events + at))->len;
        }
    }
    close(watch);
#endif
    return count;
}

/* Once to see what it is, once to be read. */
static void no_file_is_opened_twice(void **state)
{
    static const char *const calls[] = {"compute %s %s -o out.json", "describe %s %s",
                                        "render %s %s -o out.svg", "info %s"};
    struct stand *const stand = *state;
    put_samples(stand);
    for (size_t s = 0; s < SAMPLES; s++) {
        const struct sample *const sample = &samples[s];
        for (size_t c = 0; sample->computes != NULL && c < sizeof calls / sizeof *calls; c++) {
            const char *const call =
                arena_format(&stand->arena, calls[c], sample->name, sample->computes);
            const size_t opens = sample->kind == FILE_MODEL
                                     ? count_opens(stand, "model/model.safetensors", call)
                                     : count_opens(stand, sample->name, call);
            if (opens > 1) {
                fail_msg("%s opens it %zu times", call, opens);
            }
        }
    }
}

/* As a file that can be read again, and from a pipe, which gives nothing twice. */
static void standard_input_is_taken_for_the_same(void **state)
{
    struct stand *const stand = *state;
    put_samples(stand);
    assert_int_equal(stand_other(stand, "mkfifo pipe"), 0);
    for (size_t s = 0; s < SAMPLES; s++) {
        const struct sample *const sample = &samples[s];
        if (sample->kind == FILE_FOLDER || sample->kind == FILE_MODEL ||
            sample->kind == FILE_GGUF) { /* which are opened by their place */
            continue;
        }
        stand_run(stand, arena_format(&stand->arena, "compute %s", sample->name));
        const char *const output = stand->output;
        const int status = stand->status;
        stand_run(stand, arena_format(&stand->arena, "compute - <%s", sample->name));
        assert_int_equal(stand->status, status);
        assert_string_equal(stand->output, output);
        assert_int_equal(
            stand_other(stand, arena_format(&stand->arena, "(cat %s >pipe &)", sample->name)), 0);
        stand_run(stand, "compute - <pipe");
        assert_int_equal(stand->status, status);
        assert_string_equal(stand->output, output);
    }
    assert_int_equal(stand_other(stand, "(cat half.npz >pipe &)"), 0);
    stand_call(stand, "render - --view glance -o glance.png <pipe");
    stand_call(stand, "info - <half.npz");
    assert_non_null(strstr(stand->output, "weights of 2 layers"));
}

static void what_is_of_no_kind_is_told_why(void **state)
{
    static const struct {
        const char *file, *says;
    } cases[] = {
        {"empty.csv", "empty.csv: It is empty."},
        {"empty.npz", "empty.npz: It is empty."},
        {"utf16.csv", "utf16.csv: It is a text in UTF-16: save it as UTF-8."},
        {"long.csv", "long.csv: It is no table of weights: a row a query, a column a key"}};
    struct stand *const stand = *state;
    PUT(stand, "empty.csv", "");
    PUT(stand, "empty.npz", "");
    PUT(stand, "utf16.csv", "\xff\xfe,\0a\0");
    PUT(stand, "long.csv", "query,key,weight\nthe,the,0.7\nthe,cat,0.3\n");
    assert_int_equal(
        stand_other(stand, "printf 'PK\\5\\6' >none.npz && head -c 18 /dev/zero >>none.npz"), 0);
    stand_refused(stand, "compute none.npz", 1, "there are no arrays of numbers in it.");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static const char *const calls[] = {"info %s", "compute %s", "%s"};
        for (size_t call = 0; call < sizeof calls / sizeof *calls; call++) {
            stand_refused(stand, arena_format(&stand->arena, calls[call], cases[c].file), 1,
                          cases[c].says);
        }
    }
}

static void what_is_not_read_is_told_with_what_helps(void **state)
{
    static const struct {
        const char *file, *says;
    } cases[] = {
        {"a.pt", "x = torch.load(file); numpy.savez("},
        {"b.bin", "x = torch.load(file); numpy.savez("},
        {"a.pkl",
         "A pickle of Python may hold programs and is not read. In Python: x = pickle.load("},
        {"pytorch_model.bin", "save_pretrained(other, safe_serialization=True)"},
        {"config.json", "open the folder"},
        {"lfs.gguf", "git lfs pull"},
    };
    static const char no_gguf[] = "magic.gguf: It is no GGUF, though it is called so";
    struct stand *const stand = *state;
    put_samples(stand);
    assert_int_equal(
        stand_other(stand, "printf 'GGUX\\3' >magic.gguf && truncate -s 80M magic.gguf"), 0);
    stand_refused(stand, "info magic.gguf", 1, no_gguf);
    stand_refused(stand, "compute magic.gguf --text a", 1, no_gguf);
    stand_refused(stand, "magic.gguf", 1, no_gguf);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        stand_refused(stand, arena_format(&stand->arena, "compute %s", cases[c].file), 1,
                      cases[c].says);
        stand_refused(stand, cases[c].file, 1, cases[c].says); /* in the window */
        stand_call(stand, arena_format(&stand->arena, "info %s", cases[c].file));
        assert_non_null(strstr(stand->output, cases[c].says));
    }
}

static void sentences_have_no_holes(void **state)
{
    struct stand *const stand = *state;
    const float values[35] = {2, -3, 5};
    const struct array array = array_of_floats("", 2, (size_t[]){5, 7}, values);
    struct bytes npy;
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(npy_write(&array, &stand->arena, &npy, &error));
    write_file(stand, "rows.npy", npy.at, npy.size);
    stand_refused(stand, "compute rows.npy", 1, "but the array (5 × 7).");
    stand_refused(stand, "compute missing.npz --layer 2", 1, "\"missing.npz\" cannot be opened");
    PUT(stand, "new.json", "{\"format\": \"attnscope-lesson\", \"version\": 99, \"parts\": []}");
    stand_refused(stand, "compute new.json", 1, "this version of the program reads version 1");
    stand_refused(stand, "compute --lesson cat5s --stage x", 2, "did you mean");
    stand_refused(stand, "compute --lesson qqqqqqqqq", 2, ", ….");
}

/* Weights that are no numbers are refused in one line, without a doubt about their sums before. */
static void a_refusal_stands_alone(void **state)
{
    struct stand *const stand = *state;
    const float values[9] = {1, 0, 0, 0, NAN, 1, 0, 0, 1};
    const struct array array = array_of_floats("", 3, (size_t[]){1, 3, 3}, values);
    struct bytes npy;
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(npy_write(&array, &stand->arena, &npy, &error));
    write_file(stand, "attention.npy", npy.at, npy.size);
    stand_refused(stand, "compute attention.npy --axes HQK --reading weights", 1, "is nan");
}

static void rows_of_words_may_be_a_table(void **state)
{
    struct stand *const stand = *state;
    const float values[] = {1, 2, 3, 4, 5, 6};
    const struct array array = array_of_floats("", 2, (size_t[]){2, 3}, values);
    struct bytes npy;
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(npy_write(&array, &stand->arena, &npy, &error));
    write_file(stand, "rows.npy", npy.at, npy.size);
    PUT(stand, "rows.csv", "1,2,3\n4,5,6\n");
    stand_call(stand, "compute --embedding rows.npy --select X,weights --format csv");
    const char *const output = stand->output;
    stand_call(stand, "compute --embedding rows.csv --select X,weights --format csv");
    assert_string_equal(stand->output, output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(each_is_recognised_by_what_is_in_it),
        STAND(info_and_compute_say_what_the_table_says),
        STAND(no_file_is_opened_twice),
        STAND(standard_input_is_taken_for_the_same),
        STAND(what_is_of_no_kind_is_told_why),
        STAND(what_is_not_read_is_told_with_what_helps),
        STAND(sentences_have_no_holes),
        STAND(a_refusal_stands_alone),
        STAND(rows_of_words_may_be_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
