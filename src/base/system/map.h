/* base/system/map.h — a file as it lies on the disk, in the address space of the program. Bytes
 * that are gone, because somebody cut the file, read as 0 instead of ending the program: whoever
 * reads a map asks afterwards whether its file is still as long, and says so. (Windows cuts no file
 * that is mapped.) */
#ifndef BASE_SYSTEM_MAP_H
#define BASE_SYSTEM_MAP_H

#include <stddef.h>

/* `size` bytes of an open file, to be read, not 0 of them. NULL and errno: they cannot be mapped.
 * Where there is no memory to note one more map, a cut of it is not guarded. */
const void *system_map(int file, size_t size);
void system_unmap(const void *map, size_t size);

#endif
