// Vite plugin: puts the script that speaks where no other arrives (src/offline/blank.ts) into the page, before all others.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns {import('vite').Plugin} */
export function blank() {
  let fileName = '';
  return {
    name: 'blank',
    apply: 'build',
    async generateBundle() {
      const { outputFiles } = await build({
        absWorkingDir: root,
        entryPoints: ['src/offline/blank.ts'],
        bundle: true,
        write: false,
        minify: true,
        format: 'iife',
        target: 'es2023',
      });
      const [{ text: source }] = outputFiles;
      fileName = `assets/blank-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`;
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: `./${fileName}` }, injectTo: 'head-prepend' }],
    },
  };
}
