/** The table of docs/llama.md that says what works in worlds of texts, each cell tried. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { worldCommand } from '../../src/cli/world/world';
import { openWorlds } from '../../src/environments/own/here';
import { makeWorld } from '../../src/environments/own/named';
import { playEpisode } from '../../src/environments/own/workshop/play';
import { ownWorld } from '../../src/environments/own/world';
import { inWords, labWorld } from '../../src/environments/served/labWorld';
import type { Experiment } from '../../src/experiment/experiment';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';
import { checkExperiment, parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { LabError } from '../../src/foundation/errors';
import { standsOf } from '../../src/rl/look/steering/walks';
import { readPolicies } from '../../src/train/policies/files';
import { openFolder } from '../../src/train/policies/models';
import type { Trainer } from '../../src/train/population/trainer';
import { weightsOf } from '../../src/train/population/training';
import { chatting, folderOf } from '../llama/folders';
import { play, stream } from '../support/episodes';
import { cpuTrainer, curveOf, metricsOf } from '../support/trained';

const SEED = { seed: 0, group: 0 };

interface Subject {
  readonly experiment: Experiment;
  readonly trainer: Trainer;
  readonly episode: Awaited<ReturnType<typeof episodeOf>>;
  /** What a command is told of it. */
  readonly name: string;
}

async function episodeOf(trainer: Trainer) {
  const [episode] = (await (await trainer.runUpdate(SEED)).episodes) ?? [];
  if (episode === undefined) throw new Error('There is no episode.');
  return episode;
}

const weightsFor = async (experiment: Experiment) =>
  weightsOf(await readPolicies([new Blob([readFileSync('public/models/stories260k/model.safetensors')])], experiment));

async function subjectOf(
  preset: string,
  environment: Experiment['environment'] | null,
  name: string,
): Promise<Subject> {
  const base = findPreset(preset)?.experiment as Experiment;
  const experiment = parseExperiment({
    ...base,
    batch: { groups: 2, groupSize: 2 },
    evaluation: { ...base.evaluation, every: 0 },
    diagnosticsEvery: 0,
    arms: base.arms.slice(1, 2),
    environment: environment ?? base.environment,
  });
  const trainer = await cpuTrainer(experiment, { weights: await weightsFor(experiment) });
  return { experiment, trainer, episode: await episodeOf(trainer), name };
}

const subjects: Subject[] = [];
beforeAll(async () => {
  await openWorlds();
  const english = { world: '@english/calculator', room: 200, largest: 5 };
  subjects.push(
    await subjectOf('listener', null, 'listener'),
    await subjectOf('world-words', { id: 'own', settings: { world: '@words', length: 32 } }, 'worlds/words.js'),
    await subjectOf('world-words', { id: 'own', settings: english }, '@english/calculator'),
  );
});

/** World in which its expert has won an episode, with fields or settings of a reply; null where such a setting is unknown. */
async function repliedIn({ name, experiment }: Subject, flag: 'chat' | 'thinking', value: boolean | string = true) {
  const { environment } = experiment;
  // Of a chat the model without a template would be the problem.
  if (!name.endsWith('.js')) {
    const settings = { ...environment.settings, [flag]: value };
    if (
      (flag !== 'chat' || value !== true) &&
      checkExperiment({ ...experiment, environment: { ...environment, settings } }).problems.length > 0
    )
      return null;
  }
  const { id: model } = (await openFolder(folderOf(chatting(), 'chatty'))).model;
  const field = `${flag}: ${JSON.stringify(value)},`;
  const fields = readFileSync('worlds/words.js', 'utf8').replace('maxTurns: 1,', `maxTurns: 1, ${field}`);
  const { world: _, ...settings } = environment.settings;
  const world = name.endsWith('.js')
    ? ownWorld(fields, { length: 64, model })
    : environment.id === 'own'
      ? makeWorld(name, { ...settings, room: 400, [flag]: value, model })
      : null;
  if (world === null) return null;
  const played = play(world, world.drawTask(stream(1)), (one) => one.expert?.(1) ?? []);
  return { world, played };
}

/** True where it works; false, or a LabError, where it does not. */
const TRIES: Readonly<Record<string, (subject: Subject) => unknown>> = {
  'checks (`lab world`)': async ({ name }) => (await worldCommand(name, { json: true, episodes: '2' })) !== null,
  'play by hand': ({ name }) => {
    const text = name.endsWith('.js') ? readFileSync(name, 'utf8') : name;
    const tried = { text, settings: {} };
    return playEpisode(tried, { task: 1, split: 'train', player: 'hand', actions: [[' a']] }).turns.length === 2;
  },
  'the expert as a warm start': ({ trainer }) => trainer.environment.createWorld(1).expert !== undefined,
  inspector: async ({ trainer }) => ((await trainer.inspect({ ...SEED, trajectory: 0 }))?.length ?? 0) > 0,
  dreams: async ({ trainer, episode }) => {
    const [dream] = await trainer.dream({ id: 0, sampling: 'sampled', episodes: [episode] });
    return dream !== undefined && Number.isFinite(dream.crossEntropy) && dream.dreamed.some((count) => count > 0);
  },
  'linear probes': async ({ trainer }) => ((await trainer.probe(0))?.[0]?.probes.length ?? 0) > 0,
  'changed beliefs': ({ trainer, episode }) => standsOf(trainer.environment, episode.task).length > 0,
  links: ({ experiment }) => encodeLink(decodeLink(encodeLink(experiment))) === encodeLink(experiment),
  mixtures: ({ experiment: { environment, ...rest } }) => {
    const of = environment.id === 'own' ? { own: 1, 'own-world': environment.settings.world } : { [environment.id]: 1 };
    const mixed = { id: 'mixture', settings: { gridworld: 1, ...of } };
    return (
      checkExperiment({ ...rest, policy: { ...rest.policy, model: 'noise' }, environment: mixed }).problems.length === 0
    );
  },
  '`lab serve`': async ({ experiment: { environment } }) => {
    const episode = labWorld(inWords(environment.id, environment.settings)).create();
    const { observation } = await episode.reset(1, null, {});
    return String(observation.text).length > 20;
  },
  'what is forgotten of ordinary text': async ({ experiment }) => {
    const examined = { ...experiment, evaluation: { ...experiment.evaluation, every: 1, tasks: 4 } };
    const trainer = await cpuTrainer(examined, { weights: await weightsFor(experiment) });
    const rows = await metricsOf(trainer, 1);
    trainer.dispose();
    const [[nats = 0] = [], [repeated = 0] = []] = (['ordinaryCrossEntropy', 'repeatedWords'] as const).map((name) =>
      curveOf(rows, 0, name),
    );
    // Stories that are longer than a world's episodes are cut.
    return Math.abs(nats - 1.8) < 0.3 && repeated >= 0;
  },
  "a chat, in the model's template": async (subject) => {
    const replied = await repliedIn(subject, 'chat');
    const said = replied?.world.writing?.textOf(replied.played.recorder.tokens) ?? '';
    return /^\[user\] .*\[assistant\] /s.test(said) && replied?.played.world.isSuccess(1);
  },
  'thoughts in `<think>…</think>`': async (subject) => {
    const replied = await repliedIn(subject, 'thinking');
    return replied?.world.writing?.end.includes('</think>') && replied.played.world.isSuccess(1);
  },
  'messages of a tool': async (subject) => {
    const replied = await repliedIn(subject, 'chat', 'tool');
    return replied?.world.writing?.textOf(replied.played.recorder.tokens).includes('[tool]');
  },
};

const lines = readFileSync('docs/llama.md', 'utf8').split('\n');
const begin = lines.findIndex((line) => line.startsWith('| in worlds of texts'));
const rows = lines.slice(begin + 2, lines.indexOf('', begin)).map((line) => {
  const [what = '', ...cells] = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  return { what, cells };
});

test('the table has a row for each of them', () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(TRIES));
});

describe.each(rows)('$what', ({ what, cells }) => {
  test.each(cells.slice(0, 3).map((said, i) => [i, said] as const))('%i: %s', async (i, said) => {
    const outcome = async (): Promise<boolean> => {
      try {
        return (await TRIES[what]?.(subjects[i] as Subject)) === true;
      } catch (cause) {
        if (cause instanceof LabError) return false;
        throw cause;
      }
    };
    expect((await outcome()) ? 'works' : 'not').toBe(said.startsWith('works') ? 'works' : 'not');
  });
});
