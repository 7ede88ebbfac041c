/* cli/cli.h — the command line: every call that needs no window, and the options of the one that
 * does.
 *
 *     struct cli_window window;
 *     const int status = cli_main(argc, argv, &window);
 *     if (status >= 0) {
 *         return status;                       the call is done, or was wrong and has been told why
 *     }
 *     … open the window …
 *     cli_window_release(&window); */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>

#include "app/desktop/window.h"
#include "app/open/lesson.h"
#include "lab/dump/dump.h"
#include "lab/experiment/experiment.h"
#include "lab/experiment/stage.h"
#include "lab/explain/explain.h"

enum {
    CLI_WINDOW = -1, /* the window is asked for */
    CLI_DONE = 0,
    CLI_FAILED = 1, /* file, memory, display */
    CLI_USAGE = 2   /* the call is wrong */
};

/* The arguments, as the window needs them. */
struct cli_window {
    struct lab_experiment
        experiment; /* of the file or lesson (cats when none is named) and the options */
    struct app_lesson_file
        file;             /* the lesson, session or picture to open; owned; path NULL: none */
    const char *own_text; /* a file of text to learn from, one of the arguments; NULL: none */
    size_t step;          /* of that, or of the lesson, counted from 0 */
    bool presenter;
    enum lab_stage stage;
    struct lab_selection selection;
    const char *theme;        /* --theme; NULL: as the desktop has it */
    struct app_window window; /* width, height, ui_scale, renderer; 0: by itself */
    struct lab_engine engine; /* of --isa and --threads; owned */
    const char *model; /* the folder of a model, or a file of attention, to open; NULL: none */
    bool is_dump;      /* `model` is a file of attention */
    struct lab_dump_request request; /* of its arrays; borrows from the arguments */
    struct lab_dump *dump;           /* the file, where that request can open it; owned */
    char *listed;                    /* the path of a model that was named as it is listed; owned */
    char *text;                      /* for the model; owned; NULL: the program's own sentence */
    struct model *opened;            /* the model, begun or open; owned */
    struct model_run *run;           /* its run, where it has read more than a text; owned */
    bool chat;                       /* `text` is a message in the model's chat template */
    size_t layer, head;              /* of the model to begin at, from 0 */
    size_t side; /* which attention of a model of two texts, as --heads-of has them */
    bool staged; /* `stage` was asked for */
};

/* Reads the arguments and does what they ask for. Returns an exit status, or CLI_WINDOW with
 * *window filled: the caller then owns its experiment. Errors have been printed. */
int cli_main(int argc, char **argv, struct cli_window *window);

void cli_window_release(struct cli_window *window);

#endif
