/** Trajectories scored by the float64 reference under any parameters, one after another in its own table of rows. */
import type { Arm } from '../../src/experiment/experiment';
import { ROLE } from '../../src/foundation/roles';
import { allocateActivations } from '../../src/policy/activations';
import { recordHead, recordTrunk } from '../../src/policy/forward';
import { parameterViews } from '../../src/policy/parameters';
import { legalSetTable } from '../../src/rl/play/legalSets';
import { hyperparameters } from '../../src/rl/population';
import type { FloatData, Program, Tensor } from '../../src/tensor/backend';
import { packMeta, ROW_FIELDS } from '../../src/tensor/layout';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import type { Trainer } from '../../src/train/population/trainer';

interface Sequence {
  readonly tokens: ArrayLike<number>;
  readonly roles: ArrayLike<number>;
}

/** Numbers of all sequences, one after another: [rows]; `qkv` of each layer, [rows, 3·width]. */
export interface Scores {
  readonly logProb: FloatData;
  readonly entropy: FloatData;
  readonly qkv: readonly FloatData[];
}

export class Scoring {
  readonly #backend = new ReferenceBackend();
  readonly #parameters: Tensor<'f32'>;
  readonly #read: readonly Tensor<'f32'>[];
  readonly #program: Program;

  /** For environments with one legal set for all actions. */
  constructor(
    { configuration, layout, environment }: Pick<Trainer, 'configuration' | 'layout' | 'environment'>,
    arm: Arm,
    sequences: readonly Sequence[],
  ) {
    const backend = this.#backend;
    const { vocabulary } = configuration;
    let R = 0;
    const starts = [0];
    for (const { tokens } of sequences) {
      R += tokens.length;
      starts.push(R);
    }
    const tensor = (label: string, stride: number) => backend.tensor(label, 'f32', 1, stride);
    const u32 = (label: string, values: number[] | Uint32Array) => {
      const made = backend.tensor(label, 'u32', 1, values.length);
      backend.write(made, Uint32Array.from(values));
      return made;
    };
    const table = sequences.flatMap(({ tokens, roles }, s) =>
      Array.from(tokens).flatMap((token, t) => {
        const role = roles[t] as number;
        return [token, t, starts[s] as number, packMeta(role, role === ROLE.action ? 1 : 0, s)];
      }),
    );
    const rows = {
      table: u32('rows', table),
      count: u32('count', [table.length / ROW_FIELDS]),
      start: u32('start', starts),
      capacity: R,
      sequences: sequences.length,
    };
    this.#parameters = tensor('parameters', layout.size);
    const ofArm = hyperparameters([{ arm: arm.id, armIndex: 0, seed: 0 }], [arm], 0);
    const hyper = tensor('hyper', ofArm.length);
    backend.write(hyper, Float64Array.from(ofArm));
    const legal = u32('legal', legalSetTable(environment, vocabulary));
    const activations = allocateActivations(backend, configuration, 1, R, { keep: true, label: 'again' });
    const [logits, logProb, entropy, sums] = [
      tensor('logits', R * vocabulary),
      tensor('logProb', R),
      tensor('entropy', R),
      tensor('sums', 2 * R),
    ] as const;
    const policy = parameterViews(layout, this.#parameters);
    this.#read = [logProb, entropy, ...activations.layers.map(({ qkv }) => qkv)];
    this.#program = backend.record('again', 1, (ops) => {
      recordTrunk(ops, configuration, policy, activations, rows, null);
      recordHead(ops, policy, logits, activations.finalNorm, rows);
      ops.maskedLogProb(logProb, entropy, sums, logits, rows, legal, hyper, vocabulary);
    });
  }

  /** Scores under `parameters`, [N]. */
  async score(parameters: ArrayLike<number>): Promise<Scores> {
    this.#backend.write(this.#parameters, Float64Array.from(parameters));
    this.#backend.run(this.#program);
    const [logProb, entropy, ...qkv] = await this.#backend.read(...this.#read);
    return { logProb: logProb as FloatData, entropy: entropy as FloatData, qkv };
  }
}
