// How the lab is served and built: React, ES-module Workers, and paths relative to the page so that the build can be
// hosted in any folder of any static host. Everything but index.html has its content's hash in its name. The build's
// page carries a content security policy, its shaders no comments, and licences lie beside it.
import { readFile } from 'node:fs/promises';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { arrival } from './scripts/arrival.mjs';
import { blank } from './scripts/blank.mjs';
import { commitOf } from './scripts/commit.mjs';
import { HEADERS, POLICY } from './scripts/headers.mjs';
import { writeServiceWorker } from './scripts/serviceWorker.mjs';
import { buildWasm } from './scripts/wasm.mjs';

/** The development server writes scripts and styles into the page, so there it has no policy. */
function contentSecurityPolicy(): Plugin {
  const attrs = { 'http-equiv': 'Content-Security-Policy', content: POLICY };
  return {
    name: 'content-security-policy',
    apply: 'build',
    // Before every script: it is put in last.
    transformIndexHtml: { order: 'post', handler: () => [{ tag: 'meta', attrs, injectTo: 'head-prepend' }] },
  };
}

/** Kernels of the CPU backend, compiled again if their source is newer: with older ones a run's numbers would be nonsense. */
const kernels = (): Plugin => ({ name: 'kernels', buildStart: () => buildWasm() });

/** Leaves out QuickJS without its meter, which is never asked for. */
const onlyMetered = (): Plugin => ({
  name: 'only-metered',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('quickjs-ng')
      ? code.replace(/new URL\("emscripten-module\.wasm",\s*import\.meta\.url\)/, 'new URL("")')
      : null,
});

/** Drops comments but not their lines, so that compile errors still name the line; `// #include` and its like stay. */
function withoutShaderComments(): Plugin {
  return {
    name: 'without-shader-comments',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('.wgsl?raw')) return null;
      const text = await readFile(id.replace(/\?raw$/, ''), 'utf8');
      return `export default ${JSON.stringify(text.replace(/[ \t]*\/\/(?! #).*$/gm, ''))}`;
    },
  };
}

/** Files beside the page: the licences it links to, and the headers as those hosts read them that look for `_headers`. */
function besides(): Plugin {
  const files = { 'LICENSE.txt': 'LICENSE', 'THIRD_PARTY.txt': 'THIRD_PARTY.txt' };
  const headers = Object.entries(HEADERS).map(([name, value]) => `  ${name}: ${value}\n`);
  return {
    name: 'besides',
    apply: 'build',
    async generateBundle() {
      for (const [fileName, path] of Object.entries(files)) {
        this.emitFile({ type: 'asset', fileName, source: await readFile(new URL(path, import.meta.url)) });
      }
      this.emitFile({ type: 'asset', fileName: '_headers', source: `/*\n${headers.join('')}` });
    },
  };
}

/** Who shows a link's picture takes it from an absolute address alone: UNMASK_ADDRESS is where the page will be. */
function absolutePicture(): Plugin {
  const address = process.env.UNMASK_ADDRESS?.replace(/\/?$/, '/');
  const handler = (html: string) =>
    address === undefined ? html : html.replace(/(property="og:image" content=")\.\//, (_, before) => before + address);
  return { name: 'absolute-picture', apply: 'build', transformIndexHtml: { order: 'post', handler } };
}

/** The service worker, once all that it keeps has been written. */
function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir !== undefined) await writeServiceWorker(dir);
    },
  };
}

export default defineConfig({
  base: './',
  // What the page writes into runs and links (src/experiment/provenance.ts).
  define: { 'globalThis.unmaskCommit': JSON.stringify(commitOf()) ?? 'undefined' },
  plugins: [
    kernels(),
    onlyMetered(),
    react(),
    blank(),
    contentSecurityPolicy(),
    besides(),
    arrival(),
    absolutePicture(),
    offline(),
  ],
  worker: { format: 'es', plugins: () => [onlyMetered(), withoutShaderComments()] },
  // One style sheet: a part of the page that is loaded later must not wait for a second file, which may not arrive.
  build: {
    target: 'es2023',
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // What the page needs at once is two files: cut by which later parts share what, it was a hundred, 4% larger compressed.
        codeSplitting: {
          groups: [
            { name: 'packages', tags: ['$initial'], test: /node_modules/, priority: 2 },
            { name: 'page', tags: ['$initial'], priority: 1 },
            // Otherwise named after one of its files, whichever.
            { name: 'editor', test: /node_modules\/(@codemirror|@lezer)|src\/ui\/kit\/code\// },
          ],
        },
      },
    },
    // What is imported later is asked for by arrival().
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
    },
  },
  preview: { headers: HEADERS },
});
