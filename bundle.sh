#!/usr/bin/env bash
# Writes an upload for CodinGame, one file, and checks it: its size, that a bare rustc compiles it,
# and that it answers the statement's examples. Fails loudly on any of these.
set -euo pipefail
cd "$(dirname "$0")"

readonly LIMIT=100000   # bytes that CodinGame takes
readonly RUSTC="${RUSTC:-rustc}"

fail() { echo "bundle.sh: $*" >&2; exit 2; }

name=bundle
options=(--map target/bundle.map)
case "${1:-}" in
    "") ;;
    --playouts) name=bundle-playouts; options=(--playouts) ;;
    -h | --help)
        cat <<'END'
usage: ./bundle.sh [--playouts]

Writes target/bundle.rs, src/ and its stand-ins as one file of at most 100,000 bytes to paste into
CodinGame, compiles it with a bare rustc (RUSTC names another one) to target/bundle and tries it on the
statement's examples. All names in it are short. target/bundle.map tells what they stand for, a line each:
the kind of name or the function it is local to, the short name, the name; look there for what a message
of the compiler names. The file has a few long lines, so the line number in a panic's message tells
little: play the same turns through `cargo run --release` to see the place in src/.

  --playouts   target/bundle-playouts.rs instead, and the program target/bundle-playouts: the bot without
               its network, evaluated by random playouts alone; with real names, and comments as far as they
               fit. It is there to be read, and for judges on which the network is too slow.

`cargo run --release -p bundler -- --savings` tells what each pass of the shortening saves.
END
        exit ;;
    *) fail "'$1' is no argument: there are --playouts and --help" ;;
esac
(( $# <= 1 )) || fail "at most one argument is taken, not $#"

mkdir -p target
cargo run --quiet --release -p bundler -- "${options[@]}" > "target/$name.rs"
bytes=$(wc -c < "target/$name.rs")
(( bytes <= LIMIT )) || fail "target/$name.rs has $bytes bytes, more than the $LIMIT that fit"

"$RUSTC" --edition 2021 -C opt-level=3 -D warnings "target/$name.rs" -o "target/$name" \
    || fail "target/$name.rs does not compile; if a method is missing that is std's, add its name to" \
            "bundle/src/std_names.rs (target/bundle.map has the name)"

# Each example: what the judge sends, then the answers that would be legal, as a pattern.
for input in tests/data/statement/*.in; do
    pattern=$(cat "${input%.in}.legal")
    answer=$(HEXBOT_SEED=1 HEXBOT_SIMULATIONS=1000 "target/$name" < "$input" 2> "target/$name.err") \
        || fail "the bundle ends with an error on $input: $(cat "target/$name.err")"
    [[ "$answer" =~ ^($pattern)( |$) ]] || fail "the bundle answers '$answer' to $input"
    echo "$(basename "$input"): $answer"
done

echo "target/$name.rs: $bytes of $LIMIT bytes"
