/* Troubles with files and with the place where the program works: each gives one sentence, and
 * former files stay as they were. Troubles that a machine does not allow to be tried are
 * skipped. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stand.h"

#define SMALL "render --lesson cats --view head --size 200x180 "
#define FILM SMALL "--fps 1 "

/* One call for every format. */
static const struct {
    const char *call, *name;
} files[] = {
    {SMALL, "mine.png"},       {SMALL, "mine.svg"},      {SMALL, "mine.pdf"},
    {FILM, "mine.gif"},        {FILM, "mine.webp"},      {SMALL, "mine-%02d.png"},
    {"compute ", "mine.json"}, {"compute ", "mine.csv"}, {"compute ", "mine.npz"},
};

enum { FILES = sizeof files / sizeof files[0] };

/* Runs the call in a shell line of its own; its status, and what it said. */
static int run_line(struct stand *stand, const char *before, const char *arguments,
                    const char **said)
{
    const int status =
        stand_other(stand, arena_format(&stand->arena, "{ %s \"%s\" %s; } >output 2>complaint",
                                        before, getenv("ATTNSCOPE_BINARY"), arguments));
    *said = (const char *)stand_content(stand, "complaint").at;
    return status;
}

static void a_device_that_is_full_is_told(void **state)
{
    static const char *const formats[] = {"png", "svg", "pdf"};
    static const char *const results[] = {"json", "csv", "npz"};
    struct stand *const stand = *state;
    if (access("/dev/full", W_OK) != 0) {
        skip();
    }
    for (size_t f = 0; f < 3; f++) {
        stand_refused(stand,
                      arena_format(&stand->arena, SMALL "--format %s -o /dev/full", formats[f]), 1,
                      "No space left");
        stand_refused(stand,
                      arena_format(&stand->arena, "compute --format %s -o /dev/full", results[f]),
                      1, "No space left");
    }
    stand_refused(stand, SMALL "--format gif -o /dev/full", 1, "No space left");
    stand_refused(stand, SMALL "--format webp -o /dev/full", 1, "No space left");
}

/* Where a file may have no more than 512 bytes, and where there is no room for more. */
static void a_file_that_cannot_grow_leaves_the_old_one(void **state)
{
    struct stand *const stand = *state;
    for (size_t f = 0; f < FILES; f++) {
        const char *said = NULL;
        const char *const name = strchr(files[f].name, '%') != NULL ? "mine-01.png" : files[f].name;
        assert_int_equal(stand_other(stand, arena_format(&stand->arena, "printf mine >%s", name)),
                         0);
        const int status =
            run_line(stand, "ulimit -f 1; ",
                     arena_format(&stand->arena, "%s -o %s", files[f].call, files[f].name), &said);
        if (status != 1 || strncmp(said, "attnscope: ", 11) != 0 || strstr(said, name) == NULL) {
            fail_msg("%s: status %d, said: %s", name, status, said);
        }
        assert_string_equal((const char *)stand_content(stand, name).at, "mine");
        assert_int_equal(stand_other(stand, "ls -a | grep -q part"), 1);
    }
}

/* A shell may leave 64 KB of stack (ulimit -s), and no more can be asked for. */
static void little_stack_is_enough(void **state)
{
    struct stand *const stand = *state;
    for (size_t f = 0; f < FILES; f++) {
        const char *said = NULL;
        const int status =
            run_line(stand, "ulimit -s 64; ",
                     arena_format(&stand->arena, "%s -o %s", files[f].call, files[f].name), &said);
        if (status != 0) {
            fail_msg("%s: status %d, said: %s", files[f].name, status, said);
        }
    }
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    struct stand *const stand = *state;
    static const char room[] = "mkdir tiny && mount -t tmpfs -o size=16k none tiny";
    const char *const tries =
        arena_format(&stand->arena, "unshare -rm sh -c '%s' 2>/dev/null", room);
    if (stand_other(stand, tries) != 0) {
        skip();
    }
    const char *const line = arena_format(
        &stand->arena,
        "unshare -rm sh -c 'mount -t tmpfs -o size=16k none tiny && printf mine >tiny/a.png && "
        "{ \"%s\" render -o tiny/a.png 2>said; echo $? >status; } && cp tiny/a.png kept && "
        "ls -A tiny >left'",
        getenv("ATTNSCOPE_BINARY"));
    assert_int_equal(stand_other(stand, line), 0);
    assert_string_equal((const char *)stand_content(stand, "status").at, "1\n");
    assert_non_null(strstr((const char *)stand_content(stand, "said").at, "No space left"));
    assert_string_equal((const char *)stand_content(stand, "kept").at, "mine");
    assert_string_equal((const char *)stand_content(stand, "left").at, "a.png\n");
}

static void a_place_that_cannot_be_written_is_told(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(stand_other(stand, "mkdir folder.png shut && chmod 555 shut"), 0);
    stand_refused(stand, SMALL "-o folder.png", 1, "folder.png");
    stand_refused(stand, SMALL "-o gone/a.png", 1, "gone/a.png");
    stand_refused(stand, SMALL "-o /proc/attnscope.png", 1, "cannot be written");
    if (geteuid() != 0) {
        stand_refused(stand, SMALL "-o shut/a.png", 1, "Permission denied");
    }
}

static void sizes_and_names_that_make_no_picture_leave_the_old_file(void **state)
{
    static const struct {
        const char *arguments, *says;
        int status;
    } cases[] = {
        {"--size 0x0 -o mine.png", "--size is WxH", 2},
        {"--size 100000x100000 -o mine.png", "--size is WxH", 2},
        {"--size 8192x8192 --scale 8 -o mine.png", "65536 × 65536 pixels is too large", 2},
        {"--size 8192x8192 --scale 8 -o mine.gif", "too large", 2},
        {"--size 8192x8192 --scale 8 -o mine.webp", "too large", 2},
        {"-o mine.bmp", "\"bmp\"", 2},
        {"-o mine", "which format", 2},
        {"-o ''", "which format", 2},
    };
    struct stand *const stand = *state;
    assert_int_equal(stand_other(stand, "for f in png gif webp bmp; do printf mine >mine.$f; done"),
                     0);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        stand_run(stand, arena_format(&stand->arena, "render %s", cases[c].arguments));
        if (strstr(stand->complaint, cases[c].says) == NULL || stand->status < 1 ||
            stand->status > 2) {
            fail_msg("%s: status %d, said: %s", cases[c].arguments, stand->status,
                     stand->complaint);
        }
    }
    assert_int_equal(stand_other(stand, "test \"$(cat mine.*)\" = minemineminemine"), 0);
}

/* A mebibyte of text is taken, and one byte more is not. */
static void a_text_that_is_too_long_is_refused(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(stand_other(stand, "{ printf 'cat dog'; head -c 1048569 /dev/zero | tr "
                                        "'\\0' ' '; } >long.txt"),
                     0);
    stand_call(stand, "describe --text-file long.txt");
    assert_non_null(strstr(stand->output, "2 tokens"));
    assert_int_equal(stand_other(stand, "printf ' ' >>long.txt"), 0);
    stand_refused(stand, "describe --text-file long.txt", 1,
                  "\"long.txt\" is too large: more than 1048576 bytes.");
}

/* A pipe that nobody writes to, a device without end and a link to itself: every way a file comes
 * in by says so at once, whatever its name promises. */
static void what_is_no_file_is_refused_without_waiting(void **state)
{
    static const char *const calls[] = {
        "info %s",
        "compute %s",
        "describe %s",
        "compute --embedding %s",
        "compute --weights %s",
        "compute --mask %s",
        "compute --q %s --k %s --v %s",
        "compute --text-file %s",
        "render %s --size 200x180 -o mine.png",
    };
    static const char *const ends[] = {"npy", "npz", "safetensors", "json", "txt", "png"};
    static const struct {
        const char *make, *reason;
    } kinds[] = {
        {"rm -f it.%s; mkfifo it.%s", "is not a regular file"},
        {"rm -f it.%s; ln -s /dev/zero it.%s", "is not a regular file"},
        {"rm -f it.%s; ln -s it.%s it.%s", "Too many levels"},
    };
    struct stand *const stand = *state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
            const char *const end = ends[e];
            const char *const name = arena_format(&stand->arena, "it.%s", end);
            assert_int_equal(
                stand_other(stand, arena_format(&stand->arena, kinds[k].make, end, end, end)), 0);
            for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
                const bool mask = strstr(calls[c], "--mask") != NULL;
                if (!mask || strcmp(end, "npy") == 0) { /* other names are no masks */
                    stand_refused(stand, arena_format(&stand->arena, calls[c], name, name, name), 1,
                                  kinds[k].reason);
                }
            }
        }
    }
}

/* No home, no display, no language, nothing of what a desktop sets. */
static void it_needs_no_home_and_no_display(void **state)
{
    struct stand *const stand = *state;
    static const char *const places[] = {"env -i", "env -i HOME=/nonexistent LC_ALL=C DISPLAY=:99",
                                         "env -i HOME=/nonexistent LANG=xx_XX WAYLAND_DISPLAY=w"};
    const char *said = NULL;
    stand_call(stand, SMALL "-o here.png -o here.svg");
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        assert_int_equal(run_line(stand, places[p], SMALL "-o a.png -o a.svg", &said), 0);
        assert_string_equal(said, "");
        assert_int_equal(stand_other(stand, "cmp a.png here.png && cmp a.svg here.svg"), 0);
        assert_int_equal(run_line(stand, places[p], "compute --lesson ten -o a.json", &said), 0);
        assert_int_equal(run_line(stand, places[p], "describe --lesson ten", &said), 0);
    }
}

/* Where the system has no font at all the program's own are there, and what even they lack is a box
 * with its code point. */
static void it_needs_no_fonts_of_the_system(void **state)
{
    struct stand *const stand = *state;
    static const char none[] = "env FONTCONFIG_FILE=\"$PWD/none.conf\"";
    const char *said = NULL;
    assert_int_equal(stand_other(stand, "printf '<fontconfig></fontconfig>' >none.conf"), 0);
    stand_call(stand, SMALL "-o here.png");
    assert_int_equal(run_line(stand, none, SMALL "-o a.png -o a.pdf", &said), 0);
    assert_string_equal(said, "");
    assert_int_equal(stand_other(stand, "cmp a.png here.png"), 0);
    assert_int_equal(
        run_line(stand, none, "render --size 480x320 --tokens \"漢 cat\" -o one.png", &said), 0);
    assert_int_equal(
        run_line(stand, none, "render --size 480x320 --tokens \"字 cat\" -o other.png", &said), 0);
    assert_non_null(strstr(said, "No font here has U+5B57"));
    assert_non_null(strstr(said, "package fonts-noto-cjk brings it"));
    assert_int_equal(stand_other(stand, "cmp -s one.png other.png"), 1);
    assert_int_equal(
        run_line(stand, none, "render --view window --tokens \"漢 cat\" -o all.svg", &said), 0);
    assert_int_equal(stand_other(stand, "grep -q 漢 all.svg"), 0);
    assert_int_equal(stand_other(stand, "grep -q 'No font has U+6F22' all.svg"), 0);
    assert_int_equal(run_line(stand, none, "render --tokens \"cat 🦊\" -o emoji.svg", &said), 0);
    assert_int_equal(stand_other(stand, "grep -q 'fonts-noto-color-emoji brings' emoji.svg"), 0);
}

/* Nothing but what is asked for is written: the disk may be one that cannot. */
static void it_writes_nothing_but_what_is_asked_for(void **state)
{
    struct stand *const stand = *state;
    assert_int_equal(stand_other(stand, "mkdir out"), 0);
    static const char shut[] = "mount --bind out out && mount -o remount,bind,ro /";
    if (stand_other(stand,
                    arena_format(&stand->arena, "unshare -rm sh -c '%s' 2>/dev/null", shut)) != 0) {
        skip();
    }
    /* A build that counts what is reached would write its counts. */
    const char *const line =
        arena_format(&stand->arena,
                     "LLVM_PROFILE_FILE=/dev/null unshare -rm sh -c '%s && cd out && "
                     "! touch ../x 2>/dev/null && "
                     "\"%s\" render -o a.png -o a.pdf -o a.svg 2>said && \"%s\" compute -o a.json'",
                     shut, getenv("ATTNSCOPE_BINARY"), getenv("ATTNSCOPE_BINARY"));
    assert_int_equal(stand_other(stand, line), 0);
    assert_int_equal(stand_content(stand, "out/said").size, 0);
    assert_int_equal(stand_other(stand, "test \"$(ls -A out | tr '\\n' ' ')\" = "
                                        "'a.json a.pdf a.png a.svg said '"),
                     0);
}

/* The mistakes that people make first. */
static void what_was_meant_is_told(void **state)
{
    struct stand *const stand = *state;
    static const struct {
        const char *call, *says;
    } cases[] = {
        {"render --tokens the cat sat -o a.png", "stands in quotes: --tokens"},
        {"render --tokens the cat -o a.png", "stands in quotes: --tokens"},
        {"render cats -o a.png", "the lesson is --lesson cats"},
        {"describe real-heads", "the lesson is --lesson real-heads"},
        {"render --tokens -o a.png", "What follows it is the option -o"},
        {"compute --lesson --stage score", "What follows it is the option --stage"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        stand_refused(stand, cases[c].call, 2, cases[c].says);
    }
    stand_call(stand, "render --lesson cats --view stage --size '85mm x 60mm' -o a.svg");
    stand_call(stand, "render --lesson cats --view stage --size 85mmx60mm -o b.svg");
    const struct bytes a = stand_content(stand, "a.svg"), b = stand_content(stand, "b.svg");
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.at, b.at, a.size);
    stand_call(stand, "render --lesson cats --view stage --stage SOFTMAX -o c.svg");
    stand_call(stand, "compute --tokens=-o");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAND(a_device_that_is_full_is_told),
        STAND(a_file_that_cannot_grow_leaves_the_old_one),
        STAND(little_stack_is_enough),
        STAND(a_full_disk_leaves_the_old_file),
        STAND(a_place_that_cannot_be_written_is_told),
        STAND(sizes_and_names_that_make_no_picture_leave_the_old_file),
        STAND(a_text_that_is_too_long_is_refused),
        STAND(what_is_no_file_is_refused_without_waiting),
        STAND(it_needs_no_home_and_no_display),
        STAND(it_needs_no_fonts_of_the_system),
        STAND(it_writes_nothing_but_what_is_asked_for),
        STAND(what_was_meant_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
