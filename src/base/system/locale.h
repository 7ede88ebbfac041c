/* base/system/locale.h — numbers as C writes them, whatever the person's locale. */
#ifndef BASE_SYSTEM_LOCALE_H
#define BASE_SYSTEM_LOCALE_H

/* This thread in the "C" locale, until it is left: no other thread notices. */
struct system_plain_locale {
    void *plain, *former;
    int per_thread;
};
struct system_plain_locale system_plain_locale_enter(void);
void system_plain_locale_leave(struct system_plain_locale scope);

#endif
