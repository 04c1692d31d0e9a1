/**
 * Names of the contract that a world's file keeps, each with its type and what it is, for the editor (docs/worlds.md is the whole).
 */
import type { KnownName } from '../../../kit/code/known';

type Entry = readonly [name: string, type: string, help: string, apply?: string];

const STATE = 'State and task are JSON of your own.';

const FILE: readonly Entry[] = [
  [
    'text',
    'true',
    'start() and step() say strings, and an action is the string that a language model wrote',
    'text: true,',
  ],
  ['title', 'string', 'one line for people', "title: '',"],
  ['summary', 'string', 'what is asked of the agent, in one sentence', "summary: '',"],
  [
    'settings',
    '{ [key]: { default, min, max } | { default, choices } | boolean }',
    'each is a control and a part of the link; label, help and instance: true may be added',
    'settings: { size: { default: 4, min: 2, max: 9 } },',
  ],
  [
    'create',
    '(settings) → the world with these settings',
    'called once; tables may be worked out here',
    'create({ size }) {',
  ],
];

const WORLD: readonly Entry[] = [
  ['words', 'string[]', 'everything that the world may say; actions need not be repeated'],
  [
    'actions',
    'string[] | { words: string[], most: number } | { [set]: … }',
    'words that are actions; with most, an action is up to so many words; several sets by name need legal()',
  ],
  ['tools', 'string[]', 'words with which an action that calls a tool begins: such calls are charted'],
  [
    'thoughts',
    '{ words: string[], most: number, end: string }',
    'before each action the policy draws up to so many of these words for itself, until the word end; step() never hears them',
    "thoughts: { words: ['so'], most: 3, end: 'so' },",
  ],
  [
    'stop',
    "'sentence' | 'line' | string[]",
    'in a world of texts: where an action ends; without it at the end of a text, or at its longest',
    "stop: 'sentence',",
  ],
  ['maxTokens', 'number', 'in a world of texts: the most tokens of an action', 'maxTokens: 24,'],
  [
    'chat',
    "boolean | 'tool'",
    "in a world of texts: what it says is a user’s message in the model’s chat template; with 'tool' its answers are a tool’s",
    'chat: true,',
  ],
  ['thinking', 'boolean', 'in a world of texts: no stop inside <think>…</think> ends an action', 'thinking: true,'],
  ['legal', '(state) → name of a set', 'which set of actions is legal, where there are several'],
  ['maxTurns', 'number', 'turns after which an episode ends', 'maxTurns: 20,'],
  [
    'longest',
    '{ prompt: number, answer: number }',
    'the most words that start() and step() say',
    'longest: { prompt: 1, answer: 1 },',
  ],
  [
    'heldOut',
    'number from 0 to 0.5',
    'share of the tasks that training never draws; 0.2 if it is left out',
    'heldOut: 0.2,',
  ],
  [
    'told',
    'boolean',
    'true where all that was said determines the state. Then the lab works out the floor, which is the least cross-entropy that any predictor of the answers can reach',
    'told: true,',
  ],
  ['task', '(random) → task', `draws a task. ${STATE}`, 'task: (random) => ({  }),'],
  [
    'apart',
    '(task) → part of it',
    'what the split into training and held-out goes by; the whole task if it is left out',
  ],
  [
    'start',
    '(task) → { state, say }',
    `the first state and the prompt. ${STATE}`,
    "start: (task) => ({ state: {  }, say: '' }),",
  ],
  [
    'step',
    '(state, action, random) → { state, say?, warn?, reward?, done?, success?, floor? }',
    'what an action does. An action is a word, or a list where it may have several',
    "step: (state, action, random) => ({ state, say: '' }),",
  ],
  [
    'expert',
    '(state) → action',
    'an action that leads to success: for warm starts, and to know that there is one',
    'expert: (state) => ',
  ],
  ['think', '(state) → thoughts', 'what the expert thinks before its action: for warm starts'],
  [
    'answer',
    '(state) → action, or null',
    'the action that says the right answer, given the state a task begins in: for information gain',
    'answer: (state) => ',
  ],
  ['progress', '(state) → number from 0 to 1', 'for shaped rewards'],
  [
    'milestones',
    'string',
    'what progress counts, as in: tests passed. The page says so where it is paid',
    "milestones: '',",
  ],
  [
    'draw',
    '(state) → drawing',
    "{ kind: 'board' | 'text' | 'table' | 'cards' | 'shapes', … }; without it the conversation is shown",
    "draw: (state) => ({ kind: 'text', lines: [''] }),",
  ],
  ['probe', '(state) → { [name]: text }', 'parts of the state that linear probes look for in the policy'],
];

const STEP: readonly Entry[] = [
  ['state', 'JSON', 'a new state, or the old one; what is not in it is forgotten'],
  ['say', 'string | string[]', 'the answer: declared words, with spaces or as a list'],
  ['warn', 'string | string[]', 'a complaint, said before the answer: its words are warnings'],
  ['reward', 'number', 'added to the episode’s; left out it is 1 for success and else 0'],
  ['done', 'boolean', 'ends the episode'],
  ['success', 'boolean', 'ends the episode as a success'],
  [
    'floor',
    'number',
    'the least cross-entropy, in nats, that any predictor of this answer can reach: to be said where told is not true and you know it',
  ],
];

const DRAWING: readonly Entry[] = [
  ['kind', "'board' | 'text' | 'table' | 'cards' | 'shapes'", 'what a drawing is'],
  ['width', 'number', 'cells of a board, or units of shapes, across'],
  ['height', 'number', 'cells of a board, or units of shapes, down'],
  [
    'cells',
    "('floor' | 'wall' | 'ice' | 'hole' | 'goal' | 'key' | 'door' | 'open-door' | 'target')[]",
    'of a board, row by row',
  ],
  ['agent', '[x, y]', 'cell of the agent, from 0'],
  ['boxes', '[x, y][]', 'cells with a box'],
  ['carrying', "'key' | null", 'what the agent carries on a board'],
  ['lines', '(string | { text, tone })[]', 'of a text'],
  ['head', 'string[]', 'heads of a table’s columns'],
  ['rows', '(string | number)[][]', 'of a table'],
  ['cards', '{ title, text?, tone? }[]', 'of a drawing as cards'],
  [
    'shapes',
    "{ shape: 'rect', x, y, width, height } | { shape: 'circle', x, y, radius } | { shape: 'line', x, y, toX, toY } | { shape: 'text', x, y, text, size? }",
    'a drawing of one’s own in units of its width and height: x from the left, y from the top; a text begins at x, stands on y, and is size tall (otherwise a sixteenth of the width); each may have a tone',
  ],
  ['tone', "'plain' | 'good' | 'bad' | 'soft'", 'of a line, a card or a shape'],
];

const RANDOM: readonly Entry[] = [
  ['below', '(n) → number', 'a whole number from 0 to n − 1, all alike', 'below('],
  ['chance', '(p) → boolean', 'true with probability p', 'chance('],
  ['pick', '(list) → one of it', 'all alike', 'pick('],
  ['weighted', '(weights) → index', 'with chances as the weights are', 'weighted('],
  ['shuffle', '(list) → list', 'a copy in another order', 'shuffle('],
  ['unit', '() → number', 'in (0, 1); a step that asks for it cannot be remembered, which is slow', 'unit()'],
];

/** Names of the first three lists that a file may do without; of drawings, their kind says what is needed. */
export const OPTIONAL: ReadonlySet<string> = new Set(
  [
    'settings',
    'tools',
    'thoughts',
    'legal',
    'heldOut',
    'told',
    'apart',
    'expert',
    'think',
    'answer',
    'progress',
    'milestones',
    'draw',
    'probe',
  ].concat(STEP.map(([name]) => name).filter((name) => name !== 'state')),
);

/** All of it for those who read, by what a name belongs to. */
export const REFERENCE: readonly (readonly [title: string, entries: readonly Entry[]])[] = [
  ['The file', FILE],
  ['What create() returns', WORLD],
  ['What step() returns', STEP],
  ['Drawings', DRAWING],
  ['random', RANDOM],
];

const described = (entries: readonly Entry[], kind: KnownName['kind']): KnownName[] =>
  entries.map(([name, type, help, apply]) => ({
    name,
    kind,
    help: `${name}: ${type} — ${help}.`,
    ...(apply === undefined ? {} : { apply }),
  }));

const DICE = described(RANDOM, 'function');
const CONTRACT: readonly KnownName[] = [
  ...described(FILE, 'input'),
  ...described(WORLD, 'input'),
  ...described(STEP, 'word'),
  ...described(DRAWING, 'word'),
  {
    name: 'random',
    kind: 'word',
    help: 'random: the only chance there is: below, chance, pick, weighted, shuffle, unit.',
  },
];

/** Names that may stand at a place: after `random.` its functions, after another point none. */
export function namesAt(text: string, before: number): readonly KnownName[] {
  const line = text.slice(Math.max(0, before - 40), before);
  if (/\brandom\.$/.test(line)) return DICE;
  if (/\.$/.test(line)) return [];
  return [...settingsOf(text), ...CONTRACT];
}

/** The text's own settings, which create() is given. */
function settingsOf(text: string): KnownName[] {
  const [, inner = ''] = /settings:\s*\{([\s\S]*?)\n {2}\}/.exec(text) ?? [];
  return [...inner.matchAll(/^\s*([a-z]\w*):\s*(.*?),?$/gm)].map(([, name = '', told = '']) => ({
    name,
    kind: 'own',
    help: `${name}: a setting of this world, ${told}`,
  }));
}
