/* lab/lesson/lessons.h — lessons: an experiment and the steps through it, each with a caption. The
 * built-in ones stand in assets/lessons; those of a teacher, and saved sessions, are the same kind
 * of file (assets/lesson.schema.json describes it). */
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
    LAB_LESSON_BYTES_MAX = 64 << 20 /* of a file; a larger one is neither opened nor saved */
};

/* The parts of the window that a step hides, as bits. */
enum lab_hide {
    LAB_HIDE_SETTINGS = 1,
    LAB_HIDE_SPACE = 2,
    LAB_HIDE_HEADS = 4,
    LAB_HIDE_FORMULA = 8,
    LAB_HIDE_RIBBON = 16,
    LAB_HIDE_TOKENS = 32,
    LAB_HIDE_STATUS = 64
};

/* The parts that a step is about, as bits: a class sees these together, each as large as there is
 * room. */
enum lab_panel {
    LAB_PANEL_STAGE = 1,
    LAB_PANEL_SPACE = 2,
    LAB_PANEL_HEADS = 4, /* every head as a small picture */
    LAB_PANEL_HEAD = 8,  /* the chosen head, large */
    LAB_PANEL_COSTS = 16,
    LAB_PANEL_KINDS = 32,
    LAB_PANEL_DECODE = 64,
    LAB_PANEL_LINES = 128 /* that weights learn from */
};

/* The things that a class can guess before they are shown. */
enum lab_guess {
    LAB_GUESS_NONE,
    LAB_GUESS_CELL,
    LAB_GUESS_BAR,
    LAB_GUESS_WINNER,
    LAB_GUESS_NEXT,
    LAB_GUESSES
};

/* Members of a file's objects that this version does not know, as JSON; they are written again in
 * their places. NULL: none. */
struct lab_unknown_json {
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
    float position;  /* inside the stage, 0 to 1; without one the stage is complete */
    unsigned hide;   /* bits of lab_hide */
    unsigned panels; /* bits of lab_panel; 0: those that suit the stage */
    char theme[16];  /* "light", "dark", or "" for the present one */
    enum lab_guess guess;
    bool has_display;
    struct lab_display display; /* how weights are looked at */
    bool has_view_prefs;
    struct lab_view_prefs view_prefs; /* other choices of a person */
    struct lab_step_model model;      /* the model whose layer the experiment is; path NULL: none */
    struct lab_step_weights weights;  /* of experiment.learned; folder NULL: none are saved */
    bool changes;                     /* the experiment is not the lesson's own */
    bool other_numbers;               /* the caption was written for other numbers than these */
    struct lab_experiment experiment; /* the complete experiment of this step */
    bool has_tried;                   /* a session of a built-in lesson: the caption was written
                                         for `experiment` */
    struct lab_experiment tried;      /* and this experiment was saved */
    struct lab_unknown_json kept;
};

struct lab_lesson {
    char name[32]; /* "cats" */
    const char *title, *summary;
    struct lab_experiment experiment; /* the lesson's own, which steps change */
    struct lab_step *step;
    size_t steps; /* at least 1 */
    size_t open;  /* the step at which it opens */
    struct lab_unknown_json kept;
    const char *unknown; /* the first unknown name that was kept, of the lesson or a step; NULL:
                            none */
};

/* Reads a lesson from any bytes. The arena owns texts and steps, the lesson its experiments:
 * release it before the arena goes. Returns false with a sentence that names line and key. */
bool lab_lesson_parse(struct bytes text, struct arena *arena, struct lab_lesson *lesson,
                      struct error *error);
void lab_lesson_release(struct lab_lesson *lesson);

/* Writes the file of a lesson, owned by the arena; reading it gives the same lesson. */
bool lab_lesson_write(const struct lab_lesson *lesson, struct arena *arena, struct bytes *text,
                      struct error *error);

/* Writes the file likewise. The progress (NULL: nobody) is told its present length and can stop it,
 * which makes it fail. */
bool lab_lesson_write_with_progress(const struct lab_lesson *lesson,
                                    const struct growing_progress *progress, struct arena *arena,
                                    struct bytes *text, struct error *error);

/* Return the number of built-in lessons; the name ("cats", "ten", "race"), title ("Cats, dogs and a
 * lion") and one sentence of each. */
size_t lab_lesson_count(void);
const char *lab_lesson_name(size_t index);
const char *lab_lesson_title(size_t index);
const char *lab_lesson_summary(size_t index);

/* The subject of a built-in lesson; a menu shows the groups in this order. */
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

/* Returns the lesson that follows in that menu; lab_lesson_count(): none. */
size_t lab_lesson_next(size_t index);

/* Finds a lesson by its name. Returns false where there is none. */
bool lab_lesson_find(const char *name, size_t *index);

/* Loads a built-in lesson with all its steps, as lab_lesson_parse reads it. */
bool lab_lesson_load(size_t index, struct arena *arena, struct lab_lesson *lesson,
                     struct error *error);

/* Returns the number of steps of a built-in lesson. */
size_t lab_lesson_steps(size_t index);

/* Loads one step: the arena owns its caption, and the caller releases step->experiment. Returns
 * false where there is no such step. It reads the whole lesson, so use lab_lesson_load for several
 * steps. */
bool lab_lesson_step(size_t index, size_t step, struct arena *arena, struct lab_step *out,
                     struct error *error);

/* Loads the experiment (the caller releases it), stage and selection of the lesson's first step. */
bool lab_lesson_open(size_t index, struct lab_experiment *experiment, enum lab_stage *stage,
                     struct lab_selection *selection, struct error *error);

#endif
