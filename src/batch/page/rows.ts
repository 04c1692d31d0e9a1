/**
 * A batch as rows of one height, so that the page needs only those in sight: a head for each trajectory, then its tokens, a row
 * for each role and as many more as the width asks for; or trajectories alone, under a head for each group.
 */
import { BATCH_ROLE, BATCH_ROLES, type BatchTrajectory } from '../trajectory';
import { lastUpTo, type Pieces, piecesOf, type TokenPosition } from './pieces';

export type ShownView = 'tokens' | 'groups';

export interface RowToken {
  readonly text: string;
  /** Width of the token, in letters. */
  readonly width: number;
  /** Weight in the loss; NaN where the batch has no weights. */
  readonly weight: number;
  readonly predictWeight: number;
}

export type PageRow =
  | { readonly kind: 'group'; readonly members: Uint32Array }
  | { readonly kind: 'head'; readonly trajectory: number }
  | {
      readonly kind: 'tokens';
      readonly trajectory: number;
      readonly role: string;
      /** True for the first row of its role. */
      readonly begins: boolean;
      /** Index of the row's first token. */
      readonly from: number;
      readonly tokens: readonly RowToken[];
    };

/** Keys that walk along the tokens. */
export const MOVES = ['left', 'right', 'up', 'down', 'pageUp', 'pageDown', 'first', 'last', 'before', 'next'] as const;
export type Move = (typeof MOVES)[number];

/** Rows of a page's turn. */
const PAGE = 16;
/** Letters of a token that are shown. */
const MOST_LETTERS = 40;
/** Room beside a token's letters, in letters. */
const BESIDE = 1.5;

/** One trajectory, or in the view of groups a group: first its head, then the rows under it. */
interface Part {
  /** Index of the part's first row. */
  readonly row: number;
  readonly trajectory: BatchTrajectory | null;
  /** First token of each row under the head; of a group, the numbers of its trajectories. */
  readonly starts: Uint32Array;
}

export class TokenRows {
  readonly view: ShownView;
  readonly count: number;
  readonly #trajectories: readonly BatchTrajectory[];
  readonly #parts: readonly Part[];
  readonly #first: Uint32Array;
  /** Index in #parts of the part that has each trajectory, by the trajectory's index. */
  readonly #partOf: Uint32Array;
  #last: { readonly of: BatchTrajectory; readonly pieces: Pieces } | null = null;

  /** `columns`: letters that a row has room for. */
  constructor(trajectories: readonly BatchTrajectory[], view: ShownView, columns: number) {
    this.view = view;
    this.#trajectories = trajectories;
    const parts =
      view === 'groups'
        ? groupsOf(trajectories).map((starts) => ({ trajectory: null, starts }))
        : trajectories.map((trajectory) => ({ trajectory, starts: startsOf(this.#piecesOf(trajectory), columns) }));
    this.#first = new Uint32Array(parts.length);
    this.#partOf = new Uint32Array(trajectories.length);
    let row = 0;
    this.#parts = parts.map((part, at) => {
      const { trajectory, starts } = part;
      const own = { ...part, row };
      this.#first[at] = row;
      for (const number of trajectory === null ? starts : [at + 1]) this.#partOf[number - 1] = at;
      row += 1 + starts.length;
      return own;
    });
    this.count = row;
  }

  /** Row that shows a token, or its trajectory. */
  rowOf({ trajectory, token }: TokenPosition): number {
    const part = this.#parts[this.#partOf[trajectory - 1] ?? 0];
    if (part === undefined) return 0;
    const { row, starts } = part;
    if (starts.length === 0) return row;
    return row + 1 + (part.trajectory === null ? starts.indexOf(trajectory) : lastUpTo(starts, token));
  }

  /** The first token of a row, that of a head's trajectory or group. */
  placeOf(row: number): TokenPosition {
    const { part, within } = this.#at(row);
    if (part.trajectory === null) return { trajectory: part.starts[Math.max(0, within)] ?? 1, token: 0 };
    return { trajectory: part.trajectory.number, token: within < 0 ? 0 : (part.starts[within] ?? 0) };
  }

  slice(from: number, to: number): PageRow[] {
    const rows: PageRow[] = [];
    for (let row = Math.max(0, from); row < Math.min(to, this.count); row++) rows.push(this.#row(row));
    return rows;
  }

  /** The place to which a key leads. */
  moved(from: TokenPosition, by: Move): TokenPosition {
    const { trajectory, token } = from;
    const last = this.#lengthOf(trajectory) - 1;
    if (by === 'first') return { trajectory, token: 0 };
    if (by === 'last') return { trajectory, token: Math.max(0, last) };
    if (by === 'before' || by === 'next') return this.#beside(from, by === 'next' ? 1 : -1);
    if (this.view === 'groups' || by.startsWith('page') || by === 'up' || by === 'down') return this.#byRows(from, by);
    if (by === 'right') return token < last ? { trajectory, token: token + 1 } : this.#beside(from, 1);
    if (token > 0) return { trajectory, token: token - 1 };
    const { trajectory: before } = this.#beside(from, -1);
    return before === trajectory ? from : { trajectory: before, token: Math.max(0, this.#lengthOf(before) - 1) };
  }

  /** The first token of a trajectory beside this one; the same place where there is none. */
  #beside(from: TokenPosition, by: 1 | -1): TokenPosition {
    const trajectory = from.trajectory + by;
    return this.#trajectories[trajectory - 1] === undefined ? from : { trajectory, token: 0 };
  }

  #byRows(from: TokenPosition, by: Move): TokenPosition {
    const down = by === 'down' || by === 'right' || by === 'pageDown';
    const rows = by.startsWith('page') ? PAGE : 1;
    const here = this.rowOf(from);
    let row = Math.min(this.count - 1, Math.max(0, here + (down ? rows : -rows)));
    // Heads are passed over.
    while (this.#at(row).within < 0 && this.#at(row).part.starts.length > 0) {
      if (down ? row === this.count - 1 : row === 0) return from;
      row += down ? 1 : -1;
    }
    const { part, within } = this.#at(row);
    const place = this.placeOf(row);
    if (part.trajectory === null) return place;
    const end = part.starts[within + 1] ?? this.#lengthOf(place.trajectory);
    const along = from.token - this.placeOf(here).token;
    return { ...place, token: Math.max(0, Math.min(place.token + along, end - 1)) };
  }

  /** Part of a row, and its place under the part's head: −1 for the head. */
  #at(row: number): { part: Part; within: number } {
    const part = this.#parts[lastUpTo(this.#first, row)];
    if (part === undefined) throw new Error(`There is no row ${row}.`);
    return { part, within: row - part.row - 1 };
  }

  #row(row: number): PageRow {
    const { part, within } = this.#at(row);
    const { trajectory, starts } = part;
    if (trajectory === null) {
      return within < 0 ? { kind: 'group', members: starts } : { kind: 'head', trajectory: starts[within] ?? 1 };
    }
    if (within < 0) return { kind: 'head', trajectory: trajectory.number };
    const { length, roleOf, textOf } = this.#piecesOf(trajectory);
    const [from = 0, to = length] = starts.subarray(within, within + 2);
    const { weight, predictWeight } = trajectory.columns;
    const tokens = Array.from({ length: to - from }, (_, at): RowToken => {
      const text = shown(textOf(from + at));
      return {
        ...{ text, width: widthOf(text) },
        weight: weight === undefined ? Number.NaN : weight[from + at] || 0,
        predictWeight: predictWeight?.[from + at] || 0,
      };
    });
    const role = roleOf(from);
    return {
      ...{ kind: 'tokens', trajectory: trajectory.number, role: BATCH_ROLES[role] ?? 'unknown' },
      ...{ begins: from === 0 || roleOf(from - 1) !== role, from, tokens },
    };
  }

  #lengthOf(trajectory: number): number {
    const one = this.#trajectories[trajectory - 1];
    return one === undefined ? 0 : this.#piecesOf(one).length;
  }

  /** Words of texts are split once for all rows of a trajectory. */
  #piecesOf(of: BatchTrajectory): Pieces {
    if (this.#last?.of !== of) this.#last = { of, pieces: piecesOf(of) };
    return this.#last.pieces;
  }
}

/** First token of each row. A line break ends a row, but not of the template. */
function startsOf({ length, roleOf, textOf }: Pieces, columns: number): Uint32Array {
  const starts: number[] = [];
  let [left, role, isOver] = [0, -1, true];
  for (let token = 0; token < length; token++) {
    const text = textOf(token);
    const width = widthOf(shown(text)) + BESIDE;
    if (isOver || roleOf(token) !== role || width > left) {
      starts.push(token);
      left = columns;
      role = roleOf(token);
    }
    left -= width;
    isOver = role !== BATCH_ROLE.template && text.endsWith('\n');
  }
  return Uint32Array.from(starts);
}

/** Numbers of the trajectories of each group, in the order in which groups begin; one without a group is alone. */
function groupsOf(trajectories: readonly BatchTrajectory[]): Uint32Array[] {
  const groups = new Map<string | number, number[]>();
  for (const { group, number } of trajectories) {
    const members = groups.get(group ?? number);
    if (members === undefined) groups.set(group ?? number, [number]);
    else members.push(number);
  }
  return [...groups.values()].map((members) => Uint32Array.from(members));
}

/** A text with its spaces and line ends visible: a space alone would be nothing. */
export const shown = (text: string): string =>
  text.slice(0, MOST_LETTERS).replaceAll(' ', '·').replaceAll('\n', '⏎') || '∅';

/** Letters of Chinese and the like are twice as wide. */
function widthOf(text: string): number {
  let width = 0;
  for (let at = 0; at < text.length; at++) width += text.charCodeAt(at) < 0x1100 || text[at] === '⏎' ? 1 : 2;
  return Math.max(2, width);
}
