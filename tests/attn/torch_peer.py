"""The workloads of attn/measure.h by PyTorch, on one thread, for the benchmark beside it.

Reads lines "n d_model heads d_k causal kept times" and answers each with the seconds of processor
time that one run took. Ends at once where there is no PyTorch.
"""
import math
import sys
import time

try:
    import torch
    import torch.nn.functional as functional
except ImportError:
    sys.exit(77)

torch.set_num_threads(1)
torch.set_grad_enabled(False)


def projections(n, d_model, heads, d_k):
    """X, the weights of Q, K and V side by side, and W_O; the shapes of a layer of GPT-2."""
    width = heads * d_k
    scale = 1 / math.sqrt(d_model)
    return (torch.randn(n, d_model), torch.randn(d_model, 3 * width) * scale,
            torch.randn(width, d_model) / math.sqrt(width))


def attend(q, k, v, factor, hidden, causal, kept):
    """One attention; its weights are made where they are kept, else never."""
    if not kept:
        return functional.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=factor)
    scores = torch.matmul(q, k.transpose(1, 2)).mul_(factor)
    if causal:
        scores.add_(hidden)
    return torch.matmul(torch.softmax(scores, -1), v)


def workload(n, d_model, heads, d_k, causal, kept):
    """A function that computes the workload once."""
    factor = 1 / math.sqrt(d_k)
    hidden = torch.full((n, n), -math.inf).triu(1) if causal and kept else None
    if d_model == 0:
        shape = (heads, n, d_k) if kept else (1, heads, n, d_k)
        q, k, v = (torch.randn(shape) for _ in range(3))
        return lambda: attend(q, k, v, factor, hidden, causal, kept)
    x, w_qkv, w_o = projections(n, d_model, heads, d_k)

    def layer():
        qkv = torch.mm(x, w_qkv).view(n, 3, heads, d_k).permute(1, 2, 0, 3)
        z = attend(qkv[0], qkv[1], qkv[2], factor, hidden, causal, kept)
        return torch.mm(z.transpose(0, 1).reshape(n, heads * d_k), w_o)

    return layer


def main():
    asked, run = None, None
    print("ready", torch.backends.cpu.get_cpu_capability(), torch.__version__, flush=True)
    for line in sys.stdin:
        *sizes, times = (int(word) for word in line.split())
        if sizes != asked:
            n, d_model, heads, d_k, causal, kept = sizes
            asked, run = sizes, workload(n, d_model, heads, d_k, causal != 0, kept != 0)
            run()
        start = time.process_time()
        for _ in range(times):
            run()
        print((time.process_time() - start) / times, flush=True)


main()
