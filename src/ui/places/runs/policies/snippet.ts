/** Python that uses a policy's file without the lab; docs/onnx.md tells the same. */
export function snippet(cached: boolean): string {
  return `import json, numpy as np, onnxruntime as ort
policy = ort.InferenceSession("policy.onnx")
about = policy.get_modelmeta().custom_metadata_map
words, temperature = json.loads(about["vocabulary"]), float(about["temperature"])
text = ["<bos>", *words[2:5]]  # any of its words
inputs = {"input_ids": np.array([[words.index(word) for word in text]], dtype=np.int64)}
${cached ? OF_CACHE : ''}logits = policy.run(["logits"], inputs)[0][0, -1]
p = np.exp((logits - logits.max()) / temperature)
for token in (-p).argsort()[:5]:
    print(words[token], p[token] / p.sum())`;
}

/** Python that uses an unzipped folder without the lab, a model's or an adapter's; docs/llama.md tells the same. */
export function folderSnippet(isAdapter: boolean): string {
  return `from transformers import AutoModelForCausalLM, AutoTokenizer
folder = "${isAdapter ? 'stories260k" # the model below the adapter' : 'listener"'}
model, tokenizer = AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
${isAdapter ? OF_ADAPTER : ''}text = tokenizer("Once upon a time, there was a dog.", return_tensors="pt")
print(tokenizer.decode(model.generate(**text, max_new_tokens=40, do_sample=True)[0]))`;
}

const OF_ADAPTER = `from peft import PeftModel
model = PeftModel.from_pretrained(model, "listener")
`;

/** Further inputs of a file with a key-value cache: at the beginning, nothing in the cache. */
const OF_CACHE = `inputs["attention_mask"] = np.ones([1, len(text)], dtype=np.int64)
inputs["position_ids"] = np.arange(len(text), dtype=np.int64)[None]
for past in policy.get_inputs()[3:]:
    inputs[past.name] = np.zeros([1, past.shape[1], 0, past.shape[3]], dtype=np.float32)
`;
