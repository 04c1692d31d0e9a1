/**
 * Steering of a member of a run, always on a CPU backend of its own: a survey for findings, single beliefs for the
 * page. Loaded when asked for; training does not need it.
 */
import type { Experiment } from '../../experiment/experiment';
import { openWorldsOf } from '../../experiment/ownWorld';
import { divergence, likeliest, type SteeringShares } from '../../rl/look/steering/measure';
import type { Decision, TriedBelief } from '../../rl/look/steering/steering';
import { Steering } from '../../rl/look/steering/survey';
import type { Stand } from '../../rl/look/steering/walks';
import type { FloatData } from '../../tensor/backend';
import { createCpuBackend } from '../../tensor/cpu/backend';
import { memberPolicy, type PolicySource } from '../policies/member';
import { createEnvironment } from '../population/shape';
import type { BeliefRequest, BeliefView } from './shown';

interface OpenSteering {
  readonly steering: Steering;
  close(): void;
}

/** Parts of a run that a member's policy and its world are made from. */
export type SteeredRun = PolicySource & { readonly experiment: Experiment };

/** Throws LabError 'unsupported' where the world has no cells to believe in, 'invalid-policy' for a fixed policy. */
async function openSteering(run: SteeredRun, index: number): Promise<OpenSteering> {
  const { experiment } = run;
  await openWorldsOf(experiment);
  const policy = memberPolicy(run, index, {}, '');
  const backend = await createCpuBackend();
  const seeds = { experiment: experiment.seed, member: policy.member.seed };
  try {
    const steering = await Steering.open(backend, policy, createEnvironment(experiment), seeds);
    return { steering, close: () => backend.dispose() };
  } catch (cause) {
    backend.dispose();
    throw cause;
  }
}

/** Survey of the first member of a run. */
export async function surveyOf(run: SteeredRun): Promise<SteeringShares[]> {
  const { steering, close } = await openSteering(run, 0);
  try {
    return await steering.survey();
  } finally {
    close();
  }
}

/** Strengths that the page can choose from. */
const STRENGTHS = [0.5, 1, 1.5, 2, 3];

/** The steering asked for last, of one policy: its means serve every belief about it. */
let latest: { readonly parameters: FloatData; readonly of: string; readonly opened: OpenSteering } | null = null;
/** Requests are answered one after the other: they share a reading of the policy. */
let answered: Promise<unknown> = Promise.resolve();

/** One belief of a member of a run, changed at every place and strength. */
export function changeBelief(run: SteeredRun, request: BeliefRequest): Promise<BeliefView> {
  const answer = answered.then(() => answerBelief(run, request));
  answered = answer.catch(() => {});
  return answer;
}

async function answerBelief(run: SteeredRun, request: BeliefRequest): Promise<BeliefView> {
  const { steering } = await steeringOf(run, request);
  const { words } = createEnvironment(run.experiment);
  const { grounds } = steering;
  const ground = Math.min(request.ground, grounds.length - 1);
  const stands = grounds[ground]?.stands ?? [];
  const decisions = await steering.decide(stands);
  const present = stands.find(({ cell }) => cell === request.present) ?? (stands[0] as Stand);
  const rest = stands.filter((stand) => stand !== present);
  const believed = rest.find(({ cell }) => cell === request.believed) ?? farthest(present, rest, stands, decisions);
  const [tried] = await steering.try([{ present, believed }], STRENGTHS);
  const likeliestAt = (stand: Stand, at: number): string =>
    words[stand.legal[likeliest(decisions[at] as Decision)] as number] ?? '';
  return {
    update: run.snapshot.update,
    ground,
    grounds: grounds.length,
    board: present.scene,
    cells: stands.map((stand, at) => ({ cell: stand.cell, at: stand.scene.agent, likeliest: likeliestAt(stand, at) })),
    present: present.cell,
    believed: believed.cell,
    actions: believed.legal.map((token) => words[token] ?? ''),
    tried: tried as TriedBelief,
  };
}

/** The place among `rest` where the policy decides most unlike: where it does something else, if there is such a place. */
function farthest(
  present: Stand,
  rest: readonly Stand[],
  stands: readonly Stand[],
  decisions: readonly Decision[],
): Stand {
  const at = (stand: Stand): Decision => decisions[stands.indexOf(stand)] as Decision;
  const apart = (stand: Stand): number => divergence(at(stand), at(present));
  const unlike = rest.filter((stand) => likeliest(at(stand)) !== likeliest(at(present)));
  return (unlike.length > 0 ? unlike : rest).reduce((most, stand) => (apart(stand) > apart(most) ? stand : most));
}

async function steeringOf(run: SteeredRun, { arm, seed }: BeliefRequest): Promise<OpenSteering> {
  const { members, tensors } = run.snapshot;
  const index = members.findIndex((member) => member.arm === arm && member.seed === seed);
  const { environment } = run.experiment;
  const of = JSON.stringify([arm, seed, run.experiment.seed, environment]);
  const { parameters } = tensors;
  const isSame = latest?.of === of && latest.parameters.every((value, i) => value === parameters[i]);
  if (latest !== null && isSame) return latest.opened;
  const opened = await openSteering(run, index);
  latest?.opened.close();
  latest = { parameters, of, opened };
  return opened;
}
