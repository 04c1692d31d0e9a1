/** Names on the command line, checked against those there are. */
import { LabError } from '../../src/foundation/errors';

/** Names separated by commas. Throws LabError 'unsupported' for one that is not `offered`. */
export function chosen<Name extends string>(option: string, text: string, offered: readonly Name[]): Name[] {
  return text.split(',').map((given) => {
    const name = offered.find((one) => one === given);
    if (name !== undefined) return name;
    throw new LabError('unsupported', `--${option} has no “${given}”.`, `Choose among ${offered.join(', ')}.`);
  });
}

/** Whole number of at least `least`. Throws LabError 'unsupported' for anything else. */
export function counted(option: string, text: string, least: number): number {
  const number = Number(text);
  if (text !== '' && Number.isInteger(number) && number >= least) return number;
  const what = `--${option} is “${text}”.`;
  throw new LabError('unsupported', what, `Give a whole number from ${least} on.`);
}
