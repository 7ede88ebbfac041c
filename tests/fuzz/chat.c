/* tokenizer_config.json: the chat template in it, around a text. */
#include "model/chat.h"

#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "fuzz.h"

bool fuzz_reads(struct bytes file)
{
    static const char *const names[] = {"tokenizer_config.json"};
    static const char text[] = " \n Hi <|im_end|> ";
    char folder[FOLDER_PATH_MAX];
    struct arena arena = {0};
    struct model_chat chat;
    struct bytes out = {NULL, 0};
    folder_make(folder);
    folder_put(folder, names[0], file);
    struct file_handle *const handle = file_handle_open(folder);
    const bool known =
        handle != NULL && model_chat_of_folder(handle, &arena, &chat) && chat.form != NULL;
    file_handle_release(handle);
    if (known) {
        (void)model_chat_apply(&chat, (struct bytes){(const uint8_t *)text, sizeof text - 1},
                               &arena, &out, NULL);
        if (out.size != strlen(chat.before) + strlen(chat.after) + sizeof text - 1 &&
            !chat.trimmed) {
            abort(); /* a message is its text between what stands around it */
        }
    }
    folder_drop(folder, names, 1);
    arena_free(&arena);
    return known;
}
