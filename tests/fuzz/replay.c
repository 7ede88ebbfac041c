/* replay TARGET CORPUS — feeds a target with its files: accept/TARGET-… must be taken, refuse/…
 * must not, either/… may be both; then each of them cut everywhere, and with bytes changed by
 * chance (the same on every machine). Bytes stand at the end of their block, so that checkers see a
 * step too far. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../rounds.h"
#include "fuzz.h"

enum { FILE_BYTES_MAX = 1 << 20, CUTS = 200, CHANGES = 200 };

static bool feed(struct bytes file, size_t size)
{
    uint8_t *const copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) {
        abort();
    }
    if (size > 0) {
        memcpy(copy, file.at, size);
    }
    const bool taken = fuzz_reads((struct bytes){copy, size});
    free(copy);
    return taken;
}

static void damage(uint8_t *at, size_t size, uint64_t *seed)
{
    for (int i = 0; size > 0 && i < 3; i++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        const uint8_t changes[] = {(uint8_t)(*seed >> 56), 0, 0xff, '0', '"', ' '};
        at[(*seed >> 33) % size] = changes[(*seed >> 20) % sizeof changes];
    }
}

static void feed_neighbours(struct bytes file)
{
    const size_t step = file.size / test_rounds(CUTS) + 1;
    uint64_t seed = file.size;
    for (size_t size = 0; size < file.size; size += step) {
        (void)feed(file, size);
    }
    const size_t changes = test_rounds(CHANGES);
    for (size_t i = 0; i < changes; i++) {
        uint8_t *const copy = malloc(file.size + 1);
        if (copy == NULL) {
            abort();
        }
        memcpy(copy, file.at, file.size);
        damage(copy, file.size, &seed);
        (void)feed((struct bytes){copy, file.size}, file.size);
        free(copy);
    }
}

/* Says whether the file was taken as its folder says. */
static bool replay(const char *folder, const char *kind, const char *name)
{
    static uint8_t content[FILE_BYTES_MAX];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s", folder, kind, name);
    FILE *const in = fopen(path, "rb");
    if (in == NULL) {
        return false;
    }
    const struct bytes file = {content, fread(content, 1, sizeof content, in)};
    fclose(in);
    const bool taken = feed(file, file.size);
    const bool right = strcmp(kind, "either") == 0 || taken == (strcmp(kind, "accept") == 0);
    if (!right) {
        fprintf(stderr, "%s was %s.\n", path, taken ? "taken" : "refused");
    }
    feed_neighbours(file);
    return right;
}

int main(int count, char **words)
{
    static const char *const kinds[] = {"accept", "refuse", "either"};
    int wrong = 0, files = 0;
    for (size_t i = 0; count == 3 && i < sizeof kinds / sizeof *kinds; i++) {
        char path[4096];
        const struct dirent *entry = NULL;
        snprintf(path, sizeof path, "%s/%s", words[2], kinds[i]);
        DIR *const names = opendir(path);
        while (names != NULL && (entry = readdir(names)) != NULL) {
            const size_t length = strlen(words[1]);
            if (strncmp(entry->d_name, words[1], length) == 0 && entry->d_name[length] == '-') {
                files++;
                wrong += replay(words[2], kinds[i], entry->d_name) ? 0 : 1;
            }
        }
        if (names != NULL) {
            closedir(names);
        }
    }
    printf("%s: %d files, %d wrong\n", count == 3 ? words[1] : "nothing", files, wrong);
    return files > 0 && wrong == 0 ? 0 : 1;
}
