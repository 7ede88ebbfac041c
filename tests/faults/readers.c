/* readers TESTS — every reader of files over sound files, again and again with each allocation, and
 * each call that reads, made to fail. Either everything that comes out is right, or one sentence
 * says what is wrong: of memory that it is memory. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../opened.h"
#include "app/document/session.h"
#include "base/file.h"
#include "base/text.h"
#include "fail.h"
#include "file/json.h"
#include "file/kinds.h"
#include "file/npy.h"
#include "file/npz.h"
#include "file/pasted.h"
#include "file/safetensors.h"
#include "file/table.h"
#include "file/vectors.h"
#include "lab/dump/dump.h"
#include "lab/lesson/lessons.h"
#include "model/model.h"

enum { PATH_BYTES = 1024 };

#define BYTES_MAX ((size_t)64 << 20)

/* Of everything that a reader gives. */
struct outcome {
    struct arena arena;
    uint64_t sum;
    struct error error;
};

static void append_bytes(struct outcome *outcome, const void *at, size_t size)
{
    const uint8_t *const bytes = at;
    for (size_t i = 0; i < size; i++) {
        outcome->sum = (outcome->sum ^ bytes[i]) * UINT64_C(1099511628211);
    }
}

static void add_text(struct outcome *outcome, const char *text)
{
    append_bytes(outcome, text == NULL ? "" : text, text == NULL ? 0 : strlen(text) + 1);
}

static void add_number(struct outcome *outcome, size_t number)
{
    append_bytes(outcome, &number, sizeof number);
}

static bool add_array(struct outcome *outcome, const struct array *array)
{
    add_text(outcome, array->name);
    append_bytes(outcome, array->shape, array->rank * sizeof *array->shape);
    if (array->bytes.at == NULL) {
        return true;
    }
    const float *const values = array_floats(array, &outcome->arena, &outcome->error);
    append_bytes(outcome, values, values == NULL ? 0 : array_count(array) * sizeof *values);
    return values != NULL;
}

static bool open_file(const char *path, struct outcome *outcome, struct bytes *file)
{
    return file_read(path, BYTES_MAX, &outcome->arena, file, &outcome->error);
}

static bool read_npy(const char *path, struct outcome *outcome)
{
    struct bytes file, again;
    struct array array;
    const bool read = open_file(path, outcome, &file) && npy_read(file, &array, &outcome->error) &&
                      add_array(outcome, &array) &&
                      npy_write(&array, &outcome->arena, &again, &outcome->error);
    append_bytes(outcome, again.at, read ? again.size : 0);
    return read;
}

static bool read_npz(const char *path, struct outcome *outcome)
{
    struct bytes file, again;
    const struct array *arrays = NULL;
    size_t count = 0;
    bool read = open_file(path, outcome, &file) &&
                npz_read(file, &outcome->arena, &arrays, &count, &outcome->error);
    for (size_t i = 0; read && i < count; i++) {
        read = add_array(outcome, &arrays[i]);
    }
    read = read && npz_write(arrays, count, &outcome->arena, &again, &outcome->error);
    append_bytes(outcome, again.at, read ? again.size : 0);
    return read;
}

static bool list_npz(const char *path, struct outcome *outcome)
{
    struct bytes file;
    struct array one;
    struct npz_list list = {.count = 0};
    bool read =
        open_file(path, outcome, &file) && npz_list(file, &outcome->arena, &list, &outcome->error);
    for (size_t i = 0; read && i < list.count; i++) {
        read = add_array(outcome, &list.array[i]) &&
               npz_read_one(file, list.array[i].name, &outcome->arena, &one, &outcome->error) &&
               add_array(outcome, &one);
    }
    return read;
}

static bool read_npz_texts(const char *path, struct outcome *outcome)
{
    struct bytes file;
    struct npz_list list = {.text_count = 0};
    const char *const *words = NULL;
    size_t count = 0;
    bool read =
        open_file(path, outcome, &file) && npz_list(file, &outcome->arena, &list, &outcome->error);
    for (size_t l = 0; read && l < list.text_count; l++) {
        add_text(outcome, list.texts[l].name);
        read = npz_read_texts(file, list.texts[l].name, &outcome->arena, &words, &count,
                              &outcome->error);
        for (size_t w = 0; read && w < count; w++) {
            add_text(outcome, words[w]);
        }
    }
    for (size_t u = 0; read && u < list.unread_count; u++) {
        add_text(outcome, list.unread[u].array.name);
    }
    return read;
}

static bool read_safetensors(const char *path, struct outcome *outcome)
{
    struct file_map map;
    struct safetensors tensors;
    if (!safetensors_open(path, &map, &outcome->arena, &tensors, &outcome->error)) {
        return false;
    }
    bool read = true;
    for (size_t t = 0; read && t < tensors.count; t++) {
        read = add_array(outcome, &tensors.tensors[t]);
    }
    for (size_t n = 0; n < 2 * tensors.note_count; n++) {
        add_text(outcome, tensors.notes[n]);
    }
    file_map_close(&map);
    return read;
}

static bool read_vectors(const char *path, struct outcome *outcome)
{
    static const char *const words[] = {"the", "cat", "no such word", "the"};
    struct vectors vectors;
    struct file_handle *const file = file_handle_open(path);
    const bool is_read = file == NULL ? lacks_memory(&outcome->error)
                                      : vectors_open(file, words, 4, NULL, &outcome->arena,
                                                     &vectors, &outcome->error);
    file_handle_release(file);
    if (!is_read) {
        return false;
    }
    append_bytes(outcome, vectors.values,
                 vectors.count * vectors.dimension * sizeof *vectors.values);
    add_number(outcome, vectors.found_count);
    return true;
}

static bool read_pasted(const char *path, struct outcome *outcome)
{
    struct bytes file;
    struct pasted pasted;
    const bool read = open_file(path, outcome, &file) &&
                      pasted_read(file, &outcome->arena, &pasted, &outcome->error);
    append_bytes(outcome, pasted.values,
                 read ? pasted.rows * pasted.cols * sizeof *pasted.values : 0);
    return read;
}

static bool read_csv(const char *path, struct outcome *outcome)
{
    struct bytes file;
    struct table table;
    const bool read = open_file(path, outcome, &file) &&
                      table_read(file, &outcome->arena, &table, &outcome->error);
    append_bytes(outcome, table.values, read ? table.rows * table.cols * sizeof *table.values : 0);
    return read;
}

static bool read_lesson(const char *path, struct outcome *outcome)
{
    struct bytes file, text, again;
    struct lab_lesson lesson = {0};
    if (!open_file(path, outcome, &file) ||
        !app_session_find(file, &outcome->arena, &text, &outcome->error) ||
        !lab_lesson_parse(text, &outcome->arena, &lesson, &outcome->error)) {
        return false;
    }
    const bool written = lab_lesson_write(&lesson, &outcome->arena, &again, &outcome->error);
    append_bytes(outcome, again.at, written ? again.size : 0);
    lab_lesson_release(&lesson);
    return written;
}

static void add_words(struct outcome *outcome, const struct lab_words *words)
{
    for (size_t w = 0; w < lab_words_count(words); w++) {
        add_text(outcome, lab_words_list(words)[w]);
    }
}

static bool read_dump(const char *path, struct outcome *outcome)
{
    struct lab_dump *const dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &outcome->error);
    struct lab_dump_page page = {.holds = {NULL}};
    if (dump == NULL) {
        return false;
    }
    const struct lab_dump_facts *const facts = lab_dump_facts(dump);
    add_text(outcome, facts->array);
    add_text(outcome, facts->axes);
    add_text(outcome, facts->shape);
    add_words(outcome, facts->queries);
    add_words(outcome, facts->keys);
    add_text(outcome, facts->words_from);
    add_text(outcome, facts->doubt);
    float *const weights = arena_array(&outcome->arena, facts->n * facts->m, sizeof *weights);
    bool read =
        weights != NULL || error_set(&outcome->error, ERROR_MEMORY, "There is not enough memory.");
    for (size_t h = 0; read && h < facts->layers * facts->heads; h++) {
        read = lab_dump_weights(dump, &page, h / facts->heads, h % facts->heads, weights,
                                &outcome->error);
        append_bytes(outcome, weights, facts->n * facts->m * sizeof *weights);
    }
    struct lab_experiment experiment;
    read = read && lab_dump_experiment(dump, &page, 0, 0, &experiment, &outcome->error);
    if (read) {
        add_words(outcome, experiment.tokens);
        add_number(outcome, experiment.heads);
        lab_experiment_release(&experiment);
    }
    lab_dump_page_free(&page);
    lab_dump_close(dump);
    return read;
}

/* A file whose beginning cannot be read looks like nothing. */
static bool probe_dump(const char *path, struct outcome *outcome)
{
    struct file_handle *const file = file_handle_open(path);
    const bool looks = file != NULL && lab_dump_probe(file);
    file_handle_release(file);
    return looks ||
           error_set(&outcome->error, ERROR_FILE, "It looks like none, or memory is short.");
}

static bool list_dump(const char *path, struct outcome *outcome)
{
    struct lab_dump *const dump = lab_dump_list(path, &outcome->error);
    size_t texts = 0;
    if (dump == NULL) {
        return false;
    }
    for (size_t i = 0; i < lab_dump_items(dump); i++) {
        add_text(outcome, lab_dump_item(dump, i).name);
    }
    const char *const *const names = lab_dump_texts(dump, &texts);
    for (size_t t = 0; t < texts; t++) {
        add_text(outcome, names[t]);
    }
    lab_dump_close(dump);
    return names != NULL || error_set(&outcome->error, ERROR_MEMORY, "There is not enough memory.");
}

static bool read_model(const char *path, struct outcome *outcome)
{
    static const char text[] = "One two, l\xc3\xb6wer!<|endoftext|>";
    const uint32_t *ids = NULL;
    size_t count = 0;
    struct bytes again;
    struct model *const model = open_model(path, &outcome->error);
    if (model == NULL) {
        return false;
    }
    const struct tokenizer *const bpe = model_tokenizer(model);
    append_bytes(outcome, model_config(model), sizeof *model_config(model));
    add_number(outcome, model_parameters(model));
    bool read = model_reads_text(model, &outcome->error) &&
                tokenizer_encode(bpe, text, sizeof text - 1, &outcome->arena, &ids, &count,
                                 &outcome->error) &&
                tokenizer_decode(bpe, ids, count, &outcome->arena, &again, &outcome->error);
    append_bytes(outcome, again.at, read ? again.size : 0);
    for (size_t i = 0; read && i < count; i++) {
        const char *const shown = tokenizer_shown(bpe, ids[i], &outcome->arena);
        read = shown != NULL ||
               error_set(&outcome->error, ERROR_MEMORY, "There is not enough memory.");
        add_text(outcome, shown);
    }
    model_close(model);
    return read;
}

static const char WRITTEN[] = "faults-written", LINK[] = "faults-link";

/* The former content stays, or all of the new is there. */
static bool write_file(const char *path, struct outcome *outcome)
{
    struct bytes content, again;
    const bool done = open_file(path, outcome, &content) &&
                      file_write(LINK, content, &outcome->error) &&
                      open_file(LINK, outcome, &again);
    append_bytes(outcome, again.at, done ? again.size : 0);
    return done;
}

/* A device keeps nothing, but may refuse. */
static bool write_device(const char *path, struct outcome *outcome)
{
    struct bytes content;
    return open_file(path, outcome, &content) && file_write("/dev/null", content, &outcome->error);
}

static const struct reader {
    bool (*read)(const char *path, struct outcome *outcome);
    const char *file; /* in tests/ */
} readers[] = {
    {read_npy, "corpus/accept/npy-two-by-two.npy"},
    {read_npy, "corpus/accept/npy-halves-big-endian.npy"},
    {read_npz, "corpus/accept/npz-stored.npz"},
    {read_npz, "corpus/accept/npz-packed.npz"},
    {list_npz, "corpus/accept/npz-stored.npz"},
    {list_npz, "corpus/accept/npz-packed.npz"},
    {read_npz_texts, "corpus/either/npz-with-texts.npz"},
    {read_safetensors, "corpus/accept/safetensors-one.safetensors"},
    {read_safetensors, "lab/dumps/pattern.safetensors"},
    {read_vectors, "corpus/accept/vectors-glove"},
    {read_vectors, "corpus/accept/vectors-word2vec"},
    {read_vectors, "faults/rows.npy"},
    {read_pasted, "corpus/accept/pasted-latex"},
    {read_pasted, "corpus/accept/pasted-numpy"},
    {read_pasted, "corpus/accept/pasted-tabs"},
    {read_csv, "corpus/accept/pasted-tabs"},
    {read_csv, "corpus/accept/dump-table-with-gaps.csv"},
    {read_lesson, "corpus/accept/session-lesson.json"},
    {read_lesson, "corpus/accept/session-of-everything.json"},
    {read_dump, "lab/dumps/axes.npy"},
    {read_dump, "lab/dumps/cross.npz"},
    {read_dump, "lab/dumps/half.npz"},
    {read_dump, "lab/dumps/pattern.safetensors"},
    {read_dump, "lab/dumps/queries.safetensors"},
    {list_dump, "lab/dumps/rows.npz"},
    {probe_dump, "lab/dumps/columns.npy"},
    {probe_dump, "lab/dumps/half.npz"},
    {read_dump, "lab/dumps/scores.npz"},
    {read_dump, "lab/dumps/tuple.npz"},
    {read_dump, "lab/dumps/beside.npz"},
    {read_dump, "lab/dumps/beside.safetensors"},
    {read_dump, "corpus/accept/dump-rows-of-nan.npz"},
    {read_dump, "corpus/accept/dump-table-with-gaps.csv"},
    {read_dump, "corpus/accept/dump-bert.json"},
    {read_dump, "corpus/accept/dump-steps.json"},
    {list_dump, "lab/dumps/cross.npz"},
    {list_dump, "lab/dumps/pattern.safetensors"},
    {read_model, "model/tiny"},
    {write_file, "corpus/accept/session-lesson.json"},
    {write_device, "corpus/accept/session-lesson.json"},
};

static const struct fault {
    const char *name;
    unsigned calls;
    int reason;
    enum fail_how how;
} faults[] = {
    {"allocation", FAIL_MEMORY, ENOMEM, FAIL_ONCE},
    {"allocations from", FAIL_MEMORY, ENOMEM, FAIL_EVER},
    {"place in an arena", FAIL_ARENA, ENOMEM, FAIL_ONCE},
    {"places in arenas from", FAIL_ARENA, ENOMEM, FAIL_EVER},
    {"call of libzip", FAIL_ZIP, ENOMEM, FAIL_ONCE},
    {"calls of libzip from", FAIL_ZIP, ENOMEM, FAIL_EVER},
    {"open", FAIL_OPEN, EIO, FAIL_ONCE},
    {"stat", FAIL_STAT, EIO, FAIL_ONCE},
    {"map", FAIL_MAP, ENOMEM, FAIL_ONCE},
    {"map that cannot be,", FAIL_MAP, ENODEV, FAIL_ONCE},
    {"read", FAIL_READ, EIO, FAIL_ONCE},
    {"short read", FAIL_READ, 0, FAIL_SHORT},
    {"read that is interrupted,", FAIL_READ, EINTR, FAIL_ONCE},
    {"write", FAIL_WRITE, ENOSPC, FAIL_ONCE},
    {"short write", FAIL_WRITE, 0, FAIL_SHORT},
    {"write that is interrupted,", FAIL_WRITE, EINTR, FAIL_ONCE},
    {"fsync", FAIL_SYNC, EIO, FAIL_ONCE},
    {"fsync that is not known,", FAIL_SYNC, EINVAL, FAIL_ONCE},
    {"fsync that is not done there,", FAIL_SYNC, ENOTSUP, FAIL_ONCE},
    {"close", FAIL_CLOSE, EIO, FAIL_ONCE},
    {"rename", FAIL_RENAME, EACCES, FAIL_ONCE},
};

/* One sentence that says it; memory is called memory. */
static bool is_told(const struct error *error, const struct fault *fault)
{
    const size_t length = strlen(error->text);
    const bool memory = (fault->calls & (FAIL_MEMORY | FAIL_ARENA | FAIL_ZIP)) != 0;
    return error->code != ERROR_NONE && length > 10 && strchr(".?!)", error->text[length - 1]) &&
           (!memory || strstr(error->text, "memory") != NULL);
}

/* Says whether the reader took it as it should. */
static bool try_place(const struct reader *reader, const char *path, const struct fault *fault,
                      size_t number, uint64_t right, bool *reached)
{
    struct outcome outcome = {.sum = 0};
    fail_begin(fault->calls, number, fault->reason, fault->how);
    const bool read = reader->read(path, &outcome);
    *reached = fail_end().failed > 0;
    arena_free(&outcome.arena);
    const bool fine = read ? outcome.sum == right
                           : *reached && fault->how != FAIL_SHORT && is_told(&outcome.error, fault);
    if (!fine) {
        fprintf(stderr, "%s: %s %zu: %s\n", path, fault->name, number,
                read ? "what came out is not what stands there" : outcome.error.text);
    }
    return fine;
}

static size_t try_reader(const struct reader *reader, const char *tests, size_t *runs)
{
    char path[PATH_BYTES];
    struct outcome right = {.sum = 0};
    size_t wrong = 0;
    snprintf(path, sizeof path, "%s/%s", tests, reader->file);
    if (!reader->read(path, &right)) {
        fprintf(stderr, "%s cannot even be read undisturbed: %s\n", path, right.error.text);
        wrong++;
    }
    arena_free(&right.arena);
    for (size_t f = 0; wrong == 0 && f < sizeof faults / sizeof faults[0]; f++) {
        struct outcome counted = {.sum = 0};
        fail_begin(faults[f].calls, 0, 0, FAIL_ONCE);
        (void)reader->read(path, &counted);
        const size_t all = fail_end().calls;
        arena_free(&counted.arena);
        for (size_t number = 1; number <= all; number++) {
            bool reached = false;
            wrong += !try_place(reader, path, &faults[f], number, right.sum, &reached);
            *runs += reached;
        }
    }
    return wrong;
}

int main(int count, char **words)
{

    size_t wrong = 0, runs = 0;
    if (symlink(WRITTEN, LINK) != 0 && errno != EEXIST) {
        return 2;
    }
    for (size_t r = 0; count > 1 && r < sizeof readers / sizeof readers[0]; r++) {
        wrong += try_reader(&readers[r], words[1], &runs);
    }
    (void)unlink(LINK);
    (void)unlink(WRITTEN);
    printf("%zu runs, %zu wrong\n", runs, wrong);
    return runs > 0 && wrong == 0 ? 0 : 1;
}
