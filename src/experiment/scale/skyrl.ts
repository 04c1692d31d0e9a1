/** SkyRL: its command's arguments, and an environment of its gym that plays the served world. */
import { ASK } from './episode';
import {
  as,
  betas,
  field,
  isClipped,
  isOutcomeOfGroup,
  isSurrogate,
  lossBy,
  oneOf,
  POLICY_LOSS,
  WORLD,
  warmUpInSteps,
  where,
  writeOverrides,
} from './fields';
import type { ForeignTrainer } from './trainer';

const ENVIRONMENT = `"""SkyRL's environment in the lab's world: plays a session for each rollout. LAB_WORLD: address of the world."""
import json
import os

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
from websockets.sync.client import connect

WORLD = os.environ.get("LAB_WORLD", "${WORLD}")


def message(answer):
    return [{"role": "user", "content": answer["observation"]["text"]}]


class LabEnvironment(BaseTextEnv):
    def __init__(self, env_config, extras):
        super().__init__()
        self.seed, self.max_turns = extras["seed"], extras["max_turns"]

    def init(self, prompt):
        self.socket = connect(WORLD.replace("http", "ws", 1) + "/ws")
        # The world's own first message takes the prompt's place.
        return message(self.ask("reset", seed=self.seed)), {}

${ASK}
    def step(self, action):
        self.turns += 1
        answer = self.ask("step", text=action)
        done = answer["done"] or self.turns >= self.max_turns
        reward = answer["reward"] or 0.0
        return BaseTextEnvStepOutput(observations=[] if done else message(answer), reward=reward, done=done, metadata={})

    def close(self):
        self.socket.close()
`;

/** `hasLoss`: whether `policy_loss.py` registers the arm's policy loss. */
const mainOf = (hasLoss: boolean): string => `"""SkyRL's own experiment with the lab's world registered."""
import sys

import ray
from skyrl.train.config import SkyRLTrainConfig
from skyrl.train.entrypoints.main_base import BasePPOExp, validate_cfg
from skyrl.train.utils import initialize_ray
from skyrl_gym.envs import register
${hasLoss ? `\nimport ${POLICY_LOSS}  # noqa: F401  registers the loss\n` : ''}

@ray.remote(num_cpus=1)
def train(config):
    register(id="lab", entry_point="environment:LabEnvironment")
    BasePPOExp(config).run()


if __name__ == "__main__":
    config = SkyRLTrainConfig.from_cli_overrides(sys.argv[1:])
    validate_cfg(config)
    initialize_ray(config)
    ray.get(train.remote(config))
`;

/** Tasks: a group each, of which an episode begins at the seed in the row. */
const tasksOf = (
  tasks: number,
): string => `"""Writes tasks.jsonl beside this file: ${tasks} tasks of the lab's world, each a seed."""
import json
from pathlib import Path

with Path(__file__).with_name("tasks.jsonl").open("w") as file:
    for seed in range(${tasks}):
        # The world's own first message takes the place of this one.
        prompt = [{"role": "user", "content": f"Task {seed}"}]
        print(json.dumps({"prompt": prompt, "env_class": "lab", "data_source": "lab", "seed": seed}), file=file)
`;

/** Turns that no world has: the world itself ends an episode. */
const MOST_TURNS = 1000;

const RUN = [
  field('data.train_data', `"['$HERE/tasks.jsonl']"`),
  field('trainer.policy.model.path', '"$MODEL"'),
  field('environment.env_class', 'lab'),
  field('generator.max_turns', MOST_TURNS),
  field('trainer.max_prompt_length', '$PROMPT'),
  field('generator.max_input_length', '$EPISODE'),
  field('generator.sampling_params.max_generate_length', '$ANSWER'),
  field('trainer.epochs', 1),
  field('trainer.eval_interval', -1),
  field('trainer.eval_before_train', 'false'),
  field('trainer.placement.policy_num_gpus_per_node', 1),
  field('trainer.placement.ref_num_gpus_per_node', 1),
  field('generator.inference_engine.num_engines', 1),
  field('trainer.logger', 'console'),
];

const COMMAND = `
# Once, in a folder of its own, from where this file is run then:
#   git clone https://github.com/NovaSky-AI/SkyRL.git . && git checkout a9564572e
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
# A folder or a name that transformers loads, with a chat template.
: "\${MODEL:?Name a model: MODEL=a-folder-or-name bash config.sh}"
# Tokens of the first message, and of an episode before its last answer, and of an answer; LAB_WORLD is another address of the world.
PROMPT=\${PROMPT:-1024}
EPISODE=\${EPISODE:-4096}
ANSWER=\${ANSWER:-256}
export PYTHONPATH="$HERE\${PYTHONPATH:+:$PYTHONPATH}"
python3 "$HERE/tasks.py"
uv run --isolated --extra fsdp --with websockets "$HERE/main.py"`;

export const skyrl: ForeignTrainer = {
  id: 'skyrl',
  title: 'SkyRL',
  source: 'NovaSky-AI/SkyRL, commit a956457 of 21 August 2026, skyrl/train/config/config.py',
  extension: 'sh',
  carries: {
    learningRate: as('trainer.policy.optimizer_config.lr'),
    learningRateWarmUp: warmUpInSteps('trainer.policy.optimizer_config.num_warmup_steps'),
    weightDecay: as('trainer.policy.optimizer_config.weight_decay'),
    ...betas('trainer.policy.optimizer_config.adam_betas', (beta1, beta2) => `'[${beta1},${beta2}]'`),
    maxGradNorm: as('trainer.policy.optimizer_config.max_grad_norm'),
    innerEpochs: as('trainer.update_epochs_per_batch'),
    temperature: as('generator.sampling_params.temperature'),
    topP: as('generator.sampling_params.top_p'),
    klCoefficient: as('trainer.algorithm.kl_loss_coef'),
    surrogate: lossBy('trainer.algorithm.policy_loss_type', { own: POLICY_LOSS, ppo: 'regular' }),
    clipLow: where(isClipped, as('trainer.algorithm.eps_clip_low')),
    clipHigh: where(isClipped, as('trainer.algorithm.eps_clip_high')),
    entropyCoefficient: as('trainer.algorithm.entropy_loss_coef'),
    aggregation: oneOf('trainer.algorithm.loss_reduction', {
      'token-mean': 'token_mean',
      'seq-mean-token-mean': 'sequence_mean',
    }),
    advantageScale: where(
      isOutcomeOfGroup,
      oneOf('trainer.algorithm.grpo_norm_by_std', { 'group-deviation': 'true', none: 'false' }),
    ),
  },
  shared: (experiment, { klCoefficient, entropyCoefficient }) => [
    field('trainer.algorithm.use_entropy_loss', entropyCoefficient > 0 ? 'true' : 'false'),
    field('trainer.algorithm.advantage_estimator', 'grpo'),
    field('trainer.algorithm.use_kl_in_reward', 'false'),
    field('trainer.algorithm.use_kl_loss', klCoefficient > 0 ? 'true' : 'false'),
    field('trainer.train_batch_size', experiment.batch.groups),
    field('trainer.policy_mini_batch_size', experiment.batch.groups),
    field('generator.n_samples_per_prompt', experiment.batch.groupSize),
    field('trainer.max_training_steps', experiment.updates),
    ...RUN,
  ],
  cautions: [
    'SkyRL has no world-model loss, and its losses are given the model’s own tokens alone: there λ has no field. Where it is above 0 the policy is trained as by the action mask.',
    'Check out commit a956457 of SkyRL, whose names these are: config.sh says how.',
    'The model needs a chat template. It runs for one GPU with vLLM: add what else the hardware needs.',
    'A turn’s reward stands at its last token; its GRPO sums them.',
  ],
  write: writeOverrides(COMMAND),
  files: ({ updates, batch }, arm) => [
    ['main.py', mainOf(isSurrogate('own')(arm))],
    ['environment.py', ENVIRONMENT],
    ['tasks.py', tasksOf(updates * batch.groups)],
  ],
};
