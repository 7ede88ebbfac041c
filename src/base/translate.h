/* base/translate.h — the words of the interface in the language that is spoken.
 *
 * Sources are written in English; assets/po has a catalogue for each other language, compiled into
 * the program, so that it stays one file (gettext's own library reads catalogues from folders).
 * Looked up is wherever words are made: arena_format and error_set look up their format, controls
 * their label and tip, and what is drawn otherwise is wrapped in tr(). What is in no catalogue
 * stays as it is; a language that nobody chose is English, so files and the output of the command
 * line are the same everywhere.
 *
 * The language is one for the process, as the C library's locale is: a sentence may be made far
 * from the window that shows it, on a worker's thread too. Its catalogues are constants, so what
 * tr() returns stays valid when the language changes. */
#ifndef BASE_TRANSLATE_H
#define BASE_TRANSLATE_H

#include <stdbool.h>
#include <stddef.h>

struct language {
    const char *code;              /* "de", "zh_CN" */
    const char *name;              /* in itself: "Deutsch" */
    const char *english;           /* in English: "German" */
    const char *fonts;             /* the package with its letters; "": every font has them */
    const struct message *message; /* by the English text, as strcmp has it; NULL: English */
    size_t messages;
    unsigned (*plural)(size_t n); /* which of the forms of a text goes with a number */
};

struct message {
    const char *english, *words; /* words: of a text with a number all its forms, 0 behind each */
    unsigned forms;              /* 1, or as many as the language has */
};

/* The languages one by one, from 0, English first; NULL behind the last. */
const struct language *language_at(size_t index);

/* The language for a code or the name of a locale: "de", "de_AT.UTF-8", "zh_CN". NULL: none. */
const struct language *language_find(const char *locale);

/* The language that LANGUAGE, LC_ALL, LC_MESSAGES and LANG ask for, in this order; English when
 * none of them is known. */
const struct language *language_wished(void);

/* From now on this language is spoken; NULL: English. */
void language_speak(const struct language *language);
const struct language *language_current(void);

/* The text in the language that is spoken; itself where there is no translation, NULL for NULL.
 * Keeps the printf conversions of the English text (the build sees to that). */
const char *tr(const char *english)
#if defined(__GNUC__)
    __attribute__((format_arg(1)))
#endif
    ;

/* The text that goes with a number: English has two forms, other languages have one, two or more
 * (Plural-Forms in the catalogue). Translated by `one`. */
const char *tr_n(const char *one, const char *many, size_t n)
#if defined(__GNUC__)
    __attribute__((format_arg(1), format_arg(2)))
#endif
    ;

#endif
