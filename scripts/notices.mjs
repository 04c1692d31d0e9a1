// `npm run notices`: writes THIRD_PARTY.txt, the npm packages whose code is in the built page, with their licences. The
// packages are those of all modules in all chunks of a build, Workers included. The file is served beside the page.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serviceWorkerModules } from './serviceWorker.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const product = resolve(root, 'THIRD_PARTY.txt');

/** Packages in the page that are no modules of it: AssemblyScript's library, in the CPU backend's kernels, and the letters. */
const COMPILED_IN = ['assemblyscript', '@fontsource-variable/inter'];

/** Linked into onnxruntime's WebAssembly; no package says so. */
const NATIVE = [
  ['abseil', 'Apache-2.0'],
  ['Boost.Mp11', 'BSL-1.0'],
  ['date', 'MIT'],
  ['Dawn', 'BSD-3-Clause'],
  ['Eigen', 'MPL-2.0'],
  ['Emscripten', 'MIT'],
  ['FlatBuffers', 'Apache-2.0'],
  ['GSL', 'MIT'],
  ['JSON for Modern C++', 'MIT'],
  ['libc++', 'Apache-2.0 WITH LLVM-exception'],
  ['musl', 'MIT'],
  ['ONNX', 'Apache-2.0'],
  ['protobuf', 'BSD-3-Clause'],
  ['RE2', 'BSD-3-Clause'],
  ['SafeInt', 'MIT'],
];

/** Licences of packages that come without their text. */
const TEXTS = {
  'onnxruntime-web': `${mit('Microsoft Corporation')}

Its WebAssembly contains, besides onnxruntime itself, in the versions that onnxruntime's cmake/deps.txt of this release names:
${NATIVE.map(([name, licence]) => `- ${name} (${licence})`).join('\n')}
Their notices: https://github.com/microsoft/onnxruntime/blob/main/ThirdPartyNotices.txt`,
};

/** Data that is served beside the page. */
const DATA = [['models/stories260k', `stories260K, a model of llama2.c (MIT)\n\n${mit('2023 Andrej Karpathy')}`]];

const HEADER = `The page of Unmask, as it is built and served, contains code of these npm packages. Unmask itself is under the Apache
License, Version 2.0 (LICENSE). At the end stands what is served beside it as data. Written by npm run notices.`;

/** Names of the packages in the built page, sorted. */
export async function bundledPackages() {
  const { build } = await import('vite');
  const found = new Set(COMPILED_IN);
  const collect = () => ({
    name: 'collect-packages',
    generateBundle(_, bundle) {
      for (const { modules } of Object.values(bundle)) {
        for (const id of Object.keys(modules ?? {})) {
          const name = packageOf(id);
          if (name !== null) found.add(name);
        }
      }
    },
  });
  const write = false;
  await build({
    root,
    logLevel: 'error',
    build: { write },
    plugins: [collect()],
    worker: { plugins: () => [collect()] },
  });
  for (const id of await serviceWorkerModules()) {
    const name = packageOf(id);
    if (name !== null) found.add(name);
  }
  return [...found].sort();
}

/** Package of a module; null for the lab's own. Helpers added by a tool count as the tool's: "\0vite/preload-helper.js". */
function packageOf(id) {
  const [, name] =
    /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(id) ?? /^\0(vite|rolldown)\//.exec(id) ?? [];
  if (name !== undefined) return name;
  if (id.startsWith(root) || id.startsWith(`\0`)) return null;
  throw new Error(`It is not known whose module this is: ${id}`);
}

export function notices(names) {
  return `${[HEADER, ...names.map(noticeOf), ...DATA.map((parts) => parts.join(': '))].join(`\n\n${'='.repeat(80)}\n\n`)}\n`;
}

function noticeOf(name) {
  const folder = resolve(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = existsSync(folder)
    ? readdirSync(folder).filter((file) => /^(licen[cs]e|notice)(\.(md|txt))?$/i.test(file))
    : [];
  const texts = files.sort().map((file) => ownPart(readFileSync(join(folder, file), 'utf8')));
  if (TEXTS[name] !== undefined) texts.push(TEXTS[name]);
  if (texts.length === 0) throw new Error(`${name} has no licence file: add its text to scripts/notices.mjs.`);
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

/** A licence file without Vite's list of packages bundled into Vite, which are not in the page. */
function ownPart(text) {
  return text
    .replaceAll('\r\n', '\n')
    .split(/^# Licenses of bundled dependencies/m)[0]
    .trim();
}

function mit(holder) {
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { buildWasm } = await import('./wasm.mjs');
  await buildWasm();
  const names = await bundledPackages();
  writeFileSync(product, notices(names));
  console.log(`THIRD_PARTY.txt: ${names.length} packages`);
}
