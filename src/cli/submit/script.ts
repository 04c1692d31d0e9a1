/**
 * The part that all jobs share: Bash functions that train a shard, or go on with it, and that merge all of them; and the
 * script around them.
 */
import { isCpu } from '../../foundation/cpuVariants';
import { quote } from '../shell';

export interface ClusterJob {
  readonly title: string;
  /** Lower-case letters, digits and hyphens, at most 49; another one for every command. */
  readonly name: string;
  /** Folder for the shards' folders, on a disk that all machines share. */
  readonly out: string;
  readonly shards: number;
  /** Names of each shard's members. */
  readonly members: readonly (readonly string[])[];
  /** Arguments of `lab run`, the experiment first. */
  readonly run: readonly string[];
  /** Paths of policies' files, which are among them; a resumed run takes them too. */
  readonly policies: readonly string[];
  /** Option that names the folder of the reader's own model, or nothing. */
  readonly model: readonly string[];
  readonly backend: string;
  /** Longest time of a shard, as Slurm writes it. */
  readonly time: string;
  readonly cpus: number;
  readonly memory: string;
  readonly image: string;
}

/** Seconds between the warning that a job ends and its end: a shard saves after the update in flight. */
export const GRACE_SECONDS = 120;

export const policyOptions = (paths: readonly string[]): string[] => paths.flatMap((path) => ['--policy', path]);

const words = (texts: readonly string[]): string => texts.map(quote).join(' ');

/** First lines of a job: its purpose. */
export function heading({ title, shards, members, backend }: ClusterJob): string {
  const count = members.reduce((sum, { length }) => sum + length, 0);
  return `# Trains “${title}” in ${shards} shards, ${count} members on ${backend}, and merges them into one run.`;
}

/** Functions `mine i`, `train i` and `merge`. They expect the lab's folder as the present one, and Node. */
export function functions({ out, shards, run, policies, model, cpus }: ClusterJob): string {
  const workers = run.some(isCpu) ? ['--workers', String(cpus)] : [];
  return `OUT=${quote(out)} # on a disk that all machines share
LAB=(node scripts/run.mjs src/cli/main.ts)
RUN=(${words(run)})

# True if a run or a sweep was begun in folder $1.
begun() {
  [ -e "$1/checkpoint.safetensors" ] || [ -e "$1/checkpoint.previous.safetensors" ] || [ -e "$1/sweep-plan.json" ]
}

# Fails with 2 if another run is in shard $1's folder: going on with that one would give its result for this one's.
mine() {
  local dir="$OUT/$1"
  begun "$dir" || return 0
  [ "$(cat "$dir/command" 2> /dev/null)" = "\${RUN[*]} --shard $1/${shards}" ] && return 0
  echo "$dir has a shard of another run. Choose another folder as OUT, or remove this one." >&2
  return 2
}

# Trains shard $1, or goes on with it. 0: done; 130: stopped, and saved.
train() {
  local dir="$OUT/$1"
  mkdir -p "$dir"
  mine "$1" || return 2
  # A machine that died has left its lock. Only one attempt at a shard runs at a time.
  rm -f "$dir"/.lock,* "$dir"/cells/*/.lock,*
  if begun "$dir"; then
    "\${LAB[@]}" run --resume "$dir" ${words([...workers, ...policyOptions(policies), ...model])} &
  else
    echo "\${RUN[*]} --shard $1/${shards}" > "$dir/command"
    "\${LAB[@]}" run "\${RUN[@]}" ${words(workers)}${workers.length > 0 ? ' ' : ''}--shard "$1/${shards}" --out "$dir" --force &
  fi
  # Bash hears a signal only when what it waits for has ended, unless it waits like this. The lab saves, then exits.
  local lab=$! code=0 told=
  trap 'told=1; kill -TERM "$lab" 2> /dev/null' TERM INT
  wait "$lab" || code=$?
  while [ -n "$told" ]; do
    told= code=0
    wait "$lab" || code=$?
  done
  # 3: done, with a policy that diverged. That is a result.
  [ "$code" = 3 ] && code=0
  return "$code"
}

merge() {
  local i folders=()
  for ((i = 1; i <= ${shards}; i++)); do folders+=("$OUT/$i"); done
  "\${LAB[@]}" merge "\${folders[@]}" --out "$OUT/all" ${words([...model, '--force'])}
}
`;
}

/** Functions of a job, and its steps: `submit`, unless another is named, `shard` and `merge`. The Bash of two is given. */
export function steps(job: ClusterJob, { submit, shard }: { readonly submit: string; readonly shard: string }): string {
  return `set -u
${functions(job)}
case "\${1:-submit}" in
submit)
  set -e
  mkdir -p "$OUT"
  for ((i = 1; i <= ${job.shards}; i++)); do mine "$i"; done
${submit}
  ;;
shard)
${shard}
  ;;
merge) merge ;;
*) echo "submit, shard or merge, not $1" >&2; exit 2 ;;
esac
`;
}
