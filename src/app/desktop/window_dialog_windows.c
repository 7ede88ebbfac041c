/* The dialog of Windows for files, on a thread beside the window's, in front of the window. */
#include "app/desktop/window_internal.h"
#include "base/system/file.h"
#include "base/system/wide_windows.h"
#include "file/kinds.h"

#include <stdint.h>
#include <string.h>
#include <windows.h>

#include <commdlg.h>

enum { FILTER_BYTES = 512, LOOK_MILLISECONDS = 100 };

bool window_dialog_is_there(void)
{
    return true;
}

/* Looks now and then whether nobody waits any more: then it is as if a person had cancelled it. */
static UINT_PTR CALLBACK watch_dialog(HWND inside, UINT message, WPARAM word, LPARAM value)
{
    (void)word;
    if (message == WM_INITDIALOG) {
        const OPENFILENAMEW *const order = (const OPENFILENAMEW *)value;
        (void)SetWindowLongPtrW(inside, GWLP_USERDATA, (LONG_PTR)order->lCustData);
        (void)SetTimer(inside, 1, LOOK_MILLISECONDS, NULL);
    } else if (message == WM_TIMER) {
        struct window_dialog *const dialog =
            (struct window_dialog *)GetWindowLongPtrW(inside, GWLP_USERDATA);
        if (dialog != NULL && SDL_AtomicGet(&dialog->cancelled) != 0) {
            (void)PostMessageW(GetParent(inside), WM_COMMAND, IDCANCEL, 0);
        }
    }
    return 0;
}

/* Writes pairs of a name and its patterns, each with a 0 behind it: what can be opened and
 * "*.json;*.png", then "All files" and "*.*". One more 0 ends the list. */
static bool make_filter(wchar_t filter[SYSTEM_PATH_MAX])
{
    char text[FILTER_BYTES], suffix[FILE_SUFFIX_MAX];
    size_t length = (size_t)SDL_snprintf(text, sizeof text, WINDOW_CHOICE_FILTER "|");
    for (size_t s = 0; length < sizeof text && file_kind_suffix_at(s, suffix); s++) {
        length += (size_t)SDL_snprintf(text + length, sizeof text - length, "%s*.%s",
                                       s > 0 ? ";" : "", suffix);
    }
    if (length >= sizeof text ||
        length + (size_t)SDL_snprintf(text + length, sizeof text - length, "|All files|*.*|") >=
            sizeof text ||
        !system_wide(text, filter)) {
        return false;
    }
    const size_t letters = wcslen(filter);
    for (size_t i = 0; i < letters; i++) {
        filter[i] = filter[i] == L'|' ? L'\0' : filter[i];
    }
    return true;
}

/* The window that a person works in, where it is one of this program's. */
static HWND window_in_front(void)
{
    DWORD process = 0;
    const HWND front = GetForegroundWindow();
    (void)GetWindowThreadProcessId(front, &process);
    return process == GetCurrentProcessId() ? front : NULL;
}

enum window_portal_answer window_dialog_choose(struct window_dialog *dialog,
                                               char path[WINDOW_DIALOG_PATH_BYTES])
{
    wchar_t filter[SYSTEM_PATH_MAX] = L"", title[SYSTEM_PATH_MAX], chosen[SYSTEM_PATH_MAX] = L"";
    if (!make_filter(filter) || !system_wide(WINDOW_CHOICE_TITLE, title)) {
        return WINDOW_PORTAL_NONE;
    }
    OPENFILENAMEW order = {
        .lStructSize = sizeof order,
        .hwndOwner = window_in_front(),
        .lpstrFilter = filter,
        .lpstrFile = chosen,
        .nMaxFile = SYSTEM_PATH_MAX,
        .lpstrTitle = title,
        .Flags = OFN_EXPLORER | OFN_ENABLEHOOK | OFN_ENABLESIZING | OFN_FILEMUSTEXIST |
                 OFN_HIDEREADONLY | OFN_NOCHANGEDIR,
        .lCustData = (LPARAM)dialog,
        .lpfnHook = watch_dialog,
    };
    if (GetOpenFileNameW(&order)) {
        return system_narrow_path(chosen, path, WINDOW_DIALOG_PATH_BYTES) ? WINDOW_PORTAL_CHOSEN
                                                                          : WINDOW_PORTAL_NONE;
    }
    return CommDlgExtendedError() == 0 ? WINDOW_PORTAL_CANCELLED : WINDOW_PORTAL_NONE;
}

void window_dialog_cancel(struct window_dialog *dialog)
{
    SDL_AtomicSet(&dialog->cancelled, 1);
}

void window_dialog_close(struct window_dialog *dialog)
{
    (void)dialog;
}
