/** The losses of one token as its arm writes them, and again with the token's numbers put in. */

import { useMemo } from 'react';
import { type LossPlace, type OwnLoss, standingFor } from '../../../experiment/arm/ownLosses';
import type { FormulaStep } from '../../../formula/steps';
import { symbolOf } from '../../../formula/symbols';
import { brackets, equals, type Notation, negative, row, symbol } from '../../../foundation/notation';
import type { Inspection } from '../../../train/looks/shown';
import { formatMeasured } from '../../kit/format';
import { MathML } from '../../model/formula/MathML';
import { inPieces, rounded, substitute, type Values } from '../../model/formula/substitute';
import { surrogateFormula } from '../../model/formula/surrogate';
import { predicted } from '../../model/formula/worldModel';
import { ownSteps, ownTokens } from './ownSteps';
import { numberOf } from './tokens';

const w = symbol('w', 'w');

export function Formulas({ inspection, index }: { inspection: Inspection; index: number }) {
  const of = (name: Parameters<typeof numberOf>[1]): number => numberOf(inspection, name, index);
  const ratio = of('ratio');
  const own: Values = [
    [symbolOf('ratio'), ratio],
    [symbolOf('phi'), ratio],
    [symbolOf('log_ratio'), Math.log(ratio)],
    [symbolOf('A'), of('advantage')],
    [symbolOf('logp'), of('logProb')],
  ];
  const probabilities: Values = [
    [symbolOf('logp'), of('logProb')],
    [symbolOf('old_logp'), of('oldLogProb')],
    [symbolOf('ratio'), Math.exp(of('logProb') - of('oldLogProb'))],
  ];
  const { arm } = inspection;
  const isTheLabs = (place: LossPlace): boolean => standingFor(arm, place) === undefined;
  const policy = of('policyWeight') > 0 && isTheLabs('policy');
  const prediction = of('crossEntropyWeight') > 0 && isTheLabs('predict');
  return (
    <div className="token-formulas stack wide">
      {policy && (
        <Loss
          title="Its part of the policy loss"
          sign={[negative]}
          weight={of('policyWeight')}
          formula={brackets(surrogateFormula(arm))}
          values={own}
          result={of('policyLoss')}
        />
      )}
      {prediction && (
        <Loss
          title="Its part of the world-model loss"
          sign={[]}
          weight={of('crossEntropyWeight')}
          formula={predicted(arm)}
          values={probabilities}
          result={of('crossEntropyLoss')}
        />
      )}
      {arm.losses
        .filter((loss) => ownTokens(inspection, loss).includes(index))
        .map((loss) => (
          <OwnLossSteps key={loss.name} inspection={inspection} index={index} loss={loss} />
        ))}
    </div>
  );
}

interface LossProps {
  readonly title: string;
  readonly sign: readonly Notation[];
  readonly weight: number;
  readonly formula: Notation;
  readonly values: Values;
  readonly result: number;
}

function Loss({ title, sign, weight, formula, values, result }: LossProps) {
  const own = row(...sign, w, formula);
  return (
    <div>
      <h4 className="small soft">{title}</h4>
      <p>
        <MathML breakable formula={inPieces(own)} />
      </p>
      <p data-testid="token-formula">
        <MathML breakable formula={inPieces(row(substitute(own, [[w, weight], ...values]), equals, rounded(result)))} />
      </p>
    </div>
  );
}

interface OwnLossStepsProps {
  readonly inspection: Inspection;
  readonly index: number;
  readonly loss: OwnLoss;
}

/** Value of each line of a user's loss at a token, with the token's numbers put in. */
function OwnLossSteps({ inspection, index, loss }: OwnLossStepsProps) {
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

const lineOf = ({ name, put, value }: FormulaStep): Notation =>
  row(symbolOf(name), equals, put, equals, rounded(value));
