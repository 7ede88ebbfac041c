/* Files that are dropped on the window. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/open/drop.h"
#include "app/open/lesson.h"
#include "base/file.h"
#include "base/translate.h"
#include "desk.h"
#include "file/npy.h"

struct folder {
    struct app_state *state;
    char path[256];
};

static int open_folder(void **given)
{
    struct folder *folder = calloc(1, sizeof *folder);
    const char *place = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    snprintf(folder->path, sizeof folder->path, "%.200s/attnscope-drop-XXXXXX", place);
    assert_non_null(mkdtemp(folder->path));
    folder->state = opened("cats");
    *given = folder;
    return 0;
}

static const char *const names[] = {"session.json", "rows.npy", "vectors.txt", "none.png",
                                    "table.csv",    "model.pt", "model.gguf"};

static const char *path_of(const struct folder *folder, const char *name)
{
    static char path[8][384];
    static size_t next;
    next = (next + 1) % 8;
    snprintf(path[next], sizeof path[next], "%s/%s", folder->path, name);
    return path[next];
}

static int close_folder(void **given)
{
    struct folder *folder = *given;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unlink(path_of(folder, names[i]));
    }
    rmdir(folder->path);
    closed(folder->state);
    free(folder);
    return 0;
}

static void write_file(const struct folder *folder, const char *name, struct bytes content)
{
    assert_true(file_write(path_of(folder, name), content, NULL));
}

static void put_text(const struct folder *folder, const char *name, const char *text)
{
    write_file(folder, name, (struct bytes){(const uint8_t *)text, strlen(text)});
}

static void put_rows(const struct folder *folder, size_t rows)
{
    static const float values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    struct arena arena = {0};
    struct bytes file;
    const struct array array = array_of_floats("", 2, (size_t[]){rows, 2}, values);
    assert_true(npy_write(&array, &arena, &file, NULL));
    write_file(folder, "rows.npy", file);
    arena_free(&arena);
}

static void drop_file(struct folder *folder, const char *name)
{
    const char *path = path_of(folder, name);
    app_drop_files(folder->state, &path, 1, 1);
}

static float x_at(const struct folder *folder, size_t row, size_t column)
{
    const struct lab_matrix x = lab_trace_part(folder->state->document.trace, LAB_EMBEDDINGS_X, 0);
    return lab_matrix_at(&x, row, column);
}

static void a_session_opens(void **given)
{
    struct folder *folder = *given;
    insert(folder->state, 0, "zebra", 1);
    assert_true(app_lesson_save(folder->state, path_of(folder, "session.json"), NULL));
    document_undo(&folder->state->document, 0);
    drop_file(folder, "session.json");
    expect_words(folder->state, "zebra cat dog lion NYC");
    assert_string_equal(folder->state->message, "session.json is open.");
}

static void rows_become_the_numbers_of_the_words(void **given)
{
    struct folder *folder = *given;
    put_rows(folder, 4);
    drop_file(folder, "rows.npy");
    assert_true(x_at(folder, 3, 1) == 8);
    assert_string_equal(folder->state->view.undo_name, "embeddings from a file");
    document_undo(&folder->state->document, 0);
    assert_true(x_at(folder, 0, 0) == -2.5f);
}

/* A number of Q was clicked: an array goes there, and where it has no room it is the words'. */
static void an_array_goes_where_a_number_was_clicked(void **given)
{
    struct folder *folder = *given;
    struct app_state *const state = folder->state;
    const struct view_action click = {.kind = VIEW_ACTION_ARM,
                                      .edit = {.cell = {.part = LAB_Q, .row = 1, .column = 1}}};
    app_state_go(state, LAB_SCORE, 1);
    (void)app_state_apply(state, &click, 1);
    put_rows(folder, 2);
    drop_file(folder, "rows.npy");
    assert_string_equal(state->message, "Q: 2 × 2 numbers pasted.");
    const struct lab_matrix q = lab_trace_part(state->document.trace, LAB_Q, 0);
    assert_true(lab_matrix_at(&q, 1, 1) == 1 && lab_matrix_at(&q, 2, 2) == 4);
    document_undo(&state->document, 0);
    app_state_go(state, LAB_SCORE, 1);
    assert_true(x_at(folder, 0, 0) == -2.5f);
    put_rows(folder, 4);
    const struct view_action last = {.kind = VIEW_ACTION_ARM,
                                     .edit = {.cell = {.part = LAB_Q, .row = 1, .column = 2}}};
    (void)app_state_apply(state, &last, 1);
    drop_file(folder, "rows.npy"); /* two columns from the last one on: no room */
    assert_true(x_at(folder, 3, 1) == 8);
}

static void rows_for_other_words_are_answered_and_change_nothing(void **given)
{
    struct folder *folder = *given;
    put_rows(folder, 5);
    drop_file(folder, "rows.npy");
    assert_non_null(strstr(folder->state->message, "rows.npy: It holds 5 rows"));
    put_text(folder, "vectors.txt", "hut 1 2\nhat 3 4\n");
    drop_file(folder, "vectors.txt");
    assert_non_null(strstr(folder->state->message, "for none of these words"));
    assert_false(folder->state->view.can_undo);
}

static void word_vectors_are_found_by_their_words(void **given)
{
    struct folder *folder = *given;
    put_text(folder, "vectors.txt", "lion 7 8\nhat 3 4\ncat 5 6\n");
    drop_file(folder, "vectors.txt");
    assert_true(x_at(folder, 2, 0) == 7 && x_at(folder, 0, 1) == 6 &&
                fabsf(x_at(folder, 1, 0)) <= 0);
    assert_non_null(strstr(folder->state->message, "2 of the 4 words have no vector"));
}

static void of_many_the_first_that_can_be_used_is_opened(void **given)
{
    struct folder *folder = *given;
    put_text(folder, "none.png", "no picture");
    put_rows(folder, 4);
    const char *const paths[] = {path_of(folder, "none.png"), folder->path,
                                 path_of(folder, "rows.npy"), path_of(folder, "vectors.txt")};
    app_drop_files(folder->state, paths, 4, 1);
    assert_true(x_at(folder, 3, 1) == 8);
    assert_string_equal(folder->state->message, "rows.npy is open; 3 more were left.");
    language_speak(language_find("de"));
    app_drop_files(folder->state, paths + 2, 2, 2);
    assert_string_equal(folder->state->message, "rows.npy ist offen; 1 weitere blieb liegen.");
    language_speak(NULL);
}

static void what_cannot_be_opened_is_said(void **given)
{
    struct folder *folder = *given;
    const char *path = folder->path;
    app_drop_files(folder->state, &path, 1, 1);
    assert_non_null(
        strstr(folder->state->message, "is a folder without a model: drop a file from inside it"));
    drop_file(folder, "not there.json");
    assert_non_null(strstr(folder->state->message, "not there.json"));
    const char *const two[] = {path_of(folder, "a.json"), path_of(folder, "b.json")};
    app_drop_files(folder->state, two, 2, 1);
    assert_non_null(strstr(folder->state->message, "None of these 2 files could be opened."));
    app_drop_text(folder->state, 1);
    assert_non_null(strstr(folder->state->message, "Ctrl+V"));
    assert_false(folder->state->view.can_undo);
}

/* By what is in a file, not by its name alone. */
static void a_table_is_rows_and_a_model_that_is_not_read_says_what_helps(void **given)
{
    struct folder *folder = *given;
    put_text(folder, "table.csv", "1,2\n3,4\n5,6\n7,8\n");
    drop_file(folder, "table.csv");
    assert_true(x_at(folder, 3, 1) == 8);
    document_undo(&folder->state->document, 0);
    put_text(folder, "vectors.txt", "1 2\n3 4\n5 6\n7 9\n");
    drop_file(folder, "vectors.txt");
    assert_true(x_at(folder, 3, 1) == 9);
    put_text(folder, "plain.pkl", "\x80\x02}q");
    drop_file(folder, "plain.pkl");
    assert_non_null(strstr(folder->state->message, "x = pickle.load(open(file, "));
    put_text(folder, "model.pt",
             "\x80\x02\x8a\nl\xfc\x9c"
             "F\xf9 j\xa8P\x19.");
    drop_file(folder, "model.pt");
    assert_non_null(strstr(folder->state->message, "x = torch.load(file); numpy.savez("));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_session_opens, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(rows_become_the_numbers_of_the_words, open_folder,
                                        close_folder),
        cmocka_unit_test_setup_teardown(an_array_goes_where_a_number_was_clicked, open_folder,
                                        close_folder),
        cmocka_unit_test_setup_teardown(rows_for_other_words_are_answered_and_change_nothing,
                                        open_folder, close_folder),
        cmocka_unit_test_setup_teardown(word_vectors_are_found_by_their_words, open_folder,
                                        close_folder),
        cmocka_unit_test_setup_teardown(of_many_the_first_that_can_be_used_is_opened, open_folder,
                                        close_folder),
        cmocka_unit_test_setup_teardown(what_cannot_be_opened_is_said, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(
            a_table_is_rows_and_a_model_that_is_not_read_says_what_helps, open_folder,
            close_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
