/* launcher_windows.c — attnscope-window.exe, for a double click: starts the program beside it,
 * which belongs to a console, with the same words and without one, and ends with its status. */
#include <stdbool.h>
#include <stdlib.h>
#include <wchar.h>
#include <windows.h>

enum { WORDS_MAX = 32768 }; /* no command line is longer in Windows */

static int report_error(const wchar_t *text)
{
    (void)MessageBoxW(NULL, text, L"attnscope", MB_ICONERROR);
    return EXIT_FAILURE;
}

/* Finds the arguments behind the program's own name, which are passed on as they are quoted. */
static const wchar_t *find_words(const wchar_t *line)
{
    bool quoted = false;
    while (*line != L'\0' && (quoted || (*line != L' ' && *line != L'\t'))) {
        quoted = quoted != (*line == L'"');
        line++;
    }
    return line;
}

/* False: it is longer than a path can be. */
static bool find_program(wchar_t path[WORDS_MAX])
{
    static const wchar_t name[] = L"attnscope.exe";
    enum { NAME_SIZE = sizeof name / sizeof name[0] };
    const DWORD length = GetModuleFileNameW(NULL, path, WORDS_MAX);
    wchar_t *const slash = length < WORDS_MAX ? wcsrchr(path, L'\\') : NULL;
    if (slash == NULL || slash - path + NAME_SIZE >= WORDS_MAX) {
        return false;
    }
    (void)wcscpy(slash + 1, name);
    return true;
}

/* Waits until the program ends; returns its status. */
static int wait_for(const PROCESS_INFORMATION *program)
{
    DWORD status = EXIT_FAILURE;
    (void)AllowSetForegroundWindow(program->dwProcessId); /* as this one might, had it a window */
    (void)WaitForSingleObject(program->hProcess, INFINITE);
    (void)GetExitCodeProcess(program->hProcess, &status);
    return (int)status;
}

int WINAPI wWinMain(HINSTANCE program, HINSTANCE none, wchar_t *words, int shown)
{
    static wchar_t path[WORDS_MAX], line[WORDS_MAX];
    STARTUPINFOW startup;
    PROCESS_INFORMATION started;
    (void)program, (void)none, (void)words, (void)shown;
    GetStartupInfoW(&startup); /* how a shortcut wants the window shown */
    startup.dwFlags |= STARTF_USESTDHANDLES;
    startup.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    startup.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
    startup.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    if (!find_program(path) ||
        swprintf(line, WORDS_MAX, L"\"%ls\"%ls", path, find_words(GetCommandLineW())) < 0) {
        return report_error(L"The path of this program, or of what it is to open, is too long.");
    }
    if (!CreateProcessW(path, line, NULL, NULL, TRUE, CREATE_NO_WINDOW, NULL, NULL, &startup,
                        &started)) {
        return report_error(
            L"attnscope.exe does not stand beside this program; unpack the whole folder.");
    }
    return wait_for(&started);
}
