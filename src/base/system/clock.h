/* base/system/clock.h — what time it is, and waiting. */
#ifndef BASE_SYSTEM_CLOCK_H
#define BASE_SYSTEM_CLOCK_H

#include <stdbool.h>
#include <time.h>

/* Seconds since some moment, which only ever grow. */
double system_seconds(void);

void system_sleep(double seconds);

/* A moment as the clocks here show it, and as they do in Greenwich. False: no calendar has it. */
bool system_local_time(time_t moment, struct tm *parts);
bool system_universal_time(time_t moment, struct tm *parts);

#endif
