/* learn/trainer_edits.c — edits in orders and views, with the text that they bring. */
#include <stdlib.h>
#include <string.h>

#include "learn/trainer_internal.h"

bool learn_edit_hold(struct learn_edit *edit)
{
    if (edit->kind != LEARN_EDIT_TEXT) {
        return true;
    }
    if (edit->cut != NULL) {
        edit->cut = learn_data_keep(edit->cut);
        edit->text = learn_data_request_of(edit->cut)->text;
        return true;
    }
    uint8_t *const copy = malloc(edit->text.size + 1);
    if (copy != NULL && edit->text.size > 0) {
        memcpy(copy, edit->text.at, edit->text.size);
    }
    edit->text.at = copy;
    return copy != NULL;
}

void learn_edit_drop(struct learn_edit *edit)
{
    if (edit->kind != LEARN_EDIT_TEXT) {
        return;
    }
    if (edit->cut != NULL) {
        learn_data_release(edit->cut);
    } else {
        free((void *)(uintptr_t)edit->text.at);
    }
    edit->cut = NULL;
    edit->text = (struct bytes){NULL, 0};
}

bool learn_edit_same(const struct learn_edit *a, const struct learn_edit *b)
{
    return a->kind == b->kind && a->step == b->step && a->tensor == b->tensor && a->row == b->row &&
           a->col == b->col && a->layer == b->layer && a->head == b->head && a->seed == b->seed &&
           memcmp(&a->value, &b->value, sizeof a->value) == 0 &&
           (a->kind != LEARN_EDIT_TEXT || bytes_equal(a->text, b->text));
}
