// Builds the page once for all browser tests and serves the build on a free port (Vitest's global setup of the `browser`
// project). A test reads the address with `inject('siteUrl')`, and where the files lie with `inject('siteFolder')`.
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { preview } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    siteUrl: string;
    siteFolder: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outDir = `test-results/site-${process.pid}`;
  // As `npm run build` does it: in a process of its own, because Vitest's NODE_ENV would build React for development.
  const command = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--outDir', outDir, '--emptyOutDir'];
  const { NODE_ENV: _, ...env } = process.env;
  await promisify(execFile)(process.execPath, command, { env: env as NodeJS.ProcessEnv });
  const server = await preview({ logLevel: 'warn', preview: { port: 0, host: '127.0.0.1' }, build: { outDir } });
  const url = server.resolvedUrls?.local[0];
  if (!url) throw new Error('The preview server has no address.');
  project.provide('siteUrl', url);
  project.provide('siteFolder', outDir);
  return async () => {
    await server.close();
    await rm(outDir, { recursive: true, force: true });
  };
}
