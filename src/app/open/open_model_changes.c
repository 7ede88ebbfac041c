/* Keeps the list of interventions on the open model: what a person changed is wanted from it, each
 * step of history has its own, and sessions hold it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "base/translate.h"
#include "view/parts/head_overview.h"
#include "why/intervention_text.h"

/* ---- lists ----------------------------------------------------------------------------------- */

struct model_intervention *open_model_copy_changes(const struct model_intervention *change,
                                                   size_t *count)
{
    struct model_intervention *const own = malloc((*count + 1) * sizeof *own);
    size_t kept = 0;
    for (size_t c = 0; own != NULL && c < *count; c++) {
        if (change[c].by != MODEL_BY_SOURCE) { /* numbers of another text are their run's */
            own[kept++] = change[c];
        }
    }
    *count = own == NULL ? 0 : kept;
    return own;
}

/* A list of its own; NULL: there is none, or no memory. */
static void *copy_list(const void *list, size_t count, size_t size)
{
    void *const own = list == NULL ? NULL : malloc((count + 1) * size);
    return own == NULL ? NULL : memcpy(own, list, count * size);
}

bool open_model_copy_lists(struct open_model_reading *reading)
{
    const struct open_model_reading from = *reading;
    reading->ids = copy_list(from.ids, from.count, sizeof *from.ids);
    reading->change = open_model_copy_changes(from.change, &reading->changes);
    reading->source = copy_list(from.source, from.source_count, sizeof *from.source);
    return (reading->ids == NULL) == (from.ids == NULL) && reading->change != NULL &&
           (reading->source == NULL) == (from.source == NULL);
}

void open_model_free_lists(struct open_model_reading *reading)
{
    free(reading->ids);
    free(reading->change);
    free(reading->source);
    reading->ids = reading->source = NULL;
    reading->change = NULL;
}

bool open_model_want_changes(struct app_open_model *model, const struct model_intervention *change,
                             size_t count)
{
    struct model_intervention *const own = open_model_copy_changes(change, &count);
    if (own == NULL) {
        return false;
    }
    free(model->change);
    model->change = own;
    model->changes = count;
    for (size_t p = 0; model->off != NULL && p < model->off->places; p++) {
        model->off->has[p] = model_head_is_off((struct model_interventions){own, count},
                                               p / model->heads, p % model->heads);
    }
    return true;
}

bool open_model_has_changes(const struct app_open_model *model,
                            const struct model_intervention *change, size_t count)
{
    const struct model_interventions list = model->subject.run == NULL
                                                ? model_no_interventions
                                                : model_run_interventions(model->subject.run);
    size_t at = 0;
    for (size_t c = 0; c < list.count; c++) {
        if (list.row[c].by == MODEL_BY_SOURCE) {
            continue;
        }
        if (at == count || !model_intervention_equal(&list.row[c], &change[at])) {
            return false;
        }
        at++;
    }
    return at == count;
}

size_t open_model_fitting_changes(struct model_intervention *change, size_t count, size_t heads,
                                  size_t words)
{
    size_t kept = 0;
    for (size_t c = 0; c < count; c++) {
        if (change[c].node == MODEL_NODE_Z && change[c].head >= heads) {
            change[c].layer += change[c].head / heads; /* of a session: layer · heads + head */
            change[c].head %= heads;
        }
        const bool of_words =
            change[c].node >= MODEL_NODE_SCORES && change[c].node <= MODEL_NODE_ALPHA;
        if ((change[c].row == MODEL_EACH || change[c].row < words) &&
            (!of_words || change[c].column == MODEL_EACH || change[c].column < words)) {
            change[kept++] = change[c];
        }
    }
    return kept;
}

/* ---- in sessions ----------------------------------------------------------------------------- */

static bool is_whole_head(const struct model_intervention *one)
{
    return model_head_is_off((struct model_interventions){one, 1}, one->layer, one->head);
}

bool open_model_write_changes(struct open_model_reading *reading, size_t heads, size_t places)
{
    struct head_set *const off =
        arena_alloc(&reading->arena, sizeof *off + places * sizeof *off->has);
    const char **const written =
        arena_array(&reading->arena, reading->changes + 1, sizeof *written);
    if (off == NULL || written == NULL) {
        return false;
    }
    off->places = places;
    memset(off->has, 0, places * sizeof *off->has);
    for (size_t c = 0; c < reading->changes; c++) {
        const struct model_intervention *const one = &reading->change[c];
        const size_t place = one->layer * heads + one->head;
        if (is_whole_head(one) && place < places) {
            off->has[place] = true;
            continue;
        }
        written[reading->written_count] = why_intervention_written(one, &reading->arena);
        reading->written_count += written[reading->written_count] != NULL ? 1 : 0;
    }
    reading->off = off;
    reading->written = written;
    return !reading->arena.lacking;
}

bool open_model_read_changes(const struct lab_step_model *kept, struct arena *arena,
                             struct open_model_reading *reading, struct error *error)
{
    const size_t room = kept->places + kept->change_count;
    struct model_intervention *const list = arena_array(arena, room + 1, sizeof *list);
    size_t count = 0;
    for (size_t p = 0; list != NULL && kept->off != NULL && p < kept->places; p++) {
        if (kept->off[p]) {
            list[count++] = model_head_off(0, p); /* how many heads a layer has is not known yet */
        }
    }
    bool done = list != NULL;
    for (size_t c = 0; list != NULL && c < kept->change_count; c++) {
        const bool is_read =
            why_intervention_parse(kept->changes[c], kept->count, arena, &list[count], error);
        count += is_read ? 1 : 0;
        done = done && is_read;
    }
    reading->change = list;
    reading->changes = count;
    return done;
}
