/* cli/style.h — a look of one's own for pictures: fonts, sizes, colours, lines and cells, from a
 * file of JSON:
 *
 *     {"fonts": {"words": "Times New Roman", "numbers": "fonts/Mono.otf"},
 *      "sizes": {"letters": 8, "smallest": 6},
 *      "colours": {"ink": "#000000", "weights": ["#ffffff", "#08519c"]},
 *      "lines": {"ticks": 0.5, "outline": 0.5}, "cells": {"gap": 0, "corner": 1}} */
#ifndef CLI_STYLE_H
#define CLI_STYLE_H

#include "app/document/state.h"
#include "app/draw/figure.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "cli/options.h"

enum { CLI_STYLE_FONTS = 3, CLI_STYLE_STOPS_MAX = 32, CLI_STYLE_MAPS = 2 };

/* A style with all zero changes nothing. The theme and the maps are referred to by the state that
 * it was applied to; it must not move then. */
struct cli_style {
    const char *font[CLI_STYLE_FONTS]; /* words, bold, numbers; NULL: the program's own */
    bool is_file[CLI_STYLE_FONTS];
    float letters, smallest; /* points; 0: as without a style */
    bool has_colours;
    struct ui_theme theme; /* the theme it was applied to, with its colours */
    unsigned stop[CLI_STYLE_MAPS][CLI_STYLE_STOPS_MAX]; /* of weights, of signed numbers */
    struct colourmap map[CLI_STYLE_MAPS];               /* stops 0: none is given */
    struct view_look look;
    bool given[16]; /* which of the theme's colours are */
    struct arena arena;
};

/* Reads what --style names; without the option the style is all zero. The caller releases it. */
bool cli_style_read(const struct cli_options *options, struct cli_style *style,
                    struct error *error);
void cli_style_release(struct cli_style *style);

/* Reads the text of such a file; name: what sentences call it. Files of fonts lie beside it. */
bool cli_style_parse(struct bytes text, const char *name, struct cli_style *style,
                     struct error *error);

/* Draw with the style: with its fonts, before the first picture; and in its colours and lines,
 * after the options of the look were applied to the state, which --gap outranks. */
bool cli_style_use_fonts(const struct cli_style *style, struct app_figure_renderer *renderer,
                         struct error *error);
void cli_style_apply(struct cli_style *style, struct app_state *state);

#endif
