/** A job for a few machines that nobody schedules: GNU parallel, here or over ssh. */
import { type ClusterJob, heading, steps } from './script';

export function parallelJob(job: ClusterJob): string {
  const { shards } = job;
  return `#!/bin/bash
${heading(job)}
# Run it in the lab's folder with GNU parallel: bash job.sh. One shard at a time runs on each machine.
# HOSTS=FILE names machines, one a line, as ssh knows them; each needs the lab in a folder of the same path, npm ci done,
# and the disk of OUT. Without HOSTS the shards run here, one after the other.
# Run it again after an interruption: shards go on where they were saved, and finished ones are passed over.
${steps(job, {
  submit: `  self=$(realpath "$0")
  seq ${shards} | parallel --jobs 1 \${HOSTS:+--sshloginfile "$HOSTS" --workdir "$PWD"} \\
    --retries 3 --joblog "$OUT/joblog" --line-buffer bash "$self" shard {}
  merge`,
  shard: '  train "$2"',
})}`;
}
