# Log-probs of texts by a model in a folder, as Hugging Face's programs read it. Input: {folder, adapter, texts} as JSON; a text is its
# token ids, a string that the folder's tokenizer reads, or messages for its chat template.
import json
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

given = json.load(sys.stdin)
# A whole model says itself that it is float32; the one below an adapter may be of another type.
types = {} if given["adapter"] is None else {"dtype": torch.float32}
model = AutoModelForCausalLM.from_pretrained(given["folder"], attn_implementation="eager", **types)
if given["adapter"] is not None:
    from peft import PeftModel

    model = PeftModel.from_pretrained(model, given["adapter"])
model.eval()


def ids_of(text):
    if isinstance(text[0], int):
        return text
    tokenizer = AutoTokenizer.from_pretrained(given["folder"])
    if isinstance(text, str):
        return tokenizer(text)["input_ids"]
    rendered = tokenizer.apply_chat_template(text, tokenize=False, add_generation_prompt=True)
    return tokenizer(rendered, add_special_tokens=False)["input_ids"]


answers = []
for text in given["texts"]:
    ids = ids_of(text)
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([ids])).logits[0, :-1]
    log_probs = torch.log_softmax(logits.double(), -1).gather(-1, torch.tensor(ids[1:])[:, None])[:, 0]
    answers.append({"ids": ids, "log_probs": log_probs.tolist()})
print(json.dumps(answers))
