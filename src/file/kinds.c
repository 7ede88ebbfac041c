/* file/kinds.c — see kinds.h. */
#include "file/kinds.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/system/file.h"
#include "base/text.h"
#include "base/translate.h"
#include "file/json.h"
#include "file/json_arrays.h"
#include "file/npy.h"
#include "file/npz.h"
#include "file/safetensors.h"
#include "file/table.h"
#include "file/vectors.h"

/* A table begins with the names of all its columns. */
enum {
    BEGINNING = 64 << 10,
    HEAD_OF_RESULTS = 100,
    ENTRY_BYTES = 256,
    WORD_BYTES_MAX = 200,
    PATH_BYTES = 4096
};

/* ---- how a kind is recognised --------------------------------------------------------------- */

static struct bytes beginning_of(struct bytes file, size_t max_size)
{
    return (struct bytes){file.at, file.size < max_size ? file.size : max_size};
}

static size_t skip_space(struct bytes file, size_t at)
{
    while (at < file.size && file.at[at] != 0 && strchr(" \t\r\n", file.at[at]) != NULL) {
        at++;
    }
    return at;
}

/* Behind a byte-order mark and white space. */
static size_t start_of(struct bytes file)
{
    return skip_space(file, lines_start(file));
}

static bool is_npy(struct bytes file)
{
    return bytes_have(file, 0, "\x93NUMPY");
}

static bool is_archive(struct bytes file)
{
    return bytes_have(file, 0, "PK\x03\x04") || bytes_have(file, 0, "PK\x05\x06");
}

/* Its protocol, then one of the codes that objects begin with (docs.python.org: pickletools). */
static bool is_pickle(struct bytes file)
{
    static const uint8_t codes[] = {'}', ']', '(', 'c', 0x8a, 0x95};
    return file.size > 2 && file.at[0] == 0x80 && file.at[1] >= 2 && file.at[1] <= 5 &&
           memchr(codes, file.at[2], sizeof codes) != NULL;
}

/* An archive whose first member is the pickle, as torch.save writes it, or as it did before: a
 * pickle that begins with a number of ten bytes. */
static bool is_pytorch(struct bytes file)
{
    const struct bytes entry = beginning_of(file, ENTRY_BYTES);
    return (is_pickle(file) && file.at[2] == 0x8a) ||
           (is_archive(file) && bytes_find(entry, 0, "/data.pkl") < entry.size);
}

/* github.com/git-lfs/git-lfs: docs/spec.md */
static bool is_pointer(struct bytes file)
{
    return bytes_have(file, 0, "version https://git-lfs.github.com/spec/");
}

static bool is_gguf(struct bytes file)
{
    return bytes_have(file, 0, "GGUF");
}

static bool is_png(struct bytes file)
{
    return bytes_have(file, 0, "\x89PNG\r\n\x1a\n");
}

static bool is_pdf(struct bytes file)
{
    return bytes_have(file, 0, "%PDF-");
}

static bool is_webp(struct bytes file)
{
    return bytes_have(file, 0, "RIFF") && bytes_have(file, 8, "WEBP");
}

static bool is_gif(struct bytes file)
{
    return bytes_have(file, 0, "GIF8");
}

static bool is_svg(struct bytes file)
{
    const size_t at = start_of(file);
    return bytes_have(file, at, "<svg") ||
           (bytes_have(file, at, "<?xml") && bytes_find(file, 0, "<svg") < file.size);
}

/* The length of a header of safetensors may begin with a byte that is a brace. */
static bool is_object(struct bytes file)
{
    return bytes_have(file, start_of(file), "{") && !safetensors_probe(file);
}

static bool says_format(struct bytes file, const char *format)
{
    struct json *const tree = json_parse(file, NULL);
    const char *name = NULL;
    const bool says = json_text(json_member(tree, "format"), &name) && strcmp(name, format) == 0;
    json_release(tree);
    return says;
}

/* compute says so at the head; what other programs made of that, somewhere. */
static bool is_results(struct bytes file)
{
    const size_t at = is_object(file) ? bytes_find(file, 0, "\"attnscope-trace\"") : file.size;
    return at < file.size && (at < HEAD_OF_RESULTS || says_format(file, "attnscope-trace"));
}

static bool is_config(struct bytes file)
{
    static const char key[] = "\"model_type\"";
    const size_t at = is_object(file) ? bytes_find(file, 0, key) : file.size;
    return at < file.size && bytes_have(file, skip_space(file, at + sizeof key - 1), ":");
}

/* The fields of a line of text, as numbers or not. */
static bool is_number(const char *at, size_t length)
{
    char field[40];
    double value = 0;
    if (length == 0 || length >= sizeof field) {
        return false;
    }
    memcpy(field, at, length);
    field[length] = '\0';
    return text_to_double(field, &value) || strcmp(field, "nan") == 0 ||
           strcmp(field + (field[0] == '-'), "inf") == 0;
}

/* The beginning of the second row of a text (the first row may be the sizes of word vectors): a
 * number, or a word and then a number. Word vectors have no comma or semicolon between the two. */
enum text_rows { ROWS_OTHER, ROWS_OF_NUMBERS, ROWS_OF_WORDS, ROWS_OF_CELLS };

static enum text_rows rows_of(struct bytes file)
{
    const struct bytes text = beginning_of(file, BEGINNING);
    size_t at = lines_start(text);
    struct line line = {0}, row = {0};
    if (memchr(text.at, 0, text.size) != NULL) {
        return ROWS_OTHER;
    }
    for (size_t rows = 0; rows < 2 && lines_next(text, &at, &line);) {
        if (line.at[0] != '#') {
            row = line;
            rows++;
        }
    }
    size_t ends[2], fields = 0, from = 0;
    for (size_t i = 0; i <= row.length && fields < 2; i++) {
        if (i == row.length || strchr(",;\t ", row.at[i]) != NULL) {
            ends[fields++] = i;
        }
    }
    from = fields > 1 ? ends[0] + 1 : 0;
    return fields == 0                                               ? ROWS_OTHER
           : is_number(row.at, ends[0])                              ? ROWS_OF_NUMBERS
           : fields < 2 || !is_number(row.at + from, ends[1] - from) ? ROWS_OTHER
           : ends[0] > 0 && strchr(",;", row.at[ends[0]]) != NULL    ? ROWS_OF_CELLS
                                                                     : ROWS_OF_WORDS;
}

static bool is_table(struct bytes file)
{
    const enum text_rows rows = rows_of(file);
    return bytes_have(file, start_of(file), "# tokens ") || rows == ROWS_OF_NUMBERS ||
           rows == ROWS_OF_CELLS || table_probe(beginning_of(file, BEGINNING));
}

static bool is_vectors(struct bytes file)
{
    return rows_of(file) == ROWS_OF_WORDS;
}

/* ---- how its arrays are listed -------------------------------------------------------------- */

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to open this file.");
}

/* Room is doubled as more and more arrays are found. */
static bool append_array(struct file_arrays *out, struct arena *arena, const struct array *array,
                         struct error *error)
{
    struct array *list =
        (struct array *)out->array;             /* the list is the arena's, and was made here */
    if ((out->count & (out->count - 1)) == 0) { /* full at every power of two */
        list = arena_array(arena, out->count == 0 ? 1 : 2 * out->count, sizeof *list);
        if (list == NULL) {
            return no_memory(error);
        }
        if (out->count > 0) {
            memcpy(list, out->array, out->count * sizeof *list);
        }
        out->array = list;
    }
    list[out->count++] = *array;
    return true;
}

static bool list_npy(struct bytes file, struct arena *arena, struct file_arrays *out,
                     struct error *error)
{
    struct array array;
    return npy_read(file, &array, error) && append_array(out, arena, &array, error);
}

static bool list_npz(struct bytes file, struct arena *arena, struct file_arrays *out,
                     struct error *error)
{
    struct npz_list list = {.count = 0};
    const bool listed = npz_list(file, arena, &list, error);
    *out = (struct file_arrays){.array = list.array,
                                .count = list.count,
                                .texts = list.texts,
                                .text_count = list.text_count,
                                .unread = list.unread,
                                .unread_count = list.unread_count};
    return listed;
}

static bool list_safetensors(struct bytes file, struct arena *arena, struct file_arrays *out,
                             struct error *error)
{
    struct safetensors tensors;
    if (!safetensors_read(file, arena, &tensors, error)) {
        return false;
    }
    *out = (struct file_arrays){.array = tensors.tensors,
                                .count = tensors.count,
                                .unread = tensors.unread,
                                .unread_count = tensors.unread_count,
                                .note = tensors.notes,
                                .notes = tensors.note_count};
    return true;
}

static bool list_results(struct bytes file, struct arena *arena, struct file_arrays *out,
                         struct error *error)
{
    struct json *const tree = json_parse(file, error);
    void *place = NULL;
    const char *name = NULL;
    bool done = tree != NULL;
    for (const struct json *member = json_next_member(tree, &place, &name); done && member != NULL;
         member = json_next_member(tree, &place, &name)) {
        struct array array;
        if (json_kind_of(member) == JSON_KIND_ARRAY && json_floats(member, arena, &array, NULL)) {
            array.name = arena_text(arena, name, strlen(name));
            done = array.name == NULL ? no_memory(error) : append_array(out, arena, &array, error);
        }
    }
    json_release(tree);
    return done;
}

static bool list_json(struct bytes file, struct arena *arena, struct file_arrays *out,
                      struct error *error)
{
    struct json_arrays arrays;
    if (!json_arrays_read(file, arena, &arrays, error)) {
        return false;
    }
    *out = (struct file_arrays){.array = arrays.array,
                                .count = arrays.count,
                                .unread = arrays.unread,
                                .unread_count = arrays.unread_count,
                                .note = arrays.note,
                                .notes = arrays.notes};
    return true;
}

/* "# weights 1x3x3", as compute writes it before each table; false: another line. */
static bool read_heading(const struct line *line, struct arena *arena, struct array *array)
{
    char size[24];
    const char *const end = line->at + line->length;
    const char *const name = line->at + 2;
    const char *space = line->length > 2 ? memchr(name, ' ', line->length - 2) : NULL;
    if (line->length < 3 || memcmp(line->at, "# ", 2) != 0 || space == NULL) {
        return false;
    }
    *array = (struct array){.name = arena_text(arena, name, (size_t)(space - name)),
                            .type = ARRAY_FLOAT32};
    while (space < end && array->rank < ARRAY_RANK_MAX) {
        const char *const digits = space + 1;
        const char *const cross = memchr(digits, 'x', (size_t)(end - digits));
        const size_t letters = (size_t)((cross == NULL ? end : cross) - digits);
        uint64_t whole = 0;
        if (letters == 0 || letters >= sizeof size) {
            return false;
        }
        memcpy(size, digits, letters);
        size[letters] = '\0';
        if (!text_to_u64(size, &whole)) {
            return false;
        }
        array->shape[array->rank++] = (size_t)whole;
        space = cross == NULL ? end : cross;
    }
    return array->name != NULL && array->rank > 1;
}

/* "tokens" and a list of JSON, as the notes of safetensors have them. */
static bool put_note(const char **note, const char *name, const char *const *words, size_t count,
                     struct arena *arena, struct error *error)
{
    struct bytes list = {NULL, 0};
    struct json_writer json = json_writer_start(arena);
    json_put_texts(&json, words, count);
    if (!json_writer_finish(&json, &list, error)) {
        return false;
    }
    note[0] = name;
    note[1] = arena_text(arena, (const char *)list.at, list.size);
    return note[1] != NULL || no_memory(error);
}

/* One table: its numbers, the names of its rows and columns as notes. */
static bool list_table(struct bytes file, struct arena *arena, struct file_arrays *out,
                       struct error *error)
{
    struct table table;
    if (!table_read(file, arena, &table, error)) {
        return false;
    }
    const struct array array =
        array_of_floats("", 2, (size_t[]){table.rows, table.cols}, table.values);
    const char **const note = arena_array(arena, 4, sizeof *note);
    const bool rows_named = table.row_name != NULL;
    const char *const *const names = rows_named ? table.row_name : table.col_name;
    const size_t count = rows_named ? table.rows : table.cols;
    if (note == NULL) {
        return no_memory(error);
    }
    if (names != NULL && (!put_note(note, "tokens", names, count, arena, error) ||
                          !put_note(note + 2, "keys", table.col_name, table.cols, arena, error))) {
        return false;
    }
    out->note = note;
    out->notes = names == NULL ? 0 : rows_named && table.rows != table.cols ? 2 : 1;
    return append_array(out, arena, &array, error);
}

/* Of many tables the headings; of one without a heading its numbers. */
static bool list_tables(struct bytes file, struct arena *arena, struct file_arrays *out,
                        struct error *error)
{
    size_t at = lines_start(file);
    struct line line = {0};
    struct array array;
    const bool has_headings = bytes_have(file, start_of(file), "#");
    bool done = true;
    while (done && has_headings && lines_next(file, &at, &line)) {
        if (line.at[0] == '#' && read_heading(&line, arena, &array)) {
            done = append_array(out, arena, &array, error);
        }
    }
    return done && (out->count > 0 || list_table(file, arena, out, error));
}

static bool list_vectors(struct bytes file, struct arena *arena, struct file_arrays *out,
                         struct error *error)
{
    size_t at = lines_start(file), words = 0;
    struct line line = {0};
    const char *first = NULL;
    struct vectors vectors;
    while (lines_next(file, &at, &line)) {
        const char *const space = memchr(line.at, ' ', line.length);
        const size_t letters = space == NULL ? line.length : (size_t)(space - line.at);
        if (first == NULL && letters > 0 && letters < WORD_BYTES_MAX) {
            first = arena_text(arena, line.at, letters);
        }
        words++;
    }
    if (first == NULL) {
        return no_memory(error);
    }
    if (!vectors_read(file, &first, 1, arena, &vectors, error)) {
        return false;
    }
    const size_t rows = words - (vectors.found_count == 0 ? 1 : 0); /* sizes stand first */
    const struct array array = {
        .name = "", .type = ARRAY_FLOAT32, .rank = 2, .shape = {rows, vectors.dimension}};
    return append_array(out, arena, &array, error);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const char in_python[] =
    "A file of PyTorch may hold programs and is not read. In Python: x = torch.load(file); "
    "numpy.savez(\"x.npz\", **x) if it is a dict, else *x (manual, For researchers).";
static const char in_pickle[] =
    "A pickle of Python may hold programs and is not read. In Python: x = pickle.load(open(file, "
    "\"rb\")); numpy.savez(\"x.npz\", **x) if it is a dict, else *x (manual, For researchers).";
static const char in_python_folder[] =
    "The weights are in pytorch_model.bin, which may hold programs. In "
    "Python: AutoModel.from_pretrained(folder).save_pretrained(other, safe_serialization=True)";

static const struct file_kind_row table[FILE_KINDS] = {
    [FILE_PNG] = {"png", "a picture", "png", FILE_AS_LESSON, is_png, NULL, NULL},
    [FILE_SVG] = {"svg", "a picture", "svg", FILE_AS_LESSON, is_svg, NULL, NULL},
    [FILE_PDF] = {"pdf", "a picture", "pdf", FILE_AS_LESSON, is_pdf, NULL, NULL},
    [FILE_WEBP] = {"webp", "an animation", "webp", FILE_AS_LESSON, is_webp, NULL, NULL},
    [FILE_GIF] = {"gif", "an animation", "gif", FILE_AS_LESSON, is_gif, NULL, NULL},
    [FILE_POINTER] = {"pointer", "a pointer of Git LFS", "", 0, is_pointer, NULL,
                      "This only points to a file that Git LFS keeps elsewhere: “git lfs pull” "
                      "fetches it."},
    [FILE_RESULTS] = {"results", "results of attnscope", "json", 0, is_results, list_results,
                      "These are results, from which nothing can be computed again; a lesson "
                      "or a session is needed."},
    [FILE_JSON] = {"json", "arrays as JSON", "json", FILE_AS_ATTENTION, json_arrays_probe,
                   list_json, NULL},
    [FILE_CONFIG] = {"config", "the sizes of a model", "json", 0, is_config, NULL,
                     "This describes a model: open the folder that it lies in."},
    [FILE_LESSON] = {"lesson", "a lesson", "json", FILE_AS_LESSON, is_object, NULL, NULL},
    [FILE_PYTORCH] = {"pytorch", "a file of PyTorch", "pt pth bin", 0, is_pytorch, NULL, in_python},
    [FILE_PICKLE] = {"pickle", "a pickle of Python", "pkl pickle", 0, is_pickle, NULL, in_pickle},
    [FILE_GGUF] = {"gguf", "a model as GGUF", "gguf", FILE_AS_MODEL, is_gguf, NULL, NULL},
    [FILE_NPY] = {"npy", "an array of NumPy", "npy", FILE_AS_ATTENTION | FILE_AS_ROWS, is_npy,
                  list_npy,
                  "This array of NumPy is no attention (heads × queries × keys). Copy its numbers "
                  "and paste them (Ctrl+V) over a matrix, or begin with --embedding FILE."},
    [FILE_NPZ] = {"npz", "arrays of NumPy", "npz", FILE_AS_ATTENTION, is_archive, list_npz, NULL},
    [FILE_SAFETENSORS] = {"safetensors", "tensors of safetensors", "safetensors", FILE_AS_ATTENTION,
                          safetensors_probe, list_safetensors, NULL},
    [FILE_TABLE] = {"table", "tables of numbers", "csv tsv", FILE_AS_ATTENTION | FILE_AS_ROWS,
                    is_table, list_tables, NULL},
    [FILE_VECTORS] = {"vectors", "word vectors", "txt vec", FILE_AS_ROWS, is_vectors, list_vectors,
                      NULL},
    [FILE_MODEL] = {"model", "a model", "", FILE_AS_MODEL, NULL, NULL, NULL},
    [FILE_FOLDER] = {"folder", "a folder", "", 0, NULL, NULL, NULL},
};

const struct file_kind_row *file_kind_row(enum file_kind kind)
{
    return &table[kind];
}

enum file_kind file_kind_of(struct bytes file)
{
    size_t kind = file.size == 0 ? FILE_KINDS : 0;
    while (kind < FILE_KINDS && (table[kind].is == NULL || !table[kind].is(file))) {
        kind++;
    }
    return (enum file_kind)kind;
}

enum file_kind file_kind_of_beginning(struct bytes file)
{
    return file_kind_of(beginning_of(file, BEGINNING));
}

enum file_kind file_kind_of_path(const char *path)
{
    uint8_t beginning[BEGINNING];
    char config[PATH_BYTES];
    if (system_is_folder(path)) {
        const int length = snprintf(config, sizeof config, "%s/config.json", path);
        return length > 0 && (size_t)length < sizeof config && system_exists(config) ? FILE_MODEL
                                                                                     : FILE_FOLDER;
    }
    const size_t size = file_begin(path, beginning, sizeof beginning);
    return size == 0 ? FILE_KINDS : file_kind_of((struct bytes){beginning, size});
}

bool file_kind_model_folder(const char *path, char *folder, size_t size)
{
    const char *const name = file_name(path);
    const size_t before = (size_t)(name - path);
    int end = 0;
    (void)sscanf(name, "model-%*5[0-9]-of-%*5[0-9].safetensors%n", &end); /* a shard */
    const bool is_weights = (end > 0 && name[end] == '\0') ||
                            strcmp(name, "model.safetensors") == 0 ||
                            strcmp(name, "model.safetensors.index.json") == 0;
    const int length = before == 0   ? snprintf(folder, size, ".")
                       : before == 1 ? snprintf(folder, size, "/")
                                     : snprintf(folder, size, "%.*s", (int)before - 1, path);
    return is_weights && length > 0 && (size_t)length < size && system_is_regular(path) &&
           file_kind_of_path(folder) == FILE_MODEL;
}

bool file_kind_opens(enum file_kind kind, unsigned as)
{
    return kind < FILE_KINDS && (table[kind].as & as) != 0;
}

/* The suffix at the index in a list; false: there are fewer. */
static bool suffix_at(const char *list, size_t index, char suffix[FILE_SUFFIX_MAX])
{
    while (*list != '\0') {
        const size_t letters = strcspn(list, " ");
        if (index-- == 0) {
            snprintf(suffix, FILE_SUFFIX_MAX, "%.*s", (int)letters, list);
            return true;
        }
        list += letters + strspn(list + letters, " ");
    }
    return false;
}

bool file_kind_has_suffix(enum file_kind kind, const char *name)
{
    char suffix[FILE_SUFFIX_MAX];
    const char *const dot = strrchr(name, '.');
    bool has = false;
    for (size_t s = 0; dot != NULL && !has && suffix_at(table[kind].suffixes, s, suffix); s++) {
        has = strcmp(dot + 1, suffix) == 0;
    }
    return has;
}

static bool is_listed_before(size_t kind, const char *suffix)
{
    char other[FILE_SUFFIX_MAX];
    bool listed = false;
    for (size_t k = 0; k < kind; k++) {
        for (size_t s = 0; table[k].as != 0 && suffix_at(table[k].suffixes, s, other); s++) {
            listed = listed || strcmp(other, suffix) == 0;
        }
    }
    return listed;
}

const char *file_kind_suffix_at(size_t index, char suffix[FILE_SUFFIX_MAX])
{
    for (size_t kind = 0; kind < FILE_KINDS; kind++) {
        for (size_t s = 0; table[kind].as != 0 && suffix_at(table[kind].suffixes, s, suffix); s++) {
            if (!is_listed_before(kind, suffix) && index-- == 0) {
                return suffix;
            }
        }
    }
    return NULL;
}

const char *file_kind_refusal(enum file_kind kind, const char *path)
{
    static const char saved[] = "pytorch_model"; /* so transformers calls it, or its parts */
    const char *const slash = strrchr(path, '/');
    const char *const name = slash == NULL ? path : slash + 1;
    const bool of_folder = strncmp(name, saved, sizeof saved - 1) == 0;
    return kind == FILE_KINDS                  ? NULL
           : kind == FILE_PYTORCH && of_folder ? in_python_folder
                                               : table[kind].refusal;
}

/* Returns what can be said of a file of no kind: by what it begins with, else by what it is called.
 * NULL: nothing. */
static const char *what_is_wrong(const char *path)
{
    uint8_t first[2] = {0, 0};
    struct system_facts facts;
    const size_t count = file_begin(path, first, sizeof first);
    const bool utf16 =
        (first[0] == 0xff && first[1] == 0xfe) || (first[0] == 0xfe && first[1] == 0xff);
    if (count == 0) {
        return system_path_facts(path, &facts) && facts.kind == SYSTEM_REGULAR && facts.size == 0 &&
                       system_may_read(path)
                   ? "It is empty."
                   : NULL;
    }
    return utf16 ? "It is a text in UTF-16: save it as UTF-8."
           : file_kind_has_suffix(FILE_GGUF, path)
               ? "It is no GGUF, though it is called so: it does not begin with GGUF."
           : file_kind_has_suffix(FILE_TABLE, path)
               ? "It is no table of weights: a row a query, a column a key, a number in each "
                 "cell, and at most a line and a column of names."
               : NULL;
}

bool file_kind_check(const char *path, enum file_kind kind, struct error *error)
{
    const char *const wrong = kind == FILE_KINDS ? what_is_wrong(path) : NULL;
    if (wrong != NULL) {
        return error_set(error, ERROR_INPUT, "%s: %s", path, tr(wrong));
    }
    const char *const refusal = file_kind_refusal(kind, path);
    return refusal == NULL || table[kind].as != 0 ||
           error_set(error, ERROR_INPUT, "%s: %s", path, tr(refusal));
}

bool file_kind_read_array(struct bytes file, struct arena *arena, struct array *out,
                          struct error *error)
{
    struct table one;
    if (file_kind_of(file) != FILE_TABLE) {
        return npy_read(file, out, error);
    }
    const bool read = table_read(file, arena, &one, error);
    *out = read ? array_of_floats("", 2, (size_t[]){one.rows, one.cols}, one.values) : *out;
    return read;
}
