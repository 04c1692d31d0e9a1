/**
 * Steering changes what it says and nothing else. A policy made by hand that walks by the cell it stands on walks as from
 * another cell once it is made to believe so, and no random push of the same length does that to it; a strength of 0 changes
 * no bit, at any place of the policy; and what was changed is what a policy computes whose stream really was another.
 */
import { describe, expect, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { RandomStream } from '../../src/foundation/philox';
import { initialParameters, layoutParameters } from '../../src/policy/parameters';
import { difference, drawDirection, lengthOf, meansOf } from '../../src/rl/look/steering/directions';
import { divergence, sharesOf } from '../../src/rl/look/steering/measure';
import { Readout } from '../../src/rl/look/steering/readout';
import { fitMeans, type TriedBelief, tryBeliefs } from '../../src/rl/look/steering/steering';
import { Steering } from '../../src/rl/look/steering/survey';
import { type Stand, standsOf } from '../../src/rl/look/steering/walks';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { createEnvironment, policyShape } from '../../src/train/population/shape';
import { randomPolicy, randomSequences, referenceForward, relativeError } from '../support/policies';

const { experiment } = findPreset('gridworld-tiny') as { experiment: Experiment };
const environment = createEnvironment(experiment);
const random = (item: number): RandomStream => new RandomStream(11, 0, 0, 0, item);

describe('directions', () => {
  test('are differences of class means', () => {
    const means = meansOf([1, 2, 3, 4, 5, 9], ['a', 'b', 'a'], 2);
    expect([...(means.get('a') ?? [])]).toEqual([3, 5.5]);
    expect([...difference(means.get('a')!, means.get('b')!)]).toEqual([0, 1.5]);
  });

  test('random ones have the length asked for, and no side', () => {
    const drawn = Array.from({ length: 400 }, (_, i) => drawDirection(16, 2.5, random(i)));
    for (const one of drawn) expect(lengthOf(one)).toBeCloseTo(2.5, 12);
    // Each mean of 400 components has a standard error of 2.5 / √(16 · 400) = 0.031.
    for (let i = 0; i < 16; i++)
      expect(Math.abs(drawn.reduce((sum, one) => sum + one[i]!, 0) / 400)).toBeLessThan(0.14);
  });
});

describe('walks', () => {
  test('end once on every cell but the goal, each by a shortest way', () => {
    for (let item = 0; item < 5; item++) {
      const task = environment.drawTask(random(item));
      const stands = standsOf(environment, task);
      const [start, goal] = [task[0]!, task[1]!];
      const cells = stands.map(({ scene: { agent } }) => agent[1] * 4 + agent[0]);
      expect([...cells].sort((a, b) => a - b)).toEqual([...Array(16).keys()].filter((cell) => cell !== goal));
      for (const { scene, tokens, legal, cell } of stands) {
        expect(cell).toBe(scene.agent.join());
        expect(legal).toEqual(environment.legalSets[0]);
        // Two tokens a turn after the prompt of three; the start itself is come back to, against a wall in one turn.
        const turns = (tokens.length - 3) / 2;
        const [x, y] = scene.agent;
        const steps = Math.abs(x - (start % 4)) + Math.abs(y - Math.floor(start / 4));
        expect(turns).toBeGreaterThanOrEqual(Math.max(1, steps));
        expect(turns).toBeLessThanOrEqual(Math.max(2, steps + 2));
      }
    }
  });

  test('are refused where an action is several words', () => {
    expect(() => standsOf({ ...environment, ...bound(environment), maxActionTokens: 2 }, Int32Array.of(0, 5))).toThrow(
      'more than one word',
    );
  });
});

const bound = ({ scenes, createWorld }: typeof environment) =>
  ({ scenes, createWorld }) as Pick<typeof environment, 'scenes' | 'createWorld'>;

describe.each([
  ['reference', async () => new ReferenceBackend({ poison: true })],
  ['cpu', () => createCpuBackend()],
] as const)('on the %s backend', (_, open) => {
  const policy = randomPolicy(3, { layers: 2 });
  const sequences = randomSequences(policy, [5, 9, 1, 12], 5);

  test('a policy is read as it is', async () => {
    const backend = await open();
    const readout = new Readout(backend, policy.configuration, policy.parameters, 12);
    await backend.prepare();
    const { logits } = await readout.read(sequences);
    const expected = (await referenceForward(policy, sequences)).logits.flatMap((own) => [...own.slice(-16)]);
    expect(relativeError(logits, expected)).toBeLessThan(1e-5);
  });

  test('what is put back unchanged changes no bit, wherever', async () => {
    const backend = await open();
    const readout = new Readout(backend, policy.configuration, policy.parameters, 12);
    await backend.prepare();
    const { logits, streams } = await readout.read(sequences);
    expect(streams).toHaveLength(3);
    for (const [blocks, stream] of streams.entries()) {
      const other = stream.map((value) => value + 1);
      expect(await readout.goOn(blocks, other)).not.toEqual(logits);
      expect(await readout.goOn(blocks, stream)).toEqual(logits);
    }
  });

  test('with another token’s embedding it decides as after that token', async () => {
    const backend = await open();
    const readout = new Readout(backend, policy.configuration, policy.parameters, 12);
    await backend.prepare();
    const others = sequences.map((tokens) => [...tokens.slice(0, -1), (tokens.at(-1)! + 1) % 16]);
    const other = await readout.read(others);
    await readout.read(sequences);
    for (const [blocks, stream] of other.streams.entries()) {
      expect(relativeError(await readout.goOn(blocks, stream), other.logits)).toBeLessThan(1e-6);
    }
  });
});

/**
 * Policy of one block that does nothing, on the 4 × 4 grid: the embedding of a cell's name has a component of its own, and the
 * head likes for each cell one of the four moves.
 */
async function byHand() {
  const { configuration: shape } = policyShape(experiment, environment);
  const configuration = { ...shape, width: 32, heads: 2 };
  const layout = layoutParameters(configuration);
  const parameters = initialParameters(layout, 1, 0);
  const at = (name: string): number => layout.specs.find((spec) => spec.name === name)!.offset;
  for (const { name, offset, shape: own } of layout.specs) {
    if (!name.endsWith('gamma')) parameters.fill(0, offset, offset + own.reduce((a, b) => a * b, 1));
  }
  const [move] = environment.legalSets;
  const firstCell = environment.words.length - 16;
  for (let cell = 0; cell < 16; cell++) {
    parameters[at('tokens') + (firstCell + cell) * 32 + cell] = 1;
    parameters[at('head.weight') + cell * configuration.vocabulary + move![cell % 4]!] = 2;
  }
  const backend = await createCpuBackend();
  return { backend, policy: { configuration, parameters } };
}

test('a policy that goes by the cell it is on walks as from the cell it believes in', async () => {
  const { backend, policy } = await byHand();
  const stands = standsOf(environment, Int32Array.of(0, 15));
  const readout = new Readout(backend, policy.configuration, policy.parameters, 24);
  await backend.prepare();
  const means = await fitMeans(readout, stands, 32);
  const standOn = (cell: number): Stand => stands.find(({ scene: { agent } }) => agent[1] * 4 + agent[0] === cell)!;
  const beliefs = [1, 2, 3, 7].map((cell) => ({ present: standOn(4), believed: standOn(cell) }));
  const tried = await tryBeliefs(readout, beliefs, { means, strengths: [0, 1], directions: 6, random: random(9) });
  for (const { before, there, steered } of tried) {
    expect(before.indexOf(Math.max(...before))).toBe(0);
    for (const { strength, after, elsewhere, random: others } of steered) {
      // The whole difference of means makes one cell's activation the other's.
      if (strength === 1) expect(relativeError(after, there)).toBeLessThan(1e-5);
      else for (const one of [after, elsewhere, ...others]) expect(one).toEqual(before);
    }
  }
  const shares = sharesOf(tried).filter(({ strength }) => strength === 1);
  expect(shares.map(({ blocks }) => blocks)).toEqual([0, 1]);
  for (const { follows, closed, randomFollows, randomClosed, elsewhereFollows } of shares) {
    expect(elsewhereFollows).toBeLessThan(1);
    expect(follows).toBe(1);
    expect(closed).toBeCloseTo(1, 5);
    expect(randomFollows).toBeLessThan(0.5);
    expect(randomClosed).toBeLessThan(0.5);
  }
});

test('shares are of the beliefs that the policy would act on otherwise', () => {
  const steered = (after: number[], random: number[][]) => [
    { blocks: 0, strength: 1, after, random, elsewhere: random[0]! },
  ];
  const tried: TriedBelief[] = [
    // Follows; one random direction of two does too.
    {
      before: [0.8, 0.2],
      there: [0.2, 0.8],
      steered: steered(
        [0.2, 0.8],
        [
          [0.9, 0.1],
          [0.4, 0.6],
        ],
      ),
    },
    // Does not follow.
    {
      before: [0.6, 0.4],
      there: [0.2, 0.8],
      steered: steered(
        [0.6, 0.4],
        [
          [0.6, 0.4],
          [0.6, 0.4],
        ],
      ),
    },
    // Acts alike there: no share counts it.
    {
      before: [0.5, 0.5],
      there: [0.5, 0.5],
      steered: steered(
        [0.5, 0.5],
        [
          [0.5, 0.5],
          [0.5, 0.5],
        ],
      ),
    },
  ];
  const [share] = sharesOf(tried);
  const apart = divergence([0.2, 0.8], [0.8, 0.2]) + divergence([0.2, 0.8], [0.6, 0.4]);
  expect(share).toMatchObject({ follows: 0.5, randomFollows: 0.25, elsewhereFollows: 0 });
  expect(share?.closed).toBeCloseTo(1 - divergence([0.2, 0.8], [0.6, 0.4]) / apart, 12);
  expect(divergence([0.2, 0.8], [0.8, 0.2])).toBeCloseTo(0.6 * Math.log(4), 12);
});

test('a survey repeats bit for bit, asks arms the same, and asks nothing that its means were made of', async () => {
  const { configuration } = policyShape(experiment, environment);
  const parameters = initialParameters(layoutParameters(configuration), 1, 0);
  const open = async () =>
    Steering.open(await createCpuBackend(), { parameters, configuration }, environment, { experiment: 5, member: 1 });
  const [first, second] = [await open(), await open()];
  expect(await second.survey()).toEqual(await first.survey());
  expect(first.grounds.map(({ task }) => task.join())).toEqual(second.grounds.map(({ task }) => task.join()));
  expect(new Set(first.grounds.map(({ task }) => task.join())).size).toBe(16);
});

test('a world without a board has no cells to believe in', async () => {
  const other = { ...experiment, environment: { id: 'shop', settings: {} } };
  const shop = createEnvironment(other);
  const { configuration } = policyShape(other, shop);
  const parameters = initialParameters(layoutParameters(configuration), 1, 0);
  const opened = Steering.open(await createCpuBackend(), { parameters, configuration }, shop, {
    experiment: 5,
    member: 0,
  });
  await expect(opened).rejects.toThrow('no belief to change');
});
