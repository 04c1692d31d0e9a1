/** A device in words: the CPU by its threads, any other by its name. */
import { expect, test } from 'vitest';
import { CPU_NAMES, cpuOn, deviceInWords } from '../../src/foundation/cpuVariants';

test('the CPU is told by its threads', () => {
  expect(deviceInWords(cpuOn('cpu', '2 workers'))).toBe('CPU, 2 threads');
  expect(deviceInWords(cpuOn('cpu-fused', 'one thread'))).toBe('CPU, fused multiply-add, one thread');
  expect(deviceInWords(CPU_NAMES.cpu)).toBe('CPU');
  expect(deviceInWords('Apple M2')).toBe('Apple M2');
});
