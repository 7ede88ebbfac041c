/* calls TESTS [N] — calls of the program (call N alone), each of them again and again with one more
 * allocation, and one more call that reads or writes, made to fail. Either the output is the whole
 * right one, or one sentence says what is wrong and no file has changed. At some places of each
 * call; at every one when ATTN_TEST_ROUNDS is larger than they are many. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../rounds.h"
#include "base/file.h"
#include "cli/cli.h"
#include "fail.h"

enum { WORDS_MAX = 20, PLACES = 10, LAST = 4, PATH_BYTES = 1024, CONTENT_MAX = 64 << 20 };

struct call {
    const char *out;              /* suffix of the file it writes; NULL: standard output */
    const char *words[WORDS_MAX]; /* "@" stands for tests/ */
};

static const struct call calls[] = {
    {"json", {"compute", "--lesson", "cats", "--heads", "2", "--weights", "random"}},
    {"csv", {"compute", "--lesson", "cats", "--format", "csv"}},
    {"npz", {"compute", "--lesson", "flash"}},
    {NULL,
     {"compute", "--mask", "global:1+window:1", "--positions", "rope", "--d-model", "8",
      "--embedding", "random", "--attention", "gqa:2", "--heads", "4"}},
    {NULL, {"compute", "--attention", "latent:2", "--context", "one two", "--residual", "on"}},
    {"png", {"render", "--lesson", "cats", "--stage", "score", "--size", "480x320"}},
    {"svg", {"render", "--lesson", "cats", "--view", "space", "--size", "480x320"}},
    {"pdf", {"render", "--lesson", "cats", "--stage", "blend", "--size", "480x320"}},
    {"html", {"render", "--lesson", "cats"}},
    {"html", {"render", "@model/tiny", "--tokens", "one two", "--page-operands"}},
    {"webp", {"render", "--lesson", "cats", "--size", "480x320"}},
    {"gif", {"render", "--lesson", "cats", "--size", "480x320"}},
    {"png", {"render", "--lesson", "cats", "--view", "window", "--size", "960x600"}},
    {"png", {"render", "--lesson", "latent", "--view", "heads", "--theme", "dark"}},
    {"svg",
     {"render", "--view", "stage", "--tokens",
      "漢字 🙂 e\xcc\x81 \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d"}},
    {"png", {"render", "@model/tiny", "--tokens", "one two", "--layer", "1", "--size", "480x320"}},
    {NULL, {"compute", "@model/tiny", "--text", "one two"}},
    {NULL, {"info", "@model/tiny"}},
    {NULL, {"info", "@lab/dumps/heads.npy"}},
    {NULL, {"info", "@lab/dumps/scores.npz", "--json"}},
    {NULL, {"info", "@lab/dumps/pattern.safetensors"}},
    {NULL, {"info", "@corpus/accept/vectors-glove"}},
    {NULL, {"info", "@corpus/accept/session-lesson.json"}},
    {NULL, {"describe", "@corpus/accept/session-lesson.json"}},
    {NULL, {"describe", "@lab/dumps/tuple.npz"}},
    {NULL, {"describe", "@lab/dumps/half.npz"}},
    {NULL, {"describe", "@lab/dumps/queries.safetensors"}},
    {NULL, {"describe", "--lesson", "cats", "--stage", "softmax"}},
    {NULL, {"compute", "--tokens", "king queen", "--embedding", "@corpus/accept/vectors-glove"}},
    {NULL, {"compute", "--tokens", "a b", "--embedding", "@corpus/accept/npy-two-by-two.npy"}},
    {NULL, {"lessons", "--json"}},
    {NULL, {"--list", "masks", "--json"}},
    {NULL, {"completion", "zsh"}},
    {NULL, {"--help"}},
};

enum { CALLS = sizeof calls / sizeof calls[0] };

struct bench {
    const char *tests; /* the folder, with a slash */
    char folder[64];
    char out[PATH_BYTES], said[PATH_BYTES], printed[PATH_BYTES];
    const struct call *call;
    struct arena arena, kept; /* of one run; of the undisturbed one */
    struct bytes right;
    int right_status;
    size_t runs, failures;
};

struct outcome {
    int status;
    struct bytes out, said;
};

static struct bytes content_of(const char *path, struct arena *arena)
{
    struct bytes content = {0};
    struct error error = {0};
    return file_read(path, CONTENT_MAX, arena, &content, &error) ? content : (struct bytes){0};
}

/* Standard output and error go to files meanwhile. */
static int redirect_output(int descriptor, const char *path)
{
    const int former = dup(descriptor);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (former < 0 || file < 0 || dup2(file, descriptor) < 0) {
        abort();
    }
    close(file);
    return former;
}

static void restore_output(int descriptor, int former)
{
    fflush(NULL);
    if (dup2(former, descriptor) < 0) {
        abort();
    }
    close(former);
}

static int fill_words(struct bench *bench, char store[WORDS_MAX + 4][PATH_BYTES], char **words)
{
    int count = 0;
    snprintf(store[count++], PATH_BYTES, "attnscope");
    for (size_t i = 0; i < WORDS_MAX && bench->call->words[i] != NULL; i++) {
        const char *const word = bench->call->words[i];
        snprintf(store[count++], PATH_BYTES, "%s%s", word[0] == '@' ? bench->tests : "",
                 word[0] == '@' ? word + 1 : word);
    }
    if (bench->call->out != NULL) {
        snprintf(store[count++], PATH_BYTES, "-o");
        snprintf(store[count++], PATH_BYTES, "%s", bench->out);
    }
    for (int i = 0; i < count; i++) {
        words[i] = store[i];
    }
    words[count] = NULL;
    return count;
}

/* Counts files in the folder beside those of the bench: parts that were left behind. */
static size_t parts_left(const struct bench *bench)
{
    char line[PATH_BYTES + 32];
    snprintf(line, sizeof line, "%s/.part-%ld-0", bench->folder, (long)getpid());
    struct stat status;
    return lstat(line, &status) == 0;
}

static struct outcome run_call(struct bench *bench, unsigned kinds, size_t number, int reason,
                               enum fail_how how, struct fail_count *count)
{
    static char store[WORDS_MAX + 4][PATH_BYTES];
    char *words[WORDS_MAX + 5];
    const int word_count = fill_words(bench, store, words);
    struct cli_window window;
    const int out = redirect_output(STDOUT_FILENO, bench->printed);
    const int said = redirect_output(STDERR_FILENO, bench->said);
    fail_begin(kinds, number, reason, how);
    const int status = cli_main(word_count, words, &window);
    *count = fail_end();
    restore_output(STDERR_FILENO, said);
    restore_output(STDOUT_FILENO, out);
    if (status == CLI_WINDOW) {
        cli_window_release(&window);
    }
    arena_reset(&bench->arena);
    return (struct outcome){
        status, content_of(bench->call->out != NULL ? bench->out : bench->printed, &bench->arena),
        content_of(bench->said, &bench->arena)};
}

static bool is_equal(struct bytes a, struct bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

/* The last line is a sentence; before it may stand what the undisturbed call says too. */
static bool is_sentence(struct bytes said)
{
    static const char begin[] = "attnscope: ";
    const char *const text = (const char *)said.at;
    size_t line = said.size > 0 ? said.size - 1 : 0;
    while (line > 0 && text[line - 1] != '\n') {
        line--;
    }
    return said.size > line + sizeof begin + 8 &&
           strncmp(text + line, begin, sizeof begin - 1) == 0 && text[said.size - 1] == '\n' &&
           strchr(".?!", text[said.size - 2]) != NULL;
}

static void report_failure(struct bench *bench, const char *what, size_t number, const char *kind,
                           const struct outcome *outcome)
{
    bench->failures++;
    fprintf(stderr, "%s", "FAILED:");
    for (size_t i = 0; i < WORDS_MAX && bench->call->words[i] != NULL; i++) {
        fprintf(stderr, " %s", bench->call->words[i]);
    }
    fprintf(stderr, " (%s): %s %zu: %s: status %d, said \"%.*s\"\n",
            bench->call->out != NULL ? bench->call->out : "printed", kind, number, what,
            outcome->status, (int)outcome->said.size, (const char *)outcome->said.at);
}

static const struct bytes former = {(const uint8_t *)"what was here before\n", 21};

static void begin_file(const struct bench *bench)
{
    struct error error = {0};
    if (bench->call->out != NULL && !file_write(bench->out, former, &error)) {
        abort();
    }
}

static const struct fault {
    const char *name;
    unsigned calls;
    int reason;
    enum fail_how how;
    bool harmless; /* nothing may come of it but the right output */
} faults[] = {
    {"allocation", FAIL_MEMORY, ENOMEM, FAIL_ONCE, false},
    {"allocations from", FAIL_MEMORY, ENOMEM, FAIL_EVER, false},
    {"call of libzip", FAIL_ZIP, ENOMEM, FAIL_ONCE, false},
    {"open", FAIL_OPEN, EIO, FAIL_ONCE, false},
    {"stat", FAIL_STAT, EIO, FAIL_ONCE, false},
    {"map", FAIL_MAP, ENOMEM, FAIL_ONCE, false},
    {"read", FAIL_READ, EIO, FAIL_ONCE, false},
    {"read that is interrupted,", FAIL_READ, EINTR, FAIL_ONCE, true},
    {"short read", FAIL_READ, 0, FAIL_SHORT, true},
    {"write", FAIL_WRITE, EIO, FAIL_ONCE, false},
    {"write to a full disk,", FAIL_WRITE, ENOSPC, FAIL_EVER, false},
    {"write that is interrupted,", FAIL_WRITE, EINTR, FAIL_ONCE, true},
    {"short write", FAIL_WRITE, 0, FAIL_SHORT, true},
    {"fsync", FAIL_SYNC, EIO, FAIL_ONCE, false},
    {"close", FAIL_CLOSE, EIO, FAIL_ONCE, false},
    {"rename", FAIL_RENAME, EACCES, FAIL_ONCE, false},
    {"thread", FAIL_THREAD, EAGAIN, FAIL_EVER, true},
};

static void judge_outcome(struct bench *bench, const struct fault *fault, size_t number,
                          const struct outcome *outcome)
{
    const bool whole =
        outcome->status == bench->right_status && is_equal(outcome->out, bench->right);
    if (parts_left(bench) > 0) {
        report_failure(bench, "a part was left behind", number, fault->name, outcome);
    }
    /* A file that cannot be opened at the first of two looks is called by a plainer name. */
    const bool plainer = strcmp(bench->call->words[0], "info") == 0 &&
                         (fault->calls & (FAIL_OPEN | FAIL_STAT | FAIL_MAP | FAIL_READ)) != 0;
    if (whole || (plainer && outcome->status == CLI_DONE)) {
        return;
    }
    if (fault->harmless || outcome->status == bench->right_status) {
        report_failure(bench, "the output is another", number, fault->name, outcome);
    } else if (outcome->status != CLI_FAILED) {
        report_failure(bench, "the status is wrong", number, fault->name, outcome);
    } else if (!is_sentence(outcome->said)) {
        report_failure(bench, "it is not one sentence", number, fault->name, outcome);
    } else if (bench->call->out != NULL && !is_equal(outcome->out, former) &&
               !is_equal(outcome->out, bench->right)) {
        report_failure(bench, "the former file was changed", number, fault->name, outcome);
    }
}

/* The last few are always tried: files grow there. */
static size_t next_place(size_t number, size_t step, size_t all)
{
    if (number + LAST >= all) {
        return number + 1;
    }
    return number + step < all - LAST ? number + step : all - LAST;
}

static void try_fault(struct bench *bench, const struct fault *fault, size_t places)
{
    struct fail_count count;
    begin_file(bench);
    (void)run_call(bench, fault->calls, 0, 0, FAIL_ONCE, &count);
    const size_t all = count.calls;
    const size_t step = all > places ? all / places : 1;
    for (size_t number = 1; number <= all; number = next_place(number, step, all)) {
        begin_file(bench);
        const struct outcome outcome =
            run_call(bench, fault->calls, number, fault->reason, fault->how, &count);
        if (count.failed > 0) {
            bench->runs++;
            judge_outcome(bench, fault, number, &outcome);
        }
    }
}

static void try_call(struct bench *bench, const struct call *call, size_t places)
{
    struct fail_count count;
    bench->call = call;
    snprintf(bench->out, sizeof bench->out, "%s/out.%s", bench->folder,
             call->out != NULL ? call->out : "txt");
    begin_file(bench);
    const struct outcome right = run_call(bench, 0, 0, 0, FAIL_ONCE, &count);
    arena_reset(&bench->kept);
    uint8_t *const copy = arena_alloc(&bench->kept, right.out.size + 1);
    if (copy == NULL) {
        abort();
    }
    if (right.out.size > 0) {
        memcpy(copy, right.out.at, right.out.size);
    }
    bench->right = (struct bytes){copy, right.out.size};
    bench->right_status = right.status;
    if (right.status != CLI_DONE || right.out.size == 0) {
        report_failure(bench, "it does not even work undisturbed", 0, "fault", &right);
        return;
    }
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
        try_fault(bench, &faults[f], places);
    }
}

int main(int count, char **words)
{
    static struct bench bench;
    char tests[PATH_BYTES];
    if (count < 2) {
        return 2;
    }
    const size_t places = test_rounds(PLACES);
    const char *const only = count > 2 ? words[2] : NULL; /* one call alone, by its number */
    snprintf(tests, sizeof tests, "%s/", words[1]);
    bench.tests = tests;
    snprintf(bench.folder, sizeof bench.folder, "faults-XXXXXX");
    if (mkdtemp(bench.folder) == NULL) {
        return 2;
    }
    snprintf(bench.said, sizeof bench.said, "%s/said", bench.folder);
    snprintf(bench.printed, sizeof bench.printed, "%s/printed", bench.folder);
    for (size_t i = 0; i < CALLS; i++) {
        if (only == NULL || (size_t)atoi(only) == i) {
            const size_t before = bench.runs;
            try_call(&bench, &calls[i], places);
            printf("%zu %s: %zu runs\n", i, calls[i].words[0], bench.runs - before);
            fflush(stdout);
            (void)unlink(bench.out);
        }
    }
    (void)unlink(bench.said);
    (void)unlink(bench.printed);
    (void)rmdir(bench.folder);
    arena_free(&bench.arena);
    arena_free(&bench.kept);
    printf("%zu runs, %zu failed\n", bench.runs, bench.failures);
    return bench.runs > 0 && bench.failures == 0 ? 0 : 1;
}
