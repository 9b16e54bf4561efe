#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_claims.py SCHEMA FOLDER: every *.toml below the folder fits the schema of claims files, and planted faults do
not. Exit status 77 without the modules jsonschema and tomllib."""
import copy
import json
import pathlib
import sys

try:
    import jsonschema
    import tomllib
except ImportError:
    print("python3-jsonschema, or tomllib (Python 3.11), is not there")
    sys.exit(77)

schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
files = sorted(pathlib.Path(sys.argv[2]).rglob("*.toml"))
assert len(files) >= 10, files
bad = 0
structured = None
for file in files:
    claims = tomllib.loads(file.read_text(encoding="utf-8"))
    for error in validator.iter_errors(claims):
        print(f"{file}: {error.json_path}: {error.message[:200]}")
        bad += 1
    if any("within" in claim for claim in claims["claim"]):
        structured = claims

index = next(i for i, claim in enumerate(structured["claim"]) if "within" in claim)


def fault(change):
    planted = copy.deepcopy(structured)
    change(planted, planted["claim"][index])
    if not list(validator.iter_errors(planted)):
        print("a planted fault fits")
        return 1
    return 0


bad += fault(lambda file, claim: claim.pop("of"))
bad += fault(lambda file, claim: claim.pop("quantity"))
bad += fault(lambda file, claim: claim.update(quantity="varianc"))
bad += fault(lambda file, claim: claim.update(gamma="one"))
bad += fault(lambda file, claim: claim.update(within="ten per cent"))
bad += fault(lambda file, claim: claim.update(spread=[1, 2]))
bad += fault(lambda file, claim: file.update(claim=[]))
bad += fault(lambda file, claim: file.update(setings={}))
bad += fault(lambda file, claim: file.update(claims="gammascope.claims/2"))
bad += fault(lambda file, claim: file["baseline"].update(hash="12"))
sys.exit(1 if bad else 0)
