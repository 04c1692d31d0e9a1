/** Scenes of the shop, at the prompt and after every turn, replayed from a trajectory's actions. */
import type { Emission } from '../environment';
import type { ShopScene } from '../scene';
import { firstWord, SIZE_MASK, WORDS, wordsOf } from './catalogue';
import { shownPrice } from './instruction';
import type { PagedShopSlots } from './pagedSlots';
import { PAGE, productWord } from './shopWords';
import type { SimpleShopSlots } from './simple';

/** Words said in a turn, and whether one was a warning. */
class Heard implements Emission {
  readonly #words: readonly string[];
  readonly said: string[] = [];
  isWarning = false;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  emit(token: number, role: string): boolean {
    this.said.push(this.#words[token] ?? '?');
    this.isWarning ||= role === 'warning';
    return true;
  }

  clear(): void {
    this.said.length = 0;
    this.isWarning = false;
  }
}

/** Instruction in words: `red lamp, quiet, size small, for $3 at most`. */
function instructionText(task: ArrayLike<number>): string {
  const [type = '', colour = '', ...features] = wordsOf(task[1]);
  const size = task[2];
  const wishes = [`${colour} ${type}`, ...features, ...(size === 0 ? [] : [`size ${WORDS[firstWord(size)]}`])];
  return `${wishes.join(', ')}, for $${task[3]} at most`;
}

const EMPTY = {
  page: 'search',
  query: null,
  results: [],
  item: null,
  buttons: [],
  complaint: null,
  score: null,
} as const;

export function simpleScenes(
  world: SimpleShopSlots,
  words: readonly string[],
  task: Int32Array,
  actions: readonly (readonly number[])[],
): ShopScene[] {
  const heard = new Heard(words);
  const instruction = instructionText(task);
  world.reset(0, task, heard);
  const scenes: ShopScene[] = [{ ...EMPTY, kind: 'shop', instruction, action: null }];
  for (const tokens of actions) {
    if (world.isDone(0)) break;
    heard.clear();
    world.step(0, tokens, heard);
    const before = scenes.at(-1) as ShopScene;
    const action = words[tokens[0] ?? 0] ?? '?';
    const next = { ...before, complaint: null, action };
    if (world.isBought(0)) scenes.push({ ...next, page: 'bought', buttons: [], score: world.progress(0) });
    else if (heard.isWarning) scenes.push({ ...next, complaint: complaintOf(heard) });
    else if (WORDS.some((word) => word === action)) {
      const results = heard.said.filter((word) => word !== 'none').map((id) => ({ id, text: '', price: '' }));
      scenes.push({ ...next, page: 'results', query: action, results });
    } else {
      const [type = '', colour = '', price = ''] = heard.said;
      const item = { id: action, attributes: [colour, type], options: [], price };
      scenes.push({ ...next, page: 'item', item, buttons: ['buy'] });
    }
  }
  return scenes;
}

export function pagedScenes(
  world: PagedShopSlots,
  words: readonly string[],
  task: Int32Array,
  actions: readonly (readonly number[])[],
): ShopScene[] {
  const heard = new Heard(words);
  world.reset(0, task, heard);
  const scenes: ShopScene[] = [pageOf(world, task, null, null)];
  for (const tokens of actions) {
    if (world.isDone(0)) break;
    heard.clear();
    const action = nameOf(words[tokens[0] ?? 0] ?? '?', scenes.at(-1) as ShopScene);
    world.step(0, tokens, heard);
    scenes.push(pageOf(world, task, action, complaintOf(heard)));
  }
  return scenes;
}

function complaintOf({ isWarning, said }: Heard): string | null {
  if (isWarning) return 'there is nothing of this name to click';
  return said[0] === 'unavailable' ? 'not available in this size' : null;
}

/** Text that was clicked: for a place, the result there. */
function nameOf(word: string, { page, results }: ShopScene): string {
  const place = ['first', 'second', 'third'].indexOf(word);
  return page === 'results' ? (results[place]?.id ?? word) : word;
}

function pageOf(world: PagedShopSlots, task: Int32Array, action: string | null, complaint: string | null): ShopScene {
  const { shelves } = world;
  const page = (['search', 'results', 'item', 'bought'] as const)[world.page[0]] ?? 'search';
  const opened = world.opened[0];
  const size = world.size[0];
  const results = world.listed(0).map((product) => ({
    id: productWord(product),
    text: '',
    price: shownPrice(shelves, product, 0),
  }));
  const has = opened === -1 ? 0 : shelves.words[opened];
  const [type = '', colour = '', ...features] = wordsOf(has & ~SIZE_MASK);
  const options = wordsOf(has & SIZE_MASK).map((text) => ({ text, isChosen: text === WORDS[firstWord(size)] }));
  const item = {
    id: productWord(opened),
    attributes: [colour, type, ...features],
    options,
    price: opened === -1 ? '' : shownPrice(shelves, opened, size),
  };
  const buttons = {
    search: [],
    results: world.hasMore[0] === 1 ? ['back', 'next'] : ['back'],
    item: ['back', 'buy'],
    bought: [],
  };
  return {
    kind: 'shop',
    instruction: instructionText(task),
    page,
    query: wordsOf(world.query[0]).join(' ') || null,
    results: page === 'results' ? results : [],
    item: opened === -1 ? null : item,
    buttons: buttons[page],
    complaint,
    score: world.page[0] === PAGE.bought ? world.progress(0) : null,
    action,
  };
}
