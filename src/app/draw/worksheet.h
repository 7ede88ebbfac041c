/* app/draw/worksheet.h — a lesson or a stage on paper: pages with empty boxes, each followed by one
 * with the answers, as a PDF. */
#ifndef APP_DRAW_WORKSHEET_H
#define APP_DRAW_WORKSHEET_H

#include "app/draw/scene.h"

/* The subject of the pages. lesson NULL: the stage of the state alone. Else a pair of pages for
 * every step at which the class guesses; where there is none, for every stage that can be worked
 * out by hand. */
struct app_worksheet {
    struct app_scene scene; /* experiment, stage and selection */
    const struct lab_lesson *lesson;
    const char *title;   /* "Cats, dogs and a lion" */
    const char *created; /* as in struct render_figure */
};

/* How many tasks there are, each a pair of pages; and the sentence for none (returns false). */
size_t app_worksheet_tasks(const struct app_worksheet *worksheet);
bool app_worksheet_refuse(struct error *error);

/* The PDF, owned by the arena. False and a sentence. */
bool app_worksheet_print(const struct app_worksheet *worksheet, struct arena *arena,
                         struct bytes *pdf, struct error *error);

/* The lists of the pages, owned by the caller (canvas_close each); *pages by the arena. fonts must
 * outlive them. */
bool app_worksheet_pages(const struct app_worksheet *worksheet, struct fonts *fonts,
                         struct arena *arena, struct canvas ***pages, size_t *count,
                         struct error *error);

#endif
