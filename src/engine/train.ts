/** The door of training: opened as `unmask run` and the page's Worker open it, and driven to its end in this thread. */
import { openWorlds } from '../environments/own/here';
import type { Experiment } from '../experiment/experiment';
import { settledExperiment } from '../experiment/link/subject';
import type { BackendKind } from '../experiment/machines';
import { isOfOwnWorld, withWorld } from '../experiment/ownWorld';
import { parseExperiment } from '../experiment/parse';
import { isAsPublished } from '../experiment/presets/published';
import { LabError } from '../foundation/errors';
import { LAB_LICENCE } from '../foundation/licence';
import { exportOnnx } from '../onnx/exportOnnx';
import { METRICS } from '../rl/measure/metrics';
import { brokenMembers } from '../rl/measure/nonFinite';
import { readPolicy } from '../train/policies/files';
import { curvesOf, memberPolicy, resultsOf } from '../train/policies/member';
import { findNamed } from '../train/policies/named';
import { chooseMembers } from '../train/population/training';
import { type ArmResult, buildResult } from '../train/result/result';
import { machineOf, openTraining } from '../train/run/choose/opening';
import { lossBehind } from '../train/run/keep/lost';
import { machineHere } from './machine';
import type { Result } from './result';
import { fragmentOf } from './subject';

export interface TrainOptions {
  /**
   * `auto`, if left out: the GPU where an update of it takes at most a third more time, else the CPU; for a preset that
   * is not changed the CPU whose numbers are published.
   */
  readonly backend?: 'auto' | BackendKind;
  /** Seeds to train; all of the experiment’s if left out. */
  readonly seeds?: readonly number[];
  /** Settings to change, by their paths in links: `{ updates: 20, 'arms.no-mask.clipLow': 0.3 }`. */
  readonly set?: Readonly<Record<string, number | boolean | string>>;
  /** Text of a world in one file that the experiment is put into. */
  readonly world?: string;
  /** Files of policies that the experiment names, but for those that come with the package. */
  readonly policies?: readonly (Uint8Array | Blob)[];
  /** Threads of the CPU; as many as suit if left out. No number depends on it. */
  readonly workers?: number;
  /** Called after each update with the number of those that are done. `soFar` makes the result of them. */
  readonly onUpdate?: (updates: number, soFar: () => TrainedResult) => void;
  /** Hears what it runs on, and why; the console if left out. */
  readonly say?: (text: string) => void;
  /** Ends the training after the update under way; its result is of what was trained. */
  readonly signal?: AbortSignal;
}

/** Result of a run that was trained here. */
export interface TrainedResult extends Result {
  readonly arms: readonly ArmResult[];
  readonly backend: BackendKind;
  readonly adapter: string;
  readonly wallSeconds: number;
  readonly tokens: number;
}

/** A run that has ended. */
export interface Run extends TrainedResult {
  /** Sentence on the device of the run, and why that one. */
  readonly ranOn: string;
  /** Policy of an arm and seed as an ONNX file, for `loadPolicy` and others (docs/onnx.md). */
  policy(arm: string, seed: number): Uint8Array;
}

export async function trained(what: string | Experiment, options: TrainOptions): Promise<Run> {
  const experiment = await experimentOf(what, options);
  const { backend: asked = 'auto', seeds, workers, onUpdate, say = console.info, signal } = options;
  const choice = asked === 'auto' && isAsPublished(experiment) ? 'auto-plain' : asked;
  const members = chooseMembers(experiment, seeds === undefined ? {} : { seeds });
  const machine = machineHere();
  const opened = await openTraining(experiment, {
    choose: (task) => machine.choose(choice, members.length, workers, isOfOwnWorld(experiment.environment), task),
    members: { members },
    policies: await policiesOf(experiment, options.policies ?? []),
    snapshot: null,
    detail: () => {},
    unwanted: () => signal?.aborted === true,
  });
  const { training, chosen } = opened;
  const ranOn = `Runs on ${chosen.description}: ${chosen.reason}.`;
  say(ranOn);
  const started = performance.now();
  const columns = members.length * METRICS.length;
  const curves = new Float32Array(experiment.updates * columns);
  const machines = [machineOf(opened)];
  let [tokens, done] = [0, 0];
  const soFar = (broken: ReadonlySet<number> = new Set()): TrainedResult => {
    const { kind: backend, adapter } = chosen;
    const wallSeconds = (performance.now() - started) / 1000;
    const about = { experiment, backend, adapter, machines, wallSeconds, tokens };
    return { ...buildResult(about, members, curves.subarray(0, done * columns), broken), backend };
  };
  try {
    let pending: Promise<void> = Promise.resolve();
    while (training.finished < experiment.updates && signal?.aborted !== true) {
      const { update, metrics, tokens: played } = await training.runUpdate();
      // A failure that comes before the await below is not unhandled.
      metrics.catch(() => {});
      await pending;
      pending = metrics.then((values) => {
        curves.set(values, update * columns);
        [tokens, done] = [tokens + played, update + 1];
        onUpdate?.(done, soFar);
      });
      pending.catch(() => {});
      // A page draws, and hears its buttons, between two updates.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await pending;
    const snapshot = await training.snapshot();
    const run = { experiment, machines, snapshot };
    return {
      ...soFar(brokenMembers(experiment, members, snapshot.tensors.parameters)),
      ranOn,
      policy(arm, seed) {
        const index = members.findIndex((member) => member.arm === arm && member.seed === seed);
        if (index < 0) {
          const known = members.map((member) => `${member.arm}/${member.seed}`).join(', ');
          throw new LabError('invalid-policy', `The run has no policy ${arm}/${seed}.`, `Choose one of: ${known}.`);
        }
        const results = resultsOf(curvesOf(curves.subarray(0, done * columns), members.length, index));
        return exportOnnx(memberPolicy(run, index, results, LAB_LICENCE), { cached: false });
      },
    };
  } catch (cause) {
    throw (await lossBehind(training)) ?? cause;
  } finally {
    training.dispose();
  }
}

async function experimentOf(what: string | Experiment, { set = {}, world }: TrainOptions): Promise<Experiment> {
  if (world !== undefined) await openWorlds();
  const part = (whole: Experiment): Experiment =>
    world === undefined ? whole : parseExperiment(withWorld(whole, world));
  const sets = Object.entries(set).map(([path, value]) => `${path}=${value}`);
  return settledExperiment(fragmentOf(what), sets, part, 'Setting');
}

async function policiesOf(experiment: Experiment, files: readonly (Uint8Array | Blob)[]) {
  const given = files.map(async (file, index) => {
    const blob = file instanceof Blob ? file : new Blob([Uint8Array.from(file)]);
    const { sha256 } = await readPolicy(blob);
    return { name: `policy ${index + 1}`, sha256, bytes: new Uint8Array(await blob.arrayBuffer()) };
  });
  return findNamed(experiment, await Promise.all(given), machineHere().read);
}
