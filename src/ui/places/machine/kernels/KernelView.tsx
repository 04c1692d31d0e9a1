/** One kernel: what it computes, how it agrees, how fast it is, its text. */

import { Fragment } from 'react';
import type { KernelDesk } from '../../../../store/desk/kernels';
import type { KernelText } from '../../../../train/kernels/report';
import { placeLink } from '../../../model/place';
import { Name } from './Name';
import { Parity } from './Parity';
import { Source } from './Source';
import { Timing } from './Timing';
import { WorkLine } from './WorkLine';
import './kernel.css';

interface Props {
  readonly store: KernelDesk;
  readonly kernels: readonly KernelText[];
  readonly kernel: KernelText;
}

/** Sizes in the brackets after a name, as the heads of shaders write them. */
const LETTERS =
  'Sizes in brackets: P policies, B trajectories, T positions, R rows (tokens in use), C numbers of a token, H attention heads of D numbers, V words (S with padding), K inputs or columns, N outputs or numbers in all.';

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
      <nav className="row row-close small padded-4" aria-label="Kernels">
        <a href={placeLink('kernels')}>All kernels</a>
        <span className="soft">{family}</span>
        <span className="row row-close push">
          {before !== undefined && <a href={placeLink('kernels', before.name)}>Previous: {before.name}</a>}
          {after !== undefined && <a href={placeLink('kernels', after.name)}>Next: {after.name}</a>}
        </span>
      </nav>
      <h2 className="breaks">
        <Name name={name} />
      </h2>
      <div className="split kernel-split above-8">
        <div className="measure breaks">
          <p data-testid="kernel-about">
            <About text={about} kernels={names} />
          </p>
          <p className="small soft">{LETTERS}</p>
        </div>
        <dl className="kernel-facts facts small top">
          <Fact name="Used by">{operations.join(', ')}</Fact>
          <Fact name="Least bytes and operations">{floor === '' ? 'not said' : floor}</Fact>
          <Fact name="Workgroup">{threads === 1 ? '1 thread' : `${threads} threads`}</Fact>
          <Fact name="Storage bindings">{storageBindings} of 8</Fact>
          <Fact name="Runs on">{variant === null ? 'GPUs and software adapters' : VARIANT_WORDS[variant]}</Fact>
        </dl>
      </div>
      <WorkLine store={store} />
      <div className="kernel-halves split">
        <Parity store={store} kernel={kernel} />
        <Timing store={store} kernel={kernel} />
      </div>
      <Source kernel={kernel} />
    </>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="soft">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A name with one short subscript: `out_r`, `V_next`; not GROUP_COLUMNS, not sum_of_squares. */
const SUBSCRIPT = /^([A-Za-zΑ-Ωα-ω]+)_([A-Za-z]+)$/;
const PART = /(arXiv \d{4}\.\d{5}|`[^`]+`|[\w/]+\.(?:wgsl|ts)|[A-Za-zΑ-Ωα-ω]+_[A-Za-z_]+)/;

/** The head of a shader, set: subscripts as such, papers and kernels as links, what is code as code. */
function About({ text, kernels }: { text: string; kernels: ReadonlySet<string> }) {
  return text.split(PART).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name.
    <Fragment key={i}>{i % 2 === 0 ? part : <Part text={part} kernels={kernels} />}</Fragment>
  ));
}

function Part({ text, kernels }: { text: string; kernels: ReadonlySet<string> }) {
  const paper = /^arXiv (.*)$/.exec(text)?.[1];
  if (paper !== undefined) return <a href={`https://arxiv.org/abs/${paper}`}>{text}</a>;
  if (text.startsWith('`')) return <code>{text.slice(1, -1)}</code>;
  const name = text.replace(/\.wgsl$/, '');
  if (kernels.has(name)) return <a href={placeLink('kernels', name)}>{name}</a>;
  if (text.includes('.')) return <code>{text}</code>;
  const [, base, index] = SUBSCRIPT.exec(text) ?? [];
  if (base === undefined || text === text.toUpperCase()) return <code>{text}</code>;
  return (
    <span>
      {base}
      <sub>{index}</sub>
    </span>
  );
}
