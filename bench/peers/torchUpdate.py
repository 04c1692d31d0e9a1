"""
Whole update of the comparison in PyTorch, on one thread: play a batch, GRPO's advantages, then for each inner epoch the clipped
surrogate of the actions, their entropy and the cross-entropy of the observations; clip, AdamW. The problem is the first line
of stdin (torchProblem.ts).
"""

# First: it answers in words where there is no PyTorch.
from torchLines import decode, encode, serve

import numpy as np
import torch
import torch.nn.functional as F

from torchGridworld import FIRST_MOVE, MOVES, PROMPT, Gridworld
from torchPolicy import Attention, Policy
from torchRollout import Decoder, play

NORM_EPSILON = 1e-6


def advantages(succeeded, group_size, epsilon):
    """GRPO's: (reward − group's mean)/(group's sample deviation + ε), [B]."""
    rewards = succeeded.astype(np.float32).reshape(-1, group_size)
    above = rewards - rewards.mean(1, keepdims=True)
    return (above / (rewards.std(1, ddof=1, keepdims=True) + epsilon)).reshape(-1)


def pack(tokens, turns, advantage):
    """
    Rows that a loss reads or that are attended to: all tokens of every trajectory but the last, trajectories of equal length
    together. What is known of each row's target stands in columns [R].
    """
    columns, blocks, first = [], [], 0
    for count in np.unique(turns):
        chosen = np.flatnonzero(turns == count)
        length = PROMPT + 2 * count - 1
        shape = (len(chosen), length)
        position = np.broadcast_to(np.arange(length), shape)
        target = tokens[chosen, 1 : length + 1]
        acts = (position >= PROMPT - 1) & (position % 2 == 0)
        says = (position >= PROMPT - 1) & ~acts
        columns.append(
            [
                tokens[chosen, :length],
                position,
                np.where(acts, target - FIRST_MOVE, 0),
                np.where(says, target, -100),
                acts,
                np.broadcast_to(advantage[chosen, None], shape),
            ]
        )
        last = first + shape[0] * length
        blocks.append((first, last, int(length)))
        first = last
    joined = [np.concatenate([part.reshape(-1) for part in parts]) for parts in zip(*columns)]
    return [torch.from_numpy(column) for column in joined], blocks


class Learner:
    """Policy that learns from batches."""

    def __init__(self, problem, arrays):
        self.settings = settings = problem["settings"]
        self.policy = Policy(problem["policy"], problem["layout"], arrays["parameters"])
        self.optimiser = torch.optim.AdamW(
            [self.policy.vector],
            lr=settings["learningRate"],
            betas=(settings["beta1"], settings["beta2"]),
            eps=settings["epsilon"],
            weight_decay=settings["weightDecay"],
        )

    def learn(self, tokens, turns, succeeded):
        """Takes the inner steps. Returns the numbers of the first (firstUpdate.ts: Lesson)."""
        settings, policy = self.settings, self.policy
        advantage = advantages(succeeded, settings["groupSize"], settings["advantageEpsilon"])
        (rows, positions, moves, said, acts, advantage), blocks = pack(tokens, turns, advantage)
        acts = acts.float().div_(turns.sum())
        weighed = advantage * acts
        moves = moves.unsqueeze(1)
        old, first = None, None
        for _ in range(settings["innerEpochs"]):
            policy.gradient.zero_()
            hidden = policy.trunk(rows, positions, lambda _, qkv: Attention.apply(qkv, blocks, policy.heads))
            logits = hidden @ policy["head.weight"]
            legal = F.log_softmax(logits[:, FIRST_MOVE : FIRST_MOVE + MOVES], -1)
            chosen = legal.gather(1, moves).squeeze(1)
            if old is None:
                old = chosen.detach()
            ratio = (chosen - old).exp()
            clipped = ratio.clamp(1 - settings["clipLow"], 1 + settings["clipHigh"])
            surrogate = torch.minimum(ratio * weighed, clipped * weighed).sum()
            entropy = -((legal.exp() * legal).sum(-1) * acts).sum()
            predicted = F.cross_entropy(logits, said)
            loss = settings["ce.observation"] * predicted - surrogate - settings["entropyCoefficient"] * entropy
            loss.backward()
            norm = policy.gradient.norm().item()
            if first is None:
                first = {"predicted": predicted.item(), "entropy": entropy.item(), "gradient": norm}
            policy.gradient.mul_(min(1.0, settings["maxGradNorm"] / (norm + NORM_EPSILON)))
            self.optimiser.step()
        return first


def prepare(problem, arrays):
    settings = problem["settings"]
    groups, group_size = settings["groups"], settings["groupSize"]
    learner = Learner(problem, arrays)
    world = Gridworld(settings["size"], settings["horizon"], settings["minimumDistance"])
    decoder = Decoder(learner.policy, groups * group_size, problem["policy"]["context"])
    random = np.random.default_rng(settings["seed"])

    def update():
        tokens, turns, succeeded = play(decoder, world, random, groups, group_size)
        first = learner.learn(tokens, turns, succeeded)
        success, count = float(succeeded.mean()), int((PROMPT + 2 * turns).sum())
        return {"success": success, "tokens": count, "predicted": first["predicted"]}

    def repeat(batch):
        """Learns from a batch of the other side's, from the initial parameters. The updates never notice."""
        fresh = Learner(problem, arrays)
        tokens, lengths, succeeded = (decode(batch[name]).astype(np.int64) for name in ("tokens", "lengths", "succeeded"))
        first = fresh.learn(tokens.reshape(len(lengths), -1), (lengths - PROMPT) // 2, succeeded)
        return {**first, "parameters": encode(fresh.policy.vector.numpy())}

    return lambda request: repeat(request["batch"]) if "batch" in request else update()


if __name__ == "__main__":
    serve(prepare)
