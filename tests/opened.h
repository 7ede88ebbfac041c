/* tests/opened.h — what lies at a path, opened by it alone. */
#ifndef TESTS_OPENED_H
#define TESTS_OPENED_H

#include "file/handle.h"
#include "model/model.h"

static inline bool lacks_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory.");
}

static inline struct model *open_model(const char *path, struct error *error)
{
    struct file_handle *const file = file_handle_open(path);
    struct model *const model = file == NULL ? NULL : model_open(file, error);
    (void)(file != NULL || lacks_memory(error));
    file_handle_release(file);
    return model;
}

static inline struct tokenizer *open_tokenizer(const char *path, size_t vocabulary,
                                               struct error *error)
{
    struct file_handle *const folder = file_handle_open(path);
    struct tokenizer *const tokenizer =
        folder == NULL ? NULL : tokenizer_open(folder, vocabulary, error);
    (void)(folder != NULL || lacks_memory(error));
    file_handle_release(folder);
    return tokenizer;
}

static inline bool read_config(const char *path, struct model_config *config, struct error *error)
{
    struct file_handle *const file = file_handle_open(path);
    const bool is_read = file != NULL && model_config_read(file, config, error);
    file_handle_release(file);
    return is_read;
}

#endif
