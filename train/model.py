"""The network in floating point, as it learns, with the rounding of the integers it becomes.

Seven-tap convolutions over the hexagonal neighbourhood, residual blocks of two, at some layers a
bias per channel from the whole board (global pooling), a policy head and a value head;
docs/network.md draws it. Activations are whole multiples of `ACTIVATION_STEP` from 0 to
`ACTIVATION_MAX`. The network learns with fake quantisation: it rounds weights and activations as
the bot will, and the gradient passes through the rounding as if there were none
(straight-through estimator). What is measured here is therefore what is shipped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

import torch
from torch import nn
from torch.nn import functional as F

# Offsets (row, column) of a cell and its six neighbours, the taps of a convolution.
TAP_OFFSETS = ((0, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
INPUT_PLANES = 2

# Activations are 7-bit: 0 to ACTIVATION_MAX steps of this size, so 0 to about 4. All these whole
# numbers are exact in bfloat16 too.
ACTIVATION_STEP = 1 / 32
ACTIVATION_MAX = 127

# The second layer of a residual block is initialised this much smaller than others, so that a deep
# network without normalisation begins close to a shallow one.
RESIDUAL_GAIN = 0.2

# The scale of a quantised weight in most outputs, or somewhat less. The gradient of
# `Network.weight_l1` grows as scales shrink; below this scale it grows no further, or it would pull
# down young blocks before they have learnt.
L1_MIN_SCALE = 0.03

# The soft policy is the policy's target to this power: see `losses`.
SOFT_POWER = 0.25

# Activations of this many steps are small: see `Activation`.
SMALL_ACTIVATION = 4

# The logit of cells that are not empty: its exp is 0, and it is no infinity to make a NaN of.
MASKED_LOGIT = -1e4


@dataclass(frozen=True)
class Shape:
    """The architecture of a network: two networks of one shape have the same parameters."""

    channels: int = 32
    layers: int = 9  # convolutions before the heads
    pool: tuple[int, ...] = (3, 6)  # layers with a bias from the whole board, never layer 0
    bits: int = 5  # of a weight, sign included, 3 to 6
    hidden: int = 32  # neurons of the value head
    soft_policy: bool = False  # learns the soft policy, too: see `losses`

    def __post_init__(self) -> None:
        if not 3 <= self.bits <= 6:
            raise ValueError(f"{self.bits} bits a weight: 3 to 6 are possible")
        if self.channels < 1 or self.layers < 1 or self.hidden < 1:
            raise ValueError(f"{self}: channels, layers and hidden neurons are at least 1")
        if any(not 1 <= layer < self.layers for layer in self.pool):
            raise ValueError(f"pooling at layers {self.pool}: 1 to {self.layers - 1} are possible")

    @staticmethod
    def from_dict(saved: dict[str, Any]) -> "Shape":
        """Returns the shape that `as_dict` has written, in this version or an earlier one."""
        # Earlier ones could tie weights in pairs; without the ties they compute the same.
        known = {name: value for name, value in saved.items() if name != "equivariant"}
        return Shape(**(known | {"pool": tuple(saved["pool"])}))

    @property
    def weight_max(self) -> int:
        """The largest quantised weight; the smallest is its negative."""
        return (1 << (self.bits - 1)) - 1

    def weights(self) -> int:
        """Returns the number of weights that are shipped, without multipliers and biases."""
        c, taps = self.channels, len(TAP_OFFSETS)
        convolutions = c * taps * INPUT_PLANES + (self.layers - 1) * c * taps * c
        return convolutions + len(self.pool) * c * 2 * c + taps * c + self.hidden * (2 * c + 1)

    def as_dict(self) -> dict[str, Any]:
        """Returns the shape for checkpoints and logs."""
        return asdict(self)


def is_residual(layer: int) -> bool:
    """Returns true if a layer adds the output of two layers before: blocks are (1, 2), (3, 4), …"""
    return layer >= 2 and layer % 2 == 0


def straight_through(rounded: torch.Tensor, exact: torch.Tensor) -> torch.Tensor:
    """Returns `rounded` with the gradient of `exact`: the straight-through estimator."""
    return exact + (rounded - exact).detach()


def weight_scales(weight: torch.Tensor, weight_max: int) -> torch.Tensor:
    """Returns each output's scale, the value of a quantised weight of 1: [outputs, 1, …]."""
    largest = weight.abs().amax(dim=tuple(range(1, weight.dim())), keepdim=True)
    return largest.clamp(min=1e-8) / weight_max


def fake_quantise(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """Rounds `x` to whole multiples of `scale`, with a straight-through gradient."""
    return straight_through((x / scale).round() * scale, x)


def fake_quantise_weights(weight: torch.Tensor, weight_max: int) -> torch.Tensor:
    """Rounds weights to whole multiples of their output's scale."""
    return fake_quantise(weight, weight_scales(weight.detach(), weight_max))


class Activation(torch.autograd.Function):
    """Rounds to whole numbers and clips to 0 to `ACTIVATION_MAX`; in place.

    The gradient passes where the result is neither end, as if nothing had been rounded. Added to it
    is the gradient of `activity` times the mean of log(1 + x / SMALL_ACTIVATION): small activations
    are drawn to 0, where the bot need not compute with them. Written by hand because learning on a
    processor spends its time in passes over the activations: this takes few of them, automatic
    differentiation of the same formulas more than ten.
    """

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, activity: float = 0.0) -> torch.Tensor:
        x.round_().clamp_(0, ACTIVATION_MAX)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        ctx.pull = activity / x.numel()
        return x

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        (x,) = ctx.saved_tensors
        if ctx.pull:
            gradient = torch.add(gradient, (x + SMALL_ACTIVATION).reciprocal_(), alpha=ctx.pull)
        return torch.ops.aten.hardtanh_backward(gradient, x, 0, ACTIVATION_MAX), None


class GlobalPool(torch.autograd.Function):
    """Mean and maximum of each channel over the board; by hand for the same reason."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        maximum, cells = F.max_pool2d(x, x.shape[2:], return_indices=True)
        ctx.save_for_backward(cells.flatten(1))
        ctx.shape, ctx.kind = x.shape, x.dtype
        mean = F.avg_pool2d(x, x.shape[2:])
        return mean.flatten(1).float(), maximum.flatten(1).float()

    @staticmethod
    def backward(ctx: Any, of_mean: torch.Tensor, of_maximum: torch.Tensor) -> torch.Tensor:
        (cells,) = ctx.saved_tensors
        batch, channels, rows, columns = ctx.shape
        share = (of_mean / (rows * columns)).to(ctx.kind)
        expanded: torch.Tensor = share[:, None, :].expand(batch, rows * columns, channels)
        gradient = expanded.contiguous()
        positions = torch.arange(batch, device=cells.device)[:, None] * (rows * columns)
        at = (positions + cells) * channels + torch.arange(channels, device=cells.device)
        gradient.view(-1).index_add_(0, at.flatten(), of_maximum.to(ctx.kind).flatten())
        return gradient.view(batch, rows, columns, channels).permute(0, 3, 1, 2)


def pooled(x: torch.Tensor) -> torch.Tensor:
    """Returns mean and maximum of each channel over the board, [batch, 2 * channels]."""
    mean, maximum = GlobalPool.apply(x)
    return torch.cat([straight_through(mean.floor(), mean), maximum], 1)


class HexConvolution(nn.Module):
    """A convolution over a cell and its six neighbours; weights [outputs, taps, inputs]."""

    # The tap at each place of a 3×3 kernel, row by row; 7, a weight of 0, where there is none.
    kernel_taps: torch.Tensor

    def __init__(self, inputs: int, outputs: int, gain: float = 1.0):
        super().__init__()
        deviation = gain * (2 / (len(TAP_OFFSETS) * inputs)) ** 0.5
        self.weight = nn.Parameter(torch.randn(outputs, len(TAP_OFFSETS), inputs) * deviation)
        offsets = [(i // 3 - 1, i % 3 - 1) for i in range(9)]
        taps = [TAP_OFFSETS.index(offset) if offset in TAP_OFFSETS else 7 for offset in offsets]
        self.register_buffer("kernel_taps", torch.tensor(taps), persistent=False)

    def forward(
        self, x: torch.Tensor, weight_max: int, padding: int, factor: float, bias: torch.Tensor
    ) -> torch.Tensor:
        """Returns `factor` times the convolution, plus `bias`, [batch, outputs, rows, columns].

        `weight_max` is the largest quantised weight.
        """
        weight = fake_quantise_weights(self.weight, weight_max) * factor
        kernel = F.pad(weight, (0, 0, 0, 1))[:, self.kernel_taps]
        kernel = kernel.unflatten(1, (3, 3)).permute(0, 3, 1, 2)
        return F.conv2d(x, kernel, bias, padding=padding)


class Dense(nn.Module):
    """A matrix of weights [outputs, inputs]."""

    def __init__(self, inputs: int, outputs: int, gain: float = 1.0):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) * gain * (1 / inputs) ** 0.5)

    def forward(self, x: torch.Tensor, weight_max: int) -> torch.Tensor:
        return F.linear(x, fake_quantise_weights(self.weight, weight_max))


@dataclass
class Output:
    """The network's answers for a batch of positions; `owner` is there for learning alone."""

    policy: torch.Tensor  # [batch, cells] logits in nats, of all cells
    value: torch.Tensor  # [batch] logit in nats that the mover wins
    owner: torch.Tensor  # [batch, cells] logit in nats that the cell ends with the mover's stone


@dataclass
class SoftOutput(Output):
    """The answers of a network that learns the soft policy, too."""

    soft: torch.Tensor  # [batch, cells] logits in nats


class Network(nn.Module):
    """The network; it takes boards of every side."""

    head_has_bias: torch.Tensor  # [2], or [3] with a soft policy

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        # The weight of each layer's penalty on activations: see `Activation`.
        self.activity = 0.0
        c, h = shape.channels, shape.hidden
        # Containers of modules do not know of which kind these are.
        self.convolutions = cast(Sequence[HexConvolution], nn.ModuleList(
            HexConvolution(
                INPUT_PLANES if layer == 0 else c, c, RESIDUAL_GAIN if is_residual(layer) else 1.0
            )
            for layer in range(shape.layers)
        ))
        self.biases = nn.ParameterList(nn.Parameter(torch.zeros(c)) for _ in range(shape.layers))
        self.pools = cast(Mapping[str, Dense], nn.ModuleDict(
            {str(layer): Dense(2 * c, c, 0.2) for layer in shape.pool}
        ))
        # Output 0 is the policy. The others only help to learn: output 1 is the cell's final owner,
        # output 2, if there is one, the soft policy.
        heads = 3 if shape.soft_policy else 2
        self.heads = HexConvolution(c, heads, 0.5)
        self.head_biases = nn.Parameter(torch.zeros(heads))
        has_bias = torch.tensor([0.0, 1.0, 0.0][:heads])
        self.register_buffer("head_has_bias", has_bias, persistent=False)
        self.value_hidden = Dense(2 * c, h)
        self.value_hidden_bias = nn.Parameter(torch.zeros(h))
        self.value = Dense(h, 1, 0.5)
        self.value_bias = nn.Parameter(torch.zeros(1))

    def weight_l1(self) -> torch.Tensor:
        """Returns the L1 norm of the quantised weights per weight, 0 to the largest weight.

        The smaller it is, the fewer bytes the weights take in the exported file.
        """
        learnt = [convolution.weight for convolution in self.convolutions]
        learnt += [pool.weight for pool in self.pools.values()] + [self.value_hidden.weight]
        top = self.shape.weight_max
        scales = [weight_scales(w.detach(), top).clamp(min=L1_MIN_SCALE) for w in learnt]
        sums = [(w / scale).abs().sum() for w, scale in zip(learnt, scales, strict=True)]
        return torch.stack(sums).sum() / sum(w.numel() for w in learnt)

    @torch.no_grad()
    def warm_start(self, state: dict[str, torch.Tensor]) -> None:
        """Takes the weights of a network of this shape, or of one with fewer blocks.

        The outputs are those of that network: the second layer of an added block begins at zero.
        Raises `ValueError` if the shapes do not fit. A soft policy begins near that network's
        policy, flattened.
        """
        known = sum(name.startswith("biases.") for name in state)
        added = range(known, self.shape.layers)
        if len(added) % 2 != 0 or (added and not is_residual(added[-1])):
            raise ValueError(
                f"{known} layers cannot grow to {self.shape.layers}: add whole blocks of two"
            )
        for layer in filter(is_residual, added):
            self.convolutions[layer].weight.zero_()
            if str(layer) in self.pools:
                self.pools[str(layer)].weight.zero_()
        if self.shape.soft_policy and len(state["head_biases"]) == 2:
            weight, bias = state["heads.weight"], state["head_biases"]
            state = state | {
                "heads.weight": torch.cat([weight, weight[:1] * SOFT_POWER]),
                "head_biases": torch.cat([bias, bias[:1] * 0]),
            }
        own = self.state_dict()
        unfit = [name for name, weight in state.items()
                 if name not in own or own[name].shape != weight.shape]
        if unfit:
            raise ValueError(f"the weights do not fit {self.shape}, first {unfit[0]}")
        self.load_state_dict(own | state)

    def forward(self, planes: torch.Tensor) -> Output:
        """Evaluates planes [batch, 2, side + 2, side + 2] as `data.planes_of` makes them."""
        weight_max = self.shape.weight_max
        x = skip = self._layer(0, planes, None)
        for layer in range(1, self.shape.layers):
            x = self._layer(layer, x, skip if is_residual(layer) else None)
            skip = x if is_residual(layer) else skip
        head_biases = self.head_biases * self.head_has_bias
        heads = self.heads(x, weight_max, 1, ACTIVATION_STEP, head_biases)
        heads = heads.flatten(2).float()
        hidden = self.value_hidden(pooled(x), weight_max).float()
        hidden_biases = self.value_hidden_bias / ACTIVATION_STEP
        hidden = Activation.apply(hidden + hidden_biases)
        value = self.value(hidden, weight_max).float() * ACTIVATION_STEP + self.value_bias
        if self.shape.soft_policy:
            return SoftOutput(heads[:, 0], value[:, 0], heads[:, 1], heads[:, 2])
        return Output(heads[:, 0], value[:, 0], heads[:, 1])

    def _layer(self, layer: int, x: torch.Tensor, skip: torch.Tensor | None) -> torch.Tensor:
        """Returns a layer's activations, in steps; `skip` is added to the sums before clipping."""
        # The input counts a stone as 1, not as one step, and brings its own border.
        padding, factor = (0, 1 / ACTIVATION_STEP) if layer == 0 else (1, 1.0)
        weight_max = self.shape.weight_max
        # The bot adds biases to the sum of products, so they are whole multiples of its scale.
        scale = weight_scales(self.convolutions[layer].weight.detach(), weight_max).flatten()
        bias = fake_quantise(self.biases[layer] / ACTIVATION_STEP, scale)
        y = self.convolutions[layer](x, weight_max, padding, factor, bias)
        if str(layer) in self.pools:
            of_board = self.pools[str(layer)](pooled(x), weight_max)
            of_board = fake_quantise(of_board, scale)
            y.add_(of_board.to(y.dtype)[:, :, None, None])
        if skip is not None:
            y.add_(skip)
        activations: torch.Tensor = Activation.apply(y, self.activity)
        return activations
