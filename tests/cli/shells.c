/* The program among others: completed by shells, read by man, interrupted, and its tables opened in
 * spreadsheets. What needs a program that this machine has not is skipped. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "stand.h"

static void require_program(struct stand *stand, const char *program)
{
    if (stand_other(stand, arena_format(&stand->arena, "command -v %s >/dev/null", program)) != 0) {
        skip();
    }
}

static const char *text_of(struct stand *stand, const char *name)
{
    return (const char *)stand_content(stand, name).at;
}

/* Returns the words that bash offers behind these; the last is the one being typed. */
static const char *offered_words(struct stand *stand, const char *words)
{
    const char *const line = arena_format(
        &stand->arena,
        "bash --norc -c 'source ./script; COMP_WORDS=(attnscope %s); "
        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _attnscope; echo \"${COMPREPLY[*]}\"' >offered",
        words);
    assert_int_equal(stand_other(stand, line), 0);
    return text_of(stand, "offered");
}

static void bash_completes_calls_options_names_and_files(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *words, *offers;
    } cases[] = {
        {"compu", "compute\n"},
        {"--lossen", "\n"},
        {"--lesso", "--lesson\n"},
        {"compute --lesson rac", "race\n"},
        {"compute --format \"\"", "json csv npz npy latex tikz numpy tabs bmatrix markdown html\n"},
        {"render --format p", "png pdf\n"},
        {"render --stage = so", "softmax\n"},
        {"compute --scale \"\"", "on off\n"},
        {"compute --seed \"\"", "\n"},
        {"compute --weights v.n", "v.npz\n"},
        {"compute --embedding one", "onehot\n"},
        {"compute --embedding od", "odd\n"},
        {"compute --stag", "\n"},
        {"info v", "v.npz\n"},
        {"completion b", "bash\n"},
    };
    stand_call(stand, "completion bash");
    require_program(stand, "bash");
    assert_int_equal(stand_other(stand, "touch v.npz odd && cp output script"), 0);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        assert_string_equal(offered_words(stand, cases[c].words), cases[c].offers);
    }
}

static void zsh_and_fish_read_their_scripts(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "completion zsh");
    assert_memory_equal(stand->output, "#compdef attnscope\n", 19);
    assert_int_equal(stand_other(stand, "! command -v zsh >found || zsh -n output"), 0);
    stand_call(stand, "completion fish");
    assert_non_null(strstr(stand->output, "-l lesson -x -a 'cats "));
    assert_int_equal(stand_other(stand, "! command -v fish >found || fish -n output"), 0);
    stand_refused(stand, "completion tcsh", 2, "did you mean bash?");
    stand_refused(stand, "completion", 2, "bash, zsh or fish");
}

/* Says whether the manual gives the option to the call: it says "In: compute, render.", or nothing
 * where all calls have it. */
static bool manual_gives(const char *option, const char *call)
{
    const char *const end = strstr(option, "\n.TP\n");
    const char *const whose = strstr(option, "\nIn: ");
    if (whose == NULL || (end != NULL && whose > end)) {
        return true;
    }
    const char *const name = call[0] == '\0' ? "the window" : call;
    const char *const at = strstr(whose, name);
    return at != NULL && at < whose + strcspn(whose, ".") && strchr(",.", at[strlen(name)]) != NULL;
}

static void the_manual_names_every_option_that_help_offers(void **state)
{
    struct stand *const stand = *state;
    static const char *const calls[] = {"",      "compute", "render", "describe", "lessons",
                                        "train", "models",  "info",   "bench",    "completion",
                                        "why",   "ablate",  "patch",  "heads",    "circuits"};
    stand_call(stand, "--man");
    const char *const page = stand->output;
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        stand_call(stand, arena_format(&stand->arena, "%s --help", calls[c]));
        size_t options = 0;
        for (const char *at = strstr(stand->output, "\n  --"); at != NULL;
             at = strstr(at + 1, "\n  --")) {
            char name[64] = "\\fB\\-\\-";
            size_t length = strlen(name);
            for (const char *letter = at + 5; *letter != ' ' && *letter != '\n'; letter++) {
                length += (size_t)(*letter == '-' ? (name[length] = '\\', 1) : 0);
                name[length++] = *letter;
            }
            snprintf(name + length, sizeof name - length, "\\fR");
            const char *told = strstr(page, name); /* two calls have a --text each */
            while (told != NULL && !manual_gives(told, calls[c])) {
                told = strstr(told + 1, name);
            }
            if (told == NULL) {
                fail_msg("%s of %s is not in the manual.", name, calls[c]);
            }
            options++;
        }
        assert_true(options >= 1);
        assert_non_null(strstr(page, arena_format(&stand->arena, "attnscope%s%s\\fR",
                                                  calls[c][0] == '\0' ? "" : " ", calls[c])));
    }
    require_program(stand, "groff");
    stand_call(stand, "--man");
    assert_int_equal(stand_other(stand, "groff -man -Tutf8 -ww output >page 2>said"), 0);
    assert_int_equal(stand_content(stand, "said").size, 0);
}

static void every_shell_completes_every_option(void **state)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    static const char *const calls[] = {"compute", "render", "describe", "bench", "info",
                                        "why",     "ablate", "patch",    "heads", "circuits"};
    struct stand *const stand = *state;
    for (size_t s = 0; s < sizeof shells / sizeof shells[0]; s++) {
        stand_call(stand, arena_format(&stand->arena, "completion %s", shells[s]));
        const char *const script = arena_text(&stand->arena, stand->output, strlen(stand->output));
        for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
            stand_call(stand, arena_format(&stand->arena, "%s --help", calls[c]));
            size_t options = 0;
            for (const char *at = stand->output; (at = strstr(at, "\n  --")) != NULL; at++) {
                const char *const name =
                    arena_text(&stand->arena, at + 5, strcspn(at + 5, " =,\n"));
                const char *const written = arena_format(
                    &stand->arena, strcmp(shells[s], "fish") == 0 ? "-l %s" : "--%s", name);
                options++;
                if (strstr(script, written) == NULL) {
                    fail_msg("%s does not complete %s of %s", shells[s], written, calls[c]);
                }
            }
            assert_true(options > 2);
        }
    }
}

static void a_spreadsheet_computes_nothing_of_what_pupils_typed(void **state)
{
    struct stand *const stand = *state;
    stand_call(stand, "compute --embedding onehot --format csv --select X,Q --tokens "
                      "'=1+1 +2 -3 @a \xef\xbc\x9d"
                      "b a\\\tb a=b \"=,x'");
    assert_memory_equal(stand->output, "# tokens 8\n", 11);
    assert_non_null(strstr(stand->output, "\n'=1+1,'+2,'-3,'@a,'\xef\xbc\x9d"
                                          "b,a\\tb,a=b,"));
    assert_non_null(strstr(stand->output, ",\"\"\"=,x\"\n"));
    assert_non_null(strstr(stand->output, "\n1,0,0,0,0,0,0,0\n"));
    stand_call(stand, "compute --embedding onehot --format csv --select X,Q --context '=cmd b'");
    assert_non_null(strstr(stand->output, "# context 2\n'=cmd,b\n"));
}

/* Neither colours nor a cursor move by a word, nor is what stands behind it read backwards. */
static void a_terminal_shows_words_and_obeys_none(void **state)
{
    struct stand *const stand = *state;
    static const char *const calls[] = {
        "describe --tokens 'a\x1b[31mb \xe2\x80\xae"
        "cba \xe2\x81\xa6x \x9b\x07y'",
        "compute --format csv --embedding onehot --tokens 'a\x1b[31mb \xe2\x80\xae"
        "cba \xe2\x81\xa6x \x9b\x07y'",
    };
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        stand_run(stand, calls[c]);
        assert_null(strpbrk(stand->output, "\x1b\x07\t\r"));
        assert_null(strstr(stand->output, "\xe2\x80\xae"));
        assert_null(strstr(stand->output, "\xe2\x81\xa6"));
        assert_non_null(strstr(stand->output, "\\u202ecba"));
        assert_true(stand->output[strlen(stand->output) - 1] == '\n');
    }
}

static void ctrl_c_ends_with_130_and_leaves_the_old_file(void **state)
{
    struct stand *const stand = *state;
    static char spaces[1 << 17];
    int way[2], ended = 0;
    struct error error = {ERROR_NONE, 0, ""};
    const struct bytes mine = {(const uint8_t *)"mine", 4};
    const char *const path = stand_path(stand, "out.json");
    assert_true(file_write(path, mine, &error));
    assert_int_equal(pipe(way), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const char *const program = getenv("ATTNSCOPE_BINARY");
        signal(SIGINT, SIG_DFL);
        dup2(way[0], STDIN_FILENO);
        close(way[0]);
        close(way[1]);
        execl(program, program, "compute", "-", "-o", path, (char *)NULL);
        _exit(99);
    }
    close(way[0]);
    memset(spaces, ' ', sizeof spaces);
    /* More than a pipe holds: when it is written, the program is reading. */
    assert_int_equal(write(way[1], spaces, sizeof spaces), sizeof spaces);
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(waitpid(child, &ended, 0), child);
    close(way[1]);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 130);
    assert_string_equal(text_of(stand, "out.json"), "mine");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(bash_completes_calls_options_names_and_files),
        STAND(zsh_and_fish_read_their_scripts),
        STAND(the_manual_names_every_option_that_help_offers),
        STAND(every_shell_completes_every_option),
        STAND(a_spreadsheet_computes_nothing_of_what_pupils_typed),
        STAND(a_terminal_shows_words_and_obeys_none),
        STAND(ctrl_c_ends_with_130_and_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
