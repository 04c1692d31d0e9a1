/** `--environment openenv:URL`: an experiment in a world that another program serves, as its schema describes it. */
import { LONGEST_REMOTE_TEXT, remote } from '../../environments/remote';
import { TEXT_HOLE } from '../../environments/remoteWorld';
import type { Experiment } from '../../experiment/experiment';
import { parseExperiment } from '../../experiment/parse';
import { excerpt, reasonOf } from '../../foundation/errors';
import { isJson, type Json } from '../../foundation/json';
import { usage } from '../errors';
import { actionsOf, MOST_ACTIONS, type NamedValues, namesOf, Unsendable } from './forms';

const PREFIX = 'openenv:';
/** Milliseconds for the server to describe itself. */
const PATIENCE = 20_000;

/** Names that texts of observations usually have; the first that is declared is taken. */
const USUAL = ['text', 'message', 'content', 'observation', 'output'];
/** Titles of actions that call a tool, which the server lists. */
const CALLS = ['Action', 'CallToolAction', 'ListToolsAction'];

/**
 * Function that puts an experiment into this world. Throws LabError where the server cannot be reached or takes no
 * action that can be sent.
 */
export async function environmentArgument(text: string): Promise<(experiment: Experiment) => Experiment> {
  const address = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  const [whole = '', named = ''] = address.split('#', 2);
  const url = whole.replace(/\/$/, '');
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw usage(
      `--environment ${excerpt(text)} is no world behind OpenEnv’s protocol.`,
      'Write it like openenv:http://127.0.0.1:8000',
    );
  }
  const values = valuesIn(named);
  const schema = await ask(`${url}/schema`);
  const settings = { url, ...(await actionSettings(schema.action, url, values)), ...observationSettings(schema) };
  return (experiment) => parseExperiment({ ...experiment, environment: { id: remote.id, settings } });
}

/** Values of fields, as `column=0..6&game=pong,chess` names them behind the address. */
function valuesIn(named: string): NamedValues {
  return new Map(
    [...new URLSearchParams(named)].map(([field, values]) => {
      const [, first, last] = /^(-?\d+)\.\.(-?\d+)$/.exec(values) ?? [];
      if (first === undefined) return [field, values.split(',')];
      const count = Math.min(Math.max(Number(last) - Number(first) + 1, 0), MOST_ACTIONS);
      return [field, Array.from({ length: count }, (_, i) => String(Number(first) + i))];
    }),
  );
}

/** Answer of the server to a request, with a body or none. */
async function ask(url: string, body?: Json): Promise<Json> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const response = await fetch(url, { ...(body && post), signal: AbortSignal.timeout(PATIENCE) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return (await response.json()) as Json;
  } catch (cause) {
    const why = reasonOf(cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause);
    throw usage(`${url} did not describe its world: ${why}.`, 'Start its server, or name another address.', { cause });
  }
}

async function actionSettings(
  schema: unknown,
  url: string,
  values: NamedValues,
): Promise<Record<string, string | boolean>> {
  const action = isJson(schema) ? schema : {};
  try {
    if (CALLS.includes(String(action.title))) return formSettings(await toolCalls(url, values), url);
    const actions = actionsOf(action, values, true);
    return textSettings(action, actions, values) ?? formSettings(actions, url);
  } catch (cause) {
    if (!(cause instanceof Unsendable)) throw cause;
    const { field, message } = cause;
    const what = `Actions of the world at ${url} cannot be sent: ${excerpt(field)} ${message}.`;
    const name = field.slice(field.lastIndexOf('.') + 1);
    const hint = await legalActions(url);
    const advice = `Name the values that it may have, such as openenv:${url}#${name}=0..3 or #${name}=a,b. ${hint}`;
    throw usage(what, advice.trim());
  }
}

/** Sentence with the actions that the first observation calls legal; empty where it names none. */
async function legalActions(url: string): Promise<string> {
  const { observation } = await ask(`${url}/reset`, {}).catch((): Json => ({}));
  const legal = isJson(observation) ? observation.legal_actions : undefined;
  return Array.isArray(legal) ? `Its first observation calls these legal: ${excerpt(legal.join(', '))}.` : '';
}

/** Calls of all tools that the server lists, or of those that are named. */
async function toolCalls(url: string, values: NamedValues): Promise<unknown[]> {
  const { observation } = await ask(`${url}/step`, { action: { type: 'list_tools' } });
  const tools = isJson(observation) && Array.isArray(observation.tools) ? observation.tools.filter(isJson) : [];
  const named = values.get('tool_name');
  const chosen = tools.filter(({ name }) => named?.includes(String(name)) !== false);
  if (chosen.length === 0) throw new Unsendable('tool_name', 'has no tool to call');
  return chosen.flatMap(({ name, input_schema: schema }) => {
    try {
      return actionsOf(schema, values).map((parts) => ({ type: 'call_tool', tool_name: name, arguments: parts }));
    } catch (cause) {
      throw cause instanceof Unsendable ? new Unsendable(`${name}.${cause.field}`, cause.message) : cause;
    }
  });
}

/** Settings of a world whose actions are one field, a text; null for others. */
function textSettings(
  schema: Json,
  actions: readonly unknown[],
  named: NamedValues,
): Record<string, string | boolean> | null {
  const texts = actions.filter(isJson).map((action) => Object.entries(action));
  const field = texts[0]?.[0]?.[0];
  const isText = texts.every(
    (entries) => entries.length === 1 && entries[0]?.[0] === field && typeof entries[0]?.[1] === 'string',
  );
  if (field === undefined || !isText) return null;
  const values = texts.map((entries) => String(entries[0]?.[1]));
  const isFree = values.length === 1 && values[0] === TEXT_HOLE;
  const { properties } = schema as { properties?: Readonly<Record<string, Json>> };
  const declared = isFree && !named.has(field) ? properties?.[field] : undefined;
  const chosen = isFree ? listOf(declared?.examples) : listOf(values);
  if (!isFree && chosen === null) return null;
  const words = chosen === null ? listOf(declared?.['x-words']) : null;
  return { actionField: field, actions: (chosen ?? words ?? []).join('\n'), isWords: words !== null };
}

/** Settings of a world whose actions are objects, each with a name. */
function formSettings(actions: readonly unknown[], url: string): Record<string, string | boolean> {
  const settings = { actionField: '', actions: namesOf(actions).join('\n'), isWords: false };
  const forms = actions.map((action) => JSON.stringify(action)).join('\n');
  if (Math.max(forms.length, settings.actions.length) > LONGEST_REMOTE_TEXT) {
    const what = `Actions of the world at ${url} are too many: there are ${actions.length}.`;
    throw usage(what, 'Name fewer values of a field, such as openenv:URL#FIELD=0..9');
  }
  return { ...settings, forms };
}

/** The text of observations, where there is one and no other field must be there; otherwise all of an observation is read. */
function observationSettings({ observation }: Json): Record<string, string> {
  const { properties, required } = (observation ?? {}) as {
    properties?: Readonly<Record<string, Json>>;
    required?: unknown;
  };
  const needed = Array.isArray(required) ? required : [];
  const field = USUAL.find((key) => properties?.[key]?.type === 'string') ?? '';
  const isAll = needed.some((key) => key !== field);
  return { observationField: isAll ? '' : field, words: (listOf(properties?.[field]?.['x-words']) ?? []).join('\n') };
}

/** Declared texts of one line each; null where there are none that could be words. */
function listOf(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_ACTIONS) return null;
  const isWord = (one: unknown): one is string => typeof one === 'string' && one !== '' && !one.includes('\n');
  return value.every(isWord) ? [...new Set(value)] : null;
}
