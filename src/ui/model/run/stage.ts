/** The part of a run that is under way, told with the same count wherever it is: the warm start in steps, then updates. */
import { warmStartShare } from '../../../experiment/duration';
import { formatCount } from '../../kit/format';
import { useLabParts, useLabState } from '../useLab';

export interface Stage {
  readonly name: 'preparing' | 'warm start' | 'training';
  /** “Imitating” and “97 of 150”; what is prepared, and nothing. */
  readonly title: string;
  readonly count: string;
  /** Share of the run's time that is over by the estimate, from 0 to 1: one bar, which never falls back. */
  readonly done: number;
}

export function useStage(): Stage {
  const { phase, detail, imitation, update } = useLabParts('phase', 'detail', 'imitation', 'update');
  const running = useLabState((state) => state.running);
  const updates = running?.updates ?? 0;
  const { done, total } = imitation ?? { done: 0, total: 0 };
  const share = running === null || total === 0 ? 0 : warmStartShare(running);
  const learned = total === 0 ? 0 : (share * done) / total;
  const both = { done: learned + (updates === 0 ? 0 : ((1 - share) * update) / updates) };
  const counted = (at: number, of: number) => `${formatCount(at)} of ${formatCount(of)}`;
  if (phase !== 'preparing') return { ...both, name: 'training', title: 'Training', count: counted(update, updates) };
  // Prepared once more under way, as after a lost device, it has its warm start behind it.
  if (total === 0 || update > 0) return { ...both, name: 'preparing', title: detail || 'Preparing', count: '' };
  return { ...both, name: 'warm start', title: 'Imitating', count: counted(done, total) };
}
