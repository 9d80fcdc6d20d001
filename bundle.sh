#!/usr/bin/env bash
# Writes an upload for CodinGame and checks it: `cargo bundle` from any folder. See `./bundle.sh --help`.
set -euo pipefail
cd "$(dirname "$0")"
exec cargo bundle "$@"
