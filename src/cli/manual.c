/* cli/manual.c — prints the page of the manual from the same tables as the help (man(7)). */
#include <string.h>

#include "cli/calls.h"
#include "cli/version.h"
#include "file/growing.h"

/* Appends text for roff: a hyphen is a minus, a backslash is itself, no line begins with a
 * request. */
static void put_roff(struct growing *out, const char *text)
{
    growing_put_text(out, *text == '.' || *text == '\'' ? "\\&" : "");
    for (; *text != '\0'; text++) {
        if (*text == '\\') {
            growing_put_text(out, "\\e");
        } else if (*text == '-') {
            growing_put_text(out, "\\-");
        } else {
            growing_put_byte(out, *text);
        }
    }
}

static void put_styled(struct growing *out, const char *style, const char *text)
{
    growing_put_text(out, style);
    put_roff(out, text);
    growing_put_text(out, "\\fR");
}

static void put_synopsis(struct growing *out, const struct cli_call *calls)
{
    growing_put_text(out, ".SH SYNOPSIS\n");
    for (const struct cli_call *call = calls; call->name != NULL; call++) {
        growing_put_text(out, call == calls ? "" : ".br\n");
        growing_put_text(out, "\\fBattnscope");
        growing_put_text(out, call->name[0] == '\0' ? "" : " ");
        growing_put_text(out, call->name);
        growing_put_text(out, "\\fR ");
        put_roff(out, call->arguments);
        growing_put_text(out, "\n");
    }
}

static void put_calls(struct growing *out, const struct cli_call *calls)
{
    growing_put_text(out, ".SH CALLS\n");
    for (const struct cli_call *call = calls; call->name != NULL; call++) {
        growing_put_text(out, ".TP\n");
        put_styled(out, "\\fB", call->name[0] == '\0' ? "attnscope" : call->name);
        growing_put_text(out, "\n");
        put_roff(out, call->more);
        growing_put_text(out, "\n");
    }
    growing_put_text(out, ".PP\n");
    put_roff(out, cli_about_files);
    growing_put_text(out, "\n");
}

/* Appends "Calls: compute, render." where not all calls have the option. */
static void put_whose(struct growing *out, unsigned whose, const struct cli_call *calls)
{
    if (whose == CALL_ALL) {
        return;
    }
    growing_put_text(out, "\n.br\nIn: ");
    bool first = true;
    for (const struct cli_call *call = calls; call->name != NULL; call++) {
        if ((whose & call->call) != 0) {
            growing_put_text(out, first ? "" : ", ");
            growing_put_text(out, call->name[0] == '\0' ? "the window" : call->name);
            first = false;
        }
    }
    growing_put_text(out, ".");
}

static void put_options(struct growing *out, const struct cli_call *calls)
{
    growing_put_text(out, ".SH OPTIONS\n");
    put_roff(out, "Defaults stand in brackets. --name value and --name=value are the same.");
    growing_put_text(out, "\n");
    for (size_t p = 0; cli_option_at(p) != CLI_OPTIONS; p++) {
        const enum cli_option option = cli_option_at(p);
        const struct cli_option_row *const row = cli_option_row(option);
        if (row->help == NULL) {
            continue;
        }
        growing_put_text(out, ".TP\n");
        const char *const name =
            arena_format(out->arena, "%s%s", cli_option_dashes(option), row->name);
        put_styled(out, "\\fB", name == NULL ? "" : name);
        if (row->argument != NULL) {
            growing_put_text(out, " ");
            put_styled(out, "\\fI", row->argument);
        }
        growing_put_text(out, "\n");
        put_roff(out, cli_option_help(row, out->arena));
        put_whose(out, row->calls, calls);
        growing_put_text(out, "\n");
    }
}

/* Sections that are in no table: a heading, then pairs. */
static const struct section {
    const char *heading;
    const char *const (*rows)[2];
    size_t count;
} sections[] = {
    {"EXIT STATUS",
     (const char *const[][2]){{"0", "It is done."},
                              {"1", "It could not be done: a file, memory, the display."},
                              {"2", "The call is wrong."},
                              {"128 + N", "Signal N ended it: 130 by Ctrl+C."}},
     4},
    {"ENVIRONMENT",
     (const char *const[][2]){
         {"ATTN_ISA", "The instruction set to use, as --isa; a call's own --isa "
                      "counts more."},
         {"ATTNSCOPE_HOME",
          "The folder where the window saves sessions, and keeps which files were "
          "opened lately and where it stood."},
         {"XDG_STATE_HOME",
          "Without ATTNSCOPE_HOME that is kept here, in attnscope; without both in "
          "~/.local/state/attnscope."},
         {"XDG_DATA_HOME", "Where --register tells a desktop of this program; without it in "
                           "~/.local/share."},
         {"OLLAMA_MODELS", "Where Ollama keeps its models; without it in ~/.ollama/models."},
         {"HF_HOME, HF_HUB_CACHE", "Where Hugging Face keeps its models: in hub of the one, or in "
                                   "the other; without both in ~/.cache/huggingface/hub."},
         {"LANGUAGE, LC_ALL, LC_MESSAGES, LANG",
          "What the window speaks, where it knows that language and --language says nothing."},
         {"GDK_SCALE, QT_SCALE_FACTOR", "How large the window draws, on X11."},
         {"ATTNSCOPE_REDUCE_MOTION", "1: nothing glides, stages change at once; 0: they glide, "
                                     "whatever the desktop wishes."},
         {"GTK_ENABLE_ANIMATIONS", "0: the desktop's wish for less movement."},
         {"SDL_VIDEODRIVER", "How SDL reaches the screen, x11 or wayland."},
         {"TMPDIR", "Where bench makes the file of 600 MB that it opens; without it in the "
                    "folder it was called in."},
         {"SOURCE_DATE_EPOCH", "The time that stands in pictures, in seconds since 1970; without "
                               "it no time stands there."}},
     12},
    {"FILES",
     (const char *const[][2]){
         {"~/.local/state/attnscope/work-N.json",
          "Work of the window that is in no file yet. It is written there at the latest 8 seconds "
          "or "
          "20 changes after it was done, and when the session of the desktop ends. After an end "
          "that nobody wanted the next start offers it: Restore or Discard."},
         {"attnscope-NAME.json",
          "A session as Ctrl+S saves it: an experiment and its steps, in JSON. FILE of every call "
          "may be one; lesson.schema.json among the installed files says what may stand in it."}},
     2},
    {"EXAMPLES",
     (const char *const[][2]){
         {"attnscope render --lesson cats --stage softmax -o out.png",
          "Draws the window as it looks at one stage of a lesson."},
         {"attnscope render out.png --stage blend -o out.pdf",
          "The same experiment, read from the picture, at another stage."},
         {"attnscope compute --tokens \"cat dog lion\" --scale off --select weights",
          "Prints the weights alone."},
         {"attnscope compute --lesson ten -o ten.npz && attnscope info ten.npz",
          "Writes all arrays for NumPy, and says which they are."},
         {"attnscope render --panels two.json --size 174mm --style paper.json -o two.pdf",
          "A figure of two panels, a and b, with one bar and the letters of a paper. In two.json: "
          "{\"columns\": 2, \"panels\": [{\"call\": [\"one.npy\", \"--x-title\", \"source\"]}, "
          "{\"call\": [\"two.npy\"]}]}; in paper.json: {\"fonts\": {\"words\": \"Times New "
          "Roman\"}}."},
         {"attnscope compute one.npy --select weights -o one.tikz",
          "One matrix as a heatmap of TikZ; .tex makes a table."}},
     6},
};

static void put_section(struct growing *out, const struct section *section)
{
    growing_put_text(out, ".SH ");
    growing_put_text(out, section->heading);
    growing_put_text(out, "\n");
    for (size_t r = 0; r < section->count; r++) {
        growing_put_text(out, ".TP\n");
        put_styled(out, "\\fB", section->rows[r][0]);
        growing_put_text(out, "\n");
        put_roff(out, section->rows[r][1]);
        growing_put_text(out, "\n");
    }
}

int cli_manual(const struct cli_call *calls)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct bytes content;
    struct growing out = growing_start(&arena);
    growing_put_text(&out, ".TH ATTNSCOPE 1 \"\" \"attnscope " CLI_VERSION_TEXT "\"\n"
                           ".SH NAME\nattnscope \\- shows how attention computes\n");
    put_synopsis(&out, calls);
    growing_put_text(&out, ".SH DESCRIPTION\n");
    put_roff(&out,
             "attnscope computes attention from a few words and shows every number on the "
             "way: in a window, as pictures, or as tables. What is asked for goes to standard "
             "output or to the file that -o names, which is written whole or not at all; "
             "everything else goes to standard error. Numbers have a decimal point in every "
             "locale.");
    growing_put_text(&out, "\n");
    put_calls(&out, calls);
    put_options(&out, calls);
    for (size_t s = 0; s < sizeof sections / sizeof sections[0]; s++) {
        put_section(&out, &sections[s]);
    }
    const int status = growing_finish(&out, &content, &error) ? cli_write_file("-", content, false)
                                                              : cli_fail(&error);
    arena_free(&arena);
    return status;
}
