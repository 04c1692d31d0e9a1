/** Members that began from a language model, out of the lab: as folders, and talked to. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { modelFolder } from '../../src/cli/model/disk';
import { understand } from '../../src/cli/understand';
import { adapted, readAdapter } from '../../src/llama/adapter';
import { readModel, trainable } from '../../src/llama/model';
import { importOnnx } from '../../src/onnx/importOnnx';
import { PolicySession } from '../../src/onnx/session';
import { decodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { sharedFolder } from '../support/folder';
import { expectRefusal, expectRefused, LAB_COMMAND, LAB_TIMEOUT, lab, labResult } from '../support/lab';
import { isNightly } from '../support/nightly';
import { referenceForward, relativeError } from '../support/policies';

vi.setConfig({ testTimeout: LAB_TIMEOUT, hookTimeout: LAB_TIMEOUT });

const at = sharedFolder();
const SMALL = ['--updates', '1', '--seeds', '0', '--set', 'batch.groups=1', '--set', 'batch.groupSize=2'];

beforeAll(() => {
  const arms = ['--arms', 'action-mask,no-mask'];
  const { status, stderr } = lab('run', 'listener', '--backend', 'cpu', ...arms, ...SMALL, '--out', at('run'));
  expect(status, stderr).toBe(0);
  expect(stderr).toMatch(
    /export \S+run --member action-mask\/0 --out \S+model\n.*chat \S+run --member action-mask\/0\n/,
  );
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
    const model = trainable(await readModel(modelFolder(out)));
    const own = parameters.subarray(parameters.length / 2);
    expect(own).toHaveLength(model.parameters.length);
    expect(Buffer.from(model.parameters.buffer).equals(Buffer.from(Float32Array.from(own).buffer))).toBe(true);
    expect(model.parameters).not.toEqual(
      trainable(await readModel(modelFolder('public/models/stories260k'))).parameters,
    );
    expect(readFileSync(join(out, 'README.md'), 'utf8')).toMatch(
      /no-mask, seed 0, after 1 updates[\s\S]*MIT[\s\S]*stories260K/,
    );
  });

  test('writes ONNX, which plays in the member’s world and computes what the lab does', async () => {
    const out = at('policy.onnx');
    expect(lab('export', at('run'), '--member', 'no-mask/0', '--out', out, '--cache').status).toBe(0);
    const policy = importOnnx(readFileSync(out));
    const model = trainable(await readModel(modelFolder(at('no-mask-1.0'))));
    expect(policy.parameters).toEqual(model.parameters);
    const played = labResult<{ training: object }>('eval', out, '--episodes', '2');
    expect(played.training).toMatchObject({ episodes: 2, turns: 3, observationCrossEntropy: expect.closeTo(2.5, 0) });
    const text = [1, 403, 407, 261, 378, 432, 383, 286, 261];
    const { logits } = await referenceForward({ ...policy, parameters: model.parameters }, [text]);
    const session = await PolicySession.open(readFileSync(out), policy);
    session.begin(1);
    const fed = await session.feed([text]);
    const own = text.flatMap((_, i) => [...fed.of(0, i)]);
    expect(relativeError(own, logits[0] ?? [])).toBeLessThan(1e-4);
    await session.release();
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
    expect(run.stderr).toMatch(
      /^Takes about \d+ MiB of memory\. That is 1 MiB for the frozen model; \d+ MiB for adapters/m,
    );
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
      /and no adapter_model\.safetensors that the lab wrote/,
    );
  });

  test('writes an adapter merged, as a folder and as ONNX, which plays', async () => {
    const [folder, out] = [at('merged'), at('merged.onnx')];
    const written = labResult('export', at('lora'), '--member', 'no-mask/0', '--out', folder, '--merge');
    expect(written).toMatchObject({ file: join(folder, 'model.safetensors') });
    expect(lab('export', at('lora'), '--member', 'no-mask/0', '--out', out, '--cache').status).toBe(0);
    const [model, policy] = [trainable(await readModel(modelFolder(folder))), importOnnx(readFileSync(out))];
    expect(policy.configuration.adapters).toBeUndefined();
    const weights = model.parameters.length - 68;
    expect(policy.parameters.subarray(0, weights)).toEqual(model.parameters.subarray(0, weights));
    // By day it is found fit for its world, where the member of the test before has played.
    const play = await understand(['eval', out, '--episodes', '1'], new URL(import.meta.url));
    if (isNightly) expect(await play()).toBe(0);
    expectRefusal(
      lab('export', at('run'), '--member', 'no-mask/0', '--out', at('x'), '--merge'),
      /no adapter to merge/,
    );
  });

  test.each([
    [['--out', 'run'], /There is a \S+ in .*run, and no model\.safetensors that the lab wrote/],
    [['--out', 'theirs'], /There is a model\.safetensors in .*theirs, and no model\.safetensors that the lab wrote/],
    [['--out', 'new', '--cache'], /A folder has no use for --cache/],
    [['--out', 'new', '--metric', 'return'], /has no use for --metric/],
    [['--out', 'file'], /file is no folder/],
  ])('%j is refused, and nothing is written', async ([flag = '', name = '', ...more], words) => {
    mkdirSync(at('theirs'), { recursive: true });
    writeFileSync(at('theirs', 'model.safetensors'), readFileSync('public/models/stories260k/model.safetensors'));
    writeFileSync(at('file'), '');
    await expectRefused(['export', at('run'), '--member', 'no-mask/0', flag, at(name), ...more], words);
  });
});

describe('lab chat', () => {
  const PROMPT = 'Once upon a time,';
  const { then } = JSON.parse(readFileSync('test/fixtures/stories260k-expected.json', 'utf8')).greedy;

  /** The command with lines on its input, as a person types or pipes them. */
  const chat = (lines: string, ...args: string[]) =>
    spawnSync(process.execPath, [...LAB_COMMAND, 'chat', ...args], {
      encoding: 'utf8',
      input: lines,
      timeout: LAB_TIMEOUT,
    });
  const repliesOf = (lines: string, ...args: string[]): { text: string; tokens: number[]; ended: string }[] => {
    const { status, stdout, stderr } = chat(lines, ...args, '--json');
    expect([status, stderr]).toEqual([0, '']);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  test('says the author’s text at temperature 0, of the lab’s model and of the same in a folder', () => {
    const likeliest = ['--temperature', '0', '--max-tokens', String(then.length)];
    const [reply] = repliesOf(PROMPT, 'stories260k', ...likeliest);
    expect(reply).toMatchObject({ tokens: then, ended: 'most' });
    const { status, stdout, stderr } = chat(`${PROMPT}\n`, 'public/models/stories260k', ...likeliest);
    expect([status, stderr, stdout]).toEqual([0, '', `${reply?.text}\n`]);
    expect(stdout).toMatch(/^ there was a little girl named Lily\. She loved to play outside in the park\./);
  });

  test('says the same with the same seed, and each line is a turn', () => {
    const some = ['stories260k', '--top-p', '0.9', '--max-tokens', '12'];
    const lines = `${PROMPT}\nThe dog\n`;
    const replies = repliesOf(lines, ...some, '--seed', '3');
    expect(replies.map(({ ended }) => ended)).toEqual(['most', 'most']);
    expect(repliesOf(lines, ...some, '--seed', '3')).toEqual(replies);
    expect(repliesOf(lines, ...some, '--seed', '4')).not.toEqual(replies);
    const [sentence] = repliesOf(PROMPT, 'stories260k', '--temperature', '0', '--stop', 'Lily');
    expect(sentence).toMatchObject({ text: ' there was a little girl named Lily', ended: 'stop' });
  });

  test('a member speaks as in its world; what was exported of it says the same, an adapter too', () => {
    const line = 'Once upon a time, there was a little girl named Lily. "Tell me about the dog!" said Tom.';
    const [own] = repliesOf(line, at('run'), '--member', 'no-mask/0', '--temperature', '0');
    expect(own?.tokens.length).toBeLessThanOrEqual(24);
    expect(own?.ended).toMatch(/stop|most/);
    const like = ['--temperature', '0', '--max-tokens', String(own?.tokens.length)];
    expect(repliesOf(line, at('model'), ...like)[0]?.tokens).toEqual(own?.tokens);
    const [adapted] = repliesOf(line, at('lora'), '--member', 'no-mask/0', '--temperature', '0');
    const same = ['--temperature', '0', '--max-tokens', String(adapted?.tokens.length)];
    expect(repliesOf(line, 'stories260k', '--adapter', at('adapter'), ...same)[0]?.tokens).toEqual(adapted?.tokens);
  });

  test('a chat template is used, unless it is said not to', () => {
    const folder = at('talking');
    cpSync('public/models/stories260k', folder, { recursive: true });
    writeFileSync(
      join(folder, 'chat_template.jinja'),
      '{{ bos_token }}{{ messages[-1].content }} there was a little girl named',
    );
    const likeliest = ['--temperature', '0', '--max-tokens', '5'];
    expect(repliesOf('Once upon a time,', folder, ...likeliest)[0]?.text).toMatch(/^ Lily/);
    expect(repliesOf('Once upon a time,', folder, ...likeliest, '--plain')[0]?.tokens).toEqual(then.slice(0, 5));
  });

  test('a reply ends with the special token that the template writes behind it, which no other file names', () => {
    const folder = at('marked');
    cpSync('public/models/stories260k', folder, { recursive: true });
    const tokenizer = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8'));
    const { [then[4]]: content } = Object.fromEntries(
      Object.entries(tokenizer.model.vocab).map(([piece, token]) => [token, piece]),
    );
    tokenizer.added_tokens.push({ ...tokenizer.added_tokens[2], id: then[4], content });
    writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
    const template = `{{ bos_token }}{% for one in messages %}{{ one.content }}{% if one.role == 'assistant' %}${content}{% endif %}{% endfor %}`;
    writeFileSync(join(folder, 'chat_template.jinja'), template);
    const [reply] = repliesOf('Once upon a time,', folder, '--temperature', '0', '--max-tokens', '8');
    expect(reply).toMatchObject({ tokens: then.slice(0, 4), ended: 'end' });
  });

  test('ends where nobody reads its replies any more', () => {
    const talking = `${LAB_COMMAND.join(' ')} chat stories260k --max-tokens 4`;
    const command = `yes Once | "${process.execPath}" ${talking} | head -c 3; exit \${PIPESTATUS[1]}`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8', timeout: LAB_TIMEOUT });
    expect([status, stdout.length]).toEqual([1, 3]);
    expect(stderr).toMatch(/could not be printed: what read it has ended/);
  });

  test('Ctrl-C ends it with what was said so far', async () => {
    const child = spawn(process.execPath, [...LAB_COMMAND, 'chat', 'stories260k']);
    let said = '';
    child.stdout.on('data', (data) => {
      if (said === '') child.kill('SIGINT');
      said += data;
    });
    child.stdin.write(`${PROMPT}\n`);
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
    expect(said).toMatch(/^ \w.*\n$/s);
  });

  test.each([
    [[], /No model was named.*or stories260k/],
    [['nowhere'], /nowhere is neither a model nor a run/],
    [['stories260k', '--member', 'a/0'], /stories260k is a model, no run/],
    [['test/fixtures/llama/untied-theta/adapter'], /is an adapter.*--adapter test/],
    [['stories260k', '--adapter', 'src'], /src has no adapter_config\.json/],
    [['stories260k', '--temperature', '-1'], /temperature/],
    [['stories260k', '--temperature', 'warm'], /--temperature cannot be warm\. Choose a number from 0/],
    [['stories260k', '--top-p', '0'], /--top-p cannot be 0\. Choose a number above 0/],
    [['stories260k', '--top-p', '1.1'], /--top-p cannot be 1\.1/],
    [['stories260k', '--max-tokens', '0'], /--max-tokens cannot be 0/],
    [['stories260k', '--seed', 'x'], /--seed needs a whole number/],
  ])('%j is answered with advice', (args, words) => expectRefused(['chat', ...args], words));

  test('members are named, and those from noise say no texts', async () => {
    await expectRefused(['chat', at('run')], /No member was named.*action-mask\/0, no-mask\/0/);
    await expectRefused(
      ['chat', at('run'), '--member', 'no-mask/0', '--adapter', at('adapter')],
      /has its own adapter/,
    );
    const noise = ['gridworld-tiny', '--backend', 'cpu', '--updates', '1', '--seeds', '0', '--arms', 'action-mask'];
    expect(lab('run', ...noise, '--out', at('noise')).status).toBe(0);
    await expectRefused(['chat', at('noise'), '--member', 'action-mask/0'], /began from noise/);
    await expectRefused(['chat', at('run'), '--member', 'ghost/0'], /no member “ghost\/0”/);
  });

  test('a conversation that is longer than the model can read ends with a word', () => {
    const { status, stderr, stdout } = chat(`${'dog '.repeat(600)}\n`, 'stories260k');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/longer than the 512 tokens that there is room for\. Begin a new one\./);
  });
});
