/* window_export.c — pictures on the clipboard. */
#include "app/window_parts.h"

#include "app/keeper.h"
#include "base/say.h"

void window_export_copy(struct app_state *state, const struct app_request *request, double time)
{
    if (app_keeper_take(request->copy_picture, request->copy_type)) {
        app_state_say(state, time, "Picture copied");
    } else if (request->copy_text != NULL) {
        app_state_say(state, time,
                      SDL_SetClipboardText(request->copy_text) == 0
                          ? say("Picture copied, as text")
                          : say("This desktop takes no pictures: save it."));
    } else {
        app_state_say(state, time,
                      "This desktop takes no pictures without wl-copy or xclip: save it, or copy "
                      "it as SVG.");
    }
}
