/** The inspector stays on the episode that it was opened on, until another is asked for. */
import { expect, test } from 'vitest';
import { defaultArm } from '../../src/experiment/experiment';
import { createLabStore } from '../../src/store/lab';
import { Inspector } from '../../src/store/look/inspector';
import type { EpisodeView, InspectionChoice } from '../../src/train/looks/shown';
import { heldInspection } from '../../src/ui/model/tokens/held';

const floats = (...values: number[]) => Float32Array.from(values);
const episode = {
  ...{ arm: 'a', seed: 0, update: 3, group: 1, trajectory: 2, task: new Int32Array(1), relabelled: false },
  ...{ tokens: Uint16Array.of(1, 2, 3), roles: Uint8Array.of(0, 1, 2), logProb: floats(Number.NaN, -1, -2) },
  ...{
    policyWeight: floats(0, 0.5, 0),
    crossEntropyWeight: floats(0, 0, 0.1),
    advantage: -2,
    reward: 0,
    success: false,
  },
} satisfies EpisodeView;

test.each(['running', 'paused'] as const)('stays on an earlier episode while a run is %s', (phase) => {
  const lab = createLabStore();
  const asked: InspectionChoice[] = [];
  const inspector = new Inspector(lab, { inspect: (choice) => asked.push(choice) });
  lab.setState({ phase, update: 9 });
  const held = heldInspection(episode, defaultArm('a', 'A'), 4);
  inspector.open(episode, 1, 'tokens', [held]);
  expect(asked).toEqual([]);
  expect(lab.getState().inspected?.inspections).toEqual([held]);
  expect(inspector.store.getState().token).toEqual({ arm: 'a', index: 1 });
  // The weight of the loss, without the advantage that the view has in it.
  expect([...held.numbers.policyWeight]).toEqual([0, 0.25, 0]);
  inspector.choose({});
  expect(asked).toEqual([{ seed: 0, group: 1, trajectory: 2 }]);
  // The newest of a run that rests is known whole.
  inspector.open({ ...episode, update: 8 }, 1, 'tokens', [held]);
  expect(asked.length).toBe(phase === 'paused' ? 2 : 1);
});
