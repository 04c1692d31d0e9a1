/** Language models of the reader's own: taught on texts, or read from a folder, and begun from. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { sharedFolder } from '../support/folder';
import { expectRefusal, expectRefused, LAB_COMMAND, LAB_TIMEOUT, lab, labResult } from '../support/lab';

vi.setConfig({ testTimeout: LAB_TIMEOUT, hookTimeout: LAB_TIMEOUT });

const at = sharedFolder();
const SMALL = ['--updates', '1', '--seeds', '0', '--set', 'batch.groups=1', '--set', 'batch.groupSize=2'];

describe('lab tune', () => {
  const texts = (): string => {
    const path = at('kites.txt');
    writeFileSync(path, 'Tom had a red kite. The kite was big.\n<|endoftext|>\nLily saw a kite in the sky.\n');
    return path;
  };
  const tune = (out: string, ...more: readonly string[]) =>
    labResult('tune', 'stories260k', '--on', texts(), '--out', at(out), '--held-out', '0', ...more);

  const said = (...subject: readonly string[]): string => {
    const all = ['chat', ...subject, '--temperature', '0', '--max-tokens', '16'];
    return spawnSync(process.execPath, [...LAB_COMMAND, ...all], { encoding: 'utf8', input: 'Tom had a red\n' }).stdout;
  };

  test('writes a model that says what it was taught', () => {
    expect(tune('kite', '--updates', '30')).toMatchObject({ examples: 2, file: join(at('kite'), 'model.safetensors') });
    expect(said(at('kite'))).toContain('kite. The kite was big.');
  });

  test('writes an adapter that does the same on the model', async () => {
    tune('kite-adapter', '--updates', '60', '--rank', '8', '--learning-rate', '0.01');
    const config = JSON.parse(readFileSync(join(at('kite-adapter'), 'adapter_config.json'), 'utf8'));
    expect(config).toMatchObject({ r: 8, lora_alpha: 16, base_model_name_or_path: 'stories260k' });
    expect(said('stories260k', '--adapter', at('kite-adapter'))).toContain('kite. The kite was big.');
  });

  test('writes an adapter merged, which policies begin from; an adapter alone is refused by name', () => {
    const words = ['run', 'world-words', '--backend', 'cpu', '--arms', 'action-mask', ...SMALL, '--model'];
    expectRefusal(lab(...words, at('kite-adapter')), /kite-adapter holds an adapter.*merge_and_unload/);
    tune('kite-merged', '--updates', '60', '--rank', '8', '--learning-rate', '0.01', '--merge');
    expect(said(at('kite-merged'))).toContain('kite. The kite was big.');
    const begun = lab(...words, at('kite-merged'), '--out', at('begun'));
    expect(begun.status, begun.stderr).toBe(0);
  });

  test('takes the adapter beside a model with it, which may be trained further and merged, but not learned upon', async () => {
    cpSync('public/models/stories260k', at('beside'), { recursive: true });
    cpSync(at('kite-adapter'), at('beside'), { recursive: true });
    expect(said(at('beside'))).toContain('kite. The kite was big.');
    const again = ['tune', at('beside'), '--on', texts(), '--held-out', '0', '--updates', '1'];
    await expectRefused([...again, '--out', at('x'), '--rank', '4'], /holds an adapter already.*rank 0/);
    labResult(...again, '--rank', '0', '--merge', '--out', at('beside-merged'));
    expect(said(at('beside-merged'))).toContain('kite. The kite was big.');
  });

  test('says what is missing before it begins', async () => {
    await expectRefused(['tune', 'stories260k', '--out', at('x')], /No texts were named.*--on/);
    await expectRefused(['tune', 'stories260k', '--on', texts()], /No folder was named/);
    writeFileSync(at('wrong.jsonl'), '{"text": "Tom."}\n{"messages": []}\n{"text": 4}\n');
    await expectRefused(
      ['tune', 'stories260k', '--on', at('wrong.jsonl'), '--out', at('x')],
      /Line 2 has messages, and the model has no chat template/,
    );
    writeFileSync(at('empty.txt'), '\n');
    await expectRefused(
      ['tune', 'stories260k', '--on', texts(), '--out', at('x'), '--rank', '5000'],
      /--rank cannot be 5000/,
    );
    await expectRefused(['tune', 'stories260k', '--on', at('empty.txt'), '--out', at('x')], /no text to learn from/);
  });
});

describe('a folder of the reader’s own', () => {
  const mine = (): string => at('mine');
  beforeAll(() => cpSync('public/models/stories260k', mine(), { recursive: true }));

  test('is what policies begin from, on threads too, and is named again by whoever goes on', () => {
    const small = ['--arms', 'action-mask,world-model', '--set', 'environment.length=32', ...SMALL];
    const common = ['run', 'world-words', '--backend', 'cpu', '--workers', '2', ...small];
    const own: { arms: object } = labResult(...common, '--model', mine(), '--out', at('own'));
    const usual: { arms: object } = labResult(...common, '--out', at('usual'));
    expect(own.arms).toEqual(usual.arms);
    const link = lab('link', at('own', 'result.json')).stdout;
    expect(link).toMatch(/policy\.model=[0-9a-f]{64}&/);
    expect(link).not.toContain('environment.model');

    const onward = ['run', '--resume', at('own'), '--updates', '2'];
    expectRefusal(lab(...onward), /language model with the SHA-256 [0-9a-f]{64}.*--model DIR/);
    const longer = lab(...onward, '--model', mine());
    expect(longer.status).toBe(0);
    expect(longer.stderr.match(/lab -- (?:run|export|chat) .* --model \S+mine\b/g)).toHaveLength(3);
    const usually = ['run', '--resume', at('usual'), '--updates', '2'];
    expectRefusal(lab(...usually, '--model', mine()), /begin from stories260k, and --model names [0-9a-f]{8}/);
    const out = ['--member', 'world-model/0', '--out', at('own-out/')];
    expectRefusal(lab('export', at('own'), ...out), /is not open here.*--model DIR/);
    expect(labResult('export', at('own'), ...out, '--model', mine())).toMatchObject({ member: { seed: 0 } });
    const file = at('own.onnx');
    labResult('export', at('own'), '--member', 'world-model/0', '--out', file, '--cache', '--model', mine());
    expectRefusal(lab('eval', file, '--episodes', '1'), /is not open here.*--model DIR/);
    const played = labResult<{ training: object }>('eval', file, '--episodes', '1', '--model', mine());
    expect(played.training).toMatchObject({ episodes: 1 });
  });

  test('is refused where it cannot play, and a world of texts is checked in its pieces', () => {
    expectRefusal(lab('run', 'listener', '--model', mine()), /in the pieces of stories260K/);
    expectRefusal(lab('run', 'gridworld-tiny', '--model', mine()), /mine reads and writes text/);
    expectRefusal(lab('run', 'world-words', '--model', at('nowhere')), /nowhere has no config.json/);
    const checked = lab('world', 'worlds/words.js', '--model', mine(), '--episodes', '5');
    expect(checked.stdout).toContain('in 512 pieces of your model');
  });
});
