/* page/page_internal.h — what the files of the room share. */
#ifndef PAGE_PAGE_INTERNAL_H
#define PAGE_PAGE_INTERNAL_H

#include "page/page.h"

/* Returns the text without what could turn or break the line around it: such characters are U+FFFD,
 * a line break is a space. The arena owns it; "" without memory. */
const char *page_plain_text(struct arena *arena, const char *text);

/* Makes the JSON that the script reads: steps, experiments, their numbers in base64, and the texts
 * of the page. It may stand inside of a script element. The arena owns it. */
bool page_numbers(const struct page *page, struct arena *arena, struct bytes *json,
                  struct error *error);

#endif
