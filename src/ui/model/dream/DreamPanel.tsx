/**
 * Dream of a policy, under its arm's world: drawn where answers name places, else written beside what was seen; how far
 * the two agree, for one turn and further ahead; and how much the prediction depends on the action.
 */
import { type CSSProperties, useEffect, useRef } from 'react';
import type { Environment } from '../../../environments/environment';
import type { Scene } from '../../../environments/scene';
import type { Arm } from '../../../experiment/experiment';
import type { DreamsHeard } from '../../../store/lab';
import type { DreamView, EpisodeView } from '../../../train/looks/shown';
import { formatMeasured, formatPercent, plural } from '../../kit/format';
import { Row, Table } from '../../kit/Table';
import type { ArmColour } from '../armColour';
import type { ExperimentWorld } from '../environment';
import { useLab, useLabState, usePreferences } from '../useLab';
import { agreementOf, answersOf } from './answers';
import { takeAsked } from './asked';
import { DreamDrawing } from './DreamDrawing';
import './dream.css';

interface Props {
  readonly arm: Arm;
  readonly colour: ArmColour;
  readonly world: ExperimentWorld;
  readonly episode: EpisodeView;
  readonly scenes: readonly Scene[];
  readonly turn: number;
}

export function DreamPanel(props: Props) {
  const lab = useLab();
  const heard = lab.dreams.current(useLabState((state) => state.dreams));
  const dream = heard?.byArm[props.arm.id];
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takeAsked()) panel.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <section ref={panel} className="dream" aria-label={`${props.arm.name}: its dream`}>
      {heard === null || dream === undefined ? (
        <Awaited failure={heard?.failure ?? null} environment={props.world.environment} />
      ) : (
        <Dreamed {...props} dream={dream} update={heard.update} />
      )}
    </section>
  );
}

/** Room for written answers, one for each turn; none where they are drawn. */
const roomFor = ({ cellNamed, maxTurns }: Environment) =>
  cellNamed === undefined
    ? { className: 'world-stage dream-written', style: { '--turns': maxTurns } as CSSProperties }
    : { className: 'world-stage' };

function Awaited({ failure, environment }: Pick<DreamsHeard, 'failure'> & { environment: Environment }) {
  const awaited = useLabState(({ phase }) =>
    phase === 'failed' ? 'no dream: training stopped' : 'dreaming after this update',
  );
  return (
    <>
      <p className="world-outcome small soft one-line">
        {failure === null ? awaited : `${failure.what} ${failure.advice}`}
      </p>
      <div {...roomFor(environment)}>
        <div className="board board-empty veil" />
      </div>
      <div className="dream-below top lined tall" />
      <div className="dream-table" />
    </>
  );
}

function Dreamed({
  arm,
  colour,
  world,
  episode,
  scenes,
  turn,
  dream,
  update,
}: Props & { dream: DreamView; update: number }) {
  const isOneDream = usePreferences((state) => state.dream === 'whole');
  const answers = answersOf(episode, isOneDream ? dream.whole : dream.next);
  const shown = answers.slice(0, turn);
  const { agreed, of } = agreementOf(answers);
  const label = `${arm.name}: dreamed up to turn ${shown.length}; ${agreed} of ${plural(of, 'token')} agree with the world`;
  return (
    <>
      <p className="world-outcome small soft one-line">
        {isOneDream ? 'one dream, told nothing' : 'each next answer'}, after {plural(update, 'update')}
      </p>
      <div {...roomFor(world.environment)}>
        <DreamDrawing
          answers={answers}
          shown={shown}
          scenes={scenes}
          world={world}
          isOneDream={isOneDream}
          colour={colour.stroke}
          label={label}
        />
        <div className="foresight dream-figures">
          <p className="small soft">agrees</p>
          <p
            className="foresight-mean bold large"
            data-testid={`dream-agreement-${arm.id}`}
            data-agreed={agreed}
            data-of={of}
          >
            {of === 0 ? '–' : formatPercent(agreed / of)}
          </p>
          <HorizonBars counts={dream} colour={colour.stroke} />
        </div>
      </div>
      <Figures dream={dream} arm={arm.id} />
      <HorizonTable counts={dream} />
    </>
  );
}

function Figures({ dream: { crossEntropy, sensitivity }, arm }: { dream: DreamView; arm: string }) {
  return (
    <dl className="dream-below small top lined tall">
      <dt className="soft">prediction error, nats per token</dt>
      <dd className="to-right">{Number.isNaN(crossEntropy) ? '–' : formatMeasured(crossEntropy)}</dd>
      <dt className="soft">more with another action</dt>
      <dd className="to-right" data-testid={`dream-sensitivity-${arm}`} data-value={sensitivity}>
        {Number.isNaN(sensitivity) ? '–' : formatMeasured(sensitivity)}
      </dd>
    </dl>
  );
}

type Counts = Pick<DreamView, 'dreamed' | 'agreed'>;

const shareAfter = ({ dreamed, agreed }: Counts, turn: number): number =>
  (agreed[turn] ?? Number.NaN) / (dreamed[turn] ?? 0);

/** Agreement of world and dream by the number of turns dreamed: a bar each, over the dreams from every turn of the episode. */
function HorizonBars({ counts, colour }: { counts: Counts; colour: string }) {
  const { length } = counts.dreamed;
  return (
    <>
      <svg viewBox={`0 0 ${length} 100`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length }, (_, turn) => {
          const height = 100 * (shareAfter(counts, turn) || 0);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a number of turns is its place
            <g key={turn}>
              <rect className="veil" x={turn + 0.1} y="0" width="0.8" height="100" />
              <rect x={turn + 0.1} y={100 - height} width="0.8" height={height} fill={colour} />
            </g>
          );
        })}
      </svg>
      <p className="line close small soft between">
        <span>1</span>
        <span>{length > 1 ? plural(length, 'turn') : 'turn'}</span>
      </p>
    </>
  );
}

function HorizonTable({ counts }: { counts: Counts }) {
  return (
    <details className="dream-table small">
      <summary>Agreement by turns dreamed</summary>
      <Table className="table-numbers" columns={['turns', 'agree', 'tokens']}>
        {Array.from(counts.dreamed, (of, turn) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a number of turns is its place
          <Row key={turn} data-agreed={counts.agreed[turn]} data-of={of} head={turn + 1}>
            <td>{of === 0 ? '–' : formatPercent(shareAfter(counts, turn))}</td>
            <td>
              {counts.agreed[turn]} of {of}
            </td>
          </Row>
        ))}
      </Table>
    </details>
  );
}
