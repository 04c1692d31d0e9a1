// Episodes of a recorded run: they are that run's, they come back as they were, and its curves grow with them.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { findEnvironment } from '../../src/environments/registry';
import type { SharedResult } from '../../src/experiment/conclude/result';
import { defaultPreset } from '../../src/experiment/presets/presets';
import {
  episodesOf,
  learnersOf,
  momentAt,
  type RecordedEpisodes,
  recordEpisode,
  showRecorded,
  tasksAt,
} from '../../src/measured/recordedEpisodes';
import { ghostOf } from '../../src/measured/sentResult';
import { createLabStore } from '../../src/store/lab';
import { drawRecordedUntil, resultUntil, successAt } from '../../src/store/recorded/scrub';

const { id, experiment } = defaultPreset;
const read = <T>(path: string): T => JSON.parse(readFileSync(`src/store/recorded/${path}.json`, 'utf8'));
const result = read<SharedResult>(id);
const recorded = read<RecordedEpisodes>(`episodes/${id}`);

test('they are of the recorded run, at updates in order, one of each arm on the same task', () => {
  expect(recorded.area).toEqual(result.arms.map(({ area }) => area[recorded.seed]));
  const updates = recorded.moments.map(([task]) => task?.[0]?.update ?? -1);
  expect(updates).toEqual([...updates].sort((a, b) => a - b));
  expect([updates[0], updates.at(-1)]).toEqual([0, result.updates - (recorded.moments.at(-1)?.length ?? 0)]);
  for (const task of recorded.moments.flat()) {
    expect(task.map(({ arm }) => arm)).toEqual(experiment.arms.map((arm) => arm.id));
    expect(new Set(task.map((episode) => JSON.stringify([episode.task, episode.update]))).size).toBe(1);
    for (const { tokens, roles, dreamed, logProb } of task) {
      expect([roles.length, dreamed.length, logProb.length]).toEqual(Array(3).fill(tokens.length));
      // Tokens that the policy drew itself, or was told before, are no dream.
      expect(dreamed.filter((token, i) => token !== tokens[i] && roles[i] !== 2)).toEqual([]);
    }
  }
});

test('the world draws each of them', () => {
  const { id: world, settings } = experiment.environment;
  const environment = findEnvironment(world)?.create(settings);
  for (const one of recorded.moments.flat(2)) {
    const { episode } = showRecorded(one);
    expect(environment?.scenes?.(episode.task, episode.tokens, episode.roles).length).toBeGreaterThan(1);
  }
});

test('they are small', () => {
  expect(gzipSync(JSON.stringify(recorded)).length).toBeLessThan(60_000);
});

test('an episode comes back as it was, to three digits', () => {
  const [[[first]]] = recorded.moments as [[[(typeof recorded.moments)[0][0][0]]]];
  const { episode, dreamed } = showRecorded(first);
  expect(recordEpisode(episode, { next: dreamed })).toEqual(first);
  expect(episode.logProb[0]).toBeNaN();
});

test('of some arms, they are of the same tasks', () => {
  const [, model] = experiment.arms.map((arm) => arm.id);
  const cut = episodesOf(recorded, [model ?? '']);
  expect(cut.moments).toEqual(recorded.moments.map((tasks) => tasks.map(([, episode]) => [episode])));
  expect(tasksAt(cut, result.updates, true)[0]).toHaveLength(1);
});

test('at an update the last moment until then is on screen', () => {
  const moments = [0, 10, 50].map((update) => [[{ ...recorded.moments[0]?.[0]?.[0], update }]]) as never;
  const at = (update: number) => momentAt({ moments }, update)[0]?.[0]?.update;
  expect([0, 9, 10, 49, 50, 999].map(at)).toEqual([0, 0, 10, 10, 50, 50]);
});

test.each(readdirSync('src/store/recorded/episodes').map((file) => file.replace('.json', '')))(
  '%s: some arm learns from the first task at every update, and at the end every arm does',
  (preset) => {
    const [episodes, { updates }] = [read<RecordedEpisodes>(`episodes/${preset}`), read<SharedResult>(preset)];
    for (let update = 0; update <= updates; update++) {
      const [first = [], ...others] = tasksAt(episodes, update, update === updates);
      const moment = momentAt(episodes, update);
      expect(learnersOf(first), `update ${update}`).toBeGreaterThan(0);
      // All of the moment can be reached, and nothing of later.
      expect(moment.filter((task) => task !== first && !others.includes(task))).toEqual([]);
      expect(first[0]?.update).toBeLessThanOrEqual(Math.max(update, ...moment.map(([one]) => one?.update ?? 0)));
      if (update === updates) expect(learnersOf(first)).toBe(first.length);
    }
  },
);

test('success at an update is that of the last point until then', () => {
  const of = (update: number) => [...successAt(result, update).values()];
  expect(of(0)).toEqual([null, null]);
  expect(of(result.updates)).toEqual(result.arms.map(({ successRate }) => successRate.at(-1)));
  expect(of((result.at[1] ?? 0) + 1)).toEqual(result.arms.map(({ successRate }) => successRate[1]));
});

test('its curves grow up to the update, and are whole again at the end', () => {
  const half = resultUntil(result, 100);
  expect(half.at.at(-1)).toBeLessThan(100);
  expect(half.arms.map(({ successRate }) => successRate.length)).toEqual(experiment.arms.map(() => half.at.length));
  const store = createLabStore();
  const sent = { from: 'recording', result, experiment, ghost: ghostOf(result, 'as recorded') } as const;
  store.setState({ sent, ghost: sent.ghost });
  const drawn = () => store.getState().ghost?.curves.points('successRate', { limit: 10 }).points.length;
  drawRecordedUntil(store, 100);
  expect(drawn()).toBe(half.at.length);
  drawRecordedUntil(store, result.updates);
  expect(store.getState().ghost).toBe(sent.ghost);
  // A result that was sent is nobody's to cut.
  store.setState({ sent: { ...sent, from: 'link' } });
  drawRecordedUntil(store, 100);
  expect(store.getState().ghost).toBe(sent.ghost);
});
