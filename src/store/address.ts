/**
 * The page's address holds the experiment on screen: a bookmark, a copy and a reload of it open the same. A link stays as
 * it was written until something is changed; then the address is that of the changed experiment.
 */
import type { Lab } from './openLab';
import { worldsForLink } from './ownWorlds';

/** The browser's address bar. */
export interface AddressBar {
  /** With its `#`; empty if there is none. */
  fragment(): string;
  /** `isOwn`: the page wrote it, nobody sent it. */
  show(fragment: string, isOwn: boolean): void;
  /** True for a fragment that names a place of the page and no experiment. */
  isPlace(fragment: string): boolean;
}

/** Milliseconds from the last edit to the address: browsers refuse to write it too often. */
const SETTLE = 400;

export class Address {
  readonly #lab: Pick<Lab, 'store' | 'address' | 'isFromLink' | 'follow'>;
  readonly #bar: AddressBar;
  /** Fragment of the experiment on screen; empty for that of a first visit. */
  #shown: string;
  /** Fragment of the last link that was opened, as it was written. */
  #linked: string;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `opened`: fragment that the lab was opened with. */
  constructor(lab: Pick<Lab, 'store' | 'address' | 'isFromLink' | 'follow'>, bar: AddressBar, opened: string) {
    this.#lab = lab;
    this.#bar = bar;
    this.#shown = opened;
    this.#linked = opened;
    lab.store.subscribe((now, before) => {
      if (now.edited !== before.edited || now.running !== before.running) this.#later();
    });
    // A link that could not be read stays, so that it can be mended.
    if (lab.store.getState().notice?.kind !== 'broken-link') this.#later();
  }

  /** Called when another fragment was navigated to: a place, an experiment, or Back to one. */
  moved(): void {
    const fragment = this.#bar.fragment();
    // Back from a place such as the kernels: the experiment is as it was left.
    if (fragment.length <= 1 || this.#bar.isPlace(fragment) || fragment === this.#shown) {
      this.#write();
      return;
    }
    const follow = (): void => {
      this.#lab.follow(fragment, (open) => {
        this.#shown = fragment;
        this.#linked = fragment;
        this.#bar.show(fragment, false);
        open();
        this.#write();
      });
      // Refused, or while the person is asked: the address is that of what is on screen.
      if (this.#bar.fragment() === fragment && this.#shown !== fragment) this.#write();
    };
    const opening = worldsForLink(fragment);
    if (opening === null) follow();
    else void opening.then(follow, follow);
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), SETTLE);
  }

  #write(): void {
    clearTimeout(this.#timer);
    const fragment = this.#bar.fragment();
    if (this.#bar.isPlace(fragment)) return;
    const isLink = this.#lab.isFromLink();
    // Settings that contradict each other could not be opened again: the last that did not stay.
    const isValid = this.#lab.store.getState().problems.length === 0;
    if (isLink) this.#shown = this.#linked;
    else if (isValid) this.#shown = this.#lab.address();
    if (this.#shown !== fragment) this.#bar.show(this.#shown, !isLink);
  }
}
