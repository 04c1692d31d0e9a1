/**
 * Expectations of presets: world and arms in words, limits, and of results those that recorded runs hold. Apart from the presets,
 * which the page needs before a run can be started: these are read where somebody opens “What to expect”.
 */
import { failures } from './failures';
import { methods } from './methods';
import { oneFile } from './oneFile';
import { shipped } from './shipped';
import { worlds } from './worlds';

/** Expectations by the preset's id. */
export const EXPECTATIONS: Readonly<Record<string, string>> = {
  ...worlds,
  ...oneFile,
  ...failures,
  ...methods,
  ...shipped,
};
