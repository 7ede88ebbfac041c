#include "app/actions/overlay.h"

#include "app/actions/find.h"
#include "app/export/export.h"
#include "app/learn/learn.h"
#include "app/open/import_dialog.h"
#include "app/open/save.h"

static void open_find(struct app_state *state, double time)
{
    (void)time;
    app_find_open(state);
}

static void open_decode(struct app_state *state, double time)
{
    (void)time;
    state->view.decode_tokens = 1; /* the others come one by one */
    state->view.overlay = VIEW_OVERLAY_DECODE;
}

static void open_batch(struct app_state *state, double time)
{
    app_learn_look_closely(state, VIEW_OVERLAY_BATCH, time);
}

static void open_write(struct app_state *state, double time)
{
    app_learn_look_closely(state, VIEW_OVERLAY_WRITE, time);
}

static void open_blame(struct app_state *state, double time)
{
    app_learn_look_closely(state, VIEW_OVERLAY_BLAME, time);
}

/* Each overlay, with how it is closed and what it does beside being drawn. */
static const struct {
    void (*open)(struct app_state *state, double time); /* NULL: nothing */
    void (*close)(struct app_state *state);             /* likewise */
} rows[VIEW_OVERLAYS] = {
    [VIEW_OVERLAY_FIND] = {open_find, app_find_close},
    [VIEW_OVERLAY_EXPORT] = {app_export_open, app_export_close},
    [VIEW_OVERLAY_IMPORT] = {NULL, app_import_close},
    [VIEW_OVERLAY_DECODE] = {open_decode, NULL},
    [VIEW_OVERLAY_SAVE] = {app_save_open, app_save_close},
    [VIEW_OVERLAY_BATCH] = {open_batch, NULL},
    [VIEW_OVERLAY_WRITE] = {open_write, NULL},
    [VIEW_OVERLAY_BLAME] = {open_blame, NULL},
    [VIEW_OVERLAY_TEXT] = {NULL, app_learn_offer_close},
};

bool app_overlay_close(struct app_state *state)
{
    const enum view_overlay was = state->view.overlay;
    if (rows[was].close != NULL) {
        rows[was].close(state);
    }
    state->view.overlay = VIEW_OVERLAY_NONE;
    return was != VIEW_OVERLAY_NONE;
}

void app_overlay_turn(struct app_state *state, enum view_overlay overlay, double time)
{
    const enum view_overlay was = state->view.overlay;
    app_overlay_close(state);
    if (was == overlay) {
        return;
    }
    if (rows[overlay].open != NULL) {
        rows[overlay].open(state, time);
    } else {
        state->view.overlay = overlay;
    }
}
