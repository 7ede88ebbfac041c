/* base/system/map_windows.c — maps of Windows, which lets nobody cut a file that is mapped. */
#include "base/system/map.h"

#include <io.h>
#include <windows.h>

#include "base/system/wide_windows.h"

const void *system_map(int file, size_t size)
{
    const HANDLE section =
        CreateFileMappingW((HANDLE)_get_osfhandle(file), NULL, PAGE_READONLY, 0, 0, NULL);
    if (section == NULL) {
        (void)system_fail();
        return NULL;
    }
    const void *const map = MapViewOfFile(section, FILE_MAP_READ, 0, 0, size);
    if (map == NULL) {
        (void)system_fail();
    }
    (void)CloseHandle(section); /* the view keeps it */
    return map;
}

void system_unmap(const void *map, size_t size)
{
    (void)size;
    (void)UnmapViewOfFile(map);
}
