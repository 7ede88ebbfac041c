/* Where pictures are kept, and what they are called. */
#include "app/export/export.h"

#include <stdio.h>
#include <string.h>

#include "app/document/user_dirs.h"

void app_export_folder(char *path, size_t size)
{
    app_user_dir("PICTURES", "Pictures", path, size);
}

/* Appends word as letters and digits that every file system takes; others become one hyphen. */
static void append_word(char *name, size_t size, const char *word)
{
    size_t length = strlen(name);
    for (; *word && length + 2 < size; word++) {
        unsigned char letter = (unsigned char)*word;
        bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                     (letter >= '0' && letter <= '9');
        if (plain) {
            name[length++] = (char)letter;
        } else if (length > 0 && name[length - 1] != '-') {
            name[length++] = '-';
        }
    }
    while (length > 0 && name[length - 1] == '-') {
        length--;
    }
    name[length] = '\0';
}

static void append_hyphen(char *name, size_t size)
{
    const size_t length = strlen(name);
    if (length + 1 < size) {
        memcpy(name + length, "-", 2);
    }
}

void app_export_name(const struct app_state *state, char *name, size_t size)
{
    const struct lab_experiment *experiment = &state->document.experiment;
    size_t room = size > 24 ? size - 24 : size; /* the stage's name and a number follow */
    snprintf(name, size, "attnscope-");
    if (experiment->lesson[0] != '\0') {
        append_word(name, room, experiment->lesson);
    } else {
        size_t count = lab_words_count(experiment->tokens);
        for (size_t i = 0; i < count; i++) {
            append_word(name, room, lab_words_list(experiment->tokens)[i]);
            append_hyphen(name, room);
        }
    }
    append_word(name, size, ""); /* no hyphen left at the end */
    append_hyphen(name, size);
    append_word(name, size, lab_stage_row(state->view.stage)->name);
}
