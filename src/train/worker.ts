/**
 * The trainer's Worker: receives commands, runs updates, posts events (protocol.ts). One session at a time; a new `start`
 * replaces it. Between updates the Worker returns to its event loop, so a command never waits longer than one update. Other
 * Workers with this code measure the device's speed and check its kernels.
 */
import '../foundation/policedWorkers';
import '../environments/own/here';
import type { Experiment } from '../experiment/experiment';
import { once } from '../foundation/apart';
import { asLabError, LabError } from '../foundation/errors';
import { holdForLife } from '../foundation/lifeline';
import { onPulse } from '../foundation/pulse';
import type { SteeredRun } from './looks/steer';
import { browserPool } from './pool/port';
import type { FilePolicies } from './population/training';
import type { BackendChoice, BranchRequest, PolicyRequest, TrainerEvent, WorkerCommand } from './protocol';
import type { HandedOver } from './run/branch';
import { BackendProbes } from './run/choose/backendProbes';
import { type BackendTask, type ChosenBackend, chooseBackend } from './run/choose/backends';
import type { MemberFile } from './run/keep/exportMember';
import { type KeptRunState, readKept } from './run/keep/keptStates';
import { RecentMetrics } from './run/recentMetrics';
import { Session } from './run/session';

const post = (event: TrainerEvent, transfer: Transferable[] = []): void => {
  self.postMessage(event, { transfer });
};

let session: Session | null = null;
const probes = new BackendProbes();

async function handle(command: WorkerCommand): Promise<void> {
  switch (command.type) {
    case 'start': {
      probes.forget();
      // The old run frees its device in its own time; the new one need not wait for it.
      void session?.dispose();
      const { experiment, backend, files, keep, known, ended = null } = command;
      const keeping = keep === null ? null : { ...keep, open: openStates };
      session = new Session(experiment, backend, post, {
        policies: () => readNamed(files, experiment),
        keeping,
        known,
        ended,
      });
      await session.prepare(command.trains);
      break;
    }
    case 'branch': {
      probes.forget();
      const { experiment, from, files, keep } = command;
      const before = session;
      const keeping = keep === null ? null : { ...keep, open: openStates };
      const handed = before?.handOver(from.update) ?? Promise.resolve(null);
      session = new Session(experiment, command.backend, post, {
        policies: () => readNamed(files, experiment),
        keeping,
        begun: async () => stateForBranch(experiment, from, await handed),
      });
      await session.prepare(command.trains);
      break;
    }
    case 'probe': {
      const answer = await probes.ask(() => probe(command.backend, command.members, foreseenTask(command.known)));
      if (answer !== null) post(answer);
      break;
    }
    case 'measure':
      await measure(command);
      break;
    case 'kernels': {
      const { serveKernels } = await import('./kernels/serve');
      await serveKernels(command.job, command.backend, (news) => post({ type: 'kernels', news }));
      break;
    }
    case 'pause':
      session?.pause();
      break;
    case 'resume':
      session?.resume();
      break;
    case 'step':
      session?.step();
      break;
    case 'keep':
      session?.keep();
      break;
    case 'unkeep':
      session?.unkeep();
      break;
    case 'continue':
      await session?.waysOn.continueOn(command.backend);
      break;
    case 'mend':
      await session?.waysOn.mend(command.world);
      break;
    case 'change':
      session?.change(command.changes);
      break;
    case 'plan':
      session?.plan(command.changes);
      break;
    case 'answer-divergence':
      await session?.waysOn.answerDivergence(command.goesBack);
      break;
    case 'updates':
      session?.extend(command.updates);
      break;
    case 'read-policy': {
      const { inspectPolicy } = await import('./policies/files');
      post({ type: 'policy', policy: await inspectPolicy(command.file, command.experiment) });
      break;
    }
    case 'read-model': {
      const { openPackedModel } = await import('./policies/models');
      post({ type: 'model', model: await openPackedModel(command.file) });
      break;
    }
    case 'tune': {
      const { serveTuning } = await import('./tuning/serve');
      await serveTuning(command.request, command.begins, (news) => post({ type: 'tuning', news }), machineGiB());
      break;
    }
    case 'stop-tuning': {
      const { stopTuning } = await import('./tuning/serve');
      stopTuning();
      break;
    }
    case 'weigh': {
      const { weigh } = await import('./run/choose/weigh');
      const { experiment, own: model, backend } = command;
      post({
        type: 'weighed',
        weighed: await weigh(experiment, model, (members) => probe(backend, members), machineGiB()),
      });
      break;
    }
    case 'play': {
      const { playPolicy } = await import('./policies/play');
      const { file, backend } = command;
      post({ type: 'played', played: await playPolicy(file, backend, globalThis.navigator?.gpu) });
      break;
    }
    case 'read-text': {
      const { readText } = await import('./reading/readText');
      const { request, backend } = command;
      post({ type: 'text-read', reading: await readText(request, backend, globalThis.navigator?.gpu) });
      break;
    }
    case 'export':
      await exportPolicy(command);
      break;
    case 'believe':
      await believe(command);
      break;
    case 'watch':
      session?.watch({ seed: command.seed, group: command.group });
      break;
    case 'inspect':
      session?.inspect(command.choice);
      break;
    case 'watch-probes':
      session?.watchProbes(command.watch);
      break;
    case 'dream':
      session?.dream(command.request);
      break;
    case 'ask':
      post({ type: 'here' });
      break;
    case 'hold':
      holdForLife(command);
      break;
    case 'leave':
      await session?.leave();
      session = null;
      post({ type: 'left' });
      break;
    default:
      command satisfies never;
  }
}

/** GiB of memory that the browser says the machine has at least, if it says so. */
const machineGiB = (): number | undefined => (navigator as { deviceMemory?: number }).deviceMemory;

function probe(choice: BackendChoice, members: number, task?: BackendTask): Promise<ChosenBackend> {
  return chooseBackend(choice, globalThis.navigator?.gpu, browserPool(members), task);
}

/** Task of a choice without a race: by earlier measurements, else the GPU for now. */
const foreseenTask = (known: Extract<WorkerCommand, { type: 'probe' }>['known']): BackendTask => ({
  hostSeconds: async () => 0,
  async race(rivals) {
    const [{ foreseen }, { racesOf }] = await Promise.all([import('./run/choose/race'), import('./run/choose/races')]);
    const reason = 'unless an update takes the CPU less time, which is measured when the run begins';
    const numbers = known === undefined ? [] : racesOf(known.remembered, known.of);
    return foreseen(numbers, known?.takes ?? null, rivals) ?? { takes: 'gpu', reason, numbers: null };
  },
});

/** Measures the device's speed. The code is loaded only when asked for; training does not need it. */
async function measure({ subjects, backend, quick }: Extract<WorkerCommand, { type: 'measure' }>): Promise<void> {
  const { benchmark } = await import('./bench/benchmark');
  const choose = (members: number, choice: BackendChoice = backend): Promise<ChosenBackend> => probe(choice, members);
  for (const [done, subject] of subjects.entries()) {
    const say = (text: string, share = 0): void =>
      post({ type: 'measuring', subject, done: done + share, of: subjects.length, text });
    say('opening the backend');
    const report = await benchmark(subject, { choose, gpu: globalThis.navigator?.gpu, quick, say });
    post({ type: 'measured', report });
  }
}

async function stateForBranch(
  experiment: Experiment,
  from: BranchRequest,
  handed: HandedOver | null,
): Promise<KeptRunState | null> {
  if (handed === null) return null;
  const { growBranch } = await import('./run/branch');
  return growBranch(experiment, from, handed);
}

async function readNamed(files: readonly Blob[], experiment: Experiment): Promise<FilePolicies> {
  if (files.length === 0) return new Map();
  const [{ readPolicies }, { openPackedIn }] = await Promise.all([
    import('./policies/files'),
    import('./policies/models'),
  ]);
  return readPolicies(await openPackedIn(files), experiment);
}

/** Archive of states, opened once; after a failure it is tried again. */
const openStates = once(async () => (await import('../storage/snapshots')).openSnapshotArchive());

async function keptState(run: string | null): Promise<KeptRunState> {
  if (run === null) throw new LabError('invalid-policy', 'Of this run only the curves were kept.', 'Run it again.');
  return readKept(await openStates(), run);
}

async function presentOf(run: string | null): Promise<SteeredRun> {
  const { snapshot, checked, machines } = await keptState(run);
  return { snapshot, experiment: checked, machines };
}

async function exportKept(run: string | null, request: PolicyRequest): Promise<MemberFile> {
  const { exportMember } = await import('./run/keep/exportMember');
  const state = await keptState(run);
  const recent = new RecentMetrics();
  recent.recall(state.curves, state.snapshot.members.length);
  return exportMember(state, request, recent);
}

/** Exports a policy. A failure is reported as `not-exported`, because the run goes on. */
async function exportPolicy(request: PolicyRequest & { kept: string | null }): Promise<void> {
  try {
    const { bytes, name, update, hasDiverged } = await (session?.exportPolicy(request) ??
      exportKept(request.kept, request));
    post({ type: 'exported', name, bytes, update, hasDiverged }, [bytes.buffer]);
  } catch (cause) {
    const { message, advice } = asLabError(cause);
    post({ type: 'not-exported', message, advice });
  }
}

/** Changes a policy's belief. A failure is reported as `not-believed`, because the run goes on. */
async function believe({ request, kept }: Extract<WorkerCommand, { type: 'believe' }>): Promise<void> {
  try {
    const { changeBelief } = await import('./looks/steer');
    const run = await (session?.present() ?? presentOf(kept));
    post({ type: 'believed', request, view: await changeBelief(run, request) });
  } catch (cause) {
    const { message, advice } = asLabError(cause);
    post({ type: 'not-believed', request, message, advice });
  }
}

onPulse((call) => post({ type: 'pulse', update: session?.finished ?? 0, call }));

self.onmessage = ({ data }: MessageEvent<WorkerCommand>) => {
  handle(data).catch((cause: unknown) => {
    const { code, message, advice } = asLabError(cause);
    post({ type: 'error', code, message, advice });
  });
};
