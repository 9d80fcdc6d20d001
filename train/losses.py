"""The loss that the network minimises, and its figures on held-out games."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch.nn import functional as F

from train.data import EMPTY, MOVER, Batch
from train.model import MASKED_LOGIT, SOFT_POWER, Network, Output, SoftOutput
from train.options import WEIGHT, option

# The search's win probabilities are clipped to at least this far from 0 and from 1.
MIN_PROBABILITY = 1e-3

# Added to every empty cell's share of the policy's target before it is flattened.
SOFT_SHARE = 1e-7


@dataclass(frozen=True, kw_only=True)
class LossOptions:
    """The weights of the parts of the loss; that of the policy's cross-entropy is 1."""

    value_weight: float = option(1.0, "weight of the value in the loss", WEIGHT)
    owner_weight: float = option(0.15, "weight of the cells' owners in the loss", WEIGHT)
    soft_policy_weight: float = option(
        0.0, "weight of the soft policy in the loss; 1 for run v", WEIGHT
    )
    l1_weight: float = option(
        0.0, "weight in the loss of the weights' L1 norm: some 0.05 for a smaller file", WEIGHT
    )
    activity_weight: float = option(
        0.0, "weight in the loss of activations that are not 0, for a faster network", WEIGHT
    )


def weighted_mean(values: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Returns the weighted mean of values; 0 if all weights are 0."""
    return (values * weights).sum() / weights.sum().clamp(min=1e-6)


def policy_cross_entropy(output: Output, batch: Batch) -> torch.Tensor:
    """Returns each position's cross-entropy over its empty cells, in nats; 0 without a target."""
    log_policy = output.policy.masked_fill(~batch.legal, MASKED_LOGIT).log_softmax(1)
    return -(batch.policy * log_policy).sum(1)


def soft_relative_entropy(soft: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Returns each position's Kullback-Leibler divergence of the soft policy's output, in nats.

    Its target is the policy's to the power `SOFT_POWER`, scaled to the sum 1: it tells moves that a
    search has hardly looked at from those that it has not (Wu, KataGo methods, "auxiliary soft
    policy target").
    """
    target = (batch.policy + SOFT_SHARE).pow(SOFT_POWER) * batch.legal
    target = target / target.sum(1, keepdim=True)
    log_policy = soft.masked_fill(~batch.legal, MASKED_LOGIT).log_softmax(1)
    divergence: torch.Tensor = (torch.special.xlogy(target, target) - target * log_policy).sum(1)
    return divergence


def losses(output: Output, batch: Batch, options: LossOptions) -> dict[str, torch.Tensor]:
    """Returns the loss as `loss`, and its parts `policy`, `value` and `owner`: means, in nats."""
    policy = weighted_mean(policy_cross_entropy(output, batch), batch.policy_weight)
    share = batch.result_share * batch.result_known
    search = batch.value.clamp(MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    target = (1 - share) * search + share * batch.result
    value = F.binary_cross_entropy_with_logits(output.value, target, reduction="none")
    value = weighted_mean(value, batch.weight)
    is_own, is_known = (batch.owner == MOVER).float(), batch.owner != EMPTY
    owner = F.binary_cross_entropy_with_logits(output.owner, is_own, reduction="none")
    owner = weighted_mean(owner, is_known * batch.weight[:, None])
    loss = policy + options.value_weight * value + options.owner_weight * owner
    if isinstance(output, SoftOutput):
        soft = weighted_mean(soft_relative_entropy(output.soft, batch), batch.policy_weight)
        loss = loss + options.soft_policy_weight * soft
    return {"loss": loss, "policy": policy, "value": value, "owner": owner}


@torch.no_grad()
def validate(network: Network, batches: Iterable[Batch]) -> dict[str, float]:
    """Returns figures of the network on held-out positions, means by name.

    `policy` is the cross-entropy, `excess` what of it lies above the target's own entropy, in nats.
    `top1` is how often the network's first choice is the search's, 0 to 1. `result` and `search`
    are the value's cross-entropy with the game's result and with the search's value, in nats.
    """
    sums: defaultdict[str, float] = defaultdict(float)
    counts: defaultdict[str, float] = defaultdict(float)

    def of_value(output: Output, target: torch.Tensor) -> torch.Tensor:
        return F.binary_cross_entropy_with_logits(output.value, target, reduction="none")

    for batch in batches:
        output = network(batch.planes)
        has_policy = (batch.policy.sum(1) > 0).float()
        cross = policy_cross_entropy(output, batch)
        entropy = -torch.special.xlogy(batch.policy, batch.policy).sum(1)
        choice = output.policy.masked_fill(~batch.legal, MASKED_LOGIT).argmax(1)
        agrees = (choice == batch.policy.argmax(1)).float()
        figures = {
            "policy": (cross, has_policy), "excess": (cross - entropy, has_policy),
            "top1": (agrees, has_policy),
            "result": (of_value(output, batch.result), batch.result_known),
            "search": (of_value(output, batch.value), torch.ones_like(cross)),
        }
        for name, (values, known) in figures.items():
            sums[name] += float((values * known).sum())
            counts[name] += float(known.sum())
    means = {name: sums[name] / counts[name] for name in sums if counts[name] > 0}
    return means | {"positions": counts["search"]}
