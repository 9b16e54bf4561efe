#!/usr/bin/env python3
"""Write a GammaScope log (docs/formats.md) from plain lists. Standard library only.

    python3 write_log.py demo.jsonl && gammascope demo.jsonl
"""
import json
import math
import random
import sys


def write_log(path, rows, header=None):
    """rows: dicts with student_logprobs and teacher_logprobs (nats, of the sampled tokens), prompt_id, and
    whatever else docs/formats.md lists. Infinities become "inf" and "-inf", NaN becomes null."""
    def clean(value):
        if isinstance(value, (list, tuple)):
            return [clean(item) for item in value]
        if not isinstance(value, float) or math.isfinite(value):
            return value
        return None if math.isnan(value) else "inf" if value > 0 else "-inf"

    with open(path, "w", encoding="utf-8") as out:
        if header is not None:
            out.write(json.dumps({"v": 1, "header": header}) + "\n")
        for row in rows:
            out.write(json.dumps({"v": 1, **{key: clean(value) for key, value in row.items()}}, allow_nan=False) + "\n")


def demo_row(prompt, sample):
    """A student that says a in 3 of 10 tokens, a teacher that would in 4 of 10; the end comes with probability 1/20."""
    length = next(n for n in range(1, 257) if random.random() < 0.05 or n == 256)
    chose_a = [random.random() < 0.3 for _ in range(length)]
    return {"prompt_id": prompt, "sample_id": sample, "finish_reason": "length" if length == 256 else "stop",
            "token_ids": [0 if a else 1 for a in chose_a], "student_logprobs": [math.log(0.3 if a else 0.7) for a in chose_a],
            "teacher_logprobs": [math.log(0.4 if a else 0.6) for a in chose_a]}


if __name__ == "__main__":
    random.seed(1)
    write_log(sys.argv[1] if len(sys.argv) > 1 else "demo.jsonl",
              [demo_row(f"p{prompt}", sample) for prompt in range(64) for sample in range(4)],
              {"vocab_size": 2, "max_response": 256, "dtype": "float32", "temperature": 1.0})
