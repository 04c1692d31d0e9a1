/** A policy from a file plays like the member it came from: the same tokens with the same log-probs in the same worlds. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { gridworld } from '../../src/environments/gridworld/gridworld';
import { listener } from '../../src/environments/listener/listener';
import { mixture } from '../../src/environments/mixture/mixture';
import { decoderChunk, isActionOver } from '../../src/environments/replay';
import { composeVocabulary } from '../../src/environments/vocabulary';
import { defaultArm } from '../../src/experiment/experiment';
import type { LlamaBlocks } from '../../src/foundation/llamaBlocks';
import { RandomStream, STREAM } from '../../src/foundation/philox';
import { ROLE } from '../../src/foundation/roles';
import { OnnxDecoder, type OnnxDecoderOptions } from '../../src/onnx/decoder';
import { exportOnnx } from '../../src/onnx/exportOnnx';
import { OnnxScorer } from '../../src/onnx/scorer';
import { PolicySession } from '../../src/onnx/session';
import { Decoder, type DecoderOptions, type TurnDecoder } from '../../src/policy/decoder';
import { layoutParameters, parameterViews } from '../../src/policy/parameters';
import { bitMask, legalSetTable } from '../../src/rl/play/legalSets';
import { Rollout } from '../../src/rl/play/rollout';
import { Trajectories } from '../../src/rl/play/trajectories';
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { HYPER, HYPER_COLUMNS } from '../../src/tensor/layout';
import { randomPolicy, referenceForward, SMALL_LLAMA } from '../support/policies';
import { spellingEnvironment } from '../support/spellingEnvironment';

const GROUPS = 4;
const GROUP_SIZE = 3;
const COUNT = GROUPS * GROUP_SIZE;
const SHAPE = { positions: 'rotary', width: 16 } as const;
const TEMPERATURE = 1.3;
const SEED = 11;
/** Tolerance of log-probs, nats. */
const TOLERANCE = 1e-4;
/** Tokens until one that is said twice. */
function untilTwice(drawn: readonly number[]): number {
  const at = drawn.findIndex((token, i) => i > 0 && token === drawn[i - 1]);
  return at < 0 ? drawn.length : at + 1;
}

/**
 * Worlds whose actions have one token, up to three tokens, one in some trajectories and more in others, end with one of many, or
 * with several.
 */
const WORLDS: readonly (readonly [name: string, environment: Environment, blocks: { llama?: LlamaBlocks }])[] = [
  ['gridworld', gridworld.create({ size: 4, horizon: 6, walls: 0, observation: 'full' }), {}],
  ['spelling', spellingEnvironment, {}],
  ['mixture', mixture.create({ calculator: 0, terminal: 1, 'terminal-horizon': 3, 'gridworld-horizon': 6 }), {}],
  ['listener', listener.create({}), { llama: { ...SMALL_LLAMA, keyValueHeads: 1 } }],
  [
    'spelling that ends behind two equal tokens',
    { ...spellingEnvironment, stopToken: -1, actionLength: untilTwice },
    {},
  ],
];

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return Array.from(a).reduce((most, x, i) => Math.max(most, Math.abs(x - (b[i] as number))), 0);
}

describe.each(WORLDS)('in %s', (_, environment, blocks) => {
  const vocabulary = composeVocabulary([environment.words]).size;
  const policy = randomPolicy(5, { vocabulary, context: environment.context, ...SHAPE, ...blocks });
  let backend: Backend;
  let options: DecoderOptions & OnnxDecoderOptions;
  let own: Trajectories;

  beforeAll(async () => {
    backend = await createCpuBackend();
    const { maxActionTokens, stopToken, stopTokens = [] } = environment;
    const legal = legalSetTable(environment, vocabulary);
    const legalSets = backend.tensor('legalSets', 'u32', 1, legal.length);
    backend.write(legalSets, legal);
    const hyper = backend.tensor('hyper', 'f32', 1, HYPER_COLUMNS);
    backend.write(hyper, Float32Array.of(TEMPERATURE), HYPER.temperature);
    const seedIndex = backend.tensor('seedIndex', 'u32', 1, 1);
    backend.write(seedIndex, Uint32Array.of(2));
    const chunk = decoderChunk(environment);
    const mask = bitMask(stopTokens, vocabulary);
    const stops = backend.tensor('stops', 'u32', 1, mask.length);
    backend.write(stops, mask);
    const isOver = (drawn: readonly number[]): boolean => isActionOver(environment, drawn);
    const ends = { stopToken, isOver, stops: stopTokens.length === 0 ? null : stops };
    options = { members: 1, trajectories: COUNT, chunk, maxActionTokens, ...ends, legalSets, hyper, seedIndex };
    const layout = layoutParameters(policy.configuration);
    const parameters = backend.tensor('parameters', 'f32', 1, layout.size);
    backend.write(parameters, policy.parameters);
    own = await play(new Decoder(backend, policy.configuration, parameterViews(layout, parameters), options));
  });
  afterAll(() => backend.dispose());

  async function play(decoder: TurnDecoder): Promise<Trajectories> {
    const members = [{ armIndex: 0, arm: 'policy', seed: 2 }];
    const sizes = { groups: GROUPS, groupSize: GROUP_SIZE, chunk: options.chunk };
    const rollout = new Rollout(environment, decoder, members, sizes);
    const trajectories = new Trajectories(1, COUNT, environment.context, environment.maxTurns);
    await backend.prepare();
    const arms = [defaultArm('policy', 'P')];
    // The second batch begins while the first one's caches are still there.
    for (const round of [0, 1]) {
      const drawTask = (_: number, group: number): Int32Array =>
        environment.drawTask(new RandomStream(SEED, STREAM.tasks, 2, round, group));
      await rollout.run(trajectories, { arms, experimentSeed: SEED, stream: STREAM.sampling, round, drawTask });
    }
    return trajectories;
  }

  const sequencesOf = ({ lengths, tokens, roles, legalSets, context }: Trajectories) =>
    Array.from(lengths, (length, i) => {
      const cut = <A extends { subarray(start: number, end: number): A }>(all: A): A =>
        all.subarray(i * context, i * context + length);
      return { tokens: cut(tokens), roles: cut(roles), legalSets: cut(legalSets) };
    });

  /** Largest error of scores: of actions against the log-probs of decoding, of observations against float64. */
  async function scoringError(session: PolicySession, trajectories: Trajectories): Promise<number> {
    const { legalSets, hyper } = options;
    const scorer = new OnnxScorer(backend, session, { rows: 2 * environment.context, legalSets, hyper });
    await backend.prepare();
    const sequences = sequencesOf(trajectories);
    const scores = await scorer.score(sequences);
    const reference = await referenceForward(
      policy,
      sequences.map(({ tokens }) => Array.from(tokens)),
    );
    const pairs = sequences.flatMap(({ tokens, roles }, i) =>
      Array.from(tokens, (token, t) => {
        const logits = reference.logits[i]?.subarray((t - 1) * vocabulary, t * vocabulary) ?? new Float64Array();
        const logSum = Math.log(logits.reduce((sum, z) => sum + Math.exp(z), 0));
        const drawn = trajectories.behaviourLogProb[i * environment.context + t] as number;
        const said = roles[t] === ROLE.prompt ? 0 : (logits[token] as number) - logSum;
        return [scores[i]?.logProb[t] as number, roles[t] === ROLE.action ? drawn : said] as const;
      }),
    );
    expect(pairs.length).toBeGreaterThan(5 * COUNT);
    return largestDifference(
      pairs.map(([a]) => a),
      pairs.map(([, b]) => b),
    );
  }

  test.each([false, true])('it draws the same tokens, cached: %s', async (cached) => {
    const session = await PolicySession.open(exportOnnx(policy, { cached }), { ...policy, cached });
    const played = await play(new OnnxDecoder(backend, session, options));
    expect(sequencesOf(played)).toEqual(sequencesOf(own));
    expect(played.successes).toEqual(own.successes);
    expect(new Set(own.lengths).size).toBeGreaterThan(1);
    expect(largestDifference(played.behaviourLogProb, own.behaviourLogProb)).toBeLessThan(TOLERANCE);
    expect(await scoringError(session, played)).toBeLessThan(TOLERANCE);
    await session.release();
  });
});
