/** True while the tour runs. It is offered, never begun by itself: a card over the question helps nobody to read it. */
import { create } from 'zustand';
import { goTo } from './place';

export const useTour = create<{ readonly isOn: boolean }>(() => ({ isOn: false }));

/** Begins the tour at the lab, its subject, from any place. */
export function beginTour(): void {
  goTo('lab');
  useTour.setState({ isOn: true });
}

export function endTour(): void {
  useTour.setState({ isOn: false });
  document.querySelector<HTMLElement>('[data-testid=gear]')?.focus();
}
