"""A network that tells another one, mostly a smaller one, what positions are worth."""

from dataclasses import replace
from pathlib import Path

import torch

from train import checkpoint
from train.data import Batch
from train.model import MASKED_LOGIT, Network, Shape

# The weight in the loss of a policy that a teacher tells; that of a search's is 1.
POLICY_WEIGHT = 0.5


class Teacher:
    """The averaged network of a run, of any shape.

    Its values vary less from position to position than results of games do, and it has a policy
    where no search was (distillation: Hinton, Vinyals, Dean 2015, arXiv 1503.02531).
    """

    def __init__(self, run: Path, share: float, device: torch.device, bf16: bool):
        """Loads it; `share`, 0 to 1, is that of its values in the targets."""
        saved = checkpoint.load(run)
        self.network = Network(Shape.from_dict(saved["shape"])).to(device).eval()
        self.network.load_state_dict(saved["average"])
        self.share, self.bf16 = share, bf16

    @torch.no_grad()
    def taught(self, batch: Batch) -> Batch:
        """Returns a batch with the teacher's share in the values, and with its policy where there
        was no target.
        """
        planes = batch.planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast(planes.device.type, dtype=torch.bfloat16, enabled=self.bf16):
            output = self.network(planes)
        value = batch.value.lerp(torch.sigmoid(output.value), self.share)
        own = output.policy.masked_fill(~batch.legal, MASKED_LOGIT).softmax(1)
        lacks = batch.policy.sum(1) == 0
        return replace(
            batch, value=value, policy=torch.where(lacks[:, None], own, batch.policy),
            policy_weight=torch.where(lacks, POLICY_WEIGHT * batch.weight, batch.policy_weight),
        )
