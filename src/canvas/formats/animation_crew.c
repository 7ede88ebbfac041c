/* Lists are gathered until there are enough for a thread to be worth its while; each such batch is
 * drawn by a film of its own that follows the last list of the batch before, and is joined to the
 * film when its turn comes. */
#include "canvas/formats/animation_crew.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/system/thread.h"

enum {
    BATCH = 24,      /* pictures: the first two are drawn whole, so a few would be slow */
    THREADS_MAX = 16 /* each has pixels and letters of its own */
};

struct batch {
    struct canvas *list[BATCH + 1]; /* the first is the last one of the batch before */
    double seconds[BATCH + 1];
    size_t count;
    double passed; /* seconds before its own first picture */
    struct fonts *fonts;
    struct render_cairo *player;
    struct animation *film;
    struct system_thread thread;
    bool runs; /* on its thread; what follows is the thread's own until it has ended */
    atomic_bool ended;
    bool drawn;
    struct error error;
};

struct animation_crew {
    struct animation *film;
    struct batch batch[THREADS_MAX];
    size_t batches;
    size_t filling, oldest; /* which gets the next list; which is joined next */
    size_t pictures;
    double passed; /* seconds of all that were added */
    atomic_bool given_up;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for an animation.");
}

struct animation_crew *animation_crew_open(struct animation *film, size_t threads,
                                           struct error *error)
{
    struct animation_crew *const crew = calloc(1, sizeof *crew);
    if (crew == NULL) {
        no_memory(error);
        return NULL;
    }
    const size_t wanted = threads > 0 ? threads : system_processors();
    crew->film = film;
    crew->batches = wanted < THREADS_MAX ? wanted : THREADS_MAX;
    for (size_t b = 0; b < crew->batches; b++) {
        atomic_init(&crew->batch[b].ended, false);
    }
    atomic_init(&crew->given_up, false);
    return crew;
}

static void wait_for(struct batch *batch)
{
    if (batch->runs) {
        system_thread_join(&batch->thread);
        batch->runs = false;
    }
}

void animation_crew_close(struct animation_crew *crew)
{
    if (crew == NULL) {
        return;
    }
    atomic_store(&crew->given_up, true);
    for (size_t b = 0; b < crew->batches; b++) {
        struct batch *const batch = &crew->batch[b];
        wait_for(batch);
        animation_close(batch->film);
        render_cairo_close(batch->player);
        for (size_t i = 0; i <= BATCH; i++) {
            canvas_close(batch->list[i]);
        }
        fonts_close(batch->fonts);
    }
    free(crew);
}

/* ---- one batch ------------------------------------------------------------------------------- */

struct order {
    struct animation_crew *crew;
    struct batch *batch;
};

static void draw_batch(struct animation_crew *crew, struct batch *batch)
{
    batch->drawn = true;
    for (size_t i = 0; batch->drawn && i < batch->count; i++) {
        batch->drawn = !atomic_load(&crew->given_up) &&
                       animation_add(batch->film, batch->player, batch->list[i], batch->seconds[i],
                                     &batch->error);
    }
    atomic_store(&batch->ended, true);
}

static void run_batch(void *at)
{
    const struct order order = *(struct order *)at;
    free(at);
    draw_batch(order.crew, order.batch);
}

/* Without a thread it is drawn here. */
static bool start_batch(struct animation_crew *crew, struct batch *batch, struct error *error)
{
    batch->film = animation_follow(crew->film, batch->passed, error);
    if (batch->film == NULL) {
        return false;
    }
    batch->error = (struct error){ERROR_NONE, 0, ""};
    atomic_store(&batch->ended, false);
    struct order *const order = malloc(sizeof *order);
    if (order != NULL) {
        *order = (struct order){crew, batch};
        batch->runs = system_thread_start(&batch->thread, 0, run_batch, order);
    }
    if (!batch->runs) {
        free(order);
        draw_batch(crew, batch);
    }
    return true;
}

/* The oldest batch that has begun becomes part of the film. */
static bool join_oldest(struct animation_crew *crew, struct error *error)
{
    struct batch *const batch = &crew->batch[crew->oldest];
    wait_for(batch);
    const bool joined = batch->drawn ? animation_join(crew->film, batch->film, error)
                                     : error_set(error, batch->error.code, "%s", batch->error.text);
    animation_close(batch->film);
    batch->film = NULL;
    batch->count = 0;
    crew->oldest = (crew->oldest + 1) % crew->batches;
    return joined;
}

/* Makes the renderer, once for each thread, as letters cost the most. */
static bool has_player(struct batch *batch, struct error *error)
{
    if (batch->fonts == NULL) {
        batch->fonts = fonts_open(error);
    }
    if (batch->player == NULL && batch->fonts != NULL) {
        batch->player = render_cairo_open(batch->fonts, error);
    }
    return batch->player != NULL;
}

static bool keep_list(struct batch *batch, const struct canvas *canvas, double seconds,
                      struct error *error)
{
    struct canvas **const list = &batch->list[batch->count];
    if (*list == NULL) {
        *list = canvas_open(batch->fonts);
    }
    if (*list == NULL || !canvas_copy(*list, canvas)) {
        return no_memory(error);
    }
    batch->seconds[batch->count++] = seconds;
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* The batch begins behind this list. */
static bool begin_batch(struct animation_crew *crew, const struct canvas *former,
                        struct error *error)
{
    struct batch *const batch = &crew->batch[crew->filling];
    batch->passed = crew->passed;
    return has_player(batch, error) && keep_list(batch, former, 0, error);
}

static bool start_full_batch(struct animation_crew *crew, struct error *error)
{
    struct batch *const batch = &crew->batch[crew->filling];
    const struct canvas *const last = batch->list[BATCH];
    if (!start_batch(crew, batch, error)) {
        return false;
    }
    crew->filling = (crew->filling + 1) % crew->batches;
    struct batch *const next = &crew->batch[crew->filling];
    return (next->film == NULL || join_oldest(crew, error)) && begin_batch(crew, last, error);
}

bool animation_crew_add(struct animation_crew *crew, struct render_cairo *player,
                        const struct canvas *canvas, double seconds, struct error *error)
{
    if (crew->pictures++ == 0) {
        const bool added = animation_add(crew->film, player, canvas, seconds, error);
        crew->passed += seconds > 0 ? seconds : 0;
        return added && begin_batch(crew, canvas, error);
    }
    struct batch *const batch = &crew->batch[crew->filling];
    crew->passed += seconds > 0 ? seconds : 0;
    return keep_list(batch, canvas, seconds, error) &&
           (batch->count <= BATCH || start_full_batch(crew, error));
}

bool animation_crew_is_busy(const struct animation_crew *crew)
{
    const struct batch *const filling = &crew->batch[crew->filling];
    const struct batch *const next = &crew->batch[(crew->filling + 1) % crew->batches];
    return filling->count == BATCH && next != filling && next->runs && !atomic_load(&next->ended);
}

bool animation_crew_end(struct animation_crew *crew, struct error *error)
{
    struct batch *const last = &crew->batch[crew->filling];
    bool ended = last->count < 2 || start_batch(crew, last, error);
    while (ended && crew->batch[crew->oldest].film != NULL) {
        ended = join_oldest(crew, error);
    }
    return ended;
}
