/* base/po_compile.c — catalogues (.po, as gettext's tools write them) become constant tables when
 * the program is built. Usage: po_compile table.c de.po zh_CN.po …
 *
 * A text with a number has an English plural and, of each language, as many forms as Plural-Forms
 * in its header counts; which one goes with a number is its expression, compiled as it stands.
 *
 * Refused, by file and line: a text without translation or with two, other printf conversions than
 * the English text has, other numbers of forms, and texts of one catalogue that another lacks. What
 * lessons say is marked "no-c-format", as gettext has it: its percent signs are prose, and it must
 * name the same numbers as the English text, in whatever order. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES_MAX = 8192, TEXT_MAX = 4096, NAME_MAX_BYTES = 64, RULE_MAX = 256, FORMS_MAX = 6 };

struct entry {
    char *english, *words[FORMS_MAX]; /* unescaped */
    size_t forms;
    size_t line;
};

struct catalogue {
    const char *path;
    char code[NAME_MAX_BYTES], name[NAME_MAX_BYTES], in_english[NAME_MAX_BYTES];
    char fonts[NAME_MAX_BYTES]; /* the package that has its letters; "": none is needed */
    char plural[RULE_MAX];      /* an expression of n, as C has it */
    size_t forms;               /* of a text with a number */
    struct entry *entry;
    size_t entries;
};

static bool report_refusal(const struct catalogue *catalogue, size_t line, const char *why,
                           const char *text)
{
    fprintf(stderr, "%s:%zu: %s: \"%s\"\n", catalogue->path, line, why, text);
    return false;
}

static char *copy_text(const char *text)
{
    char *const made = malloc(strlen(text) + 1);
    if (made == NULL) {
        perror("po_compile");
        exit(EXIT_FAILURE);
    }
    return strcpy(made, text);
}

/* Appends what stands between the quotes of a line. False: there are none, or it is too long. */
static bool read_quoted(const char *line, char text[TEXT_MAX])
{
    size_t length = strlen(text);
    const char *at = strchr(line, '"');
    if (at == NULL) {
        return false;
    }
    for (at++; *at != '"' && *at != '\0' && length + 1 < TEXT_MAX; at++) {
        if (*at == '\\') {
            at++;
            text[length++] = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
        } else {
            text[length++] = *at;
        }
    }
    text[length] = '\0';
    return *at == '"';
}

/* --- what printf makes of a text --- */

/* The conversions in order: flags and widths are the translator's, types are not. "%.0s" is how a
 * language drops a word it does not need. */
static void list_conversions(const char *text, char found[TEXT_MAX])
{
    size_t length = 0;
    for (const char *at = strchr(text, '%'); at != NULL; at = strchr(at + 1, '%')) {
        at++;
        if (*at == '%') {
            continue;
        }
        for (; *at != '\0' && strchr("0123456789.+-# '*", *at) != NULL; at++) {
            if (*at == '*') {
                found[length++] = '*';
            }
        }
        while (*at != '\0' && strchr("hlzjtL", *at) != NULL) {
            found[length++] = *at++;
        }
        if (*at == '\0') {
            break;
        }
        found[length++] = *at;
        found[length++] = ' ';
    }
    found[length] = '\0';
}

/* A percent sign of prose ("5 % of") is in the English text too, and printf never sees it. */
static bool same_conversions(const char *english, const char *words)
{
    char a[TEXT_MAX], b[TEXT_MAX];
    list_conversions(english, a);
    list_conversions(words, b);
    return strcmp(a, b) == 0;
}

/* The next number of a text as it is written, "7" or "7.25", and its length. NULL: there is none.
 */
static const char *next_number(const char *text, size_t *length)
{
    static const char digits[] = "0123456789";
    const char *const at = strpbrk(text, digits);
    if (at != NULL) {
        *length = strspn(at, digits);
        const size_t decimals = at[*length] == '.' ? strspn(at + *length + 1, digits) : 0;
        *length += decimals > 0 ? decimals + 1 : 0;
    }
    return at;
}

static size_t count_number(const char *text, const char *number, size_t length)
{
    size_t count = 0, size;
    for (const char *at = text; (at = next_number(at, &size)) != NULL; at += size) {
        count += size == length && strncmp(at, number, length) == 0;
    }
    return count;
}

/* Returns whether the second text names every number of the first, as often. */
static bool names_numbers_of(const char *words, const char *english)
{
    size_t length;
    for (const char *at = english; (at = next_number(at, &length)) != NULL; at += length) {
        if (count_number(words, at, length) != count_number(english, at, length)) {
            return false;
        }
    }
    return true;
}

/* --- one catalogue --- */

enum text_kind { TEXT_OF_PRINTF, TEXT_OF_LESSON };

static void read_header(struct catalogue *catalogue, const char *header)
{
    static const char *const fields[] = {"Language: ", "X-Name: ", "X-English: ", "X-Fonts: "};
    char *const into[] = {catalogue->code, catalogue->name, catalogue->in_english,
                          catalogue->fonts};
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        const char *const at = strstr(header, fields[f]);
        if (at != NULL) {
            const char *const value = at + strlen(fields[f]);
            snprintf(into[f], NAME_MAX_BYTES, "%.*s", (int)strcspn(value, "\n"), value);
        }
    }
}

/* "nplurals=2; plural=(n != 1);". False: it is no expression of n. */
static bool read_plural_forms(struct catalogue *catalogue, const char *header)
{
    const char *const forms = strstr(header, "nplurals=");
    const char *const rule = forms == NULL ? NULL : strstr(forms, "plural=");
    if (rule == NULL) {
        return false;
    }
    const char *const expression = rule + strlen("plural=");
    const size_t length = strcspn(expression, ";\n");
    catalogue->forms = (size_t)strtoul(forms + strlen("nplurals="), NULL, 10);
    snprintf(catalogue->plural, RULE_MAX, "%.*s", (int)length, expression);
    return catalogue->forms >= 1 && catalogue->forms <= FORMS_MAX && length > 0 &&
           length < RULE_MAX && strspn(catalogue->plural, "n0123456789()?:!=<>&|% ") == length;
}

/* A text and its translation, as lines are read. */
struct pair {
    char english[TEXT_MAX], many[TEXT_MAX], words[FORMS_MAX][TEXT_MAX];
    size_t forms;
    size_t line;
    enum text_kind kind;
};

static bool keep_forms(struct catalogue *catalogue, const struct pair *pair)
{
    const char *const english = pair->many[0] != '\0' ? pair->many : pair->english;
    struct entry *const entry = &catalogue->entry[catalogue->entries];
    const size_t expected = pair->many[0] != '\0' ? catalogue->forms : 1;
    if (pair->forms != expected) {
        return report_refusal(catalogue, pair->line, "not as many forms as the language has",
                              english);
    }
    *entry =
        (struct entry){.english = copy_text(pair->english), .forms = expected, .line = pair->line};
    catalogue->entries++;
    for (size_t f = 0; f < expected; f++) {
        const char *const words = pair->words[f];
        entry->words[f] = copy_text(words);
        if (words[0] == '\0') {
            return report_refusal(catalogue, pair->line, "no translation", english);
        }
        if (pair->kind == TEXT_OF_PRINTF && !same_conversions(english, words)) {
            return report_refusal(catalogue, pair->line, "other conversions than in English",
                                  english);
        }
    }
    return true;
}

static bool keep_pair(struct catalogue *catalogue, const struct pair *pair)
{
    const char *const english = pair->english, *const words = pair->words[0];
    if (english[0] == '\0') {
        read_header(catalogue, words);
        return read_plural_forms(catalogue, words) ||
               report_refusal(catalogue, pair->line, "the header has no Plural-Forms", words);
    }
    if (pair->kind == TEXT_OF_LESSON &&
        !(names_numbers_of(words, english) && names_numbers_of(english, words))) {
        return report_refusal(catalogue, pair->line, "other numbers than in English", english);
    }
    return catalogue->entries == MESSAGES_MAX
               ? report_refusal(catalogue, pair->line, "too many texts", english)
               : keep_forms(catalogue, pair);
}

static int by_english(const void *a, const void *b)
{
    const struct entry *const left = a, *const right = b;
    return strcmp(left->english, right->english);
}

/* Where the quoted text of a line goes, which begins a new member of the pair; NULL: it begins
 * none. */
static char *member_of(struct pair *pair, const char *line)
{
    if (strncmp(line, "msgid ", 6) == 0) {
        return pair->english;
    }
    if (strncmp(line, "msgid_plural ", 13) == 0) {
        return pair->many;
    }
    const bool is_words = strncmp(line, "msgstr ", 7) == 0 || strncmp(line, "msgstr[", 7) == 0;
    return is_words && pair->forms < FORMS_MAX ? pair->words[pair->forms++] : NULL;
}

/* Reads line by line: flags, msgid, msgid_plural, msgstr and the quoted lines that continue them.
 */
static bool read_lines(struct catalogue *catalogue, FILE *in)
{
    static struct pair pair;
    char line[TEXT_MAX];
    char *text = NULL;
    enum text_kind next = TEXT_OF_PRINTF;
    for (size_t number = 1; fgets(line, sizeof line, in) != NULL; number++) {
        if (strncmp(line, "#,", 2) == 0) {
            next = strstr(line, "no-c-format") != NULL ? TEXT_OF_LESSON : TEXT_OF_PRINTF;
            continue;
        }
        if (strncmp(line, "msgid ", 6) == 0) {
            if (text != NULL && !keep_pair(catalogue, &pair)) {
                return false;
            }
            pair = (struct pair){.line = number, .kind = next};
            next = TEXT_OF_PRINTF;
        }
        char *const begun = member_of(&pair, line);
        text = begun != NULL ? begun : text;
        if (begun == NULL && line[0] != '"') {
            if (line[0] != '#' && line[strspn(line, " \t\r\n")] != '\0') {
                return report_refusal(catalogue, number, "not a line of a catalogue", line);
            }
            continue;
        }
        if (text == NULL || !read_quoted(line, text)) {
            return report_refusal(catalogue, number, "a quote is missing", line);
        }
    }
    return text == NULL || keep_pair(catalogue, &pair);
}

static bool read_catalogue(struct catalogue *catalogue)
{
    FILE *const in = fopen(catalogue->path, "r");
    catalogue->entry = calloc(MESSAGES_MAX, sizeof *catalogue->entry);
    if (in == NULL || catalogue->entry == NULL) {
        perror(catalogue->path);
        return false;
    }
    const bool is_read = read_lines(catalogue, in);
    fclose(in);
    if (!is_read || catalogue->code[0] == '\0' || catalogue->name[0] == '\0') {
        return is_read &&
               report_refusal(catalogue, 1, "the header has no Language or no X-Name", "");
    }
    qsort(catalogue->entry, catalogue->entries, sizeof *catalogue->entry, by_english);
    for (size_t i = 1; i < catalogue->entries; i++) {
        if (by_english(&catalogue->entry[i - 1], &catalogue->entry[i]) == 0) {
            return report_refusal(catalogue, catalogue->entry[i].line, "translated twice",
                                  catalogue->entry[i].english);
        }
    }
    return true;
}

/* Both lists are sorted: the first difference is a text that one of them lacks. */
static bool same_texts(const struct catalogue *a, const struct catalogue *b)
{
    for (size_t i = 0; i < a->entries || i < b->entries; i++) {
        const int order = i >= a->entries   ? 1
                          : i >= b->entries ? -1
                                            : by_english(&a->entry[i], &b->entry[i]);
        if (order != 0) {
            const struct catalogue *const has = order < 0 ? a : b;
            fprintf(stderr, "%s lacks what is in ", order < 0 ? b->path : a->path);
            return report_refusal(has, has->entry[i].line, "translated", has->entry[i].english);
        }
    }
    return true;
}

/* --- the table --- */

static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *at = text; *at != '\0'; at++) {
        const unsigned char byte = (unsigned char)*at;
        if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\' || byte == '?') {
            fprintf(out, "\\%03o", byte);
        } else {
            fputc(byte, out);
        }
    }
    fputc('"', out);
}

static void put_tables(FILE *out, const struct catalogue *catalogue, size_t catalogues)
{
    fputs("#include \"base/translate_table.h\"\n", out);
    for (size_t c = 0; c < catalogues; c++) {
        fprintf(out, "\nstatic const struct message %s[] = {\n", catalogue[c].code);
        for (size_t i = 0; i < catalogue[c].entries; i++) {
            fputs("    {", out);
            put_text(out, catalogue[c].entry[i].english);
            fputs(", ", out);
            for (size_t f = 0; f < catalogue[c].entry[i].forms; f++) {
                put_text(out, catalogue[c].entry[i].words[f]);
                fputs(f + 1 < catalogue[c].entry[i].forms ? " \"\\0\" " : ", ", out);
            }
            fprintf(out, "%zu},\n", catalogue[c].entry[i].forms);
        }
        fputs("};\n", out);
        fprintf(out,
                "\nstatic unsigned plural_%s(size_t n)\n{\n    (void)n;\n"
                "    return (unsigned)(%s);\n}\n",
                catalogue[c].code, catalogue[c].plural);
    }
    fputs("\nconst struct language translate_table[] = {\n", out);
    for (size_t c = 0; c < catalogues; c++) {
        fprintf(out, "    {\"%s\", ", catalogue[c].code);
        const char *const texts[] = {catalogue[c].name, catalogue[c].in_english,
                                     catalogue[c].fonts};
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
            fputs(t == 0 ? "" : ", ", out);
            put_text(out, texts[t]);
        }
        fprintf(out, ", %s, %zu, plural_%s},\n", catalogue[c].code, catalogue[c].entries,
                catalogue[c].code);
    }
    fprintf(out, "};\nconst size_t translate_table_length = %zu;\n", catalogues);
}

static bool compile_catalogues(const char *table, char **paths, struct catalogue *catalogue,
                               size_t catalogues)
{
    for (size_t c = 0; c < catalogues; c++) {
        catalogue[c].path = paths[c];
        if (!read_catalogue(&catalogue[c]) || !same_texts(&catalogue[0], &catalogue[c])) {
            return false;
        }
    }
    FILE *const out = fopen(table, "w");
    if (out == NULL) {
        perror(table);
        return false;
    }
    put_tables(out, catalogue, catalogues);
    return fclose(out) == 0;
}

static void release_catalogue(struct catalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->entries; i++) {
        free(catalogue->entry[i].english);
        for (size_t f = 0; f < catalogue->entry[i].forms; f++) {
            free(catalogue->entry[i].words[f]);
        }
    }
    free(catalogue->entry);
}

int main(int argc, char **argv)
{
    const size_t catalogues = argc > 2 ? (size_t)argc - 2 : 0;
    struct catalogue *const catalogue = calloc(catalogues + 1, sizeof *catalogue);
    if (catalogues == 0 || catalogue == NULL) {
        fprintf(stderr, "usage: %s table.c catalogue.po …\n", argv[0]);
        free(catalogue);
        return EXIT_FAILURE;
    }
    const bool is_compiled = compile_catalogues(argv[1], argv + 2, catalogue, catalogues);
    for (size_t c = 0; c < catalogues; c++) {
        release_catalogue(&catalogue[c]);
    }
    free(catalogue);
    return is_compiled ? EXIT_SUCCESS : EXIT_FAILURE;
}
