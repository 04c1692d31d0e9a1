/**
 * The inside of a pool Worker: a Trainer of a part of the population, on a CPU backend of its own, driven by commands. It is
 * the same in a browser's Worker and in a thread of Node; the caller connects it to its message port.
 */
import { openWorldsOf } from '../../experiment/ownWorld';
import { LabError } from '../../foundation/errors';
import { pulse } from '../../foundation/pulse';
import type { Backend } from '../../tensor/backend';
import { createCpuBackend } from '../../tensor/cpu/backend';
import { knowModel } from '../policies/models';
import { Trainer } from '../population/trainer';
import { type AskPool, type PoolCommand, type PoolReply, toFailure } from './protocol';

type PostReply = (reply: PoolReply, transfer: Transferable[]) => void;

/** Answers each command with one reply, in order, and a question at once. */
export function servePool(post: PostReply): (command: PoolCommand | AskPool) => void {
  let trainer: Trainer | null = null;
  const running = (): Trainer => {
    if (trainer !== null) return trainer;
    throw new LabError('internal', 'A Worker was used before it was set up.', 'Please report this.');
  };

  const handle = async (command: PoolCommand): Promise<void> => {
    switch (command.type) {
      case 'create': {
        const { backend: kind, shared, experiment, members, population, halvings, weights, model } = command;
        if (model !== null) await knowModel(model);
        await openWorldsOf(experiment);
        const backend = withShare(await createCpuBackend({ kind, shared }), members.length / population);
        trainer = new Trainer(backend, experiment, { members, halvings, weights });
        await trainer.prepare();
        return post({ type: 'create', microbatches: trainer.microbatches }, []);
      }
      case 'warmUp':
        return post({ type: 'warmUp', progress: await running().warmUp() }, []);
      case 'update': {
        const { tokens, ...result } = await running().runUpdate(command.watch ?? undefined, command.diagnose);
        const pending = [result.metrics, result.episodes, result.diagnosis] as const;
        const [metrics, episodes, diagnosis] = await Promise.all(pending);
        return post({ type: 'update', tokens, metrics, episodes, diagnosis }, []);
      }
      case 'inspect':
        return post({ type: 'inspect', inspections: await running().inspect(command.choice) }, []);
      case 'probe':
        return post({ type: 'probe', members: await running().probe(command.seed) }, []);
      case 'dream':
        return post({ type: 'dream', dreams: await running().dream(command.request) }, []);
      case 'timeline':
        running().setTimeline(command.timeline);
        return post({ type: 'timeline' }, []);
      case 'snapshot': {
        const { tensors, tasks, successRates } = await running().snapshot();
        const buffers = Object.values(tensors).map((values) => values.buffer as ArrayBuffer);
        return post({ type: 'snapshot', tensors, tasks, successRates }, buffers);
      }
      case 'restore': {
        const { type: _, ...snapshot } = command;
        await running().restore({ ...snapshot, members: running().members });
        return post({ type: 'restore' }, []);
      }
      default:
        command satisfies never;
    }
  };

  // Its code has arrived: from now on it may be watched.
  post({ type: 'here' }, []);
  let queue: Promise<void> = Promise.resolve();
  return (command) => {
    if (command.type === 'ask') post({ type: 'here' }, []);
    else
      queue = queue
        .then(() => handle(command).finally(() => pulse()))
        .catch((cause: unknown) => post(toFailure(cause), []));
  };
}

/**
 * The given backend with a share of its memory budget. Training memory is proportional to the members, so all Workers
 * together take no more than one backend would, and what fits in one fits in several.
 */
function withShare(backend: Backend, share: number): Backend {
  const { limits } = backend;
  return {
    kind: backend.kind,
    description: backend.description,
    limits: { ...limits, memoryBudgetBytes: limits.memoryBudgetBytes * share },
    sharedGpu: backend.sharedGpu,
    get allocatedBytes() {
      return backend.allocatedBytes;
    },
    lost: backend.lost,
    tensor: backend.tensor.bind(backend),
    write: backend.write.bind(backend),
    read: backend.read.bind(backend),
    record: backend.record.bind(backend),
    prepare: backend.prepare.bind(backend),
    run: backend.run.bind(backend),
    dispose: backend.dispose.bind(backend),
  };
}
