#!/usr/bin/env python3
"""Checks that commits say how they change the bot's play and that bench.txt agrees.

    .ci/commits.py [REVISION]

The script looks at the commits since REVISION, the last one known to be good; without it at all
since the rule of CONTRIBUTING.md came up. A commit that changes src/ or bench.txt has a line
`Bench: N` or `No functional change`, with or without more words behind it, in the last paragraph of
its message. N is the signature in its bench.txt; with `No functional change` the signature is its
parent's. A merge changes what none of its parents has. The signatures are compared as they are
written down: nothing is built.

Exit status: 0 if all is well, 1 if commits break the rule, 2 if they cannot be looked at.
"""

import re
import subprocess
import sys

# The commit before the first one that keeps the rule.
BEFORE_THE_RULE = "164f2a1231b3883d4fb302cd178167c86a0e7ca2"

SIGNATURE = re.compile(r"Bench: (\d+)\b")
SAME = re.compile(r"No functional change\b")


class Unreadable(Exception):
    """The history cannot be looked at, with the reason and what to do about it."""


def git(*words: str, given: str | None = None) -> str:
    """What a git command prints."""
    done = subprocess.run(["git", *words], input=given, capture_output=True, encoding="utf-8",
                          check=False)
    if done.returncode != 0:
        raise Unreadable(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def history(since: str) -> list[tuple[str, list[str], str]]:
    """The commits after `since`, oldest first: name, parents, message."""
    try:
        since = git("rev-parse", "--verify", "--end-of-options", since + "^{commit}").strip()
    except Unreadable as error:
        raise Unreadable(
            f"{since!r} is no commit of this clone. If it is a shallow one, git fetch --unshallow "
            f"gets the rest; or name another revision. ({error})"
        ) from error
    text = git("log", "--reverse", "--topo-order", "--format=%x1e%H%x1f%P%x1f%B", f"{since}..HEAD")
    parts = [entry.split("\x1f") for entry in text.split("\x1e")[1:]]
    commits = [(name, parents.split(), message) for name, parents, message in parts]
    if git("rev-parse", "--is-shallow-repository").strip() == "true":
        with open(git("rev-parse", "--git-path", "shallow").strip(), encoding="ascii") as file:
            cut_off = set(file.read().split())
        for name, _, _ in commits:
            if name in cut_off:
                raise Unreadable(
                    f"this clone lacks what came before {name[:12]}, which is newer than "
                    f"{since[:12]}: git fetch --unshallow gets it"
                )
    return commits


def contents(commits: list[tuple[str, list[str], str]]) -> dict[str, tuple[str, str]]:
    """Of every commit and parent what identifies src/, and the text of bench.txt."""
    names = sorted({name for commit in commits for name in (commit[0], *commit[1])})
    asked = "".join(f"{name}:src\n{name}:bench.txt\n" for name in names)
    found = [line.split()[0] if "missing" not in line else ""
             for line in git("cat-file", "--batch-check", given=asked).splitlines()]
    texts = {blob: git("cat-file", "-p", blob) if blob else "" for blob in set(found[1::2])}
    return {name: (found[2 * at], texts[found[2 * at + 1]]) for at, name in enumerate(names)}


def violations(message: str, now: tuple[str, str], before: list[tuple[str, str]]) -> list[str]:
    """What is wrong with a commit, given src/ and bench.txt of it and of its parents."""
    touches = all(now[0] != parent[0] for parent in before)
    changes = all(now[1] != parent[1] for parent in before)
    ending = message.strip().rpartition("\n\n")[2].splitlines()
    told = [match[1] for line in ending if (match := SIGNATURE.match(line))]
    same = any(SAME.match(line) for line in ending)
    recorded = SIGNATURE.match(now[1])
    if not touches and not changes:
        return []
    if recorded is None:
        return [f"bench.txt has no line `Bench: N`, but {now[1]!r}"]
    wrong = []
    if not told and not same:
        wrong.append(
            f"its message does not end with `Bench: {recorded[1]}` or `No functional change`"
        )
    elif changes and not told:
        wrong.append(f"it changes bench.txt, so its message must end with `Bench: {recorded[1]}`")
    if changes and same:
        wrong.append("it says `No functional change`, but changes bench.txt")
    wrong += [f"it says `Bench: {number}`, but its bench.txt has {recorded[1]}"
              for number in told if number != recorded[1]]
    return wrong


def main(arguments: list[str]) -> int:
    """Checks the commits since the revision that is named, if there is one; the exit status."""
    since = arguments[0] if arguments else BEFORE_THE_RULE
    try:
        commits = history(since)
        states = contents(commits)
    except Unreadable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    bad = 0
    for name, parents, message in commits:
        wrong = violations(message, states[name], [states[parent] for parent in parents])
        bad += bool(wrong)
        for words in wrong:
            print(f"{name[:12]} {message.splitlines()[0]}\n  → {words}", file=sys.stderr)
    print(f"{len(commits)} commits since {since[:12]}, {bad} of them break CONTRIBUTING's rule")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
