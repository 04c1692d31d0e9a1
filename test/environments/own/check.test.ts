/** Reports on worlds: mistakes are found and said in words; a world that is right passes. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkWorld, type WorldCheck, type WorldReport } from '../../../src/environments/own/examine/check';
import { openWorlds } from '../../../src/environments/own/here';
import { fileOf } from '../../../src/environments/own/world';
import { play, stream } from '../../support/episodes';
import { openWorld, type Parts, walkText } from '../../support/ownWorlds';

beforeAll(openWorlds);

function report(text: string, episodes = 300): WorldReport {
  const looking = checkWorld(text, {}, episodes);
  for (;;) {
    const { done, value } = looking.next();
    if (done) return value;
  }
}

const failed = (text: string): WorldCheck[] => report(text).checks.filter(({ ok }) => ok === false);

describe('a world that is well made', () => {
  it('passes, with its facts', () => {
    const { checks, ...facts } = report(walkText());
    expect(checks.filter(({ ok }) => ok === false)).toEqual([]);
    expect(checks.map(({ id }) => id)).toEqual([
      ...['file', 'same', 'apart', 'words', 'bounds', 'floor', 'random', 'expert', 'drawing'],
    ]);
    expect(facts).toMatchObject({ title: 'Walk', words: 10, context: 26, expertSuccess: 1 });
    expect(facts.settings.map(({ key }) => key)).toEqual(['length', 'slip', 'decoding', 'malformed', 'penalty']);
  });

  it('tells how a random policy fares on held-out tasks where that is otherwise, and how many tasks were seen', () => {
    const tell = (text: string) =>
      report(text).checks.flatMap(({ id, text: said }) => (id === 'random' || id === 'apart' ? [said] : []));
    const easy = {
      task: "(random, side) => ({ isEasy: side === 'held-out', id: random.below(1e6) })",
      start: "(state) => ({ state, say: 'c0' })",
      step: "(state, action) => ({ state, say: 'c0', done: true, success: state.isEasy || action === 'right' })",
    };
    expect(tell(walkText(easy))).toEqual([
      expect.stringMatching(
        /^400 different tasks were seen in 400 draws: 200 for training, 200 held out; none is in both\.$/,
      ),
      expect.stringMatching(
        /^A random policy succeeds in [45]\d\.\d% of 300 episodes, on held-out tasks in 100\.0%\.$/,
      ),
    ]);
    const alike = { ...easy, task: '(random) => ({ isEasy: false, id: random.below(1e6) })' };
    expect(tell(walkText(alike))[1]).toMatch(/^A random policy succeeds in [45]\d\.\d% of 300 episodes\.$/);
  });

  it('gets the same report again', () => {
    expect(report(walkText({ before: '// anew\n' }), 100)).toEqual(report(walkText({ before: '// again\n' }), 100));
  });
});

describe('a world that is not', () => {
  it.each<[string, Partial<Parts>, WorldCheck['id'], RegExp]>([
    [
      'remembers something between calls',
      {
        before: 'let calls = 0;\n',
        step: `(state) => {
          calls = (calls + 1) % 3;
          return { state: { at: calls }, say: ['c' + calls] };
        }`,
      },
      'same',
      /remembers something between calls/,
    ],
    [
      'has the same task on both sides, told apart by what it never says',
      {
        start: "({ from }) => ({ state: { at: from }, say: ['c' + from] })",
        task: '(random) => ({ from: random.below(4), wind: random.below(1e6) })',
      },
      'apart',
      /begins exactly as one of training/,
    ],
    [
      'calls a hidden state told',
      {
        fields: 'heldOut: 0, told: true',
        start: "({ from }) => ({ state: { at: from }, say: ['c0'] })",
        step: "({ at }) => ({ state: { at }, say: ['c1'] })",
      },
      'floor',
      /told is true only where/,
    ],
    [
      'gives a floor of 0 where chance speaks',
      {
        fields: 'heldOut: 0',
        step: "(state, action, random) => ({ state, say: [random.pick(['c0', 'c1'])], floor: 0 })",
      },
      'floor',
      /said both “c[01]” and “c[01]”, and its floor there is 0/,
    ],
    [
      'gives a floor above what answers vary by',
      {
        fields: 'heldOut: 0',
        step: "(state, action, random) => ({ state, say: ['c' + random.below(2)], floor: 1.6 })",
      },
      'floor',
      /the floor is 1\.600 nats, and answers vary by 0\.69/,
    ],
    ['is won by anybody', { step: "(state) => ({ state, say: ['c1'], success: true })" }, 'random', /nothing to learn/],
  ])('%s', (_, parts, id, message) => {
    const found = failed(walkText(parts));
    expect(found.map((check) => check.id)).toContain(id);
    expect(found.find((check) => check.id === id)).toMatchObject({
      text: expect.stringMatching(message),
      line: expect.toSatisfy((line: number) => line > 0),
    });
  });

  it.each<[string, RegExp | null]>([
    ["{ shape: 'text', x: 0, y: 4, text: 'goal 4', size: 13 }", /“goal 4” is larger than the drawing \(10 × 8\)/],
    ["{ shape: 'rect', x: 8, y: 9, width: 1, height: 2 }", /A rect at 8, 9 lies outside the drawing \(10 × 8\): x is/],
    ["{ shape: 'text', x: 0, y: 0.5, text: 'jug a 3 of 5' }", null],
    ["{ shape: 'circle', x: 10, y: 8, radius: 0.5 }", null],
  ])('draws %s', (shape, message) => {
    const draw = `draw: () => ({ kind: 'shapes', width: 10, height: 8, shapes: [${shape}] })`;
    const found = report(walkText({ fields: `heldOut: 0, ${draw}` }), 30).checks.find(({ id }) => id === 'drawing');
    expect(found).toMatchObject({ ok: message === null, line: message === null ? 0 : 8 });
    expect(found?.text).toMatch(message ?? /can be drawn/);
  });

  it('has an expert that never wins', () => {
    const [found] = failed(walkText().replace("expert: () => 'right'", "expert: () => 'left'"));
    expect(found).toMatchObject({ id: 'expert', text: expect.stringContaining('0.0%') });
  });

  it('tells an answer that is none, and one that is no action', () => {
    const telling = (answer: string) =>
      report(walkText({ fields: `heldOut: 0, told: true, answer: ${answer}` }), 30).checks;
    const found = (answer: string) => telling(answer).find(({ id }) => id === 'answer');
    expect(found("() => 'left'")).toMatchObject({ ok: false, text: expect.stringContaining('succeeds in 0.0%') });
    expect(found("({ at }) => (at === 3 ? 'right' : null)")).toMatchObject({
      ok: true,
      text: expect.stringMatching(/told for [12]\d of 64 tasks; said at once it succeeds in 100\.0%/),
    });
    expect(telling("() => 'onward'").at(-1)).toMatchObject({ id: 'file', ok: false, line: 8 });
    expect(telling("() => 'c0'").at(-1)?.text).toMatch(/answer\(\) says what is no action/);
  });

  it('says where its mistake is', () => {
    const [found] = failed(walkText({ step: '(state) => nowhere' }));
    expect(found).toMatchObject({ id: 'file', line: 11, text: expect.stringContaining('nowhere is not defined') });
  });
});

it('a field that means nothing is told, and the world works as before', () => {
  const settings = '{ length: { default: 5, min: 3, max: 9, integer: true }, slip: { default: 0, min: 0, max: 0.5 } }';
  const { checks } = report(walkText({ settings }).replace('summary:', 'author: 1, summary:'));
  expect(checks.filter(({ ok }) => ok === false)).toMatchObject([
    { id: 'fields', line: 3, text: expect.stringMatching(/^The file has “author”/) },
    { id: 'fields', line: 4, text: expect.stringMatching(/^settings\.length has “integer”.*whole where its default/) },
  ]);
  expect(checks.map(({ id }) => id)).toContain('drawing');
});

describe('mistakes that a beginner makes are said with what to write instead', () => {
  it.each<[string, string, number, RegExp]>([
    ['longest: { prompt: 1, answer: 1 },', '', 5, /^longest\.prompt, the most words/],
    ['random.below(length - 1)', 'Math.floor(Math.random() * 4)', 9, /There is no Math\.random\(\): random has below,/],
    ['random.below(length - 1)', 'random.bellow(4)', 9, /There is no bellow\(\): random has below,/],
    ["actions: ['left', 'right']", 'actions: [1, 2]', 7, /write it as '1'/],
    ["expert: () => 'right'", "expert: () => 'onward'", 16, /expert\(\) says “onward”/],
    ["say: ['c' + at]", 'say: `c${at} the`', 14, /step\(\) says “the”/],
    // Near to an action, which no one says: the mistake is in what was said.
    [
      "say: ['c' + at]",
      "say: 'rihgt'",
      14,
      /^step\(\) says “rihgt”, which is not in words \(line 14\); did you mean “right”\?$/,
    ],
    // Put together of parts, and near to its own kind alone.
    ["say: ['c' + at]", "say: ['c' + 99 * at]", 14, /^step\(\) says “c99”, which is not in words \(line 14\)\.$/],
    ["say: ['c' + from]", "say: ['d' + from]", 10, /^start\(\) says “d\d”/],
  ])('%s → %s', (from, to, line, message) => {
    const [found] = failed(walkText().replace(from, to));
    expect(found).toMatchObject({ line, text: expect.stringMatching(message) });
  });

  it('a word is told where it was said, not where it is drawn', () => {
    const draw = "draw: () => ({ kind: 'text', lines: ['zig'] }),";
    const said = walkText({
      before: "const SIGN = 'zig';\n",
      start: '({ from }) => ({ state: { at: from }, say: SIGN })',
    }).replace('expert:', `${draw}\n      expert:`);
    expect(failed(said)[0]).toMatchObject({ line: 1, text: expect.stringMatching(/^start\(\) says “zig”/) });
    // Put together of parts: where the function says something.
    const made = said.replace("const SIGN = 'zig';", "const SIGN = ['z', 'ig'].join('');");
    expect(failed(made)[0]).toMatchObject({ line: 11, text: expect.stringMatching(/^start\(\) says “zig”/) });
  });

  it('a declaration that is misspelt is told apart from a word that is', () => {
    const parts = { words: "['at', 'gaol']", start: "({ from }) => ({ state: { at: from }, say: 'at goal' })" };
    expect(failed(walkText(parts))[0]).toMatchObject({
      line: 7,
      column: 22,
      text: 'words has “gaol”, which is never said; start() says “goal” (line 7).',
    });
    const step = "(state) => ({ state, say: 'at goall' })";
    const words = { words: "['at', 'goal']", start: "({ from }) => ({ state: { at: from }, say: 'goal' })", step };
    const [found] = failed(walkText(words));
    expect(found).toMatchObject({
      line: 11,
      text: expect.stringMatching(/“goall”.*\(line 11\); did you mean “goal”\?$/),
    });
  });

  it('a number is said as its digits', () => {
    const step = '({ at }) => ({ state: { at: at + 1 }, say: [at + 1], done: at === 3, success: at === 3 })';
    const parts = {
      words: "['0', '1', '2', '3', '4']",
      start: '({ from }) => ({ state: { at: from }, say: from })',
      step,
    };
    expect(failed(walkText(parts)).map(({ id }) => id)).toEqual(['random']);
  });
});

it('an expert that chance may beat is asked more often: of its first 64 hands it wins fewer than a random policy of a thousand', () => {
  const { checks, expertSuccess } = report(readFileSync('worlds/blackjack.js', 'utf8'), 1000);
  expect(checks.find(({ id }) => id === 'expert')).toMatchObject({ ok: true });
  expect(Number(expertSuccess) * 256).toBe(92);
});

describe.each(readdirSync('worlds').filter((name) => name.endsWith('.js')))('worlds/%s', (name) => {
  const text = readFileSync(`worlds/${name}`, 'utf8');

  it('passes every check', () => {
    const { checks, expertSuccess, randomSuccess } = report(text, 80);
    expect(checks.filter(({ ok }) => ok === false)).toEqual([]);
    expect(expertSuccess).toBeGreaterThan(randomSuccess ?? 1);
  });

  it('is drawn, and plays with free decoding as well', async () => {
    const environment = await openWorld(text, fileOf(text).isText ? {} : { decoding: 'free' });
    const { recorder, world } = play(
      environment,
      environment.drawTask(stream(3)),
      (one, slot) => one.expert?.(slot) ?? [],
    );
    expect(world.isDone(1)).toBe(true);
    expect(environment.scenes(environment.drawTask(stream(3)), recorder.tokens, recorder.roles).length).toBeGreaterThan(
      1,
    );
  });
});
