/**
 * Cohorts: the parts that a batch is played in, so that the device decodes one while another's words are on their way to the
 * host, or are stepped there. Trajectories take nothing from each other, so their numbers are the same in any cut.
 */

/** Cohort of a trajectory: neighbours, which share a task and take about as long, are spread over all of them. */
export const cohortOf = (slot: number, cohorts: number): number => slot % cohorts;

/** Trajectories of the largest cohort. */
export const cohortSize = (trajectories: number, cohorts: number): number => Math.ceil(trajectories / cohorts);

/**
 * Plays all cohorts, each turn by turn, at most so many. `turn` resolves to false once the cohort's episodes are over; while it
 * waits, the others play. Throws what the first of them threw, when all have stopped.
 */
export async function playCohorts(
  cohorts: number,
  turns: number,
  turn: (cohort: number) => Promise<boolean>,
): Promise<void> {
  const faults: unknown[] = [];
  const play = async (cohort: number): Promise<void> => {
    try {
      for (let played = 0; played < turns && faults.length === 0; played++) if (!(await turn(cohort))) return;
    } catch (cause) {
      faults.push(cause);
    }
  };
  await Promise.all(Array.from({ length: cohorts }, (_, cohort) => play(cohort)));
  if (faults.length > 0) throw faults[0];
}
