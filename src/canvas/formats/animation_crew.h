/* canvas/formats/animation_crew.h — a film of lists that are laid out one after the other on one
 * thread, and drawn and packed on all others: the file is the same as if one had done everything.
 *
 *     struct animation_crew *crew = animation_crew_open(film, threads, &error);
 *     animation_crew_add(crew, player, canvas, 0.05, &error);      as often as wanted
 *     animation_crew_end(crew, &error);                            then animation_end(film, …)
 *     animation_crew_close(crew); */
#ifndef CANVAS_FORMATS_ANIMATION_CREW_H
#define CANVAS_FORMATS_ANIMATION_CREW_H

#include "canvas/formats/animation.h"

struct animation_crew;

/* film (kept, not owned) has no picture yet. threads: beside the one that calls; 0: as many as the
 * machine has processors. NULL and a sentence on failure. */
struct animation_crew *animation_crew_open(struct animation *film, size_t threads,
                                           struct error *error);

/* Waits for what is being drawn, which is lost if it has not ended. NULL is fine. */
void animation_crew_close(struct animation_crew *crew);

/* Takes a copy of the list as the next picture. The player draws the first one. */
bool animation_crew_add(struct animation_crew *crew, struct render_cairo *player,
                        const struct canvas *canvas, double seconds, struct error *error);

/* All are busy: the next picture would have to wait for one of them. */
bool animation_crew_is_busy(const struct animation_crew *crew);

/* Waits until all are drawn: then the film has them. */
bool animation_crew_end(struct animation_crew *crew, struct error *error);

#endif
