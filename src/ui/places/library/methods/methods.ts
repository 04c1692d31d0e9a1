/** All methods in their groups, and the search among them. */
import { notHere, notYet } from './entries/absent';
import { agentMethods } from './entries/agents';
import { dataMethods } from './entries/data';
import { frameworkMethods } from './entries/frameworks';
import { policyMethods } from './entries/policy';
import { rewardMethods } from './entries/rewards';
import { worldModelMethods } from './entries/worldModel';
import type { Method, MethodGroup } from './method';
import { wordsOf } from './where';

export const METHOD_GROUPS: readonly MethodGroup[] = [
  { title: 'Learning from observations', methods: worldModelMethods },
  { title: 'Policy objectives and estimators', methods: policyMethods },
  { title: 'Rewards, credit and samples', methods: rewardMethods },
  { title: 'Systems and worlds of agents', methods: agentMethods },
  { title: 'Data, curricula and evidence', methods: dataMethods },
  { title: 'Trainers and tools', methods: frameworkMethods },
  { title: 'Not here yet', methods: notYet },
  { title: 'Not here, and why', methods: notHere },
];

/** Text in the form that is compared: small letters and digits, without accents, signs as spaces. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+^]+/gu, ' ')
    .trim();

const joined = (text: string): string => text.replaceAll(' ', '');

interface Known {
  readonly method: Method;
  readonly group: string;
  /** Names of the method, each plain. */
  readonly names: readonly string[];
  /** All that is said of it, plain. */
  readonly said: string;
}

const KNOWN: readonly Known[] = METHOD_GROUPS.flatMap(({ title, methods }) =>
  methods.map((method) => {
    const { name, also, line, differs, source, where } = method;
    const said = [name, ...also, line, source, ...where.map(wordsOf), differs, title].join(' ');
    return { method, group: title, names: [name, ...also].map(plain), said: plain(said) };
  }),
);

/** True if the text, its spaces aside, occurs in a name from the beginning of one of the name's words. */
function begins(name: string, squeezed: string): boolean {
  const words = name.split(' ');
  return words.some((_, from) => joined(words.slice(from).join(' ')).startsWith(squeezed));
}

/** Score of a method for the words looked for, from 0; null if not all of them are said of it. */
function rankOf({ names, said }: Known, wanted: string): number | null {
  const squeezed = joined(wanted);
  const steps = [
    names.findIndex((name) => joined(name) === squeezed),
    names.findIndex((name) => joined(name).startsWith(squeezed)),
    names.findIndex((name) => begins(name, squeezed)),
  ];
  const step = steps.findIndex((place) => place >= 0);
  // A method's own name counts more than its others.
  if (step >= 0) return step + (steps[step] === 0 ? 0 : 0.5);
  return wanted.split(' ').every((word) => ` ${said}`.includes(` ${word}`)) ? steps.length : null;
}

type Found = readonly Pick<Known, 'method' | 'group'>[];

/** Methods of which all words are said, the likeliest first, each with its group; all of them for an empty text. */
export function searchMethods(text: string): Found {
  const wanted = plain(text);
  if (wanted === '') return KNOWN;
  return KNOWN.flatMap((known) => {
    const rank = rankOf(known, wanted);
    return rank === null ? [] : [{ known, rank }];
  })
    .sort((a, b) => a.rank - b.rank)
    .map(({ known }) => known);
}

const MOST_NEAR = 8;

/** A word of one or two letters begins too many others: it has to stand alone. */
const hasWord = ({ said }: Known, word: string): boolean =>
  ` ${said} `.includes(word.length < 3 ? ` ${word} ` : ` ${word}`);

/**
 * Methods with most words of a text, for one that no method has all of; of equally many, those with the rarest, then those that
 * have one in an earlier name. Words that more than a tenth of all methods have, such as “of”, count for nothing.
 */
export function nearestMethods(text: string): Found {
  const words = [...new Set(plain(text).split(' '))].flatMap((word) => {
    const holders = new Set(KNOWN.filter((known) => hasWord(known, word)));
    return holders.size > 0 && holders.size <= KNOWN.length / 10 ? [{ word, holders }] : [];
  });
  return KNOWN.map((known) => {
    const held = words.filter(({ holders }) => holders.has(known));
    const rarity = held.reduce((sum, { holders }) => sum + 1 / holders.size, 0);
    const named = known.names.findIndex((name) => words.some(({ word }) => ` ${name}`.includes(` ${word}`)));
    return { known, count: held.length, rarity, named: named < 0 ? known.names.length : named };
  })
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || b.rarity - a.rarity || a.named - b.named)
    .slice(0, MOST_NEAR)
    .map(({ known }) => known);
}
