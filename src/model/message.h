/* model/message.h — a text as the first message of a chat, in tokens: where those of the template
 * (model/chat.h) stand, and how a text is put between them and taken out again. */
#ifndef MODEL_MESSAGE_H
#define MODEL_MESSAGE_H

#include "model/model.h"

/* Tokens before `first`, and from `end` to `behind`, are the template's. The message is between
 * them, what answers it behind. */
struct model_message {
    size_t first, end, behind;
    bool blank;  /* it has no letters, at most spaces that the template writes */
    bool spaced; /* its first word begins with the space that the template writes before it */
};

/* Where they stand in the ids of a message; of a model without a chat all of it is message. */
struct model_message model_message_find(const struct model *model, const uint32_t *ids,
                                        size_t count);

/* Ids of a text as a message, owned by the arena. False and why. */
bool model_message_encode(const struct model *model, const char *text, struct arena *arena,
                          const uint32_t **ids, size_t *count, struct error *error);

/* Ids of the same text as a message (to_chat), or of the message as a text by itself. */
bool model_message_turn(const struct model *model, bool to_chat, const uint32_t *ids, size_t count,
                        struct arena *arena, const uint32_t **fresh, size_t *fresh_count,
                        struct error *error);

#endif
