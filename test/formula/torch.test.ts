// The printed PyTorch was run by PyTorch (test/fixtures/pytorch/formulas.py): its numbers are the tape's, and what is printed
// today is what ran then.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/formula/compile';
import { evaluateTape } from '../../src/formula/tape';
import { TORCH_TARGETS, type TorchTarget, torchOf } from '../../src/formula/torch/targets';
import { INPUTS, type InputName } from '../../src/formula/vocabulary';
import { LabError } from '../../src/foundation/errors';
import { structureOf, type TorchCase, torchCases } from './torchCases';

interface Recorded {
  readonly name: string;
  /** SHA-256 of what ran, by target. */
  readonly sources: Partial<Readonly<Record<TorchTarget, string>>>;
  readonly loss: readonly number[];
  readonly byLogProb: readonly number[];
  readonly byEntropy: readonly number[];
  readonly shown: Readonly<Record<string, number>>;
}

const recorded: readonly Recorded[] = JSON.parse(readFileSync('test/fixtures/pytorch/formulas.json', 'utf8'));
const cases = torchCases();

test('every case was run', () => {
  expect(recorded.map(({ name }) => name)).toEqual(cases.map(({ name }) => name));
});

/** Values for each element of the input's level. */
function inputsFor(one: TorchCase, reads: ReadonlySet<InputName>): Partial<Record<InputName, readonly number[]>> {
  const { own, turns } = structureOf(one);
  return Object.fromEntries(
    [...reads].map((name) => {
      const given = one.inputs[name];
      const { level } = INPUTS[name];
      if (level === 'trajectory') return [name, given as readonly number[]];
      return [name, (level === 'turn' ? turns : own).map(([b, at]) => (given as number[][])[b]?.[at] as number)];
    }),
  );
}

const sourcesOf = (text: string): Partial<Record<TorchTarget, string>> =>
  Object.fromEntries(
    TORCH_TARGETS.flatMap((target) => {
      try {
        return [
          [
            target,
            createHash('sha256')
              .update(torchOf(compile(text), target))
              .digest('hex'),
          ],
        ];
      } catch (cause) {
        if (cause instanceof LabError) return [];
        throw cause;
      }
    }),
  );

describe.each(cases.map((one, i) => [one.name, one, recorded[i] as Recorded] as const))('%s', (_, one, expected) => {
  const formula = compile(one.text);

  test('the tape’s numbers are PyTorch’s', () => {
    const { structure } = structureOf(one);
    const parameters = formula.parameters.map((parameter) => one.values[parameter.name] ?? parameter.default);
    const { atTokens } = evaluateTape(formula, structure, inputsFor(one, formula.reads), parameters);
    const outputs = { loss: formula.loss, byLogProb: formula.byLogProb, byEntropy: formula.byEntropy };
    for (const [name, node] of Object.entries(outputs)) {
      const got = [...atTokens(node)];
      const wanted = expected[name as keyof typeof outputs];
      expect(got).toHaveLength(wanted.length);
      got.forEach((value, i) => {
        const close = Math.abs(value - (wanted[i] as number)) <= 1e-9 * (1 + Math.abs(value));
        expect(close || Object.is(value, wanted[i]), `${name} of own token ${i}: ${value}, PyTorch ${wanted[i]}`).toBe(
          true,
        );
      });
    }
    for (const { name, node } of formula.shown) {
      const values = atTokens(node);
      // The printed mean of no token is 0.
      expect(values.reduce((a, b) => a + b, 0) / Math.max(values.length, 1)).toBeCloseTo(
        expected.shown[name] as number,
        9,
      );
    }
  });

  test('what is printed is what ran', () => {
    expect(sourcesOf(one.text)).toEqual(expected.sources);
  });
});

describe('what leaves for a project', () => {
  const ppo = 'ratio = exp(logp - old_logp)\nloss = -min(ratio * A, clip(ratio, 0.8, 1.2) * A)';
  const refusal = (text: string, target: TorchTarget): string => {
    try {
      torchOf(compile(text), target);
    } catch (cause) {
      if (cause instanceof LabError) return cause.message;
      throw cause;
    }
    return 'none';
  };

  test.each([
    ['verl', '@register_policy_loss("mine")', 'agg_loss(loss_mat=losses, loss_mask=response_mask'],
    ['skyrl', '@register_policy_loss("mine")', '(losses * mask).sum()'],
    ['prime-rl', 'def mine(inputs: LossInputs) -> LossOutputs:', 'losses.sum()'],
    ['trl', 'class mine(GRPOTrainer):', 'num_items_in_batch'],
    ['openrlhf', 'class mine(PolicyLoss):', 'aggregate_loss('],
  ] as const)('%s registers it its way', (target, registered, averaged) => {
    const source = torchOf(compile(ppo), target, 'mine');
    expect(source).toContain(registered);
    expect(source).toContain(averaged);
    expect(source).toMatch(/^# A formula’s loss for .*commit [0-9a-f]{7} of/);
  });

  test.each([
    ['verl', 'loss = -success * logp', 'no success'],
    ['skyrl', 'loss = -reward * logp', 'no reward'],
    ['openrlhf', 'loss = -A * logp - entropy', 'no entropy'],
    ['openrlhf', 'loss = -(A - mean_group(A)) * logp', 'reduced over the group'],
    ['trl', 'loss = -A * logp * value', 'no value'],
    ['skyrl', 'loss = -(A - mean_group(A)) * logp', 'reduced over the group'],
    ['skyrl', 'loss = -A * logp + 0.1 * (logp - old_logp) ** 2', 'not proportional to A'],
    ['prime-rl', 'loss = -A * logp * entropy', 'no entropy'],
    ['prime-rl', 'loss = -(A - mean_batch(A)) * logp', 'reduced over the batch'],
  ] as const)('%s cannot have %s', (target, text, why) => {
    expect(refusal(text, target)).toContain(why);
  });

  test.each([
    ['verl', 'loss = -A * logp - entropy', 'ppo_loss = mine'],
    ['verl', 'loss = -(A - mean_group(A)) * logp', 'if len(data["response_mask"]) != data["global_batch_size"]'],
    ['trl', 'loss = -(A - mean_batch(A)) * logp', 'self.args.gradient_accumulation_steps != 1'],
    ['trl', 'loss = -reward * logp', 'output["reward"]'],
  ] as const)('%s gets %s by a hook that sees the batch', (target, text, line) => {
    expect(torchOf(compile(text), target, 'mine')).toContain(line);
  });

  test('docs/formulas.md tells which recipes go where, and why others do not', () => {
    const why = (text: string): string => {
      const [, input] = /hands no (\w+)/.exec(text) ?? [];
      if (input !== undefined) return `no \`${input}\``;
      const [, of] = /reduced over the (\w+)/.exec(text) ?? [];
      if (of !== undefined) return `no whole ${of}`;
      if (text === 'none') return 'yes';
      return text.includes('not proportional') ? 'scales A' : text;
    };
    const projects = TORCH_TARGETS.filter((target) => target !== 'torch');
    const rows = readdirSync('docs/recipes').map((file) => {
      const text = readFileSync(`docs/recipes/${file}`, 'utf8');
      return [file.replace('.loss', ''), ...projects.map((target) => why(refusal(text, target)))];
    });
    const cells = [['recipe', ...projects], ...rows];
    const widths = cells[0]?.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0))) ?? [];
    const line = (row: readonly string[]): string =>
      `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
    const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
    const table = [line(cells[0] ?? []), rule, ...rows.map(line)].join('\n');
    expect(/\| recipe [\s\S]*?(?=\n\n)/.exec(readFileSync('docs/formulas.md', 'utf8'))?.[0]).toBe(table);
  });

  test('a loss that grows with the advantage passes SkyRL’s scaling, however it is written', () => {
    expect(refusal(ppo, 'skyrl')).toBe('none');
    expect(refusal('s = std_trajectory(A)\nloss = -max(abs(A), s) * logp if A >= 0 else 2 * A * logp', 'skyrl')).toBe(
      'none',
    );
    expect(refusal('loss = -sqrt(A * A) * logp / 3', 'skyrl')).toBe('none');
    expect(refusal('loss = -A * abs(A) * logp', 'skyrl')).toContain('not proportional');
    expect(refusal('loss = -A * logp if A > 0.5 else 0', 'skyrl')).toContain('not proportional');
  });

  test('parameters become keyword arguments, and arguments of prime-rl’s configuration', () => {
    const text = 'param low = 0.2 in [0, 1] # below\nloss = -A * logp * low';
    expect(torchOf(compile(text), 'torch')).toContain('# low: 0 to 1; below\ndef token_loss(own, logp, A, low=0.2):');
    expect(torchOf(compile(text), 'prime-rl')).toContain('def own_loss(inputs: LossInputs, low=0.2)');
  });

  test('comments stay, each a comment in Python too', () => {
    const source = torchOf(
      compile('# first\rimport os\n\nloss = (A # one\n  * logp) # two\u2028\u202enext\n# last'),
      'torch',
    );
    expect(source).toContain('    # first import os\n\n    loss = A * logp  # one two  next\n    # last\n');
    expect(source).not.toMatch(/[\r\u2028\u202e]/);
  });
});
