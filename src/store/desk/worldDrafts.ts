/** Drafts of worlds in this browser: the one that is being written, and those whose place another text took. */
import * as v from 'valibot';
import { readSaved, writeSaved } from '../saved';

const DraftSchema = v.object({
  name: v.nullable(v.pipe(v.string(), v.maxLength(100))),
  text: v.string(),
  settings: v.record(v.string(), v.union([v.number(), v.boolean(), v.string()])),
  /** True while it is the experiment's program, as it came. */
  isOthers: v.optional(v.boolean()),
});

export type WorldDraft = Readonly<v.InferOutput<typeof DraftSchema>>;

/** Most earlier drafts that are kept. */
const MOST_EARLIER = 8;
/** Their number first: another page of the origin may have written them. */
const EarlierSchema = v.pipe(v.array(v.unknown()), v.maxLength(MOST_EARLIER), v.array(DraftSchema));
/** Name of an earlier draft among the texts to begin from; its place in the list follows. */
const EARLIER = '@earlier-';

export function savedDraft(): WorldDraft | null {
  const saved = v.safeParse(DraftSchema, readSaved('world'));
  return saved.success ? saved.output : null;
}

/** Drafts kept from before, the newest first. */
export function savedEarlier(): readonly WorldDraft[] {
  const saved = v.safeParse(EarlierSchema, readSaved('earlierWorlds'));
  return saved.success ? saved.output : [];
}

export function saveDraft(draft: WorldDraft): void {
  writeSaved('world', draft);
}

/** Puts a draft before the earlier ones, some of which another tab may have kept; gives them all. */
export function saveEarlier(draft: WorldDraft): readonly WorldDraft[] {
  const older = savedEarlier().filter(({ text }) => text !== draft.text);
  const earlier = [draft, ...older].slice(0, MOST_EARLIER);
  writeSaved('earlierWorlds', earlier);
  return earlier;
}

/** Title that a text gives its world; empty without one. */
export const titleIn = (text: string): string => /title: '(.*)'/.exec(text)?.[1] ?? '';

/** Kind of drawing that a text makes of its world, such as “ (board)”; empty where it does not say. */
export const drawingIn = (text: string): string => {
  const kind = /kind: '(.*?)'/.exec(text)?.[1];
  return kind === undefined ? '' : ` (${kind})`;
};

/** Earlier drafts as texts to begin from, by name, with their titles. */
export const earlierTemplates = (earlier: readonly WorldDraft[]): (readonly [name: string, title: string])[] =>
  earlier.map(({ name, text }, at) => [`${EARLIER}${at}`, `Written before: ${name ?? (titleIn(text) || 'untitled')}`]);

/** The earlier draft of such a name. */
export const earlierAt = (earlier: readonly WorldDraft[], name: string): WorldDraft | undefined =>
  name.startsWith(EARLIER) ? earlier[Number(name.slice(EARLIER.length))] : undefined;
