/** One arm, one chart or one lesson, alone in another page's frame: a button that trains, how it stands, and the way to the lab. */
import { findEnvironment } from '../../../environments/registry';
import type { Arm } from '../../../experiment/experiment';
import { excerpt } from '../../../foundation/errors';
import { joinNames } from '../../kit/format';
import { part } from '../../kit/part';
import { type ArmColour, armColours } from '../../model/armColour';
import { ArmRows } from '../../model/arms/ArmTable';
import { Chart } from '../../model/charts/Chart';
import { asExamined } from '../../model/charts/kinds/definitions';
import { lessonOf } from '../../model/embedAddress';
import { type ExperimentWorld, worldOf } from '../../model/environment';
import { fragmentTo, labLink } from '../../model/place';
import { useExhibit } from '../../model/play';
import { RunButton } from '../../model/run/RunButton';
import { Status } from '../../model/run/Status';
import { useInspector } from '../../model/useInspector';
import { useLabState } from '../../model/useLab';
import { useTheme } from '../../model/useTheme';
import { ArmWorld } from '../../model/worlds/ArmWorld';
import { useStandIns } from '../../model/worlds/boards/standIns';
import { roomOf } from '../../model/worlds/room';
import { usePlaybackClock } from '../../model/worlds/usePlaybackClock';
import { Logo } from '../header/Logo';
import { Messages } from '../messages/Messages';
import { findPart } from './shownPart';
import '../header/header.css';
import '../../model/worlds/worlds.css';
import '../../model/tokens/strip.css';
import './embed.css';

const Lesson = part(
  'The lesson',
  () => import('../../places/library/lessons/LessonAlone'),
  'LessonAlone',
  <p className="soft">Loading the lesson.</p>,
);

const Inspector = part('The inspector', () => import('../inspector/Inspector'), 'Inspector');

export function Embedded({ wanted }: { wanted: string }) {
  const { arms, title, environment } = useLabState(({ running, edited }) => running ?? edited);
  const hasHeldOut = worldOf(environment)?.environment.hasHeldOut === true;
  const { chart, arm } = findPart(wanted, arms);
  const lesson = lessonOf(wanted, arms);
  const inspecting = useInspector((state) => state.isOpen);
  useTheme();
  return (
    <>
      <main className="embed column">
        <h1 className="hidden-text">Unmask</h1>
        <h2 className="hidden-text">{title}</h2>
        {arm !== undefined && <ArmAlone arm={arm} />}
        {chart !== undefined && <Chart definition={asExamined(chart, hasHeldOut)} />}
        {lesson !== null && <Lesson name={lesson} />}
        {arm === undefined && chart === undefined && lesson === null && <Unknown wanted={wanted} arms={arms} />}
        <Foot lesson={lesson} />
      </main>
      <Messages />
      {inspecting && <Inspector />}
    </>
  );
}

function Foot({ lesson }: { lesson: string | null }) {
  return (
    <div className="embed-foot row padded">
      {/* A lesson has its own where it is spoken of. */}
      {lesson === null && <RunButton />}
      <Status />
      <a
        className="embed-link small line inline push soft tall"
        href={labLink(lesson === null ? location.hash : fragmentTo('lessons', lesson))}
        target="_blank"
        rel="noreferrer"
        data-testid="open-in-lab"
      >
        <Logo />
        <span>Open in the lab</span>
      </a>
    </div>
  );
}

function ArmAlone({ arm }: { arm: Arm }) {
  const { environment, arms } = useLabState(({ running, edited }) => running ?? edited);
  const world = worldOf(environment);
  const shown = useExhibit(world?.environment ?? null);
  const colour = armColours(arms).get(arm.id);
  return (
    <section
      className="embed-arm grow"
      aria-label={arm.name}
      data-testid="embedded-arm"
      data-room={world === null ? undefined : roomOf(shown)}
    >
      <ArmRows arms={[arm]} />
      {world !== null && colour !== undefined && <BoardAlone arm={arm} colour={colour} world={world} />}
    </section>
  );
}

function BoardAlone(props: { arm: Arm; colour: ArmColour; world: ExperimentWorld }) {
  const arms = useLabState(({ running, edited }) => (running ?? edited).arms);
  const replay = useStandIns(props.world, arms);
  usePlaybackClock(replay === null);
  return <ArmWorld {...props} />;
}

function Unknown({ wanted, arms }: { wanted: string; arms: readonly Arm[] }) {
  const environment = useLabState(({ edited }) => edited.environment.id);
  return (
    <div className="embed-unknown grow" data-testid="embed-unknown">
      <p>
        <b>There is nothing called “{excerpt(wanted)}” to show here.</b>
      </p>
      <p>
        Embed one of the arms ({joinNames(arms.map(({ id }) => id))}), a chart by its metric, such as chart-successRate,
        or a lesson, such as lesson-mask. The experiment itself, in the{' '}
        {findEnvironment(environment)?.title ?? environment}, can be run all the same.
      </p>
    </div>
  );
}
