"""The folder for verl as far as verl's own classes and functions go without a GPU; prints what it found as JSON.

Arguments: a clone of verl at the folder's commit, the folder, a tiny model's folder, the served world's address. From the clone come the
classes of agent loops' outputs, agg_loss and the configuration's keys; a server of answers says moves, some of them none.
"""
import ast
import asyncio
import json
import os
import pathlib
import re
import sys
import types
from typing import Any, Optional

import torch
import yaml
from pydantic import BaseModel
from transformers import AutoTokenizer


def taken(path, names, scope):
    """These classes and functions of a file of verl's, without its imports."""
    tree = ast.parse(path.read_text())
    wanted = [one for one in tree.body if getattr(one, "name", None) in names]
    assert len(wanted) == len(names), f"{path} has not all of {names}"
    exec(compile(ast.Module(wanted, []), str(path), "exec"), scope)
    return scope


class AgentLoopBase:
    def __init__(self, tokenizer, answers):
        self.tokenizer, self.server_manager, self.loop = tokenizer, answers, asyncio.get_event_loop()
        self.rollout_config = types.SimpleNamespace(prompt_length=1024, response_length=2048)


class Answers:
    """Moves in turn, one of them in words and one that is none, each with the token that ends an answer."""

    def __init__(self, tokenizer):
        self.tokenizer, self.said = tokenizer, ["up", "I will go right.", "nowhere", "down", "left"]

    async def generate(self, request_id, prompt_ids, sampling_params):
        text = self.said.pop(0)
        self.said.append(text)
        ids = self.tokenizer(text + "<|im_end|>", add_special_tokens=False)["input_ids"]
        return types.SimpleNamespace(token_ids=ids, log_probs=[-0.5] * len(ids), extra_fields={"min_global_steps": 3, "max_global_steps": 4})


def keys(command):
    """Names of the command's overrides."""
    return re.findall(r"^    (\+?[\w.]+)=", command, flags=re.M)


def known(config, path):
    for part in path.split("."):
        if not isinstance(config, dict) or part not in config:
            return False
        config = config[part]
    return True


async def main(clone, folder, model, world):
    os.environ["LAB_WORLD"] = world
    verl = pathlib.Path(clone) / "verl"
    own = taken(
        verl / "experimental/agent_loop/agent_loop.py", ["AgentLoopMetrics", "AgentLoopOutput"],
        {"BaseModel": BaseModel, "Any": Any, "Optional": Optional, "torch": torch})
    for name in ("verl", "verl.experimental", "verl.experimental.agent_loop", "verl.experimental.agent_loop.agent_loop"):
        sys.modules[name] = types.ModuleType(name)
    own["AgentLoopOutput"].model_rebuild(_types_namespace=own)
    sys.modules[name].__dict__.update(
        AgentLoopBase=AgentLoopBase, AgentLoopOutput=own["AgentLoopOutput"], AgentLoopMetrics=own["AgentLoopMetrics"])
    sys.path.insert(0, folder)
    import agent_loop

    tokenizer = AutoTokenizer.from_pretrained(model)
    loop = agent_loop.LabAgentLoop(tokenizer, Answers(tokenizer))
    output = await loop.run({"temperature": 1.0}, extra_info={"seed": 3}, raw_prompt=[], global_steps=2)
    batch = output.as_dict()
    shown, said = batch["aux_token_loss_mask"].bool(), batch["response_mask"].bool()

    means = taken(verl / "utils/torch_functional.py", ["masked_sum"], {"torch": torch})
    core = taken(
        verl / "trainer/ppo/core_algos.py", ["agg_loss"],
        {"torch": torch, "Optional": Optional, "verl_F": types.SimpleNamespace(masked_sum=means["masked_sum"])})
    log_prob = -torch.linspace(1, 2, len(shown)).unsqueeze(0)
    loss = core["agg_loss"](-log_prob, shown.unsqueeze(0).float(), "token-mean", batch_num_tokens=shown.sum())

    config = yaml.safe_load((verl / "trainer/config/_generated_ppo_trainer.yaml").read_text())
    command = (pathlib.Path(folder) / "config.sh").read_text()
    return {
        "prompt": tokenizer.decode(output.prompt_ids),
        "said": tokenizer.decode(batch["responses"][said]),
        "shown": tokenizer.decode(batch["responses"][shown]),
        "overlap": int((shown & said).sum()),
        "sampled": bool((batch["rollout_log_probs"][said] == -0.5).all() and (batch["rollout_log_probs"][~said] == 0).all()),
        "reward": batch["rm_scores"].sum().item() if "rm_scores" in batch else None,
        "turns": output.num_turns,
        "steps": output.extra_fields,
        "loss": [loss.item(), -log_prob[0][shown].mean().item()],
        "unknown": [key for key in keys(command) if not key.startswith("+") and not known(config, key)],
        "keys": len(keys(command)),
    }


if __name__ == "__main__":
    json.dump(asyncio.run(main(*sys.argv[1:])), sys.stdout)
