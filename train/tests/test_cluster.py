"""Games on a real Ray: two nodes on this machine; one is killed. And the parts that need none.

The program is the one that HEXBOT_HEX names, or that of a release build. Without it or without Ray
these tests are skipped, or fail with HEX_IF_MISSING=fail.
"""

import contextlib
import functools
import importlib.util
import json
import logging
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from collections.abc import Callable
from pathlib import Path
from typing import Any

from train import checkpoint
from train.tests.support import HEX, ROOT, Folder

# Read when Ray is imported: nothing is told to anybody, no file of the user's is written, and games
# do not wait for whatever else this machine does.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_worker_niceness", "0")
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))

# What is not there.
MISSING = [name for name, there in (
    ("Ray (train/requirements-cluster.txt)", importlib.util.find_spec("ray")),
    (f"{HEX} (cargo build --release -p hex-cli)", shutil.which(HEX)),
) if not there]

if not MISSING:
    import ray
    from ray.cluster_utils import Cluster as Nodes

    from train import __main__ as train_command
    from train import children, export
    from train.cluster import commands, job, ray_cluster
    from train.cluster.__main__ import main
    from train.cluster.commands import Match, Selfplay
    from train.cluster.progress import Progress
    from train.cluster.ray_cluster import Cluster, ClusterOptions, Task

# A node of the tests has one core, and a small object store.
NODE = {"num_cpus": 1, "object_store_memory": 80 * 2**20}

# A node that has died is found out in 5 seconds instead of 15. Nobody reads logs or adds nodes.
HEAD = NODE | {"include_dashboard": False, "include_log_monitor": False, "no_monitor": True,
               "_system_config": {"health_check_period_ms": 1000}}

# A shard takes a quarter of a second.
SHARDS = ["--side", "5", "--shards", "9", "--games", "4", "--simulations", "300",
          "--fast-simulations", "50", "--tree-visits", "60", "--random-stones", "2"]

MATCH = ["builtin:simulations=60 ;; name=one", "builtin:simulations=20,seed=5 ;; name=two",
         "--games", "16", "--side", "6", "--openings", "random:2", "--seed", "3",
         "--first-ms", "60000", "--turn-ms", "60000"]


def setUpModule() -> None:
    if MISSING and os.environ.get("HEX_IF_MISSING") == "fail":
        raise AssertionError(f"missing: {', '.join(MISSING)}; or set HEX_IF_MISSING=skip")
    if MISSING:
        raise unittest.SkipTest(f"missing: {', '.join(MISSING)}")


def hex_on_one_machine(*words: object) -> None:
    """Runs the same command on this machine alone."""
    subprocess.run([HEX, *map(str, words)], check=True, capture_output=True)


def shards_of(folder: Path) -> dict[str, bytes]:
    """The shards in a folder."""
    return {path.name: path.read_bytes() for path in folder.glob("*.bin")}


@functools.cache
def shards_of_one_machine() -> dict[str, bytes]:
    """The shards that the cluster is to make."""
    with tempfile.TemporaryDirectory() as alone:
        hex_on_one_machine("lab", "selfplay", "--out", alone, *SHARDS)
        return shards_of(Path(alone))


def programs() -> list[int]:
    """The processes of `hex` that jobs have started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/exe"):
        with contextlib.suppress(OSError):
            if path.resolve().is_relative_to(job.cache()):
                found.append(int(path.parent.name))
    return found


def parent_of(process: int) -> int:
    """The process that started another one."""
    stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    return int(stat.rpartition(")")[2].split()[1])


def kill_a_worker() -> bool:
    """Kills a process that has a program of `hex` running; returns false if none has."""
    for program in programs():
        # It may end at any time.
        with contextlib.suppress(OSError):
            os.kill(parent_of(program), signal.SIGKILL)
            return True
    return False


def wait_for(condition: Callable[[], Any], seconds: float = 60) -> None:
    """Waits until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.05)


def wait_for_shards(folder: Path, count: int) -> None:
    """Waits until a folder has so many."""
    wait_for(lambda: len(shards_of(folder)) >= count)


class Meanwhile:
    """What a driver asks for whether to stop; does something in the middle of the run instead."""

    def __init__(self, condition: Callable[[], Any], work: Callable[[], None]):
        self.condition, self.work, self.done = condition, work, False

    def __call__(self) -> bool:
        if not self.done and self.condition():
            self.done = True
            self.work()
        return False


def go_on() -> bool:
    """What a driver asks for whether to stop; it is not to."""
    return False


class OnRay(Folder):
    """A cluster of two nodes; the first is the driver's."""

    nodes: "Nodes"
    cluster: "Cluster"

    @classmethod
    def setUpClass(cls) -> None:
        cls.nodes = Nodes(initialize_head=True, head_node_args=HEAD)
        cls.nodes.add_node(wait=False, **NODE)
        ray.init(address=cls.nodes.address, log_to_driver=False, logging_level=logging.ERROR)
        cls.nodes.wait_for_nodes()
        cls.cluster = Cluster(ClusterOptions(hex=HEX))

    @classmethod
    def tearDownClass(cls) -> None:
        ray.shutdown()
        cls.nodes.shutdown()

    def play(self, out: object, *more: object, stop: Callable[[], bool] = go_on) -> bool:
        """Plays shards on the cluster."""
        words = ["--out", str(out), "--hex", HEX, *SHARDS, *map(str, more)]
        return Selfplay(self.cluster, Selfplay.read(words), stop).play()

    def driver(self, out: Path) -> "subprocess.Popen[str]":
        """Starts a driver as a process of its own."""
        words = [sys.executable, "-m", "train.cluster", "selfplay", "--out", out, "--hex", HEX,
                 "--address", self.nodes.address, *SHARDS]
        return subprocess.Popen([str(word) for word in words], cwd=ROOT, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_shards_are_those_of_one_machine_though_nodes_die_and_join(self) -> None:
        out = self.folder / "cluster"

        def kill_and_join() -> None:
            self.nodes.remove_node(self.nodes.worker_nodes.copy().pop(), allow_graceful=False)
            self.nodes.add_node(wait=False, **NODE)

        middle = Meanwhile(lambda: len(shards_of(out)) >= 2, kill_and_join)
        self.assertTrue(self.play(out, stop=middle))
        self.assertTrue(middle.done)
        self.assertEqual(shards_of(out), shards_of_one_machine())
        self.assertEqual(list(out.glob("*.new")), [])

    def test_a_driver_is_stopped_killed_and_started_again(self) -> None:
        out = self.folder / "cluster"
        for kind, status in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
            more = len(shards_of(out)) + 1
            driver = self.driver(out)
            wait_for(kill_a_worker)
            wait_for_shards(out, more)
            driver.send_signal(kind)
            said, _ = driver.communicate(timeout=60)
            self.assertEqual(driver.returncode, status)
            self.assertNotIn("worker died", said)
            wait_for(lambda: not programs())
            self.assertLess(len(shards_of(out)), 9)
        times = {path: path.stat().st_mtime_ns for path in out.glob("*.bin")}
        self.assertTrue(self.play(out))
        self.assertEqual(times, {path: path.stat().st_mtime_ns for path in times})
        self.assertEqual(shards_of(out), shards_of_one_machine())

    def test_a_full_object_store_loses_nothing(self) -> None:
        held = [ray.put(secrets.token_bytes(30 * 2**20)) for _ in range(4)]
        weights = shutil.copy(ROOT / "src/network/shipped.weights", self.folder / "a.weights")
        out = self.folder / "cluster"
        self.assertTrue(self.play(out, "--shards", 3, "--weights", weights))
        self.assertEqual(len(ray.get(held[0])), 30 * 2**20)
        self.assertEqual(sorted(shards_of(out)), [f"{number:06}.bin" for number in range(3)])

    def match(
        self, out: Path, *more: object, words: list[str] = MATCH, stop: Callable[[], bool] = go_on
    ) -> bool:
        """Plays a match on the cluster."""
        options = Match.read(["--out", str(out), "--hex", HEX, *words, *map(str, more)])
        return Match(self.cluster, options, stop).play()

    def test_a_match_is_that_of_one_machine_though_a_worker_dies(self) -> None:
        out, alone = self.folder / "cluster", self.folder / "alone"
        middle = Meanwhile(lambda: checkpoint.read_lines(out / "games.jsonl")[1:],
                           lambda: wait_for(kill_a_worker))
        self.assertTrue(self.match(out, stop=middle))
        self.assertTrue(middle.done)
        hex_on_one_machine("match", *MATCH, "--out", alone)
        self.assertEqual(games_of(out), games_of(alone))
        self.assertEqual({path.name for path in out.glob("sgf/*")},
                         {path.name for path in alone.glob("sgf/*")})
        report = (out / "report.txt").read_text(encoding="utf-8")
        self.assertEqual(report.splitlines()[:3],
                         (alone / "report.txt").read_text(encoding="utf-8").splitlines()[:3])
        nodes = [line for line in report.splitlines() if line.startswith("clock noise of node")]
        self.assertGreaterEqual(len(nodes), 2)
        self.assertEqual(sum(int(line.split(", ")[1].split()[0]) for line in nodes), 8)
        # It is over: nothing is played, and the report is the same.
        self.assertTrue(self.match(out))
        self.assertEqual((out / "report.txt").read_text(encoding="utf-8"), report)

    def test_a_match_ends_when_its_test_does_and_goes_on_from_half_a_pair(self) -> None:
        out = self.folder / "cluster"
        log = out / "games.jsonl"
        test = ("--sprt", "0,400")
        hex_on_one_machine("match", *MATCH, *test, "--out", out, "--only-pairs", "0..2")
        lines = log.read_bytes().splitlines(keepends=True)
        log.write_bytes(b"".join(lines[:4]) + lines[4][:30])
        self.assertTrue(self.match(out, "--games", 400, *test))
        games = [line["id"] for line in checkpoint.read_lines(log)[1:]]
        self.assertEqual(len(games), len(set(games)))
        self.assertLess(len(games), 400)
        self.assertEqual({game ^ 1 for game in games}, set(games))
        # Red wins always.
        self.assertIn("H0 accepted", (out / "report.txt").read_text(encoding="utf-8"))

    def test_what_bots_said_comes_from_the_nodes_and_a_changed_bot_does_not_go_on(self) -> None:
        out, bot = self.folder / "cluster", self.folder / "bot.sh"
        # It travels, and loses its first answer by words.
        bot.write_text("echo I begin >&2\nread line\necho zz9\n", encoding="utf-8")
        words = [f"sh {bot} ;; name=loses", "builtin:simulations=20 ;; name=wins",
                 "--side", "6", "--openings", "random:2"]
        self.assertTrue(self.match(out, "--games", 2, words=words))
        said = {path.name: path.read_text(encoding="utf-8") for path in out.glob("logs/*")}
        self.assertEqual(said["000000-red-loses.stderr"], "I begin\n")
        self.assertIn(" < zz9\n", said["000001-blue-loses.transcript"])
        summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        self.assertEqual(summary["games"], 2)
        self.assertEqual(summary["players"][0]["faults"]["illegal move"], 2)
        log = (out / "games.jsonl").read_bytes()
        bot.write_text("echo a1\n" + bot.read_text(encoding="utf-8"), encoding="utf-8")
        with self.assertRaisesRegex(checkpoint.RunError, "bot.sh of player 'loses' has changed"):
            self.match(out, "--games", 6, words=words)
        self.assertEqual((out / "games.jsonl").read_bytes(), log)
        self.assertTrue(self.match(out, "--games", 6, "--changed-programs", words=words))
        self.assertEqual(len((out / "games.jsonl").read_bytes().splitlines()), 7)
        report = (out / "report.txt").read_text(encoding="utf-8")
        self.assertIn("warning: after 2 games", report)

    def test_a_job_that_always_fails_ends_the_run_with_its_reason(self) -> None:
        broken = self.script("echo no such luck >&2\nexit 3")
        with (
            unittest.mock.patch.object(ray_cluster, "PAUSE", 0.0),
            self.assertRaisesRegex(checkpoint.RunError, "4 times.* with status 3: no such luck"),
        ):
            Cluster(ClusterOptions(hex=broken)).run(
                [Task(f"job {number}", ("lab", "selfplay"), number) for number in range(100)],
                lambda *_: True, progress := Progress(100, 0, "shards"), go_on,
            )
        # Not all of them have been tried.
        self.assertLess(progress.lost, 40)

    def test_a_run_of_generations(self) -> None:
        out, alone = self.folder / "run", self.folder / "alone"
        # No candidate is kept: `best` is the network that the run begins with.
        settings = ["stage.side=5", "play.shards=3", "play.games=4", "play.simulations=100",
                    "play.fast_simulations=20", "play.tree_visits=20", "gate.games=4",
                    "gate.simulations=20", "gate.score=1.0"]
        words = [self.preset(), "--out", str(out), "--hex", HEX, "--threads", "1", "--cluster", "",
                 *(word for setting in settings for word in ("--set", setting))]
        self.assertEqual(train_command.main(words), 0)
        self.assertTrue(ray.is_initialized())
        begun = self.folder / "begun.weights"
        export.export(out / "best", begun, "run-begin")
        hex_on_one_machine(
            "lab", "selfplay", "--out", alone, "--side", 5, "--shards", 3, "--games", 4,
            "--simulations", 100, "--fast-simulations", 20, "--tree-visits", 20, "--seed", 1,
            "--weights", begun)
        self.assertEqual(shards_of(out / "shards/g0000-side5"), shards_of(alone))
        lines = checkpoint.read_lines(out / "curve.jsonl")
        self.assertEqual([(line["games"], line["of"]) for line in lines], [(12, 4), (24, 4)])


def games_of(folder: Path) -> list[dict[str, Any]]:
    """The games of a match in order, without what depends on the clock."""
    lines = [json.loads(line) for line in (folder / "games.jsonl").read_text("utf-8").splitlines()]
    games = sorted(lines[1:], key=lambda game: int(game["id"]))
    return [{key: value for key, value in game.items() if key != "times_ms"} for game in games]


class Parts(Folder):
    """What needs no running Ray."""

    def test_files_of_programs_travel_and_installed_ones_do_not(self) -> None:
        bot, more = self.folder / "my bot", self.folder / "my bot2"
        for file in (bot, more):
            file.write_text("", encoding="utf-8")
        for text, expected in (
            (f"builtin:weights={bot},simulations=5", "builtin:weights=@my bot,simulations=5"),
            ("builtin:", "builtin:"),
            (f"A=1 '{bot}' --fast '{more}'", "A=1 '@my bot' --fast '@my bot2'"),
            (f"gtp:python3 '--file={bot}' ;; move-ms=5",
             "gtp:python3 '--file=@my bot' ;; move-ms=5"),
            ("/usr/bin/env x", "/usr/bin/env x"),
        ):
            programs = [{"path": path} for path in ("hex", "/usr/bin/env", str(bot), str(more))]
            player = {"text": text, "name": "it", "programs": programs}
            self.assertEqual(commands.travelling(player, lambda path: f"@{path.name}"),
                             f"{expected} ;; name=it")

    def test_the_worst_clock_noise_of_a_node_is_reported(self) -> None:
        job = {"node": "a/1", "worst_gap_ms": 0.4, "lost_share": 0.015, "late_p99_ms": 0.2,
               "late_max_ms": 3.1}
        worse = job | {"worst_gap_ms": 0.9, "late_max_ms": None}
        self.assertEqual(
            commands.noise_of_nodes([job, worse, {"node": "a/1"}]),
            "clock noise of node a/1, 3 pairs: before, gaps of at most 0.9 ms, 1.5 % of the time "
            "lost; during, sleepers woken 0.2 ms late (p99), 3.1 ms at most\n")

    def test_a_shard_of_another_run_and_a_damaged_one_are_refused(self) -> None:
        words = ["--out", str(self.folder), "--side", "6", "--shards", "2", "--games", "2",
                 "--simulations", "50", "--fast-simulations", "20", "--playouts-only"]
        hex_on_one_machine("lab", "selfplay", *words)
        shard = self.folder / "000001.bin"
        contents, stub = shard.read_bytes(), unittest.mock.Mock(hex=HEX)

        def begin(*more: str) -> tuple[int, list[int]]:
            return Selfplay(stub, Selfplay.read([*words, *more]), go_on).begin()

        self.assertEqual(begin("--shards", "4"), (4, [2, 3]))
        with self.assertRaisesRegex(checkpoint.RunError, "000000.bin is a shard of another run"):
            begin("--seed", "7")
        shard.write_bytes(contents[:-1])
        with self.assertRaisesRegex(checkpoint.RunError, "000001.bin is damaged"):
            begin()

    def test_what_is_out_and_done_again_is_reported(self) -> None:
        progress = Progress(10, 2, "shards")
        self.assertEqual(progress.state(1, 1), "1 node, 1 jobs out")
        progress.lost = 1
        progress.add("a/1")
        self.assertEqual(progress.state(3, 4), "3 nodes, 4 jobs out, 1 done again")
        progress.finish()
        self.assertRegex(self.errors.getvalue(), "^3/10 shards in .* 1 jobs done again.* a/1 1\n$")

    def test_wrong_arguments_end_with_2(self) -> None:
        self.assertEqual(main(["fly"]), 2)
        out = str(self.folder / "run")
        self.assertEqual(main(["selfplay", "--out", out, "--hex", "no-such-program"]), 2)
        self.assertIn("no-such-program is no program: cargo build", self.errors.getvalue())
        self.assertFalse((self.folder / "run").exists())

    def test_a_job_travels_to_a_python_without_this_project(self) -> None:
        for module in (job, children):
            ray.cloudpickle.register_pickle_by_value(module)
        packed = self.folder / "job"
        packed.write_bytes(ray.cloudpickle.dumps(job.run))
        script = ("import pickle, sys; run = pickle.load(open('job', 'rb'));"
                  "print(run.__name__, [name for name in sys.modules if name.startswith('train')])")
        said = subprocess.run([sys.executable, "-I", "-c", script], cwd=self.folder, check=True,
                              capture_output=True, text=True)
        self.assertEqual(said.stdout, "run []\n")

    def test_what_travels_is_told_by_names_contents_and_rights_alone(self) -> None:
        def packed(name: str, contents: str = "1", mode: int = 0o700, changed: int = 0) -> bytes:
            path = self.folder / str(changed) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(contents, encoding="utf-8")
            path.chmod(mode)
            os.utime(path, (changed, changed))
            top = path.relative_to(self.folder / str(changed)).parts[0]
            return ray_cluster.packed(self.folder / str(changed) / top)

        self.assertEqual(packed("hex", changed=5), packed("hex", changed=7))
        self.assertEqual(packed("deep/a", changed=5), packed("deep/a", changed=7))
        others = {packed("hex"), packed("old"), packed("hex", mode=0o600), packed("hex", "2"),
                  packed("deep/a"), packed("deep/b")}
        self.assertEqual(len(others), 6)

    def test_old_files_are_forgotten(self) -> None:
        for name, age in (("old", job.KEPT_SECONDS + 10), ("new", 10)):
            (self.folder / name).mkdir()
            then = (self.folder / name).stat().st_mtime - age
            os.utime(self.folder / name, (then, then))
        job.forget_old_files(self.folder)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["new"])
