/** Settings of the arms, of the run, of the world and of the experiment as a whole, and a search among all of them. */

import { useDeferredValue, useState } from 'react';
import { SearchField } from '../../kit/Fields';
import { plural } from '../../kit/format';
import { part } from '../../kit/part';
import { Group } from '../../model/Group';
import { foundBy, SearchContext, settingsOf } from '../../model/settings/search';
import { SweepASetting } from '../../model/sweep/SweepButton';
import { useLabState } from '../../model/useLab';
import { ExperimentSettings } from './ExperimentSettings';
import { WorldSettings } from './WorldSettings';
import '../../model/settings/controls-panel.css';

export function Settings() {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text);
  const all = settingsOf(useLabState((state) => state.edited));
  const found = foundBy(wanted);
  const count = found === null ? all.length : all.filter(found).length;
  return (
    <Group id="settings" about="What is asked of the arms, and in which world.">
      <search className="settings-search row">
        <label htmlFor="settings-search">Find a setting</label>
        <SearchField
          id="settings-search"
          className="field search"
          data-testid="settings-search"
          placeholder="name, help or key"
          text={text}
          onText={setText}
        />
        <span className="small soft" role="status">
          {found === null
            ? plural(all.length, 'setting')
            : count === 0
              ? 'No setting has all of these words.'
              : `${count} of ${plural(all.length, 'setting')}`}
        </span>
        <SweepASetting testId="sweep-settings" />
      </search>
      <SearchContext value={wanted}>
        <Hyperparameters />
        <WorldSettings />
        <ExperimentSettings />
      </SearchContext>
    </Group>
  );
}

const ArmSettings = part(
  'The arms’ settings',
  () => import('./ArmSettings'),
  'ArmSettings',
  <section className="panel panel-loading" aria-busy="true" aria-label="Hyperparameters" />,
);

/** All settings of an arm, loaded apart: they are below the first screen, and the page need not wait for them. */
function Hyperparameters() {
  return <ArmSettings />;
}
