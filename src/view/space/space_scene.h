/* view/space/space_scene.h — what the scenes of the stages share. */
#ifndef VIEW_SPACE_SPACE_SCENE_H
#define VIEW_SPACE_SPACE_SCENE_H

#include "view/space/space.h"

/* How large a point of `count` is. */
float space_point_radius(const struct space *space, size_t count);

/* The part of the selected head. */
struct lab_matrix space_part(const struct space *space, enum lab_part part);

/* format with its one %s replaced; owned by the arena of the frame. */
const char *space_format(const struct space *space, const char *format, const char *word);

/* Slow at both ends. */
float space_ease(float t);

/* Whether that many points stand on stems. */
bool space_has_stems(const struct space *space, size_t count);

/* Every row of a matrix as a point, in order (rows without a place are left out). parts: what a
 * hover actions. Returns how many. */
size_t space_add_rows(struct space *space, const struct lab_matrix *matrix,
                      const char *const *words, unsigned parts, struct colour colour);

/* Words of the points from `from` on become "q(word)": what they are is not told by colour alone.
 */
void space_letter_words(struct space *space, size_t from, const char *format);

/* Score, Scale · mask and Softmax: the query, the keys, and what is between them. */
bool space_scene_score(struct space *space);

/* Blend: the values, their hull, and the chain of weighted values that ends in z. */
bool space_scene_blend(struct space *space);

/* Output: from x to o, for every token; without an embedding what Blend shows. */
bool space_scene_output(struct space *space);

/* Row `row` of a part in the experiment that is kept to compare with, where one is, and a line from
 * there to where it is now; "z(dog) of A" for the letter z. Needs room for a point and a line. */
void space_add_kept(struct space *space, enum lab_part part, size_t row, const float to[3],
                    const char *letter);

#endif
