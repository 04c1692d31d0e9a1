/**
 * Watch in the page while keys are pressed: which elements must be reached, which were, and whether the focus could be
 * seen. The page gets `watchKeyboard` as text before any other script, so everything that it needs is inside it.
 */

export interface KeyboardWatch {
  /**
   * Begins with the elements that `part` has now, which must be reached. The walk begins at the stop before the part or,
   * if it was opened, at the focus. Returns their number, and those that have no name or listen to a pointer only.
   */
  begin(
    part: string,
    isOpened: boolean,
  ): { readonly count: number; readonly nameless: readonly string[]; readonly pointerOnly: string[] };
  /** Steps of Tab since, and whether the walk is through: back at the first element, or out of the part again. */
  progress(): { readonly steps: number; readonly isThrough: boolean };
  /** Number of stops from which arrow keys may lead to elements that are not reached yet. */
  composites(): number;
  /** Focuses one of these stops. Returns the number of its members. */
  enter(composite: number): number;
  /**
   * Ends once its members are all reached, or after a while in which none was: a part may answer arrow keys from a Worker.
   * Returns the number of those left.
   */
  settled(composite: number): Promise<number>;
  /** Elements that no key has reached, that did not show the focus, and that had it behind an open dialog. */
  end(): Readonly<Record<'unreached' | 'unseen' | 'behind', readonly string[]>>;
  /** Moves the focus into the part if it is still open. */
  returnInside(): void;
  /** Focuses the opener of the part. Returns the key that opens it; null if there is no opener. */
  returnToOpener(): string | null;
  /** True if the focus is back at the opener or, if that is gone, at any element. */
  isBack(): boolean;
}

declare const axe: typeof import('axe-core');

export function watchKeyboard(): void {
  const NATIVE = 'a[href], button, input, select, textarea, summary, [contenteditable]';
  const ROLES = ['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'option', 'slider', 'combobox'];
  const INTERACTIVE = [NATIVE, ...ROLES.map((role) => `[role=${role}]`), '[tabindex]:not([tabindex="-1"])'].join();
  const TABBABLE = `:is(${NATIVE}, [tabindex]):not([tabindex="-1"])`;
  /** Composites: one stop of Tab for several members. */
  const COMPOSITE = ['group', 'listbox', 'toolbar', 'grid', 'menu', 'tablist'].map((role) => `[role=${role}]`).join();

  /** Milliseconds. */
  const PATIENCE = 3000;

  let layer: Element;
  let root: Element;
  /** Elements that must be reached. */
  let wanted = new Set<Element>();
  let reached = new Set<Element>();
  let unseen = new Set<string>();
  let at: { readonly element: Element; readonly frame: string } | null = null;
  let first: Element | null = null;
  let steps = 0;
  let isThrough = false;
  let hasEntered = false;
  let composites: { readonly stop: HTMLElement; readonly members: number }[] = [];
  let openers: Element[] = [];
  const opened: Element[] = [];

  const { showModal } = HTMLDialogElement.prototype;
  HTMLDialogElement.prototype.showModal = function open() {
    if (document.activeElement !== null) opened.push(document.activeElement);
    showModal.call(this);
  };

  const nameOf = (element: Element): string => {
    const name = element.getAttribute('data-testid') ?? element.getAttribute('aria-label') ?? element.textContent ?? '';
    const role = element.getAttribute('role') ?? element.tagName.toLowerCase();
    return `${role} .${element.getAttribute('class') ?? ''} ${name.trim().replace(/\s+/g, ' ').slice(0, 60)}`;
  };

  const isThere = (element: Element): boolean =>
    element.checkVisibility({ checkVisibilityCSS: true }) &&
    element.getClientRects().length > 0 &&
    !element.matches(':disabled') &&
    element.closest('[inert]') === null;

  /** Outlines, shadows and borders of an element and of those around it: they must change with the focus. */
  const frameOf = (element: Element): string => {
    const around = [element.parentElement, element.parentElement?.parentElement];
    const styles = [
      getComputedStyle(element),
      getComputedStyle(element, '::before'),
      getComputedStyle(element, '::after'),
      ...around.flatMap((one) => (one == null ? [] : [getComputedStyle(one)])),
    ];
    return styles
      .map(({ outlineStyle, outlineWidth, outlineColor, outlineOffset, boxShadow, borderColor, borderWidth }) => {
        const isOutlined = outlineStyle !== 'none' && outlineWidth !== '0px';
        const outline = isOutlined ? [outlineWidth, outlineColor, outlineOffset] : [];
        return [...outline, boxShadow, borderColor, borderWidth].join();
      })
      .join(';');
  };

  const arrive = (element: Element): void => {
    if (at?.element.isConnected && wanted.has(at.element) && isThere(at.element)) {
      if (frameOf(at.element) === at.frame) unseen.add(nameOf(at.element));
    }
    at = { element, frame: frameOf(element) };
    reached.add(element);
  };

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    steps += 1;
    const isInside = root?.contains(target) === true;
    if (target === first || (hasEntered && !isInside)) isThrough = true;
    hasEntered ||= isInside;
    first ??= target;
    arrive(target);
  });

  /** Marks the active descendant of a stop as reached, although it does not have the focus. */
  const follow = (): void => {
    const id = document.activeElement?.getAttribute('aria-activedescendant');
    const active = id == null ? null : document.getElementById(id);
    if (active !== null) reached.add(active);
  };

  /** Stops that may lead to a member: its composite, a stop inside it, or the element that controls it. */
  const stopsOf = (member: Element): HTMLElement[] => {
    const composite = member.closest(COMPOSITE);
    if (composite === null) return [];
    const owner = composite.id === '' ? null : document.querySelector(`[aria-controls~="${CSS.escape(composite.id)}"]`);
    return [composite, ...composite.querySelectorAll('[tabindex="0"]'), owner].filter(
      (one): one is HTMLElement => one instanceof HTMLElement && reached.has(one),
    );
  };

  /** True for a radio button of a reached group: its buttons are one stop, and the browser's arrow keys move among them. */
  const isOfReachedRadios = (element: Element): boolean =>
    element instanceof HTMLInputElement &&
    element.type === 'radio' &&
    [...reached].some((one) => one instanceof HTMLInputElement && one.type === 'radio' && one.name === element.name);

  /** True for an element that has left the page, such as a chart out of sight; not if the whole part has closed. */
  const hasGone = (element: Element): boolean => !element.isConnected && root.isConnected;

  const unreached = (): Element[] =>
    [...wanted].filter((one) => !reached.has(one) && !isOfReachedRadios(one) && !hasGone(one));

  /** Elements with pointer listeners of React for which no key does the same. */
  const pointerOnly = (): string[] => {
    const PRESSED = ['onClick', 'onDoubleClick', 'onMouseUp', 'onPointerUp', 'onContextMenu'];
    const POINTED = ['onPointerEnter', 'onMouseEnter', 'onMouseOver', 'onMouseMove', 'onPointerMove', 'onDrop'];
    let listeners = 0;
    const found = [...root.querySelectorAll('*')].filter((element) => {
      const key = Object.keys(element).find((name) => name.startsWith('__reactProps$'));
      const props = key === undefined ? {} : (element as unknown as Record<string, object>)[key];
      const has = (names: string[]): boolean => names.some((name) => Object.hasOwn(props ?? {}, name));
      if (has(PRESSED) || Object.hasOwn(props ?? {}, 'onChange')) listeners += 1;
      // An element with role application handles keys for everything that it draws.
      if (element.matches(INTERACTIVE) || element.querySelector('[role=application][tabindex="0"]') !== null)
        return false;
      return has(PRESSED) || (has(POINTED) && element.querySelector(INTERACTIVE) === null);
    });
    if (listeners === 0 && root.querySelector('button:not([type=submit], [popovertarget])') !== null)
      return ['nothing: React is not seen'];
    return found.map(nameOf);
  };

  /** Last stop of Tab before the part, where the walk begins. */
  const stopBefore = (): HTMLElement | undefined =>
    [...layer.querySelectorAll<HTMLElement>(TABBABLE)]
      .filter(isThere)
      .findLast((one) => !root.contains(one) && (root.compareDocumentPosition(one) & 2) !== 0);

  const watch: KeyboardWatch = {
    begin(part, isOpened) {
      layer = document.querySelector('dialog[open]') ?? document.body;
      root = document.querySelector(part) ?? layer;
      const all = [...root.querySelectorAll(INTERACTIVE)].filter(isThere);
      wanted = new Set(all);
      [reached, unseen, first, steps, isThrough, hasEntered, composites] = [
        new Set(),
        new Set(),
        null,
        0,
        false,
        false,
        [],
      ];
      openers = [...document.querySelectorAll('[aria-expanded=true], [aria-describedby]')].filter(
        (one) =>
          !root.contains(one) && (one.ariaExpanded === 'true' || one.getAttribute('aria-describedby') === root.id),
      );
      const { activeElement } = document;
      at = null;
      if (isOpened && activeElement !== null && activeElement !== document.body) {
        first = root === layer && wanted.has(activeElement) ? activeElement : null;
        hasEntered = root.contains(activeElement);
        reached.add(activeElement);
      } else stopBefore()?.focus();
      axe.setup(root);
      const nameless = all.filter((element) => axe.commons.text.accessibleText(element as HTMLElement).trim() === '');
      axe.teardown();
      return { count: all.length, nameless: nameless.map(nameOf), pointerOnly: pointerOnly() };
    },
    progress: () => ({ steps, isThrough }),
    composites() {
      const members = new Map<HTMLElement, number>();
      for (const element of unreached().filter(isThere)) {
        for (const stop of stopsOf(element)) members.set(stop, (members.get(stop) ?? 0) + 1);
      }
      composites = [...members].map(([stop, own]) => ({ stop, members: own }));
      return composites.length;
    },
    enter(index) {
      const { stop, members } = composites[index] as (typeof composites)[number];
      stop.focus();
      new MutationObserver(follow).observe(stop, { attributes: true, attributeFilter: ['aria-activedescendant'] });
      follow();
      return members;
    },
    async settled(index) {
      const { stop } = composites[index] as (typeof composites)[number];
      const left = (): number => unreached().filter((one) => stopsOf(one).includes(stop)).length;
      let [least, since] = [left(), performance.now()];
      while (least > 0 && performance.now() - since < PATIENCE) {
        await new Promise((later) => setTimeout(later, 20));
        const now = left();
        if (now < least) [least, since] = [now, performance.now()];
      }
      return least;
    },
    end() {
      const behind = [...reached].filter((element) => element.isConnected && !layer.contains(element));
      return { unreached: unreached().map(nameOf), unseen: [...unseen], behind: behind.map(nameOf) };
    },
    returnInside() {
      const inside = [...root.querySelectorAll<HTMLElement>(TABBABLE)].find(isThere);
      if (!root.contains(document.activeElement)) inside?.focus();
    },
    returnToOpener() {
      const [opener] = openers;
      if (!(opener instanceof HTMLElement)) return null;
      opener.focus();
      return opener.role === 'combobox' ? 'ArrowDown' : 'Enter';
    },
    isBack() {
      const { activeElement } = document;
      const own = [...openers, ...opened.slice(-1)].filter((one) => one.isConnected && isThere(one));
      return (
        activeElement !== null && (own.length === 0 ? activeElement !== document.body : own.includes(activeElement))
      );
    },
  };
  Object.assign(globalThis, { keyboardWatch: watch });
}
