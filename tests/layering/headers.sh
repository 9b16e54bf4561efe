#!/bin/sh
# Every header compiles alone. Where some .cpp includes a header before anything else, the build has shown it; the
# others are compiled here, syntax only.
#   headers.sh ROOT COMPILER [FLAG…]
set -eu
cd -- "$1"
compiler=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find analysis simulators proofs_check tests examples -name '*.cpp' -exec grep -m1 -h '^#include' {} \; |
  sed -n 's/^#include "\(.*\)"/\1/p' | sort -u >"$work/first"
find analysis simulators proofs_check -name '*.hpp' | sort >"$work/all"
comm -23 "$work/all" "$work/first" >"$work/rest"
[ -s "$work/all" ] || { echo "no header found below $PWD" >&2; exit 1; }
echo "$(wc -l <"$work/all") headers, $(wc -l <"$work/rest") of them not first in any .cpp: compiled here"
tr '\n' '\0' <"$work/rest" |
  xargs -0 -n 1 -P "$(nproc)" "$compiler" -std=c++20 -fsyntax-only -x c++ -w -I . "$@"
