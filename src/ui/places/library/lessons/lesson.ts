/**
 * A lesson as data: its text, its experiment, the parts of the lab that it shows, and a question that the reader
 * answers by running something. The answer is judged by the run's own numbers, never by what usually comes out.
 */

import { meanOf } from '../../../../experiment/conclude/statistics';
import type { ArmSettingPath, Experiment } from '../../../../experiment/experiment';
import type { MetricHistory } from '../../../../measured/history';
import type { MetricName } from '../../../../rl/measure/metrics';
import type { LabState } from '../../../../store/lab';
import { formatCount } from '../../../kit/format';
import type { LessonId } from './titles';

/** Control of the lab that the lesson has: of one arm, or of all of them together. */
type LessonControl =
  | { readonly arm: string; readonly path: ArmSettingPath }
  | { readonly path: 'batch.groupSize' | 'seeds' };

interface LessonText {
  readonly id: LessonId;
  readonly title: string;
  /** Minutes that reading and trying take together. */
  readonly minutes: number;
  /** Paragraphs before what is tried. */
  readonly text: readonly string[];
  /** Paragraphs once the question is answered. */
  readonly after: readonly string[];
  /** Way on in the lab: a link’s fragment, and its words. */
  readonly further: { readonly fragment: string; readonly words: string };
}

/** A lesson whose question is answered by running an experiment. */
export interface RunLesson extends LessonText {
  /** Experiment to run. Its title marks the one on screen as the lesson's, also after changes. */
  readonly experiment: Experiment;
  /** Charts beside the worlds, the most telling first. */
  readonly charts: readonly MetricName[];
  readonly controls: readonly LessonControl[];
  readonly question: LessonTask;
}

/**
 * A lesson with a batch whose masks have faults, each of another rule: the reader says which token and which rule, the audit
 * whether it is so.
 */
export interface MaskLesson extends LessonText {
  readonly batch: () => Promise<{ readonly default: string }>;
  readonly question: Omit<LessonTask, 'judge'>;
}

export type Lesson = RunLesson | MaskLesson;

/** A lesson as its file has it: the titles of all are in a list apart. */
export type Untitled<L extends Lesson> = Omit<L, 'title'>;

export const isRunLesson = (lesson: Lesson): lesson is RunLesson => 'experiment' in lesson;

export interface LessonTask {
  readonly ask: string;
  /** Answers to choose from before running; none where something is to be reached by changing a setting. */
  readonly choices: readonly { readonly id: string; readonly words: string }[];
  readonly judge: (run: LessonRun) => Judgement;
}

/**
 * Judgement of a run. finding: id of the choice that its numbers support (`reached` or `short` without choices), null while
 * they support none. said: the numbers in a sentence, or what is missing.
 */
export interface Judgement {
  readonly finding: string | null;
  readonly said: string;
}

export const REACHED = 'reached';
export const SHORT = 'short';

/** A run as its question sees it. Arms are named by their ids. */
export interface LessonRun {
  readonly experiment: Experiment;
  /** Updates measured. */
  readonly count: number;
  /** Mean over updates first … end − 1, one number a seed; NaN where nothing was measured. */
  seeds(arm: string, metric: MetricName, first: number, end: number): number[];
}

export const lessonRun = (experiment: Experiment, history: MetricHistory): LessonRun => ({
  experiment,
  count: history.count,
  seeds: (arm, metric, first, end) =>
    history.meanOfSeeds(
      experiment.arms.findIndex(({ id }) => id === arm),
      metric,
      first,
      end,
    ),
});

/** Updates at either end of a run that are taken together: single ones jump. */
const ENDS = 5;

/** Means over seeds of the run’s first and last updates; NaN where nothing was measured. */
export function endsOf(run: LessonRun, arm: string, metric: MetricName): { first: number; last: number } {
  const mean = (begin: number, end: number): number => meanOf(run.seeds(arm, metric, begin, end)) ?? Number.NaN;
  return { first: mean(0, ENDS), last: mean(run.count - ENDS, run.count) };
}

/** Mean over seeds and all updates. */
export const meanOfAll = (run: LessonRun, arm: string, metric: MetricName): number =>
  meanOf(run.seeds(arm, metric, 0, run.count)) ?? Number.NaN;

/** Judgement once a run is long enough; until then, what is missing. */
export const onceWhole =
  (judge: LessonTask['judge']): LessonTask['judge'] =>
  (run) => {
    const { count, experiment } = run;
    if (count >= experiment.updates) return judge(run);
    const said = `Run it to its end: ${formatCount(count)} of ${formatCount(experiment.updates)} updates so far.`;
    return { finding: null, said };
  };

/**
 * True if the lesson’s experiment is on screen alone: a run of another has to end first, and nothing of it is shown as the
 * lesson’s.
 */
export const isOpened = ({ edited, running }: OnScreen, lesson: Pick<RunLesson, 'experiment'>): boolean =>
  isOfLesson(edited, lesson) && isOfLesson(running ?? edited, lesson);

type OnScreen = Pick<LabState, 'edited' | 'running'>;

/** True if the experiment has the lesson’s title: its settings may have been changed. */
export const isOfLesson = ({ title }: Pick<Experiment, 'title'>, lesson: Pick<RunLesson, 'experiment'>): boolean =>
  title === lesson.experiment.title;
