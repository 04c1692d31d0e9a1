/** The listener: its pieces and texts are those of the model's tokenizer, and a sentence counts as its rules say. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { modelFolder } from '../../src/cli/model/disk';
import { listener, takesUp } from '../../src/environments/listener/listener';
import { ASKS, ENDS, PIECES, START, textOf } from '../../src/environments/listener/pieces';
import { findEnvironment } from '../../src/environments/registry';
import { MODELS } from '../../src/experiment/models';
import { EXPERIMENT_TABLE } from '../../src/experiment/settings/tables';
import { RandomStream } from '../../src/foundation/philox';
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
  expect(START).toEqual(tokens.first(textOf(START).trim()));
  for (const { thing, tokens: asked, reply } of ASKS) {
    expect(asked).toEqual(tokens.next(` "Tell me about the ${thing}!" said Tom.`));
    expect(reply).toEqual(tokens.next(` The ${thing} was happy.`));
    expect(takesUp(textOf(reply), thing, { refusesRepetition: true })).toBe(true);
  }
  expect(ASKS).toHaveLength(12);
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
  const free = { refusesRepetition: false };
  const strict = { refusesRepetition: true };
  test.each([
    ['The dog was sad.', 'dog', true, true],
    ['A Dog!', 'dog', true, true],
    ['The hotdog ran.', 'dog', false, false],
    ['She had that.', 'hat', false, false],
    ['the the the sun', 'sun', true, false],
    ['"Tell me about the bird!" said Tom.', 'bird', true, false],
    ['', 'dog', false, false],
  ])('%j takes up %s: %s, and where repetition is refused: %s', (text, thing, counts, countsStrictly) => {
    expect([takesUp(text, thing, free), takesUp(text, thing, strict)]).toEqual([counts, countsStrictly]);
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
    const [, second, third] = Array.from(task, (thing) => ASKS[thing]?.tokens ?? []);
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
    expect(context).toBe(START.length + maxObservationTokens + maxTurns * (maxObservationTokens + maxActionTokens));
    expect(context).toBeLessThanOrEqual(MODELS[0]?.longest ?? 0);
  });
});

test('a setting that is none is refused, and its model is one of the lab’s', () => {
  expect(() => listener.create({ repetition: 'loved' })).toThrow(/Repetition cannot be “loved”. Choose/);
  expect(MODELS.map(({ id }) => id)).toContain(findEnvironment('listener')?.model);
});
