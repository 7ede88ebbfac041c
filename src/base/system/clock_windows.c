/* base/system/clock_windows.c — time of Windows. */
#include "base/system/clock.h"

#include <windows.h>

double system_seconds(void)
{
    LARGE_INTEGER now, per_second;
    (void)QueryPerformanceFrequency(&per_second);
    (void)QueryPerformanceCounter(&now);
    return (double)now.QuadPart / (double)per_second.QuadPart;
}

void system_sleep(double seconds)
{
    Sleep((DWORD)(1000 * seconds + 0.999));
}

bool system_local_time(time_t moment, struct tm *parts)
{
    return localtime_s(parts, &moment) == 0;
}

bool system_universal_time(time_t moment, struct tm *parts)
{
    return gmtime_s(parts, &moment) == 0;
}
