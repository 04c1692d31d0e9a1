/** An arm's loss as a formula with its numbers put in. Terms wrap as words do; beneath stands what the symbols mean. */
import { useMemo } from 'react';
import type { Arm } from '../../../experiment/experiment';
import { equals, row } from '../../../foundation/formula';
import { rolesIn } from '../../../foundation/roles';
import { spelledOut } from '../../../hyperparameters/weights';
import { worldOf } from '../environment';
import { lossOf } from '../formula/loss';
import { MathML } from '../formula/MathML';
import { Chip } from '../tokens/Chip';
import { useLabState } from '../useLab';

export function ArmLoss({ arm }: { arm: Arm }) {
  const environment = worldOf(useLabState((state) => state.edited.environment))?.environment ?? null;
  const hasThoughts = rolesIn(environment).includes('thought');
  const { terms, definitions } = useMemo(
    () => lossOf(hasThoughts ? spelledOut(arm) : arm, environment),
    [arm, hasThoughts, environment],
  );
  return (
    <div className="loss" data-testid={`loss-${arm.id}`}>
      <div className="loss-terms row">
        <span className="loss-left">
          <MathML formula={row('L', equals)} />
        </span>
        {terms.map(({ id, caption, learning, formula }, index) => (
          <span key={id} className="loss-term fit shrinks" data-term={id}>
            <span className="loss-caption small soft line">
              {learning === null ? caption : <Chip learning={learning}>{caption}</Chip>}
            </span>
            <span className="loss-line">
              {index === 0 && (
                <span className="loss-left-narrow" aria-hidden="true">
                  <MathML formula={row('L', equals)} />
                </span>
              )}
              <MathML formula={formula} breakable />
            </span>
          </span>
        ))}
        {terms.length === 0 && <p className="small soft">nothing: no token has a loss.</p>}
      </div>
      {definitions.length > 0 && (
        <ul className="loss-symbols small soft row above-8">
          {definitions.map(({ formula, remark }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a definition is its place in the list
            <li key={index}>
              {formula !== null && <MathML formula={formula} />}
              {formula !== null && remark !== '' ? ': ' : ''}
              {remark}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
