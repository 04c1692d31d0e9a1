/** Models of test/fixtures/pytorch, the text that they read, and the expected log-probs and entropies. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { TextReadout } from '../../src/train/reading/readText';
import { relativeError } from './policies';

/** Tolerance as a share of the largest log-prob or entropy. Rounded weights move the numbers at least 26 times as far. */
export const TOLERANCE = 1e-4;

/** Expected numbers, one a token; null for the first. */
type Thought = Record<'logProb' | 'entropy', readonly (number | null)[]>;
type Model = 'llama' | 'recurrent' | 't5' | 'weights' | 'dynamic';
type Expected = { segments: { role: string; text: string }[]; ids: number[] } & Thought & Record<Model, Thought>;

export const fixture = (name: string): Buffer => readFileSync(`test/fixtures/pytorch/${name}`);
export const expected: Expected = JSON.parse(fixture('expected.json').toString());
export const TEXT = expected.segments.map(({ role, text }) => `${role}: ${text}`).join('');

export interface ForeignModel {
  readonly what: string;
  readonly file: string;
  readonly thought: Thought;
  readonly producer: string;
  readonly isQuantised: boolean;
}

const ofPyTorch = { producer: 'pytorch', isQuantised: false } as const;

export const FOREIGN_MODELS: readonly ForeignModel[] = [
  { what: 'a decoder with a key-value cache', file: 'decoder.onnx', thought: expected, ...ofPyTorch },
  {
    what: 'a recurrent network with int32 ids and names of its own',
    file: 'recurrent.onnx',
    thought: expected.recurrent,
    ...ofPyTorch,
  },
  { what: 'Hugging Face’s Llama', file: 'llama.onnx', thought: expected.llama, ...ofPyTorch },
  { what: 'torchtext’s T5', file: 't5.onnx', thought: expected.t5, ...ofPyTorch },
  {
    what: 'a decoder with weights of 8 bits',
    file: 'weights.onnx',
    thought: expected.weights,
    producer: 'quantise.py',
    isQuantised: true,
  },
  {
    what: 'a decoder that rounds while it runs, by onnxruntime’s quantizer',
    file: 'dynamic.onnx',
    thought: expected.dynamic,
    producer: 'onnx.quantize',
    isQuantised: true,
  },
];

export const numbers = (values: readonly (number | null)[]): number[] => values.slice(1).map(Number);

/** Compares the reading of the whole text, tokens and numbers, with float64. */
export function expectReading(reading: TextReadout, { thought, producer, isQuantised }: ForeignModel): void {
  expect(reading).toMatchObject({ producer, vocabulary: 301, isQuantised, ids: expected.ids });
  expect(reading.words.join('')).toBe(expected.segments.map(({ text }) => text).join(''));
  expect([...new Set(reading.roles)]).toEqual([0, 1, 2, 3]);
  for (const what of ['logProb', 'entropy'] as const) {
    expect(reading[what][0]).toBeNull();
    expect(relativeError(numbers(reading[what]), numbers(thought[what]))).toBeLessThan(TOLERANCE);
  }
}
