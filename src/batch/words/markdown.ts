/** A batch told as Markdown, for a report or a comment. */
import { excerpt } from '../../foundation/errors';
import type { BatchSummary } from './told';
import { whatIfCells, whatIfNotes } from './whatIf';
import { extentOf, lacksOf, placeInWords, roleCells } from './words';

export function markdownOf(told: BatchSummary): string {
  const { files, trajectories, tokens, forms, problemCount, problems, roles, rules, whatIf } = told;
  const found = rules.filter(({ state }) => state === 'found');
  const lines = [
    `# Batch: ${plain(files.join(', '))}`,
    '',
    `${trajectories.toLocaleString('en')} trajectories, ${tokens.toLocaleString('en')} tokens; ${problemCount} problems in lines.`,
    '',
    ...forms.map(
      (form) =>
        `- ${form.name}: ${form.trajectories}. Found: ${form.found.join(', ') || 'texts'}. Missing: ${form.missing.join(', ') || 'nothing'}.`,
    ),
    ...problems.map(({ file, line, what }) => `- ${plain(`${file}:${line} ${what}`)}`),
    '',
    ...(roles.length === 0 ? [] : [...table(roleCells(roles)), '']),
    ...table([
      ['rule', 'state', 'what'],
      ...rules.map((report) => [
        report.rule,
        report.state,
        [extentOf(report), report.note ?? '', lacksOf(report)].filter((one) => one !== '').join('; '),
      ]),
    ]),
    ...found.flatMap((report) => [
      '',
      `## ${report.rule}`,
      '',
      report.meaning,
      '',
      ...report.places.map((place) => `- ${plain(placeInWords(place))}`),
      ...(report.found > report.places.length ? [`- and ${report.found - report.places.length} more`] : []),
      '',
      `verl: ${report.verl}`,
      '',
      `TRL: ${report.trl}`,
    ]),
    ...(whatIf === null
      ? []
      : ['', '## What if', '', ...table(whatIfCells(whatIf)), '', ...whatIfNotes(whatIf).map((note) => `- ${note}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const [title = [], ...others] = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  return [title, title.map(() => '---'), ...others].map((row) => `| ${row.join(' | ')} |`);
}

/** A person's text, in which nothing is markup. */
const plain = (text: string): string => excerpt(text, 300).replace(/[\\`*_{}[\]<>#|]/g, '\\$&');
