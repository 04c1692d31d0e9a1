/** True once dreams were asked for from elsewhere on the page: the first that is drawn then comes into sight. */
let isAsked = false;

export function askForDreams(): void {
  isAsked = true;
}

/** True once after each asking. */
export function takeAsked(): boolean {
  const was = isAsked;
  isAsked = false;
  return was;
}
