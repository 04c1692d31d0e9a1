/** `lab chat`: lines that are typed or piped are said to a model, and its replies are printed as they come. */
import { createInterface } from 'node:readline';
import { RandomStream, STREAM } from '../../foundation/philox';
import { behindReply, endOfReply, readTemplate } from '../../llama/chatTemplate';
import { drawing, TextDecoding } from '../../llama/decoding';
import { Talk } from '../../llama/talk';
import { readTokens } from '../../llama/text';
import { createCpuBackend } from '../../tensor/cpu/backend';
import { usage } from '../errors';
import { print, untilFlushed } from '../output';
import { wholeNumber } from '../run/runArguments';
import { openedModel } from './opened';
import { findSpeaker, numberIn } from './speaker';

export interface ChatArguments {
  readonly member?: string | undefined;
  readonly model?: string | undefined;
  readonly adapter?: string | undefined;
  readonly temperature?: string | undefined;
  readonly 'top-p'?: string | undefined;
  readonly 'max-tokens'?: string | undefined;
  readonly stop?: string[] | undefined;
  readonly seed?: string | undefined;
  readonly plain?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Longest reply unless another is asked for, in tokens. */
const MOST_TOKENS = 256;
/** Longest conversation, in tokens: the cache has room for it from the beginning. */
const MOST_ROOM = 4096;

const INTERRUPTED = 130;

/** Reads the model and checks the arguments. Returns a function that talks until there are no more lines. */
export async function chatCommand(subject: string | undefined, options: ChatArguments): Promise<() => Promise<number>> {
  await openedModel(options.model);
  const speaker = await findSpeaker(subject, options);
  const { model, folder, name } = speaker;
  const temperature = numberIn(options.temperature, '--temperature', speaker.temperature, 0, 1000);
  const topP = numberIn(options['top-p'], '--top-p', 1, Number.MIN_VALUE, 1);
  const most = wholeNumber(options['max-tokens'] ?? String(speaker.most ?? MOST_TOKENS), '--max-tokens');
  if (most < 1) throw usage('--max-tokens cannot be 0.', 'Choose 1 or more.');
  const seed = wholeNumber(options.seed ?? '0', '--seed');
  const tokens = await readTokens(folder, model.tokens);
  // A member was trained on texts, not on conversations of its template.
  const isPlain = options.plain === true || options.member !== undefined;
  const template = isPlain ? null : await readTemplate(folder);
  const end = template === null ? undefined : endOfReply(behindReply(template), tokens);
  const backend = await createCpuBackend();
  const decoding = new TextDecoding(backend, model, Math.min(model.configuration.context, MOST_ROOM));
  const talk = new Talk(decoding, tokens, {
    template,
    choose: drawing(temperature, topP, new RandomStream(seed, STREAM.sampling, 0, 0, 0)),
    ends: end === undefined || speaker.isOver([end]) ? speaker.ends : new Set([...speaker.ends, end]),
    isOver: speaker.isOver,
    stops: options.stop ?? [],
    most,
  });
  return () => converse(talk, name, options.json === true);
}

/** Replies to each line; gives the exit code. Ctrl-C ends a reply, and the conversation where there is none. */
async function converse(talk: Talk, name: string, asJson: boolean): Promise<number> {
  const { stdin, stderr } = process;
  const isTyped = stdin.isTTY === true;
  const lines = createInterface({ input: stdin, ...(isTyped && { output: stderr, prompt: '> ' }) });
  let isReplying = false;
  let isInterrupted = false;
  let isOpen = true;
  lines.on('close', () => {
    isOpen = false;
  });
  // Lines that were typed or piped before are still answered.
  const prompt = (): void => {
    if (isTyped && isOpen) lines.prompt();
  };
  const interrupt = (): void => {
    isInterrupted = true;
    if (!(isTyped && isReplying)) lines.close();
  };
  lines.on('SIGINT', interrupt);
  process.on('SIGINT', interrupt);
  if (isTyped) stderr.write(`${name}. A line is a turn; Ctrl-C ends a reply, Ctrl-D the conversation.\n`);
  try {
    prompt();
    for await (const line of lines) {
      // A line may wait that was typed before.
      if (isInterrupted) break;
      isReplying = true;
      for await (const piece of talk.reply(line)) {
        if (!asJson) print(isTyped ? readable(piece) : piece);
        // Lets pressed keys be heard.
        await new Promise((resolve) => setImmediate(resolve));
        if (isInterrupted) break;
      }
      isReplying = false;
      print(asJson ? `${JSON.stringify(talk.last)}\n` : '\n');
      // Once nobody reads any more, nothing more is written.
      await untilFlushed();
      if (isInterrupted && !isTyped) break;
      isInterrupted = false;
      prompt();
    }
  } finally {
    process.off('SIGINT', interrupt);
    lines.close();
  }
  return isInterrupted ? INTERRUPTED : 0;
}

/** Text without characters that move a cursor or change colours. */
const readable = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
