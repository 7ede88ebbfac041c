/* A table of what each part of one text restores in another one, as the view shows it. */
#include "app/why/patch.h"

#include <math.h>
#include <string.h>

#include "why/word.h"

_Static_assert((size_t)WHY_PATCHED == (size_t)VIEW_PATCHED &&
                   (size_t)WHY_HEADS == (size_t)VIEW_PATCHED_HEADS &&
                   (size_t)WHY_ALPHA == (size_t)VIEW_PATCHED_ALPHA,
               "the view has the same tables");

bool app_why_patch_show(const struct why_ablation *of, const struct model_run *changed,
                        enum why_patched what, const struct why_patching *patching,
                        struct arena *arena, struct view_patch *shown, struct error *error)
{
    const struct why_question *const question = &of->question;
    const size_t cells = patching->layers * patching->places;
    double *const restored = arena_array(arena, cells, sizeof *restored);
    *shown = (struct view_patch){
        .what = (enum view_patched)what,
        .layers = patching->layers,
        .places = patching->places,
        .n = model_run_count(of->run),
        .restored = restored,
        .words = why_words_shown(of->run, of->model, arena),
        .other = why_words_shown(changed, of->model, arena),
        .word = model_shown_of(of->model, MODEL_WRITTEN, question->word, arena),
        .rival = question->has_rival
                     ? model_shown_of(of->model, MODEL_WRITTEN, question->rival, arena)
                     : NULL,
        .clean = patching->clean.logit,
        .changed = patching->changed.logit,
    };
    if (restored == NULL || shown->words == NULL || shown->other == NULL || shown->word == NULL ||
        (question->has_rival && shown->rival == NULL)) {
        return error_set(error, ERROR_MEMORY,
                         "There is not enough memory to look into this model.");
    }
    memcpy(restored, patching->restored, cells * sizeof *restored);
    for (size_t c = 0; c < cells; c++) {
        shown->done += isnan(restored[c]) ? 0 : 1;
    }
    return true;
}
