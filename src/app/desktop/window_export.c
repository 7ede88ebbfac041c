/* window_export.c — pictures on the clipboard. */
#include "app/desktop/window_parts.h"

#include "app/desktop/clipboard_owner.h"
#include "base/translate.h"

void window_export_copy(struct app_state *state, const struct app_request *request, double time)
{
    if (app_clipboard_owner_take(request->copy_picture, request->copy_type)) {
        app_state_show_message(state, time, "Picture copied");
    } else if (request->copy_text != NULL) {
        app_state_show_message(state, time,
                               SDL_SetClipboardText(request->copy_text) == 0
                                   ? tr("Picture copied, as text")
                                   : tr("This desktop takes no pictures: save it."));
    } else {
        app_state_show_message(
            state, time,
            "This desktop takes no pictures without wl-copy or xclip: save it, or copy "
            "it as SVG.");
    }
}
