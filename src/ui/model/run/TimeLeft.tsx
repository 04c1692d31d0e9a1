/** Time that the run still needs at its pace, where an update takes seconds. If it is long, it opens a way to a shorter run. */
import { Button } from '../../kit/Button';
import { formatCount, plural } from '../../kit/format';
import { PopoverButton } from '../../kit/PopoverButton';
import { durationWords, shorterRun } from '../experimentWords';
import { useLab, useLabState } from '../useLab';

/** Seconds above which a shorter run is offered, and about as long as it should be. */
const [LONG, SHORT] = [1200, 480];

export function TimeLeft({ updatesPerSecond }: { updatesPerSecond: number }) {
  const lab = useLab();
  const update = useLabState((state) => state.update);
  const updates = useLabState(({ running }) => running?.updates ?? 0);
  const left = (updates - update) / updatesPerSecond;
  const words = `about ${formatCount(Math.ceil(left / 60))} min left`;
  const fewer = shorterRun(updates, (SHORT * updatesPerSecond) / updates);
  if (left < LONG) return words;
  const restart = () => {
    lab.editor.edit({ ...lab.store.getState().edited, updates: fewer });
    lab.editor.begin(true);
  };
  return (
    <PopoverButton label="A shorter run" words={words} className="button-quiet time-left bare" testId="time-left">
      {(close) => (
        <div className="time-left-panel small stack start wraps">
          <p>You can pause at any time: curves and policies are kept.</p>
          {fewer < updates && fewer > update && (
            <Button
              data-testid="run-shorter"
              onClick={() => {
                close();
                restart();
              }}
            >
              Run {plural(fewer, 'update')} instead, {durationWords(fewer / updatesPerSecond)}
            </Button>
          )}
        </div>
      )}
    </PopoverButton>
  );
}
