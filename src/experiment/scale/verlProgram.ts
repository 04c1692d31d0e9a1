/** Programs of a folder for verl: its agent loop in the served world, and the tasks that it reads. */

export const AGENT_LOOP = `"""verl's agent loop in the lab's world, with the mask that the recipe echo reads: aux_token_loss_mask.

Named to verl by agent_loop.yaml. LAB_WORLD: address of the world, LONGEST_ANSWER: tokens of an answer.
"""
import os
from uuid import uuid4

import torch
from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput

from episode import Episode

WORLD = os.environ.get("LAB_WORLD", "http://127.0.0.1:8010")
LONGEST_ANSWER = int(os.environ.get("LONGEST_ANSWER", 256))


class LabOutput(AgentLoopOutput):
    aux_token_loss_mask: list[int]

    def as_dict(self):
        output = super().as_dict()
        output["aux_token_loss_mask"] = torch.as_tensor(output["aux_token_loss_mask"], dtype=torch.int64)
        return output


class LabAgentLoop(AgentLoopBase):
    async def run(self, sampling_params, **row):
        seed = int(row["extra_info"]["seed"])
        episode = await self.loop.run_in_executor(None, Episode, WORLD, seed, self.tokenizer)
        if len(episode.prompt) > self.rollout_config.prompt_length:
            raise ValueError(f"The world's first message has {len(episode.prompt)} tokens: raise data.max_prompt_length.")
        room = self.rollout_config.response_length
        steps = [int(row["global_steps"])] if "global_steps" in row else []
        log_probs, turns, request = [], 0, uuid4().hex
        try:
            while not episode.done and len(episode.tokens) < room:
                most = min(LONGEST_ANSWER, room - len(episode.tokens))
                answer = await self.server_manager.generate(
                    request_id=request,
                    prompt_ids=episode.prompt + episode.tokens,
                    sampling_params={**sampling_params, "max_tokens": most},
                )
                ids = list(answer.token_ids[:most])
                if not ids:
                    raise ValueError("The model said nothing, not even an end.")
                log_probs += list(answer.log_probs or [0.0] * len(ids))[: len(ids)]
                steps += [answer.extra_fields[key] for key in ("min_global_steps", "max_global_steps") if key in answer.extra_fields]
                await self.loop.run_in_executor(None, episode.take, ids)
                # What the world showed was not sampled.
                log_probs += [0.0] * (len(episode.tokens) - len(log_probs))
                turns += 1
        finally:
            await self.loop.run_in_executor(None, episode.close)
        return LabOutput(
            prompt_ids=episode.prompt,
            response_ids=episode.tokens[:room],
            response_mask=episode.said[:room],
            aux_token_loss_mask=episode.shown[:room],
            response_logprobs=log_probs[:room],
            reward_score=episode.reward,
            num_turns=turns,
            metrics=AgentLoopMetrics(),
            extra_fields={"min_global_steps": min(steps), "max_global_steps": max(steps)} if steps else {},
        )
`;

/** Tasks: a group each, of which an episode begins at the seed in the row. */
export const tasksOf = (
  tasks: number,
): string => `"""Writes train.parquet beside this file: ${tasks} tasks of the lab's world, each a seed."""
from pathlib import Path

import datasets

rows = [
    {
        # The world's own first message takes the place of this one.
        "prompt": [{"role": "user", "content": f"Task {seed}"}],
        "data_source": "lab",
        "reward_model": {"style": "rule", "ground_truth": ""},
        "extra_info": {"index": seed, "seed": seed},
    }
    for seed in range(${tasks})
]
datasets.Dataset.from_list(rows).to_parquet(str(Path(__file__).with_name("train.parquet")))
`;
