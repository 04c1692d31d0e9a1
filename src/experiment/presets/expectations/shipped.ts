/** Expectations of experiments on policies that come with the lab: their numbers are those that `npm run policies` recorded. */
import { percent } from '../../../foundation/percent';
import { findShipped, SHIPPED, type ShippedPolicy } from '../../shippedPolicies';

interface Words {
  /** Predicate for an agent that succeeds. */
  readonly success: string;
  /** Further sentence. */
  readonly note?: string;
}

/** Words by the id of the world. */
const WORLDS: Readonly<Record<string, Words>> = {
  gridworld: { success: 'finds the goal' },
  calculator: {
    success: 'gives the right answer',
    note: 'What the arms can do without the tool shows in the examinations, and late.',
  },
  shop: { success: 'buys the right thing' },
  terminal: { success: 'leaves the disk as the task asks' },
  mixture: {
    success: 'does what its task asks',
    note: 'The charts of each world show how unequal they are.',
  },
};

const nats = (value: number | null | undefined): string => value?.toFixed(1) ?? 'unknown';

function expectationOf(world: string, { results: before }: ShippedPolicy, { results: after }: ShippedPolicy): string {
  const { success, note = '' } = WORLDS[world] as Words;
  const sentences = [
    `The imitator ${success} in ${percent(before.playedSuccess)} of its episodes, the trained agent, which never changes here, in ${percent(after.playedSuccess)}.`,
    measuredWords(world, nats(before.playedObservationCrossEntropy)),
    `In the trained agent it is ${nats(after.playedObservationCrossEntropy)}.`,
    note,
    'All seeds begin as the same policy: they differ by tasks and dice.',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function measuredWords(world: string, begun: string): string {
  const run = SHIPPED.fromFiles[world];
  const [mask, model] = [run?.arms['action-mask'], run?.arms['world-model']];
  if (run === undefined || mask === undefined || model === undefined) return '';
  return (
    `One seed on a processor core: over the last 20 of ${run.updates} updates the action mask succeeded in ` +
    `${percent(mask.successRate)} and the world model in ${percent(model.successRate)}, and one seed settles no ` +
    `difference between them. The cross-entropy of what is observed, ${begun} nats at the beginning, was ` +
    `${nats(mask.observationCrossEntropy)} under the mask and ${nats(model.observationCrossEntropy)} in the world model.`
  );
}

function shippedOf(world: string): [string, string][] {
  const [warmStart, trained] = [findShipped(world, 'warm-start'), findShipped(world, 'trained')];
  if (warmStart === undefined || trained === undefined) return [];
  return [[`${world}-from-files`, expectationOf(world, warmStart, trained)]];
}

export const shipped: Readonly<Record<string, string>> = Object.fromEntries(Object.keys(WORLDS).flatMap(shippedOf));
