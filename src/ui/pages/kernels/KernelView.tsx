/** One kernel: what it computes, how it agrees, how fast it is, its text. */
import type { Kernels } from '../../../store/kernels';
import type { KernelText } from '../../../train/kernels/report';
import { placeLink } from '../../place';
import { About } from './About';
import { Name } from './Name';
import { Parity } from './Parity';
import { Source } from './Source';
import { Timing } from './Timing';
import { WorkLine } from './WorkLine';
import './kernel.css';

interface Props {
  readonly store: Kernels;
  readonly kernels: readonly KernelText[];
  readonly kernel: KernelText;
}

const VARIANT_WORDS = {
  plain: 'Software adapters; GPUs take its other half',
  tiled: 'GPUs; software adapters take its other half',
} as const;

export function KernelView({ store, kernels, kernel }: Props) {
  const { name, family, about, floor, operations, variant, workgroup, storageBindings } = kernel;
  const at = kernels.indexOf(kernel);
  const [before, after] = [kernels[at - 1], kernels[at + 1]];
  const names = new Set(kernels.map((one) => one.name).filter((one) => one !== name));
  const threads = workgroup.split(',').reduce((product, size) => product * Number.parseInt(size, 10), 1);
  return (
    <>
      <nav className="kernel-nav small" aria-label="Kernels">
        <a href={placeLink('kernels')} data-testid="kernels-all">
          All kernels
        </a>
        <span className="soft">{family}</span>
        <span className="kernel-nav-ends">
          {before !== undefined && <a href={placeLink('kernels', before.name)}>Previous: {before.name}</a>}
          {after !== undefined && <a href={placeLink('kernels', after.name)}>Next: {after.name}</a>}
        </span>
      </nav>
      <h2 className="kernels-title">
        <Name name={name} />
      </h2>
      <div className="kernel-head">
        <p className="kernel-about" data-testid="kernel-about">
          <About text={about} kernels={names} />
        </p>
        <dl className="kernel-facts small">
          <Fact name="Serves">{operations.join(', ')}</Fact>
          <Fact name="Least it can take">{floor === '' ? 'not said' : floor}</Fact>
          <Fact name="Workgroup">{threads === 1 ? '1 thread' : `${threads} threads`}</Fact>
          <Fact name="Storage bindings">{storageBindings} of 8</Fact>
          <Fact name="Dispatched on">{variant === null ? 'GPUs and software adapters' : VARIANT_WORDS[variant]}</Fact>
        </dl>
      </div>
      <WorkLine store={store} />
      <div className="kernel-halves">
        <Parity store={store} kernel={kernel} />
        <Timing store={store} kernel={kernel} />
      </div>
      <Source kernel={kernel} />
    </>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
