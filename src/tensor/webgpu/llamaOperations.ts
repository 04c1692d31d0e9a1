/** Dispatches of operations that only the Llama family and adapters need; formulas are in shaders of the same names. */
import type { Operations, Rows, Tensor } from '../backend';
import { GRADIENT_CHUNK } from '../layout';
import { ceilDivide, type Recorder, typeOf } from './recorder';

type F32 = Tensor<'f32'>;

const quads = (elements: number): number => elements / 4;

export function llamaOperations(recorder: Recorder) {
  /** `part` is some of the columns of `whole`; they are out and x. */
  const columns = (
    out: F32,
    x: F32,
    whole: F32,
    part: F32,
    rows: Rows,
    { first, ...params }: { first: number; factor: number; takes: 0 | 1 },
  ): void => {
    const [N, width] = [whole, part].map(({ stride }) => quads(stride / rows.capacity)) as [number, number];
    recorder.threads('forward/columns', rows.capacity * width, {
      tensors: { out, x },
      rows,
      params: { ...params, width, whole: N, first: quads(first) },
    });
  };
  return {
    embedTied(out, rows, head) {
      const [width = 0, vocabulary = 0] = head.shape;
      recorder.threads('forward/tied_embed', rows.capacity * width, {
        tensors: { out, head },
        rows,
        params: { width, quads: quads(vocabulary) },
        sizes: typeOf(head),
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
      columns(out, x, out, x, rows, { first, factor, takes: 0 });
    },

    takeColumns(out, x, rows, first, factor) {
      columns(out, x, x, out, rows, { first, factor, takes: 1 });
    },
  } satisfies Partial<Operations>;
}
