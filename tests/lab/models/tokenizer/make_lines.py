#!/usr/bin/env python3
"""Lines for tokenizers, the same on every machine: one JSON string a line, on standard output.

    make_lines.py [COUNT]      by default 12000

Many scripts, emoji, combining marks in any order, code, digits, runs of white space, special tokens inside text, rare,
private and unassigned code points. No code point is one that was assigned after Unicode 14: tables differ there.
"""
import json
import sys

SENTENCES = [
    "The quick brown fox jumps over the lazy dog, doesn't it? I'd say we've won; they'LL agree.",
    "Zażółć gęślą jaźń. Příliš žluťoučký kůň úpěl ďábelské ódy. Đặng Thị Hương đã đến Hà Nội.",
    "Straße, Größe, ŒUVRE, naïve façade, Ångström, İstanbul'da ışık, smørrebrød og æblegrød.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю. Ґанок і їжак.",
    "Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία· ἐν ἀρχῇ ἦν ὁ λόγος.",
    "יָדַע הַיֶּלֶד אֶת הַדֶּרֶךְ. שלום עולם, מה שלומך?",
    "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر. ٠١٢٣٤٥٦٧٨٩ گچپژ یک",
    "मुझे हिन्दी में लिखना अच्छा लगता है। क्या आप कल आएँगे? १२३४५",
    "আমি বাংলায় গান গাই। ০১২৩ ছোট্ট ক্ষ",
    "தமிழ் ஒரு செம்மொழி. நீங்கள் எப்படி இருக்கிறீர்கள்?",
    "తెలుగు భాష తియ్యనిది. ಕನ್ನಡ ನುಡಿ. മലയാളം എഴുത്ത്. සිංහල අකුරු.",
    "ภาษาไทยไม่มีการเว้นวรรคระหว่างคำ ๑๒๓ ลาว: ພາສາລາວ",
    "မြန်မာဘာသာစကား။ ភាសាខ្មែរ ១២៣ བོད་སྐད་ཡིན།",
    "天地玄黃，宇宙洪荒。日月盈昃，辰宿列張。简体中文也在这里：你好，世界！",
    "いろはにほへと ちりぬるを。カタカナとひらがな、ガギグゲゴ、ﾊﾝｶｸ。が",
    "다람쥐 헌 쳇바퀴에 타고파. 한글 자모",
    "አማርኛ ፊደል። ქართული ენა. Հայերեն լեզու։ ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ᠮᠣᠩᠭᠣᠯ",
    "𐌰𐌱𐌲𐌳 𐐀𐐁𐐨 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟘𝟙𝟚 𒀀𒀁 𓀀𓁐 𞤀𞤣𞤤𞤢𞤥 𠀀𪚥𰀀",
    "Ⅳ ½ ² ₃ ① ㈠ ㍿ ﬁ ﬀ ™ № ℃ Å Ω ſ K ǅ ẞ ß ŉ",
    "def f(x: int) -> str:\n\treturn f\"{x!r:>10}\"  # ok\n\n\nclass A(B):\n    pass\n",
    "for (int i = 0; i < n; ++i) { a[i] += b[i] * 0x1F; } // sum\r\n\r\n#include <vector>\r\n",
    "SELECT * FROM t WHERE a >= 3.14e-10 AND b != 'it''s';\n{\"k\": [1, 2, null], \"é\": \"\\u00e9\"}",
    "https://example.org/a/b?c=d&e=%20f#g user@example.com +49 30 1234567 2026-01-31T23:59:59Z",
    "1234567890 12 345 6,789.01 $5.00 €3 50% 1/2 3×4 −7 ±8 10⁻³ ١٢٣ १२३",
]
EMOJI = ["😀", "👍🏽", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "🇯🇵🇫🇷", "❤️", "☃", "1️⃣", "🫠", "👨🏿‍🚀", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]
MARKS = [0x300, 0x301, 0x308, 0x323, 0x327, 0x328, 0x30A, 0x304, 0x345, 0x5B0, 0x64B, 0x93C, 0x94D, 0x3099, 0x20DD, 0xFE0F, 0x200D]
SPACES = [" ", "  ", "   ", "\t", "\n", "\r\n", "\r", "\n\n", "\u00a0", "\u2003", "\u3000", "\u2028", "\u0085", "\v", "\f", "\u200b", "\u180e",
          " \n", "\n ", "\t\t", " " * 4, " " * 7, " " * 16, " " * 33, "\n" * 5]
SPECIALS = ["<s>", "</s>", "<unk>", "<bos>", "<eos>", "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|begin_of_text|>", "<|eot_id|>",
            "<start_of_turn>", "<end_of_turn>", "<tool_call>", "</tool_call>", "<|im_start", "<0x0A>", "<0xE2>", "▁", "▁▁", "[MASK]", "[LEFT]",
            "[RIGHT]", "[BOTH]", "word", "sub word", "Ünï", "ﬁx", "caf\u00e9", "cafe\u0301", "[NORM]", "Ġ", "Ċ", "aa", "aaa"]
# First and last code points of blocks, all as in Unicode 14 (with what is unassigned in them since).
BLOCKS = [(0x0, 0x7F), (0x80, 0xFF), (0x100, 0x24F), (0x250, 0x2AF), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x52F), (0x5D0, 0x5EA),
          (0x621, 0x64A), (0x904, 0x939), (0x1100, 0x11FF), (0x1E00, 0x1EFF), (0x1F00, 0x1FFF), (0x2000, 0x206F), (0x2070, 0x209C),
          (0x20A0, 0x20C0), (0x2100, 0x218B), (0x2190, 0x21FF), (0x2460, 0x24FF), (0x2600, 0x27BF), (0x2E80, 0x2FD5), (0x3041, 0x3096),
          (0x3400, 0x4DBF), (0x4E00, 0x9FFC), (0xA000, 0xA48C), (0xAC00, 0xD7A3), (0xE000, 0xF8FF), (0xF900, 0xFAD9), (0xFB00, 0xFB06),
          (0xFB50, 0xFBB1), (0xFE00, 0xFE0F), (0xFE70, 0xFEFC), (0xFF01, 0xFFEE), (0xFFF9, 0xFFFF), (0x10000, 0x1005D), (0x10300, 0x1031F),
          (0x10400, 0x1049D), (0x12000, 0x12399), (0x13000, 0x1342E), (0x16800, 0x16A38), (0x17000, 0x187F7), (0x1D000, 0x1D0F5),
          (0x1D400, 0x1D7FF), (0x1E900, 0x1E959), (0x1F300, 0x1F64F), (0x1F900, 0x1F9FF), (0x20000, 0x2A6DD), (0x2F800, 0x2FA1D),
          (0x30000, 0x3134A), (0x50000, 0x5FFFF), (0xE0001, 0xE007F), (0xE0100, 0xE01EF), (0xF0000, 0xFFFFD), (0x10FFF0, 0x10FFFF)]


class Draws:
    """A linear congruential generator modulo 2^64 (Knuth's MMIX), its high bits."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (6364136223846793005 * self.state + 1442695040888963407) % 2**64
        return (self.state >> 33) % n

    def of(self, items):
        return items[self.below(len(items))]


def part(d):
    """A stretch of text of one kind."""
    kind = d.below(12)
    sentence = d.of(SENTENCES)
    if kind < 4:
        a = d.below(len(sentence))
        return sentence[a:a + 1 + d.below(40)]
    if kind == 4:
        return d.of(SPACES)
    if kind == 5:
        return d.of(SPECIALS)
    if kind == 6:
        return "".join(d.of(EMOJI) for _ in range(1 + d.below(3)))
    if kind == 7:
        return "".join(chr(0x61 + d.below(26)) + "".join(chr(d.of(MARKS)) for _ in range(d.below(4))) for _ in range(1 + d.below(4)))
    if kind == 8:
        return "".join(str(d.below(10)) for _ in range(1 + d.below(12)))
    if kind == 9:
        first, last = d.of(BLOCKS)
        return "".join(chr(first + d.below(last - first + 1)) for _ in range(1 + d.below(5)))
    if kind == 10:
        return d.of("!?.,;:-_/\\'\"()[]{}<>|@#$%^&*+=~`") * (1 + d.below(3))
    return d.of(["'s", "'T", "'re", "'VE", "'m", "'ll", "'d", "’s", "'ſ", " a", "A", "aaaa", "ab" * 9])


def line(d, i):
    if i < len(SENTENCES):
        return SENTENCES[i]
    if i == len(SENTENCES):
        return ""
    glue = d.of(["", "", " ", "\n"])
    return glue.join(part(d) for _ in range(1 + d.below(9)))


def lines(count):
    d = Draws(20240607)
    return [line(d, i) for i in range(count)]


def main():
    out = sys.stdout.buffer
    for text in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 12000):
        out.write(json.dumps(text).encode("ascii") + b"\n")


if __name__ == "__main__":
    main()
