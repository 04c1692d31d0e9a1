/** `episode.py` of a folder: a session of the served world as tokens, for trainers that play it themselves. */
export const EPISODE = `"""A session of the lab's world as tokens: what the model said, and what the world showed it."""
import json

from websockets.sync.client import connect

# Marks in a rendered conversation: of what the model said, and of what the world showed it.
SAID, SHOWN = "\\u241f", "\\u241e"


class Episode:
    """A session of the world: the prompt, and behind it the tokens that were said or shown, with a mask for each of the two."""

    def __init__(self, world, seed, tokenizer):
        self.socket, self.tokenizer = connect(world.replace("http", "ws", 1) + "/ws"), tokenizer
        observation = self.ask("reset", seed=seed)["observation"]["text"]
        self.prompt = self.ids(self.rendered(("user", observation)))["input_ids"]
        self.tokens, self.said, self.shown, self.reward, self.done = [], [], [], 0.0, False

    def ask(self, kind, **data):
        self.socket.send(json.dumps({"type": kind, "data": data}))
        answer = json.loads(self.socket.recv())
        if answer["type"] == "error":
            raise RuntimeError(f"The world refused {kind}: {answer['data']}")
        return answer["data"]

    def close(self):
        self.socket.close()

    def take(self, ids):
        """The model's answer, and what the world shows next."""
        answer = self.ask("step", text=self.tokenizer.decode(ids, skip_special_tokens=True))
        self.reward += answer["reward"] or 0.0
        self.done = answer["done"]
        self.extend(ids, said=[1] * len(ids), shown=[0] * len(ids))
        if not self.done:
            self.show(answer["observation"]["text"], ids[-1])

    def show(self, observation, last):
        """Tokens up to the next answer: the end of the last one, unless it was sampled, the world's message, and a header."""
        conversation = self.rendered(("user", "?"), ("assistant", SAID), ("user", SHOWN))
        before, after = conversation.split(SAID)[1].split(SHOWN)
        if last in self.tokenizer.all_special_ids:
            before = before.lstrip().removeprefix(self.tokenizer.decode([last]))
        start, end = len(before), len(before) + len(observation)
        encoded = self.ids(before + observation + after, return_offsets_mapping=True)
        shown = [int(first < end and last > start) for first, last in encoded["offset_mapping"]]
        self.extend(encoded["input_ids"], said=[0] * len(shown), shown=shown)

    def extend(self, ids, said, shown):
        self.tokens += ids
        self.said += said
        self.shown += shown

    def rendered(self, *messages):
        conversation = [{"role": role, "content": content} for role, content in messages]
        return self.tokenizer.apply_chat_template(conversation, tokenize=False, add_generation_prompt=True)

    def ids(self, text, **options):
        return self.tokenizer(text, add_special_tokens=False, **options)
`;
