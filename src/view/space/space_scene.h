/* view/space/space_scene.h — what the scenes of the stages share. */
#ifndef VIEW_SPACE_SPACE_SCENE_H
#define VIEW_SPACE_SPACE_SCENE_H

#include "view/space/space.h"

/* The radius of each of `count` points. */
float space_point_radius(const struct space *space, size_t count);

/* A part of the trace, for the selected head. */
struct lab_matrix space_part(const struct space *space, enum lab_part part);

/* A translated format whose one %s is replaced; owned by the frame's arena. */
const char *space_format(const struct space *space, const char *format, const char *word);

/* Eases a share from 0 to 1: slow at both ends. */
float space_ease(float t);

/* Says whether so many points have stems. */
bool space_has_stems(const struct space *space, size_t count);

/* Adds every row of a matrix as a point, in order (rows without a place are left out). parts: the
 * VIEW_ bits that a hover selects. Returns how many points were added. */
size_t space_add_rows(struct space *space, const struct lab_matrix *matrix,
                      const char *const *words, unsigned parts, struct colour colour);

/* Labels of the points from `from` on become "q(word)", so that not only colour tells what they
 * are. */
void space_letter_words(struct space *space, size_t from, const char *format);

/* Score, Scale · mask and Softmax: the query, the keys, and the links between them. */
bool space_scene_score(struct space *space);

/* Blend: the values, their hull, and the chain of weighted values that ends in z. */
bool space_scene_blend(struct space *space);

/* Output: from x to o, for every token; without an embedding the scene of Blend. */
bool space_scene_output(struct space *space);

/* Adds row `row` of a part of the kept experiment, if there is one, and a line from there to its
 * present place; its label is "z(dog) of A" for the letter z. Needs room for a point and a line. */
void space_add_kept(struct space *space, enum lab_part part, size_t row, const float to[3],
                    const char *letter);

#endif
