/** THIRD_PARTY.txt names every npm package whose code is in the built page, with its licence. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bundledPackages, notices } from '../../scripts/notices.mjs';
import { packagesIn } from '../../src/ui/frame/dialogs/Packages';

test('what is in the page is what the notices are of', async () => {
  const names = await bundledPackages();
  expect(names).toEqual(expect.arrayContaining(['onnxruntime-web', 'react', 'valibot', 'vite']));
  expect(names).not.toContain('vitest');
  const shown = packagesIn(readFileSync('THIRD_PARTY.txt', 'utf8'));
  expect(shown.map(({ name }) => name)).toEqual(names);
  expect(shown.find(({ name }) => name === 'onnxruntime-web')).toMatchObject({
    version: expect.stringMatching(/^1\./),
    licence: 'MIT',
  });
  expect(readFileSync('THIRD_PARTY.txt', 'utf8'), 'THIRD_PARTY.txt is of another build: npm run notices').toBe(
    notices(names),
  );
});

test('each has a licence and its text', () => {
  const [header, ...entries] = readFileSync('THIRD_PARTY.txt', 'utf8').split(`\n\n${'='.repeat(80)}\n\n`);
  expect(header).toMatch(/Apache\s+License/);
  for (const entry of entries) {
    // A package with its version, or data with its path.
    expect(entry).toMatch(/^(\S+ \d+\.\d+\.\d+|models\/\S+: .*) \([A-Za-z0-9.\- ]+\)\n/);
    expect(entry).toMatch(/Permission|TERMS AND CONDITIONS/);
  }
});

test('a package without a licence is an error', () => {
  expect(() => notices(['nothing-of-that-name'])).toThrow();
  expect(() => notices(['onnxruntime-common'])).toThrow(/no licence file/);
});
