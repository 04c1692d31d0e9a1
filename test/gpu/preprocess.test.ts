// The shaders' preprocessor, and the properties that a kernel reads from its own text.
import { describe, expect, test } from 'vitest';
import { defineKernel } from '../../src/gpu/kernel';
import { preprocess } from '../../src/gpu/preprocess';

const files = (entries: Record<string, string>) => new Map(Object.entries(entries));

describe('The preprocessor', () => {
  test('puts an included file in place, once however often it is asked for', () => {
    const text = preprocess(
      'a.wgsl',
      files({
        'a.wgsl': '// #include "b.wgsl"\n// #include "c.wgsl"\nfn main() {}\n',
        'b.wgsl': '// #include "c.wgsl"\nconst B = 1;',
        'c.wgsl': 'const C = 2;',
      }),
    );
    expect(text.match(/const C/g)).toHaveLength(1);
    expect(text).toContain('const B = 1;');
    expect(text.indexOf('const C')).toBeLessThan(text.indexOf('fn main'));
  });

  test('writes repeated lines out, and fills in sizes', () => {
    const source = '// #repeat d QUADS\nlet q$d = x[$du];\n// #end\nlet n = $QUADSu;';
    expect(preprocess('a', files({ a: source }), { QUADS: 2 })).toBe('let q0 = x[0u];\nlet q1 = x[1u];\n\nlet n = 2u;');
  });

  test('repeats inside a repetition, and leaves out what is repeated zero times', () => {
    const inner = '// #repeat b INNER\nlet x$a$b = $au + $bu;\n// #end\n';
    const source = `// #repeat a 2\n${inner}// #end`;
    const written = (INNER: number) => preprocess('a', files({ a: source }), { INNER }).replace(/\n+/g, '\n');
    expect(written(2)).toBe('let x00 = 0u + 0u;\nlet x01 = 0u + 1u;\nlet x10 = 1u + 0u;\nlet x11 = 1u + 1u;\n');
    expect(written(0).trim()).toBe('');
  });

  test('leaves out numbers that nothing mentions', () => {
    const source = 'const A = 1u;\nconst B = 2u;\nconst C = 0.5;\nlet x = B;';
    expect(preprocess('a', files({ a: source }))).toBe('const B = 2u;\nconst C = 0.5;\nlet x = B;');
  });

  test('names the file that is missing, and the size that was not given', () => {
    expect(() => preprocess('a', files({ a: '// #include "b.wgsl"' }))).toThrow('No shader file is called "b.wgsl".');
    expect(() => preprocess('a', files({ a: 'let n = $QUADS;' }))).toThrow('a needs the size QUADS.');
  });
});

describe('A head', () => {
  const source = [
    '// Doubles rows.',
    '// #params width (C / 4), hasBias: u32; scale: f32',
    '// #repeat s STORE',
    '// #write kept: f32',
    '// #end',
    '// #read x (a bit a token): u32; table: vec4u',
    '// #uniform count: vec4u[256]',
    'fn main() { kept[params.keptStride] = params.scale * params.gridWidth; x[params.xStride]; }',
  ].join('\n');
  const kernel = (STORE: number) => defineKernel('k', files({ k: source }), { STORE });

  test('declares uniforms, what is written, what is read, and the parameters', () => {
    expect(kernel(1).bindings.map(({ name, index, kind, words }) => [name, index, kind, words])).toEqual([
      ['count', 1, 'uniform', 4],
      ['kept', 2, 'storage', 1],
      ['x', 3, 'read-only-storage', 1],
      ['table', 4, 'read-only-storage', 4],
    ]);
    expect(kernel(1).code).toContain('// Doubles rows.\nstruct Params {');
    expect(kernel(1).parameters.get('scale')?.type).toBe('f32');
  });

  test('has the strides that the text reads, and no other', () => {
    expect([...kernel(1).parameters.keys()]).toEqual([
      ...['gridWidth', 'keptStride', 'xStride'],
      ...['width', 'hasBias', 'scale'],
    ]);
  });

  test('leaves out what is repeated zero times', () => {
    expect(kernel(0).bindings.map(({ name }) => name)).toEqual(['count', 'x', 'table']);
  });

  test('says which line cannot be read, and what is declared twice', () => {
    const withLine = (line: string) => () => defineKernel('k', files({ k: line }));
    expect(withLine('// #read x, y')).toThrow('"// #read x, y" should read like "// #read a, b: f32; c: u32"');
    expect(withLine('// #read x: f32\n// #write x: f32')).toThrow('k declares x twice.');
  });
});

describe('A kernel', () => {
  const declaration = `
    struct Params {
      frequencies: array<vec4f, 2>,
      length: u32, // elements
      scale: f32,
    }
    @group(0) @binding(0) var<uniform> params: Params;
    @group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
    @group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
    @group(0) @binding(3) var<storage, read> x: array<f32>;`;

  test('reads bindings, access modes and the fields of Params from its text', () => {
    const kernel = defineKernel('k', files({ k: declaration }));
    expect(kernel.bindings).toEqual([
      { name: 'count', index: 1, kind: 'uniform', words: 4, fixedBytes: 4096 },
      { name: 'out', index: 2, kind: 'storage', words: 4, fixedBytes: 0 },
      { name: 'x', index: 3, kind: 'read-only-storage', words: 1, fixedBytes: 0 },
    ]);
    expect(Object.fromEntries(kernel.parameters)).toEqual({
      frequencies: { type: 'f32', offset: 0, length: 8 },
      length: { type: 'u32', offset: 32, length: 1 },
      scale: { type: 'f32', offset: 36, length: 1 },
    });
    expect(kernel.parameterBytes).toBe(48);
  });

  test('may not have more storage bindings than every device allows', () => {
    const bindings = Array.from(
      { length: 9 },
      (_, i) => `@group(0) @binding(${i + 1}) var<storage, read> x${i}: array<f32>;`,
    );
    expect(() => defineKernel('k', files({ k: `struct Params { n: u32 }\n${bindings.join('\n')}` }))).toThrow(
      '9 storage bindings',
    );
  });
});
