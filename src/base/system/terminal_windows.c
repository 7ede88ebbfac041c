/* base/system/terminal_windows.c — the call, and its console. */
#include "base/system/terminal.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

#include <shellapi.h>

#include "base/system/file.h"

static UINT former_code_page;

static void restore_console(void)
{
    (void)SetConsoleOutputCP(former_code_page);
}

/* A word in UTF-8, to be freed; NULL: there is no memory. */
static char *narrow_word(const wchar_t *word)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, word, -1, NULL, 0, NULL, NULL);
    char *const narrow = size > 0 ? malloc((size_t)size) : NULL;
    if (narrow != NULL) {
        (void)WideCharToMultiByte(CP_UTF8, 0, word, -1, narrow, size, NULL, NULL);
    }
    return narrow;
}

static char **narrow_words(wchar_t **wide, int count)
{
    char **const words = calloc((size_t)count + 1, sizeof *words);
    for (int w = 0; words != NULL && w < count; w++) {
        words[w] = narrow_word(wide[w]);
        if (words[w] == NULL) {
            return NULL; /* the program goes on with what C gave it */
        }
    }
    return words;
}

void system_begin(int *count, char ***words)
{
    int number = 0;
    wchar_t **const wide = CommandLineToArgvW(GetCommandLineW(), &number);
    char **const narrow = wide != NULL ? narrow_words(wide, number) : NULL;
    if (narrow != NULL) {
        *count = number;
        *words = narrow;
    }
    (void)LocalFree(wide);
    for (int file = SYSTEM_INPUT; file <= SYSTEM_ERRORS; file++) {
        (void)_setmode(file, _O_BINARY);
    }
    former_code_page = GetConsoleOutputCP();
    if (former_code_page != 0 && former_code_page != CP_UTF8 && SetConsoleOutputCP(CP_UTF8)) {
        (void)atexit(restore_console);
    }
}

bool system_is_terminal(int file)
{
    DWORD mode = 0;
    return GetConsoleMode((HANDLE)_get_osfhandle(file), &mode) != 0;
}
