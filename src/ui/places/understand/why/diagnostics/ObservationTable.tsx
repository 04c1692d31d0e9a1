/** Surprise of each arm's policy at the world's answers, slice by slice, beside the surprise of references. */

import { Fragment } from 'react';
import { percent } from '../../../../../foundation/percent';
import type { Cut, Slice, SliceNumbers } from '../../../../../rl/look/diagnosis/table';
import { Caption } from '../../../../kit/Caption';
import { formatMeasured } from '../../../../kit/format';
import { Row, Scrolling, Table } from '../../../../kit/Table';
import { Titled } from '../../../../kit/Titled';
import { armColumns, type DiagnosedArm, namedColumn, written } from './armColumns';

interface Props {
  readonly slices: readonly Slice[];
  readonly arms: readonly DiagnosedArm[];
  /** V, the policy's vocabulary. */
  readonly words: number;
}

const CUTS: readonly (readonly [cut: Cut, title: string])[] = [
  ['all', ''],
  ['kind', 'By kind of word'],
  ['novelty', 'By whether the episode said it before'],
  ['turn', 'By turn'],
  ['outcome', 'By how the episode ended'],
];

/** Bars are cut at so many times the surprise of guessing: one arm that is far off would make points of the others. */
const CUT = 2;

export function ObservationTable({ slices, arms, words }: Props) {
  const uniform = Math.log(words);
  const isSaid = (index: number): boolean => arms.some(({ found }) => (found.slices[index]?.tokens ?? 0) > 0);
  // A cut that leaves all in one slice tells nothing.
  const isDivided = (cut: Cut): boolean =>
    slices.filter((slice, index) => slice.cut === cut && isSaid(index)).length > 1;
  const surprises = arms.flatMap(({ found }) => found.slices.map(({ crossEntropy }) => crossEntropy));
  const longest = Math.min(CUT * uniform, Math.max(uniform, ...surprises.filter(Number.isFinite)));
  return (
    <Titled title="Prediction error, nats per token" as="h4">
      <Caption said="Bar: how wrong the predictions are (cross-entropy); shorter is better." about="the bars">
        Grey upright line: guessing among {words} words {`(${formatMeasured(uniform)})`}; a bar beyond it is surer of
        other words than a guess, and cut at twice that (›). Black upright line: guessing by how often each word occurs
        in this batch. Dot, where known: noise that nobody can predict.
      </Caption>
      <Table
        className="table-blocks table-even small full"
        columns={[namedColumn('Observations'), ...armColumns(arms)]}
      >
        {CUTS.filter(([cut]) => cut === 'all' || isDivided(cut)).map(([cut, title]) => (
          <Fragment key={cut}>
            {title !== '' && (
              <tr>
                <th scope="rowgroup" className="diagnostics-cut" colSpan={arms.length + 1}>
                  {title}
                </th>
              </tr>
            )}
            {slices.map((slice, index) =>
              slice.cut !== cut || !isSaid(index) ? null : (
                <Row key={slice.name} head={slice.name}>
                  {arms.map((arm) => (
                    <Cell
                      key={arm.id}
                      arm={arm}
                      slice={slice}
                      numbers={arm.found.slices[index] as SliceNumbers}
                      all={arm.found.slices[0] as SliceNumbers}
                      uniform={uniform}
                      longest={longest}
                    />
                  ))}
                </Row>
              ),
            )}
          </Fragment>
        ))}
      </Table>
      <Numbers slices={slices} arms={arms} uniform={uniform} />
    </Titled>
  );
}

interface CellProps {
  readonly arm: DiagnosedArm;
  readonly slice: Slice;
  readonly numbers: SliceNumbers;
  readonly all: SliceNumbers;
  readonly uniform: number;
  /** Nats of a bar across the whole cell. */
  readonly longest: number;
}

function Cell({ arm, slice, numbers: { tokens, crossEntropy, marginal, floor }, all, uniform, longest }: CellProps) {
  const isSaid = tokens > 0;
  const place = (nats: number): number => 100 * Math.min(nats / longest, 1);
  return (
    <td
      data-label={arm.name}
      data-testid={`surprise-${arm.id}-${slice.cut}-${slice.name}`}
      data-cross-entropy={crossEntropy}
      data-marginal={marginal}
      data-floor={floor}
      data-tokens={tokens}
    >
      <span className="row near between unbroken">
        <span>{tokens === 0 ? 'none' : written(crossEntropy) + (crossEntropy > longest ? ' ›' : '')}</span>
        <span className="soft">{isSaid && slice.cut !== 'all' ? percent(tokens / all.tokens) : ''}</span>
      </span>
      <svg className="diagnostics-track full block" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect className="veil" width="100" height="8" />
        {isSaid && <rect width={place(crossEntropy) || 0} y="1" height="6" fill={arm.colour.stroke} />}
        <Mark className="diagnostics-uniform" at={place(uniform)} />
        {isSaid && <Mark className="diagnostics-marginal" at={place(marginal)} />}
        {isSaid && !Number.isNaN(floor) && <Mark className="diagnostics-floor" at={place(floor)} />}
      </svg>
    </td>
  );
}

/** Mark of a fixed width at any width of the track. */
function Mark({ className, at }: { className: string; at: number }) {
  return <line className={className} x1={at} x2={at} y1="0" y2="8" vectorEffect="non-scaling-stroke" />;
}

function Numbers({
  slices,
  arms,
  uniform,
}: {
  slices: readonly Slice[];
  arms: readonly DiagnosedArm[];
  uniform: number;
}) {
  return (
    <details className="small">
      <summary>All numbers as a table</summary>
      <Scrolling className="limited scrolls" label="Prediction error, table">
        <Table
          className="unbroken"
          columns={['arm', 'observations', 'tokens', 'policy', 'by frequency', 'uniform', 'floor']}
        >
          {arms.flatMap(({ id, name, found }) =>
            slices.map((slice, index) => {
              const numbers = found.slices[index] as SliceNumbers;
              return !(numbers.tokens > 0) ? null : (
                <tr key={`${id}-${slice.cut}-${slice.name}`}>
                  <td>{name}</td>
                  <th scope="row">{slice.name}</th>
                  <td>{formatMeasured(numbers.tokens)}</td>
                  <td>{written(numbers.crossEntropy)}</td>
                  <td>{written(numbers.marginal)}</td>
                  <td>{written(uniform)}</td>
                  <td>{written(numbers.floor)}</td>
                </tr>
              );
            }),
          )}
        </Table>
      </Scrolling>
    </details>
  );
}
