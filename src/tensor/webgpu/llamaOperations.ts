/** What only decoders of the Llama family and adapters need, as dispatches; formulas are in the shaders of the same names. */
import type { Operations } from '../backend';
import { GRADIENT_CHUNK } from '../layout';
import { ceilDivide, type Recorder } from './recorder';

const quads = (elements: number): number => elements / 4;

export function llamaOperations(recorder: Recorder) {
  return {
    embedTied(out, rows, head) {
      const [width = 0, vocabulary = 0] = head.shape;
      recorder.threads('forward/tied_embed', rows.capacity * width, {
        tensors: { out, head },
        rows,
        params: { width, vocabulary },
      });
    },

    embedTiedBackward(partials, dx, rows, head) {
      const [width = 0, vocabulary = 0] = head.shape;
      recorder.threads('backward/tied_embed', ceilDivide(rows.sequences, GRADIENT_CHUNK) * width, {
        tensors: { partials, dx, head },
        rows,
        params: { chunkStride: head.tensor.stride, width, vocabulary },
      });
    },

    swiglu(out, x, rows) {
      const width = quads(out.stride / rows.capacity);
      recorder.threads('forward/swiglu', rows.capacity * width, { tensors: { out, x }, rows, params: { width } });
    },

    swigluBackward(dx, dOut, x, rows) {
      const width = quads(dOut.stride / rows.capacity);
      recorder.threads('backward/swiglu', rows.capacity * width, { tensors: { dx, dOut, x }, rows, params: { width } });
    },

    addColumns(out, x, rows, first, factor) {
      const [whole, width] = [quads(out.stride / rows.capacity), quads(x.stride / rows.capacity)];
      recorder.threads('forward/add_columns', rows.capacity * width, {
        tensors: { out, x },
        rows,
        params: { width, whole, first: quads(first), factor },
      });
    },

    takeColumns(out, x, rows, first, factor) {
      const [whole, width] = [quads(x.stride / rows.capacity), quads(out.stride / rows.capacity)];
      recorder.threads('forward/take_columns', rows.capacity * width, {
        tensors: { out, x },
        rows,
        params: { width, whole, first: quads(first), factor },
      });
    },
  } satisfies Partial<Operations>;
}
