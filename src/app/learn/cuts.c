/* Keeps the last few own texts that were cut into tokens, so that undo, another seed and a branch
 * need not cut them again. */
#include <string.h>

#include "app/learn/learn_internal.h"

void learn_keep_cut(struct app_learn *learn, const struct learn_data *cut, enum learn_units asked)
{
    for (size_t c = 0; c < APP_LEARN_CUTS; c++) {
        if (learn->cut[c] == cut) {
            return;
        }
    }
    learn_data_release(learn->cut[APP_LEARN_CUTS - 1]);
    memmove(learn->cut + 1, learn->cut, (APP_LEARN_CUTS - 1) * sizeof *learn->cut);
    memmove(learn->cut_asked + 1, learn->cut_asked,
            (APP_LEARN_CUTS - 1) * sizeof *learn->cut_asked);
    learn->cut[0] = learn_data_keep(cut);
    learn->cut_asked[0] = asked;
}

const struct learn_data *learn_find_cut(const struct app_learn *learn, struct bytes text,
                                        enum learn_units asked)
{
    for (size_t c = 0; c < APP_LEARN_CUTS && text.size > 0; c++) {
        const struct learn_data *const cut = learn->cut[c];
        if (cut != NULL && learn_data_has_own_words(cut) &&
            (asked == learn->cut_asked[c] || asked == learn_data_request_of(cut)->units) &&
            bytes_equal(learn_data_request_of(cut)->text, text)) {
            return cut;
        }
    }
    return NULL;
}

void learn_find_cuts(const struct app_learn *learn, struct learn_learned *learned)
{
    for (size_t e = 0; e < learned->edits; e++) {
        struct learn_edit *const edit = &learned->edit[e];
        for (size_t c = 0; edit->kind == LEARN_EDIT_TEXT && c < APP_LEARN_CUTS; c++) {
            const struct learn_data *const cut = learn->cut[c];
            if (cut != NULL && learn_data_shares_words(cut, learn->view->moment->data) &&
                bytes_equal(learn_data_request_of(cut)->text, edit->text)) {
                edit->cut = cut;
            }
        }
    }
}

void learn_drop_cuts(struct app_learn *learn)
{
    for (size_t c = 0; c < APP_LEARN_CUTS; c++) {
        learn_data_release(learn->cut[c]);
        learn->cut[c] = NULL;
    }
}
