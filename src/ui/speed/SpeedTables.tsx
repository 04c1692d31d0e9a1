/** The three tables of the speed panel. A bar repeats its row's share for the eye; the number says it. */
import type { ReactNode } from 'react';
import type { KernelRow } from '../../train/bench/report';
import { formatCount, plural } from '../format';
import { achieved, giga, milliseconds, operationWords, percent, perStep, type ReportOf } from './words';

/** Operations shown at once: those that take the most time. */
const SHOWN = 8;

function Bar({ share }: { share: number }) {
  return (
    <td className="speed-bar" aria-hidden="true">
      <span style={{ width: `${Math.min(100, Math.max(0, 100 * share))}%` }} />
    </td>
  );
}

interface TableProps {
  readonly caption: string;
  readonly about: string;
  readonly head: readonly string[];
  readonly testId: string;
  readonly children: ReactNode;
}

/** The first column names the row; the last is a bar without a heading of its own. */
function Table({ caption, about, head, testId, children }: TableProps) {
  return (
    <table className="speed-table" data-testid={testId}>
      <caption className={about === '' ? 'hidden-text' : undefined}>
        <b>{caption}</b>
        <span className="speed-about small soft">{about}</span>
      </caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <td className="speed-bar" aria-hidden="true" />
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

export function PartTable({ report }: { report: ReportOf<'train'> }) {
  const { experiment, members, seconds, tokens, parts, timing } = report;
  const about = `${experiment}, ${plural(members, 'member')}: ${milliseconds(seconds)} ms for ${formatCount(tokens)} tokens; parts by ${timing}`;
  return (
    <Table caption="Where the time of an update goes" about={about} head={['Part', 'ms', 'Share']} testId="speed-parts">
      {parts.filter(took).map(({ part, seconds: time, share }) => (
        <tr key={part}>
          <th scope="row">{part}</th>
          <td>{milliseconds(time)}</td>
          <td>{percent(share)}</td>
          <Bar share={share} />
        </tr>
      ))}
    </Table>
  );
}

/** A part that took nothing was not done here, or is counted elsewhere. */
const took = ({ seconds }: { seconds: number }): boolean => seconds > 0;

export function PopulationTable({ report }: { report: ReportOf<'population'> }) {
  const most = Math.max(...report.rows.map(({ members }) => members));
  return (
    <Table
      caption="What more members cost"
      about={`${report.experiment}, whole updates; the bar is the time against training them one after the other`}
      head={['Members', 'ms an update', 'Tokens/s', 'Times one']}
      testId="speed-population"
    >
      {report.rows.map(({ members, seconds, tokensPerSecond, relative }) => (
        <tr key={members}>
          <th scope="row">{members}</th>
          <td>{milliseconds(seconds)}</td>
          <td>{formatCount(tokensPerSecond)}</td>
          <td>{relative.toFixed(1)}</td>
          <Bar share={relative / most} />
        </tr>
      ))}
    </Table>
  );
}

export function KernelTable({ report }: { report: ReportOf<'kernels'> }) {
  const { compute, memory } = report.ceilings;
  const about = `${report.sizes}. Ceilings: ${giga(compute.perSecond)} GFLOP/s (${compute.by}), ${giga(memory.perSecond)} GB/s (${memory.by})`;
  const head = ['Operation', 'ms a step', 'Achieved', 'Of the ceiling'];
  const rest = report.rows.slice(SHOWN);
  const { step } = report;
  return (
    <div className="speed-kernels">
      <Table caption="What the kernels reach" about={about} head={head} testId="speed-kernels">
        <tr className="speed-whole">
          <th scope="row">the whole step</th>
          <td>{milliseconds(step.seconds)}</td>
          <td>{giga(step.flops / step.seconds)} GFLOP/s</td>
          <td>{percent(step.share)}</td>
          <Bar share={step.share} />
        </tr>
        <KernelRows rows={report.rows.slice(0, SHOWN)} />
      </Table>
      {rest.length > 0 && (
        <details>
          <summary className="small">{plural(rest.length, 'operation')} more, each quicker than these</summary>
          <Table caption="The other operations" about="" head={head} testId="speed-kernels-rest">
            <KernelRows rows={rest} />
          </Table>
        </details>
      )}
    </div>
  );
}

function KernelRows({ rows }: { rows: readonly KernelRow[] }) {
  return rows.map((row) => (
    <tr key={`${row.operation} ${row.shape} ${row.bytes}`}>
      <th scope="row">{operationWords(row)}</th>
      <td>{milliseconds(perStep(row))}</td>
      <td>{achieved(row)}</td>
      <td>{percent(row.share)}</td>
      <Bar share={row.share} />
    </tr>
  ));
}
