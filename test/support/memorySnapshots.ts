/** Archive of states in memory, by the rules of the browser's. */
import {
  type KeptStates,
  type Save,
  type SnapshotArchive,
  stateAfter,
  surplusStates,
} from '../../src/storage/snapshots';

export class MemorySnapshots implements SnapshotArchive {
  readonly entries = new Map<string, KeptStates>();
  readonly #states = new Map<string, Uint8Array>();
  readonly #curves = new Map<string, Map<number, Uint8Array>>();
  /** Called before a save; throws to refuse it. */
  refuse: (save: Save) => void = () => {};

  async list(): Promise<KeptStates[]> {
    return [...this.entries.values()].reverse();
  }

  async state(run: string, update: number): Promise<Uint8Array | null> {
    return this.#states.get(`${run} ${update}`) ?? null;
  }

  async curves(run: string, from = 0): Promise<Uint8Array[]> {
    const pieces = [...(this.#curves.get(run) ?? [])].sort(([a], [b]) => a - b);
    const first = pieces.findLast(([begin]) => begin <= from)?.[0] ?? 0;
    return pieces.filter(([begin]) => begin >= first).map(([, piece]) => piece);
  }

  async put(save: Save): Promise<readonly string[]> {
    this.refuse(save);
    const { run, update, from } = save;
    const pieces = this.#curves.get(run) ?? new Map<number, Uint8Array>();
    for (const old of [...pieces.keys()]) if (old >= from) pieces.delete(old);
    if (save.curves !== null) pieces.set(from, save.curves);
    const bytes = [...pieces.values()].reduce((sum, piece) => sum + piece.byteLength, 0);
    const entry = stateAfter(this.entries.get(run), save, bytes);
    this.#curves.set(run, pieces);
    this.#states.set(`${run} ${update}`, save.state);
    this.entries.set(run, entry);
    const dropped = surplusStates([...this.entries.values()], new Set([run]));
    for (const old of dropped) await this.remove(old);
    return dropped;
  }

  async remove(run: string): Promise<void> {
    this.entries.delete(run);
    this.#curves.delete(run);
  }

  async star(run: string, starred: boolean): Promise<void> {
    const entry = this.entries.get(run);
    if (entry !== undefined) this.entries.set(run, { ...entry, starred });
  }

  /** Flips a bit in the middle of a state. */
  damage(run: string, update: number): void {
    const bytes = this.#states.get(`${run} ${update}`);
    if (bytes === undefined) throw new Error(`There is no state of update ${update}.`);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] as number) ^ 1;
  }

  /** Flips a bit in the first piece of a run's curves. */
  damageCurves(run: string): void {
    const [piece] = this.#curves.get(run)?.values() ?? [];
    if (piece === undefined) throw new Error('There are no curves.');
    piece[piece.length - 1] = (piece.at(-1) as number) ^ 1;
  }
}
