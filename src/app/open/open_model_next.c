/* The words that may come next, or stand in place of a masked one: the likeliest at the
 * temperature, and those of what is kept to compare with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "base/translate.h"
#include "lab/run/sample.h"

/* Notes what closes a sentence, and where the second begins. */
static void note_sentences(struct app_open_model *model)
{
    struct view_head_overview *const head_overview = &model->head_overview;
    struct arena arena = {0};
    uint32_t id = 0;
    const char *const closes = open_model_closes(model->subject.model, &arena, &id)
                                   ? model_shown(model->subject.model, id, &arena)
                                   : NULL;
    const size_t count = closes == NULL ? 0 : model_run_count(model->subject.run);
    size_t second = 0;
    while (second < count && model_run_types(model->subject.run)[second] == 0) {
        second++;
    }
    snprintf(model->closes, sizeof model->closes, "%s", closes == NULL ? "" : closes);
    head_overview->closes = closes == NULL ? NULL : model->closes;
    head_overview->second = second < count ? second : 0;
    arena_free(&arena);
}

/* Notes which of the masked words is guessed, and how many there are. */
static void note_masks(struct app_open_model *model, uint32_t mask)
{
    struct view_head_overview *const head_overview = &model->head_overview;
    const uint32_t *const ids = model_run_ids(model->subject.run);
    head_overview->mask_number = head_overview->masks = 0;
    for (size_t i = 0; head_overview->mask != NULL && i < model_run_count(model->subject.run);
         i++) {
        head_overview->masks += ids[i] == mask;
        head_overview->mask_number += ids[i] == mask && i <= model->masked;
    }
}

/* The likeliest words at the temperature, with their shares of all. */
void open_model_find_next(struct app_open_model *model)
{
    const size_t count = model_config(model->subject.model)->vocabulary;
    struct view_head_overview *const head_overview = &model->head_overview;
    const float *const logit = model->logits;
    struct arena arena = {0};
    uint32_t mask = 0;
    if (!open_model_mask(model->subject.model, &mask, &head_overview->mask)) {
        head_overview->mask = NULL;
    }
    note_sentences(model);
    note_masks(model, mask);
    if (logit == NULL) { /* an encoder without a masked word */
        head_overview->next_count = 0;
        return;
    }
    const struct lab_shares shares = lab_shares_of(logit, count, head_overview->temperature);
    head_overview->next_count = lab_find_largest(logit, count, VIEW_NEXT_MAX, model->next_id);
    for (size_t n = 0; n < head_overview->next_count; n++) {
        const uint32_t id = model->next_id[n];
        const char *const word = model_shown(model->subject.model, id, &arena);
        snprintf(model->next_word[n], sizeof model->next_word[n], "%s", word == NULL ? "" : word);
        head_overview->next[n] = (struct view_next){
            .word = model->next_word[n], .id = id, .share = lab_share(&shares, logit[id])};
    }
    arena_free(&arena);
}

void open_model_note_kept(struct app_open_model *model, const struct document *document)
{
    struct view_head_overview *const head_overview = &model->head_overview;
    const struct lab_trace *const kept =
        document == NULL || document->compares_change ? NULL : document->baseline;
    if (kept == model->kept_trace) {
        return;
    }
    lab_trace_release(model->kept_trace);
    model->kept_trace = kept == NULL ? NULL : lab_trace_keep(kept);
    free(model->kept_off);
    model->kept_off = NULL;
    head_overview->kept_off = NULL;
    head_overview->kept_count = 0;
    if (kept == NULL || kept != document->trace) { /* another kind of attention is compared with */
        return;
    }
    model->kept_off = model->off == NULL ? NULL : malloc(model->places * sizeof *model->kept_off);
    if (model->kept_off != NULL) {
        memcpy(model->kept_off, model->off, model->places * sizeof *model->kept_off);
        head_overview->kept_off = model->kept_off;
    }
    head_overview->kept_count = head_overview->next_count;
    for (size_t n = 0; n < head_overview->kept_count; n++) {
        memcpy(model->kept_word[n], model->next_word[n], sizeof model->kept_word[n]);
        head_overview->kept[n] =
            (struct view_next){.word = model->kept_word[n], .share = head_overview->next[n].share};
    }
}
