/* app/draw/timeline.h — a stage, or several, as pictures that follow each other: what play shows,
 * picture by picture, the same for the window and the command line. */
#ifndef APP_DRAW_TIMELINE_H
#define APP_DRAW_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "view/parts/playback.h"

/* Where play is so many seconds after the stage of *instant began: it comes out of the former one
 * (none for a stage that follows itself), fills, is looked at. False: that is over. */
bool app_timeline_in_stage(double seconds, struct playback *playback);

/* After how many seconds of its stage an instant is shown first. */
double app_timeline_passed(const struct playback *playback);

/* Shows it; what moves by itself has come as far as the stage has. */
void app_timeline_show(const struct playback *playback, struct playback *shown);

/* In one file the ribbon's moment moves so often in a stage, twice a second: it stands far from
 * what is computed, and moving with every picture it would have all between the two packed anew. */
enum { APP_TIMELINE_TICKS = 6 };

struct app_timeline {
    enum lab_stage from, to; /* both included, to not before from */
    unsigned rate;           /* pictures a second, at least 1 */
};

struct app_timeline_picture {
    struct playback playback; /* its stage, former stage, arrival and moment */
    double seconds;           /* for which it stays */
    size_t copies;            /* how many numbered pictures that is */
};

/* How many different pictures there are, and which comes at index. */
size_t app_timeline_count(const struct app_timeline *timeline);
struct app_timeline_picture app_timeline_at(const struct app_timeline *timeline, size_t index);

/* How long all of it takes. */
double app_timeline_seconds(const struct app_timeline *timeline);

#endif
