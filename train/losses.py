"""What the network is to learn, as one number, and how well it does on held-out games."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional as F

from train.data import Batch, SampleWeights, batch_of
from train.model import NEVER, Network, Output

# Held-out positions are evaluated this many at a time.
VALIDATION_BATCH = 512

# The search's value is taken to be this far from 0 and from 1.
LEAST_CHANCE = 1e-3

# Positions with at least this many simulations behind their targets are reported on their own.
WELL_SEARCHED = 2000


@dataclass
class LossWeights:
    """How much the parts of the loss count, beside the policy's cross-entropy with 1."""

    value: float = 1.0
    owner: float = 0.15  # for the mean over the cells with a known owner
    result: float = 0.5  # share of the game's result in the value's target; 0: the search's alone
    # What the logit of the search's value is multiplied by before it is learnt. A mean over random
    # playouts lies nearer to one half than the chances to win do: 3.3, see
    # docs/experiments/network-alone.md.
    slope: float = 1.0


def weighted_mean(values: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """The mean of values that count differently; 0 if none counts."""
    return (values * weights).sum() / weights.sum().clamp(min=1e-6)


def policy_cross_entropy(output: Output, batch: Batch) -> torch.Tensor:
    """For each position, over its empty cells; 0 where there is no target."""
    log_policy = output.policy.masked_fill(~batch.legal, NEVER).log_softmax(1)
    return -(batch.policy * log_policy).sum(1)


def losses(output: Output, batch: Batch, weights: LossWeights) -> dict[str, torch.Tensor]:
    """The loss (`loss`) and its parts, means over the batch."""
    policy = weighted_mean(policy_cross_entropy(output, batch), batch.policy_weight)
    of_result = weights.result if batch.result_share is None else batch.result_share
    share = of_result * batch.result_known
    search = torch.sigmoid(weights.slope * torch.logit(batch.value, LEAST_CHANCE))
    target = (1 - share) * search + share * batch.result
    value = F.binary_cross_entropy_with_logits(output.value, target, reduction="none")
    value = weighted_mean(value, batch.weight)
    owner = F.binary_cross_entropy_with_logits(output.owner, batch.owner, reduction="none")
    owner = weighted_mean(owner, batch.owner_known * batch.weight[:, None])
    loss = policy + weights.value * value + weights.owner * owner
    return {"loss": loss, "policy": policy, "value": value, "owner": owner}


@torch.no_grad()
def validate(network: Network, batches: Iterable[Batch]) -> dict[str, float]:
    """How good the network is on held-out positions; a dictionary of plain figures.

    `policy` and `excess`: cross-entropy, and what of it lies above the target's own entropy, in
    nats. `top1`: how often the network's first choice is the search's. `result` and `search`: the
    value's cross-entropy with the game's result and with the search's value, in nats. Names that
    end in `_well` are of the positions with many simulations.
    """
    sums: dict[str, float] = {}
    counts: dict[str, float] = {}

    def add(name: str, values: torch.Tensor, which: torch.Tensor) -> None:
        sums[name] = sums.get(name, 0.0) + float((values * which).sum())
        counts[name] = counts.get(name, 0.0) + float(which.sum())

    positions = 0
    for batch in batches:
        positions += len(batch.value)
        output = network(batch.planes)
        visits = torch.zeros_like(batch.value) if batch.visits is None else batch.visits
        well = (visits >= WELL_SEARCHED).float()
        has_policy = (batch.policy.sum(1) > 0).float()
        cross = policy_cross_entropy(output, batch)
        entropy = -torch.special.xlogy(batch.policy, batch.policy).sum(1)
        choice = output.policy.masked_fill(~batch.legal, NEVER).argmax(1)
        agrees = (choice == batch.policy.argmax(1)).float()
        to_result = F.binary_cross_entropy_with_logits(
            output.value, batch.result, reduction="none"
        )
        to_search = F.binary_cross_entropy_with_logits(output.value, batch.value, reduction="none")
        for ending, which in (("", torch.ones_like(well)), ("_well", well)):
            add("policy" + ending, cross, which * has_policy)
            add("excess" + ending, cross - entropy, which * has_policy)
            add("top1" + ending, agrees, which * has_policy)
            add("result" + ending, to_result, which * batch.result_known)
            add("search" + ending, to_search, which)
    figures = {name: sums[name] / counts[name] for name in sums if counts[name] > 0}
    return figures | {"positions": float(positions)}


def batches_of(records: np.ndarray, device: torch.device) -> Iterator[Batch]:
    """Records of one side, as many at a time as a validation evaluates."""
    for start in range(0, len(records), VALIDATION_BATCH):
        yield batch_of(records[start : start + VALIDATION_BATCH], SampleWeights(), device)
