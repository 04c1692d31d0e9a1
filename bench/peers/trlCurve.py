"""
A run of TRL in a folder of `lab scale`, for bench/trlCurves.ts. Settings, play and losses are the folder's; what is added is which
tasks are played, and what is measured. Arguments: folder, model, address of the world, a JSON file
{seed, updates, tasks: seeds of the groups in their order, ordinary: texts as tokens}, and the file that is written.
"""
import json
import sys

import torch
from datasets import Dataset
from transformers import AutoTokenizer

folder, model, world, asked, out = sys.argv[1:]
sys.path.insert(0, folder)
from train import Trainer, config, outcome, play_in, rollout  # noqa: E402

curve = {"return": [], "successRate": [], "observationCrossEntropy": []}


def cross_entropy(trainer, rows, chosen):
    """Mean −log p of the chosen tokens of rows that begin together, nats."""
    width = max(map(len, rows))
    tokens = torch.tensor([row + [0] * (width - len(row)) for row in rows])
    mask = torch.tensor([row + [0] * (width - len(row)) for row in chosen], dtype=torch.bool)[:, 1:]
    with torch.no_grad():
        logp = torch.log_softmax(trainer.model(tokens).logits[:, :-1], -1)
    return -logp.gather(2, tokens[:, 1:, None]).squeeze(2)[mask].mean().item()


def measured(prompts, trainer):
    played = rollout(prompts, trainer)
    rewards = played["outcome"]
    curve["return"].append(sum(rewards) / len(rewards))
    curve["successRate"].append(sum(reward > 0.999 for reward in rewards) / len(rewards))
    parts = list(zip(played["prompt_ids"], played["completion_ids"], played["env_mask"]))
    rows = [prompt + completion for prompt, completion, _ in parts]
    # What was not said was shown: in both arms, though one is not trained on it.
    shown = [[0] * len(prompt) + [1 - mine for mine in said] for prompt, _, said in parts]
    curve["observationCrossEntropy"].append(cross_entropy(trainer, rows, shown))
    return played


if __name__ == "__main__":
    torch.set_num_threads(1)
    with open(asked) as file:
        problem = json.load(file)
    config.max_steps, config.seed = problem["updates"] * config.num_iterations, problem["seed"]
    # Tasks in their order; and no activations a second time, which changes no number.
    config.shuffle_dataset, config.gradient_checkpointing, config.save_strategy = False, False, "no"
    tokenizer = AutoTokenizer.from_pretrained(model)
    tokenizer.pad_token = tokenizer.eos_token
    trainer = Trainer(
        model=model,
        processing_class=tokenizer,
        args=config,
        train_dataset=Dataset.from_dict({"prompt": [str(task) for task in problem["tasks"]]}),
        reward_funcs=outcome,
        rollout_func=measured,
    )
    assert trainer.model.dtype == torch.float32
    play_in(trainer, world)
    trainer.train()
    ordinary = problem["ordinary"]
    last = cross_entropy(trainer, ordinary, [[1] * len(text) for text in ordinary])
    logged = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
    with open(out, "w") as file:
        json.dump({"curve": curve, "ordinaryCrossEntropy": last, "logged": logged}, file, allow_nan=False)
