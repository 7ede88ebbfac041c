/* soak [HOURS] — a day of lectures in virtual time: lessons step by step, played, words and numbers
 * changed and taken back, pictures saved, work kept aside. Memory and open files at
 * the end are what they were half way, when every lesson has been seen and the
 * history is full. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/actions/startup.h"
#include "app/actions/step.h"
#include "app/draw/frame.h"
#include "app/open/autosave.h"
#include "app/open/lesson.h"
#include "lab/lesson/lessons.h"

enum { PATH_BYTES = 512, ROUND_SECONDS = 60, STEPS_SHOWN = 4, PERCENT = 5 };

static const double FRAME_SECONDS = 0.25;

struct soak {
    struct app_frame *frame;
    struct app_state *state;
    struct ui_input input;
    size_t frames;
};

static size_t count_files(const char *path)
{
    size_t count = 0;
    DIR *const files = opendir(path);
    while (files != NULL && readdir(files) != NULL) {
        count++;
    }
    if (files != NULL) {
        closedir(files);
    }
    return count;
}

/* Kilobytes that are really there; 0: nobody says. */
static size_t resident_bytes(void)
{
    unsigned long all = 0, here = 0;
    FILE *const in = fopen("/proc/self/statm", "r");
    if (in != NULL) {
        if (fscanf(in, "%lu %lu", &all, &here) != 2) {
            here = 0;
        }
        fclose(in);
    }
    return (size_t)here * (size_t)sysconf(_SC_PAGESIZE) / 1024;
}

static void empty_folder(const char *path)
{
    DIR *const files = opendir(path);
    const struct dirent *file = NULL;
    while (files != NULL && (file = readdir(files)) != NULL) {
        char inside[PATH_BYTES];
        snprintf(inside, sizeof inside, "%.200s/%.255s", path, file->d_name);
        if (strstr(file->d_name, "attnscope-") == file->d_name) {
            (void)unlink(inside);
        }
    }
    if (files != NULL) {
        closedir(files);
    }
}

/* Removes the work that a run left. */
static void clear_up(const char *home)
{
    static const char *const left[] = {"unsaved/work-1.json", "unsaved/work-1.lock", "unsaved"};
    for (size_t l = 0; l < sizeof left / sizeof *left; l++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s", home, left[l]);
        (void)remove(path);
    }
    (void)remove(home);
}

static void pass_frames(struct soak *soak, double seconds)
{
    const double until = soak->input.time + seconds;
    while (soak->input.time < until) {
        soak->input.time += FRAME_SECONDS;
        app_step(soak->frame, soak->state, &(struct app_input){.ui = soak->input});
        soak->state->request = (struct app_request){0};
        soak->frames++;
    }
}

static void do_command(struct soak *soak, const char *name)
{
    app_command_run(soak->state, name, 1, soak->input.time);
    pass_frames(soak, 1);
}

static void send_action(struct soak *soak, struct view_action asked)
{
    app_state_apply(soak->state, &asked, soak->input.time);
    pass_frames(soak, 1);
}

/* One minute of a class. */
static void render_round(struct soak *soak, size_t round)
{
    static const char *const shown[] = {"kinds", "costs", "flow", "decode", "lines", "presenter"};
    const double end = soak->input.time + ROUND_SECONDS;
    const char *const sheet = shown[round % (sizeof shown / sizeof *shown)];
    app_lesson_open(soak->state, round % lab_lesson_count(), soak->input.time);
    for (size_t step = 0; step < STEPS_SHOWN; step++) {
        app_lesson_go(soak->state, step, soak->input.time);
        pass_frames(soak, 2);
    }
    app_state_play(soak->state, soak->input.time);
    pass_frames(soak, 10);
    send_action(soak, (struct view_action){.kind = VIEW_ACTION_INSERT,
                                           .token = {.at = 1, .text = "tiger"}});
    send_action(soak, (struct view_action){.kind = VIEW_ACTION_FIELD,
                                           .setting = {.field = LAB_PARAM_TEMPERATURE,
                                                       .number = 0.5 + (double)(round % 7)}});
    send_action(soak, (struct view_action){
                          .kind = VIEW_ACTION_EDIT,
                          .edit = {.cell = {LAB_SCORES, 0, 0, 0}, .number = (double)round}});
    do_command(soak, "undo");
    do_command(soak, "undo");
    do_command(soak, "redo");
    do_command(soak, sheet);
    do_command(soak, sheet);
    do_command(soak, "theme");
    do_command(soak, "copy numpy");
    if (round % 4 == 0) {
        do_command(soak, "export now");
    }
    pass_frames(soak, end - soak->input.time);
}

/* As many changes as are kept: from here on the oldest goes for every new one. */
static void fill_history(struct soak *soak)
{
    for (size_t change = 0; change < DOCUMENT_STEPS_MAX; change++) {
        send_action(soak, (struct view_action){.kind = VIEW_ACTION_FIELD,
                                               .setting = {.field = LAB_PARAM_TEMPERATURE,
                                                           .number = change % 2 == 0 ? 2 : 1}});
        pass_frames(soak, 2); /* two changes are no one drag */
    }
}

int main(int count, char **words)
{
    static char home[] = "soak-XXXXXX";
    struct error error = {0};
    const double hours = count > 1 ? atof(words[1]) : 8;
    const size_t rounds = (size_t)(hours * 3600 / ROUND_SECONDS);
    struct fonts *const fonts = fonts_open(&error);
    struct soak soak = {.frame = fonts == NULL ? NULL : app_frame_open(fonts, &error),
                        .state = calloc(1, sizeof *soak.state),
                        .input = {.width = 1440, .height = 900, .scale = 1, .x = -1, .y = -1}};
    if (soak.frame == NULL || soak.state == NULL || mkdtemp(home) == NULL ||
        setenv("ATTNSCOPE_HOME", home, 1) != 0 || !app_state_open(soak.state, NULL, NULL, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    app_autosave_begin(soak.state, 0);
    size_t memory = 0, files = 0;
    fill_history(&soak);
    for (size_t round = 0; round < rounds; round++) {
        render_round(&soak, round);
        empty_folder(home);
        if (round == rounds / 2) {
            memory = resident_bytes();
            files = count_files("/proc/self/fd");
        }
    }
    const size_t memory_now = resident_bytes(), files_now = count_files("/proc/self/fd");
    const bool flat = memory_now * 100 <= memory * (100 + PERCENT);
    const bool closed = files_now == files;
    printf("%.1f hours, %zu frames: %zu KB half way, %zu KB at the end; %zu and %zu open "
           "files%s\n",
           hours, soak.frames, memory, memory_now, files, files_now,
           flat && closed ? "" : ": FAILED");
    app_frame_close(soak.frame);
    app_state_close(soak.state);
    free(soak.state);
    fonts_close(fonts);
    clear_up(home);
    return flat && closed ? 0 : 1;
}
