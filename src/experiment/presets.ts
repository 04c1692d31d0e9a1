/**
 * Named experiments. Links carry only what differs from one of these, so a preset that has been published is never
 * changed: an improved one gets a new name. Each states what it claims and what to expect, in measured terms.
 */
import { calculatorWithoutTool } from './presets/calculator';
import { failures } from './presets/failures';
import {
  gridworld,
  gridworldSmall,
  gridworldTiny,
  noisyTv,
  permutedControls,
  scrambledControls,
} from './presets/gridworld';
import type { Preset } from './presets/preset';
import { shop, shopFresh } from './presets/shop';
import { terminal } from './presets/terminal';

export type { Preset } from './presets/preset';

/** In the order they are offered; the first is the default. */
export const presets: readonly Preset[] = [
  gridworld,
  gridworldSmall,
  gridworldTiny,
  calculatorWithoutTool,
  shop,
  shopFresh,
  scrambledControls,
  permutedControls,
  noisyTv,
  terminal,
  ...failures,
];

/** Offered where there is no GPU. */
export const smallPreset: Preset = gridworldSmall;

export const defaultPreset: Preset = gridworld;

export function findPreset(id: string): Preset | undefined {
  return presets.find((preset) => preset.id === id);
}
