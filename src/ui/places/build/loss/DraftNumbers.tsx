/** The numbers of the loss that is being written, each with its control, and what one should know of it. */

import { formulaNotes } from '../../../../experiment/arm/formulaNotes';
import type { LossReach } from '../../../../experiment/arm/lossReach';
import { lossPart, lossPath, type OwnLoss, parameterValues, weightIn } from '../../../../experiment/arm/ownLosses';
import { settingsOfLoss } from '../../../../experiment/arm/ownLossSettings';
import type { Arm } from '../../../../experiment/experiment';
import type { Formula } from '../../../../formula/compile';
import { TARGETS } from '../../../../formula/levels';
import {
  FUNCTIONS,
  type FunctionName,
  type FunctionText,
  INPUTS,
  type InputName,
  REDUCTIONS,
  TO_GO,
} from '../../../../formula/vocabulary';
import { HELP } from '../../../../formula/vocabularyHelp';
import type { Role } from '../../../../foundation/roles';
import { formatPercent } from '../../../kit/format';
import { NumberControl } from '../../../model/settings/NumberControl';
import { useLab } from '../../../model/useLab';
import { useRoles } from '../../../model/useRoles';

interface Props {
  /** Loss of the draft, with a text that has no mistake. */
  readonly loss: OwnLoss;
  readonly arm: Arm;
  readonly formula: Formula;
  /** Reach of the loss; null while it cannot be applied. */
  readonly reach: LossReach | null;
}

export function DraftNumbers({ loss, arm, formula, reach }: Props) {
  const { desk } = useLab();
  const roles = useRoles();
  const values = parameterValues(loss);
  const settings = loss.name === '' ? [] : settingsOfLoss(loss);
  const valueAt = (path: string): number => {
    const part = lossPath(path);
    if (part?.part.kind !== 'value') return Number(part === null ? 0 : lossPart([loss], part));
    const { parameter } = part.part;
    return values[formula.parameters.findIndex(({ name }) => name === parameter)] ?? 0;
  };
  return (
    <div className="own-loss-numbers column short scrolls">
      {reach !== null && <Reach reach={reach} />}
      {formulaNotes(formula, loss, arm).map(({ isWarning, text }) => (
        <p key={text} className={`small ${isWarning ? 'caution' : 'soft'}`}>
          {text}
        </p>
      ))}
      <p className="small soft" data-testid="own-loss-weights">
        Each token’s loss counts with the weight of its role in the table: {weightWords(loss, arm, roles)}.
      </p>
      {settings.map((setting) => (
        <NumberControl
          key={setting.path}
          setting={{ ...setting, help: '' }}
          value={valueAt(setting.path)}
          onChange={(value) => desk.setNumber(setting.path, value)}
        />
      ))}
      <Names isOpen={settings.length === 0} />
    </div>
  );
}

/** Reach of the draft: each role's share of the gradient on a made-up batch, and the place where it is not finite. */
function Reach({ reach: { shares, hasGradient, broken, isNeverFinite } }: { reach: LossReach }) {
  const isReached = shares.some(([, share]) => share > 0);
  const told = shares.filter(([role, share]) => share > 0 || role === 'action' || role === 'observation');
  const words = told.map(([role, share]) => `${role} ${formatPercent(share)}`).join(', ');
  return (
    <p
      className={`small${isReached && broken === null ? '' : ' caution'}`}
      data-testid="own-loss-reach"
      title="Of the gradient on a made-up batch with as many tokens of each role."
    >
      {!hasGradient || (!isReached && broken === null) ? 'No gradient.' : !isNeverFinite && `It reaches: ${words}.`}
      {broken !== null && ` Not finite at ${broken.text}.`}
    </p>
  );
}

function weightWords(loss: OwnLoss, arm: Arm, roles: readonly Role[]): string {
  const carrying = roles.filter((role) => weightIn(arm, loss, role) !== 0);
  return carrying.length === 0 ? 'none yet' : carrying.map((role) => `${role} ${weightIn(arm, loss, role)}`).join(', ');
}

const CALLS = Object.entries({ ...FUNCTIONS, to_go: TO_GO }) as [FunctionName | 'to_go', FunctionText][];

/** Names that a loss can read and call, for those who have an idea and no names yet. */
function Names({ isOpen }: { isOpen: boolean }) {
  return (
    <details className="small" open={isOpen}>
      <summary>What a loss can read and call</summary>
      <dl className="stack close above-8">
        {(Object.keys(INPUTS) as InputName[]).map((name) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            <dd className="soft">{HELP[name]}</dd>
          </div>
        ))}
        {CALLS.map(([name, { takes }]) => (
          <div key={name}>
            <dt className="mono">
              {name}({takes})
            </dt>
            <dd className="soft">{HELP[name]}</dd>
          </div>
        ))}
        <div>
          <dt className="mono">mean_batch(x), …</dt>
          <dd className="soft">
            {REDUCTIONS.join(', ')} over the {TARGETS.join(', ')}: of a token’s value over the tokens that the loss is
            used for, of a turn’s once a turn.
          </dd>
        </div>
      </dl>
    </details>
  );
}
