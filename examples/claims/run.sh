#!/bin/sh
# run.sh LOG WORD [OPTION…]: the claims of examples/claims/LOG/WORD.toml on that log. Run it from the folder that has
# `examples`, with gammascope on the PATH; a log that is simulated is written there once.
set -eu
log=$1 word=$2
shift 2
case $log in
  sums) file=examples/data/sums.jsonl.zst ;;
  ragged)
    file=ragged.jsonl
    [ -e "$file" ] || gammascope simulate --family ragged --prompts 100 --max-length 48 --seed 7 -o "$file" --quiet
    ;;
  *) file=examples/claims/$log/log.jsonl ;;
esac
exec gammascope check "$file" "examples/claims/$log/$word.toml" "$@"
