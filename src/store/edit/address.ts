/**
 * The page's address, which holds the experiment on screen: a bookmark, a copy and a reload of it open the same. A link
 * is not changed until the experiment is; then the address is that of the changed experiment. Going to another place of
 * the page makes an entry of the browser's history, an edit does not: Back leads to the place before, with the present
 * experiment.
 */

import type { Lab } from '../openLab';
import type { EntryState } from './arrival';

/** The browser's address bar, but for the place of the page that it names. */
export interface AddressBar {
  /** The experiment's part, with its `#`; empty if the address names none. */
  fragment(): string;
  /** State of the history's present entry; null if the page has not written it. */
  state(): EntryState | null;
  /** Writes fragment and state into the present entry. */
  show(fragment: string, state: EntryState): void;
}

/** Milliseconds from the last edit to the address: browsers refuse to write it too often. */
const SETTLE = 400;

export class LinkAddress {
  readonly #lab: Pick<Lab, 'store' | 'address' | 'isFromLink' | 'follow'>;
  readonly #bar: AddressBar;
  /** Fragment of the experiment on screen; empty for that of a first visit. */
  #shown: string;
  /** Fragment of the last link that was opened, letter for letter. */
  #linked: string;
  /** Name of the visit to which the history's entries belong, from one link that was followed to the next. */
  #visit: string;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `opened`: fragment that the lab was opened with. */
  constructor(lab: Pick<Lab, 'store' | 'address' | 'isFromLink' | 'follow'>, bar: AddressBar, opened: string) {
    this.#lab = lab;
    this.#bar = bar;
    this.#shown = opened;
    this.#linked = opened;
    this.#visit = bar.state()?.visit ?? newVisit();
    lab.store.subscribe((now, before) => {
      if (now.edited !== before.edited || now.running !== before.running) this.#later();
    });
    // A link that could not be read stays, so that it can be mended.
    if (lab.store.getState().notice?.kind === 'broken-link') this.#sign(this.#bar.fragment());
    else this.#later();
  }

  /** Called when another fragment was navigated to: a place, an experiment, or Back to one. */
  moved(): void {
    if (this.#isOurs()) {
      this.#write();
      return;
    }
    const fragment = this.#bar.fragment();
    const visit = this.#bar.state()?.visit;
    this.#lab.follow(fragment, (open) => {
      this.#shown = fragment;
      this.#linked = fragment;
      this.#visit = visit ?? newVisit();
      this.#sign(fragment);
      open();
      this.#write();
    });
    // The change was refused, or the person is being asked: the address stays that of the experiment on screen.
    if (this.#bar.fragment() === fragment && this.#shown !== fragment) this.#write();
  }

  /** True at an address of this visit, as in another place or back from one: the experiment has not changed. */
  #isOurs(): boolean {
    const fragment = this.#bar.fragment();
    return fragment.length <= 1 || fragment === this.#shown || this.#bar.state()?.visit === this.#visit;
  }

  #later(): void {
    clearTimeout(this.#timer);
    // A link navigated to, of which the browser has not told yet, is opened then and not written over.
    this.#timer = setTimeout(() => this.#isOurs() && this.#write(), SETTLE);
  }

  #write(): void {
    clearTimeout(this.#timer);
    const isLink = this.#lab.isFromLink();
    // Settings that contradict each other could not be opened again: the last that did not stay.
    const isValid = this.#lab.store.getState().problems.length === 0;
    if (isLink) this.#shown = this.#linked;
    else if (isValid) this.#shown = this.#lab.address();
    this.#sign(this.#shown, !isLink);
  }

  /** `isOwn`: the page wrote the fragment, nobody sent it. Browsers count writings, so none is made in vain. */
  #sign(fragment: string, isOwn = false): void {
    if (fragment === this.#bar.fragment() && this.#bar.state()?.visit === this.#visit) return;
    this.#bar.show(fragment, { isOwn, visit: this.#visit });
  }
}

const newVisit = (): string => Math.random().toString(36).slice(2);
