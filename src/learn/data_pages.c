/* learn/data_pages.c — the tokens of own text. A text of 50 MB has as many letters, and since
 * tokens are numbered as they occur, most of them are among the first 256 kinds. */
#include <stdlib.h>
#include <string.h>

#include "learn/data_internal.h"

enum { PAGE = 1 << 16 /* tokens */, PAGES_FIRST = 16 };

struct page {
    uint8_t *narrow; /* [PAGE]; NULL: `wide` holds the tokens */
    uint16_t *wide;  /* [PAGE]; NULL: `narrow` does */
};

struct learn_pages {
    struct page *page;
    size_t count, room;
};

void learn_pages_free(struct learn_pages *pages)
{
    for (size_t p = 0; pages != NULL && p < pages->count; p++) {
        free(pages->page[p].narrow);
        free(pages->page[p].wide);
    }
    if (pages != NULL) {
        free(pages->page);
        free(pages);
    }
}

void learn_pages_empty(struct learn_data *data)
{
    if (data->owns_pages) {
        learn_pages_free(data->pages);
    }
    data->pages = NULL;
    data->owns_pages = false;
    data->stream_count = 0;
}

static bool add_page(struct learn_data *data)
{
    if (data->pages == NULL) {
        data->pages = calloc(1, sizeof *data->pages);
        data->owns_pages = data->pages != NULL;
    }
    struct learn_pages *const pages = data->pages;
    if (pages != NULL && pages->count == pages->room) {
        const size_t room = pages->room == 0 ? PAGES_FIRST : 2 * pages->room;
        struct page *const more = realloc(pages->page, room * sizeof *more);
        if (more == NULL) {
            return false;
        }
        pages->page = more;
        pages->room = room;
    }
    uint8_t *const narrow = pages == NULL ? NULL : malloc(PAGE);
    if (narrow != NULL) {
        pages->page[pages->count++] = (struct page){.narrow = narrow};
    }
    return narrow != NULL;
}

static bool widen_page(struct page *page, size_t count)
{
    uint16_t *const wide = malloc(PAGE * sizeof *wide);
    for (size_t t = 0; wide != NULL && t < count; t++) {
        wide[t] = page->narrow[t];
    }
    if (wide != NULL) {
        free(page->narrow);
        *page = (struct page){.wide = wide};
    }
    return wide != NULL;
}

bool learn_pages_add(struct learn_data *data, size_t token, struct error *error)
{
    const size_t place = data->stream_count % PAGE;
    if (place == 0 && !add_page(data)) {
        return learn_no_memory(error);
    }
    struct page *const page = &data->pages->page[data->pages->count - 1];
    if (token > UINT8_MAX && page->wide == NULL && !widen_page(page, place)) {
        return learn_no_memory(error);
    }
    if (page->wide != NULL) {
        page->wide[place] = (uint16_t)token;
    } else {
        page->narrow[place] = (uint8_t)token;
    }
    data->stream_count++;
    return true;
}

void learn_pages_read(const struct learn_data *data, size_t from, size_t count, int32_t *out)
{
    for (size_t t = from; t < from + count; t++) {
        const struct page *const page = &data->pages->page[t / PAGE];
        *out++ = page->wide != NULL ? page->wide[t % PAGE] : page->narrow[t % PAGE];
    }
}
