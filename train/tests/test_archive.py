"""Whole games as shards, positions drawn from them, and the study beside them."""

import gzip
import re
from pathlib import Path

import numpy as np
import torch

from train.archive import (
    CELLS,
    COLUMNS,
    HEADER,
    LENGTHS,
    MAGIC,
    SIDE,
    VERSION,
    Archive,
    Games,
    GameWindow,
    Study,
    positions_of,
    read_games,
    searched_positions,
)
from train.data import EMPTY, HOLD_OUT, MOVER, OPPONENT, SampleOptions, ShardError
from train.study import StudyError
from train.tests.support import CPU, SMALL, Folder, parsed, seeded
from train.train import Trainer

SHARDS_MD = Path(__file__).resolve().parents[1] / "shards.md"


def some_games(count: int, seed: int) -> Games:
    """Random games of 20 to 60 moves, each with a search at ply 7 and one three moves behind it."""
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(CELLS) for _ in range(count)]
    lengths = rng.integers(20, 61, count)
    games = {
        "length": lengths, "flags": rng.integers(0, 2, count),
        "cool_from": rng.integers(1, 15, count),
        "moves": np.concatenate([o[:n] for o, n in zip(orders, lengths, strict=True)]),
        "red_wins": rng.integers(0, 256, lengths.sum()),
        "search_game": np.repeat(np.arange(count), 2), "search_ply": np.full(2 * count, 7),
        "search_value": rng.integers(0, 65536, 2 * count),
        "search_visits": np.full(2 * count, 600), "variations": np.tile([0, 3], count),
        "candidates": np.full(2 * count, 2), "share": np.tile([200, 55], 2 * count),
        "variation": np.concatenate([o[70:73] for o in orders]),
        "candidate": np.concatenate([o[80:84] for o in orders]),
    }
    return Games(*(torch.from_numpy(games[name].astype(kind.in_memory))
                   for name, kind in COLUMNS.items()))


def write(path: Path, games: Games) -> None:
    """A shard as `hex lab selfplay --policy` writes it."""
    columns = [(kind, getattr(games, name).numpy()) for name, kind in COLUMNS.items()]
    counts = {kind.of: len(column) for kind, column in columns}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(HEADER.pack(MAGIC, VERSION, SIDE, *(counts[of] for of in LENGTHS), 1)
                     + b"".join(column.astype(kind.in_file).tobytes() for kind, column in columns))


def board_after(moves: list[int], to_move: int) -> list[int]:
    """Returns the board cell after cell, as the player who moves next sees it."""
    board = [EMPTY] * CELLS
    for ply, cell in enumerate(moves):
        row, column = divmod(int(cell), SIDE)
        seen = cell if to_move == 0 else column * SIDE + row
        board[seen] = MOVER if ply % 2 == to_move else OPPONENT
    return board


def window_of(folder: Path, games: int = 10_000) -> GameWindow:
    """A window of the games in a folder."""
    window = GameWindow([str(folder)], games, SampleOptions(), CPU)
    window.refresh()
    return window


class Shards(Folder):
    def test_columns_are_those_that_are_documented(self) -> None:
        text = SHARDS_MD.read_text(encoding="utf-8").partition("## Shards of games")[2]
        rows = re.findall(r"^\| [^|]+ \| ([a-z ]+) \| (\d) \|", text, re.M)
        ours = [(kind.of, str(np.dtype(kind.in_file).itemsize)) for kind in COLUMNS.values()]
        self.assertEqual(rows, ours)

    def test_a_shard_is_read_as_it_was_written(self) -> None:
        games, path = some_games(9, 1), self.folder / "00000000.games"
        write(path, games)
        read = read_games(path)
        for name in COLUMNS:
            self.assertTrue(torch.equal(getattr(read, name), getattr(games, name)), name)
        path.write_bytes(path.read_bytes()[:-1])
        with self.assertRaisesRegex(ShardError, "too few"):
            read_games(path)

    def test_the_window_has_the_newest_and_deletes_nothing(self) -> None:
        for number in (8, 9, 10, 11):
            write(self.folder / f"g{number}" / "000000.games", some_games(10, number))
        window = window_of(self.folder, games=25)
        paths = [str(self.folder / f"g{number}" / "000000.games") for number in (9, 10, 11)]
        self.assertEqual(window.state(), [(path, 10) for path in paths])
        self.assertEqual((window.sizes(), len(list(self.folder.rglob("*.games")))), ({SIDE: 30}, 4))
        # Shards that somebody else writes or spoils later are seen, too.
        write(self.folder / "g12" / "000000.games", some_games(30, 12))
        (self.folder / "g13.games").write_bytes(b"nonsense")
        for _ in range(2):
            window.refresh()
            self.assertEqual(window.sizes(), {SIDE: 30})
        self.assertEqual(self.errors.getvalue().count("g13.games: not a shard"), 1)

    def test_what_is_held_out_is_never_learnt_from(self) -> None:
        count = 20 * HOLD_OUT
        write(self.folder / "000000.games", some_games(count, 1))
        window = window_of(self.folder)
        games = window.games
        assert games is not None
        held = set(games.search_game[games.held_out_searches].tolist())
        self.assertTrue(10 < len(held) < 30, held)
        for learnt in (games.learning, games.search_game[games.searches]):
            self.assertFalse(held & set(learnt.tolist()))
        self.assertEqual(len(games.searches) + len(games.held_out_searches), 2 * count)
        (batches,) = window.held_out().values()
        self.assertEqual(sum(len(batch.value) for batch in batches), 2 * len(held))


class Drawing(Folder):
    def setUp(self) -> None:
        super().setUp()
        self.parts = [some_games(20, 3), some_games(20, 4)]
        self.games = Archive(self.parts, CPU)

    def window(self) -> GameWindow:
        for number, part in enumerate(self.parts):
            write(self.folder / f"{number:08}.games", part)
        return window_of(self.folder)

    def moves(self, game: int) -> list[int]:
        start = self.games.start[game]
        return self.games.moves[start : start + self.games.length[game]].tolist()

    def test_positions_are_those_of_the_game(self) -> None:
        chosen = torch.randint(40, (100,), generator=seeded(5))
        plies = (torch.rand(100, generator=seeded(6)) * self.games.length[chosen]).long()
        positions = positions_of(self.games, chosen, plies)
        for at, (game, ply) in enumerate(zip(chosen.tolist(), plies.tolist(), strict=True)):
            moves, to_move = self.moves(game), ply % 2
            self.assertEqual(positions.stones[at].tolist(), board_after(moves[:ply], to_move))
            self.assertEqual(positions.owner[at].tolist(), board_after(moves, to_move))
            self.assertEqual(bool(positions.result[at]), int(self.games.flags[game]) % 2 == to_move)

    def test_searches_are_seen_by_who_moves_there(self) -> None:
        positions = searched_positions(self.games, torch.arange(80), 0.5)
        for at in range(80):
            game, further = at // 2, 3 * (at % 2)
            variation = self.games.variation[3 * game : 3 * game + further].tolist()
            moves = self.moves(game)[:7] + variation
            to_move = len(moves) % 2
            self.assertEqual(positions.stones[at].tolist(), board_after(moves, to_move))
            best, second = self.games.candidate[2 * at : 2 * at + 2].tolist()
            seen = [c if to_move == 0 else c % SIDE * SIDE + c // SIDE for c in (best, second)]
            self.assertEqual(positions.policy[at].argmax(), seen[0])
            self.assertAlmostEqual(float(positions.policy[at][seen[1]]), 55 / 255, places=5)
            is_cool = self.games.cool_from[game] <= 7
            self.assertEqual(positions.result_known[at], is_cool and not further)
            search = float(self.games.search_value[at]) / 65535
            self.assertAlmostEqual(float(positions.value[at]), search, places=4)
            self.assertEqual(positions.result_share[at], 0.5)

    def test_results_teach_no_hot_plies(self) -> None:
        window = self.window()
        assert window.games is not None
        drawn = window.unsearched(window.games, 2000, seeded(1))
        stones = (drawn.stones != EMPTY).sum(1)
        self.assertGreaterEqual(stones.min(), self.games.cool_from.min())
        self.assertLess(stones.min(), 10)

    def test_a_batch_is_what_the_network_takes(self) -> None:
        batch = self.window().batch(64, np.random.default_rng(1))
        self.assertEqual(tuple(batch.planes.shape), (64, 2, SIDE + 2, SIDE + 2))
        self.assertEqual(int((batch.policy_weight > 0).sum()), 32)
        self.assertTrue(bool((batch.policy[~batch.legal] == 0).all()))


class Learning(Folder):
    def trainer(self, *more: str) -> Trainer:
        return Trainer(parsed("--data", self.folder, "--out", self.folder / "run", "--whole-games",
                              *SMALL, *more))

    def test_a_run_goes_on_with_the_games_that_it_had(self) -> None:
        write(self.folder / "000000.games", some_games(60, 1))
        whole = self.trainer()
        whole.learn()
        whole.save()
        whole.learn()
        whole.validate()
        # What comes later is seen only when it would have been seen without the stop.
        write(self.folder / "000001.games", some_games(60, 2))
        resumed = self.trainer()
        self.assertEqual((resumed.step, resumed.window.sizes()), (1, {SIDE: 60}))
        resumed.learn()
        for name, weights in whole.network.state_dict().items():
            self.assertTrue(torch.equal(weights, resumed.network.state_dict()[name]), name)
        # The rate asked for today counts.
        faster = self.trainer("--rate", "0.03")
        faster.learn()
        rates = [trainer.optimiser.param_groups[0]["lr"] for trainer in (faster, resumed)]
        self.assertAlmostEqual(rates[0] / rates[1], 10)
        write(self.folder / "000000.games", some_games(50, 1))
        with self.assertRaisesRegex(ShardError, "000000.games: 50 records, 60 at the last stop"):
            self.trainer()
        (self.folder / "000000.games").unlink()
        with self.assertRaisesRegex(ShardError, "000000.games and 0 more are gone"):
            self.trainer()

    def test_the_kind_of_shards_that_is_missing_is_told(self) -> None:
        with self.assertRaisesRegex(ShardError, "no whole games in .*--policy"):
            self.trainer().learn()
        write(self.folder / "000000.games", some_games(10, 1))
        with self.assertRaisesRegex(ShardError, "no positions in .*: add --whole-games"):
            self.trainer("--no-whole-games").learn()

    def test_shares_of_a_batch_are_no_more_than_all_of_it(self) -> None:
        study = self.folder / "study.tsv"
        study.write_text("a2\t500\t\n", encoding="utf-8")
        self.trainer("--searched", "1")
        with self.assertRaisesRegex(ShardError, "--study-share 0.7 are more than 1 together"):
            self.trainer("--searched", "0.4", "--study", str(study), "--study-share", "0.7")


class TheStudy(Folder):
    def study(self, text: str) -> Study:
        path = self.folder / "study.tsv.gz"
        path.write_bytes(gzip.compress(text.encode()))
        return Study(path, CPU)

    def test_values_are_the_movers_and_policies_need_most_of_the_priors(self) -> None:
        study = self.study("a2 k11 b1\t900\tc3:800:950 d4:100:\na1\t250\t\n")
        positions = searched_positions(study.games, torch.arange(2), 0)
        # Blue moves in both.
        self.assertAlmostEqual(float(positions.value[0]), 0.1, places=3)
        self.assertAlmostEqual(float(positions.value[1]), 0.75, places=3)
        self.assertEqual(positions.policy[0].argmax(), 2 * SIDE + 2)
        self.assertEqual(positions.policy[1].sum(), 0)
        self.assertEqual(positions.stones[0].tolist(), board_after([SIDE, CELLS - 1, 1], 1))
        self.assertTrue((study.sample(5, seeded(1)).owner == EMPTY).all())

    def test_rare_win_rates_come_up_as_often_as_common_ones(self) -> None:
        study = self.study("a2\t970\t\n" * 28 + "b4\t1000\t\na10\t500\t\n")
        even = int((study.sample(400, seeded(1)).value - 0.5).abs().lt(0.01).sum())
        self.assertTrue(160 < even < 240, even)

    def test_a_bad_line_is_named_and_an_empty_study_refused(self) -> None:
        with self.assertRaisesRegex(StudyError, "study.tsv.gz, line 2: 'z99'"):
            self.study("a2\t900\t\nz99\t1\t\n")
        with self.assertRaisesRegex(StudyError, "study.tsv.gz has no positions"):
            self.study("")
