/** Fixtures whose rows are turns: GiGPO by its authors. */
import { choiceOf, inputOf, settingOf, tableOf } from '../arrays';
import type { Fixture } from '../format';
import { credit, deviation, NOTHING, RAW, scale, source } from './options';
import type { AdvantageScene, ScenePlace, SceneToken, SceneTrajectory } from './scene';

/** GiGPO: a row of the fixture is a turn. Turns of a trajectory follow each other, with an observation after each. */
export function gigpoScene(fixture: Fixture): AdvantageScene {
  const [rows, T] = tableOf(fixture, 'response_mask');
  const [mask, rewards] = [inputOf(fixture, 'response_mask'), inputOf(fixture, 'token_level_rewards')];
  const [steps, anchor] = [inputOf(fixture, 'step_rewards'), inputOf(fixture, 'anchor_obs')];
  const [group, owner] = [inputOf(fixture, 'index'), inputOf(fixture, 'traj_index')];
  const keys = Array.from({ length: rows }, (_, r) => `${group[r]} ${owner[r]}`);
  const places = new Array<ScenePlace>(rows * T).fill('zero');
  const trajectories = [...new Set(keys)].map((key, trajectory): SceneTrajectory => {
    const own = keys.flatMap((other, r) => (other === key ? [r] : []));
    const tokens: SceneToken[] = [];
    for (const r of own) {
      const actions = Array.from({ length: T }, (_, t) => r * T + t).filter((at) => mask[at] === 1);
      actions.forEach((at, i) => {
        places[at] = { of: 'advantage', trajectory, token: tokens.length };
        tokens.push({ role: 'action', reward: i + 1 === actions.length ? steps[r] : 0 });
      });
      tokens.push({ role: 'observation' });
    }
    const first = own[0] * T;
    const score = rewards.subarray(first, first + T).reduce((a, c) => a + c, 0);
    const anchors = own.map((r) => anchor[r]);
    return { group: group[own[0]], tokens, parts: [score], anchors };
  });
  const isScaled = choiceOf(fixture, 'mode', { mean_std_norm: true, mean_norm: false });
  return {
    trajectories,
    outputs: { advantages: places, returns: places },
    rewardWeights: [1],
    options: {
      ...RAW,
      ...source('parts'),
      ...(isScaled ? scale('group-deviation') : scale('none')),
      ...deviation(fixture, 1e-6),
      // The step returns are given: with a discount of 0 a turn's reward is its return.
      turnDiscount: 0,
      stepWeight: settingOf(fixture, ['step_advantage_w'], 1),
    },
  };
}

/** Discounted returns over the steps of a trajectory, one action token a step. */
export function stepReturnsScene(fixture: Fixture): AdvantageScene {
  const [rewards, owner, time] = ['rewards', 'traj_index', 'env_step'].map((name) => inputOf(fixture, name)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const places = new Array<ScenePlace>(rewards.length).fill(null);
  const trajectories = [...new Set(owner)].map((id, trajectory): SceneTrajectory => {
    const own = Array.from(owner, (_, r) => r).filter((r) => owner[r] === id);
    own.sort((a, c) => time[a] - time[c]);
    own.forEach((r, token) => {
      places[r] = { of: 'returns', trajectory, token };
    });
    return { group: trajectory, tokens: own.map((r) => ({ role: 'action', reward: rewards[r] })) };
  });
  const options = { ...credit('reward-to-go'), ...NOTHING, discount: settingOf(fixture, ['gamma']) };
  return { trajectories, outputs: { step_returns: places }, options };
}
