// Peers that are processes: the line protocol with a peer written in Node, PyTorch's greeting and answers, and the turns.
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lossesApart, ratioOf, takeTurns } from '../../bench/peers/byTurns';
import { type Lesson, sameLesson } from '../../bench/peers/firstUpdate';
import { LinePeer } from '../../bench/peers/linePeer';
import { chosen, counted } from '../../bench/peers/options';
import { ourFirstUpdate } from '../../bench/peers/ourUpdate';
import { SHAPES } from '../../bench/peers/shapes';
import { describeTorch, StepSchema, startTorch } from '../../bench/peers/torchPeer';
import { stepProblem, updateProblem } from '../../bench/peers/torchProblem';
import { flopsPerToken, updateExperiment } from '../../bench/peers/updateExperiment';
import { presets } from '../../src/experiment/presets/presets';
import { testFolder } from '../support/folder';

/** A program for Node that answers every line by `answer`, in terms of `line` and its number `n`. */
const answering = (answer: string): string =>
  `let n = 0; require('node:readline').createInterface({ input: process.stdin })
    .on('line', (text) => { const line = JSON.parse(text); console.log(${answer}); n++; });`;

async function startedNode(program: string): Promise<LinePeer> {
  const peer = await LinePeer.start(process.execPath, ['-e', program]);
  if (peer === null) throw new Error('Node does not start.');
  onTestFinished(() => peer.close());
  return peer;
}

/** An executable that stands for a Python: it ignores the script it is given. */
async function pythonThat(program: string): Promise<string> {
  const path = testFolder()('python3');
  await writeFile(path, `#!${process.execPath}\n${program}`);
  await chmod(path, 0o755);
  return path;
}

describe('a peer by lines', () => {
  test('answers each line in order, on one thread', async () => {
    const peer = await startedNode(answering('JSON.stringify([n, line, process.env.OPENBLAS_NUM_THREADS])'));
    expect(await peer.ask({ first: 'ü' })).toEqual([0, { first: 'ü' }, '1']);
    expect(await peer.ask({})).toEqual([1, {}, '1']);
  });

  test('is told of when it ends or answers something else', async () => {
    const talking = await startedNode(answering("'loading the model'"));
    await expect(talking.ask({})).rejects.toThrow('answered “loading the model”, which is not JSON');
    const ending = await startedNode('process.exit(3)');
    await expect(ending.ask({})).rejects.toThrow('ended without an answer');
  });

  test('is null where there is no such command', async () => {
    expect(await LinePeer.start('/nowhere/python3', [])).toBeNull();
  });
});

describe('PyTorch as a peer', () => {
  const HELLO = { torch: '1.13.0a0', blas: ['libopenblasp-r0.3.21.so'], product: 1.1e11 };
  const STEP = { loss: 4.5, wall: 0.02, processor: 0.01 };

  test('greets, then answers steps', async () => {
    const replies = JSON.stringify([HELLO, STEP]);
    const python = await pythonThat(answering(`JSON.stringify(${replies}[n])`));
    const peer = await startTorch('step.py', {}, StepSchema, python);
    if (typeof peer === 'string') throw new Error(peer);
    expect(peer.hello).toEqual(HELLO);
    expect(await peer.step()).toEqual(STEP);
    peer.close();
    expect(describeTorch(peer)).toContain('libopenblasp-r0.3.21.so; product of 1024³ at 110 GFLOP/s');
  });

  test('an answer of another form is refused', async () => {
    const python = await pythonThat(answering(`JSON.stringify([${JSON.stringify(HELLO)}, { loss: 'nan' }][n])`));
    const peer = await startTorch('step.py', {}, StepSchema, python);
    if (typeof peer === 'string') throw new Error(peer);
    await expect(peer.step()).rejects.toThrow();
    peer.close();
  });

  test('a greeting that cannot be read ends it', async () => {
    const ended = testFolder()('ended');
    const atEnd = `process.stdin.on('end', () => require('node:fs').writeFileSync(${JSON.stringify(ended)}, ''));`;
    const python = await pythonThat(`${atEnd}${answering('JSON.stringify({ torch: 2 })')}`);
    await expect(startTorch('step.py', {}, StepSchema, python)).rejects.toThrow();
    await expect.poll(() => existsSync(ended), { timeout: 60_000 }).toBe(true);
  });

  test('a Python without it, when named, is an error that says how to get it', async () => {
    const python = await pythonThat(answering(`JSON.stringify({ missing: "No module named 'torch'" })`));
    const started = startTorch('step.py', {}, StepSchema, python);
    await expect(started).rejects.toThrow(
      /No module named 'torch'.*apt-get install python3-torch libopenblas0-pthread/,
    );
    await expect(startTorch('step.py', {}, StepSchema, '/nowhere')).rejects.toThrow('there is no /nowhere');
  });

  test('the first usual Python that has it is taken; without any, words say how to get it', async () => {
    const without = await pythonThat(answering(`JSON.stringify({ missing: "No module named 'torch'" })`));
    const having = await pythonThat(
      answering(`JSON.stringify([${JSON.stringify(HELLO)}, ${JSON.stringify(STEP)}][n])`),
    );
    const peer = await startTorch('step.py', {}, StepSchema, undefined, ['/nowhere', without, having]);
    if (typeof peer === 'string') throw new Error(peer);
    expect(peer.python).toBe(having);
    expect(await peer.step()).toEqual(STEP);
    peer.close();
    const said = await startTorch('step.py', {}, StepSchema, undefined, ['/nowhere', without]);
    expect(said).toMatch(
      /^PyTorch is not here \(there is no \/nowhere; .*No module named 'torch'\)\. On Debian: apt-get/,
    );
  });

  test('its scripts begin with what answers where it is missing', async () => {
    for (const script of ['torchStep.py', 'torchUpdate.py']) {
      const text = await readFile(join('bench/peers', script), 'utf8');
      expect(/^(?:from|import) .*$/m.exec(text)?.[0], script).toMatch(/^from torchLines import .*serve$/);
    }
  });

  test('a plain BLAS is warned of', () => {
    const said = describeTorch({ python: 'python3', hello: { ...HELLO, blas: ['libblas.so.3.11.0'] } });
    expect(said).toContain('apt-get install libopenblas0-pthread');
    expect(describeTorch({ python: 'python3', hello: HELLO })).not.toContain('apt-get');
  });

  test('gets the parameters and tokens that our side has', async () => {
    const { layout, arrays } = stepProblem(SHAPES.tiny);
    const bytes = Buffer.from(arrays.parameters.base64, 'base64');
    const last = layout['head.weight'] as [offset: number, shape: number[]];
    expect(bytes.length).toBe(4 * (last[0] + 32 * 128));
    // Norms begin at 1.
    expect(bytes.readFloatLE(4 * (layout['finalNorm.gamma'] as [number, number[]])[0])).toBe(1);
    expect(Object.keys(arrays)).toEqual(['parameters', 'tokens']);
    expect((await updateProblem(updateExperiment('gridworld'))).settings).toMatchObject({
      groups: 16,
      groupSize: 8,
      size: 6,
      'ce.observation': 0.1,
    });
  });
});

/** Of stories260K, padded. */
const STORIES_PARAMETERS = 260_032;

describe('updates that are compared', () => {
  test('are of one member of a preset in the gridworld, without what is not done every time', () => {
    expect(updateExperiment('gridworld-searched')).toMatchObject({
      seeds: 1,
      diagnosticsEvery: 0,
      evaluation: { every: 0 },
    });
    expect(updateExperiment('gridworld-searched').arms).toHaveLength(1);
  });

  test('name every setting that PyTorch’s side does not compute', () => {
    expect(() => updateExperiment('noisy-tv')).toThrow(
      'not what torchUpdate.py computes: Noise tokens (environment.noiseTokens) 2 instead of 0. Compare gridworld',
    );
    expect(() => updateExperiment('scrambled-controls')).toThrow(
      /\(environment\.observation\).*\(environment\.controls\)/,
    );
    expect(() => updateExperiment('calculator-searched')).toThrow(
      /World \(environment\) Calculator instead of Gridworld; .*\(warmStart\) actions instead of none/,
    );
    expect(() => updateExperiment('nowhere')).toThrow('There is no preset nowhere.');
    // Another size, learning rate or λ is given to it.
    expect(updateExperiment('gridworld-tiny').environment.settings).toMatchObject({ size: 4 });
  });

  test('of a language model are told its weights and its world', async () => {
    const { arrays, world, settings } = await updateProblem(updateExperiment('listener'));
    expect(Buffer.from(arrays.parameters.base64, 'base64').length).toBe(4 * STORIES_PARAMETERS);
    expect(world).toMatchObject({ turns: 3, longest: 24, trained: 9 });
    expect(settings).toMatchObject({ groups: 8, groupSize: 8, entropyCoefficient: 0 });
  });

  test('are refused without a world model’s arm', () => {
    const without = presets.find(({ experiment }) => experiment.arms.every(({ id }) => id !== 'world-model'));
    expect(() => updateExperiment(without?.id ?? '')).toThrow('has no arm world-model, but ');
  });

  test('take a forward pass to play, and for each inner epoch three', async () => {
    const experiment = updateExperiment('gridworld');
    const { policy } = await updateProblem(experiment);
    // Two layers of 12·64² weights; a head of 64 × 48, which is trained in two epochs.
    expect(flopsPerToken(experiment, policy)).toBe(2 * (7 * 2 * 12 * 64 ** 2 + 6 * 64 * 48));
  });
});

describe('a first update', () => {
  const INITIAL = new Float32Array(4);
  // Ours has a critic's head besides.
  const ours: Lesson = { predicted: 3.9, entropy: 1.38, gradient: 0.5, parameters: Float32Array.of(1, 2, 3, 4, 9) };
  const theirs: Lesson = { ...ours, parameters: ours.parameters.subarray(0, 4) };

  test('that is the same on both sides is told of', () => {
    expect(sameLesson(ours, { ...theirs, predicted: 3.9 * (1 + 4e-6) }, INITIAL)).toContain('observations 4.0e-6');
  });

  test('that differs is an error which names what does', () => {
    expect(() => sameLesson({ ...ours, predicted: 3.91, gradient: 0.51 }, theirs, INITIAL)).toThrow(
      /differs in cross-entropy of observations by 2\.6e-3 .*norm of the gradient by 2\.0e-2/,
    );
    expect(() => sameLesson({ ...ours, entropy: Number.NaN }, theirs, INITIAL)).toThrow('entropy of actions');
    const parameters = Float32Array.of(1, 2, 3.1, 4);
    expect(() => sameLesson({ ...ours, parameters }, theirs, INITIAL)).toThrow('change of the parameters by 1.8e-2');
    // Neither side may stay where it was.
    expect(() => sameLesson({ ...ours, parameters: INITIAL }, { ...theirs, parameters: INITIAL }, INITIAL)).toThrow();
  });

  test('of ours tells the batch it played', async () => {
    const { batch, lesson } = await ourFirstUpdate('cpu', updateExperiment('gridworld-tiny'));
    expect(batch.lengths.length).toBe(8);
    const context = batch.tokens.length / 8;
    batch.lengths.forEach((length, i) => {
      const tokens = batch.tokens.subarray(i * context, (i + 1) * context);
      // The start token, the goal, the agent’s cell; then moves and cells by turns, the goal last where it was reached.
      expect(tokens[0]).toBe(1);
      expect(length % 2).toBe(1);
      expect([...tokens.subarray(length)].every((token) => token === 0)).toBe(true);
      expect(tokens[length - 1] === tokens[1]).toBe(batch.succeeded[i] === 1);
    });
    expect(lesson.entropy).toBeCloseTo(Math.log(4), 2);
  });
});

describe('names and numbers on the command line', () => {
  test('are those there are, or errors that name them', () => {
    expect(chosen('shapes', 'base,tiny', ['tiny', 'small', 'base'])).toEqual(['base', 'tiny']);
    expect(() => chosen('shapes', 'foo', ['tiny', 'small'])).toThrow(
      '--shapes has no “foo”. Choose among tiny, small.',
    );
    expect(counted('updates', '0', 0)).toBe(0);
    for (const text of ['', 'many', '1.5', '-1']) expect(() => counted('updates', text, 0)).toThrow('from 0 on');
  });
});

describe('turns', () => {
  test('every side takes one step before any takes the next', async () => {
    const order: string[] = [];
    const side = (name: string) => ({
      name,
      step: async () => {
        order.push(name);
        return { wall: order.length, processor: 0 };
      },
    });
    const taken = await takeTurns([side('a'), side('b')], 2);
    expect(order).toEqual(['a', 'b', 'a', 'b']);
    expect(taken.map((steps) => steps.map(({ wall }) => wall))).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  test('a ratio is of medians, its range of single turns', () => {
    expect(ratioOf([2, 4, 9], [1, 8, 3])).toEqual({ ofMedians: 4 / 3, least: 0.5, most: 3 });
  });

  test('losses that differ are an error', () => {
    expect(lossesApart([1, 2], [1, 2.00005], 1e-4)).toBeCloseTo(5e-5);
    expect(() => lossesApart([1, 2], [1, 2.1], 1e-4)).toThrow('differ by 1.0e-1');
    expect(() => lossesApart([Number.NaN], [1], 1e-4)).toThrow();
  });
});
