// Builds the service worker (src/offline/serviceWorker.ts) into the folder of a built page, with the list of what it keeps.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const NAME = 'serviceWorker.js';
/** Never asked for by the page. */
const LEFT_OUT = [NAME, '_headers'];
/** The picture that links to the page show elsewhere, as it is called in a build. */
const CARD = /^card-[\w-]{8}\.png$/;
/** Bytes: what is larger is kept only once it was used. */
const LARGE = 4 * 2 ** 20;
/** Language models, likewise: few visitors train one. */
const MODELS = 'models/';
/** A file of this kind of name has its content in it. */
const HASHED = /-[\w-]{8}\.\w+$/;

/** Writes it beside the page. */
export async function writeServiceWorker(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !LEFT_OUT.includes(entry.name) && !CARD.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  const files = paths.map((url) => ({ url, contents: readFileSync(join(folder, url)) }));
  const isLarge = ({ url, contents }) => url.startsWith(MODELS) || contents.length > LARGE;
  const kept = files.filter((file) => !isLarge(file));
  const large = files.filter(isLarge);
  writeFileSync(
    join(folder, NAME),
    (
      await bundle(
        kept.map(entryOf),
        large.map(({ url }) => url),
      )
    ).text,
  );
}

function entryOf({ url, contents }) {
  const revision = HASHED.test(url) ? null : createHash('sha256').update(contents).digest('hex').slice(0, 16);
  return { url, revision };
}

async function bundle(files, large) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/offline/serviceWorker.ts'],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'iife',
    target: 'es2023',
    legalComments: 'none',
    define: {
      FILES: JSON.stringify(files),
      LARGE_FILES: JSON.stringify(large),
      'process.env.NODE_ENV': '"production"',
    },
  });
  return { text: outputFiles[0].text, modules: Object.keys(metafile.inputs).map((path) => resolve(root, path)) };
}

/** Paths of the modules in it. */
export async function serviceWorkerModules() {
  return (await bundle([], [])).modules;
}
