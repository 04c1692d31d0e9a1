// Lessons: each has a valid experiment and parts that exist, and its question is answered by a run's own numbers.

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BATCH_ROLE, BATCH_ROLES } from '../../src/batch/trajectory';
import { experimentSettings, findArmSetting } from '../../src/experiment/experiment';
import { decodeRunLink, encodeLink } from '../../src/experiment/link/link';
import { checkExperiment } from '../../src/experiment/parse';
import { MetricHistory } from '../../src/measured/history';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import type { RunResult } from '../../src/train/result/result';
import { chartOf } from '../../src/ui/model/charts/kinds/definitions';
import { isRunLesson, lessonRun, REACHED, type RunLesson, SHORT } from '../../src/ui/places/library/lessons/lesson';
import { findLesson, LESSONS } from '../../src/ui/places/library/lessons/lessons';
import { judgeMask } from '../../src/ui/places/library/lessons/maskJudgement';
import { LESSON_IDS } from '../../src/ui/places/library/lessons/titles';
import { audited } from '../batch/audited';
import { testFolder } from '../support/folder';
import { resultHere } from '../support/lab';

const RUN_LESSONS = LESSONS.filter(isRunLesson);

const lessonOf = (id: string): RunLesson => {
  const found = findLesson(id);
  if (found === undefined || !isRunLesson(found)) throw new Error(`There is no lesson ${id}.`);
  return found;
};

test('there is one for every name', () => expect(LESSONS.map(({ id }) => id)).toEqual(LESSON_IDS));

describe.each(RUN_LESSONS.map((lesson) => [lesson.id, lesson] as const))('%s', (_, lesson) => {
  test('has an experiment that can run, survives a link, and is told from others by its title', () => {
    expect(checkExperiment(lesson.experiment).problems).toEqual([]);
    expect(decodeRunLink(`#${encodeLink(lesson.experiment)}`).experiment).toEqual(lesson.experiment);
    expect(RUN_LESSONS.filter(({ experiment }) => experiment.title === lesson.experiment.title)).toEqual([lesson]);
  });

  test('shows charts and controls that there are, and goes on to an experiment', () => {
    for (const metric of lesson.charts) expect(chartOf(metric).metric).toBe(metric);
    for (const control of lesson.controls) {
      const known = [...experimentSettings.map(({ path }) => path), findArmSetting(control.path)?.path];
      expect(known).toContain(control.path);
      if ('arm' in control) expect(lesson.experiment.arms.map(({ id }) => id)).toContain(control.arm);
    }
    expect(decodeRunLink(lesson.further.fragment).experiment.title).not.toBe(lesson.experiment.title);
  });

  test('says nothing of a run that has not come to its end', () => {
    const { experiment } = lesson;
    const history = new MetricHistory(experiment.arms.length, experiment.seeds);
    history.append(0, 1, history.arms * history.seeds, new Float32Array(history.arms * history.seeds * METRICS.length));
    const { finding, said } = lesson.question.judge(lessonRun(experiment, history));
    expect(finding).toBeNull();
    expect(said).toContain(`1 of ${experiment.updates}`);
  });

  test('has each of its answers given by some run', () => {
    const { choices, judge } = lesson.question;
    const found = (RUNS[lesson.id] ?? []).map((curves) => judge(lessonRun(lesson.experiment, drawn(lesson, curves))));
    const answers = choices.length === 0 ? [REACHED, SHORT] : choices.map(({ id }) => id);
    expect(new Set(found.map(({ finding }) => finding))).toEqual(new Set(answers));
    for (const { said } of found) expect(said).toMatch(/\d/);
  });
});

/**
 * Runs as straight lines, in words: a metric, then of each arm its first and last value, `first:last`, or the one that it keeps;
 * seeds that differ have commas between them.
 */
const RUNS: Record<string, readonly string[]> = {
  mask: [
    'observationCrossEntropy 3.5:3.4 3.5:2',
    'observationCrossEntropy 3.5:2 3.5',
    'observationCrossEntropy 3.5:2 3.5:2',
    'observationCrossEntropy 3.5:4 3.5',
  ],
  forgotten: [
    'observationCrossEntropy 3.5 3.5:30',
    'observationCrossEntropy 3.5 3.5:3.6',
    'observationCrossEntropy 3.5 3.5:1',
  ],
  groups: ['zeroVarianceGroups 0.7; successRate 0.2', 'zeroVarianceGroups 0.1:0.15; successRate 0.2'],
  clip: [
    'clipFraction 0 0.02 0.1:0.2',
    'clipFraction 0.1 0 0.1:0.2',
    'clipFraction 0.1 0.1 0',
    'clipFraction 0.1 0.1 0.1',
  ],
  predicting: [
    'successRate 0.2 0.4,0.42,0.41,0.4',
    'successRate 0.4,0.42,0.41,0.4 0.2',
    'successRate 0.2 0.1,0.3,0.2,0.25',
  ],
  hacked: [
    'saidBack 0 0:0.9; repeatedWords 0:0.3 0:0.2; return 0:0.9 0:0.9',
    'saidBack 0 0:0.05; repeatedWords 0:0.1 0:0.4; return 0:0.9 0:0.9',
    'saidBack 0:0.5 0:0.5; repeatedWords 0:0.4 0:0.3; return 0:0.9 0:0.9',
  ],
  failing: ['entropy 2:0.1 2:1; successRate 0.1:0.5 0.1:0.5', 'entropy 2:1.2 2:1; successRate 0.1:0.6 0.1:0.5'],
};

function drawn({ experiment: { arms, seeds, updates } }: RunLesson, run: string): MetricHistory {
  const values = new Float32Array(updates * arms.length * seeds * METRICS.length).fill(Number.NaN);
  for (const [metric = '', ...lines] of run.split('; ').map((words) => words.split(' '))) {
    for (const [arm, line] of lines.entries()) {
      const own = line.split(',').map((ends) => ends.split(':').map(Number));
      for (let seed = 0; seed < seeds; seed++) {
        const [first = 0, last = first] = own[seed % own.length] ?? [];
        for (let update = 0; update < updates; update++) {
          const at = (update * arms.length + arm) * seeds + seed;
          values[at * METRICS.length + METRIC[metric as MetricName]] =
            first + ((last - first) * update) / (updates - 1);
        }
      }
    }
  }
  const history = new MetricHistory(arms.length, seeds);
  history.append(0, updates, arms.length * seeds, values);
  return history;
}

/** Run of a lesson's experiment on the CPU, changed or not. */
async function trained(lesson: RunLesson, changes: Partial<RunLesson['experiment']> = {}) {
  const experiment = { ...lesson.experiment, ...changes };
  const file = testFolder()('experiment.json');
  writeFileSync(file, JSON.stringify(experiment));
  const { arms } = await resultHere<RunResult>('run', file, '--backend', 'cpu');
  const history = new MetricHistory(experiment.arms.length, experiment.seeds);
  const members = experiment.arms.length * experiment.seeds;
  const values = new Float32Array(experiment.updates * members * METRICS.length).fill(Number.NaN);
  for (const [arm, { seeds }] of arms.entries()) {
    for (const [seed, { curve }] of seeds.entries()) {
      for (const metric of METRICS) {
        for (const [update, value] of (curve[metric] ?? []).entries()) {
          const at = (update * arms.length + arm) * experiment.seeds + seed;
          values[at * METRICS.length + METRIC[metric]] = value ?? Number.NaN;
        }
      }
    }
  }
  history.append(0, experiment.updates, members, values);
  return lesson.question.judge(lessonRun(experiment, history));
}

test('a run answers what a mask is', async () => {
  expect((await trained(lessonOf('mask'))).finding).toBe('world-model');
});

test('a storyteller that also predicts its listener begins as he does', async () => {
  const { finding, said } = await trained(lessonOf('hacked'), { updates: 4, batch: { groups: 2, groupSize: 8 } });
  expect(said).toMatch(/\d+%/);
  expect(finding).toBe('said-back');
});

test('groups of 2 are silent more often than the lesson asks for, groups of 16 are not', async () => {
  const groups = lessonOf('groups');
  expect((await trained(groups)).finding).toBe(SHORT);
  const larger = await trained(groups, { batch: { ...groups.experiment.batch, groupSize: 16 } });
  expect(larger.finding).toBe(REACHED);
});

describe('the lesson on a mask with faults', async () => {
  const { report, trajectories } = await audited(readFileSync('docs/batch/faults.jsonl', 'utf8'));
  const judged = (trajectory: number, token: number, fault: string) => {
    const one = trajectories[trajectory - 1];
    const role = BATCH_ROLES[one?.roles?.[token] ?? 0] ?? '';
    return judgeMask(
      report.rules,
      { trajectory, token, role, numbers: { weight: one?.columns.weight?.[token] ?? 0 } },
      fault,
    );
  };
  const wrong = trajectories.flatMap(({ number, roles, columns }) =>
    [...(roles ?? [])].flatMap((role, token) =>
      ((columns.weight?.[token] || 0) !== 0) === (role === BATCH_ROLE.action) ? [] : [{ number, token }],
    ),
  );
  const faults = (findLesson('bug')?.question.choices ?? []).map(({ id }) => id);

  test('has three faults, each of a rule of its own, and each wrong token is of one of them', () => {
    const found = wrong.map(({ number, token }) =>
      faults.filter((fault) => judged(number, token, fault).finding === fault),
    );
    expect(found.every((own) => own.length === 1)).toBe(true);
    expect([...new Set(found.flat())].sort()).toEqual(['leak', 'shift', 'untrained-stop']);
    expect(new Set(wrong.map(({ number }) => number))).toEqual(new Set([2, 3, 4]));
  });

  test('says of another token that it is as it should be, and of another fault that it is not that', () => {
    expect(judged(1, 13, 'leak')).toMatchObject({ finding: null, said: expect.stringMatching(/weight 1, and should/) });
    expect(judged(4, 20, 'shift')).toMatchObject({
      finding: null,
      said: expect.stringMatching(/weight 0, and should/),
    });
    expect(judged(2, 20, 'shift')).toMatchObject({ finding: null, said: expect.stringMatching(/not what is wrong/) });
    expect(judged(3, 33, 'untrained-stop').said).toMatch(/So it is: untrained-stop/);
  });
});
