/** Worlds as their setting names them: a text, `@` and the name of one that comes with the lab, or one that is said in English. */
import type { Environment, EnvironmentSettings } from '../environment';
import { withInstances } from '../instances';
import type { FileDescription } from './described';
import { textFor } from './shipped';
import { spokenWorld } from './text/spoken';
import { isSpoken, spokenFile } from './text/spokenFile';
import { fileOf, ownWorld } from './world';

export const describeWorld = (world: string): FileDescription =>
  isSpoken(world) ? spokenFile(world) : fileOf(textFor(world));

export function makeWorld(world: string, settings: EnvironmentSettings): Environment {
  if (isSpoken(world)) return spokenWorld(world, settings);
  const text = textFor(world);
  return withInstances(fileOf(text), settings, (own) => ownWorld(text, own));
}
