/* model/message.c — see message.h. */
#include "model/message.h"

#include <string.h>

/* Ids of a text: whole, bare, or as a message of the model's chat. */
enum way { WHOLE, BARE, MESSAGE };

static bool encode_text(const struct model *model, enum way way, struct bytes text,
                        struct arena *arena, struct tokenizer_output *output, struct error *error)
{
    struct tokenizer_input input = {.text = text, .bare = way != WHOLE};
    if (!model_reads_text(model, error)) {
        return false;
    }
    if (way == MESSAGE) {
        const struct model_chat *const chat = model_chat(model, error);
        if (chat == NULL || !model_chat_apply(chat, text, arena, &input.text, error)) {
            return false;
        }
    }
    return tokenizer_encode_as(model_tokenizer(model), &input, arena, output, error);
}

/* The common beginning and end of two different texts' messages, which are around any text. */
struct around {
    const uint32_t *before, *behind;
    size_t few, many; /* before it, behind it */
};

static struct around around_of(const struct model *model, enum way way, struct arena *arena)
{
    struct tokenizer_output a = {.count = 0}, z = {.count = 0};
    struct around around = {.few = 0};
    if (!encode_text(model, way, (struct bytes){(const uint8_t *)"a", 1}, arena, &a, NULL) ||
        !encode_text(model, way, (struct bytes){(const uint8_t *)"z", 1}, arena, &z, NULL)) {
        return around;
    }
    const size_t shorter = a.count < z.count ? a.count : z.count;
    while (around.few < shorter && a.ids[around.few] == z.ids[around.few]) {
        around.few++;
    }
    while (around.many < shorter - around.few &&
           a.ids[a.count - 1 - around.many] == z.ids[z.count - 1 - around.many]) {
        around.many++;
    }
    around.before = a.ids;
    around.behind = a.ids + (a.count - around.many);
    return around;
}

/* The template ends in a space before the message, and none of its own tokens has it. */
static bool is_spaced(const struct model *model, const struct around *around, struct arena *arena)
{
    const struct model_chat *const chat = model_chat(model, NULL);
    const size_t length = chat == NULL ? 0 : strlen(chat->before);
    struct bytes text = {NULL, 0};
    return length > 0 && chat->before[length - 1] == ' ' && around->few > 0 &&
           tokenizer_decode(model_tokenizer(model), around->before, around->few, arena, &text,
                            NULL) &&
           text.size > 0 && text.at[text.size - 1] != ' ';
}

static bool is_blank(const struct model *model, const uint32_t *ids, size_t count,
                     struct arena *arena)
{
    struct bytes text = {NULL, 0};
    bool blank =
        count == 0 || tokenizer_decode(model_tokenizer(model), ids, count, arena, &text, NULL);
    for (size_t i = 0; blank && i < text.size; i++) {
        blank = text.at[i] == ' ';
    }
    return blank;
}

struct model_message model_message_find(const struct model *model, const uint32_t *ids,
                                        size_t count)
{
    struct arena arena = {0};
    struct model_message message = {0, count, count, false, false};
    const struct around around = around_of(model, MESSAGE, &arena);
    while (message.first < around.few && message.first < count &&
           ids[message.first] == around.before[message.first]) {
        message.first++;
    }
    for (size_t at = message.first; around.many > 0 && at + around.many <= count; at++) {
        if (memcmp(ids + at, around.behind, around.many * sizeof *ids) == 0) {
            message.end = at;
            message.behind = at + around.many;
            break;
        }
    }
    message.blank = is_blank(model, ids + message.first, message.end - message.first, &arena);
    message.spaced = is_spaced(model, &around, &arena);
    arena_free(&arena);
    return message;
}

bool model_message_encode(const struct model *model, const char *text, struct arena *arena,
                          const uint32_t **ids, size_t *count, struct error *error)
{
    struct tokenizer_output output = {.count = 0};
    const struct bytes bytes = {(const uint8_t *)text, strlen(text)};
    const bool done = encode_text(model, MESSAGE, bytes, arena, &output, error);
    *ids = output.ids;
    *count = output.count;
    return done;
}

bool model_message_turn(const struct model *model, bool to_chat, const uint32_t *ids, size_t count,
                        struct arena *arena, const uint32_t **fresh, size_t *fresh_count,
                        struct error *error)
{
    struct tokenizer_output output = {.count = 0};
    struct bytes text = {NULL, 0};
    size_t first = 0, end = count;
    bool spaced = false;
    if (!model_reads_text(model, error) || (to_chat && model_chat(model, error) == NULL)) {
        return false;
    }
    if (to_chat) { /* without the tokens that open and close a text */
        const struct around around = around_of(model, WHOLE, arena);
        const size_t few = around.few, many = around.many;
        first =
            few > 0 && few <= count && memcmp(ids, around.before, few * sizeof *ids) == 0 ? few : 0;
        const bool closes = many > 0 && first + many <= count &&
                            memcmp(ids + count - many, around.behind, many * sizeof *ids) == 0;
        end -= closes ? many : 0;
    } else {
        const struct model_message message = model_message_find(model, ids, count);
        first = message.first;
        end = message.end;
        spaced = message.spaced;
    }
    if (!tokenizer_decode(model_tokenizer(model), ids + first, end - first, arena, &text, error)) {
        return false;
    }
    if (spaced && text.size > 0 && text.at[0] == ' ') { /* which the template wrote */
        text.at++;
        text.size--;
    }
    const bool done = encode_text(model, to_chat ? MESSAGE : WHOLE, text, arena, &output, error);
    *fresh = output.ids;
    *fresh_count = output.count;
    return done;
}
