/** Methods that the lab lacks: those not built yet, with what they take, and those without a place in a tab, with the reason. */
import { type Method, method } from '../method';

const absent = (names: string, source: string, line: string, why: string): Method =>
  method(names, source, line, [], why);

export const notYet: readonly Method[] = [
  absent(
    'AAWM; Agent-authored world modelling; decision-relevant transitions',
    'arXiv 2606.25421',
    'The agent says what it needs to know before it acts, and that is what its world model learns, not the next observation.',
    'It would need a policy that asks in words. Choosing turns by the action’s entropy (PaW) comes nearest.',
  ),
  absent(
    'ARPO; Tree-GRPO; branching rollouts; entropy-based branching; tree search while rolling out',
    'arXiv 2507.19849, arXiv 2509.21240',
    'Rollouts branch within an episode, where the policy is in doubt, and share what went before.',
    'It would need the world’s state to be copied in the middle of an episode; each is played from its beginning here.',
  ),
  absent(
    'FoldGRPO; Context-Folding; folded context',
    'arXiv 2510.11967',
    'An agent opens a branch for a sub-task and folds it into a summary when it returns; rewards by process teach when.',
    'It would need a context that is rewritten while an episode goes on. Episodes here fit their context whole.',
  ),
  absent(
    'BehR; Behavior consistency reward; behaviour consistency of world models',
    'arXiv 2604.13824',
    'A world model is rewarded where a frozen agent would do the same after the predicted state as after the real one.',
    'It would need a world model apart from the policy, whose states another policy reads. Here they are one network. What a belief does to the next action can be asked: it is steered under “What can be read off the policy”.',
  ),
  absent(
    'EnvACE; world rehearsal; acting as one’s own environment',
    'arXiv 2608.06197',
    'The policy answers its own tool calls, no environment beside it, and both roles are trained by success.',
    'It would need training inside predictions. Here they are a loss on what really came, and can be looked at as dreams.',
  ),
  absent(
    'RND; ICM; intrinsic motivation; exploration by surprise',
    'arXiv 1810.12894, arXiv 1705.05363',
    'Pays for what could not be foreseen.',
    'It would need a reward for surprise. The one here pays for what was foreseen: the opposite, and a negative control.',
  ),
  absent(
    'PLR; Prioritized level replay; ACCEL; unsupervised environment design; curriculum by regret',
    'arXiv 2010.03934, arXiv 2203.01302',
    'Levels come back by how much a critic misjudged them, the longer ago the sooner; ACCEL also edits them.',
    'It would need a score of each level by its critic’s error. A curriculum here prefers tasks near one half, or those that failed.',
  ),
  absent(
    'V-trace; IMPALA; TRPO',
    'arXiv 1802.01561, arXiv 1502.05477',
    'Off-policy targets of a critic from truncated ratios; a step within a trust region of the KL.',
    'It would need a critic’s targets with truncated ratios. Here the policy’s loss truncates them (TIS), and clips and DPPO bound a step.',
  ),
];

const LANGUAGE_MODEL =
  'It would need a language model that follows instructions; the one that comes with the lab tells stories with 260,000 weights.';
const VISION = 'It would need pictures; policies here read words of a small world.';

export const notHere: readonly Method[] = [
  absent(
    'InstructGPT; RLHF; learned reward model',
    'arXiv 2203.02155',
    'A reward model is learned from people’s preferences.',
    'It would need people to ask. The worlds here know what succeeded.',
  ),
  absent(
    'PRM; process reward model; Let’s Verify Step by Step; Math-Shepherd',
    'arXiv 2305.20050, arXiv 2312.08935',
    'A learned model scores every step.',
    `${LANGUAGE_MODEL} Steps are paid by shaping and subgoals, which the worlds know exactly.`,
  ),
  absent(
    'LLM as a judge; Self-Rewarding; Constitutional AI; RLAIF',
    'arXiv 2401.10020, arXiv 2212.08073, arXiv 2309.00267',
    'A language model scores answers, its own among them.',
    `${LANGUAGE_MODEL} What a judge’s errors do can be seen with the setting “Verifier noise q”.`,
  ),
  absent('WebGUM; multimodal web agent', 'arXiv 2305.11854', 'Acts on web pages as pictures and text.', VISION),
  absent(
    'OpenVLA; robot policies; vision-language-action',
    'arXiv 2406.09246',
    'Moves a robot by what a camera sees.',
    VISION,
  ),
  absent('OSWorld; computer use; GUI agent', 'arXiv 2404.07972', 'Works a desktop by its screen.', VISION),
  absent(
    'BrowseComp; GAIA',
    'arXiv 2504.12516, arXiv 2311.12983',
    'Questions that are hard to find an answer to and easy to check.',
    'They would need the real web, which a page that sends nothing cannot reach.',
  ),
  absent(
    'SWE-bench; SWE-Lancer; MLE-bench; KodCode; real repositories',
    'arXiv 2310.06770, arXiv 2502.12115, arXiv 2410.07095, arXiv 2503.02951',
    'Tasks in real repositories, judged by their tests.',
    'They would need containers and large models.',
  ),
  absent(
    'Dreamer; DreamerV3; MuZero; planning in a learned model',
    'arXiv 2301.04104, arXiv 1911.08265',
    'Trains or plans inside a learned model of the world.',
    'It would need training or planning inside predictions. Here they are a loss, and can be looked at as dreams.',
  ),
  absent(
    'ArCHer; hierarchical critic; Q-learning of utterances',
    'arXiv 2402.19446',
    'An off-policy critic over turns, and a policy gradient within a turn.',
    'It would need a critic that learns from older policies’ episodes. GAE of turns, then of tokens, comes nearest.',
  ),
  absent(
    'Decision Transformer; return-conditioned policy',
    'arXiv 2106.01345',
    'Imitates trajectories with their return written before them.',
    'It would need policies that are told a return. Imitation of successes alone is here.',
  ),
  absent(
    'Reflexion; Voyager; agents without training',
    'arXiv 2303.11366, arXiv 2305.16291',
    'An agent improves by what it writes to itself, its weights as they are.',
    LANGUAGE_MODEL,
  ),
  absent(
    'slime; NeMo-RL; ROLL; Agent Lightning; other trainers',
    'github.com/THUDM/slime, github.com/NVIDIA-NeMo/RL, github.com/alibaba/ROLL, arXiv 2508.03680',
    'Trainers of language models beside those that the lab compares itself with.',
    'No numbers of theirs were compared, and no configuration leaves for them.',
  ),
  absent('OpenAgents; OpenAgent', 'arXiv 2310.10634', 'A platform on which people use agents.', 'It trains nothing.'),
  absent(
    'Light-R1; Sky-T1; reproductions of R1',
    'arXiv 2503.10460, github.com/NovaSky-AI/SkyThought',
    'Recipes and data with which the training of reasoning models was repeated.',
    'No mechanism of their own that a small policy could show.',
  ),
  absent(
    'R-Zero’s proposer; Absolute Zero’s proposer; self-play of tasks',
    'arXiv 2508.05004, arXiv 2505.03335',
    'One model invents tasks for another, paid where they are solved half of the time.',
    `${LANGUAGE_MODEL} Choosing such tasks among those there are is here.`,
  ),
  absent(
    'Ray; Kubernetes clusters of GPUs; disaggregated training',
    'arXiv 2504.15930',
    'Generation and training on machines of their own.',
    'One device trains. Runs can be cut into shards for many machines on the command line, and their statistics of staleness simulated.',
  ),
];
