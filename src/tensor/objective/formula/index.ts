/**
 * Formulas over whole arrays (operations/formula.ts): inputs, results held fixed, and a microbatch's losses and
 * derivatives.
 */
import type { Formula } from '../../../formula/compile';
import { type FormulaNode, needed } from '../../../formula/graph';
import { FORMULA_TERM, FORMULA_TERM_COLUMNS, packingOf } from '../../../formula/packing';
import { isHeld } from '../../../formula/schedule';
import { evaluateTape } from '../../../formula/tape';
import { metaSequence, ROW_FIELDS } from '../../layout';
import type { Batch } from '../../operations/batch';
import type { FormulaOperations, FormulaPolicy } from '../../operations/formula';
import type { ObjectiveHost } from '../host';
import { formulaInputs } from './inputs';
import { type FormulaMember, tapeBatch, wholeBatch } from './members';

export function formulaOperations(host: ObjectiveHost): FormulaOperations {
  return { formulaInputs: formulaInputs(host), formulaHeld: held(host), formulaObjective: objective(host) };
}

const policyOf = (host: ObjectiveHost, policy: FormulaPolicy, p: number): FormulaMember => ({
  logProb: host.f32(policy.logProb, p),
  entropy: host.f32(policy.entropy, p),
  oldLogProb: host.f32(policy.oldLogProb, p),
});

/** A result that is held fixed, and where its values lie in `packed`: one a group, or one. */
interface Held {
  readonly node: FormulaNode;
  readonly first: number;
  readonly length: number;
}

function heldResults(formula: Formula, batch: Batch): readonly Held[] {
  const { results } = packingOf(formula, batch);
  return formula.schedule.results.flatMap(({ node, place, level, isPart }): Held[] => {
    if (isPart || !isHeld(node)) return [];
    const length = level === 'group' ? batch.groups : 1;
    return [{ node, first: results[level] + place * length, length }];
  });
}

function held(host: ObjectiveHost): FormulaOperations['formulaHeld'] {
  return (packed, formula, batch, policy, parameters) => {
    const results = heldResults(formula, batch);
    if (results.length === 0) return;
    const nodes = needed(results.map(({ node }) => node));
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const own = host.f32(packed, p);
        const { structure, inputs, counting } = wholeBatch(formula, batch, own, policyOf(host, policy, p));
        const tape = evaluateTape({ nodes }, structure, inputs, host.f32(parameters, p));
        for (const { node, first } of results) {
          const values = tape.own(node);
          const places = node.level === 'batch' ? [0] : counting;
          places.forEach((place, i) => {
            own[first + place] = values[i];
          });
        }
      }
    });
  };
}

function objective(host: ObjectiveHost): FormulaOperations['formulaObjective'] {
  return (outputs, packed, formula, batch, rows, policy, parameters) => {
    const { loss, byLogProb, byEntropy, shown } = formula;
    const nodes = needed([loss, byLogProb, byEntropy, ...shown.map(({ node }) => node)], isHeld);
    const results = heldResults(formula, batch);
    const groups = { count: batch.groups, numberOf: (g: number) => g };
    const range = { first: rows.first, end: Math.min(rows.first + rows.sequences, batch.trajectories) };
    const tokenAt = new Int32Array(batch.trajectories * batch.context);
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const [table, inUse] = [host.u32(rows.table, p), Math.min(host.u32(rows.count, p)[0], rows.capacity)];
        if (inUse === 0) continue;
        const own = host.f32(packed, p);
        const { structure, inputs, tokens } = tapeBatch(formula, batch, own, policyOf(host, policy, p), range, groups);
        const given = new Map(
          results.map(({ node, first, length }) => [node, Float64Array.from(own.subarray(first, first + length))]),
        );
        const tape = evaluateTape({ nodes }, structure, inputs, host.f32(parameters, p), given);
        const [losses, byLog, byEnt] = [loss, byLogProb, byEntropy].map(tape.atTokens);
        const values = shown.map(({ node }) => tape.atTokens(node));
        const [dLogProb, dEntropy] = [host.f32(outputs.dLogProb, p), host.f32(outputs.dEntropy, p)];
        const terms = host.f32(outputs.terms, p);
        tokenAt.fill(-1);
        tokens.forEach((place, i) => {
          tokenAt[place] = i;
        });
        for (let r = 0; r < inUse; r++) {
          const place = metaSequence(table[r * ROW_FIELDS + 3]) * batch.context + table[r * ROW_FIELDS + 1];
          const i = tokenAt[place];
          const row = r * FORMULA_TERM_COLUMNS;
          terms.fill(0, row, row + FORMULA_TERM_COLUMNS);
          if (i < 0) continue;
          const weight = structure.tokenWeight[i];
          terms[row + FORMULA_TERM.loss] = weight === 0 ? 0 : weight * losses[i];
          terms[row + FORMULA_TERM.own] = 1;
          for (let k = 0; k < values.length; k++) terms[row + FORMULA_TERM.shown + k] = values[k][i];
          dLogProb[r] += byLog[i];
          dEntropy[r] += byEnt[i];
        }
      }
    });
  };
}
