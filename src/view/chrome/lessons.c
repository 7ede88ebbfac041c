/* The menu of lessons: in the top bar, and at the end of one. */
#include <string.h>

#include "base/translate.h"
#include "lab/lesson/lessons.h"
#include "ui/widgets.h"
#include "view/parts/head_overview.h"
#include "view/parts/pieces.h"

/* The title of what is open: that of a lesson, or "Your own". */
static const char *own_title(const struct view *view)
{
    const char *const title = view->state->lesson_title;
    /* a session has no caption */
    const bool speaks = view->state->caption != NULL && !view->state->prefs.captions_closed;
    return title != NULL && title[0] != 0 && speaks ? title : tr("Your own");
}

/* The title, with "● " if the experiment is in no file and no lesson. */
static const char *marked_if_unsaved(const struct view *view, const char *title)
{
    const char *const text =
        view->state->unsaved ? arena_format(view->arena, "● %s", tr(title)) : title;
    return text != NULL ? text : title;
}

/* The rows of the menu: the empty experiment, the lessons by groups, and models. */
struct lessons {
    const char **rows, **heads, **notes;
    size_t *lesson; /* of each row; SIZE_MAX: the row is a command */
    const char **command;
    size_t count, current;
};

static void add_row(struct lessons *menu, const char *head, const char *title, const char *note,
                    size_t lesson, const char *command)
{
    menu->heads[menu->count] = head;
    menu->rows[menu->count] = title;
    menu->notes[menu->count] = note;
    menu->lesson[menu->count] = lesson;
    menu->command[menu->count++] = command;
}

static void add_group(const struct view *view, struct lessons *menu, enum lab_lesson_group group)
{
    const char *head = lab_lesson_group_title(group);
    for (size_t i = 0; i < lab_lesson_count(); i++) {
        if (lab_lesson_group(i) == group) {
            const bool open = strcmp(lab_lesson_name(i), view->experiment->lesson) == 0;
            menu->current = open ? menu->count : menu->current;
            add_row(menu, head, lab_lesson_title(i), lab_lesson_summary(i), i, NULL);
            head = NULL;
        }
    }
    if (group == LAB_LESSONS_MODELS) {
        add_row(menu, head, "Open a model or a file…",
                "Models on this machine, any other, or attention that was computed elsewhere",
                SIZE_MAX, "open");
    }
}

/* Fills the menu. False: no memory. */
static bool fill_lessons(const struct view *view, struct lessons *menu)
{
    const size_t room = lab_lesson_count() + 2;
    *menu = (struct lessons){.rows = arena_array(view->arena, room, sizeof *menu->rows),
                             .heads = arena_array(view->arena, room, sizeof *menu->heads),
                             .notes = arena_array(view->arena, room, sizeof *menu->notes),
                             .lesson = arena_array(view->arena, room, sizeof *menu->lesson),
                             .command = arena_array(view->arena, room, sizeof *menu->command),
                             .current = SIZE_MAX};
    if (view->arena->lacking) {
        return false;
    }
    add_row(menu, NULL, "Empty experiment", "No words and no lesson: begin with your own", SIZE_MAX,
            "empty");
    for (size_t group = 0; group < LAB_LESSON_GROUPS; group++) {
        add_group(view, menu, (enum lab_lesson_group)group);
    }
    return true;
}

/* Opens the lesson of the chosen row, or executes its command. */
static void choose_row(struct view *view, const struct lessons *lessons, size_t chosen)
{
    if (chosen < lessons->count && lessons->command[chosen] != NULL) {
        view_action_command(view, lessons->command[chosen]);
    } else if (chosen < lessons->count) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_LESSON,
                                                .lesson = lessons->lesson[chosen]});
    }
}

/* The label of the closed menu. */
static const char *menu_label(const struct view *view, const struct lessons *lessons)
{
    const char *const open =
        view->state->head_overview != NULL ? view->state->head_overview->title : NULL;
    const bool known = lessons->current < lessons->count;
    return open != NULL
               ? open
               : marked_if_unsaved(view, known ? lessons->rows[lessons->current] : own_title(view));
}

float view_lessons_title(struct view *view)
{
    struct lessons lessons;
    return fill_lessons(view, &lessons)
               ? canvas_measure(view->ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY,
                                tr(menu_label(view, &lessons)))
               : 0;
}

void view_lessons(struct view *view, struct rect area)
{
    struct lessons lessons;
    if (!fill_lessons(view, &lessons)) {
        return;
    }
    const bool open =
        view->state->head_overview != NULL && view->state->head_overview->title != NULL;
    const size_t current = open ? SIZE_MAX : lessons.current;
    const bool known = current < lessons.count;
    const bool changed = known && view->state->lesson_changed;
    const struct ui_menu menu = {
        .rows = lessons.rows,
        .heads = lessons.heads,
        .notes = lessons.notes,
        .count = lessons.count,
        .current = current,
        .label = menu_label(view, &lessons),
        .tip = changed ? tr("Changed since the lesson: choose it again to start anew")
                       : tr("Start from a lesson")};
    choose_row(view, &lessons, ui_menu(view->ui, "lesson", area, &menu));
}

void view_other_lessons(struct view *view, struct rect area)
{
    struct lessons lessons;
    if (!fill_lessons(view, &lessons)) {
        return;
    }
    const struct ui_menu menu = {.rows = lessons.rows,
                                 .heads = lessons.heads,
                                 .notes = lessons.notes,
                                 .count = lessons.count,
                                 .current = lessons.current,
                                 .label = tr("All lessons"),
                                 .tip = tr("Start from a lesson")};
    choose_row(view, &lessons, ui_menu(view->ui, "other lessons", area, &menu));
}
