/** Messages that call tools, and what tools answer, as examples to learn from: as transformers writes them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Message, readTemplate } from '../../src/llama/chatTemplate';
import { examplesOfLines } from '../../src/llama/examples';
import { readTokens } from '../../src/llama/text';
import { sharedFolder } from '../support/folder';
import { isNightly } from '../support/nightly';
import { hasModules, pythonOn } from '../support/python';
import { CHAT_TEMPLATE, chatting, folderOf } from './folders';

const at = sharedFolder();

/** A template with the parts that those of models have: schemas, calls as JSON, and answers that stand together. */
const TEMPLATE = `{%- if tools %}{{ '[tools]' }}{% for tool in tools %}{{ '\\n' + (tool | tojson) }}{% endfor %}{{ '\\n' }}{% endif %}
{%- for message in messages %}
  {%- if message.role == 'tool' %}
    {%- if loop.index0 == 0 or messages[loop.index0 - 1].role != 'tool' %}{{ '[answers]' }}{% endif %}
    {{- '<' + message.content + '>' }}
    {%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{ '\\n' }}{% endif %}
  {%- else %}
    {{- '[' + message.role + ']' }}
    {%- if message.content %}{{ message.content }}{% endif %}
    {%- for call in message.tool_calls or [] %}
      {%- set call = call.function if call.function else call %}
      {{- '{"name": "' + call.name + '", "arguments": ' + (call.arguments | tojson) + '}' }}
    {%- endfor %}
    {{- eos_token + '\\n' }}
  {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ '[assistant]' }}{% endif %}`;

const call = (a: number, b: number) => ({ type: 'function', function: { name: 'add', arguments: { a, b } } });
const messages: Message[] = [
  { role: 'system', content: 'You add.' },
  { role: 'user', content: 'What is 2 + 3, and 4 + 5?' },
  { role: 'assistant', content: null, tool_calls: [call(2, 3), call(4, 5)] },
  { role: 'tool', content: '5' },
  { role: 'tool', content: '{"sum": 9}' },
  { role: 'assistant', content: '5 and 9.' },
  { role: 'user', content: 'And 1 + 1?' },
  { role: 'assistant', content: 'One moment.', tool_calls: [{ name: 'add', arguments: { a: 1, b: 1 } }] },
  { role: 'tool', content: '2' },
  { role: 'assistant', content: '2.' },
];
const sides = { a: { type: 'number' }, b: { type: 'number', description: 'the “other” one' } };
const parameters = { type: 'object', properties: sides, required: ['a', 'b'] };
const tools = [
  { type: 'function', function: { name: 'add', description: "Adds <two> & no more: it's it.", parameters } },
];

/** Text by transformers 5.18. */
const EXPECTED = `[tools]
{"type": "function", "function": {"name": "add", "description": "Adds <two> & no more: it's it.", "parameters": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number", "description": "the “other” one"}}, "required": ["a", "b"]}}}
[system]You add.</s>
[user]What is 2 + 3, and 4 + 5?</s>
[assistant]{"name": "add", "arguments": {"a": 2, "b": 3}}{"name": "add", "arguments": {"a": 4, "b": 5}}</s>
[answers]<5><{"sum": 9}>
[assistant]5 and 9.</s>
[user]And 1 + 1?</s>
[assistant]One moment.{"name": "add", "arguments": {"a": 1, "b": 1}}</s>
[answers]<2>
[assistant]2.</s>
`;

const chat = chatting(TEMPLATE);
const read = async (files = chat) => {
  const folder = folderOf(files);
  return {
    tokens: await readTokens(folder, 512),
    template: (await readTemplate(folder)) ?? expect.fail(),
    length: 4096,
  };
};

test('a template writes tools, calls and answers as it does in transformers', async () => {
  const { template } = await read();
  expect(template(messages, { speaks: false, tools })).toBe(EXPECTED);
});

test('of calls and their answers an assistant’s words are learned, with their end, and nothing else', async () => {
  const reading = await read();
  const [example] = examplesOfLines(JSON.stringify({ messages, tools }), reading);
  const { tokens: ids, learned } = example ?? expect.fail();
  expect(reading.tokens.textOf(ids).replace('<s>', '').trim()).toBe(EXPECTED.trim());
  const taught = reading.tokens.textOf(ids.filter((_, i) => learned[i]));
  expect(taught.split('</s>').map((text) => text.trim())).toEqual([
    '{"name": "add", "arguments": {"a": 2, "b": 3}}{"name": "add", "arguments": {"a": 4, "b": 5}}',
    '5 and 9.',
    'One moment.{"name": "add", "arguments": {"a": 1, "b": 1}}',
    '2.',
    '',
  ]);
});

test.each([
  [{ messages: [...messages.slice(0, 2), { role: 'assistant', content: null }] }, /has a message without a role/],
  [{ messages: [...messages.slice(0, 2), { role: 'assistant', tool_calls: [{ name: 'add' }] }] }, /without a role/],
  [{ messages: [...messages.slice(0, 2), { role: 'user', tool_calls: [call(1, 2)] }] }, /without a role/],
  [{ messages, tools: ['add'] }, /has tools that are no list of objects/],
])('what is no call, no answer and no tool is refused: %#', async (line, says) => {
  const reading = await read();
  expect(() => examplesOfLines(JSON.stringify(line), reading)).toThrow(says);
});

test('a template that leaves out calls, answers or tools is refused', async () => {
  const without = (part: string, by: string) => read(chatting(TEMPLATE.replace(part, by)));
  const line = JSON.stringify({ messages, tools });
  const learn = async (reading: ReturnType<typeof read>) => examplesOfLines(line, await reading);
  await expect(learn(without('message.tool_calls or []', '[]'))).rejects.toThrow(/leaves out calls of tools/);
  await expect(learn(without("'<' + message.content + '>'", "''"))).rejects.toThrow(/leaves out what a tool answers/);
  await expect(learn(without('if tools', 'if false'))).rejects.toThrow(/leaves out descriptions of tools/);
  const plain = await read(chatting(CHAT_TEMPLATE));
  const said = messages.filter(({ tool_calls: calls }) => !calls);
  expect(examplesOfLines(JSON.stringify({ messages: said }), plain)).toHaveLength(1);
});

test.runIf(isNightly)('and transformers writes the same', ({ skip }) => {
  if (!hasModules('transformers')) skip('python3 has no transformers here');
  const folder = at('chat');
  mkdirSync(folder);
  for (const [name, bytes] of Object.entries(chat)) writeFileSync(`${folder}/${name}`, bytes as Uint8Array);
  const rows = [{ messages, tools, speaks: false }];
  expect(pythonOn<string[]>('test/llama/read_chat.py', { folder, rows })).toEqual([EXPECTED]);
});
