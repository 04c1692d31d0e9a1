/**
 * Reading of a text trajectory by a decoder model, of this lab or of others. onnxruntime computes the logits; the lab's
 * masked log-prob computes the log-prob of each token and the entropy there. Nothing is trained. Loaded when asked for.
 */
import { excerpt, LabError } from '../../foundation/errors';
import { ROLE, ROLES } from '../../foundation/roles';
import { decoderOf, type ForeignSignature } from '../../onnx/foreign/decoderOf';
import { MOST_MODEL_BYTES, type ModelOutline, readOutline } from '../../onnx/foreign/outline';
import { readInPlace } from '../../onnx/logits';
import { openSession, type RuntimeSession } from '../../onnx/runtime';
import { OnnxScorer } from '../../onnx/scorer';
import { PolicySession } from '../../onnx/session';
import type { DecoderSignature } from '../../onnx/signature';
import type { Backend } from '../../tensor/backend';
import { HYPER, HYPER_COLUMNS } from '../../tensor/layout';
import type { BackendChoice } from '../protocol';
import { openBackend } from '../run/choose/backends';
import { type Tokeniser, tokeniserFor } from './tokeniser';
import { parseTranscript } from './transcript';

export interface TextRequest {
  /** The model, the files of its weights, `tokenizer.json`: told apart by their names. */
  readonly files: readonly File[];
  readonly text: string;
}

/** Result of a reading. Arrays are per token, null for the first one, which nothing predicts. */
export interface TextReadout {
  readonly model: string;
  readonly producer: string;
  readonly isQuantised: boolean;
  readonly vocabulary: number;
  /** Description of the model's runtime: device and reason, for the person. */
  readonly runtime: string;
  /** Description of the device of the lab's own kernels, and the reason for it. */
  readonly kernels: string;
  readonly ids: readonly number[];
  readonly words: readonly string[];
  /** Roles by number (foundation/roles.ts). */
  readonly roles: readonly number[];
  /** Log-prob given all tokens before, nats; full vocabulary, temperature 1. */
  readonly logProb: readonly (number | null)[];
  /** Entropy of the model's distribution at the token, nats. */
  readonly entropy: readonly (number | null)[];
}

const MOST_TOKENS = 4096;
/** Largest size of a text's logits on the host, in bytes: onnxruntime holds all of them at once, and returns a copy. */
const MOST_LOGIT_BYTES = 2 ** 30;
/** Logits given to the kernels at a time, where they have to be copied. */
const PIECE = 2 ** 24;

/** Reads a text. Throws LabError: files missing, damaged or of another kind, a text that does not fit, no backend. */
export async function readText(request: TextRequest, choice: BackendChoice, gpu?: GPU): Promise<TextReadout> {
  const { file, bytes, outline, others: files } = await filesOf(request.files);
  const signature = decoderOf(outline);
  const tokeniser = await tokeniserFor(outline, files);
  const tokens = tokensOf(request.text, tokeniser);
  const weights = await weightsOf(outline, files);
  const { backend, device } = await openBackend(choice, gpu);
  try {
    const session = await sessionOf(
      await openSession(bytes, { gpu: backend.sharedGpu, weights, threads: true }),
      signature,
    );
    try {
      const { vocabulary, source } = session;
      checkSizes(tokens.ids, vocabulary, source === 'host' ? MOST_LOGIT_BYTES : backend.limits.maxBindingBytes);
      return {
        model: file.name,
        producer: outline.producer,
        isQuantised: outline.isQuantised,
        vocabulary,
        runtime: session.description,
        kernels: device,
        ...tokens,
        words: tokens.ids.map((token) => tokeniser.write(token)),
        ...(await scoresOf(backend, session, tokens)),
      };
    } finally {
      await session.release();
    }
  } finally {
    backend.dispose();
  }
}

async function filesOf(files: readonly File[]) {
  const [file, second] = files.filter(({ name }) => /\.(onnx|ort)$/i.test(name));
  if (file === undefined || second !== undefined) {
    const what = file === undefined ? 'There is no model among the files.' : 'There is more than one model.';
    throw new LabError('missing-policy', what, 'Choose one .onnx file and what belongs to it.');
  }
  const size = files.reduce((sum, each) => sum + each.size, 0);
  if (size > MOST_MODEL_BYTES) {
    const what = `The files have ${size} bytes, more than the ${MOST_MODEL_BYTES} that a page can run.`;
    throw new LabError('limits', what, 'Choose a smaller model, or one whose weights are rounded.');
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { file, bytes, outline: readOutline(bytes), others: new Map(files.map((each) => [each.name, each])) };
}

async function weightsOf({ weightFiles }: ModelOutline, files: ReadonlyMap<string, File>) {
  return Promise.all(
    weightFiles.map(async (path) => {
      const name = path.replace(/^.*[\\/]/, '');
      const file = files.get(name);
      if (file !== undefined) return { path, data: new Uint8Array(await file.arrayBuffer()) };
      const what = `The model keeps its weights in another file, ${excerpt(name, 100)}, which was not chosen.`;
      throw new LabError('missing-policy', what, 'Choose both files together.');
    }),
  );
}

function tokensOf(text: string, tokeniser: Tokeniser): Pick<TextReadout, 'ids' | 'roles'> {
  const ids = [...tokeniser.beginning];
  const roles: number[] = ids.map(() => ROLE.prompt);
  for (const segment of parseTranscript(text)) {
    // Each segment apart, so that no token belongs to two roles.
    for (const token of tokeniser.encode(segment.text)) {
      ids.push(token);
      roles.push(ROLE[segment.role]);
    }
  }
  if (ids.length < 2) throw tooMuch(`The text has ${ids.length} token`, 'and at least 2 are needed');
  if (ids.length > MOST_TOKENS)
    throw tooMuch(`The text has ${ids.length} tokens`, `and at most ${MOST_TOKENS} are read`);
  return { ids, roles };
}

/** Session of a model. Where its file does not give the size of the vocabulary, it is read off the logits of one token. */
async function sessionOf(runtime: RuntimeSession, signature: ForeignSignature): Promise<PolicySession> {
  if (signature.vocabulary !== null) return new PolicySession(runtime, signature as DecoderSignature);
  const probe = new PolicySession(runtime, { ...signature, vocabulary: 1 });
  probe.begin(1);
  const { vocabulary } = await probe.feed([[0]]);
  probe.begin(0);
  return new PolicySession(runtime, { ...signature, vocabulary });
}

function checkSizes(ids: readonly number[], vocabulary: number, mostBytes: number): void {
  const beyond = ids.find((token) => token >= vocabulary);
  if (beyond !== undefined) {
    const what = `The tokenizer gives token ${beyond}, and the model knows ${vocabulary}: they do not belong together.`;
    throw new LabError('invalid-policy', what, 'Choose the tokenizer.json that came with the model.');
  }
  const bytes = 4 * ids.length * vocabulary;
  if (bytes <= mostBytes) return;
  throw tooMuch(
    `The logits of ${ids.length} tokens over ${vocabulary} words take ${bytes} bytes`,
    `and ${mostBytes} fit`,
  );
}

const tooMuch = (what: string, why: string): LabError =>
  new LabError('limits', `${what}, ${why}.`, 'Choose a text of another length.');

async function scoresOf(
  backend: Backend,
  session: PolicySession,
  { ids, roles }: Pick<TextReadout, 'ids' | 'roles'>,
): Promise<Pick<TextReadout, 'logProb' | 'entropy'>> {
  const { vocabulary } = session;
  const legalSets = backend.tensor('legalSets', 'u32', 1, Math.ceil(vocabulary / 32));
  backend.write(legalSets, new Uint32Array(legalSets.stride).fill(0xffffffff));
  const hyper = backend.tensor('hyper', 'f32', 1, HYPER_COLUMNS);
  backend.write(hyper, Float32Array.of(1), HYPER.temperature);
  // Prompts are scored only with a loss weight, so every role gets one.
  backend.write(hyper, new Float32Array(ROLES.length).fill(1), HYPER.crossEntropy);
  const piece = Math.max(2, Math.min(ids.length, Math.floor(PIECE / vocabulary)));
  const rows = readInPlace(session.source, vocabulary) ? ids.length : piece;
  const scorer = new OnnxScorer(backend, session, { rows, legalSets, hyper });
  await backend.prepare();
  const [scores] = await scorer.score([{ tokens: ids, roles, legalSets: ids.map(() => 0) }]);
  const withoutFirst = (values: ArrayLike<number> = []) => Array.from(values, (value, t) => (t === 0 ? null : value));
  return { logProb: withoutFirst(scores?.logProb), entropy: withoutFirst(scores?.entropy) };
}
