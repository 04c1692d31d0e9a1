/**
 * Head of a kernel, printed from what its file says in a few lines:
 *
 *     // #write out: vec4f
 *     // #read x, weight: vec4f; table: vec4u
 *     // #uniform count: vec4u[256]
 *     // #params inner (K / 4), width (N / 4): u32; scale: f32
 *
 * A remark in brackets is the unit or the shape. The printed `Params` has these parameters, and those that the text reads
 * and the recorder fills in by itself: `gridWidth`, `firstGroup`, `firstMember` and `<binding>Stride`. Params is binding 0,
 * then come uniform arrays, then what is written, then what is read.
 */

interface Declared {
  readonly name: string;
  /** WGSL type of a parameter, of an element of a binding; `vec4u[256]` is an array of that length. */
  readonly type: string;
}

const DIRECTIVE = /^[ \t]*\/\/ #(params|uniform|write|read) (.*)$\n?/gm;

const KINDS = ['uniform', 'write', 'read'] as const;

/** Text with its head in place of the first directive; a text without directives is left alone. */
export function withHead(name: string, text: string): string {
  const first = text.search(DIRECTIVE);
  if (first === -1) return text;
  const declared = declaredIn(name, text);
  const body = text.replace(DIRECTIVE, '');
  return `${body.slice(0, first)}${headOf(declared, body)}\n${body.slice(first)}`;
}

type Directive = (typeof KINDS)[number] | 'params';

function declaredIn(name: string, text: string): Map<Directive, Declared[]> {
  const declared = new Map<Directive, Declared[]>();
  const seen = new Set<string>();
  for (const [line, kind, said = ''] of text.matchAll(DIRECTIVE)) {
    for (const part of said.replace(/\([^)]*\)/g, '').split(';')) {
      const [, names, type] = /^\s*([\w\s,]+):\s*(\w+(?:\[\d+\])?)\s*$/.exec(part) ?? [];
      if (names === undefined || type === undefined) {
        throw new Error(`${name}: "${line.trim()}" should read like "// #${kind} a, b: f32; c: u32".`);
      }
      for (const one of names.split(',').map((word) => word.trim())) {
        if (seen.has(one)) throw new Error(`${name} declares ${one} twice.`);
        seen.add(one);
        const list = declared.get(kind as Directive) ?? [];
        declared.set(kind as Directive, [...list, { name: one, type }]);
      }
    }
  }
  return declared;
}

function headOf(declared: ReadonlyMap<Directive, readonly Declared[]>, body: string): string {
  const bindings = KINDS.flatMap((kind) => (declared.get(kind) ?? []).map((one) => ({ ...one, kind })));
  const read = (parameter: string): boolean => new RegExp(`\\bparams\\.${parameter}\\b`).test(body);
  const filledIn = ['gridWidth', 'firstGroup', 'firstMember', ...bindings.map(({ name }) => `${name}Stride`)].filter(
    read,
  );
  const fields = [
    ...filledIn.map((name) => `  ${name}: u32,`),
    ...(declared.get('params') ?? []).map(({ name, type }) => `  ${name}: ${arrayOf(type) ?? type},`),
  ];
  const variables = bindings.map(({ name, type, kind }, i) => {
    const space = { uniform: 'uniform', write: 'storage, read_write', read: 'storage, read' }[kind];
    return `@group(0) @binding(${i + 1}) var<${space}> ${name}: ${arrayOf(type) ?? `array<${type}>`};`;
  });
  return [
    'struct Params {',
    ...fields,
    '}',
    '',
    '@group(0) @binding(0) var<uniform> params: Params;',
    ...variables,
    '',
  ].join('\n');
}

/** WGSL's form of `vec4u[256]`; undefined for a type without a length. */
function arrayOf(type: string): string | undefined {
  const [, element, length] = /^(\w+)\[(\d+)\]$/.exec(type) ?? [];
  return element === undefined ? undefined : `array<${element}, ${length}>`;
}
