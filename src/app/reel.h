/* app/reel.h — a stage, or several, as pictures that follow each other: what play shows, picture by
 * picture, the same for the window and the command line. */
#ifndef APP_REEL_H
#define APP_REEL_H

#include <stddef.h>

#include "lab/stage.h"

struct app_reel {
    enum lab_stage from, to; /* both included, to not before from */
    unsigned rate;           /* pictures a second, at least 1 */
};

struct app_reel_picture {
    enum lab_stage stage;
    float moment;   /* inside the stage, as in struct view_state */
    double seconds; /* for which it stays */
    size_t copies;  /* how many numbered pictures that is */
};

/* How many different pictures there are, and which comes at index. */
size_t app_reel_count(const struct app_reel *reel);
struct app_reel_picture app_reel_at(const struct app_reel *reel, size_t index);

/* How long all of it takes. */
double app_reel_seconds(const struct app_reel *reel);

#endif
