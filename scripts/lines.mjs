// `npm run lines`: lines of code by folder, without blank ones and those that are nothing but a comment (a shader's directive
// is none). `npm test` holds the sums to MOST (test/scripts/lines.test.ts): a change that needs more takes as much away, or
// raises the number and says in its message for which power.

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Lines that there may be: of the product (src, shaders), and of its tests. */
export const MOST = { product: 120_167, tests: 57_333 };

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files that are counted, by the end of their names. */
const CODE = /\.(?:tsx?|mjs|css|wgsl)$/;

/** Directive of a shader, which the preprocessor makes code of. */
const DIRECTIVE = /^\/\/ #(?:include|repeat|end|read|write|uniform|params)\b/;

/** Lines of a text that hold code: block comments may go over several, as in TypeScript, CSS and WGSL. */
export function linesOfCode(text) {
  let isInside = false;
  let count = 0;
  for (const line of text.split('\n')) {
    let rest = line.trim();
    if (isInside) {
      const end = rest.indexOf('*/');
      if (end === -1) continue;
      rest = rest.slice(end + 2).trim();
      isInside = false;
    }
    while (rest.startsWith('/*')) {
      const end = rest.indexOf('*/', 2);
      isInside = end === -1;
      rest = isInside ? '' : rest.slice(end + 2).trim();
    }
    if (rest !== '' && (!rest.startsWith('//') || DIRECTIVE.test(rest))) count += 1;
  }
  return count;
}

/** Lines by top folder and, within src, by the folder below it. */
export function countLines() {
  const counts = new Map();
  const add = (name, lines) => counts.set(name, (counts.get(name) ?? 0) + lines);
  for (const top of ['src', 'shaders', 'test', 'bench', 'scripts']) {
    for (const file of readdirSync(join(root, top), { recursive: true })) {
      if (!CODE.test(file)) continue;
      const lines = linesOfCode(readFileSync(join(root, top, file), 'utf8'));
      add(top, lines);
      const [below, ...rest] = file.split(sep);
      if (top === 'src' && rest.length > 0) add(`src/${below}`, lines);
    }
  }
  return counts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const counts = [...countLines()].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, lines] of counts) console.log(`${String(lines).padStart(7)}  ${name}`);
  console.log(`\nAt most: ${MOST.product} in src and shaders, ${MOST.tests} in test.`);
}
