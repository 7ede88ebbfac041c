/* cli/visible.c — texts from elsewhere, for terminals and spreadsheets. */
#include <string.h>

#include "base/text.h"
#include "cli/calls.h"
#include "file/csv.h"

const char *cli_escape_controls(const char *text, struct arena *arena)
{
    static const struct {
        uint32_t code;
        const char *escape;
    } escapes[] = {{'\t', "\\t"}, {'\n', "\\n"}, {'\r', "\\r"}};
    struct growing out = growing_start(arena);
    struct bytes whole;
    const size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        const size_t from = at;
        const uint32_t code = text_next(text, length, &at);
        const char *instead = NULL;
        for (size_t e = 0; e < sizeof escapes / sizeof escapes[0]; e++) {
            instead = escapes[e].code == code ? escapes[e].escape : instead;
        }
        if (instead == NULL && text_is_control(code)) {
            instead = arena_format(arena, "\\u%04x", (unsigned)code);
        }
        if (instead != NULL) {
            growing_put_text(&out, instead);
        } else {
            growing_put(&out, text + from, at - from);
        }
    }
    return growing_finish(&out, &whole, NULL) ? (const char *)whole.at : "";
}

/* An apostrophe turns what spreadsheets would compute into text (OWASP, "CSV Injection"). Some take
 * the wide forms for the narrow ones. */
const char *cli_escape_csv(const char *text, struct arena *arena)
{
    static const char *const begins[] = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
    const char *const shown = cli_escape_controls(text, arena);
    for (size_t b = 0; b < sizeof begins / sizeof begins[0]; b++) {
        if (strncmp(shown, begins[b], strlen(begins[b])) == 0) {
            const char *const made = arena_format(arena, "'%s", shown);
            return made == NULL ? "" : made;
        }
    }
    return shown;
}

void cli_append_words(struct growing *out, const char *name, const char *const *words, size_t count)
{
    const char **const escaped = arena_array(out->arena, count, sizeof *escaped);
    for (size_t w = 0; escaped != NULL && w < count; w++) {
        escaped[w] = cli_escape_csv(words[w], out->arena);
    }
    if (escaped != NULL) {
        csv_put_words(out, name, escaped, count);
    } else {
        out->failed = true;
    }
}
