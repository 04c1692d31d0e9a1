/** Table of faults in docs/reliability.md. A row that was not injected anew stays as it is, with its own date and commit. */
import type { Fault, Outcome } from './fault';

const HEAD = `# Reliability

What goes wrong on purpose, how often, and what was lost by it. \`npm run faults\` injects all of it and writes this table;
\`npm run faults -- --only NAME --times N\` injects one fault N times and writes its row; \`--page\` injects those
of the built page, in a browser. A short form is among the tests (\`test/faults\`), where a new fault is an entry of a list.
Lost is whatever was acknowledged, printed or said to be saved and is not there any more; a run that is continued must end with
the numbers of one that was not disturbed, bit for bit.

`;

const COLUMNS = ['fault', 'what is injected', 'times', 'lost', 'date', 'commit'] as const;
type Row = readonly string[];

/** The page with these rows in place of the former ones, in the order of the registry. */
export function withRows(page: string, faults: readonly Fault[], rows: ReadonlyMap<string, Row>): string {
  const former = new Map(rowsOf(page).map((row) => [row[0] as string, row]));
  const all = faults.flatMap(({ name }): Row[] => {
    const row = rows.get(name) ?? former.get(name);
    return row === undefined ? [] : [row];
  });
  return `${HEAD}${table([COLUMNS, ...all])}\n`;
}

export function rowOf({ name, injected }: Fault, { times, lost }: Outcome, date: string, commit: string): Row {
  const what = lost.length === 0 ? 'nothing' : `in ${lost.length}: ${lost[0]?.replaceAll(/[|\n]/g, ' ')}`;
  return [name, injected, times.toLocaleString('en'), what, date, commit];
}

function rowsOf(page: string): Row[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| fault ') && !line.startsWith('| --'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** As the formatter writes tables: columns as wide as their widest cell. */
function table([head, ...rows]: readonly Row[]): string {
  const widths = (head ?? []).map((_, i) => Math.max(3, ...[head, ...rows].map((row) => row?.[i]?.length ?? 0)));
  const line = (row: Row): string => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head ?? []), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
