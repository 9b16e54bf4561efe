#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_schema.py [--faults] SCHEMA PATH...: every result (a file, or all *.json under a folder) fits the
schema and, with --faults, planted faults do not. Exit status 77 without the module jsonschema."""
import copy
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)


def no_constant(word):
    raise ValueError(f"{word} is not JSON")


def read(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"), parse_constant=no_constant)


arguments = [a for a in sys.argv[1:] if a != "--faults"]
schema = read(arguments[0])
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

files = []
for name in arguments[1:]:
    path = pathlib.Path(name)
    files += sorted(path.rglob("*.json")) if path.is_dir() else [path]
assert files, "no results to check"
bad = 0
for file in files:
    for error in validator.iter_errors(read(file)):
        print(f"{file}: {error.json_path}: {error.message[:200]}")
        bad += 1


# Each of these must be refused, or the check above shows nothing.
def spoiled(change):
    result = copy.deepcopy(next(r for r in map(read, files) if r["cells"] and r["verdicts"] and r["findings"]))
    change(result)
    return result


faults = {
    "another schema": lambda r: r.update(schema="gammascope.result/2"),
    "no version": lambda r: r.pop("version"),
    "unknown key": lambda r: r.update(extra=1),
    "gamma above 1": lambda r: r["cells"][0].update(gamma=1.01),
    "unknown quantity": lambda r: r["cells"][0].update(quantity="varianse"),
    "n negative": lambda r: r["cells"][0].update(n=-1),
    "n broken": lambda r: r["cells"][0].update(n=1.5),
    "label without a reason": lambda r: r["cells"][0].update(status="unreliable", reason=None),
    "cell without a field": lambda r: r["cells"][0].pop("upper"),
    "p above 1": lambda r: r["verdicts"][0].update(p_pass=1.5),
    "p absent": lambda r: r["verdicts"][0].update(p_fail=None),
    "unknown word": lambda r: r["verdicts"][0].update(verdict="passed"),
    "input without origin": lambda r: r["verdicts"][0].update(inputs=[{"name": "c", "value": 1}]),
    "unknown severity": lambda r: r["findings"][0].update(severity="fatal"),
    "text as evidence": lambda r: r["findings"][0].update(evidence={"a": "b"}),
    "setting an object": lambda r: r["settings"].update(clock={}),
}
if "--faults" not in sys.argv:
    faults = {}
for name, change in faults.items():
    if validator.is_valid(spoiled(change)):
        print(f"planted fault not seen: {name}")
        bad += 1
print(f"{len(files)} results, {len(faults)} planted faults, {bad} complaints")
sys.exit(1 if bad else 0)
