/**
 * Settings that can be changed while training, for one arm or for all: the objective of each arm, the few numbers that
 * are turned first, and sections for everything else. Shown are those that matter to the present arms, or all on
 * request.
 */

import { useState } from 'react';
import type { Environment } from '../../../environments/environment';
import { isRelevant } from '../../../experiment/arm/relevance';
import { type Arm, type ArmSettingPath, findArmSetting, getArmSetting } from '../../../experiment/experiment';
import { changedFromObjective } from '../../../experiment/objectives/objectivePresets';
import { Check } from '../../kit/Fields';
import { plural } from '../../kit/format';
import { armColours } from '../../model/armColour';
import { ArmMark } from '../../model/arms/ArmName';
import { worldOf } from '../../model/environment';
import { rewardWords } from '../../model/formula/rewardWords';
import { ArmControls, EVERY } from '../../model/settings/ArmControl';
import { FIRST, SECTIONS } from '../../model/settings/armSections';
import { useAsked, useShowsAsked } from '../../model/settings/asked';
import { Objectives } from '../../model/settings/Objectives';
import { useScope } from '../../model/settings/scope';
import { useFound } from '../../model/settings/search';
import { nameOfValue } from '../../model/settings/valueNames';
import { useLabState } from '../../model/useLab';
import { RewardSettings } from './RewardSettings';
import '../../model/settings/controls-panel.css';

/** Settings that a closed section tells of itself. */
const HEADLINES: Readonly<Record<(typeof SECTIONS)[number]['id'], readonly ArmSettingPath[]>> = {
  'world-model': ['worldModelForm', 'worldModelBatchDenominator', 'inverseDynamics'],
  reward: [],
  policy: ['surrogate', 'ratioLevel', 'aggregation'],
  advantage: ['advantageCredit', 'advantageBaseline', 'advantageScale'],
  regularisation: ['klEstimator', 'distillation'],
  critic: ['valueCoefficient'],
  optimiser: ['weightDecay', 'maxGradNorm'],
  sampling: ['taskChoice'],
  'warm-start': ['warmStart'],
};

export function ArmSettings() {
  const [scope, setScope] = useScope();
  const [all, setAll] = useState(false);
  const found = useFound();
  useShowsAsked();
  const arms = useLabState((state) => state.edited.arms);
  const environment = worldOf(useLabState((state) => state.edited.environment))?.environment ?? null;
  const live = useLabState(({ phase }) => ['running', 'paused', 'diverged', 'ready'].includes(phase));
  const concerned = arms.filter(({ id }) => scope === EVERY || id === scope);
  const matters = (path: ArmSettingPath) =>
    found === null
      ? all || path === 'ce.observation' || concerned.some((arm) => isRelevant(arm, path, environment))
      : found(findArmSetting(path));
  if (found !== null && ![...FIRST, ...SECTIONS.flatMap(({ paths }) => paths)].some(matters)) return null;
  const colours = armColours(arms);
  return (
    <>
      <section className="panel" aria-labelledby="hyperparameters">
        <div className="row row-close tall">
          <h3 id="hyperparameters">Hyperparameters</h3>
          <fieldset className="row words-apart">
            <legend className="hidden-text">Which arms the settings below concern</legend>
            {[{ id: EVERY, name: 'All arms' }, ...arms].map(({ id, name }) => (
              <label key={id} className="scope-choice line inline steady closer hand">
                <input
                  type="radio"
                  name="scope"
                  value={id}
                  data-testid={`scope-${id}`}
                  checked={scope === id}
                  onChange={() => setScope(id)}
                />
                {id !== EVERY && <ArmMark colour={colours.get(id)} />}
                <span>{name}</span>
              </label>
            ))}
          </fieldset>
          {found === null && (
            <Check
              className="scope-choice all-settings line inline steady closer hand"
              testId="all-settings"
              checked={all}
              onCheck={setAll}
            >
              <span>Show settings without effect too</span>
            </Check>
          )}
          <p className="small soft panel-note">
            {live
              ? 'Changes apply at the next update, without a restart.'
              : 'These can also be changed while training.'}
          </p>
        </div>
        <ArmControls paths={FIRST.filter(matters)} scope={scope} />
        {SECTIONS.map(({ id, title, paths }) => {
          if (!paths.some(matters)) return null;
          return found !== null ? (
            <Found key={id} title={title} paths={paths.filter(matters)} scope={scope} />
          ) : (
            <Section
              key={id}
              id={id}
              title={title}
              arms={concerned}
              environment={environment}
              headlines={HEADLINES[id].filter((path) => concerned.some((arm) => isRelevant(arm, path)))}
              paths={paths.filter(matters)}
              scope={scope}
              allPaths={paths}
              matters={matters}
            />
          );
        })}
      </section>
      {found === null && <Objectives />}
    </>
  );
}

/** Settings of a section that a search found. */
function Found({ title, paths, scope }: Pick<SectionProps, 'title' | 'paths' | 'scope'>) {
  return (
    <section className="panel-section ruled" aria-label={title}>
      <h4>{title}</h4>
      <ArmControls paths={paths} scope={scope} />
    </section>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly arms: readonly Arm[];
  readonly environment: Environment | null;
  readonly headlines: readonly ArmSettingPath[];
  /** Settings shown now. */
  readonly paths: readonly ArmSettingPath[];
  /** All settings of the section, those without an effect included. */
  readonly allPaths: readonly ArmSettingPath[];
  readonly scope: string;
  readonly matters: (path: ArmSettingPath) => boolean;
}

/** Section whose controls are drawn when it is opened: there are about a hundred in all. */
function Section({ id, title, arms, environment, headlines, paths, allPaths, scope, matters }: SectionProps) {
  const asked = useAsked()?.path;
  const [open, setOpen] = useState(allPaths.some((path) => path === asked));
  const changed = new Set(arms.flatMap((arm) => changedFromObjective(arm).filter((path) => allPaths.includes(path))))
    .size;
  const said = headlines.map((path) => {
    const names = [...new Set(arms.map((arm) => nameOfValue(path, getArmSetting(arm, path))))];
    const setting = findArmSetting(path);
    const named = setting?.type === 'choice' ? '' : `${setting?.label.toLowerCase()} `;
    return named + (names.length === 1 ? names[0] : names.join(' or '));
  });
  const summary = [
    ...new Set(id === 'reward' ? arms.map((arm) => rewardWords(arm, environment)) : said),
    ...(changed > 0 ? [`${plural(changed, 'setting')} changed from the objective`] : []),
  ];
  return (
    <details
      className="panel-section ruled"
      data-testid={`section-${id}`}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {title} <span className="small soft section-summary">{summary.join(' · ')}</span>
      </summary>
      {open && id === 'reward' && <RewardSettings scope={scope} shown={matters} />}
      {open && id !== 'reward' && <ArmControls paths={paths} scope={scope} />}
    </details>
  );
}
