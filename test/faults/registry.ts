/** All faults, in the order of the table in docs/reliability.md. A new one is an entry of a list here. */
import { faultsAround } from './around';
import { diskFaults } from './disks';
import type { Fault } from './fault';
import { fileFaults } from './files';
import { keptRunFaults } from './keptRuns';
import { killFaults, undisturbed } from './killed';
import { longRunFaults } from './longRun';
import { modelFaults } from './models';
import { pageFaults, type Site } from './page';
import { processFaults } from './processes';
import { servedFaults } from './served';
import { stateFaults } from './states';
import { unseenFaults } from './unseen';
import { updateFaults } from './updated';

export const FAULTS: readonly Fault[] = [
  ...diskFaults,
  ...fileFaults,
  ...modelFaults,
  ...processFaults,
  ...servedFaults,
  ...stateFaults,
  ...keptRunFaults,
];

/** Those that need the built page in a browser, and are injected apart. */
export function faultsOfPage(site: () => Promise<Site>): readonly Fault[] {
  const policy = undisturbed(site);
  return [
    ...pageFaults(site),
    ...faultsAround(site),
    ...unseenFaults(site, policy),
    ...updateFaults(site, policy),
    ...longRunFaults(site),
    ...killFaults(site, policy),
  ];
}
