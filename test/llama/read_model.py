# Log-probs of texts by a model in a folder, as Hugging Face's programs read it. Input: {folder, adapter, texts} as JSON; a text is its
# token ids, or a string that the folder's tokenizer reads.
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
answers = []
for text in given["texts"]:
    ids = AutoTokenizer.from_pretrained(given["folder"])(text)["input_ids"] if isinstance(text, str) else text
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([ids])).logits[0, :-1]
    log_probs = torch.log_softmax(logits.double(), -1).gather(-1, torch.tensor(ids[1:])[:, None])[:, 0]
    answers.append({"ids": ids, "log_probs": log_probs.tolist()})
print(json.dumps(answers))
