/** Lenses of the inspector: the number written beneath each token, and how deep and to which side it is drawn. */
import { LENSES, type LensName } from '../../../store/look/inspector';
import type { Inspection } from '../../../train/looks/shown';
import { formatMeasured, formatPercent, formatSetting } from '../../kit/format';
import { type AttentionPlace, attentionTo } from '../../places/understand/why/inside/attention';
import { boundOf, numberOf, policyPull, ratioOf } from './tokens';

/** View of the lens `attention`: a querying token of each trajectory, a layer, a head. */
export interface LensView extends AttentionPlace {
  readonly query: (inspection: Inspection) => number;
}

export interface Lens {
  readonly name: string;
  /** Sentence on how to read the lens. */
  readonly help: string;
  /** Number of a token; null for a lens that only tells tokens apart. */
  readonly value: ((inspection: Inspection, index: number, view: LensView) => number) | null;
  /** Depth of a number: the largest on screen fills it, with `share` the number 1 does. Negative to the left. */
  readonly depth: (value: number) => number;
  readonly scale: 'largest' | 'share';
  /** True if depths are drawn from the middle to either side. */
  readonly isSigned?: boolean;
}

const same = (value: number): number => value;
const byNumber =
  (name: 'oldLogProb' | 'logProb' | 'referenceLogProb' | 'oldValue' | 'advantage' | 'entropy') =>
  (inspection: Inspection, index: number): number =>
    numberOf(inspection, name, index);
const probability = { depth: Math.exp, scale: 'share' } as const;
const measured = { depth: same, scale: 'largest' } as const;
const FULLER = 'in nats; the fuller, the more probable.';

const TABLE: Readonly<Record<LensName, Lens>> = {
  role: {
    name: 'Role',
    help: 'Outlined: the prompt. Dark: an action. Coloured: an observation. Dashed: a warning of the environment.',
    value: null,
    ...measured,
  },
  weight: {
    name: 'Effective weight',
    help: '|policy weight × advantage| + cross-entropy weight. Hatched: the loss learns nothing from it.',
    value: (inspection, index) => policyPull(inspection, index) + numberOf(inspection, 'crossEntropyWeight', index),
    ...measured,
  },
  old: {
    name: 'Log-prob, old',
    help: `Under the policy that acted, ${FULLER}`,
    value: byNumber('oldLogProb'),
    ...probability,
  },
  new: {
    name: 'Log-prob, new',
    help: `Under the policy after this update, ${FULLER}`,
    value: byNumber('logProb'),
    ...probability,
  },
  reference: {
    name: 'Log-prob, reference',
    help: `Under the policy that the KL is measured against, ${FULLER}`,
    value: byNumber('referenceLogProb'),
    ...probability,
  },
  ratio: {
    name: 'Ratio',
    help: 'exp(new − old): right of the middle, more probable than before. 1.3] is clipped at the upper bound, [0.7 at the lower.',
    value: ratioOf,
    depth: Math.log,
    scale: 'largest',
    isSigned: true,
  },
  advantage: {
    name: 'Advantage',
    help: 'What the token trained with: right of the middle, better than what it is compared with; left, worse.',
    value: byNumber('advantage'),
    ...measured,
    isSigned: true,
  },
  value: {
    name: 'Value, by the critic',
    help: 'What the critic expected from here on before the token was drawn, as reward; left of the middle, less than 0.',
    value: byNumber('oldValue'),
    ...measured,
    isSigned: true,
  },
  entropy: {
    name: 'Entropy',
    help: 'Of the new policy where this token was drawn or predicted, in nats.',
    value: byNumber('entropy'),
    ...measured,
  },
  surprise: {
    name: 'Surprise',
    help: '−log-prob under the policy that acted, in nats: what it did not see coming.',
    value: (inspection, index) => -numberOf(inspection, 'oldLogProb', index),
    ...measured,
  },
  attention: {
    name: 'Attention',
    help: 'How much the chosen token attends to each before it, as a share, under the policy after this update; walk on to look from another.',
    value: (inspection, index, view) => {
      const query = view.query(inspection);
      return index > query ? Number.NaN : attentionTo(inspection, view, query, index);
    },
    ...measured,
  },
};

export const lensOf = (name: LensName): Lens => TABLE[name];
export const lensNames = LENSES.map((id) => ({ id, name: TABLE[id].name }));

/** Number with two digits at least, also for the small weights of large batches. */
function writeNumber(value: number): string {
  return value !== 0 && Math.abs(value) < 0.1 ? formatSetting(Number(value.toPrecision(2))) : formatMeasured(value);
}

/** Trajectories as seen through a lens. */
export interface Look {
  readonly lens: LensName;
  readonly write: (inspection: Inspection, index: number) => string;
  /** Depth of a token's colour, −1 … 1. */
  readonly depth: (inspection: Inspection, index: number) => number;
}

export function lookThrough(lens: LensName, shown: readonly Inspection[], view: LensView): Look {
  return {
    lens,
    write: (inspection, index) => writeValue(lens, inspection, index, view),
    depth: depthOf(lens, shown, view),
  };
}

/** Value in its form beneath a token; clipped ratios with a bracket on the side of their bound. */
function writeValue(lens: LensName, inspection: Inspection, index: number, view: LensView): string {
  const value = TABLE[lens].value?.(inspection, index, view) ?? Number.NaN;
  if (Number.isNaN(value)) return '';
  if (lens === 'attention') return formatPercent(value);
  const text = writeNumber(value);
  if (lens !== 'ratio') return text;
  const bound = boundOf(inspection, index);
  if (bound === null) return text;
  return bound === 'lower' ? `[${text}` : `${text}]`;
}

function depthOf(lens: LensName, shown: readonly Inspection[], view: LensView): Look['depth'] {
  const { value, depth, scale } = TABLE[lens];
  const of = (inspection: Inspection, index: number): number => {
    const known = value?.(inspection, index, view) ?? Number.NaN;
    return Number.isNaN(known) ? 0 : depth(known);
  };
  if (scale === 'share') return of;
  const all = shown.flatMap((one) => Array.from(one.tokens.keys(), (index) => Math.abs(of(one, index))));
  const largest = all.reduce((most, size) => Math.max(most, size), 0);
  return (inspection, index) => (largest === 0 ? 0 : of(inspection, index) / largest);
}
