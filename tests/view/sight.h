/* tests/view/sight.h — one picture of one experiment, and what can be read in its list. */
#ifndef TESTS_VIEW_SIGHT_H
#define TESTS_VIEW_SIGHT_H

#include "view/parts/view.h"

enum { SIGHT_FOUND_MAX = 512 };

struct sight {
    struct fonts *fonts;
    struct canvas *canvas;
    struct arena arena;
    struct ui ui;
    struct ui_memory memory;
    struct ui_input input;
    struct view_state state;
    struct lab_experiment experiment;
    struct lab_trace *trace;
    struct view view;
    struct rect area;
};

/* Words with the toy embedding and identity weights, or with random ones of 64 dimensions. */
enum sight_kind { SIGHT_TOY, SIGHT_RANDOM };

/* Opens fonts and computes; fails the test when that cannot be done. words NULL: count made-up
 * ones. */
void sight_open(struct sight *sight, enum sight_kind kind, const char *const *words, size_t count);

/* The four words of the classic example. */
void sight_open_cats(struct sight *sight);

/* Q, K, V given: 2 queries, 3 keys; q and k have two dimensions, v has one. */
void sight_open_race(struct sight *sight, float factor);

/* Computes again after a change of the experiment. */
void sight_run(struct sight *sight);
void sight_close(struct sight *sight);

/* Draws view_space in the area and forgets the actions of before. Edges of the input (pressed,
 * wheel …) are cleared afterwards. */
void sight_draw(struct sight *sight);

/* Pointer. */
void sight_move(struct sight *sight, float x, float y);
void sight_press(struct sight *sight, unsigned button, int clicks);
void sight_release(struct sight *sight, unsigned button);

/* The first action of that kind; NULL: none. */
const struct view_action *sight_action(const struct sight *sight, enum view_action_kind kind);

/* The index of the first command in the number-th group with that label whose kind is `kind`;
 * NULL: there is none. */
const struct canvas_command *sight_first(const struct sight *sight, const char *label,
                                         size_t number, enum canvas_kind kind);

/* The grounds of all words in space; returns how many. */
size_t sight_words(const struct sight *sight, struct rect found[SIGHT_FOUND_MAX]);

/* The last circle's area of every point in space: what words must keep off. Returns how many. */
size_t sight_points(const struct sight *sight, struct rect found[SIGHT_FOUND_MAX]);

/* Draws from every angle and looks each time; the camera is at home afterwards. */
void sight_from_everywhere(struct sight *sight, void (*look)(const struct sight *sight));

/* The middle of the first circle in the first group with that label; fails when there is none. */
void sight_middle(const struct sight *sight, const char *label, float *x, float *y);

#endif
