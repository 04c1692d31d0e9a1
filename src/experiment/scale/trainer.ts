/**
 * An arm as the configuration of a trainer of language models. A trainer lists the settings it has a field for, and how
 * to write each. Relevant settings without a field are named in comments at the end: nothing is lost silently.
 */

import { refuseFixed } from '../arm/policyFiles';
import { isRelevant } from '../arm/relevance';
import { type Arm, type ArmSettingPath, armSettings, type Experiment, getArmSetting } from '../experiment';
import type { SettingValue } from '../settings/setting';
import { effectiveArms } from '../timeline';

/** The trainer's own name of a field and its value as written in the file; `note` if it means something else there. */
export interface Field {
  readonly key: string;
  readonly value: string;
  readonly note?: string;
}

export type Carry = (value: SettingValue, arm: Arm) => Field | null;

export interface ForeignTrainer {
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
  /**
   * Files by which the project plays the served world; none where it plays it by its own. `isPlain`: the policy loss is
   * a plain function.
   */
  readonly files?: (
    experiment: Experiment,
    arm: Arm,
    isPlain: boolean,
  ) => readonly (readonly [name: string, text: string])[];
}

/** Cautions for every trainer of language models. */
const TUNED = 'Weight decay and batch were tuned for a policy of about 100,000 parameters from random weights.';
const OTHER_COUNTS =
  'λ is not comparable between projects: each divides its two losses by other counts. Compare the weight of one token.';

/** Largest learning rate written for a pretrained model, and the one written instead of larger ones. */
const LARGEST_RATE = 1e-5;
const SAFE_RATE = 1e-6;

/**
 * The arm's settings at an update, the last by default, with a learning rate that a pretrained model survives: its own,
 * if it trained one.
 */
export function armToScale(experiment: Experiment, armOfRun: Arm, update = experiment.updates): Arm {
  const arm = armAt(experiment, armOfRun, update);
  return arm.learningRate > LARGEST_RATE && !isPretrained(experiment) ? { ...arm, learningRate: SAFE_RATE } : arm;
}

const isPretrained = ({ policy }: Experiment): boolean => policy.model !== 'noise';

const armAt = (experiment: Experiment, arm: Arm, update: number): Arm =>
  effectiveArms(experiment, update).find(({ id }) => id === arm.id) ?? arm;

/** Configuration file of an arm at an update, as text. Throws LabError for a fixed policy: it does not learn. */
export function configurationOf(
  trainer: ForeignTrainer,
  experiment: Experiment,
  armOfRun: Arm,
  update = experiment.updates,
): string {
  refuseFixed(armOfRun, 'there is nothing that a trainer could repeat');
  const arm = armToScale(experiment, armOfRun, update);
  const rate = armAt(experiment, armOfRun, update).learningRate;
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
  const comments = [
    `Unmask, “${experiment.title}”, arm “${arm.name}”, for ${trainer.title} (${trainer.source}).`,
    ...inTime(experiment, update),
    ...differenceInWords({ ...arm, learningRate: rate }, effectiveArms(experiment, update)),
    ...(rate === arm.learningRate
      ? []
      : [
          `The learning rate is ${arm.learningRate}, for a pretrained model; the lab’s, for one of 100,000 random weights, was ${rate}.`,
        ]),
    ...trainer.cautions,
    ...(isPretrained(experiment) ? [] : [TUNED]),
    OTHER_COUNTS,
    ...(arm.entropyCoefficient > 0
      ? [
          'The entropy bonus was tuned for some tens of words. Over the 100,000 of a language model it may drive towards noise: begin with 0.',
        ]
      : []),
  ];
  const text = trainer.write(unique([...trainer.shared(experiment, arm), ...fields]), comments.map(oneLine));
  return (
    text +
    lostInWords(arm, lost)
      .map((line) => `# ${oneLine(line)}\n`)
      .join('')
  );
}

interface Lost {
  readonly label: string;
  readonly path: string;
  readonly value: SettingValue;
  readonly initial: SettingValue;
}

/** Settings without a field, those that were changed first. */
function lostInWords({ losses }: Arm, lost: readonly Lost[]): string[] {
  const changed = lost.filter(({ initial, value }) => value !== initial);
  const usual = lost
    .filter(({ initial, value }) => value === initial)
    .map(({ path, value }) => `${path} = ${value === '' ? 'none' : value}`);
  const matters = [
    ...changed.map(({ label, path, value }) => `  ${label}: ${path} = ${value}`),
    ...losses.map(({ name }) => `  The loss “${name}” is a formula: npm run lab -- loss prints it as PyTorch`),
  ];
  return [
    ...(matters.length === 0 ? [] : ['These settings of the arm have no field here, and matter:', ...matters]),
    ...(usual.length === 0 ? [] : ['These have no field here either, and are as the lab begins:']),
    ...inLines(usual, 5).map((line) => `  ${line}`),
  ];
}

/** Update at which values that change while training were taken; nothing where none changes. */
function inTime({ timeline }: Experiment, update: number): string[] {
  if (timeline.length === 0) return [];
  return [
    `Values are those at update ${update}; ${timeline.length === 1 ? 'a change' : `${timeline.length} changes`} made while training do not carry over as such.`,
  ];
}

/** Differences from the first arm that learns from actions alone. */
function differenceInWords(arm: Arm, arms: readonly Arm[]): string[] {
  const mask = arms.find((one) => isActionMask(one));
  if (mask === undefined || mask.id === arm.id) return [];
  const different = armSettings.flatMap(({ path }) => {
    const [value, there] = [getArmSetting(arm, path), getArmSetting(mask, path)];
    const matters = isRelevant(arm, path) || isRelevant(mask, path);
    return path === 'objective' || value === there || !matters ? [] : [`${path} = ${value} (there ${there})`];
  });
  const formulas = arm.losses.map(({ name }) => `the loss “${name}”`);
  const differences = [...different, ...formulas];
  return [`Unlike arm “${mask.name}”: ${differences.length === 0 ? 'nothing' : differences.join(', ')}.`];
}

/** True for the policy gradient on actions and nothing besides. */
function isActionMask({ pg, ce, losses, fixedPolicy }: Arm): boolean {
  const predicts = Object.values(ce).some((weight) => weight > 0);
  const elsewhere = pg.prompt > 0 || pg.observation > 0 || pg.warning > 0;
  return fixedPolicy === '' && losses.length === 0 && !predicts && !elsewhere && pg.action > 0;
}

/** The fields, one for each key: two settings may share a field, and the last one counts. */
function unique(fields: readonly Field[]): Field[] {
  return [...new Map(fields.map((one) => [one.key, one])).values()];
}

const inLines = (texts: readonly string[], each: number): string[] =>
  texts.flatMap((_, i) => (i % each === 0 ? [texts.slice(i, i + each).join(', ')] : []));

/** Text without line breaks, which would end the comment: names come from links. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, (space) => (space.startsWith('  ') ? '  ' : ' '));
