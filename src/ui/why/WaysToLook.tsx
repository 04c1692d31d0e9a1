/** The ways into an episode, where one looks for reasons: its tokens, its group, and the policy's dream of the world. */

import { goTo } from '../place';
import { useLab, useLabState, usePlayback, usePreferences } from '../useLab';
import { askForDreams } from './dream/asked';

export function WaysToLook() {
  const { inspector, preferences } = useLab();
  const running = useLabState((state) => state.running !== null);
  const episode = usePlayback(({ episodes }) => Object.values(episodes)[0]);
  const dreaming = usePreferences((state) => state.dream !== 'none');
  return (
    <section className="panel ways" aria-labelledby="ways-title">
      <h3 id="ways-title">Look inside an episode</h3>
      {episode === undefined && (
        <p className="small soft">
          {running ? 'Load the run’s policies first, or run again' : 'Press Run first'}: all need an episode.
        </p>
      )}
      <p className="way small">
        <button
          type="button"
          className="button"
          data-testid="why-inspect"
          disabled={episode === undefined}
          onClick={() => episode !== undefined && inspector.open(episode, null)}
        >
          Inspect tokens
        </button>
        <span className="soft">
          Every token of an episode: how likely it was, what it was worth, and the formula that it is learned by.
        </span>
      </p>
      <p className="way small">
        <button
          type="button"
          className="button"
          data-testid="why-tree"
          disabled={episode === undefined}
          onClick={() => episode !== undefined && inspector.open(episode, null, 'tree')}
        >
          Draw its group
        </button>
        <span className="soft">
          All rollouts of its task, joined while they did and saw the same: where they part, and how many succeed on
          each way.
        </span>
      </p>
      <p className="way small">
        <button
          type="button"
          className="button"
          data-testid="why-dream"
          aria-pressed={dreaming}
          disabled={!running}
          onClick={() => {
            if (!dreaming) {
              askForDreams();
              goTo('lab');
            }
            preferences.setState({ dream: dreaming ? 'none' : 'next', dreamSampling: 'greedy' });
          }}
        >
          {dreaming ? 'Hide the dreams' : 'Draw the dreams'}
        </button>
        <span className="soft">
          Dreams: what the policy expects the world to answer, drawn in the lab under each world, beside what came.
        </span>
      </p>
    </section>
  );
}
