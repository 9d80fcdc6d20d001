"""The network in floating point, as it learns, with the rounding of the integers it becomes.

Seven-tap convolutions over the hexagonal neighbourhood, residual blocks of two, at some layers a
bias a channel from the whole board (pooling), a policy head and a value head; docs/network.md draws
it. An activation is a number of `STEP`s between 0 and `TOP`. While it learns, the network rounds weights
and activations as the bot will (`quantised`) and lets the gradient pass as if it had not, so that
what is measured here is what is shipped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

import torch
from torch import nn
from torch.nn import functional as F

# Offsets (row, column) of a cell and its six neighbours, in the order of the weights file.
TAPS = ((0, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
INPUT_PLANES = 2

# Activations are 7-bit: 0 to TOP steps of this size, so 0 to about 4. Every whole number of them is
# exact in bfloat16 too.
STEP = 1 / 32
TOP = 127

# The second layer of a residual block begins this much smaller than others, so that a deep network
# without normalisation begins close to a shallow one.
RESIDUAL_START = 0.2

# What a unit of a weight is worth in most outputs, or somewhat less. The pull of `Network.spread` on a
# weight is the greater the smaller its unit; below this it grows no further, or it would pull down
# young blocks before they have learnt.
SMALL_SCALE = 0.03

# An activation of so many steps is little: see `Activation`.
FEW = 4

# A logit for cells that are not empty: exp of it is 0, and it is no infinity to make a NaN of.
NEVER = -1e4


@dataclass(frozen=True)
class Shape:
    """What distinguishes one network from another."""

    channels: int = 32
    layers: int = 9
    pool: tuple[int, ...] = (3, 6)  # layers with a bias from the whole board, none of them 0
    bits: int = 5  # of a weight, its sign included; 3 to 6
    hidden: int = 32  # neurons of the value head

    def __post_init__(self) -> None:
        if not 3 <= self.bits <= 6:
            raise ValueError(f"{self.bits} bits a weight: 3 to 6 are possible")
        if self.channels < 1 or self.layers < 1 or self.hidden < 1:
            raise ValueError(f"{self}: channels, layers and hidden neurons are at least 1")
        if any(not 1 <= layer < self.layers for layer in self.pool):
            raise ValueError(f"pooling at layers {self.pool}: 1 to {self.layers - 1} are possible")

    @property
    def top_weight(self) -> int:
        """The largest weight; the smallest is its negative."""
        return (1 << (self.bits - 1)) - 1

    def weights(self) -> int:
        """The number of weights that are shipped, multipliers and biases aside."""
        c, taps = self.channels, len(TAPS)
        convolutions = c * taps * INPUT_PLANES + (self.layers - 1) * c * taps * c
        return convolutions + len(self.pool) * c * 2 * c + taps * c + self.hidden * (2 * c + 1)

    def as_dict(self) -> dict[str, Any]:
        """For checkpoints and logs."""
        return asdict(self)


def is_residual(layer: int) -> bool:
    """Whether a layer adds the output of two layers before: the blocks are (1, 2), (3, 4), …"""
    return layer >= 2 and layer % 2 == 0


def pass_through(rounded: torch.Tensor, exact: torch.Tensor) -> torch.Tensor:
    """The rounded value, with the gradient of the exact one."""
    return exact + (rounded - exact).detach()


def weight_scales(weight: torch.Tensor, top: int) -> torch.Tensor:
    """What one unit of a quantised weight is worth, for each output."""
    return weight.abs().amax(dim=tuple(range(1, weight.dim())), keepdim=True).clamp(min=1e-8) / top


def round_weights(weight: torch.Tensor, top: int) -> torch.Tensor:
    """Weights rounded to whole multiples of their output's scale."""
    scale = weight_scales(weight.detach(), top)
    return pass_through((weight / scale).round() * scale, weight)


def round_to_units(x: torch.Tensor, unit: torch.Tensor) -> torch.Tensor:
    """Rounded to whole multiples of each output's unit."""
    return pass_through((x / unit).round() * unit, x)


class Activation(torch.autograd.Function):
    """Clips to what an activation can be, and rounds to whole ones if asked to; in place.

    The gradient passes where the result is neither end, as if nothing had been rounded. To it is added
    that of `activity` times the mean of log(1 + x / FEW): activations that are hardly anything are
    drawn to 0, where the bot need not compute with them. Written by hand because learning on a processor
    spends its time in walks over the activations: this is few of them, automatic differentiation of the
    same formulas more than ten.
    """

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, rounded: bool, activity: float = 0.0) -> torch.Tensor:
        x = x.round_() if rounded else x
        x.clamp_(0, TOP)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        ctx.pull = activity / x.numel()
        return x

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        (x,) = ctx.saved_tensors
        if ctx.pull:
            gradient = torch.add(gradient, (x + FEW).reciprocal_(), alpha=ctx.pull)
        return torch.ops.aten.hardtanh_backward(gradient, x, 0, TOP), None, None


class Pool(torch.autograd.Function):
    """Mean and maximum of each channel over the board; by hand for the same reason."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        maximum, places = F.max_pool2d(x, x.shape[2:], return_indices=True)
        ctx.save_for_backward(places.flatten(1))
        ctx.shape, ctx.kind = x.shape, x.dtype
        mean = F.avg_pool2d(x, x.shape[2:])
        return mean.flatten(1).float(), maximum.flatten(1).float()

    @staticmethod
    def backward(ctx: Any, of_mean: torch.Tensor, of_maximum: torch.Tensor) -> torch.Tensor:
        (places,) = ctx.saved_tensors
        batch, channels, rows, columns = ctx.shape
        share = (of_mean / (rows * columns)).to(ctx.kind)
        gradient: torch.Tensor = share[:, None, :].expand(batch, rows * columns, channels).contiguous()
        positions = torch.arange(batch, device=places.device)[:, None] * (rows * columns)
        at = (positions + places) * channels + torch.arange(channels, device=places.device)
        gradient.view(-1).index_add_(0, at.flatten(), of_maximum.to(ctx.kind).flatten())
        return gradient.view(batch, rows, columns, channels).permute(0, 3, 1, 2)


def pooled(x: torch.Tensor, quantised: bool) -> torch.Tensor:
    """Mean and maximum of each channel over the board, [batch, 2 * channels]."""
    mean, maximum = Pool.apply(x)
    if quantised:
        mean = pass_through(mean.floor(), mean)
    return torch.cat([mean, maximum], 1)


class HexConvolution(nn.Module):
    """A convolution over a cell and its six neighbours; weights [outputs, taps, inputs]."""

    places: torch.Tensor  # of the taps in a square of nine, 7 where there is none

    def __init__(self, inputs: int, outputs: int, start: float = 1.0):
        super().__init__()
        deviation = start * (2 / (len(TAPS) * inputs)) ** 0.5
        self.weight = nn.Parameter(torch.randn(outputs, len(TAPS), inputs) * deviation)
        places = [TAPS.index((i // 3 - 1, i % 3 - 1)) if (i // 3 - 1, i % 3 - 1) in TAPS else 7
                  for i in range(9)]
        self.register_buffer("places", torch.tensor(places), persistent=False)

    def forward(
        self, x: torch.Tensor, top: int | None, padding: int, unit: float, bias: torch.Tensor
    ) -> torch.Tensor:
        """`top`: the largest quantised weight, None for weights as they are; `unit`: what the
        result is multiplied by, the bias aside."""
        weight = self.weight if top is None else round_weights(self.weight, top)
        weight = F.pad(weight * unit, (0, 0, 0, 1))[:, self.places]
        kernel = weight.unflatten(1, (3, 3)).permute(0, 3, 1, 2)
        return F.conv2d(x, kernel, bias, padding=padding)


class Dense(nn.Module):
    """A matrix of weights [outputs, inputs]."""

    def __init__(self, inputs: int, outputs: int, start: float = 1.0):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) * start * (1 / inputs) ** 0.5)

    def forward(self, x: torch.Tensor, top: int | None) -> torch.Tensor:
        return F.linear(x, self.weight if top is None else round_weights(self.weight, top))


@dataclass
class Output:
    """What the network says of a batch of positions; `owner` is there for learning alone."""

    policy: torch.Tensor  # [batch, cells] logits in nats, of all cells
    value: torch.Tensor  # [batch] logit in nats that the mover wins
    owner: torch.Tensor  # [batch, cells] logit that the cell ends with the mover's stone


class Network(nn.Module):
    """The network; it takes boards of every side."""

    head_has_bias: torch.Tensor  # [2]

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.quantised = True
        # What each layer's `Activation` pulls its activations down with.
        self.activity = 0.0
        c, h = shape.channels, shape.hidden
        # Containers of modules do not know of which kind these are.
        self.convolutions = cast(Sequence[HexConvolution], nn.ModuleList(
            HexConvolution(
                INPUT_PLANES if layer == 0 else c, c, RESIDUAL_START if is_residual(layer) else 1.0
            )
            for layer in range(shape.layers)
        ))
        self.biases = nn.ParameterList(nn.Parameter(torch.zeros(c)) for _ in range(shape.layers))
        self.pools = cast(Mapping[str, Dense], nn.ModuleDict(
            {str(layer): Dense(2 * c, c, 0.2) for layer in shape.pool}
        ))
        # Output 0 is the policy; output 1 is the cell's final owner, which only helps to learn.
        self.heads = HexConvolution(c, 2, 0.5)
        self.head_biases = nn.Parameter(torch.zeros(2))
        self.register_buffer("head_has_bias", torch.tensor([0.0, 1.0]), persistent=False)
        self.value_hidden = Dense(2 * c, h)
        self.value_hidden_bias = nn.Parameter(torch.zeros(h))
        self.value = Dense(h, 1, 0.5)
        self.value_bias = nn.Parameter(torch.zeros(1))

    def spread(self) -> torch.Tensor:
        """The mean distance of quantised weights from 0; the smaller, the fewer bytes they are coded in."""
        learnt = [convolution.weight for convolution in self.convolutions]
        learnt += [pool.weight for pool in self.pools.values()] + [self.value_hidden.weight]
        top = self.shape.top_weight
        scales = [weight_scales(w.detach(), top).clamp(min=SMALL_SCALE) for w in learnt]
        sums = [(w / scale).abs().sum() for w, scale in zip(learnt, scales, strict=True)]
        return torch.stack(sums).sum() / sum(w.numel() for w in learnt)

    @torch.no_grad()
    def grow_from(self, state: dict[str, torch.Tensor]) -> None:
        """Takes the weights of a network of the same shape, or of one with fewer blocks, and computes the same.

        The second layer of a block that is added begins at zero, so that it changes nothing yet.
        """
        known = sum(name.startswith("biases.") for name in state)
        added = range(known, self.shape.layers)
        if len(added) % 2 != 0 or (added and not is_residual(added[-1])):
            raise ValueError(f"{known} layers cannot grow to {self.shape.layers}: add whole blocks of two")
        for layer in filter(is_residual, added):
            self.convolutions[layer].weight.zero_()
            if str(layer) in self.pools:
                self.pools[str(layer)].weight.zero_()
        try:
            self.load_state_dict(self.state_dict() | state)
        except RuntimeError as error:
            raise ValueError(f"the weights do not fit {self.shape}: {error}") from error

    def forward(self, planes: torch.Tensor) -> Output:
        """`planes` as `data.planes_of` makes them."""
        top = self.shape.top_weight if self.quantised else None
        x = skip = self._layer(0, planes, None, top)
        for layer in range(1, self.shape.layers):
            x = self._layer(layer, x, skip if is_residual(layer) else None, top)
            skip = x if is_residual(layer) else skip
        heads = self.heads(x, top, 1, STEP, self.head_biases * self.head_has_bias)
        heads = heads.flatten(2).float()
        hidden = self.value_hidden(pooled(x, self.quantised), top).float()
        hidden = Activation.apply(hidden + self.value_hidden_bias / STEP, self.quantised)
        value = self.value(hidden, top).float() * STEP + self.value_bias
        return Output(heads[:, 0], value[:, 0], heads[:, 1])

    def _layer(
        self, layer: int, x: torch.Tensor, skip: torch.Tensor | None, top: int | None
    ) -> torch.Tensor:
        """The activations of a layer, as whole numbers of steps."""
        # The input counts a stone as 1, not as 1 step.
        padding, unit = (0, 1 / STEP) if layer == 0 else (1, 1.0)
        bias = self.biases[layer] / STEP
        # The bot adds what is no product to the sum of products, so in units of a weight.
        scale = weight_scales(self.convolutions[layer].weight.detach(), top or 1).flatten()
        if top is not None:
            bias = round_to_units(bias, scale)
        y = self.convolutions[layer](x, top, padding, unit, bias)
        if str(layer) in self.pools:
            of_board = self.pools[str(layer)](pooled(x, self.quantised), top)
            if top is not None:
                of_board = round_to_units(of_board, scale)
            y.add_(of_board.to(y.dtype)[:, :, None, None])
        if skip is not None:
            y.add_(skip)
        activations: torch.Tensor = Activation.apply(y, self.quantised, self.activity)
        return activations
