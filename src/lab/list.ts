/** `lab list`: presets, environments and objectives. */
import { environments } from '../environments/registry';
import { objectivePresets } from '../experiment/objectivePresets';
import { presets } from '../experiment/presets';

export function listCommand(json: boolean): void {
  const listed = {
    presets: presets.map(({ id, experiment }) => ({ id, title: experiment.title })),
    environments: Object.values(environments).map(({ id, title }) => ({ id, title })),
    objectives: objectivePresets.map(({ id, title, citation }) => ({ id, title: `${title} (${citation})` })),
  };
  if (json) {
    process.stdout.write(`${JSON.stringify(listed)}\n`);
    return;
  }
  for (const [kind, entries] of Object.entries(listed)) {
    process.stdout.write(`${kind}\n`);
    for (const { id, title } of entries) process.stdout.write(`  ${id.padEnd(26)} ${title}\n`);
  }
}
