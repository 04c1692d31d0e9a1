// Arms as configuration of other trainers: every setting with a field there is written, all others are named.
import { describe, expect, test } from 'vitest';
import { isRelevant } from '../../src/experiment/arm/relevance';
import { type Arm, armSettings, defaultArm, getArmSetting } from '../../src/experiment/experiment';
import { firstPreset } from '../../src/experiment/presets/presets';
import { listener } from '../../src/experiment/presets/worlds/listener';
import { configurationOf } from '../../src/experiment/scale/trainer';
import { TRAINERS } from '../../src/experiment/scale/trainers';

/** Arm whose numbers all differ, so none can be mistaken for another. */
const distinct = (): Arm => ({
  ...defaultArm('mine', 'My arm'),
  ce: { prompt: 0, action: 0, observation: 0.0731, warning: 0.0127, thought: -1 },
  learningRate: 0.000321,
  learningRateWarmUp: 11,
  weightDecay: 0.0456,
  beta1: 0.871,
  beta2: 0.963,
  epsilon: 3.7e-7,
  maxGradNorm: 0.637,
  innerEpochs: 7,
  temperature: 0.83,
  clipLow: 0.17,
  clipHigh: 0.29,
  ratioCap: 3.4,
  klCoefficient: 0.0087,
  entropyCoefficient: 0.0143,
});
const NOWHERE = { prompt: 0, action: 0, observation: 0, warning: 0, thought: 0 };
const experiment = { ...firstPreset.experiment, updates: 419, batch: { groups: 13, groupSize: 9 } };
const write = (id: string, arm = distinct()) => {
  const trainer = TRAINERS.find((one) => one.id === id);
  if (trainer === undefined) throw new Error(id);
  const text = configurationOf(trainer, { ...experiment, arms: [arm] }, arm);
  const isComment = (line: string) => line.startsWith('#');
  const lines = text.split('\n');
  return { code: lines.filter((line) => !isComment(line)).join('\n'), comments: lines.filter(isComment).join('\n') };
};

test.each([
  [
    'verl',
    `optim.lr=0.000001|optim.weight_decay=0.0456|optim.betas='[0.871,0.963]'|grad_clip=0.637|ppo_epochs=7|entropy_coeff=0.0143|
     kl_loss_coef=0.0087|use_kl_loss=True|rollout.temperature=0.83|clip_ratio_low=0.17|clip_ratio_high=0.29|clip_ratio_c=3.4|
     +actor_rollout_ref.echo_aux_token_loss_coeff=0.0731|rollout.n=9|train_batch_size=13|total_training_steps=419`,
  ],
  [
    'rllm',
    `adv_estimator=echo|env_loss_coef=0.0731|eps_clip=0.17|eps_clip_high=0.29|kl_beta=0.0087|use_kl_loss=True|train.temperature=0.83|
     optim.lr=0.000001|rollout.n=9|train_batch_size=13|total_batches=419`,
  ],
  [
    'prime-rl',
    `orchestrator.algo.type = "echo"|orchestrator.algo.roles.user.alpha = 0.0731|optim.lr = 0.000001|optim.betas1 = 0.871|optim.betas2 = 0.963|
     max_norm = 0.637|sampling.temperature = 0.83|max_steps = 419|batch_size = 117|orchestrator.group_size = 9`,
  ],
  [
    'skyrl',
    `optimizer_config.lr=0.000001|weight_decay=0.0456|adam_betas='[0.871,0.963]'|max_grad_norm=0.637|update_epochs_per_batch=7|num_warmup_steps=77|
     use_kl_loss=true|kl_loss_coef=0.0087|eps_clip_low=0.17|eps_clip_high=0.29|n_samples_per_prompt=9|train_batch_size=13|temperature=0.83|
     use_entropy_loss=true|entropy_loss_coef=0.0143|loss_reduction=token_mean|grpo_norm_by_std=true`,
  ],
  [
    'openrlhf',
    `--actor.adam.lr 0.000001|--actor.adam.weight_decay 0.0456|--actor.adam.betas 0.871 0.963|--actor.adam.eps 3.7e-7|--actor.max_norm 0.637|
     --train.max_epochs 7|--rollout.temperature 0.83|--actor.eps_clip_low_high 0.17 0.29|--actor.dual_clip 3.4|--algo.kl.init_coef 0.0087|
     --algo.kl.use_loss|--rollout.n_samples_per_prompt 9|--rollout.batch_size 13|--actor.entropy_coef 0.0143|--algo.advantage.estimator group_norm`,
  ],
  [
    'trl',
    `learning_rate=0.000001|adam_beta1=0.871|adam_beta2=0.963|adam_epsilon=3.7e-7|max_grad_norm=0.637|num_iterations=7|
     temperature=0.83|epsilon=0.17|epsilon_high=0.29|delta=3.4|beta=0.0087|num_generations=9|entropy_coef=0.0143|max_steps=2933|
     per_device_train_batch_size=9|gradient_accumulation_steps=13|lr_scheduler_type="constant_with_warmup"|warmup_steps=77`,
  ],
])('%s has every number it has a field for', (id, fields) => {
  const { code } = write(id);
  for (const field of fields.split('|').map((one) => one.trim())) expect(code).toContain(field);
});

test.each(TRAINERS.map(({ id }) => id))('%s names what matters to the arm and has no field, and only that', (id) => {
  const arm = distinct();
  const carries = TRAINERS.find((one) => one.id === id)?.carries ?? {};
  const { comments } = write(id, arm);
  for (const { path } of armSettings) {
    const field = carries[path]?.(getArmSetting(arm, path), arm) ?? null;
    const named = new RegExp(`[ ]${path.replace('.', '[.]')} = `).test(comments);
    expect(named, path).toBe(field === null && isRelevant(arm, path) && path !== 'objective');
  }
  expect(comments).toContain('Cross-entropy on warnings: ce.warning = 0.0127');
});

test.each(TRAINERS)(
  '$id begins a pretrained model, says with which learning rate, and names what is lost last',
  (trainer) => {
    const arm = distinct();
    const lines = configurationOf(trainer, { ...experiment, arms: [arm] }, arm)
      .trimEnd()
      .split('\n');
    const rate = lines.filter(
      (line) => /learning rate|(lr|learning_rate) ?=|adam\.lr /.test(line) && !line.includes('warmup'),
    );
    expect(rate).toHaveLength(2);
    for (const line of rate) expect(line).toMatch(/\b(1e-6|0\.000001)\b/);
    expect(rate.join()).toContain('was 0.000321');
    const from = lines.indexOf('# These settings of the arm have no field here, and matter:');
    const lastField = lines.findLastIndex((line) => !line.startsWith('#'));
    expect(from).toBeGreaterThan(lastField);
  },
);

test.each(TRAINERS)('$id keeps the learning rate of an arm that began from a language model', (trainer) => {
  const [arm] = listener.experiment.arms as [Arm];
  const text = configurationOf(trainer, listener.experiment, arm);
  expect(text).toMatch(/lr[= ]+0\.001|learning_rate=0\.001/);
  expect(text).not.toMatch(/random weights/);
});

describe('an arm that was changed while it trained', () => {
  const change = (update: number, value: number) =>
    ({ update, arm: 'mine', setting: 'ce.observation', value }) as const;
  const changed = { ...experiment, arms: [distinct()], timeline: [change(20, 1), change(150, 0.25)] };
  const at = (update: number) => configurationOf(TRAINERS[0] as (typeof TRAINERS)[0], changed, distinct(), update);

  test.each([
    [0, '0.0731'],
    [120, '1'],
    [200, '0.25'],
  ])('is written as it is at update %d', (update, value) => {
    expect(at(update)).toContain(`echo_aux_token_loss_coeff=${value} `);
    expect(at(update)).toContain(`Values are those at update ${update}; 2 changes`);
  });
});

test('what an arm has otherwise than the action mask is said in one line, and of the mask itself nothing', () => {
  const [mask, model] = firstPreset.experiment.arms;
  const of = (arm = distinct()) => configurationOf(TRAINERS[0] as (typeof TRAINERS)[0], firstPreset.experiment, arm);
  expect(of(model)).toContain(`# Unlike arm “${mask?.name}”: ce.observation = ${model?.ce.observation} (there 0).`);
  expect(of(mask)).not.toContain('Unlike arm');
});

test('an entropy bonus comes with a warning', () => {
  expect(write('verl').comments).toContain('begin with 0');
  expect(write('verl', { ...distinct(), entropyCoefficient: 0 }).comments).not.toContain('begin with 0');
});

describe('what a trainer cannot do', () => {
  test('is no field: a clip range means something else under another surrogate', () => {
    const arm: Arm = { ...distinct(), surrogate: 'prime' };
    expect(write('verl', arm).code).not.toContain('clip_ratio');
    expect(write('verl', arm).comments).toContain('surrogate = prime');
    expect(write('prime-rl').code).not.toContain('trainer.loss');
    expect(write('prime-rl').comments).toContain('surrogate = ppo');
  });

  test('bounds are written as the trainer takes them', () => {
    const prime = write('prime-rl', { ...distinct(), surrogate: 'prime', ratioPenalty: 0.03 }).code;
    for (const line of ['type = "default"', 'dppo_mask_low = 0.17', 'dppo_mask_high = 0.29', 'kl_tau = 0.03'])
      expect(prime).toContain(`trainer.loss.${line}\n`);
    const ipo = write('prime-rl', { ...distinct(), surrogate: 'ipo' }).code;
    for (const line of ['type = "ipo"', 'ipo_threshold = 0.29']) expect(ipo).toContain(`trainer.loss.${line}\n`);
    expect(ipo).not.toContain('dppo_');
  });

  test.each<[string, Partial<Arm>, verl: string, trl: string]>([
    [
      'GSPO',
      { ratioLevel: 'sequence', aggregation: 'seq-mean-token-mean' },
      'loss_mode=gspo|clip_ratio_low=0.17',
      'loss_type="grpo"|importance_sampling_level="sequence"|epsilon_high=0.29',
    ],
    [
      'SAPO',
      { surrogate: 'sapo', sapoNegative: 1.07, aggregation: 'seq-mean-token-mean' },
      'loss_mode=sapo|tau_pos=1|tau_neg=1.07',
      'loss_type="sapo"|sapo_temperature_neg=1.07',
    ],
    [
      'CISPO around 1',
      { surrogate: 'cispo' },
      'loss_mode=cispo|clip_ratio_high=0.29',
      'loss_type="cispo"|epsilon_high=1.29',
    ],
    [
      'CISPO from above',
      { surrogate: 'cispo', ratioBound: 'absolute-above' },
      '',
      'loss_type="cispo"|epsilon_high=0.29',
    ],
  ])('%s is called what verl and TRL call it', (_, changes, verl, trl) => {
    const arm: Arm = { ...distinct(), ...changes };
    for (const field of verl.split('|')) expect(write('verl', arm).code).toContain(field);
    for (const field of trl.split('|')) expect(write('trl', arm).code).toContain(field);
    // A loss that verl does not have is not written.
    expect(write('verl', arm).code.includes('loss_mode')).toBe(verl !== '');
  });

  test.each([
    ['verl', 'actor.policy_loss.loss_mode=policy_loss'],
    ['rllm', 'actor.policy_loss.loss_mode=policy_loss'],
    ['skyrl', 'trainer.algorithm.policy_loss_type=policy_loss'],
    ['prime-rl', 'trainer.loss.type = "custom"|trainer.loss.import_path = "policy_loss.policy_loss"'],
    ['trl', 'loss_type="dapo"'],
  ])('%s is told of a formula in the place of the surrogate, without that one’s bounds', (id, fields) => {
    const formula = { name: 'mine', text: 'loss = -A * logp', place: 'policy' as const, on: NOWHERE, values: {} };
    for (const surrogate of ['ppo', 'cispo', 'ipo'] as const) {
      const { code } = write(id, { ...distinct(), surrogate, losses: [formula] });
      for (const field of fields.split('|')) expect(code).toContain(field);
      expect(code).not.toMatch(/vanilla|regular|cispo|"ipo"|clip_ratio|eps_clip|\bepsilon|delta|ipo_threshold/);
      // The class that a formula becomes for TRL refuses both.
      if (id === 'trl') expect(code).not.toMatch(/entropy_coef|\bbeta=/);
    }
  });

  test('an arm without a world model is plain GRPO', () => {
    const arm: Arm = { ...distinct(), ce: NOWHERE };
    expect(write('rllm', arm).code).toContain('adv_estimator=grpo');
    expect(write('prime-rl', arm).code).toContain('orchestrator.algo.type = "grpo"');
    expect(write('prime-rl', arm).code).not.toContain('alpha');
  });
});

test('a name with a line break stays a comment', () => {
  const { code } = write('verl', { ...distinct(), name: 'x\nrm -rf ~' });
  expect(code).not.toContain('rm -rf');
});

test('a fixed policy is taken nowhere: no trainer could repeat it', () => {
  const arm: Arm = { ...distinct(), fixedPolicy: 'ab'.repeat(32) };
  expect(() => write('verl', arm)).toThrow(/My arm is a fixed policy and learns nothing/);
});

test('values are those after the last change, and the learning rate one that a pretrained model survives', () => {
  const arm = { ...distinct(), learningRate: 3e-6 };
  const change = (update: number, value: number) => ({
    update,
    arm: 'mine',
    setting: 'ce.observation' as const,
    value,
  });
  const changed = { ...experiment, arms: [arm], timeline: [change(20, 0.4), change(50, 0.9)] };
  const verl = TRAINERS[0];
  if (verl === undefined) throw new Error('There is no trainer.');
  const text = configurationOf(verl, changed, arm);
  expect(text).toContain('echo_aux_token_loss_coeff=0.9');
  expect(text).toContain('optim.lr=0.000003');
  expect(text).not.toContain('for one of 100,000 random weights');
  expect(write('verl').comments).toContain('The learning rate is 0.000001, for a pretrained model; the lab’s');
});
