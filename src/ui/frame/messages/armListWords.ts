/** Difference of two lists of arms in words: the arms that came and those that go. */
import type { Arm } from '../../../experiment/experiment';
import { joinNames } from '../../kit/format';

type Named = Pick<Arm, 'id' | 'name'>;

export function armListWords(before: readonly Named[], after: readonly Named[]): string {
  const missing = (from: readonly Named[], to: readonly Named[]): string[] =>
    from.filter(({ id }) => to.every((arm) => arm.id !== id)).map(({ name }) => name);
  const [came, go] = [missing(after, before), missing(before, after)];
  const words = [
    ...(came.length > 0 ? [`with ${joinNames(came)}`] : []),
    ...(go.length > 0 ? [`without ${joinNames(go)}`] : []),
  ];
  return words.join(', ');
}
