/* Files are read whole within a limit, and written whole or not at all. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

static struct bytes bytes_of(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

/* Every test has an empty folder of its own as working directory. */
static int enter_folder(void **state)
{
    char folder[] = "files-XXXXXX";
    static char path[64];
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        return -1;
    }
    *state = strcpy(path, folder);
    return 0;
}

static int leave_folder(void **state)
{
    char command[100];
    (void)snprintf(command, sizeof command, "rm -rf ./%s", (const char *)*state);
    return chdir("..") == 0 && system(command) == 0 ? 0 : -1;
}

static size_t files_here(void)
{
    DIR *folder = opendir(".");
    assert_non_null(folder);
    size_t count = 0;
    while (readdir(folder) != NULL) {
        count++;
    }
    closedir(folder);
    return count - 2; /* . and .. */
}

static void expect_content(const char *path, const char *content)
{
    struct arena arena = {0};
    struct bytes bytes;
    struct error error = {0};
    assert_true(file_read(path, 1000000, &arena, &bytes, &error));
    assert_int_equal(bytes.size, strlen(content));
    assert_string_equal((const char *)bytes.at, content);
    arena_free(&arena);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct error error = {0};
    assert_true(file_write("a.txt", bytes_of("first"), &error));
    expect_content("a.txt", "first");
    assert_true(file_write("a.txt", bytes_of("the second one"), &error));
    expect_content("a.txt", "the second one");
    assert_true(file_write("a.txt", (struct bytes){NULL, 0}, &error));
    expect_content("a.txt", "");
    assert_int_equal(files_here(), 1);
}

static void permissions_and_links_stay(void **state)
{
    (void)state;
    struct stat status;
    struct error error = {0};
    mode_t former = umask(027);
    assert_true(file_write("new.txt", bytes_of("x"), &error));
    umask(former);
    assert_int_equal(stat("new.txt", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);

    assert_int_equal(mkdir("deep", 0777), 0);
    assert_true(file_write("deep/target", bytes_of("old"), &error));
    assert_int_equal(chmod("deep/target", 0604), 0);
    assert_int_equal(symlink("target", "deep/link"), 0);
    assert_int_equal(symlink("deep/link", "link"), 0);
    assert_true(file_write("link", bytes_of("new"), &error));
    expect_content("deep/target", "new");
    assert_int_equal(lstat("link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat("deep/target", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0604);

    assert_int_equal(symlink("not-there-yet", "dangling"), 0);
    assert_true(file_write("dangling", bytes_of("made"), &error));
    expect_content("not-there-yet", "made");
}

/* A file with its owner's rights must not get other content and keep them. */
static void the_right_to_run_as_its_owner_goes_with_the_content(void **state)
{
    (void)state;
    struct stat status;
    struct error error = {0};
    assert_true(file_write("tool", bytes_of("old"), &error));
    assert_int_equal(chmod("tool", 06755), 0);
    assert_true(file_write("tool", bytes_of("new"), &error));
    assert_int_equal(stat("tool", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0755);
}

/* Piece by piece it is the same: all of it, or what was there. */
static void pieces_become_a_file_as_a_whole(void **state)
{
    (void)state;
    struct error error = {0};
    assert_true(file_write("pieces", bytes_of("old"), &error));
    for (int keep = 0; keep < 2; keep++) {
        struct file_writer *const writer = file_writer_open("pieces", &error);
        assert_non_null(writer);
        assert_true(file_writer_put(writer, bytes_of("one ")));
        assert_true(file_writer_put(writer, bytes_of("two")));
        expect_content("pieces", "old");
        assert_true(file_writer_close(writer, keep == 1, &error));
        expect_content("pieces", keep == 1 ? "one two" : "old");
    }
    assert_null(file_writer_open("no-folder/pieces", &error));
    assert_int_equal(error.code, ERROR_FILE);
}

/* A piece may tell of later ones: it is corrected when they are known, in a file as well as before
 * a pipe, which gets nothing until then. */
static void pieces_are_replaced_until_the_end(void **state)
{
    (void)state;
    char piped[16] = "";
    struct error error = {0};
    assert_int_equal(mkfifo("pipe", 0600), 0);
    const int pipe = open("pipe", O_RDONLY | O_NONBLOCK);
    static const char *const paths[] = {"replaced", "pipe"};
    for (size_t p = 0; p < 2; p++) {
        struct file_writer *const writer = file_writer_open(paths[p], &error);
        assert_non_null(writer);
        assert_true(file_writer_hold(writer));
        assert_true(file_writer_put(writer, bytes_of("??? bytes")));
        assert_true(file_writer_replace(writer, 0, bytes_of("nine")));
        assert_true(file_writer_replace(writer, 1, bytes_of("in")));
        assert_true(file_writer_put(writer, bytes_of(".")));
        assert_true(read(pipe, piped, sizeof piped) <= 0);
        assert_true(file_writer_close(writer, true, &error));
    }
    expect_content("replaced", "ninebytes.");
    assert_int_equal(read(pipe, piped, sizeof piped), 10);
    assert_memory_equal(piped, "ninebytes.", 10);
    struct file_writer *const writer = file_writer_open("pipe", &error);
    assert_true(file_writer_put(writer, bytes_of("gone")));
    assert_false(file_writer_replace(writer, 0, bytes_of("back")));
    assert_false(file_writer_close(writer, true, &error));
    assert_int_equal(error.code, ERROR_FILE);
    close(pipe);
}

/* Who knows the names of parts to come may lay links there: they are stepped over, not followed. */
static void what_is_laid_in_the_way_is_not_written_through(void **state)
{
    (void)state;
    enum { LAID = 3 };
    char part[64];
    struct stat status;
    struct error error = {0};
    assert_true(file_write("victim", bytes_of("mine"), &error));
    for (int laid = 0; laid < LAID; laid++) {
        snprintf(part, sizeof part, ".part-%ld-%d", (long)getpid(), laid);
        assert_int_equal(symlink(laid == 1 ? "not-there" : "victim", part), 0);
    }
    assert_true(file_write("new", bytes_of("written"), &error));
    assert_true(file_write_private("secret", bytes_of("written too"), &error));
    expect_content("new", "written");
    expect_content("secret", "written too");
    expect_content("victim", "mine");
    assert_int_not_equal(lstat("not-there", &status), 0);
    assert_int_equal(lstat("secret", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    for (int laid = 0; laid < LAID; laid++) {
        snprintf(part, sizeof part, ".part-%ld-%d", (long)getpid(), laid);
        assert_int_equal(lstat(part, &status), 0);
        assert_true(S_ISLNK(status.st_mode));
        assert_int_equal(unlink(part), 0);
    }
}

static void a_failed_write_leaves_the_old_file(void **state)
{
    (void)state;
    struct error error = {0};
    assert_true(file_write("kept.txt", bytes_of("precious"), &error));
    char *large = calloc(1, 100000);
    assert_non_null(large);
    struct rlimit former;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &former), 0);
    struct rlimit small = {.rlim_cur = 4096, .rlim_max = former.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool written = file_write("kept.txt", (struct bytes){(uint8_t *)large, 100000}, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &former), 0);
    signal(SIGXFSZ, handler);
    free(large);
    assert_false(written);
    assert_int_equal(error.code, ERROR_FILE);
    assert_non_null(strstr(error.text, "kept.txt"));
    expect_content("kept.txt", "precious");
    assert_int_equal(files_here(), 1);
}

/* Root may write everywhere, so somebody else tries, in a process of his own. */
static void a_closed_folder_keeps_the_old_file(void **state)
{
    (void)state;
    struct error error = {0};
    assert_true(file_write("old.txt", bytes_of("precious"), &error));
    assert_int_equal(chmod("old.txt", 0666), 0);
    assert_int_equal(chmod(".", 0555), 0);
    pid_t child = fork();
    if (child == 0) {
        bool nobody = geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0);
        bool written = file_write("old.txt", bytes_of("spoiled"), &error);
        _exit(nobody && !written && error.code == ERROR_FILE ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(".", 0755), 0);
    assert_int_equal(status, 0);
    expect_content("old.txt", "precious");
    assert_int_equal(files_here(), 1);
}

static void a_protected_file_is_left_alone(void **state)
{
    (void)state;
    struct error error = {0};
    assert_true(file_write("old.txt", bytes_of("protected"), &error));
    assert_int_equal(chmod("old.txt", 0444), 0);
    assert_int_equal(chmod(".", 0777), 0);
    pid_t child = fork();
    if (child == 0) {
        bool nobody = geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0);
        _exit(nobody && !file_write("old.txt", bytes_of("spoiled"), &error) ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    expect_content("old.txt", "protected");
}

/* 255 bytes is what a name can have; the part that is written beside it must not need more. */
static void the_longest_name_is_written(void **state)
{
    (void)state;
    struct error error = {0};
    char name[257];
    memset(name, 'n', sizeof name);
    name[255] = '\0';
    assert_true(file_write(name, bytes_of("first"), &error));
    assert_true(file_write(name, bytes_of("second"), &error));
    expect_content(name, "second");
    name[255] = 'n';
    name[256] = '\0';
    assert_false(file_write(name, bytes_of("third"), &error));
    assert_non_null(strstr(error.text, strerror(ENAMETOOLONG)));
    assert_int_equal(files_here(), 1);
}

static void impossible_places_are_errors(void **state)
{
    (void)state;
    struct error error = {0};
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("b", "a"), 0);
    assert_int_equal(symlink("a", "b"), 0);
    static const char *const places[] = {"folder", "no/such/folder.txt", "a", ""};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        error = (struct error){0};
        assert_false(file_write(places[i], bytes_of("x"), &error));
        assert_int_equal(error.code, ERROR_FILE);
        assert_true(strlen(error.text) > 10);
    }
    assert_int_equal(files_here(), 3);
}

static void devices_are_written_to_as_they_stand(void **state)
{
    (void)state;
    struct error error = {0};
    assert_true(file_write("/dev/null", bytes_of("gone"), &error));
    if (access("/dev/full", W_OK) == 0) {
        assert_false(file_write("/dev/full", bytes_of("no room"), &error));
        assert_non_null(strstr(error.text, "/dev/full"));
    }
    struct stat status;
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

static void odd_files_are_refused_without_waiting(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct bytes bytes;
    struct error error = {0};
    assert_int_equal(mkfifo("pipe", 0666), 0);
    assert_int_equal(mkdir("folder", 0777), 0);
    static const struct {
        const char *path, *why;
    } cases[] = {{"pipe", "not a regular file"},
                 {"folder", "is a folder"},
                 {"/dev/zero", "not a regular file"},
                 {"missing", "missing"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(file_read(cases[i].path, 1000, &arena, &bytes, &error));
        assert_int_equal(error.code, ERROR_FILE);
        assert_non_null(strstr(error.text, cases[i].why));
    }
    assert_false(file_write("pipe", bytes_of("nobody reads"), &error));
    arena_free(&arena);
}

static void the_limit_is_exact(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct bytes bytes;
    struct error error = {0};
    assert_true(file_write("ten", bytes_of("0123456789"), &error));
    assert_true(file_read("ten", 10, &arena, &bytes, &error));
    assert_int_equal(bytes.at[10], 0);
    assert_false(file_read("ten", 9, &arena, &bytes, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    /* a file of the kernel's says it has no size, and is read all the same */
    if (access("/proc/self/status", R_OK) == 0) {
        assert_true(file_read("/proc/self/status", 100000, &arena, &bytes, &error));
        assert_true(bytes.size > 100);
        assert_false(file_read("/proc/self/status", 100, &arena, &bytes, &error));
    }
    arena_free(&arena);
}

static void standard_input_is_read_to_its_end(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        char block[1000];
        memset(block, 'k', sizeof block);
        for (int i = 0; i < 300; i++) {
            if (write(ends[1], block, sizeof block) != sizeof block) {
                _exit(1);
            }
        }
        _exit(0);
    }
    close(ends[1]);
    int former = dup(STDIN_FILENO);
    assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
    close(ends[0]);
    struct arena arena = {0};
    struct bytes bytes = {0};
    struct error error = {0};
    bool read = file_read("-", 1000000, &arena, &bytes, &error);
    if (former >= 0) {
        dup2(former, STDIN_FILENO);
        close(former);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(read);
    assert_int_equal(bytes.size, 300000);
    assert_int_equal(bytes.at[299999], 'k');
    arena_free(&arena);
}

static void what_is_cut_from_a_mapped_file_reads_as_nothing(void **state)
{
    (void)state;
    enum { LARGE = 1 << 20 };
    struct error error = {0};
    struct file_map map;
    static uint8_t content[LARGE];
    memset(content, 7, sizeof content);
    assert_true(file_write("large", (struct bytes){content, sizeof content}, &error));
    assert_true(file_map_open("large", &map, &error));
    assert_int_equal(map.bytes.at[LARGE - 1], 7);
    assert_int_equal(truncate("large", 100), 0);
    size_t sum = 0;
    for (size_t i = 0; i < LARGE; i += 512) { /* without a guard this is the end of the program */
        sum += map.bytes.at[i];
    }
    assert_int_equal(sum, 7);
    assert_int_equal(map.bytes.at[99], 7);
    assert_false(file_map_is_whole(&map));
    file_map_close(&map);
    assert_int_equal(unlink("large"), 0);
}

/* However many: what is cut from the last of them is read as 0, as from the first. */
static void hundreds_of_files_are_mapped_at_once(void **state)
{
    (void)state;
    enum { MAPS = 600, FILES_MIN = MAPS + 64 };
    struct error error = {0};
    static struct file_map maps[MAPS];
    struct rlimit files;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    const size_t count = files.rlim_cur >= FILES_MIN ? MAPS : 8;
    static uint8_t content[1 << 16];
    memset(content, 'a', sizeof content);
    assert_true(file_write("one", (struct bytes){content, sizeof content}, &error));
    for (size_t m = 0; m < count; m++) {
        assert_true(file_map_open("one", &maps[m], &error));
    }
    assert_int_equal(truncate("one", 1), 0);
    for (size_t m = 0; m < count; m++) {
        assert_int_equal(maps[m].bytes.at[0], 'a');
        assert_int_equal(maps[m].bytes.at[sizeof content - 1], 0);
        file_map_close(&maps[m]);
    }
    assert_int_equal(unlink("one"), 0);
}

/* Only what is mapped is guarded: another bad address ends the program as ever. */
static void other_faults_stay_faults(void **state)
{
    (void)state;
    struct error error = {0};
    struct file_map map;
    static uint8_t content[1 << 16];
    int status = 0;
    assert_true(file_write("other", (struct bytes){content, sizeof content}, &error));
    assert_true(file_map_open("other", &map, &error));
    const int file = open("other", O_RDWR);
    void *const bare = mmap(NULL, sizeof content, PROT_READ, MAP_PRIVATE, file, 0);
    assert_true(bare != MAP_FAILED);
    assert_int_equal(truncate("other", 1), 0);
    const pid_t reader = fork();
    if (reader == 0) {
        const volatile uint8_t *const at = bare;
        _exit(at[40000]);
    }
    assert_int_equal(waitpid(reader, &status, 0), reader);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
    munmap(bare, sizeof content);
    close(file);
    file_map_close(&map);
    assert_int_equal(unlink("other"), 0);
}

static void a_mark_tells_whether_a_file_is_still_the_same(void **state)
{
    (void)state;
    struct stat status;
    const struct file_mark none = file_mark("a");
    assert_true(file_write_private("a", bytes_of("1"), NULL));
    assert_int_equal(stat("a", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    const struct file_mark first = file_mark("a"), again = file_mark("a");
    assert_true(file_mark_equal(&first, &again));
    assert_false(file_mark_equal(&none, &first));
    struct file_mark other[5] = {first, first, first, first, first};
    other[0].device++;
    other[1].number++;
    other[2].size++;
    other[3].seconds++;
    other[4].nanoseconds++;
    for (size_t o = 0; o < 5; o++) {
        assert_false(file_mark_equal(&first, &other[o]));
    }
}

/* Names longer than the system takes, by themselves or behind a link, and parts of other writers.
 */
static void places_that_cannot_be_named_are_errors(void **state)
{
    (void)state;
    struct error error = {0};
    static char name[PATH_MAX + 10], folder[1024];
    memset(name, 'a', sizeof name - 1);
    assert_false(file_write(name, bytes_of("x"), &error));
    assert_non_null(strstr(error.text, "File name too long"));
    for (size_t at = 200; at < sizeof name - 1; at += 200) {
        name[at] = '/';
    }
    assert_false(file_write(name, bytes_of("x"), &error));
    assert_non_null(strstr(error.text, "File name too long"));

    assert_non_null(getcwd(folder, sizeof folder - 10));
    strcat(folder, "/target");
    assert_int_equal(symlink(folder, "absolute"), 0);
    assert_true(file_write("absolute", bytes_of("there"), &error));
    expect_content("target", "there");

    /* ././…/g can be there, but no part beside it; behind a folder not even that. */
    assert_int_equal(mkdir("folder", 0700), 0);
    for (size_t at = 0; at < PATH_MAX - 6; at += 2) {
        memcpy(name + at, "./", 3);
    }
    strcat(name, "g");
    assert_false(file_write(name, bytes_of("x"), &error));
    assert_non_null(strstr(error.text, "File name too long"));
    assert_int_equal(symlink(name, "folder/link"), 0);
    assert_false(file_write("folder/link", bytes_of("x"), &error));
    assert_non_null(strstr(error.text, "File name too long"));

    char part[64];
    for (int trial = 0; trial < 100; trial++) {
        snprintf(part, sizeof part, ".part-%ld-%d", (long)getpid(), trial);
        close(open(part, O_WRONLY | O_CREAT, 0600));
    }
    assert_false(file_write("late", bytes_of("x"), &error));
    assert_non_null(strstr(error.text, "File exists"));
}

#define IN_FOLDER(sentence, function)                                                              \
    {                                                                                              \
        sentence, function, enter_folder, leave_folder, NULL                                       \
    }

static void the_last_part_of_a_path_is_found_before_its_slashes(void **state)
{
    (void)state;
    static const struct {
        const char *path, *part;
    } given[] = {{"/models/gpt2", "gpt2"},
                 {"models/gpt2//", "gpt2"},
                 {"gpt2", "gpt2"},
                 {"gpt2/", "gpt2"},
                 {"/", ""},
                 {"", ""}};
    for (size_t g = 0; g < sizeof given / sizeof *given; g++) {
        size_t length = 99;
        const char *const part = file_last_part(given[g].path, &length);
        assert_int_equal(length, strlen(given[g].part));
        assert_memory_equal(part, given[g].part, length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER("What is written is read again.", what_is_written_is_read),
        IN_FOLDER("Permissions and symbolic links stay as they were.", permissions_and_links_stay),
        IN_FOLDER("The right to run as its owner goes with the content.",
                  the_right_to_run_as_its_owner_goes_with_the_content),
        IN_FOLDER("Pieces become a file as a whole.", pieces_become_a_file_as_a_whole),
        IN_FOLDER("Pieces are replaced until the end.", pieces_are_replaced_until_the_end),
        IN_FOLDER("Links that were laid in the way of a new file are not followed.",
                  what_is_laid_in_the_way_is_not_written_through),
        IN_FOLDER("A write that fails leaves the old file and nothing else.",
                  a_failed_write_leaves_the_old_file),
        IN_FOLDER("A folder that cannot be written to keeps its old file.",
                  a_closed_folder_keeps_the_old_file),
        IN_FOLDER("A write-protected file is left alone.", a_protected_file_is_left_alone),
        IN_FOLDER("The longest name is written.", the_longest_name_is_written),
        IN_FOLDER("Folders, missing folders and circles of links are errors.",
                  impossible_places_are_errors),
        IN_FOLDER("Devices are written to as they stand.", devices_are_written_to_as_they_stand),
        IN_FOLDER("Pipes, folders and devices are refused without waiting.",
                  odd_files_are_refused_without_waiting),
        IN_FOLDER("The size limit is exact, and holds for files that lie.", the_limit_is_exact),
        IN_FOLDER("Bytes that are cut from a mapped file are read as 0, and it is noticed.",
                  what_is_cut_from_a_mapped_file_reads_as_nothing),
        IN_FOLDER("Hundreds of files are mapped at once.", hundreds_of_files_are_mapped_at_once),
        IN_FOLDER("A fault in anything else ends the program.", other_faults_stay_faults),
        IN_FOLDER("A mark tells whether a file is still the same.",
                  a_mark_tells_whether_a_file_is_still_the_same),
        IN_FOLDER("Places that cannot be named are errors.",
                  places_that_cannot_be_named_are_errors),
        cmocka_unit_test(the_last_part_of_a_path_is_found_before_its_slashes),
        IN_FOLDER("Standard input is read to its end.", standard_input_is_read_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
