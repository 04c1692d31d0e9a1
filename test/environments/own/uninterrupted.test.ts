/** Texts whose work is in operators and built-in functions, where QuickJS asks for nothing: each ends in a message nevertheless. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const HOLES = 'const a = []; a.length = 4294967295;';
const NESTED = 'let a = [LEAF]; for (let i = 0; i < 60; i++) a = [a, a];';
const NO_END = /did not come to an end/;
const TOO_MUCH = /too much work/;

const TEXTS: readonly (readonly [text: string, message: RegExp])[] = [
  ['const a = []; for (let i = 0; i < 300000; i++) a.push(i); for (;;) [...a];', NO_END],
  ['const o = {}; for (let i = 0; i < 50000; i++) o["k" + i] = i; for (;;) ({ ...o });', NO_END],
  [`${HOLES} a.values().drop(4294967294).next();`, NO_END],
  [`${NESTED.replace('LEAF', '1')} for (;;) try { JSON.stringify(a); } catch {}`, NO_END],
  [`${NESTED.replace('LEAF', '')} a.flat(Infinity);`, NO_END],
  [`${HOLES} [0].flatMap(() => a);`, NO_END],
  [`${HOLES} new Set(a);`, NO_END],
  [
    `new Set([undefined]).isSupersetOf({ size: 1, has() {}, keys: () => [].values.call({ length: 4294967295 }) });`,
    NO_END,
  ],
  [`${HOLES} JSON.stringify({}, a);`, TOO_MUCH],
  ['String.raw({ raw: { length: 2 ** 53 } });', NO_END],
];

/** Milliseconds of a call here: a tenth of what a world has. */
const PATIENCE = 200;
/** Milliseconds after which the program that reads them is ended: they take six seconds, alone on a core. */
const MOST = 4 * 60_000;

test(
  'work that is in operators and built-in functions ends in a message',
  async () => {
    const command = [
      'scripts/run.mjs',
      'test/support/readWorlds.ts',
      String(PATIENCE),
      ...TEXTS.map(([text]) => text),
      'export default {};',
    ];
    const { stdout } = await promisify(execFile)('node', command, { timeout: MOST, killSignal: 'SIGKILL' });
    const said = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as [string, string]);
    for (const [i, [text, message]] of TEXTS.entries()) {
      expect(said[i]?.[1], text).toMatch(message);
      expect(said[i]?.[0], text).toBe('invalid-world');
    }
    // A text that means no harm is read after them.
    expect(said[TEXTS.length]).toEqual(['', expect.stringContaining('creates')]);
  },
  MOST + 60_000,
);
