/** Members that began from a language model, out of the lab: as folders, and talked to. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { readModel } from '../../src/check/llama/folder';
import { modelFolder } from '../../src/cli/model/disk';
import { adapted, readAdapter } from '../../src/llama/adapter';
import { decodeCheckpoint } from '../../src/train/run/checkpoint';
import { sharedFolder } from '../support/folder';
import { expectRefusal, LAB_TIMEOUT, lab, labResult } from '../support/lab';

vi.setConfig({ testTimeout: LAB_TIMEOUT, hookTimeout: LAB_TIMEOUT });

const at = sharedFolder();
const SMALL = ['--updates', '1', '--seeds', '0', '--set', 'batch.groups=1', '--set', 'batch.groupSize=2'];

beforeAll(() => {
  const arms = ['--arms', 'action-mask,no-mask'];
  expect(lab('run', 'listener', '--backend', 'cpu', ...arms, ...SMALL, '--out', at('run')).status).toBe(0);
});

describe('lab export', () => {
  test('writes a folder whose weights are the member’s to the bit, and writes it again', async () => {
    const out = at('no-mask-1.0/');
    for (let time = 0; time < 2; time++) {
      const written = labResult('export', at('run'), '--member', 'no-mask/0', '--out', out, '--licence', 'MIT');
      expect(written).toMatchObject({ file: join(out, 'model.safetensors'), member: { arm: 'no-mask', seed: 0 } });
    }
    const { snapshot } = decodeCheckpoint(readFileSync(at('run', 'checkpoint.safetensors')));
    const { parameters } = snapshot.tensors;
    const model = await readModel(modelFolder(out));
    const own = parameters.subarray(parameters.length / 2);
    expect(own).toHaveLength(model.parameters.length);
    expect(Buffer.from(model.parameters.buffer).equals(Buffer.from(Float32Array.from(own).buffer))).toBe(true);
    expect(model.parameters).not.toEqual((await readModel(modelFolder('public/models/stories260k'))).parameters);
    expect(readFileSync(join(out, 'README.md'), 'utf8')).toMatch(
      /no-mask, seed 0, after 1 updates[\s\S]*MIT[\s\S]*stories260K/,
    );
  });

  test('writes an adapter as PEFT’s, which is no model and is not put where one is', async () => {
    const adapters = [
      '--set',
      'policy.adapterRank=12',
      '--set',
      'policy.adapterMaps=q, v',
      '--set',
      'policy.adapterAlpha=5',
    ];
    const run = lab(
      'run',
      'listener',
      '--backend',
      'cpu',
      '--arms',
      'no-mask',
      ...adapters,
      ...SMALL,
      '--out',
      at('lora'),
    );
    expect(run.status, run.stderr).toBe(0);
    const out = at('adapter');
    const written = labResult('export', at('lora'), '--member', 'no-mask/0', '--out', out);
    expect(written).toMatchObject({ file: join(out, 'adapter_model.safetensors') });
    const { configuration } = await readModel(modelFolder('public/models/stories260k'));
    const own = await adapted(modelFolder(out), configuration);
    expect(own.adapters).toEqual({ rank: 12, factor: 5 / 12, maps: ['self_attn.q_proj', 'self_attn.v_proj'] });
    const { snapshot } = decodeCheckpoint(readFileSync(at('lora', 'checkpoint.safetensors')));
    const read = await readAdapter(modelFolder(out), own);
    expect(read).toEqual(Float32Array.from(snapshot.tensors.parameters));
    expect(read.some((value) => value !== 0)).toBe(true);
    expect(readFileSync(join(out, 'README.md'), 'utf8')).toMatch(
      /A low-rank adapter of stories260K \(SHA-256 .*938471ca/,
    );
    const model = at('model');
    expect(lab('export', at('run'), '--member', 'no-mask/0', '--out', model).status).toBe(0);
    expectRefusal(
      lab('export', at('lora'), '--member', 'no-mask/0', '--out', model),
      /and no adapter_model\.safetensors that lab export wrote/,
    );
  });

  test.each([
    [['--out', 'run'], /There is a \S+ in .*run, and no model\.safetensors that lab export wrote/],
    [['--out', 'theirs'], /There is a model\.safetensors in .*theirs, and no model\.safetensors that lab export wrote/],
    [['--out', 'new', '--cache'], /A folder has no use for --cache/],
    [['--out', 'new', '--metric', 'return'], /has no use for --metric/],
    [['--out', 'file'], /file is no folder/],
  ])('%j is refused, and nothing is written', ([flag = '', name = '', ...more], words) => {
    mkdirSync(at('theirs'), { recursive: true });
    writeFileSync(at('theirs', 'model.safetensors'), readFileSync('public/models/stories260k/model.safetensors'));
    writeFileSync(at('file'), '');
    expectRefusal(lab('export', at('run'), '--member', 'no-mask/0', flag, at(name), ...more), words);
  });
});
