/** Whether the policies' dreams are drawn beside the world, which, and how they are written. Asked for, never by default. */
import type { Preferences } from '../../store/preferences';
import { useLab, usePreferences } from '../useLab';

interface Choice extends Pick<Preferences, 'dream' | 'dreamSampling'> {
  readonly id: string;
  readonly text: string;
}

const CHOICES: readonly Choice[] = [
  { id: 'none', dream: 'none', dreamSampling: 'greedy', text: 'not drawn' },
  { id: 'next', dream: 'next', dreamSampling: 'greedy', text: 'each answer' },
  { id: 'next-sampled', dream: 'next', dreamSampling: 'sampled', text: 'each answer, sampled' },
  { id: 'whole', dream: 'whole', dreamSampling: 'greedy', text: 'whole episode' },
  { id: 'whole-sampled', dream: 'whole', dreamSampling: 'sampled', text: 'whole episode, sampled' },
];

export function DreamControls() {
  const { preferences } = useLab();
  const dream = usePreferences((state) => state.dream);
  const sampling = usePreferences((state) => state.dreamSampling);
  const isPresent = (choice: Choice): boolean =>
    choice.dream === dream && (dream === 'none' || choice.dreamSampling === sampling);
  return (
    <label className="small soft">
      Dream{' '}
      <select
        className="field dream-choice"
        data-testid="dream"
        value={CHOICES.find(isPresent)?.id}
        onChange={({ target }) => {
          const chosen = CHOICES.find(({ id }) => id === target.value);
          if (chosen !== undefined) {
            preferences.setState({ dream: chosen.dream, dreamSampling: chosen.dreamSampling });
          }
        }}
      >
        {CHOICES.map(({ id, text }) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
