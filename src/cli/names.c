/* cli/names.c — lists of names, and the nearest name to one that is unknown. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/translate.h"
#include "canvas/formats/animation.h"
#include "canvas/formats/formats.h"
#include "canvas/render/render.h"
#include "canvas/types/colour.h"
#include "cli/options.h"
#include "lab/experiment/mask.h"
#include "lab/experiment/stage.h"
#include "lab/lesson/lessons.h"
#include "view/parts/view.h"

const char *cli_lesson_name(size_t index)
{
    return index < lab_lesson_count() ? lab_lesson_name(index) : NULL;
}

const char *cli_stage_name(size_t index)
{
    return index < LAB_STAGES ? lab_stage_row((enum lab_stage)index)->name : NULL;
}

const char *cli_view_name(size_t index)
{
    const struct view_picture *const picture = view_picture_at(index);
    return picture == NULL ? NULL : picture->name;
}

const char *cli_colormap_name(size_t index)
{
    const struct colourmap *const map = colourmap_at(index);
    return map == NULL ? NULL : map->name;
}

const char *cli_mask_name(size_t index)
{
    return index < LAB_MASK_CUSTOM ? lab_mask_row((enum lab_mask)index)->name : NULL;
}

const char *cli_language_name(size_t index)
{
    const struct language *language = language_at(index);
    return language != NULL ? language->code : NULL;
}

const char *cli_theme_name(size_t index)
{
    static const char *const themes[] = {"light", "dark", "grey"};
    return index < sizeof themes / sizeof themes[0] ? themes[index] : NULL;
}

const char *cli_step_name(size_t index)
{
    return index == LAB_STAGES ? "block" : cli_stage_name(index);
}

const char *cli_sinks_name(size_t index)
{
    static const char *const names[] = {"shown", "aside"};
    return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

/* In the order of enum view_weighing. */
const char *cli_weighing_name(size_t index)
{
    static const char *const names[] = {"alpha", "value", "output"};
    return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

/* In the order of enum model_attention. */
const char *cli_heads_of_name(size_t index)
{
    static const char *const names[] = {"decoder", "encoder", "cross"};
    return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

const char *cli_picture_format_name(size_t index)
{
    size_t stills = 0;
    while (render_format_at(stills) != NULL) {
        stills++;
    }
    if (index < stills) {
        return render_format_at(index)->suffix;
    }
    const struct animation_format *const moves = animation_format_at(index - stills);
    return moves == NULL ? NULL : moves->suffix;
}

const char *cli_format_name(size_t index)
{
    return index < CLI_FORMAT_PICTURES ? cli_result_format_name(index)
                                       : cli_picture_format_name(index - CLI_FORMAT_PICTURES);
}

const char *cli_shell_name(size_t index)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    return index < sizeof shells / sizeof shells[0] ? shells[index] : NULL;
}

/* Ranks names of equal distance: people seldom miss the first letter, or the number of letters. */
static int likeness_of(const char *written, const char *name)
{
    return (written[0] == name[0] ? 1 : 0) + (strlen(written) == strlen(name) ? 1 : 0);
}

const char *cli_nearest_name(const char *written, const char *(*name_at)(size_t index))
{
    const char *nearest = NULL;
    const size_t letters = strlen(written);
    /* At a greater distance it is another word; any two single letters are near each other. */
    size_t least = letters < 2 ? 1 : letters < 4 ? 2 : 1 + letters / 2;
    for (size_t n = 0; letters > 0 && letters <= 64 && name_at(n) != NULL; n++) {
        const size_t distance =
            strcasecmp(written, name_at(n)) == 0 ? 0 : text_distance(written, name_at(n));
        const bool as_near = nearest != NULL && distance == least;
        if (distance < least ||
            (as_near && likeness_of(written, name_at(n)) > likeness_of(written, nearest))) {
            least = distance;
            nearest = name_at(n);
        }
    }
    return nearest;
}

bool cli_refuse_unknown(struct error *error, const char *kind, const char *written,
                        const char *(*name_at)(size_t index))
{
    const char *const nearest = cli_nearest_name(written, name_at);
    if (nearest != NULL) {
        return error_set(error, ERROR_USAGE, "There is no %s called \"%.60s\"; did you mean %s?",
                         kind, written, nearest);
    }
    char names[110];
    cli_write_name_list(names, sizeof names, name_at);
    return error_set(error, ERROR_USAGE, "There is no %s called \"%.40s\"; there are %s.", kind,
                     written, names);
}

void cli_write_name_list(char *list, size_t size, const char *(*name_at)(size_t index))
{
    static const char more[] = ", …";
    size_t length = 0;
    list[0] = '\0';
    for (size_t n = 0; name_at(n) != NULL; n++) {
        const char *const between = n == 0 ? "" : ", ";
        const bool last = name_at(n + 1) == NULL;
        const size_t letters = strlen(between) + strlen(name_at(n));
        if (length + letters + (last ? 1 : sizeof more) > size) {
            snprintf(list + length, size - length, "%s", more);
            return;
        }
        length += (size_t)snprintf(list + length, size - length, "%s%s", between, name_at(n));
    }
}
