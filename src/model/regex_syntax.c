/* model/regex_syntax.c — see regex_syntax.h. */
#include "model/regex_syntax.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/unicode.h"
#include "file/growing.h"

/* Members of brackets. */
#define SPACES "\\p{Z}\\x09-\\x0D\\x85"
#define SIGNS "\\x{24B6}-\\x{24E9}\\x{1F130}-\\x{1F149}\\x{1F150}-\\x{1F169}\\x{1F170}-\\x{1F189}"
#define WORDS "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}" SIGNS
/* With what an old PCRE2 does not count among them. */
#define ALPHA                                                                                      \
    "\\p{Alphabetic}\\x{363}-\\x{36F}\\x{C04}\\x{F82}\\x{F83}\\x{1DD3}-\\x{1DE6}\\x{11080}\\x{"    \
    "11081}"
#define LOWER "\\p{Lowercase}\\x{10FC}\\x{A7F2}-\\x{A7F4}\\x{AB69}"
#define HEX "0-9A-Fa-f"
/* \w holds them outside of brackets only: ² ³ ¹ ¼ ½ ¾ */
#define LOOSE_WORDS WORDS "\\xB2\\xB3\\xB9\\xBC-\\xBE"

enum { NO_ATOM = -1 };

/* A group that is open. */
struct group {
    size_t begin;   /* where it begins in what is written */
    size_t options; /* groups that isolated options have opened in it */
    bool caseless;
};

struct respelling {
    struct arena *arena;
    const char *script; /* what stands before a script's name */
    const char *at;     /* what is read next */
    char *out;          /* NULL: no memory */
    size_t size, room;
    struct group groups[REGEX_NESTING_MAX];
    size_t depth;
    long atom;       /* where what a quantifier is for begins in `out` */
    bool quantified; /* it has one already */
    char former;     /* the letter before, of a caseless pattern; 0: none */
    int brackets;    /* that are open */
};

/* ---- writing --------------------------------------------------------------------------------- */

/* Room for so many bytes at a place. */
static bool open_gap(struct respelling *to, size_t place, size_t bytes)
{
    if (to->out != NULL && to->room - to->size < bytes + 1) {
        const size_t room = 2 * to->room + bytes + 1;
        char *const out = arena_alloc(to->arena, room);
        if (out != NULL) {
            memcpy(out, to->out, to->size);
        }
        to->out = out;
        to->room = room;
    }
    if (to->out != NULL) {
        memmove(to->out + place + bytes, to->out + place, to->size - place);
        to->size += bytes;
        to->out[to->size] = '\0';
    }
    return to->out != NULL;
}

static void insert_text(struct respelling *to, size_t place, const char *text)
{
    if (open_gap(to, place, strlen(text))) {
        memcpy(to->out + place, text, strlen(text));
    }
}

static void append_text(struct respelling *to, const char *text)
{
    insert_text(to, to->size, text);
}

/* Something that a quantifier may follow. */
static void put_atom(struct respelling *to, const char *text)
{
    to->atom = (long)to->size;
    to->quantified = false;
    append_text(to, text);
}

/* A code point as a literal, in brackets or not. */
static const char *literal_escape(struct respelling *to, uint32_t code_point)
{
    return arena_format(to->arena, "\\x{%X}", (unsigned)code_point);
}

static bool accept_text(struct respelling *to, const char *text)
{
    const bool here = strncmp(to->at, text, strlen(text)) == 0;
    to->at += here ? strlen(text) : 0;
    return here;
}

/* ---- classes --------------------------------------------------------------------------------- */

/* Names of properties without what a name may hold besides small letters, between spaces; with a
 * colon those that mean something else as [:name:]. */
static const struct property {
    const char *names, *members;
} properties[] = {
    {" c other ", "\\p{C}"},
    {" cc control cntrl ", "\\p{Cc}"},
    {" cf format ", "\\p{Cf}"},
    {" cn unassigned ", "\\p{Cn}"},
    {" co privateuse ", "\\p{Co}"},
    {" cs surrogate ", "\\p{Cs}"},
    {" l letter ", "\\p{L}"},
    {" lc casedletter ", "\\p{L&}"},
    {" ll lowercaseletter ", "\\p{Ll}"},
    {" lm modifierletter ", "\\p{Lm}"},
    {" lo otherletter ", "\\p{Lo}"},
    {" lt titlecaseletter ", "\\p{Lt}"},
    {" lu uppercaseletter ", "\\p{Lu}"},
    {" m mark combiningmark ", "\\p{M}"},
    {" mc spacingmark ", "\\p{Mc}"},
    {" me enclosingmark ", "\\p{Me}"},
    {" mn nonspacingmark ", "\\p{Mn}"},
    {" n number ", "\\p{N}"},
    {" nd decimalnumber digit ", "\\p{Nd}"},
    {" nl letternumber ", "\\p{Nl}"},
    {" no othernumber ", "\\p{No}"},
    {" p punctuation ", "\\p{P}"},
    {" pc connectorpunctuation ", "\\p{Pc}"},
    {" pd dashpunctuation ", "\\p{Pd}"},
    {" pe closepunctuation ", "\\p{Pe}"},
    {" pf finalpunctuation ", "\\p{Pf}"},
    {" pi initialpunctuation ", "\\p{Pi}"},
    {" po otherpunctuation ", "\\p{Po}"},
    {" ps openpunctuation ", "\\p{Ps}"},
    {" s symbol ", "\\p{S}"},
    {" sc currencysymbol ", "\\p{Sc}"},
    {" sk modifiersymbol ", "\\p{Sk}"},
    {" sm mathsymbol ", "\\p{Sm}"},
    {" so othersymbol ", "\\p{So}"},
    {" z separator ", "\\p{Z}"},
    {" zl lineseparator ", "\\p{Zl}"},
    {" zp paragraphseparator ", "\\p{Zp}"},
    {" zs spaceseparator ", "\\p{Zs}"},
    {" any ", "\\x{0}-\\x{10FFFF}"},
    {" assigned ", "\\P{Cn}"},
    {" ascii ", "\\x{0}-\\x{7F}"},
    {" alpha alphabetic ", ALPHA},
    {" alnum ", ALPHA "\\p{Nd}"},
    {" word ", WORDS},
    {" space whitespace ", SPACES},
    {" blank ", "\\x09\\p{Zs}"},
    {" upper uppercase ", "\\p{Uppercase}"},
    {" lower lowercase ", LOWER},
    {" punct ", "\\p{P}"},
    {" :punct ", "\\p{P}\\p{S}"},
    {" xdigit ", HEX},
};

/* The scripts that patterns of tokenizers speak of: a letter is of one of them. */
static const char scripts[] =
    " arabic armenian bengali bopomofo cyrillic devanagari ethiopic georgian greek gujarati "
    "gurmukhi han hangul hebrew hiragana kannada katakana khmer lao latin malayalam mongolian "
    "myanmar oriya sinhala tamil telugu thai tibetan common inherited ";

static bool holds_name(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = names; (at = strchr(at, ' ')) != NULL; at++) {
        if (strncmp(at + 1, name, length) == 0 && at[1 + length] == ' ') {
            return true;
        }
    }
    return false;
}

/* The members of a property by its name, which begins with a colon in brackets; NULL: it is not
 * known. */
static const char *members_of_property(struct respelling *to, const char *name)
{
    for (size_t i = 0; name[0] != '\0' && i < sizeof properties / sizeof *properties; i++) {
        if (holds_name(properties[i].names, name)) {
            return properties[i].members;
        }
    }
    if (name[0] == ':') {
        return members_of_property(to, name + 1);
    }
    return name[0] != '\0' && holds_name(scripts, name)
               ? arena_format(to->arena, "\\p{%s%c%s}", to->script, name[0] - 'a' + 'A', name + 1)
               : NULL;
}

/* A class of letters: its members, or all others. members NULL: it cannot be read. */
struct class
{
    const char *members;
    bool opposite;
};

/* A name up to what ends it, which is behind it then. */
static struct class read_named(struct respelling *to, const char *end, bool opposite)
{
    enum { LONGEST = 40 };
    char name[LONGEST + 1] = ":";
    size_t length = end[0] == ':' ? 1 : 0;
    opposite = accept_text(to, "^") != opposite;
    for (; length < LONGEST && *to->at != '\0' && strncmp(to->at, end, strlen(end)) != 0;
         to->at++) {
        const char letter = *to->at;
        if (letter != ' ' && letter != '_' && letter != '-') {
            name[length++] = (char)(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
        }
    }
    name[length] = '\0';
    return (struct class){accept_text(to, end) ? members_of_property(to, name) : NULL, opposite};
}

/* Reads \w, \S, \p{L} and the like, where one stands; members NULL: another escape. */
static struct class read_class_escape(struct respelling *to, bool in_brackets)
{
    static const struct {
        char letter;
        const char *members, *loose;
    } rows[] = {{'w', WORDS, LOOSE_WORDS},
                {'s', SPACES, SPACES},
                {'d', "\\p{Nd}", "\\p{Nd}"},
                {'h', HEX, HEX}};
    if (accept_text(to, "\\p{") || accept_text(to, "\\P{")) {
        struct class class = read_named(to, "}", to->at[-2] == 'P');
        if (!in_brackets && class.members != NULL && strcmp(class.members, WORDS) == 0) {
            class.members = LOOSE_WORDS;
        }
        return class;
    }
    for (size_t i = 0; to->at[0] == '\\' && i < sizeof rows / sizeof *rows; i++) {
        const bool opposite = to->at[1] == rows[i].letter - 'a' + 'A';
        if (opposite || to->at[1] == rows[i].letter) {
            to->at += 2;
            return (struct class){in_brackets ? rows[i].members : rows[i].loose, opposite};
        }
    }
    return (struct class){NULL, false};
}

static bool is_class_escape(const char *at)
{
    return at[0] == '\\' && at[1] != '\0' && strchr("wWsSdDhHpP", at[1]) != NULL &&
           ((at[1] != 'p' && at[1] != 'P') || at[2] == '{');
}

/* ---- single letters -------------------------------------------------------------------------- */

static int value_of(char digit)
{
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                          : 16;
}

/* Up to so many digits; false: there is none, or the number is too large. */
static bool read_digits(struct respelling *to, size_t min, size_t max, uint32_t base,
                        uint32_t *number)
{
    size_t digits = 0;
    *number = 0;
    for (; digits < max && (uint32_t)value_of(*to->at) < base; digits++) {
        *number = *number * base + (uint32_t)value_of(*to->at++);
    }
    return digits >= min && *number <= 0x10FFFF && (*number < 0xD800 || *number > 0xDFFF);
}

/* The bytes of a letter as \xE2\x80\x99. */
static bool read_bytes(struct respelling *to, uint32_t first, uint32_t *code_point)
{
    char bytes[5] = {(char)(uint8_t)first};
    size_t count = 1, at = 0;
    const size_t wanted = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    for (uint32_t next = 0; count < wanted && accept_text(to, "\\x"); count++) {
        if (!read_digits(to, 2, 2, 16, &next)) {
            return false;
        }
        bytes[count] = (char)(uint8_t)next;
    }
    *code_point = text_next(bytes, count, &at);
    return at == count && count == wanted && *code_point != 0xFFFD;
}

/* The letter behind a backslash, which is read. */
static bool read_escape(struct respelling *to, bool in_brackets, uint32_t *code_point)
{
    static const char named[] = "tnrfvae", codes[] = "\t\n\r\f\v\a\x1B";
    const char letter = *to->at;
    const char *const name = letter == '\0' ? NULL : strchr(named, letter);
    const bool plain = value_of(letter) > 9 && !(letter >= 'a' && letter <= 'z') &&
                       !(letter >= 'A' && letter <= 'Z');
    uint32_t byte = 0;
    if (letter == '\0') {
        return false;
    }
    if (name != NULL || (in_brackets && letter == 'b')) {
        to->at++;
        *code_point = (uint32_t)(name == NULL ? '\b' : codes[name - named]);
        return true;
    }
    if (accept_text(to, "x{")) {
        return read_digits(to, 1, 8, 16, code_point) && accept_text(to, "}");
    }
    if (accept_text(to, "x")) {
        return read_digits(to, 2, 2, 16, &byte) && read_bytes(to, byte, code_point);
    }
    if (accept_text(to, "u")) {
        return read_digits(to, 4, 4, 16, code_point);
    }
    if (letter == '0') {
        return read_digits(to, 1, 3, 8, code_point) && *code_point < 0x80;
    }
    size_t length = 0;
    *code_point = text_next(to->at, strlen(to->at), &length);
    to->at += plain ? length : 0;
    return plain;
}

/* ---- brackets -------------------------------------------------------------------------------- */

/* The contents of a pair of brackets: members, and what only an alternative can express. */
struct set {
    struct growing members, others; /* others: with | before each */
};

/* A set as an expression for one letter; as members where that does. */
struct spelled {
    const char *text; /* NULL: it cannot be read */
    bool members;
};

static struct spelled read_brackets(struct respelling *to);

static const char *finish_text(struct growing *growing)
{
    struct bytes bytes;
    return growing_finish(growing, &bytes, NULL) ? (const char *)bytes.at : NULL;
}

static bool add_class(struct respelling *to, struct set *set, struct class class)
{
    if (class.members != NULL && class.opposite) {
        const char *const text = arena_format(to->arena, "|[^%s]", class.members);
        growing_put_text(&set->others, text == NULL ? "" : text);
    } else if (class.members != NULL) {
        growing_put_text(&set->members, class.members);
    }
    return class.members != NULL;
}

static bool add_brackets(struct respelling *to, struct set *set)
{
    const struct spelled inner = read_brackets(to);
    if (inner.text == NULL) {
        return false;
    }
    growing_put_text(inner.members ? &set->members : &set->others, inner.members ? "" : "|");
    growing_put_text(inner.members ? &set->members : &set->others, inner.text);
    return true;
}

static bool read_letter(struct respelling *to, uint32_t *code_point)
{
    size_t length = 0;
    if (accept_text(to, "\\")) {
        return read_escape(to, true, code_point);
    }
    *code_point = text_next(to->at, strlen(to->at), &length);
    to->at += length;
    return length > 0;
}

/* A letter, or those from one to another. */
static bool add_letters(struct respelling *to, struct set *set)
{
    uint32_t first = 0, last = 0;
    if (!read_letter(to, &first)) {
        return false;
    }
    growing_put_text(&set->members, literal_escape(to, first));
    if (to->at[0] == '-' && to->at[1] != ']') {
        to->at++;
        if (is_class_escape(to->at) || *to->at == '[' || !read_letter(to, &last) || last < first) {
            return false;
        }
        growing_put_text(&set->members, "-");
        growing_put_text(&set->members, literal_escape(to, last));
    }
    return true;
}

static bool add_member(struct respelling *to, struct set *set)
{
    if (accept_text(to, "[:")) {
        return add_class(to, set, read_named(to, ":]", false));
    }
    if (is_class_escape(to->at)) {
        return add_class(to, set, read_class_escape(to, true)) &&
               !(to->at[0] == '-' && to->at[1] != ']');
    }
    return accept_text(to, "[") ? add_brackets(to, set) : add_letters(to, set);
}

static struct spelled spell_set(struct respelling *to, struct set *set)
{
    const char *const members = finish_text(&set->members), *const others =
                                                                finish_text(&set->others);
    if (members == NULL || others == NULL || (members[0] == '\0' && others[0] == '\0')) {
        return (struct spelled){NULL, false};
    }
    if (others[0] == '\0') {
        return (struct spelled){members, true};
    }
    return (struct spelled){members[0] == '\0'
                                ? arena_format(to->arena, "(?:%s)", others + 1)
                                : arena_format(to->arena, "(?:[%s]%s)", members, others),
                            false};
}

/* The members up to && or the end. */
static struct spelled read_union(struct respelling *to, bool first)
{
    struct set set = {growing_start(to->arena), growing_start(to->arena)};
    while (*to->at != '\0' && (first || *to->at != ']') && strncmp(to->at, "&&", 2) != 0) {
        if (!add_member(to, &set)) {
            return (struct spelled){NULL, false};
        }
        first = false;
    }
    return spell_set(to, &set);
}

static const char *in_brackets(struct respelling *to, struct spelled set)
{
    return set.members ? arena_format(to->arena, "[%s]", set.text) : set.text;
}

/* Behind the opening bracket. */
static struct spelled read_brackets(struct respelling *to)
{
    const struct spelled none = {NULL, false};
    const bool opposite = accept_text(to, "^");
    if (++to->brackets > REGEX_NESTING_MAX) {
        return none;
    }
    struct spelled set = read_union(to, true);
    while (set.text != NULL && accept_text(to, "&&")) {
        const struct spelled other = read_union(to, false);
        if (other.text == NULL) {
            return none;
        }
        const char *const left = in_brackets(to, set), *const right = in_brackets(to, other);
        set = (struct spelled){left == NULL || right == NULL
                                   ? NULL
                                   : arena_format(to->arena, "(?:(?=%s)%s)", left, right),
                               false};
    }
    to->brackets--;
    if (set.text == NULL || !accept_text(to, "]")) {
        return none;
    }
    if (opposite) {
        set.text = set.members ? arena_format(to->arena, "[^%s]", set.text)
                               : arena_format(to->arena, "(?:(?!%s)(?s:.))", set.text);
        set.members = false;
    }
    return set;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static struct group *current_group(struct respelling *to)
{
    return &to->groups[to->depth];
}

static bool open_group(struct respelling *to, const char *text, bool caseless)
{
    if (to->depth + 1 == REGEX_NESTING_MAX) {
        return false;
    }
    to->groups[++to->depth] = (struct group){.begin = to->size, .caseless = caseless};
    to->atom = NO_ATOM;
    append_text(to, text);
    return true;
}

/* (?i-m: and (?i), whose m is PCRE2's s; others are not known. One that stands alone is for all
 * that follows in its group, alternatives too. */
static bool read_options(struct respelling *to)
{
    char text[8] = "(?";
    bool on = true, caseless = current_group(to)->caseless;
    for (size_t length = 2; *to->at != ':' && *to->at != ')'; to->at++) {
        const char letter = *to->at;
        if (length + 2 >= sizeof text || (letter != 'i' && letter != 'm' && letter != '-')) {
            return false;
        }
        on = on && letter != '-';
        caseless = letter == 'i' ? on : caseless;
        text[length++] = (char)(letter == 'm' ? 's' : letter);
    }
    strcat(text, ":");
    if (*to->at++ == ':') {
        return open_group(to, text, caseless);
    }
    current_group(to)->options++;
    current_group(to)->caseless = caseless;
    to->atom = NO_ATOM;
    append_text(to, text);
    return true;
}

/* Behind the opening parenthesis. */
static bool read_group(struct respelling *to)
{
    static const char *const kinds[] = {"?:", "?=", "?!", "?>", "?<=", "?<!"};
    const bool caseless = current_group(to)->caseless;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (accept_text(to, kinds[i])) {
            return open_group(to, arena_format(to->arena, "(%s", kinds[i]), caseless);
        }
    }
    if (accept_text(to, "?#")) {
        const char *const end = strchr(to->at, ')');
        to->at = end == NULL ? to->at : end + 1;
        return end != NULL;
    }
    if (accept_text(to, "?<")) {
        const size_t length = strcspn(to->at, ">");
        const char *const name = arena_format(to->arena, "(?<%.*s>", (int)length, to->at);
        to->at += length;
        return accept_text(to, ">") && name != NULL && open_group(to, name, caseless);
    }
    if (accept_text(to, "?")) {
        return read_options(to);
    }
    return *to->at != '*' && open_group(to, "(", caseless);
}

static void close_options(struct respelling *to)
{
    for (; current_group(to)->options > 0; current_group(to)->options--) {
        append_text(to, ")");
    }
}

static bool close_group(struct respelling *to)
{
    if (to->depth == 0) {
        return false;
    }
    close_options(to);
    append_text(to, ")");
    to->atom = (long)current_group(to)->begin;
    to->quantified = false;
    to->depth--;
    return true;
}

/* ---- quantifiers ----------------------------------------------------------------------------- */

/* Wraps an atom that has a quantifier already, so that the next one applies to the whole. */
static void wrap_atom(struct respelling *to)
{
    insert_text(to, (size_t)to->atom, "(?:");
    append_text(to, ")");
}

/* {n}, {n,}, {,n}, {n,m}; false: the brace is a letter. */
static bool read_interval(struct respelling *to, long *min, long *max)
{
    const char *const begin = to->at;
    uint32_t numbers[2] = {0, 0};
    bool given[2] = {false, false}, comma = false;
    to->at++;
    given[0] = read_digits(to, 1, 6, 10, &numbers[0]);
    comma = accept_text(to, ",");
    given[1] = comma && read_digits(to, 1, 6, 10, &numbers[1]);
    if ((!given[0] && !given[1]) || !accept_text(to, "}")) {
        to->at = begin;
        return false;
    }
    *min = (long)numbers[0];
    *max = !comma ? *min : given[1] ? (long)numbers[1] : -1;
    return true;
}

/* Of {n}? and {n,m}+ the last letter is a quantifier of its own, of {n,m}? it is not. */
static bool put_interval(struct respelling *to, long min, long max)
{
    const char *const text = max < 0 ? arena_format(to->arena, "{%ld,}", min)
                                     : arena_format(to->arena, "{%ld,%ld}", min, max);
    if (to->atom == NO_ATOM || text == NULL || (max >= 0 && max < min)) {
        return false;
    }
    if (to->quantified) {
        wrap_atom(to);
    }
    append_text(to, text);
    if (*to->at == '?' && min != max) {
        append_text(to, "?");
        to->at++;
    }
    to->quantified = true;
    return true;
}

static bool put_quantifier(struct respelling *to)
{
    const char text[] = {*to->at++, *to->at == '?' || *to->at == '+' ? *to->at : '\0', '\0'};
    if (to->atom == NO_ATOM) {
        return false;
    }
    if (to->quantified) {
        wrap_atom(to);
    }
    to->at += text[1] != '\0';
    append_text(to, text);
    to->quantified = true;
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Two letters that caseless stand for one more, which PCRE2 does not know: ß, ﬀ, ﬁ, ﬂ, ﬆ. */
static bool makes_one_letter(const struct respelling *to, char letter)
{
    static const char *const pairs[] = {"ss", "ff", "fi", "fl", "st"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (to->former == pairs[i][0] && letter == pairs[i][1]) {
            return true;
        }
    }
    return false;
}

static bool put_letter(struct respelling *to, uint32_t code_point)
{
    const char small = code_point < 0x80 ? (char)unicode_lower(code_point) : '\0';
    const char *const text = literal_escape(to, code_point);
    if (text == NULL || (current_group(to)->caseless && makes_one_letter(to, small))) {
        return false;
    }
    put_atom(to, text);
    to->former = current_group(to)->caseless ? small : '\0';
    return true;
}

static bool put_class(struct respelling *to, struct class class)
{
    const char *const text =
        class.members == NULL
            ? NULL
            : arena_format(to->arena, class.opposite ? "[^%s]" : "[%s]", class.members);
    if (text != NULL) {
        put_atom(to, text);
    }
    return text != NULL;
}

/* \b and such, and what both read alike; false: none stands here. */
static bool put_anchor(struct respelling *to)
{
#define BORDER(before, behind) "(?<" before "[" LOOSE_WORDS "])(?" behind "[" LOOSE_WORDS "])"
    static const struct {
        const char *read, *written;
        bool atom;
    } rows[] = {
        {"\\b", "(?:" BORDER("=", "!") "|" BORDER("!", "=") ")", false},
        {"\\B", "(?:" BORDER("=", "=") "|" BORDER("!", "!") ")", false},
        {"\\A", "\\A", false},
        {"\\Z", "\\Z", false},
        {"\\z", "\\z", false},
        {"\\G", "\\G", false},
        {"\\K", "\\K", false},
        {"\\R", "\\R", true},
        {"\\N", "[^\\x0A]", true},
        {"\\O", "(?s:.)", true},
        {"^", "^", false},
        {"$", "$", false},
        {".", ".", true},
    };
#undef BORDER
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (accept_text(to, rows[i].read)) {
            put_atom(to, rows[i].written);
            to->atom = rows[i].atom ? to->atom : NO_ATOM;
            return true;
        }
    }
    return false;
}

/* Writes a reference, \1 to \9 or \k<name>; false: none stands here. */
static bool put_reference(struct respelling *to)
{
    const bool number =
        to->at[0] == '\\' && to->at[1] >= '1' && to->at[1] <= '9' && value_of(to->at[2]) > 9;
    const bool name = strncmp(to->at, "\\k<", 3) == 0 && value_of(to->at[3]) > 9;
    const size_t length = number ? 2 : strcspn(to->at, ">") + 1;
    if ((!number && !name) || length > strlen(to->at)) {
        return false;
    }
    const char *const text = arena_format(to->arena, "%.*s", (int)length, to->at);
    put_atom(to, text == NULL ? "" : text);
    to->at += length;
    return true;
}

static bool read_next(struct respelling *to)
{
    const char former = to->former;
    long min = 0, max = 0;
    uint32_t code_point = 0;
    to->former = '\0';
    if (is_class_escape(to->at)) {
        return put_class(to, read_class_escape(to, false));
    }
    if (put_anchor(to) || put_reference(to)) {
        return true;
    }
    if (accept_text(to, "\\")) {
        to->former = former;
        return read_escape(to, false, &code_point) && put_letter(to, code_point);
    }
    if (accept_text(to, "[")) {
        const struct spelled set = read_brackets(to);
        const char *const text = set.text == NULL ? NULL : in_brackets(to, set);
        put_atom(to, text == NULL ? "" : text);
        return text != NULL;
    }
    if (accept_text(to, "(")) {
        return read_group(to);
    }
    if (accept_text(to, ")")) {
        return close_group(to);
    }
    if (accept_text(to, "|")) {
        to->atom = NO_ATOM;
        append_text(to, "|");
        return true;
    }
    if (strchr("*+?", *to->at) != NULL) {
        return put_quantifier(to);
    }
    if (*to->at == '{' && read_interval(to, &min, &max)) {
        return put_interval(to, min, max);
    }
    to->former = former;
    return read_letter(to, &code_point) && put_letter(to, code_point);
}

const char *regex_respell(const char *pattern, const char *script, struct arena *arena, size_t *at)
{
    enum { ROOM = 256 };
    struct respelling to = {.arena = arena,
                            .script = script,
                            .at = pattern,
                            .out = arena_alloc(arena, ROOM),
                            .room = ROOM};
    bool fine = to.out != NULL;
    to.atom = NO_ATOM;
    while (fine && *to.at != '\0') {
        fine = read_next(&to) && to.out != NULL;
    }
    close_options(&to);
    *at = (size_t)(to.at - pattern);
    return fine && to.depth == 0 ? to.out : NULL;
}
