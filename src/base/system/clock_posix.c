/* base/system/clock_posix.c — time where the system is POSIX's. */
#include "base/system/clock.h"

double system_seconds(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void system_sleep(double seconds)
{
    const time_t whole = (time_t)seconds;
    const struct timespec pause = {.tv_sec = whole,
                                   .tv_nsec = (long)(1e9 * (seconds - (double)whole))};
    nanosleep(&pause, NULL);
}

bool system_local_time(time_t moment, struct tm *parts)
{
    return localtime_r(&moment, parts) != NULL;
}

bool system_universal_time(time_t moment, struct tm *parts)
{
    return gmtime_r(&moment, parts) != NULL;
}
