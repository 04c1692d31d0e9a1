/** The tables of the speed panel. A bar repeats its row's share for the eye; the number says it. */

import type { ReactNode } from 'react';
import { percent } from '../../../../foundation/percent';
import type { KernelRow } from '../../../../train/bench/report';
import { formatCount, plural } from '../../../kit/format';
import { HIDDEN, Row, Table } from '../../../kit/Table';
import { achieved, giga, milliseconds, operationWords, perStep, type ReportOf, together } from './benchmarkWords';

/** Operations shown at once: those that take the most time. */
const SHOWN = 8;

function Bar({ share }: { share: number }) {
  return (
    <td className="speed-bar" aria-hidden="true">
      <span style={{ width: `${Math.min(100, Math.max(0, 100 * share))}%` }} />
    </td>
  );
}

interface TimesProps {
  readonly caption: string;
  readonly about: string;
  readonly head: readonly string[];
  readonly testId?: string | undefined;
  readonly hasBars?: boolean;
  readonly children: ReactNode;
}

/** The first column names the row; the last is a bar without a heading of its own. */
function Times({ caption, about, head, testId, hasBars = true, children }: TimesProps) {
  return (
    <Table
      className="speed-table table-numbers unbroken small full"
      testId={testId}
      captionClass={about === '' ? HIDDEN : ''}
      caption={
        <>
          <b>{caption}</b>
          <span className="small soft block">{about}</span>
        </>
      }
      columns={head}
      last={hasBars && <td className="speed-bar" aria-hidden="true" />}
    >
      {children}
    </Table>
  );
}

interface Noted<Subject extends 'train' | 'population' | 'kernels'> {
  readonly report: ReportOf<Subject>;
  readonly notes: string;
}

const Notes = ({ children }: { readonly children: string }) =>
  children !== '' && <p className="speed-notes small soft above-4">{children}</p>;

export function PartTable({ report, notes }: Noted<'train'>) {
  const { experiment, members, seconds, tokens, parts } = report;
  const alone = parts.reduce((sum, part) => sum + part.seconds, 0);
  // Parts that no clock divided were timed one by one.
  const isMore = alone > 1.02 * seconds;
  const more = isMore ? `; run one by one, the parts take ${milliseconds(alone)} ms` : '';
  const about = `${experiment}, ${together(members)}: ${milliseconds(seconds)} ms for ${formatCount(tokens)} tokens${more}`;
  return (
    <>
      <Times
        caption="Where the time of an update goes"
        about={about}
        head={['Part', 'ms', 'Share']}
        testId="speed-parts"
      >
        {parts.filter(took).map(({ part, seconds: time, share }) => (
          <Row key={part} head={part}>
            <td>{milliseconds(time)}</td>
            <td>{percent(share)}</td>
            <Bar share={share} />
          </Row>
        ))}
      </Times>
      <Notes>{notes}</Notes>
    </>
  );
}

export function CountTable({ report }: { report: ReportOf<'train'> }) {
  return (
    <Times
      caption="What an update asks of the device"
      about="the same update; on a GPU each has a price besides arithmetic"
      head={['Asked', 'An update']}
      testId="speed-counts"
      hasBars={false}
    >
      {Object.entries(report.counts).map(([asked, count]) => (
        <Row key={asked} head={asked} cells={[formatCount(count)]} />
      ))}
    </Times>
  );
}

/** True for a part that took time; the others were not done here, or are counted elsewhere. */
const took = ({ seconds }: { seconds: number }): boolean => seconds > 0;

export function PopulationTable({ report, notes }: Noted<'population'>) {
  const shares = report.rows.map(({ members, relative }) => relative / members);
  const most = Math.max(1, ...shares);
  return (
    <>
      <Times
        caption="What more policies cost"
        about={`${report.experiment}, whole updates. Bar: time together ÷ time one by one, full at ${most.toFixed(most > 1 ? 2 : 0)}`}
        head={['Policies together', 'ms an update', 'Tokens/s', '× the time of one']}
        testId="speed-population"
      >
        {report.rows.map(({ members, seconds, tokensPerSecond, relative }) => (
          <Row key={members} head={members}>
            <td>{milliseconds(seconds)}</td>
            <td>{formatCount(tokensPerSecond)}</td>
            <td>{relative.toFixed(1)}</td>
            <Bar share={relative / members / most} />
          </Row>
        ))}
      </Times>
      <Notes>{notes}</Notes>
    </>
  );
}

export function KernelTable({ report, notes }: Noted<'kernels'>) {
  const { compute, memory } = report.ceilings;
  const about = `${report.sizes}. Ceilings: ${giga(compute.perSecond)} GFLOP/s (${compute.by}), ${giga(memory.perSecond)} GB/s (${memory.by})`;
  const head = ['Operation', 'ms a step', 'Achieved', 'Of the ceiling'];
  const rest = report.rows.slice(SHOWN);
  const { step } = report;
  return (
    <div>
      <Times caption="What the kernels reach" about={about} head={head}>
        <Row className="speed-whole" head="the whole step">
          <td>{milliseconds(step.seconds)}</td>
          <td>{giga(step.flops / step.seconds)} GFLOP/s</td>
          <td>{percent(step.share)}</td>
          <Bar share={step.share} />
        </Row>
        <KernelRows rows={report.rows.slice(0, SHOWN)} />
      </Times>
      <Notes>{notes}</Notes>
      {rest.length > 0 && (
        <details>
          <summary className="small">{plural(rest.length, 'operation')} more, each quicker than these</summary>
          <Times caption="The other operations" about="" head={head}>
            <KernelRows rows={rest} />
          </Times>
        </details>
      )}
    </div>
  );
}

function KernelRows({ rows }: { rows: readonly KernelRow[] }) {
  return rows.map((row) => (
    <Row key={`${row.operation} ${row.shape} ${row.bytes}`} head={operationWords(row)}>
      <td>{milliseconds(perStep(row))}</td>
      <td>{achieved(row)}</td>
      <td>{percent(row.share)}</td>
      <Bar share={row.share} />
    </Row>
  ));
}
