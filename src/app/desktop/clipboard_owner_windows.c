/* The clipboard of Windows keeps what it is given: no other program has to. Texts of any length
 * come by SDL. */
#include "app/desktop/clipboard_owner.h"

#include <string.h>
#include <windows.h>

/* The names under which other programs look for them. */
static const struct {
    const char *type;
    const wchar_t *format;
} formats[] = {{"image/png", L"PNG"}, {"image/svg+xml", L"image/svg+xml"}};

/* Memory that the clipboard may own; NULL: there is none. */
static HGLOBAL copy_for_clipboard(struct bytes content)
{
    const HGLOBAL memory = GlobalAlloc(GMEM_MOVEABLE, content.size);
    void *const at = memory != NULL ? GlobalLock(memory) : NULL;
    if (at != NULL) {
        memcpy(at, content.at, content.size);
        (void)GlobalUnlock(memory);
    }
    return memory;
}

static bool set_clipboard(UINT format, struct bytes content)
{
    const HGLOBAL memory = format != 0 ? copy_for_clipboard(content) : NULL;
    if (memory == NULL || !OpenClipboard(GetActiveWindow())) {
        (void)GlobalFree(memory);
        return false;
    }
    const bool taken = EmptyClipboard() && SetClipboardData(format, memory) != NULL;
    if (!taken) {
        (void)GlobalFree(memory);
    }
    (void)CloseClipboard();
    return taken;
}

bool app_clipboard_owner_take(struct bytes content, const char *type)
{
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        if (strcmp(formats[f].type, type) == 0) {
            return set_clipboard(RegisterClipboardFormatW(formats[f].format), content);
        }
    }
    return false;
}

bool app_clipboard_request_begin(struct app_clipboard_request *request, char *text, size_t max_size)
{
    (void)request;
    (void)max_size;
    text[0] = '\0';
    return false;
}

enum app_clipboard_news app_clipboard_request_look(struct app_clipboard_request *request,
                                                   int milliseconds)
{
    (void)request;
    (void)milliseconds;
    return APP_CLIPBOARD_NOTHING;
}

void app_clipboard_request_drop(struct app_clipboard_request *request)
{
    (void)request;
}
