// Findings on paper: the same texts as the page and the documents in the claims' folders, all that was recorded, and nothing that
// runs.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { Ledger } from '../../src/cli/findings/ledger';
import { readPlans } from '../../src/cli/findings/plan';
import { reportOf } from '../../src/cli/findings/report';
import { MEASURES } from '../../src/experiment/findings/claim';
import { namedIn, tell } from '../../src/experiment/findings/told';
import { escapeMarkup } from '../../src/ui/kit/format';
import { stillOf } from '../../src/ui/kit/plot/still';
import { paper } from '../../src/ui/places/library/findings/paper';

const { asked: cards } = await reportOf(await readPlans(), new Ledger('findings'));
const LAB = 'https://lab.example/';
const written = paper(cards, LAB, new Date('2026-11-23'));

/** Text of a finding, in which others are called by their questions. */
const asked = (text: string): string =>
  namedIn(text, cards)
    .map((one) => (typeof one === 'string' ? one : `“${one.claim.question}”`))
    .join('');

const unlinked = (markup: string): string => markup.replace(/<a href="#[^"]*">(.*?)<\/a>/g, '$1');

describe.each(cards)('$name', (card) => {
  const { name, claim, finding } = card;
  const told = tell(card);
  const [, article = ''] = written.split(`<article id="${name}"`);
  const own = article.split('</article>')[0] as string;

  test('says on paper and in its own document what it says on the page', async () => {
    const document = await readFile(`findings/${name}/README.md`, 'utf8');
    const sentences = [told.question, told.answer, ...told.beforehand, ...told.limits, ...told.beside, ...told.reruns];
    for (const sentence of sentences) {
      expect(document).toContain(sentence);
      expect(unlinked(own)).toContain(escapeMarkup(asked(sentence)));
    }
    expect(own).toContain(escapeMarkup(told.command));
  });

  test('has a figure a comparison, which leads to the lab, and every seed that was recorded', () => {
    const figures = own.split('<figure>').slice(1);
    expect(figures).toHaveLength(claim.picture === true ? 0 : (finding.comparisons?.length ?? 0));
    if (claim.picture === true) return;
    finding.comparisons?.forEach(({ first, second }, i) => {
      const { metric, drawn } = MEASURES[finding.conditions[second]?.measure ?? claim.measure];
      const svgs = figures[i]?.split(`<a href="${LAB}#findings/${name}"><svg`).slice(1) ?? [];
      expect(svgs).toHaveLength(metric === drawn ? 1 : 2);
      // A dot for each seed's two numbers, and for their means, where the curve is not of what is compared.
      const dots = [first, second].flatMap((id) => finding.conditions[id]?.values ?? []).length + 2;
      expect(figures[i]?.match(/<circle/g) ?? []).toHaveLength(metric === drawn ? 0 : dots);
    });
    for (const { values, link } of Object.values(finding.conditions)) {
      if (values.length > 0) expect(own).toContain(values.map((value) => value.toFixed(2)).join(' '));
      if (finding.runs.done > 0) expect(own).toContain(`href="${LAB}#${escapeMarkup(link)}"`);
    }
  });
});

test('another finding is called by its question, and never by the name of its folder', () => {
  const text = written.replace(/^<li>Command: .*$/gm, '').replace(/<[^>]*>/g, '');
  expect(namedIn(text, cards).filter((one) => typeof one !== 'string')).toEqual([]);
  const links = [...written.matchAll(/<a href="#([\w-]+)">“/g)].map(([, name]) => name);
  expect(links).toContain('tool-up-and-down');
});

test('all of them stand in one file without scripts, answered ones first', () => {
  expect(written).not.toMatch(/<script|src=|url\(|undefined|NaN/);
  const order = [...written.matchAll(/<article id="([^"]*)"( class="answered")?/g)];
  expect(order.map(([, name]) => name).sort()).toEqual(cards.map(({ name }) => name).sort());
  const marks = order.map(([, , mark]) => mark !== undefined);
  expect(marks).toEqual([...marks].sort((a, b) => Number(b) - Number(a)));
  // Both colours of its lines are in its own stylesheet.
  for (const colour of ['--arm-1', '--arm-2']) expect(written).toMatch(new RegExp(`${colour}:#[0-9a-f]{6}`));
});

test('names bring no markup', () => {
  const [card] = cards as [(typeof cards)[number]];
  const claim = { ...card.claim, question: 'Is <b> & "c" so?', limits: ['<img src=x>'] };
  const marked = paper([{ ...card, claim }], LAB, new Date('2026-11-23'));
  expect(marked).toContain('Is &lt;b&gt; &amp; &quot;c&quot; so?');
  expect(marked).not.toContain('<img');
});

describe('a chart without a document', () => {
  const axis = { domain: [0, 10], ticks: [0, 10], write: String, words: String } as const;
  const series = { id: 'a', name: 'A', kind: 'mean', colour: 'red' } as const;
  const draw = (points: { at: number; value: number | null; band?: [number, number] }[], log = false): string => {
    const up = { domain: log ? ([1, 100] as const) : ([0, 1] as const), ticks: [1], write: () => '<1>', log };
    return stillOf({ title: 'T', description: 'D', across: axis, up, series: [{ ...series, points }], format: String });
  };

  test('places its points between its axes, and leaves gaps', () => {
    // From 44 to 380 across, from 176 to 8 up.
    const svg = draw([
      { at: 0, value: 0 },
      { at: 5, value: 0.5 },
      { at: 7, value: null },
      { at: 10, value: 1 },
    ]);
    expect(svg).toContain('d="M44,176L212,92M380,8"');
    expect(svg).toContain('&lt;1&gt;</text>');
  });

  test('draws a band around them, on an axis of powers too', () => {
    const band = [
      { at: 0, value: 10, band: [1, 100] as [number, number] },
      { at: 10, value: 10, band: [10, 10] as [number, number] },
    ];
    expect(draw(band, true)).toContain('d="M44,8L380,92L380,92L44,176Z"');
    expect(draw([{ at: 0, value: 1 }])).not.toContain('fill-opacity');
  });
});
