/** Whether the tour is on. It is offered, never begun by itself: a card over the question helps nobody to read it. */
import { create } from 'zustand';

export const useTour = create<{ readonly isOn: boolean }>(() => ({ isOn: false }));

export const beginTour = (): void => useTour.setState({ isOn: true });

export function endTour(): void {
  useTour.setState({ isOn: false });
  document.querySelector<HTMLElement>('[data-testid=help]')?.focus();
}
