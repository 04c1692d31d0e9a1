/** Worlds of the lab that can be said in English, by a description: `@english/terminal` and its settings. */
import { LabError } from '../../../foundation/errors';
import { environments } from '../../registry';
import { legalSentence } from '../../served/conversation';
import type { FileDescription } from '../described';

const MARK = '@english/';

const [ROOM, SPARE, THINKING, CHAT] = ['room', 'spare', 'thinking', 'chat'] as const;

const OWN_SETTINGS: FileDescription['settings'] = [
  {
    key: ROOM,
    label: 'Longest episode',
    help: 'Tokens of the language model that an episode may have; one that fills them ends there.',
    type: 'integer',
    default: 512,
    min: 64,
    max: 8192,
  },
  {
    key: SPARE,
    label: 'Room to be wordy',
    help: 'Tokens that an action may have beside its own words: of a sentence around it, or of thoughts.',
    type: 'integer',
    default: 8,
    min: 0,
    max: 1024,
  },
  {
    key: THINKING,
    label: 'Thoughts',
    help: 'True: a line break inside <think>…</think> does not end an action. Thoughts are trained as its words are, and are not read as the action.',
    type: 'boolean',
    default: false,
  },
  {
    key: CHAT,
    label: 'As a chat',
    help: 'True: what the world says is a user’s message in the model’s chat template, and a reply is an action. The template’s own tokens are the world’s.',
    type: 'boolean',
    default: false,
  },
];

/** Ids of the worlds that can be said. */
const SAYABLE = Object.values(environments).filter(({ id, model }) => id !== 'mixture' && model === undefined);

/** Names of these worlds, each with its title. */
export const spokenWorlds: readonly (readonly [world: string, title: string])[] = SAYABLE.map(({ id, title }) => [
  MARK + id,
  title,
]);

export const isSpoken = (world: string): boolean => world.startsWith(MARK);

export function innerOf(world: string): (typeof SAYABLE)[number] {
  const found = SAYABLE.find(({ id }) => MARK + id === world);
  if (found !== undefined) return found;
  const known = spokenWorlds.map(([name]) => name).join(', ');
  throw new LabError('invalid-experiment', `There is no ${world.slice(0, 40)}.`, `There are: ${known}.`);
}

/** Title, summary and settings; a text can always be malformed, so that decoding is no matter. */
export function spokenFile(world: string): FileDescription {
  const { title, summary, settings, instanceKey = null } = innerOf(world);
  const kept = settings.filter(({ key }) => key !== 'decoding').map(({ isRelevant: _, ...setting }) => setting);
  return {
    title: `${title}, in English`,
    summary,
    isText: true,
    settings: [...kept, ...OWN_SETTINGS],
    instanceKey,
    strange: [],
  };
}

/** Sentence like legalSentence, with runs of numbered words, such as `0 1 2 3`, by their ends. */
export const sayLegal = (words: readonly string[], most: number): string => legalSentence(runsIn(words), most);

/** Words of a run that is said by its ends. */
const A_RUN = 4;

function runsIn(words: readonly string[]): string[] {
  const numberOf = (word = ''): [before: string, number: number] => {
    const [, before = '', digits = ''] = /^(.*?)(\d+)$/.exec(word) ?? [];
    return [before, digits === '' ? Number.NaN : Number(digits)];
  };
  const said: string[] = [];
  for (let from = 0; from < words.length; ) {
    const [before, first] = numberOf(words[from]);
    let to = from + 1;
    while (to < words.length) {
      const [other, number] = numberOf(words[to]);
      if (other !== before || number !== first + to - from) break;
      to++;
    }
    said.push(...(to - from < A_RUN ? words.slice(from, to) : [`${words[from]} to ${words[to - 1]}`]));
    from = to;
  }
  return said;
}
