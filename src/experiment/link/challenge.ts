/**
 * A challenge that a link brings, `challenge=world-model:successRate:above:0.92:200`: a metric of an arm above or below a value,
 * within so many updates where a last number says so. Semicolons part steps that are to be met one after the other: break it,
 * then save it. It changes neither the experiment nor a run; whether it is met follows from the run alone.
 */
import { excerpt } from '../../foundation/errors';
import type { Experiment } from '../experiment';
import { EXPERIMENT_TABLE } from '../settings/tables';
import { readNumber, refuse } from './linkReader';

/** Metrics of the lab's two decisive charts. */
export const CHALLENGED = ['successRate', 'observationCrossEntropy'] as const;
export type Challenged = (typeof CHALLENGED)[number];

export interface ChallengeStep {
  /** Id of the arm. */
  readonly arm: string;
  readonly metric: Challenged;
  readonly is: 'above' | 'below';
  readonly value: number;
  /** Updates of the run in which it has to be met; null for the whole run. */
  readonly within: number | null;
}

const MOST_STEPS = 4;

/** Steps that a link's `challenge` names. Throws LabError for a text that names none. */
export function readChallenge(text: string, { arms }: Pick<Experiment, 'arms'>): ChallengeStep[] {
  const steps = text.split(';', MOST_STEPS + 1);
  if (steps.length > MOST_STEPS) return refuse('challenge', `has more than ${MOST_STEPS} steps`, 'Remove some.');
  return steps.map((step) => {
    const [arm = '', metric, is, value, within, ...more] = step.split(':');
    const known = CHALLENGED.find((one) => one === metric);
    if (known === undefined || (is !== 'above' && is !== 'below') || value === undefined || more.length > 0) {
      const advice = `Each step is arm:metric:above:value or :below:, then the updates it has; metrics are ${CHALLENGED.join(' and ')}.`;
      return refuse('challenge', `cannot read “${excerpt(step)}”`, advice);
    }
    if (arms.every(({ id }) => id !== arm))
      return refuse(
        'challenge',
        `names “${excerpt(arm)}”, no arm of the experiment`,
        'Name one of its arms by its id.',
      );
    const updates = within === undefined ? null : readNumber('challenge', within);
    if (updates !== null && !(Number.isInteger(updates) && updates >= 1 && updates <= EXPERIMENT_TABLE.updates.max))
      return refuse('challenge', `gives ${excerpt(String(updates))} updates`, 'Give a whole number of them, from 1.');
    return { arm, metric: known, is, value: readNumber('challenge', value), within: updates };
  });
}

const NONE: readonly ChallengeStep[] = [];

/** The challenge where the experiment has its arms; no steps where it has not. */
export const challengeIn = (challenge: readonly ChallengeStep[], { arms }: Pick<Experiment, 'arms'>) =>
  challenge.every(({ arm }) => arms.some(({ id }) => id === arm)) ? challenge : NONE;

/** The link with a challenge appended. */
export function withChallenge(link: string, challenge: readonly ChallengeStep[]): string {
  const steps = challenge.map(({ arm, metric, is, value, within }) =>
    [arm, metric, is, value, ...(within === null ? [] : [within])].join(':'),
  );
  return steps.length === 0 ? link : `${link}&challenge=${steps.join(';')}`;
}
