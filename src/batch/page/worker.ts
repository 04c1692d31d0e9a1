/** The Worker in which the page reads a batch and puts it under other losses: the page answers its user meanwhile, and ends it to cancel. */
import '../../foundation/policedWorkers';
import { asLabError, LabError } from '../../foundation/errors';
import { Audit } from '../audit/audit';
import { Reading, readBatch } from '../read';
import { Summary } from '../summary';
import { BATCH_ROLE, BATCH_ROLES, type Trajectory } from '../trajectory';
import { Kept, used } from '../whatIf/kept';
import { objectiveAsked, whatIf } from '../whatIf/whatIf';
import { type Told, told } from '../words/told';
import type { BatchEvent, BatchRequest, ShownTokens } from './asked';

const tell = (event: BatchEvent): void => postMessage(event);

let read: Told | null = null;
const trajectories: Trajectory[] = [];
/** Σ |weight × advantage| of the batch. */
let gradient = 0;

async function readFile(file: Blob, name: string): Promise<void> {
  const reading = new Reading();
  const [summary, audit] = [new Summary(), new Audit()];
  for await (const trajectory of readBatch(name, bytesOf(file), reading)) {
    summary.add(trajectory);
    audit.add(trajectory);
    trajectories.push(trajectory);
  }
  if (trajectories.length === 0) {
    const [first] = reading.problems;
    const why = first === undefined ? 'it is empty' : `line ${first.line} ${first.what}`;
    throw new LabError('invalid-batch', `No trajectory was found: ${why}.`, 'Choose a file in one of the forms below.');
  }
  gradient = summary.rows().reduce((sum, row) => sum + row.gradient, 0);
  read = told([name], reading, summary.rows(), audit.finish(), []);
  tell({ type: 'told', told: read });
}

async function* bytesOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.length;
    tell({ type: 'reading', bytes });
    yield next.value;
  }
}

async function compare(names: readonly string[]): Promise<void> {
  const kept = new Kept();
  for (const trajectory of trajectories) kept.add(trajectory);
  const found = names.length === 0 ? null : await whatIf(kept, names.map(objectiveAsked));
  if (read !== null) tell({ type: 'told', told: { ...read, whatIf: found } });
}

function shownOf(trajectory: number, asked: number, count: number): ShownTokens | null {
  const one = trajectories[trajectory - 1];
  if (one === undefined) return null;
  const { length, line, texts, ids, roles, columns } = one;
  const token = Math.max(0, Math.min(asked, length - 1));
  const from = count * Math.floor(token / count);
  const places = Array.from({ length: Math.max(0, Math.min(count, length - from)) }, (_, at) => from + at);
  const tokens = places.map((at) => ({
    text: texts?.[at] ?? String(ids?.[at] ?? ''),
    role: BATCH_ROLES[roles?.[at] ?? BATCH_ROLE.unknown] ?? 'unknown',
    numbers: {
      ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[at] ?? Number.NaN])),
      ratio: Math.exp((columns.logp?.[at] ?? Number.NaN) - (columns.old?.[at] ?? Number.NaN)),
      share: (100 * Math.abs(used(columns.weight?.[at], columns.advantage?.[at]))) / gradient,
    },
  }));
  return { trajectory, line, length, from, token, tokens };
}

async function answer(request: BatchRequest): Promise<void> {
  if (request.type === 'read') await readFile(request.file, request.name);
  else if (request.type === 'what-if') await compare(request.names);
  else {
    const shown = shownOf(request.trajectory, request.token, request.count);
    if (shown !== null) tell({ type: 'tokens', shown });
  }
}

self.onmessage = ({ data }: MessageEvent<BatchRequest>) => {
  answer(data).catch((cause: unknown) => {
    const { message, advice } = asLabError(cause);
    tell({ type: 'failed', what: message, advice });
  });
};
