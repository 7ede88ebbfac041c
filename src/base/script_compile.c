/* base/script_compile.c — the scripts of a page become one without comments and indents when the
 * program is built, and with short names. Usage: script_compile OUT IN...
 *
 * A variable of one name is shortened alike everywhere. Properties are shared with the browser and
 * with the numbers of the page, and so they stay as they are, but for those that a comment of the
 * script lists behind "Own properties:". Every statement must end with a semicolon. Each script
 * stands on a line of its own, so that tests can take one out. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS_MAX = 1 << 16, NAMES_MAX = 4096, DEPTH_MAX = 256, SHORT_MAX = 4, LINE_MAX = 100000 };

enum kind { NAME, NUMBER, STRING, PATTERN, MARK, END_OF_FILE };

struct token {
    const char *at;
    size_t length;
    enum kind kind;
    bool is_property, is_shorthand; /* { row } is { row: row } */
    bool is_idle;                   /* the script says the same without it */
    char inside; /* of what the innermost bracket is: ( [ o of an object, b of a block, $ of a text
                  */
    size_t opener; /* of a closing bracket: the token that opened it */
};

struct name {
    const char *at;
    size_t length, uses;
    bool stays, is_made;  /* it is the language's or the browser's; a script declares it */
    bool is_own, is_kept; /* as a property it is shortened too; somewhere it is not */
    char brief[SHORT_MAX];
};

struct scripts {
    struct token token[TOKENS_MAX];
    size_t tokens;
    struct name name[NAMES_MAX];
    size_t names;
    struct {
        char kind;
        size_t token;
    } bracket[DEPTH_MAX];
    size_t depth;
};

static struct scripts scripts;

/* Names of the language and of the browser; those with a capital letter are kept anyway. */
static const char *const reserved[] = {"atob",
                                       "async",
                                       "await",
                                       "break",
                                       "cancelAnimationFrame",
                                       "case",
                                       "catch",
                                       "class",
                                       "clearTimeout",
                                       "const",
                                       "continue",
                                       "delete",
                                       "devicePixelRatio",
                                       "do",
                                       "document",
                                       "else",
                                       "export",
                                       "extends",
                                       "false",
                                       "finally",
                                       "for",
                                       "function",
                                       "getComputedStyle",
                                       "if",
                                       "import",
                                       "in",
                                       "innerHeight",
                                       "instanceof",
                                       "let",
                                       "matchMedia",
                                       "new",
                                       "null",
                                       "of",
                                       "parseFloat",
                                       "requestAnimationFrame",
                                       "return",
                                       "scrollBy",
                                       "self",
                                       "setTimeout",
                                       "static",
                                       "super",
                                       "switch",
                                       "this",
                                       "throw",
                                       "top",
                                       "true",
                                       "try",
                                       "typeof",
                                       "undefined",
                                       "var",
                                       "void",
                                       "while",
                                       "window",
                                       "with",
                                       "yield"};

static void exit_with_message(const char *why, const char *what)
{
    fprintf(stderr, "script_compile: %s %.60s\n", why, what);
    exit(EXIT_FAILURE);
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool token_equals(const struct token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->at, text, token->length) == 0;
}

/* Says whether a value may stand before what follows: then / divides. */
static bool ends_value(const struct token *token)
{
    static const char *const operators[] = {"return", "typeof", "in", "of", "case"};
    for (size_t o = 0; o < sizeof operators / sizeof *operators; o++) {
        if (token_equals(token, operators[o])) {
            return false;
        }
    }
    return token->kind != MARK || strchr(")]}", token->at[0]) != NULL;
}

static struct name *name_of(const struct token *token)
{
    for (size_t n = 0; n < scripts.names; n++) {
        struct name *const name = &scripts.name[n];
        if (name->length == token->length && memcmp(name->at, token->at, name->length) == 0) {
            return name;
        }
    }
    if (scripts.names == NAMES_MAX) {
        exit_with_message("there are too many names in", "the scripts");
    }
    struct name *const made = &scripts.name[scripts.names++];
    *made = (struct name){.at = token->at, .length = token->length};
    made->stays = isupper((unsigned char)token->at[0]) != 0;
    for (size_t r = 0; r < sizeof reserved / sizeof *reserved; r++) {
        made->stays = made->stays || token_equals(token, reserved[r]);
    }
    return made;
}

/* Takes the names that a comment lists, up to the end of its line. */
static void take_own_names(const char *comment)
{
    static const char lead[] = "// Own properties:";
    const char *at = strncmp(comment, lead, sizeof lead - 1) == 0 ? comment + sizeof lead - 1 : "";
    for (at += strspn(at, " "); is_word(*at); at += strspn(at, " ")) {
        const char *const from = at;
        while (is_word(*at)) {
            at++;
        }
        const struct token token = {.at = from, .length = (size_t)(at - from)};
        name_of(&token)->is_own = true;
    }
}

static const char *skip_spaces(const char *at)
{
    for (;;) {
        if (*at == ' ' || *at == '\n') {
            at++;
        } else if (at[0] == '/' && at[1] == '/') {
            take_own_names(at);
            at += strcspn(at, "\n");
        } else {
            return at;
        }
    }
}

/* Returns the end of a quoted text, or of the piece of a template up to its next `${`. */
static const char *end_of_text(const char *at, char quote)
{
    while (*at != '\0' && *at != quote && !(quote == '`' && at[0] == '$' && at[1] == '{')) {
        at += *at == '\\' ? 2 : 1;
    }
    return *at == '\0' ? at : at + (*at == quote ? 1 : 2);
}

static const char *end_of_pattern(const char *at)
{
    bool is_in_class = false;
    while (*at != '\0' && (*at != '/' || is_in_class)) {
        is_in_class = *at == '[' || (is_in_class && *at != ']');
        at += *at == '\\' ? 2 : 1;
    }
    for (at++; is_word(*at); at++) {
    }
    return at;
}

static const char *end_of_mark(const char *at)
{
    static const char *const long_marks[] = {"...", "===", "!==", "=>", "&&", "||", "**",
                                             "++",  "--",  "+=",  "-=", "*=", "/=", "|=",
                                             "&=",  "<=",  ">=",  "<<", ">>", "?."};
    for (size_t m = 0; m < sizeof long_marks / sizeof *long_marks; m++) {
        if (strncmp(at, long_marks[m], strlen(long_marks[m])) == 0) {
            return at + strlen(long_marks[m]);
        }
    }
    return at + 1;
}

/* Says whether braces hold a block: behind parameters, an arrow, another statement or a word. */
static bool opens_block(const struct token *before)
{
    static const char *const words[] = {"do", "else", "finally", "try"};
    bool is_word_of_block = false;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        is_word_of_block = is_word_of_block || token_equals(before, words[w]);
    }
    return before->kind == END_OF_FILE || is_word_of_block || token_equals(before, "=>") ||
           (before->kind == MARK && before->length == 1 && strchr(");}{", before->at[0]));
}

static void open_bracket(char bracket)
{
    if (scripts.depth == DEPTH_MAX) {
        exit_with_message("brackets are too deep in", "a script");
    }
    scripts.bracket[scripts.depth].kind = bracket;
    scripts.bracket[scripts.depth++].token = scripts.tokens - 1;
}

static char innermost_bracket(void)
{
    return scripts.depth > 0 ? scripts.bracket[scripts.depth - 1].kind : 'b';
}

static void add_token(const char *at, const char *end, enum kind kind)
{
    if (scripts.tokens == TOKENS_MAX) {
        exit_with_message("there are too many words in", "a script");
    }
    scripts.token[scripts.tokens++] = (struct token){
        .at = at, .length = (size_t)(end - at), .kind = kind, .inside = innermost_bracket()};
}

static const char *read_text(const char *at, char quote, const char *from)
{
    const char *const end = end_of_text(from, quote);
    add_token(at, end, STRING);
    if (end[-1] == '{' && quote == '`') {
        open_bracket('$');
    }
    return end;
}

static const char *read_mark(const char *at)
{
    const char *const end = end_of_mark(at);
    const struct token before = scripts.tokens > 0 ? scripts.token[scripts.tokens - 1]
                                                   : (struct token){.at = "", .kind = END_OF_FILE};
    const bool closes = strchr(")]}", *at) != NULL;
    if (closes && scripts.depth-- == 0) {
        exit_with_message("a bracket is closed twice at", at);
    }
    add_token(at, end, MARK);
    scripts.token[scripts.tokens - 1].opener = closes ? scripts.bracket[scripts.depth].token : 0;
    if (*at == '{') {
        open_bracket(opens_block(&before) ? 'b' : 'o');
    } else if (*at == '(' || *at == '[') {
        open_bracket(*at);
    }
    return end;
}

static const char *read_token(const char *at)
{
    const struct token *const before =
        scripts.tokens > 0 ? &scripts.token[scripts.tokens - 1] : NULL;
    if (isdigit((unsigned char)*at) || (is_word(*at) && (unsigned char)*at < 0x80)) {
        const bool is_number = isdigit((unsigned char)*at);
        const char *end = at;
        while (is_word(*end) || (is_number && *end == '.')) {
            end++;
        }
        add_token(at, end, is_number ? NUMBER : NAME);
        return end;
    }
    if (*at == '}' && innermost_bracket() == '$') {
        scripts.depth--;
        return read_text(at, '`', at + 1);
    }
    if (*at == '\'' || *at == '"' || *at == '`') {
        return read_text(at, *at, at + 1);
    }
    if (*at == '/' && !(before != NULL && ends_value(before))) {
        const char *const end = end_of_pattern(at + 1);
        add_token(at, end, PATTERN);
        return end;
    }
    return read_mark(at);
}

static void read_script(const char *path)
{
    FILE *const file = fopen(path, "rb");
    char *const text = calloc(1, LINE_MAX + 2);
    const size_t size = file == NULL || text == NULL ? 0 : fread(text, 1, LINE_MAX + 1, file);
    if (size == 0 || size > LINE_MAX) {
        exit_with_message("cannot read", path);
    }
    fclose(file);
    for (const char *at = skip_spaces(text); *at != '\0'; at = skip_spaces(at)) {
        at = read_token(at);
    }
    if (scripts.depth > 0) {
        exit_with_message("a bracket is left open in", path);
    }
    add_token("", "", END_OF_FILE);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Names behind a point are properties, and the first ones of the members of an object. */
static void find_properties(void)
{
    for (size_t t = 1; t < scripts.tokens; t++) {
        struct token *const token = &scripts.token[t], *const before = token - 1;
        const bool is_member =
            token->inside == 'o' && (token_equals(before, "{") || token_equals(before, ","));
        token->is_property = token->kind == NAME &&
                             (is_member || token_equals(before, ".") || token_equals(before, "?."));
        token->is_shorthand = token->is_property && is_member && strchr(",}=", token[1].at[0]);
    }
}

static int compare_uses(const void *left, const void *right)
{
    const struct name *const a = left, *const b = right;
    return a->uses != b->uses ? (a->uses < b->uses ? 1 : -1)
           : a->at == b->at   ? 0
                              : (a->at < b->at ? -1 : 1);
}

static bool is_free(const char *brief)
{
    const struct token token = {.at = brief, .length = strlen(brief)};
    for (size_t n = 0; n < scripts.names; n++) {
        const struct name *const name = &scripts.name[n];
        if ((name->stays || name->is_kept) && name->length == token.length &&
            memcmp(name->at, token.at, name->length) == 0) {
            return false;
        }
    }
    for (size_t r = 0; r < sizeof reserved / sizeof *reserved; r++) {
        if (token_equals(&token, reserved[r])) {
            return false;
        }
    }
    return true;
}

/* Writes the short name that stands behind this number of others. First come names of one letter,
 * then those of two. */
static void make_brief(size_t number, char brief[SHORT_MAX])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const size_t count = sizeof letters - 1;
    const char pair[] = {number >= count ? letters[number / count - 1] : letters[number],
                         number >= count ? letters[number % count] : '\0', '\0'};
    strcpy(brief, pair);
}

/* Says whether a variable may be declared here: by a word, as a parameter, or within brackets. */
static bool is_declared(const struct token *token)
{
    const struct token *const before = token - 1, *const next = token + 1;
    const bool is_listed = before->kind == MARK && strchr(",:({[", before->at[0]) != NULL;
    const bool is_whole = next->kind == MARK && strchr(",)}]=", next->at[0]) != NULL;
    return token_equals(before, "let") || token_equals(before, "const") ||
           token_equals(before, "function") || token_equals(next, "=>") ||
           ((is_listed || token_equals(before, "...")) && is_whole);
}

static void shorten_names(void)
{
    size_t number = 0;
    for (size_t t = 0; t < scripts.tokens; t++) {
        if (scripts.token[t].kind == NAME) {
            struct name *const name = name_of(&scripts.token[t]);
            name->uses++;
            name->is_made |= scripts.token[t].is_property || is_declared(&scripts.token[t]);
            name->is_kept = name->is_kept || (scripts.token[t].is_property && !name->is_own);
        }
    }
    qsort(scripts.name, scripts.names, sizeof *scripts.name, compare_uses);
    for (size_t n = 0; n < scripts.names; n++) {
        struct name *const name = &scripts.name[n];
        if (!name->stays && !name->is_made && !name->is_own) {
            exit_with_message("no script declares", name->at);
        }
        while (!name->stays && name->brief[0] == '\0') {
            make_brief(number++, name->brief);
            if (!is_free(name->brief)) {
                name->brief[0] = '\0';
            }
        }
    }
}

/* ---- the script ------------------------------------------------------------------------------ */

/* Says whether two tokens that stand beside each other would be read as one. */
static bool needs_space(const struct token *before, const struct token *token)
{
    if (before->length == 0 || token->length == 0) {
        return false;
    }
    const char last = before->at[before->length - 1], first = token->at[0];
    return (is_word(last) && is_word(first) && before->kind != STRING && token->kind != STRING) ||
           (before->kind == MARK && token->kind == MARK && last == first && strchr("+-", first));
}

static bool is_mark(const struct token *token, const char *mark)
{
    return token->kind == MARK && token_equals(token, mark);
}

/* Says whether a semicolon stands for a statement that is empty. */
static bool is_empty_statement(const struct token *token)
{
    static const char *const heads[] = {"for", "while", "if"};
    const struct token *const before = token - 1;
    bool is_empty = is_mark(before, "{") || is_mark(before, ";");
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        is_empty = is_empty || (is_mark(before, ")") && before->opener > 0 &&
                                token_equals(&scripts.token[before->opener - 1], heads[h]));
    }
    return is_empty;
}

/* Says whether the brackets that close here hold nothing but the value of an arrow. */
static bool encloses_value_of_arrow(size_t close)
{
    const size_t open = scripts.token[close].opener;
    const char *const next = scripts.token[close + 1].at;
    bool encloses = is_mark(&scripts.token[close], ")") && open > 0 &&
                    is_mark(&scripts.token[open - 1], "=>") &&
                    !is_mark(&scripts.token[open + 1], "{") && strchr(",;)]}", *next) != NULL;
    for (size_t t = open + 1, depth = 0; encloses && t < close; t++) {
        const bool is_bracket = scripts.token[t].kind == MARK;
        depth += is_bracket && strchr("([{", scripts.token[t].at[0]) != NULL;
        depth -= is_bracket && strchr(")]}", scripts.token[t].at[0]) != NULL;
        encloses = depth > 0 || !is_mark(&scripts.token[t], ",");
    }
    return encloses;
}

/* A comma or a semicolon before a closing bracket says nothing, nor do the brackets around the one
 * parameter of an arrow, or around its value. */
static void find_idle(void)
{
    for (size_t t = 1; t + 2 < scripts.tokens; t++) {
        struct token *const token = &scripts.token[t], *const next = token + 1;
        const bool is_last = next->kind == MARK && strchr(")]}", next->at[0]) != NULL;
        token->is_idle |= is_last && ((is_mark(token, ",") && token->inside != '[') ||
                                      (is_mark(token, ";") && !is_empty_statement(token)));
        if (is_mark(token, ")") && is_mark(next, "=>") && token->opener + 2 == t &&
            scripts.token[t - 1].kind == NAME) {
            token->is_idle = scripts.token[token->opener].is_idle = true;
        }
        if (encloses_value_of_arrow(t)) {
            token->is_idle = scripts.token[token->opener].is_idle = true;
        }
    }
}

/* A block of one statement behind an if or a for needs no braces: if(a)b; */
static void find_idle_braces(void)
{
    static const char *const longer[] = {"let", "const", "if", "for", "while", "function"};
    for (size_t t = 1; t + 2 < scripts.tokens; t++) {
        const size_t open = scripts.token[t].opener;
        const struct token *const condition = &scripts.token[open > 0 ? open - 1 : 0];
        bool is_one = is_mark(&scripts.token[t], "}") && open > 1 && t > open + 1 &&
                      is_mark(condition, ")") && condition->opener > 0 &&
                      (token_equals(&scripts.token[condition->opener - 1], "if") ||
                       token_equals(&scripts.token[condition->opener - 1], "for")) &&
                      is_mark(&scripts.token[t - 1], ";") &&
                      !token_equals(&scripts.token[t + 1], "else");
        for (size_t l = 0; is_one && l < sizeof longer / sizeof *longer; l++) {
            is_one = !token_equals(&scripts.token[open + 1], longer[l]);
        }
        for (size_t inner = open + 1; is_one && inner + 1 < t; inner++) {
            is_one = scripts.token[inner].kind != MARK ||
                     strchr(";{}", scripts.token[inner].at[0]) == NULL;
        }
        if (is_one) {
            scripts.token[open].is_idle = scripts.token[t].is_idle = true;
            scripts.token[t - 1].is_idle = is_mark(&scripts.token[t + 1], "}");
        }
    }
}

/* Declarations that follow each other become one: const a = 1; const b = 2; is let a=1,b=2; */
static void join_declarations(void)
{
    static const struct token comma = {.at = ",", .length = 1, .kind = MARK};
    bool declares[DEPTH_MAX] = {false};
    size_t depth = 0;
    for (size_t t = 1; t + 1 < scripts.tokens; t++) {
        struct token *const token = &scripts.token[t];
        const bool begins = token[-1].kind == END_OF_FILE || is_mark(token - 1, ";") ||
                            is_mark(token - 1, "{") ||
                            (is_mark(token - 1, "}") && token->kind == NAME);
        const bool is_declaration = token->inside == 'b' && token->kind == NAME &&
                                    (token_equals(token, "const") || token_equals(token, "let"));
        if (is_declaration && begins && declares[depth] && is_mark(token - 1, ";")) {
            token->is_idle = true;
            token[-1] = comma;
        } else if (token->kind == NAME && token_equals(token, "const")) {
            token->at = "let";
            token->length = 3;
            declares[depth] = is_declaration && begins;
        } else if (begins) {
            declares[depth] = is_declaration;
        }
        const bool opens = token->kind == MARK && strchr("([{", token->at[0]) != NULL;
        const bool closes = token->kind == MARK && strchr(")]}", token->at[0]) != NULL;
        depth += opens;
        depth -= closes;
        declares[depth] = declares[depth] && !opens;
    }
}

/* Returns a shorter way to write a constant of the language; NULL: there is none. */
static const char *constant_of(const struct token *token)
{
    static const char *const constants[][2] = {
        {"undefined", "void 0"}, {"Infinity", "1/0"}, {"true", "!0"}, {"false", "!1"}};
    const char *brief = NULL;
    for (size_t c = 0; c < sizeof constants / sizeof *constants; c++) {
        brief = token_equals(token, constants[c][0]) ? constants[c][1] : brief;
    }
    return brief;
}

static void write_token(const struct token *token, FILE *out)
{
    const struct name *const name = token->kind == NAME ? name_of(token) : NULL;
    const bool is_brief = name != NULL && !name->stays;
    const bool is_kept = is_brief && token->is_property && !name->is_own;
    if (!is_brief || is_kept) {
        const char *const constant = token->kind == NAME ? constant_of(token) : NULL;
        fwrite(constant == NULL ? token->at : constant, 1,
               constant == NULL ? token->length : strlen(constant), out);
    }
    if (is_kept && token->is_shorthand) {
        fputc(':', out);
    }
    if (is_brief && (!is_kept || token->is_shorthand)) {
        fputs(name->brief, out);
    }
}

static void write_script(FILE *out)
{
    const struct token *before = &scripts.token[scripts.tokens - 1];
    for (size_t t = 0; t < scripts.tokens; t++) {
        const struct token *const token = &scripts.token[t];
        if (token->is_idle) {
            continue;
        }
        if (token->kind == END_OF_FILE) {
            fputc('\n', out);
        } else if (needs_space(before, token)) {
            fputc(' ', out);
        }
        write_token(token, out);
        before = token;
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        exit_with_message("usage: script_compile", "OUTPUT FILE...");
    }
    for (int a = 2; a < argc; a++) {
        read_script(argv[a]);
    }
    find_properties();
    join_declarations();
    find_idle();
    find_idle_braces();
    shorten_names();
    FILE *const out = fopen(argv[1], "wb");
    if (out == NULL) {
        exit_with_message("cannot write", argv[1]);
    }
    write_script(out);
    return fclose(out) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
