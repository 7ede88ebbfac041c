/* tests/attn/peer_torch.c — PyTorch at the same work, in a Python of its own: torch_peer.py. */
#include "peer_torch.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
    pid_t process; /* 0: none */
    FILE *asks, *answers;
} own;

static void begin(const char *python, const char *script)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    if (pipe(to) != 0 || pipe(from) != 0) {
        return;
    }
    own.process = fork();
    if (own.process == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        close(from[0]);
        execlp(python, python, script, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    own.asks = fdopen(to[1], "w");
    own.answers = fdopen(from[0], "r");
}

static double time_torch(void *context, const struct measure_task *task, size_t times)
{
    const struct measure_work *const work = task->work;
    char line[64] = "";
    (void)context;
    fprintf(own.asks, "%zu %zu %zu %zu %d %d %zu\n", work->n, work->d_model, work->heads, work->d_k,
            work->causal, work->keep != ATTN_KEEP_OUTPUT, times);
    fflush(own.asks);
    return fgets(line, sizeof line, own.answers) == NULL ? (double)NAN : strtod(line, NULL);
}

bool peer_torch_open(struct measure_peer *peer)
{
    const char *const python = getenv("ATTN_BENCH_PYTHON");
    char line[64] = "";
    signal(SIGPIPE, SIG_IGN);
    begin(python == NULL ? "python3" : python, PEER_TORCH);
    if (own.answers == NULL || fgets(line, sizeof line, own.answers) == NULL) {
        peer_torch_close();
        return false;
    }
    *peer = (struct measure_peer){.name = "PyTorch", .time = time_torch};
    (void)sscanf(line, "ready %31s", peer->kernel);
    return true;
}

void peer_torch_close(void)
{
    if (own.asks != NULL) {
        fclose(own.asks);
        fclose(own.answers);
    }
    if (own.process > 0) {
        waitpid(own.process, NULL, 0);
    }
    own.asks = own.answers = NULL;
    own.process = 0;
}
