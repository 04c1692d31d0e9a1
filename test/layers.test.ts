// Direction of imports: each folder of src/ may import only what its README lists, so the READMEs show the architecture.
// An entry with a slash allows that one module. The page's own bundle must not contain the trainer.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, read, readImports, root } from './support/imports';

/** Folders of src, and what the README of each says that it may import; main.tsx is all that is not in a folder. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => {
        const [, said = ''] = /^May import: (.*)\.$/m.exec(read(`src/${name}/README.md`)) ?? [];
        if (said === '') throw new Error(`src/${name}/README.md does not say what the folder may import.`);
        return [name, [...said.matchAll(/`([^`]*)`/g)].map(([, module]) => module as string)];
      }),
  ),
  main: ['environments/own/own', 'foundation/apart', 'foundation/policedWorkers', 'offline', 'store', 'ui'],
};

/**
 * Floors of folders, lowest first, and the rooms on each: code goes down, or stays on its floor. Types may come from any room, and
 * the files at a folder's root are in none.
 */
const ROOMS: Record<string, string[]> = {
  tensor: ['operations', 'objective', 'validate', 'reference cpu webgpu'],
  train: ['population policies looks pool run result', 'reading tuning', 'bench kernels'],
  store: ['look', 'recorded', 'run', 'edit', 'keep', 'desk'],
  rl: ['play', 'learn', 'measure', 'look'],
  ui: ['kit', 'model', 'places', 'frame'],
  experiment: ['settings', 'arm', 'objectives', 'presets', 'conclude', 'link', 'grid', 'scale', 'findings'],
};

const folderOf = (module: string) => module.split('/')[0] ?? '';
const imports = readImports();

describe('imports point down the layers', () => {
  for (const [folder, allowed] of Object.entries(mayImport)) {
    test(`${folder} imports only ${allowed.join(', ') || 'itself'}`, () => {
      const wrong = imports
        .filter(({ from, kind }) => folderOf(from) === folder && kind !== 'worker')
        .filter(({ to }) => folderOf(to) !== folder && !allowed.includes(folderOf(to)) && !allowed.includes(to));
      expect(wrong).toEqual([]);
    });
  }

  test('src/README.md names each folder after all that it may import', () => {
    const listed = [...read('src/README.md').matchAll(/^- `(\w+)\/`/gm)].map(([, name = '']) => name);
    const folders = Object.keys(mayImport).filter((name) => name !== 'main');
    expect(listed.toSorted()).toEqual(folders.toSorted());
    const early = listed.filter((name, i) => mayImport[name]?.some((other) => listed.indexOf(other) > i));
    expect(early).toEqual([]);
  });

  test.each(Object.entries(ROOMS))('code in %s imports only rooms below its own', (folder, floors) => {
    /** Place of a module's floor in the list: -1 for a room that is not in it, undefined outside of all rooms. */
    const floorOf = (module: string): number | undefined => {
      const [first, room = '', file] = module.split('/');
      return first === folder && file !== undefined
        ? floors.findIndex((rooms) => rooms.split(' ').includes(room))
        : undefined;
    };
    expect(imports.map(({ from }) => from).filter((module) => floorOf(module) === -1)).toEqual([]);
    const up = imports.filter(
      ({ from, to, kind }) => kind !== 'type' && (floorOf(to) ?? 0) > (floorOf(from) ?? floors.length),
    );
    expect(up).toEqual([]);
  });

  test('none of the three machines that compute tensors knows another', () => {
    const machineOf = (module: string) => /^tensor\/(reference|cpu|webgpu)\//.exec(module)?.[1];
    const across = imports.filter(
      ({ from, to }) => machineOf(from) && machineOf(to) && machineOf(from) !== machineOf(to),
    );
    expect(new Set(imports.map(({ from }) => machineOf(from))).size).toBe(4);
    expect(across).toEqual([]);
  });

  test('no place of the page imports another', () => {
    const placeOf = (module: string) => /^ui\/places\/(\w+)\//.exec(module)?.[1];
    const across = imports.filter(({ from, to }) => placeOf(from) && placeOf(to) && placeOf(from) !== placeOf(to));
    expect(new Set(imports.map(({ from }) => placeOf(from))).size).toBeGreaterThan(5);
    expect(across).toEqual([]);
  });

  test('the interface takes only types from the trainer', () => {
    const values = imports.filter(
      ({ from, to, kind }) => folderOf(from) === 'ui' && folderOf(to) === 'train' && kind !== 'type',
    );
    expect(values).toEqual([]);
  });

  test('Workers are started by the store and inside the trainer only', () => {
    const starters = imports.filter(({ to, kind }) => kind === 'worker' && folderOf(to) === 'train');
    expect(starters.filter(({ from }) => !['store', 'train'].includes(folderOf(from)))).toEqual([]);
  });

  test('training knows nothing of its benchmark: only the command line and the Worker that serves the page do', () => {
    const apart = /^(train\/(bench|kernels)|parity)\//;
    const users = imports.filter(({ from, to }) => apart.test(to) && !apart.test(from));
    // Any folder may know the types of reports.
    const code = users.filter(({ to, kind }) => !(/^train\/(bench|kernels)\/report$/.test(to) && kind === 'type'));
    expect(code.filter(({ from }) => folderOf(from) !== 'cli' && from !== 'train/worker')).toEqual([]);
  });

  test("the page's own bundle contains no GPU code, no kernels and no policy", () => {
    const reached = new Set<string>(['main']);
    for (const module of reached) {
      for (const { from, to, kind } of imports) if (from === module && kind === 'value') reached.add(to);
    }
    expect([...reached].filter((module) => ['gpu', 'tensor', 'policy', 'shaders'].includes(folderOf(module)))).toEqual(
      [],
    );
  });

  test('what strangers wrote runs in Workers and commands: no page reaches the sandbox, by no way', () => {
    const from = (...entries: string[]) => {
      const reached = new Set(entries);
      for (const module of reached) {
        for (const one of imports) if (one.from === module && one.kind === 'value') reached.add(one.to);
      }
      return [...reached];
    };
    const sandbox = /^environments\/own\/(here|sandbox|world|check|workshop\/(play|worker)|guest\/.*)$/;
    expect(from('main').filter((module) => sandbox.test(module))).toEqual([]);
    for (const entry of ['train/worker', 'train/pool/pageWorker', 'environments/own/workshop/worker', 'cli/main']) {
      expect(from(entry)).toEqual(expect.arrayContaining(['environments/own/here', 'environments/own/sandbox']));
    }
  });

  test('the reader of imports sees every form in use', () => {
    const source = [
      "import { a } from '../tensor/a';",
      "import type { B } from '../rl/b';",
      'import {\n  c,\n  d,\n} from "react";',
      "import {\n  e,\n  f,\n} from './e';",
      "export { g } from './g.ts';",
      "const texts = import.meta.glob<string>('../../shaders/**/*.wgsl', { query: '?raw' });",
      "const i = await import('../onnx/i');",
      "new Worker(new URL('../train/worker.ts', import.meta.url), { type: 'module' });",
    ].join('\n');
    expect(importsOf('src/ui/x.tsx', source).map(({ to, kind }) => `${kind} ${to}`)).toEqual([
      'value tensor/a',
      'type rl/b',
      'value ui/e',
      'value ui/g',
      'value onnx/i',
      'value shaders/**/*.wgsl',
      'worker train/worker',
    ]);
  });
});
