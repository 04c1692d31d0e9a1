/** Words on a batch for a person: the findings, a table by role, the audit. */

import { excerpt } from '../../foundation/errors';
import { precisePercent } from '../../foundation/percent';
import type { FindingLocation, RuleReport } from '../audit/report';
import type { RoleSums } from '../summary';
import type { BatchSummary, ToldForm } from './told';
import { whatIfCells, whatIfNotes } from './whatIf';

const MOST_PROBLEMS = 10;
const MOST_PLACES = 5;

export function wordsOf(told: BatchSummary): string {
  const { trajectories, tokens, forms, problemCount, problems, roles, rules, failed, whatIf } = told;
  const hidden = problemCount - Math.min(problemCount, MOST_PROBLEMS);
  const lines = [
    `${counted(trajectories, 'trajectory', 'trajectories')}, ${counted(tokens, 'token', 'tokens')}`,
    ...forms.flatMap(formLines),
    ...(problemCount === 0
      ? []
      : ['', `${counted(problemCount, 'problem', 'problems')} in lines, the others are kept:`]),
    ...problems.slice(0, MOST_PROBLEMS).map(({ file, line, what }) => `  ${file}:${line} ${excerpt(what, 300)}`),
    ...(hidden === 0 ? [] : [`  and ${hidden} more`]),
    '',
    ...(roles.length === 0 ? [] : [...columnLines(roleCells(roles)), '']),
    ...rules.flatMap(ruleLines),
    ...(whatIf === null ? [] : ['', ...columnLines(whatIfCells(whatIf)), ...whatIfNotes(whatIf)]),
    ...(failed.length === 0 ? [] : ['', `--fail-on: ${failed.join(', ')}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function formLines({ name, trajectories, found, missing, rolesFrom }: ToldForm): string[] {
  const from = Object.keys(rolesFrom);
  return [
    `${name}: ${counted(trajectories, 'trajectory', 'trajectories')}`,
    `  found    ${found.join(', ') || 'texts'}`,
    `  missing  ${missing.join(', ') || 'nothing'}`,
    ...(from.length === 0 ? [] : [`  roles    told by ${from.join('; ')}`]),
  ];
}

/** Cells of the table by role, its title first. */
export function roleCells(roles: readonly RoleSums[]): string[][] {
  const all = roles.reduce((sum, { tokens }) => sum + tokens, 0);
  const gradient = roles.reduce((sum, one) => sum + one.gradient, 0);
  const rows = roles.map((one) => [
    one.role,
    one.tokens.toLocaleString('en'),
    precisePercent(one.tokens / all),
    one.trained.toLocaleString('en'),
    sumOf(one.weight),
    sumOf(one.predictWeight),
    gradient === 0 ? '–' : precisePercent(one.gradient / gradient),
  ]);
  return [['role', 'tokens', 'share', 'trained', 'weight', 'prediction weight', '|∂loss/∂logp|'], ...rows];
}

/** Sums of ones are counts. */
const sumOf = (value: number): string => (Number.isInteger(value) ? value.toLocaleString('en') : short(value));

function columnLines(cells: readonly (readonly string[])[]): string[] {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

const MARKS = { found: 'FOUND', clean: 'ok   ', unseen: '–    ' } as const;

function ruleLines(report: RuleReport): string[] {
  const { rule, state, places, found, meaning, verl, trl, note } = report;
  const head = `${MARKS[state]} ${rule.padEnd(17)}${[extentOf(report), note, lacksOf(report)].filter((one) => one !== '' && one !== null).join('; ')}`;
  if (state !== 'found') return [head.trimEnd()];
  const shown = places.slice(0, MOST_PLACES);
  return [
    head,
    `      ${meaning}`,
    ...shown.map((place) => `      ${placeInWords(place)}`),
    ...(found > shown.length ? [`      and ${(found - shown.length).toLocaleString('en')} more`] : []),
    `      verl: ${verl}`,
    `      TRL: ${trl}`,
  ];
}

/** Extent of a finding in words; empty for a rule that found nothing. */
export function extentOf({ state, tokens, trajectories, tokenShare, gradientShare }: RuleReport): string {
  if (state !== 'found') return '';
  return [
    ...(tokens > 0 ? [`${counted(tokens, 'token', 'tokens')} (${precisePercent(tokenShare ?? 0)})`] : []),
    `in ${counted(trajectories, 'trajectory', 'trajectories')}`,
    ...(gradientShare === null ? [] : [`${precisePercent(gradientShare)} of |∂loss/∂logp|`]),
  ].join(', ');
}

export function lacksOf({ lacks, state }: RuleReport): string {
  const said = lacks.map(
    ({ what, trajectories }) => `${what} (${counted(trajectories, 'trajectory', 'trajectories')})`,
  );
  if (said.length === 0) return '';
  return `${state === 'unseen' ? 'cannot be seen, it needs' : 'not seen for lack of'} ${said.join('; ')}`;
}

export const placeInWords = ({ file, line, trajectory, token, what }: FindingLocation): string =>
  `${file}:${line} trajectory ${trajectory}${token === null ? '' : `, token ${token}`}: ${excerpt(what, 200)}`;

export const short = (value: number): string =>
  Number(value.toPrecision(4))
    .toLocaleString('en', { maximumFractionDigits: 4 })
    .replace(/^-0$/, '0')
    .replace('-', '−');
const counted = (count: number, one: string, more: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`;
