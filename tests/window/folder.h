/* tests/window/folder.h — a test's own folder, emptied. */
#ifndef TESTS_WINDOW_FOLDER_H
#define TESTS_WINDOW_FOLDER_H

/* Takes away everything inside, folders too; the folder itself stays. */
void folder_empty(const char *path);

#endif
