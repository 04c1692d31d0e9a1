"""The folder for OpenRLHF as far as its own code goes without a GPU: its parser of arguments, its base of agents, its way to load one.

Arguments: a clone of OpenRLHF at the folder's commit, the folder, a tiny model's folder, the served world's address. Prints JSON.
"""
import argparse
import ast
import asyncio
import importlib.util
import json
import os
import pathlib
import re
import shlex
import sys
import types

from transformers import AutoTokenizer


def parser_of(path):
    """The command's own parser: the statements that add arguments, as they stand in the file."""
    body = next(one for one in ast.parse(path.read_text()).body if isinstance(one, ast.If)).body
    adds = [one for one in body if isinstance(one, (ast.Expr, ast.For, ast.Assign)) and "parse_args" not in ast.unparse(one)]
    adds = adds[: 1 + max(i for i, one in enumerate(adds) if "add_argument" in ast.unparse(one))]
    scope = {"argparse": argparse, "datetime": __import__("datetime").datetime}
    exec(compile(ast.Module(adds, []), str(path), "exec"), scope)
    return scope["parser"]


def arguments_of(command):
    """Arguments behind the trainer's name, as the shell splits them."""
    given = command.split("openrlhf.cli.train_ppo_ray", 1)[1].split('"$@"')[0]
    return shlex.split(given.replace("\\\n", " "))


class Engine:
    """Answers moves in turn, one of them in words."""

    def __init__(self, tokenizer):
        self.tokenizer, self.said = tokenizer, ["up", "I will go right.", "nowhere"]

    async def generate(self, prompt_token_ids, sampling_params, multi_modal_data=None):
        text = self.said.pop(0)
        self.said.append(text)
        ids = self.tokenizer(text + "<|im_end|>", add_special_tokens=False)["input_ids"]
        logprobs = [{token: types.SimpleNamespace(logprob=-0.5)} for token in ids]
        return types.SimpleNamespace(outputs=[types.SimpleNamespace(token_ids=ids, text=text, logprobs=logprobs)])


def main(clone, folder, model, world):
    os.environ["LAB_WORLD"] = world
    clone, folder = pathlib.Path(clone), pathlib.Path(folder)
    args = parser_of(clone / "openrlhf/cli/train_ppo_ray.py").parse_args(arguments_of((folder / "config.sh").read_text()))
    for name in ("openrlhf", "openrlhf.utils"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["aiohttp"] = types.ModuleType("aiohttp")
    logging = types.ModuleType("openrlhf.utils.logging_utils")
    logging.init_logger = __import__("logging").getLogger
    sys.modules[logging.__name__] = logging
    spec = importlib.util.spec_from_file_location("openrlhf.utils.agent", clone / "openrlhf/utils/agent.py")
    agents = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = agents
    spec.loader.exec_module(agents)

    source = (clone / "openrlhf/trainer/ray/vllm_engine.py").read_text()
    load = [one for one in ast.parse(source).body if getattr(one, "name", None) == "_load_agent_executor"]
    scope = {"AgentExecutorBase": agents.AgentExecutorBase}
    exec(compile(ast.Module(load, []), "vllm_engine.py", "exec"), scope)
    executor = scope["_load_agent_executor"](str(folder / "agent.py"))
    tokenizer = AutoTokenizer.from_pretrained(model)
    params = types.SimpleNamespace(max_tokens=256, logprobs=0)
    played = asyncio.run(executor.execute("Task 3", "3", params, 2048, tokenizer, Engine(tokenizer)))
    tokens, ranges = played["observation_tokens"], played["action_ranges"]
    own = {at for begin, end in ranges for at in range(begin, end)}
    return {
        "arguments": {key: value for key, value in vars(args).items() if key in ("actor.adam.betas", "actor.eps_clip_low_high", "rollout.batch_size", "train.colocate_all", "algo.advantage.estimator")},
        "said": [tokenizer.decode(tokens[begin:end]) for begin, end in ranges][:3],
        "between": tokenizer.decode(tokens[ranges[0][1] : ranges[1][0]]),
        "first": tokenizer.decode(tokens[: ranges[0][0]])[:40],
        "sampled": all((value == -0.5) == (at in own) for at, value in enumerate(played["rollout_log_probs"])),
        "lengths": len(tokens) == len(played["rollout_log_probs"]),
        "reward": played["reward"],
        "turns": len(ranges),
    }


if __name__ == "__main__":
    json.dump(main(*sys.argv[1:]), sys.stdout)
