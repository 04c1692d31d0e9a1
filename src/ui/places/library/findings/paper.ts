/**
 * All findings as one HTML file without scripts, for paper: methods, then each finding with its figures and every seed's number.
 * Figures and conditions are links into the lab.
 */
import { methodsOf } from '../../../../experiment/findings/methods';
import {
  type AnsweredClaim,
  COMPARED,
  namedIn,
  SEEDS,
  type ToldComparison,
  type ToldCondition,
  type ToldFinding,
  tell,
} from '../../../../experiment/findings/told';
import { escapeMarkup } from '../../../kit/format';
import { LIGHT_STYLE } from '../../../kit/plot/light';
import { stillOf } from '../../../kit/plot/still';
import { comparedConditions, figuresOf, COLOURS as LINES, RECORDED } from './figure';

/** Dashes of the second line, for paper without colour. */
const SECOND = '7 3';

const STYLE = `:root{${LIGHT_STYLE}}
body{max-width:760px;margin:32px auto;padding:0 16px;background:var(--paper);color:var(--ink);
font:15px/24px system-ui,sans-serif;font-variant-numeric:tabular-nums}
a{color:inherit;text-underline-offset:3px}figure a{text-decoration:none}
h1{font-size:28px;line-height:36px}h2{font-size:19px;line-height:26px;margin:0 0 4px}h2.part{margin-top:24px}h3{font-size:15px;margin:16px 0 4px}
p,ul,figure{margin:4px 0}ul{padding-left:20px}.soft,caption,thead th{color:var(--soft-ink)}
article{margin-top:48px;padding-top:16px;border-top:1px solid var(--control)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:16px 24px}
figcaption{font-size:13px;line-height:20px}svg{display:block;max-width:100%;height:auto}svg.line{display:inline}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;margin:12px 0;font-size:12px;line-height:18px}
caption{text-align:left}th,td{padding:3px 8px 3px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--hairline);
font-weight:400}dt{font-weight:600;margin-top:8px}dd{margin:0}
@media(max-width:600px){.wide table{min-width:640px}}
@media print{@page{margin:16mm 14mm}:root{--paper:#fff}body{max-width:none;margin:0;padding:0;font-size:10pt;line-height:14pt}
article.answered{break-before:page;border:0;margin:0}.figures{grid-template-columns:1fr 1fr}
.wide{overflow:visible}figure,.figures+.wide,tr,li,p,h2,dt{break-inside:avoid}h1,h2,h3,strong,caption,dt{break-after:avoid}*{print-color-adjust:exact}}`;

/** `lab`: address of the lab that links lead to. */
export function paper(cards: readonly AnsweredClaim[], lab: string, date: Date): string {
  const answered = cards.filter(({ finding }) => finding.comparisons !== null);
  const open = cards.filter(({ finding }) => finding.comparisons === null);
  const part = (title: string, part: readonly AnsweredClaim[]): string[] =>
    part.length === 0 ? [] : [`<h2 class="part">${title}</h2>`, listOf(part, cards)];
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Findings of Unmask</title>',
    `<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>`,
    '<h1>Findings</h1>',
    `<p class="soft">Of Unmask, a lab for reinforcement learning of agents. Written on ${date.toISOString().slice(0, 10)} from the claims and all recorded runs. Links lead to the lab at ${escapeMarkup(lab)}.</p>`,
    ...part('Answered', answered),
    ...part('AnsweredClaim, not answered yet', open),
    '<article><h2>Methods</h2><dl>',
    ...methodsOf(cards).map(({ title, text }) => `<dt>${title}</dt><dd>${linked(text, cards)}</dd>`),
    '</dl></article>',
    ...[...answered, ...open].map((card) => article(card, cards, lab)),
    '</body></html>',
  ].join('\n');
}

const listOf = (cards: readonly AnsweredClaim[], all: readonly AnsweredClaim[]): string =>
  `<ul>${cards.map((card) => `<li><a href="#${card.name}">${escapeMarkup(card.claim.question)}</a> ${linked(saidOf(tell(card)), all)}</li>`).join('\n')}</ul>`;

/** Verdict and answer. */
const saidOf = ({ verdict, answer }: ToldFinding): string =>
  `${verdict[0]?.toUpperCase()}${verdict.slice(1)}. ${answer}`.trim();

function article(card: AnsweredClaim, cards: readonly AnsweredClaim[], lab: string): string {
  const told = tell(card);
  const { comparisons } = told;
  return [
    `<article id="${card.name}"${comparisons.length === 0 ? '' : ' class="answered"'}><h2>${escapeMarkup(told.question)}</h2>`,
    `<p><strong>${linked(saidOf(told), cards)}</strong></p>`,
    comparisons.length === 0 || card.claim.picture === true
      ? ''
      : `<div class="figures">${comparisons.map((one) => figure(card, one, lab)).join('\n')}</div>`,
    comparisons.length === 0
      ? ''
      : table(
          told.caption,
          COMPARED,
          comparisons.map(({ row }) => row.map(cell)),
        ),
    ...(told.reruns.length === 0
      ? []
      : ['<h3>Run again</h3>', ...told.reruns.map((one) => `<p>${linked(one, cards)}</p>`)]),
    ...list(told.when, told.beforehand, cards),
    ...list('Limits', told.limits, cards),
    ...list('Related work', told.beside),
    ...list('Again', [
      `Files: ${told.files}.`,
      `Command: ${told.command}`,
      ...(told.spent === null ? [] : [told.spent]),
    ]),
    told.spent === null ? '' : seeds(told, lab),
    '</article>',
  ].join('\n');
}

function figure({ name, finding }: AnsweredClaim, { compared, row }: ToldComparison, lab: string): string {
  const conditions = comparedConditions(compared, finding);
  const dashOf = (id: string): string => (id === RECORDED[1] ? SECOND : '');
  const charts = figuresOf(conditions, null).map((plot) => {
    const series = plot.series.map((one) => ({ ...one, dash: one.dash ?? dashOf(one.id) }));
    return `<div class="soft">${escapeMarkup(plot.title)}</div><a href="${escapeMarkup(lab)}#findings/${name}">${stillOf({ ...plot, series })}</a>`;
  });
  const names = conditions.map((condition, i) => {
    const line = `<path d="M0 4H24" stroke="${LINES[i]}" stroke-width="2" stroke-dasharray="${dashOf(RECORDED[i] as string)}"/>`;
    return `<svg class="line" width="24" height="8" viewBox="0 0 24 8" aria-hidden="true">${line}</svg> ${escapeMarkup(condition.name)}`;
  });
  return `<figure>${charts.join('\n')}<figcaption>${names.join('<br>')}<br>${escapeMarkup(`${row[1]} → ${row[2]}, ${row[3]}: ${row.at(-1)}`)}</figcaption></figure>`;
}

const list = (title: string, lines: readonly string[], cards: readonly AnsweredClaim[] = []): string[] => [
  `<h3>${title}</h3>`,
  `<ul>${lines.map((line) => `<li>${linked(line, cards)}</li>`).join('\n')}</ul>`,
];

/** A text as markup, in which another finding is a link with its question. */
const linked = (text: string, cards: readonly AnsweredClaim[]): string =>
  namedIn(text, cards)
    .map((one) =>
      typeof one === 'string' ? escapeMarkup(one) : `<a href="#${one.name}">“${escapeMarkup(one.claim.question)}”</a>`,
    )
    .join('');

function seeds({ conditions }: ToldFinding, lab: string): string {
  const link = ({ row: [name = '', ...cells], link }: ToldCondition): string[] => [
    `<a href="${escapeMarkup(`${lab}#${link}`)}">${escapeMarkup(name)}</a>`,
    ...cells.map(escapeMarkup),
  ];
  return table('Every seed', SEEDS, conditions.map(link));
}

/** An interval stays on one line. */
const cell = (text: string): string =>
  escapeMarkup(text.replace(/\(.*\)/, (within) => within.replaceAll(' ', '\u00a0')));

/** `rows`: markup. */
function table(caption: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  const body = rows.map(([first, ...cells]) => {
    const row = cells.map((one) => `<td>${one}</td>`).join('');
    return `<tr><th scope="row">${first}</th>${row}</tr>`;
  });
  return `<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`;
}
