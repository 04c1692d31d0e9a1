/** Names of runs beside one another: those alike are told apart by what they are otherwise. */
import { plural } from '../../kit/format';

interface Named {
  readonly name: string;
  readonly updates: number;
}

/**
 * Names of runs, in their order: a run's own where no other has the same, else with its updates, and else with a number
 * too.
 */
export function toldApart(runs: readonly Named[]): string[] {
  const count = <T>(all: readonly T[], one: T): number => all.filter((other) => other === one).length;
  const names = runs.map(({ name }) => name);
  const lengths = runs.map(({ name, updates }) => `${name}, ${plural(updates, 'update')}`);
  return runs.map((_, index) => {
    const [name = '', long = ''] = [names[index], lengths[index]];
    if (count(names, name) === 1) return name;
    if (count(lengths, long) === 1) return long;
    return `${long} (${count(lengths.slice(0, index + 1), long)})`;
  });
}
