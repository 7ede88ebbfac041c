#include "folder.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 512 };

void folder_empty(const char *path)
{
    DIR *const files = opendir(path);
    const struct dirent *file = NULL;
    while (files != NULL && (file = readdir(files)) != NULL) {
        char inside[PATH_BYTES];
        snprintf(inside, sizeof inside, "%.200s/%.255s", path, file->d_name);
        if (strcmp(file->d_name, ".") != 0 && strcmp(file->d_name, "..") != 0 &&
            unlink(inside) != 0) {
            folder_empty(inside);
            (void)rmdir(inside);
        }
    }
    if (files != NULL) {
        closedir(files);
    }
}
