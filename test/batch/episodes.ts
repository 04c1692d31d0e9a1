/** Episodes of a trainer as tests plant faults in them: two turns of a chat, with every number by token. */
import { seeded } from './seeded';

export interface Episode {
  group: number;
  texts: string[];
  /** `prompt`, `template`, `action`, `observation`. */
  roles: string[];
  weights: number[];
  old: number[];
  rollout: number[];
  advantages: number[];
  reward: number;
  truncated: boolean;
  /** Tokens of the prompt. */
  prompt: number;
  /** Where each sampled turn begins and ends. */
  turns: [from: number, to: number][];
  /** True if the second turn's prompt was tokenised again, to other ids. */
  isRetokenised: boolean;
}

const GROUPS = 6;
const SIZE = 4;

/** A batch without a fault: 24 episodes, each unlike the others, two of four in a group solved. */
export function cleanBatch(): Episode[] {
  const random = seeded(7);
  return Array.from({ length: GROUPS * SIZE }, (_, at) => episode(Math.floor(at / SIZE), at % 2, random));
}

function episode(group: number, reward: number, random: () => number): Episode {
  const words = (count: number): string[] => Array.from({ length: count }, () => `word${Math.floor(random() * 500)}`);
  const parts: [role: string, texts: string[]][] = [
    ['template', ['<|im_start|>', 'user', '\n']],
    ['prompt', ['solve', `task${group}`]],
    ['template', ['<|im_end|>', '\n', '<|im_start|>', 'assistant', '\n']],
    ['action', [...words(6 + Math.floor(random() * 3)), '<|im_end|>']],
    ['template', ['\n', '<|im_start|>', 'tool', '\n']],
    ['observation', words(5)],
    ['template', ['<|im_end|>', '\n', '<|im_start|>', 'assistant', '\n']],
    ['action', [...words(6), '<|im_end|>']],
  ];
  const texts = parts.flatMap(([, own]) => own);
  const roles = parts.flatMap(([role, own]) => own.map(() => role));
  const isAction = roles.map((role) => role === 'action');
  const old = isAction.map(() => -0.1 - 2 * random());
  const starts = roles
    .map((role, at) => (role === 'action' && roles[at - 1] !== 'action' ? at : -1))
    .filter((at) => at >= 0);
  return {
    ...{ group, texts, roles, reward, truncated: false, isRetokenised: false, old },
    weights: isAction.map(Number),
    rollout: old.map((value, at) => (isAction[at] ? value + 0.01 * (random() - 0.5) : 0)),
    advantages: isAction.map((is) => (is ? 2 * reward - 1 : 0)),
    prompt: starts[0] ?? 0,
    turns: starts
      .map((from) => [from, roles.findIndex((role, at) => at > from && role !== 'action')])
      .map(([from = 0, to = -1]) => [from, to === -1 ? texts.length : to]),
  };
}

/** Tokens of a role behind the prompt. */
const placesOf = ({ roles, prompt }: Episode, role: string): number[] =>
  roles.map((own, at) => (own === role && at >= prompt ? at : -1)).filter((at) => at >= 0);

type Fault = (batch: Episode[]) => void;

const at = (batch: Episode[], index: number): Episode => {
  const one = batch[index];
  if (one === undefined) throw new Error(`There is no episode ${index}.`);
  return one;
};

function train(one: Episode, tokens: readonly number[], weight: number): void {
  for (const token of tokens) {
    one.weights[token] = weight;
    one.advantages[token] = weight * (2 * one.reward - 1);
  }
}

/** What is planted for each rule; `shift` twice, in masks and in log-probs. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  leak: (batch) => train(at(batch, 3), placesOf(at(batch, 3), 'observation'), 1),
  template: (batch) => train(at(batch, 3), placesOf(at(batch, 3), 'template').slice(-3), 1),
  'untrained-action': (batch) =>
    train(
      at(batch, 3),
      [1, 2].map((by) => (at(batch, 3).turns[0]?.[0] ?? 0) + by),
      0,
    ),
  'untrained-stop': (batch) => {
    for (const one of batch) train(one, [(one.turns[0]?.[1] ?? 0) - 1], 0);
  },
  shift: (batch) => {
    for (const one of batch) train(one, [...one.texts.keys()], 0);
    for (const one of batch) {
      train(
        one,
        [...one.texts.keys()].filter((token) => one.roles[token + 1] === 'action'),
        1,
      );
    }
  },
  'shift of log-probs': (batch) => {
    for (const one of batch) one.old = one.old.map((_, token) => one.old[token + 1] ?? -1);
  },
  retokenised: (batch) => {
    at(batch, 3).isRetokenised = true;
  },
  mismatch: (batch) => {
    for (const one of batch) one.rollout = one.rollout.map((value, token) => value * (token % 2 === 0 ? 1.6 : 0.7));
  },
  'advantage-varies': (batch) => {
    at(batch, 3).advantages[(at(batch, 3).turns[0]?.[0] ?? 0) + 2] = 0.25;
  },
  'silent-group': (batch) => {
    for (const one of batch.filter(({ group }) => group === 2)) {
      one.reward = 1;
      one.advantages = one.advantages.map(() => 0);
    }
  },
  truncated: (batch) => {
    const one = at(batch, 5);
    one.truncated = true;
    for (const array of [one.texts, one.roles, one.weights, one.old, one.rollout, one.advantages]) array.length -= 2;
    one.turns[1] = [one.turns[1]?.[0] ?? 0, one.texts.length];
  },
  duplicate: (batch) => {
    batch.splice(2, 0, structuredClone(at(batch, 1)));
  },
  'non-finite': (batch) => {
    const one = at(batch, 3);
    one.advantages = one.advantages.map((value, token) => (one.roles[token] === 'action' ? Number.NaN : value));
    one.reward = Number.NaN;
  },
  dominated: (batch) => {
    at(batch, 3).advantages = at(batch, 3).advantages.map((value) => 1000 * value);
  },
};
