// Everything that reads what may come from anyone, each with inputs that are meant ill.
import fc from 'fast-check';
import { parseFixtures } from '../../../src/check/format';
import { decodeResult, judgeReproduction, type SharedResult } from '../../../src/experiment/conclude/result';
import { armSettings, experimentSettings } from '../../../src/experiment/experiment';
import { decodeRunLink, encodeLink } from '../../../src/experiment/link/link';
import { splitMachines } from '../../../src/experiment/machines';
import { parseExperiment } from '../../../src/experiment/parse';
import { findPreset, presets } from '../../../src/experiment/presets/presets';
import { ghostOf } from '../../../src/measured/sentResult';
import { exportOnnx } from '../../../src/onnx/exportOnnx';
import { decoderOf } from '../../../src/onnx/foreign/decoderOf';
import { type ModelOutline, readOutline } from '../../../src/onnx/foreign/outline';
import { importOnnx } from '../../../src/onnx/importOnnx';
import { decode, encode } from '../../../src/onnx/messages';
import { MODEL } from '../../../src/onnx/proto';
import { tokeniserFor } from '../../../src/train/reading/tokeniser';
import { parseTranscript } from '../../../src/train/reading/transcript';
import { findPart } from '../../../src/ui/frame/embed/shownPart';
import { drawingOf } from '../../../src/ui/model/charts/drawn/drawing';
import { plotOf } from '../../../src/ui/model/charts/drawn/plotted';
import { chartOf } from '../../../src/ui/model/charts/kinds/definitions';
import { embedOf } from '../../../src/ui/model/embedAddress';
import { fixture, TEXT } from '../foreignModels';
import { randomPolicy } from '../policies';
import { damaged, jumbled, mutated } from './hostile';
import { RUN_SUBJECTS } from './runs';
import { type Subject, subject } from './subject';

const tiny = (findPreset('gridworld-tiny') ?? presets[0])?.experiment;
if (tiny === undefined) throw new Error('There is no preset.');
const ids = tiny.arms.map(({ id }) => id);

const LINK_PARTS = [
  ...['preset=', 'arms=', 'changes=', 'result=', 'hide=', 'ran=', 'environment=', 'title=', 'v='],
  ...['&', '&', '&', '=', ',', ';', ':', '.', '*', '%', '%00', '%e2%80%ae', '+', '#'],
  ...['gridworld', 'gridworld-tiny', 'settings', 'webgpu', 'true', '0', '1', '-1', '1e9', '1e999', '0.3', '__proto__'],
  ...ids,
  ...armSettings.map(({ path }) => `arms.${ids[0]}.${path}=`),
  ...experimentSettings.map(({ path }) => `${path}=`),
];

const links = jumbled(LINK_PARTS).chain((odd) =>
  fc.constantFrom(odd, `preset=gridworld-tiny&${odd}`, `${encodeLink(tiny)}&${odd}`),
);

const deflated = async (text: string): Promise<string> => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url');
};

const shared: SharedResult = {
  updates: 12,
  device: 'CPU',
  digest: '0123456789abcdef',
  at: [3, 7, 11],
  arms: tiny.arms.map(({ id, name }) => ({
    id,
    name,
    area: [0.2, null, 0.4],
    successRate: [0.1, 0.2, 0.3],
    observationCrossEntropy: [null, 1.5, 0.25],
  })),
};

/** The page's way with a result: behind two charts on each of their axes, and judged. */
async function show(text: string): Promise<void> {
  const sent = await decodeResult(await deflated(text));
  judgeReproduction(sent, shared);
  for (const metric of ['successRate', 'observationCrossEntropy'] as const) {
    for (const choice of ['clipped', 'whole', 'log'] as const) {
      const drawable = {
        experiment: tiny as never,
        curves: null,
        ghost: ghostOf(sent, 'sent'),
        choice,
        randomSuccess: null,
      };
      const { across, up, series } = plotOf(drawingOf(chartOf(metric), { limit: 64 }, drawable));
      const numbers = [...across.domain, ...across.ticks, ...up.domain, ...up.ticks];
      const drawn = series.flatMap(({ points }) => points.flatMap(({ at, value }) => [at, value ?? 0]));
      if (![...numbers, ...drawn].every(Number.isFinite)) throw new Error('A chart has no end.');
    }
  }
}

const policy = randomPolicy(1, { layers: 1, width: 16 });
const policyFile = exportOnnx(policy, { cached: false });
const policyModel = decode(MODEL, policyFile, 1e6);
const entries = policyModel.metadataProps.map(({ key = '', value = '' }) => [key, value] as const);
const isJson = (text: string): boolean => /^[[{\d]/.test(text);

/** A policy's file of which one entry of the metadata is another. */
const metadata = fc.constantFrom(...entries).chain(([changed, value]) => {
  const other =
    isJson(value) && value.length > 2 && /^[[{]/.test(value) ? mutated(JSON.parse(value)) : jumbled(LINK_PARTS);
  return other.map((text) =>
    encode(MODEL, {
      ...policyModel,
      metadataProps: policyModel.metadataProps.map((entry) =>
        entry.key === changed ? { ...entry, value: text } : entry,
      ),
    }),
  );
});

const foreignModel = fixture('decoder.onnx');
const noOutline: ModelOutline = {
  producer: '',
  inputs: [],
  outputs: [],
  weightFiles: [],
  isQuantised: false,
  metadata: new Map(),
};

/** Every token that a tokenizer gives is one that a model can be asked for. */
async function tokenise(text: string): Promise<void> {
  const tokeniser = await tokeniserFor(noOutline, new Map([['tokenizer.json', new Blob([text])]]));
  const tokens = [...tokeniser.beginning, ...tokeniser.encode(TEXT.slice(0, 200))];
  if (!tokens.every((token) => Number.isSafeInteger(token) && token >= 0)) throw new Error(`Tokens ${tokens}`);
  for (const token of tokens.slice(0, 20)) {
    if (typeof tokeniser.write(token) !== 'string') throw new Error('A token is no text.');
  }
}

const scalarFixture = {
  name: 'a',
  source: { repo: 'r', path: 'p', commit: 'c', function: 'f' },
  params: { clip: 0.2 },
  inputs: { rewards: { shape: [2, 2], dtype: 'f32', data: [0, 1, 'NaN', 2] } },
  expected: { advantages: { shape: [4], dtype: 'f64', data: [0, 1, 2, 3] }, metrics: { kl: 0.1 } },
};

export const SUBJECTS: readonly Subject[] = [
  subject('links', links, (link) => decodeRunLink(link)),
  subject('experiment files', mutated(tiny), (text) => parseExperiment(splitMachines(JSON.parse(text)).rest)),
  subject('results in links', mutated(shared), show),
  subject('results that are no text', fc.string({ unit: 'binary' }), (text) => decodeResult(text)),
  subject('policy files', damaged(policyFile), (bytes) => importOnnx(bytes)),
  subject('metadata of policies', metadata, (bytes) => decodeRunLink(importOnnx(bytes).experiment)),
  subject('models of others', damaged(foreignModel), (bytes) => decoderOf(readOutline(bytes))),
  subject('bytes', fc.uint8Array({ maxLength: 400 }), (bytes) => decoderOf(readOutline(bytes))),
  subject('tokenizers', mutated(JSON.parse(fixture('tokenizer.json').toString())), tokenise),
  subject('transcripts', jumbled(['prompt:', 'action: ', 'observation:', '\n', '\r\n', ' ', 'up']), (text) =>
    parseTranscript(text),
  ),
  subject('addresses of frames', jumbled(['embed=', '&', 'chart-', 'successRate', '%', '+', ...ids]), (search) =>
    findPart(embedOf(`?${search}`) ?? '', tiny.arms),
  ),
  ...RUN_SUBJECTS,
  subject('fixture files', mutated([scalarFixture]), (text) => parseFixtures(text)),
];
