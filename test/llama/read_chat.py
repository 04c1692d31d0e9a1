# Text of messages by a folder's chat template, as transformers writes it. Input: {folder, rows} as JSON, each with messages, tools and speaks.
import json
import sys

from transformers import AutoTokenizer

given = json.load(sys.stdin)
tokenizer = AutoTokenizer.from_pretrained(given["folder"])
texts = [
    tokenizer.apply_chat_template(
        row["messages"], tools=row["tools"], tokenize=False, add_generation_prompt=row["speaks"]
    )
    for row in given["rows"]
]
print(json.dumps(texts))
