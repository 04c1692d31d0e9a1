/**
 * `lab eval`: a policy from a file plays. onnxruntime-web computes its logits; the CPU backend's kernels draw tokens from
 * them and score them. It plays held-out tasks, and tasks like those of training.
 */
import type { Experiment } from '../../experiment/experiment';
import { decodeLink, encodeLink } from '../../experiment/link/link';
import { parseExperiment } from '../../experiment/parse';
import { LabError } from '../../foundation/errors';
import type { ImportedPolicy } from '../../onnx/importOnnx';
import { createCpuBackend } from '../../tensor/cpu/backend';
import { strangenessOf } from '../../train/policies/files';
import { type PlayedTasks, PolicyPlayer } from '../../train/policies/player';
import { createEnvironment } from '../../train/population/shape';
import { readExperiment } from '../experimentArgument';
import { openedModel } from '../model/opened';
import { print } from '../output';
import { wholeNumber } from '../run/runArguments';
import { readPolicyFile } from './policyFile';

export interface EvaluationArguments {
  environment?: string | undefined;
  set?: string[] | undefined;
  episodes?: string | undefined;
  model?: string | undefined;
  json: boolean;
}

const EPISODES = 64;
const MOST_EPISODES = 10_000;

export interface EvaluationResult {
  readonly policy: {
    readonly file: string;
    readonly cached: boolean;
    readonly member: ImportedPolicy['member'];
    readonly update: number;
    /** Fragment of the link to the experiment it was trained in. */
    readonly experiment: string;
    readonly results: ImportedPolicy['results'];
    readonly licence: string;
  };
  readonly environment: Experiment['environment'];
  /** Seed of the tasks and of sampling. */
  readonly seed: number;
  readonly temperature: number;
  readonly runtime: string;
  readonly wallSeconds: number;
  /** Held-out tasks; null if the environment has none. */
  readonly heldOut: PlayedTasks | null;
  readonly training: PlayedTasks;
}

/** Reads the file and checks the arguments. Returns a function that plays and gives the exit code. */
export async function evalCommand(
  path: string | undefined,
  options: EvaluationArguments,
): Promise<() => Promise<number>> {
  const episodes = options.episodes === undefined ? EPISODES : wholeNumber(options.episodes, '--episodes');
  if (episodes < 1 || episodes > MOST_EPISODES) {
    throw new LabError('invalid-experiment', `--episodes cannot be ${episodes}.`, `Choose 1 to ${MOST_EPISODES}.`);
  }
  await openedModel(options.model);
  const file = await readPolicyFile(path);
  const { policy } = file;
  const experiment = await placeOf(policy, options);
  const environment = createEnvironment(experiment);
  const strangeness = strangenessOf(policy, environment);
  if (strangeness !== null) {
    const advice = 'Leave out --environment and --set: the policy then plays where it was trained.';
    throw new LabError('unsupported', strangeness, advice);
  }
  return async () => {
    const started = performance.now();
    const backend = await createCpuBackend();
    const player = await PolicyPlayer.open(backend, file.bytes, policy, environment, experiment.seed);
    try {
      const { heldOut, training } = await player.playAll(episodes);
      const { member, update, temperature, results, licence, cached } = policy;
      const result: EvaluationResult = {
        policy: { file: file.path, cached, member, update, experiment: policy.experiment, results, licence },
        environment: experiment.environment,
        seed: experiment.seed,
        temperature,
        runtime: player.runtime,
        wallSeconds: (performance.now() - started) / 1000,
        heldOut,
        training,
      };
      if (options.json) print(`${JSON.stringify(result)}\n`);
      else printTable(result);
      return 0;
    } finally {
      await player.dispose();
      backend.dispose();
    }
  };
}

/**
 * Experiment that the policy plays in. Its environment is the one of its training, or the one named, with default settings;
 * --set then changes it. Nothing but environment and seed has an effect.
 */
async function placeOf(policy: ImportedPolicy, { environment, set = [] }: EvaluationArguments): Promise<Experiment> {
  const refused = set.find((field) => !/^(environment\.[^=]+|seed)=/.test(field));
  if (refused !== undefined) {
    const what = `--set ${refused}: a policy out of a file stays as it is.`;
    throw new LabError('invalid-experiment', what, 'Of the environment anything can be set (environment.…), and seed.');
  }
  const home = policy.environment;
  const place = environment === undefined || environment === home.id ? home : { id: environment, settings: {} };
  const experiment = parseExperiment({ ...decodeLink(policy.experiment), environment: place });
  return readExperiment(`#${encodeLink(experiment)}`, set);
}

const WIDTHS = [12, 9, 24, 7, 26, 0];

function printTable({ policy, environment, temperature, runtime, heldOut, training }: EvaluationResult): void {
  const { member, update, file } = policy;
  const say = (...cells: string[]): void => {
    print(`${cells.map((cell, i) => cell.padEnd(WIDTHS[i] ?? 0)).join(' ')}\n`);
  };
  say(
    `${file}: ${member.arm}/${member.seed} after ${update} updates, in ${environment.id}, temperature ${temperature}`,
  );
  say(`on ${runtime}`);
  say('tasks', 'episodes', 'success', 'turns', 'observation cross-entropy', 'its floor');
  for (const [name, played] of [['held out', heldOut] as const, ['training', training] as const]) {
    if (played === null) continue;
    const [low, high] = played.successInterval.map((bound) => bound.toFixed(3));
    const nats = (value: number | null): string => value?.toFixed(4) ?? '–';
    const success = `${played.success.toFixed(3)} [${low}, ${high}]`;
    const { episodes, turns, observationCrossEntropy, observationFloor } = played;
    say(name, String(episodes), success, turns.toFixed(1), nats(observationCrossEntropy), nats(observationFloor));
  }
}
