/** The recorded success of an experiment's arms, small: a line each, and where it ended. Nothing where none is recorded. */
import type { Experiment } from '../../../experiment/experiment';
import { recordedResultOf } from '../../../store/recorded/recordings';
import { formatPercent } from '../../kit/format';
import { useArrived } from '../../kit/part';
import { armColours } from '../../model/armColour';

const [WIDTH, HEIGHT] = [160, 40];

export function Spark({ experiment }: { experiment: Experiment }) {
  const load = recordedResultOf(experiment);
  if (load === undefined) return null;
  return <Recorded experiment={experiment} load={load} />;
}

type Load = NonNullable<ReturnType<typeof recordedResultOf>>;

function Recorded({ experiment: { arms, updates }, load }: { experiment: Experiment; load: Load }) {
  const result = useArrived(load);
  const colours = armColours(arms);
  const at = result?.at ?? [];
  const most = Math.max(0.01, ...(result?.arms ?? []).flatMap(({ successRate }) => successRate.map(Number)));
  const xOf = (update: number) => (WIDTH * update) / updates;
  const yOf = (value: number) => HEIGHT - 2 - ((HEIGHT - 4) * value) / most;
  return (
    <figure className="library-spark">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {result?.arms.map(({ id, successRate }) => (
          <polyline
            key={id}
            points={successRate
              .flatMap((value, i) => (value === null ? [] : [`${xOf(at[i] ?? 0)},${yOf(value)}`]))
              .join(' ')}
            fill="none"
            stroke={colours.get(id)?.stroke}
            strokeDasharray={colours.get(id)?.dash}
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <figcaption className="small soft">
        {result === null
          ? ' '
          : `Recorded success: ${result.arms.map(({ name, successRate }) => `${name} ${formatPercent(successRate.at(-1) ?? 0)}`).join(', ')}`}
      </figcaption>
    </figure>
  );
}
