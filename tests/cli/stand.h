/* tests/cli/stand.h — the program called as a shell calls it, in a folder of its own for every
 * test.
 */
#ifndef TESTS_CLI_STAND_H
#define TESTS_CLI_STAND_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bytes.h"

/* The folder, and what the last call left behind. */
struct stand {
    struct arena arena;
    char folder[64];
    int status;
    const char *output, *complaint;
    size_t output_size;
};

int stand_open(void **state);
int stand_close(void **state);

/* A test in a folder of its own. */
#define STAND(test) cmocka_unit_test_setup_teardown(test, stand_open, stand_close)

/* A file in the folder; its content, which must be there. */
const char *stand_path(struct stand *stand, const char *name);
struct bytes stand_content(struct stand *stand, const char *name);

/* Runs `attnscope ARGUMENTS` in a shell, inside the folder. */
void stand_run(struct stand *stand, const char *arguments);

/* The same; it must end well and say nothing. */
void stand_call(struct stand *stand, const char *arguments);

/* The same; it must end with the status, one line that begins with the program's name and holds the
 * words, and no output. */
void stand_refused(struct stand *stand, const char *arguments, int status, const char *says);

/* Runs another program in the folder, as a shell line; its exit status. */
int stand_other(struct stand *stand, const char *line);

#endif
