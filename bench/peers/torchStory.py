"""
Whole update of a language model in PyTorch, on one thread: stories260K plays the world “Listener” with a cache of keys and values,
then GRPO's clipped surrogate on its sentences and the cross-entropy of the listener's. The problem is the first line of stdin
(torchProblem.ts). Episodes are padded to the longest, as trainers of language models do.
"""

# First: it answers in words where there is no PyTorch.
from torchLines import decode, encode, serve

import numpy as np
import torch
import torch.nn.functional as F

from torchListener import Listener
from torchPolicy import Policy
from torchUpdate import NORM_EPSILON, advantages

STAYING = 0.75
"""Share of the rows that must still be writing; below it the others leave the batch until the next question."""


class Story(Policy):
    """Decoder of the Llama family: RMS norm, rotary positions of neighbours, grouped keys and values, SwiGLU, a tied head."""

    def __init__(self, shape, layout, values):
        super().__init__(shape, layout, values)
        llama = shape["llama"]
        self.keys, self.size, self.epsilon = llama["keyValueHeads"], llama["headWidth"], llama["epsilon"]
        angles = llama["theta"] ** (-torch.arange(0, self.size, 2) / self.size)
        turned = torch.arange(shape["context"])[:, None] * angles
        self.cos, self.sin = turned.cos(), turned.sin()

    def norm(self, x, name):
        return F.rms_norm(x, (self.width,), self[f"{name}.gamma"], self.epsilon)

    def rotate(self, x, positions):
        """x [B, T, H, D] at positions [B, T]."""
        cos, sin = self.cos[positions].unsqueeze(2), self.sin[positions].unsqueeze(2)
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(3)

    def trunk(self, tokens, positions, attend):
        """Final hidden states [B, T, C] of tokens [B, T]; attend(layer, q, k, v) → [B, H, T, D]."""
        batch, length = tokens.shape
        x = self["head.weight"].t()[tokens]
        split = (self.heads * self.size, self.keys * self.size, self.keys * self.size)
        for layer in range(self.layers):
            name = f"layer{layer}"
            qkv = self.norm(x, f"{name}.attentionNorm") @ self[f"{name}.qkv.weight"]
            q, k, v = (part.view(batch, length, -1, self.size) for part in qkv.split(split, -1))
            q, k = self.rotate(q, positions), self.rotate(k, positions)
            mixed = attend(layer, q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2))
            x = x + mixed.transpose(1, 2).reshape(batch, length, -1) @ self[f"{name}.projection.weight"]
            gate, up = (self.norm(x, f"{name}.feedForwardNorm") @ self[f"{name}.up.weight"]).chunk(2, -1)
            x = x + (F.silu(gate) * up) @ self[f"{name}.down.weight"]
        return self.norm(x, "finalNorm")

    def logits(self, hidden):
        return hidden @ self["head.weight"]

    def attention(self, q, k, v, **mask):
        repeats = self.heads // self.keys
        k, v = (part.repeat_interleave(repeats, 1) for part in (k, v))
        return F.scaled_dot_product_attention(q, k, v, **mask)


class Writer:
    """Episodes in step, with a cache [layer, 2, B, keys, T, D]; each row has its own length."""

    def __init__(self, policy, context):
        self.policy, self.context = policy, context

    def begin(self, batch):
        policy = self.policy
        self.cache = torch.zeros(policy.layers, 2, batch, policy.keys, self.context, policy.size)
        self.seen = torch.zeros(batch, dtype=torch.long)

    def feed(self, rows, texts, cache):
        """Logits of what follows texts, one of each row, [b, V]. cache: that of these rows."""
        policy = self.policy
        lengths = torch.tensor([len(text) for text in texts])
        most = int(lengths.max())
        tokens = torch.zeros(len(texts), most, dtype=torch.long)
        for i, text in enumerate(texts):
            tokens[i, : len(text)] = torch.tensor(text)
        positions = (self.seen[rows, None] + torch.arange(most)).clamp(max=self.context - 1)
        last = int(positions.max()) + 1
        mask = torch.arange(last) <= positions[:, None, :, None]
        of_rows = torch.arange(len(texts))[:, None]

        def attend(layer, q, k, v):
            # What stands behind a shorter text is overwritten before anything reads it.
            for part, values in enumerate((k, v)):
                cache[layer, part].transpose(1, 2)[of_rows, positions] = values.transpose(1, 2)
            keys, values = cache[layer, 0, :, :, :last], cache[layer, 1, :, :, :last]
            return policy.attention(q, keys, values, attn_mask=mask)

        hidden = policy.trunk(tokens, positions, attend)
        self.seen[rows] += lengths
        return policy.logits(hidden[torch.arange(len(texts)), lengths - 1])

    @torch.no_grad()
    def play(self, world, tasks, random):
        """Episodes as lists of tokens, and their sentences' places."""
        episodes = [list(world.start) for _ in tasks]
        sentences = [[] for _ in tasks]
        self.begin(len(tasks))
        waiting = [list(world.start) for _ in tasks]
        for turn in range(world.turns):
            for episode, text, task in zip(episodes, waiting, tasks):
                asked = world.asked(task, turn)
                episode += asked
                text += asked
            rows = torch.arange(len(tasks))
            cache = self.cache
            texts, firsts = waiting, [len(episode) for episode in episodes]
            waiting = [[] for _ in tasks]
            while True:
                logits = self.feed(rows, texts, cache)
                logits[:, :2] = -torch.inf
                drawn = torch.multinomial(torch.softmax(logits, -1), 1, generator=random).view(-1).tolist()
                for row, token in zip(rows.tolist(), drawn):
                    episodes[row].append(token)
                staying = [not world.ends_after(episodes[row][firsts[row] :]) for row in rows.tolist()]
                for row, stays, token in zip(rows.tolist(), staying, drawn):
                    if not stays:
                        sentences[row].append((firsts[row], len(episodes[row])))
                        waiting[row] = [token]
                kept = torch.tensor(staying).nonzero().view(-1)
                if len(kept) == 0:
                    break
                if cache is not self.cache:
                    self.cache[:, :, rows] = cache
                rows = rows[kept]
                texts = [[drawn[i]] for i in kept.tolist()]
                cache = self.cache if len(rows) == len(tasks) else self.cache[:, :, rows]
            if cache is not self.cache:
                self.cache[:, :, rows] = cache
        return episodes, sentences


class Learner:
    def __init__(self, problem, arrays):
        self.settings = settings = problem["settings"]
        self.policy = Story(problem["policy"], problem["layout"], arrays["parameters"])
        self.optimiser = torch.optim.AdamW(
            [self.policy.vector],
            lr=settings["learningRate"],
            betas=(settings["beta1"], settings["beta2"]),
            eps=settings["epsilon"],
            weight_decay=settings["weightDecay"],
        )

    def learn(self, episodes, sentences, rewards, prompt):
        """Takes the inner steps. prompt(episode): tokens before its first sentence. Returns the numbers of the first."""
        settings, policy = self.settings, self.policy
        length = max(map(len, episodes)) - 1
        tokens = torch.zeros(len(episodes), length + 1, dtype=torch.long)
        acts, says = torch.zeros(len(episodes), length, dtype=torch.bool), torch.zeros(len(episodes), length, dtype=torch.bool)
        for i, (episode, places) in enumerate(zip(episodes, sentences)):
            tokens[i, : len(episode)] = torch.tensor(episode)
            says[i, prompt(episode) - 1 : len(episode) - 1] = True
            for first, last in places:
                acts[i, first - 1 : last - 1] = True
        says &= ~acts
        targets = tokens[:, 1:]
        positions = torch.arange(length).expand(len(episodes), -1)
        own = advantages(np.array(rewards), settings["groupSize"], settings["advantageEpsilon"])
        weighed = torch.from_numpy(own)[:, None].expand(-1, length)[acts] / acts.sum()
        old, first = None, None
        for _ in range(settings["innerEpochs"]):
            policy.gradient.zero_()
            attend = lambda _, q, k, v: policy.attention(q, k, v, is_causal=True)
            hidden = policy.trunk(tokens[:, :-1], positions, attend)
            said = policy.logits(hidden[acts])
            said[:, :2] = -torch.inf
            legal = F.log_softmax(said, -1)
            chosen = legal.gather(1, targets[acts].unsqueeze(1)).squeeze(1)
            if old is None:
                old = chosen.detach()
            ratio = (chosen - old).exp()
            clipped = ratio.clamp(1 - settings["clipLow"], 1 + settings["clipHigh"])
            surrogate = torch.minimum(ratio * weighed, clipped * weighed).sum()
            predicted = F.cross_entropy(policy.logits(hidden[says]), targets[says])
            loss = settings["ce.observation"] * predicted - surrogate
            loss.backward()
            norm = policy.gradient.norm().item()
            if first is None:
                known = legal.detach()[:, 2:]
                entropy = -(known.exp() * known).sum(-1).mean().item()
                first = {"predicted": predicted.item(), "entropy": entropy, "gradient": norm}
            policy.gradient.mul_(min(1.0, settings["maxGradNorm"] / (norm + NORM_EPSILON)))
            self.optimiser.step()
        return first


def prepare(problem, arrays):
    settings = problem["settings"]
    world = Listener(problem["world"])
    learner = Learner(problem, arrays)
    writer = Writer(learner.policy, problem["policy"]["context"])
    draws, dice = np.random.default_rng(settings["seed"]), torch.Generator().manual_seed(settings["seed"])
    prompt = lambda episode: world.task_of(episode)[1][0][0]

    def update():
        tasks = world.draw(draws, settings["groups"], settings["groupSize"])
        episodes, sentences = writer.play(world, tasks, dice)
        rewards = [world.reward(*parts) for parts in zip(episodes, tasks, sentences)]
        first = learner.learn(episodes, sentences, rewards, prompt)
        success = float(np.mean([reward == 1 for reward in rewards]))
        return {"success": success, "tokens": sum(map(len, episodes)), "predicted": first["predicted"]}

    def repeat(batch):
        """Learns from a batch of the other side's, from the initial parameters. The updates never notice."""
        fresh = Learner(problem, arrays)
        tokens, lengths = (decode(batch[name]).astype(np.int64) for name in ("tokens", "lengths"))
        rows = tokens.reshape(len(lengths), -1)
        episodes = [row[:length].tolist() for row, length in zip(rows, lengths)]
        known = [world.task_of(episode) for episode in episodes]
        rewards = [world.reward(episode, *parts) for episode, parts in zip(episodes, known)]
        first = fresh.learn(episodes, [places for _, places in known], rewards, prompt)
        return {**first, "parameters": encode(fresh.policy.vector.numpy())}

    return lambda request: repeat(request["batch"]) if "batch" in request else update()


if __name__ == "__main__":
    serve(prepare)
