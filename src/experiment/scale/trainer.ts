/**
 * An arm as the configuration of a trainer of language models. A trainer lists the settings it has a field for, and how
 * to write each. Relevant settings without a field are named in a comment: nothing is lost silently.
 */
import { type Arm, type ArmSettingPath, armSettings, type Experiment, getArmSetting } from '../experiment';
import { refuseFixed } from '../policyFiles';
import { isRelevant } from '../relevance';
import type { SettingValue } from '../setting';
import { effectiveArms } from '../timeline';

/** The trainer's own name of a field and its value as written in the file; `note` if it means something else there. */
export interface Field {
  readonly key: string;
  readonly value: string;
  readonly note?: string;
}

export type Carry = (value: SettingValue, arm: Arm) => Field | null;

export interface Trainer {
  readonly id: string;
  readonly title: string;
  /** Repository and file that document the fields. */
  readonly source: string;
  /** Writer of each setting that has a field; it returns null for a value the trainer does not support. */
  readonly carries: Partial<Record<ArmSettingPath, Carry>>;
  /** Fields of the whole experiment, and those that are always the same. */
  readonly shared: (experiment: Experiment, arm: Arm) => readonly Field[];
  /** Differences in meaning between the lab and fields that are written. */
  readonly cautions: readonly string[];
  readonly extension: 'sh' | 'toml' | 'py';
  readonly write: (fields: readonly Field[], comments: readonly string[]) => string;
}

/** Cautions for every trainer of language models. */
const OTHER_WORLD = [
  'Weight decay and batch were tuned for a policy of about 100,000 parameters from random weights.',
  'λ is not comparable between projects: each divides its two losses by other counts. Compare the weight of one token.',
] as const;

/** Largest learning rate written for a pretrained model, and the one written instead of larger ones. */
const LARGEST_RATE = 1e-5;
const SAFE_RATE = 1e-6;

/** The arm as it is after the last change of the timeline, with a learning rate that a pretrained model survives. */
export function armToScale(experiment: Experiment, { id, ...rest }: Arm): Arm {
  const arm = effectiveArms(experiment, experiment.updates).find((one) => one.id === id) ?? { id, ...rest };
  return arm.learningRate > LARGEST_RATE ? { ...arm, learningRate: SAFE_RATE } : arm;
}

/** Configuration file of an arm, as text. Throws LabError for a fixed policy: it does not learn. */
export function configurationOf(trainer: Trainer, experiment: Experiment, given: Arm): string {
  refuseFixed(given, 'there is nothing that a trainer could repeat');
  const arm = armToScale(experiment, given);
  const rate =
    effectiveArms(experiment, experiment.updates).find(({ id }) => id === given.id)?.learningRate ?? given.learningRate;
  // An objective is only a name for its settings, which are all written.
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
    ...(rate === arm.learningRate
      ? []
      : [
          `The learning rate is ${arm.learningRate}, for a pretrained model; the lab’s, for one of 100,000 random weights, was ${rate}.`,
        ]),
    ...OTHER_WORLD,
    ...(experiment.timeline.length === 0
      ? []
      : ['Values are those after the last change made while training; the changes themselves do not carry over.']),
    ...(changed.length === 0 ? [] : ['These settings of the arm have no field here, and matter:']),
    ...changed.map(({ label, path, value }) => `  ${label}: ${path} = ${value}`),
    ...(usual.length === 0 ? [] : ['These have no field here either, and are as the lab begins:']),
    ...inLines(usual, 5).map((line) => `  ${line}`),
  ];
  return trainer.write(unique([...trainer.shared(experiment, arm), ...fields]), comments.map(oneLine));
}

/** The fields, one for each key: two settings may share a field, and the last one counts. */
function unique(fields: readonly Field[]): Field[] {
  return [...new Map(fields.map((one) => [one.key, one])).values()];
}

const inLines = (texts: readonly string[], each: number): string[] =>
  texts.flatMap((_, i) => (i % each === 0 ? [texts.slice(i, i + each).join(', ')] : []));

/** Names come from links: a line break would end the comment. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, (space) => (space.startsWith('  ') ? '  ' : ' '));

/** Writer of any value under the trainer's own name. */
export const as =
  (key: string, note?: string): Carry =>
  (value) => ({ key, value: String(value), ...(note === undefined ? {} : { note }) });

/** Writer of a value by the trainer's word for it; null if there is no word. */
export const oneOf =
  (key: string, words: Readonly<Record<string, string>>): Carry =>
  (value) => {
    const word = words[String(value)];
    return word === undefined ? null : { key, value: word };
  };

/** Writer only for arms that a rule holds for; null for others. */
export const where =
  (rule: (arm: Arm) => boolean, carry: Carry): Carry =>
  (value, arm) =>
    rule(arm) ? carry(value, arm) : null;

/** Shell command with Hydra's overrides, one a line. */
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
