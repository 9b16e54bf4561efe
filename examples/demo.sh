#!/bin/sh
# The first look at a real log, then a synthetic process whose exact answer is known.
#   demo.sh GAMMASCOPE FOLDER    GAMMASCOPE: the program; FOLDER: where the reports go (made, or replaced)
set -eu
gammascope=$1
folder=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$folder"

echo "== a real log: SmolLM2-135M, its teacher the same model with a hint"
"$gammascope" "$here/data/sums.jsonl.zst" --out "$folder/first-look" --force --quiet
"$gammascope" "$here/data/sums.jsonl.zst"

echo
echo "== does Theorem 3.3 hold on it? (sigma2 from the other half of the prompts; inconclusive is an honest answer)"
status=0
"$gammascope" check "$here/data/sums.jsonl.zst" --out "$folder/check" --force || status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 2 ] || exit "$status"

echo
echo "== a synthetic process: two states, exact values beside what 128 prompts x 4 samples say"
"$gammascope" exact --family ergodic --gamma 0,0.9,0.99,1 --alignment window --at 1,16,64,256 --max-length 256 --quiet \
  --json "$folder/exact.json" --force
"$gammascope" simulate --family ergodic --prompts 128 --samples 4 --max-length 256 --seed 1 -o "$folder/ergodic.jsonl" --force --quiet
"$gammascope" measure "$folder/ergodic.jsonl" --gamma 0,0.9,0.99,1 --alignment window --at 1,16,64,256 \
  --exact "$folder/exact.json" --out "$folder/synthetic" --force

echo
echo "reports: $folder/first-look/report.html (the real log), $folder/check/report.html, $folder/synthetic/report.html"
