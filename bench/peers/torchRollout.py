"""
Rollout of the comparison: all episodes of a batch in step, with a key-value cache. A turn feeds the action and the
observation before it, and draws the next action. Episodes that are over leave the batch once they are a quarter of it.
"""

import numpy as np
import torch

from torchGridworld import FIRST_MOVE, MOVES, PROMPT
from torchPolicy import attend, heads_of, hidden_after

STAYING = 0.75
"""Share of the rows that must still be playing; below it the caches are copied without the others."""


def draw(logits, random):
    """Draws from softmax(logits), [b, n] → [b]."""
    cumulated = torch.softmax(logits, -1).numpy().cumsum(-1)
    reached = random.random((len(cumulated), 1), dtype=np.float32) * cumulated[:, -1:]
    return (cumulated <= reached).sum(-1).clip(max=cumulated.shape[1] - 1)


class Decoder:
    def __init__(self, policy, batch, context):
        self.policy = policy
        self.sizes = (policy.layers, batch, context, 2, policy.heads, policy.width // policy.heads)
        self.begin()

    def begin(self):
        self.cache = np.empty(self.sizes, np.float32)
        self.seen = 0

    def keep(self, rows):
        """Leaves only some of the batch's rows in the cache."""
        kept = np.empty((self.sizes[0], len(rows), *self.sizes[2:]), np.float32)
        kept[:, :, : self.seen] = self.cache[:, rows, : self.seen]
        self.cache = kept

    def feed(self, tokens):
        """Logits of the next moves, [b, MOVES], after tokens [b, n] more."""
        batch, fed = tokens.shape
        before, self.seen = self.seen, self.seen + fed
        policy, heads, seen = self.policy, self.policy.heads, self.seen
        hidden = hidden_after(fed, seen)

        def attention(layer, qkv):
            cache = self.cache[layer, :, :seen]
            cache[:, before:] = qkv.numpy().reshape(batch, fed, 3, heads, -1)[:, :, 1:]
            keys, values = (cache[:, :, part].swapaxes(1, 2) for part in range(2))
            mixed = torch.empty(batch * fed, policy.width)
            (out,) = heads_of(mixed, fed, heads, 1)
            attend(heads_of(qkv, fed, heads)[0], keys, values, out, hidden)
            return mixed

        positions = torch.arange(before, seen).repeat(batch)
        final = policy.trunk(torch.from_numpy(tokens).view(-1), positions, attention)
        last = final.view(batch, fed, -1)[:, -1]
        return last @ policy["head.weight"][:, FIRST_MOVE : FIRST_MOVE + MOVES]


@torch.no_grad()
def play(decoder, world, random, groups, group_size):
    """Plays a batch. Returns tokens [B, T], numbers of turns [B] and which episodes succeeded [B]."""
    prompts = world.begin(random, groups, group_size)
    batch = len(prompts)
    tokens = np.zeros((batch, PROMPT + 2 * world.horizon), np.int64)
    tokens[:, :PROMPT] = prompts
    turns, succeeded = np.zeros(batch, np.int64), np.zeros(batch, bool)
    decoder.begin()
    slots, feeding = np.arange(batch), prompts
    for turn in range(world.horizon):
        if (~succeeded[slots]).mean() < STAYING:
            staying = np.flatnonzero(~succeeded[slots])
            if len(staying) == 0:
                break
            decoder.keep(staying)
            slots, feeding = slots[staying], feeding[staying]
        moves = draw(decoder.feed(feeding), random)
        playing = ~succeeded[slots]
        acting, acted = slots[playing], moves[playing]
        observations, arrived = world.step(acting, acted)
        at = PROMPT + 2 * turn
        tokens[acting, at] = FIRST_MOVE + acted
        tokens[acting, at + 1] = observations
        turns[acting] += 1
        succeeded[acting] = arrived
        feeding = tokens[slots, at : at + 2]
    return tokens, turns, succeeded
