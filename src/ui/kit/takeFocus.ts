/** Gives the focus to a place that has come, unless something is open over the page: that would close. */
export function takeFocus(element: HTMLElement | null): void {
  if (document.querySelector('.popover, dialog[open]') === null) element?.focus({ preventScroll: true });
}
