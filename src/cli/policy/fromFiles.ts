/** Measured run of an experiment whose arms begin from shipped policies: one seed, on one processor core. */
import { join } from 'node:path';
import { isFixed } from '../../experiment/arm/policyFiles';
import { experimentFromFiles } from '../../experiment/presets/shipped';
import type { MeasuredRun, ShippedPolicy } from '../../experiment/shippedPolicies';
import { chooseNodeBackend } from '../../node/backend';
import { threadPool } from '../../node/poolThread';
import { METRIC, METRICS } from '../../rl/measure/metrics';
import { membersOf } from '../../rl/population';
import { resultsOf } from '../../train/policies/member';
import { openTraining } from '../../train/run/choose/opening';
import { findPolicies, SHIPPED_FOLDER } from './namedPolicies';

/** Results of the arms that learn. The fixed policy beside them is left out: it changes nothing in them. */
export async function measureFromFiles(
  world: string,
  warmStart: ShippedPolicy,
  trained: ShippedPolicy,
): Promise<MeasuredRun> {
  const experiment = experimentFromFiles(world, warmStart, trained);
  const { arms, updates } = experiment;
  const members = membersOf(arms, [0]).filter(({ armIndex }) => arms.some((arm, i) => i === armIndex && !isFixed(arm)));
  const paths = [warmStart, trained].map(({ file }) => join(SHIPPED_FOLDER, file));
  const { training } = await openTraining(experiment, {
    choose: () => chooseNodeBackend('cpu', threadPool(1, 1, new URL(import.meta.url))),
    members: { members },
    snapshot: null,
    policies: await findPolicies(experiment, paths),
    detail: () => {},
  });
  const rows: Float64Array[] = [];
  try {
    while (training.finished < updates) {
      rows.push(await (await training.runUpdate()).metrics);
      process.stderr.write(`\r${experiment.preset}: ${training.finished} of ${updates} updates`);
    }
  } finally {
    training.dispose();
  }
  process.stderr.write('\n');
  const measured = members.map(({ arm }, member) => {
    const { successRate, observationCrossEntropy } = resultsOf((metric) =>
      rows.map((row) => row[member * METRICS.length + METRIC[metric]] as number),
    );
    return [arm, { successRate, observationCrossEntropy }] as const;
  });
  return { seeds: 1, updates, arms: Object.fromEntries(measured) as MeasuredRun['arms'] };
}
