/** All environments: another one keeps arms and hyperparameters and begins with its default settings; the experiment's own is told as it is set. */
import { useMemo } from 'react';
import type { EnvironmentDefinition } from '../../../environments/environment';
import { defaultSettings, environments } from '../../../environments/registry';
import { worldOf } from '../environment';
import { useLab, useLabState } from '../useLab';
import { ChoiceButton } from './ChoiceButton';
import { Chooser } from './Chooser';
import { sizeFacts } from './experimentWords';
import { OneFileWorlds } from './OneFileWorlds';
import { WorldPicture } from './WorldPicture';

export function WorldChooser({ onClose }: { onClose: () => void }) {
  const live = useLabState((state) => state.running !== null);
  return (
    <Chooser title="Choose a world" onClose={onClose}>
      <p className="chooser-note small soft">
        Arms and hyperparameters stay as they are; a world that is new to the experiment begins with its default
        settings, which are told here. {live ? 'The present run goes on until you choose to restart.' : ''}
      </p>
      <ul className="choices">
        {Object.values(environments).map((definition) => (
          <li key={definition.id}>
            <WorldChoice definition={definition} onClose={onClose} />
          </li>
        ))}
      </ul>
      <OneFileWorlds onClose={onClose} />
    </Chooser>
  );
}

function WorldChoice({ definition, onClose }: { definition: EnvironmentDefinition; onClose: () => void }) {
  const lab = useLab();
  const chosen = useLabState((state) => state.edited.environment);
  const { id, title, summary } = definition;
  const usual = useMemo(() => definition.create(defaultSettings(definition.id)), [definition]);
  // Settings that contradict each other make no world.
  const environment = (chosen.id === id ? worldOf(chosen)?.environment : null) ?? usual;
  return (
    <ChoiceButton
      title={title}
      text={summary}
      facts={sizeFacts(environment)}
      picture={<WorldPicture environment={environment} />}
      present={chosen.id === id ? 'on screen' : null}
      testId={`world-${id}`}
      onChoose={() => {
        lab.editor.chooseWorld(id);
        onClose();
      }}
    />
  );
}
