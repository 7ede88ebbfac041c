/* Opens what is dropped on the window, by the kind of its first bytes: models and files of
 * attention are opened, embeddings become the vectors of the words, sessions become the lesson,
 * texts are learned, and numbers go over the matrix that was clicked. The file is opened once:
 * whoever looked at it hands it on (file/handle.h). */
#include "app/open/drop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/paste.h"
#include "app/document/settings_store.h"
#include "app/learn/learn.h"
#include "app/open/import_dialog.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "base/file.h"
#include "base/system/file.h"
#include "base/translate.h"
#include "file/folder.h"
#include "file/handle.h"
#include "file/kinds.h"
#include "file/vectors.h"
#include "subject/subject.h"

enum { EMBEDDING_BYTES_MAX = 512 << 20 /* of an .npy */, NAME_SHOWN = 60 };

static struct lab_numbers *rows_of_array(struct bytes file, size_t words, struct arena *arena,
                                         struct error *error)
{
    struct array array;
    if (!file_kind_read_array(file, arena, &array, error)) {
        return NULL;
    }
    if (array.rank != 2 || array.shape[0] != words) {
        error_set(error, ERROR_INPUT,
                  "It holds %zu rows in %zu dimensions; %zu words need %zu rows.",
                  array.rank > 0 ? array.shape[0] : 1, array.rank, words, words);
        return NULL;
    }
    const float *values = array_floats(&array, arena, error);
    const size_t shape[3] = {array.shape[0], array.shape[1], 1};
    return values != NULL ? lab_numbers_make(values, 2, shape, error) : NULL;
}

/* The words with these rows, projected without change where the weights that were given are of
 * another width. False: it cannot be computed, and nothing changed. */
static bool take_rows(struct app_state *state, const struct lab_numbers *rows, double time,
                      struct error *error)
{
    struct lab_experiment next;
    lab_experiment_copy(&next, document_present(&state->document));
    lab_numbers_release(next.embeddings);
    next.embeddings = lab_numbers_keep(rows);
    next.embedding = LAB_EMBEDDING_NUMBERS;
    const struct lab_numbers **const given[] = {&next.q, &next.k, &next.v, &next.alpha};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        lab_numbers_release(*given[i]);
        *given[i] = NULL;
    }
    if (!lab_experiment_check(&next, NULL)) {
        next.weights = LAB_WEIGHTS_IDENTITY;
        next.d_k = next.d_v = 0;
    }
    const bool works = lab_experiment_check(&next, error);
    if (works) {
        document_change(&state->document, &next, "embeddings from a file", time);
    }
    lab_experiment_release(&next);
    return works;
}

/* The numbers of the words from a file: read, then taken. */
struct embedding {
    struct file_handle *file;       /* held */
    enum file_kind kind;            /* of rows */
    const struct lab_words *tokens; /* a reference */
    struct lab_numbers *rows;       /* NULL: they could not be read */
    size_t found;                   /* for so many of the words */
    struct error error;
};

/* By what is in it; a damaged one by its name. */
static enum file_kind rows_kind(const char *path, enum file_kind kind)
{
    static const enum file_kind kinds[] = {FILE_NPY, FILE_TABLE, FILE_VECTORS};
    for (size_t k = 0; kind == FILE_KINDS && k < sizeof kinds / sizeof kinds[0]; k++) {
        if (file_kind_has_suffix(kinds[k], path)) {
            return kinds[k];
        }
    }
    return file_kind_opens(kind, FILE_AS_ROWS) ? kind : FILE_KINDS;
}

/* Rows without the words that they belong to. */
static bool is_array(const char *path, enum file_kind kind)
{
    return kind == FILE_TABLE || (kind == FILE_NPY && !vectors_are_listed(path));
}

static bool on_lines(void *owner, size_t done, size_t all)
{
    app_job_report(owner, 0, done, all);
    return !app_job_is_cancelled(owner);
}

static void read_vectors(struct app_job *job, struct embedding *embedding, struct arena *arena)
{
    const size_t count = lab_words_count(embedding->tokens);
    const struct file_progress progress = {on_lines, job};
    struct vectors vectors;
    if (!vectors_open(embedding->file, lab_words_list(embedding->tokens), count,
                      job == NULL ? NULL : &progress, arena, &vectors, &embedding->error)) {
        return;
    }
    embedding->found = vectors.found_count;
    if (vectors.found_count == 0) {
        error_set(&embedding->error, ERROR_INPUT, "It holds vectors, but for none of these words.");
        return;
    }
    const size_t shape[3] = {count, vectors.dimension, 1};
    embedding->rows = lab_numbers_make(vectors.values, 2, shape, &embedding->error);
}

/* Rows without names are read as a whole. */
static bool map_rows(struct file_handle *handle, struct bytes *file, struct error *error)
{
    return file_handle_map(handle, file, error) &&
           (file->size <= EMBEDDING_BYTES_MAX ||
            error_set(error, ERROR_INPUT, "\"%s\" is too large: more than %zu bytes.",
                      file_handle_path(handle), (size_t)EMBEDDING_BYTES_MAX));
}

/* job NULL: nobody is told. */
static void read_embedding(struct app_job *job, void *subject)
{
    struct embedding *const embedding = subject;
    struct arena arena = {0};
    struct bytes file = {0};
    embedding->found = lab_words_count(embedding->tokens);
    if (!is_array(file_handle_path(embedding->file), embedding->kind)) {
        read_vectors(job, embedding, &arena);
    } else if (map_rows(embedding->file, &file, &embedding->error)) {
        embedding->rows = rows_of_array(file, embedding->found, &arena, &embedding->error);
    }
    arena_free(&arena);
}

/* The words take the rows that were read. False: a sentence, and nothing changed. */
static bool take_embedding(struct app_state *state, struct embedding *embedding, double time)
{
    const char *const path = file_handle_path(embedding->file);
    const size_t count = lab_words_count(embedding->tokens);
    if (embedding->rows == NULL || !take_rows(state, embedding->rows, time, &embedding->error)) {
        return false;
    }
    snprintf(state->document.rows_path, sizeof state->document.rows_path, "%s",
             is_array(path, embedding->kind) ? path : "");
    if (embedding->found < count) {
        app_state_show_message(state, time,
                               "%zu of the %zu words have no vector in %.*s: their rows are 0.",
                               count - embedding->found, count, NAME_SHOWN, file_name(path));
    } else {
        app_state_show_message(state, time, "The words take their numbers from %.*s.", NAME_SHOWN,
                               file_name(path));
    }
    return true;
}

static void forget_embedding(void *subject)
{
    struct embedding *const embedding = subject;
    file_handle_release(embedding->file);
    lab_words_release(embedding->tokens);
    lab_numbers_release(embedding->rows);
    free(embedding);
}

static void take_late(struct app_state *state, void *subject, double time)
{
    struct embedding *const embedding = subject;
    const struct lab_experiment *const present = document_present(&state->document);
    if (present->tokens != embedding->tokens || present->context != NULL) {
        app_state_show_message(
            state, time,
            "The words have changed while their numbers were read: open the file again.");
    } else if (!take_embedding(state, embedding, time)) {
        app_state_show_message(state, time, "%.*s: %.130s", NAME_SHOWN,
                               file_name(file_handle_path(embedding->file)), embedding->error.text);
    }
}

static const struct task_kind embedding_kind = {.doing = "Reading word vectors",
                                                .work = read_embedding,
                                                .apply = take_late,
                                                .release = forget_embedding};

/* Returns whether opening takes longer than a frame can wait. */
static bool is_long(const struct file_handle *file)
{
    enum { READ_AT_ONCE = 1 << 23 };
    return file_handle_mark(file).size > READ_AT_ONCE;
}

static bool open_embedding(struct app_state *state, struct file_handle *file, enum file_kind kind,
                           double time, struct error *error)
{
    const struct lab_experiment *const present = document_present(&state->document);
    if (lab_words_count(present->tokens) == 0 || present->context != NULL) {
        return error_set(error, ERROR_INPUT,
                         "Embeddings need words to belong to, and no second sentence.");
    }
    struct embedding *const embedding = calloc(1, sizeof *embedding);
    if (embedding == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the word vectors.");
    }
    embedding->file = file_handle_keep(file);
    embedding->kind = kind;
    embedding->tokens = lab_words_keep(present->tokens);
    if (is_long(file)) {
        app_state_submit(state, &embedding_kind, embedding, time);
        return true;
    }
    read_embedding(NULL, embedding);
    const bool taken = take_embedding(state, embedding, time);
    *error = embedding->error;
    forget_embedding(embedding);
    return taken;
}

/* Always true. */
static bool remember_file(const struct app_state *state, const char *path)
{
    app_state_store_file(state, path);
    return true;
}

/* Where a number was clicked and the array fits there, it is typed over that matrix. */
static bool paste_array(struct app_state *state, struct file_handle *handle, double time)
{
    const bool clicked = state->view.armed || state->view.edit_open;
    const char *const path = file_handle_path(handle);
    struct arena arena = {0};
    struct bytes file = {0};
    struct array array;
    struct error error = {ERROR_NONE, 0, ""};
    bool pasted = false;
    if (clicked && is_array(path, rows_kind(path, file_handle_kind(handle))) && !is_long(handle) &&
        map_rows(handle, &file, &error) && file_kind_read_array(file, &arena, &array, &error) &&
        array.rank == 2) {
        const float *const values = array_floats(&array, &arena, &error);
        pasted = values != NULL &&
                 app_paste_numbers(state, values, array.shape[0], array.shape[1], time, &error);
    }
    arena_free(&arena);
    return pasted;
}

/* Always false. */
static bool lacks_memory(const char *path, struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to open %.*s.", NAME_SHOWN,
                     file_name(path));
}

/* Opens a folder that is none of a model: it says what helps. */
static bool refuse_folder(const char *path, struct error *error)
{
    return folder_has_adapter(path)
               ? folder_refuse_adapter(path, error)
               : error_set(error, ERROR_INPUT,
                           "%.*s is a folder without a model: drop a file from inside it.",
                           NAME_SHOWN, file_name(path));
}

static bool open_found(struct app_state *state, struct file_handle *file, double time,
                       struct error *error)
{
    const char *const path = file_handle_path(file);
    const enum file_kind kind = file_handle_kind(file);
    if (paste_array(state, file, time)) {
        return true;
    }
    const struct subject found = {.kind = subject_kind_of(file), .file = file};
    if (found.kind != NULL) { /* it is remembered when it is open */
        return app_open_model_open_found(state, &found, path, NULL, time) ||
               lacks_memory(path, error);
    }
    if (kind == FILE_FOLDER) {
        return refuse_folder(path, error);
    }
    if (app_learn_is_text(path) && kind == FILE_KINDS) {
        return app_learn_bring_file(state, path, time, error) && remember_file(state, path);
    }
    if (rows_kind(path, kind) != FILE_KINDS) {
        struct error reason = {ERROR_NONE, 0, ""};
        return open_embedding(state, file, rows_kind(path, kind), time, &reason) ||
               error_set(error, reason.code, "%.*s: %.130s", NAME_SHOWN, file_name(path),
                         reason.text);
    }
    return app_lesson_open_file(state, file, time, error);
}

static bool open_path(struct app_state *state, const char *path, double time, struct error *error)
{
    char folder[4096];
    path = file_kind_model_folder(path, folder, sizeof folder) ? folder : path;
    struct file_handle *const file = file_handle_open(path);
    const bool is_open =
        file == NULL ? lacks_memory(path, error) : open_found(state, file, time, error);
    file_handle_release(file);
    return is_open;
}

void app_drop_files(struct app_state *state, const char *const *path, size_t count, double time)
{
    const struct app_import *const asked = state->dialog; /* about another file */
    struct error first = {ERROR_NONE, 0, ""};
    for (size_t i = 0; i < count; i++) {
        struct error error = {ERROR_NONE, 0, ""};
        if (open_path(state, path[i], time, &error)) {
            if (asked != NULL && state->dialog == asked) {
                app_import_close(state);
            }
            if (count > 1) {
                app_state_show_message(state, time,
                                       tr_n("%.*s is open; %zu more was left.",
                                            "%.*s is open; %zu more were left.", count - 1),
                                       NAME_SHOWN, file_name(path[i]), count - 1);
            }
            return;
        }
        first = i == 0 ? error : first;
    }
    if (count > 1) {
        app_state_show_message(state, time, "None of these %zu files could be opened. %.160s",
                               count, first.text);
    } else if (count == 1) {
        app_state_show_message(state, time, "%s", first.text);
        const enum file_kind kind = file_kind_of_path(path[0]);
        if (rows_kind(path[0], kind) == FILE_NPY && !app_open_model_probe(path[0])) {
            (void)app_import_open(state, path[0], NULL,
                                  &(const struct lab_dump_request){.batch = 0},
                                  first.text); /* no rows for these words: attention, perhaps? */
        }
    }
}

void app_drop_text(struct app_state *state, double time)
{
    app_state_show_message(state, time,
                           "Files can be dropped here. Text is pasted with Ctrl+V: words into the "
                           "field at the top, numbers over a matrix.");
}
