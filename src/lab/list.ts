/** `lab list`: presets, environments and objectives. */
import { environments } from '../environments/registry';
import { objectivePresets } from '../experiment/objectivePresets';
import { presets } from '../experiment/presets';
import { print } from './output';

export function listCommand(json: boolean): void {
  const listed = {
    presets: presets.map(({ id, experiment }) => ({ id, title: experiment.title })),
    environments: Object.values(environments).map(({ id, title }) => ({ id, title })),
    objectives: objectivePresets.map(({ id, title, citation }) => ({ id, title: `${title} (${citation})` })),
  };
  if (json) {
    print(`${JSON.stringify(listed)}\n`);
    return;
  }
  for (const [kind, entries] of Object.entries(listed)) {
    print(`${kind}\n`);
    for (const { id, title } of entries) print(`  ${id.padEnd(26)} ${title}\n`);
  }
}
