/** Jobs that `lab submit` prints: what schedulers take, and what their Bash does, with a stand-in for the lab. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kubernetesJob } from '../../src/cli/submit/kubernetes';
import { type SubmitArguments, submitCommand } from '../../src/cli/submit/submit';
import { toYaml } from '../../src/cli/submit/yaml';
import { decodeLink } from '../../src/experiment/link/link';
import { freshFolder } from '../support/folder';
import { mistakes, type Schema } from '../support/schema';

const at = freshFolder();
afterEach(() => {
  vi.restoreAllMocks();
});

/** Documents of a file. Throws where it is no YAML. */
function readYaml(file: string): unknown[] {
  return parseAllDocuments(file).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS();
  });
}

interface Submitted {
  scheduler: string;
  shards: string[][];
  job: string;
}

async function submit(
  scheduler: string,
  given: Partial<SubmitArguments> = {},
  subject = 'gridworld-tiny',
): Promise<Submitted> {
  const command = await submitCommand([scheduler, subject], { shards: '3', ...given, json: true });
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  expect(command()).toBe(0);
  write.mockRestore();
  return JSON.parse(printed);
}

describe.each(['slurm', 'kubernetes', 'parallel'])('lab submit %s', (scheduler) => {
  test('names every member once', async () => {
    const { shards } = await submit(scheduler);
    expect(shards.flat().toSorted()).toEqual(
      ['action-mask', 'no-mask', 'world-model'].flatMap((arm) => [`${arm}/0`, `${arm}/1`]),
    );
  });

  test('holds the whole experiment, sweeps and losses too', async () => {
    const { job } = await submit(scheduler, {
      arms: 'world-model',
      sweep: 'ce.observation=0,0.5',
      set: ['seed=7'],
      seeds: '100-103',
    });
    const link = /'#(preset=[^']*)'/.exec(job)?.[1] ?? '';
    const { arms, seed } = decodeLink(link);
    expect({ seed, swept: arms.map(({ ce }) => ce.observation) }).toEqual({ seed: 7, swept: [0, 0.5] });
    expect(job).toContain('--seeds 100-103');
  });
});

test('a job of a sweep over populations carries it in its link, and goes on with it', async () => {
  const { job, shards } = await submit('parallel', { arms: 'world-model', sweep: 'policy.width=16,32', shards: '2' });
  expect(job).toContain('&sweep=policy.width:16,32');
  expect(job).toContain('sweep-plan.json');
  expect(shards).toEqual([['world-model/0'], ['world-model/1']]);
  const sweep = 'policy.width=16,17';
  await expect(submit('parallel', { sweep })).rejects.toThrow(/With policy.width = 17/);
});

describe('lab submit refuses', () => {
  test.each([
    ['pbs', {}, /no scheduler “pbs”/],
    ['slurm', { shards: undefined }, /--shards is missing/],
    ['slurm', { shards: '7' }, /7 shards are more than the 6 members/],
    ['slurm', { backend: 'auto' }, /cannot be merged/],
    ['slurm', { time: '2h' }, /--time 2h is no time/],
    ['slurm', { memory: 'lots' }, /--memory lots/],
    ['slurm', { cpus: '0' }, /--cpus cannot be 0/],
    ['slurm', { image: 'x' }, /no use for --image/],
    ['kubernetes', { time: '1:00:00' }, /no use for --time/],
    ['parallel', { memory: '1G' }, /no use for --memory/],
    ['kubernetes', { image: 'x\n- y' }, /is no image/],
    ['slurm', { set: ['seed=x'] }, /--set seed=x/],
  ])('%s with %o', async (scheduler, given, words) => {
    await expect(submitCommand([scheduler, 'gridworld-tiny'], { shards: '3', ...given, json: false })).rejects.toThrow(
      words,
    );
  });
});

describe('The Bash of a job', () => {
  /** Script that stands in for node: logs its arguments, then does what $LAB_DOES says. */
  const stub = `#!/bin/bash
echo "$@" >> "$LOG"
trap 'kill $!; echo told >> "$LOG"; sleep 0.2; exit 130' TERM
if [ "$LAB_DOES" = wait ]; then
  sleep 600 &
  touch "$LOG.ready"
  wait
fi
exit "$LAB_DOES"
`;

  async function write(given: Partial<SubmitArguments> = {}): Promise<{
    path: string;
    log: string;
    start: (...args: string[]) => ChildProcess;
    run: (code: string, ...args: string[]) => number | null;
  }> {
    const out = at('it’s here; $(touch bad)');
    const { job } = await submit('parallel', { out, ...given });
    const [path, log] = [at('job.sh'), at('log')];
    writeFileSync(path, job);
    mkdirSync(at('bin'));
    writeFileSync(at('bin/node'), stub);
    chmodSync(at('bin/node'), 0o755);
    const env = (does: string) => ({
      ...process.env,
      PATH: `${at('bin')}:${process.env.PATH}`,
      LOG: log,
      LAB_DOES: does,
    });
    return {
      path: out,
      log,
      start: (...args) => spawn('bash', [path, ...args], { env: env('wait'), stdio: 'ignore' }),
      run: (code, ...args) => spawnSync('bash', [path, ...args], { env: env(code), stdio: 'ignore' }).status,
    };
  }
  const linesOf = (log: string): string[] => readFileSync(log, 'utf8').trim().split('\n');

  test.each(['slurm', 'parallel'])('of %s is Bash', async (scheduler) => {
    const { job } = await submit(scheduler);
    execFileSync('bash', ['-n'], { input: job });
  });

  test('trains a shard, goes on with one that was saved, and merges', async () => {
    const { path, log, run } = await write();
    expect(run('0', 'shard', '2')).toBe(0);
    writeFileSync(join(path, '2/checkpoint.safetensors'), '');
    writeFileSync(join(path, '2/.lock,1,2,elsewhere'), '');
    expect(run('0', 'shard', '2')).toBe(0);
    expect(existsSync(join(path, '2/.lock,1,2,elsewhere'))).toBe(false);
    expect(run('0', 'merge')).toBe(0);
    const lab = 'scripts/run.mjs src/cli/main.ts';
    expect(linesOf(log)).toEqual([
      `${lab} run #preset=gridworld-tiny --backend cpu --workers 2 --shard 2/3 --out ${path}/2 --force`,
      `${lab} run --resume ${path}/2 --workers 2`,
      `${lab} merge ${[1, 2, 3].map((i) => `${path}/${i}`).join(' ')} --out ${path}/all --force`,
    ]);
    expect(existsSync('bad')).toBe(false);
  });

  test('leaves a shard of another run alone', async () => {
    const { path, log, run } = await write();
    expect(run('0', 'shard', '1')).toBe(0);
    writeFileSync(join(path, '1/checkpoint.safetensors'), '');
    writeFileSync(at('job.sh'), (await submit('parallel', { out: path, set: ['seed=7'] })).job);
    expect(run('0', 'shard', '1')).toBe(2);
    expect(run('0', 'submit')).toBe(2);
    expect(linesOf(log)).toHaveLength(1);
  });

  test.each([
    ['0', 0],
    ['1', 1],
    ['2', 2],
    ['3', 0],
  ])('exit code %s of the lab is %i of the shard', async (code, expected) => {
    expect((await write()).run(code, 'shard', '1')).toBe(expected);
  });

  test('tells the lab to stop and waits until it has saved', async () => {
    const { log, start } = await write();
    const shard = start('shard', '1');
    const ended = new Promise((done) => shard.on('exit', done));
    await vi.waitUntil(() => existsSync(`${log}.ready`), { timeout: 60_000 });
    shard.kill('SIGTERM');
    expect(await ended).toBe(130);
    expect(linesOf(log).at(-1)).toBe('told');
  });
});

describe('The manifest for Kubernetes', () => {
  const { definitions } = JSON.parse(readFileSync('test/fixtures/scale/kubernetes-job.json', 'utf8')) as {
    definitions: Record<string, Schema>;
  };
  const job = definitions['io.k8s.api.batch.v1.Job'] as Schema;
  /** The definition of a Job has that of a claim's contents. */
  const claim: Schema = {
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
      spec: { $ref: 'io.k8s.api.core.v1.PersistentVolumeClaimSpec' },
    },
  };
  type Manifest = {
    kind: string;
    metadata: Metadata;
    spec: Record<string, unknown> & { template: { metadata: Metadata; spec: Pod } };
  };
  type Metadata = { name: string; labels: Record<string, string> };
  type Pod = Record<string, unknown> & {
    containers: { command: string[]; securityContext: unknown }[];
    volumes: { persistentVolumeClaim: { claimName: string } }[];
  };
  const SHIPPED_PRESET = 'gridworld-from-files';

  test('fits the published schema and its rules', async () => {
    const given = { shards: '4', backend: 'webgpu', image: 'registry.example/lab:1', seeds: '0-3' };
    const [disk, shards, merge, ...more] = readYaml((await submit('kubernetes', given)).job) as Manifest[];
    expect(more).toEqual([]);
    expect(mistakes(disk, claim, definitions)).toEqual([]);
    for (const manifest of [shards, merge]) expect(mistakes(manifest, job, definitions)).toEqual([]);
    // Rules that stand in the schema's texts: a limit by index needs an indexed job whose pods are never restarted.
    expect(shards?.spec).toMatchObject({ completionMode: 'Indexed', completions: 4, backoffLimitPerIndex: 5 });
    expect(shards?.spec.template.spec.restartPolicy).toBe('Never');
    expect(merge?.spec.suspend).toBe(true);
    for (const manifest of [shards, merge]) {
      execFileSync('bash', ['-n'], { input: manifest?.spec.template.spec.containers[0]?.command[2] });
    }
  });

  test('asks for the rights of Kubernetes’ “restricted” standard, for labels, and to be forgotten', async () => {
    const [disk, ...jobs] = readYaml((await submit('kubernetes')).job) as Manifest[];
    expect(disk).toMatchObject({ kind: 'PersistentVolumeClaim', spec: { accessModes: ['ReadWriteMany'] } });
    const instance = disk?.metadata.name;
    for (const { metadata, spec } of jobs) {
      expect(spec.ttlSecondsAfterFinished).toBeGreaterThan(24 * 3600);
      const { securityContext, containers, volumes } = spec.template.spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
      expect(volumes[0]?.persistentVolumeClaim.claimName).toBe(instance);
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/instance': instance });
      expect(spec.template.metadata.labels).toEqual(metadata.labels);
    }
  });

  test('two runs of one preset have names and claims of their own, and the same run the same', async () => {
    const namesOf = async (given: Partial<SubmitArguments>): Promise<string[]> => {
      const [disk, ...manifests] = readYaml((await submit('kubernetes', given)).job) as Manifest[];
      expect(manifests[0]?.metadata.name).toBe(disk?.metadata.name);
      return manifests.flatMap(({ metadata, spec }) => [
        metadata.name,
        ...spec.template.spec.volumes.map(({ persistentVolumeClaim: { claimName } }) => claimName),
      ]);
    };
    const [one, other] = [await namesOf({}), await namesOf({ set: ['seed=7'] })];
    expect(one.filter((name) => other.includes(name))).toEqual([]);
    expect(await namesOf({ memory: '8G' })).toEqual(one);
    // Names of pods have the index behind the job's, and 63 letters at most.
    for (const name of [...one, ...other]) expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,57}[a-z0-9]$/);
  });

  test('a model of the reader’s own is named to each shard, also as it goes on, and to their merging', async () => {
    const given = { model: 'public/models/stories260k', seeds: '0-1', backend: 'cpu' };
    const { job } = await submit('slurm', given, 'world-words');
    const named = '--model public/models/stories260k';
    expect(job.split('\n').filter((line) => line.includes(named))).toEqual([
      expect.stringMatching(/^RUN=/),
      expect.stringMatching(/run --resume/),
      expect.stringMatching(/ merge /),
    ]);
    await expect(submit('kubernetes', given, 'world-words')).rejects.toThrow(/kubernetes has no use for --model/);
  });

  test('a policy’s file is one of the image, or refused', async () => {
    const inside = 'public/policies/gridworld-trained.onnx';
    const given = { policy: [inside], arms: 'trained-agent', seeds: '0-2', backend: 'cpu' };
    expect((await submit('kubernetes', given, SHIPPED_PRESET)).job).toContain(`--policy ${inside}`);
    const outside = at('policy.onnx');
    copyFileSync(inside, outside);
    for (const path of [outside, relative('.', outside)]) {
      await expect(submit('kubernetes', { ...given, policy: [path] }, SHIPPED_PRESET)).rejects.toThrow(
        /not in the image\. Copy it into the lab’s folder/,
      );
    }
    expect((await submit('slurm', { ...given, policy: [outside] }, SHIPPED_PRESET)).job).toContain(outside);
  });

  /** Parts of paths that YAML, Bash or a comment could take for something of their own. */
  const ODD = [
    ...Array.from({ length: 0x9f }, (_, i) => String.fromCharCode(i + 1)),
    ...['\u00a0', '\u2028', '\u2029', '\ufeff', '\ufffe', '\uffff', '\u{1f600}', '\ud800'],
    ...[
      '\r\n',
      '\n---\n',
      '\n...\n',
      '\nkind: Pod',
      '\n  - x: y',
      ': ',
      ' #',
      '\n#',
      "'; touch bad; '",
      '$(touch bad)',
    ],
    ...['`touch bad`', '\\u2028', '"', '|', '>', '&a', '*a', '!!x', '%YAML 1.1', '{}', '[]', '\t', '  ', '~', '\n\n'],
  ];
  const paths = ODD.flatMap((odd) => [odd, `runs/${odd}`, `${odd}/runs`, `a${odd}b${odd}`]);

  test('keeps any path of --out as it is, in YAML and in its Bash', () => {
    const texts = { title: 'x', name: 'x', backend: 'cpu', time: '1:00:00', memory: '4G', image: 'x' };
    const job = { ...texts, shards: 1, members: [['a/0']], run: ['x'], policies: [], model: [], cpus: 1 };
    const comments = (of: string): number => of.split('\n').filter((line) => line.startsWith('#')).length;
    const outs: string[] = [];
    for (const out of paths) {
      const text = kubernetesJob({ ...job, out });
      // Kubernetes reads YAML 1.1, to which these end a line.
      expect(text).not.toMatch(/[\x85\u2028\u2029]/);
      const [disk, ...manifests] = readYaml(text) as Manifest[];
      expect([disk, ...manifests].map((one) => one?.kind)).toEqual(['PersistentVolumeClaim', 'Job', 'Job']);
      expect(comments(text)).toBe(comments(kubernetesJob({ ...job, out: 'x' })));
      for (const { spec } of manifests) {
        const bash = spec.template.spec.containers[0]?.command[2] ?? '';
        outs.push(bash.slice(bash.indexOf('OUT='), bash.indexOf(' # on a disk')));
      }
    }
    const script = outs.map((line) => `${line}\nprintf '%s\\0' "$OUT"\n`).join('');
    const said = execFileSync('bash', [], { input: script, encoding: 'utf8' }).split('\0');
    // Bytes of a lone surrogate are those of the replacement character.
    const asBytes = (text: string): string => Buffer.from(text).toString();
    expect(said.slice(0, -1)).toEqual(paths.flatMap((out) => [`/data/${asBytes(out)}`, `/data/${asBytes(out)}`]));
    expect(existsSync('bad')).toBe(false);
  });

  test('would not pass with a mistake', async () => {
    const [disk, manifest] = readYaml((await submit('kubernetes')).job) as Manifest[];
    expect(mistakes({ ...disk, spec: { accessModes: 'ReadWriteMany', size: '1' } }, claim, definitions)).toEqual([
      '.spec.accessModes is no list',
      '.spec.size is unknown',
    ]);
    const spec = { ...manifest?.spec, completions: '3', completionModes: 'Indexed', template: undefined };
    expect(mistakes({ ...manifest, spec }, job, definitions)).toEqual([
      '.spec.completions is no integer',
      '.spec.template is no map',
      '.spec.completionModes is unknown',
    ]);
  });

  test('texts come back from YAML as they were', () => {
    const values = {
      a: 'yes',
      b: '1',
      c: 'x: y',
      d: '#',
      e: 'one\n\n  two\n',
      f: [['g', 'h'], [{ i: -1.5, j: true }]],
      k: { 'l m': 'é"' },
      n: 'a\u0085b\u2028\n',
      o: '\u2029\ufeff\x1b\x7f',
    };
    expect(readYaml(toYaml(values))).toEqual([values]);
  });
});
