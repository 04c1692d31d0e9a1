/** Parity cases of the weights of the world model's tokens: a few divisions of small integers. */
import { ROLE } from '../../../foundation/roles';
import { CHOICES } from '../../../hyperparameters/columns';
import { worldModelScratch } from '../../../tensor/operations/worldModel';
import { batchOf, denseBatch, denseValues } from '../batch';
import { f32, type OutputSpec, type ParityCase, randomFor, unwritten } from '../case';
import { type HyperOptions, hyperTensor } from '../hyper';

const ECHO: HyperOptions = { crossEntropy: { observation: 0.05 } };
const BOTH: HyperOptions = { crossEntropy: { observation: 0.25, warning: 0.05 } };
const ANY: HyperOptions = { crossEntropy: { prompt: 0.5, action: 0.3, observation: 0.05, warning: 0.2, thought: 0.4 } };

/** Members with every choice, and some combinations. */
const WEIGHT_MEMBERS: readonly HyperOptions[] = [
  {},
  ECHO,
  ANY,
  ...CHOICES.worldModelSequenceDenominator.flatMap((_, worldModelSequenceDenominator) =>
    CHOICES.worldModelBatchDenominator.map(
      (_, worldModelBatchDenominator): HyperOptions => ({
        ...(worldModelBatchDenominator % 2 === 0 ? ECHO : BOTH),
        worldModelSequenceDenominator,
        worldModelBatchDenominator,
        worldModelCountEpsilon: worldModelSequenceDenominator === 1 ? 1e-8 : 1e-3,
        worldModelDenominator: 23,
        worldModelLength: worldModelBatchDenominator === 3 ? 0 : 16,
      }),
    ),
  ),
  ...CHOICES.worldModelTrajectories.map((_, worldModelTrajectories) => ({ ...BOTH, worldModelTrajectories })),
  { ...BOTH, worldModelMinValid: 0.75 },
  { ...ECHO, worldModelTurnShare: 0.75 },
  { ...ECHO, worldModelTurnShare: 0.5, worldModelTurnScope: 1 },
  { ...ANY, worldModelTurnShare: 1e-3 },
  { ...ECHO, worldModelTurnShare: 1 },
  { ...ECHO, worldModelRewardScale: 1 },
  {
    ...BOTH,
    worldModelTrajectories: 1,
    worldModelTurnShare: 0.75,
    worldModelTurnScope: 1,
    worldModelRewardScale: 0.8,
    worldModelSequenceDenominator: 4,
    worldModelBatchDenominator: 6,
  },
];

const TIED_MEMBERS: readonly HyperOptions[] = [0.2, 0.5, 0.9].flatMap((worldModelTurnShare) =>
  [0, 1].map((worldModelTurnScope) => ({ ...ECHO, worldModelTurnShare, worldModelTurnScope })),
);

function weightCases(): ParityCase[] {
  const shapes = [
    { name: 'every choice', members: WEIGHT_MEMBERS, groups: [4, 1, 3, 4], context: 24 },
    { name: '70 trajectories', members: WEIGHT_MEMBERS.slice(-5), groups: [30, 40], context: 33 },
    { name: 'ties', members: TIED_MEMBERS, groups: [70, 3, 1, 66], context: 19, tied: true },
    { name: '1 trajectory of 1 token', members: [ANY], groups: [1], context: 1 },
  ];
  return shapes.map(({ name: shape, members, groups, context, tied = false }): ParityCase => {
    const name = `worldModelWeights, ${shape}`;
    const random = randomFor(name);
    const batch = denseBatch(random, { members: members.length, groups, context });
    const weights: OutputSpec = { tensor: 'crossEntropyWeight', atol: 1e-9, rtol: 2e-6, exactZeros: true };
    // Members that select no turns do not read entropies.
    const looks = members.map(({ worldModelTurnShare: share = 0 }) => share > 0 && share < 1);
    // Multiples of ¼ of either sign: many turns have equal means.
    const uncertainty = (): number => (tied ? (random.below(5) - 2) / 4 : random.unit());
    const oldEntropy = denseValues(batch, uncertainty, [ROLE.action, ROLE.thought]);
    const stride = batch.trajectories * context;
    oldEntropy.data.forEach((_, i) => {
      if (looks[Math.floor(i / stride)] !== true) oldEntropy.data[i] = Number.NaN;
    });
    return {
      operation: 'worldModelWeights',
      name,
      members: members.length,
      tensors: {
        ...batch.tensors,
        oldEntropy,
        hyper: hyperTensor(...members),
        crossEntropyWeight: unwritten(members.length, stride),
        scratch: f32(members.length, new Float32Array(members.length * worldModelScratch(batch)).fill(Number.NaN)),
      },
      build: (ops, t) => {
        const inputs = { oldEntropy: t.f32('oldEntropy'), group: t.f32('group') };
        const [weight, scratch] = [t.f32('crossEntropyWeight'), t.f32('scratch')];
        ops.worldModelWeights(weight, scratch, batchOf(t, batch), inputs, t.f32('hyper'));
      },
      outputs: [weights],
    };
  });
}

export const WORLD_MODEL_WEIGHT_CASES: readonly ParityCase[] = weightCases();
