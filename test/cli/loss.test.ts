/** `lab loss`: a formula's file told, printed as PyTorch, or refused with the mistake's place. */
import { expect, test } from 'vitest';
import { TORCH_TARGETS } from '../../src/formula/torch/targets';
import { expectRefused, LAB_TIMEOUT, lab, labFiles, labResult } from '../support/lab';

const TEXT = `# Clipped, towards a reference
param high = 0.2 in [0, 1]
ratio = exp(logp - old_logp)
loss = -min(ratio * A, clip(ratio, 0.8, 1 + high) * A)
show kl = logp - ref_logp
`;

const { at, file } = labFiles();

test('tells what a formula reads, shows and costs', { timeout: LAB_TIMEOUT }, () => {
  const path = file('clipped.loss', TEXT);
  expect(labResult('loss', path)).toEqual({
    reads: ['advantage', 'logp', 'old_logp', 'ref_logp'],
    parameters: [{ name: 'high', default: 0.2, min: 0, max: 1 }],
    shown: ['kl'],
    levels: [
      { name: 'ratio', level: 'token' },
      { name: 'loss', level: 'token' },
      { name: 'kl', level: 'token' },
    ],
    derivatives: ['logp'],
    passes: ['reference'],
    operations: expect.any(Number),
  });
  const { stdout, status } = lab('loss', path);
  expect(status).toBe(0);
  expect(stdout).toContain('parameters   high = 0.2 in [0, 1]\n');
});

test('prints PyTorch under the name of the file', { timeout: LAB_TIMEOUT }, () => {
  const plain = lab('loss', file('clipped.loss', TEXT), '--to', 'torch');
  expect(plain.stdout).toContain('    ratio = torch.exp(logp - old_logp)\n');
  expect(lab('loss', file('class.loss', TEXT), '--to', 'trl').stdout).toContain('class class_(GRPOTrainer):');
  const held = file('held.loss', 'loss = -(A - mean_group(A)) * logp\n');
  expect(lab('loss', held, '--to', 'wgsl').stdout).toMatch(
    /Results of a formula you write[\s\S]*Loss of a formula you write/,
  );
  const path = file('1 of my own.loss', 'loss = -A * logp\n');
  expect(labResult('loss', path, '--to', 'verl')).toEqual({
    target: 'verl',
    source: expect.stringContaining('@register_policy_loss("loss_1_of_my_own")'),
  });
});

test('refuses with the place of the mistake, or what a project lacks', { timeout: LAB_TIMEOUT }, async () => {
  await expectRefused(
    ['loss', file('wrong.loss', 'x = 1\nloss = -A * logprob\n')],
    /wrong\.loss:2:13: “logprob” is not known.*logp\?/,
  );
  await expectRefused(['loss', file('clipped.loss', TEXT), '--to', 'skyrl'], /SkyRL hands no ref_logp to a loss/);
  await expectRefused(['loss', file('clipped.loss', TEXT), '--to', 'jax'], new RegExp(TORCH_TARGETS.join(', ')));
  await expectRefused(['loss', at('none.loss')], /cannot be read/);
  await expectRefused(['loss'], /No file was named/);
});
