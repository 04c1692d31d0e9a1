import { withHead } from './head';

/**
 * Preprocessor of the shaders. `// #include "lib/grid.wgsl"` puts another file in its place, once per shader.
 * `// #repeat d HEAD_QUADS` … `// #end` writes its lines once per d, with `$d` replaced by 0, 1, … The count is a
 * number or one of the sizes given, 0 leaves the lines out; repetitions may stand inside each other. `$NAME` anywhere is
 * that size. Loops are written out where they index registers, as software WebGPU does not unroll. Constants shared with
 * TypeScript are left out of shaders that do not use them.
 * `// #write`, `#read`, `#uniform` and `#params` become the head (head.ts).
 */
export function preprocess(
  name: string,
  files: ReadonlyMap<string, string>,
  sizes: Readonly<Record<string, number>> = {},
): string {
  const written = repeat(name, include(name, files, new Set()), sizes);
  return withoutUnused(withHead(name, written)).replace(/\$([A-Z_]+)/g, (_, size: string) =>
    String(sizeOf(name, size, sizes)),
  );
}

function include(name: string, files: ReadonlyMap<string, string>, seen: Set<string>): string {
  const text = files.get(name);
  if (text === undefined) throw new Error(`No shader file is called "${name}".`);
  seen.add(name);
  return text.replace(/^[ \t]*\/\/ #include "([^"]+)"[ \t]*$/gm, (_, included: string) =>
    seen.has(included) ? '' : include(included, files, seen),
  );
}

/** Text without lines such as `const TERM_KL = 9u;` whose name is used nowhere else. */
function withoutUnused(text: string): string {
  const uses = new Map<string, number>();
  for (const word of text.match(/\w+/g) ?? []) uses.set(word, (uses.get(word) ?? 0) + 1);
  return text.replace(/^const (\w+) = \d+u;\n/gm, (line, constant: string) => (uses.get(constant) === 1 ? '' : line));
}

/** Lines of a repetition that has no other inside. */
const INNERMOST =
  /^[ \t]*\/\/ #repeat (\w+) (\w+)[ \t]*\n((?:(?![ \t]*\/\/ #(?:repeat|end)\b).*\n)*)[ \t]*\/\/ #end[ \t]*$/gm;

function repeat(name: string, text: string, sizes: Readonly<Record<string, number>>): string {
  const written = text.replace(INNERMOST, (_, variable: string, count: string, body: string) => {
    const copies: string[] = [];
    for (let i = 0; i < sizeOf(name, count, sizes); i++) copies.push(body.replaceAll(`$${variable}`, String(i)));
    return copies.join('');
  });
  return written === text ? text : repeat(name, written, sizes);
}

function sizeOf(name: string, size: string, sizes: Readonly<Record<string, number>>): number {
  const value = /^\d+$/.test(size) ? Number(size) : sizes[size];
  if (value === undefined) throw new Error(`${name} needs the size ${size}.`);
  return value;
}
