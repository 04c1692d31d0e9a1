/** Keys that play a world by hand: arrows for moves, a word's own letter, digits for the first nine words. */

const ARROWS: Readonly<Record<string, readonly string[]>> = {
  ArrowUp: ['up', '↑', 'north', 'forward'],
  ArrowDown: ['down', '↓', 'south', 'back'],
  ArrowLeft: ['left', '←', 'west'],
  ArrowRight: ['right', '→', 'east'],
};

const SIGNS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };

/** The word that a key says among those that are legal. */
export function actionOfKey(key: string, legal: readonly string[]): string | undefined {
  const arrow = ARROWS[key];
  if (arrow !== undefined) return legal.find((word) => arrow.includes(word.toLowerCase()));
  if (legal.includes(key)) return key;
  return /^[1-9]$/.test(key) ? legal[Number(key) - 1] : undefined;
}

/** Sign of the key that plays a word as the action, such as ←; null where no key does. */
export function keyOf(word: string, index: number, legal: readonly string[]): string | null {
  const arrow = Object.entries(ARROWS).find(([key]) => actionOfKey(key, legal) === word);
  if (arrow !== undefined) return SIGNS[arrow[0]] ?? null;
  if (word.length === 1) return word;
  const digit = String(index + 1);
  return index < 9 && actionOfKey(digit, legal) === word ? digit : null;
}
