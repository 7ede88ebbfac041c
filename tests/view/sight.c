#include "sight.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void sight_run(struct sight *sight)
{
    struct error error = {0};
    lab_trace_release(sight->trace);
    sight->trace = lab_run(&sight->experiment, NULL, &error);
    if (sight->trace == NULL) {
        fail_msg("%s", error.text);
    }
    sight->view.trace = sight->trace;
}

static void open_screen(struct sight *sight)
{
    struct error error = {0};
    memset(sight, 0, sizeof *sight);
    sight->fonts = fonts_open(&error);
    assert_non_null(sight->fonts);
    sight->canvas = canvas_open(sight->fonts);
    assert_non_null(sight->canvas);
    sight->area = (struct rect){8, 8, 492, 470};
    sight->input = (struct ui_input){.width = 508, .height = 486, .scale = 1, .inside = false};
    sight->state = (struct view_state){.playback.stage = LAB_SCORE,
                                       .playback.position = 1,
                                       .playback.glide = 1,
                                       .prefs.camera = view_camera_home()};
    sight->view = (struct view){.ui = &sight->ui,
                                .arena = &sight->arena,
                                .experiment = &sight->experiment,
                                .state = &sight->state,
                                .selection = {.query = 1, .projected = LAB_Q},
                                .emphasis = true};
    assert_true(lab_experiment_default(&sight->experiment, &error));
}

void sight_open(struct sight *sight, enum sight_kind kind, const char *const *words, size_t count)
{
    enum { MADE_UP_MAX = 64 };
    char made[MADE_UP_MAX][12];
    const char *made_up[MADE_UP_MAX];
    struct error error = {0};
    assert_true(count <= MADE_UP_MAX);
    for (size_t i = 0; i < MADE_UP_MAX; i++) {
        snprintf(made[i], sizeof made[i], "word%zu", i + 1);
        made_up[i] = made[i];
    }
    open_screen(sight);
    assert_true(lab_experiment_set_tokens(&sight->experiment, words != NULL ? words : made_up,
                                          count, &error));
    if (kind == SIGHT_RANDOM) {
        sight->experiment.embedding = LAB_EMBEDDING_RANDOM;
        sight->experiment.d_model = 64;
        sight->experiment.weights = LAB_WEIGHTS_RANDOM;
        sight->experiment.heads = 8;
    }
    sight_run(sight);
}

void sight_open_cats(struct sight *sight)
{
    static const char *const words[] = {"cat", "dog", "lion", "NYC"};
    sight_open(sight, SIGHT_TOY, words, 4);
}

void sight_open_race(struct sight *sight, float factor)
{
    static const char *const asks[] = {"who", "won"};
    static const char *const answers[] = {"Alice", "Bob", "Carol"};
    float q[4] = {1, 0.5f, -0.3f, 1}, k[6] = {1, 0.2f, 0.1f, 1, -0.8f, 0.4f}, v[3] = {1, 3, 2};
    const size_t q_shape[3] = {1, 2, 2}, k_shape[3] = {1, 3, 2}, v_shape[3] = {1, 3, 1};
    struct error error = {0};
    for (size_t i = 0; i < 6; i++) {
        q[i % 4] *= i < 4 ? factor : 1;
        k[i] *= factor;
        v[i % 3] *= i < 3 ? factor : 1;
    }
    open_screen(sight);
    struct lab_experiment *experiment = &sight->experiment;
    assert_true(lab_experiment_set_tokens(experiment, asks, 2, &error));
    experiment->context = lab_words_make(answers, 3, &error);
    experiment->q = lab_numbers_make(q, 3, q_shape, &error);
    experiment->k = lab_numbers_make(k, 3, k_shape, &error);
    experiment->v = lab_numbers_make(v, 3, v_shape, &error);
    sight_run(sight);
}

void sight_close(struct sight *sight)
{
    lab_trace_release(sight->trace);
    lab_experiment_release(&sight->experiment);
    canvas_close(sight->canvas);
    fonts_close(sight->fonts);
    arena_free(&sight->arena);
}

void sight_draw(struct sight *sight)
{
    sight->view.actions = 0;
    arena_reset(&sight->arena);
    canvas_begin(sight->canvas, sight->input.width, sight->input.height);
    ui_begin(&sight->ui, &sight->memory, &sight->input, sight->canvas, ui_theme_find("light"));
    view_space(&sight->view, sight->area);
    ui_end(&sight->ui);
    sight->input.pressed = sight->input.released = 0;
    sight->input.wheel_y = 0;
}

void sight_move(struct sight *sight, float x, float y)
{
    sight->input.inside = true;
    sight->input.x = x;
    sight->input.y = y;
    sight_draw(sight);
}

void sight_press(struct sight *sight, unsigned button, int clicks)
{
    sight->input.down |= button;
    sight->input.pressed = button;
    sight->input.clicks = clicks;
    sight_draw(sight);
}

void sight_release(struct sight *sight, unsigned button)
{
    sight->input.down &= ~button;
    sight->input.released = button;
    sight_draw(sight);
}

const struct view_action *sight_action(const struct sight *sight, enum view_action_kind kind)
{
    for (size_t i = 0; i < sight->view.actions; i++) {
        if (sight->view.action[i].kind == kind) {
            return &sight->view.action[i];
        }
    }
    return NULL;
}

static bool reads(const struct sight *sight, const struct canvas_command *command,
                  const char *label)
{
    const size_t length = strlen(label);
    return command->length == length &&
           memcmp(canvas_text_of(sight->canvas, command), label, length) == 0;
}

static bool ends_with(const struct sight *sight, const struct canvas_command *command,
                      const char *end)
{
    const size_t length = strlen(end);
    return command->length >= length &&
           memcmp(canvas_text_of(sight->canvas, command) + command->length - length, end, length) ==
               0;
}

/* The first command of that kind behind the start of a group, before it ends. */
static const struct canvas_command *inside(const struct sight *sight, size_t group,
                                           enum canvas_kind kind)
{
    int depth = 1;
    for (size_t i = group + 1; i < canvas_count(sight->canvas) && depth > 0; i++) {
        const struct canvas_command *command = canvas_command_at(sight->canvas, i);
        if (command->kind == kind) {
            return command;
        }
        depth += command->kind == CANVAS_GROUP ? 1 : command->kind == CANVAS_UNGROUP ? -1 : 0;
    }
    return NULL;
}

const struct canvas_command *sight_first(const struct sight *sight, const char *label,
                                         size_t number, enum canvas_kind kind)
{
    for (size_t i = 0; i < canvas_count(sight->canvas); i++) {
        const struct canvas_command *command = canvas_command_at(sight->canvas, i);
        if (command->kind == CANVAS_GROUP && reads(sight, command, label) && number-- == 0) {
            return inside(sight, i, kind);
        }
    }
    return NULL;
}

size_t sight_words(const struct sight *sight, struct rect found[SIGHT_FOUND_MAX])
{
    size_t count = 0;
    const struct canvas_command *ground;
    while (count < SIGHT_FOUND_MAX &&
           (ground = sight_first(sight, "label in space", count, CANVAS_RECT)) != NULL) {
        found[count++] = ground->rect;
    }
    return count;
}

size_t sight_points(const struct sight *sight, struct rect found[SIGHT_FOUND_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < canvas_count(sight->canvas) && count < SIGHT_FOUND_MAX; i++) {
        const struct canvas_command *command = canvas_command_at(sight->canvas, i);
        if (command->kind != CANVAS_GROUP || !ends_with(sight, command, " in space") ||
            reads(sight, command, "label in space") || reads(sight, command, "axis in space")) {
            continue;
        }
        const struct canvas_command *circle = inside(sight, i, CANVAS_RECT);
        if (circle != NULL) {
            found[count++] = circle->rect;
        }
    }
    return count;
}

static const float azimuths[] = {0, 38, 77, 131, 180, 222, 275, 319};
static const float elevations[] = {-70, -12, 20, 55, 88};

enum { AZIMUTHS = sizeof azimuths / sizeof *azimuths };
enum { ELEVATIONS = sizeof elevations / sizeof *elevations };

void sight_from_everywhere(struct sight *sight, void (*look)(const struct sight *sight))
{
    for (size_t i = 0; i < AZIMUTHS * ELEVATIONS; i++) {
        sight->state.prefs.camera.azimuth = azimuths[i % AZIMUTHS];
        sight->state.prefs.camera.elevation = elevations[i / AZIMUTHS];
        sight_draw(sight);
        look(sight);
    }
    sight->state.prefs.camera = view_camera_home();
}

void sight_middle(const struct sight *sight, const char *label, float *x, float *y)
{
    const struct canvas_command *circle = sight_first(sight, label, 0, CANVAS_RECT);
    assert_non_null(circle);
    *x = circle->rect.x + circle->rect.w / 2;
    *y = circle->rect.y + circle->rect.h / 2;
}
