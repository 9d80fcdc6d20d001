#!/usr/bin/env bash
# Writes target/bundle.rs, the one file to upload to CodinGame, and checks it: its size, that a bare
# rustc compiles it, and that it answers the statement's examples. Fails loudly on any of these.
set -euo pipefail
cd "$(dirname "$0")"

readonly LIMIT=100000   # bytes that CodinGame takes
readonly RUSTC="${RUSTC:-rustc}"

fail() { echo "bundle.sh: $*" >&2; exit 2; }

case "${1:-}" in
    "") ;;
    -h | --help)
        cat <<'END'
usage: ./bundle.sh

Writes target/bundle.rs, src/ and its stand-ins as one file of at most 100,000 bytes to paste into
CodinGame, compiles it with a bare rustc (RUSTC names another one) and tries it on the statement's
examples. All names in it are short. target/bundle.map tells what they stand for, a line each: the
kind of name or the function it is local to, the short name, the name; look there for what a message
of the compiler names. The file has a few long lines, so the line number in a panic's message tells
little: play the same turns through `cargo run --release` to see the place in src/.
END
        exit ;;
    *) fail "'$1' is no argument: it takes none, or --help" ;;
esac

mkdir -p target
"$RUSTC" --edition 2021 -O bundle/bundler.rs -o target/bundler
target/bundler target/bundle.map > target/bundle.rs
bytes=$(wc -c < target/bundle.rs)
(( bytes <= LIMIT )) || fail "target/bundle.rs has $bytes bytes, more than the $LIMIT that fit"

"$RUSTC" --edition 2021 -C opt-level=3 -D warnings target/bundle.rs -o target/bundle \
    || fail "target/bundle.rs does not compile; if a method is missing that is std's, add its name to" \
            "bundle/std_names.rs (target/bundle.map has the name)"

# Each example: what the judge sends, then the answers that would be legal, as a pattern.
for input in tests/data/statement/*.in; do
    pattern=$(cat "${input%.in}.legal")
    answer=$(HEXBOT_SEED=1 HEXBOT_PLAYOUTS=1000 target/bundle < "$input" 2> target/bundle.err) \
        || fail "the bundle ends with an error on $input: $(cat target/bundle.err)"
    [[ "$answer" =~ ^($pattern)( |$) ]] || fail "the bundle answers '$answer' to $input"
    echo "$(basename "$input"): $answer"
done

echo "target/bundle.rs: $bytes of $LIMIT bytes"
