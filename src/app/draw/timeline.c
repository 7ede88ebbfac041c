/* Which moment of which stage is shown on each picture of an animation. */
#include "app/draw/timeline.h"

#include <math.h>

/* A stage comes out of the former one in that many seconds, fills, and is looked at when it is
 * full. */
static const double COMES = 0.2, FILLS = 3, RESTS = 0.9;

static double coming_seconds(const struct playback *playback)
{
    return playback->former == playback->stage ? 0 : COMES;
}

bool app_timeline_in_stage(double seconds, struct playback *playback)
{
    const double comes = coming_seconds(playback);
    playback->arrival = comes > 0 ? (float)fmin(fmax(seconds / comes, 0), 1) : 1;
    playback->position = (float)fmin(fmax((seconds - comes) / FILLS, 0), 1);
    return seconds < comes + FILLS + RESTS;
}

double app_timeline_passed(const struct playback *playback)
{
    const double comes = coming_seconds(playback);
    return playback->arrival < 1 ? (double)playback->arrival * comes
                                 : comes + (double)playback->position * FILLS;
}

void app_timeline_show(const struct playback *playback, struct playback *shown)
{
    const float left = 1 - playback->arrival;
    shown->stage = playback->stage;
    shown->former = playback->former;
    shown->arrival = playback->arrival;
    shown->glide = 1 - left * left * left;
    shown->position = playback->position;
}

static size_t pictures_of(const struct app_timeline *timeline, double seconds)
{
    return (size_t)(seconds * timeline->rate + 0.5);
}

/* The pictures of one stage: coming, filling, and a last one of it full. */
struct stretch {
    size_t coming, filling, all;
};

static struct stretch stretch_of(const struct app_timeline *timeline, enum lab_stage stage)
{
    const size_t fills = pictures_of(timeline, FILLS);
    struct stretch stretch = {.coming = stage == timeline->from ? 0 : pictures_of(timeline, COMES),
                              .filling = fills > 0 ? fills : 1};
    stretch.all = stretch.coming + stretch.filling + 1;
    return stretch;
}

static enum lab_stage last_of(const struct app_timeline *timeline)
{
    return timeline->to < timeline->from ? timeline->from : timeline->to;
}

size_t app_timeline_count(const struct app_timeline *timeline)
{
    size_t count = 0;
    for (enum lab_stage stage = timeline->from; stage <= last_of(timeline); stage++) {
        count += stretch_of(timeline, stage).all;
    }
    return count;
}

struct app_timeline_picture app_timeline_at(const struct app_timeline *timeline, size_t index)
{
    enum lab_stage stage = timeline->from;
    struct stretch stretch = stretch_of(timeline, stage);
    for (; index >= stretch.all && stage < last_of(timeline);
         stretch = stretch_of(timeline, stage)) {
        index -= stretch.all;
        stage++;
    }
    const size_t resting = pictures_of(timeline, RESTS);
    struct app_timeline_picture picture = {
        .playback = {.stage = stage,
                     .former = stage == timeline->from ? stage : stage - 1,
                     .arrival = 1,
                     .position = 1},
        .copies = 1};
    if (index < stretch.coming) {
        picture.playback.arrival = (float)index / (float)stretch.coming;
        picture.playback.position = 0;
    } else if (index < stretch.coming + stretch.filling) {
        picture.playback.position = (float)(index - stretch.coming) / (float)stretch.filling;
    } else {
        picture.copies = resting > 0 ? resting : 1;
    }
    picture.seconds = (double)picture.copies / timeline->rate;
    return picture;
}

double app_timeline_seconds(const struct app_timeline *timeline)
{
    double seconds = 0;
    for (size_t i = 0; i < app_timeline_count(timeline); i++) {
        seconds += app_timeline_at(timeline, i).seconds;
    }
    return seconds;
}
