/** Checks of the operations that only decoders of the Llama family and adapters need. */
import type { Operations, Rows, Tensor } from '../backend';
import type { Check, ChecksOf } from './check';

type Checked =
  | 'embedTied'
  | 'embedTiedBackward'
  | 'rmsNorm'
  | 'rmsNormBackward'
  | 'swiglu'
  | 'swigluBackward'
  | 'addColumns'
  | 'takeColumns';

export const LLAMA_CHECKS: ChecksOf<Pick<Operations, Checked>> = {
  embedTied(check, out, rows, head) {
    check.rows(rows);
    const [C] = check.weight(head);
    check.output(out, 'f32', rows.capacity * C);
  },
  embedTiedBackward(check, partials, dx, rows, head) {
    check.sequences(rows);
    const [C] = check.parameter(head, 2);
    check.partials(partials, rows, head);
    check.input(dx, 'f32', rows.capacity * C);
  },
  rmsNorm(check, out, stats, x, rows, gamma) {
    check.rows(rows);
    const [C] = check.parameter(gamma, 1);
    check.output(out, 'f32', rows.capacity * C);
    check.output(stats, 'f32', rows.capacity * 2);
    check.input(x, 'f32', rows.capacity * C);
  },
  rmsNormBackward(check, dx, partials, dOut, x, stats, rows, gamma) {
    check.sequences(rows);
    const [C] = check.parameter(gamma, 1);
    if (partials !== null) check.partials(partials, rows, gamma);
    check.output(dx, 'f32', rows.capacity * C);
    check.input(dOut, 'f32', rows.capacity * C);
    check.input(x, 'f32', rows.capacity * C);
    check.input(stats, 'f32', rows.capacity * 2);
  },
  swiglu(check, out, x, rows) {
    check.rows(rows);
    const F = out.stride / rows.capacity;
    check.multipleOf4(F, 'the width');
    check.output(out, 'f32', out.stride);
    check.input(x, 'f32', rows.capacity * 2 * F);
  },
  swigluBackward(check, dx, dOut, x, rows) {
    check.rows(rows);
    const F = dOut.stride / rows.capacity;
    check.multipleOf4(F, 'the width');
    check.output(dx, 'f32', rows.capacity * 2 * F);
    check.input(dOut, 'f32', dOut.stride);
    check.input(x, 'f32', rows.capacity * 2 * F);
  },
  addColumns(check, out, x, rows, first) {
    check.output(out, 'f32', out.stride);
    check.input(x, 'f32', x.stride);
    columns(check, x, out, rows, first);
  },
  takeColumns(check, out, x, rows, first) {
    check.output(out, 'f32', out.stride);
    check.input(x, 'f32', x.stride);
    columns(check, out, x, rows, first);
  },
};

/** `part` [P,R,n] is columns `first` … of `whole` [P,R,N]. */
function columns(check: Check, part: Tensor, whole: Tensor, rows: Rows, first: number): void {
  check.rows(rows);
  const [n, N] = [part.stride / rows.capacity, whole.stride / rows.capacity];
  check.multipleOf4(n, 'the width of the part');
  check.multipleOf4(N, 'the width of the whole');
  check.require(first % 4 === 0 && first >= 0 && first + n <= N, `columns ${first} to ${first + n} are not in ${N}`);
}
