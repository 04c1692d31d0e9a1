/** Text of a file, read and audited. */
import { Audit } from '../../src/batch/audit/audit';
import type { AuditReport } from '../../src/batch/audit/report';
import type { OwnTexts } from '../../src/batch/ownTexts';
import { BatchReading, readBatch } from '../../src/batch/read';
import { BatchTotals } from '../../src/batch/summary';
import type { BatchTrajectory } from '../../src/batch/trajectory';

export interface Audited {
  readonly reading: BatchReading;
  readonly report: AuditReport;
  readonly summary: BatchTotals;
  readonly trajectories: readonly BatchTrajectory[];
}

/** In pieces of such a size, as a disk gives them. */
export async function* bytesOf(content: string | Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function audited(
  content: string | Uint8Array,
  size?: number,
  own: OwnTexts | null = null,
): Promise<Audited> {
  const reading = new BatchReading();
  const audit = new Audit();
  const summary = new BatchTotals();
  const trajectories: BatchTrajectory[] = [];
  for await (const trajectory of readBatch('batch.jsonl', bytesOf(content, size), reading, own)) {
    audit.add(trajectory);
    summary.add(trajectory);
    trajectories.push(trajectory);
  }
  return { reading, report: audit.finish(), summary, trajectories };
}
