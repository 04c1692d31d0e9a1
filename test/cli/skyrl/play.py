"""The folder for SkyRL by SkyRL's own code without a GPU: its configuration class and checks, its data set, its gym and generator.

Arguments: a clone of SkyRL at the folder's commit, the folder, a tiny model's folder, the served world's address. Prints JSON.
"""
import asyncio
import json
import os
import pathlib
import shlex
import subprocess
import sys
import types
import typing

import typing_extensions

# SkyRL is for Python 3.12, where both are the same.
typing.TypedDict = typing_extensions.TypedDict
clone, folder, model, world = sys.argv[1:]
os.environ["LAB_WORLD"] = world
sys.path[:0] = [clone, f"{clone}/skyrl-gym", folder]
# Routes of experts are sent in it, of which there are none here.
sys.modules["pybase64"] = types.ModuleType("pybase64")

import skyrl_gym  # noqa: E402
from skyrl.train.config import SkyRLTrainConfig  # noqa: E402
from skyrl.train.dataset import PromptDataset  # noqa: E402
from skyrl.train.generators.skyrl_gym_generator import SkyRLGymGenerator  # noqa: E402
from skyrl.train.utils import utils  # noqa: E402
from transformers import AutoTokenizer  # noqa: E402


def arguments():
    """Arguments of the command, as the shell expands them."""
    command = pathlib.Path(folder, "config.sh").read_text().split('"$HERE/main.py"', 1)[1].split('"$@"')[0]
    names = dict(HERE=folder, MODEL=model, PROMPT="1024", EPISODE="4096", ANSWER="256")
    script = f"printf '%s\\n' {command}".replace("\\\n", " ")
    said = subprocess.run(["bash", "-c", script], env={**os.environ, **names}, capture_output=True, text=True, check=True)
    return said.stdout.splitlines()


class Engine:
    """Answers moves in turn, one of them in words."""

    def __init__(self, tokenizer):
        self.tokenizer, self.said = tokenizer, ["up", "I will go right.", "nowhere"]

    async def generate(self, asked, model=None):
        text = self.said.pop(0)
        self.said.append(text)
        ids = self.tokenizer(text + "<|im_end|>", add_special_tokens=False)["input_ids"]
        return {"responses": [text], "response_ids": [ids], "stop_reasons": ["stop"]}

    async def finish_session(self, session_id):
        pass


def main():
    config = SkyRLTrainConfig.from_cli_overrides(arguments())
    utils.validate_cfg(config)
    subprocess.run([sys.executable, f"{folder}/tasks.py"], check=True)
    tokenizer = AutoTokenizer.from_pretrained(model)
    rows = PromptDataset(config.data.train_data, tokenizer, config.trainer.max_prompt_length, num_workers=1)
    prompt, env_class, extras, _ = rows[3]
    skyrl_gym.register(id="lab", entry_point="environment:LabEnvironment")
    generator = SkyRLGymGenerator(config.generator, config.environment.skyrl_gym, Engine(tokenizer), tokenizer)
    generator.env_executor = None
    answer, longest = config.generator.sampling_params.max_generate_length, config.generator.max_input_length
    played = asyncio.run(generator.agent_loop(prompt, env_class, extras, answer, longest))
    own = [token for token, mine in zip(played.response_ids, played.loss_mask) if mine]
    return {
        "tasks": len(rows),
        "steps": config.trainer.max_training_steps,
        "optimizer": [config.trainer.policy.optimizer_config.lr, config.trainer.policy.optimizer_config.adam_betas],
        "prompt": tokenizer.decode(played.prompt_ids),
        "said": tokenizer.decode(own),
        "shown": tokenizer.decode([token for token, mine in zip(played.response_ids, played.loss_mask) if not mine]),
        "rewards": sum(reward is not None for reward in played.reward),
        "length": len(played.response_ids),
    }


if __name__ == "__main__":
    found = main()
    print(json.dumps(found))
