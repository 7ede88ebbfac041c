/* cli/completion.c — scripts that let a shell complete calls, options and names; made of the same
 * tables as the help. */
#include <ctype.h>
#include <string.h>

#include "cli/calls.h"
#include "file/growing.h"

/* The values of an option, as a shell can offer them. */
struct completion {
    const char *words; /* "on off"; "" when there are none to offer */
    bool files;
    bool any; /* it takes a value at all */
};

static struct completion offer_of(const struct cli_option_row *row, struct arena *arena)
{
    struct completion completion = {.words = "", .any = row->argument != NULL};
    struct growing words = growing_start(arena);
    struct bytes whole;
    if (!completion.any) {
        return completion;
    }
    completion.files =
        strstr(row->argument, "FILE") != NULL || strstr(row->argument, "OUT") != NULL;
    for (size_t n = 0; row->name_at != NULL && row->name_at(n) != NULL; n++) {
        growing_put_text(&words, words.size == 0 ? "" : " ");
        growing_put_text(&words, row->name_at(n));
    }
    for (const char *at = row->argument; row->name_at == NULL && *at != '\0';) {
        const size_t letters = strcspn(at, "|");
        if (islower((unsigned char)at[0])) { /* a name; arguments to fill in are in capitals */
            growing_put_text(&words, words.size == 0 ? "" : " ");
            growing_put(&words, at, letters);
        }
        at += letters + (at[letters] == '|' ? 1 : 0);
    }
    completion.words = growing_finish(&words, &whole, NULL) ? (const char *)whole.at : "";
    return completion;
}

/* Appends the text between single quotes of a shell, with `escape` before special characters. */
static void put_quoted(struct growing *out, const char *text, const char *special)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            growing_put_text(out, "'\\''");
            continue;
        }
        if (strchr(special, *text) != NULL) {
            growing_put_byte(out, '\\');
        }
        growing_put_byte(out, *text);
    }
}

static bool is_available(const struct cli_call *call, enum cli_option option)
{
    const struct cli_option_row *const row = cli_option_row(option);
    return (row->calls & call->call) != 0 && row->help != NULL;
}

static bool takes_files(const struct cli_call *call)
{
    return (call->call & CALL_FILE) != 0 && call->call != CALL_COMPLETION;
}

/* Appends all calls but the window's. */
static void put_call_names(struct growing *out, const struct cli_call *calls, const char *between)
{
    for (const struct cli_call *call = calls + 1; call->name != NULL; call++) {
        growing_put_text(out, call == calls + 1 ? "" : between);
        growing_put_text(out, call->name);
    }
}

static void put_shell_names(struct growing *out)
{
    for (size_t s = 0; cli_shell_name(s) != NULL; s++) {
        growing_put_text(out, s == 0 ? "" : " ");
        growing_put_text(out, cli_shell_name(s));
    }
}

/* ---- bash ----------------------------------------------------------------------------------- */

static void put_bash_values(struct growing *out, const struct cli_call *call)
{
    for (size_t p = 0; cli_option_at(p) != CLI_OPTIONS; p++) {
        const enum cli_option option = cli_option_at(p);
        const struct cli_option_row row = cli_option_row_in(option, call->call);
        const struct completion completion = offer_of(&row, out->arena);
        if (!is_available(call, option) || !completion.any) {
            continue;
        }
        const char *const arm = arena_format(
            out->arena, "    '%s %s%s') words='%s'%s;;\n", call->name, cli_option_dashes(option),
            row.name, completion.words, completion.files ? " files=1 " : " ");
        growing_put_text(out, arm == NULL ? "" : arm);
    }
}

static void put_bash_options(struct growing *out, const struct cli_call *call)
{
    growing_put_text(out, "    '");
    growing_put_text(out, call->name);
    growing_put_text(out, "') words='");
    for (size_t p = 0; cli_option_at(p) != CLI_OPTIONS; p++) {
        if (is_available(call, cli_option_at(p))) {
            growing_put_text(out, cli_option_dashes(cli_option_at(p)));
            growing_put_text(out, cli_option_row(cli_option_at(p))->name);
            growing_put_text(out, " ");
        }
    }
    if (call->call == CALL_COMPLETION) {
        put_shell_names(out);
    }
    growing_put_text(out, takes_files(call) ? "' files=1 ;;\n" : "' ;;\n");
}

static void put_bash(struct growing *out, const struct cli_call *calls)
{
    growing_put_text(out,
                     "# bash: source <(attnscope completion bash)\n"
                     "_attnscope()\n{\n"
                     "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                     "  local call= words= files= value=1\n"
                     "  if [ \"$word\" = = ]; then\n    word=\n"
                     "  elif [ \"$before\" = = ]; then\n"
                     "    before=${COMP_WORDS[COMP_CWORD-2]}\n  fi\n"
                     "  case ${COMP_WORDS[1]} in\n    ");
    put_call_names(out, calls, "|");
    growing_put_text(out, ") [ \"$COMP_CWORD\" -gt 1 ] && call=${COMP_WORDS[1]} ;;\n  esac\n"
                          "  case \"$call $before\" in\n");
    for (const struct cli_call *call = calls; call->name != NULL; call++) {
        put_bash_values(out, call);
    }
    growing_put_text(out, "    *) value= ;;\n  esac\n"
                          "  [ -n \"$value\" ] || case $call in\n");
    for (const struct cli_call *call = calls; call->name != NULL; call++) {
        put_bash_options(out, call);
    }
    growing_put_text(out, "  esac\n  if [ \"$COMP_CWORD\" = 1 ]; then\n    words+=' ");
    put_call_names(out, calls, " ");
    growing_put_text(out,
                     "'\n  fi\n"
                     "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                     "  if [ -n \"$files\" ]; then\n"
                     "    compopt -o filenames 2>/dev/null\n"
                     "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$word\")\n"
                     "  fi\n}\ncomplete -F _attnscope attnscope\n");
}

/* ---- zsh ------------------------------------------------------------------------------------ */

static void put_zsh_option(struct growing *out, const struct cli_call *call, enum cli_option option)
{
    const struct cli_option_row row = cli_option_row_in(option, call->call);
    const struct completion completion = offer_of(&row, out->arena);
    const bool again = option == CLI_OUT || option == CLI_PARAM(SCALE);
    growing_put_text(out, again ? "      '*" : "      '");
    growing_put_text(out, cli_option_dashes(option));
    growing_put_text(out, row.name);
    growing_put_text(out, !completion.any ? "[" : option == CLI_OUT ? "+[" : "=[");
    put_quoted(out, row.help, "[]\\");
    growing_put_text(out, "]");
    if (completion.any) {
        growing_put_text(out, ":");
        put_quoted(out, row.argument, ":\\");
        growing_put_text(out, ":");
        /* Words and files at once are two tags, which one action cannot offer: the words go
         * first. */
        if (completion.words[0] != '\0' && completion.files) {
            growing_put_text(out, "{compadd ");
            growing_put_text(out, completion.words);
            growing_put_text(out, "; _files}");
        } else if (completion.words[0] != '\0') {
            growing_put_text(out, "(");
            growing_put_text(out, completion.words);
            growing_put_text(out, ")");
        } else {
            growing_put_text(out, completion.files ? "_files" : " ");
        }
    }
    growing_put_text(out, "' \\\n");
}

static void put_zsh_call(struct growing *out, const struct cli_call *call)
{
    growing_put_text(out, "    ");
    growing_put_text(out, call->call == CALL_WINDOW ? "*" : call->name);
    growing_put_text(out, ")\n      _arguments \\\n");
    for (size_t p = 0; cli_option_at(p) != CLI_OPTIONS; p++) {
        if (is_available(call, cli_option_at(p))) {
            put_zsh_option(out, call, cli_option_at(p));
        }
    }
    if (call->call == CALL_COMPLETION) {
        growing_put_text(out, "      '1:shell:(");
        put_shell_names(out);
        growing_put_text(out, ")'\n      ;;\n");
    } else {
        growing_put_text(out, takes_files(call) ? "      '1:file:_files'\n      ;;\n"
                                                : "      '1: : '\n      ;;\n");
    }
}

static void put_zsh(struct growing *out, const struct cli_call *calls)
{
    growing_put_text(out, "#compdef attnscope\n# zsh: source <(attnscope completion zsh)\n"
                          "_attnscope()\n{\n  local -a calls\n"
                          "  if (( CURRENT == 2 )); then\n    calls=(\n");
    for (const struct cli_call *call = calls + 1; call->name != NULL; call++) {
        growing_put_text(out, "      '");
        growing_put_text(out, call->name);
        growing_put_text(out, ":");
        put_quoted(out, call->does, "\\:");
        growing_put_text(out, "'\n");
    }
    growing_put_text(out, "    )\n    _describe call calls\n  fi\n  case $words[2] in\n");
    for (const struct cli_call *call = calls + 1; call->name != NULL; call++) {
        growing_put_text(out, "    ");
        growing_put_text(out, call->name);
        growing_put_text(out, ") (( CURRENT > 2 )) && { shift words; (( CURRENT-- )) } ;;\n");
    }
    growing_put_text(out, "  esac\n  case $words[1] in\n");
    for (const struct cli_call *call = calls + 1; call->name != NULL; call++) {
        put_zsh_call(out, call);
    }
    put_zsh_call(out, calls);
    growing_put_text(out, "  esac\n}\n"
                          "if [[ $funcstack[1] == _attnscope ]]; then\n  _attnscope \"$@\"\n"
                          "else\n  compdef _attnscope attnscope\nfi\n");
}

/* ---- fish ----------------------------------------------------------------------------------- */

static void put_fish_option(struct growing *out, const struct cli_call *call,
                            enum cli_option option)
{
    const struct cli_option_row row = cli_option_row_in(option, call->call);
    const struct completion completion = offer_of(&row, out->arena);
    growing_put_text(out, "complete -c attnscope -n ");
    if (call->call == CALL_WINDOW) {
        growing_put_text(out, "\"not __fish_seen_subcommand_from $__attnscope_calls\"");
    } else {
        growing_put_text(out, "'__fish_seen_subcommand_from ");
        growing_put_text(out, call->name);
        growing_put_text(out, "'");
    }
    growing_put_text(out, option == CLI_OUT ? " -s " : " -l ");
    growing_put_text(out, row.name);
    growing_put_text(out, !completion.any ? "" : completion.files ? " -r -F" : " -x");
    if (completion.words[0] != '\0') {
        growing_put_text(out, " -a '");
        growing_put_text(out, completion.words);
        growing_put_text(out, "'");
    }
    growing_put_text(out, " -d \"");
    for (const char *at = row.help; *at != '\0'; at++) {
        growing_put_text(out, strchr("\"\\$", *at) != NULL ? "\\" : "");
        growing_put_byte(out, *at);
    }
    growing_put_text(out, "\"\n");
}

static void put_fish(struct growing *out, const struct cli_call *calls)
{
    growing_put_text(out, "# fish: attnscope completion fish | source\nset -g __attnscope_calls ");
    put_call_names(out, calls, " ");
    growing_put_text(out, "\n");
    for (const struct cli_call *call = calls; call->name != NULL; call++) {
        for (size_t p = 0; cli_option_at(p) != CLI_OPTIONS; p++) {
            if (is_available(call, cli_option_at(p))) {
                put_fish_option(out, call, cli_option_at(p));
            }
        }
        const char *const line =
            call->call == CALL_WINDOW
                ? NULL
                : arena_format(out->arena,
                               "complete -c attnscope -n \"not __fish_seen_subcommand_from "
                               "$__attnscope_calls\" -a %s -d '%s'\n",
                               call->name, call->does);
        growing_put_text(out, line == NULL ? "" : line);
    }
    growing_put_text(out,
                     "complete -c attnscope -n '__fish_seen_subcommand_from completion' -f -a '");
    put_shell_names(out);
    growing_put_text(out, "'\n");
}

int cli_completion(const struct cli_options *options, const struct cli_call *calls)
{
    /* In the order of cli_shell_name. */
    static void (*const scripts[])(struct growing *, const struct cli_call *) = {put_bash, put_zsh,
                                                                                 put_fish};
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct bytes content;
    size_t shell = 0;
    if (options->file == NULL) {
        error_set(&error, ERROR_USAGE, "completion needs the name of a shell: bash, zsh or fish.");
        return cli_fail(&error);
    }
    while (cli_shell_name(shell) != NULL && strcmp(cli_shell_name(shell), options->file) != 0) {
        shell++;
    }
    if (cli_shell_name(shell) == NULL) {
        cli_refuse_unknown(&error, "shell", options->file, cli_shell_name);
        return cli_fail(&error);
    }
    struct growing out = growing_start(&arena);
    scripts[shell](&out, calls);
    const int status = growing_finish(&out, &content, &error) ? cli_write_file("-", content, false)
                                                              : cli_fail(&error);
    arena_free(&arena);
    return status;
}
