/** `lab scale`: the folder of an arm on its way to a trainer, and its commands as far as they need no trainer. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { scaleCommand } from '../../src/cli/scale';
import { isFixed } from '../../src/experiment/arm/policyFiles';
import { presets } from '../../src/experiment/presets/presets';
import { scaleFolder } from '../../src/experiment/scale/folder';
import { type ForeignTrainer, TRAINERS } from '../../src/experiment/scale/trainers';
import { sharedFolder } from '../support/folder';
import { expectRefusal, lab, labResult, printed } from '../support/lab';
import { servedHere } from '../support/scaleFolder';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const trainer = (id: string) => TRAINERS.find((one) => one.id === id) as ForeignTrainer;

describe.each(TRAINERS)('$id', (one) => {
  test('gets a folder from every preset and arm, and its shell is Bash', () => {
    for (const { experiment } of presets) {
      for (const arm of experiment.arms.filter((candidate) => !isFixed(candidate))) {
        const files = scaleFolder(one, experiment, arm);
        const readme = files.get('README.md') ?? '';
        expect(readme).toMatch(/does not carry over[\s\S]*Five commands/);
        for (const name of files.keys()) if (name !== 'README.md') expect(readme).toContain(`\`${name}\``);
        expect(files.get('serve.sh')).toContain('cli/main.ts serve');
        expect(files.has('policy_loss.py') || /policy_loss: /.test(readme)).toBe(true);
      }
    }
    const { experiment } = presets[0] as (typeof presets)[0];
    const files = scaleFolder(
      one,
      { ...experiment, title: '$(touch bad) `x` \n rm' },
      experiment.arms[0] as (typeof experiment.arms)[0],
    );
    execFileSync('bash', ['-n'], { input: files.get('serve.sh') });
    if (one.extension === 'sh') execFileSync('bash', ['-n'], { input: files.get('config.sh') });
  });
});

test('train.py says at once where TRL cannot call the arm’s loss', () => {
  const { experiment } = presets.find(({ id }) => id === 'gridworld') as (typeof presets)[0];
  const [arm] = experiment.arms as [(typeof experiment.arms)[0]];
  const programOf = (recipe: string): string => {
    const text = readFileSync(`docs/recipes/${recipe}.loss`, 'utf8');
    const loss = { name: 'mine', text, place: 'policy' as const, on: arm.pg, values: {} };
    const own = { ...arm, losses: [loss] };
    return scaleFolder(trainer('trl'), { ...experiment, arms: [own] }, own).get('train.py') ?? '';
  };
  expect(programOf('confidence')).toContain('from policy_loss import policy_loss as GRPOTrainer');
  expect(programOf('steppo')).toMatch(/^raise SystemExit\("policy_loss\.py is a plain function here/m);
  expect(programOf('steppo')).not.toContain('import policy_loss');
});

test('prime-rl weighs the role that observations arrive as', () => {
  const { experiment } = presets.find(({ id }) => id === 'gridworld') as (typeof presets)[0];
  const arm = experiment.arms.find(({ ce }) => ce.observation > 0) as (typeof experiment.arms)[0];
  const config = scaleFolder(trainer('prime-rl'), experiment, arm).get('config.toml') ?? '';
  expect(config).toMatch(/^orchestrator\.algo\.roles\.user\.alpha = /m);
  expect(config).not.toMatch(/^[^#]*roles\.tool/m);
});

describe('The folder', () => {
  let socket: string;
  const at = sharedFolder();
  const served = servedHere();
  const scaled = ['scale', 'gridworld-tiny', '--arm', 'world-model', '--to', 'trl', '--out'];
  beforeAll(async () => {
    const { files } = labResult<{ files: string[] }>(...scaled, at('trl'));
    expect(files.toSorted()).toEqual(readdirSync(at('trl')).toSorted());
    socket = await served(at('trl'));
  });

  test('serves the world, and the lab’s policies learn in it as the README says', () => {
    const readme = readFileSync(at('trl', 'README.md'), 'utf8');
    const command = /`npm run -s lab -- (run [^`]*)`/.exec(readme)?.[1] ?? '';
    const words = command.replace('http://127.0.0.1:8010', socket).replace('--updates 20', '--updates 2').split(' ');
    expect(printed(lab(...words, '--backend', 'cpu'))).toContain('world-model');
  });

  test.skipIf(!hasPython)('has Python that compiles', () => {
    const names = readdirSync(at('trl')).filter((name) => name.endsWith('.py'));
    expect(names.length).toBeGreaterThan(1);
    const check = 'import ast, sys; [ast.parse(open(name).read()) for name in sys.argv[1:]]';
    execFileSync('python3', ['-c', check, ...names.map((name) => at('trl', name))]);
  });

  test('is not written over others’ files', () => {
    expectRefusal(lab(...scaled, at('trl')), /There is a README.md in/);
  });
});

test.each([
  [{ arm: 'world-model', out: 'x' }, /names no trainer.*verl/],
  [{ to: 'trl', out: 'x' }, /No arm was named.*world-model/],
  [{ to: 'trl', arm: 'nobody', out: 'x' }, /called “nobody”/],
  [{ to: 'trl', arm: 'world-model' }, /No folder was named/],
])('%o is refused', async (given, words) => {
  await expect(scaleCommand('gridworld-tiny', { ...given, json: false })).rejects.toThrow(words);
});
