/* base/system/locale_windows.c — locales of Windows. */
#include "base/system/locale.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

struct system_plain_locale system_plain_locale_enter(void)
{
    struct system_plain_locale scope = {.per_thread =
                                            _configthreadlocale(_ENABLE_PER_THREAD_LOCALE)};
    const char *const former = setlocale(LC_ALL, NULL);
    scope.former = former != NULL && strcmp(former, "C") != 0 ? _strdup(former) : NULL;
    if (scope.former != NULL) {
        (void)setlocale(LC_ALL, "C");
    }
    return scope;
}

void system_plain_locale_leave(struct system_plain_locale scope)
{
    if (scope.former != NULL) {
        (void)setlocale(LC_ALL, scope.former);
        free(scope.former);
    }
    (void)_configthreadlocale(scope.per_thread);
}
