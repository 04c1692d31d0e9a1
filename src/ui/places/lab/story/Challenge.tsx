/** The challenge that a link brought, above the boards, and what the run's own numbers say of it. */
import { useMemo } from 'react';
import { judgeChallenge } from '../../../../experiment/conclude/judgeChallenge';
import { FINAL_UPDATES } from '../../../../experiment/conclude/statistics';
import type { Experiment } from '../../../../experiment/experiment';
import { type ChallengeStep, challengeIn } from '../../../../experiment/link/challenge';
import type { MetricHistory } from '../../../../measured/history';
import { formatDecimals, formatPercent } from '../../../kit/format';
import { useLabParts, useLabState } from '../../../model/useLab';
import './challenge.css';

export function Challenge() {
  const steps = useLabState(({ challenge, running, edited }) => challengeIn(challenge, running ?? edited));
  const { arms } = useLabState(({ running, edited }) => running ?? edited);
  const { running, history } = useLabParts('running', 'history');
  const count = useLabState((state) => state.history?.count ?? 0);
  const isFinished = useLabState(({ phase }) => phase === 'finished');
  const said = useMemo(
    () => judgement(steps, running, history, count, isFinished),
    [steps, running, history, count, isFinished],
  );
  if (steps.length === 0) return null;
  const name = (id: string): string => arms.find((arm) => arm.id === id)?.name ?? id;
  return (
    <section className="challenge padded" aria-label="Challenge" data-testid="challenge">
      <p>
        <b>Challenge:</b> {steps.map((step) => stepWords(step, name(step.arm))).join('; then ')}.
      </p>
      <p className="small" role="status">
        {said}
      </p>
    </section>
  );
}

const MEASURED = {
  successRate: { name: 'success', write: formatPercent },
  observationCrossEntropy: { name: 'prediction error', write: (nats: number) => formatDecimals(nats, 2) },
} as const;

function stepWords({ metric, is, value, within }: ChallengeStep, arm: string): string {
  const { name, write } = MEASURED[metric];
  return `${arm}, ${name} ${is} ${write(value)}${within === null ? '' : ` within ${within} updates`}`;
}

function judgement(
  steps: readonly ChallengeStep[],
  running: Experiment | null,
  history: MetricHistory | null,
  count: number,
  isFinished: boolean,
): string {
  const told = `Mean of ${FINAL_UPDATES} updates and of the seeds.`;
  if (running === null || history === null) return `${told} Change what you like, then Run.`;
  const places = new Map(running.arms.map(({ id }, index) => [id, index]));
  const valueAt = ({ arm, metric }: ChallengeStep, update: number): number => {
    const values = history.ofSeeds(update, places.get(arm) ?? 0, metric).filter((value) => !Number.isNaN(value));
    return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const isOver = isFinished || count >= running.updates;
  const judged = judgeChallenge(steps, valueAt, { count, isOver, window: FINAL_UPDATES });
  if (judged.is === 'met') return `Met, at update ${judged.at}.`;
  const next = steps[judged.met];
  const nearest =
    next === undefined || judged.best === null ? '' : ` Nearest so far: ${MEASURED[next.metric].write(judged.best)}.`;
  const done = judged.met === 0 ? '' : ` ${judged.met} of ${steps.length} steps met, at update ${judged.at}.`;
  if (judged.is === 'missed') return `Not met.${done}${nearest.replace(' so far', '')}`;
  return done + nearest === '' ? told : (done + nearest).trim();
}
