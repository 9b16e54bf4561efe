#!/bin/sh
# The first look at a real log, a check of Theorem 3.3 on it, and a synthetic process whose exact answer is known.
#   demo.sh GAMMASCOPE FOLDER    GAMMASCOPE: the program; FOLDER: where results and the report go (made, or written again)
set -eu
gammascope=$1
folder=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
log=$here/data/sums.jsonl.zst
grid='--gamma 0,0.9,0.99,1 --alignment window --at 1,16,64,256'
mkdir -p "$folder"

echo "== a real log: SmolLM2-135M-Instruct, taught by itself with a hint in the prompt"
"$gammascope" "$log"

status=0
"$gammascope" check "$log" --out "$folder/check" --force --quiet || status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 2 ] || exit "$status" # inconclusive is an honest answer

echo
echo "== a synthetic process of two states: what 128 prompts x 4 samples say, beside the exact answer"
# shellcheck disable=SC2086
"$gammascope" exact --family ergodic $grid --max-length 256 --quiet --json "$folder/exact.json"
"$gammascope" simulate --family ergodic --max-length 256 --prompts 128 --samples 4 --seed 1 -o "$folder/ergodic.jsonl" --force --quiet
# shellcheck disable=SC2086
"$gammascope" measure "$folder/ergodic.jsonl" $grid --exact "$folder/exact.json" --out "$folder/synthetic" --force --quiet
# shellcheck disable=SC2086
"$gammascope" measure "$folder/ergodic.jsonl" $grid --exact "$folder/exact.json"

echo
echo "== one page with plots: the real log by window, Theorem 3.3 on it, the synthetic process"
"$gammascope" report "$log" "$folder/check" "$folder/synthetic" --out "$folder/report.html" --force
