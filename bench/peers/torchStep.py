"""
Training step of the comparison in PyTorch, on one thread: cross-entropy of every token after the first, Adam. The problem
is the first line of stdin (torchProblem.ts).
"""

# First: it answers in words where there is no PyTorch.
from torchLines import serve

import torch
import torch.nn.functional as F

from torchPolicy import Attention, Policy


def prepare(problem, arrays):
    policy = Policy(problem["policy"], problem["layout"], arrays["parameters"])
    optimiser = torch.optim.Adam([policy.vector], lr=problem["learningRate"])
    length = problem["policy"]["context"]
    tokens = torch.from_numpy(arrays["tokens"].astype("int64"))
    positions = torch.arange(length).repeat(len(tokens) // length)
    # The last token of a trajectory predicts nothing.
    targets = F.pad(tokens.view(-1, length)[:, 1:], (0, 1), value=-100).reshape(-1)
    blocks = [(0, len(tokens), length)]

    def attention(_, qkv):
        return Attention.apply(qkv, blocks, policy.heads)

    def step(_):
        policy.gradient.zero_()
        hidden = policy.trunk(tokens, positions, attention)
        loss = F.cross_entropy(hidden @ policy["head.weight"], targets)
        loss.backward()
        optimiser.step()
        return {"loss": loss.item()}

    return step


if __name__ == "__main__":
    serve(prepare)
