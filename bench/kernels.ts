/**
 * The WebGPU kernels' speed, by hand:
 *   node scripts/run.mjs bench/kernels.ts [--chromium] [--variant=plain|tiled] [--members=1] [--seconds=0.3]
 *     [--parts=products,operations,step]
 * In Node through Dawn (the machine's GPU, or SwiftShader), or with --chromium in the packaged Chromium, where a dispatch
 * in software costs a tenth as much. Compare runs made one after the other on an otherwise idle machine only.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { createNodeGpu } from '../src/lab/nodeGpu';
import { startChromium } from '../test/support/chromium';
import { type TimingOptions, timeKernels } from './kernelTimings';

const { values } = parseArgs({
  options: {
    chromium: { type: 'boolean', default: false },
    variant: { type: 'string' },
    members: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '0.3' },
    parts: { type: 'string', default: 'products,operations,step' },
  },
});

const options: TimingOptions = {
  ...(values.variant === 'plain' || values.variant === 'tiled' ? { variant: values.variant } : {}),
  members: Number(values.members),
  seconds: Number(values.seconds),
  parts: (['products', 'operations', 'step'] as const).filter((part) => values.parts.includes(part)),
};

if (values.chromium) await inChromium();
else await timeKernels((await createNodeGpu()).gpu, options, console.log);
process.exit();

/** WebGPU needs a secure context: a page of this process's own server on localhost. */
async function inChromium(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: ['bench/kernelTimings.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'bench',
    loader: { '.wgsl': 'text' },
    plugins: [
      {
        name: 'raw',
        setup({ onResolve }) {
          onResolve({ filter: /\.wgsl\?raw$/ }, ({ path, resolveDir }) => ({
            path: new URL(path.replace('?raw', ''), `file://${resolveDir}/`).pathname,
          }));
        },
      },
    ],
  });
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>bench</title>');
  }).listen(0, '127.0.0.1');
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    page.on('console', (message) => console.log(message.text()));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
    await page.evaluate(`bench.timeKernels(navigator.gpu, ${JSON.stringify(options)}, (line) => console.log(line))`);
  } finally {
    await browser.close();
    server.close();
  }
}
