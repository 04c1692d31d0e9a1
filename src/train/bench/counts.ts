/** Dispatches, submissions and transfers, counted where they are asked of a backend: the same with and without a device. */
import type { Backend, Tensor } from '../../tensor/backend';
import { submissionMeter } from '../../tensor/flops';
import type { Counts, DeviceWork } from './report';

const ASKED: readonly DeviceWork[] = [
  'dispatches',
  'submissions',
  'uploads',
  'bytes uploaded',
  'readbacks',
  'bytes read back',
];
/** Bytes of an element. */
const BYTES = 4;

export const countsBy = (make: (asked: DeviceWork) => number): Counts =>
  Object.fromEntries(ASKED.map((asked) => [asked, make(asked)])) as Counts;

const NOTHING = countsBy(() => 0);

/** A backend that counts the requests to another; `take` gives the counts since it was last called. */
export function countRequests(backend: Backend): { readonly backend: Backend; readonly take: () => Counts } {
  let counts = NOTHING;
  const add = (more: Partial<Counts>): void => {
    const before = counts;
    counts = countsBy((asked) => before[asked] + (more[asked] ?? 0));
  };
  /** A run whose last submission a read would still join. */
  let open: object | null = null;
  const methods: Pick<Backend, 'run' | 'write' | 'read'> = {
    run(...programs) {
      const isFull = submissionMeter(backend.limits.maxSubmissionFlops);
      const cuts = programs.flatMap(({ flops = [] }) => flops.filter(isFull)).length;
      add({ submissions: 1 + cuts, dispatches: programs.reduce((sum, { operations }) => sum + operations, 0) });
      backend.run(...programs);
      const call = {};
      open = call;
      queueMicrotask(() => {
        if (open === call) open = null;
      });
    },
    write(tensor, data, offset) {
      open = null;
      add({ uploads: 1, 'bytes uploaded': BYTES * data.length });
      backend.write(tensor, data, offset);
    },
    read<const L extends readonly Tensor[]>(...tensors: L) {
      const elements = tensors.reduce((sum, { members, stride }) => sum + members * stride, 0);
      add({ submissions: open === null ? 1 : 0, readbacks: 1, 'bytes read back': BYTES * elements });
      open = null;
      return backend.read(...tensors);
    },
  };
  const take = (): Counts => {
    const before = counts;
    counts = NOTHING;
    return before;
  };
  return { backend: standingIn(backend, methods), take };
}

/** The backend with some of its methods replaced. */
export function standingIn(backend: Backend, methods: Partial<Backend>): Backend {
  return new Proxy(backend, {
    get(target, property) {
      const source = Object.hasOwn(methods, property) ? methods : target;
      const value: unknown = Reflect.get(source, property, source);
      return typeof value === 'function' ? value.bind(source) : value;
    },
  });
}
