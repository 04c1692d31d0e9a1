/**
 * Formulas as dispatches: two kernels that pack what a text reads, and a text's own (src/formula/wgsl), one of each kind a
 * text. Comments are left out of what is compiled: a device sees nothing that someone typed but names.
 */
import type { Formula } from '../../formula/compile';
import { columnsOf, type FurtherColumn, furtherColumns } from '../../formula/packing';
import type { Pass } from '../../formula/schedule';
import { type ModuleKind, passesIn, wgslModule } from '../../formula/wgsl/module';
import { type Kernel, kernelOfCode } from '../../gpu/kernel';
import type { Batch } from '../operations/batch';
import type { FormulaInputs, FormulaOperations } from '../operations/formula';
import { ceilDivide, type Recorder, THREADS } from './recorder';

const kernels: Readonly<Record<ModuleKind, WeakMap<Formula, Kernel>>> = {
  held: new WeakMap(),
  objective: new WeakMap(),
};

function kernelFor(formula: Formula, kind: ModuleKind): Kernel {
  const known = kernels[kind].get(formula);
  if (known !== undefined) return known;
  const origin = `the formula\n${formula.text}\n`;
  const kernel = kernelOfCode(`formula/${kind}.wgsl`, wgslModule(formula, kind, { commented: false }), origin);
  kernels[kind].set(formula, kernel);
  return kernel;
}

const GATHERED: Readonly<Partial<Record<FurtherColumn, keyof FormulaInputs>>> = {
  sampler: 'behaviourLogProb',
  reference: 'referenceLogProb',
  advantage: 'advantage',
  returns: 'returns',
  value: 'oldValue',
};

export function formulaOperations(recorder: Recorder): FormulaOperations {
  const threadsOf = (pass: Pass, batch: Batch, trajectories: number): number =>
    ({ trajectory: trajectories, group: batch.groups, batch: 1 })[pass.over];
  return {
    formulaInputs(packed, formula, batch, inputs, { hyper, armHyper }) {
      const { roles, groupStart, outcomes, trajectories, context, groups } = batch;
      const { weight, tokenReward, group } = inputs;
      const [columns, further] = [columnsOf(formula), furtherColumns(formula)];
      recorder.threads('formula/structure', Math.max(trajectories, groups), {
        tensors: { packed, roles, groupStart, group, outcomes, weight, tokenReward, hyper, armHyper },
        params: {
          trajectories,
          context,
          groups,
          columns,
          roleColumn: further.get('role') ?? 0,
          turnRewardColumn: further.get('turnReward') ?? 0,
          needsReward: formula.reads.has('reward') ? 1 : 0,
        },
      });
      for (const [name, column] of further) {
        const source = GATHERED[name];
        if (source === undefined) continue;
        const tokens = trajectories * context;
        recorder.threads('formula/gather', tokens, {
          tensors: { packed, x: inputs[source], roles },
          params: { tokens, columns, column, onlyActions: name === 'sampler' ? 1 : 0 },
        });
      }
    },

    formulaHeld(packed, formula, batch, { logProb, entropy, oldLogProb }, parameters) {
      const passes = passesIn(formula, 'held');
      if (passes.length === 0) return;
      const { trajectories, context, groups } = batch;
      passes.forEach((pass, stage) => {
        const items = pass === 'rows' ? 0 : threadsOf(pass, batch, trajectories);
        recorder.dispatch(kernelFor(formula, 'held'), {
          tensors: { packed, logProb, entropies: entropy, oldLogProb, parameters },
          params: { items, stage, first: 0, trajectories, context, groups },
          groups: ceilDivide(items, THREADS),
        });
      });
    },

    formulaObjective({ dLogProb, dEntropy, terms }, packed, formula, batch, rows, policy, parameters) {
      const { table, count, capacity, first, sequences } = rows;
      const { trajectories, context, groups } = batch;
      const { logProb, entropy: entropies, oldLogProb } = policy;
      passesIn(formula, 'objective').forEach((pass, stage) => {
        const items = pass === 'rows' ? capacity : threadsOf(pass, batch, sequences);
        recorder.dispatch(kernelFor(formula, 'objective'), {
          tensors: { packed, table, count, terms, dLogProb, dEntropy, logProb, entropies, oldLogProb, parameters },
          params: { items, stage, first, trajectories, context, groups },
          groups: ceilDivide(items, THREADS),
        });
      });
    },
  };
}
