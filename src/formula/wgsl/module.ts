/**
 * WGSL of a formula, one module for each of its two operations: `held` computes group and batch results over the whole
 * batch, `objective` a microbatch's reductions (if there are any) and then, row by row, loss, derivatives and the shown
 * values. `params.pass` says which of a module's passes a dispatch runs. A thread adds in a fixed order and writes only
 * its own elements: no atomics, and a member's numbers do not depend on the other members.
 */
import type { Formula } from '../compile';
import { type FormulaNode, needed } from '../graph';
import {
  columnsOf,
  FORMULA_TERM,
  FORMULA_TERM_COLUMNS,
  GROUP_RANGE_COLUMNS,
  TOKEN,
  TRAJECTORY,
  TRAJECTORY_COLUMNS,
} from '../packing';
import { isResult, type Over, type Pass } from '../schedule';
import { Expressions, plain, Scope } from './expressions';
import { libraryFor } from './library';
import { printPass } from './loops';
import { Names } from './names';
import { readerFor } from './reads';

export type ModuleKind = 'held' | 'objective';

/** The passes of a module, in order; the last one of an objective is over rows. */
export const passesIn = (
  { schedule: { held, trajectories } }: Formula,
  kind: ModuleKind,
): readonly (Pass | 'rows')[] => (kind === 'held' ? held : [...(trajectories === null ? [] : [trajectories]), 'rows']);

/** `commented`: with the text above, and the text's own expressions beside the steps. */
export function wgslModule(formula: Formula, kind: ModuleKind, options: { readonly commented: boolean }): string {
  const passes = passesIn(formula, kind);
  const around = [frameOf(formula, kind), mainOf(passes.length), ...BINDINGS[kind], VARIABLES].join(' ');
  const functions = passes.map((pass, i) => {
    const names = new Names(around);
    const lines = pass === 'rows' ? rowStatements(formula, names) : passStatements(formula, pass, names);
    return [`fn pass${i}(member: u32, i: u32) {`, ...lines.map((line) => `  ${line}`), '}'].join('\n');
  });
  const code = [frameOf(formula, kind), ...functions, mainOf(passes.length)].join('\n\n');
  const whole = [headOf(formula, kind), declarations(code, kind), libraryFor(code), code].filter((part) => part !== '');
  const text = `${whole.join('\n\n')}\n`;
  return options.commented ? text : text.replace(/[ \t]*\/\/.*$/gm, '').replace(/\n{2,}/g, '\n');
}

const THREADS: Readonly<Record<Over, string>> = {
  trajectory: 'one thread a trajectory',
  group: 'one a group',
  batch: 'one a member',
};

function headOf(formula: Formula, kind: ModuleKind): string {
  const what =
    kind === 'held'
      ? 'Results of a formula you write, by group and over the batch.'
      : 'Loss of a formula you write, its gradient, and what it shows.';
  const threads = passesIn(formula, kind).map((pass) => (pass === 'rows' ? 'one thread a row' : THREADS[pass.over]));
  const text = formula.text
    .trim()
    .split('\n')
    .map((line) => `// | ${plain(line)}`.trimEnd());
  const [first = '', ...then] = threads;
  const each = [first.replace(/^o/, 'O'), ...then].join(', then ');
  return [`// ${what} ${each}.`, ...text].join('\n');
}

/** Addresses of numbers (src/formula/packing.ts) in WGSL. */
function frameOf(formula: Formula, kind: ModuleKind): string {
  const { turn, trajectory, group } = formula.schedule.counts;
  const ofRows = `
fn rowCount(member: u32) -> u32 {
  let at = member * params.countStride;
  return count[at / 4u][at % 4u];
}`;
  return `fn parameterOf(member: u32, column: u32) -> f32 {
  let at = member * params.parametersStride + column;
  return parameters[at / 4u][at % 4u];
}
fn tokenAt(member: u32, trajectory: u32, position: u32) -> u32 {
  return member * params.packedStride + (trajectory * params.context + position) * ${columnsOf(formula)}u;
}
fn trajectoryAt(member: u32, trajectory: u32) -> u32 {
  return tokenAt(member, params.trajectories, 0u) + trajectory * ${TRAJECTORY_COLUMNS}u;
}
fn groupAt(member: u32, group: u32) -> u32 {
  return trajectoryAt(member, params.trajectories) + group * ${GROUP_RANGE_COLUMNS}u;
}
fn turnResult(member: u32, place: u32, trajectory: u32, turnPlace: u32) -> u32 {
  return groupAt(member, params.groups) + (place * params.trajectories + trajectory) * params.context + turnPlace;
}
fn trajectoryResult(member: u32, place: u32, trajectory: u32) -> u32 {
  return turnResult(member, ${turn}u, 0u, 0u) + place * params.trajectories + trajectory;
}
fn groupResult(member: u32, place: u32, group: u32) -> u32 {
  return trajectoryResult(member, ${trajectory}u, 0u) + place * params.groups + group;
}
fn batchResult(member: u32, place: u32) -> u32 {
  return groupResult(member, ${group}u, 0u) + place;
}${kind === 'objective' ? ofRows : ''}`;
}

function mainOf(passes: number): string {
  const cases = Array.from(
    { length: passes },
    (_, i) => `    ${i === passes - 1 ? 'default:' : `case ${i}u:`} { pass${i}(block.z, i); }`,
  );
  return `@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  // Grids longer than 65,535 workgroups are folded into y.
  let i = (block.x + block.y * params.gridWidth) * 64u + lane;
  if (i >= params.items) { return; }
  switch (params.stage) {
${cases.join('\n')}
  }
}`;
}

/** Words of statements around expressions: no value is called so. */
const VARIABLES =
  'member i trajectory position group start end token turnPlace isNewTurn number last step row out column params Params';

const TYPES: Readonly<Record<string, string>> = {
  parameters: '<uniform> parameters: array<vec4f, 4096>',
  count: '<uniform> count: array<vec4u, 256>',
  packed: '<storage, read_write> packed: array<f32>',
  table: '<storage, read> table: array<vec4u>',
  terms: '<storage, read_write> terms: array<f32>',
  dLogProb: '<storage, read_write> dLogProb: array<f32>',
  dEntropy: '<storage, read_write> dEntropy: array<f32>',
  logProb: '<storage, read> logProb: array<f32>',
  entropies: '<storage, read> entropies: array<f32>',
  oldLogProb: '<storage, read> oldLogProb: array<f32>',
};

const BINDINGS: Readonly<Record<ModuleKind, readonly string[]>> = {
  held: ['parameters', 'packed', 'logProb', 'entropies', 'oldLogProb'],
  objective: [
    'parameters',
    'count',
    'packed',
    'table',
    'terms',
    'dLogProb',
    'dEntropy',
    'logProb',
    'entropies',
    'oldLogProb',
  ],
};

/** Bindings of a module: at most eight storage buffers, without those that the text has no use for. */
function declarations(code: string, kind: ModuleKind): string {
  const used = BINDINGS[kind].filter((name) => code.includes(`${name}[`));
  return `struct Params {
  gridWidth: u32,
${used.map((name) => `  ${name}Stride: u32,`).join('\n')}
  items: u32,
  stage: u32,
  first: u32,
  trajectories: u32, // B
  context: u32, // T
  groups: u32, // G
}

@group(0) @binding(0) var<uniform> params: Params;
${used.map((name, i) => `@group(0) @binding(${i + 1}) var${TYPES[name]};`).join('\n')}`;
}

function passStatements(formula: Formula, pass: Pass, names: Names): readonly string[] {
  const args = pass.loops.flatMap(({ results }) => results.flatMap(({ node }) => node.args));
  const expressions = new Expressions(needed(args, isResult), args, formula.program, readerFor(formula));
  return printPass(pass, expressions, names);
}

function rowStatements(formula: Formula, names: Names): readonly string[] {
  const { loss, byLogProb, byEntropy, shown, program } = formula;
  const outputs = [loss, byLogProb, byEntropy, ...shown.map(({ node }) => node)];
  const nodes = needed(outputs, isResult);
  const expressions = new Expressions(nodes, outputs, program, readerFor(formula));
  const scope = new Scope(names, 'token', null);
  const stored = (column: number, value: string): void => {
    scope.lines.push(`terms[out + ${column}u] = ${value};`);
  };
  const isZero = (node: FormulaNode): boolean => node.op === 'constant' && node.value === 0;
  const added = (tensor: string, node: FormulaNode): void => {
    if (isZero(node)) return;
    const value = expressions.value(node, scope);
    scope.lines.push(`${tensor}[member * params.${tensor}Stride + i] += ${value};`);
  };
  scope.lines.push('// The loss, and what is shown.');
  stored(FORMULA_TERM.loss, `gated(packed[token + ${TOKEN.weight}u], ${expressions.value(loss, scope)})`);
  stored(FORMULA_TERM.own, '1.0');
  shown.forEach(({ node }, i) => {
    stored(FORMULA_TERM.shown + i, expressions.value(node, scope));
  });
  scope.lines.push('// What the loss changes by with the log-prob and the entropy.');
  added('dLogProb', byLogProb);
  added('dEntropy', byEntropy);
  const uses = (text: string): boolean => scope.lines.some((line) => line.includes(text));
  return [
    'if (i >= rowCount(member)) { return; }',
    'let row = table[member * params.tableStride + i];',
    'let position = row.y;',
    'let trajectory = row.w >> 12u;',
    'let token = tokenAt(member, trajectory, position);',
    `let out = member * params.termsStride + i * ${FORMULA_TERM_COLUMNS}u;`,
    `for (var column = 0u; column < ${FORMULA_TERM_COLUMNS}u; column++) { terms[out + column] = 0.0; }`,
    `if (packed[token + ${TOKEN.own}u] == 0.0) { return; }`,
    ...(uses('turnPlace') ? [`let turnPlace = u32(packed[token + ${TOKEN.turn}u] + 1.0);`] : []),
    ...(uses('groupResult(')
      ? [`let group = u32(packed[trajectoryAt(member, trajectory) + ${TRAJECTORY.group}u]);`]
      : []),
    ...scope.lines,
  ];
}
