#!/usr/bin/env bash
# Writes target/bundle.rs, the one file to upload to CodinGame, and checks it: its size, that a bare
# rustc compiles it, and that it answers the statement's examples. Fails loudly on any of these.
set -euo pipefail
cd "$(dirname "$0")"

readonly SITE_LIMIT=100000   # bytes that CodinGame takes
readonly LIMIT=60000         # bytes that we allow ourselves: the rest is kept for a network
readonly RUSTC="${RUSTC:-rustc}"

fail() { echo "bundle.sh: $*" >&2; exit 1; }

mkdir -p target
"$RUSTC" --edition 2021 -O bundle/bundler.rs -o target/bundler
target/bundler > target/bundle.rs
bytes=$(wc -c < target/bundle.rs)
(( bytes <= LIMIT )) || fail "target/bundle.rs has $bytes bytes, more than the $LIMIT allowed here"

"$RUSTC" --edition 2021 -C opt-level=3 -D warnings target/bundle.rs -o target/bundle \
    || fail "target/bundle.rs does not compile"

# Each example: what the judge sends, then the answers that would be legal, as a pattern.
for input in tests/data/statement/*.in; do
    pattern=$(cat "${input%.in}.legal")
    answer=$(HEXBOT_SEED=1 HEXBOT_PLAYOUTS=1000 target/bundle < "$input" 2> target/bundle.err) \
        || fail "the bundle ends with an error on $input: $(cat target/bundle.err)"
    [[ "$answer" =~ ^($pattern)( |$) ]] || fail "the bundle answers '$answer' to $input"
    echo "$(basename "$input"): $answer"
done

echo "target/bundle.rs: $bytes of $SITE_LIMIT bytes"
