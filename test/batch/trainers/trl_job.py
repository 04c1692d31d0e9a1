"""Two steps of GRPO by TRL on the CPU, with the writer of docs/batch.md: a tiny model, whose environment says a word between two turns.

Arguments: file of the writer, folder of the output, and `kept`, or `forgotten` for a job that trains what the tool said.
"""
import os
import sys

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig

WORDS = ["<pad>", "<unk>", "<|im_start|>", "<|im_end|>", "Ċ", "user", "assistant", "tool", "hi", "ho", "yes", "no", "hum"]
PROMPT = "<|im_start|> user Ċ {} <|im_end|> Ċ <|im_start|> assistant Ċ"
ANSWER = "<|im_end|> Ċ <|im_start|> tool Ċ hum <|im_end|> Ċ <|im_start|> assistant Ċ"
SAID = 3


def tokenizer():
    words = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="<|im_end|>", unk_token="<unk>")


def rollout(prompts, trainer):
    """Two turns of the model, each of SAID words, and between them the template and what a tool says."""
    answer = trainer.processing_class(ANSWER)["input_ids"]
    end = trainer.processing_class.convert_tokens_to_ids("<|im_end|>")
    played = {"prompt_ids": [], "completion_ids": [], "logprobs": [], "env_mask": []}
    for prompt in prompts:
        ids = trainer.processing_class(prompt)["input_ids"]
        turns = [[], []]
        logps = [[], []]
        for turn in range(2):
            for at in range(SAID + 1):
                before = ids + (turns[0] + answer[1:] if turn == 1 else []) + turns[turn]
                with torch.no_grad():
                    log_softmax = trainer.model(torch.tensor([before])).logits[0, -1].log_softmax(-1)
                # The last word of a turn is its end, which a real model would sample: here its log-prob is read.
                word = end if at == SAID else int(torch.multinomial(log_softmax[8:].exp(), 1)) + 8
                turns[turn].append(word)
                logps[turn].append(float(log_softmax[word]))
        played["prompt_ids"].append(ids)
        played["completion_ids"].append(turns[0] + answer[1:] + turns[1])
        played["logprobs"].append(logps[0] + [0.0] * len(answer[1:]) + logps[1])
        played["env_mask"].append([1] * (SAID + 1) + [0] * len(answer[1:]) + [1] * (SAID + 1))
    return played


def forgetful(prompts, trainer):
    """The same without its mask: every token is trained as if it had been sampled."""
    played = rollout(prompts, trainer)
    del played["env_mask"]
    return played


def reward_yes(completions, **_):
    return [float(text.count("yes")) for text in completions]


def reward_length(completion_ids, **_):
    return [0.25 * len(set(ids)) for ids in completion_ids]


if __name__ == "__main__":
    writer, folder, mask = sys.argv[1:]
    namespace = {}
    exec(open(writer).read(), namespace)
    torch.manual_seed(0)
    sizes = dict(hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2)
    path = os.path.join(folder, "model")
    Qwen2ForCausalLM(Qwen2Config(vocab_size=len(WORDS), max_position_embeddings=64, **sizes)).save_pretrained(path)
    trainer = namespace["WritingTrainer"](
        model=path,
        processing_class=tokenizer(),
        reward_funcs=[reward_yes, reward_length],
        train_dataset=Dataset.from_dict({"prompt": [PROMPT.format(word) for word in ["hi", "ho", "hi hi", "ho ho"]]}),
        rollout_func=rollout if mask == "kept" else forgetful,
        args=GRPOConfig(
            output_dir=folder, per_device_train_batch_size=8, num_generations=4, max_completion_length=32, max_steps=2,
            num_iterations=2, steps_per_generation=1, beta=0.1, reward_weights=[1.0, 0.5], use_cpu=True, bf16=False,
            save_strategy="no", report_to=[], logging_steps=1, shuffle_dataset=False, log_completions=True,
        ),
    )
    trainer.train()
