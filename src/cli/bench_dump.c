#include "cli/bench_dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/actions/step.h"
#include "app/open/open_model.h"
#include "base/system/file.h"
#include "base/system/user.h"

enum { HEADER_BYTES = 128 };

bool cli_bench_make_dump(char *path, size_t size, struct error *error)
{
    static const char text[] =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (12, 12, 1024, 1024), }";
    static const uint64_t numbers = (uint64_t)12 * 12 * 1024 * 1024;
    const char *const folder = system_folder_variable("TMPDIR");
    uint8_t header[HEADER_BYTES];
    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(header + 10, text, sizeof text - 1);
    header[HEADER_BYTES - 1] = '\n';
    const int length =
        snprintf(path, size, "%.40s/attention-XXXXXX", folder == NULL ? "." : folder);
    const int file = length > 0 && (size_t)length < size ? system_open_unique(path) : -1;
    const bool made = file >= 0 && system_write(file, header, sizeof header) == HEADER_BYTES &&
                      system_set_size(file, HEADER_BYTES + 4 * numbers);
    if (file >= 0) {
        (void)system_close(file);
    }
    return made || error_set(error, ERROR_FILE, "The file that is opened cannot be made here.");
}

bool cli_bench_open_dump(struct app_state *state, const char *path, struct error *error)
{
    if (!app_open_model_open(state, path, NULL, 0)) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to open a file.");
    }
    app_advance(state, 0);
    while (app_waits(state) && state->document.experiment.layers == 0) {
        app_wait(state, 1);
        app_advance(state, 0);
    }
    return state->document.experiment.layers > 0 ||
           error_set(error, ERROR_INPUT, "%s", state->message);
}
