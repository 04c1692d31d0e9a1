/** Signature of a decoder's graph: names and types of its inputs and outputs. */
import { headsOf, type PolicyConfiguration } from '../policy/configuration';

export interface PastInput {
  readonly name: string;
  readonly type: 'float32' | 'float16';
  /** Shape for so many sequences without tokens. */
  dims(sequences: number): number[];
  /** Output to feed back with the next tokens; null if every sequence is fed again from its beginning. */
  readonly present: string | null;
}

export interface DecoderSignature {
  readonly vocabulary: number;
  /** Longest sequence, in tokens; infinity if not known. */
  readonly context: number;
  readonly tokens: string;
  readonly integers: 'int64' | 'int32';
  /** Input [batch, past + time], 1 where there is a token; null if the graph has none. */
  readonly mask: string | null;
  /** Input [batch, time], the positions of the tokens; null if the graph has none. */
  readonly positions: string | null;
  readonly past: readonly PastInput[];
  /** Boolean input that switches the cache on, in graphs that work with and without it. */
  readonly useCache: string | null;
  /** Input for the number of last tokens whose logits are wanted; 0 for all. */
  readonly keptLogits: string | null;
  readonly logits: string;
}

/** Signature of graphs that exportOnnx writes. */
export function policySignature(configuration: PolicyConfiguration, cached: boolean): DecoderSignature {
  const { layers, vocabulary, context } = configuration;
  const heads = headsOf(configuration);
  const names = Array.from({ length: layers }, (_, layer) => [`${layer}.key`, `${layer}.value`]).flat();
  return {
    vocabulary,
    context,
    tokens: 'input_ids',
    integers: 'int64',
    mask: cached ? 'attention_mask' : null,
    positions: cached ? 'position_ids' : null,
    past: (cached ? names : []).map((name) => ({
      name: `past_key_values.${name}`,
      type: 'float32',
      dims: (sequences) => [sequences, heads.keys, 0, heads.width],
      present: `present.${name}`,
    })),
    useCache: null,
    keptLogits: null,
    logits: 'logits',
  };
}
