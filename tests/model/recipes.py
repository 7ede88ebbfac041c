#!/usr/bin/env python3
"""What the program prints of models that it does not compute, run as it stands.

    recipes.py PROGRAM    saves a random small model of each kind, runs the lines of Python that PROGRAM
                          prints below its refusal, and opens what they saved

A family that PROGRAM computes by now is passed over. Exits with 77, skipped, where this Python has no
transformers.
"""
import json
import os
import subprocess
import sys
import tempfile
import types

sys.path.pop(0)
try:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import numpy as np
    import torch
    import transformers as t
    from tokenizers import Tokenizer, models, pre_tokenizers
except ImportError as reason:
    print(reason)
    sys.exit(77)

t.logging.set_verbosity_error()
t.logging.disable_progress_bar()

SIDE = dict(vocab_size=20, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=16)
PAIR = dict(vocab_size=20, d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2,
            decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, pad_token_id=0, bos_token_id=1,
            eos_token_id=2, decoder_start_token_id=1)
CONV = dict(conv_dim=(8, 8), conv_stride=(5, 2), conv_kernel=(10, 3), num_feat_extract_layers=2,
            num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=2)


def words(folder):
    vocabulary = {w: i for i, w in enumerate(["[PAD]", "[S]", "[E]", "[UNK]", "A", "text", "."]
                                               + [f"w{i}" for i in range(7, 20)])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    t.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]",
                              model_input_names=["input_ids", "attention_mask"]).save_pretrained(folder)


def speech(folder):
    words(folder)
    t.WhisperFeatureExtractor(feature_size=8).save_pretrained(folder)


# The reader of images needs libraries that are rarely here: its lines run, with numbers in the place of pixels.
class Pixels:
    @staticmethod
    def from_pretrained(_):
        return lambda picture, return_tensors: {"pixel_values": torch.rand(1, 3, 32, 32)}


def image(folder):
    picture = types.SimpleNamespace(convert=lambda mode: None)
    sys.modules["PIL"] = types.SimpleNamespace(Image=types.SimpleNamespace(open=lambda path: picture))


# What is saved, what stands beside it, and the arrays that its attention gives, each of two layers.
MODELS = {
    "roformer": (lambda: t.RoFormerModel(t.RoFormerConfig(**SIDE, max_position_embeddings=32)), words, ["attentions"]),
    "pegasus": (lambda: t.PegasusForConditionalGeneration(t.PegasusConfig(**PAIR, max_position_embeddings=32)), words,
                ["decoder_attentions", "cross_attentions", "encoder_attentions"]),
    "whisper": (lambda: t.WhisperForConditionalGeneration(t.WhisperConfig(
        **PAIR, num_mel_bins=8, max_target_positions=16, suppress_tokens=None, begin_suppress_tokens=None)), speech,
        ["decoder_attentions", "cross_attentions", "encoder_attentions"]),
    "vit": (lambda: t.ViTModel(t.ViTConfig(**{k: SIDE[k] for k in SIDE if k != "vocab_size"}, image_size=32,
                                           patch_size=16)), image, ["attentions"]),
    "wav2vec2": (lambda: t.Wav2Vec2Model(t.Wav2Vec2Config(**SIDE, **CONV)),
                 lambda folder: t.Wav2Vec2FeatureExtractor().save_pretrained(folder), ["attentions"]),
    "mamba": (lambda: t.MambaForCausalLM(t.MambaConfig(vocab_size=20, hidden_size=16, num_hidden_layers=2,
                                                       state_size=4)), words, None),
}


def check(program, name):
    make, beside, arrays = MODELS[name]
    torch.manual_seed(0)
    make().save_pretrained(name)
    beside(name)
    told = subprocess.run([program, "compute", name, "--text", "A text."], capture_output=True, text=True)
    if told.returncode == 0:
        print(f"{name} is computed by now")
        return True
    first, *lines = told.stderr.splitlines()
    if arrays is None:
        return "have no attention" in first and not lines
    if "is not known; a few lines of Python" not in first:
        print(name, told.stderr)
        return False
    sys.modules["soundfile"] = types.SimpleNamespace(read=lambda path: (np.zeros(1600, "f4"), 16000))
    exec("\n".join(lines).replace("transformers.AutoImageProcessor", "Pixels"), {"Pixels": Pixels})
    info = json.loads(subprocess.run([program, "info", "attention.npz", "--json"], capture_output=True, text=True,
                                     check=True).stdout)
    found = sorted(a["name"] for a in info["arrays"] if "attentions" in a["name"])
    wanted = sorted(f"{array}_{layer}" for array in arrays for layer in (0, 1))
    fine = found == wanted and info["attention"]["layers"] == 2 and info["attention"]["heads"] == 2
    print(name, "as it says" if fine else (found, info["attention"]), info["attention"]["tokens_from"])
    return fine


if __name__ == "__main__":
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        wrong = [name for name in MODELS if not check(program, name)]
        os.chdir("/")
    sys.exit(1 if wrong else 0)
