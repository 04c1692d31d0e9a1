/** Schedules of the learning rate and of the world-model weights. */
import type { Arm } from './experiment';

/** Factor of an arm's cross-entropy weights in an update, for all roles but `action`, which is not the world model's. */
export function worldModelScale(arm: Arm, update: number): number {
  const { worldModelSchedule, worldModelScheduleStart: start, worldModelScheduleEnd: end } = arm;
  if (worldModelSchedule === 'constant' || update < start) return 1;
  const through = worldModelSchedule === 'step' || update >= end ? 1 : (update - start) / (end - start);
  return 1 + through * (arm.worldModelFinalScale - 1);
}

/** Factor of an arm's learning rate in an update, in (0, 1]: a linear warm-up of `learningRateWarmUp` updates. */
export function learningRateScale({ learningRateWarmUp }: Arm, update: number): number {
  return update < learningRateWarmUp ? (update + 1) / learningRateWarmUp : 1;
}
