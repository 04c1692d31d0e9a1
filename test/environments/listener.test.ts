/** The listener: its pieces and texts are those of the model's tokenizer, and a sentence counts as its rules say. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { modelFolder } from '../../src/cli/model/disk';
import { listener } from '../../src/environments/listener/listener';
import { ORDINARY } from '../../src/environments/listener/ordinary';
import { ENDS, MOM, PIECES, SPEAKERS, THINGS, TOM, textOf } from '../../src/environments/listener/pieces';
import { repeatedShare, repeats, saysBack, takesUp } from '../../src/environments/listener/sentence';
import { findEnvironment } from '../../src/environments/registry';
import { MODELS } from '../../src/experiment/models';
import { EXPERIMENT_TABLE } from '../../src/experiment/settings/tables';
import { RandomStream } from '../../src/foundation/philox';
import { ROLE } from '../../src/foundation/roles';
import { sha256Of } from '../../src/foundation/sha256';
import { readConfig } from '../../src/llama/config';
import { readJson } from '../../src/llama/folder';
import { readTokens } from '../../src/llama/text';

const folder = modelFolder(fileURLToPath(new URL('../../public/models/stories260k', import.meta.url)));

test('its words and texts are what the tokenizer makes of them', async () => {
  const { model } = (await readJson(folder, 'tokenizer.json')) as { model: { vocab: Record<string, number> } };
  const pieces = Object.entries(model.vocab).sort(([, a], [, b]) => a - b);
  expect(PIECES.slice(2)).toEqual(pieces.map(([piece]) => piece).slice(2));
  const tokens = await readTokens(folder);
  for (const { start } of [TOM, MOM]) expect(start).toEqual(tokens.first(textOf(start).trim()));
  expect(textOf(MOM.start)).toBe(textOf(TOM.start).replace('Tom', 'Mom'));
  for (const [number, { name, reply }] of THINGS.entries()) {
    expect(TOM.asks[number]).toEqual(tokens.next(` "Tell me about the ${name}!" said Tom.`));
    expect(MOM.asks[number]).toEqual(tokens.next(` "What about the ${name}?" asked Mom.`));
    expect(reply).toEqual(tokens.next(` The ${name} was happy.`));
    expect(takesUp(textOf(reply), name) && !repeats(textOf(reply))).toBe(true);
  }
  expect(THINGS).toHaveLength(12);
  for (const own of ORDINARY) expect(tokens.first(textOf(own).trim())).toEqual(own);
});

test('its ordinary stories hold nothing that is asked about and nobody who asks, and fit', () => {
  const words = ORDINARY.flatMap(
    (story) =>
      textOf(story)
        .toLowerCase()
        .match(/[a-z]+/g) ?? [],
  );
  for (const word of ['tom', 'tell', ...THINGS.map(({ name }) => name)]) expect(words).not.toContain(word);
  const { context } = listener.create({});
  for (const story of ORDINARY) expect(story.length).toBeLessThanOrEqual(context);
  expect(ORDINARY.map(textOf).join('').match(/[.!?]/g)?.length).toBe(48);
});

test('the models that come with the lab are described as their files say, and can be chosen', async () => {
  for (const { id, file, sha256, tokens, longest, llama, ...sizes } of MODELS) {
    const path = fileURLToPath(new URL(`../../public/${file}`, import.meta.url));
    expect(await sha256Of(new Uint8Array(readFileSync(path)))).toBe(sha256);
    const shape = readConfig(await readJson(modelFolder(path.slice(0, path.lastIndexOf('/'))), 'config.json'));
    expect(shape).toMatchObject({ tokens, longest });
    const { layers, width, heads } = sizes;
    expect(shape.policy(longest)).toMatchObject({ layers, width, heads, llama });
    expect(EXPERIMENT_TABLE.policy.model.choices).toContain(id);
  }
  expect(EXPERIMENT_TABLE.policy.model.choices).toEqual(['noise', ...MODELS.map(({ id }) => id)]);
});

describe('a sentence', () => {
  test.each([
    ['The dog was sad.', 'dog', true, false, 0],
    ['A Dog!', 'dog', true, false, 0],
    ['The hotdog ran.', 'dog', false, false, 0],
    ['She had that.', 'hat', false, false, 0],
    ['the the the sun', 'sun', true, true, 0.5],
    ['The cat saw the cat.', 'cat', true, false, 0.4],
    ['"Tell me about the bird!" said Tom.', 'bird', true, true, 0],
    ['"Tell the bird!', 'bird', true, false, 0],
    ['', 'dog', false, false, Number.NaN],
  ])('%j takes up %s: %s, and repeats: %s, a share of %s', (text, thing, takes, again, share) => {
    expect([takesUp(text, thing), repeats(text)]).toEqual([takes, again]);
    expect(repeatedShare(text).toFixed(9)).toBe(share.toFixed(9));
    expect(saysBack(text)).toBe(text.startsWith('"Tell '));
  });

  test('ends with a full stop, ! or ?, a line break or the end of the text', () => {
    expect(ENDS.map((token) => PIECES[token])).toEqual(expect.arrayContaining(['</s>', '<0x0A>', '.', '!', '?']));
    expect(textOf(ENDS)).toMatch(/^[\n.!?]*$/);
  });
});

describe('an episode', () => {
  const environment = listener.create({ repetition: 'allowed' });
  const task = Int32Array.of(0, 2, 5);
  const played = (sentences: readonly string[]) => {
    const world = environment.createWorld(1);
    const said: [token: number, role: string][] = [];
    const emission = { emit: (token: number, role: string) => said.push([token, role]) > 0 };
    world.reset(0, task, emission);
    for (const text of sentences) {
      world.step(
        0,
        Array.from(text, (letter) => PIECES.indexOf(letter === ' ' ? '▁' : letter)),
        emission,
      );
    }
    return { world, said };
  };

  test('asks before each sentence, and pays for those that take it up', () => {
    const { world, said } = played(['a dog.', 'a dog.', 'the car.']);
    expect([world.isDone(0), world.isSuccess(0)]).toEqual([true, false]);
    expect(world.reward(0)).toBeCloseTo(2 / 3);
    const observed = said.filter(([, role]) => role === 'observation').map(([token]) => token);
    const [, second, third] = Array.from(task, (thing) => TOM.asks[thing] ?? []);
    expect(observed).toEqual([...(second ?? []), ...(third ?? [])]);
    expect(textOf(said.map(([token]) => token))).toMatch(
      /^ Once upon .* a story\. "Tell me about the dog!" said Tom\./,
    );
  });

  test('draws three different things, and never a held-out one for training', () => {
    const random = new RandomStream(1, 0, 0, 0, 0);
    const drawn = (split: 'train' | 'held-out') =>
      Array.from({ length: 300 }, () => Array.from(environment.drawTask(random, split)));
    for (const one of [...drawn('train'), ...drawn('held-out')]) expect(new Set(one).size).toBe(3);
    expect(new Set(drawn('train').flat()).size).toBe(9);
    expect([...new Set(drawn('held-out').flat())].sort((a, b) => a - b)).toEqual([9, 10, 11]);
  });

  test('is longest with the longest sentences, and fits', () => {
    const { context, maxActionTokens, maxTurns, maxObservationTokens } = environment;
    expect(context).toBe(TOM.start.length + maxObservationTokens + maxTurns * (maxObservationTokens + maxActionTokens));
    expect(context).toBeLessThanOrEqual(MODELS[0]?.longest ?? 0);
  });
});

test('another listener asks for the same in other words, in a world of the same sizes', () => {
  const own = listener.create({});
  const other = own.texts?.other?.();
  for (const size of ['context', 'maxTurns', 'maxActionTokens', 'maxObservationTokens', 'legalSets'] as const)
    expect(other?.[size]).toEqual(own[size]);
  const said: number[] = [];
  other?.createWorld(1).reset(0, Int32Array.of(1, 0, 2), { emit: (token) => said.push(token) > 0 });
  expect(textOf(said)).toMatch(/She told Mom a story\. "What about the ball\?" asked Mom\.$/);
  expect(own.texts?.read(Int32Array.of(1, 0, 2), 1, TOM.asks[0] ?? [])).toEqual({
    takesUp: true,
    saysBack: true,
    repeated: 0,
  });
});

test('who speaks may be said by tokens of their own, which the agent cannot say and nobody reads', () => {
  const [plain, marked] = [listener.create({}), listener.create({ speakers: 'marked' })];
  const task = Int32Array.of(1, 0, 2);
  const told = (environment: typeof plain): number[] => {
    const tokens: number[] = [];
    environment.createWorld(1).reset(0, task, { emit: (token) => tokens.push(token) > 0 });
    return tokens;
  };
  const marks = [SPEAKERS.listener, SPEAKERS.agent];
  expect(told(marked)).toEqual([...TOM.start, marks[0], ...(TOM.asks[1] ?? []), marks[1]]);
  expect(told(marked).filter((token) => !marks.includes(token as never))).toEqual(told(plain));
  expect(plain.legalSets[0]).toEqual(expect.arrayContaining(marks));
  for (const mark of marks) expect(marked.legalSets[0]).not.toContain(mark);
  const prompt = told(marked).map(() => ROLE.prompt);
  expect(marked.scenes?.(task, told(marked), prompt)).toEqual(plain.scenes?.(task, told(marked), prompt));
  expect(TOM.start.concat(...TOM.asks, ...MOM.asks, ...ORDINARY)).not.toEqual(expect.arrayContaining([marks[0]]));
});

test('a setting that is none is refused, and its model is one of the lab’s', () => {
  expect(() => listener.create({ repetition: 'loved' })).toThrow(/Repetition cannot be “loved”. Choose/);
  expect(() => listener.create({ speakers: 3 })).toThrow(/Who speaks cannot be “3”. Choose unmarked or marked/);
  expect(MODELS.map(({ id }) => id)).toContain(findEnvironment('listener')?.model);
});
