/** Reader of the part of YAML that jobs are printed in: maps, lists, literal blocks, plain or double-quoted scalars. */

interface Line {
  readonly indent: number;
  readonly text: string;
}

/** Documents of a file. Throws for anything else that YAML can say. */
export function readYaml(file: string): unknown[] {
  return file.split(/^---\n/m).map((document) => {
    const lines = document
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => ({ indent: line.search(/\S|$/), text: line.trim() }));
    const [value, rest] = block(
      lines,
      0,
      document.split('\n').filter((line) => !line.startsWith('#')),
    );
    if (rest !== lines.length) throw new Error(`Line ${rest} was not understood: ${lines[rest]?.text}`);
    return value;
  });
}

function block(lines: Line[], at: number, raw: readonly string[]): [value: unknown, next: number] {
  const { indent, text } = lines[at] as Line;
  const isList = text.startsWith('- ') || text === '-';
  const list: unknown[] = [];
  const map: Record<string, unknown> = {};
  let next = at;
  while (next < lines.length && (lines[next] as Line).indent === indent) {
    const line = lines[next] as Line;
    if (isList !== (line.text.startsWith('- ') || line.text === '-')) throw new Error(`Not of one kind: ${line.text}`);
    if (isList) {
      const item = line.text.slice(2);
      if (/^[\w.-]+:( |$)/.test(item)) {
        // A map that begins on the line of its dash.
        lines[next] = { indent: indent + 2, text: item };
        const [value, end] = block(lines, next, raw);
        list.push(value);
        next = end;
      } else {
        const [value, end] = scalarOrBlock(item, lines, next, raw);
        list.push(value);
        next = end;
      }
      continue;
    }
    const [, key, rest = ''] = /^([\w./-]+|"[^"]*"):(?: (.*))?$/.exec(line.text) ?? [];
    if (key === undefined) throw new Error(`No key: ${line.text}`);
    const name = key.startsWith('"') ? JSON.parse(key) : key;
    if (Object.hasOwn(map, name)) throw new Error(`Twice: ${name}`);
    [map[name], next] = scalarOrBlock(rest, lines, next, raw);
  }
  return [isList ? list : map, next];
}

function scalarOrBlock(
  text: string,
  lines: Line[],
  at: number,
  raw: readonly string[],
): [value: unknown, next: number] {
  const { indent } = lines[at] as Line;
  if (text === '') return block(lines, at + 1, raw);
  if (text === '|') {
    const isWithin = (i: number): boolean => lines[i]?.text === '' || (lines[i]?.indent ?? -1) > indent;
    let end = at + 1;
    while (end < lines.length && isWithin(end)) end++;
    const inner = (lines[at + 1] as Line).indent;
    return [
      `${raw
        .slice(at + 1, end)
        .map((line) => line.slice(inner))
        .join('\n')}\n`,
      end,
    ];
  }
  if (text.startsWith('"')) return [JSON.parse(text), at + 1];
  if (/^-?\d+(\.\d+)?$/.test(text)) return [Number(text), at + 1];
  if (/^(true|false)$/.test(text)) return [text === 'true', at + 1];
  if (!/^[a-zA-Z/][\w./-]*$/.test(text)) throw new Error(`Not plain: ${text}`);
  return [text, at + 1];
}
