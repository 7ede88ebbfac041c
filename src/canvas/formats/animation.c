/* Pictures handed to a writer, each with how long it stays; equal ones become one. */
#include "canvas/formats/animation.h"

#include <math.h>
#include <stdlib.h>

#include "canvas/render/pixels.h"

enum {
    LARGEST_SIDE = 8192,      /* pixels; a WebP has at most 16 383 */
    LARGEST_PICTURE = 1 << 24 /* pixels: 64 MB for each picture that is kept */
};

struct animation {
    const struct animation_format *format;
    void *timeline;
    uint32_t *pixels;        /* of the last picture */
    struct changes *changes; /* what is drawn anew; NULL: everything */
    int width, height;
    float scale;
    bool has_alpha;
    struct colour ground;
    double passed; /* seconds until here */
};

static const struct animation_format *const formats[] = {&animation_webp, &animation_gif};

const struct animation_format *animation_format_at(size_t index)
{
    return index < sizeof formats / sizeof formats[0] ? formats[index] : NULL;
}

static char to_lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool same_word(const char *a, const char *b)
{
    for (; *a != '\0' && to_lower(*a) == to_lower(*b); a++, b++) {
    }
    return to_lower(*a) == to_lower(*b);
}

const struct animation_format *animation_format_find(const char *suffix)
{
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        if (same_word(formats[f]->suffix, suffix)) {
            return formats[f];
        }
    }
    return NULL;
}

static struct animation *no_memory(struct error *error)
{
    error_set(error, ERROR_MEMORY, "There is not enough memory for an animation.");
    return NULL;
}

/* False: no memory, it is closed. */
static bool open_pixels(struct animation *animation)
{
    const size_t count = (size_t)animation->width * (size_t)animation->height;
    animation->pixels = calloc(count, sizeof *animation->pixels);
    animation->changes = animation->has_alpha ? NULL : changes_open();
    if (animation->pixels == NULL || (animation->changes == NULL && !animation->has_alpha)) {
        animation_close(animation);
        return false;
    }
    return true;
}

/* NULL, closed, where there is no timeline. */
static struct animation *with_timeline(struct animation *animation, void *timeline)
{
    animation->timeline = timeline;
    if (timeline == NULL) {
        animation_close(animation);
        return NULL;
    }
    return animation;
}

struct animation *animation_open(const struct animation_format *format,
                                 const struct render_figure *figure, float width, float height,
                                 struct error *error)
{
    const float scale = figure->scale > 0 ? figure->scale : 1;
    const double wide = round((double)(width * scale)), high = round((double)(height * scale));
    if (!(wide >= 1 && high >= 1 && wide <= LARGEST_SIDE && high <= LARGEST_SIDE &&
          wide * high <= LARGEST_PICTURE)) {
        error_set(error, ERROR_USAGE,
                  "An animation of %.0f × %.0f pixels is too large; take a smaller scale.", wide,
                  high);
        return NULL;
    }
    struct animation *const animation = calloc(1, sizeof *animation);
    if (animation == NULL) {
        return no_memory(error);
    }
    const struct animation_plan plan = {(int)wide, (int)high, figure->ground == NULL,
                                        figure->description, figure->experiment};
    *animation = (struct animation){.format = format,
                                    .width = plan.width,
                                    .height = plan.height,
                                    .scale = scale,
                                    .has_alpha = plan.has_alpha};
    if (figure->ground != NULL) {
        animation->ground = *figure->ground;
        animation->ground.alpha = 255;
    }
    return open_pixels(animation) ? with_timeline(animation, format->open(&plan, error))
                                  : no_memory(error);
}

struct animation *animation_follow(const struct animation *first, double passed,
                                   struct error *error)
{
    struct animation *const animation = calloc(1, sizeof *animation);
    if (animation == NULL) {
        return no_memory(error);
    }
    const unsigned long milliseconds = (unsigned long)lround(passed * 1000);
    *animation = (struct animation){.format = first->format,
                                    .width = first->width,
                                    .height = first->height,
                                    .scale = first->scale,
                                    .has_alpha = first->has_alpha,
                                    .ground = first->ground,
                                    .passed = passed};
    return open_pixels(animation)
               ? with_timeline(animation,
                               first->format->follow(first->timeline, milliseconds, error))
               : no_memory(error);
}

bool animation_join(struct animation *first, struct animation *follower, struct error *error)
{
    first->passed = follower->passed;
    return first->format->join(first->timeline, follower->timeline, error);
}

void animation_close(struct animation *animation)
{
    if (animation != NULL) {
        animation->format->close(animation->timeline);
        changes_close(animation->changes);
        free(animation->pixels);
        free(animation);
    }
}

/* Draws the area of the list; of a transparent picture all of it. */
static bool draw_area(struct animation *animation, struct render_cairo *player,
                      const struct canvas *canvas, const struct rect *area, struct shape_box box,
                      struct error *error)
{
    const struct render_pixels pixels = {(uint8_t *)animation->pixels, animation->width,
                                         animation->height, animation->width * 4,
                                         animation->has_alpha};
    pixels_fill(&pixels, box, animation->ground);
    if (!render_cairo_pixels(player, canvas, animation->scale, area, pixels, error)) {
        return false;
    }
    for (int y = box.top; y < box.bottom && !animation->has_alpha; y++) {
        for (int x = box.left; x < box.right; x++) {
            animation->pixels[(ptrdiff_t)y * animation->width + x] |= 0xff000000u;
        }
    }
    return true;
}

/* Draws what the list changes; *changed: where. */
static bool draw_changes(struct animation *animation, struct render_cairo *player,
                         const struct canvas *canvas, struct animation_areas *changed,
                         struct error *error)
{
    const struct shape_box all = {0, 0, animation->width, animation->height};
    struct rect area[CHANGES_MAX];
    if (animation->changes == NULL) {
        *changed = (struct animation_areas){1, {all}};
        return draw_area(animation, player, canvas, NULL, all, error);
    }
    changed->count = changes_find(animation->changes, canvas, animation->scale, animation->width,
                                  animation->height, area);
    bool drawn = true;
    for (size_t a = 0; drawn && a < changed->count; a++) {
        changed->box[a] = shape_box_cut(shape_box_around(area[a], animation->scale), all);
        drawn = draw_area(animation, player, canvas, &area[a], changed->box[a], error);
    }
    return drawn;
}

bool animation_add(struct animation *animation, struct render_cairo *player,
                   const struct canvas *canvas, double seconds, struct error *error)
{
    const size_t losses = render_cairo_losses(player);
    struct animation_areas changed;
    if (!draw_changes(animation, player, canvas, &changed, error)) {
        return false;
    }
    if (render_cairo_losses(player) > losses) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for an animation.");
    }
    const long from = lround(animation->passed * 1000);
    animation->passed += seconds > 0 ? seconds : 0;
    const long to = lround(animation->passed * 1000);
    return animation->format->add(animation->timeline, animation->pixels, &changed,
                                  (unsigned)(to - from), error);
}

bool animation_end(struct animation *animation, struct arena *arena, struct bytes *file,
                   struct error *error)
{
    return animation->format->end(animation->timeline, arena, file, error);
}
