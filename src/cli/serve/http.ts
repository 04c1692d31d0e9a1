/** OpenEnv's HTTP interface, without the server: a request comes in, an answer goes out. Every call has a fresh world. */
import type { Fields, Served, StepReply, Tasks } from '../../environments/served/contract';
import { isJson } from '../../foundation/json';
import { answerMcp, unreadable } from './mcp';
import { abridge, actionMistakes, type Mistake, mistake, strictResetMistakes, tooMuch } from './validation';

export interface HttpRequest {
  readonly method: string;
  /** Path without a query. */
  readonly path: string;
  readonly contentType: string;
  readonly host: string;
  readonly body: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Value sent as JSON; a text is sent without a change. */
  readonly body: unknown;
}

type Handler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

/** Answers requests. Never throws. */
export class HttpInterface {
  readonly #served: Served;
  readonly #routes: Readonly<Record<string, readonly [method: 'GET' | 'POST', handler: Handler]>>;

  constructor(served: Served) {
    this.#served = served;
    this.#routes = {
      '/health': ['GET', () => ok({ status: 'healthy' })],
      '/metadata': ['GET', () => ok(served.metadata)],
      '/schema': ['GET', () => ok(served.schema)],
      '/state': ['GET', () => this.#state()],
      '/reset': ['POST', (request) => this.#reset(request)],
      '/step': ['POST', (request) => this.#step(request)],
      '/mcp': ['POST', ({ body }) => ok(rpc(body))],
      '/list_environments': ['GET', () => ok([served.name])],
    };
  }

  async answer(request: HttpRequest): Promise<HttpAnswer> {
    try {
      return await this.#answer(request);
    } catch {
      return { status: 500, body: 'Internal Server Error' };
    }
  }

  #answer(request: HttpRequest): HttpAnswer | Promise<HttpAnswer> {
    const { path, method } = request;
    const route = Object.hasOwn(this.#routes, path) ? this.#routes[path] : this.#taskRoute(path);
    if (route !== undefined) {
      const [allowed, handle] = route;
      return method === allowed ? handle(request) : wrongMethod(allowed);
    }
    const plain = path.replace(/\/$/, '');
    if (plain !== path && Object.hasOwn(this.#routes, plain)) {
      return { status: 307, headers: { location: `http://${request.host}${plain}` }, body: '' };
    }
    return detail(404, 'Not Found');
  }

  #state(): HttpAnswer {
    const { episode_id, step_count } = this.#served.create().state();
    return ok({ episode_id, step_count });
  }

  async #reset(request: HttpRequest): Promise<HttpAnswer> {
    const body = readBody(request);
    if (body instanceof Invalid) return body.answer;
    const data = body ?? {};
    if (!isJson(data)) return unprocessable([mistake('model_attributes_type', ['body'], data)]);
    const mistakes = strictResetMistakes(data);
    if (mistakes.length > 0) return unprocessable(mistakes);
    const { seed = null, episode_id = null, ...more } = data;
    const number = seed === null ? null : Number(seed);
    return ok(withFloat(await this.#served.create().reset(number, episode_id as string | null, more)));
  }

  async #step(request: HttpRequest): Promise<HttpAnswer> {
    const body = readBody(request);
    if (body instanceof Invalid) return body.answer;
    if (body == null) return unprocessable([mistake('missing', ['body'], null)]);
    if (!isJson(body)) return unprocessable([mistake('model_attributes_type', ['body'], body)]);
    const { action, ...more } = body;
    const { timeout_s: timeout } = more;
    if (action === undefined) return unprocessable([mistake('missing', ['body', 'action'], body)]);
    if (!isJson(action)) return unprocessable([mistake('dict_type', ['body', 'action'], action)]);
    const at = ['body', 'timeout_s'];
    if (timeout != null && typeof timeout !== 'number') return unprocessable([mistake('float_type', at, timeout)]);
    if (typeof timeout === 'number' && timeout <= 0) return unprocessable([mistake('greater_than', at, timeout)]);
    const mistakes = actionMistakes(action, this.#served);
    if (mistakes.length > 0) return unprocessable(mistakes);
    return ok(withFloat(await this.#served.create().step(action, more)));
  }

  /** Route of the task API, whose paths begin with the world's name in any case. */
  #taskRoute(path: string): readonly ['GET' | 'POST', Handler] | undefined {
    const [, escaped = '', what = '', more] = path.split('/');
    const name = textOf(escaped);
    if (more !== undefined || !(what === 'splits' || Object.hasOwn(TASK_CALLS, what))) return undefined;
    const handle = (request: HttpRequest): HttpAnswer => {
      if (name.toLowerCase() !== this.#served.name.toLowerCase()) {
        return detail(404, `unknown environment '${name}'`);
      }
      const { tasks } = this.#served;
      if (tasks === null)
        return detail(
          501,
          `${what === 'splits' ? 'list_splits' : CALL_NAMES[what]} is not supported for this environment`,
        );
      if (what === 'splits') return ok(tasks.splits);
      const body = readBody(request);
      if (body instanceof Invalid) return body.answer;
      if (!isJson(body)) return unprocessable([mistake('model_attributes_type', ['body'], body)]);
      if (body.split === undefined) return unprocessable([mistake('missing', ['body', 'split'], body)]);
      return TASK_CALLS[what as keyof typeof TASK_CALLS](tasks, String(body.split), body, this.#served.name);
    };
    return [what === 'splits' ? 'GET' : 'POST', handle];
  }
}

/** A part of a path without its escapes; unchanged where these are wrong. */
function textOf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const CALL_NAMES: Readonly<Record<string, string>> = {
  tasks: 'list_tasks',
  num_tasks: 'num_tasks',
  task: 'get_task',
  task_range: 'get_task_range',
};

const TASK_CALLS = {
  tasks: (tasks: Tasks, split: string, _: Fields, name: string) =>
    ok({ tasks: range(tasks, split, 0, tasks.count(split)), env_name: name }),
  num_tasks: (tasks: Tasks, split: string) => ok({ num_tasks: tasks.count(split) }),
  task: (tasks: Tasks, split: string, { index }: Fields) => {
    const count = tasks.count(split);
    // A negative index counts from the end.
    const at = Number.isInteger(index) ? Number(index) + (Number(index) < 0 ? count : 0) : -1;
    return at >= 0 && at < count ? ok({ task: tasks.task(split, at) }) : detail(400, 'Invalid task index');
  },
  task_range: (tasks: Tasks, split: string, { start, stop }: Fields) => {
    const [from, to] = [start ?? 0, stop ?? tasks.count(split)];
    if (!Number.isInteger(from) || !Number.isInteger(to)) return detail(400, 'Invalid task index');
    return ok({ tasks: range(tasks, split, Number(from), Number(to)) });
  },
};

function range(tasks: Tasks, split: string, start: number, stop: number): Fields[] {
  const end = Math.min(stop, tasks.count(split));
  return Array.from({ length: Math.max(0, end - Math.max(0, start)) }, (_, i) =>
    tasks.task(split, Math.max(0, start) + i),
  );
}

class Invalid {
  readonly answer: HttpAnswer;
  constructor(answer: HttpAnswer) {
    this.answer = answer;
  }
}

/** The JSON of a request, undefined where it has no body. */
function readBody({ body, contentType }: HttpRequest): unknown {
  if (body === '') return undefined;
  if (contentType !== '' && !/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return body;
  const much = tooMuch(body);
  if (much !== null) return new Invalid(detail(413, `The body ${much}. Send less at once.`));
  try {
    return JSON.parse(body);
  } catch {
    return new Invalid(unprocessable([mistake('json_invalid', ['body', 0], {})]));
  }
}

function rpc(body: string): Fields {
  try {
    const request: unknown = tooMuch(body) === null ? JSON.parse(body) : null;
    return isJson(request) ? answerMcp(request) : unreadable();
  } catch {
    return unreadable();
  }
}

/** Answer with its reward as a number of JSON. Throws where JSON cannot write it. */
function withFloat({ reward, ...answer }: StepReply): Fields {
  const number = reward === null ? null : Number(reward);
  if (number !== null && !Number.isFinite(number)) throw new RangeError('The reward is not finite.');
  return { ...answer, reward: number };
}

const ok = (body: unknown): HttpAnswer => ({ status: 200, body });
export const detail = (status: number, text: string): HttpAnswer => ({ status, body: { detail: text } });
const unprocessable = (errors: readonly Mistake[]): HttpAnswer => ({ status: 422, body: { detail: abridge(errors) } });
const wrongMethod = (allow: string): HttpAnswer => ({ ...detail(405, 'Method Not Allowed'), headers: { allow } });
