/* base/system/map_posix.c — maps whose missing bytes are 0: where they lie, and how SIGBUS is
 * handled. No other file handles SIGBUS; all threads share one list of maps. */
#include "base/system/map.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/system/thread.h"

enum { BLOCK_MAPS = 512 };

/* Places for maps. Where all are taken another block follows; blocks stay until the program ends,
 * so that a fault may walk through them at any time. */
struct block {
    struct {
        atomic_uintptr_t from, end; /* end 0: the place is free */
    } map[BLOCK_MAPS];
    _Atomic(struct block *) next;
};

static struct block first;

static int zeros = -1; /* /dev/zero */
static uintptr_t page;

static bool is_guarded(uintptr_t at)
{
    for (struct block *block = &first; block != NULL; block = atomic_load(&block->next)) {
        for (size_t m = 0; m < BLOCK_MAPS; m++) {
            if (at >= atomic_load(&block->map[m].from) && at < atomic_load(&block->map[m].end)) {
                return true;
            }
        }
    }
    return false;
}

/* A page of zeros where the file's is gone, and the reader goes on. Anything else ends the program
 * as it would without this. */
static void fill_page(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    const uintptr_t at = (uintptr_t)info->si_addr;
    void *const gone = (void *)(at - at % page);
    if (!is_guarded(at) ||
        mmap(gone, page, PROT_READ, MAP_PRIVATE | MAP_FIXED, zeros, 0) == MAP_FAILED) {
        (void)signal(signal_number, SIG_DFL);
    }
}

static void find_zeros(void)
{
    page = (uintptr_t)sysconf(_SC_PAGESIZE);
    zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
}

/* Sets the handler again for each map, because other code may have set one of its own. */
static void set_handler(void)
{
    struct sigaction action = {.sa_sigaction = fill_page, .sa_flags = SA_SIGINFO};
    (void)sigemptyset(&action.sa_mask);
    if (zeros >= 0) {
        (void)sigaction(SIGBUS, &action, NULL);
    }
}

static bool claim_place(struct block *block, uintptr_t from, uintptr_t end)
{
    for (size_t m = 0; m < BLOCK_MAPS; m++) {
        uintptr_t none = 0;
        if (atomic_compare_exchange_strong(&block->map[m].end, &none,
                                           from)) { /* empty, but taken */
            atomic_store(&block->map[m].from, from);
            atomic_store(&block->map[m].end, end);
            return true;
        }
    }
    return false;
}

/* The block behind this one; NULL: there is no memory for one. */
static struct block *next_block(struct block *block)
{
    struct block *none = NULL;
    struct block *const fresh = atomic_load(&block->next) == NULL ? calloc(1, sizeof *fresh) : NULL;
    if (fresh != NULL && !atomic_compare_exchange_strong(&block->next, &none, fresh)) {
        free(fresh); /* another thread was faster */
    }
    return atomic_load(&block->next);
}

static void guard_range(uintptr_t from, size_t size)
{
    static struct system_once once;
    system_once(&once, find_zeros);
    set_handler();
    struct block *block = &first;
    while (block != NULL && !claim_place(block, from, from + size)) {
        block = next_block(block);
    }
}

static void forget_range(uintptr_t from, size_t size)
{
    for (struct block *block = &first; block != NULL; block = atomic_load(&block->next)) {
        for (size_t m = 0; m < BLOCK_MAPS; m++) {
            if (atomic_load(&block->map[m].end) == from + size &&
                atomic_load(&block->map[m].from) == from) {
                atomic_store(&block->map[m].from, 0);
                atomic_store(&block->map[m].end, 0);
                return;
            }
        }
    }
}

const void *system_map(int file, size_t size)
{
    void *const map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED) {
        return NULL;
    }
    guard_range((uintptr_t)map, size);
    return map;
}

void system_unmap(const void *map, size_t size)
{
    forget_range((uintptr_t)map, size);
    (void)munmap((void *)(uintptr_t)map, size);
}
