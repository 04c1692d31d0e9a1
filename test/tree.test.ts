// Order of the project's files: what READMEs say of them, how many lie in a folder, and that none points outside.
import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LONG } from '../scripts/longTests.mjs';
import { filesBelow, read } from './support/imports';

describe('READMEs', () => {
  const readmes = filesBelow('src', /README\.md$/);
  /** Files and folders that a README names in code, without what is before the last slash of a folder's name. */
  const namedBy = (readme: string): Set<string> =>
    new Set([...read(readme).matchAll(/`([^`]+)`/g)].map(([, name = '']) => basename(name)));

  test.each(readmes)('%s is titled by its folder, and names each file in it', (readme) => {
    const folder = dirname(readme);
    expect(read(readme)).toMatch(new RegExp(`^# ${folder.replace('src/', '')}\n`));
    const named = namedBy(readme);
    const files = filesBelow(folder, /(?<!\.d)\.tsx?$/).filter((file) => dirname(file) === folder);
    expect(files.map((file) => basename(file)).filter((file) => !named.has(file))).toEqual([]);
  });
});

describe('files', () => {
  test('no two declare an exported type of one name; the doors of the package have the names that its users know', () => {
    const declared = filesBelow('src', /\.tsx?$/)
      .filter((file) => !/^src\/(engine|tensor\/cpu\/assembly)\//.test(file))
      .flatMap((file) => [...read(file).matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm)])
      .map(([, name]) => name);
    expect(declared.length).toBeGreaterThan(1000);
    expect(declared.filter((name, i) => declared.indexOf(name) !== i)).toEqual([]);
  });

  test('those that take long are there, each under its name', () => {
    const there = filesBelow('test', /\.test\.ts$/);
    expect(
      Object.values(LONG)
        .flat()
        .filter((file) => !there.includes(file)),
    ).toEqual([]);
  });

  test('no folder of src has more files than a reader can name', () => {
    const files = filesBelow('src', /\.(?:tsx?|css|md)$/).map((path) => path.slice(0, path.lastIndexOf('/')));
    const counts = new Map<string, number>();
    for (const folder of files) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 24)).toEqual([]);
    expect(counts.size).toBeGreaterThan(100);
  });

  test('the table of what a browser keeps has every key and every database', () => {
    const files = filesBelow('src/storage', /\.ts$/).concat('src/store/saved.ts');
    const named = files.flatMap((path) =>
      [...read(path).matchAll(/['`](unmask[.\w-]*)['`$]/g)].map(([, name]) => name),
    );
    const table = [...read('src/storage/README.md').matchAll(/^\|.*\| `(unmask[.\w-]*)` +\|/gm)].map(
      ([, name]) => name,
    );
    // A shelf's database is named after what is on it.
    expect(named.filter((name) => name !== 'unmask-').sort()).toEqual(
      table.filter((name) => !/^unmask-(formulas|worlds)$/.test(name ?? '')).sort(),
    );
    expect(table).toEqual(expect.arrayContaining(['unmask-formulas', 'unmask-worlds']));
  });
});

describe('the project stands on its own', () => {
  const text = /\.(tsx?|mjs|wgsl|md|json|html|css)$/;
  const files = ['src', 'shaders', 'test', 'bench', 'scripts', 'docs', 'public']
    .flatMap((folder) => filesBelow(folder, text))
    .concat(filesBelow('.ci', /^run$/), [
      'LICENSE',
      'THIRD_PARTY.txt',
      'README.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'package.json',
      'package-lock.json',
      'index.html',
    ]);

  test('no file points outside the repository or at a package registry', () => {
    const foreign = new RegExp(['\\.\\./' + 'shared\\b', 'registry\\.' + 'npmjs', 'registry\\.' + 'yarnpkg'].join('|'));
    expect(files.filter((path) => foreign.test(read(path)))).toEqual([]);
  });
});
