/* app/open/lesson.h — the lesson that is open: its steps, captions and guesses; lessons and
 * sessions in files. */
#ifndef APP_OPEN_LESSON_H
#define APP_OPEN_LESSON_H

#include "app/document/state.h"
#include "file/growing.h"
#include "file/handle.h"

/* Opens a built-in lesson with its steps, at the first. The former work stays one undo away. */
bool app_lesson_open(struct app_state *state, size_t index, double time);

/* Opens a lesson or session from a file, or from inside a picture of this program. False and a
 * sentence that names line and key; nothing changed. */
bool app_lesson_read(struct app_state *state, const char *path, double time, struct error *error);

/* The same, said and remembered; a file that a frame cannot wait for is read beside the window, and
 * opens when it is read: then what is wrong with it is said, too. */
bool app_lesson_open_file(struct app_state *state, struct file_handle *file, double time,
                          struct error *error);

/* Everything as this step of the lesson has it, where a session or a person has it otherwise. */
void app_lesson_go_back(struct app_state *state, double time);

/* The two halves of that: reading, which touches no state, and taking, which takes lesson and arena
 * over. False, and it is said: there is no memory, and what was open stays. */
struct app_lesson_file {
    const char *path;
    struct file_handle *file; /* held, until it is loaded */
    struct file_mark mark;    /* of the file when it was read */
    bool is_picture;          /* it is inside one */
    struct lab_lesson lesson;
    struct arena arena;
};
bool app_lesson_load(struct app_lesson_file *file, struct error *error);
bool app_lesson_take(struct app_state *state, struct app_lesson_file *file, double time);

/* Saves what is: the experiment, stage, selection, camera and theme, as a lesson of one step; or
 * the whole lesson that is open, with the present as its current step. The file is written whole or
 * not at all. */
bool app_lesson_save(struct app_state *state, const char *path, struct error *error);

/* The same where so much is to be written that a frame cannot wait for it: beside the window, with
 * progress and Cancel. What came of it is said. False and a sentence: nothing was written. */
bool app_lesson_save_report(struct app_state *state, const char *path, double time,
                            struct error *error);

/* The content of such a file; borrows. lesson: of no steps where none is open. */
struct app_lesson_content {
    struct app_scene scene;
    struct lab_step_model model; /* whose layer is shown; path NULL: of none */
    struct lab_step_weights
        weights;      /* of what is shown, from the root; folder NULL: none lie there */
    const char *path; /* of the file that is written; NULL: it is kept aside */
    const struct lab_lesson *lesson;
    size_t step;
};
struct app_lesson_content app_lesson_content(const struct app_state *state);

/* The text of that file, owned by the arena; the progress (NULL: nobody) is told how long it is by
 * now. */
bool app_lesson_text(const struct app_lesson_content *content,
                     const struct growing_progress *progress, struct arena *arena,
                     struct bytes *text, struct error *error);

/* The same with nothing of the state, for a task to write. NULL: no memory. */
struct app_lesson_copy;
struct app_lesson_copy *app_lesson_copy(const struct app_state *state);
const struct app_lesson_content *app_lesson_copy_content(const struct app_lesson_copy *copy);
void app_lesson_copy_free(struct app_lesson_copy *copy); /* NULL is fine */

/* The work is in this file now, with this experiment. */
void app_lesson_note_file(struct app_state *state, struct document_work *work, const char *path,
                          const struct file_mark *mark, const struct lab_experiment *experiment);

/* The sentence for a session that could not be opened again. Always false. */
bool app_lesson_too_long(struct error *error);

/* Goes to a step (clamped): experiment, stage, selection, camera, theme, what it hides. Beyond the
 * last one it is said that this is the end, and what may come next. */
void app_lesson_go(struct app_state *state, size_t step, double time);

/* Opens the lesson below this one in the menu; nothing happens where there is none. */
void app_lesson_open_next(struct app_state *state, double time);

/* Back to the last step of the lesson that was walked through before; else nothing happens. */
void app_lesson_open_former(struct app_state *state, double time);

/* Says whether the caption of the step waits for weights that are still being learned. */
bool app_lesson_awaits_caption(const struct app_state *state);

/* Shows what the class was to guess, unless its question waits for its weights. */
void app_lesson_reveal(struct app_state *state);

/* The folder for lessons and sessions: ATTNSCOPE_HOME where it is set, the person's documents, else
 * the working folder; and a name that no file there has yet. */
void app_lesson_folder(char *path, size_t size);
bool app_lesson_free_path(const struct app_state *state, char *path, size_t size);

#endif
