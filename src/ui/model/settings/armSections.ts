/** Settings of arms in the order in which they are shown: those one turns first, and sections of the others. */
import { type ArmSettingPath, armSettings } from '../../../experiment/experiment';
import { ARM_SECTIONS } from '../../../experiment/settings/tables';

export const FIRST: readonly ArmSettingPath[] = [
  'ce.observation',
  'learningRate',
  'learningRateWarmUp',
  'clipLow',
  'clipHigh',
  'entropyCoefficient',
  'klCoefficient',
  'temperature',
  'innerEpochs',
];

const pathsOf = (table: object): ArmSettingPath[] =>
  armSettings
    .map(({ path }) => path)
    .filter((path) => Object.hasOwn(table, path.split('.')[0] ?? '') && !FIRST.includes(path));

export const SECTIONS = ARM_SECTIONS.map(({ id, title, table }) => ({ id, title, paths: pathsOf(table) }));
