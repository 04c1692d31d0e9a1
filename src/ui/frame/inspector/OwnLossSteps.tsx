/** Value of each line of a user's loss at a token, with the token's numbers put in. */
import { useMemo } from 'react';
import type { OwnLoss } from '../../../experiment/arm/ownLosses';
import type { Step } from '../../../formula/steps';
import { symbolOf } from '../../../formula/symbols';
import { equals, type Formula, row } from '../../../foundation/formula';
import type { Inspection } from '../../../train/looks/shown';
import { formatMeasured } from '../../kit/format';
import { MathML } from '../../model/formula/MathML';
import { inPieces, rounded } from '../../model/formula/substitute';
import { ownSteps } from './ownSteps';

interface Props {
  readonly inspection: Inspection;
  readonly index: number;
  readonly loss: OwnLoss;
}

export function OwnLossSteps({ inspection, index, loss }: Props) {
  const steps = useMemo(() => ownSteps(inspection, loss, index), [inspection, loss, index]);
  return (
    <div data-testid={`own-steps-${loss.name}`}>
      <h4 className="small soft">{loss.name}, line by line, before its weight</h4>
      {steps === null ? (
        <p className="small soft">
          It reads more than this trajectory, such as values of the group, the batch, the critic or the run so far: they
          are not looked at here.
        </p>
      ) : (
        steps.map((step) => (
          <p key={`${step.kind} ${step.name}`}>
            <MathML breakable formula={inPieces(lineOf(step))} />
            {step.gathered.map(({ text, value, count, of }) => (
              <span key={text} className="small soft">
                {' '}
                {text}: {formatMeasured(value)}, of {count} {of}s
              </span>
            ))}
          </p>
        ))
      )}
    </div>
  );
}

const lineOf = ({ name, put, value }: Step): Formula => row(symbolOf(name), equals, put, equals, rounded(value));
