// Random valid experiments for property tests: every setting anywhere in its range, arms and changes of any kind, filtered
// by the checks that span several settings.
import * as fc from 'fast-check';
import { defaultSettings } from '../../src/environments/registry';
import {
  type Arm,
  armSettings,
  type Change,
  defaultArm,
  type Experiment,
  withArmSetting,
} from '../../src/experiment/experiment';
import { checkExperiment } from '../../src/experiment/parse';
import { presets } from '../../src/experiment/presets/presets';
import type { NumberSetting, Setting, SettingValue, ValueOf } from '../../src/experiment/settings/setting';
import { EXPERIMENT_TABLE } from '../../src/experiment/settings/tables';

/** Any value of a setting of any type. */
function anySettingValue(setting: Setting): fc.Arbitrary<SettingValue> {
  if (setting.type === 'boolean') return fc.boolean();
  if (setting.type === 'file') return fc.constantFrom('', '0'.repeat(64), 'af'.repeat(32));
  return setting.type === 'choice' ? fc.constantFrom(...setting.choices) : anyValue(setting);
}

/** Any value of a number setting; often its default or a bound. */
function anyValue({ type, min, max, default: initial }: NumberSetting): fc.Arbitrary<number> {
  const inside = type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
  const value = fc.oneof(fc.constantFrom(initial, min, max), inside);
  return value.map((number) => (number === 0 ? 0 : number));
}

/** Any values of a table of settings. */
function anyOf<const T extends Readonly<Record<string, Setting>>>(table: T): fc.Arbitrary<ValueOf<T>> {
  const values = Object.entries(table).map(([key, setting]) => [key, anySettingValue(setting)] as const);
  return fc.record(Object.fromEntries(values)) as unknown as fc.Arbitrary<ValueOf<T>>;
}

const anyText = (longest: number, shortest = 0) =>
  fc
    .string({ unit: 'grapheme', minLength: shortest, maxLength: longest })
    .filter((text) => text.length <= longest && !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text));

const anyId = fc.oneof(
  fc.constantFrom('action-mask', 'world-model', 'no-mask', 'constructor', '-', '0'),
  fc.stringMatching(/^[a-z0-9-]{1,32}$/),
);

const presetArms = presets.flatMap(({ experiment }) => experiment.arms);

const anyArm: fc.Arbitrary<Arm> = fc
  .tuple(
    anyId,
    anyText(60, 1),
    fc.constantFrom(...presetArms, defaultArm('x', 'X')),
    fc.array(
      fc.constantFrom(...armSettings).chain((setting) => fc.tuple(fc.constant(setting.path), anySettingValue(setting))),
    ),
    fc.boolean(),
  )
  .map(([id, name, from, changes, renamed]) =>
    changes.reduce((arm, [path, value]) => withArmSetting(arm, path, value), {
      ...from,
      id,
      name: renamed ? name : from.name,
    }),
  );

const anyChange = (arms: readonly Arm[]): fc.Arbitrary<Change> =>
  fc.constantFrom(...armSettings.filter(({ restart }) => restart === null)).chain((setting) =>
    fc.record({
      update: fc.integer({ min: 0, max: 100_000 }),
      arm: fc.constantFrom('*', ...arms.map(({ id }) => id)),
      setting: fc.constant(setting.path),
      value: anySettingValue(setting),
    }),
  );

const { policy, batch } = EXPERIMENT_TABLE;

export const anyExperiment: fc.Arbitrary<Experiment> = fc
  .uniqueArray(anyArm, { selector: ({ id }) => id, minLength: 1, maxLength: 8 })
  .chain((arms) =>
    fc.record({
      version: fc.constant(1 as const),
      preset: fc.constantFrom(...presets.map(({ id }) => id)),
      title: anyText(120, 1).filter((title) => title.trim() !== ''),
      seed: anyValue(EXPERIMENT_TABLE.seed),
      seeds: fc.integer({ min: 1, max: Math.min(32, Math.floor(64 / arms.length)) }),
      updates: anyValue(EXPERIMENT_TABLE.updates),
      environment: fc.record({
        id: fc.constant('gridworld'),
        settings: fc
          .record({
            size: fc.integer({ min: 3, max: 8 }),
            horizon: fc.integer({ min: 1, max: 48 }),
            minimumDistance: fc.integer({ min: 1, max: 4 }),
          })
          .map((settings) => ({ ...defaultSettings('gridworld'), ...settings })),
      }),
      policy: fc.record({
        model: fc.constant('noise' as const),
        adapterRank: fc.constant(0),
        adapterAlpha: anyValue(EXPERIMENT_TABLE.policy.adapterAlpha),
        adapterMaps: fc.constantFrom(...policy.adapterMaps.choices),
        adapterReference: fc.constantFrom(...policy.adapterReference.choices),
        layers: fc.integer({ min: 1, max: 3 }),
        width: fc.constantFrom(16, 32, 64, 96),
        heads: fc.constantFrom(1, 2, 4),
        positions: fc.constantFrom(...policy.positions.choices),
        activation: fc.constantFrom(...policy.activation.choices),
        initialisation: fc.constantFrom(...policy.initialisation.choices),
        initialScale: anyValue(EXPERIMENT_TABLE.policy.initialScale),
      }),
      batch: fc.record({
        groups: fc.integer({ min: batch.groups.min, max: 32 }),
        groupSize: fc.integer({ min: 2, max: 32 }),
      }),
      diagnosticsEvery: anyValue(EXPERIMENT_TABLE.diagnosticsEvery),
      informationEpisodes: anyValue(EXPERIMENT_TABLE.informationEpisodes),
      warmStart: anyOf(EXPERIMENT_TABLE.warmStart),
      evaluation: anyOf(EXPERIMENT_TABLE.evaluation),
      arms: fc.constant(arms),
      timeline: fc.uniqueArray(anyChange(arms), {
        selector: ({ update, arm, setting }) => `${update}:${arm}:${setting}`,
        maxLength: 12,
      }),
    }),
  )
  .filter((experiment) => checkExperiment(experiment).experiment !== null);
