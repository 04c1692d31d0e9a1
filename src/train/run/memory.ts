/**
 * Memory that a run of a language model takes, told before it is taken: the plans of its Workers, and the model read
 * from its files.
 */
import { isFixed } from '../../experiment/arm/policyFiles';
import type { Arm, Experiment } from '../../experiment/experiment';
import { findModel } from '../../experiment/models';
import { isOfOwnWorld } from '../../experiment/ownWorld';
import { MIB, mebibytes } from '../../foundation/bytes';
import { isCpu } from '../../foundation/cpuVariants';
import { LabError } from '../../foundation/errors';
import type { PolicyConfiguration } from '../../policy/configuration';
import { layoutParameters } from '../../policy/parameters';
import type { MemoryUses } from '../../rl/plan';
import type { Member } from '../../rl/population';
import { canShare } from '../../tensor/cpu/memory';
import { dealMembers } from '../pool/pool';
import { planFor } from '../population/plan';
import { createEnvironment, policyShape } from '../population/shape';
import { chooseMembers, type MemberChoice, STATE_TENSORS } from '../population/training';
import type { BackendKind } from '../protocol';
import type { ChosenBackend } from './choose/backends';

export interface Memory {
  readonly kind: BackendKind;
  readonly workers: number;
  /** Threads besides the one that begins the run. */
  readonly threads: number;
  /** Bytes of all Workers together, or of the GPU. */
  readonly uses: MemoryUses;
  /** Bytes of the model read from its files, beside those of the plans. */
  readonly read: number;
  /** Bytes of copies of what is trained, outside the device: one read back, and one written to a file. */
  readonly saved: number;
  readonly recomputes: boolean;
  /** True where all Workers hold the frozen model once. */
  readonly isShared: boolean;
}

/**
 * Bytes of the lab itself and of each further thread in a process of Node, beside all that is counted above. Measured: peaks of
 * `lab run listener` lie 83 to 114 MiB, 210, 247 and 293 MiB above the sum with 0, 2, 3 and 4 threads, those of `lab tune` 122 to
 * 126 MiB, and of a world of texts, whose threads check its code, 209, 275 and 342 MiB with 1, 2 and 3.
 */
const LAB_BYTES = 120 * MIB;
const THREAD_BYTES = 60 * MIB;

/** Copies of a run's state that are there at once: the newest for recovery, the one that is saved, and its file. */
const STATE_COPIES = 3;

type Place = Pick<ChosenBackend, 'kind' | 'limits' | 'workers'>;

/** Memory of a run; null where the device cannot hold it in any plan. */
export function memoryOf(place: Place, experiment: Experiment, choice: MemberChoice = {}): Memory | null {
  try {
    return plannedMemory(place, experiment, choice);
  } catch (cause) {
    if (cause instanceof LabError && cause.code === 'limits') return null;
    throw cause;
  }
}

function plannedMemory({ kind, limits, workers }: Place, experiment: Experiment, choice: MemberChoice): Memory {
  const members = chooseMembers(experiment, choice).filter(
    ({ armIndex }) => !isFixed(experiment.arms[armIndex] as Arm),
  );
  const environment = createEnvironment(experiment);
  const { configuration } = policyShape(experiment, environment);
  const plans = dealMembers(members.length, workers).map((hand) => {
    const share = { ...limits, memoryBudgetBytes: (limits.memoryBudgetBytes * hand.length) / members.length };
    const dealt = hand.map((index) => members[index] as Member);
    return planFor({ kind, limits: share }, experiment, { members: dealt, environment, configuration });
  });
  const isShared = isCpu(kind) && canShare();
  const bytesFor = (use: keyof MemoryUses): number => plans.reduce((sum, { uses }) => sum + uses[use], 0);
  return {
    kind,
    workers: plans.length,
    threads: isCpu(kind) && (plans.length > 1 || isOfOwnWorld(experiment.environment)) ? plans.length : 0,
    uses: {
      frozen: isShared ? Math.max(...plans.map(({ uses }) => uses.frozen)) : bytesFor('frozen'),
      trained: bytesFor('trained'),
      activations: bytesFor('activations'),
      logits: bytesFor('logits'),
      episodes: bytesFor('episodes'),
    },
    read: findModel(experiment.policy.model)?.bytes ?? 0,
    saved: STATE_COPIES * members.length * stateBytes(experiment, configuration),
    recomputes: plans.some(({ recomputes }) => recomputes),
    isShared,
  };
}

/** Bytes of a member's tensors in a snapshot, float32. */
function stateBytes({ arms }: Experiment, configuration: PolicyConfiguration): number {
  const past = Math.max(...arms.map(({ staleness }) => staleness));
  // One of them counts steps, a number a member.
  return 4 * (STATE_TENSORS.length - 1 + past) * layoutParameters(configuration).size;
}

const heldBytes = ({ uses }: Memory): number => Object.values(uses).reduce((sum, bytes) => sum + bytes, 0);

const labBytes = ({ threads }: Memory): number => LAB_BYTES + threads * THREAD_BYTES;

/** Bytes outside the device: the model's file, copies of what is trained, and the lab. */
const besideBytes = (memory: Memory): number => memory.read + memory.saved + labBytes(memory);

/** Memory in two sentences, for the person. `than`: end of the first. */
export function memoryWords(memory: Memory, than = ''): string {
  const { kind, workers, uses, isShared, read, saved, recomputes } = memory;
  const each =
    workers === 1 ? '' : isShared ? `, which ${workers} Workers share` : `, once for each of ${workers} Workers`;
  const parts: readonly (readonly [bytes: number, of: string])[] = [
    [uses.frozen, `the frozen model${each}`],
    [uses.trained, `${uses.frozen > 0 ? 'adapters' : 'weights'} with gradients and the optimizer’s moments`],
    [uses.activations, `activations${recomputes ? ', which are computed a second time for want of room' : ''}`],
    [uses.logits, 'logits'],
    [uses.episodes, 'episodes and their caches'],
    [read, `the model’s file in memory${isCpu(kind) ? '' : ', outside the device'}`],
    [saved, 'copies of what is trained, made to save it'],
    [labBytes(memory), 'the lab itself'],
  ];
  const shares = parts.filter(([bytes]) => bytes > 0).map(([bytes, of]) => `${mebibytes(bytes)} for ${of}`);
  return `Takes about ${mebibytes(heldBytes(memory) + besideBytes(memory))} of memory${than}. That is ${shares.join('; ')}.`;
}

/**
 * Error where a run takes more than a machine has; null where there is room. has: bytes of the machine, as `whose`. A GPU's memory
 * is not the machine's, and its plan stays in it.
 */
export function lackOf(memory: Memory, has: number, whose = 'this machine has'): LabError | null {
  const bytes = besideBytes(memory) + (isCpu(memory.kind) || memory.kind === 'reference' ? heldBytes(memory) : 0);
  if (bytes <= has) return null;
  const more = memoryWords(memory, `, and ${whose} ${mebibytes(has)}`);
  const holdsEach = memory.workers > 1 && memory.uses.frozen > 0 && !memory.isShared;
  const fewer = holdsEach ? 'fewer Workers (each holds the frozen model), ' : '';
  const thin = memory.uses.frozen > 0 ? '' : ' or adapters in place of all weights,';
  return new LabError('limits', more, `Choose ${fewer}fewer arms or seeds, smaller groups,${thin} or a smaller model.`);
}
