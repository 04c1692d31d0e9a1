/** Reader of an arm's settings by their declarations: how conditions and formulas read an arm. */
import type { ReadSetting, Setting, SettingTable, ValueOf } from '../../hyperparameters/setting';
import type { Arm } from '../experiment';
import { readSetting } from '../settings/setting';
import { ARM_TABLE } from '../settings/tables';

const PATHS: ReadonlyMap<Setting, string> = new Map(pathsOf(ARM_TABLE));

function pathsOf(table: SettingTable, prefix = ''): [Setting, string][] {
  return Object.entries(table).flatMap(([key, entry]): [Setting, string][] =>
    typeof entry.type === 'string'
      ? [[entry as Setting, prefix + key]]
      : pathsOf(entry as SettingTable, `${prefix}${key}.`),
  );
}

export function readerOf(arm: Arm): ReadSetting {
  return <S extends Setting>(setting: S): ValueOf<S> => {
    const path = PATHS.get(setting);
    if (path === undefined) throw new RangeError(`“${setting.label}” is no setting of an arm.`);
    return readSetting(arm, path) as ValueOf<S>;
  };
}
