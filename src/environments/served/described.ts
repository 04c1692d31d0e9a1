/** Descriptions of a lab world for its clients: a text for people, and JSON schemas. */

import type { Role } from '../../foundation/roles';
import type { Environment } from '../environment';
import type { Served } from './contract';

export interface LabWorld {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly environment: Environment;
}

/** Names of roles in OpenEnv's RFC 010. */
export const SEGMENT: Readonly<Record<Role, string>> = {
  prompt: 'context',
  action: 'action',
  observation: 'env_output',
  warning: 'warning',
  thought: 'thought',
};

/** Most legal actions that are listed one by one. */
const MOST_LISTED = 400;
/** Words 0 and 1 are padding and the beginning of a trajectory. */
export const FIRST_WORD = 2;

/** Words of a legal set without the one that ends an action; of set 0 all. */
export function wordsOf({ words, legalSets, stopToken }: Environment, set: number): string[] {
  if (set === 0) return words.slice(FIRST_WORD);
  return (legalSets[set - 1] ?? []).filter((token) => token !== stopToken).map((token) => words[token] ?? '');
}

/** Words that any action may have. */
function actionWords(environment: Environment): string[] {
  const { legalSets, thoughts, words } = environment;
  if (legalSets.length === 0) return words.slice(FIRST_WORD);
  const sets = legalSets.map((_, i) => i + 1).filter((set) => set !== thoughts?.legalSet);
  return [...new Set(sets.flatMap((set) => wordsOf(environment, set)))];
}

export function readme({ title, summary, environment }: LabWorld): string {
  const { maxActionTokens, maxTurns, randomSuccess, writing } = environment;
  const words = actionWords(environment);
  const form = maxActionTokens === 1 ? 'one word' : `up to ${maxActionTokens} words`;
  const forms =
    writing === undefined
      ? [
          `An action is ${form}, parted by spaces. Words of actions: ${words.join(' ')}`,
          `Words of observations: ${environment.words.slice(FIRST_WORD).join(' ')}`,
        ]
      : [writtenForm(environment)];
  return [
    `# ${title}`,
    summary,
    ...forms,
    `An episode has at most ${maxTurns} turns.${randomSuccess === null ? '' : ` Random legal actions succeed in ${(100 * randomSuccess).toFixed(1)}% of episodes.`}`,
    'reset takes seed (a task is its seed), split (train or held-out), segments (true adds the role of each span), legal_actions (true adds the words that are legal next) and plain (true leaves out the instruction and the reasons why an action is malformed).',
  ].join('\n\n');
}

const writtenForm = ({ maxActionTokens }: Environment): string =>
  `A text that goes on with what was said, of at most ${maxActionTokens} tokens of the lab’s. It ends behind the first match of “x-end” in the schema.`;

export function schemas(environment: Environment): Served['schema'] {
  const { writing, maxActionTokens } = environment;
  const words = actionWords(environment);
  const isOneOf = maxActionTokens === 1 && words.length <= MOST_LISTED;
  const metadata = { description: 'Additional metadata', title: 'Metadata', type: 'object' };
  const text = { title: 'Text', type: 'string' };
  const said = {
    type: 'array',
    items: { type: 'object', properties: { role: { enum: Object.values(SEGMENT) }, text } },
  };
  const listed = isOneOf
    ? { description: 'One of these words.', examples: words }
    : { description: `Up to ${maxActionTokens} words, parted by spaces.`, 'x-words': words };
  const written = { description: writtenForm(environment), 'x-end': writing?.end, 'x-longest': maxActionTokens };
  return {
    action: {
      additionalProperties: false,
      properties: { metadata, text: { ...text, ...(writing === undefined ? listed : written) } },
      required: ['text'],
      title: 'TextAction',
      type: 'object',
    },
    observation: {
      additionalProperties: false,
      properties: {
        done: { default: false, title: 'Done', type: 'boolean' },
        reward: { anyOf: [{ type: 'number' }, { type: 'null' }], default: null, title: 'Reward' },
        metadata,
        text: writing === undefined ? { ...text, 'x-words': environment.words.slice(FIRST_WORD) } : text,
        segments: { ...said, description: 'Only after reset(segments=true).' },
        legal_actions: {
          type: 'array',
          items: { type: 'string' },
          description: 'Only after reset(legal_actions=true).',
        },
      },
      required: ['text'],
      title: 'TextObservation',
      type: 'object',
    },
    state: {
      additionalProperties: true,
      properties: {
        episode_id: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Episode Id' },
        step_count: { default: 0, minimum: 0, title: 'Step Count', type: 'integer' },
      },
      title: 'State',
      type: 'object',
    },
  };
}
