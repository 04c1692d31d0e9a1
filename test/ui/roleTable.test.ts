// A cell of the table is a set of losses with weights: what it shows, and what its editor turns on and off.
import { describe, expect, test } from 'vitest';
import { NOWHERE, type OwnLoss } from '../../src/experiment/arm/ownLosses';
import { formulaLosses } from '../../src/experiment/arm/roleRegularisers';
import { type Arm, defaultArm, isLiveSetting } from '../../src/experiment/experiment';
import { ROLE, type Role } from '../../src/foundation/roles';
import { cellLosses } from '../../src/ui/model/arms/cellLosses';
import { lossesOn } from '../../src/ui/model/arms/lossesOn';
import { learningIn } from '../../src/ui/model/tokens/learning';
import { shownCharts } from '../../src/ui/places/understand/charts/shownDefinitions';

const base = defaultArm('one', 'One');
const arm: Arm = {
  ...base,
  pg: { prompt: 0, action: 1, observation: 0, warning: 0, thought: -1 },
  ce: { prompt: 0, action: 0, observation: 0.05, warning: 0, thought: -1 },
  entropyCoefficient: 0.01,
};
const own = (name: string, more: Partial<OwnLoss> = {}): OwnLoss => ({
  name,
  text: 'loss = -logp\nshow p = exp(logp)',
  place: 'added',
  on: NOWHERE,
  values: {},
  ...more,
});

const words = (of: Arm, role: Role): string[] => lossesOn(of, role).map(({ text }) => text);
const rowOf = (of: Arm, role: Role, path: string) => {
  const found = cellLosses(of, role).find((loss) => loss.path === path);
  if (found === undefined) throw new Error(path);
  return found;
};

describe('a cell', () => {
  test('names every loss that acts, and nothing as masked', () => {
    expect(words(arm, 'action')).toEqual(['policy 1', 'entropy 0.01']);
    expect(words(arm, 'observation')).toEqual(['prediction 0.05']);
    expect(words(arm, 'prompt')).toEqual(['masked']);
    const leaky = { ...arm, klCoefficient: 0.02, kl: { ...arm.kl, action: 0, observation: 0.5 } };
    expect(words(leaky, 'observation')).toEqual(['prediction 0.05', 'KL 0.01']);
    expect(words(leaky, 'action')).toEqual(['policy 1', 'entropy 0.01']);
  });

  test('names a replay of successes on what the policy draws, also where nothing else is learned', () => {
    const imitated = { ...arm, replay: 'cross-entropy', replayWeight: 0.5 } as const;
    expect(words(imitated, 'action')).toEqual(['policy 1', 'replay 0.5', 'entropy 0.01']);
    expect(words(imitated, 'observation')).toEqual(['prediction 0.05']);
    const alone = { ...imitated, pg: { ...arm.pg, action: 0 }, entropyCoefficient: 0 };
    expect(words(alone, 'action')).toEqual(['replay 0.5']);
    expect(words({ ...alone, replay: 'policy-gradient' }, 'action')).toEqual(['masked']);
  });

  test('has one’s own under their names, also in place of another', () => {
    const losses = [own('focal', { place: 'predict' }), own('extra', { on: { ...NOWHERE, prompt: -0.5 } })];
    expect(words({ ...arm, losses }, 'observation')).toEqual(['focal 0.05']);
    expect(words({ ...arm, losses }, 'prompt')).toEqual(['extra −0.5']);
    expect(rowOf({ ...arm, losses }, 'observation', 'ce.observation').name).toBe(
      'focal, in place of the prediction (cross-entropy)',
    );
  });
});

describe('its editor', () => {
  test('turns KL on where there was none: on these tokens alone', () => {
    const row = rowOf(arm, 'observation', 'kl.observation');
    expect(row.isOn).toBe(false);
    const leaky = row.turnOn(arm);
    expect(words(leaky, 'observation')).toEqual(['prediction 0.05', 'KL 0.02']);
    expect(words(leaky, 'action')).toEqual(['policy 1', 'entropy 0.01']);
    expect(formulaLosses(leaky).map(({ name, on }) => [name, on.observation])).toEqual([['regulariser kl', 0.02]]);
    expect(words(rowOf(leaky, 'observation', 'kl.observation').turnOff(leaky), 'observation')).toEqual([
      'prediction 0.05',
    ]);
  });

  test('adds entropy to a role beside the actions that have it', () => {
    const doubting = rowOf(arm, 'observation', 'entropy.observation').turnOn(arm);
    expect(words(doubting, 'observation')).toEqual(['prediction 0.05', 'entropy 0.01']);
    expect(words(doubting, 'action')).toEqual(['policy 1', 'entropy 0.01']);
  });

  test('weighs added losses by role', () => {
    const has = { ...arm, losses: [own('extra')] };
    const on = rowOf(has, 'warning', 'loss.extra.on.warning').turnOn(has);
    expect(words(on, 'warning')).toEqual(['extra 0.1']);
  });

  test('every row is a setting that may change while it trains', () => {
    const paths = cellLosses(arm, 'observation').map(({ path }) => path);
    expect(paths).toEqual(['pg.observation', 'ce.observation', 'kl.observation', 'entropy.observation']);
    expect(paths.every(isLiveSetting)).toBe(true);
  });
});

describe('charts of shown values', () => {
  const named = (id: string, ...losses: OwnLoss[]): Arm => ({ ...arm, id, name: id.toUpperCase(), losses });

  test('are one a name and place, of the arms that show it', () => {
    const two = own('two', { text: 'loss = -logp\nshow p = exp(logp)\nshow d = logp - old_logp' });
    const charts = shownCharts([named('a', own('one'), two), named('b', two), named('c')]);
    expect(charts.map(({ metric, title, arms }) => [metric, title, arms])).toEqual([
      ['formulaLoss', 'Own losses', ['a', 'b']],
      ['shown1', 'p', ['a', 'b']],
      ['shown2', 'p', ['a']],
      ['shown3', 'd', ['a']],
      ['shown2', 'd', ['b']],
    ]);
    expect(charts[1]?.help).toBe('Shown by one and two in A and B.');
  });

  test('there are none without a loss of one’s own', () => {
    expect(shownCharts([arm])).toEqual([]);
  });
});

test('a token that only a formula trains is not veiled, and one that is only held says so', () => {
  const token = (role: number, index = 3) => ({ role, index, policyWeight: 0, crossEntropyWeight: 0 });
  const replaced = { ...arm, losses: [own('focal', { place: 'predict' })] };
  expect(learningIn(replaced, token(ROLE.observation))).toBe('own');
  expect(learningIn(replaced, token(ROLE.observation, 0))).toBe('veiled');
  expect(learningIn(replaced, token(ROLE.action))).toBe('veiled');
  expect(learningIn(replaced, { ...token(ROLE.action), policyWeight: 1 })).toBe('policy');
  const leaky = { ...arm, klCoefficient: 0.02, kl: { ...arm.kl, observation: 1 } };
  expect([ROLE.observation, ROLE.action].map((role) => learningIn(leaky, token(role)))).toEqual(['held', 'veiled']);
  expect(learningIn(undefined, token(ROLE.observation))).toBe('veiled');
});
