/** docs/engine.md, made of the package's types. */
import { declarations } from '../../scripts/engine.mjs';

const HEAD = `# The engine as a package

For people who train in a program, a notebook or a page of their own. \`npm pack\` makes a package that is
also the lab's engine, without the page: train an experiment, read a result, load a policy and let it play, compile a loss, make a world. In Node:

\`\`\`js
import { train } from 'unmask';

const run = await train('gridworld-tiny', { backend: 'cpu' });
for (const { name, seeds } of run.arms) {
  const rates = seeds[0].curve.successRate;
  console.log(name.padEnd(12), rates.map((rate) => '▁▂▃▄▅▆▇█'[Math.round(7 * rate)]).join(''));
}
\`\`\`

In a page without a bundler, by the path at which the installed folder is served:

\`\`\`html
<canvas width="600" height="200"></canvas>
<script type="module">
  import { train } from './node_modules/unmask/engine/page.js';

  const { arms } = await train('gridworld-tiny', { backend: 'cpu' });
  const pen = document.querySelector('canvas').getContext('2d');
  for (const { seeds } of arms) {
    const rates = seeds[0].curve.successRate;
    pen.beginPath();
    rates.forEach((rate, update) => pen.lineTo((600 * update) / rates.length, 198 * (1 - rate) + 1));
    pen.stroke();
  }
</script>
\`\`\`

Both give the numbers of \`unmask run gridworld-tiny --backend cpu\`, bit for bit; a test runs them. Shaders, kernels and packages are inside
(onnxruntime's 14 MB are loaded when a policy plays); a GPU in Node needs the package \`webgpu\` beside it. A page that loads
the engine from another origin computes on one thread, its own, for no browser starts a Worker of another origin; the run says so. What goes wrong is a
\`LabError\`, whose \`code\` is for programs and whose \`advice\` is for people.
`;

/** Sections by door: its types are those that it needs first. */
const TITLES: Readonly<Record<string, string>> = {
  train: 'Train an experiment',
  readResult: 'Read a result',
  loadPolicy: 'Load a policy and let it play',
  compileLoss: 'Compile a loss',
  makeWorld: 'Make a world',
  LabError: 'Errors',
};

/** Long types of which no more is shown than where they are. */
const LONG: Readonly<Record<string, string>> = {
  Experiment:
    'Fields of `Experiment`, `Arm` and `Change` are in `engine/index.d.ts`, each with its help, default and limits.',
  Arm: '',
  Change: '',
  MetricName: 'Names of metrics are in `engine/index.d.ts`, definitions in [metrics.ts](../src/rl/measure/metrics.ts).',
  WarmStartMetric: '',
};

export async function enginePage(): Promise<string> {
  const statements = (await declarations()).split(/\n(?=\/\*\*|export )(?<!\*\/\n)/).flatMap((text) => {
    const [, name] = /^(?:export )?(?:declare )?(?:interface|type|class|function|const) (\w+)/m.exec(text) ?? [];
    return name === undefined ? [] : [{ name, text: text.trim() }];
  });
  const parts = statements.map(({ name, text }) => {
    if (LONG[name] !== undefined) return LONG[name];
    const title = TITLES[name];
    return `${title === undefined ? '' : `## ${title}\n\n`}\`\`\`ts\n${text.replace(/^(?: {4})+/gm, (indent) => indent.slice(indent.length / 2))}\n\`\`\``;
  });
  const page = [HEAD.trim(), ...parts.filter((part) => part !== '')].join('\n\n');
  // Types of one door are one block.
  return `${page.replaceAll('\n```\n\n```ts\n', '\n\n')}\n`;
}
