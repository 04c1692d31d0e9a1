/**
 * Description of a world by its file: title and settings before anything is made, then, for given settings, its words,
 * actions and bounds. Nothing that comes out of the sandbox is trusted: everything is checked here, in words for its author.
 */
import { excerpt, LabError } from '../../foundation/errors';
import { decodingSettings, MALFORMED_WORD } from '../decoding';
import type { EnvironmentSetting, EnvironmentSettings } from '../environment';
import { INSTANCES_KEY, instancesSetting, MOST_INSTANCES } from '../instances';
import { type Json, OWN_LIMITS, readObject, readText, readWhole, readWords, refuse, refuseField } from './reading';
import type { Guest } from './sandbox';

/** Word that ends an action of several words, the same in all worlds, so that they can be mixed. */
const STOP = '<enter>';

export interface FileDescription {
  readonly title: string;
  readonly summary: string;
  readonly settings: readonly EnvironmentSetting[];
  /** Key of the setting that says which instance of the world it is; null without one. */
  readonly instanceKey: string | null;
  /** Fields that say nothing to the lab, each in a sentence. A world with one works, as it did before it was told. */
  readonly strange: readonly string[];
}

/** Words that are actions where the state's legal set is this one. */
export interface ActionSet {
  readonly name: string;
  readonly tokens: readonly number[];
  /** Largest number of words of an action; with more than one, a stop word ends it. */
  readonly most: number;
}

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
type FunctionName = (typeof FUNCTIONS)[number];

export interface Description {
  /** Vocabulary, `<pad>` and `<bos>` first. */
  readonly words: readonly string[];
  readonly tokens: ReadonlyMap<string, number>;
  readonly kinds: readonly string[];
  readonly sets: readonly ActionSet[];
  readonly stopToken: number;
  /** Words with which an action that calls a tool begins. */
  readonly toolWords: readonly number[];
  /** Words that the policy may think before each action, the most of them, and the one that ends them; null without thoughts. */
  readonly thoughts: { readonly tokens: readonly number[]; readonly most: number; readonly end: number } | null;
  readonly maxTurns: number;
  readonly longest: { readonly prompt: number; readonly answer: number };
  readonly heldOut: number;
  /** True if what was said so far determines the state, so that only dice are left to chance. */
  readonly told: boolean;
  /** Its word for the steps that progress() counts, `tests passed`; null without one. */
  readonly milestones: string | null;
  readonly has: ReadonlySet<FunctionName>;
}

/** Title, summary and settings of a file. Throws WorldError. */
export function describeFile(guest: Guest): FileDescription {
  const told = readObject(guest.value('describe', 'null'), 'The default export');
  if (told.creates !== 'function' && told.isGiven === true) refuse('The default export has no create(settings)');
  if (told.creates !== 'function') {
    refuse('The file has no `export default { title, summary, create(settings) { … } }`');
  }
  return {
    title: readText(told.title, 'The title', 60),
    summary: readText(told.summary, 'The summary', 240),
    ...readSettings(told.settings ?? {}),
    strange: [
      ...(Array.isArray(told.strange) ? told.strange : []).map((field) => strangeField('The file', field, FILE_FIELDS)),
      ...strangeSettings(told.settings),
    ],
  };
}

const FILE_FIELDS = ['title', 'summary', 'settings', 'create'];
const SETTING_FIELDS = ['default', 'min', 'max', 'choices', 'label', 'help', 'instance'];

const strangeField = (of: string, field: unknown, known: readonly string[]): string =>
  `${of} has “${excerpt(String(field), 30)}”, which means nothing here: there are ${known.join(', ')}.`;

function strangeSettings(told: unknown): string[] {
  return Object.entries((told ?? {}) as Json).flatMap(([key, value]) => {
    const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
    const strange = fields.filter((field) => !SETTING_FIELDS.includes(field)).slice(0, MOST_STRANGE);
    return strange.map((field) => {
      const whole = field === 'integer' ? ' A number is whole where its default, min and max are.' : '';
      return strangeField(`settings.${key}`, field, SETTING_FIELDS) + whole;
    });
  });
}

/** Strange fields of a setting that are told, at most. */
const MOST_STRANGE = 4;

const KEY = /^[a-z][A-Za-z0-9]{0,23}$/;
const RESERVED = ['world', INSTANCES_KEY, ...decodingSettings.map(({ key }) => key)];

function readSettings(told: unknown): Omit<FileDescription, 'title' | 'summary' | 'strange'> {
  if (typeof told !== 'object' || told === null || Array.isArray(told)) return refuse('settings is no object');
  const entries = Object.entries(told as Json);
  if (entries.length > OWN_LIMITS.settings) refuse(`There are more than ${OWN_LIMITS.settings} settings`);
  const settings = entries.map(([key, value]) => {
    if (!KEY.test(key) || RESERVED.includes(key)) refuse(`A setting cannot be called “${excerpt(key, 30)}”`);
    return readSetting(key, typeof value === 'object' && value !== null ? (value as Json) : { default: value });
  });
  const [instance, another] = settings.filter(
    ({ key }) => (told as Readonly<Record<string, Json>>)[key]?.instance === true,
  );
  if (another !== undefined)
    refuse(`Of settings.${instance?.key} and settings.${another.key} only one can be the instance`);
  if (instance === undefined) return { settings: [...settings, ...decodingSettings], instanceKey: null };
  if (instance.type !== 'integer' || instance.min !== 0 || instance.max !== MOST_INSTANCES - 1) {
    refuse(`settings.${instance.key}, as the instance, needs min: 0 and max: ${MOST_INSTANCES - 1}`);
  }
  const shared = instancesSetting(instance.label.toLowerCase());
  return { settings: [...settings, shared, ...decodingSettings], instanceKey: instance.key };
}

function readSetting(key: string, told: Json): EnvironmentSetting {
  const { default: initial, min, max, choices } = told;
  const spaced = key.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  const described = {
    key,
    label: readText(told.label ?? spaced[0]?.toUpperCase() + spaced.slice(1), `settings.${key}.label`, 40),
    help: readText(told.help ?? 'A setting of this world.', `settings.${key}.help`, 240),
  };
  if (typeof initial === 'boolean') return { ...described, type: 'boolean', default: initial };
  if (Array.isArray(choices)) {
    if (choices.length > OWN_LIMITS.choices) refuse(`settings.${key} has more than ${OWN_LIMITS.choices} choices`);
    const names = choices.map((choice) => readText(choice, `A choice of settings.${key}`, 40));
    if (typeof initial !== 'string' || !names.includes(initial))
      refuse(`settings.${key}.default is none of its choices`);
    return { ...described, type: 'choice', default: initial as string, choices: names };
  }
  const numbers = [initial, min, max];
  if (!numbers.every((one): one is number => typeof one === 'number' && Number.isFinite(one))) {
    return refuse(`settings.${key} needs numbers as default, min and max, or choices, or true or false as default`);
  }
  const [usual = 0, low = 0, high = 0] = numbers;
  if (!(low <= usual && usual <= high)) refuse(`settings.${key}.default does not lie between min and max`);
  const type = numbers.every(Number.isInteger) ? 'integer' : 'number';
  return { ...described, type, default: usual, min: low, max: high };
}

/** All settings with their values: those given, and the defaults of the others. Throws LabError. */
export function completeSettings(
  { title, settings }: FileDescription,
  given: EnvironmentSettings,
): Record<string, number | boolean | string> {
  const wrong = (what: string, advice: string): never => {
    throw new LabError('invalid-experiment', what, advice);
  };
  const unknown = Object.keys(given).find((key) => settings.every((setting) => setting.key !== key));
  if (unknown !== undefined) {
    const known = settings.map(({ key }) => key).join(', ');
    wrong(`The world “${title}” has no setting ${excerpt(unknown, 30)}.`, `There are: ${known}.`);
  }
  return Object.fromEntries(
    settings.map(({ key, type, default: initial, min = 0, max = 0, choices = [] }) => {
      const value = Object.hasOwn(given, key) ? given[key] : initial;
      const limits = `Set it to a value from ${min} to ${max}.`;
      if (type === 'boolean' && typeof value !== 'boolean') wrong(`${key} must be true or false.`, 'Set it so.');
      if (type === 'choice') {
        if (!choices.includes(String(value))) {
          wrong(`${key} cannot be ${excerpt(String(value), 40)}.`, `Choose one of: ${choices.join(', ')}.`);
        }
        return [key, String(value)];
      }
      if (type === 'integer' && !Number.isInteger(value)) wrong(`${key} must be a whole number.`, limits);
      const isOut = typeof value !== 'number' || !(value >= min && value <= max);
      if (type !== 'boolean' && isOut) wrong(`${key} cannot be ${excerpt(String(value), 40)}.`, limits);
      return [key, value as number | boolean];
    }),
  );
}

/** Words, actions and bounds of a world with these settings, as `create` told them. Throws WorldError. */
export function readDescription(text: string): Description {
  const told = readObject(text, 'What create() returns');
  const functions = Array.isArray(told.functions) ? told.functions : [];
  const has = new Set(FUNCTIONS.filter((name) => functions.includes(name)));
  for (const name of ['task', 'start', 'step'] as const) if (!has.has(name)) refuse(`create() returns no ${name}()`);
  const [strange] = Array.isArray(told.strange) ? told.strange : [];
  if (strange !== undefined) refuseField('create()', String(strange), 'world', WORLD_FIELDS);
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
  const longest = told.longest as Json | undefined;
  const { heldOut } = told;
  if (typeof heldOut !== 'number' || !(heldOut >= 0 && heldOut <= 0.5)) refuse('heldOut must lie between 0 and 0.5');
  if (told.told !== undefined && typeof told.told !== 'boolean') refuse('told must be true or false');
  return {
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
    maxTurns: readWhole(told.maxTurns, 'maxTurns', OWN_LIMITS.turns),
    longest: {
      prompt: readWhole(longest?.prompt, 'longest.prompt, the most words that start() says,', OWN_LIMITS.said, 0),
      answer: readWhole(longest?.answer, 'longest.answer, the most words that step() says,', OWN_LIMITS.said),
    },
    heldOut: heldOut as number,
    told: told.told === true,
    milestones: told.milestones === undefined ? null : readText(told.milestones, 'milestones', 40),
    has,
  };
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
  const isOne =
    Array.isArray(told) || (typeof told === 'object' && told !== null && Array.isArray((told as Json).words));
  if (isOne) return [readSet('', told)];
  if (typeof told !== 'object' || told === null) return refuse('actions, the words that are actions, are missing');
  const entries = Object.entries(told as Json);
  if (entries.length === 0 || entries.length > OWN_LIMITS.sets) {
    refuse(`actions needs 1 to ${OWN_LIMITS.sets} sets of words`);
  }
  return entries.map(([name, value]) => readSet(name, value));
}

/** Thoughts before actions; null where there are none. */
function readThoughts(told: unknown): { words: string[]; most: number; end: string } | null {
  if (told === undefined) return null;
  const { words: listed, most, end } = (typeof told === 'object' && told !== null ? told : {}) as Json;
  const words = readWords(listed, 'thoughts.words');
  if (typeof end !== 'string' || !words.includes(end)) {
    return refuse('thoughts.end, the word that ends thoughts, must be one of thoughts.words');
  }
  return { words, most: readWhole(most, 'thoughts.most', OWN_LIMITS.actionWords), end };
}
