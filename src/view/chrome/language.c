/* The menu of languages: those that can be drawn with the fonts there are, each in its own letters.
 */
#include <string.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"

static bool can_be_drawn(const struct view *view, const struct language *language)
{
    return font_shape(canvas_fonts(view->ui->canvas), FONT_WORDS, language->name,
                      strlen(language->name))
               ->missing == 0;
}

void view_languages(struct view *view, struct rect place)
{
    enum { LANGUAGES_MAX = 16 };
    const struct language *languages[LANGUAGES_MAX];
    const char **rows = arena_array(view->arena, LANGUAGES_MAX, sizeof *rows);
    size_t count = 0, current = 0;
    for (size_t i = 0; rows != NULL && language_at(i) != NULL && count < LANGUAGES_MAX; i++) {
        const struct language *const language = language_at(i);
        if (can_be_drawn(view, language)) {
            current = language == language_spoken() ? count : current;
            languages[count] = language;
            rows[count++] = language->name;
        }
    }
    const struct ui_menu menu = {
        .rows = (const char *const *)rows,
        .count = count,
        .current = current,
        .bare = true,
        .tip = "The language of the interface; files and numbers stay the same"};
    const size_t chosen = ui_menu(view->ui, "language", place, &menu);
    if (chosen < count) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_LANGUAGE,
                                                .text = languages[chosen]->code});
    }
}
