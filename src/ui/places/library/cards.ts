/** Cards of the gallery, made of the lists that there are: experiments, findings, lessons, methods, worlds and losses. */
import { environments } from '../../../environments/registry';
import type { AnsweredClaim } from '../../../experiment/findings/told';
import { presetLink } from '../../../experiment/link/link';
import { type Preset, presetGroups } from '../../../experiment/presets/presets';
import { plural } from '../../kit/format';
import { worldName } from '../../model/experimentWords';
import { fragmentTo, type PlaceId } from '../../model/place';
import { CARDS } from './findings/data';
import { LESSONS } from './lessons/lessons';
import type { Where } from './methods/method';
import { METHOD_GROUPS } from './methods/methods';
import { fragmentTo as fragmentToWhere } from './methods/where';

/** Their names, and the place of each kind: a link that hides it hides its cards. */
export const KINDS = {
  experiment: { title: 'Experiments', place: 'library' },
  finding: { title: 'Findings', place: 'findings' },
  lesson: { title: 'Lessons', place: 'lessons' },
  method: { title: 'Methods', place: 'methods' },
  world: { title: 'Worlds', place: 'world' },
  loss: { title: 'Losses', place: 'loss' },
} as const satisfies Readonly<Record<string, { title: string; place: PlaceId }>>;

export type Kind = keyof typeof KINDS;

export interface Card {
  readonly kind: Kind;
  /** Name of the card, unique in its kind. */
  readonly id: string;
  readonly title: string;
  readonly line: string;
  readonly facts: readonly string[];
  /** Fragment of the address that it leads to. */
  readonly fragment: string;
  /** Preset of the card, for its recorded curve and its duration. */
  readonly preset?: Preset;
  /** Claim of the card, for its verdict. */
  readonly asked?: AnsweredClaim;
}

const withFinding = (name: string | undefined): Pick<Card, 'asked'> => {
  const asked = CARDS.find((one) => one.name === name);
  return asked === undefined ? {} : { asked };
};

const experiments = presetGroups.flatMap(({ title: group, presets }) =>
  presets.map((preset): Card => {
    const { id, claim, experiment, finding } = preset;
    const { title, environment, arms, seeds } = experiment;
    const facts = [worldName(environment), `${plural(arms.length, 'arm')} × ${plural(seeds, 'seed')}`, group];
    return {
      kind: 'experiment',
      id,
      title,
      line: claim,
      facts,
      fragment: `#${presetLink(id)}`,
      preset,
      ...withFinding(finding),
    };
  }),
);

/** Card of a finding: its line is the first sentence of its answer. */
export const findingCard = (asked: AnsweredClaim): Card => ({
  kind: 'finding',
  id: asked.name,
  title: asked.claim.question,
  line: '',
  facts: [],
  fragment: fragmentTo('findings', asked.name),
  asked,
});

const findings = CARDS.map(findingCard);

const lessons = LESSONS.map(
  ({ id, title, minutes, question }): Card => ({
    kind: 'lesson',
    id,
    title,
    line: question.ask,
    facts: [plural(minutes, 'minute')],
    fragment: fragmentTo('lessons', id),
  }),
);

/** Methods of the field that the lab has, each at the place where it is likeliest meant. A recipe is a loss. */
const methods = METHOD_GROUPS.flatMap(({ title: group, methods: all }) =>
  all.flatMap(({ name, line, where, source }): Card[] => {
    const recipe = where.find(({ kind }) => kind === 'recipe');
    const shown: Where | undefined = recipe ?? where[0];
    if (shown === undefined) return [];
    const kind = recipe === undefined ? 'method' : 'loss';
    return [{ kind, id: name, title: name, line, facts: [group, source], fragment: fragmentToWhere(shown) }];
  }),
);

const worlds = Object.values(environments).map(
  ({ id, title, summary }): Card => ({
    kind: 'world',
    id,
    title,
    line: summary,
    facts: [],
    fragment: `#environment=${id}`,
  }),
);

const LIBRARY: readonly Card[] = [...experiments, ...findings, ...lessons, ...methods, ...worlds];

/** Cards that have every word, in any case. */
export function cardsWith(text: string): readonly Card[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return LIBRARY.filter(({ id, title, line, facts, asked }) => {
    const said = [id, title, line, ...facts, asked?.answer ?? ''].join(' ').toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
