// What the desk draws and says of a formula: its picture, its names, its notes, and the arm's loss with it.
import { describe, expect, test } from 'vitest';
import { formulaNotes } from '../../src/experiment/arm/formulaNotes';
import { policyText } from '../../src/experiment/arm/formulaTexts';
import { formulaOf, NOWHERE, type OwnLoss } from '../../src/experiment/arm/ownLosses';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { ROLE } from '../../src/foundation/roles';
import { TOKEN_NUMBERS } from '../../src/rl/look/inspection';
import type { Inspection } from '../../src/train/looks/shown';
import { ownSteps, ownTokens } from '../../src/ui/frame/inspector/ownSteps';
import { lossOf } from '../../src/ui/model/formula/loss';
import { speak } from '../../src/ui/model/formula/speak';
import { nameOfValue } from '../../src/ui/model/settings/valueNames';
import { namesIn } from '../../src/ui/places/build/loss/names';
import { pictureOf } from '../../src/ui/places/build/loss/picture';

const usual: Arm = { ...defaultArm('one', 'One'), pg: { ...defaultArm('one', 'One').pg, action: 1 } };

const own = (text: string, more: Partial<OwnLoss> = {}): OwnLoss => ({
  name: 'mine',
  text,
  place: 'policy',
  on: NOWHERE,
  values: {},
  ...more,
});

describe('the picture', () => {
  test('PPO: the loss is flat beyond the bound that A pushes to, and the slope 0', () => {
    const { across, sides, gap } = pictureOf(formulaOf(policyText(usual)), [0.2, 0.2]);
    expect([across, sides.map(({ advantage }) => advantage), gap]).toEqual(['ratio', [1, -1], null]);
    const at = (side: 0 | 1, ratio: number) => sides[side]?.points.find((one) => Math.abs(one.at - ratio) < 1e-9);
    expect(at(0, 0.5)).toMatchObject({ loss: expect.closeTo(-0.5, 9), slope: expect.closeTo(-0.5, 9) });
    expect(at(0, 1.5)).toMatchObject({ loss: expect.closeTo(-1.2, 9), slope: 0 });
    expect(at(1, 0.5)).toMatchObject({ loss: expect.closeTo(0.8, 9), slope: 0 });
    expect(at(1, 1.5)).toMatchObject({ loss: expect.closeTo(1.5, 9), slope: expect.closeTo(1.5, 9) });
  });

  test('a text that does not read the old policy is drawn against the probability', () => {
    const { across, sides } = pictureOf(formulaOf('loss = -logp'), []);
    expect([across, sides.length, sides[0]?.advantage]).toEqual(['probability', 1, null]);
    expect(sides[0]?.points.at(-1)).toMatchObject({ at: 1, loss: expect.closeTo(0, 9), slope: -1 });
  });

  test.each([
    ['loss = -logp', false],
    ['loss = -logp * ref_logp', true],
    ['loss = ref_logp * logp', false],
    ['loss = -A * logp', false],
    ['loss = (logp + 1) ** 2', false],
    ['loss = 1', false],
  ])('whether %s makes tokens less likely whatever they are: %s', (text, isAway) => {
    expect(pictureOf(formulaOf(text), []).isAway).toBe(isAway);
  });

  test('the token has the role that the loss is used for', () => {
    const formula = formulaOf('loss = -logp * is_observation / mean_batch(is_observation)');
    expect(pictureOf(formula, [], 'observation').gap).toBeNull();
    expect(pictureOf(formula, [], 'action').gap).toContain('For this token alone');
  });

  test('what is no finite number is a gap that is said', () => {
    const { sides, gap } = pictureOf(formulaOf('p = exp(logp)\nloss = log(p - 0.5)'), []);
    expect(sides[0]?.points.filter(({ loss }) => loss === null).length).toBeGreaterThan(70);
    expect(gap).toContain('between 0 and 0.5');
  });

  test('each place is a token alone, also for reductions over the batch', () => {
    for (const level of ['trajectory', 'group', 'batch']) {
      const { sides } = pictureOf(formulaOf(`loss = sum_${level}(exp(logp))`), []);
      expect(sides[0]?.points.at(-1)?.loss).toBeCloseTo(1, 9);
    }
  });
});

const nameAt = (text: string, name: string) => namesIn(text).find((one) => one.name === name);

test('names: the text’s own with their lines and levels, also before a mistake', () => {
  const text = 'param low = 0.2 in [0, 1]\ngap = logp - ref_logp # nats\nmost = max_trajectory(gap)\n';
  expect(nameAt(`${text}loss = most`, 'gap')?.help).toBe('gap = logp - ref_logp. One a token.');
  expect(nameAt(`${text}loss = most`, 'most')?.help).toBe('most = max_trajectory(gap). One a trajectory.');
  expect(nameAt(`${text}loss = nothing`, 'gap')?.help).toBe('gap = logp - ref_logp.');
  expect(nameAt(text, 'low')?.help).toContain('parameter low = 0.2 in [0, 1]');
  expect(nameAt(text, 'ref_logp')?.help).toContain('reference');
  expect(nameAt(text, 'nonsense')).toBeUndefined();
  const names = namesIn(text).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['gap', 'low', 'mean_group', 'param', 'clip']));
});

/** A prompt token, then two turns of an action and an observation. */
function inspection(losses: readonly OwnLoss[]): Inspection {
  const roles = Uint8Array.of(ROLE.prompt, ROLE.action, ROLE.observation, ROLE.action, ROLE.observation);
  const numbers = Object.fromEntries(TOKEN_NUMBERS.map((name) => [name, new Float32Array(5)]));
  numbers.logProb = Float32Array.of(Number.NaN, -1, -2, -3, -4);
  numbers.advantage = Float32Array.of(0, 0.5, 0.5, 0.5, 0.5);
  return {
    arm: { ...usual, losses: [...losses] },
    roles,
    tokens: new Uint16Array(5),
    numbers,
    rewards: Float32Array.of(0, 1),
    tree: [],
    successes: Uint8Array.of(0, 1),
    trajectory: 1,
  } as unknown as Inspection;
}

describe('steps of a token', () => {
  const stepsOf = (loss: OwnLoss, index: number) =>
    ownSteps(inspection([loss]), loss, index)?.map(({ name, value }) => [name, value]);

  test('each line with its value, reductions over the trajectory’s own tokens', () => {
    const loss = own('gap = logp - mean_trajectory(logp)\nloss = -A * gap\nshow won = reward');
    expect(ownTokens(inspection([loss]), loss)).toEqual([1, 3]);
    expect(stepsOf(loss, 3)).toEqual([
      ['gap', -1],
      ['loss', 0.5],
      ['won', 1],
    ]);
  });

  test('an added loss is on the tokens of its own weights; turns count from the first action', () => {
    const loss = own('loss = turn', { place: 'added', on: { ...NOWHERE, observation: 1 } });
    expect(ownTokens(inspection([loss]), loss)).toEqual([2, 4]);
    expect([2, 4].map((at) => stepsOf(loss, at))).toEqual([[['loss', 0]], [['loss', 1]]]);
  });

  test('what reads more than the trajectory is not told', () => {
    expect(stepsOf(own('loss = -(reward - mean_group(reward)) * logp'), 1)).toBeUndefined();
    expect(stepsOf(own('loss = value * logp'), 1)).toBeUndefined();
  });
});

test.each([
  ['loss = -A * logp', {}, {}, ''],
  ['loss = -logp', { place: 'added' }, {}, 'No role has a weight'],
  ['loss = -logp', { place: 'predict' }, {}, 'No role of this arm has the prediction loss'],
  ['loss = logp - sampler_logp', {}, { decodingCorrection: 'truncate' }, 'counted twice'],
  ['loss = logp - sampler_logp', {}, {}, ''],
  ['loss = ref_logp * logp', {}, {}, 'that knows nothing yet'],
  ['loss = ref_logp * logp', {}, { warmStart: 'actions' }, 'begins as.'],
  ['loss = ref_logp * logp', {}, { referencePolicy: 'a'.repeat(64) }, ''],
  ['loss = -A * logp', { place: 'added', on: { ...NOWHERE, action: 1 } }, { pg: NOWHERE }, 'estimator'],
  ['loss = -(reward - mean_group(reward)) * logp', {}, {}, 'held fixed: they carry no derivative.'],
  ['loss = -mean_group(logp) * logp', {}, {}, 'costs time'],
] as const)('notes on %s', (text, loss, arm, said) => {
  const notes = formulaNotes(formulaOf(text), own(text, loss), { ...usual, ...arm });
  if (said === '') expect(notes).toEqual([]);
  else expect(notes.map((note) => note.text).join()).toContain(said);
});

test('an arm’s loss names the formula that stands for a part of it, and writes its lines', () => {
  const text = 'param weight = 0.5 in [0, 1]\nloss = -weight * logp';
  const arm: Arm = { ...usual, entropyCoefficient: 0, losses: [own(text, { values: { weight: 0.25 } })] };
  const { terms, definitions } = lossOf(arm);
  expect(terms.map(({ id, learning, formula }) => [id, learning, speak(formula)])).toEqual([
    ['policy', 'own', expect.stringMatching(/mine$/)],
  ]);
  expect(definitions.map(({ formula }) => (formula === null ? '' : speak(formula))).join()).toContain('0.25');
  const added: Arm = {
    ...usual,
    entropyCoefficient: 0,
    losses: [own(text, { place: 'added', on: { ...NOWHERE, observation: 0.1 } })],
  };
  expect(lossOf(added).terms.map(({ id }) => id)).toEqual(['policy', 'own-mine']);
});

test('a change of a text is told by its first comment, or by what is minimised', () => {
  expect(nameOfValue('loss.mine.text', '# My idea\nloss = logp')).toBe('My idea');
  expect(nameOfValue('loss.mine.text', 'x = 1\nloss = x * logp')).toBe('loss = x * logp');
  expect(nameOfValue('loss.mine.text', '')).toContain('removed');
  expect(nameOfValue('loss.mine.place', 'added')).toContain('added');
  expect(nameOfValue('loss.mine.weight', 0.5)).toBe('0.5');
});
