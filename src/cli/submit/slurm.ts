/** A job for Slurm: an array of shards that are requeued when they are stopped, and a merge after the last one. */
import { type ClusterJob, GRACE_SECONDS, heading, steps } from './script';

export function slurmJob(job: ClusterJob): string {
  const { name, shards, time, cpus, memory, backend } = job;
  const gpu = backend === 'webgpu' ? '#SBATCH --gpus-per-task=1\n' : '';
  return `#!/bin/bash
${heading(job)}
# Run it in the lab's folder, after npm ci: bash job.sh. It submits itself twice, as an array and as the merge.
#SBATCH --job-name=${name}
#SBATCH --time=${time}
#SBATCH --cpus-per-task=${cpus}
#SBATCH --mem=${memory}
${gpu}# A shard whose node dies, or that is preempted, is queued again and goes on from its last save.
#SBATCH --requeue
#SBATCH --open-mode=append
# ${GRACE_SECONDS} seconds before its time is over a shard is told, saves, and queues itself again.
#SBATCH --signal=B:TERM@${GRACE_SECONDS}
${steps(job, {
  submit: `  # sbatch keeps this file as it is now.
  array=$(sbatch --parsable --array=1-${shards} --output="$OUT/shard-%a.log" "$0" shard)
  # afterok: once every shard has ended well. A shard that fails for good leaves the merge in the queue: scancel it.
  merge=$(sbatch --parsable --dependency="afterok:$array" --output="$OUT/merge.log" "$0" merge)
  echo "Shards: job $array. Merge: job $merge. The run will be in $OUT/all."`,
  shard: `  # The task's own number: that of the job alone would queue the whole array again.
  task="\${SLURM_ARRAY_JOB_ID}_\${SLURM_ARRAY_TASK_ID}"
  code=0
  train "$SLURM_ARRAY_TASK_ID" || code=$?
  # 130: told to stop. The rest is for the next attempt, unless the job was cancelled.
  if [ "$code" = 130 ] && scontrol show job "$task" | grep -q JobState=RUNNING; then
    scontrol requeue "$task" && sleep ${GRACE_SECONDS}
  fi
  exit "$code"`,
})}`;
}
