/**
 * Actions of a world behind OpenEnv's protocol, from the JSON schema that it declares: constants, enumerations, truth values,
 * bounded integers, and objects of these are listed one by one; a text is a hole in its action. What cannot be sent is refused by
 * name.
 */
import { TEXT_HOLE } from '../../environments/remoteWorld';
import { isJson, type Json } from '../../foundation/json';

/** Values of fields as the command names them, by the field's name or its whole path. */
export type NamedValues = ReadonlyMap<string, readonly string[]>;

/** Most actions, and most characters of all of them. */
export const MOST_ACTIONS = 2000;

/** Reason why a world's actions cannot be sent: `field` and the rest of a sentence. */
export class Unsendable extends Error {
  readonly field: string;

  constructor(field: string, why: string) {
    super(why);
    this.field = field;
  }
}

/** All actions that fit a schema; each has one text at most. With `hasField` one field is sent, also where none must be. */
export function actionsOf(schema: unknown, values: NamedValues, hasField = false): unknown[] {
  const root = isJson(schema) ? schema : {};
  const { required, properties } = root;
  const isBare = hasField && isJson(properties) && !(Array.isArray(required) && required.length > 0);
  const first = isBare ? Object.keys(properties).filter((key) => key !== 'metadata')[0] : undefined;
  return new Reader(root, values).valuesOf(first === undefined ? root : { ...root, required: [first] }, '');
}

class Reader {
  readonly #root: Json;
  readonly #given: NamedValues;

  constructor(root: Json, values: NamedValues) {
    this.#root = root;
    this.#given = values;
  }

  /** Values of a part of the schema at a path such as `arguments.x`. */
  valuesOf(part: unknown, path: string): unknown[] {
    const node = this.#resolved(part, path);
    const named = this.#given.get(path) ?? this.#given.get(nameOf(path));
    if (named !== undefined) return named.map((text) => valueOfText(text, node));
    if ('const' in node) return [node.const];
    if (Array.isArray(node.enum)) return node.enum;
    const branches = node.anyOf ?? node.oneOf;
    if (Array.isArray(branches)) return branches.flatMap((branch) => this.valuesOf(branch, path));
    if (node.type === 'string') return [TEXT_HOLE];
    if (node.type === 'boolean') return [false, true];
    if (node.type === 'null') return [null];
    if (node.type === 'integer') return integers(node, path);
    if (isJson(node.properties) || (node.type === 'object' && path === '')) return this.#objects(node, path);
    throw new Unsendable(
      path || 'the action',
      `is ${typeof node.type === 'string' ? `of type ${node.type}` : 'of no one type'}`,
    );
  }

  /** Objects with the required fields, those with one value only, and those that the user named. */
  #objects({ properties, required }: Json, path: string): unknown[] {
    const fields = isJson(properties) ? properties : {};
    const needed = Array.isArray(required) ? required : [];
    let objects: Json[] = [{}];
    for (const [key, part] of Object.entries(fields)) {
      const at = path === '' ? key : `${path}.${key}`;
      const isNamed = this.#given.has(at) || this.#given.has(key);
      if (!needed.includes(key) && !isNamed && !(isJson(part) && 'const' in part)) continue;
      const values = this.valuesOf(part, at);
      if (objects.length * values.length > MOST_ACTIONS)
        throw new Unsendable(at, `makes more than ${MOST_ACTIONS} actions`);
      objects = objects.flatMap((one) => values.map((value) => ({ ...one, [key]: value })));
    }
    const second = objects.find((one) => JSON.stringify(one).split(TEXT_HOLE).length > 2);
    if (second !== undefined) throw new Unsendable(path || 'the action', 'has more than one text');
    return objects;
  }

  /** A part without references: to `#/$defs/…`, or one inside `allOf`. */
  #resolved(part: unknown, path: string, depth = 0): Json {
    const node = isJson(part) ? part : {};
    const inner = Array.isArray(node.allOf) && node.allOf.length === 1 ? node.allOf[0] : undefined;
    const reference = node.$ref;
    if (inner === undefined && typeof reference !== 'string') return node;
    let target: unknown = inner ?? this.#root;
    if (inner === undefined) {
      for (const key of String(reference).replace(/^#\//, '').split('/')) {
        target = isJson(target) && Object.hasOwn(target, key) ? target[key] : undefined;
      }
    }
    if (target === undefined || depth > 20)
      throw new Unsendable(path, `refers to ${String(reference)}, which is not there`);
    return this.#resolved(target, path, depth + 1);
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** A named value as the schema wants it: a text stays one where texts are taken. */
function valueOfText(text: string, node: Json): unknown {
  const known = Array.isArray(node.enum) ? node.enum.find((one) => String(one) === text) : undefined;
  if (known !== undefined) return known;
  if (node.type === 'string' || !/^(?:-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|true|false|null)$/i.test(text)) return text;
  return JSON.parse(text.toLowerCase());
}

function integers(node: Json, path: string): number[] {
  const bound = (inclusive: string, exclusive: string, step: number): number =>
    Number(node[inclusive] ?? (node[exclusive] === undefined ? Number.NaN : Number(node[exclusive]) + step));
  const [first, last] = [bound('minimum', 'exclusiveMinimum', 1), bound('maximum', 'exclusiveMaximum', -1)];
  const step = Number(node.multipleOf ?? 1);
  if (Number.isNaN(first) || Number.isNaN(last)) throw new Unsendable(path, 'is an integer without bounds');
  if (last - first >= MOST_ACTIONS * step) throw new Unsendable(path, `has more than ${MOST_ACTIONS} values`);
  const values: number[] = [];
  for (let value = Math.ceil(first / step) * step; value <= last; value += step) values.push(value);
  return values;
}

/** Short names for actions: the values of the fields in which they differ. */
export function namesOf(actions: readonly unknown[]): string[] {
  const leaves = actions.map((action) => new Map(leavesOf(action, '')));
  const paths = [...new Set(leaves.flatMap((own) => [...own.keys()]))];
  const differing = paths.filter((path) => new Set(leaves.map((own) => own.get(path))).size > 1);
  const names = leaves.map((own) => {
    const present = differing.filter((path) => own.has(path));
    if (differing.length === 1 && present.length === 1) return own.get(present[0] as string) ?? '';
    return present.map((path) => `${path}=${own.get(path)}`).join(' ') || paths.join(' ');
  });
  return new Set(names).size === names.length ? names : actions.map((action) => JSON.stringify(action));
}

function leavesOf(value: unknown, path: string): [string, string][] {
  if (isJson(value))
    return Object.entries(value).flatMap(([key, one]) => leavesOf(one, path === '' ? key : `${path}.${key}`));
  return [[path, typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value)]];
}
