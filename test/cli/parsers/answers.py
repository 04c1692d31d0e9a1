"""Answers that the parsers of trainers find in a model's texts: a JSON list of texts comes in, for each an object goes out, by parser.

Arguments: the tiny model's folder, of which the tokenizer is read.
"""
import ast
import importlib.util
import json
import logging
import pathlib
import sys
import types

import trl
from transformers import AutoTokenizer
from trl.chat_template_utils import add_response_schema, parse_response


def trls(folder):
    """TRL's, as its trainer parses what a Qwen 3 says."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(["<tool_call>", "</tool_call>", "<think>", "</think>"])
    tokenizer.chat_template = (pathlib.Path(trl.__file__).parent / "chat_templates/qwen3.jinja").read_text()
    tokenizer = add_response_schema(tokenizer)

    def parse(text):
        said = parse_response(tokenizer, tokenizer(text + "<|im_end|>")["input_ids"], prefix=[])
        calls = said.get("tool_calls")
        return json.dumps(calls[0]["function"]["arguments"]) if calls else said["content"]

    return {"trl": parse}


def verifiers():
    """Verifiers', without the rest of its package; none where it is not there."""
    found = importlib.util.find_spec("verifiers")
    if found is None:
        return {}
    root = pathlib.Path(found.origin).parent
    for name, folder in (("verifiers", root), ("verifiers.legacy", root / "legacy")):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [str(folder)]
    sys.modules["verifiers.legacy.types"] = types.SimpleNamespace(Messages=list)
    logging.disable()
    from verifiers.legacy.parsers.maybe_think_parser import MaybeThinkParser
    from verifiers.legacy.parsers.xml_parser import XMLParser

    source = ast.parse((root / "v1/tasksets/openenv/taskset.py").read_text())
    own = [one for one in source.body if isinstance(one, ast.FunctionDef) and one.name == "parse_action"]
    scope = {"json": json, "Any": object}
    exec(compile(ast.Module(own, []), "taskset.py", "exec"), scope)
    return {
        "think": MaybeThinkParser().parse_answer,
        "xml": XMLParser(["think", ("answer", "action")]).parse_answer,
        "openenv": lambda text: scope["parse_action"](text, {"required": ["text"]}),
    }


if __name__ == "__main__":
    parsers = trls(sys.argv[1]) | verifiers()
    json.dump([{name: parse(text) for name, parse in parsers.items()} for text in json.load(sys.stdin)], sys.stdout)
