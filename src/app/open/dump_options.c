/* Counts references to what is meant by the arrays of a file, with its texts in one piece. */
#include "app/open/dump_options.h"

#include <stdlib.h>
#include <string.h>

enum { TEXTS = 7 };

const struct app_dump_options *app_dump_options_new(const struct lab_dump_request *request,
                                                    enum app_dump_doubt doubt)
{
    struct lab_dump_request own = {.reading = request->reading,
                                   .sight = request->sight,
                                   .batch = request->batch,
                                   .counted = request->counted};
    const char **const to[TEXTS] = {&own.array, &own.keys,   &own.inside, &own.axes,
                                    &own.words, &own.tokens, &own.context};
    const char *const from[TEXTS] = {request->array,  request->keys,  request->inside,
                                     request->axes,   request->words, request->tokens,
                                     request->context};
    size_t size = 1;
    for (size_t t = 0; t < TEXTS; t++) {
        size += from[t] == NULL ? 0 : strlen(from[t]) + 1;
    }
    struct app_dump_options *const options = malloc(sizeof *options + size);
    if (options == NULL) {
        return NULL;
    }
    char *end = options->texts;
    *end = '\0';
    for (size_t t = 0; t < TEXTS; t++) {
        const size_t length = from[t] == NULL ? 0 : strlen(from[t]);
        *to[t] = length == 0 ? options->texts + size - 1 : memcpy(end, from[t], length + 1);
        end += length == 0 ? 0 : length + 1;
    }
    options->texts[size - 1] = '\0';
    value_begin(&options->value, sizeof *options + size, NULL);
    options->request = own;
    options->doubt = doubt;
    return options;
}
