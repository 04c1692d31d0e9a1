/**
 * Known name that was probably meant by an unknown one: as near as two letters, or half of them where it is short; else
 * null.
 */
export function nearest(typed: string, known: Iterable<string>): string | null {
  if (typed.length > 40) return null;
  let best: string | null = null;
  let least = Math.min(2, Math.floor(typed.length / 2)) + 1;
  for (const name of known) {
    if (Math.abs(name.length - typed.length) >= least) continue;
    const distance = editDistance(typed.toLowerCase(), name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** Letters to insert, delete or replace (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}
