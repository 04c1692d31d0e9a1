/** Worlds of the lab said in English: the same episodes as in their own words, out of lines of text. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { openWorlds } from '../../../src/environments/own/here';
import { describeWorld, makeWorld } from '../../../src/environments/own/named';
import { TextForm } from '../../../src/environments/own/text/textForm';
import { environments } from '../../../src/environments/registry';
import { actionsOf, SILENT, turnsOf } from '../../../src/environments/replay';
import type { Experiment } from '../../../src/experiment/experiment';
import { decodeLink, encodeLink } from '../../../src/experiment/link/link';
import { checkExperiment, parseExperiment } from '../../../src/experiment/parse';
import { findPreset } from '../../../src/experiment/presets/presets';
import { ROLE } from '../../../src/foundation/roles';
import { readPolicies } from '../../../src/train/policies/files';
import { openFolder } from '../../../src/train/policies/models';
import { weightsOf } from '../../../src/train/population/training';
import { CHAT_TEMPLATE, chatting, folderOf } from '../../llama/folders';
import { checkContract, play, stream } from '../../support/episodes';
import { cpuTrainer } from '../../support/trained';

beforeAll(openWorlds);

const form = () => new TextForm('stories260k', 'line', 400);
/** A world with room for whole episodes in the pieces of stories260K. */
const said = (id: string, settings = {}) => makeWorld(`@english/${id}`, { room: 8192, ...settings });

/** Texts of an episode, each with its role, and its reward. `lines`: what the policy writes. */
function told(id: string, seed: number, lines: readonly string[], settings = {}) {
  const world = said(id, settings);
  const left = [...lines];
  const { recorder, world: slots } = play(world, world.drawTask(stream(seed)), () => form().next(left.shift() ?? '\n'));
  const spans: [string, string][] = [];
  recorder.tokens.forEach((token, at) => {
    const role = Object.entries(ROLE).find(([, number]) => number === recorder.roles[at])?.[0] ?? '';
    const last = spans.at(-1);
    if (last?.[0] === role) last[1] += `,${token}`;
    else spans.push([role, String(token)]);
  });
  const textOf = (tokens: string): string => form().textOf(tokens.split(',').map(Number));
  return { spans: spans.map(([role, tokens]) => [role, textOf(tokens)]), reward: slots.reward(1), recorder };
}

describe.each(['calculator', 'shop', 'terminal', 'gridworld'])('%s', (id) => {
  it('is won by its expert in as many turns and with as much pay as in its own words', () => {
    const world = said(id);
    const inner = environments[id]?.create({ decoding: 'free' });
    for (let seed = 0; seed < 6; seed++) {
      const task = world.drawTask(stream(seed));
      const { recorder, world: slots } = play(world, task, (one) => one.expert?.(1) ?? []);
      const own = inner?.createWorld(1);
      own?.reset(0, task, SILENT);
      let turns = 0;
      while (own?.isDone(0) === false) {
        own.step(0, own.expert?.(0) ?? [], SILENT);
        turns++;
      }
      expect(slots.reward(1)).toBe(own?.reward(0));
      expect(slots.isSuccess(1)).toBe(own?.isSuccess(0));
      expect(actionsOf(recorder.tokens, recorder.roles)).toHaveLength(turns);
      expect(world.scenes?.(task, recorder.tokens, recorder.roles)).toHaveLength(turns + 1);
    }
  });

  it('keeps to its bounds, with every slot for itself', () => {
    for (let seed = 0; seed < 3; seed++) checkContract(said(id), seed, [0, 1]);
  });
});

it('says the task in sentences and answers in lines; what is drawn keeps its tokens and its role', () => {
  const lines = [' I will ask CALC.\n', ' CALC or 3?\n', ' {"action": "CALC"}'];
  const { spans, reward, recorder } = told('calculator', 4, lines, { tool: 'reliable', turns: 4, budget: 4 });
  const observation = ['observation', expect.stringMatching(/^\d+\n>$/)];
  const complaint = 'malformed: This is no action now. Legal now: CALC 0 to 18.\n>';
  expect(spans[0]).toEqual([
    'prompt',
    expect.stringMatching(
      /^ Answer the question .*\n.* at most 4 turns\. Legal now: CALC 0 to 18\.\n\n\d \+ \d \?\n>$/,
    ),
  ]);
  expect(spans.slice(1, 7)).toEqual([
    ['action', lines[0]],
    observation,
    ['action', lines[1]],
    ['warning', complaint],
    ['action', lines[2]],
    ['observation', expect.stringMatching(/^\n\d+\n>$/)],
  ]);
  expect(recorder.tokens.join()).toContain(lines.map((line) => form().next(line).join())[0]);
  expect(reward).toBe(0);
});

test('thoughts are drawn and trained as words of the action, over lines, and are not read as it', () => {
  const thinking = { thinking: true, spare: 100, tool: 'reliable' };
  const thought = ' <think>\nCALC or 3?\n</think>\nCALC\n';
  const { spans } = told('calculator', 4, [thought], thinking);
  expect(spans.slice(1, 3)).toEqual([
    ['action', thought],
    ['observation', expect.stringMatching(/^\d+\n>$/)],
  ]);
  const without = told('calculator', 4, [' <think>\n'], { tool: 'reliable' });
  expect(without.spans[2]?.[0]).toBe('warning');
  const world = said('calculator', thinking);
  const open = form().next(' <think>\n');
  expect(world.stopTokens).not.toContain(open.at(-1));
  const end = new RegExp(world.writing?.end ?? '');
  expect([thought, ' 4\n5', ' <think>\n', '<think>a</think>\n4'].map((one) => end.exec(one)?.[0])).toEqual([
    thought,
    ' 4\n',
    undefined,
    undefined,
  ]);
  expect(world.actionLength?.([...form().next(thought), ...form().next(' 4')])).toBe(form().next(thought).length);
});

describe('as a chat', () => {
  it('a template puts its marks around what the world says; the policy draws its reply and the end of it', async () => {
    const { model } = await openFolder(folderOf(chatting(), 'chatty'));
    const world = said('calculator', { chat: true, tool: 'reliable', turns: 3, budget: 3, model: model.id });
    const task = world.drawTask(stream(4));
    const reply = [...form().next('<think>\n3?\n</think>\nCALC'), 2];
    const cut = form().next('CALC');
    const replies = [reply, cut, reply];
    const { recorder } = play(world, task, () => replies.shift() ?? reply);
    const [bos, end] = [1, 2];
    expect(recorder.tokens[0]).toBe(bos);
    const actions = actionsOf(recorder.tokens, recorder.roles);
    expect(actions.slice(0, 2)).toEqual([reply, cut]);
    // The end that the policy drew is not said again; one that it did not draw is the world's.
    const at = recorder.roles.indexOf(ROLE.action);
    const answers = turnsOf(recorder.roles).map(({ answer, end: last }) => recorder.tokens.slice(answer, last));
    expect(recorder.tokens[at - 1]).not.toBe(end);
    expect(form().textOf(recorder.tokens.slice(0, at))).toMatch(
      /^\[user\] Answer the question [\s\S]* \?\n\[assistant\] $/,
    );
    expect(form().textOf(answers[0] ?? [])).toMatch(/^\n\[user\] \d+\n\[assistant\] $/);
    expect(answers[0]?.filter((token) => token === end)).toHaveLength(1);
    expect(answers[1]?.[0]).toBe(end);
    expect(
      recorder.roles.filter((_, i) => recorder.tokens[i] === end && recorder.roles[i] === ROLE.action),
    ).toHaveLength(2);
    const expert = play(world, task, (one) => one.expert?.(1) ?? []);
    expect(expert.world.isSuccess(1)).toBe(true);
    for (let seed = 0; seed < 3; seed++) checkContract(world, seed, [0, 1]);
  });

  it('another template is another model, and without one there is no chat', async () => {
    const idOf = async (template: string | null) => (await openFolder(folderOf(chatting(template), 'chatty'))).model.id;
    expect(new Set([await idOf(CHAT_TEMPLATE), await idOf(`${CHAT_TEMPLATE} `), await idOf(null)]).size).toBe(3);
    expect(() => said('calculator', { chat: true })).toThrow(/no chat template/);
    const model = await idOf('{{ messages[0].role }}');
    expect(() => said('calculator', { chat: true, model })).toThrow(/leaves out what a user says/);
  });
});

describe('in an experiment', () => {
  const words = findPreset('world-words')?.experiment as Experiment;
  const within = (settings: Record<string, number | boolean | string>): unknown => ({
    ...words,
    batch: { groups: 2, groupSize: 4 },
    evaluation: { ...words.evaluation, every: 0 },
    diagnosticsEvery: 0,
    arms: words.arms.slice(1, 2),
    environment: { id: 'own', settings },
  });

  it('a policy that begins from stories260K is trained on what it is told', async () => {
    const experiment = parseExperiment(within({ world: '@english/calculator', room: 256, largest: 5 }));
    expect(decodeLink(encodeLink(experiment))).toEqual(experiment);
    const file = new Blob([readFileSync('public/models/stories260k/model.safetensors')]);
    const trainer = await cpuTrainer(experiment, { weights: weightsOf(await readPolicies([file], experiment)) });
    const before = (await trainer.snapshot()).tensors.parameters.slice();
    const episodes = await (await trainer.runUpdate({ seed: 0, group: 0 })).episodes;
    const [episode] = episodes ?? [];
    const roles = new Set(episode?.roles);
    expect([ROLE.prompt, ROLE.action, ROLE.warning].every((role) => roles.has(role))).toBe(true);
    expect(episode?.tokens.length).toBeLessThanOrEqual(256);
    expect((await trainer.snapshot()).tensors.parameters).not.toEqual(before);
    trainer.dispose();
  });

  test.each([
    [{ world: '@english/chess' }, /There is no @english\/chess\. There are: @english\/gridworld, @english\/calculator/],
    [{ world: '@english/terminal', decoding: 'legal' }, /no setting decoding|no such setting|has no setting/],
  ])('%j is refused', (settings, message) => {
    expect(
      checkExperiment(within(settings))
        .problems.map((one) => one.message)
        .join(),
    ).toMatch(message);
  });

  it('its settings are those of the world', () => {
    const keys = describeWorld('@english/shop').settings.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(['mode', 'malformed', 'penalty', 'room', 'spare', 'thinking']));
    expect(keys).not.toContain('decoding');
  });
});
