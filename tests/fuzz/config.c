#include "../opened.h"
#include "folder.h"
#include "fuzz.h"
#include "model/model.h"

bool fuzz_reads(struct bytes file)
{
    static const char *const names[] = {"config.json"};
    char path[FOLDER_PATH_MAX];
    struct model_config config;
    struct error error = {0};
    folder_make(path);
    folder_put(path, names[0], file);
    const bool read = read_config(path, &config, &error);
    folder_drop(path, names, 1);
    return read;
}
