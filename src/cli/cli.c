/* cli/cli.c — the table of calls, and which one is meant. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/file.h"
#include "base/system/process.h"
#include "cli/calls.h"
#include "cli/limits.h"
#include "cli/model.h"
#include "cli/subject.h"
#include "cli/window.h"

static int print_completion(const struct cli_options *options)
{
    return cli_completion(options, cli_calls());
}

static const struct cli_call calls[] = {
    {"", CALL_WINDOW, NULL, "[FILE] [options]", "open the window",
     "Opens the window on a lesson, a session, a picture or the folder of a model, or learns from "
     "a text (.txt, .md)."},
    {"compute", CALL_COMPUTE, cli_compute, "[FILE] [options] [-o OUT]",
     "print every intermediate result", "Prints every intermediate result of an experiment."},
    {"render", CALL_RENDER, cli_render, "[FILE] [options] -o OUT",
     "draw pictures, without a display",
     "Draws pictures of an experiment; it needs no display. {head}, {stage} and {layer} in the "
     "name "
     "of a file stand for what the picture shows."},
    {"describe", CALL_DESCRIBE, cli_describe, "[FILE] [options]", "say what a picture shows",
     "Says in plain sentences what the picture shows."},
    {"why", CALL_WHY, cli_why, "MODEL --text T [options]", "split a next word into parts",
     "Says which parts of a model made a next word: its logit (or the difference to a rival) as a "
     "sum over the embedding, every head, every MLP and the biases, the last norm's scale as it "
     "is, and each head over the words that it looks at; and what the model would say after each "
     "part of each layer (logit lens). What a part adds directly is not what is lost without it: "
     "attnscope ablate."},
    {"ablate", CALL_ABLATE, cli_ablate, "MODEL --text T [options]", "what is lost without a part",
     "Runs a model without parts of it and says what that changes: the logit and probability of a "
     "next word, how far all next words move (KL), and how well the text's own words are foretold "
     "(loss). All heads and MLPs in turn share what is computed before them."},
    {"patch", CALL_PATCH, cli_patch, "MODEL --text T --changed U [options]",
     "which part carries a difference",
     "Puts parts of a text into another one with as many tokens, each in turn, and says how much "
     "of "
     "the difference of a next word (or word and rival) each restores: 1 is all of it. With --from "
     "and --to it follows one path: what is lost where one part no longer reads another."},
    {"heads", CALL_HEADS, cli_heads, "MODEL [--probe N] [options]",
     "what every head of a model does",
     "Measures every head of a model over several texts: how much it looks at the word before, at "
     "what followed the last time (induction), at the same word, at the first word, at itself, "
     "whether words matter at all (positional), and how spread out it is (entropy, in bits); mean "
     "and spread over the texts."},
    {"circuits", CALL_CIRCUITS, cli_circuits, "MODEL [--head L0H1] [options]",
     "what heads do by their weights alone",
     "Looks at the weights of a model, without a text: which heads copy, and which read what an "
     "earlier head writes, by their queries, keys or values. With --head it also says for that "
     "head which words look at which (QK, rotary positions at a distance of 0) and which words it "
     "makes likelier (OV)."},
    {"lessons", CALL_LESSONS, cli_lessons, "[--json]", "list the built-in lessons",
     "Lists the built-in lessons."},
    {"train", CALL_TRAIN, cli_train, "--task NAME [options] -o FOLDER", "let weights learn",
     "Trains a small transformer and writes it as a folder (config.json, model.safetensors, "
     "tokenizer.json, tokenizer_config.json) that this program and others open. Ctrl+C stops after "
     "a step and writes what there is."},
    {"blame", CALL_BLAME, cli_blame, "FOLDER --word W [--text T]", "which line taught a word",
     "Says which line of its text taught a network a word: a folder that train --rows lines wrote, "
     "or train --task small-world with its forty sentences, is trained again from the same start "
     "with a line left out, whose row stays and is not asked, and what it says then stands beside "
     "the line. Lines are ranked by gradients first, and those drawn at random say how much a line "
     "changes that has nothing to do with it."},
    {"models", CALL_MODELS, cli_models, "[--json]", "list the models on this machine",
     "Lists the models that Ollama, Hugging Face and LM Studio have put on this machine: family, "
     "layers and heads, the kind of their numbers, their size, and where they lie."},
    {"info", CALL_INFO, cli_info, "FILE [--json]", "say what a file is",
     "Says what a file is: its kind, and the shapes and types of the arrays in it. It knows .npy, "
     ".npz, .safetensors and JSON, models (folders and GGUF), lessons and sessions, results and "
     "pictures of this program, tables and word vectors."},
    {"bench", CALL_BENCH, cli_bench, "[options]", "measure this machine",
     "Measures this machine: the core against the processor's peak, and start and drawing."},
    {"completion", CALL_COMPLETION, print_completion, "bash|zsh|fish",
     "complete commands in a shell",
     "Prints a script that completes calls, options and names in a shell; for bash: "
     "source <(attnscope completion bash)"},
    {.name = NULL},
};

const struct cli_call *cli_calls(void)
{
    return calls;
}

/* Returns names of calls without the window's. */
static const char *call_name(size_t index)
{
    return calls[index + 1].name;
}

static const struct cli_call *find_call(const char *name)
{
    for (size_t c = 1; calls[c].name != NULL; c++) {
        if (strcmp(calls[c].name, name) == 0) {
            return &calls[c];
        }
    }
    return NULL;
}

/* Opens the computing threads and kernels that --isa and --threads ask for. */
static bool open_engine(struct cli_options *options, struct error *error)
{
    const struct cli_value *const threads = &options->value[CLI_THREADS];
    return lab_engine_open(&options->engine, options->value[CLI_ISA].text,
                           threads->given ? (size_t)threads->whole : 0, error);
}

/* Says what was meant where FILE is none: a lesson, or a word of a text without quotes. */
static bool check_meant(const struct cli_options *options, struct error *error)
{
    const char *const file = options->file;
    size_t lesson = 0;
    if (file == NULL || strcmp(file, "-") == 0 || system_exists(file)) {
        return true;
    }
    if (lab_lesson_find(file, &lesson)) {
        return error_set(error, ERROR_USAGE, "There is no file %.40s; the lesson is --lesson %s.",
                         file, lab_lesson_name(lesson));
    }
    return !options->value[CLI_TOKENS].given || cli_refuse_loose_word(error, file);
}

bool cli_options_resolve(struct cli_options *options, struct error *error)
{
    if (options->call != CALL_INFO) { /* which says what is in a file */
        cli_resolve_model_folder(options);
    }
    if (!cli_resolve_listed_model(options, error) || !check_meant(options, error)) {
        return false;
    }
    cli_choose_subject(options);
    return cli_check_source(options, error);
}

static int run_call(const struct cli_call *call, int argc, char **argv)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct cli_options options;
    if (!cli_options_read(&options, call->call, argc, argv, 2, &error)) {
        return cli_fail(&error);
    }
    if (options.value[CLI_HELP].given) {
        return cli_help(call);
    }
    system_end_at_interrupt();
    const bool begins = cli_options_resolve(&options, &error) && open_engine(&options, &error);
    const int status = begins ? call->run(&options) : cli_fail(&error);
    if (begins && status == CLI_FAILED && call->call != CALL_BLAME) { /* no other answers that */
        cli_print_python_recipe(&options);
    }
    lab_engine_close(&options.engine);
    file_handle_release(options.opened);
    return status;
}

/* Refuses an argument that is neither a file nor a call and looks like one of the calls. */
static bool check_file(const char *file, struct error *error)
{
    if (file == NULL || strpbrk(file, "./\\") != NULL ||
        cli_nearest_name(file, call_name) == NULL) {
        return true;
    }
    return cli_refuse_unknown(error, "call", file, call_name);
}

int cli_main(int argc, char **argv, struct cli_window *window)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct cli_options options;
    system_keep_write_errors();
    const struct cli_call *const call = argc > 1 ? find_call(argv[1]) : NULL;
    if (call != NULL) {
        return run_call(call, argc, argv);
    }
    if (argc == 2 && strcmp(argv[1], "--man") == 0) {
        return cli_manual(calls); /* for those who install it */
    }
    if (argc == 3 && strcmp(argv[1], "--icons") == 0) {
        return cli_icons(argv[2]); /* the same */
    }
    if (argc > 1 && argc < 4 && strcmp(argv[1], "help") == 0) {
        const struct cli_call *const about = argc == 2 ? &calls[0] : find_call(argv[2]);
        return about != NULL
                   ? cli_help(about)
                   : (cli_refuse_unknown(&error, "call", argv[2], call_name), cli_fail(&error));
    }
    /* A misspelt call is reported before errors of the window's options. */
    if ((argc > 2 && argv[1][0] != '-' && !check_file(argv[1], &error)) ||
        !cli_options_read(&options, CALL_WINDOW, argc, argv, 1, &error)) {
        return cli_fail(&error);
    }
    const struct {
        enum cli_option option;
        int (*run)(const struct cli_options *options);
    } asides[] = {{CLI_VERSION, cli_version},
                  {CLI_LIST, cli_list},
                  {CLI_LIMITS, cli_limits},
                  {CLI_REGISTER, cli_register},
                  {CLI_UNREGISTER, cli_unregister}};
    if (options.value[CLI_HELP].given) {
        return cli_help(&calls[0]);
    }
    for (size_t a = 0; a < sizeof asides / sizeof asides[0]; a++) {
        if (options.value[asides[a].option].given) {
            return cli_options_check_call(&options, CALL_LIST, &error) ? asides[a].run(&options)
                                                                       : cli_fail(&error);
        }
    }
    system_end_at_interrupt();
    const bool resolved = cli_options_resolve(&options, &error);
    if (options.subject == NULL) {
        return cli_fail(&error);
    }
    const bool fills = resolved &&
                       (options.subject->window != NULL || check_file(options.file, &error)) &&
                       open_engine(&options, &error) && cli_window_fill(&options, window, &error);
    const int status = fills ? CLI_WINDOW : cli_fail(&error);
    if (!fills) {
        lab_engine_close(&options.engine);
        cli_print_python_recipe(&options);
    }
    file_handle_release(options.opened);
    return status;
}
