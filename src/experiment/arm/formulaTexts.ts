/**
 * Formula texts of what an arm minimises: its surrogate, and its world-model loss, by plain functions from the arm's choices.
 * The arm's numbers are parameters. A text says the loss of a token; weights, denominators and the correction for decoding
 * stay the arm's. What no text can say is left out, and a comment says so.
 */
import { RATIO_BOUNDS } from '../../hyperparameters/ratio';
import {
  numbersIn,
  SURROGATE_NUMBERS,
  SURROGATE_TEXTS,
  type SurrogateText,
} from '../../hyperparameters/surrogateTexts';
import { FORM_NUMBERS, FORM_TEXTS } from '../../hyperparameters/worldModel';
import type { Arm, ArmSettingPath } from '../experiment';
import { findArmSetting } from '../experiment';
import { isNumberSetting } from '../settings/setting';

type Lines = readonly string[];

/** The arm's policy loss. */
export function policyText(arm: Arm): string {
  const text: SurrogateText = SURROGATE_TEXTS[arm.surrogate];
  const left = missing(arm).map((what) => `# Not said here: ${what}.`);
  return [`# ${text.title}`, ...left, ...surrogateLines(arm, text)].join('\n');
}

/** The arm's prediction loss. */
export function predictionText(arm: Arm): string {
  const { title, lines } = FORM_TEXTS[arm.worldModelForm];
  return [`# ${title}`, ...formNumbers(arm, lines), ...lines].join('\n');
}

const formNumbers = (arm: Arm, lines: Lines): Lines =>
  numbersIn(FORM_NUMBERS, lines).map((name) => param(arm, name, FORM_NUMBERS[name]));

/** Factors of λ that follow the run: `factor` is 1 where prediction counts in full. */
export const LAMBDA_FACTORS = {
  success: {
    title: 'λ by success: in full while nothing is solved, less the more is, and 0 from `enough` on',
    lines: ['param enough = 0.5 in [0.01, 1]', 'factor = max(0, 1 - success_rate / enough)'],
  },
  update: {
    title: 'λ by update: falls evenly and is 0 from update `last` on',
    lines: ['param last = 100 in [1, 100000]', 'factor = max(0, 1 - update / last)'],
  },
} as const;

/** The arm's prediction loss times a factor that follows the run, which is a curve of its own. */
export function scheduledPredictionText(arm: Arm, by: keyof typeof LAMBDA_FACTORS): string {
  const { lines } = FORM_TEXTS[arm.worldModelForm];
  const { title, lines: factor } = LAMBDA_FACTORS[by];
  const scaled = lines.map((line) => line.replace(/^loss = (.*)$/, 'loss = factor * ($1)'));
  return [`# ${title}`, ...formNumbers(arm, lines), ...factor, ...scaled, 'show factor = factor'].join('\n');
}

/** `param` line of one of the arm's numbers; limits are the usual range, wider where the number is. */
function param(arm: Arm, name: string, path: ArmSettingPath & keyof Arm): string {
  const setting = findArmSetting(path);
  const value = Number(arm[path]);
  const [low, high] = setting !== undefined && isNumberSetting(setting) ? setting.soft : [value, value];
  return `param ${name} = ${value} in [${Math.min(low, value)}, ${Math.max(high, value)}]`;
}

const SEGMENTS = { token: null, turn: 'turn', sequence: 'trajectory' } as const;

/** `log_ratio`: of the token, or of the segment that shares it. */
function logRatioLines(arm: Arm): Lines {
  const ratio = 'logp - old_logp';
  const segment = SEGMENTS[arm.ratioLevel];
  // gmpo and vespo take a whole segment.
  const joint = segment ?? 'trajectory';
  if (arm.surrogate === 'vespo') return [`log_ratio = clip(sum_${joint}(clip(${ratio}, -20, 20)), log(1e-8), 20)`];
  if (arm.surrogate === 'gmpo') {
    const line = `kept = (min(${ratio}, high) if A > 0 else max(${ratio}, -low)) if A != 0 else 0`;
    return [line, `log_ratio = mean_${joint}(kept)`];
  }
  if (segment === null) return [`log_ratio = ${ratio}`];
  const reduced = `${arm.ratioReduction}_${segment}(${ratio})`;
  if (arm.ratioGradient === 'differentiable') return [`log_ratio = ${reduced}`];
  const why = '# The value is the segment’s; each token has the slope of its own loss.';
  return [why, `log_ratio = detach(${reduced}) + logp - detach(logp)`];
}

function ratioLine({ logRatioClamp }: Arm): string {
  const [least, most] = RATIO_BOUNDS[logRatioClamp];
  return `ratio = exp(${least < -most ? `min(log_ratio, ${most})` : `clip(log_ratio, ${least}, ${most})`})`;
}

/** The arm's surrogate with its numbers and the ratio that it reads. */
function surrogateLines(arm: Arm, text: SurrogateText): Lines {
  const { instead, plain } = text;
  const { lines, bounds } = instead !== undefined && arm[instead.setting] === instead.choice ? instead : text;
  const isPlain = arm.ratioCap === 0 || text.lines.join().includes('selection');
  const clipped = bounds?.clipped?.includes('selection') ? undefined : bounds?.clipped;
  const loss = [
    ...(isPlain ? (plain ?? lines) : lines),
    ...(clipped === undefined ? [] : [`show clipped = ${clipped}`]),
  ];
  const takes = (name: string): boolean => loss.some((line) => new RegExp(`\\b${name}\\b`).test(line));
  const ratio = [
    ...(takes('ratio') || takes('log_ratio') ? logRatioLines(arm) : []),
    ...(takes('ratio') ? [ratioLine(arm)] : []),
  ];
  const allLines = [...ratio, ...loss];
  const numbers = numbersIn(SURROGATE_NUMBERS, allLines).map((name) => param(arm, name, SURROGATE_NUMBERS[name].name));
  const base = arm.ratioBase === 'behaviour' ? 'sampler_logp' : 'old_logp';
  return [...numbers, ...allLines.map((line) => line.replace(/\bold_logp\b/g, base))];
}

/** Parts of the arm's policy loss that a text cannot say: they need sorting, chance, or their own part in the correction. */
function missing(arm: Arm): Lines {
  const { surrogate, entropyShare, offPolicyLimit, decodingCorrection } = arm;
  return [
    ...(surrogate === 'clip-cov' ? ['tokens left out by their covariance'] : []),
    ...(surrogate === 'kl-cov' ? ['the penalty on tokens of high covariance'] : []),
    ...(surrogate === 'vespo' && decodingCorrection !== 'none' ? ['the correction for decoding within log w'] : []),
    ...(entropyShare > 0 && entropyShare < 1 ? ['the choice of tokens by entropy'] : []),
    ...(offPolicyLimit > 0 ? ['trajectories left out beyond the off-policy limit'] : []),
  ];
}
