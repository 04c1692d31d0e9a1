/** Training frameworks, and what the lab shares with each: names, numbers that were compared, files that leave for it. */
import { type Method, method, objective, place, recipe, setting } from '../method';

const numbers = place('kernels', 'A fixture file');
const LEAVES = 'Share writes an arm as its configuration, for settings that mean the same there.';

export const frameworkMethods: readonly Method[] = [
  method(
    'verl; HybridFlow; loss_agg_mode; response_mask',
    'github.com/volcengine/verl, arXiv 2409.19256',
    'Trainer of language models at scale; its names of estimators and averages are the lab’s.',
    [numbers, setting('aggregation', 'seq-mean-token-mean')],
    `Losses and advantages are compared with numbers of its code. ${LEAVES}`,
  ),
  method(
    'TRL; GRPOTrainer; tool_mask; loss_type',
    'github.com/huggingface/trl',
    'Hugging Face’s trainers.',
    [numbers, setting('aggregation', 'seq-mean-token-sum-norm')],
    `Losses are compared with numbers of its code. ${LEAVES}`,
  ),
  method(
    'SkyRL; SkyRL-Agent',
    'github.com/NovaSky-AI/SkyRL',
    'Trainer of long-horizon agents; ECHO’s code builds on it.',
    [numbers, objective('echo')],
    LEAVES,
  ),
  method(
    'prime-rl; Prime Intellect; verifiers',
    'github.com/PrimeIntellect-ai/prime-rl',
    'Asynchronous trainer with losses by role.',
    [numbers, objective('prime-rl'), objective('echo-prime-rl')],
    LEAVES,
  ),
  method(
    'OpenRLHF',
    'github.com/OpenRLHF/OpenRLHF, arXiv 2405.11143',
    'PPO, REINFORCE++ and RLOO at scale.',
    [
      objective('reinforce-pp'),
      setting('creditClock', 'every-token', 'gridworld-small', { advantageCredit: 'reward-to-go' }),
    ],
    'Its forms of KL, whitening and credit are choices of the lab.',
  ),
  method('rLLM framework; rllm-org', 'github.com/rllm-org/rllm', 'Trainer of agents over several backends.', [
    objective('reinforce-kl'),
    objective('echo-rllm'),
  ]),
  method(
    'Verlog; dual discounting GAE; fixed-turn batching',
    'github.com/WentseChen/Verlog',
    'verl for long tasks: every turn is data of its own, batches have a fixed number of turns, discounts differ within and between turns, and the critic is trained first.',
    [
      objective('bilevel-gae'),
      setting('criticWarmUp', 20, 'gridworld-small', { advantageCredit: 'gae', valueCoefficient: 0.5 }),
    ],
    'Two discounts and the critic’s warm-up alone. Batches hold whole episodes here, so no value stands in for what was cut off.',
  ),
  method(
    'OpenEnv; environment protocol; RFC 010',
    'github.com/huggingface/OpenEnv',
    'A protocol between trainers and environments, with roles of tokens.',
    [objective('echo-constant-advantage'), place('world', 'Write a world')],
    'The command line serves the lab’s worlds by it (`lab serve`) and trains in those of others.',
  ),
  method(
    'Tinker; importance_sampling loss; cross_entropy loss',
    'tinker-docs.thinkingmachines.ai',
    'Losses as a service.',
    [setting('surrogate', 'importance'), objective('dro')],
    'Its two policy losses; nothing is sent anywhere.',
  ),
  method(
    'vLLM; SGLang; batched sampling; KV cache; tokens per second',
    'arXiv 2309.06180, arXiv 2312.07104',
    'Fast decoding of many sequences.',
    [place('speed', 'Speed'), place('kernels', 'WGSL', 'log_prob/masked')],
    'Kernels of the lab’s own on WebGPU and the CPU; no server.',
  ),
  method(
    'Loss of one’s own; custom objective; formula',
    'made for this lab',
    'A few lines say what a token loses; they run on every backend and leave as PyTorch.',
    recipe('dppo-kimi'),
  ),
  method(
    'World of one’s own; custom environment; sandboxed environment; gVisor; SandboxFusion; Docker',
    'made for this lab',
    'A world is one file, run where it can reach nothing.',
    place('world', 'Write a world'),
    'A sandbox for small scripts (QuickJS) instead of containers.',
  ),
];
