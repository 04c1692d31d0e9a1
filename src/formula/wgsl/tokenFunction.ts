/** A token's loss as a WGSL function, for numbers that are finite: the kernel's own clamps see to that. */
import type { FormulaNode } from '../graph';
import type { TokenLoss } from '../tokenLoss';
import { Expressions, Scope } from './expressions';
import { Names } from './names';

/** A shader's line has at most so many; a comment that has no room is left out. */
const COLUMNS = 120;
const STYLE = { mostNested: 3, finite: true };

interface Written {
  /** `name(parameters) -> Type`; values have none of its names. */
  readonly head: string;
  /** Outputs that the returned Type is made of. */
  readonly returns: readonly string[];
  /** WGSL of the text's inputs, by their names. */
  readonly sources: Readonly<Record<string, string>>;
}

export function tokenFunction({ program, outputs, nodes }: TokenLoss, { head, returns, sources }: Written): string {
  const read = (node: FormulaNode): string => {
    if (node.op === 'param') return sources[program.parameters[node.index].name];
    if (node.op === 'input' || node.op === 'given') return sources[node.name];
    throw new RangeError(`A token's loss has no ${node.op}.`);
  };
  const expressions = new Expressions(nodes, [...outputs.values()], program, read, STYLE);
  // A word behind a dot is a field, which no name can disturb.
  const words = Object.values(sources).join(' ').replace(/\.\w+/g, '');
  const scope = new Scope(new Names(`${head} ${words}`), 'token', null);
  const values = returns.map((name) => expressions.value(outputs.get(name) as FormulaNode, scope));
  const lines = scope.lines.map((line) => (line.length + 2 > COLUMNS ? line.replace(/ \/\/.*$/, '') : line));
  const made = head.slice(head.indexOf('->') + 2).trim();
  const result = `return ${made}(${values.join(', ')});`;
  const results =
    result.length + 2 > COLUMNS ? [`return ${made}(`, ...values.map((one) => `  ${one},`), ');'] : [result];
  return [`fn ${head} {`, ...[...lines, ...results].map((line) => `  ${line}`), '}'].join('\n');
}
