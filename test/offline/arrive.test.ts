/** Files of a part are asked for before it is imported, again after a failure, and not once more when they are there. */
import { afterEach, expect, test, vi } from 'vitest';
import { arrival } from '../../scripts/arrival.mjs';
import { asLabError } from '../../src/foundation/errors';
import '../../src/offline/arrive';

const BASE = 'https://host/lab/assets/index.js';

afterEach(() => vi.unstubAllGlobals());

test('a file that does not arrive is missing in words, and is asked for again', async () => {
  const asked: string[] = [];
  const answers = [new Response(null, { status: 404 }), new Response('code'), new Response('code')];
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return answers.shift();
  });
  const failed = await unmaskArrive(['./one.js'], BASE).catch(asLabError);
  expect(failed).toMatchObject({ code: 'not-loaded', message: expect.stringMatching(/connection/) });
  await unmaskArrive(['./one.js', './two.js'], BASE);
  await unmaskArrive(['./two.js'], BASE);
  const [one, two] = ['one', 'two'].map((name) => `https://host/lab/assets/${name}.js`);
  expect(asked).toEqual([one, one, two]);
});

test('without a connection, what fails is said in the same words', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await unmaskArrive(['./three.js'], BASE).catch(asLabError)).toMatchObject({ code: 'not-loaded' });
});

test('the build asks before each import for what the page does not have yet', () => {
  const chunk = (fileName: string, imports: string[], code = '', isEntry = false) => ({
    type: 'chunk' as const,
    ...{ fileName, imports, code, isEntry },
  });
  const bundle = {
    'assets/index.js': chunk('assets/index.js', ['assets/kit.js'], 'x(()=>import("./part.js"))', true),
    'assets/kit.js': chunk('assets/kit.js', []),
    'assets/part.js': chunk('assets/part.js', ['assets/kit.js', 'assets/shared.js'], 'import(`./inner.js`)'),
    'assets/shared.js': chunk('assets/shared.js', []),
    'assets/inner.js': chunk('assets/inner.js', ['assets/shared.js']),
  };
  const plugin = arrival() as unknown as { generateBundle: { handler(_: unknown, all: typeof bundle): void } };
  plugin.generateBundle.handler(null, bundle);
  expect(bundle['assets/index.js'].code).toBe(
    'x(()=>unmaskArrive(["./part.js","./shared.js"],import.meta.url).then(()=>import("./part.js")))',
  );
  expect(bundle['assets/part.js'].code).toBe(
    'unmaskArrive(["./inner.js","./shared.js"],import.meta.url).then(()=>import(`./inner.js`))',
  );
});
