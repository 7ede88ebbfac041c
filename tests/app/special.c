/* Folders, pipes, devices, sockets, links to themselves, missing and unreadable files are no files
 * to open. However they come in, they are refused within seconds, with a sentence. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "openers.h"

enum { SECONDS = 60, PATH_BYTES = 512 };

/* ---- what there is instead of a file --------------------------------------------------------- */

static void make_folder(const char *path)
{
    assert_int_equal(mkdir(path, 0755), 0);
}

static void make_pipe(const char *path)
{
    assert_int_equal(mkfifo(path, 0666), 0); /* nobody will ever write to it */
}

static void make_device(const char *path)
{
    assert_int_equal(symlink("/dev/zero", path), 0);
}

static void make_loop(const char *path)
{
    assert_int_equal(symlink(path, path), 0);
}

static void make_gone(const char *path)
{
    assert_int_equal(symlink("was-here-a-moment-ago", path), 0);
}

static void make_socket(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    assert_int_equal(bind(listener, (const struct sockaddr *)&address, sizeof address), 0);
    close(listener);
}

static void make_shut(const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT, 0);
    assert_true(file >= 0);
    close(file);
}

static const struct kind {
    const char *name;
    void (*make)(const char *path);
    const char *says;
    bool is_shut; /* to all but the superuser */
} kinds[] = {
    {"folder", make_folder, "is a folder", false},
    {"pipe", make_pipe, "is not a regular file", false},
    {"device without end", make_device, "is not a regular file", false},
    {"link to itself", make_loop, "Too many levels", false},
    {"link to nothing", make_gone, "No such file", false},
    {"socket", make_socket, "No such device", false},
    {"file that may not be read", make_shut, "Permission denied", true},
};

static const char *const ends[] = {"json", "npy", "npz", "txt", "safetensors"};

/* One opener on one thing; returns whether all was well. */
static bool try_one(const struct opener *opener, const struct kind *kind, const char *path)
{
    struct error error = {ERROR_NONE, 0, ""};
    alarm(SECONDS);
    const bool refused = opener->refuses(path, &error);
    alarm(0);
    const size_t length = strlen(error.text);
    const bool told = length > 10 && error.text[length - 1] == '.' &&
                      (opener->looks || strstr(error.text, kind->says) != NULL);
    if (!refused || !told) {
        fprintf(stderr, "%s, %s: %s “%s”\n", opener->name, path,
                refused ? "refused with" : "taken with", error.text);
    }
    return refused && told;
}

static size_t try_kind(const struct kind *kind)
{
    size_t wrong = 0;
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "it.%s", ends[e]);
        kind->make(path);
        for (size_t o = 0; o < opener_count; o++) {
            wrong += !try_one(&openers[o], kind, path);
        }
        if (unlink(path) != 0) {
            assert_int_equal(rmdir(path), 0);
        }
    }
    return wrong;
}

static void what_is_no_file_is_refused_in_a_moment(void **state)
{
    (void)state;
    char folder[] = "special-XXXXXX", former[PATH_BYTES];
    assert_non_null(getcwd(former, sizeof former));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (!kinds[k].is_shut || geteuid() != 0) {
            assert_int_equal(try_kind(&kinds[k]), 0);
            continue;
        }
        /* Nothing is shut to the superuser: somebody else tries. */
        assert_int_equal(chmod(".", 0777), 0);
        const pid_t child = fork();
        if (child == 0) {
            const bool nobody = setgid(65534) == 0 && setuid(65534) == 0;
            _exit(nobody && try_kind(&kinds[k]) == 0 ? 0 : 1);
        }
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    assert_int_equal(chdir(former), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* They are regular files, say the folders; but they have no size, and one of them no end. */
static void files_that_the_system_makes_up_are_no_trap(void **state)
{
    (void)state;
    static const char *const paths[] = {"/proc/self/maps", "/proc/self/mem", "/proc/self/environ",
                                        "/proc/version", "/dev/null"};
    for (size_t p = 0; p < sizeof paths / sizeof paths[0]; p++) {
        for (size_t o = 2; access(paths[p], F_OK) == 0 && o < opener_count; o++) {
            const struct kind any = {paths[p], NULL, "", false};
            if (!openers[o].looks) {
                assert_true(try_one(&openers[o], &any, paths[p]));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_file_is_refused_in_a_moment),
        cmocka_unit_test(files_that_the_system_makes_up_are_no_trap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
