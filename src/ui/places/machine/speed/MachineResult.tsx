/** A machine measured: what it came to in a few lines, and the file to send. */

import { useState } from 'react';
import { MIB } from '../../../../foundation/bytes';
import type { BenchmarkReport, MachineReport, OrFailed } from '../../../../train/bench/report';
import { Button } from '../../../kit/Button';
import { formatCount, plural } from '../../../kit/format';
import { saveFile } from '../../../kit/saveFile';
import { Row, Table } from '../../../kit/Table';
import { milliseconds } from './benchmarkWords';
import { machineJson } from './machineFile';

const words = <T extends object>(told: OrFailed<T>, say: (value: T) => string): string =>
  'failed' in told ? told.failed : say(told as T);

export function MachineResult({ report }: { report: BenchmarkReport & MachineReport }) {
  const { gpu, checks, latency, presets, memory } = report;
  const [said, setSaid] = useState('');
  const save = (): void => {
    const { name, text } = machineJson(report, navigator);
    saveFile(name, new Blob([text], { type: 'application/json' }));
    setSaid(`Saved: ${(text.length / 1024).toFixed(1)} KiB, of this machine and nothing of you.`);
  };
  return (
    <div>
      <Table
        className="speed-table small full"
        caption={words(gpu, ({ description }) => description)}
        captionClass="bold"
        columns={['Measured', 'On this machine']}
      >
        <Row head="Kernels against float64">
          <td>
            {words(checks, ({ cases, of, beyond }) =>
              [
                `${formatCount(cases)} of ${plural(of, 'case')}`,
                beyond.length === 0 ? 'all agree' : `${beyond.length} beyond tolerance`,
              ].join(', '),
            )}
          </td>
        </Row>
        <Row head="A dispatch, a submission, a readback">
          <td>
            {words(latency, ({ dispatch, submission, readback }) =>
              [dispatch, submission, readback].map((one) => `${milliseconds(one)} ms`).join(', '),
            )}
          </td>
        </Row>
        {presets.map(({ preset, members, gpu: onGpu, cpu }) => (
          <Row key={preset} head={`${preset}, ${plural(members, 'policy', 'policies')}`}>
            <td>
              {`GPU: ${words(onGpu, ({ seconds, compiling }) => `${milliseconds(seconds)} ms an update, after ${compiling.seconds.toFixed(1)} s of compiling`)}. CPU: ${words(cpu, ({ seconds }) => `${milliseconds(seconds)} ms an update`)}.`}
            </td>
          </Row>
        ))}
        <Row head="Memory filled">
          <td>
            {words(memory, ({ reached, asked }) =>
              [reached, asked].map((bytes) => `${formatCount(bytes / MIB)} MiB`).join(' of '),
            )}
          </td>
        </Row>
      </Table>
      <div className="row above-8">
        <Button className="button-primary" onClick={save}>
          Save the file to send
        </Button>
        <span className="small soft" aria-live="polite">
          {said}
        </span>
      </div>
    </div>
  );
}
