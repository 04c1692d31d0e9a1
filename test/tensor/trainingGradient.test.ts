/**
 * The whole of training's mathematics at once: transformer forward, masked log-prob and token objective, against the
 * parameter gradients that the backward operations accumulate. Two members with their own weights, losses and rows.
 */
import { describe, test } from 'vitest';
import { allocate, f32, normal, normalRows, randomFor, unwritten } from '../../src/parity/cases/case';
import { EVERYTHING, hyperTensor, WORLD_MODEL } from '../../src/parity/cases/hyper';
import { batchSize, legalSetTensor, makeTokensLegal, manyShort, packRows } from '../../src/parity/cases/rows';
import { allocateActivations, allocateScratch } from '../../src/policy/activations';
import { recordBackward } from '../../src/policy/backward';
import type { PolicyConfiguration } from '../../src/policy/configuration';
import { recordHead, recordTrunk } from '../../src/policy/forward';
import { initialParameters, layoutParameters, parameterViews } from '../../src/policy/parameters';
import type { Operations } from '../../src/tensor/backend';
import { TERM_COLUMNS } from '../../src/tensor/layout';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { checkGradients } from './finiteDifference';
import { lossFromTerms } from './lossFromTerms';

const FEW_LONG = [
  [7, 0, 4],
  [1, 8, 0],
];

/** Every thirteenth parameter of a member, shifted between members, so that all kinds are met in reasonable time. */
const sampled = (p: number, i: number): boolean => (i + p) % 13 === 0;

describe('The gradient of the training loss', () => {
  const variants = [
    { positions: 'learned', activation: 'gelu', layers: 1, lengths: FEW_LONG },
    { positions: 'rotary', activation: 'relu', layers: 2, lengths: FEW_LONG },
    { positions: 'rotary', activation: 'gelu', layers: 1, lengths: manyShort(randomFor('training'), 2, 18) },
  ] as const;

  test.each(variants)('with $positions positions, $activation and $layers layers', async (variant) => {
    const { lengths, ...shape } = variant;
    const P = 2;
    const [width, heads, context, vocabulary] = [8, 2, 8, 12];
    const configuration: PolicyConfiguration = { ...shape, width, heads, context, vocabulary, initialScale: 0.05 };
    const layout = layoutParameters(configuration);
    const random = randomFor(JSON.stringify(shape));
    const rows = packRows(random, lengths, { vocabulary, legalSets: 3 });
    const legalSets = legalSetTensor(random, 3, vocabulary);
    makeTokensLegal(rows, legalSets, vocabulary);
    const chunks = Math.ceil(rows.sequences / 16);
    const R = rows.capacity;
    // Larger than what training starts from: every path of the network then matters.
    const noise = normal(random, P, layout.size, 0.3).data;
    const initial = [0, 1].flatMap((p) => [...initialParameters(layout, 1, p)]);
    const hyper = hyperTensor(EVERYTHING, { ...WORLD_MODEL, clipLow: 0.05, clipHigh: 0.05, entropyCoefficient: 0.1 });

    const backend = new ReferenceBackend();
    const t = allocate(backend, {
      ...rows.tensors,
      parameters: f32(
        P,
        initial.map((value, i) => value + (noise[i] as number)),
      ),
      gradients: unwritten(P, layout.size),
      // Zero: nobody writes the value head's part.
      partials: f32(P, new Float32Array(P * chunks * layout.size)),
      legalSets,
      hyper,
      logits: unwritten(P, R * vocabulary),
      logProb: unwritten(P, R),
      entropy: unwritten(P, R),
      logSumExp: unwritten(P, R * 2),
      oldNoise: normalRows(random, rows.counts, R, 1, 0.3),
      oldLogProb: unwritten(P, R),
      referenceLogProb: unwritten(P, R),
      advantage: normal(random, P, batchSize(rows.sequences)),
      counts: unwritten(P, 4),
      terms: unwritten(P, R * TERM_COLUMNS),
      dLogProb: unwritten(P, R),
      dEntropy: unwritten(P, R),
    });
    const parameter = parameterViews(layout, t.f32('parameters'));
    const activations = allocateActivations(backend, configuration, P, R, { keep: true, label: 'train' });
    const scratch = allocateScratch(backend, configuration, P, R);

    const score = (ops: Operations): void => {
      recordTrunk(ops, configuration, parameter, activations, t.rows(), null);
      recordHead(ops, parameter, t.f32('logits'), activations.finalNorm, t.rows());
      const outputs = [t.f32('logProb'), t.f32('entropy'), t.f32('logSumExp')] as const;
      ops.maskedLogProb(...outputs, t.f32('logits'), t.rows(), t.u32('legalSets'), t.f32('hyper'), vocabulary);
    };
    const objective = (ops: Operations): void => {
      const inputs = {
        logProb: t.f32('logProb'),
        oldLogProb: t.f32('oldLogProb'),
        referenceLogProb: t.f32('referenceLogProb'),
        behaviourLogProb: t.f32('oldLogProb'),
        entropy: t.f32('entropy'),
        advantage: t.f32('advantage'),
        counts: t.f32('counts'),
        hyper: t.f32('hyper'),
      };
      ops.countRoles(t.f32('counts'), t.sequences(), { accumulate: false });
      ops.tokenObjective(t.f32('dLogProb'), t.f32('dEntropy'), t.f32('terms'), inputs, t.rows(), 'all');
    };

    // Old and reference log-probs around the present ones, so that some ratios are clipped and some are not.
    backend.run(backend.record('present log-probs', P, score));
    const [present, noiseOfOld] = await backend.read(t.f32('logProb'), t.f32('oldNoise'));
    backend.write(
      t.f32('oldLogProb'),
      Float64Array.from(present, (value, i) => value + (noiseOfOld[i] as number)),
    );
    backend.write(
      t.f32('referenceLogProb'),
      Float64Array.from(present, (value, i) => value - (noiseOfOld[i] as number)),
    );

    await checkGradients({
      backend,
      members: P,
      forward: backend.record('forward', P, (ops) => {
        score(ops);
        objective(ops);
      }),
      backward: backend.record('backward', P, (ops) => {
        const saved = [t.f32('dLogProb'), t.f32('dEntropy'), t.f32('entropy'), t.f32('logSumExp')] as const;
        const logits = t.f32('logits');
        ops.maskedLogProbBackward(logits, ...saved, t.rows(), t.u32('legalSets'), t.f32('hyper'), vocabulary);
        const partials = t.f32('partials');
        recordBackward(ops, configuration, parameter, activations, scratch, logits, null, partials, t.sequences());
        ops.reduceChunks(t.f32('gradients'), partials, chunks, { accumulate: false });
      }),
      losses: async () => {
        const [terms, counts] = await backend.read(t.f32('terms'), t.f32('counts'));
        return lossFromTerms(terms, counts, hyper.data, rows.counts, 'all');
      },
      inputs: [{ tensor: t.f32('parameters'), gradient: t.f32('gradients'), checked: sampled }],
    });
  });
});
