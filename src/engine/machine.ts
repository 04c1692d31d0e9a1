/** Machine that the package runs on: Node or a page. Its entry says so, before a door is used. */
import { LabError } from '../foundation/errors';
import type { BackendChoice } from '../train/protocol';
import type { BackendTask, ChosenBackend } from '../train/run/choose/backends';

export interface Machine {
  /**
   * Opens a backend for members. `workers`: threads of the CPU, as many as suit where undefined; `apart`: true for a
   * thread of its own even where one is enough.
   */
  choose(
    choice: BackendChoice,
    members: number,
    workers: number | undefined,
    apart: boolean,
    task: BackendTask,
  ): Promise<ChosenBackend>;
  /** Bytes of a file of the package, by its path below `public`. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
}

let here: Machine | null = null;

export function runOn(machine: Machine): void {
  here = machine;
}

export function machineHere(): Machine {
  if (here !== null) return here;
  throw new LabError(
    'internal',
    'The engine does not know where it runs.',
    'Import it as “unmask”, not by a file in it.',
  );
}
