/** One session of OpenEnv's WebSocket protocol, without the socket: a text comes in, an answer goes out. */
import type { Fields, Served, ServedEnvironment } from '../../environments/served/contract';
import { isJson } from '../../foundation/json';
import { answerMcp } from './mcp';
import { abridge, actionMistakes, envelopeMistakes, type Mistake, resetMistakes, tooMuch } from './validation';

export interface SessionReply {
  /** JSON to send; null to send nothing. */
  readonly frame: Fields | null;
  /** True if the session ends. */
  readonly ends: boolean;
}

type ErrorCode =
  | 'INVALID_JSON'
  | 'UNKNOWN_TYPE'
  | 'VALIDATION_ERROR'
  | 'EXECUTION_ERROR'
  | 'SESSION_ERROR'
  | 'CAPACITY_REACHED'
  | 'FACTORY_ERROR';

export const errorFrame = (code: ErrorCode, message: string, more: Fields = {}): Fields => ({
  type: 'error',
  data: { message, code, ...more },
});

export class ServedSession {
  readonly #served: Served;
  readonly #environment: ServedEnvironment;

  constructor(served: Served, environment: ServedEnvironment) {
    this.#served = served;
    this.#environment = environment;
  }

  /** Answers a text frame. Never throws. Answers come in the order of frames if the caller waits for each. */
  async answer(text: string): Promise<SessionReply> {
    const much = tooMuch(text);
    if (much !== null) return ends(`The message ${much}. Send less at once.`);
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (cause) {
      return goesOn(errorFrame('INVALID_JSON', `Invalid JSON: ${messageOf(cause)}`));
    }
    if (!isJson(message)) return ends('A message is an object.');
    switch (message.type) {
      case 'reset':
        return this.#reset(message);
      case 'step':
        return this.#step(message);
      case 'state':
        return replyOf(envelopeMistakes(message, 'none'), async () => ({
          type: 'state',
          data: this.#environment.state(),
        }));
      case 'mcp':
        return replyOf(envelopeMistakes(message, 'needed'), async () => ({
          type: 'mcp',
          data: answerMcp(message.data),
        }));
      case 'close': {
        const mistakes = envelopeMistakes(message, 'none');
        return mistakes.length > 0 ? goesOn(invalid(mistakes)) : { frame: null, ends: true };
      }
      default:
        return goesOn(errorFrame('UNKNOWN_TYPE', `Unknown message type: ${nameOf(message.type)}`));
    }
  }

  #reset(message: Fields): Promise<SessionReply> {
    const data = (message.data ?? {}) as Fields;
    const mistakes = [...envelopeMistakes(message, 'optional'), ...(isJson(data) ? resetMistakes(data) : [])];
    return replyOf(mistakes, async () => {
      const { seed = null, episode_id = null, ...more } = data;
      return {
        type: 'observation',
        data: await this.#environment.reset(seed as string | number | null, episode_id as string | null, more),
      };
    });
  }

  #step(message: Fields): Promise<SessionReply> {
    const data = message.data as Fields;
    const wrong = envelopeMistakes(message, 'needed');
    const mistakes = wrong.length > 0 ? wrong : actionMistakes(data, this.#served);
    return replyOf(mistakes, async () => ({ type: 'observation', data: await this.#environment.step(data, {}) }));
  }
}

async function replyOf(mistakes: readonly Mistake[], work: () => Promise<Fields>): Promise<SessionReply> {
  if (mistakes.length > 0) return goesOn(invalid(mistakes));
  try {
    return goesOn(await work());
  } catch (cause) {
    return goesOn(errorFrame('EXECUTION_ERROR', messageOf(cause)));
  }
}

const invalid = (errors: readonly Mistake[]): Fields =>
  errorFrame('VALIDATION_ERROR', 'Invalid message', { errors: abridge(errors) });
const goesOn = (frame: Fields): SessionReply => ({ frame, ends: false });
const ends = (why: string): SessionReply => ({ frame: errorFrame('SESSION_ERROR', why), ends: true });

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

function nameOf(type: unknown): string {
  if (type === undefined) return '';
  return (typeof type === 'string' ? type : JSON.stringify(type)).slice(0, 200);
}
