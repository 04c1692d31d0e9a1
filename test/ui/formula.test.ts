// Formula of an arm's loss: it has all settings with an effect, with the arm's numbers, no others, and can be read aloud.
import { describe, expect, test } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { openWorlds } from '../../src/environments/own/here';
import { findEnvironment } from '../../src/environments/registry';
import { isRelevant } from '../../src/experiment/arm/relevance';
import {
  type Arm,
  type ArmSettingPath,
  armSettings,
  defaultArm,
  withArmSetting,
} from '../../src/experiment/experiment';
import {
  findObjective,
  isOfObjective,
  objectivePresets,
  withObjective,
} from '../../src/experiment/objectives/objectivePresets';
import { isNumberSetting } from '../../src/experiment/settings/setting';
import { symbolOf } from '../../src/formula/symbols';
import { fraction, index, minus, negative, operator, over, row, symbol, words } from '../../src/foundation/notation';
import { inWordsOf, REWARD_TABLE } from '../../src/hyperparameters/rewards';
import { advantageFormula } from '../../src/ui/model/formula/advantage';
import { lossOf } from '../../src/ui/model/formula/loss';
import { speak } from '../../src/ui/model/formula/speak';
import { substitute } from '../../src/ui/model/formula/substitute';
import { surrogateFormula } from '../../src/ui/model/formula/surrogate';
import { searchObjectives } from '../../src/ui/model/settings/ObjectivePicker';

const plain = defaultArm('a', 'A');

const world = (id: string, settings = {}): Environment => {
  const environment = findEnvironment(id)?.create(settings);
  if (environment === undefined) throw new Error(`no world ${id}`);
  return environment;
};

/** All text of an arm's loss, written and spoken. */
const said = (arm: Arm, environment: Environment | null = null): string => {
  const { terms, definitions } = lossOf(arm, environment);
  const lines = definitions.map(({ formula, remark }) => `${formula === null ? '' : speak(formula)} ${remark}`);
  return [...terms.map(({ id, formula }) => `${id}: ${speak(formula)}`), ...lines].join('\n');
};

/** Settings that are not in the formula: they say how numbers are computed, not what is minimised. */
const UNWRITTEN: readonly ArmSettingPath[] = [
  'logRatioClamp',
  'countedSequences',
  'advantageDeviation',
  'whiteningDeviation',
  'whiteningEpsilon',
  'returnLambda',
  'creditClock',
  'valueClip',
  'klClamp',
  'decodingLevel',
];

describe.each(objectivePresets)('the formula of $id', (preset) => {
  const arm = withObjective(plain, preset);

  test('writes each thing that acts, and follows it', () => {
    const before = said(arm);
    for (const setting of armSettings) {
      const { path } = setting;
      if (!isOfObjective(path) || !isRelevant(arm, path) || UNWRITTEN.includes(path)) continue;
      // Some other value: of two choices one may come to the same, as token and sequence do in VESPO.
      const others = isNumberSetting(setting)
        ? [arm[path as 'clipLow'] === setting.max ? setting.max / 2 : setting.max]
        : setting.type === 'choice'
          ? setting.choices
          : [!(arm[path as 'placebo'] as boolean)];
      const differs = others.some((other) => said(withArmSetting(arm, path, other)) !== before);
      expect(differs, path).toBe(true);
    }
  });

  test('does not write what has no effect', () => {
    const before = said(arm);
    for (const setting of armSettings) {
      if (!isOfObjective(setting.path) || isRelevant(arm, setting.path) || !isNumberSetting(setting)) continue;
      expect(said(withArmSetting(arm, setting.path, setting.max)), setting.path).toBe(before);
    }
  });
});

describe('a formula', () => {
  test('has the numbers of the clip in it', () => {
    const [policy] = lossOf({ ...plain, clipLow: 0.1, clipHigh: 0.28 }).terms;
    expect(policy === undefined ? '' : speak(policy.formula)).toBe(
      'minus mean over actions, of min of ratio times A, clip of ratio, 0.9, 1.28, times A',
    );
  });

  test('of an arm that predicts has λ and what it is divided by', () => {
    const terms = lossOf(withObjective(plain, findObjective('echo'))).terms;
    const term = terms.find(({ id }) => id === 'world-model');
    expect(term === undefined ? '' : speak(term.formula)).toMatch(
      /^plus 0\.05 divided by trajectories, the sum over trajectories, of 1 divided by observations, warnings plus 0\.001/,
    );
  });

  const advantageOf = (arm: Arm): string => said(arm).match(/^A is .*$/m)?.[0] ?? '';

  test.each([
    ['sample', 'sigma plus 0.5'],
    ['population', 'sigma plus 0.5'],
    ['sample-variance', 'the root of sigma to the power 2 plus 0.5'],
    ['population-variance', 'the root of sigma to the power 2 plus 0.5'],
    ['sample-floor', 'the root of max of sigma to the power 2, 0.5'],
    ['population-floor', 'the root of max of sigma to the power 2, 0.5'],
  ] as const)('has ε where the deviation of form %s has it', (advantageDeviation, divisor) => {
    const arm = { ...plain, advantageDeviation, advantageEpsilon: 0.5 };
    expect(advantageOf(arm)).toContain(`divided by ${divisor} mean and σ`);
    const ofBatch = advantageOf({ ...arm, advantageScale: 'batch-deviation' });
    expect(ofBatch).toContain(divisor.replace('sigma', 'sigma batch'));
  });

  test('of a critic that nothing trains says that it is the reward to go', () => {
    const ppo = withObjective(plain, findObjective('ppo'));
    for (const advantageCredit of ['gae', 'bilevel-gae'] as const) {
      expect(advantageOf({ ...ppo, advantageCredit })).toMatch(/^A is GAE .*over a critic|^A is GAE .*turn by turn/);
      const untrained = advantageOf({ ...ppo, advantageCredit, valueCoefficient: 0 });
      expect(untrained).toMatch(/^A is G of R .*reward to go, since no critic is trained/);
      expect(untrained).not.toMatch(/over a critic/);
    }
  });

  test('of a critic leaves out the baselines by token, which do nothing there', () => {
    const ppo = withObjective(plain, findObjective('ppo'));
    for (const advantageBaseline of ['greedy', 'optimal-token'] as const) {
      expect(said({ ...ppo, advantageBaseline })).toBe(said(ppo));
    }
  });

  test('of GMPO bounds a log-ratio on the side of its advantage alone', () => {
    const text = said(withObjective(plain, findObjective('gmpo')));
    expect(text).toContain('kept equals min of log pi minus log pi old, 0.4, if A is more than 0, max of');
    expect(text).toContain('log ratio equals mean over tokens of the trajectory, of kept');
    expect(text).not.toMatch(/clip/);
  });

  test('of Clip-Cov writes the dual clip where there is one', () => {
    const clipCov = withObjective(plain, findObjective('clip-cov'));
    expect(said(clipCov)).not.toMatch(/max of/);
    expect(said({ ...clipCov, ratioCap: 3 })).toMatch(/max of gain, 3 times A, if A is less than 0/);
  });

  test('of the forgotten mask names the observations among its tokens', () => {
    const [policy] = lossOf(withObjective(plain, findObjective('no-mask'))).terms;
    expect(policy?.caption).toBe('actions and observations');
  });

  test('is empty where nothing learns', () => {
    const nothing = { ...plain, pg: { ...plain.pg, action: 0 }, entropyCoefficient: 0 };
    expect(lossOf(nothing)).toEqual({ terms: [], definitions: [] });
  });

  test('reads aloud in order', () => {
    expect(speak(row(negative, 0.05, over(words('mean'), 'actions'), fraction(1, 'T')))).toBe(
      'minus 0.05 mean over actions, of 1 divided by T',
    );
  });
});

describe('episodes that are not simply those just played', () => {
  const imitated = { ...plain, replay: 'cross-entropy', replayWeight: 0.2 } as const;

  test('replayed by cross-entropy are a term with its weight, first where it stands alone', () => {
    const { terms } = lossOf(imitated);
    expect(terms.map(({ id }) => id)).toEqual(['policy', 'replay', 'entropy']);
    expect(speak(terms[1]?.formula ?? row())).toBe('plus 0.2 mean over replayed tokens, of, minus log pi');
    const alone = { ...imitated, pg: { ...plain.pg, action: 0 }, entropyCoefficient: 0, replayShare: 0.5 };
    expect(said(alone)).toMatch(/^replay: 0\.2 mean over replayed tokens, of, minus log pi\n.*up to 50% of the batch/);
  });

  test('replayed by policy gradient are the arm’s own surrogate, with its clip and the advantage of then', () => {
    const retrained = { ...plain, replay: 'policy-gradient', clipHigh: 0.28 } as const;
    expect(said(retrained)).toMatch(
      /^replay: minus mean over replayed tokens, of min of ratio times A, clip of ratio, 0.8, 1.28/m,
    );
    expect(said(retrained)).toContain('the advantage the episode had in its group when it was played');
    expect(said({ ...retrained, pg: { ...plain.pg, action: 0 } })).not.toMatch(/^replay:/m);
  });

  test('of thoughts without a weight are left out of the surrogate, and count in the mean', () => {
    const apart = { ...plain, replay: 'policy-gradient', pg: { ...plain.pg, thought: 0 } } as const;
    expect(said(apart)).toMatch(/^replay: minus mean over replayed tokens, of 1 action min of/m);
    expect(said({ ...apart, pg: { ...apart.pg, thought: 0.5 } })).toMatch(/^replay: minus mean .*, of w min of/m);
  });

  test.each(['replayShare', 'replayWeight', 'replaySize', 'replayPerTask'] as const)('follow %s', (path) => {
    expect(said({ ...imitated, [path]: 0.75 })).not.toBe(said(imitated));
    expect(said({ ...plain, [path]: 0.75 })).toBe(said(plain));
  });

  test('of chosen tasks are said in a line', () => {
    expect(said(plain)).not.toMatch(/Tasks:/);
    expect(said({ ...plain, taskChoice: 'near-half', candidates: 6 })).toMatch(
      /^ Tasks: of 6 candidates for each task played, those solved nearest to half of the time$/m,
    );
    expect(said({ ...plain, taskChoice: 'failed-again', failedShare: 0.25 })).toMatch(
      /^ Tasks: up to 25% of .* come back/m,
    );
    const staged = { ...plain, difficultyStart: 0.2, difficultyUpdates: 70 };
    expect(said(staged, world('gridworld'))).toMatch(/none harder than 20% of the hardest, rising to all by update 70/);
    expect(said(staged, world('terminal'))).toBe(said(plain, world('terminal')));
  });
});

describe('the reward of a world', () => {
  const similar = world('terminal', { tasks: 'edit', lineWords: 2, grading: 'similarity' });
  const words = 'similarity of the answer to the right one, −1 for none or for a broken form';

  test('by similarity is R where the arm takes it as it is', () => {
    expect(said(plain, similar)).toContain(`R = ${words}; `);
    expect(said({ ...plain, outcomeForm: 'binary' }, similar)).toContain('R = outcome, outcome 1 or 0; ');
    const formed = { ...plain, reward: { ...plain.reward, format: 0.5 } };
    expect(said(formed, similar)).toContain(`R = outcome + 0.5 · format, outcome: ${words}; `);
    expect(said(plain, world('terminal', { tasks: 'edit', lineWords: 2 }))).toBe(said(plain));
  });

  test('has its own word for milestones, through all that is said of them', async () => {
    await openWorlds();
    const program = world('own', { world: '@program' });
    const paid = { ...plain, reward: { ...plain.reward, subgoals: 0.5 } };
    expect(said(paid, program)).toContain('R = outcome + 0.5 · share of tests passed; ');
    expect(said(paid)).toContain('R = outcome + 0.5 · subgoals; ');
    expect(inWordsOf(program.milestoneWords, REWARD_TABLE.subgoals.help)).toBe(
      'The share of tests passed, each paid once and at its turn.',
    );
    expect(inWordsOf(undefined, REWARD_TABLE.subgoals.help)).toBe(REWARD_TABLE.subgoals.help);
  });
});

test('the advantage of a tree is a difference, and names its returns only where they are not the score', () => {
  const rtmc = withObjective(plain, findObjective('rtmc'));
  expect(advantageFormula(rtmc, null).formula).toEqual(
    row(
      symbol('A', 'A'),
      operator('=', 'is'),
      row(index('Q', 's, a'), minus, index(symbol('V′', 'V prime'), words('s'))),
    ),
  );
  const centred = speak(advantageFormula({ ...rtmc, advantageBaseline: 'group-mean' }, null).formula);
  expect(centred).toBe('A is Q s, a minus V prime s, with returns of R minus mean R');
});

describe('the search for an objective', () => {
  test.each([
    ['dapo', 'dapo'],
    ['2507.18071', 'gspo'],
    ['echo trl', 'echo-trl'],
    ['shuffled', 'placebo'],
  ])('%s finds %s', (text, id) => {
    expect(searchObjectives(text).map((preset) => preset.id)).toContain(id);
  });

  test('narrows by every word, and can find nothing', () => {
    expect(searchObjectives('')).toHaveLength(objectivePresets.length);
    expect(searchObjectives('echo').length).toBeGreaterThan(searchObjectives('echo rllm').length);
    expect(searchObjectives('no such thing')).toEqual([]);
  });
});

test('numbers take the place of symbols, with a sign between those that are multiplied', () => {
  const values = [
    [symbolOf('ratio'), 1.23456],
    [symbolOf('A'), -0.5],
    [symbolOf('logp'), -2],
  ] as const;
  const put = (surrogate: Arm['surrogate']) => speak(substitute(surrogateFormula({ ...plain, surrogate }), values));
  expect(put('ppo')).toBe('min of 1.235 times, −0.5, clip of 1.235, 0.8, 1.2, times, −0.5');
  expect(put('reinforce')).toBe(', −0.5, times, −2');
});
