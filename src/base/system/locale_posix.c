/* base/system/locale_posix.c — locales where the system is POSIX's. */
#include "base/system/locale.h"

#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif
#include <stddef.h>

struct system_plain_locale system_plain_locale_enter(void)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    /* Without a plain locale this changes nothing and returns the former one. */
    return (struct system_plain_locale){.plain = (void *)plain, .former = (void *)uselocale(plain)};
}

void system_plain_locale_leave(struct system_plain_locale scope)
{
    uselocale((locale_t)scope.former);
    if (scope.plain != NULL) {
        freelocale((locale_t)scope.plain);
    }
}
