/** `--environment openenv:URL`: an experiment in a world that another program serves, as its schema describes it. */
import { remote } from '../../environments/remote';
import type { Experiment } from '../../experiment/experiment';
import { parseExperiment } from '../../experiment/parse';
import { excerpt } from '../../foundation/errors';
import { usage } from '../errors';

const PREFIX = 'openenv:';
/** Milliseconds for the server to describe itself. */
const PATIENCE = 20_000;
const MOST_WORDS = 2000;

/** Names that texts of observations usually have; the first that is declared is taken. */
const USUAL = ['text', 'message', 'content', 'observation', 'output'];

interface Property {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly examples?: unknown;
  readonly 'x-words'?: unknown;
}

/** Function that puts an experiment into this world. Throws LabError where the server cannot be reached or takes no text. */
export async function environmentArgument(text: string): Promise<(experiment: Experiment) => Experiment> {
  const url = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw usage(
      `--environment ${excerpt(text)} is no world behind OpenEnv’s protocol.`,
      'Write it like openenv:http://127.0.0.1:8000',
    );
  }
  const settings = { url: url.replace(/\/$/, ''), ...settingsOf(await readSchema(url), url) };
  return (experiment) => parseExperiment({ ...experiment, environment: { id: remote.id, settings } });
}

async function readSchema(url: string): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}/schema`, { signal: AbortSignal.timeout(PATIENCE) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return (await response.json()) as Record<string, unknown>;
  } catch (cause) {
    const why =
      cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : String(cause);
    throw usage(`${url} did not describe its world: ${why}.`, 'Start its server, or name another address.', { cause });
  }
}

function settingsOf(schema: Record<string, unknown>, url: string): Record<string, string | boolean> {
  const { required, properties } = partOf(schema.action);
  const texts = Object.keys(properties).filter((key) => properties[key]?.type === 'string');
  const actionField = texts.find((key) => required.includes(key)) ?? texts[0];
  const others = required.filter((key) => key !== actionField);
  if (actionField === undefined || others.length > 0) {
    const what = `Actions of the world at ${url} are no texts: ${others.join(', ') || 'there is no field for one'}.`;
    throw usage(what, 'The lab’s policies play worlds whose actions have one field, a text.');
  }
  const action = properties[actionField] ?? {};
  const observation = partOf(schema.observation).properties;
  const field = USUAL.find((key) => observation[key]?.type === 'string') ?? '';
  const chosen = listOf(action.enum) ?? listOf(action.examples);
  const made = chosen === null ? listOf(action['x-words']) : null;
  const words = listOf(observation[field]?.['x-words']);
  return {
    actionField,
    observationField: field,
    actions: (chosen ?? made ?? []).join('\n'),
    isWords: made !== null,
    words: (words ?? []).join('\n'),
  };
}

function partOf(part: unknown): { required: readonly string[]; properties: Readonly<Record<string, Property>> } {
  const { required, properties } = (part ?? {}) as { required?: unknown; properties?: unknown };
  return {
    required: Array.isArray(required) ? required.map(String) : [],
    properties: typeof properties === 'object' && properties !== null ? (properties as Record<string, Property>) : {},
  };
}

/** Declared texts of one line each; null where there are none that could be words. */
function listOf(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_WORDS) return null;
  const isWord = (one: unknown): one is string => typeof one === 'string' && one !== '' && !one.includes('\n');
  return value.every(isWord) ? [...new Set(value)] : null;
}
