/* cli/answer.c — answers as JSON, arrays and tables. */
#include "cli/answer.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "cli/calls.h"
#include "file/csv.h"

struct cli_answer cli_answer_start(struct arena *arena)
{
    return (struct cli_answer){.arena = arena, .json = json_writer_start(arena)};
}

/* ---- what is in it --------------------------------------------------------------------------- */

void cli_answer_add_column(struct cli_answer *answer, const char *head, bool is_text)
{
    if (answer->columns < CLI_ANSWER_COLUMNS) {
        answer->is_text[answer->columns] = is_text;
        answer->heads[answer->columns++] = head;
    }
}

void cli_answer_put_text(struct cli_answer *answer, const char *text)
{
    if (answer->cell_count == answer->cell_room) {
        const size_t room = 2 * answer->cell_room + 64;
        const char **const cells = arena_array(answer->arena, room, sizeof *cells);
        if (cells == NULL) {
            return; /* the arena knows, and the writer asks it */
        }
        if (answer->cell_count > 0) {
            memcpy(cells, answer->cells, answer->cell_count * sizeof *cells);
        }
        answer->cells = cells;
        answer->cell_room = room;
    }
    answer->cells[answer->cell_count++] = text == NULL ? "" : text;
}

void cli_answer_put_number(struct cli_answer *answer, double value)
{
    char text[TEXT_NUMBER_MAX];
    const char *const shown = isnan(value) ? "" : text_number_exact(text, (float)value);
    cli_answer_put_text(answer, arena_format(answer->arena, "%s", shown));
}

/* Returns a dense view of numbers of 8 or 4 bytes. */
static void add_array(struct cli_answer *answer, struct array array)
{
    if (answer->arrays < CLI_ANSWER_ARRAYS) {
        answer->array[answer->arrays++] = array;
    }
}

static size_t count_of(size_t rank, const size_t *shape)
{
    size_t count = 1;
    for (size_t a = 0; a < rank; a++) {
        count *= shape[a];
    }
    return count;
}

float *cli_answer_add_floats(struct cli_answer *answer, const char *name, size_t rank,
                             const size_t *shape)
{
    float *const values = arena_array(answer->arena, count_of(rank, shape) + 1, sizeof *values);
    if (values != NULL) {
        add_array(answer, array_of_floats(name, rank, shape, values));
    }
    return values;
}

int64_t *cli_answer_add_ids(struct cli_answer *answer, const char *name, size_t rank,
                            const size_t *shape)
{
    const size_t count = count_of(rank, shape);
    int64_t *const values = arena_array(answer->arena, count + 1, sizeof *values);
    if (values == NULL) {
        return NULL;
    }
    struct array array = array_of_whole_numbers(name, count, values);
    ptrdiff_t stride = (ptrdiff_t)sizeof *values;
    array.rank = rank;
    for (size_t a = rank; a-- > 0;) {
        array.shape[a] = shape[a];
        array.strides[a] = stride;
        stride *= (ptrdiff_t)shape[a];
    }
    add_array(answer, array);
    return values;
}

/* ---- formats --------------------------------------------------------------------------------- */

static bool write_json(struct cli_answer *answer, struct growing *out, struct error *error)
{
    struct bytes content;
    if (!json_writer_finish(&answer->json, &content, error)) {
        return false;
    }
    growing_put(out, content.at, content.size);
    return true;
}

static bool write_npz(struct cli_answer *answer, struct growing *out, struct error *error)
{
    return npz_put(out, answer->array, answer->arrays, &answer->tokens,
                   answer->tokens.count > 0 ? 1 : 0, error);
}

/* Appends a text with each of the letters that are special as what stands for it. */
static void put_escaped(struct growing *out, const char *text, const char *const (*pairs)[2])
{
    while (*text != '\0') {
        size_t p = 0;
        while (pairs[p][0] != NULL && strncmp(text, pairs[p][0], strlen(pairs[p][0])) != 0) {
            p++;
        }
        if (pairs[p][0] != NULL) {
            growing_put_text(out, pairs[p][1]);
            text += strlen(pairs[p][0]);
        } else {
            growing_put_byte(out, *text++);
        }
    }
}

/* Appends a cell, rounded for people where it is a number. */
static void put_cell(struct growing *out, const struct cli_answer *answer, size_t cell,
                     const char *const (*pairs)[2])
{
    char text[TEXT_NUMBER_MAX];
    double value = 0;
    const char *const content = answer->cells[cell];
    if (!answer->is_text[cell % answer->columns] && text_to_double(content, &value)) {
        const double size = fabs(value);
        const bool whole = size < 1e15 && !(floor(value) < value);
        put_escaped(out, whole ? content : text_small_number(text, value, size < 10 ? 4 : 2),
                    pairs);
        return;
    }
    put_escaped(out, content, pairs);
}

static bool write_csv(struct cli_answer *answer, struct growing *out, struct error *error)
{
    (void)error;
    csv_put_record(out, answer->heads, answer->columns);
    for (size_t c = 0; c + answer->columns <= answer->cell_count; c += answer->columns) {
        for (size_t i = 0; i < answer->columns; i++) {
            if (answer->is_text[i]) {
                answer->cells[c + i] = cli_escape_csv(answer->cells[c + i], answer->arena);
            }
        }
        csv_put_record(out, answer->cells + c, answer->columns);
    }
    return true;
}

static bool write_latex(struct cli_answer *answer, struct growing *out, struct error *error)
{
    static const char *const pairs[][2] = {{"\\", "\\textbackslash{}"},
                                           {"&", "\\&"},
                                           {"%", "\\%"},
                                           {"$", "\\$"},
                                           {"#", "\\#"},
                                           {"_", "\\_"},
                                           {"{", "\\{"},
                                           {"}", "\\}"},
                                           {"~", "\\textasciitilde{}"},
                                           {"^", "\\textasciicircum{}"},
                                           {"␣", "\\textvisiblespace{}"},
                                           {"−", "$-$"},
                                           {NULL, NULL}};
    (void)error;
    growing_put_text(out, "\\begin{tabular}{");
    for (size_t i = 0; i < answer->columns; i++) {
        growing_put_byte(out, answer->is_text[i] ? 'l' : 'r');
    }
    growing_put_text(out, "}\n\\hline\n");
    for (size_t i = 0; i < answer->columns; i++) {
        put_escaped(out, answer->heads[i], pairs);
        growing_put_text(out, i + 1 < answer->columns ? " & " : " \\\\\n\\hline\n");
    }
    for (size_t c = 0; c < answer->cell_count; c++) {
        put_cell(out, answer, c, pairs);
        growing_put_text(out, c % answer->columns + 1 < answer->columns ? " & " : " \\\\\n");
    }
    growing_put_text(out, "\\hline\n\\end{tabular}\n");
    return true;
}

static bool write_markdown(struct cli_answer *answer, struct growing *out, struct error *error)
{
    static const char *const pairs[][2] = {{"|", "\\|"}, {"\\", "\\\\"}, {"`", "\\`"}, {"*", "\\*"},
                                           {"_", "\\_"}, {"<", "&lt;"},  {NULL, NULL}};
    (void)error;
    growing_put_text(out, "|");
    for (size_t i = 0; i < answer->columns; i++) {
        growing_put_text(out, " ");
        put_escaped(out, answer->heads[i], pairs);
        growing_put_text(out, " |");
    }
    growing_put_text(out, "\n|");
    for (size_t i = 0; i < answer->columns; i++) {
        growing_put_text(out, answer->is_text[i] ? " --- |" : " ---: |");
    }
    for (size_t c = 0; c < answer->cell_count; c++) {
        growing_put_text(out, c % answer->columns == 0 ? "\n| " : " ");
        put_cell(out, answer, c, pairs);
        growing_put_text(out, " |");
    }
    growing_put_text(out, "\n");
    return true;
}

static const struct {
    const char *name, *suffix;
    bool (*write)(struct cli_answer *answer, struct growing *out, struct error *error);
    bool is_binary;
} formats[] = {
    {"json", "json", write_json, false},       {"npz", "npz", write_npz, true},
    {"csv", "csv", write_csv, false},          {"latex", "tex", write_latex, false},
    {"markdown", "md", write_markdown, false},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

const char *cli_answer_format_name(size_t index)
{
    return index < FORMATS ? formats[index].name : NULL;
}

/* Finds the format, by default JSON; FORMATS: the suffix belongs to none. */
static size_t format_of(const struct cli_options *options)
{
    const struct cli_value *const given = &options->value[CLI_ANSWER];
    const char *const path = options->value[CLI_OUT].text;
    const char *const suffix = path == NULL ? "" : cli_suffix_of(path);
    size_t format = 0;
    if (given->given || suffix[0] == '\0') {
        return given->given ? (size_t)given->whole : 0;
    }
    while (format < FORMATS && strcmp(formats[format].suffix, suffix) != 0) {
        format++;
    }
    return format;
}

bool cli_answer_check(const struct cli_options *options, struct error *error)
{
    const char *const path = options->value[CLI_OUT].text;
    const size_t format = format_of(options);
    if (format == FORMATS) {
        return error_set(error, ERROR_USAGE,
                         "This call writes no files called .%.20s: end the name in .json, .npz, "
                         ".csv, .tex or .md, or say --format.",
                         cli_suffix_of(path));
    }
    return path == NULL || !options->value[CLI_ANSWER].given ||
           cli_check_suffix(path, formats[format].name, formats[format].suffix, error);
}

bool cli_answer_write(const struct cli_options *options, struct cli_answer *answer,
                      struct error *error)
{
    const char *const path = options->value[CLI_OUT].text;
    const size_t format = format_of(options);
    struct cli_sink sink;
    struct bytes rest;
    if (answer->arena->lacking) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the answer.");
    }
    if (!cli_sink_open(&sink, path == NULL ? "-" : path, formats[format].is_binary, error)) {
        return false;
    }
    struct growing out = growing_start(answer->arena);
    out.sink = &sink.to;
    const bool done = (!formats[format].is_binary || file_writer_hold(sink.writer)) &&
                      formats[format].write(answer, &out, error) &&
                      growing_finish(&out, &rest, error);
    return cli_sink_close(&sink, done, error);
}
