/* The menu of languages, each in its own script; a language without a font says what to install. */
#include <string.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"

void view_languages(struct view *view, struct rect place)
{
    enum { LANGUAGES_MAX = 16 };
    const struct language *languages[LANGUAGES_MAX];
    const char **rows = arena_array(view->arena, LANGUAGES_MAX, sizeof *rows);
    size_t count = 0, current = 0;
    for (size_t i = 0; rows != NULL && language_at(i) != NULL && count < LANGUAGES_MAX; i++) {
        const struct language *const language = language_at(i);
        const bool mute = !fonts_speak(canvas_fonts(view->ui->canvas), language);
        current = language == language_current() ? count : current;
        languages[count] = mute ? NULL : language;
        rows[count++] =
            mute ? arena_format(view->arena, "%s: install %s", language->english, language->fonts)
                 : language->name;
    }
    const struct ui_menu menu = {
        .rows = (const char *const *)rows,
        .count = count,
        .current = current,
        .label = count > 0 && languages[current] == NULL ? language_current()->name : NULL,
        .on_panel = true,
        .tip = "The language of the interface; files and numbers stay the same"};
    const size_t chosen = ui_menu(view->ui, "language", place, &menu);
    if (chosen < count && languages[chosen] != NULL) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_LANGUAGE,
                                                .text = languages[chosen]->code});
    }
}
