/**
 * Similarity of two sequences by Ratcliff and Obershelp (Dr. Dobb's Journal, July 1988), as Python's difflib has it: 2·M / T,
 * with T the words of both and M those in matching blocks. The longest block comes first, then the longest to its left and to
 * its right, and so on; of blocks as long as each other the one that begins first in a, then in b. SWE-RL (arXiv 2502.18449)
 * pays it for a patch.
 */

/** Similarity of two lists of words, 0 … 1; 1 for two that are empty. */
export function similarity(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const all = a.length + b.length;
  return all === 0 ? 1 : (2 * matching(a, b, 0, a.length, 0, b.length)) / all;
}

/** Words in matching blocks of a[aFrom … aTo) and b[bFrom … bTo). */
function matching(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  aFrom: number,
  aTo: number,
  bFrom: number,
  bTo: number,
): number {
  let [length, aBest, bBest] = [0, aFrom, bFrom];
  for (let i = aFrom; i < aTo; i++) {
    for (let j = bFrom; j < bTo; j++) {
      let same = 0;
      while (i + same < aTo && j + same < bTo && a[i + same] === b[j + same]) same += 1;
      if (same > length) [length, aBest, bBest] = [same, i, j];
    }
  }
  if (length === 0) return 0;
  const left = matching(a, b, aFrom, aBest, bFrom, bBest);
  return length + left + matching(a, b, aBest + length, aTo, bBest + length, bTo);
}
