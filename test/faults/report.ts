/** Tables of docs/reliability.md. A row that was not made again stays as it is, with its own date and commit. */
import type { Fault, Outcome } from './fault';
import { ARMS, HISTORY, SEEDS, type SoakPart, type Span } from './soak/part';

const HEAD = `# Reliability

For people who want to know whether a run survives. What goes wrong on purpose, how often, and what was lost by it. \`npm run faults\` injects all of it and writes this table;
\`npm run faults -- --only NAME --times N\` injects one fault N times and writes its row; \`--page\` injects those
of the built page, in a browser. A short form is among the tests (\`test/faults\`), where a new fault is an entry of a list.
Lost is whatever was acknowledged, printed or said to be saved and is not there any more; a run that is continued must end with
the numbers of one that was not disturbed, bit for bit. Around a served world (\`serve-…\`) lost is an answer to a client that behaves.

The kept run of 10,000 updates, opened and seen in five places beside other work, had 22 tasks over 50 ms, the longest 268 ms; one
of 50 updates had 22 too, the longest 314 ms (2026-11-26): a long history holds the page up no longer than a short one.

`;

const SOAK = `## Hours on end

Parts of a soak; \`lab run\` goes on from the part before: \`npm run faults -- --soak headless --hours 2\`, or \`--soak page\`, adds
a row. The run that trains has ${HISTORY.toLocaleString('en')} updates behind it, whose measurements are those of one update, again and again: ${SEEDS * ARMS.length}
members without a page; 2 in the page, where a history of ${SEEDS * ARMS.length} would be larger than what the lab keeps in a browser, on
batches eight times as large, so that it does not come to its end. Before that the page trains ${SEEDS * ARMS.length} members run after run. Of
memory the least of the first and of the last third of the time is compared, because a save takes some for a moment; curves grow by 300
bytes a member and update. Tasks are of the page's thread, by the clock: on a machine that is busy with other work they take longer.

`;

const COLUMNS = ['fault', 'what is injected', 'times', 'lost', 'date', 'commit'] as const;
const SOAK_COLUMNS = [
  'soak',
  'hours',
  'updates',
  'memory, MB',
  'stored, MB',
  'remark',
  'lost',
  'date',
  'commit',
] as const;
type Row = readonly string[];

/** The page with these rows in place of the former ones, in the order of the registry. */
export function withRows(page: string, faults: readonly Fault[], rows: ReadonlyMap<string, Row>): string {
  const [, soak = ''] = partsOf(page);
  const former = new Map(rowsOf(page).map((row) => [row[0] as string, row]));
  const all = faults.flatMap(({ name }): Row[] => {
    const row = rows.get(name) ?? former.get(name);
    return row === undefined ? [] : [row];
  });
  return `${HEAD}${table([COLUMNS, ...all])}\n${soak}`;
}

/** The page with a part of a soak more. */
export function withPart(page: string, part: SoakPart, date: string, commit: string): string {
  const [faults, soak] = partsOf(page);
  const megabytes = ({ first, last }: Span): string => spanInWords({ first: first / 1e6, last: last / 1e6 });
  const { what, hours, updates, memory, stored, remark, lost } = part;
  const numbers = [hours.toFixed(2), spanInWords(updates), megabytes(memory), megabytes(stored)];
  const row = [what, ...numbers, remark, lostInWords(lost), date, commit];
  return `${faults}\n${SOAK}${table([SOAK_COLUMNS, ...rowsOf(soak), row])}\n`;
}

const spanInWords = ({ first, last }: Span): string =>
  [first, last].map((number) => Math.round(number).toLocaleString('en')).join(' → ');

/** The page until the soak, and the soak. */
function partsOf(page: string): [string, string] {
  const at = page.indexOf(`\n${SOAK.slice(0, SOAK.indexOf('\n'))}`);
  return at < 0 ? [page, ''] : [page.slice(0, at), page.slice(at)];
}

export function rowOf({ name, injected }: Fault, { times, lost }: Outcome, date: string, commit: string): Row {
  return [name, injected, times.toLocaleString('en'), lostInWords(lost), date, commit];
}

const lostInWords = (lost: readonly string[]): string =>
  lost.length === 0 ? 'nothing' : `in ${lost.length}: ${lost[0]?.replaceAll(/[|\n]/g, ' ')}`;

function rowsOf(page: string): Row[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (fault|soak|--)/.test(line))
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
