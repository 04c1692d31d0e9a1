/** How a policy's file is used without the lab; docs/onnx.md tells the same. */
export const SNIPPET = `import json, numpy as np, onnxruntime as ort
policy = ort.InferenceSession("policy.onnx")
about = policy.get_modelmeta().custom_metadata_map
words, temperature = json.loads(about["vocabulary"]), float(about["temperature"])
tokens = [words.index(word) for word in ["<bos>", words[6], words[7], "up"]]
logits = policy.run(["logits"], {"input_ids": np.array([tokens], dtype=np.int64)})[0][0, -1]
p = np.exp((logits - logits.max()) / temperature)
for token in (-p).argsort()[:5]:
    print(words[token], p[token] / p.sum())`;
