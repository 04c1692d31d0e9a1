"""The world “Listener” of the comparison: a story, a question before each of three sentences, and what is paid."""

import re

import numpy as np

WORD = re.compile(r"[a-z]+")


class Listener:
    def __init__(self, world):
        self.start, self.asks, self.things = world["start"], world["asks"], world["things"]
        self.ends, self.longest, self.turns, self.trained = set(world["ends"]), world["longest"], world["turns"], world["trained"]
        self.texts = world["texts"]

    def draw(self, random, groups, group_size):
        """Three different things for each episode, the same for a group: [B, turns]."""
        tasks = np.stack([random.permutation(self.trained)[: self.turns] for _ in range(groups)])
        return tasks.repeat(group_size, 0)

    def asked(self, task, turn):
        return self.asks[task[turn]]

    def ends_after(self, sentence):
        return len(sentence) == self.longest or sentence[-1] in self.ends

    def takes_up(self, sentence, thing):
        text = "".join(self.texts[token] for token in sentence).lower()
        return self.things[thing] in WORD.findall(text)

    def task_of(self, tokens):
        """Things that were asked about in an episode, and its sentences as (first, last) places, from its tokens."""
        at, task, sentences = len(self.start), [], []
        for _ in range(self.turns):
            thing = next(i for i, ask in enumerate(self.asks) if tokens[at : at + len(ask)] == ask)
            at += len(self.asks[thing])
            first = at
            while not self.ends_after(tokens[first : at + 1]):
                at += 1
            at += 1
            task.append(thing)
            sentences.append((first, at))
        return task, sentences

    def reward(self, tokens, task, sentences):
        taken = [self.takes_up(tokens[first:last], thing) for thing, (first, last) in zip(task, sentences)]
        return sum(taken) / self.turns
