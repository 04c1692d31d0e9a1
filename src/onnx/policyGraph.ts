/**
 * The policy's forward pass (policy/forward.ts) as an ONNX graph, which export writes and import compares a file with.
 * Parameters are the graph's initialisers under their own names (policy/parameters.ts), matrices [in, out].
 *
 *   plain    input_ids [batch, time] → logits [batch, time, vocabulary], value [batch, time]
 *   cached   the same for the tokens that are new, with attention_mask [batch, past + time] (0 where a sequence has no
 *            token), position_ids [batch, time] and past_key_values.i.key, .value [batch, heads, past, head width] as
 *            further inputs and present.i.key, .value [batch, heads, past + time, head width] as outputs: the names that
 *            exports of language models have. past may be 0.
 *
 * Grouped heads of keys and values have an axis for the group: scores are [batch, heads of keys, group, time, past + time].
 */
import { type BlockMap, blockWidths, headsOf, isBiased, type PolicyConfiguration } from '../policy/configuration';
import { type Heads, headWidths } from '../tensor/heads';
import { float, GraphBuilder, int, ints, text } from './graphBuilder';
import { DATA_TYPE, type NodeDraft, type TensorDraft, type ValueInfoDraft } from './proto';

export interface PolicyGraph {
  readonly inputs: readonly ValueInfoDraft[];
  readonly outputs: readonly ValueInfoDraft[];
  readonly nodes: readonly NodeDraft[];
  /** Fixed tensors of the graph, which are not trained. */
  readonly constants: readonly TensorDraft[];
}

const LAYER_NORM_EPSILON = 1e-5;
const ROTARY_BASE = 10_000;
/** Score of a hidden token: the lowest float32 instead of −∞, so a row of only hidden tokens gives no NaN. */
const HIDDEN_SCORE = -3.4028234663852886e38;

export function policyGraph(configuration: PolicyConfiguration, options: { cached: boolean }): PolicyGraph {
  const graph = new GraphBuilder();
  const trunk = new Trunk(graph, configuration, options.cached);
  let stream = trunk.embedding();
  for (let layer = 0; layer < configuration.layers; layer++) stream = trunk.block(layer, stream);
  const hidden = trunk.norm('finalNorm', stream);
  graph.op('MatMul', [hidden, 'head.weight'], 'logits');
  graph.op('Add', [graph.op('MatMul', [hidden, 'value.weight'], 'value.product'), 'value.bias'], 'value');
  return { ...interfaceOf(configuration, options.cached), nodes: graph.nodes, constants: graph.constants };
}

class Trunk {
  readonly #graph: GraphBuilder;
  readonly #configuration: PolicyConfiguration;
  readonly #cached: boolean;
  readonly #heads: Heads;
  /** Positions of the tokens, int64 [time] or [batch, time]. */
  readonly #positions: string;
  /** Tokens that each token may attend to, bool, broadcast over [batch, heads, time, past + time]. */
  readonly #visible: string;

  constructor(graph: GraphBuilder, configuration: PolicyConfiguration, cached: boolean) {
    this.#graph = graph;
    this.#configuration = configuration;
    this.#cached = cached;
    this.#heads = headsOf(configuration);
    graph.int('zero', 0);
    graph.int('one', 1);
    graph.ints('last_axis', [1]);
    if (cached) {
      this.#positions = 'position_ids';
      this.#visible = this.#visibleWithPast();
    } else {
      this.#positions = graph.op('Range', ['zero', this.#size('input_ids', 1, 'time'), 'one'], 'places');
      this.#visible = this.#causal(this.#positions, this.#positions);
    }
    this.#addConstants();
  }

  embedding(): string {
    if (this.#configuration.llama?.tied) {
      const columns = this.#graph.op('Gather', ['head.weight', 'input_ids'], 'embedding.columns', int('axis', 1));
      return this.#graph.op('Transpose', [columns], 'embedding.tokens', ints('perm', [1, 2, 0]));
    }
    const tokens = this.#graph.op('Gather', ['tokens', 'input_ids'], 'embedding.tokens');
    if (this.#configuration.positions === 'rotary') return tokens;
    const places = this.#graph.op('Gather', ['positions', this.#positions], 'embedding.positions');
    return this.#graph.op('Add', [tokens, places], 'embedding');
  }

  block(layer: number, input: string): string {
    const graph = this.#graph;
    const name = `layer${layer}`;
    const attended = this.#attention(layer, this.norm(`${name}.attentionNorm`, input));
    const middle = graph.op('Add', [input, this.#linear(name, 'projection', attended)], `${name}.middle`);
    const up = this.#linear(name, 'up', this.norm(`${name}.feedForwardNorm`, middle));
    return graph.op('Add', [middle, this.#linear(name, 'down', this.#active(name, up))], `${name}.output`);
  }

  #active(name: string, up: string): string {
    const graph = this.#graph;
    const { activation, llama } = this.#configuration;
    if (llama === undefined) {
      if (activation === 'relu') return graph.op('Relu', [up], `${name}.activation`);
      return graph.op('Gelu', [up], `${name}.activation`, text('approximate', 'tanh'));
    }
    const [gate, values] = graph.split(up, `${name}.up.split`, 'gate', 'values') as [string, string];
    const open = graph.op('Mul', [gate, graph.op('Sigmoid', [gate], `${name}.gate.share`)], `${name}.gate`);
    return graph.op('Mul', [open, values], `${name}.activation`);
  }

  norm(name: string, input: string): string {
    const graph = this.#graph;
    if (this.#configuration.llama !== undefined) {
      const squares = graph.op('Mul', [input, input], `${name}.squares`);
      const mean = graph.op('ReduceMean', [squares, 'norm.axis'], `${name}.mean`, int('keepdims', 1));
      const root = graph.op('Sqrt', [graph.op('Add', [mean, 'norm.epsilon'], `${name}.square`)], `${name}.root`);
      const unscaled = graph.op('Div', [input, root], `${name}.unscaled`);
      return graph.op('Mul', [unscaled, `${name}.gamma`], name);
    }
    const attributes = [int('axis', -1), float('epsilon', LAYER_NORM_EPSILON)];
    return graph.op('LayerNormalization', [input, `${name}.gamma`, `${name}.beta`], name, ...attributes);
  }

  #linear(layer: string, map: BlockMap, input: string): string {
    const name = `${layer}.${map}`;
    if (!isBiased(this.#configuration, map)) return this.#graph.op('MatMul', [input, `${name}.weight`], name);
    const product = this.#graph.op('MatMul', [input, `${name}.weight`], `${name}.product`);
    return this.#graph.op('Add', [product, `${name}.bias`], name);
  }

  #attention(layer: number, input: string): string {
    const graph = this.#graph;
    const name = `layer${layer}`;
    const qkv = this.#linear(name, 'qkv', input);
    const parts = this.#split(qkv, `${name}.split`);
    const query = this.#byHead(`${name}.query`, this.#rotated(`${name}.query`, parts[0]));
    const key = this.#withPast(layer, 'key', this.#byHead(`${name}.key`, this.#rotated(`${name}.key`, parts[1])));
    const value = this.#withPast(layer, 'value', this.#byHead(`${name}.value`, parts[2]));
    const across = graph.op('Transpose', [key], `${name}.key.transposed`, ints('perm', [0, 1, 3, 2]));
    if (this.#isGrouped) return this.#grouped(name, query, across, value);
    const mixed = this.#mixed(name, query, across, value);
    const rows = graph.op('Transpose', [mixed], `${name}.attended.rows`, ints('perm', [0, 2, 1, 3]));
    return graph.op('Reshape', [rows, 'shape.rows'], `${name}.attended`);
  }

  /** Values, mixed for each query of each head. */
  #mixed(name: string, query: string, across: string, value: string): string {
    const graph = this.#graph;
    const scores = graph.op('MatMul', [query, across], `${name}.scores`);
    const scaled = graph.op('Mul', [scores, 'attention.scale'], `${name}.scores.scaled`);
    const masked = graph.op('Where', [this.#visible, scaled, 'attention.hidden'], `${name}.scores.masked`);
    const shares = graph.op('Softmax', [masked], `${name}.attention`, int('axis', -1));
    return graph.op('MatMul', [shares, value], `${name}.attended.heads`);
  }

  /** Attention in which several heads of queries share one of keys and values. */
  #grouped(name: string, query: string, across: string, value: string): string {
    const graph = this.#graph;
    const groups = graph.op('Reshape', [query, 'shape.groups'], `${name}.query.groups`);
    const keys = graph.op('Unsqueeze', [across, 'group_axis'], `${name}.key.group`);
    const values = graph.op('Unsqueeze', [value, 'group_axis'], `${name}.value.group`);
    const mixed = this.#mixed(name, groups, keys, values);
    const rows = graph.op('Transpose', [mixed], `${name}.attended.rows`, ints('perm', [0, 3, 1, 2, 4]));
    return graph.op('Reshape', [rows, 'shape.rows'], `${name}.attended`);
  }

  /** Queries, keys and values of rows. */
  #split(qkv: string, name: string): readonly [query: string, key: string, value: string] {
    const parts = ['query', 'key', 'value'];
    const of = this.#isGrouped
      ? this.#graph.splitInto(qkv, name, 'shape.qkv', parts)
      : this.#graph.split(qkv, name, ...parts);
    return of as [string, string, string];
  }

  get #isGrouped(): boolean {
    return this.#heads.keys !== this.#heads.queries;
  }

  /** [batch, time, …] → [batch, heads, time, head width]. */
  #byHead(name: string, input: string): string {
    const apart = this.#graph.op('Reshape', [input, 'shape.heads'], `${name}.apart`);
    return this.#graph.op('Transpose', [apart], `${name}.heads`, ints('perm', [0, 2, 1, 3]));
  }

  #withPast(layer: number, part: 'key' | 'value', present: string): string {
    if (!this.#cached) return present;
    const past = `past_key_values.${layer}.${part}`;
    return this.#graph.op('Concat', [past, present], `present.${layer}.${part}`, int('axis', 2));
  }

  /** Rotary positions (RoFormer, arXiv 2104.09864): turns pair (2i, 2i + 1) of each head by position · base^(−2i/D). */
  #rotated(name: string, input: string): string {
    if (this.#configuration.positions === 'learned') return input;
    const graph = this.#graph;
    const pairs = graph.op('Reshape', [input, 'shape.pairs'], `${name}.pairs`);
    const [even, odd] = graph.split(pairs, `${name}.pair`, 'even', 'odd') as [string, string];
    const times = (a: string, b: string, as: string): string => graph.op('Mul', [a, b], `${name}.${as}`);
    const first = [times(even, 'rotary.cosine', 'even.cosine'), times(odd, 'rotary.sine', 'odd.sine')];
    const second = [times(even, 'rotary.sine', 'even.sine'), times(odd, 'rotary.cosine', 'odd.cosine')];
    const turned = [graph.op('Sub', first, `${name}.turned.even`), graph.op('Add', second, `${name}.turned.odd`)];
    return graph.op('Concat', turned, `${name}.turned`, int('axis', -1));
  }

  /** Size of an axis, a scalar. */
  #size(of: string, axis: number, name: string): string {
    const shape = this.#graph.op('Shape', [of], `${name}.shape`, int('start', axis), int('end', axis + 1));
    return this.#graph.op('Squeeze', [shape], name);
  }

  /** Causal mask, bool [queries, keys]: key ≤ query. */
  #causal(queries: string, keys: string): string {
    const column = this.#graph.op('Unsqueeze', [queries, 'last_axis'], 'queries');
    return this.#graph.op('LessOrEqual', [keys, column], 'causal');
  }

  #visibleWithPast(): string {
    const graph = this.#graph;
    graph.ints('head_axes', this.#isGrouped ? [1, 2, 3] : [1, 2]);
    const past = this.#size('past_key_values.0.key', 2, 'past');
    const total = graph.op('Add', [past, this.#size('input_ids', 1, 'time')], 'total');
    const queries = graph.op('Range', [past, total, 'one'], 'places');
    const causal = this.#causal(queries, graph.op('Range', ['zero', total, 'one'], 'keys'));
    const present = graph.op('Cast', ['attention_mask'], 'attention_mask.bool', int('to', DATA_TYPE.bool));
    const ofHeads = graph.op('Unsqueeze', [present, 'head_axes'], 'attention_mask.heads');
    return graph.op('And', [causal, ofHeads], 'visible');
  }

  #addConstants(): void {
    const graph = this.#graph;
    const { context, positions, llama } = this.#configuration;
    const { queries, keys, width: D } = this.#heads;
    const heads = this.#isGrouped ? INFERRED : queries;
    graph.ints('shape.heads', [0, 0, heads, D]);
    graph.ints('shape.rows', [0, 0, blockWidths(this.#configuration).attention]);
    if (this.#isGrouped) {
      const widths = headWidths(this.#heads);
      graph.ints('shape.qkv', [widths.queries, widths.keys, widths.keys]);
      graph.ints('shape.groups', [0, keys, queries / keys, INFERRED, D]);
      graph.ints('group_axis', [2]);
    }
    if (llama !== undefined) {
      graph.ints('norm.axis', [-1]);
      graph.floats('norm.epsilon', [], Float32Array.of(llama.epsilon));
    }
    graph.floats('attention.scale', [], Float32Array.of(1 / Math.sqrt(D)));
    graph.floats('attention.hidden', [], Float32Array.of(HIDDEN_SCORE));
    if (positions === 'learned') return;
    const angles = Float64Array.from(
      { length: (context * D) / 2 },
      (_, i) => Math.floor(i / (D / 2)) * (llama?.theta ?? ROTARY_BASE) ** ((-2 * (i % (D / 2))) / D),
    );
    graph.ints('shape.pairs', [0, 0, heads, D / 2, 2]);
    graph.ints('pair_axes', [-3, -1]);
    for (const [name, of] of [['cosine', Math.cos] as const, ['sine', Math.sin] as const]) {
      const table = graph.floats(`rotary.${name}s`, [context, D / 2], Float32Array.from(angles, of));
      const places = graph.op('Gather', [table, this.#positions], `rotary.${name}.places`);
      graph.op('Unsqueeze', [places, 'pair_axes'], `rotary.${name}`);
    }
  }
}

/** Size of an axis that follows from the others. */
const INFERRED = -1;

type Dimension = string | number;

function value(name: string, elemType: number, dims: readonly Dimension[], docString: string): ValueInfoDraft {
  const dim = dims.map((size) => (typeof size === 'number' ? { dimValue: size } : { dimParam: size }));
  return { name, type: { tensorType: { elemType, shape: { dim } } }, docString };
}

function interfaceOf(configuration: PolicyConfiguration, cached: boolean): Pick<PolicyGraph, 'inputs' | 'outputs'> {
  const { layers, vocabulary } = configuration;
  const { keys, width } = headsOf(configuration);
  const { int64, float: float32 } = DATA_TYPE;
  const caches = (prefix: string, time: string, doc: string): ValueInfoDraft[] =>
    Array.from({ length: cached ? layers : 0 }, (_, layer) =>
      (['key', 'value'] as const).map((part) =>
        value(`${prefix}.${layer}.${part}`, float32, ['batch', keys, time, width], doc),
      ),
    ).flat();
  const places = [
    value('attention_mask', int64, ['batch', 'past + time'], '1 where a sequence has a token, 0 where it has none.'),
    value('position_ids', int64, ['batch', 'time'], 'Where each token stands in its sequence, from 0.'),
  ];
  return {
    inputs: [
      value('input_ids', int64, ['batch', 'time'], 'Tokens, as indices of the vocabulary in the metadata.'),
      ...(cached ? places : []),
      ...caches('past_key_values', 'past', 'Of the tokens before; past is 0 at the beginning.'),
    ],
    outputs: [
      value('logits', float32, ['batch', 'time', vocabulary], 'Of the token after each; temperature 1.'),
      value(
        'value',
        float32,
        ['batch', 'time'],
        'The critic’s value of the state after each token; 0 without a critic.',
      ),
      ...caches('present', 'past + time', 'To be given back as past_key_values.'),
    ],
  };
}
