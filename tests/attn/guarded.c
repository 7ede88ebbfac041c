/* tests/attn/guarded.c — matrices between forbidden pages. */
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { CANARY = 0xa7, WATCHED = 2048 /* bytes looked at on each side */ };

uint64_t dice_next(struct dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

size_t dice_below(struct dice *dice, size_t sides)
{
    return (size_t)(dice_next(dice) % sides);
}

float dice_unit(struct dice *dice)
{
    return (float)(dice_next(dice) >> 40) * 0x1p-23F - 1;
}

#ifdef _WIN32

static size_t page_bytes(void)
{
    SYSTEM_INFO facts;
    GetSystemInfo(&facts);
    return facts.dwPageSize;
}

static void *take_pages(size_t bytes)
{
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

static bool forbid(void *page, size_t bytes)
{
    DWORD former = 0;
    return VirtualProtect(page, bytes, PAGE_NOACCESS, &former) != 0;
}

static void give_pages(void *pages, size_t bytes)
{
    (void)bytes;
    (void)VirtualFree(pages, 0, MEM_RELEASE);
}

#else

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void *take_pages(size_t bytes)
{
    void *pages = NULL;
    return posix_memalign(&pages, page_bytes(), bytes) == 0 ? pages : NULL;
}

static bool forbid(void *page, size_t bytes)
{
    return mprotect(page, bytes, PROT_NONE) == 0;
}

static void give_pages(void *pages, size_t bytes)
{
    if (mprotect(pages, bytes, PROT_READ | PROT_WRITE) == 0) {
        free(pages);
    }
}

#endif

struct slot slot_open(size_t pages)
{
    const size_t page = page_bytes();
    unsigned char *const memory = take_pages((pages + 2) * page);
    if (memory == NULL) {
        fprintf(stderr, "There is no memory for the guarded slots.\n");
        exit(1);
    }
    unsigned char *inside = memory + page;
    if (!forbid(memory, page) || !forbid(inside + pages * page, page)) {
        fprintf(stderr, "The guard pages cannot be protected.\n");
        exit(1);
    }
    return (struct slot){inside, pages * page};
}

void slot_close(struct slot slot)
{
    const size_t page = page_bytes();
    give_pages(slot.memory - page, slot.bytes + 2 * page);
}

static size_t extent(const struct guarded *matrix)
{
    if (matrix->rows == 0 || matrix->cols == 0) {
        return 0;
    }
    return (matrix->rows - 1) * matrix->stride + matrix->cols;
}

/* The matrix' bytes, start … behind, and as much round them as the slot has, up to WATCHED. */
struct watched {
    unsigned char *from, *start, *behind, *end;
};

static struct watched watched_of(const struct guarded *matrix)
{
    unsigned char *start = (unsigned char *)matrix->values;
    unsigned char *behind = start + extent(matrix) * sizeof(float);
    const size_t before = (size_t)(start - matrix->slot.memory);
    const size_t after = (size_t)(matrix->slot.memory + matrix->slot.bytes - behind);
    return (struct watched){
        .from = start - (before < WATCHED ? before : WATCHED),
        .start = start,
        .behind = behind,
        .end = behind + (after < WATCHED ? after : WATCHED),
    };
}

struct guarded guarded_place(struct slot slot, size_t rows, size_t cols, struct dice *dice)
{
    struct guarded matrix = {.slot = slot, .rows = rows, .cols = cols};
    matrix.stride = cols + (dice_below(dice, 2) == 0 ? 0 : dice_below(dice, 20));
    const size_t bytes = extent(&matrix) * sizeof(float);
    if (bytes + WATCHED > slot.bytes) {
        fprintf(stderr, "A matrix of %zu x %zu does not fit its slot.\n", rows, cols);
        exit(1);
    }
    const bool at_end = dice_below(dice, 2) == 0;
    const size_t inset = dice_below(dice, 3) == 0 ? 4 * dice_below(dice, 16) : 0;
    unsigned char *start = at_end ? slot.memory + slot.bytes - bytes - inset : slot.memory + inset;
    matrix.values = (float *)(void *)start;

    const struct watched watched = watched_of(&matrix);
    memset(watched.from, CANARY, (size_t)(watched.end - watched.from));
    for (size_t i = 0; cols > 0 && i < rows; i++) {
        memset(matrix.values + i * matrix.stride, 0, cols * sizeof(float));
    }
    return matrix;
}

static const unsigned char *first_change(const unsigned char *from, const unsigned char *end)
{
    while (from < end && *from == CANARY) {
        from++;
    }
    return from < end ? from : NULL;
}

const unsigned char *guarded_damage(const struct guarded *matrix)
{
    const struct watched watched = watched_of(matrix);
    const unsigned char *damage = first_change(watched.from, watched.start);
    if (damage == NULL) {
        damage = first_change(watched.behind, watched.end);
    }
    for (size_t i = 0; damage == NULL && matrix->cols > 0 && i + 1 < matrix->rows; i++) {
        const float *row = matrix->values + i * matrix->stride;
        damage = first_change((const unsigned char *)(row + matrix->cols),
                              (const unsigned char *)(row + matrix->stride));
    }
    return damage;
}

struct attn_matrix guarded_matrix(const struct guarded *matrix)
{
    return (struct attn_matrix){matrix->values, matrix->rows, matrix->cols, matrix->stride};
}

struct attn_operand guarded_operand(const struct guarded *matrix)
{
    return (struct attn_operand){matrix->values, matrix->rows, matrix->cols, matrix->stride};
}
