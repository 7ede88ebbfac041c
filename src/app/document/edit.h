/* app/document/edit.h — numbers typed over: the actions of a field, a drag, a dot. */
#ifndef APP_DOCUMENT_EDIT_H
#define APP_DOCUMENT_EDIT_H

#include "app/document/state.h"

/* Applies one of these, and returns whether anything became another. */
bool app_edit_apply(struct app_state *state, const struct view_action *action, double time);

#endif
