/** Message that a newer version of the lab has been published: this tab changes nothing until the person reloads it. */

import { useStore } from 'zustand';
import { isLive } from '../../../store/lab';
import { Button } from '../../kit/Button';
import { useLabState } from '../../model/useLab';
import { newVersion } from './newVersionStore';

export function NewVersion() {
  const reload = useStore(newVersion, (state) => state.reload);
  const isTraining = useLabState(isLive);
  if (reload === null) return null;
  return (
    <div className="message" data-testid="message" data-kind="new-version">
      <p>
        A newer version of the lab is there. This tab goes on as it is
        {isTraining ? ': reload it when the run is finished.' : ' until it is reloaded.'}
      </p>
      <div className="dialog-buttons">
        <Button data-testid="reload" onClick={reload}>
          Reload
        </Button>
        <Button className="button-quiet" onClick={() => newVersion.setState({ reload: null })}>
          Later
        </Button>
      </div>
    </div>
  );
}
