/** Markdown written from recorded runs. */

/** Widest column whose cells are filled up: beyond it lines are only longer, and no easier to read. */
const WIDEST = 80;

/** Lines of a table, every column as wide as its widest cell unless that is a sentence. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? [])
    .map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)))
    .map((width) => (width > WIDEST ? 3 : width));
  const line = (cells: readonly string[], fill = ' '): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line([], '-'), ...body.map((cells) => line(cells))];
}

const END = '<!-- to here -->';

/** A text with the block between a comment of this name and the end replaced. */
export function withBlock(text: string, name: string, block: string): string {
  const mark = `<!-- ${name} -->`;
  const from = text.indexOf(mark);
  const to = text.indexOf(END, from);
  if (from < 0 || to < 0) throw new RangeError(`The text has no place between “${mark}” and “${END}”.`);
  return `${text.slice(0, from + mark.length)}\n\n${block}\n\n${text.slice(to)}`;
}
