/**
 * A list of operations as single calls, each with its name and arguments, to be recorded alone or in other groups. The
 * kernels' benchmark times calls one by one; the meter cuts programs into parts.
 */
import type { Operations } from '../../tensor/backend';

export interface Call {
  readonly name: keyof Operations;
  readonly args: readonly unknown[];
}

export function callsOf(build: (operations: Operations) => void): Call[] {
  const calls: Call[] = [];
  const collector = new Proxy({} as Operations, {
    get:
      (_, name) =>
      (...args: readonly unknown[]) => {
        calls.push({ name: name as keyof Operations, args });
      },
  });
  build(collector);
  return calls;
}

/** Repeats the calls on other operations. */
export function replay(calls: readonly Call[]): (operations: Operations) => void {
  return (operations) => {
    for (const { name, args } of calls) (operations[name] as (...all: readonly unknown[]) => void)(...args);
  };
}
