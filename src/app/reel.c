#include "app/reel.h"

/* A stage fills in that many seconds, and is looked at that long when it is full. */
static const double FILLS = 3, RESTS = 0.9;

static size_t pictures_of(const struct app_reel *reel, double seconds)
{
    const size_t count = (size_t)(seconds * reel->rate + 0.5);
    return count > 0 ? count : 1;
}

static size_t stages_of(const struct app_reel *reel)
{
    return reel->to < reel->from ? 1 : (size_t)reel->to - (size_t)reel->from + 1;
}

size_t app_reel_count(const struct app_reel *reel)
{
    return stages_of(reel) * (pictures_of(reel, FILLS) + 1);
}

struct app_reel_picture app_reel_at(const struct app_reel *reel, size_t index)
{
    const size_t filling = pictures_of(reel, FILLS), resting = pictures_of(reel, RESTS);
    const size_t at = index % (filling + 1);
    const bool full = at == filling;
    const size_t copies = full ? resting : 1;
    return (struct app_reel_picture){
        .stage = (enum lab_stage)((size_t)reel->from + index / (filling + 1)),
        .moment = full ? 1 : (float)at / (float)filling,
        .seconds = (double)copies / reel->rate,
        .copies = copies};
}

double app_reel_seconds(const struct app_reel *reel)
{
    const size_t copies = pictures_of(reel, FILLS) + pictures_of(reel, RESTS);
    return (double)(stages_of(reel) * copies) / reel->rate;
}
