/** How a decoder's graph is spoken to: which inputs it wants besides tokens, and which outputs tell what. */
import type { PolicyConfiguration } from '../policy/configuration';

export interface PastInput {
  readonly name: string;
  readonly type: 'float32' | 'float16';
  /** For so many sequences, with no token in it. */
  dims(sequences: number): number[];
  /** The output to be handed in with the next tokens; null where every sequence is fed from its beginning. */
  readonly present: string | null;
}

export interface DecoderSignature {
  readonly vocabulary: number;
  /** The longest sequence; infinity where nothing says. */
  readonly context: number;
  readonly tokens: string;
  readonly integers: 'int64' | 'int32';
  /** 1 for each token there is, [batch, past + time]. */
  readonly mask: string | null;
  /** [batch, time]. */
  readonly positions: string | null;
  readonly past: readonly PastInput[];
  /** Whether the past is to be looked at, in graphs that hold both ways. */
  readonly useCache: string | null;
  /** After how many of the last tokens logits are wanted: 0 for all. */
  readonly keptLogits: string | null;
  readonly logits: string;
}

/** Of what exportOnnx writes. */
export function policySignature(configuration: PolicyConfiguration, cached: boolean): DecoderSignature {
  const { layers, heads, width, vocabulary, context } = configuration;
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
      dims: (sequences) => [sequences, heads, 0, width / heads],
      present: `present.${name}`,
    })),
    useCache: null,
    keptLogits: null,
    logits: 'logits',
  };
}
