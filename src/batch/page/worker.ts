/**
 * The Worker in which the page reads a batch and puts it under other losses: the page answers its user meanwhile, and
 * ends it to cancel.
 */
import '../../foundation/policedWorkers';
import { asLabError, LabError } from '../../foundation/errors';
import { Audit } from '../audit/audit';
import { ownTexts } from '../ownTexts';
import { BatchReading, readBatch } from '../read';
import { BatchTotals } from '../summary';
import type { BatchTrajectory } from '../trajectory';
import { KeptBatch } from '../whatIf/kept';
import { formulaAsked, objectiveAsked, whatIf } from '../whatIf/whatIf';
import { type BatchSummary, told } from '../words/told';
import type { BatchEvent, BatchRequest, ChosenFiles } from './asked';
import { BatchConversation } from './conversation';

const tell = (event: BatchEvent): void => postMessage(event);

let read: BatchSummary | null = null;
const trajectories: BatchTrajectory[] = [];
let conversation: BatchConversation | null = null;

async function readFiles({ files, tokenizer, template }: ChosenFiles): Promise<void> {
  const reading = new BatchReading();
  const [summary, audit] = [new BatchTotals(), new Audit()];
  const texts = { tokenizer: tokenizer && (await tokenizer.text()), template: template && (await template.text()) };
  // No time limit: the page ends this Worker if the reader cancels.
  const own = await ownTexts(texts, (work) => work());
  for (const file of files) {
    for await (const trajectory of readBatch(file.name, bytesOf(file), reading, own)) {
      summary.add(trajectory);
      audit.add(trajectory);
      trajectories.push(trajectory);
    }
  }
  if (trajectories.length === 0) {
    const [first] = reading.problems;
    const why = first === undefined ? 'it is empty' : `line ${first.line} ${first.what}`;
    throw new LabError(
      'invalid-batch',
      `No trajectory was found: ${why}.`,
      'Choose a file that a trainer wrote; docs/batch.md lists the forms and the trainers.',
    );
  }
  const gradient = summary.rows().reduce((sum, row) => sum + row.gradient, 0);
  conversation = new BatchConversation(trajectories, gradient);
  const names = files.map(({ name }) => name);
  read = told(names, reading, summary.rows(), audit.finish(), []);
  tell({ type: 'told', told: read });
}

/** Bytes of all files so far. */
let bytes = 0;

async function* bytesOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.length;
    tell({ type: 'reading', bytes });
    yield next.value;
  }
}

/** Lets the page ask for tokens meanwhile. */
const othersAsked = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

async function compare(names: readonly string[], formula: string): Promise<void> {
  const asked = names.map(objectiveAsked);
  if (formula.trim() !== '') asked.push(formulaAsked('your formula', formula));
  const kept = new KeptBatch();
  for (const trajectory of trajectories) kept.add(trajectory);
  const found = asked.length === 0 ? null : await whatIf(kept, asked, othersAsked);
  if (read !== null) tell({ type: 'told', told: { ...read, whatIf: found } });
}

async function answer(request: BatchRequest): Promise<void> {
  if (request.type === 'read') await readFiles(request);
  else if (request.type === 'what-if') await compare(request.names, request.formula);
  else if (conversation !== null) look(request, conversation);
}

type Look = Exclude<BatchRequest, { type: 'read' | 'what-if' }>;

function look(request: Look, conversation: BatchConversation): void {
  if (request.type === 'lay') {
    tell({ type: 'laid', laid: conversation.lay(request.view, request.columns, request.top) });
  } else if (request.type === 'rows') {
    tell({ type: 'rows', shown: conversation.shown(request.from, request.to) });
  } else if (request.type === 'find') {
    tell({ type: 'chosen', chosen: conversation.find(request.text, request.isBackwards) });
  } else {
    const chosen = request.type === 'move' ? conversation.move(request.by) : conversation.choose(request.place);
    tell({ type: 'chosen', chosen });
  }
}

self.onmessage = ({ data }: MessageEvent<BatchRequest>) => {
  answer(data).catch((cause: unknown) => {
    const { message, advice } = asLabError(cause);
    tell({ type: 'failed', what: message, advice });
  });
};
