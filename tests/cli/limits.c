/* Every limit that --limits prints: so much is taken, and one more is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/actions/startup.h"
#include "app/document/state.h"
#include "canvas/draw/canvas.h"
#include "canvas/render/render.h"
#include "cli/limits.h"
#include "cli/options.h"
#include "file/json.h"
#include "file/npy.h"
#include "file/npz.h"
#include "file/pasted.h"
#include "file/safetensors.h"
#include "file/vectors.h"
#include "limits_gguf.h"
#include "limits_lab.h"
#include "limits_model.h"

static struct bytes of_text(const char *text, size_t size)
{
    return (struct bytes){(const uint8_t *)text, size};
}

/* A text of so many letters, and a 0; the caller frees it. */
static char *repeat_letter(size_t count, int letter)
{
    char *const text = malloc(count + 1);
    assert_non_null(text);
    memset(text, letter, count);
    text[count] = '\0';
    return text;
}

static bool takes_words(size_t count)
{
    const char **const word = malloc(count * sizeof *word);
    struct lab_experiment experiment;
    assert_non_null(word);
    assert_true(lab_experiment_default(&experiment, NULL));
    for (size_t w = 0; w < count; w++) {
        word[w] = "a";
    }
    const bool taken = lab_experiment_set_tokens(&experiment, word, count, NULL) &&
                       lab_words_count(experiment.tokens) == count;
    lab_experiment_release(&experiment);
    free(word);
    return taken;
}

/* One word of one letter, behind white space. */
static bool takes_text(size_t count)
{
    struct app_state *const state = calloc(1, sizeof *state);
    char *const typed = repeat_letter(count, ' ');
    typed[count - 1] = 'b';
    assert_non_null(state);
    assert_true(app_state_open(state, "cats", NULL, NULL));
    const struct view_action action = {.kind = VIEW_ACTION_INSERT, .token = {.text = typed}};
    app_state_apply(state, &action, 1);
    const bool taken = lab_words_count(state->document.experiment.tokens) == 5;
    app_state_close(state);
    free(state);
    free(typed);
    return taken;
}

static bool takes_heads(size_t count)
{
    struct lab_experiment experiment;
    assert_true(lab_experiment_default(&experiment, NULL));
    experiment.heads = count;
    experiment.d_k = experiment.d_v = 1;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    const bool taken = lab_experiment_check(&experiment, NULL);
    lab_experiment_release(&experiment);
    return taken;
}

static bool takes_sizes(size_t count)
{
    struct lab_experiment experiment;
    assert_true(lab_experiment_default(&experiment, NULL));
    experiment.d_k = count;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    const bool taken = lab_experiment_check(&experiment, NULL);
    lab_experiment_release(&experiment);
    return taken;
}

/* Says whether so many changes can all be taken back. */
static bool takes_changes(size_t count)
{
    struct app_state *const state = calloc(1, sizeof *state);
    assert_non_null(state);
    assert_true(app_state_open(state, "cats", NULL, NULL));
    struct lab_experiment first, next;
    lab_experiment_copy(&first, &state->document.experiment);
    for (size_t c = 0; c < count; c++) {
        lab_experiment_copy(&next, &state->document.experiment);
        next.seed = c + 1000;
        document_change(&state->document, &next, "seed", (double)c * 10);
        lab_experiment_release(&next);
    }
    for (size_t c = 0; c < count; c++) {
        document_undo(&state->document, 0);
    }
    const bool all = lab_experiment_equal(&first, &state->document.experiment);
    lab_experiment_release(&first);
    app_state_close(state);
    free(state);
    return all;
}

static bool takes_picture(size_t side)
{
    struct arena arena = {0};
    struct bytes png;
    struct fonts *const fonts = fonts_open(NULL);
    struct canvas *const canvas = canvas_open(fonts);
    struct render_cairo *const player = render_cairo_open(fonts, NULL);
    canvas_begin(canvas, (float)side, 2);
    const bool drawn =
        render_png(player, canvas, &(struct render_figure){.scale = 1}, &arena, &png, NULL);
    render_cairo_close(player);
    canvas_close(canvas);
    fonts_close(fonts);
    arena_free(&arena);
    return drawn;
}

static bool is_json(char *text, size_t size)
{
    struct json *const tree = json_parse(of_text(text, size), NULL);
    const bool parsed = tree != NULL;
    json_release(tree);
    free(text);
    return parsed;
}

static bool json_bytes(size_t count)
{
    char *const text = repeat_letter(count, ' ');
    text[0] = '1';
    return is_json(text, count);
}

static bool json_depth(size_t count)
{
    char *const text = repeat_letter(2 * count, '[');
    memset(text + count, ']', count);
    return is_json(text, 2 * count);
}

static bool number_letters(size_t count)
{
    char *const text = repeat_letter(count, '1');
    text[1] = '.';
    return is_json(text, count);
}

static bool json_text_bytes(size_t count)
{
    char *const text = repeat_letter(count + 2, 'a');
    text[0] = text[count + 1] = '"';
    return is_json(text, count + 2);
}

/* So many would take a gigabyte if they were all made: what follows them is wrong, and it is that
 * which must be said. */
static bool json_numbers(size_t count)
{
    char *const text = repeat_letter(count + 2, ',');
    struct error error = {ERROR_NONE, 0, ""};
    text[0] = '?';
    assert_null(json_parse(of_text(text, count + 1), &error));
    free(text);
    return strstr(error.text, "one value too many") == NULL;
}

/* Of a lesson: what else is wrong with it is said where the list is short enough. */
static bool list_elements(size_t count)
{
    char *const text = repeat_letter(2 * count + 1, '1');
    struct lab_lesson lesson;
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    for (size_t c = 0; c < count; c++) {
        text[2 * c] = ',';
    }
    text[0] = '[';
    text[2 * count] = ']';
    assert_false(lab_lesson_parse(of_text(text, 2 * count + 1), &arena, &lesson, &error));
    arena_free(&arena);
    free(text);
    return strstr(error.text, "longer than any") == NULL;
}

/* An npy of one number, of so many dimensions, its header that long (0: as long as it is). */
static bool npy_of(size_t rank, size_t header)
{
    char shape[256] = "";
    for (size_t d = 0; d < rank; d++) {
        strcat(shape, "1,");
    }
    char said[512];
    const int length = snprintf(said, sizeof said,
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }", shape);
    const size_t all = header > 0 ? header : (size_t)length + 1;
    const size_t size = 12 + all + 4;
    uint8_t *const file = calloc(1, size);
    assert_non_null(file);
    memcpy(file, "\x93NUMPY\x02", 8);
    for (size_t b = 0; b < 4; b++) {
        file[8 + b] = (uint8_t)(all >> (8 * b));
    }
    memset(file + 12, ' ', all);
    memcpy(file + 12, said, (size_t)length);
    file[12 + all - 1] = '\n';
    struct array array;
    const bool read = npy_read((struct bytes){file, size}, &array, NULL);
    free(file);
    return read;
}

static bool takes_dimensions(size_t count)
{
    return npy_of(count, 0);
}

static bool npy_header(size_t count)
{
    return npy_of(2, count);
}

static bool takes_members(size_t count)
{
    static const float number = 1;
    struct arena arena = {0};
    struct bytes file;
    struct array *const array = arena_array(&arena, count, sizeof *array);
    const struct array *read = NULL;
    size_t arrays = 0;
    assert_non_null(array);
    for (size_t a = 0; a < count; a++) {
        array[a] = array_of_floats(arena_format(&arena, "a%zu", a), 1, (size_t[]){1}, &number);
    }
    assert_true(npz_write(array, count, &arena, &file, NULL));
    const bool taken = npz_read(file, &arena, &read, &arrays, NULL) && arrays == count;
    arena_free(&arena);
    return taken;
}

/* A safetensors file of so many tensors of a byte each; name: of the first. */
static bool tensors_of(size_t count, const char *name)
{
    enum { EACH = 96 };
    const size_t room = count * EACH + strlen(name) + 64;
    char *const text = repeat_letter(room + count, ' ');
    size_t at = 8;
    for (size_t t = 0; t < count; t++) {
        at += (size_t)snprintf(
            text + at, room - at,
            "%s\"%s%zu\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[%zu,%zu]}",
            t == 0 ? "{" : ",", t == 0 ? name : "t", t, t, t + 1);
    }
    text[at++] = '}';
    for (size_t b = 0; b < 8; b++) {
        text[b] = (char)(uint8_t)((at - 8) >> (8 * b));
    }
    struct arena arena = {0};
    struct safetensors tensors;
    const bool read = safetensors_read(of_text(text, at + count), &arena, &tensors, NULL);
    arena_free(&arena);
    free(text);
    return read;
}

static bool takes_tensors(size_t count)
{
    return tensors_of(count, "a");
}

static bool tensor_name(size_t count)
{
    char *const name = repeat_letter(count - 1, 'n'); /* a digit comes behind it */
    const bool taken = tensors_of(1, name);
    free(name);
    return taken;
}

static const char one_tensor[] = "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";

/* `text`: 8 bytes for the length, a header of so many, one byte; freed here. */
static bool reads_tensors(char *text, size_t count)
{
    struct arena arena = {0};
    struct safetensors tensors;
    for (size_t b = 0; b < 8; b++) {
        text[b] = (char)(uint8_t)(count >> (8 * b));
    }
    const bool read = safetensors_read(of_text(text, 8 + count + 1), &arena, &tensors, NULL);
    arena_free(&arena);
    free(text);
    return read;
}

static bool tensor_header(size_t count)
{
    char *const text = repeat_letter(8 + count + 1, ' ');
    text[8] = '{';
    memcpy(text + 9, one_tensor, sizeof one_tensor - 1);
    return reads_tensors(text, count);
}

static bool tensor_note(size_t count)
{
    static const char begin[] = "{\"__metadata__\":{\"note\":\"", end[] = "\"},";
    const size_t size = sizeof begin + sizeof end + sizeof one_tensor - 3 + count;
    char *const text = repeat_letter(8 + size + 1, 'n');
    memcpy(text + 8, begin, sizeof begin - 1);
    memcpy(text + 8 + sizeof begin - 1 + count, end, sizeof end - 1);
    memcpy(text + 8 + size - (sizeof one_tensor - 1), one_tensor, sizeof one_tensor - 1);
    return reads_tensors(text, size);
}

static bool takes_vector(size_t count)
{
    static const char *const wanted[] = {"cat"};
    char *const text = repeat_letter(3 + 2 * count, '1');
    struct arena arena = {0};
    struct vectors vectors;
    memcpy(text, "cat", 3);
    for (size_t v = 0; v < count; v++) {
        text[3 + 2 * v] = ' ';
    }
    const bool taken =
        vectors_read(of_text(text, 3 + 2 * count), wanted, 1, &arena, &vectors, NULL);
    arena_free(&arena);
    free(text);
    return taken;
}

static bool is_pasted(char *text, size_t size)
{
    struct arena arena = {0};
    struct pasted pasted;
    const bool taken = pasted_read(of_text(text, size), &arena, &pasted, NULL);
    arena_free(&arena);
    free(text);
    return taken;
}

static bool pasted_bytes(size_t count)
{
    char *const text = repeat_letter(count, ' ');
    text[0] = '1';
    text[2] = '2';
    return is_pasted(text, count);
}

static bool pasted_numbers(size_t count)
{
    char *const text = repeat_letter(2 * count, ' ');
    for (size_t n = 0; n < count; n++) {
        text[2 * n] = '1';
    }
    return is_pasted(text, 2 * count);
}

/* Says whether a call takes an option so many times. */
static bool takes_option(const char *option, const char *value, size_t count)
{
    char **const argument = calloc(2 * count + 3, sizeof *argument);
    struct cli_options options;
    struct error error = {ERROR_NONE, 0, ""};
    assert_non_null(argument);
    argument[0] = (char *)"attnscope";
    argument[1] = (char *)"render";
    for (size_t a = 0; a < count; a++) {
        argument[2 + 2 * a] = (char *)option;
        argument[3 + 2 * a] = (char *)value;
    }
    const bool taken =
        cli_options_read(&options, CALL_RENDER, (int)(2 * count + 2), argument, 2, &error);
    assert_true(taken || strstr(error.text, "At most") != NULL);
    free(argument);
    return taken;
}

static bool takes_interventions(size_t count)
{
    return takes_option("--without", "L0H0", count);
}

static bool takes_files(size_t count)
{
    return takes_option("-o", "a.png", count);
}

static const struct {
    const char *what;
    bool (*takes)(size_t count); /* NULL: it is tested where that says */
    const char *where;
} checks[] = {
    {"words on screen", takes_words, NULL},
    {"bytes of text taken at once", takes_text, NULL},
    {"heads of an experiment", takes_heads, NULL},
    {"d_model, d_k and d_v", takes_sizes, NULL},
    {"changes that can be undone", takes_changes, NULL},
    {"megabytes of former experiments", NULL, "tests/app/history.c"},
    {"pixels a side of a picture", takes_picture, NULL},
    {"numbers typed by hand", takes_typed_numbers, NULL},
    {"bytes of a word", takes_word_bytes, NULL},
    {"bytes of a file of text", NULL, "tests/cli/troubles.c"},
    {"bytes of a session or a lesson", takes_lesson_bytes, NULL},
    {"elements of a list in it", list_elements, NULL},
    {"steps of a lesson", takes_steps, NULL},
    {"bytes of a caption", takes_caption_bytes, NULL},
    {"bytes of other JSON", json_bytes, NULL},
    {"depth of JSON", json_depth, NULL},
    {"letters of a number in JSON", number_letters, NULL},
    {"bytes of a text in JSON", json_text_bytes, NULL},
    {"numbers in JSON (a list counts as 3)", json_numbers, NULL},
    {"dimensions of an array", takes_dimensions, NULL},
    {"bytes of an npy header", npy_header, NULL},
    {"letters of a text in an npy", takes_text_letters, NULL},
    {"members of an npz", takes_members, NULL},
    {"times a packed member may grow", takes_growth, NULL},
    {"megabytes that are unpacked", takes_unpacked, NULL},
    {"arrays of a file of attention", takes_attention_arrays, NULL},
    {"heads of a file of attention", takes_attention_heads, NULL},
    {"bytes of its file of tokens", takes_token_file, NULL},
    {"bytes of a safetensors header", tensor_header, NULL},
    {"tensors of a safetensors file", takes_tensors, NULL},
    {"bytes of a tensor's name", tensor_name, NULL},
    {"bytes of a note on tensors", tensor_note, NULL},
    {"keys of a GGUF", takes_gguf_keys, NULL},
    {"bytes of a key", takes_gguf_key_bytes, NULL},
    {"bytes of a text in a GGUF", takes_gguf_text, NULL},
    {"items of a list in a GGUF", takes_gguf_items, NULL},
    {"lists in each other in a GGUF", takes_gguf_lists, NULL},
    {"bytes of alignment of a GGUF", takes_gguf_alignment, NULL},
    {"tensors of a GGUF", takes_gguf_tensors, NULL},
    {"bytes of a tensor's name in a GGUF", takes_gguf_name, NULL},
    {"dimensions of a tensor in a GGUF", takes_gguf_dimensions, NULL},
    {"files of a split GGUF", takes_gguf_files, NULL},
    {"numbers of a word vector", takes_vector, NULL},
    {"files of a model's weights", NULL, "tests/model/damaged.c"},
    {"entries of a vocabulary", takes_vocabulary_entries, NULL},
    {"merges", takes_merges, NULL},
    {"bytes of a vocabulary's token", takes_token_bytes, NULL},
    {"ids of a vocabulary", takes_token_id, NULL},
    {"bytes of a line of merges", takes_merge_line, NULL},
    {"added tokens", takes_added_tokens, NULL},
    {"bytes of a pasted matrix", pasted_bytes, NULL},
    {"numbers of a pasted matrix", pasted_numbers, NULL},
    {"interventions of a call", takes_interventions, NULL},
    {"files of a call (-o)", takes_files, NULL},
};

static void so_much_is_taken_and_one_more_is_not(void **state)
{
    (void)state;
    size_t l = 0;
    for (; cli_limit_at(l) != NULL; l++) {
        const struct cli_limit *const limit = cli_limit_at(l);
        assert_true(l < sizeof checks / sizeof checks[0]);
        assert_string_equal(limit->what, checks[l].what);
        if (checks[l].takes != NULL && !checks[l].takes(limit->most)) {
            fail_msg("%zu %s are not taken", limit->most, limit->what);
        }
        if (checks[l].takes != NULL && checks[l].takes(limit->most + 1)) {
            fail_msg("%zu %s are taken", limit->most + 1, limit->what);
        }
    }
    assert_int_equal(l, sizeof checks / sizeof checks[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(so_much_is_taken_and_one_more_is_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
