/** A job for Kubernetes: an indexed Job of shards, and a suspended one that merges them. */
import { readFileSync } from 'node:fs';
import { normalize, sep } from 'node:path';
import { excerpt } from '../../foundation/errors';
import { usage } from '../errors';
import { functions, GRACE_SECONDS, heading, type Job } from './script';
import { plain, toYaml, type Yaml } from './yaml';

/** Attempts at a shard after a failure that may pass. */
const RETRIES = 5;
/** Place of the shared disk in the containers. */
const DISK = '/data';

export function kubernetesJob(job: Job): string {
  const { name, image, out, policies } = job;
  refuseOutsideImage(policies);
  return `${heading(job)}
# It needs Kubernetes 1.29 or newer: older ones leave backoffLimitPerIndex and FailIndex out.
# 1. An image of the lab, which the cluster can pull${policies.length === 0 ? '' : ', built with the policies’ files in the folder'}:
#      podman build --file Containerfile --tag ${image} .
# 2. A disk that several machines may write to (ReadWriteMany): a PersistentVolumeClaim with the name ${name}.
# 3. kubectl apply --filename job.yaml
# 4. Once all shards are done, the merge, which waits until then:
#      kubectl wait --for=condition=complete --timeout=-1s job/${name}
#      kubectl patch job/${name}-merge --patch '{"spec":{"suspend":false}}'
# The run is then in ${plain(`${out}/all`)} on that disk.
${[shardJob(job), mergeJob(job)].map(toYaml).join('---\n')}`;
}

/** Throws LabError for a file that is not in the image: Containerfile copies the lab's folder, less .containerignore. */
function refuseOutsideImage(paths: readonly string[]): void {
  const left = readFileSync('.containerignore', 'utf8').split('\n');
  for (const path of paths) {
    // An absolute path begins with an empty name.
    const [first = ''] = normalize(path).split(sep);
    if (first !== '' && first !== '..' && !left.includes(first)) continue;
    const what = `--policy ${excerpt(path)} is a file of this machine, and not in the image.`;
    const advice = 'Copy it into the lab’s folder, but where .containerignore leaves it, and give its path from there.';
    throw usage(what, advice);
  }
}

function shardJob(job: Job): Yaml {
  const { name, shards } = job;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      completionMode: 'Indexed',
      completions: shards,
      parallelism: shards,
      backoffLimitPerIndex: RETRIES,
      // One shard that cannot be trained does not stop the others.
      maxFailedIndexes: shards,
      podFailurePolicy: {
        rules: [
          // A drained or preempted machine is no failure of the shard: it goes on elsewhere.
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
          // 2: the command is not valid, which no other attempt will change.
          { action: 'FailIndex', onExitCodes: { containerName: 'lab', operator: 'In', values: [2] } },
        ],
      },
      // The index counts from 0, shards from 1.
      template: pod(job, 'train "$((JOB_COMPLETION_INDEX + 1))"'),
    },
  };
}

function mergeJob(job: Job): Yaml {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${job.name}-merge` },
    spec: { suspend: true, backoffLimit: 1, template: pod(job, 'merge') },
  };
}

function pod(job: Job, call: string): Yaml {
  const { name, image, cpus, memory, backend } = job;
  const limits = { memory: `${memory}i`, ...(backend === 'webgpu' ? { 'nvidia.com/gpu': '1' } : {}) };
  return {
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: GRACE_SECONDS,
      containers: [
        {
          name: 'lab',
          image,
          workingDir: '/lab',
          command: ['bash', '-c', `set -u\ncd /lab\n${functions({ ...job, out: `${DISK}/${job.out}` })}${call}\n`],
          resources: { requests: { cpu: String(cpus), memory: `${memory}i` }, limits },
          volumeMounts: [{ name: 'runs', mountPath: DISK }],
        },
      ],
      volumes: [{ name: 'runs', persistentVolumeClaim: { claimName: name } }],
    },
  };
}
