/** Checker of values against a JSON schema of the kind that Kubernetes publishes. Unknown fields are mistakes. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly format?: string;
}

/** Mistakes of a value, each with its path. */
export function mistakes(
  value: unknown,
  schema: Schema,
  definitions: Readonly<Record<string, Schema>>,
  at = '',
): string[] {
  if (schema.$ref !== undefined) {
    const target = definitions[schema.$ref];
    if (target === undefined) throw new Error(`The schema has no ${schema.$ref}.`);
    return mistakes(value, target, definitions, at);
  }
  const { type, format } = schema;
  if (type === undefined || format === 'int-or-string') return [];
  if (type === 'array') {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((item, i) => mistakes(item, schema.items ?? {}, definitions, `${at}[${i}]`));
  }
  if (type === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no map`];
    const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(value, key));
    return [
      ...missing.map((key) => `${at}.${key} is missing`),
      ...Object.entries(value).flatMap(([key, item]) => {
        const of = schema.properties?.[key] ?? schema.additionalProperties;
        return of === undefined ? [`${at}.${key} is unknown`] : mistakes(item, of, definitions, `${at}.${key}`);
      }),
    ];
  }
  const isRight = type === 'integer' ? Number.isInteger(value) : typeof value === type;
  return isRight ? [] : [`${at} is no ${type}`];
}
