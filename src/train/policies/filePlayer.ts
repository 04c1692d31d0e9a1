/** A policy out of a file as a player in a world: a decoder that draws its tokens, a scorer, and their tensors. */
import type { Environment } from '../../environments/environment';
import { decoderChunk, isActionOver } from '../../environments/replay';
import { OnnxDecoder } from '../../onnx/decoder';
import { OnnxScorer } from '../../onnx/scorer';
import type { PolicySession } from '../../onnx/session';
import { legalSetTable } from '../../rl/play/legalSets';
import type { Backend, Tensor } from '../../tensor/backend';
import { HYPER_COLUMNS } from '../../tensor/layout';

/** Tokens scored at a time; more if an episode is longer. */
const SCORED_ROWS = 4096;

export interface FilePlayer {
  /** f32 [1, HYPER_COLUMNS], 0 until the caller writes it: the temperature, and loss weights of prompts. */
  readonly hyper: Tensor<'f32'>;
  /** Largest number of tokens fed per trajectory and turn. */
  readonly chunk: number;
  readonly decoder: OnnxDecoder;
  readonly scorer: OnnxScorer;
}

/**
 * Records a player; call before the backend is prepared. seed: index that keys its draws; trajectories: episodes at a time.
 * The session may serve other players between two calls.
 */
export function filePlayer(
  backend: Backend,
  session: PolicySession,
  environment: Environment,
  seed: number,
  trajectories: number,
): FilePlayer {
  const { context, maxActionTokens, thoughts } = environment;
  const legal = legalSetTable(environment, session.vocabulary);
  const legalSets = backend.tensor('legalSets', 'u32', 1, legal.length);
  backend.write(legalSets, legal);
  const hyper = backend.tensor('hyper', 'f32', 1, HYPER_COLUMNS);
  const seedIndex = backend.tensor('seedIndex', 'u32', 1, 1);
  backend.write(seedIndex, Uint32Array.of(seed));
  const chunk = decoderChunk(environment);
  const isOver = (drawn: readonly number[]): boolean => isActionOver(environment, drawn);
  const decoding = { members: 1, trajectories, chunk, maxActionTokens, isOver, thoughts };
  const decoder = new OnnxDecoder(backend, session, { ...decoding, legalSets, hyper, seedIndex });
  const scorer = new OnnxScorer(backend, session, { rows: Math.max(SCORED_ROWS, context), legalSets, hyper });
  return { hyper, chunk, decoder, scorer };
}
