/** Archive of runs in memory. */
import type { KeptCurves, KeptRun, RunArchive } from '../../src/storage/runs';

export function memoryRuns() {
  const runs = new Map<number, KeptRun>();
  const kept = new Map<number, KeptCurves>();
  const archive: RunArchive = {
    list: async () => [...runs.values()].reverse(),
    curves: async (id) => kept.get(id) ?? null,
    async put({ id: known, ...run }, curves) {
      const id = known ?? runs.size + 1;
      if (known !== null && !runs.has(known)) return { id: null, dropped: [] };
      const { name, note, starred, tags, deleted } = runs.get(id) ?? run;
      const said = { name, note, starred, tags, deleted };
      runs.set(id, structuredClone({ ...run, ...said, id, bytes: curves.values.byteLength, seconds: null }));
      kept.set(id, structuredClone(curves));
      return { id, dropped: [] };
    },
    async annotate(id, what) {
      runs.set(id, { ...(runs.get(id) as KeptRun), ...what });
    },
    async remove(id) {
      runs.delete(id);
    },
    damaged: async () => 0,
    removeDamaged: async () => {},
  };
  return { archive, runs, kept };
}
