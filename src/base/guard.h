/* base/guard.h — bytes of a mapped file that are gone, because somebody cut the file, read as 0
 * instead of ending the program. Whoever reads a map asks afterwards whether it is whole
 * (file_map_is_whole) and says so.
 *
 * It is the one place that hears SIGBUS, and the one list that every thread shares. */
#ifndef BASE_GUARD_H
#define BASE_GUARD_H

#include "base/bytes.h"

/* From now on missing bytes of this map are 0; where there is no memory to note one more map, they
 * are not guarded. */
void guard_add(struct bytes map);
void guard_remove(struct bytes map); /* before it is unmapped */

#endif
