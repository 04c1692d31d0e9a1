"""Reads the folder's config.toml by prime-rl's own configuration classes, and its task set by verifiers'; prints what they made of it.

Arguments: a clone of prime-rl at the folder's commit, a clone of verifiers, config.toml. Packages that only serve to run are stood in for:
pydantic_config and renderers, and of verifiers all but the classes that describe a world behind OpenEnv's protocol.
"""
import ast
import importlib
import json
import pathlib
import sys
import tomllib
import types
from typing import Any

import pydantic


class BaseConfig(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", arbitrary_types_allowed=True)


class Open(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")


class Renderer(Open):
    name: str = "named"


def module(name, **contents):
    made = types.ModuleType(name)
    made.__dict__.update(contents)
    sys.modules[name] = made
    return made


def taskset_of(verifiers):
    """verifiers' classes of a task set for OpenEnv."""
    path = pathlib.Path(verifiers) / "verifiers/v1/tasksets/openenv/taskset.py"
    own = [one for one in ast.parse(path.read_text()).body if getattr(one, "name", None) in ("OpenEnvConfig", "parse_action")]

    class TasksetConfig(BaseConfig):
        id: str

    scope = {
        "vf": types.SimpleNamespace(TasksetConfig=TasksetConfig), "Any": Any, "Self": Any, "json": json,
        "Field": pydantic.Field, "model_validator": pydantic.model_validator, "__name__": "taskset",
    }
    exec(compile(ast.Module(own, []), str(path), "exec"), scope)
    return scope


def main(prime, verifiers, file):
    own = taskset_of(verifiers)

    class EnvConfig(Open):
        env_id: str = ""

    module("pydantic_config", BaseConfig=BaseConfig, cli=None)
    module("renderers", AutoRendererConfig=Renderer, RendererConfig=Renderer)
    module("verifiers")
    sys.modules["verifiers"].v1 = module(
        "verifiers.v1", EnvConfig=EnvConfig, SingleAgentEnvConfig=EnvConfig, ServeConfig=Open,
        narrowed_env_annotation=lambda cls: None,
        # verifiers takes the task set's id for the world's.
        resolve_env_field=lambda data, _: {**data, "env": EnvConfig(**data["env"], env_id=data["env"]["taskset"]["id"])})
    sys.path.insert(0, f"{prime}/packages/prime-rl-configs/src")
    rl = importlib.import_module("prime_rl.configs.rl")
    text = tomllib.loads(pathlib.Path(file).read_text())
    config = rl.RLConfig.model_validate(text)
    (source,) = config.orchestrator.train.source
    taskset = own["OpenEnvConfig"].model_validate(source.env.taskset)
    echo = config.orchestrator.algo
    return {
        "steps": config.max_steps,
        "batch": [config.orchestrator.batch_size, config.orchestrator.group_size, source.group_size],
        "algo": echo.model_dump(include={"type", "roles"}, exclude_none=True),
        "lr": config.trainer.optim.lr,
        "tokens": source.sampling.max_completion_tokens,
        "taskset": [taskset.id, taskset.base_url, taskset.resets[:2], len(taskset.resets)],
        "action": own["parse_action"]("I will go up.", {"required": ["text"]}),
    }


if __name__ == "__main__":
    json.dump(main(*sys.argv[1:]), sys.stdout)
