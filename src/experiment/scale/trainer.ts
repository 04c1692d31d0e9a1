/**
 * An arm as configuration of a trainer of language models. A trainer says which settings it has a field for, and with which
 * value; what matters to the arm and has none is named in a comment, so that nothing is lost silently.
 */
import { type Arm, type ArmSettingPath, armSettings, type Experiment, getArmSetting } from '../experiment';
import { refuseFixed } from '../policyFiles';
import { isRelevant } from '../relevance';
import type { SettingValue } from '../setting';

/** The trainer's own name of a field and its value, as it stands in the file; a comment where it means something else. */
export interface Field {
  readonly key: string;
  readonly value: string;
  readonly note?: string;
}

export type Carry = (value: SettingValue, arm: Arm) => Field | null;

export interface Trainer {
  readonly id: string;
  readonly title: string;
  /** Where the fields are documented. */
  readonly source: string;
  /** Null for a value the trainer cannot do. */
  readonly carries: Partial<Record<ArmSettingPath, Carry>>;
  /** Fields of the whole experiment, and those that are always the same. */
  readonly shared: (experiment: Experiment, arm: Arm) => readonly Field[];
  /** What differs in meaning although a field carries it. */
  readonly cautions: readonly string[];
  readonly extension: 'sh' | 'toml' | 'py';
  readonly write: (fields: readonly Field[], comments: readonly string[]) => string;
}

/** What no trainer of language models shares with the lab. */
const OTHER_WORLD = [
  'Learning rate, weight decay and batch were tuned for a policy of about 100,000 parameters from random weights: begin a pretrained model with a learning rate near 1e-6.',
  'λ is not comparable between projects: each divides its two losses by other counts. Compare the weight of one token.',
] as const;

/** Throws LabError for an arm that is a fixed policy: no trainer can repeat what does not learn. */
export function configurationOf(trainer: Trainer, experiment: Experiment, arm: Arm): string {
  refuseFixed(arm, 'there is nothing that a trainer could repeat');
  // An objective is a name for its settings, which are all told.
  const relevant = armSettings.filter(
    ({ path }) => path !== 'objective' && (isRelevant(arm, path) || path in trainer.carries),
  );
  const carried = relevant.map(({ path, label, default: initial }) => {
    const value = getArmSetting(arm, path);
    return { label, path, value, initial, field: trainer.carries[path]?.(value, arm) ?? null };
  });
  const fields = carried.flatMap(({ field }) => (field === null ? [] : [field]));
  const lost = carried.filter(({ path, field }) => field === null && isRelevant(arm, path));
  const changed = lost.filter(({ initial, value }) => value !== initial);
  const usual = lost
    .filter(({ initial, value }) => value === initial)
    .map(({ path, value }) => `${path} = ${value === '' ? 'none' : value}`);
  const comments = [
    `Unmask, “${experiment.title}”, arm “${arm.name}”, for ${trainer.title} (${trainer.source}).`,
    ...trainer.cautions,
    ...OTHER_WORLD,
    ...(experiment.timeline.length === 0 ? [] : ['Changes made while training do not carry over.']),
    ...(changed.length === 0 ? [] : ['These settings of the arm have no field here, and matter:']),
    ...changed.map(({ label, path, value }) => `  ${label}: ${path} = ${value}`),
    ...(usual.length === 0 ? [] : ['These have no field here either, and are as the lab begins:']),
    ...inLines(usual, 5).map((line) => `  ${line}`),
  ];
  return trainer.write(unique([...trainer.shared(experiment, arm), ...fields]), comments.map(oneLine));
}

/** Two settings may share a field. */
function unique(fields: readonly Field[]): Field[] {
  return [...new Map(fields.map((one) => [one.key, one])).values()];
}

const inLines = (texts: readonly string[], each: number): string[] =>
  texts.flatMap((_, i) => (i % each === 0 ? [texts.slice(i, i + each).join(', ')] : []));

/** Names come from links: a line break would end the comment. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, (space) => (space.startsWith('  ') ? '  ' : ' '));

/** The value under the trainer's own name, always. */
export const as =
  (key: string, note?: string): Carry =>
  (value) => ({ key, value: String(value), ...(note === undefined ? {} : { note }) });

/** Only where the value has a word there. */
export const oneOf =
  (key: string, words: Readonly<Record<string, string>>): Carry =>
  (value) => {
    const word = words[String(value)];
    return word === undefined ? null : { key, value: word };
  };

/** Only where a rule holds for the arm. */
export const where =
  (rule: (arm: Arm) => boolean, carry: Carry): Carry =>
  (value, arm) =>
    rule(arm) ? carry(value, arm) : null;

/** Command-line overrides of Hydra, one a line. */
export function writeOverrides(command: string) {
  return (fields: readonly Field[], comments: readonly string[]): string => {
    const noted = fields.flatMap(({ key, note }) => (note === undefined ? [] : [`# ${key}: ${note}`]));
    const lines = fields.map(({ key, value }) => `    ${key}=${value}`);
    return `${[...comments.map((text) => `# ${text}`), ...noted].join('\n')}\n${[command, ...lines, '    "$@"'].join(' \\\n')}\n`;
  };
}

export const isClipped = ({ surrogate }: Arm): boolean => surrogate === 'ppo';
export const isOutcomeOfGroup = ({ advantageCredit, advantageBaseline }: Arm): boolean =>
  advantageCredit === 'outcome' && advantageBaseline === 'group-mean';
