/** Derivatives of a random formula against finite differences of what it sums up to. */

import { compile, type Formula } from '../../src/formula/compile';
import { type FormulaNode, needed } from '../../src/formula/graph';
import { isHeld } from '../../src/formula/schedule';
import { evaluateTape } from '../../src/formula/tape';
import type { RandomStream } from '../../src/foundation/philox';
import { randomScene, type Scene } from './scene';

/** Step, and the largest differences between the slopes on both sides and between a slope and ours. */
const STEP = 1e-6;
const KINK = 1e-3;
const ERROR = 2e-4;
/** Sums beyond this have no digits left for a difference. */
const MOST = 1e4;

export interface Verdict {
  /** Derivatives compared, and those left out: not finite, too large, or with another slope on each side. */
  compared: number;
  leftOut: number;
  readonly wrong: string[];
}

/** Each of some tokens' two derivatives of one formula. */
export function compareDerivatives(text: string, random: RandomStream, tokens: number, verdict: Verdict): void {
  const formula = compile(text);
  const scene = randomScene(random);
  const parameters = formula.parameters.map((parameter) => parameter.default);
  const { byLogProb, byEntropy } = formula;
  const base = evaluateTape(formula, scene.structure, scene.inputs, parameters);
  const ours = { logp: base.atTokens(byLogProb), entropy: base.atTokens(byEntropy) };
  const sum = sumOf(formula, scene, parameters);
  const middle = sum('logp', 0, 0);
  for (let k = 0; k < tokens; k++) {
    const at = random.below(scene.structure.tokenTurn.length);
    for (const input of ['logp', 'entropy'] as const) {
      const [low, high] = [sum(input, at, -STEP), sum(input, at, STEP)];
      const [left, right] = [(middle - low) / STEP, (high - middle) / STEP];
      const slope = (high - low) / (2 * STEP);
      const allowed = (share: number): number => share * (1 + Math.abs(slope));
      const isSmooth = Number.isFinite(slope) && Math.abs(middle) < MOST && Math.abs(left - right) <= allowed(KINK);
      if (!isSmooth) {
        verdict.leftOut++;
        continue;
      }
      verdict.compared++;
      const own = ours[input][at] as number;
      if (!(Math.abs(own - slope) <= allowed(ERROR)))
        verdict.wrong.push(`${input} of token ${at}: ${own}, by difference ${slope}\n${text}`);
    }
  }
}

/** Σ weight · loss with one input of one token moved; what is held fixed stays. */
function sumOf(formula: Formula, { structure, inputs }: Scene, parameters: readonly number[]) {
  const isFixed = (node: FormulaNode): boolean => node.op === 'detach' || isHeld(node);
  const nodes = needed([formula.loss]);
  const tape = evaluateTape({ nodes }, structure, inputs, parameters);
  const given = new Map(nodes.filter(isFixed).map((node) => [node, tape.own(node)]));
  const moving = { nodes: needed([formula.loss], isFixed) };
  return (input: 'logp' | 'entropy', at: number, by: number): number => {
    const moved = inputs[input].slice();
    moved[at] = (moved[at] as number) + by;
    const losses = evaluateTape(moving, structure, { ...inputs, [input]: moved }, parameters, given).atTokens(
      formula.loss,
    );
    return losses.reduce((total, loss, i) => total + (structure.tokenWeight[i] as number) * loss, 0);
  };
}
