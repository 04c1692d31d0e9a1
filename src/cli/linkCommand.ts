/** `lab link`: prints a link to an experiment, with its sweep if it has one. */
import { withSweep } from '../experiment/grid/axes';
import { cellsOf } from '../experiment/grid/cells';
import { encodeLink } from '../experiment/link/link';
import { LabError } from '../foundation/errors';
import { BASE } from './commands';
import { print } from './output';
import type { RunArguments } from './run/runArguments';
import { sweepOf } from './sweep/plan';

export async function linkCommand(
  subject: string | undefined,
  options: RunArguments & { base?: string | undefined },
): Promise<() => number> {
  const base = readBase(options.base ?? BASE);
  const { experiment, axes } = await sweepOf(subject, options);
  if (axes.length > 0) cellsOf(experiment, axes);
  return () => {
    print(`${base}#${withSweep(encodeLink(experiment), axes)}\n`);
    return 0;
  };
}

/** The address of the page, without its fragment. */
function readBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new LabError('invalid-experiment', `--base “${text}” is no web address.`, `Write it like ${BASE}`);
  }
  url.hash = '';
  return url.href;
}
