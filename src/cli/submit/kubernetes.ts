/** A job for Kubernetes: a claim to a disk, an indexed Job of shards, and a suspended one that merges them. */
import { readFileSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';
import { excerpt } from '../../foundation/errors';
import { usage } from '../errors';
import { type ClusterJob, functions, GRACE_SECONDS, heading } from './script';
import { plain, toYaml, type Yaml } from './yaml';

/** Attempts at a shard after a failure that may pass. */
const RETRIES = 5;
/** Place of the shared disk in the containers. */
const DISK = '/data';
/** Size of the claim: a shard's files are some hundred kilobytes. */
const STORAGE = '10Gi';
/** The image's own user. */
const USER = 1000;
/** Seconds after which the cluster forgets a Job that has ended: a week. Its run stays on the disk. */
const KEPT_SECONDS = 7 * 24 * 3600;

export function kubernetesJob(job: ClusterJob): string {
  const { name, image, out, policies } = job;
  refuseOutsideImage(policies);
  return `${heading(job)}
# It needs Kubernetes 1.29 or newer: older ones leave backoffLimitPerIndex and FailIndex out.
# 1. An image of the lab, which the cluster can pull${policies.length === 0 ? '' : ', built with the policies’ files in the folder'}:
#      docker build --file Containerfile --tag ${image} .
# 2. A class of disks that several machines may write to (ReadWriteMany), user ${USER} too: add its storageClassName to the claim,
#    unless it is the cluster's own choice.
# 3. kubectl apply --filename job.yaml
# 4. Once all shards are done, the merge, which waits until then:
#      kubectl wait --for=condition=complete --timeout=-1s job/${name}
#      kubectl patch job/${name}-merge --patch '{"spec":{"suspend":false}}'
# The run is then in ${plain(`${out}/all`)} on that disk. Jobs are forgotten a week after their end, the disk is kept until
#      kubectl delete persistentvolumeclaim ${name}
${[claim(job), shardJob(job), mergeJob(job)].map(toYaml).join('---\n')}`;
}

/** Check that all files are in the image, which has the lab's folder less .dockerignore. Throws LabError for one that is not. */
function refuseOutsideImage(paths: readonly string[]): void {
  const left = readFileSync(join(globalThis.unmaskHome ?? '', '.dockerignore'), 'utf8').split('\n');
  for (const path of paths) {
    // An absolute path begins with an empty name.
    const [first = ''] = normalize(path).split(sep);
    if (first !== '' && first !== '..' && !left.includes(first)) continue;
    const what = `--policy ${excerpt(path)} is a file of this machine, and not in the image.`;
    const advice = 'Copy it into the lab’s folder, but where .dockerignore leaves it, and give its path from there.';
    throw usage(what, advice);
  }
}

/** Labels that Kubernetes recommends: `kubectl get all --selector app.kubernetes.io/instance=NAME`. */
const labels = ({ name }: ClusterJob, component: string): Yaml => ({
  'app.kubernetes.io/name': 'unmask',
  'app.kubernetes.io/instance': name,
  'app.kubernetes.io/component': component,
});

function claim(job: ClusterJob): Yaml {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: job.name, labels: labels(job, 'runs') },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: STORAGE } } },
  };
}

function shardJob(job: ClusterJob): Yaml {
  const { name, shards } = job;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels: labels(job, 'train') },
    spec: {
      ttlSecondsAfterFinished: KEPT_SECONDS,
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
      template: pod(job, 'train', 'train "$((JOB_COMPLETION_INDEX + 1))"'),
    },
  };
}

function mergeJob(job: ClusterJob): Yaml {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${job.name}-merge`, labels: labels(job, 'merge') },
    spec: {
      ttlSecondsAfterFinished: KEPT_SECONDS,
      suspend: true,
      backoffLimit: 1,
      template: pod(job, 'merge', 'merge'),
    },
  };
}

function pod(job: ClusterJob, component: string, call: string): Yaml {
  const { name, image, cpus, memory, backend } = job;
  const limits = { memory: `${memory}i`, ...(backend === 'webgpu' ? { 'nvidia.com/gpu': '1' } : {}) };
  return {
    metadata: { labels: labels(job, component) },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: GRACE_SECONDS,
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: USER,
        runAsGroup: USER,
        fsGroup: USER,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'lab',
          image,
          workingDir: '/lab',
          command: ['bash', '-c', `set -u\ncd /lab\n${functions({ ...job, out: `${DISK}/${job.out}` })}${call}\n`],
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: { requests: { cpu: String(cpus), memory: `${memory}i` }, limits },
          volumeMounts: [{ name: 'runs', mountPath: DISK }],
        },
      ],
      volumes: [{ name: 'runs', persistentVolumeClaim: { claimName: name } }],
    },
  };
}
