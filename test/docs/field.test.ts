/**
 * docs/field.md and the page's place “Methods”: every link opens what its words say, every name is found, and the document is as
 * the lists are.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { openWorlds } from '../../src/environments/own/here';
import { findEnvironment } from '../../src/environments/registry';
import { lossProblems } from '../../src/experiment/arm/ownLosses';
import { isRelevant } from '../../src/experiment/arm/relevance';
import { defaultArm, findArmSetting, getArmSetting } from '../../src/experiment/experiment';
import { decodeRunLink } from '../../src/experiment/link/link';
import { objectivePresets } from '../../src/experiment/objectives/objectivePresets';
import { findPreset } from '../../src/experiment/presets/presets';
import { whereabouts } from '../../src/ui/model/place';
import { LESSON_IDS } from '../../src/ui/places/library/lessons/titles';
import type { Where } from '../../src/ui/places/library/methods/method';
import { METHOD_GROUPS, nearestMethods, searchMethods } from '../../src/ui/places/library/methods/methods';
import { sourcesOf } from '../../src/ui/places/library/methods/sources';
import { fragmentTo, wordsOf } from '../../src/ui/places/library/methods/where';
import { filesBelow } from '../support/imports';
import { fieldPage } from './fieldPage';

beforeAll(openWorlds);

const METHODS = METHOD_GROUPS.flatMap(({ methods }) => methods);
const PLACES = [...new Map(METHODS.flatMap(({ where }) => where).map((one) => [fragmentTo(one), one])).values()];
const of = <K extends Where['kind']>(kind: K) =>
  PLACES.filter((one): one is Extract<Where, { kind: K }> => one.kind === kind);
/** `with-it/klCoefficient`: what the place shows first. */
const shownAt = (where: Where): string => whereabouts(fragmentTo(where)).name;
const experimentAt = (where: Where) => decodeRunLink(whereabouts(fragmentTo(where)).experiment).experiment;

test('the document is as the lists are', async () => {
  await expect(fieldPage()).toMatchFileSnapshot('../../docs/field.md');
});

describe('a link opens what its words say', () => {
  test.each(of('experiment'))('experiment $id', (where) => {
    expect(experimentAt(where)).toEqual(findPreset(where.id)?.experiment);
  });

  test.each(of('objective'))('objective $id', (where) => {
    const [, arm] = experimentAt(where).arms;
    expect(arm?.objective).toBe(where.id);
    expect(wordsOf(where)).toContain(arm?.name);
    expect(shownAt(where)).toBe(`${arm?.id}/objective`);
  });

  test.each(of('setting'))('setting $path, which has an effect', (where) => {
    const { arms, environment, ...rest } = experimentAt(where);
    const [without, arm = defaultArm('none', 'None')] = arms;
    if (without === undefined) throw new Error('The link has no arm.');
    const path = findArmSetting(where.path)?.path;
    if (path === undefined) {
      const value = where.path
        .split('.')
        .reduce<unknown>((at, key) => Object(at)[key], { ...rest, environment: environment.settings });
      const before = findPreset(where.preset)?.experiment;
      expect(shownAt(where)).toBe(where.path);
      expect(value).toBe(where.value);
      expect({ arms, environment, ...rest }).not.toEqual(before);
      const ofWorld = findEnvironment(environment.id)?.settings.find(({ key }) => `environment.${key}` === where.path);
      expect(ofWorld?.isRelevant?.(environment.settings)).not.toBe(false);
      return;
    }
    expect(getArmSetting(arm, path)).toBe(where.value);
    expect(getArmSetting(without, path)).not.toBe(where.value);
    expect(isRelevant(arm, path)).toBe(true);
    expect(shownAt(where)).toBe(`with-it/${path}`);
  });

  test.each(of('recipe'))('loss $name', (where) => {
    const [, arm] = experimentAt(where).arms;
    expect(arm?.losses.map(({ text }) => text)).toEqual([readFileSync(`docs/recipes/${where.name}.loss`, 'utf8')]);
    expect(lossProblems(arm?.losses ?? [])).toEqual([]);
  });

  test.each(of('place'))('$part, of the place $place', ({ place, part, name }) => {
    expect(whereabouts(fragmentTo({ kind: 'place', place, part, name })).place).toBe(place);
    const files = filesBelow('src/ui/places', /\.tsx?$/).filter((path) => path.includes(`/${place}/`));
    const texts = [...files, 'src/ui/model/place.ts'].map((path) => readFileSync(path, 'utf8'));
    expect(texts.some((text) => text.includes(part))).toBe(true);
    if (place === 'lessons') expect(LESSON_IDS).toContain(name);
  });

  test('charts are there, as are the words of all links', () => {
    for (const where of PLACES) expect(wordsOf(where)).not.toMatch(/undefined|^$/);
    expect(of('chart').map(fragmentTo)).toEqual(of('chart').map(() => expect.stringMatching(/^#(lab|training)$/)));
  });
});

const SURVEYED =
  'action mask; ECHO; PaW; ActObs; Prime Intellect; Search-R1; ReTool; ToRL; Dark Room; RWML; TAPO; AAWM; VAGEN; CWM; AgentGym-RL; ' +
  'ScalingInter; Agent-R1; AgentRL; AutoForge; RAGEN; StarPO-S; RAGEN-2; echo trap; GLM-5.2; GiGPO; SimpleTIR; PPO; GAE; GRPO; DeepSeek-R1; ' +
  'Dr. GRPO; RLOO; ReMax; DAPO; GSPO; CISPO; VAPO; TRPO; DPPO; TIS; V-trace; K3 KL; DPO; RFT; offline RL; length penalty; tool shaping; ' +
  'composite reward; adaptive temperature; epsilon; diverse sampling; verl; TRL; OpenRLHF; AReaL; StreamRL; vLLM; SGLang; gVisor; SandboxFusion; ' +
  'Kubernetes; LangGraph; ReAct; OpenEnv; RFC 010; ReSearch; ToolRL; WebRL; AgentQ; WebGUM; OpenVLA; OSWorld; Computer-Use; WebArena; WebShop; ' +
  'BrowseComp; GAIA; tau-bench; BFCL; CodeRL; PPOCoder; SWE-RL; SWE-bench; SWE-Lancer; MLE-bench; KodCode; Terminal-Bench; AgentTuning; Agent-FLAN; ' +
  'ReFT; VPT; HER; subgoals; PRM; Math-Shepherd; Let’s Verify; Self-Rewarding; RLAIF; Constitutional AI; LLM judge; R-Zero; Absolute Zero; ' +
  'AgentFounder; WebShaper; Light-R1; Sky-T1; OpenAgent; InstructGPT; verifier’s rule; failure modes; REINFORCE++; MaxRL; ERPO; SDPO; RTMC; IGPO; pass^k; ' +
  'Early Experience; LUFFY; FoldGRPO; TreeRL; SPA-RL; Verlog; CubeLM; EnvACE; BehR; label-free rewards; self-consistency; ensemble of reward models; ' +
  'Pareto front; tool diversity; sigmoid length penalty; σ floor; priority replay; good against bad; correct calls; stages; frozen world model';

describe('a search', () => {
  test.each(METHODS)('finds $name by all of its names, and by words of what it does', (method) => {
    for (const name of [method.name, ...method.also]) {
      const found = searchMethods(name).map((one) => one.method.name);
      expect(found.slice(0, 4), name).toContain(method.name);
    }
    expect(searchMethods(method.name)[0]?.method).toBe(method);
    const words = method.line.split(' ').slice(0, 4).join(' ');
    expect(searchMethods(words).map((one) => one.method)).toContain(method);
  });

  test.each([
    ['RFT', 'RFT'],
    ['rejection fine-tuning', 'RFT'],
    ['dr grpo', 'Dr. GRPO'],
    ['searchr1', 'Search-R1'],
    ['tau bench', 'τ-bench'],
    ['2503.14476', 'DAPO'],
    ['clip higher', 'DAPO'],
    ['void', 'SimpleTIR'],
    ['scripted customer', 'τ-bench'],
    ['τ-bench pass^k', 'τ-bench'],
    ['τ-bench pass^k', 'pass^k'],
    ['AgentRL cross-policy sampling', 'AgentRL'],
    ['SNR-aware filtering', 'RAGEN-2'],
    ['Reinforcement fine-tuning', 'ReFT'],
    ['top-p exploration', 'Top-p'],
    ['curriculum PLR', 'PLR'],
    ['CMAE', 'PaW'],
    ['clipped MAE', 'PaW'],
  ])('%s leads to %s', (text, name) => {
    expect(
      searchMethods(text)
        .slice(0, 3)
        .map((one) => one.method.name),
    ).toContain(name);
  });

  test.each([
    ['top-p sampling exploration of tokens', 'Top-p'],
    ['AgentRL cross-policy sampling on Kubernetes', 'AgentRL'],
    ['SNR-aware filtering of prompts', 'RAGEN-2'],
    ['Reinforcement fine-tuning with Sokoban levels', 'ReFT'],
    ['curriculum by zebras', 'Curriculum'],
    ['pass^k on Taubench', 'pass^k'],
  ])('%s, which nothing has whole, leads nearest to %s', (text, name) => {
    expect(searchMethods(text)).toEqual([]);
    const near = nearestMethods(text).map((one) => one.method.name);
    expect(near.slice(0, 3)).toContain(name);
    expect(near.length).toBeLessThanOrEqual(8);
  });

  test('ranks by the number of words, then by how rare they are', () => {
    const [first, second] = nearestMethods('Mastermind WebShaper Sokoban VisualWebArena RAGEN').map(
      (one) => one.method.name,
    );
    expect([first, second]).toEqual(['RAGEN', 'Curriculum']);
  });

  test('finds whatever the field’s surveys name', () => {
    const unknown = SURVEYED.split('; ').filter((name) => searchMethods(name).length === 0);
    expect(unknown).toEqual([]);
  });

  test('finds nothing where there is nothing, and everything for no word', () => {
    expect(searchMethods('zebra crossing')).toEqual([]);
    expect(nearestMethods('zebra crossing of the')).toEqual([]);
    expect(searchMethods('  ').map((one) => one.method)).toEqual(METHODS);
  });
});

test('every objective is among them, no name is there twice, and all have a source', () => {
  const objectives = of('objective').map(({ id }) => id);
  expect(objectivePresets.map(({ id }) => id).filter((id) => !objectives.includes(id))).toEqual([]);
  const names = METHODS.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  for (const { name, line, source, where, differs } of METHODS) {
    expect(line, name).toMatch(/[.)]$/);
    expect(
      sourcesOf(source).every(({ words }) => words !== ''),
      name,
    ).toBe(true);
    // A method that is not here says why.
    expect(where.length > 0 || differs !== '', name).toBe(true);
  }
});
