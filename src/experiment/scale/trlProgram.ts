/**
 * `train.py` of a folder for TRL: plays the world over its socket, by turns of all episodes together, and adds the loss on
 * observations to the trainer's own. TRL's own rollouts call tools; this one plays any model that has a chat template.
 */
import type { Arm } from '../experiment';

/** `policy`: class of `policy_loss.py`, TRL's own trainer, or `none` where that file is a plain function, which TRL cannot call. */
export const trlProgram = ({ ce }: Arm, policy: 'policy_loss' | 'GRPOTrainer' | 'none'): string =>
  [
    HEAD,
    policy === 'policy_loss' ? null : 'from trl import GRPOTrainer',
    'from trl.models import unwrap_model_for_generation',
    '',
    'from config import config',
    'from episode import Episode',
    policy === 'policy_loss' ? `from ${policy} import ${policy} as GRPOTrainer` : null,
    ce.observation > 0 ? 'from prediction_loss import token_loss' : null,
    policy === 'none' ? PLAIN : null,
    ce.observation > 0 ? `\nWEIGHT = ${ce.observation}  # λ: weight of the cross-entropy on observations` : null,
    PLAY,
    ce.observation > 0 ? PREDICTING : ACTING,
    RUN,
  ]
    .filter((part) => part !== null)
    .join('\n');

const HEAD = `"""Trains a language model in the lab's world by TRL, with the settings of config.py.

    bash serve.sh                # in a clone of the lab, and leave it running
    pip install trl websockets   # once
    python3 train.py MODEL       # a folder or a name that transformers loads; without a chat template it goes on with texts

Tried with TRL 1.13. transformers generates the answers, which vLLM would do faster: its server takes the place of answers().
"""
import argparse
import json
import re
from contextlib import ExitStack
from urllib.request import urlopen

import torch
from datasets import Dataset
from transformers import AutoTokenizer`;

const PLAIN = `
# README.md says what TRL does not hand to a loss. Derive a class from GRPOTrainer that calls the function, and take this line out.
raise SystemExit("policy_loss.py is a plain function here, which TRL's trainer cannot call.")`;

const PLAY = `
def answers(trainer, episodes):
    """An answer for each episode, as ids."""
    tokenizer = trainer.processing_class
    rows = [episode.prompt + episode.tokens for episode in episodes]
    batch = tokenizer.pad({"input_ids": rows}, padding_side="left", return_tensors="pt").to(trainer.accelerator.device)
    sampling = {"do_sample": True, "temperature": config.temperature, "top_p": config.top_p, "top_k": 0}
    with unwrap_model_for_generation(trainer.model_wrapped, trainer.accelerator) as model, torch.no_grad():
        played = model.generate(
            **batch,
            **sampling,
            max_new_tokens=trainer.longest_answer,
            eos_token_id=trainer.ends,
            pad_token_id=tokenizer.pad_token_id,
        )
    for row in played[:, batch["input_ids"].shape[1] :].tolist():
        # Behind its end a row is padded.
        yield row[: next((at for at, token in enumerate(row) if token in trainer.ends), len(row) - 1) + 1]


def rollout(prompts, trainer):
    """Plays an episode for every prompt, which is the seed of its task."""
    with ExitStack() as sockets:
        episodes = []
        for seed in prompts:
            episode = Episode(trainer.world, int(seed), trainer.processing_class)
            sockets.callback(episode.close)
            episodes.append(episode)
        while playing := [episode for episode in episodes if not episode.done]:
            for episode, ids in zip(playing, answers(trainer, playing)):
                episode.take(ids)
    trainer.shown = [episode.shown for episode in episodes]
    return {
        "prompt_ids": [episode.prompt for episode in episodes],
        "completion_ids": [episode.tokens for episode in episodes],
        "env_mask": [episode.said for episode in episodes],
        "logprobs": None,
        "outcome": [episode.reward for episode in episodes],
    }


def play_in(trainer, world, longest_answer=None):
    """Lets the trainer play the world served at an address. A world of texts tells where an answer ends, and its most tokens."""
    tokenizer, ends = trainer.processing_class, trainer.model.generation_config.eos_token_id
    ends = {tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])} - {None}
    form = json.load(urlopen(f"{world}/schema"))["action"]["properties"]["text"]
    if "x-end" in form:
        end = re.compile(form["x-end"])
        ends |= {token for token in range(len(tokenizer)) if end.search(tokenizer.decode([token]))}
    trainer.world, trainer.ends = world, sorted(ends)
    trainer.longest_answer = longest_answer or form.get("x-longest", 64)


def outcome(outcome, **_):
    """The reward: the world's, which rollout() summed."""
    return outcome

`;

const ACTING = `
class Trainer(GRPOTrainer):
    shown = []

`;

const PREDICTING = `
class Trainer(GRPOTrainer):
    """Adds WEIGHT · the loss of what the world showed, averaged over all of its tokens in the batch."""

    shown = []

    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        width = output["completion_ids"].shape[1]
        rows = [row + [0] * (width - len(row)) for row in self.shown]
        output["shown"] = torch.tensor(rows, device=self.accelerator.device)
        output["shown_in_batch"] = self.accelerator.gather(output["shown"].sum()).sum().clamp(min=1)
        return output

    def _get_per_token_logps_and_entropies(self, *args, **kwargs):
        found = super()._get_per_token_logps_and_entropies(*args, **kwargs)
        self.logp = found[0]
        return found

    def _compute_loss(self, model, inputs):
        loss = super()._compute_loss(model, inputs)
        shown = inputs["shown"].bool()
        losses, _ = token_loss(shown, self.logp)
        mode = "train" if self.model.training else "eval"
        self._metrics[mode]["prediction"].append(losses.sum().item() / max(shown.sum().item(), 1))
        return loss + WEIGHT * losses.sum() * self.accelerator.num_processes / inputs["shown_in_batch"]

`;

const RUN = `
if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--world", default="http://127.0.0.1:8010")
    parser.add_argument("--longest-answer", type=int, help="tokens")
    parser.add_argument("--steps", type=int, default=config.max_steps)
    parser.add_argument("--learning-rate", type=float, default=config.learning_rate)
    arguments = parser.parse_args()
    config.max_steps, config.learning_rate = arguments.steps, arguments.learning_rate
    tokenizer = AutoTokenizer.from_pretrained(arguments.model)
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    # Each step has a task for every group.
    seeds = [str(seed) for seed in range(config.max_steps * config.gradient_accumulation_steps)]
    trainer = Trainer(
        model=arguments.model,
        processing_class=tokenizer,
        args=config,
        train_dataset=Dataset.from_dict({"prompt": seeds}),
        reward_funcs=outcome,
        rollout_func=rollout,
    )
    play_in(trainer, arguments.world, arguments.longest_answer)
    trainer.train()
    trainer.save_model()
`;
