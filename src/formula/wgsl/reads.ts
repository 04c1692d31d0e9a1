/** Addresses of all that no operation makes: inputs, parameters, results of reductions. */
import { DRAWN, ROLE } from '../../foundation/roles';
import type { Formula } from '../compile';
import type { FormulaNode } from '../graph';
import { type FurtherColumn, furtherColumns, runColumn, TOKEN, TRAJECTORY } from '../packing';
import type { ReadNode } from './expressions';

/** Reader in terms of the variables `member`, `trajectory`, `position`, `token`, `turnPlace` and `group` of the block. */
export function readerFor(formula: Formula): ReadNode {
  const { results } = formula.schedule;
  const columns = furtherColumns(formula);
  const column = (name: FurtherColumn): string => `packed[token + ${columns.get(name)}u]`;
  const ofTrajectory = (place: number): string => `packed[trajectoryAt(member, trajectory) + ${place}u]`;
  const dense = (tensor: string): string =>
    `${tensor}[member * params.${tensor}Stride + trajectory * params.context + position]`;
  const hasRole = (role: number): string => `select(0.0, 1.0, ${column('role')} == ${role}.0)`;

  const wasDrawn = (): string => DRAWN.map((role) => `${column('role')} == ${ROLE[role]}.0`).join(' || ');

  const input = (node: Extract<FormulaNode, { op: 'input' }>): string => {
    switch (node.name) {
      case 'logp':
        return dense('logProb');
      case 'entropy':
        return dense('entropies');
      case 'old_logp':
        return dense('oldLogProb');
      case 'sampler_logp':
        return `select(${dense('oldLogProb')}, ${column('sampler')}, ${wasDrawn()})`;
      case 'ref_logp':
        return column('reference');
      case 'advantage':
      case 'returns':
      case 'value':
        return column(node.name);
      case 'turn_reward':
        return column('turnReward');
      case 'is_action':
        return hasRole(ROLE.action);
      case 'is_thought':
        return hasRole(ROLE.thought);
      case 'is_observation':
        return hasRole(ROLE.observation);
      case 'position':
        return 'f32(position)';
      case 'index':
        return node.level === 'token' ? 'f32(position)' : `packed[token + ${TOKEN.turn}u]`;
      case 'weight':
        return `packed[token + ${TOKEN.weight}u]`;
      case 'turn':
        return `packed[token + ${TOKEN.turn}u]`;
      case 'reward':
      case 'success':
      case 'turns':
      case 'valid':
        return ofTrajectory(TRAJECTORY[node.name]);
      case 'update':
      case 'success_rate':
        return `parameterOf(member, ${runColumn(node.name)}u)`;
    }
  };

  return (node) => {
    if (node.op === 'param') return `parameterOf(member, ${node.index}u)`;
    if (node.op === 'input') return input(node);
    const result = results.findLast((one) => one.node === node);
    if (result === undefined) throw new RangeError(`No value of ${node.op} is read.`);
    return `packed[${addressOf(result)}]`;
  };
}

/** Address of a result of the block's own element. */
export function addressOf({
  level,
  place,
}: {
  readonly level: 'turn' | 'trajectory' | 'group' | 'batch';
  readonly place: number;
}): string {
  const element = { turn: ', trajectory, turnPlace', trajectory: ', trajectory', group: ', group', batch: '' }[level];
  return `${level}Result(member, ${place}u${element})`;
}
