/** Attention of an inspected trajectory, as shares of one query and in words: of one head, or the mean of a layer's heads. */
import type { Inspection } from '../../../../../train/looks/shown';

/** A layer of the policy, and one of its heads or the mean of all. */
export interface AttentionPlace {
  readonly layer: number;
  readonly head: number | null;
}

/** Share of a query's attention that goes to an earlier token, 0 … 1; 0 for a later one; NaN where unknown. */
export function attentionTo(
  { attention, tokens }: Inspection,
  place: AttentionPlace,
  query: number,
  key: number,
): number {
  const { layers, heads, probabilities } = attention;
  if (layers === 0) return Number.NaN;
  const T = tokens.length;
  // The chosen layer may come from a larger policy.
  const layer = Math.min(place.layer, layers - 1);
  const of = (head: number): number => probabilities[((layer * heads + head) * T + query) * T + key] ?? 0;
  if (place.head !== null) return of(Math.min(place.head, heads - 1));
  let sum = 0;
  for (let head = 0; head < heads; head++) sum += of(head);
  return sum / heads;
}

/** Every head of every layer, each layer's mean after its heads. */
export function placesOf({ attention: { layers, heads } }: Inspection): AttentionPlace[] {
  return Array.from({ length: layers }, (_, layer) => [
    ...Array.from({ length: heads }, (_, head) => ({ layer, head })),
    ...(heads > 1 ? [{ layer, head: null }] : []),
  ]).flat();
}

/** The tokens up to the query that get the most of any head, at most so many, in the order of the trajectory. */
export function mostAttended(inspection: Inspection, query: number, most: number): number[] {
  const places = placesOf(inspection);
  const largest = Array.from({ length: query + 1 }, (_, key) =>
    Math.max(...places.map((place) => attentionTo(inspection, place, query, key))),
  );
  const byShare = [...largest.keys()].sort((a, b) => (largest[b] as number) - (largest[a] as number) || a - b);
  return byShare.slice(0, most).sort((a, b) => a - b);
}

export function placeWords({ layer, head }: AttentionPlace): string {
  return `layer ${layer + 1}, ${head === null ? 'mean' : `head ${head + 1}`}`;
}
