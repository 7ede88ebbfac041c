#include "fuzz.h"
#include "lab/lesson/lessons.h"

/* A session that was read can be written, and read again. */
static void write_again(const struct lab_lesson *lesson, struct arena *arena)
{
    struct bytes text = {0};
    struct error error = {0};
    struct lab_lesson again = {0};
    if (lab_lesson_write(lesson, arena, &text, &error) &&
        lab_lesson_parse(text, arena, &again, &error)) {
        lab_lesson_release(&again);
    }
}

bool fuzz_reads(struct bytes file)
{
    struct arena arena = {0};
    struct lab_lesson lesson = {0};
    struct error error = {0};
    const bool read = lab_lesson_parse(file, &arena, &lesson, &error);
    if (read) {
        write_again(&lesson, &arena);
        lab_lesson_release(&lesson);
    }
    arena_free(&arena);
    return read;
}
