/**
 * Drawings of a user's world: data that its `draw` returns, checked. A board is drawn as the lab's own boards are; text,
 * tables, cards and shapes are a scene of their own. Without `draw` it is what was said.
 */
import * as v from 'valibot';
import { excerpt } from '../../foundation/errors';
import type { BoardScene, DrawingScene, Scene, StoryScene } from '../scene';
import { refuse } from './reading';

/** Parts of a drawing, and cells of a table: the page draws them all again at each turn of each arm. */
const MOST = 400;
const MOST_CELLS = 1024;
/**
 * Characters of all its texts: as many of scripts that a browser looks up one by one, or marks above each other, lay out in 20 ms.
 */
const MOST_CHARACTERS = 10_000;

const line = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.maxLength(200));
const size = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(32));
const cell = v.picklist([
  'floor',
  'wall',
  'ice',
  'hole',
  'goal',
  'key',
  'door',
  'open-door',
  'target',
] satisfies readonly BoardScene['cells'][number][]);
const tone = v.optional(v.picklist(['plain', 'good', 'bad', 'soft']), 'plain');
const number = v.pipe(v.number(), v.minValue(-10_000), v.maxValue(10_000));
const place = v.tuple([number, number]);
/** Size of a shape: at 0 nothing of it is seen, below 0 no browser draws it. */
const extent = v.pipe(number, v.minValue(0));
/** Size of a whole drawing, or height of a letter: browsers round to 32 bits. */
const room = v.pipe(number, v.minValue(1e-6));
/** List whose length is checked first: a world may tell millions of parts. */
const list = <T extends v.GenericSchema>(of: T, most = MOST) =>
  v.pipe(v.array(v.unknown()), v.maxLength(most), v.array(of));

const BoardSchema = v.strictObject({
  kind: v.literal('board'),
  width: size,
  height: size,
  cells: list(cell, MOST_CELLS),
  agent: place,
  boxes: v.optional(list(place), []),
  carrying: v.optional(v.nullable(line), null),
});

const DrawingSchema = v.variant('kind', [
  v.strictObject({
    kind: v.literal('text'),
    lines: list(v.union([line, v.strictObject({ text: line, tone })])),
  }),
  v.strictObject({
    kind: v.literal('table'),
    head: v.optional(list(line), []),
    rows: v.pipe(
      list(list(line)),
      v.check((rows) => rows.reduce((sum, row) => sum + row.length, 0) <= MOST_CELLS, `more than ${MOST_CELLS} cells`),
    ),
  }),
  v.strictObject({
    kind: v.literal('cards'),
    cards: list(v.strictObject({ title: line, text: v.optional(line, ''), tone })),
  }),
  v.strictObject({
    kind: v.literal('shapes'),
    width: room,
    height: room,
    shapes: list(
      v.variant('shape', [
        v.strictObject({ shape: v.literal('rect'), x: number, y: number, width: extent, height: extent, tone }),
        v.strictObject({ shape: v.literal('circle'), x: number, y: number, radius: extent, tone }),
        v.strictObject({ shape: v.literal('line'), x: number, y: number, toX: number, toY: number, tone }),
        v.strictObject({ shape: v.literal('text'), x: number, y: number, text: line, size: v.optional(room), tone }),
      ]),
    ),
  }),
]);

export type WorldDrawing = v.InferOutput<typeof DrawingSchema>;

/** Picture of the words said, where the world draws none. */
type Said = Pick<DrawingScene, 'kind' | 'drawing'> | Pick<StoryScene, 'kind' | 'begins' | 'lines'>;

/** Scene of what `draw` told, or else of what was said. Throws WorldError for a drawing that is none. */
export function ownScene(told: unknown, probe: unknown, said: Said, action: string | null): Scene {
  const probed = probe === null ? {} : { probe: readProbe(probe) };
  if (told === null) return { ...said, ...probed, action };
  if (typeof told === 'object' && (told as { kind?: unknown }).kind === 'board') {
    const { cells, ...board } = read(BoardSchema, told);
    if (cells.length !== board.width * board.height) refuse('draw() gives a board with another number of cells');
    return { ...board, cells, controls: null, ...probed, action };
  }
  const { kind } = Object(told) as { kind?: unknown };
  if (!DrawingSchema.options.some(({ entries }) => entries.kind.literal === kind)) {
    refuse(`draw() gives no drawing of the kinds that there are: ${KINDS.join(', ')}`);
  }
  const drawing = read(DrawingSchema, told);
  if (charactersOf(drawing) > MOST_CHARACTERS) {
    refuse(`draw() gives texts of more than ${MOST_CHARACTERS.toLocaleString('en')} characters together`);
  }
  return { kind: 'drawing', drawing, ...probed, action };
}

/** Characters of all texts. */
function charactersOf(drawing: WorldDrawing): number {
  const count = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);
  switch (drawing.kind) {
    case 'text':
      return count(drawing.lines.map((one) => (typeof one === 'string' ? one : one.text)));
    case 'table':
      return count([...drawing.head, ...drawing.rows.flat()]);
    case 'cards':
      return count(drawing.cards.flatMap(({ title, text }) => [title, text]));
    case 'shapes':
      return count(drawing.shapes.map((shape) => (shape.shape === 'text' ? shape.text : '')));
  }
}

const KINDS = ['board', ...DrawingSchema.options.map(({ entries }) => entries.kind.literal)];

const ProbeSchema = v.pipe(
  v.record(v.pipe(v.string(), v.regex(/^[a-z][A-Za-z0-9 ]{0,23}$/)), v.pipe(line, v.maxLength(40))),
  v.check((probe) => Object.keys(probe).length <= 8, 'there are more than 8'),
);

/** Parts of the state by name, each with its class. Throws WorldError. */
function readProbe(told: unknown): Readonly<Record<string, string>> {
  const result = v.safeParse(ProbeSchema, told);
  if (result.success) return result.output;
  return refuse(`probe() gives no names with texts: ${reasonIn(result.issues[0])}`);
}

function read<T extends v.GenericSchema>(schema: T, told: unknown): v.InferOutput<T> {
  const result = v.safeParse(schema, told);
  if (result.success) return result.output;
  const [issue] = result.issues;
  return refuse(`draw() gives no drawing: ${excerpt(v.getDotPath(issue) ?? 'it', 60)}: ${reasonIn(issue)}`);
}

/** Message of an issue, which may repeat what the world told, as a part of a sentence. */
function reasonIn({ message }: v.BaseIssue<unknown>): string {
  return excerpt(message, 200).replace(/\.$/, '');
}

/** The words said, a line for each turn; of a long conversation its end. */
export function conversation(said: readonly string[]): Said {
  const lines: string[] = [''];
  for (const word of said) {
    if (word === '<bos>') continue;
    if (word.startsWith('› ')) lines.push(word, '');
    else lines[lines.length - 1] = `${lines.at(-1) ?? ''} ${word}`.trim();
  }
  const texts = lines.filter((text) => text !== '').map((text) => text.slice(0, 200));
  let from = texts.length;
  for (let left = MOST_CHARACTERS - 1; from > 0 && (texts[from - 1]?.length ?? 0) <= left; from--) {
    left -= texts[from - 1]?.length ?? 0;
  }
  const shown = from === 0 ? texts : ['…', ...texts.slice(from)];
  return { kind: 'drawing', drawing: { kind: 'text', lines: shown.map((text) => ({ text, tone: 'plain' as const })) } };
}
