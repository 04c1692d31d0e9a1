/** docs/batch.md: it names every rule, its example has the fault that it tells of, and what its writers write is read whole. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RULES } from '../../src/batch/audit/report';
import { audited } from '../batch/audited';
import { EXPECTED } from '../batch/expected';
import { writerFrom } from '../batch/trainers/writers';
import { sharedFolder } from '../support/folder';

const page = readFileSync('docs/batch.md', 'utf8');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const at = sharedFolder();

test('the table has every rule, in the order of the audit', () => {
  expect([...page.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, rule]) => rule)).toEqual([...RULES]);
});

/** A line for forms in which the same rules find their planted faults. */
function formsTable(): string[] {
  const lines = new Map<string, string[]>();
  for (const [form, faults] of Object.entries(EXPECTED)) {
    const found = RULES.filter((rule) => Object.values(faults).includes(rule));
    const rest = RULES.filter((rule) => !found.includes(rule));
    const few =
      found.length > rest.length ? (rest.length === 0 ? 'all' : `all but ${rest.join(', ')}`) : found.join(', ');
    lines.set(few, [...(lines.get(few) ?? []), form]);
  }
  return [...lines].map(([rules, forms]) => `${forms.join('; ')} | ${rules}`);
}

test('the table of forms is that of the planted faults', () => {
  const [, table = ''] = /^\| +form in the tests [^\n]*\n[^\n]*\n((?:\|[^\n]*\n)+)/m.exec(page) ?? [];
  const told = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, 3)
        .map((cell) => cell.trim())
        .join(' | '),
    );
  expect(told).toEqual(formsTable());
});

test('each fault of a tracker is a test by its number', () => {
  const cases = readFileSync('test/batch/cases.test.ts', 'utf8');
  const named = [...page.matchAll(/^\| (\S+ #\d[^|]*?) +\|/gm)].flatMap(([, trackers = '']) => trackers.split(', '));
  expect(named).toHaveLength(10);
  expect(named.filter((name) => !cases.includes(name))).toEqual([]);
});

test('the example has one fault, in the episode that the page tells of', async () => {
  const { report } = await audited(readFileSync('docs/batch/leak.jsonl'));
  const found = report.rules.filter(({ state }) => state === 'found');
  expect(found.map(({ rule, places }) => [rule, places.map(({ line, token }) => [line, token])])).toEqual([
    ['leak', [20, 21, 22].map((token) => [2, token])],
  ]);
});

test('the example without its fault has none', async () => {
  const { report } = await audited(readFileSync('docs/batch/clean.jsonl'));
  expect(report.rules.filter(({ state }) => state === 'found')).toEqual([]);
});

/** Stand-ins for the modules that the writers import: tensors are lists with `tolist`, padded as the projects pad. */
const STAND_INS = `
import sys, types
class Tensor:
    def __init__(self, values): self.values = values
    def tolist(self): return self.values
    def unbind(self): return [Tensor(row) for row in self.values]
class Tokenizer:
    def convert_ids_to_tokens(self, ids): return [WORDS[i] for i in ids]
WORDS = ["<pad>", "<|im_start|>", "user", "\\n", "hi", "<|im_end|>", "assistant", "yes", "no"]
PROMPT, ANSWER = [0, 1, 2, 3, 4, 5, 3, 1, 6, 3], [7, 8, 5, 0]
def module(name, **names):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(names)
`;

const VERL = `
class RayPPOTrainer:
    global_steps, tokenizer = 4, Tokenizer()
class Batch:
    def __len__(self): return 2
    non_tensor_batch = {"uid": ["a", "a"]}
    batch = {key: Tensor([row, row]) for key, row in {
        "prompts": PROMPT, "responses": ANSWER, "attention_mask": [0] + 9 * [1] + [1, 1, 1, 0], "response_mask": [1, 1, 1, 0],
        "old_log_probs": [-1.0, -1.0, -1.0, 0.0], "rollout_log_probs": [-1.0, -1.0, -1.0, 0.0],
        "token_level_scores": [0.0, 0.0, 1.0, 0.0]}.items()}
    batch["advantages"] = Tensor([[1.0, 1.0, 1.0, 0.0], [-1.0, -1.0, float("nan"), 0.0]])
for name in ["verl", "verl.trainer", "verl.trainer.ppo"]: module(name)
module("verl.trainer.ppo.ray_trainer", RayPPOTrainer=RayPPOTrainer)
`;

const VERL_V1 = `
class PPOTrainer:
    global_steps, tokenizer = 4, Tokenizer()
class Batch: keys, partition_id = ["a_0_0", "a_1_0"], "train"
ROWS = {"prompts": PROMPT[1:], "responses": ANSWER[:3], "response_mask": [1, 1, 1], "old_log_probs": [-1.0, -1.0, -1.0],
        "rollout_log_probs": [-1.0, -1.0, -1.0], "rm_scores": [0.0, 0.0, 1.0]}
def kv_batch_get(keys, partition_id, select_fields):
    assert (keys, partition_id) == (Batch.keys, "train")
    found = {key: Tensor([row, row]) for key, row in ROWS.items() if key in select_fields}
    return {**found, "uid": Tensor(["a", "a"]), "advantages": Tensor([[1.0, 1.0, 1.0], [-1.0, -1.0, float("nan")]])}
module("transfer_queue", kv_batch_get=kv_batch_get)
for name in ["verl", "verl.trainer", "verl.trainer.ppo"]: module(name)
module("verl.trainer.ppo.v1", PPOTrainer=PPOTrainer, AgentLoopManagerTQ=None)
`;

const TRL = `
class Rewards(Tensor):
    device = "cpu"
    def __mul__(self, weights): return Rewards([[a * b for a, b in zip(row, weights.values)] for row in self.values])
    def nansum(self, dim): return Tensor([sum(row) for row in self.values])
class Weights(Tensor):
    def to(self, device): return self
class GRPOTrainer:
    processing_class, reward_weights, num_generations, _step = Tokenizer(), Weights([1.0, 0.5]), 2, 4
    model = types.SimpleNamespace(training=True)
    def _calculate_rewards(self, inputs, prompts): return Rewards([[1.0, 2.0], [0.0, 0.0]])
    def _generate_and_score_completions(self, inputs):
        self._calculate_rewards(inputs, [])
        rows = {"prompt_ids": PROMPT, "prompt_mask": [0] + 9 * [1], "completion_ids": ANSWER, "completion_mask": [1, 1, 1, 0],
                "old_per_token_logps": [-1.0, -1.0, -1.0, 0.0]}
        output = {key: Tensor([row, row]) for key, row in rows.items()}
        return {**output, "advantages": Tensor([1.0, -1.0]), "ref_per_token_logps": None, "num_items_in_batch": Tensor(6)}
module("trl", GRPOTrainer=GRPOTrainer)
`;

const WRITERS = [
  ['verl', VERL_V1, 'PPOTrainer()._log_rollout_data(Batch(), {}, sys.argv[1])', 'verl-tokens'],
  ['verl, legacy trainer', VERL, 'RayPPOTrainer()._log_rollout_data(Batch(), {}, {}, sys.argv[1])', 'verl-tokens'],
  [
    'TRL',
    TRL,
    `trainer = WritingTrainer()
trainer.args, trainer.state = types.SimpleNamespace(output_dir=sys.argv[1]), types.SimpleNamespace(global_step=4)
trainer.accelerator = types.SimpleNamespace(process_index=0)
assert trainer._generate_and_score_completions([0, 0])["advantages"].tolist() == [1.0, -1.0]`,
    'trl-tokens',
  ],
] as const;

const TRL_TOLD = [
  [2, '4/4.0'],
  [0, '4/4.0'],
];

test.skipIf(!hasPython).each(WRITERS)(
  'what the writer from %s writes is read whole',
  async (name, standIn, call, form) => {
    const writer = writerFrom(name);
    expect(writer.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(24);
    const own = at(name);
    execFileSync('python3', ['-c', [STAND_INS, standIn, writer, call].join('\n'), own]);
    const [file = ''] = readdirSync(own);
    const { reading, report, trajectories } = await audited(readFileSync(join(own, file)));
    expect(reading.problems).toEqual([]);
    expect([...reading.forms.keys()]).toEqual([form]);
    expect(trajectories.map(({ length, rolesFrom }) => [length, rolesFrom])).toEqual([
      [12, 'texts'],
      [12, 'texts'],
    ]);
    expect(trajectories[0]?.texts?.slice(8)).toEqual(['\n', 'yes', 'no', '<|im_end|>']);
    expect(trajectories.map(({ columns }) => columns.advantage?.[9])).toEqual([1, -1]);
    if (name === 'TRL') expect(trajectories.map(({ reward, group }) => [reward, group])).toEqual(TRL_TOLD);
    const found = report.rules.filter(({ state }) => state === 'found').map(({ rule }) => rule);
    expect(found).toEqual(name === 'TRL' ? [] : ['non-finite']);
  },
);
