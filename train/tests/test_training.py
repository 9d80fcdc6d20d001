"""Learning, export and both loops, as small as can be; `hex` is played by a function here."""

import json
import os
import shutil
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch

from train import __main__ as command
from train import chart, checkpoint, data, export, plot, train
from train.integers import INT16, LOGIT_UNITS, QuantisedNetwork
from train.losses import LossOptions, losses
from train.model import ACTIVATION_MAX, SMALL_ACTIVATION, Activation, Network, Shape, SoftOutput
from train.pairing import matching, paired
from train.tests.support import CPU, SMALL, Folder, parsed, records, seeded, write_shard


def network_of(seed: int, *shape: Any) -> Network:
    """A network of random weights."""
    torch.manual_seed(seed)
    return Network(Shape(*shape))


def exported() -> tuple[Network, QuantisedNetwork]:
    """A small network, and what it becomes in whole numbers."""
    network = network_of(3, 16, 5, (2,), 5, 8).eval()
    return network, QuantisedNetwork.of(network, export.random_planes(11, 8, seed=2))


def gradient_of(weight: torch.Tensor) -> torch.Tensor:
    """The gradient of what took part in a loss."""
    assert weight.grad is not None
    return weight.grad


class Shards(Folder):
    def test_a_shard_is_read_as_it_was_written(self) -> None:
        path, written = self.folder / "000000.bin", records(60, 1)
        write_shard(path, written)
        shard = data.open_shard(str(path))
        self.assertEqual(shard.side, 3)
        self.assertEqual(shard.records.tobytes(), written.tobytes())
        # A game is for learning or for validation as a whole.
        learning = set(shard.records["game"][shard.learning])
        held_out = set(shard.records["game"][shard.held_out])
        self.assertFalse(learning & held_out)
        self.assertEqual(learning | held_out, set(range(60)))

    def test_a_shard_cut_short_and_what_is_none_are_told_and_left_out(self) -> None:
        path = self.folder / "000000.bin"
        write_shard(path, records(4, 1))
        path.write_bytes(path.read_bytes()[:-5])
        with self.assertRaisesRegex(data.ShardError, "000000.bin: .* records of"):
            data.open_shard(str(path))
        (self.folder / "000001.bin").write_bytes(bytes(498))
        with self.assertRaisesRegex(data.ShardError, "000001.bin: not a shard"):
            data.open_shard(str(self.folder / "000001.bin"))
        window = data.Window([str(self.folder)], 1000, data.SampleOptions(), CPU)
        window.refresh()
        self.assertEqual(window.sizes(), {})
        self.assertEqual(self.errors.getvalue().count("left out"), 2)


class Targets(unittest.TestCase):
    def test_policies_count_by_their_simulations(self) -> None:
        some = records(2, 1)[:2]
        some["visits"], some["kind"], some["value"] = [100, 900], 0, 30000
        batch = data.batch_of(some, data.SampleOptions(half_visits=100), CPU)
        self.assertEqual(batch.policy_weight.tolist(), [0.5, np.float32(0.9)])
        self.assertEqual(batch.weight.tolist(), [1, 1])

    def test_the_soft_policy_is_the_policy_flattened(self) -> None:
        some = records(2, 1)[:2]
        batch = data.batch_of(some, data.SampleOptions(), CPU)
        target = (batch.policy + 1e-7) ** 0.25 * batch.legal
        logits = (target / target.sum(1, keepdim=True)).log().clamp(min=-1e4)
        cells = torch.zeros_like(batch.policy)

        def loss(soft: torch.Tensor, weight: float) -> float:
            output = SoftOutput(cells, torch.zeros(2), cells, soft)
            return float(losses(output, batch, LossOptions(soft_policy_weight=weight))["loss"])

        self.assertAlmostEqual(loss(logits, 3), loss(logits, 0), places=5)
        sharper = logits + 5 * (batch.legal.cumsum(1) == 1)
        self.assertGreater(loss(sharper, 1), loss(logits, 1) + 0.1)

    def test_a_network_of_before_the_soft_policy_is_taken_up(self) -> None:
        before = Network(Shape(channels=4, layers=3, pool=(1,))).state_dict()
        network = Network(Shape(channels=4, layers=3, pool=(1,), soft_policy=True))
        network.warm_start(before)
        policy, owner, soft = network.heads.weight
        self.assertTrue(torch.equal(policy, before["heads.weight"][0]))
        self.assertTrue(torch.equal(owner, before["heads.weight"][1]))
        self.assertTrue(torch.equal(soft, policy / 4))


class Chart(Folder):
    def test_draws_curves_in_the_readers_colours_and_names_bad_files(self) -> None:
        file, picture = self.folder / "chart.json", self.folder / "chart.svg"
        curves = [{"label": "computed", "points": [[1, 1], [2, 1.9]], "line": "-"},
                  {"label": "measured", "points": [[2, 1.7], [2, 1.8]]}]
        file.write_text(json.dumps({"title": "a", "x": "threads", "y": "gain", "curves": curves}))
        self.assertEqual(chart.main([str(file), "-o", str(picture)]), 0)
        # Paper and text are those of the reader's scheme, and neither colour is left beside it.
        head, body = picture.read_text().split("</style>", 1)
        self.assertIn("prefers-color-scheme: dark", head)
        self.assertRegex(body, r"fill: var\(--paper\)(.|\n)*fill: var\(--ink\)")
        self.assertNotRegex(body, "#ffffff|#000000")
        # Words are drawn as shapes, with themselves as comments.
        for word in ("computed", "measured", "threads", "gain"):
            self.assertIn(f"<!-- {word} -->", body)
        file.write_text("[]")
        self.assertEqual(chart.main([str(file), "-o", str(picture)]), 2)
        self.assertIn("chart.json", self.errors.getvalue())


class WarmStart(Folder):
    def setUp(self) -> None:
        super().setUp()
        self.small = network_of(5, 8, 3, (1,), 5, 4)

    def test_added_blocks_change_nothing_at_first(self) -> None:
        grown = Network(Shape(8, 7, (1, 6), 5, 4))
        grown.warm_start(self.small.state_dict())
        planes = torch.rand(5, 2, 7, 7).round()
        outputs = (vars(network(planes)).values() for network in (grown, self.small))
        for ours, theirs in zip(*outputs, strict=True):
            self.assertTrue(torch.equal(ours, theirs))
        # And they can learn.
        grown(planes).value.sum().backward()
        self.assertGreater(float(gradient_of(grown.convolutions[4].weight).abs().max()), 0)

    def test_what_does_not_fit_is_refused(self) -> None:
        for shape in (Shape(8, 4, (1,), 5, 4), Shape(12, 3, (1,), 5, 4), Shape(8, 1, (), 5, 4)):
            with self.assertRaises(ValueError):
                Network(shape).warm_start(self.small.state_dict())

    def test_a_warm_start_takes_the_shape_and_refuses_another_in_one_sentence(self) -> None:
        run, shape = self.folder / "small", self.small.shape
        checkpoint.save(run, {"shape": shape.as_dict(), "average": self.small.state_dict()})
        words = ["--data", self.folder, "--out", self.folder / "new", "--init", run]
        self.assertEqual(train.Trainer(parsed(*words)).shape, shape)
        with self.assertRaisesRegex(checkpoint.RunError, "^.{,300}leave --channels.{,100}$"):
            train.Trainer(parsed(*words, "--hidden", 5))


class WeightL1(unittest.TestCase):
    def test_it_measures_whole_weights_and_falls_when_they_shrink(self) -> None:
        network = network_of(5, 8, 3, (1,), 5, 4)
        l1 = network.weight_l1()
        before = float(l1.detach())
        self.assertTrue(1 < before < 15, l1)
        l1.backward()
        with torch.no_grad():
            for parameter in network.parameters():
                if parameter.grad is not None:
                    parameter.sub_(0.01 * parameter.grad)
        self.assertLess(float(network.weight_l1().detach()), before)

    def test_it_pulls_on_young_weights_no_harder_than_on_grown_ones(self) -> None:
        network = network_of(5, 8, 5, (1,), 5, 4)
        with torch.no_grad():
            network.convolutions[4].weight.mul_(1e-4)
        network.weight_l1().backward()
        grown, young = (gradient_of(network.convolutions[i].weight).abs().max() for i in (3, 4))
        self.assertLess(float(young), 1.5 * float(grown))


class Activity(unittest.TestCase):
    def test_it_pulls_as_its_formula_does_and_on_what_is_between_the_ends_alone(self) -> None:
        torch.manual_seed(5)
        inputs = (100 * torch.randn(50)).round()
        by_hand, automatic = (inputs.clone().requires_grad_() for _ in range(2))
        Activation.apply(by_hand * 1, 3.0).sum().backward()
        x = automatic.clamp(0, ACTIVATION_MAX)
        (x.sum() + 3.0 * torch.log(1 + x / SMALL_ACTIVATION).mean()).backward()
        gradient = gradient_of(by_hand)
        torch.testing.assert_close(gradient, automatic.grad)
        self.assertTrue(0 < int((gradient > 1).sum()) < 50)


class Precision(Folder):
    def test_a_processor_without_bfloat16_computes_in_float32_unless_told_otherwise(self) -> None:
        write_shard(self.folder / "a.bin", records(4, 1))
        for capabilities, words, expected in [
            ({"avx2": True, "avx512_bf16": False}, [], False),
            ({"avx512_bf16": True}, [], True),
            ({"bf16": True}, [], True),
            ({"avx2": True}, ["--bf16"], True),
            ({"avx512_bf16": True}, ["--no-bf16"], False),
        ]:
            with (
                self.subTest(capabilities=capabilities, words=words),
                mock.patch.object(torch.cpu, "get_capabilities", lambda of=capabilities: of),
            ):
                options = parsed("--data", self.folder, "--out", self.folder / "run", *words)
                self.assertEqual(train.Trainer(options).bf16, expected)
        self.assertTrue(train.computes_bfloat16(torch.device("cuda")))


class Compiled(unittest.TestCase):
    def setUp(self) -> None:
        # The last layer is residual and pooled. Time goes by the kinds of passes, not by sizes.
        self.network = network_of(5, 8, 3, (2,), 5, 4)
        self.network.activity = 0.02

    def learnt(self, evaluate: Callable[[torch.Tensor], Any]) -> list[torch.Tensor]:
        """Returns the outputs of 16 positions and the gradient of their sum."""
        planes = torch.rand(16, 2, 7, 7, generator=seeded(1)).round()
        found = list(vars(evaluate(planes)).values())
        self.network.zero_grad()
        torch.cat([part.flatten() for part in found]).sum().backward()
        gradients = [p.grad for p in self.network.parameters() if p.grad is not None]
        return [part.detach() for part in found + gradients]

    @unittest.skipIf(shutil.which("g++") is None, "there is no C++ compiler")
    def test_machine_code_computes_the_same(self) -> None:
        # With vectors of 256 bits, where there are any: to try all widths takes ten seconds.
        widths = torch._inductor.config.patch({"cpp.simdlen": 256, "cpp.vec_isa_ok": True})
        with widths:
            compiled = self.learnt(train.compiled(self.network))
        for ours, plain in zip(compiled, self.learnt(self.network), strict=True):
            torch.testing.assert_close(ours, plain, rtol=1e-3, atol=1e-3)

    def test_a_missing_compiler_is_named(self) -> None:
        with mock.patch.dict(os.environ, {"CXX": "no-such-compiler"}), self.assertRaisesRegex(
            checkpoint.RunError, "no-such-compiler"
        ):
            train.compiled(self.network)


class Exporting(Folder):
    def setUp(self) -> None:
        super().setUp()
        write_shard(self.folder / "000000.bin", records(60, 1))
        self.run_folder, self.out = self.folder / "run", self.folder / "out" / "a.weights"

    def train(self, out: Path) -> int:
        """Learns and exports; returns the exit status."""
        words = ["--data", str(self.folder), "--out", str(self.run_folder), "--steps", "2", *SMALL]
        return train.main([*words, "--export", str(out), "--id", "some name"])

    def test_the_learner_exports_what_the_command_does(self) -> None:
        self.assertEqual(self.train(self.out), 0)
        exported = self.out.read_bytes()
        self.assertTrue(exported.endswith(b"some name\nrun, step 2, 32 positions"))
        words = [str(self.run_folder), "-o", str(self.out), "--id", "some name"]
        self.out.unlink()
        self.assertEqual(export.main(words), 0)
        self.assertEqual(self.out.read_bytes(), exported)
        # A run that is stopped is not over.
        self.out.unlink()
        with mock.patch.object(train.Trainer, "work", lambda run: setattr(run, "stop", True)):
            self.assertEqual(self.train(self.out), checkpoint.INTERRUPTED)
        self.assertFalse(self.out.exists())

    def test_the_source_is_written_into_when_asked_alone(self) -> None:
        source = self.folder / "source"
        out = source / "src/network/shipped.weights"
        self.train(self.out)
        with mock.patch.object(checkpoint, "ROOT", source):
            self.assertEqual(export.main([str(self.run_folder), "-o", str(out)]), 2)
            self.assertEqual(self.train(out), 2)
            self.assertEqual(self.errors.getvalue().count("RUN --ship writes there"), 2)
            self.assertFalse(source.exists())
            self.assertEqual(export.main([str(self.run_folder), "--ship"]), 0)
        vectors = (source / "tests/data/network.txt").read_text(encoding="utf-8")
        checksum = int.from_bytes(out.read_bytes()[4:8], "little")
        self.assertIn(f"# checksum {checksum:#010x}", vectors)


class Exported(unittest.TestCase):
    def test_whole_numbers_follow_the_learning_network(self) -> None:
        network, quantised = exported()
        value, policy = export.largest_difference(network, quantised, seed=1)
        self.assertLess(max(value, policy), 0.3)
        text = export.vectors(quantised, seed=1)
        logits = [int(word) for word in text.split() if word.lstrip("-").isdigit()]
        self.assertGreater(max(logits) - min(logits), LOGIT_UNITS / 4)

    def test_an_output_with_nothing_to_say_loses_its_weights(self) -> None:
        network, _ = exported()
        with torch.no_grad():
            for weight in (network.convolutions[3].weight, network.value_hidden.weight):
                weight[2] *= 1e-7
        quantised = QuantisedNetwork.of(network, export.random_planes(11, 8, seed=2))
        for weights in (quantised.layers[3].weights, quantised.hidden.weights):
            silent = (weights.reshape(len(weights), -1) == 0).all(1)
            self.assertEqual(np.flatnonzero(silent).tolist(), [2])
        value, policy = export.largest_difference(network, quantised, seed=1)
        self.assertLess(max(value, policy), 0.3)

    def test_weights_are_coarser_where_a_sum_would_wrap_around(self) -> None:
        network, fine = exported()
        with torch.no_grad():
            # Everything is 127 after the first layer. So an output that adds it all up has a sum of
            # 7 · 16 · 15 · 127, which is six times what 16 bits hold.
            network.biases[0][:] = 4.0
            network.convolutions[1].weight[5] = 0.02
        coarse = QuantisedNetwork.of(network, export.random_planes(11, 8, seed=2))
        value, policy = export.largest_difference(network, coarse, seed=1)
        self.assertLess(max(value, policy), 0.5)
        changed = coarse.layers[1].multipliers != fine.layers[1].multipliers
        self.assertEqual(np.flatnonzero(changed).tolist(), [5])

    def test_a_sum_that_would_wrap_around_is_refused(self) -> None:
        _, quantised = exported()
        planes = export.random_planes(11, 4, seed=1)
        first, second = quantised.layers[:2]
        # The first layer makes 127 of everything, 7 · 16 · 127 · 2 fits and 3 does not.
        first.weights[:], first.biases[:], first.multipliers[:] = 0, INT16.max, 2**15 - 1
        second.weights[:] = 2
        quantised.logits(planes)
        second.weights[:] = -3
        with self.assertRaisesRegex(ValueError, "42672 and wraps around"):
            quantised.logits(planes)


class Paired(unittest.TestCase):
    def test_channels_that_go_together_become_pairs_and_the_logits_stay(self) -> None:
        _, network = exported()
        planes = export.random_planes(5, 40, seed=4)
        ordered = paired(network, planes)

        def pairs(of: QuantisedNetwork) -> int:
            layers = (x.reshape(-1, 8, 2).any(2) for x in of.activations(planes))
            return sum(int(layer.sum()) for layer in layers)

        self.assertLess(pairs(ordered), 0.99 * pairs(network))
        for one, other in zip(network.logits(planes), ordered.logits(planes), strict=True):
            np.testing.assert_array_equal(one, other)

    def test_the_heaviest_matching_is_found_and_a_channel_may_stay_over(self) -> None:
        weights = np.zeros((5, 5))
        for a, b, weight in ((0, 1, 3), (0, 3, 2), (1, 4, 2), (2, 3, 1)):
            weights[a, b] = weights[b, a] = weight
        order = matching(weights)
        pairs = sorted(map(sorted, (order[:2].tolist(), order[2:4].tolist())))
        self.assertEqual(pairs, [[0, 3], [1, 4]])
        self.assertEqual(sorted(order.tolist()), [0, 1, 2, 3, 4])


class Learning(Folder):
    """Whole runs of the command, of four steps."""

    def setUp(self) -> None:
        super().setUp()
        write_shard(self.folder / "000000.bin", records(60, 1))

    def words(self, name: str) -> list[str]:
        out = str(self.folder / name)
        return ["--data", str(self.folder), "--out", out, "--steps", "4", *SMALL]

    def test_a_stopped_run_ends_where_a_whole_one_does(self) -> None:
        self.assertEqual(train.main(self.words("whole")), 0)
        learn = train.Trainer.learn

        def signalled(run: train.Trainer) -> dict[str, torch.Tensor]:
            run.stop = run.step == 1
            return learn(run)

        with mock.patch.object(train.Trainer, "learn", signalled):
            status = train.main(self.words("stopped"))
        self.assertEqual(status, checkpoint.INTERRUPTED)
        self.assertEqual(checkpoint.load(self.folder / "stopped")["step"], 2)
        self.assertEqual(train.main(self.words("stopped")), 0)
        whole, stopped = (checkpoint.load(self.folder / name) for name in ("whole", "stopped"))
        self.assertEqual((whole["step"], stopped["step"]), (4, 4))
        for part in ("network", "average"):
            for name, values in whole[part].items():
                self.assertTrue(torch.equal(values, stopped[part][name]), f"{part} {name}")
        words = [str(self.folder / "whole"), "-o", str(self.folder / "a.svg")]
        self.assertEqual(plot.main(words), 0)

    def test_others_find_the_folder_in_use(self) -> None:
        out, looks, hex_program = str(self.folder / "run"), 0, self.script("exit 0")

        def looking(step: Callable[..., Any]) -> Callable[..., Any]:
            def looked(*arguments: Any) -> Any:
                nonlocal looks
                self.assertEqual(train.main(["--data", ".", "--out", out]), 2)
                self.assertEqual(command.main(["5x5", "--hex", hex_program, "--out", out]), 2)
                looks += 1
                return step(*arguments)
            return looked

        with (mock.patch.object(train.Trainer, "learn", looking(train.Trainer.learn)),
              mock.patch.object(train.Trainer, "save", looking(train.Trainer.save))):
            self.assertEqual(train.main(self.words("run")), 0)
        self.assertEqual(looks, 5)
        said = self.errors.getvalue().count(f"{out} is in use by another process")
        self.assertEqual(said, 2 * looks)
        with checkpoint.run_lock(Path(out)):
            pass

    def test_a_folder_that_cannot_be_is_named(self) -> None:
        (self.folder / "run").write_text("a file")
        self.assertEqual(train.main(self.words("run")), 2)
        self.assertIn(f"cannot write into the folder {self.folder}/run: ", self.errors.getvalue())
