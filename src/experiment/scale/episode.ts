/** `episode.py` of a folder: a session of the served world as tokens, for trainers that play it themselves. */
import type { Arm } from '../experiment';

/** Method that sends one message to the served world, and gives its answer. */
export const ASK = `    def ask(self, kind, **data):
        self.socket.send(json.dumps({"type": kind, "data": data}))
        answer = json.loads(self.socket.recv())
        if answer["type"] == "error":
            raise RuntimeError(f"The world refused {kind}: {answer['data']}")
        return answer["data"]
`;

export const episodeOf = ({
  ce,
}: Arm): string => `"""A session of the lab's world as tokens: what the model said, and what the world showed it."""
import json

from websockets.sync.client import connect

# Marks in a rendered conversation: of what the model said, and of what the world showed it.
SAID, SHOWN = "\\u241f", "\\u241e"
# Roles of the spans that the arm predicts: the world's answers, and its warnings that an action is none.
PREDICTED = (${ce.observation > 0 ? '"env_output", ' : ''}${ce.warning > 0 ? '"warning", ' : ''})


class Episode:
    """A session of the world: the prompt, and behind it the tokens that were said or shown, with a mask for
    what was said and one for what was shown and is predicted."""

    def __init__(self, world, seed, tokenizer):
        self.socket, self.tokenizer = connect(world.replace("http", "ws", 1) + "/ws"), tokenizer
        first = self.ask("reset", seed=seed, segments=True)["observation"]["text"]
        # A model without a chat template goes on with the text, which begins as its tokenizer begins one.
        self.is_text = tokenizer.chat_template is None
        self.prompt = tokenizer(self.rendered(("user", first)), add_special_tokens=self.is_text)["input_ids"]
        self.tokens, self.said, self.shown, self.reward, self.done = [], [], [], 0.0, False

${ASK}
    def close(self):
        self.socket.close()

    def take(self, ids):
        """The model's answer, and what the world shows next."""
        before = self.prompt + self.tokens
        answer = self.ask("step", text=self.text(before + ids)[len(self.text(before)) :])
        self.reward += answer["reward"] or 0.0
        self.done = answer["done"]
        self.extend(ids, said=[1] * len(ids), shown=[0] * len(ids))
        self.show(answer["observation"], ids[-1])

    def show(self, observation, last):
        """Tokens up to the next answer: the end of the last one, unless it was sampled, the world's message, and a header.
        Behind the last message nothing follows."""
        conversation = self.rendered(("user", "?"), ("assistant", SAID), ("user", SHOWN))
        before, after = conversation.split(SAID)[1].split(SHOWN)
        if last in self.tokenizer.all_special_ids:
            before = before.lstrip().removeprefix(self.tokenizer.decode([last]))
        # Some tokenizers put a space before a text, which would stand before this line, and goes with it.
        line = "\\n" if self.is_text else ""
        written = line + before + observation["text"] + ("" if self.done else after)
        encoded = self.tokenizer(written, add_special_tokens=False, return_offsets_mapping=True)
        ids, places = encoded["input_ids"], encoded["offset_mapping"]
        own = sum(first < len(line) for first, _ in places)
        spans, at = [], len(line + before)
        for segment in observation["segments"]:
            end = at + len(segment["text"])
            spans += [(at, end)] if segment["role"] in PREDICTED else []
            at = end + 1
        shown = [int(any(first < end and last > at for at, end in spans)) for first, last in places[own:]]
        self.extend(ids[own:], said=[0] * len(shown), shown=shown)

    def extend(self, ids, said, shown):
        self.tokens += ids
        self.said += said
        self.shown += shown

    def rendered(self, *messages):
        if self.is_text:
            return "".join(content for _, content in messages)
        conversation = [{"role": role, "content": content} for role, content in messages]
        return self.tokenizer.apply_chat_template(conversation, tokenize=False, add_generation_prompt=True)

    def text(self, ids):
        return self.tokenizer.decode(ids, skip_special_tokens=True)
`;
