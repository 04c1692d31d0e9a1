/** The trajectories that the page looks at: their rows, the chosen token, and the words on each. */
import { precisePercent } from '../../foundation/percent';
import { BATCH_ROLES, type BatchTrajectory, used } from '../trajectory';
import { short } from '../words/words';
import type { ChosenBatchToken, Laid, ShownRow, ShownRows } from './asked';
import { findText, piecesOf, type TokenPosition } from './pieces';
import { type Move, type ShownView, shown, TokenRows } from './rows';

export class BatchConversation {
  readonly #trajectories: readonly BatchTrajectory[];
  /** Σ |weight × advantage| of the batch. */
  readonly #gradient: number;
  #chosen: TokenPosition = { trajectory: 1, token: 0 };
  #rows: TokenRows;
  #layout = 0;

  constructor(trajectories: readonly BatchTrajectory[], gradient: number) {
    this.#trajectories = trajectories;
    this.#gradient = gradient;
    this.#rows = new TokenRows([], 'tokens', 1);
  }

  lay(view: ShownView, columns: number, top: number): Laid {
    const atTop = this.#rows.count === 0 ? this.#chosen : this.#rows.placeOf(Math.min(top, this.#rows.count - 1));
    this.#rows = new TokenRows(this.#trajectories, view, columns);
    this.#layout++;
    const row = top === 0 ? 0 : this.#rows.rowOf(atTop);
    return { layout: this.#layout, view, rows: this.#rows.count, top: row };
  }

  shown(from: number, to: number): ShownRows {
    const rows = this.#rows.slice(from, to).map((row): ShownRow => {
      if (row.kind === 'head') return { ...row, words: this.#headOf(row.trajectory) };
      return row.kind === 'group' ? { kind: 'group', words: this.#groupOf(row.members) } : row;
    });
    return { layout: this.#layout, from, to, rows };
  }

  choose({ trajectory, token }: TokenPosition): ChosenBatchToken | null {
    const one = this.#trajectories[Math.max(1, Math.min(trajectory, this.#trajectories.length)) - 1];
    if (one === undefined) return null;
    const pieces = piecesOf(one);
    const at = Math.max(0, Math.min(token, pieces.length - 1));
    this.#chosen = { trajectory: one.number, token: at };
    const { columns } = one;
    return {
      ...{ ...this.#chosen, row: this.#rows.count === 0 ? 0 : this.#rows.rowOf(this.#chosen) },
      ...{ line: one.line, length: pieces.length, text: shown(pieces.textOf(at)) },
      role: BATCH_ROLES[pieces.roleOf(at)] ?? 'unknown',
      numbers: {
        ...(one.length > 0 &&
          Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[at] ?? Number.NaN]))),
        ratio: Math.exp((columns.logp?.[at] ?? Number.NaN) - (columns.old?.[at] ?? Number.NaN)),
        share:
          (100 * Math.abs(used(columns.weight?.[at], columns.advantage?.[at], columns.correction?.[at]))) /
          this.#gradient,
      },
    };
  }

  move(by: Move): ChosenBatchToken | null {
    return this.choose(this.#rows.moved(this.#chosen, by));
  }

  find(text: string, isBackwards: boolean): ChosenBatchToken | null {
    const place = findText(this.#trajectories, text, this.#chosen, isBackwards);
    return place === null ? null : this.choose(place);
  }

  #headOf(trajectory: number): string {
    const one = this.#trajectories[trajectory - 1];
    if (one === undefined) return '';
    const { line, reward, length, truncated, columns } = one;
    const { weight, advantage, correction } = columns;
    let [trained, gradient] = [0, 0];
    for (let at = 0; at < length; at++) {
      const own = used(weight?.[at], advantage?.[at], correction?.[at]);
      if ((weight?.[at] || 0) !== 0) trained++;
      gradient += Math.abs(own);
    }
    return [
      `Trajectory ${trajectory}, line ${line}`,
      ...(reward === null ? [] : [`reward ${short(reward)}`]),
      ...(length === 0 ? [] : [`${length.toLocaleString('en')} tokens`]),
      ...(weight === undefined ? [] : [`${trained.toLocaleString('en')} trained`]),
      ...(this.#gradient > 0 ? [`${precisePercent(gradient / this.#gradient)} of |∂loss/∂logp|`] : []),
      ...(truncated === true ? ['cut off'] : []),
    ].join(' · ');
  }

  #groupOf(members: Uint32Array): string {
    const all = [...members].map((number) => this.#trajectories[number - 1]);
    const rewards = all.map((one) => one?.reward ?? null).filter((reward) => reward !== null);
    const isSilent = all.length > 1 && rewards.length === all.length && new Set(rewards).size === 1;
    return [
      `Group ${all[0]?.group?.replace(/^\/+/, '').slice(0, 60) ?? 'of its own'}`,
      `${all.length} ${all.length === 1 ? 'trajectory' : 'trajectories'}`,
      ...(rewards.length === 0 ? [] : [`rewards ${rewards.slice(0, MOST_REWARDS).map(short).join(' ')}`]),
      ...(isSilent ? ['all rewards are equal'] : []),
    ].join(' · ');
  }
}

/** Most rewards of a group that are told. */
const MOST_REWARDS = 12;
