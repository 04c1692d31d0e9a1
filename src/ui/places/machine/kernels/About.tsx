/** The head of a shader, set: subscripts as such, papers and kernels as links, what is code as code. */
import { Fragment } from 'react';
import { placeLink } from '../../../model/place';

/** A name with one short subscript: `out_r`, `V_next`; not GROUP_COLUMNS, not sum_of_squares. */
const SUBSCRIPT = /^([A-Za-zΑ-Ωα-ω]+)_([A-Za-z]+)$/;
const PART = /(arXiv \d{4}\.\d{5}|`[^`]+`|[\w/]+\.(?:wgsl|ts)|[A-Za-zΑ-Ωα-ω]+_[A-Za-z_]+)/;

export function About({ text, kernels }: { text: string; kernels: ReadonlySet<string> }) {
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
