/** A batch as rows of one height: every token once, by role and width; keys walk along them; a text is found over several tokens. */
import { describe, expect, test } from 'vitest';
import { BatchConversation } from '../../src/batch/page/conversation';
import { findText } from '../../src/batch/page/pieces';
import { type Move, type PageRow, TokenRows } from '../../src/batch/page/rows';
import { audited } from './audited';
import { cleanBatch } from './episodes';
import { linesOf, WRITERS } from './forms';

const batchOf = async (form: string) =>
  (await audited(linesOf(cleanBatch(), WRITERS[form]?.write ?? String))).trajectories;
const BY_TOKEN = await batchOf('verl, tensors and texts');
const BY_TEXT = await batchOf('messages');

describe.each([8, 30, 200])('in a width of %i letters', (columns) => {
  const rows = new TokenRows(BY_TOKEN, 'tokens', columns);
  const all = rows.slice(0, rows.count);

  test('each token is in one row, which has one role and no more letters than there is room for', () => {
    const seen: Record<number, string[]> = {};
    for (const row of all) {
      if (row.kind !== 'tokens') continue;
      const { trajectory, from, tokens, role } = row;
      const own = seen[trajectory] ?? [];
      seen[trajectory] = own;
      expect(from).toBe(own.length);
      own.push(...tokens.map(() => role));
      if (tokens.length > 1) {
        expect(tokens.reduce((sum, { width }) => sum + width + 1.5, 0)).toBeLessThanOrEqual(columns);
      }
    }
    const roles = cleanBatch().map((one) =>
      one.roles.map((role, at) => (at < one.prompt && role !== 'template' ? 'prompt' : role)),
    );
    expect(Object.values(seen)).toEqual(roles);
  });

  test('a row’s place leads to the row, and parts are the same as the whole', () => {
    for (let row = 0; row < rows.count; row++) {
      if (all[row]?.kind === 'tokens') expect(rows.rowOf(rows.placeOf(row))).toBe(row);
      expect(rows.slice(row, row + 1)).toEqual([all[row]]);
    }
    expect(rows.slice(rows.count - 1, rows.count + 9)).toHaveLength(1);
  });

  test('keys come to every token from end to end, and rest there', () => {
    const walk = (by: Move, from: { trajectory: number; token: number }): number => {
      let [place, count] = [from, 0];
      for (let next = rows.moved(place, by); next !== place && count < 9999; next = rows.moved(place, by)) {
        if (next.trajectory === place.trajectory && next.token === place.token) break;
        place = next;
        count++;
      }
      return count;
    };
    const tokens = BY_TOKEN.reduce((sum, { length }) => sum + length, 0);
    const [first, last] = [
      { trajectory: 1, token: 0 },
      { trajectory: 24, token: (BY_TOKEN[23]?.length ?? 0) - 1 },
    ];
    expect([walk('right', first), walk('left', last)]).toEqual([tokens - 1, tokens - 1]);
    const tokenRows = all.filter(({ kind }) => kind === 'tokens').length;
    expect([walk('down', first), walk('up', last)]).toEqual([tokenRows - 1, tokenRows - 1]);
    expect(walk('next', first)).toBe(23);
    expect(rows.moved(rows.moved(first, 'last'), 'first')).toEqual(first);
  });
});

test('trajectories stand under their groups, wherever they are in the file', () => {
  const mixed = BY_TOKEN.map((one, at) => ({ ...one, group: `${at % 3}` }));
  const rows = new TokenRows(mixed, 'groups', 80);
  const words = rows
    .slice(0, rows.count)
    .map((row: PageRow) => (row.kind === 'group' ? `${row.members.length}` : row.kind));
  expect(words).toEqual([0, 1, 2].flatMap(() => ['8', ...Array.from({ length: 8 }, () => 'head')]));
  expect(rows.placeOf(2)).toEqual({ trajectory: 4, token: 0 });
  expect(rows.moved({ trajectory: 4, token: 5 }, 'down')).toEqual({ trajectory: 7, token: 0 });
  expect(rows.moved({ trajectory: 22, token: 0 }, 'right')).toEqual({ trajectory: 2, token: 0 });
});

test('texts without tokens are shown by their words', () => {
  const rows = new TokenRows(BY_TEXT, 'tokens', 200);
  const row = rows.slice(2, 3)[0];
  if (row?.kind !== 'tokens') throw new Error('There is no row of words.');
  expect([
    row.role,
    row.tokens
      .map(({ text }) => text)
      .join('')
      .split('·').length,
  ]).toEqual(['action', row.tokens.length]);
  expect(row.tokens.every(({ weight }) => Number.isNaN(weight))).toBe(true);
});

test('a text is found where it goes over several tokens, onwards, backwards and round', () => {
  const texts = cleanBatch()[4]?.texts ?? [];
  const at = texts.findIndex((text, token) => text.startsWith('word') && texts[token + 1]?.startsWith('word'));
  const wanted = `${texts[at]}${texts[at + 1]}`.toUpperCase();
  const place = { trajectory: 5, token: at };
  for (const from of [{ trajectory: 1, token: 0 }, { trajectory: 24, token: 3 }, place]) {
    expect(findText(BY_TOKEN, wanted, from, false)).toEqual(place);
    expect(findText(BY_TOKEN, wanted, from, true)).toEqual(place);
  }
  expect(findText(BY_TOKEN, 'nowhere', place, false)).toBeNull();
  const next = findText(BY_TOKEN, 'assistant', place, false);
  expect(next).toEqual({ trajectory: 5, token: texts.indexOf('assistant', at + 1) });
  expect(findText(BY_TOKEN, 'assistant', next ?? place, true)?.token).toBe(texts.indexOf('assistant'));
});

test('what is at the top stays there when the rows are laid out again, and heads tell rewards', () => {
  const conversation = new BatchConversation(BY_TOKEN, 100);
  conversation.lay('tokens', 30, 0);
  const [before] = conversation.shown(100, 101).rows;
  const { top, rows, layout } = conversation.lay('tokens', 20, 100);
  const [after] = conversation.shown(top, top + 1).rows;
  if (before?.kind !== 'tokens' || after?.kind !== 'tokens') throw new Error('There are no tokens.');
  expect([after.trajectory, after.role, layout]).toEqual([before.trajectory, before.role, 2]);
  expect(before.from - after.from).toBeLessThan(after.tokens.length);
  expect(conversation.choose({ trajectory: 99, token: 1e9 })).toMatchObject({ trajectory: 24, row: rows - 1 });
  conversation.lay('groups', 20, 0);
  const words = conversation.shown(0, 2).rows.map((row) => (row.kind === 'tokens' ? '' : row.words));
  expect(words[0]).toMatch(/^Group group 0 · 4 trajectories · rewards 0 1 0 1$/);
  expect(words[1]).toMatch(/^Trajectory 1, line 1 · reward 0 · \d+ tokens · \d+ trained · .*%/);
});
