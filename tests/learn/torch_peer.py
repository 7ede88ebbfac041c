"""Steps of training by PyTorch, on one thread, for the benchmark beside it.

Reads lines "layers heads d_model inner context batch vocabulary times" and answers each with the seconds of
processor time that one step took: a batch forward and backward, and AdamW. The layers are torch.nn's own, called
one after the other. Ends at once where there is no PyTorch.
"""
import sys
import time

try:
    import torch
    import torch.nn.functional as functional
    from torch import nn
except ImportError:
    sys.exit(77)

torch.set_num_threads(1)


class Block(nn.Module):
    def __init__(self, heads, d_model, inner):
        super().__init__()
        self.heads = heads
        self.ln_1, self.c_attn = nn.LayerNorm(d_model), nn.Linear(d_model, 3 * d_model)
        self.c_proj = nn.Linear(d_model, d_model)
        self.mlp = None
        if inner > 0:
            self.ln_2, self.c_fc, self.mlp = nn.LayerNorm(d_model), nn.Linear(d_model, inner), nn.Linear(inner, d_model)

    def forward(self, x):
        batch, context, d_model = x.shape
        q, k, v = (part.view(batch, context, self.heads, d_model // self.heads).transpose(1, 2)
                   for part in self.c_attn(self.ln_1(x)).split(d_model, 2))
        z = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.c_proj(z.transpose(1, 2).reshape(batch, context, d_model))
        if self.mlp is not None:
            x = x + self.mlp(functional.gelu(self.c_fc(self.ln_2(x)), approximate="tanh"))
        return x


class Network(nn.Module):
    def __init__(self, layers, heads, d_model, inner, context, vocabulary):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, d_model), nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList(Block(heads, d_model, inner) for _ in range(layers))
        self.ln_f = nn.LayerNorm(d_model)

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe.weight[:tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return functional.linear(self.ln_f(x), self.wte.weight)


def workload(layers, heads, d_model, inner, context, batch, vocabulary):
    """A function that makes one step."""
    network = Network(layers, heads, d_model, inner, context, vocabulary)
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3, betas=(0.9, 0.98), weight_decay=0.01)
    tokens = torch.randint(vocabulary, (batch, context))
    targets = torch.randint(vocabulary, (batch * context,))

    def step():
        loss = functional.cross_entropy(network(tokens).view(-1, vocabulary), targets)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()

    return step


def main():
    asked, run = None, None
    print("ready", torch.__version__, flush=True)
    for line in sys.stdin:
        *sizes, times = (int(word) for word in line.split())
        if sizes != asked:
            asked, run = sizes, workload(*sizes)
            for _ in range(3):
                run()
        start = time.process_time()
        for _ in range(times):
            run()
        print((time.process_time() - start) / times, flush=True)


main()
