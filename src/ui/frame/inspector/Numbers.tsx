/** Numbers of one token, and the kernel that computes each of them. */
import type { ReactNode } from 'react';
import { isFixed } from '../../../experiment/arm/policyFiles';
import { ROLES } from '../../../foundation/roles';
import type { Inspection } from '../../../train/looks/shown';
import { capital, formatSetting, plural } from '../../kit/format';
import { HIDDEN, Row, Table } from '../../kit/Table';
import type { ArmColour } from '../../model/armColour';
import { ArmMark } from '../../model/arms/ArmName';
import { placeLink } from '../../model/place';
import { Chip, LEARNING_WORDS } from '../../model/tokens/Chip';
import { writeToken } from '../../model/tokens/tokenWords';
import { Name } from '../../places/machine/kernels/Name';
import { boundWords, learningAt, numberOf, policyPull, ratioOf, turnsOf, veilWords } from './tokens';

interface Props {
  readonly inspection: Inspection;
  readonly index: number;
  readonly words: readonly string[];
  readonly colour: ArmColour | undefined;
}

/** Number with four decimals, or three digits if it is smaller. */
function formatExact(value: number): string {
  if (Number.isNaN(value)) return 'unknown';
  if (value === 0) return '0';
  if (Math.abs(value) < 0.01) return formatSetting(Number(value.toPrecision(3)));
  return value.toFixed(4).replace('-', '−');
}

export function Numbers({ inspection, index, words, colour }: Props) {
  const { arm, tokens, roles } = inspection;
  const learning = learningAt(inspection, index);
  const turn = turnsOf(inspection).findLastIndex(({ from }) => from <= index);
  const count = arm.innerEpochs * arm.minibatches;
  const steps = `${plural(count, 'optimiser step')}`;
  return (
    <>
      <h3 className="row near">
        <Chip learning={learning}>{writeToken(words[tokens[index] ?? -1] ?? '?')}</Chip>
        {ROLES[roles[index] ?? -1]}, {turn === 0 ? 'before the first turn' : `turn ${turn}`}, token {index + 1} of{' '}
        {tokens.length}
      </h3>
      <p className="small row near">
        <ArmMark colour={colour} />
        {arm.name}
      </p>
      <p className="small" data-testid="token-learning">
        {veilWords(inspection, index) ?? `${capital(LEARNING_WORDS[learning])}.`}
      </p>
      <Table className="token-table small full" headClass={HIDDEN} columns={['Number', 'Value', 'Kernel']}>
        {rows(inspection, index)}
      </Table>
      <p className="small soft">
        {isFixed(arm)
          ? 'A fixed policy learns nothing: it has no reference, no advantage, no weights and no losses, and what it attends to is not known.'
          : `New: scored after the ${steps} of this update; its bounds and losses are those a further step would meet. The last step took its ratio ${count > 1 ? 'one step earlier' : 'from the old policy itself, so it was 1'}.`}
      </p>
    </>
  );
}

const LOG_PROB = 'log_prob/masked';
const OBJECTIVE = 'policy_objective/loss';

function rows(inspection: Inspection, index: number): ReactNode[] {
  const { arm } = inspection;
  const of = (name: Parameters<typeof numberOf>[1]): number => numberOf(inspection, name, index);
  if (isFixed(arm)) {
    return tableRows([
      { name: 'Log-prob', text: formatExact(of('oldLogProb')), kernel: LOG_PROB },
      { name: 'Entropy', text: formatExact(of('entropy')), kernel: LOG_PROB },
    ]);
  }
  const isOfSegment = arm.ratioLevel !== 'token' || arm.ratioBase !== 'old' || arm.surrogate === 'vespo';
  const isWeighted = of('policyWeight') > 0;
  const line = (name: string, value: number, kernel: string) => ({ name, text: formatExact(value), kernel });
  const list = [
    line('Log-prob, old', of('oldLogProb'), LOG_PROB),
    line('Log-prob, new', of('logProb'), LOG_PROB),
    line('Log-prob, reference', of('referenceLogProb'), LOG_PROB),
    line('Ratio, exp(new − old)', ratioOf(inspection, index), OBJECTIVE),
    ...(isWeighted && isOfSegment
      ? [line('Ratio as this loss takes it', of('ratio'), 'policy_objective/ratio_segments')]
      : []),
    ...(isWeighted ? [{ name: 'Clipped', text: boundWords(inspection, index), kernel: OBJECTIVE }] : []),
    line('Entropy', of('entropy'), LOG_PROB),
    ...(Number.isNaN(of('oldValue')) ? [] : [line('Value, by the critic', of('oldValue'), 'forward/value_head')]),
    line('Advantage', of('advantage'), 'advantage/tokens'),
    line('Policy weight', of('policyWeight'), 'policy_objective/weights'),
    line('Policy weight × |advantage|', policyPull(inspection, index), 'policy_objective/weights'),
    line('Cross-entropy weight', of('crossEntropyWeight'), 'world_model/weights'),
    line('Part of the policy loss', of('policyLoss'), OBJECTIVE),
    line('Part of the world-model loss', of('crossEntropyLoss'), 'world_model/cross_entropy'),
    line('Part of KL and entropy', of('regulariserLoss'), 'world_model/regularise'),
  ];
  return tableRows(list);
}

function tableRows(list: readonly { readonly name: string; readonly text: string; readonly kernel: string }[]) {
  return list.map(({ name, text, kernel }) => (
    <Row key={name} head={name}>
      <td>{text}</td>
      <td>
        <a className="soft" href={placeLink('kernels', kernel)}>
          <Name name={kernel} />
        </a>
      </td>
    </Row>
  ));
}
