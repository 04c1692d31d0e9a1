/**
 * Description of a policy: the metadata of its file. Every entry is text; values that are no text are JSON. Python reads
 * `json.loads(session.get_modelmeta().custom_metadata_map['vocabulary'])`.
 */
import * as v from 'valibot';
import { LONGEST_WORLD } from '../environments/own/own';
import { tableEntries } from '../experiment/settings/setting';
import { EXPERIMENT_TABLE, LIMITS } from '../experiment/settings/tables';
import { isJson } from '../foundation/json';
import { checkConfiguration, type PolicyConfiguration } from '../policy/configuration';
import { layoutParameters } from '../policy/parameters';
import { clipped, damaged, foreign, tooLarge } from './errors';
import type { Entry, OnnxModel } from './proto';

const FORMAT = 'unmask-policy-1';

export interface PolicyDescription {
  readonly configuration: PolicyConfiguration;
  /** Word of each token, padding included. */
  readonly vocabulary: readonly string[];
  readonly environment: {
    readonly id: string;
    readonly settings: Readonly<Record<string, number | boolean | string>>;
  };
  /** Experiment it comes from, as the fragment of a link (experiment/link/link.ts). */
  readonly experiment: string;
  readonly member: { readonly arm: string; readonly seed: number };
  /** Updates finished. */
  readonly update: number;
  /** Divisor of its logits when it draws actions. */
  readonly temperature: number;
  /** Metrics of its training, by name; null if undefined. */
  readonly results: Readonly<Record<string, number | null>>;
  /** SPDX expression; NOASSERTION if none was chosen. */
  readonly licence: string;
}

const MOST_TOKENS = 2 ** 16;
const MOST_POSITIONS = 2 ** 16;
const MOST_RESULTS = 100;

const json = <const S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema);
const text = (longest: number) => v.pipe(v.string(), v.maxLength(longest));
const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

/** Settings that say where a policy began are no part of its shape; adapters have no file of this kind. */
const {
  model: _,
  adapterRank: _r,
  adapterAlpha: _a,
  adapterMaps: _m,
  adapterReference: _k,
  ...SHAPE
} = EXPERIMENT_TABLE.policy;

const positive = v.pipe(v.number(), v.minValue(Number.MIN_VALUE), v.maxValue(1e30));
const LlamaSchema = v.strictObject({
  keyValueHeads: whole(1, 2 ** 10),
  headWidth: whole(1, 2 ** 10),
  hidden: whole(1, 2 ** 20),
  epsilon: positive,
  theta: positive,
  tied: v.boolean(),
  biases: v.picklist(['none', 'qkv', 'attention']),
});

const configurationEntries = {
  ...tableEntries(SHAPE),
  context: whole(1, MOST_POSITIONS),
  vocabulary: whole(1, MOST_TOKENS),
};

/** Values for entries that older files lack. */
const BEFORE = { initialisation: 'normal' } satisfies Partial<PolicyConfiguration>;

/** Configuration in a file. Unlike an experiment's settings it has no defaults: entries outside BEFORE must be there. */
const ConfigurationSchema = v.pipe(
  v.record(v.string(), v.unknown()),
  v.transform((given): Record<string, unknown> => ({ ...BEFORE, ...given })),
  v.check(
    (given) => Object.keys(configurationEntries).every((key) => Object.hasOwn(given, key)),
    'a part of it is missing',
  ),
  v.strictObject({ ...configurationEntries, llama: v.exactOptional(LlamaSchema) }),
);

const schemas = {
  configuration: json(ConfigurationSchema),
  vocabulary: json(v.pipe(v.array(text(100)), v.maxLength(MOST_TOKENS))),
  environment: json(
    v.strictObject({
      id: text(32),
      // A user's world is the text of its file.
      settings: v.record(text(64), v.union([v.number(), v.boolean(), text(LONGEST_WORLD)])),
    }),
  ),
  experiment: text(2 ** 16),
  member: json(v.strictObject({ arm: text(32), seed: whole(0, LIMITS.seed) })),
  update: json(whole(0, EXPERIMENT_TABLE.updates.max)),
  temperature: json(v.pipe(v.number(), v.minValue(Number.MIN_VALUE), v.maxValue(1e6))),
  results: json(
    v.pipe(
      v.record(text(64), v.nullable(v.number())),
      v.check((results) => Object.keys(results).length <= MOST_RESULTS),
      v.check(({ successRate = null }) => successRate === null || (successRate >= 0 && successRate <= 1)),
    ),
  ),
  licence: text(200),
} as const;

/** Replacer for JSON that sorts keys, so equal descriptions give equal bytes. */
function sortKeys(_key: string, value: unknown): unknown {
  return isJson(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}

export function writeDescription(description: PolicyDescription): Entry[] {
  const keys = Object.keys(schemas) as (keyof typeof schemas)[];
  const entries = keys.map((key) => {
    const value = description[key];
    return { key, value: typeof value === 'string' ? value : JSON.stringify(value, sortKeys) };
  });
  return [{ key: 'format', value: FORMAT }, ...entries];
}

/**
 * Description in a file's metadata; entries of other programs are ignored. Throws LabError: 'unsupported' if another
 * program wrote the file, 'invalid-policy' if the description cannot be read, 'limits' if no experiment could have the
 * policy.
 */
export function readDescription({
  producerName = '',
  metadataProps,
}: Pick<OnnxModel, 'producerName' | 'metadataProps'>): PolicyDescription {
  const texts = new Map<string, string>();
  for (const { key = '', value = '' } of metadataProps) {
    if (texts.has(key)) throw damaged(`The file’s metadata has “${clipped(key)}” twice.`);
    texts.set(key, value);
  }
  const format = texts.get('format');
  if (format === undefined) {
    const writer = producerName === '' ? 'another program' : clipped(producerName);
    throw foreign(`This ONNX file was written by ${writer}, not by this lab.`);
  }
  if (format !== FORMAT) throw foreign(`The file is of the format “${clipped(format)}”, not ${FORMAT}.`);
  // Only the first issue is collected: a million wrong words must not fill the memory.
  const read = v.safeParse(v.object(schemas), Object.fromEntries(texts), { abortEarly: true });
  if (!read.success) {
    const [issue] = read.issues;
    const part = clipped(v.getDotPath(issue) ?? 'description');
    throw damaged(`The policy’s ${part} cannot be read: ${clipped(issue.message)}.`);
  }
  const { configuration, vocabulary } = read.output;
  checkConfiguration(configuration);
  const parameters = layoutParameters(configuration).size;
  if (parameters > LIMITS.parameters) {
    throw tooLarge(`The policy says it has ${parameters} parameters, more than ${LIMITS.parameters}.`);
  }
  if (vocabulary.length !== configuration.vocabulary || new Set(vocabulary).size !== vocabulary.length) {
    throw damaged(`The policy’s vocabulary is not ${configuration.vocabulary} words that differ.`);
  }
  return read.output;
}
