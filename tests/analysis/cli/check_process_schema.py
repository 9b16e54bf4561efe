#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_process_schema.py SCHEMA FORMATS.md MARKOV.json PROGRAM: the reference processes and the example of
docs/formats.md fit the schema and are taken by `exact`; planted faults fit neither. Exit status 77 without the
module jsonschema."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

schema_file, formats, reference, program = sys.argv[1:]
schema = json.loads(pathlib.Path(schema_file).read_text(encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)


def status(process):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "p.json"
        file.write_text(json.dumps(process), encoding="utf-8")
        command = [program, "exact", str(file), "--gamma", "1", "--at", "1", "--max-length", "4", "--quiet"]
        return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode


def example(text):
    """The indented block after "Process files" that opens a brace."""
    lines = text[text.index("## Process files"):].split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("    {"))
    last = next(i for i in range(first, len(lines)) if not lines[i].startswith("    "))
    return json.loads("\n".join(lines[first:last]))


shown = example(pathlib.Path(formats).read_text(encoding="utf-8"))
cases = json.loads(pathlib.Path(reference).read_text(encoding="utf-8"))["cases"]
bad = 0
for name, process in [("docs/formats.md", shown)] + [(c["name"], c["process"]) for c in cases]:
    for error in validator.iter_errors(process):
        print(f"{name}: {error.json_path}: {error.message[:200]}")
        bad += 1
    if status(process) != 0:
        print(f"{name}: refused by exact")
        bad += 1


def put(field, value):
    def change(process):
        process[field] = value
    return change


def kernel_of_three(process):
    process.pop("next")
    process["kernel"] = [[[[0, 1, 0]], [[1, 1]]], [[[0, 1]], [[1, 1]]], None]


faults = {
    "no states": lambda p: p.pop("states"),
    "no state at all": put("states", 0),
    "states broken": put("states", 2.5),
    "no teacher": lambda p: p.pop("teacher"),
    "neither next nor kernel": lambda p: p.pop("next"),
    "both next and kernel": put("kernel", [None, None, None]),
    "unknown field": put("gamma", 1),
    "end state negative": put("end_state", -1),
    "probability negative": lambda p: p["student"][0].__setitem__(0, -0.25),
    "probability above 1": lambda p: p["student"][0].__setitem__(0, 1.5),
    "probability a word": lambda p: p["initial"].__setitem__(0, "half"),
    "fraction of nothing": lambda p: p["initial"].__setitem__(0, "1/0"),
    "decimal without digits": lambda p: p["initial"].__setitem__(0, ".5"),
    "length 0": put("max_length", 0),
    "flag a number": put("unnormalised_teacher", 1),
    "state a word": lambda p: p["next"][0].__setitem__(0, "one"),
    "kernel of three": kernel_of_three,
}
for name, change in faults.items():
    spoiled = copy.deepcopy(shown)
    change(spoiled)
    if validator.is_valid(spoiled):
        print(f"planted fault not seen by the schema: {name}")
        bad += 1
    if status(spoiled) != 65:
        print(f"planted fault not seen by exact: {name}")
        bad += 1
print(f"{len(cases) + 1} processes, {len(faults)} planted faults, {bad} complaints")
sys.exit(1 if bad else 0)
