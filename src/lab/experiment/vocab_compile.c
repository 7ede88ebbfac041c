/* lab/experiment/vocab_compile.c — a tool of the build that reads assets/vocab.txt and writes it as
 * a C table.
 *
 * It is called as: vocab_compile vocab.txt vocab_entries.c
 *
 * A line is a comment (#), empty, or a word and three numbers. Anything else stops the build with
 * the number of the line, so that mistakes in the vocabulary are found early. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 256, WORDS_MAX = 4096, WORD_MAX_BYTES = 64 };

typedef char word_text[WORD_MAX_BYTES];

static int refuse_line(const char *path, size_t line, const char *why)
{
    fprintf(stderr, "%s:%zu: %s\n", path, line, why);
    return EXIT_FAILURE;
}

static int is_known(word_text *words, size_t count, const char *word)
{
    for (size_t w = 0; w < count; w++) {
        if (strcmp(words[w], word) == 0) {
            return 1;
        }
    }
    return 0;
}

static int compile_words(const char *path, word_text *words, FILE *in, FILE *out)
{
    char line[LINE_MAX_BYTES];
    size_t count = 0, number = 0;
    fprintf(out, "#include \"lab/experiment/vocab_table.h\"\n\n"
                 "const struct lab_vocab_entry lab_vocab_entries[] = {\n");
    while (fgets(line, sizeof line, in) != NULL) {
        number++;
        char word[WORD_MAX_BYTES], rest[2];
        double x = 0, y = 0, z = 0;
        if (line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#') {
            continue;
        }
        if (strpbrk(line, "\"\\") != NULL ||
            sscanf(line, "%63s %lf %lf %lf %1s", word, &x, &y, &z, rest) != 4) {
            return refuse_line(path, number, "expected a word and three numbers");
        }
        if (count == WORDS_MAX) {
            return refuse_line(path, number, "too many words");
        }
        if (is_known(words, count, word)) {
            return refuse_line(path, number, "this word was placed before");
        }
        if (!(x > -100 && x < 100 && y > -100 && y < 100 && z > -100 && z < 100)) {
            return refuse_line(path, number, "positions lie between -100 and 100");
        }
        strcpy(words[count++], word);
        fprintf(out, "    {\"%s\", {%.9ff, %.9ff, %.9ff}},\n", word, x + 0.0, y + 0.0, z + 0.0);
    }
    fprintf(out, "};\nconst size_t lab_vocab_entry_count = %zu;\n", count);
    return count > 0 ? EXIT_SUCCESS : refuse_line(path, number, "there is no word in this file");
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s vocab.txt table.c\n", argv[0]);
        return EXIT_FAILURE;
    }
    FILE *const in = fopen(argv[1], "r");
    FILE *const out = in == NULL ? NULL : fopen(argv[2], "w");
    if (out == NULL) {
        perror(in == NULL ? argv[1] : argv[2]);
        return EXIT_FAILURE;
    }
    word_text *const words = calloc(WORDS_MAX, sizeof *words);
    const int status = words == NULL ? EXIT_FAILURE : compile_words(argv[1], words, in, out);
    free(words);
    fclose(in);
    return fclose(out) == 0 ? status : EXIT_FAILURE;
}
