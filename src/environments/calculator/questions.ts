/** All questions that a calculator can be asked, and the held-out ones among them. */
import { philox4x32, toUnitFloat } from '../../foundation/philox';

export const OPERATORS = ['+', '-', '*'] as const;

/** First operand, operator, second operand, operator, third operand; −1 for the last two where there are only two. */
export type ArithmeticQuestion = readonly [a: number, first: number, b: number, second: number, c: number];

function apply(operator: number, a: number, b: number): number {
  return operator === 0 ? a + b : operator === 1 ? a - b : a * b;
}

/** Answer by the usual precedence: multiplication first, then from left to right. */
export function answerTo([a, first, b, second, c]: ArithmeticQuestion): number {
  if (second < 0) return apply(first, a, b);
  return second === 2 ? apply(first, a, apply(second, b, c)) : apply(second, apply(first, a, b), c);
}

/** All questions whose answer is not negative, in a fixed order. */
export function allQuestions(operators: readonly number[], largest: number, operands: number): ArithmeticQuestion[] {
  const numbers = Array.from({ length: largest + 1 }, (_, number) => number);
  const two = numbers.flatMap((a) =>
    operators.flatMap((first) => numbers.map((b): ArithmeticQuestion => [a, first, b, -1, -1])),
  );
  const questions =
    operands === 2
      ? two
      : two.flatMap(([a, first, b]) =>
          operators.flatMap((second) => numbers.map((c): ArithmeticQuestion => [a, first, b, second, c])),
        );
  return questions.filter((question) => answerTo(question) >= 0);
}

/** True for held-out questions. The split is fixed: it depends on the question and the share, not on any seed. */
export function isHeldOut([a, first, b, second, c]: ArithmeticQuestion, share: number): boolean {
  const [bits] = philox4x32([a, b, c, first * 4 + second], [0x68656c64, 1]);
  return toUnitFloat(bits) < share;
}

/** Question as people write it: `7 − 5`. */
export function writeQuestion([a, first, b, second, c]: ArithmeticQuestion): string {
  const sign = (operator: number): string => ['+', '−', '×'][operator] ?? '?';
  return second < 0 ? `${a} ${sign(first)} ${b}` : `${a} ${sign(first)} ${b} ${sign(second)} ${c}`;
}
