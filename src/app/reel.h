/* app/reel.h — a stage, or several, as pictures that follow each other: what play shows, picture by
 * picture, the same for the window and the command line. */
#ifndef APP_REEL_H
#define APP_REEL_H

#include <stdbool.h>
#include <stddef.h>

#include "view/view.h"

/* What is shown at one moment of play. */
struct app_instant {
    enum lab_stage stage, former;
    float arrival, moment; /* as in struct view_state */
};

/* Where play is so many seconds after the stage of *instant began: it comes out of the former one
 * (none for a stage that follows itself), fills, is looked at. False: that is over. */
bool app_reel_in_stage(double seconds, struct app_instant *instant);

/* After how many seconds of its stage an instant is shown first. */
double app_reel_passed(const struct app_instant *instant);

/* Puts it on. */
void app_reel_show(const struct app_instant *instant, struct view_state *view);

struct app_reel {
    enum lab_stage from, to; /* both included, to not before from */
    unsigned rate;           /* pictures a second, at least 1 */
};

struct app_reel_picture {
    struct app_instant instant;
    double seconds; /* for which it stays */
    size_t copies;  /* how many numbered pictures that is */
};

/* How many different pictures there are, and which comes at index. */
size_t app_reel_count(const struct app_reel *reel);
struct app_reel_picture app_reel_at(const struct app_reel *reel, size_t index);

/* How long all of it takes. */
double app_reel_seconds(const struct app_reel *reel);

#endif
