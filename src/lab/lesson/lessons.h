/* lab/lesson/lessons.h — lessons: an experiment and the steps through it, each with a caption. The
 * built-in ones stand in assets/lessons; those of a teacher, and saved sessions, are the same
 * files (assets/lesson.schema.json says what may stand in them). */
#ifndef LAB_LESSON_LESSONS_H
#define LAB_LESSON_LESSONS_H

#include "base/bytes.h"
#include "base/error.h"
#include "file/growing.h"
#include "lab/experiment/experiment.h"
#include "lab/experiment/stage.h"
#include "lab/explain/display.h"
#include "lab/explain/explain.h"
#include "lab/lesson/step_model.h"
#include "lab/lesson/view_prefs.h"

enum {
    LAB_STEPS_MAX = 1000,
    LAB_CAPTION_BYTES_MAX = 1000,
    LAB_LESSON_BYTES_MAX = 64 << 20 /* of a file: more is neither opened nor saved */
};

/* What a step hides from sight, as bits. */
enum lab_hide {
    LAB_HIDE_SETTINGS = 1,
    LAB_HIDE_SPACE = 2,
    LAB_HIDE_HEADS = 4,
    LAB_HIDE_FORMULA = 8,
    LAB_HIDE_RIBBON = 16,
    LAB_HIDE_TOKENS = 32,
    LAB_HIDE_STATUS = 64
};

/* What a step speaks of, as bits: a class sees these together, each as large as there is room. */
enum lab_panel {
    LAB_PANEL_STAGE = 1,
    LAB_PANEL_SPACE = 2,
    LAB_PANEL_HEADS = 4, /* every head, small */
    LAB_PANEL_HEAD = 8,  /* the chosen head, large */
    LAB_PANEL_COSTS = 16,
    LAB_PANEL_KINDS = 32,
    LAB_PANEL_DECODE = 64
};

/* What the class guesses before it is shown. */
enum lab_guess { LAB_GUESS_NONE, LAB_GUESS_CELL, LAB_GUESS_BAR, LAB_GUESS_WINNER, LAB_GUESSES };

/* Members of a file's objects that this version does not know, as JSON; they are written again
 * where they stood. NULL: none. */
struct lab_kept {
    const char *members; /* of the step, or of the lesson */
    const char *experiment, *display, *view_prefs, *model, *guess;
};

struct lab_step {
    const char *caption;  /* "" when there is none */
    enum lab_stage stage; /* a step that names none has that of the step before */
    struct lab_selection selection;
    bool has_camera;
    float camera[3]; /* azimuth and elevation in degrees, zoom */
    bool has_position;
    float position;  /* inside the stage, 0 … 1; without one the stage is complete */
    unsigned hide;   /* bits of lab_hide */
    unsigned panels; /* bits of lab_panel; 0: those that suit the stage */
    char theme[16];  /* "light", "dark", or "" for the one there is */
    enum lab_guess guess;
    bool has_display;
    struct lab_display display; /* how weights are looked at */
    bool has_view_prefs;
    struct lab_view_prefs view_prefs; /* what else stands as a person chose it */
    struct lab_step_model model;      /* whose layer the experiment is; path NULL: of none */
    bool changes;                     /* the experiment is not the lesson's own */
    bool other_numbers;               /* the caption was written for other numbers than these */
    struct lab_experiment experiment; /* what holds at this step, complete */
    bool has_tried;                   /* a session of a built-in lesson: experiment is the one that
                                         the caption was written for, … */
    struct lab_experiment tried;      /* … and this the one that was saved */
    struct lab_kept kept;
};

struct lab_lesson {
    char name[32]; /* "cats" */
    const char *title, *summary;
    struct lab_experiment experiment; /* its own: what steps change, they change of this */
    struct lab_step *step;
    size_t steps; /* at least 1 */
    size_t open;  /* the step it opens at */
    struct lab_kept kept;
    const char *unknown; /* the first name that was kept, of the lesson or a step; NULL: none */
};

/* Reads a lesson from any bytes. Texts and steps are owned by the arena, the experiments by the
 * lesson: release it before the arena goes. False and a sentence that names line and key. */
bool lab_lesson_parse(struct bytes text, struct arena *arena, struct lab_lesson *lesson,
                      struct error *error);
void lab_lesson_release(struct lab_lesson *lesson);

/* The file of a lesson, owned by the arena: reading it gives the same lesson. */
bool lab_lesson_write(const struct lab_lesson *lesson, struct arena *arena, struct bytes *text,
                      struct error *error);

/* The same; the progress (NULL: nobody) is told how long it is by now, and can stop it: it fails
 * then.
 */
bool lab_lesson_write_with_progress(const struct lab_lesson *lesson,
                                    const struct growing_progress *progress, struct arena *arena,
                                    struct bytes *text, struct error *error);

/* The built-in lessons: how many there are; name ("cats", "ten", "race"), title ("Cats, dogs and a
 * lion") and one sentence. */
size_t lab_lesson_count(void);
const char *lab_lesson_name(size_t index);
const char *lab_lesson_title(size_t index);
const char *lab_lesson_summary(size_t index);

/* What a built-in lesson is about; a menu shows the groups in this order. */
enum lab_lesson_group {
    LAB_LESSONS_BASICS,
    LAB_LESSONS_HEADS,
    LAB_LESSONS_CHEAPER,
    LAB_LESSONS_LEARNING,
    LAB_LESSONS_MODELS,
    LAB_LESSON_GROUPS
};
enum lab_lesson_group lab_lesson_group(size_t index);
const char *lab_lesson_group_title(enum lab_lesson_group group);

/* The one below it in that menu; lab_lesson_count(): none. */
size_t lab_lesson_next(size_t index);

/* By name; false: there is none. */
bool lab_lesson_find(const char *name, size_t *index);

/* A built-in lesson with all its steps, as lab_lesson_parse gives it. */
bool lab_lesson_load(size_t index, struct arena *arena, struct lab_lesson *lesson,
                     struct error *error);

/* How many steps a built-in lesson has. */
size_t lab_lesson_steps(size_t index);

/* One of them: caption owned by the arena, step->experiment to be released by the caller. False:
 * there is no such step. Reads the whole lesson: for more than one use lab_lesson_load. */
bool lab_lesson_step(size_t index, size_t step, struct arena *arena, struct lab_step *out,
                     struct error *error);

/* The experiment (the caller releases it), stage and selection the lesson opens with: those of its
 * first step. */
bool lab_lesson_open(size_t index, struct lab_experiment *experiment, enum lab_stage *stage,
                     struct lab_selection *selection, struct error *error);

#endif
