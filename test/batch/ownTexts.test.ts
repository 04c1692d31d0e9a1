/** The reader's own tokenizer and chat template: what comes of ids and of texts alone, and templates that write otherwise. */
import { describe, expect, test, vi } from 'vitest';
import { type OwnFiles, ownTexts } from '../../src/batch/ownTexts';
import { newClock } from '../../src/cli/batch/clock';
import { audited } from './audited';
import { cleanBatch, FAULTS } from './episodes';
import { linesOf, tokenizerFile, WRITERS } from './forms';

const CHATML =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content | trim + '<|im_end|>' + '\\n' }}{% endfor %}";
const TEXTS = WRITERS['verl, tensors and texts']?.write ?? String;
const IDS = WRITERS['verl, tensors']?.write ?? String;

const read = async (lines: string, files: Partial<OwnFiles>) =>
  audited(lines, undefined, await ownTexts({ tokenizer: null, template: null, ...files }, newClock(300)));
const batchWith = (fault: string): string => {
  const batch = cleanBatch();
  FAULTS[fault]?.(batch);
  return linesOf(batch, IDS);
};
const found = ({ report }: Awaited<ReturnType<typeof audited>>): string[] =>
  report.rules.filter(({ state }) => state === 'found').map(({ rule }) => rule);

describe('a tokenizer', () => {
  test('gives ids their texts, and by them the roles of a batch that has masks alone', async () => {
    const [alone, own] = [
      await audited(batchWith('template')),
      await read(batchWith('template'), { tokenizer: tokenizerFile() }),
    ];
    expect(found(alone)).toEqual(['leak']);
    expect(found(own)).toEqual(['template']);
    expect(own.trajectories[0]?.texts).toEqual(cleanBatch()[0]?.texts);
    expect([...(own.reading.forms.get('verl-tokens')?.fields.keys() ?? [])]).toContain(
      'texts of tokens (by your tokenizer)',
    );
  });

  test('makes tokens of texts, which have roles and no weights', async () => {
    const { trajectories, report } = await read(linesOf(cleanBatch(), WRITERS.messages?.write ?? String), {
      tokenizer: tokenizerFile(),
    });
    const { texts, roles } = cleanBatch()[2] ?? { texts: [], roles: [] };
    expect(trajectories[2]?.texts).toEqual(texts.filter((_, at) => roles[at] !== 'template'));
    expect(trajectories[2]?.rolesFrom).toBe('roles');
    expect(report.rules.find(({ rule }) => rule === 'leak')?.state).toBe('unseen');
  });
});

describe('a chat template', () => {
  test('that wrote the batch is told apart from one that did not', async () => {
    expect(found(await read(linesOf(cleanBatch(), TEXTS), { template: CHATML }))).toEqual([]);
    const config = JSON.stringify({
      chat_template: [{ name: 'default', template: CHATML.replace("+ '\\n' }}", '}}') }],
    });
    const other = await read(linesOf(cleanBatch(), TEXTS), { template: config });
    expect(found(other)).toEqual(['template']);
    const { places } = other.report.rules.find(({ rule }) => rule === 'template') ?? {};
    const [first] = cleanBatch();
    expect(places?.[0]).toMatchObject({ line: 1, token: first?.texts.indexOf('<|im_end|>') });
    expect(places?.[0]?.what).toMatch(
      /writes “<\|im_end\|><\|im_start\|>assistant⏎”, the batch has “<\|im_end\|>⏎<\|im_start\|>/,
    );
  });

  test.each([
    ['a system prompt of its own', `<|im_start|>system\nBe brief.<|im_end|>\n${CHATML}`, ['template']],
    [
      'thoughts that it puts before the last answer',
      CHATML.replace(
        "'\\n' + message.content",
        "'\\n' + ('<think>\\n\\n</think>\\n\\n' if loop.last else '') + message.content",
      ),
      [],
    ],
    ['a beginning of the text', `{{ bos_token }}${CHATML}`, ['template']],
    [
      'nothing of what a tool said',
      CHATML.replace('{{', "{% if message.role != 'tool' %}{{").replace('}}', '}}{% endif %}'),
      ['template'],
    ],
    ['dates', `${CHATML}{{ strftime_now('%d') }}`, []],
    ['ranges', `{% if range(1, 9, 4) | last == 5 and range(3) | length == 3 %}${CHATML}{% endif %}`, []],
  ])('with %s', async (_, chat_template, rules) => {
    const template = JSON.stringify({ chat_template, bos_token: { content: '<s>' } });
    expect(found(await read(linesOf(cleanBatch(), TEXTS), { template }))).toEqual(rules);
  });

  test('that refuses conversations says so once, and the batch is read', async () => {
    const template = "{{ raise_exception('roles must alternate') }}";
    const { reading, trajectories } = await read(linesOf(cleanBatch(), TEXTS), { template });
    expect(trajectories).toHaveLength(24);
    expect(reading.problems).toMatchObject([
      { line: 1, what: expect.stringMatching(/roles must alternate.* \(24 lines\)$/) },
    ]);
    expect(reading.problemCount).toBe(1);
  });
});

describe('what never ends,', () => {
  test.each(['999999999', '0, 999999999', '0, 1, 0'])('or fills the memory, by range(%s)', async (numbers) => {
    const template = `{% for i in range(${numbers}) %}{% endfor %}`;
    const { reading } = await read(linesOf(cleanBatch(), TEXTS), { template });
    expect(reading.problems[0]?.what).toMatch(
      /^The chat template could not be used: range\(\) of (\d{9}|Infinity) numbers/,
    );
  });

  test('in a chat template is said for its lines, and the batch is read', async () => {
    const template = '{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}';
    const { reading, trajectories } = await read(linesOf(cleanBatch(), TEXTS), { template });
    expect(trajectories).toHaveLength(24);
    expect(reading.problems[0]?.what).toMatch(
      /^The chat template could not be used: one conversation took more than 0.3 seconds\./,
    );
  });

  test.each([
    [
      'doubles a list',
      '{% set ns = namespace(a=range(100000)) %}{% for i in range(40) %}{% set ns.a = ns.a + ns.a %}{% endfor %}x',
      /makes more than 10000000 values and letters/,
    ],
    ['adds ever so often', `{{ ${Array(60_000).fill('1').join('+')} }}`, /call stack/],
  ])('or %s, is told without a clock too', async (_, template, words) => {
    const own = await ownTexts({ tokenizer: null, template }, (work) => work());
    const { reading, trajectories } = await audited(linesOf(cleanBatch(), TEXTS), undefined, own);
    expect(trajectories).toHaveLength(24);
    expect(reading.problems[0]?.what).toMatch(words);
  });

  test('is waited for once', () => {
    const clock = newClock(50);
    const later = vi.fn();
    const forever = (): never => {
      for (;;);
    };
    expect(() => clock(forever)).toThrow('more than 0.05 seconds');
    expect(() => clock(later)).toThrow('more than 0.05 seconds');
    expect(later).not.toHaveBeenCalled();
  });

  test('in a tokenizer’s pattern is refused', async () => {
    const tokenizer = JSON.parse(tokenizerFile());
    tokenizer.pre_tokenizer = { type: 'Split', pattern: { Regex: '(x+x+)+y' }, behavior: 'Isolated', invert: false };
    const batch = [
      {
        messages: [
          { role: 'user', content: 'x'.repeat(64) },
          { role: 'assistant', content: 'a' },
        ],
      },
    ];
    await expect(read(JSON.stringify(batch), { tokenizer: JSON.stringify(tokenizer) })).rejects.toThrow(
      'The tokenizer could not be used: one conversation took more than 0.3 seconds.',
    );
  });
});

test.each([
  [{ tokenizer: 'no JSON' }, /The tokenizer is no JSON/],
  [{ tokenizer: '{"model": 3}' }, /The tokenizer could not be used/],
  [{ template: '{% for' }, /The chat template could not be used/],
])('%j is refused with what to name instead', async (files, words) => {
  await expect(read('', files)).rejects.toThrow(words);
});
