/* window_language.c — which language the window speaks, remembered from run to run. */
#include "app/desktop/window_parts.h"

#include <string.h>

#include "app/document/settings_store.h"

static bool can_be_drawn(const struct language *language, struct fonts *fonts)
{
    return font_shape(fonts, FONT_WORDS, language->name, strlen(language->name))->missing == 0;
}

const struct language *window_language_begin(const char *code, struct fonts *fonts)
{
    struct arena arena = {0};
    const char *chosen = code;
    if (code == NULL && app_stored_lines("language", &arena, &chosen, 1) == 0) {
        chosen = NULL;
    }
    const struct language *language = chosen != NULL ? language_find(chosen) : language_wished();
    arena_free(&arena);
    language_speak(language != NULL && can_be_drawn(language, fonts) ? language : NULL);
    return language_spoken();
}

void window_language_keep(const struct language *begun)
{
    if (language_spoken() != begun) {
        app_store_lines("language", &language_spoken()->code, 1);
    }
}
