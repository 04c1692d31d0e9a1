/** OpenRLHF: its command's arguments, and an agent that plays the served world. Names as of its commit 3c3be62 of 13 August 2026. */
import type { Arm } from '../experiment';
import { episodeOf } from './episode';
import { as, field, isClipped, isOutcomeOfGroup, WORLD } from './fields';
import type { Carry, Field, ForeignTrainer } from './trainer';

/** Writer of a pair of settings as one argument; both write it, and one of the two is kept. */
const pair =
  (key: string, values: (arm: Arm) => readonly [number, number], fits: (arm: Arm) => boolean = () => true): Carry =>
  (_, arm) =>
    fits(arm) ? { key, value: values(arm).join(' ') } : null;
const betas = pair('--actor.adam.betas', ({ beta1, beta2 }) => [beta1, beta2]);
const clips = pair('--actor.eps_clip_low_high', ({ clipLow, clipHigh }) => [clipLow, clipHigh], isClipped);

/** A switch: its name alone turns it on. */
const on = (key: string): Field => field(key, '');

const AGENT = `"""OpenRLHF's agent in the lab's world: plays a session for each rollout. LAB_WORLD: address of the world."""
import asyncio
import os
import sys
from copy import deepcopy

from openrlhf.utils.agent import AgentExecutorBase

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from episode import Episode  # noqa: E402

WORLD = os.environ.get("LAB_WORLD", "${WORLD}")
LONGEST_ANSWER = int(os.environ.get("LONGEST_ANSWER", 256))


class AgentExecutor(AgentExecutorBase):
    async def execute(self, prompt, label, sampling_params, max_length, hf_tokenizer, llm_engine, images=None):
        loop = asyncio.get_running_loop()
        # The label is the task's seed; the world's own first message takes the prompt's place.
        episode = await loop.run_in_executor(None, Episode, WORLD, int(label), hf_tokenizer)
        first = len(episode.prompt)
        log_probs, ranges = [0.0] * first, []
        try:
            while not episode.done and first + len(episode.tokens) < max_length:
                begin = first + len(episode.tokens)
                params = deepcopy(sampling_params)
                params.max_tokens = min(LONGEST_ANSWER, max_length - begin)
                answer = (await llm_engine.generate(episode.prompt + episode.tokens, params)).outputs[0]
                ids = list(answer.token_ids)
                if not ids:
                    raise ValueError("The model said nothing, not even an end.")
                ranges.append((begin, begin + len(ids)))
                if answer.logprobs is not None:
                    log_probs += [found[token].logprob for token, found in zip(ids, answer.logprobs)]
                await loop.run_in_executor(None, episode.take, ids)
                # What the world showed was not sampled.
                log_probs += [0.0] * (first + len(episode.tokens) - len(log_probs))
        finally:
            await loop.run_in_executor(None, episode.close)
        return {
            "prompt": prompt,
            "label": label,
            "images": images,
            "mm_train_inputs": None,
            "reward": episode.reward,
            "scores": episode.reward,
            "observation_tokens": (episode.prompt + episode.tokens)[:max_length],
            "action_ranges": ranges,
            "rollout_log_probs": None if sampling_params.logprobs is None else log_probs[:max_length],
            "extra_logs": {},
        }
`;

const COMMAND = (tasks: number): string => `
# Once: git clone https://github.com/OpenRLHF/OpenRLHF.git && git -C OpenRLHF checkout 3c3be6234e0cb353e76bb8019947db9dfe99fca7
#   pip install -e ./OpenRLHF[vllm] websockets
# A formula’s policy_loss.py is read by no argument: its header says where it goes.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
# A folder or a name that transformers loads, with a chat template.
: "\${MODEL:?Name a model: MODEL=a-folder-or-name bash config.sh}"
# A task is a seed of the world.
seq 0 ${tasks - 1} | sed 's/.*/{"prompt": "Task &", "label": "&"}/' > "$HERE/tasks.jsonl"
python3 -m openrlhf.cli.train_ppo_ray`;

/** Arguments by which OpenRLHF runs on one GPU and plays the world through the agent. */
const RUN: readonly Field[] = [
  field('--actor.model_name_or_path', '"$MODEL"'),
  field('--train.agent_func_path', '"$HERE/agent.py"'),
  field('--data.prompt_dataset', '"$HERE/tasks.jsonl"'),
  field('--data.input_key', 'prompt'),
  field('--data.label_key', 'label'),
  field('--data.max_len', 5120),
  field('--rollout.max_new_tokens', 256),
  field('--actor.lr_scheduler', 'constant'),
  field('--actor.num_gpus_per_node', 1),
  field('--ref.num_gpus_per_node', 1),
  field('--vllm.num_engines', 1),
  field('--vllm.gpu_memory_utilization', 0.5),
  on('--vllm.enable_sleep'),
  on('--train.colocate_all'),
];

export const openRlhf: ForeignTrainer = {
  id: 'openrlhf',
  title: 'OpenRLHF',
  source: 'OpenRLHF/OpenRLHF, commit 3c3be62 of 13 August 2026, openrlhf/cli/train_ppo_ray.py',
  extension: 'sh',
  carries: {
    learningRate: as('--actor.adam.lr'),
    weightDecay: as('--actor.adam.weight_decay'),
    beta1: betas,
    beta2: betas,
    epsilon: as('--actor.adam.eps'),
    maxGradNorm: as('--actor.max_norm'),
    innerEpochs: as('--train.max_epochs'),
    temperature: as('--rollout.temperature'),
    topP: as('--rollout.top_p'),
    entropyCoefficient: as('--actor.entropy_coef'),
    klCoefficient: as('--algo.kl.init_coef'),
    surrogate: (_, arm) => (isClipped(arm) ? { key: '--actor.policy_loss_type', value: 'ppo' } : null),
    clipLow: clips,
    clipHigh: clips,
    ratioCap: (value, arm) =>
      isClipped(arm) && Number(value) > 1 ? { key: '--actor.dual_clip', value: String(value) } : null,
    advantageScale: (value, arm) => {
      const estimators: Readonly<Record<string, string>> = { 'group-deviation': 'group_norm', none: 'dr_grpo' };
      const estimator = isOutcomeOfGroup(arm) ? estimators[String(value)] : undefined;
      return estimator === undefined ? null : { key: '--algo.advantage.estimator', value: estimator };
    },
  },
  shared: ({ batch, updates }, arm) => [
    field('--rollout.batch_size', batch.groups),
    field('--rollout.n_samples_per_prompt', batch.groupSize),
    field('--train.batch_size', Math.ceil((batch.groups * batch.groupSize) / arm.minibatches)),
    field('--data.max_samples', updates * batch.groups),
    ...(arm.klCoefficient > 0 ? [on('--algo.kl.use_loss'), field('--algo.kl.estimator', 'k3')] : []),
    ...RUN,
  ],
  cautions: [
    'OpenRLHF has no world-model loss: its steps know which tokens were sampled, and not which the world showed.',
    'It averages over all tokens of a step.',
    'It runs in the folder that lab scale writes, with agent.py beside it, for one GPU: add what else the hardware needs.',
  ],
  files: (_, arm) => [
    ['agent.py', AGENT],
    ['episode.py', episodeOf(arm)],
  ],
  write: (fields, comments) => {
    const samples = Number(fields.find(({ key }) => key === '--data.max_samples')?.value);
    const lines = fields.map(({ key, value }) => `    ${value === '' ? key : `${key} ${value}`}`);
    const command = [COMMAND(samples), ...lines, '    "$@"'].join(' \\\n');
    return `${comments.map((text) => `# ${text}`).join('\n')}\n${command}\n`;
  },
};
