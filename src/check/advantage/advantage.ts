/**
 * Fixtures of the family "advantage" on the operation `advantages`: other projects' estimators as combinations of a member's
 * choices. The combinations are in advantage/; here a scene becomes tensors and outputs are compared.
 */
import { ROLE } from '../../foundation/roles';
import type { Backend } from '../../tensor/backend';
import { GROUP_COLUMNS, NO_ROLE, OUTCOME, OUTCOME_COLUMNS } from '../../tensor/columns';
import { HYPER, HYPER_COLUMNS } from '../../tensor/layout';
import { advantageScratch, TURN_PATH_COLUMNS } from '../../tensor/operations/advantage';
import { expectationOf } from '../arrays';
import { type CheckedOutput, type Fixture, invalid } from '../format';
import type { AdvantageScene } from './scene';
import { sceneOf } from './scenes';

/** Estimators with whitening or long sums, which need a wider tolerance. */
const WIDER = /gae|whiten|reinforce_plus_plus|reinforce|gdpo|compute_advantages_and_returns/;

export async function checkAdvantage(backend: Backend, fixture: Fixture): Promise<CheckedOutput[]> {
  const scene = sceneOf(fixture);
  if (scene.trajectories.length === 0) throw invalid(`${fixture.name} holds no trajectories`);
  const got = await runScene(backend, scene);
  const isWide = WIDER.test(`${fixture.source.function} ${String(fixture.params.estimator ?? '')}`);
  return Object.entries(scene.outputs).flatMap(([output, places]): CheckedOutput[] => {
    const expected = expectationOf(fixture, output);
    if (expected === undefined) return [];
    if (expected.length !== places.length) {
      throw invalid(
        `${fixture.name} expects ${expected.length} numbers of “${output}”, its inputs have ${places.length}`,
      );
    }
    const compared = places.map((place, i) => ({ place, expected: expected[i] }));
    const wanted = compared.filter(({ place }) => place !== null);
    return [
      {
        output,
        got: wanted.map(({ place }) => (place === 'zero' ? 0 : valueAt(got, scene, place))),
        expected: wanted.map((entry) => entry.expected),
        atol: 2e-6,
        rtol: isWide ? 3e-5 : 1e-5,
        exactZeros: true,
      },
    ];
  });
}

interface Found {
  readonly advantage: ArrayLike<number>;
  readonly returns: ArrayLike<number>;
  /** Row of each of the scene's trajectories in the batch. */
  readonly rowOf: readonly number[];
  readonly context: number;
}

function valueAt(
  { advantage, returns, rowOf, context }: Found,
  scene: AdvantageScene,
  place: AdvantageScene['outputs'][string][number],
) {
  if (place === null || place === 'zero') throw new Error('There is nothing at this place.');
  const trajectory = scene.trajectories[place.trajectory];
  if (place.token >= trajectory.tokens.length) throw new Error('The trajectory ends before this token.');
  const at = rowOf[place.trajectory] * context + place.token + 1;
  return (place.of === 'advantage' ? advantage : returns)[at];
}

/** Runs `advantages` for one member whose batch is the scene. Position 0 of a trajectory is no target; its tokens follow. */
async function runScene(backend: Backend, scene: AdvantageScene): Promise<Found> {
  const { trajectories } = scene;
  const B = trajectories.length;
  const T = 1 + Math.max(...trajectories.map(({ tokens }) => tokens.length));
  const M = Math.max(1, ...trajectories.map(({ anchors = [] }) => anchors.length));
  // Trajectories of a group are neighbours; groups come in the order in which they first occur.
  const groupIds = [...new Set(trajectories.map(({ group }) => group))];
  const order = groupIds.flatMap((id) => trajectories.flatMap(({ group }, i) => (group === id ? [i] : [])));
  const groupStart = [0];
  for (const id of groupIds) {
    groupStart.push((groupStart.at(-1) as number) + trajectories.filter(({ group }) => group === id).length);
  }

  const roles = new Uint32Array(B * T).fill(NO_ROLE);
  const columns = ['reward', 'oldLogProb', 'referenceLogProb', 'value', 'sumOfSquares'] as const;
  const perToken = Object.fromEntries(columns.map((name) => [name, new Float32Array(B * T)]));
  const outcomes = new Float32Array(B * OUTCOME_COLUMNS);
  const anchors = new Uint32Array(B * M);
  order.forEach((source, b) => {
    const trajectory = trajectories[source];
    trajectory.tokens.forEach((token, i) => {
      const at = b * T + 1 + i;
      roles[at] = ROLE[token.role];
      for (const name of columns) perToken[name][at] = token[name] ?? 0;
    });
    outcomes[b * OUTCOME_COLUMNS + OUTCOME.usable] = 1;
    outcomes[b * OUTCOME_COLUMNS + OUTCOME.baseline] = trajectory.baseline ?? 0;
    outcomes[b * OUTCOME_COLUMNS + OUTCOME.turns] = trajectory.turns ?? 0;
    outcomes.set(trajectory.parts ?? [], b * OUTCOME_COLUMNS + OUTCOME.part);
    anchors.set(trajectory.anchors ?? [], b * M);
  });

  const hyper = new Float32Array(HYPER_COLUMNS);
  hyper[HYPER.policyGradient + ROLE.action] = 1;
  for (const [name, value] of Object.entries(scene.options)) hyper[HYPER[name as keyof typeof scene.options]] = value;
  hyper.set(scene.rewardWeights ?? [], HYPER.rewardWeight);

  const f32 = (label: string, data: Float32Array) => {
    const tensor = backend.tensor(label, 'f32', 1, data.length);
    backend.write(tensor, data);
    return tensor;
  };
  const u32 = (label: string, data: Uint32Array) => {
    const tensor = backend.tensor(label, 'u32', 1, data.length);
    backend.write(tensor, data);
    return tensor;
  };
  const batch = {
    roles: u32('roles', roles),
    trajectories: B,
    context: T,
    groupStart: u32('group start', Uint32Array.from(groupStart)),
    groups: groupIds.length,
    outcomes: f32('outcomes', outcomes),
  };
  const inputs = {
    tokenReward: f32('token reward', perToken.reward as Float32Array),
    oldLogProb: f32('old log-prob', perToken.oldLogProb as Float32Array),
    referenceLogProb: f32('reference log-prob', perToken.referenceLogProb as Float32Array),
    oldValue: f32('old value', perToken.value as Float32Array),
    sumOfSquares: f32('sum of squares', perToken.sumOfSquares as Float32Array),
    turnAnchor: u32('turn anchors', anchors),
    turnPath: u32('turn paths', new Uint32Array(B * M * TURN_PATH_COLUMNS)),
    turns: M,
  };
  const hyperTensor = f32('hyper', hyper);
  const advantage = f32('advantage', new Float32Array(B * T));
  const returns = f32('returns', new Float32Array(B * T));
  const group = f32('group', new Float32Array(groupIds.length * GROUP_COLUMNS));
  const scratch = f32('scratch', new Float32Array(advantageScratch(batch, M)));
  const program = backend.record('advantages', 1, (operations) => {
    operations.advantages(advantage, returns, group, scratch, batch, inputs, hyperTensor);
  });
  await backend.prepare();
  backend.run(program);
  const [foundAdvantage, foundReturns] = await backend.read(advantage, returns);
  const rowOf = trajectories.map((_, i) => order.indexOf(i));
  return { advantage: foundAdvantage, returns: foundReturns, rowOf, context: T };
}
