/**
 * Dream of a policy, under its arm's world: drawn where answers name places, else written beside what was seen; how far
 * the two agree, for one turn and further ahead; and how much the prediction depends on the action.
 */
import { type CSSProperties, useEffect, useRef } from 'react';
import type { Environment, Scene } from '../../../environments/environment';
import type { Arm } from '../../../experiment/experiment';
import type { DreamsHeard } from '../../../store/lab';
import type { DreamView, EpisodeView } from '../../../train/looks/shown';
import { formatMeasured, formatPercent, plural } from '../../kit/format';
import type { ArmColour } from '../armColour';
import type { World } from '../environment';
import { useLab, useLabState, usePreferences } from '../useLab';
import { agreementOf, answersOf } from './answers';
import { takeAsked } from './asked';
import { DreamDrawing } from './DreamDrawing';
import { HorizonBars, HorizonTable } from './HorizonBars';
import './dream.css';

interface Props {
  readonly arm: Arm;
  readonly colour: ArmColour;
  readonly world: World;
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
      <p className="world-outcome small soft">{failure === null ? awaited : `${failure.what} ${failure.advice}`}</p>
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
      <p className="world-outcome small soft">
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
      <dt className="soft">cross-entropy, nats per token</dt>
      <dd>{Number.isNaN(crossEntropy) ? '–' : formatMeasured(crossEntropy)}</dd>
      <dt className="soft">more with another action</dt>
      <dd data-testid={`dream-sensitivity-${arm}`} data-value={sensitivity}>
        {Number.isNaN(sensitivity) ? '–' : formatMeasured(sensitivity)}
      </dd>
    </dl>
  );
}
