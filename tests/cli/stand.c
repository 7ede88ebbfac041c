#include "stand.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

int stand_open(void **state)
{
    struct stand *const stand = calloc(1, sizeof *stand);
    assert_non_null(stand);
    strcpy(stand->folder, "attnscope-cli-XXXXXX");
    assert_non_null(mkdtemp(stand->folder));
    *state = stand;
    return 0;
}

int stand_close(void **state)
{
    struct stand *const stand = *state;
    const char *const command = arena_format(&stand->arena, "rm -r %s", stand->folder);
    const int removed = system(command);
    arena_free(&stand->arena);
    free(stand);
    return removed;
}

const char *stand_path(struct stand *stand, const char *name)
{
    return arena_format(&stand->arena, "%s/%s", stand->folder, name);
}

struct bytes stand_content(struct stand *stand, const char *name)
{
    struct bytes bytes = {NULL, 0};
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(file_read(stand_path(stand, name), 1 << 24, &stand->arena, &bytes, &error));
    return bytes;
}

void stand_run(struct stand *stand, const char *arguments)
{
    const char *const command =
        arena_format(&stand->arena, "cd %s && exec </dev/null && \"%s\" %s >output 2>complaint",
                     stand->folder, getenv("ATTNSCOPE_BINARY"), arguments);
    const int waited = system(command);
    stand->status = WIFEXITED(waited) ? WEXITSTATUS(waited) : -1;
    const struct bytes output = stand_content(stand, "output");
    stand->output = (const char *)output.at;
    stand->output_size = output.size;
    stand->complaint = (const char *)stand_content(stand, "complaint").at;
}

void stand_call(struct stand *stand, const char *arguments)
{
    stand_run(stand, arguments);
    if (stand->status != 0 || stand->complaint[0] != '\0') {
        fail_msg("%s: status %d, said: %s", arguments, stand->status, stand->complaint);
    }
}

void stand_refused(struct stand *stand, const char *arguments, int status, const char *says)
{
    stand_run(stand, arguments);
    const char *const line = stand->complaint;
    if (stand->status != status || strncmp(line, "attnscope: ", 11) != 0 ||
        strstr(line, says) == NULL || strchr(line, '\n') != line + strlen(line) - 1) {
        fail_msg("%s: status %d, said: %s", arguments, stand->status, line);
    }
    assert_int_equal(stand->output_size, 0);
}

int stand_other(struct stand *stand, const char *line)
{
    const int waited =
        system(arena_format(&stand->arena, "cd %s && { %s; } </dev/null", stand->folder, line));
    return WIFEXITED(waited) ? WEXITSTATUS(waited) : -1;
}
