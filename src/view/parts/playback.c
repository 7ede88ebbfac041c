/* The computed part of a stage at a position of playback: rows one after another, but of the chosen
 * row the first cell slowly and the second faster. */
#include "view/parts/playback.h"

#include <math.h>

#include "view/parts/pieces.h"
#include "view/parts/view.h"

static const float
    FIRST_DONE = 0.35f,
    SECOND_DONE =
        0.5f; /* when the first two cells of the chosen row are done, after the rows before it */
static const double ARRIVAL_SHARE =
    1.0 / 16; /* of a stage's time: the transition from the former one */

/* Says whether the result of a stage is a product, whose cells are computed one by one. */
static bool is_product(enum lab_stage stage)
{
    return stage == LAB_PROJECT || stage == LAB_SCORE || stage == LAB_BLEND || stage == LAB_OUTPUT;
}

static float clamp_position(float position)
{
    return position < 0 ? 0 : position > 1 ? 1 : position;
}

/* The position at which so many rows are done, none of them slowly. */
static float time_of_rows(size_t count, size_t rows)
{
    return (1 - SECOND_DONE) * (float)count / (float)rows;
}

/* The progress of the slow cells of the chosen row: below 0 before it, FIRST_DONE where one is
 * done, SECOND_DONE where two are, and above where its rest and the rows after it are computed. */
static float slow_progress(float position, size_t rows, size_t chosen)
{
    const size_t before = chosen < rows ? chosen : rows > 0 ? rows - 1 : 0;
    return rows == 0 ? clamp_position(position)
                     : clamp_position(position) - time_of_rows(before, rows);
}

/* The computed part of a product at a position. */
struct computed {
    size_t there; /* cells */
    size_t row;   /* that is being computed, or was last */
    bool slowly;  /* cell by cell */
};

static struct computed computed_part(float position, size_t rows, size_t columns, size_t chosen)
{
    static const float NUDGE = 1e-5f; /* a position that is stepped to counts as reached */
    const size_t cells = rows * columns;
    if (clamp_position(position) >= 1 || cells == 0) {
        return (struct computed){cells, rows > 0 ? rows - 1 : 0, false};
    }
    const float t = clamp_position(position) + NUDGE, slow = slow_progress(t, rows, chosen);
    if (slow >= 0 && slow < SECOND_DONE) {
        const size_t row = chosen < rows ? chosen : rows - 1;
        return (struct computed){row * columns + (slow >= FIRST_DONE && columns > 1 ? 1 : 0), row,
                                 true};
    }
    const float passed = slow < 0 ? t : t - SECOND_DONE;
    const size_t at = (size_t)(passed / (1 - SECOND_DONE) * (float)rows), last = rows - 1;
    const size_t row = at < last ? at : last;
    return (struct computed){(slow < 0 ? row : row + 1) * columns, row, false};
}

/* The result of the stage; no values: it is no product, or has no result. */
static struct lab_matrix stage_product(const struct lab_trace *trace, enum lab_stage stage,
                                       const struct lab_selection *selection)
{
    return is_product(stage)
               ? lab_trace_part(trace, lab_cell_part(stage, selection), selection->head)
               : (struct lab_matrix){0};
}

/* Embed and Scale fill evenly, cell after cell; Scale fills once more for a mask. */
struct filling {
    size_t columns, there; /* cells; columns 0: another stage */
    bool first;            /* the matrix fills for the first time */
};

static struct filling filling_at(const struct lab_trace *trace, enum lab_stage stage,
                                 float position)
{
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    const bool masked = lab_trace_experiment(trace)->mask != LAB_MASK_NONE;
    const size_t columns = stage == LAB_SCALE                 ? sizes.m
                           : stage == LAB_EMBED && !sizes.raw ? sizes.d_model
                                                              : 0;
    const float passed = clamp_position(position) * (stage == LAB_SCALE && masked ? 2 : 1);
    const float share = passed - floorf(passed);
    return (struct filling){.columns = columns,
                            .there = (size_t)(share * (float)(sizes.n * columns) + 0.5f),
                            .first = passed < 1};
}

/* Selects the last whole row of Embed, or the last cell of Scale. */
static void select_filled(const struct filling *filling, enum lab_stage stage,
                          struct lab_selection *selection)
{
    const size_t columns = filling->columns;
    const size_t last = filling->there > 0 ? filling->there - 1 : 0;
    if (stage == LAB_EMBED) {
        selection->query = filling->there >= columns ? filling->there / columns - 1 : 0;
    } else {
        selection->query = last / columns;
        selection->key = selection->key < last % columns ? selection->key : last % columns;
    }
}

bool view_tiles_are_shown(const struct lab_trace *trace, enum lab_stage stage)
{
    return lab_trace_experiment(trace)->flash_rows > 0 &&
           (stage == LAB_SOFTMAX || stage == LAB_BLEND);
}

size_t view_tiles_count(const struct lab_trace *trace)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    return ((sizes.n + experiment->flash_rows - 1) / experiment->flash_rows) *
           ((sizes.m + experiment->flash_cols - 1) / experiment->flash_cols);
}

size_t view_tiles_step(float position, size_t tiles)
{
    const double at = (double)position * (double)(tiles + 1);
    return position >= 1 ? tiles : at <= 0 ? 0 : (size_t)at;
}

float view_tiles_position(size_t step, size_t tiles)
{
    return step >= tiles ? 1 : (float)(((double)step + 0.5) / (double)(tiles + 1));
}

bool view_playback_cell(const struct lab_trace *trace, const struct playback *playback,
                        size_t chosen, struct lab_selection *selection)
{
    const enum lab_stage stage = playback->stage;
    const float position = playback->position;
    const struct filling filling = filling_at(trace, stage, position);
    if (position < 1 && filling.columns > 0) {
        select_filled(&filling, stage, selection);
        return true;
    }
    const struct lab_matrix result = stage_product(trace, stage, selection);
    if (position >= 1 || view_tiles_are_shown(trace, stage) || result.values == NULL ||
        result.rows * result.cols == 0) {
        return false;
    }
    const struct computed computed = computed_part(position, result.rows, result.cols, chosen);
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    const bool of_keys = stage == LAB_PROJECT && selection->projected != LAB_Q &&
                         (sizes.raw || sizes.cross); /* else keys show their rows by the query */
    *(of_keys ? &selection->key : &selection->query) = computed.row;
    if (computed.slowly) {
        *(stage == LAB_SCORE ? &selection->key : &selection->channel) =
            computed.there % result.cols;
    }
    return true;
}

/* The product of the present stage; no values: it has none. */
static struct lab_matrix shown_product(const struct view *view)
{
    return stage_product(view->trace, view->state->playback.stage, &view->selection);
}

float view_done(const struct view *view)
{
    const float t = clamp_position(view->state->playback.position);
    const struct lab_matrix result = shown_product(view);
    const size_t cells = result.rows * result.cols;
    const size_t chosen = view->state->pinned.query;
    return result.values == NULL || cells == 0
               ? t
               : (float)computed_part(t, result.rows, result.cols, chosen).there / (float)cells;
}

float view_done_weights(const struct view *view)
{
    const float done = view_done(view);
    const enum lab_stage stage = view->state->playback.stage;
    const bool by_charts = stage == LAB_SOFTMAX && !view_tiles_are_shown(view->trace, stage) &&
                           lab_trace_part(view->trace, LAB_SCORES, 0).values != NULL &&
                           !view->state->prefs.whole_alpha &&
                           lab_display_query_count(&view->state->prefs.display) == 0;
    return by_charts ? clamp_position(done * VIEW_SOFTMAX_CHARTS - (VIEW_SOFTMAX_CHARTS - 1))
                     : done;
}

static float chosen_row_progress(const struct view *view)
{
    return slow_progress(view->state->playback.position, shown_product(view).rows,
                         view->state->pinned.query);
}

float view_playback_early(const struct view *view)
{
    const float t = clamp_position(view->state->playback.position);
    return t < 1 && is_product(view->state->playback.stage)
               ? clamp_position(chosen_row_progress(view) / SECOND_DONE)
               : view_done_weights(view);
}

float view_playback_sum(const struct view *view)
{
    const float t = clamp_position(view->state->playback.position);
    const enum lab_stage stage = view->state->playback.stage;
    const struct filling filling = filling_at(view->trace, stage, t);
    if (t < 1 && filling.columns > 0) {
        const size_t needed = stage == LAB_EMBED ? filling.columns : 1;
        return filling.first && filling.there < needed ? 0 : 1;
    }
    if (t >= 1 || !is_product(stage)) {
        return 1;
    }
    const float slow = chosen_row_progress(view);
    return slow >= SECOND_DONE ? 1
           : slow < FIRST_DONE ? fmaxf(slow / FIRST_DONE, 0) /* in other rows no sum is shown */
                               : (slow - FIRST_DONE) / (SECOND_DONE - FIRST_DONE);
}

double view_place(const struct playback *playback)
{
    const double within =
        playback->arrival < 1
            ? (double)clamp_position(playback->arrival) * ARRIVAL_SHARE
            : ARRIVAL_SHARE + (double)clamp_position(playback->position) * (1 - ARRIVAL_SHARE);
    return (double)playback->stage + within;
}

struct playback view_playback_at(double place)
{
    static const double END_SLACK = 1e-3; /* so near the end a stage is complete */
    const double last = (double)LAB_STAGES - 1;
    const double stage = fmin(fmax(floor(place), 0), last);
    const double within = fmin(fmax(place - stage, 0), 1);
    const double position = (within - ARRIVAL_SHARE) / (1 - ARRIVAL_SHARE);
    return (struct playback){
        .stage = (enum lab_stage)stage,
        .former = (enum lab_stage)(stage > 0 ? stage - 1 : stage),
        .arrival = stage == 0 ? 1 : (float)fmin(within / ARRIVAL_SHARE, 1),
        .position = (float)(position > 1 - END_SLACK ? 1 : fmax(position, 0)),
    };
}

/* The position of the index-th event of a stage: 0 at its start, 1 at its end. */
static float event_position(const struct lab_matrix *result, enum lab_stage stage, size_t index,
                            size_t tokens, size_t chosen)
{
    const size_t even = stage == LAB_SOFTMAX ? VIEW_SOFTMAX_CHARTS : tokens;
    if (result->values == NULL || result->rows == 0) {
        return even == 0 ? 1 : fminf((float)index / (float)even, 1);
    }
    const size_t before = chosen < result->rows ? chosen : result->rows - 1;
    const float moment = time_of_rows(index > before + 1 ? index - 2 : index, result->rows);
    if (index <= before) {
        return moment;
    }
    return index == before + 1 ? time_of_rows(before, result->rows) + FIRST_DONE
                               : fminf(SECOND_DONE + moment, 1);
}

double view_place_of(enum lab_stage stage, float position)
{
    const double to = (double)clamp_position(position);
    return (double)stage + ARRIVAL_SHARE + (1 - ARRIVAL_SHARE) * to - (to >= 1 ? 1e-6 : 0);
}

double view_place_beside(const struct lab_trace *trace, const struct playback *playback,
                         const struct lab_selection *selection, bool forward)
{
    static const float STEP_MIN = 1e-3f;
    const struct lab_matrix result = stage_product(trace, playback->stage, selection);
    const size_t tokens = lab_trace_sizes(trace).n;
    const double start = (double)playback->stage;
    const bool tiled = view_tiles_are_shown(trace, playback->stage);
    if (forward ? playback->position >= 1 : playback->position <= 0) {
        const double other = start + (forward ? 1 : -1);
        return other < 0 || other >= LAB_STAGES ? view_place(playback)
               : forward                        ? other + ARRIVAL_SHARE
                                                : other + 1 - 1e-6;
    }
    float former = 0, next = 1;
    for (size_t i = 0; former < 1; i++) {
        next = tiled ? view_tiles_position(i, view_tiles_count(trace))
                     : event_position(&result, playback->stage, i, tokens, selection->query);
        if (forward ? next > playback->position + STEP_MIN
                    : next >= playback->position - STEP_MIN) {
            break;
        }
        former = next;
    }
    return view_place_of(playback->stage, forward ? next : former);
}
