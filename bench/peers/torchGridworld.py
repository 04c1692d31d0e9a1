"""Plain gridworld of the comparison, all episodes of a batch at once: opaque cells, reward 1 on reaching the goal."""

import numpy as np

START, FIRST_MOVE, MOVES = 1, 2, 4
FIRST_CELL = FIRST_MOVE + MOVES
PROMPT = 3
"""Tokens of a prompt: the start token, the goal, the agent's cell."""


class Gridworld:
    def __init__(self, size, horizon, minimum_distance):
        self.horizon = horizon
        cells = np.arange(size * size)
        x, y = cells % size, cells // size
        moved = [(x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)]
        places = [np.clip(to_y, 0, size - 1) * size + np.clip(to_x, 0, size - 1) for to_x, to_y in moved]
        self.neighbours = np.stack(places, 1)
        distances = abs(x[:, None] - x) + abs(y[:, None] - y)
        self.pairs = np.argwhere(distances >= minimum_distance)

    def begin(self, random, groups, group_size):
        """Draws a task for every group. Returns the prompts, [groups·group_size, PROMPT]."""
        tasks = self.pairs[random.integers(len(self.pairs), size=groups)].repeat(group_size, 0)
        self.cells, self.goals = tasks[:, 0].copy(), tasks[:, 1]
        start = np.full(len(tasks), START)
        return np.stack([start, FIRST_CELL + self.goals, FIRST_CELL + self.cells], 1)

    def step(self, slots, moves):
        """Moves the agents of some episodes. Returns their observations and which of them are at their goals."""
        cells = self.neighbours[self.cells[slots], moves]
        self.cells[slots] = cells
        return FIRST_CELL + cells, cells == self.goals[slots]
