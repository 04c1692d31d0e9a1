/**
 * A world by its file for given settings: words or texts, actions and bounds. Nothing that comes out of the sandbox is trusted:
 * everything is checked here, in words for its author.
 */
import { excerpt } from '../../foundation/errors';
import { isJson, type Json } from '../../foundation/json';
import { MALFORMED_WORD } from '../decoding';
import { OWN_LIMITS, readObject, readText, readWhole, readWords, refuse, refuseField } from './reading';
import { readStop, TextForm } from './text/textForm';

/** Word that ends an action of several words, the same in all worlds, so that they can be mixed. */
const STOP = '<enter>';

/** Words that are actions where the state's legal set is this one. */
export interface ActionSet {
  readonly name: string;
  readonly tokens: readonly number[];
  /** Largest number of words of an action; with more than one, a stop word ends it. */
  readonly most: number;
}

/** Largest number of tokens of an action of a set, the one that ends it included. */
export const longestOf = ({ most }: ActionSet, stopToken: number): number =>
  most > 1 && stopToken >= 0 ? most + 1 : most;

const FUNCTIONS = [
  'task',
  'start',
  'step',
  'legal',
  'progress',
  'expert',
  'think',
  'answer',
  'draw',
  'probe',
  'apart',
] as const;
const WORLD_FIELDS = [
  ...FUNCTIONS,
  'words',
  'actions',
  'tools',
  'thoughts',
  'maxTurns',
  'longest',
  'heldOut',
  'told',
  'milestones',
];
/** Fields of worlds whose words are listed, and of those that are read and written as text. */
const ONLY_WORDS = ['words', 'actions', 'tools', 'thoughts', 'legal', 'think', 'answer'];
const ONLY_TEXTS = ['stop', 'maxTokens', 'chat', 'thinking'];
type FunctionName = (typeof FUNCTIONS)[number];

export interface Description {
  /** Vocabulary, `<pad>` and `<bos>` first. */
  readonly words: readonly string[];
  readonly tokens: ReadonlyMap<string, number>;
  readonly kinds: readonly string[];
  /** Form in which texts become tokens; null for a world that lists its words. */
  readonly text: TextForm | null;
  readonly sets: readonly ActionSet[];
  readonly stopToken: number;
  /** Words with which an action that calls a tool begins. */
  readonly toolWords: readonly number[];
  /** Words that the policy may think before each action, the most of them, and the one that ends them; null without thoughts. */
  readonly thoughts: { readonly tokens: readonly number[]; readonly most: number; readonly end: number } | null;
  readonly maxTurns: number;
  readonly longest: { readonly prompt: number; readonly answer: number };
  readonly heldOut: number;
  /** True if the words so far determine the state, so that only dice are left to chance. */
  readonly told: boolean;
  /** Word of the world for the steps that progress() counts, `tests passed`; null without one. */
  readonly milestones: string | null;
  readonly has: ReadonlySet<FunctionName>;
}

/**
 * Words, actions and bounds of a world with these settings, as `create` told them. `model`: the one whose tokenizer reads its texts;
 * null where its words are listed. Throws WorldError.
 */
export function readDescription(text: string, model: string | null): Description {
  const told = readObject(text, 'What create() returns');
  const functions = Array.isArray(told.functions) ? told.functions : [];
  const has = new Set(FUNCTIONS.filter((name) => functions.includes(name)));
  for (const name of ['task', 'start', 'step'] as const) if (!has.has(name)) refuse(`create() returns no ${name}()`);
  const [strange] = Array.isArray(told.strange) ? told.strange : [];
  const apart = model === null ? ONLY_TEXTS : ONLY_WORDS;
  const fields = [...WORLD_FIELDS, ...ONLY_TEXTS].filter((field) => !apart.includes(field));
  if (strange !== undefined) refuseField('create()', String(strange), 'world', fields);
  for (const field of apart) {
    if (told[field] === undefined && !functions.includes(field)) continue;
    if (model === null) refuse(`create() returns ${field}, which only a world of texts has: text: true`);
    refuse(`create() returns ${field}, which a world of texts does not have yet`);
  }
  if (model !== null) {
    const texts = readTexts(told, model);
    return { ...texts, ...readRest(told, texts.text), has };
  }
  const sets = readSets(told.actions);
  if (sets.length > 1 && !has.has('legal')) refuse('With several sets of actions, legal(state) has to name one');
  const said = readWords(told.words ?? [], 'words');
  const thoughts = readThoughts(told.thoughts);
  const isLong = sets.some(({ most }) => most > 1);
  const stop = isLong ? [STOP] : [];
  const actions = sets.flatMap(({ words }) => words);
  const kinds = new Map<string, string>([
    ['<pad>', 'marks'],
    ['<bos>', 'marks'],
  ]);
  for (const [kind, list] of [
    ['actions', actions],
    ['marks', stop],
    ['words', said],
    ['thoughts', thoughts?.words ?? []],
    ['marks', [MALFORMED_WORD]],
  ] as const) {
    for (const word of list) if (!kinds.has(word)) kinds.set(word, kind);
  }
  const words = [...kinds.keys()];
  if (words.length > OWN_LIMITS.words) refuse(`There are more than ${OWN_LIMITS.words} words`);
  const tokens = new Map(words.map((word, token) => [word, token]));
  const stopToken = isLong ? (tokens.get(STOP) ?? -1) : -1;
  return {
    text: null,
    words,
    tokens,
    kinds: [...kinds.values()],
    sets: sets.map(({ name, words: own, most }) => ({ name, most, tokens: own.map((word) => tokens.get(word) ?? 0) })),
    stopToken,
    toolWords: readWords(told.tools ?? [], 'tools').map((word) => {
      return actions.includes(word) ? (tokens.get(word) ?? 0) : refuse(`“${excerpt(word, 40)}” in tools is no action`);
    }),
    thoughts:
      thoughts === null
        ? null
        : {
            most: thoughts.most,
            end: tokens.get(thoughts.end) ?? 0,
            tokens: thoughts.words.map((word) => tokens.get(word) ?? 0),
          },
    ...readRest(told, null),
    has,
  };
}

type Rest = Pick<Description, 'maxTurns' | 'longest' | 'heldOut' | 'told' | 'milestones'>;

/** Bounds, and the other fields that both forms share. */
function readRest(told: Json, text: TextForm | null): Rest {
  const longest = told.longest as Json | undefined;
  const { heldOut } = told;
  if (typeof heldOut !== 'number' || !(heldOut >= 0 && heldOut <= 0.5)) refuse('heldOut must lie between 0 and 0.5');
  if (told.told !== undefined && typeof told.told !== 'boolean') refuse('told must be true or false');
  return {
    maxTurns: readWhole(told.maxTurns, 'maxTurns', OWN_LIMITS.turns),
    longest: {
      prompt: readLongest(longest?.prompt, text, 'prompt', 'start'),
      answer: readLongest(longest?.answer, text, 'answer', 'step'),
    },
    heldOut: heldOut as number,
    told: told.told === true,
    milestones: told.milestones === undefined ? null : readText(told.milestones, 'milestones', 40),
  };
}

/** A text whose tokens in a chat are more than those of the template around it. */
const SOMETHING = 'a';

/** Largest number of words that a function says. A world of texts may list the texts instead: then the tokens of the longest. */
function readLongest(told: unknown, text: TextForm | null, key: 'prompt' | 'answer', who: string): number {
  const isPrompt = key === 'prompt';
  const unit = text === null ? 'words' : 'tokens';
  const name = `longest.${key}, the most ${unit} that ${who}() says,`;
  const lengthOf = (one: string): number => (text?.[isPrompt ? 'prompt' : 'answer'](one) ?? []).length;
  if (text === null || !Array.isArray(told)) {
    const most = readWhole(told, name, OWN_LIMITS.said, isPrompt ? 0 : 1);
    // A chat template writes around what is said.
    return text?.chats === true ? most + lengthOf(SOMETHING) : most;
  }
  const lengths = told.map((one) =>
    typeof one === 'string' ? lengthOf(one) : refuse(`${name} lists what is no text`),
  );
  return readWhole(Math.max(1, ...lengths), name, OWN_LIMITS.said);
}

/** Pieces and actions of a world that is read and written as text. */
function readTexts(told: Json, model: string): Omit<Description, keyof Rest | 'has' | 'text'> & { text: TextForm } {
  const most = readWhole(told.maxTokens, 'maxTokens', OWN_LIMITS.said);
  const { chat: chats = false, thinking: thinks = false } = told;
  if (typeof thinks !== 'boolean') refuse('thinking must be true or false');
  if (typeof chats !== 'boolean' && chats !== 'tool') refuse("chat must be true, false or 'tool'");
  const text = new TextForm(model, readStop(told.stop), most, { thinks, chats });
  const { words, kinds, legal } = text;
  const sets = [{ name: '', tokens: legal, most }];
  return { text, words, kinds, tokens: new Map(), sets, stopToken: -1, toolWords: [], thoughts: null };
}

interface NamedSet {
  readonly name: string;
  readonly words: readonly string[];
  readonly most: number;
}

/** Actions as a list of words, as `{ words, most }`, or as several of these by name. */
function readSets(told: unknown): NamedSet[] {
  const readSet = (name: string, value: unknown): NamedSet => {
    const { words, most = 1 } = Array.isArray(value) ? { words: value as unknown } : ((value ?? {}) as Json);
    const where = name === '' ? 'actions' : `actions.${excerpt(name, 40)}`;
    const own = readWords(words, where);
    if (own.length === 0) refuse(`${where} has no words`);
    return { name, words: own, most: readWhole(most, `${where}.most`, OWN_LIMITS.actionWords) };
  };
  if (Array.isArray(told) || (isJson(told) && Array.isArray(told.words))) return [readSet('', told)];
  if (!isJson(told)) return refuse('actions, the words that are actions, are missing');
  const entries = Object.entries(told);
  if (entries.length === 0 || entries.length > OWN_LIMITS.sets) {
    refuse(`actions needs 1 to ${OWN_LIMITS.sets} sets of words`);
  }
  return entries.map(([name, value]) => readSet(name, value));
}

/** Thoughts before actions; null where there are none. */
function readThoughts(told: unknown): { words: string[]; most: number; end: string } | null {
  if (told === undefined) return null;
  const { words: listed, most, end } = isJson(told) ? told : ({} as Json);
  const words = readWords(listed, 'thoughts.words');
  if (typeof end !== 'string' || !words.includes(end)) {
    return refuse('thoughts.end, the word that ends thoughts, must be one of thoughts.words');
  }
  return { words, most: readWhole(most, 'thoughts.most', OWN_LIMITS.actionWords), end };
}
