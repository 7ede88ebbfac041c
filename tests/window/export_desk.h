/* export_desk.h — a person's folder, whose pictures an export writes, and a window over it. Include
 * behind cmocka.h. */
#ifndef WINDOW_EXPORT_DESK_H
#define WINDOW_EXPORT_DESK_H

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "hands.h"

enum { PATH_BYTES = 512, FILE_MAX = 1 << 24 };

struct desk {
    char home[PATH_BYTES];
    struct hands *hands;
    struct arena arena;
};

static inline struct desk *desk_open(float width, float height)
{
    struct desk *const desk = calloc(1, sizeof *desk);
    char pictures[PATH_BYTES + 16], start[256];
    assert_non_null(desk);
    assert_non_null(getcwd(start, sizeof start));
    snprintf(desk->home, sizeof desk->home, "%s/export-XXXXXX", start);
    assert_non_null(mkdtemp(desk->home));
    snprintf(pictures, sizeof pictures, "%s/Pictures", desk->home);
    assert_int_equal(mkdir(pictures, 0777), 0);
    setenv("HOME", desk->home, 1);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_STATE_HOME");
    desk->hands = hands_open("cats", width, height);
    unsetenv("ATTNSCOPE_HOME"); /* here the pictures of the person are meant */
    return desk;
}

static inline int stand_up(void **state)
{
    struct desk *const desk = *state;
    char command[PATH_BYTES + 32];
    snprintf(command, sizeof command, "rm -rf '%s'", desk->home);
    assert_int_equal(system(command), 0);
    hands_close(desk->hands);
    arena_free(&desk->arena);
    free(desk);
    return 0;
}

#endif
