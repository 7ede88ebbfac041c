/* crashes — the program is killed at moments of chance, again and again.
 *
 * Of a save: each of five sizes of session is kept aside and saved by a process that is killed on
 * its way; the session is then the old or the new one, whole, and from the moment the work was kept
 * it is in one of two files. Of an hour of work: somebody types words now and then, the process is
 * killed, and the next start gives back all but the last five seconds.
 *
 * The moment is one of the real clock, so that it may lie inside any call; what must hold, holds at
 * every moment. ATTN_TEST_ROUNDS: crashes of each kind. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../rounds.h"
#include "../window/folder.h"
#include "app/open/autosave.h"
#include "app/open/lesson.h"
#include "base/random.h"
#include "desk.h"

enum {
    EVERYDAY = 20,
    SIZES = 5,
    WORDS_MAX = 200, /* typed in an hour of work */
    SECONDS_LOST_MAX = 5,
    DURATION_MAX = 200000000 /* nanoseconds */
};

static const char session[] = "session.json", word[] = "tiger";

/* The report of a process before it is killed. */
struct said {
    size_t edits; /* done so far */
    double time;  /* of the program, when it said so; of the last edit where `is_edit` */
    bool is_edit, is_kept;
};

static long draw_moment(struct random *random, long most)
{
    return (long)(random_uniform(random) * (double)most);
}

static void sleep_for(long nanoseconds)
{
    const struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    nanosleep(&time, NULL);
}

static long nanoseconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - start->tv_sec) * 1000000000L + (now.tv_nsec - start->tv_nsec);
}

static void send_report(int pipe, struct said said)
{
    if (write(pipe, &said, sizeof said) != (ssize_t)sizeof said) {
        _exit(3);
    }
}

/* Runs `work` in a process of its own, and kills it `moment` nanoseconds after its first word.
 * Returns the end of the pipe where its words lie; *whole: it had ended by itself. */
static int killed_in(void (*work)(int pipe, uint64_t seed), uint64_t seed, long position,
                     bool *whole)
{
    int ends[2];
    struct said first;
    assert_int_equal(pipe(ends), 0);
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        close(ends[0]);
        work(ends[1], seed);
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &first, sizeof first), sizeof first);
    sleep_for(position);
    int status = 0;
    kill(process, SIGKILL);
    assert_int_equal(waitpid(process, &status, 0), process);
    *whole = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!*whole && (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)) {
        fail_msg("the process ended with status %d", status);
    }
    return ends[0];
}

/* --- a save --- */

static size_t words_inserted; /* by the next save */

static size_t count_words(const struct app_state *state)
{
    const struct lab_words *const words = state->document.experiment.tokens;
    size_t count = 0;
    for (size_t w = 0; w < lab_words_count(words); w++) {
        count += strcmp(lab_words_list(words)[w], word) == 0;
    }
    return count;
}

static void insert_words(struct app_state *state, size_t count)
{
    char *const text = calloc(count + 1, sizeof word);
    for (size_t w = 0; w < count; w++) {
        snprintf(text + w * sizeof word, sizeof word + 1, "%s ", word);
    }
    insert(state, 0, text, 1);
    free(text);
}

static void save_forever(int pipe, uint64_t seed)
{
    (void)seed;
    struct error error = {0};
    struct app_state *const state = opened("cats");
    app_autosave_begin(state, 1);
    send_report(pipe, (struct said){0});
    insert_words(state, words_inserted);
    app_autosave_flush(state);
    send_report(pipe, (struct said){.is_kept = true});
    if (!app_lesson_save(state, session, &error)) {
        _exit(4);
    }
    app_autosave_flush(state);
}

/* How many of the words stand in a file; −1: there is no such file or it is damaged. */
static long words_in(const char *path)
{
    struct error error = {0};
    struct app_state *const state = opened("cats");
    const long count = app_lesson_read(state, path, 0, &error) ? (long)count_words(state) : -1;
    closed(state);
    return count;
}

static void save_once(struct random *random, long *duration)
{
    bool whole = false, is_kept = false;
    struct said said;
    const int words = killed_in(save_forever, 0, draw_moment(random, *duration), &whole);
    while (read(words, &said, sizeof said) == (ssize_t)sizeof said) {
        is_kept = is_kept || said.is_kept;
    }
    close(words);
    const long saved = words_in(session);
    const bool is_there = access("unsaved/work-1.json", F_OK) == 0;
    const long kept = is_there ? words_in("unsaved/work-1.json") : -1;
    if (saved != 0 && saved != (long)words_inserted) {
        fail_msg("with %zu words the session is neither old nor new", words_inserted);
    }
    if (is_there && kept != (long)words_inserted) {
        fail_msg("what was kept of %zu words is damaged", words_inserted);
    }
    if (is_kept && saved == 0 && !is_there) {
        fail_msg("%zu words that were kept are in no file", words_inserted);
    }
    if (whole && (saved != (long)words_inserted || is_there)) {
        fail_msg("%zu words were saved, and are not there or still kept", words_inserted);
    }
}

static void a_save_that_is_killed_leaves_the_old_or_the_new_session(void **unused)
{
    (void)unused;
    static const size_t sizes[SIZES] = {1, 10, 60, 200, 400};
    const size_t rounds = test_rounds(EVERYDAY) / SIZES;
    struct random random;
    struct error error = {0};
    random_start(&random, 1, "crashes");
    for (size_t s = 0; s < SIZES; s++) {
        long duration = 0;
        words_inserted = sizes[s];
        for (size_t round = 0; round <= rounds; round++) {
            struct timespec start;
            folder_empty(".");
            struct app_state *const former = opened("cats");
            assert_true(app_lesson_save(former, session, &error));
            closed(former);
            if (round > 0) {
                save_once(&random, &duration);
                continue;
            }
            bool whole = false;
            clock_gettime(CLOCK_MONOTONIC, &start); /* how long it takes when nobody disturbs it */
            while (!whole && duration < DURATION_MAX) {
                duration = 2 * duration + 1000000;
                close(killed_in(save_forever, 0, duration, &whole));
            }
            duration = nanoseconds_since(&start) < duration ? nanoseconds_since(&start) : duration;
        }
    }
}

/* --- an hour of work --- */

/* The program's own clock goes on while nothing is being written: how slow a disk is, is not asked
 * here. 1/16 s a step never meets the 1/20 s after which a write under way is looked at again. */
static double step_on(struct app_state *state, double time)
{
    double next = app_autosave_advance(state, time);
    while (next > time && next < time + 0.0501 && next > time + 0.0499) {
        sleep_for(20000);
        next = app_autosave_advance(state, time);
    }
    return time + 0.0625;
}

static void work_forever(int pipe, uint64_t seed)
{
    struct random random;
    struct app_state *const state = opened("cats");
    double time = 1, pause = 0;
    random_start(&random, seed, "work");
    app_autosave_begin(state, time);
    send_report(pipe, (struct said){.time = time});
    const bool is_hasty = (random_bits(&random) & 1) != 0; /* twenty words in a moment */
    for (size_t edits = 0; edits < WORDS_MAX;) {
        if (pause <= 0) {
            insert(state, 0, word, time);
            edits++;
            pause = random_uniform(&random) * (is_hasty ? 0.2 : 4);
            send_report(pipe, (struct said){.edits = edits, .time = time, .is_edit = true});
        }
        time = step_on(state, time);
        pause -= 0.0625;
        send_report(pipe, (struct said){.edits = edits, .time = time});
    }
}

/* The next start: how many of the words come back. */
static size_t count_restored(void)
{
    struct app_state *const state = opened("cats");
    app_autosave_begin(state, 1);
    if (state->view.prompt.text != NULL) {
        app_autosave_restore(state, 1);
    }
    const size_t count = count_words(state);
    app_autosave_abandon(state);
    closed(state);
    return count;
}

static void work_once(struct random *random, uint64_t seed)
{
    double typed[WORDS_MAX + 1] = {0}, end = 0;
    size_t edits = 0;
    struct said said;
    bool whole = false;
    folder_empty(".");
    /* Few hours end by themselves: a moment of the longest is drawn with its square. */
    const long position = draw_moment(random, draw_moment(random, DURATION_MAX));
    const int words = killed_in(work_forever, seed, position, &whole);
    while (read(words, &said, sizeof said) == (ssize_t)sizeof said) {
        edits = said.edits;
        end = said.time;
        if (said.is_edit) {
            typed[edits] = said.time;
        }
    }
    close(words);
    const size_t back = count_restored();
    if (back < edits && typed[back + 1] < end - SECONDS_LOST_MAX) {
        fail_msg("seed %llu: work of %.1f s is lost", (unsigned long long)seed,
                 end - typed[back + 1]);
    }
}

static void of_work_that_is_killed_five_seconds_are_lost_at_most(void **unused)
{
    (void)unused;
    const size_t rounds = test_rounds(EVERYDAY);
    struct random random;
    random_start(&random, 2, "crashes");
    for (size_t round = 0; round < rounds; round++) {
        work_once(&random, round);
    }
}

int main(void)
{
    char home[4096 - 32];
    if (getcwd(home, sizeof home - 16) == NULL) {
        return 2;
    }
    strcat(home, "/crash-XXXXXX");
    if (mkdtemp(home) == NULL || chdir(home) != 0 || setenv("ATTNSCOPE_HOME", home, 1) != 0) {
        return 2;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_save_that_is_killed_leaves_the_old_or_the_new_session),
        cmocka_unit_test(of_work_that_is_killed_five_seconds_are_lost_at_most),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    folder_empty(".");
    return chdir("..") == 0 && rmdir(home) == 0 ? failed : 1;
}
