#!/usr/bin/env python3
"""Small tokenizers of each kind, trained on the lines, and what the project `tokenizers` makes of the lines.

    make_tokenizers.py train FOLDER          writes FOLDER/KIND.json for each kind
    make_tokenizers.py expect FILE...        prints what tests compare with, as JSON: for each file, in blocks of 50 lines, the
                                             CRC-32 of the ids (with and without special tokens) and of the decoded texts
    make_tokenizers.py check EXPECTED FOLDER whether the installed `tokenizers` still says EXPECTED of FOLDER's files

Needs Python's `tokenizers` (made with 0.23.3). CRC-32 runs over lines "1 2 3\\n" of decimal ids; over UTF-8 and "\\n" for texts.
"""
import json
import pathlib
import sys
import zlib

import make_lines
import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

COUNT, BLOCK = 12000, 50
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")


def train(tokenizer, size, special=(), alphabet=(), **options):
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=list(special), initial_alphabet=list(alphabet), show_progress=False, **options)
    tokenizer.train_from_iterator(make_lines.lines(3000), trainer)
    return tokenizer


def byte_level(size, pre_tokenizer, normalizer=None):
    t = Tokenizer(models.BPE())
    if normalizer is not None:
        t.normalizer = normalizer
    t.pre_tokenizer = pre_tokenizer
    t.decoder = decoders.ByteLevel()
    return train(t, size, alphabet=pre_tokenizers.ByteLevel.alphabet())


def split(pattern, behavior="isolated", invert=False):
    return pre_tokenizers.Split(Regex(pattern), behavior, invert)


def gpt2():
    t = byte_level(700, pre_tokenizers.ByteLevel(add_prefix_space=False))
    t.add_special_tokens(["<|endoftext|>"])
    t.post_processor = processors.ByteLevel(trim_offsets=False)
    return t


def llama3():
    t = byte_level(700, pre_tokenizers.Sequence([split(LLAMA3), pre_tokenizers.ByteLevel(False, use_regex=False)]))
    t.add_special_tokens(["<|begin_of_text|>", "<|eot_id|>"])
    bos = t.token_to_id("<|begin_of_text|>")
    t.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), processors.TemplateProcessing(
        single="<|begin_of_text|> $A", pair="<|begin_of_text|> $A <|begin_of_text|>:1 $B:1", special_tokens=[("<|begin_of_text|>", bos)])])
    data = json.loads(t.to_str())
    data["model"]["ignore_merges"] = True
    return Tokenizer.from_str(json.dumps(data))


def qwen2():
    t = byte_level(700, pre_tokenizers.Sequence([split(QWEN2), pre_tokenizers.ByteLevel(False, use_regex=False)]), normalizers.NFC())
    t.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    t.add_tokens([AddedToken(x, normalized=False, special=False) for x in ("<tool_call>", "</tool_call>")])
    return t


def smollm2():
    t = byte_level(700, pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]))
    t.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    return t


BYTES = [f"<0x{b:02X}>" for b in range(256)]


def gemma():
    t = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    t.normalizer = normalizers.Replace(" ", "▁")
    t.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    t.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    train(t, 900, ["<pad>", "<eos>", "<bos>", "<unk>"] + BYTES, limit_alphabet=250, max_token_length=12)
    data = json.loads(t.to_str())  # byte tokens are plain tokens
    data["added_tokens"] = [a for a in data["added_tokens"] if a["content"] not in BYTES]
    t = Tokenizer.from_str(json.dumps(data))
    t.add_tokens([AddedToken("\n" * n, normalized=False) for n in range(2, 6)] + [AddedToken("▁" * n, normalized=False) for n in range(2, 9)])
    t.add_special_tokens(["<start_of_turn>", "<end_of_turn>"])
    t.post_processor = processors.TemplateProcessing(single="<bos> $A", pair="<bos> $A <bos>:1 $B:1", special_tokens=[("<bos>", t.token_to_id("<bos>"))])
    return t


def llama2():
    t = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    t.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    t.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    t.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")  # for the training only
    train(t, 900, ["<unk>", "<s>", "</s>"] + BYTES, limit_alphabet=250, max_token_length=12)
    data = json.loads(t.to_str())
    data["pre_tokenizer"] = None
    data["added_tokens"] = [a for a in data["added_tokens"] if a["content"] not in BYTES]
    t = Tokenizer.from_str(json.dumps(data))
    t.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)])
    return t


def flags():
    """Added tokens with each flag, found before and after NFKC; unknown characters, each on its own."""
    t = Tokenizer(models.BPE(unk_token="<unk>"))
    t.normalizer = normalizers.NFKC()
    t.pre_tokenizer = split(r"\s+", "merged_with_next")
    train(t, 500, ["<unk>"], limit_alphabet=120)
    t.add_tokens([AddedToken("word", single_word=True, normalized=False), AddedToken("sub word", single_word=True, normalized=True),
                  AddedToken("Ünï", normalized=True), AddedToken("ﬁx", normalized=True), AddedToken("caf\u00e9", normalized=True, lstrip=True),
                  AddedToken("aa", normalized=False), AddedToken("aaa", normalized=False, rstrip=True),
                  AddedToken("[NORM]", normalized=True, rstrip=True, single_word=True)])
    t.add_special_tokens([AddedToken("[MASK]", lstrip=True), AddedToken("[LEFT]", lstrip=True, single_word=True),
                          AddedToken("[RIGHT]", rstrip=True), AddedToken("[BOTH]", lstrip=True, rstrip=True, normalized=True)])
    return t


def splits():
    """Every way to split; a space before each piece; no decoder."""
    t = byte_level(600, pre_tokenizers.Sequence([
        split(r"[\r\n]", "removed"), split(r"\d", "contiguous"), split("[,;]", "merged_with_previous"), split("[(<]", "merged_with_next"),
        split(r"\w+", "merged_with_next", invert=True), split(r"[\p{L}\p{M}]+", "removed", invert=True), pre_tokenizers.Digits(False),
        pre_tokenizers.ByteLevel(add_prefix_space=True)]), normalizers.Sequence([normalizers.NFD(), normalizers.Replace(Regex("[éa-c]+"), "<$1>")]))
    data = json.loads(t.to_str())
    data["decoder"] = None
    return Tokenizer.from_str(json.dumps(data))


def holes():
    """Bytes of a fallback that are missing, so that unknown characters wait behind bytes; NFKD."""
    t = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=False, byte_fallback=True))
    t.normalizer = normalizers.NFKD()
    t.pre_tokenizer = split(" ", "isolated")
    train(t, 400, ["<unk>"] + BYTES[:240], limit_alphabet=80)
    data = json.loads(t.to_str())
    data["added_tokens"] = data["added_tokens"][:1]
    return Tokenizer.from_str(json.dumps(data))


KINDS = {f.__name__: f for f in (gpt2, llama3, qwen2, smollm2, gemma, llama2, flags, splits, holes)}


def crc(text, value):
    return zlib.crc32((text + "\n").encode(), value)


def expect(path, lines):
    t = Tokenizer.from_file(str(path))
    t.no_truncation()
    t.no_padding()
    ids, plain, text = [], [], []
    for first in range(0, len(lines), BLOCK):
        a = b = c = 0
        for line in lines[first:first + BLOCK]:
            with_special = t.encode(line).ids
            a = crc(" ".join(map(str, with_special)), a)
            b = crc(" ".join(map(str, t.encode(line, add_special_tokens=False).ids)), b)
            c = crc(t.decode(with_special, skip_special_tokens=False), c)
            c = crc(t.decode(with_special[1::2], skip_special_tokens=True), c)
        ids.append(f"{a:08x}"), plain.append(f"{b:08x}"), text.append(f"{c:08x}")
    return {"vocab_size": t.get_vocab_size(), "ids": ids, "plain": plain, "text": text}


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "train":
        for name, make in KINDS.items():
            make().save(str(pathlib.Path(sys.argv[2]) / f"{name}.json"), pretty=False)
    elif len(sys.argv) > 2 and sys.argv[1] == "expect":
        lines = make_lines.lines(COUNT)
        out = {"tokenizers": tokenizers.__version__, "lines": COUNT, "block": BLOCK}
        out.update({pathlib.Path(p).name: expect(p, lines) for p in sys.argv[2:]})
        text = json.dumps(out, indent=0)
        print(text)
    elif len(sys.argv) == 4 and sys.argv[1] == "check":
        expected = json.loads(pathlib.Path(sys.argv[2]).read_text())
        lines = make_lines.lines(COUNT)
        wrong = [n for n, e in expected.items() if n.endswith(".json") and expect(pathlib.Path(sys.argv[3]) / n, lines) != e]
        if wrong:
            sys.exit(f"tokenizers {tokenizers.__version__} says otherwise of {', '.join(wrong)}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
