/** Ids and names of arms that are added to an experiment. */
import type { Experiment } from '../experiment';

/** Id of an arm more. Ids are never shown and never change, so that links keep their meaning. */
export function freeId({ arms }: Pick<Experiment, 'arms'>): string {
  for (let number = arms.length + 1; ; number++) {
    const id = `arm-${number}`;
    if (arms.every((arm) => arm.id !== id)) return id;
  }
}

/** Name of an arm more: `name` with the first free number. */
export function freeName({ arms }: Pick<Experiment, 'arms'>, name: string): string {
  const stem = name.replace(/ \d+$/, '').slice(0, 50);
  for (let number = 2; ; number++) {
    const candidate = `${stem} ${number}`;
    if (arms.every((arm) => arm.name !== candidate)) return candidate;
  }
}
