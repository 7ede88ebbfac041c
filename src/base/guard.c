#include "base/guard.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAPS_MAX = 512 };

static struct {
    atomic_uintptr_t from, end; /* end 0: the place is free */
} maps[MAPS_MAX];

static int zeros = -1; /* /dev/zero */
static uintptr_t page;

static bool is_guarded(uintptr_t at)
{
    for (size_t m = 0; m < MAPS_MAX; m++) {
        if (at >= atomic_load(&maps[m].from) && at < atomic_load(&maps[m].end)) {
            return true;
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

/* Each time anew: others may have put an ear of their own there. */
static void listen_again(void)
{
    struct sigaction action = {.sa_sigaction = fill_page, .sa_flags = SA_SIGINFO};
    (void)sigemptyset(&action.sa_mask);
    if (zeros >= 0) {
        (void)sigaction(SIGBUS, &action, NULL);
    }
}

void guard_add(struct bytes map)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, find_zeros);
    listen_again();
    const uintptr_t from = (uintptr_t)map.at;
    for (size_t m = 0; map.size > 0 && m < MAPS_MAX; m++) {
        uintptr_t none = 0;
        if (atomic_compare_exchange_strong(&maps[m].end, &none, from)) { /* empty, but taken */
            atomic_store(&maps[m].from, from);
            atomic_store(&maps[m].end, from + map.size);
            return;
        }
    }
}

void guard_remove(struct bytes map)
{
    for (size_t m = 0; map.size > 0 && m < MAPS_MAX; m++) {
        if (atomic_load(&maps[m].end) == (uintptr_t)map.at + map.size &&
            atomic_load(&maps[m].from) == (uintptr_t)map.at) {
            atomic_store(&maps[m].from, 0);
            atomic_store(&maps[m].end, 0);
            return;
        }
    }
}
