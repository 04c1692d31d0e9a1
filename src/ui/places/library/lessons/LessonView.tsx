/** A lesson: its text, the lab with its experiment, its question, and where to go on. */

import { useEffect, useId } from 'react';
import { experimentSettings } from '../../../../experiment/experiment';
import { withHidden } from '../../../../experiment/link/hidden';
import { readSetting, writeSetting } from '../../../../experiment/settings/setting';
import { Boundary } from '../../../kit/Boundary';
import { Button } from '../../../kit/Button';
import { CopyField } from '../../../kit/Fields';
import { formatCount } from '../../../kit/format';
import { ArmRows } from '../../../model/arms/ArmTable';
import { Chart } from '../../../model/charts/Chart';
import { chartOf } from '../../../model/charts/kinds/definitions';
import { embedLink, frameOf, lessonPart } from '../../../model/embedAddress';
import { leave } from '../../../model/lessonBefore';
import { fragmentTo, labLink, placeLink, withFragment } from '../../../model/place';
import { RunButtons } from '../../../model/run/RunButtons';
import { ArmControl } from '../../../model/settings/ArmControl';
import { SettingControl } from '../../../model/settings/SettingControl';
import { useLab, useLabState } from '../../../model/useLab';
import { Boards } from '../../../model/worlds/Boards';
import { LessonQuestion } from './LessonQuestion';
import { isOpened, isRunLesson, type Lesson, type RunLesson } from './lesson';
import { LESSONS } from './lessons';
import { MaskQuestion } from './MaskQuestion';
import { Paragraphs } from './Paragraphs';
import '../../../model/arms/arms.css';
import '../../../model/settings/controls-panel.css';

/** `isGuest`: in another page’s frame, where links lead out of it. */
export function LessonView({ lesson, isGuest = false }: { lesson: Lesson; isGuest?: boolean }) {
  const number = LESSONS.indexOf(lesson) + 1;
  useEffect(() => () => leave(lesson), [lesson]);
  return (
    <>
      <p className="small soft">
        {!isGuest && (
          <>
            <a href={placeLink('lessons')}>Lessons</a>
            {' · '}
          </>
        )}
        {number} of {LESSONS.length} · about {lesson.minutes} minutes
      </p>
      <h2>{lesson.title}</h2>
      <Paragraphs texts={lesson.text} />
      {isRunLesson(lesson) ? (
        <>
          <LessonLab lesson={lesson} isGuest={isGuest} />
          <LessonQuestion lesson={lesson} />
        </>
      ) : (
        <MaskQuestion lesson={lesson} />
      )}
      <Onwards lesson={lesson} isGuest={isGuest} />
      {!isGuest && <ForTeachers lesson={lesson} />}
    </>
  );
}

/** The parts of the lab, with the lesson’s experiment in them. */
function LessonLab({ lesson, isGuest }: { lesson: RunLesson; isGuest: boolean }) {
  const lab = useLab();
  const isOpen = useLabState((state) => isOpened(state, lesson));
  const open = () =>
    lab.leaving.ask(`The lesson “${lesson.title}” brings its own experiment.`, () =>
      lab.editor.open(lesson.experiment),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, until something else is opened
  useEffect(() => {
    if (!isOpen) open();
  }, [isOpen]);
  if (!isOpen) {
    return (
      <section className="lesson-lab stack wide start band" aria-label="The lab">
        <p>Another experiment is open in the lab.</p>
        <Button className="button-primary" onClick={open}>
          Open the lesson’s experiment
        </Button>
      </section>
    );
  }
  return (
    <section className="lesson-lab stack wide start band" aria-label="The lab">
      <Boundary what="The table of arms">
        <div className="lesson-arms">
          <LessonArms />
        </div>
      </Boundary>
      {/* Elsewhere the header has them, which is in sight. */}
      {isGuest && (
        <div className="row">
          <RunButtons />
          <Progress />
        </div>
      )}
      <Controls lesson={lesson} />
      <div className="split full">
        <Boundary what="The worlds">
          <LessonWorlds />
        </Boundary>
        <div className="stack wide top">
          {lesson.charts.map((metric) => (
            <Chart key={metric} definition={chartOf(metric)} />
          ))}
        </div>
      </div>
    </section>
  );
}

function LessonArms() {
  const arms = useLabState(({ edited }) => edited.arms);
  return <ArmRows arms={arms} />;
}

/** Progress of the run, like the header's, which a frame is without. */
function Progress() {
  const update = useLabState((state) => state.update);
  const updates = useLabState(({ running, edited }) => (running ?? edited).updates);
  return (
    <span className="small soft">
      update {formatCount(update)} of {formatCount(updates)}
    </span>
  );
}

function Controls({ lesson: { controls } }: { lesson: RunLesson }) {
  const lab = useLab();
  const edited = useLabState((state) => state.edited);
  if (controls.length === 0) return null;
  return (
    <div className="cards full">
      {controls.map((control) => {
        if ('arm' in control) {
          const arm = edited.arms.find(({ id }) => id === control.arm);
          return arm === undefined ? null : (
            <fieldset key={`${control.arm} ${control.path}`}>
              <legend className="small soft">{arm.name}</legend>
              <ArmControl path={control.path} scope={control.arm} />
            </fieldset>
          );
        }
        const setting = experimentSettings.find(({ path }) => path === control.path);
        return setting === undefined ? null : (
          <fieldset key={control.path}>
            <legend className="small soft">All arms</legend>
            <SettingControl
              setting={setting}
              value={readSetting(edited, setting.path) ?? setting.default}
              onChange={(value) => lab.editor.edit(writeSetting(lab.store.getState().edited, setting.path, value))}
            />
          </fieldset>
        );
      })}
    </div>
  );
}

function LessonWorlds() {
  return <Boards experiment={useLabState(({ running, edited }) => running ?? edited)} />;
}

function Onwards({ lesson, isGuest }: { lesson: Lesson; isGuest: boolean }) {
  const next = LESSONS[LESSONS.indexOf(lesson) + 1];
  // In a frame a link leads to the lab in a page of its own.
  const out = isGuest ? { target: '_blank', rel: 'noreferrer' } : {};
  const lead = isGuest ? labLink : withFragment;
  return (
    <nav className="row" aria-label="Go on">
      {next !== undefined && (
        <a href={lead(fragmentTo('lessons', next.id))} data-testid="next-lesson" {...out}>
          Next lesson: {next.title}
        </a>
      )}
      <a href={lead(lesson.further.fragment)} {...out}>
        In the lab: {lesson.further.words}
      </a>
    </nav>
  );
}

/** Places that lead away from a lesson. */
const AWAY = ['why', 'belief', 'training', 'settings', 'runs', 'kernels', 'speed'] as const;

/** Ways to pass a lesson on: by its address, with other places hidden, or in a frame of another page. */
function ForTeachers({ lesson: { id, title } }: { lesson: Lesson }) {
  const [page = ''] = location.href.split(/[?#]/);
  const link = placeLink('lessons', id);
  const [source = ''] = embedLink(page, lessonPart(id)).split('#');
  return (
    <details className="small">
      <summary data-testid="for-teachers">Pass this lesson on</summary>
      <Copied label="Its address" value={link} />
      <Copied label="The same with nothing else on the page" value={withHidden(link, AWAY)} />
      <Copied label="A frame for another page" value={frameOf(source, title, [960, 1200])} />
    </details>
  );
}

function Copied({ label, value }: { label: string; value: string }) {
  const id = useId();
  return (
    <>
      <label className="soft block above-8" htmlFor={id}>
        {label}
      </label>
      <CopyField id={id} value={value} />
    </>
  );
}
