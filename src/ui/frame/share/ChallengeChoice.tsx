/** Challenge for the receiver of a link: a result to reach, judged there by the numbers of their run. */
import { useState } from 'react';
import type { Experiment } from '../../../experiment/experiment';
import type { ChallengeStep } from '../../../experiment/link/challenge';
import { Choice } from '../../kit/Choice';
import { plural } from '../../kit/format';

const KINDS = [
  ['none', 'no challenge'],
  ['reach', 'reach a success'],
  ['save', 'reach it, break it, then save it'],
] as const;

interface Props {
  readonly experiment: Experiment;
  readonly challenge: readonly ChallengeStep[];
  readonly onChange: (challenge: readonly ChallengeStep[]) => void;
}

export function ChallengeChoice({ experiment: { arms, updates }, challenge, onChange }: Props) {
  const [kind, setKind] = useState<(typeof KINDS)[number][0]>('none');
  const [arm, setArm] = useState(arms[0]?.id ?? '');
  const [percent, setPercent] = useState(90);
  const tell = (next: { kind?: typeof kind; arm?: string; percent?: number }) => {
    const chosen = { kind, arm, percent, ...next };
    const step = { arm: chosen.arm, metric: 'successRate', value: chosen.percent / 100, within: updates } as const;
    const broken = { ...step, is: 'below', value: chosen.percent / 200 } as const;
    const reached = { ...step, is: 'above' } as const;
    onChange({ none: [], reach: [reached], save: [reached, broken, reached] }[chosen.kind]);
    setKind(chosen.kind);
    setArm(chosen.arm);
    setPercent(chosen.percent);
  };
  return (
    <details className="small">
      <summary data-testid="set-challenge">
        Challenge the receiver{challenge.length === 0 ? '' : `: ${plural(challenge.length, 'step')}`}
      </summary>
      <div className="dialog-buttons">
        <Choice aria-label="Challenge" value={kind} options={KINDS} onChoose={(chosen) => tell({ kind: chosen })} />
        <Choice
          aria-label="Arm of the challenge"
          value={arm}
          options={arms.map(({ id, name }) => [id, name] as const)}
          onChoose={(chosen) => tell({ arm: chosen })}
        />
        <label>
          Success, %{' '}
          <input
            className="field"
            type="number"
            min={1}
            max={100}
            value={percent}
            onChange={({ target }) => tell({ percent: Math.min(100, Math.max(1, Number(target.value))) })}
          />
        </label>
      </div>
    </details>
  );
}
