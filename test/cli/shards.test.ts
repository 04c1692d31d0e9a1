/** Shards of a run and their merge: equal bit for bit to the run on one machine, or refused with nothing written. */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { planRun } from '../../src/cli/run/runArguments';
import { chosenMembers, memberName, shardMembers } from '../../src/cli/shards/members';
import { mergeCommand } from '../../src/cli/shards/merge';
import { armPasses } from '../../src/experiment/duration';
import type { Experiment } from '../../src/experiment/experiment';
import type { MachineEntry } from '../../src/experiment/machines';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { type Code, codeHere, NUMERICS } from '../../src/experiment/provenance';
import { membersOf } from '../../src/rl/population';
import type { RunResult } from '../../src/train/result/result';
import { decodeCheckpoint, encodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { sharedFolder } from '../support/folder';
import { expectRefusal, lab, labResult, printed } from '../support/lab';

const experiment = findPreset('gridworld-tiny')?.experiment as Experiment;
const SHARDS = [1, 2, 3];

describe('members of a shard', () => {
  const uneven = parseExperiment({
    ...experiment,
    arms: experiment.arms.map((arm, i) => ({ ...arm, innerEpochs: [1, 4, 2][i] })),
  });
  const seeds = [5, 7, 100, 101];

  test('are each in one shard, in the order of the whole', () => {
    for (let of = 1; of <= 12; of++) {
      const shards = Array.from({ length: of }, (_, i) => shardMembers(uneven, { index: i + 1, of, seeds }));
      const names = shards.map((members) => members.map(memberName));
      const all = membersOf(uneven.arms, seeds).map(memberName);
      expect(names.flat().toSorted()).toEqual(all.toSorted());
      for (const shard of names) expect(shard).toEqual(all.filter((name) => shard.includes(name)));
    }
  });

  test('cost at most a fair share and one member', () => {
    const cost = (members: readonly { armIndex: number }[]): number =>
      members.reduce((sum, { armIndex }) => sum + armPasses(uneven, uneven.arms[armIndex] ?? uneven.arms[0]!), 0);
    const total = cost(membersOf(uneven.arms, seeds));
    const dearest = Math.max(...uneven.arms.map((arm) => armPasses(uneven, arm)));
    for (let of = 1; of <= 12; of++) {
      for (let index = 1; index <= of; index++) {
        expect(cost(shardMembers(uneven, { index, of, seeds }))).toBeLessThanOrEqual(total / of + dearest);
      }
    }
  });

  test('may be more than one run may have, all shards together', () => {
    expect(() => chosenMembers(experiment, { seeds: '0-63' })).toThrow(/at most 32/);
    const { members, shard } = chosenMembers(experiment, { seeds: '0-63', shard: '3/16' });
    expect(members).toHaveLength(12);
    expect(shard).toMatchObject({ index: 3, of: 16 });
    expect(() => chosenMembers(experiment, { seeds: '0-63', shard: '1/2' })).toThrow(/3 shards or more/);
  });

  test.each(['0/3', '4/3', '3', '1/0', 'a/b', '1/1001', '-1/3'])('“%s” is no shard', (text) => {
    expect(() => chosenMembers(experiment, { shard: text })).toThrow(/--shard takes/);
  });

  test('are never none', () => {
    expect(() => chosenMembers(experiment, { shard: '1/7' })).toThrow('7 shards are more than the 6 members.');
  });
});

describe('lab merge', () => {
  const shared = sharedFolder();
  const at = (name: string | number): string => shared(String(name));
  const run = (...args: string[]) => printed(lab('run', '--backend', 'cpu', '--workers', '1', ...args));
  const resultIn = (name: string) => ({
    ...JSON.parse(readFileSync(join(at(name), 'result.json'), 'utf8')),
    wallSeconds: 0,
  });
  const bytesIn = (name: string | number) => readFileSync(join(at(name), 'checkpoint.safetensors'));
  /** Copy of a shard with a part of its checkpoint changed. */
  const altered = (name: string, change: (checkpoint: ReturnType<typeof decodeCheckpoint>) => object): string => {
    cpSync(at(3), at(name), { recursive: true });
    const checkpoint = decodeCheckpoint(bytesIn(3));
    writeFileSync(join(at(name), 'checkpoint.safetensors'), encodeCheckpoint({ ...checkpoint, ...change(checkpoint) }));
    return at(name);
  };

  beforeAll(() => {
    run('gridworld-tiny', '--updates', '4', '--out', at('joint'));
    for (const i of SHARDS) run('gridworld-tiny', '--updates', '4', '--shard', `${i}/3`, '--out', at(i));
  });

  test('gives the result and the checkpoint of one machine', () => {
    const merged = labResult<object>('merge', ...SHARDS.map(at), '--out', at('all'));
    expect({ ...merged, wallSeconds: 0 }).toEqual(resultIn('joint'));
    expect(resultIn('all')).toEqual(resultIn('joint'));
    expect(bytesIn('all').equals(bytesIn('joint'))).toBe(true);
    // Once more over all of R/*, the merged run among them.
    expectRefusal(lab('merge', ...SHARDS.map(at), at('all'), '--out', at('all')), /There is a run in/);
    expect(lab('merge', ...SHARDS.map(at), at('all'), '--out', at('all'), '--force').status).toBe(0);
    expect(bytesIn('all').equals(bytesIn('joint'))).toBe(true);
  });

  test('a shard that is resumed stays one', () => {
    cpSync(at(2), at('longer'), { recursive: true });
    run('--resume', at('longer'), '--updates', '5');
    expect(decodeCheckpoint(bytesIn('longer')).shard).toEqual({ index: 2, of: 3, seeds: [0, 1] });
    expectRefusal(lab('run', '--resume', at(2), '--shard', '1/3'), /--shard cannot be given with --resume/);
  });

  const mixed = { out: 'out', json: false, mixed: true };
  const plain = { out: 'out', json: false };
  test.each([
    ['a missing member', () => [at(1), at(3)], plain, /Of 6 members 2 are missing: action-mask\/1, no-mask\/0\./],
    ['a member twice', () => [at(1), at(2), at(3), altered('twice', () => ({}))], plain, /is in .*3 and in .*twice/],
    [
      'another experiment',
      () => [at(1), at(2), altered('other', ({ experiment: old }) => ({ experiment: { ...old, seed: 9 } }))],
      plain,
      /they differ in seed \(0 and 9\)/,
    ],
    [
      'other seeds',
      () => [at(1), at(2), altered('seeds', () => ({ shard: { index: 3, of: 3, seeds: [0, 1, 2] } }))],
      plain,
      /shards of other seeds/,
    ],
    ['an unfinished shard', () => [at(1), at(2), altered('cut', (old) => cut(old))], plain, /has finished 3 of 4/],
    ['a folder without a run', () => [at(1), at('nowhere')], mixed, /There is no checkpoint/],
    [
      'another backend',
      () => [at(1), at(2), altered('foreign', () => ({ backend: 'webgpu' }))],
      plain,
      /trained on webgpu .*, .* on cpu/,
    ],
    [
      'other numerics, by folder and number',
      () => [at(1), at(2), altered('renumbered', (old) => byCode(old, { numerics: NUMERICS.cpu + 1 }))],
      plain,
      /renumbered was computed with numerics 2 \(version .*\), .*1 with numerics 1 \(version .*--mixed/,
    ],
    [
      'other numerics from an update on',
      () => {
        const later = ({ machines: [first] }: ReturnType<typeof decodeCheckpoint>) => ({
          machines: [first, { ...first, update: 2, code: { ...codeHere('cpu'), numerics: NUMERICS.cpu + 1 } }],
        });
        return [at(1), at(2), altered('later', later)];
      },
      plain,
      /later was computed with numerics 1, from update 2 on 2 /,
    ],
    [
      'a damaged checkpoint, by its folder',
      () => {
        const folder = altered('damaged', () => ({}));
        writeFileSync(join(folder, 'checkpoint.safetensors'), bytesIn(3).subarray(0, 5000));
        // A slow machine saved twice: the one before would be taken.
        rmSync(join(folder, 'checkpoint.previous.safetensors'), { force: true });
        return [at(1), at(2), folder];
      },
      plain,
      /damaged: .*cut short/,
    ],
    ['no folder at all', () => [], plain, /No folder was named/],
  ])('refuses %s and writes nothing', async (_, folders, options, words) => {
    await expect(mergeCommand(folders(), { ...options, out: at('out') })).rejects.toThrow(words);
    expect(existsSync(at('out'))).toBe(false);
  });

  test('with --mixed says which machine trained what', async () => {
    vi.spyOn(process.stdout, 'write').mockImplementation((...given: unknown[]) => {
      const done = given.at(-1);
      if (typeof done === 'function') done();
      return true;
    });
    cpSync(at(3), at('adapter'), { recursive: true });
    const path = join(at('adapter'), 'result.json');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), adapter: 'another' }));
    const folders = [at(1), at(2), at('adapter')];
    await expect(mergeCommand(folders, { out: at('out'), json: true })).rejects.toThrow(/another/);
    expect(await (await mergeCommand(folders, { out: at('out'), json: true, mixed: true }))()).toBe(0);
    vi.restoreAllMocks();
    const { parts, ...result } = resultIn('out');
    expect(result.arms).toEqual(resultIn('joint').arms);
    expect(parts.map((part: { adapter: string }) => part.adapter)).toContain('another');
    expect(parts[2].members).toEqual(['world-model/0', 'no-mask/1']);
  });

  test('with --mixed says which code computed what, and leaves no checkpoint to go on from', async () => {
    const other = altered('mixed-code', (old) => byCode(old, { version: '0.9.9', numerics: NUMERICS.cpu + 1 }));
    const { status, stderr } = lab('merge', at(1), at(2), other, '--out', at('mixed'), '--mixed');
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/trained by 2 versions of the lab: .*; .*mixed-code by version 0\.9\.9, .*numerics 2\./);
    expect(stderr).toMatch(/backends or numerics, so there is no checkpoint/);
    expect(existsSync(join(at('mixed'), 'checkpoint.safetensors'))).toBe(false);
    const codes = resultIn('mixed').parts.map(({ machines }: Pick<RunResult, 'machines'>) => machines[0]?.code);
    expect(codes).toEqual([codes[0], codes[0], expect.objectContaining({ version: '0.9.9', numerics: 2 })]);
  });

  test('of another commit with the same numerics says so, and of no known one too', () => {
    const other = altered('commit', (old) => byCode(old, { commit: 'abcdef012345' }));
    const merged = lab('merge', at(1), at(2), other, '--out', at('commits'));
    expect(merged.status, merged.stderr).toBe(0);
    expect(merged.stderr).toMatch(/trained by 2 versions of the lab: .*1 by version .*; .*commit abcdef012345/);
    expect(existsSync(join(at('commits'), 'checkpoint.safetensors'))).toBe(true);
    const before = altered('before', ({ machines }) => ({ machines: machines.map(({ code: _, ...entry }) => entry) }));
    for (const [name, folders] of [
      ['unknown-last', [at(1), at(2), before]],
      ['unknown-first', [before, at(1), at(2)]],
    ] as const) {
      const unknown = lab('merge', ...folders, '--out', at(name));
      expect(unknown.status, unknown.stderr).toBe(0);
      expect(unknown.stderr).toMatch(/before is from before numerics were kept/);
      // Nor does the whole tell: it would be resumed as if all of it had this version's numerics.
      expect(decodeCheckpoint(bytesIn(name)).machines).toEqual([{ update: 0, backend: 'cpu' }]);
      expect(resultIn(name).machines).toEqual([{ update: 0, backend: 'cpu' }]);
    }
  });

  test('a run of other numerics is resumed only where that is asked for', async () => {
    const other = altered('resumed', (old) => byCode(old, { version: '0.9.9', numerics: NUMERICS.cpu + 1 }));
    expectRefusal(
      lab('run', '--resume', other, '--updates', '5'),
      /resumed would not go on to the numbers .* version 0\.9\.9, .*numerics 2\. Here cpu has numerics 1.*--other-numerics/,
    );
    const gone = lab('run', '--resume', other, '--updates', '5', '--other-numerics', '--workers', '1');
    expect(gone.status, gone.stderr).toBe(0);
    expect(gone.stderr).toMatch(/version 0\.9\.9.*The result says from which update on/);
    const { machines } = resultIn('resumed');
    expect(machines.map(({ update, code }: MachineEntry) => [update, code?.version, code?.numerics])).toEqual([
      [0, '0.9.9', 2],
      [4, codeHere('cpu').version, 1],
    ]);
    expect(decodeCheckpoint(bytesIn('resumed')).machines).toEqual(machines);
    await expect(planRun('gridworld-tiny', { json: true, 'other-numerics': true })).rejects.toThrow(/Add --resume/);
  });

  /** Machines of a checkpoint as another code would have written them. */
  function byCode({ machines }: ReturnType<typeof decodeCheckpoint>, code: Partial<Code>) {
    return { machines: machines.map((entry) => ({ ...entry, code: { ...codeHere('cpu'), ...code } })) };
  }

  function cut({ snapshot, curves }: ReturnType<typeof decodeCheckpoint>) {
    return { snapshot: { ...snapshot, update: 3 }, curves: curves.subarray(0, (curves.length / 4) * 3) };
  }
});
