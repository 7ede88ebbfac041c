/* base/translate.c — see translate.h. */
#include "base/translate.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/translate_table.h"

static const struct language english = {"en", "English", "English", "", NULL, 0, NULL};

/* Threads that make sentences read it while the window changes it. */
static _Atomic(const struct language *) current = &english;

const struct language *language_at(size_t index)
{
    return index == 0                        ? &english
           : index <= translate_table_length ? &translate_table[index - 1]
                                             : NULL;
}

/* How much of a locale's name is its language: "de" of "de_AT.UTF-8". */
static size_t language_length(const char *locale)
{
    return strcspn(locale, "_.@:-");
}

const struct language *language_find(const char *locale)
{
    const size_t whole = strcspn(locale, ".@:");
    if (strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0) {
        return &english;
    }
    for (size_t i = 0; language_at(i) != NULL; i++) {
        const struct language *language = language_at(i);
        if (strlen(language->code) == whole && strncmp(language->code, locale, whole) == 0) {
            return language;
        }
    }
    /* German is German in Austria too; but traditional Chinese is another script. */
    for (size_t i = 0; language_at(i) != NULL && strncmp(locale, "zh_", 3) != 0; i++) {
        const struct language *language = language_at(i);
        const size_t length = language_length(language->code);
        if (length == language_length(locale) && strncmp(language->code, locale, length) == 0) {
            return language;
        }
    }
    return strncmp(locale, "zh_SG", 5) == 0 ? language_find("zh_CN") : NULL;
}

const struct language *language_wished(void)
{
    static const char *const variables[] = {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *locale = getenv(variables[i]);
        if (locale == NULL || locale[0] == '\0') {
            continue;
        }
        const struct language *language = language_find(locale);
        if (language != NULL ||
            i > 0) { /* LANGUAGE only prefers; of the others the first decides */
            return language != NULL ? language : &english;
        }
    }
    return &english;
}

void language_speak(const struct language *language)
{
    atomic_store(&current, language != NULL ? language : &english);
}

const struct language *language_current(void)
{
    return atomic_load(&current);
}

static int compare_message(const void *key, const void *element)
{
    const struct message *message = element;
    return strcmp(key, message->english);
}

static const struct message *find_message(const struct language *language, const char *text)
{
    return language->messages == 0 || text == NULL || text[0] == '\0'
               ? NULL
               : bsearch(text, language->message, language->messages, sizeof *language->message,
                         compare_message);
}

const char *tr(const char *text)
{
    const struct message *message = find_message(language_current(), text);
    return message != NULL ? message->words : text;
}

const char *tr_n(const char *one, const char *many, size_t n)
{
    const struct language *const language = language_current();
    const struct message *const message = find_message(language, one);
    if (message == NULL) {
        return n == 1 ? one : many;
    }
    const unsigned wanted = message->forms > 1 ? language->plural(n) : 0;
    const char *words = message->words;
    for (unsigned form = 0; form < wanted && form + 1 < message->forms; form++) {
        words += strlen(words) + 1;
    }
    return words;
}
